/* SPDX-License-Identifier: MIT */
/* The operands of a convolution's products (conv.h), packed straight from images: no matrix of patches is ever in
 * memory. Private to products.c. */
#ifndef NNR_PATCH_H
#define NNR_PATCH_H

#include "conv.h"
#include "tile.h"

typedef struct NnrConvOperand {
	const NnrConvShape *shape;
	const NNR_REAL *at;
	int64_t group;
} NnrConvOperand;

/* Elements column .. column+count of the patch whose first pixel is (h0, w0) of the image `at`. */
NNR_INLINE void nnr_copy_patch(const NnrConvShape *s, const NNR_REAL *at, int64_t h0, int64_t w0,
                               int64_t column, int64_t count, NNR_REAL *to)
{
	const int64_t channels = s->channels / s->groups;
	/* Without groups and dilation, a row of the patch is contiguous in the image where no border is met. */
	const bool contiguous =
	        s->groups == 1 && s->dilation[1] == 1 && w0 >= 0 && w0 + s->size[1] <= s->in[1];
	while (count > 0) {
		const int64_t tap = column / channels, c = column % channels, r = tap / s->size[1],
		              t = tap % s->size[1];
		const int64_t h = h0 + r * s->dilation[0], w = w0 + t * s->dilation[1];
		int64_t run = (contiguous ? (s->size[1] - t) * channels : channels) - c;
		run = run < count ? run : count;
		if (h >= 0 && h < s->in[0] && w >= 0 && w < s->in[1])
			memcpy(to, at + (h * s->in[1] + w) * s->channels + c, (size_t)run * sizeof *to);
		else
			memset(to, 0, (size_t)run * sizeof *to);
		column += run;
		to += run;
		count -= run;
	}
}

/* The same for the patch of a pixel of y. */
NNR_INLINE void nnr_copy_patch_of(const NnrConvOperand *x, int64_t pixel, int64_t column, int64_t count,
                                  NNR_REAL *to)
{
	const NnrConvShape *s = x->shape;
	const int64_t q = pixel % s->out[1], p = pixel / s->out[1] % s->out[0],
	              n = pixel / s->out[1] / s->out[0];
	const NNR_REAL *at =
	        x->at + n * s->in[0] * s->in[1] * s->channels + x->group * (s->channels / s->groups);
	nnr_copy_patch(s, at, p * s->stride[0] - s->pad[0], q * s->stride[1] - s->pad[1], column, count, to);
}

NNR_INLINE void nnr_load_patch_rows(const void *from, int64_t row, int rows, int64_t k0, int64_t kc,
                                    NNR_REAL *to)
{
	const NnrConvOperand *x = from;
	const int64_t pixels = x->shape->batch * x->shape->out[0] * x->shape->out[1];
	for (int i = 0; i < rows && row + i < pixels; i++)
		nnr_copy_patch_of(x, row + i, k0, kc, to + i * NNR_TILE_STRIDE);
}

/* The pixels of y from `pixel` on that are in one row of it, at most `count`, and where tap (r, t) of their patches is:
 * in row h of image n, at columns w, w + stride, ...; for those from `first` to `last`, `taps` taps in a row are all
 * inside the image. */
typedef struct NnrPixelRun {
	int64_t count, n, h, w, first, last;
} NnrPixelRun;

NNR_INLINE NnrPixelRun nnr_pixel_run(const NnrConvShape *s, int64_t pixel, int64_t count, int64_t r,
                                     int64_t t, int64_t taps)
{
	const int64_t q = pixel % s->out[1], p = pixel / s->out[1] % s->out[0], stride = s->stride[1];
	NnrPixelRun run = {.n = pixel / s->out[1] / s->out[0]};
	run.count = s->out[1] - q < count ? s->out[1] - q : count;
	run.h = p * s->stride[0] - s->pad[0] + r * s->dilation[0];
	run.w = q * stride - s->pad[1] + t * s->dilation[1];
	if (run.h < 0 || run.h >= s->in[0] || run.w > s->in[1] - taps)
		return run;
	run.first = run.w >= 0 ? 0 : (stride - 1 - run.w) / stride;
	run.last = (s->in[1] - taps - run.w) / stride + 1;
	run.last = run.last < run.count ? run.last : run.count;
	run.first = run.first < run.last ? run.first : run.last;
	return run;
}

/* `run` columns of the matrix of patches from `column` on, which lie in one row of the patch, for kc pixels. */
NNR_INLINE void nnr_copy_columns(const NnrConvOperand *x, int64_t column, int64_t run, int width, int64_t k0,
                                 int64_t kc, NNR_REAL *to)
{
	const NnrConvShape *s = x->shape;
	const int64_t channels = s->channels / s->groups, tap = column / channels, c = column % channels;
	const NNR_REAL *at = x->at + x->group * channels + c;
	for (int64_t k = 0; k < kc;) {
		const NnrPixelRun row = nnr_pixel_run(s, k0 + k, kc - k, tap / s->size[1], tap % s->size[1],
		                                      (c + run + channels - 1) / channels);
		const int64_t origin = (row.n * s->in[0] + row.h) * s->in[1] + row.w;
		for (int64_t i = 0; i < row.count; i++, k++) {
			NNR_REAL *place = to + k * width;
			if (i < row.first || i >= row.last) {
				nnr_copy_patch_of(x, k0 + k, column, run, place);
				continue;
			}
			const NNR_REAL *pixel = at + (origin + i * s->stride[1]) * s->channels;
			if (run == width)
				memcpy(place, pixel, (size_t)width * sizeof *to);
			else if (run == 1)
				*place = *pixel;
			else
				memcpy(place, pixel, (size_t)run * sizeof *to);
		}
	}
}

NNR_INLINE void nnr_load_patch_panel(const void *from, int64_t column, int width, int64_t k0, int64_t kc,
                                     NNR_REAL *to)
{
	const NnrConvOperand *x = from;
	const NnrConvShape *s = x->shape;
	const int64_t channels = s->channels / s->groups, columns = s->size[0] * s->size[1] * channels;
	const int64_t count = columns - column < width ? columns - column : width;
	/* A row of the patch is contiguous in the image; with one channel, single elements are quicker to copy. */
	const int64_t piece =
	        s->groups == 1 && s->dilation[1] == 1 && channels > 1 ? s->size[1] * channels : channels;
	for (int64_t j = 0, run; j < count; j += run) {
		run = piece - (column + j) % piece;
		run = run < count - j ? run : count - j;
		nnr_copy_columns(x, column + j, run, width, k0, kc, to + j);
	}
}

/* Patches of an image of one channel, by k: neighbouring pixels of y see neighbouring pixels of x. */
NNR_INLINE void nnr_load_patch_rows_by_k(const void *from, int64_t row, int rows, int64_t k0, int64_t kc,
                                         NNR_REAL *to)
{
	const NnrConvOperand *x = from;
	const NnrConvShape *s = x->shape;
	const int64_t pixels = s->batch * s->out[0] * s->out[1],
	              count = pixels - row < rows ? pixels - row : rows;
	for (int64_t k = 0; k < kc; k++, to += NNR_TILE_ROWS) {
		for (int64_t i = 0; i < count;) {
			const NnrPixelRun run = nnr_pixel_run(s, row + i, count - i, (k0 + k) / s->size[1],
			                                      (k0 + k) % s->size[1], 1);
			const NNR_REAL *at = x->at + (run.n * s->in[0] + run.h) * s->in[1];
			for (int64_t j = 0; j < run.count; j++) {
				if (j >= run.first && j < run.last)
					to[i + j] = at[run.w + j];
				else
					to[i + j] = 0;
			}
			i += run.count;
		}
	}
}

typedef struct NnrClassOperand {
	const NnrConvShape *shape;
	const NnrConvClass *class;
	const NNR_REAL *at;
	int64_t group;
} NnrClassOperand;

NNR_INLINE void nnr_load_gradient_rows(const void *from, int64_t row, int rows, int64_t k0, int64_t kc,
                                       NNR_REAL *to)
{
	const NnrClassOperand *dy = from;
	const NnrConvShape *s = dy->shape;
	const NnrConvClass *c = dy->class;
	const int64_t filters = s->filters / s->groups;
	for (int i = 0; i < rows && row + i < c->rows; i++, to += NNR_TILE_STRIDE) {
		const int64_t n = (row + i) / (c->h.pixels * c->w.pixels);
		const int64_t h =
		        c->h.start + (row + i) / c->w.pixels % c->h.pixels * s->stride[0] + s->pad[0];
		const int64_t w = c->w.start + (row + i) % c->w.pixels * s->stride[1] + s->pad[1];
		const NNR_REAL *at = dy->at + n * s->out[0] * s->out[1] * s->filters + dy->group * filters;
		for (int64_t k = k0, run; k < k0 + kc; k += run) {
			const int64_t tap = k / filters, f = k % filters;
			const int64_t r = c->h.first + tap / c->w.count * c->h.step;
			const int64_t t = c->w.first + tap % c->w.count * c->w.step;
			const int64_t p = h - r * s->dilation[0], q = w - t * s->dilation[1];
			run = filters - f < k0 + kc - k ? filters - f : k0 + kc - k;
			if (p >= 0 && q >= 0 && p < s->out[0] * s->stride[0] && q < s->out[1] * s->stride[1])
				memcpy(to + (k - k0),
				       at + (p / s->stride[0] * s->out[1] + q / s->stride[1]) * s->filters +
				               f,
				       (size_t)run * sizeof *to);
			else
				memset(to + (k - k0), 0, (size_t)run * sizeof *to);
		}
	}
}

NNR_INLINE void nnr_load_tap_panel(const void *from, int64_t column, int width, int64_t k0, int64_t kc,
                                   NNR_REAL *to)
{
	const NnrClassOperand *w = from;
	const NnrConvShape *s = w->shape;
	const NnrConvClass *c = w->class;
	const int64_t filters = s->filters / s->groups, channels = s->channels / s->groups;
	const int64_t count = channels - column < width ? channels - column : width;
	for (int64_t k = k0; k < k0 + kc; k++, to += width) {
		const int64_t tap = k / filters, f = w->group * filters + k % filters;
		const int64_t r = c->h.first + tap / c->w.count * c->h.step;
		const int64_t t = c->w.first + tap % c->w.count * c->w.step;
		const NNR_REAL *at = w->at + ((f * s->size[0] + r) * s->size[1] + t) * channels + column;
		if (count == width)
			memcpy(to, at, (size_t)width * sizeof *to);
		else
			memcpy(to, at, (size_t)count * sizeof *to);
	}
}

#endif
