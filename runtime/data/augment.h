/* SPDX-License-Identifier: MIT */
/* What happens to an image on its way into a batch. Every choice is a function of (seed, epoch, sample) alone; pixels
 * change in integers. So the result depends neither on the place in the batch, nor on the number of threads, nor on
 * whether the image was decoded a moment or hours ago.
 *
 * In this order: the window of the original picture, which is brought to the model's size; colours; `affine`;
 * `trivial` and `randaugment` (operations.c); `erase`;
 * the move by `crop` and `flip`, which a GPU does itself (nnr_batch.h) unless something goes along with the image; the
 * mixture with another sample that has come so far, its partner (mixture.c). */
#ifndef NNR_AUGMENT_H
#define NNR_AUGMENT_H

#include "runtime/data/resize.h"
#include "runtime/nnr.h"

typedef struct Augmentation {
	NnrAugment how;
	uint64_t seed;
	int64_t epoch, sample;
} Augmentation;

static inline bool augments_window(const NnrAugment *how)
{
	return how->least_area > 0;
}

static inline bool augments_colours(const NnrAugment *how)
{
	return how->brightness > 0 || how->contrast > 0 || how->saturation > 0;
}

static inline bool augments_turn(const NnrAugment *how)
{
	return how->degrees > 0 || how->shift > 0 || how->zoom > 0 || how->shear > 0;
}

static inline bool augments_operations(const NnrAugment *how)
{
	return how->trivial || how->operations > 0;
}

static inline bool augments_mixture(const NnrAugment *how)
{
	return how->mixup > 0 || how->cutmix > 0;
}

/* What the host does to pixels, also for a GPU that has the samples. */
static inline bool augments_pixels(const NnrAugment *how)
{
	return augments_window(how) || augments_colours(how) || augments_turn(how) ||
	       augments_operations(how) || how->erase > 0;
}

static inline bool augments_place(const NnrAugment *how)
{
	return how->flip || how->crop > 0;
}

static inline bool augments_any(const NnrAugment *how)
{
	return augments_pixels(how) || augments_place(how);
}

/* random_resized_crop of a picture, as torchvision chooses it: an area between the least and all of it, uniform, and an
 * aspect between the least and its inverse, uniform in its logarithm; the place uniform. Ten are tried until one lies
 * inside; then it is the middle, of an aspect that is allowed. Whole pixels. */
Window augment_window(const Augmentation *a, int64_t height, int64_t width);
/* The window of a picture that becomes a sample of [rows, columns]: a ChooseWindow. */
typedef struct View {
	const Augmentation *augmentation; /* NULL: none */
	int64_t shorter;                  /* NnrModel.shorter_side */
	int64_t rows, columns;
} View;
Window view_window(const void *view, int64_t height, int64_t width);

/* Brightness, then contrast about the mean grey, then saturation, each by a factor uniform within 1 - x and 1 + x. */
void augment_colours(const Augmentation *a, uint8_t *pixels, int64_t count, int channels);
/* Turned, sheared, scaled and shifted about the middle, bilinear in 256ths of a pixel. dim: height, width, channels. */
void augment_turn(const Augmentation *a, uint8_t *to, const uint8_t *from, const int64_t dim[3]);
/* Where a place of the result comes from: rows yy*y + yx*x + y0, columns xy*y + xx*x + x0. */
typedef struct Affine {
	double yy, yx, y0, xy, xx, x0;
} Affine;
/* What augment_colours and augment_turn do once it is drawn; factors in 2^16ths. */
void augment_recolour(uint8_t *pixels, int64_t count, int channels, int32_t brightness, int32_t contrast,
                      int32_t saturation);
void augment_warp(const Affine *m, bool reflect, uint8_t *to, const uint8_t *from, const int64_t dim[3]);
/* operations.c: those of `trivial` and of `randaugment`, in place; `room` is as large. */
void augment_operate(const Augmentation *a, uint8_t *pixels, uint8_t *room, const int64_t dim[3]);
/* A rectangle of zeros, of that share of the images. */
void augment_erase(const Augmentation *a, uint8_t *pixels, const int64_t dim[3]);
/* Moved by up to `crop` pixels in both directions with zeros coming in at the border, or what is mirrored at it, and
 * half of them mirrored left to right: with `alternate` the halves change places every epoch. dim: height, width,
 * channels. */
void augment_place(const Augmentation *a, uint8_t *to, const uint8_t *from, const int64_t dim[3]);

/* What has a value, or several, for each pixel of an image: the classes of a mask, a depth. */
typedef struct Along {
	int64_t height, width;
	int64_t bytes, element; /* of a pixel, of one value */
	const void *outside;    /* the value of what is not in the image */
	bool erases;            /* and of what is erased; else that keeps its values */
} Along;
/* By the same choices as the image, from the sample as it is to the sample of the batch: nearest neighbours. */
void augment_along(const Augmentation *a, char *to, const char *from, const Along *along);

/* ---- mixture.c */

/* Of a sample and its partner. */
typedef struct Mixture {
	double share;                     /* that the sample has of its image */
	int32_t weight;                   /* mixup: of each pixel, in 2^16ths */
	bool cuts;                        /* cutmix: the partner has a rectangle, and the sample the rest */
	int64_t top, left, rows, columns; /* which */
} Mixture;

/* Drawn by (seed, epoch, sample). An `a` that mixes nothing leaves all of it. */
Mixture mixture_of(const Augmentation *a, int64_t height, int64_t width);
void mixture_apply(const Mixture *m, uint8_t *pixels, const uint8_t *partner, const int64_t dim[3]);

#endif
