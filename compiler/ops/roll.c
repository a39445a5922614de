/* roll: a tensor moved along its axes, what goes out on one side coming in on the other, as windows that are shifted
 * over an image have it (Liu and others: Swin transformer, 2021).
 *
 * `by` has a number for each dimension, from 0 to its size - 1: element i of the result is element i - by of x, or that
 * plus the size. Two parts of a tensor put together the other way round are the same (roll_of_parts); one moved along
 * two axes is moved once. */
#include "emit/onnx.h"
#include "codegen/expr.h"
#include "codegen/kernel.h"
#include "ops/compose.h"
#include "ops/lanes.h"
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

/* ---- loops, over the rows of the last dimension */

char *roll_row(Arena *a, const Node *n, const char *row)
{
	const Type t = n->type;
	int count;
	const int64_t *by = node_ints(n, "by", &count);
	char *text = arena_strdup(a, row);
	int64_t below = 1; /* rows of an index */
	for (int i = t.rank - 2; i >= 0; below *= t.dim[i--])
		if (by[i] > 0)
			text = arena_printf(a, "%s + (%s < %lld ? %lld : %lld)", text,
			                    index_digit(a, row, below, t.dim[i]), (long long)by[i],
			                    (long long)((t.dim[i] - by[i]) * below),
			                    (long long)(-by[i] * below));
	return text;
}

char *roll_column(Arena *a, const Node *n, const char *column)
{
	const int last = n->type.rank - 1;
	int count;
	const long long by = node_ints(n, "by", &count)[last];
	if (by == 0)
		return arena_strdup(a, column);
	return arena_printf(a, "%s + (%s < %lld ? %lld : %lld)", column, column, by,
	                    (long long)n->type.dim[last] - by, -by);
}

static void roll_emit(KernelText *k, const Node *n)
{
	const long long columns = (long long)n->type.dim[n->type.rank - 1],
	                rows = (long long)type_elements(n->type) / columns;
	write_line(k->w, "#pragma omp parallel for");
	kernel_open(k, "for (int64_t r = 0; r < %lld; r++)", rows);
	write_line(k->w, "const %s *const from = x + (%s) * %lld;", k->real, roll_row(k->arena, n, "r"),
	           columns);
	write_line(k->w, "#pragma omp simd");
	kernel_open(k, "for (int64_t c = 0; c < %lld; c++)", columns);
	kernel_epilogue(k, "r", "c", arena_printf(k->arena, "from[%s]", roll_column(k->arena, n, "c")));
	kernel_close(k, 2);
}

/* ---- in ONNX: for each axis its two parts put together */

static const char *part_onnx(Onnx *o, const char *x, int64_t axis, int64_t from, int64_t to)
{
	const char *operands[] = {x, onnx_ints(o, &from, 1), onnx_ints(o, &to, 1), onnx_ints(o, &axis, 1)};
	return onnx_call(o, "Slice", "", 4, operands);
}

static const char *roll_onnx(Onnx *o, const Node *n, bool *channels_first)
{
	int count;
	const int64_t *by = node_ints(n, "by", &count);
	const char *x = onnx_plain(o, n->operands[0]);
	for (int i = 0; i < count; i++) {
		if (by[i] == 0)
			continue;
		const int64_t all = n->type.dim[i], first = all - by[i];
		const char *parts[] = {part_onnx(o, x, i, first, all), part_onnx(o, x, i, 0, first)};
		x = onnx_call(o, "Concat", onnx_text(o, "axis=%d", i), 2, parts);
	}
	return x;
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
         .onnx_node = roll_onnx,
         .signature = "x -> y",
         .call = "x, by: ints, axis: ints",
         .doc = "x moved along an axis by so many places, or along several: what goes out at the end comes "
                "in "
                "at the begin. `roll(image, (-3, -3), axis = (0, 1))` moves it up and left.",
         .flags = OP_EPILOGUE,
         .infer = roll_infer,
         .grad = roll_grad,
         .build = build_roll,
         .emit_cpu = roll_emit,
         .emit_cuda = roll_emit_cuda,
         .samples = roll_samples},
        {0},
};
