/* SPDX-License-Identifier: MIT */
/* From scheduled graph to program: a step for each kernel, a buffer for each value that must be in memory.
 *
 * Where a value lives is decided here, before offsets are: parameters and states in their blocks; what goes into a
 * `pack` in its place inside the pack, so that packing costs nothing; the new value of a state in the state's own
 * storage; views inside what they view; the rest in buffers of their own. Where a value can't be computed in the place
 * it must end in, add_copies puts a STEP_COPY.
 *
 * What a step's kernel is, is decided here too (Step.shape, Step.epilogue), and read by the passes and the emitter that
 * follow. */
#include "base/array.h"
#include "ir/op.h"
#include "base/checked.h"
#include "base/map.h"
#include "base/writer.h"
#include "ir/program.h"
#include "ir/domain.h"
#include "passes/pass.h"
#include "codegen/dialect.h"
#include "passes/implementation.h"
#include "codegen/step.h"
#include "codegen/loops.h"
#include "codegen/library.h"
#include "passes/epilogue.h"

enum { ALIGNMENT = 64, LINE = 128 /* bytes that a GPU moves at once */ };

typedef ARRAY(Buffer *) BufferList;

typedef struct Lowering {
	Arena *arena;
	Program *p;
	const Target *target;
	Map *places; /* those that parameters, states and inputs take over: leaf_key -> Buffer */
	const Graph *g;
	BufferList buffers;
	int *step_of;    /* by node id: the step that computes it, -1: none */
	bool *in_memory; /* by node id: read outside its kernel, or by the host */
	int64_t *needed; /* of step_read_bytes */
	Map *names, *states;
} Lowering;

bool buffer_in_arena(const Buffer *b)
{
	return b->class == BUFFER_ACTIVATION || b->class == BUFFER_GRADIENT || b->class == BUFFER_OUTPUT ||
	       b->class == BUFFER_WORKSPACE;
}

Buffer *buffer_root(Buffer *b)
{
	while (b->inside)
		b = b->inside;
	return b;
}

int64_t buffer_offset(const Buffer *b)
{
	int64_t offset = b->offset;
	while (b->inside) {
		b = b->inside;
		offset += b->offset;
	}
	return offset;
}

static bool is_transposed(const Buffer *b)
{
	return b->class == BUFFER_INPUT && b->node && node_is_transposed(b->node);
}

int64_t program_batch_bytes(const Program *p)
{
	int64_t bytes = p->input_bytes;
	for (int i = 0; i < p->buffer_count; i++)
		if (is_transposed(p->buffers[i]) && p->buffers[i]->offset < bytes)
			bytes = p->buffers[i]->offset;
	return bytes;
}

DType step_sum_dtype(const Step *s)
{
	if (s->root)
		return s->root->type.dtype == DTYPE_F64 ? DTYPE_F64 : DTYPE_F32;
	for (int i = 0; i < s->node_count; i++)
		if (s->nodes[i]->op->flags & OP_REDUCE)
			return s->nodes[i]->type.dtype;
	bug("step %d sums nothing up", s->id);
}

bool step_is_heavy(const Step *s)
{
	return s->kind == STEP_LIBRARY ||
	       (s->root && (implementation_of(s->root)->flags & IMPL_TENSOR_CORES));
}

/* A C identifier no other buffer of the program has. */
static const char *unique_name(Lowering *l, const char *wanted)
{
	char *base = c_identifier(l->arena, wanted), *name = base;
	int *used = map_get(l->names, base);
	if (!used) {
		used = NEW(l->arena, int);
		*used = 1;
		map_set(l->names, base, used);
		return base;
	}
	do
		name = c_identifier_numbered(l->arena, wanted, ++*used);
	while (map_get(l->names, name));
	int *taken = NEW(l->arena, int);
	*taken = 1;
	map_set(l->names, name, taken);
	return name;
}

static Buffer *new_buffer(Lowering *l, BufferClass class, const char *name, Type type, const Node *node)
{
	Buffer *b = NEW(l->arena, Buffer);
	*b = (Buffer){.id = l->buffers.count,
	              .name = unique_name(l, name),
	              .class = class,
	              .type = type,
	              .bytes = type_bytes(type),
	              .node = node,
	              .first = -1,
	              .last = -1};
	array_push(l->arena, &l->buffers, b);
	return b;
}

/* A value that is stored in tf32 is called as the value. */
static const char *value_name(const Node *n)
{
	while (!n->name && !n->called && (n->op->flags & (OP_ALIAS | OP_ROUNDS)))
		n = n->operands[0];
	return n->name ? n->name : node_word(n);
}

/* ---- steps */

static bool computes(const Node *n)
{
	bool view = n->group == NO_GROUP && (n->op->flags & OP_ALIAS);
	return !node_is_leaf(n) && !view && !(n->op->flags & OP_PACK) &&
	       (n->group != NO_GROUP || !node_is_inline(n));
}

static void mark_in_memory(Lowering *l)
{
	const Graph *g = l->g;
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = n->operands[k];
			bool same_kernel = n->group != NO_GROUP && x->group == n->group;
			bool written_out = node_is_inline(x) && x->group == NO_GROUP &&
			                   (node_is_fusible(n) || node_is_inline(n));
			if (!same_kernel && !written_out)
				l->in_memory[node_viewed(x)->id] = l->in_memory[x->id] = true;
		}
	}
	for (int i = 0; i < g->output_count; i++) {
		const Node *n = g->outputs[i].node;
		l->in_memory[n->id] = l->in_memory[node_whole(n)->id] = l->in_memory[node_viewed(n)->id] =
		        true;
	}
}

static void make_steps(Lowering *l)
{
	const Graph *g = l->g;
	ARRAY(Step) steps = {0};
	bool *met = NEW_ARRAY(l->arena, bool, LIMIT_SCANNED_NODES + 1); /* by group */
	for (int i = 0; i < g->count; i++) {
		Node *n = g->nodes[i];
		l->step_of[i] = -1;
		/* an inline node in memory (an initial gradient that goes straight into a product) is a small kernel */
		if (!computes(n) && !(l->in_memory[i] && node_is_inline(n)))
			continue;
		bool joins = steps.count && n->group != NO_GROUP &&
		             steps.at[steps.count - 1].nodes[0]->group == n->group;
		if (!joins) {
			int id = steps.count;
			array_push(l->arena, &steps, (Step){.id = id, .kind = STEP_KERNEL});
			if (n->group != NO_GROUP) {
				require(!met[n->group]); /* a group lies side by side */
				met[n->group] = true;
			}
		}
		Step *s = &steps.at[steps.count - 1];
		Node **nodes = NEW_ARRAY(l->arena, Node *, s->node_count + 1);
		for (int k = 0; k < s->node_count; k++)
			nodes[k] = s->nodes[k];
		nodes[s->node_count++] = n;
		s->nodes = nodes;
		s->sites = sites_union(l->arena, s->sites, n->sites);
		if (!joins || !(n->op->flags & OP_BESIDE)) /* else it is by the way */
			s->flops += node_cost(n).flops;
		if (!s->root && !(n->op->flags & (OP_POINTWISE | OP_REDUCE | OP_ALIAS | OP_LEAF))) {
			s->root = n;
			s->kind = node_by_library(n) ? STEP_LIBRARY : STEP_OP;
		}
		l->step_of[i] = s->id;
	}
	l->p->steps = steps.at;
	l->p->step_count = steps.count;
}

/* ---- buffers */

static const char *leaf_key(Arena *a, const Node *n)
{
	return arena_printf(a, "%s%s %s", n->op->name, node_is_transposed(n) ? " transposed" : "",
	                    node_text(n, "name"));
}

/* The buffers of the program to share memory with, by leaf. */
static Map *find_places(Arena *a, const Program *like)
{
	Map *places = map_new(a);
	for (int i = 0; like && i < like->buffer_count; i++) {
		const Node *n = like->buffers[i]->node;
		if (!n || !node_is_leaf(n) || !node_attr(n, "name"))
			continue;
		const char *key = leaf_key(a, n);
		if (!map_get(places, key))
			map_set(places, key, like->buffers[i]);
	}
	return places;
}

/* The place of the same leaf in the program to share memory with, or the next free bytes of the block. */
static int64_t place_in_block(const Lowering *l, const Node *n, int64_t bytes, int64_t *block)
{
	int64_t offset = *block, end;
	const Buffer *there = map_get(l->places, leaf_key(l->arena, n));
	if (there)
		return there->offset;
	require(checked_add(offset, bytes, &end) && checked_round_up(end, ALIGNMENT, block));
	return offset;
}

static void place_leaf(Lowering *l, const Node *n)
{
	Program *p = l->p;
	Buffer *b = NULL;
	if (node_is_input(n)) {
		const char *name = node_text(n, "name");
		if (node_is_transposed(n)) {
			name = arena_printf(l->arena, "%s_transposed", name);
			require(checked_round_up(p->input_bytes, LINE, &p->input_bytes));
		}
		b = new_buffer(l, BUFFER_INPUT, name, n->type, n);
		b->offset = place_in_block(l, n, b->bytes, &p->input_bytes);
	} else if (node_is_param(n)) {
		b = new_buffer(l, BUFFER_PARAMETER, node_text(n, "name"), n->type, n);
		b->offset = node_attr(n, "offset") ? node_int(n, "offset") * dtype_bytes(n->type.dtype)
		                                   : place_in_block(l, n, b->bytes, &p->param_bytes);
	} else if (node_is_state(n) && strcmp(node_text(n, "name"), "params") == 0) {
		b = new_buffer(l, BUFFER_PARAMETER, "params", n->type, n);
		map_set(l->states, "params", b);
	} else if (node_is_state(n)) {
		b = map_get(l->states, node_text(n, "name"));
		if (!b) {
			b = new_buffer(l, BUFFER_STATE, node_text(n, "name"), n->type, n);
			b->offset = place_in_block(l, n, b->bytes, &p->state_bytes);
			map_set(l->states, node_text(n, "name"), b);
		}
	}
	p->of_node[n->id] = b;
}

static bool claimable(const Lowering *l, const Node *n)
{
	return computes(n) && !l->p->of_node[n->id];
}

/* The last step that reads each state, and under "params" any parameter. */
static Map *find_last_readers(Lowering *l)
{
	Map *last = map_new(l->arena);
	for (int i = 0; i < l->g->count; i++) {
		const Node *n = l->g->nodes[i];
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = node_viewed(n->operands[k]);
			if (!node_is_state(x) && !node_is_param(x))
				continue;
			const char *name = node_is_param(x) ? "params" : node_text(x, "name");
			int *step = map_get(last, name);
			if (!step) {
				step = NEW(l->arena, int);
				map_set(last, name, step);
			}
			if (l->step_of[i] > *step)
				*step = l->step_of[i];
		}
	}
	return last;
}

/* The parts of a pack follow it in the list of buffers, in its order. */
static void claim_packs(Lowering *l)
{
	for (int i = 0; i < l->g->count; i++) {
		const Node *n = l->g->nodes[i];
		if (!(n->op->flags & OP_PACK))
			continue;
		Buffer *pack = l->p->of_node[i] = new_buffer(l, BUFFER_GRADIENT, "gradients", n->type, n);
		int64_t at = 0;
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = node_whole(n->operands[k]);
			const Node *named = n->operands[k];
			Buffer *b = new_buffer(l, BUFFER_GRADIENT, value_name(named), x->type, x);
			b->inside = pack;
			b->offset = at;
			if (claimable(l, x))
				l->p->of_node[x->id] = b;
			require(checked_add(at, b->bytes, &at));
		}
	}
}

/* A kernel that goes over its elements again computes anew what it needs then, of the old values: what it stores in an
 * earlier round may not take their place. The sum of chunks is so, whose norm is taken before it is used. */
static bool is_stored_early(const Lowering *l, const Node *n)
{
	const Step *s = &l->p->steps[l->step_of[n->id]];
	for (int i = 0; i < s->node_count && s->shape && !s->root; i++)
		if (s->nodes[i] == n)
			return s->shape->level[i] == LEVEL_FULL && s->shape->phase[i] < s->shape->phases - 1;
	return false;
}

/* The new value of a state is written over the old one where every other reader of the old value runs before; readers
 * within the same step read each element before it is written. */
static void claim_states(Lowering *l)
{
	Map *last_readers = find_last_readers(l);
	for (int i = 0; i < l->g->output_count; i++) {
		const Output *o = &l->g->outputs[i];
		if (o->kind != OUTPUT_STATE)
			continue;
		Buffer *state = map_get(l->states, o->name);
		const Node *n = node_viewed(o->node);
		if (!state) { /* written, never read: a state of its own all the same */
			state = new_buffer(l, BUFFER_STATE, o->name, n->type, n);
			int64_t end;
			state->offset = l->p->state_bytes;
			require(checked_add(state->offset, state->bytes, &end) &&
			        checked_round_up(end, ALIGNMENT, &l->p->state_bytes));
			map_set(l->states, o->name, state);
		}
		int *last = map_get(last_readers, o->name);
		bool within = last && *last == l->step_of[n->id];
		if (claimable(l, n) && (!last || *last <= l->step_of[n->id]) &&
		    !(within && is_stored_early(l, n)))
			l->p->of_node[n->id] = state;
		l->p->output_buffers[i] = state;
	}
}

/* From where on in what is viewed; a view may be of a part of a part. */
static int64_t view_offset(const Node *n)
{
	int64_t bytes = 0;
	for (const Node *root = node_viewed(n); n != root; n = n->operands[0])
		bytes += node_attr(n, "offset") ? node_int(n, "offset") * dtype_bytes(n->type.dtype) : 0;
	return bytes;
}

static void place_values(Lowering *l)
{
	for (int i = 0; i < l->g->count; i++) {
		const Node *n = l->g->nodes[i];
		Buffer **at = &l->p->of_node[i];
		bool view = n->group == NO_GROUP && (n->op->flags & OP_ALIAS);
		if (*at || !l->in_memory[i] || (node_is_leaf(n) && !node_is_inline(n)))
			continue;
		if (view && l->p->of_node[node_viewed(n)->id]) {
			*at = new_buffer(l, BUFFER_ACTIVATION, value_name(n), n->type, n);
			(*at)->inside = l->p->of_node[node_viewed(n)->id];
			(*at)->offset = view_offset(n);
			(*at)->class = (*at)->inside->class;
		} else if (!view) {
			*at = new_buffer(l, BUFFER_ACTIVATION, value_name(n), n->type, n);
		}
	}
}

/* A part of something is where its own elements are. */
static void find_outputs(Lowering *l)
{
	for (int i = 0; i < l->g->output_count; i++)
		if (l->g->outputs[i].kind != OUTPUT_STATE)
			l->p->output_buffers[i] = l->p->of_node[node_whole(l->g->outputs[i].node)->id];
}

/* A library call with an epilogue: the value ahead of it may stand where the result will, until a kernel overwrites
 * it element by element; where its rows are summed up it has a place of its own. */
static void place_epilogues(Lowering *l)
{
	for (int i = 0; i < l->p->step_count; i++) {
		const Step *s = &l->p->steps[i];
		if (library_overwrites(s))
			l->p->of_node[s->root->id] = l->p->of_node[s->nodes[s->node_count - 1]->id];
		else if (library_weight(s))
			l->p->of_node[s->root->id] =
			        new_buffer(l, BUFFER_ACTIVATION, value_name(s->root), s->root->type, s->root);
	}
}

/* ---- what each step reads and writes */

static void add_once(Arena *a, Buffer ***list, int *count, Buffer *b)
{
	for (int i = 0; i < *count; i++)
		if ((*list)[i] == b)
			return;
	Buffer **more = NEW_ARRAY(a, Buffer *, *count + 1);
	for (int i = 0; i < *count; i++)
		more[i] = (*list)[i];
	more[(*count)++] = b;
	*list = more;
}

static void connect_step(Lowering *l, Step *s)
{
	Program *p = l->p;
	for (int i = 0; i < s->node_count; i++) {
		const Node *n = s->nodes[i];
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = n->operands[k];
			Buffer *b = p->of_node[x->id] ? p->of_node[x->id] : p->of_node[node_viewed(x)->id];
			bool inside = l->step_of[node_viewed(x)->id] == s->id;
			bool written_out = node_is_inline(x) && node_is_fusible(n);
			if (b && !inside && !written_out)
				add_once(l->arena, &s->reads, &s->read_count, b);
		}
		if (p->of_node[n->id])
			add_once(l->arena, &s->writes, &s->write_count, p->of_node[n->id]);
	}
	const double *read = step_read_bytes(l->arena, p, s, l->needed);
	for (int i = 0; i < s->read_count; i++)
		s->bytes += read[i];
	for (int i = 0; i < s->write_count; i++)
		s->bytes += (double)s->writes[i]->bytes;
	if (library_weight(s)) /* our kernel does not store what it sums up */
		s->bytes -= (double)p->of_node[s->root->id]->bytes;
	Step after = library_sums(s) ? library_kernel_after(l->arena, s) : *s;
	int64_t workspace = step_workspace(l->arena, &after, l->target);
	if (workspace > 0) {
		Type type;
		int64_t elements = workspace;
		require(type_make(step_sum_dtype(&after), 1, &elements, &type));
		Buffer *b = new_buffer(l, BUFFER_WORKSPACE, "partial", type, NULL);
		add_once(l->arena, &s->writes, &s->write_count, b);
	}
}

/* What a call computes after its root: what `epilogues` found the implementation to take. */
static void decide_epilogue(Arena *a, Step *s)
{
	Epilogue *e = NEW(a, Epilogue);
	if (!epilogue_read(s->root, s->nodes, s->node_count, e))
		bug("step %d is no call with an epilogue", s->id);
	s->epilogue = e;
}

/* The loops of a kernel, or after an operator's own: what fuse found the nodes to fit. */
void program_decide_shapes(Program *p)
{
	for (int i = 0; i < p->step_count; i++) {
		Step *s = &p->steps[i];
		if (s->kind == STEP_LIBRARY && s->node_count > 1)
			decide_epilogue(p->arena, s);
		else if (s->kind != STEP_LIBRARY && !step_moves(s))
			step_decide_shape(p->arena, s);
	}
}

Program *lower(Arena *a, const Graph *g, const Program *like, const Target *target)
{
	Program *p = NEW(a, Program);
	Lowering l = {.arena = a,
	              .p = p,
	              .target = target,
	              .places = find_places(a, like),
	              .g = g,
	              .names = map_new(a),
	              .states = map_new(a)};
	static const char *const taken[] = {"m", "s", "memcpy"};
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		unique_name(&l, taken[i]);
	for (const char *const *name = target->dialect->taken; name && *name; name++)
		unique_name(&l, *name);
	p->arena = a;
	p->one_block = target->one_block;
	if (like) {
		p->param_bytes = like->param_bytes;
		p->state_bytes = like->state_bytes;
		p->input_bytes = program_batch_bytes(like);
	}
	p->graph = g;
	p->of_node = NEW_ARRAY(a, Buffer *, g->count);
	l.step_of = NEW_ARRAY(a, int, g->count);
	l.in_memory = NEW_ARRAY(a, bool, g->count);
	l.needed = NEW_ARRAY(a, int64_t, g->count);
	p->output_buffers = NEW_ARRAY(a, Buffer *, g->output_count);
	mark_in_memory(&l);
	make_steps(&l);
	program_decide_shapes(p);
	for (int transposed = 0; transposed < 2; transposed++)
		for (int i = 0; i < g->count; i++)
			if (node_is_leaf(g->nodes[i]) && node_is_transposed(g->nodes[i]) == transposed)
				place_leaf(&l, g->nodes[i]);
	claim_packs(&l);
	claim_states(&l);
	place_values(&l);
	place_epilogues(&l);
	for (int i = 0; i < p->step_count; i++)
		connect_step(&l, &p->steps[i]);
	find_outputs(&l);
	int64_t ends = 0; /* of the parameters, in elements */
	for (int i = 0; i < l.buffers.count; i++) {
		const Buffer *b = l.buffers.at[i];
		if (b->class == BUFFER_PARAMETER && node_is_param(b->node)) {
			int64_t size = dtype_bytes(b->type.dtype);
			p->param_elements += type_elements(b->type);
			if (b->offset + b->bytes > p->param_bytes)
				p->param_bytes = b->offset + b->bytes;
			if ((b->offset + b->bytes) / size > ends)
				ends = (b->offset + b->bytes) / size;
		}
	}
	if (ends > p->param_elements)
		p->param_elements = ends;
	if (like && like->param_elements > p->param_elements)
		p->param_elements = like->param_elements; /* the block is the same, whatever is read of it */
	p->buffers = l.buffers.at;
	p->buffer_count = l.buffers.count;
	return p;
}

Program *pass_lower(PassContext *ctx, const Graph *g)
{
	return lower(ctx->arena, g, ctx->like, ctx->target);
}
