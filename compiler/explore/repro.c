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

typedef struct Region {
	const char *block;
	int64_t from, end;
} Region;

typedef struct Regions {
	Stretch *of; /* by argument */
	ARRAY(Region) at;
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
	for (int i = 0; i < s->argument_count; i++) {
		Stretch *x = &r.of[i];
		Region *last = r.at.count ? &r.at.at[r.at.count - 1] : NULL;
		if (last && strcmp(x->block, last->block) == 0 && x->from < last->end)
			last->end = x->end > last->end ? x->end : last->end;
		else
			array_push(a, &r.at, (Region){x->block, x->from, x->end});
		x->region = r.at.count - 1;
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
		           (long long)(x->from - r->at.at[x->region].from));
		write_range(w, p, b);
		write_line(w, ", %s, %s},", is_among(s->reads, s->read_count, b) ? "true" : "false",
		           is_among(s->writes, s->write_count, b) && b->class != BUFFER_WORKSPACE ? "true"
		                                                                                  : "false");
	}
	write_line(w, "};");
	write_text(w, "static const NnrReproRegion regions[] = {");
	for (int i = 0; i < r->at.count; i++) {
		const Region *x = &r->at.at[i];
		write_text(w, "%s{%lld, %lld}", i ? ", " : "", (long long)(x->end - x->from),
		           (long long)x->from);
	}
	write_line(w, "};\n");
}

/* ---- what a step touches between two runs of the kernel */

typedef struct Touch {
	int region; /* -1: none of them */
	int64_t offset, bytes;
	bool written;
} Touch;

typedef struct Touches {
	Arena *arena;
	const Regions *regions;
	ARRAY(Region) seen;
	ARRAY(Touch) at; /* what is touched last first */
} Touches;

static int next_overlap(const Region *at, int count, int i, Region piece)
{
	while (i < count &&
	       (strcmp(at[i].block, piece.block) != 0 || at[i].end <= piece.from || piece.end <= at[i].from))
		i++;
	return i;
}

/* By regions from number `next` on. */
static void add_unseen(Touches *t, Region piece, bool written, int next)
{
	next = next_overlap(t->regions->at.at, t->regions->at.count, next, piece);
	if (next < t->regions->at.count) {
		const Region x = t->regions->at.at[next];
		const int64_t from = piece.from > x.from ? piece.from : x.from,
		              end = piece.end < x.end ? piece.end : x.end;
		add_unseen(t, (Region){piece.block, piece.from, from}, written, next + 1);
		array_push(t->arena, &t->at, (Touch){next, from - x.from, end - from, written});
		add_unseen(t, (Region){piece.block, end, piece.end}, written, next + 1);
		return;
	}
	Touch *last = t->at.count > 0 ? &t->at.at[t->at.count - 1] : NULL;
	if (last && last->region < 0)
		last->bytes += piece.end - piece.from;
	else if (piece.from < piece.end)
		array_push(t->arena, &t->at, (Touch){-1, 0, piece.end - piece.from, false});
}

/* What of it is not among those seen from number `next` on. */
static void add_piece(Touches *t, Region piece, bool written, int next)
{
	next = next_overlap(t->seen.at, t->seen.count, next, piece);
	if (next == t->seen.count) {
		add_unseen(t, piece, written, 0);
		return;
	}
	const Region x = t->seen.at[next];
	if (piece.from < x.from)
		add_piece(t, (Region){piece.block, piece.from, x.from}, written, next + 1);
	if (x.end < piece.end)
		add_piece(t, (Region){piece.block, x.end, piece.end}, written, next + 1);
}

static void add_buffers(Touches *t, Buffer *const *buffers, int count, bool written)
{
	for (int i = 0; i < count; i++) {
		const Buffer *b = buffers[i];
		const int64_t from = buffer_offset(b);
		const Region piece = {buffer_block(b), from, from + b->bytes};
		add_piece(t, piece, written, 0);
		array_push(t->arena, &t->seen, piece);
	}
}

/* From the step before it back, around the end of the program, to its own last run. */
static void write_touches(Writer *w, Arena *a, const Program *p, int step, const Regions *r)
{
	Touches t = {.arena = a, .regions = r};
	for (int i = 1; i <= p->step_count; i++) {
		const Step *s = &p->steps[(step + p->step_count - i) % p->step_count];
		add_buffers(&t, s->writes, s->write_count, true);
		add_buffers(&t, s->reads, s->read_count, false);
	}
	int column = 0;
	write_line(w, "/* of a step, up to this one: region or -1, offset, bytes, written */\nstatic const "
	              "NnrReproTouch touches[] = {");
	for (int i = t.at.count - 1; i >= 0; i--) {
		const Touch *x = &t.at.at[i];
		write_item(w, &column,
		           arena_printf(a, "{%d, %lld, %lld, %d},", x->region, (long long)x->offset,
		                        (long long)x->bytes, x->written));
	}
	write_line(w, "\n};\n");
}

static void write_call(Writer *w, const Program *p, const EmittedStep *e, bool gpu)
{
	write_line(w, "static void call(char *const *at)\n{");
	if (e->scalars)
		write_line(w,
		           "\tstatic const NnrScalars s = {.rate = 0.01, .step = 1, .last = 1, .seed = 1, "
		           ".samples = %lld};",
		           (long long)p->graph->batch);
	write_text(w, "\t%s(", e->function->callee);
	const char *comma = "";
	for (int i = 0; i < e->function->constants.count; i++, comma = ", ")
		write_text(w, "%s%s", comma, e->function->constants.at[i].value);
	for (int i = 0; i < e->argument_count; i++, comma = ", ")
		write_text(w, "%s(void *)at[%d]", comma, i);
	if (e->scalars)
		write_text(w, "%s%s", comma, gpu ? "nnr_cuda_repro_copy(&s, sizeof s)" : "&s");
	for (int i = 0; i < e->stream_count; i++)
		write_text(w, ", %d", i);
	write_line(w, ");\n}\n");
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
	write_line(w, "%s%s", s->function->own, s->function->text);
	write_arguments(w, a, p, &p->steps[step], s, &regions);
	write_touches(w, a, p, step, &regions);
	write_call(w, p, s, gpu);
	write_line(w, "int main(int argc, char **argv)\n{");
	write_line(w,
	           "\tconst NnrRepro repro = {\n\t        .kernel = %s, .flops = %.17g, .bytes = %.17g,\n"
	           "\t        .arguments = arguments, .count = %d, .regions = regions, .region_count = %d,\n"
	           "\t        .touches = touches, .touch_count = sizeof touches / sizeof *touches,\n"
	           "\t        .touch = %s, .call = call, .expected = expected};",
	           c_string(a, s->name), p->steps[step].flops, p->steps[step].bytes, s->argument_count,
	           regions.at.count, gpu ? "nnr_cuda_repro_touch" : "nnr_repro_touch");
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
		if (!library && e->steps[i].arguments)
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
		alone->kernels =
		        arena_printf(a, "%s#include \"cuda/nnr_touch.h\"\n\n", code_includes(a, e->kernels));
		for (int i = 0; i < s->function->launches.count; i++) {
			const CFunction *launched = s->function->launches.at[i].kernel;
			const char *family = strstr(alone->kernels, launched->text) ? "" : launched->text;
			alone->kernels = arena_printf(a, "%s%s%s\n", alone->kernels, family, launched->own);
		}
		const char **part = NEW(a, const char *);
		*part = alone->kernels;
		alone->parts = (KernelParts){part, 1};
	}
	return true;
}
