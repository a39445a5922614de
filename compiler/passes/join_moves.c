/* SPDX-License-Identifier: MIT */
/* Moves of elements that follow one another become one.
 *
 * A concat, slice, transposition or padding is a kernel that computes nothing, and so are two or five in a row: a
 * channel shuffle is reshaped, transposed and reshaped of what was put side by side, and cut in two again; the dot
 * products of all pairs are rows cut out of a matrix, each cut once more and put side by side. What becomes of an
 * element is known here. So the last of them gathers its elements where the first found them (ops/gather_columns.c):
 *
 *     concat(a, b) -> reshape -> transpose -> reshape -> slice   =   gather_columns(a, b)
 *
 * A move is passed through where only moves read it and they read each of its elements once, so that no more is
 * written than before. It must move elements within rows, the same in each: along the last axes, after as many of the
 * first as no move between touches.
 *
 * Not every move is a kernel. A slice that arithmetic reads is read in place, and a concat of what kernels compute is
 * computed there. Moves that hang together are joined where that makes fewer kernels of them, all or none.
 *
 * Must run after simplify, which drops moves that undo each other, and after cse: a reader of the same value
 * would count. */
#include "base/array.h"
#include "ops/gather_columns.h"
#include "ir/op.h"
#include "ir/domain.h"
#include "ir/view.h"
#include "passes/pass.h"

enum {
	DEEPEST = 24,        /* moves and views on the way */
	MOST_COLUMNS = 2048, /* of its result, and of what it reads: the table is in the code */
};

typedef struct Moves {
	const Graph *g;
	Arena *scratch;
	NodeList *users;
	bool *stored;   /* by node id: read as it is in memory, or an output; a slice may be read in place */
	int64_t *taken; /* by node id: elements that are read of it, each as often as it is */
	bool *passed;   /* by node id: a move or a view that only moves read, through which they gather */
	int *depth;     /* how many moves and views it would be read through */
	int *set;       /* moves that hang together: a number by node id, its own at first */
	int *before;    /* by that number: kernels as they are */
	int *after;     /* and as gathers */
	bool *refused;  /* one of them can't be */
	int64_t *rows;  /* by node id, of a gather */
	Node **copies;  /* by node id */
} Moves;

/* ---- which moves are passed through */

static bool is_view(const Node *n)
{
	return n->op->flags & OP_RESHAPES;
}

static bool is_move(const Node *n)
{
	return n->op->move != MOVE_NONE && n->op->move != MOVE_BROADCAST;
}

/* Of a node whose users are known. */
static void find_readers(Moves *m, const Node *n)
{
	const NodeList *users = &m->users[n->id];
	bool moved = (is_move(n) || is_view(n)) && !m->stored[n->id] && users->count > 0;
	for (int i = 0; i < users->count; i++) {
		const Node *user = users->at[i];
		const bool view = is_view(user) && m->passed[user->id];
		moved = moved && (is_move(user) || is_view(user));
		m->taken[n->id] += view ? m->taken[user->id]
		                        : type_elements(user->op->move == MOVE_SLICE ? user->type : n->type);
	}
	m->passed[n->id] = moved && m->taken[n->id] <= type_elements(n->type);
	for (int i = 0; i < users->count && !m->stored[n->id]; i++) {
		const Node *user = users->at[i];
		m->stored[n->id] = reshape_is_squeeze(user)
		                           ? m->stored[user->id]
		                           : !node_is_fusible(user) || user->op->move == MOVE_SLICE;
	}
}

/* A view is passed through where a move stands before it, too. */
static void find_passed(Moves *m)
{
	for (int i = m->g->count - 1; i >= 0; i--)
		find_readers(m, m->g->nodes[i]);
	for (int i = 0; i < m->g->count; i++) {
		const Node *n = m->g->nodes[i];
		for (int k = 0; k < n->operand_count && (is_move(n) || is_view(n)); k++) {
			const int x = n->operands[k]->id;
			m->passed[x] = m->passed[x] && m->depth[x] < DEEPEST;
			if (m->passed[x] && m->depth[x] > m->depth[i])
				m->depth[i] = m->depth[x];
		}
		m->depth[i]++;
		if (is_view(n))
			m->passed[i] = m->passed[i] && m->passed[n->operands[0]->id];
	}
}

/* ---- rows */

/* Whether the first dimensions of n, up to `axis` and not with it, are so many rows. */
static bool has_rows_before(const Node *n, int64_t axis, int64_t rows)
{
	int64_t product = 1;
	for (int i = 0; i < axis && product < rows; i++)
		product *= n->type.dim[i];
	return product == rows;
}

static int64_t first_moved(const Node *n)
{
	if (n->op->move != MOVE_TRANSPOSE)
		return node_int(n, "axis");
	int count, i = 0;
	const int64_t *axes = node_ints(n, "axes", &count);
	while (i < count && axes[i] == i)
		i++;
	return i;
}

/* Whether every move that n is read through keeps so many rows apart; n is a gather, or passed. Adds up the
 * columns of what is read. */
static bool keeps_rows(const Moves *m, const Node *n, int64_t rows, int64_t *columns)
{
	if (!is_view(n) && !has_rows_before(n, first_moved(n), rows))
		return false;
	for (int k = 0; k < n->operand_count; k++) {
		const Node *x = n->operands[k];
		if (m->passed[x->id] && !keeps_rows(m, x, rows, columns))
			return false;
		if (!m->passed[x->id])
			*columns += type_elements(x->type) / rows;
	}
	return true;
}

/* As many rows of the gather n as there may be; 0: its rows would be too long, or one. */
static int64_t rows_of(const Moves *m, const Node *n)
{
	int64_t rows = type_elements(n->type), columns;
	for (int axis = n->type.rank - 1; axis >= 0; axis--) {
		rows /= n->type.dim[axis];
		columns = 0;
		if (rows > 1 && keeps_rows(m, n, rows, &columns))
			return type_elements(n->type) / rows <= MOST_COLUMNS && columns <= MOST_COLUMNS ? rows
			                                                                                : 0;
	}
	return 0;
}

/* ---- moves that hang together */

static int set_of(Moves *m, int id)
{
	while (m->set[id] != id)
		id = m->set[id] = m->set[m->set[id]];
	return id;
}

/* Whether n is the last of moves: it is not passed through, and reads what is. */
static bool is_gather(const Moves *m, const Node *n)
{
	bool reads = false;
	for (int k = 0; k < n->operand_count; k++)
		reads = reads || m->passed[n->operands[k]->id];
	return reads && !m->passed[n->id];
}

/* Whether n is a kernel by itself as it is. A concat through which others would read counts as one: where it is
 * computed in its place, its pieces read as they are cost no more. */
static bool is_kernel(const Moves *m, const Node *n)
{
	if (n->op->move == MOVE_SLICE)
		return m->stored[n->id];
	bool in_place = n->op->move == MOVE_CONCAT && !m->passed[n->id];
	for (int k = 0; k < n->operand_count && in_place; k++)
		in_place = node_is_fusible(n->operands[k]) && !node_is_leaf(n->operands[k]);
	return is_move(n) && !in_place;
}

static void find_sets(Moves *m)
{
	for (int i = 0; i < m->g->count; i++) {
		const Node *n = m->g->nodes[i];
		for (int k = 0; k < n->operand_count; k++)
			if (m->passed[n->operands[k]->id])
				m->set[set_of(m, n->operands[k]->id)] = set_of(m, i);
	}
	for (int i = 0; i < m->g->count; i++) {
		const Node *n = m->g->nodes[i];
		const bool gather = is_gather(m, n);
		const int set = set_of(m, i);
		m->before[set] += (m->passed[i] || gather) && is_kernel(m, n);
		m->after[set] += gather;
		if (gather)
			m->refused[set] = (m->rows[i] = rows_of(m, n)) == 0 || m->refused[set];
	}
}

/* ---- the gathers */

/* By column of a row of n: 1 + MOST_COLUMNS times the id of the tensor that it is from + the column there; 0: the
 * element is zero. */
static const double *sources_of(const Moves *m, const Node *n, int64_t rows, const double **known)
{
	const int64_t columns = type_elements(n->type) / rows;
	if (known[n->id])
		return known[n->id];
	double *y = NEW_ARRAY(m->scratch, double, columns);
	for (int k = 0; k < n->operand_count; k++) {
		const Node *x = n->operands[k];
		double *own = NULL;
		if (!m->passed[x->id]) {
			const int64_t count = type_elements(x->type) / rows;
			own = NEW_ARRAY(m->scratch, double, count);
			for (int64_t i = 0; i < count; i++)
				own[i] = (double)(1 + (int64_t)x->id * MOST_COLUMNS + i);
		}
		view_read(n, k, columns, own ? own : sources_of(m, x, rows, known), y);
	}
	return known[n->id] = y;
}

static Sites sites_of_moves(const Moves *m, const Node *n)
{
	Sites all = n->sites;
	for (int k = 0; k < n->operand_count; k++)
		if (m->passed[n->operands[k]->id])
			all = sites_union(m->g->arena, sites_of_moves(m, n->operands[k]), all);
	return all;
}

static Node *build_gather(Moves *m, Graph *to, const Node *n)
{
	const int64_t rows = m->rows[n->id], columns = type_elements(n->type) / rows;
	const double *sources = sources_of(m, n, rows, NEW_ARRAY(m->scratch, const double *, m->g->count));
	int64_t *from = NEW_ARRAY(m->scratch, int64_t, columns), all = 0;
	int64_t *begin =
	        NEW_ARRAY(m->scratch, int64_t, m->g->count); /* 1 + its first column; 0: not met yet */
	NodeList read = {0};
	for (int64_t i = 0; i < columns; i++) {
		const int64_t source = (int64_t)sources[i] - 1, id = source / MOST_COLUMNS;
		from[i] = ZERO_COLUMN;
		if (source < 0)
			continue;
		if (!begin[id]) {
			array_push(m->scratch, &read, m->copies[id]);
			begin[id] = 1 + all;
			all += type_elements(m->g->nodes[id]->type) / rows;
		}
		from[i] = begin[id] - 1 + source % MOST_COLUMNS;
	}
	if (read.count == 0)
		return NULL;
	bool idle = read.count == 1 && all == columns;
	for (int64_t i = 0; i < columns; i++)
		idle = idle && from[i] == i;
	Build b = build_beside(to, n);
	b.sites = sites_of_moves(m, n);
	const Attr attrs[] = {attr_ints("from", from, (int)columns),
	                      attr_ints("shape", n->type.dim, n->type.rank)};
	return idle ? build_reshape(&b, read.at[0], n->type.rank, n->type.dim)
	            : build(&b, "gather_columns", read.count, read.at, 2, attrs);
}

static Node *join_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	Moves *m = data;
	const int set = set_of(m, n->id);
	const bool joins = is_gather(m, n) && !m->refused[set] && m->after[set] < m->before[set];
	Node *y = joins ? build_gather(m, to, n) : NULL;
	return m->copies[n->id] = y ? y : graph_copy_node(to, n, operands);
}

Graph *pass_join_moves(PassContext *ctx, const Graph *g)
{
	Arena *scratch = arena_new();
	Moves m = {.g = g, .scratch = scratch, .users = graph_users(scratch, g)};
	m.stored = graph_outputs(scratch, g);
	m.taken = NEW_ARRAY(scratch, int64_t, g->count);
	m.depth = NEW_ARRAY(scratch, int, g->count);
	m.passed = NEW_ARRAY(scratch, bool, g->count);
	m.refused = NEW_ARRAY(scratch, bool, g->count);
	m.set = NEW_ARRAY(scratch, int, g->count);
	m.before = NEW_ARRAY(scratch, int, g->count);
	m.after = NEW_ARRAY(scratch, int, g->count);
	m.rows = NEW_ARRAY(scratch, int64_t, g->count);
	m.copies = NEW_ARRAY(scratch, Node *, g->count);
	for (int i = 0; i < g->count; i++)
		m.set[i] = i;
	find_passed(&m);
	find_sets(&m);
	bool pays = false;
	for (int i = 0; i < g->count; i++)
		pays = pays || (m.after[i] > 0 && !m.refused[i] && m.after[i] < m.before[i]);
	Graph *to = (Graph *)g;
	if (pays)
		to = graph_rewrite(ctx->arena, g, join_rule, &m);
	arena_free(scratch);
	return to;
}
