/* Loop domains: see domain.h. */
#include "passes/domain.h"
#include "ops/op.h"

int squeeze(Type t, int64_t dim[LIMIT_RANK])
{
	int count = 0;
	for (int i = 0; i < t.rank; i++)
		if (t.dim[i] > 1)
			dim[count++] = t.dim[i];
	return count;
}

bool reshape_is_squeeze(const Node *n)
{
	if (!node_is(n, "reshape"))
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

bool node_is_inline(const Node *n)
{
	if (node_is(n, "constant") || node_is(n, "scalar"))
		return true;
	if (reshape_is_squeeze(n))
		return node_is_inline(n->operands[0]);
	if (!(n->op->flags & OP_POINTWISE))
		return false;
	for (int i = 0; i < n->operand_count; i++)
		if (type_elements(n->operands[i]->type) != 1 || !node_is_inline(n->operands[i]))
			return false;
	return n->operand_count == 0 || type_elements(n->type) == 1 || (n->op->flags & OP_CHEAP);
}

static void measure(Domain *d)
{
	d->outer = d->middle = d->inner = 1;
	int state = 0; /* before, in, behind the reduced dimensions */
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

Domain domain_of_map(Type t)
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

int domain_chunks(const Domain *d)
{
	enum { ENOUGH_UNITS = 16, SMALL = 4096, ROWS_A_CHUNK = 64, MOST_CHUNKS = 128 };
	if (!d->has_reduction || d->outer >= ENOUGH_UNITS || d->outer * d->middle * d->inner <= SMALL)
		return 0;
	int64_t chunks = d->middle / (d->inner == 1 ? 32 * ROWS_A_CHUNK : ROWS_A_CHUNK);
	return chunks < 2 ? 0 : chunks > MOST_CHUNKS ? MOST_CHUNKS : (int)chunks;
}

/* True when the squeezed type is the domain's kept dimensions, or all of them. */
static bool spans(const Domain *d, Type t, Level level)
{
	int64_t dim[LIMIT_RANK];
	int count = squeeze(t, dim), k = 0;
	for (int i = 0; i < d->rank; i++) {
		if (level == LEVEL_REDUCED && d->reduced[i])
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

const char *kernel_shape(Arena *a, Node *const *nodes, int count, KernelShape *shape)
{
	Domain d = {0};
	int64_t most = 0;
	for (int i = 0; i < count; i++) {
		if (nodes[i]->op->flags & OP_REDUCE) {
			Domain r = domain_of_reduction(nodes[i]);
			if (r.separated)
				return "its reduced axes are not neighbours";
			if (d.has_reduction && !domains_equal(&d, &r))
				return "it reduces over another domain";
			d = r;
		}
	}
	for (int i = 0; i < count && !d.has_reduction; i++) {
		if (type_elements(nodes[i]->type) > most) {
			most = type_elements(nodes[i]->type);
			d = domain_of_map(nodes[i]->type);
		}
	}
	shape->domain = d;
	shape->level = NEW_ARRAY(a, Level, count);
	shape->phase = NEW_ARRAY(a, int, count);
	shape->phases = 1;
	bool rows = d.inner == 1 && domain_chunks(&d) == 0;
	for (int i = 0; i < count; i++) {
		const Node *n = nodes[i];
		bool reduces = n->op->flags & OP_REDUCE, behind = reduces;
		int phase = 0;
		for (int k = 0; k < n->operand_count; k++) {
			int at = position_of(nodes, count, n->operands[k]);
			if (at < 0)
				continue;
			bool same_size = type_elements(n->operands[k]->type) == type_elements(n->type);
			if (shape->level[at] == LEVEL_REDUCED && same_size && !reduces)
				behind = true;
		}
		Level level = behind || !spans(&d, n->type, LEVEL_FULL) ? LEVEL_REDUCED : LEVEL_FULL;
		if (!spans(&d, n->type, level))
			return "its shape is not that of the kernel's loops";
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = n->operands[k];
			int at = position_of(nodes, count, x);
			if (at < 0)
				continue;
			bool same_size = type_elements(x->type) == type_elements(n->type);
			if (shape->level[at] == LEVEL_FULL) {
				if (level == LEVEL_REDUCED && !reduces)
					return "it reads what the kernel reduces over in another way";
				if (!reduces && !same_size)
					return "it broadcasts a value of the kernel";
				if (shape->phase[at] > phase)
					phase = shape->phase[at];
			} else if (reduces) {
				return "it reduces a reduced value again";
			} else if (level == LEVEL_FULL) {
				if (!runs_along_kept(&d, n->type, x->type))
					return "it broadcasts a reduced value along another dimension";
				if (shape->phase[at] + 1 > phase)
					phase = shape->phase[at] + 1;
			} else {
				if (!same_size)
					return "it broadcasts a reduced value";
				if (shape->phase[at] > phase)
					phase = shape->phase[at];
			}
		}
		if (phase > 0 && !rows)
			return "it needs a sum over the whole batch first";
		shape->level[i] = level;
		shape->phase[i] = phase;
		if (level == LEVEL_FULL && phase + 1 > shape->phases)
			shape->phases = phase + 1;
	}
	return NULL;
}
