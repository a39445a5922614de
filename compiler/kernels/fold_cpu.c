/* SPDX-License-Identifier: MIT */
/* C loops of unfold and fold, over the rows [n, places, columns] of the result. */
#include "codegen/lanes.h"
#include "kernels/fold.h"

static void open_rows(KernelText *k, const Node *n)
{
	code_turns(k->code, TURNS_THREADS, "");
	code_for(k->code, "r", "%lld", (long long)(type_elements(n->type) / n->type.dim[FOLD_CHANNELS]));
	code_let(k->code, "int64_t", "at", "%s",
	         index_digit(k->arena, "r", n->type.dim[FOLD_COLUMNS], n->type.dim[FOLD_PLACES]));
}

/* Row `place` of the operand in the sample and the column of row r. */
static char *row_at(const KernelText *k, const Node *n, const char *place)
{
	const long long columns = (long long)n->type.dim[FOLD_COLUMNS];
	return arena_printf(k->arena, "(%s * %lld + %s) * %lld + %s",
	                    index_over(k->arena, "r", n->type.dim[FOLD_PLACES] * columns),
	                    (long long)n->operands[0]->type.dim[FOLD_PLACES], place, columns,
	                    index_digit(k->arena, "r", 1, columns));
}

static void unfold_emit(KernelText *k, const Node *n)
{
	const Fold f = fold_of(n);
	open_rows(k, n);
	code_for(k->code, "i", "%lld", (long long)f.size);
	code_let(k->code, "int64_t", "place", "at * %lld + i * %lld - %lld", (long long)f.stride,
	         (long long)f.dilation, (long long)f.before);
	code_let(k->code, "bool", "inside", "place >= 0 && place < %lld", (long long)f.places);
	code_let(k->code, "%s *const", "from", "x + (inside ? %s : 0) * %lld", k->real, row_at(k, n, "place"),
	         (long long)f.channels);
	code_turns(k->code, TURNS_SIMD, "");
	code_for(k->code, "c", "%lld", (long long)f.channels);
	kernel_epilogue(k, "r", arena_printf(k->arena, "i * %lld + c", (long long)f.channels),
	                "(inside ? from[c] : 0)");
	code_close(k->code, 3);
}

static void fold_emit(KernelText *k, const Node *n)
{
	const Fold f = fold_of(n);
	open_rows(k, n);
	code_for(k->code, "c", "%lld", (long long)f.channels);
	code_var(k->code, "%s", "sum", "0", k->real);
	code_for(k->code, "i", "%lld", (long long)f.size);
	code_let(k->code, "int64_t", "place", "at + %lld - i * %lld", (long long)f.before,
	         (long long)f.dilation);
	code_also(k->code, "window", "place / %lld", (long long)f.stride);
	code_if_bare(k->code, "place >= 0 && place == window * %lld && window < %lld", (long long)f.stride,
	             (long long)f.windows);
	code_add(k->code, "sum", "dy[(%s) * %lld + i * %lld + c]", row_at(k, n, "window"),
	         (long long)(f.size * f.channels), (long long)f.channels);
	code_close(k->code, 1);
	code_close(k->code, 1);
	kernel_epilogue(k, "r", "c", "sum");
	code_close(k->code, 2);
}

const OpLoops fold_loops[] = {
        {.op = "unfold", .emit_cpu = unfold_emit, .emit_cuda = unfold_emit_cuda},
        {.op = "fold", .emit_cpu = fold_emit, .emit_cuda = fold_emit_cuda},
        {0},
};
