/* resnet50, from resnet50.net by nnc 0.3 for CUDA: the kernels. Do not edit: change the .net file and run nnc again.
 * Yours under any terms: LICENSE of nnc, "Exception for what nnc makes".
 *
 * data images; augment flip; optimizer sgd(rate = 0.1, momentum = 0.9, dampening = 0, nesterov = 0, decay = 0.0001); rate 0.1 warmup 5ep cosine; batch 256; epochs 90; precision tf32; seed 0; decay weights
 * batch 256   parameters 25.6 M (102.2 MB)   states 102.4 MB   arena 22.7 GB training, 1.8 GB evaluation
 *
 * Names say what is computed over what; sizes are constants, or arguments where that costs nothing. Compiles with NVRTC and with nvcc -I RUNTIME. */
#include "cuda/nnr_device.h"
#include "cuda/nnr_image.h"

/* round_tf32(rgb_affine(cast(image)))
 * resnet.net:11
 * [256,224,224,3]  77.1 MFLOP  192.7 MB  bound: 40.1 us by memory */
extern "C" __global__ void __launch_bounds__(256) normalize_38535168(const uint8_t *__restrict__ image, float *__restrict__ round_tf32)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= 9633792)
		return;
	const int i0 = i * 4;
	uint8_t image_in[4];
	nnr_load4(image_in, image + i0);
	float round_tf32_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float normalize_ = ((float)image_in[u])*(((i0 + u) % 3) == 0 ? 0.017124754f : ((i0 + u) % 3) == 1 ? 0.017507003f : 0.017429194f) + (((i0 + u) % 3) == 0 ? (-2.117904f) : ((i0 + u) % 3) == 1 ? (-2.0357143f) : (-1.8044444f));
		const float round_tf32_ = nnr_round_tf32f(normalize_);
		round_tf32_out[u] = round_tf32_;
	}
	nnr_store4(round_tf32 + i0, round_tf32_out);
}

/* conv(x, w)
 * residual.net:7
 * [256,112,112,64]  60.4 GFLOP  976.3 MB  bound: 203 us by memory */
extern "C" __global__ void __launch_bounds__(256, 2) conv_256x112x112x64(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y)
{
	/* images, height, width, channels; filters, window; result, stride, border; rows of a tile */
	using Image = NnrImage<float, 256, 224, 224, 3, 64, 7, 7, 112, 112, 2, 2, 3, 3, 8>;
	NNR_CHIP(chip, 101152);
	static_assert(NnrForward<Image>::BYTES == 101152, "what the launch asks for");
	nnr_image_forward<Image, 264, true>(chip, x, w, [&](int64_t row, int col, const float *value) {
		float y_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float conv_ = value[u];
			y_out[u] = conv_;
		}
		nnr_store4(y + row * 64 + col, y_out);
	});
}

/* batchnorm_statistics of conv_bn
 * residual.net:9
 * of 12 sizes: 3211264x64, 802816x64, 802816x256, 802816x128, 200704x128, 200704x512, 200704x256, 50176x256 ... */
template <int threads, int part_end, int at_stride, int last_start, int last_step, int r_stride, int size>
static __device__ __forceinline__ void batchnorm_statistics(unsigned *const done, float factor, float factor_2, const float *__restrict__ conv, const float *__restrict__ first_place, float *__restrict__ running_mean, float *__restrict__ running_var, const float *__restrict__ weight, float *__restrict__ mean, float *__restrict__ rstd, float *__restrict__ scale, float *partial)
{
	const int slab = blockIdx.x / part_end, at = blockIdx.x % part_end;
	const int i1 = slab * threads + threadIdx.x % size * 4;
	const int column = slab * threads + threadIdx.x;
	const int row = at * at_stride + threadIdx.x / size;
	float conv_in[32];
	float first_place_in[4];
	nnr_load4(first_place_in, first_place + i1);
	alignas(16) __shared__ float first_place_slab[threads];
	alignas(16) __shared__ float running_mean_slab[threads];
	alignas(16) __shared__ float running_var_slab[threads];
	alignas(16) __shared__ float weight_slab[threads];
	if (threadIdx.x < threads) {
		first_place_slab[threadIdx.x] = (float)*(first_place + column);
		running_mean_slab[threadIdx.x] = (float)*(running_mean + column);
		running_var_slab[threadIdx.x] = (float)*(running_var + column);
		weight_slab[threadIdx.x] = (float)*(weight + column);
	}
	__shared__ float shifted_sum_parts[16 * threads];
	float shifted_sum[4];
	nnr_fill4(shifted_sum, 0);
	float square_sum[4];
	nnr_fill4(square_sum, 0);
	for (int last = last_start - row; last >= 0; last -= last_step) {
		#pragma unroll
		for (int k = 0; k < 8; k++) {
			const int r = max(last - k * (part_end * at_stride), 0);
			nnr_load4(conv_in + k * 4, conv + r * r_stride + i1);
		}
		#pragma unroll
		for (int k = 0; k < 8; k++) {
			if (last >= k * (part_end * at_stride)) {
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					const float shifted_ = conv_in[k * 4 + u] - first_place_in[u];
					shifted_sum[u] += shifted_;
					square_sum[u] += shifted_*shifted_;
				}
			}
		}
	}
	nnr_slab_leave<NnrSum<float>, threads>(shifted_sum_parts, shifted_sum, square_sum);
	__syncthreads();
	if (threadIdx.x < threads) {
		partial[at * (2 * r_stride) + column] = nnr_slab_take<NnrSum<float>, 2 * threads, 8>(shifted_sum_parts + threadIdx.x);
		partial[at * (2 * r_stride) + r_stride + column] = nnr_slab_take<NnrSum<float>, 2 * threads, 8>(shifted_sum_parts + threads + threadIdx.x);
	}
	if (!nnr_last_block(&done[slab], part_end))
		return;
	nnr_fill4(shifted_sum, 0);
	nnr_fill4(square_sum, 0);
	#pragma unroll 8
	for (int part = threadIdx.x / size; part < part_end; part += at_stride) {
		nnr_combine4<NnrSum<float>>(shifted_sum, partial + part * (2 * r_stride) + i1);
		nnr_combine4<NnrSum<float>>(square_sum, partial + part * (2 * r_stride) + r_stride + i1);
	}
	nnr_slab_leave<NnrSum<float>, threads>(shifted_sum_parts, shifted_sum, square_sum);
	__syncthreads();
	if (threadIdx.x < threads) {
		const float shifted_sum_total = nnr_slab_take<NnrSum<float>, 2 * threads, 8>(shifted_sum_parts + threadIdx.x);
		const float square_sum_total = nnr_slab_take<NnrSum<float>, 2 * threads, 8>(shifted_sum_parts + threads + threadIdx.x);
		const float move_ = shifted_sum_total*factor;
		const float mean_ = first_place_slab[threadIdx.x] + move_;
		const float mul_ = square_sum_total*factor;
		const float mul_2_ = move_*move_;
		const float sub_ = mul_ - mul_2_;
		const float sub_2_ = mean_ - running_mean_slab[threadIdx.x];
		const float mul_3_ = 0.1f*sub_2_;
		const float running_ = running_mean_slab[threadIdx.x] + mul_3_;
		const float var_ = sub_ > 0.0f || sub_ != sub_ ? sub_ : 0.0f;
		const float mul_4_ = var_*factor_2;
		const float sub_3_ = mul_4_ - running_var_slab[threadIdx.x];
		const float mul_5_ = 0.1f*sub_3_;
		const float running_2_ = running_var_slab[threadIdx.x] + mul_5_;
		const float add_ = var_ + 1e-05f;
		const float rstd_ = 1/sqrtf(add_);
		const float scale_ = weight_slab[threadIdx.x]*rstd_;
		mean[column] = mean_;
		running_mean[column] = running_;
		running_var[column] = running_2_;
		rstd[column] = rstd_;
		scale[column] = scale_;
	}
}
static __device__ unsigned done_batchnorm_statistics_3211264x64[1];
/* residual.net:9  [1,1,1,64]  822.1 MFLOP  822.1 MB  bound: 171 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_statistics_3211264x64(const float *__restrict__ conv, const float *__restrict__ first_place, float *__restrict__ running_mean, float *__restrict__ running_var, const float *__restrict__ weight, float *__restrict__ mean, float *__restrict__ rstd, float *__restrict__ scale, float *partial)
{ batchnorm_statistics<64, 528, 16, 3211263, 67584, 64, 16>(done_batchnorm_statistics_3211264x64, 3.1140386e-07f, 1.0000003f, conv, first_place, running_mean, running_var, weight, mean, rstd, scale, partial); }
static __device__ unsigned done_batchnorm_statistics_802816x64[2];
/* residual.net:9  [1,1,1,64]  205.5 MFLOP  205.5 MB  bound: 42.8 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_statistics_802816x64(const float *__restrict__ conv, const float *__restrict__ first_place, float *__restrict__ running_mean, float *__restrict__ running_var, const float *__restrict__ weight, float *__restrict__ mean, float *__restrict__ rstd, float *__restrict__ scale, float *partial)
{ batchnorm_statistics<32, 264, 32, 802815, 67584, 64, 8>(done_batchnorm_statistics_802816x64, 1.2456154e-06f, 1.0000012f, conv, first_place, running_mean, running_var, weight, mean, rstd, scale, partial); }
static __device__ unsigned done_batchnorm_statistics_802816x256[4];
/* residual.net:9  [1,1,1,256]  822.1 MFLOP  822.1 MB  bound: 171 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_statistics_802816x256(const float *__restrict__ conv, const float *__restrict__ first_place, float *__restrict__ running_mean, float *__restrict__ running_var, const float *__restrict__ weight, float *__restrict__ mean, float *__restrict__ rstd, float *__restrict__ scale, float *partial)
{ batchnorm_statistics<64, 132, 16, 802815, 16896, 256, 16>(done_batchnorm_statistics_802816x256, 1.2456154e-06f, 1.0000012f, conv, first_place, running_mean, running_var, weight, mean, rstd, scale, partial); }
static __device__ unsigned done_batchnorm_statistics_802816x128[2];
/* residual.net:9  [1,1,1,128]  411.0 MFLOP  411.0 MB  bound: 85.6 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_statistics_802816x128(const float *__restrict__ conv, const float *__restrict__ first_place, float *__restrict__ running_mean, float *__restrict__ running_var, const float *__restrict__ weight, float *__restrict__ mean, float *__restrict__ rstd, float *__restrict__ scale, float *partial)
{ batchnorm_statistics<64, 264, 16, 802815, 33792, 128, 16>(done_batchnorm_statistics_802816x128, 1.2456154e-06f, 1.0000012f, conv, first_place, running_mean, running_var, weight, mean, rstd, scale, partial); }
static __device__ unsigned done_batchnorm_statistics_200704x128[4];
/* residual.net:9  [1,1,1,128]  102.8 MFLOP  102.8 MB  bound: 21.4 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_statistics_200704x128(const float *__restrict__ conv, const float *__restrict__ first_place, float *__restrict__ running_mean, float *__restrict__ running_var, const float *__restrict__ weight, float *__restrict__ mean, float *__restrict__ rstd, float *__restrict__ scale, float *partial)
{ batchnorm_statistics<32, 132, 32, 200703, 33792, 128, 8>(done_batchnorm_statistics_200704x128, 4.9824617e-06f, 1.000005f, conv, first_place, running_mean, running_var, weight, mean, rstd, scale, partial); }
static __device__ unsigned done_batchnorm_statistics_200704x512[8];
/* residual.net:9  [1,1,1,512]  411.1 MFLOP  411.1 MB  bound: 85.6 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_statistics_200704x512(const float *__restrict__ conv, const float *__restrict__ first_place, float *__restrict__ running_mean, float *__restrict__ running_var, const float *__restrict__ weight, float *__restrict__ mean, float *__restrict__ rstd, float *__restrict__ scale, float *partial)
{ batchnorm_statistics<64, 66, 16, 200703, 8448, 512, 16>(done_batchnorm_statistics_200704x512, 4.9824617e-06f, 1.000005f, conv, first_place, running_mean, running_var, weight, mean, rstd, scale, partial); }
static __device__ unsigned done_batchnorm_statistics_200704x256[4];
/* residual.net:9  [1,1,1,256]  205.5 MFLOP  205.5 MB  bound: 42.8 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_statistics_200704x256(const float *__restrict__ conv, const float *__restrict__ first_place, float *__restrict__ running_mean, float *__restrict__ running_var, const float *__restrict__ weight, float *__restrict__ mean, float *__restrict__ rstd, float *__restrict__ scale, float *partial)
{ batchnorm_statistics<64, 132, 16, 200703, 16896, 256, 16>(done_batchnorm_statistics_200704x256, 4.9824617e-06f, 1.000005f, conv, first_place, running_mean, running_var, weight, mean, rstd, scale, partial); }
static __device__ unsigned done_batchnorm_statistics_50176x256[8];
/* residual.net:9  [1,1,1,256]  51.4 MFLOP  51.4 MB  bound: 10.7 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_statistics_50176x256(const float *__restrict__ conv, const float *__restrict__ first_place, float *__restrict__ running_mean, float *__restrict__ running_var, const float *__restrict__ weight, float *__restrict__ mean, float *__restrict__ rstd, float *__restrict__ scale, float *partial)
{ batchnorm_statistics<32, 66, 32, 50175, 16896, 256, 8>(done_batchnorm_statistics_50176x256, 1.9929847e-05f, 1.0000199f, conv, first_place, running_mean, running_var, weight, mean, rstd, scale, partial); }
static __device__ unsigned done_batchnorm_statistics_50176x1024[16];
/* residual.net:9  [1,1,1,1024]  205.5 MFLOP  205.6 MB  bound: 42.8 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_statistics_50176x1024(const float *__restrict__ conv, const float *__restrict__ first_place, float *__restrict__ running_mean, float *__restrict__ running_var, const float *__restrict__ weight, float *__restrict__ mean, float *__restrict__ rstd, float *__restrict__ scale, float *partial)
{ batchnorm_statistics<64, 33, 16, 50175, 4224, 1024, 16>(done_batchnorm_statistics_50176x1024, 1.9929847e-05f, 1.0000199f, conv, first_place, running_mean, running_var, weight, mean, rstd, scale, partial); }
static __device__ unsigned done_batchnorm_statistics_50176x512[8];
/* residual.net:9  [1,1,1,512]  102.8 MFLOP  102.8 MB  bound: 21.4 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_statistics_50176x512(const float *__restrict__ conv, const float *__restrict__ first_place, float *__restrict__ running_mean, float *__restrict__ running_var, const float *__restrict__ weight, float *__restrict__ mean, float *__restrict__ rstd, float *__restrict__ scale, float *partial)
{ batchnorm_statistics<64, 66, 16, 50175, 8448, 512, 16>(done_batchnorm_statistics_50176x512, 1.9929847e-05f, 1.0000199f, conv, first_place, running_mean, running_var, weight, mean, rstd, scale, partial); }
static __device__ unsigned done_batchnorm_statistics_12544x512[16];
/* residual.net:9  [1,1,1,512]  25.7 MFLOP  25.7 MB  bound: 5.4 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_statistics_12544x512(const float *__restrict__ conv, const float *__restrict__ first_place, float *__restrict__ running_mean, float *__restrict__ running_var, const float *__restrict__ weight, float *__restrict__ mean, float *__restrict__ rstd, float *__restrict__ scale, float *partial)
{ batchnorm_statistics<32, 33, 32, 12543, 8448, 512, 8>(done_batchnorm_statistics_12544x512, 7.9719388e-05f, 1.0000797f, conv, first_place, running_mean, running_var, weight, mean, rstd, scale, partial); }
static __device__ unsigned done_batchnorm_statistics_12544x2048[32];
/* residual.net:9  [1,1,1,2048]  102.8 MFLOP  102.8 MB  bound: 21.4 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_statistics_12544x2048(const float *__restrict__ conv, const float *__restrict__ first_place, float *__restrict__ running_mean, float *__restrict__ running_var, const float *__restrict__ weight, float *__restrict__ mean, float *__restrict__ rstd, float *__restrict__ scale, float *partial)
{ batchnorm_statistics<64, 16, 16, 12543, 2048, 2048, 16>(done_batchnorm_statistics_12544x2048, 7.9719388e-05f, 1.0000797f, conv, first_place, running_mean, running_var, weight, mean, rstd, scale, partial); }

/* maxpool_batchnorm
 * residual.net:9 resnet.net:14
 * [256,56,56,64]  3.2 GFLOP  1.3 GB  bound: 268 us by memory */
extern "C" __global__ void __launch_bounds__(256) maxpool_batchnorm_256x56x56x64(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, float *__restrict__ select, float *__restrict__ round_tf32, uint8_t *__restrict__ cast)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= 12845056)
		return;
	const int i3 = (i * 4) % 64;
	const int i2 = (i * 4) / 64 % 56;
	const int i1 = (i * 4) / 3584 % 56;
	const int i0 = (i * 4) / 200704;
	float conv_in[4];
	nnr_load4(conv_in, conv + i0 * 802816 + (i1 * 2 - 1 < 0 ? 0 : i1 * 2 - 1) * 7168 + (i2 * 2 - 1 < 0 ? 0 : i2 * 2 - 1) * 64 + i3);
	float conv_in_2[4];
	nnr_load4(conv_in_2, conv + i0 * 802816 + (i1 * 2 - 1 < 0 ? 0 : i1 * 2 - 1) * 7168 + (i2 * 2) * 64 + i3);
	float mean_in[4];
	nnr_load4(mean_in, mean + i3);
	float scale_in[4];
	nnr_load4(scale_in, scale + i3);
	float bias_in[4];
	nnr_load4(bias_in, bias + i3);
	float conv_in_3[4];
	nnr_load4(conv_in_3, conv + i0 * 802816 + (i1 * 2 - 1 < 0 ? 0 : i1 * 2 - 1) * 7168 + (i2 * 2 + 1) * 64 + i3);
	float conv_in_4[4];
	nnr_load4(conv_in_4, conv + i0 * 802816 + (i1 * 2) * 7168 + (i2 * 2 - 1 < 0 ? 0 : i2 * 2 - 1) * 64 + i3);
	float conv_in_5[4];
	nnr_load4(conv_in_5, conv + i0 * 802816 + (i1 * 2) * 7168 + (i2 * 2) * 64 + i3);
	float conv_in_6[4];
	nnr_load4(conv_in_6, conv + i0 * 802816 + (i1 * 2) * 7168 + (i2 * 2 + 1) * 64 + i3);
	float conv_in_7[4];
	nnr_load4(conv_in_7, conv + i0 * 802816 + (i1 * 2 + 1) * 7168 + (i2 * 2 - 1 < 0 ? 0 : i2 * 2 - 1) * 64 + i3);
	float conv_in_8[4];
	nnr_load4(conv_in_8, conv + i0 * 802816 + (i1 * 2 + 1) * 7168 + (i2 * 2) * 64 + i3);
	float conv_in_9[4];
	nnr_load4(conv_in_9, conv + i0 * 802816 + (i1 * 2 + 1) * 7168 + (i2 * 2 + 1) * 64 + i3);
	float select_out[4];
	float round_tf32_out[4];
	uint8_t cast_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float tap_ = conv_in[u];
		const float tap_2_ = conv_in_2[u];
		const float mask_border_ = (i1 * 2 - 1 >= 0) ? (((tap_2_ - mean_in[u])*scale_in[u]) + bias_in[u]) : -INFINITY;
		const float mask_border_2_ = (i1 * 2 - 1 >= 0 && i2 * 2 - 1 >= 0) ? (((tap_ - mean_in[u])*scale_in[u]) + bias_in[u]) : -INFINITY;
		const float gt_ = mask_border_ > mask_border_2_ ? 1 : 0;
		const float maximum_ = mask_border_ > mask_border_2_ || mask_border_ != mask_border_ ? mask_border_ : mask_border_2_;
		const float tap_3_ = conv_in_3[u];
		const float mask_border_3_ = (i1 * 2 - 1 >= 0) ? (((tap_3_ - mean_in[u])*scale_in[u]) + bias_in[u]) : -INFINITY;
		const float gt_2_ = mask_border_3_ > maximum_ ? 1 : 0;
		const float maximum_2_ = mask_border_3_ > maximum_ || mask_border_3_ != mask_border_3_ ? mask_border_3_ : maximum_;
		const float tap_4_ = conv_in_4[u];
		const float mask_border_4_ = (i2 * 2 - 1 >= 0) ? (((tap_4_ - mean_in[u])*scale_in[u]) + bias_in[u]) : -INFINITY;
		const float gt_3_ = mask_border_4_ > maximum_2_ ? 1 : 0;
		const float select_ = gt_3_ != 0 ? 3.0f : (gt_2_ != 0 ? 2.0f : (gt_ != 0 ? 1.0f : 0.0f));
		const float select_2_ = gt_3_ != 0 ? tap_4_ : (gt_2_ != 0 ? tap_3_ : (gt_ != 0 ? tap_2_ : tap_));
		const float maximum_3_ = mask_border_4_ > maximum_2_ || mask_border_4_ != mask_border_4_ ? mask_border_4_ : maximum_2_;
		const float tap_5_ = conv_in_5[u];
		const float add_ = ((tap_5_ - mean_in[u])*scale_in[u]) + bias_in[u];
		const float gt_4_ = add_ > maximum_3_ ? 1 : 0;
		const float maximum_4_ = add_ > maximum_3_ || add_ != add_ ? add_ : maximum_3_;
		const float tap_6_ = conv_in_6[u];
		const float add_2_ = ((tap_6_ - mean_in[u])*scale_in[u]) + bias_in[u];
		const float gt_5_ = add_2_ > maximum_4_ ? 1 : 0;
		const float maximum_5_ = add_2_ > maximum_4_ || add_2_ != add_2_ ? add_2_ : maximum_4_;
		const float tap_7_ = conv_in_7[u];
		const float mask_border_5_ = (i2 * 2 - 1 >= 0) ? (((tap_7_ - mean_in[u])*scale_in[u]) + bias_in[u]) : -INFINITY;
		const float gt_6_ = mask_border_5_ > maximum_5_ ? 1 : 0;
		const float select_3_ = gt_6_ != 0 ? 6.0f : (gt_5_ != 0 ? 5.0f : (gt_4_ != 0 ? 4.0f : select_));
		const float select_4_ = gt_6_ != 0 ? tap_7_ : (gt_5_ != 0 ? tap_6_ : (gt_4_ != 0 ? tap_5_ : select_2_));
		const float maximum_6_ = mask_border_5_ > maximum_5_ || mask_border_5_ != mask_border_5_ ? mask_border_5_ : maximum_5_;
		const float tap_8_ = conv_in_8[u];
		const float add_3_ = ((tap_8_ - mean_in[u])*scale_in[u]) + bias_in[u];
		const float gt_7_ = add_3_ > maximum_6_ ? 1 : 0;
		const float maximum_7_ = add_3_ > maximum_6_ || add_3_ != add_3_ ? add_3_ : maximum_6_;
		const float tap_9_ = conv_in_9[u];
		const float add_4_ = ((tap_9_ - mean_in[u])*scale_in[u]) + bias_in[u];
		const float gt_8_ = add_4_ > maximum_7_ ? 1 : 0;
		const float select_5_ = gt_8_ != 0 ? tap_9_ : (gt_7_ != 0 ? tap_8_ : select_4_);
		const float maximum_8_ = add_4_ > maximum_7_ || add_4_ != add_4_ ? add_4_ : maximum_7_;
		const float maxpool_ = maximum_8_ < 0 ? 0 : maximum_8_;
		const float round_tf32_ = nnr_round_tf32f(maxpool_);
		const float select_6_ = maxpool_ > 0.0f ? (gt_8_ != 0 ? 8.0f : (gt_7_ != 0 ? 7.0f : select_3_)) : 255.0f;
		const uint8_t cast_ = (uint8_t)select_6_;
		select_out[u] = select_5_;
		round_tf32_out[u] = round_tf32_;
		cast_out[u] = cast_;
	}
	nnr_store4(select + i0 * 200704 + i1 * 3584 + i2 * 64 + i3, select_out);
	nnr_store4(round_tf32 + i0 * 200704 + i1 * 3584 + i2 * 64 + i3, round_tf32_out);
	nnr_store4(cast + i0 * 200704 + i1 * 3584 + i2 * 64 + i3, cast_out);
}

/* round_tf32(relu((((conv - mean) * scale) + bias)))
 * residual.net:9,23
 * of 7 sizes: 802816x64, 802816x128, 200704x128, 200704x256, 50176x256, 50176x512, 12544x512 */
template <int n, int i0_stride>
static __device__ __forceinline__ void batchnorm_relu_round_tf32(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, float *__restrict__ round_tf32)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
		return;
	const int i1 = (i * 4) % i0_stride;
	const int i0 = (i * 4) / i0_stride;
	float conv_in[4];
	nnr_load4(conv_in, conv + i0 * i0_stride + i1);
	float mean_in[4];
	nnr_load4(mean_in, mean + i1);
	float scale_in[4];
	nnr_load4(scale_in, scale + i1);
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	float round_tf32_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float batchnorm_ = ((conv_in[u] - mean_in[u])*scale_in[u]) + bias_in[u];
		const float round_tf32_ = nnr_round_tf32f(batchnorm_ < 0 ? 0 : batchnorm_);
		round_tf32_out[u] = round_tf32_;
	}
	nnr_store4(round_tf32 + i0 * i0_stride + i1, round_tf32_out);
}
/* residual.net:9,23  [256,56,56,64]  205.5 MFLOP  411.0 MB  bound: 85.6 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_round_tf32_802816x64(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, float *__restrict__ round_tf32)
{ batchnorm_relu_round_tf32<12845056, 64>(conv, mean, scale, bias, round_tf32); }
/* residual.net:9,23  [256,56,56,128]  411.0 MFLOP  822.1 MB  bound: 171 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_round_tf32_802816x128(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, float *__restrict__ round_tf32)
{ batchnorm_relu_round_tf32<25690112, 128>(conv, mean, scale, bias, round_tf32); }
/* residual.net:9,24  [256,28,28,128]  102.8 MFLOP  205.5 MB  bound: 42.8 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_round_tf32_200704x128(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, float *__restrict__ round_tf32)
{ batchnorm_relu_round_tf32<6422528, 128>(conv, mean, scale, bias, round_tf32); }
/* residual.net:9,23  [256,28,28,256]  205.5 MFLOP  411.0 MB  bound: 85.6 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_round_tf32_200704x256(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, float *__restrict__ round_tf32)
{ batchnorm_relu_round_tf32<12845056, 256>(conv, mean, scale, bias, round_tf32); }
/* residual.net:9,24  [256,14,14,256]  51.4 MFLOP  102.8 MB  bound: 21.4 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_round_tf32_50176x256(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, float *__restrict__ round_tf32)
{ batchnorm_relu_round_tf32<3211264, 256>(conv, mean, scale, bias, round_tf32); }
/* residual.net:9,23  [256,14,14,512]  102.8 MFLOP  205.5 MB  bound: 42.8 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_round_tf32_50176x512(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, float *__restrict__ round_tf32)
{ batchnorm_relu_round_tf32<6422528, 512>(conv, mean, scale, bias, round_tf32); }
/* residual.net:9,24  [256,7,7,512]  25.7 MFLOP  51.4 MB  bound: 10.7 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_round_tf32_12544x512(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, float *__restrict__ round_tf32)
{ batchnorm_relu_round_tf32<1605632, 512>(conv, mean, scale, bias, round_tf32); }

/* relu(((((conv - mean) * scale) + bias) + (((conv_2 - mean_2) * scale_2) + bias_2)))
 * residual.net:9,28
 * of 4 sizes: 802816x256, 200704x512, 50176x1024, 12544x2048 */
template <int n, int i0_stride>
static __device__ __forceinline__ void batchnorm_add_relu(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ conv_2, const float *__restrict__ mean_2, const float *__restrict__ scale_2, const float *__restrict__ bias_2, float *__restrict__ relu)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
		return;
	const int i1 = (i * 4) % i0_stride;
	const int i0 = (i * 4) / i0_stride;
	float conv_in[4];
	nnr_load4(conv_in, conv + i0 * i0_stride + i1);
	float mean_in[4];
	nnr_load4(mean_in, mean + i1);
	float scale_in[4];
	nnr_load4(scale_in, scale + i1);
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	float conv_2_in[4];
	nnr_load4(conv_2_in, conv_2 + i0 * i0_stride + i1);
	float mean_2_in[4];
	nnr_load4(mean_2_in, mean_2 + i1);
	float scale_2_in[4];
	nnr_load4(scale_2_in, scale_2 + i1);
	float bias_2_in[4];
	nnr_load4(bias_2_in, bias_2 + i1);
	float relu_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float batchnorm_ = ((conv_2_in[u] - mean_2_in[u])*scale_2_in[u]) + bias_2_in[u];
		const float add_ = (((conv_in[u] - mean_in[u])*scale_in[u]) + bias_in[u]) + batchnorm_;
		const float relu_ = add_ < 0 ? 0 : add_;
		relu_out[u] = relu_;
	}
	nnr_store4(relu + i0 * i0_stride + i1, relu_out);
}
/* residual.net:9,28  [256,56,56,256]  1.6 GFLOP  2.5 GB  bound: 514 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_add_relu_802816x256(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ conv_2, const float *__restrict__ mean_2, const float *__restrict__ scale_2, const float *__restrict__ bias_2, float *__restrict__ relu)
{ batchnorm_add_relu<51380224, 256>(conv, mean, scale, bias, conv_2, mean_2, scale_2, bias_2, relu); }
/* residual.net:9,28  [256,28,28,512]  822.1 MFLOP  1.2 GB  bound: 257 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_add_relu_200704x512(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ conv_2, const float *__restrict__ mean_2, const float *__restrict__ scale_2, const float *__restrict__ bias_2, float *__restrict__ relu)
{ batchnorm_add_relu<25690112, 512>(conv, mean, scale, bias, conv_2, mean_2, scale_2, bias_2, relu); }
/* residual.net:9,28  [256,14,14,1024]  411.0 MFLOP  616.6 MB  bound: 128 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_add_relu_50176x1024(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ conv_2, const float *__restrict__ mean_2, const float *__restrict__ scale_2, const float *__restrict__ bias_2, float *__restrict__ relu)
{ batchnorm_add_relu<12845056, 1024>(conv, mean, scale, bias, conv_2, mean_2, scale_2, bias_2, relu); }
/* residual.net:9,28  [256,7,7,2048]  205.5 MFLOP  308.3 MB  bound: 64.2 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_add_relu_12544x2048(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ conv_2, const float *__restrict__ mean_2, const float *__restrict__ scale_2, const float *__restrict__ bias_2, float *__restrict__ relu)
{ batchnorm_add_relu<6422528, 2048>(conv, mean, scale, bias, conv_2, mean_2, scale_2, bias_2, relu); }

/* positive(relu(((((conv - mean) * scale) + bias) + relu))); relu(((((conv - mean) * scale) + bias) + relu))
 * residual.net:9,28
 * of 4 sizes: 802816x256, 200704x512, 50176x1024, 12544x2048 */
template <int n, int i0_stride>
static __device__ __forceinline__ void batchnorm_add_relu_backward(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ relu, float *__restrict__ relu_2, uint8_t *__restrict__ positive)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
		return;
	const int i1 = (i * 4) % i0_stride;
	const int i0 = (i * 4) / i0_stride;
	float conv_in[4];
	nnr_load4(conv_in, conv + i0 * i0_stride + i1);
	float mean_in[4];
	nnr_load4(mean_in, mean + i1);
	float scale_in[4];
	nnr_load4(scale_in, scale + i1);
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	float relu_in[4];
	nnr_load4(relu_in, relu + i0 * i0_stride + i1);
	float relu_2_out[4];
	uint8_t positive_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float add_ = (((conv_in[u] - mean_in[u])*scale_in[u]) + bias_in[u]) + relu_in[u];
		const float relu_ = add_ < 0 ? 0 : add_;
		const uint8_t positive_ = relu_ > 0 ? 1 : 0;
		relu_2_out[u] = relu_;
		positive_out[u] = positive_;
	}
	nnr_store4(relu_2 + i0 * i0_stride + i1, relu_2_out);
	nnr_store4(positive + i0 * i0_stride + i1, positive_out);
}
/* residual.net:9,28  [256,56,56,256]  1.2 GFLOP  2.7 GB  bound: 557 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_add_relu_backward_802816x256(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ relu, float *__restrict__ relu_2, uint8_t *__restrict__ positive)
{ batchnorm_add_relu_backward<51380224, 256>(conv, mean, scale, bias, relu, relu_2, positive); }
/* residual.net:9,28  [256,28,28,512]  616.6 MFLOP  1.3 GB  bound: 278 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_add_relu_backward_200704x512(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ relu, float *__restrict__ relu_2, uint8_t *__restrict__ positive)
{ batchnorm_add_relu_backward<25690112, 512>(conv, mean, scale, bias, relu, relu_2, positive); }
/* residual.net:9,28  [256,14,14,1024]  308.3 MFLOP  668.0 MB  bound: 139 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_add_relu_backward_50176x1024(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ relu, float *__restrict__ relu_2, uint8_t *__restrict__ positive)
{ batchnorm_add_relu_backward<12845056, 1024>(conv, mean, scale, bias, relu, relu_2, positive); }
/* residual.net:9,28  [256,7,7,2048]  154.1 MFLOP  334.0 MB  bound: 69.6 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_add_relu_backward_12544x2048(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ relu, float *__restrict__ relu_2, uint8_t *__restrict__ positive)
{ batchnorm_add_relu_backward<6422528, 2048>(conv, mean, scale, bias, relu, relu_2, positive); }

/* positive(relu(((((conv - mean) * scale) + bias) + relu)));
 *   round_tf32(relu(((((conv - mean) * scale) + bias) + relu)))
 * residual.net:9,28
 * of 3 sizes: 802816x256, 200704x512, 50176x1024 */
template <int n, int i0_stride>
static __device__ __forceinline__ void batchnorm_add_relu_backward_round_tf32(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ relu, float *__restrict__ round_tf32, uint8_t *__restrict__ positive)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
		return;
	const int i1 = (i * 4) % i0_stride;
	const int i0 = (i * 4) / i0_stride;
	float conv_in[4];
	nnr_load4(conv_in, conv + i0 * i0_stride + i1);
	float mean_in[4];
	nnr_load4(mean_in, mean + i1);
	float scale_in[4];
	nnr_load4(scale_in, scale + i1);
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	float relu_in[4];
	nnr_load4(relu_in, relu + i0 * i0_stride + i1);
	float round_tf32_out[4];
	uint8_t positive_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float add_ = (((conv_in[u] - mean_in[u])*scale_in[u]) + bias_in[u]) + relu_in[u];
		const float relu_ = add_ < 0 ? 0 : add_;
		const float round_tf32_ = nnr_round_tf32f(relu_);
		const uint8_t positive_ = relu_ > 0 ? 1 : 0;
		round_tf32_out[u] = round_tf32_;
		positive_out[u] = positive_;
	}
	nnr_store4(round_tf32 + i0 * i0_stride + i1, round_tf32_out);
	nnr_store4(positive + i0 * i0_stride + i1, positive_out);
}
/* residual.net:9,28  [256,56,56,256]  1.2 GFLOP  2.7 GB  bound: 557 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_add_relu_backward_round_tf32_802816x256(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ relu, float *__restrict__ round_tf32, uint8_t *__restrict__ positive)
{ batchnorm_add_relu_backward_round_tf32<51380224, 256>(conv, mean, scale, bias, relu, round_tf32, positive); }
/* residual.net:9,28  [256,28,28,512]  616.6 MFLOP  1.3 GB  bound: 278 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_add_relu_backward_round_tf32_200704x512(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ relu, float *__restrict__ round_tf32, uint8_t *__restrict__ positive)
{ batchnorm_add_relu_backward_round_tf32<25690112, 512>(conv, mean, scale, bias, relu, round_tf32, positive); }
/* residual.net:9,28  [256,14,14,1024]  308.3 MFLOP  668.0 MB  bound: 139 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_add_relu_backward_round_tf32_50176x1024(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ relu, float *__restrict__ round_tf32, uint8_t *__restrict__ positive)
{ batchnorm_add_relu_backward_round_tf32<12845056, 1024>(conv, mean, scale, bias, relu, round_tf32, positive); }

/* batchnorm_add_relu_backward_avgpool
 * residual.net:9,28 resnet.net:12
 * [256,7,7,2048]  180.4 MFLOP  233.3 MB  bound: 48.6 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_add_relu_backward_avgpool_256x49x2048(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ relu, float *__restrict__ round_tf32, uint8_t *__restrict__ positive)
{
	const int tile = blockIdx.x % 64;
	const int column = tile * 32 + threadIdx.x % 32, row = threadIdx.x / 32;
	const int o = blockIdx.x / 64;
	float sum = 0;
	#pragma unroll 4
	for (int r = row; r < 49; r += 8) {
		const float mul_ = (conv[o * 100352 + r * 2048 + column] - mean[column])*scale[column];
		const float add_ = (mul_ + bias[column]) + relu[o * 100352 + r * 2048 + column];
		const float relu_ = add_ < 0 ? 0 : add_;
		const uint8_t positive_ = relu_ > 0 ? 1 : 0;
		sum += relu_;
		positive[o * 100352 + r * 2048 + column] = positive_;
	}
	sum = nnr_column_sum(sum);
	if (row == 0) {
		const float avgpool_ = sum*0.020408163f;
		const float round_tf32_ = nnr_round_tf32f(avgpool_);
		round_tf32[o * 2048 + column] = round_tf32_;
	}
}

/* bias_backward_cross_entropy_backward_top1_mean
 * resnet.net:12,14,15
 * [256,1000]  7.9 MFLOP  2.1 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256, 4) bias_backward_cross_entropy_backward_top1_mean_256x1000(float *__restrict__ matmul, const float *__restrict__ bias, const int32_t *__restrict__ label, float *partial)
{
	float sums[6] = {0};
	float bias_in[4];
	if (const int r = threadIdx.x * 4; r < 1000) {
		nnr_load4(bias_in, bias + r);
	}
	struct Rows {
		NnrRaw4<float> matmul_in_raw[2];
		int32_t label_in[2];
	};
	const auto fetch = [&](Rows &to, int first) {
		auto &[matmul_in_raw, label_in] = to;
		#pragma unroll
		for (int q = 0; q < 2; q++) {
			const int o = first + q;
			label_in[q] = label[o];
			if (const int r = threadIdx.x * 4; r < 1000) {
				nnr_load4(matmul_in_raw[q], matmul + o * 1000 + r);
			}
		}
	};
	for (int first = blockIdx.x * 2; first < 256; first += 256) {
		Rows now;
		fetch(now, first);
		auto &[matmul_in_raw, label_in] = now;
		float exp_row[8];
		float max_[2];
		float own_score[2];
		#pragma unroll
		for (int q = 0; q < 2; q++) {
			max_[q] = -INFINITY;
			own_score[q] = 0;
			if (const int r = threadIdx.x * 4; r < 1000) {
				float matmul_in[4];
				nnr_load4(matmul_in, matmul_in_raw[q]);
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					const float dense_ = matmul_in[u] + bias_in[u];
					max_[q] = nnr_maxf(max_[q], dense_);
					own_score[q] += label_in[q] == (r + u) ? dense_ : 0.0f;
				}
			}
		}
		nnr_team_maxs<256, 256>(max_);
		nnr_team_sums<256, 256>(own_score);
		float exp_sum[2];
		float rank[2];
		#pragma unroll
		for (int q = 0; q < 2; q++) {
			exp_sum[q] = 0;
			rank[q] = 0;
			if (const int r = threadIdx.x * 4; r < 1000) {
				float matmul_in[4];
				nnr_load4(matmul_in, matmul_in_raw[q]);
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					const float dense_2_ = matmul_in[u] + bias_in[u];
					const float exp_ = nnr_expf(dense_2_ - max_[q]);
					const float outranks_ = dense_2_ < own_score[q] || (dense_2_ == own_score[q] && (r + u) >= label_in[q]) ? 0 : 1;
					exp_sum[q] += exp_;
					rank[q] += outranks_;
					exp_row[q * 4 + u] = exp_;
				}
			}
		}
		nnr_team_sums<256, 256>(exp_sum, rank);
		float cross_entropy[2];
		#pragma unroll
		for (int q = 0; q < 2; q++) {
			cross_entropy[q] = 0;
			const int o = first + q;
			const float log_ = nnr_logf(exp_sum[q]);
			const float is_right_ = rank[q] < 1.0f ? 1 : 0;
			const float div_ = 1.0f/exp_sum[q];
			sums[1] += is_right_;
			if (const int r = threadIdx.x * 4; r < 1000) {
				float matmul_in[4];
				nnr_load4(matmul_in, matmul_in_raw[q]);
				float matmul_out[4];
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					const float one_hot_ = label_in[q] == (r + u) ? 1 : 0;
					const float mul_ = one_hot_*(log_ - ((matmul_in[u] + bias_in[u]) - max_[q]));
					const float dx_ = 0.00390625f*((exp_row[q * 4 + u]*div_) - one_hot_);
					const float round_tf32_ = nnr_round_tf32f(dx_);
					cross_entropy[q] += one_hot_ != 0 ? mul_ : 0.0f;
					sums[u + 2] += dx_;
					matmul_out[u] = round_tf32_;
				}
				nnr_store4(matmul + o * 1000 + r, matmul_out);
			}
		}
		nnr_team_sums<256, 256>(cross_entropy);
		#pragma unroll
		for (int q = 0; q < 2; q++) {
			const float cross_entropy_ = cross_entropy[q];
			sums[0] += cross_entropy_;
		}
	}
	nnr_sums_leave<256, 256>(sums, partial);
}

/* mean_bias_backward
 * resnet.net:12,14,15
 * [1000]  2 FLOP  4.0 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(160) mean_bias_backward_256x1000(float *__restrict__ mean, float *__restrict__ mean_2, float *__restrict__ dbias, float *partial)
{
	float sums[6];
	const int lane = blockIdx.x * 4 + threadIdx.x;
	if (!nnr_sums_take<256, 256, 6>(sums, partial, 128))
		return;
	if (const int r = lane * 4; r < 1000) {
		float dbias_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float dbias_ = sums[u + 2];
			dbias_out[u] = dbias_;
		}
		nnr_store4(dbias + r, dbias_out);
	}
	if (lane == 0) {
		const float sum_ = sums[0];
		const float mean_ = sum_*0.00390625f;
		const float sum_2_ = sums[1];
		const float mean_2_ = sum_2_*0.00390625f;
		mean[0] = mean_;
		mean_2[0] = mean_2_;
	}
}

/* dy * 0.0204082
 * resnet.net:12
 * [256,1,1,2048]  524.3 kFLOP  4.2 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) avgpool_backward_524288(float *__restrict__ dy)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= 131072)
		return;
	const int i0 = i * 4;
	float dy_in[4];
	nnr_load4(dy_in, dy + i0);
	float dy_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float dx_ = dy_in[u]*0.020408163f;
		dy_out[u] = dx_;
	}
	nnr_store4(dy + i0, dy_out);
}

/* relu_batchnorm_backward_sums of bottleneck_16
 * residual.net:9,28
 * [1,1,1,2048]  128.5 MFLOP  130.6 MB  bound: 27.2 us by memory */
static __device__ unsigned done_relu_batchnorm_backward_sums_256x49x2048[16];
extern "C" __global__ void __launch_bounds__(256) relu_batchnorm_backward_sums_256x49x2048(const uint8_t *__restrict__ positive, const float *__restrict__ dy, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ rstd, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{
	unsigned *const done = done_relu_batchnorm_backward_sums_256x49x2048;
	const int slab = blockIdx.x / 33, at = blockIdx.x % 33;
	const int i2 = slab * 128 + threadIdx.x % 32 * 4;
	const int column = slab * 128 + threadIdx.x;
	const int row = at * 8 + threadIdx.x / 32;
	uint8_t positive_in[16];
	float dy_in[16];
	float conv_in[16];
	float mean_in[4];
	nnr_load4(mean_in, mean + i2);
	alignas(16) __shared__ float scale_slab[128];
	alignas(16) __shared__ float rstd_slab[128];
	if (threadIdx.x < 128) {
		scale_slab[threadIdx.x] = (float)*(scale + column);
		rstd_slab[threadIdx.x] = (float)*(rstd + column);
	}
	__shared__ float dy_sum_2_parts[2048];
	float dy_sum_2[4];
	nnr_fill4(dy_sum_2, 0);
	float dy_centred_sum[4];
	nnr_fill4(dy_centred_sum, 0);
	for (int last = 12543 - row; last >= 0; last -= 1056) {
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			const int r = max(last - k * 264, 0);
			const int i1 = r % 49;
			const int i0 = r / 49;
			nnr_load4(positive_in + k * 4, positive + i0 * 100352 + i1 * 2048 + i2);
			nnr_load4(dy_in + k * 4, dy + i0 * 2048 + i2);
			nnr_load4(conv_in + k * 4, conv + i0 * 100352 + i1 * 2048 + i2);
		}
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			if (last >= k * 264) {
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					const float dx_ = ((float)positive_in[k * 4 + u]) != 0 ? dy_in[k * 4 + u] : 0.0f;
					dy_sum_2[u] += dx_;
					dy_centred_sum[u] += dx_*(conv_in[k * 4 + u] - mean_in[u]);
				}
			}
		}
	}
	nnr_slab_leave<NnrSum<float>, 128>(dy_sum_2_parts, dy_sum_2, dy_centred_sum);
	__syncthreads();
	if (threadIdx.x < 128) {
		partial[at * 4096 + column] = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + threadIdx.x);
		partial[at * 4096 + 2048 + column] = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + 128 + threadIdx.x);
	}
	if (!nnr_last_block(&done[slab], 33))
		return;
	nnr_fill4(dy_sum_2, 0);
	nnr_fill4(dy_centred_sum, 0);
	#pragma unroll 8
	for (int part = threadIdx.x / 32; part < 33; part += 8) {
		nnr_combine4<NnrSum<float>>(dy_sum_2, partial + part * 4096 + i2);
		nnr_combine4<NnrSum<float>>(dy_centred_sum, partial + part * 4096 + 2048 + i2);
	}
	nnr_slab_leave<NnrSum<float>, 128>(dy_sum_2_parts, dy_sum_2, dy_centred_sum);
	__syncthreads();
	if (threadIdx.x < 128) {
		const float dy_sum_2_total = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + threadIdx.x);
		const float dy_centred_sum_total = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + 128 + threadIdx.x);
		const float neg_ = -scale_slab[threadIdx.x];
		const float mul_ = neg_*rstd_slab[threadIdx.x];
		const float mul_2_ = mul_*rstd_slab[threadIdx.x];
		const float mul_3_ = mul_2_*dy_centred_sum_total;
		const float neg_2_ = -scale_slab[threadIdx.x];
		const float mul_4_ = neg_2_*dy_sum_2_total;
		const float centred_scale_ = mul_3_*7.9719388e-05f;
		const float shift_ = mul_4_*7.9719388e-05f;
		const float dweight_ = dy_centred_sum_total*rstd_slab[threadIdx.x];
		centred_scale[column] = centred_scale_;
		shift[column] = shift_;
		dweight[column] = dweight_;
		dy_sum[column] = dy_sum_2_total;
	}
}

/* round_tf32(((select(cast(positive), dy, 0) * scale) + (((conv - mean) * centred_scale) + shift)))
 * residual.net:9,28
 * [256,7,7,2048]  154.1 MFLOP  233.3 MB  bound: 48.6 us by memory */
extern "C" __global__ void __launch_bounds__(256) relu_batchnorm_backward_256x49x2048(const uint8_t *__restrict__ positive, const float *__restrict__ dy, const float *__restrict__ scale, float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= 6422528)
		return;
	const int i2 = (i * 4) % 2048;
	const int i1 = (i * 4) / 2048 % 49;
	const int i0 = (i * 4) / 100352;
	uint8_t positive_in[4];
	nnr_load4(positive_in, positive + i0 * 100352 + i1 * 2048 + i2);
	float dy_in[4];
	nnr_load4(dy_in, dy + i0 * 2048 + i2);
	float scale_in[4];
	nnr_load4(scale_in, scale + i2);
	float conv_in[4];
	nnr_load4(conv_in, conv + i0 * 100352 + i1 * 2048 + i2);
	float mean_in[4];
	nnr_load4(mean_in, mean + i2);
	float centred_scale_in[4];
	nnr_load4(centred_scale_in, centred_scale + i2);
	float shift_in[4];
	nnr_load4(shift_in, shift + i2);
	float conv_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float mul_ = (((float)positive_in[u]) != 0 ? dy_in[u] : 0.0f)*scale_in[u];
		const float add_ = ((conv_in[u] - mean_in[u])*centred_scale_in[u]) + shift_in[u];
		const float round_tf32_ = nnr_round_tf32f(mul_ + add_);
		conv_out[u] = round_tf32_;
	}
	nnr_store4(conv + i0 * 100352 + i1 * 2048 + i2, conv_out);
}

/* batchnorm_relu_backward_sums of bottleneck_16
 * residual.net:9,24
 * of 7 sizes: 12544x512, 50176x512, 50176x256, 200704x256, 200704x128, 802816x128, 802816x64 */
template <int threads, int part_end, int at_stride, int last_start, int last_step, int r_stride, int size>
static __device__ __forceinline__ void batchnorm_relu_backward_sums(unsigned *const done, float factor, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ rstd, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{
	const int slab = blockIdx.x / part_end, at = blockIdx.x % part_end;
	const int i1 = slab * threads + threadIdx.x % size * 4;
	const int column = slab * threads + threadIdx.x;
	const int row = at * at_stride + threadIdx.x / size;
	float conv_in[16];
	float dy_in[16];
	float mean_in[4];
	nnr_load4(mean_in, mean + i1);
	float scale_in[4];
	nnr_load4(scale_in, scale + i1);
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	alignas(16) __shared__ float scale_slab[threads];
	alignas(16) __shared__ float rstd_slab[threads];
	if (threadIdx.x < threads) {
		scale_slab[threadIdx.x] = (float)*(scale + column);
		rstd_slab[threadIdx.x] = (float)*(rstd + column);
	}
	__shared__ float dy_sum_2_parts[16 * threads];
	float dy_sum_2[4];
	nnr_fill4(dy_sum_2, 0);
	float dy_centred_sum[4];
	nnr_fill4(dy_centred_sum, 0);
	for (int last = last_start - row; last >= 0; last -= last_step) {
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			const int r = max(last - k * (part_end * at_stride), 0);
			nnr_load4(conv_in + k * 4, conv + r * r_stride + i1);
			nnr_load4(dy_in + k * 4, dy + r * r_stride + i1);
		}
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			if (last >= k * (part_end * at_stride)) {
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					const float batchnorm_ = ((conv_in[k * 4 + u] - mean_in[u])*scale_in[u]) + bias_in[u];
					const float dx_ = (batchnorm_ < 0 ? 0 : batchnorm_) > 0.0f ? dy_in[k * 4 + u] : 0.0f;
					dy_sum_2[u] += dx_;
					dy_centred_sum[u] += dx_*(conv_in[k * 4 + u] - mean_in[u]);
				}
			}
		}
	}
	nnr_slab_leave<NnrSum<float>, threads>(dy_sum_2_parts, dy_sum_2, dy_centred_sum);
	__syncthreads();
	if (threadIdx.x < threads) {
		partial[at * (2 * r_stride) + column] = nnr_slab_take<NnrSum<float>, 2 * threads, 8>(dy_sum_2_parts + threadIdx.x);
		partial[at * (2 * r_stride) + r_stride + column] = nnr_slab_take<NnrSum<float>, 2 * threads, 8>(dy_sum_2_parts + threads + threadIdx.x);
	}
	if (!nnr_last_block(&done[slab], part_end))
		return;
	nnr_fill4(dy_sum_2, 0);
	nnr_fill4(dy_centred_sum, 0);
	#pragma unroll 8
	for (int part = threadIdx.x / size; part < part_end; part += at_stride) {
		nnr_combine4<NnrSum<float>>(dy_sum_2, partial + part * (2 * r_stride) + i1);
		nnr_combine4<NnrSum<float>>(dy_centred_sum, partial + part * (2 * r_stride) + r_stride + i1);
	}
	nnr_slab_leave<NnrSum<float>, threads>(dy_sum_2_parts, dy_sum_2, dy_centred_sum);
	__syncthreads();
	if (threadIdx.x < threads) {
		const float dy_sum_2_total = nnr_slab_take<NnrSum<float>, 2 * threads, 8>(dy_sum_2_parts + threadIdx.x);
		const float dy_centred_sum_total = nnr_slab_take<NnrSum<float>, 2 * threads, 8>(dy_sum_2_parts + threads + threadIdx.x);
		const float neg_ = -scale_slab[threadIdx.x];
		const float mul_ = neg_*rstd_slab[threadIdx.x];
		const float mul_2_ = mul_*rstd_slab[threadIdx.x];
		const float mul_3_ = mul_2_*dy_centred_sum_total;
		const float neg_2_ = -scale_slab[threadIdx.x];
		const float mul_4_ = neg_2_*dy_sum_2_total;
		const float centred_scale_ = mul_3_*factor;
		const float shift_ = mul_4_*factor;
		const float dweight_ = dy_centred_sum_total*rstd_slab[threadIdx.x];
		centred_scale[column] = centred_scale_;
		shift[column] = shift_;
		dweight[column] = dweight_;
		dy_sum[column] = dy_sum_2_total;
	}
}
static __device__ unsigned done_batchnorm_relu_backward_sums_12544x512[16];
/* residual.net:9,24  [1,1,1,512]  64.2 MFLOP  51.4 MB  bound: 10.7 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_backward_sums_12544x512(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ rstd, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{ batchnorm_relu_backward_sums<32, 33, 32, 12543, 4224, 512, 8>(done_batchnorm_relu_backward_sums_12544x512, 7.9719388e-05f, conv, mean, scale, bias, dy, rstd, centred_scale, shift, dweight, dy_sum, partial); }
static __device__ unsigned done_batchnorm_relu_backward_sums_50176x512[8];
/* residual.net:9,23  [1,1,1,512]  256.9 MFLOP  205.5 MB  bound: 42.8 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_backward_sums_50176x512(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ rstd, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{ batchnorm_relu_backward_sums<64, 66, 16, 50175, 4224, 512, 16>(done_batchnorm_relu_backward_sums_50176x512, 1.9929847e-05f, conv, mean, scale, bias, dy, rstd, centred_scale, shift, dweight, dy_sum, partial); }
static __device__ unsigned done_batchnorm_relu_backward_sums_50176x256[8];
/* residual.net:9,24  [1,1,1,256]  128.5 MFLOP  102.8 MB  bound: 21.4 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_backward_sums_50176x256(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ rstd, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{ batchnorm_relu_backward_sums<32, 66, 32, 50175, 8448, 256, 8>(done_batchnorm_relu_backward_sums_50176x256, 1.9929847e-05f, conv, mean, scale, bias, dy, rstd, centred_scale, shift, dweight, dy_sum, partial); }
static __device__ unsigned done_batchnorm_relu_backward_sums_200704x256[4];
/* residual.net:9,23  [1,1,1,256]  513.8 MFLOP  411.0 MB  bound: 85.6 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_backward_sums_200704x256(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ rstd, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{ batchnorm_relu_backward_sums<64, 132, 16, 200703, 8448, 256, 16>(done_batchnorm_relu_backward_sums_200704x256, 4.9824617e-06f, conv, mean, scale, bias, dy, rstd, centred_scale, shift, dweight, dy_sum, partial); }
static __device__ unsigned done_batchnorm_relu_backward_sums_200704x128[4];
/* residual.net:9,24  [1,1,1,128]  256.9 MFLOP  205.5 MB  bound: 42.8 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_backward_sums_200704x128(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ rstd, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{ batchnorm_relu_backward_sums<32, 132, 32, 200703, 16896, 128, 8>(done_batchnorm_relu_backward_sums_200704x128, 4.9824617e-06f, conv, mean, scale, bias, dy, rstd, centred_scale, shift, dweight, dy_sum, partial); }
static __device__ unsigned done_batchnorm_relu_backward_sums_802816x128[2];
/* residual.net:9,23  [1,1,1,128]  1.0 GFLOP  822.1 MB  bound: 171 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_backward_sums_802816x128(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ rstd, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{ batchnorm_relu_backward_sums<64, 264, 16, 802815, 16896, 128, 16>(done_batchnorm_relu_backward_sums_802816x128, 1.2456154e-06f, conv, mean, scale, bias, dy, rstd, centred_scale, shift, dweight, dy_sum, partial); }
static __device__ unsigned done_batchnorm_relu_backward_sums_802816x64[2];
/* residual.net:9,24  [1,1,1,64]  513.8 MFLOP  411.0 MB  bound: 85.6 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_backward_sums_802816x64(const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ rstd, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{ batchnorm_relu_backward_sums<32, 264, 32, 802815, 33792, 64, 8>(done_batchnorm_relu_backward_sums_802816x64, 1.2456154e-06f, conv, mean, scale, bias, dy, rstd, centred_scale, shift, dweight, dy_sum, partial); }

/* batchnorm_relu_backward of bottleneck_16
 * residual.net:9,24
 * of 7 sizes: 12544x512, 50176x512, 50176x256, 200704x256, 200704x128, 802816x128, 802816x64 */
template <int n, int i0_stride>
static __device__ __forceinline__ void batchnorm_relu_backward(float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
		return;
	const int i1 = (i * 4) % i0_stride;
	const int i0 = (i * 4) / i0_stride;
	float conv_in[4];
	nnr_load4(conv_in, conv + i0 * i0_stride + i1);
	float mean_in[4];
	nnr_load4(mean_in, mean + i1);
	float scale_in[4];
	nnr_load4(scale_in, scale + i1);
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	float dy_in[4];
	nnr_load4(dy_in, dy + i0 * i0_stride + i1);
	float centred_scale_in[4];
	nnr_load4(centred_scale_in, centred_scale + i1);
	float shift_in[4];
	nnr_load4(shift_in, shift + i1);
	float conv_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float batchnorm_ = ((conv_in[u] - mean_in[u])*scale_in[u]) + bias_in[u];
		const float dx_ = (batchnorm_ < 0 ? 0 : batchnorm_) > 0.0f ? dy_in[u] : 0.0f;
		const float add_ = ((conv_in[u] - mean_in[u])*centred_scale_in[u]) + shift_in[u];
		const float round_tf32_ = nnr_round_tf32f((dx_*scale_in[u]) + add_);
		conv_out[u] = round_tf32_;
	}
	nnr_store4(conv + i0 * i0_stride + i1, conv_out);
}
/* residual.net:9,24  [256,7,7,512]  70.6 MFLOP  77.1 MB  bound: 16.1 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_backward_12544x512(float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{ batchnorm_relu_backward<1605632, 512>(conv, mean, scale, bias, dy, centred_scale, shift); }
/* residual.net:9,23  [256,14,14,512]  282.6 MFLOP  308.3 MB  bound: 64.2 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_backward_50176x512(float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{ batchnorm_relu_backward<6422528, 512>(conv, mean, scale, bias, dy, centred_scale, shift); }
/* residual.net:9,24  [256,14,14,256]  141.3 MFLOP  154.1 MB  bound: 32.1 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_backward_50176x256(float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{ batchnorm_relu_backward<3211264, 256>(conv, mean, scale, bias, dy, centred_scale, shift); }
/* residual.net:9,23  [256,28,28,256]  565.2 MFLOP  616.6 MB  bound: 128 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_backward_200704x256(float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{ batchnorm_relu_backward<12845056, 256>(conv, mean, scale, bias, dy, centred_scale, shift); }
/* residual.net:9,24  [256,28,28,128]  282.6 MFLOP  308.3 MB  bound: 64.2 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_backward_200704x128(float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{ batchnorm_relu_backward<6422528, 128>(conv, mean, scale, bias, dy, centred_scale, shift); }
/* residual.net:9,23  [256,56,56,128]  1.1 GFLOP  1.2 GB  bound: 257 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_backward_802816x128(float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{ batchnorm_relu_backward<25690112, 128>(conv, mean, scale, bias, dy, centred_scale, shift); }
/* residual.net:9,24  [256,56,56,64]  565.2 MFLOP  616.6 MB  bound: 128 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_relu_backward_802816x64(float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ dy, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{ batchnorm_relu_backward<12845056, 64>(conv, mean, scale, bias, dy, centred_scale, shift); }

/* relu_add_batchnorm_backward_sums
 * residual.net:7,9,28
 * [256,7,7,2048]  179.8 MFLOP  361.8 MB  bound: 75.4 us by memory */
static __device__ unsigned done_relu_add_batchnorm_backward_sums_256x49x2048[16];
extern "C" __global__ void __launch_bounds__(256) relu_add_batchnorm_backward_sums_256x49x2048(const uint8_t *__restrict__ positive, const float *__restrict__ dy, const float *__restrict__ conv_dgrad, const uint8_t *__restrict__ positive_2, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ rstd, float *__restrict__ dx, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{
	unsigned *const done = done_relu_add_batchnorm_backward_sums_256x49x2048;
	const int slab = blockIdx.x / 16, at = blockIdx.x % 16;
	const int i2 = slab * 128 + threadIdx.x % 32 * 4;
	const int column = slab * 128 + threadIdx.x;
	const int row = at * 8 + threadIdx.x / 32;
	uint8_t positive_in[16];
	float dy_in[16];
	float conv_dgrad_in[16];
	uint8_t positive_2_in[16];
	float conv_in[16];
	float mean_in[4];
	nnr_load4(mean_in, mean + i2);
	alignas(16) __shared__ float scale_slab[128];
	alignas(16) __shared__ float rstd_slab[128];
	if (threadIdx.x < 128) {
		scale_slab[threadIdx.x] = (float)*(scale + column);
		rstd_slab[threadIdx.x] = (float)*(rstd + column);
	}
	__shared__ float dy_sum_2_parts[2048];
	float dy_sum_2[4];
	nnr_fill4(dy_sum_2, 0);
	float dy_centred_sum[4];
	nnr_fill4(dy_centred_sum, 0);
	for (int last = 12543 - row; last >= 0; last -= 512) {
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			const int r = max(last - k * 128, 0);
			const int i1 = r % 49;
			const int i0 = r / 49;
			nnr_load4(positive_in + k * 4, positive + i0 * 100352 + i1 * 2048 + i2);
			nnr_load4(dy_in + k * 4, dy + i0 * 2048 + i2);
			nnr_load4(conv_dgrad_in + k * 4, conv_dgrad + i0 * 100352 + i1 * 2048 + i2);
			nnr_load4(positive_2_in + k * 4, positive_2 + i0 * 100352 + i1 * 2048 + i2);
			nnr_load4(conv_in + k * 4, conv + i0 * 100352 + i1 * 2048 + i2);
		}
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			const int r = max(last - k * 128, 0);
			const int i1 = r % 49;
			const int i0 = r / 49;
			float dx_out[4];
			if (last >= k * 128) {
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					const float dx_ = ((float)positive_in[k * 4 + u]) != 0 ? dy_in[k * 4 + u] : 0.0f;
					const float dx_2_ = ((float)positive_2_in[k * 4 + u]) != 0 ? (dx_ + conv_dgrad_in[k * 4 + u]) : 0.0f;
					dy_sum_2[u] += dx_2_;
					dy_centred_sum[u] += dx_2_*(conv_in[k * 4 + u] - mean_in[u]);
					dx_out[u] = dx_2_;
				}
				nnr_store4(dx + i0 * 100352 + i1 * 2048 + i2, dx_out);
			}
		}
	}
	nnr_slab_leave<NnrSum<float>, 128>(dy_sum_2_parts, dy_sum_2, dy_centred_sum);
	__syncthreads();
	if (threadIdx.x < 128) {
		partial[at * 4096 + column] = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + threadIdx.x);
		partial[at * 4096 + 2048 + column] = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + 128 + threadIdx.x);
	}
	if (!nnr_last_block(&done[slab], 16))
		return;
	nnr_fill4(dy_sum_2, 0);
	nnr_fill4(dy_centred_sum, 0);
	#pragma unroll 8
	for (int part = threadIdx.x / 32; part < 16; part += 8) {
		nnr_combine4<NnrSum<float>>(dy_sum_2, partial + part * 4096 + i2);
		nnr_combine4<NnrSum<float>>(dy_centred_sum, partial + part * 4096 + 2048 + i2);
	}
	nnr_slab_leave<NnrSum<float>, 128>(dy_sum_2_parts, dy_sum_2, dy_centred_sum);
	__syncthreads();
	if (threadIdx.x < 128) {
		const float dy_sum_2_total = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + threadIdx.x);
		const float dy_centred_sum_total = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + 128 + threadIdx.x);
		const float neg_ = -scale_slab[threadIdx.x];
		const float mul_ = neg_*rstd_slab[threadIdx.x];
		const float mul_2_ = mul_*rstd_slab[threadIdx.x];
		const float mul_3_ = mul_2_*dy_centred_sum_total;
		const float neg_2_ = -scale_slab[threadIdx.x];
		const float mul_4_ = neg_2_*dy_sum_2_total;
		const float centred_scale_ = mul_3_*7.9719388e-05f;
		const float shift_ = mul_4_*7.9719388e-05f;
		const float dweight_ = dy_centred_sum_total*rstd_slab[threadIdx.x];
		centred_scale[column] = centred_scale_;
		shift[column] = shift_;
		dweight[column] = dweight_;
		dy_sum[column] = dy_sum_2_total;
	}
}

/* round_tf32(((dy * scale) + (((conv - mean) * centred_scale) + shift)))
 * residual.net:9
 * of 4 sizes: 12544x2048, 50176x1024, 200704x512, 802816x256 */
template <int n, int i0_stride>
static __device__ __forceinline__ void batchnorm_backward(const float *__restrict__ dy, const float *__restrict__ scale, float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
		return;
	const int i1 = (i * 4) % i0_stride;
	const int i0 = (i * 4) / i0_stride;
	float dy_in[4];
	nnr_load4(dy_in, dy + i0 * i0_stride + i1);
	float scale_in[4];
	nnr_load4(scale_in, scale + i1);
	float conv_in[4];
	nnr_load4(conv_in, conv + i0 * i0_stride + i1);
	float mean_in[4];
	nnr_load4(mean_in, mean + i1);
	float centred_scale_in[4];
	nnr_load4(centred_scale_in, centred_scale + i1);
	float shift_in[4];
	nnr_load4(shift_in, shift + i1);
	float conv_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float add_ = ((conv_in[u] - mean_in[u])*centred_scale_in[u]) + shift_in[u];
		const float round_tf32_ = nnr_round_tf32f((dy_in[u]*scale_in[u]) + add_);
		conv_out[u] = round_tf32_;
	}
	nnr_store4(conv + i0 * i0_stride + i1, conv_out);
}
/* residual.net:9  [256,7,7,2048]  128.5 MFLOP  308.3 MB  bound: 64.2 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_backward_12544x2048(const float *__restrict__ dy, const float *__restrict__ scale, float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{ batchnorm_backward<6422528, 2048>(dy, scale, conv, mean, centred_scale, shift); }
/* residual.net:9  [256,14,14,1024]  256.9 MFLOP  616.6 MB  bound: 128 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_backward_50176x1024(const float *__restrict__ dy, const float *__restrict__ scale, float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{ batchnorm_backward<12845056, 1024>(dy, scale, conv, mean, centred_scale, shift); }
/* residual.net:9  [256,28,28,512]  513.8 MFLOP  1.2 GB  bound: 257 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_backward_200704x512(const float *__restrict__ dy, const float *__restrict__ scale, float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{ batchnorm_backward<25690112, 512>(dy, scale, conv, mean, centred_scale, shift); }
/* residual.net:9  [256,56,56,256]  1.0 GFLOP  2.5 GB  bound: 514 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_backward_802816x256(const float *__restrict__ dy, const float *__restrict__ scale, float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{ batchnorm_backward<51380224, 256>(dy, scale, conv, mean, centred_scale, shift); }

/* add_batchnorm_relu_backward_sums
 * residual.net:7,9,28
 * of 4 sizes: 12544x2048, 50176x1024, 200704x512, 802816x256 */
template <int part_end, int last_start, int r_stride>
static __device__ __forceinline__ void add_batchnorm_relu_backward_sums(unsigned *const done, float factor, const float *__restrict__ dy, const float *__restrict__ conv_dgrad, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ conv_2, const float *__restrict__ mean_2, const float *__restrict__ scale_2, const float *__restrict__ bias_2, const float *__restrict__ rstd, const float *__restrict__ rstd_2, float *__restrict__ dx, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *__restrict__ centred_scale_2, float *__restrict__ shift_2, float *__restrict__ dweight_2, float *__restrict__ dy_sum_2, float *partial)
{
	const int slab = blockIdx.x / part_end, at = blockIdx.x % part_end;
	const int i1 = slab * 128 + threadIdx.x % 32 * 4;
	const int column = slab * 128 + threadIdx.x;
	const int row = at * 8 + threadIdx.x / 32;
	float dy_in[16];
	float conv_dgrad_in[16];
	float conv_in[16];
	float conv_2_in[16];
	float mean_in[4];
	nnr_load4(mean_in, mean + i1);
	float scale_in[4];
	nnr_load4(scale_in, scale + i1);
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	float mean_2_in[4];
	nnr_load4(mean_2_in, mean_2 + i1);
	float scale_2_in[4];
	nnr_load4(scale_2_in, scale_2 + i1);
	float bias_2_in[4];
	nnr_load4(bias_2_in, bias_2 + i1);
	alignas(16) __shared__ float scale_2_slab[128];
	alignas(16) __shared__ float rstd_slab[128];
	alignas(16) __shared__ float scale_slab[128];
	alignas(16) __shared__ float rstd_2_slab[128];
	if (threadIdx.x < 128) {
		scale_2_slab[threadIdx.x] = (float)*(scale_2 + column);
		rstd_slab[threadIdx.x] = (float)*(rstd + column);
		scale_slab[threadIdx.x] = (float)*(scale + column);
		rstd_2_slab[threadIdx.x] = (float)*(rstd_2 + column);
	}
	__shared__ float dy_sum_3_parts[3072];
	float dy_sum_3[4];
	nnr_fill4(dy_sum_3, 0);
	float dy_centred_sum[4];
	nnr_fill4(dy_centred_sum, 0);
	float dy_centred_sum_2[4];
	nnr_fill4(dy_centred_sum_2, 0);
	for (int last = last_start - row; last >= 0; last -= (32 * part_end)) {
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			const int r = max(last - k * (8 * part_end), 0);
			nnr_load4(dy_in + k * 4, dy + r * r_stride + i1);
			nnr_load4(conv_dgrad_in + k * 4, conv_dgrad + r * r_stride + i1);
			nnr_load4(conv_in + k * 4, conv + r * r_stride + i1);
			nnr_load4(conv_2_in + k * 4, conv_2 + r * r_stride + i1);
		}
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			const int r = max(last - k * (8 * part_end), 0);
			float dx_out[4];
			if (last >= k * (8 * part_end)) {
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					const float batchnorm_ = ((conv_in[k * 4 + u] - mean_in[u])*scale_in[u]) + bias_in[u];
					const float batchnorm_2_ = ((conv_2_in[k * 4 + u] - mean_2_in[u])*scale_2_in[u]) + bias_2_in[u];
					const float add_ = batchnorm_ + batchnorm_2_;
					const float dx_ = (add_ < 0 ? 0 : add_) > 0.0f ? (dy_in[k * 4 + u] + conv_dgrad_in[k * 4 + u]) : 0.0f;
					dy_sum_3[u] += dx_;
					dy_centred_sum[u] += dx_*(conv_2_in[k * 4 + u] - mean_2_in[u]);
					dy_centred_sum_2[u] += dx_*(conv_in[k * 4 + u] - mean_in[u]);
					dx_out[u] = dx_;
				}
				nnr_store4(dx + r * r_stride + i1, dx_out);
			}
		}
	}
	nnr_slab_leave<NnrSum<float>, 128>(dy_sum_3_parts, dy_sum_3, dy_centred_sum, dy_centred_sum_2);
	__syncthreads();
	if (threadIdx.x < 128) {
		partial[at * (3 * r_stride) + column] = nnr_slab_take<NnrSum<float>, 384, 8>(dy_sum_3_parts + threadIdx.x);
		partial[at * (3 * r_stride) + r_stride + column] = nnr_slab_take<NnrSum<float>, 384, 8>(dy_sum_3_parts + 128 + threadIdx.x);
		partial[at * (3 * r_stride) + (2 * r_stride) + column] = nnr_slab_take<NnrSum<float>, 384, 8>(dy_sum_3_parts + 256 + threadIdx.x);
	}
	if (!nnr_last_block(&done[slab], part_end))
		return;
	nnr_fill4(dy_sum_3, 0);
	nnr_fill4(dy_centred_sum, 0);
	nnr_fill4(dy_centred_sum_2, 0);
	#pragma unroll 8
	for (int part = threadIdx.x / 32; part < part_end; part += 8) {
		nnr_combine4<NnrSum<float>>(dy_sum_3, partial + part * (3 * r_stride) + i1);
		nnr_combine4<NnrSum<float>>(dy_centred_sum, partial + part * (3 * r_stride) + r_stride + i1);
		nnr_combine4<NnrSum<float>>(dy_centred_sum_2, partial + part * (3 * r_stride) + (2 * r_stride) + i1);
	}
	nnr_slab_leave<NnrSum<float>, 128>(dy_sum_3_parts, dy_sum_3, dy_centred_sum, dy_centred_sum_2);
	__syncthreads();
	if (threadIdx.x < 128) {
		const float dy_sum_3_total = nnr_slab_take<NnrSum<float>, 384, 8>(dy_sum_3_parts + threadIdx.x);
		const float dy_centred_sum_total = nnr_slab_take<NnrSum<float>, 384, 8>(dy_sum_3_parts + 128 + threadIdx.x);
		const float dy_centred_sum_2_total = nnr_slab_take<NnrSum<float>, 384, 8>(dy_sum_3_parts + 256 + threadIdx.x);
		const float neg_ = -scale_2_slab[threadIdx.x];
		const float mul_ = neg_*rstd_slab[threadIdx.x];
		const float mul_2_ = mul_*rstd_slab[threadIdx.x];
		const float mul_3_ = mul_2_*dy_centred_sum_total;
		const float neg_2_ = -scale_2_slab[threadIdx.x];
		const float mul_4_ = neg_2_*dy_sum_3_total;
		const float centred_scale_ = mul_3_*factor;
		const float shift_ = mul_4_*factor;
		const float dweight_ = dy_centred_sum_total*rstd_slab[threadIdx.x];
		const float neg_3_ = -scale_slab[threadIdx.x];
		const float mul_5_ = neg_3_*rstd_2_slab[threadIdx.x];
		const float mul_6_ = mul_5_*rstd_2_slab[threadIdx.x];
		const float mul_7_ = mul_6_*dy_centred_sum_2_total;
		const float neg_4_ = -scale_slab[threadIdx.x];
		const float mul_8_ = neg_4_*dy_sum_3_total;
		const float centred_scale_2_ = mul_7_*factor;
		const float shift_2_ = mul_8_*factor;
		const float dweight_2_ = dy_centred_sum_2_total*rstd_2_slab[threadIdx.x];
		centred_scale[column] = centred_scale_;
		shift[column] = shift_;
		dweight[column] = dweight_;
		dy_sum[column] = dy_sum_3_total;
		centred_scale_2[column] = centred_scale_2_;
		shift_2[column] = shift_2_;
		dweight_2[column] = dweight_2_;
		dy_sum_2[column] = dy_sum_3_total;
	}
}
static __device__ unsigned done_add_batchnorm_relu_backward_sums_12544x2048[16];
/* residual.net:7,9,28  [256,7,7,2048]  462.5 MFLOP  513.9 MB  bound: 107 us by memory */
extern "C" __global__ void __launch_bounds__(256) add_batchnorm_relu_backward_sums_12544x2048(const float *__restrict__ dy, const float *__restrict__ conv_dgrad, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ conv_2, const float *__restrict__ mean_2, const float *__restrict__ scale_2, const float *__restrict__ bias_2, const float *__restrict__ rstd, const float *__restrict__ rstd_2, float *__restrict__ dx, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *__restrict__ centred_scale_2, float *__restrict__ shift_2, float *__restrict__ dweight_2, float *__restrict__ dy_sum_2, float *partial)
{ add_batchnorm_relu_backward_sums<16, 12543, 2048>(done_add_batchnorm_relu_backward_sums_12544x2048, 7.9719388e-05f, dy, conv_dgrad, conv, mean, scale, bias, conv_2, mean_2, scale_2, bias_2, rstd, rstd_2, dx, centred_scale, shift, dweight, dy_sum, centred_scale_2, shift_2, dweight_2, dy_sum_2, partial); }
static __device__ unsigned done_add_batchnorm_relu_backward_sums_50176x1024[8];
/* residual.net:7,9,28  [256,14,14,1024]  924.9 MFLOP  1.0 GB  bound: 214 us by memory */
extern "C" __global__ void __launch_bounds__(256) add_batchnorm_relu_backward_sums_50176x1024(const float *__restrict__ dy, const float *__restrict__ conv_dgrad, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ conv_2, const float *__restrict__ mean_2, const float *__restrict__ scale_2, const float *__restrict__ bias_2, const float *__restrict__ rstd, const float *__restrict__ rstd_2, float *__restrict__ dx, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *__restrict__ centred_scale_2, float *__restrict__ shift_2, float *__restrict__ dweight_2, float *__restrict__ dy_sum_2, float *partial)
{ add_batchnorm_relu_backward_sums<33, 50175, 1024>(done_add_batchnorm_relu_backward_sums_50176x1024, 1.9929847e-05f, dy, conv_dgrad, conv, mean, scale, bias, conv_2, mean_2, scale_2, bias_2, rstd, rstd_2, dx, centred_scale, shift, dweight, dy_sum, centred_scale_2, shift_2, dweight_2, dy_sum_2, partial); }
static __device__ unsigned done_add_batchnorm_relu_backward_sums_200704x512[4];
/* residual.net:7,9,28  [256,28,28,512]  1.8 GFLOP  2.1 GB  bound: 428 us by memory */
extern "C" __global__ void __launch_bounds__(256) add_batchnorm_relu_backward_sums_200704x512(const float *__restrict__ dy, const float *__restrict__ conv_dgrad, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ conv_2, const float *__restrict__ mean_2, const float *__restrict__ scale_2, const float *__restrict__ bias_2, const float *__restrict__ rstd, const float *__restrict__ rstd_2, float *__restrict__ dx, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *__restrict__ centred_scale_2, float *__restrict__ shift_2, float *__restrict__ dweight_2, float *__restrict__ dy_sum_2, float *partial)
{ add_batchnorm_relu_backward_sums<66, 200703, 512>(done_add_batchnorm_relu_backward_sums_200704x512, 4.9824617e-06f, dy, conv_dgrad, conv, mean, scale, bias, conv_2, mean_2, scale_2, bias_2, rstd, rstd_2, dx, centred_scale, shift, dweight, dy_sum, centred_scale_2, shift_2, dweight_2, dy_sum_2, partial); }
static __device__ unsigned done_add_batchnorm_relu_backward_sums_802816x256[2];
/* residual.net:7,9,28  [256,56,56,256]  3.7 GFLOP  4.1 GB  bound: 856 us by memory */
extern "C" __global__ void __launch_bounds__(256) add_batchnorm_relu_backward_sums_802816x256(const float *__restrict__ dy, const float *__restrict__ conv_dgrad, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ conv_2, const float *__restrict__ mean_2, const float *__restrict__ scale_2, const float *__restrict__ bias_2, const float *__restrict__ rstd, const float *__restrict__ rstd_2, float *__restrict__ dx, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *__restrict__ centred_scale_2, float *__restrict__ shift_2, float *__restrict__ dweight_2, float *__restrict__ dy_sum_2, float *partial)
{ add_batchnorm_relu_backward_sums<132, 802815, 256>(done_add_batchnorm_relu_backward_sums_802816x256, 1.2456154e-06f, dy, conv_dgrad, conv, mean, scale, bias, conv_2, mean_2, scale_2, bias_2, rstd, rstd_2, dx, centred_scale, shift, dweight, dy_sum, centred_scale_2, shift_2, dweight_2, dy_sum_2, partial); }

/* round_tf32(((dy * scale) + (((conv - mean) * centred_scale) + shift)))
 * residual.net:9
 * of 4 sizes: 12544x2048_2, 50176x1024_2, 200704x512_2, 802816x256_2 */
template <int n, int i0_stride>
static __device__ __forceinline__ void batchnorm_backward_2(float *__restrict__ dy, const float *__restrict__ scale, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
		return;
	const int i1 = (i * 4) % i0_stride;
	const int i0 = (i * 4) / i0_stride;
	float dy_in[4];
	nnr_load4(dy_in, dy + i0 * i0_stride + i1);
	float scale_in[4];
	nnr_load4(scale_in, scale + i1);
	float conv_in[4];
	nnr_load4(conv_in, conv + i0 * i0_stride + i1);
	float mean_in[4];
	nnr_load4(mean_in, mean + i1);
	float centred_scale_in[4];
	nnr_load4(centred_scale_in, centred_scale + i1);
	float shift_in[4];
	nnr_load4(shift_in, shift + i1);
	float dy_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float add_ = ((conv_in[u] - mean_in[u])*centred_scale_in[u]) + shift_in[u];
		const float round_tf32_ = nnr_round_tf32f((dy_in[u]*scale_in[u]) + add_);
		dy_out[u] = round_tf32_;
	}
	nnr_store4(dy + i0 * i0_stride + i1, dy_out);
}
/* residual.net:9  [256,7,7,2048]  128.5 MFLOP  308.3 MB  bound: 64.2 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_backward_12544x2048_2(float *__restrict__ dy, const float *__restrict__ scale, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{ batchnorm_backward_2<6422528, 2048>(dy, scale, conv, mean, centred_scale, shift); }
/* residual.net:9  [256,14,14,1024]  256.9 MFLOP  616.6 MB  bound: 128 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_backward_50176x1024_2(float *__restrict__ dy, const float *__restrict__ scale, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{ batchnorm_backward_2<12845056, 1024>(dy, scale, conv, mean, centred_scale, shift); }
/* residual.net:9  [256,28,28,512]  513.8 MFLOP  1.2 GB  bound: 257 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_backward_200704x512_2(float *__restrict__ dy, const float *__restrict__ scale, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{ batchnorm_backward_2<25690112, 512>(dy, scale, conv, mean, centred_scale, shift); }
/* residual.net:9  [256,56,56,256]  1.0 GFLOP  2.5 GB  bound: 514 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_backward_802816x256_2(float *__restrict__ dy, const float *__restrict__ scale, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{ batchnorm_backward_2<51380224, 256>(dy, scale, conv, mean, centred_scale, shift); }

/* relu_conv_add_batchnorm_backward_sums
 * residual.net:7,9,28
 * of 3 sizes: 256x14x14x1024, 256x28x28x512, 256x56x56x256 */
template <int part_end, int last_start, int i0_stride, int i2_stride, int i0_stride_2, int size>
static __device__ __forceinline__ void relu_conv_add_batchnorm_backward_sums(unsigned *const done, float factor, const uint8_t *__restrict__ positive, const float *__restrict__ conv_dgrad, const float *__restrict__ conv_dgrad_2, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ rstd, float *__restrict__ dx, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{
	const int slab = blockIdx.x / part_end, at = blockIdx.x % part_end;
	const int i3 = slab * 128 + threadIdx.x % 32 * 4;
	const int column = slab * 128 + threadIdx.x;
	const int row = at * 8 + threadIdx.x / 32;
	uint8_t positive_in[16];
	float conv_dgrad_in[16];
	float conv_dgrad_2_in[16];
	float conv_in[16];
	float mean_in[4];
	nnr_load4(mean_in, mean + i3);
	alignas(16) __shared__ float scale_slab[128];
	alignas(16) __shared__ float rstd_slab[128];
	if (threadIdx.x < 128) {
		scale_slab[threadIdx.x] = (float)*(scale + column);
		rstd_slab[threadIdx.x] = (float)*(rstd + column);
	}
	__shared__ float dy_sum_2_parts[2048];
	float dy_sum_2[4];
	nnr_fill4(dy_sum_2, 0);
	float dy_centred_sum[4];
	nnr_fill4(dy_centred_sum, 0);
	for (int last = last_start - row; last >= 0; last -= (32 * part_end)) {
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			const int r = max(last - k * (8 * part_end), 0);
			const int i2 = r % size;
			const int i1 = r / size % size;
			const int i0 = r / (size * size);
			nnr_load4(positive_in + k * 4, positive + i0 * i0_stride + i1 * 14336 + i2 * i2_stride + i3);
			nnr_load4(conv_dgrad_in + k * 4, conv_dgrad + i0 * i0_stride_2 + (i1 / 2) * 7168 + (i2 / 2) * i2_stride + i3);
			nnr_load4(conv_dgrad_2_in + k * 4, conv_dgrad_2 + i0 * i0_stride + i1 * 14336 + i2 * i2_stride + i3);
			nnr_load4(conv_in + k * 4, conv + i0 * i0_stride + i1 * 14336 + i2 * i2_stride + i3);
		}
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			const int r = max(last - k * (8 * part_end), 0);
			const int i2 = r % size;
			const int i1 = r / size % size;
			const int i0 = r / (size * size);
			float dx_out[4];
			if (last >= k * (8 * part_end)) {
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					const float spread_ = (i1 % 2 == 0 && i2 % 2 == 0) ? conv_dgrad_in[k * 4 + u] : 0;
					const float dx_ = ((float)positive_in[k * 4 + u]) != 0 ? (spread_ + conv_dgrad_2_in[k * 4 + u]) : 0.0f;
					dy_sum_2[u] += dx_;
					dy_centred_sum[u] += dx_*(conv_in[k * 4 + u] - mean_in[u]);
					dx_out[u] = dx_;
				}
				nnr_store4(dx + i0 * i0_stride + i1 * 14336 + i2 * i2_stride + i3, dx_out);
			}
		}
	}
	nnr_slab_leave<NnrSum<float>, 128>(dy_sum_2_parts, dy_sum_2, dy_centred_sum);
	__syncthreads();
	if (threadIdx.x < 128) {
		partial[at * (2 * i2_stride) + column] = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + threadIdx.x);
		partial[at * (2 * i2_stride) + i2_stride + column] = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + 128 + threadIdx.x);
	}
	if (!nnr_last_block(&done[slab], part_end))
		return;
	nnr_fill4(dy_sum_2, 0);
	nnr_fill4(dy_centred_sum, 0);
	#pragma unroll 8
	for (int part = threadIdx.x / 32; part < part_end; part += 8) {
		nnr_combine4<NnrSum<float>>(dy_sum_2, partial + part * (2 * i2_stride) + i3);
		nnr_combine4<NnrSum<float>>(dy_centred_sum, partial + part * (2 * i2_stride) + i2_stride + i3);
	}
	nnr_slab_leave<NnrSum<float>, 128>(dy_sum_2_parts, dy_sum_2, dy_centred_sum);
	__syncthreads();
	if (threadIdx.x < 128) {
		const float dy_sum_2_total = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + threadIdx.x);
		const float dy_centred_sum_total = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + 128 + threadIdx.x);
		const float neg_ = -scale_slab[threadIdx.x];
		const float mul_ = neg_*rstd_slab[threadIdx.x];
		const float mul_2_ = mul_*rstd_slab[threadIdx.x];
		const float mul_3_ = mul_2_*dy_centred_sum_total;
		const float neg_2_ = -scale_slab[threadIdx.x];
		const float mul_4_ = neg_2_*dy_sum_2_total;
		const float centred_scale_ = mul_3_*factor;
		const float shift_ = mul_4_*factor;
		const float dweight_ = dy_centred_sum_total*rstd_slab[threadIdx.x];
		centred_scale[column] = centred_scale_;
		shift[column] = shift_;
		dweight[column] = dweight_;
		dy_sum[column] = dy_sum_2_total;
	}
}
static __device__ unsigned done_relu_conv_add_batchnorm_backward_sums_256x14x14x1024[8];
/* residual.net:7,9,28  [256,14,14,1024]  308.3 MFLOP  719.4 MB  bound: 150 us by memory */
extern "C" __global__ void __launch_bounds__(256) relu_conv_add_batchnorm_backward_sums_256x14x14x1024(const uint8_t *__restrict__ positive, const float *__restrict__ conv_dgrad, const float *__restrict__ conv_dgrad_2, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ rstd, float *__restrict__ dx, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{ relu_conv_add_batchnorm_backward_sums<33, 50175, 200704, 1024, 50176, 14>(done_relu_conv_add_batchnorm_backward_sums_256x14x14x1024, 1.9929847e-05f, positive, conv_dgrad, conv_dgrad_2, conv, mean, scale, rstd, dx, centred_scale, shift, dweight, dy_sum, partial); }
static __device__ unsigned done_relu_conv_add_batchnorm_backward_sums_256x28x28x512[4];
/* residual.net:7,9,28  [256,28,28,512]  616.6 MFLOP  1.4 GB  bound: 300 us by memory */
extern "C" __global__ void __launch_bounds__(256) relu_conv_add_batchnorm_backward_sums_256x28x28x512(const uint8_t *__restrict__ positive, const float *__restrict__ conv_dgrad, const float *__restrict__ conv_dgrad_2, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ rstd, float *__restrict__ dx, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{ relu_conv_add_batchnorm_backward_sums<66, 200703, 401408, 512, 100352, 28>(done_relu_conv_add_batchnorm_backward_sums_256x28x28x512, 4.9824617e-06f, positive, conv_dgrad, conv_dgrad_2, conv, mean, scale, rstd, dx, centred_scale, shift, dweight, dy_sum, partial); }
static __device__ unsigned done_relu_conv_add_batchnorm_backward_sums_256x56x56x256[2];
/* residual.net:7,9,28  [256,56,56,256]  1.2 GFLOP  2.9 GB  bound: 599 us by memory */
extern "C" __global__ void __launch_bounds__(256) relu_conv_add_batchnorm_backward_sums_256x56x56x256(const uint8_t *__restrict__ positive, const float *__restrict__ conv_dgrad, const float *__restrict__ conv_dgrad_2, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ rstd, float *__restrict__ dx, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{ relu_conv_add_batchnorm_backward_sums<132, 802815, 802816, 256, 200704, 56>(done_relu_conv_add_batchnorm_backward_sums_256x56x56x256, 1.2456154e-06f, positive, conv_dgrad, conv_dgrad_2, conv, mean, scale, rstd, dx, centred_scale, shift, dweight, dy_sum, partial); }

/* add_relu_batchnorm_backward_sums
 * residual.net:7,9,28
 * of 3 sizes: 50176x1024, 200704x512, 802816x256 */
template <int part_end, int last_start, int r_stride>
static __device__ __forceinline__ void add_relu_batchnorm_backward_sums(unsigned *const done, float factor, const float *__restrict__ dy, const float *__restrict__ conv_dgrad, const uint8_t *__restrict__ positive, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ rstd, float *__restrict__ dx, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{
	const int slab = blockIdx.x / part_end, at = blockIdx.x % part_end;
	const int i1 = slab * 128 + threadIdx.x % 32 * 4;
	const int column = slab * 128 + threadIdx.x;
	const int row = at * 8 + threadIdx.x / 32;
	float dy_in[16];
	float conv_dgrad_in[16];
	uint8_t positive_in[16];
	float conv_in[16];
	float mean_in[4];
	nnr_load4(mean_in, mean + i1);
	alignas(16) __shared__ float scale_slab[128];
	alignas(16) __shared__ float rstd_slab[128];
	if (threadIdx.x < 128) {
		scale_slab[threadIdx.x] = (float)*(scale + column);
		rstd_slab[threadIdx.x] = (float)*(rstd + column);
	}
	__shared__ float dy_sum_2_parts[2048];
	float dy_sum_2[4];
	nnr_fill4(dy_sum_2, 0);
	float dy_centred_sum[4];
	nnr_fill4(dy_centred_sum, 0);
	for (int last = last_start - row; last >= 0; last -= (32 * part_end)) {
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			const int r = max(last - k * (8 * part_end), 0);
			nnr_load4(dy_in + k * 4, dy + r * r_stride + i1);
			nnr_load4(conv_dgrad_in + k * 4, conv_dgrad + r * r_stride + i1);
			nnr_load4(positive_in + k * 4, positive + r * r_stride + i1);
			nnr_load4(conv_in + k * 4, conv + r * r_stride + i1);
		}
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			const int r = max(last - k * (8 * part_end), 0);
			float dx_out[4];
			if (last >= k * (8 * part_end)) {
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					const float dx_ = ((float)positive_in[k * 4 + u]) != 0 ? (dy_in[k * 4 + u] + conv_dgrad_in[k * 4 + u]) : 0.0f;
					dy_sum_2[u] += dx_;
					dy_centred_sum[u] += dx_*(conv_in[k * 4 + u] - mean_in[u]);
					dx_out[u] = dx_;
				}
				nnr_store4(dx + r * r_stride + i1, dx_out);
			}
		}
	}
	nnr_slab_leave<NnrSum<float>, 128>(dy_sum_2_parts, dy_sum_2, dy_centred_sum);
	__syncthreads();
	if (threadIdx.x < 128) {
		partial[at * (2 * r_stride) + column] = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + threadIdx.x);
		partial[at * (2 * r_stride) + r_stride + column] = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + 128 + threadIdx.x);
	}
	if (!nnr_last_block(&done[slab], part_end))
		return;
	nnr_fill4(dy_sum_2, 0);
	nnr_fill4(dy_centred_sum, 0);
	#pragma unroll 8
	for (int part = threadIdx.x / 32; part < part_end; part += 8) {
		nnr_combine4<NnrSum<float>>(dy_sum_2, partial + part * (2 * r_stride) + i1);
		nnr_combine4<NnrSum<float>>(dy_centred_sum, partial + part * (2 * r_stride) + r_stride + i1);
	}
	nnr_slab_leave<NnrSum<float>, 128>(dy_sum_2_parts, dy_sum_2, dy_centred_sum);
	__syncthreads();
	if (threadIdx.x < 128) {
		const float dy_sum_2_total = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + threadIdx.x);
		const float dy_centred_sum_total = nnr_slab_take<NnrSum<float>, 256, 8>(dy_sum_2_parts + 128 + threadIdx.x);
		const float neg_ = -scale_slab[threadIdx.x];
		const float mul_ = neg_*rstd_slab[threadIdx.x];
		const float mul_2_ = mul_*rstd_slab[threadIdx.x];
		const float mul_3_ = mul_2_*dy_centred_sum_total;
		const float neg_2_ = -scale_slab[threadIdx.x];
		const float mul_4_ = neg_2_*dy_sum_2_total;
		const float centred_scale_ = mul_3_*factor;
		const float shift_ = mul_4_*factor;
		const float dweight_ = dy_centred_sum_total*rstd_slab[threadIdx.x];
		centred_scale[column] = centred_scale_;
		shift[column] = shift_;
		dweight[column] = dweight_;
		dy_sum[column] = dy_sum_2_total;
	}
}
static __device__ unsigned done_add_relu_batchnorm_backward_sums_50176x1024[8];
/* residual.net:7,9,28  [256,14,14,1024]  308.3 MFLOP  873.5 MB  bound: 182 us by memory */
extern "C" __global__ void __launch_bounds__(256) add_relu_batchnorm_backward_sums_50176x1024(const float *__restrict__ dy, const float *__restrict__ conv_dgrad, const uint8_t *__restrict__ positive, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ rstd, float *__restrict__ dx, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{ add_relu_batchnorm_backward_sums<33, 50175, 1024>(done_add_relu_batchnorm_backward_sums_50176x1024, 1.9929847e-05f, dy, conv_dgrad, positive, conv, mean, scale, rstd, dx, centred_scale, shift, dweight, dy_sum, partial); }
static __device__ unsigned done_add_relu_batchnorm_backward_sums_200704x512[4];
/* residual.net:7,9,28  [256,28,28,512]  616.6 MFLOP  1.7 GB  bound: 364 us by memory */
extern "C" __global__ void __launch_bounds__(256) add_relu_batchnorm_backward_sums_200704x512(const float *__restrict__ dy, const float *__restrict__ conv_dgrad, const uint8_t *__restrict__ positive, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ rstd, float *__restrict__ dx, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{ add_relu_batchnorm_backward_sums<66, 200703, 512>(done_add_relu_batchnorm_backward_sums_200704x512, 4.9824617e-06f, dy, conv_dgrad, positive, conv, mean, scale, rstd, dx, centred_scale, shift, dweight, dy_sum, partial); }
static __device__ unsigned done_add_relu_batchnorm_backward_sums_802816x256[2];
/* residual.net:7,9,28  [256,56,56,256]  1.2 GFLOP  3.5 GB  bound: 728 us by memory */
extern "C" __global__ void __launch_bounds__(256) add_relu_batchnorm_backward_sums_802816x256(const float *__restrict__ dy, const float *__restrict__ conv_dgrad, const uint8_t *__restrict__ positive, const float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ rstd, float *__restrict__ dx, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{ add_relu_batchnorm_backward_sums<132, 802815, 256>(done_add_relu_batchnorm_backward_sums_802816x256, 1.2456154e-06f, dy, conv_dgrad, positive, conv, mean, scale, rstd, dx, centred_scale, shift, dweight, dy_sum, partial); }

/* add_backward_batchnorm_backward_relu_sums
 * residual.net:7,9 resnet.net:14
 * [256,56,56,64]  513.8 MFLOP  822.1 MB  bound: 171 us by memory */
static __device__ unsigned done_add_backward_batchnorm_backward_relu_sums_802816x64[1];
extern "C" __global__ void __launch_bounds__(256) add_backward_batchnorm_backward_relu_sums_802816x64(const float *__restrict__ conv_dgrad, const float *__restrict__ conv_dgrad_2, const float *__restrict__ select, const float *__restrict__ mean, const float *__restrict__ scale, const float *__restrict__ bias, const float *__restrict__ rstd, float *__restrict__ dx, float *__restrict__ centred_scale, float *__restrict__ shift, float *__restrict__ dweight, float *__restrict__ dy_sum, float *partial)
{
	unsigned *const done = done_add_backward_batchnorm_backward_relu_sums_802816x64;
	const int slab = blockIdx.x / 264, at = blockIdx.x % 264;
	const int i1 = slab * 64 + threadIdx.x % 16 * 4;
	const int column = slab * 64 + threadIdx.x;
	const int row = at * 16 + threadIdx.x / 16;
	float conv_dgrad_in[16];
	float conv_dgrad_2_in[16];
	float select_in[16];
	float mean_in[4];
	nnr_load4(mean_in, mean + i1);
	float scale_in[4];
	nnr_load4(scale_in, scale + i1);
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	alignas(16) __shared__ float scale_slab[64];
	alignas(16) __shared__ float rstd_slab[64];
	if (threadIdx.x < 64) {
		scale_slab[threadIdx.x] = (float)*(scale + column);
		rstd_slab[threadIdx.x] = (float)*(rstd + column);
	}
	__shared__ float dy_sum_2_parts[1024];
	float dy_sum_2[4];
	nnr_fill4(dy_sum_2, 0);
	float dy_centred_sum[4];
	nnr_fill4(dy_centred_sum, 0);
	for (int last = 802815 - row; last >= 0; last -= 16896) {
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			const int r = max(last - k * 4224, 0);
			nnr_load4(conv_dgrad_in + k * 4, conv_dgrad + r * 64 + i1);
			nnr_load4(conv_dgrad_2_in + k * 4, conv_dgrad_2 + r * 64 + i1);
			nnr_load4(select_in + k * 4, select + r * 64 + i1);
		}
		#pragma unroll
		for (int k = 0; k < 4; k++) {
			const int r = max(last - k * 4224, 0);
			float dx_out[4];
			if (last >= k * 4224) {
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					const float dx_ = conv_dgrad_in[k * 4 + u] + conv_dgrad_2_in[k * 4 + u];
					const float sub_ = select_in[k * 4 + u] - mean_in[u];
					const float add_ = (sub_*scale_in[u]) + bias_in[u];
					const float select_ = (add_ < 0 ? 0 : add_) > 0.0f ? dx_ : 0.0f;
					dy_sum_2[u] += select_;
					dy_centred_sum[u] += select_*sub_;
					dx_out[u] = dx_;
				}
				nnr_store4(dx + r * 64 + i1, dx_out);
			}
		}
	}
	nnr_slab_leave<NnrSum<float>, 64>(dy_sum_2_parts, dy_sum_2, dy_centred_sum);
	__syncthreads();
	if (threadIdx.x < 64) {
		partial[at * 128 + column] = nnr_slab_take<NnrSum<float>, 128, 8>(dy_sum_2_parts + threadIdx.x);
		partial[at * 128 + 64 + column] = nnr_slab_take<NnrSum<float>, 128, 8>(dy_sum_2_parts + 64 + threadIdx.x);
	}
	if (!nnr_last_block(&done[slab], 264))
		return;
	nnr_fill4(dy_sum_2, 0);
	nnr_fill4(dy_centred_sum, 0);
	#pragma unroll 8
	for (int part = threadIdx.x / 16; part < 264; part += 16) {
		nnr_combine4<NnrSum<float>>(dy_sum_2, partial + part * 128 + i1);
		nnr_combine4<NnrSum<float>>(dy_centred_sum, partial + part * 128 + 64 + i1);
	}
	nnr_slab_leave<NnrSum<float>, 64>(dy_sum_2_parts, dy_sum_2, dy_centred_sum);
	__syncthreads();
	if (threadIdx.x < 64) {
		const float dy_sum_2_total = nnr_slab_take<NnrSum<float>, 128, 8>(dy_sum_2_parts + threadIdx.x);
		const float dy_centred_sum_total = nnr_slab_take<NnrSum<float>, 128, 8>(dy_sum_2_parts + 64 + threadIdx.x);
		const float neg_ = -scale_slab[threadIdx.x];
		const float mul_ = neg_*rstd_slab[threadIdx.x];
		const float mul_2_ = mul_*rstd_slab[threadIdx.x];
		const float mul_3_ = mul_2_*dy_centred_sum_total;
		const float neg_2_ = -scale_slab[threadIdx.x];
		const float mul_4_ = neg_2_*dy_sum_2_total;
		const float centred_scale_ = mul_3_*3.1140386e-07f;
		const float shift_ = mul_4_*3.1140386e-07f;
		const float dweight_ = dy_centred_sum_total*rstd_slab[threadIdx.x];
		centred_scale[column] = centred_scale_;
		shift[column] = shift_;
		dweight[column] = dweight_;
		dy_sum[column] = dy_sum_2_total;
	}
}

/* params - (rate * ((0.9 * momentum) + (pack + ((0.0001 * index_below()) * params))));
 *   (0.9 * momentum) + (pack + ((0.0001 * index_below()) * params))
 * resnet.net:22
 * [25547584]  178.8 MFLOP  511.0 MB  bound: 106 us by memory */
extern "C" __global__ void __launch_bounds__(1024) sgd_25557032(float *__restrict__ params, const float *__restrict__ pack, float *__restrict__ momentum, const NnrScalars *s)
{
	const float rate = (float)(s->rate);
	for (int i = 2352 + blockIdx.x * 1024 + threadIdx.x; i < 6389248; i += 33792) {
		const int i0 = i * 4;
		float params_in[4];
		nnr_load4(params_in, params + i0);
		float pack_in[4];
		nnr_load4(pack_in, pack + i0);
		float momentum_in[4];
		nnr_load4(momentum_in, momentum + i0);
		float momentum_out[4];
		float params_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float decayed_gradient_ = pack_in[u] + ((0.0001f*((i0 + u) < 25502912 ? 1 : 0))*params_in[u]);
			const float momentum_ = (0.9f*momentum_in[u]) + decayed_gradient_;
			const float sub_ = params_in[u] - (rate*momentum_);
			momentum_out[u] = momentum_;
			params_out[u] = sub_;
		}
		nnr_store4(momentum + i0, momentum_out);
		nnr_store4(params + i0, params_out);
	}
}

/* round_tf32(((unpool(dy, place) * scale) + (((conv - mean) * centred_scale) + shift)))
 * residual.net:9 resnet.net:14
 * [256,112,112,64]  1.5 GFLOP  1.9 GB  bound: 396 us by memory */
extern "C" __global__ void __launch_bounds__(256) maxpool_batchnorm_backward_256x112x112x64(const float *__restrict__ dy, const uint8_t *__restrict__ place, const float *__restrict__ scale, float *__restrict__ conv, const float *__restrict__ mean, const float *__restrict__ centred_scale, const float *__restrict__ shift)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	const int c = i % 16 * 4;
	const int q0 = i / 16 % 57;
	const int p0 = i / 912 % 57;
	const int n = i / 51984;
	const int h0 = p0 * 2 - 1;
	const int v0 = q0 * 2 - 1;
	float g[4][4] = {};
	#pragma unroll
	for (int a = 0; a < 2; a++) {
		const int p = p0 - 1 + a;
		const int r0 = (1 - a) * 2;
		if (p >= 0 && p < 56) {
			#pragma unroll
			for (int b = 0; b < 2; b++) {
				const int q = q0 - 1 + b;
				const int k0 = (1 - b) * 2;
				if (q >= 0 && q < 56) {
					float e[4];
					nnr_load4(e, dy + ((n * 56 + p) * 56 + q) * 64 + c);
					uint8_t own[4];
					nnr_load4(own, place + ((n * 56 + p) * 56 + q) * 64 + c);
					#pragma unroll
					for (int r = 0; r < 2; r++) {
						if (r0 + r < 3) {
							#pragma unroll
							for (int k = 0; k < 2; k++) {
								if (k0 + k < 3) {
									#pragma unroll
									for (int u = 0; u < 4; u++)
										g[r * 2 + k][u] += own[u] == (r0 + r) * 3 + k0 + k ? e[u] : 0;
								}
							}
						}
					}
				}
			}
		}
	}
	#pragma unroll
	for (int r = 0; r < 2; r++) {
		const int h = h0 + r;
		if (h >= 0 && h < 112) {
			#pragma unroll
			for (int k = 0; k < 2; k++) {
				const int v = v0 + k;
				if (v >= 0 && v < 112) {
					float scale_in[4];
					nnr_load4(scale_in, scale + c);
					float conv_in[4];
					nnr_load4(conv_in, conv + ((n * 112 + h) * 112 + v) * 64 + c);
					float mean_in[4];
					nnr_load4(mean_in, mean + c);
					float centred_scale_in[4];
					nnr_load4(centred_scale_in, centred_scale + c);
					float shift_in[4];
					nnr_load4(shift_in, shift + c);
					float conv_out[4];
					#pragma unroll
					for (int u = 0; u < 4; u++) {
						const float add_ = ((conv_in[u] - mean_in[u])*centred_scale_in[u]) + shift_in[u];
						const float round_tf32_ = nnr_round_tf32f(((g[r * 2 + k][u])*scale_in[u]) + add_);
						conv_out[u] = round_tf32_;
					}
					nnr_store4(conv + ((n * 112 + h) * 112 + v) * 64 + c, conv_out);
				}
			}
		}
	}
}

/* conv_wgrad_parts(x, dy)
 * residual.net:7
 * [264,64,7,7,3]  60.4 GFLOP  986.2 MB  bound: 205 us by memory */
extern "C" __global__ void __launch_bounds__(256, 2) conv_backward_264x64x7x7x3(const float *__restrict__ x, const float *__restrict__ dy, float *__restrict__ dw)
{
	/* images, height, width, channels; filters, window; result, stride, border; rows of a tile */
	using Image = NnrImage<float, 256, 224, 224, 3, 64, 7, 7, 112, 112, 2, 2, 3, 3, 2>;
	NNR_CHIP(chip, 89424);
	static_assert(NnrGradient<Image>::BYTES == 89424, "what the launch asks for");
	nnr_image_gradient<Image, 264, true>(chip, x, dy, dw);
}

/* sum(conv_wgrad_parts)
 * residual.net:7
 * [64,7,7,3]  2.5 MFLOP  10.0 MB  bound: 2.1 us by memory */
static __device__ unsigned done_conv_backward_264x9408[147];
extern "C" __global__ void __launch_bounds__(256) conv_backward_264x9408(const float *__restrict__ conv_wgrad_parts, float *__restrict__ sum, float *partial)
{
	unsigned *const done = done_conv_backward_264x9408;
	const int slab = blockIdx.x / 3, at = blockIdx.x % 3;
	const int i1 = slab * 64 + threadIdx.x % 16 * 4;
	const int column = slab * 64 + threadIdx.x;
	const int row = at * 16 + threadIdx.x / 16;
	float conv_wgrad_parts_in[32];
	__shared__ float sum_2_parts[512];
	float sum_2[4];
	nnr_fill4(sum_2, 0);
	for (int last = 263 - row; last >= 0; last -= 384) {
		#pragma unroll
		for (int k = 0; k < 8; k++) {
			const int r = max(last - k * 48, 0);
			nnr_load4(conv_wgrad_parts_in + k * 4, conv_wgrad_parts + r * 9408 + i1);
		}
		#pragma unroll
		for (int k = 0; k < 8; k++) {
			if (last >= k * 48) {
				#pragma unroll
				for (int u = 0; u < 4; u++) {
					sum_2[u] += conv_wgrad_parts_in[k * 4 + u];
				}
			}
		}
	}
	nnr_slab_leave<NnrSum<float>, 64>(sum_2_parts, sum_2);
	__syncthreads();
	if (threadIdx.x < 64) {
		partial[at * 9408 + column] = nnr_slab_take<NnrSum<float>, 64, 8>(sum_2_parts + threadIdx.x);
	}
	if (!nnr_last_block(&done[slab], 3))
		return;
	nnr_fill4(sum_2, 0);
	#pragma unroll 8
	for (int part = threadIdx.x / 16; part < 3; part += 16) {
		nnr_combine4<NnrSum<float>>(sum_2, partial + part * 9408 + i1);
	}
	nnr_slab_leave<NnrSum<float>, 64>(sum_2_parts, sum_2);
	__syncthreads();
	if (threadIdx.x < 64) {
		const float sum_2_total = nnr_slab_take<NnrSum<float>, 64, 8>(sum_2_parts + threadIdx.x);
		sum[column] = sum_2_total;
	}
}

/* params - (rate * ((0.9 * momentum) + (pack + ((0.0001 * index_below()) * params))));
 *   (0.9 * momentum) + (pack + ((0.0001 * index_below()) * params))
 * resnet.net:22
 * [9408]  66.1 kFLOP  189.0 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) sgd_25557032_2(float *__restrict__ params, const float *__restrict__ pack, float *__restrict__ momentum, const NnrScalars *s)
{
	const float rate = (float)(s->rate);
	const int k = blockIdx.x * 256 + threadIdx.x;
	if (k >= 2362)
		return;
	const int i = k < 2352 ? k : k + 6386896;
	const int i0 = i * 4;
	float params_in[4];
	nnr_load4(params_in, params + i0);
	float pack_in[4];
	nnr_load4(pack_in, pack + i0);
	float momentum_in[4];
	nnr_load4(momentum_in, momentum + i0);
	float momentum_out[4];
	float params_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float decayed_gradient_ = pack_in[u] + ((0.0001f*((i0 + u) < 25502912 ? 1 : 0))*params_in[u]);
		const float momentum_ = (0.9f*momentum_in[u]) + decayed_gradient_;
		const float sub_ = params_in[u] - (rate*momentum_);
		momentum_out[u] = momentum_;
		params_out[u] = sub_;
	}
	nnr_store4(momentum + i0, momentum_out);
	nnr_store4(params + i0, params_out);
}

/* (neg(running_mean) * (weight * rsqrt((running_var + 1e-05)))) + bias; (weight * rsqrt((running_var + 1e-05)))
 * residual.net:9
 * of 6 sizes: 64, 256_2, 128, 512_2, 1024_2, 2048_2 */
template <int n>
static __device__ __forceinline__ void batchnorm_folded(const float *__restrict__ running_var, const float *__restrict__ weight, const float *__restrict__ running_mean, const float *__restrict__ bias, float *__restrict__ scale, float *__restrict__ folded_bias)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
		return;
	const int i0 = i * 4;
	float running_var_in[4];
	nnr_load4(running_var_in, running_var + i0);
	float weight_in[4];
	nnr_load4(weight_in, weight + i0);
	float running_mean_in[4];
	nnr_load4(running_mean_in, running_mean + i0);
	float bias_in[4];
	nnr_load4(bias_in, bias + i0);
	float scale_out[4];
	float folded_bias_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float scale_ = weight_in[u]*(1/sqrtf(running_var_in[u] + 1e-05f));
		const float folded_bias_ = ((-running_mean_in[u])*scale_) + bias_in[u];
		scale_out[u] = scale_;
		folded_bias_out[u] = folded_bias_;
	}
	nnr_store4(scale + i0, scale_out);
	nnr_store4(folded_bias + i0, folded_bias_out);
}
/* residual.net:9  [64,1,1,1]  640 FLOP  1.5 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_64(const float *__restrict__ running_var, const float *__restrict__ weight, const float *__restrict__ running_mean, const float *__restrict__ bias, float *__restrict__ scale, float *__restrict__ folded_bias)
{ batchnorm_folded<16>(running_var, weight, running_mean, bias, scale, folded_bias); }
/* residual.net:9  [256,1,1,1]  2.6 kFLOP  6.1 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_256_2(const float *__restrict__ running_var, const float *__restrict__ weight, const float *__restrict__ running_mean, const float *__restrict__ bias, float *__restrict__ scale, float *__restrict__ folded_bias)
{ batchnorm_folded<64>(running_var, weight, running_mean, bias, scale, folded_bias); }
/* residual.net:9  [128,1,1,1]  1.3 kFLOP  3.1 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_128(const float *__restrict__ running_var, const float *__restrict__ weight, const float *__restrict__ running_mean, const float *__restrict__ bias, float *__restrict__ scale, float *__restrict__ folded_bias)
{ batchnorm_folded<32>(running_var, weight, running_mean, bias, scale, folded_bias); }
/* residual.net:9  [512,1,1,1]  5.1 kFLOP  12.3 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_512_2(const float *__restrict__ running_var, const float *__restrict__ weight, const float *__restrict__ running_mean, const float *__restrict__ bias, float *__restrict__ scale, float *__restrict__ folded_bias)
{ batchnorm_folded<128>(running_var, weight, running_mean, bias, scale, folded_bias); }
/* residual.net:9  [1024,1,1,1]  10.2 kFLOP  24.6 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_1024_2(const float *__restrict__ running_var, const float *__restrict__ weight, const float *__restrict__ running_mean, const float *__restrict__ bias, float *__restrict__ scale, float *__restrict__ folded_bias)
{ batchnorm_folded<256>(running_var, weight, running_mean, bias, scale, folded_bias); }
/* residual.net:9  [2048,1,1,1]  20.5 kFLOP  49.2 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_2048_2(const float *__restrict__ running_var, const float *__restrict__ weight, const float *__restrict__ running_mean, const float *__restrict__ bias, float *__restrict__ scale, float *__restrict__ folded_bias)
{ batchnorm_folded<512>(running_var, weight, running_mean, bias, scale, folded_bias); }

/* round_tf32((weight * scale))
 * residual.net:9
 * [64,7,7,3]  9.4 kFLOP  75.5 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_64x147(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= 9408)
		return;
	const int i1 = i % 147;
	const int i0 = i / 147;
	const float round_tf32_ = nnr_round_tf32f(weight[i0 * 147 + i1]*scale[i0]);
	round_tf32[i0 * 147 + i1] = round_tf32_;
}

/* round_tf32((weight * scale))
 * residual.net:9
 * of 19 sizes: 64x64, 64x576, 256x64, 64x256, 128x256, 128x1152, 512x128, 512x256 ... */
template <int n, int i0_stride>
static __device__ __forceinline__ void batchnorm_folded_2(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
		return;
	const int i1 = (i * 4) % i0_stride;
	const int i0 = (i * 4) / i0_stride;
	float weight_in[4];
	nnr_load4(weight_in, weight + i0 * i0_stride + i1);
	float round_tf32_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float round_tf32_ = nnr_round_tf32f(weight_in[u]*scale[i0]);
		round_tf32_out[u] = round_tf32_;
	}
	nnr_store4(round_tf32 + i0 * i0_stride + i1, round_tf32_out);
}
/* residual.net:9  [64,1,1,64]  4.1 kFLOP  33.0 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_64x64(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<1024, 64>(weight, scale, round_tf32); }
/* residual.net:9  [64,3,3,64]  36.9 kFLOP  295.2 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_64x576(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<9216, 576>(weight, scale, round_tf32); }
/* residual.net:9  [256,1,1,64]  16.4 kFLOP  132.1 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_256x64(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<4096, 64>(weight, scale, round_tf32); }
/* residual.net:9  [64,1,1,256]  16.4 kFLOP  131.3 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_64x256(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<4096, 256>(weight, scale, round_tf32); }
/* residual.net:9  [128,1,1,256]  32.8 kFLOP  262.7 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_128x256(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<8192, 256>(weight, scale, round_tf32); }
/* residual.net:9  [128,3,3,128]  147.5 kFLOP  1.2 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_128x1152(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<36864, 1152>(weight, scale, round_tf32); }
/* residual.net:9  [512,1,1,128]  65.5 kFLOP  526.3 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_512x128(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<16384, 128>(weight, scale, round_tf32); }
/* residual.net:9  [512,1,1,256]  131.1 kFLOP  1.1 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_512x256(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<32768, 256>(weight, scale, round_tf32); }
/* residual.net:9  [128,1,1,512]  65.5 kFLOP  524.8 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_128x512(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<16384, 512>(weight, scale, round_tf32); }
/* residual.net:9  [256,1,1,512]  131.1 kFLOP  1.0 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_256x512(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<32768, 512>(weight, scale, round_tf32); }
/* residual.net:9  [256,3,3,256]  589.8 kFLOP  4.7 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_256x2304(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<147456, 2304>(weight, scale, round_tf32); }
/* residual.net:9  [1024,1,1,256]  262.1 kFLOP  2.1 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_1024x256(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<65536, 256>(weight, scale, round_tf32); }
/* residual.net:9  [1024,1,1,512]  524.3 kFLOP  4.2 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_1024x512(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<131072, 512>(weight, scale, round_tf32); }
/* residual.net:9  [256,1,1,1024]  262.1 kFLOP  2.1 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_256x1024(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<65536, 1024>(weight, scale, round_tf32); }
/* residual.net:9  [512,1,1,1024]  524.3 kFLOP  4.2 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_512x1024(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<131072, 1024>(weight, scale, round_tf32); }
/* residual.net:9  [512,3,3,512]  2.4 MFLOP  18.9 MB  bound: 3.9 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_512x4608(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<589824, 4608>(weight, scale, round_tf32); }
/* residual.net:9  [2048,1,1,512]  1.0 MFLOP  8.4 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_2048x512(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<262144, 512>(weight, scale, round_tf32); }
/* residual.net:9  [2048,1,1,1024]  2.1 MFLOP  16.8 MB  bound: 3.5 us by memory */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_2048x1024(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<524288, 1024>(weight, scale, round_tf32); }
/* residual.net:9  [512,1,1,2048]  1.0 MFLOP  8.4 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_512x2048(const float *__restrict__ weight, const float *__restrict__ scale, float *__restrict__ round_tf32)
{ batchnorm_folded_2<262144, 2048>(weight, scale, round_tf32); }

/* batchnorm_folded of bottleneck
 * residual.net:9,28
 * of 4 sizes: 256, 512, 1024, 2048 */
template <int n>
static __device__ __forceinline__ void batchnorm_folded_3(const float *__restrict__ running_var, const float *__restrict__ weight, const float *__restrict__ running_mean, const float *__restrict__ bias, const float *__restrict__ running_var_2, const float *__restrict__ weight_2, const float *__restrict__ running_mean_2, const float *__restrict__ bias_2, float *__restrict__ scale, float *__restrict__ scale_2, float *__restrict__ folded_bias)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
		return;
	const int i0 = i * 4;
	float running_var_in[4];
	nnr_load4(running_var_in, running_var + i0);
	float weight_in[4];
	nnr_load4(weight_in, weight + i0);
	float running_mean_in[4];
	nnr_load4(running_mean_in, running_mean + i0);
	float bias_in[4];
	nnr_load4(bias_in, bias + i0);
	float running_var_2_in[4];
	nnr_load4(running_var_2_in, running_var_2 + i0);
	float weight_2_in[4];
	nnr_load4(weight_2_in, weight_2 + i0);
	float running_mean_2_in[4];
	nnr_load4(running_mean_2_in, running_mean_2 + i0);
	float bias_2_in[4];
	nnr_load4(bias_2_in, bias_2 + i0);
	float scale_out[4];
	float scale_2_out[4];
	float folded_bias_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float scale_ = weight_in[u]*(1/sqrtf(running_var_in[u] + 1e-05f));
		const float scale_2_ = weight_2_in[u]*(1/sqrtf(running_var_2_in[u] + 1e-05f));
		const float folded_bias_ = (((-running_mean_in[u])*scale_) + bias_in[u]) + (((-running_mean_2_in[u])*scale_2_) + bias_2_in[u]);
		scale_out[u] = scale_;
		scale_2_out[u] = scale_2_;
		folded_bias_out[u] = folded_bias_;
	}
	nnr_store4(scale + i0, scale_out);
	nnr_store4(scale_2 + i0, scale_2_out);
	nnr_store4(folded_bias + i0, folded_bias_out);
}
/* residual.net:9,28  [256,1,1,1]  5.4 kFLOP  11.3 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_256(const float *__restrict__ running_var, const float *__restrict__ weight, const float *__restrict__ running_mean, const float *__restrict__ bias, const float *__restrict__ running_var_2, const float *__restrict__ weight_2, const float *__restrict__ running_mean_2, const float *__restrict__ bias_2, float *__restrict__ scale, float *__restrict__ scale_2, float *__restrict__ folded_bias)
{ batchnorm_folded_3<64>(running_var, weight, running_mean, bias, running_var_2, weight_2, running_mean_2, bias_2, scale, scale_2, folded_bias); }
/* residual.net:9,28  [512,1,1,1]  10.8 kFLOP  22.5 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_512(const float *__restrict__ running_var, const float *__restrict__ weight, const float *__restrict__ running_mean, const float *__restrict__ bias, const float *__restrict__ running_var_2, const float *__restrict__ weight_2, const float *__restrict__ running_mean_2, const float *__restrict__ bias_2, float *__restrict__ scale, float *__restrict__ scale_2, float *__restrict__ folded_bias)
{ batchnorm_folded_3<128>(running_var, weight, running_mean, bias, running_var_2, weight_2, running_mean_2, bias_2, scale, scale_2, folded_bias); }
/* residual.net:9,28  [1024,1,1,1]  21.5 kFLOP  45.1 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_1024(const float *__restrict__ running_var, const float *__restrict__ weight, const float *__restrict__ running_mean, const float *__restrict__ bias, const float *__restrict__ running_var_2, const float *__restrict__ weight_2, const float *__restrict__ running_mean_2, const float *__restrict__ bias_2, float *__restrict__ scale, float *__restrict__ scale_2, float *__restrict__ folded_bias)
{ batchnorm_folded_3<256>(running_var, weight, running_mean, bias, running_var_2, weight_2, running_mean_2, bias_2, scale, scale_2, folded_bias); }
/* residual.net:9,28  [2048,1,1,1]  43.0 kFLOP  90.1 kB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) batchnorm_folded_2048(const float *__restrict__ running_var, const float *__restrict__ weight, const float *__restrict__ running_mean, const float *__restrict__ bias, const float *__restrict__ running_var_2, const float *__restrict__ weight_2, const float *__restrict__ running_mean_2, const float *__restrict__ bias_2, float *__restrict__ scale, float *__restrict__ scale_2, float *__restrict__ folded_bias)
{ batchnorm_folded_3<512>(running_var, weight, running_mean, bias, running_var_2, weight_2, running_mean_2, bias_2, scale, scale_2, folded_bias); }

/* round_tf32(weight)
 * resnet.net:12
 * [1000,2048]  0 FLOP  16.4 MB  bound: 3.4 us by memory */
extern "C" __global__ void __launch_bounds__(256) round_tf32_2048000(const float *__restrict__ weight, float *__restrict__ round_tf32)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= 512000)
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

/* relu((conv(x, w) + bias))
 * residual.net:7,9 resnet.net:14
 * [256,112,112,64]  60.8 GFLOP  976.3 MB  bound: 203 us by memory */
extern "C" __global__ void __launch_bounds__(256, 2) conv_bias_relu_256x112x112x64(const float *__restrict__ x, const float *__restrict__ w, const float *__restrict__ bias, float *__restrict__ relu)
{
	/* images, height, width, channels; filters, window; result, stride, border; rows of a tile */
	using Image = NnrImage<float, 256, 224, 224, 3, 64, 7, 7, 112, 112, 2, 2, 3, 3, 8>;
	NNR_CHIP(chip, 101152);
	static_assert(NnrForward<Image>::BYTES == 101152, "what the launch asks for");
	nnr_image_forward<Image, 264, true>(chip, x, w, [&](int64_t row, int col, const float *value) {
		float bias_in[4];
		nnr_load4(bias_in, bias + col);
		float relu_out[4];
		#pragma unroll
		for (int u = 0; u < 4; u++) {
			const float batchnorm_ = value[u] + bias_in[u];
			const float relu_ = batchnorm_ < 0 ? 0 : batchnorm_;
			relu_out[u] = relu_;
		}
		nnr_store4(relu + row * 64 + col, relu_out);
	});
}

/* round_tf32(maxpool(x))
 * resnet.net:14
 * [256,56,56,64]  462.4 MFLOP  1.0 GB  bound: 214 us by memory */
extern "C" __global__ void __launch_bounds__(256) maxpool_round_tf32_256x56x56x64(const float *__restrict__ x, float *__restrict__ round_tf32)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	const int c = i % 16 * 4;
	const int q = i / 16 % 56;
	const int p = i / 896 % 56;
	const int n = i / 50176;
	float t[4];
	#pragma unroll
	for (int u = 0; u < 4; u++)
		t[u] = -INFINITY;
	#pragma unroll
	for (int r = 0; r < 3; r++) {
		const int h = p * 2 + r - 1;
		if (h >= 0) {
			#pragma unroll
			for (int k = 0; k < 3; k++) {
				const int v = q * 2 + k - 1;
				if (v >= 0) {
					float e[4];
					nnr_load4(e, x + ((n * 112 + h) * 112 + v) * 64 + c);
					#pragma unroll
					for (int u = 0; u < 4; u++)
						t[u] = nnr_maxf(e[u], t[u]);
				}
			}
		}
	}
	float round_tf32_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float round_tf32_ = nnr_round_tf32f(t[u]);
		round_tf32_out[u] = round_tf32_;
	}
	nnr_store4(round_tf32 + ((n * 56 + p) * 56 + q) * 64 + c, round_tf32_out);
}

/* relu((conv + bias))
 * residual.net:7,9,23
 * of 7 sizes: 802816x64, 802816x128, 200704x128, 200704x256, 50176x256, 50176x512, 12544x512 */
template <int n, int i0_stride>
static __device__ __forceinline__ void bias_relu(float *__restrict__ conv, const float *__restrict__ bias)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
		return;
	const int i1 = (i * 4) % i0_stride;
	const int i0 = (i * 4) / i0_stride;
	float conv_in[4];
	nnr_load4(conv_in, conv + i0 * i0_stride + i1);
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	float conv_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float batchnorm_ = conv_in[u] + bias_in[u];
		const float relu_ = batchnorm_ < 0 ? 0 : batchnorm_;
		conv_out[u] = relu_;
	}
	nnr_store4(conv + i0 * i0_stride + i1, conv_out);
}
/* residual.net:7,9,23  [256,56,56,64]  102.8 MFLOP  411.0 MB  bound: 85.6 us by memory */
extern "C" __global__ void __launch_bounds__(256) bias_relu_802816x64(float *__restrict__ conv, const float *__restrict__ bias)
{ bias_relu<12845056, 64>(conv, bias); }
/* residual.net:7,9,23  [256,56,56,128]  205.5 MFLOP  822.1 MB  bound: 171 us by memory */
extern "C" __global__ void __launch_bounds__(256) bias_relu_802816x128(float *__restrict__ conv, const float *__restrict__ bias)
{ bias_relu<25690112, 128>(conv, bias); }
/* residual.net:7,9,24  [256,28,28,128]  51.4 MFLOP  205.5 MB  bound: 42.8 us by memory */
extern "C" __global__ void __launch_bounds__(256) bias_relu_200704x128(float *__restrict__ conv, const float *__restrict__ bias)
{ bias_relu<6422528, 128>(conv, bias); }
/* residual.net:7,9,23  [256,28,28,256]  102.8 MFLOP  411.0 MB  bound: 85.6 us by memory */
extern "C" __global__ void __launch_bounds__(256) bias_relu_200704x256(float *__restrict__ conv, const float *__restrict__ bias)
{ bias_relu<12845056, 256>(conv, bias); }
/* residual.net:7,9,24  [256,14,14,256]  25.7 MFLOP  102.8 MB  bound: 21.4 us by memory */
extern "C" __global__ void __launch_bounds__(256) bias_relu_50176x256(float *__restrict__ conv, const float *__restrict__ bias)
{ bias_relu<3211264, 256>(conv, bias); }
/* residual.net:7,9,23  [256,14,14,512]  51.4 MFLOP  205.5 MB  bound: 42.8 us by memory */
extern "C" __global__ void __launch_bounds__(256) bias_relu_50176x512(float *__restrict__ conv, const float *__restrict__ bias)
{ bias_relu<6422528, 512>(conv, bias); }
/* residual.net:7,9,24  [256,7,7,512]  12.8 MFLOP  51.4 MB  bound: 10.7 us by memory */
extern "C" __global__ void __launch_bounds__(256) bias_relu_12544x512(float *__restrict__ conv, const float *__restrict__ bias)
{ bias_relu<1605632, 512>(conv, bias); }

/* relu(((conv + conv_2) + bias))
 * residual.net:7,28
 * of 4 sizes: 802816x256, 200704x512, 50176x1024, 12544x2048 */
template <int n, int i0_stride>
static __device__ __forceinline__ void add_bias_relu(float *__restrict__ conv, const float *__restrict__ conv_2, const float *__restrict__ bias)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
		return;
	const int i1 = (i * 4) % i0_stride;
	const int i0 = (i * 4) / i0_stride;
	float conv_in[4];
	nnr_load4(conv_in, conv + i0 * i0_stride + i1);
	float conv_2_in[4];
	nnr_load4(conv_2_in, conv_2 + i0 * i0_stride + i1);
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	float conv_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float add_ = (conv_in[u] + conv_2_in[u]) + bias_in[u];
		const float relu_ = add_ < 0 ? 0 : add_;
		conv_out[u] = relu_;
	}
	nnr_store4(conv + i0 * i0_stride + i1, conv_out);
}
/* residual.net:7,28  [256,56,56,256]  616.6 MFLOP  2.5 GB  bound: 514 us by memory */
extern "C" __global__ void __launch_bounds__(256) add_bias_relu_802816x256(float *__restrict__ conv, const float *__restrict__ conv_2, const float *__restrict__ bias)
{ add_bias_relu<51380224, 256>(conv, conv_2, bias); }
/* residual.net:7,28  [256,28,28,512]  308.3 MFLOP  1.2 GB  bound: 257 us by memory */
extern "C" __global__ void __launch_bounds__(256) add_bias_relu_200704x512(float *__restrict__ conv, const float *__restrict__ conv_2, const float *__restrict__ bias)
{ add_bias_relu<25690112, 512>(conv, conv_2, bias); }
/* residual.net:7,28  [256,14,14,1024]  154.1 MFLOP  616.6 MB  bound: 128 us by memory */
extern "C" __global__ void __launch_bounds__(256) add_bias_relu_50176x1024(float *__restrict__ conv, const float *__restrict__ conv_2, const float *__restrict__ bias)
{ add_bias_relu<12845056, 1024>(conv, conv_2, bias); }
/* residual.net:7,28  [256,7,7,2048]  77.1 MFLOP  308.3 MB  bound: 64.2 us by memory */
extern "C" __global__ void __launch_bounds__(256) add_bias_relu_12544x2048(float *__restrict__ conv, const float *__restrict__ conv_2, const float *__restrict__ bias)
{ add_bias_relu<6422528, 2048>(conv, conv_2, bias); }

/* relu(((conv + bias) + relu))
 * residual.net:7,9,28
 * of 4 sizes: 802816x256, 200704x512, 50176x1024, 12544x2048 */
template <int n, int i0_stride>
static __device__ __forceinline__ void bias_add_relu(float *__restrict__ conv, const float *__restrict__ bias, const float *__restrict__ relu)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= n)
		return;
	const int i1 = (i * 4) % i0_stride;
	const int i0 = (i * 4) / i0_stride;
	float conv_in[4];
	nnr_load4(conv_in, conv + i0 * i0_stride + i1);
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	float relu_in[4];
	nnr_load4(relu_in, relu + i0 * i0_stride + i1);
	float conv_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float add_ = (conv_in[u] + bias_in[u]) + relu_in[u];
		const float relu_ = add_ < 0 ? 0 : add_;
		conv_out[u] = relu_;
	}
	nnr_store4(conv + i0 * i0_stride + i1, conv_out);
}
/* residual.net:7,9,28  [256,56,56,256]  616.6 MFLOP  2.5 GB  bound: 514 us by memory */
extern "C" __global__ void __launch_bounds__(256) bias_add_relu_802816x256(float *__restrict__ conv, const float *__restrict__ bias, const float *__restrict__ relu)
{ bias_add_relu<51380224, 256>(conv, bias, relu); }
/* residual.net:7,9,28  [256,28,28,512]  308.3 MFLOP  1.2 GB  bound: 257 us by memory */
extern "C" __global__ void __launch_bounds__(256) bias_add_relu_200704x512(float *__restrict__ conv, const float *__restrict__ bias, const float *__restrict__ relu)
{ bias_add_relu<25690112, 512>(conv, bias, relu); }
/* residual.net:7,9,28  [256,14,14,1024]  154.1 MFLOP  616.6 MB  bound: 128 us by memory */
extern "C" __global__ void __launch_bounds__(256) bias_add_relu_50176x1024(float *__restrict__ conv, const float *__restrict__ bias, const float *__restrict__ relu)
{ bias_add_relu<12845056, 1024>(conv, bias, relu); }
/* residual.net:7,9,28  [256,7,7,2048]  77.1 MFLOP  308.3 MB  bound: 64.2 us by memory */
extern "C" __global__ void __launch_bounds__(256) bias_add_relu_12544x2048(float *__restrict__ conv, const float *__restrict__ bias, const float *__restrict__ relu)
{ bias_add_relu<6422528, 2048>(conv, bias, relu); }

/* round_tf32((sum(relu(((conv + bias) + relu))) * 0.0204082))
 * residual.net:9,28 resnet.net:12
 * [256,2048]  103.3 MFLOP  207.6 MB  bound: 43.3 us by memory */
extern "C" __global__ void __launch_bounds__(256) bias_add_relu_avgpool_256x49x2048(const float *__restrict__ conv, const float *__restrict__ bias, const float *__restrict__ relu, float *__restrict__ round_tf32)
{
	const int tile = blockIdx.x % 64;
	const int column = tile * 32 + threadIdx.x % 32, row = threadIdx.x / 32;
	const int o = blockIdx.x / 64;
	float sum = 0;
	#pragma unroll 4
	for (int r = row; r < 49; r += 8) {
		const float add_ = (conv[o * 100352 + r * 2048 + column] + bias[column]) + relu[o * 100352 + r * 2048 + column];
		sum += add_ < 0 ? 0 : add_;
	}
	sum = nnr_column_sum(sum);
	if (row == 0) {
		const float avgpool_ = sum*0.020408163f;
		const float round_tf32_ = nnr_round_tf32f(avgpool_);
		round_tf32[o * 2048 + column] = round_tf32_;
	}
}

/* bias_cross_entropy_top1
 * resnet.net:12,14,15
 * [256,1000]  6.9 MFLOP  2.1 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) bias_cross_entropy_top1_256x1000(const float *__restrict__ matmul, const float *__restrict__ bias, const int32_t *__restrict__ label, float *__restrict__ dense, float *__restrict__ cross_entropy, float *__restrict__ is_right)
{
	const int lane = threadIdx.x % 32;
	const int o = blockIdx.x * 8 + threadIdx.x / 32;
	float max_ = -INFINITY;
	float own_score = 0;
	#pragma unroll
	for (int turn = 0; turn < 8; turn++) {
		const int r = (lane + turn * 32) * 4;
		if (r < 1000) {
			float matmul_in[4];
			nnr_load4(matmul_in, matmul + o * 1000 + r);
			float bias_in[4];
			nnr_load4(bias_in, bias + r);
			float dense_out[4];
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				const float dense_ = matmul_in[u] + bias_in[u];
				max_ = nnr_maxf(max_, dense_);
				own_score += label[o] == (r + u) ? dense_ : 0.0f;
				dense_out[u] = dense_;
			}
			nnr_store4(dense + o * 1000 + r, dense_out);
		}
	}
	max_ = nnr_warp_max(max_);
	own_score = nnr_warp_sum(own_score);
	float exp_sum = 0;
	float rank = 0;
	#pragma unroll
	for (int turn = 0; turn < 8; turn++) {
		const int r = (lane + turn * 32) * 4;
		if (r < 1000) {
			float dense_in[4];
			nnr_load4(dense_in, dense + o * 1000 + r);
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				const float outranks_ = dense_in[u] < own_score || (dense_in[u] == own_score && (r + u) >= label[o]) ? 0 : 1;
				exp_sum += nnr_expf(dense_in[u] - max_);
				rank += outranks_;
			}
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
	for (int turn = 0; turn < 8; turn++) {
		const int r = (lane + turn * 32) * 4;
		if (r < 1000) {
			float dense_in_2[4];
			nnr_load4(dense_in_2, dense + o * 1000 + r);
			#pragma unroll
			for (int u = 0; u < 4; u++) {
				const float one_hot_ = label[o] == (r + u) ? 1 : 0;
				const float weighed_cost_ = one_hot_ != 0 ? (one_hot_*(log_ - (dense_in_2[u] - max_))) : 0.0f;
				cross_entropy_2 += weighed_cost_;
			}
		}
	}
	cross_entropy_2 = nnr_warp_sum(cross_entropy_2);
	if (lane == 0)
		cross_entropy[o] = cross_entropy_2;
}

/* matmul + bias
 * resnet.net:12
 * [256,1000]  256.0 kFLOP  2.1 MB  bound: latency */
extern "C" __global__ void __launch_bounds__(256) bias_256x1000(float *__restrict__ matmul, const float *__restrict__ bias)
{
	const int i = blockIdx.x * 256 + threadIdx.x;
	if (i >= 64000)
		return;
	const int i1 = (i * 4) % 1000;
	const int i0 = (i * 4) / 1000;
	float matmul_in[4];
	nnr_load4(matmul_in, matmul + i0 * 1000 + i1);
	float bias_in[4];
	nnr_load4(bias_in, bias + i1);
	float matmul_out[4];
	#pragma unroll
	for (int u = 0; u < 4; u++) {
		const float dense_ = matmul_in[u] + bias_in[u];
		matmul_out[u] = dense_;
	}
	nnr_store4(matmul + i0 * 1000 + i1, matmul_out);
}

