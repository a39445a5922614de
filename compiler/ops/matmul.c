/* SPDX-License-Identifier: MIT */
/* Matrix products, and `dense`, the layer made of one. The loops are in matmul_cpu.c.
 *
 * matmul(a, b) with ta, tb: op(a) op(b), op(m) being m or its transpose; rank 2, or rank 3 with one matrix product for
 * each index of the first dimension. Its gradients are matrix products again, so no transpose is ever computed. Of
 * 16-bit matrices the product is 16 bits wide, or f32 with wide=1. */
#include "ops/matmul.h"

#include "base/checked.h"
#include "ops/compose.h"

#include <string.h>

static bool matmul_infer(Infer *in)
{
	Type a = in->operands[0]->type, b = in->operands[1]->type;
	Arena *arena = in->graph->arena;
	if (a.rank != b.rank || (a.rank != 2 && a.rank != 3)) {
		infer_error(in, "rank-mismatch", "`matmul` needs two matrices, not %s and %s",
		            shape_text(arena, a), shape_text(arena, b));
		infer_note_operand(in, 0);
		infer_note_operand(in, 1);
		return false;
	}
	if (a.dtype != b.dtype || !dtype_is_real(a.dtype)) {
		infer_error(in, "dtype-mismatch", "`matmul` needs real numbers of one type, not %s and %s",
		            dtype_name(a.dtype), dtype_name(b.dtype));
		infer_note_operand(in, 0);
		infer_note_operand(in, 1);
		return false;
	}
	int64_t ta = infer_int(in, "ta"), tb = infer_int(in, "tb");
	if (ta < 0 || ta > 1 || tb < 0 || tb > 1)
		return infer_error(in, "bad-argument", "`ta` and `tb` of `matmul` are 0 or 1");
	int lead = a.rank - 2;
	int64_t inner_a = a.dim[lead + !ta], inner_b = b.dim[lead + (int)tb];
	if (inner_a != inner_b || (lead && a.dim[0] != b.dim[0])) {
		infer_error(in, "shape-mismatch",
		            "the matrices %s%s and %s%s can't be multiplied: %lld is not %lld",
		            user_shape(in, a), ta ? " (transposed)" : "", user_shape(in, b),
		            tb ? " (transposed)" : "", (long long)(inner_a != inner_b ? inner_a : a.dim[0]),
		            (long long)(inner_a != inner_b ? inner_b : b.dim[0]));
		infer_note_operand(in, 0);
		infer_note_operand(in, 1);
		return false;
	}
	int64_t dim[3] = {a.dim[0], 0, 0};
	dim[lead] = a.dim[lead + (int)ta];
	dim[lead + 1] = b.dim[lead + !tb];
	bool wide = infer_attr(in, "wide") && infer_int(in, "wide") && dtype_is_half(a.dtype);
	return infer_result(in, wide ? DTYPE_F32 : a.dtype, a.rank, dim);
}

static void matmul_grad(Grad *g)
{
	Node *a = g->operands[0], *b = g->operands[1], *dy = g->dy;
	int64_t ta = node_int(g->node, "ta"), tb = node_int(g->node, "tb");
	if (g->wanted[0])
		g->result[0] = ta ? build_product(&g->b, b, dy, tb, 1) : build_product(&g->b, dy, b, 0, !tb);
	if (g->wanted[1])
		g->result[1] = tb ? build_product(&g->b, dy, a, 1, ta) : build_product(&g->b, a, dy, !ta, 0);
}

void matmul_shape(const Node *n, MatmulShape *s)
{
	Type a = n->operands[0]->type;
	int lead = n->type.rank - 2;
	s->ta = node_int(n, "ta") != 0;
	s->tb = node_int(n, "tb") != 0;
	s->batch = lead ? n->type.dim[0] : 1;
	s->m = n->type.dim[lead];
	s->n = n->type.dim[lead + 1];
	s->k = a.dim[lead + !s->ta];
}

/* [.., m, n] -> [.., n, m], where one of the two is 1: the same bytes. */
static Node *turn_vector(Build *b, Node *x)
{
	int64_t dim[LIMIT_RANK];
	int rank = x->type.rank;
	for (int i = 0; i < rank; i++)
		dim[i] = x->type.dim[i];
	dim[rank - 2] = x->type.dim[rank - 1];
	dim[rank - 1] = x->type.dim[rank - 2];
	return build_reshape(b, x, rank, dim);
}

/* A product with a vector reads its matrix once, whoever computes it, and so belongs into the loops of its neighbours:
 * with depth 1 it is a pointwise product, with a result of one row or column a sum along the matrix's rows or columns.
 * NULL: a product of two matrices, which stays. */
static Node *matmul_expand(Expand *e)
{
	MatmulShape s;
	matmul_shape(e->node, &s);
	Build *b = &e->b;
	Node *x = e->operands[0], *y = e->operands[1];
	int64_t rows = e->node->type.rank - 2, columns = rows + 1;
	if (s.k == 1)
		return build2(b, "mul", s.ta ? turn_vector(b, x) : x, s.tb ? turn_vector(b, y) : y);
	if (s.n == 1) { /* y as a row along x's rows, or as a column along its columns */
		Node *vector = s.tb == !s.ta ? y : turn_vector(b, y);
		Node *sum = build_reduce(b, "sum", build2(b, "mul", x, vector), s.ta ? &rows : &columns, 1);
		return s.ta ? turn_vector(b, sum) : sum;
	}
	if (s.m == 1) {
		Node *vector = s.ta == !s.tb ? x : turn_vector(b, x);
		Node *sum = build_reduce(b, "sum", build2(b, "mul", vector, y), s.tb ? &columns : &rows, 1);
		return s.tb ? turn_vector(b, sum) : sum;
	}
	return NULL;
}

static void matmul_cost(const Node *n, Cost *cost)
{
	MatmulShape s;
	matmul_shape(n, &s);
	cost->flops = 2.0 * (double)s.batch * (double)s.m * (double)s.n * (double)s.k;
	cost->bytes = (double)type_bytes(n->type) + (double)type_bytes(n->operands[0]->type) +
	              (double)type_bytes(n->operands[1]->type);
}

/* [.., in] -> [rows, in] */
static Node *flatten_rows(Build *b, Node *x)
{
	int64_t dim[2] = {type_elements(x->type) / x->type.dim[x->type.rank - 1],
	                  x->type.dim[x->type.rank - 1]};
	return x->type.rank == 2 ? x : build_reshape(b, x, 2, dim);
}

static Node *dense_build(Call *c)
{
	Build *b = call_build(c);
	Node *x = call_tensor(c, "x");
	if (!x)
		return NULL;
	int rank = x->type.rank;
	if (rank < 2)
		return call_error(c, "x", "rank-mismatch",
		                  "`dense` needs a vector of features, but a sample is a single number here");
	int64_t units = call_int(c, "units"), in = x->type.dim[rank - 1];
	if (units < 1)
		return call_error(c, "units", "bad-argument", "`units` must be at least 1, not %lld",
		                  (long long)units);
	if (units > SIZE_LIMIT / in)
		return call_error(c, "units", "bad-argument", "`units` must be from 1 to %lld, not %lld",
		                  (long long)(SIZE_LIMIT / in), (long long)units);
	InitKind kind;
	double scale;
	call_init(c, "init", (double)in, (double)units, &kind, &scale);
	const int64_t matrix[] = {units, in};
	Node *w = call_word(c, "weight") ? call_param(c, "weight", 2, matrix, kind, scale, true)
	                                 : call_weight(c, 2, matrix);
	if (!w)
		return NULL;
	Node *y = build_product(b, flatten_rows(b, x), w, 0, 1);
	y = call_with_bias(c, y, in);
	if (!y || rank == 2)
		return y;
	int64_t dim[LIMIT_RANK];
	for (int i = 0; i < rank; i++)
		dim[i] = i == rank - 1 ? units : x->type.dim[i];
	return build_reshape(b, y, rank, dim);
}

/* One matrix for all samples, [1, ..., 1, k, n], as [k, n]; NULL: y is none. */
static Node *shared_matrix(Build *b, Node *y)
{
	int rank = y->type.rank;
	if (rank < 3 || type_elements(y->type) != y->type.dim[rank - 1] * y->type.dim[rank - 2])
		return NULL;
	return build_reshape(b, y, 2, y->type.dim + rank - 2);
}

/* [b, e.., m, k] as [e.., b, m, k], all of e one dimension, and b and m another: the rows of each of e. */
static Node *rows_of_each(Build *b, Node *x, int64_t count)
{
	const Type t = x->type;
	const int64_t m = t.dim[t.rank - 2], k = t.dim[t.rank - 1];
	x = build_reshape(b, x, 4, (int64_t[]){t.dim[0], count, m, k});
	x = build_transpose(b, x, (int64_t[]){1, 0, 2, 3});
	return build_reshape(b, x, 3, (int64_t[]){count, t.dim[0] * m, k});
}

/* The dimensions between the batch and the matrix as those of `to`, repeated where they are 1. */
static Node *repeated_as(Build *b, Node *x, Type to)
{
	Type t = x->type;
	memcpy(t.dim + 1, to.dim + 1, (size_t)(t.rank - 3) * sizeof *t.dim);
	return shape_equal(t, x->type) ? x : build_broadcast(b, x, t.rank, t.dim);
}

/* x [b, e.., m, k] times a matrix for each of e, [1, e.., k, n]: a product for each of these, over the rows of all
 * samples, where one for each sample would read all matrices again and again. Of an x that is the same for all of e,
 * [b, 1.., m, k], it is one product by all matrices side by side; one that is the same for some of e is repeated. */
static Node *product_by_each(Build *b, Node *x, Node *y)
{
	Type t = x->type;
	const int last = t.rank - 1;
	const int64_t samples = t.dim[0], m = t.dim[last - 1], k = t.dim[last], n = y->type.dim[last];
	const int64_t count = type_elements(y->type) / (k * n);
	memcpy(t.dim + 1, y->type.dim + 1, (size_t)(last - 2) * sizeof *t.dim);
	t.dim[last] = n;
	const bool is_same = type_elements(x->type) == samples * m * k;
	if (!is_same && !(x = repeated_as(b, x, y->type)))
		return NULL;
	y = build_reshape(b, y, 3, (int64_t[]){count, k, n});
	if (is_same) {
		y = build_transpose(b, y, (int64_t[]){1, 0, 2});
		y = build_reshape(b, y, 2, (int64_t[]){k, count * n});
		x = build_reshape(b, x, 2, (int64_t[]){samples * m, k});
		Node *z = build_product(b, x, y, 0, 0);
		z = build_reshape(b, z, 4, (int64_t[]){samples, m, count, n});
		z = build_transpose(b, z, (int64_t[]){0, 2, 1, 3});
		return build_reshape(b, z, t.rank, t.dim);
	}
	Node *z = build_product(b, rows_of_each(b, x, count), y, 0, 0);
	z = build_reshape(b, z, 4, (int64_t[]){count, samples, m, n});
	z = build_transpose(b, z, (int64_t[]){1, 0, 2, 3});
	return build_reshape(b, z, t.rank, t.dim);
}

/* A sample's shape with dimensions of 1 ahead of it, until the tensor is of that rank. */
static Node *with_rank(Build *b, Node *x, int rank)
{
	int64_t dim[LIMIT_RANK] = {x->type.dim[0]};
	const int more = rank - x->type.rank;
	for (int i = 1; i < rank; i++)
		dim[i] = i <= more ? 1 : x->type.dim[i - more];
	return more > 0 ? build_reshape(b, x, rank, dim) : x;
}

/* The dimensions between the batch and the matrices that both have, in `common`; false: they differ. */
static bool find_common(Type x, Type y, Type *common)
{
	*common = x;
	if (x.rank != y.rank || x.rank < 3)
		return false;
	for (int i = 1; i < x.rank - 2; i++) {
		if (x.dim[i] != y.dim[i] && x.dim[i] != 1 && y.dim[i] != 1)
			return false;
		common->dim[i] = x.dim[i] > y.dim[i] ? x.dim[i] : y.dim[i];
	}
	return true;
}

/* Whether a tensor without a batch has a matrix for each of more than one of those dimensions. */
static bool is_of_each(Type t, Type common)
{
	int64_t count = 1;
	for (int i = 1; i < t.rank - 2; i++) {
		if (t.dim[i] != common.dim[i])
			return false;
		count *= t.dim[i];
	}
	return count > 1;
}

/* One product for each sample and each of the dimensions ahead of the matrices. */
static Node *product_of_each(Build *b, Node *x, Node *y, Type common)
{
	Type t = common;
	const int last = t.rank - 1;
	if (last == 2)
		return build_product(b, x, y, 0, 0);
	x = repeated_as(b, x, common);
	y = repeated_as(b, y, common);
	if (!x || !y)
		return NULL;
	int64_t lead = 1;
	for (int i = 0; i < last - 1; i++)
		lead *= t.dim[i];
	t.dim[last] = y->type.dim[last];
	x = build_reshape(b, x, 3, (int64_t[]){lead, x->type.dim[last - 1], x->type.dim[last]});
	y = build_reshape(b, y, 3, (int64_t[]){lead, y->type.dim[last - 1], y->type.dim[last]});
	Node *z = build_product(b, x, y, 0, 0);
	return z ? build_reshape(b, z, t.rank, t.dim) : NULL;
}

/* The language's matmul acts on each sample: the last two dimensions are the matrix; those before are alike, or 1 in
 * one of the two, which is then taken for each of the other's. */
static Node *matmul_build(Call *c)
{
	Build *b = call_build(c);
	Node *x = call_tensor(c, "a"), *y = call_tensor(c, "b");
	if (!x || !y)
		return NULL;
	Type tx = x->type, ty = y->type;
	const bool differ = tx.rank > 0 && ty.rank > 0 && tx.dim[0] != ty.dim[0];
	const bool fit = tx.rank > 2 && ty.rank > 2 && tx.dim[tx.rank - 1] == ty.dim[ty.rank - 2];
	Node *shared = differ && fit && tx.rank >= ty.rank ? shared_matrix(b, y) : NULL;
	if (shared) { /* all rows of all samples at once */
		Node *z = build_product(b, flatten_rows(b, x), shared, 0, 0);
		tx.dim[tx.rank - 1] = ty.dim[ty.rank - 1];
		return z ? build_reshape(b, z, tx.rank, tx.dim) : NULL;
	}
	const int rank = tx.rank > ty.rank ? tx.rank : ty.rank;
	if (tx.rank > 2 && ty.rank > 2) {
		x = with_rank(b, x, rank);
		y = with_rank(b, y, rank);
	}
	Type common;
	if (!find_common(x->type, y->type, &common)) {
		Arena *a = b->graph->arena;
		return call_error(
		        c, NULL, "shape-mismatch",
		        "`matmul` needs a matrix in each sample, alike in the dimensions before; these "
		        "are %s and %s",
		        sample_shape(a, tx), sample_shape(a, ty));
	}
	if (rank > 3 && !fit)
		return call_error(c, NULL, "shape-mismatch",
		                  "the matrices of %s and %s can't be multiplied: %lld is not %lld",
		                  sample_shape(b->graph->arena, tx), sample_shape(b->graph->arena, ty),
		                  (long long)tx.dim[tx.rank - 1], (long long)ty.dim[ty.rank - 2]);
	if (differ && ty.dim[0] == 1 && is_of_each(y->type, common))
		return product_by_each(b, x, y);
	x = differ ? build_batch(b, x) : x;
	y = differ ? build_batch(b, y) : y;
	common.dim[0] = x ? x->type.dim[0] : 0;
	return x && y ? product_of_each(b, x, y, common) : NULL;
}

static const char *const matmul_samples[] = {
        "a=f32[1,1] b=f32[1,1] ta=0 tb=0",
        "a=f32[1,5] b=f32[5,1] ta=0 tb=0",
        "a=f32[5,1] b=f32[1,5] ta=0 tb=0",
        "a=f32[3,4] b=f32[4,5] ta=0 tb=0",
        "a=f32[3,4] b=f32[5,4] ta=0 tb=1",
        "a=f32[4,3] b=f32[4,5] ta=1 tb=0",
        "a=f32[4,3] b=f32[5,4] ta=1 tb=1",
        "a=f32[7,13] b=f32[13,10] ta=0 tb=0",
        "a=f32[7,13] b=f32[10,13] ta=0 tb=1",
        "a=f32[13,7] b=f32[13,10] ta=1 tb=0",
        "a=f32[13,7] b=f32[10,13] ta=1 tb=1",
        "a=f32[33,17] b=f32[17,65] ta=0 tb=0",
        "a=f32[29,31] b=f32[37,31] ta=0 tb=1",
        "a=f32[31,29] b=f32[31,37] ta=1 tb=0",
        "a=f32[2,300] b=f32[300,3] ta=0 tb=0",
        "a=f32[3,300] b=f32[2,300] ta=0 tb=1",
        "a=f32[300,3] b=f32[300,2] ta=1 tb=0",
        "a=f32[1,64] b=f32[64,64] ta=0 tb=0",
        "a=f32[64,1] b=f32[1,64] ta=0 tb=0",
        "a=f32[2,3,4] b=f32[2,4,5] ta=0 tb=0",
        "a=f32[2,3,4] b=f32[2,5,4] ta=0 tb=1",
        "a=f32[2,4,3] b=f32[2,4,5] ta=1 tb=0",
        "a=f32[3,4,3] b=f32[3,5,4] ta=1 tb=1",
        "a=f32[5,17,9] b=f32[5,9,33] ta=0 tb=0",
        "a=f32[128,3,18] b=f32[128,18,2] ta=0 tb=0",
        "a=f32[64,2,3] b=f32[64,33,2] ta=1 tb=1",
        NULL,
};

/* Of a dense layer. */
static const char *matmul_layout(const Node *n, int *operand)
{
	*operand = 1;
	return node_int(n, "tb") ? "OI" : NULL;
}

const Op matmul_ops[] = {
        {.name = "matmul",
         .halves = HALVES_ALL,
         .weight_layout = matmul_layout,
         .signature = "a, b -> y",
         .call = "a, b",
         .doc = "Product of two matrices of each sample: y[i,j] = sum over k of a[i,k] b[k,j]. Dimensions "
                "before the last two must agree, or be 1 in one of them, which is then taken for each of the "
                "other's; learned or constant matrices multiply every sample. In the graph "
                "ta and tb multiply by the transpose of a or b, and with "
                "wide the "
                "product of 16-bit matrices is f32.",
         .flags = OP_HEAVY | OP_EPILOGUE,
         .gemm = GEMM_PRODUCT,
         .infer = matmul_infer,
         .grad = matmul_grad,
         .expand = matmul_expand,
         .build = matmul_build,
         .cost = matmul_cost,
         .samples = matmul_samples},
        {.name = "dense",
         .call = "x, units: int, bias: bool = true, init: " INIT_WORDS " = default, weight: tensor|own = own",
         .doc = "Fully connected layer on the last dimension: y = x W^T + b, W [units, in]. By default "
                "weight and bias "
                "start uniform in +-1/sqrt(in), as in PyTorch; with another init the bias starts at zero. "
                "`weight` is a `param` [units, in] to use instead of one of its own, tied weights, or what "
                "is computed "
                "of some, the same for all samples.",
         .build = dense_build},
        {0},
};
