/* A product (nnr_product.h) whose first operand is made of what is fetched in its place, by each thread in the
 * registers that it comes by, and the sums of that over the depth. */
#ifndef NNR_PRODUCT_MADE_H
#define NNR_PRODUCT_MADE_H

#include "cuda/nnr_product_tile.h"

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

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

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

#endif
#endif
