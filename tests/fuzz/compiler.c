/* SPDX-License-Identifier: MIT */
/* nnc: from text to C for both targets, the formatter, and the text of graphs. */
#include "compiler/target/target.h"
#include "compiler/driver/driver.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static const Source *source_of(Arena *a, const uint8_t *bytes, size_t length)
{
	const char *why;
	return source_from_text(a, fuzz_path("fuzz.net"), (const char *)bytes, length, &why);
}

/* Every text of nnc about a source. */
static void compile_text_for(const Target *target, const uint8_t *bytes, size_t length)
{
	Arena *a = arena_new();
	const Source *source = source_of(a, bytes, length);
	if (source) {
		Diagnostics *d = diagnostics_new(a, COLOR_ALWAYS, false, 20);
		DriverOptions o = {.target = target, .want_remarks = true, .verify = true};
		const Compiled *c = compile(a, d, source, &o);
		if (c) {
			Emitted text = emit(a, c, &o);
			FUZZ_CHECK(text.host && target->gpu == (text.kernels != NULL));
			FUZZ_CHECK(plan_text(a, c, &o) && graph_dot(a, c->source->evaluation));
		}
		diagnostics_finish(d);
	}
	arena_free(a);
}

static void cpu(const uint8_t *bytes, size_t length)
{
	compile_text_for(&target_cpu, bytes, length);
}

static void cuda(const uint8_t *bytes, size_t length)
{
	compile_text_for(&target_cuda, bytes, length);
}

/* What is laid out has the syntax tree of what was given, and is laid out already. */
static void fmt(const uint8_t *bytes, size_t length)
{
	Arena *a = arena_new();
	const Source *source = source_of(a, bytes, length);
	Diagnostics *d = diagnostics_new(a, COLOR_NEVER, true, 20);
	const char *text = source ? format_source(a, d, source) : NULL;
	if (text) {
		const Source *laid = source_of(a, (const uint8_t *)text, strlen(text));
		const char *again = laid ? format_source(a, d, laid) : NULL;
		FUZZ_CHECK(again && strcmp(text, again) == 0);
		FUZZ_CHECK(!strcmp(ast_text(a, parse_source(a, d, source), false),
		                   ast_text(a, parse_source(a, d, laid), false)));
	}
	diagnostics_finish(d);
	arena_free(a);
}

/* The text of a graph that is valid is read back as the same. Passes are not run on it: each takes what the ones before
 * it leave (passes/pass.h), which the harnesses of whole sources give it. */
static void opt(const uint8_t *bytes, size_t length)
{
	Arena *a = arena_new();
	const char *why, *text = arena_strndup(a, (const char *)bytes, length);
	const Graph *g = graph_parse(a, text, &why);
	FUZZ_CHECK(g || why);
	if (g && !graph_verify(a, g)) {
		const char *printed = graph_text(a, g);
		const Graph *again = graph_parse(a, printed, &why);
		FUZZ_CHECK(again && !graph_verify(a, again) && !strcmp(graph_text(a, again), printed));
		FUZZ_CHECK(graph_dot(a, g));
	}
	arena_free(a);
}

const Harness harnesses[] = {{"cpu", cpu}, {"cuda", cuda}, {"fmt", fmt}, {"opt", opt}, {0}};
