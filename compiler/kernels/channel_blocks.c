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
	write_line(k->w, "for (int64_t c0 = 0; c0 < %lld; c0 += %lld) {", b->channels, b->block);
	write_indent(k->w, 1);
	if (b->channels % b->block)
		write_line(k->w, "const int64_t cn = %lld - c0 < %lld ? %lld - c0 : %lld;", b->channels,
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
	write_line(k->w, "#pragma omp simd");
	write_line(k->w, "for (int64_t c = 0; c < %s; c++)", channel_blocks_count(k->arena, b));
	write_line(k->w, "\t%s", statement);
}

void channel_blocks_finish(KernelText *k, const ChannelBlocks *b, const char *row, const char *column,
                           const char *value)
{
	write_line(k->w, "#pragma omp simd");
	write_line(k->w, "for (int64_t c = 0; c < %s; c++) {", channel_blocks_count(k->arena, b));
	write_indent(k->w, 1);
	kernel_epilogue(k, row, column, value);
	write_indent(k->w, -1);
	write_line(k->w, "}");
}
