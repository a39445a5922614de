/* The text of kernels that overlap (-foverlap, runtime/cuda/nnr_overlap.h):  overlap COUNT FILE.net...
 *
 * Of the models in FILE... and of COUNT random networks in each precision: with the switch, every kernel is launched so, waits
 * once, and ahead of that neither returns nor follows a pointer, none of which is __restrict__; without it, none waits and none
 * is launched so. The two kernels of an on-chip step overlap either way. */
#include "driver.h"
#include "tests/random/generate.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int passed, failed, kernels;

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

/* What is wrong with the launch `line` of host text, which is one of `NnrKernel`; NULL: nothing. */
static const char *wrong(Arena *a, const char *line, const char *text, bool overlap)
{
	static const char *const forbidden[] = {"return", "[", "->", "nnr_load", "__ld", "(*", "*("};
	const char *quote = strchr(line, '"') + 1;
	const char *kernel = kernel_text(a, text, arena_strndup(a, quote, strcspn(quote, "\"")));
	const char *wait = strstr(kernel, "nnr_kernel_wait();");
	bool on_chip = strstr(line, "samples_kernel") || strstr(line, "update_kernel");
	bool early = overlap || on_chip;
	if ((strstr(line, ".overlaps = true") != NULL) != early)
		return early ? "is launched plainly" : "is launched to overlap";
	if (count_of(kernel, "nnr_kernel_wait();") != early ||
	    count_of(kernel, "nnr_kernel_next();") != early)
		return early ? "does not wait once" : "waits for nothing";
	if (early && strstr(kernel, "__restrict__"))
		return "has a parameter that is __restrict__";
	if (!early)
		return NULL;
	const char *ahead = strchr(kernel, '{');
	ahead = arena_strndup(a, ahead, (size_t)(wait - ahead));
	for (size_t i = 0; i < (on_chip ? 1 : sizeof forbidden / sizeof *forbidden); i++)
		if (strstr(ahead, forbidden[i]))
			return arena_printf(a, "has `%s` ahead of its wait", forbidden[i]);
	return NULL;
}

static void check(const Source *source, bool overlap)
{
	static const char launch[] = "static NnrKernel ";
	Arena *a = arena_new();
	Diagnostics *d = diagnostics_new(a, COLOR_NEVER, false, 20);
	Target *target = arena_copy(a, &target_cuda, sizeof target_cuda);
	target->overlap = overlap;
	DriverOptions options = {.target = target};
	Compiled *c = compile(a, d, source, &options);
	diagnostics_finish(d);
	Emitted text = c ? emit(a, c, &options) : (Emitted){"", ""};
	bool good = c != NULL;
	for (const char *at = text.host; (at = strstr(at, launch)); at++) {
		const char *line = arena_strndup(a, at, strcspn(at, "\n")),
		           *why = wrong(a, line, text.kernels, overlap);
		kernels++;
		good = good && !why;
		if (why)
			printf("FAIL %s, %s: %s: %s\n", source->path, overlap ? "-foverlap" : "plainly", line,
			       why);
	}
	++*(good ? &passed : &failed);
	arena_free(a);
}

int main(int argc, char **argv)
{
	static const char *const precisions[] = {"tf32", "bf16", "fp16", "fp64"};
	int count = argc > 1 ? atoi(argv[1]) : 0;
	Arena *a = arena_new();
	const char *why;
	for (int i = 2; i < argc; i++)
		for (int overlap = 0; overlap < 2; overlap++) {
			const Source *source = source_read(a, argv[i], &why);
			if (source)
				check(source, overlap);
			failed += !source;
		}
	for (int i = 0; i < count; i++) {
		const char *precision = precisions[i % 4],
		           *text = random_net(a, "net", (uint64_t)i + 1, precision);
		const Source *source = source_from_text(a, arena_printf(a, "seed %d, %s", i + 1, precision),
		                                        text, strlen(text), &why);
		check(source, true);
	}
	printf("overlapping kernels, %d launches: %d passed, %d failed, 0 skipped\n", kernels, passed,
	       failed);
	arena_free(a);
	return failed != 0;
}
