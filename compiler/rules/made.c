/* What rules make that no formula says: make_NAME is `-> @NAME(...)`. */
#include "ir/known.h"
#include "ir/op.h"
#include "rules/conditions.h"
#include "rules/rules.h"

#include <string.h>

RuleMaker make_triangle, make_later, make_fill_below, make_fill_above, make_repeat_rows, make_repeat_pieces,
        make_ones_back;

/* ---- masks */

Node *make_triangle(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Type t = n->type;
	const Attr attrs[] = {attr_int("n", t.dim[t.rank - 1]), attr_ints("shape", t.dim, t.rank)};
	return build(b, "lower_triangle", 0, NULL, 2, attrs);
}

Node *make_later(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	return build2(b, "eq", make_triangle(r, b, n, x), build_constant(b, 0));
}

static Node *number_of(Build *b, const Node *known)
{
	double number;
	require(known_number(known, &number));
	return build_constant(b, number);
}

Node *make_fill_below(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	return build3(b, "select", x[0].made, x[1].made, number_of(b, x[2].node));
}

Node *make_fill_above(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	return build3(b, "select", x[0].made, number_of(b, x[1].node), x[2].made);
}

/* ---- repeat */

/* x, each of its indices along the axis `times` times in a row. */
static Node *repeat_along(Build *b, Node *x, int64_t axis, int64_t times)
{
	const Type t = x->type;
	int64_t dim[LIMIT_RANK + 1];
	if (t.rank == LIMIT_RANK)
		return NULL;
	memcpy(dim, t.dim, (size_t)(axis + 1) * sizeof *dim);
	memcpy(dim + axis + 2, t.dim + axis + 1, (size_t)(t.rank - axis - 1) * sizeof *dim);
	dim[axis + 1] = 1;
	Node *apart = build_reshape(b, x, t.rank + 1, dim);
	dim[axis + 1] = times;
	Node *y = build_broadcast(b, apart, t.rank + 1, dim);
	memcpy(dim, t.dim, sizeof t.dim);
	dim[axis] *= times;
	return build_reshape(b, y, t.rank, dim);
}

/* Rows of x by an index that says each so many times in a row. */
Node *make_repeat_rows(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const int64_t rows = x[0].node->type.dim[0], count = type_elements(x[1].node->type),
	              times = count / rows;
	if (times < 2 || count % rows != 0)
		return NULL;
	Arena *scratch = arena_new();
	const double *index = known_values(scratch, x[1].node);
	bool repeats = index != NULL;
	for (int64_t i = 0; repeats && i < count; i++)
		repeats = index[i] == (double)(i / times);
	arena_free(scratch);
	Node *y = repeats ? repeat_along(b, x[0].made, 0, times) : NULL;
	return y ? build_reshape(b, y, n->type.rank, n->type.dim) : NULL;
}

/* What piece `at` of n is cut out of, where all pieces are neighbours in it that each stand so many times in a row; a
 * piece that is the whole is such a neighbour alone. NULL: they are not. */
static const Node *cut_of(const Node *n, int64_t axis, int at, int64_t *start)
{
	const Node *piece = n->operands[at];
	const bool slice = piece->op->move == MOVE_SLICE && node_int(piece, "axis") == axis;
	*start = slice ? node_int(piece, "start") : 0;
	return slice ? piece->operands[0] : piece;
}

/* Pieces of one tensor side by side, each of one index along the axis, several times in a row. */
Node *make_repeat_pieces(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const int64_t axis = x[0].attr->i;
	int64_t start;
	const Node *whole = cut_of(n, axis, 0, &start);
	const int64_t count = whole->type.dim[axis], times = n->operand_count / count;
	if (times < 2 || n->operand_count % count != 0)
		return NULL;
	for (int i = 0; i < n->operand_count; i++)
		if (cut_of(n, axis, i, &start) != whole || n->operands[i]->type.dim[axis] != 1 ||
		    start != i / times)
			return NULL;
	return repeat_along(b, r->now[whole->id], axis, times);
}

/* ---- reshapes */

enum { DEEPEST = 4 };

static bool same_but_ones(Type x, Type y)
{
	int i = 0, k = 0;
	for (;; i++, k++) {
		while (i < x.rank && x.dim[i] == 1)
			i++;
		while (k < y.rank && y.dim[k] == 1)
			k++;
		if (i == x.rank || k == y.rank)
			return i == x.rank && k == y.rank;
		if (x.dim[i] != y.dim[k])
			return false;
	}
}

/* What x is, computed in the shape `as` of what a reshape ahead of some pointwise steps with numbers is of; NULL: it is
 * not that. */
static Node *in_shape(const Rules *r, Build *b, const Node *x, const Type *as, int depth)
{
	if (x->op->flags & OP_RESHAPES)
		return shape_equal(x->operands[0]->type, *as) ? r->now[x->operands[0]->id] : NULL;
	if (depth == 0 || !(x->op->flags & OP_POINTWISE) || x->op->flags & (OP_INDEXED | OP_SEEDED) ||
	    x->op->place || x->op->move != MOVE_NONE || x->operand_count < 1 || x->operand_count > 2)
		return NULL;
	Node *operands[2];
	for (int i = 0; i < x->operand_count; i++) {
		const Node *y = x->operands[i];
		operands[i] = node_is_constant(y) ? r->now[y->id] : in_shape(r, b, y, as, depth - 1);
		if (!operands[i])
			return NULL;
	}
	return build(b, x->op->name, x->operand_count, operands, x->attr_count, x->attrs);
}

Node *make_ones_back(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *y = x[0].node;
	const bool steps = !(y->op->flags & OP_RESHAPES) && !node_is_constant(y);
	return steps && same_but_ones(y->type, n->type) ? in_shape(r, b, y, &n->type, DEEPEST) : NULL;
}
