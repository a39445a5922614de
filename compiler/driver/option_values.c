/* SPDX-License-Identifier: MIT */
/* What the values of options are: each is read into Options, or refused with what it may be. */
#include "driver/option_values.h"

#include "base/limits.h"
#include "base/nearest.h"
#include "base/writer.h"
#include "front/habits.h"
#include "passes/pass.h"

#include <stdlib.h>

static const char *const emit_names[] = {"ast", "ir",   "eval.ir", "program", "eval.program", "c",
                                         "cu",  "plan", "dot",     "lib",     "html"};

static const char *const print_names[] = {"layers", "operators", "optimizers", "passes", "targets"};

const char *emit_name(EmitKind kind)
{
	return emit_names[kind];
}

/* ---- values */

/* The word that `value` is with another ending: fuse for fusion and fused. NULL: none. */
static const char *other_ending(const char *value, const char *const *words, int count)
{
	enum { STEM_LEAST = 3 };
	for (int i = 0; i < count; i++) {
		size_t n = strlen(words[i]), vowel = strchr("ey", words[i][n - 1]) ? 1 : 0;
		if (n - vowel >= STEM_LEAST && strncmp(value, words[i], n - vowel) == 0)
			return words[i];
	}
	return NULL;
}

/* The index of `value` among `words`; a mistake names them all, and what `value` may stand for. */
int option_choose(const Options *o, const char *option, HabitPlace place, const char *value,
                  const char *const *words, int count)
{
	Writer *w = writer_new(o->arena);
	for (int i = 0; i < count; i++) {
		if (strcmp(words[i], value) == 0)
			return i;
		write_text(w, "%s%s", i ? ", " : "", words[i]);
	}
	const char *help = habit_help(o->arena, place, value, words, count);
	const char *near = nearest_word(value, words, count);
	if (!near)
		near = other_ending(value, words, count);
	if (!help && near)
		help = arena_printf(o->arena, "did you mean `%s`?", near);
	fail(EXIT_USAGE, "%s takes one of %s; `%s` is not among them%s%s", option, writer_text(w, NULL),
	     printable(o->arena, value), help ? ": " : "", help ? help : "");
}

static const Pass *choose_pass(const Options *o, const char *option, const char *value)
{
	const char **names = NEW_ARRAY(o->arena, const char *, pass_count);
	for (int i = 0; i < pass_count; i++)
		names[i] = passes[i].name;
	return &passes[option_choose(o, option, HABIT_PASS, value, names, pass_count)];
}

void set_emit(Options *o, const char *value)
{
	for (const char *at = value; at;) {
		const char *comma = strchr(at, ',');
		char *item = comma ? arena_strndup(o->arena, at, (size_t)(comma - at))
		                   : arena_strdup(o->arena, at);
		char *path = strchr(item, '=');
		if (path)
			*path++ = '\0';
		if (path && !*path)
			fail(EXIT_USAGE, "--emit=%s= names no file", printable(o->arena, item));
		EmitKind kind =
		        (EmitKind)option_choose(o, "--emit", HABIT_EMIT, item, emit_names, EMIT_KINDS);
		array_push(o->arena, &o->emits, (Emit){kind, path});
		at = comma ? comma + 1 : NULL;
	}
}

void set_save_temps(Options *o, const char *value)
{
	o->save_temps = value ? value : "";
}

void set_check(Options *o, const char *value)
{
	o->check = o->check_format = true;
}

void set_print(Options *o, const char *value)
{
	o->print = print_names[option_choose(o, "--print", HABIT_TABLE, value, print_names,
	                                     sizeof print_names / sizeof *print_names)];
}

void set_define(Options *o, const char *value)
{
	array_push(o->arena, &o->defines, value);
}

/* Patterns are text, whose quotes the shell takes away: --set freeze='conv*'. */
void set_setting(Options *o, const char *value)
{
	static const char key[] = "freeze=";
	const char *given = value + sizeof key - 1;
	if (strncmp(value, key, sizeof key - 1) == 0 && *given != '"' && strcmp(given, "none") != 0)
		value = arena_printf(o->arena, "%s\"%s\"", key, given);
	array_push(o->arena, &o->settings, value);
}

void set_remarks(Options *o, const char *value)
{
	if (value && strcmp(value, "all") != 0)
		fail(EXIT_USAGE, "-Rfusion takes `all` or nothing, not `%s`", value);
	o->remarks = true;
	o->all_remarks = value != NULL;
}

void set_precision(Options *o, const char *value)
{
	static const char *const words[] = {"tf32", "fp32", "bf16", "fp16", "fp64"};
	o->precision = words[option_choose(o, "--precision", HABIT_PRECISION, value, words,
	                                   sizeof words / sizeof *words)];
	array_push(o->arena, &o->settings, arena_printf(o->arena, "precision=%s", o->precision));
}

/* sm_90, sm_100a: of an architecture with unified memory at least, so that a digit left out is seen without NVRTC. */
static bool is_arch(const char *word, size_t length)
{
	enum { FIRST = 50 };
	if (length < 5 || strncmp(word, "sm_", 3) != 0)
		return false;
	size_t digits = strspn(word + 3, "0123456789");
	bool variant = digits + 4 == length && (word[digits + 3] == 'a' || word[digits + 3] == 'f');
	return (digits + 3 == length || variant) && digits <= 3 && atoi(word + 3) >= FIRST;
}

/* What was meant by `word`, which is no architecture: sm_90 for 90, 9.0, sm90 and compute_90, and for what is sold as
 * H100. */
static const char *likely_arch(Arena *a, const char *word)
{
	static const char *const prefixes[] = {"sm_", "sm", "compute_", "compute", ""};
	const char *help = habit_help(a, HABIT_ARCH, word, NULL, 0);
	size_t i = 0, n = 3;
	if (help)
		return help;
	while (strncmp(word, prefixes[i], strlen(prefixes[i])) != 0)
		i++;
	char arch[16] = "sm_";
	for (const char *at = word + strlen(prefixes[i]); *at && n + 1 < sizeof arch; at++) {
		if (*at != '.')
			arch[n++] = *at;
	}
	bool differs = strcmp(arch, word) != 0 && is_arch(arch, n);
	return arena_printf(a, differs ? "did you mean `%s`?" : "one is written sm_90 or sm_100a", arch);
}

/* cpu, cuda, or cuda:sm_90,sm_100. */
void set_target(Options *o, const char *value)
{
	static const char *const targets[] = {"cpu", "cuda"};
	const char *colon = strchr(value, ':');
	if (!colon || strncmp(value, "cuda:", 5) != 0) {
		o->cuda = option_choose(o, "--target", HABIT_TARGET, value, targets, 2) == 1;
		return;
	}
	o->cuda = true;
	o->archs = colon + 1;
	for (const char *at = o->archs;; at += strcspn(at, ",") + 1) {
		size_t n = strcspn(at, ",");
		char *word = arena_strndup(o->arena, at, n);
		if (!is_arch(at, n))
			fail(EXIT_USAGE, "--target=cuda:%s: `%s` is no architecture; %s",
			     printable(o->arena, o->archs), printable(o->arena, word),
			     printable(o->arena, likely_arch(o->arena, word)));
		if (atoi(word + strlen("sm_")) < LEAST_ARCH)
			fail(EXIT_USAGE,
			     "--target=cuda:%s: GPUs of `%s` are too old for nnc's kernels, which need sm_%d "
			     "or "
			     "newer",
			     o->archs, word, LEAST_ARCH);
		if (at[n] == '\0')
			return;
	}
}

void set_march(Options *o, const char *value)
{
	if (!*value ||
	    value[strspn(value, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+")])
		fail(EXIT_USAGE,
		     "--march takes a name of the C compiler's -march, as native or x86-64-v3, not `%s`",
		     printable(o->arena, value));
	o->march = value;
}

void set_library(Options *o, const char *value)
{
	static const char *const libraries[] = {
	        [LIBRARY_AUTO] = "auto", [LIBRARY_NONE] = "none", [LIBRARY_ONEDNN] = "onednn"};
	o->library = (LibraryChoice)option_choose(o, "--library", HABIT_LIBRARY, value, libraries, 3);
}

void set_disabled_pass(Options *o, const char *value)
{
	int count;
	const char **names = optional_names(o->arena, &count);
	array_push(o->arena, &o->disabled_passes,
	           names[option_choose(o, "-fno-PASS", HABIT_PASS, value, names, count)]);
}

void set_dump(Options *o, const char *value)
{
	bool special =
	        strcmp(value, "all") == 0 || strcmp(value, "elaborate") == 0 || strcmp(value, "kernels") == 0;
	o->dump_pass = special ? value : choose_pass(o, "--dump", value)->name;
}

void set_opt_passes(Options *o, const char *value)
{
	for (const char *at = value; at;) {
		const char *comma = strchr(at, ',');
		char *name = comma ? arena_strndup(o->arena, at, (size_t)(comma - at))
		                   : arena_strdup(o->arena, at);
		array_push(o->arena, &o->opt_passes, choose_pass(o, "--pass", name)->name);
		at = comma ? comma + 1 : NULL;
	}
}

void set_color(Options *o, const char *value)
{
	static const char *const modes[] = {
	        [COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"};
	o->color = (ColorMode)option_choose(o, "--color", HABIT_VALUE, value, modes, 3);
}

void set_diagnostics(Options *o, const char *value)
{
	static const char *const forms[] = {"text", "json"};
	o->json = option_choose(o, "--diagnostics", HABIT_VALUE, value, forms, 2) == 1;
}

void set_ranks(Options *o, const char *value)
{
	enum { MOST = 65536 };
	char *end;
	long n = strtol(value, &end, 10);
	if (end == value || *end || n < 1 || n > MOST)
		fail(EXIT_USAGE, "--ranks takes a number from 1 to %d, not `%s`", MOST,
		     printable(o->arena, value));
	o->ranks = n;
}

void set_bucket(Options *o, const char *value)
{
	static const double MOST = 1 << 20;
	bool number = *value && !value[strspn(value, "0123456789.")];
	char *end = NULL;
	double bytes = number ? strtod(value, &end) * (1 << 20) : 0;
	if (!number || *end || !(bytes >= 1 && bytes <= MOST * (1 << 20)))
		fail(EXIT_USAGE, "--bucket takes a number of MiB, as 25 or 0.5, up to %.0f, not `%s`", MOST,
		     printable(o->arena, value));
	o->bucket = value;
	o->bucket_bytes = (int64_t)bytes;
}

/* 12GiB, 800MiB, 12GB, 12.5GiB; a number alone is MiB, as a trainer's --memory takes it. */
void set_memory(Options *o, const char *value)
{
	static const struct {
		const char *name;
		double bytes;
	} units[] = {{"", 1 << 20},
	             {"KiB", 1 << 10},
	             {"MiB", 1 << 20},
	             {"GiB", 1 << 30},
	             {"TiB", (double)(1 << 30) * 1024},
	             {"kB", 1e3},
	             {"MB", 1e6},
	             {"GB", 1e9},
	             {"TB", 1e12}};
	static const double MOST = 1e15;
	const size_t digits = strspn(value, "0123456789.");
	char *end = NULL;
	const double count = digits > 0 ? strtod(arena_strndup(o->arena, value, digits), &end) : 0;
	double bytes = 0;
	for (size_t i = 0; end && !*end && i < sizeof units / sizeof *units; i++)
		if (strcmp(value + digits, units[i].name) == 0)
			bytes = count * units[i].bytes;
	if (!(bytes >= 1 && bytes <= MOST))
		fail(EXIT_USAGE,
		     "--memory takes bytes with their unit, as 12GiB or 800MiB, or a number of MiB, not `%s`",
		     printable(o->arena, value));
	o->memory = value;
	o->memory_bytes = (int64_t)bytes;
}

void set_max_errors(Options *o, const char *value)
{
	char *end;
	long n = strtol(value, &end, 10);
	if (end == value || *end || n < 1 || n > 1000)
		fail(EXIT_USAGE, "--max-errors takes a number from 1 to 1000, not `%s`",
		     printable(o->arena, value));
	o->max_errors = (int)n;
}

/* ---- what they may be */

static const char *joined(Arena *a, const char *const *words, int count)
{
	Writer *w = writer_new(a);
	for (int i = 0; i < count; i++)
		write_text(w, "%s%s", i ? " " : "", words[i]);
	return writer_text(w, NULL);
}

const char *emit_words(Arena *a)
{
	return joined(a, emit_names, EMIT_KINDS);
}

const char *print_words(Arena *a)
{
	return joined(a, print_names, sizeof print_names / sizeof *print_names);
}

const char *optional_pass_words(Arena *a)
{
	int count = 0;
	const char **names = optional_names(a, &count);
	return joined(a, names, count);
}

const char *pass_words(Arena *a)
{
	const char **names = NEW_ARRAY(a, const char *, pass_count);
	for (int i = 0; i < pass_count; i++)
		names[i] = passes[i].name;
	return joined(a, names, pass_count);
}

const char *dump_words(Arena *a)
{
	return arena_printf(a, "all elaborate kernels %s", pass_words(a));
}
