/* SPDX-License-Identifier: MIT */
/* Programs: their buffers and steps. Their text is in program_text.c, their invariants in program_verify.c. */
#include "ir/program.h"
#include "ir/domain.h"

#include "base/array.h"
#include "base/writer.h"
#include "ir/op.h"

#include <string.h>

Buffer *buffer_of(const Program *p, const Node *n)
{
	while (!p->of_node[n->id] && n->group == NO_GROUP && (n->op->flags & OP_ALIAS))
		n = n->operands[0];
	return p->of_node[n->id];
}

bool step_gathers(const Step *s)
{
	return s->root && s->root->op->ranks == RANKS_GATHER;
}

bool step_is_mean(const Step *s)
{
	return s->root && s->root->op->ranks == RANKS_MEAN;
}

bool step_has_node(const Step *s, const Node *n)
{
	for (int i = 0; i < s->node_count; i++)
		if (s->nodes[i] == n)
			return true;
	return false;
}

static const Buffer *buffer_read(const Program *p, const Node *x)
{
	const Buffer *b = p->of_node[x->id];
	return b ? b : p->of_node[node_viewed(x)->id];
}

/* Elements of operand x that are read for so many of n: where loops compute it, no more than these. */
static int64_t elements_read(const Node *n, const Node *x, int64_t of_n)
{
	const int64_t all = type_elements(x->type);
	const bool by_element = n->op->flags & (OP_POINTWISE | OP_ALIAS) || n->op->move == MOVE_SLICE;
	return by_element && of_n < all ? of_n : all;
}

double *step_read_bytes(Arena *a, const Program *p, const Step *s, int64_t *needed)
{
	double *bytes = NEW_ARRAY(a, double, s->read_count);
	for (int i = s->node_count - 1; i >= 0; i--) {
		const Node *n = s->nodes[i];
		const int64_t all = type_elements(n->type);
		const bool whole = p->of_node[n->id] || needed[n->id] > all;
		for (int k = 0; k < n->operand_count; k++)
			needed[n->operands[k]->id] +=
			        elements_read(n, n->operands[k], whole ? all : needed[n->id]);
		needed[n->id] = 0; /* what is left is of other steps */
	}
	for (int r = 0; r <= s->read_count; r++) { /* of no buffer: constants */
		const Buffer *b = r < s->read_count ? s->reads[r] : NULL;
		double of_b = 0;
		for (int i = 0; i < s->node_count; i++)
			for (int k = 0; k < s->nodes[i]->operand_count; k++) {
				const Node *x = s->nodes[i]->operands[k];
				if (b && buffer_read(p, x) != b)
					continue;
				of_b += (double)(needed[x->id] * dtype_bytes(x->type.dtype));
				needed[x->id] = 0;
			}
		if (b)
			bytes[r] = of_b < (double)b->bytes ? of_b : (double)b->bytes;
	}
	return bytes;
}

bool step_moves(const Step *s)
{
	return s->kind == STEP_COPY || s->kind == STEP_ALL_REDUCE;
}

bool buffer_in_first_row(const Buffer *view)
{
	const Type t = view->inside->type;
	return t.rank > 0 && view->offset + view->bytes <= t.dim[t.rank - 1] * dtype_bytes(t.dtype);
}

int64_t buffer_bytes(const Buffer *b)
{
	if (!b->pitch && !b->rows)
		return type_bytes(b->type);
	const int64_t columns = b->type.dim[b->type.rank - 1];
	const int64_t rows = b->rows ? b->rows : type_elements(b->type) / columns;
	const int64_t last =
	        b->pitch && !b->inside ? b->pitch : columns; /* the last row of a piece ends with it */
	return ((rows - 1) * (b->pitch ? b->pitch : columns) + last) * dtype_bytes(b->type.dtype);
}

bool program_has_inside(const Program *p, const Buffer *b)
{
	for (int i = 0; i < p->buffer_count; i++)
		if (p->buffers[i]->inside && buffer_root(p->buffers[i]) == b)
			return true;
	return false;
}

/* Parameters, states and inputs have a block for each class, all others share the arena. */
bool buffers_share_bytes(Buffer *x, Buffer *y)
{
	BufferClass of_x = buffer_root(x)->class, of_y = buffer_root(y)->class;
	bool same_block = of_x > BUFFER_STATE ? of_y > BUFFER_STATE : of_x == of_y;
	if (of_x == BUFFER_CHIP || of_y == BUFFER_CHIP)
		return buffer_root(x) == buffer_root(y);
	return same_block && buffer_offset(x) < buffer_offset(y) + y->bytes &&
	       buffer_offset(y) < buffer_offset(x) + x->bytes;
}

Step step_copy(Program *p, Buffer *from, Buffer *to, Sites sites)
{
	Step s = {.kind = STEP_COPY, .sites = sites, .bytes = 2 * (double)from->bytes};
	s.reads = NEW_ARRAY(p->arena, Buffer *, 1);
	s.writes = NEW_ARRAY(p->arena, Buffer *, 1);
	s.reads[s.read_count++] = from;
	s.writes[s.write_count++] = to;
	return s;
}

Buffer *program_add_buffer(Program *p, BufferClass class, const char *name, Type type)
{
	Buffer *b = NEW(p->arena, Buffer), **all = NEW_ARRAY(p->arena, Buffer *, p->buffer_count + 1);
	char *unique = c_identifier(p->arena, name);
	for (int i = 0, number = 2; i < p->buffer_count; i++) {
		all[i] = p->buffers[i];
		if (strcmp(p->buffers[i]->name, unique) == 0) {
			unique = c_identifier_numbered(p->arena, name, number++);
			i = -1;
		}
	}
	*b = (Buffer){.id = p->buffer_count,
	              .name = unique,
	              .class = class,
	              .type = type,
	              .bytes = type_bytes(type),
	              .first = -1,
	              .last = -1};
	all[p->buffer_count++] = b;
	p->buffers = all;
	return b;
}

static Buffer **buffer_list(Arena *a, Buffer *const *of, Buffer *const *list, int count)
{
	Buffer **copy = NEW_ARRAY(a, Buffer *, count);
	for (int i = 0; i < count; i++)
		copy[i] = list[i] ? of[list[i]->id] : NULL;
	return copy;
}

Program *program_copy(Arena *a, const Program *p)
{
	Program *to = arena_copy(a, p, sizeof *p);
	to->arena = a;
	to->buffers = NEW_ARRAY(a, Buffer *, p->buffer_count);
	for (int i = 0; i < p->buffer_count; i++)
		to->buffers[i] = arena_copy(a, p->buffers[i], sizeof *p->buffers[i]);
	for (int i = 0; i < p->buffer_count; i++)
		if (p->buffers[i]->inside)
			to->buffers[i]->inside = to->buffers[p->buffers[i]->inside->id];
	to->of_node = buffer_list(a, to->buffers, p->of_node, p->graph->count);
	to->output_buffers = buffer_list(a, to->buffers, p->output_buffers, p->graph->output_count);
	to->steps = arena_copy(a, p->steps, sizeof *p->steps * (size_t)p->step_count);
	for (int s = 0; s < p->step_count; s++) {
		Step *step = &to->steps[s];
		step->reads = buffer_list(a, to->buffers, step->reads, step->read_count);
		step->writes = buffer_list(a, to->buffers, step->writes, step->write_count);
	}
	return to;
}

void program_set_steps(Program *p, Step *steps, int count)
{
	for (int i = 0; i < count; i++)
		steps[i].id = i;
	p->steps = steps;
	p->step_count = count;
}

unsigned *step_roles(Arena *a, const Step *s)
{
	unsigned *roles = NEW_ARRAY(a, unsigned, s->node_count);
	for (int i = 0; i < s->node_count; i++) {
		bool final = s->sums != SUMS_WITHIN && level_is_final(s->shape->level[i]),
		     sum = final && (s->nodes[i]->op->flags & OP_REDUCE);
		if (s->sums == SUMS_TAKEN)
			roles[i] = sum ? NODE_STORES : final ? NODE_READS | NODE_STORES : 0;
		else
			roles[i] = sum ? NODE_READS : final ? 0 : NODE_READS | NODE_STORES;
	}
	return roles;
}

int64_t product_rows(const Step *product)
{
	return product->root->type.dim[0];
}

int64_t shared_rows(const Program *p, const Step *s)
{
	return s->recurrence ? product_rows(&p->steps[s->recurrence->first]) : 0;
}
