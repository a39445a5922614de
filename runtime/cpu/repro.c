/* SPDX-License-Identifier: MIT */
/* nnr_repro.h. Numbers are drawn by a counter, so that every machine has the same ones. They are there anew every few
 * runs, for a kernel may compute in place.
 *
 * A kernel that runs again and again finds its operands in the caches, and in a training step it does not: there it
 * finds what was touched last. So ahead of each timed run all that is touched that a step touches between two runs. */
#include "cpu/nnr_repro.h"
#include "nnr_half.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { SAME = 0, OTHER = 1, UNABLE = 2 };

/* splitmix64, as a number in [0, 1). */
static double drawn(uint64_t counter)
{
	uint64_t z = (counter + 1) * 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static int bytes_of(NnrDType type)
{
	static const int bytes[] = {
	        [NNR_F32] = 4, [NNR_F64] = 8, [NNR_BF16] = 2, [NNR_F16] = 2, [NNR_I32] = 4, [NNR_U8] = 1};
	return bytes[type];
}

static bool is_real(NnrDType type)
{
	return type != NNR_I32 && type != NNR_U8;
}

static void set_number(NnrDType type, char *at, int64_t i, double value)
{
	switch (type) {
	case NNR_F32:
		((float *)(void *)at)[i] = (float)value;
		break;
	case NNR_F64:
		((double *)(void *)at)[i] = value;
		break;
	case NNR_BF16:
		((uint16_t *)(void *)at)[i] = nnr_bf16_bits((float)value);
		break;
	case NNR_F16:
		((uint16_t *)(void *)at)[i] = nnr_f16_bits((float)value);
		break;
	case NNR_I32:
		((int32_t *)(void *)at)[i] = (int32_t)floor(value);
		break;
	case NNR_U8:
		((uint8_t *)at)[i] = (uint8_t)floor(value);
	}
}

static double number_at(NnrDType type, const char *at, int64_t i)
{
	const void *all = at;
	return type == NNR_F32    ? (double)((const float *)all)[i]
	       : type == NNR_F64  ? ((const double *)all)[i]
	       : type == NNR_BF16 ? (double)nnr_bf16_value(((const uint16_t *)all)[i])
	                          : (double)nnr_f16_value(((const uint16_t *)all)[i]);
}

static void fill(const NnrRepro *r, char *const *at)
{
	for (int k = 0; k < r->count; k++) {
		const NnrReproArgument *x = &r->arguments[k];
		if (!x->read)
			memset(at[k], 0, (size_t)(x->elements * bytes_of(x->dtype)));
	}
	for (int k = 0; k < r->count; k++) {
		const NnrReproArgument *x = &r->arguments[k];
		for (int64_t i = 0; i < x->elements && x->read; i++) {
			const double value =
			        x->low + (x->high - x->low) * drawn((uint64_t)k << 40 | (uint64_t)i);
			set_number(x->dtype, at[k], i, value);
		}
	}
}

static NnrReproExpected result_of(const NnrReproArgument *x, const char *at)
{
	NnrReproExpected e = {.bits = 0xcbf29ce484222325u};
	for (int64_t i = 0; i < x->elements * bytes_of(x->dtype); i++) /* FNV-1a */
		e.bits = (e.bits ^ (unsigned char)at[i]) * 0x100000001b3u;
	for (int64_t i = 0; i < x->elements && is_real(x->dtype); i++) {
		const double value = number_at(x->dtype, at, i);
		e.sum += value;
		e.weighted += value * (0.5 + drawn((uint64_t)i));
	}
	return e;
}

static bool near(double x, double y, double scale)
{
	return (isnan(x) && isnan(y)) || x == y || fabs(x - y) <= 1e-4 * scale;
}

/* Of all that is written; prints a line for each. */
static int compare(const NnrRepro *r, char *const *at)
{
	int status = SAME, number = 0;
	for (int k = 0; k < r->count; k++) {
		const NnrReproArgument *x = &r->arguments[k];
		if (!x->written)
			continue;
		const NnrReproExpected is = result_of(x, at[k]), *wanted = &r->expected[number++];
		const double scale = fmax(fabs(wanted->sum), sqrt((double)x->elements));
		const bool same = is.bits == wanted->bits, alike = is_real(x->dtype) &&
		                                                   near(is.sum, wanted->sum, scale) &&
		                                                   near(is.weighted, wanted->weighted, scale);
		printf("%s: %s\n", x->name,
		       same    ? "the same bits"
		       : alike ? "other bits, sums as expected"
		               : "OTHER NUMBERS than expected");
		status = same || alike ? status : OTHER;
	}
	return status;
}

/* As C: with all its digits. */
static void put_number(FILE *f, double value, const char *after)
{
	if (isfinite(value))
		fprintf(f, "%.17g%s", value, after);
	else
		fprintf(f, "%s%s", isnan(value) ? "NAN" : value < 0 ? "-INFINITY" : "INFINITY", after);
}

static int write_expected(const NnrRepro *r, char *const *at, const char *path)
{
	FILE *f = fopen(path, "we");
	if (!f) {
		perror(path);
		return UNABLE;
	}
	fprintf(f,
	        "/* What %s wrote when nnc tried it. */\n#include <math.h>\nstatic const NnrReproExpected "
	        "expected[] = {\n",
	        r->kernel);
	for (int k = 0; k < r->count; k++) {
		if (!r->arguments[k].written)
			continue;
		const NnrReproExpected e = result_of(&r->arguments[k], at[k]);
		fprintf(f, "\t{0x%" PRIx64 "u, ", e.bits);
		put_number(f, e.sum, ", ");
		put_number(f, e.weighted, "},");
		fprintf(f, " /* %s */\n", r->arguments[k].name);
	}
	fprintf(f, "};\n");
	return fclose(f) == 0 ? SAME : UNABLE;
}

static int by_time(const void *x, const void *y)
{
	const double a = *(const double *)x, b = *(const double *)y;
	return (a > b) - (a < b);
}

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the host */

enum { HUGE_PAGE = 2 << 20, TWO_LINES = 128 };

/* As the blocks of a trainer (session.c): of zeros, in huge pages. */
static char *allocate(int64_t bytes, const char *what)
{
	const size_t length = (size_t)(bytes + HUGE_PAGE);
	char *at = mmap(NULL, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED) {
		fprintf(stderr, "there is no memory for %s\n", what);
		exit(UNABLE);
	}
	(void)madvise(at, length, MADV_HUGEPAGE); /* a hint */
	return at + HUGE_PAGE - (uintptr_t)at % HUGE_PAGE;
}

static void copy(void *to, const char *from, int64_t bytes)
{
	memcpy(to, from, (size_t)bytes);
}

static void copy_back(char *to, const void *from, int64_t bytes)
{
	memcpy(to, from, (size_t)bytes);
}

static int64_t cache_bytes(void)
{
	enum { USUAL = 32 << 20 };
	const int64_t bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
	return bytes > 0 ? bytes : USUAL;
}

static double seconds(const NnrRepro *r, char *const *at)
{
	const double begin = now();
	r->call(at);
	return now() - begin;
}

static const NnrReproMachine host_machine = {.allocate = allocate,
                                             .copy = copy,
                                             .copy_back = copy_back,
                                             .cache_bytes = cache_bytes,
                                             .seconds = seconds};

/* ---- running it */

/* The regions and the arguments in them: as they are drawn and compared, and where the kernel runs. */
typedef struct Places {
	char **drawn_regions, **regions, **drawn, **at;
	char *other; /* memory that is touched between runs */
	int64_t other_bytes, next;
	int64_t most; /* bytes that are touched ahead of a run */
} Places;

static void lay(const NnrRepro *r, const Places *p)
{
	for (int i = 0; i < r->region_count; i++)
		r->machine->copy(p->regions[i], p->drawn_regions[i], r->regions[i].bytes);
}

/* In whole lines of a cache, of which half are written. */
static void touch_other(const NnrRepro *r, Places *p, int64_t bytes)
{
	bytes = bytes < p->other_bytes ? bytes / TWO_LINES * TWO_LINES : p->other_bytes;
	for (int64_t n; bytes > 0; bytes -= n) {
		n = p->other_bytes - p->next < bytes ? p->other_bytes - p->next : bytes;
		r->touch(p->other + p->next, n / 2, true);
		r->touch(p->other + p->next + n / 2, n / 2, false);
		p->next = (p->next + n) % p->other_bytes;
	}
}

/* The last of it: no cache has what was touched before so much else. */
static void touch_all(const NnrRepro *r, Places *p)
{
	p->next = 0;
	int first = r->touch_count;
	for (int64_t bytes = 0; first > 0 && bytes < p->most;)
		bytes += r->touches[--first].bytes;
	for (const NnrReproTouch *t = r->touches + first; t < r->touches + r->touch_count; t++) {
		if (t->region < 0)
			touch_other(r, p, t->bytes);
		else
			r->touch(p->regions[t->region] + t->offset, t->bytes, t->written);
	}
}

/* The median of a second of runs, but of 16 at least. */
static void measure(const NnrRepro *r, Places *p)
{
	enum { IN_TURN = 8, MOST = 25 * IN_TURN };
	double times[MOST];
	int runs = 0;
	const double end = now() + 1;
	if (r->machine->begin)
		r->machine->begin();
	while (runs < 2 * IN_TURN || (runs < MOST && now() < end)) {
		lay(r, p);
		for (int i = 0; i < IN_TURN; i++) {
			touch_all(r, p);
			times[runs++] = r->machine->seconds(r, p->at);
		}
	}
	if (r->machine->end)
		r->machine->end(times, runs);
	qsort(times, (size_t)runs, sizeof *times, by_time);
	const double median = times[runs / 2];
	printf("%s: %.6f ms (median of %d runs, fastest %.6f), %.1f GFLOP/s, %.1f GB/s\n", r->kernel,
	       1e3 * median, runs, 1e3 * times[0], 1e-9 * r->flops / median, 1e-9 * r->bytes / median);
}

static void find_places(const NnrRepro *r, Places *p)
{
	enum { TIMES_CACHE = 2 };
	const size_t room = (size_t)(r->region_count > r->count ? r->region_count : r->count) + 1;
	char ***const lists[] = {&p->drawn_regions, &p->regions, &p->drawn, &p->at};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		*lists[i] = (char **)allocate((int64_t)(room * sizeof **lists[i]), "tensors");
	for (int i = 0; i < r->region_count; i++) {
		const NnrReproRegion *x = &r->regions[i];
		const int64_t at = x->at % HUGE_PAGE;
		p->drawn_regions[i] = allocate(x->bytes, "tensors");
		p->regions[i] = r->machine->allocate(x->bytes + at, "tensors") + at;
	}
	for (int k = 0; k < r->count; k++) {
		const NnrReproArgument *x = &r->arguments[k];
		p->drawn[k] = p->drawn_regions[x->region] + x->offset;
		p->at[k] = p->regions[x->region] + x->offset;
	}
	for (int i = 0; i < r->touch_count; i++)
		p->other_bytes += r->touches[i].region < 0 ? r->touches[i].bytes : 0;
	p->most = TIMES_CACHE * r->machine->cache_bytes();
	p->other_bytes = (p->other_bytes < p->most ? p->other_bytes : p->most) / TWO_LINES * TWO_LINES;
	p->other = r->machine->allocate(p->other_bytes, "what is touched between runs");
}

int nnr_repro(const NnrRepro *wanted, int argc, char **argv)
{
	NnrRepro on_host = *wanted;
	const NnrRepro *r = wanted->machine ? wanted : &on_host;
	on_host.machine = &host_machine;
	const char *expect = argc == 3 && strcmp(argv[1], "--expect") == 0 ? argv[2] : NULL;
	if (argc > 1 && !expect) {
		fprintf(stderr, "%s: only --expect FILE is known\n", argv[0]);
		return UNABLE;
	}
	Places p = {0};
	find_places(r, &p);
	fill(r, p.drawn);
	lay(r, &p);
	r->machine->seconds(r, p.at);
	for (int i = 0; i < r->region_count; i++)
		r->machine->copy_back(p.drawn_regions[i], p.regions[i], r->regions[i].bytes);
	if (expect)
		return write_expected(r, p.drawn, expect);
	int status = SAME;
	if (r->expected)
		status = compare(r, p.drawn);
	else
		printf("nothing is known to compare with: --expect expected.h writes it, then make again\n");
	fill(r, p.drawn);
	measure(r, &p);
	return status;
}
