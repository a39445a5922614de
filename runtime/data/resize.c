/* SPDX-License-Identifier: MIT */
#include "runtime/data/resize.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Weights are integers of 22 bits after the point: times a byte and summed up they stay within 31. */
enum { POINT = 22, HALF = 1 << (POINT - 1) };

/* How one direction is filtered: output i is the sum of weight[i * most + k] times input first[i] + k, k < count[i]. */
typedef struct Filter {
	int64_t outputs, most;
	int32_t *first, *count, *weight;
} Filter;

static void filter_free(Filter *f)
{
	free(f->first);
	free(f->count);
	free(f->weight);
}

static void fill_output(Filter *f, int64_t i, double centre, double scale, int64_t inputs, double *weight)
{
	int64_t first = (int64_t)fmax(0, centre - scale + 0.5),
	        end = (int64_t)fmin((double)inputs, centre + scale + 0.5);
	double sum = 0;
	f->first[i] = (int32_t)first;
	f->count[i] = (int32_t)(end - first);
	for (int64_t k = 0; k < end - first; k++) {
		double distance = fabs((double)(first + k) - centre + 0.5) * (1 / scale);
		weight[k] = distance < 1 ? 1 - distance : 0;
		sum += weight[k];
	}
	for (int64_t k = 0; k < end - first; k++)
		f->weight[i * f->most + k] = (int32_t)(0.5 + weight[k] / sum * (1 << POINT));
}

/* Of `inputs` pixels those of [begin, begin + length) become `outputs`. */
static bool filter_new(Filter *f, int64_t inputs, double begin, double length, int64_t outputs)
{
	double scale = length / (double)outputs, support = fmax(1, scale);
	int64_t most = 2 * (int64_t)ceil(support) + 1;
	double *weight = malloc((size_t)most * sizeof *weight);
	*f = (Filter){outputs, most, malloc((size_t)outputs * sizeof *f->first),
	              malloc((size_t)outputs * sizeof *f->count),
	              malloc((size_t)(outputs * most) * sizeof *f->weight)};
	bool ok = weight && f->first && f->count && f->weight;
	for (int64_t i = 0; ok && i < outputs; i++)
		fill_output(f, i, begin + ((double)i + 0.5) * scale, support, inputs, weight);
	free(weight);
	return ok;
}

static uint8_t to_byte(int32_t sum)
{
	int32_t value = sum >> POINT;
	return (uint8_t)(value > 255 ? 255 : value < 0 ? 0 : value);
}

static void filter_row(const Filter *f, const uint8_t *row, int channels, uint8_t *to)
{
	for (int64_t x = 0; x < f->outputs; x++, to += channels) {
		const int32_t *weight = f->weight + x * f->most;
		const uint8_t *from = row + (int64_t)f->first[x] * channels;
		int32_t sum[3] = {HALF, HALF, HALF};
		if (channels == 3)
			for (int32_t k = 0; k < f->count[x]; k++, from += 3) {
				sum[0] += from[0] * weight[k];
				sum[1] += from[1] * weight[k];
				sum[2] += from[2] * weight[k];
			}
		else
			for (int32_t k = 0; k < f->count[x]; k++)
				sum[0] += from[k] * weight[k];
		for (int c = 0; c < channels; c++)
			to[c] = to_byte(sum[c]);
	}
}

/* Output row `y` of `bytes` bytes from rows as long, of which the first is number `top`. */
static void filter_columns(const Filter *f, int64_t y, const uint8_t *rows, int64_t top, int64_t bytes,
                           uint8_t *to)
{
	enum { BLOCK = 64 }; /* sums that stay in the first cache */
	const int32_t *weight = f->weight + y * f->most;
	rows += (f->first[y] - top) * bytes;
	for (int64_t x = 0; x < bytes; x += BLOCK) {
		int32_t sum[BLOCK];
		int64_t width = bytes - x < BLOCK ? bytes - x : BLOCK;
		for (int64_t i = 0; i < BLOCK; i++)
			sum[i] = HALF;
		for (int32_t k = 0; k < f->count[y]; k++) {
			const uint8_t *from = rows + k * bytes + x;
			if (width == BLOCK)
				for (int64_t i = 0; i < BLOCK; i++)
					sum[i] += from[i] * weight[k];
			else
				for (int64_t i = 0; i < width; i++)
					sum[i] += from[i] * weight[k];
		}
		for (int64_t i = 0; i < width; i++)
			to[x + i] = to_byte(sum[i]);
	}
}

bool image_resize(const Picture *from, Window w, uint8_t *to, int64_t height, int64_t width)
{
	const int channels = from->channels;
	const int64_t from_bytes = from->width * channels, to_bytes = width * channels;
	bool wide = w.left == 0 && w.width == (double)width && width == from->width,
	     high = w.top == 0 && w.height == (double)height && height == from->height;
	if (wide && high) {
		memcpy(to, from->pixels, (size_t)(height * to_bytes));
		return true;
	}
	Filter rows = {0}, columns = {0};
	bool ok = filter_new(&columns, from->height, w.top, w.height, height) &&
	          (wide || filter_new(&rows, from->width, w.left, w.width, width));
	/* the rows that some output row reads */
	int64_t top = ok ? columns.first[0] : 0,
	        end = ok ? columns.first[height - 1] + columns.count[height - 1] : 0;
	uint8_t *between = ok && !wide && !high ? malloc((size_t)((end - top) * to_bytes)) : NULL;
	ok = ok && (wide || high || between);
	uint8_t *filtered = high ? to : between;
	for (int64_t y = top; ok && !wide && y < end; y++)
		filter_row(&rows, from->pixels + y * from_bytes, channels, filtered + (y - top) * to_bytes);
	for (int64_t y = 0; ok && !high && y < height; y++)
		filter_columns(&columns, y, wide ? from->pixels + top * to_bytes : between, top, to_bytes,
		               to + y * to_bytes);
	free(between);
	filter_free(&rows);
	filter_free(&columns);
	return ok;
}
