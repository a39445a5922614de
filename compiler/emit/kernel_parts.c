/* SPDX-License-Identifier: MIT */
/* Sharing kernels out among translation units: see kernel_parts.h. */
#include "emit/kernel_parts.h"
#include "base/writer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Reading the headers takes NVRTC 0.05 s for each part, a kernel 0.06 s on average. */
enum { KERNELS_OF_PART = 8, MOST_PARTS = 8 };

/* One family, or a function of none. */
typedef struct Unit {
	int number, part;
	size_t from, end;
	int64_t cost;
} Unit;

/* In characters that are compiled: a template is so once for each of its kernels. A call of a function of the headers
 * is short, and no less work. */
static int64_t cost_of(const FamilyPlace *p)
{
	enum { LEAST = 2000 };
	return p->functions * (LEAST + p->shared);
}

static int dearest_first(const void *x, const void *y)
{
	const Unit *p = x, *q = y;
	if (p->cost != q->cost)
		return p->cost < q->cost ? 1 : -1;
	return p->number < q->number ? -1 : p->number > q->number;
}

/* Each unit, the dearest first, to the part that has least. */
static void share_out(Arena *a, Unit *units, int count, int parts)
{
	int64_t *load = NEW_ARRAY(a, int64_t, parts);
	qsort(units, (size_t)count, sizeof *units, dearest_first);
	for (int i = 0; i < count; i++) {
		int least = 0;
		for (int k = 1; k < parts; k++)
			least = load[k] < load[least] ? k : least;
		units[i].part = least;
		load[least] += units[i].cost;
	}
}

static int as_written(const void *x, const void *y)
{
	return ((const Unit *)x)->number - ((const Unit *)y)->number;
}

KernelParts kernel_parts(Arena *a, const char *text, const FamilyPlace *places, int count)
{
	Unit *units = NEW_ARRAY(a, Unit, count);
	int kernels = 0;
	for (int i = 0; i < count; i++) {
		Unit *p = &units[i];
		*p = (Unit){.number = i, .from = places[i].start, .cost = cost_of(&places[i])};
		p->end = i + 1 < count ? places[i + 1].start : strlen(text);
		kernels += places[i].functions;
	}
	int parts = kernels / KERNELS_OF_PART;
	parts = parts < count ? parts : count;
	parts = parts < MOST_PARTS ? parts : MOST_PARTS;
	parts = parts > 0 ? parts : 1;
	share_out(a, units, count, parts);
	qsort(units, (size_t)count, sizeof *units, as_written);
	const char **at = NEW_ARRAY(a, const char *, parts);
	for (int k = 0; k < parts; k++) {
		Writer *w = writer_new(a);
		if (k > 0)
			write_line(w, "#define NNR_WITHOUT_STEP_KERNELS");
		write_text(w, "%.*s", count ? (int)places[0].start : (int)strlen(text), text);
		for (int i = 0; i < count; i++)
			if (units[i].part == k)
				write_text(w, "%.*s", (int)(units[i].end - units[i].from),
				           text + units[i].from);
		at[k] = writer_text(w, NULL);
	}
	return (KernelParts){at, parts};
}
