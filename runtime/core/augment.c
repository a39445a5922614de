/* SPDX-License-Identifier: MIT */
#include "runtime/core/augment.h"
#include "runtime/core/rng.h"

#include <math.h>
#include <string.h>

/* Counters of a sample's blocks: `number` distinguishes those of one stream. Samples have 48 bits. */
static Philox block_of(const Augmentation *a, RngStream stream, int number)
{
	return rng_block(a->seed, stream, (uint64_t)a->sample | (uint64_t)number << 48, (uint32_t)a->epoch);
}

/* ---- windows */

static Window inside(int64_t height, int64_t width, double least_aspect)
{
	double aspect = (double)width / (double)height, rows = (double)height, columns = (double)width;
	if (aspect < least_aspect)
		rows = fmax(1, round(columns / least_aspect));
	else if (aspect > 1 / least_aspect)
		columns = fmax(1, round(rows / least_aspect));
	return (Window){floor(((double)height - rows) / 2), floor(((double)width - columns) / 2), rows,
	                columns};
}

Window augment_window(const Augmentation *a, int64_t height, int64_t width)
{
	enum { TRIES = 10 };
	double all = (double)height * (double)width, bound = log(a->how.least_aspect);
	for (int i = 0; i < TRIES; i++) {
		Philox r = block_of(a, RNG_WINDOW, i);
		double area = all * (a->how.least_area + (1 - a->how.least_area) * rng_unit(r.word[0]));
		double aspect = exp(bound - 2 * bound * rng_unit(r.word[1]));
		int64_t columns = llround(sqrt(area * aspect)), rows = llround(sqrt(area / aspect));
		if (rows < 1 || columns < 1 || rows > height || columns > width)
			continue;
		return (Window){(double)rng_below(r.word[2], height - rows + 1),
		                (double)rng_below(r.word[3], width - columns + 1), (double)rows,
		                (double)columns};
	}
	return inside(height, width, a->how.least_aspect);
}

/* The middle of a picture whose shorter side is `shorter` pixels long once [rows, columns] of them are the window. */
static Window middle_window(int64_t height, int64_t width, int64_t shorter, int64_t rows, int64_t columns)
{
	double scale = (double)(height < width ? height : width) / (double)shorter;
	double h = fmin((double)height, (double)rows * scale),
	       w = fmin((double)width, (double)columns * scale);
	return (Window){((double)height - h) / 2, ((double)width - w) / 2, h, w};
}

Window view_window(const void *context, int64_t height, int64_t width)
{
	const View *view = context;
	if (view->augmentation && augments_window(&view->augmentation->how))
		return augment_window(view->augmentation, height, width);
	if (view->shorter > 0)
		return middle_window(height, width, view->shorter, view->rows, view->columns);
	return (Window){.height = (double)height, .width = (double)width};
}

/* ---- colours */

enum { POINT = 16, ONE = 1 << POINT };

/* Within 1 - range and 1 + range, and not negative. */
static int32_t factor(double range, uint32_t word)
{
	double x = 1 + range * (2 * rng_unit(word) - 1);
	return (int32_t)lround(fmax(0, x) * ONE);
}

/* From `middle` on so many times as far. */
static uint8_t stretched(int32_t value, int32_t middle, int32_t by)
{
	int64_t x = middle + (((int64_t)(value - middle) * by + ONE / 2) >> POINT);
	return (uint8_t)(x < 0 ? 0 : x > 255 ? 255 : x);
}

/* Rec. 601, as JPEG and Pillow have it. */
static int32_t grey(const uint8_t *pixel, int channels)
{
	if (channels != 3)
		return pixel[0];
	return (19595 * pixel[0] + 38470 * pixel[1] + 7471 * pixel[2] + 32768) >> 16;
}

void augment_colours(const Augmentation *a, uint8_t *pixels, int64_t count, int channels)
{
	Philox r = block_of(a, RNG_COLOUR, 0);
	int32_t brightness = factor(a->how.brightness, r.word[0]),
	        contrast = factor(a->how.contrast, r.word[1]),
	        saturation = factor(a->how.saturation, r.word[2]);
	int64_t bytes = count * channels, sum = 0;
	for (int64_t i = 0; brightness != ONE && i < bytes; i++)
		pixels[i] = stretched(pixels[i], 0, brightness);
	for (int64_t i = 0; contrast != ONE && i < count; i++)
		sum += grey(pixels + i * channels, channels);
	int32_t mean = (int32_t)((sum + count / 2) / count);
	for (int64_t i = 0; contrast != ONE && i < bytes; i++)
		pixels[i] = stretched(pixels[i], mean, contrast);
	for (int64_t i = 0; saturation != ONE && channels == 3 && i < count; i++) {
		uint8_t *pixel = pixels + 3 * i;
		int32_t middle = grey(pixel, channels);
		for (int c = 0; c < 3; c++)
			pixel[c] = stretched(pixel[c], middle, saturation);
	}
}

/* ---- place */

/* Where pixel i of a padded row or column of n comes from; -1: it is zero. */
static int64_t source_of(int64_t i, int64_t n, bool reflect)
{
	if (i >= 0 && i < n)
		return i;
	return !reflect ? -1 : i < 0 ? -i : 2 * (n - 1) - i;
}

static bool flips(const Augmentation *a, uint32_t word)
{
	Augmentation first = *a;
	if (!a->how.flip || !a->how.alternate)
		return a->how.flip && word >> 31;
	first.epoch = 0;
	return (block_of(&first, RNG_AUGMENT, 0).word[2] >> 31 ^ (uint32_t)a->epoch) & 1;
}

void augment_place(const Augmentation *a, uint8_t *to, const uint8_t *from, const int64_t dim[3])
{
	Philox r = block_of(a, RNG_AUGMENT, 0);
	int64_t pad = a->how.crop, places = 2 * pad + 1;
	int64_t down = rng_below(r.word[0], places) - pad, right = rng_below(r.word[1], places) - pad;
	bool flip = flips(a, r.word[2]);
	int64_t height = dim[0], width = dim[1], channels = dim[2];
	for (int64_t y = 0; y < height; y++) {
		uint8_t *row = to + y * width * channels;
		int64_t source_y = source_of(y + down, height, a->how.reflect);
		if (source_y < 0) {
			memset(row, 0, (size_t)(width * channels));
			continue;
		}
		const uint8_t *source = from + source_y * width * channels;
		for (int64_t x = 0; x < width; x++) {
			int64_t source_x =
			        source_of((flip ? width - 1 - x : x) + right, width, a->how.reflect);
			for (int64_t c = 0; c < channels; c++)
				row[x * channels + c] = source_x >= 0 ? source[source_x * channels + c] : 0;
		}
	}
}
