/* SPDX-License-Identifier: MIT */
/* The blocks of gemm.h and conv.h for one instruction set and one precision: compiled several times, with NNR_REAL
 * (float or double) and NNR_VARIANT ("f32_avx512") defined (runtime/meson.build). */
#include "patch.h"
#include "tile.h"

/* The head of a block's function; the indirection replaces NNR_VARIANT by its text. */
#define NNR_HEAD_(block, variant) block(NNR_REAL, variant)
#define NNR_HEAD(block)           NNR_HEAD_(block, NNR_VARIANT)

NNR_HEAD(NNR_MATMUL_BLOCK);
NNR_HEAD(NNR_MATMUL_BLOCK)
{
	nnr_gemm_block(mb, nb, ta ? a.columns : a.rows, tb ? b.rows : b.columns, k_first, k_last,
	               ta ? nnr_load_rows_by_k : nnr_load_rows, ta, &a, m0,
	               tb ? nnr_load_panel_by_rows : nnr_load_panel, &b, n0, c);
}

/* y[pixel][filter] for a block of pixels and filters of one group. */
NNR_HEAD(NNR_CONV_FPROP_BLOCK);
NNR_HEAD(NNR_CONV_FPROP_BLOCK)
{
	const int64_t filters = s->filters / s->groups,
	              k = s->size[0] * s->size[1] * (s->channels / s->groups);
	const NnrConvOperand image = {s, x, group};
	const NnrMatrix weight = {w + group * filters * k, filters, k, k};
	const bool by_k = s->channels == 1 && s->stride[1] == 1;
	nnr_gemm_block(mb, nb, s->batch * s->out[0] * s->out[1], filters, k_first, k_last,
	               by_k ? nnr_load_patch_rows_by_k : nnr_load_patch_rows, by_k, &image, m0,
	               nnr_load_panel_by_rows, &weight, n0, y);
}

/* dw[filter][r,s,c] for a block of one group, summed over pixels k_first .. k_last. */
NNR_HEAD(NNR_CONV_WGRAD_BLOCK);
NNR_HEAD(NNR_CONV_WGRAD_BLOCK)
{
	const int64_t filters = s->filters / s->groups, taps = s->size[0] * s->size[1];
	const NnrConvOperand image = {s, x, group};
	const NnrMatrix gradient = {dy + group * filters, s->batch * s->out[0] * s->out[1], filters,
	                            s->filters};
	nnr_gemm_block(mb, nb, filters, taps * (s->channels / s->groups), k_first, k_last, nnr_load_rows_by_k,
	               true, &gradient, m0, nnr_load_patch_panel, &image, n0, dw);
}

/* dx[row of the class][channel] for a block of one group. */
NNR_HEAD(NNR_CONV_DGRAD_BLOCK);
NNR_HEAD(NNR_CONV_DGRAD_BLOCK)
{
	const NnrClassOperand gradient = {s, c, dy, group}, weight = {s, c, w, group};
	nnr_gemm_block(mb, nb, c->rows, s->channels / s->groups, k_first, k_last, nnr_load_gradient_rows,
	               false, &gradient, m0, nnr_load_tap_panel, &weight, n0, dx);
}
