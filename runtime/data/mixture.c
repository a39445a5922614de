/* SPDX-License-Identifier: MIT */
/* mixup (Zhang et al., 2018) and cutmix (Yun et al., 2019): a share by the distribution Beta(alpha, alpha), of each
 * sample its own. Where a recipe has both, half of the samples are mixed by each. */
#include "runtime/data/augment.h"
#include "runtime/host/rng.h"

#include <math.h>
#include <string.h>

static Philox block_of(const Augmentation *a, int number)
{
	return rng_block(a->seed, RNG_MIXTURE, (uint64_t)a->sample | (uint64_t)number << 48,
	                 (uint32_t)a->epoch);
}

/* For alpha up to 1, at which half of the tries succeed. (Joehnk, 1964) By logarithms, because powers of a small alpha
 * underflow. */
static double beta(const Augmentation *a, double alpha)
{
	enum { TRIES = 64 };
	for (int i = 1; i <= TRIES; i++) {
		const Philox r = block_of(a, i);
		const double x = log(rng_unit(r.word[0])) / alpha, y = log(rng_unit(r.word[1])) / alpha,
		             most = fmax(x, y), sum = most + log(exp(x - most) + exp(y - most));
		if (sum <= 0)
			return exp(x - sum);
	}
	return 0.5;
}

static int64_t bounded(int64_t i, int64_t most)
{
	return i < 0 ? 0 : i < most ? i : most;
}

Mixture mixture_of(const Augmentation *a, int64_t height, int64_t width)
{
	const double mixup = a->how.mixup, cutmix = a->how.cutmix;
	if (mixup <= 0 && cutmix <= 0)
		return (Mixture){.share = 1, .weight = 1 << 16};
	const Philox r = block_of(a, 0);
	if (mixup > 0 && (cutmix <= 0 || r.word[0] >> 31 == 0)) {
		const int32_t weight = (int32_t)lround(beta(a, mixup) * (1 << 16));
		return (Mixture){.share = weight / 65536.0, .weight = weight};
	}
	/* A rectangle of the image's aspect about a place by chance, as far as it is in the image. */
	const double half = 0.5 * sqrt(1 - beta(a, cutmix));
	const int64_t row = rng_below(r.word[1], height), column = rng_below(r.word[2], width),
	              rows = (int64_t)(half * (double)height), columns = (int64_t)(half * (double)width),
	              top = bounded(row - rows, height), left = bounded(column - columns, width),
	              down = bounded(row + rows, height) - top,
	              across = bounded(column + columns, width) - left;
	return (Mixture){.share = 1 - (double)(down * across) / (double)(height * width),
	                 .cuts = true,
	                 .top = top,
	                 .left = left,
	                 .rows = down,
	                 .columns = across};
}

void mixture_apply(const Mixture *m, uint8_t *pixels, const uint8_t *partner, const int64_t dim[3])
{
	const int64_t width = dim[1] * dim[2];
	for (int64_t y = m->top; y < m->top + m->rows; y++)
		memcpy(pixels + y * width + m->left * dim[2], partner + y * width + m->left * dim[2],
		       (size_t)(m->columns * dim[2]));
	const int32_t rest = (1 << 16) - m->weight;
	for (int64_t i = 0; !m->cuts && rest > 0 && i < dim[0] * width; i++)
		pixels[i] = (uint8_t)((pixels[i] * m->weight + partner[i] * rest + (1 << 15)) >> 16);
}
