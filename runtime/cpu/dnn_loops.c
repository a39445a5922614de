/* SPDX-License-Identifier: MIT */
#include "runtime/cpu/dnn_loops.h"
#include "runtime/cpu/conv.h"

enum { ROWS = 96, COLUMNS = 64 }; /* of a block */

/* Columns of the block at column n0 into rows of `to`, which are `stride` apart. */
static void put_row(float *to, const float *from, int64_t n0, int64_t columns)
{
	for (int64_t j = 0; j < COLUMNS && n0 + j < columns; j++)
		to[n0 + j] = from[j];
}

static int64_t less(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

void dnn_loops_fprop(const NnrConvShape *s, const float *x, const float *w, float *y)
{
	const int64_t rows = s->batch * s->out[0] * s->out[1], columns = s->filters / s->groups,
	              depth = s->size[0] * s->size[1] * (s->channels / s->groups);
#pragma omp parallel for collapse(3) schedule(dynamic)
	for (int64_t g = 0; g < s->groups; g++)
		for (int64_t m0 = 0; m0 < rows; m0 += ROWS)
			for (int64_t n0 = 0; n0 < columns; n0 += COLUMNS) {
				float t[NNR_BLOCK_ROWS(ROWS) * COLUMNS] __attribute__((aligned(64)));
				nnr_conv_fprop_block_f32(ROWS, COLUMNS, s, g, x, w, 0, depth, m0, n0, t);
				for (int64_t i = 0; i < less(ROWS, rows - m0); i++)
					put_row(y + (m0 + i) * s->filters + g * columns, t + i * COLUMNS, n0,
					        columns);
			}
}

void dnn_loops_dgrad(const NnrConvShape *s, const float *dy, const float *w, float *dx)
{
	const int64_t columns = s->channels / s->groups;
	for (int64_t h = 0; h < less(s->stride[0], s->in[0]); h++)
		for (int64_t v = 0; v < less(s->stride[1], s->in[1]); v++) {
			const NnrConvClass c = nnr_conv_class(s, h, v);
#pragma omp parallel for collapse(3) schedule(dynamic)
			for (int64_t g = 0; g < s->groups; g++)
				for (int64_t m0 = 0; m0 < c.rows; m0 += ROWS)
					for (int64_t n0 = 0; n0 < columns; n0 += COLUMNS) {
						float t[NNR_BLOCK_ROWS(ROWS) * COLUMNS]
						        __attribute__((aligned(64)));
						nnr_conv_dgrad_block_f32(ROWS, COLUMNS, s, &c, g, dy, w, 0,
						                         c.depth, m0, n0, t);
						for (int64_t i = 0; i < less(ROWS, c.rows - m0); i++)
							put_row(dx +
							                nnr_conv_pixel(s, &c, m0 + i) *
							                        s->channels +
							                g * columns,
							        t + i * COLUMNS, n0, columns);
					}
		}
}

void dnn_loops_wgrad(const NnrConvShape *s, const float *x, const float *dy, float *dw)
{
	const int64_t rows = s->filters / s->groups,
	              columns = s->size[0] * s->size[1] * (s->channels / s->groups),
	              depth = s->batch * s->out[0] * s->out[1];
#pragma omp parallel for collapse(3) schedule(dynamic)
	for (int64_t g = 0; g < s->groups; g++)
		for (int64_t m0 = 0; m0 < rows; m0 += ROWS)
			for (int64_t n0 = 0; n0 < columns; n0 += COLUMNS) {
				float t[NNR_BLOCK_ROWS(ROWS) * COLUMNS] __attribute__((aligned(64)));
				nnr_conv_wgrad_block_f32(ROWS, COLUMNS, s, g, x, dy, 0, depth, m0, n0, t);
				for (int64_t i = 0; i < less(ROWS, rows - m0); i++)
					put_row(dw + (g * rows + m0 + i) * columns, t + i * COLUMNS, n0,
					        columns);
			}
}

void dnn_loops_matmul(const NnrMatmulShape *s, const float *a, const float *b, float *y)
{
#pragma omp parallel for collapse(3) schedule(dynamic)
	for (int64_t p = 0; p < s->batch; p++)
		for (int64_t m0 = 0; m0 < s->m; m0 += ROWS)
			for (int64_t n0 = 0; n0 < s->n; n0 += COLUMNS) {
				const NnrMatrix left = {a + p * s->m * s->k, s->ta ? s->k : s->m,
				                        s->ta ? s->m : s->k, s->ta ? s->m : s->k},
				                right = {b + p * s->k * s->n, s->tb ? s->n : s->k,
				                         s->tb ? s->k : s->n, s->tb ? s->k : s->n};
				float t[NNR_BLOCK_ROWS(ROWS) * COLUMNS] __attribute__((aligned(64)));
				nnr_matmul_block_f32(ROWS, COLUMNS, left, s->ta, right, s->tb, 0, s->k, m0,
				                     n0, t);
				for (int64_t i = 0; i < less(ROWS, s->m - m0); i++)
					put_row(y + (p * s->m + m0 + i) * s->n, t + i * COLUMNS, n0, s->n);
			}
}
