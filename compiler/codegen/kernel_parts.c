/* Sharing kernels out among translation units: see kernel_parts.h. */
#include "codegen/kernel_parts.h"
#include "base/writer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Reading the headers takes NVRTC 0.07 s for each part, a kernel 0.06 s on average. */
enum { KERNELS_OF_PART = 8, MOST_PARTS = 8 };

/* One family, or a function of none. */
typedef struct Piece {
	int number, kernels, part;
	size_t from, end;
	int64_t cost;
} Piece;

static const char kernel_head[] = "extern \"C\" __global__";

static int kernels_in(const char *text, size_t from, size_t end)
{
	int count = 0;
	for (const char *at = text + from; (at = strstr(at, kernel_head)) && at < text + end; at++)
		count++;
	return count;
}

/* In characters that are compiled: a template is so once for each of its kernels. A call of a function of the headers
 * is short, and no less work. */
static int64_t cost_of(const char *text, const Piece *p)
{
	enum { LEAST = 2000 };
	const char *first = strstr(text + p->from, kernel_head);
	const size_t whole = p->end - p->from,
	             body = p->kernels > 1 && first ? (size_t)(first - text) - p->from : whole;
	return (int64_t)(p->kernels ? p->kernels : 1) * (int64_t)(LEAST + body);
}

static int dearest_first(const void *x, const void *y)
{
	const Piece *p = x, *q = y;
	if (p->cost != q->cost)
		return p->cost < q->cost ? 1 : -1;
	return p->number < q->number ? -1 : p->number > q->number;
}

/* Each piece, the dearest first, to the part that has least. */
static void share_out(Arena *a, Piece *pieces, int count, int parts)
{
	int64_t *load = NEW_ARRAY(a, int64_t, parts);
	qsort(pieces, (size_t)count, sizeof *pieces, dearest_first);
	for (int i = 0; i < count; i++) {
		int least = 0;
		for (int k = 1; k < parts; k++)
			least = load[k] < load[least] ? k : least;
		pieces[i].part = least;
		load[least] += pieces[i].cost;
	}
}

static int as_written(const void *x, const void *y)
{
	return ((const Piece *)x)->number - ((const Piece *)y)->number;
}

KernelParts kernel_parts(Arena *a, const char *text, const size_t *starts, int count)
{
	Piece *pieces = NEW_ARRAY(a, Piece, count);
	int kernels = 0;
	for (int i = 0; i < count; i++) {
		Piece *p = &pieces[i];
		*p = (Piece){.number = i, .from = starts[i]};
		p->end = i + 1 < count ? starts[i + 1] : strlen(text);
		p->kernels = kernels_in(text, p->from, p->end);
		p->cost = cost_of(text, p);
		kernels += p->kernels;
	}
	int parts = kernels / KERNELS_OF_PART;
	parts = parts < count ? parts : count;
	parts = parts < MOST_PARTS ? parts : MOST_PARTS;
	parts = parts > 0 ? parts : 1;
	share_out(a, pieces, count, parts);
	qsort(pieces, (size_t)count, sizeof *pieces, as_written);
	const char **at = NEW_ARRAY(a, const char *, parts);
	for (int k = 0; k < parts; k++) {
		Writer *w = writer_new(a);
		if (k > 0)
			write_line(w, "#define NNR_WITHOUT_STEP_KERNELS");
		write_text(w, "%.*s", count ? (int)starts[0] : (int)strlen(text), text);
		for (int i = 0; i < count; i++)
			if (pieces[i].part == k)
				write_text(w, "%.*s", (int)(pieces[i].end - pieces[i].from),
				           text + pieces[i].from);
		at[k] = writer_text(w, NULL);
	}
	return (KernelParts){at, parts};
}
