/* SPDX-License-Identifier: MIT */
/* nnc FILE.net: what each of its options makes of a source. The pipeline itself is driver/driver.c's. */
#include "base/writer.h"
#include "toolchain/cc.h"
#include "toolchain/keep_code.h"
#include "build_outputs.h"
#include "command.h"
#include "driver/driver.h"
#include "toolchain/nvrtc.h"
#include "ir/op.h"
#include "ops/optim.h"
#include "driver/outputs.h"
#include "explore/explore.h"
#include "runtime/ranks/one_rank.h"
#include "tools/report.h"
#include "explore/repro.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- tables that need no source */

static const char *optimizer_list(Arena *a)
{
	Writer *w = writer_new(a);
	for (int i = 0; i < optimizer_count(); i++) {
		const Optimizer *x = optimizer_at(i);
		write_line(w, "%s(%s)\n    %s", x->name, x->call, x->doc);
	}
	return writer_text(w, NULL);
}

static const char *target_list(Arena *a)
{
	return arena_printf(a,
	                    "cpu    C17 with OpenMP; generated loops%s\n"
	                    "cuda   CUDA C compiled by NVRTC; cuDNN, cuBLASLt and generated kernels\n",
	                    target_cpu.library_present ? " and oneDNN" : ", built without oneDNN");
}

/* NULL when the table is one of a source. */
static const char *table_text(Arena *a, const char *name)
{
	if (strcmp(name, "operators") == 0)
		return op_list(a, true);
	if (strcmp(name, "optimizers") == 0)
		return optimizer_list(a);
	if (strcmp(name, "passes") == 0)
		return pass_list(a);
	return strcmp(name, "targets") == 0 ? target_list(a) : NULL;
}

/* The file's name without folder and suffix. */
static const char *stem_of(Arena *a, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
	return dot && dot > name ? arena_strndup(a, name, (size_t)(dot - name)) : name;
}

/* ---- one source on its way */

static Definition *read_definitions(Job *j, const char *option, bool one_value, const char *const *words,
                                    int count)
{
	Definition *all = NEW_ARRAY(j->arena, Definition, count);
	for (int i = 0; i < count; i++) {
		const char *why;
		const Source *source = source_from_text(j->arena, option, words[i], strlen(words[i]), &why);
		if (!source)
			fail(EXIT_USAGE, "%s: %s", option, why);
		all[i].arg = parse_definition(j->arena, j->diag, source);
		if (all[i].arg && all[i].arg->count > 1 && one_value)
			diag_error(j->diag, all[i].arg->kids[1]->loc, "syntax",
			           "an argument of the model is one value, and this is another");
	}
	return all;
}

static const Target *chosen_target(Arena *a, const Options *o)
{
	Target *target = NEW(a, Target);
	*target = o->cuda ? target_cuda : target_cpu;
	target->library = wanted_library(o) && !o->cuda ? LIBRARY_NONE : o->library;
	if (o->archs)
		target->archs = o->archs;
	if (o->bucket)
		target->bucket_bytes = o->bucket_bytes;
	if (o->cuda && o->library == LIBRARY_ONEDNN)
		fail(EXIT_USAGE, "--library=onednn is for --target=cpu; --target=cuda takes auto or none");
	if (o->library == LIBRARY_ONEDNN && !target->library_present)
		fail(EXIT_TOOL, "--library=onednn: this nnc was built without oneDNN (Debian's libdnnl-dev)");
	return target;
}

typedef struct WordList {
	const char **at;
	int count;
} WordList;

static void add_word(Arena *a, WordList *l, const char *prefix, const char *value)
{
	if (value)
		l->at[l->count++] = arena_printf(a, "%s%s", prefix, value);
}

/* The words of the command line that decide what is compiled, except the number of ranks: a trainer repeats them where
 * it runs with another number (runtime/ranks). */
static WordList words_of(Arena *a, const Options *o)
{
	static const char *const libraries[] = {
	        [LIBRARY_AUTO] = NULL, [LIBRARY_NONE] = "none", [LIBRARY_ONEDNN] = "onednn"};
	WordList l = {NEW_ARRAY(a, const char *,
	                        o->defines.count + o->settings.count + o->disabled_passes.count + 10),
	              0};
	for (int i = 0; i < o->defines.count; i++)
		add_word(a, &l, "-D", o->defines.at[i]);
	for (int i = 0; i < o->settings.count; i++)
		add_word(a, &l, "--set=", o->settings.at[i]);
	add_word(a, &l, "--model=", o->model);
	add_word(a, &l, "--recipe=", o->recipe);
	if (o->cuda)
		add_word(a, &l, "--target=cuda", o->archs ? arena_printf(a, ":%s", o->archs) : "");
	add_word(a, &l, "--march=", o->march);
	add_word(a, &l, "--library=", libraries[o->library]);
	add_word(a, &l, "--bucket=", o->bucket);
	add_word(a, &l, "--memory=", o->memory);
	for (int i = 0; i < o->disabled_passes.count; i++)
		add_word(a, &l, "-fno-", o->disabled_passes.at[i]);
	if (o->keep_gradients)
		add_word(a, &l, "--keep-gradients", "");
	return l;
}

static void compile_source(Job *j)
{
	const Options *o = j->options;
	WordList words = words_of(j->arena, o);
	if (o->explore)
		j->versions = versions_new(j->arena, net_places_new(j->arena));
	j->driver = (DriverOptions){
	        .elaborate =
	                {
	                        .model = o->model,
	                        .recipe = o->recipe,
	                        .defines = read_definitions(j, "-D", true, o->defines.at, o->defines.count),
	                        .define_count = o->defines.count,
	                        .settings = read_definitions(j, "--set", false, o->settings.at,
	                                                     o->settings.count),
	                        .setting_count = o->settings.count,
	                        .ranks = o->ranks,
	                },
	        .words = words.at,
	        .word_count = words.count,
	        .target = chosen_target(j->arena, o),
	        .disabled_passes = o->disabled_passes.at,
	        .disabled_count = o->disabled_passes.count,
	        .dump_pass = o->dump_pass,
	        .dump_to = stderr,
	        .time_report = o->time_report,
	        .watch = j->versions ? &j->versions->watch : NULL,
	        .want_remarks = o->remarks || o->explore,
	        .want_all = o->all_remarks,
	        .keep_gradients = o->keep_gradients,
	        .memory_bytes = o->memory_bytes,
	        .verify = o->verify,
	};
	if (diag_error_count(j->diag) == 0)
		j->compiled = compile(j->arena, j->diag, j->source, &j->driver);
	const bool dumps = o->dump_pass && strcmp(o->dump_pass, "kernels") == 0;
	if (j->compiled && (dumps || o->verify)) {
		Arena *scratch = arena_new();
		const char *text = kernels_text(scratch, j->compiled, &j->driver);
		fputs(dumps ? text : "", stderr);
		arena_free(scratch);
	}
}

/* Names of files in a run's folder. */
#define RUN_LOG         "log.jsonl"
#define RUN_PROFILE     "profile.json"
#define RUN_CONFUSION   "confusion.csv"
#define RUN_PREDICTIONS "predictions.csv"

/* A file of a run: the one that is named, else that of the run's folder, where it is there; else NULL. */
static const char *run_text(const Job *j, const char *named, const char *name, const char *what)
{
	Arena *a = j->arena;
	const char *folder = j->options->run, *path = named;
	if (!named && folder)
		path = arena_printf(a, "%s/%s", folder, name);
	return named || (path && access(path, F_OK) == 0) ? read_text(a, path, what) : NULL;
}

/* The folder that --run names is that of one run: something of one is in it. */
static void check_run(Arena *a, const Options *o)
{
	static const char *const names[] = {RUN_LOG, RUN_PROFILE, RUN_CONFUSION, RUN_PREDICTIONS};
	if (access(o->run, X_OK) != 0)
		fail(EXIT_USAGE, "can't read the folder `%s`: %s", printable(a, o->run), strerror(errno));
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (access(arena_printf(a, "%s/%s", o->run, names[i]), F_OK) == 0)
			return;
	fail(EXIT_USAGE,
	     "`%s` is no folder of a run: none of " RUN_LOG ", " RUN_PROFILE ", " RUN_CONFUSION
	     " and " RUN_PREDICTIONS " is in it; `EXE --run NAME` makes runs/NAME-1, runs/NAME-2 ...",
	     printable(a, o->run));
}

/* The name of the run's folder, else of its log; NULL. */
static const char *run_name(Arena *a, const Options *o)
{
	const char *path = o->run ? o->run : o->run_log;
	char *real = path ? realpath(path, NULL) : NULL, *slash = real ? strrchr(real, '/') : NULL;
	const char *name = slash ? arena_strdup(a, slash + 1) : NULL;
	free(real);
	return name;
}

static const char *page_of(const Job *j)
{
	const Options *o = j->options;
	const char *why = NULL;
	if (o->run)
		check_run(j->arena, o);
	RunFiles run = {
	        .name = run_name(j->arena, o),
	        .log = run_text(j, o->run_log, RUN_LOG, "a log"),
	        .profile = run_text(j, o->run_profile, RUN_PROFILE, "a profile"),
	        .confusion = run_text(j, o->run_confusion, RUN_CONFUSION, "a confusion matrix"),
	        .predictions = run_text(j, o->run_predictions, RUN_PREDICTIONS, "predictions"),
	};
	const char *text = report_text(j->arena, j->compiled, &run, j->diag, &why);
	if (!text)
		fail(EXIT_USAGE, "%s", why);
	if (diag_error_count(j->diag) > 0) /* by -Werror */
		exit(finish_diagnostics(j->diag));
	return text;
}

/* The host's text and the kernels' are written together. */
static const Emitted *emitted_once(Job *j)
{
	if (!j->emitted) {
		j->emitted = NEW(j->arena, Emitted);
		*j->emitted = emit(j->arena, j->compiled, &j->driver);
	}
	return j->emitted;
}

static const char *emit_text(Job *j, EmitKind kind)
{
	Arena *a = j->arena;
	const Compiled *c = j->compiled;
	switch (kind) {
	case EMIT_AST:
		return ast_text(a, parse_source(a, j->diag, j->source), false);
	case EMIT_IR:
		return graph_text(a, c->train->graph);
	case EMIT_EVAL_IR:
		return graph_text(a, c->evaluate->graph);
	case EMIT_PROGRAM:
		return program_text(a, c->train);
	case EMIT_EVAL_PROGRAM:
		return program_text(a, c->evaluate);
	case EMIT_C:
		return emitted_once(j)->host;
	case EMIT_CU: {
		const char *kernels = emitted_once(j)->kernels;
		if (!kernels)
			fail(EXIT_USAGE, "--emit=cu is for --target=cuda");
		return kernels;
	}
	case EMIT_PLAN:
		return plan_text(a, c, &j->driver);
	case EMIT_DOT:
		return graph_dot(a, c->source->evaluation);
	case EMIT_HTML:
		return page_of(j);
	case EMIT_LIB: /* three files: write_library */
	case EMIT_KINDS:
		break;
	}
	bug("there is no text of output kind %d", (int)kind);
}

/* The syntax tree needs no compiling, and can be had of a source that doesn't compile. */
static void write_emits(Job *j, bool compiled)
{
	for (int i = 0; i < j->options->emits.count; i++) {
		const Emit *e = &j->options->emits.at[i];
		if (compiled == (e->kind == EMIT_AST) || e->kind == EMIT_LIB)
			continue;
		const char *text = emit_text(j, e->kind);
		if (diag_error_count(j->diag) > 0)
			return;
		write_output(j->arena, emit_path(j, e), text);
	}
}

static bool wants_compile(const Options *o)
{
	for (int i = 0; i < o->emits.count; i++) {
		if (o->emits.at[i].kind != EMIT_AST)
			return true;
	}
	return o->emits.count == 0 || o->output || o->stop_at_c || o->check || o->plan || o->print ||
	       o->keep_code || o->explore;
}

/* The page without what a training left, as a C file: a line of it for each line of the page. */
static const char *page_code(const Job *j)
{
	Arena *a = j->arena;
	const char *why = NULL,
	           *text = report_text(a, j->compiled, &(RunFiles){.in_trainer = true}, j->diag, &why);
	require(text); /* it reads no file */
	Writer *w = writer_new(a);
	write_text(w,
	           "/* The page of %s: nnc --emit=html makes the same. */\nconst char nnr_page[] =", j->stem);
	for (; *text; text += strcspn(text, "\n") + 1)
		write_text(w, "\n        %s", c_string(a, arena_strndup(a, text, strcspn(text, "\n") + 1)));
	write_text(w, ";\n");
	return writer_text(w, NULL);
}

/* For the C compiler: kernels are in it, compiled. */
static Emitted with_images(const Job *j, Emitted text)
{
	if (!text.kernels)
		return text;
	const CudaKernels kernels = {.parts = text.parts.at,
	                             .part_count = text.parts.count,
	                             .archs = j->driver.target->archs,
	                             .precision = j->compiled->source->recipe->precision,
	                             .include = runtime_include(j->arena),
	                             .own_features = text.own_features};
	text.host = arena_printf(j->arena, "%s%s", text.host, cuda_images(j->arena, &kernels));
	return text;
}

static void write_trainer(Job *j)
{
	const Options *o = j->options;
	const bool wanted = wants_trainer(o);
	if (!wanted && !keeps_code(o))
		return;
	const Emitted *text = emitted_once(j);
	TrainerBuild build = {
	        .name = c_identifier(j->arena, j->stem),
	        .text = text->host,
	        .kernels = text->kernels,
	        .page = page_code(j),
	        .output = "trainer",
	        .march = o->march,
	};
	if (keeps_code(o)) {
		build.images = text->kernels ? arena_printf(j->arena, "%s.cubin.c", build.name) : NULL;
		const KeptCode kept = {.build = &build,
		                       .folder = o->keep_code,
		                       .archs = j->driver.target->archs,
		                       .precision = j->compiled->source->recipe->precision};
		keep_code_write(j->arena, &kept);
	}
	if (!wanted)
		return;
	build.name = j->stem;
	build.text = with_images(j, *text).host;
	build.images = NULL;
	build.output = output_path(j, "");
	build.keep = kept_folder(j);
	build.verbose = o->verbose;
	build.dry_run = o->dry_run;
	trainer_build(j->arena, &build);
}

static void write_explored(Job *j)
{
	const Options *o = j->options;
	Arena *a = j->arena;
	if (!o->explore || o->check || o->dry_run)
		return;
	const Emitted *text = emitted_once(j);
	CudaCode code = {0};
	if (text->kernels)
		code = cuda_code(a, text->kernels, j->driver.target->archs, runtime_include(a),
		                 text->own_features, disassembler_found(a) != NULL);
	const Explored e = {
	        .compiled = j->compiled,
	        .options = &j->driver,
	        .emitted = text,
	        .versions = j->versions,
	        .machine = text->kernels ? code.ptx : assembler_text(a, text->host, o->march, o->explore),
	        .sass = code.cubin ? disassembled(a, code.cubin, code.cubin_size, o->explore) : NULL,
	        .stem = j->stem,
	};
	write_output(a, o->explore, is_json(o->explore) ? explore_json(a, &e) : explore_page(a, &e));
}

/* Its caller makes the batches and says the rate of each step, and nobody would mix and freeze. */
static bool suits_library(const Job *j)
{
	const Recipe *r = j->compiled->source->recipe;
	if (r && augment_mixes(&r->augment)) {
		diag_error(j->diag, r->augment_loc, "augment-mixture",
		           "the library form is given its samples, and `mixup` and `cutmix` would mix them");
		diag_help(j->diag, "leave them out of the library: --set augment=none");
		return false;
	}
	if (r && r->phase.amount > 0) {
		diag_error(
		        j->diag, r->phase_loc, "library-phase",
		        "the library form has one phase: its caller says how many steps and at which rate");
		diag_help(j->diag, "leave it out of the library: --set phase=none");
		return false;
	}
	return true;
}

static void write_library(const Job *j)
{
	const Options *o = j->options;
	if (!wanted_library(o) || !suits_library(j) || o->check)
		return;
	Arena *a = j->arena;
	DriverOptions driver = j->driver;
	driver.as_library = true;
	Emitted text = with_images(j, emit(a, j->compiled, &driver));
	LibraryBuild build = {
	        .name = j->stem,
	        .text = text.host,
	        .kernels = text.kernels,
	        .header = library_header(a, j->compiled, &driver),
	        .functions = library_functions(a, j->compiled),
	        .base = library_base(j),
	        .keep = kept_folder(j),
	        .march = o->march,
	        .verbose = o->verbose,
	        .dry_run = o->dry_run,
	};
	library_build(a, &build);
}

/* Its program is run for what it computes, which the folder gets as REPRO_EXPECTED. */
static void try_repro(Job *j, const char *program)
{
	Arena *a = j->arena;
	const char *expected = arena_printf(a, "%s/" REPRO_EXPECTED, j->options->output);
	const int status = program_run(a, (const char *const[]){program, "--expect", expected, NULL});
	if (status != 0)
		fail(EXIT_TOOL, "the kernel `%s` ended with status %d when it was tried",
		     printable(a, j->options->files.at[1]), status);
}

/* nnc repro: the folder with the code, whose program is made once. Kernels for CUDA are compiled, and not run. */
static void write_repro(Job *j)
{
	Arena *a = j->arena;
	const char *folder = j->options->output, *kernel = j->options->files.at[1];
	const char *why = NULL;
	Emitted alone;
	if (!repro_text(a, j->compiled, j->driver.target, emitted_once(j), kernel, &alone, &why))
		fail(EXIT_USAGE, "%s", why);
	TrainerBuild build = {.name = c_identifier(a, kernel),
	                      .text = alone.host,
	                      .kernels = alone.kernels,
	                      .output = "repro",
	                      .march = j->options->march};
	build.images = alone.kernels ? arena_printf(a, "%s.cubin.c", build.name) : NULL;
	keep_code_write(a, &(KeptCode){.build = &build,
	                               .folder = folder,
	                               .archs = j->driver.target->archs,
	                               .precision = j->compiled->source->recipe->precision,
	                               .needs = alone.kernels ? NULL : REPRO_EXPECTED});
	build.text = with_images(j, alone).host;
	build.images = NULL;
	build.output = arena_printf(a, "%s/repro", folder);
	trainer_build(a, &build);
	const char *program = strchr("./", folder[0]) ? build.output : arena_printf(a, "./%s", build.output);
	if (!alone.kernels)
		try_repro(j, program);
	unlink(build.output);
	printf("make -C %s && %s\n", shell_word(a, folder), shell_word(a, program));
	if (alone.kernels)
		printf("compiled, and not run: on a GPU, `%s --expect %s/" REPRO_EXPECTED
		       "` writes what it computes\n",
		       shell_word(a, program), shell_word(a, folder));
}

static const char *repro_file(const Options *o)
{
	if (o->files.count != 2 || !o->output)
		fail(EXIT_USAGE,
		     "nnc repro FILE.net KERNEL -o DIR takes a network, a kernel of its training step as "
		     "`EXE profile` and --explore name it, and a folder");
	return o->files.at[0];
}

static void write_products(Job *j)
{
	const Options *o = j->options;
	const Compiled *c = j->compiled;
	write_emits(j, true);
	if (o->print)
		fputs(c->source->layers, stdout);
	if (o->plan)
		fputs(plan_text(j->arena, c, &j->driver), stdout);
	if (c->remarks && o->remarks)
		fputs(c->remarks, stderr);
	if (o->stop_at_c)
		write_output(j->arena, output_path(j, ".c"), emitted_once(j)->host);
	write_explored(j);
	write_trainer(j);
	write_library(j);
	if (c->times)
		fputs(times_text(c->times), stderr);
}

/* What is printed is of one rank. A trainer is for any number: it says so itself where it trains alone. */
static void note_one_rank(const Job *j)
{
	const Options *o = j->options;
	const Recipe *r = j->compiled->source->recipe;
	char listed[ONE_RANK_BYTES];
	if (o->ranks > 1 || wants_trainer(o) || !(o->plan || o->stop_at_c || o->emits.count > 0) ||
	    one_rank_list(listed, r && r->shards, r && r->wire_bf16, o->bucket) == 0)
		return;
	fprintf(stderr, "nnc: note: %s: no effect on one rank; --ranks=N compiles for N\n", listed);
}

int command_build(Arena *a, const Options *o)
{
	const char *table = o->print ? table_text(a, o->print) : NULL;
	if (table) {
		fputs(table, stdout);
		return EXIT_OK;
	}
	const bool repro = o->command == COMMAND_REPRO;
	const char *file = repro ? repro_file(o) : only_file(o, "the .net file");
	check_library(o);
	check_page(o);
	Job j = {
	        .arena = a,
	        .options = o,
	        .diag = begin_diagnostics(a, o),
	        .stem = stem_of(a, file),
	};
	j.source = read_source(a, j.diag, file);
	if (repro)
		keep_code_check(a, o->output);
	else if (j.source)
		check_outputs(&j);
	if (j.source)
		write_emits(&j, false);
	if (j.source && diag_error_count(j.diag) == 0 && wants_compile(o))
		compile_source(&j);
	if (j.compiled && repro) {
		write_repro(&j);
	} else if (j.compiled) {
		write_products(&j);
		note_one_rank(&j);
	}
	return finish_diagnostics(j.diag);
}
