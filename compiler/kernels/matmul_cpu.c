/* SPDX-License-Identifier: MIT */
/* C loops of the matrix product: runtime/cpu/gemm.h in the loop nest of kernels/gemm.c. */
#include "kernels/gemm.h"
#include "kernels/tile.h"
#include "kernels/matmul.h"
#include "codegen/implementations.h"

/* C text of an operand as NnrMatrix; stored rows x columns. */
static const char *matrix(KernelText *k, const char *name, const MatmulShape *s, int64_t rows,
                          int64_t columns)
{
	const char *at = name;
	if (s->batch > 1)
		at = arena_printf(k->arena, "%s + z * %lld", name, (long long)(rows * columns));
	return arena_printf(k->arena, "(NnrMatrix){%s, %lld, %lld, %lld}", at, (long long)rows,
	                    (long long)columns, (long long)columns);
}

static void matmul_write_shape(KernelText *k, const Node *n)
{
	MatmulShape s;
	matmul_shape(n, &s);
	if (k->step->rows.count > 0)
		s.m = k->step->rows.count;
	const Implementation *own = implementation_beside(n);
	if (own)
		own->beside->write_own(k, n);
	const struct {
		const char *name;
		const Node *of;
	} rows[] = {{"lda", n->operands[0]}, {"ldb", n->operands[1]}, {"ldy", n}};
	char *pitches = arena_strdup(k->arena, "");
	for (int i = 0; i < 3; i++) {
		const int64_t pitch = buffer_of(k->program, rows[i].of)->pitch;
		if (pitch)
			pitches = arena_printf(k->arena, "%s, .%s = %lld", pitches, rows[i].name,
			                       (long long)pitch);
	}
	code_object(k->code, "const %s", "shape",
	            "{.batch = %lld, .m = %lld, .n = %lld, .k = %lld, .ta = %s, .tb = %s%s%s%s}",
	            k->target->product_shape, (long long)s.batch, (long long)s.m, (long long)s.n,
	            (long long)s.k, s.ta ? "true" : "false", s.tb ? "true" : "false", pitches,
	            n->type.dtype != n->operands[0]->type.dtype ? ", .wide = true" : "",
	            own ? ", .own = &own" : "");
}

static void matmul_emit(KernelText *k, const Node *n)
{
	MatmulShape s;
	matmul_shape(n, &s);
	const int64_t shared = shared_rows(k->program, k->step);
	const char *a = s.ta ? matrix(k, "a", &s, s.k, s.m) : matrix(k, "a", &s, s.m, s.k);
	if (shared) {
		code_let(k->code, "NnrRows", "share", "nnr_rows(%lld)", (long long)shared);
		a = arena_printf(k->arena, "(NnrMatrix){a, share.end, %lld, %lld}", (long long)s.k,
		                 (long long)s.k);
	}
	const char *b = s.tb ? matrix(k, "b", &s, s.n, s.k) : matrix(k, "b", &s, s.k, s.n);
	GemmLoops g = {
	        .call = "nnr_matmul_block",
	        .arguments = arena_printf(k->arena, "%s, %d, %s, %d", a, s.ta, b, s.tb),
	        .m = s.m,
	        .n = s.n,
	        .k = s.k,
	        .m_first = shared ? "share.first" : NULL,
	        .m_text = shared ? "share.end" : NULL,
	        .alone = shared > 0,
	        .panel_cost = 0.5,
	        .outer = s.batch,
	        .outer_name = "z",
	};
	gemm_emit(k, &g);
}

const OpLoops matmul_loops[] = {
        {.op = "matmul",
         .emit_cpu = matmul_emit,
         .emit_cuda = product_emit_by_threads,
         .cuda_header = "cuda/nnr_threads.h",
         .emit_block = matmul_emit_block,
         .block_workspace = matmul_block_workspace,
         .header = "cpu/gemm.h",
         .dnn_shape = matmul_write_shape,
         .dnn = "nnr_dnn_matmul",
         .cuda = "nnr_cublas_matmul",
         .cuda_epilogue = "nnr_cublas_matmul_epilogue"},
        {0},
};
