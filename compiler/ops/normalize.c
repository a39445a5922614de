/* SPDX-License-Identifier: MIT */
/* normalize, which is `scale` of every channel alike, and rgb_affine, of each of three channels by itself. */
#include "ops/whiten.h"
#include "ops/compose.h"

#include <string.h>

/* ---- rgb_affine */

static bool rgb_affine_infer(Infer *in)
{
	if (!pointwise_infer(in))
		return false;
	Type t = in->result;
	if (t.rank < 1 || t.dim[t.rank - 1] != 3)
		return infer_error(in, "shape-mismatch", "`rgb_affine` needs three channels, not %s",
		                   shape_text(in->graph->arena, t));
	return true;
}

static void rgb_affine_grad(Grad *g)
{
	const char *const scales[] = {"scale_r", "scale_g", "scale_b"};
	const char *const shifts[] = {"shift_r", "shift_g", "shift_b"};
	Attr attrs[6];
	for (int i = 0; i < 3; i++) {
		attrs[i] = attr_real(scales[i], node_real(g->node, scales[i]));
		attrs[3 + i] = attr_real(shifts[i], 0);
	}
	g->result[0] = build(&g->b, "rgb_affine", 1, &g->dy, 6, attrs);
}

/* ---- normalize */

typedef struct ImageStatistics {
	const char *word;
	double mean[3], std[3]; /* of r, g, b in 0..1 */
} ImageStatistics;

static const ImageStatistics image_statistics[] = {
        {"imagenet", {0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}},
        {"cifar10", {0.4914, 0.4822, 0.4465}, {0.2470, 0.2435, 0.2616}},
        {0},
};

static Node *normalize_rgb(Call *c, Node *x, const ImageStatistics *s, double unit)
{
	Type t = x->type;
	if (t.dim[t.rank - 1] != 3)
		return call_error(
		        c, "mean", "shape-mismatch",
		        "`normalize(%s)` is for images of 3 channels, and the last dimension is %lld",
		        s->word, (long long)t.dim[t.rank - 1]);
	Attr attrs[] = {
	        attr_real("scale_r", unit / s->std[0]),        attr_real("scale_g", unit / s->std[1]),
	        attr_real("scale_b", unit / s->std[2]),        attr_real("shift_r", -s->mean[0] / s->std[0]),
	        attr_real("shift_g", -s->mean[1] / s->std[1]), attr_real("shift_b", -s->mean[2] / s->std[2])};
	return build(call_build(c), "rgb_affine", 1, &x, 6, attrs);
}

/* The front end has turned bytes into reals already; the cast says that they were bytes. */
static Node *build_normalize(Call *c)
{
	Node *x = call_tensor(c, "x");
	if (!x)
		return NULL;
	bool bytes = (x->op->flags & OP_CONVERTS) && x->operands[0]->type.dtype == DTYPE_U8;
	double unit = bytes ? 1.0 / 255 : 1;
	const char *word = call_word(c, "mean");
	if (word) {
		const ImageStatistics *s = image_statistics;
		while (strcmp(s->word, word) != 0)
			s++;
		return normalize_rgb(c, x, s, unit);
	}
	double mean = call_real(c, "mean"), std = call_real(c, "std");
	if (!(std > 0))
		return call_error(c, "std", "bad-argument", "the standard deviation must be above 0");
	Attr attrs[] = {attr_real("factor", unit / std), attr_real("shift", -mean / std)};
	return build(call_build(c), "scale", 1, &x, 2, attrs);
}

#define RGB " scale_r=2.0 scale_g=-0.5 scale_b=3.25 shift_r=0.5 shift_g=0.0 shift_b=-1.5"
static const char *const rgb_affine_samples[] = {
        "x=f32[3]" RGB,         "x=f32[1,3]" RGB,       "x=f32[2,3]" RGB,
        "x=f32[5,3]" RGB,       "x=f32[64,3]" RGB,      "x=f32[1,1,3]" RGB,
        "x=f32[2,3,3]" RGB,     "x=f32[3,1,3]" RGB,     "x=f32[1,7,3]" RGB,
        "x=f32[4,9,3]" RGB,     "x=f32[1,1,1,3]" RGB,   "x=f32[2,1,1,3]" RGB,
        "x=f32[1,5,1,3]" RGB,   "x=f32[1,1,5,3]" RGB,   "x=f32[2,3,3,3]" RGB,
        "x=f32[2,4,5,3]" RGB,   "x=f32[3,7,1,3]" RGB,   "x=f32[1,8,8,3]" RGB,
        "x=f32[2,13,11,3]" RGB, "x=f32[2,2,2,2,3]" RGB, NULL,
};

const Op normalize_ops[] = {
        {.name = "rgb_affine",
         .affine = affine_rgb,
         .signature = "x -> y",
         .flags = OP_POINTWISE | OP_BY_COLUMN | OP_CHEAP,
         .infer = rgb_affine_infer,
         .grad = rgb_affine_grad,
         .expr = "x*(c == 0 ? scale_r : c == 1 ? scale_g : scale_b) + "
                 "(c == 0 ? shift_r : c == 1 ? shift_g : shift_b)",
         .expr_flops = 2,
         .samples = rgb_affine_samples,
         .doc = "x*scale + shift with one scale and one shift for each of three channels."},
        {.name = "normalize",
         .call = "x, mean: real|imagenet|cifar10 = 0.0, std: real = 1.0",
         .build = build_normalize,
         .doc = "(x - mean)/std. Bytes are divided by 255 first. `normalize(imagenet)` and "
                "`normalize(cifar10)` take the usual mean and deviation of each channel of these data sets."},
        {0},
};
