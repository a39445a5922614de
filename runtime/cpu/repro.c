/* SPDX-License-Identifier: MIT */
/* nnr_repro.h. Numbers are drawn by a counter, so that every machine has the same ones. They are drawn anew every few
 * runs, for a kernel may compute in place. */
#include "cpu/nnr_repro.h"
#include "nnr_half.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* ---- running it */

/* The regions and the arguments in them: on the host, where numbers are drawn and compared, and where it runs. */
typedef struct Places {
	char **host_regions, **regions; /* of the host's own kernels the same */
	char **host, **at;
} Places;

static void draw(const NnrRepro *r, const Places *p)
{
	fill(r, p->host);
	for (int i = 0; r->machine && i < r->region_count; i++)
		r->machine->copy(p->regions[i], p->host_regions[i], r->regions[i]);
}

static double timed(const NnrRepro *r, const Places *p)
{
	if (r->machine)
		return r->machine->seconds(r, p->at);
	const double begin = now();
	r->call(p->at);
	return now() - begin;
}

/* The median of runs that take a second together, but of eight at least. As in a training step threads wait for the
 * kernel, and do not sleep: so numbers are drawn ahead of several runs, of which the first is not counted. */
static void measure(const NnrRepro *r, const Places *p)
{
	enum { IN_TURN = 8, MOST = 400 };
	double times[MOST], all = 0;
	int runs = 0;
	while (runs == 0 || (runs < MOST && all < 1)) {
		draw(r, p);
		timed(r, p);
		for (int i = 0; i < IN_TURN; i++) {
			times[runs] = timed(r, p);
			all += times[runs++];
		}
	}
	qsort(times, (size_t)runs, sizeof *times, by_time);
	const double median = times[runs / 2];
	printf("%s: %.3f ms (median of %d runs, fastest %.3f), %.1f GFLOP/s, %.1f GB/s\n", r->kernel,
	       1e3 * median, runs, 1e3 * times[0], 1e-9 * r->flops / median, 1e-9 * r->bytes / median);
}

/* False: there is no memory. */
static bool find_places(const NnrRepro *r, Places *p)
{
	enum { ALIGNMENT = 64 };
	const size_t most = (size_t)(r->region_count > r->count ? r->region_count : r->count) + 1;
	char ***const lists[] = {&p->host_regions, &p->regions, &p->host, &p->at};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (!(*lists[i] = calloc(most, sizeof **lists[i])))
			return false;
	for (int i = 0; i < r->region_count; i++) {
		const size_t bytes = ((size_t)r->regions[i] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
		char *host = p->host_regions[i] = aligned_alloc(ALIGNMENT, bytes);
		if (!host)
			return false;
		p->regions[i] =
		        r->machine ? r->machine->allocate(r->regions[i], "making room for tensors") : host;
	}
	for (int k = 0; k < r->count; k++) {
		const NnrReproArgument *x = &r->arguments[k];
		p->host[k] = p->host_regions[x->region] + x->offset;
		p->at[k] = p->regions[x->region] + x->offset;
	}
	return true;
}

int nnr_repro(const NnrRepro *r, int argc, char **argv)
{
	const char *expect = argc == 3 && strcmp(argv[1], "--expect") == 0 ? argv[2] : NULL;
	if (argc > 1 && !expect) {
		fprintf(stderr, "%s: only --expect FILE is known\n", argv[0]);
		return UNABLE;
	}
	Places p = {0};
	int status = SAME;
	if (!find_places(r, &p)) {
		fprintf(stderr, "%s: there is no memory for its tensors\n", argv[0]);
		status = UNABLE;
	} else {
		draw(r, &p);
		timed(r, &p);
		for (int i = 0; r->machine && i < r->region_count; i++)
			r->machine->copy_back(p.host_regions[i], p.regions[i], r->regions[i]);
		if (expect)
			status = write_expected(r, p.host, expect);
		else if (r->expected)
			status = compare(r, p.host);
		else
			printf("nothing is known to compare with: --expect expected.h writes it, then make "
			       "again\n");
		if (!expect)
			measure(r, &p);
	}
	for (int i = 0; p.host_regions && i < r->region_count; i++)
		free(p.host_regions[i]);
	free(p.host_regions);
	free(p.regions);
	free(p.host);
	free(p.at);
	return status;
}
