/* SPDX-License-Identifier: MIT */
/* The kernels of a compiled model as trees of statements, to be read, and what is wrong with them: see compiled.h. */
#include "codegen/step.h"
#include "emit/compiled.h"
#include "emit/emitter.h"

typedef struct KernelsText {
	Arena *arena;
	Map *known; /* by text: each is told once */
	Writer *w;
} KernelsText;

static void add_kernel(KernelsText *t, const StepFunction *f)
{
	const char *wrong = code_verify(t->arena, f->code);
	if (wrong)
		bug("the kernel %s: %s", f->stem, wrong);
	const char *text = code_dump(t->arena, f->code);
	if (map_get(t->known, text))
		return;
	map_set(t->known, text, t);
	write_text(t->w, "kernel %s", f->stem);
	if (f->launch.threads > 0)
		write_text(t->w, ", blocks of %d threads: %lld", f->launch.threads,
		           (long long)f->launch.blocks);
	write_text(t->w, "\n");
	write_indent(t->w, 1);
	write_lines(t->w, text);
	write_indent(t->w, -1);
}

const char *kernels_text(Arena *a, const Compiled *c, const DriverOptions *options)
{
	KernelsText t = {a, map_new(a), writer_new(a)};
	for (int i = 0; i < EMITTED_PROGRAMS; i++) {
		const Program *p = emitted_programs[i].of(c);
		for (int s = 0; p && s < p->step_count; s++) {
			if (step_moves(&p->steps[s]))
				continue;
			const StepFunction f = step_function(a, p, &p->steps[s], options->target);
			add_kernel(&t, &f);
			if (f.after)
				add_kernel(&t, f.after);
			if (f.own)
				add_kernel(&t, f.own);
		}
	}
	return writer_text(t.w, NULL);
}
