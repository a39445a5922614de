/* rosenbrock_mlp, from rosenbrock_mlp.net by nnc 0.3 for the CPU. Do not edit: change the .net file and run nnc again.
 * Yours under any terms: LICENSE of nnc, "Exception for what nnc makes".
 *
 * data rosenbrock; optimizer adam(rate = 0.001, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-08, decay = 0); rate 0.001 constant; batch 2000; epochs 10; precision tf32; seed 0; decay weights
 * batch 2000   parameters 1.0 M (4.0 MB)   states 8.0 MB   arena 20.3 MB training, 8.0 MB evaluation
 *
 * Rebuild: cc -std=gnu17 -O2 -march=native -fopenmp -fno-math-errno -fno-trapping-math -I RUNTIME \
 *             THIS.c libnnr.a -lz -lm -ldl -o train
 * (`nnc -v` prints it with the paths of this machine). Tensors are [batch, height, width, channels]. */
#include "nnr.h"
#include "nnr_math.h"
#include "cpu/nnr_step.h"
#include "cpu/gemm.h"
#include <math.h>
#include <string.h>

/* tanh((matmul(a, b) + bias))
 * rosenbrock_mlp.net:11
 * [2000,1000]  4.0 GFLOP  20.0 MB */
static void matmul_bias_tanh_2000x1000(const float *restrict a, const float *restrict b, const float *restrict bias, float *restrict tanh_)
{
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < 2000; m0 += 250) {
		for (int64_t n0 = 0; n0 < 1000; n0 += 256) {
			float t[NNR_BLOCK_ROWS(250) * 256] __attribute__((aligned(64)));
			nnr_matmul_block_f32(250, 256, (NnrMatrix){a, 2000, 1000, 1000}, 0, (NnrMatrix){b, 1000, 1000, 1000}, 1, 0, 1000, m0, n0, t);
			const int64_t rows = 2000 - m0 < 250 ? 2000 - m0 : 250;
			const int64_t columns = 1000 - n0 < 256 ? 1000 - n0 : 256;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float tanh_2_ = nnr_tanhf(t[i * 256 + j] + bias[n0 + j]);
					tanh_[row * 1000 + (n0 + j)] = tanh_2_;
				}
			}
		}
	}
}

/* 0.001 * ((sum((tanh_ * weight)) + bias) - y); (((sum((tanh_ * weight)) + bias) - y) * ((sum((tanh_ * weight))
 *   + bias) - y)); (sum((tanh_ * weight)) + bias) - y
 * rosenbrock_mlp.net:11,13
 * [2000,1]  4.0 MFLOP  8.0 MB */
static void matmul_bias_mse_backward_2000x1000(const float *restrict tanh_, const float *restrict weight, const float *restrict bias, const float *restrict y, float *restrict error, float *restrict squared_error, float *restrict dx)
{
	#pragma omp parallel for
	for (int64_t i0 = 0; i0 < 2000; i0++) {
		float matmul = 0;
		#pragma omp simd reduction(+ : matmul)
		for (int64_t i1 = 0; i1 < 1000; i1++) {
			matmul += tanh_[i0 * 1000 + i1]*weight[i1];
		}
		const float dense_ = matmul + bias[0];
		const float error_ = dense_ - y[i0];
		const float squared_error_ = error_*error_;
		const float dx_ = 0.001f*error_;
		error[i0] = error_;
		squared_error[i0] = squared_error_;
		dx[i0] = dx_;
	}
}

/* sum(squared_error) / 2000
 * rosenbrock_mlp.net:13
 * []  2.0 kFLOP  8.0 kB */
static void mean_2000(const float *restrict squared_error, float *restrict mean)
{
	float sum = 0;
	#pragma omp simd reduction(+ : sum)
	for (int64_t i0 = 0; i0 < 2000; i0++) {
		sum += squared_error[i0];
	}
	const float mean_ = sum/(2e+03f);
	mean[0] = mean_;
}

/* sum((0.001 * error))
 * rosenbrock_mlp.net:11,13
 * [1]  4.0 kFLOP  8.0 kB */
static void mse_bias_backward_2000(const float *restrict error, float *restrict dbias)
{
	float dbias_2 = 0;
	#pragma omp simd reduction(+ : dbias_2)
	for (int64_t i0 = 0; i0 < 2000; i0++) {
		dbias_2 += 0.001f*error[i0];
	}
	dbias[0] = dbias_2;
}

/* sum(((dy * weight) * (1 - (tanh_ * tanh_)))); (dy * weight) * (1 - (tanh_ * tanh_)); sum((dy * tanh_))
 * rosenbrock_mlp.net:11
 * [2000,1000]  14.0 MFLOP  16.0 MB */
static void matmul_tanh_bias_backward_2000x1000(const float *restrict dy, const float *restrict tanh_, const float *restrict weight, float *restrict dweight, float *restrict dx, float *restrict dbias, float *partial)
{
	#pragma omp parallel for
	for (int64_t chunk = 0; chunk < 31; chunk++) {
		float *restrict dweight_2 = partial + chunk * 2000;
		float *restrict dbias_2 = partial + chunk * 2000 + 1000;
		#pragma omp simd
		for (int64_t i1 = 0; i1 < 1000; i1++) {
			dweight_2[i1] = 0;
			dbias_2[i1] = 0;
		}
		for (int64_t i0 = chunk * 2000 / 31; i0 < (chunk + 1) * 2000 / 31; i0++) {
			#pragma omp simd
			for (int64_t i1 = 0; i1 < 1000; i1++) {
				const float dx_ = (dy[i0]*weight[i1])*(1.0f - (tanh_[i0 * 1000 + i1]*tanh_[i0 * 1000 + i1]));
				dweight_2[i1] += dy[i0]*tanh_[i0 * 1000 + i1];
				dbias_2[i1] += dx_;
				dx[i0 * 1000 + i1] = dx_;
			}
		}
	}
	#pragma omp simd
	for (int64_t i1 = 0; i1 < 1000; i1++) {
		float dweight_2 = 0;
		float dbias_2 = 0;
		for (int64_t chunk = 0; chunk < 31; chunk++) {
			dweight_2 += partial[chunk * 2000 + i1];
			dbias_2 += partial[chunk * 2000 + 1000 + i1];
		}
		dweight[i1] = dweight_2;
		dbias[i1] = dbias_2;
	}
}

/* matmul(a, b)
 * rosenbrock_mlp.net:11
 * [1000,1000]  4.0 GFLOP  20.0 MB */
static void matmul_1000x1000(const float *restrict a, const float *restrict b, float *restrict y)
{
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < 1000; m0 += 250) {
		for (int64_t n0 = 0; n0 < 1000; n0 += 256) {
			float t[NNR_BLOCK_ROWS(250) * 256] __attribute__((aligned(64)));
			nnr_matmul_block_f32(250, 256, (NnrMatrix){a, 2000, 1000, 1000}, 1, (NnrMatrix){b, 2000, 1000, 1000}, 0, 0, 2000, m0, n0, t);
			const int64_t rows = 1000 - m0 < 250 ? 1000 - m0 : 250;
			const int64_t columns = 1000 - n0 < 256 ? 1000 - n0 : 256;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float dweight_ = t[i * 256 + j];
					y[row * 1000 + (n0 + j)] = dweight_;
				}
			}
		}
	}
}

/* adam
 * rosenbrock_mlp.net:19
 * [1002001]  18.0 MFLOP  28.1 MB */
static void adam_1002001(const float *restrict pack, float *restrict m, float *restrict v, float *restrict params, const NnrScalars *s)
{
	const float v_correction = (float)(1/sqrt(-nnr_expm1(s->step*(-0.0010005003335835344))));
	const float step_size = (float)(s->rate/(-nnr_expm1(s->step*(-0.10536051565782628))));
	#pragma omp parallel for simd
	for (int64_t i0 = 0; i0 < 1002001; i0++) {
		const float m_ = m[i0] + ((pack[i0] - m[i0])*0.1f);
		const float squares_ = (v[i0]*0.999f) + ((pack[i0]*pack[i0])*0.001f);
		const float v_ = squares_ + (squares_*0.0f);
		const float sub_ = params[i0] - (step_size*(m_/((sqrtf(v_)*v_correction) + 1e-08f)));
		m[i0] = m_;
		v[i0] = v_;
		params[i0] = sub_;
	}
}

/* matmul(a, b)
 * rosenbrock_mlp.net:11
 * [2000,1000]  4.0 GFLOP  20.0 MB */
static void matmul_2000x1000(const float *restrict a, const float *restrict b, float *restrict y)
{
	#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t m0 = 0; m0 < 2000; m0 += 250) {
		for (int64_t n0 = 0; n0 < 1000; n0 += 256) {
			float t[NNR_BLOCK_ROWS(250) * 256] __attribute__((aligned(64)));
			nnr_matmul_block_f32(250, 256, (NnrMatrix){a, 2000, 1000, 1000}, 0, (NnrMatrix){b, 1000, 1000, 1000}, 1, 0, 1000, m0, n0, t);
			const int64_t rows = 2000 - m0 < 250 ? 2000 - m0 : 250;
			const int64_t columns = 1000 - n0 < 256 ? 1000 - n0 : 256;
			for (int64_t i = 0; i < rows; i++) {
				const int64_t row = m0 + i;
				#pragma omp simd
				for (int64_t j = 0; j < columns; j++) {
					const float matmul_ = t[i * 256 + j];
					y[row * 1000 + (n0 + j)] = matmul_;
				}
			}
		}
	}
}

/* bias_tanh_matmul_mse
 * rosenbrock_mlp.net:11,13
 * [2000,1]  42.0 MFLOP  8.0 MB */
static void bias_tanh_matmul_mse_2000x1000(const float *restrict matmul, const float *restrict bias, const float *restrict weight, const float *restrict bias_2, const float *restrict y, float *restrict dense, float *restrict squared_error)
{
	#pragma omp parallel for
	for (int64_t i0 = 0; i0 < 2000; i0++) {
		float matmul_2 = 0;
		#pragma omp simd reduction(+ : matmul_2)
		for (int64_t i1 = 0; i1 < 1000; i1++) {
			matmul_2 += nnr_tanhf(matmul[i0 * 1000 + i1] + bias[i1])*weight[i1];
		}
		const float dense_ = matmul_2 + bias_2[0];
		const float error_ = dense_ - y[i0];
		const float squared_error_ = error_*error_;
		dense[i0] = dense_;
		squared_error[i0] = squared_error_;
	}
}

/* sum((tanh((matmul + bias)) * weight)) + bias_2
 * rosenbrock_mlp.net:11
 * [2000,1]  42.0 MFLOP  8.0 MB */
static void bias_tanh_matmul_2000x1000(const float *restrict matmul, const float *restrict bias, const float *restrict weight, const float *restrict bias_2, float *restrict dense)
{
	#pragma omp parallel for
	for (int64_t i0 = 0; i0 < 2000; i0++) {
		float matmul_2 = 0;
		#pragma omp simd reduction(+ : matmul_2)
		for (int64_t i1 = 0; i1 < 1000; i1++) {
			matmul_2 += nnr_tanhf(matmul[i0 * 1000 + i1] + bias[i1])*weight[i1];
		}
		const float dense_ = matmul_2 + bias_2[0];
		dense[i0] = dense_;
	}
}

/* One training step: 7 steps, 8.1 GFLOP, 92.1 MB moved, arena 20.3 MB (lower bound 20.3 MB, at step 5) */
static void train_step(const NnrMemory *m, const NnrScalars *s)
{
	/* ---- forward */
	nnr_step(1); /* rosenbrock_mlp.net:11  tanh((matmul(x, dense_weight) + dense_bias))  [2000,1000]  4.0 GFLOP  20.0 MB */
	float *const x = (float *)(m->inputs + 0);                                              // [2000,1000]  8.0 MB
	float *const dense_weight = (float *)(m->params + 0);                                   // [1000,1000]  4.0 MB
	float *const dense_bias = (float *)(m->params + 4004000);                               // [1000]  4.0 kB
	float *const tanh_ = (float *)(m->arena + 0);                                           // [2000,1000]  8.0 MB  steps 1-5
	matmul_bias_tanh_2000x1000(x, dense_weight, dense_bias, tanh_);
	nnr_step(2); /* rosenbrock_mlp.net:11,13  matmul_bias_mse_backward  [2000,1]  4.0 MFLOP  8.0 MB */
	float *const dense_2_weight = (float *)(m->params + 4000000);                           // [1,1000]  4.0 kB
	float *const dense_2_bias = (float *)(m->params + 4008000);                             // [1]  4 B
	float *const y = (float *)(m->inputs + 8000000);                                        // [2000,1]  8.0 kB
	float *const error = (float *)(m->arena + 8000000);                                     // [2000,1]  8.0 kB  steps 2-4
	float *const mse = (float *)(m->arena + 8008000);                                       // [2000]  8.0 kB  steps 2-3
	float *const dprediction = (float *)(m->arena + 20256064);                              // [2000,1]  8.0 kB  steps 2-5
	matmul_bias_mse_backward_2000x1000(tanh_, dense_2_weight, dense_2_bias, y, error, mse, dprediction);

	/* ---- loss */
	nnr_step(3); /* rosenbrock_mlp.net:13  sum(mse) / 2000  []  2.0 kFLOP  8.0 kB */
	float *const loss = (float *)(m->arena + 20264064);                                     // []  4 B  steps 3-end
	mean_2000(mse, loss);

	/* ---- backward */
	nnr_step(4); /* rosenbrock_mlp.net:11,13  sum((0.001 * error))  [1]  4.0 kFLOP  8.0 kB */
	float *const dense_2_dbias = (float *)(m->arena + 20008000);                            // [1]  4 B  steps 4-7
	mse_bias_backward_2000(error, dense_2_dbias);
	nnr_step(5); /* rosenbrock_mlp.net:11  sum(((dprediction * dense_2_weight) * (1 - (tanh_ * tanh_))));
	 *    (dprediction * dense_2_weight) * (1 - (tanh_ * tanh_)); sum((dprediction * tanh_))
	 *    [2000,1000]  14.0 MFLOP  16.0 MB */
	float *const dense_2_dweight = (float *)(m->arena + 20000000);                          // [1,1000]  4.0 kB  steps 4-7
	float *const ddense = (float *)(m->arena + 8000000);                                    // [2000,1000]  8.0 MB  steps 5-6
	float *const dense_dbias = (float *)(m->arena + 20004000);                              // [1000]  4.0 kB  steps 4-7
	float *const partial = (float *)(m->arena + 20008064);                                  // [62000]  248.0 kB  steps 5-5
	matmul_tanh_bias_backward_2000x1000(dprediction, tanh_, dense_2_weight, dense_2_dweight, ddense, dense_dbias, partial);
	nnr_step(6); /* rosenbrock_mlp.net:11  matmul(ddense, x)  [1000,1000]  4.0 GFLOP  20.0 MB */
	float *const dense_dweight = (float *)(m->arena + 16000000);                            // [1000,1000]  4.0 MB  steps 4-7
	matmul_1000x1000(ddense, x, dense_dweight);

	/* ---- update */
	nnr_step(7); /* rosenbrock_mlp.net:19  adam  [1002001]  18.0 MFLOP  28.1 MB */
	float *const gradients = (float *)(m->arena + 16000000);                                // [1002001]  4.0 MB  steps 4-7
	float *const adam_m = (float *)(m->state + 0);                                          // [1002001]  4.0 MB
	float *const adam_v = (float *)(m->state + 4008064);                                    // [1002001]  4.0 MB
	float *const params = (float *)(m->params + 0);                                         // [1002001]  4.0 MB
	adam_1002001(gradients, adam_m, adam_v, params, s);
}

/* Loss and metrics of one batch, per sample: 2 steps, 4.0 GFLOP, 28.0 MB moved, arena 8.0 MB (lower bound 8.0 MB, at step 2) */
static void evaluate_batch(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	/* 1  rosenbrock_mlp.net:11  matmul(x, dense_weight)  [2000,1000]  4.0 GFLOP  20.0 MB */
	float *const x = (float *)(m->inputs + 0);                                              // [2000,1000]  8.0 MB
	float *const dense_weight = (float *)(m->params + 0);                                   // [1000,1000]  4.0 MB
	float *const matmul = (float *)(m->arena + 0);                                          // [2000,1000]  8.0 MB  steps 1-2
	matmul_2000x1000(x, dense_weight, matmul);
	/* 2  rosenbrock_mlp.net:11,13  bias_tanh_matmul_mse  [2000,1]  42.0 MFLOP  8.0 MB */
	float *const dense_bias = (float *)(m->params + 4004000);                               // [1000]  4.0 kB
	float *const dense_2_weight = (float *)(m->params + 4000000);                           // [1,1000]  4.0 kB
	float *const dense_2_bias = (float *)(m->params + 4008000);                             // [1]  4 B
	float *const y = (float *)(m->inputs + 8000000);                                        // [2000,1]  8.0 kB
	float *const prediction = (float *)(m->arena + 8000000);                                // [2000,1]  8.0 kB  steps 2-end
	float *const mse = (float *)(m->arena + 8008000);                                       // [2000]  8.0 kB  steps 2-end
	bias_tanh_matmul_mse_2000x1000(matmul, dense_bias, dense_2_weight, dense_2_bias, y, prediction, mse);
}

/* What the model predicts, without loss and metrics: 2 steps, 4.0 GFLOP, 28.0 MB moved, arena 8.0 MB (lower bound 8.0 MB, at step 2) */
static void predict_batch(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	/* 1  rosenbrock_mlp.net:11  matmul(x, dense_weight)  [2000,1000]  4.0 GFLOP  20.0 MB */
	float *const x = (float *)(m->inputs + 0);                                              // [2000,1000]  8.0 MB
	float *const dense_weight = (float *)(m->params + 0);                                   // [1000,1000]  4.0 MB
	float *const matmul = (float *)(m->arena + 0);                                          // [2000,1000]  8.0 MB  steps 1-2
	matmul_2000x1000(x, dense_weight, matmul);
	/* 2  rosenbrock_mlp.net:11  sum((tanh((matmul + dense_bias)) * dense_2_weight)) + dense_2_bias
	 *    [2000,1]  42.0 MFLOP  8.0 MB */
	float *const dense_bias = (float *)(m->params + 4004000);                               // [1000]  4.0 kB
	float *const dense_2_weight = (float *)(m->params + 4000000);                           // [1,1000]  4.0 kB
	float *const dense_2_bias = (float *)(m->params + 4008000);                             // [1]  4 B
	float *const prediction = (float *)(m->arena + 8000000);                                // [2000,1]  8.0 kB  steps 2-end
	bias_tanh_matmul_2000x1000(matmul, dense_bias, dense_2_weight, dense_2_bias, prediction);
}

/* For `profile`: the steps above, and which part of each is whose line of the .net files: by FLOPs,
 * of the update by parameters. {name, formula, library, phase, converts, FLOP, B, shares: {place, phase, weight}} */
static const NnrStep steps[] = {
	{"matmul_bias_tanh_2000x1000", "tanh((matmul(a, b) + bias))", NULL, NNR_PHASE_FORWARD, false, 4038000000, 20004000, 1, (const NnrShare[]){{0, NNR_PHASE_FORWARD, 4.038e+09}}},
	{"matmul_bias_mse_backward_2000x1000", "matmul_bias_mse_backward", NULL, NNR_PHASE_FORWARD, false, 4008000, 8036004, 3, (const NnrShare[]){{0, NNR_PHASE_FORWARD, 4.002e+06}, {1, NNR_PHASE_LOSS, 4000}, {1, NNR_PHASE_BACKWARD, 2000}}},
	{"mean_2000", "sum(squared_error) / 2000", NULL, NNR_PHASE_LOSS, false, 2001, 8004, 1, (const NnrShare[]){{1, NNR_PHASE_LOSS, 2001}}},
	{"mse_bias_backward_2000", "sum((0.001 * error))", NULL, NNR_PHASE_BACKWARD, false, 4000, 8004, 2, (const NnrShare[]){{1, NNR_PHASE_BACKWARD, 2000}, {0, NNR_PHASE_BACKWARD, 2000}}},
	{"matmul_tanh_bias_backward_2000x1000", "sum(((dy * weight) * (1 - (tanh_ * tanh_)))); (dy * weight) * (1 - (tanh_ * tanh_)); sum((dy * tanh_))", NULL, NNR_PHASE_BACKWARD, false, 14000000, 16020000, 1, (const NnrShare[]){{0, NNR_PHASE_BACKWARD, 1.4e+07}}},
	{"matmul_1000x1000", "matmul(a, b)", NULL, NNR_PHASE_BACKWARD, false, 4000000000, 20000000, 1, (const NnrShare[]){{0, NNR_PHASE_BACKWARD, 4e+09}}},
	{"adam_1002001", "adam", NULL, NNR_PHASE_UPDATE, false, 18036018, 28056028, 2, (const NnrShare[]){{0, NNR_PHASE_UPDATE, 1.002e+06}, {2, NNR_PHASE_UPDATE, 0}}},
};
static const char *const lines[] = {
	"# rosenbrock_mlp.net: regression of the 1000-dimensional Rosenbrock function.",
	"#",
	"# Rosenbrock: An automatic method for finding the greatest or least value of a function (1960). The data is generated:",
	"# how x is drawn and how the value is scaled to y stands in runtime/README.md under synth:rosenbrock.",
	"# Parameters: 1,002,001 (1000*1000 + 1000, 1000 + 1).",
	"# Expected: y has variance 1; eval_loss 0.85, 0.80, 0.79 after the first three epochs of 16,000 samples.",
	"model rosenbrock_mlp(size = 1000, hidden = 1000) {",
	"    input  x: f32[size]",
	"    target y: f32[1]",
	"",
	"    prediction = x -> dense(hidden) -> tanh -> dense(1)",
	"",
	"    loss   mse(prediction, y)",
	"    output prediction",
	"}",
	"",
	"train rosenbrock_mlp {",
	"    data      rosenbrock",
	"    optimizer adam(rate = 0.001)",
	"    batch     2000",
	"    epochs    10",
	"}",
};
/* What nnc was told, and what it made of that: a trainer for other ranks is made, and known, by it. */
static const char *const words[] = {
	"--march=native",
	"--library=none",
	NULL,
};
static const char program[] = "nnc program 33867a243c1463c6 for 1 ranks";
static const NnrSource sources[] = {
	{"rosenbrock_mlp.net", lines, 22},
};
static const NnrPlace places[] = {
	{0, 11, -1, ""}, {0, 13, -1, ""}, {0, 19, -1, ""},
};

static const NnrInput inputs[] = {
	{.name = "x", .dtype = NNR_F32, .rank = 2, .dim = {2000, 1000}, .offset = 0},
	{.name = "y", .is_target = true, .dtype = NNR_F32, .rank = 2, .dim = {2000, 1}, .offset = 8000000},
};
static const NnrTensor params[] = {
	{"dense.weight", NNR_F32, 2, {1000, 1000}, 0, NNR_UNIFORM, 0.031622776601683791, 0, false, false, -1},
	{"dense.bias", NNR_F32, 1, {1000}, 4004000, NNR_UNIFORM, 0.031622776601683791, 0, false, false, -1},
	{"dense_2.weight", NNR_F32, 2, {1, 1000}, 4000000, NNR_UNIFORM, 0.031622776601683791, 0, false, false, -1},
	{"dense_2.bias", NNR_F32, 1, {1}, 4008000, NNR_UNIFORM, 0.031622776601683791, 0, false, false, -1},
};
static const char *const layouts[] = {
	"OI", "", "OI", ""
};
static const NnrTensor states[] = {
	{"adam.m", NNR_F32, 1, {1002001}, 0, NNR_CONSTANT, 0, 0, false, true, 0},
	{"adam.v", NNR_F32, 1, {1002001}, 4008064, NNR_CONSTANT, 0, 0, false, true, 0},
};
static const NnrOutput train_outputs[] = {
	{NNR_LOSS, "loss", NNR_F32, 0, {0}, 20264064},
};
static const NnrOutput evaluate_outputs[] = {
	{NNR_LOSS, "loss", NNR_F32, 1, {2000}, 8008000},
	{NNR_VALUE, "prediction", NNR_F32, 2, {2000, 1}, 8000000},
};
static const NnrOutput predict_outputs[] = {
	{NNR_VALUE, "prediction", NNR_F32, 2, {2000, 1}, 8000000},
};
static const NnrOutput train_gradient = {NNR_GRADIENT, "gradients", NNR_F32, 1, {1002001}, 16000000};

/* The prediction as a graph of ONNX: "export --format onnx" puts the weights in. */
static const char *const onnx[] = {
	"input x f32 [1000]", "n0 = Gemm(x, dense.weight) transA=0 transB=1", "n1 = Add(n0, dense.bias)", "n2 = Tanh(n1)",
	"n3 = Gemm(n2, dense_2.weight) transA=0 transB=1", "n4 = Add(n3, dense_2.bias)", "output prediction f32 [1] n4",
};

static const NnrModel model = {
	.abi = NNR_ABI, .name = "rosenbrock_mlp", .source = "rosenbrock_mlp.net",
	.version = "0.3", .needs = NNR_FEATURES, .recipe = "data rosenbrock; optimizer adam(rate = 0.001, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-08, decay = 0); rate 0.001 constant; batch 2000; epochs 10; precision tf32; seed 0; decay weights",
	.real = NNR_F32, .batch = 2000, .chunks = 1,
	.program = program, .words = words, .word_count = 2, .compiler = NNR_COMPILER,
	.inputs = inputs, .input_count = 2,
	.params = params, .param_count = 4, .layouts = layouts,
	.onnx = onnx, .onnx_count = 7,
	.states = states, .state_count = 2,
	.param_bytes = 4008004, .state_bytes = 8016128, .input_bytes = 8008000,
	.train = {.arena_bytes = 20264128, .outputs = train_outputs, .output_count = 1, .steps = steps, .step_count = 7, .gradient = &train_gradient, .run = train_step},
	.evaluate = {.arena_bytes = 8016000, .outputs = evaluate_outputs, .output_count = 2, .run = evaluate_batch},
	.predict = {.arena_bytes = 8008000, .outputs = predict_outputs, .output_count = 1, .run = predict_batch},
	.places = places, .place_count = 3, .sources = sources, .source_count = 1, .file_count = 1,
	.data = "rosenbrock",
	.rate = {.kind = NNR_RATE_CONSTANT, .rate = 0.001, .final_rate = 0, .gamma = 0.10000000000000001,
	         .warmup = 0, .every = 0, .warmup_in_epochs = false, .every_in_epochs = false},
	.epochs = 10, .steps = 0, .seed = 0u,
};

int main(int argc, char **argv)
{
	return nnr_main(&model, argc, argv);
}
