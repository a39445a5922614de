/* SPDX-License-Identifier: MIT */
/* Chooses the element type of every tensor, by the recipe's `precision`.
 *
 * The elaborated graph computes in f32, and so it stays under fp32 and tf32, and on the CPU.
 *
 * fp64 turns every f32 into f64, leaves and results alike: the generated code of the loops target then serves as the
 * oracle of the tests. An operator whose result is f32 whatever its operands are (`one_hot`, `uniform`) is followed by
 * a cast.
 *
 * bf16 and fp16 (CUDA) store activations and their gradients in 16 bits and compute in f32. The record of an operator
 * with loops of its own says what it takes (Op.halves); pointwise operators take what comes, and what is computed from
 * a 16-bit value is stored in 16 bits (infer_mixed), so that the type spreads from the convolutions and products by
 * itself. In f32 remain:
 *
 *   sums and maxima          their record says so: statistics, gradients of biases and scales
 *   weight gradients         conv_wgrad's record; a product that only the update reads gets wide=1
 *   the end of the network   loss, metrics and what they are computed from, back to the last operator that is neither
 *                            pointwise nor a sum, a product with one row of weights being one too: softmax and
 *                            cross-entropy work on f32 logits; but of a training
 *                            step the scores of a softmax that a product leaves in more than 256 MB are stored in 16
 *                            bits, as PyTorch's autocast has all, and computed with in f32 (GPT-2's, of 50257 words)
 *   what the user has in f32 inputs of f32, `arange`, `f32(x)`, and what pointwise operators, sums and moves compute
 *                            from them, up to a convolution or product: beside 16 bits they promote, as PyTorch's
 *                            tensors do (a coordinate of 16 to 32 would be rounded to 1/8). Numbers do not, nor
 *                            parameters (biases and scales of layers), nor what is in -1..1 whatever it is computed
 *                            from (OP_BOUNDED: comparisons; the sines of positions, which would have a transformer's
 *                            stream in f32). What convolutions and products alone read is rounded where it is made
 *   parameters and states    the network reads weights from "params16", a 16-bit copy of the flat parameters that the
 *                            update writes beside them, and frozen ones from "frozen16", which the runtime alone
 *                            writes; `part` takes one parameter out of it
 *
 * The operand of a maximum is rounded where it is made: the gradient looks for the element that is equal to the
 * maximum, which must not be compared once with and once without its lower bits.
 *
 * Runs after expand. */
#include "passes/pass.h"

#include "ir/formula.h"
#include "ops/compose.h"
#include "passes/epilogue.h"
#include "ir/op.h"

#include <string.h>

/* ---- fp64 */

static Node *widen_leaf(Graph *to, const Node *n)
{
	if (n->type.dtype != DTYPE_F32)
		return NULL;
	return graph_leaf(to, n->op->name, type_with_dtype(n->type, DTYPE_F64), n->attrs, n->attr_count,
	                  n->sites);
}

static Node *widen(void *ctx, Graph *to, const Node *n, Node **operands)
{
	if (node_is_leaf(n))
		return widen_leaf(to, n);
	Attr *attrs = NEW_ARRAY(to->arena, Attr, n->attr_count);
	for (int i = 0; i < n->attr_count; i++) {
		attrs[i] = n->attrs[i];
		if (attrs[i].kind == ATTR_BODY)
			attrs[i].body = graph_rewrite(to->arena, attrs[i].body, widen, NULL);
		if ((n->op->flags & OP_CONVERTS) && strcmp(attrs[i].name, "to") == 0 &&
		    strcmp(attrs[i].s, "f32") == 0)
			attrs[i].s = "f64";
	}
	Node *wide = graph_node(to, n->op, operands, n->operand_count, attrs, n->attr_count, n->sites, NULL);
	if (wide->type.dtype != DTYPE_F32) {
		wide->name = n->name;
		return wide;
	}
	Build b = build_beside(to, n);
	return build_cast(&b, wide, DTYPE_F64);
}

/* ---- 16 bits */

enum { JOINS_LOOPS = OP_POINTWISE | OP_REDUCE | OP_ALIAS };

enum { LARGE = 1 << 26 /* elements: of logits that are stored in 16 bits */ };

/* What the rewriting asks about a node of the old graph, by id. */
typedef struct Narrowing {
	DType half;
	const Formula *product;
	bool *last;         /* a loss or metric is computed from it by pointwise operators and sums alone */
	bool *wanted;       /* all that reads it wants f32 */
	bool *maximum;      /* a maximum is taken of it */
	bool *scores;       /* or of what pointwise operators make of it: of a softmax */
	bool *may_widen;    /* of the network, and not only rounded */
	bool *widens;       /* the user's numbers in f32 */
	int64_t first, end; /* of the frozen parameters, in elements of the flat ones */
	int64_t flat;       /* elements that are trained */
	Node *copy;         /* "params16" in the new graph */
} Narrowing;

/* Of a product with one row of weights, which is a sum in the loops of its neighbours (matmul's expand): what it
 * multiplies is the result of the layer before it. */
static bool sums_weighted(const Narrowing *w, const Node *n)
{
	const Node *x = n->op->flags & OP_ADDS ? node_unshaped(n->operands[0]) : NULL;
	if (!x || !formula_matches(w->product, x, NULL))
		return false;
	return node_is_flat(node_unshaped(x->operands[0])) != node_is_flat(node_unshaped(x->operands[1]));
}

static void find_last(Narrowing *w, const Graph *g)
{
	for (int i = 0; i < g->output_count; i++)
		if (OUTPUTS_SCORES & 1u << g->outputs[i].kind)
			w->last[g->outputs[i].node->id] = true;
	for (int i = g->count - 1; i >= 0; i--) {
		const Node *n = g->nodes[i];
		const bool before = w->last[i] && (n->op->flags & JOINS_LOOPS) && !sums_weighted(w, n);
		for (int k = 0; before && k < n->operand_count; k++)
			w->last[n->operands[k]->id] = true;
	}
}

static void find_wanted(Narrowing *w, const Graph *g)
{
	for (int i = 0; i < g->count; i++)
		w->wanted[i] = true;
	for (int i = g->count - 1; i >= 0; i--) {
		const Node *n = g->nodes[i];
		bool joins = n->op->flags & JOINS_LOOPS;
		bool wants = n->op->halves == HALVES_NONE ||
		             (w->may_widen[i] && (n->op->flags & OP_WIDENS)) ||
		             (joins && w->last[i] && !sums_weighted(w, n)) ||
		             (joins && !(n->op->flags & OP_REDUCE) && w->wanted[i]);
		for (int k = 0; k < n->operand_count; k++) {
			int x = n->operands[k]->id;
			w->wanted[x] = w->wanted[x] && wants;
			const bool maximum = (n->op->flags & OP_REDUCE) && !(n->op->flags & OP_ADDS);
			w->maximum[x] = w->maximum[x] || maximum;
			w->scores[x] = w->scores[x] || maximum || (w->scores[i] && joins);
		}
	}
}

static bool any_half(Node *const *x, int count)
{
	for (int i = 0; i < count; i++)
		if (dtype_is_half(x[i]->type.dtype))
			return true;
	return false;
}

/* Whether the operator rounds its operand k to 16 bits. */
static bool rounds_operand(const Op *op, int k)
{
	const bool some = op->halves >= HALVES_FIRST && op->halves <= HALVES_FIRST_THREE;
	return op->halves == HALVES_ALL || (some && k <= (int)(op->halves - HALVES_FIRST));
}

static bool begins_wide(const Node *n)
{
	if (n->op->flags & OP_WIDENS)
		return !node_attr(n, "by") || node_real(n, "by") != 0; /* else it is one number */
	return n->op->leaf == LEAF_INPUT;
}

/* Of the operands of a `select` the first is a condition. */
static bool is_condition(const Node *n, int k)
{
	return k == 0 && n->operand_count == 3 && strcmp(n->op->name, "select") == 0;
}

/* In the network itself, whose gradients have the types of what they are computed from. */
static void find_may_widen(Narrowing *w, const Graph *g)
{
	bool *forward = NEW_ARRAY(g->arena, bool, g->count), *kept = w->may_widen;
	for (int i = 0; i < g->output_count; i++) {
		const Output *o = &g->outputs[i];
		const int id = o->node->id;
		forward[id] = forward[id] || (OUTPUTS_SCORES | 1u << OUTPUT_VALUE) & 1u << o->kind;
		kept[id] = forward[id];
	}
	for (int i = g->count - 1; i >= 0; i--) {
		const Node *n = g->nodes[i];
		const bool moves = n->op->move != MOVE_NONE || (n->op->flags & OP_ALIAS);
		for (int k = 0; forward[i] && k < n->operand_count; k++) {
			const int x = n->operands[k]->id;
			forward[x] = true;
			kept[x] = kept[x] || (moves ? kept[i] : !rounds_operand(n->op, k));
		}
		kept[i] = kept[i] && n->type.dtype == DTYPE_F32 && !(n->op->flags & OP_BOUNDED) &&
		          !rounds_operand(n->op, 0);
	}
}

/* What lies side by side has one type, that of its piece in 16 bits: an operator which moves numbers does not widen. */
static bool has_one_type(const Op *op)
{
	return op->halves == HALVES_BY_LOOPS && !(op->flags & (JOINS_LOOPS | OP_LEAF));
}

static bool widens(const Narrowing *w, const Node *n, Node *const *operands)
{
	if (!w->may_widen[n->id] || (has_one_type(n->op) && any_half(operands, n->operand_count)))
		return false;
	bool wide = begins_wide(n);
	for (int k = 0; k < n->operand_count; k++)
		wide = wide || (w->widens[n->operands[k]->id] && !is_condition(n, k));
	return wide;
}

static void find_flat(Narrowing *w, const Graph *g)
{
	w->first = INT64_MAX;
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (!node_is_placed(n))
			continue;
		const int64_t begins = node_int(n, "offset"), ends = begins + type_elements(n->type);
		int64_t *end = node_is_frozen(n) ? &w->end : &w->flat;
		*end = ends > *end ? ends : *end;
		if (node_is_frozen(n) && begins < w->first)
			w->first = begins;
	}
}

/* The parameter's part of the copy that has it, in that shape. A copy is made where the first parameter is read. */
static Node *part_of_copy(Narrowing *w, Build *b, const Node *param, const Type *shape)
{
	const bool frozen = node_is_frozen(param);
	Node *copy = epilogue_copy_of(b->graph, param);
	if (!copy) {
		const int64_t elements = frozen ? w->end - w->first : w->flat;
		Attr attrs[] = {attr_text("name", frozen ? EPILOGUE_FROZEN : EPILOGUE_COPY),
		                attr_real("value", 0), attr_int("first", w->first)};
		Type type;
		require(type_make(w->half, 1, &elements, &type));
		copy = graph_leaf(b->graph, "state", type, attrs, frozen ? 3 : 2, param->sites);
	}
	if (!frozen)
		w->copy = copy;
	return epilogue_copied(b, copy, param, *shape);
}

static Node *rounded_where_made(Narrowing *w, Build *b, Node *x)
{
	if ((x->op->flags & OP_CONVERTS) && x->operands[0]->type.dtype == w->half)
		return x->operands[0];
	const Node *param = node_unshaped(x);
	if (node_is_placed(param))
		return part_of_copy(w, b, param, &x->type);
	return build_cast(b, x, w->half);
}

/* What is transposed or padded, seen through reshapes, is rounded before it, so that half of the bytes are moved. */
static Node *as_half(Narrowing *w, Build *b, Node *x)
{
	enum { MOST = 4 };
	const Node *moves[MOST], *of = node_unshaped(x);
	int count = 0;
	if (of->op->move == MOVE_PAD && of->type.dtype == w->half)
		return x;
	for (; count < MOST && (of->op->move == MOVE_TRANSPOSE || of->op->move == MOVE_PAD);
	     of = node_unshaped(of->operands[0]))
		moves[count++] = of;
	if (count == 0)
		return rounded_where_made(w, b, x);
	Node *y = rounded_where_made(w, b, (Node *)of);
	while (count-- > 0) {
		const Node *m = moves[count];
		y = build_reshape(b, y, m->operands[0]->type.rank, m->operands[0]->type.dim);
		y = graph_node(b->graph, m->op, &y, 1, m->attrs, m->attr_count, m->sites, NULL);
		y->name = m->name;
	}
	return build_reshape(b, y, x->type.rank, x->type.dim);
}

static void convert_operands(Narrowing *w, Build *b, const Node *n, Node **x)
{
	const Op *op = n->op;
	const int count = n->operand_count;
	const bool alike =
	        op->halves == HALVES_BY_LOOPS && !(op->flags & (JOINS_LOOPS | OP_LEAF)) && any_half(x, count);
	for (int i = 0; i < count; i++) {
		const bool rounds = rounds_operand(op, i), some = rounds_operand(op, 0);
		const bool half = rounds || alike;
		const bool real = op->halves == HALVES_NONE || (some && !rounds) || w->widens[n->id];
		if (half && dtype_is_real(x[i]->type.dtype))
			x[i] = as_half(w, b, x[i]);
		else if (real && dtype_is_half(x[i]->type.dtype))
			x[i] = build_cast(b, x[i], DTYPE_F32);
	}
}

static Node *narrow(void *ctx, Graph *to, const Node *n, Node **operands)
{
	Narrowing *w = ctx;
	Build b = build_beside(to, n);
	bool joins = n->op->flags & JOINS_LOOPS;
	w->widens[n->id] = widens(w, n, operands);
	if (node_is_leaf(n))
		return NULL;
	convert_operands(w, &b, n, operands);
	Attr *attrs = NEW_ARRAY(to->arena, Attr, n->attr_count + 1);
	int attr_count = n->attr_count;
	for (int i = 0; i < n->attr_count; i++)
		attrs[i] = n->attrs[i];
	const bool stored = n->op->gemm == GEMM_PRODUCT && w->last[n->id] && w->scores[n->id] &&
	                    to->training && type_elements(n->type) >= LARGE;
	const bool stays_wide = !stored && (w->wanted[n->id] || (w->last[n->id] && !joins));
	if (n->op->gemm == GEMM_PRODUCT && stays_wide)
		attrs[attr_count++] = attr_int("wide", 1);
	Node *r = graph_node(to, n->op, operands, n->operand_count, attrs, attr_count, n->sites, NULL);
	r->name = n->name;
	if (n->op->halves == HALVES_LOOKED_UP && !stays_wide && !w->widens[n->id])
		return as_half(w, &b, r);
	if (w->last[n->id] && !joins && dtype_is_half(r->type.dtype))
		return build_cast(&b, r, DTYPE_F32);
	bool rounded = (n->op->flags & OP_POINTWISE) && !(n->op->flags & OP_CONVERTS);
	if (w->maximum[n->id] && rounded && dtype_is_half(r->type.dtype))
		return build_cast(&b, build_cast(&b, r, DTYPE_F32), w->half);
	return r;
}

/* Outputs leave the graph in f32; and the update writes its copy. */
static void convert_outputs(const Narrowing *w, Graph *g)
{
	Node *params = graph_find_output(g, OUTPUT_STATE, "params");
	for (int i = 0; i < g->output_count; i++) {
		Output *o = &g->outputs[i];
		Build b = build_beside(g, o->node);
		if (dtype_is_half(o->node->type.dtype))
			o->node = build_cast(&b, o->node, DTYPE_F32);
	}
	if (!params || !w->copy)
		return;
	Build b = build_beside(g, params);
	graph_output(g, OUTPUT_STATE, EPILOGUE_COPY, build_cast(&b, params, w->half));
}

static Graph *with_halves(Arena *a, const Graph *g, DType half)
{
	Narrowing w = {.half = half,
	               .product = formula_parse(a, "x*y"),
	               .last = NEW_ARRAY(a, bool, g->count),
	               .wanted = NEW_ARRAY(a, bool, g->count),
	               .maximum = NEW_ARRAY(a, bool, g->count),
	               .scores = NEW_ARRAY(a, bool, g->count),
	               .may_widen = NEW_ARRAY(a, bool, g->count),
	               .widens = NEW_ARRAY(a, bool, g->count)};
	find_last(&w, g);
	find_may_widen(&w, g);
	find_wanted(&w, g);
	find_flat(&w, g);
	Graph *to = graph_rewrite(a, g, narrow, &w);
	convert_outputs(&w, to);
	return to;
}

/* ---- the pass */

Graph *pass_precision(PassContext *ctx, const Graph *g)
{
	const DType real = dtype_of_precision(ctx->recipe ? ctx->recipe->precision : NULL);
	if (real == DTYPE_F64)
		return graph_rewrite(ctx->arena, g, widen, NULL);
	return ctx->target->halves && dtype_is_half(real) ? with_halves(ctx->arena, g, real) : (Graph *)g;
}
