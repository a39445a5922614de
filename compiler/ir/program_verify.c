/* SPDX-License-Identifier: MIT */
/* The invariants of programs; ir/README.md gives the reason of each. */
#include "ir/verify.h"

#include "base/array.h"
#include "base/writer.h"
#include "base/map.h"

#include <string.h>

static int64_t block_bytes(const Program *p, const Buffer *b)
{
	if (p->block_bytes > 0 && b->class != BUFFER_HELD)
		return p->block_bytes;
	switch (b->class) {
	case BUFFER_INPUT:
		return p->input_bytes;
	case BUFFER_PARAMETER:
		return p->param_elements * dtype_bytes(b->type.dtype);
	case BUFFER_STATE:
		return p->state_bytes;
	case BUFFER_CHIP:
	case BUFFER_HELD:
		return b->bytes;
	default:
		return p->arena_bytes;
	}
}

static bool check_buffer(Verify *v, Map *names, const Buffer *b, int id)
{
	if (b->id != id)
		return broken(v, "buffer %d has the id %d", id, b->id);
	if (strcmp(b->name, c_identifier(v->arena, b->name)) != 0 || map_get(names, b->name))
		return broken(v, "buffer %d: `%s` is not a unique C identifier", id, b->name);
	map_set(names, b->name, (void *)b);
	const bool inside_rows =
	        b->inside &&
	        (b->rows || (b->inside->pitch && b->pitch != b->inside->pitch && !buffer_in_first_row(b)));
	if ((b->pitch && (b->type.rank < 2 || b->pitch < b->type.dim[b->type.rank - 1])) ||
	    (b->rows && (b->type.rank != 2 || b->rows >= b->type.dim[0])) || inside_rows)
		return broken(v, "buffer %d `%s`: its rows have no such places", id, b->name);
	if (b->bytes != buffer_bytes(b))
		return broken(v, "buffer %d `%s`: its bytes are not its type's", id, b->name);
	int64_t room = b->inside                              ? b->inside->bytes
	               : buffer_in_arena(b) && !v->p->planned ? b->bytes
	                                                      : block_bytes(v->p, b);
	if (b->offset < 0 || b->offset > room - b->bytes)
		return broken(v, "buffer %d `%s` reaches outside its %s", id, b->name,
		              b->inside ? b->inside->name : "block");
	if (b->offset % dtype_bytes(b->type.dtype) != 0)
		return broken(v, "buffer %d `%s` is not aligned to its elements", id, b->name);
	int depth = 0;
	for (const Buffer *o = b->inside; o; o = o->inside) {
		if (++depth > v->p->buffer_count)
			return broken(v, "buffer %d `%s` lies inside itself", id, b->name);
	}
	return true;
}

static bool check_buffers(Verify *v)
{
	Map *names = map_new(v->arena);
	for (int i = 0; i < v->p->buffer_count; i++) {
		if (!check_buffer(v, names, v->p->buffers[i], i))
			return false;
	}
	for (int i = 0; i < v->p->graph->count; i++) {
		const Buffer *b = v->p->of_node[i];
		if (b && (b->id < 0 || b->id >= v->p->buffer_count || v->p->buffers[b->id] != b))
			return broken(v, "node %%%d is in a buffer of another program", i);
	}
	return true;
}

/* Two buffers of the arena that live at the same time do not overlap. One exception: a step may write its
 * result over an operand that it reads last (in-place), at the very same offset. */
static bool check_overlap(Verify *v)
{
	const Program *p = v->p;
	typedef struct Extent {
		int64_t offset, end;
		int first, last;
		const char *name;
	} Extent;
	ARRAY(Extent) all = {0}; /* copied side by side: each is compared with each */
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (buffer_in_arena(b) && !b->inside)
			array_push(v->arena, &all,
			           (Extent){b->offset, b->offset + b->bytes, b->first, b->last, b->name});
	}
	for (int i = 0; i < all.count; i++) {
		const Extent x = all.at[i];
		for (int k = i + 1; k < all.count; k++) {
			const Extent *y = &all.at[k];
			bool together = x.first <= y->last && y->first <= x.last;
			bool overlap = x.offset < y->end && y->offset < x.end;
			bool in_place = x.offset == y->offset && (x.last == y->first || y->last == x.first);
			if (together && overlap && !in_place)
				return broken(v, "buffers `%s` and `%s` live at the same time and overlap",
				              x.name, y->name);
		}
	}
	return true;
}

static bool check_step(Verify *v, const Step *s, int id, const bool *written)
{
	if (s->id != id)
		return broken(v, "step %d has the id %d", id, s->id);
	bool root_found = s->root == NULL;
	for (int i = 0; i < s->node_count; i++) {
		const Node *n = s->nodes[i];
		if (n->id >= v->p->graph->count || v->p->graph->nodes[n->id] != n)
			return broken(v, "step %d computes a node of another graph", id);
		root_found = root_found || n == s->root;
	}
	if (!root_found || (s->root == NULL) != (s->kind == STEP_KERNEL || step_moves(s)))
		return broken(v, "step %d: a step of one operator, and no other, has it as its root", id);
	if (s->recurrence && s->recurrence->first == id &&
	    id + s->recurrence->period * s->recurrence->times > v->p->step_count)
		return broken(v, "step %d: what recurs goes beyond the last step", id);
	for (int i = 0; i < s->read_count; i++) {
		Buffer *b = s->reads[i];
		if (buffer_in_arena(b) && v->p->copied && !written[buffer_root(b)->id])
			return broken(v, "step %d reads `%s`, which no step before it wrote", id, b->name);
	}
	for (int i = 0; i < s->write_count; i++) {
		Buffer *b = s->writes[i];
		if (b->class == BUFFER_INPUT)
			return broken(v, "step %d writes the input `%s`", id, b->name);
		if (buffer_in_arena(b) && v->p->planned &&
		    (id < buffer_root(b)->first || id > buffer_root(b)->last))
			return broken(v, "step %d writes `%s` outside its lifetime", id, b->name);
	}
	return true;
}

static bool check_steps(Verify *v)
{
	bool *written = NEW_ARRAY(v->arena, bool, v->p->buffer_count);
	for (int i = 0; i < v->p->step_count; i++) {
		const Step *s = &v->p->steps[i];
		if (!check_step(v, s, i, written))
			return false;
		for (int k = 0; k < s->write_count; k++)
			written[buffer_root(s->writes[k])->id] = true;
	}
	for (int i = 0; i < v->p->graph->output_count; i++) {
		const Output *o = &v->p->graph->outputs[i];
		if (!v->p->output_buffers[i])
			return broken(v, "the output `%s` has no buffer", o->name);
	}
	return true;
}

/* One parameter, as the network reads it; the update itself may read the flat tensor of all after a part of it. */
static bool is_param(const Buffer *b)
{
	return b->class == BUFFER_PARAMETER && b->node && node_is_param(b->node);
}

static bool check_update(Verify *v, Buffer *updated, int step)
{
	const Program *p = v->p;
	for (int i = step + 1; i < p->step_count; i++)
		for (int r = 0; r < p->steps[i].read_count; r++)
			if (is_param(p->steps[i].reads[r]) &&
			    buffers_share_bytes(p->steps[i].reads[r], updated))
				return broken(v, "step %d reads `%s`, which step %d has updated", i,
				              p->steps[i].reads[r]->name, step);
	return true;
}

/* No step reads a parameter that one before it has updated. */
static bool check_updates(Verify *v)
{
	for (int s = 0; s < v->p->step_count; s++)
		for (int w = 0; w < v->p->steps[s].write_count; w++) {
			Buffer *b = v->p->steps[s].writes[w];
			if (b->class == BUFFER_PARAMETER && !check_update(v, b, s))
				return false;
		}
	return true;
}

static bool has_buffer(Buffer *const *list, int count, const Buffer *b)
{
	for (int i = 0; i < count; i++)
		if (list[i] == b)
			return true;
	return false;
}

/* Whether `taking` is the step that ends the sums of `leaving`. */
static bool takes_sums(const Step *taking, const Step *leaving)
{
	bool same = taking->sums == SUMS_TAKEN && taking->id > leaving->id &&
	            taking->node_count == leaving->node_count &&
	            memcmp(taking->nodes, leaving->nodes,
	                   sizeof *taking->nodes * (size_t)taking->node_count) == 0;
	for (int i = 0; i < leaving->write_count && same; i++)
		if (leaving->writes[i]->class == BUFFER_WORKSPACE)
			return has_buffer(taking->reads, taking->read_count, leaving->writes[i]);
	return false;
}

/* What one step leaves of its sums one after it takes, and no other does. */
static bool check_sums(Verify *v)
{
	const Program *p = v->p;
	int left = 0, taken = 0;
	for (int s = 0; s < p->step_count; s++) {
		int takers = 0;
		left += p->steps[s].sums == SUMS_LEFT;
		taken += p->steps[s].sums == SUMS_TAKEN;
		for (int k = s + 1; k < p->step_count && p->steps[s].sums == SUMS_LEFT; k++)
			takers += takes_sums(&p->steps[k], &p->steps[s]);
		if (p->steps[s].sums == SUMS_LEFT && takers != 1)
			return broken(v, "step %d leaves sums that %d steps take", s, takers);
	}
	return left == taken || broken(v, "%d steps leave sums, and %d take some", left, taken);
}

char *program_verify(Arena *a, const Program *p)
{
	Verify v = {.arena = a, .g = p->graph, .p = p};
	v.why = graph_verify(a, p->graph);
	if (!v.why && check_buffers(&v) && (!p->planned || check_overlap(&v)) && check_updates(&v) &&
	    check_steps(&v))
		check_sums(&v);
	return v.why;
}
