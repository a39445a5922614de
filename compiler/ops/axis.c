/* SPDX-License-Identifier: MIT */
/* concat, slice, pad and flip, along one axis of a tensor. */
#include "ops/compose.h"
#include "ops/shape.h"
#include "ops/whiten.h"

#include "base/checked.h"

#include <string.h>

/* ---- concat */

static bool concat_infer(Infer *in)
{
	int64_t axis;
	if (!infer_axis(in, "axis", &axis))
		return false;
	Type all = in->operands[0]->type;
	for (int i = 1; i < in->operand_count; i++) {
		Type t = in->operands[i]->type, same = t;
		if (t.rank == all.rank)
			same.dim[axis] = all.dim[axis];
		if (!type_equal(same, all)) {
			infer_error(in, "shape-mismatch",
			            "`concat` along axis %lld of %s and %s: all else must agree",
			            (long long)user_axis(in, axis), operand_text(in, 0), operand_text(in, i));
			infer_note_operand(in, 0);
			infer_note_operand(in, i);
			return false;
		}
		if (!checked_add(all.dim[axis], t.dim[axis], &all.dim[axis]))
			return infer_error(in, "tensor-limit", "the result of `concat` is too large");
	}
	return infer_result(in, all.dtype, all.rank, all.dim);
}

static void concat_grad(Grad *g)
{
	int64_t axis = node_int(g->node, "axis"), start = 0;
	for (int i = 0; i < g->node->operand_count; i++) {
		int64_t count = g->operands[i]->type.dim[axis];
		if (g->wanted[i])
			g->result[i] = build_slice(&g->b, g->dy, axis, start, count);
		start += count;
	}
}

/* Tensors of the batch and without one, along an axis of the graph. */
static Node *joined(Build *b, Node *const *x, int count, int64_t axis)
{
	Node **all = arena_copy(b->graph->arena, x, (size_t)count * sizeof *x);
	bool batch = false;
	for (int i = 0; i < count; i++)
		batch = batch || (x[i] && x[i]->type.rank > 0 && x[i]->type.dim[0] != 1);
	for (int i = 0; batch && i < count; i++)
		all[i] = build_batch(b, x[i]);
	return build_concat(b, axis, count, all);
}

static Node *build_stack(Call *c)
{
	Build *b = call_build(c);
	int count;
	Node *const *x = call_tensors(c, "x", &count);
	int64_t axis, dim[LIMIT_RANK];
	if (count == 0 || !x[0] || x[0]->type.rank == LIMIT_RANK)
		return call_error(c, "x", "bad-argument", "`stack` takes tensors of at most %d dimensions",
		                  LIMIT_RANK - 2);
	if (!call_axis(c, "axis", call_int(c, "axis"), x[0]->type.rank + 1, &axis))
		return NULL;
	Node **slices = NEW_ARRAY(b->graph->arena, Node *, count);
	for (int i = 0; i < count; i++) {
		Type t = x[i] ? x[i]->type : x[0]->type;
		for (int k = 0; k <= t.rank && k < LIMIT_RANK; k++)
			dim[k] = k < axis ? t.dim[k] : k == axis ? 1 : t.dim[k - 1];
		slices[i] = t.rank == x[0]->type.rank ? build_reshape(b, x[i], t.rank + 1, dim) : x[i];
	}
	return joined(b, slices, count, axis);
}

static Node *build_concat_layer(Call *c)
{
	int count;
	Node *const *x = call_tensors(c, "x", &count);
	int64_t axis;
	if (count == 0)
		return call_error(c, "x", "bad-argument", "`concat` of nothing");
	if (!call_axis(c, "axis", call_int(c, "axis"), x[0]->type.rank, &axis))
		return NULL;
	Node *moved = roll_of_parts(call_build(c), x, count, axis);
	return moved ? moved : joined(call_build(c), x, count, axis);
}

const ConcatPiece *concat_pieces(Arena *a, const Program *p, const Node *n)
{
	const int axis = (int)node_int(n, "axis");
	Buffer *whole = p->of_node[n->id];
	ConcatPiece *pieces = NEW_ARRAY(a, ConcatPiece, n->operand_count);
	int64_t below = dtype_bytes(n->type.dtype), start = 0;
	for (int i = axis + 1; i < n->type.rank; i++)
		below *= n->type.dim[i];
	for (int i = 0; i < n->operand_count; i++) {
		Buffer *b = p->of_node[n->operands[i]->id];
		const bool in_place = b && whole && b->inside && buffer_root(b) == buffer_root(whole) &&
		                      buffer_offset(b) == buffer_offset(whole) + start * below;
		pieces[i] = (ConcatPiece){start, n->operands[i]->type.dim[axis], in_place};
		start += pieces[i].count;
	}
	return pieces;
}

/* ---- slice and pad, each the gradient of the other */

static bool slice_infer(Infer *in)
{
	int64_t axis, start = infer_int(in, "start"), count = infer_int(in, "count"), end;
	if (!infer_axis(in, "axis", &axis))
		return false;
	Type t = in->operands[0]->type;
	if (start < 0 || count < 1 || !checked_add(start, count, &end) || end > t.dim[axis]) {
		infer_error(in, "slice-range",
		            "a slice of %lld from %lld on is outside of the %lld there are", (long long)count,
		            (long long)start, (long long)t.dim[axis]);
		infer_note_operand(in, 0);
		return false;
	}
	t.dim[axis] = count;
	return infer_result(in, t.dtype, t.rank, t.dim);
}

static void slice_grad(Grad *g)
{
	int64_t axis = node_int(g->node, "axis"), start = node_int(g->node, "start");
	int64_t after = g->operands[0]->type.dim[axis] - start - g->dy->type.dim[axis];
	g->result[0] = build_pad(&g->b, g->dy, axis, start, after);
}

static Node *build_slice_layer(Call *c)
{
	Node *x = call_tensor(c, "x");
	int64_t axis, start = call_int(c, "start");
	if (!x || !call_axis(c, "axis", call_int(c, "axis"), x->type.rank, &axis))
		return NULL;
	if (start < 0)
		return call_error(c, "start", "slice-range", "a slice starts at 0 or later");
	return build_slice(call_build(c), x, axis, start, call_int(c, "count"));
}

/* It is read in place by the kernel that wants it. */
static void slice_place(const Node *n, int axis, Place *p)
{
	if (axis != node_int(n, "axis"))
		return;
	p->plus = node_int(n, "start");
	p->count = n->operands[0]->type.dim[axis];
}

static bool pad_infer(Infer *in)
{
	int64_t axis, before = infer_int(in, "before"), after = infer_int(in, "after");
	if (!infer_axis(in, "axis", &axis))
		return false;
	Type t = in->operands[0]->type;
	if (before < 0 || after < 0)
		return infer_error(in, "bad-argument", "`pad` adds at least 0 elements on each side");
	if (!checked_add(t.dim[axis], before, &t.dim[axis]) || !checked_add(t.dim[axis], after, &t.dim[axis]))
		return infer_error(in, "tensor-limit", "the result of `pad` is too large");
	return infer_result(in, t.dtype, t.rank, t.dim);
}

static void pad_grad(Grad *g)
{
	int64_t axis = node_int(g->node, "axis");
	g->result[0] =
	        build_slice(&g->b, g->dy, axis, node_int(g->node, "before"), g->operands[0]->type.dim[axis]);
}

static Node *build_pad_layer(Call *c)
{
	Node *x = call_tensor(c, "x");
	int64_t axis;
	if (!x || !call_axis(c, "axis", call_int(c, "axis"), x->type.rank, &axis))
		return NULL;
	return build_pad(call_build(c), x, axis, call_int(c, "before"), call_int(c, "after"));
}

/* ---- flip, its own gradient */

static bool flip_infer(Infer *in)
{
	int64_t axis;
	Type t = in->operands[0]->type;
	return infer_axis(in, "axis", &axis) && infer_result(in, t.dtype, t.rank, t.dim);
}

static void flip_grad(Grad *g)
{
	g->result[0] = build_along(&g->b, "flip", g->dy, node_int(g->node, "axis"));
}

static Node *build_flip(Call *c)
{
	return call_along(c, "flip");
}

/* ---- samples */

static const char *const concat_samples[] = {
        "x0=f32[1] axis=0",
        "x0=f32[1] x1=f32[1] axis=0",
        "x0=f32[3] x1=f32[5] axis=0",
        "x0=f32[1,1] x1=f32[1,1] axis=1",
        "x0=f32[3,5] x1=f32[3,5] axis=0",
        "x0=f32[3,5] x1=f32[3,5] axis=1",
        "x0=f32[3,1] x1=f32[3,7] axis=1",
        "x0=f32[1,5] x1=f32[4,5] axis=0",
        "x0=f32[2,3] x1=f32[2,4] x2=f32[2,1] axis=1",
        "x0=f32[2,3] x1=f32[1,3] x2=f32[5,3] axis=0",
        "x0=f32[2,3,2] x1=f32[2,3,6] x2=f32[2,3,4] axis=2",
        "x0=f32[3,2,6] x1=f32[3,1,6] axis=1",
        "x0=f32[2,3,5] x1=f32[2,3,5] axis=0",
        "x0=f32[2,3,5] x1=f32[2,1,5] axis=1",
        "x0=f32[2,3,5] x1=f32[2,3,2] axis=2",
        "x0=f32[1,1,7] x1=f32[1,1,1] axis=2",
        "x0=f32[2,3,3,4] x1=f32[2,3,3,1] axis=3",
        "x0=f32[2,3,3,4] x1=f32[2,3,2,4] axis=2",
        "x0=f32[2,3,3,4] x1=f32[2,5,3,4] axis=1",
        "x0=f32[2,3,3,4] x1=f32[1,3,3,4] axis=0",
        "x0=f32[1,1,1,1] x1=f32[1,1,1,1] x2=f32[1,1,1,1] x3=f32[1,1,1,1] axis=3",
        "x0=f32[2,1,1,3] x1=f32[2,1,1,5] x2=f32[2,1,1,2] x3=f32[2,1,1,1] x4=f32[2,1,1,9] axis=3",
        "x0=f32[2,4,1,3] x1=f32[2,4,6,3] axis=2",
        "x0=f32[1] x1=f32[2] x2=f32[3] x3=f32[1] x4=f32[2] x5=f32[3] x6=f32[1] x7=f32[2] x8=f32[3] x9=f32[1] "
        "axis=0",
        NULL,
};

static const char *const slice_samples[] = {
        "x=f32[1] axis=0 start=0 count=1",       "x=f32[7] axis=0 start=0 count=7",
        "x=f32[7] axis=0 start=2 count=3",       "x=f32[7] axis=0 start=6 count=1",
        "x=f32[1,1] axis=1 start=0 count=1",     "x=f32[3,5] axis=0 start=1 count=1",
        "x=f32[3,5] axis=0 start=0 count=2",     "x=f32[3,5] axis=1 start=0 count=2",
        "x=f32[3,5] axis=1 start=4 count=1",     "x=f32[1,9] axis=1 start=3 count=5",
        "x=f32[5,1] axis=0 start=1 count=3",     "x=f32[2,3,5] axis=0 start=1 count=1",
        "x=f32[2,3,5] axis=1 start=1 count=2",   "x=f32[2,3,5] axis=2 start=2 count=3",
        "x=f32[2,3,3,4] axis=3 start=1 count=2", "x=f32[2,3,3,4] axis=2 start=0 count=2",
        "x=f32[2,3,3,4] axis=1 start=2 count=1", "x=f32[2,3,3,4] axis=0 start=0 count=1",
        "x=f32[1,1,1,1] axis=2 start=0 count=1", "x=f32[2,1,9,1] axis=2 start=4 count=5",
        "x=f32[3,2,1,8] axis=3 start=0 count=8", NULL,
};

static const char *const pad_samples[] = {
        "x=f32[1] axis=0 before=0 after=0",       "x=f32[1] axis=0 before=1 after=0",
        "x=f32[7] axis=0 before=2 after=3",       "x=f32[7] axis=0 before=0 after=1",
        "x=f32[1,1] axis=1 before=1 after=1",     "x=f32[3,5] axis=0 before=1 after=0",
        "x=f32[3,5] axis=0 before=0 after=2",     "x=f32[3,5] axis=1 before=2 after=0",
        "x=f32[3,5] axis=1 before=0 after=4",     "x=f32[1,9] axis=1 before=3 after=5",
        "x=f32[5,1] axis=0 before=1 after=3",     "x=f32[2,3,5] axis=0 before=1 after=1",
        "x=f32[2,3,5] axis=1 before=1 after=2",   "x=f32[2,3,5] axis=2 before=2 after=3",
        "x=f32[2,3,3,4] axis=3 before=1 after=2", "x=f32[2,3,3,4] axis=2 before=0 after=2",
        "x=f32[2,3,3,4] axis=1 before=2 after=1", "x=f32[2,3,3,4] axis=0 before=1 after=0",
        "x=f32[1,1,1,1] axis=2 before=1 after=1", "x=f32[2,1,9,1] axis=2 before=4 after=0",
        "x=f32[3,2,1,8] axis=3 before=0 after=0", NULL,
};

static const char *const flip_samples[] = {
        "x=f32[1] axis=0",       "x=f32[7] axis=0",
        "x=f32[8] axis=0",       "x=f32[1,1] axis=1",
        "x=f32[3,5] axis=0",     "x=f32[3,5] axis=1",
        "x=f32[4,8] axis=0",     "x=f32[4,8] axis=1",
        "x=f32[1,9] axis=1",     "x=f32[5,1] axis=0",
        "x=f32[5,1] axis=1",     "x=f32[2,3,5] axis=0",
        "x=f32[2,3,5] axis=1",   "x=f32[2,3,5] axis=2",
        "x=f32[2,3,3,4] axis=3", "x=f32[2,3,3,4] axis=2",
        "x=f32[2,3,3,4] axis=1", "x=f32[2,3,3,4] axis=0",
        "x=f32[1,1,1,1] axis=2", "x=f32[2,1,9,1] axis=2",
        "x=f32[3,4,1,8] axis=1", NULL,
};

const Op axis_ops[] = {
        {.name = "concat",
         .move = MOVE_CONCAT,
         .affine = affine_moved,
         .signature = "x... -> y",
         .call = "x: tensors, axis: int = -1",
         .doc = "Tensors one after the other along an axis, the channels by default: `concat(a, b, c)`.",
         .flags = OP_EPILOGUE | OP_ANY_SIZE,
         .infer = concat_infer,
         .grad = concat_grad,
         .build = build_concat_layer,
         .samples = concat_samples},
        {.name = "stack",
         .call = "x: tensors, axis: int = 0",
         .doc = "Tensors of one shape side by side along a new axis: `stack(a, b)` of [8] and [8] is [2, 8].",
         .build = build_stack},
        {.name = "slice",
         .move = MOVE_SLICE,
         .affine = affine_moved,
         .signature = "x -> y",
         .call = "x: elements, axis: int, start: int, count: int",
         .doc = "`count` elements from `start` on along an axis.",
         .flags = OP_POINTWISE | OP_PLACED | OP_CHEAP,
         .infer = slice_infer,
         .grad = slice_grad,
         .build = build_slice_layer,
         .place = slice_place,
         .expr = "x",
         .samples = slice_samples},
        {.name = "pad",
         .move = MOVE_PAD,
         .signature = "x -> y",
         .call = "x, axis: int, before: int, after: int",
         .doc = "Zeros put before and after x along an axis.",
         .flags = OP_EPILOGUE,
         .infer = pad_infer,
         .grad = pad_grad,
         .build = build_pad_layer,
         .samples = pad_samples},
        {.name = "flip",
         .affine = affine_moved,
         .signature = "x -> y",
         .call = "x, axis: int",
         .doc = "x from its last place along an axis to the first: an image mirrored left to right is "
                "`image -> flip(1)`.",
         .flags = OP_EPILOGUE,
         .infer = flip_infer,
         .grad = flip_grad,
         .build = build_flip,
         .samples = flip_samples},
        {0},
};
