/* SPDX-License-Identifier: MIT */
/* Batches: which samples an epoch takes, what augmentation does to them, and how many would fit a machine. */
#include "runtime/data/augment.h"
#include "runtime/session/session.h"
#include "tests/unit/check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { B = 4, N = 22, H = 3, W = 5, PIXELS = H * W, EPOCHS = 200, PAD = 1 };

static const NnrInput inputs[] = {{"x", false, 0, NNR_U8, 4, {B, H, W, 1}, 0, 0, false, false, false, 0, 0},
                                  {"y", true, N, NNR_I32, 1, {B}, 64, 0, false, false, false, 0, 0}};
static char batch[64 + 4 * B];
static NnrModel model = {.inputs = inputs, .input_count = 2, .batch = B};
static Session session = {.model = &model, .seed = 5, .memory = {.inputs = batch}};

static uint8_t pixel(int sample, int y, int x)
{
	return (uint8_t)(1 + sample * 11 + y * W + x); /* never 0, which comes in at the border */
}

static void make_data(void)
{
	data_allocate(&session.data.train, &model, N);
	for (int k = 0; k < N; k++) {
		for (int i = 0; i < PIXELS; i++)
			session.data.train.at[0][k * PIXELS + i] = (char)pixel(k, i / W, i % W);
		data_set_class(&session.data.train, &model, 1, k, k);
	}
	data_allocate(&session.data.held_out, &model, 6);
	for (int k = 0; k < 6; k++)
		data_set_class(&session.data.held_out, &model, 1, k, k);
}

static int label(int k)
{
	return ((int32_t *)(void *)(batch + 64))[k];
}

/* The shift and flip that turn the sample into what place k of the batch holds, as one number; -1: none does. */
static int transform(int k, int pad, bool may_flip)
{
	bool reflects = model.augment.reflect;
	const uint8_t *got = (uint8_t *)batch + k * PIXELS;
	for (int flip = 0; flip <= may_flip; flip++)
		for (int down = -pad; down <= pad; down++)
			for (int right = -pad; right <= pad; right++) {
				bool same = true;
				for (int y = 0; y < H && same; y++)
					for (int x = 0; x < W && same; x++) {
						int from_y = y + down,
						    from_x = (flip ? W - 1 - x : x) + right;
						bool inside = from_y >= 0 && from_y < H && from_x >= 0 &&
						              from_x < W;
						int in_y = from_y < 0 ? 1 : from_y < H ? from_y : H - 2;
						int in_x = from_x < 0 ? 1 : from_x < W ? from_x : W - 2;
						uint8_t wanted =
						        inside || reflects ? pixel(label(k), in_y, in_x) : 0;
						same = got[y * W + x] == wanted;
					}
				if (same)
					return (flip * 3 + down + 1) * 3 + right + 1;
			}
	return -1;
}

static void epochs_take_each_sample_at_most_once(void)
{
	int times[N] = {0};
	for (int epoch = 0; epoch < EPOCHS; epoch++) {
		bool seen[N] = {false};
		int taken = 0;
		for (int index = 0; index < N / B; index++) {
			batch_train(&session, epoch, index);
			for (int k = 0; k < B; k++) {
				taken += !seen[label(k)];
				seen[label(k)] = true;
				times[label(k)]++;
				CHECK(transform(k, 0, false) == 4); /* nothing moved: the middle of nine */
			}
		}
		CHECK(taken == N / B * B);
	}
	for (int k = 0; k < N; k++) /* 20 of 22 samples an epoch: nobody sits out always */
		CHECK(times[k] > EPOCHS * 20 / 22 - 40 && times[k] < EPOCHS);
	session.options.no_shuffle = true;
	batch_train(&session, 3, 2);
	for (int k = 0; k < B; k++)
		CHECK(label(k) == 2 * B + k);
	session.options.no_shuffle = false;
}

static void augmentation_moves_and_mirrors(void)
{
	int seen[18] = {0}, total = 0;
	int first[N]; /* in epoch 0; -1: the sample sat out */
	for (int k = 0; k < N; k++)
		first[k] = -1;
	model.augment.flip = true;
	model.augment.crop = PAD;
	for (int epoch = 0; epoch < EPOCHS; epoch++)
		for (int index = 0; index < N / B; index++) {
			batch_train(&session, epoch, index);
			for (int k = 0; k < B; k++) {
				int which = transform(k, PAD, true);
				if (CHECK(which >= 0))
					seen[which]++;
				if (epoch == 0)
					first[label(k)] = which;
				total++;
			}
		}
	for (int i = 0; i < 18; i++)
		CHECK(abs(seen[i] - total / 18) < 90); /* six deviations of 4000 draws */
	/* By (seed, epoch, sample): the same in another order, other in another epoch. */
	session.options.no_shuffle = true;
	int changed = 0;
	for (int epoch = 0; epoch < 2; epoch++)
		for (int index = 0; index < N / B; index++) {
			batch_train(&session, epoch, index);
			for (int k = 0; k < B; k++) {
				int which = transform(k, PAD, true);
				CHECK(epoch == 1 || first[label(k)] < 0 || which == first[label(k)]);
				changed += epoch == 1 && which != first[label(k)];
			}
		}
	CHECK(changed > 10);
	session.options.no_augment = true;
	batch_train(&session, 0, 0);
	CHECK(transform(0, 0, false) == 4);
	session.options = (Options){0};
}

/* Half of the images are mirrored in an epoch, the others in the next; what comes in is mirrored at the border. */
static void halves_alternate(void)
{
	int mirrored = 0;
	session.options.no_shuffle = true;
	model.augment = (NnrAugment){.flip = true, .alternate = true, .crop = PAD, .reflect = true};
	for (int index = 0; index < N / B; index++)
		for (int k = 0; k < B; k++) {
			bool first = false;
			for (int epoch = 0; epoch < 8; epoch++) {
				batch_train(&session, epoch, index);
				int which = transform(k, PAD, true);
				CHECK(which >= 0);
				first = epoch == 0 ? which >= 9 : first;
				CHECK((which >= 9) == (first != (epoch % 2 == 1)));
			}
			mirrored += first;
		}
	CHECK(mirrored > 3 && mirrored < 17); /* of 20 */
	model.augment = (NnrAugment){.flip = true, .crop = PAD};
	session.options = (Options){0};
}

static void evaluation_fills_the_last_batch(void)
{
	CHECK(batch_evaluate(&session, 0) && label(0) == 0 && label(3) == 3);
	CHECK(batch_real(&session, 0, 4) == 4 && batch_real(&session, 4, 4) == 2 &&
	      batch_real(&session, 8, 4) == 0);
	CHECK(batch_evaluate(&session, 4) && label(0) == 4 && label(1) == 5 && label(2) == 5 &&
	      label(3) == 5);
}

/* Parameters, states and gradients take 4 GB of it, each sample one MB. */
static void largest_that_fits(void)
{
	const int64_t mb = 1000000;
	const NnrModel large = {.batch = 64,
	                        .chunks = 1,
	                        .param_bytes = 1000 * mb,
	                        .state_bytes = 2000 * mb,
	                        .train = {.arena_bytes = 1064 * mb}};
	const Options o = {.command = COMMAND_TRAIN, .no_eval = true};
	char *advice = session_what_fits(&large, &o, 4032e6);
	CHECK(advice && strstr(advice, "a batch of about 32 would fit"));
	free(advice);
	CHECK(!session_what_fits(&large, &o, 4000e6));
}

/* Whole pixels inside the picture, of an area and an aspect within their bounds up to rounding, spread as torchvision
 * spreads them: the area uniform, the aspect uniform in its logarithm. */
static void windows_by_chance(void)
{
	enum { SAMPLES = 4000, ROWS = 300, COLUMNS = 400 };
	double area = 0, aspect = 0, left = 0, all = (double)ROWS * COLUMNS;
	Augmentation a = {.how = {.least_area = 0.08, .least_aspect = 0.75}, .seed = 3};
	for (a.sample = 0; a.sample < SAMPLES; a.sample++) {
		Window w = augment_window(&a, ROWS, COLUMNS), again = augment_window(&a, ROWS, COLUMNS);
		CHECK(memcmp(&w, &again, sizeof w) == 0 && w.height == floor(w.height) &&
		      w.left == floor(w.left));
		CHECK(w.top >= 0 && w.left >= 0 && w.top + w.height <= ROWS && w.left + w.width <= COLUMNS);
		CHECK(w.height * w.width > 0.078 * all && w.width / w.height > 0.74 &&
		      w.width / w.height < 1.35);
		area += w.height * w.width / all / SAMPLES;
		aspect += log(w.width / w.height) / SAMPLES;
		left += w.width < COLUMNS ? w.left / (COLUMNS - w.width) / SAMPLES : 0.5 / SAMPLES;
	}
	/* torchvision 0.14.1 on 100,000 draws: 0.4328 and 0.0304; the deviation of such a mean of ours is 0.004 and
	 * 0.003 */
	CHECK(fabs(area - 0.4328) < 0.012 && fabs(aspect - 0.0304) < 0.009 && fabs(left - 0.5) < 0.02);
	Window narrow = augment_window(&a, 10, 1000); /* nothing fits but by its middle: 10 x 13 */
	CHECK(narrow.height == 10 && narrow.width == 13 && narrow.left == 493);
}

/* By hand: factors of 1 +- x, each at most once, and equal for equal choices. */
static void colours_by_chance(void)
{
	static const uint8_t from[6] = {100, 150, 200, 50, 60, 70};
	Augmentation a = {.how = {.brightness = 0.5}, .seed = 3};
	double sum = 0;
	int clipped = 0;
	for (a.sample = 0; a.sample < 500; a.sample++) {
		uint8_t to[6];
		memcpy(to, from, 6);
		augment_colours(&a, to, 2, 3);
		double by = to[0] / 100.0;
		sum += by / 500;
		CHECK(by >= 0.5 && by <= 1.5 && abs(to[4] - (int)round(60 * by)) <= 1);
		clipped += to[2] == 255 && by > 1.28;
		CHECK(to[2] == 255 || abs(to[2] - (int)round(200 * by)) <= 2);
	}
	CHECK(fabs(sum - 1) < 0.05 && clipped > 50);
	a.how = (NnrAugment){.contrast = 1};
	for (a.sample = 0; a.sample < 100; a.sample++) { /* about the mean of 100 and 50 */
		uint8_t to[6] = {100, 100, 100, 50, 50, 50};
		augment_colours(&a, to, 2, 3);
		CHECK(to[0] >= 75 && to[0] <= 125 && abs(to[0] + to[3] - 150) <= 1);
	}
	a.how = (NnrAugment){.saturation = 1};
	uint8_t grey[3] = {80, 80, 80};
	augment_colours(&a, grey, 1, 3);
	CHECK(grey[0] == 80 && grey[1] == 80 && grey[2] == 80);
}

int main(void)
{
	make_data();
	epochs_take_each_sample_at_most_once();
	augmentation_moves_and_mirrors();
	windows_by_chance();
	colours_by_chance();
	halves_alternate();
	evaluation_fills_the_last_batch();
	largest_that_fits();
	data_free(&session.data.train);
	data_free(&session.data.held_out);
	return check_report("unit, batches");
}
