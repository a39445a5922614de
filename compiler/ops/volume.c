/* SPDX-License-Identifier: MIT */
/* Volumes, that is samples [depth, height, width, channels], or films [frames, ...]: conv3d, maxpool3d, avgpool3d,
 * upsample3d, conv_transpose3d. All are written with what there is for images. Each depth is an image of a larger batch
 * for what works on height and width; for what works on the depth alone a volume is one image of `depth` rows, each of
 * them its height and width one after the other. */
#include "ops/compose.h"
#include "ops/conv.h"
#include "ops/fold.h"

#include "base/checked.h"

#include <string.h>

enum { DEPTH, HEIGHT, WIDTH, AXES };

/* Windows over a volume: places along each axis. */
typedef struct Window3 {
	int64_t in[AXES], out[AXES], size[AXES], stride[AXES], dilation[AXES], before[AXES], after[AXES];
} Window3;

static const Window3 ONE = {.out = {1, 1, 1}, .size = {1, 1, 1}, .stride = {1, 1, 1}, .dilation = {1, 1, 1}};

/* ---- a volume as images */

static Node *as_images(Build *b, Node *x)
{
	const int64_t *d = x->type.dim;
	return build_reshape(b, x, 4, (int64_t[]){d[0] * d[1], d[2], d[3], d[4]});
}

static Node *of_images(Build *b, Node *images, int64_t samples)
{
	if (!images)
		return NULL;
	const int64_t *d = images->type.dim;
	return build_reshape(b, images, 5, (int64_t[]){samples, d[0] / samples, d[1], d[2], d[3]});
}

/* [n, depth, height*width, channels] */
static Node *as_rows(Build *b, Node *x)
{
	const int64_t *d = x->type.dim;
	return build_reshape(b, x, 4, (int64_t[]){d[0], d[1], d[2] * d[3], d[4]});
}

static Node *of_rows(Build *b, Node *rows, int64_t width)
{
	if (!rows)
		return NULL;
	const int64_t *d = rows->type.dim;
	return build_reshape(b, rows, 5, (int64_t[]){d[0], d[1], d[2] / width, width, d[3]});
}

/* ---- arguments */

static bool call_volume(Call *c, const Node *x)
{
	if (x->type.rank == 1 + AXES + 1)
		return true;
	call_error(c, "x", "rank-mismatch",
	           "a volume [depth, height, width, channels] is needed here, not a sample of %d dimension%s",
	           x->type.rank - 1, x->type.rank == 2 ? "" : "s");
	if (x->type.rank == 4)
		diag_help(call_build(c)->graph->diag,
		          "of an image there are conv, maxpool, avgpool, upsample and "
		          "conv_transpose");
	return false;
}

/* One number, or one for each axis, from `least` on. */
static bool call_triple(Call *c, const char *name, int64_t least, int64_t out[AXES])
{
	int count;
	const int64_t *given = call_ints(c, name, &count);
	if (count != 1 && count != AXES)
		return call_error(c, name, "bad-argument",
		                  "`%s` is a number, or (depth, height, width), not %d numbers", name, count);
	for (int i = 0; i < AXES; i++) {
		out[i] = given[count == 1 ? 0 : i];
		if (out[i] < least || out[i] > WINDOW_LIMIT)
			return call_error(c, name, "bad-window", "`%s` must be from %lld to %d, not %lld",
			                  name, (long long)least, (int)WINDOW_LIMIT, (long long)out[i]);
	}
	return true;
}

static int64_t extent_of(const Window3 *w, int axis)
{
	return (w->size[axis] - 1) * w->dilation[axis] + 1;
}

/* size, stride, pad and, where the layer has it, dilation. */
static bool call_window(Call *c, const Node *x, bool has_dilation, Window3 *w)
{
	static const char *const axes[AXES] = {"depth", "height", "width"};
	*w = ONE;
	const bool of_size = call_word(c, "stride"); /* the word `size` */
	if (!call_volume(c, x) || !call_triple(c, "size", 1, w->size) ||
	    !call_triple(c, of_size ? "size" : "stride", 1, w->stride) ||
	    (has_dilation && !call_triple(c, "dilation", 1, w->dilation)))
		return false;
	const char *word = call_word(c, "pad");
	if (!word && !call_triple(c, "pad", 0, w->before))
		return false;
	for (int i = 0; i < AXES; i++) {
		const int64_t extent = extent_of(w, i);
		w->in[i] = x->type.dim[1 + i];
		w->after[i] = w->before[i];
		if (word && strcmp(word, "same") == 0) {
			w->before[i] = (extent - 1) / 2;
			w->after[i] = extent / 2;
		}
		const int64_t room = w->in[i] + w->before[i] + w->after[i] - extent;
		if (room < 0)
			return call_error(c, "size", "bad-window",
			                  "the window takes %lld of the %s, which has %lld with its border",
			                  (long long)extent, axes[i], (long long)(room + extent));
		w->out[i] = room / w->stride[i] + 1;
	}
	return true;
}

/* What the window does along one axis is nothing. */
static bool keeps(const Window3 *w, int axis)
{
	return w->size[axis] == 1 && w->stride[axis] == 1 && w->before[axis] == 0 && w->after[axis] == 0;
}

static Window window_over(const Window3 *w)
{
	return (Window){.in = {w->in[HEIGHT], w->in[WIDTH]},
	                .size = {w->size[HEIGHT], w->size[WIDTH]},
	                .stride = {w->stride[HEIGHT], w->stride[WIDTH]},
	                .dilation = {w->dilation[HEIGHT], w->dilation[WIDTH]},
	                .pad = {w->before[HEIGHT], w->before[WIDTH], w->after[HEIGHT], w->after[WIDTH]}};
}

/* The same along the depth, for rows. */
static Window window_of_depth(const Window3 *w)
{
	return (Window){.in = {w->in[DEPTH], w->in[HEIGHT] * w->in[WIDTH]},
	                .size = {w->size[DEPTH], 1},
	                .stride = {w->stride[DEPTH], 1},
	                .dilation = {w->dilation[DEPTH], 1},
	                .pad = {w->before[DEPTH], 0, w->after[DEPTH], 0}};
}

/* ---- convolution */

static Fold fold_of_depth(const Window3 *w, int64_t columns, int64_t channels)
{
	return (Fold){.places = w->in[DEPTH],
	              .columns = columns,
	              .channels = channels,
	              .windows = w->out[DEPTH],
	              .size = w->size[DEPTH],
	              .stride = w->stride[DEPTH],
	              .dilation = w->dilation[DEPTH],
	              .before = w->before[DEPTH]};
}

/* The images that each window meets along the depth, side by side in the channels, those of one group together:
 * [n*out, height, width, size*channels]. */
static Node *stacked(Build *b, Node *x, const Window3 *w, int64_t groups)
{
	const int64_t *d = x->type.dim, images = d[0] * w->out[DEPTH];
	if (keeps(w, DEPTH))
		return as_images(b, x);
	const Fold f = fold_of_depth(w, d[2] * d[3] * groups, d[4] / groups);
	Node *y = build_reshape(b, x, 4, (int64_t[]){d[0], d[1], f.columns, f.channels});
	return build_reshape(b, build_unfold(b, y, &f), 4,
	                     (int64_t[]){images, d[2], d[3], w->size[DEPTH] * d[4]});
}

static Node *conv3d_build(Call *c)
{
	Build *b = call_build(c);
	Node *x = call_tensor(c, "x");
	Window3 w;
	if (!x || !call_window(c, x, true, &w))
		return NULL;
	const int64_t groups = call_int(c, "groups"), channels = x->type.dim[4];
	if (!conv_call_groups(c, channels, call_int(c, "filters"), groups))
		return NULL;
	if (keeps(&w, HEIGHT) && keeps(&w, WIDTH))
		return of_rows(b, conv_call(c, as_rows(b, x), 1, window_of_depth(&w), false), w.in[WIDTH]);
	Node *images = conv_call(c, stacked(b, x, &w, groups), w.size[DEPTH], window_over(&w), false);
	return of_images(b, images, x->type.dim[0]);
}

/* ---- pools: over the images, then along the depth */

static Node *pooled(Build *b, const char *op, Node *image, const Window *w)
{
	Attr attrs[] = {attr_ints("size", w->size, 2), attr_ints("stride", w->stride, 2),
	                attr_ints("pad", w->pad, 4)};
	return build(b, op, 1, &image, 3, attrs);
}

static Node *pool3d(Call *c, const char *op)
{
	Build *b = call_build(c);
	Node *x = call_tensor(c, "x");
	Window3 w;
	if (!x || !call_window(c, x, false, &w))
		return NULL;
	if (!keeps(&w, HEIGHT) || !keeps(&w, WIDTH)) {
		const Window over = window_over(&w);
		x = of_images(b, pooled(b, op, as_images(b, x), &over), x->type.dim[0]);
	}
	if (!x || keeps(&w, DEPTH))
		return x;
	const Window along = window_of_depth(&w);
	return of_rows(b, pooled(b, op, as_rows(b, x), &along), w.out[WIDTH]);
}

static Node *maxpool3d_build(Call *c)
{
	return pool3d(c, "maxpool");
}

static Node *avgpool3d_build(Call *c)
{
	return pool3d(c, "avgpool");
}

/* ---- larger volumes */

static Node *stretched(Build *b, const char *op, Node *image, int64_t rows, int64_t columns)
{
	Attr factor = attr_ints("factor", (int64_t[]){rows, columns}, 2);
	return build(b, op, 1, &image, 1, &factor);
}

static Node *upsample3d_build(Call *c)
{
	Build *b = call_build(c);
	Node *x = call_tensor(c, "x");
	int64_t by[AXES];
	if (!x || !call_volume(c, x) || !call_triple(c, "factor", 1, by))
		return NULL;
	const char *op = call_word(c, "kind")[0] == 't' ? "bilinear" : "upsample";
	x = of_images(b, stretched(b, op, as_images(b, x), by[HEIGHT], by[WIDTH]), x->type.dim[0]);
	return x ? of_rows(b, stretched(b, op, as_rows(b, x), by[DEPTH], 1), x->type.dim[3]) : NULL;
}

/* Of images [n*depth, height, width, size*channels] the volume whose windows along the depth have them, those of one
 * group together: what meets is added. */
static Node *overlapped(Build *b, Node *images, const Window3 *w, int64_t groups)
{
	if (!images)
		return NULL;
	const int64_t *d = images->type.dim, n = d[0] / w->in[DEPTH], channels = d[3] / w->size[DEPTH];
	Fold f = fold_of_depth(w, d[1] * d[2] * groups, channels / groups);
	f.windows = w->in[DEPTH];
	f.places = w->out[DEPTH];
	Node *y = build_reshape(b, images, 4, (int64_t[]){n, f.windows, f.columns, d[3] / groups});
	return build_reshape(b, build_fold(b, y, &f), 5, (int64_t[]){n, f.places, d[1], d[2], channels});
}

static Node *conv_transpose3d_build(Call *c)
{
	Build *b = call_build(c);
	Node *x = call_tensor(c, "x");
	Window3 w = ONE;
	int64_t more[AXES];
	if (!x || !call_volume(c, x) || !call_triple(c, "size", 1, w.size) ||
	    !call_triple(c, "stride", 1, w.stride) || !call_triple(c, "pad", 0, w.before) ||
	    !call_triple(c, "more", 0, more))
		return NULL;
	memcpy(w.in, x->type.dim + 1, sizeof w.in);
	for (int i = 0; i < AXES; i++)
		if (!conv_transpose_rows(c, w.in[i], w.size[i], w.stride[i], w.before[i], more[i], &w.out[i]))
			return NULL;
	int64_t fan_in;
	const ConvTranspose spread = {.taps = w.size[DEPTH],
	                              .size = {w.size[HEIGHT], w.size[WIDTH]},
	                              .stride = {w.stride[HEIGHT], w.stride[WIDTH]},
	                              .pad = {w.before[HEIGHT], w.before[WIDTH]},
	                              .out = {w.out[HEIGHT], w.out[WIDTH]}};
	Node *z = conv_transpose_call(c, as_images(b, x), &spread, &fan_in);
	Node *y = overlapped(b, z, &w, call_int(c, "groups"));
	return y ? call_with_bias(c, y, fan_in) : NULL;
}

const Op volume_ops[] = {
        {.name = "conv3d",
         .call = "x, filters: int, size: ints, stride: ints = 1, pad: same|valid|ints = valid, dilation: "
                 "ints "
                 "= 1, groups: int = 1, bias: bool = true, init: " INIT_WORDS " = default",
         .doc = "Convolution of a volume [depth, height, width, channels], or of a film [frames, height, "
                "width, channels]; all else is as with `conv`, with a number or (depth, height, width) for "
                "size, stride, pad and dilation: conv3d(64, 3, stride = (1, 2, 2), pad = 1). Data of such a "
                "shape "
                "comes from .npy files. The weight is [filters, height, width, "
                "depth*channels/groups]: the places along the depth are side by side in its channels, and "
                "so are the images that it meets; over the depth alone, as (3, 1, 1) without stride and pad "
                "of the others, it is [filters, depth, 1, channels/groups].",
         .build = conv3d_build},
        {.name = "conv_transpose3d",
         .call = "x, filters: int, size: ints, stride: ints = 1, pad: ints = 0, more: ints = 0, groups: int "
                 "= 1, bias: bool = true, init: " INIT_WORDS " = default",
         .doc = "conv_transpose of a volume [depth, height, width, channels]: conv_transpose3d(64, 2, 2) "
                "doubles it. The weight is [channels, height, width, depth*filters/groups].",
         .build = conv_transpose3d_build},
        {.name = "maxpool3d",
         .call = "x, size: ints, stride: size|ints = size, pad: same|valid|ints = valid",
         .doc = "Maximum over windows of a volume [depth, height, width, channels], channel by channel; "
                "size, stride and pad as in conv3d.",
         .build = maxpool3d_build},
        {.name = "avgpool3d",
         .call = "x, size: ints, stride: size|ints = size, pad: same|valid|ints = valid",
         .doc = "Average over windows of a volume [depth, height, width, channels], channel by channel; the "
                "zeros added by pad count. The average over the whole of it is mean(x, (0, 1, 2)).",
         .build = avgpool3d_build},
        {.name = "upsample3d",
         .call = "x, factor: ints = 2, kind: nearest|trilinear = nearest",
         .doc = "Volumes [depth, height, width, channels] made larger, as upsample makes images.",
         .build = upsample3d_build},
        {0},
};
