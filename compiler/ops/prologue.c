#include "ops/prologue.h"

#include "ops/op.h"
#include "passes/domain.h"
#include "codegen/expr.h"
#include "codegen/tensors.h"

enum { MOST_OPERANDS = 3 };

/* Of a value and a factor, the rows or the columns: without it; a multiple of it; 0, and so both. */
typedef enum { PLAIN, MULTIPLE, ZERO, NEITHER } Degree;

typedef struct Reading {
	const Node *product;
	Node *const *nodes;
	int count;
	Prologue *p;
} Reading;

static int place_of(const Reading *r, const Node *n)
{
	for (int i = 0; i < r->count; i++)
		if (r->nodes[i] == n && n != r->product)
			return i;
	return -1;
}

static Degree both(Degree x, Degree y)
{
	return x == y || y == ZERO ? x : x == ZERO ? y : NEITHER;
}

static Degree times(Degree x, Degree y)
{
	if (x == NEITHER || y == NEITHER || (x == MULTIPLE && y == MULTIPLE))
		return NEITHER;
	return x == ZERO || y == ZERO ? ZERO : x == MULTIPLE || y == MULTIPLE ? MULTIPLE : PLAIN;
}

/* All that a node may be. Of finite operands each makes what is finite: behind the last row they are 0, as b is there,
 * and a NaN would be in all sums. */
static Degree derive(const Node *n, const Degree *of)
{
	if (node_is(n, "mul"))
		return times(of[0], of[1]);
	if (node_is(n, "add") || node_is(n, "sub"))
		return both(of[0], of[1]);
	if (node_is(n, "select"))
		return of[0] == PLAIN ? both(of[1], of[2]) : NEITHER;
	if (node_is(n, "gt"))
		return both(of[0], of[1]) == PLAIN ? PLAIN : NEITHER;
	if (node_is(n, "neg") || node_is(n, "round_tf32") || node_is(n, "sum") || (n->op->flags & OP_ALIAS))
		return of[0];
	return NEITHER;
}

/* Of each node. */
static Degree *degrees(Arena *a, const Reading *r, const Node *factor)
{
	Degree *degree = NEW_ARRAY(a, Degree, r->count);
	for (int i = 0; i < r->count; i++) {
		const Node *n = r->nodes[i];
		Degree of[MOST_OPERANDS];
		for (int k = 0; n != r->product && k < n->operand_count; k++) {
			const Node *x = n->operands[k];
			const int at = place_of(r, x);
			const bool zero = node_is(x, "constant") && node_real(x, "value") == 0;
			of[k] = at >= 0 ? degree[at] : x == factor ? MULTIPLE : zero ? ZERO : PLAIN;
		}
		if (n != r->product)
			degree[i] = derive(n, of);
	}
	return degree;
}

/* The one value of its kind. */
static bool is_the(const Node **one, const Node *x)
{
	*one = *one ? *one : x;
	return *one == x;
}

/* What is read from outside. */
static bool take_operand(const Reading *r, const Node *x)
{
	const Type made = r->product->operands[0]->type, type = x->type;
	if (place_of(r, x) >= 0 || node_is(x, "constant"))
		return true;
	if (type.dtype != DTYPE_F32 || type.rank == 0)
		return false;
	if (type_equal(type, made))
		return is_the(&r->p->from, x);
	if (type.rank == 2 && type.dim[0] == made.dim[0] && type.dim[1] == 1)
		return is_the(&r->p->rows, x);
	return type.dim[type.rank - 1] == made.dim[1] && type_elements(type) == made.dim[1] &&
	       is_the(&r->p->columns, x);
}

static bool sums_up(const Node *n, const Type made)
{
	int count;
	return node_is(n, "sum") && type_equal(n->operands[0]->type, made) &&
	       node_ints(n, "axes", &count)[0] == 0 && count == 1;
}

/* An element of the operand, or a sum, or a view of one. */
static bool is_computed(const Reading *r, const Node *n)
{
	const Type made = r->product->operands[0]->type;
	const int of = place_of(r, n->operands[0]);
	if (n->type.dtype != DTYPE_F32)
		return false;
	if (sums_up(n, made))
		return of >= 0;
	if (n->op->flags & OP_ALIAS)
		return of >= 0 && sums_up(r->nodes[of], made);
	return (n->op->flags & OP_POINTWISE) && !(n->op->flags & (OP_INDEXED | OP_SEEDED)) &&
	       type_equal(n->type, made) && n->operand_count <= MOST_OPERANDS;
}

static bool read_nodes(Arena *scratch, const Reading *r)
{
	Prologue *p = r->p;
	for (int i = 0; i < r->count; i++) {
		const Node *n = r->nodes[i];
		if (n == r->product)
			continue;
		for (int k = 0; k < n->operand_count; k++)
			if (!take_operand(r, n->operands[k]))
				return false;
		if (!is_computed(r, n) || (node_is(n, "sum") && p->sums == PROLOGUE_SUMS))
			return false;
		if (node_is(n, "sum"))
			p->sum[p->sums++] = n;
	}
	const int operand = place_of(r, r->product->operands[0]);
	if (operand < 0 || !p->from || !p->rows || !p->columns)
		return false;
	const Degree *by_columns = degrees(scratch, r, p->columns), *by_rows = degrees(scratch, r, p->rows);
	for (int i = 0; i < p->sums; i++) {
		const int sum = place_of(r, p->sum[i]);
		if (by_columns[sum] == NEITHER || by_rows[sum] != MULTIPLE)
			return false;
		p->scaled[i] = by_columns[sum] == MULTIPLE;
	}
	return by_columns[operand] == MULTIPLE && by_rows[operand] == MULTIPLE;
}

bool prologue_read(const Node *product, Node *const *nodes, int count, Prologue *p)
{
	if (!node_is(product, "matmul") || !node_int(product, "ta") || product->operands[0]->type.rank != 2 ||
	    product->operands[0]->type.dtype != DTYPE_F32)
		return false;
	Arena *scratch = arena_new();
	*p = (Prologue){0};
	const Reading r = {product, nodes, count, p};
	const bool fits = read_nodes(scratch, &r);
	arena_free(scratch);
	return fits;
}

/* C text of an operand; that of the columns is a factor which is left out. */
static const char *text_of(Arena *a, const Reading *r, const char *const *names, const Node *x)
{
	const int at = place_of(r, x);
	return at >= 0              ? names[at]
	       : x == r->p->from    ? "x"
	       : x == r->p->rows    ? "row"
	       : x == r->p->columns ? "1.0f"
	                            : c_number(a, node_real(x, "value"), false);
}

void prologue_write(Writer *w, Arena *a, const Node *product, Node *const *nodes, int count)
{
	Prologue p;
	require(prologue_read(product, nodes, count, &p));
	const char **names = NEW_ARRAY(a, const char *, count);
	Tensors locals = {.arena = a, .names = map_new(a)};
	const Reading r = {product, nodes, count, &p};
	for (int i = 0; i < count; i++) {
		const Node *n = nodes[i];
		const char *operands[MOST_OPERANDS];
		if (n == product || node_is(n, "sum") || (n->op->flags & OP_ALIAS))
			continue;
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = text_of(a, &r, names, n->operands[k]);
		const bool by_columns =
		        node_is(n, "mul") && (n->operands[0] == p.columns || n->operands[1] == p.columns);
		/* tensor cores leave out the low bits of what they read */
		if (by_columns || (node_is(n, "round_tf32") && n == product->operands[0])) {
			names[i] = operands[by_columns && n->operands[0] == p.columns];
			continue;
		}
		names[i] = tensors_local(&locals, arena_printf(a, "%s_", n->op->name));
		write_line(w, "const float %s = %s;", names[i],
		           expr_text(a, n, &(ExprWords){.operands = operands}));
	}
	for (int i = 0; i < p.sums; i++)
		write_line(w, "terms[%d] = %s;", i, text_of(a, &r, names, p.sum[i]->operands[0]));
	write_line(w, "return %s;", text_of(a, &r, names, product->operands[0]));
}
