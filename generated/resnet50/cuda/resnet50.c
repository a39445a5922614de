/* resnet50, from resnet50.net by nnc 0.3 for CUDA: the host side. Do not edit: change the .net file and run nnc again.
 * Yours under any terms: LICENSE of nnc, "Exception for what nnc makes".
 *
 * data images; augment flip; optimizer sgd(rate = 0.1, momentum = 0.9, dampening = 0, nesterov = 0, decay = 0.0001); rate 0.1 warmup 5ep cosine; batch 256; epochs 90; precision tf32; seed 0; decay weights
 * batch 256   parameters 25.6 M (102.2 MB)   states 102.4 MB   arena 22.7 GB training, 1.8 GB evaluation
 *
 * `nnc --emit=cu=FILE` writes the kernels; nnc compiles them by NVRTC for sm_90 and appends
 * them, as nnr_cuda_model, to the C that it gives to cc. Tensors are [batch, height, width, channels]; every
 * address is of device memory, and every call only enqueues. */
#include "nnr.h"
#include "cuda/nnr_cuda.h"
#include <stddef.h>

extern const NnrCudaModel nnr_cuda_model; /* the compiled kernels */

static void normalize_38535168(const uint8_t *image, float *round_tf32)
{
	static NnrKernel kernel = {.name = "normalize_38535168", .blocks = 37632, .threads = 256};
	nnr_launch(&kernel, (void *[]){&image, &round_tf32});
}

static NnrKernel conv_256x112x112x64_kernel = {.name = "conv_256x112x112x64", .blocks = 264, .threads = 256, .shared_bytes = 101152};
static NnrKernel conv_backward_264x64x7x7x3_kernel = {.name = "conv_backward_264x64x7x7x3", .blocks = 264, .threads = 256, .shared_bytes = 89424};
static NnrKernel batchnorm_folded_64x147_kernel = {.name = "batchnorm_folded_64x147", .blocks = 37, .threads = 256};
static NnrKernel batchnorm_folded_64x64_kernel = {.name = "batchnorm_folded_64x64", .blocks = 4, .threads = 256};
static NnrKernel batchnorm_folded_64x576_kernel = {.name = "batchnorm_folded_64x576", .blocks = 36, .threads = 256};
static NnrKernel batchnorm_folded_256x64_kernel = {.name = "batchnorm_folded_256x64", .blocks = 16, .threads = 256};
static NnrKernel batchnorm_folded_64x256_kernel = {.name = "batchnorm_folded_64x256", .blocks = 16, .threads = 256};
static NnrKernel batchnorm_folded_128x256_kernel = {.name = "batchnorm_folded_128x256", .blocks = 32, .threads = 256};
static NnrKernel batchnorm_folded_128x1152_kernel = {.name = "batchnorm_folded_128x1152", .blocks = 144, .threads = 256};
static NnrKernel batchnorm_folded_512x128_kernel = {.name = "batchnorm_folded_512x128", .blocks = 64, .threads = 256};
static NnrKernel batchnorm_folded_512x256_kernel = {.name = "batchnorm_folded_512x256", .blocks = 128, .threads = 256};
static NnrKernel batchnorm_folded_128x512_kernel = {.name = "batchnorm_folded_128x512", .blocks = 64, .threads = 256};
static NnrKernel batchnorm_folded_256x512_kernel = {.name = "batchnorm_folded_256x512", .blocks = 128, .threads = 256};
static NnrKernel batchnorm_folded_256x2304_kernel = {.name = "batchnorm_folded_256x2304", .blocks = 576, .threads = 256};
static NnrKernel batchnorm_folded_1024x256_kernel = {.name = "batchnorm_folded_1024x256", .blocks = 256, .threads = 256};
static NnrKernel batchnorm_folded_1024x512_kernel = {.name = "batchnorm_folded_1024x512", .blocks = 512, .threads = 256};
static NnrKernel batchnorm_folded_256x1024_kernel = {.name = "batchnorm_folded_256x1024", .blocks = 256, .threads = 256};
static NnrKernel batchnorm_folded_512x1024_kernel = {.name = "batchnorm_folded_512x1024", .blocks = 512, .threads = 256};
static NnrKernel batchnorm_folded_512x4608_kernel = {.name = "batchnorm_folded_512x4608", .blocks = 2304, .threads = 256};
static NnrKernel batchnorm_folded_2048x512_kernel = {.name = "batchnorm_folded_2048x512", .blocks = 1024, .threads = 256};
static NnrKernel batchnorm_folded_2048x1024_kernel = {.name = "batchnorm_folded_2048x1024", .blocks = 2048, .threads = 256};
static NnrKernel batchnorm_folded_512x2048_kernel = {.name = "batchnorm_folded_512x2048", .blocks = 1024, .threads = 256};
static void launch_3(NnrKernel *kernel, const float *x, const float *w, float *y)
{
	nnr_launch(kernel, (void *[]){&x, &w, &y});
}

static NnrKernel batchnorm_statistics_3211264x64_kernel = {.name = "batchnorm_statistics_3211264x64", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_statistics_802816x64_kernel = {.name = "batchnorm_statistics_802816x64", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_statistics_802816x256_kernel = {.name = "batchnorm_statistics_802816x256", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_statistics_802816x128_kernel = {.name = "batchnorm_statistics_802816x128", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_statistics_200704x128_kernel = {.name = "batchnorm_statistics_200704x128", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_statistics_200704x512_kernel = {.name = "batchnorm_statistics_200704x512", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_statistics_200704x256_kernel = {.name = "batchnorm_statistics_200704x256", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_statistics_50176x256_kernel = {.name = "batchnorm_statistics_50176x256", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_statistics_50176x1024_kernel = {.name = "batchnorm_statistics_50176x1024", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_statistics_50176x512_kernel = {.name = "batchnorm_statistics_50176x512", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_statistics_12544x512_kernel = {.name = "batchnorm_statistics_12544x512", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_statistics_12544x2048_kernel = {.name = "batchnorm_statistics_12544x2048", .blocks = 512, .threads = 256};
static void batchnorm_statistics(NnrKernel *kernel, const float *conv, const float *first_place, float *running_mean, float *running_var, const float *weight, float *mean, float *rstd, float *scale, float *partial)
{
	nnr_launch(kernel, (void *[]){&conv, &first_place, &running_mean, &running_var, &weight, &mean, &rstd, &scale, &partial});
}

static void maxpool_batchnorm_256x56x56x64(const float *conv, const float *mean, const float *scale, const float *bias, float *select, float *round_tf32, uint8_t *cast)
{
	static NnrKernel kernel = {.name = "maxpool_batchnorm_256x56x56x64", .blocks = 50176, .threads = 256};
	nnr_launch(&kernel, (void *[]){&conv, &mean, &scale, &bias, &select, &round_tf32, &cast});
}

/* conv(x, w)
 * residual.net:7
 * of 22 sizes: 256x56x56x64, 256x56x56x64_2, 256x56x56x256, 256x56x56x64_3, 256x56x56x128, 256x28x28x128, 256x28x28x512, 256x28x28x512_2 ... */
static const NnrConvShape conv_256x56x56x64_shape = {.batch = 256, .channels = 64, .filters = 64, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_256x56x56x64_plan;
static const NnrConvShape conv_256x56x56x64_2_shape = {.batch = 256, .channels = 64, .filters = 64, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_256x56x56x64_2_plan;
static const NnrConvShape conv_256x56x56x256_shape = {.batch = 256, .channels = 64, .filters = 256, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_256x56x56x256_plan;
static const NnrConvShape conv_256x56x56x64_3_shape = {.batch = 256, .channels = 256, .filters = 64, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_256x56x56x64_3_plan;
static const NnrConvShape conv_256x56x56x128_shape = {.batch = 256, .channels = 256, .filters = 128, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_256x56x56x128_plan;
static const NnrConvShape conv_256x28x28x128_shape = {.batch = 256, .channels = 128, .filters = 128, .groups = 1, .in = {56, 56}, .out = {28, 28}, .size = {3, 3}, .stride = {2, 2}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_256x28x28x128_plan;
static const NnrConvShape conv_256x28x28x512_shape = {.batch = 256, .channels = 128, .filters = 512, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_256x28x28x512_plan;
static const NnrConvShape conv_256x28x28x512_2_shape = {.batch = 256, .channels = 256, .filters = 512, .groups = 1, .in = {56, 56}, .out = {28, 28}, .size = {1, 1}, .stride = {2, 2}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_256x28x28x512_2_plan;
static const NnrConvShape conv_256x28x28x128_2_shape = {.batch = 256, .channels = 512, .filters = 128, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_256x28x28x128_2_plan;
static const NnrConvShape conv_256x28x28x128_3_shape = {.batch = 256, .channels = 128, .filters = 128, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_256x28x28x128_3_plan;
static const NnrConvShape conv_256x28x28x256_shape = {.batch = 256, .channels = 512, .filters = 256, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_256x28x28x256_plan;
static const NnrConvShape conv_256x14x14x256_shape = {.batch = 256, .channels = 256, .filters = 256, .groups = 1, .in = {28, 28}, .out = {14, 14}, .size = {3, 3}, .stride = {2, 2}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_256x14x14x256_plan;
static const NnrConvShape conv_256x14x14x1024_shape = {.batch = 256, .channels = 256, .filters = 1024, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_256x14x14x1024_plan;
static const NnrConvShape conv_256x14x14x1024_2_shape = {.batch = 256, .channels = 512, .filters = 1024, .groups = 1, .in = {28, 28}, .out = {14, 14}, .size = {1, 1}, .stride = {2, 2}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_256x14x14x1024_2_plan;
static const NnrConvShape conv_256x14x14x256_2_shape = {.batch = 256, .channels = 1024, .filters = 256, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_256x14x14x256_2_plan;
static const NnrConvShape conv_256x14x14x256_3_shape = {.batch = 256, .channels = 256, .filters = 256, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_256x14x14x256_3_plan;
static const NnrConvShape conv_256x14x14x512_shape = {.batch = 256, .channels = 1024, .filters = 512, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_256x14x14x512_plan;
static const NnrConvShape conv_256x7x7x512_shape = {.batch = 256, .channels = 512, .filters = 512, .groups = 1, .in = {14, 14}, .out = {7, 7}, .size = {3, 3}, .stride = {2, 2}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_256x7x7x512_plan;
static const NnrConvShape conv_256x7x7x2048_shape = {.batch = 256, .channels = 512, .filters = 2048, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_256x7x7x2048_plan;
static const NnrConvShape conv_256x7x7x2048_2_shape = {.batch = 256, .channels = 1024, .filters = 2048, .groups = 1, .in = {14, 14}, .out = {7, 7}, .size = {1, 1}, .stride = {2, 2}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_256x7x7x2048_2_plan;
static const NnrConvShape conv_256x7x7x512_2_shape = {.batch = 256, .channels = 2048, .filters = 512, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_256x7x7x512_2_plan;
static const NnrConvShape conv_256x7x7x512_3_shape = {.batch = 256, .channels = 512, .filters = 512, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_256x7x7x512_3_plan;
static void conv_any_size(const NnrConvShape *shape, NnrPlan **plan, const float *x, const float *w, float *y)
{
	nnr_cudnn_conv_fprop(plan, shape, NNR_F32, x, w, y);
}

static NnrKernel batchnorm_relu_round_tf32_802816x64_kernel = {.name = "batchnorm_relu_round_tf32_802816x64", .blocks = 50176, .threads = 256};
static NnrKernel batchnorm_relu_round_tf32_802816x128_kernel = {.name = "batchnorm_relu_round_tf32_802816x128", .blocks = 100352, .threads = 256};
static NnrKernel batchnorm_relu_round_tf32_200704x128_kernel = {.name = "batchnorm_relu_round_tf32_200704x128", .blocks = 25088, .threads = 256};
static NnrKernel batchnorm_relu_round_tf32_200704x256_kernel = {.name = "batchnorm_relu_round_tf32_200704x256", .blocks = 50176, .threads = 256};
static NnrKernel batchnorm_relu_round_tf32_50176x256_kernel = {.name = "batchnorm_relu_round_tf32_50176x256", .blocks = 12544, .threads = 256};
static NnrKernel batchnorm_relu_round_tf32_50176x512_kernel = {.name = "batchnorm_relu_round_tf32_50176x512", .blocks = 25088, .threads = 256};
static NnrKernel batchnorm_relu_round_tf32_12544x512_kernel = {.name = "batchnorm_relu_round_tf32_12544x512", .blocks = 6272, .threads = 256};
static void batchnorm_relu_round_tf32(NnrKernel *kernel, const float *conv, const float *mean, const float *scale, const float *bias, float *round_tf32)
{
	nnr_launch(kernel, (void *[]){&conv, &mean, &scale, &bias, &round_tf32});
}

static NnrKernel batchnorm_add_relu_802816x256_kernel = {.name = "batchnorm_add_relu_802816x256", .blocks = 200704, .threads = 256};
static NnrKernel batchnorm_add_relu_200704x512_kernel = {.name = "batchnorm_add_relu_200704x512", .blocks = 100352, .threads = 256};
static NnrKernel batchnorm_add_relu_50176x1024_kernel = {.name = "batchnorm_add_relu_50176x1024", .blocks = 50176, .threads = 256};
static NnrKernel batchnorm_add_relu_12544x2048_kernel = {.name = "batchnorm_add_relu_12544x2048", .blocks = 25088, .threads = 256};
static void batchnorm_add_relu(NnrKernel *kernel, const float *conv, const float *mean, const float *scale, const float *bias, const float *conv_2, const float *mean_2, const float *scale_2, const float *bias_2, float *relu)
{
	nnr_launch(kernel, (void *[]){&conv, &mean, &scale, &bias, &conv_2, &mean_2, &scale_2, &bias_2, &relu});
}

static NnrKernel batchnorm_add_relu_backward_802816x256_kernel = {.name = "batchnorm_add_relu_backward_802816x256", .blocks = 200704, .threads = 256};
static NnrKernel batchnorm_add_relu_backward_round_tf32_802816x256_kernel = {.name = "batchnorm_add_relu_backward_round_tf32_802816x256", .blocks = 200704, .threads = 256};
static NnrKernel batchnorm_add_relu_backward_200704x512_kernel = {.name = "batchnorm_add_relu_backward_200704x512", .blocks = 100352, .threads = 256};
static NnrKernel batchnorm_add_relu_backward_round_tf32_200704x512_kernel = {.name = "batchnorm_add_relu_backward_round_tf32_200704x512", .blocks = 100352, .threads = 256};
static NnrKernel batchnorm_add_relu_backward_50176x1024_kernel = {.name = "batchnorm_add_relu_backward_50176x1024", .blocks = 50176, .threads = 256};
static NnrKernel batchnorm_add_relu_backward_round_tf32_50176x1024_kernel = {.name = "batchnorm_add_relu_backward_round_tf32_50176x1024", .blocks = 50176, .threads = 256};
static NnrKernel batchnorm_add_relu_backward_12544x2048_kernel = {.name = "batchnorm_add_relu_backward_12544x2048", .blocks = 25088, .threads = 256};
static NnrKernel batchnorm_add_relu_backward_avgpool_256x49x2048_kernel = {.name = "batchnorm_add_relu_backward_avgpool_256x49x2048", .blocks = 16384, .threads = 256};
static void launch_7(NnrKernel *kernel, const float *conv, const float *mean, const float *scale, const float *bias, const float *relu, float *relu_2, uint8_t *positive)
{
	nnr_launch(kernel, (void *[]){&conv, &mean, &scale, &bias, &relu, &relu_2, &positive});
}

/* matmul(a, b)
 * resnet.net:12
 * of 3 sizes: 256x1000, 1000x2048, 256x2048 */
static const NnrProductShape matmul_256x1000_shape = {.batch = 1, .m = 256, .n = 1000, .k = 2048, .ta = false, .tb = true};
static NnrPlan *matmul_256x1000_plan;
static const NnrProductShape matmul_1000x2048_shape = {.batch = 1, .m = 1000, .n = 2048, .k = 256, .ta = true, .tb = false};
static NnrPlan *matmul_1000x2048_plan;
static const NnrProductShape matmul_256x2048_shape = {.batch = 1, .m = 256, .n = 2048, .k = 1000, .ta = false, .tb = false};
static NnrPlan *matmul_256x2048_plan;
static void matmul_any_size(const NnrProductShape *shape, NnrPlan **plan, const float *a, const float *b, float *y)
{
	nnr_cublas_matmul(plan, shape, NNR_F32, a, b, y);
}

static void bias_backward_cross_entropy_backward_top1_mean_256x1000(float *matmul, const float *bias, const int32_t *label, float *partial)
{
	static NnrKernel kernel = {.name = "bias_backward_cross_entropy_backward_top1_mean_256x1000", .blocks = 128, .threads = 256};
	nnr_launch(&kernel, (void *[]){&matmul, &bias, &label, &partial});
}

static void mean_bias_backward_256x1000(float *mean, float *mean_2, float *dbias, float *partial)
{
	static NnrKernel kernel = {.name = "mean_bias_backward_256x1000", .blocks = 64, .threads = 160};
	nnr_launch(&kernel, (void *[]){&mean, &mean_2, &dbias, &partial});
}

static void avgpool_backward_524288(float *dy)
{
	static NnrKernel kernel = {.name = "avgpool_backward_524288", .blocks = 512, .threads = 256};
	nnr_launch(&kernel, (void *[]){&dy});
}

static void relu_batchnorm_backward_sums_256x49x2048(const uint8_t *positive, const float *dy, const float *conv, const float *mean, const float *scale, const float *rstd, float *centred_scale, float *shift, float *dweight, float *dy_sum, float *partial)
{
	static NnrKernel kernel = {.name = "relu_batchnorm_backward_sums_256x49x2048", .blocks = 528, .threads = 256};
	nnr_launch(&kernel, (void *[]){&positive, &dy, &conv, &mean, &scale, &rstd, &centred_scale, &shift, &dweight, &dy_sum, &partial});
}

static void relu_batchnorm_backward_256x49x2048(const uint8_t *positive, const float *dy, const float *scale, float *conv, const float *mean, const float *centred_scale, const float *shift)
{
	static NnrKernel kernel = {.name = "relu_batchnorm_backward_256x49x2048", .blocks = 25088, .threads = 256};
	nnr_launch(&kernel, (void *[]){&positive, &dy, &scale, &conv, &mean, &centred_scale, &shift});
}

/* conv_wgrad(x, dy)
 * residual.net:7
 * of 22 sizes: 2048x1x1x512, 512x3x3x512, 512x1x1x2048, 2048x1x1x1024, 512x3x3x512_2, 512x1x1x1024, 1024x1x1x256, 256x3x3x256 ... */
static NnrPlan *conv_wgrad_2048x1x1x512_plan;
static NnrPlan *conv_wgrad_512x3x3x512_plan;
static NnrPlan *conv_wgrad_512x1x1x2048_plan;
static NnrPlan *conv_wgrad_2048x1x1x1024_plan;
static NnrPlan *conv_wgrad_512x3x3x512_2_plan;
static NnrPlan *conv_wgrad_512x1x1x1024_plan;
static NnrPlan *conv_wgrad_1024x1x1x256_plan;
static NnrPlan *conv_wgrad_256x3x3x256_plan;
static NnrPlan *conv_wgrad_256x1x1x1024_plan;
static NnrPlan *conv_wgrad_1024x1x1x512_plan;
static NnrPlan *conv_wgrad_256x3x3x256_2_plan;
static NnrPlan *conv_wgrad_256x1x1x512_plan;
static NnrPlan *conv_wgrad_512x1x1x128_plan;
static NnrPlan *conv_wgrad_128x3x3x128_plan;
static NnrPlan *conv_wgrad_128x1x1x512_plan;
static NnrPlan *conv_wgrad_512x1x1x256_plan;
static NnrPlan *conv_wgrad_128x3x3x128_2_plan;
static NnrPlan *conv_wgrad_128x1x1x256_plan;
static NnrPlan *conv_wgrad_256x1x1x64_plan;
static NnrPlan *conv_wgrad_64x3x3x64_plan;
static NnrPlan *conv_wgrad_64x1x1x256_plan;
static NnrPlan *conv_wgrad_64x1x1x64_plan;
static void conv_wgrad(const NnrConvShape *shape, NnrPlan **plan, const float *x, const float *dy, float *dw)
{
	nnr_cudnn_conv_wgrad(plan, shape, NNR_F32, x, dy, dw);
}

/* conv_dgrad(dy, w)
 * residual.net:7
 * of 22 sizes: 256x7x7x512, 256x7x7x512_2, 256x7x7x2048, 256x7x7x1024, 256x14x14x512, 256x14x14x1024, 256x14x14x256, 256x14x14x256_2 ... */
static NnrPlan *conv_dgrad_256x7x7x512_plan;
static NnrPlan *conv_dgrad_256x7x7x512_2_plan;
static NnrPlan *conv_dgrad_256x7x7x2048_plan;
static const NnrConvShape conv_dgrad_256x7x7x1024_shape = {.batch = 256, .channels = 1024, .filters = 2048, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x7x7x1024_plan;
static NnrPlan *conv_dgrad_256x14x14x512_plan;
static NnrPlan *conv_dgrad_256x14x14x1024_plan;
static NnrPlan *conv_dgrad_256x14x14x256_plan;
static NnrPlan *conv_dgrad_256x14x14x256_2_plan;
static NnrPlan *conv_dgrad_256x14x14x1024_2_plan;
static const NnrConvShape conv_dgrad_256x14x14x512_2_shape = {.batch = 256, .channels = 512, .filters = 1024, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x14x14x512_2_plan;
static NnrPlan *conv_dgrad_256x28x28x256_plan;
static NnrPlan *conv_dgrad_256x28x28x512_plan;
static NnrPlan *conv_dgrad_256x28x28x128_plan;
static NnrPlan *conv_dgrad_256x28x28x128_2_plan;
static NnrPlan *conv_dgrad_256x28x28x512_2_plan;
static const NnrConvShape conv_dgrad_256x28x28x256_2_shape = {.batch = 256, .channels = 256, .filters = 512, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x28x28x256_2_plan;
static NnrPlan *conv_dgrad_256x56x56x128_plan;
static NnrPlan *conv_dgrad_256x56x56x256_plan;
static NnrPlan *conv_dgrad_256x56x56x64_plan;
static NnrPlan *conv_dgrad_256x56x56x64_2_plan;
static NnrPlan *conv_dgrad_256x56x56x256_2_plan;
static NnrPlan *conv_dgrad_256x56x56x64_3_plan;
static void conv_dgrad_any_size(const NnrConvShape *shape, NnrPlan **plan, const float *dy, const float *w, float *dx)
{
	nnr_cudnn_conv_dgrad(plan, shape, NNR_F32, dy, w, dx);
}

static NnrKernel batchnorm_relu_backward_sums_12544x512_kernel = {.name = "batchnorm_relu_backward_sums_12544x512", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_relu_backward_sums_50176x512_kernel = {.name = "batchnorm_relu_backward_sums_50176x512", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_relu_backward_sums_50176x256_kernel = {.name = "batchnorm_relu_backward_sums_50176x256", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_relu_backward_sums_200704x256_kernel = {.name = "batchnorm_relu_backward_sums_200704x256", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_relu_backward_sums_200704x128_kernel = {.name = "batchnorm_relu_backward_sums_200704x128", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_relu_backward_sums_802816x128_kernel = {.name = "batchnorm_relu_backward_sums_802816x128", .blocks = 528, .threads = 256};
static NnrKernel batchnorm_relu_backward_sums_802816x64_kernel = {.name = "batchnorm_relu_backward_sums_802816x64", .blocks = 528, .threads = 256};
static void batchnorm_relu_backward_sums(NnrKernel *kernel, const float *conv, const float *mean, const float *scale, const float *bias, const float *dy, const float *rstd, float *centred_scale, float *shift, float *dweight, float *dy_sum, float *partial)
{
	nnr_launch(kernel, (void *[]){&conv, &mean, &scale, &bias, &dy, &rstd, &centred_scale, &shift, &dweight, &dy_sum, &partial});
}

static NnrKernel batchnorm_relu_backward_12544x512_kernel = {.name = "batchnorm_relu_backward_12544x512", .blocks = 6272, .threads = 256};
static NnrKernel batchnorm_relu_backward_50176x512_kernel = {.name = "batchnorm_relu_backward_50176x512", .blocks = 25088, .threads = 256};
static NnrKernel batchnorm_relu_backward_50176x256_kernel = {.name = "batchnorm_relu_backward_50176x256", .blocks = 12544, .threads = 256};
static NnrKernel batchnorm_relu_backward_200704x256_kernel = {.name = "batchnorm_relu_backward_200704x256", .blocks = 50176, .threads = 256};
static NnrKernel batchnorm_relu_backward_200704x128_kernel = {.name = "batchnorm_relu_backward_200704x128", .blocks = 25088, .threads = 256};
static NnrKernel batchnorm_relu_backward_802816x128_kernel = {.name = "batchnorm_relu_backward_802816x128", .blocks = 100352, .threads = 256};
static NnrKernel batchnorm_relu_backward_802816x64_kernel = {.name = "batchnorm_relu_backward_802816x64", .blocks = 50176, .threads = 256};
static void batchnorm_relu_backward(NnrKernel *kernel, float *conv, const float *mean, const float *scale, const float *bias, const float *dy, const float *centred_scale, const float *shift)
{
	nnr_launch(kernel, (void *[]){&conv, &mean, &scale, &bias, &dy, &centred_scale, &shift});
}

static void relu_add_batchnorm_backward_sums_256x49x2048(const uint8_t *positive, const float *dy, const float *conv_dgrad, const uint8_t *positive_2, const float *conv, const float *mean, const float *scale, const float *rstd, float *dx, float *centred_scale, float *shift, float *dweight, float *dy_sum, float *partial)
{
	static NnrKernel kernel = {.name = "relu_add_batchnorm_backward_sums_256x49x2048", .blocks = 256, .threads = 256};
	nnr_launch(&kernel, (void *[]){&positive, &dy, &conv_dgrad, &positive_2, &conv, &mean, &scale, &rstd, &dx, &centred_scale, &shift, &dweight, &dy_sum, &partial});
}

static NnrKernel batchnorm_backward_12544x2048_kernel = {.name = "batchnorm_backward_12544x2048", .blocks = 25088, .threads = 256};
static NnrKernel batchnorm_backward_50176x1024_kernel = {.name = "batchnorm_backward_50176x1024", .blocks = 50176, .threads = 256};
static NnrKernel batchnorm_backward_200704x512_kernel = {.name = "batchnorm_backward_200704x512", .blocks = 100352, .threads = 256};
static NnrKernel batchnorm_backward_802816x256_kernel = {.name = "batchnorm_backward_802816x256", .blocks = 200704, .threads = 256};
static void batchnorm_backward(NnrKernel *kernel, const float *dy, const float *scale, float *conv, const float *mean, const float *centred_scale, const float *shift)
{
	nnr_launch(kernel, (void *[]){&dy, &scale, &conv, &mean, &centred_scale, &shift});
}

static NnrKernel add_batchnorm_relu_backward_sums_12544x2048_kernel = {.name = "add_batchnorm_relu_backward_sums_12544x2048", .blocks = 256, .threads = 256};
static NnrKernel add_batchnorm_relu_backward_sums_50176x1024_kernel = {.name = "add_batchnorm_relu_backward_sums_50176x1024", .blocks = 264, .threads = 256};
static NnrKernel add_batchnorm_relu_backward_sums_200704x512_kernel = {.name = "add_batchnorm_relu_backward_sums_200704x512", .blocks = 264, .threads = 256};
static NnrKernel add_batchnorm_relu_backward_sums_802816x256_kernel = {.name = "add_batchnorm_relu_backward_sums_802816x256", .blocks = 264, .threads = 256};
static void add_batchnorm_relu_backward_sums(NnrKernel *kernel, const float *dy, const float *conv_dgrad, const float *conv, const float *mean, const float *scale, const float *bias, const float *conv_2, const float *mean_2, const float *scale_2, const float *bias_2, const float *rstd, const float *rstd_2, float *dx, float *centred_scale, float *shift, float *dweight, float *dy_sum, float *centred_scale_2, float *shift_2, float *dweight_2, float *dy_sum_2, float *partial)
{
	nnr_launch(kernel, (void *[]){&dy, &conv_dgrad, &conv, &mean, &scale, &bias, &conv_2, &mean_2, &scale_2, &bias_2, &rstd, &rstd_2, &dx, &centred_scale, &shift, &dweight, &dy_sum, &centred_scale_2, &shift_2, &dweight_2, &dy_sum_2, &partial});
}

static NnrKernel batchnorm_backward_12544x2048_2_kernel = {.name = "batchnorm_backward_12544x2048_2", .blocks = 25088, .threads = 256};
static NnrKernel batchnorm_backward_50176x1024_2_kernel = {.name = "batchnorm_backward_50176x1024_2", .blocks = 50176, .threads = 256};
static NnrKernel batchnorm_backward_200704x512_2_kernel = {.name = "batchnorm_backward_200704x512_2", .blocks = 100352, .threads = 256};
static NnrKernel batchnorm_backward_802816x256_2_kernel = {.name = "batchnorm_backward_802816x256_2", .blocks = 200704, .threads = 256};
static void batchnorm_backward_2(NnrKernel *kernel, float *dy, const float *scale, const float *conv, const float *mean, const float *centred_scale, const float *shift)
{
	nnr_launch(kernel, (void *[]){&dy, &scale, &conv, &mean, &centred_scale, &shift});
}

static NnrKernel relu_conv_add_batchnorm_backward_sums_256x14x14x1024_kernel = {.name = "relu_conv_add_batchnorm_backward_sums_256x14x14x1024", .blocks = 264, .threads = 256};
static NnrKernel relu_conv_add_batchnorm_backward_sums_256x28x28x512_kernel = {.name = "relu_conv_add_batchnorm_backward_sums_256x28x28x512", .blocks = 264, .threads = 256};
static NnrKernel relu_conv_add_batchnorm_backward_sums_256x56x56x256_kernel = {.name = "relu_conv_add_batchnorm_backward_sums_256x56x56x256", .blocks = 264, .threads = 256};
static void relu_conv_add_batchnorm_backward_sums(NnrKernel *kernel, const uint8_t *positive, const float *conv_dgrad, const float *conv_dgrad_2, const float *conv, const float *mean, const float *scale, const float *rstd, float *dx, float *centred_scale, float *shift, float *dweight, float *dy_sum, float *partial)
{
	nnr_launch(kernel, (void *[]){&positive, &conv_dgrad, &conv_dgrad_2, &conv, &mean, &scale, &rstd, &dx, &centred_scale, &shift, &dweight, &dy_sum, &partial});
}

static NnrKernel add_relu_batchnorm_backward_sums_50176x1024_kernel = {.name = "add_relu_batchnorm_backward_sums_50176x1024", .blocks = 264, .threads = 256};
static NnrKernel add_relu_batchnorm_backward_sums_200704x512_kernel = {.name = "add_relu_batchnorm_backward_sums_200704x512", .blocks = 264, .threads = 256};
static NnrKernel add_relu_batchnorm_backward_sums_802816x256_kernel = {.name = "add_relu_batchnorm_backward_sums_802816x256", .blocks = 264, .threads = 256};
static void add_relu_batchnorm_backward_sums(NnrKernel *kernel, const float *dy, const float *conv_dgrad, const uint8_t *positive, const float *conv, const float *mean, const float *scale, const float *rstd, float *dx, float *centred_scale, float *shift, float *dweight, float *dy_sum, float *partial)
{
	nnr_launch(kernel, (void *[]){&dy, &conv_dgrad, &positive, &conv, &mean, &scale, &rstd, &dx, &centred_scale, &shift, &dweight, &dy_sum, &partial});
}

static void add_backward_batchnorm_backward_relu_sums_802816x64(const float *conv_dgrad, const float *conv_dgrad_2, const float *select, const float *mean, const float *scale, const float *bias, const float *rstd, float *dx, float *centred_scale, float *shift, float *dweight, float *dy_sum, float *partial)
{
	static NnrKernel kernel = {.name = "add_backward_batchnorm_backward_relu_sums_802816x64", .blocks = 264, .threads = 256};
	nnr_launch(&kernel, (void *[]){&conv_dgrad, &conv_dgrad_2, &select, &mean, &scale, &bias, &rstd, &dx, &centred_scale, &shift, &dweight, &dy_sum, &partial});
}

static NnrKernel sgd_25557032_kernel = {.name = "sgd_25557032", .blocks = 33, .threads = 1024};
static NnrKernel sgd_25557032_2_kernel = {.name = "sgd_25557032_2", .blocks = 10, .threads = 256};
static void sgd(NnrKernel *kernel, float *params, const float *pack, float *momentum, const NnrScalars *s)
{
	nnr_launch(kernel, (void *[]){&params, &pack, &momentum, &s});
}

static void maxpool_batchnorm_backward_256x112x112x64(const float *dy, const uint8_t *place, const float *scale, float *conv, const float *mean, const float *centred_scale, const float *shift)
{
	static NnrKernel kernel = {.name = "maxpool_batchnorm_backward_256x112x112x64", .blocks = 51984, .threads = 256};
	nnr_launch(&kernel, (void *[]){&dy, &place, &scale, &conv, &mean, &centred_scale, &shift});
}

static void conv_backward_264x9408(const float *conv_wgrad_parts, float *sum, float *partial)
{
	static NnrKernel kernel = {.name = "conv_backward_264x9408", .blocks = 441, .threads = 256};
	nnr_launch(&kernel, (void *[]){&conv_wgrad_parts, &sum, &partial});
}

static NnrKernel batchnorm_folded_64_kernel = {.name = "batchnorm_folded_64", .blocks = 1, .threads = 256};
static NnrKernel batchnorm_folded_256_2_kernel = {.name = "batchnorm_folded_256_2", .blocks = 1, .threads = 256};
static NnrKernel batchnorm_folded_128_kernel = {.name = "batchnorm_folded_128", .blocks = 1, .threads = 256};
static NnrKernel batchnorm_folded_512_2_kernel = {.name = "batchnorm_folded_512_2", .blocks = 1, .threads = 256};
static NnrKernel batchnorm_folded_1024_2_kernel = {.name = "batchnorm_folded_1024_2", .blocks = 1, .threads = 256};
static NnrKernel batchnorm_folded_2048_2_kernel = {.name = "batchnorm_folded_2048_2", .blocks = 2, .threads = 256};
static void batchnorm_folded(NnrKernel *kernel, const float *running_var, const float *weight, const float *running_mean, const float *bias, float *scale, float *folded_bias)
{
	nnr_launch(kernel, (void *[]){&running_var, &weight, &running_mean, &bias, &scale, &folded_bias});
}

static NnrKernel batchnorm_folded_256_kernel = {.name = "batchnorm_folded_256", .blocks = 1, .threads = 256};
static NnrKernel batchnorm_folded_512_kernel = {.name = "batchnorm_folded_512", .blocks = 1, .threads = 256};
static NnrKernel batchnorm_folded_1024_kernel = {.name = "batchnorm_folded_1024", .blocks = 1, .threads = 256};
static NnrKernel batchnorm_folded_2048_kernel = {.name = "batchnorm_folded_2048", .blocks = 2, .threads = 256};
static void batchnorm_folded_2(NnrKernel *kernel, const float *running_var, const float *weight, const float *running_mean, const float *bias, const float *running_var_2, const float *weight_2, const float *running_mean_2, const float *bias_2, float *scale, float *scale_2, float *folded_bias)
{
	nnr_launch(kernel, (void *[]){&running_var, &weight, &running_mean, &bias, &running_var_2, &weight_2, &running_mean_2, &bias_2, &scale, &scale_2, &folded_bias});
}

static NnrKernel round_tf32_2048000_kernel = {.name = "round_tf32_2048000", .blocks = 2000, .threads = 256};
static NnrKernel maxpool_round_tf32_256x56x56x64_kernel = {.name = "maxpool_round_tf32_256x56x56x64", .blocks = 50176, .threads = 256};
static void launch_2(NnrKernel *kernel, const float *weight, float *round_tf32)
{
	nnr_launch(kernel, (void *[]){&weight, &round_tf32});
}

static NnrKernel conv_bias_relu_256x112x112x64_kernel = {.name = "conv_bias_relu_256x112x112x64", .blocks = 264, .threads = 256, .shared_bytes = 101152};
static NnrKernel bias_add_relu_avgpool_256x49x2048_kernel = {.name = "bias_add_relu_avgpool_256x49x2048", .blocks = 16384, .threads = 256};
static void launch_4(NnrKernel *kernel, const float *x, const float *w, const float *bias, float *relu)
{
	nnr_launch(kernel, (void *[]){&x, &w, &bias, &relu});
}

/* relu((conv(x, w) + bias))
 * residual.net:7,9,23
 * of 15 sizes: 256x56x56x64, 256x56x56x64_2, 256x56x56x64_3, 256x56x56x128, 256x28x28x128, 256x28x28x128_2, 256x28x28x128_3, 256x28x28x256 ... */
static NnrKernel conv_bias_relu_256x56x56x64_after = {.name = "bias_relu_802816x64", .blocks = 50176, .threads = 256};
static const NnrEpilogue conv_bias_relu_256x56x56x64_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x56x56x64_after, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x56x56x64_plan;
static NnrKernel conv_bias_relu_256x56x56x64_2_after = {.name = "bias_relu_802816x64", .blocks = 50176, .threads = 256};
static const NnrEpilogue conv_bias_relu_256x56x56x64_2_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x56x56x64_2_after, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x56x56x64_2_plan;
static NnrKernel conv_bias_relu_256x56x56x64_3_after = {.name = "bias_relu_802816x64", .blocks = 50176, .threads = 256};
static const NnrEpilogue conv_bias_relu_256x56x56x64_3_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x56x56x64_3_after, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x56x56x64_3_plan;
static NnrKernel conv_bias_relu_256x56x56x128_after = {.name = "bias_relu_802816x128", .blocks = 100352, .threads = 256};
static const NnrEpilogue conv_bias_relu_256x56x56x128_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x56x56x128_after, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x56x56x128_plan;
static NnrKernel conv_bias_relu_256x28x28x128_after = {.name = "bias_relu_200704x128", .blocks = 25088, .threads = 256};
static const NnrEpilogue conv_bias_relu_256x28x28x128_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x28x28x128_after, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x28x28x128_plan;
static NnrKernel conv_bias_relu_256x28x28x128_2_after = {.name = "bias_relu_200704x128", .blocks = 25088, .threads = 256};
static const NnrEpilogue conv_bias_relu_256x28x28x128_2_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x28x28x128_2_after, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x28x28x128_2_plan;
static NnrKernel conv_bias_relu_256x28x28x128_3_after = {.name = "bias_relu_200704x128", .blocks = 25088, .threads = 256};
static const NnrEpilogue conv_bias_relu_256x28x28x128_3_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x28x28x128_3_after, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x28x28x128_3_plan;
static NnrKernel conv_bias_relu_256x28x28x256_after = {.name = "bias_relu_200704x256", .blocks = 50176, .threads = 256};
static const NnrEpilogue conv_bias_relu_256x28x28x256_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x28x28x256_after, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x28x28x256_plan;
static NnrKernel conv_bias_relu_256x14x14x256_after = {.name = "bias_relu_50176x256", .blocks = 12544, .threads = 256};
static const NnrEpilogue conv_bias_relu_256x14x14x256_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x14x14x256_after, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x14x14x256_plan;
static NnrKernel conv_bias_relu_256x14x14x256_2_after = {.name = "bias_relu_50176x256", .blocks = 12544, .threads = 256};
static const NnrEpilogue conv_bias_relu_256x14x14x256_2_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x14x14x256_2_after, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x14x14x256_2_plan;
static NnrKernel conv_bias_relu_256x14x14x256_3_after = {.name = "bias_relu_50176x256", .blocks = 12544, .threads = 256};
static const NnrEpilogue conv_bias_relu_256x14x14x256_3_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x14x14x256_3_after, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x14x14x256_3_plan;
static NnrKernel conv_bias_relu_256x14x14x512_after = {.name = "bias_relu_50176x512", .blocks = 25088, .threads = 256};
static const NnrEpilogue conv_bias_relu_256x14x14x512_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x14x14x512_after, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x14x14x512_plan;
static NnrKernel conv_bias_relu_256x7x7x512_after = {.name = "bias_relu_12544x512", .blocks = 6272, .threads = 256};
static const NnrEpilogue conv_bias_relu_256x7x7x512_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x7x7x512_after, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x7x7x512_plan;
static NnrKernel conv_bias_relu_256x7x7x512_2_after = {.name = "bias_relu_12544x512", .blocks = 6272, .threads = 256};
static const NnrEpilogue conv_bias_relu_256x7x7x512_2_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x7x7x512_2_after, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x7x7x512_2_plan;
static NnrKernel conv_bias_relu_256x7x7x512_3_after = {.name = "bias_relu_12544x512", .blocks = 6272, .threads = 256};
static const NnrEpilogue conv_bias_relu_256x7x7x512_3_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x7x7x512_3_after, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x7x7x512_3_plan;
static void conv_bias_relu(const NnrConvShape *shape, const NnrEpilogue *epilogue, NnrPlan **plan, const float *x, const float *w, float *y, const float *bias)
{
	nnr_cudnn_conv_epilogue(plan, shape, epilogue, NNR_F32, x, w, NULL, bias, y);
}

/* relu(((conv(x, w) + conv) + bias))
 * residual.net:7,28
 * of 4 sizes: 256x56x56x256, 256x28x28x512, 256x14x14x1024, 256x7x7x2048 */
static NnrKernel conv_add_bias_relu_256x56x56x256_after = {.name = "add_bias_relu_802816x256", .blocks = 200704, .threads = 256};
static const NnrEpilogue conv_add_bias_relu_256x56x56x256_epilogue = {.activation = NNR_RELU, .kernel = &conv_add_bias_relu_256x56x56x256_after, .arguments = "yrb"};
static NnrPlan *conv_add_bias_relu_256x56x56x256_plan;
static NnrKernel conv_add_bias_relu_256x28x28x512_after = {.name = "add_bias_relu_200704x512", .blocks = 100352, .threads = 256};
static const NnrEpilogue conv_add_bias_relu_256x28x28x512_epilogue = {.activation = NNR_RELU, .kernel = &conv_add_bias_relu_256x28x28x512_after, .arguments = "yrb"};
static NnrPlan *conv_add_bias_relu_256x28x28x512_plan;
static NnrKernel conv_add_bias_relu_256x14x14x1024_after = {.name = "add_bias_relu_50176x1024", .blocks = 50176, .threads = 256};
static const NnrEpilogue conv_add_bias_relu_256x14x14x1024_epilogue = {.activation = NNR_RELU, .kernel = &conv_add_bias_relu_256x14x14x1024_after, .arguments = "yrb"};
static NnrPlan *conv_add_bias_relu_256x14x14x1024_plan;
static NnrKernel conv_add_bias_relu_256x7x7x2048_after = {.name = "add_bias_relu_12544x2048", .blocks = 25088, .threads = 256};
static const NnrEpilogue conv_add_bias_relu_256x7x7x2048_epilogue = {.activation = NNR_RELU, .kernel = &conv_add_bias_relu_256x7x7x2048_after, .arguments = "yrb"};
static NnrPlan *conv_add_bias_relu_256x7x7x2048_plan;
static void conv_add_bias_relu(const NnrConvShape *shape, const NnrEpilogue *epilogue, NnrPlan **plan, const float *x, const float *w, float *y, const float *conv, const float *bias)
{
	nnr_cudnn_conv_epilogue(plan, shape, epilogue, NNR_F32, x, w, conv, bias, y);
}

/* relu(((conv(x, w) + bias) + relu))
 * residual.net:7,9,28
 * of 4 sizes: 256x56x56x256, 256x28x28x512, 256x14x14x1024, 256x7x7x2048 */
static NnrKernel conv_bias_add_relu_256x56x56x256_after = {.name = "bias_add_relu_802816x256", .blocks = 200704, .threads = 256};
static const NnrEpilogue conv_bias_add_relu_256x56x56x256_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_add_relu_256x56x56x256_after, .arguments = "ybr"};
static NnrPlan *conv_bias_add_relu_256x56x56x256_plan;
static NnrKernel conv_bias_add_relu_256x28x28x512_after = {.name = "bias_add_relu_200704x512", .blocks = 100352, .threads = 256};
static const NnrEpilogue conv_bias_add_relu_256x28x28x512_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_add_relu_256x28x28x512_after, .arguments = "ybr"};
static NnrPlan *conv_bias_add_relu_256x28x28x512_plan;
static NnrKernel conv_bias_add_relu_256x14x14x1024_after = {.name = "bias_add_relu_50176x1024", .blocks = 50176, .threads = 256};
static const NnrEpilogue conv_bias_add_relu_256x14x14x1024_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_add_relu_256x14x14x1024_after, .arguments = "ybr"};
static NnrPlan *conv_bias_add_relu_256x14x14x1024_plan;
static NnrKernel conv_bias_add_relu_256x7x7x2048_after = {.name = "bias_add_relu_12544x2048", .blocks = 25088, .threads = 256};
static const NnrEpilogue conv_bias_add_relu_256x7x7x2048_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_add_relu_256x7x7x2048_after, .arguments = "ybr"};
static NnrPlan *conv_bias_add_relu_256x7x7x2048_plan;
static void conv_bias_add_relu(const NnrConvShape *shape, const NnrEpilogue *epilogue, NnrPlan **plan, const float *x, const float *w, float *y, const float *bias, const float *relu)
{
	nnr_cudnn_conv_epilogue(plan, shape, epilogue, NNR_F32, x, w, relu, bias, y);
}

static void bias_cross_entropy_top1_256x1000(const float *matmul, const float *bias, const int32_t *label, float *dense, float *cross_entropy, float *is_right)
{
	static NnrKernel kernel = {.name = "bias_cross_entropy_top1_256x1000", .blocks = 32, .threads = 256};
	nnr_launch(&kernel, (void *[]){&matmul, &bias, &label, &dense, &cross_entropy, &is_right});
}

/* matmul(a, b) + bias
 * resnet.net:12
 * [256,1000]  1.0 GFLOP  11.3 MB */
static void matmul_bias_256x1000(const float *a, const float *b, float *y, const float *bias)
{
	static NnrKernel after = {.name = "bias_256x1000", .blocks = 250, .threads = 256};
	static const NnrProductShape shape = {.batch = 1, .m = 256, .n = 1000, .k = 2048, .ta = false, .tb = true};
	static const NnrEpilogue epilogue = {.kernel = &after, .arguments = "yb"};
	static NnrPlan *plan;
	nnr_cublas_matmul_epilogue(&plan, &shape, &epilogue, NNR_F32, a, b, NULL, bias, y);
}

/* One training step: 372 steps, 6.3 TFLOP, 167.9 GB moved, arena 22.7 GB (lower bound 22.6 GB, at step 214) */
/* 11 calls, 4 times: bottleneck, bottleneck_4, bottleneck_8, bottleneck_14 */
struct bottleneck_forward {
	const char *name;
	int step;
	const NnrConvShape *shape, *shape_2, *shape_3, *shape_4;
	NnrPlan **plan, **plan_2, **plan_3, **plan_4;
	size_t x, conv_bn_conv_weight, conv, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, mean, rstd,
	        scale, partial, conv_bn_batchnorm_bias, relu, conv_bn_2_conv_weight, conv_2, conv_bn_2_batchnorm_running_mean,
	        conv_bn_2_batchnorm_running_var, conv_bn_2_batchnorm_weight, mean_2, rstd_2, scale_2, conv_bn_2_batchnorm_bias, relu_2,
	        conv_bn_3_conv_weight, conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight, mean_3,
	        rstd_3, scale_3, partial_3, conv_bn_4_conv_weight, conv_4, conv_bn_4_batchnorm_running_mean, conv_bn_4_batchnorm_running_var,
	        conv_bn_4_batchnorm_weight, mean_4, rstd_4, scale_4, partial_4, conv_bn_3_batchnorm_bias, conv_bn_4_batchnorm_bias, x_2;
	NnrKernel *kernel, *kernel_2, *kernel_3, *kernel_4, *kernel_5, *kernel_6;
};
static const struct bottleneck_forward bottleneck_forward_at[4] = {
	{"bottleneck", 5, &conv_256x56x56x64_shape, &conv_256x56x56x64_2_shape, &conv_256x56x56x256_shape, &conv_256x56x56x256_shape,
	        &conv_256x56x56x64_plan, &conv_256x56x56x64_2_plan, &conv_256x56x56x256_plan, &conv_256x56x56x256_plan, 13769900032, 37632,
	        13975420928, 512, 768, 102012160, 22658216896, 22658217152, 22658217408, 822083584, 102012416, 14180941824, 54016, 14386462720,
	        1024, 1280, 102012672, 22658217664, 22658217920, 22658218176, 102012928, 14591983616, 201472, 1536, 2560, 102013184, 22658185408,
	        22658186432, 22658187456, 1644167168, 267008, 1644167168, 3584, 4608, 102015232, 22658188480, 22658189504, 22658190528, 2466250752,
	        102014208, 102016256, 2466250752, &batchnorm_statistics_802816x64_kernel, &batchnorm_relu_round_tf32_802816x64_kernel,
	        &batchnorm_statistics_802816x64_kernel, &batchnorm_relu_round_tf32_802816x64_kernel, &batchnorm_statistics_802816x256_kernel,
	        &batchnorm_add_relu_802816x256_kernel},
	{"bottleneck_4", 34, &conv_256x56x56x128_shape, &conv_256x28x28x128_shape, &conv_256x28x28x512_shape, &conv_256x28x28x512_2_shape,
	        &conv_256x56x56x128_plan, &conv_256x28x28x128_plan, &conv_256x28x28x512_plan, &conv_256x28x28x512_2_plan, 5754585088, 889600,
	        9042919424, 11776, 12288, 102023424, 22658203840, 22658204352, 22658204864, 6576668672, 102023936, 9453961216, 1020672, 18856542208,
	        12800, 13312, 102024448, 22658205376, 22658205888, 22658206400, 102024960, 18959302656, 1610496, 13824, 15872, 102025472,
	        22658154688, 22658156736, 22658158784, 6987710464, 1872640, 9865003008, 17920, 19968, 102029568, 22658160832, 22658162880,
	        22658164928, 6987710464, 102027520, 102031616, 10276044800, &batchnorm_statistics_802816x128_kernel,
	        &batchnorm_relu_round_tf32_802816x128_kernel, &batchnorm_statistics_200704x128_kernel, &batchnorm_relu_round_tf32_200704x128_kernel,
	        &batchnorm_statistics_200704x512_kernel, &batchnorm_add_relu_200704x512_kernel},
	{"bottleneck_8", 72, &conv_256x28x28x256_shape, &conv_256x14x14x256_shape, &conv_256x14x14x1024_shape, &conv_256x14x14x1024_2_shape,
	        &conv_256x28x28x256_plan, &conv_256x14x14x256_plan, &conv_256x14x14x1024_plan, &conv_256x14x14x1024_2_plan, 12742295552, 5739264,
	        16647192576, 40448, 41472, 102052096, 22658197696, 22658198720, 22658199744, 6987710464, 102053120, 16852713472, 6263552,
	        21270880448, 42496, 43520, 102054144, 22658200768, 22658201792, 22658202816, 102055168, 21322260672, 8622848, 44544, 48640,
	        102056192, 22658146496, 21018726400, 22658150592, 7193231360, 9671424, 17058234368, 52736, 56832, 102064384, 21018730496,
	        21018734592, 21018738688, 7193231360, 102060288, 102068480, 17263755264, &batchnorm_statistics_200704x256_kernel,
	        &batchnorm_relu_round_tf32_200704x256_kernel, &batchnorm_statistics_50176x256_kernel, &batchnorm_relu_round_tf32_50176x256_kernel,
	        &batchnorm_statistics_50176x1024_kernel, &batchnorm_add_relu_50176x1024_kernel},
	{"bottleneck_14", 128, &conv_256x14x14x512_shape, &conv_256x7x7x512_shape, &conv_256x7x7x2048_shape, &conv_256x7x7x2048_2_shape,
	        &conv_256x14x14x512_plan, &conv_256x7x7x512_plan, &conv_256x7x7x2048_plan, &conv_256x7x7x2048_2_plan, 18291359744, 34050816,
	        20500709376, 122368, 124416, 102134016, 7555342336, 7555344384, 7555346432, 7193231360, 102136064, 20603469824, 36147968,
	        22401245376, 126464, 128512, 102138112, 7555348480, 7555350528, 7555352576, 102140160, 22426935488, 45585152, 130560, 138752,
	        102142208, 7555252224, 7555260416, 7555268608, 7295991808, 49779456, 20706230272, 146944, 155136, 102158592, 7555276800, 7555284992,
	        7555293184, 7295991808, 102150400, 102166784, 7912554496, &batchnorm_statistics_50176x512_kernel,
	        &batchnorm_relu_round_tf32_50176x512_kernel, &batchnorm_statistics_12544x512_kernel, &batchnorm_relu_round_tf32_12544x512_kernel,
	        &batchnorm_statistics_12544x2048_kernel, &batchnorm_add_relu_12544x2048_kernel},
};
static void bottleneck_forward(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_forward *const at = &bottleneck_forward_at[i];
	nnr_step_of(at->name, at->step, "residual.net:7  conv(x, conv_bn_conv_weight)");
	float *const x = (float *)(m->arena + at->x);
	float *const conv_bn_conv_weight = (float *)(m->params + at->conv_bn_conv_weight);
	float *const conv = (float *)(m->arena + at->conv);
	conv_any_size(at->shape, at->plan, x, conv_bn_conv_weight, conv);
	nnr_step_of(at->name, at->step + 1, "residual.net:9  batchnorm_statistics of conv_bn");
	float *const first_place = (float *)(m->arena + at->conv);
	float *const conv_bn_batchnorm_running_mean = (float *)(m->state + at->conv_bn_batchnorm_running_mean);
	float *const conv_bn_batchnorm_running_var = (float *)(m->state + at->conv_bn_batchnorm_running_var);
	float *const conv_bn_batchnorm_weight = (float *)(m->params + at->conv_bn_batchnorm_weight);
	float *const mean = (float *)(m->arena + at->mean);
	float *const rstd = (float *)(m->arena + at->rstd);
	float *const scale = (float *)(m->arena + at->scale);
	float *const partial = (float *)(m->arena + at->partial);
	batchnorm_statistics(at->kernel, conv, first_place, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, mean, rstd, scale, partial);
	nnr_step_of(at->name, at->step + 2, "residual.net:9,23  round_tf32(relu((((conv - mean) * scale) + conv_bn_batchnorm_bias)))");
	float *const conv_bn_batchnorm_bias = (float *)(m->params + at->conv_bn_batchnorm_bias);
	float *const relu = (float *)(m->arena + at->relu);
	batchnorm_relu_round_tf32(at->kernel_2, conv, mean, scale, conv_bn_batchnorm_bias, relu);
	nnr_step_of(at->name, at->step + 3, "residual.net:7  conv(relu, conv_bn_2_conv_weight)");
	float *const conv_bn_2_conv_weight = (float *)(m->params + at->conv_bn_2_conv_weight);
	float *const conv_2 = (float *)(m->arena + at->conv_2);
	conv_any_size(at->shape_2, at->plan_2, relu, conv_bn_2_conv_weight, conv_2);
	nnr_step_of(at->name, at->step + 4, "residual.net:9  batchnorm_statistics of conv_bn_2");
	float *const first_place_2 = (float *)(m->arena + at->conv_2);
	float *const conv_bn_2_batchnorm_running_mean = (float *)(m->state + at->conv_bn_2_batchnorm_running_mean);
	float *const conv_bn_2_batchnorm_running_var = (float *)(m->state + at->conv_bn_2_batchnorm_running_var);
	float *const conv_bn_2_batchnorm_weight = (float *)(m->params + at->conv_bn_2_batchnorm_weight);
	float *const mean_2 = (float *)(m->arena + at->mean_2);
	float *const rstd_2 = (float *)(m->arena + at->rstd_2);
	float *const scale_2 = (float *)(m->arena + at->scale_2);
	float *const partial_2 = (float *)(m->arena + at->partial);                             // [33792]  135.2 kB
	batchnorm_statistics(at->kernel_3, conv_2, first_place_2, conv_bn_2_batchnorm_running_mean, conv_bn_2_batchnorm_running_var, conv_bn_2_batchnorm_weight, mean_2, rstd_2, scale_2, partial_2);
	nnr_step_of(at->name, at->step + 5, "residual.net:9,24  batchnorm_relu_round_tf32");
	float *const conv_bn_2_batchnorm_bias = (float *)(m->params + at->conv_bn_2_batchnorm_bias);
	float *const relu_2 = (float *)(m->arena + at->relu_2);
	batchnorm_relu_round_tf32(at->kernel_4, conv_2, mean_2, scale_2, conv_bn_2_batchnorm_bias, relu_2);
	nnr_step_of(at->name, at->step + 6, "residual.net:7  conv(relu_2, conv_bn_3_conv_weight)");
	float *const conv_bn_3_conv_weight = (float *)(m->params + at->conv_bn_3_conv_weight);
	float *const conv_3 = (float *)(m->arena + at->partial);
	conv_any_size(at->shape_3, at->plan_3, relu_2, conv_bn_3_conv_weight, conv_3);
	nnr_step_of(at->name, at->step + 7, "residual.net:9  batchnorm_statistics of conv_bn_3");
	float *const first_place_3 = (float *)(m->arena + at->partial);
	float *const conv_bn_3_batchnorm_running_mean = (float *)(m->state + at->conv_bn_3_batchnorm_running_mean);
	float *const conv_bn_3_batchnorm_running_var = (float *)(m->state + at->conv_bn_3_batchnorm_running_var);
	float *const conv_bn_3_batchnorm_weight = (float *)(m->params + at->conv_bn_3_batchnorm_weight);
	float *const mean_3 = (float *)(m->arena + at->mean_3);
	float *const rstd_3 = (float *)(m->arena + at->rstd_3);
	float *const scale_3 = (float *)(m->arena + at->scale_3);
	float *const partial_3 = (float *)(m->arena + at->partial_3);
	batchnorm_statistics(at->kernel_5, conv_3, first_place_3, conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight, mean_3, rstd_3, scale_3, partial_3);
	nnr_step_of(at->name, at->step + 8, "residual.net:7  conv(x, conv_bn_4_conv_weight)");
	float *const conv_bn_4_conv_weight = (float *)(m->params + at->conv_bn_4_conv_weight);
	float *const conv_4 = (float *)(m->arena + at->conv_4);
	conv_any_size(at->shape_4, at->plan_4, x, conv_bn_4_conv_weight, conv_4);
	nnr_step_of(at->name, at->step + 9, "residual.net:9  batchnorm_statistics of conv_bn_4");
	float *const first_place_4 = (float *)(m->arena + at->conv_4);
	float *const conv_bn_4_batchnorm_running_mean = (float *)(m->state + at->conv_bn_4_batchnorm_running_mean);
	float *const conv_bn_4_batchnorm_running_var = (float *)(m->state + at->conv_bn_4_batchnorm_running_var);
	float *const conv_bn_4_batchnorm_weight = (float *)(m->params + at->conv_bn_4_batchnorm_weight);
	float *const mean_4 = (float *)(m->arena + at->mean_4);
	float *const rstd_4 = (float *)(m->arena + at->rstd_4);
	float *const scale_4 = (float *)(m->arena + at->scale_4);
	float *const partial_4 = (float *)(m->arena + at->partial_4);
	batchnorm_statistics(at->kernel_5, conv_4, first_place_4, conv_bn_4_batchnorm_running_mean, conv_bn_4_batchnorm_running_var, conv_bn_4_batchnorm_weight, mean_4, rstd_4, scale_4, partial_4);
	nnr_step_of(at->name, at->step + 10, "residual.net:9,28  batchnorm_add_relu");
	float *const conv_bn_3_batchnorm_bias = (float *)(m->params + at->conv_bn_3_batchnorm_bias);
	float *const conv_bn_4_batchnorm_bias = (float *)(m->params + at->conv_bn_4_batchnorm_bias);
	float *const x_2 = (float *)(m->arena + at->x_2);
	batchnorm_add_relu(at->kernel_6, conv_3, mean_3, scale_3, conv_bn_3_batchnorm_bias, conv_4, mean_4, scale_4, conv_bn_4_batchnorm_bias, x_2);
}

/* 9 calls, 12 times: bottleneck_2, bottleneck_3, bottleneck_5, bottleneck_6, bottleneck_7, bottleneck_9 ... */
struct bottleneck_forward_2 {
	const char *name;
	int step;
	const NnrConvShape *shape, *shape_2, *shape_3;
	NnrPlan **plan, **plan_2, **plan_3;
	size_t x, conv_bn_conv_weight, conv, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, mean, rstd,
	        scale, partial, conv_bn_batchnorm_bias, relu, conv_bn_2_conv_weight, conv_2, conv_bn_2_batchnorm_running_mean,
	        conv_bn_2_batchnorm_running_var, conv_bn_2_batchnorm_weight, mean_2, rstd_2, scale_2, conv_bn_2_batchnorm_bias, relu_2,
	        conv_bn_3_conv_weight, conv_3, conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight,
	        mean_3, rstd_3, scale_3, partial_3, conv_bn_3_batchnorm_bias, x_2, positive;
	NnrKernel *kernel, *kernel_2, *kernel_3, *kernel_4;
};
static const struct bottleneck_forward_2 bottleneck_forward_2_at[12] = {
	{"bottleneck_2", 16, &conv_256x56x56x64_3_shape, &conv_256x56x56x64_2_shape, &conv_256x56x56x256_shape, &conv_256x56x56x64_3_plan,
	        &conv_256x56x56x64_2_plan, &conv_256x56x56x256_plan, 2466250752, 332544, 14797504512, 5632, 5888, 102017280, 22658218432,
	        22658218688, 22658218944, 3288334336, 102017536, 15003025408, 398080, 15208546304, 6144, 6400, 102017792, 22658219200, 22658219456,
	        22658219712, 102018048, 15414067200, 545536, 3288334336, 6656, 7680, 102018304, 22658191552, 22658192576, 22658193600, 4110417920,
	        102019328, 4110417920, 15619588096, &batchnorm_statistics_802816x64_kernel, &batchnorm_relu_round_tf32_802816x64_kernel,
	        &batchnorm_statistics_802816x256_kernel, &batchnorm_add_relu_backward_802816x256_kernel},
	{"bottleneck_3", 25, &conv_256x56x56x64_3_shape, &conv_256x56x56x64_2_shape, &conv_256x56x56x256_shape, &conv_256x56x56x64_3_plan,
	        &conv_256x56x56x64_2_plan, &conv_256x56x56x256_plan, 4110417920, 611072, 15825108992, 8704, 8960, 102020352, 22658219968,
	        22658220224, 22658220480, 4932501504, 102020608, 16030629888, 676608, 16236150784, 9216, 9472, 102020864, 22658220736, 22658220992,
	        22658221248, 102021120, 16441671680, 824064, 4932501504, 9728, 10752, 102021376, 22658194624, 22658195648, 22658196672, 5754585088,
	        102022400, 5754585088, 8220835840, &batchnorm_statistics_802816x64_kernel, &batchnorm_relu_round_tf32_802816x64_kernel,
	        &batchnorm_statistics_802816x256_kernel, &batchnorm_add_relu_backward_round_tf32_802816x256_kernel},
	{"bottleneck_5", 45, &conv_256x28x28x128_2_shape, &conv_256x28x28x128_3_shape, &conv_256x28x28x512_shape,
	        &conv_256x28x28x128_2_plan, &conv_256x28x28x128_3_plan, &conv_256x28x28x512_plan, 10276044800, 2396928, 19062063104, 22016, 22528,
	        102033664, 22658206912, 22658207424, 22658207936, 6987710464, 102034176, 19164823552, 2659072, 19267584000, 23040, 23552, 102034688,
	        22658208448, 22658208960, 22658209472, 102035200, 19370344448, 3248896, 10687086592, 24064, 26112, 102035712, 22658166976,
	        22658169024, 22658171072, 6987710464, 102037760, 11098128384, 19473104896, &batchnorm_statistics_200704x128_kernel,
	        &batchnorm_relu_round_tf32_200704x128_kernel, &batchnorm_statistics_200704x512_kernel,
	        &batchnorm_add_relu_backward_200704x512_kernel},
	{"bottleneck_6", 54, &conv_256x28x28x128_2_shape, &conv_256x28x28x128_3_shape, &conv_256x28x28x512_shape,
	        &conv_256x28x28x128_2_plan, &conv_256x28x28x128_3_plan, &conv_256x28x28x512_plan, 11098128384, 3511040, 19575865344, 28160, 28672,
	        102039808, 22658209984, 22658210496, 22658211008, 6987710464, 102040320, 19678625792, 3773184, 19781386240, 29184, 29696, 102040832,
	        22658211520, 22658212032, 22658212544, 102041344, 19884146688, 4363008, 11509170176, 30208, 32256, 102041856, 22658173120,
	        22658175168, 22658177216, 6987710464, 102043904, 11920211968, 19986907136, &batchnorm_statistics_200704x128_kernel,
	        &batchnorm_relu_round_tf32_200704x128_kernel, &batchnorm_statistics_200704x512_kernel,
	        &batchnorm_add_relu_backward_200704x512_kernel},
	{"bottleneck_7", 63, &conv_256x28x28x128_2_shape, &conv_256x28x28x128_3_shape, &conv_256x28x28x512_shape,
	        &conv_256x28x28x128_2_plan, &conv_256x28x28x128_3_plan, &conv_256x28x28x512_plan, 11920211968, 4625152, 20089667584, 34304, 34816,
	        102045952, 22658213056, 22658213568, 22658214080, 6987710464, 102046464, 20192428032, 4887296, 20295188480, 35328, 35840, 102046976,
	        22658214592, 22658215104, 22658215616, 102047488, 20397948928, 5477120, 12331253760, 36352, 38400, 102048000, 22658179264,
	        22658181312, 22658183360, 6987710464, 102050048, 12742295552, 7809794048, &batchnorm_statistics_200704x128_kernel,
	        &batchnorm_relu_round_tf32_200704x128_kernel, &batchnorm_statistics_200704x512_kernel,
	        &batchnorm_add_relu_backward_round_tf32_200704x512_kernel},
	{"bottleneck_9", 83, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape,
	        &conv_256x14x14x256_2_plan, &conv_256x14x14x256_3_plan, &conv_256x14x14x1024_plan, 17263755264, 11768576, 21373640896, 60928, 61952,
	        102072576, 21018800128, 21018801152, 21018802176, 7193231360, 102073600, 21425021120, 12817152, 21476401344, 62976, 64000,
	        102074624, 21018803200, 21018804224, 21018805248, 102075648, 21527781568, 15176448, 17469276160, 65024, 69120, 102076672,
	        21018742784, 21018746880, 21018750976, 7193231360, 102080768, 17674797056, 18496880640, &batchnorm_statistics_50176x256_kernel,
	        &batchnorm_relu_round_tf32_50176x256_kernel, &batchnorm_statistics_50176x1024_kernel, &batchnorm_add_relu_backward_50176x1024_kernel},
	{"bottleneck_10", 92, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape,
	        &conv_256x14x14x256_2_plan, &conv_256x14x14x256_3_plan, &conv_256x14x14x1024_plan, 17674797056, 16225024, 21579161792, 73216, 74240,
	        102084864, 21018806272, 21018807296, 21018808320, 7193231360, 102085888, 21630542016, 17273600, 21681922240, 75264, 76288,
	        102086912, 21018809344, 21018810368, 21018811392, 102087936, 21733302464, 19632896, 17880317952, 77312, 81408, 102088960,
	        21018755072, 21018759168, 21018763264, 7193231360, 102093056, 8426356736, 18548260864, &batchnorm_statistics_50176x256_kernel,
	        &batchnorm_relu_round_tf32_50176x256_kernel, &batchnorm_statistics_50176x1024_kernel, &batchnorm_add_relu_backward_50176x1024_kernel},
	{"bottleneck_11", 101, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape,
	        &conv_256x14x14x256_2_plan, &conv_256x14x14x256_3_plan, &conv_256x14x14x1024_plan, 8426356736, 20681472, 21784682688, 85504, 86528,
	        102097152, 21018812416, 21018813440, 21018814464, 7193231360, 102098176, 21836062912, 21730048, 21887443136, 87552, 88576,
	        102099200, 21018815488, 21018816512, 21018817536, 102100224, 21938823360, 24089344, 8631877632, 89600, 93696, 102101248,
	        21018767360, 21018771456, 21018775552, 7193231360, 102105344, 8837398528, 18599641088, &batchnorm_statistics_50176x256_kernel,
	        &batchnorm_relu_round_tf32_50176x256_kernel, &batchnorm_statistics_50176x1024_kernel, &batchnorm_add_relu_backward_50176x1024_kernel},
	{"bottleneck_12", 110, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape,
	        &conv_256x14x14x256_2_plan, &conv_256x14x14x256_3_plan, &conv_256x14x14x1024_plan, 8837398528, 25137920, 21990203584, 97792, 98816,
	        102109440, 21018818560, 21018819584, 21018820608, 7193231360, 102110464, 22041583808, 26186496, 22092964032, 99840, 100864,
	        102111488, 21018821632, 21018822656, 21018823680, 102112512, 22144344256, 28545792, 18085838848, 101888, 105984, 102113536,
	        21018779648, 21018783744, 21018787840, 7193231360, 102117632, 13153337344, 18651021312, &batchnorm_statistics_50176x256_kernel,
	        &batchnorm_relu_round_tf32_50176x256_kernel, &batchnorm_statistics_50176x1024_kernel, &batchnorm_add_relu_backward_50176x1024_kernel},
	{"bottleneck_13", 119, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape,
	        &conv_256x14x14x256_2_plan, &conv_256x14x14x256_3_plan, &conv_256x14x14x1024_plan, 13153337344, 29594368, 22195724480, 110080,
	        111104, 102121728, 7707324416, 7707325440, 7707326464, 7193231360, 102122752, 22247104704, 30642944, 22298484928, 112128, 113152,
	        102123776, 7707327488, 7707328512, 7707329536, 102124800, 22349865152, 33002240, 13358858240, 114176, 118272, 102125824, 7707303936,
	        7707308032, 7707312128, 7193231360, 102129920, 18291359744, 7604273152, &batchnorm_statistics_50176x256_kernel,
	        &batchnorm_relu_round_tf32_50176x256_kernel, &batchnorm_statistics_50176x1024_kernel,
	        &batchnorm_add_relu_backward_round_tf32_50176x1024_kernel},
	{"bottleneck_15", 139, &conv_256x7x7x512_2_shape, &conv_256x7x7x512_3_shape, &conv_256x7x7x2048_shape, &conv_256x7x7x512_2_plan,
	        &conv_256x7x7x512_3_plan, &conv_256x7x7x2048_plan, 7912554496, 58168064, 22452625600, 163328, 165376, 102174976, 7555354624,
	        7555356672, 7555358720, 7295991808, 102177024, 22478315712, 62362368, 22504005824, 167424, 169472, 102179072, 7555360768,
	        7555362816, 7555364864, 102181120, 22529695936, 71799552, 8015314944, 171520, 179712, 102183168, 7555301376, 7555309568, 7555317760,
	        7295991808, 102191360, 8118075392, 7501512704, &batchnorm_statistics_12544x512_kernel, &batchnorm_relu_round_tf32_12544x512_kernel,
	        &batchnorm_statistics_12544x2048_kernel, &batchnorm_add_relu_backward_12544x2048_kernel},
	{"bottleneck_16", 148, &conv_256x7x7x512_2_shape, &conv_256x7x7x512_3_shape, &conv_256x7x7x2048_shape, &conv_256x7x7x512_2_plan,
	        &conv_256x7x7x512_3_plan, &conv_256x7x7x2048_plan, 8118075392, 75993856, 22555386048, 187904, 189952, 102199552, 7321817088,
	        7321819136, 7321821184, 7295991808, 102201600, 22581076160, 80188160, 22606766272, 192000, 194048, 102203648, 7321823232,
	        7321825280, 7321827328, 102205696, 22632456384, 89625344, 20808990720, 196096, 204288, 102207744, 7296532480, 7296540672,
	        7296548864, 7295991808, 102215936, 21014511616, 7527202816, &batchnorm_statistics_12544x512_kernel,
	        &batchnorm_relu_round_tf32_12544x512_kernel, &batchnorm_statistics_12544x2048_kernel,
	        &batchnorm_add_relu_backward_avgpool_256x49x2048_kernel},
};
static void bottleneck_forward_2(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_forward_2 *const at = &bottleneck_forward_2_at[i];
	nnr_step_of(at->name, at->step, "residual.net:7  conv(x, conv_bn_conv_weight)");
	float *const x = (float *)(m->arena + at->x);
	float *const conv_bn_conv_weight = (float *)(m->params + at->conv_bn_conv_weight);
	float *const conv = (float *)(m->arena + at->conv);
	conv_any_size(at->shape, at->plan, x, conv_bn_conv_weight, conv);
	nnr_step_of(at->name, at->step + 1, "residual.net:9  batchnorm_statistics of conv_bn");
	float *const first_place = (float *)(m->arena + at->conv);
	float *const conv_bn_batchnorm_running_mean = (float *)(m->state + at->conv_bn_batchnorm_running_mean);
	float *const conv_bn_batchnorm_running_var = (float *)(m->state + at->conv_bn_batchnorm_running_var);
	float *const conv_bn_batchnorm_weight = (float *)(m->params + at->conv_bn_batchnorm_weight);
	float *const mean = (float *)(m->arena + at->mean);
	float *const rstd = (float *)(m->arena + at->rstd);
	float *const scale = (float *)(m->arena + at->scale);
	float *const partial = (float *)(m->arena + at->partial);                               // [33792]  135.2 kB
	batchnorm_statistics(at->kernel, conv, first_place, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, mean, rstd, scale, partial);
	nnr_step_of(at->name, at->step + 2, "residual.net:9,23  round_tf32(relu((((conv - mean) * scale) + conv_bn_batchnorm_bias)))");
	float *const conv_bn_batchnorm_bias = (float *)(m->params + at->conv_bn_batchnorm_bias);
	float *const relu = (float *)(m->arena + at->relu);
	batchnorm_relu_round_tf32(at->kernel_2, conv, mean, scale, conv_bn_batchnorm_bias, relu);
	nnr_step_of(at->name, at->step + 3, "residual.net:7  conv(relu, conv_bn_2_conv_weight)");
	float *const conv_bn_2_conv_weight = (float *)(m->params + at->conv_bn_2_conv_weight);
	float *const conv_2 = (float *)(m->arena + at->conv_2);
	conv_any_size(at->shape_2, at->plan_2, relu, conv_bn_2_conv_weight, conv_2);
	nnr_step_of(at->name, at->step + 4, "residual.net:9  batchnorm_statistics of conv_bn_2");
	float *const first_place_2 = (float *)(m->arena + at->conv_2);
	float *const conv_bn_2_batchnorm_running_mean = (float *)(m->state + at->conv_bn_2_batchnorm_running_mean);
	float *const conv_bn_2_batchnorm_running_var = (float *)(m->state + at->conv_bn_2_batchnorm_running_var);
	float *const conv_bn_2_batchnorm_weight = (float *)(m->params + at->conv_bn_2_batchnorm_weight);
	float *const mean_2 = (float *)(m->arena + at->mean_2);
	float *const rstd_2 = (float *)(m->arena + at->rstd_2);
	float *const scale_2 = (float *)(m->arena + at->scale_2);
	float *const partial_2 = (float *)(m->arena + at->partial);                             // [33792]  135.2 kB
	batchnorm_statistics(at->kernel, conv_2, first_place_2, conv_bn_2_batchnorm_running_mean, conv_bn_2_batchnorm_running_var, conv_bn_2_batchnorm_weight, mean_2, rstd_2, scale_2, partial_2);
	nnr_step_of(at->name, at->step + 5, "residual.net:9,24  batchnorm_relu_round_tf32");
	float *const conv_bn_2_batchnorm_bias = (float *)(m->params + at->conv_bn_2_batchnorm_bias);
	float *const relu_2 = (float *)(m->arena + at->relu_2);
	batchnorm_relu_round_tf32(at->kernel_2, conv_2, mean_2, scale_2, conv_bn_2_batchnorm_bias, relu_2);
	nnr_step_of(at->name, at->step + 6, "residual.net:7  conv(relu_2, conv_bn_3_conv_weight)");
	float *const conv_bn_3_conv_weight = (float *)(m->params + at->conv_bn_3_conv_weight);
	float *const conv_3 = (float *)(m->arena + at->conv_3);
	conv_any_size(at->shape_3, at->plan_3, relu_2, conv_bn_3_conv_weight, conv_3);
	nnr_step_of(at->name, at->step + 7, "residual.net:9  batchnorm_statistics of conv_bn_3");
	float *const first_place_3 = (float *)(m->arena + at->conv_3);
	float *const conv_bn_3_batchnorm_running_mean = (float *)(m->state + at->conv_bn_3_batchnorm_running_mean);
	float *const conv_bn_3_batchnorm_running_var = (float *)(m->state + at->conv_bn_3_batchnorm_running_var);
	float *const conv_bn_3_batchnorm_weight = (float *)(m->params + at->conv_bn_3_batchnorm_weight);
	float *const mean_3 = (float *)(m->arena + at->mean_3);
	float *const rstd_3 = (float *)(m->arena + at->rstd_3);
	float *const scale_3 = (float *)(m->arena + at->scale_3);
	float *const partial_3 = (float *)(m->arena + at->partial_3);
	batchnorm_statistics(at->kernel_3, conv_3, first_place_3, conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight, mean_3, rstd_3, scale_3, partial_3);
	nnr_step_of(at->name, at->step + 8, "residual.net:9,28  batchnorm_add_relu_backward");
	float *const conv_bn_3_batchnorm_bias = (float *)(m->params + at->conv_bn_3_batchnorm_bias);
	float *const x_2 = (float *)(m->arena + at->x_2);
	uint8_t *const positive = (uint8_t *)(m->arena + at->positive);
	launch_7(at->kernel_4, conv_3, mean_3, scale_3, conv_bn_3_batchnorm_bias, x, x_2, positive);
}

/* 4 calls, 6 times: bottleneck_16.conv_bn_2, bottleneck_14.conv_bn_2, bottleneck_8.conv_bn_2, bottleneck_5.conv_bn_2, bottleneck_4.conv_bn_2, bottleneck.conv_bn_2 */
struct conv_bn_backward {
	const char *name;
	int step, branch;
	NnrKernel *kernel, *kernel_2;
	size_t conv, mean, scale, batchnorm_bias, drelu, rstd, centred_scale, shift, batchnorm_dweight, batchnorm_dbias, partial, relu,
	        conv_dweight, conv_weight;
	const NnrConvShape *shape;
	NnrPlan **plan, **plan_2;
};
static const struct conv_bn_backward conv_bn_backward_at[6] = {
	{"bottleneck_16.conv_bn_2", 167, 3, &batchnorm_relu_backward_sums_12544x512_kernel, &batchnorm_relu_backward_12544x512_kernel,
	        22606766272, 7321823232, 7321827328, 102205696, 7295991808, 7321825280, 7321829376, 7321831424, 21219475712, 21219477760,
	        7321681920, 22581076160, 21197460224, 80188160, &conv_256x7x7x512_3_shape, &conv_wgrad_512x3x3x512_plan,
	        &conv_dgrad_256x7x7x512_2_plan},
	{"bottleneck_14.conv_bn_2", 194, 10, &batchnorm_relu_backward_sums_12544x512_kernel, &batchnorm_relu_backward_12544x512_kernel,
	        22401245376, 7555348480, 7555352576, 102140160, 7193231360, 7555350528, 7219056640, 7219058688, 21219410176, 21219412224,
	        7218921472, 20603469824, 21153420032, 36147968, &conv_256x7x7x512_shape, &conv_wgrad_512x3x3x512_2_plan,
	        &conv_dgrad_256x14x14x512_plan},
	{"bottleneck_8.conv_bn_2", 269, 29, &batchnorm_relu_backward_sums_50176x256_kernel, &batchnorm_relu_backward_50176x256_kernel,
	        21270880448, 22658200768, 22658202816, 102055168, 6987710464, 22658201792, 7039225856, 7039226880, 21219326208, 21219327232,
	        7039090688, 16852713472, 21123535616, 6263552, &conv_256x14x14x256_shape, &conv_wgrad_256x3x3x256_2_plan,
	        &conv_dgrad_256x28x28x256_plan},
	{"bottleneck_5.conv_bn_2", 305, 38, &batchnorm_relu_backward_sums_200704x128_kernel, &batchnorm_relu_backward_200704x128_kernel,
	        19267584000, 22658208448, 22658209472, 102035200, 6987710464, 22658208960, 7090606080, 7090606592, 21219306752, 21219307264,
	        7090470912, 19164823552, 21119931136, 2659072, &conv_256x28x28x128_3_shape, &conv_wgrad_128x3x3x128_plan,
	        &conv_dgrad_256x28x28x128_2_plan},
	{"bottleneck_4.conv_bn_2", 320, 42, &batchnorm_relu_backward_sums_200704x128_kernel, &batchnorm_relu_backward_200704x128_kernel,
	        18856542208, 22658205376, 22658206400, 102024960, 6576668672, 22658205888, 6679564288, 6679564800, 21219296512, 21219297024,
	        6679429120, 9453961216, 21118292736, 1020672, &conv_256x28x28x128_shape, &conv_wgrad_128x3x3x128_2_plan,
	        &conv_dgrad_256x56x56x128_plan},
	{"bottleneck.conv_bn_2", 359, 52, &batchnorm_relu_backward_sums_802816x64_kernel, &batchnorm_relu_backward_802816x64_kernel,
	        14386462720, 22658217664, 22658218176, 102012928, 822083584, 22658217920, 1027739648, 1027739904, 21219284736, 21219284992,
	        1027604480, 14180941824, 21117326080, 54016, &conv_256x56x56x64_2_shape, &conv_wgrad_64x3x3x64_plan, &conv_dgrad_256x56x56x64_2_plan},
};
static void conv_bn_backward(const NnrMemory *m, int64_t i)
{
	const struct conv_bn_backward *const at = &conv_bn_backward_at[i];
	nnr_step_of(at->name, at->step, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_16");
	float *const conv = (float *)(m->arena + at->conv);
	float *const mean = (float *)(m->arena + at->mean);
	float *const scale = (float *)(m->arena + at->scale);
	float *const batchnorm_bias = (float *)(m->params + at->batchnorm_bias);
	float *const drelu = (float *)(m->arena + at->drelu);
	float *const rstd = (float *)(m->arena + at->rstd);
	float *const centred_scale = (float *)(m->arena + at->centred_scale);
	float *const shift = (float *)(m->arena + at->shift);
	float *const batchnorm_dweight = (float *)(m->arena + at->batchnorm_dweight);
	float *const batchnorm_dbias = (float *)(m->arena + at->batchnorm_dbias);
	float *const partial = (float *)(m->arena + at->partial);                               // [33792]  135.2 kB
	batchnorm_relu_backward_sums(at->kernel, conv, mean, scale, batchnorm_bias, drelu, rstd, centred_scale, shift, batchnorm_dweight, batchnorm_dbias, partial);
	nnr_step_of(at->name, at->step + 1, "residual.net:9,24  batchnorm_relu_backward of bottleneck_16");
	batchnorm_relu_backward(at->kernel_2, conv, mean, scale, batchnorm_bias, drelu, centred_scale, shift);
	nnr_branch_begin();
	nnr_step_of(at->name, at->step + 2, "residual.net:7  conv_wgrad(relu, dconv)");
	float *const relu = (float *)(m->arena + at->relu);
	float *const dconv = (float *)(m->arena + at->conv);
	float *const conv_dweight = (float *)(m->arena + at->conv_dweight);
	conv_wgrad(at->shape, at->plan, relu, dconv, conv_dweight);
	nnr_branch_end(at->branch);
	nnr_step_of(at->name, at->step + 3, "residual.net:7  conv_dgrad(dconv, conv_weight)");
	float *const conv_weight = (float *)(m->params + at->conv_weight);
	float *const drelu_2 = (float *)(m->arena + at->drelu);
	conv_dgrad_any_size(at->shape, at->plan_2, dconv, conv_weight, drelu_2);
}

/* 12 calls, 3 times: bottleneck_15, bottleneck_9, bottleneck_2 */
struct bottleneck_backward {
	const char *name;
	int step, branch;
	NnrKernel *kernel, *kernel_2, *kernel_3, *kernel_4;
	size_t dy, scale, conv, mean, centred_scale, shift, relu, conv_bn_3_conv_dweight, conv_bn_3_conv_weight, drelu, conv_2, mean_2, scale_2,
	        conv_bn_2_batchnorm_bias, rstd, centred_scale_2, shift_2, conv_bn_2_batchnorm_dweight, conv_bn_2_batchnorm_dbias, relu_2,
	        conv_bn_2_conv_dweight, conv_bn_2_conv_weight, conv_3, mean_3, scale_3, conv_bn_batchnorm_bias, rstd_2, conv_bn_batchnorm_dweight,
	        conv_bn_batchnorm_dbias, x, conv_bn_conv_dweight, conv_bn_conv_weight, conv_4, mean_4, scale_4,
	        bottleneck_14_conv_bn_3_batchnorm_bias, conv_5, mean_5, scale_5, bottleneck_14_conv_bn_4_batchnorm_bias, rstd_3, rstd_4, dshortcut,
	        centred_scale_4, shift_4, bottleneck_14_conv_bn_4_batchnorm_dweight, bottleneck_14_conv_bn_4_batchnorm_dbias, centred_scale_5,
	        shift_5, bottleneck_14_conv_bn_3_batchnorm_dweight, bottleneck_14_conv_bn_4_batchnorm_dbias_2, partial_3;
	const NnrConvShape *shape, *shape_2, *shape_3;
	NnrPlan **plan, **plan_2, **plan_3, **plan_4, **plan_5, **plan_6;
};
static const struct bottleneck_backward bottleneck_backward_at[3] = {
	{"bottleneck_15", 176, 5, &batchnorm_backward_12544x2048_kernel, &batchnorm_relu_backward_sums_12544x512_kernel,
	        &batchnorm_relu_backward_12544x512_kernel, &add_batchnorm_relu_backward_sums_12544x2048_kernel, 7398752256, 7555317760, 8015314944,
	        7555301376, 7555325952, 7555334144, 22529695936, 21189071616, 71799552, 7295991808, 22504005824, 7555360768, 7555364864, 102181120,
	        7555362816, 7321817088, 7321819136, 21219451136, 21219453184, 22478315712, 21179634432, 62362368, 22452625600, 7555354624,
	        7555358720, 102177024, 7555356672, 21219447040, 21219449088, 7912554496, 21175440128, 58168064, 7193231360, 7555252224, 7555268608,
	        102150400, 20706230272, 7555276800, 7555293184, 102166784, 7555284992, 7555260416, 20911751168, 7501905920, 7501914112, 21219430656,
	        21219422464, 7501922304, 7501930496, 21219414272, 21219438848, 7501512704, &conv_256x7x7x2048_shape, &conv_256x7x7x512_3_shape,
	        &conv_256x7x7x512_2_shape, &conv_wgrad_2048x1x1x512_plan, &conv_dgrad_256x7x7x512_plan, &conv_wgrad_512x3x3x512_plan,
	        &conv_dgrad_256x7x7x512_2_plan, &conv_wgrad_512x1x1x2048_plan, &conv_dgrad_256x7x7x2048_plan},
	{"bottleneck_9", 251, 24, &batchnorm_backward_50176x1024_kernel, &batchnorm_relu_backward_sums_50176x256_kernel,
	        &batchnorm_relu_backward_50176x256_kernel, &add_batchnorm_relu_backward_sums_50176x1024_kernel, 7398752256, 21018750976,
	        17469276160, 21018742784, 18548531200, 18548535296, 21527781568, 21132448512, 15176448, 7193231360, 21476401344, 21018803200,
	        21018805248, 102075648, 21018804224, 7244746752, 7244747776, 21219346688, 21219347712, 21425021120, 21130089216, 12817152,
	        21373640896, 21018800128, 21018802176, 102073600, 21018801152, 21219344640, 21219345664, 17263755264, 21129040640, 11768576,
	        6987710464, 22658146496, 22658150592, 102060288, 17058234368, 21018730496, 21018738688, 102068480, 21018734592, 21018726400,
	        18496880640, 7604678656, 7604682752, 21219336448, 21219332352, 7604686848, 7604690944, 21219328256, 21219340544, 7604273152,
	        &conv_256x14x14x1024_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x256_2_shape, &conv_wgrad_1024x1x1x256_plan,
	        &conv_dgrad_256x14x14x256_plan, &conv_wgrad_256x3x3x256_plan, &conv_dgrad_256x14x14x256_2_plan, &conv_wgrad_256x1x1x1024_plan,
	        &conv_dgrad_256x14x14x1024_2_plan},
	{"bottleneck_2", 341, 47, &batchnorm_backward_802816x256_kernel, &batchnorm_relu_backward_sums_802816x64_kernel,
	        &batchnorm_relu_backward_802816x64_kernel, &add_batchnorm_relu_backward_sums_802816x256_kernel, 8220835840, 22658193600, 3288334336,
	        22658191552, 18086109184, 18086110208, 15414067200, 21117817600, 545536, 6576668672, 15208546304, 22658219200, 22658219712,
	        102018048, 22658219456, 6782324736, 6782324992, 21219289856, 21219290112, 15003025408, 21117670144, 398080, 14797504512,
	        22658218432, 22658218944, 102017536, 22658218688, 21219289344, 21219289600, 2466250752, 21117604608, 332544, 822083584, 22658185408,
	        22658187456, 102014208, 1644167168, 22658188480, 22658190528, 102016256, 22658189504, 22658186432, 7398752256, 15619993600,
	        15619994624, 21219287296, 21219286272, 15619995648, 15619996672, 21219285248, 21219288320, 15619588096, &conv_256x56x56x256_shape,
	        &conv_256x56x56x64_2_shape, &conv_256x56x56x64_3_shape, &conv_wgrad_256x1x1x64_plan, &conv_dgrad_256x56x56x64_plan,
	        &conv_wgrad_64x3x3x64_plan, &conv_dgrad_256x56x56x64_2_plan, &conv_wgrad_64x1x1x256_plan, &conv_dgrad_256x56x56x256_2_plan},
};
static void bottleneck_backward(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_backward *const at = &bottleneck_backward_at[i];
	nnr_step_of(at->name, at->step, "residual.net:9  round_tf32(((dy * scale) + (((conv - mean) * centred_scale) + shift)))");
	float *const dy = (float *)(m->arena + at->dy);
	float *const scale = (float *)(m->arena + at->scale);
	float *const conv = (float *)(m->arena + at->conv);
	float *const mean = (float *)(m->arena + at->mean);
	float *const centred_scale = (float *)(m->arena + at->centred_scale);
	float *const shift = (float *)(m->arena + at->shift);
	batchnorm_backward(at->kernel, dy, scale, conv, mean, centred_scale, shift);
	nnr_branch_begin();
	nnr_step_of(at->name, at->step + 1, "residual.net:7  conv_wgrad(relu, dconv)");
	float *const relu = (float *)(m->arena + at->relu);
	float *const dconv = (float *)(m->arena + at->conv);
	float *const conv_bn_3_conv_dweight = (float *)(m->arena + at->conv_bn_3_conv_dweight);
	conv_wgrad(at->shape, at->plan, relu, dconv, conv_bn_3_conv_dweight);
	nnr_branch_end(at->branch);
	nnr_step_of(at->name, at->step + 2, "residual.net:7  conv_dgrad(dconv, conv_bn_3_conv_weight)");
	float *const conv_bn_3_conv_weight = (float *)(m->params + at->conv_bn_3_conv_weight);
	float *const drelu = (float *)(m->arena + at->drelu);
	conv_dgrad_any_size(at->shape, at->plan_2, dconv, conv_bn_3_conv_weight, drelu);
	nnr_step_of(at->name, at->step + 3, "residual.net:9,24  batchnorm_relu_backward_sums");
	float *const conv_2 = (float *)(m->arena + at->conv_2);
	float *const mean_2 = (float *)(m->arena + at->mean_2);
	float *const scale_2 = (float *)(m->arena + at->scale_2);
	float *const conv_bn_2_batchnorm_bias = (float *)(m->params + at->conv_bn_2_batchnorm_bias);
	float *const rstd = (float *)(m->arena + at->rstd);
	float *const centred_scale_2 = (float *)(m->arena + at->centred_scale_2);
	float *const shift_2 = (float *)(m->arena + at->shift_2);
	float *const conv_bn_2_batchnorm_dweight = (float *)(m->arena + at->conv_bn_2_batchnorm_dweight);
	float *const conv_bn_2_batchnorm_dbias = (float *)(m->arena + at->conv_bn_2_batchnorm_dbias);
	float *const partial = (float *)(m->arena + at->centred_scale_2 - 135168);              // [33792]  135.2 kB
	batchnorm_relu_backward_sums(at->kernel_2, conv_2, mean_2, scale_2, conv_bn_2_batchnorm_bias, drelu, rstd, centred_scale_2, shift_2, conv_bn_2_batchnorm_dweight, conv_bn_2_batchnorm_dbias, partial);
	nnr_step_of(at->name, at->step + 4, "residual.net:9,24  batchnorm_relu_backward");
	batchnorm_relu_backward(at->kernel_3, conv_2, mean_2, scale_2, conv_bn_2_batchnorm_bias, drelu, centred_scale_2, shift_2);
	nnr_branch_begin();
	nnr_step_of(at->name, at->step + 5, "residual.net:7  conv_wgrad(relu_2, dconv_2)");
	float *const relu_2 = (float *)(m->arena + at->relu_2);
	float *const dconv_2 = (float *)(m->arena + at->conv_2);
	float *const conv_bn_2_conv_dweight = (float *)(m->arena + at->conv_bn_2_conv_dweight);
	conv_wgrad(at->shape_2, at->plan_3, relu_2, dconv_2, conv_bn_2_conv_dweight);
	nnr_branch_end(at->branch + 1);
	nnr_step_of(at->name, at->step + 6, "residual.net:7  conv_dgrad(dconv_2, conv_bn_2_conv_weight)");
	float *const conv_bn_2_conv_weight = (float *)(m->params + at->conv_bn_2_conv_weight);
	float *const drelu_2 = (float *)(m->arena + at->drelu);
	conv_dgrad_any_size(at->shape_2, at->plan_4, dconv_2, conv_bn_2_conv_weight, drelu_2);
	nnr_step_of(at->name, at->step + 7, "residual.net:9,23  batchnorm_relu_backward_sums");
	float *const conv_3 = (float *)(m->arena + at->conv_3);
	float *const mean_3 = (float *)(m->arena + at->mean_3);
	float *const scale_3 = (float *)(m->arena + at->scale_3);
	float *const conv_bn_batchnorm_bias = (float *)(m->params + at->conv_bn_batchnorm_bias);
	float *const rstd_2 = (float *)(m->arena + at->rstd_2);
	float *const centred_scale_3 = (float *)(m->arena + at->centred_scale_2);
	float *const shift_3 = (float *)(m->arena + at->shift_2);
	float *const conv_bn_batchnorm_dweight = (float *)(m->arena + at->conv_bn_batchnorm_dweight);
	float *const conv_bn_batchnorm_dbias = (float *)(m->arena + at->conv_bn_batchnorm_dbias);
	float *const partial_2 = (float *)(m->arena + at->centred_scale_2 - 135168);            // [33792]  135.2 kB
	batchnorm_relu_backward_sums(at->kernel_2, conv_3, mean_3, scale_3, conv_bn_batchnorm_bias, drelu_2, rstd_2, centred_scale_3, shift_3, conv_bn_batchnorm_dweight, conv_bn_batchnorm_dbias, partial_2);
	nnr_step_of(at->name, at->step + 8, "residual.net:9,23  batchnorm_relu_backward");
	batchnorm_relu_backward(at->kernel_3, conv_3, mean_3, scale_3, conv_bn_batchnorm_bias, drelu_2, centred_scale_3, shift_3);
	nnr_branch_begin();
	nnr_step_of(at->name, at->step + 9, "residual.net:7  conv_wgrad(x, dconv_3)");
	float *const x = (float *)(m->arena + at->x);
	float *const dconv_3 = (float *)(m->arena + at->conv_3);
	float *const conv_bn_conv_dweight = (float *)(m->arena + at->conv_bn_conv_dweight);
	conv_wgrad(at->shape_3, at->plan_5, x, dconv_3, conv_bn_conv_dweight);
	nnr_branch_end(at->branch + 2);
	nnr_step_of(at->name, at->step + 10, "residual.net:7  conv_dgrad(dconv_3, conv_bn_conv_weight)");
	float *const conv_bn_conv_weight = (float *)(m->params + at->conv_bn_conv_weight);
	float *const conv_dgrad = (float *)(m->arena + at->drelu);
	conv_dgrad_any_size(at->shape_3, at->plan_6, dconv_3, conv_bn_conv_weight, conv_dgrad);
	nnr_step_of(at->name, at->step + 11, "residual.net:7,9,28  add_batchnorm_relu_backward_sums");
	float *const conv_4 = (float *)(m->arena + at->conv_4);
	float *const mean_4 = (float *)(m->arena + at->mean_4);
	float *const scale_4 = (float *)(m->arena + at->scale_4);
	float *const bottleneck_14_conv_bn_3_batchnorm_bias = (float *)(m->params + at->bottleneck_14_conv_bn_3_batchnorm_bias);
	float *const conv_5 = (float *)(m->arena + at->conv_5);
	float *const mean_5 = (float *)(m->arena + at->mean_5);
	float *const scale_5 = (float *)(m->arena + at->scale_5);
	float *const bottleneck_14_conv_bn_4_batchnorm_bias = (float *)(m->params + at->bottleneck_14_conv_bn_4_batchnorm_bias);
	float *const rstd_3 = (float *)(m->arena + at->rstd_3);
	float *const rstd_4 = (float *)(m->arena + at->rstd_4);
	float *const dshortcut = (float *)(m->arena + at->dshortcut);
	float *const centred_scale_4 = (float *)(m->arena + at->centred_scale_4);
	float *const shift_4 = (float *)(m->arena + at->shift_4);
	float *const bottleneck_14_conv_bn_4_batchnorm_dweight = (float *)(m->arena + at->bottleneck_14_conv_bn_4_batchnorm_dweight);
	float *const bottleneck_14_conv_bn_4_batchnorm_dbias = (float *)(m->arena + at->bottleneck_14_conv_bn_4_batchnorm_dbias);
	float *const centred_scale_5 = (float *)(m->arena + at->centred_scale_5);
	float *const shift_5 = (float *)(m->arena + at->shift_5);
	float *const bottleneck_14_conv_bn_3_batchnorm_dweight = (float *)(m->arena + at->bottleneck_14_conv_bn_3_batchnorm_dweight);
	float *const bottleneck_14_conv_bn_4_batchnorm_dbias_2 = (float *)(m->arena + at->bottleneck_14_conv_bn_4_batchnorm_dbias_2);
	float *const partial_3 = (float *)(m->arena + at->partial_3);
	add_batchnorm_relu_backward_sums(at->kernel_4, dy, conv_dgrad, conv_4, mean_4, scale_4, bottleneck_14_conv_bn_3_batchnorm_bias, conv_5, mean_5, scale_5, bottleneck_14_conv_bn_4_batchnorm_bias, rstd_3, rstd_4, dshortcut, centred_scale_4, shift_4, bottleneck_14_conv_bn_4_batchnorm_dweight, bottleneck_14_conv_bn_4_batchnorm_dbias, centred_scale_5, shift_5, bottleneck_14_conv_bn_3_batchnorm_dweight, bottleneck_14_conv_bn_4_batchnorm_dbias_2, partial_3);
}

/* 3 calls, 4 times: bottleneck_14.conv_bn_4, bottleneck_5.conv_bn_3, bottleneck_4.conv_bn_4, bottleneck.conv_bn_4 */
struct conv_bn_backward_2 {
	const char *name;
	int step, branch;
	NnrKernel *kernel;
	size_t dshortcut, scale, conv, mean, centred_scale, shift, x, conv_dweight, conv_weight, conv_dgrad;
	const NnrConvShape *shape, *shape_2;
	NnrPlan **plan, **plan_2;
};
static const struct conv_bn_backward_2 conv_bn_backward_2_at[4] = {
	{"bottleneck_14.conv_bn_4", 188, 8, &batchnorm_backward_12544x2048_kernel, 20911751168, 7555293184, 20706230272, 7555276800,
	        7501905920, 7501914112, 18291359744, 21167051520, 49779456, 7655653376, &conv_256x7x7x2048_2_shape, &conv_dgrad_256x7x7x1024_shape,
	        &conv_wgrad_2048x1x1x1024_plan, &conv_dgrad_256x7x7x1024_plan},
	{"bottleneck_5.conv_bn_3", 302, 37, &batchnorm_backward_200704x512_kernel, 7398752256, 22658171072, 10687086592, 22658166976,
	        18291630080, 18291632128, 19370344448, 21120520960, 3248896, 6987710464, &conv_256x28x28x512_shape, &conv_256x28x28x512_shape,
	        &conv_wgrad_512x1x1x128_plan, &conv_dgrad_256x28x28x128_plan},
	{"bottleneck_4.conv_bn_4", 314, 40, &batchnorm_backward_200704x512_kernel, 13153337344, 22658164928, 9865003008, 22658160832,
	        7810199552, 7810201600, 5754585088, 21119144704, 1872640, 18291359744, &conv_256x28x28x512_2_shape,
	        &conv_dgrad_256x28x28x256_2_shape, &conv_wgrad_512x1x1x256_plan, &conv_dgrad_256x28x28x256_2_plan},
	{"bottleneck.conv_bn_4", 353, 50, &batchnorm_backward_802816x256_kernel, 7398752256, 22658190528, 1644167168, 22658188480,
	        15619993600, 15619994624, 13769900032, 21117539072, 267008, 6576668672, &conv_256x56x56x256_shape, &conv_256x56x56x256_shape,
	        &conv_wgrad_256x1x1x64_plan, &conv_dgrad_256x56x56x64_plan},
};
static void conv_bn_backward_2(const NnrMemory *m, int64_t i)
{
	const struct conv_bn_backward_2 *const at = &conv_bn_backward_2_at[i];
	nnr_step_of(at->name, at->step, "residual.net:9  batchnorm_backward");
	float *const dshortcut = (float *)(m->arena + at->dshortcut);
	float *const scale = (float *)(m->arena + at->scale);
	float *const conv = (float *)(m->arena + at->conv);
	float *const mean = (float *)(m->arena + at->mean);
	float *const centred_scale = (float *)(m->arena + at->centred_scale);
	float *const shift = (float *)(m->arena + at->shift);
	batchnorm_backward(at->kernel, dshortcut, scale, conv, mean, centred_scale, shift);
	nnr_branch_begin();
	nnr_step_of(at->name, at->step + 1, "residual.net:7  conv_wgrad(x, dconv)");
	float *const x = (float *)(m->arena + at->x);
	float *const dconv = (float *)(m->arena + at->conv);
	float *const conv_dweight = (float *)(m->arena + at->conv_dweight);
	conv_wgrad(at->shape, at->plan, x, dconv, conv_dweight);
	nnr_branch_end(at->branch);
	nnr_step_of(at->name, at->step + 2, "residual.net:7  conv_dgrad(dconv, conv_weight)");
	float *const conv_weight = (float *)(m->params + at->conv_weight);
	float *const conv_dgrad = (float *)(m->arena + at->conv_dgrad);
	conv_dgrad_any_size(at->shape_2, at->plan_2, dconv, conv_weight, conv_dgrad);
}

/* 3 calls, 4 times: bottleneck_14.conv_bn_3, bottleneck_8.conv_bn_3, bottleneck_4.conv_bn_3, bottleneck.conv_bn_3 */
struct conv_bn_backward_3 {
	const char *name;
	int step, branch;
	NnrKernel *kernel;
	size_t dshortcut, scale, conv, mean, centred_scale, shift, relu, conv_dweight, conv_weight;
	const NnrConvShape *shape;
	NnrPlan **plan, **plan_2;
};
static const struct conv_bn_backward_3 conv_bn_backward_3_at[4] = {
	{"bottleneck_14.conv_bn_3", 191, 9, &batchnorm_backward_12544x2048_2_kernel, 20911751168, 7555268608, 7193231360, 7555252224,
	        7501922304, 7501930496, 22426935488, 21162857216, 45585152, &conv_256x7x7x2048_shape, &conv_wgrad_2048x1x1x512_plan,
	        &conv_dgrad_256x7x7x512_plan},
	{"bottleneck_8.conv_bn_3", 266, 28, &batchnorm_backward_50176x1024_2_kernel, 18496880640, 22658150592, 6987710464, 22658146496,
	        7604686848, 7604690944, 21322260672, 21125894912, 8622848, &conv_256x14x14x1024_shape, &conv_wgrad_1024x1x1x256_plan,
	        &conv_dgrad_256x14x14x256_plan},
	{"bottleneck_4.conv_bn_3", 317, 41, &batchnorm_backward_200704x512_2_kernel, 13153337344, 22658158784, 6576668672, 22658154688,
	        7810203648, 7810205696, 18959302656, 21118882560, 1610496, &conv_256x28x28x512_shape, &conv_wgrad_512x1x1x128_plan,
	        &conv_dgrad_256x28x28x128_plan},
	{"bottleneck.conv_bn_3", 356, 51, &batchnorm_backward_802816x256_2_kernel, 7398752256, 22658187456, 822083584, 22658185408,
	        15619995648, 15619996672, 14591983616, 21117473536, 201472, &conv_256x56x56x256_shape, &conv_wgrad_256x1x1x64_plan,
	        &conv_dgrad_256x56x56x64_plan},
};
static void conv_bn_backward_3(const NnrMemory *m, int64_t i)
{
	const struct conv_bn_backward_3 *const at = &conv_bn_backward_3_at[i];
	nnr_step_of(at->name, at->step, "residual.net:9  batchnorm_backward");
	float *const dshortcut = (float *)(m->arena + at->dshortcut);
	float *const scale = (float *)(m->arena + at->scale);
	float *const conv = (float *)(m->arena + at->conv);
	float *const mean = (float *)(m->arena + at->mean);
	float *const centred_scale = (float *)(m->arena + at->centred_scale);
	float *const shift = (float *)(m->arena + at->shift);
	batchnorm_backward_2(at->kernel, dshortcut, scale, conv, mean, centred_scale, shift);
	nnr_branch_begin();
	nnr_step_of(at->name, at->step + 1, "residual.net:7  conv_wgrad(relu, dconv)");
	float *const relu = (float *)(m->arena + at->relu);
	float *const dconv = (float *)(m->arena + at->dshortcut);
	float *const conv_dweight = (float *)(m->arena + at->conv_dweight);
	conv_wgrad(at->shape, at->plan, relu, dconv, conv_dweight);
	nnr_branch_end(at->branch);
	nnr_step_of(at->name, at->step + 2, "residual.net:7  conv_dgrad(dconv, conv_weight)");
	float *const conv_weight = (float *)(m->params + at->conv_weight);
	float *const drelu = (float *)(m->arena + at->conv);
	conv_dgrad_any_size(at->shape, at->plan_2, dconv, conv_weight, drelu);
}

/* 12 calls, 4 times: bottleneck_13, bottleneck_12, bottleneck_11, bottleneck_10 */
struct bottleneck_backward_2 {
	const char *name;
	size_t dy, scale, conv, centred_scale, mean_2, x, conv_4, dy_2, centred_scale_4, partial_3;
};
static const struct bottleneck_backward_2 bottleneck_backward_2_at[4] = {
	{"bottleneck_13", 7398752256, 7707312128, 13358858240, 7707316224, 7707327488, 13153337344, 18085838848, 7604273152, 21018791936,
	        21018456064},
	{"bottleneck_12", 7604273152, 21018787840, 18085838848, 21018791936, 21018821632, 8837398528, 8631877632, 7398752256, 18651291648,
	        18651021312},
	{"bottleneck_11", 7398752256, 21018775552, 8631877632, 18651291648, 21018815488, 8426356736, 17880317952, 7604273152, 18599911424,
	        18599641088},
	{"bottleneck_10", 7604273152, 21018763264, 17880317952, 18599911424, 21018809344, 17674797056, 17469276160, 7398752256, 18548531200,
	        18548260864},
};
static void bottleneck_backward_2(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_backward_2 *const at = &bottleneck_backward_2_at[i];
	nnr_step_of(at->name, 203 + i * 12, "residual.net:9  round_tf32(((dy * scale) + (((conv - mean) * centred_scale) + shift)))  [256,14,14,1024]  256.9 MFLOP  616.6 MB");
	float *const dy = (float *)(m->arena + at->dy);                                         // [256,14,14,1024]  205.5 MB
	float *const scale = (float *)(m->arena + at->scale);                                   // [1,1,1,1024]  4.1 kB
	float *const conv = (float *)(m->arena + at->conv);                                     // [256,14,14,1024]  205.5 MB
	float *const mean = (float *)(m->arena + at->scale - 8192);                             // [1,1,1,1024]  4.1 kB
	float *const centred_scale = (float *)(m->arena + at->centred_scale);                   // [1,1,1,1024]  4.1 kB
	float *const shift = (float *)(m->arena + at->centred_scale + 4096);                    // [1,1,1,1024]  4.1 kB
	batchnorm_backward(&batchnorm_backward_50176x1024_kernel, dy, scale, conv, mean, centred_scale, shift);
	nnr_branch_begin();
	nnr_step_of(at->name, 204 + i * 12, "residual.net:7  conv_wgrad(relu, dconv)  [1024,1,1,256]  26.3 GFLOP  257.9 MB");
	float *const relu = (float *)(m->arena + 22349865152 - i * 205520896);                  // [256,14,14,256]  51.4 MB
	float *const dconv = (float *)(m->arena + at->conv);                                    // [256,14,14,1024]  205.5 MB
	float *const conv_bn_3_conv_dweight = (float *)(m->arena + 21150274304 - i * 4456448);  // [1024,1,1,256]  1.0 MB
	conv_wgrad(&conv_256x14x14x1024_shape, &conv_wgrad_1024x1x1x256_plan, relu, dconv, conv_bn_3_conv_dweight);
	nnr_branch_end(12 + i * 3);
	nnr_step_of(at->name, 205 + i * 12, "residual.net:7  conv_dgrad(dconv, conv_bn_3_conv_weight)  [256,14,14,256]  26.3 GFLOP  257.9 MB");
	float *const conv_bn_3_conv_weight = (float *)(m->params + 33002240 - i * 4456448);     // [1024,1,1,256]  1.0 MB
	float *const drelu = (float *)(m->arena + 7193231360);                                  // [256,14,14,256]  51.4 MB
	conv_dgrad_any_size(&conv_256x14x14x1024_shape, &conv_dgrad_256x14x14x256_plan, dconv, conv_bn_3_conv_weight, drelu);
	nnr_step_of(at->name, 206 + i * 12, "residual.net:9,24  batchnorm_relu_backward_sums  [1,1,1,256]  128.5 MFLOP  102.8 MB");
	float *const conv_2 = (float *)(m->arena + 22298484928 - i * 205520896);                // [256,14,14,256]  51.4 MB
	float *const mean_2 = (float *)(m->arena + at->mean_2);                                 // [1,1,1,256]  1.0 kB
	float *const scale_2 = (float *)(m->arena + at->mean_2 + 2048);                         // [1,1,1,256]  1.0 kB
	float *const conv_bn_2_batchnorm_bias = (float *)(m->params + 102124800 - i * 12288);   // [256]  1.0 kB
	float *const rstd = (float *)(m->arena + at->mean_2 + 1024);                            // [1,1,1,256]  1.0 kB
	float *const centred_scale_2 = (float *)(m->arena + 7244746752);                        // [1,1,1,256]  1.0 kB
	float *const shift_2 = (float *)(m->arena + 7244747776);                                // [1,1,1,256]  1.0 kB
	float *const conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219395840 - i * 12288); // [256]  1.0 kB
	float *const conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219396864 - i * 12288); // [256]  1.0 kB
	float *const partial = (float *)(m->arena + 7244611584);                                // [33792]  135.2 kB
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_50176x256_kernel, conv_2, mean_2, scale_2, conv_bn_2_batchnorm_bias, drelu, rstd, centred_scale_2, shift_2, conv_bn_2_batchnorm_dweight, conv_bn_2_batchnorm_dbias, partial);
	nnr_step_of(at->name, 207 + i * 12, "residual.net:9,24  batchnorm_relu_backward  [256,14,14,256]  141.3 MFLOP  154.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_50176x256_kernel, conv_2, mean_2, scale_2, conv_bn_2_batchnorm_bias, drelu, centred_scale_2, shift_2);
	nnr_branch_begin();
	nnr_step_of(at->name, 208 + i * 12, "residual.net:7  conv_wgrad(relu_2, dconv_2)  [256,3,3,256]  59.2 GFLOP  105.1 MB");
	float *const relu_2 = (float *)(m->arena + 22247104704 - i * 205520896);                // [256,14,14,256]  51.4 MB
	float *const dconv_2 = (float *)(m->arena + 22298484928 - i * 205520896);               // [256,14,14,256]  51.4 MB
	float *const conv_bn_2_conv_dweight = (float *)(m->arena + 21147915008 - i * 4456448);  // [256,3,3,256]  2.4 MB
	conv_wgrad(&conv_256x14x14x256_3_shape, &conv_wgrad_256x3x3x256_plan, relu_2, dconv_2, conv_bn_2_conv_dweight);
	nnr_branch_end(13 + i * 3);
	nnr_step_of(at->name, 209 + i * 12, "residual.net:7  conv_dgrad(dconv_2, conv_bn_2_conv_weight)  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const conv_bn_2_conv_weight = (float *)(m->params + 30642944 - i * 4456448);     // [256,3,3,256]  2.4 MB
	float *const drelu_2 = (float *)(m->arena + 7193231360);                                // [256,14,14,256]  51.4 MB
	conv_dgrad_any_size(&conv_256x14x14x256_3_shape, &conv_dgrad_256x14x14x256_2_plan, dconv_2, conv_bn_2_conv_weight, drelu_2);
	nnr_step_of(at->name, 210 + i * 12, "residual.net:9,23  batchnorm_relu_backward_sums  [1,1,1,256]  128.5 MFLOP  102.8 MB");
	float *const conv_3 = (float *)(m->arena + 22195724480 - i * 205520896);                // [256,14,14,256]  51.4 MB
	float *const mean_3 = (float *)(m->arena + at->mean_2 - 3072);                          // [1,1,1,256]  1.0 kB
	float *const scale_3 = (float *)(m->arena + at->mean_2 - 1024);                         // [1,1,1,256]  1.0 kB
	float *const conv_bn_batchnorm_bias = (float *)(m->params + 102122752 - i * 12288);     // [256]  1.0 kB
	float *const rstd_2 = (float *)(m->arena + at->mean_2 - 2048);                          // [1,1,1,256]  1.0 kB
	float *const centred_scale_3 = (float *)(m->arena + 7244746752);                        // [1,1,1,256]  1.0 kB
	float *const shift_3 = (float *)(m->arena + 7244747776);                                // [1,1,1,256]  1.0 kB
	float *const conv_bn_batchnorm_dweight = (float *)(m->arena + 21219393792 - i * 12288); // [256]  1.0 kB
	float *const conv_bn_batchnorm_dbias = (float *)(m->arena + 21219394816 - i * 12288);   // [256]  1.0 kB
	float *const partial_2 = (float *)(m->arena + 7244611584);                              // [33792]  135.2 kB
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_50176x256_kernel, conv_3, mean_3, scale_3, conv_bn_batchnorm_bias, drelu_2, rstd_2, centred_scale_3, shift_3, conv_bn_batchnorm_dweight, conv_bn_batchnorm_dbias, partial_2);
	nnr_step_of(at->name, 211 + i * 12, "residual.net:9,23  batchnorm_relu_backward  [256,14,14,256]  141.3 MFLOP  154.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_50176x256_kernel, conv_3, mean_3, scale_3, conv_bn_batchnorm_bias, drelu_2, centred_scale_3, shift_3);
	nnr_branch_begin();
	nnr_step_of(at->name, 212 + i * 12, "residual.net:7  conv_wgrad(x, dconv_3)  [256,1,1,1024]  26.3 GFLOP  257.9 MB");
	float *const x = (float *)(m->arena + at->x);                                           // [256,14,14,1024]  205.5 MB
	float *const dconv_3 = (float *)(m->arena + 22195724480 - i * 205520896);               // [256,14,14,256]  51.4 MB
	float *const conv_bn_conv_dweight = (float *)(m->arena + 21146866432 - i * 4456448);    // [256,1,1,1024]  1.0 MB
	conv_wgrad(&conv_256x14x14x256_2_shape, &conv_wgrad_256x1x1x1024_plan, x, dconv_3, conv_bn_conv_dweight);
	nnr_branch_end(14 + i * 3);
	nnr_step_of(at->name, 213 + i * 12, "residual.net:7  conv_dgrad(dconv_3, conv_bn_conv_weight)  [256,14,14,1024]  26.3 GFLOP  257.9 MB");
	float *const conv_bn_conv_weight = (float *)(m->params + 29594368 - i * 4456448);       // [256,1,1,1024]  1.0 MB
	float *const conv_dgrad = (float *)(m->arena + 7193231360);                             // [256,14,14,1024]  205.5 MB
	conv_dgrad_any_size(&conv_256x14x14x256_2_shape, &conv_dgrad_256x14x14x1024_2_plan, dconv_3, conv_bn_conv_weight, conv_dgrad);
	nnr_step_of(at->name, 214 + i * 12, "residual.net:7,9,28  add_relu_batchnorm_backward_sums  [256,14,14,1024]  308.3 MFLOP  873.5 MB");
	uint8_t *const positive = (uint8_t *)(m->arena + 18651021312 - i * 51380224);           // [256,14,14,1024]  51.4 MB
	float *const conv_4 = (float *)(m->arena + at->conv_4);                                 // [256,14,14,1024]  205.5 MB
	float *const mean_4 = (float *)(m->arena + 21018779648 - i * 12288);                    // [1,1,1,1024]  4.1 kB
	float *const scale_4 = (float *)(m->arena + 21018787840 - i * 12288);                   // [1,1,1,1024]  4.1 kB
	float *const rstd_3 = (float *)(m->arena + 21018783744 - i * 12288);                    // [1,1,1,1024]  4.1 kB
	float *const dy_2 = (float *)(m->arena + at->dy_2);                                     // [256,14,14,1024]  205.5 MB
	float *const centred_scale_4 = (float *)(m->arena + at->centred_scale_4);               // [1,1,1,1024]  4.1 kB
	float *const shift_4 = (float *)(m->arena + at->centred_scale_4 + 4096);                // [1,1,1,1024]  4.1 kB
	float *const conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219385600 - i * 12288); // [1024]  4.1 kB
	float *const conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219389696 - i * 12288); // [1024]  4.1 kB
	float *const partial_3 = (float *)(m->arena + at->partial_3);                           // [67584]  270.3 kB
	add_relu_batchnorm_backward_sums(&add_relu_batchnorm_backward_sums_50176x1024_kernel, dy, conv_dgrad, positive, conv_4, mean_4, scale_4, rstd_3, dy_2, centred_scale_4, shift_4, conv_bn_3_batchnorm_dweight, conv_bn_3_batchnorm_dbias, partial_3);
}

/* 5 calls, 2 times: bottleneck_8.conv_bn, bottleneck_4.conv_bn */
struct conv_bn_backward_4 {
	const char *name;
	NnrKernel *kernel, *kernel_2, *kernel_3;
	const NnrConvShape *shape;
	NnrPlan **plan, **plan_2;
};
static const struct conv_bn_backward_4 conv_bn_backward_4_at[2] = {
	{"bottleneck_8.conv_bn", &batchnorm_relu_backward_sums_200704x256_kernel, &batchnorm_relu_backward_200704x256_kernel,
	        &relu_conv_add_batchnorm_backward_sums_256x28x28x512_kernel, &conv_256x28x28x256_shape, &conv_wgrad_256x1x1x512_plan,
	        &conv_dgrad_256x28x28x512_plan},
	{"bottleneck_4.conv_bn", &batchnorm_relu_backward_sums_802816x128_kernel, &batchnorm_relu_backward_802816x128_kernel,
	        &relu_conv_add_batchnorm_backward_sums_256x56x56x256_kernel, &conv_256x56x56x128_shape, &conv_wgrad_128x1x1x256_plan,
	        &conv_dgrad_256x56x56x256_plan},
};
static void conv_bn_backward_4(const NnrMemory *m, int64_t i)
{
	const struct conv_bn_backward_4 *const at = &conv_bn_backward_4_at[i];
	nnr_step_of(at->name, 273 + i * 51, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_8");
	float *const conv = (float *)(m->arena + 16647192576 - i * 7604273152);
	float *const mean = (float *)(m->arena + 22658197696 + i * 6144);
	float *const scale = (float *)(m->arena + 22658199744 + i * 5120);
	float *const batchnorm_bias = (float *)(m->params + 102053120 - i * 29184);
	float *const drelu = (float *)(m->arena + 6987710464 - i * 411041792);
	float *const rstd = (float *)(m->arena + 22658198720 + i * 5632);
	float *const centred_scale = (float *)(m->arena + 7193501696 - i * 205520896);
	float *const shift = (float *)(m->arena + 7193502720 - i * 205521408);
	float *const batchnorm_dweight = (float *)(m->arena + 21219324160 - i * 28672);
	float *const batchnorm_dbias = (float *)(m->arena + 21219325184 - i * 29184);
	float *const partial = (float *)(m->arena + 7193231360 - i * 205520896);                // [67584]  270.3 kB
	batchnorm_relu_backward_sums(at->kernel, conv, mean, scale, batchnorm_bias, drelu, rstd, centred_scale, shift, batchnorm_dweight, batchnorm_dbias, partial);
	nnr_step_of(at->name, 274 + i * 51, "residual.net:9,23  batchnorm_relu_backward of bottleneck_8");
	batchnorm_relu_backward(at->kernel_2, conv, mean, scale, batchnorm_bias, drelu, centred_scale, shift);
	nnr_branch_begin();
	nnr_step_of(at->name, 275 + i * 51, "residual.net:7  conv_wgrad(x, dconv)");
	float *const x = (float *)(m->arena + 12742295552 - i * 6987710464);
	float *const dconv = (float *)(m->arena + 16647192576 - i * 7604273152);
	float *const conv_dweight = (float *)(m->arena + 21123011328 - i * 4849664);
	conv_wgrad(at->shape, at->plan, x, dconv, conv_dweight);
	nnr_branch_end(30 + i * 13);
	nnr_step_of(at->name, 276 + i * 51, "residual.net:7  conv_dgrad(dconv, conv_weight)");
	float *const conv_weight = (float *)(m->params + 5739264 - i * 4849664);
	float *const conv_dgrad = (float *)(m->arena + 6987710464 - i * 411041792);
	conv_dgrad_any_size(at->shape, at->plan_2, dconv, conv_weight, conv_dgrad);
	nnr_branch_wait(4 + i * 13);
	nnr_step_of(at->name, 277 + i * 51, "residual.net:7,9,28  relu_conv_add_batchnorm_backward_sums");
	uint8_t *const positive = (uint8_t *)(m->arena + 7809794048 + i * 411041792);
	float *const conv_dgrad_2 = (float *)(m->arena + 21014511616 - i * 2723151872);
	float *const conv_2 = (float *)(m->arena + 12331253760 - i * 7398752256);
	float *const mean_2 = (float *)(m->arena + 22658179264 + i * 15360);
	float *const scale_2 = (float *)(m->arena + 22658183360 + i * 13312);
	float *const rstd_2 = (float *)(m->arena + 22658181312 + i * 14336);
	float *const dy = (float *)(m->arena + 7398752256);
	float *const centred_scale_2 = (float *)(m->arena + 8118345728 + i * 719323136);
	float *const shift_2 = (float *)(m->arena + 8118347776 + i * 719322112);
	float *const bottleneck_7_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219320064 - i * 26624);
	float *const bottleneck_7_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219322112 - i * 27648);
	float *const partial_2 = (float *)(m->arena + 8118075392 + i * 719323136);              // [67584]  270.3 kB
	relu_conv_add_batchnorm_backward_sums(at->kernel_3, positive, conv_dgrad_2, conv_dgrad, conv_2, mean_2, scale_2, rstd_2, dy, centred_scale_2, shift_2, bottleneck_7_conv_bn_3_batchnorm_dweight, bottleneck_7_conv_bn_3_batchnorm_dbias, partial_2);
}

/* 12 calls, 3 times: bottleneck_7, bottleneck_6, bottleneck_3 */
struct bottleneck_backward_3 {
	const char *name;
	int step, branch, waits;
	NnrKernel *kernel, *kernel_2, *kernel_3, *kernel_4;
	size_t dy, scale, conv, mean, centred_scale, shift, relu, conv_bn_3_conv_dweight, conv_bn_3_conv_weight, drelu, conv_2, mean_2, scale_2,
	        conv_bn_2_batchnorm_bias, rstd, centred_scale_2, shift_2, conv_bn_2_batchnorm_dweight, conv_bn_2_batchnorm_dbias, relu_2,
	        conv_bn_2_conv_dweight, conv_bn_2_conv_weight, conv_3, mean_3, scale_3, conv_bn_batchnorm_bias, rstd_2, conv_bn_batchnorm_dweight,
	        conv_bn_batchnorm_dbias, x, conv_bn_conv_dweight, conv_bn_conv_weight, positive, conv_4, mean_4, scale_4, rstd_3, dy_2,
	        centred_scale_4, shift_4, conv_bn_3_batchnorm_dweight, conv_bn_3_batchnorm_dbias;
	const NnrConvShape *shape, *shape_2, *shape_3;
	NnrPlan **plan, **plan_2, **plan_3, **plan_4, **plan_5, **plan_6;
};
static const struct bottleneck_backward_3 bottleneck_backward_3_at[3] = {
	{"bottleneck_7", 278, 31, 7, &batchnorm_backward_200704x512_kernel, &batchnorm_relu_backward_sums_200704x128_kernel,
	        &batchnorm_relu_backward_200704x128_kernel, &add_relu_batchnorm_backward_sums_200704x512_kernel, 7398752256, 22658183360,
	        12331253760, 22658179264, 8118345728, 8118347776, 20397948928, 21122749184, 5477120, 6987710464, 20295188480, 22658214592,
	        22658215616, 102047488, 22658215104, 7090606080, 7090606592, 21219319040, 21219319552, 20192428032, 21122159360, 4887296,
	        20089667584, 22658213056, 22658214080, 102046464, 22658213568, 21219318016, 21219318528, 11920211968, 21121897216, 4625152,
	        19986907136, 11509170176, 22658173120, 22658177216, 22658175168, 7809794048, 20809261056, 20809263104, 21219313920, 21219315968,
	        &conv_256x28x28x512_shape, &conv_256x28x28x128_3_shape, &conv_256x28x28x128_2_shape, &conv_wgrad_512x1x1x128_plan,
	        &conv_dgrad_256x28x28x128_plan, &conv_wgrad_128x3x3x128_plan, &conv_dgrad_256x28x28x128_2_plan, &conv_wgrad_128x1x1x512_plan,
	        &conv_dgrad_256x28x28x512_2_plan},
	{"bottleneck_6", 290, 34, 11, &batchnorm_backward_200704x512_kernel, &batchnorm_relu_backward_sums_200704x128_kernel,
	        &batchnorm_relu_backward_200704x128_kernel, &add_relu_batchnorm_backward_sums_200704x512_kernel, 7809794048, 22658177216,
	        11509170176, 22658173120, 20809261056, 20809263104, 19884146688, 21121635072, 4363008, 6987710464, 19781386240, 22658211520,
	        22658212544, 102041344, 22658212032, 7090606080, 7090606592, 21219312896, 21219313408, 19678625792, 21121045248, 3773184,
	        19575865344, 22658209984, 22658211008, 102040320, 22658210496, 21219311872, 21219312384, 11098128384, 21120783104, 3511040,
	        19473104896, 10687086592, 22658166976, 22658171072, 22658169024, 7398752256, 18291630080, 18291632128, 21219307776, 21219309824,
	        &conv_256x28x28x512_shape, &conv_256x28x28x128_3_shape, &conv_256x28x28x128_2_shape, &conv_wgrad_512x1x1x128_plan,
	        &conv_dgrad_256x28x28x128_plan, &conv_wgrad_128x3x3x128_plan, &conv_dgrad_256x28x28x128_2_plan, &conv_wgrad_128x1x1x512_plan,
	        &conv_dgrad_256x28x28x512_2_plan},
	{"bottleneck_3", 329, 44, 20, &batchnorm_backward_802816x256_kernel, &batchnorm_relu_backward_sums_802816x64_kernel,
	        &batchnorm_relu_backward_802816x64_kernel, &add_relu_batchnorm_backward_sums_802816x256_kernel, 7398752256, 22658196672, 4932501504,
	        22658194624, 8837668864, 8837669888, 16441671680, 21118096128, 824064, 6576668672, 16236150784, 22658220736, 22658221248, 102021120,
	        22658220992, 6782324736, 6782324992, 21219292928, 21219293184, 16030629888, 21117948672, 676608, 15825108992, 22658219968,
	        22658220480, 102020608, 22658220224, 21219292416, 21219292672, 4110417920, 21117883136, 611072, 15619588096, 3288334336,
	        22658191552, 22658193600, 22658192576, 8220835840, 18086109184, 18086110208, 21219290368, 21219291392, &conv_256x56x56x256_shape,
	        &conv_256x56x56x64_2_shape, &conv_256x56x56x64_3_shape, &conv_wgrad_256x1x1x64_plan, &conv_dgrad_256x56x56x64_plan,
	        &conv_wgrad_64x3x3x64_plan, &conv_dgrad_256x56x56x64_2_plan, &conv_wgrad_64x1x1x256_plan, &conv_dgrad_256x56x56x256_2_plan},
};
static void bottleneck_backward_3(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_backward_3 *const at = &bottleneck_backward_3_at[i];
	nnr_step_of(at->name, at->step, "residual.net:9  round_tf32(((dy * scale) + (((conv - mean) * centred_scale) + shift)))");
	float *const dy = (float *)(m->arena + at->dy);
	float *const scale = (float *)(m->arena + at->scale);
	float *const conv = (float *)(m->arena + at->conv);
	float *const mean = (float *)(m->arena + at->mean);
	float *const centred_scale = (float *)(m->arena + at->centred_scale);
	float *const shift = (float *)(m->arena + at->shift);
	batchnorm_backward(at->kernel, dy, scale, conv, mean, centred_scale, shift);
	nnr_branch_begin();
	nnr_step_of(at->name, at->step + 1, "residual.net:7  conv_wgrad(relu, dconv)");
	float *const relu = (float *)(m->arena + at->relu);
	float *const dconv = (float *)(m->arena + at->conv);
	float *const conv_bn_3_conv_dweight = (float *)(m->arena + at->conv_bn_3_conv_dweight);
	conv_wgrad(at->shape, at->plan, relu, dconv, conv_bn_3_conv_dweight);
	nnr_branch_end(at->branch);
	nnr_step_of(at->name, at->step + 2, "residual.net:7  conv_dgrad(dconv, conv_bn_3_conv_weight)");
	float *const conv_bn_3_conv_weight = (float *)(m->params + at->conv_bn_3_conv_weight);
	float *const drelu = (float *)(m->arena + at->drelu);
	conv_dgrad_any_size(at->shape, at->plan_2, dconv, conv_bn_3_conv_weight, drelu);
	nnr_step_of(at->name, at->step + 3, "residual.net:9,24  batchnorm_relu_backward_sums");
	float *const conv_2 = (float *)(m->arena + at->conv_2);
	float *const mean_2 = (float *)(m->arena + at->mean_2);
	float *const scale_2 = (float *)(m->arena + at->scale_2);
	float *const conv_bn_2_batchnorm_bias = (float *)(m->params + at->conv_bn_2_batchnorm_bias);
	float *const rstd = (float *)(m->arena + at->rstd);
	float *const centred_scale_2 = (float *)(m->arena + at->centred_scale_2);
	float *const shift_2 = (float *)(m->arena + at->shift_2);
	float *const conv_bn_2_batchnorm_dweight = (float *)(m->arena + at->conv_bn_2_batchnorm_dweight);
	float *const conv_bn_2_batchnorm_dbias = (float *)(m->arena + at->conv_bn_2_batchnorm_dbias);
	float *const partial = (float *)(m->arena + at->centred_scale_2 - 135168);              // [33792]  135.2 kB
	batchnorm_relu_backward_sums(at->kernel_2, conv_2, mean_2, scale_2, conv_bn_2_batchnorm_bias, drelu, rstd, centred_scale_2, shift_2, conv_bn_2_batchnorm_dweight, conv_bn_2_batchnorm_dbias, partial);
	nnr_step_of(at->name, at->step + 4, "residual.net:9,24  batchnorm_relu_backward");
	batchnorm_relu_backward(at->kernel_3, conv_2, mean_2, scale_2, conv_bn_2_batchnorm_bias, drelu, centred_scale_2, shift_2);
	nnr_branch_begin();
	nnr_step_of(at->name, at->step + 5, "residual.net:7  conv_wgrad(relu_2, dconv_2)");
	float *const relu_2 = (float *)(m->arena + at->relu_2);
	float *const dconv_2 = (float *)(m->arena + at->conv_2);
	float *const conv_bn_2_conv_dweight = (float *)(m->arena + at->conv_bn_2_conv_dweight);
	conv_wgrad(at->shape_2, at->plan_3, relu_2, dconv_2, conv_bn_2_conv_dweight);
	nnr_branch_end(at->branch + 1);
	nnr_step_of(at->name, at->step + 6, "residual.net:7  conv_dgrad(dconv_2, conv_bn_2_conv_weight)");
	float *const conv_bn_2_conv_weight = (float *)(m->params + at->conv_bn_2_conv_weight);
	float *const drelu_2 = (float *)(m->arena + at->drelu);
	conv_dgrad_any_size(at->shape_2, at->plan_4, dconv_2, conv_bn_2_conv_weight, drelu_2);
	nnr_step_of(at->name, at->step + 7, "residual.net:9,23  batchnorm_relu_backward_sums");
	float *const conv_3 = (float *)(m->arena + at->conv_3);
	float *const mean_3 = (float *)(m->arena + at->mean_3);
	float *const scale_3 = (float *)(m->arena + at->scale_3);
	float *const conv_bn_batchnorm_bias = (float *)(m->params + at->conv_bn_batchnorm_bias);
	float *const rstd_2 = (float *)(m->arena + at->rstd_2);
	float *const centred_scale_3 = (float *)(m->arena + at->centred_scale_2);
	float *const shift_3 = (float *)(m->arena + at->shift_2);
	float *const conv_bn_batchnorm_dweight = (float *)(m->arena + at->conv_bn_batchnorm_dweight);
	float *const conv_bn_batchnorm_dbias = (float *)(m->arena + at->conv_bn_batchnorm_dbias);
	float *const partial_2 = (float *)(m->arena + at->centred_scale_2 - 135168);            // [33792]  135.2 kB
	batchnorm_relu_backward_sums(at->kernel_2, conv_3, mean_3, scale_3, conv_bn_batchnorm_bias, drelu_2, rstd_2, centred_scale_3, shift_3, conv_bn_batchnorm_dweight, conv_bn_batchnorm_dbias, partial_2);
	nnr_step_of(at->name, at->step + 8, "residual.net:9,23  batchnorm_relu_backward");
	batchnorm_relu_backward(at->kernel_3, conv_3, mean_3, scale_3, conv_bn_batchnorm_bias, drelu_2, centred_scale_3, shift_3);
	nnr_branch_begin();
	nnr_step_of(at->name, at->step + 9, "residual.net:7  conv_wgrad(x, dconv_3)");
	float *const x = (float *)(m->arena + at->x);
	float *const dconv_3 = (float *)(m->arena + at->conv_3);
	float *const conv_bn_conv_dweight = (float *)(m->arena + at->conv_bn_conv_dweight);
	conv_wgrad(at->shape_3, at->plan_5, x, dconv_3, conv_bn_conv_dweight);
	nnr_branch_end(at->branch + 2);
	nnr_step_of(at->name, at->step + 10, "residual.net:7  conv_dgrad(dconv_3, conv_bn_conv_weight)");
	float *const conv_bn_conv_weight = (float *)(m->params + at->conv_bn_conv_weight);
	float *const conv_dgrad = (float *)(m->arena + at->drelu);
	conv_dgrad_any_size(at->shape_3, at->plan_6, dconv_3, conv_bn_conv_weight, conv_dgrad);
	nnr_branch_wait(at->waits);
	nnr_step_of(at->name, at->step + 11, "residual.net:7,9,28  add_relu_batchnorm_backward_sums");
	uint8_t *const positive = (uint8_t *)(m->arena + at->positive);
	float *const conv_4 = (float *)(m->arena + at->conv_4);
	float *const mean_4 = (float *)(m->arena + at->mean_4);
	float *const scale_4 = (float *)(m->arena + at->scale_4);
	float *const rstd_3 = (float *)(m->arena + at->rstd_3);
	float *const dy_2 = (float *)(m->arena + at->dy_2);
	float *const centred_scale_4 = (float *)(m->arena + at->centred_scale_4);
	float *const shift_4 = (float *)(m->arena + at->shift_4);
	float *const conv_bn_3_batchnorm_dweight = (float *)(m->arena + at->conv_bn_3_batchnorm_dweight);
	float *const conv_bn_3_batchnorm_dbias = (float *)(m->arena + at->conv_bn_3_batchnorm_dbias);
	float *const partial_3 = (float *)(m->arena + at->centred_scale_4 - 270336);            // [67584]  270.3 kB
	add_relu_batchnorm_backward_sums(at->kernel_4, dy, conv_dgrad, positive, conv_4, mean_4, scale_4, rstd_3, dy_2, centred_scale_4, shift_4, conv_bn_3_batchnorm_dweight, conv_bn_3_batchnorm_dbias, partial_3);
}

static void train_step(const NnrMemory *m, const NnrScalars *s)
{
	/* ---- forward */
	nnr_step(1, "resnet.net:11  round_tf32(rgb_affine(cast(image)))  [256,224,224,3]  77.1 MFLOP  192.7 MB");
	uint8_t *const image = (uint8_t *)(m->inputs + 0);                                      // [256,224,224,3]  38.5 MB
	float *const normalize = (float *)(m->arena + 18702401536);                             // [256,224,224,3]  154.1 MB  steps 1-372
	normalize_38535168(image, normalize);
	nnr_step(2, "residual.net:7  conv(normalize, conv_bn_conv_weight)  [256,112,112,64]  60.4 GFLOP  976.3 MB");
	float *const conv_bn_conv_weight = (float *)(m->params + 0);                            // [64,7,7,3]  37.6 kB
	float *const conv = (float *)(m->arena + 0);                                            // [256,112,112,64]  822.1 MB  steps 2-372
	launch_3(&conv_256x112x112x64_kernel, normalize, conv_bn_conv_weight, conv);
	nnr_step(3, "residual.net:9  batchnorm_statistics of conv_bn  [1,1,1,64]  822.1 MFLOP  822.1 MB");
	float *const first_place = (float *)(m->arena + 0);                                     // [1,1,1,64]  256 B  steps 2-372
	float *const conv_bn_batchnorm_running_mean = (float *)(m->state + 0);                  // [64]  256 B
	float *const conv_bn_batchnorm_running_var = (float *)(m->state + 256);                 // [64]  256 B
	float *const conv_bn_batchnorm_weight = (float *)(m->params + 102011648);               // [64]  256 B
	float *const mean = (float *)(m->arena + 22658216128);                                  // [1,1,1,64]  256 B  steps 3-369
	float *const rstd = (float *)(m->arena + 22658216384);                                  // [1,1,1,64]  256 B  steps 3-367
	float *const scale = (float *)(m->arena + 22658216640);                                 // [1,1,1,64]  256 B  steps 3-369
	float *const partial = (float *)(m->arena + 822083584);                                 // [67584]  270.3 kB  steps 3-3
	batchnorm_statistics(&batchnorm_statistics_3211264x64_kernel, conv, first_place, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, mean, rstd, scale, partial);
	nnr_step(4, "residual.net:9 resnet.net:14  maxpool_batchnorm  [256,56,56,64]  3.2 GFLOP  1.3 GB");
	float *const conv_bn_batchnorm_bias = (float *)(m->params + 102011904);                 // [64]  256 B
	float *const x_top = (float *)(m->arena + 13564379136);                                 // [256,56,56,64]  205.5 MB  steps 4-367
	float *const x = (float *)(m->arena + 13769900032);                                     // [256,56,56,64]  205.5 MB  steps 4-372
	uint8_t *const x_place = (uint8_t *)(m->arena + 21219500224);                           // [256,56,56,64]  51.4 MB  steps 4-369
	maxpool_batchnorm_256x56x56x64(conv, mean, scale, conv_bn_batchnorm_bias, x_top, x, x_place);
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
	for (int64_t i = 10; i < 12; i++)
		bottleneck_forward_2(m, i);
	nnr_step(157, "resnet.net:12  matmul(avgpool, dense_weight)  [256,1000]  1.0 GFLOP  11.3 MB");
	float *const avgpool = (float *)(m->arena + 21014511616);                               // [256,2048]  2.1 MB  steps 156-260
	float *const dense_weight = (float *)(m->params + 93819648);                            // [1000,2048]  8.2 MB
	float *const matmul = (float *)(m->arena + 21016608768);                                // [256,1000]  1.0 MB  steps 157-260
	matmul_any_size(&matmul_256x1000_shape, &matmul_256x1000_plan, avgpool, dense_weight, matmul);

	/* ---- loss */
	nnr_step(158, "resnet.net:12,14,15  bias_backward_cross_entropy_backward_top1_mean  [256,1000]  7.9 MFLOP  2.1 MB");
	float *const dense_bias = (float *)(m->params + 102224128);                             // [1000]  4.0 kB
	int32_t *const label_2 = (int32_t *)(m->inputs + 38535168);                             // [256,1]  1.0 kB
	float *const partial_54 = (float *)(m->arena + 21017632768);                            // [205824]  823.3 kB  steps 158-259
	bias_backward_cross_entropy_backward_top1_mean_256x1000(matmul, dense_bias, label_2, partial_54);
	nnr_scores_wait();
	nnr_branch_begin();
	nnr_step(159, "resnet.net:12,14,15  mean_bias_backward  [1000]  2 FLOP  4.0 kB");
	float *const loss = (float *)(m->arena + 22658221504);                                  // []  4 B  steps 159-end
	float *const top1 = (float *)(m->arena + 22658221568);                                  // []  4 B  steps 159-end
	float *const dense_dbias = (float *)(m->arena + 21219496192);                           // [1000]  4.0 kB  steps 159-372
	mean_bias_backward_256x1000(loss, top1, dense_dbias, partial_54);
	nnr_branch_end(0);

	/* ---- backward */
	nnr_branch_begin();
	nnr_step(160, "resnet.net:12  matmul(dlogits, avgpool)  [1000,2048]  1.0 GFLOP  11.3 MB");
	float *const dlogits = (float *)(m->arena + 21016608768);                               // [256,1000]  1.0 MB  steps 157-260
	float *const dense_dweight = (float *)(m->arena + 21211091712);                         // [1000,2048]  8.2 MB  steps 159-372
	matmul_any_size(&matmul_1000x2048_shape, &matmul_1000x2048_plan, dlogits, avgpool, dense_dweight);
	nnr_branch_end(1);
	nnr_step(161, "resnet.net:12  matmul(dlogits, dense_weight)  [256,2048]  1.0 GFLOP  11.3 MB");
	float *const davgpool = (float *)(m->arena + 7552892928);                               // [256,2048]  2.1 MB  steps 161-175
	matmul_any_size(&matmul_256x2048_shape, &matmul_256x2048_plan, dlogits, dense_weight, davgpool);
	nnr_step(162, "resnet.net:12  davgpool * 0.0204082  [256,1,1,2048]  524.3 kFLOP  4.2 MB");
	avgpool_backward_524288(davgpool);
	nnr_step(163, "residual.net:9,28  relu_batchnorm_backward_sums of bottleneck_16  [1,1,1,2048]  128.5 MFLOP  130.6 MB");
	uint8_t *const positive_12 = (uint8_t *)(m->arena + 7527202816);                        // [256,7,7,2048]  25.7 MB  steps 156-175
	float *const dsum = (float *)(m->arena + 7552892928);                                   // [256,1,1,2048]  2.1 MB  steps 161-175
	float *const conv_53 = (float *)(m->arena + 20808990720);                               // [256,7,7,2048]  102.8 MB  steps 154-265
	float *const mean_53 = (float *)(m->arena + 7296532480);                                // [1,1,1,2048]  8.2 kB  steps 155-164
	float *const scale_53 = (float *)(m->arena + 7296548864);                               // [1,1,1,2048]  8.2 kB  steps 155-164
	float *const rstd_53 = (float *)(m->arena + 7296540672);                                // [1,1,1,2048]  8.2 kB  steps 155-163
	float *const centred_scale = (float *)(m->arena + 7296557056);                          // [1,1,1,2048]  8.2 kB  steps 163-164
	float *const shift = (float *)(m->arena + 7296565248);                                  // [1,1,1,2048]  8.2 kB  steps 163-164
	float *const bottleneck_16_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219479808); // [2048]  8.2 kB  steps 159-372
	float *const bottleneck_16_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219488000); // [2048]  8.2 kB  steps 159-372
	float *const partial_55 = (float *)(m->arena + 7295991808);                             // [135168]  540.7 kB  steps 163-163
	relu_batchnorm_backward_sums_256x49x2048(positive_12, dsum, conv_53, mean_53, scale_53, rstd_53, centred_scale, shift, bottleneck_16_conv_bn_3_batchnorm_dweight, bottleneck_16_conv_bn_3_batchnorm_dbias, partial_55);
	nnr_step(164, "residual.net:9,28  relu_batchnorm_backward of bottleneck_16  [256,7,7,2048]  154.1 MFLOP  233.3 MB");
	relu_batchnorm_backward_256x49x2048(positive_12, dsum, scale_53, conv_53, mean_53, centred_scale, shift);
	nnr_branch_begin();
	nnr_step(165, "residual.net:7  conv_wgrad(relu_32, dconv)  [2048,1,1,512]  26.3 GFLOP  132.6 MB");
	float *const relu_32 = (float *)(m->arena + 22632456384);                               // [256,7,7,512]  25.7 MB  steps 153-265
	float *const dconv = (float *)(m->arena + 20808990720);                                 // [256,7,7,2048]  102.8 MB  steps 154-265
	float *const bottleneck_16_conv_bn_3_conv_dweight = (float *)(m->arena + 21206897408);  // [2048,1,1,512]  4.2 MB  steps 159-372
	conv_wgrad(&conv_256x7x7x2048_shape, &conv_wgrad_2048x1x1x512_plan, relu_32, dconv, bottleneck_16_conv_bn_3_conv_dweight);
	nnr_branch_end(2);
	nnr_step(166, "residual.net:7  conv_dgrad(dconv, bottleneck_16_conv_bn_3_conv_weight)  [256,7,7,512]  26.3 GFLOP  132.6 MB");
	float *const bottleneck_16_conv_bn_3_conv_weight = (float *)(m->params + 89625344);     // [2048,1,1,512]  4.2 MB
	float *const drelu = (float *)(m->arena + 7295991808);                                  // [256,7,7,512]  25.7 MB  steps 166-168
	conv_dgrad_any_size(&conv_256x7x7x2048_shape, &conv_dgrad_256x7x7x512_plan, dconv, bottleneck_16_conv_bn_3_conv_weight, drelu);
	conv_bn_backward(m, 0); // bottleneck_16.conv_bn_2
	nnr_step(171, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_16  [1,1,1,512]  64.2 MFLOP  51.4 MB");
	float *const conv_51 = (float *)(m->arena + 22555386048);                               // [256,7,7,512]  25.7 MB  steps 148-273
	float *const mean_51 = (float *)(m->arena + 7321817088);                                // [1,1,1,512]  2.0 kB  steps 149-172
	float *const scale_51 = (float *)(m->arena + 7321821184);                               // [1,1,1,512]  2.0 kB  steps 149-172
	float *const bottleneck_16_conv_bn_batchnorm_bias = (float *)(m->params + 102201600);   // [512]  2.0 kB
	float *const drelu_2 = (float *)(m->arena + 7295991808);                                // [256,7,7,512]  25.7 MB  steps 170-172
	float *const rstd_51 = (float *)(m->arena + 7321819136);                                // [1,1,1,512]  2.0 kB  steps 149-171
	float *const centred_scale_3 = (float *)(m->arena + 7321823232);                        // [1,1,1,512]  2.0 kB  steps 171-172
	float *const shift_3 = (float *)(m->arena + 7321825280);                                // [1,1,1,512]  2.0 kB  steps 171-172
	float *const bottleneck_16_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219471616); // [512]  2.0 kB  steps 159-372
	float *const bottleneck_16_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219473664); // [512]  2.0 kB  steps 159-372
	float *const partial_57 = (float *)(m->arena + 7321681920);                             // [33792]  135.2 kB  steps 171-171
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_12544x512_kernel, conv_51, mean_51, scale_51, bottleneck_16_conv_bn_batchnorm_bias, drelu_2, rstd_51, centred_scale_3, shift_3, bottleneck_16_conv_bn_batchnorm_dweight, bottleneck_16_conv_bn_batchnorm_dbias, partial_57);
	nnr_step(172, "residual.net:9,23  batchnorm_relu_backward of bottleneck_16  [256,7,7,512]  70.6 MFLOP  77.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_12544x512_kernel, conv_51, mean_51, scale_51, bottleneck_16_conv_bn_batchnorm_bias, drelu_2, centred_scale_3, shift_3);
	nnr_branch_begin();
	nnr_step(173, "residual.net:7  conv_wgrad(x_16, dconv_3)  [512,1,1,2048]  26.3 GFLOP  132.6 MB");
	float *const x_16 = (float *)(m->arena + 8118075392);                                   // [256,7,7,2048]  102.8 MB  steps 147-273
	float *const dconv_3 = (float *)(m->arena + 22555386048);                               // [256,7,7,512]  25.7 MB  steps 148-273
	float *const bottleneck_16_conv_bn_conv_dweight = (float *)(m->arena + 21193265920);    // [512,1,1,2048]  4.2 MB  steps 159-372
	conv_wgrad(&conv_256x7x7x512_2_shape, &conv_wgrad_512x1x1x2048_plan, x_16, dconv_3, bottleneck_16_conv_bn_conv_dweight);
	nnr_branch_end(4);
	nnr_step(174, "residual.net:7  conv_dgrad(dconv_3, bottleneck_16_conv_bn_conv_weight)  [256,7,7,2048]  26.3 GFLOP  132.6 MB");
	float *const bottleneck_16_conv_bn_conv_weight = (float *)(m->params + 75993856);       // [512,1,1,2048]  4.2 MB
	float *const conv_dgrad = (float *)(m->arena + 7295991808);                             // [256,7,7,2048]  102.8 MB  steps 174-175
	conv_dgrad_any_size(&conv_256x7x7x512_2_shape, &conv_dgrad_256x7x7x2048_plan, dconv_3, bottleneck_16_conv_bn_conv_weight, conv_dgrad);
	nnr_step(175, "residual.net:7,9,28  relu_add_batchnorm_backward_sums  [256,7,7,2048]  179.8 MFLOP  361.8 MB");
	uint8_t *const positive_11 = (uint8_t *)(m->arena + 7501512704);                        // [256,7,7,2048]  25.7 MB  steps 147-175
	float *const conv_50 = (float *)(m->arena + 8015314944);                                // [256,7,7,2048]  102.8 MB  steps 145-277
	float *const mean_50 = (float *)(m->arena + 7555301376);                                // [1,1,1,2048]  8.2 kB  steps 146-176
	float *const scale_50 = (float *)(m->arena + 7555317760);                               // [1,1,1,2048]  8.2 kB  steps 146-176
	float *const rstd_50 = (float *)(m->arena + 7555309568);                                // [1,1,1,2048]  8.2 kB  steps 146-175
	float *const dy = (float *)(m->arena + 7398752256);                                     // [256,7,7,2048]  102.8 MB  steps 175-187
	float *const centred_scale_4 = (float *)(m->arena + 7555325952);                        // [1,1,1,2048]  8.2 kB  steps 175-176
	float *const shift_4 = (float *)(m->arena + 7555334144);                                // [1,1,1,2048]  8.2 kB  steps 175-176
	float *const bottleneck_15_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219455232); // [2048]  8.2 kB  steps 159-372
	float *const bottleneck_15_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219463424); // [2048]  8.2 kB  steps 159-372
	float *const partial_58 = (float *)(m->arena + 7554990080);                             // [65536]  262.1 kB  steps 175-175
	relu_add_batchnorm_backward_sums_256x49x2048(positive_12, dsum, conv_dgrad, positive_11, conv_50, mean_50, scale_50, rstd_50, dy, centred_scale_4, shift_4, bottleneck_15_conv_bn_3_batchnorm_dweight, bottleneck_15_conv_bn_3_batchnorm_dbias, partial_58);
	bottleneck_backward(m, 0); // bottleneck_15
	conv_bn_backward_2(m, 0); // bottleneck_14.conv_bn_4
	conv_bn_backward_3(m, 0); // bottleneck_14.conv_bn_3
	conv_bn_backward(m, 1); // bottleneck_14.conv_bn_2
	nnr_step(198, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_14  [1,1,1,512]  256.9 MFLOP  205.5 MB");
	float *const conv_44 = (float *)(m->arena + 20500709376);                               // [256,14,14,512]  102.8 MB  steps 128-300
	float *const mean_44 = (float *)(m->arena + 7555342336);                                // [1,1,1,512]  2.0 kB  steps 129-199
	float *const scale_44 = (float *)(m->arena + 7555346432);                               // [1,1,1,512]  2.0 kB  steps 129-199
	float *const bottleneck_14_conv_bn_batchnorm_bias = (float *)(m->params + 102136064);   // [512]  2.0 kB
	float *const drelu_6 = (float *)(m->arena + 7193231360);                                // [256,14,14,512]  102.8 MB  steps 197-199
	float *const rstd_44 = (float *)(m->arena + 7555344384);                                // [1,1,1,512]  2.0 kB  steps 129-198
	float *const centred_scale_10 = (float *)(m->arena + 7296262144);                       // [1,1,1,512]  2.0 kB  steps 198-199
	float *const shift_10 = (float *)(m->arena + 7296264192);                               // [1,1,1,512]  2.0 kB  steps 198-199
	float *const bottleneck_14_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219406080); // [512]  2.0 kB  steps 159-372
	float *const bottleneck_14_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219408128); // [512]  2.0 kB  steps 159-372
	float *const partial_63 = (float *)(m->arena + 7295991808);                             // [67584]  270.3 kB  steps 198-198
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_50176x512_kernel, conv_44, mean_44, scale_44, bottleneck_14_conv_bn_batchnorm_bias, drelu_6, rstd_44, centred_scale_10, shift_10, bottleneck_14_conv_bn_batchnorm_dweight, bottleneck_14_conv_bn_batchnorm_dbias, partial_63);
	nnr_step(199, "residual.net:9,23  batchnorm_relu_backward of bottleneck_14  [256,14,14,512]  282.6 MFLOP  308.3 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_50176x512_kernel, conv_44, mean_44, scale_44, bottleneck_14_conv_bn_batchnorm_bias, drelu_6, centred_scale_10, shift_10);
	nnr_branch_begin();
	nnr_step(200, "residual.net:7  conv_wgrad(x_14, dconv_10)  [512,1,1,1024]  52.6 GFLOP  310.4 MB");
	float *const x_14 = (float *)(m->arena + 18291359744);                                  // [256,14,14,1024]  205.5 MB  steps 127-300
	float *const dconv_10 = (float *)(m->arena + 20500709376);                              // [256,14,14,512]  102.8 MB  steps 128-300
	float *const bottleneck_14_conv_bn_conv_dweight = (float *)(m->arena + 21151322880);    // [512,1,1,1024]  2.1 MB  steps 159-372
	conv_wgrad(&conv_256x14x14x512_shape, &conv_wgrad_512x1x1x1024_plan, x_14, dconv_10, bottleneck_14_conv_bn_conv_dweight);
	nnr_branch_end(11);
	nnr_step(201, "residual.net:7  conv_dgrad(dconv_10, bottleneck_14_conv_bn_conv_weight)  [256,14,14,1024]  52.6 GFLOP  310.4 MB");
	float *const bottleneck_14_conv_bn_conv_weight = (float *)(m->params + 34050816);       // [512,1,1,1024]  2.1 MB
	float *const conv_dgrad_4 = (float *)(m->arena + 7193231360);                           // [256,14,14,1024]  205.5 MB  steps 201-202
	conv_dgrad_any_size(&conv_256x14x14x512_shape, &conv_dgrad_256x14x14x1024_plan, dconv_10, bottleneck_14_conv_bn_conv_weight, conv_dgrad_4);
	nnr_step(202, "residual.net:7,9,28  relu_conv_add_batchnorm_backward_sums  [256,14,14,1024]  308.3 MFLOP  719.4 MB");
	uint8_t *const positive_10 = (uint8_t *)(m->arena + 7604273152);                        // [256,14,14,1024]  51.4 MB  steps 127-202
	float *const conv_dgrad_3 = (float *)(m->arena + 7655653376);                           // [256,7,7,1024]  51.4 MB  steps 190-202
	float *const conv_43 = (float *)(m->arena + 13358858240);                               // [256,14,14,1024]  205.5 MB  steps 125-304
	float *const mean_43 = (float *)(m->arena + 7707303936);                                // [1,1,1,1024]  4.1 kB  steps 126-203
	float *const scale_43 = (float *)(m->arena + 7707312128);                               // [1,1,1,1024]  4.1 kB  steps 126-203
	float *const rstd_43 = (float *)(m->arena + 7707308032);                                // [1,1,1,1024]  4.1 kB  steps 126-202
	float *const dy_2 = (float *)(m->arena + 7398752256);                                   // [256,14,14,1024]  205.5 MB  steps 202-214
	float *const centred_scale_11 = (float *)(m->arena + 7707316224);                       // [1,1,1,1024]  4.1 kB  steps 202-203
	float *const shift_11 = (float *)(m->arena + 7707320320);                               // [1,1,1,1024]  4.1 kB  steps 202-203
	float *const bottleneck_13_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219397888); // [1024]  4.1 kB  steps 159-372
	float *const bottleneck_13_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219401984); // [1024]  4.1 kB  steps 159-372
	float *const partial_64 = (float *)(m->arena + 7707033600);                             // [67584]  270.3 kB  steps 202-202
	relu_conv_add_batchnorm_backward_sums(&relu_conv_add_batchnorm_backward_sums_256x14x14x1024_kernel, positive_10, conv_dgrad_3, conv_dgrad_4, conv_43, mean_43, scale_43, rstd_43, dy_2, centred_scale_11, shift_11, bottleneck_13_conv_bn_3_batchnorm_dweight, bottleneck_13_conv_bn_3_batchnorm_dbias, partial_64);
	for (int64_t i = 0; i < 4; i++)
		bottleneck_backward_2(m, i);
	bottleneck_backward(m, 1); // bottleneck_9
	nnr_step(263, "residual.net:9  batchnorm_backward of bottleneck_8.conv_bn_4  [256,14,14,1024]  256.9 MFLOP  616.6 MB");
	float *const dshortcut_2 = (float *)(m->arena + 18496880640);                           // [256,14,14,1024]  205.5 MB  steps 262-367
	float *const scale_28 = (float *)(m->arena + 21018738688);                              // [1,1,1,1024]  4.1 kB  steps 81-263
	float *const conv_28 = (float *)(m->arena + 17058234368);                               // [256,14,14,1024]  205.5 MB  steps 80-364
	float *const mean_28 = (float *)(m->arena + 21018730496);                               // [1,1,1,1024]  4.1 kB  steps 81-263
	float *const centred_scale_26 = (float *)(m->arena + 7604678656);                       // [1,1,1,1024]  4.1 kB  steps 262-263
	float *const shift_26 = (float *)(m->arena + 7604682752);                               // [1,1,1,1024]  4.1 kB  steps 262-263
	batchnorm_backward(&batchnorm_backward_50176x1024_kernel, dshortcut_2, scale_28, conv_28, mean_28, centred_scale_26, shift_26);
	nnr_branch_begin();
	nnr_step(264, "residual.net:7  conv_wgrad(x_8, dconv_26)  [1024,1,1,512]  52.6 GFLOP  618.7 MB");
	float *const x_8 = (float *)(m->arena + 12742295552);                                   // [256,28,28,512]  411.0 MB  steps 71-372
	float *const dconv_26 = (float *)(m->arena + 17058234368);                              // [256,14,14,1024]  205.5 MB  steps 80-364
	float *const bottleneck_8_conv_bn_4_conv_dweight = (float *)(m->arena + 21126943488);   // [1024,1,1,512]  2.1 MB  steps 159-372
	conv_wgrad(&conv_256x14x14x1024_2_shape, &conv_wgrad_1024x1x1x512_plan, x_8, dconv_26, bottleneck_8_conv_bn_4_conv_dweight);
	nnr_branch_end(27);
	nnr_branch_wait(1);
	nnr_step(265, "residual.net:7  conv_dgrad(dconv_26, bottleneck_8_conv_bn_4_conv_weight)  [256,14,14,512]  52.6 GFLOP  310.4 MB");
	float *const bottleneck_8_conv_bn_4_conv_weight = (float *)(m->params + 9671424);       // [1024,1,1,512]  2.1 MB
	float *const conv_dgrad_10 = (float *)(m->arena + 21014511616);                         // [256,14,14,512]  102.8 MB  steps 265-277
	conv_dgrad_any_size(&conv_dgrad_256x14x14x512_2_shape, &conv_dgrad_256x14x14x512_2_plan, dconv_26, bottleneck_8_conv_bn_4_conv_weight, conv_dgrad_10);
	conv_bn_backward_3(m, 1); // bottleneck_8.conv_bn_3
	conv_bn_backward(m, 2); // bottleneck_8.conv_bn_2
	conv_bn_backward_4(m, 0); // bottleneck_8.conv_bn
	for (int64_t i = 0; i < 2; i++)
		bottleneck_backward_3(m, i);
	conv_bn_backward_2(m, 1); // bottleneck_5.conv_bn_3
	conv_bn_backward(m, 3); // bottleneck_5.conv_bn_2
	nnr_step(309, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_5  [1,1,1,128]  256.9 MFLOP  205.5 MB");
	float *const conv_16 = (float *)(m->arena + 19062063104);                               // [256,28,28,128]  102.8 MB  steps 45-372
	float *const mean_16 = (float *)(m->arena + 22658206912);                               // [1,1,1,128]  512 B  steps 46-310
	float *const scale_16 = (float *)(m->arena + 22658207936);                              // [1,1,1,128]  512 B  steps 46-310
	float *const bottleneck_5_conv_bn_batchnorm_bias = (float *)(m->params + 102034176);    // [128]  512 B
	float *const drelu_24 = (float *)(m->arena + 6987710464);                               // [256,28,28,128]  102.8 MB  steps 308-310
	float *const rstd_16 = (float *)(m->arena + 22658207424);                               // [1,1,1,128]  512 B  steps 46-309
	float *const centred_scale_38 = (float *)(m->arena + 7090606080);                       // [1,1,1,128]  512 B  steps 309-310
	float *const shift_38 = (float *)(m->arena + 7090606592);                               // [1,1,1,128]  512 B  steps 309-310
	float *const bottleneck_5_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219305728); // [128]  512 B  steps 159-372
	float *const bottleneck_5_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219306240);  // [128]  512 B  steps 159-372
	float *const partial_90 = (float *)(m->arena + 7090470912);                             // [33792]  135.2 kB  steps 309-309
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_200704x128_kernel, conv_16, mean_16, scale_16, bottleneck_5_conv_bn_batchnorm_bias, drelu_24, rstd_16, centred_scale_38, shift_38, bottleneck_5_conv_bn_batchnorm_dweight, bottleneck_5_conv_bn_batchnorm_dbias, partial_90);
	nnr_step(310, "residual.net:9,23  batchnorm_relu_backward of bottleneck_5  [256,28,28,128]  282.6 MFLOP  308.3 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_200704x128_kernel, conv_16, mean_16, scale_16, bottleneck_5_conv_bn_batchnorm_bias, drelu_24, centred_scale_38, shift_38);
	nnr_branch_begin();
	nnr_step(311, "residual.net:7  conv_wgrad(x_5, dconv_38)  [128,1,1,512]  26.3 GFLOP  514.1 MB");
	float *const x_5 = (float *)(m->arena + 10276044800);                                   // [256,28,28,512]  411.0 MB  steps 44-372
	float *const dconv_38 = (float *)(m->arena + 19062063104);                              // [256,28,28,128]  102.8 MB  steps 45-372
	float *const bottleneck_5_conv_bn_conv_dweight = (float *)(m->arena + 21119668992);     // [128,1,1,512]  262.1 kB  steps 159-372
	conv_wgrad(&conv_256x28x28x128_2_shape, &conv_wgrad_128x1x1x512_plan, x_5, dconv_38, bottleneck_5_conv_bn_conv_dweight);
	nnr_branch_end(39);
	nnr_step(312, "residual.net:7  conv_dgrad(dconv_38, bottleneck_5_conv_bn_conv_weight)  [256,28,28,512]  26.3 GFLOP  514.1 MB");
	float *const bottleneck_5_conv_bn_conv_weight = (float *)(m->params + 2396928);         // [128,1,1,512]  262.1 kB
	float *const conv_dgrad_14 = (float *)(m->arena + 6987710464);                          // [256,28,28,512]  411.0 MB  steps 312-313
	conv_dgrad_any_size(&conv_256x28x28x128_2_shape, &conv_dgrad_256x28x28x512_2_plan, dconv_38, bottleneck_5_conv_bn_conv_weight, conv_dgrad_14);
	nnr_branch_wait(14);
	nnr_step(313, "residual.net:7,9,28  add_batchnorm_relu_backward_sums  [256,28,28,512]  1.8 GFLOP  2.1 GB");
	float *const dy_9 = (float *)(m->arena + 7398752256);                                   // [256,28,28,512]  411.0 MB  steps 301-313
	float *const conv_14 = (float *)(m->arena + 6576668672);                                // [256,28,28,512]  411.0 MB  steps 40-317
	float *const mean_14 = (float *)(m->arena + 22658154688);                               // [1,1,1,512]  2.0 kB  steps 41-317
	float *const scale_14 = (float *)(m->arena + 22658158784);                              // [1,1,1,512]  2.0 kB  steps 41-317
	float *const bottleneck_4_conv_bn_3_batchnorm_bias = (float *)(m->params + 102027520);  // [512]  2.0 kB
	float *const conv_15 = (float *)(m->arena + 9865003008);                                // [256,28,28,512]  411.0 MB  steps 42-372
	float *const mean_15 = (float *)(m->arena + 22658160832);                               // [1,1,1,512]  2.0 kB  steps 43-314
	float *const scale_15 = (float *)(m->arena + 22658164928);                              // [1,1,1,512]  2.0 kB  steps 43-314
	float *const bottleneck_4_conv_bn_4_batchnorm_bias = (float *)(m->params + 102031616);  // [512]  2.0 kB
	float *const rstd_15 = (float *)(m->arena + 22658162880);                               // [1,1,1,512]  2.0 kB  steps 43-313
	float *const rstd_14 = (float *)(m->arena + 22658156736);                               // [1,1,1,512]  2.0 kB  steps 41-313
	float *const dshortcut_3 = (float *)(m->arena + 13153337344);                           // [256,28,28,512]  411.0 MB  steps 313-372
	float *const centred_scale_39 = (float *)(m->arena + 7810199552);                       // [1,1,1,512]  2.0 kB  steps 313-314
	float *const shift_39 = (float *)(m->arena + 7810201600);                               // [1,1,1,512]  2.0 kB  steps 313-314
	float *const bottleneck_4_conv_bn_4_batchnorm_dweight = (float *)(m->arena + 21219301632); // [512]  2.0 kB  steps 159-372
	float *const bottleneck_4_conv_bn_4_batchnorm_dbias = (float *)(m->arena + 21219299584); // [512]  2.0 kB  steps 159-372
	float *const centred_scale_40 = (float *)(m->arena + 7810203648);                       // [1,1,1,512]  2.0 kB  steps 313-317
	float *const shift_40 = (float *)(m->arena + 7810205696);                               // [1,1,1,512]  2.0 kB  steps 313-317
	float *const bottleneck_4_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219297536); // [512]  2.0 kB  steps 159-372
	float *const bottleneck_4_conv_bn_4_batchnorm_dbias_2 = (float *)(m->arena + 21219303680); // [512]  2.0 kB  steps 159-372
	float *const partial_91 = (float *)(m->arena + 7809794048);                             // [101376]  405.5 kB  steps 313-313
	add_batchnorm_relu_backward_sums(&add_batchnorm_relu_backward_sums_200704x512_kernel, dy_9, conv_dgrad_14, conv_14, mean_14, scale_14, bottleneck_4_conv_bn_3_batchnorm_bias, conv_15, mean_15, scale_15, bottleneck_4_conv_bn_4_batchnorm_bias, rstd_15, rstd_14, dshortcut_3, centred_scale_39, shift_39, bottleneck_4_conv_bn_4_batchnorm_dweight, bottleneck_4_conv_bn_4_batchnorm_dbias, centred_scale_40, shift_40, bottleneck_4_conv_bn_3_batchnorm_dweight, bottleneck_4_conv_bn_4_batchnorm_dbias_2, partial_91);
	conv_bn_backward_2(m, 2); // bottleneck_4.conv_bn_4
	conv_bn_backward_3(m, 2); // bottleneck_4.conv_bn_3
	conv_bn_backward(m, 4); // bottleneck_4.conv_bn_2
	conv_bn_backward_4(m, 1); // bottleneck_4.conv_bn
	bottleneck_backward_3(m, 2); // bottleneck_3
	bottleneck_backward(m, 2); // bottleneck_2
	conv_bn_backward_2(m, 3); // bottleneck.conv_bn_4
	conv_bn_backward_3(m, 3); // bottleneck.conv_bn_3
	conv_bn_backward(m, 5); // bottleneck.conv_bn_2
	nnr_step(363, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck  [1,1,1,64]  513.8 MFLOP  411.0 MB");
	float *const conv_2 = (float *)(m->arena + 13975420928);                                // [256,56,56,64]  205.5 MB  steps 5-372
	float *const mean_2 = (float *)(m->arena + 22658216896);                                // [1,1,1,64]  256 B  steps 6-364
	float *const scale_2 = (float *)(m->arena + 22658217408);                               // [1,1,1,64]  256 B  steps 6-364
	float *const bottleneck_conv_bn_batchnorm_bias = (float *)(m->params + 102012416);      // [64]  256 B
	float *const drelu_32 = (float *)(m->arena + 822083584);                                // [256,56,56,64]  205.5 MB  steps 362-364
	float *const rstd_2 = (float *)(m->arena + 22658217152);                                // [1,1,1,64]  256 B  steps 6-363
	float *const centred_scale_52 = (float *)(m->arena + 1027739648);                       // [1,1,1,64]  256 B  steps 363-364
	float *const shift_52 = (float *)(m->arena + 1027739904);                               // [1,1,1,64]  256 B  steps 363-364
	float *const bottleneck_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219284224);  // [64]  256 B  steps 159-372
	float *const bottleneck_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219284480);    // [64]  256 B  steps 159-372
	float *const partial_102 = (float *)(m->arena + 1027604480);                            // [33792]  135.2 kB  steps 363-363
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_802816x64_kernel, conv_2, mean_2, scale_2, bottleneck_conv_bn_batchnorm_bias, drelu_32, rstd_2, centred_scale_52, shift_52, bottleneck_conv_bn_batchnorm_dweight, bottleneck_conv_bn_batchnorm_dbias, partial_102);
	nnr_step(364, "residual.net:9,23  batchnorm_relu_backward of bottleneck  [256,56,56,64]  565.2 MFLOP  616.6 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_802816x64_kernel, conv_2, mean_2, scale_2, bottleneck_conv_bn_batchnorm_bias, drelu_32, centred_scale_52, shift_52);
	nnr_branch_begin();
	nnr_step(365, "residual.net:7  conv_wgrad(x, dconv_52)  [64,1,1,64]  6.6 GFLOP  411.1 MB");
	float *const dconv_52 = (float *)(m->arena + 13975420928);                              // [256,56,56,64]  205.5 MB  steps 5-372
	float *const bottleneck_conv_bn_conv_dweight = (float *)(m->arena + 21117309696);       // [64,1,1,64]  16.4 kB  steps 159-372
	conv_wgrad(&conv_256x56x56x64_shape, &conv_wgrad_64x1x1x64_plan, x, dconv_52, bottleneck_conv_bn_conv_dweight);
	nnr_branch_end(53);
	nnr_step(366, "residual.net:7  conv_dgrad(dconv_52, bottleneck_conv_bn_conv_weight)  [256,56,56,64]  6.6 GFLOP  411.1 MB");
	float *const bottleneck_conv_bn_conv_weight = (float *)(m->params + 37632);             // [64,1,1,64]  16.4 kB
	float *const conv_dgrad_20 = (float *)(m->arena + 822083584);                           // [256,56,56,64]  205.5 MB  steps 366-367
	conv_dgrad_any_size(&conv_256x56x56x64_shape, &conv_dgrad_256x56x56x64_3_plan, dconv_52, bottleneck_conv_bn_conv_weight, conv_dgrad_20);
	nnr_step(367, "residual.net:7,9 resnet.net:14  add_backward_batchnorm_backward_relu_sums  [256,56,56,64]  513.8 MFLOP  822.1 MB");
	float *const conv_dgrad_19 = (float *)(m->arena + 6576668672);                          // [256,56,56,64]  205.5 MB  steps 355-367
	float *const dx = (float *)(m->arena + 1027604480);                                     // [256,56,56,64]  205.5 MB  steps 367-369
	float *const centred_scale_53 = (float *)(m->arena + 1233260544);                       // [1,1,1,64]  256 B  steps 367-369
	float *const shift_53 = (float *)(m->arena + 1233260800);                               // [1,1,1,64]  256 B  steps 367-369
	float *const conv_bn_batchnorm_dweight = (float *)(m->arena + 21219283712);             // [64]  256 B  steps 159-372
	float *const conv_bn_batchnorm_dbias = (float *)(m->arena + 21219283968);               // [64]  256 B  steps 159-372
	float *const partial_103 = (float *)(m->arena + 1233125376);                            // [33792]  135.2 kB  steps 367-367
	add_backward_batchnorm_backward_relu_sums_802816x64(conv_dgrad_19, conv_dgrad_20, x_top, mean, scale, conv_bn_batchnorm_bias, rstd, dx, centred_scale_53, shift_53, conv_bn_batchnorm_dweight, conv_bn_batchnorm_dbias, partial_103);

	/* ---- update */
	nnr_branch_begin();
	nnr_step(368, "resnet.net:22  sgd  [25547584]  178.8 MFLOP  511.0 MB");
	float *const params = (float *)(m->params + 0);                                         // [25557032]  102.2 MB
	float *const gradients = (float *)(m->arena + 21117272064);                             // [25557032]  102.2 MB  steps 159-372
	float *const sgd_momentum = (float *)(m->state + 212480);                               // [25557032]  102.2 MB
	sgd(&sgd_25557032_kernel, params, gradients, sgd_momentum, s);
	nnr_branch_end(54);

	/* ---- backward */
	nnr_step(369, "residual.net:9 resnet.net:14  maxpool_batchnorm_backward  [256,112,112,64]  1.5 GFLOP  1.9 GB");
	maxpool_batchnorm_backward_256x112x112x64(dx, x_place, scale, conv, mean, centred_scale_53, shift_53);
	nnr_branch_begin();
	nnr_step(370, "residual.net:7  conv_wgrad_parts(normalize, dconv_53)  [264,64,7,7,3]  60.4 GFLOP  986.2 MB");
	float *const dconv_53 = (float *)(m->arena + 0);                                        // [256,112,112,64]  822.1 MB  steps 2-372
	float *const conv_wgrad_parts = (float *)(m->arena + 822083584);                        // [264,64,7,7,3]  9.9 MB  steps 370-372
	launch_3(&conv_backward_264x64x7x7x3_kernel, normalize, dconv_53, conv_wgrad_parts);
	nnr_branch_end(55);
	nnr_branch_begin();
	nnr_step(371, "residual.net:7  sum(conv_wgrad_parts)  [64,7,7,3]  2.5 MFLOP  10.0 MB");
	float *const conv_bn_conv_dweight = (float *)(m->arena + 21117272064);                  // [64,7,7,3]  37.6 kB  steps 159-372
	float *const partial_104 = (float *)(m->arena + 832018432);                             // [28224]  112.9 kB  steps 371-372
	conv_backward_264x9408(conv_wgrad_parts, conv_bn_conv_dweight, partial_104);
	nnr_branch_end(56);

	/* ---- update */
	nnr_branch_wait(56);
	nnr_step(372, "resnet.net:22  sgd  [9408]  66.1 kFLOP  189.0 kB");
	sgd(&sgd_25557032_2_kernel, params, gradients, sgd_momentum, s);
}

/* What evaluation reads of the weights, when they have changed: 103 steps, 23.7 MFLOP, 204.8 MB moved, arena 16.4 kB (lower bound 16.4 kB, at step 88) */
/* 7 calls, 4 times: bottleneck, bottleneck_4, bottleneck_8, bottleneck_14 */
struct bottleneck_prepare {
	const char *name;
	int step;
	NnrKernel *kernel, *kernel_2, *kernel_3, *kernel_4, *kernel_5, *kernel_6;
	size_t conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_bias,
	        prepared_conv_bn_batchnorm_bias, conv_bn_conv_weight, prepared_conv_bn_conv_weight, conv_bn_2_batchnorm_running_var,
	        conv_bn_2_batchnorm_weight, conv_bn_2_batchnorm_running_mean, conv_bn_2_batchnorm_bias, prepared_conv_bn_2_batchnorm_bias,
	        conv_bn_2_conv_weight, prepared_conv_bn_2_conv_weight, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight,
	        conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_bias, conv_bn_4_batchnorm_running_var, conv_bn_4_batchnorm_weight,
	        conv_bn_4_batchnorm_running_mean, conv_bn_4_batchnorm_bias, scale_4, prepared_conv_bn_3_batchnorm_bias, conv_bn_3_conv_weight,
	        prepared_conv_bn_3_conv_weight, conv_bn_4_conv_weight, prepared_conv_bn_4_conv_weight;
};
static const struct bottleneck_prepare bottleneck_prepare_at[4] = {
	{"bottleneck", 3, &batchnorm_folded_64_kernel, &batchnorm_folded_64x64_kernel, &batchnorm_folded_64x576_kernel,
	        &batchnorm_folded_256_kernel, &batchnorm_folded_256x64_kernel, &batchnorm_folded_256x64_kernel, 768, 102012160, 512, 102012416,
	        102478528, 37632, 102478784, 1280, 102012672, 1024, 102012928, 102495168, 54016, 102495424, 2560, 102013184, 1536, 102014208, 4608,
	        102015232, 3584, 102016256, 1024, 102773952, 201472, 102642880, 267008, 102708416},
	{"bottleneck_4", 22, &batchnorm_folded_128_kernel, &batchnorm_folded_128x256_kernel, &batchnorm_folded_128x1152_kernel,
	        &batchnorm_folded_512_kernel, &batchnorm_folded_512x128_kernel, &batchnorm_folded_512x256_kernel, 12288, 102023424, 11776,
	        102023936, 103335104, 889600, 103335616, 13312, 102024448, 12800, 102024960, 103466688, 1020672, 103467200, 15872, 102025472, 13824,
	        102027520, 19968, 102029568, 17920, 102031616, 2048, 104843456, 1610496, 104057024, 1872640, 104319168},
	{"bottleneck_8", 47, &batchnorm_folded_256_2_kernel, &batchnorm_folded_256x512_kernel, &batchnorm_folded_256x2304_kernel,
	        &batchnorm_folded_1024_kernel, &batchnorm_folded_1024x256_kernel, &batchnorm_folded_1024x512_kernel, 41472, 102052096, 40448,
	        102053120, 108197056, 5739264, 108198080, 43520, 102054144, 42496, 102055168, 108722368, 6263552, 108723392, 48640, 102056192,
	        44544, 102060288, 56832, 102064384, 52736, 102068480, 4096, 114228416, 8622848, 111082688, 9671424, 112131264},
	{"bottleneck_14", 84, &batchnorm_folded_512_2_kernel, &batchnorm_folded_512x1024_kernel, &batchnorm_folded_512x4608_kernel,
	        &batchnorm_folded_2048_kernel, &batchnorm_folded_2048x512_kernel, &batchnorm_folded_2048x1024_kernel, 124416, 102134016, 122368,
	        102136064, 136545472, 34050816, 136547520, 128512, 102138112, 126464, 102140160, 138644672, 36147968, 138646720, 138752, 102142208,
	        130560, 102150400, 155136, 102158592, 146944, 102166784, 8192, 160666816, 45585152, 148083904, 49779456, 152278208},
};
static void bottleneck_prepare(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_prepare *const at = &bottleneck_prepare_at[i];
	nnr_step_of(at->name, at->step, "residual.net:9  batchnorm_folded of conv_bn");
	float *const conv_bn_batchnorm_running_var = (float *)(m->state + at->conv_bn_batchnorm_running_var);
	float *const conv_bn_batchnorm_weight = (float *)(m->params + at->conv_bn_batchnorm_weight);
	float *const conv_bn_batchnorm_running_mean = (float *)(m->state + at->conv_bn_batchnorm_running_mean);
	float *const conv_bn_batchnorm_bias = (float *)(m->params + at->conv_bn_batchnorm_bias);
	float *const scale = (float *)(m->arena + 0);
	float *const prepared_conv_bn_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_batchnorm_bias);
	batchnorm_folded(at->kernel, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_bias, scale, prepared_conv_bn_batchnorm_bias);
	nnr_step_of(at->name, at->step + 1, "residual.net:9  round_tf32((conv_bn_conv_weight * scale))");
	float *const conv_bn_conv_weight = (float *)(m->params + at->conv_bn_conv_weight);
	float *const prepared_conv_bn_conv_weight = (float *)(m->state + at->prepared_conv_bn_conv_weight);
	launch_3(at->kernel_2, conv_bn_conv_weight, scale, prepared_conv_bn_conv_weight);
	nnr_step_of(at->name, at->step + 2, "residual.net:9  batchnorm_folded of conv_bn_2");
	float *const conv_bn_2_batchnorm_running_var = (float *)(m->state + at->conv_bn_2_batchnorm_running_var);
	float *const conv_bn_2_batchnorm_weight = (float *)(m->params + at->conv_bn_2_batchnorm_weight);
	float *const conv_bn_2_batchnorm_running_mean = (float *)(m->state + at->conv_bn_2_batchnorm_running_mean);
	float *const conv_bn_2_batchnorm_bias = (float *)(m->params + at->conv_bn_2_batchnorm_bias);
	float *const scale_2 = (float *)(m->arena + 0);
	float *const prepared_conv_bn_2_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_2_batchnorm_bias);
	batchnorm_folded(at->kernel, conv_bn_2_batchnorm_running_var, conv_bn_2_batchnorm_weight, conv_bn_2_batchnorm_running_mean, conv_bn_2_batchnorm_bias, scale_2, prepared_conv_bn_2_batchnorm_bias);
	nnr_step_of(at->name, at->step + 3, "residual.net:9  round_tf32((conv_bn_2_conv_weight * scale_2))");
	float *const conv_bn_2_conv_weight = (float *)(m->params + at->conv_bn_2_conv_weight);
	float *const prepared_conv_bn_2_conv_weight = (float *)(m->state + at->prepared_conv_bn_2_conv_weight);
	launch_3(at->kernel_3, conv_bn_2_conv_weight, scale_2, prepared_conv_bn_2_conv_weight);
	nnr_step_of(at->name, at->step + 4, "residual.net:9,28  batchnorm_folded");
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
	batchnorm_folded_2(at->kernel_4, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight, conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_bias, conv_bn_4_batchnorm_running_var, conv_bn_4_batchnorm_weight, conv_bn_4_batchnorm_running_mean, conv_bn_4_batchnorm_bias, scale_3, scale_4, prepared_conv_bn_3_batchnorm_bias);
	nnr_step_of(at->name, at->step + 5, "residual.net:9  round_tf32((conv_bn_3_conv_weight * scale_3))");
	float *const conv_bn_3_conv_weight = (float *)(m->params + at->conv_bn_3_conv_weight);
	float *const prepared_conv_bn_3_conv_weight = (float *)(m->state + at->prepared_conv_bn_3_conv_weight);
	launch_3(at->kernel_5, conv_bn_3_conv_weight, scale_3, prepared_conv_bn_3_conv_weight);
	nnr_step_of(at->name, at->step + 6, "residual.net:9  round_tf32((conv_bn_4_conv_weight * scale_4))");
	float *const conv_bn_4_conv_weight = (float *)(m->params + at->conv_bn_4_conv_weight);
	float *const prepared_conv_bn_4_conv_weight = (float *)(m->state + at->prepared_conv_bn_4_conv_weight);
	launch_3(at->kernel_6, conv_bn_4_conv_weight, scale_4, prepared_conv_bn_4_conv_weight);
}

/* 6 calls, 12 times: bottleneck_2, bottleneck_3, bottleneck_5, bottleneck_6, bottleneck_7, bottleneck_9 ... */
struct bottleneck_prepare_2 {
	const char *name;
	int step;
	NnrKernel *kernel, *kernel_2, *kernel_3, *kernel_4, *kernel_5;
	size_t conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_bias,
	        prepared_conv_bn_batchnorm_bias, conv_bn_conv_weight, prepared_conv_bn_conv_weight, conv_bn_2_batchnorm_running_var,
	        conv_bn_2_batchnorm_weight, conv_bn_2_batchnorm_running_mean, conv_bn_2_batchnorm_bias, prepared_conv_bn_2_batchnorm_bias,
	        conv_bn_2_conv_weight, prepared_conv_bn_2_conv_weight, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight,
	        conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_bias, prepared_conv_bn_3_batchnorm_bias, conv_bn_3_conv_weight,
	        prepared_conv_bn_3_conv_weight;
};
static const struct bottleneck_prepare_2 bottleneck_prepare_2_at[12] = {
	{"bottleneck_2", 10, &batchnorm_folded_64_kernel, &batchnorm_folded_64x256_kernel, &batchnorm_folded_64x576_kernel,
	        &batchnorm_folded_256_2_kernel, &batchnorm_folded_256x64_kernel, 5888, 102017280, 5632, 102017536, 102774976, 332544, 102775232,
	        6400, 102017792, 6144, 102018048, 102840768, 398080, 102841024, 7680, 102018304, 6656, 102019328, 102988480, 545536, 102989504},
	{"bottleneck_3", 16, &batchnorm_folded_64_kernel, &batchnorm_folded_64x256_kernel, &batchnorm_folded_64x576_kernel,
	        &batchnorm_folded_256_2_kernel, &batchnorm_folded_256x64_kernel, 8960, 102020352, 8704, 102020608, 103055040, 611072, 103055296,
	        9472, 102020864, 9216, 102021120, 103120832, 676608, 103121088, 10752, 102021376, 9728, 102022400, 103268544, 824064, 103269568},
	{"bottleneck_5", 29, &batchnorm_folded_128_kernel, &batchnorm_folded_128x512_kernel, &batchnorm_folded_128x1152_kernel,
	        &batchnorm_folded_512_2_kernel, &batchnorm_folded_512x128_kernel, 22528, 102033664, 22016, 102034176, 104845504, 2396928, 104846016,
	        23552, 102034688, 23040, 102035200, 105108160, 2659072, 105108672, 26112, 102035712, 24064, 102037760, 105698496, 3248896, 105700544},
	{"bottleneck_6", 35, &batchnorm_folded_128_kernel, &batchnorm_folded_128x512_kernel, &batchnorm_folded_128x1152_kernel,
	        &batchnorm_folded_512_2_kernel, &batchnorm_folded_512x128_kernel, 28672, 102039808, 28160, 102040320, 105962688, 3511040, 105963200,
	        29696, 102040832, 29184, 102041344, 106225344, 3773184, 106225856, 32256, 102041856, 30208, 102043904, 106815680, 4363008, 106817728},
	{"bottleneck_7", 41, &batchnorm_folded_128_kernel, &batchnorm_folded_128x512_kernel, &batchnorm_folded_128x1152_kernel,
	        &batchnorm_folded_512_2_kernel, &batchnorm_folded_512x128_kernel, 34816, 102045952, 34304, 102046464, 107079872, 4625152, 107080384,
	        35840, 102046976, 35328, 102047488, 107342528, 4887296, 107343040, 38400, 102048000, 36352, 102050048, 107932864, 5477120, 107934912},
	{"bottleneck_9", 54, &batchnorm_folded_256_2_kernel, &batchnorm_folded_256x1024_kernel, &batchnorm_folded_256x2304_kernel,
	        &batchnorm_folded_1024_2_kernel, &batchnorm_folded_1024x256_kernel, 61952, 102072576, 60928, 102073600, 114232512, 11768576,
	        114233536, 64000, 102074624, 62976, 102075648, 115282112, 12817152, 115283136, 69120, 102076672, 65024, 102080768, 117642432,
	        15176448, 117646528},
	{"bottleneck_10", 60, &batchnorm_folded_256_2_kernel, &batchnorm_folded_256x1024_kernel, &batchnorm_folded_256x2304_kernel,
	        &batchnorm_folded_1024_2_kernel, &batchnorm_folded_1024x256_kernel, 74240, 102084864, 73216, 102085888, 118695104, 16225024,
	        118696128, 76288, 102086912, 75264, 102087936, 119744704, 17273600, 119745728, 81408, 102088960, 77312, 102093056, 122105024,
	        19632896, 122109120},
	{"bottleneck_11", 66, &batchnorm_folded_256_2_kernel, &batchnorm_folded_256x1024_kernel, &batchnorm_folded_256x2304_kernel,
	        &batchnorm_folded_1024_2_kernel, &batchnorm_folded_1024x256_kernel, 86528, 102097152, 85504, 102098176, 123157696, 20681472,
	        123158720, 88576, 102099200, 87552, 102100224, 124207296, 21730048, 124208320, 93696, 102101248, 89600, 102105344, 126567616,
	        24089344, 126571712},
	{"bottleneck_12", 72, &batchnorm_folded_256_2_kernel, &batchnorm_folded_256x1024_kernel, &batchnorm_folded_256x2304_kernel,
	        &batchnorm_folded_1024_2_kernel, &batchnorm_folded_1024x256_kernel, 98816, 102109440, 97792, 102110464, 127620288, 25137920,
	        127621312, 100864, 102111488, 99840, 102112512, 128669888, 26186496, 128670912, 105984, 102113536, 101888, 102117632, 131030208,
	        28545792, 131034304},
	{"bottleneck_13", 78, &batchnorm_folded_256_2_kernel, &batchnorm_folded_256x1024_kernel, &batchnorm_folded_256x2304_kernel,
	        &batchnorm_folded_1024_2_kernel, &batchnorm_folded_1024x256_kernel, 111104, 102121728, 110080, 102122752, 132082880, 29594368,
	        132083904, 113152, 102123776, 112128, 102124800, 133132480, 30642944, 133133504, 118272, 102125824, 114176, 102129920, 135492800,
	        33002240, 135496896},
	{"bottleneck_15", 91, &batchnorm_folded_512_2_kernel, &batchnorm_folded_512x2048_kernel, &batchnorm_folded_512x4608_kernel,
	        &batchnorm_folded_2048_2_kernel, &batchnorm_folded_2048x512_kernel, 165376, 102174976, 163328, 102177024, 160675008, 58168064,
	        160677056, 169472, 102179072, 167424, 102181120, 164871360, 62362368, 164873408, 179712, 102183168, 171520, 102191360, 174310592,
	        71799552, 174318784},
	{"bottleneck_16", 97, &batchnorm_folded_512_2_kernel, &batchnorm_folded_512x2048_kernel, &batchnorm_folded_512x4608_kernel,
	        &batchnorm_folded_2048_2_kernel, &batchnorm_folded_2048x512_kernel, 189952, 102199552, 187904, 102201600, 178513088, 75993856,
	        178515136, 194048, 102203648, 192000, 102205696, 182709440, 80188160, 182711488, 204288, 102207744, 196096, 102215936, 192148672,
	        89625344, 192156864},
};
static void bottleneck_prepare_2(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_prepare_2 *const at = &bottleneck_prepare_2_at[i];
	nnr_step_of(at->name, at->step, "residual.net:9  batchnorm_folded of conv_bn");
	float *const conv_bn_batchnorm_running_var = (float *)(m->state + at->conv_bn_batchnorm_running_var);
	float *const conv_bn_batchnorm_weight = (float *)(m->params + at->conv_bn_batchnorm_weight);
	float *const conv_bn_batchnorm_running_mean = (float *)(m->state + at->conv_bn_batchnorm_running_mean);
	float *const conv_bn_batchnorm_bias = (float *)(m->params + at->conv_bn_batchnorm_bias);
	float *const scale = (float *)(m->arena + 0);
	float *const prepared_conv_bn_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_batchnorm_bias);
	batchnorm_folded(at->kernel, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_bias, scale, prepared_conv_bn_batchnorm_bias);
	nnr_step_of(at->name, at->step + 1, "residual.net:9  round_tf32((conv_bn_conv_weight * scale))");
	float *const conv_bn_conv_weight = (float *)(m->params + at->conv_bn_conv_weight);
	float *const prepared_conv_bn_conv_weight = (float *)(m->state + at->prepared_conv_bn_conv_weight);
	launch_3(at->kernel_2, conv_bn_conv_weight, scale, prepared_conv_bn_conv_weight);
	nnr_step_of(at->name, at->step + 2, "residual.net:9  batchnorm_folded of conv_bn_2");
	float *const conv_bn_2_batchnorm_running_var = (float *)(m->state + at->conv_bn_2_batchnorm_running_var);
	float *const conv_bn_2_batchnorm_weight = (float *)(m->params + at->conv_bn_2_batchnorm_weight);
	float *const conv_bn_2_batchnorm_running_mean = (float *)(m->state + at->conv_bn_2_batchnorm_running_mean);
	float *const conv_bn_2_batchnorm_bias = (float *)(m->params + at->conv_bn_2_batchnorm_bias);
	float *const scale_2 = (float *)(m->arena + 0);
	float *const prepared_conv_bn_2_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_2_batchnorm_bias);
	batchnorm_folded(at->kernel, conv_bn_2_batchnorm_running_var, conv_bn_2_batchnorm_weight, conv_bn_2_batchnorm_running_mean, conv_bn_2_batchnorm_bias, scale_2, prepared_conv_bn_2_batchnorm_bias);
	nnr_step_of(at->name, at->step + 3, "residual.net:9  round_tf32((conv_bn_2_conv_weight * scale_2))");
	float *const conv_bn_2_conv_weight = (float *)(m->params + at->conv_bn_2_conv_weight);
	float *const prepared_conv_bn_2_conv_weight = (float *)(m->state + at->prepared_conv_bn_2_conv_weight);
	launch_3(at->kernel_3, conv_bn_2_conv_weight, scale_2, prepared_conv_bn_2_conv_weight);
	nnr_step_of(at->name, at->step + 4, "residual.net:9  batchnorm_folded of conv_bn_3");
	float *const conv_bn_3_batchnorm_running_var = (float *)(m->state + at->conv_bn_3_batchnorm_running_var);
	float *const conv_bn_3_batchnorm_weight = (float *)(m->params + at->conv_bn_3_batchnorm_weight);
	float *const conv_bn_3_batchnorm_running_mean = (float *)(m->state + at->conv_bn_3_batchnorm_running_mean);
	float *const conv_bn_3_batchnorm_bias = (float *)(m->params + at->conv_bn_3_batchnorm_bias);
	float *const scale_3 = (float *)(m->arena + 0);
	float *const prepared_conv_bn_3_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_3_batchnorm_bias);
	batchnorm_folded(at->kernel_4, conv_bn_3_batchnorm_running_var, conv_bn_3_batchnorm_weight, conv_bn_3_batchnorm_running_mean, conv_bn_3_batchnorm_bias, scale_3, prepared_conv_bn_3_batchnorm_bias);
	nnr_step_of(at->name, at->step + 5, "residual.net:9  round_tf32((conv_bn_3_conv_weight * scale_3))");
	float *const conv_bn_3_conv_weight = (float *)(m->params + at->conv_bn_3_conv_weight);
	float *const prepared_conv_bn_3_conv_weight = (float *)(m->state + at->prepared_conv_bn_3_conv_weight);
	launch_3(at->kernel_5, conv_bn_3_conv_weight, scale_3, prepared_conv_bn_3_conv_weight);
}

static void prepare_weights(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	nnr_step(1, "residual.net:9  batchnorm_folded of conv_bn  [64,1,1,1]  640 FLOP  1.5 kB");
	float *const conv_bn_batchnorm_running_var = (float *)(m->state + 256);                 // [64]  256 B
	float *const conv_bn_batchnorm_weight = (float *)(m->params + 102011648);               // [64]  256 B
	float *const conv_bn_batchnorm_running_mean = (float *)(m->state + 0);                  // [64]  256 B
	float *const conv_bn_batchnorm_bias = (float *)(m->params + 102011904);                 // [64]  256 B
	float *const scale = (float *)(m->arena + 0);                                           // [64,1,1,1]  256 B  steps 1-2
	float *const prepared_conv_bn_batchnorm_bias = (float *)(m->state + 102440640);         // [64]  256 B
	batchnorm_folded(&batchnorm_folded_64_kernel, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_bias, scale, prepared_conv_bn_batchnorm_bias);
	nnr_step(2, "residual.net:9  round_tf32((conv_bn_conv_weight * scale))  [64,7,7,3]  9.4 kFLOP  75.5 kB");
	float *const conv_bn_conv_weight = (float *)(m->params + 0);                            // [64,7,7,3]  37.6 kB
	float *const prepared_conv_bn_conv_weight = (float *)(m->state + 102440896);            // [64,7,7,3]  37.6 kB
	launch_3(&batchnorm_folded_64x147_kernel, conv_bn_conv_weight, scale, prepared_conv_bn_conv_weight);
	bottleneck_prepare(m, 0); // bottleneck
	for (int64_t i = 0; i < 2; i++)
		bottleneck_prepare_2(m, i);
	bottleneck_prepare(m, 1); // bottleneck_4
	for (int64_t i = 2; i < 5; i++)
		bottleneck_prepare_2(m, i);
	bottleneck_prepare(m, 2); // bottleneck_8
	for (int64_t i = 5; i < 10; i++)
		bottleneck_prepare_2(m, i);
	bottleneck_prepare(m, 3); // bottleneck_14
	for (int64_t i = 10; i < 12; i++)
		bottleneck_prepare_2(m, i);
	nnr_step(103, "resnet.net:12  round_tf32(dense_weight)  [1000,2048]  0 FLOP  16.4 MB");
	float *const dense_weight = (float *)(m->params + 93819648);                            // [1000,2048]  8.2 MB
	float *const prepared_dense_weight = (float *)(m->state + 196351168);                   // [1000,2048]  8.2 MB
	launch_2(&round_tf32_2048000_kernel, dense_weight, prepared_dense_weight);
}

/* What evaluation and prediction have in common: their first 56 steps */
/* 4 calls, 4 times: bottleneck, bottleneck_4, bottleneck_8, bottleneck_14 */
struct bottleneck_evaluate {
	const char *name;
	int step;
	const NnrConvShape *shape, *shape_2, *shape_3, *shape_4;
	const NnrEpilogue *epilogue, *epilogue_2, *epilogue_3;
	NnrPlan **plan, **plan_2, **plan_3, **plan_4;
	size_t x, prepared_conv_bn_conv_weight, relu, prepared_conv_bn_batchnorm_bias, prepared_conv_bn_2_conv_weight, relu_2,
	        prepared_conv_bn_2_batchnorm_bias, prepared_conv_bn_4_conv_weight, prepared_conv_bn_3_conv_weight, x_2,
	        prepared_conv_bn_3_batchnorm_bias;
};
static const struct bottleneck_evaluate bottleneck_evaluate_at[4] = {
	{"bottleneck", 4, &conv_256x56x56x64_shape, &conv_256x56x56x64_2_shape, &conv_256x56x56x256_shape, &conv_256x56x56x256_shape,
	        &conv_bias_relu_256x56x56x64_epilogue, &conv_bias_relu_256x56x56x64_2_epilogue, &conv_add_bias_relu_256x56x56x256_epilogue,
	        &conv_bias_relu_256x56x56x64_plan, &conv_bias_relu_256x56x56x64_2_plan, &conv_256x56x56x256_plan,
	        &conv_add_bias_relu_256x56x56x256_plan, 822083584, 102478784, 0, 102478528, 102495424, 1644167168, 102495168, 102708416, 102642880,
	        822083584, 102773952},
	{"bottleneck_4", 14, &conv_256x56x56x128_shape, &conv_256x28x28x128_shape, &conv_256x28x28x512_2_shape, &conv_256x28x28x512_shape,
	        &conv_bias_relu_256x56x56x128_epilogue, &conv_bias_relu_256x28x28x128_epilogue, &conv_add_bias_relu_256x28x28x512_epilogue,
	        &conv_bias_relu_256x56x56x128_plan, &conv_bias_relu_256x28x28x128_plan, &conv_256x28x28x512_2_plan,
	        &conv_add_bias_relu_256x28x28x512_plan, 822083584, 103335616, 0, 103335104, 103467200, 1644167168, 103466688, 104319168, 104057024,
	        411041792, 104843456},
	{"bottleneck_8", 27, &conv_256x28x28x256_shape, &conv_256x14x14x256_shape, &conv_256x14x14x1024_2_shape, &conv_256x14x14x1024_shape,
	        &conv_bias_relu_256x28x28x256_epilogue, &conv_bias_relu_256x14x14x256_epilogue, &conv_add_bias_relu_256x14x14x1024_epilogue,
	        &conv_bias_relu_256x28x28x256_plan, &conv_bias_relu_256x14x14x256_plan, &conv_256x14x14x1024_2_plan,
	        &conv_add_bias_relu_256x14x14x1024_plan, 0, 108198080, 411041792, 108197056, 108723392, 616562688, 108722368, 112131264, 111082688,
	        0, 114228416},
	{"bottleneck_14", 46, &conv_256x14x14x512_shape, &conv_256x7x7x512_shape, &conv_256x7x7x2048_2_shape, &conv_256x7x7x2048_shape,
	        &conv_bias_relu_256x14x14x512_epilogue, &conv_bias_relu_256x7x7x512_epilogue, &conv_add_bias_relu_256x7x7x2048_epilogue,
	        &conv_bias_relu_256x14x14x512_plan, &conv_bias_relu_256x7x7x512_plan, &conv_256x7x7x2048_2_plan,
	        &conv_add_bias_relu_256x7x7x2048_plan, 205520896, 136547520, 0, 136545472, 138646720, 411041792, 138644672, 152278208, 148083904,
	        102760448, 160666816},
};
static void bottleneck_evaluate(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_evaluate *const at = &bottleneck_evaluate_at[i];
	nnr_step_of(at->name, at->step, "residual.net:7,9,23  conv_bias_relu");
	float *const x = (float *)(m->arena + at->x);
	float *const prepared_conv_bn_conv_weight = (float *)(m->state + at->prepared_conv_bn_conv_weight);
	float *const relu = (float *)(m->arena + at->relu);
	float *const prepared_conv_bn_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_batchnorm_bias);
	conv_bias_relu(at->shape, at->epilogue, at->plan, x, prepared_conv_bn_conv_weight, relu, prepared_conv_bn_batchnorm_bias);
	nnr_step_of(at->name, at->step + 1, "residual.net:7,9,24  conv_bias_relu");
	float *const prepared_conv_bn_2_conv_weight = (float *)(m->state + at->prepared_conv_bn_2_conv_weight);
	float *const relu_2 = (float *)(m->arena + at->relu_2);
	float *const prepared_conv_bn_2_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_2_batchnorm_bias);
	conv_bias_relu(at->shape_2, at->epilogue_2, at->plan_2, relu, prepared_conv_bn_2_conv_weight, relu_2, prepared_conv_bn_2_batchnorm_bias);
	nnr_step_of(at->name, at->step + 2, "residual.net:7  conv(x, prepared_conv_bn_4_conv_weight)");
	float *const prepared_conv_bn_4_conv_weight = (float *)(m->state + at->prepared_conv_bn_4_conv_weight);
	float *const conv = (float *)(m->arena + at->relu);
	conv_any_size(at->shape_3, at->plan_3, x, prepared_conv_bn_4_conv_weight, conv);
	nnr_step_of(at->name, at->step + 3, "residual.net:7,28  conv_add_bias_relu");
	float *const prepared_conv_bn_3_conv_weight = (float *)(m->state + at->prepared_conv_bn_3_conv_weight);
	float *const x_2 = (float *)(m->arena + at->x_2);
	float *const prepared_conv_bn_3_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_3_batchnorm_bias);
	conv_add_bias_relu(at->shape_4, at->epilogue_3, at->plan_4, relu_2, prepared_conv_bn_3_conv_weight, x_2, conv, prepared_conv_bn_3_batchnorm_bias);
}

/* 3 calls, 11 times: bottleneck_2, bottleneck_3, bottleneck_5, bottleneck_6, bottleneck_7, bottleneck_9 ... */
struct bottleneck_evaluate_2 {
	const char *name;
	int step;
	const NnrConvShape *shape, *shape_2, *shape_3;
	const NnrEpilogue *epilogue, *epilogue_2, *epilogue_3;
	NnrPlan **plan, **plan_2, **plan_3;
	size_t x, prepared_conv_bn_conv_weight, relu, prepared_conv_bn_batchnorm_bias, prepared_conv_bn_2_conv_weight, relu_2,
	        prepared_conv_bn_2_batchnorm_bias, prepared_conv_bn_3_conv_weight, prepared_conv_bn_3_batchnorm_bias;
};
static const struct bottleneck_evaluate_2 bottleneck_evaluate_2_at[11] = {
	{"bottleneck_2", 8, &conv_256x56x56x64_3_shape, &conv_256x56x56x64_2_shape, &conv_256x56x56x256_shape,
	        &conv_bias_relu_256x56x56x64_3_epilogue, &conv_bias_relu_256x56x56x64_2_epilogue, &conv_bias_add_relu_256x56x56x256_epilogue,
	        &conv_bias_relu_256x56x56x64_3_plan, &conv_bias_relu_256x56x56x64_2_plan, &conv_bias_add_relu_256x56x56x256_plan, 822083584,
	        102775232, 0, 102774976, 102841024, 1644167168, 102840768, 102989504, 102988480},
	{"bottleneck_3", 11, &conv_256x56x56x64_3_shape, &conv_256x56x56x64_2_shape, &conv_256x56x56x256_shape,
	        &conv_bias_relu_256x56x56x64_3_epilogue, &conv_bias_relu_256x56x56x64_2_epilogue, &conv_bias_add_relu_256x56x56x256_epilogue,
	        &conv_bias_relu_256x56x56x64_3_plan, &conv_bias_relu_256x56x56x64_2_plan, &conv_bias_add_relu_256x56x56x256_plan, 0, 103055296,
	        822083584, 103055040, 103121088, 1644167168, 103120832, 103269568, 103268544},
	{"bottleneck_5", 18, &conv_256x28x28x128_2_shape, &conv_256x28x28x128_3_shape, &conv_256x28x28x512_shape,
	        &conv_bias_relu_256x28x28x128_2_epilogue, &conv_bias_relu_256x28x28x128_3_epilogue, &conv_bias_add_relu_256x28x28x512_epilogue,
	        &conv_bias_relu_256x28x28x128_2_plan, &conv_bias_relu_256x28x28x128_3_plan, &conv_bias_add_relu_256x28x28x512_plan, 411041792,
	        104846016, 0, 104845504, 105108672, 822083584, 105108160, 105700544, 105698496},
	{"bottleneck_6", 21, &conv_256x28x28x128_2_shape, &conv_256x28x28x128_3_shape, &conv_256x28x28x512_shape,
	        &conv_bias_relu_256x28x28x128_2_epilogue, &conv_bias_relu_256x28x28x128_3_epilogue, &conv_bias_add_relu_256x28x28x512_epilogue,
	        &conv_bias_relu_256x28x28x128_2_plan, &conv_bias_relu_256x28x28x128_3_plan, &conv_bias_add_relu_256x28x28x512_plan, 0, 105963200,
	        411041792, 105962688, 106225856, 822083584, 106225344, 106817728, 106815680},
	{"bottleneck_7", 24, &conv_256x28x28x128_2_shape, &conv_256x28x28x128_3_shape, &conv_256x28x28x512_shape,
	        &conv_bias_relu_256x28x28x128_2_epilogue, &conv_bias_relu_256x28x28x128_3_epilogue, &conv_bias_add_relu_256x28x28x512_epilogue,
	        &conv_bias_relu_256x28x28x128_2_plan, &conv_bias_relu_256x28x28x128_3_plan, &conv_bias_add_relu_256x28x28x512_plan, 411041792,
	        107080384, 0, 107079872, 107343040, 822083584, 107342528, 107934912, 107932864},
	{"bottleneck_9", 31, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape,
	        &conv_bias_relu_256x14x14x256_2_epilogue, &conv_bias_relu_256x14x14x256_3_epilogue, &conv_bias_add_relu_256x14x14x1024_epilogue,
	        &conv_bias_relu_256x14x14x256_2_plan, &conv_bias_relu_256x14x14x256_3_plan, &conv_bias_add_relu_256x14x14x1024_plan, 0, 114233536,
	        205520896, 114232512, 115283136, 411041792, 115282112, 117646528, 117642432},
	{"bottleneck_10", 34, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape,
	        &conv_bias_relu_256x14x14x256_2_epilogue, &conv_bias_relu_256x14x14x256_3_epilogue, &conv_bias_add_relu_256x14x14x1024_epilogue,
	        &conv_bias_relu_256x14x14x256_2_plan, &conv_bias_relu_256x14x14x256_3_plan, &conv_bias_add_relu_256x14x14x1024_plan, 205520896,
	        118696128, 0, 118695104, 119745728, 411041792, 119744704, 122109120, 122105024},
	{"bottleneck_11", 37, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape,
	        &conv_bias_relu_256x14x14x256_2_epilogue, &conv_bias_relu_256x14x14x256_3_epilogue, &conv_bias_add_relu_256x14x14x1024_epilogue,
	        &conv_bias_relu_256x14x14x256_2_plan, &conv_bias_relu_256x14x14x256_3_plan, &conv_bias_add_relu_256x14x14x1024_plan, 0, 123158720,
	        205520896, 123157696, 124208320, 411041792, 124207296, 126571712, 126567616},
	{"bottleneck_12", 40, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape,
	        &conv_bias_relu_256x14x14x256_2_epilogue, &conv_bias_relu_256x14x14x256_3_epilogue, &conv_bias_add_relu_256x14x14x1024_epilogue,
	        &conv_bias_relu_256x14x14x256_2_plan, &conv_bias_relu_256x14x14x256_3_plan, &conv_bias_add_relu_256x14x14x1024_plan, 205520896,
	        127621312, 0, 127620288, 128670912, 411041792, 128669888, 131034304, 131030208},
	{"bottleneck_13", 43, &conv_256x14x14x256_2_shape, &conv_256x14x14x256_3_shape, &conv_256x14x14x1024_shape,
	        &conv_bias_relu_256x14x14x256_2_epilogue, &conv_bias_relu_256x14x14x256_3_epilogue, &conv_bias_add_relu_256x14x14x1024_epilogue,
	        &conv_bias_relu_256x14x14x256_2_plan, &conv_bias_relu_256x14x14x256_3_plan, &conv_bias_add_relu_256x14x14x1024_plan, 0, 132083904,
	        205520896, 132082880, 133133504, 411041792, 133132480, 135496896, 135492800},
	{"bottleneck_15", 50, &conv_256x7x7x512_2_shape, &conv_256x7x7x512_3_shape, &conv_256x7x7x2048_shape,
	        &conv_bias_relu_256x7x7x512_2_epilogue, &conv_bias_relu_256x7x7x512_3_epilogue, &conv_bias_add_relu_256x7x7x2048_epilogue,
	        &conv_bias_relu_256x7x7x512_2_plan, &conv_bias_relu_256x7x7x512_3_plan, &conv_bias_add_relu_256x7x7x2048_plan, 102760448, 160677056,
	        0, 160675008, 164873408, 205520896, 164871360, 174318784, 174310592},
};
static void bottleneck_evaluate_2(const NnrMemory *m, int64_t i)
{
	const struct bottleneck_evaluate_2 *const at = &bottleneck_evaluate_2_at[i];
	nnr_step_of(at->name, at->step, "residual.net:7,9,23  conv_bias_relu");
	float *const x = (float *)(m->arena + at->x);
	float *const prepared_conv_bn_conv_weight = (float *)(m->state + at->prepared_conv_bn_conv_weight);
	float *const relu = (float *)(m->arena + at->relu);
	float *const prepared_conv_bn_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_batchnorm_bias);
	conv_bias_relu(at->shape, at->epilogue, at->plan, x, prepared_conv_bn_conv_weight, relu, prepared_conv_bn_batchnorm_bias);
	nnr_step_of(at->name, at->step + 1, "residual.net:7,9,24  conv_bias_relu");
	float *const prepared_conv_bn_2_conv_weight = (float *)(m->state + at->prepared_conv_bn_2_conv_weight);
	float *const relu_2 = (float *)(m->arena + at->relu_2);
	float *const prepared_conv_bn_2_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_2_batchnorm_bias);
	conv_bias_relu(at->shape_2, at->epilogue_2, at->plan_2, relu, prepared_conv_bn_2_conv_weight, relu_2, prepared_conv_bn_2_batchnorm_bias);
	nnr_step_of(at->name, at->step + 2, "residual.net:7,9,28  conv_bias_add_relu");
	float *const prepared_conv_bn_3_conv_weight = (float *)(m->state + at->prepared_conv_bn_3_conv_weight);
	float *const x_2 = (float *)(m->arena + at->relu);
	float *const prepared_conv_bn_3_batchnorm_bias = (float *)(m->state + at->prepared_conv_bn_3_batchnorm_bias);
	conv_bias_add_relu(at->shape_3, at->epilogue_3, at->plan_3, relu_2, prepared_conv_bn_3_conv_weight, x_2, prepared_conv_bn_3_batchnorm_bias, x);
}

static void forward_batch(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	nnr_step(1, "resnet.net:11  round_tf32(rgb_affine(cast(image)))  [256,224,224,3]  77.1 MFLOP  192.7 MB");
	uint8_t *const image = (uint8_t *)(m->inputs + 0);                                      // [256,224,224,3]  38.5 MB
	float *const normalize = (float *)(m->arena + 822083584);                               // [256,224,224,3]  154.1 MB  steps 1-2
	normalize_38535168(image, normalize);
	nnr_step(2, "residual.net:7,9 resnet.net:14  conv_bias_relu  [256,112,112,64]  60.8 GFLOP  976.3 MB");
	float *const prepared_conv_bn_conv_weight = (float *)(m->state + 102440896);            // [64,7,7,3]  37.6 kB
	float *const prepared_conv_bn_batchnorm_bias = (float *)(m->state + 102440640);         // [64]  256 B
	float *const relu = (float *)(m->arena + 0);                                            // [256,112,112,64]  822.1 MB  steps 2-3
	launch_4(&conv_bias_relu_256x112x112x64_kernel, normalize, prepared_conv_bn_conv_weight, prepared_conv_bn_batchnorm_bias, relu);
	nnr_step(3, "resnet.net:14  round_tf32(maxpool(relu))  [256,56,56,64]  462.4 MFLOP  1.0 GB");
	float *const x = (float *)(m->arena + 822083584);                                       // [256,56,56,64]  205.5 MB  steps 3-6
	launch_2(&maxpool_round_tf32_256x56x56x64_kernel, relu, x);
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
	nnr_step(53, "residual.net:7,9,23  conv_bias_relu of bottleneck_16  [256,7,7,512]  26.3 GFLOP  132.6 MB");
	float *const x_16 = (float *)(m->arena + 0);                                            // [256,7,7,2048]  102.8 MB  steps 52-56
	float *const prepared_bottleneck_16_conv_bn_conv_weight = (float *)(m->state + 178515136); // [512,1,1,2048]  4.2 MB
	float *const relu_32 = (float *)(m->arena + 102760448);                                 // [256,7,7,512]  25.7 MB  steps 53-54
	float *const prepared_bottleneck_16_conv_bn_batchnorm_bias = (float *)(m->state + 178513088); // [512]  2.0 kB
	conv_bias_relu(&conv_256x7x7x512_2_shape, &conv_bias_relu_256x7x7x512_2_epilogue, &conv_bias_relu_256x7x7x512_2_plan, x_16, prepared_bottleneck_16_conv_bn_conv_weight, relu_32, prepared_bottleneck_16_conv_bn_batchnorm_bias);
	nnr_step(54, "residual.net:7,9,24  conv_bias_relu of bottleneck_16  [256,7,7,512]  59.2 GFLOP  60.8 MB");
	float *const prepared_bottleneck_16_conv_bn_2_conv_weight = (float *)(m->state + 182711488); // [512,3,3,512]  9.4 MB
	float *const relu_33 = (float *)(m->arena + 205520896);                                 // [256,7,7,512]  25.7 MB  steps 54-55
	float *const prepared_bottleneck_16_conv_bn_2_batchnorm_bias = (float *)(m->state + 182709440); // [512]  2.0 kB
	conv_bias_relu(&conv_256x7x7x512_3_shape, &conv_bias_relu_256x7x7x512_3_epilogue, &conv_bias_relu_256x7x7x512_3_plan, relu_32, prepared_bottleneck_16_conv_bn_2_conv_weight, relu_33, prepared_bottleneck_16_conv_bn_2_batchnorm_bias);
	nnr_step(55, "residual.net:7  conv(relu_33, prepared_bottleneck_16_conv_bn_3_conv_weight)  [256,7,7,2048]  26.3 GFLOP  132.6 MB");
	float *const prepared_bottleneck_16_conv_bn_3_conv_weight = (float *)(m->state + 192156864); // [2048,1,1,512]  4.2 MB
	float *const conv_5 = (float *)(m->arena + 102760448);                                  // [256,7,7,2048]  102.8 MB  steps 55-56
	conv_any_size(&conv_256x7x7x2048_shape, &conv_256x7x7x2048_plan, relu_33, prepared_bottleneck_16_conv_bn_3_conv_weight, conv_5);
	nnr_step(56, "residual.net:9,28 resnet.net:12  bias_add_relu_avgpool  [256,2048]  103.3 MFLOP  207.6 MB");
	float *const prepared_bottleneck_16_conv_bn_3_batchnorm_bias = (float *)(m->state + 192148672); // [2048]  8.2 kB
	float *const avgpool = (float *)(m->arena + 205520896);                                 // [256,2048]  2.1 MB  steps 56-57
	launch_4(&bias_add_relu_avgpool_256x49x2048_kernel, conv_5, prepared_bottleneck_16_conv_bn_3_batchnorm_bias, x_16, avgpool);
}

/* Loss and metrics of one batch, per sample: 58 steps, 2.1 TFLOP, 29.4 GB moved, arena 1.8 GB (lower bound 1.8 GB, at step 7) */
static void evaluate_batch(const NnrMemory *m, const NnrScalars *s)
{
	forward_batch(m, s); /* steps 1 to 56 */
	nnr_step(57, "resnet.net:12  matmul(avgpool, prepared_dense_weight)  [256,1000]  1.0 GFLOP  11.3 MB");
	float *const avgpool = (float *)(m->arena + 205520896);                                 // [256,2048]  2.1 MB  steps 56-57
	float *const prepared_dense_weight = (float *)(m->state + 196351168);                   // [1000,2048]  8.2 MB
	float *const matmul = (float *)(m->arena + 0);                                          // [256,1000]  1.0 MB  steps 57-58
	matmul_any_size(&matmul_256x1000_shape, &matmul_256x1000_plan, avgpool, prepared_dense_weight, matmul);

	/* ---- loss */
	nnr_step(58, "resnet.net:12,14,15  bias_cross_entropy_top1  [256,1000]  6.9 MFLOP  2.1 MB");
	float *const dense_bias = (float *)(m->params + 102224128);                             // [1000]  4.0 kB
	int32_t *const label_2 = (int32_t *)(m->inputs + 38535168);                             // [256,1]  1.0 kB
	float *const logits = (float *)(m->arena + 1024000);                                    // [256,1000]  1.0 MB  steps 58-end
	float *const cross_entropy = (float *)(m->arena + 2048000);                             // [256]  1.0 kB  steps 58-end
	float *const top1 = (float *)(m->arena + 2049024);                                      // [256]  1.0 kB  steps 58-end
	bias_cross_entropy_top1_256x1000(matmul, dense_bias, label_2, logits, cross_entropy, top1);
}

/* What the model predicts, without loss and metrics: 57 steps, 2.1 TFLOP, 29.4 GB moved, arena 1.8 GB (lower bound 1.8 GB, at step 7) */
static void predict_batch(const NnrMemory *m, const NnrScalars *s)
{
	forward_batch(m, s); /* steps 1 to 56 */
	nnr_step(57, "resnet.net:12  matmul(avgpool, prepared_dense_weight) + dense_bias  [256,1000]  1.0 GFLOP  11.3 MB");
	float *const avgpool = (float *)(m->arena + 205520896);                                 // [256,2048]  2.1 MB  steps 56-57
	float *const prepared_dense_weight = (float *)(m->state + 196351168);                   // [1000,2048]  8.2 MB
	float *const logits = (float *)(m->arena + 0);                                          // [256,1000]  1.0 MB  steps 57-end
	float *const dense_bias = (float *)(m->params + 102224128);                             // [1000]  4.0 kB
	matmul_bias_256x1000(avgpool, prepared_dense_weight, logits, dense_bias);
}

/* For `profile`: the steps above, and which part of each is whose line of the .net files: by FLOPs,
 * of the update by parameters. {name, formula, library, phase, converts, FLOP, B, shares: {place, phase, weight}} */
#define STEP_BATCHNORM_STATISTICS_802816X64(p) {"batchnorm_statistics_802816x64", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 205522176, 205523200, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.05522e+08}}}
#define STEP_BATCHNORM_RELU_ROUND_TF32_802816X64(p) {"batchnorm_relu_round_tf32_802816x64", "round_tf32(relu((((conv - mean) * scale) + bias)))", NULL, NNR_PHASE_FORWARD, false, 205520896, 411042560, 2, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 1.54141e+08}, {p - 2, NNR_PHASE_FORWARD, 5.13802e+07}}}
#define STEP_CONV_256X56X56X64_2(p) {"conv_256x56x56x64_2", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 411189248, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 5.919e+10}}}
#define STEP_CONV_256X56X56X256(p) {"conv_256x56x56x256", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_STATISTICS_802816X256(p) {"batchnorm_statistics_802816x256", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 822088704, 822092800, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 8.22089e+08}}}
#define STEP_BATCHNORM_STATISTICS_200704X128(p) {"batchnorm_statistics_200704x128", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 102763008, 102765056, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 1.02763e+08}}}
#define STEP_BATCHNORM_RELU_ROUND_TF32_200704X128(p) {"batchnorm_relu_round_tf32_200704x128", "round_tf32(relu((((conv - mean) * scale) + bias)))", NULL, NNR_PHASE_FORWARD, false, 102760448, 205522432, 2, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 7.70703e+07}, {p - 2, NNR_PHASE_FORWARD, 2.56901e+07}}}
#define STEP_CONV_256X28X28X512(p) {"conv_256x28x28x512", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_STATISTICS_200704X512(p) {"batchnorm_statistics_200704x512", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 411052032, 411060224, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 4.11052e+08}}}
#define STEP_CONV_256X28X28X128_2(p) {"conv_256x28x28x128_2", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.63067e+10}}}
#define STEP_CONV_256X28X28X128_3(p) {"conv_256x28x28x128_3", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 206110720, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 5.919e+10}}}
#define STEP_BATCHNORM_STATISTICS_50176X256(p) {"batchnorm_statistics_50176x256", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 51385344, 51389440, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 5.13853e+07}}}
#define STEP_BATCHNORM_RELU_ROUND_TF32_50176X256(p) {"batchnorm_relu_round_tf32_50176x256", "round_tf32(relu((((conv - mean) * scale) + bias)))", NULL, NNR_PHASE_FORWARD, false, 51380224, 102763520, 2, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 3.85352e+07}, {p - 2, NNR_PHASE_FORWARD, 1.28451e+07}}}
#define STEP_CONV_256X14X14X1024(p) {"conv_256x14x14x1024", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_STATISTICS_50176X1024(p) {"batchnorm_statistics_50176x1024", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 205541376, 205557760, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.05541e+08}}}
#define STEP_CONV_256X14X14X256_2(p) {"conv_256x14x14x256_2", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.63067e+10}}}
#define STEP_CONV_256X14X14X256_3(p) {"conv_256x14x14x256_3", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 5.919e+10}}}
#define STEP_BATCHNORM_ADD_RELU_BACKWARD_50176X1024(p) {"batchnorm_add_relu_backward_50176x1024", "positive(relu(((((conv - mean) * scale) + bias) + relu))); relu(((((conv - mean) * scale) + bias) + relu))", NULL, NNR_PHASE_FORWARD, false, 308281344, 667955200, 3, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 1.54141e+08}, {p + 1, NNR_PHASE_FORWARD, 1.0276e+08}, {p + 1, NNR_PHASE_BACKWARD, 5.13802e+07}}}
#define STEP_BATCHNORM_STATISTICS_12544X512(p) {"batchnorm_statistics_12544x512", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 25700352, 25708544, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.57004e+07}}}
#define STEP_BATCHNORM_RELU_ROUND_TF32_12544X512(p) {"batchnorm_relu_round_tf32_12544x512", "round_tf32(relu((((conv - mean) * scale) + bias)))", NULL, NNR_PHASE_FORWARD, false, 25690112, 51386368, 2, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 1.92676e+07}, {p - 2, NNR_PHASE_FORWARD, 6.42253e+06}}}
#define STEP_CONV_256X7X7X2048(p) {"conv_256x7x7x2048", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_STATISTICS_12544X2048(p) {"batchnorm_statistics_12544x2048", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 102801408, 102834176, 1, (const NnrShare[]){{p, NNR_PHASE_FORWARD, 1.02801e+08}}}
#define STEP_CONV_WGRAD_2048X1X1X512(p) {"conv_wgrad_2048x1x1x512", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_CONV_DGRAD_256X7X7X512(p) {"conv_dgrad_256x7x7x512", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_RELU_BACKWARD_SUMS_12544X512(p) {"batchnorm_relu_backward_sums_12544x512", "batchnorm_relu_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 64229888, 51396608, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 4.49623e+07}, {p - 2, NNR_PHASE_BACKWARD, 1.92676e+07}}}
#define STEP_BATCHNORM_RELU_BACKWARD_12544X512(p) {"batchnorm_relu_backward_12544x512", "batchnorm_relu_backward", NULL, NNR_PHASE_BACKWARD, false, 70647808, 77080576, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.13802e+07}, {p - 2, NNR_PHASE_BACKWARD, 1.92676e+07}}}
#define STEP_BATCHNORM_BACKWARD_50176X1024(p) {"batchnorm_backward_50176x1024", "round_tf32(((dy * scale) + (((conv - mean) * centred_scale) + shift)))", NULL, NNR_PHASE_BACKWARD, false, 256901120, 616579072, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.56901e+08}}}
#define STEP_CONV_WGRAD_1024X1X1X256(p) {"conv_wgrad_1024x1x1x256", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_CONV_DGRAD_256X14X14X256(p) {"conv_dgrad_256x14x14x256", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_RELU_BACKWARD_SUMS_50176X256(p) {"batchnorm_relu_backward_sums_50176x256", "batchnorm_relu_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 128452864, 102768640, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 8.99177e+07}, {p - 2, NNR_PHASE_BACKWARD, 3.85352e+07}}}
#define STEP_BATCHNORM_RELU_BACKWARD_50176X256(p) {"batchnorm_relu_backward_50176x256", "batchnorm_relu_backward", NULL, NNR_PHASE_BACKWARD, false, 141295616, 154145792, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 1.0276e+08}, {p - 2, NNR_PHASE_BACKWARD, 3.85352e+07}}}
#define STEP_CONV_WGRAD_256X3X3X256(p) {"conv_wgrad_256x3x3x256", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.919e+10}}}
#define STEP_CONV_DGRAD_256X14X14X256_2(p) {"conv_dgrad_256x14x14x256_2", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.919e+10}}}
#define STEP_CONV_WGRAD_256X1X1X1024(p) {"conv_wgrad_256x1x1x1024", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_CONV_DGRAD_256X14X14X1024_2(p) {"conv_dgrad_256x14x14x1024_2", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_ADD_RELU_BATCHNORM_BACKWARD_SUMS_50176X1024(p) {"add_relu_batchnorm_backward_sums_50176x1024", "add_relu_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 308290560, 873492480, 4, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.56901e+07}, {p + 8, NNR_PHASE_BACKWARD, 2.56901e+07}, {p - 2, NNR_PHASE_BACKWARD, 5.13802e+07}, {p - 3, NNR_PHASE_BACKWARD, 2.0553e+08}}}
#define STEP_BATCHNORM_BACKWARD_200704X512(p) {"batchnorm_backward_200704x512", "round_tf32(((dy * scale) + (((conv - mean) * centred_scale) + shift)))", NULL, NNR_PHASE_BACKWARD, false, 513802240, 1233133568, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.13802e+08}}}
#define STEP_CONV_WGRAD_512X1X1X128(p) {"conv_wgrad_512x1x1x128", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_CONV_DGRAD_256X28X28X128(p) {"conv_dgrad_256x28x28x128", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_RELU_BACKWARD_SUMS_200704X128(p) {"batchnorm_relu_backward_sums_200704x128", "batchnorm_relu_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 256902272, 205524992, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 1.79832e+08}, {p - 2, NNR_PHASE_BACKWARD, 7.70703e+07}}}
#define STEP_BATCHNORM_RELU_BACKWARD_200704X128(p) {"batchnorm_relu_backward_200704x128", "batchnorm_relu_backward", NULL, NNR_PHASE_BACKWARD, false, 282591232, 308283904, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.05521e+08}, {p - 2, NNR_PHASE_BACKWARD, 7.70703e+07}}}
#define STEP_CONV_WGRAD_128X3X3X128(p) {"conv_wgrad_128x3x3x128", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 206110720, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.919e+10}}}
#define STEP_CONV_DGRAD_256X28X28X128_2(p) {"conv_dgrad_256x28x28x128_2", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 206110720, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.919e+10}}}
#define STEP_CONV_WGRAD_128X1X1X512(p) {"conv_wgrad_128x1x1x512", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_CONV_DGRAD_256X28X28X512_2(p) {"conv_dgrad_256x28x28x512_2", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_BACKWARD_802816X256(p) {"batchnorm_backward_802816x256", "round_tf32(((dy * scale) + (((conv - mean) * centred_scale) + shift)))", NULL, NNR_PHASE_BACKWARD, false, 1027604480, 2466254848, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 1.0276e+09}}}
#define STEP_CONV_WGRAD_256X1X1X64(p) {"conv_wgrad_256x1x1x64", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_CONV_DGRAD_256X56X56X64(p) {"conv_dgrad_256x56x56x64", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 2.63067e+10}}}
#define STEP_BATCHNORM_RELU_BACKWARD_SUMS_802816X64(p) {"batchnorm_relu_backward_sums_802816x64", "batchnorm_relu_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 513802816, 411043840, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 3.59662e+08}, {p - 2, NNR_PHASE_BACKWARD, 1.54141e+08}}}
#define STEP_BATCHNORM_RELU_BACKWARD_802816X64(p) {"batchnorm_relu_backward_802816x64", "batchnorm_relu_backward", NULL, NNR_PHASE_BACKWARD, false, 565182464, 616563968, 2, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 4.11042e+08}, {p - 2, NNR_PHASE_BACKWARD, 1.54141e+08}}}
#define STEP_CONV_WGRAD_64X3X3X64(p) {"conv_wgrad_64x3x3x64", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 411189248, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.919e+10}}}
#define STEP_CONV_DGRAD_256X56X56X64_2(p) {"conv_dgrad_256x56x56x64_2", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 411189248, 1, (const NnrShare[]){{p, NNR_PHASE_BACKWARD, 5.919e+10}}}
static const NnrStep steps[] = {
	{"normalize_38535168", "round_tf32(rgb_affine(cast(image)))", NULL, NNR_PHASE_FORWARD, false, 77070336, 192675840, 1, (const NnrShare[]){{0, NNR_PHASE_FORWARD, 7.70703e+07}}},
	{"conv_256x112x112x64", "conv(x, w)", NULL, NNR_PHASE_FORWARD, false, 60423143424, 976261888, 1, (const NnrShare[]){{2, NNR_PHASE_FORWARD, 6.04231e+10}}},
	{"batchnorm_statistics_3211264x64", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 822084864, 822085888, 1, (const NnrShare[]){{3, NNR_PHASE_FORWARD, 8.22085e+08}}},
	{"maxpool_batchnorm_256x56x56x64", "maxpool_batchnorm", NULL, NNR_PHASE_FORWARD, false, 3185573888, 1284506368, 3, (const NnrShare[]){{3, NNR_PHASE_FORWARD, 1.38727e+09}, {1, NNR_PHASE_BACKWARD, 1.33589e+09}, {1, NNR_PHASE_FORWARD, 4.62422e+08}}},
	{"conv_256x56x56x64", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 6576668672, 411058176, 1, (const NnrShare[]){{6, NNR_PHASE_FORWARD, 6.57667e+09}}},
	STEP_BATCHNORM_STATISTICS_802816X64(7), STEP_BATCHNORM_RELU_ROUND_TF32_802816X64(7), STEP_CONV_256X56X56X64_2(9),
	STEP_BATCHNORM_STATISTICS_802816X64(10), STEP_BATCHNORM_RELU_ROUND_TF32_802816X64(10), STEP_CONV_256X56X56X256(12),
	STEP_BATCHNORM_STATISTICS_802816X256(13), STEP_CONV_256X56X56X256(15), STEP_BATCHNORM_STATISTICS_802816X256(16),
	{"batchnorm_add_relu_802816x256", "relu(((((conv - mean) * scale) + bias) + (((conv_2 - mean_2) * scale_2) + bias_2)))", NULL, NNR_PHASE_FORWARD, false, 1644167168, 2466256896, 3, (const NnrShare[]){{13, NNR_PHASE_FORWARD, 6.16563e+08}, {16, NNR_PHASE_FORWARD, 6.16563e+08}, {17, NNR_PHASE_FORWARD, 4.11042e+08}}},
	{"conv_256x56x56x64_3", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{19, NNR_PHASE_FORWARD, 2.63067e+10}}},
	STEP_BATCHNORM_STATISTICS_802816X64(20), STEP_BATCHNORM_RELU_ROUND_TF32_802816X64(20), STEP_CONV_256X56X56X64_2(22),
	STEP_BATCHNORM_STATISTICS_802816X64(23), STEP_BATCHNORM_RELU_ROUND_TF32_802816X64(23), STEP_CONV_256X56X56X256(25),
	STEP_BATCHNORM_STATISTICS_802816X256(26),
	{"batchnorm_add_relu_backward_802816x256", "positive(relu(((((conv - mean) * scale) + bias) + relu))); relu(((((conv - mean) * scale) + bias) + relu))", NULL, NNR_PHASE_FORWARD, false, 1233125376, 2671774720, 3, (const NnrShare[]){{26, NNR_PHASE_FORWARD, 6.16563e+08}, {27, NNR_PHASE_FORWARD, 4.11042e+08}, {27, NNR_PHASE_BACKWARD, 2.05521e+08}}},
	{"conv_256x56x56x64_3", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{29, NNR_PHASE_FORWARD, 2.63067e+10}}},
	STEP_BATCHNORM_STATISTICS_802816X64(30), STEP_BATCHNORM_RELU_ROUND_TF32_802816X64(30), STEP_CONV_256X56X56X64_2(32),
	STEP_BATCHNORM_STATISTICS_802816X64(33), STEP_BATCHNORM_RELU_ROUND_TF32_802816X64(33), STEP_CONV_256X56X56X256(35),
	STEP_BATCHNORM_STATISTICS_802816X256(36),
	{"batchnorm_add_relu_backward_round_tf32_802816x256", "positive(relu(((((conv - mean) * scale) + bias) + relu))); round_tf32(relu(((((conv - mean) * scale) + bias) + relu)))", NULL, NNR_PHASE_FORWARD, false, 1233125376, 2671774720, 3, (const NnrShare[]){{36, NNR_PHASE_FORWARD, 6.16563e+08}, {37, NNR_PHASE_FORWARD, 4.11042e+08}, {37, NNR_PHASE_BACKWARD, 2.05521e+08}}},
	{"conv_256x56x56x128", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 52613349376, 1233256448, 1, (const NnrShare[]){{39, NNR_PHASE_FORWARD, 5.26133e+10}}},
	{"batchnorm_statistics_802816x128", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 411044352, 411046400, 1, (const NnrShare[]){{40, NNR_PHASE_FORWARD, 4.11044e+08}}},
	{"batchnorm_relu_round_tf32_802816x128", "round_tf32(relu((((conv - mean) * scale) + bias)))", NULL, NNR_PHASE_FORWARD, false, 411041792, 822085120, 2, (const NnrShare[]){{40, NNR_PHASE_FORWARD, 3.08281e+08}, {38, NNR_PHASE_FORWARD, 1.0276e+08}}},
	{"conv_256x28x28x128", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 514392064, 1, (const NnrShare[]){{42, NNR_PHASE_FORWARD, 5.919e+10}}},
	STEP_BATCHNORM_STATISTICS_200704X128(43), STEP_BATCHNORM_RELU_ROUND_TF32_200704X128(43), STEP_CONV_256X28X28X512(45),
	STEP_BATCHNORM_STATISTICS_200704X512(46),
	{"conv_256x28x28x512_2", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 52613349376, 1233649664, 1, (const NnrShare[]){{48, NNR_PHASE_FORWARD, 5.26133e+10}}},
	STEP_BATCHNORM_STATISTICS_200704X512(49),
	{"batchnorm_add_relu_200704x512", "relu(((((conv - mean) * scale) + bias) + (((conv_2 - mean_2) * scale_2) + bias_2)))", NULL, NNR_PHASE_FORWARD, false, 822083584, 1233137664, 3, (const NnrShare[]){{46, NNR_PHASE_FORWARD, 3.08281e+08}, {49, NNR_PHASE_FORWARD, 3.08281e+08}, {50, NNR_PHASE_FORWARD, 2.05521e+08}}},
	STEP_CONV_256X28X28X128_2(52), STEP_BATCHNORM_STATISTICS_200704X128(53), STEP_BATCHNORM_RELU_ROUND_TF32_200704X128(53),
	STEP_CONV_256X28X28X128_3(55), STEP_BATCHNORM_STATISTICS_200704X128(56), STEP_BATCHNORM_RELU_ROUND_TF32_200704X128(56),
	STEP_CONV_256X28X28X512(58), STEP_BATCHNORM_STATISTICS_200704X512(59),
	{"batchnorm_add_relu_backward_200704x512", "positive(relu(((((conv - mean) * scale) + bias) + relu))); relu(((((conv - mean) * scale) + bias) + relu))", NULL, NNR_PHASE_FORWARD, false, 616562688, 1335891968, 3, (const NnrShare[]){{59, NNR_PHASE_FORWARD, 3.08281e+08}, {60, NNR_PHASE_FORWARD, 2.05521e+08}, {60, NNR_PHASE_BACKWARD, 1.0276e+08}}},
	STEP_CONV_256X28X28X128_2(62), STEP_BATCHNORM_STATISTICS_200704X128(63), STEP_BATCHNORM_RELU_ROUND_TF32_200704X128(63),
	STEP_CONV_256X28X28X128_3(65), STEP_BATCHNORM_STATISTICS_200704X128(66), STEP_BATCHNORM_RELU_ROUND_TF32_200704X128(66),
	STEP_CONV_256X28X28X512(68), STEP_BATCHNORM_STATISTICS_200704X512(69),
	{"batchnorm_add_relu_backward_200704x512", "positive(relu(((((conv - mean) * scale) + bias) + relu))); relu(((((conv - mean) * scale) + bias) + relu))", NULL, NNR_PHASE_FORWARD, false, 616562688, 1335891968, 3, (const NnrShare[]){{69, NNR_PHASE_FORWARD, 3.08281e+08}, {70, NNR_PHASE_FORWARD, 2.05521e+08}, {70, NNR_PHASE_BACKWARD, 1.0276e+08}}},
	STEP_CONV_256X28X28X128_2(72), STEP_BATCHNORM_STATISTICS_200704X128(73), STEP_BATCHNORM_RELU_ROUND_TF32_200704X128(73),
	STEP_CONV_256X28X28X128_3(75), STEP_BATCHNORM_STATISTICS_200704X128(76), STEP_BATCHNORM_RELU_ROUND_TF32_200704X128(76),
	STEP_CONV_256X28X28X512(78), STEP_BATCHNORM_STATISTICS_200704X512(79),
	{"batchnorm_add_relu_backward_round_tf32_200704x512", "positive(relu(((((conv - mean) * scale) + bias) + relu))); round_tf32(relu(((((conv - mean) * scale) + bias) + relu)))", NULL, NNR_PHASE_FORWARD, false, 616562688, 1335891968, 3, (const NnrShare[]){{79, NNR_PHASE_FORWARD, 3.08281e+08}, {80, NNR_PHASE_FORWARD, 2.05521e+08}, {80, NNR_PHASE_BACKWARD, 1.0276e+08}}},
	{"conv_256x28x28x256", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 52613349376, 617086976, 1, (const NnrShare[]){{82, NNR_PHASE_FORWARD, 5.26133e+10}}},
	{"batchnorm_statistics_200704x256", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 205526016, 205530112, 1, (const NnrShare[]){{83, NNR_PHASE_FORWARD, 2.05526e+08}}},
	{"batchnorm_relu_round_tf32_200704x256", "round_tf32(relu((((conv - mean) * scale) + bias)))", NULL, NNR_PHASE_FORWARD, false, 205520896, 411044864, 2, (const NnrShare[]){{83, NNR_PHASE_FORWARD, 1.54141e+08}, {81, NNR_PHASE_FORWARD, 5.13802e+07}}},
	{"conv_256x14x14x256", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 259260416, 1, (const NnrShare[]){{85, NNR_PHASE_FORWARD, 5.919e+10}}},
	STEP_BATCHNORM_STATISTICS_50176X256(86), STEP_BATCHNORM_RELU_ROUND_TF32_50176X256(86), STEP_CONV_256X14X14X1024(88),
	STEP_BATCHNORM_STATISTICS_50176X1024(89),
	{"conv_256x14x14x1024_2", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 52613349376, 618659840, 1, (const NnrShare[]){{91, NNR_PHASE_FORWARD, 5.26133e+10}}},
	STEP_BATCHNORM_STATISTICS_50176X1024(92),
	{"batchnorm_add_relu_50176x1024", "relu(((((conv - mean) * scale) + bias) + (((conv_2 - mean_2) * scale_2) + bias_2)))", NULL, NNR_PHASE_FORWARD, false, 411041792, 616587264, 3, (const NnrShare[]){{89, NNR_PHASE_FORWARD, 1.54141e+08}, {92, NNR_PHASE_FORWARD, 1.54141e+08}, {93, NNR_PHASE_FORWARD, 1.0276e+08}}},
	STEP_CONV_256X14X14X256_2(95), STEP_BATCHNORM_STATISTICS_50176X256(96), STEP_BATCHNORM_RELU_ROUND_TF32_50176X256(96),
	STEP_CONV_256X14X14X256_3(98), STEP_BATCHNORM_STATISTICS_50176X256(99), STEP_BATCHNORM_RELU_ROUND_TF32_50176X256(99),
	STEP_CONV_256X14X14X1024(101), STEP_BATCHNORM_STATISTICS_50176X1024(102), STEP_BATCHNORM_ADD_RELU_BACKWARD_50176X1024(102),
	STEP_CONV_256X14X14X256_2(105), STEP_BATCHNORM_STATISTICS_50176X256(106), STEP_BATCHNORM_RELU_ROUND_TF32_50176X256(106),
	STEP_CONV_256X14X14X256_3(108), STEP_BATCHNORM_STATISTICS_50176X256(109), STEP_BATCHNORM_RELU_ROUND_TF32_50176X256(109),
	STEP_CONV_256X14X14X1024(111), STEP_BATCHNORM_STATISTICS_50176X1024(112), STEP_BATCHNORM_ADD_RELU_BACKWARD_50176X1024(112),
	STEP_CONV_256X14X14X256_2(115), STEP_BATCHNORM_STATISTICS_50176X256(116), STEP_BATCHNORM_RELU_ROUND_TF32_50176X256(116),
	STEP_CONV_256X14X14X256_3(118), STEP_BATCHNORM_STATISTICS_50176X256(119), STEP_BATCHNORM_RELU_ROUND_TF32_50176X256(119),
	STEP_CONV_256X14X14X1024(121), STEP_BATCHNORM_STATISTICS_50176X1024(122), STEP_BATCHNORM_ADD_RELU_BACKWARD_50176X1024(122),
	STEP_CONV_256X14X14X256_2(125), STEP_BATCHNORM_STATISTICS_50176X256(126), STEP_BATCHNORM_RELU_ROUND_TF32_50176X256(126),
	STEP_CONV_256X14X14X256_3(128), STEP_BATCHNORM_STATISTICS_50176X256(129), STEP_BATCHNORM_RELU_ROUND_TF32_50176X256(129),
	STEP_CONV_256X14X14X1024(131), STEP_BATCHNORM_STATISTICS_50176X1024(132), STEP_BATCHNORM_ADD_RELU_BACKWARD_50176X1024(132),
	STEP_CONV_256X14X14X256_2(135), STEP_BATCHNORM_STATISTICS_50176X256(136), STEP_BATCHNORM_RELU_ROUND_TF32_50176X256(136),
	STEP_CONV_256X14X14X256_3(138), STEP_BATCHNORM_STATISTICS_50176X256(139), STEP_BATCHNORM_RELU_ROUND_TF32_50176X256(139),
	STEP_CONV_256X14X14X1024(141), STEP_BATCHNORM_STATISTICS_50176X1024(142),
	{"batchnorm_add_relu_backward_round_tf32_50176x1024", "positive(relu(((((conv - mean) * scale) + bias) + relu))); round_tf32(relu(((((conv - mean) * scale) + bias) + relu)))", NULL, NNR_PHASE_FORWARD, false, 308281344, 667955200, 3, (const NnrShare[]){{142, NNR_PHASE_FORWARD, 1.54141e+08}, {143, NNR_PHASE_FORWARD, 1.0276e+08}, {143, NNR_PHASE_BACKWARD, 5.13802e+07}}},
	{"conv_256x14x14x512", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 52613349376, 310378496, 1, (const NnrShare[]){{145, NNR_PHASE_FORWARD, 5.26133e+10}}},
	{"batchnorm_statistics_50176x512", "batchnorm_statistics", NULL, NNR_PHASE_FORWARD, false, 102770688, 102778880, 1, (const NnrShare[]){{146, NNR_PHASE_FORWARD, 1.02771e+08}}},
	{"batchnorm_relu_round_tf32_50176x512", "round_tf32(relu((((conv - mean) * scale) + bias)))", NULL, NNR_PHASE_FORWARD, false, 102760448, 205527040, 2, (const NnrShare[]){{146, NNR_PHASE_FORWARD, 7.70703e+07}, {144, NNR_PHASE_FORWARD, 2.56901e+07}}},
	{"conv_256x7x7x512", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 137887744, 1, (const NnrShare[]){{148, NNR_PHASE_FORWARD, 5.919e+10}}},
	STEP_BATCHNORM_STATISTICS_12544X512(149), STEP_BATCHNORM_RELU_ROUND_TF32_12544X512(149), STEP_CONV_256X7X7X2048(151),
	STEP_BATCHNORM_STATISTICS_12544X2048(152),
	{"conv_256x7x7x2048_2", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 52613349376, 316669952, 1, (const NnrShare[]){{154, NNR_PHASE_FORWARD, 5.26133e+10}}},
	STEP_BATCHNORM_STATISTICS_12544X2048(155),
	{"batchnorm_add_relu_12544x2048", "relu(((((conv - mean) * scale) + bias) + (((conv_2 - mean_2) * scale_2) + bias_2)))", NULL, NNR_PHASE_FORWARD, false, 205520896, 308330496, 3, (const NnrShare[]){{152, NNR_PHASE_FORWARD, 7.70703e+07}, {155, NNR_PHASE_FORWARD, 7.70703e+07}, {156, NNR_PHASE_FORWARD, 5.13802e+07}}},
	{"conv_256x7x7x512_2", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{158, NNR_PHASE_FORWARD, 2.63067e+10}}},
	STEP_BATCHNORM_STATISTICS_12544X512(159), STEP_BATCHNORM_RELU_ROUND_TF32_12544X512(159),
	{"conv_256x7x7x512_3", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{161, NNR_PHASE_FORWARD, 5.919e+10}}},
	STEP_BATCHNORM_STATISTICS_12544X512(162), STEP_BATCHNORM_RELU_ROUND_TF32_12544X512(162), STEP_CONV_256X7X7X2048(164),
	STEP_BATCHNORM_STATISTICS_12544X2048(165),
	{"batchnorm_add_relu_backward_12544x2048", "positive(relu(((((conv - mean) * scale) + bias) + relu))); relu(((((conv - mean) * scale) + bias) + relu))", NULL, NNR_PHASE_FORWARD, false, 154140672, 333996032, 3, (const NnrShare[]){{165, NNR_PHASE_FORWARD, 7.70703e+07}, {166, NNR_PHASE_FORWARD, 5.13802e+07}, {166, NNR_PHASE_BACKWARD, 2.56901e+07}}},
	{"conv_256x7x7x512_2", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{168, NNR_PHASE_FORWARD, 2.63067e+10}}},
	STEP_BATCHNORM_STATISTICS_12544X512(169), STEP_BATCHNORM_RELU_ROUND_TF32_12544X512(169),
	{"conv_256x7x7x512_3", "conv(x, w)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{171, NNR_PHASE_FORWARD, 5.919e+10}}},
	STEP_BATCHNORM_STATISTICS_12544X512(172), STEP_BATCHNORM_RELU_ROUND_TF32_12544X512(172), STEP_CONV_256X7X7X2048(174),
	STEP_BATCHNORM_STATISTICS_12544X2048(175),
	{"batchnorm_add_relu_backward_avgpool_256x49x2048", "batchnorm_add_relu_backward_avgpool", NULL, NNR_PHASE_FORWARD, false, 180355072, 233332736, 4, (const NnrShare[]){{175, NNR_PHASE_FORWARD, 7.70703e+07}, {176, NNR_PHASE_FORWARD, 5.13802e+07}, {177, NNR_PHASE_FORWARD, 2.62144e+07}, {176, NNR_PHASE_BACKWARD, 2.56901e+07}}},
	{"matmul_256x1000", "matmul(a, b)", "cuBLASLt", NNR_PHASE_FORWARD, false, 1048576000, 11313152, 1, (const NnrShare[]){{177, NNR_PHASE_FORWARD, 1.04858e+09}}},
	{"bias_backward_cross_entropy_backward_top1_mean_256x1000", "bias_backward_cross_entropy_backward_top1_mean", NULL, NNR_PHASE_LOSS, false, 7941120, 2053024, 5, (const NnrShare[]){{177, NNR_PHASE_FORWARD, 256000}, {178, NNR_PHASE_LOSS, 4.99635e+06}, {179, NNR_PHASE_LOSS, 1.66451e+06}, {178, NNR_PHASE_BACKWARD, 768256}, {177, NNR_PHASE_BACKWARD, 256000}}},
	{"mean_bias_backward_256x1000", "mean_bias_backward", NULL, NNR_PHASE_LOSS, false, 2, 4008, 5, (const NnrShare[]){{177, NNR_PHASE_FORWARD, 256000}, {178, NNR_PHASE_LOSS, 4.99635e+06}, {179, NNR_PHASE_LOSS, 1.66451e+06}, {178, NNR_PHASE_BACKWARD, 768256}, {177, NNR_PHASE_BACKWARD, 256000}}},
	{"matmul_1000x2048", "matmul(a, b)", "cuBLASLt", NNR_PHASE_BACKWARD, false, 1048576000, 11313152, 1, (const NnrShare[]){{177, NNR_PHASE_BACKWARD, 1.04858e+09}}},
	{"matmul_256x2048", "matmul(a, b)", "cuBLASLt", NNR_PHASE_BACKWARD, false, 1048576000, 11313152, 1, (const NnrShare[]){{177, NNR_PHASE_BACKWARD, 1.04858e+09}}},
	{"avgpool_backward_524288", "dy * 0.0204082", NULL, NNR_PHASE_BACKWARD, false, 524288, 4194304, 1, (const NnrShare[]){{177, NNR_PHASE_BACKWARD, 524288}}},
	{"relu_batchnorm_backward_sums_256x49x2048", "relu_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 128468992, 130605056, 2, (const NnrShare[]){{176, NNR_PHASE_BACKWARD, 2.56901e+07}, {175, NNR_PHASE_BACKWARD, 1.02779e+08}}},
	{"relu_batchnorm_backward_256x49x2048", "round_tf32(((select(cast(positive), dy, 0) * scale) + (((conv - mean) * centred_scale) + shift)))", NULL, NNR_PHASE_BACKWARD, false, 154140672, 233340928, 2, (const NnrShare[]){{176, NNR_PHASE_BACKWARD, 2.56901e+07}, {175, NNR_PHASE_BACKWARD, 1.28451e+08}}},
	STEP_CONV_WGRAD_2048X1X1X512(174), STEP_CONV_DGRAD_256X7X7X512(174), STEP_BATCHNORM_RELU_BACKWARD_SUMS_12544X512(172),
	STEP_BATCHNORM_RELU_BACKWARD_12544X512(172),
	{"conv_wgrad_512x3x3x512", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{171, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x7x7x512_2", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{171, NNR_PHASE_BACKWARD, 5.919e+10}}},
	STEP_BATCHNORM_RELU_BACKWARD_SUMS_12544X512(169), STEP_BATCHNORM_RELU_BACKWARD_12544X512(169),
	{"conv_wgrad_512x1x1x2048", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{168, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x7x7x2048", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{168, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"relu_add_batchnorm_backward_sums_256x49x2048", "relu_add_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 179849216, 361816064, 4, (const NnrShare[]){{176, NNR_PHASE_BACKWARD, 3.85352e+07}, {168, NNR_PHASE_BACKWARD, 1.28451e+07}, {166, NNR_PHASE_BACKWARD, 2.56901e+07}, {165, NNR_PHASE_BACKWARD, 1.02779e+08}}},
	{"batchnorm_backward_12544x2048", "round_tf32(((dy * scale) + (((conv - mean) * centred_scale) + shift)))", NULL, NNR_PHASE_BACKWARD, false, 128450560, 308314112, 1, (const NnrShare[]){{165, NNR_PHASE_BACKWARD, 1.28451e+08}}},
	STEP_CONV_WGRAD_2048X1X1X512(164), STEP_CONV_DGRAD_256X7X7X512(164), STEP_BATCHNORM_RELU_BACKWARD_SUMS_12544X512(162),
	STEP_BATCHNORM_RELU_BACKWARD_12544X512(162),
	{"conv_wgrad_512x3x3x512", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{161, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x7x7x512_2", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{161, NNR_PHASE_BACKWARD, 5.919e+10}}},
	STEP_BATCHNORM_RELU_BACKWARD_SUMS_12544X512(159), STEP_BATCHNORM_RELU_BACKWARD_12544X512(159),
	{"conv_wgrad_512x1x1x2048", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{158, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x7x7x2048", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{158, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"add_batchnorm_relu_backward_sums_12544x2048", "add_batchnorm_relu_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 462458880, 513933312, 5, (const NnrShare[]){{158, NNR_PHASE_BACKWARD, 1.28451e+07}, {166, NNR_PHASE_BACKWARD, 1.28451e+07}, {152, NNR_PHASE_BACKWARD, 1.67004e+08}, {155, NNR_PHASE_BACKWARD, 1.67004e+08}, {156, NNR_PHASE_BACKWARD, 1.0276e+08}}},
	{"batchnorm_backward_12544x2048", "round_tf32(((dy * scale) + (((conv - mean) * centred_scale) + shift)))", NULL, NNR_PHASE_BACKWARD, false, 128450560, 308314112, 1, (const NnrShare[]){{155, NNR_PHASE_BACKWARD, 1.28451e+08}}},
	{"conv_wgrad_2048x1x1x1024", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 316669952, 1, (const NnrShare[]){{154, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"conv_dgrad_256x7x7x1024", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 162529280, 1, (const NnrShare[]){{154, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"batchnorm_backward_12544x2048_2", "round_tf32(((dy * scale) + (((conv - mean) * centred_scale) + shift)))", NULL, NNR_PHASE_BACKWARD, false, 128450560, 308314112, 1, (const NnrShare[]){{152, NNR_PHASE_BACKWARD, 1.28451e+08}}},
	STEP_CONV_WGRAD_2048X1X1X512(151), STEP_CONV_DGRAD_256X7X7X512(151), STEP_BATCHNORM_RELU_BACKWARD_SUMS_12544X512(149),
	STEP_BATCHNORM_RELU_BACKWARD_12544X512(149),
	{"conv_wgrad_512x3x3x512_2", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 137887744, 1, (const NnrShare[]){{148, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x14x14x512", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 137887744, 1, (const NnrShare[]){{148, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_50176x512", "batchnorm_relu_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 256905728, 205537280, 2, (const NnrShare[]){{146, NNR_PHASE_BACKWARD, 1.79835e+08}, {144, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"batchnorm_relu_backward_50176x512", "batchnorm_relu_backward", NULL, NNR_PHASE_BACKWARD, false, 282591232, 308291584, 2, (const NnrShare[]){{146, NNR_PHASE_BACKWARD, 2.05521e+08}, {144, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"conv_wgrad_512x1x1x1024", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 310378496, 1, (const NnrShare[]){{145, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"conv_dgrad_256x14x14x1024", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 310378496, 1, (const NnrShare[]){{145, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"relu_conv_add_batchnorm_backward_sums_256x14x14x1024", "relu_conv_add_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 308290560, 719351808, 4, (const NnrShare[]){{145, NNR_PHASE_BACKWARD, 2.56901e+07}, {154, NNR_PHASE_BACKWARD, 2.56901e+07}, {143, NNR_PHASE_BACKWARD, 5.13802e+07}, {142, NNR_PHASE_BACKWARD, 2.0553e+08}}},
	STEP_BATCHNORM_BACKWARD_50176X1024(142), STEP_CONV_WGRAD_1024X1X1X256(141), STEP_CONV_DGRAD_256X14X14X256(141),
	STEP_BATCHNORM_RELU_BACKWARD_SUMS_50176X256(139), STEP_BATCHNORM_RELU_BACKWARD_50176X256(139), STEP_CONV_WGRAD_256X3X3X256(138),
	STEP_CONV_DGRAD_256X14X14X256_2(138), STEP_BATCHNORM_RELU_BACKWARD_SUMS_50176X256(136), STEP_BATCHNORM_RELU_BACKWARD_50176X256(136),
	STEP_CONV_WGRAD_256X1X1X1024(135), STEP_CONV_DGRAD_256X14X14X1024_2(135), STEP_ADD_RELU_BATCHNORM_BACKWARD_SUMS_50176X1024(135),
	STEP_BATCHNORM_BACKWARD_50176X1024(132), STEP_CONV_WGRAD_1024X1X1X256(131), STEP_CONV_DGRAD_256X14X14X256(131),
	STEP_BATCHNORM_RELU_BACKWARD_SUMS_50176X256(129), STEP_BATCHNORM_RELU_BACKWARD_50176X256(129), STEP_CONV_WGRAD_256X3X3X256(128),
	STEP_CONV_DGRAD_256X14X14X256_2(128), STEP_BATCHNORM_RELU_BACKWARD_SUMS_50176X256(126), STEP_BATCHNORM_RELU_BACKWARD_50176X256(126),
	STEP_CONV_WGRAD_256X1X1X1024(125), STEP_CONV_DGRAD_256X14X14X1024_2(125), STEP_ADD_RELU_BATCHNORM_BACKWARD_SUMS_50176X1024(125),
	STEP_BATCHNORM_BACKWARD_50176X1024(122), STEP_CONV_WGRAD_1024X1X1X256(121), STEP_CONV_DGRAD_256X14X14X256(121),
	STEP_BATCHNORM_RELU_BACKWARD_SUMS_50176X256(119), STEP_BATCHNORM_RELU_BACKWARD_50176X256(119), STEP_CONV_WGRAD_256X3X3X256(118),
	STEP_CONV_DGRAD_256X14X14X256_2(118), STEP_BATCHNORM_RELU_BACKWARD_SUMS_50176X256(116), STEP_BATCHNORM_RELU_BACKWARD_50176X256(116),
	STEP_CONV_WGRAD_256X1X1X1024(115), STEP_CONV_DGRAD_256X14X14X1024_2(115), STEP_ADD_RELU_BATCHNORM_BACKWARD_SUMS_50176X1024(115),
	STEP_BATCHNORM_BACKWARD_50176X1024(112), STEP_CONV_WGRAD_1024X1X1X256(111), STEP_CONV_DGRAD_256X14X14X256(111),
	STEP_BATCHNORM_RELU_BACKWARD_SUMS_50176X256(109), STEP_BATCHNORM_RELU_BACKWARD_50176X256(109), STEP_CONV_WGRAD_256X3X3X256(108),
	STEP_CONV_DGRAD_256X14X14X256_2(108), STEP_BATCHNORM_RELU_BACKWARD_SUMS_50176X256(106), STEP_BATCHNORM_RELU_BACKWARD_50176X256(106),
	STEP_CONV_WGRAD_256X1X1X1024(105), STEP_CONV_DGRAD_256X14X14X1024_2(105), STEP_ADD_RELU_BATCHNORM_BACKWARD_SUMS_50176X1024(105),
	STEP_BATCHNORM_BACKWARD_50176X1024(102), STEP_CONV_WGRAD_1024X1X1X256(101), STEP_CONV_DGRAD_256X14X14X256(101),
	STEP_BATCHNORM_RELU_BACKWARD_SUMS_50176X256(99), STEP_BATCHNORM_RELU_BACKWARD_50176X256(99), STEP_CONV_WGRAD_256X3X3X256(98),
	STEP_CONV_DGRAD_256X14X14X256_2(98), STEP_BATCHNORM_RELU_BACKWARD_SUMS_50176X256(96), STEP_BATCHNORM_RELU_BACKWARD_50176X256(96),
	STEP_CONV_WGRAD_256X1X1X1024(95), STEP_CONV_DGRAD_256X14X14X1024_2(95),
	{"add_batchnorm_relu_backward_sums_50176x1024", "add_batchnorm_relu_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 924862464, 1027670016, 5, (const NnrShare[]){{95, NNR_PHASE_BACKWARD, 2.56901e+07}, {103, NNR_PHASE_BACKWARD, 2.56901e+07}, {89, NNR_PHASE_BACKWARD, 3.33981e+08}, {92, NNR_PHASE_BACKWARD, 3.33981e+08}, {93, NNR_PHASE_BACKWARD, 2.05521e+08}}},
	STEP_BATCHNORM_BACKWARD_50176X1024(92),
	{"conv_wgrad_1024x1x1x512", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 618659840, 1, (const NnrShare[]){{91, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"conv_dgrad_256x14x14x512_2", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 310378496, 1, (const NnrShare[]){{91, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"batchnorm_backward_50176x1024_2", "round_tf32(((dy * scale) + (((conv - mean) * centred_scale) + shift)))", NULL, NNR_PHASE_BACKWARD, false, 256901120, 616579072, 1, (const NnrShare[]){{89, NNR_PHASE_BACKWARD, 2.56901e+08}}},
	STEP_CONV_WGRAD_1024X1X1X256(88), STEP_CONV_DGRAD_256X14X14X256(88), STEP_BATCHNORM_RELU_BACKWARD_SUMS_50176X256(86),
	STEP_BATCHNORM_RELU_BACKWARD_50176X256(86),
	{"conv_wgrad_256x3x3x256_2", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 259260416, 1, (const NnrShare[]){{85, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x28x28x256", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 259260416, 1, (const NnrShare[]){{85, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_200704x256", "batchnorm_relu_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 513804544, 411049984, 2, (const NnrShare[]){{83, NNR_PHASE_BACKWARD, 3.59664e+08}, {81, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"batchnorm_relu_backward_200704x256", "batchnorm_relu_backward", NULL, NNR_PHASE_BACKWARD, false, 565182464, 616567808, 2, (const NnrShare[]){{83, NNR_PHASE_BACKWARD, 4.11042e+08}, {81, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"conv_wgrad_256x1x1x512", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 617086976, 1, (const NnrShare[]){{82, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"conv_dgrad_256x28x28x512", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 617086976, 1, (const NnrShare[]){{82, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"relu_conv_add_batchnorm_backward_sums_256x28x28x512", "relu_conv_add_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 616567296, 1438660608, 4, (const NnrShare[]){{82, NNR_PHASE_BACKWARD, 5.13802e+07}, {91, NNR_PHASE_BACKWARD, 5.13802e+07}, {80, NNR_PHASE_BACKWARD, 1.0276e+08}, {79, NNR_PHASE_BACKWARD, 4.11046e+08}}},
	STEP_BATCHNORM_BACKWARD_200704X512(79), STEP_CONV_WGRAD_512X1X1X128(78), STEP_CONV_DGRAD_256X28X28X128(78),
	STEP_BATCHNORM_RELU_BACKWARD_SUMS_200704X128(76), STEP_BATCHNORM_RELU_BACKWARD_200704X128(76), STEP_CONV_WGRAD_128X3X3X128(75),
	STEP_CONV_DGRAD_256X28X28X128_2(75), STEP_BATCHNORM_RELU_BACKWARD_SUMS_200704X128(73), STEP_BATCHNORM_RELU_BACKWARD_200704X128(73),
	STEP_CONV_WGRAD_128X1X1X512(72), STEP_CONV_DGRAD_256X28X28X512_2(72),
	{"add_relu_batchnorm_backward_sums_200704x512", "add_relu_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 616567296, 1746941952, 4, (const NnrShare[]){{72, NNR_PHASE_BACKWARD, 5.13802e+07}, {80, NNR_PHASE_BACKWARD, 5.13802e+07}, {70, NNR_PHASE_BACKWARD, 1.0276e+08}, {69, NNR_PHASE_BACKWARD, 4.11046e+08}}},
	STEP_BATCHNORM_BACKWARD_200704X512(69), STEP_CONV_WGRAD_512X1X1X128(68), STEP_CONV_DGRAD_256X28X28X128(68),
	STEP_BATCHNORM_RELU_BACKWARD_SUMS_200704X128(66), STEP_BATCHNORM_RELU_BACKWARD_200704X128(66), STEP_CONV_WGRAD_128X3X3X128(65),
	STEP_CONV_DGRAD_256X28X28X128_2(65), STEP_BATCHNORM_RELU_BACKWARD_SUMS_200704X128(63), STEP_BATCHNORM_RELU_BACKWARD_200704X128(63),
	STEP_CONV_WGRAD_128X1X1X512(62), STEP_CONV_DGRAD_256X28X28X512_2(62),
	{"add_relu_batchnorm_backward_sums_200704x512", "add_relu_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 616567296, 1746941952, 4, (const NnrShare[]){{62, NNR_PHASE_BACKWARD, 5.13802e+07}, {70, NNR_PHASE_BACKWARD, 5.13802e+07}, {60, NNR_PHASE_BACKWARD, 1.0276e+08}, {59, NNR_PHASE_BACKWARD, 4.11046e+08}}},
	STEP_BATCHNORM_BACKWARD_200704X512(59), STEP_CONV_WGRAD_512X1X1X128(58), STEP_CONV_DGRAD_256X28X28X128(58),
	STEP_BATCHNORM_RELU_BACKWARD_SUMS_200704X128(56), STEP_BATCHNORM_RELU_BACKWARD_200704X128(56), STEP_CONV_WGRAD_128X3X3X128(55),
	STEP_CONV_DGRAD_256X28X28X128_2(55), STEP_BATCHNORM_RELU_BACKWARD_SUMS_200704X128(53), STEP_BATCHNORM_RELU_BACKWARD_200704X128(53),
	STEP_CONV_WGRAD_128X1X1X512(52), STEP_CONV_DGRAD_256X28X28X512_2(52),
	{"add_batchnorm_relu_backward_sums_200704x512", "add_batchnorm_relu_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 1849697280, 2055241728, 5, (const NnrShare[]){{52, NNR_PHASE_BACKWARD, 5.13802e+07}, {60, NNR_PHASE_BACKWARD, 5.13802e+07}, {46, NNR_PHASE_BACKWARD, 6.67948e+08}, {49, NNR_PHASE_BACKWARD, 6.67948e+08}, {50, NNR_PHASE_BACKWARD, 4.11042e+08}}},
	STEP_BATCHNORM_BACKWARD_200704X512(49),
	{"conv_wgrad_512x1x1x256", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 1233649664, 1, (const NnrShare[]){{48, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"conv_dgrad_256x28x28x256_2", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 617086976, 1, (const NnrShare[]){{48, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"batchnorm_backward_200704x512_2", "round_tf32(((dy * scale) + (((conv - mean) * centred_scale) + shift)))", NULL, NNR_PHASE_BACKWARD, false, 513802240, 1233133568, 1, (const NnrShare[]){{46, NNR_PHASE_BACKWARD, 5.13802e+08}}},
	STEP_CONV_WGRAD_512X1X1X128(45), STEP_CONV_DGRAD_256X28X28X128(45), STEP_BATCHNORM_RELU_BACKWARD_SUMS_200704X128(43),
	STEP_BATCHNORM_RELU_BACKWARD_200704X128(43),
	{"conv_wgrad_128x3x3x128_2", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 514392064, 1, (const NnrShare[]){{42, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x56x56x128", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 514392064, 1, (const NnrShare[]){{42, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_802816x128", "batchnorm_relu_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 1027605632, 822087680, 2, (const NnrShare[]){{40, NNR_PHASE_BACKWARD, 7.19324e+08}, {38, NNR_PHASE_BACKWARD, 3.08281e+08}}},
	{"batchnorm_relu_backward_802816x128", "batchnorm_relu_backward", NULL, NNR_PHASE_BACKWARD, false, 1130364928, 1233127936, 2, (const NnrShare[]){{40, NNR_PHASE_BACKWARD, 8.22084e+08}, {38, NNR_PHASE_BACKWARD, 3.08281e+08}}},
	{"conv_wgrad_128x1x1x256", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 1233256448, 1, (const NnrShare[]){{39, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"conv_dgrad_256x56x56x256", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 1233256448, 1, (const NnrShare[]){{39, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"relu_conv_add_batchnorm_backward_sums_256x56x56x256", "relu_conv_add_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 1233127680, 2877299712, 4, (const NnrShare[]){{39, NNR_PHASE_BACKWARD, 1.0276e+08}, {48, NNR_PHASE_BACKWARD, 1.0276e+08}, {37, NNR_PHASE_BACKWARD, 2.05521e+08}, {36, NNR_PHASE_BACKWARD, 8.22086e+08}}},
	STEP_BATCHNORM_BACKWARD_802816X256(36), STEP_CONV_WGRAD_256X1X1X64(35), STEP_CONV_DGRAD_256X56X56X64(35),
	STEP_BATCHNORM_RELU_BACKWARD_SUMS_802816X64(33), STEP_BATCHNORM_RELU_BACKWARD_802816X64(33), STEP_CONV_WGRAD_64X3X3X64(32),
	STEP_CONV_DGRAD_256X56X56X64_2(32), STEP_BATCHNORM_RELU_BACKWARD_SUMS_802816X64(30), STEP_BATCHNORM_RELU_BACKWARD_802816X64(30),
	{"conv_wgrad_64x1x1x256", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{29, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x56x56x256_2", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{29, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"add_relu_batchnorm_backward_sums_802816x256", "add_relu_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 1233127680, 3493862400, 4, (const NnrShare[]){{29, NNR_PHASE_BACKWARD, 1.0276e+08}, {37, NNR_PHASE_BACKWARD, 1.0276e+08}, {27, NNR_PHASE_BACKWARD, 2.05521e+08}, {26, NNR_PHASE_BACKWARD, 8.22086e+08}}},
	STEP_BATCHNORM_BACKWARD_802816X256(26), STEP_CONV_WGRAD_256X1X1X64(25), STEP_CONV_DGRAD_256X56X56X64(25),
	STEP_BATCHNORM_RELU_BACKWARD_SUMS_802816X64(23), STEP_BATCHNORM_RELU_BACKWARD_802816X64(23), STEP_CONV_WGRAD_64X3X3X64(22),
	STEP_CONV_DGRAD_256X56X56X64_2(22), STEP_BATCHNORM_RELU_BACKWARD_SUMS_802816X64(20), STEP_BATCHNORM_RELU_BACKWARD_802816X64(20),
	{"conv_wgrad_64x1x1x256", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{19, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x56x56x256_2", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{19, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"add_batchnorm_relu_backward_sums_802816x256", "add_batchnorm_relu_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 3699380736, 4110434304, 5, (const NnrShare[]){{19, NNR_PHASE_BACKWARD, 1.0276e+08}, {27, NNR_PHASE_BACKWARD, 1.0276e+08}, {13, NNR_PHASE_BACKWARD, 1.33589e+09}, {16, NNR_PHASE_BACKWARD, 1.33589e+09}, {17, NNR_PHASE_BACKWARD, 8.22084e+08}}},
	STEP_BATCHNORM_BACKWARD_802816X256(16), STEP_CONV_WGRAD_256X1X1X64(15), STEP_CONV_DGRAD_256X56X56X64(15),
	{"batchnorm_backward_802816x256_2", "round_tf32(((dy * scale) + (((conv - mean) * centred_scale) + shift)))", NULL, NNR_PHASE_BACKWARD, false, 1027604480, 2466254848, 1, (const NnrShare[]){{13, NNR_PHASE_BACKWARD, 1.0276e+09}}},
	STEP_CONV_WGRAD_256X1X1X64(12), STEP_CONV_DGRAD_256X56X56X64(12), STEP_BATCHNORM_RELU_BACKWARD_SUMS_802816X64(10),
	STEP_BATCHNORM_RELU_BACKWARD_802816X64(10), STEP_CONV_WGRAD_64X3X3X64(9), STEP_CONV_DGRAD_256X56X56X64_2(9),
	STEP_BATCHNORM_RELU_BACKWARD_SUMS_802816X64(7), STEP_BATCHNORM_RELU_BACKWARD_802816X64(7),
	{"conv_wgrad_64x1x1x64", "conv_wgrad(x, dy)", "cuDNN", NNR_PHASE_BACKWARD, false, 6576668672, 411058176, 1, (const NnrShare[]){{6, NNR_PHASE_BACKWARD, 6.57667e+09}}},
	{"conv_dgrad_256x56x56x64_3", "conv_dgrad(dy, w)", "cuDNN", NNR_PHASE_BACKWARD, false, 6576668672, 411058176, 1, (const NnrShare[]){{6, NNR_PHASE_BACKWARD, 6.57667e+09}}},
	{"add_backward_batchnorm_backward_relu_sums_802816x64", "add_backward_batchnorm_backward_relu_sums", NULL, NNR_PHASE_BACKWARD, false, 513802816, 822085632, 4, (const NnrShare[]){{6, NNR_PHASE_BACKWARD, 2.56901e+07}, {15, NNR_PHASE_BACKWARD, 2.56901e+07}, {3, NNR_PHASE_BACKWARD, 4.11042e+08}, {1, NNR_PHASE_BACKWARD, 5.13802e+07}}},
	{"sgd_25557032", "sgd", NULL, NNR_PHASE_UPDATE, false, 178833088, 510951680, 107, (const NnrShare[]){{6, NNR_PHASE_UPDATE, 4096}, {9, NNR_PHASE_UPDATE, 36864}, {12, NNR_PHASE_UPDATE, 16384}, {15, NNR_PHASE_UPDATE, 16384}, {19, NNR_PHASE_UPDATE, 16384}, {22, NNR_PHASE_UPDATE, 36864}, {25, NNR_PHASE_UPDATE, 16384}, {29, NNR_PHASE_UPDATE, 16384}, {32, NNR_PHASE_UPDATE, 36864}, {35, NNR_PHASE_UPDATE, 16384}, {39, NNR_PHASE_UPDATE, 32768}, {42, NNR_PHASE_UPDATE, 147456}, {45, NNR_PHASE_UPDATE, 65536}, {48, NNR_PHASE_UPDATE, 131072}, {52, NNR_PHASE_UPDATE, 65536}, {55, NNR_PHASE_UPDATE, 147456}, {58, NNR_PHASE_UPDATE, 65536}, {62, NNR_PHASE_UPDATE, 65536}, {65, NNR_PHASE_UPDATE, 147456}, {68, NNR_PHASE_UPDATE, 65536}, {72, NNR_PHASE_UPDATE, 65536}, {75, NNR_PHASE_UPDATE, 147456}, {78, NNR_PHASE_UPDATE, 65536}, {82, NNR_PHASE_UPDATE, 131072}, {85, NNR_PHASE_UPDATE, 589824}, {88, NNR_PHASE_UPDATE, 262144}, {91, NNR_PHASE_UPDATE, 524288}, {95, NNR_PHASE_UPDATE, 262144}, {98, NNR_PHASE_UPDATE, 589824}, {101, NNR_PHASE_UPDATE, 262144}, {105, NNR_PHASE_UPDATE, 262144}, {108, NNR_PHASE_UPDATE, 589824}, {111, NNR_PHASE_UPDATE, 262144}, {115, NNR_PHASE_UPDATE, 262144}, {118, NNR_PHASE_UPDATE, 589824}, {121, NNR_PHASE_UPDATE, 262144}, {125, NNR_PHASE_UPDATE, 262144}, {128, NNR_PHASE_UPDATE, 589824}, {131, NNR_PHASE_UPDATE, 262144}, {135, NNR_PHASE_UPDATE, 262144}, {138, NNR_PHASE_UPDATE, 589824}, {141, NNR_PHASE_UPDATE, 262144}, {145, NNR_PHASE_UPDATE, 524288}, {148, NNR_PHASE_UPDATE, 2.3593e+06}, {151, NNR_PHASE_UPDATE, 1.04858e+06}, {154, NNR_PHASE_UPDATE, 2.09715e+06}, {158, NNR_PHASE_UPDATE, 1.04858e+06}, {161, NNR_PHASE_UPDATE, 2.3593e+06}, {164, NNR_PHASE_UPDATE, 1.04858e+06}, {168, NNR_PHASE_UPDATE, 1.04858e+06}, {171, NNR_PHASE_UPDATE, 2.3593e+06}, {174, NNR_PHASE_UPDATE, 1.04858e+06}, {177, NNR_PHASE_UPDATE, 2.04896e+06}, {3, NNR_PHASE_UPDATE, 128}, {7, NNR_PHASE_UPDATE, 128}, {10, NNR_PHASE_UPDATE, 128}, {13, NNR_PHASE_UPDATE, 512}, {16, NNR_PHASE_UPDATE, 512}, {20, NNR_PHASE_UPDATE, 128}, {23, NNR_PHASE_UPDATE, 128}, {26, NNR_PHASE_UPDATE, 512}, {30, NNR_PHASE_UPDATE, 128}, {33, NNR_PHASE_UPDATE, 128}, {36, NNR_PHASE_UPDATE, 512}, {40, NNR_PHASE_UPDATE, 256}, {43, NNR_PHASE_UPDATE, 256}, {46, NNR_PHASE_UPDATE, 1024}, {49, NNR_PHASE_UPDATE, 1024}, {53, NNR_PHASE_UPDATE, 256}, {56, NNR_PHASE_UPDATE, 256}, {59, NNR_PHASE_UPDATE, 1024}, {63, NNR_PHASE_UPDATE, 256}, {66, NNR_PHASE_UPDATE, 256}, {69, NNR_PHASE_UPDATE, 1024}, {73, NNR_PHASE_UPDATE, 256}, {76, NNR_PHASE_UPDATE, 256}, {79, NNR_PHASE_UPDATE, 1024}, {83, NNR_PHASE_UPDATE, 512}, {86, NNR_PHASE_UPDATE, 512}, {89, NNR_PHASE_UPDATE, 2048}, {92, NNR_PHASE_UPDATE, 2048}, {96, NNR_PHASE_UPDATE, 512}, {99, NNR_PHASE_UPDATE, 512}, {102, NNR_PHASE_UPDATE, 2048}, {106, NNR_PHASE_UPDATE, 512}, {109, NNR_PHASE_UPDATE, 512}, {112, NNR_PHASE_UPDATE, 2048}, {116, NNR_PHASE_UPDATE, 512}, {119, NNR_PHASE_UPDATE, 512}, {122, NNR_PHASE_UPDATE, 2048}, {126, NNR_PHASE_UPDATE, 512}, {129, NNR_PHASE_UPDATE, 512}, {132, NNR_PHASE_UPDATE, 2048}, {136, NNR_PHASE_UPDATE, 512}, {139, NNR_PHASE_UPDATE, 512}, {142, NNR_PHASE_UPDATE, 2048}, {146, NNR_PHASE_UPDATE, 1024}, {149, NNR_PHASE_UPDATE, 1024}, {152, NNR_PHASE_UPDATE, 4096}, {155, NNR_PHASE_UPDATE, 4096}, {159, NNR_PHASE_UPDATE, 1024}, {162, NNR_PHASE_UPDATE, 1024}, {165, NNR_PHASE_UPDATE, 4096}, {169, NNR_PHASE_UPDATE, 1024}, {172, NNR_PHASE_UPDATE, 1024}, {175, NNR_PHASE_UPDATE, 4096}, {180, NNR_PHASE_UPDATE, 0}}},
	{"maxpool_batchnorm_backward_256x112x112x64", "round_tf32(((unpool(dy, place) * scale) + (((conv - mean) * centred_scale) + shift)))", NULL, NNR_PHASE_BACKWARD, false, 1490026496, 1901069312, 2, (const NnrShare[]){{1, NNR_PHASE_BACKWARD, 4.62422e+08}, {3, NNR_PHASE_BACKWARD, 1.0276e+09}}},
	{"conv_backward_264x64x7x7x3", "conv_wgrad_parts(x, dy)", NULL, NNR_PHASE_BACKWARD, false, 60423143424, 986159104, 1, (const NnrShare[]){{2, NNR_PHASE_BACKWARD, 6.04231e+10}}},
	{"conv_backward_264x9408", "sum(conv_wgrad_parts)", NULL, NNR_PHASE_BACKWARD, false, 2483712, 9972480, 1, (const NnrShare[]){{2, NNR_PHASE_BACKWARD, 2.48371e+06}}},
	{"sgd_25557032_2", "sgd", NULL, NNR_PHASE_UPDATE, false, 66136, 188960, 3, (const NnrShare[]){{2, NNR_PHASE_UPDATE, 9408}, {177, NNR_PHASE_UPDATE, 40}, {180, NNR_PHASE_UPDATE, 0}}},
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
	"--target=cuda",
	"--march=native",
	NULL,
};
static const char program[] = "nnc program 7bace99c5873b2ee for 1 ranks";
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
	{NNR_LOSS, "loss", NNR_F32, 0, {0}, 22658221504},
	{NNR_METRIC, "top1", NNR_F32, 0, {0}, 22658221568},
};
static const NnrOutput evaluate_outputs[] = {
	{NNR_LOSS, "loss", NNR_F32, 1, {256}, 2048000},
	{NNR_METRIC, "top1", NNR_F32, 1, {256}, 2049024},
	{NNR_VALUE, "logits", NNR_F32, 2, {256, 1000}, 1024000},
};
static const NnrOutput predict_outputs[] = {
	{NNR_VALUE, "logits", NNR_F32, 2, {256, 1000}, 0},
};
static const NnrOutput train_gradient = {NNR_GRADIENT, "gradients", NNR_F32, 1, {25557032}, 21117272064};

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
	.param_bytes = 102228128, .state_bytes = 204543168, .input_bytes = 38536192,
	.train = {.arena_bytes = 22658221632, .outputs = train_outputs, .output_count = 2, .steps = steps, .step_count = 372, .gradient = &train_gradient, .run = train_step},
	.prepare = {.arena_bytes = 16384, .run = prepare_weights},
	.evaluate = {.arena_bytes = 1849688064, .outputs = evaluate_outputs, .output_count = 3, .run = evaluate_batch},
	.predict = {.arena_bytes = 1849688064, .outputs = predict_outputs, .output_count = 1, .run = predict_batch},
	.scored = {.output = "logits", .target = "label", .softmaxed = false},
	.places = places, .place_count = 181, .sources = sources, .source_count = 3, .file_count = 4,
	.backend = &nnr_cuda_backend, .device = &nnr_cuda_model,
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
