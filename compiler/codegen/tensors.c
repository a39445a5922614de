/* SPDX-License-Identifier: MIT */
/* The tensors a step's C function takes: see tensors.h. */
#include "codegen/tensors.h"
#include "base/array.h"
#include "base/writer.h"
#include "ir/op.h"
#include "ops/shape.h"
#include "ir/domain.h"
#include "ir/held.h"

static bool same_storage(const Buffer *x, const Buffer *y)
{
	return x == y || (buffer_root((Buffer *)x) == buffer_root((Buffer *)y) &&
	                  buffer_offset(x) == buffer_offset(y) && x->bytes == y->bytes);
}

const char *tensors_local(Tensors *t, const char *wanted)
{
	return c_identifier_free(t->arena, t->names, wanted);
}

const char *tensors_local_of(Tensors *t, const char *name, const char *suffix)
{
	int length = (int)strlen(name);
	while (length > 1 && name[length - 1] == '_')
		length--;
	return tensors_local(t, arena_printf(t->arena, "%.*s_%s", length, name, suffix));
}

/* A part of "params16" or "frozen16" has the parameter's name, and one that is a first place that. */
static bool is_named_part(const Node *n)
{
	return (n->op->flags & OP_ALIAS) && node_attr(n, "offset") && n->name;
}

/* "layer1.0.conv.weight" -> "weight"; a computed value is called by what it is in its layer. A gradient is one of many,
 * which one function computes or reads: it is named as in the formulas of gradients. */
static const char *role(Arena *a, const Node *n, bool written)
{
	if (node_is_param(n) || node_is_state(n)) {
		const char *path = node_text(n, "name"), *dot = strrchr(path, '.');
		return arena_strdup(a, dot ? dot + 1 : path);
	}
	if (node_is_input(n))
		return node_text(n, "name");
	if (is_named_part(n)) {
		const char *dot = strrchr(n->name, '.');
		return arena_strdup(a, dot ? dot + 1 : n->name);
	}
	n = node_unaliased(n);
	return n->is_gradient && !written ? "dy" : local_word(n);
}

const char *local_word(const Node *n)
{
	return n->is_gradient ? "dx" : node_word(n);
}

static Tensor *find(Tensors *t, const Buffer *b)
{
	for (int i = 0; i < t->count; i++)
		if (same_storage(t->at[i].buffer, b) && t->at[i].dtype == b->type.dtype)
			return &t->at[i];
	return NULL;
}

static void add(Tensors *t, const Buffer *b, const char *name, bool written)
{
	Tensor *old = find(t, b);
	if (old) {
		old->written = old->written || written;
		return;
	}
	array_push(t->arena, t, (Tensor){b, tensors_local(t, name), b->type.dtype, written});
}

static const Node *seen_through(const Node *n)
{
	while (n->group == NO_GROUP && (n->op->flags & OP_ALIAS) && !is_named_part(n))
		n = n->operands[0];
	return n;
}

static int find_stream(const Tensors *t, const Node *n)
{
	for (int i = 0; i < t->stream_count; i++)
		if (t->streams[i] == node_int(n, "stream"))
			return i;
	return -1;
}

const char *stream_name(Arena *a, int number)
{
	return number == 0 ? "stream" : arena_printf(a, "stream_%d", number + 1);
}

const char *stream_of_node(const Tensors *t, const Node *n)
{
	bool has = (n->op->flags & OP_SEEDED) && node_attr(n, "stream"); /* else it reads the rank alone */
	return t->takes_streams && has ? stream_name(t->arena, find_stream(t, n)) : NULL;
}

static void note_stream(Tensors *t, const Node *n)
{
	if (find_stream(t, n) >= 0)
		return;
	if (t->stream_count == t->stream_room)
		t->streams = array_grow(t->arena, t->streams, &t->stream_room, sizeof *t->streams);
	map_set(t->names, stream_name(t->arena, t->stream_count), t);
	t->streams[t->stream_count++] = node_int(n, "stream");
}

/* Whether it reads the seed; with a dropout of rate 0 it does not. */
static bool draws(const Node *n)
{
	const Attr *rate = node_attr(n, "rate");
	return (n->op->flags & OP_SEEDED) && !(rate && rate->f == 0);
}

static void note_scalars(Tensors *t, const Node *n)
{
	if (draws(n) && node_attr(n, "stream"))
		note_stream(t, n);
	if (node_is_scalar(n) || draws(n))
		t->scalars = true;
	if (node_is_inline(n))
		for (int i = 0; i < n->operand_count; i++)
			note_scalars(t, n->operands[i]);
}

/* Names that any step's function may declare as they are (kernel.c, loops_*.c): gen/names.py finds what is missing. */
static const char *const taken[] = {
        "s",      "i0",     "i1",    "i2", "i3",    "i4",   "i5",    "i6",   "i7", "partial", "part",
        "winner", "kernel", "after", "at", "chunk", "done", "first", "i",    "k",  "share",   "lane",
        "last",   "next",   "o",     "q",  "r",     "row",  "slab",  "turn", "u",  "column",  "tile",
};

/* Names that the loops of heavy operators declare (ops/..._cpu.c, ops/..._cuda.c): no parameter may be hidden by
 * one. */
static const char *const locals[] = {
        "i",        "j",         "k",      "n",       "p",         "q",          "r",        "c",
        "o",        "t",         "v",      "m0",      "n0",        "c0",         "g",        "row",
        "rows",     "col",       "column", "columns", "sum",       "depth",      "z",        "h",
        "u",        "e",         "b",      "cn",      "h0",        "v0",         "p_end",    "q_end",
        "v_end",    "g0",        "g1",     "g2",      "g3",        "g4",         "g5",       "g6",
        "g7",       "g8",        "plan",   "k_first", "shape",     "class",      "top",      "rest",
        "at",       "inside",    "count",  "first",   "last",      "a",          "p0",       "q0",
        "r0",       "k0",        "left",   "right",   "left_tile", "right_tile", "left_at",  "right_at",
        "left_row", "right_row", "m",      "image",   "dh",        "dv",         "thread_m", "thread_n",
        "kernel",   "epilogue",  "d",      "power",   "root",      "squares",    "products", "first_row",
        "shared",   "tile",      "value",  "chip",
};

/* A pool's gradient where the winners are held needs neither the image nor its largest elements. */
static bool is_known_by_winner(const Step *s, int operand)
{
	return s->held && held_step(s) == HELD_GRADIENT && operand > 0;
}

/* What n reads x from: a slice that is one step along its axis begins there, and one function does for all steps. */
static const Buffer *buffer_read_by(const Program *p, const Node *n, const Node *x)
{
	Buffer *b = buffer_of(p, x);
	int64_t offset =
	        n->op->flags & OP_PLACED && !shape_equal(n->type, x->type) ? node_offset(n, x->type) : 0;
	if (!b || offset == 0)
		return b;
	Buffer *from = arena_copy(p->arena, b, sizeof *b);
	from->inside = b;
	from->offset = offset * dtype_bytes(b->type.dtype);
	from->bytes = b->bytes - from->offset;
	return from;
}

Tensors tensors_of_step(Arena *a, const Program *p, const Step *s)
{
	Tensors t = {.arena = a, .names = map_new(a)};
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		map_set(t.names, taken[i], &t);
	for (size_t i = 0; s->root && i < sizeof locals / sizeof *locals; i++)
		map_set(t.names, locals[i], &t);
	if (s->root) { /* operands and result of the root go by the names of its signature */
		const ConcatPiece *pieces =
		        s->root->op->move == MOVE_CONCAT ? concat_pieces(a, p, s->root) : NULL;
		for (int k = 0; k < s->root->operand_count; k++) {
			const char *name = op_operand_name(a, s->root->op, k);
			const Buffer *b = buffer_of(p, s->root->operands[k]);
			map_set(t.names, name, &t);
			if (!is_known_by_winner(s, k) && !(pieces && pieces[k].in_place))
				array_push(a, &t, (Tensor){b, name, b->type.dtype, false});
		}
		if (p->of_node[s->root->id])
			add(&t, p->of_node[s->root->id], op_result_name(a, s->root->op), true);
	}
	const unsigned *roles = step_roles(a, s);
	for (int i = 0; i < s->node_count; i++) {
		const Node *n = s->nodes[i];
		if (!(roles[i] & NODE_READS))
			continue;
		note_scalars(&t, n);
		if (n == s->root)
			continue;
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = n->operands[k];
			if (node_is_inline(x))
				note_scalars(&t, x);
			if (!step_has_node(s, x) && !node_is_inline(x))
				add(&t, buffer_read_by(p, n, x), role(a, seen_through(x), false), false);
		}
	}
	for (int i = 0; i < s->node_count; i++)
		if (p->of_node[s->nodes[i]->id] && s->nodes[i] != s->root && roles[i] & NODE_STORES)
			add(&t, p->of_node[s->nodes[i]->id], role(a, s->nodes[i], true), true);
	for (int i = 0; i < s->write_count; i++)
		if (s->writes[i]->class == BUFFER_WORKSPACE)
			array_push(a, &t, (Tensor){s->writes[i], "partial", s->writes[i]->type.dtype, true});
	if (held_uses_winner(s)) {
		Buffer *winner = p->buffers[s->held->winner];
		array_push(a, &t, (Tensor){winner, "winner", winner->type.dtype, held_step(s) == HELD_CONV});
	}
	return t;
}

const char *tensor_read_by(const Tensors *t, const Program *p, const Node *n, const Node *x)
{
	const Buffer *b = buffer_read_by(p, n, x);
	Tensor *found = b ? find((Tensors *)t, b) : NULL;
	return found ? found->name : NULL;
}

const char *tensor_of(const Tensors *t, const Program *p, const Node *n)
{
	const Buffer *b = buffer_of(p, n);
	Tensor *found = b ? find((Tensors *)t, b) : NULL;
	return found ? found->name : NULL;
}
