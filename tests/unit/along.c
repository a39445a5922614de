/* SPDX-License-Identifier: MIT */
/* What goes along with an image that is augmented: the classes of its pixels, and other targets of its size. */
#include "runtime/data/augment.h"
#include "runtime/session/session.h"
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	B = 8,
	N = 40,
	H = 24,
	W = 32,
	PIXELS = H * W,
	IGNORED = 2,
	MASK = B * PIXELS,
	DEPTH = MASK + 4 * B * PIXELS
};

static const NnrInput inputs[] = {
        {.name = "x", .dtype = NNR_U8, .rank = 4, .dim = {B, H, W, 1}},
        {.name = "y",
         .is_target = true,
         .classes = 3,
         .dtype = NNR_I32,
         .rank = 3,
         .dim = {B, H, W},
         .offset = MASK},
        {.name = "z", .is_target = true, .dtype = NNR_F32, .rank = 4, .dim = {B, H, W, 2}, .offset = DEPTH}};
static char batch[DEPTH + 8 * B * PIXELS];
static NnrModel model = {
        .inputs = inputs, .input_count = 3, .batch = B, .scored = {.target = "y", .uncounted = IGNORED + 1}};
static Session session = {.model = &model, .seed = 3, .memory = {.inputs = batch}};

/* A rectangle, off the middle, of class 1: 200 on a ground of 100. */
static int class_at(int i)
{
	const int y = i / W, x = i % W;
	return y >= 4 && y < 14 && x >= 5 && x < 19;
}

static void make_data(void)
{
	DataPart *part = &session.data.train;
	data_allocate(part, &model, N);
	for (int k = 0; k < N; k++)
		for (int i = 0; i < PIXELS; i++) {
			const int class = class_at(i), at = k * PIXELS + i;
			((uint8_t *)part->at[0])[at] = (uint8_t)(100 + 100 * class);
			((int32_t *)(void *)part->at[1])[at] = class;
			((float *)(void *)part->at[2])[2 * at] = 1 + (float)class;
			((float *)(void *)part->at[2])[2 * at + 1] = -5;
		}
}

static int image(int k, int i)
{
	return ((uint8_t *)batch)[k * PIXELS + i];
}

static int mask(int k, int i)
{
	return ((int32_t *)(void *)(batch + MASK))[k * PIXELS + i];
}

/* 0, 100 and 200 are nothing, class 0 and class 1. */
static int shown(int value)
{
	return value < 50 ? IGNORED : value >= 150;
}

static double depth_of(int class)
{
	return class == IGNORED ? 0 : 1 + class;
}

/* The share of all pixels at which image and mask are of one mind; those of depth always are, but for what is
 * erased, and as many as `moved` are no more where they were. */
static double agree(double *moved)
{
	int64_t same = 0, other = 0, all = 0;
	for (int index = 0; index < N / B; index++) {
		batch_train(&session, 1, index);
		for (int k = 0; k < B; k++)
			for (int i = 0; i < PIXELS; i++) {
				const float *depth = (float *)(void *)(batch + DEPTH) + 2 * (k * PIXELS + i);
				const bool erased = model.augment.erase > 0 && mask(k, i) == IGNORED;
				CHECK(erased || (depth[0] == depth_of(mask(k, i)) &&
				                 depth[1] == (depth[0] > 0 ? -5 : 0)));
				same += shown(image(k, i)) == mask(k, i);
				other += mask(k, i) != class_at(i);
				all++;
			}
	}
	*moved = (double)other / (double)all;
	return (double)same / (double)all;
}

static void whole_pixels_go_along_exactly(void)
{
	double moved;
	model.augment = (NnrAugment){0};
	CHECK(agree(&moved) == 1 && moved == 0);
	model.augment = (NnrAugment){.flip = true};
	CHECK(agree(&moved) == 1 && moved > 0.1);
	model.augment = (NnrAugment){.flip = true, .crop = 6};
	CHECK(agree(&moved) == 1 && moved > 0.2);
	model.augment = (NnrAugment){.crop = 6, .reflect = true};
	CHECK(agree(&moved) == 1 && moved > 0.1);
	for (int i = 0, nothing = 0; i < PIXELS; i++)
		CHECK((nothing += mask(0, i) == IGNORED) == 0);
}

/* A bilinear image and a nearest mask differ at edges alone, at most by a pixel: of 10x14 these are a few in a
 * hundred. */
static void parts_of_pixels_go_along(void)
{
	const NnrAugment ways[] = {{.degrees = 40},
	                           {.shift = 0.3},
	                           {.zoom = 0.4},
	                           {.shear = 20},
	                           {.degrees = 180, .affine_reflect = true},
	                           {.least_area = 0.3, .least_aspect = 0.7},
	                           {.flip = true,
	                            .crop = 3,
	                            .degrees = 30,
	                            .shift = 0.1,
	                            .zoom = 0.2,
	                            .shear = 10,
	                            .least_area = 0.4,
	                            .least_aspect = 0.7,
	                            .erase = 0.5,
	                            .erase_area = 0.2}};
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		double moved;
		model.augment = ways[i];
		CHECK(agree(&moved) > 0.97 && moved > 0.03);
	}
}

static int ones(int k)
{
	int count = 0;
	for (int i = 0; i < PIXELS; i++)
		count += mask(k, i) == 1;
	return count;
}

/* 140 pixels, each side by 0.8 to 1.2. */
static void scale_is_of_sides(void)
{
	int least = PIXELS, most = 0;
	model.augment = (NnrAugment){.zoom = 0.2};
	for (int index = 0; index < N / B; index++) {
		batch_train(&session, 0, index);
		for (int k = 0; k < B; k++) {
			least = ones(k) < least ? ones(k) : least;
			most = ones(k) > most ? ones(k) : most;
		}
	}
	CHECK(least >= 140 * 0.8 * 0.8 - 24 && least < 110 && most <= 140 * 1.2 * 1.2 + 24 && most > 170);
}

/* Where a class is left out of the loss, what is erased is of it; else it keeps its class, and the image alone has a
 * hole. */
static void erases(void)
{
	double moved;
	int holes = 0;
	model.augment = (NnrAugment){.erase = 1, .erase_area = 0.3};
	CHECK(agree(&moved) == 1 && moved > 0.02 && moved < 0.3);
	model.scored.uncounted = 0;
	for (int index = 0; index < N / B; index++) {
		batch_train(&session, 0, index);
		for (int k = 0; k < B; k++)
			for (int i = 0; i < PIXELS; i++) {
				CHECK(mask(k, i) == class_at(i));
				holes += image(k, i) == 0;
			}
	}
	CHECK(holes > N * PIXELS / 50 && holes < N * PIXELS * 3 / 10);
	model.augment.erase = 0.5;
	int erased = 0;
	for (int index = 0; index < N / B; index++) {
		batch_train(&session, 0, index);
		for (int k = 0; k < B; k++) {
			bool any = false;
			for (int i = 0; i < PIXELS; i++)
				any = any || image(k, i) == 0;
			erased += any;
		}
	}
	CHECK(erased > N / 4 && erased < 3 * N / 4);
}

int main(void)
{
	make_data();
	whole_pixels_go_along_exactly();
	parts_of_pixels_go_along();
	scale_is_of_sides();
	erases();
	data_free(&session.data.train);
	return check_report("unit, along");
}
