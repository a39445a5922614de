/* Gives a convolution's library call what stands behind it: bias, residual and activation, where they are a kernel of
 * their own and nothing else.
 *
 * The group of the convolution and that of the kernel become one; the call computes both where the library has a plan
 * that is faster, and launches the kernel behind itself where it has none (target/library.c), so the kernel must be a
 * chain that reads the convolution's result in one place and stores one value. In training a value that the backward
 * part reads is stored, and such a kernel stays: tanh goes along, whose gradient needs its result, and silu does not.
 *
 * For the CUDA target. Must run after fuse and recompute: what else they find to do with those nodes comes first. */
#include "ops/conv_epilogue.h"
#include "base/array.h"
#include "ops/op.h"
#include "passes/pass.h"

typedef ARRAY(Node *) NodeList;

typedef struct Joining {
	PassContext *ctx;
	const Graph *g;
	NodeList *members; /* by group */
	const int *uses;   /* by node id */
	Node **user;       /* by node id: one that reads it */
	int *joined;       /* by group: the one it becomes a part of, or itself */
} Joining;

/* The kernel of the values behind `conv`, a library call without an epilogue yet; NULL, and *why where the group's
 * convolution might have had one. */
static const NodeList *kernel_behind(const Joining *j, const Node *conv, ConvEpilogue *e, const char **why)
{
	*why = NULL;
	if (!node_is(conv, "conv") || conv->group == NO_GROUP || !node_by_library(conv) ||
	    j->members[conv->group].count != 1)
		return NULL;
	const Node *user = j->user[conv->id];
	*why = "something else reads the convolution";
	if (j->uses[conv->id] != 1 || !user || user->group == NO_GROUP)
		return NULL;
	const NodeList *kernel = &j->members[user->group];
	*why = "the kernel computes more than residual, bias and activation";
	if (j->joined[user->group] != user->group || !conv_epilogue(conv, kernel->at, kernel->count, e))
		return NULL;
	*why = "a value in between is stored";
	for (int i = 0; i < kernel->count; i++)
		if (kernel->at[i] != e->last && j->uses[kernel->at[i]->id] != 1)
			return NULL;
	*why = NULL;
	return kernel;
}

static void remark(const Joining *j, const Node *conv, const NodeList *kernel, const char *why)
{
	Arena *a = j->ctx->arena;
	const char *at = sites_text(a, conv->sites, 3);
	const char *phase = graph_phase_name(j->g, PHASE_FORWARD);
	if (why) {
		pass_remark(j->ctx, "%s: %s: no epilogue for conv: %s", at, phase, why);
		return;
	}
	char *text = arena_strdup(a, "");
	for (int i = 0; i < kernel->count; i++)
		text = arena_printf(a, "%s%s%s", text, i ? ", " : "", kernel->at[i]->op->name);
	pass_remark(j->ctx, "%s: %s: epilogue of conv: %s: by the library, or as a kernel behind it", at,
	            phase, text);
}

Graph *pass_conv_epilogue(PassContext *ctx, const Graph *g)
{
	Arena *scratch = arena_new();
	Joining j = {.ctx = ctx, .g = g, .uses = graph_use_counts(scratch, g)};
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
		ConvEpilogue e;
		const char *why;
		const NodeList *kernel = kernel_behind(&j, conv, &e, &why);
		if (kernel || why)
			remark(&j, conv, kernel, why);
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
