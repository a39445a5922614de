/* SPDX-License-Identifier: MIT */
#include "emit/meaning.h"
#include "ir/formula.h"
#include "ir/op.h"
#include "passes/pass.h"

#include <string.h>

/* The output's scores are `compared`, or softmax of it along the classes. */
static bool scores_classes(const Node *output, const Node *compared, const Formula *softmax)
{
	Match m;
	if (!softmax)
		return output == compared;
	return formula_matches(softmax, output, &m) && matched(&m, "scores") == compared &&
	       node_int(output, "axis") == compared->type.rank - 1;
}

static const char *target_name(Node *labels)
{
	const Node *target = node_unaliased(labels);
	return node_is_target(target) && !dtype_is_real(target->type.dtype) ? node_text(target, "name")
	                                                                    : NULL;
}

/* A class and 1: places of that class do not count in the mean of what `compares` gives. 0: all places count. */
static int64_t uncounted_class(Arena *a, const Graph *g, const Node *compares)
{
	const Formula *counted = formula_parse(a, "select(labels != c, cost, 0)"),
	              *weighted = formula_parse(a, "compared*weight");
	for (int i = 0; i < g->count; i++) {
		Match m, of_cost;
		if (!formula_matches(counted, g->nodes[i], &m))
			continue;
		const Node *labels = node_unaliased(matched(&m, "labels")), *cost = matched(&m, "cost");
		if (formula_matches(weighted, cost, &of_cost))
			cost = matched(&of_cost, "compared");
		if ((labels->op->flags & OP_CONVERTS) && labels->operands[0] == compares->operands[1] &&
		    cost == compares)
			return (int64_t)matched_value(&m, "c") + 1;
	}
	return 0;
}

/* Among the outputs that score one class a sample or, `of_places`, one at each place of it; or are softmax of that. */
static Scored find_scored(Arena *a, const Graph *g, bool of_places, const Formula *softmax)
{
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (!(n->op->flags & OP_COMPARES_CLASSES) || (n->operands[0]->type.rank > 2) != of_places)
			continue;
		for (int k = 0; k < g->output_count; k++)
			if (g->outputs[k].kind == OUTPUT_VALUE &&
			    scores_classes(g->outputs[k].node, n->operands[0], softmax))
				return (Scored){g->outputs[k].name, target_name(n->operands[1]),
				                softmax != NULL, uncounted_class(a, g, n)};
	}
	return (Scored){0};
}

Scored meaning_scored(Arena *a, const Graph *evaluation)
{
	PassContext ctx = {.arena = a};
	const Graph *g = pass_predict(&ctx, evaluation); /* names what is compared where the model does not */
	const Formula *softmax = formula_parse(a, "softmax(scores)");
	Scored found = {0};
	for (int kind = 0; kind < 4 && !found.output; kind++)
		found = find_scored(a, g, kind >= 2, kind % 2 ? softmax : NULL);
	return found;
}

Map *meaning_layouts(Arena *a, const Graph *evaluation)
{
	Map *layouts = map_new(a);
	for (int i = 0; i < evaluation->count; i++) {
		const Node *n = evaluation->nodes[i];
		int operand;
		const char *layout = n->op->weight_layout ? n->op->weight_layout(n, &operand) : NULL;
		const Node *leaf = layout ? n->operands[operand] : NULL;
		if (leaf && node_is_param(leaf) && leaf->type.rank == (int)strlen(layout))
			map_set(layouts, node_text(leaf, "name"), (void *)layout);
	}
	return layouts;
}
