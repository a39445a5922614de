/* SPDX-License-Identifier: MIT */
/* Which part of a training step a node belongs to: forward, loss, backward, update.
 *
 * A phase is read off the dataflow whenever it is asked for, and never stored: so no pass can lose it or has to carry
 * it. The one thing that the dataflow leaves open is where the loss begins: a softmax within cross_entropy sees no
 * target, and the `.net` places of the nodes decide. */
#include "ir/graph.h"
#include "ir/op.h"

#include <stdlib.h>

const char *phase_name(Phase phase)
{
	static const char *const names[] = {"forward", "loss", "backward", "update"};
	return names[phase];
}

const char *graph_phase_name(const Graph *g, Phase phase)
{
	return g->training ? phase_name(phase) : "evaluation";
}

/* Marks the operands of marked nodes, and theirs. */
static void mark_what_flows_in(const Graph *g, bool *marked)
{
	for (int i = g->count - 1; i >= 0; i--)
		for (int k = 0; k < g->nodes[i]->operand_count && marked[i]; k++)
			marked[g->nodes[i]->operands[k]->id] = true;
}

/* Marks the users of marked nodes, and theirs. */
static void mark_what_flows_out(const Graph *g, bool *marked)
{
	for (int i = 0; i < g->count; i++)
		for (int k = 0; k < g->nodes[i]->operand_count && !marked[i]; k++)
			marked[i] = marked[g->nodes[i]->operands[k]->id];
}

static int by_address(const void *x, const void *y)
{
	uintptr_t a = (uintptr_t) * (const Site *const *)x, b = (uintptr_t) * (const Site *const *)y;
	return (a > b) - (a < b);
}

/* Of the forward nodes the loss's (and the metrics') are those that depend on a target, and those all of whose places
 * have a node that does. Only a node of one place says that of its place: others may be made of forward nodes too. */
static void find_loss(Arena *a, const Graph *g, Phase *phases)
{
	bool *of_target = NEW_ARRAY(a, bool, g->count);
	const Site **places = NEW_ARRAY(a, const Site *, g->count);
	size_t place_count = 0;
	for (int i = 0; i < g->count; i++)
		of_target[i] = node_is_target(g->nodes[i]);
	mark_what_flows_out(g, of_target);
	for (int i = 0; i < g->count; i++)
		if (of_target[i] && phases[i] == PHASE_FORWARD && g->nodes[i]->sites.count == 1 &&
		    !node_is_leaf(g->nodes[i]))
			places[place_count++] = g->nodes[i]->sites.at[0];
	qsort(places, place_count, sizeof *places, by_address);
	for (int i = 0; i < g->count; i++) {
		const Sites *s = &g->nodes[i]->sites;
		bool loss = s->count > 0;
		for (int k = 0; k < s->count && loss; k++)
			loss = place_count > 0 &&
			       bsearch(&s->at[k], places, place_count, sizeof *places, by_address);
		if (phases[i] == PHASE_FORWARD && (of_target[i] || loss))
			phases[i] = PHASE_LOSS;
	}
}

Phase *node_phases(Arena *a, const Graph *g)
{
	Phase *phases = NEW_ARRAY(a, Phase, g->count);
	bool *forward = NEW_ARRAY(a, bool, g->count), *backward = NEW_ARRAY(a, bool, g->count),
	     *update = NEW_ARRAY(a, bool, g->count), *for_update = NEW_ARRAY(a, bool, g->count);
	for (int i = 0; i < g->output_count; i++) {
		const Output *o = &g->outputs[i];
		if (o->kind == OUTPUT_GRADIENT)
			backward[o->node->id] = true;
		else if (o->kind != OUTPUT_STATE)
			forward[o->node->id] = true;
	}
	for (int i = 0; i < g->count; i++)
		update[i] = g->nodes[i]->op->flags & OP_PACK;
	mark_what_flows_out(g, update);
	for (int i = 0; i < g->count; i++) {
		for_update[i] = update[i];
		for (int k = 0; k < g->nodes[i]->operand_count && (g->nodes[i]->op->flags & OP_PACK); k++)
			backward[g->nodes[i]->operands[k]->id] = true;
	}
	mark_what_flows_in(g, forward);
	mark_what_flows_in(g, backward);
	mark_what_flows_in(g, for_update);
	for (int i = 0; i < g->count; i++)
		phases[i] = update[i]                    ? PHASE_UPDATE
		            : forward[i] || !g->training ? PHASE_FORWARD
		            : backward[i]                ? PHASE_BACKWARD
		            : for_update[i]              ? PHASE_UPDATE
		                                         : PHASE_FORWARD; /* running statistics */
	find_loss(a, g, phases);
	return phases;
}

Phase group_phase(const Phase *of_node, Node *const *nodes, int count)
{
	bool has[PHASES] = {false};
	double flops[PHASES] = {0};
	for (int i = 0; i < count; i++) {
		has[of_node[nodes[i]->id]] = true;
		flops[of_node[nodes[i]->id]] += node_cost(nodes[i]).flops;
	}
	bool loss = has[PHASE_LOSS] && (!has[PHASE_FORWARD] || flops[PHASE_LOSS] > flops[PHASE_FORWARD]);
	return has[PHASE_UPDATE]    ? PHASE_UPDATE
	       : loss               ? PHASE_LOSS
	       : has[PHASE_FORWARD] ? PHASE_FORWARD
	                            : PHASE_BACKWARD;
}
