/* Where the values of an on-chip step are: in shared memory, or in the arena between its two kernels (onchip.h).
 *
 * The pass must run last: behind it nothing changes in the program of one sample. */
#include "base/checked.h"
#include "base/writer.h"
#include "ops/conv.h"
#include "passes/hold.h"
#include "passes/pass.h"
#include "codegen/tensors.h"
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

/* Behind the values of the sample, whose places assign_buffers plans: its inputs, the parameters, the sums. */
static void place_sample(Arena *a, OnChip *o)
{
	Program *p = o->sample;
	assign_buffers(p);
	const char *why = program_verify(a, p);
	if (why)
		bug("the program of one sample is not valid: %s", why);
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
	o->chip_bytes = end;
}

Graph *pass_place(PassContext *ctx, const Graph *g)
{
	OnChip *o = ctx->onchip;
	if (!o)
		return (Graph *)g;
	place_sample(ctx->arena, o);
	const char *needed = human_count(ctx->arena, (double)o->chip_bytes, "B");
	const char *there = human_count(ctx->arena, (double)o->chip_room, "B");
	if (o->chip_bytes <= o->chip_room) {
		pass_remark(ctx,
		            "%s: on chip: the training step is two kernels, with %d sums over the batch and "
		            "%s of shared memory of %s",
		            g->name, o->sum_count, needed, there);
		return (Graph *)g;
	}
	pass_remark(ctx, "%s: not on chip: a sample needs %s of shared memory, and %s are there", g->name,
	            needed, there);
	ctx->onchip = NULL;
	return (Graph *)g;
}

/* In the arena, from the sample kernel to the update. */
static Buffer *add_buffer(Program *p, const char *name, Type type)
{
	Buffer *b = program_add_buffer(p, BUFFER_WORKSPACE, name, type);
	b->to_end = true;
	return b;
}

static bool is_read_by_host(const Program *p, Buffer *b)
{
	for (int i = 0; i < p->graph->output_count; i++)
		if (p->output_buffers[i] && buffer_root(p->output_buffers[i]) == buffer_root(b))
			return true;
	return false;
}

void onchip_place_program(Program *p, OnChip *o)
{
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
			e->to = p->output_buffers[e->graph_output];
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
}
