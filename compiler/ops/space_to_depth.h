/* Blocks of pixels as channels of one pixel, and back; for the pass that makes them. */
#ifndef NNC_SPACE_TO_DEPTH_H
#define NNC_SPACE_TO_DEPTH_H

#include "ops/op.h"

/* space_to_depth of x in blocks of block x block pixels, the first of which begins `offset` pixels outside of x: dim[0] x dim[1]
 * blocks, of `channels` channels for each pixel. */
Node *build_space_to_depth(Build *b, Node *x, int64_t block, const int64_t offset[2], const int64_t dim[2],
                           int64_t channels);

#endif
