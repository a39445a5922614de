/* SPDX-License-Identifier: MIT */
/* Data made by the runtime, so that a first run needs no download. Sample k of seed s is the same on every machine and
 * in every order: all numbers are counter-based.
 *
 *   synth:digits      handwriting-like digits (synth_digits.c)
 *   synth:images      textures: class c of C is a wave of its own direction, frequency and colours, with random phase,
 *                     contrast and noise
 *   synth:rosenbrock  x uniform in [-1, 1]^d, y the Rosenbrock function of x, standardised
 *   synth:random      noise for inputs of any shape; nothing can be learned
 *
 * All take ",samples=N": the training samples; a quarter as many are held out. */
#include "runtime/data/reader.h"
#include "runtime/data/synth.h"
#include "runtime/host/die.h"
#include "runtime/host/parallel.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rosenbrock */

/* The exact mean and variance of f(x) = sum over i of T(x_i, x_i+1), T(a, b) = 100 (b - a^2)^2 + (1 - a)^2, for
 * independent x_i uniform in [-1, 1], whose moments are E[x^2k] = 1/(2k + 1). Neighbouring terms share one variable:
 *   E[T]              = 100 (1/3 + 1/5) + 1 + 1/3
 *   V[T]              = V[100 b^2] + V[200 a^2 b] + V[100 a^4 + a^2 - 2a]
 *   C[T_i, T_i+1]     = C[100 b^2, 100 b^4 + b^2] + C[-200/3 b, -2 b] */
void rosenbrock_moments(int64_t d, double *mean, double *variance)
{
	double m2 = 1.0 / 3, m4 = 1.0 / 5, m6 = 1.0 / 7, m8 = 1.0 / 9;
	double own = 1e4 * (m4 - m2 * m2) + 4e4 * m4 * m2 + 1e4 * (m8 - m4 * m4) + (m4 - m2 * m2) + 4 * m2 +
	             200 * (m6 - m4 * m2);
	double shared = 1e4 * (m6 - m4 * m2) + 100 * (m4 - m2 * m2) + 400.0 / 3 * m2;
	double terms = (double)(d - 1);
	*mean = terms * (100 * (m2 + m4) + 1 + m2);
	*variance = terms * own + 2 * fmax(terms - 1, 0) * shared;
}

double rosenbrock(const double *x, int64_t d)
{
	double sum = 0;
	for (int64_t i = 0; i + 1 < d; i++) {
		double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
		sum += 100 * a * a + b * b;
	}
	return sum;
}

static void store_real(const NnrInput *in, char *at, int64_t i, double value)
{
	if (in->dtype == NNR_F64)
		((double *)(void *)at)[i] = value;
	else
		((float *)(void *)at)[i] = (float)value;
}

static void rosenbrock_check(const Synth *s)
{
	const NnrModel *m = s->model;
	const NnrInput *x = &m->inputs[s->input], *y = &m->inputs[s->target];
	bool real_x = x->dtype == NNR_F32 || x->dtype == NNR_F64,
	     real_y = y->dtype == NNR_F32 || y->dtype == NNR_F64;
	if (!real_x || !real_y || sample_elements(x) < 2 || sample_elements(y) != 1)
		die(STATUS_DATA,
		    "synth:rosenbrock makes an input f32[d], d >= 2, and a target f32[1]; the model has `%s` "
		    "and `%s`",
		    input_text(x), input_text(y));
}

/* Each x is drawn once and used as stored, so that y belongs to the x that the model sees. */
static void rosenbrock_make(const Synth *s, DataPart *part, int64_t k, uint64_t sample)
{
	const NnrInput *x = &s->model->inputs[s->input], *y = &s->model->inputs[s->target];
	int64_t d = sample_elements(x);
	char *at = part->at[s->input] + k * sample_bytes(x);
	double mean, variance, sum = 0, before = 0;
	for (int64_t i = 0; i < d; i++) {
		Philox r = rng_block(s->seed, RNG_SYNTH, sample, (uint32_t)(i / 4));
		double value = (double)(float)(2 * rng_unit(r.word[i % 4]) - 1);
		store_real(x, at, i, value);
		double pair[2] = {before, value};
		sum += i ? rosenbrock(pair, 2) : 0;
		before = value;
	}
	rosenbrock_moments(d, &mean, &variance);
	store_real(y, part->at[s->target] + k * sample_bytes(y), 0, (sum - mean) / sqrt(variance));
}

/* ---- images */

enum { CLASSES = 10 }; /* for a model without a target of them */

static void images_check(const Synth *s)
{
	const NnrInput *x = &s->model->inputs[s->input];
	if (x->dtype != NNR_U8 || x->rank != 4)
		die(STATUS_DATA,
		    "synth:images makes images u8[height, width, channels]; the model wants `%s`",
		    input_text(x));
}

/* The fraction of n * irrational: a sequence that fills [0, 1) evenly, so that classes keep apart. */
static double spread(int64_t n, double irrational)
{
	double x = (double)(n + 1) * irrational;
	return x - floor(x);
}

static void images_make(const Synth *s, DataPart *part, int64_t k, uint64_t sample)
{
	const double tau = 6.283185307179586477;
	const NnrInput *x = &s->model->inputs[s->input];
	int64_t height = x->dim[1], width = x->dim[2], channels = x->dim[3];
	Philox r = rng_block(s->seed, RNG_SYNTH, sample, 0);
	int64_t class = rng_below(r.word[0], s->target < 0 ? CLASSES : s->model->inputs[s->target].classes);
	data_set_class(part, s->model, s->target, k, class);
	double phase = tau * rng_unit(r.word[1]), contrast = 40 + 50 * rng_unit(r.word[2]);
	double light = 100 + 55 * rng_unit(r.word[3]);
	double angle = 0.5 * tau * spread(class, 0.6180339887498949),
	       waves = 2 + 5 * spread(class, 0.7548776662466927);
	double along_x = cos(angle) * waves * tau / (double)width,
	       along_y = sin(angle) * waves * tau / (double)height;
	uint8_t *at = (uint8_t *)part->at[s->input] + k * sample_bytes(x);
	uint32_t word = 4;
	Philox noise = r;
	for (int64_t i = 0; i < height; i++) {
		for (int64_t j = 0; j < width; j++) {
			double place = phase + along_x * (double)j + along_y * (double)i;
			for (int64_t c = 0; c < channels; c++, word++) {
				if (word % 4 == 0)
					noise = rng_block(s->seed, RNG_SYNTH, sample, word / 4);
				double colour = tau * spread(class * channels + c, 0.5698402909980532);
				double value = light + contrast * sin(place + colour) +
				               60 * (rng_unit(noise.word[word % 4]) - 0.5);
				*at++ = (uint8_t)fmax(0, fmin(255, value + 0.5));
			}
		}
	}
}

/* ---- random */

static void random_make(const Synth *s, DataPart *part, int64_t k, uint64_t sample)
{
	uint32_t block = 0;
	for (int i = 0; i < s->model->input_count; i++) {
		const NnrInput *in = &s->model->inputs[i];
		char *at = part->at[i] + k * sample_bytes(in);
		int64_t n = sample_elements(in);
		Philox r = {{0}};
		for (int64_t e = 0; e < n; e++) {
			if (e % 2 == 0)
				r = rng_block(s->seed, RNG_SYNTH, sample, block++);
			uint32_t *word = r.word + 2 * (e % 2);
			if (in->dtype == NNR_U8)
				((uint8_t *)at)[e] = (uint8_t)rng_below(
				        word[0], in->classes > 0 && in->classes < 256 ? in->classes : 256);
			else if (in->dtype == NNR_I32)
				((int32_t *)(void *)at)[e] =
				        (int32_t)rng_below(word[0], in->classes > 0 ? in->classes
				                                    : in->rows > 0  ? in->rows
				                                                    : 2);
			else
				store_real(in, at, e, rng_normal(word[0], word[1]));
		}
	}
}

static void random_check(const Synth *s)
{
	for (int i = 0; i < s->model->input_count; i++)
		if (s->model->inputs[i].dtype == NNR_BF16 || s->model->inputs[i].dtype == NNR_F16)
			die(STATUS_DATA, "synth:random can't make `%s`", input_text(&s->model->inputs[i]));
}

/* ---- the table */

static const struct Maker {
	const char *format;
	const char *makes; /* what the data is, for messages; NULL: any inputs will do */
	bool classes;      /* the target is a class */
	int64_t samples;   /* when the user gives no number */
	void (*check)(const Synth *s);
	void (*make)(const Synth *s, DataPart *part, int64_t k, uint64_t sample);
} makers[] = {
        {"synth:digits", "images and one class each", true, 8000, digits_check, digits_make},
        {"synth:images", "images and one class each", true, 8000, images_check, images_make},
        {"synth:rosenbrock", "an input and a real target", false, 16000, rosenbrock_check, rosenbrock_make},
        {"synth:random", NULL, false, 2048, random_check, random_make},
};

enum { MAKERS = sizeof makers / sizeof *makers };

/* "synth:digits,samples=9" -> "digits"; a recipe's `data rosenbrock` means synth:rosenbrock. NULL: not synthetic. */
static const char *spec_name(const char *spec)
{
	return strncmp(spec, "synth:", 6) == 0 ? spec + 6 : strcmp(spec, "rosenbrock") == 0 ? spec : NULL;
}

bool synth_recognise(const char *spec)
{
	return spec_name(spec) != NULL;
}

static const struct Maker *parse_spec(const char *spec, int64_t *samples)
{
	const char *name = spec_name(spec), *comma = strchr(name, ',');
	size_t length = comma ? (size_t)(comma - name) : strlen(name);
	if (comma) {
		char *end;
		errno = 0;
		long long n = strncmp(comma, ",samples=", 9) == 0 ? strtoll(comma + 9, &end, 10) : 0;
		const int64_t most = (int64_t)1 << 40;
		if (n < 1 || errno || *end || n > most)
			die(STATUS_USAGE,
			    "`%s`: after the comma comes `samples=N`, N a whole number from 1 to %lld", spec,
			    (long long)most);
		*samples = n;
	}
	for (int i = 0; i < MAKERS; i++)
		if (strlen(makers[i].format) == length + 6 && memcmp(makers[i].format + 6, name, length) == 0)
			return &makers[i];
	die_help(STATUS_USAGE, "synth:digits, synth:images, synth:rosenbrock and synth:random are known",
	         "there is no synthetic data `%s`", spec);
}

typedef struct Making {
	const Synth *synth;
	const struct Maker *maker;
	DataPart *part;
	uint64_t first;
} Making;

static void make_one(void *context, int64_t k)
{
	const Making *m = context;
	m->maker->make(m->synth, m->part, k, m->first + (uint64_t)k);
}

static bool recognise(const char *spec, const NnrModel *model)
{
	(void)model;
	return synth_recognise(spec);
}

static Dataset read_synth(const char *spec, const DataRequest *r)
{
	int64_t samples = 0;
	const struct Maker *maker = parse_spec(spec, &samples);
	if (samples == 0) {
		samples = r->model->chunks > 1 ? step_samples(r->model)
		                               : 2 * r->model->batch * model_ranks(r->model);
		if (samples < maker->samples)
			samples = maker->samples;
	}
	Synth s = {.model = r->model, .seed = r->seed};
	if (maker->classes) {
		data_image_and_class(r->model, maker->format, maker->makes, &s.input, &s.target);
	} else if (maker->makes) {
		if (r->model->input_count != 2 ||
		    r->model->inputs[0].is_target == r->model->inputs[1].is_target)
			die(STATUS_DATA, "%s makes %s; the model has %d inputs and targets", maker->format,
			    maker->makes, r->model->input_count);
		s.target = r->model->inputs[1].is_target;
		s.input = !s.target;
	}
	maker->check(&s);
	Dataset d = {.format = text_printf("%s", maker->format)};
	int64_t held_out = samples / 4 > 0 ? samples / 4 : 1;
	data_check_room(r->model, held_out + (r->want_train ? samples : 0)); /* before any of them is made */
	data_allocate(&d.held_out, r->model, held_out);
	Making making = {&s, maker, &d.held_out, 0};
	const char *doing = r->show_progress ? "making data" : NULL;
	parallel_for(held_out, r->threads, make_one, &making, doing);
	if (r->want_train) {
		data_allocate(&d.train, r->model, samples);
		making = (Making){&s, maker, &d.train, (uint64_t)1 << 48}; /* no sample is in both parts */
		parallel_for(samples, r->threads, make_one, &making, doing);
	}
	return d;
}

const DataReader data_reader_synth = {.recognise = recognise, .read = read_synth};
