/* mnist_cnn, from mnist_cnn.net by nnc 0.3 for CUDA: the host side. Do not edit: change the .net file and run nnc again.
 * Yours under any terms: LICENSE of nnc, "Exception for what nnc makes".
 *
 * data mnist; optimizer adam(rate = 0.001, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-08, decay = 0); rate 0.001 constant; batch 128; epochs 12; precision tf32; seed 0; decay weights
 * batch 128   parameters 31.5 k (126.1 kB)   states 252.3 kB   arena 1.7 MB training, 8.0 MB evaluation
 *
 * `nnc --emit=cu=FILE` writes the kernels; nnc compiles them by NVRTC for sm_90 and appends
 * them, as nnr_cuda_model, to the C that it gives to cc. Tensors are [batch, height, width, channels]; every
 * address is of device memory, and every call only enqueues. */
#include "nnr.h"
#include "cuda/nnr_cuda.h"
#include <stddef.h>

extern const NnrCudaModel nnr_cuda_model; /* the compiled kernels */

static NnrKernel round_tf32_144_kernel = {.name = "round_tf32_144", .blocks = 1, .threads = 256};
static NnrKernel round_tf32_31360_kernel = {.name = "round_tf32_31360", .blocks = 31, .threads = 256};
static NnrKernel maxpool_round_tf32_128x14x14x16_kernel = {.name = "maxpool_round_tf32_128x14x14x16", .blocks = 392, .threads = 256};
static void launch_2(NnrKernel *kernel, const float *weight, float *round_tf32)
{
	nnr_launch(kernel, (void *[]){&weight, &round_tf32});
}

static void scale_mul_round_tf32_100352(const uint8_t *image, float *round_tf32)
{
	static NnrKernel kernel = {.name = "scale_mul_round_tf32_100352", .blocks = 98, .threads = 256};
	nnr_launch(&kernel, (void *[]){&image, &round_tf32});
}

static void conv_bias_relu_128x28x28x16(const float *x, const float *w, const float *bias, float *relu)
{
	static NnrKernel kernel = {.name = "conv_bias_relu_128x28x28x16", .blocks = 264, .threads = 256, .shared_bytes = 1824};
	nnr_launch(&kernel, (void *[]){&x, &w, &bias, &relu});
}

/* matmul(a, b)
 * mnist_cnn.net:13
 * [128,10]  8.0 MFLOP  1.7 MB */
static void matmul_128x10(const float *a, const float *b, float *y)
{
	static const NnrProductShape shape = {.batch = 1, .m = 128, .n = 10, .k = 3136, .ta = false, .tb = true};
	static NnrPlan *plan;
	nnr_cublas_matmul(&plan, &shape, NNR_F32, a, b, y);
}

static void bias_cross_entropy_accuracy_128x10(const float *matmul, const float *bias, const int32_t *digit, float *dense, float *cross_entropy, float *is_right)
{
	static NnrKernel kernel = {.name = "bias_cross_entropy_accuracy_128x10", .blocks = 16, .threads = 256};
	nnr_launch(&kernel, (void *[]){&matmul, &bias, &digit, &dense, &cross_entropy, &is_right});
}

/* matmul(a, b) + bias
 * mnist_cnn.net:13
 * [128,10]  8.0 MFLOP  1.7 MB */
static void matmul_bias_128x10(const float *a, const float *b, float *y, const float *bias)
{
	static NnrKernel after = {.name = "bias_128x10", .blocks = 3, .threads = 256};
	static const NnrProductShape shape = {.batch = 1, .m = 128, .n = 10, .k = 3136, .ta = false, .tb = true};
	static const NnrEpilogue epilogue = {.kernel = &after, .arguments = "yb"};
	static NnrPlan *plan;
	nnr_cublas_matmul_epilogue(&plan, &shape, &epilogue, NNR_F32, a, b, NULL, bias, y);
}

/* One training step: two kernels (ir/onchip.h), arena 1.7 MB */
static void train_step(const NnrMemory *m, const NnrScalars *s)
{
	float *const adam_m = (float *)(m->state + 0);
	float *const adam_v = (float *)(m->state + 126144);
	float *const params = (float *)(m->params + 0);
	nnr_step(1, "forward and backward of each sample");
	static NnrKernel samples_kernel = {.name = "mnist_cnn_samples", .blocks = 129, .threads = 448, .shared_bytes = 8960, .overlaps = true};
	nnr_launch(&samples_kernel, (void *[]){&s, nnr_step_supply(), nnr_step_turn(), (void *)&m->inputs, (void *)&m->params, (void *)&m->arena});
	nnr_scores_wait();
	nnr_step(2, "sums over the batch, and the update");
	static NnrKernel update_kernel = {.name = "mnist_cnn_update", .blocks = 106, .threads = 512, .shared_bytes = 20480, .overlaps = true};
	nnr_launch(&update_kernel, (void *[]){&s, nnr_step_supply(), nnr_step_turn(), (void *)&adam_m, (void *)&adam_v, (void *)&params, (void *)&m->arena});
}

/* What evaluation reads of the weights, when they have changed: 2 steps, 0 FLOP, 252.0 kB moved, arena 0 B (lower bound 0 B, at step 1) */
static void prepare_weights(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	nnr_step(1, "mnist_cnn.net:12  round_tf32(conv_weight)  [16,3,3,1]  0 FLOP  1.2 kB");
	float *const conv_weight = (float *)(m->params + 0);                                    // [16,3,3,1]  576 B
	float *const prepared_conv_weight = (float *)(m->state + 252288);                       // [16,3,3,1]  576 B
	launch_2(&round_tf32_144_kernel, conv_weight, prepared_conv_weight);
	nnr_step(2, "mnist_cnn.net:13  round_tf32(dense_weight)  [10,3136]  0 FLOP  250.9 kB");
	float *const dense_weight = (float *)(m->params + 576);                                 // [10,3136]  125.4 kB
	float *const prepared_dense_weight = (float *)(m->state + 252864);                      // [10,3136]  125.4 kB
	launch_2(&round_tf32_31360_kernel, dense_weight, prepared_dense_weight);
}

/* Loss and metrics of one batch, per sample: 5 steps, 41.9 MFLOP, 17.1 MB moved, arena 8.0 MB (lower bound 8.0 MB, at step 3) */
static void evaluate_batch(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	nnr_step(1, "mnist_cnn.net:11  round_tf32((cast(image) * 0.00392157))  [128,28,28,1]  100.4 kFLOP  501.8 kB");
	uint8_t *const image = (uint8_t *)(m->inputs + 0);                                      // [128,28,28,1]  100.4 kB
	float *const scale = (float *)(m->arena + 6422528);                                     // [128,28,28,1]  401.4 kB  steps 1-2
	scale_mul_round_tf32_100352(image, scale);
	nnr_step(2, "mnist_cnn.net:12  relu((conv(scale, prepared_conv_weight) + conv_bias))  [128,28,28,16]  32.1 MFLOP  6.8 MB");
	float *const prepared_conv_weight = (float *)(m->state + 252288);                       // [16,3,3,1]  576 B
	float *const conv_bias = (float *)(m->params + 126016);                                 // [16]  64 B
	float *const relu = (float *)(m->arena + 0);                                            // [128,28,28,16]  6.4 MB  steps 2-3
	conv_bias_relu_128x28x28x16(scale, prepared_conv_weight, conv_bias, relu);
	nnr_step(3, "mnist_cnn.net:12  round_tf32(maxpool(relu))  [128,14,14,16]  1.6 MFLOP  8.0 MB");
	float *const maxpool = (float *)(m->arena + 6422528);                                   // [128,14,14,16]  1.6 MB  steps 3-4
	launch_2(&maxpool_round_tf32_128x14x14x16_kernel, relu, maxpool);
	nnr_step(4, "mnist_cnn.net:13  matmul(maxpool, prepared_dense_weight)  [128,10]  8.0 MFLOP  1.7 MB");
	float *const prepared_dense_weight = (float *)(m->state + 252864);                      // [10,3136]  125.4 kB
	float *const matmul = (float *)(m->arena + 0);                                          // [128,10]  5.1 kB  steps 4-5
	matmul_128x10(maxpool, prepared_dense_weight, matmul);

	/* ---- loss */
	nnr_step(5, "mnist_cnn.net:13,15,16  bias_cross_entropy_accuracy  [128,10]  36.7 kFLOP  11.8 kB");
	float *const dense_bias = (float *)(m->params + 126080);                                // [10]  40 B
	int32_t *const digit_2 = (int32_t *)(m->inputs + 100352);                               // [128,1]  512 B
	float *const logits = (float *)(m->arena + 5120);                                       // [128,10]  5.1 kB  steps 5-end
	float *const cross_entropy = (float *)(m->arena + 10240);                               // [128]  512 B  steps 5-end
	float *const accuracy = (float *)(m->arena + 10752);                                    // [128]  512 B  steps 5-end
	bias_cross_entropy_accuracy_128x10(matmul, dense_bias, digit_2, logits, cross_entropy, accuracy);
}

/* What the model predicts, without loss and metrics: 4 steps, 41.8 MFLOP, 17.1 MB moved, arena 8.0 MB (lower bound 8.0 MB, at step 3) */
static void predict_batch(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	nnr_step(1, "mnist_cnn.net:11  round_tf32((cast(image) * 0.00392157))  [128,28,28,1]  100.4 kFLOP  501.8 kB");
	uint8_t *const image = (uint8_t *)(m->inputs + 0);                                      // [128,28,28,1]  100.4 kB
	float *const scale = (float *)(m->arena + 6422528);                                     // [128,28,28,1]  401.4 kB  steps 1-2
	scale_mul_round_tf32_100352(image, scale);
	nnr_step(2, "mnist_cnn.net:12  relu((conv(scale, prepared_conv_weight) + conv_bias))  [128,28,28,16]  32.1 MFLOP  6.8 MB");
	float *const prepared_conv_weight = (float *)(m->state + 252288);                       // [16,3,3,1]  576 B
	float *const conv_bias = (float *)(m->params + 126016);                                 // [16]  64 B
	float *const relu = (float *)(m->arena + 0);                                            // [128,28,28,16]  6.4 MB  steps 2-3
	conv_bias_relu_128x28x28x16(scale, prepared_conv_weight, conv_bias, relu);
	nnr_step(3, "mnist_cnn.net:12  round_tf32(maxpool(relu))  [128,14,14,16]  1.6 MFLOP  8.0 MB");
	float *const maxpool = (float *)(m->arena + 6422528);                                   // [128,14,14,16]  1.6 MB  steps 3-4
	launch_2(&maxpool_round_tf32_128x14x14x16_kernel, relu, maxpool);
	nnr_step(4, "mnist_cnn.net:13  matmul(maxpool, prepared_dense_weight) + dense_bias  [128,10]  8.0 MFLOP  1.7 MB");
	float *const prepared_dense_weight = (float *)(m->state + 252864);                      // [10,3136]  125.4 kB
	float *const logits = (float *)(m->arena + 0);                                          // [128,10]  5.1 kB  steps 4-end
	float *const dense_bias = (float *)(m->params + 126080);                                // [10]  40 B
	matmul_bias_128x10(maxpool, prepared_dense_weight, logits, dense_bias);
}

/* For `profile`: the steps above, and which part of each is whose line of the .net files: by FLOPs,
 * of the update by parameters. {name, formula, library, phase, converts, FLOP, B, shares: {place, phase, weight}} */
static const NnrStep steps[] = {
	{"mnist_cnn_samples", "forward and backward of each sample", NULL, NNR_PHASE_FORWARD, false, 93269250, 1421584, 8, (const NnrShare[]){{0, NNR_PHASE_FORWARD, 100352}, {1, NNR_PHASE_FORWARD, 3.37183e+07}, {2, NNR_PHASE_FORWARD, 8.02944e+06}, {3, NNR_PHASE_LOSS, 27137}, {4, NNR_PHASE_LOSS, 8577}, {3, NNR_PHASE_BACKWARD, 3968}, {2, NNR_PHASE_BACKWARD, 1.60576e+07}, {1, NNR_PHASE_BACKWARD, 3.53239e+07}}},
	{"mnist_cnn_update", "sums over the batch, and the update", NULL, NNR_PHASE_UPDATE, false, 567540, 882840, 3, (const NnrShare[]){{1, NNR_PHASE_UPDATE, 160}, {2, NNR_PHASE_UPDATE, 31370}, {5, NNR_PHASE_UPDATE, 0}}},
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
	"--target=cuda",
	"--march=native",
	NULL,
};
static const char program[] = "nnc program 641e2cb628282740 for 1 ranks";
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
	{NNR_LOSS, "loss", NNR_F32, 0, {0}, 1699072},
	{NNR_METRIC, "accuracy", NNR_F32, 0, {0}, 1699136},
};
static const NnrOutput evaluate_outputs[] = {
	{NNR_LOSS, "loss", NNR_F32, 1, {128}, 10240},
	{NNR_METRIC, "accuracy", NNR_F32, 1, {128}, 10752},
	{NNR_VALUE, "logits", NNR_F32, 2, {128, 10}, 5120},
};
static const NnrOutput predict_outputs[] = {
	{NNR_VALUE, "logits", NNR_F32, 2, {128, 10}, 0},
};

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
	.param_bytes = 126120, .state_bytes = 378304, .input_bytes = 100864,
	.train = {.arena_bytes = 1699200, .outputs = train_outputs, .output_count = 2, .steps = steps, .step_count = 2, .no_gradient = "its step is on chip: each block adds its gradient up in its own memory, and updates the weights from there; `nnc --disable-pass=onchip` makes a slower one that stores it", .run = train_step, .fetches = true},
	.prepare = {.arena_bytes = 0, .run = prepare_weights},
	.evaluate = {.arena_bytes = 8028160, .outputs = evaluate_outputs, .output_count = 3, .run = evaluate_batch},
	.predict = {.arena_bytes = 8028160, .outputs = predict_outputs, .output_count = 1, .run = predict_batch},
	.scored = {.output = "logits", .target = "digit", .softmaxed = false},
	.places = places, .place_count = 6, .sources = sources, .source_count = 1, .file_count = 1,
	.backend = &nnr_cuda_backend, .device = &nnr_cuda_model,
	.data = "mnist",
	.rate = {.kind = NNR_RATE_CONSTANT, .rate = 0.001, .final_rate = 0, .gamma = 0.10000000000000001,
	         .warmup = 0, .every = 0, .warmup_in_epochs = false, .every_in_epochs = false},
	.epochs = 12, .steps = 0, .seed = 0u,
};

int main(int argc, char **argv)
{
	return nnr_main(&model, argc, argv);
}
