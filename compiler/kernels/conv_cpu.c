/* SPDX-License-Identifier: MIT */
/* C loops of convolution and its gradients: products of patches (runtime/cpu/conv.h) in the loop nest of
 * kernels/gemm.c; depthwise_cpu.c where each group is one channel. */
#include "kernels/conv.h"
#include "kernels/gemm.h"
#include "kernels/tile.h"

/* `static const NnrConvShape shape`, every size a literal. */
static void conv_write_shape(KernelText *k, const Node *n)
{
	const ConvShape shape = conv_shape(n), *c = &shape;
	const Window *w = &c->win;
	const char *live = "";
	int64_t at[4];
	if (k->target->gpu && conv_live_taps(w, at))
		live = arena_printf(k->arena, ", .live = {%lld, %lld, %lld, %lld}", (long long)at[0],
		                    (long long)at[1], (long long)at[2], (long long)at[3]);
	code_object(k->code, "const NnrConvShape", "shape",
	            "{.batch = %lld, .channels = %lld, .filters = %lld, .groups = %lld, .in = {%lld, %lld}, "
	            ".out = {%lld, %lld}, .size = {%lld, %lld}, .stride = {%lld, %lld}, "
	            ".pad = {%lld, %lld, %lld, %lld}, .dilation = {%lld, %lld}%s}",
	            (long long)c->batch, (long long)c->channels, (long long)c->filters, (long long)c->groups,
	            (long long)w->in[0], (long long)w->in[1], (long long)w->out[0], (long long)w->out[1],
	            (long long)w->size[0], (long long)w->size[1], (long long)w->stride[0],
	            (long long)w->stride[1], (long long)w->pad[0], (long long)w->pad[1], (long long)w->pad[2],
	            (long long)w->pad[3], (long long)w->dilation[0], (long long)w->dilation[1], live);
}

static int64_t output_pixels(const ConvShape *c)
{
	return c->batch * c->win.out[0] * c->win.out[1];
}

static int64_t patch_elements(const ConvShape *c)
{
	return c->win.size[0] * c->win.size[1] * (c->channels / c->groups);
}

static const char *group(const ConvShape *c)
{
	return c->groups > 1 ? "g" : "0";
}

static void conv_fprop_emit(KernelText *k, const Node *n)
{
	const ConvShape c = conv_shape(n);
	if (conv_is_depthwise(&c)) {
		depthwise_fprop_emit(k, &c);
		return;
	}
	conv_write_shape(k, n);
	GemmLoops g = {
	        .call = "nnr_conv_fprop_block",
	        .arguments = arena_printf(k->arena, "&shape, %s, x, w", group(&c)),
	        .m = output_pixels(&c),
	        .n = c.filters / c.groups,
	        .k = patch_elements(&c),
	        .panel_cost = 0.5,
	        .outer = c.groups,
	        .outer_name = "g",
	        .row = c.groups > 1 ? "m0 + i" : NULL,
	        .columns_apart = c.groups > 1 ? c.filters / c.groups : 0,
	};
	gemm_emit(k, &g);
}

static void conv_wgrad_emit(KernelText *k, const Node *n)
{
	const ConvShape c = conv_shape(n);
	if (conv_is_depthwise(&c)) {
		depthwise_wgrad_emit(k, &c);
		return;
	}
	conv_write_shape(k, n);
	GemmLoops g = {
	        .call = "nnr_conv_wgrad_block",
	        .arguments = arena_printf(k->arena, "&shape, %s, x, dy", group(&c)),
	        .m = c.filters / c.groups,
	        .n = patch_elements(&c),
	        .k = output_pixels(&c),
	        .panel_cost = c.channels / c.groups < 16 ? 8 : 1,
	        .outer = c.groups,
	        .outer_name = "g",
	        .row_scale = "taps",
	};
	code_let(k->code, "int64_t", "taps", "nnr_conv_taps(&shape)");
	gemm_emit(k, &g);
}

static void conv_dgrad_emit(KernelText *k, const Node *n)
{
	const ConvShape c = conv_shape(n);
	if (conv_is_depthwise(&c)) {
		depthwise_dgrad_emit(k, &c);
		return;
	}
	conv_write_shape(k, n);
	const Window *w = &c.win;
	int64_t classes = w->stride[0] * w->stride[1];
	bool one_class = classes == 1;
	GemmLoops g = {
	        .call = "nnr_conv_dgrad_block",
	        .arguments = arena_printf(k->arena, "&shape, &c, %s, dy, w", group(&c)),
	        .m = c.batch * ((w->in[0] + w->stride[0] - 1) / w->stride[0]) *
	             ((w->in[1] + w->stride[1] - 1) / w->stride[1]),
	        .n = c.channels / c.groups,
	        .k = w->size[0] * w->size[1] * (c.filters / c.groups),
	        .panel_cost = 0.5,
	        .m_text = one_class ? NULL : "c.rows",
	        .k_text = "c.depth",
	        .outer = c.groups,
	        .outer_name = "g",
	        .row = !one_class     ? "nnr_conv_pixel(&shape, &c, m0 + i)"
	               : c.groups > 1 ? "m0 + i"
	                              : NULL,
	        .columns_apart = c.groups > 1 ? c.channels / c.groups : 0,
	};
	if (one_class) {
		code_let(k->code, "NnrConvClass", "c", "nnr_conv_class(&shape, 0, 0)");
		gemm_emit(k, &g);
		return;
	}
	code_for(k->code, "class", "%lld", (long long)classes);
	code_let(k->code, "NnrConvClass", "c", "nnr_conv_class(&shape, class / %lld, class %% %lld)",
	         (long long)w->stride[1], (long long)w->stride[1]);
	gemm_emit(k, &g);
	code_close(k->code, 1);
}

const OpLoops conv_loops[] = {
        {.op = "conv",
         .emit_cpu = conv_fprop_emit,
         .emit_cuda = product_emit_by_threads,
         .cuda_header = "cuda/nnr_threads.h",
         .emit_block = conv_fprop_emit_block,
         .header = "cpu/conv.h",
         .dnn_shape = conv_write_shape,
         .dnn = "nnr_dnn_conv_fprop",
         .cuda = "nnr_cudnn_conv_fprop",
         .cuda_epilogue = "nnr_cudnn_conv_epilogue"},
        {.op = "conv_dgrad",
         .emit_cpu = conv_dgrad_emit,
         .emit_cuda = product_emit_by_threads,
         .cuda_header = "cuda/nnr_threads.h",
         .emit_block = conv_dgrad_emit_block,
         .header = "cpu/conv.h",
         .dnn_shape = conv_write_shape,
         .dnn = "nnr_dnn_conv_dgrad",
         .cuda = "nnr_cudnn_conv_dgrad"},
        {.op = "conv_wgrad",
         .emit_cpu = conv_wgrad_emit,
         .emit_cuda = product_emit_by_threads,
         .cuda_header = "cuda/nnr_threads.h",
         .header = "cpu/conv.h",
         .dnn_shape = conv_write_shape,
         .dnn = "nnr_dnn_conv_wgrad",
         .cuda = "nnr_cudnn_conv_wgrad"},
        {0},
};
