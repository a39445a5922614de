/* SPDX-License-Identifier: MIT */
/* TrivialAugment (Mueller, Hutter: 2021): one operation of a list, as strong as chance says. RandAugment (Cubuk et al.:
 * 2019): several, of one strength. Operations and their ranges are torchvision's TrivialAugmentWide and RandAugment,
 * without sharpness; what comes from outside of the image is zero. */
#include "runtime/data/augment.h"
#include "runtime/host/rng.h"

#include <math.h>
#include <string.h>

enum { STRENGTHS = 30 };

typedef enum {
	SAME,
	SHEAR_X,
	SHEAR_Y,
	MOVE_X,
	MOVE_Y,
	ROTATE,
	BRIGHTNESS,
	COLOUR,
	CONTRAST,
	POSTERIZE,
	SOLARIZE,
	AUTOCONTRAST,
	EQUALIZE,
	OPERATIONS
} Operation;

/* At full strength: of TrivialAugment; of RandAugment. Shears by row or column, pixels (of RandAugment the share of a
 * side), degrees, factors above or below 1, bits that are lost; half of those above POSTERIZE are negative. */
static const double most[OPERATIONS][2] = {
        [SHEAR_X] = {0.99, 0.3},      [SHEAR_Y] = {0.99, 0.3},  [MOVE_X] = {32, 150.0 / 331},
        [MOVE_Y] = {32, 150.0 / 331}, [ROTATE] = {135, 30},     [BRIGHTNESS] = {0.99, 0.9},
        [COLOUR] = {0.99, 0.9},       [CONTRAST] = {0.99, 0.9}, [POSTERIZE] = {6, 4},
        [SOLARIZE] = {255, 255}};

/* About the middle, from the result to the image. */
static Affine affine_of(Operation op, double by, double height, double width)
{
	const double radian = acos(-1) / 180, c = op == ROTATE ? cos(radian * by) : 1,
	             s = op == ROTATE ? sin(radian * by) : 0;
	Affine m = {.yy = c, .yx = op == SHEAR_Y ? by : -s, .xy = op == SHEAR_X ? by : s, .xx = c};
	m.y0 = height / 2 - m.yy * height / 2 - m.yx * width / 2 - (op == MOVE_Y ? by : 0);
	m.x0 = width / 2 - m.xy * height / 2 - m.xx * width / 2 - (op == MOVE_X ? by : 0);
	return m;
}

/* What each value of a channel becomes, as Pillow's ImageOps have it. */
static void stretch(uint8_t table[256], const int64_t counts[256])
{
	int least = 0, largest = 255;
	while (least < 255 && !counts[least])
		least++;
	while (largest > least && !counts[largest])
		largest--;
	for (int i = least; i <= largest && largest > least; i++)
		table[i] = (uint8_t)((i - least) * 255 / (largest - least));
}

static void equalize(uint8_t table[256], const int64_t counts[256])
{
	int64_t all = 0, last = 0;
	for (int i = 0; i < 256; i++) {
		all += counts[i];
		last = counts[i] ? counts[i] : last;
	}
	const int64_t step = (all - last) / 255;
	int64_t below = step / 2;
	for (int i = 0; i < 256 && step > 0; i++) {
		table[i] = (uint8_t)(below / step < 255 ? below / step : 255);
		below += counts[i];
	}
}

static void by_table(Operation op, double by, uint8_t *pixels, const int64_t dim[3])
{
	const int64_t channels = dim[2], bytes = dim[0] * dim[1] * channels;
	const int lost = op == POSTERIZE ? (int)lround(by) : 0, bound = 255 - (int)by;
	for (int64_t c = 0; c < channels; c++) {
		int64_t counts[256] = {0};
		uint8_t table[256];
		for (int64_t i = c; i < bytes; i += channels)
			counts[pixels[i]]++;
		for (int i = 0; i < 256; i++)
			table[i] = (uint8_t)(op == SOLARIZE && i >= bound ? 255 - i : i >> lost << lost);
		if (op == AUTOCONTRAST)
			stretch(table, counts);
		else if (op == EQUALIZE)
			equalize(table, counts);
		for (int64_t i = c; i < bytes; i += channels)
			pixels[i] = table[pixels[i]];
	}
}

static int32_t factor(Operation op, Operation is, double by)
{
	return (int32_t)lround((op == is ? 1 + by : 1) * (1 << 16));
}

static void operate(Operation op, double by, uint8_t *pixels, uint8_t *room, const int64_t dim[3])
{
	if (op == SAME)
		return;
	if (op >= POSTERIZE) {
		by_table(op, by, pixels, dim);
	} else if (op >= BRIGHTNESS) {
		augment_recolour(pixels, dim[0] * dim[1], (int)dim[2], factor(op, BRIGHTNESS, by),
		                 factor(op, CONTRAST, by), factor(op, COLOUR, by));
	} else {
		const Affine m = affine_of(op, by, (double)dim[0], (double)dim[1]);
		memcpy(room, pixels, (size_t)(dim[0] * dim[1] * dim[2]));
		augment_warp(&m, false, pixels, room, dim);
	}
}

/* Number `number` of the sample's. */
static void draw(const Augmentation *a, int number, bool trivial, uint8_t *pixels, uint8_t *room,
                 const int64_t dim[3])
{
	const Philox r = rng_block(a->seed, RNG_OPERATION, (uint64_t)a->sample | (uint64_t)number << 48,
	                           (uint32_t)a->epoch);
	const Operation op = (Operation)rng_below(r.word[0], OPERATIONS);
	const double strength = trivial ? (double)rng_below(r.word[1], STRENGTHS + 1) : a->how.strength,
	             side = trivial || (op != MOVE_X && op != MOVE_Y) ? 1 : (double)dim[op == MOVE_X];
	double by = most[op][!trivial] * side * strength / STRENGTHS;
	if (op < POSTERIZE && r.word[2] >> 31)
		by = -by;
	operate(op, by, pixels, room, dim);
}

void augment_operate(const Augmentation *a, uint8_t *pixels, uint8_t *room, const int64_t dim[3])
{
	if (a->how.trivial)
		draw(a, 0, true, pixels, room, dim);
	for (int i = 1; i <= a->how.operations; i++)
		draw(a, i, false, pixels, room, dim);
}
