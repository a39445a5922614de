/* SPDX-License-Identifier: MIT */
/* The shape of a convolution, read from any of its nodes; for the code generators of every target. */
#ifndef NNC_CONV_H
#define NNC_CONV_H

#include "ops/window.h"

typedef struct ConvShape {
	int64_t batch, channels, filters, groups;
	Window win; /* in = [H, W], size = [R, S], out = [P, Q] */
} ConvShape;

ConvShape conv_shape(const Node *n);
/* For operators that are a weight gradient in another form: the result is set to the filters' type. */
bool conv_wgrad_infer(Infer *in);
/* Of the window's taps those that ever meet the image: live = [r, s, R', S'], from (r, s) on, R' x S' of them; of
 * a 3x3 window with padding 1 on a 1x1 image the middle one alone. False where all do, or a smaller window would
 * need negative padding. Who computes the convolution may leave the others out. */
bool conv_live_taps(const Window *w, int64_t live[4]);
void conv_cost(const Node *n, Cost *cost);
/* The arguments `filters` and `groups` of a layer over so many channels. False after a diagnostic. */
bool conv_call_groups(Call *c, int64_t channels, int64_t filters, int64_t groups);
/* The layer of a call over the image x, which is `deep` images side by side in the channels, by windows `win`: its
 * filters, groups, init and bias are the call's, and its weight where that is given. NULL for NULL, or after a
 * diagnostic. */
Node *conv_call(Call *c, Node *x, int64_t deep, Window win, bool weight_given);
/* Whether filters in so many groups, of so many images side by side, can begin so; false after a diagnostic at argument
 * `init`. */
bool conv_init_fits(Call *c, InitKind kind, int64_t groups, int64_t deep);

/* conv_transpose.c */
typedef struct ConvTranspose {
	int64_t taps; /* results of each pixel, side by side in the channels */
	int64_t size[2], stride[2], pad[2], out[2];
	bool weight_given; /* as an argument of the call */
} ConvTranspose;

/* What `in` places become along an axis: (in - 1)*stride + size - 2*pad + more. False after a diagnostic. */
bool conv_transpose_rows(Call *c, int64_t in, int64_t size, int64_t stride, int64_t pad, int64_t more,
                         int64_t *out);
/* The layer of a call over the image x, without its bias, which begins as one of *fan_in inputs does. NULL for NULL,
 * or after a diagnostic. */
Node *conv_transpose_call(Call *c, Node *x, const ConvTranspose *t, int64_t *fan_in);

#endif
