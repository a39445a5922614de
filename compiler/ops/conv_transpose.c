/* SPDX-License-Identifier: MIT */
/* conv_transpose: the image whose convolution with these filters would have the shape of x, each pixel of x spread over
 * a window of it. That is the gradient of such a convolution by its image, which is an operator already. */
#include "ops/compose.h"
#include "ops/conv.h"

#include "base/checked.h"

/* False, too, where the convolution of so many rows would have others than `in`. */
bool conv_transpose_rows(Call *c, int64_t in, int64_t size, int64_t stride, int64_t pad, int64_t more,
                         int64_t *out)
{
	int64_t begin;
	if (size >= 1 && stride >= 1 && pad >= 0 && more >= 0 && more < stride && pad <= SIZE_LIMIT &&
	    size <= SIZE_LIMIT && checked_mul(in - 1, stride, &begin) &&
	    checked_add(begin, size + more - 2 * pad, out) && *out >= 1)
		return true;
	call_error(c, "size", "bad-window",
	           "no image is this window's: the result has (rows - 1)*stride + size - 2*pad + more rows, "
	           "`more` being less than the stride");
	return false;
}

Node *conv_transpose_call(Call *c, Node *x, const ConvTranspose *t, int64_t *fan_in)
{
	int64_t filters = call_int(c, "filters"), groups = call_int(c, "groups");
	if (!x || !conv_call_groups(c, x->type.dim[3], filters, groups))
		return NULL;
	int64_t channels = x->type.dim[3], each, taps, fan_out;
	if (!checked_mul(t->taps, t->size[0], &taps) || !checked_mul(taps, t->size[1], &taps) ||
	    !checked_mul(taps, filters / groups, fan_in) || !checked_mul(taps, channels, &fan_out) ||
	    !checked_mul(t->taps, filters, &each))
		return call_error(c, "size", "tensor-limit", "the filters would be larger than the limit");
	InitKind kind;
	double scale;
	call_init(c, "init", (double)*fan_in, (double)fan_out, &kind, &scale);
	if (!conv_init_fits(c, kind, groups, t->taps))
		return NULL;
	const int64_t of_filters[] = {channels, t->size[0], t->size[1], each / groups};
	Node *w = t->weight_given ? call_weight(c, 4, of_filters)
	                          : call_param(c, "weight", 4, of_filters, kind, scale, true);
	int64_t border[] = {t->pad[0], t->pad[1], t->pad[0], t->pad[1]}, one[] = {1, 1},
	        dim[] = {x->type.dim[0], t->out[0], t->out[1], each};
	Attr attrs[] = {attr_ints("dim", dim, 4), attr_ints("stride", t->stride, 2),
	                attr_ints("pad", border, 4), attr_ints("dilation", one, 2),
	                attr_int("groups", groups)};
	return w ? build(call_build(c), "conv_dgrad", 2, (Node *[]){x, w}, 5, attrs) : NULL;
}

static Node *conv_transpose_build(Call *c)
{
	Node *x = call_tensor(c, "x");
	if (!x)
		return NULL;
	if (x->type.rank != 4)
		return call_error(c, "x", "rank-mismatch",
		                  "`conv_transpose` is for images [height, width, channels]");
	ConvTranspose t = {.taps = 1, .weight_given = !call_word(c, "weight")};
	int64_t more[2], fan_in;
	call_pair(c, "size", t.size);
	call_pair(c, "stride", t.stride);
	call_pair(c, "pad", t.pad);
	call_pair(c, "more", more);
	for (int i = 0; i < 2; i++)
		if (!conv_transpose_rows(c, x->type.dim[1 + i], t.size[i], t.stride[i], t.pad[i], more[i],
		                         &t.out[i]))
			return NULL;
	Node *y = conv_transpose_call(c, x, &t, &fan_in);
	return y ? call_with_bias(c, y, fan_in) : NULL;
}

const Op conv_transpose_ops[] = {
        {.name = "conv_transpose",
         .call = "x, filters: int, size: pair, stride: pair = 1, pad: pair = 0, more: pair = 0, groups: int "
                 "= 1, bias: "
                 "bool = true, init: " INIT_WORDS " = default, weight: tensor|own = own",
         .doc = "A convolution turned round, which makes images larger: each pixel of x is spread over a "
                "window of "
                "`filters` channels, `stride` apart, and what overlaps is added. The result has (rows - "
                "1)*stride + size "
                "- 2*pad + more rows; conv_transpose(64, 2, 2) doubles an image. The weight is [channels, "
                "size, size, "
                "filters/groups]; `more` is output_padding elsewhere. It starts as PyTorch's ConvTranspose2d "
                "does; `weight` is a tensor of that shape to use instead of one of its own.",
         .build = conv_transpose_build},
        {0},
};
