/* SPDX-License-Identifier: MIT */
/* The files that nnc FILE.net makes: see build_outputs.h. */
#include "build_outputs.h"
#include "driver/outputs.h"
#include "toolchain/keep_code.h"

#include <string.h>

const Emit *wanted_library(const Options *o)
{
	for (int i = 0; i < o->emits.count; i++)
		if (o->emits.at[i].kind == EMIT_LIB)
			return &o->emits.at[i];
	return NULL;
}

const char *emit_path(const Job *j, const Emit *e)
{
	return e->path ? e->path : arena_printf(j->arena, "%s.%s", j->stem, emit_name(e->kind));
}

const char *library_base(const Job *j)
{
	static const char *const suffixes[] = {".so", ".a", ".h"};
	const Emit *e = wanted_library(j->options);
	const char *base = e->path ? e->path : j->options->output;
	if (!base)
		return arena_printf(j->arena, "lib%s", j->stem);
	size_t length = strlen(base);
	for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
		size_t n = strlen(suffixes[i]);
		if (length > n && strcmp(base + length - n, suffixes[i]) == 0)
			return arena_strndup(j->arena, base, length - n);
	}
	return base;
}

void check_library(const Options *o)
{
	const Emit *e = wanted_library(o);
	if (!e)
		return;
	if (o->library == LIBRARY_ONEDNN)
		fail(EXIT_USAGE, "--emit=lib has nnc's own loops alone: oneDNN's calls keep plans that two "
		                 "instances would "
		                 "share; leave --library=onednn out");
	if (o->keep_code)
		fail(EXIT_USAGE, "--keep-code is for a trainer, not for --emit=lib: leave one out");
	if (e->path && o->output)
		fail(EXIT_USAGE, "--emit=lib=%s and -o %s both name the library: leave one out",
		     printable(o->arena, e->path), printable(o->arena, o->output));
	if (e->path && strcmp(e->path, "-") == 0)
		fail(EXIT_USAGE, "--emit=lib writes three files, which can't go to standard output");
}

void check_page(const Options *o)
{
	const struct {
		const char *given, *name;
	} of_page[] = {{o->run, "--run"},
	               {o->run_log, "--log"},
	               {o->run_profile, "--profile"},
	               {o->run_confusion, "--confusion"},
	               {o->run_predictions, "--predictions"}};
	for (int i = 0; i < o->emits.count; i++)
		if (o->emits.at[i].kind == EMIT_HTML)
			return;
	for (size_t i = 0; i < sizeof of_page / sizeof *of_page; i++)
		if (of_page[i].given)
			fail(EXIT_USAGE, "%s is for the page of --emit=html; add --emit=html=FILE.html",
			     of_page[i].name);
}

bool wants_trainer(const Options *o)
{
	bool asked_for_less = o->emits.count > 0 || o->plan || o->print || o->explore;
	return !o->check && !o->stop_at_c && !wanted_library(o) && (!asked_for_less || o->output);
}

bool keeps_code(const Options *o)
{
	return o->keep_code && !o->check && !o->dry_run;
}

const char *output_path(const Job *j, const char *suffix)
{
	const char *named = j->options->output;
	return named ? named : arena_printf(j->arena, "%s%s", j->stem, suffix);
}

const char *kept_folder(const Job *j)
{
	const char *folder = j->options->save_temps;
	return folder && !*folder ? arena_printf(j->arena, "%s.nnc", j->stem) : folder;
}

void check_outputs(const Job *j)
{
	Arena *a = j->arena;
	const Options *o = j->options;
	OutputFiles outputs = {0};
	for (int i = 0; i < o->emits.count; i++) {
		const Emit *e = &o->emits.at[i];
		if (e->kind == EMIT_LIB)
			continue;
		array_push(a, &outputs,
		           (OutputFile){arena_printf(a, "--emit=%s", emit_name(e->kind)), emit_path(j, e),
		                        false});
	}
	static const char *const parts[] = {"a", "so", "h"};
	for (int i = 0; i < 3 && wanted_library(o); i++)
		array_push(a, &outputs,
		           (OutputFile){"--emit=lib", arena_printf(a, "%s.%s", library_base(j), parts[i]),
		                        false});
	if (o->explore)
		array_push(a, &outputs, (OutputFile){"--explore", o->explore, false});
	if (o->stop_at_c)
		array_push(a, &outputs, (OutputFile){"the C file", output_path(j, ".c"), false});
	if (wants_trainer(o)) {
		const char *folder = kept_folder(j);
		array_push(a, &outputs, (OutputFile){"the trainer", output_path(j, ""), true});
		static const char *const kept[] = {".c", ".page.c", ".cu"};
		for (int i = 0; folder && i < (o->cuda ? 3 : 2); i++)
			array_push(a, &outputs,
			           (OutputFile){"--save-temps",
			                        arena_printf(a, "%s/%s%s", folder, j->stem, kept[i]), false});
	}
	static const char *const code[] = {".c", ".page.c", ".cu"};
	for (int i = 0; keeps_code(o) && i < (o->cuda ? 3 : 2); i++)
		array_push(a, &outputs,
		           (OutputFile){"--keep-code",
		                        arena_printf(a, "%s/%s%s", o->keep_code, c_identifier(a, j->stem),
		                                     code[i]),
		                        false});
	SourceList sources = source_files(a, j->source);
	outputs_check(a, &outputs, &sources);
	if (keeps_code(o))
		keep_code_check(a, o->keep_code);
}
