/* mnist_cnn, from mnist_cnn.net by nnc 0.3 for CUDA: the kernels. Do not edit: change the .net file and run nnc again.
 * Yours under any terms: LICENSE of nnc, "Exception for what nnc makes".
 *
 * data mnist; optimizer adam(rate = 0.001, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-08, decay = 0); rate 0.001 constant; batch 128; epochs 12; precision tf32; seed 0; decay weights
 * batch 128   parameters 31.5 k (126.1 kB)   states 252.3 kB   arena 1.7 MB training, 8.0 MB evaluation
 *
 * Names say what is computed over what; sizes are constants, or arguments where that costs nothing. Compiles with NVRTC and with nvcc -I RUNTIME. */
#include "cuda/nnr_held.h"
#include "cuda/nnr_image.h"

/* round_tf32(weight)
 * mnist_cnn.net:12
 * of 2 sizes: 144, 31360 */
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
/* mnist_cnn.net:12  [16,3,3,1]  0 FLOP  1.2 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) round_tf32_144(const float *__restrict__ weight, float *__restrict__ round_tf32)
{ round_tf32_any_size<36>(weight, round_tf32); }
/* mnist_cnn.net:13  [10,3136]  0 FLOP  250.9 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) round_tf32_31360(const float *__restrict__ weight, float *__restrict__ round_tf32)
{ round_tf32_any_size<7840>(weight, round_tf32); }

/* round_tf32((cast(image) * 0.00392157))
 * mnist_cnn.net:11
 * [128,28,28,1]  100.4 kFLOP  501.8 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) scale_mul_round_tf32_100352(const uint8_t *__restrict__ image, float *__restrict__ round_tf32)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= 25088)
		return;
	const int i0 = i * 4;
	uint8_t image_in[4];
	nnr_load4(image_in, image + i0);
	float round_tf32_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float round_tf32_ = nnr_round_tf32f(((float)image_in[u])*0.003921569f);
		round_tf32_out[u] = round_tf32_;
	}
	nnr_store4(round_tf32 + i0, round_tf32_out);
}

/* relu((conv(x, w) + bias))
 * mnist_cnn.net:12
 * [128,28,28,16]  32.1 MFLOP  6.8 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256, 2) conv_bias_relu_128x28x28x16(const float *__restrict__ x, const float *__restrict__ w, const float *__restrict__ bias, float *__restrict__ relu)
{
	/* images, height, width, channels; filters, window; result, stride, border; rows of a tile */
	using Image = NnrImage<float, 128, 28, 28, 1, 16, 3, 3, 28, 28, 1, 1, 1, 1, 4>;
	NNR_CHIP(chip, 1824);
	static_assert(NnrForward<Image>::BYTES == 1824, "what the launch asks for");
	nnr_image_forward<Image, 264, true>(chip, x, w, [&](int64_t row, int col, const float *value) {
		float bias_in[4];
		nnr_load4(bias_in, bias + col);
		float relu_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float conv_ = value[u] + bias_in[u];
			const float relu_ = conv_ < 0 ? 0 : conv_;
			relu_out[u] = relu_;
		}
		nnr_store4(relu + row * 16 + col, relu_out);
	});
}

/* round_tf32(maxpool(x))
 * mnist_cnn.net:12
 * [128,14,14,16]  1.6 MFLOP  8.0 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) maxpool_round_tf32_128x14x14x16(const float *__restrict__ x, float *__restrict__ round_tf32)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	const int c = i % 4 * 4;
	const int q = i / 4 % 14;
	const int p = i / 56 % 14;
	const int n = i / 784;
	float t[4];
	#pragma unroll
	for (int u = 0; u < 4; u++)
		t[u] = -INFINITY;
	#pragma unroll
	for (int r = 0; r < 2; r++) {
		const int h = p * 2 + r;
		#pragma unroll
		for (int k = 0; k < 2; k++) {
			const int v = q * 2 + k;
			float e[4];
			nnr_load4(e, x + ((n * 28 + h) * 28 + v) * 16 + c);
			#pragma unroll
			for (int u = 0; u < 4; u++)
				t[u] = nnr_maxf(e[u], t[u]);
		}
	}
	float round_tf32_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float round_tf32_ = nnr_round_tf32f(t[u]);
		round_tf32_out[u] = round_tf32_;
	}
	nnr_store4(round_tf32 + ((n * 14 + p) * 14 + q) * 16 + c, round_tf32_out);
}

/* bias_cross_entropy_accuracy
 * mnist_cnn.net:13,15,16
 * [128,10]  36.7 kFLOP  11.8 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) bias_cross_entropy_accuracy_128x10(const float *__restrict__ matmul, const float *__restrict__ bias, const int32_t *__restrict__ digit, float *__restrict__ dense, float *__restrict__ cross_entropy, float *__restrict__ is_right)
{
	const int lane = threadIdx.x % 32;
	const int o = blockIdx.x * 8 + threadIdx.x / 32;
	float max_ = -INFINITY;
	float own_score = 0;
	{
		const int r = lane;
		if (r < 10) {
			const float dense_ = matmul[o * 10 + r] + bias[r];
			max_ = nnr_maxf(max_, dense_);
			own_score += digit[o] == r ? dense_ : 0.0f;
			dense[o * 10 + r] = dense_;
		}
	}
	max_ = nnr_warp_max(max_);
	own_score = nnr_warp_sum(own_score);
	float exp_sum = 0;
	float rank = 0;
	{
		const int r = lane;
		if (r < 10) {
			const float outranks_ = dense[o * 10 + r] < own_score || (dense[o * 10 + r] == own_score && r >= digit[o]) ? 0 : 1;
			exp_sum += nnr_expf(dense[o * 10 + r] - max_);
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
	{
		const int r = lane;
		if (r < 10) {
			const float one_hot_ = digit[o] == r ? 1 : 0;
			const float weighed_cost_ = one_hot_ != 0 ? (one_hot_*(log_ - (dense[o * 10 + r] - max_))) : 0.0f;
			cross_entropy_2 += weighed_cost_;
		}
	}
	cross_entropy_2 = nnr_warp_sum(cross_entropy_2);
	if (lane == 0)
		cross_entropy[o] = cross_entropy_2;
}

/* matmul + bias
 * mnist_cnn.net:13
 * [128,10]  1.3 kFLOP  10.3 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) bias_128x10(float *__restrict__ matmul, const float *__restrict__ bias)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= 640)
		return;
	const int i1 = (i * 2) % 10;
	const int i0 = (i * 2) / 10;
	float matmul_in[2];
	nnr_load2(matmul_in, matmul + i0 * 10 + i1);
	float bias_in[2];
	nnr_load2(bias_in, bias + i1);
	float matmul_out[2];
	#pragma unroll
	for (int u = 0; u < 2; u++) {
		const float dense_ = matmul_in[u] + bias_in[u];
		matmul_out[u] = dense_;
	}
	nnr_store2(matmul + i0 * 10 + i1, matmul_out);
}

/* cast(image) * 0.00392157
 * mnist_cnn.net:11
 * [1,28,28,1]  784 FLOP  3.9 kB */
static __device__ __forceinline__ void cast_mul_784(const uint8_t *__restrict__ image, float *__restrict__ mul)
{
	for (int i = threadIdx.x; i < 196; i += 448) {
		const int i0 = i * 4;
		uint8_t image_in[4];
		nnr_load4(image_in, image + i0);
		float mul_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float mul_ = ((float)image_in[u])*0.003921569f;
			mul_out[u] = mul_;
		}
		nnr_store4(mul + i0, mul_out);
	}
}

/* maxpool(relu((conv(x, w) + bias)))
 * mnist_cnn.net:12
 * [1,14,14,16]  263.4 kFLOP  3.8 kB */
static __device__ __forceinline__ void conv_add_relu_maxpool_1x28x28x16(const float *__restrict__ x, const float *__restrict__ w, const float *__restrict__ bias, float *__restrict__ relu, int32_t *__restrict__ winner)
{
	NnrHeld<448, 7, 4, 2, 2, NnrConv<28, 28, 1, 28, 28, 16, 3, 3, 1, 1, 1, 1, 1, 1>>::pool(x, w, winner,
		[](int, float value) { return value; },
		[&](int j, int, int, int k, float value) {
			const float add_ = value + bias[k];
			const float relu_ = add_ < 0 ? 0 : add_;
			relu[j] = relu_;
		});
}

/* matmul(a, b) + bias
 * mnist_cnn.net:13
 * [1,10]  62.7 kFLOP  640 B */
static __device__ __forceinline__ void matmul_add_1x10(const float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ bias, float *__restrict__ add, float *partial)
{
	nnr_held_matmul_nt<448, 7, 10>(a, b, partial, [&](int row, int col, float value) {
		const float add_ = value + bias[row * 10 + col];
		add[row * 10 + col] = add_;
	});
}

/* max_sub_exp_sum_log_one_hot_mul_select_outranks
 * mnist_cnn.net:15,16
 * [1,10]  308 FLOP  92 B */
static __device__ __forceinline__ void max_sub_exp_sum_log_one_hot_mul_select_outranks_10(const float *__restrict__ add, const int32_t *__restrict__ digit, float *__restrict__ sum, float *__restrict__ lt, float *__restrict__ mul)
{
	const int lane = threadIdx.x % 32;
	for (int o = threadIdx.x / 32; o < 1; o += 14) {
		float exp_row[1];
		float max_ = -INFINITY;
		float sum_4 = 0;
		{
			const int r = lane;
			if (r < 10) {
				max_ = nnr_maxf(max_, add[r]);
				sum_4 += digit[0] == r ? add[r] : 0.0f;
			}
		}
		max_ = nnr_warp_max(max_);
		sum_4 = nnr_warp_sum(sum_4);
		float sum_2 = 0;
		float sum_5 = 0;
		{
			const int r = lane;
			if (r < 10) {
				const float exp_ = nnr_expf(add[r] - max_);
				const float outranks_ = add[r] < sum_4 || (add[r] == sum_4 && r >= digit[0]) ? 0 : 1;
				sum_2 += exp_;
				sum_5 += outranks_;
				exp_row[0] = exp_;
			}
		}
		sum_2 = nnr_warp_sum(sum_2);
		sum_5 = nnr_warp_sum(sum_5);
		const float log_ = nnr_logf(sum_2);
		const float lt_ = sum_5 < 1.0f ? 1 : 0;
		const float div_ = 1.0f/sum_2;
		if (lane == 0)
			lt[0] = lt_;
		float sum_3 = 0;
		{
			const int r = lane;
			if (r < 10) {
				const float one_hot_ = digit[0] == r ? 1 : 0;
				const float select_ = one_hot_ != 0 ? (one_hot_*(log_ - (add[r] - max_))) : 0.0f;
				const float mul_ = 0.0078125f*((exp_row[0]*div_) - one_hot_);
				sum_3 += select_;
				mul[r] = mul_;
			}
		}
		sum_3 = nnr_warp_sum(sum_3);
		if (lane == 0)
			sum[0] = sum_3;
	}
}

/* matmul(a, b)
 * mnist_cnn.net:13
 * [1,3136]  62.7 kFLOP  40 B */
static __device__ __forceinline__ void matmul_1x3136(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ y)
{
	nnr_held_matmul<7, 10>(a, b, y);
}

/* select((relu > 0), maxpool_grad(dy, relu, relu), 0)
 * mnist_cnn.net:12
 * [1,28,28,16]  9.4 kFLOP  0 B */
static __device__ __forceinline__ void maxpool_grad_gt_select_1x28x28x16(const float *__restrict__ dy, const float *__restrict__ relu, float *__restrict__ select)
{
	using Own = NnrHeld<448, 7, 4, 2, 2, NnrConv<28, 28, 1, 28, 28, 16, 3, 3, 1, 1, 1, 1, 1, 1>>;
	Own::each([&](int j, int, int, int) {
		const float select_ = relu[j] > 0.0f ? dy[j] : 0.0f;
		select[j] = select_;
	});
}

/* Forward and backward of 128 samples, 128 blocks of 448 threads with one at a time; on chip.
 * 455.8 kFLOP a sample; values of a sample 4.0 kB, with inputs, parameters and sums 9.0 kB of shared memory
 * bound: the FLOPs of 1 turn, and three times the latency of the memory */
extern "C" __global__ void __launch_bounds__(448) mnist_cnn_samples(const NnrControl *control, const NnrSupply supply, const int turn, const char *inputs, const char *params, char *arena)
{
	NNR_CHIP(chip, 8960);
	float *const conv_weight = (float *)(chip + 4928);                      // [16,3,3,1]  576 B
	float *const conv_bias = (float *)(chip + 5504);                        // [16]  64 B
	float *const dense_bias = (float *)(chip + 5568);                       // [10]  40 B
	float *const scale = (float *)(chip + 0);                               // [1,28,28,1]  3.1 kB
	float *const logits = (float *)(chip + 3712);                           // [1,10]  40 B
	float *const sum = (float *)(chip + 3840);                              // [1]  4 B
	float *const lt = (float *)(chip + 3904);                               // [1]  4 B
	float *const dlogits = (float *)(chip + 3776);                          // [1,10]  40 B
	float *const partial = (float *)(chip + 3136);                          // [140]  560 B
	uint32_t *const indices = (uint32_t *)(chip + 4864);
	if (threadIdx.x < 1)
		indices[threadIdx.x] = nnr_sample_index(control, supply, turn, min(blockIdx.x + threadIdx.x * 128u, 127u));
	__syncthreads();
	nnr_block_fetch<448, 784, true>((uint8_t *)(chip + 4032),
		(const uint8_t *)nnr_sample_at(supply, indices[0], 0, inputs + 0, 784));
	nnr_block_fetch<448, 1, true>((int32_t *)(chip + 3968),
		(const int32_t *)nnr_sample_at(supply, indices[0], 1, inputs + 100352, 4));
	nnr_block_commit();
	nnr_kernel_wait();
	nnr_kernel_next();
	const NnrScalars scalars = nnr_step_scalars(control, supply, turn), *const s = &scalars;
	if (blockIdx.x == 128) {
		float *const kept = (float *)(arena + 1698816);
		if (threadIdx.x == 0) {
			kept[0] = (float)(1/sqrt(-nnr_expm1(s->step*(-0.0010005003335835344))));
			kept[1] = (float)(s->rate/(-nnr_expm1(s->step*(-0.10536051565782628))));
		}
		return;
	}
	nnr_block_fetch<448, 144, true>(conv_weight, (const float *)(params + 0));
	nnr_block_fetch<448, 16, true>(conv_bias, (const float *)(params + 126016));
	nnr_block_fetch<448, 10, true>(dense_bias, (const float *)(params + 126080));
	nnr_block_commit();
	using Held2 = NnrHeld<448, 7, 4, 2, 2, NnrConv<28, 28, 1, 28, 28, 16, 3, 3, 1, 1, 1, 1, 1, 1>>;
	float dense_weight[70] = {};                                            // held: the columns of its elements, of [10,3136]
	Held2::load<10>(dense_weight, (const float *)(params + 576));
	float maxpool[7] = {};                                                  // held: the thread's own of [1,14,14,16]
	float matmul[7] = {};                                                   // held: the thread's own of [1,3136]
	float select[7] = {};                                                   // held: at the winners, of [1,28,28,16]
	int32_t winner[1] = {};                                                 // held: which place of its window won, of [1,14,14,16]
	using Filters7 = NnrHeldFilters<448, 7, 4, 2, 2, NnrConv<28, 28, 1, 28, 28, 16, 3, 3, 1, 1, 1, 1, 1, 1>>;
	float _filters7[Filters7::count] = {};
	const int sample = blockIdx.x;
	uint8_t *const image = (uint8_t *)(chip + 4032);                        // [1,28,28,1]  784 B
	int32_t *const digit_2 = (int32_t *)(chip + 3968);                      // [1,1]  4 B
	nnr_block_await<0>();
	__syncthreads();
	/* 1  mnist_cnn.net:11  cast(image) * 0.00392157  [1,28,28,1]  784 FLOP  3.9 kB */
	cast_mul_784(image, scale);
	__syncthreads();
	/* 2  mnist_cnn.net:12  maxpool(relu((conv(scale, conv_weight) + conv_bias)))  [1,14,14,16]  263.4 kFLOP  3.8 kB */
	conv_add_relu_maxpool_1x28x28x16(scale, conv_weight, conv_bias, maxpool, winner);
	Held2::store((float *)(arena + 0) + sample * 3136, maxpool);
	/* 3  mnist_cnn.net:13  matmul(maxpool_2, dense_weight) + dense_bias  [1,10]  62.7 kFLOP  640 B */
	matmul_add_1x10(maxpool, dense_weight, dense_bias, logits, partial);
	__syncwarp();
	/* 4  mnist_cnn.net:15,16  max_sub_exp_sum_log_one_hot_mul_select_outranks  [1,10]  308 FLOP  92 B */
	max_sub_exp_sum_log_one_hot_mul_select_outranks_10(logits, digit_2, sum, lt, dlogits);
	__syncthreads();
	/* 5  mnist_cnn.net:13  matmul(dlogits, dense_weight)  [1,3136]  62.7 kFLOP  40 B */
	matmul_1x3136(dlogits, dense_weight, matmul);
	nnr_block_copy<448, 10, true>((float *)(arena + 1693696) + sample * 10, dlogits);
	/* 6  mnist_cnn.net:12  select((maxpool > 0), maxpool_grad(matmul_2, maxpool, maxpool), 0)  [1,28,28,16]  9.4 kFLOP  0 B */
	maxpool_grad_gt_select_1x28x28x16(matmul, maxpool, select);
	/* 7  mnist_cnn.net:12  conv_wgrad(scale, select)  [16,3,3,1]  56.4 kFLOP  3.7 kB */
	Filters7::add(_filters7, scale, winner, select);
	nnr_block_copy<448, 1, false>((float *)(arena + 1605632) + blockIdx.x * 172 + 0, sum);
	nnr_block_copy<448, 1, false>((float *)(arena + 1605632) + blockIdx.x * 172 + 1, lt);
	nnr_block_copy<448, 10, false>((float *)(arena + 1605632) + blockIdx.x * 172 + 2, dlogits);
	__syncthreads();
	Filters7::finish(_filters7, (float *)chip, [&](int i, float value) {
		if (i < 144)
			((float *)(arena + 1605632) + blockIdx.x * 172 + 28)[i] = value;
		else
			((float *)(arena + 1605632) + blockIdx.x * 172 + 12)[i - 144] = value;
	});
}

/* The sums over the batch, and the update in the thread that ends them; loss and metrics.
 * adam
 * mnist_cnn.net:22
 * [31530]  567.5 kFLOP  882.8 kB; bound: the latency of the memory, twice */
extern "C" __global__ void __launch_bounds__(512) mnist_cnn_update(NnrControl *control, const NnrSupply supply, const int turn, float *m, float *v, float *params, char *arena)
{
	NNR_CHIP(chip, 20480);
	float *const part = (float *)chip;
	const float *const kept = (const float *)(arena + 1698816);
	float v_correction;
	float step_size;
	const auto begin = [&] { /* when the kernels before this one have ended */
		nnr_kernel_wait();
		nnr_kernel_next();
		v_correction = kept[0];
		step_size = kept[1];
	};
	struct Old {
		float m, v, params;
	};
	const auto fetch = [&](const int i0) -> Old { return {nnr_load_old(m + i0), nnr_load_old(v + i0), nnr_load_old(params + i0)}; };
	const auto update = [&](const int i0, const Old &old, const float gradient) {
		const float m_ = old.m + ((gradient - old.m)*0.1f);
		const float squares_ = (old.v*0.999f) + ((gradient*gradient)*0.001f);
		const float v_ = squares_ + (squares_*0.0f);
		const float sub_ = old.params - (step_size*(m_/((sqrtf(v_)*v_correction) + 1e-08f)));
		m[i0] = m_;
		v[i0] = v_;
		params[i0] = sub_;
	};
	int block = blockIdx.x;
	if (block < 5) { /* conv.dweight [16,3,3,1] */
		nnr_partial_update<512, 128, 172, 144>((const float *)(arena + 1605632) + 28, block, 0, part, begin, fetch, update);
		return;
	}
	block -= 5;
	if (block < 98) { /* dense.dweight [10,3136] */
		using Sums = NnrBatchProduct<512, 128, 10, 3136, 10, 4>;
		Sums::update((const float *)(arena + 1693696), (const float *)(arena + 0), block, 144, part, begin, fetch, update);
		return;
	}
	block -= 98;
	if (block < 1) { /* conv.dbias [16] */
		nnr_partial_update<512, 128, 172, 16>((const float *)(arena + 1605632) + 12, block, 31504, part, begin, fetch, update);
		return;
	}
	block -= 1;
	if (block < 1) { /* dense.dbias [10] */
		nnr_partial_update<512, 128, 172, 10>((const float *)(arena + 1605632) + 2, block, 31520, part, begin, fetch, update);
		return;
	}
	block -= 1;
	begin();
	const float sum0 = nnr_partial_total<512, 128, 172>((const float *)(arena + 1605632) + 0, part);
	const float sum1 = nnr_partial_total<512, 128, 172>((const float *)(arena + 1605632) + 1, part);
	if (threadIdx.x > 0)
		return;
	*(float *)(arena + 1699072) = sum0*0.0078125f; /* loss */
	*(float *)(arena + 1699136) = sum1*0.0078125f; /* accuracy */
	if (supply.feed_count > 0)
		nnr_count_scores(control, supply, turn);
}

