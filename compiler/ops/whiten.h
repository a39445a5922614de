/* SPDX-License-Identifier: MIT */
/* init = whiten: filters that begin as those that whiten the patches of the training images. */
#ifndef NNC_WHITEN_H
#define NNC_WHITEN_H

#include "ir/op.h"
#include "ops/window.h"

enum { WHITEN_CHANNELS = 4 /* most */, WHITEN_ATTRS = 1 + 2 * WHITEN_CHANNELS };

/* Attributes of such a weight's leaf: factor and shift of each channel. */
extern const char *const whiten_factors[WHITEN_CHANNELS], *const whiten_shifts[WHITEN_CHANNELS];

/* The attributes that the weight of a convolution of x has beside others: the name of the input, `image`, and what
 * x makes of its channels. Returns how many; 0 after a diagnostic: x is to be an input of bytes, or what factors and
 * shifts of its channels and moves of its pixels (Op.affine) make of one, with patches as large as the window `win`. */
int whiten_attrs(Call *c, const Node *x, const Window *win, Attr attrs[WHITEN_ATTRS]);

/* Op.affine: of cast, scale and rgb_affine, and of what moves pixels along an axis. */
bool affine_none(const Node *n, int channel, double *factor, double *shift);
bool affine_scale(const Node *n, int channel, double *factor, double *shift);
bool affine_rgb(const Node *n, int channel, double *factor, double *shift);
bool affine_moved(const Node *n, int channel, double *factor, double *shift);

#endif
