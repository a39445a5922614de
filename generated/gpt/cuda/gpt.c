/* gpt, from gpt.net by nnc 0.2 for CUDA: the host side. Do not edit: change the .net file and run nnc again.
 *
 * data characters; optimizer adamw(rate = 0.001, beta1 = 0.9, beta2 = 0.99, epsilon = 1e-08, decay = 0.1); rate 0.001 warmup 100it cosine to 0.0001; batch 32; steps 2000; precision tf32; seed 0; clip 1; decay weights
 * batch 32   parameters 842.5 k (3.4 MB)   states 6.7 MB   arena 172.8 MB training, 14.7 MB evaluation
 *
 * `nnc --emit=cu=FILE` writes the kernels; nnc compiles them by NVRTC for sm_90 and appends
 * them, as nnr_cuda_model, to the C that it gives to cc. Tensors are [batch, height, width, channels]; every
 * address is of device memory, and every call only enqueues. */
#include "nnr.h"
#include "cuda/nnr_cuda.h"
#include <stddef.h>

extern const NnrCudaModel nnr_cuda_model; /* the compiled kernels */

static void embedding_add_32x128x128(const float *w, const int32_t *index, const float *places, float *add)
{
	static NnrKernel kernel = {.name = "embedding_add_32x128x128", .blocks = 512, .threads = 256};
	nnr_launch(&kernel, (void *[]){&w, &index, &places, &add});
}

static void layernorm_4096x128(const float *add, const float *weight, const float *bias, float *round_tf32)
{
	static NnrKernel kernel = {.name = "layernorm_4096x128", .blocks = 512, .threads = 256};
	nnr_launch(&kernel, (void *[]){&add, &weight, &bias, &round_tf32});
}

/* round_tf32((matmul(a, b) + bias))
 * transformer.net:9
 * [4096,384]  404.2 MFLOP  8.6 MB */
static void matmul_bias_4096x384(const float *a, const float *b, float *y, const float *bias)
{
	static NnrKernel after = {.name = "bias_4096x384", .blocks = 1536, .threads = 256};
	static const NnrProductShape shape = {.batch = 1, .m = 4096, .n = 384, .k = 128, .ta = false, .tb = true};
	static const NnrEpilogue epilogue = {.round_tf32 = true, .kernel = &after, .arguments = "yb"};
	static NnrPlan *plan;
	nnr_cublas_matmul_epilogue(&plan, &shape, &epilogue, NNR_F32, a, b, NULL, bias, y);
}

static NnrKernel attention_32x128x128_kernel = {.name = "attention_32x128x128", .blocks = 256, .threads = 128, .shared_bytes = 27648};
static NnrKernel cross_entropy_mean_32x128_kernel = {.name = "cross_entropy_mean_32x128", .blocks = 4, .threads = 256};
static NnrKernel accuracy_mean_32x128_kernel = {.name = "accuracy_mean_32x128", .blocks = 4, .threads = 256};
static NnrKernel bias_backward_4096x384_kernel = {.name = "bias_backward_4096x384", .blocks = 192, .threads = 256};
static NnrKernel clip_842496_kernel = {.name = "clip_842496", .blocks = 528, .threads = 256};
static void launch_3(NnrKernel *kernel, const float *x, float *y, float *attention_logs)
{
	nnr_launch(kernel, (void *[]){&x, &y, &attention_logs});
}

/* matmul(a, b)
 * transformer.net:22
 * of 14 sizes: 4096x128, 4096x512, 4096x128_2, 4096x256, 256x128, 4096x128_3, 128x512, 4096x512_2 ... */
static const NnrProductShape matmul_4096x128_shape = {.batch = 1, .m = 4096, .n = 128, .k = 128, .ta = false, .tb = true};
static NnrPlan *matmul_4096x128_plan;
static const NnrProductShape matmul_4096x512_shape = {.batch = 1, .m = 4096, .n = 512, .k = 128, .ta = false, .tb = true};
static NnrPlan *matmul_4096x512_plan;
static const NnrProductShape matmul_4096x128_2_shape = {.batch = 1, .m = 4096, .n = 128, .k = 512, .ta = false, .tb = true};
static NnrPlan *matmul_4096x128_2_plan;
static const NnrProductShape matmul_4096x256_shape = {.batch = 1, .m = 4096, .n = 256, .k = 128, .ta = false, .tb = true};
static NnrPlan *matmul_4096x256_plan;
static const NnrProductShape matmul_256x128_shape = {.batch = 1, .m = 256, .n = 128, .k = 4096, .ta = true, .tb = false};
static NnrPlan *matmul_256x128_plan;
static const NnrProductShape matmul_4096x128_3_shape = {.batch = 1, .m = 4096, .n = 128, .k = 256, .ta = false, .tb = false};
static NnrPlan *matmul_4096x128_3_plan;
static const NnrProductShape matmul_128x512_shape = {.batch = 1, .m = 128, .n = 512, .k = 4096, .ta = true, .tb = false};
static NnrPlan *matmul_128x512_plan;
static const NnrProductShape matmul_4096x512_2_shape = {.batch = 1, .m = 4096, .n = 512, .k = 128, .ta = false, .tb = false};
static NnrPlan *matmul_4096x512_2_plan;
static const NnrProductShape matmul_512x128_shape = {.batch = 1, .m = 512, .n = 128, .k = 4096, .ta = true, .tb = false};
static NnrPlan *matmul_512x128_plan;
static const NnrProductShape matmul_4096x128_4_shape = {.batch = 1, .m = 4096, .n = 128, .k = 512, .ta = false, .tb = false};
static NnrPlan *matmul_4096x128_4_plan;
static const NnrProductShape matmul_128x128_shape = {.batch = 1, .m = 128, .n = 128, .k = 4096, .ta = true, .tb = false};
static NnrPlan *matmul_128x128_plan;
static const NnrProductShape matmul_4096x128_5_shape = {.batch = 1, .m = 4096, .n = 128, .k = 128, .ta = false, .tb = false};
static NnrPlan *matmul_4096x128_5_plan;
static const NnrProductShape matmul_384x128_shape = {.batch = 1, .m = 384, .n = 128, .k = 4096, .ta = true, .tb = false};
static NnrPlan *matmul_384x128_plan;
static const NnrProductShape matmul_4096x128_6_shape = {.batch = 1, .m = 4096, .n = 128, .k = 384, .ta = false, .tb = false};
static NnrPlan *matmul_4096x128_6_plan;
static void matmul_any_size(const NnrProductShape *shape, NnrPlan **plan, const float *a, const float *b, float *y)
{
	nnr_cublas_matmul(plan, shape, NNR_F32, a, b, y);
}

static void bias_add_layernorm_4096x128(const float *matmul, const float *bias, const float *add, const float *weight, const float *bias_2, float *add_2, float *mean, float *rstd, float *round_tf32)
{
	static NnrKernel kernel = {.name = "bias_add_layernorm_4096x128", .blocks = 512, .threads = 256};
	nnr_launch(&kernel, (void *[]){&matmul, &bias, &add, &weight, &bias_2, &add_2, &mean, &rstd, &round_tf32});
}

static NnrKernel bias_gelu_round_tf32_4096x512_kernel = {.name = "bias_gelu_round_tf32_4096x512", .blocks = 2048, .threads = 256};
static NnrKernel attention_backward_16384x32_kernel = {.name = "attention_backward_16384x32", .blocks = 512, .threads = 256};
static void launch_3_2(NnrKernel *kernel, const float *matmul, const float *bias, float *round_tf32)
{
	nnr_launch(kernel, (void *[]){&matmul, &bias, &round_tf32});
}

static void cross_entropy_backward_accuracy_4096x256(const float *dense, const int32_t *next_2, float *cross_entropy, float *is_right, float *round_tf32)
{
	static NnrKernel kernel = {.name = "cross_entropy_backward_accuracy_4096x256", .blocks = 512, .threads = 256};
	nnr_launch(&kernel, (void *[]){&dense, &next_2, &cross_entropy, &is_right, &round_tf32});
}

static void layernorm_bias_backward_4096x128(float *dy, const float *weight, const float *add, const float *mean, const float *rstd, float *partial)
{
	static NnrKernel kernel = {.name = "layernorm_bias_backward_4096x128", .blocks = 128, .threads = 256};
	nnr_launch(&kernel, (void *[]){&dy, &weight, &add, &mean, &rstd, &partial});
}

static void layernorm_bias_backward_4096x128_2(float *dweight, float *dbias, float *dbias_2, float *partial)
{
	static NnrKernel kernel = {.name = "layernorm_bias_backward_4096x128_2", .blocks = 8, .threads = 288};
	nnr_launch(&kernel, (void *[]){&dweight, &dbias, &dbias_2, &partial});
}

static void bias_gelu_backward_4096x512(const float *matmul, const float *bias, const float *dy, float *round_tf32, float *dbias, float *partial)
{
	static NnrKernel kernel = {.name = "bias_gelu_backward_4096x512", .blocks = 256, .threads = 256};
	nnr_launch(&kernel, (void *[]){&matmul, &bias, &dy, &round_tf32, &dbias, &partial});
}

static void layernorm_add_bias_backward_4096x128(float *dy, const float *weight, const float *add, const float *mean, const float *rstd, const float *dy_2, float *partial)
{
	static NnrKernel kernel = {.name = "layernorm_add_bias_backward_4096x128", .blocks = 128, .threads = 256};
	nnr_launch(&kernel, (void *[]){&dy, &weight, &add, &mean, &rstd, &dy_2, &partial});
}

static NnrKernel attention_backward_32x128x384_kernel = {.name = "attention_backward_32x128x384", .blocks = 512, .threads = 128, .shared_bytes = 36864};
static NnrKernel bias_add_layernorm_4096x128_3_kernel = {.name = "bias_add_layernorm_4096x128_3", .blocks = 512, .threads = 256};
static void launch_6(NnrKernel *kernel, const float *x, const float *y, const float *dy, const float *logs, const float *taken, float *dx)
{
	nnr_launch(kernel, (void *[]){&x, &y, &dy, &logs, &taken, &dx});
}

static void layernorm_add_backward_4096x128(float *add, const float *dy, const float *weight, const float *dy_2, float *dweight, float *dbias, float *partial)
{
	static NnrKernel kernel = {.name = "layernorm_add_backward_4096x128", .blocks = 128, .threads = 256};
	nnr_launch(&kernel, (void *[]){&add, &dy, &weight, &dy_2, &dweight, &dbias, &partial});
}

static NnrKernel add_backward_32x16384_kernel = {.name = "add_backward_32x16384", .blocks = 128, .threads = 256};
static NnrKernel round_tf32_49152_kernel = {.name = "round_tf32_49152", .blocks = 48, .threads = 256};
static NnrKernel round_tf32_16384_kernel = {.name = "round_tf32_16384", .blocks = 16, .threads = 256};
static NnrKernel round_tf32_65536_kernel = {.name = "round_tf32_65536", .blocks = 64, .threads = 256};
static NnrKernel round_tf32_32768_kernel = {.name = "round_tf32_32768", .blocks = 32, .threads = 256};
static NnrKernel attention_32x128x128_2_kernel = {.name = "attention_32x128x128_2", .blocks = 256, .threads = 128, .shared_bytes = 27648};
static NnrKernel cross_entropy_32x128_kernel = {.name = "cross_entropy_32x128", .blocks = 4, .threads = 256};
static NnrKernel accuracy_32x128_kernel = {.name = "accuracy_32x128", .blocks = 4, .threads = 256};
static void launch_2(NnrKernel *kernel, const float *dy, float *dplaces)
{
	nnr_launch(kernel, (void *[]){&dy, &dplaces});
}

static void embedding_add_backward_256x128(const float *dy, const int32_t *index, const float *dwords, float *dwords_2, float *partial)
{
	static NnrKernel kernel = {.name = "embedding_add_backward_256x128", .blocks = 32, .threads = 256};
	nnr_launch(&kernel, (void *[]){&dy, &index, &dwords, &dwords_2, &partial});
}

static void adamw_clip_842496(float *params, const float *pack, const float *clip_factor, float *m, float *v, const NnrScalars *s)
{
	static NnrKernel kernel = {.name = "adamw_clip_842496", .blocks = 823, .threads = 256};
	nnr_launch(&kernel, (void *[]){&params, &pack, &clip_factor, &m, &v, &s});
}

static void bias_add_layernorm_4096x128_2(const float *matmul, const float *bias, const float *add, const float *weight, const float *bias_2, float *add_2, float *round_tf32)
{
	static NnrKernel kernel = {.name = "bias_add_layernorm_4096x128_2", .blocks = 512, .threads = 256};
	nnr_launch(&kernel, (void *[]){&matmul, &bias, &add, &weight, &bias_2, &add_2, &round_tf32});
}

static void bias_gelu_round_tf32_4096x512_2(float *matmul, const float *bias)
{
	static NnrKernel kernel = {.name = "bias_gelu_round_tf32_4096x512_2", .blocks = 2048, .threads = 256};
	nnr_launch(&kernel, (void *[]){&matmul, &bias});
}

static void cross_entropy_accuracy_4096x256(const float *dense, const int32_t *next_2, float *cross_entropy, float *is_right)
{
	static NnrKernel kernel = {.name = "cross_entropy_accuracy_4096x256", .blocks = 512, .threads = 256};
	nnr_launch(&kernel, (void *[]){&dense, &next_2, &cross_entropy, &is_right});
}

/* One training step: 109 steps, 23.1 GFLOP, 930.4 MB moved, arena 172.8 MB (lower bound 164.6 MB, at step 93) */
/* 8 calls, 3 times: transformer_2, transformer_3, transformer_4 */
struct transformer_forward {
	const char *name;
	size_t mean, attention_logs, x_3, mean_2, layernorm_2;
};
static const struct transformer_forward transformer_forward_at[3] = {
	{"transformer_2", 172721152, 172573696, 139684864, 172753920, 141782016},
	{"transformer_3", 172171264, 171965440, 150170624, 172030976, 152267776},
	{"transformer_4", 171759616, 169044992, 109051904, 111181824, 160656384},
};
static void transformer_forward(const NnrMemory *m, int64_t i)
{
	const struct transformer_forward *const at = &transformer_forward_at[i];
	nnr_step_of(at->name, 10 + i * 8, "transformer.net:9,29,36,40  bias_add_layernorm  [4096,128]  4.8 MFLOP  8.4 MB");
	float *const matmul = (float *)(m->arena + 16777216 + i * 16777216);                    // [4096,128]  2.1 MB
	float *const transformer_down_bias = (float *)(m->params + 3348480 + i * 6656);         // [128]  512 B
	float *const x = (float *)(m->arena + 129199104 + i * 10485760);                        // [4096,128]  2.1 MB
	float *const norm1_weight = (float *)(m->params + 3348992 + i * 6656);                  // [128]  512 B
	float *const norm1_bias = (float *)(m->params + 3349504 + i * 6656);                    // [128]  512 B
	float *const x_2 = (float *)(m->arena + 133393408 + i * 10485760);                      // [4096,128]  2.1 MB
	float *const mean = (float *)(m->arena + at->mean);                                     // [4096,1]  16.4 kB
	float *const rstd = (float *)(m->arena + at->mean + 16384);                             // [4096,1]  16.4 kB
	float *const layernorm = (float *)(m->arena + 135490560 + i * 10485760);                // [4096,128]  2.1 MB
	bias_add_layernorm_4096x128(matmul, transformer_down_bias, x, norm1_weight, norm1_bias, x_2, mean, rstd, layernorm);
	nnr_step_of(at->name, 11 + i * 8, "transformer.net:9  matmul_bias of attention  [4096,384]  404.2 MFLOP  8.6 MB");
	float *const attention_qkv_weight = (float *)(m->params + 983040 + i * 786432);         // [384,128]  196.6 kB
	float *const dense = (float *)(m->arena + 90177536 + i * 6291456);                      // [4096,384]  6.3 MB
	float *const attention_qkv_bias = (float *)(m->params + 3350016 + i * 6656);            // [384]  1.5 kB
	matmul_bias_4096x384(layernorm, attention_qkv_weight, dense, attention_qkv_bias);
	nnr_step_of(at->name, 12 + i * 8, "transformer.net:21  attention_logs(dense, attention(dense)); attention(dense)  [32,128,128]  134.2 MFLOP  8.5 MB");
	float *const y = (float *)(m->arena + 137587712 + i * 10485760);                        // [32,128,128]  2.1 MB
	float *const attention_logs = (float *)(m->arena + at->attention_logs);                 // [32,4,128]  65.5 kB
	launch_3(&attention_32x128x128_kernel, dense, y, attention_logs);
	nnr_step_of(at->name, 13 + i * 8, "transformer.net:22  matmul(y, attention_out_weight)  [4096,128]  134.2 MFLOP  4.3 MB");
	float *const attention_out_weight = (float *)(m->params + 1179648 + i * 786432);        // [128,128]  65.5 kB
	float *const matmul_2 = (float *)(m->arena + 16777216 + i * 16777216);                  // [4096,128]  2.1 MB
	matmul_any_size(&matmul_4096x128_shape, &matmul_4096x128_plan, y, attention_out_weight, matmul_2);
	nnr_step_of(at->name, 14 + i * 8, "transformer.net:22,33,34  bias_add_layernorm  [4096,128]  4.8 MFLOP  8.4 MB");
	float *const attention_out_bias = (float *)(m->params + 3351552 + i * 6656);            // [128]  512 B
	float *const norm2_weight = (float *)(m->params + 3352064 + i * 6656);                  // [128]  512 B
	float *const norm2_bias = (float *)(m->params + 3352576 + i * 6656);                    // [128]  512 B
	float *const x_3 = (float *)(m->arena + at->x_3);                                       // [4096,128]  2.1 MB
	float *const mean_2 = (float *)(m->arena + at->mean_2);                                 // [4096,1]  16.4 kB
	float *const rstd_2 = (float *)(m->arena + at->mean_2 + 16384);                         // [4096,1]  16.4 kB
	float *const layernorm_2 = (float *)(m->arena + at->layernorm_2);                       // [4096,128]  2.1 MB
	bias_add_layernorm_4096x128(matmul_2, attention_out_bias, x_2, norm2_weight, norm2_bias, x_3, mean_2, rstd_2, layernorm_2);
	nnr_step_of(at->name, 15 + i * 8, "transformer.net:34  matmul(layernorm_2, up_weight)  [4096,512]  536.9 MFLOP  10.7 MB");
	float *const up_weight = (float *)(m->params + 1245184 + i * 786432);                   // [512,128]  262.1 kB
	float *const matmul_3 = (float *)(m->arena + 16777216 + i * 16777216);                  // [4096,512]  8.4 MB
	matmul_any_size(&matmul_4096x512_shape, &matmul_4096x512_plan, layernorm_2, up_weight, matmul_3);
	nnr_step_of(at->name, 16 + i * 8, "transformer.net:34,35,36  round_tf32(gelu((matmul_3 + up_bias)))  [4096,512]  44.0 MFLOP  16.8 MB");
	float *const up_bias = (float *)(m->params + 3353088 + i * 6656);                       // [512]  2.0 kB
	float *const gelu = (float *)(m->arena + 25165824 + i * 16777216);                      // [4096,512]  8.4 MB
	launch_3_2(&bias_gelu_round_tf32_4096x512_kernel, matmul_3, up_bias, gelu);
	nnr_step_of(at->name, 17 + i * 8, "transformer.net:36  matmul(gelu, down_weight)  [4096,128]  536.9 MFLOP  10.7 MB");
	float *const down_weight = (float *)(m->params + 1507328 + i * 786432);                 // [128,512]  262.1 kB
	float *const matmul_4 = (float *)(m->arena + 33554432 + i * 16777216);                  // [4096,128]  2.1 MB
	matmul_any_size(&matmul_4096x128_2_shape, &matmul_4096x128_2_plan, gelu, down_weight, matmul_4);
}

/* 16 calls, 3 times: transformer_4, transformer_3, transformer_2 */
struct transformer_backward {
	const char *name;
	size_t dlayernorm, x, mean, dx, attention_logs, partial_2, dlayernorm_2, mean_2, partial_3, partial_4, dlayernorm_3;
};
static const struct transformer_backward transformer_backward_at[3] = {
	{"transformer_4", 166947840, 109051904, 111181824, 164850688, 169044992, 172639232, 169044992, 171759616, 171553792, 102760448,
	        154364928},
	{"transformer_3", 154364928, 150170624, 172030976, 169044992, 171965440, 172663808, 150170624, 172171264, 171965440, 96468992,
	        143879168},
	{"transformer_2", 143879168, 139684864, 172753920, 150170624, 172573696, 92513280, 90177536, 172721152, 92274688, 92480512, 6291456},
};
static void transformer_backward(const NnrMemory *m, int64_t i)
{
	const struct transformer_backward *const at = &transformer_backward_at[i];
	nnr_step_of(at->name, 48 + i * 16, "transformer.net:22,34 gpt.net:23  layernorm_add_bias_backward  [4096,128]  7.9 MFLOP  8.4 MB");
	float *const dlayernorm = (float *)(m->arena + at->dlayernorm);                         // [4096,128]  2.1 MB
	float *const norm2_weight = (float *)(m->params + 3365376 - i * 6656);                  // [128]  512 B
	float *const x = (float *)(m->arena + at->x);                                           // [4096,128]  2.1 MB
	float *const mean = (float *)(m->arena + at->mean);                                     // [4096,1]  16.4 kB
	float *const rstd = (float *)(m->arena + at->mean + 16384);                             // [4096,1]  16.4 kB
	float *const dx = (float *)(m->arena + at->dx);                                         // [4096,128]  2.1 MB
	float *const partial = (float *)(m->arena + 171347968 + i * 411648);                    // [51456]  205.8 kB
	layernorm_add_bias_backward_4096x128(dlayernorm, norm2_weight, x, mean, rstd, dx, partial);
	nnr_branch_begin();
	nnr_step_of(at->name, 49 + i * 16, "transformer.net:22,34  layernorm_bias_backward  [128]  0 FLOP  1.5 kB");
	float *const norm2_dweight = (float *)(m->arena + 122903040 - i * 6656);                // [128]  512 B
	float *const norm2_dbias = (float *)(m->arena + 122903552 - i * 6656);                  // [128]  512 B
	float *const attention_out_dbias = (float *)(m->arena + 122902528 - i * 6656);          // [128]  512 B
	layernorm_bias_backward_4096x128_2(norm2_dweight, norm2_dbias, attention_out_dbias, partial);
	nnr_branch_end(6 + i * 7);
	nnr_branch_begin();
	nnr_step_of(at->name, 50 + i * 16, "transformer.net:22  matmul(dx_2, y)  [128,128]  134.2 MFLOP  4.3 MB");
	float *const dx_2 = (float *)(m->arena + at->dlayernorm);                               // [4096,128]  2.1 MB
	float *const y = (float *)(m->arena + 158559232 - i * 10485760);                        // [4096,128]  2.1 MB
	float *const attention_out_dweight = (float *)(m->arena + 122290176 - i * 786432);      // [128,128]  65.5 kB
	matmul_any_size(&matmul_128x128_shape, &matmul_128x128_plan, dx_2, y, attention_out_dweight);
	nnr_branch_end(7 + i * 7);
	nnr_step_of(at->name, 51 + i * 16, "transformer.net:22  matmul(dx_2, attention_out_weight)  [4096,128]  134.2 MFLOP  4.3 MB");
	float *const attention_out_weight = (float *)(m->params + 2752512 - i * 786432);        // [128,128]  65.5 kB
	float *const dtranspose = (float *)(m->arena + 50331648 - i * 16777216);                // [4096,128]  2.1 MB
	matmul_any_size(&matmul_4096x128_5_shape, &matmul_4096x128_5_plan, dx_2, attention_out_weight, dtranspose);
	nnr_step_of(at->name, 52 + i * 16, "transformer.net:21  round_tf32(sum((y * dtranspose)))  [32,128,4,1]  1.0 MFLOP  4.3 MB");
	float *const sum = (float *)(m->arena + 52428800 - i * 16777216);                       // [32,128,4,1]  65.5 kB
	launch_3_2(&attention_backward_16384x32_kernel, y, dtranspose, sum);
	nnr_step_of(at->name, 53 + i * 16, "transformer.net:21  attention_grad(dense, y, dtranspose, attention_logs, sum)  [32,128,384]  469.8 MFLOP  16.9 MB");
	float *const dense = (float *)(m->arena + 102760448 - i * 6291456);                     // [32,128,384]  6.3 MB
	float *const attention_logs = (float *)(m->arena + at->attention_logs);                 // [32,4,128]  65.5 kB
	float *const ddense = (float *)(m->arena + 109051904 - i * 6291456);                    // [32,128,384]  6.3 MB
	launch_6(&attention_backward_32x128x384_kernel, dense, y, dtranspose, attention_logs, sum, ddense);
	nnr_branch_begin();
	nnr_step_of(at->name, 54 + i * 16, "transformer.net:9  sum(ddense)  [384]  1.6 MFLOP  6.3 MB");
	float *const attention_qkv_dbias = (float *)(m->arena + 122900992 - i * 6656);          // [384]  1.5 kB
	float *const partial_2 = (float *)(m->arena + at->partial_2);                           // [6144]  24.6 kB
	launch_3(&bias_backward_4096x384_kernel, ddense, attention_qkv_dbias, partial_2);
	nnr_branch_end(8 + i * 7);
	nnr_branch_begin();
	nnr_step_of(at->name, 55 + i * 16, "transformer.net:9  matmul(ddense, layernorm)  [384,128]  402.7 MFLOP  8.6 MB");
	float *const layernorm = (float *)(m->arena + 156462080 - i * 10485760);                // [4096,128]  2.1 MB
	float *const attention_qkv_dweight = (float *)(m->arena + 122093568 - i * 786432);      // [384,128]  196.6 kB
	matmul_any_size(&matmul_384x128_shape, &matmul_384x128_plan, ddense, layernorm, attention_qkv_dweight);
	nnr_branch_end(9 + i * 7);
	nnr_step_of(at->name, 56 + i * 16, "transformer.net:9  matmul(ddense, attention_qkv_weight)  [4096,128]  402.7 MFLOP  8.6 MB");
	float *const attention_qkv_weight = (float *)(m->params + 2555904 - i * 786432);        // [384,128]  196.6 kB
	float *const dlayernorm_2 = (float *)(m->arena + at->dlayernorm_2);                     // [4096,128]  2.1 MB
	matmul_any_size(&matmul_4096x128_6_shape, &matmul_4096x128_6_plan, ddense, attention_qkv_weight, dlayernorm_2);
	nnr_step_of(at->name, 57 + i * 16, "transformer.net:29,34,36 gpt.net:23  layernorm_add_bias_backward  [4096,128]  7.9 MFLOP  8.4 MB");
	float *const norm1_weight = (float *)(m->params + 3362304 - i * 6656);                  // [128]  512 B
	float *const x_2 = (float *)(m->arena + 154364928 - i * 10485760);                      // [4096,128]  2.1 MB
	float *const mean_2 = (float *)(m->arena + at->mean_2);                                 // [4096,1]  16.4 kB
	float *const rstd_2 = (float *)(m->arena + at->mean_2 + 16384);                         // [4096,1]  16.4 kB
	float *const partial_3 = (float *)(m->arena + at->partial_3);                           // [51456]  205.8 kB
	layernorm_add_bias_backward_4096x128(dlayernorm_2, norm1_weight, x_2, mean_2, rstd_2, dx_2, partial_3);
	nnr_branch_begin();
	nnr_step_of(at->name, 58 + i * 16, "transformer.net:29,36  layernorm_bias_backward  [128]  0 FLOP  1.5 kB");
	float *const norm1_dweight = (float *)(m->arena + 122899968 - i * 6656);                // [128]  512 B
	float *const norm1_dbias = (float *)(m->arena + 122900480 - i * 6656);                  // [128]  512 B
	float *const down_dbias = (float *)(m->arena + 122899456 - i * 6656);                   // [128]  512 B
	layernorm_bias_backward_4096x128_2(norm1_dweight, norm1_dbias, down_dbias, partial_3);
	nnr_branch_end(10 + i * 7);
	nnr_branch_begin();
	nnr_step_of(at->name, 59 + i * 16, "transformer.net:36  matmul(dx_3, gelu)  [128,512]  536.9 MFLOP  10.7 MB");
	float *const dx_3 = (float *)(m->arena + at->dlayernorm_2);                             // [4096,128]  2.1 MB
	float *const gelu = (float *)(m->arena + 41943040 - i * 16777216);                      // [4096,512]  8.4 MB
	float *const down_dweight = (float *)(m->arena + 121831424 - i * 786432);               // [128,512]  262.1 kB
	matmul_any_size(&matmul_128x512_shape, &matmul_128x512_plan, dx_3, gelu, down_dweight);
	nnr_branch_end(11 + i * 7);
	nnr_step_of(at->name, 60 + i * 16, "transformer.net:36  matmul(dx_3, down_weight)  [4096,512]  536.9 MFLOP  10.7 MB");
	float *const down_weight = (float *)(m->params + 2293760 - i * 786432);                 // [128,512]  262.1 kB
	float *const dgelu = (float *)(m->arena + 50331648 - i * 16777216);                     // [4096,512]  8.4 MB
	matmul_any_size(&matmul_4096x512_2_shape, &matmul_4096x512_2_plan, dx_3, down_weight, dgelu);
	nnr_step_of(at->name, 61 + i * 16, "transformer.net:34,35  bias_gelu_backward of transformer_3  [4096,512]  52.4 MFLOP  25.2 MB");
	float *const matmul = (float *)(m->arena + 33554432 - i * 16777216);                    // [4096,512]  8.4 MB
	float *const up_bias = (float *)(m->params + 3359744 - i * 6656);                       // [512]  2.0 kB
	float *const dy = (float *)(m->arena + 67108864 - i * 16777216);                        // [4096,512]  8.4 MB
	float *const up_dbias = (float *)(m->arena + 122897408 - i * 6656);                     // [512]  2.0 kB
	float *const partial_4 = (float *)(m->arena + at->partial_4);                           // [8192]  32.8 kB
	bias_gelu_backward_4096x512(matmul, up_bias, dgelu, dy, up_dbias, partial_4);
	nnr_branch_begin();
	nnr_step_of(at->name, 62 + i * 16, "transformer.net:34  matmul(dy, layernorm_2)  [512,128]  536.9 MFLOP  10.7 MB");
	float *const layernorm_2 = (float *)(m->arena + 152267776 - i * 10485760);              // [4096,128]  2.1 MB
	float *const up_dweight = (float *)(m->arena + 121569280 - i * 786432);                 // [512,128]  262.1 kB
	matmul_any_size(&matmul_512x128_shape, &matmul_512x128_plan, dy, layernorm_2, up_dweight);
	nnr_branch_end(12 + i * 7);
	nnr_step_of(at->name, 63 + i * 16, "transformer.net:34  matmul(dy, up_weight)  [4096,128]  536.9 MFLOP  10.7 MB");
	float *const up_weight = (float *)(m->params + 2031616 - i * 786432);                   // [512,128]  262.1 kB
	float *const dlayernorm_3 = (float *)(m->arena + at->dlayernorm_3);                     // [4096,128]  2.1 MB
	matmul_any_size(&matmul_4096x128_4_shape, &matmul_4096x128_4_plan, dy, up_weight, dlayernorm_3);
}

static void train_step(const NnrMemory *m, const NnrScalars *s)
{
	/* ---- forward */
	nnr_step(1, "gpt.net:18  embedding(words, text) + places_2  [32,128,128]  524.3 kFLOP  2.3 MB");
	float *const words = (float *)(m->params + 0);                                          // [256,128]  131.1 kB
	int32_t *const text = (int32_t *)(m->inputs + 0);                                       // [32,128]  16.4 kB
	float *const places_2 = (float *)(m->params + 131072);                                  // [1,128,128]  65.5 kB
	float *const x = (float *)(m->arena + 122907648);                                       // [32,128,128]  2.1 MB  steps 1-109
	embedding_add_32x128x128(words, text, places_2, x);
	nnr_step(2, "transformer.net:29  layernorm of transformer  [32,128,128]  3.7 MFLOP  4.2 MB");
	float *const transformer_norm1_weight = (float *)(m->params + 3342336);                 // [128]  512 B
	float *const transformer_norm1_bias = (float *)(m->params + 3342848);                   // [128]  512 B
	float *const layernorm = (float *)(m->arena + 125004800);                               // [32,128,128]  2.1 MB  steps 2-109
	layernorm_4096x128(x, transformer_norm1_weight, transformer_norm1_bias, layernorm);
	nnr_step(3, "transformer.net:9  matmul_bias of transformer.attention  [4096,384]  404.2 MFLOP  8.6 MB");
	float *const transformer_attention_qkv_weight = (float *)(m->params + 196608);          // [384,128]  196.6 kB
	float *const dense = (float *)(m->arena + 83886080);                                    // [4096,384]  6.3 MB  steps 3-101
	float *const transformer_attention_qkv_bias = (float *)(m->params + 3343360);           // [384]  1.5 kB
	matmul_bias_4096x384(layernorm, transformer_attention_qkv_weight, dense, transformer_attention_qkv_bias);
	nnr_step(4, "transformer.net:21  attention_logs(dense, attention(dense)); attention(dense)  [32,128,128]  134.2 MFLOP  8.5 MB");
	float *const y = (float *)(m->arena + 127101952);                                       // [32,128,128]  2.1 MB  steps 4-109
	float *const attention_logs = (float *)(m->arena + 172508160);                          // [32,4,128]  65.5 kB  steps 4-101
	launch_3(&attention_32x128x128_kernel, dense, y, attention_logs);
	nnr_step(5, "transformer.net:22  matmul(y, transformer_attention_out_weight)  [4096,128]  134.2 MFLOP  4.3 MB");
	float *const transformer_attention_out_weight = (float *)(m->params + 393216);          // [128,128]  65.5 kB
	float *const matmul = (float *)(m->arena + 0);                                          // [4096,128]  2.1 MB  steps 5-6
	matmul_any_size(&matmul_4096x128_shape, &matmul_4096x128_plan, y, transformer_attention_out_weight, matmul);
	nnr_step(6, "transformer.net:22,33,34  bias_add_layernorm of transformer  [4096,128]  4.8 MFLOP  8.4 MB");
	float *const transformer_attention_out_bias = (float *)(m->params + 3344896);           // [128]  512 B
	float *const transformer_norm2_weight = (float *)(m->params + 3345408);                 // [128]  512 B
	float *const transformer_norm2_bias = (float *)(m->params + 3345920);                   // [128]  512 B
	float *const x_3 = (float *)(m->arena + 129199104);                                     // [4096,128]  2.1 MB  steps 6-96
	float *const mean = (float *)(m->arena + 172688384);                                    // [4096,1]  16.4 kB  steps 6-96
	float *const rstd = (float *)(m->arena + 172704768);                                    // [4096,1]  16.4 kB  steps 6-96
	float *const layernorm_3 = (float *)(m->arena + 131296256);                             // [4096,128]  2.1 MB  steps 6-109
	bias_add_layernorm_4096x128(matmul, transformer_attention_out_bias, x, transformer_norm2_weight, transformer_norm2_bias, x_3, mean, rstd, layernorm_3);
	nnr_step(7, "transformer.net:34  matmul(layernorm_3, transformer_up_weight)  [4096,512]  536.9 MFLOP  10.7 MB");
	float *const transformer_up_weight = (float *)(m->params + 458752);                     // [512,128]  262.1 kB
	float *const matmul_2 = (float *)(m->arena + 0);                                        // [4096,512]  8.4 MB  steps 7-93
	matmul_any_size(&matmul_4096x512_shape, &matmul_4096x512_plan, layernorm_3, transformer_up_weight, matmul_2);
	nnr_step(8, "transformer.net:34,35,36  round_tf32(gelu((matmul_2 + transformer_up_bias)))  [4096,512]  44.0 MFLOP  16.8 MB");
	float *const transformer_up_bias = (float *)(m->params + 3346432);                      // [512]  2.0 kB
	float *const gelu = (float *)(m->arena + 8388608);                                      // [4096,512]  8.4 MB  steps 8-109
	launch_3_2(&bias_gelu_round_tf32_4096x512_kernel, matmul_2, transformer_up_bias, gelu);
	nnr_step(9, "transformer.net:36  matmul(gelu, transformer_down_weight)  [4096,128]  536.9 MFLOP  10.7 MB");
	float *const transformer_down_weight = (float *)(m->params + 720896);                   // [128,512]  262.1 kB
	float *const matmul_3 = (float *)(m->arena + 16777216);                                 // [4096,128]  2.1 MB  steps 9-10
	matmul_any_size(&matmul_4096x128_2_shape, &matmul_4096x128_2_plan, gelu, transformer_down_weight, matmul_3);
	for (int64_t i = 0; i < 3; i++)
		transformer_forward(m, i);
	nnr_step(34, "transformer.net:36,40 gpt.net:23  bias_add_layernorm  [4096,128]  4.8 MFLOP  8.4 MB");
	float *const matmul_12 = (float *)(m->arena + 67108864);                                // [4096,128]  2.1 MB  steps 33-34
	float *const transformer_4_down_bias = (float *)(m->params + 3368448);                  // [128]  512 B
	float *const x_9 = (float *)(m->arena + 109051904);                                     // [4096,128]  2.1 MB  steps 30-48
	float *const norm_weight = (float *)(m->params + 3368960);                              // [128]  512 B
	float *const norm_bias = (float *)(m->params + 3369472);                                // [128]  512 B
	float *const x_10 = (float *)(m->arena + 71303168);                                     // [4096,128]  2.1 MB  steps 34-41
	float *const mean_8 = (float *)(m->arena + 73400320);                                   // [4096,1]  16.4 kB  steps 34-41
	float *const rstd_8 = (float *)(m->arena + 73416704);                                   // [4096,1]  16.4 kB  steps 34-41
	float *const layernorm_10 = (float *)(m->arena + 162753536);                            // [4096,128]  2.1 MB  steps 34-109
	bias_add_layernorm_4096x128(matmul_12, transformer_4_down_bias, x_9, norm_weight, norm_bias, x_10, mean_8, rstd_8, layernorm_10);
	nnr_step(35, "gpt.net:23  matmul(layernorm_10, words)  [4096,256]  268.4 MFLOP  6.4 MB");
	float *const dense_9 = (float *)(m->arena + 67108864);                                  // [4096,256]  4.2 MB  steps 35-36
	matmul_any_size(&matmul_4096x256_shape, &matmul_4096x256_plan, layernorm_10, words, dense_9);

	/* ---- loss */
	nnr_step(36, "gpt.net:23,25,26  cross_entropy_backward_accuracy  [4096,256]  30.5 MFLOP  8.4 MB");
	int32_t *const next_2 = (int32_t *)(m->inputs + 16384);                                 // [4096,1]  16.4 kB
	float *const cross_entropy = (float *)(m->arena + 172786688);                           // [4096,1]  16.4 kB  steps 36-109
	float *const is_right = (float *)(m->arena + 172803072);                                // [4096,1]  16.4 kB  steps 36-109
	float *const dlogits = (float *)(m->arena + 115343360);                                 // [4096,256]  4.2 MB  steps 36-109
	cross_entropy_backward_accuracy_4096x256(dense_9, next_2, cross_entropy, is_right, dlogits);
	nnr_scores_wait();
	nnr_branch_begin();
	nnr_step(37, "gpt.net:25  sum((sum(cross_entropy) * 0.0078125)) * 0.03125  []  4.2 kFLOP  16.4 kB");
	float *const loss = (float *)(m->arena + 172820736);                                    // []  4 B  steps 37-end
	float *const partial = (float *)(m->arena + 172819456);                                 // [160]  640 B  steps 37-109
	launch_3(&cross_entropy_mean_32x128_kernel, cross_entropy, loss, partial);
	nnr_branch_end(0);
	nnr_branch_begin();
	nnr_step(38, "gpt.net:26  sum((sum(is_right) * 0.0078125)) * 0.03125  []  4.2 kFLOP  16.4 kB");
	float *const accuracy = (float *)(m->arena + 172820800);                                // []  4 B  steps 38-end
	float *const partial_2 = (float *)(m->arena + 172820096);                               // [160]  640 B  steps 38-109
	launch_3(&accuracy_mean_32x128_kernel, is_right, accuracy, partial_2);
	nnr_branch_end(1);

	/* ---- backward */
	nnr_branch_begin();
	nnr_step(39, "gpt.net:23  matmul(dlogits, layernorm_10)  [256,128]  268.4 MFLOP  6.4 MB");
	float *const dwords_2 = (float *)(m->arena + 172377088);                                // [256,128]  131.1 kB  steps 39-109
	matmul_any_size(&matmul_256x128_shape, &matmul_256x128_plan, dlogits, layernorm_10, dwords_2);
	nnr_branch_end(2);
	nnr_step(40, "gpt.net:23  matmul(dlogits, words)  [4096,128]  268.4 MFLOP  6.4 MB");
	float *const dlayernorm = (float *)(m->arena + 164850688);                              // [4096,128]  2.1 MB  steps 40-109
	matmul_any_size(&matmul_4096x128_3_shape, &matmul_4096x128_3_plan, dlogits, words, dlayernorm);
	nnr_step(41, "transformer.net:36 gpt.net:23  layernorm_bias_backward  [4096,128]  7.3 MFLOP  6.3 MB");
	float *const partial_3 = (float *)(m->arena + 171142144);                               // [51456]  205.8 kB  steps 41-109
	layernorm_bias_backward_4096x128(dlayernorm, norm_weight, x_10, mean_8, rstd_8, partial_3);
	nnr_branch_begin();
	nnr_step(42, "transformer.net:36 gpt.net:23  layernorm_bias_backward  [128]  0 FLOP  1.5 kB");
	float *const norm_dweight = (float *)(m->arena + 122906624);                            // [128]  512 B  steps 42-109
	float *const norm_dbias = (float *)(m->arena + 122907136);                              // [128]  512 B  steps 42-109
	float *const transformer_4_down_dbias = (float *)(m->arena + 122906112);                // [128]  512 B  steps 42-109
	layernorm_bias_backward_4096x128_2(norm_dweight, norm_dbias, transformer_4_down_dbias, partial_3);
	nnr_branch_end(3);
	nnr_branch_begin();
	nnr_step(43, "transformer.net:36  matmul(dx, gelu_4)  [128,512]  536.9 MFLOP  10.7 MB");
	float *const dx = (float *)(m->arena + 164850688);                                      // [4096,128]  2.1 MB  steps 40-109
	float *const gelu_4 = (float *)(m->arena + 58720256);                                   // [4096,512]  8.4 MB  steps 32-109
	float *const transformer_4_down_dweight = (float *)(m->arena + 122617856);              // [128,512]  262.1 kB  steps 42-109
	matmul_any_size(&matmul_128x512_shape, &matmul_128x512_plan, dx, gelu_4, transformer_4_down_dweight);
	nnr_branch_end(4);
	nnr_step(44, "transformer.net:36  matmul(dx, transformer_4_down_weight)  [4096,512]  536.9 MFLOP  10.7 MB");
	float *const transformer_4_down_weight = (float *)(m->params + 3080192);                // [128,512]  262.1 kB
	float *const dgelu = (float *)(m->arena + 67108864);                                    // [4096,512]  8.4 MB  steps 44-45
	matmul_any_size(&matmul_4096x512_2_shape, &matmul_4096x512_2_plan, dx, transformer_4_down_weight, dgelu);
	nnr_step(45, "transformer.net:34,35  bias_gelu_backward of transformer_4  [4096,512]  52.4 MFLOP  25.2 MB");
	float *const matmul_11 = (float *)(m->arena + 50331648);                                // [4096,512]  8.4 MB  steps 31-45
	float *const transformer_4_up_bias = (float *)(m->params + 3366400);                    // [512]  2.0 kB
	float *const dy = (float *)(m->arena + 75497472);                                       // [4096,512]  8.4 MB  steps 45-109
	float *const transformer_4_up_dbias = (float *)(m->arena + 122904064);                  // [512]  2.0 kB  steps 42-109
	float *const partial_4 = (float *)(m->arena + 111149056);                               // [8192]  32.8 kB  steps 45-45
	bias_gelu_backward_4096x512(matmul_11, transformer_4_up_bias, dgelu, dy, transformer_4_up_dbias, partial_4);
	nnr_branch_begin();
	nnr_step(46, "transformer.net:34  matmul(dy, layernorm_9)  [512,128]  536.9 MFLOP  10.7 MB");
	float *const layernorm_9 = (float *)(m->arena + 160656384);                             // [4096,128]  2.1 MB  steps 30-109
	float *const transformer_4_up_dweight = (float *)(m->arena + 122355712);                // [512,128]  262.1 kB  steps 42-109
	matmul_any_size(&matmul_512x128_shape, &matmul_512x128_plan, dy, layernorm_9, transformer_4_up_dweight);
	nnr_branch_end(5);
	nnr_step(47, "transformer.net:34  matmul(dy, transformer_4_up_weight)  [4096,128]  536.9 MFLOP  10.7 MB");
	float *const transformer_4_up_weight = (float *)(m->params + 2818048);                  // [512,128]  262.1 kB
	float *const dlayernorm_2 = (float *)(m->arena + 166947840);                            // [4096,128]  2.1 MB  steps 47-109
	matmul_any_size(&matmul_4096x128_4_shape, &matmul_4096x128_4_plan, dy, transformer_4_up_weight, dlayernorm_2);
	for (int64_t i = 0; i < 3; i++)
		transformer_backward(m, i);
	nnr_step(96, "transformer.net:22,29,34 gpt.net:23  layernorm_add_bias_backward  [4096,128]  7.9 MFLOP  8.4 MB");
	float *const dlayernorm_8 = (float *)(m->arena + 6291456);                              // [4096,128]  2.1 MB  steps 95-109
	float *const dx_7 = (float *)(m->arena + 90177536);                                     // [4096,128]  2.1 MB  steps 88-109
	float *const partial_17 = (float *)(m->arena + 18874368);                               // [51456]  205.8 kB  steps 96-109
	layernorm_add_bias_backward_4096x128(dlayernorm_8, transformer_norm2_weight, x_3, mean, rstd, dx_7, partial_17);
	nnr_branch_begin();
	nnr_step(97, "transformer.net:22,34  layernorm_bias_backward of transformer  [128]  0 FLOP  1.5 kB");
	float *const transformer_norm2_dweight = (float *)(m->arena + 122883072);               // [128]  512 B  steps 42-109
	float *const transformer_norm2_dbias = (float *)(m->arena + 122883584);                 // [128]  512 B  steps 42-109
	float *const transformer_attention_out_dbias = (float *)(m->arena + 122882560);         // [128]  512 B  steps 42-109
	layernorm_bias_backward_4096x128_2(transformer_norm2_dweight, transformer_norm2_dbias, transformer_attention_out_dbias, partial_17);
	nnr_branch_end(27);
	nnr_branch_begin();
	nnr_step(98, "transformer.net:22  matmul(dx_8, y)  [128,128]  134.2 MFLOP  4.3 MB");
	float *const dx_8 = (float *)(m->arena + 6291456);                                      // [4096,128]  2.1 MB  steps 95-109
	float *const transformer_attention_out_dweight = (float *)(m->arena + 119930880);       // [128,128]  65.5 kB  steps 42-109
	matmul_any_size(&matmul_128x128_shape, &matmul_128x128_plan, dx_8, y, transformer_attention_out_dweight);
	nnr_branch_end(28);
	nnr_step(99, "transformer.net:22  matmul(dx_8, transformer_attention_out_weight)  [4096,128]  134.2 MFLOP  4.3 MB");
	float *const dtranspose_7 = (float *)(m->arena + 16777216);                             // [4096,128]  2.1 MB  steps 99-101
	matmul_any_size(&matmul_4096x128_5_shape, &matmul_4096x128_5_plan, dx_8, transformer_attention_out_weight, dtranspose_7);
	nnr_step(100, "transformer.net:21  round_tf32(sum((y * dtranspose_7)))  [32,128,4,1]  1.0 MFLOP  4.3 MB");
	float *const sum_4 = (float *)(m->arena + 19080192);                                    // [32,128,4,1]  65.5 kB  steps 100-101
	launch_3_2(&attention_backward_16384x32_kernel, y, dtranspose_7, sum_4);
	nnr_step(101, "transformer.net:21  attention_grad(dense, y, dtranspose_7, attention_logs, sum_4)  [32,128,384]  469.8 MFLOP  16.9 MB");
	float *const ddense_7 = (float *)(m->arena + 0);                                        // [32,128,384]  6.3 MB  steps 101-109
	launch_6(&attention_backward_32x128x384_kernel, dense, y, dtranspose_7, attention_logs, sum_4, ddense_7);
	nnr_branch_begin();
	nnr_step(102, "transformer.net:9  sum(ddense_7)  [384]  1.6 MFLOP  6.3 MB");
	float *const transformer_attention_qkv_dbias = (float *)(m->arena + 122881024);         // [384]  1.5 kB  steps 42-109
	float *const partial_18 = (float *)(m->arena + 19217408);                               // [6144]  24.6 kB  steps 102-109
	launch_3(&bias_backward_4096x384_kernel, ddense_7, transformer_attention_qkv_dbias, partial_18);
	nnr_branch_end(29);
	nnr_branch_begin();
	nnr_step(103, "transformer.net:9  matmul(ddense_7, layernorm)  [384,128]  402.7 MFLOP  8.6 MB");
	float *const transformer_attention_qkv_dweight = (float *)(m->arena + 119734272);       // [384,128]  196.6 kB  steps 42-109
	matmul_any_size(&matmul_384x128_shape, &matmul_384x128_plan, ddense_7, layernorm, transformer_attention_qkv_dweight);
	nnr_branch_end(30);
	nnr_step(104, "transformer.net:9  matmul(ddense_7, transformer_attention_qkv_weight)  [4096,128]  402.7 MFLOP  8.6 MB");
	float *const dlayernorm_9 = (float *)(m->arena + 16777216);                             // [4096,128]  2.1 MB  steps 104-105
	matmul_any_size(&matmul_4096x128_6_shape, &matmul_4096x128_6_plan, ddense_7, transformer_attention_qkv_weight, dlayernorm_9);
	nnr_step(105, "transformer.net:29,34 gpt.net:23  layernorm_add_backward  [4096,128]  9.0 MFLOP  8.4 MB");
	float *const transformer_norm1_dweight = (float *)(m->arena + 122880000);               // [128]  512 B  steps 42-109
	float *const transformer_norm1_dbias = (float *)(m->arena + 122880512);                 // [128]  512 B  steps 42-109
	float *const partial_19 = (float *)(m->arena + 19080192);                               // [34304]  137.2 kB  steps 105-105
	layernorm_add_backward_4096x128(x, dlayernorm_9, transformer_norm1_weight, dx_8, transformer_norm1_dweight, transformer_norm1_dbias, partial_19);
	nnr_branch_begin();
	nnr_step(106, "gpt.net:16,18  sum(dx_10)  [128,128]  524.3 kFLOP  2.2 MB");
	float *const dx_10 = (float *)(m->arena + 122907648);                                   // [32,128,128]  2.1 MB  steps 1-109
	float *const dplaces = (float *)(m->arena + 119668736);                                 // [128,128]  65.5 kB  steps 42-109
	launch_2(&add_backward_32x16384_kernel, dx_10, dplaces);
	nnr_branch_end(31);
	nnr_branch_begin();
	nnr_step(107, "gpt.net:15,18,23  dwords_2 + embedding_grad(dx_10, text)  [256,128]  557.1 kFLOP  2.4 MB");
	float *const dwords = (float *)(m->arena + 119537664);                                  // [256,128]  131.1 kB  steps 42-109
	float *const partial_20 = (float *)(m->arena + 16777216);                               // [131072]  524.3 kB  steps 107-109
	embedding_add_backward_256x128(dx_10, text, dwords_2, dwords, partial_20);
	nnr_branch_end(32);

	/* ---- update */
	nnr_branch_wait(32);
	nnr_step(108, "gpt.net:33  clip  []  2.5 MFLOP  3.4 MB");
	float *const gradients = (float *)(m->arena + 119537664);                               // [842496]  3.4 MB  steps 42-109
	float *const clip_factor = (float *)(m->arena + 17303616);                              // []  4 B  steps 108-109
	float *const partial_21 = (float *)(m->arena + 17301504);                               // [528]  2.1 kB  steps 108-108
	launch_3(&clip_842496_kernel, gradients, clip_factor, partial_21);
	nnr_step(109, "gpt.net:33  adamw_clip  [842496]  19.4 MFLOP  23.6 MB");
	float *const params = (float *)(m->params + 0);                                         // [842496]  3.4 MB
	float *const adamw_m = (float *)(m->state + 0);                                         // [842496]  3.4 MB
	float *const adamw_v = (float *)(m->state + 3369984);                                   // [842496]  3.4 MB
	adamw_clip_842496(params, gradients, clip_factor, adamw_m, adamw_v, s);
}

/* What evaluation reads of the weights, when they have changed: 17 steps, 0 FLOP, 6.6 MB moved, arena 0 B (lower bound 0 B, at step 1) */
/* 1 call, 17 times: transformer.attention, transformer, transformer_2.attention, transformer_2, transformer_3.attention, transformer_3 ... */
struct attention_prepare {
	const char *name;
	NnrKernel *kernel;
	size_t qkv_weight, prepared_qkv_weight;
};
static const struct attention_prepare attention_prepare_at[17] = {
	{"transformer.attention", &round_tf32_49152_kernel, 196608, 6739968},
	{"transformer.attention", &round_tf32_16384_kernel, 393216, 6936576},
	{"transformer", &round_tf32_65536_kernel, 458752, 7002112},
	{"transformer", &round_tf32_65536_kernel, 720896, 7264256},
	{"transformer_2.attention", &round_tf32_49152_kernel, 983040, 7526400},
	{"transformer_2.attention", &round_tf32_16384_kernel, 1179648, 7723008},
	{"transformer_2", &round_tf32_65536_kernel, 1245184, 7788544},
	{"transformer_2", &round_tf32_65536_kernel, 1507328, 8050688},
	{"transformer_3.attention", &round_tf32_49152_kernel, 1769472, 8312832},
	{"transformer_3.attention", &round_tf32_16384_kernel, 1966080, 8509440},
	{"transformer_3", &round_tf32_65536_kernel, 2031616, 8574976},
	{"transformer_3", &round_tf32_65536_kernel, 2293760, 8837120},
	{"transformer_4.attention", &round_tf32_49152_kernel, 2555904, 9099264},
	{"transformer_4.attention", &round_tf32_16384_kernel, 2752512, 9295872},
	{"transformer_4", &round_tf32_65536_kernel, 2818048, 9361408},
	{"transformer_4", &round_tf32_65536_kernel, 3080192, 9623552},
	{"", &round_tf32_32768_kernel, 0, 9885696},
};
static void attention_prepare(const NnrMemory *m, int64_t i)
{
	const struct attention_prepare *const at = &attention_prepare_at[i];
	nnr_step_of(at->name, 1 + i, "transformer.net:9  round_tf32(qkv_weight)");
	float *const qkv_weight = (float *)(m->params + at->qkv_weight);
	float *const prepared_qkv_weight = (float *)(m->state + at->prepared_qkv_weight);
	launch_2(at->kernel, qkv_weight, prepared_qkv_weight);
}

static void prepare_weights(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	for (int64_t i = 0; i < 17; i++)
		attention_prepare(m, i);
}

/* What evaluation and prediction have in common: their first 34 steps */
/* 8 calls, 3 times: transformer_2, transformer_3, transformer_4 */
struct transformer_evaluate {
	const char *name;
};
static const struct transformer_evaluate transformer_evaluate_at[3] = {
	{"transformer_2"},
	{"transformer_3"},
	{"transformer_4"},
};
static void transformer_evaluate(const NnrMemory *m, int64_t i)
{
	const struct transformer_evaluate *const at = &transformer_evaluate_at[i];
	nnr_step_of(at->name, 10 + i * 8, "transformer.net:9,29,36,40  bias_add_layernorm  [4096,128]  4.8 MFLOP  8.4 MB");
	float *const matmul = (float *)(m->arena + 10485760);                                   // [4096,128]  2.1 MB
	float *const transformer_down_bias = (float *)(m->params + 3348480 + i * 6656);         // [128]  512 B
	float *const x = (float *)(m->arena + 8388608);                                         // [4096,128]  2.1 MB
	float *const norm1_weight = (float *)(m->params + 3348992 + i * 6656);                  // [128]  512 B
	float *const norm1_bias = (float *)(m->params + 3349504 + i * 6656);                    // [128]  512 B
	float *const x_2 = (float *)(m->arena + 6291456);                                       // [4096,128]  2.1 MB
	float *const layernorm = (float *)(m->arena + 12582912);                                // [4096,128]  2.1 MB
	bias_add_layernorm_4096x128_2(matmul, transformer_down_bias, x, norm1_weight, norm1_bias, x_2, layernorm);
	nnr_step_of(at->name, 11 + i * 8, "transformer.net:9  matmul_bias of attention  [4096,384]  404.2 MFLOP  8.6 MB");
	float *const prepared_attention_qkv_weight = (float *)(m->state + 7526400 + i * 786432); // [384,128]  196.6 kB
	float *const dense = (float *)(m->arena + 0);                                           // [4096,384]  6.3 MB
	float *const attention_qkv_bias = (float *)(m->params + 3350016 + i * 6656);            // [384]  1.5 kB
	matmul_bias_4096x384(layernorm, prepared_attention_qkv_weight, dense, attention_qkv_bias);
	nnr_step_of(at->name, 12 + i * 8, "transformer.net:21  attention(dense)  [32,128,128]  134.2 MFLOP  8.4 MB");
	float *const y = (float *)(m->arena + 8388608);                                         // [32,128,128]  2.1 MB
	launch_2(&attention_32x128x128_2_kernel, dense, y);
	nnr_step_of(at->name, 13 + i * 8, "transformer.net:22  matmul(y, prepared_attention_out_weight)  [4096,128]  134.2 MFLOP  4.3 MB");
	float *const prepared_attention_out_weight = (float *)(m->state + 7723008 + i * 786432); // [128,128]  65.5 kB
	float *const matmul_2 = (float *)(m->arena + 0);                                        // [4096,128]  2.1 MB
	matmul_any_size(&matmul_4096x128_shape, &matmul_4096x128_plan, y, prepared_attention_out_weight, matmul_2);
	nnr_step_of(at->name, 14 + i * 8, "transformer.net:22,33,34  bias_add_layernorm  [4096,128]  4.8 MFLOP  8.4 MB");
	float *const attention_out_bias = (float *)(m->params + 3351552 + i * 6656);            // [128]  512 B
	float *const norm2_weight = (float *)(m->params + 3352064 + i * 6656);                  // [128]  512 B
	float *const norm2_bias = (float *)(m->params + 3352576 + i * 6656);                    // [128]  512 B
	float *const x_3 = (float *)(m->arena + 8388608);                                       // [4096,128]  2.1 MB
	float *const layernorm_2 = (float *)(m->arena + 10485760);                              // [4096,128]  2.1 MB
	bias_add_layernorm_4096x128_2(matmul_2, attention_out_bias, x_2, norm2_weight, norm2_bias, x_3, layernorm_2);
	nnr_step_of(at->name, 15 + i * 8, "transformer.net:34  matmul(layernorm_2, prepared_up_weight)  [4096,512]  536.9 MFLOP  10.7 MB");
	float *const prepared_up_weight = (float *)(m->state + 7788544 + i * 786432);           // [512,128]  262.1 kB
	float *const matmul_3 = (float *)(m->arena + 0);                                        // [4096,512]  8.4 MB
	matmul_any_size(&matmul_4096x512_shape, &matmul_4096x512_plan, layernorm_2, prepared_up_weight, matmul_3);
	nnr_step_of(at->name, 16 + i * 8, "transformer.net:34,35,36  round_tf32(gelu((matmul_3 + up_bias)))  [4096,512]  44.0 MFLOP  16.8 MB");
	float *const up_bias = (float *)(m->params + 3353088 + i * 6656);                       // [512]  2.0 kB
	bias_gelu_round_tf32_4096x512_2(matmul_3, up_bias);
	nnr_step_of(at->name, 17 + i * 8, "transformer.net:36  matmul(gelu, prepared_down_weight)  [4096,128]  536.9 MFLOP  10.7 MB");
	float *const gelu = (float *)(m->arena + 0);                                            // [4096,512]  8.4 MB
	float *const prepared_down_weight = (float *)(m->state + 8050688 + i * 786432);         // [128,512]  262.1 kB
	float *const matmul_4 = (float *)(m->arena + 10485760);                                 // [4096,128]  2.1 MB
	matmul_any_size(&matmul_4096x128_2_shape, &matmul_4096x128_2_plan, gelu, prepared_down_weight, matmul_4);
}

static void forward_batch(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	nnr_step(1, "gpt.net:18  embedding(words, text) + places_2  [32,128,128]  524.3 kFLOP  2.3 MB");
	float *const words = (float *)(m->params + 0);                                          // [256,128]  131.1 kB
	int32_t *const text = (int32_t *)(m->inputs + 0);                                       // [32,128]  16.4 kB
	float *const places_2 = (float *)(m->params + 131072);                                  // [1,128,128]  65.5 kB
	float *const x = (float *)(m->arena + 6291456);                                         // [32,128,128]  2.1 MB  steps 1-6
	embedding_add_32x128x128(words, text, places_2, x);
	nnr_step(2, "transformer.net:29  layernorm of transformer  [32,128,128]  3.7 MFLOP  4.2 MB");
	float *const transformer_norm1_weight = (float *)(m->params + 3342336);                 // [128]  512 B
	float *const transformer_norm1_bias = (float *)(m->params + 3342848);                   // [128]  512 B
	float *const layernorm = (float *)(m->arena + 8388608);                                 // [32,128,128]  2.1 MB  steps 2-3
	layernorm_4096x128(x, transformer_norm1_weight, transformer_norm1_bias, layernorm);
	nnr_step(3, "transformer.net:9  matmul_bias of transformer.attention  [4096,384]  404.2 MFLOP  8.6 MB");
	float *const prepared_transformer_attention_qkv_weight = (float *)(m->state + 6739968); // [384,128]  196.6 kB
	float *const dense = (float *)(m->arena + 0);                                           // [4096,384]  6.3 MB  steps 3-4
	float *const transformer_attention_qkv_bias = (float *)(m->params + 3343360);           // [384]  1.5 kB
	matmul_bias_4096x384(layernorm, prepared_transformer_attention_qkv_weight, dense, transformer_attention_qkv_bias);
	nnr_step(4, "transformer.net:21  attention(dense)  [32,128,128]  134.2 MFLOP  8.4 MB");
	float *const y = (float *)(m->arena + 8388608);                                         // [32,128,128]  2.1 MB  steps 4-5
	launch_2(&attention_32x128x128_2_kernel, dense, y);
	nnr_step(5, "transformer.net:22  matmul(y, prepared_transformer_attention_out_weight)  [4096,128]  134.2 MFLOP  4.3 MB");
	float *const prepared_transformer_attention_out_weight = (float *)(m->state + 6936576); // [128,128]  65.5 kB
	float *const matmul = (float *)(m->arena + 0);                                          // [4096,128]  2.1 MB  steps 5-6
	matmul_any_size(&matmul_4096x128_shape, &matmul_4096x128_plan, y, prepared_transformer_attention_out_weight, matmul);
	nnr_step(6, "transformer.net:22,33,34  bias_add_layernorm of transformer  [4096,128]  4.8 MFLOP  8.4 MB");
	float *const transformer_attention_out_bias = (float *)(m->params + 3344896);           // [128]  512 B
	float *const transformer_norm2_weight = (float *)(m->params + 3345408);                 // [128]  512 B
	float *const transformer_norm2_bias = (float *)(m->params + 3345920);                   // [128]  512 B
	float *const x_3 = (float *)(m->arena + 8388608);                                       // [4096,128]  2.1 MB  steps 6-10
	float *const layernorm_3 = (float *)(m->arena + 10485760);                              // [4096,128]  2.1 MB  steps 6-7
	bias_add_layernorm_4096x128_2(matmul, transformer_attention_out_bias, x, transformer_norm2_weight, transformer_norm2_bias, x_3, layernorm_3);
	nnr_step(7, "transformer.net:34  matmul(layernorm_3, prepared_transformer_up_weight)  [4096,512]  536.9 MFLOP  10.7 MB");
	float *const prepared_transformer_up_weight = (float *)(m->state + 7002112);            // [512,128]  262.1 kB
	float *const matmul_2 = (float *)(m->arena + 0);                                        // [4096,512]  8.4 MB  steps 7-9
	matmul_any_size(&matmul_4096x512_shape, &matmul_4096x512_plan, layernorm_3, prepared_transformer_up_weight, matmul_2);
	nnr_step(8, "transformer.net:34,35,36  round_tf32(gelu((matmul_2 + transformer_up_bias)))  [4096,512]  44.0 MFLOP  16.8 MB");
	float *const transformer_up_bias = (float *)(m->params + 3346432);                      // [512]  2.0 kB
	bias_gelu_round_tf32_4096x512_2(matmul_2, transformer_up_bias);
	nnr_step(9, "transformer.net:36  matmul(gelu, prepared_transformer_down_weight)  [4096,128]  536.9 MFLOP  10.7 MB");
	float *const gelu = (float *)(m->arena + 0);                                            // [4096,512]  8.4 MB  steps 7-9
	float *const prepared_transformer_down_weight = (float *)(m->state + 7264256);          // [128,512]  262.1 kB
	float *const matmul_3 = (float *)(m->arena + 10485760);                                 // [4096,128]  2.1 MB  steps 9-10
	matmul_any_size(&matmul_4096x128_2_shape, &matmul_4096x128_2_plan, gelu, prepared_transformer_down_weight, matmul_3);
	for (int64_t i = 0; i < 3; i++)
		transformer_evaluate(m, i);
	nnr_step(34, "transformer.net:36,40 gpt.net:23  bias_add_layernorm  [4096,128]  4.8 MFLOP  6.3 MB");
	float *const matmul_12 = (float *)(m->arena + 10485760);                                // [4096,128]  2.1 MB  steps 33-34
	float *const transformer_4_down_bias = (float *)(m->params + 3368448);                  // [128]  512 B
	float *const x_9 = (float *)(m->arena + 8388608);                                       // [4096,128]  2.1 MB  steps 30-34
	float *const norm_weight = (float *)(m->params + 3368960);                              // [128]  512 B
	float *const norm_bias = (float *)(m->params + 3369472);                                // [128]  512 B
	float *const layernorm_10 = (float *)(m->arena + 4194304);                              // [4096,128]  2.1 MB  steps 34-35
	launch_6(&bias_add_layernorm_4096x128_3_kernel, matmul_12, transformer_4_down_bias, x_9, norm_weight, norm_bias, layernorm_10);
}

/* Loss and metrics of one batch, per sample: 38 steps, 7.5 GFLOP, 320.3 MB moved, arena 14.7 MB (lower bound 12.6 MB, at step 7) */
static void evaluate_batch(const NnrMemory *m, const NnrScalars *s)
{
	forward_batch(m, s); /* steps 1 to 34 */
	nnr_step(35, "gpt.net:23  matmul(layernorm_10, prepared_words)  [4096,256]  268.4 MFLOP  6.4 MB");
	float *const layernorm_10 = (float *)(m->arena + 4194304);                              // [4096,128]  2.1 MB  steps 34-35
	float *const prepared_words = (float *)(m->state + 9885696);                            // [256,128]  131.1 kB
	float *const dense_9 = (float *)(m->arena + 0);                                         // [4096,256]  4.2 MB  steps 35-end
	matmul_any_size(&matmul_4096x256_shape, &matmul_4096x256_plan, layernorm_10, prepared_words, dense_9);

	/* ---- loss */
	nnr_step(36, "gpt.net:25,26  cross_entropy_accuracy  [4096,1]  27.3 MFLOP  4.2 MB");
	int32_t *const next_2 = (int32_t *)(m->inputs + 16384);                                 // [4096,1]  16.4 kB
	float *const cross_entropy = (float *)(m->arena + 4194304);                             // [4096,1]  16.4 kB  steps 36-37
	float *const is_right = (float *)(m->arena + 4210688);                                  // [4096,1]  16.4 kB  steps 36-38
	cross_entropy_accuracy_4096x256(dense_9, next_2, cross_entropy, is_right);
	nnr_step(37, "gpt.net:25  (sum(cross_entropy) * 0.0078125)  [32]  4.1 kFLOP  16.5 kB");
	float *const cross_entropy_3 = (float *)(m->arena + 4227072);                           // [32]  128 B  steps 37-end
	launch_2(&cross_entropy_32x128_kernel, cross_entropy, cross_entropy_3);
	nnr_step(38, "gpt.net:26  (sum(is_right) * 0.0078125)  [32]  4.1 kFLOP  16.5 kB");
	float *const accuracy = (float *)(m->arena + 4194304);                                  // [32]  128 B  steps 38-end
	launch_2(&accuracy_32x128_kernel, is_right, accuracy);
}

/* What the model predicts, without loss and metrics: 35 steps, 7.5 GFLOP, 316.0 MB moved, arena 14.7 MB (lower bound 12.6 MB, at step 7) */
static void predict_batch(const NnrMemory *m, const NnrScalars *s)
{
	forward_batch(m, s); /* steps 1 to 34 */
	nnr_step(35, "gpt.net:23  matmul(layernorm_10, prepared_words)  [4096,256]  268.4 MFLOP  6.4 MB");
	float *const layernorm_10 = (float *)(m->arena + 4194304);                              // [4096,128]  2.1 MB  steps 34-35
	float *const prepared_words = (float *)(m->state + 9885696);                            // [256,128]  131.1 kB
	float *const dense_9 = (float *)(m->arena + 0);                                         // [4096,256]  4.2 MB  steps 35-end
	matmul_any_size(&matmul_4096x256_shape, &matmul_4096x256_plan, layernorm_10, prepared_words, dense_9);
}

/* For `profile`: the steps above, and which part of each is whose line of the .net files: by FLOPs,
 * of the update by parameters. {name, formula, library, phase, converts, FLOP, B, shares: {place, phase, weight}} */
#define STEP_MATMUL_BIAS_4096X384(p) {"matmul_bias_4096x384", "round_tf32((matmul(a, b) + bias))", "cuBLASLt", NNR_PHASE_FORWARD, false, 404226048, 8586752, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 4.04226e+08}}}
#define STEP_ATTENTION_32X128X128(p) {"attention_32x128x128", "attention_logs(x, attention(x)); attention(x)", NULL, NNR_PHASE_FORWARD, false, 134217728, 8454144, 2, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 1.34218e+08}, {p, NNR_PHASE_BACKWARD, 6.71089e+07}}}
#define STEP_MATMUL_4096X128(p) {"matmul_4096x128", "matmul(a, b)", "cuBLASLt", NNR_PHASE_FORWARD, false, 134217728, 4259840, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 1.34218e+08}}}
#define STEP_BIAS_ADD_LAYERNORM_4096X128(p) {"bias_add_layernorm_4096x128", "bias_add_layernorm", NULL, NNR_PHASE_FORWARD, false, 4751360, 8422912, 3, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 524288}, {p + 1, NNR_PHASE_FORWARD, 524288}, {p + 2, NNR_PHASE_FORWARD, 3.70278e+06}}}
#define STEP_MATMUL_4096X512(p) {"matmul_4096x512", "matmul(a, b)", "cuBLASLt", NNR_PHASE_FORWARD, false, 536870912, 10747904, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 5.36871e+08}}}
#define STEP_BIAS_GELU_ROUND_TF32_4096X512(p) {"bias_gelu_round_tf32_4096x512", "round_tf32(gelu((matmul + bias)))", NULL, NNR_PHASE_FORWARD, false, 44040192, 16779264, 3, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.09715e+06}, {p + 1, NNR_PHASE_FORWARD, 2.09715e+07}, {p + 2, NNR_PHASE_FORWARD, 2.09715e+07}}}
#define STEP_MATMUL_4096X128_2(p) {"matmul_4096x128_2", "matmul(a, b)", "cuBLASLt", NNR_PHASE_FORWARD, false, 536870912, 10747904, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 5.36871e+08}}}
#define STEP_BIAS_ADD_LAYERNORM_4096X128_2(p) {"bias_add_layernorm_4096x128", "bias_add_layernorm", NULL, NNR_PHASE_FORWARD, false, 4751360, 8422912, 4, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 524288}, {p + 1, NNR_PHASE_FORWARD, 524288}, {p + 2, NNR_PHASE_FORWARD, 3.44064e+06}, {p + 3, NNR_PHASE_FORWARD, 262144}}}
#define STEP_MATMUL_128X512(p) {"matmul_128x512", "matmul(a, b)", "cuBLASLt", NNR_PHASE_BACKWARD, false, 536870912, 10747904, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.36871e+08}}}
#define STEP_MATMUL_4096X512_2(p) {"matmul_4096x512_2", "matmul(a, b)", "cuBLASLt", NNR_PHASE_BACKWARD, false, 536870912, 10747904, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.36871e+08}}}
#define STEP_BIAS_GELU_BACKWARD_4096X512(p) {"bias_gelu_backward_4096x512", "sum((dy * gelu_slope((matmul + bias)))); round_tf32((dy * gelu_slope((matmul + bias))))", NULL, NNR_PHASE_BACKWARD, false, 52428800, 25169920, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.24288e+06}, {p + 1, NNR_PHASE_BACKWARD, 4.71859e+07}}}
#define STEP_MATMUL_512X128(p) {"matmul_512x128", "matmul(a, b)", "cuBLASLt", NNR_PHASE_BACKWARD, false, 536870912, 10747904, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.36871e+08}}}
#define STEP_MATMUL_4096X128_4(p) {"matmul_4096x128_4", "matmul(a, b)", "cuBLASLt", NNR_PHASE_BACKWARD, false, 536870912, 10747904, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.36871e+08}}}
#define STEP_MATMUL_128X128(p) {"matmul_128x128", "matmul(a, b)", "cuBLASLt", NNR_PHASE_BACKWARD, false, 134217728, 4259840, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 1.34218e+08}}}
#define STEP_MATMUL_4096X128_5(p) {"matmul_4096x128_5", "matmul(a, b)", "cuBLASLt", NNR_PHASE_BACKWARD, false, 134217728, 4259840, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 1.34218e+08}}}
#define STEP_ATTENTION_BACKWARD_16384X32(p) {"attention_backward_16384x32", "round_tf32(sum((attention * dy)))", NULL, NNR_PHASE_BACKWARD, false, 1048576, 4259840, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 1.04858e+06}}}
#define STEP_ATTENTION_BACKWARD_32X128X384(p) {"attention_backward_32x128x384", "attention_grad(x, y, dy, logs, taken)", NULL, NNR_PHASE_BACKWARD, false, 469762048, 16908288, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 4.69762e+08}}}
#define STEP_BIAS_BACKWARD_4096X384(p) {"bias_backward_4096x384", "sum(dy)", NULL, NNR_PHASE_BACKWARD, false, 1572864, 6292992, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 1.57286e+06}}}
#define STEP_MATMUL_384X128(p) {"matmul_384x128", "matmul(a, b)", "cuBLASLt", NNR_PHASE_BACKWARD, false, 402653184, 8585216, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 4.02653e+08}}}
#define STEP_MATMUL_4096X128_6(p) {"matmul_4096x128_6", "matmul(a, b)", "cuBLASLt", NNR_PHASE_BACKWARD, false, 402653184, 8585216, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 4.02653e+08}}}
static const NnrStep steps[] = {
	{"embedding_add_32x128x128", "embedding(w, index) + places", NULL, NNR_PHASE_FORWARD, false, 524288, 2310144, 1, (const NnrShare[]){{0, NNR_PHASE_FORWARD, 524288}}},
	{"layernorm_4096x128", "layernorm", NULL, NNR_PHASE_FORWARD, false, 3702784, 4195328, 1, (const NnrShare[]){{2, NNR_PHASE_FORWARD, 3.70278e+06}}},
	STEP_MATMUL_BIAS_4096X384(3), STEP_ATTENTION_32X128X128(4), STEP_MATMUL_4096X128(5), STEP_BIAS_ADD_LAYERNORM_4096X128(5),
	STEP_MATMUL_4096X512(7), STEP_BIAS_GELU_ROUND_TF32_4096X512(7), STEP_MATMUL_4096X128_2(9), STEP_BIAS_ADD_LAYERNORM_4096X128_2(9),
	STEP_MATMUL_BIAS_4096X384(12), STEP_ATTENTION_32X128X128(13), STEP_MATMUL_4096X128(14), STEP_BIAS_ADD_LAYERNORM_4096X128(14),
	STEP_MATMUL_4096X512(16), STEP_BIAS_GELU_ROUND_TF32_4096X512(16), STEP_MATMUL_4096X128_2(18), STEP_BIAS_ADD_LAYERNORM_4096X128_2(18),
	STEP_MATMUL_BIAS_4096X384(21), STEP_ATTENTION_32X128X128(22), STEP_MATMUL_4096X128(23), STEP_BIAS_ADD_LAYERNORM_4096X128(23),
	STEP_MATMUL_4096X512(25), STEP_BIAS_GELU_ROUND_TF32_4096X512(25), STEP_MATMUL_4096X128_2(27), STEP_BIAS_ADD_LAYERNORM_4096X128_2(27),
	STEP_MATMUL_BIAS_4096X384(30), STEP_ATTENTION_32X128X128(31), STEP_MATMUL_4096X128(32), STEP_BIAS_ADD_LAYERNORM_4096X128(32),
	STEP_MATMUL_4096X512(34), STEP_BIAS_GELU_ROUND_TF32_4096X512(34), STEP_MATMUL_4096X128_2(36), STEP_BIAS_ADD_LAYERNORM_4096X128(36),
	{"matmul_4096x256", "matmul(a, b)", "cuBLASLt", NNR_PHASE_FORWARD, false, 268435456, 6422528, 1, (const NnrShare[]){{38, NNR_PHASE_FORWARD, 2.68435e+08}}},
	{"cross_entropy_backward_accuracy_4096x256", "cross_entropy_backward_accuracy", NULL, NNR_PHASE_LOSS, false, 30482432, 8437760, 4, (const NnrShare[]){{39, NNR_PHASE_LOSS, 2.05128e+07}, {40, NNR_PHASE_LOSS, 6.81984e+06}, {39, NNR_PHASE_BACKWARD, 2.62554e+06}, {38, NNR_PHASE_BACKWARD, 524288}}},
	{"cross_entropy_mean_32x128", "sum((sum(cross_entropy) * 0.0078125)) * 0.03125", NULL, NNR_PHASE_LOSS, false, 4161, 16388, 1, (const NnrShare[]){{39, NNR_PHASE_LOSS, 4161}}},
	{"accuracy_mean_32x128", "sum((sum(is_right) * 0.0078125)) * 0.03125", NULL, NNR_PHASE_LOSS, false, 4161, 16388, 1, (const NnrShare[]){{40, NNR_PHASE_LOSS, 4161}}},
	{"matmul_256x128", "matmul(a, b)", "cuBLASLt", NNR_PHASE_BACKWARD, false, 268435456, 6422528, 1, (const NnrShare[]){{38, NNR_PHASE_BACKWARD, 2.68435e+08}}},
	{"matmul_4096x128_3", "matmul(a, b)", "cuBLASLt", NNR_PHASE_BACKWARD, false, 268435456, 6422528, 1, (const NnrShare[]){{38, NNR_PHASE_BACKWARD, 2.68435e+08}}},
	{"layernorm_bias_backward_4096x128", "layernorm_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 7348224, 6324736, 2, (const NnrShare[]){{38, NNR_PHASE_BACKWARD, 6.56179e+06}, {36, NNR_PHASE_BACKWARD, 786432}}},
	{"layernorm_bias_backward_4096x128_2", "layernorm_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 0, 1536, 2, (const NnrShare[]){{38, NNR_PHASE_BACKWARD, 6.56179e+06}, {36, NNR_PHASE_BACKWARD, 786432}}},
	STEP_MATMUL_128X512(36), STEP_MATMUL_4096X512_2(36), STEP_BIAS_GELU_BACKWARD_4096X512(34), STEP_MATMUL_512X128(34),
	STEP_MATMUL_4096X128_4(34),
	{"layernorm_add_bias_backward_4096x128", "layernorm_add_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 7872512, 8421888, 3, (const NnrShare[]){{34, NNR_PHASE_BACKWARD, 6.9987e+06}, {32, NNR_PHASE_BACKWARD, 699051}, {38, NNR_PHASE_BACKWARD, 174763}}},
	{"layernorm_bias_backward_4096x128_2", "layernorm_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 0, 1536, 3, (const NnrShare[]){{34, NNR_PHASE_BACKWARD, 6.9987e+06}, {32, NNR_PHASE_BACKWARD, 699051}, {38, NNR_PHASE_BACKWARD, 174763}}},
	STEP_MATMUL_128X128(32), STEP_MATMUL_4096X128_5(32), STEP_ATTENTION_BACKWARD_16384X32(31), STEP_ATTENTION_BACKWARD_32X128X384(31),
	STEP_BIAS_BACKWARD_4096X384(30), STEP_MATMUL_384X128(30), STEP_MATMUL_4096X128_6(30),
	{"layernorm_add_bias_backward_4096x128", "layernorm_add_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 7872512, 8421888, 4, (const NnrShare[]){{29, NNR_PHASE_BACKWARD, 6.95501e+06}, {34, NNR_PHASE_BACKWARD, 131072}, {27, NNR_PHASE_BACKWARD, 655360}, {38, NNR_PHASE_BACKWARD, 131072}}},
	{"layernorm_bias_backward_4096x128_2", "layernorm_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 0, 1536, 4, (const NnrShare[]){{29, NNR_PHASE_BACKWARD, 6.95501e+06}, {34, NNR_PHASE_BACKWARD, 131072}, {27, NNR_PHASE_BACKWARD, 655360}, {38, NNR_PHASE_BACKWARD, 131072}}},
	STEP_MATMUL_128X512(27), STEP_MATMUL_4096X512_2(27), STEP_BIAS_GELU_BACKWARD_4096X512(25), STEP_MATMUL_512X128(25),
	STEP_MATMUL_4096X128_4(25),
	{"layernorm_add_bias_backward_4096x128", "layernorm_add_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 7872512, 8421888, 5, (const NnrShare[]){{25, NNR_PHASE_BACKWARD, 6.92879e+06}, {23, NNR_PHASE_BACKWARD, 629146}, {29, NNR_PHASE_BACKWARD, 104858}, {34, NNR_PHASE_BACKWARD, 104858}, {38, NNR_PHASE_BACKWARD, 104858}}},
	{"layernorm_bias_backward_4096x128_2", "layernorm_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 0, 1536, 5, (const NnrShare[]){{25, NNR_PHASE_BACKWARD, 6.92879e+06}, {23, NNR_PHASE_BACKWARD, 629146}, {29, NNR_PHASE_BACKWARD, 104858}, {34, NNR_PHASE_BACKWARD, 104858}, {38, NNR_PHASE_BACKWARD, 104858}}},
	STEP_MATMUL_128X128(23), STEP_MATMUL_4096X128_5(23), STEP_ATTENTION_BACKWARD_16384X32(22), STEP_ATTENTION_BACKWARD_32X128X384(22),
	STEP_BIAS_BACKWARD_4096X384(21), STEP_MATMUL_384X128(21), STEP_MATMUL_4096X128_6(21),
	{"layernorm_add_bias_backward_4096x128", "layernorm_add_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 7872512, 8421888, 6, (const NnrShare[]){{20, NNR_PHASE_BACKWARD, 6.91132e+06}, {29, NNR_PHASE_BACKWARD, 87381.3}, {25, NNR_PHASE_BACKWARD, 87381.3}, {34, NNR_PHASE_BACKWARD, 87381.3}, {18, NNR_PHASE_BACKWARD, 611669}, {38, NNR_PHASE_BACKWARD, 87381.3}}},
	{"layernorm_bias_backward_4096x128_2", "layernorm_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 0, 1536, 6, (const NnrShare[]){{20, NNR_PHASE_BACKWARD, 6.91132e+06}, {29, NNR_PHASE_BACKWARD, 87381.3}, {25, NNR_PHASE_BACKWARD, 87381.3}, {34, NNR_PHASE_BACKWARD, 87381.3}, {18, NNR_PHASE_BACKWARD, 611669}, {38, NNR_PHASE_BACKWARD, 87381.3}}},
	STEP_MATMUL_128X512(18), STEP_MATMUL_4096X512_2(18), STEP_BIAS_GELU_BACKWARD_4096X512(16), STEP_MATMUL_512X128(16),
	STEP_MATMUL_4096X128_4(16),
	{"layernorm_add_bias_backward_4096x128", "layernorm_add_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 7872512, 8421888, 7, (const NnrShare[]){{16, NNR_PHASE_BACKWARD, 6.89883e+06}, {14, NNR_PHASE_BACKWARD, 599186}, {20, NNR_PHASE_BACKWARD, 74898.3}, {29, NNR_PHASE_BACKWARD, 74898.3}, {25, NNR_PHASE_BACKWARD, 74898.3}, {34, NNR_PHASE_BACKWARD, 74898.3}, {38, NNR_PHASE_BACKWARD, 74898.3}}},
	{"layernorm_bias_backward_4096x128_2", "layernorm_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 0, 1536, 7, (const NnrShare[]){{16, NNR_PHASE_BACKWARD, 6.89883e+06}, {14, NNR_PHASE_BACKWARD, 599186}, {20, NNR_PHASE_BACKWARD, 74898.3}, {29, NNR_PHASE_BACKWARD, 74898.3}, {25, NNR_PHASE_BACKWARD, 74898.3}, {34, NNR_PHASE_BACKWARD, 74898.3}, {38, NNR_PHASE_BACKWARD, 74898.3}}},
	STEP_MATMUL_128X128(14), STEP_MATMUL_4096X128_5(14), STEP_ATTENTION_BACKWARD_16384X32(13), STEP_ATTENTION_BACKWARD_32X128X384(13),
	STEP_BIAS_BACKWARD_4096X384(12), STEP_MATMUL_384X128(12), STEP_MATMUL_4096X128_6(12),
	{"layernorm_add_bias_backward_4096x128", "layernorm_add_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 7872512, 8421888, 8, (const NnrShare[]){{11, NNR_PHASE_BACKWARD, 6.88947e+06}, {20, NNR_PHASE_BACKWARD, 65536}, {29, NNR_PHASE_BACKWARD, 65536}, {16, NNR_PHASE_BACKWARD, 65536}, {25, NNR_PHASE_BACKWARD, 65536}, {34, NNR_PHASE_BACKWARD, 65536}, {9, NNR_PHASE_BACKWARD, 589824}, {38, NNR_PHASE_BACKWARD, 65536}}},
	{"layernorm_bias_backward_4096x128_2", "layernorm_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 0, 1536, 8, (const NnrShare[]){{11, NNR_PHASE_BACKWARD, 6.88947e+06}, {20, NNR_PHASE_BACKWARD, 65536}, {29, NNR_PHASE_BACKWARD, 65536}, {16, NNR_PHASE_BACKWARD, 65536}, {25, NNR_PHASE_BACKWARD, 65536}, {34, NNR_PHASE_BACKWARD, 65536}, {9, NNR_PHASE_BACKWARD, 589824}, {38, NNR_PHASE_BACKWARD, 65536}}},
	STEP_MATMUL_128X512(9), STEP_MATMUL_4096X512_2(9), STEP_BIAS_GELU_BACKWARD_4096X512(7), STEP_MATMUL_512X128(7), STEP_MATMUL_4096X128_4(7),
	{"layernorm_add_bias_backward_4096x128", "layernorm_add_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 7872512, 8421888, 9, (const NnrShare[]){{7, NNR_PHASE_BACKWARD, 6.88219e+06}, {5, NNR_PHASE_BACKWARD, 582542}, {11, NNR_PHASE_BACKWARD, 58254.2}, {20, NNR_PHASE_BACKWARD, 58254.2}, {29, NNR_PHASE_BACKWARD, 58254.2}, {16, NNR_PHASE_BACKWARD, 58254.2}, {25, NNR_PHASE_BACKWARD, 58254.2}, {34, NNR_PHASE_BACKWARD, 58254.2}, {38, NNR_PHASE_BACKWARD, 58254.2}}},
	{"layernorm_bias_backward_4096x128_2", "layernorm_bias_backward", NULL, NNR_PHASE_BACKWARD, false, 0, 1536, 9, (const NnrShare[]){{7, NNR_PHASE_BACKWARD, 6.88219e+06}, {5, NNR_PHASE_BACKWARD, 582542}, {11, NNR_PHASE_BACKWARD, 58254.2}, {20, NNR_PHASE_BACKWARD, 58254.2}, {29, NNR_PHASE_BACKWARD, 58254.2}, {16, NNR_PHASE_BACKWARD, 58254.2}, {25, NNR_PHASE_BACKWARD, 58254.2}, {34, NNR_PHASE_BACKWARD, 58254.2}, {38, NNR_PHASE_BACKWARD, 58254.2}}},
	STEP_MATMUL_128X128(5), STEP_MATMUL_4096X128_5(5), STEP_ATTENTION_BACKWARD_16384X32(4), STEP_ATTENTION_BACKWARD_32X128X384(4),
	STEP_BIAS_BACKWARD_4096X384(3), STEP_MATMUL_384X128(3), STEP_MATMUL_4096X128_6(3),
	{"layernorm_add_backward_4096x128", "layernorm_add_backward", NULL, NNR_PHASE_BACKWARD, false, 8953856, 8390144, 9, (const NnrShare[]){{2, NNR_PHASE_BACKWARD, 8.48782e+06}, {11, NNR_PHASE_BACKWARD, 58254.2}, {20, NNR_PHASE_BACKWARD, 58254.2}, {29, NNR_PHASE_BACKWARD, 58254.2}, {7, NNR_PHASE_BACKWARD, 58254.2}, {16, NNR_PHASE_BACKWARD, 58254.2}, {25, NNR_PHASE_BACKWARD, 58254.2}, {34, NNR_PHASE_BACKWARD, 58254.2}, {38, NNR_PHASE_BACKWARD, 58254.2}}},
	{"add_backward_32x16384", "sum(dy)", NULL, NNR_PHASE_BACKWARD, false, 524288, 2162688, 1, (const NnrShare[]){{0, NNR_PHASE_BACKWARD, 524288}}},
	{"embedding_add_backward_256x128", "dwords + embedding_grad(dy, index)", NULL, NNR_PHASE_BACKWARD, false, 557056, 2375680, 3, (const NnrShare[]){{0, NNR_PHASE_BACKWARD, 535211}, {41, NNR_PHASE_BACKWARD, 10922.7}, {38, NNR_PHASE_BACKWARD, 10922.7}}},
	{"clip_842496", "clip", NULL, NNR_PHASE_UPDATE, false, 2527498, 3369988, 25, (const NnrShare[]){{41, NNR_PHASE_UPDATE, 10922.7}, {0, NNR_PHASE_UPDATE, 10922.7}, {38, NNR_PHASE_UPDATE, 11178.7}, {42, NNR_PHASE_UPDATE, 16384}, {3, NNR_PHASE_UPDATE, 49536}, {5, NNR_PHASE_UPDATE, 16512}, {7, NNR_PHASE_UPDATE, 66304}, {9, NNR_PHASE_UPDATE, 65664}, {12, NNR_PHASE_UPDATE, 49536}, {14, NNR_PHASE_UPDATE, 16512}, {16, NNR_PHASE_UPDATE, 66304}, {18, NNR_PHASE_UPDATE, 65664}, {21, NNR_PHASE_UPDATE, 49536}, {23, NNR_PHASE_UPDATE, 16512}, {25, NNR_PHASE_UPDATE, 66304}, {27, NNR_PHASE_UPDATE, 65664}, {30, NNR_PHASE_UPDATE, 49536}, {32, NNR_PHASE_UPDATE, 16512}, {34, NNR_PHASE_UPDATE, 66304}, {36, NNR_PHASE_UPDATE, 65664}, {2, NNR_PHASE_UPDATE, 256}, {11, NNR_PHASE_UPDATE, 256}, {20, NNR_PHASE_UPDATE, 256}, {29, NNR_PHASE_UPDATE, 256}, {43, NNR_PHASE_UPDATE, 0}}},
	{"adamw_clip_842496", "adamw_clip", NULL, NNR_PHASE_UPDATE, false, 19377408, 23589892, 25, (const NnrShare[]){{41, NNR_PHASE_UPDATE, 10922.7}, {0, NNR_PHASE_UPDATE, 10922.7}, {38, NNR_PHASE_UPDATE, 11178.7}, {42, NNR_PHASE_UPDATE, 16384}, {3, NNR_PHASE_UPDATE, 49536}, {5, NNR_PHASE_UPDATE, 16512}, {7, NNR_PHASE_UPDATE, 66304}, {9, NNR_PHASE_UPDATE, 65664}, {12, NNR_PHASE_UPDATE, 49536}, {14, NNR_PHASE_UPDATE, 16512}, {16, NNR_PHASE_UPDATE, 66304}, {18, NNR_PHASE_UPDATE, 65664}, {21, NNR_PHASE_UPDATE, 49536}, {23, NNR_PHASE_UPDATE, 16512}, {25, NNR_PHASE_UPDATE, 66304}, {27, NNR_PHASE_UPDATE, 65664}, {30, NNR_PHASE_UPDATE, 49536}, {32, NNR_PHASE_UPDATE, 16512}, {34, NNR_PHASE_UPDATE, 66304}, {36, NNR_PHASE_UPDATE, 65664}, {2, NNR_PHASE_UPDATE, 256}, {11, NNR_PHASE_UPDATE, 256}, {20, NNR_PHASE_UPDATE, 256}, {29, NNR_PHASE_UPDATE, 256}, {43, NNR_PHASE_UPDATE, 0}}},
};
static const char *const lines[] = {
	"# A language model: what comes next, at each place of a text. Radford et al.: Language models are unsupervised",
	"# multitask learners (2019).",
	"#",
	"#     nnc models/gpt.net --recipe=chars -o train_gpt",
	"#     ./train_gpt --data shakespeare.txt --checkpoint gpt.safetensors",
	"#     nnc models/gpt.net --recipe=chars --set batch=1 -o write_gpt     # which computes one text at a time",
	"#     ./write_gpt sample --checkpoint gpt.safetensors --prompt \042To be\042 --tokens 200",
	"use \042blocks/transformer.net\042",
	"",
	"model gpt(vocab = 256, context = 128, width = 128, depth = 4, heads = 4, rate = 0.0,",
	"          approximate = false) {",
	"    input  text: i32[context]",
	"    target next: class[vocab][context]",
	"",
	"    param words: f32[vocab, width] init normal(0.02)",
	"    param places: f32[context, width] init normal(0.02)",
	"",
	"    x = (text -> embedding(vocab, width, weight = words)) + places",
	"    repeat depth {",
	"        x = x -> transformer(heads, causal = true, rate = rate, deviation = 0.02/sqrt(2*depth),",
	"                             approximate = approximate)",
	"    }",
	"    logits = x -> layernorm(name = \042norm\042) -> dense(vocab, bias = false, weight = words)",
	"",
	"    loss   cross_entropy(logits, next)",
	"    metric accuracy(logits, next)",
	"    output logits",
	"}",
	"",
	"# Characters of a text file, of at most 256 different ones.",
	"train gpt as chars {",
	"    data      characters",
	"    optimizer adamw(beta2 = 0.99, decay = 0.1)",
	"    rate      0.001 warmup 100it cosine to 0.0001",
	"    batch     32",
	"    steps     2000",
	"    clip      1.0",
	"}",
	"",
	"# The bytes of any file.",
	"train gpt as bytes from chars {",
	"    data bytes",
	"}",
};
static const char *const lines_2[] = {
	"# Blocks of transformers. Vaswani et al.: Attention is all you need (2017); the normalisation stands ahead of each",
	"# branch, as in Radford et al.: Language models are unsupervised multitask learners (2019).",
	"",
	"# Each place looks at the others, or, if causal, at itself and those before it: softmax(q k / sqrt(d)) v for each head.",
	"block attention(x, heads, causal = false, rate = 0.0, deviation = 0.02) {",
	"    (places, width) = x.shape",
	"    assert width%heads == 0, \042a width of \042 + str(width) + \042 is no multiple of \042 + str(heads) + \042 heads\042",
	"    d = width//heads",
	"    (q, k, v) = x -> dense(3*width, init = normal(0.02), name = \042qkv\042) -> split(3)",
	"    q = q -> reshape((places, heads, d)) -> transpose((1, 0, 2))",
	"    k = k -> reshape((places, heads, d)) -> transpose((1, 2, 0))",
	"    v = v -> reshape((places, heads, d)) -> transpose((1, 0, 2))",
	"    scores = matmul(q, k)/sqrt(d)",
	"    if causal {",
	"        scores = where(causal_mask(places) == 1, scores, -1e9)",
	"    }",
	"    shares = scores -> softmax",
	"    if rate > 0 {",
	"        shares = shares -> dropout(rate)",
	"    }",
	"    y = matmul(shares, v) -> transpose((1, 0, 2)) -> reshape((places, width))",
	"    return y -> dense(width, init = normal(deviation), name = \042out\042)",
	"}",
	"",
	"# Attention, then two dense layers at each place, each added to what it read. `deviation`: of the weights that end a",
	"# branch; `approximate`: gelu_tanh, as GPT-2 has it, in the place of gelu.",
	"block transformer(x, heads, causal = false, rate = 0.0, wider = 4, deviation = 0.02,",
	"                  approximate = false) {",
	"    y = x -> layernorm(name = \042norm1\042) -> attention(heads, causal, rate, deviation)",
	"    if rate > 0 {",
	"        y = y -> dropout(rate)",
	"    }",
	"    x = x + y",
	"    y = x -> layernorm(name = \042norm2\042) -> dense(wider*x.channels, init = normal(0.02), name = \042up\042)",
	"    y = (if approximate then gelu_tanh(y) else gelu(y))",
	"        -> dense(x.channels, init = normal(deviation), name = \042down\042)",
	"    if rate > 0 {",
	"        y = y -> dropout(rate)",
	"    }",
	"    return x + y",
	"}",
	"",
	"# A branch that some samples go without in training. Huang and others: Deep networks with stochastic depth (2016).",
	"block drop_path(x, rate) {",
	"    return x*dropout(ones(1), rate)",
	"}",
};
/* What nnc was told, and what it made of that: a trainer for other ranks is made, and known, by it. */
static const char *const words[] = {
	"--target=cuda",
	"--march=native",
	NULL,
};
static const char program[] = "nnc program a0a2b4969fa3c776 for 1 ranks";
static const NnrSource sources[] = {
	{"gpt.net", lines, 43},
	{"blocks/transformer.net", lines_2, 46},
};
static const NnrPlace places[] = {
	{0, 18, -1, ""}, {0, 20, -1, ""}, {1, 29, 1, "transformer"}, {1, 9, 2, "transformer.attention"}, {1, 21, 2, "transformer.attention"},
	{1, 22, 2, "transformer.attention"}, {1, 33, 1, "transformer"}, {1, 34, 1, "transformer"}, {1, 35, 1, "transformer"},
	{1, 36, 1, "transformer"}, {1, 40, 1, "transformer"}, {1, 29, 1, "transformer_2"}, {1, 9, 11, "transformer_2.attention"},
	{1, 21, 11, "transformer_2.attention"}, {1, 22, 11, "transformer_2.attention"}, {1, 33, 1, "transformer_2"}, {1, 34, 1, "transformer_2"},
	{1, 35, 1, "transformer_2"}, {1, 36, 1, "transformer_2"}, {1, 40, 1, "transformer_2"}, {1, 29, 1, "transformer_3"},
	{1, 9, 20, "transformer_3.attention"}, {1, 21, 20, "transformer_3.attention"}, {1, 22, 20, "transformer_3.attention"},
	{1, 33, 1, "transformer_3"}, {1, 34, 1, "transformer_3"}, {1, 35, 1, "transformer_3"}, {1, 36, 1, "transformer_3"},
	{1, 40, 1, "transformer_3"}, {1, 29, 1, "transformer_4"}, {1, 9, 29, "transformer_4.attention"}, {1, 21, 29, "transformer_4.attention"},
	{1, 22, 29, "transformer_4.attention"}, {1, 33, 1, "transformer_4"}, {1, 34, 1, "transformer_4"}, {1, 35, 1, "transformer_4"},
	{1, 36, 1, "transformer_4"}, {1, 40, 1, "transformer_4"}, {0, 23, -1, ""}, {0, 25, -1, ""}, {0, 26, -1, ""}, {0, 15, -1, ""}, {0, 16, -1, ""},
	{0, 33, -1, ""},
};

static const NnrInput inputs[] = {
	{.name = "text", .classes = 256, .dtype = NNR_I32, .rank = 2, .dim = {32, 128}, .offset = 0},
	{.name = "next", .is_target = true, .classes = 256, .dtype = NNR_I32, .rank = 2, .dim = {32, 128}, .offset = 16384},
};
#define TENSOR_WEIGHT_128(path, offset) {path ".weight", NNR_F32, 1, {128}, offset, NNR_CONSTANT, 1, 0, false, false, -1}
#define TENSOR_BIAS_128(path, offset) {path ".bias", NNR_F32, 1, {128}, offset, NNR_CONSTANT, 0, 0, false, false, -1}
#define TENSOR_WEIGHT_384X128(path, offset) {path ".weight", NNR_F32, 2, {384, 128}, offset, NNR_NORMAL, 0.02, 0, false, false, -1}
#define TENSOR_BIAS_384(path, offset) {path ".bias", NNR_F32, 1, {384}, offset, NNR_CONSTANT, 0, 0, false, false, -1}
#define TENSOR_WEIGHT_128X128(path, offset) {path ".weight", NNR_F32, 2, {128, 128}, offset, NNR_NORMAL, 0.0070710678118654745, 0, false, false, -1}
#define TENSOR_WEIGHT_512X128(path, offset) {path ".weight", NNR_F32, 2, {512, 128}, offset, NNR_NORMAL, 0.02, 0, false, false, -1}
#define TENSOR_BIAS_512(path, offset) {path ".bias", NNR_F32, 1, {512}, offset, NNR_CONSTANT, 0, 0, false, false, -1}
#define TENSOR_WEIGHT_128X512(path, offset) {path ".weight", NNR_F32, 2, {128, 512}, offset, NNR_NORMAL, 0.0070710678118654745, 0, false, false, -1}
static const NnrTensor params[] = {
	{"words", NNR_F32, 2, {256, 128}, 0, NNR_NORMAL, 0.02, 0, false, false, -1},
	{"places", NNR_F32, 2, {128, 128}, 131072, NNR_NORMAL, 0.02, 0, false, false, -1},
	TENSOR_WEIGHT_128("transformer.norm1", 3342336), TENSOR_BIAS_128("transformer.norm1", 3342848),
	TENSOR_WEIGHT_384X128("transformer.attention.qkv", 196608), TENSOR_BIAS_384("transformer.attention.qkv", 3343360),
	TENSOR_WEIGHT_128X128("transformer.attention.out", 393216), TENSOR_BIAS_128("transformer.attention.out", 3344896),
	TENSOR_WEIGHT_128("transformer.norm2", 3345408), TENSOR_BIAS_128("transformer.norm2", 3345920),
	TENSOR_WEIGHT_512X128("transformer.up", 458752), TENSOR_BIAS_512("transformer.up", 3346432),
	TENSOR_WEIGHT_128X512("transformer.down", 720896), TENSOR_BIAS_128("transformer.down", 3348480),
	TENSOR_WEIGHT_128("transformer_2.norm1", 3348992), TENSOR_BIAS_128("transformer_2.norm1", 3349504),
	TENSOR_WEIGHT_384X128("transformer_2.attention.qkv", 983040), TENSOR_BIAS_384("transformer_2.attention.qkv", 3350016),
	TENSOR_WEIGHT_128X128("transformer_2.attention.out", 1179648), TENSOR_BIAS_128("transformer_2.attention.out", 3351552),
	TENSOR_WEIGHT_128("transformer_2.norm2", 3352064), TENSOR_BIAS_128("transformer_2.norm2", 3352576),
	TENSOR_WEIGHT_512X128("transformer_2.up", 1245184), TENSOR_BIAS_512("transformer_2.up", 3353088),
	TENSOR_WEIGHT_128X512("transformer_2.down", 1507328), TENSOR_BIAS_128("transformer_2.down", 3355136),
	TENSOR_WEIGHT_128("transformer_3.norm1", 3355648), TENSOR_BIAS_128("transformer_3.norm1", 3356160),
	TENSOR_WEIGHT_384X128("transformer_3.attention.qkv", 1769472), TENSOR_BIAS_384("transformer_3.attention.qkv", 3356672),
	TENSOR_WEIGHT_128X128("transformer_3.attention.out", 1966080), TENSOR_BIAS_128("transformer_3.attention.out", 3358208),
	TENSOR_WEIGHT_128("transformer_3.norm2", 3358720), TENSOR_BIAS_128("transformer_3.norm2", 3359232),
	TENSOR_WEIGHT_512X128("transformer_3.up", 2031616), TENSOR_BIAS_512("transformer_3.up", 3359744),
	TENSOR_WEIGHT_128X512("transformer_3.down", 2293760), TENSOR_BIAS_128("transformer_3.down", 3361792),
	TENSOR_WEIGHT_128("transformer_4.norm1", 3362304), TENSOR_BIAS_128("transformer_4.norm1", 3362816),
	TENSOR_WEIGHT_384X128("transformer_4.attention.qkv", 2555904), TENSOR_BIAS_384("transformer_4.attention.qkv", 3363328),
	TENSOR_WEIGHT_128X128("transformer_4.attention.out", 2752512), TENSOR_BIAS_128("transformer_4.attention.out", 3364864),
	TENSOR_WEIGHT_128("transformer_4.norm2", 3365376), TENSOR_BIAS_128("transformer_4.norm2", 3365888),
	TENSOR_WEIGHT_512X128("transformer_4.up", 2818048), TENSOR_BIAS_512("transformer_4.up", 3366400),
	TENSOR_WEIGHT_128X512("transformer_4.down", 3080192), TENSOR_BIAS_128("transformer_4.down", 3368448), TENSOR_WEIGHT_128("norm", 3368960),
	TENSOR_BIAS_128("norm", 3369472),
};
static const char *const layouts[] = {
	"", "", "", "", "OI", "", "OI", "", "", "", "OI", "", "OI", "", "", "",
	"OI", "", "OI", "", "", "", "OI", "", "OI", "", "", "", "OI", "", "OI", "",
	"", "", "OI", "", "OI", "", "", "", "OI", "", "OI", "", "", "", "OI", "",
	"OI", "", "", ""
};
static const NnrTensor states[] = {
	{"adamw.m", NNR_F32, 1, {842496}, 0, NNR_CONSTANT, 0, 0, false, true, 0},
	{"adamw.v", NNR_F32, 1, {842496}, 3369984, NNR_CONSTANT, 0, 0, false, true, 0},
};
static const NnrOutput train_outputs[] = {
	{NNR_LOSS, "loss", NNR_F32, 0, {0}, 172820736},
	{NNR_METRIC, "accuracy", NNR_F32, 0, {0}, 172820800},
};
static const NnrOutput evaluate_outputs[] = {
	{NNR_LOSS, "loss", NNR_F32, 1, {32}, 4227072},
	{NNR_METRIC, "accuracy", NNR_F32, 1, {32}, 4194304},
	{NNR_VALUE, "logits", NNR_F32, 3, {32, 128, 256}, 0},
};
static const NnrOutput predict_outputs[] = {
	{NNR_VALUE, "logits", NNR_F32, 3, {32, 128, 256}, 0},
};
static const NnrOutput train_gradient = {NNR_GRADIENT, "gradients", NNR_F32, 1, {842496}, 119537664};

/* The prediction as a graph of ONNX: "export --format onnx" puts the weights in. */
static const char *const onnx[] = {
	"input text i32 [128]", "n0 = ints [1,256,128]", "n1 = Reshape(words, n0)", "n2 = ints [1,128,128]", "n3 = Reshape(places, n2)",
	"n4 = ints [256,128]", "n5 = Reshape(n1, n4)", "n6 = Gather(n5, text) axis=0", "n7 = Add(n6, n3)", "n8 = real 128", "n9 = ints [2]",
	"n10 = ReduceSum(n7, n9) keepdims=1", "n11 = Div(n10, n8)", "n12 = Sub(n7, n11)", "n13 = Mul(n12, n12)", "n14 = real 128", "n15 = ints [2]",
	"n16 = ReduceSum(n13, n15) keepdims=1", "n17 = Div(n16, n14)", "n18 = real 1e-05", "n19 = Add(n17, n18)", "n20 = Sqrt(n19)",
	"n21 = Reciprocal(n20)", "n22 = Mul(n12, n21)", "n23 = Mul(n22, transformer.norm1.weight)", "n24 = Add(n23, transformer.norm1.bias)",
	"n25 = ints [-1,128]", "n26 = Reshape(n24, n25)", "n27 = Gemm(n26, transformer.attention.qkv.weight) transA=0 transB=1",
	"n28 = Add(n27, transformer.attention.qkv.bias)", "n29 = ints [-1,128,384]", "n30 = Reshape(n28, n29)", "n31 = ints [0]", "n32 = ints [128]",
	"n33 = ints [2]", "n34 = Slice(n30, n31, n32, n33)", "n35 = ints [128]", "n36 = ints [256]", "n37 = ints [2]",
	"n38 = Slice(n30, n35, n36, n37)", "n39 = ints [256]", "n40 = ints [384]", "n41 = ints [2]", "n42 = Slice(n30, n39, n40, n41)",
	"n43 = ints [-1,128,4,32]", "n44 = Reshape(n34, n43)", "n45 = Transpose(n44) perm=[0,2,1,3]", "n46 = ints [-1,128,4,32]",
	"n47 = Reshape(n38, n46)", "n48 = Transpose(n47) perm=[0,2,3,1]", "n49 = ints [-1,128,4,32]", "n50 = Reshape(n42, n49)",
	"n51 = Transpose(n50) perm=[0,2,1,3]", "n52 = ints [-1,128,32]", "n53 = Reshape(n45, n52)", "n54 = ints [-1,32,128]",
	"n55 = Reshape(n48, n54)", "n56 = MatMul(n53, n55)", "n57 = ints [-1,4,128,128]", "n58 = Reshape(n56, n57)", "n59 = real 5.65685425",
	"n60 = Div(n58, n59)", "n61 = reals [1]", "n62 = ints [1,128,128]", "n63 = Expand(n61, n62)", "n64 = Trilu(n63) upper=0", "n65 = real 1",
	"n66 = Equal(n64, n65)", "n67 = Cast(n66) to=1", "n68 = real -1e+09", "n69 = ints [1,1,128,128]", "n70 = Reshape(n67, n69)",
	"n71 = Cast(n70) to=9", "n72 = Where(n71, n60, n68)", "n73 = Softmax(n72) axis=3", "n74 = ints [-1,128,128]", "n75 = Reshape(n73, n74)",
	"n76 = ints [-1,128,32]", "n77 = Reshape(n51, n76)", "n78 = MatMul(n75, n77)", "n79 = ints [-1,4,128,32]", "n80 = Reshape(n78, n79)",
	"n81 = Transpose(n80) perm=[0,2,1,3]", "n82 = ints [-1,128,128]", "n83 = Reshape(n81, n82)", "n84 = ints [-1,128]", "n85 = Reshape(n83, n84)",
	"n86 = Gemm(n85, transformer.attention.out.weight) transA=0 transB=1", "n87 = Add(n86, transformer.attention.out.bias)",
	"n88 = ints [-1,128,128]", "n89 = Reshape(n87, n88)", "n90 = Add(n7, n89)", "n91 = real 128", "n92 = ints [2]",
	"n93 = ReduceSum(n90, n92) keepdims=1", "n94 = Div(n93, n91)", "n95 = Sub(n90, n94)", "n96 = Mul(n95, n95)", "n97 = real 128",
	"n98 = ints [2]", "n99 = ReduceSum(n96, n98) keepdims=1", "n100 = Div(n99, n97)", "n101 = real 1e-05", "n102 = Add(n100, n101)",
	"n103 = Sqrt(n102)", "n104 = Reciprocal(n103)", "n105 = Mul(n95, n104)", "n106 = Mul(n105, transformer.norm2.weight)",
	"n107 = Add(n106, transformer.norm2.bias)", "n108 = ints [-1,128]", "n109 = Reshape(n107, n108)",
	"n110 = Gemm(n109, transformer.up.weight) transA=0 transB=1", "n111 = Add(n110, transformer.up.bias)", "n112 = ints [-1,128,512]",
	"n113 = Reshape(n111, n112)", "n114 = real 0.5", "n115 = Mul(n113, n114)", "n116 = real 0.707106781", "n117 = Mul(n113, n116)",
	"n118 = Erf(n117)", "n119 = real 1", "n120 = Add(n118, n119)", "n121 = Mul(n115, n120)", "n122 = ints [-1,512]", "n123 = Reshape(n121, n122)",
	"n124 = Gemm(n123, transformer.down.weight) transA=0 transB=1", "n125 = Add(n124, transformer.down.bias)", "n126 = ints [-1,128,128]",
	"n127 = Reshape(n125, n126)", "n128 = Add(n90, n127)", "n129 = real 128", "n130 = ints [2]", "n131 = ReduceSum(n128, n130) keepdims=1",
	"n132 = Div(n131, n129)", "n133 = Sub(n128, n132)", "n134 = Mul(n133, n133)", "n135 = real 128", "n136 = ints [2]",
	"n137 = ReduceSum(n134, n136) keepdims=1", "n138 = Div(n137, n135)", "n139 = real 1e-05", "n140 = Add(n138, n139)", "n141 = Sqrt(n140)",
	"n142 = Reciprocal(n141)", "n143 = Mul(n133, n142)", "n144 = Mul(n143, transformer_2.norm1.weight)",
	"n145 = Add(n144, transformer_2.norm1.bias)", "n146 = ints [-1,128]", "n147 = Reshape(n145, n146)",
	"n148 = Gemm(n147, transformer_2.attention.qkv.weight) transA=0 transB=1", "n149 = Add(n148, transformer_2.attention.qkv.bias)",
	"n150 = ints [-1,128,384]", "n151 = Reshape(n149, n150)", "n152 = ints [0]", "n153 = ints [128]", "n154 = ints [2]",
	"n155 = Slice(n151, n152, n153, n154)", "n156 = ints [128]", "n157 = ints [256]", "n158 = ints [2]", "n159 = Slice(n151, n156, n157, n158)",
	"n160 = ints [256]", "n161 = ints [384]", "n162 = ints [2]", "n163 = Slice(n151, n160, n161, n162)", "n164 = ints [-1,128,4,32]",
	"n165 = Reshape(n155, n164)", "n166 = Transpose(n165) perm=[0,2,1,3]", "n167 = ints [-1,128,4,32]", "n168 = Reshape(n159, n167)",
	"n169 = Transpose(n168) perm=[0,2,3,1]", "n170 = ints [-1,128,4,32]", "n171 = Reshape(n163, n170)", "n172 = Transpose(n171) perm=[0,2,1,3]",
	"n173 = ints [-1,128,32]", "n174 = Reshape(n166, n173)", "n175 = ints [-1,32,128]", "n176 = Reshape(n169, n175)", "n177 = MatMul(n174, n176)",
	"n178 = ints [-1,4,128,128]", "n179 = Reshape(n177, n178)", "n180 = real 5.65685425", "n181 = Div(n179, n180)", "n182 = reals [1]",
	"n183 = ints [1,128,128]", "n184 = Expand(n182, n183)", "n185 = Trilu(n184) upper=0", "n186 = real 1", "n187 = Equal(n185, n186)",
	"n188 = Cast(n187) to=1", "n189 = real -1e+09", "n190 = ints [1,1,128,128]", "n191 = Reshape(n188, n190)", "n192 = Cast(n191) to=9",
	"n193 = Where(n192, n181, n189)", "n194 = Softmax(n193) axis=3", "n195 = ints [-1,128,128]", "n196 = Reshape(n194, n195)",
	"n197 = ints [-1,128,32]", "n198 = Reshape(n172, n197)", "n199 = MatMul(n196, n198)", "n200 = ints [-1,4,128,32]",
	"n201 = Reshape(n199, n200)", "n202 = Transpose(n201) perm=[0,2,1,3]", "n203 = ints [-1,128,128]", "n204 = Reshape(n202, n203)",
	"n205 = ints [-1,128]", "n206 = Reshape(n204, n205)", "n207 = Gemm(n206, transformer_2.attention.out.weight) transA=0 transB=1",
	"n208 = Add(n207, transformer_2.attention.out.bias)", "n209 = ints [-1,128,128]", "n210 = Reshape(n208, n209)", "n211 = Add(n128, n210)",
	"n212 = real 128", "n213 = ints [2]", "n214 = ReduceSum(n211, n213) keepdims=1", "n215 = Div(n214, n212)", "n216 = Sub(n211, n215)",
	"n217 = Mul(n216, n216)", "n218 = real 128", "n219 = ints [2]", "n220 = ReduceSum(n217, n219) keepdims=1", "n221 = Div(n220, n218)",
	"n222 = real 1e-05", "n223 = Add(n221, n222)", "n224 = Sqrt(n223)", "n225 = Reciprocal(n224)", "n226 = Mul(n216, n225)",
	"n227 = Mul(n226, transformer_2.norm2.weight)", "n228 = Add(n227, transformer_2.norm2.bias)", "n229 = ints [-1,128]",
	"n230 = Reshape(n228, n229)", "n231 = Gemm(n230, transformer_2.up.weight) transA=0 transB=1", "n232 = Add(n231, transformer_2.up.bias)",
	"n233 = ints [-1,128,512]", "n234 = Reshape(n232, n233)", "n235 = real 0.5", "n236 = Mul(n234, n235)", "n237 = real 0.707106781",
	"n238 = Mul(n234, n237)", "n239 = Erf(n238)", "n240 = real 1", "n241 = Add(n239, n240)", "n242 = Mul(n236, n241)", "n243 = ints [-1,512]",
	"n244 = Reshape(n242, n243)", "n245 = Gemm(n244, transformer_2.down.weight) transA=0 transB=1", "n246 = Add(n245, transformer_2.down.bias)",
	"n247 = ints [-1,128,128]", "n248 = Reshape(n246, n247)", "n249 = Add(n211, n248)", "n250 = real 128", "n251 = ints [2]",
	"n252 = ReduceSum(n249, n251) keepdims=1", "n253 = Div(n252, n250)", "n254 = Sub(n249, n253)", "n255 = Mul(n254, n254)", "n256 = real 128",
	"n257 = ints [2]", "n258 = ReduceSum(n255, n257) keepdims=1", "n259 = Div(n258, n256)", "n260 = real 1e-05", "n261 = Add(n259, n260)",
	"n262 = Sqrt(n261)", "n263 = Reciprocal(n262)", "n264 = Mul(n254, n263)", "n265 = Mul(n264, transformer_3.norm1.weight)",
	"n266 = Add(n265, transformer_3.norm1.bias)", "n267 = ints [-1,128]", "n268 = Reshape(n266, n267)",
	"n269 = Gemm(n268, transformer_3.attention.qkv.weight) transA=0 transB=1", "n270 = Add(n269, transformer_3.attention.qkv.bias)",
	"n271 = ints [-1,128,384]", "n272 = Reshape(n270, n271)", "n273 = ints [0]", "n274 = ints [128]", "n275 = ints [2]",
	"n276 = Slice(n272, n273, n274, n275)", "n277 = ints [128]", "n278 = ints [256]", "n279 = ints [2]", "n280 = Slice(n272, n277, n278, n279)",
	"n281 = ints [256]", "n282 = ints [384]", "n283 = ints [2]", "n284 = Slice(n272, n281, n282, n283)", "n285 = ints [-1,128,4,32]",
	"n286 = Reshape(n276, n285)", "n287 = Transpose(n286) perm=[0,2,1,3]", "n288 = ints [-1,128,4,32]", "n289 = Reshape(n280, n288)",
	"n290 = Transpose(n289) perm=[0,2,3,1]", "n291 = ints [-1,128,4,32]", "n292 = Reshape(n284, n291)", "n293 = Transpose(n292) perm=[0,2,1,3]",
	"n294 = ints [-1,128,32]", "n295 = Reshape(n287, n294)", "n296 = ints [-1,32,128]", "n297 = Reshape(n290, n296)", "n298 = MatMul(n295, n297)",
	"n299 = ints [-1,4,128,128]", "n300 = Reshape(n298, n299)", "n301 = real 5.65685425", "n302 = Div(n300, n301)", "n303 = reals [1]",
	"n304 = ints [1,128,128]", "n305 = Expand(n303, n304)", "n306 = Trilu(n305) upper=0", "n307 = real 1", "n308 = Equal(n306, n307)",
	"n309 = Cast(n308) to=1", "n310 = real -1e+09", "n311 = ints [1,1,128,128]", "n312 = Reshape(n309, n311)", "n313 = Cast(n312) to=9",
	"n314 = Where(n313, n302, n310)", "n315 = Softmax(n314) axis=3", "n316 = ints [-1,128,128]", "n317 = Reshape(n315, n316)",
	"n318 = ints [-1,128,32]", "n319 = Reshape(n293, n318)", "n320 = MatMul(n317, n319)", "n321 = ints [-1,4,128,32]",
	"n322 = Reshape(n320, n321)", "n323 = Transpose(n322) perm=[0,2,1,3]", "n324 = ints [-1,128,128]", "n325 = Reshape(n323, n324)",
	"n326 = ints [-1,128]", "n327 = Reshape(n325, n326)", "n328 = Gemm(n327, transformer_3.attention.out.weight) transA=0 transB=1",
	"n329 = Add(n328, transformer_3.attention.out.bias)", "n330 = ints [-1,128,128]", "n331 = Reshape(n329, n330)", "n332 = Add(n249, n331)",
	"n333 = real 128", "n334 = ints [2]", "n335 = ReduceSum(n332, n334) keepdims=1", "n336 = Div(n335, n333)", "n337 = Sub(n332, n336)",
	"n338 = Mul(n337, n337)", "n339 = real 128", "n340 = ints [2]", "n341 = ReduceSum(n338, n340) keepdims=1", "n342 = Div(n341, n339)",
	"n343 = real 1e-05", "n344 = Add(n342, n343)", "n345 = Sqrt(n344)", "n346 = Reciprocal(n345)", "n347 = Mul(n337, n346)",
	"n348 = Mul(n347, transformer_3.norm2.weight)", "n349 = Add(n348, transformer_3.norm2.bias)", "n350 = ints [-1,128]",
	"n351 = Reshape(n349, n350)", "n352 = Gemm(n351, transformer_3.up.weight) transA=0 transB=1", "n353 = Add(n352, transformer_3.up.bias)",
	"n354 = ints [-1,128,512]", "n355 = Reshape(n353, n354)", "n356 = real 0.5", "n357 = Mul(n355, n356)", "n358 = real 0.707106781",
	"n359 = Mul(n355, n358)", "n360 = Erf(n359)", "n361 = real 1", "n362 = Add(n360, n361)", "n363 = Mul(n357, n362)", "n364 = ints [-1,512]",
	"n365 = Reshape(n363, n364)", "n366 = Gemm(n365, transformer_3.down.weight) transA=0 transB=1", "n367 = Add(n366, transformer_3.down.bias)",
	"n368 = ints [-1,128,128]", "n369 = Reshape(n367, n368)", "n370 = Add(n332, n369)", "n371 = real 128", "n372 = ints [2]",
	"n373 = ReduceSum(n370, n372) keepdims=1", "n374 = Div(n373, n371)", "n375 = Sub(n370, n374)", "n376 = Mul(n375, n375)", "n377 = real 128",
	"n378 = ints [2]", "n379 = ReduceSum(n376, n378) keepdims=1", "n380 = Div(n379, n377)", "n381 = real 1e-05", "n382 = Add(n380, n381)",
	"n383 = Sqrt(n382)", "n384 = Reciprocal(n383)", "n385 = Mul(n375, n384)", "n386 = Mul(n385, transformer_4.norm1.weight)",
	"n387 = Add(n386, transformer_4.norm1.bias)", "n388 = ints [-1,128]", "n389 = Reshape(n387, n388)",
	"n390 = Gemm(n389, transformer_4.attention.qkv.weight) transA=0 transB=1", "n391 = Add(n390, transformer_4.attention.qkv.bias)",
	"n392 = ints [-1,128,384]", "n393 = Reshape(n391, n392)", "n394 = ints [0]", "n395 = ints [128]", "n396 = ints [2]",
	"n397 = Slice(n393, n394, n395, n396)", "n398 = ints [128]", "n399 = ints [256]", "n400 = ints [2]", "n401 = Slice(n393, n398, n399, n400)",
	"n402 = ints [256]", "n403 = ints [384]", "n404 = ints [2]", "n405 = Slice(n393, n402, n403, n404)", "n406 = ints [-1,128,4,32]",
	"n407 = Reshape(n397, n406)", "n408 = Transpose(n407) perm=[0,2,1,3]", "n409 = ints [-1,128,4,32]", "n410 = Reshape(n401, n409)",
	"n411 = Transpose(n410) perm=[0,2,3,1]", "n412 = ints [-1,128,4,32]", "n413 = Reshape(n405, n412)", "n414 = Transpose(n413) perm=[0,2,1,3]",
	"n415 = ints [-1,128,32]", "n416 = Reshape(n408, n415)", "n417 = ints [-1,32,128]", "n418 = Reshape(n411, n417)", "n419 = MatMul(n416, n418)",
	"n420 = ints [-1,4,128,128]", "n421 = Reshape(n419, n420)", "n422 = real 5.65685425", "n423 = Div(n421, n422)", "n424 = reals [1]",
	"n425 = ints [1,128,128]", "n426 = Expand(n424, n425)", "n427 = Trilu(n426) upper=0", "n428 = real 1", "n429 = Equal(n427, n428)",
	"n430 = Cast(n429) to=1", "n431 = real -1e+09", "n432 = ints [1,1,128,128]", "n433 = Reshape(n430, n432)", "n434 = Cast(n433) to=9",
	"n435 = Where(n434, n423, n431)", "n436 = Softmax(n435) axis=3", "n437 = ints [-1,128,128]", "n438 = Reshape(n436, n437)",
	"n439 = ints [-1,128,32]", "n440 = Reshape(n414, n439)", "n441 = MatMul(n438, n440)", "n442 = ints [-1,4,128,32]",
	"n443 = Reshape(n441, n442)", "n444 = Transpose(n443) perm=[0,2,1,3]", "n445 = ints [-1,128,128]", "n446 = Reshape(n444, n445)",
	"n447 = ints [-1,128]", "n448 = Reshape(n446, n447)", "n449 = Gemm(n448, transformer_4.attention.out.weight) transA=0 transB=1",
	"n450 = Add(n449, transformer_4.attention.out.bias)", "n451 = ints [-1,128,128]", "n452 = Reshape(n450, n451)", "n453 = Add(n370, n452)",
	"n454 = real 128", "n455 = ints [2]", "n456 = ReduceSum(n453, n455) keepdims=1", "n457 = Div(n456, n454)", "n458 = Sub(n453, n457)",
	"n459 = Mul(n458, n458)", "n460 = real 128", "n461 = ints [2]", "n462 = ReduceSum(n459, n461) keepdims=1", "n463 = Div(n462, n460)",
	"n464 = real 1e-05", "n465 = Add(n463, n464)", "n466 = Sqrt(n465)", "n467 = Reciprocal(n466)", "n468 = Mul(n458, n467)",
	"n469 = Mul(n468, transformer_4.norm2.weight)", "n470 = Add(n469, transformer_4.norm2.bias)", "n471 = ints [-1,128]",
	"n472 = Reshape(n470, n471)", "n473 = Gemm(n472, transformer_4.up.weight) transA=0 transB=1", "n474 = Add(n473, transformer_4.up.bias)",
	"n475 = ints [-1,128,512]", "n476 = Reshape(n474, n475)", "n477 = real 0.5", "n478 = Mul(n476, n477)", "n479 = real 0.707106781",
	"n480 = Mul(n476, n479)", "n481 = Erf(n480)", "n482 = real 1", "n483 = Add(n481, n482)", "n484 = Mul(n478, n483)", "n485 = ints [-1,512]",
	"n486 = Reshape(n484, n485)", "n487 = Gemm(n486, transformer_4.down.weight) transA=0 transB=1", "n488 = Add(n487, transformer_4.down.bias)",
	"n489 = ints [-1,128,128]", "n490 = Reshape(n488, n489)", "n491 = Add(n453, n490)", "n492 = real 128", "n493 = ints [2]",
	"n494 = ReduceSum(n491, n493) keepdims=1", "n495 = Div(n494, n492)", "n496 = Sub(n491, n495)", "n497 = Mul(n496, n496)", "n498 = real 128",
	"n499 = ints [2]", "n500 = ReduceSum(n497, n499) keepdims=1", "n501 = Div(n500, n498)", "n502 = real 1e-05", "n503 = Add(n501, n502)",
	"n504 = Sqrt(n503)", "n505 = Reciprocal(n504)", "n506 = Mul(n496, n505)", "n507 = Mul(n506, norm.weight)", "n508 = Add(n507, norm.bias)",
	"n509 = ints [256,128]", "n510 = Reshape(n1, n509)", "n511 = ints [-1,128]", "n512 = Reshape(n508, n511)",
	"n513 = Gemm(n512, n510) transA=0 transB=1", "n514 = ints [-1,128,256]", "n515 = Reshape(n513, n514)", "output logits f32 [128,256] n515",
};

static const NnrModel model = {
	.abi = NNR_ABI, .name = "gpt", .source = "gpt.net",
	.version = "0.2", .needs = NNR_FEATURES, .recipe = "data characters; optimizer adamw(rate = 0.001, beta1 = 0.9, beta2 = 0.99, epsilon = 1e-08, decay = 0.1); rate 0.001 warmup 100it cosine to 0.0001; batch 32; steps 2000; precision tf32; seed 0; clip 1; decay weights",
	.real = NNR_F32, .batch = 32, .chunks = 1,
	.program = program, .words = words, .word_count = 2, .compiler = NNR_COMPILER,
	.inputs = inputs, .input_count = 2,
	.params = params, .param_count = 52, .layouts = layouts,
	.onnx = onnx, .onnx_count = 518,
	.states = states, .state_count = 2,
	.param_bytes = 3369984, .state_bytes = 10016768, .input_bytes = 32768,
	.train = {.arena_bytes = 172820864, .outputs = train_outputs, .output_count = 2, .steps = steps, .step_count = 109, .gradient = &train_gradient, .run = train_step},
	.prepare = {.arena_bytes = 0, .run = prepare_weights},
	.evaluate = {.arena_bytes = 14680064, .outputs = evaluate_outputs, .output_count = 3, .run = evaluate_batch},
	.predict = {.arena_bytes = 14680064, .outputs = predict_outputs, .output_count = 1, .run = predict_batch},
	.scored = {.output = "logits", .target = "next", .softmaxed = false},
	.places = places, .place_count = 44, .sources = sources, .source_count = 2, .file_count = 2,
	.backend = &nnr_cuda_backend, .device = &nnr_cuda_model,
	.data = "characters",
	.rate = {.kind = NNR_RATE_COSINE, .rate = 0.001, .final_rate = 0.0001, .gamma = 0.10000000000000001,
	         .warmup = 100, .every = 0, .warmup_in_epochs = false, .every_in_epochs = false},
	.epochs = 0, .steps = 2000, .seed = 0u,
};

int main(int argc, char **argv)
{
	return nnr_main(&model, argc, argv);
}
