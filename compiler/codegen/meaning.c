#include "codegen/meaning.h"
#include "ops/op.h"
#include "passes/pass.h"

#include <string.h>

/* The output's scores are `compared`, or softmax of it along the classes. */
static bool scores_classes(const Node *output, const Node *compared, bool softmaxed)
{
	if (!softmaxed)
		return output == compared;
	return node_is(output, "softmax") && output->operands[0] == compared &&
	       node_int(output, "axis") == compared->type.rank - 1;
}

static const char *target_name(Node *labels)
{
	const Node *target = node_unaliased(labels);
	bool is_class = node_is(target, "input") && strcmp(node_text(target, "role"), "target") == 0 &&
	                !dtype_is_real(target->type.dtype);
	return is_class ? node_text(target, "name") : NULL;
}

/* Among the outputs that score one class a sample or, `of_places`, one at each place of it. */
static Scored find_scored(const Graph *g, bool of_places, bool softmaxed)
{
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (!node_is(n, "cross_entropy") || (n->operands[0]->type.rank > 2) != of_places)
			continue;
		for (int k = 0; k < g->output_count; k++)
			if (g->outputs[k].kind == OUTPUT_VALUE &&
			    scores_classes(g->outputs[k].node, n->operands[0], softmaxed))
				return (Scored){g->outputs[k].name, target_name(n->operands[1]), softmaxed};
	}
	return (Scored){0};
}

Scored meaning_scored(Arena *a, const Graph *evaluation)
{
	PassContext ctx = {.arena = a};
	const Graph *g = pass_predict(&ctx, evaluation); /* names what is compared where the model does not */
	Scored found = {0};
	for (int kind = 0; kind < 4 && !found.output; kind++)
		found = find_scored(g, kind >= 2, kind % 2);
	return found;
}

/* Where an operator takes its weights, and their dimensions in its words. */
static const struct {
	const char *op;
	int operand, rank;
	const char *layout;
} weights[] = {{"conv", 1, 4, "OHWI"}, {"matmul", 1, 2, "OI"}, {"embedding", 0, 2, "VC"}};

Map *meaning_layouts(Arena *a, const Graph *evaluation)
{
	Map *layouts = map_new(a);
	for (int i = 0; i < evaluation->count; i++) {
		const Node *n = evaluation->nodes[i];
		for (size_t k = 0; k < sizeof weights / sizeof *weights; k++) {
			if (!node_is(n, weights[k].op) || (node_is(n, "matmul") && !node_int(n, "tb")))
				continue;
			const Node *leaf = n->operands[weights[k].operand];
			if (node_is(leaf, "param") && leaf->type.rank == weights[k].rank)
				map_set(layouts, node_text(leaf, "name"), (void *)weights[k].layout);
		}
	}
	return layouts;
}
