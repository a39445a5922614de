/* SPDX-License-Identifier: MIT */
/* Which phase the nodes of a step have (ir/phase.c): from the text of a graph, and of networks through all passes. */
#include "driver/driver.h"
#include "tests/unit/check.h"
#include <string.h>

/* Forward x w; a running mean of it; the loss; its gradient; SGD with a constant of its own. */
static const char graph[] = "graph \"g\" training batch=2\n"
                            "%0 = input {classes=0, name=\"x\", role=\"input\"} : f32[2,3]\n"
                            "%1 = input {classes=0, name=\"y\", role=\"target\"} : f32[2,3]\n"
                            "%2 = param {a=1.0, decay=1, init=\"constant\", name=\"w\", offset=0} : f32[3]\n"
                            "%3 = mul(%0, %2) : f32[2,3]\n"
                            "%4 = sum(%3) {axes=[0]} : f32[1,3]\n"
                            "%5 = sub(%3, %1) : f32[2,3]\n"
                            "%6 = sum(%5) {axes=[0,1]} : f32[1,1]\n"
                            "%7 = reshape(%6) {shape=[]} : f32[]\n"
                            "%8 = mul(%0, %5) : f32[2,3]\n"
                            "%9 = sum(%8) {axes=[0]} : f32[1,3]\n"
                            "%10 = reshape(%9) {shape=[3]} : f32[3]\n"
                            "%11 = pack(%10) : f32[3]\n"
                            "%12 = scalar {name=\"rate\"} : f32[]\n"
                            "%13 = neg(%12) : f32[]\n"
                            "%14 = mul(%11, %13) : f32[3]\n"
                            "loss \"loss\" %7\n"
                            "state \"mean\" %4\n"
                            "state \"params\" %14\n";

static void test_dataflow(void)
{
	static const Phase wanted[] = {
	        PHASE_FORWARD,  PHASE_LOSS,   PHASE_FORWARD, PHASE_FORWARD,  PHASE_FORWARD,
	        PHASE_LOSS,     PHASE_LOSS,   PHASE_LOSS,    PHASE_BACKWARD, PHASE_BACKWARD,
	        PHASE_BACKWARD, PHASE_UPDATE, PHASE_UPDATE,  PHASE_UPDATE,   PHASE_UPDATE,
	};
	Arena *a = arena_new();
	const char *why = NULL;
	Graph *g = graph_parse(a, graph, &why);
	CHECK_TEXT(why ? why : "", "");
	Phase *phases = g ? node_phases(a, g) : NULL;
	for (int i = 0; g && i < g->count; i++)
		CHECK_TEXT(phase_name(phases[i]), phase_name(wanted[i]));
	arena_free(a);
}

/* Through all passes of both targets every phase has its steps, and what is of the loss's line alone is the loss or
 * backward. */
static void test_networks(void)
{
	static const char *const models[] = {"mnist_cnn", "rosenbrock_mlp", "resnet18"};
	const Target *const targets[] = {&target_cpu, &target_cuda};
	for (size_t t = 0; t < 2; t++)
		for (size_t m = 0; m < sizeof models / sizeof *models; m++) {
			Arena *a = arena_new();
			const char *why, *path = arena_printf(a, NNC_ROOT "/models/%s.net", models[m]);
			Source *source = source_read(a, path, &why);
			Diagnostics *d = diagnostics_new(a, COLOR_NEVER, false, 20);
			Compiled *c =
			        source ? compile(a, d, source, &(DriverOptions){.target = targets[t]}) : NULL;
			CHECK(c != NULL);
			bool seen[PHASES] = {false};
			const Graph *g = c ? c->train->graph : NULL;
			Phase *phases = g ? node_phases(a, g) : NULL;
			for (int i = 0; g && i < g->count; i++) {
				const Node *n = g->nodes[i];
				const Loc *loc = n->sites.count == 1 ? &n->sites.at[0]->loc : NULL;
				const char *line =
				        loc && loc->source
				                ? loc->source->text +
				                          loc->source->line_starts[loc_line(*loc) - 1]
				                : "";
				seen[phases[i]] = true;
				line += strspn(line, " ");
				if (strncmp(line, "loss ", 5) == 0 && !node_is_constant(n))
					CHECK(phases[i] == PHASE_LOSS || phases[i] == PHASE_BACKWARD);
				if (strncmp(line, "optimizer", 9) == 0)
					CHECK(phases[i] == PHASE_UPDATE);
			}
			for (int phase = 0; phase < PHASES; phase++)
				CHECK(seen[phase]);
			arena_free(a);
		}
}

int main(void)
{
	test_dataflow();
	test_networks();
	return check_report("phases");
}
