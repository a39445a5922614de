/* SPDX-License-Identifier: MIT */
/* Where the values of an on-chip step are: in shared memory, or in the arena between its two kernels (onchip.h).
 *
 * Two passes: `place`, on the planned program of one sample, and `stay_on_chip`, on the program of the step, before its
 * buffers get their places. */
#include "onchip/onchip.h"

#include "base/checked.h"
#include "base/writer.h"
#include "kernels/conv.h"
#include "ir/held.h"
#include "passes/pass.h"
#include "codegen/held.h"
#include <string.h>

enum { ALIGNMENT = 64 };

static int64_t place(int64_t *end, int64_t bytes)
{
	int64_t offset = *end, next;
	require(checked_add(offset, bytes, &next) && checked_round_up(next, ALIGNMENT, end));
	return offset;
}

static void place_class(Program *p, BufferClass class, int64_t *end)
{
	for (int i = 0; i < p->buffer_count; i++)
		if (!p->buffers[i]->inside && p->buffers[i]->class == class)
			p->buffers[i]->offset = place(end, p->buffers[i]->bytes);
}

const Step *onchip_filter_step(const OnChip *o, const BatchSum *sum)
{
	const Buffer *b = o->sample->output_buffers[sum->term[0]];
	for (int s = 0; s < o->sample->step_count; s++)
		for (int i = 0; i < o->sample->steps[s].write_count; i++)
			if (o->sample->steps[s].writes[i] == b)
				return &o->sample->steps[s];
	bug("a weight gradient on chip is of no step");
}

/* To end the sums of a weight gradient in, in bytes. */
static int64_t filter_scratch(const OnChip *o, const BatchSum *sum)
{
	const Step *s = onchip_filter_step(o, sum);
	int64_t elements = s->held ? held_filters_scratch(s->held, o->threads)
	                           : conv_wgrad_block_scratch(s->root, o->threads);
	return elements * dtype_bytes(s->root->type.dtype);
}

/* After the values of the sample, whose places assign_buffers has planned: its inputs, the parameters, the sums. */
static void place_sample(OnChip *o, Program *p)
{
	int64_t end = o->inputs_offset = p->arena_bytes;
	place_class(p, BUFFER_INPUT, &end);
	o->inputs_bytes = end - o->inputs_offset;
	if (o->turns > 1) /* the next sample's are on their way while one is computed */
		place(&end, o->inputs_bytes);
	o->indices_offset = place(&end, o->turns * (int64_t)sizeof(uint32_t));
	place_class(p, BUFFER_PARAMETER, &end);
	o->sums_offset = place(&end, o->partial_elements * (int64_t)sizeof(double));
	for (int i = 0; i < o->sum_count; i++) { /* the values of the last sample make room */
		int64_t scratch = o->sums[i].kind == SUM_FILTERS ? filter_scratch(o, &o->sums[i]) : 0;
		end = scratch > end ? scratch : end;
	}
	o->chip_bytes = p->block_bytes = end;
}

Program *pass_place(PassContext *ctx, const Program *before)
{
	OnChip *o = ctx->onchip;
	Program *p = o->sample = program_copy(ctx->arena, before);
	const char *name = p->graph->name;
	place_sample(o, p);
	const char *needed = human_count(ctx->arena, (double)o->chip_bytes, "B");
	const char *there = human_count(ctx->arena, (double)o->chip_room, "B");
	if (o->chip_bytes <= o->chip_room) {
		pass_remark(ctx,
		            "%s: on chip: the training step is two kernels, with %d sums over the batch and "
		            "%s of shared memory of %s",
		            name, o->sum_count, needed, there);
		return p;
	}
	pass_remark(ctx, "%s: not on chip: a sample needs %s of shared memory, and %s are there", name,
	            needed, there);
	ctx->onchip = NULL;
	return p;
}

/* In the arena, from the sample kernel to the update. */
static int add_buffer(Program *p, const char *name, Type type)
{
	Buffer *b = program_add_buffer(p, BUFFER_WORKSPACE, name, type);
	b->to_end = true;
	return b->id;
}

static bool is_read_by_host(const Program *p, Buffer *b)
{
	for (int i = 0; i < p->graph->output_count; i++)
		if (buffer_root(p->output_buffers[i]) == buffer_root(b))
			return true;
	return false;
}

Program *pass_stay_on_chip(PassContext *ctx, const Program *before)
{
	OnChip *o = ctx->onchip;
	Program *p = program_copy(ctx->arena, before);
	for (int i = 0; i < p->buffer_count; i++) {
		Buffer *b = p->buffers[i];
		bool arena = b->class == BUFFER_ACTIVATION || b->class == BUFFER_GRADIENT ||
		             b->class == BUFFER_WORKSPACE || b->class == BUFFER_OUTPUT;
		if (arena && !is_read_by_host(p, b))
			b->class = BUFFER_CHIP;
	}
	for (int i = 0; i < o->export_count; i++) {
		Export *e = &o->exports[i];
		if (e->graph_output >= 0) {
			e->to = p->output_buffers[e->graph_output]->id;
			continue;
		}
		Type t = o->sample->graph->outputs[e->output].node->type;
		t.dim[0] = p->graph->batch;
		require(type_make(t.dtype, t.rank, t.dim, &t));
		e->to = add_buffer(p, arena_printf(p->arena, "operand_%d", i + 1), t);
	}
	if (o->partial_elements > 0) {
		Type t;
		int64_t dim[2] = {o->blocks, o->partial_elements};
		DType real = o->sums[0].node->type.dtype;
		require(type_make(real, 2, dim, &t));
		o->partial = add_buffer(p, "partial_sums", t);
	}
	int64_t room = ONCHIP_SCALARS;
	Type scalars;
	require(type_make(o->pack->type.dtype, 1, &room, &scalars));
	o->scalars = add_buffer(p, "update_scalars", scalars);
	p->onchip = o;
	return p;
}
