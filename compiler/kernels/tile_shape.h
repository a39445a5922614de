/* SPDX-License-Identifier: MIT */
/* What the two files of products on tensor cores, tile.c and tile_cuda.c, share. */
#ifndef NNC_TILE_SHAPE_H
#define NNC_TILE_SHAPE_H

#include "kernels/tile.h"
#include "ops/window.h"

/* outer * classes products [m,k] times [k,n]; k is the most of all classes. */
typedef struct TileShape {
	int64_t outer, classes, m, n, k;
} TileShape;

TileShape tile_shape(const Node *n);
/* In the gradient by an image: a pixel that meets a tap of axis i meets every so many taps. */
int64_t tile_tap_step(const Window *w, int i);
/* As the attribute `tile` says. */
const TileForm *tile_form(const Node *n);
int64_t tile_parts(const Node *n);
int64_t tile_count(const TileShape *t, const TileForm *f); /* of one part */
int64_t tile_slices(const Node *n, const TileShape *t);    /* of the depth */

#endif
