/* SPDX-License-Identifier: MIT */
/* How kernels.cu is cut for NVRTC (emit/kernel_parts.c): each kernel is in one part, and of a template all are; each
 * part has the head, and the runtime's own kernels are in the first. */
#include "emit/kernel_parts.h"
#include "base/array.h"
#include "base/writer.h"
#include "tests/unit/check.h"
#include <string.h>

typedef struct Kernels {
	Writer *w;
	ARRAY(FamilyPlace) places;
	int count;
} Kernels;

static const char head[] = "#include \"cuda/nnr_device.h\"\n\n";

static Kernels kernels_new(Arena *a)
{
	Kernels k = {.w = writer_new(a)};
	write_text(k.w, "%s", head);
	return k;
}

/* One function, or of several sizes a template and what calls it. */
static void add(Arena *a, Kernels *k, int sizes)
{
	size_t at;
	writer_text(k->w, &at);
	array_push(a, &k->places, (FamilyPlace){.start = at, .functions = sizes, .shared = 40});
	if (sizes > 1)
		write_line(k->w, "template <int n> void f%d() {}", k->places.count);
	for (int i = 0; i < sizes; i++)
		write_line(k->w, "extern \"C\" __global__ void k%d_() {}", k->count++);
}

static int parts_with(const KernelParts *parts, const char *word)
{
	int count = 0;
	for (int i = 0; i < parts->count; i++)
		count += strstr(parts->at[i], word) != NULL;
	return count;
}

/* So many families of so many sizes, of `kernels` in all. */
static void check_cut(int families, int sizes, int wanted)
{
	Arena *a = arena_new();
	Kernels k = kernels_new(a);
	for (int i = 0; i < families; i++)
		add(a, &k, sizes);
	KernelParts parts = kernel_parts(a, writer_text(k.w, NULL), k.places.at, k.places.count);
	CHECK(parts.count == wanted);
	CHECK(parts_with(&parts, head) == parts.count);
	CHECK(parts_with(&parts, "#define NNR_WITHOUT_STEP_KERNELS\n") == parts.count - 1);
	CHECK(!strstr(parts.at[0], "#define"));
	for (int i = 0; i < k.count; i++)
		CHECK(parts_with(&parts, arena_printf(a, " k%d_(", i)) == 1);
	for (int i = 0; i < families && sizes > 1; i++)
		CHECK(parts_with(&parts, arena_printf(a, " f%d(", i + 1)) == 1);
	for (int p = 0; p < parts.count; p++) { /* in the order of the text, and no part without any */
		const char *last = strstr(parts.at[p], "extern");
		int before = -1, number;
		for (const char *at = last; at; at = strstr(at + 1, " k")) {
			if (sscanf(at, " k%d_", &number) == 1) {
				CHECK(number > before);
				before = number;
			}
		}
		CHECK(last != NULL);
	}
	arena_free(a);
}

int main(void)
{
	check_cut(1, 1, 1);
	check_cut(15, 1, 1);
	check_cut(16, 1, 2);
	check_cut(30, 1, 3);
	check_cut(2, 30, 2);
	check_cut(40, 10, 8);
	check_cut(500, 1, 8);
	Arena *a = arena_new();
	KernelParts none = kernel_parts(a, head, NULL, 0);
	CHECK(none.count == 1 && strcmp(none.at[0], head) == 0);
	arena_free(a);
	return check_report("kernel parts");
}
