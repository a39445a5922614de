/* SPDX-License-Identifier: MIT */
/* Which weights have rows that are images, whose elements other programs keep in another order. */
#ifndef NNC_IMAGE_ROWS_H
#define NNC_IMAGE_ROWS_H

#include "base/map.h"
#include "ir/graph.h"

/* By the names of parameters of the elaborated graph `g`: an int64_t, the channels of the images that the rows are, as
 * those of a convolution's filters, or of a matrix that multiplies flattened images. Others are not in the map. */
Map *image_rows(Arena *a, const Graph *g);

#endif
