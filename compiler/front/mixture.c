/* SPDX-License-Identifier: MIT */
/* mixup and cutmix. (Zhang et al.: mixup, 2018; Yun et al.: CutMix, 2019)
 *
 * The image of a training sample is a mixture of its own and a partner's, which the runtime makes on the way into the
 * batch. It gives the partner's targets beside the sample's and the share that its own image has: the loss is that
 * share of the loss by its own targets, and the rest by the partner's. That is the loss by mixed labels where it is
 * linear in them, as cross-entropy is, and mixup's own definition of it where it is not. Metrics, and the evaluation,
 * see the sample's own targets. */
#include "base/limits.h"
#include "front/eval.h"

#include <string.h>

static bool is_role(const Node *n, const char *role)
{
	return node_is_input(n) && strcmp(node_text(n, "role"), role) == 0;
}

static bool is_image(const Node *n)
{
	return is_role(n, "input") && n->type.dtype == DTYPE_U8 && n->type.rank == 4;
}

/* By node id: the loss depends on it, and it depends on a target. */
static bool *find_cost(Arena *a, const Graph *g, const Node *loss)
{
	bool *cost = NEW_ARRAY(a, bool, g->count), *needed = NEW_ARRAY(a, bool, g->count);
	needed[loss->id] = true;
	for (int i = g->count - 1; i >= 0; i--)
		for (int k = 0; k < g->nodes[i]->operand_count && needed[i]; k++)
			needed[g->nodes[i]->operands[k]->id] = true;
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		cost[i] = is_role(n, "target");
		for (int k = 0; k < n->operand_count && !cost[i]; k++)
			cost[i] = cost[n->operands[k]->id];
	}
	for (int i = 0; i < g->count; i++)
		cost[i] = cost[i] && needed[i];
	return cost;
}

/* Why the targets that this node is computed of have no partner's beside them; NULL: they may. */
static const char *why_not(const Graph *g, const Node *n)
{
	if (n->counted)
		return "its `ignore` leaves out samples by their own label";
	if (node_couples(n))
		return "it compares the samples of a batch with one another";
	if (n->op->flags & OP_SEEDED)
		return "it draws random numbers beside the target";
	for (int i = 0; i < g->count && is_role(n, "target") && n->type.rank >= 3; i++)
		if (is_image(g->nodes[i]) &&
		    (node_int(n, "classes") > 0 || (n->type.dim[1] == g->nodes[i]->type.dim[1] &&
		                                    n->type.dim[2] == g->nodes[i]->type.dim[2])))
			return "a target of each pixel is no mixture of two";
	return NULL;
}

static bool check(Elab *e, const Node *loss, const bool *cost)
{
	const Graph *g = e->graph;
	const Loc loc = e->recipe->augment_loc;
	int images = 0;
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		images += is_image(n);
		if (is_role(n, "input") && (!is_image(n) || images > 1)) {
			elab_error(e, loc, "augment-mixture",
			           "`mixup` and `cutmix` mix one image, and `%s` beside it would be of one "
			           "sample",
			           node_text(n, "name"));
			diag_note(e->diag, n->sites.at[0]->loc, "it is declared here");
			return false;
		}
		const char *why = cost[i] ? why_not(g, n) : NULL;
		if (!why)
			continue;
		elab_error(e, loc, "augment-mixture",
		           "`mixup` and `cutmix` need a loss of mixed targets, and this one has none: %s",
		           why);
		if (loss->sites.count > 0)
			diag_note(e->diag, (n->sites.count > 0 ? n : loss)->sites.at[0]->loc, "it is here");
		return false;
	}
	return true;
}

/* Has the targets of the samples' partners, and the share of a sample's own image, as inputs of the batch alone. */
static Node *leaf(Graph *g, const char *name, Type type, int64_t classes, Sites sites)
{
	Attr attrs[] = {attr_text("name", name), attr_text("role", "mixture"), attr_int("classes", classes)};
	return graph_leaf(g, "input", type, attrs, 3, sites);
}

Node *mixture_loss(Elab *e, Build *b, Node *loss)
{
	Graph *g = e->graph;
	const int count = g->count;
	const bool *cost = find_cost(e->arena, g, loss);
	Node **partner = NEW_ARRAY(e->arena, Node *, count);
	if (!check(e, loss, cost))
		return NULL;
	if (!cost[loss->id])
		return loss; /* of the mixed images alone, as an autoencoder's is */
	for (int i = 0; i < count; i++) {
		Node *n = g->nodes[i];
		if (!cost[i])
			partner[i] = n;
		else if (node_is_input(n))
			partner[i] = leaf(g, arena_printf(e->arena, "%s.partner", node_text(n, "name")),
			                  n->type, node_int(n, "classes"), n->sites);
		if (partner[i])
			continue;
		Node **operands = NEW_ARRAY(e->arena, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = partner[n->operands[k]->id];
		partner[i] = graph_copy_node(g, n, operands);
	}
	int inputs = 1;
	for (int i = 0; i < g->count; i++)
		inputs += node_is_input(g->nodes[i]);
	if (inputs > LIMIT_INPUTS) {
		elab_error(e, e->recipe->augment_loc, "input-limit",
		           "a model has at most %d inputs and targets, those of the partners among them",
		           LIMIT_INPUTS);
		return NULL;
	}
	Type type = {.dtype = DTYPE_F32, .rank = 1, .dim = {g->batch}};
	Node *share = leaf(g, "mixture.share", type, 0, loss->sites);
	const char *names[] = {"own", "partner", "share"};
	return build_formula(b, "own*share + partner*(1 - share)", 3, names,
	                     (Node *[]){loss, partner[loss->id], as_real(b, share)});
}
