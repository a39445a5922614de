/* SPDX-License-Identifier: MIT */
/* A loop in one kernel, in C and CUDA C: a lane for each element along the axes that have lanes (ir/loop_kernel.h), and
 * in it the loop over the periods. What a lane has of a value by itself is a variable or an array of the lane's; what
 * is read once is written out where it is read.
 *
 *     for each lane:  s = start;  for each period:  v = f(s, x[t], w);  y[t] = v;  s = v
 *
 * Sequences are loads, and yields stores, at the period's place; what is the same in all periods is computed ahead. */
#include "codegen/expr.h"
#include "codegen/lanes.h"
#include "codegen/op_loops.h"
#include "ir/loop_kernel.h"
#include "ir/view.h"

#include <string.h>

enum {
	IN_REGISTERS = 64, /* elements: of what is worth an array of its own to be loaded or computed once */
	DEEPEST = 32,      /* of a value that is written out where it is read */
};

typedef struct Lane {
	KernelText *k;
	Arena *a;
	LoopKernel loop;
	const Graph *body;
	const LoopAxes *axes;
	const char **at_axis; /* by axis with lanes: the lane's place */
	bool *local;          /* by node: it is a variable or an array */
	const char *index;    /* C type of places in memory */
	bool unrolled;        /* loops in a lane */
} Lane;

typedef struct At {
	const char *of[LIMIT_RANK]; /* C text of the place along each dimension */
} At;

/* ---- what is a variable */

static bool sums_up(const Node *n)
{
	return (n->op->flags & OP_REDUCE) || loop_has_product(n);
}

static bool is_sequence(const Lane *l, const Node *n)
{
	return node_is_argument(n) && node_int(n, "index") < l->loop.l.sequences;
}

/* Which of what is carried the argument is; -1: none. */
static int carried_of(const Lane *l, const Node *n)
{
	const int64_t i = node_is_argument(n) ? node_int(n, "index") - l->loop.l.sequences : -1;
	return i < l->loop.l.carried ? (int)i : -1;
}

/* How a node is read: in how many places of the text, and for how many elements of a lane at most. */
typedef struct Reading {
	int places;
	int64_t elements;
	bool in_periods; /* by what differs from period to period */
} Reading;

static void read_by(Reading *r, int places, int64_t elements, bool in_periods)
{
	const int most = 1 << 20;
	r->places = r->places + places < most ? r->places + places : most;
	r->elements = elements > r->elements ? elements : r->elements;
	r->in_periods = r->in_periods || in_periods;
}

static bool is_local(const Lane *l, const Node *n, const Reading *r)
{
	const int64_t inside = loop_inside(l->axes, n);
	const bool small = inside <= IN_REGISTERS, ahead = l->axes->same[n->id] && r->in_periods;
	if (node_is_constant(n) || r->places == 0)
		return false;
	if (node_is_argument(n))
		return carried_of(l, n) >= 0 || (small && (r->places > 1 || ahead));
	if (node_moves(n))
		return false;
	if (sums_up(n))
		return true;
	const bool cheap = n->op->flags & OP_CHEAP;
	if (ahead && (small || !cheap))
		return true;
	return cheap && !small ? r->places > 4 : r->places > 1 || (!cheap && r->elements > inside);
}

/* Of how many elements a lane reads operands for n. */
static int64_t terms_inside(const Lane *l, const Node *n)
{
	const int64_t inside = loop_inside(l->axes, n);
	if (loop_has_product(n))
		return inside * n->operands[0]->type.dim[node_int(n, "ta") ? 0 : 1];
	return n->op->flags & OP_REDUCE ? loop_inside(l->axes, n->operands[0]) : inside;
}

static void choose_locals(Lane *l)
{
	Reading *reading = NEW_ARRAY(l->a, Reading, l->body->count);
	for (int i = 0; i < l->body->output_count; i++) {
		const Node *n = l->body->outputs[i].node;
		read_by(&reading[n->id], 1, loop_inside(l->axes, n), true);
	}
	for (int i = l->body->count - 1; i >= 0; i--) {
		const Node *n = l->body->nodes[i];
		const Reading *r = &reading[i];
		l->local[i] = is_local(l, n, r);
		for (int k = 0; k < n->operand_count; k++) {
			const Node *x = n->operands[k];
			const int mentions = node_moves(n) || sums_up(n) ? 1 : expr_mentions(l->a, n, k);
			const int64_t own = terms_inside(l, n);
			if (r->places > 0)
				read_by(&reading[x->id],
				        (l->local[i] ? 1 : r->places) * (mentions > 0 ? mentions : 1),
				        l->local[i]         ? own
				        : own > r->elements ? own
				                            : r->elements,
				        !l->axes->same[i] || (r->in_periods && !l->local[i]));
		}
	}
}

/* What would be too deep to be written out is a variable on its way. */
static void cut_deep_values(Lane *l)
{
	int *depth = NEW_ARRAY(l->a, int, l->body->count);
	for (int i = 0; i < l->body->count; i++) {
		const Node *n = l->body->nodes[i];
		for (int k = 0; k < n->operand_count && !l->local[i]; k++) {
			const int x = n->operands[k]->id;
			depth[i] = l->local[x] || depth[x] < depth[i] ? depth[i] : depth[x] + 1;
		}
		l->local[i] = l->local[i] || depth[i] > DEEPEST;
	}
}

/* ---- places */

static const char *sum_of_places(Arena *a, const char *sum, const char *at, int64_t stride)
{
	if (strcmp(at, "0") == 0)
		return sum;
	const char *word = is_c_word(at) || stride == 1 ? at : arena_printf(a, "(%s)", at);
	const char *term = index_times(a, word, stride);
	return *sum ? arena_printf(a, "%s + %s", sum, term) : term;
}

/* The element at that place of a tensor, of which only the dimensions that `along` names (NULL: all) count. */
static const char *element(Arena *a, Type t, const char *const *at, const bool *along)
{
	const char *sum = "";
	int64_t below = 1;
	for (int d = 0; d < t.rank; d++)
		below *= !along || along[d] ? t.dim[d] : 1;
	for (int d = 0; d < t.rank; d++) {
		if (along && !along[d])
			continue;
		below /= t.dim[d];
		sum = sum_of_places(a, sum, t.dim[d] == 1 ? "0" : at[d], below);
	}
	return *sum ? sum : "0";
}

/* The same of what a lane has of n. */
static const char *element_inside(const Lane *l, const Node *n, const At *at)
{
	bool inside[LIMIT_RANK];
	for (int d = 0; d < n->type.rank; d++) {
		const int axis = loop_axis(l->axes, n, d);
		inside[d] = axis != AXIS_OF_ONE && !l->axes->has_lanes[axis];
	}
	return element(l->a, n->type, at->of, inside);
}

static const char *local_name(const Lane *l, const Node *n)
{
	const int carried = carried_of(l, n);
	return carried >= 0 ? arena_printf(l->a, "s%d", carried) : arena_printf(l->a, "v%d", n->id);
}

static const char *local_at(const Lane *l, const char *name, const Node *n, const At *at)
{
	return loop_inside(l->axes, n) == 1 ? name
	                                    : arena_printf(l->a, "%s[%s]", name, element_inside(l, n, at));
}

/* The place of a part in what is stacked. */
static At at_period(const Loop *l, const At *at, int rank)
{
	At all = *at;
	const int axis = l->axis < rank ? (int)l->axis : rank;
	for (int d = rank; d > axis; d--)
		all.of[d] = at->of[d - 1];
	all.of[axis] = "t";
	return all;
}

/* ---- values */

static const char *value_at(const Lane *l, const Node *n, const At *at);

static const char *loaded(const Lane *l, const Node *n, const At *at)
{
	const int operand = loop_kernel_operand(&l->loop, node_int(n, "index"));
	const Node *root = l->k->step->root, *x = root->operands[operand];
	const At in = is_sequence(l, n) ? at_period(&l->loop.l, at, n->type.rank) : *at;
	return arena_printf(l->a, "%s[%s]", op_operand_name(l->a, root->op, operand),
	                    element(l->a, x->type, in.of, NULL));
}

/* Where an element of a reshape is in its operand. */
static At before_reshape(const Lane *l, const Node *n, const At *at)
{
	const Type from = n->operands[0]->type, to = n->type;
	At in = {0};
	for (int d = 0; d < from.rank; d++)
		in.of[d] = "0";
	for (int i = 0, k = 0; i < from.rank || k < to.rank;) {
		while (i < from.rank && from.dim[i] == 1)
			i++;
		while (k < to.rank && to.dim[k] == 1)
			k++;
		if (i == from.rank || k == to.rank)
			break;
		const int i0 = i, k0 = k;
		int64_t a = from.dim[i++], b = to.dim[k++];
		while (a != b)
			if (a < b)
				a *= from.dim[i++];
			else
				b *= to.dim[k++];
		if (i == i0 + 1 && k == k0 + 1) {
			in.of[i0] = at->of[k0];
			continue;
		}
		Type sized = {.rank = k - k0};
		for (int d = k0; d < k; d++)
			sized.dim[d - k0] = to.dim[d];
		const char *linear = element(l->a, sized, at->of + k0, NULL);
		if (!is_c_word(linear))
			linear = arena_printf(l->a, "(%s)", linear);
		int64_t below = 1;
		for (int d = i - 1; d >= i0; below *= from.dim[d--])
			in.of[d] = d == i0 ? index_over(l->a, linear, below)
			                   : index_digit(l->a, linear, below, from.dim[d]);
	}
	return in;
}

static At aligned(const Node *n, const Node *x, const At *at)
{
	At in = {0};
	for (int d = 0; d < x->type.rank; d++)
		in.of[d] = x->type.dim[d] == 1 ? "0" : at->of[d + n->type.rank - x->type.rank];
	return in;
}

static const char *concat_at(const Lane *l, const Node *n, const At *at)
{
	const int64_t axis = node_int(n, "axis");
	const char *text = "";
	int64_t start = n->type.dim[axis];
	for (int i = n->operand_count - 1; i >= 0; i--) {
		const int64_t end = start;
		At in = *at;
		start -= n->operands[i]->type.dim[axis];
		in.of[axis] =
		        n->operands[i]->type.dim[axis] == 1 ? "0" : index_plus(l->a, at->of[axis], -start);
		const char *x = value_at(l, n->operands[i], &in);
		text = i == n->operand_count - 1 ? x
		                                 : arena_printf(l->a, "(%s < %lld ? %s : %s)", at->of[axis],
		                                                (long long)end, x, text);
	}
	return text;
}

static const char *pad_at(const Lane *l, const Node *n, const At *at)
{
	const int64_t axis = node_int(n, "axis"), before = node_int(n, "before"),
	              count = n->operands[0]->type.dim[axis];
	At in = *at;
	in.of[axis] = count == 1 ? "0" : index_plus(l->a, at->of[axis], -before);
	return arena_printf(l->a, "(%s >= %lld && %s < %lld ? %s : 0)", at->of[axis], (long long)before,
	                    at->of[axis], (long long)(before + count), value_at(l, n->operands[0], &in));
}

static const char *view_at(const Lane *l, const Node *n, const At *at)
{
	const Node *x = n->operands[0];
	At in = *at;
	int count;
	if (n->op->flags & OP_RESHAPES) {
		in = before_reshape(l, n, at);
		return value_at(l, x, &in);
	}
	switch (n->op->move) {
	case MOVE_CONCAT:
		return concat_at(l, n, at);
	case MOVE_PAD:
		return pad_at(l, n, at);
	case MOVE_SLICE:
		in.of[node_int(n, "axis")] =
		        index_plus(l->a, at->of[node_int(n, "axis")], node_int(n, "start"));
		return value_at(l, x, &in);
	case MOVE_TRANSPOSE:
		for (int d = 0; d < n->type.rank; d++)
			in.of[node_ints(n, "axes", &count)[d]] = at->of[d];
		return value_at(l, x, &in);
	case MOVE_BROADCAST:
		in = aligned(n, x, at);
		return value_at(l, x, &in);
	case MOVE_NONE:
		break;
	}
	bug("`%s` is no view", n->op->name);
}

static const char *pointwise_at(const Lane *l, const Node *n, const At *at)
{
	const char *operands[OP_MAX_OPERANDS] = {0};
	for (int i = 0; i < n->operand_count; i++) {
		const At in = aligned(n, n->operands[i], at);
		operands[i] = value_at(l, n->operands[i], &in);
	}
	const ExprWords words = {.operands = operands,
	                         .index = element(l->a, n->type, at->of, NULL),
	                         .last = n->type.rank > 0 ? at->of[n->type.rank - 1] : "0"};
	return arena_printf(l->a, "(%s)", without_brackets(l->a, expr_text(l->a, n, &words)));
}

/* The node's value, written out. */
static const char *written_at(const Lane *l, const Node *n, const At *at)
{
	if (node_is_constant(n))
		return c_number(l->a, node_real(n, "value"), n->type.dtype == DTYPE_F64);
	if (node_is_argument(n))
		return loaded(l, n, at);
	return node_moves(n) ? view_at(l, n, at) : pointwise_at(l, n, at);
}

static const char *value_at(const Lane *l, const Node *n, const At *at)
{
	return l->local[n->id] ? local_at(l, local_name(l, n), n, at) : written_at(l, n, at);
}

/* ---- statements */

/* Opens loops over what a lane has of n, along the dimensions that `along` names (NULL: all), with variables of that
 * letter; *at is the place in them. How many. */
static int open_inside(const Lane *l, const Node *n, const bool *along, bool rest, char letter, At *at)
{
	int opened = 0;
	for (int d = 0; d < n->type.rank; d++) {
		const int axis = loop_axis(l->axes, n, d);
		if (along && along[d] == rest)
			continue;
		at->of[d] = axis == AXIS_OF_ONE ? "0" : l->at_axis[axis];
		if (at->of[d])
			continue;
		at->of[d] = arena_printf(l->a, "%c%d", letter, d);
		code_loop(l->k->code, (CodeLoop){.type = "int",
		                                 .var = at->of[d],
		                                 .count = n->type.dim[d],
		                                 .turns = l->unrolled ? TURNS_UNROLLED : TURNS_SERIAL});
		opened++;
	}
	return opened;
}

static void declare(const Lane *l, const Node *n, const char *name)
{
	const char *type = dtype_value_name(n->type.dtype);
	const int64_t inside = loop_inside(l->axes, n);
	if (inside == 1)
		code_declare(l->k->code, "%s", "%s", type, name);
	else
		code_array(l->k->code, "%s", "%s", "%lld", type, name, (long long)inside);
}

static void set_inside(const Lane *l, const Node *n, const char *name,
                       const char *(*text)(const Lane *l, const Node *n, const At *at))
{
	At at = {0};
	const int opened = open_inside(l, n, NULL, false, 'd', &at);
	code_set(l->k->code, "%s", "%s", local_at(l, name, n, &at), without_brackets(l->a, text(l, n, &at)));
	code_close(l->k->code, opened);
}

static void reduce(const Lane *l, const Node *n)
{
	Code *c = l->k->code;
	const Node *x = n->operands[0];
	const char *type = dtype_value_name(n->type.dtype), *name = local_name(l, n);
	const bool adds = n->op->flags & OP_ADDS;
	bool along[LIMIT_RANK] = {false};
	int count;
	const int64_t *axes = node_ints(n, "axes", &count);
	for (int i = 0; i < count; i++)
		along[axes[i]] = true;
	At at = {0};
	const int kept = open_inside(l, x, along, true, 'd', &at);
	code_var(c, "%s", "sum", "%s", type, adds ? "0" : "-INFINITY");
	const int reduced = open_inside(l, x, along, false, 'r', &at);
	if (adds)
		code_add(c, "sum", "%s", without_brackets(l->a, value_at(l, x, &at)));
	else
		code_max(c, "%s", "sum", "%s", type, value_at(l, x, &at));
	code_close(c, reduced);
	for (int d = 0; d < n->type.rank; d++)
		at.of[d] = along[d] ? "0" : at.of[d];
	code_set(c, "%s", "sum", local_at(l, name, n, &at));
	code_close(c, kept);
}

static void multiply(const Lane *l, const Node *n)
{
	Code *c = l->k->code;
	const Node *x = n->operands[0], *y = n->operands[1];
	const int depth = node_int(n, "ta") ? 0 : 1, from = node_int(n, "tb") ? 1 : 0;
	const char *type = dtype_value_name(n->type.dtype);
	At at = {0}, of_x = {0}, of_y = {0};
	const int opened = open_inside(l, n, NULL, false, 'd', &at);
	code_var(c, "%s", "sum", "0", type);
	if (!l->unrolled && !l->k->target->gpu)
		code_turns(c, TURNS_SIMD, " reduction(+ : sum)");
	code_loop(c, (CodeLoop){.type = "int", .var = "r", .count = x->type.dim[depth]});
	of_x.of[1 - depth] = at.of[0];
	of_y.of[1 - from] = at.of[1];
	of_x.of[depth] = of_y.of[from] = x->type.dim[depth] == 1 ? "0" : "r";
	code_add(c, "sum", "%s*%s", value_at(l, x, &of_x), value_at(l, y, &of_y));
	code_close(c, 1);
	code_set(c, "%s", "sum", local_at(l, local_name(l, n), n, &at));
	code_close(c, opened);
}

static void compute(const Lane *l, const Node *n)
{
	const char *name = local_name(l, n), *type = dtype_value_name(n->type.dtype);
	if (sums_up(n)) {
		declare(l, n, name);
		code_block(l->k->code);
		(loop_has_product(n) ? multiply : reduce)(l, n);
		code_close(l->k->code, 1);
		return;
	}
	if (loop_inside(l->axes, n) == 1) {
		At at = {0};
		open_inside(l, n, NULL, false, 'd', &at);
		code_let(l->k->code, "%s", "%s", "%s", type, name,
		         without_brackets(l->a, written_at(l, n, &at)));
		return;
	}
	declare(l, n, name);
	set_inside(l, n, name, written_at);
}

/* Stores the value as the i-th of what is kept: by one lane of those that have the same. */
static void store(const Lane *l, int i, bool in_period)
{
	Code *c = l->k->code;
	const int64_t output = l->loop.kept[i];
	const Node *n = l->body->outputs[output].node;
	const Type t = loop_kernel_result(&l->loop.l, output);
	const char *guard = "";
	for (int axis = 0; axis < l->axes->count; axis++) {
		bool has = !l->axes->has_lanes[axis];
		for (int d = 0; d < n->type.rank; d++)
			has = has || loop_axis(l->axes, n, d) == axis;
		if (!has)
			guard = arena_printf(l->a, "%s%s%s == 0", guard, *guard ? " && " : "",
			                     l->at_axis[axis]);
	}
	if (*guard)
		code_if(c, "%s", guard);
	At at = {0};
	const int opened = open_inside(l, n, NULL, false, 'd', &at);
	const At all = in_period ? at_period(&l->loop.l, &at, n->type.rank) : at;
	const char *value =
	        in_period ? value_at(l, n, &at) : local_at(l, arena_printf(l->a, "s%d", (int)output), n, &at);
	const int64_t offset = loop_kernel_offset(&l->loop, i);
	const char *place = element(l->a, t, all.of, NULL);
	code_set(c, "y[%s]", "%s",
	         offset > 0 ? arena_printf(l->a, "%s + %lld", place, (long long)offset) : place,
	         without_brackets(l->a, value));
	code_close(c, opened + (*guard != 0));
}

/* ---- the whole */

static const char *zero_at(const Lane *l, const Node *n, const At *at)
{
	return "0";
}

/* The argument for what is carried; NULL: no node of the body reads it. */
static const Node *carried_argument(const Lane *l, int carried)
{
	for (int i = 0; i < l->body->count; i++)
		if (carried_of(l, l->body->nodes[i]) == carried)
			return l->body->nodes[i];
	return NULL;
}

static void begin_carried(const Lane *l)
{
	for (int i = 0; i < l->loop.l.carried; i++) {
		const Node *argument = carried_argument(l, i),
		           *n = argument ? argument : l->body->outputs[i].node;
		const char *name = arena_printf(l->a, "s%d", i);
		declare(l, n, name);
		set_inside(l, n, name, argument && i < l->loop.begun ? loaded : zero_at);
	}
}

static const char *next_name(const Lane *l, int i)
{
	const Node *n = l->body->outputs[i].node;
	return l->local[n->id] && !node_is_argument(n) ? local_name(l, n) : arena_printf(l->a, "n%d", i);
}

/* What is carried on is known before any of it is overwritten. */
static void carry_on(const Lane *l)
{
	for (int i = 0; i < l->loop.l.carried; i++) {
		const Node *n = l->body->outputs[i].node;
		if (l->local[n->id] && !node_is_argument(n))
			continue;
		declare(l, n, next_name(l, i));
		set_inside(l, n, next_name(l, i), value_at);
	}
	for (int i = 0; i < l->loop.l.carried; i++) {
		const Node *n = l->body->outputs[i].node;
		At at = {0};
		const int opened = open_inside(l, n, NULL, false, 'd', &at);
		code_set(l->k->code, "%s", "%s", local_at(l, arena_printf(l->a, "s%d", i), n, &at),
		         local_at(l, next_name(l, i), n, &at));
		code_close(l->k->code, opened);
	}
}

static void compute_all(const Lane *l, bool ahead)
{
	for (int i = 0; i < l->body->count; i++)
		if (l->local[i] && l->axes->same[i] == ahead && carried_of(l, l->body->nodes[i]) < 0)
			compute(l, l->body->nodes[i]);
}

static void write_lane(const Lane *l)
{
	Code *c = l->k->code;
	const Loop *loop = &l->loop.l;
	int64_t below = l->axes->lanes;
	const Node *largest = l->axes->largest;
	for (int d = 0; d < largest->type.rank; d++) {
		const int axis = loop_axis(l->axes, largest, d);
		if (axis == AXIS_OF_ONE || !l->axes->has_lanes[axis] || l->at_axis[axis])
			continue;
		const int64_t above = below;
		below /= l->axes->size[axis];
		l->at_axis[axis] = arena_printf(l->a, "lane%d", axis);
		code_let(c, "%s", "%s", "%s", l->index, l->at_axis[axis],
		         above == l->axes->lanes ? index_over(l->a, "i", below)
		                                 : index_digit(l->a, "i", below, l->axes->size[axis]));
	}
	compute_all(l, true);
	begin_carried(l);
	code_loop(c, (CodeLoop){.type = l->index, .var = "p", .count = loop->count});
	code_let(c, "%s", "t", "%s", l->index,
	         loop->reverse ? arena_printf(l->a, "%lld - p", (long long)loop->count - 1) : "p");
	compute_all(l, false);
	for (int i = 0; i < l->loop.kept_count; i++)
		if (l->loop.kept[i] >= loop->carried)
			store(l, i, true);
	carry_on(l);
	code_close(c, 1);
	for (int i = 0; i < l->loop.kept_count; i++)
		if (l->loop.kept[i] < loop->carried)
			store(l, i, false);
}

static Lane lane_of(KernelText *k, const Node *n, const char *index)
{
	const char *why = NULL;
	Lane l = {.k = k, .a = k->arena, .loop = loop_kernel_of(n), .index = index};
	l.body = l.loop.l.body;
	l.axes = loop_axes(k->arena, &l.loop.l, false, &why);
	if (!l.axes)
		bug("no kernel computes this loop: %s", why);
	l.at_axis = NEW_ARRAY(k->arena, const char *, l.axes->count + 1);
	l.local = NEW_ARRAY(k->arena, bool, l.body->count);
	choose_locals(&l);
	cut_deep_values(&l);
	return l;
}

static void loop_kernel_emit(KernelText *k, const Node *n)
{
	Lane l = lane_of(k, n, "int64_t");
	code_turns(k->code, TURNS_THREADS, "");
	code_for(k->code, "i", "%lld", (long long)l.axes->lanes);
	write_lane(&l);
	code_close(k->code, 1);
}

static void loop_kernel_emit_cuda(KernelText *k, const Node *n)
{
	const Lanes lanes = lanes_new(k, n, 1);
	Lane l = lane_of(k, n, lanes.index);
	int64_t elements = l.axes->inside;
	for (int i = 0; i < l.body->count; i++)
		elements += l.local[i] ? loop_inside(l.axes, l.body->nodes[i]) : 0;
	l.unrolled = elements <= 4 * IN_REGISTERS;
	lanes_begin(&lanes, l.axes->lanes);
	write_lane(&l);
}

const OpLoops loop_kernel_loops[] = {
        {.op = "loop_kernel", .emit_cpu = loop_kernel_emit, .emit_cuda = loop_kernel_emit_cuda},
        {0},
};
