/* SPDX-License-Identifier: MIT */
/* Lets a library's product in 16 bits compute what would be a kernel of its own beside it, where its result is more
 * than one tensor, or a kernel after it is more than the chain that `epilogues` knows.
 *
 *   kept      bias and gelu_tanh in training: the call stores what is ahead of the activation too, which the gradient
 *             reads. Kernels that add product and bias once more read that instead.
 *   slope     a product times gelu_tanh's slope at a tensor in memory: the gradient of such a layer's input. What
 *             else the kernel had, most often the sum for the bias's gradient, reads the result from memory.
 *   residual  bias and a tensor, added to a product whose kernel computes more of the sum: a layer that is added to
 *             what it read, ahead of a normalisation. Where the sum is stored anyway, the kernel reads that instead.
 *   sums      the sums of an operand's columns beside a weight gradient that reads it: a bias's gradient. In f32, as
 *             the weight gradient is.
 *
 *     %4 = add(%3, %2) group=1                          %4 = add(%3, %2) group=0, stored
 *     %5 = gelu_tanh(%4) group=1                        %5 = gelu_tanh(%4) group=0
 *     %7 = add(%3, %2) group=3                   ->
 *     %8 = gelu_tanh_slope(%7) group=3                  %8 = gelu_tanh_slope(%4) group=2
 *     %9 = mul(%6, %8) group=3                          %9 = mul(%6, %8) group=2         (%6 = matmul group=2)
 *     %10 = sum(%9) {axes=[0]} group=3                  %10 = sum(%9) {axes=[0]} group=4
 *     %11 = matmul(%9, %0) {ta=1, wide=1} group=4       %11 = matmul(%9, %0) {ta=1, wide=1} group=4
 *
 * cuBLASLt has these as epilogues, by tanh, not by erf: the two are apart by up to 5e-4, which is far more than the
 * rounding to bf16 where x is below 0, so gelu stays a kernel. The trainer times each call beside a plain product and
 * the kernel after it (codegen/library.c).
 *
 * For the CUDA target. Must run after fuse and recompute, and before `epilogues`, which takes single products. */
#include "base/array.h"
#include "passes/implementation.h"
#include "passes/epilogue.h"
#include "ir/formula.h"
#include "ir/op.h"
#include "passes/pass.h"
#include "target/activation.h"

typedef struct Search {
	PassContext *ctx;
	const Graph *g;
	Arena *scratch;
	NodeList *users, *members; /* by node id; by group */
	NodeList *sums;            /* by node id: those of the columns of it, or of a view */
	bool *for_update;          /* by node id */
	int *joins;                /* by node id: the group it becomes a part of, or its own */
	Node **instead;            /* by node id: an equal node that is stored; NULL */
	const Node **bias; /* by node id of a sum: the parameter of whose copy it reads a part; NULL */
	Node **copies;     /* by node id, in the new graph, of what `instead` names */
	bool *is_output;   /* by node id */
	const Formula *sum, *product;
	bool any;
} Search;

/* A library's, and nothing with it yet. */
static bool is_lone_product(const Search *b, const Node *n)
{
	return n->op->gemm == GEMM_PRODUCT && node_by_library(n) && !implementation_beside(n) &&
	       n->group != NO_GROUP && b->members[n->group].count == 1 && b->joins[n->id] == n->group;
}

static bool takes(const Search *b, const Node *root, const Epilogue *e)
{
	const Region region = region_of(b->ctx, root, e);
	return !region_refused(&region);
}

static void join(Search *b, const Node *n, const Node *root)
{
	b->joins[n->id] = root->group;
	b->any = true;
}

static void remark(const Search *b, const Node *root, const char *what)
{
	pass_remark(b->ctx, "%s: matmul %s: %s, by the library or as a kernel after it",
	            sites_text(b->ctx->arena, root->sites, 3), shape_text(b->ctx->arena, root->type), what);
}

/* ---- kept */

/* Whether a bias is to be read from a copy that is not there. */
static bool lacks_copy(const Search *b, const Node *root, const Epilogue *e)
{
	const Node *bias = epilogue_copied_bias(root, e);
	return bias && !epilogue_has_copy(b->g, bias, root);
}

/* The only activation of `sum`, where both are a kernel. */
static Node *activation_after(const Search *b, const Node *sum)
{
	Node *found = NULL;
	for (int i = 0; i < b->users[sum->id].count; i++) {
		Node *n = b->users[sum->id].at[i];
		const Activation *is = activation_of(n->op);
		if (!is || !is->cublas_keeps)
			continue;
		if (found || n->group == NO_GROUP || n->group != sum->group)
			return NULL;
		found = n;
	}
	return found && b->members[found->group].count == 2 ? found : NULL;
}

static void keep_activations_operand(Search *b, Node *root)
{
	const NodeList *users = &b->users[root->id];
	Node *sum = NULL, *activation = NULL;
	bool read_again = false;
	for (int i = 0; i < users->count; i++) {
		Node *n = users->at[i];
		const bool is_sum = formula_matches(b->sum, n, NULL);
		Node *after = is_sum ? activation_after(b, n) : NULL;
		if (!is_sum || (after && sum) || n->group == NO_GROUP)
			return;
		sum = after ? n : sum;
		activation = after ? after : activation;
	}
	for (int i = 0; i < users->count && sum; i++) {
		const Node *n = users->at[i];
		read_again = read_again || n != sum;
		if (n != sum && (n->id < sum->id || !nodes_same_value(n, sum)))
			return;
	}
	if (!sum || b->is_output[root->id] || (!read_again && b->users[sum->id].count == 1))
		return; /* none, or a chain */
	Epilogue e;
	if (!epilogue_read(root, (Node *[]){sum, activation}, 2, &e) || !e.bias || !takes(b, root, &e) ||
	    lacks_copy(b, root, &e))
		return;
	join(b, sum, root);
	join(b, activation, root);
	b->bias[sum->id] = epilogue_copied_bias(root, &e);
	for (int i = 0; i < users->count; i++)
		if (users->at[i] != sum)
			b->instead[users->at[i]->id] = sum;
	remark(b, root,
	       arena_printf(b->scratch, "bias and %s, of which the operand is kept", activation->op->name));
}

/* ---- slope */

/* What is left of the kernel reads the product with the slope, and neither by itself. */
static bool leaves_readers_of(const Search *b, const Node *product, const Node *slope, const Node *at)
{
	const NodeList *group = &b->members[product->group];
	for (int i = 0; i < group->count; i++) {
		const Node *n = group->at[i];
		if (n == product || n == slope || b->instead[n->id])
			continue;
		for (int k = 0; k < n->operand_count; k++)
			if (n->operands[k] == slope || n->operands[k] == at)
				return false;
	}
	return true;
}

static void take_slope(Search *b, Node *root)
{
	Node *product = b->users[root->id].count == 1 ? b->users[root->id].at[0] : NULL;
	if (!product || b->is_output[root->id] || !formula_matches(b->product, product, NULL) ||
	    product->group == NO_GROUP)
		return;
	Node *slope = product->operands[product->operands[0] == root];
	if (slope->operand_count != 1 || b->users[slope->id].count != 1 || b->is_output[slope->id] ||
	    slope->group != product->group)
		return;
	const Node *at = slope->operands[0];
	const bool stored =
	        b->instead[at->id] || (at->group != product->group && node_viewed(at)->group != NO_GROUP &&
	                               b->joins[node_viewed(at)->id] != product->group);
	Epilogue e;
	if (!stored || !leaves_readers_of(b, product, slope, at) ||
	    !epilogue_read(root, (Node *[]){slope, product}, 2, &e) || e.slope != slope ||
	    !takes(b, root, &e))
		return;
	join(b, slope, root);
	join(b, product, root);
	remark(b, root, "times the slope of gelu_tanh");
}

/* ---- residual */

/* The only user of `x`, where it is an addition in a kernel. */
static Node *addition_after(const Search *b, const Node *x)
{
	Node *n = b->users[x->id].count == 1 ? b->users[x->id].at[0] : NULL;
	const bool adds =
	        n && !b->is_output[x->id] && formula_matches(b->sum, n, NULL) && n->group != NO_GROUP;
	return adds && b->joins[n->id] == n->group && !b->instead[n->id] ? n : NULL;
}

/* Stored, and read by more than the kernel that computes it. */
static bool is_stored(const Search *b, const Node *n)
{
	bool inside = false, outside = b->is_output[n->id];
	for (int i = 0; i < b->users[n->id].count; i++)
		if (b->users[n->id].at[i]->group == n->group)
			inside = true;
		else
			outside = true;
	return inside && outside;
}

static void take_residual(Search *b, Node *root)
{
	Node *chain[2] = {addition_after(b, root)};
	Epilogue e;
	if (!chain[0])
		return;
	int count = epilogue_read(root, chain, 1, &e) && e.residual ? 1 : 2;
	if (count == 2 && !(chain[1] = addition_after(b, chain[0])))
		return;
	const Node *sum = chain[count - 1];
	if (chain[0]->group != sum->group || !is_stored(b, sum) || !epilogue_read(root, chain, count, &e) ||
	    !e.residual || node_viewed(e.residual)->group == sum->group || !takes(b, root, &e) ||
	    lacks_copy(b, root, &e))
		return;
	for (int i = 0; i < count; i++) {
		join(b, chain[i], root);
		for (int k = 0; k < 2 && e.bias; k++)
			if (chain[i]->operands[k] == e.bias)
				b->bias[chain[i]->id] = epilogue_copied_bias(root, &e);
	}
	remark(b, root, e.bias ? "bias and a residual" : "a residual");
}

/* ---- sums */

/* Which values nothing but the update, and the host, reads. */
static void find_what_is_for_update(Search *b)
{
	for (int i = b->g->count - 1; i >= 0; i--) {
		const NodeList *users = &b->users[i];
		b->for_update[i] = users->count > 0 || b->is_output[i];
		for (int k = 0; k < users->count; k++) {
			const Node *user = users->at[k];
			const bool view = (user->op->flags & OP_ALIAS) && b->for_update[user->id];
			b->for_update[i] = b->for_update[i] && (view || (user->op->flags & OP_PACK));
		}
	}
}

/* A kernel of the sum, but for what joined something else, and of views of it. */
static bool is_lone_sum(const Search *b, const Node *sum)
{
	if (sum->group == NO_GROUP || b->joins[sum->id] != sum->group)
		return false;
	const NodeList *group = &b->members[sum->group];
	for (int i = 0; i < group->count; i++) {
		const Node *n = group->at[i];
		const bool view = (n->op->flags & OP_ALIAS) && node_viewed(n->operands[0]) == sum;
		if (n != sum && b->joins[n->id] == sum->group && !b->instead[n->id] && !view)
			return false;
	}
	return true;
}

static bool sums_columns(const Node *sum)
{
	const Type t = sum->type;
	return (sum->op->flags & OP_ADDS) && t.dtype == DTYPE_F32 && t.rank >= 2 &&
	       dtype_is_half(sum->operands[0]->type.dtype) && type_elements(t) == t.dim[t.rank - 1] &&
	       t.dim[t.rank - 1] == sum->operands[0]->type.dim[t.rank - 1];
}

/* What would join a product with the sum: it, and its views. */
static NodeList with_views(const Search *b, const Node *sum)
{
	NodeList found = {0};
	const NodeList *group = &b->members[sum->group];
	for (int i = 0; i < group->count; i++)
		if (b->joins[group->at[i]->id] == sum->group && !b->instead[group->at[i]->id])
			array_push(b->scratch, &found, group->at[i]);
	return found;
}

/* A weight gradient, with the sums of what it reads along its depth: one of them, if there are any. */
static void take_sums(Search *b, Node *root)
{
	for (int k = 0; k < root->operand_count && is_lone_product(b, root) && b->for_update[root->id]; k++) {
		const NodeList *sums = &b->sums[node_viewed(root->operands[k])->id];
		for (int i = 0; i < sums->count; i++) {
			if (!is_lone_sum(b, sums->at[i]))
				continue;
			NodeList joined = with_views(b, sums->at[i]);
			Epilogue e;
			if (!epilogue_read(root, joined.at, joined.count, &e) || !takes(b, root, &e))
				continue;
			for (int n = 0; n < joined.count; n++)
				join(b, joined.at[n], root);
			remark(b, root, "sums of its operand's columns beside it");
			return;
		}
	}
}

static void take_all_sums(Search *b)
{
	find_what_is_for_update(b);
	for (int i = 0; i < b->g->count; i++) {
		Node *n = b->g->nodes[i];
		if (sums_columns(n) && b->for_update[i])
			array_push(b->scratch, &b->sums[node_viewed(n->operands[0])->id], n);
	}
	for (int i = 0; i < b->g->count; i++)
		take_sums(b, b->g->nodes[i]);
}

/* ---- the pass */

static Node *rule(void *data, Graph *to, const Node *n, Node **operands)
{
	Search *b = data;
	if (b->instead[n->id])
		return b->copies[b->instead[n->id]->id];
	if (b->joins[n->id] == n->group)
		return NULL;
	return b->copies[n->id] = epilogue_take(to, n, operands, b->bias[n->id], b->joins[n->id]);
}

Graph *pass_beside(PassContext *ctx, const Graph *g)
{
	Arena *scratch = arena_new();
	Search b = {.ctx = ctx, .g = g, .scratch = scratch};
	b.sum = formula_parse(scratch, "x + y");
	b.product = formula_parse(scratch, "x*y");
	b.users = NEW_ARRAY(scratch, NodeList, g->count);
	b.members = NEW_ARRAY(scratch, NodeList, g->count + 1);
	b.joins = NEW_ARRAY(scratch, int, g->count);
	b.instead = NEW_ARRAY(scratch, Node *, g->count);
	b.bias = NEW_ARRAY(scratch, const Node *, g->count);
	b.copies = NEW_ARRAY(scratch, Node *, g->count);
	b.sums = NEW_ARRAY(scratch, NodeList, g->count);
	b.for_update = NEW_ARRAY(scratch, bool, g->count);
	b.is_output = NEW_ARRAY(scratch, bool, g->count);
	for (int i = 0; i < g->count; i++) {
		Node *n = g->nodes[i];
		b.joins[i] = n->group;
		if (n->group != NO_GROUP)
			array_push(scratch, &b.members[n->group], n);
		for (int k = 0; k < n->operand_count; k++)
			array_push(scratch, &b.users[n->operands[k]->id], n);
	}
	for (int i = 0; i < g->output_count; i++)
		b.is_output[g->outputs[i].node->id] = true;
	for (int i = 0; i < g->count; i++)
		if (is_lone_product(&b, g->nodes[i]))
			keep_activations_operand(&b, g->nodes[i]);
	for (int i = 0; i < g->count; i++)
		if (is_lone_product(&b, g->nodes[i]))
			take_slope(&b, g->nodes[i]);
	for (int i = 0; i < g->count; i++)
		if (is_lone_product(&b, g->nodes[i]))
			take_residual(&b, g->nodes[i]);
	take_all_sums(&b);
	Graph *to = b.any ? graph_rewrite(ctx->arena, g, rule, &b) : (Graph *)g;
	arena_free(scratch);
	return to;
}
