/* SPDX-License-Identifier: MIT */
/* Copies of what can't be computed in the place it must end in.
 *
 * Must run after the steps are split and ordered: a copy stands where its place is first read, or at the end. Operands
 * of a pack that were computed elsewhere (two parts of one value, a parameter) go into their part before the pack is
 * first read as a whole; new values of states go into the state at the end; an output that is not in the arena, from
 * which the host reads, goes there before it changes. */
#include "base/array.h"
#include "ir/op.h"
#include "passes/pass.h"

/* A copy that is to stand before the step `before`, or at the end, after those for the same place ahead of it. */
typedef struct Copy {
	Step step;
	int before;
} Copy;
typedef ARRAY(Copy) Copies;

typedef struct Copying {
	Program *p;
	Copies copies;
} Copying;

static void push_copy(Copying *c, Buffer *from, Buffer *to, const Node *n, int before)
{
	array_push(c->p->arena, &c->copies, (Copy){step_copy(c->p, from, to, n->sites), before});
}

/* Puts all of them among the steps. */
static void insert_copies(Copying *c)
{
	Program *p = c->p;
	int count = p->step_count + c->copies.count;
	int *ahead = NEW_ARRAY(p->arena, int, p->step_count + 2); /* by place: copies before it */
	Step *steps = NEW_ARRAY(p->arena, Step, count);
	for (int i = 0; i < c->copies.count; i++)
		ahead[c->copies.at[i].before + 1]++;
	for (int s = 0; s <= p->step_count; s++)
		ahead[s + 1] += ahead[s];
	for (int s = 0; s < p->step_count; s++)
		steps[s + ahead[s + 1]] = p->steps[s];
	for (int i = 0; i < c->copies.count; i++) {
		int before = c->copies.at[i].before;
		steps[before + ahead[before]++] = c->copies.at[i].step;
	}
	program_set_steps(p, steps, count);
}

/* Whether `b` is the pack or a view of all of it, and not one of its parts. */
static bool reads_whole(const Buffer *b, const Buffer *pack)
{
	return b == pack || (b->inside == pack && b->bytes == pack->bytes);
}

/* The first step that reads the pack as a whole; the end where none does. */
static int first_reader(const Program *p, const Buffer *pack)
{
	for (int s = 0; s < p->step_count; s++)
		for (int r = 0; r < p->steps[s].read_count; r++)
			if (reads_whole(p->steps[s].reads[r], pack))
				return s;
	return p->step_count;
}

static void fill_pack(Copying *c, const Node *n)
{
	Program *p = c->p;
	const Buffer *pack = p->of_node[n->id];
	int reader = -1;
	for (int k = 0; k < n->operand_count; k++) {
		const Node *x = node_whole(n->operands[k]);
		Buffer *part = p->buffers[pack->id + 1 + k], *from = p->of_node[x->id];
		if (from == part)
			continue;
		if (reader < 0)
			reader = first_reader(p, pack);
		push_copy(c, from, part, x, reader);
	}
}

/* The first step that gives a parameter or state its new value; the end where none does. */
static int first_writer(const Program *p, Buffer *b)
{
	for (int s = 0; s < p->step_count; s++)
		for (int w = 0; w < p->steps[s].write_count; w++)
			if (buffers_share_bytes(p->steps[s].writes[w], b))
				return s;
	return p->step_count;
}

/* The host reads outputs from the arena alone. A gradient may be a parameter: its value is that before the update. */
static void place_output(Copying *c, int output)
{
	Program *p = c->p;
	const Output *o = &p->graph->outputs[output];
	Buffer *b = p->output_buffers[output];
	BufferClass where = buffer_root(b)->class;
	if (where != BUFFER_ACTIVATION && where != BUFFER_GRADIENT && where != BUFFER_OUTPUT) {
		Buffer *copy = program_add_buffer(p, BUFFER_OUTPUT, o->name, o->node->type);
		copy->node = o->node;
		push_copy(c, b, copy, o->node, first_writer(p, b));
		b = copy;
	} else if (b->class == BUFFER_ACTIVATION) {
		b->class = BUFFER_OUTPUT;
	}
	buffer_root(b)->to_end = true;
	p->output_buffers[output] = b;
}

Program *pass_add_copies(PassContext *ctx, const Program *before)
{
	Copying c = {.p = program_copy(ctx->arena, before)};
	const Graph *g = before->graph;
	for (int i = 0; i < g->count; i++)
		if (g->nodes[i]->op->flags & OP_PACK)
			fill_pack(&c, g->nodes[i]);
	for (int i = 0; i < g->output_count; i++) {
		const Node *n = node_viewed(g->outputs[i].node);
		Buffer *state = c.p->output_buffers[i];
		if (g->outputs[i].kind == OUTPUT_STATE && c.p->of_node[n->id] != state)
			push_copy(&c, c.p->of_node[n->id], state, n, c.p->step_count);
	}
	for (int i = 0; i < g->output_count; i++)
		if (g->outputs[i].kind != OUTPUT_STATE)
			place_output(&c, i);
	insert_copies(&c);
	c.p->copied = true;
	return c.p;
}
