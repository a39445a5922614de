/* SPDX-License-Identifier: MIT */
/* Loop domains: see domain.h. */
#include "ir/domain.h"
#include "ir/op.h"

int squeeze(Type t, int64_t dim[LIMIT_RANK])
{
	int count = 0;
	for (int i = 0; i < t.rank; i++)
		if (t.dim[i] > 1)
			dim[count++] = t.dim[i];
	return count;
}

bool type_has_rows(Type t, int64_t rows)
{
	int64_t dim[LIMIT_RANK];
	const int rank = squeeze(t, dim);
	return rank >= 1 && rank <= 2 && dim[0] == rows;
}

bool reshape_is_squeeze(const Node *n)
{
	if (!(n->op->flags & OP_RESHAPES))
		return false;
	int64_t from[LIMIT_RANK], to[LIMIT_RANK];
	int count = squeeze(n->operands[0]->type, from);
	if (count != squeeze(n->type, to))
		return false;
	for (int i = 0; i < count; i++)
		if (from[i] != to[i])
			return false;
	return true;
}

bool node_is_fusible(const Node *n)
{
	return (n->op->flags & (OP_POINTWISE | OP_REDUCE)) || reshape_is_squeeze(n);
}

/* `budget`: nodes that may still be looked at, one read twice counted twice, as it is written out twice. */
static bool is_inline_tree(const Node *n, int *budget)
{
	if (--*budget < 0)
		return false;
	if (node_is_constant(n) || node_is_scalar(n))
		return true;
	if (reshape_is_squeeze(n))
		return is_inline_tree(n->operands[0], budget);
	if (!(n->op->flags & OP_POINTWISE) || n->op->place)
		return false;
	for (int i = 0; i < n->operand_count; i++)
		if (type_elements(n->operands[i]->type) != 1 || !is_inline_tree(n->operands[i], budget))
			return false;
	return n->operand_count == 0 || type_elements(n->type) == 1 || (n->op->flags & OP_CHEAP);
}

bool node_is_inline(const Node *n)
{
	int budget = INLINE_NODES;
	return is_inline_tree(n, &budget);
}

static void measure(Domain *d)
{
	d->outer = d->middle = d->inner = 1;
	int state = 0; /* before, in, after the reduced dimensions */
	for (int i = 0; i < d->rank; i++) {
		if (d->reduced[i]) {
			if (state == 2)
				d->separated = true;
			state = 1;
			d->middle *= d->dim[i];
		} else if (state == 0) {
			d->outer *= d->dim[i];
		} else {
			state = 2;
			d->inner *= d->dim[i];
		}
	}
}

static Domain domain_of_map(Type t)
{
	Domain d = {0};
	d.rank = squeeze(t, d.dim);
	measure(&d);
	return d;
}

Domain domain_of_reduction(const Node *n)
{
	Domain d = {.has_reduction = true};
	Type from = n->operands[0]->type;
	int count;
	const int64_t *axes = node_ints(n, "axes", &count);
	for (int i = 0; i < from.rank; i++) {
		if (from.dim[i] == 1)
			continue;
		for (int k = 0; k < count; k++)
			if (axes[k] == i)
				d.reduced[d.rank] = true;
		d.dim[d.rank++] = from.dim[i];
	}
	measure(&d);
	return d;
}

static bool domains_equal(const Domain *x, const Domain *y)
{
	if (x->rank != y->rank)
		return false;
	for (int i = 0; i < x->rank; i++)
		if (x->dim[i] != y->dim[i] || x->reduced[i] != y->reduced[i])
			return false;
	return true;
}

void operand_strides(Type user, Type operand, int64_t stride[LIMIT_RANK])
{
	int64_t full[LIMIT_RANK] = {0}, step = 1;
	for (int i = user.rank - 1, k = operand.rank - 1; i >= 0; i--, k--) {
		if (k >= 0 && operand.dim[k] > 1) {
			full[i] = step;
			step *= operand.dim[k];
		}
	}
	int count = 0;
	for (int i = 0; i < user.rank; i++)
		if (user.dim[i] > 1)
			stride[count++] = full[i];
}

bool place_is_own(const Place *p)
{
	return p->times == 1 && p->plus == 0 && p->over == 1 && p->count == 0;
}

void node_places(const Node *n, Place place[LIMIT_RANK])
{
	int count = 0;
	for (int i = 0; i < n->type.rank; i++) {
		if (n->type.dim[i] == 1)
			continue;
		Place *p = &place[count++];
		*p = OWN_PLACE;
		if (!n->op->place)
			continue;
		n->op->place(n, i, p);
		if (p->times == 1 && p->plus == 0 && p->over == 1 && p->count >= n->type.dim[i])
			p->count = 0;
	}
}

int64_t node_offset(const Node *n, Type operand)
{
	int64_t offset = 0, step = 1;
	for (int i = n->type.rank - 1; i >= 0 && n->op->place && (n->op->flags & OP_PLACED); i--) {
		Place p = OWN_PLACE;
		n->op->place(n, i, &p);
		if (n->type.dim[i] == 1)
			offset += p.plus / p.over * step;
		step *= operand.dim[i];
	}
	return offset;
}

int domain_chunks(const Domain *d)
{
	enum { ENOUGH_UNITS = 16, SMALL = 4096, ROWS_A_CHUNK = 64, MOST_CHUNKS = 128 };
	if (!d->has_reduction || d->outer >= ENOUGH_UNITS || d->outer * d->middle * d->inner <= SMALL)
		return 0;
	int64_t chunks = d->middle / (d->inner == 1 ? 32 * ROWS_A_CHUNK : ROWS_A_CHUNK);
	return chunks < 2 ? 0 : chunks > MOST_CHUNKS ? MOST_CHUNKS : (int)chunks;
}

/* A block keeps at most 64 KiB of a tensor, so that two fit into its registers; SLAB_BLOCKS of them share a slab, and
 * all slabs together take the 128 multiprocessors once. */
static bool domain_fits_slabs(const Domain *d)
{
	enum { BLOCK_ELEMENTS = 16384, BLOCKS = 128 };
	bool columns = d->has_reduction && d->outer == 1 && d->inner == d->dim[d->rank - 1];
	return columns && d->inner % SLAB_COLUMNS == 0 &&
	       d->middle <= SLAB_BLOCKS * BLOCK_ELEMENTS / SLAB_COLUMNS &&
	       d->middle * d->inner <= (int64_t)BLOCKS * BLOCK_ELEMENTS;
}

/* True when the squeezed type is the dimensions of the domain that values of this level run along. */
static bool spans(const Domain *d, Type t, Level level)
{
	int64_t dim[LIMIT_RANK];
	int count = squeeze(t, dim), k = 0;
	for (int i = 0; i < d->rank; i++) {
		if (!level_runs_along(level, d->reduced[i]))
			continue;
		if (k >= count || dim[k++] != d->dim[i])
			return false;
	}
	return k == count;
}

/* True when `operand`, broadcast into a node of type `user` that spans the domain, runs along the kept dimensions. */
static bool runs_along_kept(const Domain *d, Type user, Type operand)
{
	int64_t stride[LIMIT_RANK];
	operand_strides(user, operand, stride);
	for (int i = 0; i < d->rank; i++)
		if ((stride[i] != 0) == d->reduced[i])
			return false;
	return true;
}

static int position_of(Node *const *nodes, int count, const Node *n)
{
	for (int lo = 0, hi = count - 1; lo <= hi;) {
		int mid = (lo + hi) / 2;
		if (nodes[mid] == n)
			return mid;
		if (nodes[mid]->id < n->id)
			lo = mid + 1;
		else
			hi = mid - 1;
	}
	return -1;
}

/* Whether y reduces what x keeps, and keeps what x reduces. */
static bool are_crossed(const Domain *x, const Domain *y)
{
	if (x->rank != y->rank)
		return false;
	for (int i = 0; i < x->rank; i++)
		if (x->dim[i] != y->dim[i] || x->reduced[i] == y->reduced[i])
			return false;
	return true;
}

/* Whether y reduces all that x keeps. */
static bool sums_rows(const Domain *x, const Domain *y)
{
	int k = 0;
	for (int i = 0; i < x->rank; i++)
		if (!x->reduced[i] && (k >= y->rank || !y->reduced[k] || y->dim[k++] != x->dim[i]))
			return false;
	return k == y->rank;
}

static bool are_rows(const Domain *d)
{
	return d->inner == 1 && domain_chunks(d) == 0;
}

/* The domain of the reductions; where they differ, that of the rows which the others sum up. */
static const char *reduction_domain(Node *const *nodes, int count, Domain *d, bool *resident)
{
	for (int i = 0; i < count; i++) {
		if (!(nodes[i]->op->flags & OP_REDUCE))
			continue;
		Domain r = domain_of_reduction(nodes[i]);
		if (r.separated)
			return "its reduced axes are not neighbours";
		*resident = *resident || (d->has_reduction && !domains_equal(d, &r));
		if (!d->has_reduction || (r.inner == 1 && r.rank > d->rank) ||
		    (r.inner == 1 && r.rank == d->rank && d->inner > 1))
			*d = r;
	}
	if (!*resident)
		return NULL;
	for (int i = 0; i < count; i++) {
		if (!(nodes[i]->op->flags & OP_REDUCE))
			continue;
		Domain r = domain_of_reduction(nodes[i]);
		if (domains_equal(d, &r))
			continue;
		if (!are_crossed(d, &r) && !sums_rows(d, &r))
			return "it sums over other axes";
		if (!(nodes[i]->op->flags & OP_ADDS))
			return "only sums can be taken over all rows";
	}
	if (!are_rows(d) || d->middle < RESIDENT_SHORTEST || d->middle > RESIDENT_LONGEST)
		return "it sums over other axes, and what it sums has no room on chip until then";
	return NULL;
}

static Level level_of(const KernelShape *s, Node *const *nodes, int count, const Node *n)
{
	const Domain *d = &s->domain;
	if (n->op->flags & OP_REDUCE) {
		Domain r = domain_of_reduction(n);
		return domains_equal(d, &r) ? LEVEL_REDUCED : are_crossed(d, &r) ? LEVEL_ACROSS : LEVEL_TOTAL;
	}
	bool reduced = false;
	for (int k = 0; k < n->operand_count; k++) {
		int at = position_of(nodes, count, n->operands[k]);
		if (at >= 0 && level_is_final(s->level[at]))
			return s->level[at];
		bool same_size = type_elements(n->operands[k]->type) == type_elements(n->type);
		if (at >= 0 && s->level[at] == LEVEL_REDUCED && same_size)
			reduced = true;
	}
	return reduced || !spans(d, n->type, LEVEL_FULL) ? LEVEL_REDUCED : LEVEL_FULL;
}

/* Sums of columns go over the batch; a single one, as of the parameters' squares, over all that there is. */
static const char *needs_sum(const Domain *d)
{
	return d->outer * d->inner == 1 ? "it needs a sum over all elements first"
	                                : "it needs a sum over the whole batch first";
}

/* Whether node n of a level can read x, in the same kernel, at its level. NULL, or the reason why not. */
static const char *can_read(const Domain *d, const Node *n, Level level, const Node *x, Level from)
{
	bool same_size = type_elements(x->type) == type_elements(n->type), reduces = n->op->flags & OP_REDUCE;
	if (level_is_final(from))
		return level == from && !reduces ? NULL : needs_sum(d);
	if (reduces && level == LEVEL_TOTAL)
		return from == LEVEL_REDUCED ? NULL : "it sums over other axes";
	if (level_is_final(level) && !reduces)
		return "it reads what the kernel sums over the whole batch in another way";
	if (from == LEVEL_FULL) {
		if (level == LEVEL_REDUCED && !reduces)
			return "it reads what the kernel reduces over in another way";
		return reduces || same_size ? NULL : "it broadcasts a value of the kernel";
	}
	if (reduces)
		return "it reduces a reduced value again";
	if (level == LEVEL_FULL)
		return runs_along_kept(d, n->type, x->type)
		               ? NULL
		               : "it broadcasts a reduced value along another dimension";
	return same_size ? NULL : "it broadcasts a reduced value";
}

/* Operations for an element, of which its operands take `before`: 0, 1, or 2 for more. */
static int count_operations(const Node *n, int before)
{
	if (!(n->op->flags & (OP_POINTWISE | OP_ALIAS)))
		return 0;
	const int count = before + ((n->op->flags & OP_POINTWISE) ? n->op->expr_flops : 0);
	return count < 2 ? count : 2;
}

/* Of what is computed, not with a number or what is given. */
static bool is_comparison(const Node *n)
{
	bool made = node_is(n, "eq");
	for (int k = 0; k < 2 && made; k++)
		made = !node_is_leaf(n->operands[k]) && !node_is_inline(n->operands[k]);
	return made;
}

const char *kernel_shape(Arena *a, Node *const *nodes, int count, KernelShape *shape)
{
	*shape = (KernelShape){.count = count,
	                       .level = NEW_ARRAY(a, Level, count),
	                       .phase = NEW_ARRAY(a, int, count),
	                       .phases = 1};
	Domain *d = &shape->domain;
	const char *why = reduction_domain(nodes, count, d, &shape->resident);
	if (why)
		return why;
	int64_t most = 0;
	int *operations = NEW_ARRAY(a, int, count);
	for (int i = 0; i < count && !d->has_reduction; i++) {
		if (type_elements(nodes[i]->type) > most) {
			most = type_elements(nodes[i]->type);
			*d = domain_of_map(nodes[i]->type);
		}
	}
	for (int i = 0; i < count; i++) {
		const Node *n = nodes[i];
		int phase = 0, before = 0, first = count;
		Level level = level_of(shape, nodes, count, n);
		if (!spans(d, n->type, level))
			return "its shape is not that of the kernel's loops";
		for (int k = 0; k < n->operand_count; k++) {
			int at = position_of(nodes, count, n->operands[k]);
			if (at < 0)
				continue;
			if ((why = can_read(d, n, level, n->operands[k], shape->level[at])) != NULL)
				return why;
			int after =
			        shape->phase[at] + (level == LEVEL_FULL && shape->level[at] == LEVEL_REDUCED);
			if (after > phase)
				phase = after;
			before += operations[at];
			first = operations[at] > 1 && shape->phase[at] < first ? shape->phase[at] : first;
		}
		operations[i] = count_operations(n, before);
		if (is_comparison(n) && first < phase && d->middle > LONGEST_KEPT_ROW)
			return "it would compute twice what it compares, in rows too long to keep";
		if (phase > 0 && !are_rows(d) && !domain_fits_slabs(d))
			return needs_sum(d);
		shape->level[i] = level;
		shape->phase[i] = phase;
		if (level == LEVEL_FULL && phase + 1 > shape->phases)
			shape->phases = phase + 1;
	}
	return NULL;
}

/* What a conversion that loses nothing, or a view, is of. */
static const Node *unconverted(const Node *n)
{
	while ((n->op->flags & (OP_CONVERTS | OP_ALIAS)) &&
	       dtype_bytes(n->type.dtype) >= dtype_bytes(n->operands[0]->type.dtype))
		n = n->operands[0];
	return n;
}

/* Whether n adds a product that others read too: compilers make one operation of both, or not, by what stands around
 * it. */
static bool adds_shared_product(const Node *n, const Node *x, int uses)
{
	return (node_is(n, "add") || node_is(n, "sub")) && (x->op->flags & OP_POINTWISE) && uses > 1 &&
	       (!(x->op->flags & OP_CHEAP) || node_is(x, "mul") || node_is(x, "scale"));
}

bool *graph_compared(Arena *a, const Graph *g)
{
	bool *compared = NEW_ARRAY(a, bool, g->count), *open = NEW_ARRAY(a, bool, g->count);
	const int *uses = graph_use_counts(a, g);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		for (int k = 0; k < n->operand_count && n->op->flags & (OP_POINTWISE | OP_ALIAS); k++) {
			const Node *x = n->operands[k];
			const bool whole =
			        type_elements(x->type) == type_elements(n->type); /* others are kept */
			open[i] |= whole && (open[x->id] || adds_shared_product(n, x, uses[x->id]));
			if (is_comparison(n) && open[x->id])
				compared[unconverted(x)->id] = true;
		}
	}
	for (int i = g->count - 1; i >= 0; i--) /* so do those products stay one */
		for (int k = 0; k < g->nodes[i]->operand_count && compared[i]; k++) {
			const Node *x = g->nodes[i]->operands[k];
			compared[x->id] |= open[x->id] || adds_shared_product(g->nodes[i], x, uses[x->id]);
		}
	return compared;
}
