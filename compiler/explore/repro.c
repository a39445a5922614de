/* SPDX-License-Identifier: MIT */
/* The kernel's function as it is generated, a table of its tensors, and a main. Tensors whose bytes overlap in the
 * training step, as of a result in the place of an operand, overlap here, too: they share a region. */
#include "explore/repro.h"

#include "base/nearest.h"
#include "base/writer.h"
#include "codegen/expr.h"
#include "emit/describe.h"
#include "emit/emitter.h"
#include "emit/step_table.h"
#include "explore/code.h"

#include <stdlib.h>
#include <string.h>

/* A tensor in its block of memory. */
typedef struct Stretch {
	int argument, region;
	const char *block;
	int64_t from, end;
} Stretch;

static int by_place(const void *x, const void *y)
{
	const Stretch *a = x, *b = y;
	const int block = strcmp(a->block, b->block);
	return block ? block : (a->from > b->from) - (a->from < b->from);
}

static int by_argument(const void *x, const void *y)
{
	return ((const Stretch *)x)->argument - ((const Stretch *)y)->argument;
}

typedef struct Regions {
	Stretch *of;                 /* by argument */
	ARRAY(int64_t) bytes, first; /* of a region; where it begins in its block */
} Regions;

static Regions regions_of(Arena *a, const EmittedStep *s)
{
	Regions r = {.of = NEW_ARRAY(a, Stretch, s->argument_count)};
	for (int i = 0; i < s->argument_count; i++) {
		const Buffer *b = s->arguments[i];
		r.of[i] = (Stretch){.argument = i, .block = buffer_block(b), .from = buffer_offset(b)};
		r.of[i].end = r.of[i].from + b->bytes;
	}
	qsort(r.of, (size_t)s->argument_count, sizeof *r.of, by_place);
	int64_t end = 0;
	for (int i = 0; i < s->argument_count; i++) {
		Stretch *x = &r.of[i];
		const bool overlaps = i > 0 && strcmp(x->block, r.of[i - 1].block) == 0 && x->from < end;
		if (!overlaps) {
			array_push(a, &r.bytes, 0);
			array_push(a, &r.first, x->from);
		}
		x->region = r.bytes.count - 1;
		end = overlaps && end > x->end ? end : x->end;
		r.bytes.at[x->region] = end - r.first.at[x->region];
	}
	qsort(r.of, (size_t)s->argument_count, sizeof *r.of, by_argument);
	return r;
}

static bool is_among(Buffer *const *buffers, int count, const Buffer *b)
{
	for (int i = 0; i < count; i++)
		if (buffers[i] == b)
			return true;
	return false;
}

/* What the numbers of a tensor are drawn from: indices below what they count; states, as sums of squares are, from 0
 * on. */
static void write_range(Writer *w, const Program *p, const Buffer *b)
{
	const Buffer *root = buffer_root((Buffer *)b);
	const int64_t below = root->node && node_is_input(root->node) ? values_below(p, root->node) : 0;
	if (b->type.dtype == DTYPE_I32 || b->type.dtype == DTYPE_U8)
		write_text(w, "0, %lld",
		           (long long)(below > 0                   ? below
		                       : b->type.dtype == DTYPE_U8 ? 256
		                                                   : 2));
	else
		write_text(w, "%d, 1", root->class == BUFFER_STATE ? 0 : -1);
}

static void write_arguments(Writer *w, Arena *a, const Program *p, const Step *s, const EmittedStep *e,
                            const Regions *r)
{
	write_line(w, "/* name, type, elements, region, offset, numbers from and below, read, written */");
	write_line(w, "static const NnrReproArgument arguments[] = {");
	for (int i = 0; i < e->argument_count; i++) {
		const Buffer *b = e->arguments[i];
		const Stretch *x = &r->of[i];
		write_text(w, "\t{%s, %s, %lld, %d, %lld, ", c_string(a, b->name),
		           dtype_runtime_name(b->type.dtype),
		           (long long)(b->bytes / dtype_bytes(b->type.dtype)), x->region,
		           (long long)(x->from - r->first.at[x->region]));
		write_range(w, p, b);
		write_line(w, ", %s, %s},", is_among(s->reads, s->read_count, b) ? "true" : "false",
		           is_among(s->writes, s->write_count, b) && b->class != BUFFER_WORKSPACE ? "true"
		                                                                                  : "false");
	}
	write_line(w, "};");
	write_text(w, "static const int64_t regions[] = {");
	for (int i = 0; i < r->bytes.count; i++)
		write_text(w, "%s%lld", i ? ", " : "", (long long)r->bytes.at[i]);
	write_line(w, "};\n");
}

static void write_call(Writer *w, const Program *p, const EmittedStep *e, bool gpu)
{
	write_line(w, "static void call(char *const *at)\n{");
	if (e->scalars)
		write_line(w,
		           "\tstatic const NnrScalars s = {.rate = 0.01, .step = 1, .last = 1, .seed = 1, "
		           ".samples = %lld};",
		           (long long)p->graph->batch);
	write_text(w, "\t%s(", e->callee);
	const char *comma = "";
	for (int i = 0; i < e->function->constants.count; i++, comma = ", ")
		write_text(w, "%s%s", comma, e->function->constants.at[i].value);
	for (int i = 0; i < e->argument_count; i++, comma = ", ")
		write_text(w, "%s(void *)at[%d]", comma, i);
	write_line(w, "%s%s);\n}\n", e->scalars ? comma : "",
	           !e->scalars ? ""
	           : gpu       ? "nnr_cuda_repro_copy(&s, sizeof s)"
	                       : "&s");
}

static char *text_of(Arena *a, const Program *p, int step, const Emitted *e, const char *model)
{
	const EmittedStep *s = &e->steps[step];
	const bool gpu = e->kernels != NULL;
	const Regions regions = regions_of(a, s);
	Writer *w = writer_new(a);
	write_line(w,
	           "/* Step %d of the training of %s, alone: `make`, then `./repro`. Its numbers are drawn, "
	           "the same "
	           "ones everywhere.",
	           step + 1, comment_text(a, model));
	write_line(w, gpu ? " * nnc compiled it and did not run it: `./repro --expect " REPRO_EXPECTED
	                    "` writes what it computes, to compare with. */"
	                  : " * " REPRO_EXPECTED " has what it wrote of them when nnc tried it. */");
	write_text(w, "%s", code_includes(a, e->host));
	write_line(w, "#include \"%s\"", gpu ? "cuda/nnr_cuda_repro.h" : "cpu/nnr_repro.h");
	write_line(w, "#if __has_include(\"" REPRO_EXPECTED "\")\n#include \"" REPRO_EXPECTED
	              "\"\n#else\nstatic const NnrReproExpected *const expected = NULL;\n#endif\n");
	if (gpu)
		write_line(w, "extern const NnrCudaModel nnr_cuda_model; /* the compiled kernels */\n");
	const char *own = code_of_functions(a, e->host, &s->callee, 1);
	for (int i = 0; i < s->function->constants.count;
	     i++) { /* a shape may stand above another function */
		const char *value = s->function->constants.at[i].value;
		if (value[0] == '&' && !strstr(own, arena_printf(a, " %s = ", value + 1)))
			write_line(w, "%s", code_line_of_object(a, e->host, value + 1));
	}
	write_line(w, "%s", own);
	write_arguments(w, a, p, &p->steps[step], s, &regions);
	write_call(w, p, s, gpu);
	write_line(w, "int main(int argc, char **argv)\n{");
	write_line(w,
	           "\tconst NnrRepro repro = {\n\t        .kernel = %s, .flops = %.17g, .bytes = %.17g,\n"
	           "\t        .arguments = arguments, .count = %d, .regions = regions, .region_count = %d,\n"
	           "\t        .call = call, .expected = expected};",
	           c_string(a, s->name), p->steps[step].flops, p->steps[step].bytes, s->argument_count,
	           regions.bytes.count);
	write_line(w, "\treturn %s, argc, argv);\n}",
	           gpu ? "nnr_cuda_repro(&repro, &nnr_cuda_model" : "nnr_repro(&repro");
	return (char *)writer_text(w, NULL);
}

/* The step that is called so, if it runs alone; else -1, and why not. */
static int find_step(Arena *a, const Compiled *c, const Target *target, const Emitted *e, const char *kernel,
                     const char **why)
{
	const char **names = NEW_ARRAY(a, const char *, e->step_count);
	int count = 0;
	StepTable *t = step_table_new(a, c->train, target, net_places_new(a));
	for (int i = 0; i < e->step_count; i++) {
		const char *name = e->steps[i].name;
		if (name)
			names[count++] = name;
		if (!name || strcmp(name, kernel) != 0)
			continue;
		const char *library = step_table_row(t, a, i, name).library;
		if (!library && e->steps[i].function)
			return i;
		*why = library ? arena_printf(a, "`%s` is a call of %s: --library=none makes a kernel of it",
		                              kernel, library)
		               : arena_printf(a, "`%s` is computed together with other steps, and not alone",
		                              kernel);
		return -1;
	}
	const char *near = nearest_word(kernel, names, count);
	*why = arena_printf(a,
	                    "no step of the training is called `%s`%s; `EXE profile` and --explore name them",
	                    printable(a, kernel), near ? arena_printf(a, ", did you mean `%s`?", near) : "");
	return -1;
}

bool repro_text(Arena *a, const Compiled *c, const Target *target, const Emitted *e, const char *kernel,
                Emitted *alone, const char **why)
{
	const int step = find_step(a, c, target, e, kernel, why);
	if (step < 0)
		return false;
	const EmittedStep *s = &e->steps[step];
	*alone = (Emitted){.host = text_of(a, c->train, step, e, c->source->evaluation->name),
	                   .own_features = e->own_features};
	if (e->kernels) {
		alone->kernels = arena_printf(a, "%s\n%s", code_includes(a, e->kernels),
		                              code_of_functions(a, e->kernels, s->kernels, s->kernel_count));
		const char **part = NEW(a, const char *);
		*part = alone->kernels;
		alone->parts = (KernelParts){part, 1};
	}
	return true;
}
