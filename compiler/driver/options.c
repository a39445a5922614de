/* SPDX-License-Identifier: MIT */
/* The table of options and the loop that reads them.
 *
 * An option is a row: its name, what its value looks like, a sentence, and the field that it is stored in or the
 * function that stores it. Three forms of value: none; `--name=VALUE` or `--name VALUE`; `--name[=VALUE]`.
 * One-letter options take theirs joined or apart. */
#include "driver/option_values.h"

#include "base/licences.h"
#include "base/manual.h"
#include "base/nearest.h"
#include "driver/help.h"
#include "passes/pass.h"
#include "driver/grammar.h"
#include "base/version.h"

#include <stddef.h>
#include <stdlib.h>

typedef enum { VALUE_NONE, VALUE_NEEDED, VALUE_OPTIONAL, VALUE_JOINED } ValueForm;

enum {
	FOR_BUILD = 1 << COMMAND_BUILD,
	FOR_FMT = 1 << COMMAND_FMT,
	FOR_HELP = 1 << COMMAND_HELP,
	FOR_OPT = 1 << COMMAND_OPT,
	FOR_NEW = 1 << COMMAND_NEW,
	FOR_CUBIN = 1 << COMMAND_CUBIN,
	FOR_REPRO = 1 << COMMAND_REPRO,
	FOR_COMPARE = 1 << COMMAND_COMPARE,
};

typedef struct Option {
	const char *name;
	ValueForm form;
	const char *value; /* as --help shows it */
	unsigned commands;
	const char *doc;
	/* Which field of Options it goes to as it is: a bool that becomes true for VALUE_NONE, else the text. */
	size_t stored;
	void (*set)(Options *o, const char *value); /* or what stores it */
	const char *(*words)(Arena *a); /* what a value may be, where `value` and `doc` don't list it */
} Option;

static void print_version(Options *o, const char *value)
{
	printf("nnc %s\n", NNC_VERSION);
	require_printed();
	exit(EXIT_OK);
}

static void print_licences(Options *o, const char *value)
{
	static const Licence all[] = {
	        {"nnc", "", "MIT", "it; what it makes is yours under any terms", NULL},
	        {"the frame of its parser", "", "GPL-3.0-or-later WITH Bison-exception-2.2", "in it", NULL},
	        {"the frame of its lexer", "", "flex's own, which asks for nothing", "in it", NULL},
	        {"the C library", "libc, libm", "LGPL-2.1-or-later (glibc)", "linked", NULL},
	        {"NVRTC", "libnvrtc", "NVIDIA's own", "opened by --target=cuda", NULL},
	        {"the libraries of trainers",
	         "libcuda, libcudnn, libcublasLt, libdnnl, libgomp, libomp, libpng, libtiff, libturbojpeg, "
	         "libwebp, libz",
	         "as a trainer's --licences says", "looked for by `nnc doctor`", NULL},
	};
	licences_print("nnc", all, sizeof all / sizeof *all);
	require_printed();
	exit(EXIT_OK);
}

static void print_help(Options *o, const char *value);
static void print_manual(Options *o, const char *value);

static const Option table[] = {
        {"-o", VALUE_NEEDED, " FILE", FOR_REPRO | FOR_BUILD | FOR_CUBIN | FOR_COMPARE,
         "the trainer to write (default: FILE without .net, here); with -S, and of cubin, the C file; of "
         "repro the folder, of compare the page, or FILE.json for its data",
         .stored = offsetof(Options, output)},
        {"-S", VALUE_NONE, "", FOR_BUILD, "stop at the generated C (default: FILE.c, here)",
         .stored = offsetof(Options, stop_at_c)},
        {"--emit", VALUE_NEEDED, "=KIND[=PATH],...", FOR_BUILD,
         "write ast, ir, eval.ir, program, eval.program, c, cu, plan, dot or html (a page), and no trainer "
         "without -o; - is "
         "stdout. lib: the library form, -o BASE (default: libFILE): BASE.a, BASE.so, BASE.h",
         .set = set_emit, .words = emit_words},
        {"--run", VALUE_NEEDED, "=DIR", FOR_BUILD,
         "for the page of --emit=html: log.jsonl, profile.json, confusion.csv and predictions.csv of a "
         "training, as far as they are there",
         .stored = offsetof(Options, run)},
        {"--log", VALUE_NEEDED, "=FILE", FOR_BUILD, "one of them: what the trainer's --log wrote",
         .stored = offsetof(Options, run_log)},
        {"--profile", VALUE_NEEDED, "=FILE", FOR_BUILD, "its `profile --json`",
         .stored = offsetof(Options, run_profile)},
        {"--confusion", VALUE_NEEDED, "=FILE", FOR_BUILD,
         "a confusion matrix as CSV, with the classes' names", .stored = offsetof(Options, run_confusion)},
        {"--predictions", VALUE_NEEDED, "=FILE", FOR_BUILD,
         "its `predict FOLDER --out FILE.csv` or `eval --mistakes FILE.csv`, for the pictures that it took "
         "for another class",
         .stored = offsetof(Options, run_predictions)},
        {"--explore", VALUE_NEEDED, "=FILE", FOR_BUILD,
         "a page, FILE.html, on which a line of the .net, of the IR after each pass, of the code and of the "
         "assembler show one another, and no trainer without -o; FILE.json: what is on it",
         .stored = offsetof(Options, explore)},
        {"--save-temps", VALUE_OPTIONAL, "[=DIR]", FOR_BUILD,
         "keep the generated C, and CUDA C, in DIR (default: FILE.nnc)", .set = set_save_temps},
        {"--keep-code", VALUE_NEEDED, "=DIR", FOR_BUILD,
         "leave the generated C, and CUDA C, in DIR with a Makefile that makes the same trainer of it; DIR "
         "has "
         "nothing else in it",
         .stored = offsetof(Options, keep_code)},
        {"--check", VALUE_NONE, "", FOR_BUILD | FOR_FMT,
         "write no trainer: only report mistakes, and print what is asked for; for fmt: only say whether the "
         "layout is canonical",
         .set = set_check},
        {"--print", VALUE_NEEDED, "=TABLE", FOR_BUILD,
         "layers (of FILE; no trainer without -o), operators, optimizers, passes or targets",
         .set = set_print, .words = print_words},
        {"--plan", VALUE_NONE, "", FOR_BUILD,
         "print the memory plan, for a GPU with what a step is predicted to take and of which lines, and "
         "write no trainer without -o",
         .stored = offsetof(Options, plan)},
        {"-D", VALUE_NEEDED, " NAME=VALUE", FOR_REPRO | FOR_BUILD, "an argument of the model",
         .set = set_define},
        {"--set", VALUE_NEEDED, " KEY=VALUE", FOR_REPRO | FOR_BUILD, "a setting of the recipe",
         .set = set_setting},
        {"--model", VALUE_NEEDED, "=NAME", FOR_REPRO | FOR_BUILD, "which model of the file",
         .stored = offsetof(Options, model)},
        {"--recipe", VALUE_NEEDED, "=NAME", FOR_REPRO | FOR_BUILD, "which recipe of the file",
         .stored = offsetof(Options, recipe)},
        {"--target", VALUE_NEEDED, "=cpu|cuda[:sm_90,...]", FOR_REPRO | FOR_BUILD | FOR_OPT | FOR_CUBIN,
         "what the trainer runs on (default: cpu)", .set = set_target},
        {"--precision", VALUE_NEEDED, "=tf32|fp32|bf16|fp16|fp64",
         FOR_REPRO | FOR_BUILD | FOR_OPT | FOR_CUBIN,
         "arithmetic and storage, instead of the recipe's: --set precision=...", .set = set_precision},
        {"--ranks", VALUE_NEEDED, "=N", FOR_BUILD | FOR_OPT,
         "compile for N processes that train together, each on its share of the recipe's batch (default: 1)",
         .set = set_ranks},
        {"--bucket", VALUE_NEEDED, "=MIB", FOR_BUILD | FOR_OPT,
         "of several ranks: the least MiB of the gradient that they send at once (default: 16 with "
         "--target=cuda; all of it on the CPU, where nothing runs beside it)",
         .set = set_bucket},
        {"--memory", VALUE_NEEDED, "=12GiB", FOR_BUILD | FOR_OPT,
         "make a plan that fits: compute activations again in the backward pass, and a batch in chunks, as "
         "little as "
         "is needed (--plan says what); refuse what can't (what a trainer may take is its own --memory)",
         .set = set_memory},
        {"--march", VALUE_NEEDED, "=native|x86-64-v3|...", FOR_REPRO | FOR_BUILD,
         "the processors that the trainer runs on, as the C compiler names them (default: native, this one)",
         .set = set_march},
        {"--library", VALUE_NEEDED, "=auto|none|onednn", FOR_REPRO | FOR_BUILD | FOR_OPT,
         "what computes convolutions and matrix products: whatever is faster by measurement (cuDNN, "
         "cuBLASLt, "
         "oneDNN or nnc's own kernels), nnc's own alone, or oneDNN (for the CPU)",
         .set = set_library},
        {"-fno-", VALUE_JOINED, "PASS", FOR_REPRO | FOR_BUILD,
         "leave out an optional pass (--print=passes lists them), or a rule (-Rfusion names those applied)",
         .set = set_disabled_pass, .words = optional_pass_words},
        {"--dump", VALUE_NEEDED, "=PASS", FOR_BUILD,
         "print each graph or program (training, evaluation, ...) after a pass, or after `all` that change "
         "it, or the statements of its `kernels`, to stderr",
         .set = set_dump, .words = dump_words},
        {"--pass", VALUE_NEEDED, "=PASS,...", FOR_OPT, "the passes to run on the IR text",
         .set = set_opt_passes, .words = pass_words},
        {"--verify", VALUE_NONE, "", FOR_BUILD,
         "check the IR after each pass, not only after the last, and the kernels",
         .stored = offsetof(Options, verify)},
        {"--time-report", VALUE_NONE, "", FOR_BUILD, "print the time of each phase",
         .stored = offsetof(Options, time_report)},
        {"-Rfusion", VALUE_OPTIONAL, "[=all]", FOR_BUILD | FOR_OPT,
         "say on stderr, layer by layer, what was fused, what was not, and why (--check: and write no "
         "trainer); all: of each pair of operators",
         .set = set_remarks},
        {"--keep-gradients", VALUE_NONE, "", FOR_BUILD | FOR_OPT, "make every parameter's gradient an output",
         .stored = offsetof(Options, keep_gradients)},
        {"--color", VALUE_NEEDED, "=auto|always|never", FOR_BUILD | FOR_FMT | FOR_OPT,
         "colour of diagnostics", .set = set_color},
        {"--diagnostics", VALUE_NEEDED, "=text|json", FOR_BUILD | FOR_FMT, "form of diagnostics",
         .set = set_diagnostics},
        {"--max-errors", VALUE_NEEDED, "=N", FOR_BUILD | FOR_FMT, "stop after N errors (default 20)",
         .set = set_max_errors},
        {"-Werror", VALUE_NONE, "", FOR_BUILD | FOR_FMT, "warnings are errors",
         .stored = offsetof(Options, warnings_are_errors)},
        {"-w", VALUE_NONE, "", FOR_FMT, "write the canonical layout back to the files",
         .stored = offsetof(Options, write)},
        {"--from", VALUE_NEEDED, "=table|pictures", FOR_NEW, "what the data is",
         .stored = offsetof(Options, from)},
        {"--learn", VALUE_NEEDED, "=COLUMN", FOR_NEW,
         "of a table: the column to predict (default: a column named target, label, class or y, else the "
         "last)",
         .stored = offsetof(Options, learn)},
        {"-v", VALUE_NONE, "", FOR_BUILD, "print the commands that are run",
         .stored = offsetof(Options, verbose)},
        {"-###", VALUE_NONE, "", FOR_BUILD,
         "print the commands, run none; the C file they name is written by --save-temps=.",
         .stored = offsetof(Options, dry_run)},
        {"--help", VALUE_NONE, "", ~0u, "print this", .set = print_help},
        {"-h", VALUE_NONE, "", ~0u, "print this", .set = print_help},
        {"--version", VALUE_NONE, "", ~0u, "print the version", .set = print_version},
        {"--licences", VALUE_NONE, "", FOR_BUILD,
         "print what nnc is made of, linked with and opens, and under which licences", .set = print_licences},
        {"--manual", VALUE_NEEDED, "=" MANUAL_FORMS "|vim|textmate", FOR_BUILD,
         "print the man page, what a shell completes (source <(nnc --manual=bash)), or a grammar for editors",
         .set = print_manual},
};

enum { OPTION_COUNT = sizeof table / sizeof *table };

/* ---- help */

static const struct {
	const char *name, *usage, *doc, *suffix;
} commands[] = {
        [COMMAND_BUILD] = {NULL, "[OPTIONS] FILE.net -o TRAINER", "compile a network into its trainer",
                           ".net"},
        [COMMAND_FMT] = {"fmt", "fmt [-w | --check] FILE.net...",
                         "print, or write back, the canonical layout", ".net"},
        [COMMAND_HELP] = {"help", "help [NAME]...", "what an operator, optimizer, setting or word does",
                          NULL},
        [COMMAND_OPT] = {"opt", "opt [--pass=PASS,...] FILE.ir", "run passes on the text of a graph", ".ir"},
        [COMMAND_CUBIN] = {"cubin", "cubin FILE.cu -o FILE.c",
                           "compile kernels of --keep-code for the C of their trainer", ".cu"},
        [COMMAND_REPRO] = {"repro", "repro FILE.net KERNEL -o DIR",
                           "leave one kernel of the training step in DIR, with what runs it alone", ".net"},
        [COMMAND_COMPARE] = {"compare", "compare BEFORE.html AFTER.html -o FILE",
                             "two pages of --explore, of two builds or two runs, as one", ".html"},
        [COMMAND_DOCTOR] = {"doctor", "doctor", "what this machine has, and how to get what it lacks", NULL},
        [COMMAND_NEW] = {"new", "new NAME --from=KIND DATA", "look at data and write a first NAME.net for it",
                         NULL},
        [COMMAND_LSP] = {"lsp", "lsp", "serve an editor: the language server protocol over stdin and stdout",
                         NULL},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static const char summary[] = "compiles a neural network, FILE.net, into one standalone trainer";

static const char environment[] =
        "The C compiler is $CC, else cc, gcc or clang on the PATH. The runtime is in $NNC_RUNTIME (the "
        "folder "
        "of\nlibnnr.a, and after a colon that of nnr.h where it is another), else where nnc was built or "
        "installed.";

static const char *exit_statuses(Arena *a)
{
	return arena_printf(
	        a,
	        "%d done; %d a mistake in the FILE, or in what -D, --set, --model and --recipe say "
	        "of it; %d another\nmistake in the command line; %d something is missing on this "
	        "machine; %d a bug in nnc.",
	        EXIT_OK, EXIT_SOURCE, EXIT_USAGE, EXIT_TOOL, EXIT_BUG);
}

static void print_help(Options *o, const char *value)
{
	printf("nnc %s.\n\n", summary);
	for (int i = 0; i < COMMAND_COUNT; i++)
		printf("  nnc %-32s %s\n", commands[i].usage, commands[i].doc);
	printf("\nOptions%s%s:\n", o->command ? " of nnc " : "", o->command ? commands[o->command].name : "");
	for (int i = 0; i < OPTION_COUNT; i++) {
		if (!(table[i].commands & 1u << o->command))
			continue;
		char *left = arena_printf(o->arena, "%s%s", table[i].name, table[i].value);
		printf("  %-26s%s %s\n", left, strlen(left) > 26 ? arena_printf(o->arena, "\n%28s", "") : "",
		       table[i].doc);
	}
	printf("\n%s\n\nExit status: %s\n", environment, exit_statuses(o->arena));
	require_printed();
	exit(EXIT_OK);
}

/* ---- the man page, and what shells complete */

static void print_manual(Options *o, const char *value)
{
	static const char *const forms[] = {"man", "bash", "zsh", "fish", "vim", "textmate"};
	const char *form = forms[option_choose(o, "--manual", HABIT_VALUE, value, forms, 6)];
	Arena *a = o->arena;
	const char *grammar = grammar_text(a, form);
	if (grammar) {
		fputs(grammar, stdout);
		exit(EXIT_OK);
	}
	ManualCommand *all = NEW_ARRAY(a, ManualCommand, COMMAND_COUNT);
	for (int i = 0; i < COMMAND_COUNT; i++)
		all[i] = (ManualCommand){commands[i].name, commands[i].usage, commands[i].doc,
		                         i == COMMAND_HELP ? help_names(a) : NULL, commands[i].suffix};
	ManualOption *options = NEW_ARRAY(a, ManualOption, OPTION_COUNT);
	for (int i = 0; i < OPTION_COUNT; i++)
		options[i] = (ManualOption){table[i].name, table[i].value,
		                            table[i].words ? table[i].words(a) : NULL, table[i].commands,
		                            table[i].doc};
	const ManualSection sections[] = {{"ENVIRONMENT", environment},
	                                  {"EXIT STATUS", exit_statuses(a)},
	                                  {"SEE ALSO", "nnc-trainer(1) for what nnc makes. `nnc help` lists "
	                                               "operators, optimizers, settings and the "
	                                               "words of the language."}};
	manual_print(
	        &(Manual){"nnc", "nnc", summary,
	                  "A FILE.net describes a network and how it is trained. nnc compiles it to C, or "
	                  "to CUDA C, and that to one executable file, the trainer.",
	                  NNC_VERSION, all, COMMAND_COUNT, options, OPTION_COUNT, sections,
	                  sizeof sections / sizeof *sections},
	        form);
	require_printed();
	exit(EXIT_OK);
}

/* ---- reading */

static _Noreturn void unknown_option(const Options *o, const char *arg)
{
	const char *names[OPTION_COUNT];
	int count = 0;
	for (int i = 0; i < OPTION_COUNT; i++) {
		if (table[i].commands & 1u << o->command)
			names[count++] = table[i].name + 1;
	}
	/* Without the dash that all begin with: -x is not nearly -o. */
	char *word = arena_strndup(o->arena, arg + 1, strcspn(arg + 1, "="));
	const char *help =
	        o->command == COMMAND_BUILD ? habit_help(o->arena, HABIT_OPTION, word, NULL, 0) : NULL;
	if (help)
		fail(EXIT_USAGE, "unknown option `%s`: %s", printable(o->arena, arg), help);
	const char *near = nearest_word(word, names, count);
	fail(EXIT_USAGE, "unknown option `%s`%s; `nnc --help` lists them", printable(o->arena, arg),
	     near ? arena_printf(o->arena, ", did you mean `-%s`?", near) : "");
}

/* The row of `arg`, and its joined value or NULL. */
static const Option *find_option(const Options *o, const char *arg, const char **value)
{
	for (int i = 0; i < OPTION_COUNT; i++) {
		const Option *row = &table[i];
		size_t n = strlen(row->name);
		if (!(row->commands & 1u << o->command) || strncmp(arg, row->name, n) != 0)
			continue;
		bool one_letter = row->name[1] != '-' && row->form == VALUE_NEEDED;
		*value = NULL;
		if (!arg[n])
			return row;
		*value = arg + n;
		if (row->form == VALUE_JOINED || one_letter)
			return row;
		*value = arg + n + 1;
		if (arg[n] == '=' && row->form != VALUE_NONE)
			return row;
		if (arg[n] == '=')
			fail(EXIT_USAGE, "%s takes no value", row->name);
	}
	unknown_option(o, arg);
}

static Command find_command(const char *word)
{
	for (int i = 0; i < COMMAND_COUNT; i++) {
		if (commands[i].name && strcmp(commands[i].name, word) == 0)
			return (Command)i;
	}
	return COMMAND_BUILD;
}

/* Every value of these counts. */
static bool adds_up(const Option *row)
{
	return row->set == set_emit || row->set == set_define || row->set == set_setting ||
	       row->set == set_disabled_pass || row->set == set_opt_passes;
}

/* Of other options the last value counts, by the usual custom. Said, for it may be a slip. */
static void say_repeated(const Options *o, const char *const *values, const char *const *before)
{
	for (int i = 0; i < OPTION_COUNT && !o->json; i++)
		if (before[i] && !adds_up(&table[i]) && strcmp(values[i], before[i]) != 0)
			fprintf(stderr, "nnc: note: %s is given twice: the last counts, `%s`, and not `%s`\n",
			        table[i].name, printable(o->arena, values[i]),
			        printable(o->arena, before[i]));
}

static void store(const Option *row, Options *o, const char *value)
{
	char *place = (char *)o + row->stored;
	if (row->set)
		row->set(o, value);
	else if (row->form == VALUE_NONE)
		*(bool *)(void *)place = true;
	else
		*(const char **)(void *)place = value;
}

Options *options_read(Arena *a, int argc, char **argv)
{
	Options *o = NEW(a, Options);
	o->arena = a;
	o->max_errors = LIMIT_ERRORS;
	o->march = "native";
	const char *values[OPTION_COUNT] = {0}, *before[OPTION_COUNT] = {0};
	int i = 1;
	if (argc > 1 && (o->command = find_command(argv[1])) != COMMAND_BUILD)
		i = 2;
	for (bool only_files = false; i < argc; i++) {
		const char *arg = argv[i], *value;
		if (!only_files && strcmp(arg, "--") == 0) {
			only_files = true;
			continue;
		}
		if (only_files || arg[0] != '-' || !arg[1]) {
			array_push(a, &o->files, arg);
			continue;
		}
		const Option *row = find_option(o, arg, &value);
		if (!value && (row->form == VALUE_NEEDED || row->form == VALUE_JOINED)) {
			if (row->form == VALUE_JOINED || i + 1 == argc)
				fail(EXIT_USAGE, "%s needs a value: %s%s", row->name, row->name, row->value);
			value = argv[++i];
		}
		store(row, o, value);
		before[row - table] = values[row - table];
		values[row - table] = value ? value : "";
	}
	say_repeated(o, values, before);
	return o;
}
