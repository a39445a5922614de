/* rosenbrock_mlp, from rosenbrock_mlp.net by nnc 0.2 for CUDA: the kernels. Do not edit: change the .net file and run nnc again.
 *
 * data rosenbrock; optimizer adam(rate = 0.001, beta1 = 0.9, beta2 = 0.999, eps = 1e-08, decay = 0); rate 0.001 constant; batch 2000; epochs 10; precision tf32; seed 0; decay weights
 * batch 2000   parameters 1.0 M (4.0 MB)   states 8.0 MB   arena 14.7 MB training, 8.0 MB evaluation
 *
 * Sizes are constants, names say what is computed over what. Compiles with NVRTC and with nvcc -I RUNTIME. */
#define NNR_TURNS_INPUTS /* a step reads an input transposed */
#include "cuda/nnr_device.h"
#include "cuda/nnr_product.h"

static_assert(NNR_PRODUCT_ROWS == 128 && NNR_PRODUCT_COLUMNS == 256 && NNR_PRODUCT_DEPTH == 32 && NNR_PRODUCT_BYTES == 197696 && NNR_CARRY_BYTES == 25088, "as products are cut and launched");

/* matmul(a, b)
 * rosenbrock_mlp.net:11
 * [2000,1000]  4.0 GFLOP  20.0 MB  bound: 8.1 us by arithmetic */
static __device__ unsigned done_product_2000x1000x1000[64];
extern "C" __global__ void __launch_bounds__(384, 1) product_2000x1000x1000(const __grid_constant__ NnrTensorMap a, const __grid_constant__ NnrTensorMap b, float *__restrict__ y, float *partial)
{
	unsigned *const done = done_product_2000x1000x1000;
	/* beside cuBLASLt's: rows, columns, depth, whether a is stored [depth, rows], parts of the depth */
	nnr_product<2000, 1000, 1000, true, 2>(a, b, y, partial, done);
}

/* bias_backward_tanh_backward_matmul_backward
 * rosenbrock_mlp.net:11,13
 * [2000,1000]  56.0 MFLOP  16.0 MB  bound: 3.3 us by memory */
extern "C" __global__ void __launch_bounds__(256, 3) bias_backward_tanh_backward_matmul_backward_2000x1000(float *__restrict__ matmul, const float *__restrict__ bias, const float *__restrict__ weight, const float *__restrict__ bias_2, const float *__restrict__ y, float *partial)
{
	float sums[10] = {0};
	float matmul_in[16];
	float bias_in[4];
	float weight_in[4];
	#pragma unroll
	for (int turn = 0; turn < 1; turn++) {
		const int r = (threadIdx.x + turn * 256) * 4;
		if (r < 1000) {
			const int i1 = r;
			nnr_load4(bias_in + turn * 4, bias + i1);
			nnr_load4(weight_in + turn * 4, weight + i1);
		}
	}
	#pragma unroll
	for (int q = 0; q < 4; q++) {
		const int o = blockIdx.x * 4 + q;
		const int i0 = o;
		#pragma unroll
		for (int turn = 0; turn < 1; turn++) {
			const int r = (threadIdx.x + turn * 256) * 4;
			if (r < 1000) {
				const int i1 = r;
				nnr_load4(matmul_in + (q * 1 + turn) * 4, matmul + i0 * 1000 + i1);
			}
		}
	}
	for (int first = blockIdx.x * 4; first < 2000; first += 1000) {
		float y_in[4];
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			const int o = first + q;
			const int i0 = o;
			y_in[q] = y[i0];
		}
		float tanh_row[16];
		float sum[4];
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			sum[q] = 0;
			#pragma unroll
			for (int turn = 0; turn < 1; turn++) {
				const int r = (threadIdx.x + turn * 256) * 4;
				if (r < 1000) {
					#pragma unroll
					for (int u = 0; u < 4; u++) {
						const float add_ = matmul_in[(q * 1 + turn) * 4 + u] + bias_in[turn * 4 + u];
						const float tanh_ = nnr_tanhf(add_);
						sum[q] += tanh_*weight_in[turn * 4 + u];
						tanh_row[(q * 1 + turn) * 4 + u] = tanh_;
					}
				}
			}
		}
		const int next = first + 1000;
		if (next < 2000) {
			#pragma unroll
			for (int q = 0; q < 4; q++) {
				const int o = next + q;
				const int i0 = o;
				#pragma unroll
				for (int turn = 0; turn < 1; turn++) {
					const int r = (threadIdx.x + turn * 256) * 4;
					if (r < 1000) {
						const int i1 = r;
						nnr_load4(matmul_in + (q * 1 + turn) * 4, matmul + i0 * 1000 + i1);
					}
				}
			}
		}
		nnr_team_sums<256, 256>(sum);
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			const int o = first + q;
			const int i0 = o;
			const float add__2 = sum[q] + bias_2[0];
			const float sub_ = add__2 - y_in[q];
			const float mul_ = sub_*sub_;
			const float mul__2 = 0.001f*sub_;
			sums[0] += mul_;
			sums[1] += mul__2;
			#pragma unroll
			for (int turn = 0; turn < 1; turn++) {
				const int r = (threadIdx.x + turn * 256) * 4;
				if (r < 1000) {
					const int i1 = r;
					float matmul_out[4];
					#pragma unroll
					for (int u = 0; u < 4; u++) {
						const float mul__3 = tanh_row[(q * 1 + turn) * 4 + u]*tanh_row[(q * 1 + turn) * 4 + u];
						const float mul__4 = (mul__2*weight_in[turn * 4 + u])*(1.0f - mul__3);
						const float round_tf32_ = nnr_round_tf32f(mul__4);
						sums[2 + turn * 4 + u] += mul__2*tanh_row[(q * 1 + turn) * 4 + u];
						sums[6 + turn * 4 + u] += mul__4;
						matmul_out[u] = round_tf32_;
					}
					nnr_store4(matmul + i0 * 1000 + i1, matmul_out);
				}
			}
		}
	}
	nnr_sums_leave<256, 256>(sums, partial);
}

/* matmul(a, b)
 * rosenbrock_mlp.net:11
 * [1000,1000]  4.0 GFLOP  20.0 MB  bound: 8.1 us by arithmetic */
static __device__ unsigned done_product_1000x1000x2000[32];
extern "C" __global__ void __launch_bounds__(384, 1) product_1000x1000x2000(const __grid_constant__ NnrTensorMap a, const __grid_constant__ NnrTensorMap b, float *__restrict__ y, float *partial)
{
	unsigned *const done = done_product_1000x1000x2000;
	/* beside cuBLASLt's: rows, columns, depth, whether a is stored [depth, rows], parts of the depth */
	nnr_product<1000, 1000, 2000, true, 4>(a, b, y, partial, done);
}

/* mean_bias_backward_matmul_backward
 * rosenbrock_mlp.net:11,13
 * [1,1000]  1 FLOP  8.0 kB  bound: latency */
static __device__ unsigned done_mean_bias_backward_matmul_backward_2000x1000[1];
extern "C" __global__ void __launch_bounds__(256) mean_bias_backward_matmul_backward_2000x1000(float *__restrict__ div, float *__restrict__ sum, float *__restrict__ sum_2, float *__restrict__ sum_3, float *partial)
{
	unsigned *const done = done_mean_bias_backward_matmul_backward_2000x1000;
	float sums[10];
	if (!nnr_groups_sum<256, 256>(sums, partial, done, blockIdx.x, 250))
		return;
	#pragma unroll
	for (int turn = 0; turn < 1; turn++) {
		const int r = (threadIdx.x + turn * 256) * 4;
		if (r < 1000) {
			const int i1 = r;
			float sum_2_out[4];
			float sum_3_out[4];
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				const float sum_ = sums[6 + turn * 4 + u];
				sum_2_out[u] = sums[2 + turn * 4 + u];
				sum_3_out[u] = sum_;
			}
			nnr_store4(sum_2 + i1, sum_2_out);
			nnr_store4(sum_3 + i1, sum_3_out);
		}
	}
	if (threadIdx.x == 0) {
		const float sum__2 = sums[0];
		const float div_ = sum__2/(2e+03f);
		const float sum__3 = sums[1];
		div[0] = div_;
		sum[0] = sum__3;
	}
}

/* adam
 * rosenbrock_mlp.net:19
 * [1002001]  16.0 MFLOP  28.1 MB  bound: 5.8 us by memory */
extern "C" __global__ void __launch_bounds__(256, 8) adam_1002001(const float *__restrict__ pack, float *__restrict__ m, float *__restrict__ v, float *__restrict__ params, const NnrScalars *s)
{
	/* the same for all, and in double: by one thread, while the others load */
	__shared__ float rsqrt_;
	__shared__ float div;
	const int i = blockIdx.x * 256 + threadIdx.x;
	const int i0 = (i * 4);
	float pack_in[4];
	float m_in[4];
	float v_in[4];
	float params_in[4];
	if (i < 250501) {
		nnr_load4(pack_in, pack + i0);
		nnr_load4(m_in, m + i0);
		nnr_load4(v_in, v + i0);
		nnr_load4(params_in, params + i0);
	}
	if (threadIdx.x == 0)
		rsqrt_ = (float)(1/sqrt(-nnr_expm1(s->step*(-0.0010005003335835344))));
	if (threadIdx.x == 32)
		div = (float)(s->rate/(-nnr_expm1(s->step*(-0.10536051565782628))));
	__syncthreads();
	if (i >= 250501)
		return;
	float m_out[4];
	float v_out[4];
	float params_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float add_ = m_in[u] + ((pack_in[u] - m_in[u])*0.1f);
		const float add__2 = (v_in[u]*0.999f) + ((pack_in[u]*pack_in[u])*0.001f);
		const float sub_ = params_in[u] - (div*(add_/((sqrtf(add__2)*rsqrt_) + 1e-08f)));
		m_out[u] = add_;
		v_out[u] = add__2;
		params_out[u] = sub_;
	}
	nnr_store4(m + i0, m_out);
	nnr_store4(v + i0, v_out);
	nnr_store4(params + i0, params_out);
}

/* round_tf32(weight)
 * rosenbrock_mlp.net:11
 * [1000,1000]  0 FLOP  8.0 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) round_tf32_1000000(const float *__restrict__ weight, float *__restrict__ round_tf32)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= 250000)
		return;
	const int i0 = (i * 4);
	float weight_in[4];
	nnr_load4(weight_in, weight + i0);
	float round_tf32_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float round_tf32_ = nnr_round_tf32f(weight_in[u]);
		round_tf32_out[u] = round_tf32_;
	}
	nnr_store4(round_tf32 + i0, round_tf32_out);
}

/* matmul(a, b)
 * rosenbrock_mlp.net:11
 * [2000,1000]  4.0 GFLOP  20.0 MB  bound: 8.1 us by arithmetic */
static __device__ unsigned done_product_2000x1000x1000_2[64];
extern "C" __global__ void __launch_bounds__(384, 1) product_2000x1000x1000_2(const __grid_constant__ NnrTensorMap a, const __grid_constant__ NnrTensorMap b, float *__restrict__ y, float *partial)
{
	unsigned *const done = done_product_2000x1000x1000_2;
	/* beside cuBLASLt's: rows, columns, depth, whether a is stored [depth, rows], parts of the depth */
	nnr_product<2000, 1000, 1000, false, 2>(a, b, y, partial, done);
}

/* bias_tanh_matmul_mse
 * rosenbrock_mlp.net:11,13
 * [2000,1]  42.0 MFLOP  8.0 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) bias_tanh_matmul_mse_2000x1000(const float *__restrict__ matmul, const float *__restrict__ bias, const float *__restrict__ weight, const float *__restrict__ bias_2, const float *__restrict__ y, float *__restrict__ add, float *__restrict__ mul)
{
	const int lane = threadIdx.x % 32;
	const int o = blockIdx.x * 8 + threadIdx.x / 32;
	const int i0 = o;
	float sum = 0;
	#pragma unroll
	for (int turn = 0; turn < 8; turn++) {
		const int r = (lane + turn * 32) * 4;
		if (r < 1000) {
			const int i1 = r;
			float matmul_in[4];
			nnr_load4(matmul_in, matmul + i0 * 1000 + i1);
			float bias_in[4];
			nnr_load4(bias_in, bias + i1);
			float weight_in[4];
			nnr_load4(weight_in, weight + i1);
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				sum += nnr_tanhf(matmul_in[u] + bias_in[u])*weight_in[u];
			}
		}
	}
	sum = nnr_warp_sum(sum);
	const float add_ = sum + bias_2[0];
	const float sub_ = add_ - y[i0];
	const float mul_ = sub_*sub_;
	if (lane == 0)
		add[i0] = add_;
	if (lane == 0)
		mul[i0] = mul_;
}

/* sum((tanh((matmul + bias)) * weight)) + bias_2
 * rosenbrock_mlp.net:11
 * [2000,1]  42.0 MFLOP  8.0 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) bias_tanh_matmul_2000x1000(const float *__restrict__ matmul, const float *__restrict__ bias, const float *__restrict__ weight, const float *__restrict__ bias_2, float *__restrict__ add)
{
	const int lane = threadIdx.x % 32;
	const int o = blockIdx.x * 8 + threadIdx.x / 32;
	const int i0 = o;
	float sum = 0;
	#pragma unroll
	for (int turn = 0; turn < 8; turn++) {
		const int r = (lane + turn * 32) * 4;
		if (r < 1000) {
			const int i1 = r;
			float matmul_in[4];
			nnr_load4(matmul_in, matmul + i0 * 1000 + i1);
			float bias_in[4];
			nnr_load4(bias_in, bias + i1);
			float weight_in[4];
			nnr_load4(weight_in, weight + i1);
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				sum += nnr_tanhf(matmul_in[u] + bias_in[u])*weight_in[u];
			}
		}
	}
	sum = nnr_warp_sum(sum);
	const float add_ = sum + bias_2[0];
	if (lane == 0)
		add[i0] = add_;
}

