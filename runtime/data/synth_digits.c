/* SPDX-License-Identifier: MIT */
/* Digits drawn with a round pen: the strokes of a template, every point moved a little, the whole slanted, turned,
 * scaled and shifted at random, drawn with a random thickness, then noise.
 *
 * A pixel's ink is a soft threshold on its distance to the nearest stroke. */
#include "runtime/host/die.h"
#include "runtime/data/synth.h"

#include <math.h>
#include <string.h>

enum { POINTS = 20 };

/* Points of the strokes on a 100 x 100 sheet, x to the right and y down; UP lifts the pen, END closes the list. */
#define UP  -1, -1
#define END -2, -2
static const signed char templates[10][2 * POINTS] = {
        {50, 10, 33, 15, 24, 32, 22, 50, 24, 68, 33, 85, 50, 90,
         67, 85, 76, 68, 78, 50, 76, 32, 67, 15, 50, 10, END},
        {36, 26, 52, 10, 52, 90, END},
        {25, 30, 32, 15, 50, 10, 68, 16, 74, 32, 68, 47, 50, 65, 24, 90, 78, 90, END},
        {26, 20, 45, 10, 66, 15, 72, 30, 64, 44, 46, 48, UP,
         46, 48, 68, 53, 76, 69, 68, 84, 47, 91, 25, 82, END},
        {62, 90, 62, 10, 20, 64, 80, 64, END},
        {74, 10, 32, 10, 28, 46, 48, 40, 68, 47, 76, 65, 68, 83, 48, 91, 25, 83, END},
        {68, 12, 46, 22, 30, 44, 24, 66, 32, 84, 50, 91, 68, 84, 75, 68, 67, 54, 50, 49, 32, 56, 25, 68, END},
        {22, 12, 78, 12, 60, 48, 44, 90, END},
        {50, 48, 32, 40, 28, 26, 36, 13, 50, 10, 64, 13, 72, 26, 68, 40, 50, 48,
         30, 58, 24, 73, 34, 87, 50, 91, 66, 87, 76, 73, 70, 58, 50, 48, END},
        {73, 34, 66, 47, 50, 52, 33, 46, 26, 31, 34, 16, 50, 10, 67, 16, 74, 32, 72, 60, 64, 90, END},
};

typedef struct Segment {
	double x0, y0, x1, y1;
} Segment;

void digits_check(const Synth *s)
{
	const NnrInput *x = &s->model->inputs[s->input];
	if (x->dtype != NNR_U8 || (x->rank != 2 && x->rank != 4))
		die(STATUS_DATA,
		    "synth:digits makes images u8[28, 28, 1] (or another size); the model wants `%s`",
		    input_text(x));
	if (x->rank == 2 && x->dim[1] != 784)
		die(STATUS_DATA, "synth:digits makes 784 pixels for a flat input; the model wants `%s`",
		    input_text(x));
	data_check_classes(s->model, s->target, "synth:digits", 10, true);
}

/* A number in [-1, 1]; the sum of two uniform ones, so that extremes are rare. */
static double wobble(const Philox *r, int pair)
{
	return rng_unit(r->word[2 * pair]) + rng_unit(r->word[2 * pair + 1]) - 1;
}

/* The template's strokes in pixels, deformed. */
static int place_strokes(const Synth *s, uint64_t sample, int64_t digit, double width, double height,
                         Segment *out)
{
	Philox a = rng_block(s->seed, RNG_SYNTH, sample, 1), b = rng_block(s->seed, RNG_SYNTH, sample, 2);
	Philox c = rng_block(s->seed, RNG_SYNTH, sample, 3);
	double slant = 0.25 * wobble(&a, 0), turn = 0.2 * wobble(&a, 1), size = 0.68 + 0.1 * wobble(&b, 0);
	double stretch = 1 + 0.2 * wobble(&b, 1), right = 0.1 * wobble(&c, 0), down = 0.1 * wobble(&c, 1);
	const signed char *at = templates[digit];
	int count = 0;
	bool pen = false;
	double before_x = 0, before_y = 0;
	for (uint32_t i = 0; at[2 * i] != -2; i++) {
		if (at[2 * i] == -1) {
			pen = false;
			continue;
		}
		Philox r = rng_block(s->seed, RNG_SYNTH, sample, 8 + i);
		double u = (at[2 * i] / 100.0 - 0.5 + 0.04 * wobble(&r, 0)) * size * stretch;
		double v = (at[2 * i + 1] / 100.0 - 0.5 + 0.04 * wobble(&r, 1)) * size;
		u -= slant * v;
		double x = (0.5 + right + u * cos(turn) - v * sin(turn)) * width;
		double y = (0.5 + down + u * sin(turn) + v * cos(turn)) * height;
		if (pen)
			out[count++] = (Segment){before_x, before_y, x, y};
		before_x = x;
		before_y = y;
		pen = true;
	}
	return count;
}

static double distance_squared(const Segment *g, double x, double y)
{
	double dx = g->x1 - g->x0, dy = g->y1 - g->y0, length = dx * dx + dy * dy;
	double t = length > 0 ? ((x - g->x0) * dx + (y - g->y0) * dy) / length : 0;
	t = fmax(0, fmin(1, t));
	double ex = x - g->x0 - t * dx, ey = y - g->y0 - t * dy;
	return ex * ex + ey * ey;
}

void digits_make(const Synth *s, DataPart *part, int64_t k, uint64_t sample)
{
	const NnrInput *in = &s->model->inputs[s->input];
	bool flat = in->rank == 2;
	int64_t height = flat ? 28 : in->dim[1], width = flat ? 28 : in->dim[2],
	        channels = flat ? 1 : in->dim[3];
	Philox r = rng_block(s->seed, RNG_SYNTH, sample, 0);
	int64_t digit = rng_below(r.word[0], 10);
	data_set_class(part, s->model, s->target, k, digit);
	double unit = (double)(height < width ? height : width) / 28;
	double radius = (0.8 + 0.8 * rng_unit(r.word[1])) * unit, ink = 200 + 55 * rng_unit(r.word[2]);
	double noise = 50 * rng_unit(r.word[3]);
	Segment strokes[POINTS];
	int count = place_strokes(s, sample, digit, (double)width, (double)height, strokes);
	uint8_t *at = (uint8_t *)part->at[s->input] + k * sample_bytes(in);
	for (int64_t i = 0; i < height; i++) {
		for (int64_t j = 0; j < width; j++) {
			double nearest = 1e30;
			for (int g = 0; g < count; g++)
				nearest = fmin(nearest, distance_squared(&strokes[g], (double)j + 0.5,
				                                         (double)i + 0.5));
			uint32_t pixel = (uint32_t)(i * width + j);
			Philox grain = rng_block(s->seed, RNG_SYNTH, sample, 64 + pixel / 4);
			double cover = fmax(0, fmin(1, (radius - sqrt(nearest)) / unit + 0.5));
			double value = ink * cover + noise * (rng_unit(grain.word[pixel % 4]) - 0.5);
			memset(at, (int)fmax(0, fmin(255, value + 0.5)), (size_t)channels);
			at += channels;
		}
	}
}
