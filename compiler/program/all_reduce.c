/* SPDX-License-Identifier: MIT */
/* The mean of the gradients over several ranks, ahead of all that reads them as a whole: clipping, the update.
 *
 * The flat gradient is reduced in its place, in buckets: ranges of it, each after the last step that writes a part of
 * it. The backward pass writes the last layers first, so they are cut from the end; a collective costs its latency
 * however little it moves, so a bucket has at least `bucket_bytes` of the target (--bucket), unless what is next was
 * ready long before it (biases follow all weights). Where nothing runs beside it, on the CPU, one bucket is all unless
 * --bucket says otherwise. Weights are equal on all ranks because each rank's update reads the same means.
 *
 * With `wire bf16` a bucket goes over the wire in 16 bits, and a step has a buffer for them besides. That is written
 * beside the backward pass, so nothing else is put there later in the step.
 *
 * A batch that is computed in chunks is reduced chunk by chunk: what `gradients` adds up are means.
 *
 * Runs once copies are in their places. */
#include "ir/op.h"
#include "passes/pass.h"

typedef struct Bucket {
	int64_t first, end; /* elements of the flat gradient */
	int after;          /* steps in front of it */
} Bucket;

typedef struct Cutting {
	Program *p;
	Buffer *pack;
	Bucket *buckets;
	int count;
} Cutting;

static Buffer *find_pack(const Program *p)
{
	for (int i = 0; i < p->graph->count; i++)
		if (p->graph->nodes[i]->op->flags & OP_PACK)
			return p->of_node[i];
	return NULL;
}

/* Steps up to the last that writes one of these elements. */
static int steps_that_write(const Cutting *c, int64_t first, int64_t end)
{
	int64_t size = dtype_bytes(c->pack->type.dtype), base = buffer_offset(c->pack);
	for (int s = c->p->step_count - 1; s >= 0; s--)
		for (int w = 0; w < c->p->steps[s].write_count; w++) {
			Buffer *b = c->p->steps[s].writes[w];
			int64_t at = buffer_offset(b) - base;
			if (buffer_root(b) == buffer_root(c->pack) && at < end * size &&
			    at + b->bytes > first * size)
				return s + 1;
		}
	return 0;
}

/* From the end of the tensor on, where parameters begin. `least_bytes` 0: all of it is one. */
static void cut(Cutting *c, int64_t least_bytes)
{
	enum { LONG = 4 }; /* a quarter of the steps */
	int64_t end = type_elements(c->pack->type), at = end, size = dtype_bytes(c->pack->type.dtype);
	const Node *n = c->pack->node;
	int ready = 0;
	c->buckets = NEW_ARRAY(c->p->arena, Bucket, n->operand_count);
	for (int k = n->operand_count - 1; k >= 0; k--) {
		int64_t from = at - type_elements(n->operands[k]->type);
		int written = steps_that_write(c, from, at);
		bool full = (end - at) * size >= least_bytes,
		     earlier = ready - written > c->p->step_count / LONG;
		if (least_bytes > 0 && at < end && (full || earlier)) {
			c->buckets[c->count++] = (Bucket){at, end, ready};
			end = at;
			ready = 0;
		}
		ready = written > ready ? written : ready;
		at = from;
	}
	c->buckets[c->count++] = (Bucket){0, end, ready};
}

static Buffer *part_of(const Cutting *c, const Bucket *b, int number)
{
	Type t;
	int64_t dim = b->end - b->first;
	if (dim == type_elements(c->pack->type))
		return c->pack;
	require(type_make(c->pack->type.dtype, 1, &dim, &t));
	Buffer *part = program_add_buffer(c->p, c->pack->class,
	                                  arena_printf(c->p->arena, "bucket_%d", number + 1), t);
	part->inside = c->pack;
	part->offset = b->first * dtype_bytes(t.dtype);
	return part;
}

static Buffer *wire_of(const Cutting *c, const Buffer *part, int number)
{
	Type t;
	int64_t dim = type_elements(part->type);
	require(type_make(DTYPE_BF16, 1, &dim, &t));
	Buffer *wire = program_add_buffer(c->p, BUFFER_WORKSPACE,
	                                  arena_printf(c->p->arena, "wire_%d", number + 1), t);
	wire->to_end = true;
	return wire;
}

Program *pass_all_reduce(PassContext *ctx, const Program *before)
{
	Cutting c = {.p = program_copy(ctx->arena, before)};
	if (!ctx->recipe || ctx->recipe->ranks <= 1 || !(c.pack = find_pack(c.p)))
		return c.p;
	cut(&c, ctx->target->bucket_bytes);
	Step *steps = NEW_ARRAY(ctx->arena, Step, c.p->step_count + c.count);
	int count = 0;
	for (int s = 0; s <= c.p->step_count; s++) {
		for (int k = 0; k < c.count; k++) {
			if (c.buckets[k].after != s)
				continue;
			Buffer *part = part_of(&c, &c.buckets[k], k);
			bool narrow = ctx->recipe->wire_bf16;
			Buffer **list = NEW_ARRAY(ctx->arena, Buffer *, 2);
			list[0] = part;
			if (narrow)
				list[1] = wire_of(&c, part, k);
			steps[count++] = (Step){.kind = STEP_ALL_REDUCE,
			                        .reads = list,
			                        .writes = list,
			                        .read_count = 1,
			                        .write_count = narrow ? 2 : 1,
			                        .sites = c.pack->node->sites,
			                        .bytes = 2 * (double)part->bytes};
		}
		if (s < c.p->step_count)
			steps[count++] = c.p->steps[s];
	}
	program_set_steps(c.p, steps, count);
	return c.p;
}
