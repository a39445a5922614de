/* SPDX-License-Identifier: MIT */
/* The batch of a step on the device: which samples it has, how an image is moved on the way, and the copy to a slot.
 * The same samples and moves as host/rng.c and session/batch.c choose on the host. */
#ifndef NNR_BATCH_H
#define NNR_BATCH_H

#include "cuda/nnr_element.h"

/* Philox4x32-10 at the counter (a, b, stream) under the key `seed`: rng_block of host/rng.c. */
NNR_FUNCTION uint4 nnr_philox(uint64_t seed, uint32_t stream, uint64_t a, uint32_t b)
{
	uint4 c = make_uint4((uint32_t)a, (uint32_t)(a >> 32), b, stream);
	uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
	for (int round = 0; round < 10; round++) {
		c = make_uint4(__umulhi(0xCD9E8D57u, c.z) ^ c.y ^ k0, 0xCD9E8D57u * c.z,
		               __umulhi(0xD2511F53u, c.x) ^ c.w ^ k1, 0xD2511F53u * c.x);
		k0 += 0x9E3779B9u;
		k1 += 0xBB67AE85u;
	}
	return c;
}

enum { NNR_STREAM_SHUFFLE = 2, NNR_STREAM_AUGMENT = 3 }; /* RngStream of host/rng.h */

NNR_FUNCTION uint32_t nnr_murmur(uint32_t x)
{
	x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
	x = (x ^ (x >> 13)) * 0xC2B2AE35u;
	return x ^ (x >> 16);
}

/* permutation_at of host/rng.c, for fewer than 2^31 samples. */
NNR_FUNCTION uint32_t nnr_permuted(const NnrSupply &s, const uint32_t key[8], uint32_t x)
{
	uint32_t low_mask = (1u << s.low_bits) - 1, high_mask = (1u << s.high_bits) - 1;
	do {
		uint32_t low = x & low_mask, high = x >> s.low_bits;
#pragma unroll
		for (int round = 0; round < 8; round += 2) {
			high ^= nnr_murmur(low ^ key[round]) & high_mask;
			low ^= nnr_murmur(high ^ key[round + 1]) & low_mask;
		}
		x = high << s.low_bits | low;
	} while (x >= s.samples);
	return x;
}

/* Which sample of the data set is number k of the batch, and what happens to it on the way. */
typedef struct NnrSample {
	uint32_t index;
	int16_t down, right; /* how far the image is moved */
	bool flip;
} NnrSample;

/* In training: by the permutation of the epoch in which chunk `u` of this launch lies. */
NNR_FUNCTION NnrSample nnr_training_sample(const NnrControl *c, const NnrSupply &s, int u, uint32_t k,
                                           bool augment)
{
	int64_t epoch = c->epoch, in_epoch = c->in_epoch + u / s.chunks;
	if (in_epoch >= s.steps_per_epoch) {
		in_epoch -= s.steps_per_epoch;
		epoch++;
	}
	NnrSample sample = {((uint32_t)in_epoch * s.chunks + u % s.chunks) * s.stride + s.begin + k, 0, 0,
	                    false};
	if (s.shuffle)
		sample.index = nnr_permuted(s, c->key[epoch % 2], sample.index);
	if (augment) {
		uint4 r = nnr_philox(s.seed, NNR_STREAM_AUGMENT, sample.index, (uint32_t)epoch);
		uint32_t places = (uint32_t)(2 * s.crop + 1);
		sample.down = (int16_t)((int32_t)__umulhi(r.x, places) - s.crop);
		sample.right = (int16_t)((int32_t)__umulhi(r.y, places) - s.crop);
		if (s.alternate)
			r.z = nnr_philox(s.seed, NNR_STREAM_AUGMENT, sample.index, 0).z ^ (uint32_t)epoch
			                                                                          << 31;
		sample.flip = s.flip && r.z >> 31;
	}
	return sample;
}

/* In evaluation: the samples in order, the last one again where the batch is not full. */
NNR_FUNCTION NnrSample nnr_evaluation_sample(const NnrControl *c, const NnrSupply &s, uint32_t k)
{
	int64_t index = c->first + s.begin + k;
	return {(uint32_t)(index < s.samples ? index : s.samples - 1), 0, 0, false};
}

/* Where pixel i of a padded row or column of n comes from; n or more: it is zero. */
NNR_FUNCTION uint32_t nnr_padded_source(int32_t i, uint32_t n, bool reflect)
{
	if (!reflect)
		return (uint32_t)i;
	i = i < 0 ? -i : i;
	return (uint32_t)(i < (int32_t)n ? i : 2 * ((int32_t)n - 1) - i);
}

/* `count` bytes, from byte `at` on, of an image moved and mirrored; what comes in from outside is zero, or reflected.
 * Divisions by sizes that are not constant are what takes time here: there are two, however many bytes. */
template <int count>
NNR_FUNCTION void nnr_moved_bytes(uint8_t to[count], const NnrFeed &f, const uint8_t *image,
                                  const NnrSample &sample, uint32_t at)
{
	const uint32_t pixel = at / f.channels;
	uint32_t channel = at - pixel * f.channels, y = pixel / f.width, x = pixel - y * f.width;
#pragma unroll
	for (int i = 0; i < count; i++) {
		const uint32_t from_y = nnr_padded_source(y + sample.down, f.height, f.reflect);
		const uint32_t from_x = nnr_padded_source((sample.flip ? f.width - 1 - x : x) + sample.right,
		                                          f.width, f.reflect);
		const bool inside = from_y < f.height && from_x < f.width;
		to[i] = inside ? image[(from_y * f.width + from_x) * f.channels + channel] : 0;
		if (++channel == f.channels) {
			channel = 0;
			if (++x == f.width) {
				x = 0;
				y++;
			}
		}
	}
}

/* Where number k of the batch, which is sample `index` of the data set, begins: bytes from f.from on. */
NNR_FUNCTION size_t nnr_sample_place(const NnrSupply &s, const NnrFeed &f, int slot, uint32_t k,
                                     uint32_t index)
{
	const size_t bytes = (size_t)f.units * f.unit;
	return s.streamed_bytes ? slot * s.streamed_bytes + k * bytes : index * bytes;
}

/* An access as it is stored: the elements of a rounded input, which are f32, in tf32. */
NNR_FUNCTION uint32_t nnr_as_fed(const NnrFeed &f, uint32_t x)
{
	float element;
	memcpy(&element, &x, sizeof element);
	return f.rounded ? nnr_tf32_bits(element) : x;
}

NNR_FUNCTION uint4 nnr_as_fed(const NnrFeed &f, uint4 x)
{
	return make_uint4(nnr_as_fed(f, x.x), nnr_as_fed(f, x.y), nnr_as_fed(f, x.z), nnr_as_fed(f, x.w));
}

NNR_FUNCTION uint64_t nnr_as_fed(const NnrFeed &, uint64_t x)
{
	return x;
}

/* What a block has in shared memory: for copies, and for tiles too. */
struct NnrCopied {
	NnrSample samples[4 * NNR_BLOCK + 1];
};
union NnrTurned {
	NnrCopied copied;
	struct {
		uint64_t place[NNR_TILE_SAMPLES];
		uint64_t columns[NNR_TILE_BYTES / 8 * (NNR_TILE_SAMPLES + 1)];
	} tile;
};

/* Copies 64 samples by 512 bytes to a slot, as they are (where f.to is not null) and transposed: each warp reads and
 * writes whole pieces of a sample, and then 32 samples of one element, a whole line where the batch is a multiple of
 * 32. The tile is turned in shared memory, whose columns are one element longer: neighbours of either direction are in
 * as many banks. Neighbouring blocks have the same samples.
 *
 * The batch is read once and written twice: 96 MB of 8000 x 1000 f32, 384 MB of 32000 x 1000, for which memory at 4.3
 * TB/s takes 22 and 89 us; without the copy 64 and 256 MB, 15 and 60 us. Measured on an H200: 32.8 and 115 us; with 32
 * samples by 256 bytes 34.7 and 118; with accesses of 16 bytes, whose elements collide in the banks, 38.8 and 132. The
 * tile is not kept small for what runs beside it: the products of a step leave no room for either. */
template <typename T>
NNR_FUNCTION void nnr_gather_tile(const NnrControl *c, const NnrSupply &s, const NnrFeed &f, int u, int slot,
                                  uint32_t block, NnrTurned &shared)
{
	enum {
		COLUMNS = NNR_TILE_BYTES / sizeof(T),
		TURNS = NNR_TILE_SAMPLES * COLUMNS / NNR_BLOCK,
		COLUMN_ROOM = NNR_TILE_SAMPLES + 1, /* elements */
	};
	const uint32_t across = (f.units + COLUMNS - 1) / COLUMNS;
	const uint32_t first = block / across * NNR_TILE_SAMPLES, left = block % across * COLUMNS;
	const uint32_t samples = min((uint32_t)NNR_TILE_SAMPLES, s.batch - first),
	               columns = min((uint32_t)COLUMNS, f.units - left);
	T *const to = f.to ? (T *)(f.to + slot * s.slot_bytes) + (size_t)first * f.units + left : nullptr;
	T *const transposed = (T *)(f.transposed + slot * s.slot_bytes) + (size_t)left * s.batch + first;
	T *const tile = (T *)shared.tile.columns;
	if (threadIdx.x < samples) {
		const uint32_t k = first + threadIdx.x;
		const uint32_t index = s.streamed_bytes ? 0 : nnr_training_sample(c, s, u, k, false).index;
		shared.tile.place[threadIdx.x] = nnr_sample_place(s, f, slot, k, index) + left * sizeof(T);
	}
	__syncthreads();
	T x[TURNS] = {};
#pragma unroll
	for (int i = 0; i < TURNS; i++) { /* all of them on their way before the first is needed */
		const uint32_t at = i * NNR_BLOCK + threadIdx.x, k = at / COLUMNS, j = at % COLUMNS;
		if (k < samples && j < columns)
			x[i] = __ldcs((const T *)(f.from + shared.tile.place[k]) + j);
	}
#pragma unroll
	for (int i = 0; i < TURNS; i++) {
		const uint32_t at = i * NNR_BLOCK + threadIdx.x, k = at / COLUMNS, j = at % COLUMNS;
		const T fed = nnr_as_fed(f, x[i]);
		tile[j * COLUMN_ROOM + k] = fed;
		if (to && k < samples && j < columns)
			to[(size_t)k * f.units + j] = fed;
	}
	__syncthreads();
#pragma unroll
	for (int i = 0; i < TURNS; i++) {
		const uint32_t at = i * NNR_BLOCK + threadIdx.x;
		const uint32_t j = at / NNR_TILE_SAMPLES, k = at % NNR_TILE_SAMPLES;
		if (k < samples && j < columns)
			transposed[(size_t)j * s.batch + k] = tile[j * COLUMN_ROOM + k];
	}
}

NNR_FUNCTION const NnrFeed &nnr_feed_of_block(const NnrSupply &s, uint32_t block)
{
	int i = 0;
	while (block >= s.feeds[i].first_block + s.feeds[i].blocks)
		i++;
	return s.feeds[i];
}

/* Copies this block's share of the batch to a slot: 256 * turns units of one input. The samples are found once per
 * block. */
template <bool training>
NNR_FUNCTION void nnr_gather(const NnrControl *c, const NnrSupply &s, int u, int slot, uint32_t block,
                             NnrCopied &shared)
{
	const NnrFeed &f = nnr_feed_of_block(s, block);
	NnrSample *const samples = shared.samples;
	const uint32_t total = s.batch * f.units, share = NNR_BLOCK * s.turns;
	const uint32_t begin = (block - f.first_block) * share, end = min(begin + share, total);
	const uint32_t first = begin / f.units, count = (end - 1) / f.units - first + 1;
	const bool augment = training && f.height > 0;
	for (uint32_t k = threadIdx.x; k < count; k += NNR_BLOCK)
		samples[k] = training ? nnr_training_sample(c, s, u, first + k, augment)
		                      : nnr_evaluation_sample(c, s, first + k);
	__syncthreads();
	for (uint32_t at = begin + threadIdx.x; at < end; at += NNR_BLOCK) {
		const uint32_t k = at / f.units, offset = (at - k * f.units) * f.unit;
		const NnrSample sample = samples[k - first];
		const uint8_t *from = f.from + nnr_sample_place(s, f, slot, k, sample.index);
		uint8_t *to = f.to + slot * s.slot_bytes + (size_t)at * f.unit;
		if (augment) {
			if (f.unit == 4) {
				uint8_t word[4];
				nnr_moved_bytes<4>(word, f, from, sample, offset);
				*(uchar4 *)to = make_uchar4(word[0], word[1], word[2], word[3]);
			} else {
				nnr_moved_bytes<1>(to, f, from, sample, offset);
			}
		} else if (f.unit == 16) {
			*(uint4 *)to = nnr_as_fed(f, *(const uint4 *)(from + offset));
		} else if (f.unit == 4) {
			*(uint32_t *)to = nnr_as_fed(f, *(const uint32_t *)(from + offset));
		} else {
			*to = from[offset];
		}
	}
}

/* The same of a training step that reads an input transposed: such an input's share is a tile. */
NNR_FUNCTION void nnr_gather_turning(const NnrControl *c, const NnrSupply &s, int u, int slot, uint32_t block,
                                     NnrTurned &shared)
{
	const NnrFeed &f = nnr_feed_of_block(s, block);
	if (!f.transposed)
		nnr_gather<true>(c, s, u, slot, block, shared.copied);
	else if (f.unit == 8)
		nnr_gather_tile<uint64_t>(c, s, f, u, slot, block - f.first_block, shared);
	else
		nnr_gather_tile<uint32_t>(c, s, f, u, slot, block - f.first_block, shared);
}

#endif
