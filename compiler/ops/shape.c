/* SPDX-License-Identifier: MIT */
/* Shapes: reshape changes no byte, part is a piece of a flat tensor; transpose moves elements; pack joins gradients
 * into one flat tensor, for which no code is written: each gradient is computed in its place. */
#include "ops/compose.h"
#include "ops/shape.h"

#include "base/checked.h"

#include <string.h>

/* ---- reshape, flatten */

static bool reshape_infer(Infer *in)
{
	int rank;
	const int64_t *dim = infer_ints(in, "shape", &rank);
	Type from = in->operands[0]->type;
	if (!infer_result(in, from.dtype, rank, dim))
		return false;
	if (type_elements(in->result) == type_elements(from))
		return true;
	infer_error(in, "shape-mismatch", "%s has %lld elements and can't become %s of %lld",
	            user_shape(in, from), (long long)user_elements(in, from), user_shape(in, in->result),
	            (long long)user_elements(in, in->result));
	infer_note_operand(in, 0);
	return false;
}

static void reshape_grad(Grad *g)
{
	g->result[0] = reshape_like(&g->b, g->dy, g->operands[0]->type);
}

/* The dimension written as -1, from the others; false after a diagnostic. */
static bool fill_open_dimension(Call *c, Type x, int64_t *dim, int rank)
{
	int open = -1;
	int64_t known = 1;
	for (int i = 1; i < rank; i++) {
		bool valid = dim[i] == -1 ? open < 0 : dim[i] >= 1;
		if (!valid || (dim[i] > 0 && (!checked_mul(known, dim[i], &known) || known > SIZE_LIMIT))) {
			call_error(
			        c, "shape", "bad-argument",
			        "a shape has dimensions of at least 1, of which one can be -1: what is left");
			return false;
		}
		if (dim[i] == -1)
			open = i;
	}
	int64_t elements = type_elements(x) / x.dim[0];
	if (open >= 0) {
		if (elements % known != 0) {
			call_error(c, "shape", "shape-mismatch",
			           "%lld elements of a sample do not divide by %lld", (long long)elements,
			           (long long)known);
			return false;
		}
		dim[open] = elements / known;
	}
	return true;
}

static Node *build_reshape_layer(Call *c)
{
	Node *x = call_tensor(c, "x");
	int count;
	const int64_t *shape = call_ints(c, "shape", &count);
	int64_t dim[LIMIT_RANK];
	if (!x)
		return NULL;
	if (x->type.rank < 1 || count + 1 > LIMIT_RANK)
		return call_error(c, "shape", "rank-limit", "a sample has at most %d dimensions",
		                  LIMIT_RANK - 1);
	dim[0] = x->type.dim[0];
	for (int i = 0; i < count; i++)
		dim[i + 1] = shape[i];
	if (!fill_open_dimension(c, x->type, dim, count + 1))
		return NULL;
	return build_reshape(call_build(c), x, count + 1, dim);
}

static Node *build_flatten(Call *c)
{
	Node *x = call_tensor(c, "x");
	if (!x || x->type.rank == 2)
		return x;
	if (x->type.rank < 1)
		return call_error(c, "x", "shape-mismatch", "`flatten` needs a tensor");
	int64_t dim[] = {x->type.dim[0], type_elements(x->type) / x->type.dim[0]};
	return build_reshape(call_build(c), x, 2, dim);
}

/* ---- transpose: dimension k of y is dimension axes[k] of x */

static bool transpose_infer(Infer *in)
{
	int count;
	const int64_t *axes = infer_ints(in, "axes", &count);
	Type from = in->operands[0]->type;
	int64_t dim[LIMIT_RANK];
	bool used[LIMIT_RANK] = {false};
	bool valid = count == from.rank;
	for (int i = 0; valid && i < count; i++) {
		valid = axes[i] >= 0 && axes[i] < count && !used[axes[i]];
		if (valid) {
			used[axes[i]] = true;
			dim[i] = from.dim[axes[i]];
		}
	}
	if (valid)
		return infer_result(in, from.dtype, count, dim);
	infer_error(in, "bad-argument", "`transpose` names each of the axes once");
	infer_note_operand(in, 0);
	return false;
}

static void transpose_grad(Grad *g)
{
	int count;
	const int64_t *axes = node_ints(g->node, "axes", &count);
	int64_t back[LIMIT_RANK];
	for (int i = 0; i < count; i++)
		back[axes[i]] = i;
	g->result[0] = build_transpose(&g->b, g->dy, back);
}

static Node *build_transpose_layer(Call *c)
{
	Node *x = call_tensor(c, "x");
	int count;
	const int64_t *given = call_ints(c, "axes", &count);
	int64_t axes[LIMIT_RANK] = {0};
	if (!x)
		return NULL;
	if (count != x->type.rank - 1)
		return call_error(c, "axes", "bad-argument",
		                  "`transpose` names each of the %d axes of a sample once", x->type.rank - 1);
	for (int i = 0; i < count; i++) {
		if (!call_axis(c, "axes", given[i], x->type.rank, &axes[i + 1]))
			return NULL;
	}
	return build_transpose(call_build(c), x, axes);
}

/* ---- part: of "params16" and the like (passes/precision.c); only operators with loops of their own read it */

static bool part_infer(Infer *in)
{
	int rank;
	const int64_t *dim = infer_ints(in, "shape", &rank);
	int64_t offset = infer_int(in, "offset"), end;
	Type from = in->operands[0]->type;
	if (!infer_result(in, from.dtype, rank, dim))
		return false;
	if (offset >= 0 && checked_add(offset, type_elements(in->result), &end) && end <= type_elements(from))
		return true;
	return infer_error(in, "shape-mismatch", "%s has no %s at %lld", shape_text(in->graph->arena, from),
	                   shape_text(in->graph->arena, in->result), (long long)offset);
}

/* ---- pack */

static bool pack_infer(Infer *in)
{
	int64_t all = 0;
	for (int i = 0; i < in->operand_count; i++) {
		if (!infer_real(in, i) || !infer_same_dtype(in, 0, i))
			return false;
		if (!checked_add(all, type_elements(in->operands[i]->type), &all))
			return infer_error(in, "tensor-limit", "the result of `pack` is too large");
	}
	return infer_result(in, in->operands[0]->type.dtype, 1, &all);
}

static void no_cost(const Node *n, Cost *cost)
{
	*cost = (Cost){0};
}

/* ---- samples */

static const char *const reshape_samples[] = {
        "x=f32[] shape=[1]",           "x=f32[1] shape=[]",
        "x=f32[1] shape=[1,1,1]",      "x=f32[6] shape=[2,3]",
        "x=f32[6] shape=[3,2]",        "x=f32[6] shape=[6]",
        "x=f32[2,3] shape=[6]",        "x=f32[2,3] shape=[1,6]",
        "x=f32[2,3] shape=[6,1]",      "x=f32[7,1] shape=[7]",
        "x=f32[1,7] shape=[7]",        "x=f32[2,3,5] shape=[2,15]",
        "x=f32[2,3,5] shape=[6,5]",    "x=f32[2,3,5] shape=[5,3,2]",
        "x=f32[2,1,5] shape=[2,5]",    "x=f32[2,3,3,4] shape=[2,36]",
        "x=f32[2,36] shape=[2,3,3,4]", "x=f32[1,1,1,1] shape=[1]",
        "x=f32[4] shape=[1,1,1,4]",    "x=f32[2,3,1,5] shape=[2,1,3,5]",
        "x=f32[3,7,11] shape=[21,11]", NULL,
};

static const char *const transpose_samples[] = {
        "x=f32[1] axes=[0]",
        "x=f32[7] axes=[0]",
        "x=f32[1,1] axes=[1,0]",
        "x=f32[3,5] axes=[0,1]",
        "x=f32[3,5] axes=[1,0]",
        "x=f32[5,1] axes=[1,0]",
        "x=f32[1,9] axes=[1,0]",
        "x=f32[17,33] axes=[1,0]",
        "x=f32[2,3,5] axes=[0,2,1]",
        "x=f32[2,3,5] axes=[1,0,2]",
        "x=f32[2,3,5] axes=[1,2,0]",
        "x=f32[2,3,5] axes=[2,0,1]",
        "x=f32[2,3,5] axes=[2,1,0]",
        "x=f32[2,1,5] axes=[0,2,1]",
        "x=f32[1,7,1] axes=[2,1,0]",
        "x=f32[2,3,4,5] axes=[0,3,1,2]",
        "x=f32[2,3,4,5] axes=[0,2,3,1]",
        "x=f32[2,3,4,5] axes=[3,2,1,0]",
        "x=f32[2,3,1,5] axes=[0,2,1,3]",
        "x=f32[1,1,1,1] axes=[3,0,2,1]",
        "x=f32[2,1,3,2,2] axes=[4,0,3,1,2]",
        NULL,
};

static const char *const pack_samples[] = {
        "x0=f32[]",
        "x0=f32[1]",
        "x0=f32[7]",
        "x0=f32[] x1=f32[]",
        "x0=f32[1] x1=f32[1]",
        "x0=f32[3] x1=f32[5]",
        "x0=f32[3,5] x1=f32[3]",
        "x0=f32[3,5] x1=f32[]",
        "x0=f32[1,1] x1=f32[1,1]",
        "x0=f32[2,3] x1=f32[2,4] x2=f32[2,1]",
        "x0=f32[2,3,5] x1=f32[7]",
        "x0=f32[2,3,5] x1=f32[2,3,5]",
        "x0=f32[4,3,3,2] x1=f32[4]",
        "x0=f32[4,3,3,2] x1=f32[4] x2=f32[10,36] x3=f32[10]",
        "x0=f32[1,1,1,1] x1=f32[1]",
        "x0=f32[16] x1=f32[16] x2=f32[16]",
        "x0=f32[17,33] x1=f32[33]",
        "x0=f32[5,1] x1=f32[1,5]",
        "x0=f32[2] x1=f32[3] x2=f32[1] x3=f32[7] x4=f32[5]",
        "x0=f32[1] x1=f32[2] x2=f32[3] x3=f32[1] x4=f32[2] x5=f32[3] x6=f32[1] x7=f32[2] x8=f32[3] x9=f32[1]",
        NULL,
};

const Op shape_ops[] = {
        {.name = "reshape",
         .signature = "x -> y",
         .call = "x: elements, shape: ints",
         .doc = "The same elements of a sample in another shape; one dimension can be -1: what is left.",
         .flags = OP_ALIAS | OP_RESHAPES,
         .infer = reshape_infer,
         .grad = reshape_grad,
         .build = build_reshape_layer,
         .samples = reshape_samples},
        {.name = "flatten",
         .call = "x: elements",
         .doc = "All elements of a sample in one dimension.",
         .build = build_flatten},
        {.name = "transpose",
         .move = MOVE_TRANSPOSE,
         .signature = "x -> y",
         .call = "x: elements, axes: ints",
         .doc = "The axes of a sample in another order: axis k of the result is axis axes[k] of x.",
         .flags = OP_EPILOGUE,
         .infer = transpose_infer,
         .grad = transpose_grad,
         .build = build_transpose_layer,
         .samples = transpose_samples},
        {.name = "part",
         .signature = "x -> y",
         .doc = "The elements of x from `offset` on, in the shape `shape`.",
         .flags = OP_ALIAS,
         .infer = part_infer},
        {.name = "pack",
         .halves = HALVES_NONE,
         .signature = "x... -> y",
         .doc = "All elements of any number of tensors in one dimension; each is computed in its place.",
         .flags = OP_PACK,
         .infer = pack_infer,
         .cost = no_cost,
         .samples = pack_samples},
        {0},
};
