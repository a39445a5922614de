/* resnet50, from resnet50.net by nnc 0.3 for the CPU. Do not edit: change the .net file and run nnc again.
 * Yours under any terms: LICENSE of nnc, "Exception for what nnc makes".
 *
 * data images; augment flip; optimizer sgd(rate = 0.1, momentum = 0.9, dampening = 0, nesterov = 0, decay = 0.0001); rate 0.1 warmup 5ep cosine; batch 256; epochs 90; precision tf32; seed 0; decay weights
 * batch 256   parameters 25.6 M (102.2 MB)   states 102.4 MB   arena 21.7 GB training, 1.3 GB evaluation
 *
 * Rebuild: cc -std=gnu17 -O2 -march=native -fopenmp -fno-math-errno -fno-trapping-math -I RUNTIME \
 *             THIS.c libnnr.a -lz -lm -ldl -o train
 * (`nnc -v` prints it with the paths of this machine). Tensors are [batch, height, width, channels]. */
#include "nnr.h"
#include "nnr_math.h"
#include "cpu/nnr_step.h"
#include "cpu/conv.h"
#include "cpu/gemm.h"
#include <math.h>
#include <string.h>

/* rgb_affine(cast(image))
 * resnet.net:11
 * [256,224,224,3]  77.1 MFLOP  192.7 MB */
static void normalize_12845056x3(const uint8_t *restrict image, float *restrict normalize)
{
	#pragma omp parallel for
	for (int64_t i0 = 0; i0 < 12845056; i0++) {
		#pragma omp simd
		for (int64_t i1 = 0; i1 < 3; i1++) {
			const float normalize_ = ((float)image[i0 * 3 + i1])*(i1 == 0 ? 0.017124754f : i1 == 1 ? 0.017507003f : 0.017429194f) + (i1 == 0 ? (-2.117904f) : i1 == 1 ? (-2.0357143f) : (-1.8044444f));
			normalize[i0 * 3 + i1] = normalize_;
		}
	}
}

/* conv(x, w)
 * residual.net:7
 * of 23 sizes: 256x112x112x64, 256x56x56x64, 256x56x56x64_2, 256x56x56x256, 256x56x56x64_3, 256x56x56x128, 256x28x28x128, 256x28x28x512 ... */
static const NnrConvShape conv_256x112x112x64_shape = {.batch = 256, .channels = 3, .filters = 64, .groups = 1, .in = {224, 224}, .out = {112, 112}, .size = {7, 7}, .stride = {2, 2}, .pad = {3, 3, 3, 3}, .dilation = {1, 1}};
static const NnrConvShape conv_256x56x56x64_shape = {.batch = 256, .channels = 64, .filters = 64, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrConvShape conv_256x56x56x64_2_shape = {.batch = 256, .channels = 64, .filters = 64, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static const NnrConvShape conv_256x56x56x256_shape = {.batch = 256, .channels = 64, .filters = 256, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrConvShape conv_256x56x56x64_3_shape = {.batch = 256, .channels = 256, .filters = 64, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrConvShape conv_256x56x56x128_shape = {.batch = 256, .channels = 256, .filters = 128, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrConvShape conv_256x28x28x128_shape = {.batch = 256, .channels = 128, .filters = 128, .groups = 1, .in = {56, 56}, .out = {28, 28}, .size = {3, 3}, .stride = {2, 2}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static const NnrConvShape conv_256x28x28x512_shape = {.batch = 256, .channels = 128, .filters = 512, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrConvShape conv_256x28x28x512_2_shape = {.batch = 256, .channels = 256, .filters = 512, .groups = 1, .in = {56, 56}, .out = {28, 28}, .size = {1, 1}, .stride = {2, 2}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrConvShape conv_256x28x28x128_2_shape = {.batch = 256, .channels = 512, .filters = 128, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrConvShape conv_256x28x28x128_3_shape = {.batch = 256, .channels = 128, .filters = 128, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static const NnrConvShape conv_256x28x28x256_shape = {.batch = 256, .channels = 512, .filters = 256, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrConvShape conv_256x14x14x256_shape = {.batch = 256, .channels = 256, .filters = 256, .groups = 1, .in = {28, 28}, .out = {14, 14}, .size = {3, 3}, .stride = {2, 2}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static const NnrConvShape conv_256x14x14x1024_shape = {.batch = 256, .channels = 256, .filters = 1024, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrConvShape conv_256x14x14x1024_2_shape = {.batch = 256, .channels = 512, .filters = 1024, .groups = 1, .in = {28, 28}, .out = {14, 14}, .size = {1, 1}, .stride = {2, 2}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrConvShape conv_256x14x14x256_2_shape = {.batch = 256, .channels = 1024, .filters = 256, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrConvShape conv_256x14x14x256_3_shape = {.batch = 256, .channels = 256, .filters = 256, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static const NnrConvShape conv_256x14x14x512_shape = {.batch = 256, .channels = 1024, .filters = 512, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrConvShape conv_256x7x7x512_shape = {.batch = 256, .channels = 512, .filters = 512, .groups = 1, .in = {14, 14}, .out = {7, 7}, .size = {3, 3}, .stride = {2, 2}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static const NnrConvShape conv_256x7x7x2048_shape = {.batch = 256, .channels = 512, .filters = 2048, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrConvShape conv_256x7x7x2048_2_shape = {.batch = 256, .channels = 1024, .filters = 2048, .groups = 1, .in = {14, 14}, .out = {7, 7}, .size = {1, 1}, .stride = {2, 2}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrConvShape conv_256x7x7x512_2_shape = {.batch = 256, .channels = 2048, .filters = 512, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrConvShape conv_256x7x7x512_3_shape = {.batch = 256, .channels = 512, .filters = 512, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static void conv_any_size(const NnrConvShape *shape, int64_t M, int64_t N, int64_t m0_step, int64_t n0_step, int64_t size, const float *restrict x, const float *restrict w, float *restrict y)
{
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < M; m0 += m0_step) {
		for (int64_t n0 = 0; n0 < N; n0 += n0_step) {
			float t[NNR_BLOCK_ROWS(252) * 256] __attribute__((aligned(64)));
			nnr_conv_fprop_block_f32(m0_step, n0_step, shape, 0, x, w, 0, size, m0, n0, t);
			const int64_t rows = M - m0 < m0_step ? M - m0 : m0_step;
			const int64_t columns = N - n0 < n0_step ? N - n0 : n0_step;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float conv_ = t[i * n0_step + j];
					y[row * N + (n0 + j)] = conv_;
				}
			}
		}
	}
}

/* batchnorm_statistics of conv_bn
 * residual.net:9
 * of 12 sizes: 3211264x64, 802816x64, 802816x256, 802816x128, 200704x128, 200704x512, 200704x256, 50176x256 ... */
static void batchnorm_statistics(int64_t n1, int64_t n0, float factor, const float *restrict conv, const float *restrict first_place, float *restrict running_mean, float *restrict running_var, const float *restrict weight, float *restrict mean, float *restrict rstd, float *restrict scale, float *partial)
{
	#pragma omp parallel for
	for (int64_t chunk = 0; chunk < 128; chunk++) {
		float *restrict shifted_sum = partial + chunk * (2 * n1);
		float *restrict square_sum = partial + chunk * (2 * n1) + n1;
		#pragma omp simd
		for (int64_t i1 = 0; i1 < n1; i1++) {
			shifted_sum[i1] = 0;
			square_sum[i1] = 0;
		}
		for (int64_t i0 = chunk * n0 / 128; i0 < (chunk + 1) * n0 / 128; i0++) {
			#pragma omp simd
			for (int64_t i1 = 0; i1 < n1; i1++) {
				const float shifted_ = conv[i0 * n1 + i1] - first_place[i1];
				shifted_sum[i1] += shifted_;
				square_sum[i1] += shifted_*shifted_;
			}
		}
	}
	#pragma omp simd
	for (int64_t i1 = 0; i1 < n1; i1++) {
		float shifted_sum = 0;
		float square_sum = 0;
		for (int64_t chunk = 0; chunk < 128; chunk++) {
			shifted_sum += partial[chunk * (2 * n1) + i1];
			square_sum += partial[chunk * (2 * n1) + n1 + i1];
		}
		const float move_ = shifted_sum*(1.0f / n0);
		const float mean_ = first_place[i1] + move_;
		const float mul_ = square_sum*(1.0f / n0);
		const float mul_2_ = move_*move_;
		const float sub_ = mul_ - mul_2_;
		const float sub_2_ = mean_ - running_mean[i1];
		const float mul_3_ = 0.1f*sub_2_;
		const float running_ = running_mean[i1] + mul_3_;
		const float var_ = sub_ > 0.0f || sub_ != sub_ ? sub_ : 0.0f;
		const float mul_4_ = var_*factor;
		const float sub_3_ = mul_4_ - running_var[i1];
		const float mul_5_ = 0.1f*sub_3_;
		const float running_2_ = running_var[i1] + mul_5_;
		const float add_ = var_ + 1e-05f;
		const float rstd_ = 1/sqrtf(add_);
		const float scale_ = weight[i1]*rstd_;
		mean[i1] = mean_;
		running_mean[i1] = running_;
		running_var[i1] = running_2_;
		rstd[i1] = rstd_;
		scale[i1] = scale_;
	}
}

/* relu((((conv - mean) * scale) + bias))
 * residual.net:9 resnet.net:14
 * of 8 sizes: 3211264x64, 802816x64, 802816x128, 200704x128, 200704x256, 50176x256, 50176x512, 12544x512 */
static void batchnorm_relu(int64_t n0, int64_t n1, const float *restrict conv, const float *restrict mean, const float *restrict scale, const float *restrict bias, float *restrict relu)
{
	#pragma omp parallel for
	for (int64_t i0 = 0; i0 < n0; i0++) {
		#pragma omp simd
		for (int64_t i1 = 0; i1 < n1; i1++) {
			const float batchnorm_ = ((conv[i0 * n1 + i1] - mean[i1])*scale[i1]) + bias[i1];
			const float relu_ = batchnorm_ < 0 ? 0 : batchnorm_;
			relu[i0 * n1 + i1] = relu_;
		}
	}
}

/* maxpool(x)
 * resnet.net:14
 * [256,56,56,64]  462.4 MFLOP  1.0 GB */
static void maxpool_256x56x56x64(const float *restrict x, float *restrict y)
{
	#pragma omp parallel for collapse(2)
	for (int64_t n = 0; n < 256; n++) {
		for (int64_t p = 0; p < 56; p++) {
			for (int64_t q = 0; q < 56; q++) {
				float t[64];
				#pragma omp simd
				for (int64_t c = 0; c < 64; c++)
					t[c] = -INFINITY;
				for (int64_t r = 0; r < 3; r++) {
					const int64_t h = p * 2 + r - 1;
					if (h >= 0) {
						for (int64_t k = 0; k < 3; k++) {
							const int64_t v = q * 2 + k - 1;
							if (v >= 0) {
								const float *e = x + ((n * 112 + h) * 112 + v) * 64;
								#pragma omp simd
								for (int64_t c = 0; c < 64; c++)
									t[c] = nnr_maxf(e[c], t[c]);
							}
						}
					}
				}
				#pragma omp simd
				for (int64_t c = 0; c < 64; c++) {
					const float maxpool_ = t[c];
					y[((n * 56 + p) * 56 + q) * 64 + c] = maxpool_;
				}
			}
		}
	}
}

/* relu(((((conv - mean) * scale) + bias) + (((conv_2 - mean_2) * scale_2) + bias_2)))
 * residual.net:9,28
 * of 4 sizes: 802816x256, 200704x512, 50176x1024, 12544x2048 */
static void batchnorm_add_relu(int64_t n0, int64_t n1, const float *restrict conv, const float *restrict mean, const float *restrict scale, const float *restrict bias, const float *restrict conv_2, const float *restrict mean_2, const float *restrict scale_2, const float *restrict bias_2, float *restrict relu)
{
	#pragma omp parallel for
	for (int64_t i0 = 0; i0 < n0; i0++) {
		#pragma omp simd
		for (int64_t i1 = 0; i1 < n1; i1++) {
			const float batchnorm_ = ((conv_2[i0 * n1 + i1] - mean_2[i1])*scale_2[i1]) + bias_2[i1];
			const float add_ = (((conv[i0 * n1 + i1] - mean[i1])*scale[i1]) + bias[i1]) + batchnorm_;
			const float relu_ = add_ < 0 ? 0 : add_;
			relu[i0 * n1 + i1] = relu_;
		}
	}
}

/* relu(((((conv - mean) * scale) + bias) + relu))
 * residual.net:9,28
 * of 4 sizes: 802816x256_2, 200704x512_2, 50176x1024_2, 12544x2048_2 */
static void batchnorm_add_relu_2(int64_t n0, int64_t n1, const float *restrict conv, const float *restrict mean, const float *restrict scale, const float *restrict bias, const float *restrict relu, float *restrict relu_2)
{
	#pragma omp parallel for
	for (int64_t i0 = 0; i0 < n0; i0++) {
		#pragma omp simd
		for (int64_t i1 = 0; i1 < n1; i1++) {
			const float add_ = (((conv[i0 * n1 + i1] - mean[i1])*scale[i1]) + bias[i1]) + relu[i0 * n1 + i1];
			const float relu_ = add_ < 0 ? 0 : add_;
			relu_2[i0 * n1 + i1] = relu_;
		}
	}
}

/* batchnorm_add_relu_avgpool
 * residual.net:9,28 resnet.net:12
 * [256,7,7,2048]  154.7 MFLOP  310.4 MB */
static void batchnorm_add_relu_avgpool_256x49x2048(const float *restrict conv, const float *restrict mean, const float *restrict scale, const float *restrict bias, const float *restrict relu, float *restrict add, float *restrict avgpool)
{
	#pragma omp parallel for
	for (int64_t i0 = 0; i0 < 256; i0++) {
		float sum[2048];
		#pragma omp simd
		for (int64_t i2 = 0; i2 < 2048; i2++) {
			sum[i2] = 0;
		}
		for (int64_t i1 = 0; i1 < 49; i1++) {
			#pragma omp simd
			for (int64_t i2 = 0; i2 < 2048; i2++) {
				const float mul_ = (conv[i0 * 100352 + i1 * 2048 + i2] - mean[i2])*scale[i2];
				const float add_ = (mul_ + bias[i2]) + relu[i0 * 100352 + i1 * 2048 + i2];
				sum[i2] += add_ < 0 ? 0 : add_;
				add[i0 * 100352 + i1 * 2048 + i2] = add_;
			}
		}
		#pragma omp simd
		for (int64_t i2 = 0; i2 < 2048; i2++) {
			const float avgpool_ = sum[i2]*0.020408163f;
			avgpool[i0 * 2048 + i2] = avgpool_;
		}
	}
}

/* matmul(a, b) + bias
 * resnet.net:12
 * [256,1000]  1.0 GFLOP  11.3 MB */
static void matmul_bias_256x1000(const float *restrict a, const float *restrict b, const float *restrict bias, float *restrict dense)
{
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < 256; m0 += 128) {
		for (int64_t n0 = 0; n0 < 1000; n0 += 128) {
			float t[NNR_BLOCK_ROWS(128) * 128] __attribute__((aligned(64)));
			nnr_matmul_block_f32(128, 128, (NnrMatrix){a, 256, 2048, 2048}, 0, (NnrMatrix){b, 1000, 2048, 2048}, 1, 0, 2048, m0, n0, t);
			const int64_t rows = 256 - m0 < 128 ? 256 - m0 : 128;
			const int64_t columns = 1000 - n0 < 128 ? 1000 - n0 : 128;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float dense_ = t[i * 128 + j] + bias[n0 + j];
					dense[row * 1000 + (n0 + j)] = dense_;
				}
			}
		}
	}
}

/* cross_entropy_backward_top1
 * resnet.net:14,15
 * [256,1000]  6.7 MFLOP  2.1 MB */
static void cross_entropy_backward_top1_256x1000(const float *restrict dense, const int32_t *restrict label, float *restrict exp_, float *restrict cross_entropy, float *restrict is_right, float *restrict div)
{
	#pragma omp parallel for
	for (int64_t i0 = 0; i0 < 256; i0++) {
		float max_ = -INFINITY;
		float own_score = 0;
		#pragma omp simd reduction(+ : own_score) reduction(max : max_)
		for (int64_t i1 = 0; i1 < 1000; i1++) {
			max_ = nnr_maxf(max_, dense[i0 * 1000 + i1]);
			own_score += label[i0] == i1 ? dense[i0 * 1000 + i1] : 0.0f;
		}
		float exp_sum = 0;
		float rank = 0;
		#pragma omp simd reduction(+ : exp_sum, rank)
		for (int64_t i1 = 0; i1 < 1000; i1++) {
			const float exp_2_ = nnr_expf(dense[i0 * 1000 + i1] - max_);
			const float outranks_ = dense[i0 * 1000 + i1] < own_score || (dense[i0 * 1000 + i1] == own_score && i1 >= label[i0]) ? 0 : 1;
			exp_sum += exp_2_;
			rank += outranks_;
			exp_[i0 * 1000 + i1] = exp_2_;
		}
		const float log_ = nnr_logf(exp_sum);
		const float is_right_ = rank < 1.0f ? 1 : 0;
		const float div_ = 1.0f/exp_sum;
		is_right[i0] = is_right_;
		div[i0] = div_;
		float cross_entropy_2 = 0;
		#pragma omp simd reduction(+ : cross_entropy_2)
		for (int64_t i1 = 0; i1 < 1000; i1++) {
			const float one_hot_ = label[i0] == i1 ? 1 : 0;
			const float weighed_cost_ = one_hot_ != 0 ? (one_hot_*(log_ - (dense[i0 * 1000 + i1] - max_))) : 0.0f;
			cross_entropy_2 += weighed_cost_;
		}
		cross_entropy[i0] = cross_entropy_2;
	}
}

/* sum(cross_entropy) * 0.00390625
 * resnet.net:14
 * []  257 FLOP  1.0 kB */
static void mean_256(const float *restrict cross_entropy, float *restrict mean)
{
	float sum = 0;
	#pragma omp simd reduction(+ : sum)
	for (int64_t i0 = 0; i0 < 256; i0++) {
		sum += cross_entropy[i0];
	}
	const float mean_ = sum*0.00390625f;
	mean[0] = mean_;
}

/* sum((0.00390625 * ((exp_ * div) - one_hot(label)))); 0.00390625 * ((exp_ * div) - one_hot(label))
 * resnet.net:12,14,15
 * [256,1000]  1.3 MFLOP  2.1 MB */
static void cross_entropy_bias_backward_256x1000(const float *restrict exp_, const float *restrict div, const int32_t *restrict label, float *restrict dx, float *restrict dbias, float *partial)
{
	#pragma omp parallel for
	for (int64_t chunk = 0; chunk < 4; chunk++) {
		float *restrict dbias_2 = partial + chunk * 1000;
		#pragma omp simd
		for (int64_t i1 = 0; i1 < 1000; i1++) {
			dbias_2[i1] = 0;
		}
		for (int64_t i0 = chunk * 256 / 4; i0 < (chunk + 1) * 256 / 4; i0++) {
			#pragma omp simd
			for (int64_t i1 = 0; i1 < 1000; i1++) {
				const float sub_ = (exp_[i0 * 1000 + i1]*div[i0]) - (label[i0] == i1 ? 1 : 0);
				const float dx_ = 0.00390625f*sub_;
				dbias_2[i1] += dx_;
				dx[i0 * 1000 + i1] = dx_;
			}
		}
	}
	#pragma omp simd
	for (int64_t i1 = 0; i1 < 1000; i1++) {
		float dbias_2 = 0;
		for (int64_t chunk = 0; chunk < 4; chunk++) {
			dbias_2 += partial[chunk * 1000 + i1];
		}
		dbias[i1] = dbias_2;
	}
}

/* matmul(a, b)
 * resnet.net:12
 * [256,2048]  1.0 GFLOP  11.3 MB */
static void matmul_256x2048(const float *restrict a, const float *restrict b, float *restrict y)
{
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < 256; m0 += 128) {
		for (int64_t n0 = 0; n0 < 2048; n0 += 256) {
			float t[NNR_BLOCK_ROWS(128) * 256] __attribute__((aligned(64)));
			nnr_matmul_block_f32(128, 256, (NnrMatrix){a, 256, 1000, 1000}, 0, (NnrMatrix){b, 1000, 2048, 2048}, 0, 0, 1000, m0, n0, t);
			const int64_t rows = 256 - m0 < 128 ? 256 - m0 : 128;
			const int64_t columns = 2048 - n0 < 256 ? 2048 - n0 : 256;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float dx_ = t[i * 256 + j];
					y[row * 2048 + (n0 + j)] = dx_;
				}
			}
		}
	}
}

/* matmul(a, b)
 * resnet.net:12
 * [1000,2048]  1.0 GFLOP  11.3 MB */
static void matmul_1000x2048(const float *restrict a, const float *restrict b, float *restrict y)
{
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < 1000; m0 += 250) {
		for (int64_t n0 = 0; n0 < 2048; n0 += 256) {
			float t[NNR_BLOCK_ROWS(250) * 256] __attribute__((aligned(64)));
			nnr_matmul_block_f32(250, 256, (NnrMatrix){a, 256, 1000, 1000}, 1, (NnrMatrix){b, 256, 2048, 2048}, 0, 0, 256, m0, n0, t);
			const int64_t rows = 1000 - m0 < 250 ? 1000 - m0 : 250;
			const int64_t columns = 2048 - n0 < 256 ? 2048 - n0 : 256;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float dweight_ = t[i * 256 + j];
					y[row * 2048 + (n0 + j)] = dweight_;
				}
			}
		}
	}
}

/* dy * 0.0204082
 * resnet.net:12
 * [256,1,1,2048]  524.3 kFLOP  4.2 MB */
static void avgpool_backward_524288(float *restrict dy)
{
	#pragma omp parallel for simd
	for (int64_t i0 = 0; i0 < 524288; i0++) {
		const float dx_ = dy[i0]*0.020408163f;
		dy[i0] = dx_;
	}
}

/* relu_batchnorm_backward_sums of bottleneck_16
 * residual.net:9,28
 * [1,1,1,2048]  179.8 MFLOP  207.7 MB */
static void relu_batchnorm_backward_sums_256x49x2048(const float *restrict add, const float *restrict dy, const float *restrict conv, const float *restrict mean, const float *restrict scale, const float *restrict rstd, float *restrict centred_scale, float *restrict shift, float *restrict dweight, float *restrict dy_sum, float *partial)
{
	#pragma omp parallel for
	for (int64_t chunk = 0; chunk < 128; chunk++) {
		float *restrict dy_sum_2 = partial + chunk * 4096;
		float *restrict dy_centred_sum = partial + chunk * 4096 + 2048;
		#pragma omp simd
		for (int64_t i2 = 0; i2 < 2048; i2++) {
			dy_sum_2[i2] = 0;
			dy_centred_sum[i2] = 0;
		}
		for (int64_t i0 = chunk * 256 / 128; i0 < (chunk + 1) * 256 / 128; i0++) {
			for (int64_t i1 = 0; i1 < 49; i1++) {
				#pragma omp simd
				for (int64_t i2 = 0; i2 < 2048; i2++) {
					const float relu_ = add[i0 * 100352 + i1 * 2048 + i2] < 0 ? 0 : add[i0 * 100352 + i1 * 2048 + i2];
					const float dx_ = relu_ > 0.0f ? dy[i0 * 2048 + i2] : 0.0f;
					dy_sum_2[i2] += dx_;
					dy_centred_sum[i2] += dx_*(conv[i0 * 100352 + i1 * 2048 + i2] - mean[i2]);
				}
			}
		}
	}
	#pragma omp simd
	for (int64_t i2 = 0; i2 < 2048; i2++) {
		float dy_sum_2 = 0;
		float dy_centred_sum = 0;
		for (int64_t chunk = 0; chunk < 128; chunk++) {
			dy_sum_2 += partial[chunk * 4096 + i2];
			dy_centred_sum += partial[chunk * 4096 + 2048 + i2];
		}
		const float neg_ = -scale[i2];
		const float mul_ = neg_*rstd[i2];
		const float mul_2_ = mul_*rstd[i2];
		const float mul_3_ = mul_2_*dy_centred_sum;
		const float neg_2_ = -scale[i2];
		const float mul_4_ = neg_2_*dy_sum_2;
		const float centred_scale_ = mul_3_*7.9719388e-05f;
		const float shift_ = mul_4_*7.9719388e-05f;
		const float dweight_ = dy_centred_sum*rstd[i2];
		centred_scale[i2] = centred_scale_;
		shift[i2] = shift_;
		dweight[i2] = dweight_;
		dy_sum[i2] = dy_sum_2;
	}
}

/* (select((relu(add) > 0), dy, 0) * scale) + (((conv - mean) * centred_scale) + shift)
 * residual.net:9,28
 * [256,7,7,2048]  205.5 MFLOP  310.4 MB */
static void relu_batchnorm_backward_256x49x2048(const float *restrict add, const float *restrict dy, const float *restrict scale, float *restrict conv, const float *restrict mean, const float *restrict centred_scale, const float *restrict shift)
{
	#pragma omp parallel for
	for (int64_t i0 = 0; i0 < 256; i0++) {
		for (int64_t i1 = 0; i1 < 49; i1++) {
			#pragma omp simd
			for (int64_t i2 = 0; i2 < 2048; i2++) {
				const float relu_ = add[i0 * 100352 + i1 * 2048 + i2] < 0 ? 0 : add[i0 * 100352 + i1 * 2048 + i2];
				const float mul_ = (conv[i0 * 100352 + i1 * 2048 + i2] - mean[i2])*centred_scale[i2];
				const float dx_ = ((relu_ > 0.0f ? dy[i0 * 2048 + i2] : 0.0f)*scale[i2]) + (mul_ + shift[i2]);
				conv[i0 * 100352 + i1 * 2048 + i2] = dx_;
			}
		}
	}
}

/* select((relu > 0), conv_dgrad(dy, w), 0)
 * residual.net:7,24
 * of 8 sizes: 256x7x7x512, 256x7x7x512_2, 256x14x14x256, 256x14x14x256_2, 256x28x28x128, 256x28x28x128_2, 256x56x56x64, 256x56x56x64_2 */
static void conv_dgrad_relu_backward(const NnrConvShape *shape, int64_t M, int64_t N, int64_t m0_step, int64_t n0_step, const float *restrict dy, const float *restrict w, const float *restrict relu, float *restrict dx)
{
	const NnrConvClass c = nnr_conv_class(shape, 0, 0);
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < M; m0 += m0_step) {
		for (int64_t n0 = 0; n0 < N; n0 += n0_step) {
			float t[NNR_BLOCK_ROWS(252) * 256] __attribute__((aligned(64)));
			nnr_conv_dgrad_block_f32(m0_step, n0_step, shape, &c, 0, dy, w, 0, c.depth, m0, n0, t);
			const int64_t rows = M - m0 < m0_step ? M - m0 : m0_step;
			const int64_t columns = N - n0 < n0_step ? N - n0 : n0_step;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float dx_ = relu[row * N + (n0 + j)] > 0.0f ? t[i * n0_step + j] : 0.0f;
					dx[row * N + (n0 + j)] = dx_;
				}
			}
		}
	}
}

/* conv_wgrad(x, dy)
 * residual.net:7
 * of 13 sizes: 2048x1x1x512, 512x3x3x512, 512x1x1x2048, 2048x1x1x1024, 512x3x3x512_2, 512x1x1x1024, 1024x1x1x256, 256x3x3x256 ... */
static void conv_wgrad(const NnrConvShape *shape, int64_t M, int64_t N, int64_t m0_step, int64_t n0_step, int64_t size, int64_t size_2, const float *restrict x, const float *restrict dy, float *restrict dw)
{
	const int64_t taps = nnr_conv_taps(shape);
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < M; m0 += m0_step) {
		for (int64_t n0 = 0; n0 < N; n0 += n0_step) {
			float t[NNR_BLOCK_ROWS(228) * 256] __attribute__((aligned(64)));
			nnr_conv_wgrad_block_f32(m0_step, n0_step, shape, 0, x, dy, 0, size, m0, n0, t);
			const int64_t rows = M - m0 < m0_step ? M - m0 : m0_step;
			const int64_t columns = N - n0 < n0_step ? N - n0 : n0_step;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float dweight_ = t[i * n0_step + j];
					dw[(row * taps) * size_2 + (n0 + j)] = dweight_;
				}
			}
		}
	}
}

/* sum(dy); (sum((dy * (conv - mean))) * rstd); (neg(scale) * sum(dy)) * 7.97194e-05;
 *   (((neg(scale) * rstd) * rstd) * sum((dy * (conv - mean)))) * 7.97194e-05
 * residual.net:9
 * of 12 sizes: 12544x512, 12544x2048, 50176x512, 50176x1024, 50176x256, 200704x256, 200704x512, 200704x128 ... */
static void batchnorm_backward_sums(int64_t n1, int64_t n0, const float *restrict dy, const float *restrict conv, const float *restrict mean, const float *restrict scale, const float *restrict rstd, float *restrict centred_scale, float *restrict shift, float *restrict dweight, float *restrict dy_sum, float *partial)
{
	#pragma omp parallel for
	for (int64_t chunk = 0; chunk < 128; chunk++) {
		float *restrict dy_sum_2 = partial + chunk * (2 * n1);
		float *restrict dy_centred_sum = partial + chunk * (2 * n1) + n1;
		#pragma omp simd
		for (int64_t i1 = 0; i1 < n1; i1++) {
			dy_sum_2[i1] = 0;
			dy_centred_sum[i1] = 0;
		}
		for (int64_t i0 = chunk * n0 / 128; i0 < (chunk + 1) * n0 / 128; i0++) {
			#pragma omp simd
			for (int64_t i1 = 0; i1 < n1; i1++) {
				dy_sum_2[i1] += dy[i0 * n1 + i1];
				dy_centred_sum[i1] += dy[i0 * n1 + i1]*(conv[i0 * n1 + i1] - mean[i1]);
			}
		}
	}
	#pragma omp simd
	for (int64_t i1 = 0; i1 < n1; i1++) {
		float dy_sum_2 = 0;
		float dy_centred_sum = 0;
		for (int64_t chunk = 0; chunk < 128; chunk++) {
			dy_sum_2 += partial[chunk * (2 * n1) + i1];
			dy_centred_sum += partial[chunk * (2 * n1) + n1 + i1];
		}
		const float neg_ = -scale[i1];
		const float mul_ = neg_*rstd[i1];
		const float mul_2_ = mul_*rstd[i1];
		const float mul_3_ = mul_2_*dy_centred_sum;
		const float neg_2_ = -scale[i1];
		const float mul_4_ = neg_2_*dy_sum_2;
		const float centred_scale_ = mul_3_*(1.0f / n0);
		const float shift_ = mul_4_*(1.0f / n0);
		const float dweight_ = dy_centred_sum*rstd[i1];
		centred_scale[i1] = centred_scale_;
		shift[i1] = shift_;
		dweight[i1] = dweight_;
		dy_sum[i1] = dy_sum_2;
	}
}

/* (dy * scale) + (((conv - mean) * centred_scale) + shift)
 * residual.net:9
 * of 12 sizes: 12544x512, 12544x2048_2, 50176x512, 50176x256, 50176x1024_2, 200704x256, 200704x128, 200704x512_2 ... */
static void batchnorm_backward(int64_t n0, int64_t n1, float *restrict dy, const float *restrict scale, const float *restrict conv, const float *restrict mean, const float *restrict centred_scale, const float *restrict shift)
{
	#pragma omp parallel for
	for (int64_t i0 = 0; i0 < n0; i0++) {
		#pragma omp simd
		for (int64_t i1 = 0; i1 < n1; i1++) {
			const float add_ = ((conv[i0 * n1 + i1] - mean[i1])*centred_scale[i1]) + shift[i1];
			const float dx_ = (dy[i0 * n1 + i1]*scale[i1]) + add_;
			dy[i0 * n1 + i1] = dx_;
		}
	}
}

/* select((relu > 0), (select((relu(add) > 0), dy_2, 0) + conv_dgrad(dy, w)), 0)
 * residual.net:7,28
 * [256,7,7,2048]  26.5 GFLOP  340.3 MB */
static void conv_dgrad_relu_backward_add_backward_256x7x7x2048(const float *restrict dy, const float *restrict w, float *restrict add, const float *restrict dy_2, const float *restrict relu)
{
	static const NnrConvShape shape = {.batch = 256, .channels = 2048, .filters = 512, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
	const NnrConvClass c = nnr_conv_class(&shape, 0, 0);
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < 12544; m0 += 251) {
		for (int64_t n0 = 0; n0 < 2048; n0 += 256) {
			float t[NNR_BLOCK_ROWS(251) * 256] __attribute__((aligned(64)));
			nnr_conv_dgrad_block_f32(251, 256, &shape, &c, 0, dy, w, 0, c.depth, m0, n0, t);
			const int64_t rows = 12544 - m0 < 251 ? 12544 - m0 : 251;
			const int64_t columns = 2048 - n0 < 256 ? 2048 - n0 : 256;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float relu_ = add[(row / 49) * 100352 + (row % 49) * 2048 + (n0 + j)] < 0 ? 0 : add[(row / 49) * 100352 + (row % 49) * 2048 + (n0 + j)];
					const float dx_ = (relu_ > 0.0f ? dy_2[(row / 49) * 2048 + (n0 + j)] : 0.0f) + t[i * 256 + j];
					const float gt_ = relu[(row / 49) * 100352 + (row % 49) * 2048 + (n0 + j)] > 0.0f ? 1 : 0;
					const float dx_2_ = gt_ != 0 ? dx_ : 0.0f;
					add[(row / 49) * 100352 + (row % 49) * 2048 + (n0 + j)] = dx_2_;
				}
			}
		}
	}
}

/* (dy * scale) + (((conv - mean) * centred_scale) + shift)
 * residual.net:9
 * of 4 sizes: 12544x2048, 50176x1024, 200704x512, 802816x256 */
static void batchnorm_backward_2(int64_t n0, int64_t n1, const float *restrict dy, const float *restrict scale, float *restrict conv, const float *restrict mean, const float *restrict centred_scale, const float *restrict shift)
{
	#pragma omp parallel for
	for (int64_t i0 = 0; i0 < n0; i0++) {
		#pragma omp simd
		for (int64_t i1 = 0; i1 < n1; i1++) {
			const float add_ = ((conv[i0 * n1 + i1] - mean[i1])*centred_scale[i1]) + shift[i1];
			const float dx_ = (dy[i0 * n1 + i1]*scale[i1]) + add_;
			conv[i0 * n1 + i1] = dx_;
		}
	}
}

/* select((relu > 0), (dy_2 + conv_dgrad(dy, w)), 0)
 * residual.net:7,28
 * of 4 sizes: 256x7x7x2048, 256x14x14x1024_2, 256x28x28x512_2, 256x56x56x256_2 */
static void conv_dgrad_add_backward_relu_backward(const NnrConvShape *shape, int64_t M, int64_t N, int64_t m0_step, const float *restrict dy, const float *restrict w, float *restrict dy_2, const float *restrict relu)
{
	const NnrConvClass c = nnr_conv_class(shape, 0, 0);
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < M; m0 += m0_step) {
		for (int64_t n0 = 0; n0 < N; n0 += 256) {
			float t[NNR_BLOCK_ROWS(252) * 256] __attribute__((aligned(64)));
			nnr_conv_dgrad_block_f32(m0_step, 256, shape, &c, 0, dy, w, 0, c.depth, m0, n0, t);
			const int64_t rows = M - m0 < m0_step ? M - m0 : m0_step;
			const int64_t columns = N - n0 < 256 ? N - n0 : 256;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float dx_ = relu[row * N + (n0 + j)] > 0.0f ? (dy_2[row * N + (n0 + j)] + t[i * 256 + j]) : 0.0f;
					dy_2[row * N + (n0 + j)] = dx_;
				}
			}
		}
	}
}

/* batchnorm_backward_sums of bottleneck_14
 * residual.net:9
 * of 4 sizes: 12544x2048_2, 50176x1024_2, 200704x512_2, 802816x256_2 */
static void batchnorm_backward_sums_2(int64_t n1, int64_t n0, const float *restrict dy, const float *restrict conv, const float *restrict mean, const float *restrict scale, const float *restrict rstd, const float *restrict conv_2, const float *restrict mean_2, const float *restrict scale_2, const float *restrict rstd_2, float *restrict centred_scale, float *restrict shift, float *restrict dweight, float *restrict dy_sum, float *restrict centred_scale_2, float *restrict shift_2, float *restrict dweight_2, float *restrict dy_sum_2, float *partial)
{
	#pragma omp parallel for
	for (int64_t chunk = 0; chunk < 128; chunk++) {
		float *restrict dy_sum_3 = partial + chunk * (3 * n1);
		float *restrict dy_centred_sum = partial + chunk * (3 * n1) + n1;
		float *restrict dy_centred_sum_2 = partial + chunk * (3 * n1) + (2 * n1);
		#pragma omp simd
		for (int64_t i1 = 0; i1 < n1; i1++) {
			dy_sum_3[i1] = 0;
			dy_centred_sum[i1] = 0;
			dy_centred_sum_2[i1] = 0;
		}
		for (int64_t i0 = chunk * n0 / 128; i0 < (chunk + 1) * n0 / 128; i0++) {
			#pragma omp simd
			for (int64_t i1 = 0; i1 < n1; i1++) {
				dy_sum_3[i1] += dy[i0 * n1 + i1];
				dy_centred_sum[i1] += dy[i0 * n1 + i1]*(conv[i0 * n1 + i1] - mean[i1]);
				dy_centred_sum_2[i1] += dy[i0 * n1 + i1]*(conv_2[i0 * n1 + i1] - mean_2[i1]);
			}
		}
	}
	#pragma omp simd
	for (int64_t i1 = 0; i1 < n1; i1++) {
		float dy_sum_3 = 0;
		float dy_centred_sum = 0;
		float dy_centred_sum_2 = 0;
		for (int64_t chunk = 0; chunk < 128; chunk++) {
			dy_sum_3 += partial[chunk * (3 * n1) + i1];
			dy_centred_sum += partial[chunk * (3 * n1) + n1 + i1];
			dy_centred_sum_2 += partial[chunk * (3 * n1) + (2 * n1) + i1];
		}
		const float neg_ = -scale[i1];
		const float mul_ = neg_*rstd[i1];
		const float mul_2_ = mul_*rstd[i1];
		const float mul_3_ = mul_2_*dy_centred_sum;
		const float neg_2_ = -scale[i1];
		const float mul_4_ = neg_2_*dy_sum_3;
		const float centred_scale_ = mul_3_*(1.0f / n0);
		const float shift_ = mul_4_*(1.0f / n0);
		const float dweight_ = dy_centred_sum*rstd[i1];
		const float neg_3_ = -scale_2[i1];
		const float mul_5_ = neg_3_*rstd_2[i1];
		const float mul_6_ = mul_5_*rstd_2[i1];
		const float mul_7_ = mul_6_*dy_centred_sum_2;
		const float neg_4_ = -scale_2[i1];
		const float mul_8_ = neg_4_*dy_sum_3;
		const float centred_scale_2_ = mul_7_*(1.0f / n0);
		const float shift_2_ = mul_8_*(1.0f / n0);
		const float dweight_2_ = dy_centred_sum_2*rstd_2[i1];
		centred_scale[i1] = centred_scale_;
		shift[i1] = shift_;
		dweight[i1] = dweight_;
		dy_sum[i1] = dy_sum_3;
		centred_scale_2[i1] = centred_scale_2_;
		shift_2[i1] = shift_2_;
		dweight_2[i1] = dweight_2_;
		dy_sum_2[i1] = dy_sum_3;
	}
}

/* select((relu > 0), conv_dgrad(dy, w), 0)
 * residual.net:7,23
 * of 3 sizes: 256x14x14x512, 256x28x28x256, 256x56x56x128 */
static void conv_dgrad_relu_backward_2(const NnrConvShape *shape, int64_t N, int64_t m0_step, int64_t n0_step, const float *restrict dy, const float *restrict w, const float *restrict relu, float *restrict dx)
{
	for (int64_t class = 0; class < 4; class++) {
		const NnrConvClass c = nnr_conv_class(shape, class / 2, class % 2);
		#pragma omp parallel for collapse(2) schedule(dynamic)
		for (int64_t m0 = 0; m0 < c.rows; m0 += m0_step) {
			for (int64_t n0 = 0; n0 < N; n0 += n0_step) {
				float t[NNR_BLOCK_ROWS(252) * 256] __attribute__((aligned(64)));
				nnr_conv_dgrad_block_f32(m0_step, n0_step, shape, &c, 0, dy, w, 0, c.depth, m0, n0, t);
				const int64_t rows = c.rows - m0 < m0_step ? c.rows - m0 : m0_step;
				const int64_t columns = N - n0 < n0_step ? N - n0 : n0_step;
				for (int64_t i = 0; i < rows; i++) {
					const int64_t row = nnr_conv_pixel(shape, &c, m0 + i);
					#pragma omp simd
					for (int64_t j = 0; j < columns; j++) {
						const float dx_ = relu[row * N + (n0 + j)] > 0.0f ? t[i * n0_step + j] : 0.0f;
						dx[row * N + (n0 + j)] = dx_;
					}
				}
			}
		}
	}
}

/* conv_dgrad(dy, w)
 * residual.net:7
 * of 4 sizes: 256x14x14x1024, 256x28x28x512, 256x56x56x256, 256x56x56x64 */
static void conv_dgrad_any_size(const NnrConvShape *shape, int64_t M, int64_t N, int64_t m0_step, int64_t n0_step, const float *restrict dy, const float *restrict w, float *restrict dx)
{
	const NnrConvClass c = nnr_conv_class(shape, 0, 0);
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < M; m0 += m0_step) {
		for (int64_t n0 = 0; n0 < N; n0 += n0_step) {
			float t[NNR_BLOCK_ROWS(252) * 256] __attribute__((aligned(64)));
			nnr_conv_dgrad_block_f32(m0_step, n0_step, shape, &c, 0, dy, w, 0, c.depth, m0, n0, t);
			const int64_t rows = M - m0 < m0_step ? M - m0 : m0_step;
			const int64_t columns = N - n0 < n0_step ? N - n0 : n0_step;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float conv_dgrad_ = t[i * n0_step + j];
					dx[row * N + (n0 + j)] = conv_dgrad_;
				}
			}
		}
	}
}

/* select((relu > 0), (conv_dgrad(dy, w) + conv_dgrad), 0)
 * residual.net:7,28
 * of 3 sizes: 256x14x14x1024, 256x28x28x512, 256x56x56x256 */
static void conv_dgrad_add_backward_relu_backward_2(const NnrConvShape *shape, int64_t N, int64_t m0_step, const float *restrict dy, const float *restrict w, float *restrict conv_dgrad, const float *restrict relu)
{
	for (int64_t class = 0; class < 4; class++) {
		const NnrConvClass c = nnr_conv_class(shape, class / 2, class % 2);
		#pragma omp parallel for collapse(2) schedule(dynamic)
		for (int64_t m0 = 0; m0 < c.rows; m0 += m0_step) {
			for (int64_t n0 = 0; n0 < N; n0 += 256) {
				float t[NNR_BLOCK_ROWS(252) * 256] __attribute__((aligned(64)));
				nnr_conv_dgrad_block_f32(m0_step, 256, shape, &c, 0, dy, w, 0, c.depth, m0, n0, t);
				const int64_t rows = c.rows - m0 < m0_step ? c.rows - m0 : m0_step;
				const int64_t columns = N - n0 < 256 ? N - n0 : 256;
				for (int64_t i = 0; i < rows; i++) {
					const int64_t row = nnr_conv_pixel(shape, &c, m0 + i);
					#pragma omp simd
					for (int64_t j = 0; j < columns; j++) {
						const float dx_ = relu[row * N + (n0 + j)] > 0.0f ? (t[i * 256 + j] + conv_dgrad[row * N + (n0 + j)]) : 0.0f;
						conv_dgrad[row * N + (n0 + j)] = dx_;
					}
				}
			}
		}
	}
}

/* conv_wgrad(x, dy)
 * residual.net:7
 * of 9 sizes: 256x1x1x512, 512x1x1x128, 128x1x1x512, 512x1x1x256, 128x1x1x256, 256x1x1x64, 64x3x3x64, 64x1x1x256 ... */
static void conv_wgrad_2(const NnrConvShape *shape, int64_t part_end, int64_t M, int64_t N, int64_t m0_step, int64_t n0_step, int64_t part_stride, int64_t size, const float *restrict x, const float *restrict dy, float *restrict dw)
{
	const int64_t taps = nnr_conv_taps(shape);
	float partial[262144];
	#pragma omp parallel for collapse(3) schedule(dynamic)
	for (int64_t part = 0; part < part_end; part++) {
		for (int64_t m0 = 0; m0 < M; m0 += m0_step) {
			for (int64_t n0 = 0; n0 < N; n0 += n0_step) {
				const int64_t k_first = part * part_stride;
				float t[NNR_BLOCK_ROWS(128) * 256] __attribute__((aligned(64)));
				nnr_conv_wgrad_block_f32(m0_step, n0_step, shape, 0, x, dy, k_first, k_first + part_stride, m0, n0, t);
				const int64_t rows = M - m0 < m0_step ? M - m0 : m0_step;
				const int64_t columns = N - n0 < n0_step ? N - n0 : n0_step;
				for (int64_t i = 0; i < rows; i++) {
					const int64_t row = m0 + i;
					#pragma omp simd
					for (int64_t j = 0; j < columns; j++)
						partial[part * (M * N) + row * N + n0 + j] = t[i * n0_step + j];
				}
			}
		}
	}
	#pragma omp parallel for
	for (int64_t row = 0; row < M; row++) {
		float *const sum = partial + row * N;
		for (int64_t part = 1; part < part_end; part++) {
			#pragma omp simd
			for (int64_t j = 0; j < N; j++)
				sum[j] += partial[part * (M * N) + row * N + j];
		}
		#pragma omp simd
		for (int64_t j = 0; j < N; j++) {
			const float dweight_ = sum[j];
			dw[(row * taps) * size + j] = dweight_;
		}
	}
}

/* conv_dgrad(dy, w) + conv_dgrad
 * residual.net:7
 * [256,56,56,64]  26.4 GFLOP  1.2 GB */
static void conv_dgrad_add_backward_256x56x56x64(const float *restrict dy, const float *restrict w, float *restrict conv_dgrad)
{
	static const NnrConvShape shape = {.batch = 256, .channels = 64, .filters = 256, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
	const NnrConvClass c = nnr_conv_class(&shape, 0, 0);
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < 802816; m0 += 252) {
		for (int64_t n0 = 0; n0 < 64; n0 += 64) {
			float t[NNR_BLOCK_ROWS(252) * 64] __attribute__((aligned(64)));
			nnr_conv_dgrad_block_f32(252, 64, &shape, &c, 0, dy, w, 0, c.depth, m0, n0, t);
			const int64_t rows = 802816 - m0 < 252 ? 802816 - m0 : 252;
			const int64_t columns = 64 - n0 < 64 ? 64 - n0 : 64;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float dx_ = t[i * 64 + j] + conv_dgrad[row * 64 + (n0 + j)];
					conv_dgrad[row * 64 + (n0 + j)] = dx_;
				}
			}
		}
	}
}

/* select((x > 0), maxpool_grad(dy, x, y), 0)
 * resnet.net:14
 * [256,112,112,64]  873.5 MFLOP  2.1 GB */
static void maxpool_relu_backward_256x112x112x64(const float *restrict dy, const float *restrict x, const float *restrict y, float *restrict dx)
{
	#pragma omp parallel for
	for (int64_t n = 0; n < 256; n++) {
		int32_t place[2][56][64];
		int64_t ready = 0;
		for (int64_t h = 0; h < 112; h++) {
			const int64_t p_end = (h + 1) / 2 + 1 < 56 ? (h + 1) / 2 + 1 : 56;
			for (; ready < p_end; ready++) {
				for (int64_t q = 0; q < 56; q++) {
					const float *top = y + ((n * 56 + ready) * 56 + q) * 64;
					int32_t *first = place[ready % 2][q];
					#pragma omp simd
					for (int64_t c = 0; c < 64; c++)
						first[c] = -1;
					for (int64_t r = 2; r >= 0; r--) {
						const int64_t i = ready * 2 + r - 1;
						if (i < 0 || i >= 112)
							continue;
						for (int64_t u = 2; u >= 0; u--) {
							const int64_t j = q * 2 + u - 1;
							if (j < 0 || j >= 112)
								continue;
							const int32_t own = (int32_t)(r * 3 + u);
							const float *e = x + ((n * 112 + i) * 112 + j) * 64;
							#pragma omp simd
							for (int64_t c = 0; c < 64; c++)
								first[c] = e[c] == top[c] ? own : first[c];
						}
					}
				}
			}
			for (int64_t v = 0; v < 112; v++) {
				float t[64];
				#pragma omp simd
				for (int64_t c = 0; c < 64; c++)
					t[c] = 0;
				for (int64_t p = h + 1 < 3 ? 0 : (h + 0) / 2; p < p_end; p++) {
					const int64_t q_end = (v + 1) / 2 + 1 < 56 ? (v + 1) / 2 + 1 : 56;
					for (int64_t q = v + 1 < 3 ? 0 : (v + 0) / 2; q < q_end; q++) {
						const int32_t own = (int32_t)((h + 1 - p * 2) * 3 + v + 1 - q * 2);
						const int32_t *first = place[p % 2][q];
						const float *g = dy + ((n * 56 + p) * 56 + q) * 64;
						#pragma omp simd
						for (int64_t c = 0; c < 64; c++)
							t[c] += first[c] == own ? g[c] : 0;
					}
				}
				#pragma omp simd
				for (int64_t c = 0; c < 64; c++) {
					const float dx_ = x[((n * 112 + h) * 112 + v) * 64 + c] > 0.0f ? t[c] : 0.0f;
					dx[((n * 112 + h) * 112 + v) * 64 + c] = dx_;
				}
			}
		}
	}
}

/* conv_wgrad(x, dy)
 * residual.net:7
 * [64,7,7,3]  60.4 GFLOP  976.3 MB */
static void conv_wgrad_64x7x7x3(const float *restrict x, const float *restrict dy, float *restrict dw)
{
	static const NnrConvShape shape = {.batch = 256, .channels = 3, .filters = 64, .groups = 1, .in = {224, 224}, .out = {112, 112}, .size = {7, 7}, .stride = {2, 2}, .pad = {3, 3, 3, 3}, .dilation = {1, 1}};
	const int64_t taps = nnr_conv_taps(&shape);
	float partial[150528];
	#pragma omp parallel for collapse(3) schedule(dynamic)
	for (int64_t part = 0; part < 16; part++) {
		for (int64_t m0 = 0; m0 < 64; m0 += 64) {
			for (int64_t n0 = 0; n0 < 147; n0 += 160) {
				const int64_t k_first = part * 200704;
				float t[NNR_BLOCK_ROWS(64) * 160] __attribute__((aligned(64)));
				nnr_conv_wgrad_block_f32(64, 160, &shape, 0, x, dy, k_first, k_first + 200704, m0, n0, t);
				const int64_t rows = 64 - m0 < 64 ? 64 - m0 : 64;
				const int64_t columns = 147 - n0 < 160 ? 147 - n0 : 160;
				for (int64_t i = 0; i < rows; i++) {
					const int64_t row = m0 + i;
					#pragma omp simd
					for (int64_t j = 0; j < columns; j++)
						partial[part * 9408 + row * 147 + n0 + j] = t[i * 160 + j];
				}
			}
		}
	}
	#pragma omp parallel for
	for (int64_t row = 0; row < 64; row++) {
		float *const sum = partial + row * 147;
		for (int64_t part = 1; part < 16; part++) {
			#pragma omp simd
			for (int64_t j = 0; j < 147; j++)
				sum[j] += partial[part * 9408 + row * 147 + j];
		}
		#pragma omp simd
		for (int64_t j = 0; j < 147; j++) {
			const float dweight_ = sum[j];
			dw[(row * taps) * 3 + j] = dweight_;
		}
	}
}

/* params - (rate * ((0.9 * momentum) + (pack + ((0.0001 * index_below()) * params))));
 *   (0.9 * momentum) + (pack + ((0.0001 * index_below()) * params))
 * resnet.net:22
 * [25557032]  178.9 MFLOP  511.1 MB */
static void sgd_25557032(float *restrict params, const float *restrict pack, float *restrict momentum, const NnrScalars *s)
{
	const float rate = (float)(s->rate);
	#pragma omp parallel for simd
	for (int64_t i0 = 0; i0 < 25557032; i0++) {
		const float decayed_gradient_ = pack[i0] + ((0.0001f*(i0 < 25502912 ? 1 : 0))*params[i0]);
		const float momentum_ = (0.9f*momentum[i0]) + decayed_gradient_;
		const float sub_ = params[i0] - (rate*momentum_);
		momentum[i0] = momentum_;
		params[i0] = sub_;
	}
}

/* (neg(running_mean) * (weight * rsqrt((running_var + 1e-05)))) + bias; (weight * rsqrt((running_var + 1e-05)))
 * residual.net:9
 * of 6 sizes: 64, 256_2, 128, 512_2, 1024_2, 2048_2 */
static void batchnorm_folded(int64_t n0, const float *restrict running_var, const float *restrict weight, const float *restrict running_mean, const float *restrict bias, float *restrict scale, float *restrict folded_bias)
{
	#pragma omp simd
	for (int64_t i0 = 0; i0 < n0; i0++) {
		const float scale_ = weight[i0]*(1/sqrtf(running_var[i0] + 1e-05f));
		const float folded_bias_ = ((-running_mean[i0])*scale_) + bias[i0];
		scale[i0] = scale_;
		folded_bias[i0] = folded_bias_;
	}
}

/* weight * scale
 * residual.net:9
 * of 2 sizes: 64x147, 64x64 */
static void batchnorm_folded_2(int64_t n1, const float *restrict weight, const float *restrict scale, float *restrict scaled_weight)
{
	for (int64_t i0 = 0; i0 < 64; i0++) {
		#pragma omp simd
		for (int64_t i1 = 0; i1 < n1; i1++) {
			const float scaled_weight_ = weight[i0 * n1 + i1]*scale[i0];
			scaled_weight[i0 * n1 + i1] = scaled_weight_;
		}
	}
}

/* weight * scale
 * residual.net:9
 * of 18 sizes: 64x576, 256x64, 64x256, 128x256, 128x1152, 512x128, 512x256, 128x512 ... */
static void batchnorm_folded_3(int64_t n0, int64_t n1, const float *restrict weight, const float *restrict scale, float *restrict scaled_weight)
{
	#pragma omp parallel for
	for (int64_t i0 = 0; i0 < n0; i0++) {
		#pragma omp simd
		for (int64_t i1 = 0; i1 < n1; i1++) {
			const float scaled_weight_ = weight[i0 * n1 + i1]*scale[i0];
			scaled_weight[i0 * n1 + i1] = scaled_weight_;
		}
	}
}

/* batchnorm_folded of bottleneck
 * residual.net:9,28
 * of 4 sizes: 256, 512, 1024, 2048 */
static void batchnorm_folded_4(int64_t n0, const float *restrict running_var, const float *restrict weight, const float *restrict running_mean, const float *restrict bias, const float *restrict running_var_2, const float *restrict weight_2, const float *restrict running_mean_2, const float *restrict bias_2, float *restrict scale, float *restrict scale_2, float *restrict folded_bias)
{
	#pragma omp simd
	for (int64_t i0 = 0; i0 < n0; i0++) {
		const float scale_ = weight[i0]*(1/sqrtf(running_var[i0] + 1e-05f));
		const float scale_2_ = weight_2[i0]*(1/sqrtf(running_var_2[i0] + 1e-05f));
		const float folded_bias_ = (((-running_mean[i0])*scale_) + bias[i0]) + (((-running_mean_2[i0])*scale_2_) + bias_2[i0]);
		scale[i0] = scale_;
		scale_2[i0] = scale_2_;
		folded_bias[i0] = folded_bias_;
	}
}

/* relu((conv(x, w) + bias))
 * residual.net:7,9 resnet.net:14
 * of 16 sizes: 256x112x112x64, 256x56x56x64, 256x56x56x64_2, 256x56x56x64_3, 256x56x56x128, 256x28x28x128, 256x28x28x128_2, 256x28x28x128_3 ... */
static void conv_bias_relu(const NnrConvShape *shape, int64_t M, int64_t N, int64_t m0_step, int64_t n0_step, int64_t size, const float *restrict x, const float *restrict w, const float *restrict bias, float *restrict relu)
{
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < M; m0 += m0_step) {
		for (int64_t n0 = 0; n0 < N; n0 += n0_step) {
			float t[NNR_BLOCK_ROWS(252) * 256] __attribute__((aligned(64)));
			nnr_conv_fprop_block_f32(m0_step, n0_step, shape, 0, x, w, 0, size, m0, n0, t);
			const int64_t rows = M - m0 < m0_step ? M - m0 : m0_step;
			const int64_t columns = N - n0 < n0_step ? N - n0 : n0_step;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float batchnorm_ = t[i * n0_step + j] + bias[n0 + j];
					const float relu_ = batchnorm_ < 0 ? 0 : batchnorm_;
					relu[row * N + (n0 + j)] = relu_;
				}
			}
		}
	}
}

/* relu(((conv(x, w) + conv) + bias))
 * residual.net:7,28
 * of 4 sizes: 256x56x56x256, 256x28x28x512, 256x14x14x1024, 256x7x7x2048 */
static void conv_add_bias_relu(const NnrConvShape *shape, int64_t M, int64_t N, int64_t m0_step, int64_t size, const float *restrict x, const float *restrict w, float *restrict conv, const float *restrict bias)
{
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < M; m0 += m0_step) {
		for (int64_t n0 = 0; n0 < N; n0 += 256) {
			float t[NNR_BLOCK_ROWS(252) * 256] __attribute__((aligned(64)));
			nnr_conv_fprop_block_f32(m0_step, 256, shape, 0, x, w, 0, size, m0, n0, t);
			const int64_t rows = M - m0 < m0_step ? M - m0 : m0_step;
			const int64_t columns = N - n0 < 256 ? N - n0 : 256;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float add_ = (t[i * 256 + j] + conv[row * N + (n0 + j)]) + bias[n0 + j];
					const float relu_ = add_ < 0 ? 0 : add_;
					conv[row * N + (n0 + j)] = relu_;
				}
			}
		}
	}
}

/* relu(((conv(x, w) + bias) + relu))
 * residual.net:7,9,28
 * of 4 sizes: 256x56x56x256, 256x28x28x512, 256x14x14x1024, 256x7x7x2048 */
static void conv_bias_add_relu(const NnrConvShape *shape, int64_t M, int64_t N, int64_t m0_step, int64_t size, const float *restrict x, const float *restrict w, const float *restrict bias, float *restrict relu)
{
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < M; m0 += m0_step) {
		for (int64_t n0 = 0; n0 < N; n0 += 256) {
			float t[NNR_BLOCK_ROWS(252) * 256] __attribute__((aligned(64)));
			nnr_conv_fprop_block_f32(m0_step, 256, shape, 0, x, w, 0, size, m0, n0, t);
			const int64_t rows = M - m0 < m0_step ? M - m0 : m0_step;
			const int64_t columns = N - n0 < 256 ? N - n0 : 256;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float add_ = (t[i * 256 + j] + bias[n0 + j]) + relu[row * N + (n0 + j)];
					const float relu_ = add_ < 0 ? 0 : add_;
					relu[row * N + (n0 + j)] = relu_;
				}
			}
		}
	}
}

/* (sum(relu(((conv + bias) + relu))) * 0.0204082)
 * residual.net:9,28 resnet.net:12
 * [256,2048]  103.3 MFLOP  207.6 MB */
static void bias_add_relu_avgpool_256x49x2048(const float *restrict conv, const float *restrict bias, const float *restrict relu, float *restrict avgpool)
{
	#pragma omp parallel for
	for (int64_t i0 = 0; i0 < 256; i0++) {
		float sum[2048];
		#pragma omp simd
		for (int64_t i2 = 0; i2 < 2048; i2++) {
			sum[i2] = 0;
		}
		for (int64_t i1 = 0; i1 < 49; i1++) {
			#pragma omp simd
			for (int64_t i2 = 0; i2 < 2048; i2++) {
				const float add_ = (conv[i0 * 100352 + i1 * 2048 + i2] + bias[i2]) + relu[i0 * 100352 + i1 * 2048 + i2];
				sum[i2] += add_ < 0 ? 0 : add_;
			}
		}
		#pragma omp simd
		for (int64_t i2 = 0; i2 < 2048; i2++) {
			const float avgpool_ = sum[i2]*0.020408163f;
			avgpool[i0 * 2048 + i2] = avgpool_;
		}
	}
}

/* cross_entropy_top1
 * resnet.net:14,15
 * [256]  6.7 MFLOP  1.0 MB */
static void cross_entropy_top1_256x1000(const float *restrict dense, const int32_t *restrict label, float *restrict cross_entropy, float *restrict is_right)
{
	#pragma omp parallel for
	for (int64_t i0 = 0; i0 < 256; i0++) {
		float max_ = -INFINITY;
		float own_score = 0;
		#pragma omp simd reduction(+ : own_score) reduction(max : max_)
		for (int64_t i1 = 0; i1 < 1000; i1++) {
			max_ = nnr_maxf(max_, dense[i0 * 1000 + i1]);
			own_score += label[i0] == i1 ? dense[i0 * 1000 + i1] : 0.0f;
		}
		float exp_sum = 0;
		float rank = 0;
		#pragma omp simd reduction(+ : exp_sum, rank)
		for (int64_t i1 = 0; i1 < 1000; i1++) {
			const float outranks_ = dense[i0 * 1000 + i1] < own_score || (dense[i0 * 1000 + i1] == own_score && i1 >= label[i0]) ? 0 : 1;
			exp_sum += nnr_expf(dense[i0 * 1000 + i1] - max_);
			rank += outranks_;
		}
		const float log_ = nnr_logf(exp_sum);
		const float is_right_ = rank < 1.0f ? 1 : 0;
		is_right[i0] = is_right_;
		float cross_entropy_2 = 0;
		#pragma omp simd reduction(+ : cross_entropy_2)
		for (int64_t i1 = 0; i1 < 1000; i1++) {
			const float one_hot_ = label[i0] == i1 ? 1 : 0;
			const float weighed_cost_ = one_hot_ != 0 ? (one_hot_*(log_ - (dense[i0 * 1000 + i1] - max_))) : 0.0f;
			cross_entropy_2 += weighed_cost_;
		}
		cross_entropy[i0] = cross_entropy_2;
	}
}

/* One training step: 374 steps, 6.3 TFLOP, 176.8 GB moved, arena 21.7 GB (lower bound 21.7 GB, at step 168) */
/* 11 calls, 4 times: bottleneck, bottleneck_4, bottleneck_8, bottleneck_14 */
struct bottleneck_forward {
	int step;
	const NnrConvShape *shape, *shape_2, *shape_3, *shape_4;
	int64_t rows, channels, m0_step, n0_step, channels_2, rows_2, m0_step_2, depth, channels_3;
	size_t x, conv_bn_conv_weight, conv, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, mean, rstd,
	        scale, partial, conv_bn_batchnorm_bias, relu, conv_bn_2_conv_weight, conv_2, conv_bn_2_batchnorm_running_mean,
	        conv_bn_2_batchnorm_running_var, conv_bn_2_batchnorm_weight, mean_2, rstd_2, scale_2, partial_2, conv_bn_2_batchnorm_bias, relu_2,
	        conv_bn_3_conv_weight, conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight, mean_3,
	        rstd_3, scale_3, partial_3, conv_bn_4_conv_weight, conv_bn_4_batchnorm_running_mean, conv_bn_4_batchnorm_running_var,
	        conv_bn_4_batchnorm_weight, mean_4, rstd_4, scale_4, partial_4, conv_bn_3_batchnorm_bias, conv_bn_4_batchnorm_bias;
	float factor, factor_2;
};
static const struct bottleneck_forward bottleneck_forward_at[4] = {
	/* bottleneck */ {6, &conv_256x56x56x64_shape, &conv_256x56x56x64_2_shape, &conv_256x56x56x256_shape, &conv_256x56x56x256_shape,
	        802816, 64, 252, 64, 64, 802816, 252, 576, 256, 12331253760, 37632, 12536774656, 512, 768, 102012160, 21709999040, 21709999296,
	        21709999552, 1644167168, 102012416, 12742295552, 54016, 12947816448, 1024, 1280, 102012672, 21709999808, 21710000064, 21710000320,
	        1644167168, 102012928, 13153337344, 201472, 1536, 2560, 102013184, 21709936832, 21709937856, 21709938880, 2466250752, 267008, 3584,
	        4608, 102015232, 21709939904, 21709940928, 21709941952, 3288334336, 102014208, 102016256, 1.0000012f, 1.0000012f},
	/* bottleneck_4 */ {35, &conv_256x56x56x128_shape, &conv_256x28x28x128_shape, &conv_256x28x28x512_shape,
	        &conv_256x28x28x512_2_shape, 802816, 128, 252, 128, 256, 200704, 252, 1152, 512, 6576668672, 889600, 7398752256, 11776, 12288,
	        102023424, 21709985984, 21709986496, 21709987008, 7809794048, 102023936, 7809794048, 1020672, 18034458624, 12800, 13312, 102024448,
	        21709987520, 21709988032, 21709988544, 8220835840, 102024960, 18137219072, 1610496, 13824, 15872, 102025472, 21709869248,
	        21709871296, 21709873344, 8631877632, 1872640, 17920, 19968, 102029568, 21709875392, 21709877440, 21709879488, 9042919424,
	        102027520, 102031616, 1.0000012f, 1.000005f},
	/* bottleneck_8 */ {73, &conv_256x28x28x256_shape, &conv_256x14x14x256_shape, &conv_256x14x14x1024_shape,
	        &conv_256x14x14x1024_2_shape, 200704, 256, 252, 256, 512, 50176, 251, 2304, 1024, 11509170176, 5739264, 11920211968, 40448, 41472,
	        102052096, 21709949120, 21709950144, 21709951168, 12125732864, 102053120, 12125732864, 6263552, 20294656192, 42496, 43520,
	        102054144, 21709952192, 21709953216, 21709954240, 15003025408, 102055168, 20346036416, 8622848, 44544, 48640, 102056192,
	        21709783232, 21709787328, 21709791424, 15208546304, 9671424, 52736, 56832, 102064384, 21709795520, 21709799616, 21709803712,
	        15414067200, 102060288, 102068480, 1.000005f, 1.0000199f},
	/* bottleneck_14 */ {129, &conv_256x14x14x512_shape, &conv_256x7x7x512_shape, &conv_256x7x7x2048_shape, &conv_256x7x7x2048_2_shape,
	        50176, 512, 251, 256, 1024, 12544, 251, 4608, 2048, 17469276160, 34050816, 17674797056, 122368, 124416, 102134016, 21709899968,
	        21709902016, 21709904064, 17777557504, 102136064, 17777557504, 36147968, 21425021120, 126464, 128512, 102138112, 21709906112,
	        21709908160, 21709910208, 19473104896, 102140160, 21450711232, 45585152, 130560, 138752, 102142208, 21709709504, 21709717696,
	        21709725888, 19575865344, 49779456, 146944, 155136, 102158592, 21709734080, 21709742272, 21709750464, 19678625792, 102150400,
	        102166784, 1.0000199f, 1.0000797f},
};
static void bottleneck_forward(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_forward *const at = &bottleneck_forward_at[i];
	nnr_step(at->step); /* residual.net:7  conv(x, conv_bn_conv_weight) */
	float *const x = (float *)(m->arena + at->x);
	float *const conv_bn_conv_weight = (float *)(m->params + at->conv_bn_conv_weight);
	float *const conv = (float *)(m->arena + at->conv);
	conv_any_size(at->shape, at->rows, at->channels, at->m0_step, at->n0_step, at->channels_2, x, conv_bn_conv_weight, conv);
	nnr_step(at->step + 1); /* residual.net:9  batchnorm_statistics of conv_bn */
	float *const first_place = (float *)(m->arena + at->conv);
	float *const conv_bn_batchnorm_running_mean = (float *)(m->state + at->conv_bn_batchnorm_running_mean);
	float *const conv_bn_batchnorm_running_var = (float *)(m->state + at->conv_bn_batchnorm_running_var);
	float *const conv_bn_batchnorm_weight = (float *)(m->params + at->conv_bn_batchnorm_weight);
	float *const mean = (float *)(m->arena + at->mean);
	float *const rstd = (float *)(m->arena + at->rstd);
	float *const scale = (float *)(m->arena + at->scale);
	float *const partial = (float *)(m->arena + at->partial);
	batchnorm_statistics(at->channels, at->rows, at->factor, conv, first_place, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, mean, rstd, scale, partial);
	nnr_step(at->step + 2); /* residual.net:9,23  relu((((conv - mean) * scale) + conv_bn_batchnorm_bias)) */
	float *const conv_bn_batchnorm_bias = (float *)(m->params + at->conv_bn_batchnorm_bias);
	float *const relu = (float *)(m->arena + at->relu);
	batchnorm_relu(at->rows, at->channels, conv, mean, scale, conv_bn_batchnorm_bias, relu);
	nnr_step(at->step + 3); /* residual.net:7  conv(relu, conv_bn_2_conv_weight) */
	float *const conv_bn_2_conv_weight = (float *)(m->params + at->conv_bn_2_conv_weight);
	float *const conv_2 = (float *)(m->arena + at->conv_2);
	conv_any_size(at->shape_2, at->rows_2, at->channels, at->m0_step_2, at->n0_step, at->depth, relu, conv_bn_2_conv_weight, conv_2);
	nnr_step(at->step + 4); /* residual.net:9  batchnorm_statistics of conv_bn_2 */
	float *const first_place_2 = (float *)(m->arena + at->conv_2);
	float *const conv_bn_2_batchnorm_running_mean = (float *)(m->state + at->conv_bn_2_batchnorm_running_mean);
	float *const conv_bn_2_batchnorm_running_var = (float *)(m->state + at->conv_bn_2_batchnorm_running_var);
	float *const conv_bn_2_batchnorm_weight = (float *)(m->params + at->conv_bn_2_batchnorm_weight);
	float *const mean_2 = (float *)(m->arena + at->mean_2);
	float *const rstd_2 = (float *)(m->arena + at->rstd_2);
	float *const scale_2 = (float *)(m->arena + at->scale_2);
	float *const partial_2 = (float *)(m->arena + at->partial_2);
	batchnorm_statistics(at->channels, at->rows_2, at->factor_2, conv_2, first_place_2, conv_bn_2_batchnorm_running_mean, conv_bn_2_batchnorm_running_var, conv_bn_2_batchnorm_weight, mean_2, rstd_2, scale_2, partial_2);
	nnr_step(at->step + 5); /* residual.net:9,24  relu((((conv_2 - mean_2) * scale_2) + conv_bn_2_batchnorm_bias)) */
	float *const conv_bn_2_batchnorm_bias = (float *)(m->params + at->conv_bn_2_batchnorm_bias);
	float *const relu_2 = (float *)(m->arena + at->relu_2);
	batchnorm_relu(at->rows_2, at->channels, conv_2, mean_2, scale_2, conv_bn_2_batchnorm_bias, relu_2);
	nnr_step(at->step + 6); /* residual.net:7  conv(relu_2, conv_bn_3_conv_weight) */
	float *const conv_bn_3_conv_weight = (float *)(m->params + at->conv_bn_3_conv_weight);
	float *const conv_3 = (float *)(m->arena + at->partial_2);
	conv_any_size(at->shape_3, at->rows_2, at->channels_3, at->m0_step_2, 256, at->channels, relu_2, conv_bn_3_conv_weight, conv_3);
	nnr_step(at->step + 7); /* residual.net:9  batchnorm_statistics of conv_bn_3 */
	float *const first_place_3 = (float *)(m->arena + at->partial_2);
	float *const conv_bn_3_batchnorm_running_mean = (float *)(m->state + at->conv_bn_3_batchnorm_running_mean);
	float *const conv_bn_3_batchnorm_running_var = (float *)(m->state + at->conv_bn_3_batchnorm_running_var);
	float *const conv_bn_3_batchnorm_weight = (float *)(m->params + at->conv_bn_3_batchnorm_weight);
	float *const mean_3 = (float *)(m->arena + at->mean_3);
	float *const rstd_3 = (float *)(m->arena + at->rstd_3);
	float *const scale_3 = (float *)(m->arena + at->scale_3);
	float *const partial_3 = (float *)(m->arena + at->partial_3);
	batchnorm_statistics(at->channels_3, at->rows_2, at->factor_2, conv_3, first_place_3, conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight, mean_3, rstd_3, scale_3, partial_3);
	nnr_step(at->step + 8); /* residual.net:7  conv(x, conv_bn_4_conv_weight) */
	float *const conv_bn_4_conv_weight = (float *)(m->params + at->conv_bn_4_conv_weight);
	float *const conv_4 = (float *)(m->arena + at->partial_3);
	conv_any_size(at->shape_4, at->rows_2, at->channels_3, at->m0_step_2, 256, at->channels_2, x, conv_bn_4_conv_weight, conv_4);
	nnr_step(at->step + 9); /* residual.net:9  batchnorm_statistics of conv_bn_4 */
	float *const first_place_4 = (float *)(m->arena + at->partial_3);
	float *const conv_bn_4_batchnorm_running_mean = (float *)(m->state + at->conv_bn_4_batchnorm_running_mean);
	float *const conv_bn_4_batchnorm_running_var = (float *)(m->state + at->conv_bn_4_batchnorm_running_var);
	float *const conv_bn_4_batchnorm_weight = (float *)(m->params + at->conv_bn_4_batchnorm_weight);
	float *const mean_4 = (float *)(m->arena + at->mean_4);
	float *const rstd_4 = (float *)(m->arena + at->rstd_4);
	float *const scale_4 = (float *)(m->arena + at->scale_4);
	float *const partial_4 = (float *)(m->arena + at->partial_4);
	batchnorm_statistics(at->channels_3, at->rows_2, at->factor_2, conv_4, first_place_4, conv_bn_4_batchnorm_running_mean, conv_bn_4_batchnorm_running_var, conv_bn_4_batchnorm_weight, mean_4, rstd_4, scale_4, partial_4);
	nnr_step(at->step + 10); /* residual.net:9,28  relu(((((conv_3 - mean_3) * scale_3) + conv_bn_3_batchnorm_bias) + (((conv_4 - mean_4) *
	 *    scale_4) + conv_bn_4_batchnorm_bias))) */
	float *const conv_bn_3_batchnorm_bias = (float *)(m->params + at->conv_bn_3_batchnorm_bias);
	float *const conv_bn_4_batchnorm_bias = (float *)(m->params + at->conv_bn_4_batchnorm_bias);
	float *const x_2 = (float *)(m->arena + at->partial_4);
	batchnorm_add_relu(at->rows_2, at->channels_3, conv_3, mean_3, scale_3, conv_bn_3_batchnorm_bias, conv_4, mean_4, scale_4, conv_bn_4_batchnorm_bias, x_2);
}

/* 9 calls, 11 times: bottleneck_2, bottleneck_3, bottleneck_5, bottleneck_6, bottleneck_7, bottleneck_9 ... */
struct bottleneck_forward_2 {
	int step;
	const NnrConvShape *shape, *shape_2, *shape_3;
	int64_t rows, channels, m0_step, n0_step, channels_2, depth;
	size_t x, conv_bn_conv_weight, conv, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, mean, rstd,
	        scale, partial, conv_bn_batchnorm_bias, relu, conv_bn_2_conv_weight, conv_2, conv_bn_2_batchnorm_running_mean,
	        conv_bn_2_batchnorm_running_var, conv_bn_2_batchnorm_weight, mean_2, rstd_2, scale_2, conv_bn_2_batchnorm_bias, relu_2,
	        conv_bn_3_conv_weight, conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight, mean_3,
	        rstd_3, scale_3, partial_3, conv_bn_3_batchnorm_bias;
	float factor;
};
static const struct bottleneck_forward_2 bottleneck_forward_2_at[11] = {
	/* bottleneck_2 */ {17, &conv_256x56x56x64_3_shape, &conv_256x56x56x64_2_shape, &conv_256x56x56x256_shape, 802816, 64, 252, 64, 256,
	        576, 3288334336, 332544, 13358858240, 5632, 5888, 102017280, 21710000576, 21710000832, 21710001088, 4110417920, 102017536,
	        13564379136, 398080, 13769900032, 6144, 6400, 102017792, 21710001344, 21710001600, 21710001856, 102018048, 13975420928, 545536,
	        6656, 7680, 102018304, 21709942976, 21709944000, 21709945024, 4932501504, 102019328, 1.0000012f},
	/* bottleneck_3 */ {26, &conv_256x56x56x64_3_shape, &conv_256x56x56x64_2_shape, &conv_256x56x56x256_shape, 802816, 64, 252, 64, 256,
	        576, 4932501504, 611072, 14180941824, 8704, 8960, 102020352, 21710002112, 21710002368, 21710002624, 5754585088, 102020608,
	        14386462720, 676608, 14591983616, 9216, 9472, 102020864, 21710002880, 21710003136, 21710003392, 102021120, 14797504512, 824064,
	        9728, 10752, 102021376, 21709946048, 21709947072, 21709948096, 6576668672, 102022400, 1.0000012f},
	/* bottleneck_5 */ {46, &conv_256x28x28x128_2_shape, &conv_256x28x28x128_3_shape, &conv_256x28x28x512_shape, 200704, 128, 252, 128,
	        512, 1152, 9042919424, 2396928, 18239979520, 22016, 22528, 102033664, 21709989056, 21709989568, 21709990080, 9453961216, 102034176,
	        18342739968, 2659072, 18445500416, 23040, 23552, 102034688, 21709990592, 21709991104, 21709991616, 102035200, 18548260864, 3248896,
	        24064, 26112, 102035712, 21709881536, 21709883584, 21709885632, 9865003008, 102037760, 1.000005f},
	/* bottleneck_6 */ {55, &conv_256x28x28x128_2_shape, &conv_256x28x28x128_3_shape, &conv_256x28x28x512_shape, 200704, 128, 252, 128,
	        512, 1152, 9865003008, 3511040, 18651021312, 28160, 28672, 102039808, 21709992128, 21709992640, 21709993152, 10276044800, 102040320,
	        18753781760, 3773184, 18856542208, 29184, 29696, 102040832, 21709993664, 21709994176, 21709994688, 102041344, 18959302656, 4363008,
	        30208, 32256, 102041856, 21709887680, 21709889728, 21709891776, 10687086592, 102043904, 1.000005f},
	/* bottleneck_7 */ {64, &conv_256x28x28x128_2_shape, &conv_256x28x28x128_3_shape, &conv_256x28x28x512_shape, 200704, 128, 252, 128,
	        512, 1152, 10687086592, 4625152, 19062063104, 34304, 34816, 102045952, 21709995200, 21709995712, 21709996224, 11098128384,
	        102046464, 19164823552, 4887296, 19267584000, 35328, 35840, 102046976, 21709996736, 21709997248, 21709997760, 102047488,
	        19370344448, 5477120, 36352, 38400, 102048000, 21709893824, 21709895872, 21709897920, 11509170176, 102050048, 1.000005f},
	/* bottleneck_9 */ {84, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape, 50176, 256, 251, 256,
	        1024, 2304, 15414067200, 11768576, 20397416640, 60928, 61952, 102072576, 21709955264, 21709956288, 21709957312, 15619588096,
	        102073600, 20448796864, 12817152, 20500177088, 62976, 64000, 102074624, 21709958336, 21709959360, 21709960384, 102075648,
	        20551557312, 15176448, 65024, 69120, 102076672, 21709807808, 21709811904, 21709816000, 15825108992, 102080768, 1.0000199f},
	/* bottleneck_10 */ {93, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape, 50176, 256, 251, 256,
	        1024, 2304, 15825108992, 16225024, 20602937536, 73216, 74240, 102084864, 21709961408, 21709962432, 21709963456, 16030629888,
	        102085888, 20654317760, 17273600, 20705697984, 75264, 76288, 102086912, 21709964480, 21709965504, 21709966528, 102087936,
	        20757078208, 19632896, 77312, 81408, 102088960, 21709820096, 21709824192, 21709828288, 16236150784, 102093056, 1.0000199f},
	/* bottleneck_11 */ {102, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape, 50176, 256, 251,
	        256, 1024, 2304, 16236150784, 20681472, 20808458432, 85504, 86528, 102097152, 21709967552, 21709968576, 21709969600, 16441671680,
	        102098176, 20859838656, 21730048, 20911218880, 87552, 88576, 102099200, 21709970624, 21709971648, 21709972672, 102100224,
	        20962599104, 24089344, 89600, 93696, 102101248, 21709832384, 21709836480, 21709840576, 16647192576, 102105344, 1.0000199f},
	/* bottleneck_12 */ {111, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape, 50176, 256, 251,
	        256, 1024, 2304, 16647192576, 25137920, 21013979328, 97792, 98816, 102109440, 21709973696, 21709974720, 21709975744, 16852713472,
	        102110464, 21065359552, 26186496, 21116739776, 99840, 100864, 102111488, 21709976768, 21709977792, 21709978816, 102112512,
	        21168120000, 28545792, 101888, 105984, 102113536, 21709844672, 21709848768, 21709852864, 17058234368, 102117632, 1.0000199f},
	/* bottleneck_13 */ {120, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape, 50176, 256, 251,
	        256, 1024, 2304, 17058234368, 29594368, 21219500224, 110080, 111104, 102121728, 21709979840, 21709980864, 21709981888, 17263755264,
	        102122752, 21270880448, 30642944, 21322260672, 112128, 113152, 102123776, 21709982912, 21709983936, 21709984960, 102124800,
	        21373640896, 33002240, 114176, 118272, 102125824, 21709856960, 21709861056, 21709865152, 17469276160, 102129920, 1.0000199f},
	/* bottleneck_15 */ {140, &conv_256x7x7x512_2_shape, &conv_256x7x7x512_3_shape, &conv_256x7x7x2048_shape, 12544, 512, 251, 256,
	        2048, 4608, 19678625792, 58168064, 21476401344, 163328, 165376, 102174976, 21709912256, 21709914304, 21709916352, 19781386240,
	        102177024, 21502091456, 62362368, 21527781568, 167424, 169472, 102179072, 21709918400, 21709920448, 21709922496, 102181120,
	        21553471680, 71799552, 171520, 179712, 102183168, 21709758656, 21709766848, 21709775040, 19884146688, 102191360, 1.0000797f},
};
static void bottleneck_forward_2(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_forward_2 *const at = &bottleneck_forward_2_at[i];
	nnr_step(at->step); /* residual.net:7  conv(x, conv_bn_conv_weight) */
	float *const x = (float *)(m->arena + at->x);
	float *const conv_bn_conv_weight = (float *)(m->params + at->conv_bn_conv_weight);
	float *const conv = (float *)(m->arena + at->conv);
	conv_any_size(at->shape, at->rows, at->channels, at->m0_step, at->n0_step, at->channels_2, x, conv_bn_conv_weight, conv);
	nnr_step(at->step + 1); /* residual.net:9  batchnorm_statistics of conv_bn */
	float *const first_place = (float *)(m->arena + at->conv);
	float *const conv_bn_batchnorm_running_mean = (float *)(m->state + at->conv_bn_batchnorm_running_mean);
	float *const conv_bn_batchnorm_running_var = (float *)(m->state + at->conv_bn_batchnorm_running_var);
	float *const conv_bn_batchnorm_weight = (float *)(m->params + at->conv_bn_batchnorm_weight);
	float *const mean = (float *)(m->arena + at->mean);
	float *const rstd = (float *)(m->arena + at->rstd);
	float *const scale = (float *)(m->arena + at->scale);
	float *const partial = (float *)(m->arena + at->partial);
	batchnorm_statistics(at->channels, at->rows, at->factor, conv, first_place, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, mean, rstd, scale, partial);
	nnr_step(at->step + 2); /* residual.net:9,23  relu((((conv - mean) * scale) + conv_bn_batchnorm_bias)) */
	float *const conv_bn_batchnorm_bias = (float *)(m->params + at->conv_bn_batchnorm_bias);
	float *const relu = (float *)(m->arena + at->relu);
	batchnorm_relu(at->rows, at->channels, conv, mean, scale, conv_bn_batchnorm_bias, relu);
	nnr_step(at->step + 3); /* residual.net:7  conv(relu, conv_bn_2_conv_weight) */
	float *const conv_bn_2_conv_weight = (float *)(m->params + at->conv_bn_2_conv_weight);
	float *const conv_2 = (float *)(m->arena + at->conv_2);
	conv_any_size(at->shape_2, at->rows, at->channels, at->m0_step, at->n0_step, at->depth, relu, conv_bn_2_conv_weight, conv_2);
	nnr_step(at->step + 4); /* residual.net:9  batchnorm_statistics of conv_bn_2 */
	float *const first_place_2 = (float *)(m->arena + at->conv_2);
	float *const conv_bn_2_batchnorm_running_mean = (float *)(m->state + at->conv_bn_2_batchnorm_running_mean);
	float *const conv_bn_2_batchnorm_running_var = (float *)(m->state + at->conv_bn_2_batchnorm_running_var);
	float *const conv_bn_2_batchnorm_weight = (float *)(m->params + at->conv_bn_2_batchnorm_weight);
	float *const mean_2 = (float *)(m->arena + at->mean_2);
	float *const rstd_2 = (float *)(m->arena + at->rstd_2);
	float *const scale_2 = (float *)(m->arena + at->scale_2);
	float *const partial_2 = (float *)(m->arena + at->partial);
	batchnorm_statistics(at->channels, at->rows, at->factor, conv_2, first_place_2, conv_bn_2_batchnorm_running_mean, conv_bn_2_batchnorm_running_var, conv_bn_2_batchnorm_weight, mean_2, rstd_2, scale_2, partial_2);
	nnr_step(at->step + 5); /* residual.net:9,24  relu((((conv_2 - mean_2) * scale_2) + conv_bn_2_batchnorm_bias)) */
	float *const conv_bn_2_batchnorm_bias = (float *)(m->params + at->conv_bn_2_batchnorm_bias);
	float *const relu_2 = (float *)(m->arena + at->relu_2);
	batchnorm_relu(at->rows, at->channels, conv_2, mean_2, scale_2, conv_bn_2_batchnorm_bias, relu_2);
	nnr_step(at->step + 6); /* residual.net:7  conv(relu_2, conv_bn_3_conv_weight) */
	float *const conv_bn_3_conv_weight = (float *)(m->params + at->conv_bn_3_conv_weight);
	float *const conv_3 = (float *)(m->arena + at->partial);
	conv_any_size(at->shape_3, at->rows, at->channels_2, at->m0_step, 256, at->channels, relu_2, conv_bn_3_conv_weight, conv_3);
	nnr_step(at->step + 7); /* residual.net:9  batchnorm_statistics of conv_bn_3 */
	float *const first_place_3 = (float *)(m->arena + at->partial);
	float *const conv_bn_3_batchnorm_running_mean = (float *)(m->state + at->conv_bn_3_batchnorm_running_mean);
	float *const conv_bn_3_batchnorm_running_var = (float *)(m->state + at->conv_bn_3_batchnorm_running_var);
	float *const conv_bn_3_batchnorm_weight = (float *)(m->params + at->conv_bn_3_batchnorm_weight);
	float *const mean_3 = (float *)(m->arena + at->mean_3);
	float *const rstd_3 = (float *)(m->arena + at->rstd_3);
	float *const scale_3 = (float *)(m->arena + at->scale_3);
	float *const partial_3 = (float *)(m->arena + at->partial_3);
	batchnorm_statistics(at->channels_2, at->rows, at->factor, conv_3, first_place_3, conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight, mean_3, rstd_3, scale_3, partial_3);
	nnr_step(at->step + 8); /* residual.net:9,28  relu(((((conv_3 - mean_3) * scale_3) + conv_bn_3_batchnorm_bias) + x)) */
	float *const conv_bn_3_batchnorm_bias = (float *)(m->params + at->conv_bn_3_batchnorm_bias);
	float *const x_2 = (float *)(m->arena + at->partial_3);
	batchnorm_add_relu_2(at->rows, at->channels_2, conv_3, mean_3, scale_3, conv_bn_3_batchnorm_bias, x, x_2);
}

/* 12 calls, 6 times: bottleneck_15, bottleneck_13, bottleneck_12, bottleneck_11, bottleneck_10, bottleneck_9 */
struct bottleneck_backward {
	int step;
	int64_t channels, rows, channels_2, m0_step, n0_step, depth, m0_step_2, n0_step_2;
	size_t dy, conv, mean, scale, rstd, centred_scale, shift, conv_bn_3_batchnorm_dweight, conv_bn_3_batchnorm_dbias, partial,
	        conv_bn_3_conv_weight, relu, conv_bn_3_conv_dweight, mean_2, scale_2, rstd_2, centred_scale_2, shift_2, conv_bn_2_batchnorm_dweight,
	        conv_bn_2_batchnorm_dbias, conv_bn_2_conv_weight, relu_2, conv_bn_2_conv_dweight, conv_3, mean_3, scale_3, rstd_3, centred_scale_3,
	        shift_3, conv_bn_batchnorm_dweight, conv_bn_batchnorm_dbias, partial_3, conv_bn_conv_weight, x, conv_bn_conv_dweight;
	const NnrConvShape *shape, *shape_2, *shape_3;
};
static const struct bottleneck_backward bottleneck_backward_at[6] = {
	/* bottleneck_15 */ {178, 2048, 12544, 512, 228, 256, 4608, 171, 256, 20089667584, 19781386240, 21709758656, 21709775040,
	        21709766848, 19886243840, 19886252032, 20294611200, 20294619392, 19884146688, 71799552, 21553471680, 20264227584, 21709918400,
	        21709922496, 21709920448, 19781910528, 19781912576, 20294607104, 20294609152, 62362368, 21502091456, 20254790400, 21476401344,
	        21709912256, 21709916352, 21709914304, 19807600640, 19807602688, 20294603008, 20294605056, 19807076352, 58168064, 19678625792,
	        20250596096, &conv_256x7x7x2048_shape, &conv_256x7x7x512_3_shape, &conv_256x7x7x512_2_shape},
	/* bottleneck_13 */ {205, 1024, 50176, 256, 205, 64, 2304, 128, 128, 17674797056, 17263755264, 21709856960, 21709865152,
	        21709861056, 17470324736, 17470328832, 20294553856, 20294557952, 17469276160, 33002240, 21373640896, 20225430272, 21709982912,
	        21709984960, 21709983936, 17264017408, 17264018432, 20294551808, 20294552832, 30642944, 21270880448, 20223070976, 21219500224,
	        21709979840, 21709981888, 21709980864, 17315397632, 17315398656, 20294549760, 20294550784, 17315135488, 29594368, 17058234368,
	        20222022400, &conv_256x14x14x1024_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x256_2_shape},
	/* bottleneck_12 */ {217, 1024, 50176, 256, 205, 64, 2304, 128, 128, 17674797056, 16852713472, 21709844672, 21709852864,
	        21709848768, 17059282944, 17059287040, 20294541568, 20294545664, 17058234368, 28545792, 21168120000, 20220973824, 21709976768,
	        21709978816, 21709977792, 16852975616, 16852976640, 20294539520, 20294540544, 26186496, 21065359552, 20218614528, 21013979328,
	        21709973696, 21709975744, 21709974720, 16904355840, 16904356864, 20294537472, 20294538496, 16904093696, 25137920, 16647192576,
	        20217565952, &conv_256x14x14x1024_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x256_2_shape},
	/* bottleneck_11 */ {229, 1024, 50176, 256, 205, 64, 2304, 128, 128, 17674797056, 16441671680, 21709832384, 21709840576,
	        21709836480, 16648241152, 16648245248, 20294529280, 20294533376, 16647192576, 24089344, 20962599104, 20216517376, 21709970624,
	        21709972672, 21709971648, 16441933824, 16441934848, 20294527232, 20294528256, 21730048, 20859838656, 20214158080, 20808458432,
	        21709967552, 21709969600, 21709968576, 16493314048, 16493315072, 20294525184, 20294526208, 16493051904, 20681472, 16236150784,
	        20213109504, &conv_256x14x14x1024_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x256_2_shape},
	/* bottleneck_10 */ {241, 1024, 50176, 256, 205, 64, 2304, 128, 128, 17674797056, 16030629888, 21709820096, 21709828288,
	        21709824192, 16237199360, 16237203456, 20294516992, 20294521088, 16236150784, 19632896, 20757078208, 20212060928, 21709964480,
	        21709966528, 21709965504, 16030892032, 16030893056, 20294514944, 20294515968, 17273600, 20654317760, 20209701632, 20602937536,
	        21709961408, 21709963456, 21709962432, 16082272256, 16082273280, 20294512896, 20294513920, 16082010112, 16225024, 15825108992,
	        20208653056, &conv_256x14x14x1024_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x256_2_shape},
	/* bottleneck_9 */ {253, 1024, 50176, 256, 205, 64, 2304, 128, 128, 17674797056, 15619588096, 21709807808, 21709816000, 21709811904,
	        15826157568, 15826161664, 20294504704, 20294508800, 15825108992, 15176448, 20551557312, 20207604480, 21709958336, 21709960384,
	        21709959360, 15619850240, 15619851264, 20294502656, 20294503680, 12817152, 20448796864, 20205245184, 20397416640, 21709955264,
	        21709957312, 21709956288, 15671230464, 15671231488, 20294500608, 20294501632, 15670968320, 11768576, 15414067200, 20204196608,
	        &conv_256x14x14x1024_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x256_2_shape},
};
static void bottleneck_backward(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_backward *const at = &bottleneck_backward_at[i];
	nnr_step(at->step); /* residual.net:9  batchnorm_backward_sums of conv_bn_3 */
	float *const dy = (float *)(m->arena + at->dy);
	float *const conv = (float *)(m->arena + at->conv);
	float *const mean = (float *)(m->arena + at->mean);
	float *const scale = (float *)(m->arena + at->scale);
	float *const rstd = (float *)(m->arena + at->rstd);
	float *const centred_scale = (float *)(m->arena + at->centred_scale);
	float *const shift = (float *)(m->arena + at->shift);
	float *const conv_bn_3_batchnorm_dweight = (float *)(m->arena + at->conv_bn_3_batchnorm_dweight);
	float *const conv_bn_3_batchnorm_dbias = (float *)(m->arena + at->conv_bn_3_batchnorm_dbias);
	float *const partial = (float *)(m->arena + at->partial);
	batchnorm_backward_sums(at->channels, at->rows, dy, conv, mean, scale, rstd, centred_scale, shift, conv_bn_3_batchnorm_dweight, conv_bn_3_batchnorm_dbias, partial);
	nnr_step(at->step + 1); /* residual.net:9  (dy * scale) + (((conv - mean) * centred_scale) + shift) */
	batchnorm_backward_2(at->rows, at->channels, dy, scale, conv, mean, centred_scale, shift);
	nnr_step(at->step + 2); /* residual.net:7,24  select((relu > 0), conv_dgrad(dconv, conv_bn_3_conv_weight), 0) */
	float *const dconv = (float *)(m->arena + at->conv);
	float *const conv_bn_3_conv_weight = (float *)(m->params + at->conv_bn_3_conv_weight);
	float *const relu = (float *)(m->arena + at->relu);
	float *const dbatchnorm = (float *)(m->arena + at->partial);
	conv_dgrad_relu_backward(at->shape, at->rows, at->channels_2, 251, 256, dconv, conv_bn_3_conv_weight, relu, dbatchnorm);
	nnr_step(at->step + 3); /* residual.net:7  conv_wgrad(relu, dconv) */
	float *const conv_bn_3_conv_dweight = (float *)(m->arena + at->conv_bn_3_conv_dweight);
	conv_wgrad(at->shape, at->channels, at->channels_2, at->m0_step, at->n0_step, at->rows, at->channels_2, relu, dconv, conv_bn_3_conv_dweight);
	nnr_step(at->step + 4); /* residual.net:9  batchnorm_backward_sums of conv_bn_2 */
	float *const conv_2 = (float *)(m->arena + 21527781568 - i * 205520896);
	float *const mean_2 = (float *)(m->arena + at->mean_2);
	float *const scale_2 = (float *)(m->arena + at->scale_2);
	float *const rstd_2 = (float *)(m->arena + at->rstd_2);
	float *const centred_scale_2 = (float *)(m->arena + at->centred_scale_2);
	float *const shift_2 = (float *)(m->arena + at->shift_2);
	float *const conv_bn_2_batchnorm_dweight = (float *)(m->arena + at->conv_bn_2_batchnorm_dweight);
	float *const conv_bn_2_batchnorm_dbias = (float *)(m->arena + at->conv_bn_2_batchnorm_dbias);
	float *const partial_2 = (float *)(m->arena + at->conv);
	batchnorm_backward_sums(at->channels_2, at->rows, dbatchnorm, conv_2, mean_2, scale_2, rstd_2, centred_scale_2, shift_2, conv_bn_2_batchnorm_dweight, conv_bn_2_batchnorm_dbias, partial_2);
	nnr_step(at->step + 5); /* residual.net:9  (dbatchnorm * scale_2) + (((conv_2 - mean_2) * centred_scale_2) + shift_2) */
	batchnorm_backward(at->rows, at->channels_2, dbatchnorm, scale_2, conv_2, mean_2, centred_scale_2, shift_2);
	nnr_step(at->step + 6); /* residual.net:7,23  select((relu_2 > 0), conv_dgrad(dconv_2, conv_bn_2_conv_weight), 0) */
	float *const dconv_2 = (float *)(m->arena + at->partial);
	float *const conv_bn_2_conv_weight = (float *)(m->params + at->conv_bn_2_conv_weight);
	float *const relu_2 = (float *)(m->arena + at->relu_2);
	float *const dbatchnorm_2 = (float *)(m->arena + at->conv);
	conv_dgrad_relu_backward(at->shape_2, at->rows, at->channels_2, 251, 256, dconv_2, conv_bn_2_conv_weight, relu_2, dbatchnorm_2);
	nnr_step(at->step + 7); /* residual.net:7  conv_wgrad(relu_2, dconv_2) */
	float *const conv_bn_2_conv_dweight = (float *)(m->arena + at->conv_bn_2_conv_dweight);
	conv_wgrad(at->shape_2, at->channels_2, at->depth, at->m0_step_2, 256, at->rows, at->channels_2, relu_2, dconv_2, conv_bn_2_conv_dweight);
	nnr_step(at->step + 8); /* residual.net:9  batchnorm_backward_sums of conv_bn */
	float *const conv_3 = (float *)(m->arena + at->conv_3);
	float *const mean_3 = (float *)(m->arena + at->mean_3);
	float *const scale_3 = (float *)(m->arena + at->scale_3);
	float *const rstd_3 = (float *)(m->arena + at->rstd_3);
	float *const centred_scale_3 = (float *)(m->arena + at->centred_scale_3);
	float *const shift_3 = (float *)(m->arena + at->shift_3);
	float *const conv_bn_batchnorm_dweight = (float *)(m->arena + at->conv_bn_batchnorm_dweight);
	float *const conv_bn_batchnorm_dbias = (float *)(m->arena + at->conv_bn_batchnorm_dbias);
	float *const partial_3 = (float *)(m->arena + at->partial_3);
	batchnorm_backward_sums(at->channels_2, at->rows, dbatchnorm_2, conv_3, mean_3, scale_3, rstd_3, centred_scale_3, shift_3, conv_bn_batchnorm_dweight, conv_bn_batchnorm_dbias, partial_3);
	nnr_step(at->step + 9); /* residual.net:9  (dbatchnorm_2 * scale_3) + (((conv_3 - mean_3) * centred_scale_3) + shift_3) */
	batchnorm_backward(at->rows, at->channels_2, dbatchnorm_2, scale_3, conv_3, mean_3, centred_scale_3, shift_3);
	nnr_step(at->step + 10); /* residual.net:7,28  select((x > 0), (dy + conv_dgrad(dconv_3, conv_bn_conv_weight)), 0) */
	float *const dconv_3 = (float *)(m->arena + at->conv);
	float *const conv_bn_conv_weight = (float *)(m->params + at->conv_bn_conv_weight);
	float *const x = (float *)(m->arena + at->x);
	conv_dgrad_add_backward_relu_backward(at->shape_3, at->rows, at->channels, 251, dconv_3, conv_bn_conv_weight, dy, x);
	nnr_step(at->step + 11); /* residual.net:7  conv_wgrad(x, dconv_3) */
	float *const conv_bn_conv_dweight = (float *)(m->arena + at->conv_bn_conv_dweight);
	conv_wgrad(at->shape_3, at->channels_2, at->channels, at->m0_step_2, at->n0_step_2, at->rows, at->channels, x, dconv_3, conv_bn_conv_dweight);
}

/* 4 calls, 3 times: bottleneck_14.conv_bn_2, bottleneck_8.conv_bn_2, bottleneck_4.conv_bn_2 */
struct conv_bn_backward {
	int step;
	int64_t channels, rows, m0_step, n0_step, depth, m0_step_2, n0_step_2;
	size_t dbatchnorm, conv, mean, scale, rstd, centred_scale, shift, batchnorm_dweight, batchnorm_dbias, partial, conv_weight, relu,
	        conv_dweight;
	const NnrConvShape *shape;
};
static const struct conv_bn_backward conv_bn_backward_at[3] = {
	/* bottleneck_14.conv_bn_2 */ {196, 512, 12544, 251, 256, 4608, 171, 256, 19678625792, 21425021120, 21709906112, 21709910208,
	        21709908160, 19473629184, 19473631232, 20294566144, 20294568192, 19473104896, 36147968, 17777557504, 20228576000,
	        &conv_256x7x7x512_shape},
	/* bottleneck_8.conv_bn_2 */ {271, 256, 50176, 251, 256, 2304, 128, 256, 15414067200, 20294656192, 21709952192, 21709954240,
	        21709953216, 15003287552, 15003288576, 20294482176, 20294483200, 15003025408, 6263552, 12125732864, 20198691584,
	        &conv_256x14x14x256_shape},
	/* bottleneck_4.conv_bn_2 */ {322, 128, 200704, 252, 128, 1152, 128, 64, 9042919424, 18034458624, 21709987520, 21709988544,
	        21709988032, 8220966912, 8220967424, 20294452480, 20294452992, 8220835840, 1020672, 7809794048, 20193448704,
	        &conv_256x28x28x128_shape},
};
static void conv_bn_backward(const NnrMemory *m, int64_t i)
{
	const struct conv_bn_backward *const at = &conv_bn_backward_at[i];
	nnr_step(at->step); /* residual.net:9  batchnorm_backward_sums */
	float *const dbatchnorm = (float *)(m->arena + at->dbatchnorm);
	float *const conv = (float *)(m->arena + at->conv);
	float *const mean = (float *)(m->arena + at->mean);
	float *const scale = (float *)(m->arena + at->scale);
	float *const rstd = (float *)(m->arena + at->rstd);
	float *const centred_scale = (float *)(m->arena + at->centred_scale);
	float *const shift = (float *)(m->arena + at->shift);
	float *const batchnorm_dweight = (float *)(m->arena + at->batchnorm_dweight);
	float *const batchnorm_dbias = (float *)(m->arena + at->batchnorm_dbias);
	float *const partial = (float *)(m->arena + at->partial);
	batchnorm_backward_sums(at->channels, at->rows, dbatchnorm, conv, mean, scale, rstd, centred_scale, shift, batchnorm_dweight, batchnorm_dbias, partial);
	nnr_step(at->step + 1); /* residual.net:9  (dbatchnorm * scale) + (((conv - mean) * centred_scale) + shift) */
	batchnorm_backward(at->rows, at->channels, dbatchnorm, scale, conv, mean, centred_scale, shift);
	nnr_step(at->step + 2); /* residual.net:7,23  select((relu > 0), conv_dgrad(dconv, conv_weight), 0) */
	float *const dconv = (float *)(m->arena + at->dbatchnorm);
	float *const conv_weight = (float *)(m->params + at->conv_weight);
	float *const relu = (float *)(m->arena + at->relu);
	float *const dbatchnorm_2 = (float *)(m->arena + at->partial);
	conv_dgrad_relu_backward_2(at->shape, at->channels, at->m0_step, at->n0_step, dconv, conv_weight, relu, dbatchnorm_2);
	nnr_step(at->step + 3); /* residual.net:7  conv_wgrad(relu, dconv) */
	float *const conv_dweight = (float *)(m->arena + at->conv_dweight);
	conv_wgrad(at->shape, at->channels, at->depth, at->m0_step_2, at->n0_step_2, at->rows, at->channels, relu, dconv, conv_dweight);
}

/* 5 calls, 2 times: bottleneck_8.conv_bn, bottleneck_4.conv_bn */
struct conv_bn_backward_2 {
	int64_t channels, rows, channels_2, m0_step, part_end, n0_step;
	const NnrConvShape *shape, *shape_2;
};
static const struct conv_bn_backward_2 conv_bn_backward_2_at[2] = {
	/* bottleneck_8.conv_bn */ {256, 200704, 512, 251, 2, 160, &conv_256x28x28x256_shape, &conv_256x14x14x1024_2_shape},
	/* bottleneck_4.conv_bn */ {128, 802816, 256, 252, 8, 224, &conv_256x56x56x128_shape, &conv_256x28x28x512_2_shape},
};
static void conv_bn_backward_2(const NnrMemory *m, int64_t i)
{
	const struct conv_bn_backward_2 *const at = &conv_bn_backward_2_at[i];
	nnr_step(275 + i * 51); /* residual.net:9  batchnorm_backward_sums */
	float *const dbatchnorm = (float *)(m->arena + 15003025408 - i * 6782189568);
	float *const conv = (float *)(m->arena + 11920211968 - i * 4521459712);
	float *const mean = (float *)(m->arena + 21709949120 + i * 36864);
	float *const scale = (float *)(m->arena + 21709951168 + i * 35840);
	float *const rstd = (float *)(m->arena + 21709950144 + i * 36352);
	float *const centred_scale = (float *)(m->arena + 12125995008 - i * 4316069888);
	float *const shift = (float *)(m->arena + 12125996032 - i * 4316070400);
	float *const batchnorm_dweight = (float *)(m->arena + 20294480128 - i * 28672);
	float *const batchnorm_dbias = (float *)(m->arena + 20294481152 - i * 29184);
	float *const partial = (float *)(m->arena + 12125732864 - i * 4315938816);
	batchnorm_backward_sums(at->channels, at->rows, dbatchnorm, conv, mean, scale, rstd, centred_scale, shift, batchnorm_dweight, batchnorm_dbias, partial);
	nnr_step(276 + i * 51); /* residual.net:9  (dbatchnorm * scale) + (((conv - mean) * centred_scale) + shift) */
	batchnorm_backward(at->rows, at->channels, dbatchnorm, scale, conv, mean, centred_scale, shift);
	nnr_step(277 + i * 51); /* residual.net:7  conv_dgrad(dconv, conv_weight) */
	float *const dconv = (float *)(m->arena + 15003025408 - i * 6782189568);
	float *const conv_weight = (float *)(m->params + 5739264 - i * 4849664);
	float *const conv_dgrad = (float *)(m->arena + 11920211968 - i * 4521459712);
	conv_dgrad_any_size(at->shape, at->rows, at->channels_2, 252, 256, dconv, conv_weight, conv_dgrad);
	nnr_step(278 + i * 51); /* residual.net:7,28  select((x > 0), (conv_dgrad(dconv_2, bottleneck_8_conv_bn_4_conv_weight) + conv_dgrad), 0) */
	float *const dconv_2 = (float *)(m->arena + 15208546304 - i * 6576668672);
	float *const bottleneck_8_conv_bn_4_conv_weight = (float *)(m->params + 9671424 - i * 7798784);
	float *const x = (float *)(m->arena + 11509170176 - i * 4932501504);
	conv_dgrad_add_backward_relu_backward_2(at->shape_2, at->channels_2, at->m0_step, dconv_2, bottleneck_8_conv_bn_4_conv_weight, conv_dgrad, x);
	nnr_step(279 + i * 51); /* residual.net:7  conv_wgrad(x, dconv) */
	float *const conv_dweight = (float *)(m->arena + 20198167296 - i * 4849664);
	conv_wgrad_2(at->shape, at->part_end, at->channels, at->channels_2, 128, at->n0_step, 100352, at->channels_2, x, dconv, conv_dweight);
}

/* 12 calls, 3 times: bottleneck_7, bottleneck_6, bottleneck_5 */
static void bottleneck_backward_2(const NnrMemory *m, int64_t i)
{
	nnr_step(280 + i * 12); /* residual.net:9  sum(dy); (sum((dy * (conv - mean))) * rstd); (neg(scale) * sum(dy)) * 4.98246e-06;
	 *    (((neg(scale) * rstd) * rstd) * sum((dy * (conv - mean)))) * 4.98246e-06
	 *    [1,1,1,512]  411.0 MFLOP  822.1 MB */
	float *const dy = (float *)(m->arena + 11920211968);                                    // [256,28,28,512]  411.0 MB
	float *const conv = (float *)(m->arena + 11098128384 - i * 822083584);                  // [256,28,28,512]  411.0 MB
	float *const mean = (float *)(m->arena + 21709893824 - i * 6144);                       // [1,1,1,512]  2.0 kB
	float *const scale = (float *)(m->arena + 21709897920 - i * 6144);                      // [1,1,1,512]  2.0 kB
	float *const rstd = (float *)(m->arena + 21709895872 - i * 6144);                       // [1,1,1,512]  2.0 kB
	float *const centred_scale = (float *)(m->arena + 11509694464 - i * 822083584);         // [1,1,1,512]  2.0 kB
	float *const shift = (float *)(m->arena + 11509696512 - i * 822083584);                 // [1,1,1,512]  2.0 kB
	float *const conv_bn_3_batchnorm_dweight = (float *)(m->arena + 20294476032 - i * 6144); // [512]  2.0 kB
	float *const conv_bn_3_batchnorm_dbias = (float *)(m->arena + 20294478080 - i * 6144);  // [512]  2.0 kB
	float *const partial = (float *)(m->arena + 11509170176 - i * 822083584);               // [131072]  524.3 kB
	batchnorm_backward_sums(512, 200704, dy, conv, mean, scale, rstd, centred_scale, shift, conv_bn_3_batchnorm_dweight, conv_bn_3_batchnorm_dbias, partial);
	nnr_step(281 + i * 12); /* residual.net:9  (dy * scale) + (((conv - mean) * centred_scale) + shift)  [256,28,28,512]  513.8 MFLOP  1.2 GB */
	batchnorm_backward_2(200704, 512, dy, scale, conv, mean, centred_scale, shift);
	nnr_step(282 + i * 12); /* residual.net:7,24  select((relu > 0), conv_dgrad(dconv, conv_bn_3_conv_weight), 0)
	 *    [256,28,28,128]  26.4 GFLOP  616.8 MB */
	float *const dconv = (float *)(m->arena + 11098128384 - i * 822083584);                 // [256,28,28,512]  411.0 MB
	float *const conv_bn_3_conv_weight = (float *)(m->params + 5477120 - i * 1114112);      // [512,1,1,128]  262.1 kB
	float *const relu = (float *)(m->arena + 19370344448 - i * 411041792);                  // [256,28,28,128]  102.8 MB
	float *const dbatchnorm = (float *)(m->arena + 11509170176 - i * 822083584);            // [256,28,28,128]  102.8 MB
	conv_dgrad_relu_backward(&conv_256x28x28x512_shape, 200704, 128, 252, 128, dconv, conv_bn_3_conv_weight, relu, dbatchnorm);
	nnr_step(283 + i * 12); /* residual.net:7  conv_wgrad(relu, dconv)  [512,1,1,128]  26.3 GFLOP  514.1 MB */
	float *const conv_bn_3_conv_dweight = (float *)(m->arena + 20197905152 - i * 1114112);  // [512,1,1,128]  262.1 kB
	conv_wgrad_2(&conv_256x28x28x512_shape, 4, 512, 128, 128, 128, 50176, 128, relu, dconv, conv_bn_3_conv_dweight);
	nnr_step(284 + i * 12); /* residual.net:9  sum(dbatchnorm); (sum((dbatchnorm * (conv_2 - mean_2))) * rstd_2);
	 *    (neg(scale_2) * sum(dbatchnorm)) * 4.98246e-06; (((neg(scale_2) * rstd_2) * rstd_2) * sum((dbatchnorm *
	 *    (conv_2 - mean_2)))) * 4.98246e-06
	 *    [1,1,1,128]  102.8 MFLOP  205.5 MB */
	float *const conv_2 = (float *)(m->arena + 19267584000 - i * 411041792);                // [256,28,28,128]  102.8 MB
	float *const mean_2 = (float *)(m->arena + 21709996736 - i * 3072);                     // [1,1,1,128]  512 B
	float *const scale_2 = (float *)(m->arena + 21709997760 - i * 3072);                    // [1,1,1,128]  512 B
	float *const rstd_2 = (float *)(m->arena + 21709997248 - i * 3072);                     // [1,1,1,128]  512 B
	float *const centred_scale_2 = (float *)(m->arena + 11098259456 - i * 822083584);       // [1,1,1,128]  512 B
	float *const shift_2 = (float *)(m->arena + 11098259968 - i * 822083584);               // [1,1,1,128]  512 B
	float *const conv_bn_2_batchnorm_dweight = (float *)(m->arena + 20294475008 - i * 6144); // [128]  512 B
	float *const conv_bn_2_batchnorm_dbias = (float *)(m->arena + 20294475520 - i * 6144);  // [128]  512 B
	float *const partial_2 = (float *)(m->arena + 11098128384 - i * 822083584);             // [32768]  131.1 kB
	batchnorm_backward_sums(128, 200704, dbatchnorm, conv_2, mean_2, scale_2, rstd_2, centred_scale_2, shift_2, conv_bn_2_batchnorm_dweight, conv_bn_2_batchnorm_dbias, partial_2);
	nnr_step(285 + i * 12); /* residual.net:9  (dbatchnorm * scale_2) + (((conv_2 - mean_2) * centred_scale_2) + shift_2)
	 *    [256,28,28,128]  128.5 MFLOP  308.3 MB */
	batchnorm_backward(200704, 128, dbatchnorm, scale_2, conv_2, mean_2, centred_scale_2, shift_2);
	nnr_step(286 + i * 12); /* residual.net:7,23  select((relu_2 > 0), conv_dgrad(dconv_2, conv_bn_2_conv_weight), 0)
	 *    [256,28,28,128]  59.2 GFLOP  308.9 MB */
	float *const dconv_2 = (float *)(m->arena + 11509170176 - i * 822083584);               // [256,28,28,128]  102.8 MB
	float *const conv_bn_2_conv_weight = (float *)(m->params + 4887296 - i * 1114112);      // [128,3,3,128]  589.8 kB
	float *const relu_2 = (float *)(m->arena + 19164823552 - i * 411041792);                // [256,28,28,128]  102.8 MB
	float *const dbatchnorm_2 = (float *)(m->arena + 11098128384 - i * 822083584);          // [256,28,28,128]  102.8 MB
	conv_dgrad_relu_backward(&conv_256x28x28x128_3_shape, 200704, 128, 252, 128, dconv_2, conv_bn_2_conv_weight, relu_2, dbatchnorm_2);
	nnr_step(287 + i * 12); /* residual.net:7  conv_wgrad(relu_2, dconv_2)  [128,3,3,128]  59.2 GFLOP  206.1 MB */
	float *const conv_bn_2_conv_dweight = (float *)(m->arena + 20197315328 - i * 1114112);  // [128,3,3,128]  589.8 kB
	conv_wgrad(&conv_256x28x28x128_3_shape, 128, 1152, 128, 64, 200704, 128, relu_2, dconv_2, conv_bn_2_conv_dweight);
	nnr_step(288 + i * 12); /* residual.net:9  sum(dbatchnorm_2); (sum((dbatchnorm_2 * (conv_3 - mean_3))) * rstd_3);
	 *    (neg(scale_3) * sum(dbatchnorm_2)) * 4.98246e-06; (((neg(scale_3) * rstd_3) * rstd_3) * sum((dbatchnorm_2 *
	 *    (conv_3 - mean_3)))) * 4.98246e-06
	 *    [1,1,1,128]  102.8 MFLOP  205.5 MB */
	float *const conv_3 = (float *)(m->arena + 19062063104 - i * 411041792);                // [256,28,28,128]  102.8 MB
	float *const mean_3 = (float *)(m->arena + 21709995200 - i * 3072);                     // [1,1,1,128]  512 B
	float *const scale_3 = (float *)(m->arena + 21709996224 - i * 3072);                    // [1,1,1,128]  512 B
	float *const rstd_3 = (float *)(m->arena + 21709995712 - i * 3072);                     // [1,1,1,128]  512 B
	float *const centred_scale_3 = (float *)(m->arena + 11201019904 - i * 822083584);       // [1,1,1,128]  512 B
	float *const shift_3 = (float *)(m->arena + 11201020416 - i * 822083584);               // [1,1,1,128]  512 B
	float *const conv_bn_batchnorm_dweight = (float *)(m->arena + 20294473984 - i * 6144);  // [128]  512 B
	float *const conv_bn_batchnorm_dbias = (float *)(m->arena + 20294474496 - i * 6144);    // [128]  512 B
	float *const partial_3 = (float *)(m->arena + 11200888832 - i * 822083584);             // [32768]  131.1 kB
	batchnorm_backward_sums(128, 200704, dbatchnorm_2, conv_3, mean_3, scale_3, rstd_3, centred_scale_3, shift_3, conv_bn_batchnorm_dweight, conv_bn_batchnorm_dbias, partial_3);
	nnr_step(289 + i * 12); /* residual.net:9  (dbatchnorm_2 * scale_3) + (((conv_3 - mean_3) * centred_scale_3) + shift_3)
	 *    [256,28,28,128]  128.5 MFLOP  308.3 MB */
	batchnorm_backward(200704, 128, dbatchnorm_2, scale_3, conv_3, mean_3, centred_scale_3, shift_3);
	nnr_step(290 + i * 12); /* residual.net:7,28  select((x > 0), (dy + conv_dgrad(dconv_3, conv_bn_conv_weight)), 0)
	 *    [256,28,28,512]  26.6 GFLOP  1.3 GB */
	float *const dconv_3 = (float *)(m->arena + 11098128384 - i * 822083584);               // [256,28,28,128]  102.8 MB
	float *const conv_bn_conv_weight = (float *)(m->params + 4625152 - i * 1114112);        // [128,1,1,512]  262.1 kB
	float *const x = (float *)(m->arena + 10687086592 - i * 822083584);                     // [256,28,28,512]  411.0 MB
	conv_dgrad_add_backward_relu_backward(&conv_256x28x28x128_2_shape, 200704, 512, 252, dconv_3, conv_bn_conv_weight, dy, x);
	nnr_step(291 + i * 12); /* residual.net:7  conv_wgrad(x, dconv_3)  [128,1,1,512]  26.3 GFLOP  514.1 MB */
	float *const conv_bn_conv_dweight = (float *)(m->arena + 20197053184 - i * 1114112);    // [128,1,1,512]  262.1 kB
	conv_wgrad_2(&conv_256x28x28x128_2_shape, 4, 128, 512, 128, 160, 50176, 512, x, dconv_3, conv_bn_conv_dweight);
}

/* 12 calls, 2 times: bottleneck_3, bottleneck_2 */
static void bottleneck_backward_3(const NnrMemory *m, int64_t i)
{
	nnr_step(331 + i * 12); /* residual.net:9  sum(dy); (sum((dy * (conv - mean))) * rstd); (neg(scale) * sum(dy)) * 1.24562e-06;
	 *    (((neg(scale) * rstd) * rstd) * sum((dy * (conv - mean)))) * 1.24562e-06
	 *    [1,1,1,256]  822.1 MFLOP  1.6 GB */
	float *const dy = (float *)(m->arena + 7398752256);                                     // [256,56,56,256]  822.1 MB
	float *const conv = (float *)(m->arena + 5754585088 - i * 1644167168);                  // [256,56,56,256]  822.1 MB
	float *const mean = (float *)(m->arena + 21709946048 - i * 3072);                       // [1,1,1,256]  1.0 kB
	float *const scale = (float *)(m->arena + 21709948096 - i * 3072);                      // [1,1,1,256]  1.0 kB
	float *const rstd = (float *)(m->arena + 21709947072 - i * 3072);                       // [1,1,1,256]  1.0 kB
	float *const centred_scale = (float *)(m->arena + 6576930816 - i * 1644167168);         // [1,1,1,256]  1.0 kB
	float *const shift = (float *)(m->arena + 6576931840 - i * 1644167168);                 // [1,1,1,256]  1.0 kB
	float *const conv_bn_3_batchnorm_dweight = (float *)(m->arena + 20294449408 - i * 3072); // [256]  1.0 kB
	float *const conv_bn_3_batchnorm_dbias = (float *)(m->arena + 20294450432 - i * 3072);  // [256]  1.0 kB
	float *const partial = (float *)(m->arena + 6576668672 - i * 1644167168);               // [65536]  262.1 kB
	batchnorm_backward_sums(256, 802816, dy, conv, mean, scale, rstd, centred_scale, shift, conv_bn_3_batchnorm_dweight, conv_bn_3_batchnorm_dbias, partial);
	nnr_step(332 + i * 12); /* residual.net:9  (dy * scale) + (((conv - mean) * centred_scale) + shift)  [256,56,56,256]  1.0 GFLOP  2.5 GB */
	batchnorm_backward_2(802816, 256, dy, scale, conv, mean, centred_scale, shift);
	nnr_step(333 + i * 12); /* residual.net:7,24  select((relu > 0), conv_dgrad(dconv, conv_bn_3_conv_weight), 0)
	 *    [256,56,56,64]  26.4 GFLOP  1.2 GB */
	float *const dconv = (float *)(m->arena + 5754585088 - i * 1644167168);                 // [256,56,56,256]  822.1 MB
	float *const conv_bn_3_conv_weight = (float *)(m->params + 824064 - i * 278528);        // [256,1,1,64]  65.5 kB
	float *const relu = (float *)(m->arena + 14797504512 - i * 822083584);                  // [256,56,56,64]  205.5 MB
	float *const dbatchnorm = (float *)(m->arena + 6576668672 - i * 1644167168);            // [256,56,56,64]  205.5 MB
	conv_dgrad_relu_backward(&conv_256x56x56x256_shape, 802816, 64, 252, 64, dconv, conv_bn_3_conv_weight, relu, dbatchnorm);
	nnr_step(334 + i * 12); /* residual.net:7  conv_wgrad(relu, dconv)  [256,1,1,64]  26.3 GFLOP  1.0 GB */
	float *const conv_bn_3_conv_dweight = (float *)(m->arena + 20193252096 - i * 278528);   // [256,1,1,64]  65.5 kB
	conv_wgrad_2(&conv_256x56x56x256_shape, 8, 256, 64, 128, 64, 100352, 64, relu, dconv, conv_bn_3_conv_dweight);
	nnr_step(335 + i * 12); /* residual.net:9  sum(dbatchnorm); (sum((dbatchnorm * (conv_2 - mean_2))) * rstd_2);
	 *    (neg(scale_2) * sum(dbatchnorm)) * 1.24562e-06; (((neg(scale_2) * rstd_2) * rstd_2) * sum((dbatchnorm *
	 *    (conv_2 - mean_2)))) * 1.24562e-06
	 *    [1,1,1,64]  205.5 MFLOP  411.0 MB */
	float *const conv_2 = (float *)(m->arena + 14591983616 - i * 822083584);                // [256,56,56,64]  205.5 MB
	float *const mean_2 = (float *)(m->arena + 21710002880 - i * 1536);                     // [1,1,1,64]  256 B
	float *const scale_2 = (float *)(m->arena + 21710003392 - i * 1536);                    // [1,1,1,64]  256 B
	float *const rstd_2 = (float *)(m->arena + 21710003136 - i * 1536);                     // [1,1,1,64]  256 B
	float *const centred_scale_2 = (float *)(m->arena + 5754650624 - i * 1644167168);       // [1,1,1,64]  256 B
	float *const shift_2 = (float *)(m->arena + 5754650880 - i * 1644167168);               // [1,1,1,64]  256 B
	float *const conv_bn_2_batchnorm_dweight = (float *)(m->arena + 20294448896 - i * 3072); // [64]  256 B
	float *const conv_bn_2_batchnorm_dbias = (float *)(m->arena + 20294449152 - i * 3072);  // [64]  256 B
	float *const partial_2 = (float *)(m->arena + 5754585088 - i * 1644167168);             // [16384]  65.5 kB
	batchnorm_backward_sums(64, 802816, dbatchnorm, conv_2, mean_2, scale_2, rstd_2, centred_scale_2, shift_2, conv_bn_2_batchnorm_dweight, conv_bn_2_batchnorm_dbias, partial_2);
	nnr_step(336 + i * 12); /* residual.net:9  (dbatchnorm * scale_2) + (((conv_2 - mean_2) * centred_scale_2) + shift_2)
	 *    [256,56,56,64]  256.9 MFLOP  616.6 MB */
	batchnorm_backward(802816, 64, dbatchnorm, scale_2, conv_2, mean_2, centred_scale_2, shift_2);
	nnr_step(337 + i * 12); /* residual.net:7,23  select((relu_2 > 0), conv_dgrad(dconv_2, conv_bn_2_conv_weight), 0)
	 *    [256,56,56,64]  59.3 GFLOP  616.7 MB */
	float *const dconv_2 = (float *)(m->arena + 6576668672 - i * 1644167168);               // [256,56,56,64]  205.5 MB
	float *const conv_bn_2_conv_weight = (float *)(m->params + 676608 - i * 278528);        // [64,3,3,64]  147.5 kB
	float *const relu_2 = (float *)(m->arena + 14386462720 - i * 822083584);                // [256,56,56,64]  205.5 MB
	float *const dbatchnorm_2 = (float *)(m->arena + 5754585088 - i * 1644167168);          // [256,56,56,64]  205.5 MB
	conv_dgrad_relu_backward(&conv_256x56x56x64_2_shape, 802816, 64, 252, 64, dconv_2, conv_bn_2_conv_weight, relu_2, dbatchnorm_2);
	nnr_step(338 + i * 12); /* residual.net:7  conv_wgrad(relu_2, dconv_2)  [64,3,3,64]  59.2 GFLOP  411.2 MB */
	float *const conv_bn_2_conv_dweight = (float *)(m->arena + 20193104640 - i * 278528);   // [64,3,3,64]  147.5 kB
	conv_wgrad_2(&conv_256x56x56x64_2_shape, 4, 64, 576, 64, 160, 200704, 64, relu_2, dconv_2, conv_bn_2_conv_dweight);
	nnr_step(339 + i * 12); /* residual.net:9  sum(dbatchnorm_2); (sum((dbatchnorm_2 * (conv_3 - mean_3))) * rstd_3);
	 *    (neg(scale_3) * sum(dbatchnorm_2)) * 1.24562e-06; (((neg(scale_3) * rstd_3) * rstd_3) * sum((dbatchnorm_2 *
	 *    (conv_3 - mean_3)))) * 1.24562e-06
	 *    [1,1,1,64]  205.5 MFLOP  411.0 MB */
	float *const conv_3 = (float *)(m->arena + 14180941824 - i * 822083584);                // [256,56,56,64]  205.5 MB
	float *const mean_3 = (float *)(m->arena + 21710002112 - i * 1536);                     // [1,1,1,64]  256 B
	float *const scale_3 = (float *)(m->arena + 21710002624 - i * 1536);                    // [1,1,1,64]  256 B
	float *const rstd_3 = (float *)(m->arena + 21710002368 - i * 1536);                     // [1,1,1,64]  256 B
	float *const centred_scale_3 = (float *)(m->arena + 5960171520 - i * 1644167168);       // [1,1,1,64]  256 B
	float *const shift_3 = (float *)(m->arena + 5960171776 - i * 1644167168);               // [1,1,1,64]  256 B
	float *const conv_bn_batchnorm_dweight = (float *)(m->arena + 20294448384 - i * 3072);  // [64]  256 B
	float *const conv_bn_batchnorm_dbias = (float *)(m->arena + 20294448640 - i * 3072);    // [64]  256 B
	float *const partial_3 = (float *)(m->arena + 5960105984 - i * 1644167168);             // [16384]  65.5 kB
	batchnorm_backward_sums(64, 802816, dbatchnorm_2, conv_3, mean_3, scale_3, rstd_3, centred_scale_3, shift_3, conv_bn_batchnorm_dweight, conv_bn_batchnorm_dbias, partial_3);
	nnr_step(340 + i * 12); /* residual.net:9  (dbatchnorm_2 * scale_3) + (((conv_3 - mean_3) * centred_scale_3) + shift_3)
	 *    [256,56,56,64]  256.9 MFLOP  616.6 MB */
	batchnorm_backward(802816, 64, dbatchnorm_2, scale_3, conv_3, mean_3, centred_scale_3, shift_3);
	nnr_step(341 + i * 12); /* residual.net:7,28  select((x > 0), (dy + conv_dgrad(dconv_3, conv_bn_conv_weight)), 0)
	 *    [256,56,56,256]  26.9 GFLOP  2.7 GB */
	float *const dconv_3 = (float *)(m->arena + 5754585088 - i * 1644167168);               // [256,56,56,64]  205.5 MB
	float *const conv_bn_conv_weight = (float *)(m->params + 611072 - i * 278528);          // [64,1,1,256]  65.5 kB
	float *const x = (float *)(m->arena + 4932501504 - i * 1644167168);                     // [256,56,56,256]  822.1 MB
	conv_dgrad_add_backward_relu_backward(&conv_256x56x56x64_3_shape, 802816, 256, 252, dconv_3, conv_bn_conv_weight, dy, x);
	nnr_step(342 + i * 12); /* residual.net:7  conv_wgrad(x, dconv_3)  [64,1,1,256]  26.3 GFLOP  1.0 GB */
	float *const conv_bn_conv_dweight = (float *)(m->arena + 20193039104 - i * 278528);     // [64,1,1,256]  65.5 kB
	conv_wgrad_2(&conv_256x56x56x64_3_shape, 16, 64, 256, 64, 256, 50176, 256, x, dconv_3, conv_bn_conv_dweight);
}

static void train_step(const NnrMemory *m, const NnrScalars *s)
{
	/* ---- forward */
	nnr_step(1); /* resnet.net:11  rgb_affine(cast(image))  [256,224,224,3]  77.1 MFLOP  192.7 MB */
	uint8_t *const image = (uint8_t *)(m->inputs + 0);                                      // [256,224,224,3]  38.5 MB
	float *const normalize = (float *)(m->arena + 17880317952);                             // [256,224,224,3]  154.1 MB  steps 1-373
	normalize_12845056x3(image, normalize);
	nnr_step(2); /* residual.net:7  conv(normalize, conv_bn_conv_weight)  [256,112,112,64]  60.4 GFLOP  976.3 MB */
	float *const conv_bn_conv_weight = (float *)(m->params + 0);                            // [64,7,7,3]  37.6 kB
	float *const conv = (float *)(m->arena + 0);                                            // [256,112,112,64]  822.1 MB  steps 2-372
	conv_any_size(&conv_256x112x112x64_shape, 3211264, 64, 252, 64, 147, normalize, conv_bn_conv_weight, conv);
	nnr_step(3); /* residual.net:9  batchnorm_statistics of conv_bn  [1,1,1,64]  822.1 MFLOP  822.1 MB */
	float *const first_place = (float *)(m->arena + 0);                                     // [1,1,1,64]  256 B  steps 2-372
	float *const conv_bn_batchnorm_running_mean = (float *)(m->state + 0);                  // [64]  256 B
	float *const conv_bn_batchnorm_running_var = (float *)(m->state + 256);                 // [64]  256 B
	float *const conv_bn_batchnorm_weight = (float *)(m->params + 102011648);               // [64]  256 B
	float *const mean = (float *)(m->arena + 21709998272);                                  // [1,1,1,64]  256 B  steps 3-372
	float *const rstd = (float *)(m->arena + 21709998528);                                  // [1,1,1,64]  256 B  steps 3-371
	float *const scale = (float *)(m->arena + 21709998784);                                 // [1,1,1,64]  256 B  steps 3-372
	float *const partial = (float *)(m->arena + 822083584);                                 // [16384]  65.5 kB  steps 3-3
	batchnorm_statistics(64, 3211264, 1.0000003f, conv, first_place, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, mean, rstd, scale, partial);
	nnr_step(4); /* residual.net:9 resnet.net:14  relu((((conv - mean) * scale) + conv_bn_batchnorm_bias))
	 *    [256,112,112,64]  822.1 MFLOP  1.6 GB */
	float *const conv_bn_batchnorm_bias = (float *)(m->params + 102011904);                 // [64]  256 B
	float *const relu = (float *)(m->arena + 822083584);                                    // [256,112,112,64]  822.1 MB  steps 4-370
	batchnorm_relu(3211264, 64, conv, mean, scale, conv_bn_batchnorm_bias, relu);
	nnr_step(5); /* resnet.net:14  maxpool(relu)  [256,56,56,64]  462.4 MFLOP  1.0 GB */
	float *const x = (float *)(m->arena + 12331253760);                                     // [256,56,56,64]  205.5 MB  steps 5-370
	maxpool_256x56x56x64(relu, x);
	bottleneck_forward(m, 0); // bottleneck
	for (int64_t i = 0; i < 2; i++)
		bottleneck_forward_2(m, i);
	bottleneck_forward(m, 1); // bottleneck_4
	for (int64_t i = 2; i < 5; i++)
		bottleneck_forward_2(m, i);
	bottleneck_forward(m, 2); // bottleneck_8
	for (int64_t i = 5; i < 10; i++)
		bottleneck_forward_2(m, i);
	bottleneck_forward(m, 3); // bottleneck_14
	bottleneck_forward_2(m, 10); // bottleneck_15
	nnr_step(149); /* residual.net:7  conv(x_16, bottleneck_16_conv_bn_conv_weight)  [256,7,7,512]  26.3 GFLOP  132.6 MB */
	float *const x_16 = (float *)(m->arena + 19884146688);                                  // [256,7,7,2048]  102.8 MB  steps 148-177
	float *const bottleneck_16_conv_bn_conv_weight = (float *)(m->params + 75993856);       // [512,1,1,2048]  4.2 MB
	float *const conv_51 = (float *)(m->arena + 21579161792);                               // [256,7,7,512]  25.7 MB  steps 149-175
	conv_any_size(&conv_256x7x7x512_2_shape, 12544, 512, 251, 256, 2048, x_16, bottleneck_16_conv_bn_conv_weight, conv_51);
	nnr_step(150); /* residual.net:9  batchnorm_statistics of bottleneck_16.conv_bn  [1,1,1,512]  25.7 MFLOP  25.7 MB */
	float *const first_place_51 = (float *)(m->arena + 21579161792);                        // [1,1,1,512]  2.0 kB  steps 149-175
	float *const bottleneck_16_conv_bn_batchnorm_running_mean = (float *)(m->state + 187904); // [512]  2.0 kB
	float *const bottleneck_16_conv_bn_batchnorm_running_var = (float *)(m->state + 189952); // [512]  2.0 kB
	float *const bottleneck_16_conv_bn_batchnorm_weight = (float *)(m->params + 102199552); // [512]  2.0 kB
	float *const mean_51 = (float *)(m->arena + 21709924544);                               // [1,1,1,512]  2.0 kB  steps 150-175
	float *const rstd_51 = (float *)(m->arena + 21709926592);                               // [1,1,1,512]  2.0 kB  steps 150-174
	float *const scale_51 = (float *)(m->arena + 21709928640);                              // [1,1,1,512]  2.0 kB  steps 150-175
	float *const partial_51 = (float *)(m->arena + 19986907136);                            // [131072]  524.3 kB  steps 150-150
	batchnorm_statistics(512, 12544, 1.0000797f, conv_51, first_place_51, bottleneck_16_conv_bn_batchnorm_running_mean, bottleneck_16_conv_bn_batchnorm_running_var, bottleneck_16_conv_bn_batchnorm_weight, mean_51, rstd_51, scale_51, partial_51);
	nnr_step(151); /* residual.net:9,23  relu((((conv_51 - mean_51) * scale_51) + bottleneck_16_conv_bn_batchnorm_bias))
	 *    [256,7,7,512]  25.7 MFLOP  51.4 MB */
	float *const bottleneck_16_conv_bn_batchnorm_bias = (float *)(m->params + 102201600);   // [512]  2.0 kB
	float *const relu_32 = (float *)(m->arena + 21604851904);                               // [256,7,7,512]  25.7 MB  steps 151-173
	batchnorm_relu(12544, 512, conv_51, mean_51, scale_51, bottleneck_16_conv_bn_batchnorm_bias, relu_32);
	nnr_step(152); /* residual.net:7  conv(relu_32, bottleneck_16_conv_bn_2_conv_weight)  [256,7,7,512]  59.2 GFLOP  60.8 MB */
	float *const bottleneck_16_conv_bn_2_conv_weight = (float *)(m->params + 80188160);     // [512,3,3,512]  9.4 MB
	float *const conv_52 = (float *)(m->arena + 21630542016);                               // [256,7,7,512]  25.7 MB  steps 152-171
	conv_any_size(&conv_256x7x7x512_3_shape, 12544, 512, 251, 256, 4608, relu_32, bottleneck_16_conv_bn_2_conv_weight, conv_52);
	nnr_step(153); /* residual.net:9  batchnorm_statistics of bottleneck_16.conv_bn_2  [1,1,1,512]  25.7 MFLOP  25.7 MB */
	float *const first_place_52 = (float *)(m->arena + 21630542016);                        // [1,1,1,512]  2.0 kB  steps 152-171
	float *const bottleneck_16_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 192000); // [512]  2.0 kB
	float *const bottleneck_16_conv_bn_2_batchnorm_running_var = (float *)(m->state + 194048); // [512]  2.0 kB
	float *const bottleneck_16_conv_bn_2_batchnorm_weight = (float *)(m->params + 102203648); // [512]  2.0 kB
	float *const mean_52 = (float *)(m->arena + 21709930688);                               // [1,1,1,512]  2.0 kB  steps 153-171
	float *const rstd_52 = (float *)(m->arena + 21709932736);                               // [1,1,1,512]  2.0 kB  steps 153-170
	float *const scale_52 = (float *)(m->arena + 21709934784);                              // [1,1,1,512]  2.0 kB  steps 153-171
	float *const partial_52 = (float *)(m->arena + 19986907136);                            // [131072]  524.3 kB  steps 153-153
	batchnorm_statistics(512, 12544, 1.0000797f, conv_52, first_place_52, bottleneck_16_conv_bn_2_batchnorm_running_mean, bottleneck_16_conv_bn_2_batchnorm_running_var, bottleneck_16_conv_bn_2_batchnorm_weight, mean_52, rstd_52, scale_52, partial_52);
	nnr_step(154); /* residual.net:9,24  relu((((conv_52 - mean_52) * scale_52) + bottleneck_16_conv_bn_2_batchnorm_bias))
	 *    [256,7,7,512]  25.7 MFLOP  51.4 MB */
	float *const bottleneck_16_conv_bn_2_batchnorm_bias = (float *)(m->params + 102205696); // [512]  2.0 kB
	float *const relu_33 = (float *)(m->arena + 21656232128);                               // [256,7,7,512]  25.7 MB  steps 154-169
	batchnorm_relu(12544, 512, conv_52, mean_52, scale_52, bottleneck_16_conv_bn_2_batchnorm_bias, relu_33);
	nnr_step(155); /* residual.net:7  conv(relu_33, bottleneck_16_conv_bn_3_conv_weight)  [256,7,7,2048]  26.3 GFLOP  132.6 MB */
	float *const bottleneck_16_conv_bn_3_conv_weight = (float *)(m->params + 89625344);     // [2048,1,1,512]  4.2 MB
	float *const conv_53 = (float *)(m->arena + 19986907136);                               // [256,7,7,2048]  102.8 MB  steps 155-169
	conv_any_size(&conv_256x7x7x2048_shape, 12544, 2048, 251, 256, 512, relu_33, bottleneck_16_conv_bn_3_conv_weight, conv_53);
	nnr_step(156); /* residual.net:9  batchnorm_statistics of bottleneck_16.conv_bn_3  [1,1,1,2048]  102.8 MFLOP  102.8 MB */
	float *const first_place_53 = (float *)(m->arena + 19986907136);                        // [1,1,1,2048]  8.2 kB  steps 155-169
	float *const bottleneck_16_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 196096); // [2048]  8.2 kB
	float *const bottleneck_16_conv_bn_3_batchnorm_running_var = (float *)(m->state + 204288); // [2048]  8.2 kB
	float *const bottleneck_16_conv_bn_3_batchnorm_weight = (float *)(m->params + 102207744); // [2048]  8.2 kB
	float *const mean_53 = (float *)(m->arena + 21686083392);                               // [1,1,1,2048]  8.2 kB  steps 156-167
	float *const rstd_53 = (float *)(m->arena + 21686091584);                               // [1,1,1,2048]  8.2 kB  steps 156-166
	float *const scale_53 = (float *)(m->arena + 21686099776);                              // [1,1,1,2048]  8.2 kB  steps 156-167
	float *const partial_53 = (float *)(m->arena + 20089667584);                            // [524288]  2.1 MB  steps 156-156
	batchnorm_statistics(2048, 12544, 1.0000797f, conv_53, first_place_53, bottleneck_16_conv_bn_3_batchnorm_running_mean, bottleneck_16_conv_bn_3_batchnorm_running_var, bottleneck_16_conv_bn_3_batchnorm_weight, mean_53, rstd_53, scale_53, partial_53);
	nnr_step(157); /* residual.net:9,28 resnet.net:12  batchnorm_add_relu_avgpool  [256,7,7,2048]  154.7 MFLOP  310.4 MB */
	float *const bottleneck_16_conv_bn_3_batchnorm_bias = (float *)(m->params + 102215936); // [2048]  8.2 kB
	float *const add = (float *)(m->arena + 20089667584);                                   // [256,7,7,2048]  102.8 MB  steps 157-195
	float *const avgpool = (float *)(m->arena + 21681922240);                               // [256,2048]  2.1 MB  steps 157-164
	batchnorm_add_relu_avgpool_256x49x2048(conv_53, mean_53, scale_53, bottleneck_16_conv_bn_3_batchnorm_bias, x_16, add, avgpool);
	nnr_step(158); /* resnet.net:12  matmul(avgpool, dense_weight) + dense_bias  [256,1000]  1.0 GFLOP  11.3 MB */
	float *const dense_weight = (float *)(m->params + 93819648);                            // [1000,2048]  8.2 MB
	float *const dense_bias = (float *)(m->params + 102224128);                             // [1000]  4.0 kB
	float *const logits = (float *)(m->arena + 20192428032);                                // [256,1000]  1.0 MB  steps 158-159
	matmul_bias_256x1000(avgpool, dense_weight, dense_bias, logits);

	/* ---- loss */
	nnr_step(159); /* resnet.net:14,15  cross_entropy_backward_top1  [256,1000]  6.7 MFLOP  2.1 MB */
	int32_t *const label_2 = (int32_t *)(m->inputs + 38535168);                             // [256,1]  1.0 kB
	float *const exp_ = (float *)(m->arena + 21684019392);                                  // [256,1000]  1.0 MB  steps 159-162
	float *const cross_entropy = (float *)(m->arena + 20193452032);                         // [256]  1.0 kB  steps 159-160
	float *const top1 = (float *)(m->arena + 20193453056);                                  // [256]  1.0 kB  steps 159-161
	float *const div = (float *)(m->arena + 21686107968);                                   // [256,1]  1.0 kB  steps 159-162
	cross_entropy_backward_top1_256x1000(logits, label_2, exp_, cross_entropy, top1, div);
	nnr_step(160); /* resnet.net:14  sum(cross_entropy) * 0.00390625  []  257 FLOP  1.0 kB */
	float *const loss = (float *)(m->arena + 21710003648);                                  // []  4 B  steps 160-end
	mean_256(cross_entropy, loss);
	nnr_step(161); /* resnet.net:15  sum(top1) * 0.00390625  []  257 FLOP  1.0 kB */
	float *const top1_2 = (float *)(m->arena + 21710003712);                                // []  4 B  steps 161-end
	mean_256(top1, top1_2);

	/* ---- backward */
	nnr_step(162); /* resnet.net:12,14,15  sum((0.00390625 * ((exp_ * div) - one_hot(label_2))));
	 *    0.00390625 * ((exp_ * div) - one_hot(label_2))
	 *    [256,1000]  1.3 MFLOP  2.1 MB */
	float *const dlogits = (float *)(m->arena + 21685043392);                               // [256,1000]  1.0 MB  steps 162-164
	float *const dense_dbias = (float *)(m->arena + 20294652160);                           // [1000]  4.0 kB  steps 162-374
	float *const partial_54 = (float *)(m->arena + 21686067392);                            // [4000]  16.0 kB  steps 162-162
	cross_entropy_bias_backward_256x1000(exp_, div, label_2, dlogits, dense_dbias, partial_54);
	nnr_step(163); /* resnet.net:12  matmul(dlogits, dense_weight)  [256,2048]  1.0 GFLOP  11.3 MB */
	float *const davgpool = (float *)(m->arena + 21707612352);                              // [256,2048]  2.1 MB  steps 163-176
	matmul_256x2048(dlogits, dense_weight, davgpool);
	nnr_step(164); /* resnet.net:12  matmul(dlogits, avgpool)  [1000,2048]  1.0 GFLOP  11.3 MB */
	float *const dense_dweight = (float *)(m->arena + 20286247680);                         // [1000,2048]  8.2 MB  steps 162-374
	matmul_1000x2048(dlogits, avgpool, dense_dweight);
	nnr_step(165); /* resnet.net:12  davgpool * 0.0204082  [256,1,1,2048]  524.3 kFLOP  4.2 MB */
	avgpool_backward_524288(davgpool);
	nnr_step(166); /* residual.net:9,28  relu_batchnorm_backward_sums of bottleneck_16  [1,1,1,2048]  179.8 MFLOP  207.7 MB */
	float *const dsum = (float *)(m->arena + 21707612352);                                  // [256,1,1,2048]  2.1 MB  steps 163-176
	float *const centred_scale = (float *)(m->arena + 21684019392);                         // [1,1,1,2048]  8.2 kB  steps 166-167
	float *const shift = (float *)(m->arena + 21684027584);                                 // [1,1,1,2048]  8.2 kB  steps 166-167
	float *const bottleneck_16_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 20294635776); // [2048]  8.2 kB  steps 162-374
	float *const bottleneck_16_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 20294643968); // [2048]  8.2 kB  steps 162-374
	float *const partial_55 = (float *)(m->arena + 21681922240);                            // [524288]  2.1 MB  steps 166-166
	relu_batchnorm_backward_sums_256x49x2048(add, dsum, conv_53, mean_53, scale_53, rstd_53, centred_scale, shift, bottleneck_16_conv_bn_3_batchnorm_dweight, bottleneck_16_conv_bn_3_batchnorm_dbias, partial_55);
	nnr_step(167); /* residual.net:9,28  (select((relu(add) > 0), dsum, 0) * scale_53) + (((conv_53 - mean_53) * centred_scale) +
	 *    shift)
	 *    [256,7,7,2048]  205.5 MFLOP  310.4 MB */
	relu_batchnorm_backward_256x49x2048(add, dsum, scale_53, conv_53, mean_53, centred_scale, shift);
	nnr_step(168); /* residual.net:7,24  select((relu_33 > 0), conv_dgrad(dconv, bottleneck_16_conv_bn_3_conv_weight), 0)
	 *    [256,7,7,512]  26.3 GFLOP  158.3 MB */
	float *const dconv = (float *)(m->arena + 19986907136);                                 // [256,7,7,2048]  102.8 MB  steps 155-169
	float *const dbatchnorm = (float *)(m->arena + 21681922240);                            // [256,7,7,512]  25.7 MB  steps 168-173
	conv_dgrad_relu_backward(&conv_256x7x7x2048_shape, 12544, 512, 251, 256, dconv, bottleneck_16_conv_bn_3_conv_weight, relu_33, dbatchnorm);
	nnr_step(169); /* residual.net:7  conv_wgrad(relu_33, dconv)  [2048,1,1,512]  26.3 GFLOP  132.6 MB */
	float *const bottleneck_16_conv_bn_3_conv_dweight = (float *)(m->arena + 20282053376);  // [2048,1,1,512]  4.2 MB  steps 162-374
	conv_wgrad(&conv_256x7x7x2048_shape, 2048, 512, 228, 256, 12544, 512, relu_33, dconv, bottleneck_16_conv_bn_3_conv_dweight);
	nnr_step(170); /* residual.net:9  sum(dbatchnorm); (sum((dbatchnorm * (conv_52 - mean_52))) * rstd_52);
	 *    (neg(scale_52) * sum(dbatchnorm)) * 7.97194e-05; (((neg(scale_52) * rstd_52) * rstd_52) * sum((dbatchnorm *
	 *    (conv_52 - mean_52)))) * 7.97194e-05
	 *    [1,1,1,512]  25.7 MFLOP  51.4 MB */
	float *const centred_scale_2 = (float *)(m->arena + 19987431424);                       // [1,1,1,512]  2.0 kB  steps 170-171
	float *const shift_2 = (float *)(m->arena + 19987433472);                               // [1,1,1,512]  2.0 kB  steps 170-171
	float *const bottleneck_16_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 20294631680); // [512]  2.0 kB  steps 162-374
	float *const bottleneck_16_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 20294633728); // [512]  2.0 kB  steps 162-374
	float *const partial_56 = (float *)(m->arena + 19986907136);                            // [131072]  524.3 kB  steps 170-170
	batchnorm_backward_sums(512, 12544, dbatchnorm, conv_52, mean_52, scale_52, rstd_52, centred_scale_2, shift_2, bottleneck_16_conv_bn_2_batchnorm_dweight, bottleneck_16_conv_bn_2_batchnorm_dbias, partial_56);
	nnr_step(171); /* residual.net:9  (dbatchnorm * scale_52) + (((conv_52 - mean_52) * centred_scale_2) + shift_2)
	 *    [256,7,7,512]  32.1 MFLOP  77.1 MB */
	batchnorm_backward(12544, 512, dbatchnorm, scale_52, conv_52, mean_52, centred_scale_2, shift_2);
	nnr_step(172); /* residual.net:7,23  select((relu_32 > 0), conv_dgrad(dconv_2, bottleneck_16_conv_bn_2_conv_weight), 0)
	 *    [256,7,7,512]  59.2 GFLOP  86.5 MB */
	float *const dconv_2 = (float *)(m->arena + 21681922240);                               // [256,7,7,512]  25.7 MB  steps 168-173
	float *const dbatchnorm_2 = (float *)(m->arena + 19986907136);                          // [256,7,7,512]  25.7 MB  steps 172-177
	conv_dgrad_relu_backward(&conv_256x7x7x512_3_shape, 12544, 512, 251, 256, dconv_2, bottleneck_16_conv_bn_2_conv_weight, relu_32, dbatchnorm_2);
	nnr_step(173); /* residual.net:7  conv_wgrad(relu_32, dconv_2)  [512,3,3,512]  59.2 GFLOP  60.8 MB */
	float *const bottleneck_16_conv_bn_2_conv_dweight = (float *)(m->arena + 20272616192);  // [512,3,3,512]  9.4 MB  steps 162-374
	conv_wgrad(&conv_256x7x7x512_3_shape, 512, 4608, 171, 256, 12544, 512, relu_32, dconv_2, bottleneck_16_conv_bn_2_conv_dweight);
	nnr_step(174); /* residual.net:9  batchnorm_backward_sums of bottleneck_16.conv_bn  [1,1,1,512]  25.7 MFLOP  51.4 MB */
	float *const centred_scale_3 = (float *)(m->arena + 20013121536);                       // [1,1,1,512]  2.0 kB  steps 174-175
	float *const shift_3 = (float *)(m->arena + 20013123584);                               // [1,1,1,512]  2.0 kB  steps 174-175
	float *const bottleneck_16_conv_bn_batchnorm_dweight = (float *)(m->arena + 20294627584); // [512]  2.0 kB  steps 162-374
	float *const bottleneck_16_conv_bn_batchnorm_dbias = (float *)(m->arena + 20294629632); // [512]  2.0 kB  steps 162-374
	float *const partial_57 = (float *)(m->arena + 20012597248);                            // [131072]  524.3 kB  steps 174-174
	batchnorm_backward_sums(512, 12544, dbatchnorm_2, conv_51, mean_51, scale_51, rstd_51, centred_scale_3, shift_3, bottleneck_16_conv_bn_batchnorm_dweight, bottleneck_16_conv_bn_batchnorm_dbias, partial_57);
	nnr_step(175); /* residual.net:9  (dbatchnorm_2 * scale_51) + (((conv_51 - mean_51) * centred_scale_3) + shift_3)
	 *    [256,7,7,512]  32.1 MFLOP  77.1 MB */
	batchnorm_backward(12544, 512, dbatchnorm_2, scale_51, conv_51, mean_51, centred_scale_3, shift_3);
	nnr_step(176); /* residual.net:7,28  select((x_16 > 0), (select((relu(add) > 0), dsum, 0) + conv_dgrad(dconv_3,
	 *    bottleneck_16_conv_bn_conv_weight)), 0)
	 *    [256,7,7,2048]  26.5 GFLOP  340.3 MB */
	float *const dconv_3 = (float *)(m->arena + 19986907136);                               // [256,7,7,512]  25.7 MB  steps 172-177
	conv_dgrad_relu_backward_add_backward_256x7x7x2048(dconv_3, bottleneck_16_conv_bn_conv_weight, add, dsum, x_16);
	nnr_step(177); /* residual.net:7  conv_wgrad(x_16, dconv_3)  [512,1,1,2048]  26.3 GFLOP  132.6 MB */
	float *const bottleneck_16_conv_bn_conv_dweight = (float *)(m->arena + 20268421888);    // [512,1,1,2048]  4.2 MB  steps 162-374
	conv_wgrad(&conv_256x7x7x512_2_shape, 512, 2048, 171, 256, 12544, 2048, x_16, dconv_3, bottleneck_16_conv_bn_conv_dweight);
	bottleneck_backward(m, 0); // bottleneck_15
	nnr_step(190); /* residual.net:9  batchnorm_backward_sums of bottleneck_14  [1,1,1,2048]  179.9 MFLOP  308.4 MB */
	float *const dshortcut = (float *)(m->arena + 20089667584);                             // [256,7,7,2048]  102.8 MB  steps 157-195
	float *const conv_47 = (float *)(m->arena + 19575865344);                               // [256,7,7,2048]  102.8 MB  steps 137-203
	float *const mean_47 = (float *)(m->arena + 21709734080);                               // [1,1,1,2048]  8.2 kB  steps 138-191
	float *const scale_47 = (float *)(m->arena + 21709750464);                              // [1,1,1,2048]  8.2 kB  steps 138-191
	float *const rstd_47 = (float *)(m->arena + 21709742272);                               // [1,1,1,2048]  8.2 kB  steps 138-190
	float *const conv_46 = (float *)(m->arena + 19473104896);                               // [256,7,7,2048]  102.8 MB  steps 135-193
	float *const mean_46 = (float *)(m->arena + 21709709504);                               // [1,1,1,2048]  8.2 kB  steps 136-193
	float *const scale_46 = (float *)(m->arena + 21709725888);                              // [1,1,1,2048]  8.2 kB  steps 136-193
	float *const rstd_46 = (float *)(m->arena + 21709717696);                               // [1,1,1,2048]  8.2 kB  steps 136-190
	float *const centred_scale_7 = (float *)(m->arena + 19681771520);                       // [1,1,1,2048]  8.2 kB  steps 190-191
	float *const shift_7 = (float *)(m->arena + 19681779712);                               // [1,1,1,2048]  8.2 kB  steps 190-191
	float *const bottleneck_14_conv_bn_4_batchnorm_dweight = (float *)(m->arena + 20294586624); // [2048]  8.2 kB  steps 162-374
	float *const bottleneck_14_conv_bn_4_batchnorm_dbias = (float *)(m->arena + 20294578432); // [2048]  8.2 kB  steps 162-374
	float *const centred_scale_8 = (float *)(m->arena + 19681787904);                       // [1,1,1,2048]  8.2 kB  steps 190-193
	float *const shift_8 = (float *)(m->arena + 19681796096);                               // [1,1,1,2048]  8.2 kB  steps 190-193
	float *const bottleneck_14_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 20294570240); // [2048]  8.2 kB  steps 162-374
	float *const bottleneck_14_conv_bn_4_batchnorm_dbias_2 = (float *)(m->arena + 20294594816); // [2048]  8.2 kB  steps 162-374
	float *const partial_61 = (float *)(m->arena + 19678625792);                            // [786432]  3.1 MB  steps 190-190
	batchnorm_backward_sums_2(2048, 12544, dshortcut, conv_47, mean_47, scale_47, rstd_47, conv_46, mean_46, scale_46, rstd_46, centred_scale_7, shift_7, bottleneck_14_conv_bn_4_batchnorm_dweight, bottleneck_14_conv_bn_4_batchnorm_dbias, centred_scale_8, shift_8, bottleneck_14_conv_bn_3_batchnorm_dweight, bottleneck_14_conv_bn_4_batchnorm_dbias_2, partial_61);
	nnr_step(191); /* residual.net:9  (dshortcut * scale_47) + (((conv_47 - mean_47) * centred_scale_7) + shift_7)
	 *    [256,7,7,2048]  128.5 MFLOP  308.3 MB */
	batchnorm_backward_2(12544, 2048, dshortcut, scale_47, conv_47, mean_47, centred_scale_7, shift_7);
	nnr_step(192); /* residual.net:7  conv_wgrad(x_14, dconv_7)  [2048,1,1,1024]  52.6 GFLOP  316.7 MB */
	float *const x_14 = (float *)(m->arena + 17469276160);                                  // [256,14,14,1024]  205.5 MB  steps 128-204
	float *const dconv_7 = (float *)(m->arena + 19575865344);                               // [256,7,7,2048]  102.8 MB  steps 137-203
	float *const bottleneck_14_conv_bn_4_conv_dweight = (float *)(m->arena + 20242207488);  // [2048,1,1,1024]  8.4 MB  steps 162-374
	conv_wgrad(&conv_256x7x7x2048_2_shape, 2048, 1024, 228, 256, 12544, 1024, x_14, dconv_7, bottleneck_14_conv_bn_4_conv_dweight);
	nnr_step(193); /* residual.net:9  (dshortcut * scale_46) + (((conv_46 - mean_46) * centred_scale_8) + shift_8)
	 *    [256,7,7,2048]  128.5 MFLOP  308.3 MB */
	batchnorm_backward(12544, 2048, dshortcut, scale_46, conv_46, mean_46, centred_scale_8, shift_8);
	nnr_step(194); /* residual.net:7,24  select((relu_29 > 0), conv_dgrad(dconv_8, bottleneck_14_conv_bn_3_conv_weight), 0)
	 *    [256,7,7,512]  26.3 GFLOP  158.3 MB */
	float *const dconv_8 = (float *)(m->arena + 20089667584);                               // [256,7,7,2048]  102.8 MB  steps 157-195
	float *const bottleneck_14_conv_bn_3_conv_weight = (float *)(m->params + 45585152);     // [2048,1,1,512]  4.2 MB
	float *const relu_29 = (float *)(m->arena + 21450711232);                               // [256,7,7,512]  25.7 MB  steps 134-195
	float *const dbatchnorm_5 = (float *)(m->arena + 19678625792);                          // [256,7,7,512]  25.7 MB  steps 194-199
	conv_dgrad_relu_backward(&conv_256x7x7x2048_shape, 12544, 512, 251, 256, dconv_8, bottleneck_14_conv_bn_3_conv_weight, relu_29, dbatchnorm_5);
	nnr_step(195); /* residual.net:7  conv_wgrad(relu_29, dconv_8)  [2048,1,1,512]  26.3 GFLOP  132.6 MB */
	float *const bottleneck_14_conv_bn_3_conv_dweight = (float *)(m->arena + 20238013184);  // [2048,1,1,512]  4.2 MB  steps 162-374
	conv_wgrad(&conv_256x7x7x2048_shape, 2048, 512, 228, 256, 12544, 512, relu_29, dconv_8, bottleneck_14_conv_bn_3_conv_dweight);
	conv_bn_backward(m, 0); // bottleneck_14.conv_bn_2
	nnr_step(200); /* residual.net:9  batchnorm_backward_sums of bottleneck_14.conv_bn  [1,1,1,512]  102.8 MFLOP  205.5 MB */
	float *const dbatchnorm_6 = (float *)(m->arena + 19473104896);                          // [256,14,14,512]  102.8 MB  steps 198-204
	float *const conv_44 = (float *)(m->arena + 17674797056);                               // [256,14,14,512]  102.8 MB  steps 129-201
	float *const mean_44 = (float *)(m->arena + 21709899968);                               // [1,1,1,512]  2.0 kB  steps 130-201
	float *const scale_44 = (float *)(m->arena + 21709904064);                              // [1,1,1,512]  2.0 kB  steps 130-201
	float *const rstd_44 = (float *)(m->arena + 21709902016);                               // [1,1,1,512]  2.0 kB  steps 130-200
	float *const centred_scale_10 = (float *)(m->arena + 17778081792);                      // [1,1,1,512]  2.0 kB  steps 200-201
	float *const shift_10 = (float *)(m->arena + 17778083840);                              // [1,1,1,512]  2.0 kB  steps 200-201
	float *const bottleneck_14_conv_bn_batchnorm_dweight = (float *)(m->arena + 20294562048); // [512]  2.0 kB  steps 162-374
	float *const bottleneck_14_conv_bn_batchnorm_dbias = (float *)(m->arena + 20294564096); // [512]  2.0 kB  steps 162-374
	float *const partial_63 = (float *)(m->arena + 17777557504);                            // [131072]  524.3 kB  steps 200-200
	batchnorm_backward_sums(512, 50176, dbatchnorm_6, conv_44, mean_44, scale_44, rstd_44, centred_scale_10, shift_10, bottleneck_14_conv_bn_batchnorm_dweight, bottleneck_14_conv_bn_batchnorm_dbias, partial_63);
	nnr_step(201); /* residual.net:9  (dbatchnorm_6 * scale_44) + (((conv_44 - mean_44) * centred_scale_10) + shift_10)
	 *    [256,14,14,512]  128.5 MFLOP  308.3 MB */
	batchnorm_backward(50176, 512, dbatchnorm_6, scale_44, conv_44, mean_44, centred_scale_10, shift_10);
	nnr_step(202); /* residual.net:7  conv_dgrad(dconv_10, bottleneck_14_conv_bn_conv_weight)  [256,14,14,1024]  52.6 GFLOP  310.4 MB */
	float *const dconv_10 = (float *)(m->arena + 19473104896);                              // [256,14,14,512]  102.8 MB  steps 198-204
	float *const bottleneck_14_conv_bn_conv_weight = (float *)(m->params + 34050816);       // [512,1,1,1024]  2.1 MB
	float *const conv_dgrad = (float *)(m->arena + 17674797056);                            // [256,14,14,1024]  205.5 MB  steps 202-270
	conv_dgrad_any_size(&conv_256x14x14x512_shape, 50176, 1024, 251, 256, dconv_10, bottleneck_14_conv_bn_conv_weight, conv_dgrad);
	nnr_step(203); /* residual.net:7,28  select((x_14 > 0), (conv_dgrad(dconv_7, bottleneck_14_conv_bn_4_conv_weight) + conv_dgrad),
	 *    0)
	 *    [256,14,14,1024]  52.8 GFLOP  727.7 MB */
	float *const bottleneck_14_conv_bn_4_conv_weight = (float *)(m->params + 49779456);     // [2048,1,1,1024]  8.4 MB
	conv_dgrad_add_backward_relu_backward_2(&conv_256x7x7x2048_2_shape, 1024, 251, dconv_7, bottleneck_14_conv_bn_4_conv_weight, conv_dgrad, x_14);
	nnr_step(204); /* residual.net:7  conv_wgrad(x_14, dconv_10)  [512,1,1,1024]  52.6 GFLOP  310.4 MB */
	float *const bottleneck_14_conv_bn_conv_dweight = (float *)(m->arena + 20226478848);    // [512,1,1,1024]  2.1 MB  steps 162-374
	conv_wgrad(&conv_256x14x14x512_shape, 512, 1024, 171, 192, 50176, 1024, x_14, dconv_10, bottleneck_14_conv_bn_conv_dweight);
	for (int64_t i = 1; i < 6; i++)
		bottleneck_backward(m, i);
	nnr_step(265); /* residual.net:9  batchnorm_backward_sums of bottleneck_8  [1,1,1,1024]  359.7 MFLOP  616.6 MB */
	float *const dshortcut_2 = (float *)(m->arena + 17674797056);                           // [256,14,14,1024]  205.5 MB  steps 202-270
	float *const conv_28 = (float *)(m->arena + 15208546304);                               // [256,14,14,1024]  205.5 MB  steps 81-278
	float *const mean_28 = (float *)(m->arena + 21709795520);                               // [1,1,1,1024]  4.1 kB  steps 82-266
	float *const scale_28 = (float *)(m->arena + 21709803712);                              // [1,1,1,1024]  4.1 kB  steps 82-266
	float *const rstd_28 = (float *)(m->arena + 21709799616);                               // [1,1,1,1024]  4.1 kB  steps 82-265
	float *const conv_27 = (float *)(m->arena + 15003025408);                               // [256,14,14,1024]  205.5 MB  steps 79-268
	float *const mean_27 = (float *)(m->arena + 21709783232);                               // [1,1,1,1024]  4.1 kB  steps 80-268
	float *const scale_27 = (float *)(m->arena + 21709791424);                              // [1,1,1,1024]  4.1 kB  steps 80-268
	float *const rstd_27 = (float *)(m->arena + 21709787328);                               // [1,1,1,1024]  4.1 kB  steps 80-265
	float *const centred_scale_26 = (float *)(m->arena + 15415640064);                      // [1,1,1,1024]  4.1 kB  steps 265-266
	float *const shift_26 = (float *)(m->arena + 15415644160);                              // [1,1,1,1024]  4.1 kB  steps 265-266
	float *const bottleneck_8_conv_bn_4_batchnorm_dweight = (float *)(m->arena + 20294492416); // [1024]  4.1 kB  steps 162-374
	float *const bottleneck_8_conv_bn_4_batchnorm_dbias = (float *)(m->arena + 20294488320); // [1024]  4.1 kB  steps 162-374
	float *const centred_scale_27 = (float *)(m->arena + 15415648256);                      // [1,1,1,1024]  4.1 kB  steps 265-268
	float *const shift_27 = (float *)(m->arena + 15415652352);                              // [1,1,1,1024]  4.1 kB  steps 265-268
	float *const bottleneck_8_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 20294484224); // [1024]  4.1 kB  steps 162-374
	float *const bottleneck_8_conv_bn_4_batchnorm_dbias_2 = (float *)(m->arena + 20294496512); // [1024]  4.1 kB  steps 162-374
	float *const partial_79 = (float *)(m->arena + 15414067200);                            // [393216]  1.6 MB  steps 265-265
	batchnorm_backward_sums_2(1024, 50176, dshortcut_2, conv_28, mean_28, scale_28, rstd_28, conv_27, mean_27, scale_27, rstd_27, centred_scale_26, shift_26, bottleneck_8_conv_bn_4_batchnorm_dweight, bottleneck_8_conv_bn_4_batchnorm_dbias, centred_scale_27, shift_27, bottleneck_8_conv_bn_3_batchnorm_dweight, bottleneck_8_conv_bn_4_batchnorm_dbias_2, partial_79);
	nnr_step(266); /* residual.net:9  (dshortcut_2 * scale_28) + (((conv_28 - mean_28) * centred_scale_26) + shift_26)
	 *    [256,14,14,1024]  256.9 MFLOP  616.6 MB */
	batchnorm_backward_2(50176, 1024, dshortcut_2, scale_28, conv_28, mean_28, centred_scale_26, shift_26);
	nnr_step(267); /* residual.net:7  conv_wgrad(x_8, dconv_26)  [1024,1,1,512]  52.6 GFLOP  618.7 MB */
	float *const x_8 = (float *)(m->arena + 11509170176);                                   // [256,28,28,512]  411.0 MB  steps 72-279
	float *const dconv_26 = (float *)(m->arena + 15208546304);                              // [256,14,14,1024]  205.5 MB  steps 81-278
	float *const bottleneck_8_conv_bn_4_conv_dweight = (float *)(m->arena + 20202099456);   // [1024,1,1,512]  2.1 MB  steps 162-374
	conv_wgrad(&conv_256x14x14x1024_2_shape, 1024, 512, 205, 160, 50176, 512, x_8, dconv_26, bottleneck_8_conv_bn_4_conv_dweight);
	nnr_step(268); /* residual.net:9  (dshortcut_2 * scale_27) + (((conv_27 - mean_27) * centred_scale_27) + shift_27)
	 *    [256,14,14,1024]  256.9 MFLOP  616.6 MB */
	batchnorm_backward(50176, 1024, dshortcut_2, scale_27, conv_27, mean_27, centred_scale_27, shift_27);
	nnr_step(269); /* residual.net:7,24  select((relu_17 > 0), conv_dgrad(dconv_27, bottleneck_8_conv_bn_3_conv_weight), 0)
	 *    [256,14,14,256]  26.3 GFLOP  309.3 MB */
	float *const dconv_27 = (float *)(m->arena + 17674797056);                              // [256,14,14,1024]  205.5 MB  steps 202-270
	float *const bottleneck_8_conv_bn_3_conv_weight = (float *)(m->params + 8622848);       // [1024,1,1,256]  1.0 MB
	float *const relu_17 = (float *)(m->arena + 20346036416);                               // [256,14,14,256]  51.4 MB  steps 78-270
	float *const dbatchnorm_17 = (float *)(m->arena + 15414067200);                         // [256,14,14,256]  51.4 MB  steps 269-274
	conv_dgrad_relu_backward(&conv_256x14x14x1024_shape, 50176, 256, 251, 256, dconv_27, bottleneck_8_conv_bn_3_conv_weight, relu_17, dbatchnorm_17);
	nnr_step(270); /* residual.net:7  conv_wgrad(relu_17, dconv_27)  [1024,1,1,256]  26.3 GFLOP  257.9 MB */
	float *const bottleneck_8_conv_bn_3_conv_dweight = (float *)(m->arena + 20201050880);   // [1024,1,1,256]  1.0 MB  steps 162-374
	conv_wgrad(&conv_256x14x14x1024_shape, 1024, 256, 205, 64, 50176, 256, relu_17, dconv_27, bottleneck_8_conv_bn_3_conv_dweight);
	conv_bn_backward(m, 1); // bottleneck_8.conv_bn_2
	conv_bn_backward_2(m, 0); // bottleneck_8.conv_bn
	for (int64_t i = 0; i < 3; i++)
		bottleneck_backward_2(m, i);
	nnr_step(316); /* residual.net:9  batchnorm_backward_sums of bottleneck_4  [1,1,1,512]  719.3 MFLOP  1.2 GB */
	float *const dshortcut_3 = (float *)(m->arena + 11920211968);                           // [256,28,28,512]  411.0 MB  steps 277-321
	float *const conv_15 = (float *)(m->arena + 8631877632);                                // [256,28,28,512]  411.0 MB  steps 43-329
	float *const mean_15 = (float *)(m->arena + 21709875392);                               // [1,1,1,512]  2.0 kB  steps 44-317
	float *const scale_15 = (float *)(m->arena + 21709879488);                              // [1,1,1,512]  2.0 kB  steps 44-317
	float *const rstd_15 = (float *)(m->arena + 21709877440);                               // [1,1,1,512]  2.0 kB  steps 44-316
	float *const conv_14 = (float *)(m->arena + 8220835840);                                // [256,28,28,512]  411.0 MB  steps 41-319
	float *const mean_14 = (float *)(m->arena + 21709869248);                               // [1,1,1,512]  2.0 kB  steps 42-319
	float *const scale_14 = (float *)(m->arena + 21709873344);                              // [1,1,1,512]  2.0 kB  steps 42-319
	float *const rstd_14 = (float *)(m->arena + 21709871296);                               // [1,1,1,512]  2.0 kB  steps 42-316
	float *const centred_scale_39 = (float *)(m->arena + 9043705856);                       // [1,1,1,512]  2.0 kB  steps 316-317
	float *const shift_39 = (float *)(m->arena + 9043707904);                               // [1,1,1,512]  2.0 kB  steps 316-317
	float *const bottleneck_4_conv_bn_4_batchnorm_dweight = (float *)(m->arena + 20294457600); // [512]  2.0 kB  steps 162-374
	float *const bottleneck_4_conv_bn_4_batchnorm_dbias = (float *)(m->arena + 20294455552); // [512]  2.0 kB  steps 162-374
	float *const centred_scale_40 = (float *)(m->arena + 9043709952);                       // [1,1,1,512]  2.0 kB  steps 316-319
	float *const shift_40 = (float *)(m->arena + 9043712000);                               // [1,1,1,512]  2.0 kB  steps 316-319
	float *const bottleneck_4_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 20294453504); // [512]  2.0 kB  steps 162-374
	float *const bottleneck_4_conv_bn_4_batchnorm_dbias_2 = (float *)(m->arena + 20294459648); // [512]  2.0 kB  steps 162-374
	float *const partial_91 = (float *)(m->arena + 9042919424);                             // [196608]  786.4 kB  steps 316-316
	batchnorm_backward_sums_2(512, 200704, dshortcut_3, conv_15, mean_15, scale_15, rstd_15, conv_14, mean_14, scale_14, rstd_14, centred_scale_39, shift_39, bottleneck_4_conv_bn_4_batchnorm_dweight, bottleneck_4_conv_bn_4_batchnorm_dbias, centred_scale_40, shift_40, bottleneck_4_conv_bn_3_batchnorm_dweight, bottleneck_4_conv_bn_4_batchnorm_dbias_2, partial_91);
	nnr_step(317); /* residual.net:9  (dshortcut_3 * scale_15) + (((conv_15 - mean_15) * centred_scale_39) + shift_39)
	 *    [256,28,28,512]  513.8 MFLOP  1.2 GB */
	batchnorm_backward_2(200704, 512, dshortcut_3, scale_15, conv_15, mean_15, centred_scale_39, shift_39);
	nnr_step(318); /* residual.net:7  conv_wgrad(x_4, dconv_39)  [512,1,1,256]  52.6 GFLOP  1.2 GB */
	float *const x_4 = (float *)(m->arena + 6576668672);                                    // [256,56,56,256]  822.1 MB  steps 34-330
	float *const dconv_39 = (float *)(m->arena + 8631877632);                               // [256,28,28,512]  411.0 MB  steps 43-329
	float *const bottleneck_4_conv_bn_4_conv_dweight = (float *)(m->arena + 20194300672);   // [512,1,1,256]  524.3 kB  steps 162-374
	conv_wgrad_2(&conv_256x28x28x512_2_shape, 2, 512, 256, 128, 224, 100352, 256, x_4, dconv_39, bottleneck_4_conv_bn_4_conv_dweight);
	nnr_step(319); /* residual.net:9  (dshortcut_3 * scale_14) + (((conv_14 - mean_14) * centred_scale_40) + shift_40)
	 *    [256,28,28,512]  513.8 MFLOP  1.2 GB */
	batchnorm_backward(200704, 512, dshortcut_3, scale_14, conv_14, mean_14, centred_scale_40, shift_40);
	nnr_step(320); /* residual.net:7,24  select((relu_9 > 0), conv_dgrad(dconv_40, bottleneck_4_conv_bn_3_conv_weight), 0)
	 *    [256,28,28,128]  26.4 GFLOP  616.8 MB */
	float *const dconv_40 = (float *)(m->arena + 11920211968);                              // [256,28,28,512]  411.0 MB  steps 277-321
	float *const bottleneck_4_conv_bn_3_conv_weight = (float *)(m->params + 1610496);       // [512,1,1,128]  262.1 kB
	float *const relu_9 = (float *)(m->arena + 18137219072);                                // [256,28,28,128]  102.8 MB  steps 40-321
	float *const dbatchnorm_25 = (float *)(m->arena + 9042919424);                          // [256,28,28,128]  102.8 MB  steps 320-325
	conv_dgrad_relu_backward(&conv_256x28x28x512_shape, 200704, 128, 252, 128, dconv_40, bottleneck_4_conv_bn_3_conv_weight, relu_9, dbatchnorm_25);
	nnr_step(321); /* residual.net:7  conv_wgrad(relu_9, dconv_40)  [512,1,1,128]  26.3 GFLOP  514.1 MB */
	float *const bottleneck_4_conv_bn_3_conv_dweight = (float *)(m->arena + 20194038528);   // [512,1,1,128]  262.1 kB  steps 162-374
	conv_wgrad_2(&conv_256x28x28x512_shape, 4, 512, 128, 128, 128, 50176, 128, relu_9, dconv_40, bottleneck_4_conv_bn_3_conv_dweight);
	conv_bn_backward(m, 2); // bottleneck_4.conv_bn_2
	conv_bn_backward_2(m, 1); // bottleneck_4.conv_bn
	for (int64_t i = 0; i < 2; i++)
		bottleneck_backward_3(m, i);
	nnr_step(355); /* residual.net:9  batchnorm_backward_sums of bottleneck  [1,1,1,256]  1.4 GFLOP  2.5 GB */
	float *const dshortcut_4 = (float *)(m->arena + 7398752256);                            // [256,56,56,256]  822.1 MB  steps 328-360
	float *const conv_5 = (float *)(m->arena + 2466250752);                                 // [256,56,56,256]  822.1 MB  steps 14-368
	float *const mean_5 = (float *)(m->arena + 21709939904);                                // [1,1,1,256]  1.0 kB  steps 15-356
	float *const scale_5 = (float *)(m->arena + 21709941952);                               // [1,1,1,256]  1.0 kB  steps 15-356
	float *const rstd_5 = (float *)(m->arena + 21709940928);                                // [1,1,1,256]  1.0 kB  steps 15-355
	float *const conv_4 = (float *)(m->arena + 1644167168);                                 // [256,56,56,256]  822.1 MB  steps 12-358
	float *const mean_4 = (float *)(m->arena + 21709936832);                                // [1,1,1,256]  1.0 kB  steps 13-358
	float *const scale_4 = (float *)(m->arena + 21709938880);                               // [1,1,1,256]  1.0 kB  steps 13-358
	float *const rstd_4 = (float *)(m->arena + 21709937856);                                // [1,1,1,256]  1.0 kB  steps 13-355
	float *const centred_scale_49 = (float *)(m->arena + 3288727552);                       // [1,1,1,256]  1.0 kB  steps 355-356
	float *const shift_49 = (float *)(m->arena + 3288728576);                               // [1,1,1,256]  1.0 kB  steps 355-356
	float *const bottleneck_conv_bn_4_batchnorm_dweight = (float *)(m->arena + 20294443264); // [256]  1.0 kB  steps 162-374
	float *const bottleneck_conv_bn_4_batchnorm_dbias = (float *)(m->arena + 20294442240);  // [256]  1.0 kB  steps 162-374
	float *const centred_scale_50 = (float *)(m->arena + 3288729600);                       // [1,1,1,256]  1.0 kB  steps 355-358
	float *const shift_50 = (float *)(m->arena + 3288730624);                               // [1,1,1,256]  1.0 kB  steps 355-358
	float *const bottleneck_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 20294441216); // [256]  1.0 kB  steps 162-374
	float *const bottleneck_conv_bn_4_batchnorm_dbias_2 = (float *)(m->arena + 20294444288); // [256]  1.0 kB  steps 162-374
	float *const partial_100 = (float *)(m->arena + 3288334336);                            // [98304]  393.2 kB  steps 355-355
	batchnorm_backward_sums_2(256, 802816, dshortcut_4, conv_5, mean_5, scale_5, rstd_5, conv_4, mean_4, scale_4, rstd_4, centred_scale_49, shift_49, bottleneck_conv_bn_4_batchnorm_dweight, bottleneck_conv_bn_4_batchnorm_dbias, centred_scale_50, shift_50, bottleneck_conv_bn_3_batchnorm_dweight, bottleneck_conv_bn_4_batchnorm_dbias_2, partial_100);
	nnr_step(356); /* residual.net:9  (dshortcut_4 * scale_5) + (((conv_5 - mean_5) * centred_scale_49) + shift_49)
	 *    [256,56,56,256]  1.0 GFLOP  2.5 GB */
	batchnorm_backward_2(802816, 256, dshortcut_4, scale_5, conv_5, mean_5, centred_scale_49, shift_49);
	nnr_step(357); /* residual.net:7  conv_wgrad(x, dconv_49)  [256,1,1,64]  26.3 GFLOP  1.0 GB */
	float *const dconv_49 = (float *)(m->arena + 2466250752);                               // [256,56,56,256]  822.1 MB  steps 14-368
	float *const bottleneck_conv_bn_4_conv_dweight = (float *)(m->arena + 20192695040);     // [256,1,1,64]  65.5 kB  steps 162-374
	conv_wgrad_2(&conv_256x56x56x256_shape, 8, 256, 64, 128, 64, 100352, 64, x, dconv_49, bottleneck_conv_bn_4_conv_dweight);
	nnr_step(358); /* residual.net:9  (dshortcut_4 * scale_4) + (((conv_4 - mean_4) * centred_scale_50) + shift_50)
	 *    [256,56,56,256]  1.0 GFLOP  2.5 GB */
	batchnorm_backward(802816, 256, dshortcut_4, scale_4, conv_4, mean_4, centred_scale_50, shift_50);
	nnr_step(359); /* residual.net:7,24  select((relu_3 > 0), conv_dgrad(dconv_50, bottleneck_conv_bn_3_conv_weight), 0)
	 *    [256,56,56,64]  26.4 GFLOP  1.2 GB */
	float *const dconv_50 = (float *)(m->arena + 7398752256);                               // [256,56,56,256]  822.1 MB  steps 328-360
	float *const bottleneck_conv_bn_3_conv_weight = (float *)(m->params + 201472);          // [256,1,1,64]  65.5 kB
	float *const relu_3 = (float *)(m->arena + 13153337344);                                // [256,56,56,64]  205.5 MB  steps 11-360
	float *const dbatchnorm_31 = (float *)(m->arena + 1644167168);                          // [256,56,56,64]  205.5 MB  steps 359-364
	conv_dgrad_relu_backward(&conv_256x56x56x256_shape, 802816, 64, 252, 64, dconv_50, bottleneck_conv_bn_3_conv_weight, relu_3, dbatchnorm_31);
	nnr_step(360); /* residual.net:7  conv_wgrad(relu_3, dconv_50)  [256,1,1,64]  26.3 GFLOP  1.0 GB */
	float *const bottleneck_conv_bn_3_conv_dweight = (float *)(m->arena + 20192629504);     // [256,1,1,64]  65.5 kB  steps 162-374
	conv_wgrad_2(&conv_256x56x56x256_shape, 8, 256, 64, 128, 64, 100352, 64, relu_3, dconv_50, bottleneck_conv_bn_3_conv_dweight);
	nnr_step(361); /* residual.net:9  batchnorm_backward_sums of bottleneck.conv_bn_2  [1,1,1,64]  205.5 MFLOP  411.0 MB */
	float *const conv_3 = (float *)(m->arena + 12947816448);                                // [256,56,56,64]  205.5 MB  steps 9-362
	float *const mean_3 = (float *)(m->arena + 21709999808);                                // [1,1,1,64]  256 B  steps 10-362
	float *const scale_3 = (float *)(m->arena + 21710000320);                               // [1,1,1,64]  256 B  steps 10-362
	float *const rstd_3 = (float *)(m->arena + 21710000064);                                // [1,1,1,64]  256 B  steps 10-361
	float *const centred_scale_51 = (float *)(m->arena + 1849753600);                       // [1,1,1,64]  256 B  steps 361-362
	float *const shift_51 = (float *)(m->arena + 1849753856);                               // [1,1,1,64]  256 B  steps 361-362
	float *const bottleneck_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 20294440704); // [64]  256 B  steps 162-374
	float *const bottleneck_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 20294440960);  // [64]  256 B  steps 162-374
	float *const partial_101 = (float *)(m->arena + 1849688064);                            // [16384]  65.5 kB  steps 361-361
	batchnorm_backward_sums(64, 802816, dbatchnorm_31, conv_3, mean_3, scale_3, rstd_3, centred_scale_51, shift_51, bottleneck_conv_bn_2_batchnorm_dweight, bottleneck_conv_bn_2_batchnorm_dbias, partial_101);
	nnr_step(362); /* residual.net:9  (dbatchnorm_31 * scale_3) + (((conv_3 - mean_3) * centred_scale_51) + shift_51)
	 *    [256,56,56,64]  256.9 MFLOP  616.6 MB */
	batchnorm_backward(802816, 64, dbatchnorm_31, scale_3, conv_3, mean_3, centred_scale_51, shift_51);
	nnr_step(363); /* residual.net:7,23  select((relu_2 > 0), conv_dgrad(dconv_51, bottleneck_conv_bn_2_conv_weight), 0)
	 *    [256,56,56,64]  59.3 GFLOP  616.7 MB */
	float *const dconv_51 = (float *)(m->arena + 1644167168);                               // [256,56,56,64]  205.5 MB  steps 359-364
	float *const bottleneck_conv_bn_2_conv_weight = (float *)(m->params + 54016);           // [64,3,3,64]  147.5 kB
	float *const relu_2 = (float *)(m->arena + 12742295552);                                // [256,56,56,64]  205.5 MB  steps 8-364
	float *const dbatchnorm_32 = (float *)(m->arena + 1849688064);                          // [256,56,56,64]  205.5 MB  steps 363-369
	conv_dgrad_relu_backward(&conv_256x56x56x64_2_shape, 802816, 64, 252, 64, dconv_51, bottleneck_conv_bn_2_conv_weight, relu_2, dbatchnorm_32);
	nnr_step(364); /* residual.net:7  conv_wgrad(relu_2, dconv_51)  [64,3,3,64]  59.2 GFLOP  411.2 MB */
	float *const bottleneck_conv_bn_2_conv_dweight = (float *)(m->arena + 20192482048);     // [64,3,3,64]  147.5 kB  steps 162-374
	conv_wgrad_2(&conv_256x56x56x64_2_shape, 4, 64, 576, 64, 160, 200704, 64, relu_2, dconv_51, bottleneck_conv_bn_2_conv_dweight);
	nnr_step(365); /* residual.net:9  batchnorm_backward_sums of bottleneck.conv_bn  [1,1,1,64]  205.5 MFLOP  411.0 MB */
	float *const conv_2 = (float *)(m->arena + 12536774656);                                // [256,56,56,64]  205.5 MB  steps 6-366
	float *const mean_2 = (float *)(m->arena + 21709999040);                                // [1,1,1,64]  256 B  steps 7-366
	float *const scale_2 = (float *)(m->arena + 21709999552);                               // [1,1,1,64]  256 B  steps 7-366
	float *const rstd_2 = (float *)(m->arena + 21709999296);                                // [1,1,1,64]  256 B  steps 7-365
	float *const centred_scale_52 = (float *)(m->arena + 1644232704);                       // [1,1,1,64]  256 B  steps 365-366
	float *const shift_52 = (float *)(m->arena + 1644232960);                               // [1,1,1,64]  256 B  steps 365-366
	float *const bottleneck_conv_bn_batchnorm_dweight = (float *)(m->arena + 20294440192);  // [64]  256 B  steps 162-374
	float *const bottleneck_conv_bn_batchnorm_dbias = (float *)(m->arena + 20294440448);    // [64]  256 B  steps 162-374
	float *const partial_102 = (float *)(m->arena + 1644167168);                            // [16384]  65.5 kB  steps 365-365
	batchnorm_backward_sums(64, 802816, dbatchnorm_32, conv_2, mean_2, scale_2, rstd_2, centred_scale_52, shift_52, bottleneck_conv_bn_batchnorm_dweight, bottleneck_conv_bn_batchnorm_dbias, partial_102);
	nnr_step(366); /* residual.net:9  (dbatchnorm_32 * scale_2) + (((conv_2 - mean_2) * centred_scale_52) + shift_52)
	 *    [256,56,56,64]  256.9 MFLOP  616.6 MB */
	batchnorm_backward(802816, 64, dbatchnorm_32, scale_2, conv_2, mean_2, centred_scale_52, shift_52);
	nnr_step(367); /* residual.net:7  conv_dgrad(dconv_52, bottleneck_conv_bn_conv_weight)  [256,56,56,64]  6.6 GFLOP  411.1 MB */
	float *const dconv_52 = (float *)(m->arena + 1849688064);                               // [256,56,56,64]  205.5 MB  steps 363-369
	float *const bottleneck_conv_bn_conv_weight = (float *)(m->params + 37632);             // [64,1,1,64]  16.4 kB
	float *const conv_dgrad_4 = (float *)(m->arena + 3288334336);                           // [256,56,56,64]  205.5 MB  steps 367-370
	conv_dgrad_any_size(&conv_256x56x56x64_shape, 802816, 64, 252, 64, dconv_52, bottleneck_conv_bn_conv_weight, conv_dgrad_4);
	nnr_step(368); /* residual.net:7  conv_dgrad(dconv_49, bottleneck_conv_bn_4_conv_weight) + conv_dgrad_4
	 *    [256,56,56,64]  26.4 GFLOP  1.2 GB */
	float *const bottleneck_conv_bn_4_conv_weight = (float *)(m->params + 267008);          // [256,1,1,64]  65.5 kB
	conv_dgrad_add_backward_256x56x56x64(dconv_49, bottleneck_conv_bn_4_conv_weight, conv_dgrad_4);
	nnr_step(369); /* residual.net:7  conv_wgrad(x, dconv_52)  [64,1,1,64]  6.6 GFLOP  411.1 MB */
	float *const bottleneck_conv_bn_conv_dweight = (float *)(m->arena + 20192465664);       // [64,1,1,64]  16.4 kB  steps 162-374
	conv_wgrad_2(&conv_256x56x56x64_shape, 16, 64, 64, 64, 64, 50176, 64, x, dconv_52, bottleneck_conv_bn_conv_dweight);
	nnr_step(370); /* resnet.net:14  select((relu > 0), maxpool_grad(dx, relu, x), 0)  [256,112,112,64]  873.5 MFLOP  2.1 GB */
	float *const dx = (float *)(m->arena + 3288334336);                                     // [256,56,56,64]  205.5 MB  steps 367-370
	float *const dbatchnorm_33 = (float *)(m->arena + 1644167168);                          // [256,112,112,64]  822.1 MB  steps 370-373
	maxpool_relu_backward_256x112x112x64(dx, relu, x, dbatchnorm_33);
	nnr_step(371); /* residual.net:9  sum(dbatchnorm_33); (sum((dbatchnorm_33 * (conv - mean))) * rstd);
	 *    (neg(scale) * sum(dbatchnorm_33)) * 3.11404e-07; (((neg(scale) * rstd) * rstd) * sum((dbatchnorm_33 * (conv -
	 *    mean)))) * 3.11404e-07
	 *    [1,1,1,64]  822.1 MFLOP  1.6 GB */
	float *const centred_scale_53 = (float *)(m->arena + 822149120);                        // [1,1,1,64]  256 B  steps 371-372
	float *const shift_53 = (float *)(m->arena + 822149376);                                // [1,1,1,64]  256 B  steps 371-372
	float *const conv_bn_batchnorm_dweight = (float *)(m->arena + 20294439680);             // [64]  256 B  steps 162-374
	float *const conv_bn_batchnorm_dbias = (float *)(m->arena + 20294439936);               // [64]  256 B  steps 162-374
	float *const partial_103 = (float *)(m->arena + 822083584);                             // [16384]  65.5 kB  steps 371-371
	batchnorm_backward_sums(64, 3211264, dbatchnorm_33, conv, mean, scale, rstd, centred_scale_53, shift_53, conv_bn_batchnorm_dweight, conv_bn_batchnorm_dbias, partial_103);
	nnr_step(372); /* residual.net:9  (dbatchnorm_33 * scale) + (((conv - mean) * centred_scale_53) + shift_53)
	 *    [256,112,112,64]  1.0 GFLOP  2.5 GB */
	batchnorm_backward(3211264, 64, dbatchnorm_33, scale, conv, mean, centred_scale_53, shift_53);
	nnr_step(373); /* residual.net:7  conv_wgrad(normalize, dconv_53)  [64,7,7,3]  60.4 GFLOP  976.3 MB */
	float *const dconv_53 = (float *)(m->arena + 1644167168);                               // [256,112,112,64]  822.1 MB  steps 370-373
	float *const conv_bn_conv_dweight = (float *)(m->arena + 20192428032);                  // [64,7,7,3]  37.6 kB  steps 162-374
	conv_wgrad_64x7x7x3(normalize, dconv_53, conv_bn_conv_dweight);

	/* ---- update */
	nnr_step(374); /* resnet.net:22  params - (rate * ((0.9 * sgd_momentum) + (gradients + ((0.0001 * index_below()) * params))));
	 *    (0.9 * sgd_momentum) + (gradients + ((0.0001 * index_below()) * params))
	 *    [25557032]  178.9 MFLOP  511.1 MB */
	float *const params = (float *)(m->params + 0);                                         // [25557032]  102.2 MB
	float *const gradients = (float *)(m->arena + 20192428032);                             // [25557032]  102.2 MB  steps 162-374
	float *const sgd_momentum = (float *)(m->state + 212480);                               // [25557032]  102.2 MB
	sgd_25557032(params, gradients, sgd_momentum, s);
}

/* What evaluation reads of the weights, when they have changed: 102 steps, 23.7 MFLOP, 188.4 MB moved, arena 16.4 kB (lower bound 16.4 kB, at step 88) */
/* 6 calls, 12 times: bottleneck_2, bottleneck_3, bottleneck_5, bottleneck_6, bottleneck_7, bottleneck_9 ... */
struct bottleneck_prepare {
	int step;
	int64_t rows, channels, rows_2;
	size_t conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_bias,
	        prepared_conv_bn_batchnorm_bias, conv_bn_conv_weight, prepared_conv_bn_conv_weight, conv_bn_2_batchnorm_running_var,
	        conv_bn_2_batchnorm_weight, conv_bn_2_batchnorm_running_mean, conv_bn_2_batchnorm_bias, prepared_conv_bn_2_batchnorm_bias,
	        conv_bn_2_conv_weight, prepared_conv_bn_2_conv_weight, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight,
	        conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_bias, prepared_conv_bn_3_batchnorm_bias, conv_bn_3_conv_weight,
	        prepared_conv_bn_3_conv_weight;
};
static const struct bottleneck_prepare bottleneck_prepare_at[12] = {
	/* bottleneck_2 */ {10, 64, 256, 576, 5888, 102017280, 5632, 102017536, 102840512, 332544, 102774976, 6400, 102017792, 6144,
	        102018048, 102988224, 398080, 102840768, 7680, 102018304, 6656, 102019328, 103054016, 545536, 102988480},
	/* bottleneck_3 */ {16, 64, 256, 576, 8960, 102020352, 8704, 102020608, 103120576, 611072, 103055040, 9472, 102020864, 9216,
	        102021120, 103268288, 676608, 103120832, 10752, 102021376, 9728, 102022400, 103334080, 824064, 103268544},
	/* bottleneck_5 */ {29, 128, 512, 1152, 22528, 102033664, 22016, 102034176, 105107648, 2396928, 104845504, 23552, 102034688, 23040,
	        102035200, 105697984, 2659072, 105108160, 26112, 102035712, 24064, 102037760, 105960640, 3248896, 105698496},
	/* bottleneck_6 */ {35, 128, 512, 1152, 28672, 102039808, 28160, 102040320, 106224832, 3511040, 105962688, 29696, 102040832, 29184,
	        102041344, 106815168, 3773184, 106225344, 32256, 102041856, 30208, 102043904, 107077824, 4363008, 106815680},
	/* bottleneck_7 */ {41, 128, 512, 1152, 34816, 102045952, 34304, 102046464, 107342016, 4625152, 107079872, 35840, 102046976, 35328,
	        102047488, 107932352, 4887296, 107342528, 38400, 102048000, 36352, 102050048, 108195008, 5477120, 107932864},
	/* bottleneck_9 */ {54, 256, 1024, 2304, 61952, 102072576, 60928, 102073600, 115281088, 11768576, 114232512, 64000, 102074624,
	        62976, 102075648, 117641408, 12817152, 115282112, 69120, 102076672, 65024, 102080768, 118691008, 15176448, 117642432},
	/* bottleneck_10 */ {60, 256, 1024, 2304, 74240, 102084864, 73216, 102085888, 119743680, 16225024, 118695104, 76288, 102086912,
	        75264, 102087936, 122104000, 17273600, 119744704, 81408, 102088960, 77312, 102093056, 123153600, 19632896, 122105024},
	/* bottleneck_11 */ {66, 256, 1024, 2304, 86528, 102097152, 85504, 102098176, 124206272, 20681472, 123157696, 88576, 102099200,
	        87552, 102100224, 126566592, 21730048, 124207296, 93696, 102101248, 89600, 102105344, 127616192, 24089344, 126567616},
	/* bottleneck_12 */ {72, 256, 1024, 2304, 98816, 102109440, 97792, 102110464, 128668864, 25137920, 127620288, 100864, 102111488,
	        99840, 102112512, 131029184, 26186496, 128669888, 105984, 102113536, 101888, 102117632, 132078784, 28545792, 131030208},
	/* bottleneck_13 */ {78, 256, 1024, 2304, 111104, 102121728, 110080, 102122752, 133131456, 29594368, 132082880, 113152, 102123776,
	        112128, 102124800, 135491776, 30642944, 133132480, 118272, 102125824, 114176, 102129920, 136541376, 33002240, 135492800},
	/* bottleneck_15 */ {91, 512, 2048, 4608, 165376, 102174976, 163328, 102177024, 164869312, 58168064, 160675008, 169472, 102179072,
	        167424, 102181120, 174308544, 62362368, 164871360, 179712, 102183168, 171520, 102191360, 178504896, 71799552, 174310592},
	/* bottleneck_16 */ {97, 512, 2048, 4608, 189952, 102199552, 187904, 102201600, 182707392, 75993856, 178513088, 194048, 102203648,
	        192000, 102205696, 192146624, 80188160, 182709440, 204288, 102207744, 196096, 102215936, 196342976, 89625344, 192148672},
};
static void bottleneck_prepare(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_prepare *const at = &bottleneck_prepare_at[i];
	/* residual.net:9  batchnorm_folded of conv_bn */
	float *const conv_bn_batchnorm_running_var = (float *)(m->state + at->conv_bn_batchnorm_running_var);
	float *const conv_bn_batchnorm_weight = (float *)(m->params + at->conv_bn_batchnorm_weight);
	float *const conv_bn_batchnorm_running_mean = (float *)(m->state + at->conv_bn_batchnorm_running_mean);
	float *const conv_bn_batchnorm_bias = (float *)(m->params + at->conv_bn_batchnorm_bias);
	float *const scale = (float *)(m->arena + 0);
	float *const prepared_conv_bn_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_batchnorm_bias);
	batchnorm_folded(at->rows, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_bias, scale, prepared_conv_bn_batchnorm_bias);
	/* residual.net:9  conv_bn_conv_weight * scale */
	float *const conv_bn_conv_weight = (float *)(m->params + at->conv_bn_conv_weight);
	float *const prepared_conv_bn_conv_weight = (float *)(m->state + at->prepared_conv_bn_conv_weight);
	batchnorm_folded_3(at->rows, at->channels, conv_bn_conv_weight, scale, prepared_conv_bn_conv_weight);
	/* residual.net:9  batchnorm_folded of conv_bn_2 */
	float *const conv_bn_2_batchnorm_running_var = (float *)(m->state + at->conv_bn_2_batchnorm_running_var);
	float *const conv_bn_2_batchnorm_weight = (float *)(m->params + at->conv_bn_2_batchnorm_weight);
	float *const conv_bn_2_batchnorm_running_mean = (float *)(m->state + at->conv_bn_2_batchnorm_running_mean);
	float *const conv_bn_2_batchnorm_bias = (float *)(m->params + at->conv_bn_2_batchnorm_bias);
	float *const scale_2 = (float *)(m->arena + 0);
	float *const prepared_conv_bn_2_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_2_batchnorm_bias);
	batchnorm_folded(at->rows, conv_bn_2_batchnorm_running_var, conv_bn_2_batchnorm_weight, conv_bn_2_batchnorm_running_mean, conv_bn_2_batchnorm_bias, scale_2, prepared_conv_bn_2_batchnorm_bias);
	/* residual.net:9  conv_bn_2_conv_weight * scale_2 */
	float *const conv_bn_2_conv_weight = (float *)(m->params + at->conv_bn_2_conv_weight);
	float *const prepared_conv_bn_2_conv_weight = (float *)(m->state + at->prepared_conv_bn_2_conv_weight);
	batchnorm_folded_3(at->rows, at->rows_2, conv_bn_2_conv_weight, scale_2, prepared_conv_bn_2_conv_weight);
	/* residual.net:9  batchnorm_folded of conv_bn_3 */
	float *const conv_bn_3_batchnorm_running_var = (float *)(m->state + at->conv_bn_3_batchnorm_running_var);
	float *const conv_bn_3_batchnorm_weight = (float *)(m->params + at->conv_bn_3_batchnorm_weight);
	float *const conv_bn_3_batchnorm_running_mean = (float *)(m->state + at->conv_bn_3_batchnorm_running_mean);
	float *const conv_bn_3_batchnorm_bias = (float *)(m->params + at->conv_bn_3_batchnorm_bias);
	float *const scale_3 = (float *)(m->arena + 0);
	float *const prepared_conv_bn_3_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_3_batchnorm_bias);
	batchnorm_folded(at->channels, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight, conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_bias, scale_3, prepared_conv_bn_3_batchnorm_bias);
	/* residual.net:9  conv_bn_3_conv_weight * scale_3 */
	float *const conv_bn_3_conv_weight = (float *)(m->params + at->conv_bn_3_conv_weight);
	float *const prepared_conv_bn_3_conv_weight = (float *)(m->state + at->prepared_conv_bn_3_conv_weight);
	batchnorm_folded_3(at->channels, at->rows, conv_bn_3_conv_weight, scale_3, prepared_conv_bn_3_conv_weight);
}

/* 7 calls, 3 times: bottleneck_4, bottleneck_8, bottleneck_14 */
struct bottleneck_prepare_2 {
	int step;
	int64_t rows, channels, rows_2, rows_3;
	size_t conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_bias,
	        prepared_conv_bn_batchnorm_bias, conv_bn_conv_weight, prepared_conv_bn_conv_weight, conv_bn_2_batchnorm_running_var,
	        conv_bn_2_batchnorm_weight, conv_bn_2_batchnorm_running_mean, conv_bn_2_batchnorm_bias, prepared_conv_bn_2_batchnorm_bias,
	        conv_bn_2_conv_weight, prepared_conv_bn_2_conv_weight, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight,
	        conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_bias, conv_bn_4_batchnorm_running_var, conv_bn_4_batchnorm_weight,
	        conv_bn_4_batchnorm_running_mean, conv_bn_4_batchnorm_bias, scale_4, prepared_conv_bn_3_batchnorm_bias, conv_bn_3_conv_weight,
	        prepared_conv_bn_3_conv_weight, conv_bn_4_conv_weight, prepared_conv_bn_4_conv_weight;
};
static const struct bottleneck_prepare_2 bottleneck_prepare_2_at[3] = {
	/* bottleneck_4 */ {22, 128, 256, 1152, 512, 12288, 102023424, 11776, 102023936, 103466176, 889600, 103335104, 13312, 102024448,
	        12800, 102024960, 104056512, 1020672, 103466688, 15872, 102025472, 13824, 102027520, 19968, 102029568, 17920, 102031616, 2048,
	        104843456, 1610496, 104057024, 1872640, 104319168},
	/* bottleneck_8 */ {47, 256, 512, 2304, 1024, 41472, 102052096, 40448, 102053120, 108721344, 5739264, 108197056, 43520, 102054144,
	        42496, 102055168, 111081664, 6263552, 108722368, 48640, 102056192, 44544, 102060288, 56832, 102064384, 52736, 102068480, 4096,
	        114228416, 8622848, 111082688, 9671424, 112131264},
	/* bottleneck_14 */ {84, 512, 1024, 4608, 2048, 124416, 102134016, 122368, 102136064, 138642624, 34050816, 136545472, 128512,
	        102138112, 126464, 102140160, 148081856, 36147968, 138644672, 138752, 102142208, 130560, 102150400, 155136, 102158592, 146944,
	        102166784, 8192, 160666816, 45585152, 148083904, 49779456, 152278208},
};
static void bottleneck_prepare_2(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_prepare_2 *const at = &bottleneck_prepare_2_at[i];
	/* residual.net:9  batchnorm_folded of conv_bn */
	float *const conv_bn_batchnorm_running_var = (float *)(m->state + at->conv_bn_batchnorm_running_var);
	float *const conv_bn_batchnorm_weight = (float *)(m->params + at->conv_bn_batchnorm_weight);
	float *const conv_bn_batchnorm_running_mean = (float *)(m->state + at->conv_bn_batchnorm_running_mean);
	float *const conv_bn_batchnorm_bias = (float *)(m->params + at->conv_bn_batchnorm_bias);
	float *const scale = (float *)(m->arena + 0);
	float *const prepared_conv_bn_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_batchnorm_bias);
	batchnorm_folded(at->rows, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_bias, scale, prepared_conv_bn_batchnorm_bias);
	/* residual.net:9  conv_bn_conv_weight * scale */
	float *const conv_bn_conv_weight = (float *)(m->params + at->conv_bn_conv_weight);
	float *const prepared_conv_bn_conv_weight = (float *)(m->state + at->prepared_conv_bn_conv_weight);
	batchnorm_folded_3(at->rows, at->channels, conv_bn_conv_weight, scale, prepared_conv_bn_conv_weight);
	/* residual.net:9  batchnorm_folded of conv_bn_2 */
	float *const conv_bn_2_batchnorm_running_var = (float *)(m->state + at->conv_bn_2_batchnorm_running_var);
	float *const conv_bn_2_batchnorm_weight = (float *)(m->params + at->conv_bn_2_batchnorm_weight);
	float *const conv_bn_2_batchnorm_running_mean = (float *)(m->state + at->conv_bn_2_batchnorm_running_mean);
	float *const conv_bn_2_batchnorm_bias = (float *)(m->params + at->conv_bn_2_batchnorm_bias);
	float *const scale_2 = (float *)(m->arena + 0);
	float *const prepared_conv_bn_2_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_2_batchnorm_bias);
	batchnorm_folded(at->rows, conv_bn_2_batchnorm_running_var, conv_bn_2_batchnorm_weight, conv_bn_2_batchnorm_running_mean, conv_bn_2_batchnorm_bias, scale_2, prepared_conv_bn_2_batchnorm_bias);
	/* residual.net:9  conv_bn_2_conv_weight * scale_2 */
	float *const conv_bn_2_conv_weight = (float *)(m->params + at->conv_bn_2_conv_weight);
	float *const prepared_conv_bn_2_conv_weight = (float *)(m->state + at->prepared_conv_bn_2_conv_weight);
	batchnorm_folded_3(at->rows, at->rows_2, conv_bn_2_conv_weight, scale_2, prepared_conv_bn_2_conv_weight);
	/* residual.net:9,28  batchnorm_folded */
	float *const conv_bn_3_batchnorm_running_var = (float *)(m->state + at->conv_bn_3_batchnorm_running_var);
	float *const conv_bn_3_batchnorm_weight = (float *)(m->params + at->conv_bn_3_batchnorm_weight);
	float *const conv_bn_3_batchnorm_running_mean = (float *)(m->state + at->conv_bn_3_batchnorm_running_mean);
	float *const conv_bn_3_batchnorm_bias = (float *)(m->params + at->conv_bn_3_batchnorm_bias);
	float *const conv_bn_4_batchnorm_running_var = (float *)(m->state + at->conv_bn_4_batchnorm_running_var);
	float *const conv_bn_4_batchnorm_weight = (float *)(m->params + at->conv_bn_4_batchnorm_weight);
	float *const conv_bn_4_batchnorm_running_mean = (float *)(m->state + at->conv_bn_4_batchnorm_running_mean);
	float *const conv_bn_4_batchnorm_bias = (float *)(m->params + at->conv_bn_4_batchnorm_bias);
	float *const scale_3 = (float *)(m->arena + 0);
	float *const scale_4 = (float *)(m->arena + at->scale_4);
	float *const prepared_conv_bn_3_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_3_batchnorm_bias);
	batchnorm_folded_4(at->rows_3, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight, conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_bias, conv_bn_4_batchnorm_running_var, conv_bn_4_batchnorm_weight, conv_bn_4_batchnorm_running_mean, conv_bn_4_batchnorm_bias, scale_3, scale_4, prepared_conv_bn_3_batchnorm_bias);
	/* residual.net:9  conv_bn_3_conv_weight * scale_3 */
	float *const conv_bn_3_conv_weight = (float *)(m->params + at->conv_bn_3_conv_weight);
	float *const prepared_conv_bn_3_conv_weight = (float *)(m->state + at->prepared_conv_bn_3_conv_weight);
	batchnorm_folded_3(at->rows_3, at->rows, conv_bn_3_conv_weight, scale_3, prepared_conv_bn_3_conv_weight);
	/* residual.net:9  conv_bn_4_conv_weight * scale_4 */
	float *const conv_bn_4_conv_weight = (float *)(m->params + at->conv_bn_4_conv_weight);
	float *const prepared_conv_bn_4_conv_weight = (float *)(m->state + at->prepared_conv_bn_4_conv_weight);
	batchnorm_folded_3(at->rows_3, at->channels, conv_bn_4_conv_weight, scale_4, prepared_conv_bn_4_conv_weight);
}

static void prepare_weights(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	/* 1  residual.net:9  batchnorm_folded of conv_bn  [64,1,1,1]  640 FLOP  1.5 kB */
	float *const conv_bn_batchnorm_running_var = (float *)(m->state + 256);                 // [64]  256 B
	float *const conv_bn_batchnorm_weight = (float *)(m->params + 102011648);               // [64]  256 B
	float *const conv_bn_batchnorm_running_mean = (float *)(m->state + 0);                  // [64]  256 B
	float *const conv_bn_batchnorm_bias = (float *)(m->params + 102011904);                 // [64]  256 B
	float *const scale = (float *)(m->arena + 0);                                           // [64,1,1,1]  256 B  steps 1-2
	float *const prepared_conv_bn_batchnorm_bias = (float *)(m->state + 102478272);         // [64]  256 B
	batchnorm_folded(64, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_bias, scale, prepared_conv_bn_batchnorm_bias);
	/* 2  residual.net:9  conv_bn_conv_weight * scale  [64,7,7,3]  9.4 kFLOP  75.5 kB */
	float *const conv_bn_conv_weight = (float *)(m->params + 0);                            // [64,7,7,3]  37.6 kB
	float *const prepared_conv_bn_conv_weight = (float *)(m->state + 102440640);            // [64,7,7,3]  37.6 kB
	batchnorm_folded_2(147, conv_bn_conv_weight, scale, prepared_conv_bn_conv_weight);
	/* 3  residual.net:9  batchnorm_folded of bottleneck.conv_bn  [64,1,1,1]  640 FLOP  1.5 kB */
	float *const bottleneck_conv_bn_batchnorm_running_var = (float *)(m->state + 768);      // [64]  256 B
	float *const bottleneck_conv_bn_batchnorm_weight = (float *)(m->params + 102012160);    // [64]  256 B
	float *const bottleneck_conv_bn_batchnorm_running_mean = (float *)(m->state + 512);     // [64]  256 B
	float *const bottleneck_conv_bn_batchnorm_bias = (float *)(m->params + 102012416);      // [64]  256 B
	float *const scale_2 = (float *)(m->arena + 0);                                         // [64,1,1,1]  256 B  steps 3-4
	float *const prepared_bottleneck_conv_bn_batchnorm_bias = (float *)(m->state + 102494912); // [64]  256 B
	batchnorm_folded(64, bottleneck_conv_bn_batchnorm_running_var, bottleneck_conv_bn_batchnorm_weight, bottleneck_conv_bn_batchnorm_running_mean, bottleneck_conv_bn_batchnorm_bias, scale_2, prepared_bottleneck_conv_bn_batchnorm_bias);
	/* 4  residual.net:9  bottleneck_conv_bn_conv_weight * scale_2  [64,1,1,64]  4.1 kFLOP  33.0 kB */
	float *const bottleneck_conv_bn_conv_weight = (float *)(m->params + 37632);             // [64,1,1,64]  16.4 kB
	float *const prepared_bottleneck_conv_bn_conv_weight = (float *)(m->state + 102478528); // [64,1,1,64]  16.4 kB
	batchnorm_folded_2(64, bottleneck_conv_bn_conv_weight, scale_2, prepared_bottleneck_conv_bn_conv_weight);
	/* 5  residual.net:9  batchnorm_folded of bottleneck.conv_bn_2  [64,1,1,1]  640 FLOP  1.5 kB */
	float *const bottleneck_conv_bn_2_batchnorm_running_var = (float *)(m->state + 1280);   // [64]  256 B
	float *const bottleneck_conv_bn_2_batchnorm_weight = (float *)(m->params + 102012672);  // [64]  256 B
	float *const bottleneck_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 1024);  // [64]  256 B
	float *const bottleneck_conv_bn_2_batchnorm_bias = (float *)(m->params + 102012928);    // [64]  256 B
	float *const scale_3 = (float *)(m->arena + 0);                                         // [64,1,1,1]  256 B  steps 5-6
	float *const prepared_bottleneck_conv_bn_2_batchnorm_bias = (float *)(m->state + 102642624); // [64]  256 B
	batchnorm_folded(64, bottleneck_conv_bn_2_batchnorm_running_var, bottleneck_conv_bn_2_batchnorm_weight, bottleneck_conv_bn_2_batchnorm_running_mean, bottleneck_conv_bn_2_batchnorm_bias, scale_3, prepared_bottleneck_conv_bn_2_batchnorm_bias);
	/* 6  residual.net:9  bottleneck_conv_bn_2_conv_weight * scale_3  [64,3,3,64]  36.9 kFLOP  295.2 kB */
	float *const bottleneck_conv_bn_2_conv_weight = (float *)(m->params + 54016);           // [64,3,3,64]  147.5 kB
	float *const prepared_bottleneck_conv_bn_2_conv_weight = (float *)(m->state + 102495168); // [64,3,3,64]  147.5 kB
	batchnorm_folded_3(64, 576, bottleneck_conv_bn_2_conv_weight, scale_3, prepared_bottleneck_conv_bn_2_conv_weight);
	/* 7  residual.net:9,28  batchnorm_folded of bottleneck  [256,1,1,1]  5.4 kFLOP  11.3 kB */
	float *const bottleneck_conv_bn_3_batchnorm_running_var = (float *)(m->state + 2560);   // [256]  1.0 kB
	float *const bottleneck_conv_bn_3_batchnorm_weight = (float *)(m->params + 102013184);  // [256]  1.0 kB
	float *const bottleneck_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 1536);  // [256]  1.0 kB
	float *const bottleneck_conv_bn_3_batchnorm_bias = (float *)(m->params + 102014208);    // [256]  1.0 kB
	float *const bottleneck_conv_bn_4_batchnorm_running_var = (float *)(m->state + 4608);   // [256]  1.0 kB
	float *const bottleneck_conv_bn_4_batchnorm_weight = (float *)(m->params + 102015232);  // [256]  1.0 kB
	float *const bottleneck_conv_bn_4_batchnorm_running_mean = (float *)(m->state + 3584);  // [256]  1.0 kB
	float *const bottleneck_conv_bn_4_batchnorm_bias = (float *)(m->params + 102016256);    // [256]  1.0 kB
	float *const scale_4 = (float *)(m->arena + 0);                                         // [256,1,1,1]  1.0 kB  steps 7-8
	float *const scale_5 = (float *)(m->arena + 1024);                                      // [256,1,1,1]  1.0 kB  steps 7-9
	float *const prepared_bottleneck_conv_bn_3_batchnorm_bias = (float *)(m->state + 102773952); // [256]  1.0 kB
	batchnorm_folded_4(256, bottleneck_conv_bn_3_batchnorm_running_var, bottleneck_conv_bn_3_batchnorm_weight, bottleneck_conv_bn_3_batchnorm_running_mean, bottleneck_conv_bn_3_batchnorm_bias, bottleneck_conv_bn_4_batchnorm_running_var, bottleneck_conv_bn_4_batchnorm_weight, bottleneck_conv_bn_4_batchnorm_running_mean, bottleneck_conv_bn_4_batchnorm_bias, scale_4, scale_5, prepared_bottleneck_conv_bn_3_batchnorm_bias);
	/* 8  residual.net:9  bottleneck_conv_bn_3_conv_weight * scale_4  [256,1,1,64]  16.4 kFLOP  132.1 kB */
	float *const bottleneck_conv_bn_3_conv_weight = (float *)(m->params + 201472);          // [256,1,1,64]  65.5 kB
	float *const prepared_bottleneck_conv_bn_3_conv_weight = (float *)(m->state + 102642880); // [256,1,1,64]  65.5 kB
	batchnorm_folded_3(256, 64, bottleneck_conv_bn_3_conv_weight, scale_4, prepared_bottleneck_conv_bn_3_conv_weight);
	/* 9  residual.net:9  bottleneck_conv_bn_4_conv_weight * scale_5  [256,1,1,64]  16.4 kFLOP  132.1 kB */
	float *const bottleneck_conv_bn_4_conv_weight = (float *)(m->params + 267008);          // [256,1,1,64]  65.5 kB
	float *const prepared_bottleneck_conv_bn_4_conv_weight = (float *)(m->state + 102708416); // [256,1,1,64]  65.5 kB
	batchnorm_folded_3(256, 64, bottleneck_conv_bn_4_conv_weight, scale_5, prepared_bottleneck_conv_bn_4_conv_weight);
	for (int64_t i = 0; i < 2; i++)
		bottleneck_prepare(m, i);
	bottleneck_prepare_2(m, 0); // bottleneck_4
	for (int64_t i = 2; i < 5; i++)
		bottleneck_prepare(m, i);
	bottleneck_prepare_2(m, 1); // bottleneck_8
	for (int64_t i = 5; i < 10; i++)
		bottleneck_prepare(m, i);
	bottleneck_prepare_2(m, 2); // bottleneck_14
	for (int64_t i = 10; i < 12; i++)
		bottleneck_prepare(m, i);
}

/* What evaluation and prediction have in common: their first 56 steps */
/* 4 calls, 4 times: bottleneck, bottleneck_4, bottleneck_8, bottleneck_14 */
struct bottleneck_evaluate {
	int step;
	const NnrConvShape *shape, *shape_2, *shape_3, *shape_4;
	int64_t rows, channels, m0_step, n0_step, channels_2, rows_2, m0_step_2, rows_3, channels_3;
	size_t x, prepared_conv_bn_conv_weight, prepared_conv_bn_batchnorm_bias, relu, prepared_conv_bn_2_conv_weight,
	        prepared_conv_bn_2_batchnorm_bias, relu_2, prepared_conv_bn_4_conv_weight, prepared_conv_bn_3_conv_weight,
	        prepared_conv_bn_3_batchnorm_bias;
};
static const struct bottleneck_evaluate bottleneck_evaluate_at[4] = {
	/* bottleneck */ {4, &conv_256x56x56x64_shape, &conv_256x56x56x64_2_shape, &conv_256x56x56x256_shape, &conv_256x56x56x256_shape,
	        802816, 64, 252, 64, 64, 802816, 252, 576, 256, 822083584, 102478528, 102494912, 0, 102495168, 102642624, 1027604480, 102708416,
	        102642880, 102773952},
	/* bottleneck_4 */ {14, &conv_256x56x56x128_shape, &conv_256x28x28x128_shape, &conv_256x28x28x512_2_shape,
	        &conv_256x28x28x512_shape, 802816, 128, 252, 128, 256, 200704, 252, 1152, 512, 0, 103335104, 103466176, 822083584, 103466688,
	        104056512, 1233125376, 104319168, 104057024, 104843456},
	/* bottleneck_8 */ {27, &conv_256x28x28x256_shape, &conv_256x14x14x256_shape, &conv_256x14x14x1024_2_shape,
	        &conv_256x14x14x1024_shape, 200704, 256, 252, 256, 512, 50176, 251, 2304, 1024, 822083584, 108197056, 108721344, 0, 108722368,
	        111081664, 205520896, 112131264, 111082688, 114228416},
	/* bottleneck_14 */ {46, &conv_256x14x14x512_shape, &conv_256x7x7x512_shape, &conv_256x7x7x2048_2_shape, &conv_256x7x7x2048_shape,
	        50176, 512, 251, 256, 1024, 12544, 251, 4608, 2048, 0, 136545472, 138642624, 205520896, 138644672, 148081856, 308281344, 152278208,
	        148083904, 160666816},
};
static void bottleneck_evaluate(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_evaluate *const at = &bottleneck_evaluate_at[i];
	/* residual.net:7,9,23  relu((conv(x, prepared_conv_bn_conv_weight) + prepared_conv_bn_batchnorm_bias)) */
	float *const x = (float *)(m->arena + at->x);
	float *const prepared_conv_bn_conv_weight = (float *)(m->state + at->prepared_conv_bn_conv_weight);
	float *const prepared_conv_bn_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_batchnorm_bias);
	float *const relu = (float *)(m->arena + at->relu);
	conv_bias_relu(at->shape, at->rows, at->channels, at->m0_step, at->n0_step, at->channels_2, x, prepared_conv_bn_conv_weight, prepared_conv_bn_batchnorm_bias, relu);
	/* residual.net:7,9,24  relu((conv(relu, prepared_conv_bn_2_conv_weight) + prepared_conv_bn_2_batchnorm_bias)) */
	float *const prepared_conv_bn_2_conv_weight = (float *)(m->state + at->prepared_conv_bn_2_conv_weight);
	float *const prepared_conv_bn_2_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_2_batchnorm_bias);
	float *const relu_2 = (float *)(m->arena + at->relu_2);
	conv_bias_relu(at->shape_2, at->rows_2, at->channels, at->m0_step_2, at->n0_step, at->rows_3, relu, prepared_conv_bn_2_conv_weight, prepared_conv_bn_2_batchnorm_bias, relu_2);
	/* residual.net:7  conv(x, prepared_conv_bn_4_conv_weight) */
	float *const prepared_conv_bn_4_conv_weight = (float *)(m->state + at->prepared_conv_bn_4_conv_weight);
	float *const conv = (float *)(m->arena + at->relu);
	conv_any_size(at->shape_3, at->rows_2, at->channels_3, at->m0_step_2, 256, at->channels_2, x, prepared_conv_bn_4_conv_weight, conv);
	/* residual.net:7,28  relu(((conv(relu_2, prepared_conv_bn_3_conv_weight) + conv) +
	 *    prepared_conv_bn_3_batchnorm_bias)) */
	float *const prepared_conv_bn_3_conv_weight = (float *)(m->state + at->prepared_conv_bn_3_conv_weight);
	float *const prepared_conv_bn_3_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_3_batchnorm_bias);
	conv_add_bias_relu(at->shape_4, at->rows_2, at->channels_3, at->m0_step_2, at->channels, relu_2, prepared_conv_bn_3_conv_weight, conv, prepared_conv_bn_3_batchnorm_bias);
}

/* 3 calls, 11 times: bottleneck_2, bottleneck_3, bottleneck_5, bottleneck_6, bottleneck_7, bottleneck_9 ... */
struct bottleneck_evaluate_2 {
	int step;
	const NnrConvShape *shape, *shape_2, *shape_3;
	int64_t rows, channels, m0_step, n0_step, channels_2, rows_2;
	size_t x, prepared_conv_bn_conv_weight, prepared_conv_bn_batchnorm_bias, relu, prepared_conv_bn_2_conv_weight,
	        prepared_conv_bn_2_batchnorm_bias, relu_2, prepared_conv_bn_3_conv_weight, prepared_conv_bn_3_batchnorm_bias;
};
static const struct bottleneck_evaluate_2 bottleneck_evaluate_2_at[11] = {
	/* bottleneck_2 */ {8, &conv_256x56x56x64_3_shape, &conv_256x56x56x64_2_shape, &conv_256x56x56x256_shape, 802816, 64, 252, 64, 256,
	        576, 0, 102774976, 102840512, 822083584, 102840768, 102988224, 1027604480, 102988480, 103054016},
	/* bottleneck_3 */ {11, &conv_256x56x56x64_3_shape, &conv_256x56x56x64_2_shape, &conv_256x56x56x256_shape, 802816, 64, 252, 64, 256,
	        576, 0, 103055040, 103120576, 822083584, 103120832, 103268288, 1027604480, 103268544, 103334080},
	/* bottleneck_5 */ {18, &conv_256x28x28x128_2_shape, &conv_256x28x28x128_3_shape, &conv_256x28x28x512_shape, 200704, 128, 252, 128,
	        512, 1152, 822083584, 104845504, 105107648, 0, 105108160, 105697984, 102760448, 105698496, 105960640},
	/* bottleneck_6 */ {21, &conv_256x28x28x128_2_shape, &conv_256x28x28x128_3_shape, &conv_256x28x28x512_shape, 200704, 128, 252, 128,
	        512, 1152, 822083584, 105962688, 106224832, 0, 106225344, 106815168, 102760448, 106815680, 107077824},
	/* bottleneck_7 */ {24, &conv_256x28x28x128_2_shape, &conv_256x28x28x128_3_shape, &conv_256x28x28x512_shape, 200704, 128, 252, 128,
	        512, 1152, 822083584, 107079872, 107342016, 0, 107342528, 107932352, 102760448, 107932864, 108195008},
	/* bottleneck_9 */ {31, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape, 50176, 256, 251, 256,
	        1024, 2304, 0, 114232512, 115281088, 205520896, 115282112, 117641408, 256901120, 117642432, 118691008},
	/* bottleneck_10 */ {34, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape, 50176, 256, 251, 256,
	        1024, 2304, 0, 118695104, 119743680, 205520896, 119744704, 122104000, 256901120, 122105024, 123153600},
	/* bottleneck_11 */ {37, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape, 50176, 256, 251, 256,
	        1024, 2304, 0, 123157696, 124206272, 205520896, 124207296, 126566592, 256901120, 126567616, 127616192},
	/* bottleneck_12 */ {40, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape, 50176, 256, 251, 256,
	        1024, 2304, 0, 127620288, 128668864, 205520896, 128669888, 131029184, 256901120, 131030208, 132078784},
	/* bottleneck_13 */ {43, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape, 50176, 256, 251, 256,
	        1024, 2304, 0, 132082880, 133131456, 205520896, 133132480, 135491776, 256901120, 135492800, 136541376},
	/* bottleneck_15 */ {50, &conv_256x7x7x512_2_shape, &conv_256x7x7x512_3_shape, &conv_256x7x7x2048_shape, 12544, 512, 251, 256, 2048,
	        4608, 205520896, 160675008, 164869312, 0, 164871360, 174308544, 25690112, 174310592, 178504896},
};
static void bottleneck_evaluate_2(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_evaluate_2 *const at = &bottleneck_evaluate_2_at[i];
	/* residual.net:7,9,23  relu((conv(x, prepared_conv_bn_conv_weight) + prepared_conv_bn_batchnorm_bias)) */
	float *const x = (float *)(m->arena + at->x);
	float *const prepared_conv_bn_conv_weight = (float *)(m->state + at->prepared_conv_bn_conv_weight);
	float *const prepared_conv_bn_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_batchnorm_bias);
	float *const relu = (float *)(m->arena + at->relu);
	conv_bias_relu(at->shape, at->rows, at->channels, at->m0_step, at->n0_step, at->channels_2, x, prepared_conv_bn_conv_weight, prepared_conv_bn_batchnorm_bias, relu);
	/* residual.net:7,9,24  relu((conv(relu, prepared_conv_bn_2_conv_weight) + prepared_conv_bn_2_batchnorm_bias)) */
	float *const prepared_conv_bn_2_conv_weight = (float *)(m->state + at->prepared_conv_bn_2_conv_weight);
	float *const prepared_conv_bn_2_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_2_batchnorm_bias);
	float *const relu_2 = (float *)(m->arena + at->relu_2);
	conv_bias_relu(at->shape_2, at->rows, at->channels, at->m0_step, at->n0_step, at->rows_2, relu, prepared_conv_bn_2_conv_weight, prepared_conv_bn_2_batchnorm_bias, relu_2);
	/* residual.net:7,9,28  relu(((conv(relu_2, prepared_conv_bn_3_conv_weight) + prepared_conv_bn_3_batchnorm_bias)
	 *    + x)) */
	float *const prepared_conv_bn_3_conv_weight = (float *)(m->state + at->prepared_conv_bn_3_conv_weight);
	float *const prepared_conv_bn_3_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_3_batchnorm_bias);
	conv_bias_add_relu(at->shape_3, at->rows, at->channels_2, at->m0_step, at->channels, relu_2, prepared_conv_bn_3_conv_weight, prepared_conv_bn_3_batchnorm_bias, x);
}

static void forward_batch(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	/* 1  resnet.net:11  rgb_affine(cast(image))  [256,224,224,3]  77.1 MFLOP  192.7 MB */
	uint8_t *const image = (uint8_t *)(m->inputs + 0);                                      // [256,224,224,3]  38.5 MB
	float *const normalize = (float *)(m->arena + 822083584);                               // [256,224,224,3]  154.1 MB  steps 1-2
	normalize_12845056x3(image, normalize);
	/* 2  residual.net:7,9 resnet.net:14  relu((conv(normalize, prepared_conv_bn_conv_weight) +
	 *    prepared_conv_bn_batchnorm_bias))
	 *    [256,112,112,64]  60.8 GFLOP  976.3 MB */
	float *const prepared_conv_bn_conv_weight = (float *)(m->state + 102440640);            // [64,7,7,3]  37.6 kB
	float *const prepared_conv_bn_batchnorm_bias = (float *)(m->state + 102478272);         // [64]  256 B
	float *const relu = (float *)(m->arena + 0);                                            // [256,112,112,64]  822.1 MB  steps 2-3
	conv_bias_relu(&conv_256x112x112x64_shape, 3211264, 64, 252, 64, 147, normalize, prepared_conv_bn_conv_weight, prepared_conv_bn_batchnorm_bias, relu);
	/* 3  resnet.net:14  maxpool(relu)  [256,56,56,64]  462.4 MFLOP  1.0 GB */
	float *const x = (float *)(m->arena + 822083584);                                       // [256,56,56,64]  205.5 MB  steps 3-6
	maxpool_256x56x56x64(relu, x);
	bottleneck_evaluate(m, 0); // bottleneck
	for (int64_t i = 0; i < 2; i++)
		bottleneck_evaluate_2(m, i);
	bottleneck_evaluate(m, 1); // bottleneck_4
	for (int64_t i = 2; i < 5; i++)
		bottleneck_evaluate_2(m, i);
	bottleneck_evaluate(m, 2); // bottleneck_8
	for (int64_t i = 5; i < 10; i++)
		bottleneck_evaluate_2(m, i);
	bottleneck_evaluate(m, 3); // bottleneck_14
	bottleneck_evaluate_2(m, 10); // bottleneck_15
	/* 53  residual.net:7,9,23  relu((conv(x_16, prepared_bottleneck_16_conv_bn_conv_weight) +
	 *    prepared_bottleneck_16_conv_bn_batchnorm_bias))
	 *    [256,7,7,512]  26.3 GFLOP  132.6 MB */
	float *const x_16 = (float *)(m->arena + 205520896);                                    // [256,7,7,2048]  102.8 MB  steps 48-56
	float *const prepared_bottleneck_16_conv_bn_conv_weight = (float *)(m->state + 178513088); // [512,1,1,2048]  4.2 MB
	float *const prepared_bottleneck_16_conv_bn_batchnorm_bias = (float *)(m->state + 182707392); // [512]  2.0 kB
	float *const relu_32 = (float *)(m->arena + 0);                                         // [256,7,7,512]  25.7 MB  steps 53-54
	conv_bias_relu(&conv_256x7x7x512_2_shape, 12544, 512, 251, 256, 2048, x_16, prepared_bottleneck_16_conv_bn_conv_weight, prepared_bottleneck_16_conv_bn_batchnorm_bias, relu_32);
	/* 54  residual.net:7,9,24  relu((conv(relu_32, prepared_bottleneck_16_conv_bn_2_conv_weight) +
	 *    prepared_bottleneck_16_conv_bn_2_batchnorm_bias))
	 *    [256,7,7,512]  59.2 GFLOP  60.8 MB */
	float *const prepared_bottleneck_16_conv_bn_2_conv_weight = (float *)(m->state + 182709440); // [512,3,3,512]  9.4 MB
	float *const prepared_bottleneck_16_conv_bn_2_batchnorm_bias = (float *)(m->state + 192146624); // [512]  2.0 kB
	float *const relu_33 = (float *)(m->arena + 102760448);                                 // [256,7,7,512]  25.7 MB  steps 54-55
	conv_bias_relu(&conv_256x7x7x512_3_shape, 12544, 512, 251, 256, 4608, relu_32, prepared_bottleneck_16_conv_bn_2_conv_weight, prepared_bottleneck_16_conv_bn_2_batchnorm_bias, relu_33);
	/* 55  residual.net:7  conv(relu_33, prepared_bottleneck_16_conv_bn_3_conv_weight)
	 *    [256,7,7,2048]  26.3 GFLOP  132.6 MB */
	float *const prepared_bottleneck_16_conv_bn_3_conv_weight = (float *)(m->state + 192148672); // [2048,1,1,512]  4.2 MB
	float *const conv_5 = (float *)(m->arena + 0);                                          // [256,7,7,2048]  102.8 MB  steps 55-56
	conv_any_size(&conv_256x7x7x2048_shape, 12544, 2048, 251, 256, 512, relu_33, prepared_bottleneck_16_conv_bn_3_conv_weight, conv_5);
	/* 56  residual.net:9,28 resnet.net:12  (sum(relu(((conv_5 + prepared_bottleneck_16_conv_bn_3_batchnorm_bias) +
	 *    x_16))) * 0.0204082)
	 *    [256,2048]  103.3 MFLOP  207.6 MB */
	float *const prepared_bottleneck_16_conv_bn_3_batchnorm_bias = (float *)(m->state + 196342976); // [2048]  8.2 kB
	float *const avgpool = (float *)(m->arena + 102760448);                                 // [256,2048]  2.1 MB  steps 56-57
	bias_add_relu_avgpool_256x49x2048(conv_5, prepared_bottleneck_16_conv_bn_3_batchnorm_bias, x_16, avgpool);
}

/* Loss and metrics of one batch, per sample: 58 steps, 2.1 TFLOP, 29.4 GB moved, arena 1.3 GB (lower bound 1.3 GB, at step 15) */
static void evaluate_batch(const NnrMemory *m, const NnrScalars *s)
{
	forward_batch(m, s); /* steps 1 to 56 */
	/* 57  resnet.net:12  matmul(avgpool, dense_weight) + dense_bias  [256,1000]  1.0 GFLOP  11.3 MB */
	float *const avgpool = (float *)(m->arena + 102760448);                                 // [256,2048]  2.1 MB  steps 56-57
	float *const dense_weight = (float *)(m->params + 93819648);                            // [1000,2048]  8.2 MB
	float *const dense_bias = (float *)(m->params + 102224128);                             // [1000]  4.0 kB
	float *const logits = (float *)(m->arena + 0);                                          // [256,1000]  1.0 MB  steps 57-end
	matmul_bias_256x1000(avgpool, dense_weight, dense_bias, logits);

	/* ---- loss */
	/* 58  resnet.net:14,15  cross_entropy_top1  [256]  6.7 MFLOP  1.0 MB */
	int32_t *const label_2 = (int32_t *)(m->inputs + 38535168);                             // [256,1]  1.0 kB
	float *const cross_entropy = (float *)(m->arena + 1024000);                             // [256]  1.0 kB  steps 58-end
	float *const top1 = (float *)(m->arena + 1025024);                                      // [256]  1.0 kB  steps 58-end
	cross_entropy_top1_256x1000(logits, label_2, cross_entropy, top1);
}

/* What the model predicts, without loss and metrics: 57 steps, 2.1 TFLOP, 29.4 GB moved, arena 1.3 GB (lower bound 1.3 GB, at step 15) */
static void predict_batch(const NnrMemory *m, const NnrScalars *s)
{
	forward_batch(m, s); /* steps 1 to 56 */
	/* 57  resnet.net:12  matmul(avgpool, dense_weight) + dense_bias  [256,1000]  1.0 GFLOP  11.3 MB */
	float *const avgpool = (float *)(m->arena + 102760448);                                 // [256,2048]  2.1 MB  steps 56-57
	float *const dense_weight = (float *)(m->params + 93819648);                            // [1000,2048]  8.2 MB
	float *const dense_bias = (float *)(m->params + 102224128);                             // [1000]  4.0 kB
	float *const logits = (float *)(m->arena + 0);                                          // [256,1000]  1.0 MB  steps 57-end
	matmul_bias_256x1000(avgpool, dense_weight, dense_bias, logits);
}

/* For `profile`: the steps above, and which part of each is whose line of the .net files: by FLOPs,
 * of the update by parameters. {name, formula, library, phase, converts, FLOP, B, shares: {place, phase, weight}} */
#define STEP_BATCHNORM_STATISTICS_802816X64(p) {"batchnorm_statistics_802816x64", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 205522176, 205523200, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.05522e+08}}}
#define STEP_BATCHNORM_RELU_802816X64(p) {"batchnorm_relu_802816x64", "relu((((conv - mean) * scale) + bias))", NULL, NNR_PHASE_FORWARD, false, 205520896, 411042560, 2, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 1.54141e+08}, {p - 2, NNR_PHASE_FORWARD, 5.13802e+07}}}
#define STEP_CONV_256X56X56X64_2(p) {"conv_256x56x56x64_2", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 59190018048, 411189248, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 5.919e+10}}}
#define STEP_CONV_256X56X56X256(p) {"conv_256x56x56x256", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_STATISTICS_802816X256(p) {"batchnorm_statistics_802816x256", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 822088704, 822092800, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 8.22089e+08}}}
#define STEP_BATCHNORM_STATISTICS_200704X128(p) {"batchnorm_statistics_200704x128", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 102763008, 102765056, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 1.02763e+08}}}
#define STEP_BATCHNORM_RELU_200704X128(p) {"batchnorm_relu_200704x128", "relu((((conv - mean) * scale) + bias))", NULL, NNR_PHASE_FORWARD, false, 102760448, 205522432, 2, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 7.70703e+07}, {p - 2, NNR_PHASE_FORWARD, 2.56901e+07}}}
#define STEP_CONV_256X28X28X512(p) {"conv_256x28x28x512", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_STATISTICS_200704X512(p) {"batchnorm_statistics_200704x512", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 411052032, 411060224, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 4.11052e+08}}}
#define STEP_CONV_256X28X28X128_2(p) {"conv_256x28x28x128_2", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.63067e+10}}}
#define STEP_CONV_256X28X28X128_3(p) {"conv_256x28x28x128_3", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 59190018048, 206110720, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 5.919e+10}}}
#define STEP_BATCHNORM_ADD_RELU_200704X512_2(p) {"batchnorm_add_relu_200704x512_2", "relu(((((conv - mean) * scale) + bias) + relu))", NULL, NNR_PHASE_FORWARD, false, 513802240, 1233131520, 2, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 3.08281e+08}, {p + 1, NNR_PHASE_FORWARD, 2.05521e+08}}}
#define STEP_BATCHNORM_STATISTICS_50176X256(p) {"batchnorm_statistics_50176x256", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 51385344, 51389440, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 5.13853e+07}}}
#define STEP_BATCHNORM_RELU_50176X256(p) {"batchnorm_relu_50176x256", "relu((((conv - mean) * scale) + bias))", NULL, NNR_PHASE_FORWARD, false, 51380224, 102763520, 2, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 3.85352e+07}, {p - 2, NNR_PHASE_FORWARD, 1.28451e+07}}}
#define STEP_CONV_256X14X14X1024(p) {"conv_256x14x14x1024", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_STATISTICS_50176X1024(p) {"batchnorm_statistics_50176x1024", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 205541376, 205557760, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.05541e+08}}}
#define STEP_CONV_256X14X14X256_2(p) {"conv_256x14x14x256_2", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.63067e+10}}}
#define STEP_CONV_256X14X14X256_3(p) {"conv_256x14x14x256_3", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 5.919e+10}}}
#define STEP_BATCHNORM_ADD_RELU_50176X1024_2(p) {"batchnorm_add_relu_50176x1024_2", "relu(((((conv - mean) * scale) + bias) + relu))", NULL, NNR_PHASE_FORWARD, false, 256901120, 616574976, 2, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 1.54141e+08}, {p + 1, NNR_PHASE_FORWARD, 1.0276e+08}}}
#define STEP_BATCHNORM_STATISTICS_12544X512(p) {"batchnorm_statistics_12544x512", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 25700352, 25708544, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.57004e+07}}}
#define STEP_BATCHNORM_RELU_12544X512(p) {"batchnorm_relu_12544x512", "relu((((conv - mean) * scale) + bias))", NULL, NNR_PHASE_FORWARD, false, 25690112, 51386368, 2, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 1.92676e+07}, {p - 2, NNR_PHASE_FORWARD, 6.42253e+06}}}
#define STEP_CONV_256X7X7X2048(p) {"conv_256x7x7x2048", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_STATISTICS_12544X2048(p) {"batchnorm_statistics_12544x2048", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 102801408, 102834176, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 1.02801e+08}}}
#define STEP_CONV_DGRAD_RELU_BACKWARD_256X7X7X512(p) {"conv_dgrad_relu_backward_256x7x7x512", "select((relu > 0), conv_dgrad(dy, w), 0)", NULL, NNR_PHASE_BACKWARD, false, 26319519744, 158334976, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}, {p - 4, NNR_PHASE_BACKWARD, 1.28451e+07}}}
#define STEP_CONV_WGRAD_2048X1X1X512(p) {"conv_wgrad_2048x1x1x512", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_BACKWARD_SUMS_12544X512(p) {"batchnorm_backward_sums_12544x512", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 25694720, 51394560, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.56947e+07}}}
#define STEP_BATCHNORM_BACKWARD_12544X512(p) {"batchnorm_backward_12544x512", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 32112640, 77078528, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 3.21126e+07}}}
#define STEP_BATCHNORM_BACKWARD_SUMS_50176X1024(p) {"batchnorm_backward_sums_50176x1024", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 205530112, 411070464, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.0553e+08}}}
#define STEP_BATCHNORM_BACKWARD_50176X1024(p) {"batchnorm_backward_50176x1024", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 256901120, 616579072, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.56901e+08}}}
#define STEP_CONV_DGRAD_RELU_BACKWARD_256X14X14X256(p) {"conv_dgrad_relu_backward_256x14x14x256", "select((relu > 0), conv_dgrad(dy, w), 0)", NULL, NNR_PHASE_BACKWARD, false, 26332364800, 309329920, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}, {p - 4, NNR_PHASE_BACKWARD, 2.56901e+07}}}
#define STEP_CONV_WGRAD_1024X1X1X256(p) {"conv_wgrad_1024x1x1x256", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_BACKWARD_SUMS_50176X256(p) {"batchnorm_backward_sums_50176x256", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 51382528, 102767616, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.13825e+07}}}
#define STEP_BATCHNORM_BACKWARD_50176X256(p) {"batchnorm_backward_50176x256", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 64225280, 154144768, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 6.42253e+07}}}
#define STEP_CONV_DGRAD_RELU_BACKWARD_256X14X14X256_2(p) {"conv_dgrad_relu_backward_256x14x14x256_2", "select((relu > 0), conv_dgrad(dy, w), 0)", NULL, NNR_PHASE_BACKWARD, false, 59215708160, 156499968, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.919e+10}, {p - 4, NNR_PHASE_BACKWARD, 2.56901e+07}}}
#define STEP_CONV_WGRAD_256X3X3X256(p) {"conv_wgrad_256x3x3x256", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.919e+10}}}
#define STEP_CONV_DGRAD_ADD_BACKWARD_RELU_BACKWARD_256X14X14X1024_2(p) {"conv_dgrad_add_backward_relu_backward_256x14x14x1024_2", "select((relu > 0), (dy_2 + conv_dgrad(dy, w)), 0)", NULL, NNR_PHASE_BACKWARD, false, 26460815360, 668991488, 3, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63324e+10}, {p + 8, NNR_PHASE_BACKWARD, 2.56901e+07}, {p - 2, NNR_PHASE_BACKWARD, 1.0276e+08}}}
#define STEP_CONV_WGRAD_256X1X1X1024(p) {"conv_wgrad_256x1x1x1024", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_BACKWARD_SUMS_200704X512(p) {"batchnorm_backward_sums_200704x512", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 411046400, 822097920, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 4.11046e+08}}}
#define STEP_BATCHNORM_BACKWARD_200704X512(p) {"batchnorm_backward_200704x512", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 513802240, 1233133568, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.13802e+08}}}
#define STEP_CONV_DGRAD_RELU_BACKWARD_256X28X28X128(p) {"conv_dgrad_relu_backward_256x28x28x128", "select((relu > 0), conv_dgrad(dy, w), 0)", NULL, NNR_PHASE_BACKWARD, false, 26358054912, 616824832, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}, {p - 4, NNR_PHASE_BACKWARD, 5.13802e+07}}}
#define STEP_CONV_WGRAD_512X1X1X128(p) {"conv_wgrad_512x1x1x128", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_BACKWARD_SUMS_200704X128(p) {"batchnorm_backward_sums_200704x128", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 102761600, 205524480, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 1.02762e+08}}}
#define STEP_BATCHNORM_BACKWARD_200704X128(p) {"batchnorm_backward_200704x128", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 128450560, 308283392, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 1.28451e+08}}}
#define STEP_CONV_DGRAD_RELU_BACKWARD_256X28X28X128_2(p) {"conv_dgrad_relu_backward_256x28x28x128_2", "select((relu > 0), conv_dgrad(dy, w), 0)", NULL, NNR_PHASE_BACKWARD, false, 59241398272, 308871168, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.919e+10}, {p - 4, NNR_PHASE_BACKWARD, 5.13802e+07}}}
#define STEP_CONV_WGRAD_128X3X3X128(p) {"conv_wgrad_128x3x3x128", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 59190018048, 206110720, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.919e+10}}}
#define STEP_CONV_DGRAD_ADD_BACKWARD_RELU_BACKWARD_256X28X28X512_2(p) {"conv_dgrad_add_backward_relu_backward_256x28x28x512_2", "select((relu > 0), (dy_2 + conv_dgrad(dy, w)), 0)", NULL, NNR_PHASE_BACKWARD, false, 26614956032, 1336147968, 3, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63581e+10}, {p + 8, NNR_PHASE_BACKWARD, 5.13802e+07}, {p - 2, NNR_PHASE_BACKWARD, 2.05521e+08}}}
#define STEP_CONV_WGRAD_128X1X1X512(p) {"conv_wgrad_128x1x1x512", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_BACKWARD_802816X256(p) {"batchnorm_backward_802816x256", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 1027604480, 2466254848, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 1.0276e+09}}}
#define STEP_CONV_DGRAD_RELU_BACKWARD_256X56X56X64(p) {"conv_dgrad_relu_backward_256x56x56x64", "select((relu > 0), conv_dgrad(dy, w), 0)", NULL, NNR_PHASE_BACKWARD, false, 26409435136, 1233190912, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}, {p - 4, NNR_PHASE_BACKWARD, 1.0276e+08}}}
#define STEP_CONV_WGRAD_256X1X1X64(p) {"conv_wgrad_256x1x1x64", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_BACKWARD_SUMS_802816X64(p) {"batchnorm_backward_sums_802816x64", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 205521472, 411043584, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.05521e+08}}}
#define STEP_BATCHNORM_BACKWARD_802816X64(p) {"batchnorm_backward_802816x64", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 256901120, 616563712, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.56901e+08}}}
#define STEP_CONV_DGRAD_RELU_BACKWARD_256X56X56X64_2(p) {"conv_dgrad_relu_backward_256x56x56x64_2", "select((relu > 0), conv_dgrad(dy, w), 0)", NULL, NNR_PHASE_BACKWARD, false, 59292778496, 616710144, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.919e+10}, {p - 4, NNR_PHASE_BACKWARD, 1.0276e+08}}}
#define STEP_CONV_WGRAD_64X3X3X64(p) {"conv_wgrad_64x3x3x64", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 59190018048, 411189248, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.919e+10}}}
static const NnrStep steps[] = {
	{"normalize_12845056x3", "rgb_affine(cast(image))", NULL, NNR_PHASE_FORWARD, false, 77070336, 192675840, 1, (const NnrShare[]){{0, NNR_PHASE_FORWARD, 7.70703e+07}}},
	{"conv_256x112x112x64", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 60423143424, 976261888, 1, (const NnrShare[]){{2, NNR_PHASE_FORWARD, 6.04231e+10}}},
	{"batchnorm_statistics_3211264x64", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 822084864, 822085888, 1, (const NnrShare[]){{3, NNR_PHASE_FORWARD, 8.22085e+08}}},
	{"batchnorm_relu_3211264x64", "relu((((conv - mean) * scale) + bias))", NULL, NNR_PHASE_FORWARD, false, 822083584, 1644167936, 2, (const NnrShare[]){{3, NNR_PHASE_FORWARD, 6.16563e+08}, {1, NNR_PHASE_FORWARD, 2.05521e+08}}},
	{"maxpool_256x56x56x64", "maxpool(x)", NULL, NNR_PHASE_FORWARD, false, 462422016, 1027604480, 1, (const NnrShare[]){{1, NNR_PHASE_FORWARD, 4.62422e+08}}},
	{"conv_256x56x56x64", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 6576668672, 411058176, 1, (const NnrShare[]){{6, NNR_PHASE_FORWARD, 6.57667e+09}}},
	STEP_BATCHNORM_STATISTICS_802816X64(7), STEP_BATCHNORM_RELU_802816X64(7), STEP_CONV_256X56X56X64_2(9),
	STEP_BATCHNORM_STATISTICS_802816X64(10), STEP_BATCHNORM_RELU_802816X64(10), STEP_CONV_256X56X56X256(12),
	STEP_BATCHNORM_STATISTICS_802816X256(13), STEP_CONV_256X56X56X256(15), STEP_BATCHNORM_STATISTICS_802816X256(16),
	{"batchnorm_add_relu_802816x256", "relu(((((conv - mean) * scale) + bias) + (((conv_2 - mean_2) * scale_2) + bias_2)))", NULL, NNR_PHASE_FORWARD, false, 1644167168, 2466256896, 3, (const NnrShare[]){{13, NNR_PHASE_FORWARD, 6.16563e+08}, {16, NNR_PHASE_FORWARD, 6.16563e+08}, {17, NNR_PHASE_FORWARD, 4.11042e+08}}},
	{"conv_256x56x56x64_3", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{19, NNR_PHASE_FORWARD, 2.63067e+10}}},
	STEP_BATCHNORM_STATISTICS_802816X64(20), STEP_BATCHNORM_RELU_802816X64(20), STEP_CONV_256X56X56X64_2(22),
	STEP_BATCHNORM_STATISTICS_802816X64(23), STEP_BATCHNORM_RELU_802816X64(23), STEP_CONV_256X56X56X256(25),
	STEP_BATCHNORM_STATISTICS_802816X256(26),
	{"batchnorm_add_relu_802816x256_2", "relu(((((conv - mean) * scale) + bias) + relu))", NULL, NNR_PHASE_FORWARD, false, 1027604480, 2466253824, 2, (const NnrShare[]){{26, NNR_PHASE_FORWARD, 6.16563e+08}, {27, NNR_PHASE_FORWARD, 4.11042e+08}}},
	{"conv_256x56x56x64_3", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{29, NNR_PHASE_FORWARD, 2.63067e+10}}},
	STEP_BATCHNORM_STATISTICS_802816X64(30), STEP_BATCHNORM_RELU_802816X64(30), STEP_CONV_256X56X56X64_2(32),
	STEP_BATCHNORM_STATISTICS_802816X64(33), STEP_BATCHNORM_RELU_802816X64(33), STEP_CONV_256X56X56X256(35),
	STEP_BATCHNORM_STATISTICS_802816X256(36),
	{"batchnorm_add_relu_802816x256_2", "relu(((((conv - mean) * scale) + bias) + relu))", NULL, NNR_PHASE_FORWARD, false, 1027604480, 2466253824, 2, (const NnrShare[]){{36, NNR_PHASE_FORWARD, 6.16563e+08}, {37, NNR_PHASE_FORWARD, 4.11042e+08}}},
	{"conv_256x56x56x128", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 52613349376, 1233256448, 1, (const NnrShare[]){{39, NNR_PHASE_FORWARD, 5.26133e+10}}},
	{"batchnorm_statistics_802816x128", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 411044352, 411046400, 1, (const NnrShare[]){{40, NNR_PHASE_FORWARD, 4.11044e+08}}},
	{"batchnorm_relu_802816x128", "relu((((conv - mean) * scale) + bias))", NULL, NNR_PHASE_FORWARD, false, 411041792, 822085120, 2, (const NnrShare[]){{40, NNR_PHASE_FORWARD, 3.08281e+08}, {38, NNR_PHASE_FORWARD, 1.0276e+08}}},
	{"conv_256x28x28x128", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 59190018048, 514392064, 1, (const NnrShare[]){{42, NNR_PHASE_FORWARD, 5.919e+10}}},
	STEP_BATCHNORM_STATISTICS_200704X128(43), STEP_BATCHNORM_RELU_200704X128(43), STEP_CONV_256X28X28X512(45),
	STEP_BATCHNORM_STATISTICS_200704X512(46),
	{"conv_256x28x28x512_2", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 52613349376, 1233649664, 1, (const NnrShare[]){{48, NNR_PHASE_FORWARD, 5.26133e+10}}},
	STEP_BATCHNORM_STATISTICS_200704X512(49),
	{"batchnorm_add_relu_200704x512", "relu(((((conv - mean) * scale) + bias) + (((conv_2 - mean_2) * scale_2) + bias_2)))", NULL, NNR_PHASE_FORWARD, false, 822083584, 1233137664, 3, (const NnrShare[]){{46, NNR_PHASE_FORWARD, 3.08281e+08}, {49, NNR_PHASE_FORWARD, 3.08281e+08}, {50, NNR_PHASE_FORWARD, 2.05521e+08}}},
	STEP_CONV_256X28X28X128_2(52), STEP_BATCHNORM_STATISTICS_200704X128(53), STEP_BATCHNORM_RELU_200704X128(53), STEP_CONV_256X28X28X128_3(55),
	STEP_BATCHNORM_STATISTICS_200704X128(56), STEP_BATCHNORM_RELU_200704X128(56), STEP_CONV_256X28X28X512(58),
	STEP_BATCHNORM_STATISTICS_200704X512(59), STEP_BATCHNORM_ADD_RELU_200704X512_2(59), STEP_CONV_256X28X28X128_2(62),
	STEP_BATCHNORM_STATISTICS_200704X128(63), STEP_BATCHNORM_RELU_200704X128(63), STEP_CONV_256X28X28X128_3(65),
	STEP_BATCHNORM_STATISTICS_200704X128(66), STEP_BATCHNORM_RELU_200704X128(66), STEP_CONV_256X28X28X512(68),
	STEP_BATCHNORM_STATISTICS_200704X512(69), STEP_BATCHNORM_ADD_RELU_200704X512_2(69), STEP_CONV_256X28X28X128_2(72),
	STEP_BATCHNORM_STATISTICS_200704X128(73), STEP_BATCHNORM_RELU_200704X128(73), STEP_CONV_256X28X28X128_3(75),
	STEP_BATCHNORM_STATISTICS_200704X128(76), STEP_BATCHNORM_RELU_200704X128(76), STEP_CONV_256X28X28X512(78),
	STEP_BATCHNORM_STATISTICS_200704X512(79), STEP_BATCHNORM_ADD_RELU_200704X512_2(79),
	{"conv_256x28x28x256", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 52613349376, 617086976, 1, (const NnrShare[]){{82, NNR_PHASE_FORWARD, 5.26133e+10}}},
	{"batchnorm_statistics_200704x256", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 205526016, 205530112, 1, (const NnrShare[]){{83, NNR_PHASE_FORWARD, 2.05526e+08}}},
	{"batchnorm_relu_200704x256", "relu((((conv - mean) * scale) + bias))", NULL, NNR_PHASE_FORWARD, false, 205520896, 411044864, 2, (const NnrShare[]){{83, NNR_PHASE_FORWARD, 1.54141e+08}, {81, NNR_PHASE_FORWARD, 5.13802e+07}}},
	{"conv_256x14x14x256", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 59190018048, 259260416, 1, (const NnrShare[]){{85, NNR_PHASE_FORWARD, 5.919e+10}}},
	STEP_BATCHNORM_STATISTICS_50176X256(86), STEP_BATCHNORM_RELU_50176X256(86), STEP_CONV_256X14X14X1024(88),
	STEP_BATCHNORM_STATISTICS_50176X1024(89),
	{"conv_256x14x14x1024_2", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 52613349376, 618659840, 1, (const NnrShare[]){{91, NNR_PHASE_FORWARD, 5.26133e+10}}},
	STEP_BATCHNORM_STATISTICS_50176X1024(92),
	{"batchnorm_add_relu_50176x1024", "relu(((((conv - mean) * scale) + bias) + (((conv_2 - mean_2) * scale_2) + bias_2)))", NULL, NNR_PHASE_FORWARD, false, 411041792, 616587264, 3, (const NnrShare[]){{89, NNR_PHASE_FORWARD, 1.54141e+08}, {92, NNR_PHASE_FORWARD, 1.54141e+08}, {93, NNR_PHASE_FORWARD, 1.0276e+08}}},
	STEP_CONV_256X14X14X256_2(95), STEP_BATCHNORM_STATISTICS_50176X256(96), STEP_BATCHNORM_RELU_50176X256(96), STEP_CONV_256X14X14X256_3(98),
	STEP_BATCHNORM_STATISTICS_50176X256(99), STEP_BATCHNORM_RELU_50176X256(99), STEP_CONV_256X14X14X1024(101),
	STEP_BATCHNORM_STATISTICS_50176X1024(102), STEP_BATCHNORM_ADD_RELU_50176X1024_2(102), STEP_CONV_256X14X14X256_2(105),
	STEP_BATCHNORM_STATISTICS_50176X256(106), STEP_BATCHNORM_RELU_50176X256(106), STEP_CONV_256X14X14X256_3(108),
	STEP_BATCHNORM_STATISTICS_50176X256(109), STEP_BATCHNORM_RELU_50176X256(109), STEP_CONV_256X14X14X1024(111),
	STEP_BATCHNORM_STATISTICS_50176X1024(112), STEP_BATCHNORM_ADD_RELU_50176X1024_2(112), STEP_CONV_256X14X14X256_2(115),
	STEP_BATCHNORM_STATISTICS_50176X256(116), STEP_BATCHNORM_RELU_50176X256(116), STEP_CONV_256X14X14X256_3(118),
	STEP_BATCHNORM_STATISTICS_50176X256(119), STEP_BATCHNORM_RELU_50176X256(119), STEP_CONV_256X14X14X1024(121),
	STEP_BATCHNORM_STATISTICS_50176X1024(122), STEP_BATCHNORM_ADD_RELU_50176X1024_2(122), STEP_CONV_256X14X14X256_2(125),
	STEP_BATCHNORM_STATISTICS_50176X256(126), STEP_BATCHNORM_RELU_50176X256(126), STEP_CONV_256X14X14X256_3(128),
	STEP_BATCHNORM_STATISTICS_50176X256(129), STEP_BATCHNORM_RELU_50176X256(129), STEP_CONV_256X14X14X1024(131),
	STEP_BATCHNORM_STATISTICS_50176X1024(132), STEP_BATCHNORM_ADD_RELU_50176X1024_2(132), STEP_CONV_256X14X14X256_2(135),
	STEP_BATCHNORM_STATISTICS_50176X256(136), STEP_BATCHNORM_RELU_50176X256(136), STEP_CONV_256X14X14X256_3(138),
	STEP_BATCHNORM_STATISTICS_50176X256(139), STEP_BATCHNORM_RELU_50176X256(139), STEP_CONV_256X14X14X1024(141),
	STEP_BATCHNORM_STATISTICS_50176X1024(142), STEP_BATCHNORM_ADD_RELU_50176X1024_2(142),
	{"conv_256x14x14x512", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 52613349376, 310378496, 1, (const NnrShare[]){{145, NNR_PHASE_FORWARD, 5.26133e+10}}},
	{"batchnorm_statistics_50176x512", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 102770688, 102778880, 1, (const NnrShare[]){{146, NNR_PHASE_FORWARD, 1.02771e+08}}},
	{"batchnorm_relu_50176x512", "relu((((conv - mean) * scale) + bias))", NULL, NNR_PHASE_FORWARD, false, 102760448, 205527040, 2, (const NnrShare[]){{146, NNR_PHASE_FORWARD, 7.70703e+07}, {144, NNR_PHASE_FORWARD, 2.56901e+07}}},
	{"conv_256x7x7x512", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 59190018048, 137887744, 1, (const NnrShare[]){{148, NNR_PHASE_FORWARD, 5.919e+10}}},
	STEP_BATCHNORM_STATISTICS_12544X512(149), STEP_BATCHNORM_RELU_12544X512(149), STEP_CONV_256X7X7X2048(151),
	STEP_BATCHNORM_STATISTICS_12544X2048(152),
	{"conv_256x7x7x2048_2", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 52613349376, 316669952, 1, (const NnrShare[]){{154, NNR_PHASE_FORWARD, 5.26133e+10}}},
	STEP_BATCHNORM_STATISTICS_12544X2048(155),
	{"batchnorm_add_relu_12544x2048", "relu(((((conv - mean) * scale) + bias) + (((conv_2 - mean_2) * scale_2) + bias_2)))", NULL, NNR_PHASE_FORWARD, false, 205520896, 308330496, 3, (const NnrShare[]){{152, NNR_PHASE_FORWARD, 7.70703e+07}, {155, NNR_PHASE_FORWARD, 7.70703e+07}, {156, NNR_PHASE_FORWARD, 5.13802e+07}}},
	{"conv_256x7x7x512_2", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{158, NNR_PHASE_FORWARD, 2.63067e+10}}},
	STEP_BATCHNORM_STATISTICS_12544X512(159), STEP_BATCHNORM_RELU_12544X512(159),
	{"conv_256x7x7x512_3", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{161, NNR_PHASE_FORWARD, 5.919e+10}}},
	STEP_BATCHNORM_STATISTICS_12544X512(162), STEP_BATCHNORM_RELU_12544X512(162), STEP_CONV_256X7X7X2048(164),
	STEP_BATCHNORM_STATISTICS_12544X2048(165),
	{"batchnorm_add_relu_12544x2048_2", "relu(((((conv - mean) * scale) + bias) + relu))", NULL, NNR_PHASE_FORWARD, false, 128450560, 308305920, 2, (const NnrShare[]){{165, NNR_PHASE_FORWARD, 7.70703e+07}, {166, NNR_PHASE_FORWARD, 5.13802e+07}}},
	{"conv_256x7x7x512_2", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{168, NNR_PHASE_FORWARD, 2.63067e+10}}},
	STEP_BATCHNORM_STATISTICS_12544X512(169), STEP_BATCHNORM_RELU_12544X512(169),
	{"conv_256x7x7x512_3", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{171, NNR_PHASE_FORWARD, 5.919e+10}}},
	STEP_BATCHNORM_STATISTICS_12544X512(172), STEP_BATCHNORM_RELU_12544X512(172), STEP_CONV_256X7X7X2048(174),
	STEP_BATCHNORM_STATISTICS_12544X2048(175),
	{"batchnorm_add_relu_avgpool_256x49x2048", "batchnorm_add_relu_avgpool", NULL, NNR_PHASE_FORWARD, false, 154664960, 310403072, 3, (const NnrShare[]){{175, NNR_PHASE_FORWARD, 7.70703e+07}, {176, NNR_PHASE_FORWARD, 5.13802e+07}, {177, NNR_PHASE_FORWARD, 2.62144e+07}}},
	{"matmul_bias_256x1000", "matmul(a, b) + bias", NULL, NNR_PHASE_FORWARD, false, 1048832000, 11317152, 1, (const NnrShare[]){{177, NNR_PHASE_FORWARD, 1.04883e+09}}},
	{"cross_entropy_backward_top1_256x1000", "cross_entropy_backward_top1", NULL, NNR_PHASE_LOSS, false, 6660608, 2052096, 3, (const NnrShare[]){{178, NNR_PHASE_LOSS, 4.9961e+06}, {179, NNR_PHASE_LOSS, 1.66426e+06}, {178, NNR_PHASE_BACKWARD, 256}}},
	{"mean_256", "sum(cross_entropy) * 0.00390625", NULL, NNR_PHASE_LOSS, false, 257, 1028, 1, (const NnrShare[]){{178, NNR_PHASE_LOSS, 257}}},
	{"mean_256", "sum(is_right) * 0.00390625", NULL, NNR_PHASE_LOSS, false, 257, 1028, 1, (const NnrShare[]){{179, NNR_PHASE_LOSS, 257}}},
	{"cross_entropy_bias_backward_256x1000", "sum((0.00390625 * ((exp_ * div) - one_hot(label)))); 0.00390625 * ((exp_ * div) - one_hot(label))", NULL, NNR_PHASE_BACKWARD, false, 1280000, 2054048, 3, (const NnrShare[]){{178, NNR_PHASE_BACKWARD, 896000}, {179, NNR_PHASE_BACKWARD, 128000}, {177, NNR_PHASE_BACKWARD, 256000}}},
	{"matmul_256x2048", "matmul(a, b)", NULL, NNR_PHASE_BACKWARD, false, 1048576000, 11313152, 1, (const NnrShare[]){{177, NNR_PHASE_BACKWARD, 1.04858e+09}}},
	{"matmul_1000x2048", "matmul(a, b)", NULL, NNR_PHASE_BACKWARD, false, 1048576000, 11313152, 1, (const NnrShare[]){{177, NNR_PHASE_BACKWARD, 1.04858e+09}}},
	{"avgpool_backward_524288", "dy * 0.0204082", NULL, NNR_PHASE_BACKWARD, false, 524288, 4194304, 1, (const NnrShare[]){{177, NNR_PHASE_BACKWARD, 524288}}},
	{"relu_batchnorm_backward_sums_256x49x2048", "relu_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 179849216, 207675392, 2, (const NnrShare[]){{176, NNR_PHASE_BACKWARD, 7.70703e+07}, {175, NNR_PHASE_BACKWARD, 1.02779e+08}}},
	{"relu_batchnorm_backward_256x49x2048", "(select((relu(add) > 0), dy, 0) * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 205520896, 310411264, 2, (const NnrShare[]){{176, NNR_PHASE_BACKWARD, 7.70703e+07}, {175, NNR_PHASE_BACKWARD, 1.28451e+08}}},
	STEP_CONV_DGRAD_RELU_BACKWARD_256X7X7X512(174), STEP_CONV_WGRAD_2048X1X1X512(174), STEP_BATCHNORM_BACKWARD_SUMS_12544X512(172),
	STEP_BATCHNORM_BACKWARD_12544X512(172),
	{"conv_dgrad_relu_backward_256x7x7x512_2", "select((relu > 0), conv_dgrad(dy, w), 0)", NULL, NNR_PHASE_BACKWARD, false, 59202863104, 86507520, 2, (const NnrShare[]){{171, NNR_PHASE_BACKWARD, 5.919e+10}, {167, NNR_PHASE_BACKWARD, 1.28451e+07}}},
	{"conv_wgrad_512x3x3x512", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{171, NNR_PHASE_BACKWARD, 5.919e+10}}},
	STEP_BATCHNORM_BACKWARD_SUMS_12544X512(169), STEP_BATCHNORM_BACKWARD_12544X512(169),
	{"conv_dgrad_relu_backward_add_backward_256x7x7x2048", "select((relu > 0), (select((relu(add) > 0), dy_2, 0) + conv_dgrad(dy, w)), 0)", NULL, NNR_PHASE_BACKWARD, false, 26460815360, 340262912, 3, (const NnrShare[]){{168, NNR_PHASE_BACKWARD, 2.63195e+10}, {176, NNR_PHASE_BACKWARD, 8.99154e+07}, {166, NNR_PHASE_BACKWARD, 5.13802e+07}}},
	{"conv_wgrad_512x1x1x2048", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{168, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_backward_sums_12544x2048", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 102778880, 205578240, 1, (const NnrShare[]){{165, NNR_PHASE_BACKWARD, 1.02779e+08}}},
	{"batchnorm_backward_12544x2048", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 128450560, 308314112, 1, (const NnrShare[]){{165, NNR_PHASE_BACKWARD, 1.28451e+08}}},
	STEP_CONV_DGRAD_RELU_BACKWARD_256X7X7X512(164), STEP_CONV_WGRAD_2048X1X1X512(164), STEP_BATCHNORM_BACKWARD_SUMS_12544X512(162),
	STEP_BATCHNORM_BACKWARD_12544X512(162),
	{"conv_dgrad_relu_backward_256x7x7x512_2", "select((relu > 0), conv_dgrad(dy, w), 0)", NULL, NNR_PHASE_BACKWARD, false, 59202863104, 86507520, 2, (const NnrShare[]){{161, NNR_PHASE_BACKWARD, 5.919e+10}, {157, NNR_PHASE_BACKWARD, 1.28451e+07}}},
	{"conv_wgrad_512x3x3x512", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{161, NNR_PHASE_BACKWARD, 5.919e+10}}},
	STEP_BATCHNORM_BACKWARD_SUMS_12544X512(159), STEP_BATCHNORM_BACKWARD_12544X512(159),
	{"conv_dgrad_add_backward_relu_backward_256x7x7x2048", "select((relu > 0), (dy_2 + conv_dgrad(dy, w)), 0)", NULL, NNR_PHASE_BACKWARD, false, 26383745024, 338165760, 3, (const NnrShare[]){{158, NNR_PHASE_BACKWARD, 2.63195e+10}, {166, NNR_PHASE_BACKWARD, 1.28451e+07}, {156, NNR_PHASE_BACKWARD, 5.13802e+07}}},
	{"conv_wgrad_512x1x1x2048", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{158, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_backward_sums_12544x2048_2", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 179867648, 308396032, 2, (const NnrShare[]){{152, NNR_PHASE_BACKWARD, 8.99338e+07}, {155, NNR_PHASE_BACKWARD, 8.99338e+07}}},
	{"batchnorm_backward_12544x2048", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 128450560, 308314112, 1, (const NnrShare[]){{155, NNR_PHASE_BACKWARD, 1.28451e+08}}},
	{"conv_wgrad_2048x1x1x1024", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 52613349376, 316669952, 1, (const NnrShare[]){{154, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"batchnorm_backward_12544x2048_2", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 128450560, 308314112, 1, (const NnrShare[]){{152, NNR_PHASE_BACKWARD, 1.28451e+08}}},
	STEP_CONV_DGRAD_RELU_BACKWARD_256X7X7X512(151), STEP_CONV_WGRAD_2048X1X1X512(151), STEP_BATCHNORM_BACKWARD_SUMS_12544X512(149),
	STEP_BATCHNORM_BACKWARD_12544X512(149),
	{"conv_dgrad_relu_backward_256x14x14x512", "select((relu > 0), conv_dgrad(dy, w), 0)", NULL, NNR_PHASE_BACKWARD, false, 59241398272, 240648192, 2, (const NnrShare[]){{148, NNR_PHASE_BACKWARD, 5.919e+10}, {144, NNR_PHASE_BACKWARD, 5.13802e+07}}},
	{"conv_wgrad_512x3x3x512_2", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 59190018048, 137887744, 1, (const NnrShare[]){{148, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_backward_sums_50176x512", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 102765056, 205535232, 1, (const NnrShare[]){{146, NNR_PHASE_BACKWARD, 1.02765e+08}}},
	{"batchnorm_backward_50176x512", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 128450560, 308289536, 1, (const NnrShare[]){{146, NNR_PHASE_BACKWARD, 1.28451e+08}}},
	{"conv_dgrad_256x14x14x1024", "conv_dgrad(dy, w)", NULL, NNR_PHASE_BACKWARD, false, 52613349376, 310378496, 1, (const NnrShare[]){{145, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"conv_dgrad_add_backward_relu_backward_256x14x14x1024", "select((relu > 0), (conv_dgrad(dy, w) + conv_dgrad), 0)", NULL, NNR_PHASE_BACKWARD, false, 52767490048, 727711744, 3, (const NnrShare[]){{154, NNR_PHASE_BACKWARD, 5.2639e+10}, {145, NNR_PHASE_BACKWARD, 2.56901e+07}, {143, NNR_PHASE_BACKWARD, 1.0276e+08}}},
	{"conv_wgrad_512x1x1x1024", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 52613349376, 310378496, 1, (const NnrShare[]){{145, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	STEP_BATCHNORM_BACKWARD_SUMS_50176X1024(142), STEP_BATCHNORM_BACKWARD_50176X1024(142), STEP_CONV_DGRAD_RELU_BACKWARD_256X14X14X256(141),
	STEP_CONV_WGRAD_1024X1X1X256(141), STEP_BATCHNORM_BACKWARD_SUMS_50176X256(139), STEP_BATCHNORM_BACKWARD_50176X256(139),
	STEP_CONV_DGRAD_RELU_BACKWARD_256X14X14X256_2(138), STEP_CONV_WGRAD_256X3X3X256(138), STEP_BATCHNORM_BACKWARD_SUMS_50176X256(136),
	STEP_BATCHNORM_BACKWARD_50176X256(136), STEP_CONV_DGRAD_ADD_BACKWARD_RELU_BACKWARD_256X14X14X1024_2(135), STEP_CONV_WGRAD_256X1X1X1024(135),
	STEP_BATCHNORM_BACKWARD_SUMS_50176X1024(132), STEP_BATCHNORM_BACKWARD_50176X1024(132), STEP_CONV_DGRAD_RELU_BACKWARD_256X14X14X256(131),
	STEP_CONV_WGRAD_1024X1X1X256(131), STEP_BATCHNORM_BACKWARD_SUMS_50176X256(129), STEP_BATCHNORM_BACKWARD_50176X256(129),
	STEP_CONV_DGRAD_RELU_BACKWARD_256X14X14X256_2(128), STEP_CONV_WGRAD_256X3X3X256(128), STEP_BATCHNORM_BACKWARD_SUMS_50176X256(126),
	STEP_BATCHNORM_BACKWARD_50176X256(126), STEP_CONV_DGRAD_ADD_BACKWARD_RELU_BACKWARD_256X14X14X1024_2(125), STEP_CONV_WGRAD_256X1X1X1024(125),
	STEP_BATCHNORM_BACKWARD_SUMS_50176X1024(122), STEP_BATCHNORM_BACKWARD_50176X1024(122), STEP_CONV_DGRAD_RELU_BACKWARD_256X14X14X256(121),
	STEP_CONV_WGRAD_1024X1X1X256(121), STEP_BATCHNORM_BACKWARD_SUMS_50176X256(119), STEP_BATCHNORM_BACKWARD_50176X256(119),
	STEP_CONV_DGRAD_RELU_BACKWARD_256X14X14X256_2(118), STEP_CONV_WGRAD_256X3X3X256(118), STEP_BATCHNORM_BACKWARD_SUMS_50176X256(116),
	STEP_BATCHNORM_BACKWARD_50176X256(116), STEP_CONV_DGRAD_ADD_BACKWARD_RELU_BACKWARD_256X14X14X1024_2(115), STEP_CONV_WGRAD_256X1X1X1024(115),
	STEP_BATCHNORM_BACKWARD_SUMS_50176X1024(112), STEP_BATCHNORM_BACKWARD_50176X1024(112), STEP_CONV_DGRAD_RELU_BACKWARD_256X14X14X256(111),
	STEP_CONV_WGRAD_1024X1X1X256(111), STEP_BATCHNORM_BACKWARD_SUMS_50176X256(109), STEP_BATCHNORM_BACKWARD_50176X256(109),
	STEP_CONV_DGRAD_RELU_BACKWARD_256X14X14X256_2(108), STEP_CONV_WGRAD_256X3X3X256(108), STEP_BATCHNORM_BACKWARD_SUMS_50176X256(106),
	STEP_BATCHNORM_BACKWARD_50176X256(106), STEP_CONV_DGRAD_ADD_BACKWARD_RELU_BACKWARD_256X14X14X1024_2(105), STEP_CONV_WGRAD_256X1X1X1024(105),
	STEP_BATCHNORM_BACKWARD_SUMS_50176X1024(102), STEP_BATCHNORM_BACKWARD_50176X1024(102), STEP_CONV_DGRAD_RELU_BACKWARD_256X14X14X256(101),
	STEP_CONV_WGRAD_1024X1X1X256(101), STEP_BATCHNORM_BACKWARD_SUMS_50176X256(99), STEP_BATCHNORM_BACKWARD_50176X256(99),
	STEP_CONV_DGRAD_RELU_BACKWARD_256X14X14X256_2(98), STEP_CONV_WGRAD_256X3X3X256(98), STEP_BATCHNORM_BACKWARD_SUMS_50176X256(96),
	STEP_BATCHNORM_BACKWARD_50176X256(96), STEP_CONV_DGRAD_ADD_BACKWARD_RELU_BACKWARD_256X14X14X1024_2(95), STEP_CONV_WGRAD_256X1X1X1024(95),
	{"batchnorm_backward_sums_50176x1024_2", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 359680000, 616620032, 2, (const NnrShare[]){{89, NNR_PHASE_BACKWARD, 1.7984e+08}, {92, NNR_PHASE_BACKWARD, 1.7984e+08}}},
	STEP_BATCHNORM_BACKWARD_50176X1024(92),
	{"conv_wgrad_1024x1x1x512", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 52613349376, 618659840, 1, (const NnrShare[]){{91, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"batchnorm_backward_50176x1024_2", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 256901120, 616579072, 1, (const NnrShare[]){{89, NNR_PHASE_BACKWARD, 2.56901e+08}}},
	STEP_CONV_DGRAD_RELU_BACKWARD_256X14X14X256(88), STEP_CONV_WGRAD_1024X1X1X256(88), STEP_BATCHNORM_BACKWARD_SUMS_50176X256(86),
	STEP_BATCHNORM_BACKWARD_50176X256(86),
	{"conv_dgrad_relu_backward_256x28x28x256", "select((relu > 0), conv_dgrad(dy, w), 0)", NULL, NNR_PHASE_BACKWARD, false, 59292778496, 464781312, 2, (const NnrShare[]){{85, NNR_PHASE_BACKWARD, 5.919e+10}, {81, NNR_PHASE_BACKWARD, 1.0276e+08}}},
	{"conv_wgrad_256x3x3x256_2", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 59190018048, 259260416, 1, (const NnrShare[]){{85, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_backward_sums_200704x256", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 205523200, 411048960, 1, (const NnrShare[]){{83, NNR_PHASE_BACKWARD, 2.05523e+08}}},
	{"batchnorm_backward_200704x256", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 256901120, 616566784, 1, (const NnrShare[]){{83, NNR_PHASE_BACKWARD, 2.56901e+08}}},
	{"conv_dgrad_256x28x28x512", "conv_dgrad(dy, w)", NULL, NNR_PHASE_BACKWARD, false, 52613349376, 617086976, 1, (const NnrShare[]){{82, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"conv_dgrad_add_backward_relu_backward_256x28x28x512", "select((relu > 0), (conv_dgrad(dy, w) + conv_dgrad), 0)", NULL, NNR_PHASE_BACKWARD, false, 52921630720, 1440743424, 3, (const NnrShare[]){{91, NNR_PHASE_BACKWARD, 5.26647e+10}, {82, NNR_PHASE_BACKWARD, 5.13802e+07}, {80, NNR_PHASE_BACKWARD, 2.05521e+08}}},
	{"conv_wgrad_256x1x1x512", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 52613349376, 617086976, 1, (const NnrShare[]){{82, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	STEP_BATCHNORM_BACKWARD_SUMS_200704X512(79), STEP_BATCHNORM_BACKWARD_200704X512(79), STEP_CONV_DGRAD_RELU_BACKWARD_256X28X28X128(78),
	STEP_CONV_WGRAD_512X1X1X128(78), STEP_BATCHNORM_BACKWARD_SUMS_200704X128(76), STEP_BATCHNORM_BACKWARD_200704X128(76),
	STEP_CONV_DGRAD_RELU_BACKWARD_256X28X28X128_2(75), STEP_CONV_WGRAD_128X3X3X128(75), STEP_BATCHNORM_BACKWARD_SUMS_200704X128(73),
	STEP_BATCHNORM_BACKWARD_200704X128(73), STEP_CONV_DGRAD_ADD_BACKWARD_RELU_BACKWARD_256X28X28X512_2(72), STEP_CONV_WGRAD_128X1X1X512(72),
	STEP_BATCHNORM_BACKWARD_SUMS_200704X512(69), STEP_BATCHNORM_BACKWARD_200704X512(69), STEP_CONV_DGRAD_RELU_BACKWARD_256X28X28X128(68),
	STEP_CONV_WGRAD_512X1X1X128(68), STEP_BATCHNORM_BACKWARD_SUMS_200704X128(66), STEP_BATCHNORM_BACKWARD_200704X128(66),
	STEP_CONV_DGRAD_RELU_BACKWARD_256X28X28X128_2(65), STEP_CONV_WGRAD_128X3X3X128(65), STEP_BATCHNORM_BACKWARD_SUMS_200704X128(63),
	STEP_BATCHNORM_BACKWARD_200704X128(63), STEP_CONV_DGRAD_ADD_BACKWARD_RELU_BACKWARD_256X28X28X512_2(62), STEP_CONV_WGRAD_128X1X1X512(62),
	STEP_BATCHNORM_BACKWARD_SUMS_200704X512(59), STEP_BATCHNORM_BACKWARD_200704X512(59), STEP_CONV_DGRAD_RELU_BACKWARD_256X28X28X128(58),
	STEP_CONV_WGRAD_512X1X1X128(58), STEP_BATCHNORM_BACKWARD_SUMS_200704X128(56), STEP_BATCHNORM_BACKWARD_200704X128(56),
	STEP_CONV_DGRAD_RELU_BACKWARD_256X28X28X128_2(55), STEP_CONV_WGRAD_128X3X3X128(55), STEP_BATCHNORM_BACKWARD_SUMS_200704X128(53),
	STEP_BATCHNORM_BACKWARD_200704X128(53), STEP_CONV_DGRAD_ADD_BACKWARD_RELU_BACKWARD_256X28X28X512_2(52), STEP_CONV_WGRAD_128X1X1X512(52),
	{"batchnorm_backward_sums_200704x512_2", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 719332352, 1233154048, 2, (const NnrShare[]){{46, NNR_PHASE_BACKWARD, 3.59666e+08}, {49, NNR_PHASE_BACKWARD, 3.59666e+08}}},
	STEP_BATCHNORM_BACKWARD_200704X512(49),
	{"conv_wgrad_512x1x1x256", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 52613349376, 1233649664, 1, (const NnrShare[]){{48, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"batchnorm_backward_200704x512_2", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 513802240, 1233133568, 1, (const NnrShare[]){{46, NNR_PHASE_BACKWARD, 5.13802e+08}}},
	STEP_CONV_DGRAD_RELU_BACKWARD_256X28X28X128(45), STEP_CONV_WGRAD_512X1X1X128(45), STEP_BATCHNORM_BACKWARD_SUMS_200704X128(43),
	STEP_BATCHNORM_BACKWARD_200704X128(43),
	{"conv_dgrad_relu_backward_256x56x56x128", "select((relu > 0), conv_dgrad(dy, w), 0)", NULL, NNR_PHASE_BACKWARD, false, 59395538944, 925433856, 2, (const NnrShare[]){{42, NNR_PHASE_BACKWARD, 5.919e+10}, {38, NNR_PHASE_BACKWARD, 2.05521e+08}}},
	{"conv_wgrad_128x3x3x128_2", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 59190018048, 514392064, 1, (const NnrShare[]){{42, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_backward_sums_802816x128", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 411042944, 822087168, 1, (const NnrShare[]){{40, NNR_PHASE_BACKWARD, 4.11043e+08}}},
	{"batchnorm_backward_802816x128", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 513802240, 1233127424, 1, (const NnrShare[]){{40, NNR_PHASE_BACKWARD, 5.13802e+08}}},
	{"conv_dgrad_256x56x56x256", "conv_dgrad(dy, w)", NULL, NNR_PHASE_BACKWARD, false, 52613349376, 1233256448, 1, (const NnrShare[]){{39, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"conv_dgrad_add_backward_relu_backward_256x56x56x256", "select((relu > 0), (conv_dgrad(dy, w) + conv_dgrad), 0)", NULL, NNR_PHASE_BACKWARD, false, 53229912064, 2877816832, 3, (const NnrShare[]){{48, NNR_PHASE_BACKWARD, 5.27161e+10}, {39, NNR_PHASE_BACKWARD, 1.0276e+08}, {37, NNR_PHASE_BACKWARD, 4.11042e+08}}},
	{"conv_wgrad_128x1x1x256", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 52613349376, 1233256448, 1, (const NnrShare[]){{39, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"batchnorm_backward_sums_802816x256", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 822085888, 1644174336, 1, (const NnrShare[]){{36, NNR_PHASE_BACKWARD, 8.22086e+08}}},
	STEP_BATCHNORM_BACKWARD_802816X256(36), STEP_CONV_DGRAD_RELU_BACKWARD_256X56X56X64(35), STEP_CONV_WGRAD_256X1X1X64(35),
	STEP_BATCHNORM_BACKWARD_SUMS_802816X64(33), STEP_BATCHNORM_BACKWARD_802816X64(33), STEP_CONV_DGRAD_RELU_BACKWARD_256X56X56X64_2(32),
	STEP_CONV_WGRAD_64X3X3X64(32), STEP_BATCHNORM_BACKWARD_SUMS_802816X64(30), STEP_BATCHNORM_BACKWARD_802816X64(30),
	{"conv_dgrad_add_backward_relu_backward_256x56x56x256_2", "select((relu > 0), (dy_2 + conv_dgrad(dy, w)), 0)", NULL, NNR_PHASE_BACKWARD, false, 26923237376, 2671837184, 3, (const NnrShare[]){{29, NNR_PHASE_BACKWARD, 2.64094e+10}, {37, NNR_PHASE_BACKWARD, 1.0276e+08}, {27, NNR_PHASE_BACKWARD, 4.11042e+08}}},
	{"conv_wgrad_64x1x1x256", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{29, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_backward_sums_802816x256", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 822085888, 1644174336, 1, (const NnrShare[]){{26, NNR_PHASE_BACKWARD, 8.22086e+08}}},
	STEP_BATCHNORM_BACKWARD_802816X256(26), STEP_CONV_DGRAD_RELU_BACKWARD_256X56X56X64(25), STEP_CONV_WGRAD_256X1X1X64(25),
	STEP_BATCHNORM_BACKWARD_SUMS_802816X64(23), STEP_BATCHNORM_BACKWARD_802816X64(23), STEP_CONV_DGRAD_RELU_BACKWARD_256X56X56X64_2(22),
	STEP_CONV_WGRAD_64X3X3X64(22), STEP_BATCHNORM_BACKWARD_SUMS_802816X64(20), STEP_BATCHNORM_BACKWARD_802816X64(20),
	{"conv_dgrad_add_backward_relu_backward_256x56x56x256_2", "select((relu > 0), (dy_2 + conv_dgrad(dy, w)), 0)", NULL, NNR_PHASE_BACKWARD, false, 26923237376, 2671837184, 3, (const NnrShare[]){{19, NNR_PHASE_BACKWARD, 2.64094e+10}, {27, NNR_PHASE_BACKWARD, 1.0276e+08}, {17, NNR_PHASE_BACKWARD, 4.11042e+08}}},
	{"conv_wgrad_64x1x1x256", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{19, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_backward_sums_802816x256_2", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 1438650880, 2466265088, 2, (const NnrShare[]){{13, NNR_PHASE_BACKWARD, 7.19325e+08}, {16, NNR_PHASE_BACKWARD, 7.19325e+08}}},
	STEP_BATCHNORM_BACKWARD_802816X256(16), STEP_CONV_WGRAD_256X1X1X64(15),
	{"batchnorm_backward_802816x256_2", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 1027604480, 2466254848, 1, (const NnrShare[]){{13, NNR_PHASE_BACKWARD, 1.0276e+09}}},
	STEP_CONV_DGRAD_RELU_BACKWARD_256X56X56X64(12), STEP_CONV_WGRAD_256X1X1X64(12), STEP_BATCHNORM_BACKWARD_SUMS_802816X64(10),
	STEP_BATCHNORM_BACKWARD_802816X64(10), STEP_CONV_DGRAD_RELU_BACKWARD_256X56X56X64_2(9), STEP_CONV_WGRAD_64X3X3X64(9),
	STEP_BATCHNORM_BACKWARD_SUMS_802816X64(7), STEP_BATCHNORM_BACKWARD_802816X64(7),
	{"conv_dgrad_256x56x56x64", "conv_dgrad(dy, w)", NULL, NNR_PHASE_BACKWARD, false, 6576668672, 411058176, 1, (const NnrShare[]){{6, NNR_PHASE_BACKWARD, 6.57667e+09}}},
	{"conv_dgrad_add_backward_256x56x56x64", "conv_dgrad(dy, w) + conv_dgrad", NULL, NNR_PHASE_BACKWARD, false, 26358054912, 1233190912, 2, (const NnrShare[]){{15, NNR_PHASE_BACKWARD, 2.63324e+10}, {6, NNR_PHASE_BACKWARD, 2.56901e+07}}},
	{"conv_wgrad_64x1x1x64", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 6576668672, 411058176, 1, (const NnrShare[]){{6, NNR_PHASE_BACKWARD, 6.57667e+09}}},
	{"maxpool_relu_backward_256x112x112x64", "select((x > 0), maxpool_grad(dy, x, y), 0)", NULL, NNR_PHASE_BACKWARD, false, 873463808, 2055208960, 1, (const NnrShare[]){{1, NNR_PHASE_BACKWARD, 8.73464e+08}}},
	{"batchnorm_backward_sums_3211264x64", "batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 822084160, 1644168960, 1, (const NnrShare[]){{3, NNR_PHASE_BACKWARD, 8.22084e+08}}},
	{"batchnorm_backward_3211264x64", "(dy * scale) + (((conv - mean) * centred_scale) + shift)", NULL, NNR_PHASE_BACKWARD, false, 1027604480, 2466251776, 1, (const NnrShare[]){{3, NNR_PHASE_BACKWARD, 1.0276e+09}}},
	{"conv_wgrad_64x7x7x3", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 60423143424, 976261888, 1, (const NnrShare[]){{2, NNR_PHASE_BACKWARD, 6.04231e+10}}},
	{"sgd_25557032", "sgd", NULL, NNR_PHASE_UPDATE, false, 178899224, 511140640, 108, (const NnrShare[]){{2, NNR_PHASE_UPDATE, 9408}, {6, NNR_PHASE_UPDATE, 4096}, {9, NNR_PHASE_UPDATE, 36864}, {12, NNR_PHASE_UPDATE, 16384}, {15, NNR_PHASE_UPDATE, 16384}, {19, NNR_PHASE_UPDATE, 16384}, {22, NNR_PHASE_UPDATE, 36864}, {25, NNR_PHASE_UPDATE, 16384}, {29, NNR_PHASE_UPDATE, 16384}, {32, NNR_PHASE_UPDATE, 36864}, {35, NNR_PHASE_UPDATE, 16384}, {39, NNR_PHASE_UPDATE, 32768}, {42, NNR_PHASE_UPDATE, 147456}, {45, NNR_PHASE_UPDATE, 65536}, {48, NNR_PHASE_UPDATE, 131072}, {52, NNR_PHASE_UPDATE, 65536}, {55, NNR_PHASE_UPDATE, 147456}, {58, NNR_PHASE_UPDATE, 65536}, {62, NNR_PHASE_UPDATE, 65536}, {65, NNR_PHASE_UPDATE, 147456}, {68, NNR_PHASE_UPDATE, 65536}, {72, NNR_PHASE_UPDATE, 65536}, {75, NNR_PHASE_UPDATE, 147456}, {78, NNR_PHASE_UPDATE, 65536}, {82, NNR_PHASE_UPDATE, 131072}, {85, NNR_PHASE_UPDATE, 589824}, {88, NNR_PHASE_UPDATE, 262144}, {91, NNR_PHASE_UPDATE, 524288}, {95, NNR_PHASE_UPDATE, 262144}, {98, NNR_PHASE_UPDATE, 589824}, {101, NNR_PHASE_UPDATE, 262144}, {105, NNR_PHASE_UPDATE, 262144}, {108, NNR_PHASE_UPDATE, 589824}, {111, NNR_PHASE_UPDATE, 262144}, {115, NNR_PHASE_UPDATE, 262144}, {118, NNR_PHASE_UPDATE, 589824}, {121, NNR_PHASE_UPDATE, 262144}, {125, NNR_PHASE_UPDATE, 262144}, {128, NNR_PHASE_UPDATE, 589824}, {131, NNR_PHASE_UPDATE, 262144}, {135, NNR_PHASE_UPDATE, 262144}, {138, NNR_PHASE_UPDATE, 589824}, {141, NNR_PHASE_UPDATE, 262144}, {145, NNR_PHASE_UPDATE, 524288}, {148, NNR_PHASE_UPDATE, 2.3593e+06}, {151, NNR_PHASE_UPDATE, 1.04858e+06}, {154, NNR_PHASE_UPDATE, 2.09715e+06}, {158, NNR_PHASE_UPDATE, 1.04858e+06}, {161, NNR_PHASE_UPDATE, 2.3593e+06}, {164, NNR_PHASE_UPDATE, 1.04858e+06}, {168, NNR_PHASE_UPDATE, 1.04858e+06}, {171, NNR_PHASE_UPDATE, 2.3593e+06}, {174, NNR_PHASE_UPDATE, 1.04858e+06}, {177, NNR_PHASE_UPDATE, 2.049e+06}, {3, NNR_PHASE_UPDATE, 128}, {7, NNR_PHASE_UPDATE, 128}, {10, NNR_PHASE_UPDATE, 128}, {13, NNR_PHASE_UPDATE, 512}, {16, NNR_PHASE_UPDATE, 512}, {20, NNR_PHASE_UPDATE, 128}, {23, NNR_PHASE_UPDATE, 128}, {26, NNR_PHASE_UPDATE, 512}, {30, NNR_PHASE_UPDATE, 128}, {33, NNR_PHASE_UPDATE, 128}, {36, NNR_PHASE_UPDATE, 512}, {40, NNR_PHASE_UPDATE, 256}, {43, NNR_PHASE_UPDATE, 256}, {46, NNR_PHASE_UPDATE, 1024}, {49, NNR_PHASE_UPDATE, 1024}, {53, NNR_PHASE_UPDATE, 256}, {56, NNR_PHASE_UPDATE, 256}, {59, NNR_PHASE_UPDATE, 1024}, {63, NNR_PHASE_UPDATE, 256}, {66, NNR_PHASE_UPDATE, 256}, {69, NNR_PHASE_UPDATE, 1024}, {73, NNR_PHASE_UPDATE, 256}, {76, NNR_PHASE_UPDATE, 256}, {79, NNR_PHASE_UPDATE, 1024}, {83, NNR_PHASE_UPDATE, 512}, {86, NNR_PHASE_UPDATE, 512}, {89, NNR_PHASE_UPDATE, 2048}, {92, NNR_PHASE_UPDATE, 2048}, {96, NNR_PHASE_UPDATE, 512}, {99, NNR_PHASE_UPDATE, 512}, {102, NNR_PHASE_UPDATE, 2048}, {106, NNR_PHASE_UPDATE, 512}, {109, NNR_PHASE_UPDATE, 512}, {112, NNR_PHASE_UPDATE, 2048}, {116, NNR_PHASE_UPDATE, 512}, {119, NNR_PHASE_UPDATE, 512}, {122, NNR_PHASE_UPDATE, 2048}, {126, NNR_PHASE_UPDATE, 512}, {129, NNR_PHASE_UPDATE, 512}, {132, NNR_PHASE_UPDATE, 2048}, {136, NNR_PHASE_UPDATE, 512}, {139, NNR_PHASE_UPDATE, 512}, {142, NNR_PHASE_UPDATE, 2048}, {146, NNR_PHASE_UPDATE, 1024}, {149, NNR_PHASE_UPDATE, 1024}, {152, NNR_PHASE_UPDATE, 4096}, {155, NNR_PHASE_UPDATE, 4096}, {159, NNR_PHASE_UPDATE, 1024}, {162, NNR_PHASE_UPDATE, 1024}, {165, NNR_PHASE_UPDATE, 4096}, {169, NNR_PHASE_UPDATE, 1024}, {172, NNR_PHASE_UPDATE, 1024}, {175, NNR_PHASE_UPDATE, 4096}, {180, NNR_PHASE_UPDATE, 0}}},
};
static const char *const lines[] = {
	"# resnet.net: residual networks of 18, 34, 50, 101 and 152 layers, v1.5.",
	"#",
	"# He, Zhang, Ren, Sun: Deep residual learning for image recognition (2015); v1.5 puts the stride on the 3x3",
	"# convolution of a bottleneck. Every depth has a file of its own: resnet18.net to resnet152.net.",
	"use \042blocks/resnet.net\042",
	"",
	"model resnet(depth = 50, classes = 1000, size = 224, width = 64, batchnorm = true) {",
	"    input  image: u8[size, size, 3]",
	"    target label: class[classes]",
	"",
	"    x = image -> normalize(imagenet) -> resnet(depth, width, batchnorm, name = \042\042)",
	"    logits = x -> avgpool(global) -> dense(classes)",
	"",
	"    loss   cross_entropy(logits, label)",
	"    metric top1(logits, label)",
	"    output logits",
	"}",
	"",
	"train resnet as imagenet {",
	"    data      images",
	"    augment   flip",
	"    optimizer sgd(momentum = 0.9, decay = 1e-4)",
	"    rate      0.1 warmup 5ep cosine",
	"    batch     256",
	"    epochs    90",
	"    precision tf32",
	"}",
	"",
	"train resnet as cifar10 with (classes = 10, size = 32) {",
	"    data      cifar10 augment flip, crop(pad = 4)",
	"    optimizer sgd(momentum = 0.9, nesterov = true, decay = 5e-4)",
	"    rate      0.1 warmup 5ep cosine",
	"    batch     128",
	"    epochs    30",
	"    precision tf32",
	"}",
};
static const char *const lines_2[] = {
	"# Residual networks of 18, 34, 50, 101 and 152 layers, v1.5, without their heads. He, Zhang, Ren, Sun: Deep residual",
	"# learning for image recognition (2015).",
	"use \042residual.net\042",
	"",
	"# Of normalised images, a thirty-second as high and wide: normalize(imagenet) -> resnet(18, name = \042\042) -> avgpool(global)",
	"# -> dense(3). By name = \042\042 the parameters are called as those of resnet18.net, whose weights then fit.",
	"block resnet(x, depth = 50, width = 64, batchnorm = true) {",
	"    counts = if depth == 18 then [2, 2, 2, 2]",
	"             else if depth == 34 or depth == 50 then [3, 4, 6, 3]",
	"             else if depth == 101 then [3, 4, 23, 3]",
	"             else if depth == 152 then [3, 8, 36, 3] else []",
	"    assert len(counts) == 4, \042residual networks have 18, 34, 50, 101 or 152 layers\042",
	"",
	"    x = x -> conv_bn(width, 7, 2, batchnorm) -> relu -> maxpool(3, 2, pad = 1)",
	"    for stage in range(4) {",
	"        for i in range(counts[stage]) {",
	"            stride = if stage > 0 and i == 0 then 2 else 1",
	"            x = if depth < 50 then x -> basic(2**stage*width, stride, batchnorm)",
	"                else x -> bottleneck(2**stage*width, stride, batchnorm)",
	"        }",
	"    }",
	"    return x",
	"}",
};
static const char *const lines_3[] = {
	"# Blocks of residual networks. He, Zhang, Ren, Sun: Deep residual learning for image recognition (2015).",
	"",
	"# Convolution without bias, then batch normalisation. Padding keeps the size, up to the stride. Where there is no",
	"# normalisation, the weights must keep the variance; those that end a branch begin as zeros, so that every block",
	"# begins as its shortcut (Zhang, Dauphin, Ma: Fixup initialization, 2019).",
	"block conv_bn(x, filters, size, stride = 1, batchnorm = true, ends_branch = false) {",
	"    conv = x -> conv(filters, size, stride, pad = size//2, bias = false,",
	"                     init = if ends_branch and not batchnorm then zeros else kaiming_normal)",
	"    return if batchnorm then conv -> batchnorm else conv",
	"}",
	"",
	"# Two 3x3 convolutions; the first has the stride.",
	"block basic(x, width, stride = 1, batchnorm = true) {",
	"    y = x -> conv_bn(width, 3, stride, batchnorm) -> relu",
	"          -> conv_bn(width, 3, 1, batchnorm, ends_branch = true)",
	"    shortcut = if stride == 1 and x.channels == width then x",
	"               else x -> conv_bn(width, 1, stride, batchnorm)",
	"    return relu(y + shortcut)",
	"}",
	"",
	"# 1x1 to `width` channels, 3x3, 1x1 to four times as many; the stride is on the 3x3 (v1.5, as in torchvision).",
	"block bottleneck(x, width, stride = 1, batchnorm = true) {",
	"    y = x -> conv_bn(width, 1, 1, batchnorm)      -> relu",
	"          -> conv_bn(width, 3, stride, batchnorm) -> relu",
	"          -> conv_bn(4*width, 1, 1, batchnorm, ends_branch = true)",
	"    shortcut = if stride == 1 and x.channels == 4*width then x",
	"               else x -> conv_bn(4*width, 1, stride, batchnorm)",
	"    return relu(y + shortcut)",
	"}",
	"",
	"# He, Zhang, Ren, Sun: Identity mappings in deep residual networks (2016), as in fb.resnet.torch: normalisation and ReLU",
	"# come first, and where the shapes change the shortcut begins after them too.",
	"block preactivated(x, width, stride = 1) {",
	"    a = x -> batchnorm -> relu",
	"    y = a -> conv_bn(width, 1)         -> relu",
	"          -> conv_bn(width, 3, stride) -> relu",
	"          -> conv(4*width, 1, bias = false, init = kaiming_normal)",
	"    shortcut = if stride == 1 and x.channels == 4*width then x",
	"               else a -> conv(4*width, 1, stride, bias = false, init = kaiming_normal)",
	"    return y + shortcut",
	"}",
};
static const char *const lines_4[] = {
	"# resnet50.net: 50 layers with residual connections, v1.5.",
	"#",
	"# He, Zhang, Ren, Sun: Deep residual learning for image recognition (2015).",
	"# Parameters: 25,557,032 at 1000 classes, 23,528,522 at 10. Forward pass: 8.2 GFLOP for an image of 224x224.",
	"# Expected: torchvision reports 76.1 % top-1 on ImageNet for this network after 90 epochs; not repeated here.",
	"use \042resnet.net\042",
	"",
	"model resnet50 from resnet with (depth = 50)",
};
/* What nnc was told, and what it made of that: a trainer for other ranks is made, and known, by it. */
static const char *const words[] = {
	"--march=native",
	"--library=none",
	NULL,
};
static const char program[] = "nnc program 58dd467a8dd9fefb for 1 ranks";
static const NnrSource sources[] = {
	{"resnet.net", lines, 36},
	{"blocks/resnet.net", lines_2, 23},
	{"blocks/residual.net", lines_3, 41},
	{"resnet50.net", lines_4, 8},
};
static const NnrPlace places[] = {
	{0, 11, -1, ""}, {1, 14, 0, ""}, {2, 7, 1, "conv_bn"}, {2, 9, 1, "conv_bn"}, {1, 19, 0, ""}, {2, 23, 4, "bottleneck"},
	{2, 7, 5, "bottleneck.conv_bn"}, {2, 9, 5, "bottleneck.conv_bn"}, {2, 24, 4, "bottleneck"}, {2, 7, 8, "bottleneck.conv_bn_2"},
	{2, 9, 8, "bottleneck.conv_bn_2"}, {2, 25, 4, "bottleneck"}, {2, 7, 11, "bottleneck.conv_bn_3"}, {2, 9, 11, "bottleneck.conv_bn_3"},
	{2, 27, 4, "bottleneck"}, {2, 7, 14, "bottleneck.conv_bn_4"}, {2, 9, 14, "bottleneck.conv_bn_4"}, {2, 28, 4, "bottleneck"},
	{2, 23, 4, "bottleneck_2"}, {2, 7, 18, "bottleneck_2.conv_bn"}, {2, 9, 18, "bottleneck_2.conv_bn"}, {2, 24, 4, "bottleneck_2"},
	{2, 7, 21, "bottleneck_2.conv_bn_2"}, {2, 9, 21, "bottleneck_2.conv_bn_2"}, {2, 25, 4, "bottleneck_2"}, {2, 7, 24, "bottleneck_2.conv_bn_3"},
	{2, 9, 24, "bottleneck_2.conv_bn_3"}, {2, 28, 4, "bottleneck_2"}, {2, 23, 4, "bottleneck_3"}, {2, 7, 28, "bottleneck_3.conv_bn"},
	{2, 9, 28, "bottleneck_3.conv_bn"}, {2, 24, 4, "bottleneck_3"}, {2, 7, 31, "bottleneck_3.conv_bn_2"}, {2, 9, 31, "bottleneck_3.conv_bn_2"},
	{2, 25, 4, "bottleneck_3"}, {2, 7, 34, "bottleneck_3.conv_bn_3"}, {2, 9, 34, "bottleneck_3.conv_bn_3"}, {2, 28, 4, "bottleneck_3"},
	{2, 23, 4, "bottleneck_4"}, {2, 7, 38, "bottleneck_4.conv_bn"}, {2, 9, 38, "bottleneck_4.conv_bn"}, {2, 24, 4, "bottleneck_4"},
	{2, 7, 41, "bottleneck_4.conv_bn_2"}, {2, 9, 41, "bottleneck_4.conv_bn_2"}, {2, 25, 4, "bottleneck_4"}, {2, 7, 44, "bottleneck_4.conv_bn_3"},
	{2, 9, 44, "bottleneck_4.conv_bn_3"}, {2, 27, 4, "bottleneck_4"}, {2, 7, 47, "bottleneck_4.conv_bn_4"}, {2, 9, 47, "bottleneck_4.conv_bn_4"},
	{2, 28, 4, "bottleneck_4"}, {2, 23, 4, "bottleneck_5"}, {2, 7, 51, "bottleneck_5.conv_bn"}, {2, 9, 51, "bottleneck_5.conv_bn"},
	{2, 24, 4, "bottleneck_5"}, {2, 7, 54, "bottleneck_5.conv_bn_2"}, {2, 9, 54, "bottleneck_5.conv_bn_2"}, {2, 25, 4, "bottleneck_5"},
	{2, 7, 57, "bottleneck_5.conv_bn_3"}, {2, 9, 57, "bottleneck_5.conv_bn_3"}, {2, 28, 4, "bottleneck_5"}, {2, 23, 4, "bottleneck_6"},
	{2, 7, 61, "bottleneck_6.conv_bn"}, {2, 9, 61, "bottleneck_6.conv_bn"}, {2, 24, 4, "bottleneck_6"}, {2, 7, 64, "bottleneck_6.conv_bn_2"},
	{2, 9, 64, "bottleneck_6.conv_bn_2"}, {2, 25, 4, "bottleneck_6"}, {2, 7, 67, "bottleneck_6.conv_bn_3"}, {2, 9, 67, "bottleneck_6.conv_bn_3"},
	{2, 28, 4, "bottleneck_6"}, {2, 23, 4, "bottleneck_7"}, {2, 7, 71, "bottleneck_7.conv_bn"}, {2, 9, 71, "bottleneck_7.conv_bn"},
	{2, 24, 4, "bottleneck_7"}, {2, 7, 74, "bottleneck_7.conv_bn_2"}, {2, 9, 74, "bottleneck_7.conv_bn_2"}, {2, 25, 4, "bottleneck_7"},
	{2, 7, 77, "bottleneck_7.conv_bn_3"}, {2, 9, 77, "bottleneck_7.conv_bn_3"}, {2, 28, 4, "bottleneck_7"}, {2, 23, 4, "bottleneck_8"},
	{2, 7, 81, "bottleneck_8.conv_bn"}, {2, 9, 81, "bottleneck_8.conv_bn"}, {2, 24, 4, "bottleneck_8"}, {2, 7, 84, "bottleneck_8.conv_bn_2"},
	{2, 9, 84, "bottleneck_8.conv_bn_2"}, {2, 25, 4, "bottleneck_8"}, {2, 7, 87, "bottleneck_8.conv_bn_3"}, {2, 9, 87, "bottleneck_8.conv_bn_3"},
	{2, 27, 4, "bottleneck_8"}, {2, 7, 90, "bottleneck_8.conv_bn_4"}, {2, 9, 90, "bottleneck_8.conv_bn_4"}, {2, 28, 4, "bottleneck_8"},
	{2, 23, 4, "bottleneck_9"}, {2, 7, 94, "bottleneck_9.conv_bn"}, {2, 9, 94, "bottleneck_9.conv_bn"}, {2, 24, 4, "bottleneck_9"},
	{2, 7, 97, "bottleneck_9.conv_bn_2"}, {2, 9, 97, "bottleneck_9.conv_bn_2"}, {2, 25, 4, "bottleneck_9"}, {2, 7, 100, "bottleneck_9.conv_bn_3"},
	{2, 9, 100, "bottleneck_9.conv_bn_3"}, {2, 28, 4, "bottleneck_9"}, {2, 23, 4, "bottleneck_10"}, {2, 7, 104, "bottleneck_10.conv_bn"},
	{2, 9, 104, "bottleneck_10.conv_bn"}, {2, 24, 4, "bottleneck_10"}, {2, 7, 107, "bottleneck_10.conv_bn_2"},
	{2, 9, 107, "bottleneck_10.conv_bn_2"}, {2, 25, 4, "bottleneck_10"}, {2, 7, 110, "bottleneck_10.conv_bn_3"},
	{2, 9, 110, "bottleneck_10.conv_bn_3"}, {2, 28, 4, "bottleneck_10"}, {2, 23, 4, "bottleneck_11"}, {2, 7, 114, "bottleneck_11.conv_bn"},
	{2, 9, 114, "bottleneck_11.conv_bn"}, {2, 24, 4, "bottleneck_11"}, {2, 7, 117, "bottleneck_11.conv_bn_2"},
	{2, 9, 117, "bottleneck_11.conv_bn_2"}, {2, 25, 4, "bottleneck_11"}, {2, 7, 120, "bottleneck_11.conv_bn_3"},
	{2, 9, 120, "bottleneck_11.conv_bn_3"}, {2, 28, 4, "bottleneck_11"}, {2, 23, 4, "bottleneck_12"}, {2, 7, 124, "bottleneck_12.conv_bn"},
	{2, 9, 124, "bottleneck_12.conv_bn"}, {2, 24, 4, "bottleneck_12"}, {2, 7, 127, "bottleneck_12.conv_bn_2"},
	{2, 9, 127, "bottleneck_12.conv_bn_2"}, {2, 25, 4, "bottleneck_12"}, {2, 7, 130, "bottleneck_12.conv_bn_3"},
	{2, 9, 130, "bottleneck_12.conv_bn_3"}, {2, 28, 4, "bottleneck_12"}, {2, 23, 4, "bottleneck_13"}, {2, 7, 134, "bottleneck_13.conv_bn"},
	{2, 9, 134, "bottleneck_13.conv_bn"}, {2, 24, 4, "bottleneck_13"}, {2, 7, 137, "bottleneck_13.conv_bn_2"},
	{2, 9, 137, "bottleneck_13.conv_bn_2"}, {2, 25, 4, "bottleneck_13"}, {2, 7, 140, "bottleneck_13.conv_bn_3"},
	{2, 9, 140, "bottleneck_13.conv_bn_3"}, {2, 28, 4, "bottleneck_13"}, {2, 23, 4, "bottleneck_14"}, {2, 7, 144, "bottleneck_14.conv_bn"},
	{2, 9, 144, "bottleneck_14.conv_bn"}, {2, 24, 4, "bottleneck_14"}, {2, 7, 147, "bottleneck_14.conv_bn_2"},
	{2, 9, 147, "bottleneck_14.conv_bn_2"}, {2, 25, 4, "bottleneck_14"}, {2, 7, 150, "bottleneck_14.conv_bn_3"},
	{2, 9, 150, "bottleneck_14.conv_bn_3"}, {2, 27, 4, "bottleneck_14"}, {2, 7, 153, "bottleneck_14.conv_bn_4"},
	{2, 9, 153, "bottleneck_14.conv_bn_4"}, {2, 28, 4, "bottleneck_14"}, {2, 23, 4, "bottleneck_15"}, {2, 7, 157, "bottleneck_15.conv_bn"},
	{2, 9, 157, "bottleneck_15.conv_bn"}, {2, 24, 4, "bottleneck_15"}, {2, 7, 160, "bottleneck_15.conv_bn_2"},
	{2, 9, 160, "bottleneck_15.conv_bn_2"}, {2, 25, 4, "bottleneck_15"}, {2, 7, 163, "bottleneck_15.conv_bn_3"},
	{2, 9, 163, "bottleneck_15.conv_bn_3"}, {2, 28, 4, "bottleneck_15"}, {2, 23, 4, "bottleneck_16"}, {2, 7, 167, "bottleneck_16.conv_bn"},
	{2, 9, 167, "bottleneck_16.conv_bn"}, {2, 24, 4, "bottleneck_16"}, {2, 7, 170, "bottleneck_16.conv_bn_2"},
	{2, 9, 170, "bottleneck_16.conv_bn_2"}, {2, 25, 4, "bottleneck_16"}, {2, 7, 173, "bottleneck_16.conv_bn_3"},
	{2, 9, 173, "bottleneck_16.conv_bn_3"}, {2, 28, 4, "bottleneck_16"}, {0, 12, -1, ""}, {0, 14, -1, ""}, {0, 15, -1, ""}, {0, 22, -1, ""},
};

static const NnrInput inputs[] = {
	{.name = "image", .dtype = NNR_U8, .rank = 4, .dim = {256, 224, 224, 3}, .offset = 0},
	{.name = "label", .is_target = true, .classes = 1000, .dtype = NNR_I32, .rank = 1, .dim = {256}, .offset = 38535168},
};
#define TENSOR_WEIGHT_64(path, offset) {path ".weight", NNR_F32, 1, {64}, offset, NNR_CONSTANT, 1, 0, false, false, -1}
#define TENSOR_BIAS_64(path, offset) {path ".bias", NNR_F32, 1, {64}, offset, NNR_CONSTANT, 0, 0, false, false, -1}
#define TENSOR_WEIGHT_64X3X3X64(path, offset) {path ".weight", NNR_F32, 4, {64, 3, 3, 64}, offset, NNR_NORMAL, 0.05892556509887896, 64, false, false, -1}
#define TENSOR_WEIGHT_256X1X1X64(path, offset) {path ".weight", NNR_F32, 4, {256, 1, 1, 64}, offset, NNR_NORMAL, 0.17677669529663689, 64, false, false, -1}
#define TENSOR_WEIGHT_256(path, offset) {path ".weight", NNR_F32, 1, {256}, offset, NNR_CONSTANT, 1, 0, false, false, -1}
#define TENSOR_BIAS_256(path, offset) {path ".bias", NNR_F32, 1, {256}, offset, NNR_CONSTANT, 0, 0, false, false, -1}
#define TENSOR_WEIGHT_128(path, offset) {path ".weight", NNR_F32, 1, {128}, offset, NNR_CONSTANT, 1, 0, false, false, -1}
#define TENSOR_BIAS_128(path, offset) {path ".bias", NNR_F32, 1, {128}, offset, NNR_CONSTANT, 0, 0, false, false, -1}
#define TENSOR_WEIGHT_128X3X3X128(path, offset) {path ".weight", NNR_F32, 4, {128, 3, 3, 128}, offset, NNR_NORMAL, 0.041666666666666664, 128, false, false, -1}
#define TENSOR_WEIGHT_512X1X1X128(path, offset) {path ".weight", NNR_F32, 4, {512, 1, 1, 128}, offset, NNR_NORMAL, 0.125, 128, false, false, -1}
#define TENSOR_WEIGHT_512(path, offset) {path ".weight", NNR_F32, 1, {512}, offset, NNR_CONSTANT, 1, 0, false, false, -1}
#define TENSOR_BIAS_512(path, offset) {path ".bias", NNR_F32, 1, {512}, offset, NNR_CONSTANT, 0, 0, false, false, -1}
#define TENSOR_WEIGHT_128X1X1X512(path, offset) {path ".weight", NNR_F32, 4, {128, 1, 1, 512}, offset, NNR_NORMAL, 0.0625, 512, false, false, -1}
#define TENSOR_WEIGHT_256X3X3X256(path, offset) {path ".weight", NNR_F32, 4, {256, 3, 3, 256}, offset, NNR_NORMAL, 0.02946278254943948, 256, false, false, -1}
#define TENSOR_WEIGHT_1024X1X1X256(path, offset) {path ".weight", NNR_F32, 4, {1024, 1, 1, 256}, offset, NNR_NORMAL, 0.088388347648318447, 256, false, false, -1}
#define TENSOR_WEIGHT_1024(path, offset) {path ".weight", NNR_F32, 1, {1024}, offset, NNR_CONSTANT, 1, 0, false, false, -1}
#define TENSOR_BIAS_1024(path, offset) {path ".bias", NNR_F32, 1, {1024}, offset, NNR_CONSTANT, 0, 0, false, false, -1}
#define TENSOR_WEIGHT_256X1X1X1024(path, offset) {path ".weight", NNR_F32, 4, {256, 1, 1, 1024}, offset, NNR_NORMAL, 0.044194173824159223, 1024, false, false, -1}
#define TENSOR_WEIGHT_512X3X3X512(path, offset) {path ".weight", NNR_F32, 4, {512, 3, 3, 512}, offset, NNR_NORMAL, 0.020833333333333332, 512, false, false, -1}
#define TENSOR_WEIGHT_2048X1X1X512(path, offset) {path ".weight", NNR_F32, 4, {2048, 1, 1, 512}, offset, NNR_NORMAL, 0.0625, 512, false, false, -1}
#define TENSOR_WEIGHT_2048(path, offset) {path ".weight", NNR_F32, 1, {2048}, offset, NNR_CONSTANT, 1, 0, false, false, -1}
#define TENSOR_BIAS_2048(path, offset) {path ".bias", NNR_F32, 1, {2048}, offset, NNR_CONSTANT, 0, 0, false, false, -1}
static const NnrTensor params[] = {
	{"conv_bn.conv.weight", NNR_F32, 4, {64, 7, 7, 3}, 0, NNR_NORMAL, 0.11664236870396086, 3, false, false, -1},
	TENSOR_WEIGHT_64("conv_bn.batchnorm", 102011648), TENSOR_BIAS_64("conv_bn.batchnorm", 102011904),
	{"bottleneck.conv_bn.conv.weight", NNR_F32, 4, {64, 1, 1, 64}, 37632, NNR_NORMAL, 0.17677669529663689, 64, false, false, -1},
	TENSOR_WEIGHT_64("bottleneck.conv_bn.batchnorm", 102012160), TENSOR_BIAS_64("bottleneck.conv_bn.batchnorm", 102012416),
	TENSOR_WEIGHT_64X3X3X64("bottleneck.conv_bn_2.conv", 54016), TENSOR_WEIGHT_64("bottleneck.conv_bn_2.batchnorm", 102012672),
	TENSOR_BIAS_64("bottleneck.conv_bn_2.batchnorm", 102012928), TENSOR_WEIGHT_256X1X1X64("bottleneck.conv_bn_3.conv", 201472),
	TENSOR_WEIGHT_256("bottleneck.conv_bn_3.batchnorm", 102013184), TENSOR_BIAS_256("bottleneck.conv_bn_3.batchnorm", 102014208),
	TENSOR_WEIGHT_256X1X1X64("bottleneck.conv_bn_4.conv", 267008), TENSOR_WEIGHT_256("bottleneck.conv_bn_4.batchnorm", 102015232),
	TENSOR_BIAS_256("bottleneck.conv_bn_4.batchnorm", 102016256),
	{"bottleneck_2.conv_bn.conv.weight", NNR_F32, 4, {64, 1, 1, 256}, 332544, NNR_NORMAL, 0.088388347648318447, 256, false, false, -1},
	TENSOR_WEIGHT_64("bottleneck_2.conv_bn.batchnorm", 102017280), TENSOR_BIAS_64("bottleneck_2.conv_bn.batchnorm", 102017536),
	TENSOR_WEIGHT_64X3X3X64("bottleneck_2.conv_bn_2.conv", 398080), TENSOR_WEIGHT_64("bottleneck_2.conv_bn_2.batchnorm", 102017792),
	TENSOR_BIAS_64("bottleneck_2.conv_bn_2.batchnorm", 102018048), TENSOR_WEIGHT_256X1X1X64("bottleneck_2.conv_bn_3.conv", 545536),
	TENSOR_WEIGHT_256("bottleneck_2.conv_bn_3.batchnorm", 102018304), TENSOR_BIAS_256("bottleneck_2.conv_bn_3.batchnorm", 102019328),
	{"bottleneck_3.conv_bn.conv.weight", NNR_F32, 4, {64, 1, 1, 256}, 611072, NNR_NORMAL, 0.088388347648318447, 256, false, false, -1},
	TENSOR_WEIGHT_64("bottleneck_3.conv_bn.batchnorm", 102020352), TENSOR_BIAS_64("bottleneck_3.conv_bn.batchnorm", 102020608),
	TENSOR_WEIGHT_64X3X3X64("bottleneck_3.conv_bn_2.conv", 676608), TENSOR_WEIGHT_64("bottleneck_3.conv_bn_2.batchnorm", 102020864),
	TENSOR_BIAS_64("bottleneck_3.conv_bn_2.batchnorm", 102021120), TENSOR_WEIGHT_256X1X1X64("bottleneck_3.conv_bn_3.conv", 824064),
	TENSOR_WEIGHT_256("bottleneck_3.conv_bn_3.batchnorm", 102021376), TENSOR_BIAS_256("bottleneck_3.conv_bn_3.batchnorm", 102022400),
	{"bottleneck_4.conv_bn.conv.weight", NNR_F32, 4, {128, 1, 1, 256}, 889600, NNR_NORMAL, 0.088388347648318447, 256, false, false, -1},
	TENSOR_WEIGHT_128("bottleneck_4.conv_bn.batchnorm", 102023424), TENSOR_BIAS_128("bottleneck_4.conv_bn.batchnorm", 102023936),
	TENSOR_WEIGHT_128X3X3X128("bottleneck_4.conv_bn_2.conv", 1020672), TENSOR_WEIGHT_128("bottleneck_4.conv_bn_2.batchnorm", 102024448),
	TENSOR_BIAS_128("bottleneck_4.conv_bn_2.batchnorm", 102024960), TENSOR_WEIGHT_512X1X1X128("bottleneck_4.conv_bn_3.conv", 1610496),
	TENSOR_WEIGHT_512("bottleneck_4.conv_bn_3.batchnorm", 102025472), TENSOR_BIAS_512("bottleneck_4.conv_bn_3.batchnorm", 102027520),
	{"bottleneck_4.conv_bn_4.conv.weight", NNR_F32, 4, {512, 1, 1, 256}, 1872640, NNR_NORMAL, 0.088388347648318447, 256, false, false, -1},
	TENSOR_WEIGHT_512("bottleneck_4.conv_bn_4.batchnorm", 102029568), TENSOR_BIAS_512("bottleneck_4.conv_bn_4.batchnorm", 102031616),
	TENSOR_WEIGHT_128X1X1X512("bottleneck_5.conv_bn.conv", 2396928), TENSOR_WEIGHT_128("bottleneck_5.conv_bn.batchnorm", 102033664),
	TENSOR_BIAS_128("bottleneck_5.conv_bn.batchnorm", 102034176), TENSOR_WEIGHT_128X3X3X128("bottleneck_5.conv_bn_2.conv", 2659072),
	TENSOR_WEIGHT_128("bottleneck_5.conv_bn_2.batchnorm", 102034688), TENSOR_BIAS_128("bottleneck_5.conv_bn_2.batchnorm", 102035200),
	TENSOR_WEIGHT_512X1X1X128("bottleneck_5.conv_bn_3.conv", 3248896), TENSOR_WEIGHT_512("bottleneck_5.conv_bn_3.batchnorm", 102035712),
	TENSOR_BIAS_512("bottleneck_5.conv_bn_3.batchnorm", 102037760), TENSOR_WEIGHT_128X1X1X512("bottleneck_6.conv_bn.conv", 3511040),
	TENSOR_WEIGHT_128("bottleneck_6.conv_bn.batchnorm", 102039808), TENSOR_BIAS_128("bottleneck_6.conv_bn.batchnorm", 102040320),
	TENSOR_WEIGHT_128X3X3X128("bottleneck_6.conv_bn_2.conv", 3773184), TENSOR_WEIGHT_128("bottleneck_6.conv_bn_2.batchnorm", 102040832),
	TENSOR_BIAS_128("bottleneck_6.conv_bn_2.batchnorm", 102041344), TENSOR_WEIGHT_512X1X1X128("bottleneck_6.conv_bn_3.conv", 4363008),
	TENSOR_WEIGHT_512("bottleneck_6.conv_bn_3.batchnorm", 102041856), TENSOR_BIAS_512("bottleneck_6.conv_bn_3.batchnorm", 102043904),
	TENSOR_WEIGHT_128X1X1X512("bottleneck_7.conv_bn.conv", 4625152), TENSOR_WEIGHT_128("bottleneck_7.conv_bn.batchnorm", 102045952),
	TENSOR_BIAS_128("bottleneck_7.conv_bn.batchnorm", 102046464), TENSOR_WEIGHT_128X3X3X128("bottleneck_7.conv_bn_2.conv", 4887296),
	TENSOR_WEIGHT_128("bottleneck_7.conv_bn_2.batchnorm", 102046976), TENSOR_BIAS_128("bottleneck_7.conv_bn_2.batchnorm", 102047488),
	TENSOR_WEIGHT_512X1X1X128("bottleneck_7.conv_bn_3.conv", 5477120), TENSOR_WEIGHT_512("bottleneck_7.conv_bn_3.batchnorm", 102048000),
	TENSOR_BIAS_512("bottleneck_7.conv_bn_3.batchnorm", 102050048),
	{"bottleneck_8.conv_bn.conv.weight", NNR_F32, 4, {256, 1, 1, 512}, 5739264, NNR_NORMAL, 0.0625, 512, false, false, -1},
	TENSOR_WEIGHT_256("bottleneck_8.conv_bn.batchnorm", 102052096), TENSOR_BIAS_256("bottleneck_8.conv_bn.batchnorm", 102053120),
	TENSOR_WEIGHT_256X3X3X256("bottleneck_8.conv_bn_2.conv", 6263552), TENSOR_WEIGHT_256("bottleneck_8.conv_bn_2.batchnorm", 102054144),
	TENSOR_BIAS_256("bottleneck_8.conv_bn_2.batchnorm", 102055168), TENSOR_WEIGHT_1024X1X1X256("bottleneck_8.conv_bn_3.conv", 8622848),
	TENSOR_WEIGHT_1024("bottleneck_8.conv_bn_3.batchnorm", 102056192), TENSOR_BIAS_1024("bottleneck_8.conv_bn_3.batchnorm", 102060288),
	{"bottleneck_8.conv_bn_4.conv.weight", NNR_F32, 4, {1024, 1, 1, 512}, 9671424, NNR_NORMAL, 0.0625, 512, false, false, -1},
	TENSOR_WEIGHT_1024("bottleneck_8.conv_bn_4.batchnorm", 102064384), TENSOR_BIAS_1024("bottleneck_8.conv_bn_4.batchnorm", 102068480),
	TENSOR_WEIGHT_256X1X1X1024("bottleneck_9.conv_bn.conv", 11768576), TENSOR_WEIGHT_256("bottleneck_9.conv_bn.batchnorm", 102072576),
	TENSOR_BIAS_256("bottleneck_9.conv_bn.batchnorm", 102073600), TENSOR_WEIGHT_256X3X3X256("bottleneck_9.conv_bn_2.conv", 12817152),
	TENSOR_WEIGHT_256("bottleneck_9.conv_bn_2.batchnorm", 102074624), TENSOR_BIAS_256("bottleneck_9.conv_bn_2.batchnorm", 102075648),
	TENSOR_WEIGHT_1024X1X1X256("bottleneck_9.conv_bn_3.conv", 15176448), TENSOR_WEIGHT_1024("bottleneck_9.conv_bn_3.batchnorm", 102076672),
	TENSOR_BIAS_1024("bottleneck_9.conv_bn_3.batchnorm", 102080768), TENSOR_WEIGHT_256X1X1X1024("bottleneck_10.conv_bn.conv", 16225024),
	TENSOR_WEIGHT_256("bottleneck_10.conv_bn.batchnorm", 102084864), TENSOR_BIAS_256("bottleneck_10.conv_bn.batchnorm", 102085888),
	TENSOR_WEIGHT_256X3X3X256("bottleneck_10.conv_bn_2.conv", 17273600), TENSOR_WEIGHT_256("bottleneck_10.conv_bn_2.batchnorm", 102086912),
	TENSOR_BIAS_256("bottleneck_10.conv_bn_2.batchnorm", 102087936), TENSOR_WEIGHT_1024X1X1X256("bottleneck_10.conv_bn_3.conv", 19632896),
	TENSOR_WEIGHT_1024("bottleneck_10.conv_bn_3.batchnorm", 102088960), TENSOR_BIAS_1024("bottleneck_10.conv_bn_3.batchnorm", 102093056),
	TENSOR_WEIGHT_256X1X1X1024("bottleneck_11.conv_bn.conv", 20681472), TENSOR_WEIGHT_256("bottleneck_11.conv_bn.batchnorm", 102097152),
	TENSOR_BIAS_256("bottleneck_11.conv_bn.batchnorm", 102098176), TENSOR_WEIGHT_256X3X3X256("bottleneck_11.conv_bn_2.conv", 21730048),
	TENSOR_WEIGHT_256("bottleneck_11.conv_bn_2.batchnorm", 102099200), TENSOR_BIAS_256("bottleneck_11.conv_bn_2.batchnorm", 102100224),
	TENSOR_WEIGHT_1024X1X1X256("bottleneck_11.conv_bn_3.conv", 24089344), TENSOR_WEIGHT_1024("bottleneck_11.conv_bn_3.batchnorm", 102101248),
	TENSOR_BIAS_1024("bottleneck_11.conv_bn_3.batchnorm", 102105344), TENSOR_WEIGHT_256X1X1X1024("bottleneck_12.conv_bn.conv", 25137920),
	TENSOR_WEIGHT_256("bottleneck_12.conv_bn.batchnorm", 102109440), TENSOR_BIAS_256("bottleneck_12.conv_bn.batchnorm", 102110464),
	TENSOR_WEIGHT_256X3X3X256("bottleneck_12.conv_bn_2.conv", 26186496), TENSOR_WEIGHT_256("bottleneck_12.conv_bn_2.batchnorm", 102111488),
	TENSOR_BIAS_256("bottleneck_12.conv_bn_2.batchnorm", 102112512), TENSOR_WEIGHT_1024X1X1X256("bottleneck_12.conv_bn_3.conv", 28545792),
	TENSOR_WEIGHT_1024("bottleneck_12.conv_bn_3.batchnorm", 102113536), TENSOR_BIAS_1024("bottleneck_12.conv_bn_3.batchnorm", 102117632),
	TENSOR_WEIGHT_256X1X1X1024("bottleneck_13.conv_bn.conv", 29594368), TENSOR_WEIGHT_256("bottleneck_13.conv_bn.batchnorm", 102121728),
	TENSOR_BIAS_256("bottleneck_13.conv_bn.batchnorm", 102122752), TENSOR_WEIGHT_256X3X3X256("bottleneck_13.conv_bn_2.conv", 30642944),
	TENSOR_WEIGHT_256("bottleneck_13.conv_bn_2.batchnorm", 102123776), TENSOR_BIAS_256("bottleneck_13.conv_bn_2.batchnorm", 102124800),
	TENSOR_WEIGHT_1024X1X1X256("bottleneck_13.conv_bn_3.conv", 33002240), TENSOR_WEIGHT_1024("bottleneck_13.conv_bn_3.batchnorm", 102125824),
	TENSOR_BIAS_1024("bottleneck_13.conv_bn_3.batchnorm", 102129920),
	{"bottleneck_14.conv_bn.conv.weight", NNR_F32, 4, {512, 1, 1, 1024}, 34050816, NNR_NORMAL, 0.044194173824159223, 1024, false, false, -1},
	TENSOR_WEIGHT_512("bottleneck_14.conv_bn.batchnorm", 102134016), TENSOR_BIAS_512("bottleneck_14.conv_bn.batchnorm", 102136064),
	TENSOR_WEIGHT_512X3X3X512("bottleneck_14.conv_bn_2.conv", 36147968), TENSOR_WEIGHT_512("bottleneck_14.conv_bn_2.batchnorm", 102138112),
	TENSOR_BIAS_512("bottleneck_14.conv_bn_2.batchnorm", 102140160), TENSOR_WEIGHT_2048X1X1X512("bottleneck_14.conv_bn_3.conv", 45585152),
	TENSOR_WEIGHT_2048("bottleneck_14.conv_bn_3.batchnorm", 102142208), TENSOR_BIAS_2048("bottleneck_14.conv_bn_3.batchnorm", 102150400),
	{"bottleneck_14.conv_bn_4.conv.weight", NNR_F32, 4, {2048, 1, 1, 1024}, 49779456, NNR_NORMAL, 0.044194173824159223, 1024, false, false, -1},
	TENSOR_WEIGHT_2048("bottleneck_14.conv_bn_4.batchnorm", 102158592), TENSOR_BIAS_2048("bottleneck_14.conv_bn_4.batchnorm", 102166784),
	{"bottleneck_15.conv_bn.conv.weight", NNR_F32, 4, {512, 1, 1, 2048}, 58168064, NNR_NORMAL, 0.03125, 2048, false, false, -1},
	TENSOR_WEIGHT_512("bottleneck_15.conv_bn.batchnorm", 102174976), TENSOR_BIAS_512("bottleneck_15.conv_bn.batchnorm", 102177024),
	TENSOR_WEIGHT_512X3X3X512("bottleneck_15.conv_bn_2.conv", 62362368), TENSOR_WEIGHT_512("bottleneck_15.conv_bn_2.batchnorm", 102179072),
	TENSOR_BIAS_512("bottleneck_15.conv_bn_2.batchnorm", 102181120), TENSOR_WEIGHT_2048X1X1X512("bottleneck_15.conv_bn_3.conv", 71799552),
	TENSOR_WEIGHT_2048("bottleneck_15.conv_bn_3.batchnorm", 102183168), TENSOR_BIAS_2048("bottleneck_15.conv_bn_3.batchnorm", 102191360),
	{"bottleneck_16.conv_bn.conv.weight", NNR_F32, 4, {512, 1, 1, 2048}, 75993856, NNR_NORMAL, 0.03125, 2048, false, false, -1},
	TENSOR_WEIGHT_512("bottleneck_16.conv_bn.batchnorm", 102199552), TENSOR_BIAS_512("bottleneck_16.conv_bn.batchnorm", 102201600),
	TENSOR_WEIGHT_512X3X3X512("bottleneck_16.conv_bn_2.conv", 80188160), TENSOR_WEIGHT_512("bottleneck_16.conv_bn_2.batchnorm", 102203648),
	TENSOR_BIAS_512("bottleneck_16.conv_bn_2.batchnorm", 102205696), TENSOR_WEIGHT_2048X1X1X512("bottleneck_16.conv_bn_3.conv", 89625344),
	TENSOR_WEIGHT_2048("bottleneck_16.conv_bn_3.batchnorm", 102207744), TENSOR_BIAS_2048("bottleneck_16.conv_bn_3.batchnorm", 102215936),
	{"dense.weight", NNR_F32, 2, {1000, 2048}, 93819648, NNR_UNIFORM, 0.022097086912079612, 2048, false, false, -1},
	{"dense.bias", NNR_F32, 1, {1000}, 102224128, NNR_UNIFORM, 0.022097086912079608, 0, false, false, -1},
};
static const char *const layouts[] = {
	"OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI",
	"", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "",
	"", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "",
	"OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI",
	"", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "",
	"", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "",
	"OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI",
	"", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "",
	"", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "",
	"OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OHWI", "", "", "OI",
	""
};
#define TENSOR_RUNNING_MEAN_64(path, offset) {path ".running_mean", NNR_F32, 1, {64}, offset, NNR_CONSTANT, 0, 0, false, false, -1}
#define TENSOR_RUNNING_VAR_64(path, offset) {path ".running_var", NNR_F32, 1, {64}, offset, NNR_CONSTANT, 1, 0, false, false, -1}
#define TENSOR_RUNNING_MEAN_256(path, offset) {path ".running_mean", NNR_F32, 1, {256}, offset, NNR_CONSTANT, 0, 0, false, false, -1}
#define TENSOR_RUNNING_VAR_256(path, offset) {path ".running_var", NNR_F32, 1, {256}, offset, NNR_CONSTANT, 1, 0, false, false, -1}
#define TENSOR_RUNNING_MEAN_128(path, offset) {path ".running_mean", NNR_F32, 1, {128}, offset, NNR_CONSTANT, 0, 0, false, false, -1}
#define TENSOR_RUNNING_VAR_128(path, offset) {path ".running_var", NNR_F32, 1, {128}, offset, NNR_CONSTANT, 1, 0, false, false, -1}
#define TENSOR_RUNNING_MEAN_512(path, offset) {path ".running_mean", NNR_F32, 1, {512}, offset, NNR_CONSTANT, 0, 0, false, false, -1}
#define TENSOR_RUNNING_VAR_512(path, offset) {path ".running_var", NNR_F32, 1, {512}, offset, NNR_CONSTANT, 1, 0, false, false, -1}
#define TENSOR_RUNNING_MEAN_1024(path, offset) {path ".running_mean", NNR_F32, 1, {1024}, offset, NNR_CONSTANT, 0, 0, false, false, -1}
#define TENSOR_RUNNING_VAR_1024(path, offset) {path ".running_var", NNR_F32, 1, {1024}, offset, NNR_CONSTANT, 1, 0, false, false, -1}
#define TENSOR_RUNNING_MEAN_2048(path, offset) {path ".running_mean", NNR_F32, 1, {2048}, offset, NNR_CONSTANT, 0, 0, false, false, -1}
#define TENSOR_RUNNING_VAR_2048(path, offset) {path ".running_var", NNR_F32, 1, {2048}, offset, NNR_CONSTANT, 1, 0, false, false, -1}
static const NnrTensor states[] = {
	TENSOR_RUNNING_MEAN_64("conv_bn.batchnorm", 0), TENSOR_RUNNING_VAR_64("conv_bn.batchnorm", 256),
	TENSOR_RUNNING_MEAN_64("bottleneck.conv_bn.batchnorm", 512), TENSOR_RUNNING_VAR_64("bottleneck.conv_bn.batchnorm", 768),
	TENSOR_RUNNING_MEAN_64("bottleneck.conv_bn_2.batchnorm", 1024), TENSOR_RUNNING_VAR_64("bottleneck.conv_bn_2.batchnorm", 1280),
	TENSOR_RUNNING_MEAN_256("bottleneck.conv_bn_3.batchnorm", 1536), TENSOR_RUNNING_VAR_256("bottleneck.conv_bn_3.batchnorm", 2560),
	TENSOR_RUNNING_MEAN_256("bottleneck.conv_bn_4.batchnorm", 3584), TENSOR_RUNNING_VAR_256("bottleneck.conv_bn_4.batchnorm", 4608),
	TENSOR_RUNNING_MEAN_64("bottleneck_2.conv_bn.batchnorm", 5632), TENSOR_RUNNING_VAR_64("bottleneck_2.conv_bn.batchnorm", 5888),
	TENSOR_RUNNING_MEAN_64("bottleneck_2.conv_bn_2.batchnorm", 6144), TENSOR_RUNNING_VAR_64("bottleneck_2.conv_bn_2.batchnorm", 6400),
	TENSOR_RUNNING_MEAN_256("bottleneck_2.conv_bn_3.batchnorm", 6656), TENSOR_RUNNING_VAR_256("bottleneck_2.conv_bn_3.batchnorm", 7680),
	TENSOR_RUNNING_MEAN_64("bottleneck_3.conv_bn.batchnorm", 8704), TENSOR_RUNNING_VAR_64("bottleneck_3.conv_bn.batchnorm", 8960),
	TENSOR_RUNNING_MEAN_64("bottleneck_3.conv_bn_2.batchnorm", 9216), TENSOR_RUNNING_VAR_64("bottleneck_3.conv_bn_2.batchnorm", 9472),
	TENSOR_RUNNING_MEAN_256("bottleneck_3.conv_bn_3.batchnorm", 9728), TENSOR_RUNNING_VAR_256("bottleneck_3.conv_bn_3.batchnorm", 10752),
	TENSOR_RUNNING_MEAN_128("bottleneck_4.conv_bn.batchnorm", 11776), TENSOR_RUNNING_VAR_128("bottleneck_4.conv_bn.batchnorm", 12288),
	TENSOR_RUNNING_MEAN_128("bottleneck_4.conv_bn_2.batchnorm", 12800), TENSOR_RUNNING_VAR_128("bottleneck_4.conv_bn_2.batchnorm", 13312),
	TENSOR_RUNNING_MEAN_512("bottleneck_4.conv_bn_3.batchnorm", 13824), TENSOR_RUNNING_VAR_512("bottleneck_4.conv_bn_3.batchnorm", 15872),
	TENSOR_RUNNING_MEAN_512("bottleneck_4.conv_bn_4.batchnorm", 17920), TENSOR_RUNNING_VAR_512("bottleneck_4.conv_bn_4.batchnorm", 19968),
	TENSOR_RUNNING_MEAN_128("bottleneck_5.conv_bn.batchnorm", 22016), TENSOR_RUNNING_VAR_128("bottleneck_5.conv_bn.batchnorm", 22528),
	TENSOR_RUNNING_MEAN_128("bottleneck_5.conv_bn_2.batchnorm", 23040), TENSOR_RUNNING_VAR_128("bottleneck_5.conv_bn_2.batchnorm", 23552),
	TENSOR_RUNNING_MEAN_512("bottleneck_5.conv_bn_3.batchnorm", 24064), TENSOR_RUNNING_VAR_512("bottleneck_5.conv_bn_3.batchnorm", 26112),
	TENSOR_RUNNING_MEAN_128("bottleneck_6.conv_bn.batchnorm", 28160), TENSOR_RUNNING_VAR_128("bottleneck_6.conv_bn.batchnorm", 28672),
	TENSOR_RUNNING_MEAN_128("bottleneck_6.conv_bn_2.batchnorm", 29184), TENSOR_RUNNING_VAR_128("bottleneck_6.conv_bn_2.batchnorm", 29696),
	TENSOR_RUNNING_MEAN_512("bottleneck_6.conv_bn_3.batchnorm", 30208), TENSOR_RUNNING_VAR_512("bottleneck_6.conv_bn_3.batchnorm", 32256),
	TENSOR_RUNNING_MEAN_128("bottleneck_7.conv_bn.batchnorm", 34304), TENSOR_RUNNING_VAR_128("bottleneck_7.conv_bn.batchnorm", 34816),
	TENSOR_RUNNING_MEAN_128("bottleneck_7.conv_bn_2.batchnorm", 35328), TENSOR_RUNNING_VAR_128("bottleneck_7.conv_bn_2.batchnorm", 35840),
	TENSOR_RUNNING_MEAN_512("bottleneck_7.conv_bn_3.batchnorm", 36352), TENSOR_RUNNING_VAR_512("bottleneck_7.conv_bn_3.batchnorm", 38400),
	TENSOR_RUNNING_MEAN_256("bottleneck_8.conv_bn.batchnorm", 40448), TENSOR_RUNNING_VAR_256("bottleneck_8.conv_bn.batchnorm", 41472),
	TENSOR_RUNNING_MEAN_256("bottleneck_8.conv_bn_2.batchnorm", 42496), TENSOR_RUNNING_VAR_256("bottleneck_8.conv_bn_2.batchnorm", 43520),
	TENSOR_RUNNING_MEAN_1024("bottleneck_8.conv_bn_3.batchnorm", 44544), TENSOR_RUNNING_VAR_1024("bottleneck_8.conv_bn_3.batchnorm", 48640),
	TENSOR_RUNNING_MEAN_1024("bottleneck_8.conv_bn_4.batchnorm", 52736), TENSOR_RUNNING_VAR_1024("bottleneck_8.conv_bn_4.batchnorm", 56832),
	TENSOR_RUNNING_MEAN_256("bottleneck_9.conv_bn.batchnorm", 60928), TENSOR_RUNNING_VAR_256("bottleneck_9.conv_bn.batchnorm", 61952),
	TENSOR_RUNNING_MEAN_256("bottleneck_9.conv_bn_2.batchnorm", 62976), TENSOR_RUNNING_VAR_256("bottleneck_9.conv_bn_2.batchnorm", 64000),
	TENSOR_RUNNING_MEAN_1024("bottleneck_9.conv_bn_3.batchnorm", 65024), TENSOR_RUNNING_VAR_1024("bottleneck_9.conv_bn_3.batchnorm", 69120),
	TENSOR_RUNNING_MEAN_256("bottleneck_10.conv_bn.batchnorm", 73216), TENSOR_RUNNING_VAR_256("bottleneck_10.conv_bn.batchnorm", 74240),
	TENSOR_RUNNING_MEAN_256("bottleneck_10.conv_bn_2.batchnorm", 75264), TENSOR_RUNNING_VAR_256("bottleneck_10.conv_bn_2.batchnorm", 76288),
	TENSOR_RUNNING_MEAN_1024("bottleneck_10.conv_bn_3.batchnorm", 77312), TENSOR_RUNNING_VAR_1024("bottleneck_10.conv_bn_3.batchnorm", 81408),
	TENSOR_RUNNING_MEAN_256("bottleneck_11.conv_bn.batchnorm", 85504), TENSOR_RUNNING_VAR_256("bottleneck_11.conv_bn.batchnorm", 86528),
	TENSOR_RUNNING_MEAN_256("bottleneck_11.conv_bn_2.batchnorm", 87552), TENSOR_RUNNING_VAR_256("bottleneck_11.conv_bn_2.batchnorm", 88576),
	TENSOR_RUNNING_MEAN_1024("bottleneck_11.conv_bn_3.batchnorm", 89600), TENSOR_RUNNING_VAR_1024("bottleneck_11.conv_bn_3.batchnorm", 93696),
	TENSOR_RUNNING_MEAN_256("bottleneck_12.conv_bn.batchnorm", 97792), TENSOR_RUNNING_VAR_256("bottleneck_12.conv_bn.batchnorm", 98816),
	TENSOR_RUNNING_MEAN_256("bottleneck_12.conv_bn_2.batchnorm", 99840), TENSOR_RUNNING_VAR_256("bottleneck_12.conv_bn_2.batchnorm", 100864),
	TENSOR_RUNNING_MEAN_1024("bottleneck_12.conv_bn_3.batchnorm", 101888), TENSOR_RUNNING_VAR_1024("bottleneck_12.conv_bn_3.batchnorm", 105984),
	TENSOR_RUNNING_MEAN_256("bottleneck_13.conv_bn.batchnorm", 110080), TENSOR_RUNNING_VAR_256("bottleneck_13.conv_bn.batchnorm", 111104),
	TENSOR_RUNNING_MEAN_256("bottleneck_13.conv_bn_2.batchnorm", 112128), TENSOR_RUNNING_VAR_256("bottleneck_13.conv_bn_2.batchnorm", 113152),
	TENSOR_RUNNING_MEAN_1024("bottleneck_13.conv_bn_3.batchnorm", 114176), TENSOR_RUNNING_VAR_1024("bottleneck_13.conv_bn_3.batchnorm", 118272),
	TENSOR_RUNNING_MEAN_512("bottleneck_14.conv_bn.batchnorm", 122368), TENSOR_RUNNING_VAR_512("bottleneck_14.conv_bn.batchnorm", 124416),
	TENSOR_RUNNING_MEAN_512("bottleneck_14.conv_bn_2.batchnorm", 126464), TENSOR_RUNNING_VAR_512("bottleneck_14.conv_bn_2.batchnorm", 128512),
	TENSOR_RUNNING_MEAN_2048("bottleneck_14.conv_bn_3.batchnorm", 130560), TENSOR_RUNNING_VAR_2048("bottleneck_14.conv_bn_3.batchnorm", 138752),
	TENSOR_RUNNING_MEAN_2048("bottleneck_14.conv_bn_4.batchnorm", 146944), TENSOR_RUNNING_VAR_2048("bottleneck_14.conv_bn_4.batchnorm", 155136),
	TENSOR_RUNNING_MEAN_512("bottleneck_15.conv_bn.batchnorm", 163328), TENSOR_RUNNING_VAR_512("bottleneck_15.conv_bn.batchnorm", 165376),
	TENSOR_RUNNING_MEAN_512("bottleneck_15.conv_bn_2.batchnorm", 167424), TENSOR_RUNNING_VAR_512("bottleneck_15.conv_bn_2.batchnorm", 169472),
	TENSOR_RUNNING_MEAN_2048("bottleneck_15.conv_bn_3.batchnorm", 171520), TENSOR_RUNNING_VAR_2048("bottleneck_15.conv_bn_3.batchnorm", 179712),
	TENSOR_RUNNING_MEAN_512("bottleneck_16.conv_bn.batchnorm", 187904), TENSOR_RUNNING_VAR_512("bottleneck_16.conv_bn.batchnorm", 189952),
	TENSOR_RUNNING_MEAN_512("bottleneck_16.conv_bn_2.batchnorm", 192000), TENSOR_RUNNING_VAR_512("bottleneck_16.conv_bn_2.batchnorm", 194048),
	TENSOR_RUNNING_MEAN_2048("bottleneck_16.conv_bn_3.batchnorm", 196096), TENSOR_RUNNING_VAR_2048("bottleneck_16.conv_bn_3.batchnorm", 204288),
	{"sgd.momentum", NNR_F32, 1, {25557032}, 212480, NNR_CONSTANT, 0, 0, false, true, 0},
};
static const NnrOutput train_outputs[] = {
	{NNR_LOSS, "loss", NNR_F32, 0, {0}, 21710003648},
	{NNR_METRIC, "top1", NNR_F32, 0, {0}, 21710003712},
};
static const NnrOutput evaluate_outputs[] = {
	{NNR_LOSS, "loss", NNR_F32, 1, {256}, 1024000},
	{NNR_METRIC, "top1", NNR_F32, 1, {256}, 1025024},
	{NNR_VALUE, "logits", NNR_F32, 2, {256, 1000}, 0},
};
static const NnrOutput predict_outputs[] = {
	{NNR_VALUE, "logits", NNR_F32, 2, {256, 1000}, 0},
};
static const NnrOutput train_gradient = {NNR_GRADIENT, "gradients", NNR_F32, 1, {25557032}, 20192428032};

/* The prediction as a graph of ONNX: "export --format onnx" puts the weights in. */
static const char *const onnx[] = {
	"input image u8 [224,224,3]", "n0 = Cast(image) to=1", "n1 = reals [0.0171247538,0.0175070028,0.0174291939]", "n2 = Mul(n0, n1)",
	"n3 = reals [-2.11790393,-2.03571429,-1.80444444]", "n4 = Add(n2, n3)", "n5 = Transpose(n4) perm=[0,3,1,2]",
	"n6 = Conv(n5, @conv_bn.conv.weight) strides=[2,2] pads=[3,3,3,3] dilations=[1,1] group=1",
	"n7 = BatchNormalization(n6, conv_bn.batchnorm.weight, conv_bn.batchnorm.bias, conv_bn.batchnorm.running_mean, conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n8 = Relu(n7)", "n9 = MaxPool(n8) kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1]",
	"n10 = Conv(n9, @bottleneck.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n11 = BatchNormalization(n10, bottleneck.conv_bn.batchnorm.weight, bottleneck.conv_bn.batchnorm.bias, bottleneck.conv_bn.batchnorm.running_mean, bottleneck.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n12 = Relu(n11)", "n13 = Conv(n12, @bottleneck.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n14 = BatchNormalization(n13, bottleneck.conv_bn_2.batchnorm.weight, bottleneck.conv_bn_2.batchnorm.bias, bottleneck.conv_bn_2.batchnorm.running_mean, bottleneck.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n15 = Relu(n14)", "n16 = Conv(n15, @bottleneck.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n17 = BatchNormalization(n16, bottleneck.conv_bn_3.batchnorm.weight, bottleneck.conv_bn_3.batchnorm.bias, bottleneck.conv_bn_3.batchnorm.running_mean, bottleneck.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n18 = Conv(n9, @bottleneck.conv_bn_4.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n19 = BatchNormalization(n18, bottleneck.conv_bn_4.batchnorm.weight, bottleneck.conv_bn_4.batchnorm.bias, bottleneck.conv_bn_4.batchnorm.running_mean, bottleneck.conv_bn_4.batchnorm.running_var) epsilon=1.00000000e-05",
	"n20 = Add(n17, n19)", "n21 = Relu(n20)",
	"n22 = Conv(n21, @bottleneck_2.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n23 = BatchNormalization(n22, bottleneck_2.conv_bn.batchnorm.weight, bottleneck_2.conv_bn.batchnorm.bias, bottleneck_2.conv_bn.batchnorm.running_mean, bottleneck_2.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n24 = Relu(n23)", "n25 = Conv(n24, @bottleneck_2.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n26 = BatchNormalization(n25, bottleneck_2.conv_bn_2.batchnorm.weight, bottleneck_2.conv_bn_2.batchnorm.bias, bottleneck_2.conv_bn_2.batchnorm.running_mean, bottleneck_2.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n27 = Relu(n26)", "n28 = Conv(n27, @bottleneck_2.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n29 = BatchNormalization(n28, bottleneck_2.conv_bn_3.batchnorm.weight, bottleneck_2.conv_bn_3.batchnorm.bias, bottleneck_2.conv_bn_3.batchnorm.running_mean, bottleneck_2.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n30 = Add(n29, n21)", "n31 = Relu(n30)",
	"n32 = Conv(n31, @bottleneck_3.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n33 = BatchNormalization(n32, bottleneck_3.conv_bn.batchnorm.weight, bottleneck_3.conv_bn.batchnorm.bias, bottleneck_3.conv_bn.batchnorm.running_mean, bottleneck_3.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n34 = Relu(n33)", "n35 = Conv(n34, @bottleneck_3.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n36 = BatchNormalization(n35, bottleneck_3.conv_bn_2.batchnorm.weight, bottleneck_3.conv_bn_2.batchnorm.bias, bottleneck_3.conv_bn_2.batchnorm.running_mean, bottleneck_3.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n37 = Relu(n36)", "n38 = Conv(n37, @bottleneck_3.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n39 = BatchNormalization(n38, bottleneck_3.conv_bn_3.batchnorm.weight, bottleneck_3.conv_bn_3.batchnorm.bias, bottleneck_3.conv_bn_3.batchnorm.running_mean, bottleneck_3.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n40 = Add(n39, n31)", "n41 = Relu(n40)",
	"n42 = Conv(n41, @bottleneck_4.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n43 = BatchNormalization(n42, bottleneck_4.conv_bn.batchnorm.weight, bottleneck_4.conv_bn.batchnorm.bias, bottleneck_4.conv_bn.batchnorm.running_mean, bottleneck_4.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n44 = Relu(n43)", "n45 = Conv(n44, @bottleneck_4.conv_bn_2.conv.weight) strides=[2,2] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n46 = BatchNormalization(n45, bottleneck_4.conv_bn_2.batchnorm.weight, bottleneck_4.conv_bn_2.batchnorm.bias, bottleneck_4.conv_bn_2.batchnorm.running_mean, bottleneck_4.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n47 = Relu(n46)", "n48 = Conv(n47, @bottleneck_4.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n49 = BatchNormalization(n48, bottleneck_4.conv_bn_3.batchnorm.weight, bottleneck_4.conv_bn_3.batchnorm.bias, bottleneck_4.conv_bn_3.batchnorm.running_mean, bottleneck_4.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n50 = Conv(n41, @bottleneck_4.conv_bn_4.conv.weight) strides=[2,2] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n51 = BatchNormalization(n50, bottleneck_4.conv_bn_4.batchnorm.weight, bottleneck_4.conv_bn_4.batchnorm.bias, bottleneck_4.conv_bn_4.batchnorm.running_mean, bottleneck_4.conv_bn_4.batchnorm.running_var) epsilon=1.00000000e-05",
	"n52 = Add(n49, n51)", "n53 = Relu(n52)",
	"n54 = Conv(n53, @bottleneck_5.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n55 = BatchNormalization(n54, bottleneck_5.conv_bn.batchnorm.weight, bottleneck_5.conv_bn.batchnorm.bias, bottleneck_5.conv_bn.batchnorm.running_mean, bottleneck_5.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n56 = Relu(n55)", "n57 = Conv(n56, @bottleneck_5.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n58 = BatchNormalization(n57, bottleneck_5.conv_bn_2.batchnorm.weight, bottleneck_5.conv_bn_2.batchnorm.bias, bottleneck_5.conv_bn_2.batchnorm.running_mean, bottleneck_5.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n59 = Relu(n58)", "n60 = Conv(n59, @bottleneck_5.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n61 = BatchNormalization(n60, bottleneck_5.conv_bn_3.batchnorm.weight, bottleneck_5.conv_bn_3.batchnorm.bias, bottleneck_5.conv_bn_3.batchnorm.running_mean, bottleneck_5.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n62 = Add(n61, n53)", "n63 = Relu(n62)",
	"n64 = Conv(n63, @bottleneck_6.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n65 = BatchNormalization(n64, bottleneck_6.conv_bn.batchnorm.weight, bottleneck_6.conv_bn.batchnorm.bias, bottleneck_6.conv_bn.batchnorm.running_mean, bottleneck_6.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n66 = Relu(n65)", "n67 = Conv(n66, @bottleneck_6.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n68 = BatchNormalization(n67, bottleneck_6.conv_bn_2.batchnorm.weight, bottleneck_6.conv_bn_2.batchnorm.bias, bottleneck_6.conv_bn_2.batchnorm.running_mean, bottleneck_6.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n69 = Relu(n68)", "n70 = Conv(n69, @bottleneck_6.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n71 = BatchNormalization(n70, bottleneck_6.conv_bn_3.batchnorm.weight, bottleneck_6.conv_bn_3.batchnorm.bias, bottleneck_6.conv_bn_3.batchnorm.running_mean, bottleneck_6.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n72 = Add(n71, n63)", "n73 = Relu(n72)",
	"n74 = Conv(n73, @bottleneck_7.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n75 = BatchNormalization(n74, bottleneck_7.conv_bn.batchnorm.weight, bottleneck_7.conv_bn.batchnorm.bias, bottleneck_7.conv_bn.batchnorm.running_mean, bottleneck_7.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n76 = Relu(n75)", "n77 = Conv(n76, @bottleneck_7.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n78 = BatchNormalization(n77, bottleneck_7.conv_bn_2.batchnorm.weight, bottleneck_7.conv_bn_2.batchnorm.bias, bottleneck_7.conv_bn_2.batchnorm.running_mean, bottleneck_7.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n79 = Relu(n78)", "n80 = Conv(n79, @bottleneck_7.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n81 = BatchNormalization(n80, bottleneck_7.conv_bn_3.batchnorm.weight, bottleneck_7.conv_bn_3.batchnorm.bias, bottleneck_7.conv_bn_3.batchnorm.running_mean, bottleneck_7.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n82 = Add(n81, n73)", "n83 = Relu(n82)",
	"n84 = Conv(n83, @bottleneck_8.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n85 = BatchNormalization(n84, bottleneck_8.conv_bn.batchnorm.weight, bottleneck_8.conv_bn.batchnorm.bias, bottleneck_8.conv_bn.batchnorm.running_mean, bottleneck_8.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n86 = Relu(n85)", "n87 = Conv(n86, @bottleneck_8.conv_bn_2.conv.weight) strides=[2,2] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n88 = BatchNormalization(n87, bottleneck_8.conv_bn_2.batchnorm.weight, bottleneck_8.conv_bn_2.batchnorm.bias, bottleneck_8.conv_bn_2.batchnorm.running_mean, bottleneck_8.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n89 = Relu(n88)", "n90 = Conv(n89, @bottleneck_8.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n91 = BatchNormalization(n90, bottleneck_8.conv_bn_3.batchnorm.weight, bottleneck_8.conv_bn_3.batchnorm.bias, bottleneck_8.conv_bn_3.batchnorm.running_mean, bottleneck_8.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n92 = Conv(n83, @bottleneck_8.conv_bn_4.conv.weight) strides=[2,2] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n93 = BatchNormalization(n92, bottleneck_8.conv_bn_4.batchnorm.weight, bottleneck_8.conv_bn_4.batchnorm.bias, bottleneck_8.conv_bn_4.batchnorm.running_mean, bottleneck_8.conv_bn_4.batchnorm.running_var) epsilon=1.00000000e-05",
	"n94 = Add(n91, n93)", "n95 = Relu(n94)",
	"n96 = Conv(n95, @bottleneck_9.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n97 = BatchNormalization(n96, bottleneck_9.conv_bn.batchnorm.weight, bottleneck_9.conv_bn.batchnorm.bias, bottleneck_9.conv_bn.batchnorm.running_mean, bottleneck_9.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n98 = Relu(n97)", "n99 = Conv(n98, @bottleneck_9.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n100 = BatchNormalization(n99, bottleneck_9.conv_bn_2.batchnorm.weight, bottleneck_9.conv_bn_2.batchnorm.bias, bottleneck_9.conv_bn_2.batchnorm.running_mean, bottleneck_9.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n101 = Relu(n100)", "n102 = Conv(n101, @bottleneck_9.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n103 = BatchNormalization(n102, bottleneck_9.conv_bn_3.batchnorm.weight, bottleneck_9.conv_bn_3.batchnorm.bias, bottleneck_9.conv_bn_3.batchnorm.running_mean, bottleneck_9.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n104 = Add(n103, n95)", "n105 = Relu(n104)",
	"n106 = Conv(n105, @bottleneck_10.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n107 = BatchNormalization(n106, bottleneck_10.conv_bn.batchnorm.weight, bottleneck_10.conv_bn.batchnorm.bias, bottleneck_10.conv_bn.batchnorm.running_mean, bottleneck_10.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n108 = Relu(n107)", "n109 = Conv(n108, @bottleneck_10.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n110 = BatchNormalization(n109, bottleneck_10.conv_bn_2.batchnorm.weight, bottleneck_10.conv_bn_2.batchnorm.bias, bottleneck_10.conv_bn_2.batchnorm.running_mean, bottleneck_10.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n111 = Relu(n110)", "n112 = Conv(n111, @bottleneck_10.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n113 = BatchNormalization(n112, bottleneck_10.conv_bn_3.batchnorm.weight, bottleneck_10.conv_bn_3.batchnorm.bias, bottleneck_10.conv_bn_3.batchnorm.running_mean, bottleneck_10.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n114 = Add(n113, n105)", "n115 = Relu(n114)",
	"n116 = Conv(n115, @bottleneck_11.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n117 = BatchNormalization(n116, bottleneck_11.conv_bn.batchnorm.weight, bottleneck_11.conv_bn.batchnorm.bias, bottleneck_11.conv_bn.batchnorm.running_mean, bottleneck_11.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n118 = Relu(n117)", "n119 = Conv(n118, @bottleneck_11.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n120 = BatchNormalization(n119, bottleneck_11.conv_bn_2.batchnorm.weight, bottleneck_11.conv_bn_2.batchnorm.bias, bottleneck_11.conv_bn_2.batchnorm.running_mean, bottleneck_11.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n121 = Relu(n120)", "n122 = Conv(n121, @bottleneck_11.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n123 = BatchNormalization(n122, bottleneck_11.conv_bn_3.batchnorm.weight, bottleneck_11.conv_bn_3.batchnorm.bias, bottleneck_11.conv_bn_3.batchnorm.running_mean, bottleneck_11.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n124 = Add(n123, n115)", "n125 = Relu(n124)",
	"n126 = Conv(n125, @bottleneck_12.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n127 = BatchNormalization(n126, bottleneck_12.conv_bn.batchnorm.weight, bottleneck_12.conv_bn.batchnorm.bias, bottleneck_12.conv_bn.batchnorm.running_mean, bottleneck_12.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n128 = Relu(n127)", "n129 = Conv(n128, @bottleneck_12.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n130 = BatchNormalization(n129, bottleneck_12.conv_bn_2.batchnorm.weight, bottleneck_12.conv_bn_2.batchnorm.bias, bottleneck_12.conv_bn_2.batchnorm.running_mean, bottleneck_12.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n131 = Relu(n130)", "n132 = Conv(n131, @bottleneck_12.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n133 = BatchNormalization(n132, bottleneck_12.conv_bn_3.batchnorm.weight, bottleneck_12.conv_bn_3.batchnorm.bias, bottleneck_12.conv_bn_3.batchnorm.running_mean, bottleneck_12.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n134 = Add(n133, n125)", "n135 = Relu(n134)",
	"n136 = Conv(n135, @bottleneck_13.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n137 = BatchNormalization(n136, bottleneck_13.conv_bn.batchnorm.weight, bottleneck_13.conv_bn.batchnorm.bias, bottleneck_13.conv_bn.batchnorm.running_mean, bottleneck_13.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n138 = Relu(n137)", "n139 = Conv(n138, @bottleneck_13.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n140 = BatchNormalization(n139, bottleneck_13.conv_bn_2.batchnorm.weight, bottleneck_13.conv_bn_2.batchnorm.bias, bottleneck_13.conv_bn_2.batchnorm.running_mean, bottleneck_13.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n141 = Relu(n140)", "n142 = Conv(n141, @bottleneck_13.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n143 = BatchNormalization(n142, bottleneck_13.conv_bn_3.batchnorm.weight, bottleneck_13.conv_bn_3.batchnorm.bias, bottleneck_13.conv_bn_3.batchnorm.running_mean, bottleneck_13.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n144 = Add(n143, n135)", "n145 = Relu(n144)",
	"n146 = Conv(n145, @bottleneck_14.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n147 = BatchNormalization(n146, bottleneck_14.conv_bn.batchnorm.weight, bottleneck_14.conv_bn.batchnorm.bias, bottleneck_14.conv_bn.batchnorm.running_mean, bottleneck_14.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n148 = Relu(n147)", "n149 = Conv(n148, @bottleneck_14.conv_bn_2.conv.weight) strides=[2,2] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n150 = BatchNormalization(n149, bottleneck_14.conv_bn_2.batchnorm.weight, bottleneck_14.conv_bn_2.batchnorm.bias, bottleneck_14.conv_bn_2.batchnorm.running_mean, bottleneck_14.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n151 = Relu(n150)", "n152 = Conv(n151, @bottleneck_14.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n153 = BatchNormalization(n152, bottleneck_14.conv_bn_3.batchnorm.weight, bottleneck_14.conv_bn_3.batchnorm.bias, bottleneck_14.conv_bn_3.batchnorm.running_mean, bottleneck_14.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n154 = Conv(n145, @bottleneck_14.conv_bn_4.conv.weight) strides=[2,2] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n155 = BatchNormalization(n154, bottleneck_14.conv_bn_4.batchnorm.weight, bottleneck_14.conv_bn_4.batchnorm.bias, bottleneck_14.conv_bn_4.batchnorm.running_mean, bottleneck_14.conv_bn_4.batchnorm.running_var) epsilon=1.00000000e-05",
	"n156 = Add(n153, n155)", "n157 = Relu(n156)",
	"n158 = Conv(n157, @bottleneck_15.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n159 = BatchNormalization(n158, bottleneck_15.conv_bn.batchnorm.weight, bottleneck_15.conv_bn.batchnorm.bias, bottleneck_15.conv_bn.batchnorm.running_mean, bottleneck_15.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n160 = Relu(n159)", "n161 = Conv(n160, @bottleneck_15.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n162 = BatchNormalization(n161, bottleneck_15.conv_bn_2.batchnorm.weight, bottleneck_15.conv_bn_2.batchnorm.bias, bottleneck_15.conv_bn_2.batchnorm.running_mean, bottleneck_15.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n163 = Relu(n162)", "n164 = Conv(n163, @bottleneck_15.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n165 = BatchNormalization(n164, bottleneck_15.conv_bn_3.batchnorm.weight, bottleneck_15.conv_bn_3.batchnorm.bias, bottleneck_15.conv_bn_3.batchnorm.running_mean, bottleneck_15.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n166 = Add(n165, n157)", "n167 = Relu(n166)",
	"n168 = Conv(n167, @bottleneck_16.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n169 = BatchNormalization(n168, bottleneck_16.conv_bn.batchnorm.weight, bottleneck_16.conv_bn.batchnorm.bias, bottleneck_16.conv_bn.batchnorm.running_mean, bottleneck_16.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n170 = Relu(n169)", "n171 = Conv(n170, @bottleneck_16.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"n172 = BatchNormalization(n171, bottleneck_16.conv_bn_2.batchnorm.weight, bottleneck_16.conv_bn_2.batchnorm.bias, bottleneck_16.conv_bn_2.batchnorm.running_mean, bottleneck_16.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n173 = Relu(n172)", "n174 = Conv(n173, @bottleneck_16.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"n175 = BatchNormalization(n174, bottleneck_16.conv_bn_3.batchnorm.weight, bottleneck_16.conv_bn_3.batchnorm.bias, bottleneck_16.conv_bn_3.batchnorm.running_mean, bottleneck_16.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n176 = Add(n175, n167)", "n177 = Relu(n176)", "n178 = Transpose(n177) perm=[0,2,3,1]", "n179 = ints [1,2]",
	"n180 = ReduceSum(n178, n179) keepdims=1", "n181 = real 0.0204081633", "n182 = Mul(n180, n181)", "n183 = ints [-1,2048]",
	"n184 = Reshape(n182, n183)", "n185 = Gemm(n184, dense.weight) transA=0 transB=1", "n186 = Add(n185, dense.bias)",
	"output logits f32 [1000] n186",
};

static const NnrModel model = {
	.abi = NNR_ABI, .name = "resnet50", .source = "resnet50.net",
	.version = "0.3", .needs = NNR_FEATURES, .recipe = "data images; augment flip; optimizer sgd(rate = 0.1, momentum = 0.9, dampening = 0, nesterov = 0, decay = 0.0001); rate 0.1 warmup 5ep cosine; batch 256; epochs 90; precision tf32; seed 0; decay weights",
	.real = NNR_F32, .batch = 256, .chunks = 1,
	.program = program, .words = words, .word_count = 2, .compiler = NNR_COMPILER,
	.inputs = inputs, .input_count = 2,
	.params = params, .param_count = 161, .layouts = layouts,
	.onnx = onnx, .onnx_count = 189,
	.states = states, .state_count = 107,
	.param_bytes = 102228128, .state_bytes = 196351168, .input_bytes = 38536192,
	.train = {.arena_bytes = 21710003776, .outputs = train_outputs, .output_count = 2, .steps = steps, .step_count = 374, .gradient = &train_gradient, .run = train_step},
	.prepare = {.arena_bytes = 16384, .run = prepare_weights},
	.evaluate = {.arena_bytes = 1335885824, .outputs = evaluate_outputs, .output_count = 3, .run = evaluate_batch},
	.predict = {.arena_bytes = 1335885824, .outputs = predict_outputs, .output_count = 1, .run = predict_batch},
	.scored = {.output = "logits", .target = "label", .softmaxed = false},
	.places = places, .place_count = 181, .sources = sources, .source_count = 3, .file_count = 4,
	.data = "images",
	.augment = {.flip = true},
	.rate = {.kind = NNR_RATE_COSINE, .rate = 0.10000000000000001, .final_rate = 0, .gamma = 0.10000000000000001,
	         .warmup = 5, .every = 0, .warmup_in_epochs = true, .every_in_epochs = false},
	.epochs = 90, .steps = 0, .seed = 0u,
};

int main(int argc, char **argv)
{
	return nnr_main(&model, argc, argv);
}
