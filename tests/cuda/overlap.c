/* SPDX-License-Identifier: MIT */
/* Which kernels begin before the one before them has ended (runtime/cuda/nnr_overlap.h):  overlap FILE.net...
 *
 * The two of an on-chip step, each of which waits once and has no parameter that is __restrict__; no other is launched
 * so, and none of the others waits. */
#include "driver/driver.h"
#include <stdio.h>
#include <string.h>

static int passed, failed, on_chip;

/* From the head of a kernel to the end of its body. */
static const char *kernel_text(Arena *a, const char *text, const char *name)
{
	const char *head = arena_printf(a, ") %s(", name), *at = strstr(text, head);
	const char *end = at ? strstr(at, "\n}\n") : NULL;
	return end ? arena_strndup(a, at, (size_t)(end - at)) : "";
}

static int count_of(const char *text, const char *word)
{
	int count = 0;
	for (const char *at = text; (at = strstr(at, word)); at++)
		count++;
	return count;
}

/* What is wrong with the launches of an emitted trainer of which `wanted` overlap; NULL: nothing. */
static const char *wrong(Arena *a, const Emitted *text, int wanted)
{
	static const char launch[] = "static NnrKernel ";
	if (count_of(text->host, ".overlaps = true") != wanted)
		return "other kernels are launched so than those of an on-chip step";
	if (count_of(text->kernels, "nnr_kernel_wait();") != wanted ||
	    count_of(text->kernels, "nnr_kernel_next();") != wanted)
		return "other kernels wait than those of an on-chip step";
	for (const char *at = text->host; (at = strstr(at, launch)); at++) {
		const char *line = arena_strndup(a, at, strcspn(at, "\n")), *quote = strchr(line, '"') + 1;
		const char *name = arena_strndup(a, quote, strcspn(quote, "\"")),
		           *kernel = kernel_text(a, text->kernels, name);
		if (!strstr(line, ".overlaps = true"))
			continue;
		if (count_of(kernel, "nnr_kernel_wait();") != 1)
			return arena_printf(a, "%s does not wait once", name);
		if (strstr(kernel, "__restrict__"))
			return arena_printf(a, "%s has a parameter that is __restrict__", name);
	}
	return NULL;
}

static void check(const char *path)
{
	Arena *a = arena_new();
	Diagnostics *d = diagnostics_new(a, COLOR_NEVER, false, 20);
	DriverOptions options = {.target = &target_cuda};
	const char *why = NULL;
	const Source *source = source_read(a, path, &why);
	Compiled *c = source ? compile(a, d, source, &options) : NULL;
	diagnostics_finish(d);
	if (c) {
		Emitted text = emit(a, c, &options);
		on_chip += c->train->onchip != NULL;
		why = wrong(a, &text, c->train->onchip ? 2 : 0);
	} else if (source) {
		why = "is not compiled";
	}
	++*(why ? &failed : &passed);
	if (why)
		printf("FAIL %s: %s\n", path, why);
	arena_free(a);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		check(argv[i]);
	if (on_chip == 0 || on_chip == argc - 1) {
		printf("FAIL %d of %d networks have a step on chip: some should, and some not\n", on_chip,
		       argc - 1);
		failed++;
	}
	printf("overlapping kernels: %d passed, %d failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
