/* SPDX-License-Identifier: MIT */
/* The gather of the next batch in the shadow of a product (nnr_product.h): what nnr_gather_tile writes, [elements of a
 * sample, batch], by two warps that the product does not need.
 *
 * A product keeps the tensor cores and the shared memory busy, and the memory hardly; the gather is the reverse. But
 * beside a product's blocks there is no room for others, so that it ran after them. Here a unit of work is 64 samples
 * by 256 elements, in eight tiles of 32 elements, of which two are on their way while one is turned. Of a row of a
 * tile, 128 bytes, the 16 bytes number c of sample k stand at c ^ (k / 4 % 8): a thread reads four elements of each of
 * four neighbouring samples, eight threads from as many banks, and writes four samples of each of four elements, 16
 * threads a line of 256 bytes.
 *
 * Of the MLP's training at batch 8000, 50 batches an epoch, on an H200, in turns in one call, these took longer:
 * samples read so that the cache gives their places away first, 3 %; so and by tiles of 32 samples and 64 elements, 3
 * %; so and with five eighths of the units in the weight gradient, 9 %. Brought by the copy engine, in rows of 512
 * bytes, half of the batch costs the forward product 4.8 us and not 3.2. */
#ifndef NNR_CARRY_H
#define NNR_CARRY_H

#include "cuda/nnr_batch.h"
#include "cuda/nnr_fetch.h"
#include "cuda/nnr_sizes.h"

enum {
	NNR_CARRY_THREADS = 64,
	NNR_CARRY_CHUNKS = NNR_CARRY_WIDTH / 4,   /* of 16 bytes, of a row */
	NNR_CARRY_GROUPS = NNR_CARRY_SAMPLES / 4, /* of samples */
};

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

NNR_FUNCTION void nnr_carry_sync() /* of the threads that carry */
{
	asm volatile("bar.sync 2, 64;" ::: "memory");
}

/* Where four elements of sample k of a tile are, in its row. */
NNR_FUNCTION int nnr_carry_place(int k, int chunk)
{
	return k * NNR_CARRY_WIDTH + (chunk ^ k / 4 % 8) * 4;
}

/* A unit: some samples, from number `first` of the batch on, and elements from `left` on. */
struct NnrCarryUnit {
	int first, samples, left, tiles;

	__device__ __forceinline__ NnrCarryUnit(const NnrSupply &s, const NnrFeed &f, uint32_t unit)
	{
		const uint32_t across = (f.units + NNR_CARRY_ELEMENTS - 1) / NNR_CARRY_ELEMENTS;
		first = unit / across * NNR_CARRY_SAMPLES;
		left = unit % across * NNR_CARRY_ELEMENTS;
		samples = min(NNR_CARRY_SAMPLES, (int)s.batch - first);
		tiles = (min(NNR_CARRY_ELEMENTS, (int)f.units - left) + NNR_CARRY_WIDTH - 1) /
		        NNR_CARRY_WIDTH;
	}
};

/* Asks for a tile; one group of copies, also where the unit has no such tile. */
NNR_FUNCTION void nnr_carry_fetch(float *tile, const uint64_t *place, const NnrFeed &f,
                                  const NnrCarryUnit &unit, int number, int thread)
{
	const int chunk = thread % NNR_CARRY_CHUNKS,
	          element = unit.left + number * NNR_CARRY_WIDTH + chunk * 4;
	if (number < unit.tiles && element < (int)f.units) {
#pragma unroll
		for (int k = thread / NNR_CARRY_CHUNKS; k < NNR_CARRY_SAMPLES;
		     k += NNR_CARRY_THREADS / NNR_CARRY_CHUNKS)
			if (k < unit.samples)
				nnr_fetch<16>((char *)(tile + nnr_carry_place(k, chunk)),
				              (const char *)f.from + place[k] + element * sizeof(float));
	}
	nnr_block_commit();
}

NNR_FUNCTION void nnr_carry_turn(float *transposed, const float *tile, const NnrSupply &s, const NnrFeed &f,
                                 const NnrCarryUnit &unit, int number, int thread)
{
	const int group = thread % NNR_CARRY_GROUPS;
#pragma unroll
	for (int chunk = thread / NNR_CARRY_GROUPS; chunk < NNR_CARRY_CHUNKS;
	     chunk += NNR_CARRY_THREADS / NNR_CARRY_GROUPS) {
		const int element = unit.left + number * NNR_CARRY_WIDTH + chunk * 4;
		if (group * 4 >= unit.samples || element >= (int)f.units)
			continue;
		uint4 x[4];
#pragma unroll
		for (int k = 0; k < 4; k++)
			x[k] = nnr_as_fed(f, *(const uint4 *)(tile + nnr_carry_place(group * 4 + k, chunk)));
		float *const to = transposed + (size_t)element * s.batch + unit.first + group * 4;
		*(uint4 *)to = make_uint4(x[0].x, x[1].x, x[2].x, x[3].x);
		*(uint4 *)(to + s.batch) = make_uint4(x[0].y, x[1].y, x[2].y, x[3].y);
		*(uint4 *)(to + 2 * (size_t)s.batch) = make_uint4(x[0].z, x[1].z, x[2].z, x[3].z);
		*(uint4 *)(to + 3 * (size_t)s.batch) = make_uint4(x[0].w, x[1].w, x[2].w, x[3].w);
	}
}

/* This block's units of those from c.first to c.end. By 64 threads; `shared` has NNR_CARRY_BYTES, from a multiple of 16
 * on. */
NNR_FUNCTION void nnr_carry(const NnrCarried &c, char *shared, int thread)
{
	const NnrSupply &s = c.supply;
	const NnrFeed &f = s.feeds[c.feed];
	float *const tiles = (float *)shared, *const transposed =
	                                              (float *)(f.transposed + c.slot * s.slot_bytes);
	uint64_t *const place = (uint64_t *)(tiles + NNR_CARRY_STAGES * NNR_CARRY_TILE);
	for (uint32_t i = c.first + blockIdx.x; i < c.end; i += gridDim.x) {
		const NnrCarryUnit unit(s, f, i);
		/* of the unit before, the places were last read ahead of a sync, and its last tile is read ahead of
		 * this one */
		if (thread < unit.samples) {
			const uint32_t k = unit.first + thread;
			const uint32_t index =
			        s.streamed_bytes ? 0
			                         : nnr_training_sample(c.control, s, c.unit, k, false).index;
			place[thread] = nnr_sample_place(s, f, c.slot, k, index);
		}
		nnr_carry_sync();
		for (int number = 0; number < NNR_CARRY_STAGES - 1; number++)
			nnr_carry_fetch(tiles + number * NNR_CARRY_TILE, place, f, unit, number, thread);
		for (int number = 0; number < unit.tiles; number++) {
			nnr_block_await<NNR_CARRY_STAGES - 2>();
			nnr_carry_sync(); /* also: the tile before is turned, and its place free */
			const int next = number + NNR_CARRY_STAGES - 1;
			nnr_carry_fetch(tiles + next % NNR_CARRY_STAGES * NNR_CARRY_TILE, place, f, unit,
			                next, thread);
			nnr_carry_turn(transposed, tiles + number % NNR_CARRY_STAGES * NNR_CARRY_TILE, s, f,
			               unit, number, thread);
		}
	}
}

#endif
#endif
