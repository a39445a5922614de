/* SPDX-License-Identifier: MIT */
/* What rules make that no formula says: make_NAME is `-> @NAME(...)`. */
#include "ir/known.h"
#include "ir/op.h"
#include "ops/compose.h"
#include "rules/conditions.h"
#include "rules/rules.h"

#include <string.h>

RuleMaker make_triangle, make_repeat_rows, make_repeat_pieces, make_repeat_of_turned, make_turned_repeat,
        make_turned_product, make_lookup, make_factor_behind, make_columns_by_table, make_rolled_by_table,
        make_rows_product, make_product_as_it_lies, make_scaled_operand, make_share_of_batch;

/* ---- masks */

Node *make_triangle(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Type t = n->type;
	const Attr attrs[] = {attr_int("n", t.dim[t.rank - 1]), attr_ints("shape", t.dim, t.rank)};
	return build(b, "lower_triangle", 0, NULL, 2, attrs);
}

MAKER(later, build2(b, "eq", make_triangle(r, b, n, x), build_constant(b, 0)));

static Node *number_of(Build *b, const Node *known)
{
	double number;
	require(known_number(known, &number));
	return build_constant(b, number);
}

MAKER(fill_below, build3(b, "select", x[0].made, x[1].made, number_of(b, x[2].node)));
MAKER(fill_above, build3(b, "select", x[0].made, number_of(b, x[1].node), x[2].made));

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

/* What piece `at` of n is cut out of, at which index; or the whole piece. */
static const Node *cut_of(const Node *n, int64_t axis, int at, int64_t *start)
{
	const Node *piece = n->operands[at];
	const bool slice = piece->op->move == MOVE_SLICE && node_int(piece, "axis") == axis;
	*start = slice ? node_int(piece, "start") : 0;
	return slice ? piece->operands[0] : piece;
}

static bool are_same(const Node *x, const Node *y)
{
	return type_equal(x->type, y->type) && node_unshaped(x) == node_unshaped(y);
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
		if (!are_same(cut_of(n, axis, i, &start), whole) || n->operands[i]->type.dim[axis] != 1 ||
		    start != i / times)
			return NULL;
	return repeat_along(b, r->now[whole->id], axis, times);
}

MAKER(repeat_by_ones, build_broadcast(b, x[0].made, n->type.rank, n->type.dim));

/* Along dimensions of 1 of what was transposed: the same before it. */
Node *make_repeat_of_turned(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *turned = n->operands[0];
	const int64_t *axes = x[1].attr->ints;
	int64_t dim[LIMIT_RANK];
	if (turned->type.rank != n->type.rank)
		return NULL;
	for (int i = 0; i < n->type.rank; i++)
		dim[axes[i]] = n->type.dim[i];
	return build_transpose(b, build_broadcast(b, x[0].made, n->type.rank, dim), axes);
}

/* Whether n is x with each index along *axis `*times` times in a row; *inner is x with a dimension of 1 behind that. */
static bool is_repeat(const Node *n, const Node **inner, int *axis, int64_t *times)
{
	const Node *wide = node_unshaped(n);
	if (wide->op->move != MOVE_BROADCAST || wide->operands[0]->type.rank != wide->type.rank ||
	    n->type.rank != wide->type.rank - 1)
		return false;
	*inner = wide->operands[0];
	*axis = -1;
	for (int i = 0; i < wide->type.rank; i++) {
		if ((*inner)->type.dim[i] == wide->type.dim[i])
			continue;
		if (*axis >= 0 || i == 0)
			return false;
		*axis = i - 1;
		*times = wide->type.dim[i];
	}
	bool fits = *axis >= 0;
	for (int i = 0; fits && i < n->type.rank; i++)
		fits = n->type.dim[i] == (i < *axis    ? wide->type.dim[i]
		                          : i == *axis ? wide->type.dim[i] * *times
		                                       : wide->type.dim[i + 1]);
	return fits;
}

/* Transposed first, and then repeated. */
Node *make_turned_repeat(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *inner;
	int axis, at = 0;
	int64_t times, dim[LIMIT_RANK];
	if (!is_repeat(x[0].node, &inner, &axis, &times))
		return NULL;
	const int64_t *axes = x[1].attr->ints;
	memcpy(dim, x[0].node->type.dim, sizeof dim);
	dim[axis] /= times;
	while (axes[at] != axis)
		at++;
	Node *narrow = build_reshape(b, r->now[inner->id], x[0].node->type.rank, dim);
	return repeat_along(b, build_transpose(b, narrow, axes), at, times);
}

/* ---- products */

/* What x is the transpose of, with the dimensions of x ahead of the last two; NULL: it is none. */
static Node *before_turning(const Rules *r, Build *b, const Node *x)
{
	const Node *from = node_turned_from(x);
	if (!from)
		return NULL;
	Type lies = x->type;
	lies.dim[lies.rank - 1] = x->type.dim[lies.rank - 2];
	lies.dim[lies.rank - 2] = x->type.dim[lies.rank - 1];
	return reshape_like(b, r->now[from->id], lies);
}

/* A product reads a matrix as it lies, where it is given the transpose of it: every kernel and library reads either
 * order at the same cost, and the transpose is a copy in each direction, of the matrix and of its gradient. */
Node *make_product_as_it_lies(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	Node *left = before_turning(r, b, n->operands[0]), *right = before_turning(r, b, n->operands[1]);
	const bool ta = node_int(n, "ta"), tb = node_int(n, "tb");
	if (!left && !right)
		return NULL;
	return build_product(b, left ? left : x[0].made, right ? right : x[1].made, ta != (left != NULL),
	                     tb != (right != NULL));
}

Node *make_turned_product(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *product = node_unshaped(x[0].node);
	const Type seen = x[0].node->type;
	if (product->op->gemm != GEMM_PRODUCT ||
	    product->type.dim[product->type.rank - 1] != seen.dim[seen.rank - 1] ||
	    product->type.dim[product->type.rank - 2] != seen.dim[seen.rank - 2])
		return NULL;
	Node *y = build_product(b, r->now[product->operands[1]->id], r->now[product->operands[0]->id],
	                        !node_int(product, "tb"), !node_int(product, "ta"));
	return build_reshape(b, y, n->type.rank, n->type.dim);
}

/* What known columns of a product pick: rows [first, first + count) times a factor. */
typedef struct Pick {
	int64_t first, count;
	double factor;
} Pick;

enum { MOST_PICKS = 4 };

/* The runs of columns of a matrix that pick rows: each column has one number that is not 0, in the row behind that of
 * the column ahead of it. 0: it has others, or more runs. */
static int find_picks(const double *k, int64_t rows, int64_t columns, Pick *picks)
{
	int count = 0;
	for (int64_t j = 0; j < columns; j++) {
		int64_t at = -1;
		for (int64_t i = 0; i < rows; i++) {
			if (k[i * columns + j] == 0)
				continue;
			if (at >= 0)
				return 0;
			at = i;
		}
		if (at < 0)
			return 0;
		const double factor = k[at * columns + j];
		Pick *p = count > 0 ? &picks[count - 1] : NULL;
		if (p && p->first + p->count == at && p->factor == factor) {
			p->count++;
			continue;
		}
		if (count == MOST_PICKS)
			return 0;
		picks[count++] = (Pick){at, 1, factor};
	}
	return count;
}

static Node *scaled(Build *b, Node *x, double factor)
{
	return factor == 1    ? x
	       : factor == -1 ? build1(b, "neg", x)
	                      : build2(b, "mul", x, build_constant(b, factor));
}

/* x times a known matrix that picks columns, as the halves of a head that a rotation exchanges: these, side by side. */
Node *make_columns_by_table(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Type t = x[1].node->type;
	const int64_t rows = t.dim[t.rank - 2], columns = t.dim[t.rank - 1];
	Arena *scratch = arena_new();
	const double *k = type_elements(t) == rows * columns ? known_values(scratch, x[1].node) : NULL;
	Pick picks[MOST_PICKS];
	const int count = k ? find_picks(k, rows, columns, picks) : 0, last = n->type.rank - 1;
	arena_free(scratch);
	Node *pieces[MOST_PICKS];
	for (int i = 0; i < count; i++) {
		const bool whole = picks[i].count == rows;
		Node *piece =
		        whole ? x[0].made : build_slice(b, x[0].made, last, picks[i].first, picks[i].count);
		pieces[i] = scaled(b, piece, picks[i].factor);
	}
	return count > 1 ? build_concat(b, last, count, pieces) : count == 1 ? pieces[0] : NULL;
}

/* Pieces side by side, each times the number that the table, a row, has for all of its columns; NULL: it has
 * several. */
static Node *pieces_by_table(Build *b, Node **pieces, int count, const Node *table)
{
	Arena *scratch = arena_new();
	const double *k = known_values(scratch, table);
	const int last = pieces[0]->type.rank - 1;
	bool even = k != NULL;
	for (int i = 0; i < count && even; i++) {
		const int64_t columns = pieces[i]->type.dim[last];
		const double factor = k[0];
		for (int64_t j = 1; j < columns; j++)
			even = even && k[j] == factor;
		k += columns;
		pieces[i] = even ? scaled(b, pieces[i], factor) : NULL;
	}
	arena_free(scratch);
	return even ? build_concat(b, last, count, pieces) : NULL;
}

/* Whether the table has a number for each column of x. */
static bool is_by_column(const Node *table, const Node *x)
{
	const int64_t columns = x->type.dim[x->type.rank - 1];
	return table->type.rank > 0 && type_elements(table->type) == columns &&
	       table->type.dim[table->type.rank - 1] == columns;
}

/* Columns that are rolled by some: the last of them, and those ahead. */
Node *make_rolled_by_table(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	int count;
	const int64_t *by = node_ints(x[0].node, "by", &count), columns = n->type.dim[n->type.rank - 1];
	for (int i = 0; i < count - 1; i++)
		if (by[i] != 0)
			return NULL;
	const int64_t first = by[count - 1];
	if (first == 0 || count != n->type.rank || !is_by_column(x[2].node, n))
		return NULL;
	Node *pieces[] = {build_slice(b, x[1].made, count - 1, columns - first, first),
	                  build_slice(b, x[1].made, count - 1, 0, columns - first)};
	return pieces_by_table(b, pieces, 2, x[2].node);
}

/* Matrices times one that is the same for all of them: all rows times that. */
Node *make_rows_product(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Type left = x[0].node->type, one = x[1].node->type;
	const int last = left.rank - 1;
	int64_t flat[2] = {1, left.dim[last]}, matrix[2] = {one.dim[one.rank - 2], one.dim[one.rank - 1]};
	if (type_elements(one) != matrix[0] * matrix[1] || left.rank < 3)
		return NULL;
	for (int i = 0; i < last; i++)
		flat[0] *= left.dim[i];
	Node *y = build_product(b, build_reshape(b, x[0].made, 2, flat),
	                        build_reshape(b, x[1].made, 2, matrix), false, x[2].attr->i != 0);
	return build_reshape(b, y, n->type.rank, n->type.dim);
}

enum { TIMES = 8 /* the result's elements, of the small operand's */ };

/* A number times a product that nothing else reads, by way of views: times its operand that is small, and computed. A
 * weight is read as it is. */
Node *make_scaled_operand(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *product = x[0].node, *now = node_unshaped(x[0].made);
	for (; r->uses[product->id] == 1 && product->op->flags & OP_RESHAPES;)
		product = product->operands[0];
	if (r->uses[product->id] != 1 || product->op->gemm != GEMM_PRODUCT ||
	    !type_equal(x[0].node->type, n->type))
		return NULL;
	for (int i = 0; i < 2; i++) {
		const Node *small = product->operands[i];
		if (type_elements(small->type) * TIMES > type_elements(product->type) ||
		    node_is_leaf(node_unshaped(small)))
			continue;
		Node *of[2] = {now->operands[0], now->operands[1]};
		of[i] = build2(b, "mul", of[i], build_constant(b, x[1].number));
		return reshape_like(b, graph_copy_node(b->graph, now, of), n->type);
	}
	return NULL;
}

/* Whether each element is above 0, kept as a byte. */
MAKER(signs, build_cast(b, build1(b, "positive", x[0].made), n->type.dtype));

Node *make_share_of_batch(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Attr attrs[] = {attr_int("stream", node_int(n, "stream")),
	                      attr_int("n", type_elements(n->type)),
	                      attr_ints("shape", n->type.dim, n->type.rank)};
	return build(b, "uniform_share", 0, NULL, 3, attrs);
}

/* Rows of w by what one_hot was made of. */
Node *make_lookup(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	const Node *hot = node_unshaped(x[0].node);
	if (!node_is(hot, "one_hot") || x[0].node->type.rank != 2 || x[1].node->type.rank != 2 ||
	    hot->type.dim[hot->type.rank - 1] != x[0].node->type.dim[1])
		return NULL;
	Node *index = build_reshape(b, r->now[hot->operands[0]->id], 1, x[0].node->type.dim);
	return build2(b, "embedding", x[1].made, index);
}

enum { MOST_VIEWS = 6 };

/* x without the factor that it has ahead of some views, which is multiplied to *factor; x itself where it has none. */
static Node *without_factor(const Rules *r, Build *b, const Node *x, double *factor)
{
	const Node *views[MOST_VIEWS];
	int count = 0;
	while (count < MOST_VIEWS && (x->op->flags & OP_RESHAPES || x->op->move == MOVE_TRANSPOSE)) {
		views[count++] = x;
		x = x->operands[0];
	}
	Match m;
	const bool scaled = formula_matches_factors(r->scaled, x, &m);
	if (!scaled)
		return NULL;
	*factor *= matched_value(&m, "c");
	Node *y = r->now[matched(&m, "x")->id];
	while (count-- > 0)
		y = build(b, views[count]->op->name, 1, &y, views[count]->attr_count, views[count]->attrs);
	return y;
}

Node *make_factor_behind(const Rules *r, Build *b, const Node *n, const RuleArgument *x)
{
	double factor = 1;
	Node *left = without_factor(r, b, x[0].node, &factor),
	     *right = without_factor(r, b, x[1].node, &factor);
	if (!left && !right)
		return NULL;
	Node *operands[2] = {left ? left : x[0].made, right ? right : x[1].made};
	Node *y = build(b, n->op->name, 2, operands, n->attr_count, n->attrs);
	return build2(b, "mul", y, build_constant(b, factor));
}
