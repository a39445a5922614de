/* SPDX-License-Identifier: MIT */
/* C loops over the channels of a pixel, a block of them at a time: `c0` is the first of a block, `c` counts in it.
 * Where one block has all channels there is neither a loop over blocks nor c0. */
#ifndef NNC_CHANNEL_BLOCKS_H
#define NNC_CHANNEL_BLOCKS_H

#include "codegen/kernel.h"

typedef struct ChannelBlocks {
	long long channels, block; /* block <= channels */
} ChannelBlocks;

/* The loops over blocks: 1 or 0. */
int channel_blocks_loops(const ChannelBlocks *b);
/* Opens them; returns how many there are to close. */
int channel_blocks_open(KernelText *k, const ChannelBlocks *b);
/* How many channels the block has: "64", or "cn" where the last one is shorter. */
const char *channel_blocks_count(Arena *a, const ChannelBlocks *b);
/* Added to the address of a pixel: " + c0" or "". */
const char *channel_blocks_first(const ChannelBlocks *b);
/* The channel: "c0 + c" or "c". */
const char *channel_blocks_column(const ChannelBlocks *b);
/* One vectorised statement for every channel of the block. */
void channel_blocks_each(KernelText *k, const ChannelBlocks *b, const char *statement);
/* Hands `value`, C text over c, of every channel to the epilogue, as element (row, column). */
void channel_blocks_finish(KernelText *k, const ChannelBlocks *b, const char *row, const char *column,
                           const char *value);

#endif
