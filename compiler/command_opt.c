/* SPDX-License-Identifier: MIT */
/* nnc opt: passes over the text of a graph or a program. */
#include "command.h"
#include "driver/driver.h"
#include "ir/onchip.h"

#include <string.h>

/* What the passes that ask the recipe get, in the text of a graph there is none: every branch of
 * add_update. */
static const OptimizerArg opt_arguments[] = {
        {"rate", 0.1}, {"momentum", 0.9}, {"dampening", 0}, {"nesterov", 0}, {"decay", 0.01}};
static const Recipe opt_recipe = {
        .name = "opt",
        .optimizer = {.name = "sgd",
                      .args = opt_arguments,
                      .arg_count = sizeof opt_arguments / sizeof *opt_arguments},
        .clip_norm = 1,
        .decay_exempt = true,
        .precision = "fp64",
};

int command_opt(Arena *a, const Options *o)
{
	const char *file = only_file(o, "the .ir file"), *why;
	const char *text = read_text(a, file, "the text of a graph");
	Program *p = strstr(text, "\nprogram ") ? program_parse(a, text, &why) : NULL;
	const Graph *g = p ? p->graph : graph_parse(a, text, &why);
	if (p && (why = program_verify(a, p)) == NULL)
		program_decide_shapes(p);
	else if (g && !p)
		why = graph_verify(a, g);
	if (why)
		fail(EXIT_SOURCE, "%s: %s", printable(a, file), why);
	Target target = o->cuda ? target_cuda : target_cpu;
	target.library = o->library;
	if (o->bucket)
		target.bucket_bytes = o->bucket_bytes;
	Recipe recipe = opt_recipe;
	if (o->precision)
		recipe.precision = o->precision;
	recipe.ranks = o->ranks;
	MemoryGoal goal = memory_goal(o->memory_bytes, &target);
	PassContext ctx = {
	        .arena = a,
	        .recipe = &recipe,
	        .target = &target,
	        .keep_gradients = o->keep_gradients,
	        .want_remarks = o->remarks,
	        .want_all = true,
	        .memory = o->memory ? &goal : NULL,
	};
	for (int i = 0; i < o->opt_passes.count; i++) {
		const Pass *pass = pass_find(o->opt_passes.at[i]);
		if ((pass->stages & SAMPLE) && !p && ctx.onchip)
			p = ctx.onchip->sample;
		if (pass->run ? p != NULL : pass->lower ? p != NULL : p == NULL)
			fail(EXIT_USAGE, "`%s` is a pass of %s", pass->name,
			     pass->run_program ? "programs: `lower` makes one of the graph"
			                       : "graphs, before `lower`");
		if (!pass_is_for(pass, ctx.target))
			continue;
		if (pass->run)
			g = pass_apply(pass, &ctx, g);
		else
			p = pass->lower ? pass->lower(&ctx, g) : pass->run_program(&ctx, p);
		why = p ? program_verify(a, p) : graph_verify(a, g);
		if (why)
			bug("the %s is not valid after `%s`: %s", p ? "program" : "graph", pass->name, why);
	}
	fputs(p ? program_text(a, p) : graph_text(a, g), stdout);
	const char *remarks = remarks_text(&ctx);
	if (remarks)
		fputs(remarks, stderr);
	return EXIT_OK;
}
