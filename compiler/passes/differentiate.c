/* SPDX-License-Identifier: MIT */
/* Reverse mode: appends the gradient of the mean loss by every parameter.
 *
 * The elaborated training graph ends in a loss and metrics per sample, f32[batch]. This pass makes their
 * means, f32[], and then walks back from the mean loss. Each node on the way has collected the gradient of
 * the loss by its value, dy, when it is reached, because all its users follow it; its record's `grad`
 * turns dy into contributions to the operands, and contributions to one node are added. Only nodes that a
 * parameter reaches are visited. In fp16 the walk starts from the loss scale (loss_scale.h).
 *
 * The branch that a `select` does not take contributes nothing, whatever the derivative of pointwise steps and sums
 * there: what is reached through branches alone has an infinite or undefined derivative multiplied with a gradient of
 * 0, and that is 0 (pointwise_grad).
 *
 * A loop is met once, when all of its results have collected their gradients (loop_gradient.c).
 *
 * What has no slope passes no gradient: integer results, and what says so (OP_FLAT). A composite without a gradient of
 * its own is expanded first, and its parts are differentiated. Operators that passes make after this one have slopes
 * and no gradient: ahead of it they would cut what is trained off in silence, and are a bug. */
#include "passes/differentiate.h"
#include "passes/loss_scale.h"

#include "ir/op.h"

#include <string.h>

static bool has_gradient(const Op *op)
{
	return op->grad || op->grads[0] || op->grads[1] || op->grads[2];
}

bool is_composite_without_gradient(const Node *n)
{
	return n->op->expand && !has_gradient(n->op);
}

/* ---- means */

/* f32[batch] -> f32[], the sum over `samples`; a metric that is no real number per sample is passed on as it is. */
static Node *mean_over_batch(Graph *g, Node *x, int64_t samples)
{
	Build b = build_beside(g, x);
	b.of = "mean";
	Node *total = build_sum_to(&b, x, type_scalar(x->type.dtype));
	return node_called(build2(&b, "div", total, build_constant(&b, (double)samples)), "mean");
}

static Graph *with_means(Arena *a, const Graph *g, int64_t samples)
{
	Graph *to = graph_like(a, g);
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		Node **operands = NEW_ARRAY(a, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = to->nodes[n->operands[k]->id];
		graph_copy_node(to, n, operands);
	}
	for (int i = 0; i < g->output_count; i++) {
		const Output *o = &g->outputs[i];
		Node *value = to->nodes[o->node->id];
		if (OUTPUTS_SCORES & 1u << o->kind) {
			value = mean_over_batch(to, value, samples);
			value->name =
			        o->kind == OUTPUT_COUNT ? arena_printf(a, "%s_counted", o->name) : o->name;
		}
		graph_output(to, o->kind, o->name, value);
	}
	return to;
}

/* ---- the walk */

Walk walk_over(Graph *g)
{
	return (Walk){.g = g,
	              .trained = NEW_ARRAY(g->arena, bool, g->count),
	              .gradient = NEW_ARRAY(g->arena, Node *, g->count),
	              .reached = NEW_ARRAY(g->arena, bool, g->count),
	              .stands_for = NEW_ARRAY(g->arena, Node *, g->count)};
}

/* "layer1.conv.weight" -> "layer1.conv.dweight" */
static char *gradient_name(Arena *a, const char *name)
{
	const char *dot = strrchr(name, '.');
	int path = dot ? (int)(dot + 1 - name) : 0;
	return arena_printf(a, "%.*sd%s", path, name, name + path);
}

void walk_contribute(Walk *w, const Node *to, Node *part)
{
	if (!part)
		return;
	if (!type_equal(part->type, to->type))
		bug("a gradient of %%%d = %s, which is %s, has the type %s", to->id, to->op->name,
		    type_text(w->g->arena, to->type), type_text(w->g->arena, part->type));
	Node **sum = &w->gradient[to->id];
	if (*sum) {
		Build b = {.graph = w->g,
		           .sites = sites_union(w->g->arena, (*sum)->sites, part->sites),
		           .of = "add.backward"};
		part = build2(&b, "add", *sum, part);
	}
	*sum = part;
}

/* "dweight" of a parameter, which a kernel knows it by; "dconv" of a value. */
static void call_gradient(Arena *a, Node *dy, const Node *of)
{
	const char *path = node_is_leaf(of) && of->name ? of->name : node_word(of), *dot = strrchr(path, '.');
	const char *called = arena_printf(a, "d%s", dot ? dot + 1 : path);
	for (; !node_is_leaf(dy) && !dy->called; dy = dy->operands[0]) {
		dy->called = called;
		dy->is_gradient = !node_is_leaf(of);
		if (!(dy->op->flags & OP_ALIAS))
			break;
	}
}

/* Whether the operands' gradients are 0 at an element, or of what they are summed or laid out from, where n's is. */
static bool keeps_zeros(const Op *op)
{
	return op->move || (op->flags & (OP_POINTWISE | OP_ADDS | OP_RESHAPES));
}

static void visit(Walk *w, Node *n)
{
	Arena *a = w->g->arena;
	Node *dy = w->gradient[n->id];
	if (n->name && !dy->name && !node_is_leaf(dy))
		dy->name = gradient_name(a, n->name);
	call_gradient(a, dy, node_viewed(n));
	if (w->stands_for[n->id]) {
		walk_contribute(w, w->stands_for[n->id], dy);
		w->reached[w->stands_for[n->id]->id] |= w->reached[n->id];
		return;
	}
	const bool is_result = node_is_loop_result(n); /* the loop takes all of its results together */
	if (node_is_leaf(n) || is_result || n->op->flags & OP_FLAT || !dtype_is_real(n->type.dtype))
		return;
	if (!has_gradient(n->op))
		bug("%%%d = %s has no gradient, and parameters are ahead of it", n->id, n->op->name);
	bool *wanted = NEW_ARRAY(a, bool, n->operand_count);
	for (int i = 0; i < n->operand_count; i++)
		wanted[i] = w->trained[n->operands[i]->id];
	Grad grad = {
	        .b = build_parts(w->g, n, "backward"),
	        .node = n,
	        .y = n,
	        .operands = n->operands,
	        .dy = dy,
	        .wanted = wanted,
	        .result = NEW_ARRAY(a, Node *, n->operand_count),
	        .chosen = !w->reached[n->id],
	};
	if (n->op->grad)
		n->op->grad(&grad);
	else
		pointwise_grad(&grad);
	const bool cuts = node_is(n, "select") || (grad.chosen && keeps_zeros(n->op));
	for (int i = 0; i < n->operand_count; i++) {
		if (!wanted[i])
			continue;
		walk_contribute(w, n->operands[i], grad.result[i]);
		w->reached[n->operands[i]->id] |= !cuts;
	}
}

void walk_back(Walk *w, int first, int last)
{
	for (int i = last - 1; i >= first; i--) {
		Node *n = w->g->nodes[i];
		if (w->trained[i] && node_is_loop(n))
			loop_gradient(w, n, last);
		else if (w->trained[i] && w->gradient[i])
			visit(w, n);
	}
}

/* The node is trained where an operand is. */
static void walk_note_trained(Walk *w, const Node *n)
{
	for (int k = 0; k < n->operand_count; k++)
		w->trained[n->id] = w->trained[n->id] || w->trained[n->operands[k]->id];
}

/* The loss does not depend on this parameter. */
static Node *zero_gradient(Graph *g, const Node *param)
{
	Build b = {.graph = g, .sites = param->sites};
	Node *zero = build_constant(&b, 0);
	return build_broadcast(&b, zero, param->type.rank, param->type.dim);
}

Graph *pass_differentiate(PassContext *ctx, const Graph *g)
{
	const Node *per_sample = graph_find_output(g, OUTPUT_LOSS, NULL);
	if (!per_sample || per_sample->type.rank == 0 || graph_find_output(g, OUTPUT_GRADIENT, NULL))
		return (Graph *)g;
	Arena *a = ctx->arena;
	/* of a chunk: its part of the batch's mean, so that what chunks give adds up */
	const Recipe *r = ctx->recipe;
	int64_t samples = r && r->chunk ? g->batch * (r->batch / r->chunk) : g->batch;
	Graph *to = with_means(a, graph_expand(a, g, is_composite_without_gradient), samples);
	Node *loss = graph_find_output(to, OUTPUT_LOSS, NULL);
	int forward = to->count;
	Walk w = walk_over(to);
	w.reached[loss->id] = true;
	for (int i = 0; i < forward; i++) {
		const Node *n = to->nodes[i];
		w.trained[i] = node_is_param(n) && !node_is_frozen(n);
		walk_note_trained(&w, n);
	}
	Build seed = {.graph = to, .sites = loss->sites};
	walk_contribute(&w, loss, loss_is_scaled(ctx) ? loss_scale(&seed) : build_constant(&seed, 1));
	walk_back(&w, 0, forward);
	for (int i = 0; i < forward; i++) {
		Node *n = to->nodes[i];
		if (node_is_param(n) && !node_is_frozen(n))
			graph_output(to, OUTPUT_GRADIENT, n->name,
			             w.gradient[i] ? w.gradient[i] : zero_gradient(to, n));
	}
	return to;
}
