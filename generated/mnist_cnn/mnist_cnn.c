/* mnist_cnn, from mnist_cnn.net by nnc 0.3 for the CPU. Do not edit: change the .net file and run nnc again.
 * Yours under any terms: LICENSE of nnc, "Exception for what nnc makes".
 *
 * data mnist; optimizer adam(rate = 0.001, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-08, decay = 0); rate 0.001 constant; batch 128; epochs 12; precision tf32; seed 0; decay weights
 * batch 128   parameters 31.5 k (126.1 kB)   states 252.3 kB   arena 16.6 MB training, 8.0 MB evaluation
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

/* cast(image) * 0.00392157
 * mnist_cnn.net:11
 * [128,28,28,1]  100.4 kFLOP  501.8 kB */
static void scale_mul_100352(const uint8_t *restrict image, float *restrict scale)
{
	#pragma omp parallel for simd
	for (int64_t i0 = 0; i0 < 100352; i0++) {
		const float scale_ = ((float)image[i0])*0.003921569f;
		scale[i0] = scale_;
	}
}

/* relu((conv(x, w) + bias))
 * mnist_cnn.net:12
 * [128,28,28,16]  32.1 MFLOP  6.8 MB */
static void conv_bias_relu_128x28x28x16(const float *restrict x, const float *restrict w, const float *restrict bias, float *restrict relu)
{
	static const NnrConvShape shape = {.batch = 128, .channels = 1, .filters = 16, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
	#pragma omp parallel for schedule(dynamic)
	for (int64_t m0 = 0; m0 < 100352; m0 += 252) {
		float t[NNR_BLOCK_ROWS(252) * 16] __attribute__((aligned(64)));
		nnr_conv_fprop_block_f32(252, 16, &shape, 0, x, w, 0, 9, m0, 0, t);
		const int64_t rows = 100352 - m0 < 252 ? 100352 - m0 : 252;
		for (int64_t i = 0; i < rows; i++) {
			const int64_t row = m0 + i;
			#pragma omp simd
			for (int64_t j = 0; j < 16; j++) {
				const float conv_ = t[i * 16 + j] + bias[j];
				const float relu_ = conv_ < 0 ? 0 : conv_;
				relu[row * 16 + j] = relu_;
			}
		}
	}
}

/* maxpool(x)
 * mnist_cnn.net:12
 * [128,14,14,16]  1.6 MFLOP  8.0 MB */
static void maxpool_128x14x14x16(const float *restrict x, float *restrict y)
{
	#pragma omp parallel for collapse(2)
	for (int64_t n = 0; n < 128; n++) {
		for (int64_t p = 0; p < 14; p++) {
			for (int64_t q = 0; q < 14; q++) {
				const float *v = x + ((n * 28 + p * 2) * 28 + q * 2) * 16;
				#pragma omp simd
				for (int64_t c = 0; c < 16; c++) {
					float t = v[c];
					t = nnr_maxf(v[16 + c], t);
					t = nnr_maxf(v[448 + c], t);
					t = nnr_maxf(v[464 + c], t);
					const float maxpool_ = t;
					y[((n * 14 + p) * 14 + q) * 16 + c] = maxpool_;
				}
			}
		}
	}
}

/* matmul(a, b) + bias
 * mnist_cnn.net:13
 * [128,10]  8.0 MFLOP  1.7 MB */
static void matmul_bias_128x10(const float *restrict a, const float *restrict b, const float *restrict bias, float *restrict dense)
{
	float partial[5120];
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t part = 0; part < 4; part++) {
		for (int64_t m0 = 0; m0 < 128; m0 += 32) {
			const int64_t k_first = part * 784;
			float t[NNR_BLOCK_ROWS(32) * 16] __attribute__((aligned(64)));
			nnr_matmul_block_f32(32, 16, (NnrMatrix){a, 128, 3136, 3136}, 0, (NnrMatrix){b, 10, 3136, 3136}, 1, k_first, k_first + 784, m0, 0, t);
			const int64_t rows = 128 - m0 < 32 ? 128 - m0 : 32;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < 10; j++)
					partial[part * 1280 + row * 10 + j] = t[i * 16 + j];
			}
		}
	}
	#pragma omp parallel for
	for (int64_t row = 0; row < 128; row++) {
		float *const sum = partial + row * 10;
		for (int64_t part = 1; part < 4; part++) {
			#pragma omp simd
			for (int64_t j = 0; j < 10; j++)
				sum[j] += partial[part * 1280 + row * 10 + j];
		}
		#pragma omp simd
		for (int64_t j = 0; j < 10; j++) {
			const float dense_ = sum[j] + bias[j];
			dense[row * 10 + j] = dense_;
		}
	}
}

/* cross_entropy_backward_accuracy
 * mnist_cnn.net:15,16
 * [128,10]  35.6 kFLOP  12.3 kB */
static void cross_entropy_backward_accuracy_128x10(const float *restrict dense, const int32_t *restrict digit, float *restrict exp_, float *restrict cross_entropy, float *restrict is_right, float *restrict div)
{
	for (int64_t i0 = 0; i0 < 128; i0++) {
		float max_ = -INFINITY;
		float own_score = 0;
		#pragma omp simd reduction(+ : own_score) reduction(max : max_)
		for (int64_t i1 = 0; i1 < 10; i1++) {
			max_ = nnr_maxf(max_, dense[i0 * 10 + i1]);
			own_score += digit[i0] == i1 ? dense[i0 * 10 + i1] : 0.0f;
		}
		float exp_sum = 0;
		float rank = 0;
		#pragma omp simd reduction(+ : exp_sum, rank)
		for (int64_t i1 = 0; i1 < 10; i1++) {
			const float exp_2_ = nnr_expf(dense[i0 * 10 + i1] - max_);
			const float outranks_ = dense[i0 * 10 + i1] < own_score || (dense[i0 * 10 + i1] == own_score && i1 >= digit[i0]) ? 0 : 1;
			exp_sum += exp_2_;
			rank += outranks_;
			exp_[i0 * 10 + i1] = exp_2_;
		}
		const float log_ = nnr_logf(exp_sum);
		const float is_right_ = rank < 1.0f ? 1 : 0;
		const float div_ = 1.0f/exp_sum;
		is_right[i0] = is_right_;
		div[i0] = div_;
		float cross_entropy_2 = 0;
		#pragma omp simd reduction(+ : cross_entropy_2)
		for (int64_t i1 = 0; i1 < 10; i1++) {
			const float one_hot_ = digit[i0] == i1 ? 1 : 0;
			const float weighed_cost_ = one_hot_ != 0 ? (one_hot_*(log_ - (dense[i0 * 10 + i1] - max_))) : 0.0f;
			cross_entropy_2 += weighed_cost_;
		}
		cross_entropy[i0] = cross_entropy_2;
	}
}

/* sum(cross_entropy) * 0.0078125
 * mnist_cnn.net:15
 * []  129 FLOP  516 B */
static void mean_128(const float *restrict cross_entropy, float *restrict mean)
{
	float sum = 0;
	#pragma omp simd reduction(+ : sum)
	for (int64_t i0 = 0; i0 < 128; i0++) {
		sum += cross_entropy[i0];
	}
	const float mean_ = sum*0.0078125f;
	mean[0] = mean_;
}

/* sum((0.0078125 * ((exp_ * div) - one_hot(digit)))); 0.0078125 * ((exp_ * div) - one_hot(digit))
 * mnist_cnn.net:13,15,16
 * [128,10]  6.4 kFLOP  11.3 kB */
static void cross_entropy_bias_backward_128x10(const float *restrict exp_, const float *restrict div, const int32_t *restrict digit, float *restrict dx, float *restrict dbias)
{
	float dbias_2[10];
	#pragma omp simd
	for (int64_t i1 = 0; i1 < 10; i1++) {
		dbias_2[i1] = 0;
	}
	for (int64_t i0 = 0; i0 < 128; i0++) {
		#pragma omp simd
		for (int64_t i1 = 0; i1 < 10; i1++) {
			const float dx_ = 0.0078125f*((exp_[i0 * 10 + i1]*div[i0]) - (digit[i0] == i1 ? 1 : 0));
			dbias_2[i1] += dx_;
			dx[i0 * 10 + i1] = dx_;
		}
	}
	#pragma omp simd
	for (int64_t i1 = 0; i1 < 10; i1++) {
		const float dbias_ = dbias_2[i1];
		dbias[i1] = dbias_;
	}
}

/* matmul(a, b)
 * mnist_cnn.net:13
 * [128,3136]  8.0 MFLOP  1.7 MB */
static void matmul_128x3136(const float *restrict a, const float *restrict b, float *restrict y)
{
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < 128; m0 += 128) {
		for (int64_t n0 = 0; n0 < 3136; n0 += 192) {
			float t[NNR_BLOCK_ROWS(128) * 192] __attribute__((aligned(64)));
			nnr_matmul_block_f32(128, 192, (NnrMatrix){a, 128, 10, 10}, 0, (NnrMatrix){b, 10, 3136, 3136}, 0, 0, 10, m0, n0, t);
			const int64_t rows = 128 - m0 < 128 ? 128 - m0 : 128;
			const int64_t columns = 3136 - n0 < 192 ? 3136 - n0 : 192;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float dx_ = t[i * 192 + j];
					y[row * 3136 + (n0 + j)] = dx_;
				}
			}
		}
	}
}

/* matmul(a, b)
 * mnist_cnn.net:13
 * [10,3136]  8.0 MFLOP  1.7 MB */
static void matmul_10x3136(const float *restrict a, const float *restrict b, float *restrict y)
{
	#pragma omp parallel for schedule(dynamic)
	for (int64_t n0 = 0; n0 < 3136; n0 += 192) {
		float t[NNR_BLOCK_ROWS(10) * 192] __attribute__((aligned(64)));
		nnr_matmul_block_f32(10, 192, (NnrMatrix){a, 128, 10, 10}, 1, (NnrMatrix){b, 128, 3136, 3136}, 0, 0, 128, 0, n0, t);
		const int64_t columns = 3136 - n0 < 192 ? 3136 - n0 : 192;
		for (int64_t i = 0; i < 10; i++) {
			const int64_t row = i;
			#pragma omp simd
			for (int64_t j = 0; j < columns; j++) {
				const float dweight_ = t[i * 192 + j];
				y[row * 3136 + (n0 + j)] = dweight_;
			}
		}
	}
}

/* select((x > 0), maxpool_grad(dy, x, y), 0)
 * mnist_cnn.net:12
 * [128,28,28,16]  4.8 MFLOP  16.1 MB */
static void maxpool_relu_backward_128x28x28x16(const float *restrict dy, const float *restrict x, const float *restrict y, float *restrict dx)
{
	#pragma omp parallel for collapse(2)
	for (int64_t n = 0; n < 128; n++) {
		for (int64_t p = 0; p < 14; p++) {
			for (int64_t q = 0; q < 14; q++) {
				const float *v = x + ((n * 28 + p * 2) * 28 + q * 2) * 16;
				#pragma omp simd
				for (int64_t c = 0; c < 16; c++) {
					const int64_t o = ((n * 14 + p) * 14 + q) * 16 + c;
					const float top = y[o];
					float rest = dy[o];
					const float g0 = v[0 + c] == top ? rest : 0;
					rest = v[0 + c] == top ? 0 : rest;
					const float g1 = v[16 + c] == top ? rest : 0;
					rest = v[16 + c] == top ? 0 : rest;
					const float g2 = v[448 + c] == top ? rest : 0;
					rest = v[448 + c] == top ? 0 : rest;
					const float g3 = v[464 + c] == top ? rest : 0;
					{
						const float gt_ = x[((n * 28 + p * 2 + 0) * 28 + q * 2 + 0) * 16 + c] > 0.0f ? 1 : 0;
						const float dx_ = gt_ != 0 ? g0 : 0.0f;
						dx[((n * 28 + p * 2 + 0) * 28 + q * 2 + 0) * 16 + c] = dx_;
					}
					{
						const float gt_2_ = x[((n * 28 + p * 2 + 0) * 28 + q * 2 + 1) * 16 + c] > 0.0f ? 1 : 0;
						const float dx_2_ = gt_2_ != 0 ? g1 : 0.0f;
						dx[((n * 28 + p * 2 + 0) * 28 + q * 2 + 1) * 16 + c] = dx_2_;
					}
					{
						const float gt_3_ = x[((n * 28 + p * 2 + 1) * 28 + q * 2 + 0) * 16 + c] > 0.0f ? 1 : 0;
						const float dx_3_ = gt_3_ != 0 ? g2 : 0.0f;
						dx[((n * 28 + p * 2 + 1) * 28 + q * 2 + 0) * 16 + c] = dx_3_;
					}
					{
						const float gt_4_ = x[((n * 28 + p * 2 + 1) * 28 + q * 2 + 1) * 16 + c] > 0.0f ? 1 : 0;
						const float dx_4_ = gt_4_ != 0 ? g3 : 0.0f;
						dx[((n * 28 + p * 2 + 1) * 28 + q * 2 + 1) * 16 + c] = dx_4_;
					}
				}
			}
		}
	}
}

/* sum(dy)
 * mnist_cnn.net:12
 * [16]  1.6 MFLOP  6.4 MB */
static void bias_backward_100352x16(const float *restrict dy, float *restrict dbias, float *partial)
{
	#pragma omp parallel for
	for (int64_t chunk = 0; chunk < 128; chunk++) {
		float *restrict dbias_2 = partial + chunk * 16;
		#pragma omp simd
		for (int64_t i1 = 0; i1 < 16; i1++) {
			dbias_2[i1] = 0;
		}
		for (int64_t i0 = chunk * 100352 / 128; i0 < (chunk + 1) * 100352 / 128; i0++) {
			#pragma omp simd
			for (int64_t i1 = 0; i1 < 16; i1++) {
				dbias_2[i1] += dy[i0 * 16 + i1];
			}
		}
	}
	#pragma omp simd
	for (int64_t i1 = 0; i1 < 16; i1++) {
		float dbias_2 = 0;
		for (int64_t chunk = 0; chunk < 128; chunk++) {
			dbias_2 += partial[chunk * 16 + i1];
		}
		dbias[i1] = dbias_2;
	}
}

/* conv_wgrad(x, dy)
 * mnist_cnn.net:12
 * [16,3,3,1]  28.9 MFLOP  6.8 MB */
static void conv_wgrad_16x3x3x1(const float *restrict x, const float *restrict dy, float *restrict dw)
{
	static const NnrConvShape shape = {.batch = 128, .channels = 1, .filters = 16, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
	const int64_t taps = nnr_conv_taps(&shape);
	float partial[2304];
	#pragma omp parallel for schedule(dynamic)
	for (int64_t part = 0; part < 16; part++) {
		const int64_t k_first = part * 6272;
		float t[NNR_BLOCK_ROWS(16) * 16] __attribute__((aligned(64)));
		nnr_conv_wgrad_block_f32(16, 16, &shape, 0, x, dy, k_first, k_first + 6272, 0, 0, t);
		for (int64_t i = 0; i < 16; i++) {
			const int64_t row = i;
			#pragma omp simd
			for (int64_t j = 0; j < 9; j++)
				partial[part * 144 + row * 9 + j] = t[i * 16 + j];
		}
	}
	#pragma omp parallel for
	for (int64_t row = 0; row < 16; row++) {
		float *const sum = partial + row * 9;
		for (int64_t part = 1; part < 16; part++) {
			#pragma omp simd
			for (int64_t j = 0; j < 9; j++)
				sum[j] += partial[part * 144 + row * 9 + j];
		}
		#pragma omp simd
		for (int64_t j = 0; j < 9; j++) {
			const float dweight_ = sum[j];
			dw[row * taps + j] = dweight_;
		}
	}
}

/* adam
 * mnist_cnn.net:22
 * [31530]  567.5 kFLOP  882.8 kB */
static void adam_31530(const float *restrict pack, float *restrict m, float *restrict v, float *restrict params, const NnrScalars *s)
{
	const float v_correction = (float)(1/sqrt(-nnr_expm1(s->step*(-0.0010005003335835344))));
	const float step_size = (float)(s->rate/(-nnr_expm1(s->step*(-0.10536051565782628))));
	#pragma omp parallel for simd
	for (int64_t i0 = 0; i0 < 31530; i0++) {
		const float m_ = m[i0] + ((pack[i0] - m[i0])*0.1f);
		const float squares_ = (v[i0]*0.999f) + ((pack[i0]*pack[i0])*0.001f);
		const float v_ = squares_ + (squares_*0.0f);
		const float sub_ = params[i0] - (step_size*(m_/((sqrtf(v_)*v_correction) + 1e-08f)));
		m[i0] = m_;
		v[i0] = v_;
		params[i0] = sub_;
	}
}

/* cross_entropy_accuracy
 * mnist_cnn.net:15,16
 * [128]  35.5 kFLOP  6.7 kB */
static void cross_entropy_accuracy_128x10(const float *restrict dense, const int32_t *restrict digit, float *restrict cross_entropy, float *restrict is_right)
{
	for (int64_t i0 = 0; i0 < 128; i0++) {
		float max_ = -INFINITY;
		float own_score = 0;
		#pragma omp simd reduction(+ : own_score) reduction(max : max_)
		for (int64_t i1 = 0; i1 < 10; i1++) {
			max_ = nnr_maxf(max_, dense[i0 * 10 + i1]);
			own_score += digit[i0] == i1 ? dense[i0 * 10 + i1] : 0.0f;
		}
		float exp_sum = 0;
		float rank = 0;
		#pragma omp simd reduction(+ : exp_sum, rank)
		for (int64_t i1 = 0; i1 < 10; i1++) {
			const float outranks_ = dense[i0 * 10 + i1] < own_score || (dense[i0 * 10 + i1] == own_score && i1 >= digit[i0]) ? 0 : 1;
			exp_sum += nnr_expf(dense[i0 * 10 + i1] - max_);
			rank += outranks_;
		}
		const float log_ = nnr_logf(exp_sum);
		const float is_right_ = rank < 1.0f ? 1 : 0;
		is_right[i0] = is_right_;
		float cross_entropy_2 = 0;
		#pragma omp simd reduction(+ : cross_entropy_2)
		for (int64_t i1 = 0; i1 < 10; i1++) {
			const float one_hot_ = digit[i0] == i1 ? 1 : 0;
			const float weighed_cost_ = one_hot_ != 0 ? (one_hot_*(log_ - (dense[i0 * 10 + i1] - max_))) : 0.0f;
			cross_entropy_2 += weighed_cost_;
		}
		cross_entropy[i0] = cross_entropy_2;
	}
}

/* One training step: 14 steps, 93.8 MFLOP, 50.8 MB moved, arena 16.6 MB (lower bound 16.6 MB, at step 11) */
static void train_step(const NnrMemory *m, const NnrScalars *s)
{
	/* ---- forward */
	nnr_step(1); /* mnist_cnn.net:11  cast(image) * 0.00392157  [128,28,28,1]  100.4 kFLOP  501.8 kB */
	uint8_t *const image = (uint8_t *)(m->inputs + 0);                                      // [128,28,28,1]  100.4 kB
	float *const scale = (float *)(m->arena + 16056320);                                    // [128,28,28,1]  401.4 kB  steps 1-13
	scale_mul_100352(image, scale);
	nnr_step(2); /* mnist_cnn.net:12  relu((conv(scale, conv_weight) + conv_bias))  [128,28,28,16]  32.1 MFLOP  6.8 MB */
	float *const conv_weight = (float *)(m->params + 0);                                    // [16,3,3,1]  576 B
	float *const conv_bias = (float *)(m->params + 126016);                                 // [16]  64 B
	float *const relu = (float *)(m->arena + 0);                                            // [128,28,28,16]  6.4 MB  steps 2-11
	conv_bias_relu_128x28x28x16(scale, conv_weight, conv_bias, relu);
	nnr_step(3); /* mnist_cnn.net:12  maxpool(relu)  [128,14,14,16]  1.6 MFLOP  8.0 MB */
	float *const maxpool = (float *)(m->arena + 12845056);                                  // [128,14,14,16]  1.6 MB  steps 3-11
	maxpool_128x14x14x16(relu, maxpool);
	nnr_step(4); /* mnist_cnn.net:13  matmul(maxpool, dense_weight) + dense_bias  [128,10]  8.0 MFLOP  1.7 MB */
	float *const dense_weight = (float *)(m->params + 576);                                 // [10,3136]  125.4 kB
	float *const dense_bias = (float *)(m->params + 126080);                                // [10]  40 B
	float *const logits = (float *)(m->arena + 6422528);                                    // [128,10]  5.1 kB  steps 4-5
	matmul_bias_128x10(maxpool, dense_weight, dense_bias, logits);

	/* ---- loss */
	nnr_step(5); /* mnist_cnn.net:15,16  cross_entropy_backward_accuracy  [128,10]  35.6 kFLOP  12.3 kB */
	int32_t *const digit_2 = (int32_t *)(m->inputs + 100352);                               // [128,1]  512 B
	float *const exp_ = (float *)(m->arena + 6427648);                                      // [128,10]  5.1 kB  steps 5-8
	float *const cross_entropy = (float *)(m->arena + 6432768);                             // [128]  512 B  steps 5-6
	float *const accuracy = (float *)(m->arena + 6433280);                                  // [128]  512 B  steps 5-7
	float *const div = (float *)(m->arena + 6433792);                                       // [128,1]  512 B  steps 5-8
	cross_entropy_backward_accuracy_128x10(logits, digit_2, exp_, cross_entropy, accuracy, div);
	nnr_step(6); /* mnist_cnn.net:15  sum(cross_entropy) * 0.0078125  []  129 FLOP  516 B */
	float *const loss = (float *)(m->arena + 16583872);                                     // []  4 B  steps 6-end
	mean_128(cross_entropy, loss);
	nnr_step(7); /* mnist_cnn.net:16  sum(accuracy) * 0.0078125  []  129 FLOP  516 B */
	float *const accuracy_2 = (float *)(m->arena + 16583936);                               // []  4 B  steps 7-end
	mean_128(accuracy, accuracy_2);

	/* ---- backward */
	nnr_step(8); /* mnist_cnn.net:13,15,16  sum((0.0078125 * ((exp_ * div) - one_hot(digit_2))));
	 *    0.0078125 * ((exp_ * div) - one_hot(digit_2))
	 *    [128,10]  6.4 kFLOP  11.3 kB */
	float *const dlogits = (float *)(m->arena + 6422528);                                   // [128,10]  5.1 kB  steps 8-10
	float *const dense_dbias = (float *)(m->arena + 16583808);                              // [10]  40 B  steps 8-14
	cross_entropy_bias_backward_128x10(exp_, div, digit_2, dlogits, dense_dbias);
	nnr_step(9); /* mnist_cnn.net:13  matmul(dlogits, dense_weight)  [128,3136]  8.0 MFLOP  1.7 MB */
	float *const dmaxpool = (float *)(m->arena + 14450688);                                 // [128,3136]  1.6 MB  steps 9-11
	matmul_128x3136(dlogits, dense_weight, dmaxpool);
	nnr_step(10); /* mnist_cnn.net:13  matmul(dlogits, maxpool)  [10,3136]  8.0 MFLOP  1.7 MB */
	float *const dense_dweight = (float *)(m->arena + 16458304);                            // [10,3136]  125.4 kB  steps 8-14
	matmul_10x3136(dlogits, maxpool, dense_dweight);
	nnr_step(11); /* mnist_cnn.net:12  select((relu > 0), maxpool_grad(dmaxpool, relu, maxpool), 0)
	 *    [128,28,28,16]  4.8 MFLOP  16.1 MB */
	float *const dconv = (float *)(m->arena + 6422528);                                     // [128,28,28,16]  6.4 MB  steps 11-13
	maxpool_relu_backward_128x28x28x16(dmaxpool, relu, maxpool, dconv);
	nnr_step(12); /* mnist_cnn.net:12  sum(dconv)  [16]  1.6 MFLOP  6.4 MB */
	float *const conv_dbias = (float *)(m->arena + 16583744);                               // [16]  64 B  steps 8-14
	float *const partial = (float *)(m->arena + 0);                                         // [2048]  8.2 kB  steps 12-12
	bias_backward_100352x16(dconv, conv_dbias, partial);
	nnr_step(13); /* mnist_cnn.net:12  conv_wgrad(scale, dconv)  [16,3,3,1]  28.9 MFLOP  6.8 MB */
	float *const conv_dweight = (float *)(m->arena + 16457728);                             // [16,3,3,1]  576 B  steps 8-14
	conv_wgrad_16x3x3x1(scale, dconv, conv_dweight);

	/* ---- update */
	nnr_step(14); /* mnist_cnn.net:22  adam  [31530]  567.5 kFLOP  882.8 kB */
	float *const gradients = (float *)(m->arena + 16457728);                                // [31530]  126.1 kB  steps 8-14
	float *const adam_m = (float *)(m->state + 0);                                          // [31530]  126.1 kB
	float *const adam_v = (float *)(m->state + 126144);                                     // [31530]  126.1 kB
	float *const params = (float *)(m->params + 0);                                         // [31530]  126.1 kB
	adam_31530(gradients, adam_m, adam_v, params, s);
}

/* Loss and metrics of one batch, per sample: 5 steps, 41.9 MFLOP, 17.1 MB moved, arena 8.0 MB (lower bound 8.0 MB, at step 3) */
static void evaluate_batch(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	/* 1  mnist_cnn.net:11  cast(image) * 0.00392157  [128,28,28,1]  100.4 kFLOP  501.8 kB */
	uint8_t *const image = (uint8_t *)(m->inputs + 0);                                      // [128,28,28,1]  100.4 kB
	float *const scale = (float *)(m->arena + 6422528);                                     // [128,28,28,1]  401.4 kB  steps 1-2
	scale_mul_100352(image, scale);
	/* 2  mnist_cnn.net:12  relu((conv(scale, conv_weight) + conv_bias))  [128,28,28,16]  32.1 MFLOP  6.8 MB */
	float *const conv_weight = (float *)(m->params + 0);                                    // [16,3,3,1]  576 B
	float *const conv_bias = (float *)(m->params + 126016);                                 // [16]  64 B
	float *const relu = (float *)(m->arena + 0);                                            // [128,28,28,16]  6.4 MB  steps 2-3
	conv_bias_relu_128x28x28x16(scale, conv_weight, conv_bias, relu);
	/* 3  mnist_cnn.net:12  maxpool(relu)  [128,14,14,16]  1.6 MFLOP  8.0 MB */
	float *const maxpool = (float *)(m->arena + 6422528);                                   // [128,14,14,16]  1.6 MB  steps 3-4
	maxpool_128x14x14x16(relu, maxpool);
	/* 4  mnist_cnn.net:13  matmul(maxpool, dense_weight) + dense_bias  [128,10]  8.0 MFLOP  1.7 MB */
	float *const dense_weight = (float *)(m->params + 576);                                 // [10,3136]  125.4 kB
	float *const dense_bias = (float *)(m->params + 126080);                                // [10]  40 B
	float *const logits = (float *)(m->arena + 0);                                          // [128,10]  5.1 kB  steps 4-end
	matmul_bias_128x10(maxpool, dense_weight, dense_bias, logits);

	/* ---- loss */
	/* 5  mnist_cnn.net:15,16  cross_entropy_accuracy  [128]  35.5 kFLOP  6.7 kB */
	int32_t *const digit_2 = (int32_t *)(m->inputs + 100352);                               // [128,1]  512 B
	float *const cross_entropy = (float *)(m->arena + 5120);                                // [128]  512 B  steps 5-end
	float *const accuracy = (float *)(m->arena + 5632);                                     // [128]  512 B  steps 5-end
	cross_entropy_accuracy_128x10(logits, digit_2, cross_entropy, accuracy);
}

/* What the model predicts, without loss and metrics: 4 steps, 41.8 MFLOP, 17.1 MB moved, arena 8.0 MB (lower bound 8.0 MB, at step 3) */
static void predict_batch(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	/* 1  mnist_cnn.net:11  cast(image) * 0.00392157  [128,28,28,1]  100.4 kFLOP  501.8 kB */
	uint8_t *const image = (uint8_t *)(m->inputs + 0);                                      // [128,28,28,1]  100.4 kB
	float *const scale = (float *)(m->arena + 6422528);                                     // [128,28,28,1]  401.4 kB  steps 1-2
	scale_mul_100352(image, scale);
	/* 2  mnist_cnn.net:12  relu((conv(scale, conv_weight) + conv_bias))  [128,28,28,16]  32.1 MFLOP  6.8 MB */
	float *const conv_weight = (float *)(m->params + 0);                                    // [16,3,3,1]  576 B
	float *const conv_bias = (float *)(m->params + 126016);                                 // [16]  64 B
	float *const relu = (float *)(m->arena + 0);                                            // [128,28,28,16]  6.4 MB  steps 2-3
	conv_bias_relu_128x28x28x16(scale, conv_weight, conv_bias, relu);
	/* 3  mnist_cnn.net:12  maxpool(relu)  [128,14,14,16]  1.6 MFLOP  8.0 MB */
	float *const maxpool = (float *)(m->arena + 6422528);                                   // [128,14,14,16]  1.6 MB  steps 3-4
	maxpool_128x14x14x16(relu, maxpool);
	/* 4  mnist_cnn.net:13  matmul(maxpool, dense_weight) + dense_bias  [128,10]  8.0 MFLOP  1.7 MB */
	float *const dense_weight = (float *)(m->params + 576);                                 // [10,3136]  125.4 kB
	float *const dense_bias = (float *)(m->params + 126080);                                // [10]  40 B
	float *const logits = (float *)(m->arena + 0);                                          // [128,10]  5.1 kB  steps 4-end
	matmul_bias_128x10(maxpool, dense_weight, dense_bias, logits);
}

/* For `profile`: the steps above, and which part of each is whose line of the .net files: by FLOPs,
 * of the update by parameters. {name, formula, library, phase, converts, FLOP, B, shares: {place, phase, weight}} */
static const NnrStep steps[] = {
	{"scale_mul_100352", "cast(image) * 0.00392157", NULL, NNR_PHASE_FORWARD, false, 100352, 501760, 1, (const NnrShare[]){{0, NNR_PHASE_FORWARD, 100352}}},
	{"conv_bias_relu_128x28x28x16", "relu((conv(x, w) + bias))", NULL, NNR_PHASE_FORWARD, false, 32112640, 6824576, 1, (const NnrShare[]){{1, NNR_PHASE_FORWARD, 3.21126e+07}}},
	{"maxpool_128x14x14x16", "maxpool(x)", NULL, NNR_PHASE_FORWARD, false, 1605632, 8028160, 1, (const NnrShare[]){{1, NNR_PHASE_FORWARD, 1.60563e+06}}},
	{"matmul_bias_128x10", "matmul(a, b) + bias", NULL, NNR_PHASE_FORWARD, false, 8029440, 1736232, 1, (const NnrShare[]){{2, NNR_PHASE_FORWARD, 8.02944e+06}}},
	{"cross_entropy_backward_accuracy_128x10", "cross_entropy_backward_accuracy", NULL, NNR_PHASE_LOSS, false, 35584, 12288, 3, (const NnrShare[]){{3, NNR_PHASE_LOSS, 27008}, {4, NNR_PHASE_LOSS, 8448}, {3, NNR_PHASE_BACKWARD, 128}}},
	{"mean_128", "sum(cross_entropy) * 0.0078125", NULL, NNR_PHASE_LOSS, false, 129, 516, 1, (const NnrShare[]){{3, NNR_PHASE_LOSS, 129}}},
	{"mean_128", "sum(is_right) * 0.0078125", NULL, NNR_PHASE_LOSS, false, 129, 516, 1, (const NnrShare[]){{4, NNR_PHASE_LOSS, 129}}},
	{"cross_entropy_bias_backward_128x10", "sum((0.0078125 * ((exp_ * div) - one_hot(digit)))); 0.0078125 * ((exp_ * div) - one_hot(digit))", NULL, NNR_PHASE_BACKWARD, false, 6400, 11304, 3, (const NnrShare[]){{3, NNR_PHASE_BACKWARD, 4480}, {4, NNR_PHASE_BACKWARD, 640}, {2, NNR_PHASE_BACKWARD, 1280}}},
	{"matmul_128x3136", "matmul(a, b)", NULL, NNR_PHASE_BACKWARD, false, 8028160, 1736192, 1, (const NnrShare[]){{2, NNR_PHASE_BACKWARD, 8.02816e+06}}},
	{"matmul_10x3136", "matmul(a, b)", NULL, NNR_PHASE_BACKWARD, false, 8028160, 1736192, 1, (const NnrShare[]){{2, NNR_PHASE_BACKWARD, 8.02816e+06}}},
	{"maxpool_relu_backward_128x28x28x16", "select((x > 0), maxpool_grad(dy, x, y), 0)", NULL, NNR_PHASE_BACKWARD, false, 4816896, 16056320, 1, (const NnrShare[]){{1, NNR_PHASE_BACKWARD, 4.8169e+06}}},
	{"bias_backward_100352x16", "sum(dy)", NULL, NNR_PHASE_BACKWARD, false, 1605632, 6422592, 1, (const NnrShare[]){{1, NNR_PHASE_BACKWARD, 1.60563e+06}}},
	{"conv_wgrad_16x3x3x1", "conv_wgrad(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 28901376, 6824512, 1, (const NnrShare[]){{1, NNR_PHASE_BACKWARD, 2.89014e+07}}},
	{"adam_31530", "adam", NULL, NNR_PHASE_UPDATE, false, 567540, 882840, 3, (const NnrShare[]){{1, NNR_PHASE_UPDATE, 160}, {2, NNR_PHASE_UPDATE, 31370}, {5, NNR_PHASE_UPDATE, 0}}},
};
static const char *const lines[] = {
	"# mnist_cnn.net: the smallest useful CNN.",
	"#",
	"# LeCun, Bottou, Bengio, Haffner: Gradient-based learning applied to document recognition (1998), in today's form:",
	"# one convolution, ReLU, one dense layer, Adam (Kingma, Ba, 2014).",
	"# Parameters: 31,530 (conv 160, dense 31,370).",
	"# Expected: 94.2 to 96.5 % (seeds 0 to 11) on the 2,000 held out of the first 10,000 digits, after 12 epochs.",
	"model mnist_cnn {",
	"    input  image: u8[28, 28, 1]  # height, width, channels; the batch dimension is implicit",
	"    target digit: class[10]",
	"",
	"    logits = image -> scale(1/255)",
	"                   -> conv(16, 3, pad = same) -> relu -> maxpool(2)",
	"                   -> flatten -> dense(10)",
	"",
	"    loss   cross_entropy(logits, digit)",
	"    metric accuracy(logits, digit)",
	"    output logits",
	"}",
	"",
	"train mnist_cnn {",
	"    data      mnist  # the folder is a run-time argument: --data DIR",
	"    optimizer adam(rate = 0.001)",
	"    batch     128",
	"    epochs    12",
	"}",
};
/* What nnc was told, and what it made of that: a trainer for other ranks is made, and known, by it. */
static const char *const words[] = {
	"--march=native",
	"--library=none",
	NULL,
};
static const char program[] = "nnc program a1d1dbb2e3083075 for 1 ranks";
static const NnrSource sources[] = {
	{"mnist_cnn.net", lines, 25},
};
static const NnrPlace places[] = {
	{0, 11, -1, ""}, {0, 12, -1, ""}, {0, 13, -1, ""}, {0, 15, -1, ""}, {0, 16, -1, ""}, {0, 22, -1, ""},
};

static const NnrInput inputs[] = {
	{.name = "image", .dtype = NNR_U8, .rank = 4, .dim = {128, 28, 28, 1}, .offset = 0},
	{.name = "digit", .is_target = true, .classes = 10, .dtype = NNR_I32, .rank = 1, .dim = {128}, .offset = 100352},
};
static const NnrTensor params[] = {
	{"conv.weight", NNR_F32, 4, {16, 3, 3, 1}, 0, NNR_UNIFORM, 0.33333333333333331, 1, false, false, -1},
	{"conv.bias", NNR_F32, 1, {16}, 126016, NNR_UNIFORM, 0.33333333333333331, 0, false, false, -1},
	{"dense.weight", NNR_F32, 2, {10, 3136}, 576, NNR_UNIFORM, 0.017857142857142856, 16, false, false, -1},
	{"dense.bias", NNR_F32, 1, {10}, 126080, NNR_UNIFORM, 0.017857142857142856, 0, false, false, -1},
};
static const char *const layouts[] = {
	"OHWI", "", "OI", ""
};
static const NnrTensor states[] = {
	{"adam.m", NNR_F32, 1, {31530}, 0, NNR_CONSTANT, 0, 0, false, true, 0},
	{"adam.v", NNR_F32, 1, {31530}, 126144, NNR_CONSTANT, 0, 0, false, true, 0},
};
static const NnrOutput train_outputs[] = {
	{NNR_LOSS, "loss", NNR_F32, 0, {0}, 16583872},
	{NNR_METRIC, "accuracy", NNR_F32, 0, {0}, 16583936},
};
static const NnrOutput evaluate_outputs[] = {
	{NNR_LOSS, "loss", NNR_F32, 1, {128}, 5120},
	{NNR_METRIC, "accuracy", NNR_F32, 1, {128}, 5632},
	{NNR_VALUE, "logits", NNR_F32, 2, {128, 10}, 0},
};
static const NnrOutput predict_outputs[] = {
	{NNR_VALUE, "logits", NNR_F32, 2, {128, 10}, 0},
};
static const NnrOutput train_gradient = {NNR_GRADIENT, "gradients", NNR_F32, 1, {31530}, 16457728};

/* The prediction as a graph of ONNX: "export --format onnx" puts the weights in. */
static const char *const onnx[] = {
	"input image u8 [28,28,1]", "n0 = Cast(image) to=1", "n1 = real 0.00392156863", "n2 = Mul(n0, n1)", "n3 = real 0", "n4 = Add(n2, n3)",
	"n5 = Transpose(n4) perm=[0,3,1,2]", "n6 = Conv(n5, @conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1", "n7 = ints [1,2]",
	"n8 = Unsqueeze(conv.bias, n7)", "n9 = Add(n6, n8)", "n10 = Relu(n9)", "n11 = MaxPool(n10) kernel_shape=[2,2] strides=[2,2] pads=[0,0,0,0]",
	"n12 = Transpose(n11) perm=[0,2,3,1]", "n13 = ints [-1,3136]", "n14 = Reshape(n12, n13)", "n15 = Gemm(n14, dense.weight) transA=0 transB=1",
	"n16 = Add(n15, dense.bias)", "output logits f32 [10] n16",
};

static const NnrModel model = {
	.abi = NNR_ABI, .name = "mnist_cnn", .source = "mnist_cnn.net",
	.version = "0.3", .needs = NNR_FEATURES, .recipe = "data mnist; optimizer adam(rate = 0.001, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-08, decay = 0); rate 0.001 constant; batch 128; epochs 12; precision tf32; seed 0; decay weights",
	.real = NNR_F32, .batch = 128, .chunks = 1,
	.program = program, .words = words, .word_count = 2, .compiler = NNR_COMPILER,
	.inputs = inputs, .input_count = 2,
	.params = params, .param_count = 4, .layouts = layouts,
	.onnx = onnx, .onnx_count = 19,
	.states = states, .state_count = 2,
	.param_bytes = 126120, .state_bytes = 252288, .input_bytes = 100864,
	.train = {.arena_bytes = 16584000, .outputs = train_outputs, .output_count = 2, .steps = steps, .step_count = 14, .gradient = &train_gradient, .run = train_step},
	.evaluate = {.arena_bytes = 8028160, .outputs = evaluate_outputs, .output_count = 3, .run = evaluate_batch},
	.predict = {.arena_bytes = 8028160, .outputs = predict_outputs, .output_count = 1, .run = predict_batch},
	.scored = {.output = "logits", .target = "digit", .softmaxed = false},
	.places = places, .place_count = 6, .sources = sources, .source_count = 1, .file_count = 1,
	.data = "mnist",
	.rate = {.kind = NNR_RATE_CONSTANT, .rate = 0.001, .final_rate = 0, .gamma = 0.10000000000000001,
	         .warmup = 0, .every = 0, .warmup_in_epochs = false, .every_in_epochs = false},
	.epochs = 12, .steps = 0, .seed = 0u,
};

int main(int argc, char **argv)
{
	return nnr_main(&model, argc, argv);
}
