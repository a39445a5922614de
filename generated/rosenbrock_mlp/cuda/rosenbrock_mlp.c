/* rosenbrock_mlp, from rosenbrock_mlp.net by nnc 0.3 for CUDA: the host side. Do not edit: change the .net file and run nnc again.
 * Yours under any terms: LICENSE of nnc, "Exception for what nnc makes".
 *
 * data rosenbrock; optimizer adam(rate = 0.001, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-08, decay = 0); rate 0.001 constant; batch 2000; epochs 10; precision tf32; seed 0; decay weights
 * batch 2000   parameters 1.0 M (4.0 MB)   states 8.0 MB   arena 14.7 MB training, 8.0 MB evaluation
 *
 * `nnc --emit=cu=FILE` writes the kernels; nnc compiles them by NVRTC for sm_90 and appends
 * them, as nnr_cuda_model, to the C that it gives to cc. Tensors are [batch, height, width, channels]; every
 * address is of device memory, and every call only enqueues. */
#include "nnr.h"
#include "cuda/nnr_cuda.h"
#include <stddef.h>

extern const NnrCudaModel nnr_cuda_model; /* the compiled kernels */

/* matmul(a, b)
 * rosenbrock_mlp.net:11
 * of 3 sizes: 2000x1000, 1000x1000, 2000x1000_2 */
static NnrKernel matmul_2000x1000_kernel = {.name = "product_2000x1000x1000", .blocks = 128, .threads = 384, .shared_bytes = 197696, .together = true};
static const NnrProductKernel matmul_2000x1000_own = {.kernel = &matmul_2000x1000_kernel, .partial = 4194304};
static const NnrProductShape matmul_2000x1000_shape = {.batch = 1, .m = 2000, .n = 1000, .k = 1000, .ta = true, .tb = true, .own = &matmul_2000x1000_own};
static NnrPlan *matmul_2000x1000_plan;
static NnrKernel matmul_1000x1000_kernel = {.name = "product_1000x1000x2000", .blocks = 128, .threads = 384, .shared_bytes = 197696, .together = true};
static const NnrProductKernel matmul_1000x1000_own = {.kernel = &matmul_1000x1000_kernel, .partial = 4194304};
static const NnrProductShape matmul_1000x1000_shape = {.batch = 1, .m = 1000, .n = 1000, .k = 2000, .ta = true, .tb = true, .own = &matmul_1000x1000_own};
static NnrPlan *matmul_1000x1000_plan;
static NnrKernel matmul_2000x1000_2_kernel = {.name = "product_2000x1000x1000_2", .blocks = 128, .threads = 384, .shared_bytes = 197696, .together = true};
static const NnrProductKernel matmul_2000x1000_2_own = {.kernel = &matmul_2000x1000_2_kernel, .partial = 4194304};
static const NnrProductShape matmul_2000x1000_2_shape = {.batch = 1, .m = 2000, .n = 1000, .k = 1000, .ta = false, .tb = true, .own = &matmul_2000x1000_2_own};
static NnrPlan *matmul_2000x1000_2_plan;
static void matmul_any_size(const NnrProductShape *shape, NnrPlan **plan, const float *a, const float *b, float *y)
{
	nnr_cublas_matmul(plan, shape, NNR_F32, a, b, y);
}

static void bias_backward_tanh_backward_matmul_backward_2000x1000(float *matmul, const float *bias, const float *weight, const float *bias_2, const float *y, float *partial)
{
	static NnrKernel kernel = {.name = "bias_backward_tanh_backward_matmul_backward_2000x1000", .blocks = 250, .threads = 256};
	nnr_launch(&kernel, (void *[]){&matmul, &bias, &weight, &bias_2, &y, &partial});
}

static void mean_bias_backward_matmul_backward_2000x1000(float *mean, float *dbias, float *dweight, float *dbias_2, float *partial)
{
	static NnrKernel kernel = {.name = "mean_bias_backward_matmul_backward_2000x1000", .blocks = 64, .threads = 448};
	nnr_launch(&kernel, (void *[]){&mean, &dbias, &dweight, &dbias_2, &partial});
}

static void adam_1002001(const float *pack, float *m, float *v, float *params, const NnrScalars *s)
{
	static NnrKernel kernel = {.name = "adam_1002001", .blocks = 979, .threads = 256};
	nnr_launch(&kernel, (void *[]){&pack, &m, &v, &params, &s});
}

static void round_tf32_1000000(const float *weight, float *round_tf32)
{
	static NnrKernel kernel = {.name = "round_tf32_1000000", .blocks = 977, .threads = 256};
	nnr_launch(&kernel, (void *[]){&weight, &round_tf32});
}

static void bias_tanh_matmul_mse_2000x1000(const float *matmul, const float *bias, const float *weight, const float *bias_2, const float *y, float *dense, float *squared_error)
{
	static NnrKernel kernel = {.name = "bias_tanh_matmul_mse_2000x1000", .blocks = 250, .threads = 256};
	nnr_launch(&kernel, (void *[]){&matmul, &bias, &weight, &bias_2, &y, &dense, &squared_error});
}

static void bias_tanh_matmul_2000x1000(const float *matmul, const float *bias, const float *weight, const float *bias_2, float *dense)
{
	static NnrKernel kernel = {.name = "bias_tanh_matmul_2000x1000", .blocks = 250, .threads = 256};
	nnr_launch(&kernel, (void *[]){&matmul, &bias, &weight, &bias_2, &dense});
}

/* One training step: 5 steps, 8.1 GFLOP, 84.1 MB moved, arena 14.7 MB (lower bound 14.7 MB, at step 4) */
static void train_step(const NnrMemory *m, const NnrScalars *s)
{
	/* ---- forward */
	nnr_step(1, "rosenbrock_mlp.net:11  matmul(x_transposed, dense_weight)  [2000,1000]  4.0 GFLOP  20.0 MB");
	float *const x_transposed = (float *)(m->inputs + 8008064);                             // [1000,2000]  8.0 MB
	float *const dense_weight = (float *)(m->params + 0);                                   // [1000,1000]  4.0 MB
	float *const matmul = (float *)(m->arena + 0);                                          // [2000,1000]  8.0 MB  steps 1-5
	matmul_any_size(&matmul_2000x1000_shape, &matmul_2000x1000_plan, x_transposed, dense_weight, matmul);
	nnr_step(2, "rosenbrock_mlp.net:11,13  bias_backward_tanh_backward_matmul_backward  [2000,1000]  56.0 MFLOP  16.0 MB");
	float *const dense_bias = (float *)(m->params + 4004000);                               // [1000]  4.0 kB
	float *const dense_2_weight = (float *)(m->params + 4000000);                           // [1,1000]  4.0 kB
	float *const dense_2_bias = (float *)(m->params + 4008000);                             // [1]  4 B
	float *const y = (float *)(m->inputs + 8000000);                                        // [2000,1]  8.0 kB
	float *const partial = (float *)(m->arena + 12008064);                                  // [668160]  2.7 MB  steps 2-4
	bias_backward_tanh_backward_matmul_backward_2000x1000(matmul, dense_bias, dense_2_weight, dense_2_bias, y, partial);

	/* ---- backward */
	nnr_branch_begin();
	nnr_step(3, "rosenbrock_mlp.net:11  matmul(ddense, x_transposed)  [1000,1000]  4.0 GFLOP  20.0 MB");
	float *const ddense = (float *)(m->arena + 0);                                          // [2000,1000]  8.0 MB  steps 1-5
	float *const dense_dweight = (float *)(m->arena + 8000000);                             // [1000,1000]  4.0 MB  steps 3-5
	matmul_any_size(&matmul_1000x1000_shape, &matmul_1000x1000_plan, ddense, x_transposed, dense_dweight);
	nnr_branch_end(0);
	nnr_scores_wait();
	nnr_step(4, "rosenbrock_mlp.net:11,13  mean_bias_backward_matmul_backward  [1,1000]  1 FLOP  8.0 kB");
	float *const loss = (float *)(m->arena + 14680704);                                     // []  4 B  steps 4-end
	float *const dense_2_dbias = (float *)(m->arena + 12008000);                            // [1]  4 B  steps 3-5
	float *const dense_2_dweight = (float *)(m->arena + 12000000);                          // [1,1000]  4.0 kB  steps 3-5
	float *const dense_dbias = (float *)(m->arena + 12004000);                              // [1000]  4.0 kB  steps 3-5
	mean_bias_backward_matmul_backward_2000x1000(loss, dense_2_dbias, dense_2_dweight, dense_dbias, partial);

	/* ---- update */
	nnr_branch_wait(0);
	nnr_step(5, "rosenbrock_mlp.net:19  adam  [1002001]  18.0 MFLOP  28.1 MB");
	float *const gradients = (float *)(m->arena + 8000000);                                 // [1002001]  4.0 MB  steps 3-5
	float *const adam_m = (float *)(m->state + 0);                                          // [1002001]  4.0 MB
	float *const adam_v = (float *)(m->state + 4008064);                                    // [1002001]  4.0 MB
	float *const params = (float *)(m->params + 0);                                         // [1002001]  4.0 MB
	adam_1002001(gradients, adam_m, adam_v, params, s);
}

/* What evaluation reads of the weights, when they have changed: 1 steps, 0 FLOP, 8.0 MB moved, arena 0 B (lower bound 0 B, at step 1) */
static void prepare_weights(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	nnr_step(1, "rosenbrock_mlp.net:11  round_tf32(dense_weight)  [1000,1000]  0 FLOP  8.0 MB");
	float *const dense_weight = (float *)(m->params + 0);                                   // [1000,1000]  4.0 MB
	float *const prepared_dense_weight = (float *)(m->state + 8016128);                     // [1000,1000]  4.0 MB
	round_tf32_1000000(dense_weight, prepared_dense_weight);
}

/* Loss and metrics of one batch, per sample: 2 steps, 4.0 GFLOP, 28.0 MB moved, arena 8.0 MB (lower bound 8.0 MB, at step 2) */
static void evaluate_batch(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	nnr_step(1, "rosenbrock_mlp.net:11  matmul(x, prepared_dense_weight)  [2000,1000]  4.0 GFLOP  20.0 MB");
	float *const x = (float *)(m->inputs + 0);                                              // [2000,1000]  8.0 MB
	float *const prepared_dense_weight = (float *)(m->state + 8016128);                     // [1000,1000]  4.0 MB
	float *const matmul = (float *)(m->arena + 0);                                          // [2000,1000]  8.0 MB  steps 1-2
	matmul_any_size(&matmul_2000x1000_2_shape, &matmul_2000x1000_2_plan, x, prepared_dense_weight, matmul);
	nnr_step(2, "rosenbrock_mlp.net:11,13  bias_tanh_matmul_mse  [2000,1]  42.0 MFLOP  8.0 MB");
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
	nnr_step(1, "rosenbrock_mlp.net:11  matmul(x, prepared_dense_weight)  [2000,1000]  4.0 GFLOP  20.0 MB");
	float *const x = (float *)(m->inputs + 0);                                              // [2000,1000]  8.0 MB
	float *const prepared_dense_weight = (float *)(m->state + 8016128);                     // [1000,1000]  4.0 MB
	float *const matmul = (float *)(m->arena + 0);                                          // [2000,1000]  8.0 MB  steps 1-2
	matmul_any_size(&matmul_2000x1000_2_shape, &matmul_2000x1000_2_plan, x, prepared_dense_weight, matmul);
	nnr_step(2, "rosenbrock_mlp.net:11  sum((tanh((matmul + dense_bias)) * dense_2_weight)) + dense_2_bias  [2000,1]  42.0 MFLOP  8.0 MB");
	float *const dense_bias = (float *)(m->params + 4004000);                               // [1000]  4.0 kB
	float *const dense_2_weight = (float *)(m->params + 4000000);                           // [1,1000]  4.0 kB
	float *const dense_2_bias = (float *)(m->params + 4008000);                             // [1]  4 B
	float *const prediction = (float *)(m->arena + 8000000);                                // [2000,1]  8.0 kB  steps 2-end
	bias_tanh_matmul_2000x1000(matmul, dense_bias, dense_2_weight, dense_2_bias, prediction);
}

/* For `profile`: the steps above, and which part of each is whose line of the .net files: by FLOPs,
 * of the update by parameters. {name, formula, library, phase, converts, FLOP, B, shares: {place, phase, weight}} */
static const NnrStep steps[] = {
	{"matmul_2000x1000", "matmul(a, b)", "cuBLASLt", NNR_PHASE_FORWARD, false, 4000000000, 20000000, 1, (const NnrShare[]){{0, NNR_PHASE_FORWARD, 4e+09}}},
	{"bias_backward_tanh_backward_matmul_backward_2000x1000", "bias_backward_tanh_backward_matmul_backward", NULL, NNR_PHASE_FORWARD, false, 56012000, 16016004, 4, (const NnrShare[]){{0, NNR_PHASE_FORWARD, 4.2002e+07}, {1, NNR_PHASE_LOSS, 6001}, {1, NNR_PHASE_BACKWARD, 2000}, {0, NNR_PHASE_BACKWARD, 1.4002e+07}}},
	{"matmul_1000x1000", "matmul(a, b)", "cuBLASLt", NNR_PHASE_BACKWARD, false, 4000000000, 20000000, 1, (const NnrShare[]){{0, NNR_PHASE_BACKWARD, 4e+09}}},
	{"mean_bias_backward_matmul_backward_2000x1000", "mean_bias_backward_matmul_backward", NULL, NNR_PHASE_BACKWARD, false, 1, 8008, 4, (const NnrShare[]){{0, NNR_PHASE_FORWARD, 4.2002e+07}, {1, NNR_PHASE_LOSS, 6001}, {1, NNR_PHASE_BACKWARD, 2000}, {0, NNR_PHASE_BACKWARD, 1.4002e+07}}},
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
	"--target=cuda",
	"--march=native",
	NULL,
};
static const char program[] = "nnc program ba2bf3856a3d5ccd for 1 ranks";
static const NnrSource sources[] = {
	{"rosenbrock_mlp.net", lines, 22},
};
static const NnrPlace places[] = {
	{0, 11, -1, ""}, {0, 13, -1, ""}, {0, 19, -1, ""},
};

static const NnrInput inputs[] = {
	{.name = "x", .dtype = NNR_F32, .rank = 2, .dim = {2000, 1000}, .offset = 0, .transposed = 8008064, .transposed_alone = true, .rounded_in_training = true, .rounded_in_evaluation = true},
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
	{NNR_LOSS, "loss", NNR_F32, 0, {0}, 14680704},
};
static const NnrOutput evaluate_outputs[] = {
	{NNR_LOSS, "loss", NNR_F32, 1, {2000}, 8008000},
	{NNR_VALUE, "prediction", NNR_F32, 2, {2000, 1}, 8000000},
};
static const NnrOutput predict_outputs[] = {
	{NNR_VALUE, "prediction", NNR_F32, 2, {2000, 1}, 8000000},
};
static const NnrOutput train_gradient = {NNR_GRADIENT, "gradients", NNR_F32, 1, {1002001}, 8000000};

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
	.param_bytes = 4008004, .state_bytes = 12016128, .input_bytes = 8008064,
	.transposed_bytes = 8000000,
	.train = {.arena_bytes = 14680768, .outputs = train_outputs, .output_count = 1, .steps = steps, .step_count = 5, .gradient = &train_gradient, .run = train_step},
	.prepare = {.arena_bytes = 0, .run = prepare_weights},
	.evaluate = {.arena_bytes = 8016000, .outputs = evaluate_outputs, .output_count = 2, .run = evaluate_batch},
	.predict = {.arena_bytes = 8008000, .outputs = predict_outputs, .output_count = 1, .run = predict_batch},
	.places = places, .place_count = 3, .sources = sources, .source_count = 1, .file_count = 1,
	.backend = &nnr_cuda_backend, .device = &nnr_cuda_model,
	.data = "rosenbrock",
	.rate = {.kind = NNR_RATE_CONSTANT, .rate = 0.001, .final_rate = 0, .gamma = 0.10000000000000001,
	         .warmup = 0, .every = 0, .warmup_in_epochs = false, .every_in_epochs = false},
	.epochs = 10, .steps = 0, .seed = 0u,
};

int main(int argc, char **argv)
{
	return nnr_main(&model, argc, argv);
}
