/* SPDX-License-Identifier: MIT */
/* Loops of unfold and fold: neighbouring channels of one place. */
#include "codegen/lanes.h"
#include "codegen/op_loops.h"
#include "ops/fold.h"

/* Declares row, `tap`, of the `taps` in it, and c, which counts channels; `sample` and `at`: the sample and the place
 * along the axis of the row. */
static Lanes begin(KernelText *k, const Node *n, const Fold *f, int64_t taps)
{
	Arena *a = k->arena;
	const int64_t *d = n->type.dim;
	Lanes l = lanes_new(k, n, lanes_width(1, &f->channels));
	lanes_open(&l, taps > 1 ? "line" : "row", type_elements(n->type) / f->channels, f->channels);
	if (taps > 1) {
		lanes_index(&l, "row", "%s", index_over(a, "line", taps));
		lanes_index(&l, "tap", "%s", index_digit(a, "line", 1, taps));
	}
	lanes_index(&l, "sample", "%s", index_over(a, "row", d[1] * d[2]));
	lanes_index(&l, "at", "%s", index_digit(a, "row", d[2], d[1]));
	return l;
}

/* Of the operand, at `place` of the row's sample and column, from `channel` on. */
static char *element(const KernelText *k, const Node *n, const char *place, const char *channel)
{
	const int64_t *x = n->operands[0]->type.dim;
	return arena_printf(k->arena, "((sample * %lld + %s) * %lld + %s) * %lld + %s", (long long)x[1],
	                    place, (long long)x[2], index_digit(k->arena, "row", 1, x[2]), (long long)x[3],
	                    channel);
}

static void unfold_emit(KernelText *k, const Node *n)
{
	const Fold f = fold_of(n);
	Lanes l = begin(k, n, &f, f.size);
	const char *tap = f.size > 1 ? "tap" : "0", *column = "c";
	lanes_index(&l, "place", "at * %lld + %s - %lld", (long long)f.stride,
	            index_times(k->arena, tap, f.dilation), (long long)f.before);
	lanes_value(&l, "e", "0");
	code_if(k->code, "place >= 0 && place < %lld", (long long)f.places);
	lanes_reload(&l, "e", 0, element(k, n, "place", "c"));
	code_close(k->code, 1);
	if (f.size > 1)
		lanes_index(&l, column = "column", "tap * %lld + c", (long long)f.channels);
	lanes_finish(&l, "row", column, "e@");
}

static void fold_emit(KernelText *k, const Node *n)
{
	const Fold f = fold_of(n);
	Lanes l = begin(k, n, &f, 1);
	lanes_value(&l, "sum", "0");
	code_loop(k->code, (CodeLoop){.type = "int", .var = "w", .count = f.size});
	lanes_index(&l, "place", "at + %lld - w * %lld", (long long)f.before, (long long)f.dilation);
	lanes_index(&l, "window", "place / %lld", (long long)f.stride);
	code_if(k->code, "place >= 0 && place == window * %lld && window < %lld", (long long)f.stride,
	        (long long)f.windows);
	lanes_load(&l, "e", 0,
	           element(k, n, "window", arena_printf(k->arena, "w * %lld + c", (long long)f.channels)));
	lanes_each(&l, "sum@ += e@");
	code_close(k->code, 2);
	lanes_finish(&l, "row", "c", "sum@");
}

const OpLoops fold_loops[] = {{.op = "unfold", .emit = unfold_emit}, {.op = "fold", .emit = fold_emit}, {0}};
