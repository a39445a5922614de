/* SPDX-License-Identifier: MIT */
/* The loops of a kernel: see loops.h. */
#include "codegen/loops.h"
#include "codegen/index.h"
#include "ir/op.h"
#include "codegen/expr.h"
#include <string.h>

enum { NARROWEST_VECTOR = 4 };

int nest_position(const LoopNest *nest, const Node *n)
{
	for (int i = 0; i < nest->node_count; i++)
		if (nest->nodes[i] == n)
			return i;
	return -1;
}

/* Strides of `x`, read by a node of type `user` at `level`, along the dimensions of the domain. */
static void domain_strides(const Domain *d, Type user, Level level, Type x, int64_t stride[LIMIT_RANK])
{
	int64_t own[LIMIT_RANK] = {0};
	operand_strides(user, x, own);
	for (int i = 0, k = 0; i < d->rank; i++)
		stride[i] = level_runs_along(level, d->reduced[i]) ? own[k++] : 0;
}

/* The places of the indices along the dimensions of the domain, for a node at `level`. */
static void domain_places(const Domain *d, const Node *n, Level level, Place place[LIMIT_RANK])
{
	Place own[LIMIT_RANK];
	node_places(n, own);
	for (int i = 0, k = 0; i < d->rank; i++)
		place[i] = level_runs_along(level, d->reduced[i]) ? own[k++] : OWN_PLACE;
}

/* Dimensions i and i + 1 of the domain can be one loop as far as this access goes. */
static void forbid_merges(const Domain *d, const int64_t *stride, Level level, bool *mergeable)
{
	for (int i = 0; i + 1 < d->rank; i++)
		if ((level_runs_along(level, d->reduced[i]) || level_runs_along(level, d->reduced[i + 1])) &&
		    stride[i] != stride[i + 1] * d->dim[i + 1])
			mergeable[i] = false;
}

/* A dimension whose indices have other places is a loop of its own. */
static void forbid_places(const Domain *d, const Node *n, Level level, bool *mergeable)
{
	Place place[LIMIT_RANK];
	domain_places(d, n, level, place);
	for (int i = 0; i + 1 < d->rank; i++)
		if (!place_is_own(&place[i]) || !place_is_own(&place[i + 1]))
			mergeable[i] = false;
}

/* The shape along which the node reads its operands. */
static Type reader_type(const Node *n)
{
	return n->op->flags & (OP_REDUCE | OP_ALIAS) ? n->operands[0]->type : n->type;
}

static Level reader_level(const LoopNest *nest, int position)
{
	Level level = nest->shape.level[position];
	if (!(nest->nodes[position]->op->flags & OP_REDUCE))
		return level;
	return level == LEVEL_TOTAL ? LEVEL_REDUCED : LEVEL_FULL;
}

/* Stride 1 along the node's last dimension and 0 elsewhere, when that dimension is larger than 1. */
static void last_index_strides(const Domain *d, Type t, Level level, int64_t stride[LIMIT_RANK])
{
	memset(stride, 0, sizeof(int64_t) * LIMIT_RANK);
	if (t.rank == 0 || t.dim[t.rank - 1] == 1)
		return;
	for (int i = d->rank - 1; i >= 0; i--) {
		if (level_runs_along(level, d->reduced[i])) {
			stride[i] = 1;
			return;
		}
	}
}

/* Whether the last index is taken as a remainder of a merged loop's: where vectors do not fit into the last dimension,
 * so that they can run over its end. */
static bool takes_remainder(const LoopNest *nest, Type t)
{
	int64_t last = t.rank > 0 ? t.dim[t.rank - 1] : 1;
	return nest->remainders && last > 1 && last % NARROWEST_VECTOR != 0;
}

static void find_mergeable(LoopNest *nest, const Node *n, int position, bool *mergeable)
{
	const Domain *d = &nest->shape.domain;
	int64_t stride[LIMIT_RANK];
	Level level = reader_level(nest, position);
	for (int k = 0; k < n->operand_count; k++) {
		domain_strides(d, reader_type(n), level, n->operands[k]->type, stride);
		forbid_merges(d, stride, level, mergeable);
	}
	if (n->op->place)
		forbid_places(d, n, level, mergeable);
	domain_strides(d, n->type, nest->shape.level[position], n->type, stride);
	forbid_merges(d, stride, nest->shape.level[position], mergeable);
	if ((n->op->flags & OP_BY_COLUMN) && !takes_remainder(nest, n->type)) {
		last_index_strides(d, n->type, level, stride);
		forbid_merges(d, stride, level, mergeable);
	}
	/* scalar arithmetic and generated values that are written out inside this node */
	for (int k = 0; k < n->operand_count; k++)
		if (nest_position(nest, n->operands[k]) < 0 && node_is_inline(n->operands[k]) &&
		    type_elements(n->operands[k]->type) > 1)
			find_mergeable(nest, n->operands[k], position, mergeable);
}

static void merge_dimensions(LoopNest *nest, const bool *mergeable)
{
	const Domain *d = &nest->shape.domain;
	for (int i = 0; i < d->rank; i++) {
		if (i == 0 || !mergeable[i - 1])
			nest->loops[nest->loop_count++] = (Loop){.count = 1, .reduced = d->reduced[i]};
		nest->merged[i] = nest->loop_count - 1;
		nest->loops[nest->loop_count - 1].count *= d->dim[i];
	}
}

void step_decide_shape(Arena *a, Step *s)
{
	KernelShape *shape = NEW(a, KernelShape);
	int count = s->node_count; /* that loops go over */
	while (count > 1 && (s->nodes[count - 1]->op->flags & OP_BESIDE))
		count--;
	const char *why = kernel_shape(a, s->nodes, count, shape);
	if (why)
		bug("the nodes of step %d fit no loops: %s", s->id, why);
	if (s->rows.count > 0) {
		require(shape->domain.rank == 2 && !shape->domain.reduced[0] && !shape->resident);
		shape->domain.outer = shape->domain.dim[0] = s->rows.count;
	}
	s->shape = shape;
}

/* Of a step whose loops go over all its nodes: of one that is computed beside the root the shape knows nothing. */
static LoopNest nest_of(const Step *s)
{
	require(s->shape->count == s->node_count);
	return (LoopNest){.nodes = s->nodes, .node_count = s->node_count, .shape = *s->shape};
}

LoopNest loops_of_step(Arena *a, const Step *s, const Target *target)
{
	LoopNest nest = nest_of(s);
	if (target->archs)
		nest.arch = target_arch(target);
	nest.remainders = target->remainders;
	const Domain *d = &nest.shape.domain;
	bool mergeable[LIMIT_RANK];
	for (int i = 0; i < LIMIT_RANK; i++)
		mergeable[i] = i + 1 < d->rank && d->reduced[i] == d->reduced[i + 1];
	for (int i = 0; i < s->node_count; i++) {
		nest.reductions += (s->nodes[i]->op->flags & OP_REDUCE) != 0;
		find_mergeable(&nest, s->nodes[i], i, mergeable);
	}
	for (int i = 0; i < s->read_count + s->write_count; i++) {
		const Buffer *b = i < s->read_count ? s->reads[i] : s->writes[i - s->read_count];
		if (b->pitch) /* the last dimension of the domain is that of its rows */
			mergeable[d->rank - 2] = false;
	}
	merge_dimensions(&nest, mergeable);
	for (int i = 0; i < nest.loop_count; i++)
		nest.loops[i].var = arena_printf(a, "i%d", i);
	nest.first_reduced = nest.loop_count;
	nest.first_inner = nest.loop_count;
	for (int i = nest.loop_count - 1; i >= 0; i--)
		if (nest.loops[i].reduced)
			nest.first_reduced = i;
	for (int i = nest.loop_count - 1; i >= 0 && !nest.loops[i].reduced && d->has_reduction; i--)
		if (i > nest.first_reduced)
			nest.first_inner = i;
	nest.outer = d->outer;
	nest.middle = d->middle;
	nest.inner = d->inner;
	nest.chunks = domain_chunks(d);
	if (nest.chunks && nest.loops[nest.first_reduced].count < nest.chunks)
		nest.chunks = (int)nest.loops[nest.first_reduced].count;
	return nest;
}

/* How an access goes through the loops: the stride of each dimension of the domain, and the places of its indices. */
typedef struct Access {
	int64_t stride[LIMIT_RANK];
	Place place[LIMIT_RANK];
} Access;

static void set_own_places(Access *access)
{
	for (int i = 0; i < LIMIT_RANK; i++)
		access->place[i] = OWN_PLACE;
}

/* Whether some of the indices 0 to `last` are outside, above. Below are those with a negative `plus`. */
static bool falls_above(const Place *p, int64_t last)
{
	return last * p->times + p->plus >= p->count * p->over;
}

/* "i1 * 2 - 1": what is divided for the place of index `var`. */
static const char *place_numerator(Arena *a, const Place *p, const char *var)
{
	return index_plus(a, index_times(a, var, p->times), p->plus);
}

/* The place of index `var`, the nearest one where it has none. */
static const char *place_index(Arena *a, const Place *p, const char *var, int64_t last)
{
	if (place_is_own(p))
		return var;
	const char *from = place_numerator(a, p, var), *whole = from;
	if (p->over > 1)
		whole = arena_printf(a, p->plus || p->times > 1 ? "(%s) / %lld" : "%s / %lld", from,
		                     (long long)p->over);
	if (falls_above(p, last))
		whole = arena_printf(a, "%s < %lld ? %s : %lld", from, (long long)(p->count * p->over), whole,
		                     (long long)(p->count - 1));
	if (p->plus < 0)
		whole = arena_printf(a, "%s < 0 ? 0 : %s", from, whole);
	return arena_printf(a, "(%s)", whole);
}

/* The index of the loop that dimension i of the domain is in. */
static const char *read_index(const LoopNest *nest, int i)
{
	return nest->loops[nest->merged[i]].var;
}

static char *index_text(Arena *a, const LoopNest *nest, const Access *access)
{
	const Domain *d = &nest->shape.domain;
	char *text = NULL;
	for (int i = 0; i < d->rank; i++) {
		/* the last dimension of a merged loop has its stride */
		if (i + 1 < d->rank && nest->merged[i + 1] == nest->merged[i])
			continue;
		if (access->stride[i] == 0)
			continue;
		const char *var = place_index(a, &access->place[i], read_index(nest, i), d->dim[i] - 1);
		char *term = access->stride[i] == 1
		                     ? arena_strdup(a, var)
		                     : arena_printf(a, "%s * %lld", var, (long long)access->stride[i]);
		text = text ? arena_printf(a, "%s + %s", text, term) : term;
	}
	if (!text && nest->loop_count == 0 && nest->origin)
		return arena_strdup(a, nest->origin);
	return text ? text : "0";
}

static Access access_of(const LoopNest *nest, int position, Type x)
{
	const Node *n = nest->nodes[position];
	bool own = shape_equal(x, n->type) &&
	           !(n->op->flags & OP_REDUCE && !shape_equal(x, n->operands[0]->type));
	Level level = own ? nest->shape.level[position] : reader_level(nest, position);
	Access access;
	domain_strides(&nest->shape.domain, own ? n->type : reader_type(n), level, x, access.stride);
	set_own_places(&access);
	if (!own && (n->op->flags & OP_PLACED))
		domain_places(&nest->shape.domain, n, level, access.place);
	return access;
}

char *loop_place(Arena *a, const LoopNest *nest, int position, Type x, int64_t pitch)
{
	Access access = access_of(nest, position, x);
	const int last = nest->shape.domain.rank - 1;
	require(!pitch || (last >= 1 && access.stride[last] == 1));
	for (int i = 0; i < last && pitch; i++)
		access.stride[i] = access.stride[i] / x.dim[x.rank - 1] * pitch;
	return index_text(a, nest, &access);
}

char *loop_index(Arena *a, const LoopNest *nest, int position, Type x)
{
	return loop_place(a, nest, position, x, 0);
}

/* Whether neighbouring indices, of which the last is `last`, have neighbouring places, all of them there. */
static bool is_shifted(const Place *p, int64_t last)
{
	return place_is_own(p) || (p->times == 1 && p->over == 1 && p->plus >= 0 && !falls_above(p, last));
}

int64_t loop_last_stride(const LoopNest *nest, int position, Type x)
{
	const Domain *d = &nest->shape.domain;
	Access access = access_of(nest, position, x);
	int last = d->rank - 1;
	return last >= 0 && is_shifted(&access.place[last], d->dim[last] - 1) ? access.stride[last] : 0;
}

bool loop_runs_through(const LoopNest *nest, int position, Type x)
{
	const Domain *d = &nest->shape.domain;
	const Access access = access_of(nest, position, x);
	int64_t below = 1;
	for (int i = d->rank - 1; i >= 0; below *= d->dim[i--])
		if (d->dim[i] > 1 && (access.stride[i] != below || !place_is_own(&access.place[i])))
			return false;
	return true;
}

bool loop_keeps_multiples(const LoopNest *nest, int position, Type x, int64_t elements)
{
	const int last = nest->shape.domain.rank - 1;
	const Node *n = nest->nodes[position];
	Access access = access_of(nest, position, x);
	if (!(n->op->flags & OP_PLACED) || shape_equal(x, n->type))
		return true;
	bool all = node_offset(n, x) % elements == 0 && (last < 0 || access.place[last].plus % elements == 0);
	for (int i = 0; i < last; i++)
		all = all && access.stride[i] % elements == 0;
	return all;
}

static const char *also(Arena *a, const char *text, const char *condition)
{
	return text ? arena_printf(a, "%s && %s", text, condition) : condition;
}

const char *loop_on(Arena *a, const LoopNest *nest, int position)
{
	const Domain *d = &nest->shape.domain;
	Place place[LIMIT_RANK];
	const char *text = NULL;
	domain_places(d, nest->nodes[position], nest->shape.level[position], place);
	for (int i = 0; i < d->rank; i++) {
		const Place *p = &place[i];
		/* of a slice all places are there: its index is not read for that */
		if (place_is_own(p) || !(p->plus < 0 || p->over > 1 || falls_above(p, d->dim[i] - 1)))
			continue;
		const char *from = place_numerator(a, p, read_index(nest, i));
		if (p->plus < 0)
			text = also(a, text, arena_printf(a, "%s >= 0", from));
		if (falls_above(p, d->dim[i] - 1))
			text = also(a, text,
			            arena_printf(a, "%s < %lld", from, (long long)(p->count * p->over)));
		if (p->over > 1)
			text = also(a, text,
			            arena_printf(a, p->plus ? "(%s) %% %lld == 0" : "%s %% %lld == 0", from,
			                         (long long)p->over));
	}
	return text ? text : "1";
}

bool loop_runs_along(const LoopNest *nest, int position, Type x, bool reduced)
{
	const Domain *d = &nest->shape.domain;
	Access access = access_of(nest, position, x);
	for (int i = 0; i < d->rank; i++)
		if (d->reduced[i] == reduced && access.stride[i] != 0)
			return true;
	return false;
}

const char *loop_last_index(Arena *a, const LoopNest *nest, int position)
{
	Access access;
	const Node *n = nest->nodes[position];
	const Domain *d = &nest->shape.domain;
	set_own_places(&access);
	last_index_strides(d, reader_type(n), reader_level(nest, position), access.stride);
	const char *text = index_text(a, nest, &access);
	for (int i = 1; i < d->rank && takes_remainder(nest, n->type); i++)
		if (access.stride[i] == 1 && nest->merged[i] == nest->merged[i - 1])
			return arena_printf(a, "%s %% %lld", text, (long long)d->dim[i]);
	return text;
}

char *loop_linear_index(Arena *a, const LoopNest *nest, int first)
{
	char *text = NULL;
	int64_t stride = 1;
	for (int i = nest->loop_count - 1; i >= first; i--) {
		const char *var = nest->loops[i].var;
		char *term = stride == 1 ? arena_strdup(a, var)
		                         : arena_printf(a, "%s * %lld", var, (long long)stride);
		text = text ? arena_printf(a, "%s + %s", term, text) : term;
		stride *= nest->loops[i].count;
	}
	return text ? text : "0";
}

/* In brackets, unless it is a single word. */
static const char *as_factor(Arena *a, const char *text)
{
	return is_c_word(text) ? text : arena_printf(a, "(%s)", text);
}

LoopNest loops_of_epilogue(Arena *a, const Step *s, const char *row, const char *col)
{
	LoopNest nest = nest_of(s);
	const Domain *d = &nest.shape.domain;
	Type t = s->root->type;
	bool has_cols = t.rank > 0 && t.dim[t.rank - 1] > 1, mergeable[LIMIT_RANK];
	for (int i = 0; i < LIMIT_RANK; i++)
		mergeable[i] = i + 1 < d->rank - has_cols;
	for (int i = 0; i < s->node_count; i++)
		if (s->nodes[i] != s->root)
			find_mergeable(&nest, s->nodes[i], i, mergeable);
	merge_dimensions(&nest, mergeable);
	int rows = nest.loop_count - has_cols;
	int64_t below = 1;
	nest.origin = arena_printf(a, "%s + %s", row, col);
	if (!has_cols && strcmp(col, "0") != 0)
		row = arena_printf(a, "%s + %s", row, col);
	row = as_factor(a, row);
	for (int i = rows - 1; i >= 0; i--) {
		if (rows == 1)
			nest.loops[i].var = row;
		else if (i == 0)
			nest.loops[i].var = arena_printf(a, "(%s / %lld)", row, (long long)below);
		else if (below == 1)
			nest.loops[i].var =
			        arena_printf(a, "(%s %% %lld)", row, (long long)nest.loops[i].count);
		else
			nest.loops[i].var = arena_printf(a, "(%s / %lld %% %lld)", row, (long long)below,
			                                 (long long)nest.loops[i].count);
		below *= nest.loops[i].count;
	}
	if (has_cols && rows > 0)
		nest.loops[rows].var = as_factor(a, col);
	else if (has_cols) /* a single row: its number, 0, is there for the caller's variable to be used */
		nest.loops[rows].var =
		        arena_printf(a, "(%s * %lld + %s)", row, (long long)nest.loops[rows].count, col);
	nest.first_reduced = nest.first_inner = nest.loop_count;
	return nest;
}
