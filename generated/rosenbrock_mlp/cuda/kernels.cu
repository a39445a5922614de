/* rosenbrock_mlp, from rosenbrock_mlp.net by nnc 0.3 for CUDA: the kernels. Do not edit: change the .net file and run nnc again.
 * Yours under any terms: LICENSE of nnc, "Exception for what nnc makes".
 *
 * data rosenbrock; optimizer adam(rate = 0.001, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-08, decay = 0); rate 0.001 constant; batch 2000; epochs 10; precision tf32; seed 0; decay weights
 * batch 2000   parameters 1.0 M (4.0 MB)   states 8.0 MB   arena 14.7 MB training, 8.0 MB evaluation
 *
 * Names say what is computed over what; sizes are constants, or arguments where that costs nothing. Compiles with NVRTC and with nvcc -I RUNTIME. */
#define NNR_TURNS_INPUTS /* a step reads an input transposed */
#include "cuda/nnr_device.h"
#include "cuda/nnr_product.h"

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
	float bias_in[4];
	float weight_in[4];
	if (const int r = threadIdx.x * 4; r < 1000) {
		nnr_load4(bias_in, bias + r);
		nnr_load4(weight_in, weight + r);
	}
	struct Rows {
		NnrRaw4<float> matmul_in_raw[4];
		float y_in[4];
	};
	const auto fetch = [&](Rows &to, int first) {
		auto &[matmul_in_raw, y_in] = to;
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			const int o = first + q;
			y_in[q] = y[o];
			if (const int r = threadIdx.x * 4; r < 1000) {
				nnr_load4(matmul_in_raw[q], matmul + o * 1000 + r);
			}
		}
	};
	Rows ahead;
	fetch(ahead, blockIdx.x * 4);
	for (int first = blockIdx.x * 4; first < 2000; first += 1000) {
		Rows now = ahead;
		auto &[matmul_in_raw, y_in] = now;
		float tanh_row[16];
		float matmul_2[4];
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			matmul_2[q] = 0;
			if (const int r = threadIdx.x * 4; r < 1000) {
				float matmul_in[4];
				nnr_load4(matmul_in, matmul_in_raw[q]);
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					const float tanh_ = nnr_tanhf(matmul_in[u] + bias_in[u]);
					matmul_2[q] += tanh_*weight_in[u];
					tanh_row[q * 4 + u] = tanh_;
				}
			}
		}
		if (first + 1000 < 2000)
			fetch(ahead, first + 1000);
		nnr_team_sums<256, 256>(matmul_2);
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			const int o = first + q;
			const float dense_ = matmul_2[q] + bias_2[0];
			const float error_ = dense_ - y_in[q];
			const float squared_error_ = error_*error_;
			const float dx_ = 0.001f*error_;
			sums[0] += squared_error_;
			sums[1] += dx_;
			if (const int r = threadIdx.x * 4; r < 1000) {
				float matmul_out[4];
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					const float dx_2_ = (dx_*weight_in[u])*(1.0f - (tanh_row[q * 4 + u]*tanh_row[q * 4 + u]));
					const float round_tf32_ = nnr_round_tf32f(dx_2_);
					sums[u + 2] += dx_*tanh_row[q * 4 + u];
					sums[u + 6] += dx_2_;
					matmul_out[u] = round_tf32_;
				}
				nnr_store4(matmul + o * 1000 + r, matmul_out);
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
extern "C" __global__ void __launch_bounds__(448) mean_bias_backward_matmul_backward_2000x1000(float *__restrict__ mean, float *__restrict__ dbias, float *__restrict__ dweight, float *__restrict__ dbias_2, float *partial)
{
	float sums[10];
	const int lane = blockIdx.x * 4 + threadIdx.x;
	if (!nnr_sums_take<256, 256, 11>(sums, partial, 250))
		return;
	if (const int r = lane * 4; r < 1000) {
		float dweight_out[4];
		float dbias_2_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float dbias_ = sums[u + 6];
			dweight_out[u] = sums[u + 2];
			dbias_2_out[u] = dbias_;
		}
		nnr_store4(dweight + r, dweight_out);
		nnr_store4(dbias_2 + r, dbias_2_out);
	}
	if (lane == 0) {
		const float sum_ = sums[0];
		const float mean_ = sum_/(2e+03f);
		const float dbias_2_ = sums[1];
		mean[0] = mean_;
		dbias[0] = dbias_2_;
	}
}

/* adam
 * rosenbrock_mlp.net:19
 * [1002001]  18.0 MFLOP  28.1 MB  bound: 5.8 us by memory */
extern "C" __global__ void __launch_bounds__(256, 8) adam_1002001(const float *__restrict__ pack, float *__restrict__ m, float *__restrict__ v, float *__restrict__ params, const NnrScalars *s)
{
	/* the same for all, and in double: by one thread, while the others load */
	__shared__ float v_correction;
	__shared__ float step_size;
	const int i = blockIdx.x * 256 + threadIdx.x;
	const int i0 = i * 4;
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
		v_correction = (float)(1/sqrt(-nnr_expm1(s->step*(-0.0010005003335835344))));
	if (threadIdx.x == 32)
		step_size = (float)(s->rate/(-nnr_expm1(s->step*(-0.10536051565782628))));
	__syncthreads();
	if (i >= 250501)
		return;
	float m_out[4];
	float v_out[4];
	float params_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float m_ = m_in[u] + ((pack_in[u] - m_in[u])*0.1f);
		const float squares_ = (v_in[u]*0.999f) + ((pack_in[u]*pack_in[u])*0.001f);
		const float v_ = squares_ + (squares_*0.0f);
		const float sub_ = params_in[u] - (step_size*(m_/((sqrtf(v_)*v_correction) + 1e-08f)));
		m_out[u] = m_;
		v_out[u] = v_;
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
	const int i0 = i * 4;
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
extern "C" __global__ void __launch_bounds__(256) bias_tanh_matmul_mse_2000x1000(const float *__restrict__ matmul, const float *__restrict__ bias, const float *__restrict__ weight, const float *__restrict__ bias_2, const float *__restrict__ y, float *__restrict__ dense, float *__restrict__ squared_error)
{
	const int lane = threadIdx.x % 32;
	const int o = blockIdx.x * 8 + threadIdx.x / 32;
	float matmul_2 = 0;
	#pragma unroll
	for (int turn = 0; turn < 8; turn++) {
		const int r = (lane + turn * 32) * 4;
		if (r < 1000) {
			float matmul_in[4];
			nnr_load4(matmul_in, matmul + o * 1000 + r);
			float bias_in[4];
			nnr_load4(bias_in, bias + r);
			float weight_in[4];
			nnr_load4(weight_in, weight + r);
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				matmul_2 += nnr_tanhf(matmul_in[u] + bias_in[u])*weight_in[u];
			}
		}
	}
	matmul_2 = nnr_warp_sum(matmul_2);
	const float dense_ = matmul_2 + bias_2[0];
	const float error_ = dense_ - y[o];
	const float squared_error_ = error_*error_;
	if (lane == 0)
		dense[o] = dense_;
	if (lane == 0)
		squared_error[o] = squared_error_;
}

/* sum((tanh((matmul + bias)) * weight)) + bias_2
 * rosenbrock_mlp.net:11
 * [2000,1]  42.0 MFLOP  8.0 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) bias_tanh_matmul_2000x1000(const float *__restrict__ matmul, const float *__restrict__ bias, const float *__restrict__ weight, const float *__restrict__ bias_2, float *__restrict__ dense)
{
	const int lane = threadIdx.x % 32;
	const int o = blockIdx.x * 8 + threadIdx.x / 32;
	float matmul_2 = 0;
	#pragma unroll
	for (int turn = 0; turn < 8; turn++) {
		const int r = (lane + turn * 32) * 4;
		if (r < 1000) {
			float matmul_in[4];
			nnr_load4(matmul_in, matmul + o * 1000 + r);
			float bias_in[4];
			nnr_load4(bias_in, bias + r);
			float weight_in[4];
			nnr_load4(weight_in, weight + r);
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				matmul_2 += nnr_tanhf(matmul_in[u] + bias_in[u])*weight_in[u];
			}
		}
	}
	matmul_2 = nnr_warp_sum(matmul_2);
	const float dense_ = matmul_2 + bias_2[0];
	if (lane == 0)
		dense[o] = dense_;
}

