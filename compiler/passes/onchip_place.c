/* Where the values of an on-chip step are: in shared memory, or in the arena between its two kernels (onchip.h). */
#include "base/checked.h"
#include "ops/conv.h"
#include "passes/onchip.h"
#include "target/tensors.h"

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

/* Behind the values of the sample, whose places assign_buffers plans: its inputs, the parameters, the sums. */
bool onchip_place_sample(Arena *a, OnChip *o)
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
		const Node *n = o->sums[i].node;
		if (o->sums[i].kind != SUM_FILTERS)
			continue;
		int64_t scratch = conv_wgrad_block_scratch(n, o->threads) * dtype_bytes(n->type.dtype);
		end = scratch > end ? scratch : end;
	}
	o->chip_bytes = end;
	return o->chip_bytes <= o->chip_room;
}

static Buffer *add_buffer(Program *p, const char *name, Type type)
{
	Buffer *b = NEW(p->arena, Buffer), **all = NEW_ARRAY(p->arena, Buffer *, p->buffer_count + 1);
	for (int i = 0; i < p->buffer_count; i++)
		all[i] = p->buffers[i];
	*b = (Buffer){.id = p->buffer_count,
	              .name = name,
	              .class = BUFFER_WORKSPACE,
	              .type = type,
	              .bytes = type_bytes(type),
	              .first = -1,
	              .last = -1,
	              .to_end = true};
	all[p->buffer_count++] = b;
	p->buffers = all;
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
