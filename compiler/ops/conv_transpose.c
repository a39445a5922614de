/* conv_transpose: the image whose convolution with these filters would have the shape of x, each pixel of x spread over
 * a window of it. That is the gradient of such a convolution by its image, which is an operator already. */
#include "ops/compose.h"
#include "ops/conv.h"

#include "base/checked.h"

/* (in - 1)*stride - 2*pad + (size - 1)*dilation + 1 + more. False where it is none, or where the convolution of so many
 * rows would have others than `in`. */
static bool rows_of(int64_t in, int64_t size, int64_t stride, int64_t pad, int64_t more, int64_t *out)
{
	int64_t begin;
	return size >= 1 && stride >= 1 && pad >= 0 && more >= 0 && more < stride && pad <= SIZE_LIMIT &&
	       size <= SIZE_LIMIT && checked_mul(in - 1, stride, &begin) &&
	       checked_add(begin, size + more - 2 * pad, out) && *out >= 1;
}

static Node *conv_transpose_build(Call *c)
{
	Build *b = call_build(c);
	Node *x = call_tensor(c, "x");
	if (!x)
		return NULL;
	if (x->type.rank != 4)
		return call_error(c, "x", "rank-mismatch",
		                  "`conv_transpose` is for images [height, width, channels]");
	int64_t filters = call_int(c, "filters"), groups = call_int(c, "groups"), channels = x->type.dim[3];
	int64_t size[2], stride[2], pad[2], more[2], dim[4] = {x->type.dim[0], 0, 0, filters};
	call_pair(c, "size", size);
	call_pair(c, "stride", stride);
	call_pair(c, "pad", pad);
	call_pair(c, "more", more);
	if (!conv_call_groups(c, channels, filters, groups))
		return NULL;
	for (int i = 0; i < 2; i++)
		if (!rows_of(x->type.dim[1 + i], size[i], stride[i], pad[i], more[i], &dim[1 + i]))
			return call_error(c, "size", "bad-window",
			                  "no image is this window's: the result has (rows - 1)*stride + "
			                  "size - 2*pad + "
			                  "more rows, `more` being less than the stride");
	int64_t taps, fan_in, fan_out;
	if (!checked_mul(size[0], size[1], &taps) || !checked_mul(taps, filters / groups, &fan_in) ||
	    !checked_mul(taps, channels, &fan_out))
		return call_error(c, "size", "tensor-limit", "the filters would be larger than the limit");
	InitKind kind;
	double scale;
	call_init(c, "init", (double)fan_in, (double)fan_out, &kind, &scale);
	if (!conv_init_has_groups(c, kind, groups))
		return NULL;
	Node *w = call_param(c, "weight", 4, (int64_t[]){channels, size[0], size[1], filters / groups}, kind,
	                     scale, true);
	int64_t border[] = {pad[0], pad[1], pad[0], pad[1]}, one[] = {1, 1};
	Attr attrs[] = {attr_ints("dim", dim, 4), attr_ints("stride", stride, 2), attr_ints("pad", border, 4),
	                attr_ints("dilation", one, 2), attr_int("groups", groups)};
	return call_with_bias(c, w ? build(b, "conv_dgrad", 2, (Node *[]){x, w}, 5, attrs) : NULL, fan_in);
}

const Op conv_transpose_ops[] = {
        {.name = "conv_transpose",
         .call = "x, filters: int, size: pair, stride: pair = 1, pad: pair = 0, more: pair = 0, groups: int "
                 "= 1, bias: "
                 "bool = true, init: " INIT_WORDS " = default",
         .doc = "A convolution turned round, which makes images larger: each pixel of x is spread over a "
                "window of "
                "`filters` channels, `stride` apart, and what overlaps is added. The result has (rows - "
                "1)*stride + size "
                "- 2*pad + more rows; conv_transpose(64, 2, 2) doubles an image. The weight is [channels, "
                "size, size, "
                "filters/groups]; `more` is output_padding elsewhere. It starts as PyTorch's ConvTranspose2d "
                "does.",
         .build = conv_transpose_build},
        {0},
};
