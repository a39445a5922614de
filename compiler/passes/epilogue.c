/* Gives a library call what stands behind a convolution, or a product: bias, residual and activation, where they are a
 * kernel of their own and nothing else.
 *
 * The group of the convolution and that of the kernel become one; the call computes both where the library has a plan
 * that is faster, and launches the kernel behind itself where it has none (codegen/library.c), so the kernel must be a
 * chain that reads the convolution's result in one place and stores one value. In training a value that the backward
 * part reads is stored, and such a kernel stays: tanh goes along, whose gradient needs its result, and silu does not.
 *
 * A product takes along what our kernel for it computes before it stores (ops/product.h), or what cuBLASLt has: bias
 * and ReLU in f32. So product_epilogue runs after implement, and the two groups must lie one behind the other.
 *
 * For the CUDA target. Must run after fuse and recompute: what else they find to do with those nodes comes first. */
#include "ops/epilogue.h"
#include "base/array.h"
#include "codegen/implementation.h"
#include "ops/op.h"
#include "ops/product.h"
#include "passes/pass.h"

typedef ARRAY(Node *) NodeList;

typedef struct Joining {
	PassContext *ctx;
	const Graph *g;
	const char *op;    /* what takes something along */
	bool is_said;      /* why it does not: most products have nothing of the kind behind them */
	NodeList *members; /* by group */
	const int *uses;   /* by node id */
	Node **user;       /* by node id: one that reads it */
	int *joined;       /* by group: the one it becomes a part of, or itself */
} Joining;

/* Whether no other kernel stands between the two in the graph, which is in its final order. */
static bool is_next(const Joining *j, const Node *root, const Node *last)
{
	for (int i = root->id + 1; i < last->id; i++) {
		int group = j->g->nodes[i]->group;
		if (group != NO_GROUP && group != last->group)
			return false;
	}
	return true;
}

/* Of a convolution cuDNN may have any, of a product cuBLASLt these. */
static bool library_has(const Node *root, const Epilogue *e)
{
	return node_is(root, "conv") || (root->operands[0]->type.dtype == DTYPE_F32 && root->type.rank == 2 &&
	                                 (!e->activation || node_is(e->activation, "relu")));
}

/* NULL, or why the product does not take the epilogue along. */
static const char *product_refuses(const Joining *j, const Node *root, const Epilogue *e)
{
	if (!is_next(j, root, e->last))
		return "another kernel runs between them";
	if (product_parts_given(root) > 0 || library_has(root, e))
		return NULL;
	return "cuBLASLt has bias and ReLU alone, in f32, and the product no kernel of our own";
}

/* The kernel of the values behind `conv`, a library call without an epilogue yet; NULL, and *why where the group's
 * convolution might have had one. */
static const NodeList *kernel_behind(const Joining *j, const Node *conv, Epilogue *e, const char **why)
{
	*why = NULL;
	if (!node_is(conv, j->op) || conv->group == NO_GROUP || !node_by_library(conv) ||
	    j->members[conv->group].count != 1)
		return NULL;
	const Node *user = j->user[conv->id];
	*why = j->is_said ? "something else reads the convolution" : NULL;
	if (j->uses[conv->id] != 1 || !user || user->group == NO_GROUP)
		return NULL;
	const NodeList *kernel = &j->members[user->group];
	*why = j->is_said ? "the kernel computes more than residual, bias and activation" : NULL;
	if (j->joined[user->group] != user->group || !epilogue_read(conv, kernel->at, kernel->count, e))
		return NULL;
	*why = "a value in between is stored";
	for (int i = 0; i < kernel->count; i++)
		if (kernel->at[i] != e->last && j->uses[kernel->at[i]->id] != 1)
			return NULL;
	*why = node_is(conv, "matmul") ? product_refuses(j, conv, e) : NULL;
	return *why ? NULL : kernel;
}

static void remark(const Joining *j, const Node *conv, const NodeList *kernel, const Epilogue *e,
                   const char *why)
{
	Arena *a = j->ctx->arena;
	const char *at = sites_text(a, conv->sites, 3);
	const char *phase = graph_phase_name(j->g, PHASE_FORWARD);
	if (why) {
		pass_remark(j->ctx, "%s: %s: no epilogue for %s: %s", at, phase, j->op, why);
		return;
	}
	char *text = arena_strdup(a, "");
	for (int i = 0; i < kernel->count; i++)
		text = arena_printf(a, "%s%s%s", text, i ? ", " : "", kernel->at[i]->op->name);
	pass_remark(j->ctx, "%s: %s: epilogue of %s: %s: %s%sor as a kernel behind it", at, phase, j->op,
	            text, library_has(conv, e) ? "by the library, " : "",
	            product_parts_given(conv) > 0 ? "by nnc's own kernel, " : "");
}

static Graph *join_epilogues(PassContext *ctx, const Graph *g, const char *op, bool is_said)
{
	Arena *scratch = arena_new();
	Joining j = {.ctx = ctx, .g = g, .op = op, .is_said = is_said, .uses = graph_use_counts(scratch, g)};
	j.members = NEW_ARRAY(scratch, NodeList, g->count + 1);
	j.user = NEW_ARRAY(scratch, Node *, g->count);
	j.joined = NEW_ARRAY(scratch, int, g->count + 1);
	for (int i = 0; i < g->count; i++) {
		Node *n = g->nodes[i];
		j.joined[i] = i;
		if (n->group != NO_GROUP)
			array_push(scratch, &j.members[n->group], n);
		for (int k = 0; k < n->operand_count; k++)
			j.user[n->operands[k]->id] = n;
	}
	bool any = false;
	for (int i = 0; i < g->count; i++) {
		const Node *conv = g->nodes[i];
		Epilogue e;
		const char *why;
		const NodeList *kernel = kernel_behind(&j, conv, &e, &why);
		if (kernel || why)
			remark(&j, conv, kernel, &e, why);
		if (kernel)
			j.joined[e.last->group] = conv->group;
		any = any || kernel;
	}
	Graph *to = any ? graph_like(ctx->arena, g) : (Graph *)g;
	Node **copies = NEW_ARRAY(scratch, Node *, g->count);
	for (int i = 0; i < g->count && any; i++) {
		const Node *n = g->nodes[i];
		Node **operands = NEW_ARRAY(ctx->arena, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = copies[n->operands[k]->id];
		copies[i] = graph_copy_node(to, n, operands);
		if (n->group != NO_GROUP)
			copies[i]->group = j.joined[n->group];
	}
	for (int i = 0; i < g->output_count && any; i++)
		graph_output(to, g->outputs[i].kind, g->outputs[i].name, copies[g->outputs[i].node->id]);
	arena_free(scratch);
	return to;
}

Graph *pass_conv_epilogue(PassContext *ctx, const Graph *g)
{
	return join_epilogues(ctx, g, "conv", true);
}

Graph *pass_product_epilogue(PassContext *ctx, const Graph *g)
{
	return join_epilogues(ctx, g, "matmul", false);
}
