/* gpt, from gpt.net by nnc 0.3 for CUDA: the host side. Do not edit: change the .net file and run nnc again.
 * Yours under any terms: LICENSE of nnc, "Exception for what nnc makes".
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
	float *const attention = (float *)(m->arena + 137587712 + i * 10485760);                // [32,128,128]  2.1 MB
	float *const attention_logs = (float *)(m->arena + at->attention_logs);                 // [32,4,128]  65.5 kB
	launch_3(&attention_32x128x128_kernel, dense, attention, attention_logs);
	nnr_step_of(at->name, 13 + i * 8, "transformer.net:22  matmul(attention, attention_out_weight)  [4096,128]  134.2 MFLOP  4.3 MB");
	float *const attention_out_weight = (float *)(m->params + 1179648 + i * 786432);        // [128,128]  65.5 kB
	float *const matmul_2 = (float *)(m->arena + 16777216 + i * 16777216);                  // [4096,128]  2.1 MB
	matmul_any_size(&matmul_4096x128_shape, &matmul_4096x128_plan, attention, attention_out_weight, matmul_2);
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
	nnr_step_of(at->name, 50 + i * 16, "transformer.net:22  matmul(dx_2, attention)  [128,128]  134.2 MFLOP  4.3 MB");
	float *const dx_2 = (float *)(m->arena + at->dlayernorm);                               // [4096,128]  2.1 MB
	float *const attention = (float *)(m->arena + 158559232 - i * 10485760);                // [4096,128]  2.1 MB
	float *const attention_out_dweight = (float *)(m->arena + 122290176 - i * 786432);      // [128,128]  65.5 kB
	matmul_any_size(&matmul_128x128_shape, &matmul_128x128_plan, dx_2, attention, attention_out_dweight);
	nnr_branch_end(7 + i * 7);
	nnr_step_of(at->name, 51 + i * 16, "transformer.net:22  matmul(dx_2, attention_out_weight)  [4096,128]  134.2 MFLOP  4.3 MB");
	float *const attention_out_weight = (float *)(m->params + 2752512 - i * 786432);        // [128,128]  65.5 kB
	float *const dtranspose = (float *)(m->arena + 50331648 - i * 16777216);                // [4096,128]  2.1 MB
	matmul_any_size(&matmul_4096x128_5_shape, &matmul_4096x128_5_plan, dx_2, attention_out_weight, dtranspose);
	nnr_step_of(at->name, 52 + i * 16, "transformer.net:21  round_tf32(sum((attention * dtranspose)))  [32,128,4,1]  1.0 MFLOP  4.3 MB");
	float *const sum = (float *)(m->arena + 52428800 - i * 16777216);                       // [32,128,4,1]  65.5 kB
	launch_3_2(&attention_backward_16384x32_kernel, attention, dtranspose, sum);
	nnr_step_of(at->name, 53 + i * 16, "transformer.net:21  attention_grad(dense, attention, dtranspose, attention_logs, sum)  [32,128,384]  469.8 MFLOP  16.9 MB");
	float *const dense = (float *)(m->arena + 102760448 - i * 6291456);                     // [32,128,384]  6.3 MB
	float *const attention_logs = (float *)(m->arena + at->attention_logs);                 // [32,4,128]  65.5 kB
	float *const ddense = (float *)(m->arena + 109051904 - i * 6291456);                    // [32,128,384]  6.3 MB
	launch_6(&attention_backward_32x128x384_kernel, dense, attention, dtranspose, attention_logs, sum, ddense);
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
	float *const attention = (float *)(m->arena + 127101952);                               // [32,128,128]  2.1 MB  steps 4-109
	float *const attention_logs = (float *)(m->arena + 172508160);                          // [32,4,128]  65.5 kB  steps 4-101
	launch_3(&attention_32x128x128_kernel, dense, attention, attention_logs);
	nnr_step(5, "transformer.net:22  matmul(attention, transformer_attention_out_weight)  [4096,128]  134.2 MFLOP  4.3 MB");
	float *const transformer_attention_out_weight = (float *)(m->params + 393216);          // [128,128]  65.5 kB
	float *const matmul = (float *)(m->arena + 0);                                          // [4096,128]  2.1 MB  steps 5-6
	matmul_any_size(&matmul_4096x128_shape, &matmul_4096x128_plan, attention, transformer_attention_out_weight, matmul);
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
	nnr_step(98, "transformer.net:22  matmul(dx_8, attention)  [128,128]  134.2 MFLOP  4.3 MB");
	float *const dx_8 = (float *)(m->arena + 6291456);                                      // [4096,128]  2.1 MB  steps 95-109
	float *const transformer_attention_out_dweight = (float *)(m->arena + 119930880);       // [128,128]  65.5 kB  steps 42-109
	matmul_any_size(&matmul_128x128_shape, &matmul_128x128_plan, dx_8, attention, transformer_attention_out_dweight);
	nnr_branch_end(28);
	nnr_step(99, "transformer.net:22  matmul(dx_8, transformer_attention_out_weight)  [4096,128]  134.2 MFLOP  4.3 MB");
	float *const dtranspose_7 = (float *)(m->arena + 16777216);                             // [4096,128]  2.1 MB  steps 99-101
	matmul_any_size(&matmul_4096x128_5_shape, &matmul_4096x128_5_plan, dx_8, transformer_attention_out_weight, dtranspose_7);
	nnr_step(100, "transformer.net:21  round_tf32(sum((attention * dtranspose_7)))  [32,128,4,1]  1.0 MFLOP  4.3 MB");
	float *const sum_4 = (float *)(m->arena + 19080192);                                    // [32,128,4,1]  65.5 kB  steps 100-101
	launch_3_2(&attention_backward_16384x32_kernel, attention, dtranspose_7, sum_4);
	nnr_step(101, "transformer.net:21  attention_grad(dense, attention, dtranspose_7, attention_logs, sum_4)  [32,128,384]  469.8 MFLOP  16.9 MB");
	float *const ddense_7 = (float *)(m->arena + 0);                                        // [32,128,384]  6.3 MB  steps 101-109
	launch_6(&attention_backward_32x128x384_kernel, dense, attention, dtranspose_7, attention_logs, sum_4, ddense_7);
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
	float *const attention = (float *)(m->arena + 8388608);                                 // [32,128,128]  2.1 MB
	launch_2(&attention_32x128x128_2_kernel, dense, attention);
	nnr_step_of(at->name, 13 + i * 8, "transformer.net:22  matmul(attention, prepared_attention_out_weight)  [4096,128]  134.2 MFLOP  4.3 MB");
	float *const prepared_attention_out_weight = (float *)(m->state + 7723008 + i * 786432); // [128,128]  65.5 kB
	float *const matmul_2 = (float *)(m->arena + 0);                                        // [4096,128]  2.1 MB
	matmul_any_size(&matmul_4096x128_shape, &matmul_4096x128_plan, attention, prepared_attention_out_weight, matmul_2);
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
	float *const attention = (float *)(m->arena + 8388608);                                 // [32,128,128]  2.1 MB  steps 4-5
	launch_2(&attention_32x128x128_2_kernel, dense, attention);
	nnr_step(5, "transformer.net:22  matmul(attention, prepared_transformer_attention_out_weight)  [4096,128]  134.2 MFLOP  4.3 MB");
	float *const prepared_transformer_attention_out_weight = (float *)(m->state + 6936576); // [128,128]  65.5 kB
	float *const matmul = (float *)(m->arena + 0);                                          // [4096,128]  2.1 MB  steps 5-6
	matmul_any_size(&matmul_4096x128_shape, &matmul_4096x128_plan, attention, prepared_transformer_attention_out_weight, matmul);
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
static const char program[] = "nnc program 041f9690befbcc01 for 1 ranks";
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
	"n60 = Div(n58, n59)", "n61 = real 0", "n62 = real 127.5", "n63 = real 1", "n64 = Range(n61, n62, n63)", "n65 = ints [-1,1]",
	"n66 = Reshape(n64, n65)", "n67 = LessOrEqual(n64, n66)", "n68 = Cast(n67) to=1", "n69 = ints [1,128,128]", "n70 = Reshape(n68, n69)",
	"n71 = real 1", "n72 = Equal(n70, n71)", "n73 = Cast(n72) to=1", "n74 = real -1e+09", "n75 = ints [1,1,128,128]", "n76 = Reshape(n73, n75)",
	"n77 = Cast(n76) to=9", "n78 = Where(n77, n60, n74)", "n79 = Softmax(n78) axis=3", "n80 = ints [-1,128,128]", "n81 = Reshape(n79, n80)",
	"n82 = ints [-1,128,32]", "n83 = Reshape(n51, n82)", "n84 = MatMul(n81, n83)", "n85 = ints [-1,4,128,32]", "n86 = Reshape(n84, n85)",
	"n87 = Transpose(n86) perm=[0,2,1,3]", "n88 = ints [-1,128,128]", "n89 = Reshape(n87, n88)", "n90 = ints [-1,128]", "n91 = Reshape(n89, n90)",
	"n92 = Gemm(n91, transformer.attention.out.weight) transA=0 transB=1", "n93 = Add(n92, transformer.attention.out.bias)",
	"n94 = ints [-1,128,128]", "n95 = Reshape(n93, n94)", "n96 = Add(n7, n95)", "n97 = real 128", "n98 = ints [2]",
	"n99 = ReduceSum(n96, n98) keepdims=1", "n100 = Div(n99, n97)", "n101 = Sub(n96, n100)", "n102 = Mul(n101, n101)", "n103 = real 128",
	"n104 = ints [2]", "n105 = ReduceSum(n102, n104) keepdims=1", "n106 = Div(n105, n103)", "n107 = real 1e-05", "n108 = Add(n106, n107)",
	"n109 = Sqrt(n108)", "n110 = Reciprocal(n109)", "n111 = Mul(n101, n110)", "n112 = Mul(n111, transformer.norm2.weight)",
	"n113 = Add(n112, transformer.norm2.bias)", "n114 = ints [-1,128]", "n115 = Reshape(n113, n114)",
	"n116 = Gemm(n115, transformer.up.weight) transA=0 transB=1", "n117 = Add(n116, transformer.up.bias)", "n118 = ints [-1,128,512]",
	"n119 = Reshape(n117, n118)", "n120 = real 0.5", "n121 = Mul(n119, n120)", "n122 = real 0.707106781", "n123 = Mul(n119, n122)",
	"n124 = Erf(n123)", "n125 = real 1", "n126 = Add(n124, n125)", "n127 = Mul(n121, n126)", "n128 = ints [-1,512]", "n129 = Reshape(n127, n128)",
	"n130 = Gemm(n129, transformer.down.weight) transA=0 transB=1", "n131 = Add(n130, transformer.down.bias)", "n132 = ints [-1,128,128]",
	"n133 = Reshape(n131, n132)", "n134 = Add(n96, n133)", "n135 = real 128", "n136 = ints [2]", "n137 = ReduceSum(n134, n136) keepdims=1",
	"n138 = Div(n137, n135)", "n139 = Sub(n134, n138)", "n140 = Mul(n139, n139)", "n141 = real 128", "n142 = ints [2]",
	"n143 = ReduceSum(n140, n142) keepdims=1", "n144 = Div(n143, n141)", "n145 = real 1e-05", "n146 = Add(n144, n145)", "n147 = Sqrt(n146)",
	"n148 = Reciprocal(n147)", "n149 = Mul(n139, n148)", "n150 = Mul(n149, transformer_2.norm1.weight)",
	"n151 = Add(n150, transformer_2.norm1.bias)", "n152 = ints [-1,128]", "n153 = Reshape(n151, n152)",
	"n154 = Gemm(n153, transformer_2.attention.qkv.weight) transA=0 transB=1", "n155 = Add(n154, transformer_2.attention.qkv.bias)",
	"n156 = ints [-1,128,384]", "n157 = Reshape(n155, n156)", "n158 = ints [0]", "n159 = ints [128]", "n160 = ints [2]",
	"n161 = Slice(n157, n158, n159, n160)", "n162 = ints [128]", "n163 = ints [256]", "n164 = ints [2]", "n165 = Slice(n157, n162, n163, n164)",
	"n166 = ints [256]", "n167 = ints [384]", "n168 = ints [2]", "n169 = Slice(n157, n166, n167, n168)", "n170 = ints [-1,128,4,32]",
	"n171 = Reshape(n161, n170)", "n172 = Transpose(n171) perm=[0,2,1,3]", "n173 = ints [-1,128,4,32]", "n174 = Reshape(n165, n173)",
	"n175 = Transpose(n174) perm=[0,2,3,1]", "n176 = ints [-1,128,4,32]", "n177 = Reshape(n169, n176)", "n178 = Transpose(n177) perm=[0,2,1,3]",
	"n179 = ints [-1,128,32]", "n180 = Reshape(n172, n179)", "n181 = ints [-1,32,128]", "n182 = Reshape(n175, n181)", "n183 = MatMul(n180, n182)",
	"n184 = ints [-1,4,128,128]", "n185 = Reshape(n183, n184)", "n186 = real 5.65685425", "n187 = Div(n185, n186)", "n188 = real 0",
	"n189 = real 127.5", "n190 = real 1", "n191 = Range(n188, n189, n190)", "n192 = ints [-1,1]", "n193 = Reshape(n191, n192)",
	"n194 = LessOrEqual(n191, n193)", "n195 = Cast(n194) to=1", "n196 = ints [1,128,128]", "n197 = Reshape(n195, n196)", "n198 = real 1",
	"n199 = Equal(n197, n198)", "n200 = Cast(n199) to=1", "n201 = real -1e+09", "n202 = ints [1,1,128,128]", "n203 = Reshape(n200, n202)",
	"n204 = Cast(n203) to=9", "n205 = Where(n204, n187, n201)", "n206 = Softmax(n205) axis=3", "n207 = ints [-1,128,128]",
	"n208 = Reshape(n206, n207)", "n209 = ints [-1,128,32]", "n210 = Reshape(n178, n209)", "n211 = MatMul(n208, n210)",
	"n212 = ints [-1,4,128,32]", "n213 = Reshape(n211, n212)", "n214 = Transpose(n213) perm=[0,2,1,3]", "n215 = ints [-1,128,128]",
	"n216 = Reshape(n214, n215)", "n217 = ints [-1,128]", "n218 = Reshape(n216, n217)",
	"n219 = Gemm(n218, transformer_2.attention.out.weight) transA=0 transB=1", "n220 = Add(n219, transformer_2.attention.out.bias)",
	"n221 = ints [-1,128,128]", "n222 = Reshape(n220, n221)", "n223 = Add(n134, n222)", "n224 = real 128", "n225 = ints [2]",
	"n226 = ReduceSum(n223, n225) keepdims=1", "n227 = Div(n226, n224)", "n228 = Sub(n223, n227)", "n229 = Mul(n228, n228)", "n230 = real 128",
	"n231 = ints [2]", "n232 = ReduceSum(n229, n231) keepdims=1", "n233 = Div(n232, n230)", "n234 = real 1e-05", "n235 = Add(n233, n234)",
	"n236 = Sqrt(n235)", "n237 = Reciprocal(n236)", "n238 = Mul(n228, n237)", "n239 = Mul(n238, transformer_2.norm2.weight)",
	"n240 = Add(n239, transformer_2.norm2.bias)", "n241 = ints [-1,128]", "n242 = Reshape(n240, n241)",
	"n243 = Gemm(n242, transformer_2.up.weight) transA=0 transB=1", "n244 = Add(n243, transformer_2.up.bias)", "n245 = ints [-1,128,512]",
	"n246 = Reshape(n244, n245)", "n247 = real 0.5", "n248 = Mul(n246, n247)", "n249 = real 0.707106781", "n250 = Mul(n246, n249)",
	"n251 = Erf(n250)", "n252 = real 1", "n253 = Add(n251, n252)", "n254 = Mul(n248, n253)", "n255 = ints [-1,512]", "n256 = Reshape(n254, n255)",
	"n257 = Gemm(n256, transformer_2.down.weight) transA=0 transB=1", "n258 = Add(n257, transformer_2.down.bias)", "n259 = ints [-1,128,128]",
	"n260 = Reshape(n258, n259)", "n261 = Add(n223, n260)", "n262 = real 128", "n263 = ints [2]", "n264 = ReduceSum(n261, n263) keepdims=1",
	"n265 = Div(n264, n262)", "n266 = Sub(n261, n265)", "n267 = Mul(n266, n266)", "n268 = real 128", "n269 = ints [2]",
	"n270 = ReduceSum(n267, n269) keepdims=1", "n271 = Div(n270, n268)", "n272 = real 1e-05", "n273 = Add(n271, n272)", "n274 = Sqrt(n273)",
	"n275 = Reciprocal(n274)", "n276 = Mul(n266, n275)", "n277 = Mul(n276, transformer_3.norm1.weight)",
	"n278 = Add(n277, transformer_3.norm1.bias)", "n279 = ints [-1,128]", "n280 = Reshape(n278, n279)",
	"n281 = Gemm(n280, transformer_3.attention.qkv.weight) transA=0 transB=1", "n282 = Add(n281, transformer_3.attention.qkv.bias)",
	"n283 = ints [-1,128,384]", "n284 = Reshape(n282, n283)", "n285 = ints [0]", "n286 = ints [128]", "n287 = ints [2]",
	"n288 = Slice(n284, n285, n286, n287)", "n289 = ints [128]", "n290 = ints [256]", "n291 = ints [2]", "n292 = Slice(n284, n289, n290, n291)",
	"n293 = ints [256]", "n294 = ints [384]", "n295 = ints [2]", "n296 = Slice(n284, n293, n294, n295)", "n297 = ints [-1,128,4,32]",
	"n298 = Reshape(n288, n297)", "n299 = Transpose(n298) perm=[0,2,1,3]", "n300 = ints [-1,128,4,32]", "n301 = Reshape(n292, n300)",
	"n302 = Transpose(n301) perm=[0,2,3,1]", "n303 = ints [-1,128,4,32]", "n304 = Reshape(n296, n303)", "n305 = Transpose(n304) perm=[0,2,1,3]",
	"n306 = ints [-1,128,32]", "n307 = Reshape(n299, n306)", "n308 = ints [-1,32,128]", "n309 = Reshape(n302, n308)", "n310 = MatMul(n307, n309)",
	"n311 = ints [-1,4,128,128]", "n312 = Reshape(n310, n311)", "n313 = real 5.65685425", "n314 = Div(n312, n313)", "n315 = real 0",
	"n316 = real 127.5", "n317 = real 1", "n318 = Range(n315, n316, n317)", "n319 = ints [-1,1]", "n320 = Reshape(n318, n319)",
	"n321 = LessOrEqual(n318, n320)", "n322 = Cast(n321) to=1", "n323 = ints [1,128,128]", "n324 = Reshape(n322, n323)", "n325 = real 1",
	"n326 = Equal(n324, n325)", "n327 = Cast(n326) to=1", "n328 = real -1e+09", "n329 = ints [1,1,128,128]", "n330 = Reshape(n327, n329)",
	"n331 = Cast(n330) to=9", "n332 = Where(n331, n314, n328)", "n333 = Softmax(n332) axis=3", "n334 = ints [-1,128,128]",
	"n335 = Reshape(n333, n334)", "n336 = ints [-1,128,32]", "n337 = Reshape(n305, n336)", "n338 = MatMul(n335, n337)",
	"n339 = ints [-1,4,128,32]", "n340 = Reshape(n338, n339)", "n341 = Transpose(n340) perm=[0,2,1,3]", "n342 = ints [-1,128,128]",
	"n343 = Reshape(n341, n342)", "n344 = ints [-1,128]", "n345 = Reshape(n343, n344)",
	"n346 = Gemm(n345, transformer_3.attention.out.weight) transA=0 transB=1", "n347 = Add(n346, transformer_3.attention.out.bias)",
	"n348 = ints [-1,128,128]", "n349 = Reshape(n347, n348)", "n350 = Add(n261, n349)", "n351 = real 128", "n352 = ints [2]",
	"n353 = ReduceSum(n350, n352) keepdims=1", "n354 = Div(n353, n351)", "n355 = Sub(n350, n354)", "n356 = Mul(n355, n355)", "n357 = real 128",
	"n358 = ints [2]", "n359 = ReduceSum(n356, n358) keepdims=1", "n360 = Div(n359, n357)", "n361 = real 1e-05", "n362 = Add(n360, n361)",
	"n363 = Sqrt(n362)", "n364 = Reciprocal(n363)", "n365 = Mul(n355, n364)", "n366 = Mul(n365, transformer_3.norm2.weight)",
	"n367 = Add(n366, transformer_3.norm2.bias)", "n368 = ints [-1,128]", "n369 = Reshape(n367, n368)",
	"n370 = Gemm(n369, transformer_3.up.weight) transA=0 transB=1", "n371 = Add(n370, transformer_3.up.bias)", "n372 = ints [-1,128,512]",
	"n373 = Reshape(n371, n372)", "n374 = real 0.5", "n375 = Mul(n373, n374)", "n376 = real 0.707106781", "n377 = Mul(n373, n376)",
	"n378 = Erf(n377)", "n379 = real 1", "n380 = Add(n378, n379)", "n381 = Mul(n375, n380)", "n382 = ints [-1,512]", "n383 = Reshape(n381, n382)",
	"n384 = Gemm(n383, transformer_3.down.weight) transA=0 transB=1", "n385 = Add(n384, transformer_3.down.bias)", "n386 = ints [-1,128,128]",
	"n387 = Reshape(n385, n386)", "n388 = Add(n350, n387)", "n389 = real 128", "n390 = ints [2]", "n391 = ReduceSum(n388, n390) keepdims=1",
	"n392 = Div(n391, n389)", "n393 = Sub(n388, n392)", "n394 = Mul(n393, n393)", "n395 = real 128", "n396 = ints [2]",
	"n397 = ReduceSum(n394, n396) keepdims=1", "n398 = Div(n397, n395)", "n399 = real 1e-05", "n400 = Add(n398, n399)", "n401 = Sqrt(n400)",
	"n402 = Reciprocal(n401)", "n403 = Mul(n393, n402)", "n404 = Mul(n403, transformer_4.norm1.weight)",
	"n405 = Add(n404, transformer_4.norm1.bias)", "n406 = ints [-1,128]", "n407 = Reshape(n405, n406)",
	"n408 = Gemm(n407, transformer_4.attention.qkv.weight) transA=0 transB=1", "n409 = Add(n408, transformer_4.attention.qkv.bias)",
	"n410 = ints [-1,128,384]", "n411 = Reshape(n409, n410)", "n412 = ints [0]", "n413 = ints [128]", "n414 = ints [2]",
	"n415 = Slice(n411, n412, n413, n414)", "n416 = ints [128]", "n417 = ints [256]", "n418 = ints [2]", "n419 = Slice(n411, n416, n417, n418)",
	"n420 = ints [256]", "n421 = ints [384]", "n422 = ints [2]", "n423 = Slice(n411, n420, n421, n422)", "n424 = ints [-1,128,4,32]",
	"n425 = Reshape(n415, n424)", "n426 = Transpose(n425) perm=[0,2,1,3]", "n427 = ints [-1,128,4,32]", "n428 = Reshape(n419, n427)",
	"n429 = Transpose(n428) perm=[0,2,3,1]", "n430 = ints [-1,128,4,32]", "n431 = Reshape(n423, n430)", "n432 = Transpose(n431) perm=[0,2,1,3]",
	"n433 = ints [-1,128,32]", "n434 = Reshape(n426, n433)", "n435 = ints [-1,32,128]", "n436 = Reshape(n429, n435)", "n437 = MatMul(n434, n436)",
	"n438 = ints [-1,4,128,128]", "n439 = Reshape(n437, n438)", "n440 = real 5.65685425", "n441 = Div(n439, n440)", "n442 = real 0",
	"n443 = real 127.5", "n444 = real 1", "n445 = Range(n442, n443, n444)", "n446 = ints [-1,1]", "n447 = Reshape(n445, n446)",
	"n448 = LessOrEqual(n445, n447)", "n449 = Cast(n448) to=1", "n450 = ints [1,128,128]", "n451 = Reshape(n449, n450)", "n452 = real 1",
	"n453 = Equal(n451, n452)", "n454 = Cast(n453) to=1", "n455 = real -1e+09", "n456 = ints [1,1,128,128]", "n457 = Reshape(n454, n456)",
	"n458 = Cast(n457) to=9", "n459 = Where(n458, n441, n455)", "n460 = Softmax(n459) axis=3", "n461 = ints [-1,128,128]",
	"n462 = Reshape(n460, n461)", "n463 = ints [-1,128,32]", "n464 = Reshape(n432, n463)", "n465 = MatMul(n462, n464)",
	"n466 = ints [-1,4,128,32]", "n467 = Reshape(n465, n466)", "n468 = Transpose(n467) perm=[0,2,1,3]", "n469 = ints [-1,128,128]",
	"n470 = Reshape(n468, n469)", "n471 = ints [-1,128]", "n472 = Reshape(n470, n471)",
	"n473 = Gemm(n472, transformer_4.attention.out.weight) transA=0 transB=1", "n474 = Add(n473, transformer_4.attention.out.bias)",
	"n475 = ints [-1,128,128]", "n476 = Reshape(n474, n475)", "n477 = Add(n388, n476)", "n478 = real 128", "n479 = ints [2]",
	"n480 = ReduceSum(n477, n479) keepdims=1", "n481 = Div(n480, n478)", "n482 = Sub(n477, n481)", "n483 = Mul(n482, n482)", "n484 = real 128",
	"n485 = ints [2]", "n486 = ReduceSum(n483, n485) keepdims=1", "n487 = Div(n486, n484)", "n488 = real 1e-05", "n489 = Add(n487, n488)",
	"n490 = Sqrt(n489)", "n491 = Reciprocal(n490)", "n492 = Mul(n482, n491)", "n493 = Mul(n492, transformer_4.norm2.weight)",
	"n494 = Add(n493, transformer_4.norm2.bias)", "n495 = ints [-1,128]", "n496 = Reshape(n494, n495)",
	"n497 = Gemm(n496, transformer_4.up.weight) transA=0 transB=1", "n498 = Add(n497, transformer_4.up.bias)", "n499 = ints [-1,128,512]",
	"n500 = Reshape(n498, n499)", "n501 = real 0.5", "n502 = Mul(n500, n501)", "n503 = real 0.707106781", "n504 = Mul(n500, n503)",
	"n505 = Erf(n504)", "n506 = real 1", "n507 = Add(n505, n506)", "n508 = Mul(n502, n507)", "n509 = ints [-1,512]", "n510 = Reshape(n508, n509)",
	"n511 = Gemm(n510, transformer_4.down.weight) transA=0 transB=1", "n512 = Add(n511, transformer_4.down.bias)", "n513 = ints [-1,128,128]",
	"n514 = Reshape(n512, n513)", "n515 = Add(n477, n514)", "n516 = real 128", "n517 = ints [2]", "n518 = ReduceSum(n515, n517) keepdims=1",
	"n519 = Div(n518, n516)", "n520 = Sub(n515, n519)", "n521 = Mul(n520, n520)", "n522 = real 128", "n523 = ints [2]",
	"n524 = ReduceSum(n521, n523) keepdims=1", "n525 = Div(n524, n522)", "n526 = real 1e-05", "n527 = Add(n525, n526)", "n528 = Sqrt(n527)",
	"n529 = Reciprocal(n528)", "n530 = Mul(n520, n529)", "n531 = Mul(n530, norm.weight)", "n532 = Add(n531, norm.bias)", "n533 = ints [256,128]",
	"n534 = Reshape(n1, n533)", "n535 = ints [-1,128]", "n536 = Reshape(n532, n535)", "n537 = Gemm(n536, n534) transA=0 transB=1",
	"n538 = ints [-1,128,256]", "n539 = Reshape(n537, n538)", "output logits f32 [128,256] n539",
};

static const NnrModel model = {
	.abi = NNR_ABI, .name = "gpt", .source = "gpt.net",
	.version = "0.3", .needs = NNR_FEATURES, .recipe = "data characters; optimizer adamw(rate = 0.001, beta1 = 0.9, beta2 = 0.99, epsilon = 1e-08, decay = 0.1); rate 0.001 warmup 100it cosine to 0.0001; batch 32; steps 2000; precision tf32; seed 0; clip 1; decay weights",
	.real = NNR_F32, .batch = 32, .chunks = 1,
	.program = program, .words = words, .word_count = 2, .compiler = NNR_COMPILER,
	.inputs = inputs, .input_count = 2,
	.params = params, .param_count = 52, .layouts = layouts,
	.onnx = onnx, .onnx_count = 542,
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
