/* SPDX-License-Identifier: MIT */
/* Channels a block at a time: see channel_blocks.h. */
#include "kernels/channel_blocks.h"

int channel_blocks_loops(const ChannelBlocks *b)
{
	return b->block < b->channels;
}

int channel_blocks_open(KernelText *k, const ChannelBlocks *b)
{
	if (!channel_blocks_loops(b))
		return 0;
	code_loop(k->code, (CodeLoop){.type = "int64_t", .var = "c0", .count = b->channels, .by = b->block});
	if (b->channels % b->block)
		code_let(k->code, "int64_t", "cn", "%lld - c0 < %lld ? %lld - c0 : %lld", b->channels,
		         b->block, b->channels, b->block);
	return 1;
}

const char *channel_blocks_count(Arena *a, const ChannelBlocks *b)
{
	return b->channels % b->block ? "cn" : arena_printf(a, "%lld", b->block);
}

const char *channel_blocks_first(const ChannelBlocks *b)
{
	return channel_blocks_loops(b) ? " + c0" : "";
}

const char *channel_blocks_column(const ChannelBlocks *b)
{
	return channel_blocks_loops(b) ? "c0 + c" : "c";
}

void channel_blocks_each(KernelText *k, const ChannelBlocks *b, const char *statement)
{
	code_turns(k->code, TURNS_SIMD, "");
	code_for_bare(k->code, "c", "%s", channel_blocks_count(k->arena, b));
	code_do(k->code, "%s", statement);
	code_close(k->code, 1);
}

void channel_blocks_finish(KernelText *k, const ChannelBlocks *b, const char *row, const char *column,
                           const char *value)
{
	code_turns(k->code, TURNS_SIMD, "");
	code_for(k->code, "c", "%s", channel_blocks_count(k->arena, b));
	kernel_epilogue(k, row, column, value);
	code_close(k->code, 1);
}
