/* SPDX-License-Identifier: MIT */
#include "runtime/data/augment.h"
#include "runtime/host/rng.h"

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
	const Philox r = block_of(a, RNG_COLOUR, 0);
	augment_recolour(pixels, count, channels, factor(a->how.brightness, r.word[0]),
	                 factor(a->how.contrast, r.word[1]), factor(a->how.saturation, r.word[2]));
}

void augment_recolour(uint8_t *pixels, int64_t count, int channels, int32_t brightness, int32_t contrast,
                      int32_t saturation)
{
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

/* ---- turned, moved, scaled and sheared about the middle */

static double within(double range, uint32_t word)
{
	return range * (2 * rng_unit(word) - 1);
}

/* The inverse of: shear the columns, scale, turn, shift. */
static Affine affine_of(const Augmentation *a, int64_t height, int64_t width)
{
	const Philox first = block_of(a, RNG_AFFINE, 0), second = block_of(a, RNG_AFFINE, 1);
	const double radian = acos(-1) / 180, angle = radian * within(a->how.degrees, first.word[0]),
	             zoom = 1 / (1 + within(a->how.zoom, first.word[1])),
	             shear = tan(radian * within(a->how.shear, first.word[2])),
	             down = (double)height * within(a->how.shift, second.word[0]),
	             right = (double)width * within(a->how.shift, second.word[1]);
	const double c = cos(angle) * zoom, s = sin(angle) * zoom, y = (double)height / 2,
	             x = (double)width / 2;
	Affine m = {.yy = c, .yx = -s, .xy = s - shear * c, .xx = c + shear * s};
	m.y0 = y - m.yy * (y + down) - m.yx * (x + right);
	m.x0 = x - m.xy * (y + down) - m.xx * (x + right);
	return m;
}

static int64_t mirrored(int64_t i, int64_t n)
{
	const int64_t period = 2 * n;
	i = (i % period + period) % period;
	return i < n ? i : period - 1 - i;
}

/* Row or column i of n, or the one that it is at the border; -1: zero. */
static int64_t inner(int64_t i, int64_t n, bool reflect)
{
	return i >= 0 && i < n ? i : reflect ? mirrored(i, n) : -1;
}

void augment_turn(const Augmentation *a, uint8_t *to, const uint8_t *from, const int64_t dim[3])
{
	const Affine m = affine_of(a, dim[0], dim[1]);
	augment_warp(&m, a->how.affine_reflect, to, from, dim);
}

void augment_warp(const Affine *m, bool reflect, uint8_t *to, const uint8_t *from, const int64_t dim[3])
{
	enum { PART = 256 }; /* of a pixel */
	const int64_t height = dim[0], width = dim[1], channels = dim[2];
	for (int64_t i = 0; i < height * width; i++) {
		const double y = (double)(i / width) + 0.5, x = (double)(i % width) + 0.5;
		const int64_t row = llround((m->yy * y + m->yx * x + m->y0 - 0.5) * PART),
		              column = llround((m->xy * y + m->xx * x + m->x0 - 0.5) * PART);
		const int64_t top = row >> 8, left = column >> 8, lower = row & (PART - 1),
		              right = column & (PART - 1);
		const int64_t weights[] = {(PART - lower) * (PART - right), (PART - lower) * right,
		                           lower * (PART - right), lower * right};
		const uint8_t *corner[4];
		for (int k = 0; k < 4; k++) {
			const int64_t r = inner(top + k / 2, height, reflect),
			              c = inner(left + k % 2, width, reflect);
			corner[k] = r < 0 || c < 0 ? NULL : from + (r * width + c) * channels;
		}
		for (int64_t c = 0; c < channels; c++) {
			int64_t sum = PART * PART / 2;
			for (int k = 0; k < 4; k++)
				sum += corner[k] ? weights[k] * corner[k][c] : 0;
			to[i * channels + c] = (uint8_t)(sum / (PART * PART));
		}
	}
}

/* ---- a rectangle of nothing */

typedef struct Erased {
	int64_t top, left, rows, columns; /* rows 0: nothing is erased */
} Erased;

/* As torchvision's RandomErasing: an area from 0.02 of the image up, an aspect from 0.3 to its inverse, uniform in its
 * logarithm; ten are tried until one lies inside. */
static Erased erased_of(const Augmentation *a, int64_t height, int64_t width)
{
	enum { TRIES = 10 };
	const double least = fmin(0.02, a->how.erase_area), bound = log(0.3);
	if (a->how.erase <= 0 || rng_unit(block_of(a, RNG_ERASE, TRIES).word[0]) >= a->how.erase)
		return (Erased){0};
	for (int i = 0; i < TRIES; i++) {
		const Philox r = block_of(a, RNG_ERASE, i);
		const double area = (double)(height * width) *
		                    (least + (a->how.erase_area - least) * rng_unit(r.word[0])),
		             aspect = exp(bound - 2 * bound * rng_unit(r.word[1]));
		const int64_t rows = llround(sqrt(area * aspect)), columns = llround(sqrt(area / aspect));
		if (rows >= 1 && columns >= 1 && rows <= height && columns <= width)
			return (Erased){rng_below(r.word[2], height - rows + 1),
			                rng_below(r.word[3], width - columns + 1), rows, columns};
	}
	return (Erased){0};
}

void augment_erase(const Augmentation *a, uint8_t *pixels, const int64_t dim[3])
{
	const Erased e = erased_of(a, dim[0], dim[1]);
	for (int64_t y = e.top; y < e.top + e.rows; y++)
		memset(pixels + (y * dim[1] + e.left) * dim[2], 0, (size_t)(e.columns * dim[2]));
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

typedef struct Move {
	int64_t down, right;
	bool flip;
} Move;

static Move move_of(const Augmentation *a)
{
	Philox r = block_of(a, RNG_AUGMENT, 0);
	int64_t pad = a->how.crop, places = 2 * pad + 1;
	return (Move){rng_below(r.word[0], places) - pad, rng_below(r.word[1], places) - pad,
	              flips(a, r.word[2])};
}

void augment_place(const Augmentation *a, uint8_t *to, const uint8_t *from, const int64_t dim[3])
{
	const Move m = move_of(a);
	int64_t height = dim[0], width = dim[1], channels = dim[2];
	for (int64_t y = 0; y < height; y++) {
		uint8_t *row = to + y * width * channels;
		int64_t source_y = source_of(y + m.down, height, a->how.reflect);
		if (source_y < 0) {
			memset(row, 0, (size_t)(width * channels));
			continue;
		}
		const uint8_t *source = from + source_y * width * channels;
		for (int64_t x = 0; x < width; x++) {
			int64_t source_x =
			        source_of((m.flip ? width - 1 - x : x) + m.right, width, a->how.reflect);
			for (int64_t c = 0; c < channels; c++)
				row[x * channels + c] = source_x >= 0 ? source[source_x * channels + c] : 0;
		}
	}
}

/* ---- what goes along with an image */

/* The whole way back of a place of the result to one of the sample, and not step by step, so that a class is looked up
 * once. */
typedef struct Way {
	Window window;
	Affine turn;
	Erased erased;
	Move move;
} Way;

/* The place of the sample, counted row by row; -1: it is none of it. */
static int64_t way_back(const Augmentation *a, const Along *along, const Way *way, int64_t y, int64_t x)
{
	const int64_t height = along->height, width = along->width;
	if (augments_place(&a->how)) {
		y = source_of(y + way->move.down, height, a->how.reflect);
		x = source_of((way->move.flip ? width - 1 - x : x) + way->move.right, width, a->how.reflect);
	}
	if (y < 0 || x < 0 ||
	    (along->erases && y >= way->erased.top && y < way->erased.top + way->erased.rows &&
	     x >= way->erased.left && x < way->erased.left + way->erased.columns))
		return -1;
	double row = (double)y + 0.5, column = (double)x + 0.5;
	if (augments_turn(&a->how)) {
		const Affine *m = &way->turn;
		const double from = m->yy * row + m->yx * column + m->y0;
		column = m->xy * row + m->xx * column + m->x0;
		y = inner((int64_t)floor(from), height, a->how.affine_reflect);
		x = inner((int64_t)floor(column), width, a->how.affine_reflect);
		if (y < 0 || x < 0)
			return -1;
		row = (double)y + (from - floor(from));
		column = (double)x + (column - floor(column));
	}
	if (augments_window(&a->how)) {
		y = (int64_t)(way->window.top + way->window.height * row / (double)height);
		x = (int64_t)(way->window.left + way->window.width * column / (double)width);
	}
	return (y < height ? y : height - 1) * width + (x < width ? x : width - 1);
}

void augment_along(const Augmentation *a, char *to, const char *from, const Along *along)
{
	const Way way = {augments_window(&a->how) ? augment_window(a, along->height, along->width)
	                                          : (Window){0},
	                 affine_of(a, along->height, along->width), erased_of(a, along->height, along->width),
	                 move_of(a)};
	for (int64_t y = 0; y < along->height; y++)
		for (int64_t x = 0; x < along->width; x++) {
			const int64_t source = way_back(a, along, &way, y, x);
			char *pixel = to + (y * along->width + x) * along->bytes;
			if (source >= 0)
				memcpy(pixel, from + source * along->bytes, (size_t)along->bytes);
			else
				for (int64_t at = 0; at < along->bytes; at += along->element)
					memcpy(pixel + at, along->outside, (size_t)along->element);
		}
}
