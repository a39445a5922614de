/* SPDX-License-Identifier: MIT */
/* Linear regression y = w x + b on f32[3], three samples a batch, as a model written by hand, its data, and a trainer
 * of it run in a child. Small enough that every number can be followed; what generated code must satisfy is seen here
 * too. */
#ifndef NNC_TESTS_LINEAR_H
#define NNC_TESTS_LINEAR_H

#include "runtime/nnr.h"
#include "tests/unit/child.h"

#include <math.h>

enum { B = 3, D = 3 };

static bool poison_evaluation; /* the loss of every held-out sample becomes NaN */
static int poison_weight_at;   /* the step that leaves a weight infinite; 0: none */
static int poison_at;          /* the step whose loss becomes NaN; 0: none */
static void (*at_step)(
        int step); /* called in each training step and, as 0, for each batch that is predicted */
static void (*at_batch)(const NnrMemory *m); /* called for each batch that is evaluated or predicted */

static const float *input_x(const NnrMemory *m)
{
	return (const float *)(const void *)m->inputs;
}

static const float *input_y(const NnrMemory *m)
{
	return input_x(m) + B * D;
}

static float *block(char *at)
{
	return (float *)(void *)at;
}

/* params: w[3], b. states: momentum[4], then a running count [1]. arena: loss, error, per sample losses[3], errors[3],
 * gradient of w[3], of b. */
static float residual(const NnrMemory *m, int n)
{
	const float *w = block(m->params), *x = input_x(m) + n * D;
	return w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3] - input_y(m)[n];
}

static void train_run(const NnrMemory *m, const NnrScalars *scalars)
{
	float *w = block(m->params), *v = block(m->state), *a = block(m->arena), *g = a + 8;
	a[0] = a[1] = g[0] = g[1] = g[2] = g[3] = 0;
	for (int n = 0; n < B; n++) {
		float r = residual(m, n);
		a[0] += r * r / B;
		a[1] += fabsf(r) / B;
		for (int i = 0; i < D; i++)
			g[i] += 2 * r * input_x(m)[n * D + i] / B;
		g[D] += 2 * r / B;
	}
	for (int i = 0; i <= D; i++) {
		v[i] = 0.5f * v[i] + g[i];
		w[i] -= (float)scalars->rate * v[i];
	}
	v[4] += 1;
	if (poison_at == (int)scalars->step)
		a[0] = NAN;
	if (poison_weight_at == (int)scalars->step)
		w[1] = INFINITY;
	if (at_step)
		at_step((int)scalars->step);
}

static void evaluate_run(const NnrMemory *m, const NnrScalars *scalars)
{
	float *a = block(m->arena);
	for (int n = 0; n < B; n++) {
		float r = residual(m, n);
		a[2 + n] = poison_evaluation ? -NAN : r * r;
		a[5 + n] = fabsf(r);
	}
	if (at_batch)
		at_batch(m);
}

/* What is fitted, and whether it is above zero. */
static void predict_run(const NnrMemory *m, const NnrScalars *scalars)
{
	const float *w = block(m->params);
	int32_t *above = (int32_t *)(void *)(m->arena + 12);
	for (int n = 0; n < B; n++) {
		const float *x = input_x(m) + n * D;
		block(m->arena)[n] = w[0] * x[0] + w[1] * x[1] + w[2] * x[2] + w[3];
		above[n] = block(m->arena)[n] > 0;
	}
	if (at_step)
		at_step(0);
	if (at_batch)
		at_batch(m);
}

static const NnrInput inputs[] = {
        {"x", false, 0, NNR_F32, 2, {B, D}, 0, 0, false, false, false, 0, 0},
        {"y", true, 0, NNR_F32, 2, {B, 1}, B *D * 4, 0, false, false, false, 0, 0},
};
static const NnrTensor params[] = {
        {"fit.weight", NNR_F32, 2, {1, D}, 0, NNR_UNIFORM, 0.5, 0, false, false, -1},
        {"fit.bias", NNR_F32, 1, {1}, 12, NNR_CONSTANT, 0.25, 0, false, false, -1},
};
static const NnrTensor states[] = {
        {"sgd.momentum", NNR_F32, 1, {4}, 0, NNR_CONSTANT, 0, 0, false, true, 0},
        {"fit.count", NNR_F32, 1, {1}, 16, NNR_CONSTANT, 0, 0, false, false, -1},
};
static const NnrOutput train_outputs[] = {
        {NNR_LOSS, "loss", NNR_F32, 0, {0}, 0},
        {NNR_METRIC, "error", NNR_F32, 0, {0}, 4},
        {NNR_GRADIENT, "fit.weight", NNR_F32, 2, {1, D}, 32},
        {NNR_GRADIENT, "fit.bias", NNR_F32, 1, {1}, 44},
};
static const NnrOutput evaluate_outputs[] = {
        {NNR_LOSS, "loss", NNR_F32, 1, {B}, 8},
        {NNR_METRIC, "error", NNR_F32, 1, {B}, 20},
};
static NnrOutput predict_outputs[] = {
        {NNR_VALUE, "fit", NNR_F32, 2, {B, 1}, 0},
        {NNR_VALUE, "above", NNR_I32, 1, {B}, 12},
};
static NnrModel model = {
        .abi = NNR_ABI,
        .name = "line",
        .source = "line.net",
        .version = "test",
        .recipe = "optimizer sgd",
        .real = NNR_F32,
        .chunks = 1,
        .batch = B,
        .inputs = inputs,
        .input_count = 2,
        .params = params,
        .param_count = 2,
        .states = states,
        .state_count = 2,
        .param_bytes = 16,
        .state_bytes = 20,
        .input_bytes = 48,
        .train = {.arena_bytes = 48, .outputs = train_outputs, .output_count = 4, .run = train_run},
        .evaluate = {.arena_bytes = 48, .outputs = evaluate_outputs, .output_count = 2, .run = evaluate_run},
        .predict = {.arena_bytes = 24, .outputs = predict_outputs, .output_count = 2, .run = predict_run},
        .rate = {.kind = NNR_RATE_COSINE, .rate = 0.05},
        .epochs = 4,
        .seed = 9,
};

/* ---- running it */

enum { MAX_WORDS = 24 };

static const char *standard_output; /* a file in the place of the test's pipe; NULL: none */

static int act(void *context)
{
	if (standard_output && !freopen(standard_output, "w", stdout))
		abort();
	char **argv = context;
	int argc = 0;
	while (argv[argc])
		argc++;
	return nnr_main(&model, argc, argv);
}

/* `line` split at blanks. */
static Ended trainer(const char *line)
{
	static char copy[1024];
	char *argv[MAX_WORDS] = {"line"};
	int argc = 1;
	snprintf(copy, sizeof copy, "%s", line);
	for (char *word = strtok(copy, " "); word && argc < MAX_WORDS - 1; word = strtok(NULL, " "))
		argv[argc++] = word;
	argv[argc] = NULL;
	return run_child(act, argv);
}

static inline bool ends(const char *line, int status, const char *says)
{
	Ended e = trainer(line);
	bool ok = e.status == status && strstr(e.said, says);
	if (!ok)
		printf("  `%s` ended with %d: %s\n", line, e.status, e.said);
	return ok;
}

static void put_npy(const char *path, int rows, int columns, const float *values)
{
	char header[256];
	int n = snprintf(header + 10, 200, "{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }",
	                 rows, columns);
	while ((10 + n + 1) % 64)
		header[10 + n++] = ' ';
	header[10 + n++] = '\n';
	memcpy(header, "\x93NUMPY\x01\x00", 8);
	header[8] = (char)(n & 255);
	header[9] = (char)(n >> 8);
	FILE *f = fopen(path, "wb");
	if (!f || fwrite(header, 1, (size_t)(10 + n), f) != (size_t)(10 + n) ||
	    fwrite(values, 4, (size_t)(rows * columns), f) != (size_t)(rows * columns) || fclose(f) != 0)
		abort();
}

/* y = x0 - 2 x1 + 3 x2 + 1; 20 samples: 6 batches and 2 left over; 7 held out: 2 batches and one sample. */
static void put_data(void)
{
	float x[20 * D], y[20];
	for (int n = 0; n < 20; n++) {
		for (int i = 0; i < D; i++)
			x[n * D + i] = (float)((n * 7 + i * 5 + n * n * (i + 1)) % 13) / 13 - 0.5f;
		y[n] = x[n * D] - 2 * x[n * D + 1] + 3 * x[n * D + 2] + 1;
	}
	if (mkdir("data", 0777) < 0)
		abort();
	put_npy("data/train_x.npy", 20, D, x);
	put_npy("data/train_y.npy", 20, 1, y);
	put_npy("data/test_x.npy", 7, D, x);
	put_npy("data/test_y.npy", 7, 1, y);
}

/* The next line of a log that is of an epoch, a step or an evaluation: each process begins with one on itself. */
static inline char *past_headers(char *at)
{
	while (at && strncmp(at, "{\"run\"", 6) == 0)
		at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
	return at;
}

/* The number after `key` in line `line` (from 0) of a log, those on processes not counted. */
static inline double log_value(const char *path, int line, const char *key)
{
	static char text[1 << 16];
	char word[64];
	read_whole(path, text, sizeof text);
	char *at = past_headers(text);
	while (line-- > 0 && at)
		at = past_headers(strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL);
	snprintf(word, sizeof word, "\"%s\": ", key);
	char *end = at ? strchr(at, '\n') : NULL;
	if (end)
		*end = 0;
	at = at ? strstr(at, word) : NULL;
	return at ? strtod(at + strlen(word), NULL) : NAN;
}

#endif
