/* gpt, from gpt.net by nnc 0.3 for CUDA: the kernels. Do not edit: change the .net file and run nnc again.
 * Yours under any terms: LICENSE of nnc, "Exception for what nnc makes".
 *
 * data characters; optimizer adamw(rate = 0.001, beta1 = 0.9, beta2 = 0.99, epsilon = 1e-08, decay = 0.1); rate 0.001 warmup 100it cosine to 0.0001; batch 32; steps 2000; precision tf32; seed 0; clip 1; decay weights
 * batch 32   parameters 842.5 k (3.4 MB)   states 6.7 MB   arena 172.8 MB training, 14.7 MB evaluation
 *
 * Names say what is computed over what; sizes are constants, or arguments where that costs nothing. Compiles with NVRTC and with nvcc -I RUNTIME. */
#include "cuda/nnr_device.h"
#include "cuda/nnr_attention_backward.h"

/* embedding(w, index) + places
 * gpt.net:18
 * [32,128,128]  524.3 kFLOP  2.3 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) embedding_add_32x128x128(const float *__restrict__ w, const int32_t *__restrict__ index, const float *__restrict__ places, float *__restrict__ add)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	const int row = i / 32;
	const int c = i % 32 * 4;
	const int at = index[row];
	float e[4];
	#pragma unroll
	for (int u = 0; u < 4; u++)
		e[u] = 0;
	if (at >= 0 && at < 256) {
		nnr_load4(e, w + at * 128 + c);
	}
	float places_in[4];
	nnr_load4(places_in, places + (row % 128) * 128 + c);
	float add_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float add_ = e[u] + places_in[u];
		add_out[u] = add_;
	}
	nnr_store4(add + (row / 128) * 16384 + (row % 128) * 128 + c, add_out);
}

/* layernorm of transformer
 * transformer.net:29
 * [32,128,128]  3.7 MFLOP  4.2 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) layernorm_4096x128(const float *__restrict__ add, const float *__restrict__ weight, const float *__restrict__ bias, float *__restrict__ round_tf32)
{
	const int lane = threadIdx.x % 32;
	const int o = blockIdx.x * 8 + threadIdx.x / 32;
	float x_sum = 0;
	{
		const int r = lane * 4;
		float add_in[4];
		nnr_load4(add_in, add + o * 128 + r);
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			x_sum += add_in[u];
		}
	}
	x_sum = nnr_warp_sum(x_sum);
	const float mean_ = x_sum*0.0078125f;
	float sum = 0;
	{
		const int r = lane * 4;
		float add_in_2[4];
		nnr_load4(add_in_2, add + o * 128 + r);
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float centred_ = add_in_2[u] - mean_;
			sum += centred_*centred_;
		}
	}
	sum = nnr_warp_sum(sum);
	const float var_ = sum*0.0078125f;
	const float add_ = var_ + 1e-05f;
	const float rstd_ = 1/sqrtf(add_);
	{
		const int r = lane * 4;
		float add_in_3[4];
		nnr_load4(add_in_3, add + o * 128 + r);
		float weight_in[4];
		nnr_load4(weight_in, weight + r);
		float bias_in[4];
		nnr_load4(bias_in, bias + r);
		float round_tf32_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float layernorm_ = (((add_in_3[u] - mean_)*rstd_)*weight_in[u]) + bias_in[u];
			const float round_tf32_ = nnr_round_tf32f(layernorm_);
			round_tf32_out[u] = round_tf32_;
		}
		nnr_store4(round_tf32 + o * 128 + r, round_tf32_out);
	}
}

/* round_tf32((matmul + bias))
 * transformer.net:9
 * [4096,384]  1.6 MFLOP  12.6 MB  bound: 2.6 us by memory */
extern "C" __global__ void __launch_bounds__(256) bias_4096x384(float *__restrict__ matmul, const float *__restrict__ bias)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= 393216)
		return;
	const int i1 = (i * 4) % 384;
	const int i0 = (i * 4) / 384;
	float matmul_in[4];
	nnr_load4(matmul_in, matmul + i0 * 384 + i1);
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	float matmul_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float round_tf32_ = nnr_round_tf32f(matmul_in[u] + bias_in[u]);
		matmul_out[u] = round_tf32_;
	}
	nnr_store4(matmul + i0 * 384 + i1, matmul_out);
}

/* attention_logs(x, attention(x)); attention(x)
 * transformer.net:21
 * [32,128,128]  134.2 MFLOP  8.5 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(128) attention_32x128x128(const float *__restrict__ x, float *__restrict__ y, float *__restrict__ attention_logs)
{
	/* heads of queries and of keys, places of both, columns of a head; whether a place looks at those before it alone;
	 * elements between rows, and to keys and values */
	using Attention = NnrAttention<float, 4, 4, 128, 128, 32, true, true, 384, 384, 128, 256>;
	using Cut = NnrByWarps;
	NNR_CHIP(chip, 27648);
	nnr_attention_forward<Attention, Cut, 32>(chip, x, NnrNoMask(), y, attention_logs, 0.176776695f, NnrKeepAll());
}

/* bias_add_layernorm of transformer
 * transformer.net:22,33,34
 * [4096,128]  4.8 MFLOP  8.4 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) bias_add_layernorm_4096x128(const float *__restrict__ matmul, const float *__restrict__ bias, const float *__restrict__ add, const float *__restrict__ weight, const float *__restrict__ bias_2, float *__restrict__ add_2, float *__restrict__ mean, float *__restrict__ rstd, float *__restrict__ round_tf32)
{
	const int lane = threadIdx.x % 32;
	const int o = blockIdx.x * 8 + threadIdx.x / 32;
	float x_sum = 0;
	{
		const int r = lane * 4;
		float matmul_in[4];
		nnr_load4(matmul_in, matmul + o * 128 + r);
		float bias_in[4];
		nnr_load4(bias_in, bias + r);
		float add_in[4];
		nnr_load4(add_in, add + o * 128 + r);
		float add_2_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float add_ = add_in[u] + (matmul_in[u] + bias_in[u]);
			x_sum += add_;
			add_2_out[u] = add_;
		}
		nnr_store4(add_2 + o * 128 + r, add_2_out);
	}
	x_sum = nnr_warp_sum(x_sum);
	const float mean_ = x_sum*0.0078125f;
	if (lane == 0)
		mean[o] = mean_;
	float sum = 0;
	{
		const int r = lane * 4;
		float add_2_in[4];
		nnr_load4(add_2_in, add_2 + o * 128 + r);
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float centred_ = add_2_in[u] - mean_;
			sum += centred_*centred_;
		}
	}
	sum = nnr_warp_sum(sum);
	const float var_ = sum*0.0078125f;
	const float add_2_ = var_ + 1e-05f;
	const float rstd_ = 1/sqrtf(add_2_);
	if (lane == 0)
		rstd[o] = rstd_;
	{
		const int r = lane * 4;
		float add_2_in_2[4];
		nnr_load4(add_2_in_2, add_2 + o * 128 + r);
		float weight_in[4];
		nnr_load4(weight_in, weight + r);
		float bias_2_in[4];
		nnr_load4(bias_2_in, bias_2 + r);
		float round_tf32_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float layernorm_ = (((add_2_in_2[u] - mean_)*rstd_)*weight_in[u]) + bias_2_in[u];
			const float round_tf32_ = nnr_round_tf32f(layernorm_);
			round_tf32_out[u] = round_tf32_;
		}
		nnr_store4(round_tf32 + o * 128 + r, round_tf32_out);
	}
}

/* round_tf32(gelu((matmul + bias)))
 * transformer.net:34,35,36
 * [4096,512]  44.0 MFLOP  16.8 MB  bound: 3.5 us by memory */
extern "C" __global__ void __launch_bounds__(256) bias_gelu_round_tf32_4096x512(const float *__restrict__ matmul, const float *__restrict__ bias, float *__restrict__ round_tf32)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= 524288)
		return;
	const int i1 = (i * 4) % 512;
	const int i0 = (i * 4) / 512;
	float matmul_in[4];
	nnr_load4(matmul_in, matmul + i0 * 512 + i1);
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	float round_tf32_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float dense_ = matmul_in[u] + bias_in[u];
		const float round_tf32_ = nnr_round_tf32f(dense_*nnr_normal_cdff(dense_));
		round_tf32_out[u] = round_tf32_;
	}
	nnr_store4(round_tf32 + i0 * 512 + i1, round_tf32_out);
}

/* cross_entropy_backward_accuracy
 * gpt.net:23,25,26
 * [4096,256]  30.5 MFLOP  8.4 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) cross_entropy_backward_accuracy_4096x256(const float *__restrict__ dense, const int32_t *__restrict__ next_2, float *__restrict__ cross_entropy, float *__restrict__ is_right, float *__restrict__ round_tf32)
{
	const int lane = threadIdx.x % 32;
	const int o = blockIdx.x * 8 + threadIdx.x / 32;
	float exp_row[8];
	float max_ = -INFINITY;
	float own_score = 0;
	#pragma unroll
	for (int turn = 0; turn < 2; turn++) {
		const int r = (lane + turn * 32) * 4;
		float dense_in[4];
		nnr_load4(dense_in, dense + o * 256 + r);
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			max_ = nnr_maxf(max_, dense_in[u]);
			own_score += next_2[o] == (r + u) ? dense_in[u] : 0.0f;
		}
	}
	max_ = nnr_warp_max(max_);
	own_score = nnr_warp_sum(own_score);
	float exp_sum = 0;
	float rank = 0;
	#pragma unroll
	for (int turn = 0; turn < 2; turn++) {
		const int r = (lane + turn * 32) * 4;
		float dense_in_2[4];
		nnr_load4(dense_in_2, dense + o * 256 + r);
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float exp_ = nnr_expf(dense_in_2[u] - max_);
			const float outranks_ = dense_in_2[u] < own_score || (dense_in_2[u] == own_score && (r + u) >= next_2[o]) ? 0 : 1;
			exp_sum += exp_;
			rank += outranks_;
			exp_row[turn * 4 + u] = exp_;
		}
	}
	exp_sum = nnr_warp_sum(exp_sum);
	rank = nnr_warp_sum(rank);
	const float log_ = nnr_logf(exp_sum);
	const float is_right_ = rank < 1.0f ? 1 : 0;
	const float div_ = 1.0f/exp_sum;
	if (lane == 0)
		is_right[o] = is_right_;
	float cross_entropy_2 = 0;
	#pragma unroll
	for (int turn = 0; turn < 2; turn++) {
		const int r = (lane + turn * 32) * 4;
		float dense_in_3[4];
		nnr_load4(dense_in_3, dense + o * 256 + r);
		float round_tf32_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float one_hot_ = next_2[o] == (r + u) ? 1 : 0;
			const float weighed_cost_ = one_hot_ != 0 ? (one_hot_*(log_ - (dense_in_3[u] - max_))) : 0.0f;
			const float round_tf32_ = nnr_round_tf32f(0.00024414062f*((exp_row[turn * 4 + u]*div_) - one_hot_));
			cross_entropy_2 += weighed_cost_;
			round_tf32_out[u] = round_tf32_;
		}
		nnr_store4(round_tf32 + o * 256 + r, round_tf32_out);
	}
	cross_entropy_2 = nnr_warp_sum(cross_entropy_2);
	if (lane == 0)
		cross_entropy[o] = cross_entropy_2;
}

/* sum((sum(cross_entropy) * 0.0078125)) * 0.03125
 * gpt.net:25
 * []  4.2 kFLOP  16.4 kB  bound: latency */
static __device__ unsigned done_cross_entropy_mean_32x128[2];
extern "C" __global__ void __launch_bounds__(256, 4) cross_entropy_mean_32x128(const float *__restrict__ cross_entropy, float *__restrict__ mean, float *partial)
{
	unsigned *const done = done_cross_entropy_mean_32x128;
	const int lane = threadIdx.x % 32;
	const int team = threadIdx.x / 32;
	float sums[1] = {0};
	struct Rows {
		NnrRaw4<float> cross_entropy_in_raw[1];
	};
	const auto fetch = [&](Rows &to, int first) {
		auto &[cross_entropy_in_raw] = to;
		{
			const int o = first + team;
			const int r = lane * 4;
			nnr_load4(cross_entropy_in_raw[0], cross_entropy + o * 128 + r);
		}
	};
	for (int first = blockIdx.x * 8; first < 32; first += 32) {
		Rows now;
		fetch(now, first);
		auto &[cross_entropy_in_raw] = now;
		float sum[1];
		{
			sum[0] = 0;
			float cross_entropy_in[4];
			nnr_load4(cross_entropy_in, cross_entropy_in_raw[0]);
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				sum[0] += cross_entropy_in[u];
			}
		}
		nnr_team_sums<32, 256>(sum);
		{
			const float cross_entropy_ = sum[0]*0.0078125f;
			sums[0] += cross_entropy_;
		}
	}
	if (!nnr_blocks_sum<32, 256>(sums, partial, done, 4))
		return;
	if (threadIdx.x == 0) {
		const float sum_ = sums[0];
		const float mean_ = sum_*0.03125f;
		mean[0] = mean_;
	}
}

/* sum((sum(is_right) * 0.0078125)) * 0.03125
 * gpt.net:26
 * []  4.2 kFLOP  16.4 kB  bound: latency */
static __device__ unsigned done_accuracy_mean_32x128[2];
extern "C" __global__ void __launch_bounds__(256, 4) accuracy_mean_32x128(const float *__restrict__ is_right, float *__restrict__ mean, float *partial)
{
	unsigned *const done = done_accuracy_mean_32x128;
	const int lane = threadIdx.x % 32;
	const int team = threadIdx.x / 32;
	float sums[1] = {0};
	struct Rows {
		NnrRaw4<float> is_right_in_raw[1];
	};
	const auto fetch = [&](Rows &to, int first) {
		auto &[is_right_in_raw] = to;
		{
			const int o = first + team;
			const int r = lane * 4;
			nnr_load4(is_right_in_raw[0], is_right + o * 128 + r);
		}
	};
	for (int first = blockIdx.x * 8; first < 32; first += 32) {
		Rows now;
		fetch(now, first);
		auto &[is_right_in_raw] = now;
		float sum[1];
		{
			sum[0] = 0;
			float is_right_in[4];
			nnr_load4(is_right_in, is_right_in_raw[0]);
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				sum[0] += is_right_in[u];
			}
		}
		nnr_team_sums<32, 256>(sum);
		{
			const float accuracy_ = sum[0]*0.0078125f;
			sums[0] += accuracy_;
		}
	}
	if (!nnr_blocks_sum<32, 256>(sums, partial, done, 4))
		return;
	if (threadIdx.x == 0) {
		const float sum_ = sums[0];
		const float mean_ = sum_*0.03125f;
		mean[0] = mean_;
	}
}

/* layernorm_bias_backward
 * transformer.net:36 gpt.net:23
 * [4096,128]  7.3 MFLOP  6.3 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256, 3) layernorm_bias_backward_4096x128(float *__restrict__ dy, const float *__restrict__ weight, const float *__restrict__ add, const float *__restrict__ mean, const float *__restrict__ rstd, float *partial)
{
	const int lane = threadIdx.x % 32;
	const int team = threadIdx.x / 32;
	float sums[12] = {0};
	float weight_in[4];
	{
		const int r = lane * 4;
		nnr_load4(weight_in, weight + r);
	}
	struct Rows {
		NnrRaw4<float> dy_in_raw[4];
		NnrRaw4<float> add_in_raw[4];
		float mean_in[4];
		float rstd_in[4];
	};
	const auto fetch = [&](Rows &to, int first) {
		auto &[dy_in_raw, add_in_raw, mean_in, rstd_in] = to;
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			const int o = first + team * 4 + q;
			mean_in[q] = mean[o];
			rstd_in[q] = rstd[o];
			const int r = lane * 4;
			nnr_load4(dy_in_raw[q], dy + o * 128 + r);
			nnr_load4(add_in_raw[q], add + o * 128 + r);
		}
	};
	for (int first = blockIdx.x * 32; first < 4096; first += 4096) {
		Rows now;
		fetch(now, first);
		auto &[dy_in_raw, add_in_raw, mean_in, rstd_in] = now;
		float sum[4];
		float sum_2[4];
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			sum[q] = 0;
			sum_2[q] = 0;
			float dy_in[4];
			nnr_load4(dy_in, dy_in_raw[q]);
			float add_in[4];
			nnr_load4(add_in, add_in_raw[q]);
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				const float dxhat_ = dy_in[u]*weight_in[u];
				const float xhat_ = (add_in[u] - mean_in[q])*rstd_in[q];
				sum[q] += dxhat_;
				sum_2[q] += dxhat_*xhat_;
				sums[u] += dy_in[u]*xhat_;
				sums[u + 4] += dy_in[u];
			}
		}
		nnr_team_sums<32, 256>(sum, sum_2);
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			const int o = first + team * 4 + q;
			const float dxhat_mean_ = sum[q]*0.0078125f;
			const float dxhat_xhat_mean_ = sum_2[q]*0.0078125f;
			const int r = lane * 4;
			float dy_in[4];
			nnr_load4(dy_in, dy_in_raw[q]);
			float add_in[4];
			nnr_load4(add_in, add_in_raw[q]);
			float dy_out[4];
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				const float sub_ = ((dy_in[u]*weight_in[u]) - dxhat_mean_) - (((add_in[u] - mean_in[q])*rstd_in[q])*dxhat_xhat_mean_);
				const float dx_ = rstd_in[q]*sub_;
				sums[u + 8] += dx_;
				dy_out[u] = dx_;
			}
			nnr_store4(dy + o * 128 + r, dy_out);
		}
	}
	nnr_sums_leave<32, 256>(sums, partial);
}

/* layernorm_bias_backward
 * transformer.net:36 gpt.net:23
 * [128]  0 FLOP  1.5 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(288) layernorm_bias_backward_4096x128_2(float *__restrict__ dweight, float *__restrict__ dbias, float *__restrict__ dbias_2, float *partial)
{
	float sums[12];
	const int lane = blockIdx.x * 4 + threadIdx.x;
	if (!nnr_sums_take<32, 256, 6>(sums, partial, 128))
		return;
	{
		const int r = lane * 4;
		float dweight_out[4];
		float dbias_out[4];
		float dbias_2_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float dweight_ = sums[u];
			const float dbias_ = sums[u + 4];
			const float dbias_2_ = sums[u + 8];
			dweight_out[u] = dweight_;
			dbias_out[u] = dbias_;
			dbias_2_out[u] = dbias_2_;
		}
		nnr_store4(dweight + r, dweight_out);
		nnr_store4(dbias + r, dbias_out);
		nnr_store4(dbias_2 + r, dbias_2_out);
	}
}

/* sum((dy * gelu_slope((matmul + bias)))); round_tf32((dy * gelu_slope((matmul + bias))))
 * transformer.net:34,35
 * [4096,512]  52.4 MFLOP  25.2 MB  bound: 5.2 us by memory */
static __device__ unsigned done_bias_gelu_backward_4096x512[16];
extern "C" __global__ void __launch_bounds__(256) bias_gelu_backward_4096x512(const float *__restrict__ matmul, const float *__restrict__ bias, const float *__restrict__ dy, float *__restrict__ round_tf32, float *__restrict__ dbias, float *partial)
{
	unsigned *const done = done_bias_gelu_backward_4096x512;
	const int slab = blockIdx.x / 16, at = blockIdx.x % 16;
	const int i1 = slab * 32 + threadIdx.x % 8 * 4;
	const int column = slab * 32 + threadIdx.x;
	const int row = at * 32 + threadIdx.x / 8;
	float matmul_in[16];
	float dy_in[16];
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	__shared__ float dbias_2_parts[256];
	float dbias_2[4];
	nnr_fill4(dbias_2, 0);
	for (int last = 4095 - row; last >= 0; last -= 2048) {
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			const int r = max(last - k * 512, 0);
			nnr_load4(matmul_in + k * 4, matmul + r * 512 + i1);
			nnr_load4(dy_in + k * 4, dy + r * 512 + i1);
		}
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			const int r = max(last - k * 512, 0);
			float round_tf32_out[4];
			if (last >= k * 512) {
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					const float dx_ = dy_in[k * 4 + u]*nnr_gelu_slopef(matmul_in[k * 4 + u] + bias_in[u]);
					const float round_tf32_ = nnr_round_tf32f(dx_);
					dbias_2[u] += dx_;
					round_tf32_out[u] = round_tf32_;
				}
				nnr_store4(round_tf32 + r * 512 + i1, round_tf32_out);
			}
		}
	}
	nnr_slab_leave<NnrSum<float>, 32>(dbias_2_parts, dbias_2);
	__syncthreads();
	if (threadIdx.x < 32) {
		partial[at * 512 + column] = nnr_slab_take<NnrSum<float>, 32, 8>(dbias_2_parts + threadIdx.x);
	}
	if (!nnr_last_block(&done[slab], 16))
		return;
	nnr_fill4(dbias_2, 0);
	#pragma unroll 8
	for (int part = threadIdx.x / 8; part < 16; part += 32) {
		nnr_combine4<NnrSum<float>>(dbias_2, partial + part * 512 + i1);
	}
	nnr_slab_leave<NnrSum<float>, 32>(dbias_2_parts, dbias_2);
	__syncthreads();
	if (threadIdx.x < 32) {
		const float dbias_2_total = nnr_slab_take<NnrSum<float>, 32, 8>(dbias_2_parts + threadIdx.x);
		dbias[column] = dbias_2_total;
	}
}

/* layernorm_add_bias_backward
 * transformer.net:22,34 gpt.net:23
 * [4096,128]  7.9 MFLOP  8.4 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256, 2) layernorm_add_bias_backward_4096x128(float *__restrict__ dy, const float *__restrict__ weight, const float *__restrict__ add, const float *__restrict__ mean, const float *__restrict__ rstd, const float *__restrict__ dy_2, float *partial)
{
	const int lane = threadIdx.x % 32;
	const int team = threadIdx.x / 32;
	float sums[12] = {0};
	float weight_in[4];
	{
		const int r = lane * 4;
		nnr_load4(weight_in, weight + r);
	}
	struct Rows {
		NnrRaw4<float> dy_in_raw[4];
		NnrRaw4<float> add_in_raw[4];
		NnrRaw4<float> dy_2_in_raw[4];
		float mean_in[4];
		float rstd_in[4];
	};
	const auto fetch = [&](Rows &to, int first) {
		auto &[dy_in_raw, add_in_raw, dy_2_in_raw, mean_in, rstd_in] = to;
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			const int o = first + team * 4 + q;
			mean_in[q] = mean[o];
			rstd_in[q] = rstd[o];
			const int r = lane * 4;
			nnr_load4(dy_in_raw[q], dy + o * 128 + r);
			nnr_load4(add_in_raw[q], add + o * 128 + r);
			nnr_load4(dy_2_in_raw[q], dy_2 + o * 128 + r);
		}
	};
	for (int first = blockIdx.x * 32; first < 4096; first += 4096) {
		Rows now;
		fetch(now, first);
		auto &[dy_in_raw, add_in_raw, dy_2_in_raw, mean_in, rstd_in] = now;
		float sum[4];
		float sum_2[4];
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			sum[q] = 0;
			sum_2[q] = 0;
			float dy_in[4];
			nnr_load4(dy_in, dy_in_raw[q]);
			float add_in[4];
			nnr_load4(add_in, add_in_raw[q]);
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				const float dxhat_ = dy_in[u]*weight_in[u];
				const float xhat_ = (add_in[u] - mean_in[q])*rstd_in[q];
				sum[q] += dxhat_;
				sum_2[q] += dxhat_*xhat_;
				sums[u] += dy_in[u]*xhat_;
				sums[u + 4] += dy_in[u];
			}
		}
		nnr_team_sums<32, 256>(sum, sum_2);
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			const int o = first + team * 4 + q;
			const float dxhat_mean_ = sum[q]*0.0078125f;
			const float dxhat_xhat_mean_ = sum_2[q]*0.0078125f;
			const int r = lane * 4;
			float dy_in[4];
			nnr_load4(dy_in, dy_in_raw[q]);
			float add_in[4];
			nnr_load4(add_in, add_in_raw[q]);
			float dy_2_in[4];
			nnr_load4(dy_2_in, dy_2_in_raw[q]);
			float dy_out[4];
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				const float sub_ = ((dy_in[u]*weight_in[u]) - dxhat_mean_) - (((add_in[u] - mean_in[q])*rstd_in[q])*dxhat_xhat_mean_);
				const float dx_ = dy_2_in[u] + (rstd_in[q]*sub_);
				sums[u + 8] += dx_;
				dy_out[u] = dx_;
			}
			nnr_store4(dy + o * 128 + r, dy_out);
		}
	}
	nnr_sums_leave<32, 256>(sums, partial);
}

/* round_tf32(sum((attention * dy)))
 * transformer.net:21
 * [32,128,4,1]  1.0 MFLOP  4.3 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) attention_backward_16384x32(const float *__restrict__ attention, const float *__restrict__ dy, float *__restrict__ round_tf32)
{
	const int lane = threadIdx.x % 8;
	const int o = blockIdx.x * 32 + threadIdx.x / 8;
	float sum = 0;
	{
		const int r = lane * 4;
		float attention_in[4];
		nnr_load4(attention_in, attention + o * 32 + r);
		float dy_in[4];
		nnr_load4(dy_in, dy + o * 32 + r);
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			sum += attention_in[u]*dy_in[u];
		}
	}
	sum = nnr_lanes_sum<8>(sum);
	const float round_tf32_ = nnr_round_tf32f(sum);
	if (lane == 0)
		round_tf32[o] = round_tf32_;
}

/* attention_grad(x, y, dy, logs, taken)
 * transformer.net:21
 * [32,128,384]  469.8 MFLOP  16.9 MB  bound: 3.5 us by memory */
extern "C" __global__ void __launch_bounds__(128) attention_backward_32x128x384(const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ dy, const float *__restrict__ logs, const float *__restrict__ taken, float *__restrict__ dx)
{
	/* heads of queries and of keys, places of both, columns of a head; whether a place looks at those before it alone;
	 * elements between rows, and to keys and values */
	using Attention = NnrAttention<float, 4, 4, 128, 128, 32, true, true, 384, 384, 128, 256>;
	using Cut = NnrByWarps;
	NNR_CHIP(chip, 36864);
	(void)y;
	nnr_attention_backward<Attention, Cut, 32>(chip, x, NnrNoMask(), dy, logs, taken, dx, 0.176776695f, NnrKeepAll());
}

/* sum(dy)
 * transformer.net:9
 * [384]  1.6 MFLOP  6.3 MB  bound: latency */
static __device__ unsigned done_bias_backward_4096x384[12];
extern "C" __global__ void __launch_bounds__(256) bias_backward_4096x384(const float *__restrict__ dy, float *__restrict__ dbias, float *partial)
{
	unsigned *const done = done_bias_backward_4096x384;
	const int slab = blockIdx.x / 16, at = blockIdx.x % 16;
	const int i1 = slab * 32 + threadIdx.x % 8 * 4;
	const int column = slab * 32 + threadIdx.x;
	const int row = at * 32 + threadIdx.x / 8;
	float dy_in[32];
	__shared__ float dbias_2_parts[256];
	float dbias_2[4];
	nnr_fill4(dbias_2, 0);
	for (int last = 4095 - row; last >= 0; last -= 4096) {
		#pragma unroll
		for (int k = 0; k < 8; k++) {
			const int r = max(last - k * 512, 0);
			nnr_load4(dy_in + k * 4, dy + r * 384 + i1);
		}
		#pragma unroll
		for (int k = 0; k < 8; k++) {
			if (last >= k * 512) {
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					dbias_2[u] += dy_in[k * 4 + u];
				}
			}
		}
	}
	nnr_slab_leave<NnrSum<float>, 32>(dbias_2_parts, dbias_2);
	__syncthreads();
	if (threadIdx.x < 32) {
		partial[at * 384 + column] = nnr_slab_take<NnrSum<float>, 32, 8>(dbias_2_parts + threadIdx.x);
	}
	if (!nnr_last_block(&done[slab], 16))
		return;
	nnr_fill4(dbias_2, 0);
	#pragma unroll 8
	for (int part = threadIdx.x / 8; part < 16; part += 32) {
		nnr_combine4<NnrSum<float>>(dbias_2, partial + part * 384 + i1);
	}
	nnr_slab_leave<NnrSum<float>, 32>(dbias_2_parts, dbias_2);
	__syncthreads();
	if (threadIdx.x < 32) {
		const float dbias_2_total = nnr_slab_take<NnrSum<float>, 32, 8>(dbias_2_parts + threadIdx.x);
		dbias[column] = dbias_2_total;
	}
}

/* layernorm_add_backward
 * transformer.net:29,34 gpt.net:23
 * [4096,128]  9.0 MFLOP  8.4 MB  bound: latency */
static __device__ unsigned done_layernorm_add_backward_4096x128[7];
extern "C" __global__ void __launch_bounds__(256, 2) layernorm_add_backward_4096x128(float *__restrict__ add, const float *__restrict__ dy, const float *__restrict__ weight, const float *__restrict__ dy_2, float *__restrict__ dweight, float *__restrict__ dbias, float *partial)
{
	unsigned *const done = done_layernorm_add_backward_4096x128;
	const int lane = threadIdx.x % 32;
	const int team = threadIdx.x / 32;
	float sums[8] = {0};
	float weight_in[4];
	{
		const int r = lane * 4;
		nnr_load4(weight_in, weight + r);
	}
	struct Rows {
		NnrRaw4<float> dy_in_raw[4];
		NnrRaw4<float> add_in_raw[4];
		NnrRaw4<float> dy_2_in_raw[4];
	};
	const auto fetch = [&](Rows &to, int first) {
		auto &[dy_in_raw, add_in_raw, dy_2_in_raw] = to;
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			const int o = first + team * 4 + q;
			const int r = lane * 4;
			nnr_load4(dy_in_raw[q], dy + o * 128 + r);
			nnr_load4(add_in_raw[q], add + o * 128 + r);
			nnr_load4(dy_2_in_raw[q], dy_2 + o * 128 + r);
		}
	};
	for (int first = blockIdx.x * 32; first < 4096; first += 4096) {
		Rows now;
		fetch(now, first);
		auto &[dy_in_raw, add_in_raw, dy_2_in_raw] = now;
		float x_sum[4];
		float sum_2[4];
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			x_sum[q] = 0;
			sum_2[q] = 0;
			float dy_in[4];
			nnr_load4(dy_in, dy_in_raw[q]);
			float add_in[4];
			nnr_load4(add_in, add_in_raw[q]);
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				x_sum[q] += add_in[u];
				sum_2[q] += dy_in[u]*weight_in[u];
				sums[u + 4] += dy_in[u];
			}
		}
		nnr_team_sums<32, 256>(x_sum, sum_2);
		float sum[4];
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			sum[q] = 0;
			const float mean_ = x_sum[q]*0.0078125f;
			float add_in[4];
			nnr_load4(add_in, add_in_raw[q]);
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				const float centred_ = add_in[u] - mean_;
				sum[q] += centred_*centred_;
			}
		}
		nnr_team_sums<32, 256>(sum);
		float sum_3[4];
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			sum_3[q] = 0;
			const float mean_2_ = x_sum[q]*0.0078125f;
			const float var_ = sum[q]*0.0078125f;
			const float add_ = var_ + 1e-05f;
			const float rstd_ = 1/sqrtf(add_);
			float dy_in[4];
			nnr_load4(dy_in, dy_in_raw[q]);
			float add_in[4];
			nnr_load4(add_in, add_in_raw[q]);
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				const float xhat_ = (add_in[u] - mean_2_)*rstd_;
				sum_3[q] += (dy_in[u]*weight_in[u])*xhat_;
				sums[u] += dy_in[u]*xhat_;
			}
		}
		nnr_team_sums<32, 256>(sum_3);
		#pragma unroll
		for (int q = 0; q < 4; q++) {
			const int o = first + team * 4 + q;
			const float mean_3_ = x_sum[q]*0.0078125f;
			const float dxhat_mean_ = sum_2[q]*0.0078125f;
			const float var_2_ = sum[q]*0.0078125f;
			const float add_2_ = var_2_ + 1e-05f;
			const float rstd_2_ = 1/sqrtf(add_2_);
			const float dxhat_xhat_mean_ = sum_3[q]*0.0078125f;
			const int r = lane * 4;
			float dy_in[4];
			nnr_load4(dy_in, dy_in_raw[q]);
			float add_in[4];
			nnr_load4(add_in, add_in_raw[q]);
			float dy_2_in[4];
			nnr_load4(dy_2_in, dy_2_in_raw[q]);
			float add_out[4];
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				const float sub_ = ((dy_in[u]*weight_in[u]) - dxhat_mean_) - (((add_in[u] - mean_3_)*rstd_2_)*dxhat_xhat_mean_);
				const float dx_ = dy_2_in[u] + (rstd_2_*sub_);
				add_out[u] = dx_;
			}
			nnr_store4(add + o * 128 + r, add_out);
		}
	}
	if (!nnr_blocks_sum<32, 256>(sums, partial, done, 128))
		return;
	if (team == 0) {
		const int r = lane * 4;
		float dweight_out[4];
		float dbias_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float dweight_ = sums[u];
			const float dbias_ = sums[u + 4];
			dweight_out[u] = dweight_;
			dbias_out[u] = dbias_;
		}
		nnr_store4(dweight + r, dweight_out);
		nnr_store4(dbias + r, dbias_out);
	}
}

/* sum(dy)
 * gpt.net:16,18
 * [128,128]  524.3 kFLOP  2.2 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) add_backward_32x16384(const float *__restrict__ dy, float *__restrict__ dplaces)
{
	const int slab = blockIdx.x;
	const int i1 = slab * 128 + threadIdx.x % 32 * 4;
	const int column = slab * 128 + threadIdx.x;
	const int row = threadIdx.x / 32;
	float dy_in[32];
	__shared__ float dplaces_2_parts[1024];
	float dplaces_2[4];
	nnr_fill4(dplaces_2, 0);
	for (int last = 31 - row; last >= 0; last -= 64) {
		#pragma unroll
		for (int k = 0; k < 8; k++) {
			const int r = max(last - k * 8, 0);
			nnr_load4(dy_in + k * 4, dy + r * 16384 + i1);
		}
		#pragma unroll
		for (int k = 0; k < 8; k++) {
			if (last >= k * 8) {
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					dplaces_2[u] += dy_in[k * 4 + u];
				}
			}
		}
	}
	nnr_slab_leave<NnrSum<float>, 128>(dplaces_2_parts, dplaces_2);
	__syncthreads();
	if (threadIdx.x < 128) {
		const float dplaces_2_total = nnr_slab_take<NnrSum<float>, 128, 8>(dplaces_2_parts + threadIdx.x);
		dplaces[column] = dplaces_2_total;
	}
}

/* dwords + embedding_grad(dy, index)
 * gpt.net:15,18,23
 * [256,128]  557.1 kFLOP  2.4 MB  bound: latency */
static __device__ unsigned done_embedding_add_backward_256x128[8];
extern "C" __global__ void __launch_bounds__(256) embedding_add_backward_256x128(const float *__restrict__ dy, const int32_t *__restrict__ index, const float *__restrict__ dwords, float *__restrict__ dwords_2, float *partial)
{
	unsigned *const done = done_embedding_add_backward_256x128;
	/* rows of the block; threads for each, and their columns */
	__shared__ NnrRowSums<float, 128, 8, 4> shared;
	const int first_row = blockIdx.x / 16 * 128;
	const int slab = blockIdx.x / 4 % 4 * 32;
	const int part = blockIdx.x % 4 * 1024;
	nnr_rows_sum<true>(shared, dy + part * 128 + slab, 128, 128 - slab, index + part, 1024, first_row);
	const int tile = blockIdx.x / 4;
	nnr_rows_leave(shared, partial + blockIdx.x * 4096);
	if (!nnr_last_block(&done[tile], 4))
		return;
	#pragma unroll 4
	for (int i = threadIdx.x; i < 1024; i += 256) {
		const int row = first_row + i / 8;
		const int c = slab + i % 8 * 4;
		float sum[4];
		#pragma unroll
		for (int u = 0; u < 4; u++)
			sum[u] = 0;
		#pragma unroll 8
		for (int part = 0; part < 4; part++)
			nnr_rows_add(sum, partial + (tile * 4 + part) * 4096 + i * 4);
		float dwords_in[4];
		nnr_load4(dwords_in, dwords + row * 128 + c);
		float dwords_2_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float dwords_ = dwords_in[u] + sum[u];
			dwords_2_out[u] = dwords_;
		}
		nnr_store4(dwords_2 + row * 128 + c, dwords_2_out);
	}
}

/* clip
 * gpt.net:33
 * []  2.5 MFLOP  3.4 MB  bound: latency */
static __device__ unsigned done_clip_842496[1];
extern "C" __global__ void __launch_bounds__(256) clip_842496(const float *__restrict__ pack, float *__restrict__ clip_factor, float *partial)
{
	unsigned *const done = done_clip_842496;
	const int at = blockIdx.x % 528;
	float sum = 0;
	#pragma unroll 4
	for (int r = at * 842496 / 528 + threadIdx.x; r < (at + 1) * 842496 / 528; r += 256) {
		const float scaled_ = pack[r]*4.656613e-10f;
		sum += scaled_*scaled_;
	}
	sum = nnr_block_sum(sum);
	if (threadIdx.x == 0) {
		partial[at] = sum;
	}
	if (!nnr_last_block(&done[0], 528))
		return;
	sum = 0;
	for (int chunk = threadIdx.x; chunk < 528; chunk += 256) {
		sum += __ldcg(&partial[chunk]);
	}
	sum = nnr_block_sum(sum);
	if (threadIdx.x == 0) {
		const float sqrt_ = sqrtf(sum);
		const float gradient_norm_ = sqrt_*(2.1474836e+09f);
		const float add_ = gradient_norm_ + 1e-06f;
		const float div_ = 1.0f/add_;
		const float minimum_ = 1.0f < div_ || 1.0f != 1.0f ? 1.0f : div_;
		const float mul_ = sqrt_*0.0f;
		const float clip_factor_ = minimum_ + mul_;
		clip_factor[0] = clip_factor_;
	}
}

/* adamw_clip
 * gpt.net:33
 * [842496]  19.4 MFLOP  23.6 MB  bound: 4.9 us by memory */
extern "C" __global__ void __launch_bounds__(256, 7) adamw_clip_842496(float *__restrict__ params, const float *__restrict__ pack, const float *__restrict__ clip_factor, float *__restrict__ m, float *__restrict__ v, const NnrScalars *s)
{
	/* the same for all, and in double: by one thread, while the others load */
	const float rate = (float)(s->rate);
	__shared__ float v_correction;
	__shared__ float step_size;
	const int i = blockIdx.x * 256 + threadIdx.x;
	const int i0 = i * 4;
	float params_in[4];
	float pack_in[4];
	float m_in[4];
	float v_in[4];
	if (i < 210624) {
		nnr_load4(params_in, params + i0);
		nnr_load4(pack_in, pack + i0);
		nnr_load4(m_in, m + i0);
		nnr_load4(v_in, v + i0);
	}
	if (threadIdx.x == 0)
		v_correction = (float)(1/sqrt(-nnr_expm1(s->step*(-0.01005033585350145))));
	if (threadIdx.x == 32)
		step_size = (float)(s->rate/(-nnr_expm1(s->step*(-0.10536051565782628))));
	__syncthreads();
	if (i >= 210624)
		return;
	float m_out[4];
	float v_out[4];
	float params_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float sub_ = params_in[u] - (rate*((0.1f*((i0 + u) < 835584 ? 1 : 0))*params_in[u]));
		const float clipped_gradient_ = pack_in[u]*clip_factor[0];
		const float m_ = m_in[u] + ((clipped_gradient_ - m_in[u])*0.1f);
		const float squares_ = (v_in[u]*0.99f) + ((clipped_gradient_*clipped_gradient_)*0.01f);
		const float v_ = squares_ + (squares_*0.0f);
		const float sub_2_ = sub_ - (step_size*(m_/((sqrtf(v_)*v_correction) + 1e-08f)));
		m_out[u] = m_;
		v_out[u] = v_;
		params_out[u] = sub_2_;
	}
	nnr_store4(m + i0, m_out);
	nnr_store4(v + i0, v_out);
	nnr_store4(params + i0, params_out);
}

/* round_tf32(weight)
 * transformer.net:9
 * of 4 sizes: 49152, 16384, 65536, 32768 */
template <int n>
static __device__ __forceinline__ void round_tf32_any_size(const float *__restrict__ weight, float *__restrict__ round_tf32)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
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
/* transformer.net:9  [384,128]  0 FLOP  393.2 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) round_tf32_49152(const float *__restrict__ weight, float *__restrict__ round_tf32)
{ round_tf32_any_size<12288>(weight, round_tf32); }
/* transformer.net:22  [128,128]  0 FLOP  131.1 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) round_tf32_16384(const float *__restrict__ weight, float *__restrict__ round_tf32)
{ round_tf32_any_size<4096>(weight, round_tf32); }
/* transformer.net:34  [512,128]  0 FLOP  524.3 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) round_tf32_65536(const float *__restrict__ weight, float *__restrict__ round_tf32)
{ round_tf32_any_size<16384>(weight, round_tf32); }
/* gpt.net:15  [256,128]  0 FLOP  262.1 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) round_tf32_32768(const float *__restrict__ words, float *__restrict__ round_tf32)
{ round_tf32_any_size<8192>(words, round_tf32); }

/* attention(x)
 * transformer.net:21
 * [32,128,128]  134.2 MFLOP  8.4 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(128) attention_32x128x128_2(const float *__restrict__ x, float *__restrict__ y)
{
	/* heads of queries and of keys, places of both, columns of a head; whether a place looks at those before it alone;
	 * elements between rows, and to keys and values */
	using Attention = NnrAttention<float, 4, 4, 128, 128, 32, true, true, 384, 384, 128, 256>;
	using Cut = NnrByWarps;
	NNR_CHIP(chip, 27648);
	nnr_attention_forward<Attention, Cut, 32>(chip, x, NnrNoMask(), y, nullptr, 0.176776695f, NnrKeepAll());
}

/* bias_add_layernorm of transformer
 * transformer.net:22,33,34
 * [4096,128]  4.8 MFLOP  8.4 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) bias_add_layernorm_4096x128_2(const float *__restrict__ matmul, const float *__restrict__ bias, const float *__restrict__ add, const float *__restrict__ weight, const float *__restrict__ bias_2, float *__restrict__ add_2, float *__restrict__ round_tf32)
{
	const int lane = threadIdx.x % 32;
	const int o = blockIdx.x * 8 + threadIdx.x / 32;
	float x_sum = 0;
	{
		const int r = lane * 4;
		float matmul_in[4];
		nnr_load4(matmul_in, matmul + o * 128 + r);
		float bias_in[4];
		nnr_load4(bias_in, bias + r);
		float add_in[4];
		nnr_load4(add_in, add + o * 128 + r);
		float add_2_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float add_ = add_in[u] + (matmul_in[u] + bias_in[u]);
			x_sum += add_;
			add_2_out[u] = add_;
		}
		nnr_store4(add_2 + o * 128 + r, add_2_out);
	}
	x_sum = nnr_warp_sum(x_sum);
	const float mean_ = x_sum*0.0078125f;
	float sum = 0;
	{
		const int r = lane * 4;
		float add_2_in[4];
		nnr_load4(add_2_in, add_2 + o * 128 + r);
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float centred_ = add_2_in[u] - mean_;
			sum += centred_*centred_;
		}
	}
	sum = nnr_warp_sum(sum);
	const float var_ = sum*0.0078125f;
	const float add_2_ = var_ + 1e-05f;
	const float rstd_ = 1/sqrtf(add_2_);
	{
		const int r = lane * 4;
		float add_2_in_2[4];
		nnr_load4(add_2_in_2, add_2 + o * 128 + r);
		float weight_in[4];
		nnr_load4(weight_in, weight + r);
		float bias_2_in[4];
		nnr_load4(bias_2_in, bias_2 + r);
		float round_tf32_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float layernorm_ = (((add_2_in_2[u] - mean_)*rstd_)*weight_in[u]) + bias_2_in[u];
			const float round_tf32_ = nnr_round_tf32f(layernorm_);
			round_tf32_out[u] = round_tf32_;
		}
		nnr_store4(round_tf32 + o * 128 + r, round_tf32_out);
	}
}

/* round_tf32(gelu((matmul + bias)))
 * transformer.net:34,35,36
 * [4096,512]  44.0 MFLOP  16.8 MB  bound: 3.5 us by memory */
extern "C" __global__ void __launch_bounds__(256) bias_gelu_round_tf32_4096x512_2(float *__restrict__ matmul, const float *__restrict__ bias)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= 524288)
		return;
	const int i1 = (i * 4) % 512;
	const int i0 = (i * 4) / 512;
	float matmul_in[4];
	nnr_load4(matmul_in, matmul + i0 * 512 + i1);
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	float matmul_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float dense_ = matmul_in[u] + bias_in[u];
		const float round_tf32_ = nnr_round_tf32f(dense_*nnr_normal_cdff(dense_));
		matmul_out[u] = round_tf32_;
	}
	nnr_store4(matmul + i0 * 512 + i1, matmul_out);
}

/* bias_add_layernorm
 * transformer.net:36,40 gpt.net:23
 * [4096,128]  4.8 MFLOP  6.3 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) bias_add_layernorm_4096x128_3(const float *__restrict__ matmul, const float *__restrict__ bias, const float *__restrict__ add, const float *__restrict__ weight, const float *__restrict__ bias_2, float *__restrict__ round_tf32)
{
	const int lane = threadIdx.x % 32;
	const int o = blockIdx.x * 8 + threadIdx.x / 32;
	float x_sum = 0;
	{
		const int r = lane * 4;
		float matmul_in[4];
		nnr_load4(matmul_in, matmul + o * 128 + r);
		float bias_in[4];
		nnr_load4(bias_in, bias + r);
		float add_in[4];
		nnr_load4(add_in, add + o * 128 + r);
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			x_sum += add_in[u] + (matmul_in[u] + bias_in[u]);
		}
	}
	x_sum = nnr_warp_sum(x_sum);
	const float mean_ = x_sum*0.0078125f;
	float sum = 0;
	{
		const int r = lane * 4;
		float matmul_in_2[4];
		nnr_load4(matmul_in_2, matmul + o * 128 + r);
		float bias_in_2[4];
		nnr_load4(bias_in_2, bias + r);
		float add_in_2[4];
		nnr_load4(add_in_2, add + o * 128 + r);
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float centred_ = (add_in_2[u] + (matmul_in_2[u] + bias_in_2[u])) - mean_;
			sum += centred_*centred_;
		}
	}
	sum = nnr_warp_sum(sum);
	const float var_ = sum*0.0078125f;
	const float add_ = var_ + 1e-05f;
	const float rstd_ = 1/sqrtf(add_);
	{
		const int r = lane * 4;
		float matmul_in_3[4];
		nnr_load4(matmul_in_3, matmul + o * 128 + r);
		float bias_in_3[4];
		nnr_load4(bias_in_3, bias + r);
		float add_in_3[4];
		nnr_load4(add_in_3, add + o * 128 + r);
		float weight_in[4];
		nnr_load4(weight_in, weight + r);
		float bias_2_in[4];
		nnr_load4(bias_2_in, bias_2 + r);
		float round_tf32_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float xhat_ = ((add_in_3[u] + (matmul_in_3[u] + bias_in_3[u])) - mean_)*rstd_;
			const float round_tf32_ = nnr_round_tf32f((xhat_*weight_in[u]) + bias_2_in[u]);
			round_tf32_out[u] = round_tf32_;
		}
		nnr_store4(round_tf32 + o * 128 + r, round_tf32_out);
	}
}

/* cross_entropy_accuracy
 * gpt.net:25,26
 * [4096,1]  27.3 MFLOP  4.2 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) cross_entropy_accuracy_4096x256(const float *__restrict__ dense, const int32_t *__restrict__ next_2, float *__restrict__ cross_entropy, float *__restrict__ is_right)
{
	const int lane = threadIdx.x % 32;
	const int o = blockIdx.x * 8 + threadIdx.x / 32;
	float max_ = -INFINITY;
	float own_score = 0;
	#pragma unroll
	for (int turn = 0; turn < 2; turn++) {
		const int r = (lane + turn * 32) * 4;
		float dense_in[4];
		nnr_load4(dense_in, dense + o * 256 + r);
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			max_ = nnr_maxf(max_, dense_in[u]);
			own_score += next_2[o] == (r + u) ? dense_in[u] : 0.0f;
		}
	}
	max_ = nnr_warp_max(max_);
	own_score = nnr_warp_sum(own_score);
	float exp_sum = 0;
	float rank = 0;
	#pragma unroll
	for (int turn = 0; turn < 2; turn++) {
		const int r = (lane + turn * 32) * 4;
		float dense_in_2[4];
		nnr_load4(dense_in_2, dense + o * 256 + r);
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float outranks_ = dense_in_2[u] < own_score || (dense_in_2[u] == own_score && (r + u) >= next_2[o]) ? 0 : 1;
			exp_sum += nnr_expf(dense_in_2[u] - max_);
			rank += outranks_;
		}
	}
	exp_sum = nnr_warp_sum(exp_sum);
	rank = nnr_warp_sum(rank);
	const float log_ = nnr_logf(exp_sum);
	const float is_right_ = rank < 1.0f ? 1 : 0;
	if (lane == 0)
		is_right[o] = is_right_;
	float cross_entropy_2 = 0;
	#pragma unroll
	for (int turn = 0; turn < 2; turn++) {
		const int r = (lane + turn * 32) * 4;
		float dense_in_3[4];
		nnr_load4(dense_in_3, dense + o * 256 + r);
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float one_hot_ = next_2[o] == (r + u) ? 1 : 0;
			const float weighed_cost_ = one_hot_ != 0 ? (one_hot_*(log_ - (dense_in_3[u] - max_))) : 0.0f;
			cross_entropy_2 += weighed_cost_;
		}
	}
	cross_entropy_2 = nnr_warp_sum(cross_entropy_2);
	if (lane == 0)
		cross_entropy[o] = cross_entropy_2;
}

/* (sum(cross_entropy) * 0.0078125)
 * gpt.net:25
 * [32]  4.1 kFLOP  16.5 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) cross_entropy_32x128(const float *__restrict__ cross_entropy, float *__restrict__ cross_entropy_2)
{
	const int lane = threadIdx.x % 32;
	const int o = blockIdx.x * 8 + threadIdx.x / 32;
	float sum = 0;
	{
		const int r = lane * 4;
		float cross_entropy_in[4];
		nnr_load4(cross_entropy_in, cross_entropy + o * 128 + r);
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			sum += cross_entropy_in[u];
		}
	}
	sum = nnr_warp_sum(sum);
	const float cross_entropy_ = sum*0.0078125f;
	if (lane == 0)
		cross_entropy_2[o] = cross_entropy_;
}

/* (sum(is_right) * 0.0078125)
 * gpt.net:26
 * [32]  4.1 kFLOP  16.5 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) accuracy_32x128(const float *__restrict__ is_right, float *__restrict__ accuracy)
{
	const int lane = threadIdx.x % 32;
	const int o = blockIdx.x * 8 + threadIdx.x / 32;
	float sum = 0;
	{
		const int r = lane * 4;
		float is_right_in[4];
		nnr_load4(is_right_in, is_right + o * 128 + r);
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			sum += is_right_in[u];
		}
	}
	sum = nnr_warp_sum(sum);
	const float accuracy_ = sum*0.0078125f;
	if (lane == 0)
		accuracy[o] = accuracy_;
}

