/* Matrix products by the tensor cores of a warpgroup (wgmma of PTX): f32 operands in tf32, sums in f32. For sm_90a
 * alone; in code for other architectures the kernels are empty, and the runtime does not launch them
 * (runtime/cuda/product.c).
 *
 *     y[M,N] = op(a) b^T,  a stored [M,K] or, turned, [K,M]; b stored [N,K]; all row-major and dense, sizes multiples
 *                          of 4
 *
 * A block computes tiles of 128 x 256, one after the other, with 32 of the depth at a time. Its third warpgroup has the
 * copy engine bring a's and b's parts of the next depths into shared memory, four stages ahead; each of the other two
 * multiplies 64 of the rows. A stage is `full` when its bytes have come, and `empty` when the eight warps have
 * multiplied it. What lies outside of a and b comes as zeros.
 *
 * Both parts are swizzled: of a row of 128 bytes, the 16 bytes number c stand at c ^ (row % 8). wgmma reads b so, and a
 * where it is [M,K]. It can't turn f32, so that threads load a turned a to registers themselves. Lane 4g + t has of
 * each 8 of the depth the elements t and t + 4 of two rows (PTX ISA, "Register fragments and shared memory matrix
 * layouts" of wgmma for tf32). Which rows these are is free, as long as the result is stored to match: rows 0 to 3 and
 * 16 to 19, with those 4 below them, or 8 further down, of 32 lie in different banks.
 *
 * Where there are fewer tiles than multiprocessors the depth may be cut into PARTS, each by a block of its own. These
 * wait for each other, and each adds up its share of the tile, in the order of the parts: two runs are equal bit for
 * bit. (One block alone, the last, took 5 of 54 us for it.)
 *
 * Two warps of the third warpgroup may gather the next batch meanwhile (nnr_carry.h).
 *
 * Waits and arrivals here are those of one block, and the asynchronous copies make their bytes visible themselves: with
 * an order among the blocks of a cluster asked for (.acquire.cluster, .release.cluster), which ptxas turns into a fence
 * of the whole device, the same kernel took 1.6 times as long. */
#ifndef NNR_PRODUCT_H
#define NNR_PRODUCT_H

#include "cuda/nnr_carry.h"
#include "cuda/nnr_reduce.h"

struct alignas(64) NnrTensorMap { /* CUtensorMap */
	uint64_t word[16];
};

enum {
	NNR_PRODUCT_STAGES = 4,
	NNR_PRODUCT_THREADS = 384,
	NNR_PRODUCT_WARPS = 8,                                /* that multiply */
	NNR_PRODUCT_A = NNR_PRODUCT_ROWS * NNR_PRODUCT_DEPTH, /* elements of a stage */
	NNR_PRODUCT_B = NNR_PRODUCT_COLUMNS * NNR_PRODUCT_DEPTH,
	NNR_PRODUCT_BOX = 32 * NNR_PRODUCT_DEPTH, /* of a turned a: 32 rows */
	NNR_PRODUCT_TILE = NNR_PRODUCT_ROWS * NNR_PRODUCT_COLUMNS,
	/* the stages, two barriers of each, and what it takes to begin at a multiple of 1024 */
	NNR_PRODUCT_BYTES =
	        NNR_PRODUCT_STAGES * ((NNR_PRODUCT_A + NNR_PRODUCT_B + NNR_PRODUCT_DEPTH) * 4 + 2 * 8) + 1024,
};

/* What is stored of a sum where nothing stands behind the product. */
struct NnrProductSum {
	__device__ __forceinline__ float operator()(float sum, float) const
	{
		return sum;
	}
};

/* In the place of NnrCarried: the product carries nothing. In that of a bias, or weights: there are none. */
struct NnrNothing {
};
template <typename T> constexpr bool nnr_is_there = true;
template <> constexpr bool nnr_is_there<NnrNothing> = false;

/* A turned a, [K,M], is made of what is fetched in its place: make(element, row, terms), with one f32 for each of K;
 * and the sums over K of the terms, for each of M. `columns`, f32[M], is a factor of the operand, and of those sums
 * whose bit is set in SCALED: it is multiplied behind the sums over K, once instead of K times. What make returns need
 * not be rounded to tf32: tensor cores leave out the low bits, and rounding takes four instructions an element. */
template <int SUMS_, unsigned SCALED_, typename Make> struct NnrMade {
	static constexpr int SUMS = SUMS_;
	static constexpr unsigned SCALED = SCALED_;
	const NnrTensorMap &rows;
	const float *columns;
	Make make;
	float *sums[SUMS_ > 0 ? SUMS_ : 1];
};

template <unsigned SCALED, typename Make, typename... Sums>
NNR_FUNCTION NnrMade<sizeof...(Sums), SCALED, Make> nnr_made(const NnrTensorMap &rows, const float *columns,
                                                             const Make &make, Sums *...sums)
{
	return {rows, columns, make, {sums...}};
}

/* In the place of weights: the sums along the rows, of what is behind the product times its column's weight, and
 * whether that is STORED as well. */
template <bool STORED_> struct NnrRowSums {
	static constexpr bool STORED = STORED_;
	const float *weight;
	float *sums; /* [M, N/256 rounded up] */
};

/* What the product's kernel does with the columns of a tile where it has such, for the library's y[M,N]: a warp for
 * each of the sums, of blocks of 256 threads. */
template <int M, int N, typename Y, typename Bias, typename Behind, bool STORED>
NNR_FUNCTION void nnr_row_sums(Y *y, const Bias &bias, const Behind &behind, const NnrRowSums<STORED> &rows)
{
	constexpr int TILES = (N + NNR_PRODUCT_COLUMNS - 1) / NNR_PRODUCT_COLUMNS;
	const int64_t tile = (int64_t)blockIdx.x * 8 + threadIdx.x / 32;
	if (tile >= (int64_t)M * TILES)
		return;
	const int64_t row = tile / TILES;
	const int first = tile % TILES * NNR_PRODUCT_COLUMNS, end = min(N, first + NNR_PRODUCT_COLUMNS);
	float sum = 0;
#pragma unroll 2
	for (int c = first + threadIdx.x % 32 * 4; c < end; c += 128) {
		float x[4];
		nnr_load4(x, y + row * N + c);
#pragma unroll
		for (int e = 0; e < 4; e++) {
			if constexpr (nnr_is_there<Bias>)
				x[e] = behind(x[e], bias[c + e]);
			else
				x[e] = behind(x[e], 0);
			sum += x[e] * rows.weight[c + e];
		}
		if constexpr (STORED)
			nnr_store4(y + row * N + c, x);
	}
	sum = nnr_warp_sum(sum);
	if (threadIdx.x % 32 == 0)
		rows.sums[tile] = sum;
}

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

NNR_FUNCTION void nnr_barrier_init(uint64_t *barrier, unsigned arrivals)
{
	asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(nnr_shared_address(barrier)),
	             "r"(arrivals)
	             : "memory");
}

NNR_FUNCTION void nnr_barrier_arrive(uint64_t *barrier)
{
	asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(nnr_shared_address(barrier))
	             : "memory");
}

NNR_FUNCTION void nnr_barrier_expect(uint64_t *barrier, unsigned bytes)
{
	asm volatile(
	        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(nnr_shared_address(barrier)),
	        "r"(bytes)
	        : "memory");
}

/* Waits for the end of the barrier's phase of that parity. */
NNR_FUNCTION void nnr_barrier_wait(uint64_t *barrier, unsigned parity)
{
	unsigned done;
	do {
		asm volatile("{\n"
		             ".reg .pred p;\n"
		             "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
		             "selp.u32 %0, 1, 0, p;\n"
		             "}"
		             : "=r"(done)
		             : "r"(nnr_shared_address(barrier)), "r"(parity)
		             : "memory");
	} while (!done);
}

/* Asks the copy engine for a box of the tensor, from element (column, row) on. */
NNR_FUNCTION void nnr_fetch_box(float *to, const NnrTensorMap &from, uint64_t *barrier, int column, int row)
{
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, "
	             "{%3, %4}], [%2];" ::"r"(nnr_shared_address(to)),
	             "l"(&from), "r"(nnr_shared_address(barrier)), "r"(column), "r"(row)
	             : "memory");
}

/* The descriptor of a matrix in shared memory: rows of 128 bytes, swizzled, eight of them 1024 bytes behind the eight
 * before (PTX ISA, "Matrix descriptor"). */
NNR_FUNCTION uint64_t nnr_descriptor(const float *p)
{
	const uint64_t swizzle_128 = (uint64_t)1 << 62, stride = (uint64_t)(1024 >> 4) << 32,
	               leading = (uint64_t)1 << 16;
	return swizzle_128 | stride | leading | nnr_shared_address(p) >> 4;
}

#define NNR_FOUR(i)    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define NNR_SIXTEEN(i) NNR_FOUR(i), NNR_FOUR(i + 4), NNR_FOUR(i + 8), NNR_FOUR(i + 12)
#define NNR_ACCUMULATOR                                                                                      \
	NNR_SIXTEEN(0), NNR_SIXTEEN(16), NNR_SIXTEEN(32), NNR_SIXTEEN(48), NNR_SIXTEEN(64), NNR_SIXTEEN(80), \
	        NNR_SIXTEEN(96), NNR_SIXTEEN(112)
#define NNR_WGMMA                                                                                          \
	"wgmma.mma_async.sync.aligned.m64n256k8.f32.tf32.tf32 {"                                           \
	"%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, "  \
	"%21, %22, "                                                                                       \
	"%23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, "  \
	"%42, %43, "                                                                                       \
	"%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, "  \
	"%63, %64, "                                                                                       \
	"%65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, %82, %83, "  \
	"%84, %85, "                                                                                       \
	"%86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, %102, %103, "   \
	"%104, %105, "                                                                                     \
	"%106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, %119, %120, %121, " \
	"%122, %123, "                                                                                     \
	"%124, %125, %126, %127}, "

/* d = a b^T, or where `add` is not 0 d + a b^T, of 8 of the depth: a [64,8] as its descriptor or in registers, b
 * [256,8]. */
NNR_FUNCTION void nnr_wgmma(float (&d)[128], uint64_t a, uint64_t b, int add)
{
	asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %130, 0;\n" NNR_WGMMA "%128, %129, p, 1, 1;\n}"
	             : NNR_ACCUMULATOR
	             : "l"(a), "l"(b), "r"(add));
}

NNR_FUNCTION void nnr_wgmma(float (&d)[128], const uint32_t *a, uint64_t b, int add)
{
	asm volatile("{\n.reg .pred p;\nsetp.ne.b32 p, %133, 0;\n" NNR_WGMMA
	             "{%128, %129, %130, %131}, %132, p, 1, 1;\n}"
	             : NNR_ACCUMULATOR
	             : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}

#undef NNR_FOUR
#undef NNR_SIXTEEN
#undef NNR_ACCUMULATOR
#undef NNR_WGMMA

/* The sizes of a product, and what follows from them. */
template <int M_, int N_, int K_, bool TURNED_, int PARTS_> struct NnrProduct {
	static constexpr int M = M_, N = N_, K = K_, PARTS = PARTS_;
	static constexpr bool TURNED = TURNED_;
	static constexpr int ACROSS = (N + NNR_PRODUCT_COLUMNS - 1) / NNR_PRODUCT_COLUMNS;
	static constexpr int TILES = (M + NNR_PRODUCT_ROWS - 1) / NNR_PRODUCT_ROWS * ACROSS;
	static constexpr int DEPTHS = (K + NNR_PRODUCT_DEPTH - 1) / NNR_PRODUCT_DEPTH;
	static constexpr int SHARE = (DEPTHS + PARTS - 1) / PARTS; /* depths of a part */
	static_assert(M % 4 == 0 && N % 4 == 0 && K % 4 == 0 && SHARE * (PARTS - 1) < DEPTHS, "sizes");
};

/* Item number `item` of the grid's work: a part of a tile. */
template <typename P> struct NnrProductItem {
	int tile, part, row, column, first, end; /* depths */

	__device__ __forceinline__ explicit NnrProductItem(int item)
	{
		tile = item % P::TILES;
		part = item / P::TILES;
		row = tile / P::ACROSS * NNR_PRODUCT_ROWS;
		column = tile % P::ACROSS * NNR_PRODUCT_COLUMNS;
		first = part * P::SHARE;
		end = min(P::DEPTHS, first + P::SHARE);
	}
};

/* The stages in shared memory, and which one a warp is at. */
struct NnrProductRing {
	float *a, *b, *rows; /* rows: one f32 for each of the depth, of an a that is made */
	uint64_t *full, *empty;
	int stage;
	unsigned phase;

	__device__ __forceinline__ explicit NnrProductRing(char *shared)
	{
		/* wgmma and the copy engine swizzle by the address: a multiple of 1024 */
		char *at = shared + (1024 - nnr_shared_address(shared) % 1024) % 1024;
		a = (float *)at;
		b = a + NNR_PRODUCT_STAGES * NNR_PRODUCT_A;
		rows = b + NNR_PRODUCT_STAGES * NNR_PRODUCT_B;
		full = (uint64_t *)(rows + NNR_PRODUCT_STAGES * NNR_PRODUCT_DEPTH);
		empty = full + NNR_PRODUCT_STAGES;
		stage = 0;
		phase = 0;
	}

	__device__ __forceinline__ void advance()
	{
		if (++stage == NNR_PRODUCT_STAGES) {
			stage = 0;
			phase ^= 1;
		}
	}
};

/* By one thread: brings all that the block's items need. */
template <typename P, typename Made>
NNR_FUNCTION void nnr_product_fetch(NnrProductRing ring, const NnrTensorMap &a, const NnrTensorMap &b,
                                    const Made &made)
{
	constexpr int ROWS = nnr_is_there<Made> ? NNR_PRODUCT_DEPTH : 0;
	for (int i = blockIdx.x; i < P::TILES * P::PARTS; i += gridDim.x) {
		const NnrProductItem<P> item(i);
		for (int k = item.first; k < item.end; k++, ring.advance()) {
			uint64_t *const full = ring.full + ring.stage;
			float *const to = ring.a + ring.stage * NNR_PRODUCT_A;
			const int depth = k * NNR_PRODUCT_DEPTH;
			nnr_barrier_wait(ring.empty + ring.stage, ring.phase ^ 1);
			nnr_barrier_expect(full, (NNR_PRODUCT_A + NNR_PRODUCT_B + ROWS) * sizeof(float));
			if constexpr (ROWS > 0)
				nnr_fetch_box(ring.rows + ring.stage * ROWS, made.rows, full, depth, 0);
			if constexpr (P::TURNED) {
#pragma unroll
				for (int box = 0; box < NNR_PRODUCT_ROWS / 32; box++)
					nnr_fetch_box(to + box * NNR_PRODUCT_BOX, a, full,
					              item.row + box * 32, depth);
			} else {
				nnr_fetch_box(to, a, full, depth, item.row);
			}
			nnr_fetch_box(ring.b + ring.stage * NNR_PRODUCT_B, b, full, depth, item.column);
		}
	}
}

/* Of a warp: the first of a thread's two rows in the tile, and how far below it the other is. */
template <bool TURNED> NNR_FUNCTION int nnr_product_row(int warp)
{
	const int g = threadIdx.x % 32 / 4;
	return TURNED ? warp / 2 * 32 + warp % 2 * 8 + (g < 4 ? g : 12 + g) : warp * 16 + g;
}
template <bool TURNED> constexpr int nnr_product_below = TURNED ? 4 : 8;

/* Where a thread's elements of a turned a lie in a stage: of each 8 of the depth those number t and t + 4, of each the
 * two rows. The depths further on follow 128 elements behind each other, for they are swizzled alike. As 45 integer
 * instructions a stage they took energy, which is what bounds a product of this size. */
struct NnrProductTurn {
	int at[2][2];

	__device__ __forceinline__ explicit NnrProductTurn(int row)
	{
		const int chunk = row % 32 / 4, t = threadIdx.x % 4;
#pragma unroll
		for (int i = 0; i < 2; i++)
#pragma unroll
			for (int e = 0; e < 2; e++) {
				const int swizzled = (chunk + e) ^ (i * 4 + t);
				at[i][e] = row / 32 * NNR_PRODUCT_BOX + t * 32 + swizzled * 4 + row % 4;
				asm("mov.b32 %0, %0;"
				    : "+r"(at[i][e])); /* or it would be computed in the loop */
			}
	}
};

/* The registers of a turned a, for 8 x 4 of the depth. */
NNR_FUNCTION void nnr_product_load(uint32_t (&to)[16], const float *a, const NnrProductTurn &turn)
{
#pragma unroll
	for (int i = 0; i < 8; i++)
#pragma unroll
		for (int e = 0; e < 2; e++)
			to[i / 2 * 4 + i % 2 * 2 + e] = __float_as_uint(a[turn.at[i % 2][e] + i * 128]);
}

/* Of an a that is made: a thread's part of the sums of its two columns. */
template <typename Made> struct NnrMaking {
	float sum[2][Made::SUMS > 0 ? Made::SUMS : 1] = {};

	template <bool ADDS>
	__device__ __forceinline__ void make(uint32_t (&a)[16], const float *rows, const Made &made)
	{
#pragma unroll
		for (int i = 0; i < 8; i++) {
			const float row = rows[i * 4 + threadIdx.x % 4];
#pragma unroll
			for (int e = 0; e < 2; e++) {
				uint32_t &x = a[i / 2 * 4 + i % 2 * 2 + e];
				float terms[Made::SUMS > 0 ? Made::SUMS : 1];
				x = __float_as_uint(made.make(__uint_as_float(x), row, terms));
				if constexpr (ADDS)
#pragma unroll
					for (int k = 0; k < Made::SUMS; k++)
						sum[e][k] += terms[k];
			}
		}
	}
};

template <> struct NnrMaking<NnrNothing> {
};

/* The columns of an a that is made, which multiply the result's rows: a thread's two. */
template <typename P, typename Made> struct NnrProductFactor {
	float held[2];

	__device__ __forceinline__ NnrProductFactor(const Made &made, int first)
	{
		if constexpr (nnr_is_there<Made>)
#pragma unroll
			for (int e = 0; e < 2; e++) {
				const int r = first + e * nnr_product_below<P::TURNED>;
				held[e] = r < P::M ? made.columns[r] : 0;
			}
	}

	__device__ __forceinline__ float times(float x, int e) const
	{
		if constexpr (nnr_is_there<Made>)
			x *= held[e];
		return x;
	}
};

/* Adds the ring's stage; the one before it is empty then. `adds`: the terms of an a that is made too. */
template <typename P, typename Made>
NNR_FUNCTION void nnr_product_step(float (&d)[128], uint32_t (&turned)[16], NnrProductRing &ring,
                                   const NnrProductTurn &turn, bool first, const Made &made,
                                   NnrMaking<Made> &making, bool adds)
{
	const float *const a = ring.a + ring.stage * NNR_PRODUCT_A;
	nnr_barrier_wait(ring.full + ring.stage, ring.phase);
	if constexpr (P::TURNED)
		nnr_product_load(turned, a, turn);
	if constexpr (nnr_is_there<Made>) {
		const float *const rows = ring.rows + ring.stage * NNR_PRODUCT_DEPTH;
		if (adds) /* a branch: as selects the additions would take their energy in all tiles */
			making.template make<true>(turned, rows, made);
		else
			making.template make<false>(turned, rows, made);
	}
	const uint64_t at = nnr_descriptor(a + threadIdx.x / 128 * 64 * NNR_PRODUCT_DEPTH),
	               bt = nnr_descriptor(ring.b + ring.stage * NNR_PRODUCT_B);
	asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
	for (int e = 0; e < NNR_PRODUCT_DEPTH / 8; e++) { /* each 32 bytes behind the one before */
		if constexpr (P::TURNED)
			nnr_wgmma(d, turned + 4 * e, bt + 2 * e, !first || e > 0);
		else
			nnr_wgmma(d, at + 2 * e, bt + 2 * e, !first || e > 0);
	}
	asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
	asm volatile("wgmma.wait_group.sync.aligned 1;" ::: "memory");
	if (!first && threadIdx.x % 32 == 0)
		nnr_barrier_arrive(ring.empty + (ring.stage + NNR_PRODUCT_STAGES - 1) % NNR_PRODUCT_STAGES);
	ring.advance();
}

/* All depths of an item. A turned a has two sets of registers: the one is loaded while the other is multiplied. The
 * last depth is multiplied whole, zeros and all: with a shorter step behind the loop ptxas 13.0 lets no product begin
 * before the one before has ended (its remark C7511). */
template <typename P, typename Made>
NNR_FUNCTION void nnr_product_sum(float (&d)[128], NnrProductRing &ring, const NnrProductItem<P> &item,
                                  const NnrProductTurn &turn, const Made &made, NnrMaking<Made> &making)
{
	uint32_t turned[2][16];
	const int depths = item.end - item.first;
	const bool adds = item.column == 0; /* the other tiles of these rows of the result make the same */
#pragma unroll 1
	for (int k = 0; k + 1 < depths; k += 2) {
		nnr_product_step<P>(d, turned[0], ring, turn, k == 0, made, making, adds);
		nnr_product_step<P>(d, turned[1], ring, turn, false, made, making, adds);
	}
	if (depths % 2)
		nnr_product_step<P>(d, turned[0], ring, turn, depths == 1, made, making, adds);
	/* without d as its operand, or the registers would be copied ahead of it: tests/cuda/device.c sees that nothing
	 * else reads them there */
	asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
	if (threadIdx.x % 32 == 0)
		nnr_barrier_arrive(ring.empty + (ring.stage + NNR_PRODUCT_STAGES - 1) % NNR_PRODUCT_STAGES);
}

NNR_FUNCTION void nnr_product_sync() /* of the threads that multiply */
{
	asm volatile("bar.sync 1, 256;" ::: "memory");
}

/* Where a part's share of a thread's 32 vectors begins: an even number, for they are stored by twos. */
template <int PARTS> __device__ constexpr int nnr_product_share(int part)
{
	return part * 16 / PARTS * 2;
}

/* All blocks of the tile wait here for each other; `count` is 0 before and behind it. None waits for ever, because the
 * grid has a block for each item, and begins as a whole (NnrKernel.together), also where another such product runs on
 * the step's other stream. */
template <typename P> NNR_FUNCTION void nnr_product_meet(unsigned *count)
{
	nnr_product_sync();
	if (threadIdx.x == 0) {
		__threadfence(); /* behind what all the block's threads have stored */
		unsigned arrived = atomicAdd(count, 1u) + 1;
		while (arrived < P::PARTS)
			asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(arrived) : "l"(count) : "memory");
		__threadfence();
		if (atomicAdd(count, 1u) == 2 * P::PARTS - 1) /* the last one to leave */
			*count = 0;
	}
	nnr_product_sync();
}

/* Makes d, in the share of that part, the sum of all parts. By recursion, so that all of d's indices are constants:
 * else it would lie in memory, and be copied there while the tensor cores still write it. */
template <typename P, int SHARE = 0>
NNR_FUNCTION void nnr_product_add(float (&d)[128], const float4 *all, int part)
{
	if constexpr (SHARE < P::PARTS) {
		if (part != SHARE) {
			nnr_product_add<P, SHARE + 1>(d, all, part);
			return;
		}
		constexpr int first = nnr_product_share<P::PARTS>(SHARE),
		              end = nnr_product_share<P::PARTS>(SHARE + 1);
#pragma unroll
		for (int i = first; i < end; i++) {
			float4 sum = __ldcg(all + i * 256);
#pragma unroll
			for (int k = 1; k < P::PARTS; k++) { /* its own too: in their order */
				const float4 x = __ldcg(all + k * (NNR_PRODUCT_TILE / 4) + i * 256);
				sum = make_float4(sum.x + x.x, sum.y + x.y, sum.z + x.z, sum.w + x.w);
			}
			d[4 * i] = sum.x, d[4 * i + 1] = sum.y, d[4 * i + 2] = sum.z, d[4 * i + 3] = sum.w;
		}
	}
}

/* Leaves the part in memory for the others. d is the sum of all of them then, in this part's share. */
template <typename P>
NNR_FUNCTION void nnr_product_parts(float (&d)[128], float *partial, unsigned *done,
                                    const NnrProductItem<P> &item)
{
	float4 *const all =
	        (float4 *)partial + (size_t)item.tile * P::PARTS * (NNR_PRODUCT_TILE / 4) + threadIdx.x;
#pragma unroll
	for (int i = 0; i < 32; i++)
		__stcg(all + item.part * (NNR_PRODUCT_TILE / 4) + i * 256,
		       make_float4(d[4 * i], d[4 * i + 1], d[4 * i + 2], d[4 * i + 3]));
	nnr_product_meet<P>(done + item.tile);
	nnr_product_add<P>(d, all, item.part);
}

/* Of two pairs of neighbours, of columns i and i + 8, lanes 2j and 2j + 1 exchange one each, so that each has four
 * neighbours. As one statement, which stays behind the wait for the accumulators: of plain expressions the compiler
 * computes a part ahead of it, even in the loop over the depth. */
NNR_FUNCTION float4 nnr_product_exchange(const float *left, const float *right)
{
	float4 x;
	asm volatile("{\n"
	             ".reg .pred odd;\n"
	             ".reg .f32 v, w, k, l;\n"
	             "setp.ne.u32 odd, %8, 0;\n"
	             "selp.f32 v, %4, %6, odd;\n"
	             "selp.f32 w, %5, %7, odd;\n"
	             "selp.f32 k, %6, %4, odd;\n"
	             "selp.f32 l, %7, %5, odd;\n"
	             "shfl.sync.bfly.b32 v, v, 1, 0x1f, 0xffffffff;\n"
	             "shfl.sync.bfly.b32 w, w, 1, 0x1f, 0xffffffff;\n"
	             "selp.f32 %0, v, k, odd;\n"
	             "selp.f32 %1, w, l, odd;\n"
	             "selp.f32 %2, k, v, odd;\n"
	             "selp.f32 %3, l, w, odd;\n"
	             "}"
	             : "=f"(x.x), "=f"(x.y), "=f"(x.z), "=f"(x.w)
	             : "f"(left[0]), "f"(left[1]), "f"(right[0]), "f"(right[1]), "r"(threadIdx.x % 2));
	return x;
}

/* The bias of a tile's columns, or their weights, 8 elements a lane: number 4l to 4l + 3 of lane l, and those 128
 * behind them. They are asked for ahead of the sums, and have come when these are stored; loaded there they took 4.6 us
 * a tile. */
template <int N, typename Bias> struct NnrProductColumns {
	float held[2][4];

	__device__ __forceinline__ NnrProductColumns(const float *bias, int column)
	{
#pragma unroll
		for (int half = 0; half < 2; half++) {
			const int first = column + half * NNR_PRODUCT_COLUMNS / 2 + threadIdx.x % 32 * 4;
#pragma unroll
			for (int e = 0; e < 4; e++)
				held[half][e] = first < N ? bias[first + e] : 0;
		}
	}

	/* By a whole warp: of the columns' half `half`, the four that lane number `lane` has. */
	__device__ __forceinline__ float4 of(int half, int lane) const
	{
		const float(&from)[4] = held[half];
		return make_float4(
		        __shfl_sync(0xffffffff, from[0], lane), __shfl_sync(0xffffffff, from[1], lane),
		        __shfl_sync(0xffffffff, from[2], lane), __shfl_sync(0xffffffff, from[3], lane));
	}
};

template <int N> struct NnrProductColumns<N, NnrNothing> {
	__device__ __forceinline__ NnrProductColumns(const NnrNothing &, int)
	{
	}

	__device__ __forceinline__ float4 of(int, int) const
	{
		return make_float4(0, 0, 0, 0);
	}
};

template <int N> NNR_FUNCTION NnrProductColumns<N, NnrNothing> nnr_product_weights(const NnrNothing &, int)
{
	return NnrProductColumns<N, NnrNothing>(NnrNothing(), 0);
}

template <int N, bool STORED>
NNR_FUNCTION NnrProductColumns<N, const float *> nnr_product_weights(const NnrRowSums<STORED> &rows,
                                                                     int column)
{
	return NnrProductColumns<N, const float *>(rows.weight, column);
}

/* Stores what `behind` makes of a warp's rows times their factor, 16 bytes a thread; of a product in parts this part's
 * share. */
template <typename P, typename Bias, typename Behind, typename Factor>
NNR_FUNCTION void nnr_product_store(float *y, float (&d)[128], const NnrProductItem<P> &item, int row,
                                    const Bias &bias, const Behind &behind, const Factor &factor)
{
	const int odd = threadIdx.x % 2, pair = threadIdx.x % 4 / 2;
#pragma unroll
	for (int i = 0; i < 32; i += 2) {
		if (P::PARTS > 1 && (i < nnr_product_share<P::PARTS>(item.part) ||
		                     i >= nnr_product_share<P::PARTS>(item.part + 1)))
			continue;
		const float4 v = bias.of(i / 16, (i % 16 + odd) * 2 + pair);
#pragma unroll
		for (int below = 0; below < 2; below++) {
			const float *const left = d + 4 * i + 2 * below;
			const float4 x = nnr_product_exchange(left, left + 4);
			const int r = item.row + row + below * nnr_product_below<P::TURNED>,
			          c = item.column + (i + odd) * 8 + pair * 4;
			if (r < P::M && c < P::N)
				*(float4 *)(y + (size_t)r * P::N + c) =
				        make_float4(behind(factor.times(x.x, below), v.x),
				                    behind(factor.times(x.y, below), v.y),
				                    behind(factor.times(x.z, below), v.z),
				                    behind(factor.times(x.w, below), v.w));
		}
	}
}

/* Instead of that: of each row what `behind` makes of its columns in this tile, times their weights, added up. Beyond
 * the last column bias and weight are 0, and the product, which may be NaN there, is made 0: a branch around all that
 * cost 6 % at 32000x1000x1000. */
template <typename P, typename Bias, typename Weight, typename Behind, bool STORED>
NNR_FUNCTION void nnr_product_row_sums(float *y, float (&d)[128], const NnrProductItem<P> &item, int row,
                                       const Bias &bias, const Weight &weight, const Behind &behind,
                                       const NnrRowSums<STORED> &rows)
{
	static_assert(P::PARTS == 1, "each part has other columns");
	constexpr int LEFT = (P::N - 1) % NNR_PRODUCT_COLUMNS + 1; /* columns of the last tile */
	const int odd = threadIdx.x % 2, pair = threadIdx.x % 4 / 2;
	float sum[2] = {0, 0};
#pragma unroll
	for (int i = 0; i < 32; i += 2) {
		const float4 v = bias.of(i / 16, (i % 16 + odd) * 2 + pair),
		             w = weight.of(i / 16, (i % 16 + odd) * 2 + pair);
#pragma unroll
		for (int below = 0; below < 2; below++) {
			const float *const left = d + 4 * i + 2 * below;
			float4 x = nnr_product_exchange(left, left + 4);
			if (i * 8 + 16 > LEFT && item.column + (i + odd) * 8 + pair * 4 >= P::N)
				x = make_float4(0, 0, 0, 0);
			x = make_float4(behind(x.x, v.x), behind(x.y, v.y), behind(x.z, v.z),
			                behind(x.w, v.w));
			sum[below] += x.x * w.x + x.y * w.y + x.z * w.z + x.w * w.w;
			if constexpr (STORED) {
				const int r = item.row + row + below * nnr_product_below<P::TURNED>,
				          c = item.column + (i + odd) * 8 + pair * 4;
				if (r < P::M && c < P::N)
					*(float4 *)(y + (size_t)r * P::N + c) = x;
			}
		}
	}
#pragma unroll
	for (int below = 0; below < 2; below++) {
		const int r = item.row + row + below * nnr_product_below<P::TURNED>;
		sum[below] += __shfl_xor_sync(0xffffffff, sum[below], 1);
		sum[below] += __shfl_xor_sync(0xffffffff, sum[below], 2);
		if (threadIdx.x % 4 == 0 && r < P::M)
			rows.sums[(size_t)r * P::ACROSS + item.column / NNR_PRODUCT_COLUMNS] = sum[below];
	}
}

/* The sums of an a that is made, of a tile's rows of the result, by the blocks of the first column; in parts these meet
 * between the two, and the first adds up. */
template <typename P, typename Made>
NNR_FUNCTION void nnr_product_leave(float *parts, const NnrProductItem<P> &item, int row, const Made &made,
                                    const NnrMaking<Made> &making, const NnrProductFactor<P, Made> &factor)
{
#pragma unroll
	for (int e = 0; e < 2; e++)
#pragma unroll
		for (int k = 0; k < Made::SUMS; k++) {
			const int r = item.row + row + e * nnr_product_below<P::TURNED>;
			float sum =
			        Made::SCALED >> k & 1 ? factor.times(making.sum[e][k], e) : making.sum[e][k];
			sum += __shfl_xor_sync(0xffffffff, sum, 1);
			sum += __shfl_xor_sync(0xffffffff, sum, 2);
			if (item.column == 0 && threadIdx.x % 4 == 0 && r < P::M)
				(P::PARTS > 1 ? parts + (item.part * Made::SUMS + k) * P::M
				              : made.sums[k])[r] = sum;
		}
}

template <typename P, typename Made>
NNR_FUNCTION void nnr_product_gather_sums(const float *parts, const NnrProductItem<P> &item, const Made &made)
{
	const int r = item.row + threadIdx.x % NNR_PRODUCT_ROWS;
	if (item.column > 0 || item.part > 0 || r >= P::M)
		return;
	for (int k = threadIdx.x / NNR_PRODUCT_ROWS; k < Made::SUMS; k += 256 / NNR_PRODUCT_ROWS) {
		float sum = 0;
#pragma unroll
		for (int part = 0; part < P::PARTS; part++)
			sum += __ldcg(parts + (part * Made::SUMS + k) * P::M + r);
		made.sums[k][r] = sum;
	}
}

/* What the third warpgroup does: its first thread fetches, its last two warps carry. */
template <typename P, typename Carried, typename Made>
NNR_FUNCTION void nnr_product_serve(const NnrProductRing &ring, const NnrTensorMap &a, const NnrTensorMap &b,
                                    const Carried &carried, const Made &made, char *shared)
{
	if (threadIdx.x == NNR_PRODUCT_WARPS * 32)
		nnr_product_fetch<P>(ring, a, b, made);
	if constexpr (nnr_is_there<Carried>)
		if (threadIdx.x >= NNR_PRODUCT_THREADS - NNR_CARRY_THREADS)
			nnr_carry(carried, shared, threadIdx.x % NNR_CARRY_THREADS);
}

/* The kernel, of 384 threads and NNR_PRODUCT_BYTES of shared memory, with `carried` NNR_CARRY_BYTES more. Where PARTS >
 * 1, `partial` has PARTS * NNR_PRODUCT_TILE elements for each tile, `done` a counter, 0, for each, and the grid a block
 * for each part of each. y[i,j] = behind(sum, bias[j]), or with 0 for it; beside it or instead the `rows`, where PARTS
 * is 1: [M, N/256 rounded up], the sums of behind(sum, bias[j]) * weight[j] over 256 neighbouring columns. An a that
 * is `made` has PARTS * SUMS * M elements more of `partial`, and is TURNED. */
template <int M, int N, int K, bool TURNED, int PARTS, typename Carried = NnrNothing,
          typename Bias = NnrNothing, typename Behind = NnrProductSum, typename Rows = NnrNothing,
          typename Made = NnrNothing>
NNR_FUNCTION void nnr_product(const NnrTensorMap &a, const NnrTensorMap &b, float *y, float *partial,
                              unsigned *done, const Carried &carried = {}, const Bias &bias = {},
                              const Behind &behind = {}, const Rows &rows = {}, const Made &made = {})
{
	static_assert(TURNED || !nnr_is_there<Made>,
	              "wgmma reads an a that is not turned from shared memory");
	using P = NnrProduct<M, N, K, TURNED, PARTS>;
	/* registers of a thread of the third warpgroup and of the others: who asks for more than the block began with
	 * waits for ever */
	constexpr int SERVING = nnr_is_there<Carried> ? 72 : 40,
	              MULTIPLYING = nnr_is_there<Carried> ? 216 : 232;
	static_assert(SERVING + 2 * MULTIPLYING == 3 * (65536 / NNR_PRODUCT_THREADS / 8 * 8), "registers");
	extern __shared__ __align__(128) char nnr_product_stages[];
	NnrProductRing ring(nnr_product_stages);
	const int warp = threadIdx.x / 32;
	if (threadIdx.x == 0) {
		for (int i = 0; i < NNR_PRODUCT_STAGES; i++) {
			nnr_barrier_init(ring.full + i, 1);
			nnr_barrier_init(ring.empty + i, NNR_PRODUCT_WARPS);
		}
		asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
	}
	__syncthreads();
	if (warp >= NNR_PRODUCT_WARPS) {
		asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(SERVING));
		nnr_product_serve<P>(ring, a, b, carried, made, nnr_product_stages + NNR_PRODUCT_BYTES);
		return;
	}
	asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(MULTIPLYING));
	const int row = nnr_product_row<TURNED>(warp);
	const NnrProductTurn turn(row);
	for (int i = blockIdx.x; i < P::TILES * PARTS; i += gridDim.x) {
		const NnrProductItem<P> item(i);
		const NnrProductColumns<N, Bias> tile_bias(bias, item.column);
		const auto tile_weight = nnr_product_weights<N>(rows, item.column);
		float d[128];
		NnrMaking<Made> making;
		nnr_product_sum<P>(d, ring, item, turn, made, making);
		const NnrProductFactor<P, Made> factor(made, item.row + row);
		float *const parts = partial + (size_t)P::TILES * PARTS * NNR_PRODUCT_TILE;
		if constexpr (nnr_is_there<Made>)
			nnr_product_leave<P>(parts, item, row, made, making, factor);
		if constexpr (PARTS > 1)
			nnr_product_parts<P>(d, partial, done, item);
		if constexpr (nnr_is_there<Made> && PARTS > 1)
			nnr_product_gather_sums<P>(parts, item, made);
		if constexpr (nnr_is_there<Rows>)
			nnr_product_row_sums<P>(y, d, item, row, tile_bias, tile_weight, behind, rows);
		else
			nnr_product_store<P>(y, d, item, row, tile_bias, behind, factor);
	}
}

#else

template <int M, int N, int K, bool TURNED, int PARTS, typename Carried = NnrNothing,
          typename Bias = NnrNothing, typename Behind = NnrProductSum, typename Rows = NnrNothing,
          typename Made = NnrNothing>
NNR_FUNCTION void nnr_product(const NnrTensorMap &, const NnrTensorMap &, float *, float *, unsigned *,
                              const Carried & = {}, const Bias & = {}, const Behind & = {}, const Rows & = {},
                              const Made & = {})
{
}

#endif
#endif
