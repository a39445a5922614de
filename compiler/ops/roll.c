/* SPDX-License-Identifier: MIT */
/* roll: a tensor moved along its axes, what goes out on one side coming in on the other, as windows that are shifted
 * over an image have it (Liu and others: Swin transformer, 2021).
 *
 * `by` has a number for each dimension, from 0 to its size - 1: element i of the result is element i - by of x, or that
 * plus the size. Two parts of a tensor put together the other way round are the same (roll_of_parts); one moved along
 * two axes is moved once. */
#include "ops/compose.h"
#include "ops/shape.h"

#include <string.h>

static bool roll_infer(Infer *in)
{
	int count;
	const int64_t *by = infer_ints(in, "by", &count);
	const Type t = in->operands[0]->type;
	bool fits = count == t.rank;
	for (int i = 0; fits && i < count; i++)
		fits = by[i] >= 0 && by[i] < t.dim[i];
	return fits ? infer_result(in, t.dtype, t.rank, t.dim)
	            : infer_error(in, "bad-argument",
	                          "`by` of `roll` has a number below its size for each dimension of %s",
	                          shape_text(in->graph->arena, t));
}

/* x moved by so much more, by[0, rank), at least 0 each. */
static Node *build_moved(Build *b, Node *x, const int64_t *by)
{
	const Op *roll = op_find("roll");
	int64_t all[LIMIT_RANK];
	int count;
	const int64_t *before = x->op == roll ? node_ints(x, "by", &count) : NULL;
	bool any = false;
	for (int i = 0; i < x->type.rank; i++) {
		all[i] = (by[i] + (before ? before[i] : 0)) % x->type.dim[i];
		any = any || all[i] > 0;
	}
	x = before ? x->operands[0] : x;
	const Attr attr = attr_ints("by", all, x->type.rank);
	return any ? build(b, "roll", 1, &x, 1, &attr) : x;
}

static void roll_grad(Grad *g)
{
	int count;
	const int64_t *by = node_ints(g->node, "by", &count);
	int64_t back[LIMIT_RANK];
	for (int i = 0; i < count; i++)
		back[i] = (g->dy->type.dim[i] - by[i]) % g->dy->type.dim[i];
	g->result[0] = build_moved(&g->b, g->dy, back);
}

static Node *build_roll(Call *c)
{
	Node *x = call_tensor(c, "x");
	int count, axes;
	const int64_t *by = call_ints(c, "by", &count), *axis = call_ints(c, "axis", &axes);
	if (!x)
		return NULL;
	if (count != axes)
		return call_error(c, "by", "bad-argument",
		                  "`roll` moves by a number for each axis: %d for %d", count, axes);
	int64_t all[LIMIT_RANK] = {0};
	for (int i = 0; i < count; i++) {
		int64_t at;
		if (!call_axis(c, "axis", axis[i], x->type.rank, &at))
			return NULL;
		const int64_t n = x->type.dim[at], rest = by[i] % n;
		all[at] = (all[at] + rest + n) % n;
	}
	return build_moved(call_build(c), x, all);
}

/* Whether x is the slice of that tensor along the axis that begins at `start`. */
static bool is_part(const Node *x, const Node *of, int64_t axis, int64_t start)
{
	return x->op->move == MOVE_SLICE && x->operands[0] == of && node_int(x, "axis") == axis &&
	       node_int(x, "start") == start;
}

Node *roll_of_parts(Build *b, Node *const *x, int count, int64_t axis)
{
	if (count != 2 || x[1]->op->move != MOVE_SLICE)
		return NULL;
	Node *of = x[1]->operands[0];
	const int64_t first = x[1]->type.dim[axis];
	if (!is_part(x[1], of, axis, 0) || !is_part(x[0], of, axis, first) ||
	    first + x[0]->type.dim[axis] != of->type.dim[axis])
		return NULL;
	int64_t by[LIMIT_RANK] = {0};
	by[axis] = x[0]->type.dim[axis];
	return build_moved(b, of, by);
}

static const char *const roll_samples[] = {
        "x=f32[7] by=[3]",
        "x=f32[1] by=[0]",
        "x=f32[8] by=[4]",
        "x=f32[3,5] by=[1,0]",
        "x=f32[3,5] by=[0,2]",
        "x=f32[3,5] by=[2,4]",
        "x=f32[4,8] by=[1,0]",
        "x=f32[4,8] by=[3,4]",
        "x=f32[1,9] by=[0,8]",
        "x=f32[5,1] by=[2,0]",
        "x=f32[2,3,5] by=[0,1,0]",
        "x=f32[2,3,5] by=[1,0,3]",
        "x=f32[2,3,5] by=[1,2,4]",
        "x=f32[2,3,8] by=[0,2,0]",
        "x=f32[2,3,3,4] by=[0,1,2,0]",
        "x=f32[2,4,3,4] by=[0,3,0,0]",
        "x=f32[2,4,3,4] by=[0,0,1,0]",
        "x=f32[2,3,3,4] by=[1,1,1,1]",
        "x=f32[1,1,1,1] by=[0,0,0,0]",
        "x=f32[2,1,9,1] by=[0,0,5,0]",
        "x=f32[3,4,1,8] by=[2,3,0,0]",
        NULL,
};

const Op roll_ops[] = {
        {.name = "roll",
         .signature = "x -> y",
         .call = "x, by: ints, axis: ints",
         .doc = "x moved along an axis by so many places, or along several: what goes out at the end comes "
                "in "
                "at the begin. `roll(image, (-3, -3), axis = (0, 1))` moves it up and left.",
         .flags = OP_EPILOGUE,
         .infer = roll_infer,
         .grad = roll_grad,
         .build = build_roll,
         .samples = roll_samples},
        {0},
};
