/* SPDX-License-Identifier: MIT */
/* Forms in ONNX of what works on images. */
#include "onnx/forms.h"

static const char *conv_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	int count;
	const char *operands[] = {onnx_first(o, n->operands[0]), onnx_filters(o, n->operands[1])};
	*channels_first = true;
	return onnx_call(o, "Conv",
	                 onnx_text(o, "strides=%s pads=%s dilations=%s group=%lld",
	                           onnx_list(o, node_ints(n, "stride", &count), 2),
	                           onnx_list(o, node_ints(n, "pad", &count), 4),
	                           onnx_list(o, node_ints(n, "dilation", &count), 2),
	                           (long long)node_int(n, "groups")),
	                 2, operands);
}

/* What of the image no window of the strides reaches is `output_padding`. */
static const char *dgrad_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	int count;
	const int64_t *stride = node_ints(n, "stride", &count), *pad = node_ints(n, "pad", &count),
	              *dilation = node_ints(n, "dilation", &count);
	const Type dy = n->operands[0]->type, w = n->operands[1]->type;
	const char *operands[] = {onnx_first(o, n->operands[0]), onnx_filters(o, n->operands[1])};
	int64_t rest[2];
	for (int i = 0; i < 2; i++)
		rest[i] = n->type.dim[1 + i] + pad[i] + pad[2 + i] - (dy.dim[1 + i] - 1) * stride[i] -
		          (w.dim[1 + i] - 1) * dilation[i] - 1;
	*channels_first = true;
	return onnx_call(o, "ConvTranspose",
	                 onnx_text(o, "strides=%s pads=%s dilations=%s output_padding=%s group=%lld",
	                           onnx_list(o, stride, 2), onnx_list(o, pad, 4), onnx_list(o, dilation, 2),
	                           onnx_list(o, rest, 2), (long long)node_int(n, "groups")),
	                 2, operands);
}

static const char *pool_onnx(Onnx *o, const Node *n, const char *op, const char *more)
{
	int count;
	const char *x = onnx_first(o, n->operands[0]);
	return onnx_call(o, op,
	                 onnx_text(o, "kernel_shape=%s strides=%s pads=%s%s",
	                           onnx_list(o, node_ints(n, "size", &count), 2),
	                           onnx_list(o, node_ints(n, "stride", &count), 2),
	                           onnx_list(o, node_ints(n, "pad", &count), 4), more),
	                 1, &x);
}

static const char *maxpool_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	*channels_first = true;
	return pool_onnx(o, n, "MaxPool", "");
}

static const char *avgpool_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	*channels_first = true;
	return pool_onnx(o, n, "AveragePool", " count_include_pad=1");
}

static const char *lrn_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	const bool image = n->type.rank == 4;
	const int64_t rows[] = {-1, n->type.dim[n->type.rank - 1], 1, 1}; /* of channels, each alone */
	const char *x =
	        image ? onnx_first(o, n->operands[0])
	              : onnx_call(o, "Reshape", "", 2,
	                          (const char *[]){onnx_plain(o, n->operands[0]), onnx_ints(o, rows, 4)});
	*channels_first = image;
	const char *y = onnx_call(o, "LRN",
	                          onnx_text(o, "size=%lld alpha=%#.9g beta=%#.9g bias=%#.9g",
	                                    (long long)node_int(n, "size"), node_real(n, "alpha"),
	                                    node_real(n, "beta"), node_real(n, "k")),
	                          1, &x);
	return image ? y : onnx_reshape(o, y, n);
}

static const char *pick_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	Arena *scratch = arena_new();
	const char *x = onnx_plain(o, n->operands[0]);
	for (int axis = 1; axis <= 2; axis++) {
		const int64_t count = n->type.dim[axis];
		int64_t *from = NEW_ARRAY(scratch, int64_t, count);
		bool moves = count != n->operands[0]->type.dim[axis];
		Place p;
		n->op->place(n, axis, &p);
		for (int64_t i = 0; i < count; i++) {
			const int64_t at = i * p.times + p.plus < 0 ? 0 : (i * p.times + p.plus) / p.over;
			from[i] = at < p.count ? at : p.count - 1;
			moves = moves || from[i] != i;
		}
		if (moves) {
			const char *operands[] = {x, onnx_ints(o, from, (int)count)};
			x = onnx_call(o, "Gather", axis == 1 ? "axis=1" : "axis=2", 2, operands);
		}
	}
	arena_free(scratch);
	return x;
}

const OnnxForm onnx_forms_images[] = {
        {"conv", .node = conv_onnx},
        {"conv_dgrad", .node = dgrad_onnx},
        {"maxpool", .node = maxpool_onnx},
        {"avgpool", .node = avgpool_onnx},
        {"lrn", .node = lrn_onnx},
        {"pick", .node = pick_onnx},
        {0},
};
