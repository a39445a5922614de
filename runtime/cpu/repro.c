/* SPDX-License-Identifier: MIT */
/* nnr_repro.h. Numbers are drawn by a counter, so that every machine has the same ones. They are drawn anew every few
 * runs, for a kernel may compute in place. */
#include "cpu/nnr_repro.h"

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
	return type == NNR_F32 || type == NNR_F64;
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
			switch (x->dtype) {
			case NNR_F32:
				((float *)(void *)at[k])[i] = (float)value;
				break;
			case NNR_F64:
				((double *)(void *)at[k])[i] = value;
				break;
			case NNR_I32:
				((int32_t *)(void *)at[k])[i] = (int32_t)floor(value);
				break;
			default:
				((uint8_t *)at[k])[i] = (uint8_t)floor(value);
			}
		}
	}
}

static NnrReproExpected result_of(const NnrReproArgument *x, const char *at)
{
	NnrReproExpected e = {.bits = 0xcbf29ce484222325u};
	for (int64_t i = 0; i < x->elements * bytes_of(x->dtype); i++) /* FNV-1a */
		e.bits = (e.bits ^ (unsigned char)at[i]) * 0x100000001b3u;
	for (int64_t i = 0; i < x->elements && is_real(x->dtype); i++) {
		const double value = x->dtype == NNR_F32 ? ((const float *)(const void *)at)[i]
		                                         : ((const double *)(const void *)at)[i];
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

/* The median of runs that take a second together, but of eight at least. As in a training step threads wait for the
 * kernel, and do not sleep: so numbers are drawn ahead of several runs, of which the first is not counted. */
static void measure(const NnrRepro *r, char *const *at)
{
	enum { IN_TURN = 8, MOST = 400 };
	double times[MOST], all = 0;
	int runs = 0;
	while (runs == 0 || (runs < MOST && all < 1)) {
		fill(r, at);
		r->call(at);
		for (int i = 0; i < IN_TURN; i++) {
			const double begin = now();
			r->call(at);
			times[runs] = now() - begin;
			all += times[runs++];
		}
	}
	qsort(times, (size_t)runs, sizeof *times, by_time);
	const double median = times[runs / 2];
	printf("%s: %.3f ms (median of %d runs, fastest %.3f), %.1f GFLOP/s, %.1f GB/s\n", r->kernel,
	       1e3 * median, runs, 1e3 * times[0], 1e-9 * r->flops / median, 1e-9 * r->bytes / median);
}

int nnr_repro(const NnrRepro *r, int argc, char **argv)
{
	enum { ALIGNMENT = 64 };
	const char *expect = argc == 3 && strcmp(argv[1], "--expect") == 0 ? argv[2] : NULL;
	if (argc > 1 && !expect) {
		fprintf(stderr, "%s: only --expect FILE is known\n", argv[0]);
		return UNABLE;
	}
	char **regions = calloc((size_t)r->region_count + 1, sizeof *regions),
	     **at = calloc((size_t)r->count + 1, sizeof *at);
	int status = regions && at ? SAME : UNABLE;
	for (int i = 0; i < r->region_count && status == SAME; i++) {
		const size_t bytes = ((size_t)r->regions[i] + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
		regions[i] = aligned_alloc(ALIGNMENT, bytes);
		status = regions[i] ? SAME : UNABLE;
	}
	if (status == UNABLE)
		fprintf(stderr, "%s: there is no memory for its tensors\n", argv[0]);
	for (int k = 0; k < r->count && status == SAME; k++)
		at[k] = regions[r->arguments[k].region] + r->arguments[k].offset;
	if (status == SAME) {
		fill(r, at);
		r->call(at);
		if (expect)
			status = write_expected(r, at, expect);
		else if (r->expected)
			status = compare(r, at);
		if (!expect)
			measure(r, at);
	}
	for (int i = 0; i < r->region_count && regions; i++)
		free(regions[i]);
	free(regions);
	free(at);
	return status;
}
