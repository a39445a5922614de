/* resnet50, from resnet50.net by nnc 0.2 for CUDA: the host side. Do not edit: change the .net file and run nnc again.
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

static void conv_256x112x112x64(const float *x, const float *w, float *y)
{
	static NnrKernel kernel = {.name = "conv_256x112x112x64", .blocks = 264, .threads = 256, .shared_bytes = 101152};
	nnr_launch(&kernel, (void *[]){&x, &w, &y});
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
static NnrKernel batchnorm_statistics_12544x2048_kernel = {.name = "batchnorm_statistics_12544x2048", .blocks = 528, .threads = 256};
static void batchnorm_statistics(NnrKernel *kernel, const float *conv, float *running_mean, float *running_var, const float *weight, float *add, float *rsqrt_, float *mul, float *partial)
{
	nnr_launch(kernel, (void *[]){&conv, &running_mean, &running_var, &weight, &add, &rsqrt_, &mul, &partial});
}

static void maxpool_batchnorm_256x56x56x64(const float *conv, const float *add, const float *mul, const float *bias, float *select, float *round_tf32, uint8_t *cast)
{
	static NnrKernel kernel = {.name = "maxpool_batchnorm_256x56x56x64", .blocks = 50176, .threads = 256};
	nnr_launch(&kernel, (void *[]){&conv, &add, &mul, &bias, &select, &round_tf32, &cast});
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
static void batchnorm_relu_round_tf32(NnrKernel *kernel, const float *conv, const float *add, const float *mul, const float *bias, float *round_tf32)
{
	nnr_launch(kernel, (void *[]){&conv, &add, &mul, &bias, &round_tf32});
}

static NnrKernel batchnorm_add_relu_802816x256_kernel = {.name = "batchnorm_add_relu_802816x256", .blocks = 200704, .threads = 256};
static NnrKernel batchnorm_add_relu_200704x512_kernel = {.name = "batchnorm_add_relu_200704x512", .blocks = 100352, .threads = 256};
static NnrKernel batchnorm_add_relu_50176x1024_kernel = {.name = "batchnorm_add_relu_50176x1024", .blocks = 50176, .threads = 256};
static NnrKernel batchnorm_add_relu_12544x2048_kernel = {.name = "batchnorm_add_relu_12544x2048", .blocks = 25088, .threads = 256};
static void batchnorm_add_relu(NnrKernel *kernel, const float *conv, const float *add, const float *mul, const float *bias, const float *conv_2, const float *add_2, const float *mul_2, const float *bias_2, float *relu)
{
	nnr_launch(kernel, (void *[]){&conv, &add, &mul, &bias, &conv_2, &add_2, &mul_2, &bias_2, &relu});
}

static NnrKernel batchnorm_add_relu_backward_802816x256_kernel = {.name = "batchnorm_add_relu_backward_802816x256", .blocks = 200704, .threads = 256};
static NnrKernel batchnorm_add_relu_backward_200704x512_kernel = {.name = "batchnorm_add_relu_backward_200704x512", .blocks = 100352, .threads = 256};
static NnrKernel batchnorm_add_relu_backward_50176x1024_kernel = {.name = "batchnorm_add_relu_backward_50176x1024", .blocks = 50176, .threads = 256};
static NnrKernel batchnorm_add_relu_backward_12544x2048_kernel = {.name = "batchnorm_add_relu_backward_12544x2048", .blocks = 25088, .threads = 256};
static void batchnorm_add_relu_backward(NnrKernel *kernel, const float *conv, const float *add, const float *mul, const float *bias, const float *relu, float *relu_2, uint8_t *positive)
{
	nnr_launch(kernel, (void *[]){&conv, &add, &mul, &bias, &relu, &relu_2, &positive});
}

static NnrKernel batchnorm_add_relu_backward_round_tf32_802816x256_kernel = {.name = "batchnorm_add_relu_backward_round_tf32_802816x256", .blocks = 200704, .threads = 256};
static NnrKernel batchnorm_add_relu_backward_round_tf32_200704x512_kernel = {.name = "batchnorm_add_relu_backward_round_tf32_200704x512", .blocks = 100352, .threads = 256};
static NnrKernel batchnorm_add_relu_backward_round_tf32_50176x1024_kernel = {.name = "batchnorm_add_relu_backward_round_tf32_50176x1024", .blocks = 50176, .threads = 256};
static NnrKernel batchnorm_add_relu_backward_avgpool_256x49x2048_kernel = {.name = "batchnorm_add_relu_backward_avgpool_256x49x2048", .blocks = 16384, .threads = 256};
static void batchnorm_add_relu_backward_round_tf32(NnrKernel *kernel, const float *conv, const float *add, const float *mul, const float *bias, const float *relu, float *round_tf32, uint8_t *positive)
{
	nnr_launch(kernel, (void *[]){&conv, &add, &mul, &bias, &relu, &round_tf32, &positive});
}

/* matmul(a, b)
 * resnet.net:26
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

static void mean_bias_backward_256x1000(float *mul, float *mul_2, float *sum, float *partial)
{
	static NnrKernel kernel = {.name = "mean_bias_backward_256x1000", .blocks = 6, .threads = 256};
	nnr_launch(&kernel, (void *[]){&mul, &mul_2, &sum, &partial});
}

static void avgpool_backward_524288(float *matmul)
{
	static NnrKernel kernel = {.name = "avgpool_backward_524288", .blocks = 512, .threads = 256};
	nnr_launch(&kernel, (void *[]){&matmul});
}

static void relu_batchnorm_backward_sums_256x49x2048(const uint8_t *positive, const float *mul, const float *conv, const float *add, const float *mul_2, const float *rsqrt_, float *mul_3, float *mul_4, float *mul_5, float *sum, float *partial)
{
	static NnrKernel kernel = {.name = "relu_batchnorm_backward_sums_256x49x2048", .blocks = 528, .threads = 256};
	nnr_launch(&kernel, (void *[]){&positive, &mul, &conv, &add, &mul_2, &rsqrt_, &mul_3, &mul_4, &mul_5, &sum, &partial});
}

static void relu_batchnorm_backward_256x49x2048(const uint8_t *positive, const float *mul, const float *mul_2, float *conv, const float *add, const float *mul_3, const float *mul_4)
{
	static NnrKernel kernel = {.name = "relu_batchnorm_backward_256x49x2048", .blocks = 25088, .threads = 256};
	nnr_launch(&kernel, (void *[]){&positive, &mul, &mul_2, &conv, &add, &mul_3, &mul_4});
}

/* conv_wgrad(x, dy)
 * residual.net:7
 * of 22 sizes: 2048x1x1x512, 512x3x3x512, 512x1x1x2048, 2048x1x1x1024, 512x3x3x512_2, 512x1x1x1024, 1024x1x1x256, 256x3x3x256 ... */
static const NnrConvShape conv_wgrad_2048x1x1x512_shape = {.batch = 256, .channels = 512, .filters = 2048, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_2048x1x1x512_plan;
static const NnrConvShape conv_wgrad_512x3x3x512_shape = {.batch = 256, .channels = 512, .filters = 512, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_512x3x3x512_plan;
static const NnrConvShape conv_wgrad_512x1x1x2048_shape = {.batch = 256, .channels = 2048, .filters = 512, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_512x1x1x2048_plan;
static const NnrConvShape conv_wgrad_2048x1x1x1024_shape = {.batch = 256, .channels = 1024, .filters = 2048, .groups = 1, .in = {14, 14}, .out = {7, 7}, .size = {1, 1}, .stride = {2, 2}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_2048x1x1x1024_plan;
static const NnrConvShape conv_wgrad_512x3x3x512_2_shape = {.batch = 256, .channels = 512, .filters = 512, .groups = 1, .in = {14, 14}, .out = {7, 7}, .size = {3, 3}, .stride = {2, 2}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_512x3x3x512_2_plan;
static const NnrConvShape conv_wgrad_512x1x1x1024_shape = {.batch = 256, .channels = 1024, .filters = 512, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_512x1x1x1024_plan;
static const NnrConvShape conv_wgrad_1024x1x1x256_shape = {.batch = 256, .channels = 256, .filters = 1024, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_1024x1x1x256_plan;
static const NnrConvShape conv_wgrad_256x3x3x256_shape = {.batch = 256, .channels = 256, .filters = 256, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_256x3x3x256_plan;
static const NnrConvShape conv_wgrad_256x1x1x1024_shape = {.batch = 256, .channels = 1024, .filters = 256, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_256x1x1x1024_plan;
static const NnrConvShape conv_wgrad_1024x1x1x512_shape = {.batch = 256, .channels = 512, .filters = 1024, .groups = 1, .in = {28, 28}, .out = {14, 14}, .size = {1, 1}, .stride = {2, 2}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_1024x1x1x512_plan;
static const NnrConvShape conv_wgrad_256x3x3x256_2_shape = {.batch = 256, .channels = 256, .filters = 256, .groups = 1, .in = {28, 28}, .out = {14, 14}, .size = {3, 3}, .stride = {2, 2}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_256x3x3x256_2_plan;
static const NnrConvShape conv_wgrad_256x1x1x512_shape = {.batch = 256, .channels = 512, .filters = 256, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_256x1x1x512_plan;
static const NnrConvShape conv_wgrad_512x1x1x128_shape = {.batch = 256, .channels = 128, .filters = 512, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_512x1x1x128_plan;
static const NnrConvShape conv_wgrad_128x3x3x128_shape = {.batch = 256, .channels = 128, .filters = 128, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_128x3x3x128_plan;
static const NnrConvShape conv_wgrad_128x1x1x512_shape = {.batch = 256, .channels = 512, .filters = 128, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_128x1x1x512_plan;
static const NnrConvShape conv_wgrad_512x1x1x256_shape = {.batch = 256, .channels = 256, .filters = 512, .groups = 1, .in = {56, 56}, .out = {28, 28}, .size = {1, 1}, .stride = {2, 2}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_512x1x1x256_plan;
static const NnrConvShape conv_wgrad_128x3x3x128_2_shape = {.batch = 256, .channels = 128, .filters = 128, .groups = 1, .in = {56, 56}, .out = {28, 28}, .size = {3, 3}, .stride = {2, 2}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_128x3x3x128_2_plan;
static const NnrConvShape conv_wgrad_128x1x1x256_shape = {.batch = 256, .channels = 256, .filters = 128, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_128x1x1x256_plan;
static const NnrConvShape conv_wgrad_256x1x1x64_shape = {.batch = 256, .channels = 64, .filters = 256, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_256x1x1x64_plan;
static const NnrConvShape conv_wgrad_64x3x3x64_shape = {.batch = 256, .channels = 64, .filters = 64, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_64x3x3x64_plan;
static const NnrConvShape conv_wgrad_64x1x1x256_shape = {.batch = 256, .channels = 256, .filters = 64, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_64x1x1x256_plan;
static const NnrConvShape conv_wgrad_64x1x1x64_shape = {.batch = 256, .channels = 64, .filters = 64, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_wgrad_64x1x1x64_plan;
static void conv_wgrad(const NnrConvShape *shape, NnrPlan **plan, const float *x, const float *dy, float *dw)
{
	nnr_cudnn_conv_wgrad(plan, shape, NNR_F32, x, dy, dw);
}

/* conv_dgrad(dy, w)
 * residual.net:7
 * of 22 sizes: 256x7x7x512, 256x7x7x512_2, 256x7x7x2048, 256x7x7x1024, 256x14x14x512, 256x14x14x1024, 256x14x14x256, 256x14x14x256_2 ... */
static const NnrConvShape conv_dgrad_256x7x7x512_shape = {.batch = 256, .channels = 512, .filters = 2048, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x7x7x512_plan;
static const NnrConvShape conv_dgrad_256x7x7x512_2_shape = {.batch = 256, .channels = 512, .filters = 512, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x7x7x512_2_plan;
static const NnrConvShape conv_dgrad_256x7x7x2048_shape = {.batch = 256, .channels = 2048, .filters = 512, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x7x7x2048_plan;
static const NnrConvShape conv_dgrad_256x7x7x1024_shape = {.batch = 256, .channels = 1024, .filters = 2048, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x7x7x1024_plan;
static const NnrConvShape conv_dgrad_256x14x14x512_shape = {.batch = 256, .channels = 512, .filters = 512, .groups = 1, .in = {14, 14}, .out = {7, 7}, .size = {3, 3}, .stride = {2, 2}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x14x14x512_plan;
static const NnrConvShape conv_dgrad_256x14x14x1024_shape = {.batch = 256, .channels = 1024, .filters = 512, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x14x14x1024_plan;
static const NnrConvShape conv_dgrad_256x14x14x256_shape = {.batch = 256, .channels = 256, .filters = 1024, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x14x14x256_plan;
static const NnrConvShape conv_dgrad_256x14x14x256_2_shape = {.batch = 256, .channels = 256, .filters = 256, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x14x14x256_2_plan;
static const NnrConvShape conv_dgrad_256x14x14x1024_2_shape = {.batch = 256, .channels = 1024, .filters = 256, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x14x14x1024_2_plan;
static const NnrConvShape conv_dgrad_256x14x14x512_2_shape = {.batch = 256, .channels = 512, .filters = 1024, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x14x14x512_2_plan;
static const NnrConvShape conv_dgrad_256x28x28x256_shape = {.batch = 256, .channels = 256, .filters = 256, .groups = 1, .in = {28, 28}, .out = {14, 14}, .size = {3, 3}, .stride = {2, 2}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x28x28x256_plan;
static const NnrConvShape conv_dgrad_256x28x28x512_shape = {.batch = 256, .channels = 512, .filters = 256, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x28x28x512_plan;
static const NnrConvShape conv_dgrad_256x28x28x128_shape = {.batch = 256, .channels = 128, .filters = 512, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x28x28x128_plan;
static const NnrConvShape conv_dgrad_256x28x28x128_2_shape = {.batch = 256, .channels = 128, .filters = 128, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x28x28x128_2_plan;
static const NnrConvShape conv_dgrad_256x28x28x512_2_shape = {.batch = 256, .channels = 512, .filters = 128, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x28x28x512_2_plan;
static const NnrConvShape conv_dgrad_256x28x28x256_2_shape = {.batch = 256, .channels = 256, .filters = 512, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x28x28x256_2_plan;
static const NnrConvShape conv_dgrad_256x56x56x128_shape = {.batch = 256, .channels = 128, .filters = 128, .groups = 1, .in = {56, 56}, .out = {28, 28}, .size = {3, 3}, .stride = {2, 2}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x56x56x128_plan;
static const NnrConvShape conv_dgrad_256x56x56x256_shape = {.batch = 256, .channels = 256, .filters = 128, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x56x56x256_plan;
static const NnrConvShape conv_dgrad_256x56x56x64_shape = {.batch = 256, .channels = 64, .filters = 256, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x56x56x64_plan;
static const NnrConvShape conv_dgrad_256x56x56x64_2_shape = {.batch = 256, .channels = 64, .filters = 64, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x56x56x64_2_plan;
static const NnrConvShape conv_dgrad_256x56x56x256_2_shape = {.batch = 256, .channels = 256, .filters = 64, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static NnrPlan *conv_dgrad_256x56x56x256_2_plan;
static const NnrConvShape conv_dgrad_256x56x56x64_3_shape = {.batch = 256, .channels = 64, .filters = 64, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
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
static void batchnorm_relu_backward_sums(NnrKernel *kernel, const float *conv, const float *add, const float *mul, const float *bias, const float *conv_dgrad, const float *rsqrt_, float *mul_2, float *mul_3, float *mul_4, float *sum, float *partial)
{
	nnr_launch(kernel, (void *[]){&conv, &add, &mul, &bias, &conv_dgrad, &rsqrt_, &mul_2, &mul_3, &mul_4, &sum, &partial});
}

static NnrKernel batchnorm_relu_backward_12544x512_kernel = {.name = "batchnorm_relu_backward_12544x512", .blocks = 6272, .threads = 256};
static NnrKernel batchnorm_relu_backward_50176x512_kernel = {.name = "batchnorm_relu_backward_50176x512", .blocks = 25088, .threads = 256};
static NnrKernel batchnorm_relu_backward_50176x256_kernel = {.name = "batchnorm_relu_backward_50176x256", .blocks = 12544, .threads = 256};
static NnrKernel batchnorm_relu_backward_200704x256_kernel = {.name = "batchnorm_relu_backward_200704x256", .blocks = 50176, .threads = 256};
static NnrKernel batchnorm_relu_backward_200704x128_kernel = {.name = "batchnorm_relu_backward_200704x128", .blocks = 25088, .threads = 256};
static NnrKernel batchnorm_relu_backward_802816x128_kernel = {.name = "batchnorm_relu_backward_802816x128", .blocks = 100352, .threads = 256};
static NnrKernel batchnorm_relu_backward_802816x64_kernel = {.name = "batchnorm_relu_backward_802816x64", .blocks = 50176, .threads = 256};
static void batchnorm_relu_backward(NnrKernel *kernel, float *conv, const float *add, const float *mul, const float *bias, const float *conv_dgrad, const float *mul_2, const float *mul_3)
{
	nnr_launch(kernel, (void *[]){&conv, &add, &mul, &bias, &conv_dgrad, &mul_2, &mul_3});
}

static void relu_add_batchnorm_backward_sums_256x49x2048(const uint8_t *positive, const float *mul, const float *conv_dgrad, const uint8_t *positive_2, const float *conv, const float *add, const float *mul_2, const float *rsqrt_, float *select, float *mul_3, float *mul_4, float *mul_5, float *sum, float *partial)
{
	static NnrKernel kernel = {.name = "relu_add_batchnorm_backward_sums_256x49x2048", .blocks = 256, .threads = 256};
	nnr_launch(&kernel, (void *[]){&positive, &mul, &conv_dgrad, &positive_2, &conv, &add, &mul_2, &rsqrt_, &select, &mul_3, &mul_4, &mul_5, &sum, &partial});
}

static NnrKernel batchnorm_backward_12544x2048_kernel = {.name = "batchnorm_backward_12544x2048", .blocks = 25088, .threads = 256};
static NnrKernel batchnorm_backward_50176x1024_kernel = {.name = "batchnorm_backward_50176x1024", .blocks = 50176, .threads = 256};
static NnrKernel batchnorm_backward_200704x512_kernel = {.name = "batchnorm_backward_200704x512", .blocks = 100352, .threads = 256};
static NnrKernel batchnorm_backward_802816x256_kernel = {.name = "batchnorm_backward_802816x256", .blocks = 200704, .threads = 256};
static void batchnorm_backward(NnrKernel *kernel, const float *select, const float *mul, float *conv, const float *add, const float *mul_2, const float *mul_3)
{
	nnr_launch(kernel, (void *[]){&select, &mul, &conv, &add, &mul_2, &mul_3});
}

static NnrKernel add_batchnorm_relu_backward_sums_12544x2048_kernel = {.name = "add_batchnorm_relu_backward_sums_12544x2048", .blocks = 256, .threads = 256};
static NnrKernel add_batchnorm_relu_backward_sums_50176x1024_kernel = {.name = "add_batchnorm_relu_backward_sums_50176x1024", .blocks = 264, .threads = 256};
static NnrKernel add_batchnorm_relu_backward_sums_200704x512_kernel = {.name = "add_batchnorm_relu_backward_sums_200704x512", .blocks = 264, .threads = 256};
static NnrKernel add_batchnorm_relu_backward_sums_802816x256_kernel = {.name = "add_batchnorm_relu_backward_sums_802816x256", .blocks = 264, .threads = 256};
static void add_batchnorm_relu_backward_sums(NnrKernel *kernel, const float *select, const float *conv_dgrad, const float *conv, const float *add, const float *mul, const float *bias, const float *conv_2, const float *add_2, const float *mul_2, const float *bias_2, const float *rsqrt_, const float *rsqrt_2, float *select_2, float *mul_3, float *mul_4, float *mul_5, float *sum, float *mul_6, float *mul_7, float *mul_8, float *sum_2, float *partial)
{
	nnr_launch(kernel, (void *[]){&select, &conv_dgrad, &conv, &add, &mul, &bias, &conv_2, &add_2, &mul_2, &bias_2, &rsqrt_, &rsqrt_2, &select_2, &mul_3, &mul_4, &mul_5, &sum, &mul_6, &mul_7, &mul_8, &sum_2, &partial});
}

static NnrKernel batchnorm_backward_12544x2048_2_kernel = {.name = "batchnorm_backward_12544x2048_2", .blocks = 25088, .threads = 256};
static NnrKernel batchnorm_backward_50176x1024_2_kernel = {.name = "batchnorm_backward_50176x1024_2", .blocks = 50176, .threads = 256};
static NnrKernel batchnorm_backward_200704x512_2_kernel = {.name = "batchnorm_backward_200704x512_2", .blocks = 100352, .threads = 256};
static NnrKernel batchnorm_backward_802816x256_2_kernel = {.name = "batchnorm_backward_802816x256_2", .blocks = 200704, .threads = 256};
static void batchnorm_backward_2(NnrKernel *kernel, float *select, const float *mul, const float *conv, const float *add, const float *mul_2, const float *mul_3)
{
	nnr_launch(kernel, (void *[]){&select, &mul, &conv, &add, &mul_2, &mul_3});
}

static NnrKernel relu_conv_add_batchnorm_backward_sums_256x14x14x1024_kernel = {.name = "relu_conv_add_batchnorm_backward_sums_256x14x14x1024", .blocks = 264, .threads = 256};
static NnrKernel relu_conv_add_batchnorm_backward_sums_256x28x28x512_kernel = {.name = "relu_conv_add_batchnorm_backward_sums_256x28x28x512", .blocks = 264, .threads = 256};
static NnrKernel relu_conv_add_batchnorm_backward_sums_256x56x56x256_kernel = {.name = "relu_conv_add_batchnorm_backward_sums_256x56x56x256", .blocks = 264, .threads = 256};
static void relu_conv_add_batchnorm_backward_sums(NnrKernel *kernel, const uint8_t *positive, const float *conv_dgrad, const float *conv_dgrad_2, const float *conv, const float *add, const float *mul, const float *rsqrt_, float *select, float *mul_2, float *mul_3, float *mul_4, float *sum, float *partial)
{
	nnr_launch(kernel, (void *[]){&positive, &conv_dgrad, &conv_dgrad_2, &conv, &add, &mul, &rsqrt_, &select, &mul_2, &mul_3, &mul_4, &sum, &partial});
}

static NnrKernel add_relu_batchnorm_backward_sums_50176x1024_kernel = {.name = "add_relu_batchnorm_backward_sums_50176x1024", .blocks = 264, .threads = 256};
static NnrKernel add_relu_batchnorm_backward_sums_200704x512_kernel = {.name = "add_relu_batchnorm_backward_sums_200704x512", .blocks = 264, .threads = 256};
static NnrKernel add_relu_batchnorm_backward_sums_802816x256_kernel = {.name = "add_relu_batchnorm_backward_sums_802816x256", .blocks = 264, .threads = 256};
static void add_relu_batchnorm_backward_sums(NnrKernel *kernel, const float *select, const float *conv_dgrad, const uint8_t *positive, const float *conv, const float *add, const float *mul, const float *rsqrt_, float *select_2, float *mul_2, float *mul_3, float *mul_4, float *sum, float *partial)
{
	nnr_launch(kernel, (void *[]){&select, &conv_dgrad, &positive, &conv, &add, &mul, &rsqrt_, &select_2, &mul_2, &mul_3, &mul_4, &sum, &partial});
}

static void add_backward_batchnorm_backward_relu_sums_802816x64(const float *conv_dgrad, const float *conv_dgrad_2, const float *select, const float *add, const float *mul, const float *bias, const float *rsqrt_, float *add_2, float *mul_2, float *mul_3, float *mul_4, float *sum, float *partial)
{
	static NnrKernel kernel = {.name = "add_backward_batchnorm_backward_relu_sums_802816x64", .blocks = 264, .threads = 256};
	nnr_launch(&kernel, (void *[]){&conv_dgrad, &conv_dgrad_2, &select, &add, &mul, &bias, &rsqrt_, &add_2, &mul_2, &mul_3, &mul_4, &sum, &partial});
}

static NnrKernel sgd_25557032_kernel = {.name = "sgd_25557032", .blocks = 33, .threads = 1024};
static NnrKernel sgd_25557032_2_kernel = {.name = "sgd_25557032_2", .blocks = 10, .threads = 256};
static void sgd(NnrKernel *kernel, float *params, const float *pack, float *momentum, const NnrScalars *s)
{
	nnr_launch(kernel, (void *[]){&params, &pack, &momentum, &s});
}

static void maxpool_batchnorm_backward_256x112x112x64(const float *dy, const uint8_t *place, const float *mul, float *conv, const float *add, const float *mul_2, const float *mul_3)
{
	static NnrKernel kernel = {.name = "maxpool_batchnorm_backward_256x112x112x64", .blocks = 51984, .threads = 256};
	nnr_launch(&kernel, (void *[]){&dy, &place, &mul, &conv, &add, &mul_2, &mul_3});
}

static void conv_backward_264x64x7x7x3(const float *x, const float *dy, float *dw)
{
	static NnrKernel kernel = {.name = "conv_backward_264x64x7x7x3", .blocks = 264, .threads = 256, .shared_bytes = 89424};
	nnr_launch(&kernel, (void *[]){&x, &dy, &dw});
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
static void batchnorm_folded(NnrKernel *kernel, const float *running_var, const float *weight, const float *running_mean, const float *bias, float *mul, float *add)
{
	nnr_launch(kernel, (void *[]){&running_var, &weight, &running_mean, &bias, &mul, &add});
}

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
static void batchnorm_folded_2(NnrKernel *kernel, const float *weight, const float *mul, float *round_tf32)
{
	nnr_launch(kernel, (void *[]){&weight, &mul, &round_tf32});
}

static NnrKernel batchnorm_folded_256_kernel = {.name = "batchnorm_folded_256", .blocks = 1, .threads = 256};
static NnrKernel batchnorm_folded_512_kernel = {.name = "batchnorm_folded_512", .blocks = 1, .threads = 256};
static NnrKernel batchnorm_folded_1024_kernel = {.name = "batchnorm_folded_1024", .blocks = 1, .threads = 256};
static NnrKernel batchnorm_folded_2048_kernel = {.name = "batchnorm_folded_2048", .blocks = 2, .threads = 256};
static void batchnorm_folded_3(NnrKernel *kernel, const float *running_var, const float *weight, const float *running_mean, const float *bias, const float *running_var_2, const float *weight_2, const float *running_mean_2, const float *bias_2, float *mul, float *mul_2, float *add)
{
	nnr_launch(kernel, (void *[]){&running_var, &weight, &running_mean, &bias, &running_var_2, &weight_2, &running_mean_2, &bias_2, &mul, &mul_2, &add});
}

static void round_tf32_2048000(const float *weight, float *round_tf32)
{
	static NnrKernel kernel = {.name = "round_tf32_2048000", .blocks = 2000, .threads = 256};
	nnr_launch(&kernel, (void *[]){&weight, &round_tf32});
}

static void conv_bias_relu_256x112x112x64(const float *x, const float *w, const float *bias, float *relu)
{
	static NnrKernel kernel = {.name = "conv_bias_relu_256x112x112x64", .blocks = 264, .threads = 256, .shared_bytes = 101152};
	nnr_launch(&kernel, (void *[]){&x, &w, &bias, &relu});
}

static void maxpool_round_tf32_256x56x56x64(const float *x, float *round_tf32)
{
	static NnrKernel kernel = {.name = "maxpool_round_tf32_256x56x56x64", .blocks = 50176, .threads = 256};
	nnr_launch(&kernel, (void *[]){&x, &round_tf32});
}

/* relu((conv(x, w) + bias))
 * residual.net:7,9,23
 * of 15 sizes: 256x56x56x64, 256x56x56x64_2, 256x56x56x64_3, 256x56x56x128, 256x28x28x128, 256x28x28x128_2, 256x28x28x128_3, 256x28x28x256 ... */
static NnrKernel conv_bias_relu_256x56x56x64_behind = {.name = "bias_relu_802816x64", .blocks = 50176, .threads = 256};
static const NnrConvShape conv_bias_relu_256x56x56x64_shape = {.batch = 256, .channels = 64, .filters = 64, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_relu_256x56x56x64_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x56x56x64_behind, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x56x56x64_plan;
static NnrKernel conv_bias_relu_256x56x56x64_2_behind = {.name = "bias_relu_802816x64", .blocks = 50176, .threads = 256};
static const NnrConvShape conv_bias_relu_256x56x56x64_2_shape = {.batch = 256, .channels = 64, .filters = 64, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_relu_256x56x56x64_2_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x56x56x64_2_behind, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x56x56x64_2_plan;
static NnrKernel conv_bias_relu_256x56x56x64_3_behind = {.name = "bias_relu_802816x64", .blocks = 50176, .threads = 256};
static const NnrConvShape conv_bias_relu_256x56x56x64_3_shape = {.batch = 256, .channels = 256, .filters = 64, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_relu_256x56x56x64_3_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x56x56x64_3_behind, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x56x56x64_3_plan;
static NnrKernel conv_bias_relu_256x56x56x128_behind = {.name = "bias_relu_802816x128", .blocks = 100352, .threads = 256};
static const NnrConvShape conv_bias_relu_256x56x56x128_shape = {.batch = 256, .channels = 256, .filters = 128, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_relu_256x56x56x128_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x56x56x128_behind, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x56x56x128_plan;
static NnrKernel conv_bias_relu_256x28x28x128_behind = {.name = "bias_relu_200704x128", .blocks = 25088, .threads = 256};
static const NnrConvShape conv_bias_relu_256x28x28x128_shape = {.batch = 256, .channels = 128, .filters = 128, .groups = 1, .in = {56, 56}, .out = {28, 28}, .size = {3, 3}, .stride = {2, 2}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_relu_256x28x28x128_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x28x28x128_behind, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x28x28x128_plan;
static NnrKernel conv_bias_relu_256x28x28x128_2_behind = {.name = "bias_relu_200704x128", .blocks = 25088, .threads = 256};
static const NnrConvShape conv_bias_relu_256x28x28x128_2_shape = {.batch = 256, .channels = 512, .filters = 128, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_relu_256x28x28x128_2_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x28x28x128_2_behind, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x28x28x128_2_plan;
static NnrKernel conv_bias_relu_256x28x28x128_3_behind = {.name = "bias_relu_200704x128", .blocks = 25088, .threads = 256};
static const NnrConvShape conv_bias_relu_256x28x28x128_3_shape = {.batch = 256, .channels = 128, .filters = 128, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_relu_256x28x28x128_3_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x28x28x128_3_behind, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x28x28x128_3_plan;
static NnrKernel conv_bias_relu_256x28x28x256_behind = {.name = "bias_relu_200704x256", .blocks = 50176, .threads = 256};
static const NnrConvShape conv_bias_relu_256x28x28x256_shape = {.batch = 256, .channels = 512, .filters = 256, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_relu_256x28x28x256_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x28x28x256_behind, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x28x28x256_plan;
static NnrKernel conv_bias_relu_256x14x14x256_behind = {.name = "bias_relu_50176x256", .blocks = 12544, .threads = 256};
static const NnrConvShape conv_bias_relu_256x14x14x256_shape = {.batch = 256, .channels = 256, .filters = 256, .groups = 1, .in = {28, 28}, .out = {14, 14}, .size = {3, 3}, .stride = {2, 2}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_relu_256x14x14x256_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x14x14x256_behind, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x14x14x256_plan;
static NnrKernel conv_bias_relu_256x14x14x256_2_behind = {.name = "bias_relu_50176x256", .blocks = 12544, .threads = 256};
static const NnrConvShape conv_bias_relu_256x14x14x256_2_shape = {.batch = 256, .channels = 1024, .filters = 256, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_relu_256x14x14x256_2_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x14x14x256_2_behind, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x14x14x256_2_plan;
static NnrKernel conv_bias_relu_256x14x14x256_3_behind = {.name = "bias_relu_50176x256", .blocks = 12544, .threads = 256};
static const NnrConvShape conv_bias_relu_256x14x14x256_3_shape = {.batch = 256, .channels = 256, .filters = 256, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_relu_256x14x14x256_3_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x14x14x256_3_behind, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x14x14x256_3_plan;
static NnrKernel conv_bias_relu_256x14x14x512_behind = {.name = "bias_relu_50176x512", .blocks = 25088, .threads = 256};
static const NnrConvShape conv_bias_relu_256x14x14x512_shape = {.batch = 256, .channels = 1024, .filters = 512, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_relu_256x14x14x512_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x14x14x512_behind, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x14x14x512_plan;
static NnrKernel conv_bias_relu_256x7x7x512_behind = {.name = "bias_relu_12544x512", .blocks = 6272, .threads = 256};
static const NnrConvShape conv_bias_relu_256x7x7x512_shape = {.batch = 256, .channels = 512, .filters = 512, .groups = 1, .in = {14, 14}, .out = {7, 7}, .size = {3, 3}, .stride = {2, 2}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_relu_256x7x7x512_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x7x7x512_behind, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x7x7x512_plan;
static NnrKernel conv_bias_relu_256x7x7x512_2_behind = {.name = "bias_relu_12544x512", .blocks = 6272, .threads = 256};
static const NnrConvShape conv_bias_relu_256x7x7x512_2_shape = {.batch = 256, .channels = 2048, .filters = 512, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_relu_256x7x7x512_2_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x7x7x512_2_behind, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x7x7x512_2_plan;
static NnrKernel conv_bias_relu_256x7x7x512_3_behind = {.name = "bias_relu_12544x512", .blocks = 6272, .threads = 256};
static const NnrConvShape conv_bias_relu_256x7x7x512_3_shape = {.batch = 256, .channels = 512, .filters = 512, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {3, 3}, .stride = {1, 1}, .pad = {1, 1, 1, 1}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_relu_256x7x7x512_3_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_relu_256x7x7x512_3_behind, .arguments = "yb"};
static NnrPlan *conv_bias_relu_256x7x7x512_3_plan;
static void conv_bias_relu(const NnrConvShape *shape, const NnrEpilogue *epilogue, NnrPlan **plan, const float *x, const float *w, float *y, const float *bias)
{
	nnr_cudnn_conv_epilogue(plan, shape, epilogue, NNR_F32, x, w, NULL, bias, y);
}

/* relu(((conv(x, w) + conv) + bias))
 * residual.net:7,28
 * of 4 sizes: 256x56x56x256, 256x28x28x512, 256x14x14x1024, 256x7x7x2048 */
static NnrKernel conv_add_bias_relu_256x56x56x256_behind = {.name = "add_bias_relu_802816x256", .blocks = 200704, .threads = 256};
static const NnrConvShape conv_add_bias_relu_256x56x56x256_shape = {.batch = 256, .channels = 64, .filters = 256, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_add_bias_relu_256x56x56x256_epilogue = {.activation = NNR_RELU, .kernel = &conv_add_bias_relu_256x56x56x256_behind, .arguments = "yrb"};
static NnrPlan *conv_add_bias_relu_256x56x56x256_plan;
static NnrKernel conv_add_bias_relu_256x28x28x512_behind = {.name = "add_bias_relu_200704x512", .blocks = 100352, .threads = 256};
static const NnrConvShape conv_add_bias_relu_256x28x28x512_shape = {.batch = 256, .channels = 128, .filters = 512, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_add_bias_relu_256x28x28x512_epilogue = {.activation = NNR_RELU, .kernel = &conv_add_bias_relu_256x28x28x512_behind, .arguments = "yrb"};
static NnrPlan *conv_add_bias_relu_256x28x28x512_plan;
static NnrKernel conv_add_bias_relu_256x14x14x1024_behind = {.name = "add_bias_relu_50176x1024", .blocks = 50176, .threads = 256};
static const NnrConvShape conv_add_bias_relu_256x14x14x1024_shape = {.batch = 256, .channels = 256, .filters = 1024, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_add_bias_relu_256x14x14x1024_epilogue = {.activation = NNR_RELU, .kernel = &conv_add_bias_relu_256x14x14x1024_behind, .arguments = "yrb"};
static NnrPlan *conv_add_bias_relu_256x14x14x1024_plan;
static NnrKernel conv_add_bias_relu_256x7x7x2048_behind = {.name = "add_bias_relu_12544x2048", .blocks = 25088, .threads = 256};
static const NnrConvShape conv_add_bias_relu_256x7x7x2048_shape = {.batch = 256, .channels = 512, .filters = 2048, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_add_bias_relu_256x7x7x2048_epilogue = {.activation = NNR_RELU, .kernel = &conv_add_bias_relu_256x7x7x2048_behind, .arguments = "yrb"};
static NnrPlan *conv_add_bias_relu_256x7x7x2048_plan;
static void conv_add_bias_relu(const NnrConvShape *shape, const NnrEpilogue *epilogue, NnrPlan **plan, const float *x, const float *w, float *y, const float *conv, const float *bias)
{
	nnr_cudnn_conv_epilogue(plan, shape, epilogue, NNR_F32, x, w, conv, bias, y);
}

/* relu(((conv(x, w) + bias) + relu))
 * residual.net:7,9,28
 * of 4 sizes: 256x56x56x256, 256x28x28x512, 256x14x14x1024, 256x7x7x2048 */
static NnrKernel conv_bias_add_relu_256x56x56x256_behind = {.name = "bias_add_relu_802816x256", .blocks = 200704, .threads = 256};
static const NnrConvShape conv_bias_add_relu_256x56x56x256_shape = {.batch = 256, .channels = 64, .filters = 256, .groups = 1, .in = {56, 56}, .out = {56, 56}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_add_relu_256x56x56x256_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_add_relu_256x56x56x256_behind, .arguments = "ybr"};
static NnrPlan *conv_bias_add_relu_256x56x56x256_plan;
static NnrKernel conv_bias_add_relu_256x28x28x512_behind = {.name = "bias_add_relu_200704x512", .blocks = 100352, .threads = 256};
static const NnrConvShape conv_bias_add_relu_256x28x28x512_shape = {.batch = 256, .channels = 128, .filters = 512, .groups = 1, .in = {28, 28}, .out = {28, 28}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_add_relu_256x28x28x512_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_add_relu_256x28x28x512_behind, .arguments = "ybr"};
static NnrPlan *conv_bias_add_relu_256x28x28x512_plan;
static NnrKernel conv_bias_add_relu_256x14x14x1024_behind = {.name = "bias_add_relu_50176x1024", .blocks = 50176, .threads = 256};
static const NnrConvShape conv_bias_add_relu_256x14x14x1024_shape = {.batch = 256, .channels = 256, .filters = 1024, .groups = 1, .in = {14, 14}, .out = {14, 14}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_add_relu_256x14x14x1024_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_add_relu_256x14x14x1024_behind, .arguments = "ybr"};
static NnrPlan *conv_bias_add_relu_256x14x14x1024_plan;
static NnrKernel conv_bias_add_relu_256x7x7x2048_behind = {.name = "bias_add_relu_12544x2048", .blocks = 25088, .threads = 256};
static const NnrConvShape conv_bias_add_relu_256x7x7x2048_shape = {.batch = 256, .channels = 512, .filters = 2048, .groups = 1, .in = {7, 7}, .out = {7, 7}, .size = {1, 1}, .stride = {1, 1}, .pad = {0, 0, 0, 0}, .dilation = {1, 1}};
static const NnrEpilogue conv_bias_add_relu_256x7x7x2048_epilogue = {.activation = NNR_RELU, .kernel = &conv_bias_add_relu_256x7x7x2048_behind, .arguments = "ybr"};
static NnrPlan *conv_bias_add_relu_256x7x7x2048_plan;
static void conv_bias_add_relu(const NnrConvShape *shape, const NnrEpilogue *epilogue, NnrPlan **plan, const float *x, const float *w, float *y, const float *bias, const float *relu)
{
	nnr_cudnn_conv_epilogue(plan, shape, epilogue, NNR_F32, x, w, relu, bias, y);
}

static void bias_add_relu_avgpool_256x49x2048(const float *conv, const float *bias, const float *relu, float *round_tf32)
{
	static NnrKernel kernel = {.name = "bias_add_relu_avgpool_256x49x2048", .blocks = 16384, .threads = 256};
	nnr_launch(&kernel, (void *[]){&conv, &bias, &relu, &round_tf32});
}

static void bias_cross_entropy_top1_256x1000(const float *matmul, const float *bias, const int32_t *label, float *add, float *sum, float *lt)
{
	static NnrKernel kernel = {.name = "bias_cross_entropy_top1_256x1000", .blocks = 32, .threads = 256};
	nnr_launch(&kernel, (void *[]){&matmul, &bias, &label, &add, &sum, &lt});
}

/* matmul(a, b) + bias
 * resnet.net:26
 * [256,1000]  1.0 GFLOP  11.3 MB */
static void matmul_bias_256x1000(const float *a, const float *b, float *y, const float *bias)
{
	static NnrKernel behind = {.name = "bias_256x1000", .blocks = 250, .threads = 256};
	static const NnrProductShape shape = {.batch = 1, .m = 256, .n = 1000, .k = 2048, .ta = false, .tb = true};
	static const NnrEpilogue epilogue = {.kernel = &behind, .arguments = "yb"};
	static NnrPlan *plan;
	nnr_cublas_matmul_epilogue(&plan, &shape, &epilogue, NNR_F32, a, b, bias, y);
}

/* One training step: 372 steps, 6.3 TFLOP, 167.9 GB moved, arena 22.7 GB (lower bound 22.6 GB, at step 214) */
static void train_step(const NnrMemory *m, const NnrScalars *s)
{
	/* ---- forward */
	nnr_step(1, "resnet.net:17  round_tf32(rgb_affine(cast(image)))  [256,224,224,3]  77.1 MFLOP  192.7 MB");
	uint8_t *const image = (uint8_t *)(m->inputs + 0);                                      // [256,224,224,3]  38.5 MB
	float *const rgb_affine = (float *)(m->arena + 18702401536);                            // [256,224,224,3]  154.1 MB  steps 1-372
	normalize_38535168(image, rgb_affine);
	nnr_step(2, "residual.net:7  conv(rgb_affine, conv_bn_conv_weight)  [256,112,112,64]  60.4 GFLOP  976.3 MB");
	float *const conv_bn_conv_weight = (float *)(m->params + 0);                            // [64,7,7,3]  37.6 kB
	float *const conv = (float *)(m->arena + 0);                                            // [256,112,112,64]  822.1 MB  steps 2-372
	conv_256x112x112x64(rgb_affine, conv_bn_conv_weight, conv);
	nnr_step(3, "residual.net:9  batchnorm_statistics of conv_bn  [1,1,1,64]  822.1 MFLOP  822.1 MB");
	float *const conv_bn_batchnorm_running_mean = (float *)(m->state + 0);                  // [64]  256 B
	float *const conv_bn_batchnorm_running_var = (float *)(m->state + 256);                 // [64]  256 B
	float *const conv_bn_batchnorm_weight = (float *)(m->params + 102011648);               // [64]  256 B
	float *const add = (float *)(m->arena + 22658216128);                                   // [1,1,1,64]  256 B  steps 3-369
	float *const rsqrt_ = (float *)(m->arena + 22658216384);                                // [1,1,1,64]  256 B  steps 3-367
	float *const mul = (float *)(m->arena + 22658216640);                                   // [1,1,1,64]  256 B  steps 3-369
	float *const partial = (float *)(m->arena + 822083584);                                 // [67584]  270.3 kB  steps 3-3
	batchnorm_statistics(&batchnorm_statistics_3211264x64_kernel, conv, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, add, rsqrt_, mul, partial);
	nnr_step(4, "residual.net:9 resnet.net:18  maxpool_batchnorm  [256,56,56,64]  3.2 GFLOP  1.3 GB");
	float *const conv_bn_batchnorm_bias = (float *)(m->params + 102011904);                 // [64]  256 B
	float *const x_top = (float *)(m->arena + 13564379136);                                 // [256,56,56,64]  205.5 MB  steps 4-367
	float *const x = (float *)(m->arena + 13769900032);                                     // [256,56,56,64]  205.5 MB  steps 4-372
	uint8_t *const x_place = (uint8_t *)(m->arena + 21219500224);                           // [256,56,56,64]  51.4 MB  steps 4-369
	maxpool_batchnorm_256x56x56x64(conv, add, mul, conv_bn_batchnorm_bias, x_top, x, x_place);
	nnr_step(5, "residual.net:7  conv(x, bottleneck_conv_bn_conv_weight)  [256,56,56,64]  6.6 GFLOP  411.1 MB");
	float *const bottleneck_conv_bn_conv_weight = (float *)(m->params + 37632);             // [64,1,1,64]  16.4 kB
	float *const conv_2 = (float *)(m->arena + 13975420928);                                // [256,56,56,64]  205.5 MB  steps 5-372
	conv_any_size(&conv_256x56x56x64_shape, &conv_256x56x56x64_plan, x, bottleneck_conv_bn_conv_weight, conv_2);
	nnr_step(6, "residual.net:9  batchnorm_statistics of bottleneck.conv_bn  [1,1,1,64]  205.5 MFLOP  205.5 MB");
	float *const bottleneck_conv_bn_batchnorm_running_mean = (float *)(m->state + 512);     // [64]  256 B
	float *const bottleneck_conv_bn_batchnorm_running_var = (float *)(m->state + 768);      // [64]  256 B
	float *const bottleneck_conv_bn_batchnorm_weight = (float *)(m->params + 102012160);    // [64]  256 B
	float *const add_2 = (float *)(m->arena + 22658216896);                                 // [1,1,1,64]  256 B  steps 6-364
	float *const rsqrt_2 = (float *)(m->arena + 22658217152);                               // [1,1,1,64]  256 B  steps 6-363
	float *const mul_2 = (float *)(m->arena + 22658217408);                                 // [1,1,1,64]  256 B  steps 6-364
	float *const partial_2 = (float *)(m->arena + 822083584);                               // [67584]  270.3 kB  steps 6-6
	batchnorm_statistics(&batchnorm_statistics_802816x64_kernel, conv_2, bottleneck_conv_bn_batchnorm_running_mean, bottleneck_conv_bn_batchnorm_running_var, bottleneck_conv_bn_batchnorm_weight, add_2, rsqrt_2, mul_2, partial_2);
	nnr_step(7, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck  [256,56,56,64]  205.5 MFLOP  411.0 MB");
	float *const bottleneck_conv_bn_batchnorm_bias = (float *)(m->params + 102012416);      // [64]  256 B
	float *const relu = (float *)(m->arena + 14180941824);                                  // [256,56,56,64]  205.5 MB  steps 7-372
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_802816x64_kernel, conv_2, add_2, mul_2, bottleneck_conv_bn_batchnorm_bias, relu);
	nnr_step(8, "residual.net:7  conv(relu, bottleneck_conv_bn_2_conv_weight)  [256,56,56,64]  59.2 GFLOP  411.2 MB");
	float *const bottleneck_conv_bn_2_conv_weight = (float *)(m->params + 54016);           // [64,3,3,64]  147.5 kB
	float *const conv_3 = (float *)(m->arena + 14386462720);                                // [256,56,56,64]  205.5 MB  steps 8-372
	conv_any_size(&conv_256x56x56x64_2_shape, &conv_256x56x56x64_2_plan, relu, bottleneck_conv_bn_2_conv_weight, conv_3);
	nnr_step(9, "residual.net:9  batchnorm_statistics of bottleneck.conv_bn_2  [1,1,1,64]  205.5 MFLOP  205.5 MB");
	float *const bottleneck_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 1024);  // [64]  256 B
	float *const bottleneck_conv_bn_2_batchnorm_running_var = (float *)(m->state + 1280);   // [64]  256 B
	float *const bottleneck_conv_bn_2_batchnorm_weight = (float *)(m->params + 102012672);  // [64]  256 B
	float *const add_3 = (float *)(m->arena + 22658217664);                                 // [1,1,1,64]  256 B  steps 9-360
	float *const rsqrt_3 = (float *)(m->arena + 22658217920);                               // [1,1,1,64]  256 B  steps 9-359
	float *const mul_3 = (float *)(m->arena + 22658218176);                                 // [1,1,1,64]  256 B  steps 9-360
	float *const partial_3 = (float *)(m->arena + 822083584);                               // [67584]  270.3 kB  steps 9-9
	batchnorm_statistics(&batchnorm_statistics_802816x64_kernel, conv_3, bottleneck_conv_bn_2_batchnorm_running_mean, bottleneck_conv_bn_2_batchnorm_running_var, bottleneck_conv_bn_2_batchnorm_weight, add_3, rsqrt_3, mul_3, partial_3);
	nnr_step(10, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck  [256,56,56,64]  205.5 MFLOP  411.0 MB");
	float *const bottleneck_conv_bn_2_batchnorm_bias = (float *)(m->params + 102012928);    // [64]  256 B
	float *const relu_2 = (float *)(m->arena + 14591983616);                                // [256,56,56,64]  205.5 MB  steps 10-372
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_802816x64_kernel, conv_3, add_3, mul_3, bottleneck_conv_bn_2_batchnorm_bias, relu_2);
	nnr_step(11, "residual.net:7  conv(relu_2, bottleneck_conv_bn_3_conv_weight)  [256,56,56,256]  26.3 GFLOP  1.0 GB");
	float *const bottleneck_conv_bn_3_conv_weight = (float *)(m->params + 201472);          // [256,1,1,64]  65.5 kB
	float *const conv_4 = (float *)(m->arena + 822083584);                                  // [256,56,56,256]  822.1 MB  steps 11-356
	conv_any_size(&conv_256x56x56x256_shape, &conv_256x56x56x256_plan, relu_2, bottleneck_conv_bn_3_conv_weight, conv_4);
	nnr_step(12, "residual.net:9  batchnorm_statistics of bottleneck.conv_bn_3  [1,1,1,256]  822.1 MFLOP  822.1 MB");
	float *const bottleneck_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 1536);  // [256]  1.0 kB
	float *const bottleneck_conv_bn_3_batchnorm_running_var = (float *)(m->state + 2560);   // [256]  1.0 kB
	float *const bottleneck_conv_bn_3_batchnorm_weight = (float *)(m->params + 102013184);  // [256]  1.0 kB
	float *const add_4 = (float *)(m->arena + 22658185408);                                 // [1,1,1,256]  1.0 kB  steps 12-356
	float *const rsqrt_4 = (float *)(m->arena + 22658186432);                               // [1,1,1,256]  1.0 kB  steps 12-352
	float *const mul_4 = (float *)(m->arena + 22658187456);                                 // [1,1,1,256]  1.0 kB  steps 12-356
	float *const partial_4 = (float *)(m->arena + 1644167168);                              // [135168]  540.7 kB  steps 12-12
	batchnorm_statistics(&batchnorm_statistics_802816x256_kernel, conv_4, bottleneck_conv_bn_3_batchnorm_running_mean, bottleneck_conv_bn_3_batchnorm_running_var, bottleneck_conv_bn_3_batchnorm_weight, add_4, rsqrt_4, mul_4, partial_4);
	nnr_step(13, "residual.net:7  conv(x, bottleneck_conv_bn_4_conv_weight)  [256,56,56,256]  26.3 GFLOP  1.0 GB");
	float *const bottleneck_conv_bn_4_conv_weight = (float *)(m->params + 267008);          // [256,1,1,64]  65.5 kB
	float *const conv_5 = (float *)(m->arena + 1644167168);                                 // [256,56,56,256]  822.1 MB  steps 13-372
	conv_any_size(&conv_256x56x56x256_shape, &conv_256x56x56x256_plan, x, bottleneck_conv_bn_4_conv_weight, conv_5);
	nnr_step(14, "residual.net:9  batchnorm_statistics of bottleneck.conv_bn_4  [1,1,1,256]  822.1 MFLOP  822.1 MB");
	float *const bottleneck_conv_bn_4_batchnorm_running_mean = (float *)(m->state + 3584);  // [256]  1.0 kB
	float *const bottleneck_conv_bn_4_batchnorm_running_var = (float *)(m->state + 4608);   // [256]  1.0 kB
	float *const bottleneck_conv_bn_4_batchnorm_weight = (float *)(m->params + 102015232);  // [256]  1.0 kB
	float *const add_5 = (float *)(m->arena + 22658188480);                                 // [1,1,1,256]  1.0 kB  steps 14-353
	float *const rsqrt_5 = (float *)(m->arena + 22658189504);                               // [1,1,1,256]  1.0 kB  steps 14-352
	float *const mul_5 = (float *)(m->arena + 22658190528);                                 // [1,1,1,256]  1.0 kB  steps 14-353
	float *const partial_5 = (float *)(m->arena + 2466250752);                              // [135168]  540.7 kB  steps 14-14
	batchnorm_statistics(&batchnorm_statistics_802816x256_kernel, conv_5, bottleneck_conv_bn_4_batchnorm_running_mean, bottleneck_conv_bn_4_batchnorm_running_var, bottleneck_conv_bn_4_batchnorm_weight, add_5, rsqrt_5, mul_5, partial_5);
	nnr_step(15, "residual.net:9,28  batchnorm_add_relu of bottleneck  [256,56,56,256]  1.6 GFLOP  2.5 GB");
	float *const bottleneck_conv_bn_3_batchnorm_bias = (float *)(m->params + 102014208);    // [256]  1.0 kB
	float *const bottleneck_conv_bn_4_batchnorm_bias = (float *)(m->params + 102016256);    // [256]  1.0 kB
	float *const x_2 = (float *)(m->arena + 2466250752);                                    // [256,56,56,256]  822.1 MB  steps 15-372
	batchnorm_add_relu(&batchnorm_add_relu_802816x256_kernel, conv_4, add_4, mul_4, bottleneck_conv_bn_3_batchnorm_bias, conv_5, add_5, mul_5, bottleneck_conv_bn_4_batchnorm_bias, x_2);
	nnr_step(16, "residual.net:7  conv(x_2, bottleneck_2_conv_bn_conv_weight)  [256,56,56,64]  26.3 GFLOP  1.0 GB");
	float *const bottleneck_2_conv_bn_conv_weight = (float *)(m->params + 332544);          // [64,1,1,256]  65.5 kB
	float *const conv_6 = (float *)(m->arena + 14797504512);                                // [256,56,56,64]  205.5 MB  steps 16-372
	conv_any_size(&conv_256x56x56x64_3_shape, &conv_256x56x56x64_3_plan, x_2, bottleneck_2_conv_bn_conv_weight, conv_6);
	nnr_step(17, "residual.net:9  batchnorm_statistics of bottleneck_2.conv_bn  [1,1,1,64]  205.5 MFLOP  205.5 MB");
	float *const bottleneck_2_conv_bn_batchnorm_running_mean = (float *)(m->state + 5632);  // [64]  256 B
	float *const bottleneck_2_conv_bn_batchnorm_running_var = (float *)(m->state + 5888);   // [64]  256 B
	float *const bottleneck_2_conv_bn_batchnorm_weight = (float *)(m->params + 102017280);  // [64]  256 B
	float *const add_6 = (float *)(m->arena + 22658218432);                                 // [1,1,1,64]  256 B  steps 17-349
	float *const rsqrt_6 = (float *)(m->arena + 22658218688);                               // [1,1,1,64]  256 B  steps 17-348
	float *const mul_6 = (float *)(m->arena + 22658218944);                                 // [1,1,1,64]  256 B  steps 17-349
	float *const partial_6 = (float *)(m->arena + 3288334336);                              // [67584]  270.3 kB  steps 17-17
	batchnorm_statistics(&batchnorm_statistics_802816x64_kernel, conv_6, bottleneck_2_conv_bn_batchnorm_running_mean, bottleneck_2_conv_bn_batchnorm_running_var, bottleneck_2_conv_bn_batchnorm_weight, add_6, rsqrt_6, mul_6, partial_6);
	nnr_step(18, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck_2  [256,56,56,64]  205.5 MFLOP  411.0 MB");
	float *const bottleneck_2_conv_bn_batchnorm_bias = (float *)(m->params + 102017536);    // [64]  256 B
	float *const relu_3 = (float *)(m->arena + 15003025408);                                // [256,56,56,64]  205.5 MB  steps 18-372
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_802816x64_kernel, conv_6, add_6, mul_6, bottleneck_2_conv_bn_batchnorm_bias, relu_3);
	nnr_step(19, "residual.net:7  conv(relu_3, bottleneck_2_conv_bn_2_conv_weight)  [256,56,56,64]  59.2 GFLOP  411.2 MB");
	float *const bottleneck_2_conv_bn_2_conv_weight = (float *)(m->params + 398080);        // [64,3,3,64]  147.5 kB
	float *const conv_7 = (float *)(m->arena + 15208546304);                                // [256,56,56,64]  205.5 MB  steps 19-372
	conv_any_size(&conv_256x56x56x64_2_shape, &conv_256x56x56x64_2_plan, relu_3, bottleneck_2_conv_bn_2_conv_weight, conv_7);
	nnr_step(20, "residual.net:9  batchnorm_statistics of bottleneck_2.conv_bn_2  [1,1,1,64]  205.5 MFLOP  205.5 MB");
	float *const bottleneck_2_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 6144); // [64]  256 B
	float *const bottleneck_2_conv_bn_2_batchnorm_running_var = (float *)(m->state + 6400); // [64]  256 B
	float *const bottleneck_2_conv_bn_2_batchnorm_weight = (float *)(m->params + 102017792); // [64]  256 B
	float *const add_7 = (float *)(m->arena + 22658219200);                                 // [1,1,1,64]  256 B  steps 20-345
	float *const rsqrt_7 = (float *)(m->arena + 22658219456);                               // [1,1,1,64]  256 B  steps 20-344
	float *const mul_7 = (float *)(m->arena + 22658219712);                                 // [1,1,1,64]  256 B  steps 20-345
	float *const partial_7 = (float *)(m->arena + 3288334336);                              // [67584]  270.3 kB  steps 20-20
	batchnorm_statistics(&batchnorm_statistics_802816x64_kernel, conv_7, bottleneck_2_conv_bn_2_batchnorm_running_mean, bottleneck_2_conv_bn_2_batchnorm_running_var, bottleneck_2_conv_bn_2_batchnorm_weight, add_7, rsqrt_7, mul_7, partial_7);
	nnr_step(21, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck_2  [256,56,56,64]  205.5 MFLOP  411.0 MB");
	float *const bottleneck_2_conv_bn_2_batchnorm_bias = (float *)(m->params + 102018048);  // [64]  256 B
	float *const relu_4 = (float *)(m->arena + 15414067200);                                // [256,56,56,64]  205.5 MB  steps 21-372
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_802816x64_kernel, conv_7, add_7, mul_7, bottleneck_2_conv_bn_2_batchnorm_bias, relu_4);
	nnr_step(22, "residual.net:7  conv(relu_4, bottleneck_2_conv_bn_3_conv_weight)  [256,56,56,256]  26.3 GFLOP  1.0 GB");
	float *const bottleneck_2_conv_bn_3_conv_weight = (float *)(m->params + 545536);        // [256,1,1,64]  65.5 kB
	float *const conv_8 = (float *)(m->arena + 3288334336);                                 // [256,56,56,256]  822.1 MB  steps 22-372
	conv_any_size(&conv_256x56x56x256_shape, &conv_256x56x56x256_plan, relu_4, bottleneck_2_conv_bn_3_conv_weight, conv_8);
	nnr_step(23, "residual.net:9  batchnorm_statistics of bottleneck_2.conv_bn_3  [1,1,1,256]  822.1 MFLOP  822.1 MB");
	float *const bottleneck_2_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 6656); // [256]  1.0 kB
	float *const bottleneck_2_conv_bn_3_batchnorm_running_var = (float *)(m->state + 7680); // [256]  1.0 kB
	float *const bottleneck_2_conv_bn_3_batchnorm_weight = (float *)(m->params + 102018304); // [256]  1.0 kB
	float *const add_8 = (float *)(m->arena + 22658191552);                                 // [1,1,1,256]  1.0 kB  steps 23-341
	float *const rsqrt_8 = (float *)(m->arena + 22658192576);                               // [1,1,1,256]  1.0 kB  steps 23-340
	float *const mul_8 = (float *)(m->arena + 22658193600);                                 // [1,1,1,256]  1.0 kB  steps 23-341
	float *const partial_8 = (float *)(m->arena + 4110417920);                              // [135168]  540.7 kB  steps 23-23
	batchnorm_statistics(&batchnorm_statistics_802816x256_kernel, conv_8, bottleneck_2_conv_bn_3_batchnorm_running_mean, bottleneck_2_conv_bn_3_batchnorm_running_var, bottleneck_2_conv_bn_3_batchnorm_weight, add_8, rsqrt_8, mul_8, partial_8);
	nnr_step(24, "residual.net:9,28  batchnorm_add_relu_backward of bottleneck_2  [256,56,56,256]  1.2 GFLOP  2.7 GB");
	float *const bottleneck_2_conv_bn_3_batchnorm_bias = (float *)(m->params + 102019328);  // [256]  1.0 kB
	float *const x_3 = (float *)(m->arena + 4110417920);                                    // [256,56,56,256]  822.1 MB  steps 24-372
	uint8_t *const positive = (uint8_t *)(m->arena + 15619588096);                          // [256,56,56,256]  205.5 MB  steps 24-340
	batchnorm_add_relu_backward(&batchnorm_add_relu_backward_802816x256_kernel, conv_8, add_8, mul_8, bottleneck_2_conv_bn_3_batchnorm_bias, x_2, x_3, positive);
	nnr_step(25, "residual.net:7  conv(x_3, bottleneck_3_conv_bn_conv_weight)  [256,56,56,64]  26.3 GFLOP  1.0 GB");
	float *const bottleneck_3_conv_bn_conv_weight = (float *)(m->params + 611072);          // [64,1,1,256]  65.5 kB
	float *const conv_9 = (float *)(m->arena + 15825108992);                                // [256,56,56,64]  205.5 MB  steps 25-372
	conv_any_size(&conv_256x56x56x64_3_shape, &conv_256x56x56x64_3_plan, x_3, bottleneck_3_conv_bn_conv_weight, conv_9);
	nnr_step(26, "residual.net:9  batchnorm_statistics of bottleneck_3.conv_bn  [1,1,1,64]  205.5 MFLOP  205.5 MB");
	float *const bottleneck_3_conv_bn_batchnorm_running_mean = (float *)(m->state + 8704);  // [64]  256 B
	float *const bottleneck_3_conv_bn_batchnorm_running_var = (float *)(m->state + 8960);   // [64]  256 B
	float *const bottleneck_3_conv_bn_batchnorm_weight = (float *)(m->params + 102020352);  // [64]  256 B
	float *const add_9 = (float *)(m->arena + 22658219968);                                 // [1,1,1,64]  256 B  steps 26-337
	float *const rsqrt_9 = (float *)(m->arena + 22658220224);                               // [1,1,1,64]  256 B  steps 26-336
	float *const mul_9 = (float *)(m->arena + 22658220480);                                 // [1,1,1,64]  256 B  steps 26-337
	float *const partial_9 = (float *)(m->arena + 4932501504);                              // [67584]  270.3 kB  steps 26-26
	batchnorm_statistics(&batchnorm_statistics_802816x64_kernel, conv_9, bottleneck_3_conv_bn_batchnorm_running_mean, bottleneck_3_conv_bn_batchnorm_running_var, bottleneck_3_conv_bn_batchnorm_weight, add_9, rsqrt_9, mul_9, partial_9);
	nnr_step(27, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck_3  [256,56,56,64]  205.5 MFLOP  411.0 MB");
	float *const bottleneck_3_conv_bn_batchnorm_bias = (float *)(m->params + 102020608);    // [64]  256 B
	float *const relu_5 = (float *)(m->arena + 16030629888);                                // [256,56,56,64]  205.5 MB  steps 27-372
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_802816x64_kernel, conv_9, add_9, mul_9, bottleneck_3_conv_bn_batchnorm_bias, relu_5);
	nnr_step(28, "residual.net:7  conv(relu_5, bottleneck_3_conv_bn_2_conv_weight)  [256,56,56,64]  59.2 GFLOP  411.2 MB");
	float *const bottleneck_3_conv_bn_2_conv_weight = (float *)(m->params + 676608);        // [64,3,3,64]  147.5 kB
	float *const conv_10 = (float *)(m->arena + 16236150784);                               // [256,56,56,64]  205.5 MB  steps 28-372
	conv_any_size(&conv_256x56x56x64_2_shape, &conv_256x56x56x64_2_plan, relu_5, bottleneck_3_conv_bn_2_conv_weight, conv_10);
	nnr_step(29, "residual.net:9  batchnorm_statistics of bottleneck_3.conv_bn_2  [1,1,1,64]  205.5 MFLOP  205.5 MB");
	float *const bottleneck_3_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 9216); // [64]  256 B
	float *const bottleneck_3_conv_bn_2_batchnorm_running_var = (float *)(m->state + 9472); // [64]  256 B
	float *const bottleneck_3_conv_bn_2_batchnorm_weight = (float *)(m->params + 102020864); // [64]  256 B
	float *const add_10 = (float *)(m->arena + 22658220736);                                // [1,1,1,64]  256 B  steps 29-333
	float *const rsqrt_10 = (float *)(m->arena + 22658220992);                              // [1,1,1,64]  256 B  steps 29-332
	float *const mul_10 = (float *)(m->arena + 22658221248);                                // [1,1,1,64]  256 B  steps 29-333
	float *const partial_10 = (float *)(m->arena + 4932501504);                             // [67584]  270.3 kB  steps 29-29
	batchnorm_statistics(&batchnorm_statistics_802816x64_kernel, conv_10, bottleneck_3_conv_bn_2_batchnorm_running_mean, bottleneck_3_conv_bn_2_batchnorm_running_var, bottleneck_3_conv_bn_2_batchnorm_weight, add_10, rsqrt_10, mul_10, partial_10);
	nnr_step(30, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck_3  [256,56,56,64]  205.5 MFLOP  411.0 MB");
	float *const bottleneck_3_conv_bn_2_batchnorm_bias = (float *)(m->params + 102021120);  // [64]  256 B
	float *const relu_6 = (float *)(m->arena + 16441671680);                                // [256,56,56,64]  205.5 MB  steps 30-372
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_802816x64_kernel, conv_10, add_10, mul_10, bottleneck_3_conv_bn_2_batchnorm_bias, relu_6);
	nnr_step(31, "residual.net:7  conv(relu_6, bottleneck_3_conv_bn_3_conv_weight)  [256,56,56,256]  26.3 GFLOP  1.0 GB");
	float *const bottleneck_3_conv_bn_3_conv_weight = (float *)(m->params + 824064);        // [256,1,1,64]  65.5 kB
	float *const conv_11 = (float *)(m->arena + 4932501504);                                // [256,56,56,256]  822.1 MB  steps 31-372
	conv_any_size(&conv_256x56x56x256_shape, &conv_256x56x56x256_plan, relu_6, bottleneck_3_conv_bn_3_conv_weight, conv_11);
	nnr_step(32, "residual.net:9  batchnorm_statistics of bottleneck_3.conv_bn_3  [1,1,1,256]  822.1 MFLOP  822.1 MB");
	float *const bottleneck_3_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 9728); // [256]  1.0 kB
	float *const bottleneck_3_conv_bn_3_batchnorm_running_var = (float *)(m->state + 10752); // [256]  1.0 kB
	float *const bottleneck_3_conv_bn_3_batchnorm_weight = (float *)(m->params + 102021376); // [256]  1.0 kB
	float *const add_11 = (float *)(m->arena + 22658194624);                                // [1,1,1,256]  1.0 kB  steps 32-329
	float *const rsqrt_11 = (float *)(m->arena + 22658195648);                              // [1,1,1,256]  1.0 kB  steps 32-328
	float *const mul_11 = (float *)(m->arena + 22658196672);                                // [1,1,1,256]  1.0 kB  steps 32-329
	float *const partial_11 = (float *)(m->arena + 5754585088);                             // [135168]  540.7 kB  steps 32-32
	batchnorm_statistics(&batchnorm_statistics_802816x256_kernel, conv_11, bottleneck_3_conv_bn_3_batchnorm_running_mean, bottleneck_3_conv_bn_3_batchnorm_running_var, bottleneck_3_conv_bn_3_batchnorm_weight, add_11, rsqrt_11, mul_11, partial_11);
	nnr_step(33, "residual.net:9,28  batchnorm_add_relu_backward_round_tf32 of bottleneck_3  [256,56,56,256]  1.2 GFLOP  2.7 GB");
	float *const bottleneck_3_conv_bn_3_batchnorm_bias = (float *)(m->params + 102022400);  // [256]  1.0 kB
	float *const x_4 = (float *)(m->arena + 5754585088);                                    // [256,56,56,256]  822.1 MB  steps 33-372
	uint8_t *const positive_2 = (uint8_t *)(m->arena + 8220835840);                         // [256,56,56,256]  205.5 MB  steps 33-328
	batchnorm_add_relu_backward_round_tf32(&batchnorm_add_relu_backward_round_tf32_802816x256_kernel, conv_11, add_11, mul_11, bottleneck_3_conv_bn_3_batchnorm_bias, x_3, x_4, positive_2);
	nnr_step(34, "residual.net:7  conv(x_4, bottleneck_4_conv_bn_conv_weight)  [256,56,56,128]  52.6 GFLOP  1.2 GB");
	float *const bottleneck_4_conv_bn_conv_weight = (float *)(m->params + 889600);          // [128,1,1,256]  131.1 kB
	float *const conv_12 = (float *)(m->arena + 9042919424);                                // [256,56,56,128]  411.0 MB  steps 34-372
	conv_any_size(&conv_256x56x56x128_shape, &conv_256x56x56x128_plan, x_4, bottleneck_4_conv_bn_conv_weight, conv_12);
	nnr_step(35, "residual.net:9  batchnorm_statistics of bottleneck_4.conv_bn  [1,1,1,128]  411.0 MFLOP  411.0 MB");
	float *const bottleneck_4_conv_bn_batchnorm_running_mean = (float *)(m->state + 11776); // [128]  512 B
	float *const bottleneck_4_conv_bn_batchnorm_running_var = (float *)(m->state + 12288);  // [128]  512 B
	float *const bottleneck_4_conv_bn_batchnorm_weight = (float *)(m->params + 102023424);  // [128]  512 B
	float *const add_12 = (float *)(m->arena + 22658203840);                                // [1,1,1,128]  512 B  steps 35-325
	float *const rsqrt_12 = (float *)(m->arena + 22658204352);                              // [1,1,1,128]  512 B  steps 35-324
	float *const mul_12 = (float *)(m->arena + 22658204864);                                // [1,1,1,128]  512 B  steps 35-325
	float *const partial_12 = (float *)(m->arena + 6576668672);                             // [135168]  540.7 kB  steps 35-35
	batchnorm_statistics(&batchnorm_statistics_802816x128_kernel, conv_12, bottleneck_4_conv_bn_batchnorm_running_mean, bottleneck_4_conv_bn_batchnorm_running_var, bottleneck_4_conv_bn_batchnorm_weight, add_12, rsqrt_12, mul_12, partial_12);
	nnr_step(36, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck_4  [256,56,56,128]  411.0 MFLOP  822.1 MB");
	float *const bottleneck_4_conv_bn_batchnorm_bias = (float *)(m->params + 102023936);    // [128]  512 B
	float *const relu_7 = (float *)(m->arena + 9453961216);                                 // [256,56,56,128]  411.0 MB  steps 36-372
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_802816x128_kernel, conv_12, add_12, mul_12, bottleneck_4_conv_bn_batchnorm_bias, relu_7);
	nnr_step(37, "residual.net:7  conv(relu_7, bottleneck_4_conv_bn_2_conv_weight)  [256,28,28,128]  59.2 GFLOP  514.4 MB");
	float *const bottleneck_4_conv_bn_2_conv_weight = (float *)(m->params + 1020672);       // [128,3,3,128]  589.8 kB
	float *const conv_13 = (float *)(m->arena + 18856542208);                               // [256,28,28,128]  102.8 MB  steps 37-372
	conv_any_size(&conv_256x28x28x128_shape, &conv_256x28x28x128_plan, relu_7, bottleneck_4_conv_bn_2_conv_weight, conv_13);
	nnr_step(38, "residual.net:9  batchnorm_statistics of bottleneck_4.conv_bn_2  [1,1,1,128]  102.8 MFLOP  102.8 MB");
	float *const bottleneck_4_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 12800); // [128]  512 B
	float *const bottleneck_4_conv_bn_2_batchnorm_running_var = (float *)(m->state + 13312); // [128]  512 B
	float *const bottleneck_4_conv_bn_2_batchnorm_weight = (float *)(m->params + 102024448); // [128]  512 B
	float *const add_13 = (float *)(m->arena + 22658205376);                                // [1,1,1,128]  512 B  steps 38-321
	float *const rsqrt_13 = (float *)(m->arena + 22658205888);                              // [1,1,1,128]  512 B  steps 38-320
	float *const mul_13 = (float *)(m->arena + 22658206400);                                // [1,1,1,128]  512 B  steps 38-321
	float *const partial_13 = (float *)(m->arena + 6576668672);                             // [135168]  540.7 kB  steps 38-38
	batchnorm_statistics(&batchnorm_statistics_200704x128_kernel, conv_13, bottleneck_4_conv_bn_2_batchnorm_running_mean, bottleneck_4_conv_bn_2_batchnorm_running_var, bottleneck_4_conv_bn_2_batchnorm_weight, add_13, rsqrt_13, mul_13, partial_13);
	nnr_step(39, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck_4  [256,28,28,128]  102.8 MFLOP  205.5 MB");
	float *const bottleneck_4_conv_bn_2_batchnorm_bias = (float *)(m->params + 102024960);  // [128]  512 B
	float *const relu_8 = (float *)(m->arena + 18959302656);                                // [256,28,28,128]  102.8 MB  steps 39-372
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_200704x128_kernel, conv_13, add_13, mul_13, bottleneck_4_conv_bn_2_batchnorm_bias, relu_8);
	nnr_step(40, "residual.net:7  conv(relu_8, bottleneck_4_conv_bn_3_conv_weight)  [256,28,28,512]  26.3 GFLOP  514.1 MB");
	float *const bottleneck_4_conv_bn_3_conv_weight = (float *)(m->params + 1610496);       // [512,1,1,128]  262.1 kB
	float *const conv_14 = (float *)(m->arena + 6576668672);                                // [256,28,28,512]  411.0 MB  steps 40-317
	conv_any_size(&conv_256x28x28x512_shape, &conv_256x28x28x512_plan, relu_8, bottleneck_4_conv_bn_3_conv_weight, conv_14);
	nnr_step(41, "residual.net:9  batchnorm_statistics of bottleneck_4.conv_bn_3  [1,1,1,512]  411.1 MFLOP  411.1 MB");
	float *const bottleneck_4_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 13824); // [512]  2.0 kB
	float *const bottleneck_4_conv_bn_3_batchnorm_running_var = (float *)(m->state + 15872); // [512]  2.0 kB
	float *const bottleneck_4_conv_bn_3_batchnorm_weight = (float *)(m->params + 102025472); // [512]  2.0 kB
	float *const add_14 = (float *)(m->arena + 22658154688);                                // [1,1,1,512]  2.0 kB  steps 41-317
	float *const rsqrt_14 = (float *)(m->arena + 22658156736);                              // [1,1,1,512]  2.0 kB  steps 41-313
	float *const mul_14 = (float *)(m->arena + 22658158784);                                // [1,1,1,512]  2.0 kB  steps 41-317
	float *const partial_14 = (float *)(m->arena + 6987710464);                             // [135168]  540.7 kB  steps 41-41
	batchnorm_statistics(&batchnorm_statistics_200704x512_kernel, conv_14, bottleneck_4_conv_bn_3_batchnorm_running_mean, bottleneck_4_conv_bn_3_batchnorm_running_var, bottleneck_4_conv_bn_3_batchnorm_weight, add_14, rsqrt_14, mul_14, partial_14);
	nnr_step(42, "residual.net:7  conv(x_4, bottleneck_4_conv_bn_4_conv_weight)  [256,28,28,512]  52.6 GFLOP  1.2 GB");
	float *const bottleneck_4_conv_bn_4_conv_weight = (float *)(m->params + 1872640);       // [512,1,1,256]  524.3 kB
	float *const conv_15 = (float *)(m->arena + 9865003008);                                // [256,28,28,512]  411.0 MB  steps 42-372
	conv_any_size(&conv_256x28x28x512_2_shape, &conv_256x28x28x512_2_plan, x_4, bottleneck_4_conv_bn_4_conv_weight, conv_15);
	nnr_step(43, "residual.net:9  batchnorm_statistics of bottleneck_4.conv_bn_4  [1,1,1,512]  411.1 MFLOP  411.1 MB");
	float *const bottleneck_4_conv_bn_4_batchnorm_running_mean = (float *)(m->state + 17920); // [512]  2.0 kB
	float *const bottleneck_4_conv_bn_4_batchnorm_running_var = (float *)(m->state + 19968); // [512]  2.0 kB
	float *const bottleneck_4_conv_bn_4_batchnorm_weight = (float *)(m->params + 102029568); // [512]  2.0 kB
	float *const add_15 = (float *)(m->arena + 22658160832);                                // [1,1,1,512]  2.0 kB  steps 43-314
	float *const rsqrt_15 = (float *)(m->arena + 22658162880);                              // [1,1,1,512]  2.0 kB  steps 43-313
	float *const mul_15 = (float *)(m->arena + 22658164928);                                // [1,1,1,512]  2.0 kB  steps 43-314
	float *const partial_15 = (float *)(m->arena + 6987710464);                             // [135168]  540.7 kB  steps 43-43
	batchnorm_statistics(&batchnorm_statistics_200704x512_kernel, conv_15, bottleneck_4_conv_bn_4_batchnorm_running_mean, bottleneck_4_conv_bn_4_batchnorm_running_var, bottleneck_4_conv_bn_4_batchnorm_weight, add_15, rsqrt_15, mul_15, partial_15);
	nnr_step(44, "residual.net:9,28  batchnorm_add_relu of bottleneck_4  [256,28,28,512]  822.1 MFLOP  1.2 GB");
	float *const bottleneck_4_conv_bn_3_batchnorm_bias = (float *)(m->params + 102027520);  // [512]  2.0 kB
	float *const bottleneck_4_conv_bn_4_batchnorm_bias = (float *)(m->params + 102031616);  // [512]  2.0 kB
	float *const x_5 = (float *)(m->arena + 10276044800);                                   // [256,28,28,512]  411.0 MB  steps 44-372
	batchnorm_add_relu(&batchnorm_add_relu_200704x512_kernel, conv_14, add_14, mul_14, bottleneck_4_conv_bn_3_batchnorm_bias, conv_15, add_15, mul_15, bottleneck_4_conv_bn_4_batchnorm_bias, x_5);
	nnr_step(45, "residual.net:7  conv(x_5, bottleneck_5_conv_bn_conv_weight)  [256,28,28,128]  26.3 GFLOP  514.1 MB");
	float *const bottleneck_5_conv_bn_conv_weight = (float *)(m->params + 2396928);         // [128,1,1,512]  262.1 kB
	float *const conv_16 = (float *)(m->arena + 19062063104);                               // [256,28,28,128]  102.8 MB  steps 45-372
	conv_any_size(&conv_256x28x28x128_2_shape, &conv_256x28x28x128_2_plan, x_5, bottleneck_5_conv_bn_conv_weight, conv_16);
	nnr_step(46, "residual.net:9  batchnorm_statistics of bottleneck_5.conv_bn  [1,1,1,128]  102.8 MFLOP  102.8 MB");
	float *const bottleneck_5_conv_bn_batchnorm_running_mean = (float *)(m->state + 22016); // [128]  512 B
	float *const bottleneck_5_conv_bn_batchnorm_running_var = (float *)(m->state + 22528);  // [128]  512 B
	float *const bottleneck_5_conv_bn_batchnorm_weight = (float *)(m->params + 102033664);  // [128]  512 B
	float *const add_16 = (float *)(m->arena + 22658206912);                                // [1,1,1,128]  512 B  steps 46-310
	float *const rsqrt_16 = (float *)(m->arena + 22658207424);                              // [1,1,1,128]  512 B  steps 46-309
	float *const mul_16 = (float *)(m->arena + 22658207936);                                // [1,1,1,128]  512 B  steps 46-310
	float *const partial_16 = (float *)(m->arena + 6987710464);                             // [135168]  540.7 kB  steps 46-46
	batchnorm_statistics(&batchnorm_statistics_200704x128_kernel, conv_16, bottleneck_5_conv_bn_batchnorm_running_mean, bottleneck_5_conv_bn_batchnorm_running_var, bottleneck_5_conv_bn_batchnorm_weight, add_16, rsqrt_16, mul_16, partial_16);
	nnr_step(47, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck_5  [256,28,28,128]  102.8 MFLOP  205.5 MB");
	float *const bottleneck_5_conv_bn_batchnorm_bias = (float *)(m->params + 102034176);    // [128]  512 B
	float *const relu_9 = (float *)(m->arena + 19164823552);                                // [256,28,28,128]  102.8 MB  steps 47-372
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_200704x128_kernel, conv_16, add_16, mul_16, bottleneck_5_conv_bn_batchnorm_bias, relu_9);
	nnr_step(48, "residual.net:7  conv(relu_9, bottleneck_5_conv_bn_2_conv_weight)  [256,28,28,128]  59.2 GFLOP  206.1 MB");
	float *const bottleneck_5_conv_bn_2_conv_weight = (float *)(m->params + 2659072);       // [128,3,3,128]  589.8 kB
	float *const conv_17 = (float *)(m->arena + 19267584000);                               // [256,28,28,128]  102.8 MB  steps 48-372
	conv_any_size(&conv_256x28x28x128_3_shape, &conv_256x28x28x128_3_plan, relu_9, bottleneck_5_conv_bn_2_conv_weight, conv_17);
	nnr_step(49, "residual.net:9  batchnorm_statistics of bottleneck_5.conv_bn_2  [1,1,1,128]  102.8 MFLOP  102.8 MB");
	float *const bottleneck_5_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 23040); // [128]  512 B
	float *const bottleneck_5_conv_bn_2_batchnorm_running_var = (float *)(m->state + 23552); // [128]  512 B
	float *const bottleneck_5_conv_bn_2_batchnorm_weight = (float *)(m->params + 102034688); // [128]  512 B
	float *const add_17 = (float *)(m->arena + 22658208448);                                // [1,1,1,128]  512 B  steps 49-306
	float *const rsqrt_17 = (float *)(m->arena + 22658208960);                              // [1,1,1,128]  512 B  steps 49-305
	float *const mul_17 = (float *)(m->arena + 22658209472);                                // [1,1,1,128]  512 B  steps 49-306
	float *const partial_17 = (float *)(m->arena + 6987710464);                             // [135168]  540.7 kB  steps 49-49
	batchnorm_statistics(&batchnorm_statistics_200704x128_kernel, conv_17, bottleneck_5_conv_bn_2_batchnorm_running_mean, bottleneck_5_conv_bn_2_batchnorm_running_var, bottleneck_5_conv_bn_2_batchnorm_weight, add_17, rsqrt_17, mul_17, partial_17);
	nnr_step(50, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck_5  [256,28,28,128]  102.8 MFLOP  205.5 MB");
	float *const bottleneck_5_conv_bn_2_batchnorm_bias = (float *)(m->params + 102035200);  // [128]  512 B
	float *const relu_10 = (float *)(m->arena + 19370344448);                               // [256,28,28,128]  102.8 MB  steps 50-372
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_200704x128_kernel, conv_17, add_17, mul_17, bottleneck_5_conv_bn_2_batchnorm_bias, relu_10);
	nnr_step(51, "residual.net:7  conv(relu_10, bottleneck_5_conv_bn_3_conv_weight)  [256,28,28,512]  26.3 GFLOP  514.1 MB");
	float *const bottleneck_5_conv_bn_3_conv_weight = (float *)(m->params + 3248896);       // [512,1,1,128]  262.1 kB
	float *const conv_18 = (float *)(m->arena + 10687086592);                               // [256,28,28,512]  411.0 MB  steps 51-372
	conv_any_size(&conv_256x28x28x512_shape, &conv_256x28x28x512_plan, relu_10, bottleneck_5_conv_bn_3_conv_weight, conv_18);
	nnr_step(52, "residual.net:9  batchnorm_statistics of bottleneck_5.conv_bn_3  [1,1,1,512]  411.1 MFLOP  411.1 MB");
	float *const bottleneck_5_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 24064); // [512]  2.0 kB
	float *const bottleneck_5_conv_bn_3_batchnorm_running_var = (float *)(m->state + 26112); // [512]  2.0 kB
	float *const bottleneck_5_conv_bn_3_batchnorm_weight = (float *)(m->params + 102035712); // [512]  2.0 kB
	float *const add_18 = (float *)(m->arena + 22658166976);                                // [1,1,1,512]  2.0 kB  steps 52-302
	float *const rsqrt_18 = (float *)(m->arena + 22658169024);                              // [1,1,1,512]  2.0 kB  steps 52-301
	float *const mul_18 = (float *)(m->arena + 22658171072);                                // [1,1,1,512]  2.0 kB  steps 52-302
	float *const partial_18 = (float *)(m->arena + 6987710464);                             // [135168]  540.7 kB  steps 52-52
	batchnorm_statistics(&batchnorm_statistics_200704x512_kernel, conv_18, bottleneck_5_conv_bn_3_batchnorm_running_mean, bottleneck_5_conv_bn_3_batchnorm_running_var, bottleneck_5_conv_bn_3_batchnorm_weight, add_18, rsqrt_18, mul_18, partial_18);
	nnr_step(53, "residual.net:9,28  batchnorm_add_relu_backward of bottleneck_5  [256,28,28,512]  616.6 MFLOP  1.3 GB");
	float *const bottleneck_5_conv_bn_3_batchnorm_bias = (float *)(m->params + 102037760);  // [512]  2.0 kB
	float *const x_6 = (float *)(m->arena + 11098128384);                                   // [256,28,28,512]  411.0 MB  steps 53-372
	uint8_t *const positive_3 = (uint8_t *)(m->arena + 19473104896);                        // [256,28,28,512]  102.8 MB  steps 53-301
	batchnorm_add_relu_backward(&batchnorm_add_relu_backward_200704x512_kernel, conv_18, add_18, mul_18, bottleneck_5_conv_bn_3_batchnorm_bias, x_5, x_6, positive_3);
	nnr_step(54, "residual.net:7  conv(x_6, bottleneck_6_conv_bn_conv_weight)  [256,28,28,128]  26.3 GFLOP  514.1 MB");
	float *const bottleneck_6_conv_bn_conv_weight = (float *)(m->params + 3511040);         // [128,1,1,512]  262.1 kB
	float *const conv_19 = (float *)(m->arena + 19575865344);                               // [256,28,28,128]  102.8 MB  steps 54-372
	conv_any_size(&conv_256x28x28x128_2_shape, &conv_256x28x28x128_2_plan, x_6, bottleneck_6_conv_bn_conv_weight, conv_19);
	nnr_step(55, "residual.net:9  batchnorm_statistics of bottleneck_6.conv_bn  [1,1,1,128]  102.8 MFLOP  102.8 MB");
	float *const bottleneck_6_conv_bn_batchnorm_running_mean = (float *)(m->state + 28160); // [128]  512 B
	float *const bottleneck_6_conv_bn_batchnorm_running_var = (float *)(m->state + 28672);  // [128]  512 B
	float *const bottleneck_6_conv_bn_batchnorm_weight = (float *)(m->params + 102039808);  // [128]  512 B
	float *const add_19 = (float *)(m->arena + 22658209984);                                // [1,1,1,128]  512 B  steps 55-298
	float *const rsqrt_19 = (float *)(m->arena + 22658210496);                              // [1,1,1,128]  512 B  steps 55-297
	float *const mul_19 = (float *)(m->arena + 22658211008);                                // [1,1,1,128]  512 B  steps 55-298
	float *const partial_19 = (float *)(m->arena + 6987710464);                             // [135168]  540.7 kB  steps 55-55
	batchnorm_statistics(&batchnorm_statistics_200704x128_kernel, conv_19, bottleneck_6_conv_bn_batchnorm_running_mean, bottleneck_6_conv_bn_batchnorm_running_var, bottleneck_6_conv_bn_batchnorm_weight, add_19, rsqrt_19, mul_19, partial_19);
	nnr_step(56, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck_6  [256,28,28,128]  102.8 MFLOP  205.5 MB");
	float *const bottleneck_6_conv_bn_batchnorm_bias = (float *)(m->params + 102040320);    // [128]  512 B
	float *const relu_11 = (float *)(m->arena + 19678625792);                               // [256,28,28,128]  102.8 MB  steps 56-372
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_200704x128_kernel, conv_19, add_19, mul_19, bottleneck_6_conv_bn_batchnorm_bias, relu_11);
	nnr_step(57, "residual.net:7  conv(relu_11, bottleneck_6_conv_bn_2_conv_weight)  [256,28,28,128]  59.2 GFLOP  206.1 MB");
	float *const bottleneck_6_conv_bn_2_conv_weight = (float *)(m->params + 3773184);       // [128,3,3,128]  589.8 kB
	float *const conv_20 = (float *)(m->arena + 19781386240);                               // [256,28,28,128]  102.8 MB  steps 57-372
	conv_any_size(&conv_256x28x28x128_3_shape, &conv_256x28x28x128_3_plan, relu_11, bottleneck_6_conv_bn_2_conv_weight, conv_20);
	nnr_step(58, "residual.net:9  batchnorm_statistics of bottleneck_6.conv_bn_2  [1,1,1,128]  102.8 MFLOP  102.8 MB");
	float *const bottleneck_6_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 29184); // [128]  512 B
	float *const bottleneck_6_conv_bn_2_batchnorm_running_var = (float *)(m->state + 29696); // [128]  512 B
	float *const bottleneck_6_conv_bn_2_batchnorm_weight = (float *)(m->params + 102040832); // [128]  512 B
	float *const add_20 = (float *)(m->arena + 22658211520);                                // [1,1,1,128]  512 B  steps 58-294
	float *const rsqrt_20 = (float *)(m->arena + 22658212032);                              // [1,1,1,128]  512 B  steps 58-293
	float *const mul_20 = (float *)(m->arena + 22658212544);                                // [1,1,1,128]  512 B  steps 58-294
	float *const partial_20 = (float *)(m->arena + 6987710464);                             // [135168]  540.7 kB  steps 58-58
	batchnorm_statistics(&batchnorm_statistics_200704x128_kernel, conv_20, bottleneck_6_conv_bn_2_batchnorm_running_mean, bottleneck_6_conv_bn_2_batchnorm_running_var, bottleneck_6_conv_bn_2_batchnorm_weight, add_20, rsqrt_20, mul_20, partial_20);
	nnr_step(59, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck_6  [256,28,28,128]  102.8 MFLOP  205.5 MB");
	float *const bottleneck_6_conv_bn_2_batchnorm_bias = (float *)(m->params + 102041344);  // [128]  512 B
	float *const relu_12 = (float *)(m->arena + 19884146688);                               // [256,28,28,128]  102.8 MB  steps 59-372
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_200704x128_kernel, conv_20, add_20, mul_20, bottleneck_6_conv_bn_2_batchnorm_bias, relu_12);
	nnr_step(60, "residual.net:7  conv(relu_12, bottleneck_6_conv_bn_3_conv_weight)  [256,28,28,512]  26.3 GFLOP  514.1 MB");
	float *const bottleneck_6_conv_bn_3_conv_weight = (float *)(m->params + 4363008);       // [512,1,1,128]  262.1 kB
	float *const conv_21 = (float *)(m->arena + 11509170176);                               // [256,28,28,512]  411.0 MB  steps 60-372
	conv_any_size(&conv_256x28x28x512_shape, &conv_256x28x28x512_plan, relu_12, bottleneck_6_conv_bn_3_conv_weight, conv_21);
	nnr_step(61, "residual.net:9  batchnorm_statistics of bottleneck_6.conv_bn_3  [1,1,1,512]  411.1 MFLOP  411.1 MB");
	float *const bottleneck_6_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 30208); // [512]  2.0 kB
	float *const bottleneck_6_conv_bn_3_batchnorm_running_var = (float *)(m->state + 32256); // [512]  2.0 kB
	float *const bottleneck_6_conv_bn_3_batchnorm_weight = (float *)(m->params + 102041856); // [512]  2.0 kB
	float *const add_21 = (float *)(m->arena + 22658173120);                                // [1,1,1,512]  2.0 kB  steps 61-290
	float *const rsqrt_21 = (float *)(m->arena + 22658175168);                              // [1,1,1,512]  2.0 kB  steps 61-289
	float *const mul_21 = (float *)(m->arena + 22658177216);                                // [1,1,1,512]  2.0 kB  steps 61-290
	float *const partial_21 = (float *)(m->arena + 6987710464);                             // [135168]  540.7 kB  steps 61-61
	batchnorm_statistics(&batchnorm_statistics_200704x512_kernel, conv_21, bottleneck_6_conv_bn_3_batchnorm_running_mean, bottleneck_6_conv_bn_3_batchnorm_running_var, bottleneck_6_conv_bn_3_batchnorm_weight, add_21, rsqrt_21, mul_21, partial_21);
	nnr_step(62, "residual.net:9,28  batchnorm_add_relu_backward of bottleneck_6  [256,28,28,512]  616.6 MFLOP  1.3 GB");
	float *const bottleneck_6_conv_bn_3_batchnorm_bias = (float *)(m->params + 102043904);  // [512]  2.0 kB
	float *const x_7 = (float *)(m->arena + 11920211968);                                   // [256,28,28,512]  411.0 MB  steps 62-372
	uint8_t *const positive_4 = (uint8_t *)(m->arena + 19986907136);                        // [256,28,28,512]  102.8 MB  steps 62-289
	batchnorm_add_relu_backward(&batchnorm_add_relu_backward_200704x512_kernel, conv_21, add_21, mul_21, bottleneck_6_conv_bn_3_batchnorm_bias, x_6, x_7, positive_4);
	nnr_step(63, "residual.net:7  conv(x_7, bottleneck_7_conv_bn_conv_weight)  [256,28,28,128]  26.3 GFLOP  514.1 MB");
	float *const bottleneck_7_conv_bn_conv_weight = (float *)(m->params + 4625152);         // [128,1,1,512]  262.1 kB
	float *const conv_22 = (float *)(m->arena + 20089667584);                               // [256,28,28,128]  102.8 MB  steps 63-372
	conv_any_size(&conv_256x28x28x128_2_shape, &conv_256x28x28x128_2_plan, x_7, bottleneck_7_conv_bn_conv_weight, conv_22);
	nnr_step(64, "residual.net:9  batchnorm_statistics of bottleneck_7.conv_bn  [1,1,1,128]  102.8 MFLOP  102.8 MB");
	float *const bottleneck_7_conv_bn_batchnorm_running_mean = (float *)(m->state + 34304); // [128]  512 B
	float *const bottleneck_7_conv_bn_batchnorm_running_var = (float *)(m->state + 34816);  // [128]  512 B
	float *const bottleneck_7_conv_bn_batchnorm_weight = (float *)(m->params + 102045952);  // [128]  512 B
	float *const add_22 = (float *)(m->arena + 22658213056);                                // [1,1,1,128]  512 B  steps 64-286
	float *const rsqrt_22 = (float *)(m->arena + 22658213568);                              // [1,1,1,128]  512 B  steps 64-285
	float *const mul_22 = (float *)(m->arena + 22658214080);                                // [1,1,1,128]  512 B  steps 64-286
	float *const partial_22 = (float *)(m->arena + 6987710464);                             // [135168]  540.7 kB  steps 64-64
	batchnorm_statistics(&batchnorm_statistics_200704x128_kernel, conv_22, bottleneck_7_conv_bn_batchnorm_running_mean, bottleneck_7_conv_bn_batchnorm_running_var, bottleneck_7_conv_bn_batchnorm_weight, add_22, rsqrt_22, mul_22, partial_22);
	nnr_step(65, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck_7  [256,28,28,128]  102.8 MFLOP  205.5 MB");
	float *const bottleneck_7_conv_bn_batchnorm_bias = (float *)(m->params + 102046464);    // [128]  512 B
	float *const relu_13 = (float *)(m->arena + 20192428032);                               // [256,28,28,128]  102.8 MB  steps 65-372
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_200704x128_kernel, conv_22, add_22, mul_22, bottleneck_7_conv_bn_batchnorm_bias, relu_13);
	nnr_step(66, "residual.net:7  conv(relu_13, bottleneck_7_conv_bn_2_conv_weight)  [256,28,28,128]  59.2 GFLOP  206.1 MB");
	float *const bottleneck_7_conv_bn_2_conv_weight = (float *)(m->params + 4887296);       // [128,3,3,128]  589.8 kB
	float *const conv_23 = (float *)(m->arena + 20295188480);                               // [256,28,28,128]  102.8 MB  steps 66-372
	conv_any_size(&conv_256x28x28x128_3_shape, &conv_256x28x28x128_3_plan, relu_13, bottleneck_7_conv_bn_2_conv_weight, conv_23);
	nnr_step(67, "residual.net:9  batchnorm_statistics of bottleneck_7.conv_bn_2  [1,1,1,128]  102.8 MFLOP  102.8 MB");
	float *const bottleneck_7_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 35328); // [128]  512 B
	float *const bottleneck_7_conv_bn_2_batchnorm_running_var = (float *)(m->state + 35840); // [128]  512 B
	float *const bottleneck_7_conv_bn_2_batchnorm_weight = (float *)(m->params + 102046976); // [128]  512 B
	float *const add_23 = (float *)(m->arena + 22658214592);                                // [1,1,1,128]  512 B  steps 67-282
	float *const rsqrt_23 = (float *)(m->arena + 22658215104);                              // [1,1,1,128]  512 B  steps 67-281
	float *const mul_23 = (float *)(m->arena + 22658215616);                                // [1,1,1,128]  512 B  steps 67-282
	float *const partial_23 = (float *)(m->arena + 6987710464);                             // [135168]  540.7 kB  steps 67-67
	batchnorm_statistics(&batchnorm_statistics_200704x128_kernel, conv_23, bottleneck_7_conv_bn_2_batchnorm_running_mean, bottleneck_7_conv_bn_2_batchnorm_running_var, bottleneck_7_conv_bn_2_batchnorm_weight, add_23, rsqrt_23, mul_23, partial_23);
	nnr_step(68, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck_7  [256,28,28,128]  102.8 MFLOP  205.5 MB");
	float *const bottleneck_7_conv_bn_2_batchnorm_bias = (float *)(m->params + 102047488);  // [128]  512 B
	float *const relu_14 = (float *)(m->arena + 20397948928);                               // [256,28,28,128]  102.8 MB  steps 68-372
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_200704x128_kernel, conv_23, add_23, mul_23, bottleneck_7_conv_bn_2_batchnorm_bias, relu_14);
	nnr_step(69, "residual.net:7  conv(relu_14, bottleneck_7_conv_bn_3_conv_weight)  [256,28,28,512]  26.3 GFLOP  514.1 MB");
	float *const bottleneck_7_conv_bn_3_conv_weight = (float *)(m->params + 5477120);       // [512,1,1,128]  262.1 kB
	float *const conv_24 = (float *)(m->arena + 12331253760);                               // [256,28,28,512]  411.0 MB  steps 69-372
	conv_any_size(&conv_256x28x28x512_shape, &conv_256x28x28x512_plan, relu_14, bottleneck_7_conv_bn_3_conv_weight, conv_24);
	nnr_step(70, "residual.net:9  batchnorm_statistics of bottleneck_7.conv_bn_3  [1,1,1,512]  411.1 MFLOP  411.1 MB");
	float *const bottleneck_7_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 36352); // [512]  2.0 kB
	float *const bottleneck_7_conv_bn_3_batchnorm_running_var = (float *)(m->state + 38400); // [512]  2.0 kB
	float *const bottleneck_7_conv_bn_3_batchnorm_weight = (float *)(m->params + 102048000); // [512]  2.0 kB
	float *const add_24 = (float *)(m->arena + 22658179264);                                // [1,1,1,512]  2.0 kB  steps 70-278
	float *const rsqrt_24 = (float *)(m->arena + 22658181312);                              // [1,1,1,512]  2.0 kB  steps 70-277
	float *const mul_24 = (float *)(m->arena + 22658183360);                                // [1,1,1,512]  2.0 kB  steps 70-278
	float *const partial_24 = (float *)(m->arena + 6987710464);                             // [135168]  540.7 kB  steps 70-70
	batchnorm_statistics(&batchnorm_statistics_200704x512_kernel, conv_24, bottleneck_7_conv_bn_3_batchnorm_running_mean, bottleneck_7_conv_bn_3_batchnorm_running_var, bottleneck_7_conv_bn_3_batchnorm_weight, add_24, rsqrt_24, mul_24, partial_24);
	nnr_step(71, "residual.net:9,28  batchnorm_add_relu_backward_round_tf32 of bottleneck_7  [256,28,28,512]  616.6 MFLOP  1.3 GB");
	float *const bottleneck_7_conv_bn_3_batchnorm_bias = (float *)(m->params + 102050048);  // [512]  2.0 kB
	float *const x_8 = (float *)(m->arena + 12742295552);                                   // [256,28,28,512]  411.0 MB  steps 71-372
	uint8_t *const positive_5 = (uint8_t *)(m->arena + 7809794048);                         // [256,28,28,512]  102.8 MB  steps 71-277
	batchnorm_add_relu_backward_round_tf32(&batchnorm_add_relu_backward_round_tf32_200704x512_kernel, conv_24, add_24, mul_24, bottleneck_7_conv_bn_3_batchnorm_bias, x_7, x_8, positive_5);
	nnr_step(72, "residual.net:7  conv(x_8, bottleneck_8_conv_bn_conv_weight)  [256,28,28,256]  52.6 GFLOP  617.1 MB");
	float *const bottleneck_8_conv_bn_conv_weight = (float *)(m->params + 5739264);         // [256,1,1,512]  524.3 kB
	float *const conv_25 = (float *)(m->arena + 16647192576);                               // [256,28,28,256]  205.5 MB  steps 72-372
	conv_any_size(&conv_256x28x28x256_shape, &conv_256x28x28x256_plan, x_8, bottleneck_8_conv_bn_conv_weight, conv_25);
	nnr_step(73, "residual.net:9  batchnorm_statistics of bottleneck_8.conv_bn  [1,1,1,256]  205.5 MFLOP  205.5 MB");
	float *const bottleneck_8_conv_bn_batchnorm_running_mean = (float *)(m->state + 40448); // [256]  1.0 kB
	float *const bottleneck_8_conv_bn_batchnorm_running_var = (float *)(m->state + 41472);  // [256]  1.0 kB
	float *const bottleneck_8_conv_bn_batchnorm_weight = (float *)(m->params + 102052096);  // [256]  1.0 kB
	float *const add_25 = (float *)(m->arena + 22658197696);                                // [1,1,1,256]  1.0 kB  steps 73-274
	float *const rsqrt_25 = (float *)(m->arena + 22658198720);                              // [1,1,1,256]  1.0 kB  steps 73-273
	float *const mul_25 = (float *)(m->arena + 22658199744);                                // [1,1,1,256]  1.0 kB  steps 73-274
	float *const partial_25 = (float *)(m->arena + 6987710464);                             // [135168]  540.7 kB  steps 73-73
	batchnorm_statistics(&batchnorm_statistics_200704x256_kernel, conv_25, bottleneck_8_conv_bn_batchnorm_running_mean, bottleneck_8_conv_bn_batchnorm_running_var, bottleneck_8_conv_bn_batchnorm_weight, add_25, rsqrt_25, mul_25, partial_25);
	nnr_step(74, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck_8  [256,28,28,256]  205.5 MFLOP  411.0 MB");
	float *const bottleneck_8_conv_bn_batchnorm_bias = (float *)(m->params + 102053120);    // [256]  1.0 kB
	float *const relu_15 = (float *)(m->arena + 16852713472);                               // [256,28,28,256]  205.5 MB  steps 74-371
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_200704x256_kernel, conv_25, add_25, mul_25, bottleneck_8_conv_bn_batchnorm_bias, relu_15);
	nnr_step(75, "residual.net:7  conv(relu_15, bottleneck_8_conv_bn_2_conv_weight)  [256,14,14,256]  59.2 GFLOP  259.3 MB");
	float *const bottleneck_8_conv_bn_2_conv_weight = (float *)(m->params + 6263552);       // [256,3,3,256]  2.4 MB
	float *const conv_26 = (float *)(m->arena + 21270880448);                               // [256,14,14,256]  51.4 MB  steps 75-371
	conv_any_size(&conv_256x14x14x256_shape, &conv_256x14x14x256_plan, relu_15, bottleneck_8_conv_bn_2_conv_weight, conv_26);
	nnr_step(76, "residual.net:9  batchnorm_statistics of bottleneck_8.conv_bn_2  [1,1,1,256]  51.4 MFLOP  51.4 MB");
	float *const bottleneck_8_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 42496); // [256]  1.0 kB
	float *const bottleneck_8_conv_bn_2_batchnorm_running_var = (float *)(m->state + 43520); // [256]  1.0 kB
	float *const bottleneck_8_conv_bn_2_batchnorm_weight = (float *)(m->params + 102054144); // [256]  1.0 kB
	float *const add_26 = (float *)(m->arena + 22658200768);                                // [1,1,1,256]  1.0 kB  steps 76-270
	float *const rsqrt_26 = (float *)(m->arena + 22658201792);                              // [1,1,1,256]  1.0 kB  steps 76-269
	float *const mul_26 = (float *)(m->arena + 22658202816);                                // [1,1,1,256]  1.0 kB  steps 76-270
	float *const partial_26 = (float *)(m->arena + 6987710464);                             // [135168]  540.7 kB  steps 76-76
	batchnorm_statistics(&batchnorm_statistics_50176x256_kernel, conv_26, bottleneck_8_conv_bn_2_batchnorm_running_mean, bottleneck_8_conv_bn_2_batchnorm_running_var, bottleneck_8_conv_bn_2_batchnorm_weight, add_26, rsqrt_26, mul_26, partial_26);
	nnr_step(77, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck_8  [256,14,14,256]  51.4 MFLOP  102.8 MB");
	float *const bottleneck_8_conv_bn_2_batchnorm_bias = (float *)(m->params + 102055168);  // [256]  1.0 kB
	float *const relu_16 = (float *)(m->arena + 21322260672);                               // [256,14,14,256]  51.4 MB  steps 77-367
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_50176x256_kernel, conv_26, add_26, mul_26, bottleneck_8_conv_bn_2_batchnorm_bias, relu_16);
	nnr_step(78, "residual.net:7  conv(relu_16, bottleneck_8_conv_bn_3_conv_weight)  [256,14,14,1024]  26.3 GFLOP  257.9 MB");
	float *const bottleneck_8_conv_bn_3_conv_weight = (float *)(m->params + 8622848);       // [1024,1,1,256]  1.0 MB
	float *const conv_27 = (float *)(m->arena + 6987710464);                                // [256,14,14,1024]  205.5 MB  steps 78-266
	conv_any_size(&conv_256x14x14x1024_shape, &conv_256x14x14x1024_plan, relu_16, bottleneck_8_conv_bn_3_conv_weight, conv_27);
	nnr_step(79, "residual.net:9  batchnorm_statistics of bottleneck_8.conv_bn_3  [1,1,1,1024]  205.5 MFLOP  205.6 MB");
	float *const bottleneck_8_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 44544); // [1024]  4.1 kB
	float *const bottleneck_8_conv_bn_3_batchnorm_running_var = (float *)(m->state + 48640); // [1024]  4.1 kB
	float *const bottleneck_8_conv_bn_3_batchnorm_weight = (float *)(m->params + 102056192); // [1024]  4.1 kB
	float *const add_27 = (float *)(m->arena + 22658146496);                                // [1,1,1,1024]  4.1 kB  steps 79-266
	float *const rsqrt_27 = (float *)(m->arena + 21018726400);                              // [1,1,1,1024]  4.1 kB  steps 79-262
	float *const mul_27 = (float *)(m->arena + 22658150592);                                // [1,1,1,1024]  4.1 kB  steps 79-266
	float *const partial_27 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 79-79
	batchnorm_statistics(&batchnorm_statistics_50176x1024_kernel, conv_27, bottleneck_8_conv_bn_3_batchnorm_running_mean, bottleneck_8_conv_bn_3_batchnorm_running_var, bottleneck_8_conv_bn_3_batchnorm_weight, add_27, rsqrt_27, mul_27, partial_27);
	nnr_step(80, "residual.net:7  conv(x_8, bottleneck_8_conv_bn_4_conv_weight)  [256,14,14,1024]  52.6 GFLOP  618.7 MB");
	float *const bottleneck_8_conv_bn_4_conv_weight = (float *)(m->params + 9671424);       // [1024,1,1,512]  2.1 MB
	float *const conv_28 = (float *)(m->arena + 17058234368);                               // [256,14,14,1024]  205.5 MB  steps 80-364
	conv_any_size(&conv_256x14x14x1024_2_shape, &conv_256x14x14x1024_2_plan, x_8, bottleneck_8_conv_bn_4_conv_weight, conv_28);
	nnr_step(81, "residual.net:9  batchnorm_statistics of bottleneck_8.conv_bn_4  [1,1,1,1024]  205.5 MFLOP  205.6 MB");
	float *const bottleneck_8_conv_bn_4_batchnorm_running_mean = (float *)(m->state + 52736); // [1024]  4.1 kB
	float *const bottleneck_8_conv_bn_4_batchnorm_running_var = (float *)(m->state + 56832); // [1024]  4.1 kB
	float *const bottleneck_8_conv_bn_4_batchnorm_weight = (float *)(m->params + 102064384); // [1024]  4.1 kB
	float *const add_28 = (float *)(m->arena + 21018730496);                                // [1,1,1,1024]  4.1 kB  steps 81-263
	float *const rsqrt_28 = (float *)(m->arena + 21018734592);                              // [1,1,1,1024]  4.1 kB  steps 81-262
	float *const mul_28 = (float *)(m->arena + 21018738688);                                // [1,1,1,1024]  4.1 kB  steps 81-263
	float *const partial_28 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 81-81
	batchnorm_statistics(&batchnorm_statistics_50176x1024_kernel, conv_28, bottleneck_8_conv_bn_4_batchnorm_running_mean, bottleneck_8_conv_bn_4_batchnorm_running_var, bottleneck_8_conv_bn_4_batchnorm_weight, add_28, rsqrt_28, mul_28, partial_28);
	nnr_step(82, "residual.net:9,28  batchnorm_add_relu of bottleneck_8  [256,14,14,1024]  411.0 MFLOP  616.6 MB");
	float *const bottleneck_8_conv_bn_3_batchnorm_bias = (float *)(m->params + 102060288);  // [1024]  4.1 kB
	float *const bottleneck_8_conv_bn_4_batchnorm_bias = (float *)(m->params + 102068480);  // [1024]  4.1 kB
	float *const x_9 = (float *)(m->arena + 17263755264);                                   // [256,14,14,1024]  205.5 MB  steps 82-360
	batchnorm_add_relu(&batchnorm_add_relu_50176x1024_kernel, conv_27, add_27, mul_27, bottleneck_8_conv_bn_3_batchnorm_bias, conv_28, add_28, mul_28, bottleneck_8_conv_bn_4_batchnorm_bias, x_9);
	nnr_step(83, "residual.net:7  conv(x_9, bottleneck_9_conv_bn_conv_weight)  [256,14,14,256]  26.3 GFLOP  257.9 MB");
	float *const bottleneck_9_conv_bn_conv_weight = (float *)(m->params + 11768576);        // [256,1,1,1024]  1.0 MB
	float *const conv_29 = (float *)(m->arena + 21373640896);                               // [256,14,14,256]  51.4 MB  steps 83-360
	conv_any_size(&conv_256x14x14x256_2_shape, &conv_256x14x14x256_2_plan, x_9, bottleneck_9_conv_bn_conv_weight, conv_29);
	nnr_step(84, "residual.net:9  batchnorm_statistics of bottleneck_9.conv_bn  [1,1,1,256]  51.4 MFLOP  51.4 MB");
	float *const bottleneck_9_conv_bn_batchnorm_running_mean = (float *)(m->state + 60928); // [256]  1.0 kB
	float *const bottleneck_9_conv_bn_batchnorm_running_var = (float *)(m->state + 61952);  // [256]  1.0 kB
	float *const bottleneck_9_conv_bn_batchnorm_weight = (float *)(m->params + 102072576);  // [256]  1.0 kB
	float *const add_29 = (float *)(m->arena + 21018800128);                                // [1,1,1,256]  1.0 kB  steps 84-259
	float *const rsqrt_29 = (float *)(m->arena + 21018801152);                              // [1,1,1,256]  1.0 kB  steps 84-258
	float *const mul_29 = (float *)(m->arena + 21018802176);                                // [1,1,1,256]  1.0 kB  steps 84-259
	float *const partial_29 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 84-84
	batchnorm_statistics(&batchnorm_statistics_50176x256_kernel, conv_29, bottleneck_9_conv_bn_batchnorm_running_mean, bottleneck_9_conv_bn_batchnorm_running_var, bottleneck_9_conv_bn_batchnorm_weight, add_29, rsqrt_29, mul_29, partial_29);
	nnr_step(85, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck_9  [256,14,14,256]  51.4 MFLOP  102.8 MB");
	float *const bottleneck_9_conv_bn_batchnorm_bias = (float *)(m->params + 102073600);    // [256]  1.0 kB
	float *const relu_17 = (float *)(m->arena + 21425021120);                               // [256,14,14,256]  51.4 MB  steps 85-356
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_50176x256_kernel, conv_29, add_29, mul_29, bottleneck_9_conv_bn_batchnorm_bias, relu_17);
	nnr_step(86, "residual.net:7  conv(relu_17, bottleneck_9_conv_bn_2_conv_weight)  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const bottleneck_9_conv_bn_2_conv_weight = (float *)(m->params + 12817152);      // [256,3,3,256]  2.4 MB
	float *const conv_30 = (float *)(m->arena + 21476401344);                               // [256,14,14,256]  51.4 MB  steps 86-356
	conv_any_size(&conv_256x14x14x256_3_shape, &conv_256x14x14x256_3_plan, relu_17, bottleneck_9_conv_bn_2_conv_weight, conv_30);
	nnr_step(87, "residual.net:9  batchnorm_statistics of bottleneck_9.conv_bn_2  [1,1,1,256]  51.4 MFLOP  51.4 MB");
	float *const bottleneck_9_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 62976); // [256]  1.0 kB
	float *const bottleneck_9_conv_bn_2_batchnorm_running_var = (float *)(m->state + 64000); // [256]  1.0 kB
	float *const bottleneck_9_conv_bn_2_batchnorm_weight = (float *)(m->params + 102074624); // [256]  1.0 kB
	float *const add_30 = (float *)(m->arena + 21018803200);                                // [1,1,1,256]  1.0 kB  steps 87-255
	float *const rsqrt_30 = (float *)(m->arena + 21018804224);                              // [1,1,1,256]  1.0 kB  steps 87-254
	float *const mul_30 = (float *)(m->arena + 21018805248);                                // [1,1,1,256]  1.0 kB  steps 87-255
	float *const partial_30 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 87-87
	batchnorm_statistics(&batchnorm_statistics_50176x256_kernel, conv_30, bottleneck_9_conv_bn_2_batchnorm_running_mean, bottleneck_9_conv_bn_2_batchnorm_running_var, bottleneck_9_conv_bn_2_batchnorm_weight, add_30, rsqrt_30, mul_30, partial_30);
	nnr_step(88, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck_9  [256,14,14,256]  51.4 MFLOP  102.8 MB");
	float *const bottleneck_9_conv_bn_2_batchnorm_bias = (float *)(m->params + 102075648);  // [256]  1.0 kB
	float *const relu_18 = (float *)(m->arena + 21527781568);                               // [256,14,14,256]  51.4 MB  steps 88-352
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_50176x256_kernel, conv_30, add_30, mul_30, bottleneck_9_conv_bn_2_batchnorm_bias, relu_18);
	nnr_step(89, "residual.net:7  conv(relu_18, bottleneck_9_conv_bn_3_conv_weight)  [256,14,14,1024]  26.3 GFLOP  257.9 MB");
	float *const bottleneck_9_conv_bn_3_conv_weight = (float *)(m->params + 15176448);      // [1024,1,1,256]  1.0 MB
	float *const conv_31 = (float *)(m->arena + 17469276160);                               // [256,14,14,1024]  205.5 MB  steps 89-352
	conv_any_size(&conv_256x14x14x1024_shape, &conv_256x14x14x1024_plan, relu_18, bottleneck_9_conv_bn_3_conv_weight, conv_31);
	nnr_step(90, "residual.net:9  batchnorm_statistics of bottleneck_9.conv_bn_3  [1,1,1,1024]  205.5 MFLOP  205.6 MB");
	float *const bottleneck_9_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 65024); // [1024]  4.1 kB
	float *const bottleneck_9_conv_bn_3_batchnorm_running_var = (float *)(m->state + 69120); // [1024]  4.1 kB
	float *const bottleneck_9_conv_bn_3_batchnorm_weight = (float *)(m->params + 102076672); // [1024]  4.1 kB
	float *const add_31 = (float *)(m->arena + 21018742784);                                // [1,1,1,1024]  4.1 kB  steps 90-251
	float *const rsqrt_31 = (float *)(m->arena + 21018746880);                              // [1,1,1,1024]  4.1 kB  steps 90-250
	float *const mul_31 = (float *)(m->arena + 21018750976);                                // [1,1,1,1024]  4.1 kB  steps 90-251
	float *const partial_31 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 90-90
	batchnorm_statistics(&batchnorm_statistics_50176x1024_kernel, conv_31, bottleneck_9_conv_bn_3_batchnorm_running_mean, bottleneck_9_conv_bn_3_batchnorm_running_var, bottleneck_9_conv_bn_3_batchnorm_weight, add_31, rsqrt_31, mul_31, partial_31);
	nnr_step(91, "residual.net:9,28  batchnorm_add_relu_backward of bottleneck_9  [256,14,14,1024]  308.3 MFLOP  668.0 MB");
	float *const bottleneck_9_conv_bn_3_batchnorm_bias = (float *)(m->params + 102080768);  // [1024]  4.1 kB
	float *const x_10 = (float *)(m->arena + 17674797056);                                  // [256,14,14,1024]  205.5 MB  steps 91-348
	uint8_t *const positive_6 = (uint8_t *)(m->arena + 18496880640);                        // [256,14,14,1024]  51.4 MB  steps 91-250
	batchnorm_add_relu_backward(&batchnorm_add_relu_backward_50176x1024_kernel, conv_31, add_31, mul_31, bottleneck_9_conv_bn_3_batchnorm_bias, x_9, x_10, positive_6);
	nnr_step(92, "residual.net:7  conv(x_10, bottleneck_10_conv_bn_conv_weight)  [256,14,14,256]  26.3 GFLOP  257.9 MB");
	float *const bottleneck_10_conv_bn_conv_weight = (float *)(m->params + 16225024);       // [256,1,1,1024]  1.0 MB
	float *const conv_32 = (float *)(m->arena + 21579161792);                               // [256,14,14,256]  51.4 MB  steps 92-348
	conv_any_size(&conv_256x14x14x256_2_shape, &conv_256x14x14x256_2_plan, x_10, bottleneck_10_conv_bn_conv_weight, conv_32);
	nnr_step(93, "residual.net:9  batchnorm_statistics of bottleneck_10.conv_bn  [1,1,1,256]  51.4 MFLOP  51.4 MB");
	float *const bottleneck_10_conv_bn_batchnorm_running_mean = (float *)(m->state + 73216); // [256]  1.0 kB
	float *const bottleneck_10_conv_bn_batchnorm_running_var = (float *)(m->state + 74240); // [256]  1.0 kB
	float *const bottleneck_10_conv_bn_batchnorm_weight = (float *)(m->params + 102084864); // [256]  1.0 kB
	float *const add_32 = (float *)(m->arena + 21018806272);                                // [1,1,1,256]  1.0 kB  steps 93-247
	float *const rsqrt_32 = (float *)(m->arena + 21018807296);                              // [1,1,1,256]  1.0 kB  steps 93-246
	float *const mul_32 = (float *)(m->arena + 21018808320);                                // [1,1,1,256]  1.0 kB  steps 93-247
	float *const partial_32 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 93-93
	batchnorm_statistics(&batchnorm_statistics_50176x256_kernel, conv_32, bottleneck_10_conv_bn_batchnorm_running_mean, bottleneck_10_conv_bn_batchnorm_running_var, bottleneck_10_conv_bn_batchnorm_weight, add_32, rsqrt_32, mul_32, partial_32);
	nnr_step(94, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck_10  [256,14,14,256]  51.4 MFLOP  102.8 MB");
	float *const bottleneck_10_conv_bn_batchnorm_bias = (float *)(m->params + 102085888);   // [256]  1.0 kB
	float *const relu_19 = (float *)(m->arena + 21630542016);                               // [256,14,14,256]  51.4 MB  steps 94-344
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_50176x256_kernel, conv_32, add_32, mul_32, bottleneck_10_conv_bn_batchnorm_bias, relu_19);
	nnr_step(95, "residual.net:7  conv(relu_19, bottleneck_10_conv_bn_2_conv_weight)  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const bottleneck_10_conv_bn_2_conv_weight = (float *)(m->params + 17273600);     // [256,3,3,256]  2.4 MB
	float *const conv_33 = (float *)(m->arena + 21681922240);                               // [256,14,14,256]  51.4 MB  steps 95-344
	conv_any_size(&conv_256x14x14x256_3_shape, &conv_256x14x14x256_3_plan, relu_19, bottleneck_10_conv_bn_2_conv_weight, conv_33);
	nnr_step(96, "residual.net:9  batchnorm_statistics of bottleneck_10.conv_bn_2  [1,1,1,256]  51.4 MFLOP  51.4 MB");
	float *const bottleneck_10_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 75264); // [256]  1.0 kB
	float *const bottleneck_10_conv_bn_2_batchnorm_running_var = (float *)(m->state + 76288); // [256]  1.0 kB
	float *const bottleneck_10_conv_bn_2_batchnorm_weight = (float *)(m->params + 102086912); // [256]  1.0 kB
	float *const add_33 = (float *)(m->arena + 21018809344);                                // [1,1,1,256]  1.0 kB  steps 96-243
	float *const rsqrt_33 = (float *)(m->arena + 21018810368);                              // [1,1,1,256]  1.0 kB  steps 96-242
	float *const mul_33 = (float *)(m->arena + 21018811392);                                // [1,1,1,256]  1.0 kB  steps 96-243
	float *const partial_33 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 96-96
	batchnorm_statistics(&batchnorm_statistics_50176x256_kernel, conv_33, bottleneck_10_conv_bn_2_batchnorm_running_mean, bottleneck_10_conv_bn_2_batchnorm_running_var, bottleneck_10_conv_bn_2_batchnorm_weight, add_33, rsqrt_33, mul_33, partial_33);
	nnr_step(97, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck_10  [256,14,14,256]  51.4 MFLOP  102.8 MB");
	float *const bottleneck_10_conv_bn_2_batchnorm_bias = (float *)(m->params + 102087936); // [256]  1.0 kB
	float *const relu_20 = (float *)(m->arena + 21733302464);                               // [256,14,14,256]  51.4 MB  steps 97-340
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_50176x256_kernel, conv_33, add_33, mul_33, bottleneck_10_conv_bn_2_batchnorm_bias, relu_20);
	nnr_step(98, "residual.net:7  conv(relu_20, bottleneck_10_conv_bn_3_conv_weight)  [256,14,14,1024]  26.3 GFLOP  257.9 MB");
	float *const bottleneck_10_conv_bn_3_conv_weight = (float *)(m->params + 19632896);     // [1024,1,1,256]  1.0 MB
	float *const conv_34 = (float *)(m->arena + 17880317952);                               // [256,14,14,1024]  205.5 MB  steps 98-340
	conv_any_size(&conv_256x14x14x1024_shape, &conv_256x14x14x1024_plan, relu_20, bottleneck_10_conv_bn_3_conv_weight, conv_34);
	nnr_step(99, "residual.net:9  batchnorm_statistics of bottleneck_10.conv_bn_3  [1,1,1,1024]  205.5 MFLOP  205.6 MB");
	float *const bottleneck_10_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 77312); // [1024]  4.1 kB
	float *const bottleneck_10_conv_bn_3_batchnorm_running_var = (float *)(m->state + 81408); // [1024]  4.1 kB
	float *const bottleneck_10_conv_bn_3_batchnorm_weight = (float *)(m->params + 102088960); // [1024]  4.1 kB
	float *const add_34 = (float *)(m->arena + 21018755072);                                // [1,1,1,1024]  4.1 kB  steps 99-239
	float *const rsqrt_34 = (float *)(m->arena + 21018759168);                              // [1,1,1,1024]  4.1 kB  steps 99-238
	float *const mul_34 = (float *)(m->arena + 21018763264);                                // [1,1,1,1024]  4.1 kB  steps 99-239
	float *const partial_34 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 99-99
	batchnorm_statistics(&batchnorm_statistics_50176x1024_kernel, conv_34, bottleneck_10_conv_bn_3_batchnorm_running_mean, bottleneck_10_conv_bn_3_batchnorm_running_var, bottleneck_10_conv_bn_3_batchnorm_weight, add_34, rsqrt_34, mul_34, partial_34);
	nnr_step(100, "residual.net:9,28  batchnorm_add_relu_backward of bottleneck_10  [256,14,14,1024]  308.3 MFLOP  668.0 MB");
	float *const bottleneck_10_conv_bn_3_batchnorm_bias = (float *)(m->params + 102093056); // [1024]  4.1 kB
	float *const x_11 = (float *)(m->arena + 8426356736);                                   // [256,14,14,1024]  205.5 MB  steps 100-336
	uint8_t *const positive_7 = (uint8_t *)(m->arena + 18548260864);                        // [256,14,14,1024]  51.4 MB  steps 100-238
	batchnorm_add_relu_backward(&batchnorm_add_relu_backward_50176x1024_kernel, conv_34, add_34, mul_34, bottleneck_10_conv_bn_3_batchnorm_bias, x_10, x_11, positive_7);
	nnr_step(101, "residual.net:7  conv(x_11, bottleneck_11_conv_bn_conv_weight)  [256,14,14,256]  26.3 GFLOP  257.9 MB");
	float *const bottleneck_11_conv_bn_conv_weight = (float *)(m->params + 20681472);       // [256,1,1,1024]  1.0 MB
	float *const conv_35 = (float *)(m->arena + 21784682688);                               // [256,14,14,256]  51.4 MB  steps 101-336
	conv_any_size(&conv_256x14x14x256_2_shape, &conv_256x14x14x256_2_plan, x_11, bottleneck_11_conv_bn_conv_weight, conv_35);
	nnr_step(102, "residual.net:9  batchnorm_statistics of bottleneck_11.conv_bn  [1,1,1,256]  51.4 MFLOP  51.4 MB");
	float *const bottleneck_11_conv_bn_batchnorm_running_mean = (float *)(m->state + 85504); // [256]  1.0 kB
	float *const bottleneck_11_conv_bn_batchnorm_running_var = (float *)(m->state + 86528); // [256]  1.0 kB
	float *const bottleneck_11_conv_bn_batchnorm_weight = (float *)(m->params + 102097152); // [256]  1.0 kB
	float *const add_35 = (float *)(m->arena + 21018812416);                                // [1,1,1,256]  1.0 kB  steps 102-235
	float *const rsqrt_35 = (float *)(m->arena + 21018813440);                              // [1,1,1,256]  1.0 kB  steps 102-234
	float *const mul_35 = (float *)(m->arena + 21018814464);                                // [1,1,1,256]  1.0 kB  steps 102-235
	float *const partial_35 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 102-102
	batchnorm_statistics(&batchnorm_statistics_50176x256_kernel, conv_35, bottleneck_11_conv_bn_batchnorm_running_mean, bottleneck_11_conv_bn_batchnorm_running_var, bottleneck_11_conv_bn_batchnorm_weight, add_35, rsqrt_35, mul_35, partial_35);
	nnr_step(103, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck_11  [256,14,14,256]  51.4 MFLOP  102.8 MB");
	float *const bottleneck_11_conv_bn_batchnorm_bias = (float *)(m->params + 102098176);   // [256]  1.0 kB
	float *const relu_21 = (float *)(m->arena + 21836062912);                               // [256,14,14,256]  51.4 MB  steps 103-332
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_50176x256_kernel, conv_35, add_35, mul_35, bottleneck_11_conv_bn_batchnorm_bias, relu_21);
	nnr_step(104, "residual.net:7  conv(relu_21, bottleneck_11_conv_bn_2_conv_weight)  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const bottleneck_11_conv_bn_2_conv_weight = (float *)(m->params + 21730048);     // [256,3,3,256]  2.4 MB
	float *const conv_36 = (float *)(m->arena + 21887443136);                               // [256,14,14,256]  51.4 MB  steps 104-332
	conv_any_size(&conv_256x14x14x256_3_shape, &conv_256x14x14x256_3_plan, relu_21, bottleneck_11_conv_bn_2_conv_weight, conv_36);
	nnr_step(105, "residual.net:9  batchnorm_statistics of bottleneck_11.conv_bn_2  [1,1,1,256]  51.4 MFLOP  51.4 MB");
	float *const bottleneck_11_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 87552); // [256]  1.0 kB
	float *const bottleneck_11_conv_bn_2_batchnorm_running_var = (float *)(m->state + 88576); // [256]  1.0 kB
	float *const bottleneck_11_conv_bn_2_batchnorm_weight = (float *)(m->params + 102099200); // [256]  1.0 kB
	float *const add_36 = (float *)(m->arena + 21018815488);                                // [1,1,1,256]  1.0 kB  steps 105-231
	float *const rsqrt_36 = (float *)(m->arena + 21018816512);                              // [1,1,1,256]  1.0 kB  steps 105-230
	float *const mul_36 = (float *)(m->arena + 21018817536);                                // [1,1,1,256]  1.0 kB  steps 105-231
	float *const partial_36 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 105-105
	batchnorm_statistics(&batchnorm_statistics_50176x256_kernel, conv_36, bottleneck_11_conv_bn_2_batchnorm_running_mean, bottleneck_11_conv_bn_2_batchnorm_running_var, bottleneck_11_conv_bn_2_batchnorm_weight, add_36, rsqrt_36, mul_36, partial_36);
	nnr_step(106, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck_11  [256,14,14,256]  51.4 MFLOP  102.8 MB");
	float *const bottleneck_11_conv_bn_2_batchnorm_bias = (float *)(m->params + 102100224); // [256]  1.0 kB
	float *const relu_22 = (float *)(m->arena + 21938823360);                               // [256,14,14,256]  51.4 MB  steps 106-328
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_50176x256_kernel, conv_36, add_36, mul_36, bottleneck_11_conv_bn_2_batchnorm_bias, relu_22);
	nnr_step(107, "residual.net:7  conv(relu_22, bottleneck_11_conv_bn_3_conv_weight)  [256,14,14,1024]  26.3 GFLOP  257.9 MB");
	float *const bottleneck_11_conv_bn_3_conv_weight = (float *)(m->params + 24089344);     // [1024,1,1,256]  1.0 MB
	float *const conv_37 = (float *)(m->arena + 8631877632);                                // [256,14,14,1024]  205.5 MB  steps 107-328
	conv_any_size(&conv_256x14x14x1024_shape, &conv_256x14x14x1024_plan, relu_22, bottleneck_11_conv_bn_3_conv_weight, conv_37);
	nnr_step(108, "residual.net:9  batchnorm_statistics of bottleneck_11.conv_bn_3  [1,1,1,1024]  205.5 MFLOP  205.6 MB");
	float *const bottleneck_11_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 89600); // [1024]  4.1 kB
	float *const bottleneck_11_conv_bn_3_batchnorm_running_var = (float *)(m->state + 93696); // [1024]  4.1 kB
	float *const bottleneck_11_conv_bn_3_batchnorm_weight = (float *)(m->params + 102101248); // [1024]  4.1 kB
	float *const add_37 = (float *)(m->arena + 21018767360);                                // [1,1,1,1024]  4.1 kB  steps 108-227
	float *const rsqrt_37 = (float *)(m->arena + 21018771456);                              // [1,1,1,1024]  4.1 kB  steps 108-226
	float *const mul_37 = (float *)(m->arena + 21018775552);                                // [1,1,1,1024]  4.1 kB  steps 108-227
	float *const partial_37 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 108-108
	batchnorm_statistics(&batchnorm_statistics_50176x1024_kernel, conv_37, bottleneck_11_conv_bn_3_batchnorm_running_mean, bottleneck_11_conv_bn_3_batchnorm_running_var, bottleneck_11_conv_bn_3_batchnorm_weight, add_37, rsqrt_37, mul_37, partial_37);
	nnr_step(109, "residual.net:9,28  batchnorm_add_relu_backward of bottleneck_11  [256,14,14,1024]  308.3 MFLOP  668.0 MB");
	float *const bottleneck_11_conv_bn_3_batchnorm_bias = (float *)(m->params + 102105344); // [1024]  4.1 kB
	float *const x_12 = (float *)(m->arena + 8837398528);                                   // [256,14,14,1024]  205.5 MB  steps 109-324
	uint8_t *const positive_8 = (uint8_t *)(m->arena + 18599641088);                        // [256,14,14,1024]  51.4 MB  steps 109-226
	batchnorm_add_relu_backward(&batchnorm_add_relu_backward_50176x1024_kernel, conv_37, add_37, mul_37, bottleneck_11_conv_bn_3_batchnorm_bias, x_11, x_12, positive_8);
	nnr_step(110, "residual.net:7  conv(x_12, bottleneck_12_conv_bn_conv_weight)  [256,14,14,256]  26.3 GFLOP  257.9 MB");
	float *const bottleneck_12_conv_bn_conv_weight = (float *)(m->params + 25137920);       // [256,1,1,1024]  1.0 MB
	float *const conv_38 = (float *)(m->arena + 21990203584);                               // [256,14,14,256]  51.4 MB  steps 110-324
	conv_any_size(&conv_256x14x14x256_2_shape, &conv_256x14x14x256_2_plan, x_12, bottleneck_12_conv_bn_conv_weight, conv_38);
	nnr_step(111, "residual.net:9  batchnorm_statistics of bottleneck_12.conv_bn  [1,1,1,256]  51.4 MFLOP  51.4 MB");
	float *const bottleneck_12_conv_bn_batchnorm_running_mean = (float *)(m->state + 97792); // [256]  1.0 kB
	float *const bottleneck_12_conv_bn_batchnorm_running_var = (float *)(m->state + 98816); // [256]  1.0 kB
	float *const bottleneck_12_conv_bn_batchnorm_weight = (float *)(m->params + 102109440); // [256]  1.0 kB
	float *const add_38 = (float *)(m->arena + 21018818560);                                // [1,1,1,256]  1.0 kB  steps 111-223
	float *const rsqrt_38 = (float *)(m->arena + 21018819584);                              // [1,1,1,256]  1.0 kB  steps 111-222
	float *const mul_38 = (float *)(m->arena + 21018820608);                                // [1,1,1,256]  1.0 kB  steps 111-223
	float *const partial_38 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 111-111
	batchnorm_statistics(&batchnorm_statistics_50176x256_kernel, conv_38, bottleneck_12_conv_bn_batchnorm_running_mean, bottleneck_12_conv_bn_batchnorm_running_var, bottleneck_12_conv_bn_batchnorm_weight, add_38, rsqrt_38, mul_38, partial_38);
	nnr_step(112, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck_12  [256,14,14,256]  51.4 MFLOP  102.8 MB");
	float *const bottleneck_12_conv_bn_batchnorm_bias = (float *)(m->params + 102110464);   // [256]  1.0 kB
	float *const relu_23 = (float *)(m->arena + 22041583808);                               // [256,14,14,256]  51.4 MB  steps 112-320
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_50176x256_kernel, conv_38, add_38, mul_38, bottleneck_12_conv_bn_batchnorm_bias, relu_23);
	nnr_step(113, "residual.net:7  conv(relu_23, bottleneck_12_conv_bn_2_conv_weight)  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const bottleneck_12_conv_bn_2_conv_weight = (float *)(m->params + 26186496);     // [256,3,3,256]  2.4 MB
	float *const conv_39 = (float *)(m->arena + 22092964032);                               // [256,14,14,256]  51.4 MB  steps 113-320
	conv_any_size(&conv_256x14x14x256_3_shape, &conv_256x14x14x256_3_plan, relu_23, bottleneck_12_conv_bn_2_conv_weight, conv_39);
	nnr_step(114, "residual.net:9  batchnorm_statistics of bottleneck_12.conv_bn_2  [1,1,1,256]  51.4 MFLOP  51.4 MB");
	float *const bottleneck_12_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 99840); // [256]  1.0 kB
	float *const bottleneck_12_conv_bn_2_batchnorm_running_var = (float *)(m->state + 100864); // [256]  1.0 kB
	float *const bottleneck_12_conv_bn_2_batchnorm_weight = (float *)(m->params + 102111488); // [256]  1.0 kB
	float *const add_39 = (float *)(m->arena + 21018821632);                                // [1,1,1,256]  1.0 kB  steps 114-219
	float *const rsqrt_39 = (float *)(m->arena + 21018822656);                              // [1,1,1,256]  1.0 kB  steps 114-218
	float *const mul_39 = (float *)(m->arena + 21018823680);                                // [1,1,1,256]  1.0 kB  steps 114-219
	float *const partial_39 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 114-114
	batchnorm_statistics(&batchnorm_statistics_50176x256_kernel, conv_39, bottleneck_12_conv_bn_2_batchnorm_running_mean, bottleneck_12_conv_bn_2_batchnorm_running_var, bottleneck_12_conv_bn_2_batchnorm_weight, add_39, rsqrt_39, mul_39, partial_39);
	nnr_step(115, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck_12  [256,14,14,256]  51.4 MFLOP  102.8 MB");
	float *const bottleneck_12_conv_bn_2_batchnorm_bias = (float *)(m->params + 102112512); // [256]  1.0 kB
	float *const relu_24 = (float *)(m->arena + 22144344256);                               // [256,14,14,256]  51.4 MB  steps 115-316
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_50176x256_kernel, conv_39, add_39, mul_39, bottleneck_12_conv_bn_2_batchnorm_bias, relu_24);
	nnr_step(116, "residual.net:7  conv(relu_24, bottleneck_12_conv_bn_3_conv_weight)  [256,14,14,1024]  26.3 GFLOP  257.9 MB");
	float *const bottleneck_12_conv_bn_3_conv_weight = (float *)(m->params + 28545792);     // [1024,1,1,256]  1.0 MB
	float *const conv_40 = (float *)(m->arena + 18085838848);                               // [256,14,14,1024]  205.5 MB  steps 116-316
	conv_any_size(&conv_256x14x14x1024_shape, &conv_256x14x14x1024_plan, relu_24, bottleneck_12_conv_bn_3_conv_weight, conv_40);
	nnr_step(117, "residual.net:9  batchnorm_statistics of bottleneck_12.conv_bn_3  [1,1,1,1024]  205.5 MFLOP  205.6 MB");
	float *const bottleneck_12_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 101888); // [1024]  4.1 kB
	float *const bottleneck_12_conv_bn_3_batchnorm_running_var = (float *)(m->state + 105984); // [1024]  4.1 kB
	float *const bottleneck_12_conv_bn_3_batchnorm_weight = (float *)(m->params + 102113536); // [1024]  4.1 kB
	float *const add_40 = (float *)(m->arena + 21018779648);                                // [1,1,1,1024]  4.1 kB  steps 117-215
	float *const rsqrt_40 = (float *)(m->arena + 21018783744);                              // [1,1,1,1024]  4.1 kB  steps 117-214
	float *const mul_40 = (float *)(m->arena + 21018787840);                                // [1,1,1,1024]  4.1 kB  steps 117-215
	float *const partial_40 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 117-117
	batchnorm_statistics(&batchnorm_statistics_50176x1024_kernel, conv_40, bottleneck_12_conv_bn_3_batchnorm_running_mean, bottleneck_12_conv_bn_3_batchnorm_running_var, bottleneck_12_conv_bn_3_batchnorm_weight, add_40, rsqrt_40, mul_40, partial_40);
	nnr_step(118, "residual.net:9,28  batchnorm_add_relu_backward of bottleneck_12  [256,14,14,1024]  308.3 MFLOP  668.0 MB");
	float *const bottleneck_12_conv_bn_3_batchnorm_bias = (float *)(m->params + 102117632); // [1024]  4.1 kB
	float *const x_13 = (float *)(m->arena + 13153337344);                                  // [256,14,14,1024]  205.5 MB  steps 118-312
	uint8_t *const positive_9 = (uint8_t *)(m->arena + 18651021312);                        // [256,14,14,1024]  51.4 MB  steps 118-214
	batchnorm_add_relu_backward(&batchnorm_add_relu_backward_50176x1024_kernel, conv_40, add_40, mul_40, bottleneck_12_conv_bn_3_batchnorm_bias, x_12, x_13, positive_9);
	nnr_step(119, "residual.net:7  conv(x_13, bottleneck_13_conv_bn_conv_weight)  [256,14,14,256]  26.3 GFLOP  257.9 MB");
	float *const bottleneck_13_conv_bn_conv_weight = (float *)(m->params + 29594368);       // [256,1,1,1024]  1.0 MB
	float *const conv_41 = (float *)(m->arena + 22195724480);                               // [256,14,14,256]  51.4 MB  steps 119-312
	conv_any_size(&conv_256x14x14x256_2_shape, &conv_256x14x14x256_2_plan, x_13, bottleneck_13_conv_bn_conv_weight, conv_41);
	nnr_step(120, "residual.net:9  batchnorm_statistics of bottleneck_13.conv_bn  [1,1,1,256]  51.4 MFLOP  51.4 MB");
	float *const bottleneck_13_conv_bn_batchnorm_running_mean = (float *)(m->state + 110080); // [256]  1.0 kB
	float *const bottleneck_13_conv_bn_batchnorm_running_var = (float *)(m->state + 111104); // [256]  1.0 kB
	float *const bottleneck_13_conv_bn_batchnorm_weight = (float *)(m->params + 102121728); // [256]  1.0 kB
	float *const add_41 = (float *)(m->arena + 7707324416);                                 // [1,1,1,256]  1.0 kB  steps 120-211
	float *const rsqrt_41 = (float *)(m->arena + 7707325440);                               // [1,1,1,256]  1.0 kB  steps 120-210
	float *const mul_41 = (float *)(m->arena + 7707326464);                                 // [1,1,1,256]  1.0 kB  steps 120-211
	float *const partial_41 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 120-120
	batchnorm_statistics(&batchnorm_statistics_50176x256_kernel, conv_41, bottleneck_13_conv_bn_batchnorm_running_mean, bottleneck_13_conv_bn_batchnorm_running_var, bottleneck_13_conv_bn_batchnorm_weight, add_41, rsqrt_41, mul_41, partial_41);
	nnr_step(121, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck_13  [256,14,14,256]  51.4 MFLOP  102.8 MB");
	float *const bottleneck_13_conv_bn_batchnorm_bias = (float *)(m->params + 102122752);   // [256]  1.0 kB
	float *const relu_25 = (float *)(m->arena + 22247104704);                               // [256,14,14,256]  51.4 MB  steps 121-308
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_50176x256_kernel, conv_41, add_41, mul_41, bottleneck_13_conv_bn_batchnorm_bias, relu_25);
	nnr_step(122, "residual.net:7  conv(relu_25, bottleneck_13_conv_bn_2_conv_weight)  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const bottleneck_13_conv_bn_2_conv_weight = (float *)(m->params + 30642944);     // [256,3,3,256]  2.4 MB
	float *const conv_42 = (float *)(m->arena + 22298484928);                               // [256,14,14,256]  51.4 MB  steps 122-308
	conv_any_size(&conv_256x14x14x256_3_shape, &conv_256x14x14x256_3_plan, relu_25, bottleneck_13_conv_bn_2_conv_weight, conv_42);
	nnr_step(123, "residual.net:9  batchnorm_statistics of bottleneck_13.conv_bn_2  [1,1,1,256]  51.4 MFLOP  51.4 MB");
	float *const bottleneck_13_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 112128); // [256]  1.0 kB
	float *const bottleneck_13_conv_bn_2_batchnorm_running_var = (float *)(m->state + 113152); // [256]  1.0 kB
	float *const bottleneck_13_conv_bn_2_batchnorm_weight = (float *)(m->params + 102123776); // [256]  1.0 kB
	float *const add_42 = (float *)(m->arena + 7707327488);                                 // [1,1,1,256]  1.0 kB  steps 123-207
	float *const rsqrt_42 = (float *)(m->arena + 7707328512);                               // [1,1,1,256]  1.0 kB  steps 123-206
	float *const mul_42 = (float *)(m->arena + 7707329536);                                 // [1,1,1,256]  1.0 kB  steps 123-207
	float *const partial_42 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 123-123
	batchnorm_statistics(&batchnorm_statistics_50176x256_kernel, conv_42, bottleneck_13_conv_bn_2_batchnorm_running_mean, bottleneck_13_conv_bn_2_batchnorm_running_var, bottleneck_13_conv_bn_2_batchnorm_weight, add_42, rsqrt_42, mul_42, partial_42);
	nnr_step(124, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck_13  [256,14,14,256]  51.4 MFLOP  102.8 MB");
	float *const bottleneck_13_conv_bn_2_batchnorm_bias = (float *)(m->params + 102124800); // [256]  1.0 kB
	float *const relu_26 = (float *)(m->arena + 22349865152);                               // [256,14,14,256]  51.4 MB  steps 124-304
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_50176x256_kernel, conv_42, add_42, mul_42, bottleneck_13_conv_bn_2_batchnorm_bias, relu_26);
	nnr_step(125, "residual.net:7  conv(relu_26, bottleneck_13_conv_bn_3_conv_weight)  [256,14,14,1024]  26.3 GFLOP  257.9 MB");
	float *const bottleneck_13_conv_bn_3_conv_weight = (float *)(m->params + 33002240);     // [1024,1,1,256]  1.0 MB
	float *const conv_43 = (float *)(m->arena + 13358858240);                               // [256,14,14,1024]  205.5 MB  steps 125-304
	conv_any_size(&conv_256x14x14x1024_shape, &conv_256x14x14x1024_plan, relu_26, bottleneck_13_conv_bn_3_conv_weight, conv_43);
	nnr_step(126, "residual.net:9  batchnorm_statistics of bottleneck_13.conv_bn_3  [1,1,1,1024]  205.5 MFLOP  205.6 MB");
	float *const bottleneck_13_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 114176); // [1024]  4.1 kB
	float *const bottleneck_13_conv_bn_3_batchnorm_running_var = (float *)(m->state + 118272); // [1024]  4.1 kB
	float *const bottleneck_13_conv_bn_3_batchnorm_weight = (float *)(m->params + 102125824); // [1024]  4.1 kB
	float *const add_43 = (float *)(m->arena + 7707303936);                                 // [1,1,1,1024]  4.1 kB  steps 126-203
	float *const rsqrt_43 = (float *)(m->arena + 7707308032);                               // [1,1,1,1024]  4.1 kB  steps 126-202
	float *const mul_43 = (float *)(m->arena + 7707312128);                                 // [1,1,1,1024]  4.1 kB  steps 126-203
	float *const partial_43 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 126-126
	batchnorm_statistics(&batchnorm_statistics_50176x1024_kernel, conv_43, bottleneck_13_conv_bn_3_batchnorm_running_mean, bottleneck_13_conv_bn_3_batchnorm_running_var, bottleneck_13_conv_bn_3_batchnorm_weight, add_43, rsqrt_43, mul_43, partial_43);
	nnr_step(127, "residual.net:9,28  batchnorm_add_relu_backward_round_tf32 of bottleneck_13  [256,14,14,1024]  308.3 MFLOP  668.0 MB");
	float *const bottleneck_13_conv_bn_3_batchnorm_bias = (float *)(m->params + 102129920); // [1024]  4.1 kB
	float *const x_14 = (float *)(m->arena + 18291359744);                                  // [256,14,14,1024]  205.5 MB  steps 127-300
	uint8_t *const positive_10 = (uint8_t *)(m->arena + 7604273152);                        // [256,14,14,1024]  51.4 MB  steps 127-202
	batchnorm_add_relu_backward_round_tf32(&batchnorm_add_relu_backward_round_tf32_50176x1024_kernel, conv_43, add_43, mul_43, bottleneck_13_conv_bn_3_batchnorm_bias, x_13, x_14, positive_10);
	nnr_step(128, "residual.net:7  conv(x_14, bottleneck_14_conv_bn_conv_weight)  [256,14,14,512]  52.6 GFLOP  310.4 MB");
	float *const bottleneck_14_conv_bn_conv_weight = (float *)(m->params + 34050816);       // [512,1,1,1024]  2.1 MB
	float *const conv_44 = (float *)(m->arena + 20500709376);                               // [256,14,14,512]  102.8 MB  steps 128-300
	conv_any_size(&conv_256x14x14x512_shape, &conv_256x14x14x512_plan, x_14, bottleneck_14_conv_bn_conv_weight, conv_44);
	nnr_step(129, "residual.net:9  batchnorm_statistics of bottleneck_14.conv_bn  [1,1,1,512]  102.8 MFLOP  102.8 MB");
	float *const bottleneck_14_conv_bn_batchnorm_running_mean = (float *)(m->state + 122368); // [512]  2.0 kB
	float *const bottleneck_14_conv_bn_batchnorm_running_var = (float *)(m->state + 124416); // [512]  2.0 kB
	float *const bottleneck_14_conv_bn_batchnorm_weight = (float *)(m->params + 102134016); // [512]  2.0 kB
	float *const add_44 = (float *)(m->arena + 7555342336);                                 // [1,1,1,512]  2.0 kB  steps 129-199
	float *const rsqrt_44 = (float *)(m->arena + 7555344384);                               // [1,1,1,512]  2.0 kB  steps 129-198
	float *const mul_44 = (float *)(m->arena + 7555346432);                                 // [1,1,1,512]  2.0 kB  steps 129-199
	float *const partial_44 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 129-129
	batchnorm_statistics(&batchnorm_statistics_50176x512_kernel, conv_44, bottleneck_14_conv_bn_batchnorm_running_mean, bottleneck_14_conv_bn_batchnorm_running_var, bottleneck_14_conv_bn_batchnorm_weight, add_44, rsqrt_44, mul_44, partial_44);
	nnr_step(130, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck_14  [256,14,14,512]  102.8 MFLOP  205.5 MB");
	float *const bottleneck_14_conv_bn_batchnorm_bias = (float *)(m->params + 102136064);   // [512]  2.0 kB
	float *const relu_27 = (float *)(m->arena + 20603469824);                               // [256,14,14,512]  102.8 MB  steps 130-296
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_50176x512_kernel, conv_44, add_44, mul_44, bottleneck_14_conv_bn_batchnorm_bias, relu_27);
	nnr_step(131, "residual.net:7  conv(relu_27, bottleneck_14_conv_bn_2_conv_weight)  [256,7,7,512]  59.2 GFLOP  137.9 MB");
	float *const bottleneck_14_conv_bn_2_conv_weight = (float *)(m->params + 36147968);     // [512,3,3,512]  9.4 MB
	float *const conv_45 = (float *)(m->arena + 22401245376);                               // [256,7,7,512]  25.7 MB  steps 131-296
	conv_any_size(&conv_256x7x7x512_shape, &conv_256x7x7x512_plan, relu_27, bottleneck_14_conv_bn_2_conv_weight, conv_45);
	nnr_step(132, "residual.net:9  batchnorm_statistics of bottleneck_14.conv_bn_2  [1,1,1,512]  25.7 MFLOP  25.7 MB");
	float *const bottleneck_14_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 126464); // [512]  2.0 kB
	float *const bottleneck_14_conv_bn_2_batchnorm_running_var = (float *)(m->state + 128512); // [512]  2.0 kB
	float *const bottleneck_14_conv_bn_2_batchnorm_weight = (float *)(m->params + 102138112); // [512]  2.0 kB
	float *const add_45 = (float *)(m->arena + 7555348480);                                 // [1,1,1,512]  2.0 kB  steps 132-195
	float *const rsqrt_45 = (float *)(m->arena + 7555350528);                               // [1,1,1,512]  2.0 kB  steps 132-194
	float *const mul_45 = (float *)(m->arena + 7555352576);                                 // [1,1,1,512]  2.0 kB  steps 132-195
	float *const partial_45 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 132-132
	batchnorm_statistics(&batchnorm_statistics_12544x512_kernel, conv_45, bottleneck_14_conv_bn_2_batchnorm_running_mean, bottleneck_14_conv_bn_2_batchnorm_running_var, bottleneck_14_conv_bn_2_batchnorm_weight, add_45, rsqrt_45, mul_45, partial_45);
	nnr_step(133, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck_14  [256,7,7,512]  25.7 MFLOP  51.4 MB");
	float *const bottleneck_14_conv_bn_2_batchnorm_bias = (float *)(m->params + 102140160); // [512]  2.0 kB
	float *const relu_28 = (float *)(m->arena + 22426935488);                               // [256,7,7,512]  25.7 MB  steps 133-292
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_12544x512_kernel, conv_45, add_45, mul_45, bottleneck_14_conv_bn_2_batchnorm_bias, relu_28);
	nnr_step(134, "residual.net:7  conv(relu_28, bottleneck_14_conv_bn_3_conv_weight)  [256,7,7,2048]  26.3 GFLOP  132.6 MB");
	float *const bottleneck_14_conv_bn_3_conv_weight = (float *)(m->params + 45585152);     // [2048,1,1,512]  4.2 MB
	float *const conv_46 = (float *)(m->arena + 7193231360);                                // [256,7,7,2048]  102.8 MB  steps 134-191
	conv_any_size(&conv_256x7x7x2048_shape, &conv_256x7x7x2048_plan, relu_28, bottleneck_14_conv_bn_3_conv_weight, conv_46);
	nnr_step(135, "residual.net:9  batchnorm_statistics of bottleneck_14.conv_bn_3  [1,1,1,2048]  102.8 MFLOP  102.8 MB");
	float *const bottleneck_14_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 130560); // [2048]  8.2 kB
	float *const bottleneck_14_conv_bn_3_batchnorm_running_var = (float *)(m->state + 138752); // [2048]  8.2 kB
	float *const bottleneck_14_conv_bn_3_batchnorm_weight = (float *)(m->params + 102142208); // [2048]  8.2 kB
	float *const add_46 = (float *)(m->arena + 7555252224);                                 // [1,1,1,2048]  8.2 kB  steps 135-191
	float *const rsqrt_46 = (float *)(m->arena + 7555260416);                               // [1,1,1,2048]  8.2 kB  steps 135-187
	float *const mul_46 = (float *)(m->arena + 7555268608);                                 // [1,1,1,2048]  8.2 kB  steps 135-191
	float *const partial_46 = (float *)(m->arena + 7295991808);                             // [135168]  540.7 kB  steps 135-135
	batchnorm_statistics(&batchnorm_statistics_12544x2048_kernel, conv_46, bottleneck_14_conv_bn_3_batchnorm_running_mean, bottleneck_14_conv_bn_3_batchnorm_running_var, bottleneck_14_conv_bn_3_batchnorm_weight, add_46, rsqrt_46, mul_46, partial_46);
	nnr_step(136, "residual.net:7  conv(x_14, bottleneck_14_conv_bn_4_conv_weight)  [256,7,7,2048]  52.6 GFLOP  316.7 MB");
	float *const bottleneck_14_conv_bn_4_conv_weight = (float *)(m->params + 49779456);     // [2048,1,1,1024]  8.4 MB
	float *const conv_47 = (float *)(m->arena + 20706230272);                               // [256,7,7,2048]  102.8 MB  steps 136-289
	conv_any_size(&conv_256x7x7x2048_2_shape, &conv_256x7x7x2048_2_plan, x_14, bottleneck_14_conv_bn_4_conv_weight, conv_47);
	nnr_step(137, "residual.net:9  batchnorm_statistics of bottleneck_14.conv_bn_4  [1,1,1,2048]  102.8 MFLOP  102.8 MB");
	float *const bottleneck_14_conv_bn_4_batchnorm_running_mean = (float *)(m->state + 146944); // [2048]  8.2 kB
	float *const bottleneck_14_conv_bn_4_batchnorm_running_var = (float *)(m->state + 155136); // [2048]  8.2 kB
	float *const bottleneck_14_conv_bn_4_batchnorm_weight = (float *)(m->params + 102158592); // [2048]  8.2 kB
	float *const add_47 = (float *)(m->arena + 7555276800);                                 // [1,1,1,2048]  8.2 kB  steps 137-188
	float *const rsqrt_47 = (float *)(m->arena + 7555284992);                               // [1,1,1,2048]  8.2 kB  steps 137-187
	float *const mul_47 = (float *)(m->arena + 7555293184);                                 // [1,1,1,2048]  8.2 kB  steps 137-188
	float *const partial_47 = (float *)(m->arena + 7295991808);                             // [135168]  540.7 kB  steps 137-137
	batchnorm_statistics(&batchnorm_statistics_12544x2048_kernel, conv_47, bottleneck_14_conv_bn_4_batchnorm_running_mean, bottleneck_14_conv_bn_4_batchnorm_running_var, bottleneck_14_conv_bn_4_batchnorm_weight, add_47, rsqrt_47, mul_47, partial_47);
	nnr_step(138, "residual.net:9,28  batchnorm_add_relu of bottleneck_14  [256,7,7,2048]  205.5 MFLOP  308.3 MB");
	float *const bottleneck_14_conv_bn_3_batchnorm_bias = (float *)(m->params + 102150400); // [2048]  8.2 kB
	float *const bottleneck_14_conv_bn_4_batchnorm_bias = (float *)(m->params + 102166784); // [2048]  8.2 kB
	float *const x_15 = (float *)(m->arena + 7912554496);                                   // [256,7,7,2048]  102.8 MB  steps 138-285
	batchnorm_add_relu(&batchnorm_add_relu_12544x2048_kernel, conv_46, add_46, mul_46, bottleneck_14_conv_bn_3_batchnorm_bias, conv_47, add_47, mul_47, bottleneck_14_conv_bn_4_batchnorm_bias, x_15);
	nnr_step(139, "residual.net:7  conv(x_15, bottleneck_15_conv_bn_conv_weight)  [256,7,7,512]  26.3 GFLOP  132.6 MB");
	float *const bottleneck_15_conv_bn_conv_weight = (float *)(m->params + 58168064);       // [512,1,1,2048]  4.2 MB
	float *const conv_48 = (float *)(m->arena + 22452625600);                               // [256,7,7,512]  25.7 MB  steps 139-285
	conv_any_size(&conv_256x7x7x512_2_shape, &conv_256x7x7x512_2_plan, x_15, bottleneck_15_conv_bn_conv_weight, conv_48);
	nnr_step(140, "residual.net:9  batchnorm_statistics of bottleneck_15.conv_bn  [1,1,1,512]  25.7 MFLOP  25.7 MB");
	float *const bottleneck_15_conv_bn_batchnorm_running_mean = (float *)(m->state + 163328); // [512]  2.0 kB
	float *const bottleneck_15_conv_bn_batchnorm_running_var = (float *)(m->state + 165376); // [512]  2.0 kB
	float *const bottleneck_15_conv_bn_batchnorm_weight = (float *)(m->params + 102174976); // [512]  2.0 kB
	float *const add_48 = (float *)(m->arena + 7555354624);                                 // [1,1,1,512]  2.0 kB  steps 140-184
	float *const rsqrt_48 = (float *)(m->arena + 7555356672);                               // [1,1,1,512]  2.0 kB  steps 140-183
	float *const mul_48 = (float *)(m->arena + 7555358720);                                 // [1,1,1,512]  2.0 kB  steps 140-184
	float *const partial_48 = (float *)(m->arena + 7295991808);                             // [135168]  540.7 kB  steps 140-140
	batchnorm_statistics(&batchnorm_statistics_12544x512_kernel, conv_48, bottleneck_15_conv_bn_batchnorm_running_mean, bottleneck_15_conv_bn_batchnorm_running_var, bottleneck_15_conv_bn_batchnorm_weight, add_48, rsqrt_48, mul_48, partial_48);
	nnr_step(141, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck_15  [256,7,7,512]  25.7 MFLOP  51.4 MB");
	float *const bottleneck_15_conv_bn_batchnorm_bias = (float *)(m->params + 102177024);   // [512]  2.0 kB
	float *const relu_29 = (float *)(m->arena + 22478315712);                               // [256,7,7,512]  25.7 MB  steps 141-281
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_12544x512_kernel, conv_48, add_48, mul_48, bottleneck_15_conv_bn_batchnorm_bias, relu_29);
	nnr_step(142, "residual.net:7  conv(relu_29, bottleneck_15_conv_bn_2_conv_weight)  [256,7,7,512]  59.2 GFLOP  60.8 MB");
	float *const bottleneck_15_conv_bn_2_conv_weight = (float *)(m->params + 62362368);     // [512,3,3,512]  9.4 MB
	float *const conv_49 = (float *)(m->arena + 22504005824);                               // [256,7,7,512]  25.7 MB  steps 142-281
	conv_any_size(&conv_256x7x7x512_3_shape, &conv_256x7x7x512_3_plan, relu_29, bottleneck_15_conv_bn_2_conv_weight, conv_49);
	nnr_step(143, "residual.net:9  batchnorm_statistics of bottleneck_15.conv_bn_2  [1,1,1,512]  25.7 MFLOP  25.7 MB");
	float *const bottleneck_15_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 167424); // [512]  2.0 kB
	float *const bottleneck_15_conv_bn_2_batchnorm_running_var = (float *)(m->state + 169472); // [512]  2.0 kB
	float *const bottleneck_15_conv_bn_2_batchnorm_weight = (float *)(m->params + 102179072); // [512]  2.0 kB
	float *const add_49 = (float *)(m->arena + 7555360768);                                 // [1,1,1,512]  2.0 kB  steps 143-180
	float *const rsqrt_49 = (float *)(m->arena + 7555362816);                               // [1,1,1,512]  2.0 kB  steps 143-179
	float *const mul_49 = (float *)(m->arena + 7555364864);                                 // [1,1,1,512]  2.0 kB  steps 143-180
	float *const partial_49 = (float *)(m->arena + 7295991808);                             // [135168]  540.7 kB  steps 143-143
	batchnorm_statistics(&batchnorm_statistics_12544x512_kernel, conv_49, bottleneck_15_conv_bn_2_batchnorm_running_mean, bottleneck_15_conv_bn_2_batchnorm_running_var, bottleneck_15_conv_bn_2_batchnorm_weight, add_49, rsqrt_49, mul_49, partial_49);
	nnr_step(144, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck_15  [256,7,7,512]  25.7 MFLOP  51.4 MB");
	float *const bottleneck_15_conv_bn_2_batchnorm_bias = (float *)(m->params + 102181120); // [512]  2.0 kB
	float *const relu_30 = (float *)(m->arena + 22529695936);                               // [256,7,7,512]  25.7 MB  steps 144-277
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_12544x512_kernel, conv_49, add_49, mul_49, bottleneck_15_conv_bn_2_batchnorm_bias, relu_30);
	nnr_step(145, "residual.net:7  conv(relu_30, bottleneck_15_conv_bn_3_conv_weight)  [256,7,7,2048]  26.3 GFLOP  132.6 MB");
	float *const bottleneck_15_conv_bn_3_conv_weight = (float *)(m->params + 71799552);     // [2048,1,1,512]  4.2 MB
	float *const conv_50 = (float *)(m->arena + 8015314944);                                // [256,7,7,2048]  102.8 MB  steps 145-277
	conv_any_size(&conv_256x7x7x2048_shape, &conv_256x7x7x2048_plan, relu_30, bottleneck_15_conv_bn_3_conv_weight, conv_50);
	nnr_step(146, "residual.net:9  batchnorm_statistics of bottleneck_15.conv_bn_3  [1,1,1,2048]  102.8 MFLOP  102.8 MB");
	float *const bottleneck_15_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 171520); // [2048]  8.2 kB
	float *const bottleneck_15_conv_bn_3_batchnorm_running_var = (float *)(m->state + 179712); // [2048]  8.2 kB
	float *const bottleneck_15_conv_bn_3_batchnorm_weight = (float *)(m->params + 102183168); // [2048]  8.2 kB
	float *const add_50 = (float *)(m->arena + 7555301376);                                 // [1,1,1,2048]  8.2 kB  steps 146-176
	float *const rsqrt_50 = (float *)(m->arena + 7555309568);                               // [1,1,1,2048]  8.2 kB  steps 146-175
	float *const mul_50 = (float *)(m->arena + 7555317760);                                 // [1,1,1,2048]  8.2 kB  steps 146-176
	float *const partial_50 = (float *)(m->arena + 7295991808);                             // [135168]  540.7 kB  steps 146-146
	batchnorm_statistics(&batchnorm_statistics_12544x2048_kernel, conv_50, bottleneck_15_conv_bn_3_batchnorm_running_mean, bottleneck_15_conv_bn_3_batchnorm_running_var, bottleneck_15_conv_bn_3_batchnorm_weight, add_50, rsqrt_50, mul_50, partial_50);
	nnr_step(147, "residual.net:9,28  batchnorm_add_relu_backward of bottleneck_15  [256,7,7,2048]  154.1 MFLOP  334.0 MB");
	float *const bottleneck_15_conv_bn_3_batchnorm_bias = (float *)(m->params + 102191360); // [2048]  8.2 kB
	float *const x_16 = (float *)(m->arena + 8118075392);                                   // [256,7,7,2048]  102.8 MB  steps 147-273
	uint8_t *const positive_11 = (uint8_t *)(m->arena + 7501512704);                        // [256,7,7,2048]  25.7 MB  steps 147-175
	batchnorm_add_relu_backward(&batchnorm_add_relu_backward_12544x2048_kernel, conv_50, add_50, mul_50, bottleneck_15_conv_bn_3_batchnorm_bias, x_15, x_16, positive_11);
	nnr_step(148, "residual.net:7  conv(x_16, bottleneck_16_conv_bn_conv_weight)  [256,7,7,512]  26.3 GFLOP  132.6 MB");
	float *const bottleneck_16_conv_bn_conv_weight = (float *)(m->params + 75993856);       // [512,1,1,2048]  4.2 MB
	float *const conv_51 = (float *)(m->arena + 22555386048);                               // [256,7,7,512]  25.7 MB  steps 148-273
	conv_any_size(&conv_256x7x7x512_2_shape, &conv_256x7x7x512_2_plan, x_16, bottleneck_16_conv_bn_conv_weight, conv_51);
	nnr_step(149, "residual.net:9  batchnorm_statistics of bottleneck_16.conv_bn  [1,1,1,512]  25.7 MFLOP  25.7 MB");
	float *const bottleneck_16_conv_bn_batchnorm_running_mean = (float *)(m->state + 187904); // [512]  2.0 kB
	float *const bottleneck_16_conv_bn_batchnorm_running_var = (float *)(m->state + 189952); // [512]  2.0 kB
	float *const bottleneck_16_conv_bn_batchnorm_weight = (float *)(m->params + 102199552); // [512]  2.0 kB
	float *const add_51 = (float *)(m->arena + 7322222592);                                 // [1,1,1,512]  2.0 kB  steps 149-172
	float *const rsqrt_51 = (float *)(m->arena + 7322224640);                               // [1,1,1,512]  2.0 kB  steps 149-171
	float *const mul_51 = (float *)(m->arena + 7322226688);                                 // [1,1,1,512]  2.0 kB  steps 149-172
	float *const partial_51 = (float *)(m->arena + 7295991808);                             // [135168]  540.7 kB  steps 149-149
	batchnorm_statistics(&batchnorm_statistics_12544x512_kernel, conv_51, bottleneck_16_conv_bn_batchnorm_running_mean, bottleneck_16_conv_bn_batchnorm_running_var, bottleneck_16_conv_bn_batchnorm_weight, add_51, rsqrt_51, mul_51, partial_51);
	nnr_step(150, "residual.net:9,23  batchnorm_relu_round_tf32 of bottleneck_16  [256,7,7,512]  25.7 MFLOP  51.4 MB");
	float *const bottleneck_16_conv_bn_batchnorm_bias = (float *)(m->params + 102201600);   // [512]  2.0 kB
	float *const relu_31 = (float *)(m->arena + 22581076160);                               // [256,7,7,512]  25.7 MB  steps 150-269
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_12544x512_kernel, conv_51, add_51, mul_51, bottleneck_16_conv_bn_batchnorm_bias, relu_31);
	nnr_step(151, "residual.net:7  conv(relu_31, bottleneck_16_conv_bn_2_conv_weight)  [256,7,7,512]  59.2 GFLOP  60.8 MB");
	float *const bottleneck_16_conv_bn_2_conv_weight = (float *)(m->params + 80188160);     // [512,3,3,512]  9.4 MB
	float *const conv_52 = (float *)(m->arena + 22606766272);                               // [256,7,7,512]  25.7 MB  steps 151-269
	conv_any_size(&conv_256x7x7x512_3_shape, &conv_256x7x7x512_3_plan, relu_31, bottleneck_16_conv_bn_2_conv_weight, conv_52);
	nnr_step(152, "residual.net:9  batchnorm_statistics of bottleneck_16.conv_bn_2  [1,1,1,512]  25.7 MFLOP  25.7 MB");
	float *const bottleneck_16_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 192000); // [512]  2.0 kB
	float *const bottleneck_16_conv_bn_2_batchnorm_running_var = (float *)(m->state + 194048); // [512]  2.0 kB
	float *const bottleneck_16_conv_bn_2_batchnorm_weight = (float *)(m->params + 102203648); // [512]  2.0 kB
	float *const add_52 = (float *)(m->arena + 7322228736);                                 // [1,1,1,512]  2.0 kB  steps 152-168
	float *const rsqrt_52 = (float *)(m->arena + 7322230784);                               // [1,1,1,512]  2.0 kB  steps 152-167
	float *const mul_52 = (float *)(m->arena + 7322232832);                                 // [1,1,1,512]  2.0 kB  steps 152-168
	float *const partial_52 = (float *)(m->arena + 7295991808);                             // [135168]  540.7 kB  steps 152-152
	batchnorm_statistics(&batchnorm_statistics_12544x512_kernel, conv_52, bottleneck_16_conv_bn_2_batchnorm_running_mean, bottleneck_16_conv_bn_2_batchnorm_running_var, bottleneck_16_conv_bn_2_batchnorm_weight, add_52, rsqrt_52, mul_52, partial_52);
	nnr_step(153, "residual.net:9,24  batchnorm_relu_round_tf32 of bottleneck_16  [256,7,7,512]  25.7 MFLOP  51.4 MB");
	float *const bottleneck_16_conv_bn_2_batchnorm_bias = (float *)(m->params + 102205696); // [512]  2.0 kB
	float *const relu_32 = (float *)(m->arena + 22632456384);                               // [256,7,7,512]  25.7 MB  steps 153-265
	batchnorm_relu_round_tf32(&batchnorm_relu_round_tf32_12544x512_kernel, conv_52, add_52, mul_52, bottleneck_16_conv_bn_2_batchnorm_bias, relu_32);
	nnr_step(154, "residual.net:7  conv(relu_32, bottleneck_16_conv_bn_3_conv_weight)  [256,7,7,2048]  26.3 GFLOP  132.6 MB");
	float *const bottleneck_16_conv_bn_3_conv_weight = (float *)(m->params + 89625344);     // [2048,1,1,512]  4.2 MB
	float *const conv_53 = (float *)(m->arena + 20808990720);                               // [256,7,7,2048]  102.8 MB  steps 154-265
	conv_any_size(&conv_256x7x7x2048_shape, &conv_256x7x7x2048_plan, relu_32, bottleneck_16_conv_bn_3_conv_weight, conv_53);
	nnr_step(155, "residual.net:9  batchnorm_statistics of bottleneck_16.conv_bn_3  [1,1,1,2048]  102.8 MFLOP  102.8 MB");
	float *const bottleneck_16_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 196096); // [2048]  8.2 kB
	float *const bottleneck_16_conv_bn_3_batchnorm_running_var = (float *)(m->state + 204288); // [2048]  8.2 kB
	float *const bottleneck_16_conv_bn_3_batchnorm_weight = (float *)(m->params + 102207744); // [2048]  8.2 kB
	float *const add_53 = (float *)(m->arena + 7296532480);                                 // [1,1,1,2048]  8.2 kB  steps 155-164
	float *const rsqrt_53 = (float *)(m->arena + 7296540672);                               // [1,1,1,2048]  8.2 kB  steps 155-163
	float *const mul_53 = (float *)(m->arena + 7296548864);                                 // [1,1,1,2048]  8.2 kB  steps 155-164
	float *const partial_53 = (float *)(m->arena + 7295991808);                             // [135168]  540.7 kB  steps 155-155
	batchnorm_statistics(&batchnorm_statistics_12544x2048_kernel, conv_53, bottleneck_16_conv_bn_3_batchnorm_running_mean, bottleneck_16_conv_bn_3_batchnorm_running_var, bottleneck_16_conv_bn_3_batchnorm_weight, add_53, rsqrt_53, mul_53, partial_53);
	nnr_step(156, "residual.net:9,28 resnet.net:26  batchnorm_add_relu_backward_avgpool  [256,7,7,2048]  180.4 MFLOP  233.3 MB");
	float *const bottleneck_16_conv_bn_3_batchnorm_bias = (float *)(m->params + 102215936); // [2048]  8.2 kB
	float *const mul_54 = (float *)(m->arena + 21014511616);                                // [256,2048]  2.1 MB  steps 156-260
	uint8_t *const positive_12 = (uint8_t *)(m->arena + 7527202816);                        // [256,7,7,2048]  25.7 MB  steps 156-175
	batchnorm_add_relu_backward_round_tf32(&batchnorm_add_relu_backward_avgpool_256x49x2048_kernel, conv_53, add_53, mul_53, bottleneck_16_conv_bn_3_batchnorm_bias, x_16, mul_54, positive_12);
	nnr_step(157, "resnet.net:26  matmul(mul_54, dense_weight)  [256,1000]  1.0 GFLOP  11.3 MB");
	float *const dense_weight = (float *)(m->params + 93819648);                            // [1000,2048]  8.2 MB
	float *const matmul = (float *)(m->arena + 21016608768);                                // [256,1000]  1.0 MB  steps 157-260
	matmul_any_size(&matmul_256x1000_shape, &matmul_256x1000_plan, mul_54, dense_weight, matmul);

	/* ---- loss */
	nnr_step(158, "resnet.net:26,28,29  bias_backward_cross_entropy_backward_top1_mean  [256,1000]  7.9 MFLOP  2.1 MB");
	float *const dense_bias = (float *)(m->params + 102224128);                             // [1000]  4.0 kB
	int32_t *const label_2 = (int32_t *)(m->inputs + 38535168);                             // [256,1]  1.0 kB
	float *const partial_54 = (float *)(m->arena + 21017632768);                            // [205824]  823.3 kB  steps 158-259
	bias_backward_cross_entropy_backward_top1_mean_256x1000(matmul, dense_bias, label_2, partial_54);
	nnr_scores_wait();
	nnr_branch_begin();
	nnr_step(159, "resnet.net:26,28,29  mean_bias_backward  [1000]  2 FLOP  4.0 kB");
	float *const loss = (float *)(m->arena + 22658221504);                                  // []  4 B  steps 159-end
	float *const top1 = (float *)(m->arena + 22658221568);                                  // []  4 B  steps 159-end
	float *const dense_dbias = (float *)(m->arena + 21219496192);                           // [1000]  4.0 kB  steps 159-372
	mean_bias_backward_256x1000(loss, top1, dense_dbias, partial_54);
	nnr_branch_end(0);

	/* ---- backward */
	nnr_branch_begin();
	nnr_step(160, "resnet.net:26  matmul(dlogits, mul_54)  [1000,2048]  1.0 GFLOP  11.3 MB");
	float *const dlogits = (float *)(m->arena + 21016608768);                               // [256,1000]  1.0 MB  steps 157-260
	float *const dense_dweight = (float *)(m->arena + 21211091712);                         // [1000,2048]  8.2 MB  steps 159-372
	matmul_any_size(&matmul_1000x2048_shape, &matmul_1000x2048_plan, dlogits, mul_54, dense_dweight);
	nnr_branch_end(1);
	nnr_step(161, "resnet.net:26  matmul(dlogits, dense_weight)  [256,2048]  1.0 GFLOP  11.3 MB");
	float *const matmul_2 = (float *)(m->arena + 7552892928);                               // [256,2048]  2.1 MB  steps 161-175
	matmul_any_size(&matmul_256x2048_shape, &matmul_256x2048_plan, dlogits, dense_weight, matmul_2);
	nnr_step(162, "resnet.net:26  matmul_2 * 0.0204082  [256,1,1,2048]  524.3 kFLOP  4.2 MB");
	avgpool_backward_524288(matmul_2);
	nnr_step(163, "residual.net:9,28  relu_batchnorm_backward_sums of bottleneck_16  [1,1,1,2048]  128.5 MFLOP  130.6 MB");
	float *const mul_55 = (float *)(m->arena + 7552892928);                                 // [256,1,1,2048]  2.1 MB  steps 161-175
	float *const mul_56 = (float *)(m->arena + 7296557056);                                 // [1,1,1,2048]  8.2 kB  steps 163-164
	float *const mul_57 = (float *)(m->arena + 7296565248);                                 // [1,1,1,2048]  8.2 kB  steps 163-164
	float *const bottleneck_16_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219479808); // [2048]  8.2 kB  steps 159-372
	float *const bottleneck_16_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219488000); // [2048]  8.2 kB  steps 159-372
	float *const partial_55 = (float *)(m->arena + 7295991808);                             // [135168]  540.7 kB  steps 163-163
	relu_batchnorm_backward_sums_256x49x2048(positive_12, mul_55, conv_53, add_53, mul_53, rsqrt_53, mul_56, mul_57, bottleneck_16_conv_bn_3_batchnorm_dweight, bottleneck_16_conv_bn_3_batchnorm_dbias, partial_55);
	nnr_step(164, "residual.net:9,28  relu_batchnorm_backward of bottleneck_16  [256,7,7,2048]  154.1 MFLOP  233.3 MB");
	relu_batchnorm_backward_256x49x2048(positive_12, mul_55, mul_53, conv_53, add_53, mul_56, mul_57);
	nnr_branch_begin();
	nnr_step(165, "residual.net:7  conv_wgrad(relu_32, dconv)  [2048,1,1,512]  26.3 GFLOP  132.6 MB");
	float *const dconv = (float *)(m->arena + 20808990720);                                 // [256,7,7,2048]  102.8 MB  steps 154-265
	float *const bottleneck_16_conv_bn_3_conv_dweight = (float *)(m->arena + 21206897408);  // [2048,1,1,512]  4.2 MB  steps 159-372
	conv_wgrad(&conv_wgrad_2048x1x1x512_shape, &conv_wgrad_2048x1x1x512_plan, relu_32, dconv, bottleneck_16_conv_bn_3_conv_dweight);
	nnr_branch_end(2);
	nnr_step(166, "residual.net:7  conv_dgrad(dconv, bottleneck_16_conv_bn_3_conv_weight)  [256,7,7,512]  26.3 GFLOP  132.6 MB");
	float *const conv_dgrad = (float *)(m->arena + 7295991808);                             // [256,7,7,512]  25.7 MB  steps 166-168
	conv_dgrad_any_size(&conv_dgrad_256x7x7x512_shape, &conv_dgrad_256x7x7x512_plan, dconv, bottleneck_16_conv_bn_3_conv_weight, conv_dgrad);
	nnr_step(167, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_16  [1,1,1,512]  64.2 MFLOP  51.4 MB");
	float *const mul_58 = (float *)(m->arena + 7322234880);                                 // [1,1,1,512]  2.0 kB  steps 167-168
	float *const mul_59 = (float *)(m->arena + 7322236928);                                 // [1,1,1,512]  2.0 kB  steps 167-168
	float *const bottleneck_16_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219475712); // [512]  2.0 kB  steps 159-372
	float *const bottleneck_16_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219477760); // [512]  2.0 kB  steps 159-372
	float *const partial_56 = (float *)(m->arena + 7321681920);                             // [135168]  540.7 kB  steps 167-167
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_12544x512_kernel, conv_52, add_52, mul_52, bottleneck_16_conv_bn_2_batchnorm_bias, conv_dgrad, rsqrt_52, mul_58, mul_59, bottleneck_16_conv_bn_2_batchnorm_dweight, bottleneck_16_conv_bn_2_batchnorm_dbias, partial_56);
	nnr_step(168, "residual.net:9,24  batchnorm_relu_backward of bottleneck_16  [256,7,7,512]  70.6 MFLOP  77.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_12544x512_kernel, conv_52, add_52, mul_52, bottleneck_16_conv_bn_2_batchnorm_bias, conv_dgrad, mul_58, mul_59);
	nnr_branch_begin();
	nnr_step(169, "residual.net:7  conv_wgrad(relu_31, dconv_2)  [512,3,3,512]  59.2 GFLOP  60.8 MB");
	float *const dconv_2 = (float *)(m->arena + 22606766272);                               // [256,7,7,512]  25.7 MB  steps 151-269
	float *const bottleneck_16_conv_bn_2_conv_dweight = (float *)(m->arena + 21197460224);  // [512,3,3,512]  9.4 MB  steps 159-372
	conv_wgrad(&conv_wgrad_512x3x3x512_shape, &conv_wgrad_512x3x3x512_plan, relu_31, dconv_2, bottleneck_16_conv_bn_2_conv_dweight);
	nnr_branch_end(3);
	nnr_step(170, "residual.net:7  conv_dgrad(dconv_2, bottleneck_16_conv_bn_2_conv_weight)  [256,7,7,512]  59.2 GFLOP  60.8 MB");
	float *const conv_dgrad_2 = (float *)(m->arena + 7295991808);                           // [256,7,7,512]  25.7 MB  steps 170-172
	conv_dgrad_any_size(&conv_dgrad_256x7x7x512_2_shape, &conv_dgrad_256x7x7x512_2_plan, dconv_2, bottleneck_16_conv_bn_2_conv_weight, conv_dgrad_2);
	nnr_step(171, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_16  [1,1,1,512]  64.2 MFLOP  51.4 MB");
	float *const mul_60 = (float *)(m->arena + 7322228736);                                 // [1,1,1,512]  2.0 kB  steps 171-172
	float *const mul_61 = (float *)(m->arena + 7322230784);                                 // [1,1,1,512]  2.0 kB  steps 171-172
	float *const bottleneck_16_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219471616); // [512]  2.0 kB  steps 159-372
	float *const bottleneck_16_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219473664); // [512]  2.0 kB  steps 159-372
	float *const partial_57 = (float *)(m->arena + 7321681920);                             // [135168]  540.7 kB  steps 171-171
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_12544x512_kernel, conv_51, add_51, mul_51, bottleneck_16_conv_bn_batchnorm_bias, conv_dgrad_2, rsqrt_51, mul_60, mul_61, bottleneck_16_conv_bn_batchnorm_dweight, bottleneck_16_conv_bn_batchnorm_dbias, partial_57);
	nnr_step(172, "residual.net:9,23  batchnorm_relu_backward of bottleneck_16  [256,7,7,512]  70.6 MFLOP  77.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_12544x512_kernel, conv_51, add_51, mul_51, bottleneck_16_conv_bn_batchnorm_bias, conv_dgrad_2, mul_60, mul_61);
	nnr_branch_begin();
	nnr_step(173, "residual.net:7  conv_wgrad(x_16, dconv_3)  [512,1,1,2048]  26.3 GFLOP  132.6 MB");
	float *const dconv_3 = (float *)(m->arena + 22555386048);                               // [256,7,7,512]  25.7 MB  steps 148-273
	float *const bottleneck_16_conv_bn_conv_dweight = (float *)(m->arena + 21193265920);    // [512,1,1,2048]  4.2 MB  steps 159-372
	conv_wgrad(&conv_wgrad_512x1x1x2048_shape, &conv_wgrad_512x1x1x2048_plan, x_16, dconv_3, bottleneck_16_conv_bn_conv_dweight);
	nnr_branch_end(4);
	nnr_step(174, "residual.net:7  conv_dgrad(dconv_3, bottleneck_16_conv_bn_conv_weight)  [256,7,7,2048]  26.3 GFLOP  132.6 MB");
	float *const conv_dgrad_3 = (float *)(m->arena + 7295991808);                           // [256,7,7,2048]  102.8 MB  steps 174-175
	conv_dgrad_any_size(&conv_dgrad_256x7x7x2048_shape, &conv_dgrad_256x7x7x2048_plan, dconv_3, bottleneck_16_conv_bn_conv_weight, conv_dgrad_3);
	nnr_step(175, "residual.net:7,9,28  relu_add_batchnorm_backward_sums  [256,7,7,2048]  179.8 MFLOP  361.8 MB");
	float *const dy = (float *)(m->arena + 7398752256);                                     // [256,7,7,2048]  102.8 MB  steps 175-187
	float *const mul_62 = (float *)(m->arena + 7555325952);                                 // [1,1,1,2048]  8.2 kB  steps 175-176
	float *const mul_63 = (float *)(m->arena + 7555334144);                                 // [1,1,1,2048]  8.2 kB  steps 175-176
	float *const bottleneck_15_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219455232); // [2048]  8.2 kB  steps 159-372
	float *const bottleneck_15_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219463424); // [2048]  8.2 kB  steps 159-372
	float *const partial_58 = (float *)(m->arena + 7554990080);                             // [65536]  262.1 kB  steps 175-175
	relu_add_batchnorm_backward_sums_256x49x2048(positive_12, mul_55, conv_dgrad_3, positive_11, conv_50, add_50, mul_50, rsqrt_50, dy, mul_62, mul_63, bottleneck_15_conv_bn_3_batchnorm_dweight, bottleneck_15_conv_bn_3_batchnorm_dbias, partial_58);
	nnr_step(176, "residual.net:9  round_tf32(((dy * mul_50) + (((conv_50 - add_50) * mul_62) + mul_63)))  [256,7,7,2048]  128.5 MFLOP  308.3 MB");
	batchnorm_backward(&batchnorm_backward_12544x2048_kernel, dy, mul_50, conv_50, add_50, mul_62, mul_63);
	nnr_branch_begin();
	nnr_step(177, "residual.net:7  conv_wgrad(relu_30, dconv_4)  [2048,1,1,512]  26.3 GFLOP  132.6 MB");
	float *const dconv_4 = (float *)(m->arena + 8015314944);                                // [256,7,7,2048]  102.8 MB  steps 145-277
	float *const bottleneck_15_conv_bn_3_conv_dweight = (float *)(m->arena + 21189071616);  // [2048,1,1,512]  4.2 MB  steps 159-372
	conv_wgrad(&conv_wgrad_2048x1x1x512_shape, &conv_wgrad_2048x1x1x512_plan, relu_30, dconv_4, bottleneck_15_conv_bn_3_conv_dweight);
	nnr_branch_end(5);
	nnr_step(178, "residual.net:7  conv_dgrad(dconv_4, bottleneck_15_conv_bn_3_conv_weight)  [256,7,7,512]  26.3 GFLOP  132.6 MB");
	float *const conv_dgrad_4 = (float *)(m->arena + 7295991808);                           // [256,7,7,512]  25.7 MB  steps 178-180
	conv_dgrad_any_size(&conv_dgrad_256x7x7x512_shape, &conv_dgrad_256x7x7x512_plan, dconv_4, bottleneck_15_conv_bn_3_conv_weight, conv_dgrad_4);
	nnr_step(179, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_15  [1,1,1,512]  64.2 MFLOP  51.4 MB");
	float *const mul_64 = (float *)(m->arena + 7322222592);                                 // [1,1,1,512]  2.0 kB  steps 179-180
	float *const mul_65 = (float *)(m->arena + 7322224640);                                 // [1,1,1,512]  2.0 kB  steps 179-180
	float *const bottleneck_15_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219451136); // [512]  2.0 kB  steps 159-372
	float *const bottleneck_15_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219453184); // [512]  2.0 kB  steps 159-372
	float *const partial_59 = (float *)(m->arena + 7321681920);                             // [135168]  540.7 kB  steps 179-179
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_12544x512_kernel, conv_49, add_49, mul_49, bottleneck_15_conv_bn_2_batchnorm_bias, conv_dgrad_4, rsqrt_49, mul_64, mul_65, bottleneck_15_conv_bn_2_batchnorm_dweight, bottleneck_15_conv_bn_2_batchnorm_dbias, partial_59);
	nnr_step(180, "residual.net:9,24  batchnorm_relu_backward of bottleneck_15  [256,7,7,512]  70.6 MFLOP  77.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_12544x512_kernel, conv_49, add_49, mul_49, bottleneck_15_conv_bn_2_batchnorm_bias, conv_dgrad_4, mul_64, mul_65);
	nnr_branch_begin();
	nnr_step(181, "residual.net:7  conv_wgrad(relu_29, dconv_5)  [512,3,3,512]  59.2 GFLOP  60.8 MB");
	float *const dconv_5 = (float *)(m->arena + 22504005824);                               // [256,7,7,512]  25.7 MB  steps 142-281
	float *const bottleneck_15_conv_bn_2_conv_dweight = (float *)(m->arena + 21179634432);  // [512,3,3,512]  9.4 MB  steps 159-372
	conv_wgrad(&conv_wgrad_512x3x3x512_shape, &conv_wgrad_512x3x3x512_plan, relu_29, dconv_5, bottleneck_15_conv_bn_2_conv_dweight);
	nnr_branch_end(6);
	nnr_step(182, "residual.net:7  conv_dgrad(dconv_5, bottleneck_15_conv_bn_2_conv_weight)  [256,7,7,512]  59.2 GFLOP  60.8 MB");
	float *const conv_dgrad_5 = (float *)(m->arena + 7295991808);                           // [256,7,7,512]  25.7 MB  steps 182-184
	conv_dgrad_any_size(&conv_dgrad_256x7x7x512_2_shape, &conv_dgrad_256x7x7x512_2_plan, dconv_5, bottleneck_15_conv_bn_2_conv_weight, conv_dgrad_5);
	nnr_step(183, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_15  [1,1,1,512]  64.2 MFLOP  51.4 MB");
	float *const mul_66 = (float *)(m->arena + 7322222592);                                 // [1,1,1,512]  2.0 kB  steps 183-184
	float *const mul_67 = (float *)(m->arena + 7322224640);                                 // [1,1,1,512]  2.0 kB  steps 183-184
	float *const bottleneck_15_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219447040); // [512]  2.0 kB  steps 159-372
	float *const bottleneck_15_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219449088); // [512]  2.0 kB  steps 159-372
	float *const partial_60 = (float *)(m->arena + 7321681920);                             // [135168]  540.7 kB  steps 183-183
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_12544x512_kernel, conv_48, add_48, mul_48, bottleneck_15_conv_bn_batchnorm_bias, conv_dgrad_5, rsqrt_48, mul_66, mul_67, bottleneck_15_conv_bn_batchnorm_dweight, bottleneck_15_conv_bn_batchnorm_dbias, partial_60);
	nnr_step(184, "residual.net:9,23  batchnorm_relu_backward of bottleneck_15  [256,7,7,512]  70.6 MFLOP  77.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_12544x512_kernel, conv_48, add_48, mul_48, bottleneck_15_conv_bn_batchnorm_bias, conv_dgrad_5, mul_66, mul_67);
	nnr_branch_begin();
	nnr_step(185, "residual.net:7  conv_wgrad(x_15, dconv_6)  [512,1,1,2048]  26.3 GFLOP  132.6 MB");
	float *const dconv_6 = (float *)(m->arena + 22452625600);                               // [256,7,7,512]  25.7 MB  steps 139-285
	float *const bottleneck_15_conv_bn_conv_dweight = (float *)(m->arena + 21175440128);    // [512,1,1,2048]  4.2 MB  steps 159-372
	conv_wgrad(&conv_wgrad_512x1x1x2048_shape, &conv_wgrad_512x1x1x2048_plan, x_15, dconv_6, bottleneck_15_conv_bn_conv_dweight);
	nnr_branch_end(7);
	nnr_step(186, "residual.net:7  conv_dgrad(dconv_6, bottleneck_15_conv_bn_conv_weight)  [256,7,7,2048]  26.3 GFLOP  132.6 MB");
	float *const conv_dgrad_6 = (float *)(m->arena + 7295991808);                           // [256,7,7,2048]  102.8 MB  steps 186-187
	conv_dgrad_any_size(&conv_dgrad_256x7x7x2048_shape, &conv_dgrad_256x7x7x2048_plan, dconv_6, bottleneck_15_conv_bn_conv_weight, conv_dgrad_6);
	nnr_step(187, "residual.net:7,9,28  add_batchnorm_relu_backward_sums  [256,7,7,2048]  462.5 MFLOP  513.9 MB");
	float *const dshortcut = (float *)(m->arena + 20911751168);                             // [256,7,7,2048]  102.8 MB  steps 187-292
	float *const mul_68 = (float *)(m->arena + 7501905920);                                 // [1,1,1,2048]  8.2 kB  steps 187-188
	float *const mul_69 = (float *)(m->arena + 7501914112);                                 // [1,1,1,2048]  8.2 kB  steps 187-188
	float *const bottleneck_14_conv_bn_4_batchnorm_dweight = (float *)(m->arena + 21219430656); // [2048]  8.2 kB  steps 159-372
	float *const bottleneck_14_conv_bn_4_batchnorm_dbias = (float *)(m->arena + 21219422464); // [2048]  8.2 kB  steps 159-372
	float *const mul_70 = (float *)(m->arena + 7501922304);                                 // [1,1,1,2048]  8.2 kB  steps 187-191
	float *const mul_71 = (float *)(m->arena + 7501930496);                                 // [1,1,1,2048]  8.2 kB  steps 187-191
	float *const bottleneck_14_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219414272); // [2048]  8.2 kB  steps 159-372
	float *const bottleneck_14_conv_bn_4_batchnorm_dbias_2 = (float *)(m->arena + 21219438848); // [2048]  8.2 kB  steps 159-372
	float *const partial_61 = (float *)(m->arena + 7501512704);                             // [98304]  393.2 kB  steps 187-187
	add_batchnorm_relu_backward_sums(&add_batchnorm_relu_backward_sums_12544x2048_kernel, dy, conv_dgrad_6, conv_46, add_46, mul_46, bottleneck_14_conv_bn_3_batchnorm_bias, conv_47, add_47, mul_47, bottleneck_14_conv_bn_4_batchnorm_bias, rsqrt_47, rsqrt_46, dshortcut, mul_68, mul_69, bottleneck_14_conv_bn_4_batchnorm_dweight, bottleneck_14_conv_bn_4_batchnorm_dbias, mul_70, mul_71, bottleneck_14_conv_bn_3_batchnorm_dweight, bottleneck_14_conv_bn_4_batchnorm_dbias_2, partial_61);
	nnr_step(188, "residual.net:9  batchnorm_backward of bottleneck_14.conv_bn_4  [256,7,7,2048]  128.5 MFLOP  308.3 MB");
	batchnorm_backward(&batchnorm_backward_12544x2048_kernel, dshortcut, mul_47, conv_47, add_47, mul_68, mul_69);
	nnr_branch_begin();
	nnr_step(189, "residual.net:7  conv_wgrad(x_14, dconv_7)  [2048,1,1,1024]  52.6 GFLOP  316.7 MB");
	float *const dconv_7 = (float *)(m->arena + 20706230272);                               // [256,7,7,2048]  102.8 MB  steps 136-289
	float *const bottleneck_14_conv_bn_4_conv_dweight = (float *)(m->arena + 21167051520);  // [2048,1,1,1024]  8.4 MB  steps 159-372
	conv_wgrad(&conv_wgrad_2048x1x1x1024_shape, &conv_wgrad_2048x1x1x1024_plan, x_14, dconv_7, bottleneck_14_conv_bn_4_conv_dweight);
	nnr_branch_end(8);
	nnr_step(190, "residual.net:7  conv_dgrad(dconv_7, bottleneck_14_conv_bn_4_conv_weight)  [256,7,7,1024]  52.6 GFLOP  162.5 MB");
	float *const conv_dgrad_7 = (float *)(m->arena + 7655653376);                           // [256,7,7,1024]  51.4 MB  steps 190-202
	conv_dgrad_any_size(&conv_dgrad_256x7x7x1024_shape, &conv_dgrad_256x7x7x1024_plan, dconv_7, bottleneck_14_conv_bn_4_conv_weight, conv_dgrad_7);
	nnr_step(191, "residual.net:9  batchnorm_backward of bottleneck_14.conv_bn_3  [256,7,7,2048]  128.5 MFLOP  308.3 MB");
	batchnorm_backward_2(&batchnorm_backward_12544x2048_2_kernel, dshortcut, mul_46, conv_46, add_46, mul_70, mul_71);
	nnr_branch_begin();
	nnr_step(192, "residual.net:7  conv_wgrad(relu_28, dconv_8)  [2048,1,1,512]  26.3 GFLOP  132.6 MB");
	float *const dconv_8 = (float *)(m->arena + 20911751168);                               // [256,7,7,2048]  102.8 MB  steps 187-292
	float *const bottleneck_14_conv_bn_3_conv_dweight = (float *)(m->arena + 21162857216);  // [2048,1,1,512]  4.2 MB  steps 159-372
	conv_wgrad(&conv_wgrad_2048x1x1x512_shape, &conv_wgrad_2048x1x1x512_plan, relu_28, dconv_8, bottleneck_14_conv_bn_3_conv_dweight);
	nnr_branch_end(9);
	nnr_step(193, "residual.net:7  conv_dgrad(dconv_8, bottleneck_14_conv_bn_3_conv_weight)  [256,7,7,512]  26.3 GFLOP  132.6 MB");
	float *const conv_dgrad_8 = (float *)(m->arena + 7193231360);                           // [256,7,7,512]  25.7 MB  steps 193-195
	conv_dgrad_any_size(&conv_dgrad_256x7x7x512_shape, &conv_dgrad_256x7x7x512_plan, dconv_8, bottleneck_14_conv_bn_3_conv_weight, conv_dgrad_8);
	nnr_step(194, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_14  [1,1,1,512]  64.2 MFLOP  51.4 MB");
	float *const mul_72 = (float *)(m->arena + 7219462144);                                 // [1,1,1,512]  2.0 kB  steps 194-195
	float *const mul_73 = (float *)(m->arena + 7219464192);                                 // [1,1,1,512]  2.0 kB  steps 194-195
	float *const bottleneck_14_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219410176); // [512]  2.0 kB  steps 159-372
	float *const bottleneck_14_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219412224); // [512]  2.0 kB  steps 159-372
	float *const partial_62 = (float *)(m->arena + 7218921472);                             // [135168]  540.7 kB  steps 194-194
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_12544x512_kernel, conv_45, add_45, mul_45, bottleneck_14_conv_bn_2_batchnorm_bias, conv_dgrad_8, rsqrt_45, mul_72, mul_73, bottleneck_14_conv_bn_2_batchnorm_dweight, bottleneck_14_conv_bn_2_batchnorm_dbias, partial_62);
	nnr_step(195, "residual.net:9,24  batchnorm_relu_backward of bottleneck_14  [256,7,7,512]  70.6 MFLOP  77.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_12544x512_kernel, conv_45, add_45, mul_45, bottleneck_14_conv_bn_2_batchnorm_bias, conv_dgrad_8, mul_72, mul_73);
	nnr_branch_begin();
	nnr_step(196, "residual.net:7  conv_wgrad(relu_27, dconv_9)  [512,3,3,512]  59.2 GFLOP  137.9 MB");
	float *const dconv_9 = (float *)(m->arena + 22401245376);                               // [256,7,7,512]  25.7 MB  steps 131-296
	float *const bottleneck_14_conv_bn_2_conv_dweight = (float *)(m->arena + 21153420032);  // [512,3,3,512]  9.4 MB  steps 159-372
	conv_wgrad(&conv_wgrad_512x3x3x512_2_shape, &conv_wgrad_512x3x3x512_2_plan, relu_27, dconv_9, bottleneck_14_conv_bn_2_conv_dweight);
	nnr_branch_end(10);
	nnr_step(197, "residual.net:7  conv_dgrad(dconv_9, bottleneck_14_conv_bn_2_conv_weight)  [256,14,14,512]  59.2 GFLOP  137.9 MB");
	float *const conv_dgrad_9 = (float *)(m->arena + 7193231360);                           // [256,14,14,512]  102.8 MB  steps 197-199
	conv_dgrad_any_size(&conv_dgrad_256x14x14x512_shape, &conv_dgrad_256x14x14x512_plan, dconv_9, bottleneck_14_conv_bn_2_conv_weight, conv_dgrad_9);
	nnr_step(198, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_14  [1,1,1,512]  256.9 MFLOP  205.5 MB");
	float *const mul_74 = (float *)(m->arena + 7296532480);                                 // [1,1,1,512]  2.0 kB  steps 198-199
	float *const mul_75 = (float *)(m->arena + 7296534528);                                 // [1,1,1,512]  2.0 kB  steps 198-199
	float *const bottleneck_14_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219406080); // [512]  2.0 kB  steps 159-372
	float *const bottleneck_14_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219408128); // [512]  2.0 kB  steps 159-372
	float *const partial_63 = (float *)(m->arena + 7295991808);                             // [135168]  540.7 kB  steps 198-198
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_50176x512_kernel, conv_44, add_44, mul_44, bottleneck_14_conv_bn_batchnorm_bias, conv_dgrad_9, rsqrt_44, mul_74, mul_75, bottleneck_14_conv_bn_batchnorm_dweight, bottleneck_14_conv_bn_batchnorm_dbias, partial_63);
	nnr_step(199, "residual.net:9,23  batchnorm_relu_backward of bottleneck_14  [256,14,14,512]  282.6 MFLOP  308.3 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_50176x512_kernel, conv_44, add_44, mul_44, bottleneck_14_conv_bn_batchnorm_bias, conv_dgrad_9, mul_74, mul_75);
	nnr_branch_begin();
	nnr_step(200, "residual.net:7  conv_wgrad(x_14, dconv_10)  [512,1,1,1024]  52.6 GFLOP  310.4 MB");
	float *const dconv_10 = (float *)(m->arena + 20500709376);                              // [256,14,14,512]  102.8 MB  steps 128-300
	float *const bottleneck_14_conv_bn_conv_dweight = (float *)(m->arena + 21151322880);    // [512,1,1,1024]  2.1 MB  steps 159-372
	conv_wgrad(&conv_wgrad_512x1x1x1024_shape, &conv_wgrad_512x1x1x1024_plan, x_14, dconv_10, bottleneck_14_conv_bn_conv_dweight);
	nnr_branch_end(11);
	nnr_step(201, "residual.net:7  conv_dgrad(dconv_10, bottleneck_14_conv_bn_conv_weight)  [256,14,14,1024]  52.6 GFLOP  310.4 MB");
	float *const conv_dgrad_10 = (float *)(m->arena + 7193231360);                          // [256,14,14,1024]  205.5 MB  steps 201-202
	conv_dgrad_any_size(&conv_dgrad_256x14x14x1024_shape, &conv_dgrad_256x14x14x1024_plan, dconv_10, bottleneck_14_conv_bn_conv_weight, conv_dgrad_10);
	nnr_step(202, "residual.net:7,9,28  relu_conv_add_batchnorm_backward_sums  [256,14,14,1024]  308.3 MFLOP  719.4 MB");
	float *const dy_2 = (float *)(m->arena + 7398752256);                                   // [256,14,14,1024]  205.5 MB  steps 202-214
	float *const mul_76 = (float *)(m->arena + 7707316224);                                 // [1,1,1,1024]  4.1 kB  steps 202-203
	float *const mul_77 = (float *)(m->arena + 7707320320);                                 // [1,1,1,1024]  4.1 kB  steps 202-203
	float *const bottleneck_13_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219397888); // [1024]  4.1 kB  steps 159-372
	float *const bottleneck_13_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219401984); // [1024]  4.1 kB  steps 159-372
	float *const partial_64 = (float *)(m->arena + 7707033600);                             // [67584]  270.3 kB  steps 202-202
	relu_conv_add_batchnorm_backward_sums(&relu_conv_add_batchnorm_backward_sums_256x14x14x1024_kernel, positive_10, conv_dgrad_7, conv_dgrad_10, conv_43, add_43, mul_43, rsqrt_43, dy_2, mul_76, mul_77, bottleneck_13_conv_bn_3_batchnorm_dweight, bottleneck_13_conv_bn_3_batchnorm_dbias, partial_64);
	nnr_step(203, "residual.net:9  round_tf32(((dy_2 * mul_43) + (((conv_43 - add_43) * mul_76) + mul_77)))  [256,14,14,1024]  256.9 MFLOP  616.6 MB");
	batchnorm_backward(&batchnorm_backward_50176x1024_kernel, dy_2, mul_43, conv_43, add_43, mul_76, mul_77);
	nnr_branch_begin();
	nnr_step(204, "residual.net:7  conv_wgrad(relu_26, dconv_11)  [1024,1,1,256]  26.3 GFLOP  257.9 MB");
	float *const dconv_11 = (float *)(m->arena + 13358858240);                              // [256,14,14,1024]  205.5 MB  steps 125-304
	float *const bottleneck_13_conv_bn_3_conv_dweight = (float *)(m->arena + 21150274304);  // [1024,1,1,256]  1.0 MB  steps 159-372
	conv_wgrad(&conv_wgrad_1024x1x1x256_shape, &conv_wgrad_1024x1x1x256_plan, relu_26, dconv_11, bottleneck_13_conv_bn_3_conv_dweight);
	nnr_branch_end(12);
	nnr_step(205, "residual.net:7  conv_dgrad(dconv_11, bottleneck_13_conv_bn_3_conv_weight)  [256,14,14,256]  26.3 GFLOP  257.9 MB");
	float *const conv_dgrad_11 = (float *)(m->arena + 7193231360);                          // [256,14,14,256]  51.4 MB  steps 205-207
	conv_dgrad_any_size(&conv_dgrad_256x14x14x256_shape, &conv_dgrad_256x14x14x256_plan, dconv_11, bottleneck_13_conv_bn_3_conv_weight, conv_dgrad_11);
	nnr_step(206, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_13  [1,1,1,256]  128.5 MFLOP  102.8 MB");
	float *const mul_78 = (float *)(m->arena + 7245152256);                                 // [1,1,1,256]  1.0 kB  steps 206-207
	float *const mul_79 = (float *)(m->arena + 7245153280);                                 // [1,1,1,256]  1.0 kB  steps 206-207
	float *const bottleneck_13_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219395840); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_13_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219396864); // [256]  1.0 kB  steps 159-372
	float *const partial_65 = (float *)(m->arena + 7244611584);                             // [135168]  540.7 kB  steps 206-206
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_50176x256_kernel, conv_42, add_42, mul_42, bottleneck_13_conv_bn_2_batchnorm_bias, conv_dgrad_11, rsqrt_42, mul_78, mul_79, bottleneck_13_conv_bn_2_batchnorm_dweight, bottleneck_13_conv_bn_2_batchnorm_dbias, partial_65);
	nnr_step(207, "residual.net:9,24  batchnorm_relu_backward of bottleneck_13  [256,14,14,256]  141.3 MFLOP  154.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_50176x256_kernel, conv_42, add_42, mul_42, bottleneck_13_conv_bn_2_batchnorm_bias, conv_dgrad_11, mul_78, mul_79);
	nnr_branch_begin();
	nnr_step(208, "residual.net:7  conv_wgrad(relu_25, dconv_12)  [256,3,3,256]  59.2 GFLOP  105.1 MB");
	float *const dconv_12 = (float *)(m->arena + 22298484928);                              // [256,14,14,256]  51.4 MB  steps 122-308
	float *const bottleneck_13_conv_bn_2_conv_dweight = (float *)(m->arena + 21147915008);  // [256,3,3,256]  2.4 MB  steps 159-372
	conv_wgrad(&conv_wgrad_256x3x3x256_shape, &conv_wgrad_256x3x3x256_plan, relu_25, dconv_12, bottleneck_13_conv_bn_2_conv_dweight);
	nnr_branch_end(13);
	nnr_step(209, "residual.net:7  conv_dgrad(dconv_12, bottleneck_13_conv_bn_2_conv_weight)  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const conv_dgrad_12 = (float *)(m->arena + 7193231360);                          // [256,14,14,256]  51.4 MB  steps 209-211
	conv_dgrad_any_size(&conv_dgrad_256x14x14x256_2_shape, &conv_dgrad_256x14x14x256_2_plan, dconv_12, bottleneck_13_conv_bn_2_conv_weight, conv_dgrad_12);
	nnr_step(210, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_13  [1,1,1,256]  128.5 MFLOP  102.8 MB");
	float *const mul_80 = (float *)(m->arena + 7245152256);                                 // [1,1,1,256]  1.0 kB  steps 210-211
	float *const mul_81 = (float *)(m->arena + 7245153280);                                 // [1,1,1,256]  1.0 kB  steps 210-211
	float *const bottleneck_13_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219393792); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_13_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219394816); // [256]  1.0 kB  steps 159-372
	float *const partial_66 = (float *)(m->arena + 7244611584);                             // [135168]  540.7 kB  steps 210-210
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_50176x256_kernel, conv_41, add_41, mul_41, bottleneck_13_conv_bn_batchnorm_bias, conv_dgrad_12, rsqrt_41, mul_80, mul_81, bottleneck_13_conv_bn_batchnorm_dweight, bottleneck_13_conv_bn_batchnorm_dbias, partial_66);
	nnr_step(211, "residual.net:9,23  batchnorm_relu_backward of bottleneck_13  [256,14,14,256]  141.3 MFLOP  154.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_50176x256_kernel, conv_41, add_41, mul_41, bottleneck_13_conv_bn_batchnorm_bias, conv_dgrad_12, mul_80, mul_81);
	nnr_branch_begin();
	nnr_step(212, "residual.net:7  conv_wgrad(x_13, dconv_13)  [256,1,1,1024]  26.3 GFLOP  257.9 MB");
	float *const dconv_13 = (float *)(m->arena + 22195724480);                              // [256,14,14,256]  51.4 MB  steps 119-312
	float *const bottleneck_13_conv_bn_conv_dweight = (float *)(m->arena + 21146866432);    // [256,1,1,1024]  1.0 MB  steps 159-372
	conv_wgrad(&conv_wgrad_256x1x1x1024_shape, &conv_wgrad_256x1x1x1024_plan, x_13, dconv_13, bottleneck_13_conv_bn_conv_dweight);
	nnr_branch_end(14);
	nnr_step(213, "residual.net:7  conv_dgrad(dconv_13, bottleneck_13_conv_bn_conv_weight)  [256,14,14,1024]  26.3 GFLOP  257.9 MB");
	float *const conv_dgrad_13 = (float *)(m->arena + 7193231360);                          // [256,14,14,1024]  205.5 MB  steps 213-214
	conv_dgrad_any_size(&conv_dgrad_256x14x14x1024_2_shape, &conv_dgrad_256x14x14x1024_2_plan, dconv_13, bottleneck_13_conv_bn_conv_weight, conv_dgrad_13);
	nnr_step(214, "residual.net:7,9,28  add_relu_batchnorm_backward_sums  [256,14,14,1024]  308.3 MFLOP  873.5 MB");
	float *const dy_3 = (float *)(m->arena + 7604273152);                                   // [256,14,14,1024]  205.5 MB  steps 214-226
	float *const mul_82 = (float *)(m->arena + 21018791936);                                // [1,1,1,1024]  4.1 kB  steps 214-215
	float *const mul_83 = (float *)(m->arena + 21018796032);                                // [1,1,1,1024]  4.1 kB  steps 214-215
	float *const bottleneck_12_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219385600); // [1024]  4.1 kB  steps 159-372
	float *const bottleneck_12_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219389696); // [1024]  4.1 kB  steps 159-372
	float *const partial_67 = (float *)(m->arena + 21018456064);                            // [67584]  270.3 kB  steps 214-214
	add_relu_batchnorm_backward_sums(&add_relu_batchnorm_backward_sums_50176x1024_kernel, dy_2, conv_dgrad_13, positive_9, conv_40, add_40, mul_40, rsqrt_40, dy_3, mul_82, mul_83, bottleneck_12_conv_bn_3_batchnorm_dweight, bottleneck_12_conv_bn_3_batchnorm_dbias, partial_67);
	nnr_step(215, "residual.net:9  round_tf32(((dy_3 * mul_40) + (((conv_40 - add_40) * mul_82) + mul_83)))  [256,14,14,1024]  256.9 MFLOP  616.6 MB");
	batchnorm_backward(&batchnorm_backward_50176x1024_kernel, dy_3, mul_40, conv_40, add_40, mul_82, mul_83);
	nnr_branch_begin();
	nnr_step(216, "residual.net:7  conv_wgrad(relu_24, dconv_14)  [1024,1,1,256]  26.3 GFLOP  257.9 MB");
	float *const dconv_14 = (float *)(m->arena + 18085838848);                              // [256,14,14,1024]  205.5 MB  steps 116-316
	float *const bottleneck_12_conv_bn_3_conv_dweight = (float *)(m->arena + 21145817856);  // [1024,1,1,256]  1.0 MB  steps 159-372
	conv_wgrad(&conv_wgrad_1024x1x1x256_shape, &conv_wgrad_1024x1x1x256_plan, relu_24, dconv_14, bottleneck_12_conv_bn_3_conv_dweight);
	nnr_branch_end(15);
	nnr_step(217, "residual.net:7  conv_dgrad(dconv_14, bottleneck_12_conv_bn_3_conv_weight)  [256,14,14,256]  26.3 GFLOP  257.9 MB");
	float *const conv_dgrad_14 = (float *)(m->arena + 7193231360);                          // [256,14,14,256]  51.4 MB  steps 217-219
	conv_dgrad_any_size(&conv_dgrad_256x14x14x256_shape, &conv_dgrad_256x14x14x256_plan, dconv_14, bottleneck_12_conv_bn_3_conv_weight, conv_dgrad_14);
	nnr_step(218, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_12  [1,1,1,256]  128.5 MFLOP  102.8 MB");
	float *const mul_84 = (float *)(m->arena + 7245152256);                                 // [1,1,1,256]  1.0 kB  steps 218-219
	float *const mul_85 = (float *)(m->arena + 7245153280);                                 // [1,1,1,256]  1.0 kB  steps 218-219
	float *const bottleneck_12_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219383552); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_12_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219384576); // [256]  1.0 kB  steps 159-372
	float *const partial_68 = (float *)(m->arena + 7244611584);                             // [135168]  540.7 kB  steps 218-218
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_50176x256_kernel, conv_39, add_39, mul_39, bottleneck_12_conv_bn_2_batchnorm_bias, conv_dgrad_14, rsqrt_39, mul_84, mul_85, bottleneck_12_conv_bn_2_batchnorm_dweight, bottleneck_12_conv_bn_2_batchnorm_dbias, partial_68);
	nnr_step(219, "residual.net:9,24  batchnorm_relu_backward of bottleneck_12  [256,14,14,256]  141.3 MFLOP  154.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_50176x256_kernel, conv_39, add_39, mul_39, bottleneck_12_conv_bn_2_batchnorm_bias, conv_dgrad_14, mul_84, mul_85);
	nnr_branch_begin();
	nnr_step(220, "residual.net:7  conv_wgrad(relu_23, dconv_15)  [256,3,3,256]  59.2 GFLOP  105.1 MB");
	float *const dconv_15 = (float *)(m->arena + 22092964032);                              // [256,14,14,256]  51.4 MB  steps 113-320
	float *const bottleneck_12_conv_bn_2_conv_dweight = (float *)(m->arena + 21143458560);  // [256,3,3,256]  2.4 MB  steps 159-372
	conv_wgrad(&conv_wgrad_256x3x3x256_shape, &conv_wgrad_256x3x3x256_plan, relu_23, dconv_15, bottleneck_12_conv_bn_2_conv_dweight);
	nnr_branch_end(16);
	nnr_step(221, "residual.net:7  conv_dgrad(dconv_15, bottleneck_12_conv_bn_2_conv_weight)  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const conv_dgrad_15 = (float *)(m->arena + 7193231360);                          // [256,14,14,256]  51.4 MB  steps 221-223
	conv_dgrad_any_size(&conv_dgrad_256x14x14x256_2_shape, &conv_dgrad_256x14x14x256_2_plan, dconv_15, bottleneck_12_conv_bn_2_conv_weight, conv_dgrad_15);
	nnr_step(222, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_12  [1,1,1,256]  128.5 MFLOP  102.8 MB");
	float *const mul_86 = (float *)(m->arena + 7245152256);                                 // [1,1,1,256]  1.0 kB  steps 222-223
	float *const mul_87 = (float *)(m->arena + 7245153280);                                 // [1,1,1,256]  1.0 kB  steps 222-223
	float *const bottleneck_12_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219381504); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_12_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219382528); // [256]  1.0 kB  steps 159-372
	float *const partial_69 = (float *)(m->arena + 7244611584);                             // [135168]  540.7 kB  steps 222-222
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_50176x256_kernel, conv_38, add_38, mul_38, bottleneck_12_conv_bn_batchnorm_bias, conv_dgrad_15, rsqrt_38, mul_86, mul_87, bottleneck_12_conv_bn_batchnorm_dweight, bottleneck_12_conv_bn_batchnorm_dbias, partial_69);
	nnr_step(223, "residual.net:9,23  batchnorm_relu_backward of bottleneck_12  [256,14,14,256]  141.3 MFLOP  154.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_50176x256_kernel, conv_38, add_38, mul_38, bottleneck_12_conv_bn_batchnorm_bias, conv_dgrad_15, mul_86, mul_87);
	nnr_branch_begin();
	nnr_step(224, "residual.net:7  conv_wgrad(x_12, dconv_16)  [256,1,1,1024]  26.3 GFLOP  257.9 MB");
	float *const dconv_16 = (float *)(m->arena + 21990203584);                              // [256,14,14,256]  51.4 MB  steps 110-324
	float *const bottleneck_12_conv_bn_conv_dweight = (float *)(m->arena + 21142409984);    // [256,1,1,1024]  1.0 MB  steps 159-372
	conv_wgrad(&conv_wgrad_256x1x1x1024_shape, &conv_wgrad_256x1x1x1024_plan, x_12, dconv_16, bottleneck_12_conv_bn_conv_dweight);
	nnr_branch_end(17);
	nnr_step(225, "residual.net:7  conv_dgrad(dconv_16, bottleneck_12_conv_bn_conv_weight)  [256,14,14,1024]  26.3 GFLOP  257.9 MB");
	float *const conv_dgrad_16 = (float *)(m->arena + 7193231360);                          // [256,14,14,1024]  205.5 MB  steps 225-226
	conv_dgrad_any_size(&conv_dgrad_256x14x14x1024_2_shape, &conv_dgrad_256x14x14x1024_2_plan, dconv_16, bottleneck_12_conv_bn_conv_weight, conv_dgrad_16);
	nnr_step(226, "residual.net:7,9,28  add_relu_batchnorm_backward_sums  [256,14,14,1024]  308.3 MFLOP  873.5 MB");
	float *const dy_4 = (float *)(m->arena + 7398752256);                                   // [256,14,14,1024]  205.5 MB  steps 226-238
	float *const mul_88 = (float *)(m->arena + 18651291648);                                // [1,1,1,1024]  4.1 kB  steps 226-227
	float *const mul_89 = (float *)(m->arena + 18651295744);                                // [1,1,1,1024]  4.1 kB  steps 226-227
	float *const bottleneck_11_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219373312); // [1024]  4.1 kB  steps 159-372
	float *const bottleneck_11_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219377408); // [1024]  4.1 kB  steps 159-372
	float *const partial_70 = (float *)(m->arena + 18651021312);                            // [67584]  270.3 kB  steps 226-226
	add_relu_batchnorm_backward_sums(&add_relu_batchnorm_backward_sums_50176x1024_kernel, dy_3, conv_dgrad_16, positive_8, conv_37, add_37, mul_37, rsqrt_37, dy_4, mul_88, mul_89, bottleneck_11_conv_bn_3_batchnorm_dweight, bottleneck_11_conv_bn_3_batchnorm_dbias, partial_70);
	nnr_step(227, "residual.net:9  round_tf32(((dy_4 * mul_37) + (((conv_37 - add_37) * mul_88) + mul_89)))  [256,14,14,1024]  256.9 MFLOP  616.6 MB");
	batchnorm_backward(&batchnorm_backward_50176x1024_kernel, dy_4, mul_37, conv_37, add_37, mul_88, mul_89);
	nnr_branch_begin();
	nnr_step(228, "residual.net:7  conv_wgrad(relu_22, dconv_17)  [1024,1,1,256]  26.3 GFLOP  257.9 MB");
	float *const dconv_17 = (float *)(m->arena + 8631877632);                               // [256,14,14,1024]  205.5 MB  steps 107-328
	float *const bottleneck_11_conv_bn_3_conv_dweight = (float *)(m->arena + 21141361408);  // [1024,1,1,256]  1.0 MB  steps 159-372
	conv_wgrad(&conv_wgrad_1024x1x1x256_shape, &conv_wgrad_1024x1x1x256_plan, relu_22, dconv_17, bottleneck_11_conv_bn_3_conv_dweight);
	nnr_branch_end(18);
	nnr_step(229, "residual.net:7  conv_dgrad(dconv_17, bottleneck_11_conv_bn_3_conv_weight)  [256,14,14,256]  26.3 GFLOP  257.9 MB");
	float *const conv_dgrad_17 = (float *)(m->arena + 7193231360);                          // [256,14,14,256]  51.4 MB  steps 229-231
	conv_dgrad_any_size(&conv_dgrad_256x14x14x256_shape, &conv_dgrad_256x14x14x256_plan, dconv_17, bottleneck_11_conv_bn_3_conv_weight, conv_dgrad_17);
	nnr_step(230, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_11  [1,1,1,256]  128.5 MFLOP  102.8 MB");
	float *const mul_90 = (float *)(m->arena + 7245152256);                                 // [1,1,1,256]  1.0 kB  steps 230-231
	float *const mul_91 = (float *)(m->arena + 7245153280);                                 // [1,1,1,256]  1.0 kB  steps 230-231
	float *const bottleneck_11_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219371264); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_11_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219372288); // [256]  1.0 kB  steps 159-372
	float *const partial_71 = (float *)(m->arena + 7244611584);                             // [135168]  540.7 kB  steps 230-230
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_50176x256_kernel, conv_36, add_36, mul_36, bottleneck_11_conv_bn_2_batchnorm_bias, conv_dgrad_17, rsqrt_36, mul_90, mul_91, bottleneck_11_conv_bn_2_batchnorm_dweight, bottleneck_11_conv_bn_2_batchnorm_dbias, partial_71);
	nnr_step(231, "residual.net:9,24  batchnorm_relu_backward of bottleneck_11  [256,14,14,256]  141.3 MFLOP  154.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_50176x256_kernel, conv_36, add_36, mul_36, bottleneck_11_conv_bn_2_batchnorm_bias, conv_dgrad_17, mul_90, mul_91);
	nnr_branch_begin();
	nnr_step(232, "residual.net:7  conv_wgrad(relu_21, dconv_18)  [256,3,3,256]  59.2 GFLOP  105.1 MB");
	float *const dconv_18 = (float *)(m->arena + 21887443136);                              // [256,14,14,256]  51.4 MB  steps 104-332
	float *const bottleneck_11_conv_bn_2_conv_dweight = (float *)(m->arena + 21139002112);  // [256,3,3,256]  2.4 MB  steps 159-372
	conv_wgrad(&conv_wgrad_256x3x3x256_shape, &conv_wgrad_256x3x3x256_plan, relu_21, dconv_18, bottleneck_11_conv_bn_2_conv_dweight);
	nnr_branch_end(19);
	nnr_step(233, "residual.net:7  conv_dgrad(dconv_18, bottleneck_11_conv_bn_2_conv_weight)  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const conv_dgrad_18 = (float *)(m->arena + 7193231360);                          // [256,14,14,256]  51.4 MB  steps 233-235
	conv_dgrad_any_size(&conv_dgrad_256x14x14x256_2_shape, &conv_dgrad_256x14x14x256_2_plan, dconv_18, bottleneck_11_conv_bn_2_conv_weight, conv_dgrad_18);
	nnr_step(234, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_11  [1,1,1,256]  128.5 MFLOP  102.8 MB");
	float *const mul_92 = (float *)(m->arena + 7245152256);                                 // [1,1,1,256]  1.0 kB  steps 234-235
	float *const mul_93 = (float *)(m->arena + 7245153280);                                 // [1,1,1,256]  1.0 kB  steps 234-235
	float *const bottleneck_11_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219369216); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_11_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219370240); // [256]  1.0 kB  steps 159-372
	float *const partial_72 = (float *)(m->arena + 7244611584);                             // [135168]  540.7 kB  steps 234-234
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_50176x256_kernel, conv_35, add_35, mul_35, bottleneck_11_conv_bn_batchnorm_bias, conv_dgrad_18, rsqrt_35, mul_92, mul_93, bottleneck_11_conv_bn_batchnorm_dweight, bottleneck_11_conv_bn_batchnorm_dbias, partial_72);
	nnr_step(235, "residual.net:9,23  batchnorm_relu_backward of bottleneck_11  [256,14,14,256]  141.3 MFLOP  154.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_50176x256_kernel, conv_35, add_35, mul_35, bottleneck_11_conv_bn_batchnorm_bias, conv_dgrad_18, mul_92, mul_93);
	nnr_branch_begin();
	nnr_step(236, "residual.net:7  conv_wgrad(x_11, dconv_19)  [256,1,1,1024]  26.3 GFLOP  257.9 MB");
	float *const dconv_19 = (float *)(m->arena + 21784682688);                              // [256,14,14,256]  51.4 MB  steps 101-336
	float *const bottleneck_11_conv_bn_conv_dweight = (float *)(m->arena + 21137953536);    // [256,1,1,1024]  1.0 MB  steps 159-372
	conv_wgrad(&conv_wgrad_256x1x1x1024_shape, &conv_wgrad_256x1x1x1024_plan, x_11, dconv_19, bottleneck_11_conv_bn_conv_dweight);
	nnr_branch_end(20);
	nnr_step(237, "residual.net:7  conv_dgrad(dconv_19, bottleneck_11_conv_bn_conv_weight)  [256,14,14,1024]  26.3 GFLOP  257.9 MB");
	float *const conv_dgrad_19 = (float *)(m->arena + 7193231360);                          // [256,14,14,1024]  205.5 MB  steps 237-238
	conv_dgrad_any_size(&conv_dgrad_256x14x14x1024_2_shape, &conv_dgrad_256x14x14x1024_2_plan, dconv_19, bottleneck_11_conv_bn_conv_weight, conv_dgrad_19);
	nnr_step(238, "residual.net:7,9,28  add_relu_batchnorm_backward_sums  [256,14,14,1024]  308.3 MFLOP  873.5 MB");
	float *const dy_5 = (float *)(m->arena + 7604273152);                                   // [256,14,14,1024]  205.5 MB  steps 238-250
	float *const mul_94 = (float *)(m->arena + 18599911424);                                // [1,1,1,1024]  4.1 kB  steps 238-239
	float *const mul_95 = (float *)(m->arena + 18599915520);                                // [1,1,1,1024]  4.1 kB  steps 238-239
	float *const bottleneck_10_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219361024); // [1024]  4.1 kB  steps 159-372
	float *const bottleneck_10_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219365120); // [1024]  4.1 kB  steps 159-372
	float *const partial_73 = (float *)(m->arena + 18599641088);                            // [67584]  270.3 kB  steps 238-238
	add_relu_batchnorm_backward_sums(&add_relu_batchnorm_backward_sums_50176x1024_kernel, dy_4, conv_dgrad_19, positive_7, conv_34, add_34, mul_34, rsqrt_34, dy_5, mul_94, mul_95, bottleneck_10_conv_bn_3_batchnorm_dweight, bottleneck_10_conv_bn_3_batchnorm_dbias, partial_73);
	nnr_step(239, "residual.net:9  round_tf32(((dy_5 * mul_34) + (((conv_34 - add_34) * mul_94) + mul_95)))  [256,14,14,1024]  256.9 MFLOP  616.6 MB");
	batchnorm_backward(&batchnorm_backward_50176x1024_kernel, dy_5, mul_34, conv_34, add_34, mul_94, mul_95);
	nnr_branch_begin();
	nnr_step(240, "residual.net:7  conv_wgrad(relu_20, dconv_20)  [1024,1,1,256]  26.3 GFLOP  257.9 MB");
	float *const dconv_20 = (float *)(m->arena + 17880317952);                              // [256,14,14,1024]  205.5 MB  steps 98-340
	float *const bottleneck_10_conv_bn_3_conv_dweight = (float *)(m->arena + 21136904960);  // [1024,1,1,256]  1.0 MB  steps 159-372
	conv_wgrad(&conv_wgrad_1024x1x1x256_shape, &conv_wgrad_1024x1x1x256_plan, relu_20, dconv_20, bottleneck_10_conv_bn_3_conv_dweight);
	nnr_branch_end(21);
	nnr_step(241, "residual.net:7  conv_dgrad(dconv_20, bottleneck_10_conv_bn_3_conv_weight)  [256,14,14,256]  26.3 GFLOP  257.9 MB");
	float *const conv_dgrad_20 = (float *)(m->arena + 7193231360);                          // [256,14,14,256]  51.4 MB  steps 241-243
	conv_dgrad_any_size(&conv_dgrad_256x14x14x256_shape, &conv_dgrad_256x14x14x256_plan, dconv_20, bottleneck_10_conv_bn_3_conv_weight, conv_dgrad_20);
	nnr_step(242, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_10  [1,1,1,256]  128.5 MFLOP  102.8 MB");
	float *const mul_96 = (float *)(m->arena + 7245152256);                                 // [1,1,1,256]  1.0 kB  steps 242-243
	float *const mul_97 = (float *)(m->arena + 7245153280);                                 // [1,1,1,256]  1.0 kB  steps 242-243
	float *const bottleneck_10_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219358976); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_10_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219360000); // [256]  1.0 kB  steps 159-372
	float *const partial_74 = (float *)(m->arena + 7244611584);                             // [135168]  540.7 kB  steps 242-242
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_50176x256_kernel, conv_33, add_33, mul_33, bottleneck_10_conv_bn_2_batchnorm_bias, conv_dgrad_20, rsqrt_33, mul_96, mul_97, bottleneck_10_conv_bn_2_batchnorm_dweight, bottleneck_10_conv_bn_2_batchnorm_dbias, partial_74);
	nnr_step(243, "residual.net:9,24  batchnorm_relu_backward of bottleneck_10  [256,14,14,256]  141.3 MFLOP  154.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_50176x256_kernel, conv_33, add_33, mul_33, bottleneck_10_conv_bn_2_batchnorm_bias, conv_dgrad_20, mul_96, mul_97);
	nnr_branch_begin();
	nnr_step(244, "residual.net:7  conv_wgrad(relu_19, dconv_21)  [256,3,3,256]  59.2 GFLOP  105.1 MB");
	float *const dconv_21 = (float *)(m->arena + 21681922240);                              // [256,14,14,256]  51.4 MB  steps 95-344
	float *const bottleneck_10_conv_bn_2_conv_dweight = (float *)(m->arena + 21134545664);  // [256,3,3,256]  2.4 MB  steps 159-372
	conv_wgrad(&conv_wgrad_256x3x3x256_shape, &conv_wgrad_256x3x3x256_plan, relu_19, dconv_21, bottleneck_10_conv_bn_2_conv_dweight);
	nnr_branch_end(22);
	nnr_step(245, "residual.net:7  conv_dgrad(dconv_21, bottleneck_10_conv_bn_2_conv_weight)  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const conv_dgrad_21 = (float *)(m->arena + 7193231360);                          // [256,14,14,256]  51.4 MB  steps 245-247
	conv_dgrad_any_size(&conv_dgrad_256x14x14x256_2_shape, &conv_dgrad_256x14x14x256_2_plan, dconv_21, bottleneck_10_conv_bn_2_conv_weight, conv_dgrad_21);
	nnr_step(246, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_10  [1,1,1,256]  128.5 MFLOP  102.8 MB");
	float *const mul_98 = (float *)(m->arena + 7245152256);                                 // [1,1,1,256]  1.0 kB  steps 246-247
	float *const mul_99 = (float *)(m->arena + 7245153280);                                 // [1,1,1,256]  1.0 kB  steps 246-247
	float *const bottleneck_10_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219356928); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_10_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219357952); // [256]  1.0 kB  steps 159-372
	float *const partial_75 = (float *)(m->arena + 7244611584);                             // [135168]  540.7 kB  steps 246-246
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_50176x256_kernel, conv_32, add_32, mul_32, bottleneck_10_conv_bn_batchnorm_bias, conv_dgrad_21, rsqrt_32, mul_98, mul_99, bottleneck_10_conv_bn_batchnorm_dweight, bottleneck_10_conv_bn_batchnorm_dbias, partial_75);
	nnr_step(247, "residual.net:9,23  batchnorm_relu_backward of bottleneck_10  [256,14,14,256]  141.3 MFLOP  154.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_50176x256_kernel, conv_32, add_32, mul_32, bottleneck_10_conv_bn_batchnorm_bias, conv_dgrad_21, mul_98, mul_99);
	nnr_branch_begin();
	nnr_step(248, "residual.net:7  conv_wgrad(x_10, dconv_22)  [256,1,1,1024]  26.3 GFLOP  257.9 MB");
	float *const dconv_22 = (float *)(m->arena + 21579161792);                              // [256,14,14,256]  51.4 MB  steps 92-348
	float *const bottleneck_10_conv_bn_conv_dweight = (float *)(m->arena + 21133497088);    // [256,1,1,1024]  1.0 MB  steps 159-372
	conv_wgrad(&conv_wgrad_256x1x1x1024_shape, &conv_wgrad_256x1x1x1024_plan, x_10, dconv_22, bottleneck_10_conv_bn_conv_dweight);
	nnr_branch_end(23);
	nnr_step(249, "residual.net:7  conv_dgrad(dconv_22, bottleneck_10_conv_bn_conv_weight)  [256,14,14,1024]  26.3 GFLOP  257.9 MB");
	float *const conv_dgrad_22 = (float *)(m->arena + 7193231360);                          // [256,14,14,1024]  205.5 MB  steps 249-250
	conv_dgrad_any_size(&conv_dgrad_256x14x14x1024_2_shape, &conv_dgrad_256x14x14x1024_2_plan, dconv_22, bottleneck_10_conv_bn_conv_weight, conv_dgrad_22);
	nnr_step(250, "residual.net:7,9,28  add_relu_batchnorm_backward_sums  [256,14,14,1024]  308.3 MFLOP  873.5 MB");
	float *const dy_6 = (float *)(m->arena + 7398752256);                                   // [256,14,14,1024]  205.5 MB  steps 250-262
	float *const mul_100 = (float *)(m->arena + 18548531200);                               // [1,1,1,1024]  4.1 kB  steps 250-251
	float *const mul_101 = (float *)(m->arena + 18548535296);                               // [1,1,1,1024]  4.1 kB  steps 250-251
	float *const bottleneck_9_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219348736); // [1024]  4.1 kB  steps 159-372
	float *const bottleneck_9_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219352832); // [1024]  4.1 kB  steps 159-372
	float *const partial_76 = (float *)(m->arena + 18548260864);                            // [67584]  270.3 kB  steps 250-250
	add_relu_batchnorm_backward_sums(&add_relu_batchnorm_backward_sums_50176x1024_kernel, dy_5, conv_dgrad_22, positive_6, conv_31, add_31, mul_31, rsqrt_31, dy_6, mul_100, mul_101, bottleneck_9_conv_bn_3_batchnorm_dweight, bottleneck_9_conv_bn_3_batchnorm_dbias, partial_76);
	nnr_step(251, "residual.net:9  batchnorm_backward of bottleneck_9.conv_bn_3  [256,14,14,1024]  256.9 MFLOP  616.6 MB");
	batchnorm_backward(&batchnorm_backward_50176x1024_kernel, dy_6, mul_31, conv_31, add_31, mul_100, mul_101);
	nnr_branch_begin();
	nnr_step(252, "residual.net:7  conv_wgrad(relu_18, dconv_23)  [1024,1,1,256]  26.3 GFLOP  257.9 MB");
	float *const dconv_23 = (float *)(m->arena + 17469276160);                              // [256,14,14,1024]  205.5 MB  steps 89-352
	float *const bottleneck_9_conv_bn_3_conv_dweight = (float *)(m->arena + 21132448512);   // [1024,1,1,256]  1.0 MB  steps 159-372
	conv_wgrad(&conv_wgrad_1024x1x1x256_shape, &conv_wgrad_1024x1x1x256_plan, relu_18, dconv_23, bottleneck_9_conv_bn_3_conv_dweight);
	nnr_branch_end(24);
	nnr_step(253, "residual.net:7  conv_dgrad(dconv_23, bottleneck_9_conv_bn_3_conv_weight)  [256,14,14,256]  26.3 GFLOP  257.9 MB");
	float *const conv_dgrad_23 = (float *)(m->arena + 7193231360);                          // [256,14,14,256]  51.4 MB  steps 253-255
	conv_dgrad_any_size(&conv_dgrad_256x14x14x256_shape, &conv_dgrad_256x14x14x256_plan, dconv_23, bottleneck_9_conv_bn_3_conv_weight, conv_dgrad_23);
	nnr_step(254, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_9  [1,1,1,256]  128.5 MFLOP  102.8 MB");
	float *const mul_102 = (float *)(m->arena + 7245152256);                                // [1,1,1,256]  1.0 kB  steps 254-255
	float *const mul_103 = (float *)(m->arena + 7245153280);                                // [1,1,1,256]  1.0 kB  steps 254-255
	float *const bottleneck_9_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219346688); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_9_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219347712); // [256]  1.0 kB  steps 159-372
	float *const partial_77 = (float *)(m->arena + 7244611584);                             // [135168]  540.7 kB  steps 254-254
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_50176x256_kernel, conv_30, add_30, mul_30, bottleneck_9_conv_bn_2_batchnorm_bias, conv_dgrad_23, rsqrt_30, mul_102, mul_103, bottleneck_9_conv_bn_2_batchnorm_dweight, bottleneck_9_conv_bn_2_batchnorm_dbias, partial_77);
	nnr_step(255, "residual.net:9,24  batchnorm_relu_backward of bottleneck_9  [256,14,14,256]  141.3 MFLOP  154.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_50176x256_kernel, conv_30, add_30, mul_30, bottleneck_9_conv_bn_2_batchnorm_bias, conv_dgrad_23, mul_102, mul_103);
	nnr_branch_begin();
	nnr_step(256, "residual.net:7  conv_wgrad(relu_17, dconv_24)  [256,3,3,256]  59.2 GFLOP  105.1 MB");
	float *const dconv_24 = (float *)(m->arena + 21476401344);                              // [256,14,14,256]  51.4 MB  steps 86-356
	float *const bottleneck_9_conv_bn_2_conv_dweight = (float *)(m->arena + 21130089216);   // [256,3,3,256]  2.4 MB  steps 159-372
	conv_wgrad(&conv_wgrad_256x3x3x256_shape, &conv_wgrad_256x3x3x256_plan, relu_17, dconv_24, bottleneck_9_conv_bn_2_conv_dweight);
	nnr_branch_end(25);
	nnr_step(257, "residual.net:7  conv_dgrad(dconv_24, bottleneck_9_conv_bn_2_conv_weight)  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const conv_dgrad_24 = (float *)(m->arena + 7193231360);                          // [256,14,14,256]  51.4 MB  steps 257-259
	conv_dgrad_any_size(&conv_dgrad_256x14x14x256_2_shape, &conv_dgrad_256x14x14x256_2_plan, dconv_24, bottleneck_9_conv_bn_2_conv_weight, conv_dgrad_24);
	nnr_step(258, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_9  [1,1,1,256]  128.5 MFLOP  102.8 MB");
	float *const mul_104 = (float *)(m->arena + 7245152256);                                // [1,1,1,256]  1.0 kB  steps 258-259
	float *const mul_105 = (float *)(m->arena + 7245153280);                                // [1,1,1,256]  1.0 kB  steps 258-259
	float *const bottleneck_9_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219344640); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_9_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219345664);  // [256]  1.0 kB  steps 159-372
	float *const partial_78 = (float *)(m->arena + 7244611584);                             // [135168]  540.7 kB  steps 258-258
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_50176x256_kernel, conv_29, add_29, mul_29, bottleneck_9_conv_bn_batchnorm_bias, conv_dgrad_24, rsqrt_29, mul_104, mul_105, bottleneck_9_conv_bn_batchnorm_dweight, bottleneck_9_conv_bn_batchnorm_dbias, partial_78);
	nnr_step(259, "residual.net:9,23  batchnorm_relu_backward of bottleneck_9  [256,14,14,256]  141.3 MFLOP  154.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_50176x256_kernel, conv_29, add_29, mul_29, bottleneck_9_conv_bn_batchnorm_bias, conv_dgrad_24, mul_104, mul_105);
	nnr_branch_begin();
	nnr_step(260, "residual.net:7  conv_wgrad(x_9, dconv_25)  [256,1,1,1024]  26.3 GFLOP  257.9 MB");
	float *const dconv_25 = (float *)(m->arena + 21373640896);                              // [256,14,14,256]  51.4 MB  steps 83-360
	float *const bottleneck_9_conv_bn_conv_dweight = (float *)(m->arena + 21129040640);     // [256,1,1,1024]  1.0 MB  steps 159-372
	conv_wgrad(&conv_wgrad_256x1x1x1024_shape, &conv_wgrad_256x1x1x1024_plan, x_9, dconv_25, bottleneck_9_conv_bn_conv_dweight);
	nnr_branch_end(26);
	nnr_step(261, "residual.net:7  conv_dgrad(dconv_25, bottleneck_9_conv_bn_conv_weight)  [256,14,14,1024]  26.3 GFLOP  257.9 MB");
	float *const conv_dgrad_25 = (float *)(m->arena + 7193231360);                          // [256,14,14,1024]  205.5 MB  steps 261-262
	conv_dgrad_any_size(&conv_dgrad_256x14x14x1024_2_shape, &conv_dgrad_256x14x14x1024_2_plan, dconv_25, bottleneck_9_conv_bn_conv_weight, conv_dgrad_25);
	nnr_step(262, "residual.net:7,9,28  add_batchnorm_relu_backward_sums  [256,14,14,1024]  924.9 MFLOP  1.0 GB");
	float *const dshortcut_2 = (float *)(m->arena + 18496880640);                           // [256,14,14,1024]  205.5 MB  steps 262-367
	float *const mul_106 = (float *)(m->arena + 7604678656);                                // [1,1,1,1024]  4.1 kB  steps 262-263
	float *const mul_107 = (float *)(m->arena + 7604682752);                                // [1,1,1,1024]  4.1 kB  steps 262-263
	float *const bottleneck_8_conv_bn_4_batchnorm_dweight = (float *)(m->arena + 21219336448); // [1024]  4.1 kB  steps 159-372
	float *const bottleneck_8_conv_bn_4_batchnorm_dbias = (float *)(m->arena + 21219332352); // [1024]  4.1 kB  steps 159-372
	float *const mul_108 = (float *)(m->arena + 7604686848);                                // [1,1,1,1024]  4.1 kB  steps 262-266
	float *const mul_109 = (float *)(m->arena + 7604690944);                                // [1,1,1,1024]  4.1 kB  steps 262-266
	float *const bottleneck_8_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219328256); // [1024]  4.1 kB  steps 159-372
	float *const bottleneck_8_conv_bn_4_batchnorm_dbias_2 = (float *)(m->arena + 21219340544); // [1024]  4.1 kB  steps 159-372
	float *const partial_79 = (float *)(m->arena + 7604273152);                             // [101376]  405.5 kB  steps 262-262
	add_batchnorm_relu_backward_sums(&add_batchnorm_relu_backward_sums_50176x1024_kernel, dy_6, conv_dgrad_25, conv_27, add_27, mul_27, bottleneck_8_conv_bn_3_batchnorm_bias, conv_28, add_28, mul_28, bottleneck_8_conv_bn_4_batchnorm_bias, rsqrt_28, rsqrt_27, dshortcut_2, mul_106, mul_107, bottleneck_8_conv_bn_4_batchnorm_dweight, bottleneck_8_conv_bn_4_batchnorm_dbias, mul_108, mul_109, bottleneck_8_conv_bn_3_batchnorm_dweight, bottleneck_8_conv_bn_4_batchnorm_dbias_2, partial_79);
	nnr_step(263, "residual.net:9  batchnorm_backward of bottleneck_8.conv_bn_4  [256,14,14,1024]  256.9 MFLOP  616.6 MB");
	batchnorm_backward(&batchnorm_backward_50176x1024_kernel, dshortcut_2, mul_28, conv_28, add_28, mul_106, mul_107);
	nnr_branch_begin();
	nnr_step(264, "residual.net:7  conv_wgrad(x_8, dconv_26)  [1024,1,1,512]  52.6 GFLOP  618.7 MB");
	float *const dconv_26 = (float *)(m->arena + 17058234368);                              // [256,14,14,1024]  205.5 MB  steps 80-364
	float *const bottleneck_8_conv_bn_4_conv_dweight = (float *)(m->arena + 21126943488);   // [1024,1,1,512]  2.1 MB  steps 159-372
	conv_wgrad(&conv_wgrad_1024x1x1x512_shape, &conv_wgrad_1024x1x1x512_plan, x_8, dconv_26, bottleneck_8_conv_bn_4_conv_dweight);
	nnr_branch_end(27);
	nnr_branch_wait(1);
	nnr_step(265, "residual.net:7  conv_dgrad(dconv_26, bottleneck_8_conv_bn_4_conv_weight)  [256,14,14,512]  52.6 GFLOP  310.4 MB");
	float *const conv_dgrad_26 = (float *)(m->arena + 21014511616);                         // [256,14,14,512]  102.8 MB  steps 265-277
	conv_dgrad_any_size(&conv_dgrad_256x14x14x512_2_shape, &conv_dgrad_256x14x14x512_2_plan, dconv_26, bottleneck_8_conv_bn_4_conv_weight, conv_dgrad_26);
	nnr_step(266, "residual.net:9  batchnorm_backward of bottleneck_8.conv_bn_3  [256,14,14,1024]  256.9 MFLOP  616.6 MB");
	batchnorm_backward_2(&batchnorm_backward_50176x1024_2_kernel, dshortcut_2, mul_27, conv_27, add_27, mul_108, mul_109);
	nnr_branch_begin();
	nnr_step(267, "residual.net:7  conv_wgrad(relu_16, dconv_27)  [1024,1,1,256]  26.3 GFLOP  257.9 MB");
	float *const dconv_27 = (float *)(m->arena + 18496880640);                              // [256,14,14,1024]  205.5 MB  steps 262-367
	float *const bottleneck_8_conv_bn_3_conv_dweight = (float *)(m->arena + 21125894912);   // [1024,1,1,256]  1.0 MB  steps 159-372
	conv_wgrad(&conv_wgrad_1024x1x1x256_shape, &conv_wgrad_1024x1x1x256_plan, relu_16, dconv_27, bottleneck_8_conv_bn_3_conv_dweight);
	nnr_branch_end(28);
	nnr_step(268, "residual.net:7  conv_dgrad(dconv_27, bottleneck_8_conv_bn_3_conv_weight)  [256,14,14,256]  26.3 GFLOP  257.9 MB");
	float *const conv_dgrad_27 = (float *)(m->arena + 6987710464);                          // [256,14,14,256]  51.4 MB  steps 268-270
	conv_dgrad_any_size(&conv_dgrad_256x14x14x256_shape, &conv_dgrad_256x14x14x256_plan, dconv_27, bottleneck_8_conv_bn_3_conv_weight, conv_dgrad_27);
	nnr_step(269, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_8  [1,1,1,256]  128.5 MFLOP  102.8 MB");
	float *const mul_110 = (float *)(m->arena + 7039631360);                                // [1,1,1,256]  1.0 kB  steps 269-270
	float *const mul_111 = (float *)(m->arena + 7039632384);                                // [1,1,1,256]  1.0 kB  steps 269-270
	float *const bottleneck_8_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219326208); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_8_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219327232); // [256]  1.0 kB  steps 159-372
	float *const partial_80 = (float *)(m->arena + 7039090688);                             // [135168]  540.7 kB  steps 269-269
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_50176x256_kernel, conv_26, add_26, mul_26, bottleneck_8_conv_bn_2_batchnorm_bias, conv_dgrad_27, rsqrt_26, mul_110, mul_111, bottleneck_8_conv_bn_2_batchnorm_dweight, bottleneck_8_conv_bn_2_batchnorm_dbias, partial_80);
	nnr_step(270, "residual.net:9,24  batchnorm_relu_backward of bottleneck_8  [256,14,14,256]  141.3 MFLOP  154.1 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_50176x256_kernel, conv_26, add_26, mul_26, bottleneck_8_conv_bn_2_batchnorm_bias, conv_dgrad_27, mul_110, mul_111);
	nnr_branch_begin();
	nnr_step(271, "residual.net:7  conv_wgrad(relu_15, dconv_28)  [256,3,3,256]  59.2 GFLOP  259.3 MB");
	float *const dconv_28 = (float *)(m->arena + 21270880448);                              // [256,14,14,256]  51.4 MB  steps 75-371
	float *const bottleneck_8_conv_bn_2_conv_dweight = (float *)(m->arena + 21123535616);   // [256,3,3,256]  2.4 MB  steps 159-372
	conv_wgrad(&conv_wgrad_256x3x3x256_2_shape, &conv_wgrad_256x3x3x256_2_plan, relu_15, dconv_28, bottleneck_8_conv_bn_2_conv_dweight);
	nnr_branch_end(29);
	nnr_step(272, "residual.net:7  conv_dgrad(dconv_28, bottleneck_8_conv_bn_2_conv_weight)  [256,28,28,256]  59.2 GFLOP  259.3 MB");
	float *const conv_dgrad_28 = (float *)(m->arena + 6987710464);                          // [256,28,28,256]  205.5 MB  steps 272-274
	conv_dgrad_any_size(&conv_dgrad_256x28x28x256_shape, &conv_dgrad_256x28x28x256_plan, dconv_28, bottleneck_8_conv_bn_2_conv_weight, conv_dgrad_28);
	nnr_step(273, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_8  [1,1,1,256]  513.8 MFLOP  411.0 MB");
	float *const mul_112 = (float *)(m->arena + 7193772032);                                // [1,1,1,256]  1.0 kB  steps 273-274
	float *const mul_113 = (float *)(m->arena + 7193773056);                                // [1,1,1,256]  1.0 kB  steps 273-274
	float *const bottleneck_8_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219324160); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_8_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219325184);  // [256]  1.0 kB  steps 159-372
	float *const partial_81 = (float *)(m->arena + 7193231360);                             // [135168]  540.7 kB  steps 273-273
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_200704x256_kernel, conv_25, add_25, mul_25, bottleneck_8_conv_bn_batchnorm_bias, conv_dgrad_28, rsqrt_25, mul_112, mul_113, bottleneck_8_conv_bn_batchnorm_dweight, bottleneck_8_conv_bn_batchnorm_dbias, partial_81);
	nnr_step(274, "residual.net:9,23  batchnorm_relu_backward of bottleneck_8  [256,28,28,256]  565.2 MFLOP  616.6 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_200704x256_kernel, conv_25, add_25, mul_25, bottleneck_8_conv_bn_batchnorm_bias, conv_dgrad_28, mul_112, mul_113);
	nnr_branch_begin();
	nnr_step(275, "residual.net:7  conv_wgrad(x_8, dconv_29)  [256,1,1,512]  52.6 GFLOP  617.1 MB");
	float *const dconv_29 = (float *)(m->arena + 16647192576);                              // [256,28,28,256]  205.5 MB  steps 72-372
	float *const bottleneck_8_conv_bn_conv_dweight = (float *)(m->arena + 21123011328);     // [256,1,1,512]  524.3 kB  steps 159-372
	conv_wgrad(&conv_wgrad_256x1x1x512_shape, &conv_wgrad_256x1x1x512_plan, x_8, dconv_29, bottleneck_8_conv_bn_conv_dweight);
	nnr_branch_end(30);
	nnr_step(276, "residual.net:7  conv_dgrad(dconv_29, bottleneck_8_conv_bn_conv_weight)  [256,28,28,512]  52.6 GFLOP  617.1 MB");
	float *const conv_dgrad_29 = (float *)(m->arena + 6987710464);                          // [256,28,28,512]  411.0 MB  steps 276-277
	conv_dgrad_any_size(&conv_dgrad_256x28x28x512_shape, &conv_dgrad_256x28x28x512_plan, dconv_29, bottleneck_8_conv_bn_conv_weight, conv_dgrad_29);
	nnr_branch_wait(4);
	nnr_step(277, "residual.net:7,9,28  relu_conv_add_batchnorm_backward_sums  [256,28,28,512]  616.6 MFLOP  1.4 GB");
	float *const dy_7 = (float *)(m->arena + 7398752256);                                   // [256,28,28,512]  411.0 MB  steps 277-289
	float *const mul_114 = (float *)(m->arena + 8118345728);                                // [1,1,1,512]  2.0 kB  steps 277-278
	float *const mul_115 = (float *)(m->arena + 8118347776);                                // [1,1,1,512]  2.0 kB  steps 277-278
	float *const bottleneck_7_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219320064); // [512]  2.0 kB  steps 159-372
	float *const bottleneck_7_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219322112); // [512]  2.0 kB  steps 159-372
	float *const partial_82 = (float *)(m->arena + 8118075392);                             // [67584]  270.3 kB  steps 277-277
	relu_conv_add_batchnorm_backward_sums(&relu_conv_add_batchnorm_backward_sums_256x28x28x512_kernel, positive_5, conv_dgrad_26, conv_dgrad_29, conv_24, add_24, mul_24, rsqrt_24, dy_7, mul_114, mul_115, bottleneck_7_conv_bn_3_batchnorm_dweight, bottleneck_7_conv_bn_3_batchnorm_dbias, partial_82);
	nnr_step(278, "residual.net:9  batchnorm_backward of bottleneck_7.conv_bn_3  [256,28,28,512]  513.8 MFLOP  1.2 GB");
	batchnorm_backward(&batchnorm_backward_200704x512_kernel, dy_7, mul_24, conv_24, add_24, mul_114, mul_115);
	nnr_branch_begin();
	nnr_step(279, "residual.net:7  conv_wgrad(relu_14, dconv_30)  [512,1,1,128]  26.3 GFLOP  514.1 MB");
	float *const dconv_30 = (float *)(m->arena + 12331253760);                              // [256,28,28,512]  411.0 MB  steps 69-372
	float *const bottleneck_7_conv_bn_3_conv_dweight = (float *)(m->arena + 21122749184);   // [512,1,1,128]  262.1 kB  steps 159-372
	conv_wgrad(&conv_wgrad_512x1x1x128_shape, &conv_wgrad_512x1x1x128_plan, relu_14, dconv_30, bottleneck_7_conv_bn_3_conv_dweight);
	nnr_branch_end(31);
	nnr_step(280, "residual.net:7  conv_dgrad(dconv_30, bottleneck_7_conv_bn_3_conv_weight)  [256,28,28,128]  26.3 GFLOP  514.1 MB");
	float *const conv_dgrad_30 = (float *)(m->arena + 6987710464);                          // [256,28,28,128]  102.8 MB  steps 280-282
	conv_dgrad_any_size(&conv_dgrad_256x28x28x128_shape, &conv_dgrad_256x28x28x128_plan, dconv_30, bottleneck_7_conv_bn_3_conv_weight, conv_dgrad_30);
	nnr_step(281, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_7  [1,1,1,128]  256.9 MFLOP  205.5 MB");
	float *const mul_116 = (float *)(m->arena + 7091011584);                                // [1,1,1,128]  512 B  steps 281-282
	float *const mul_117 = (float *)(m->arena + 7091012096);                                // [1,1,1,128]  512 B  steps 281-282
	float *const bottleneck_7_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219319040); // [128]  512 B  steps 159-372
	float *const bottleneck_7_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219319552); // [128]  512 B  steps 159-372
	float *const partial_83 = (float *)(m->arena + 7090470912);                             // [135168]  540.7 kB  steps 281-281
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_200704x128_kernel, conv_23, add_23, mul_23, bottleneck_7_conv_bn_2_batchnorm_bias, conv_dgrad_30, rsqrt_23, mul_116, mul_117, bottleneck_7_conv_bn_2_batchnorm_dweight, bottleneck_7_conv_bn_2_batchnorm_dbias, partial_83);
	nnr_step(282, "residual.net:9,24  batchnorm_relu_backward of bottleneck_7  [256,28,28,128]  282.6 MFLOP  308.3 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_200704x128_kernel, conv_23, add_23, mul_23, bottleneck_7_conv_bn_2_batchnorm_bias, conv_dgrad_30, mul_116, mul_117);
	nnr_branch_begin();
	nnr_step(283, "residual.net:7  conv_wgrad(relu_13, dconv_31)  [128,3,3,128]  59.2 GFLOP  206.1 MB");
	float *const dconv_31 = (float *)(m->arena + 20295188480);                              // [256,28,28,128]  102.8 MB  steps 66-372
	float *const bottleneck_7_conv_bn_2_conv_dweight = (float *)(m->arena + 21122159360);   // [128,3,3,128]  589.8 kB  steps 159-372
	conv_wgrad(&conv_wgrad_128x3x3x128_shape, &conv_wgrad_128x3x3x128_plan, relu_13, dconv_31, bottleneck_7_conv_bn_2_conv_dweight);
	nnr_branch_end(32);
	nnr_step(284, "residual.net:7  conv_dgrad(dconv_31, bottleneck_7_conv_bn_2_conv_weight)  [256,28,28,128]  59.2 GFLOP  206.1 MB");
	float *const conv_dgrad_31 = (float *)(m->arena + 6987710464);                          // [256,28,28,128]  102.8 MB  steps 284-286
	conv_dgrad_any_size(&conv_dgrad_256x28x28x128_2_shape, &conv_dgrad_256x28x28x128_2_plan, dconv_31, bottleneck_7_conv_bn_2_conv_weight, conv_dgrad_31);
	nnr_step(285, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_7  [1,1,1,128]  256.9 MFLOP  205.5 MB");
	float *const mul_118 = (float *)(m->arena + 7091011584);                                // [1,1,1,128]  512 B  steps 285-286
	float *const mul_119 = (float *)(m->arena + 7091012096);                                // [1,1,1,128]  512 B  steps 285-286
	float *const bottleneck_7_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219318016); // [128]  512 B  steps 159-372
	float *const bottleneck_7_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219318528);  // [128]  512 B  steps 159-372
	float *const partial_84 = (float *)(m->arena + 7090470912);                             // [135168]  540.7 kB  steps 285-285
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_200704x128_kernel, conv_22, add_22, mul_22, bottleneck_7_conv_bn_batchnorm_bias, conv_dgrad_31, rsqrt_22, mul_118, mul_119, bottleneck_7_conv_bn_batchnorm_dweight, bottleneck_7_conv_bn_batchnorm_dbias, partial_84);
	nnr_step(286, "residual.net:9,23  batchnorm_relu_backward of bottleneck_7  [256,28,28,128]  282.6 MFLOP  308.3 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_200704x128_kernel, conv_22, add_22, mul_22, bottleneck_7_conv_bn_batchnorm_bias, conv_dgrad_31, mul_118, mul_119);
	nnr_branch_begin();
	nnr_step(287, "residual.net:7  conv_wgrad(x_7, dconv_32)  [128,1,1,512]  26.3 GFLOP  514.1 MB");
	float *const dconv_32 = (float *)(m->arena + 20089667584);                              // [256,28,28,128]  102.8 MB  steps 63-372
	float *const bottleneck_7_conv_bn_conv_dweight = (float *)(m->arena + 21121897216);     // [128,1,1,512]  262.1 kB  steps 159-372
	conv_wgrad(&conv_wgrad_128x1x1x512_shape, &conv_wgrad_128x1x1x512_plan, x_7, dconv_32, bottleneck_7_conv_bn_conv_dweight);
	nnr_branch_end(33);
	nnr_step(288, "residual.net:7  conv_dgrad(dconv_32, bottleneck_7_conv_bn_conv_weight)  [256,28,28,512]  26.3 GFLOP  514.1 MB");
	float *const conv_dgrad_32 = (float *)(m->arena + 6987710464);                          // [256,28,28,512]  411.0 MB  steps 288-289
	conv_dgrad_any_size(&conv_dgrad_256x28x28x512_2_shape, &conv_dgrad_256x28x28x512_2_plan, dconv_32, bottleneck_7_conv_bn_conv_weight, conv_dgrad_32);
	nnr_branch_wait(7);
	nnr_step(289, "residual.net:7,9,28  add_relu_batchnorm_backward_sums  [256,28,28,512]  616.6 MFLOP  1.7 GB");
	float *const dy_8 = (float *)(m->arena + 7809794048);                                   // [256,28,28,512]  411.0 MB  steps 289-301
	float *const mul_120 = (float *)(m->arena + 20809261056);                               // [1,1,1,512]  2.0 kB  steps 289-290
	float *const mul_121 = (float *)(m->arena + 20809263104);                               // [1,1,1,512]  2.0 kB  steps 289-290
	float *const bottleneck_6_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219313920); // [512]  2.0 kB  steps 159-372
	float *const bottleneck_6_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219315968); // [512]  2.0 kB  steps 159-372
	float *const partial_85 = (float *)(m->arena + 20808990720);                            // [67584]  270.3 kB  steps 289-289
	add_relu_batchnorm_backward_sums(&add_relu_batchnorm_backward_sums_200704x512_kernel, dy_7, conv_dgrad_32, positive_4, conv_21, add_21, mul_21, rsqrt_21, dy_8, mul_120, mul_121, bottleneck_6_conv_bn_3_batchnorm_dweight, bottleneck_6_conv_bn_3_batchnorm_dbias, partial_85);
	nnr_step(290, "residual.net:9  batchnorm_backward of bottleneck_6.conv_bn_3  [256,28,28,512]  513.8 MFLOP  1.2 GB");
	batchnorm_backward(&batchnorm_backward_200704x512_kernel, dy_8, mul_21, conv_21, add_21, mul_120, mul_121);
	nnr_branch_begin();
	nnr_step(291, "residual.net:7  conv_wgrad(relu_12, dconv_33)  [512,1,1,128]  26.3 GFLOP  514.1 MB");
	float *const dconv_33 = (float *)(m->arena + 11509170176);                              // [256,28,28,512]  411.0 MB  steps 60-372
	float *const bottleneck_6_conv_bn_3_conv_dweight = (float *)(m->arena + 21121635072);   // [512,1,1,128]  262.1 kB  steps 159-372
	conv_wgrad(&conv_wgrad_512x1x1x128_shape, &conv_wgrad_512x1x1x128_plan, relu_12, dconv_33, bottleneck_6_conv_bn_3_conv_dweight);
	nnr_branch_end(34);
	nnr_step(292, "residual.net:7  conv_dgrad(dconv_33, bottleneck_6_conv_bn_3_conv_weight)  [256,28,28,128]  26.3 GFLOP  514.1 MB");
	float *const conv_dgrad_33 = (float *)(m->arena + 6987710464);                          // [256,28,28,128]  102.8 MB  steps 292-294
	conv_dgrad_any_size(&conv_dgrad_256x28x28x128_shape, &conv_dgrad_256x28x28x128_plan, dconv_33, bottleneck_6_conv_bn_3_conv_weight, conv_dgrad_33);
	nnr_step(293, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_6  [1,1,1,128]  256.9 MFLOP  205.5 MB");
	float *const mul_122 = (float *)(m->arena + 7091011584);                                // [1,1,1,128]  512 B  steps 293-294
	float *const mul_123 = (float *)(m->arena + 7091012096);                                // [1,1,1,128]  512 B  steps 293-294
	float *const bottleneck_6_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219312896); // [128]  512 B  steps 159-372
	float *const bottleneck_6_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219313408); // [128]  512 B  steps 159-372
	float *const partial_86 = (float *)(m->arena + 7090470912);                             // [135168]  540.7 kB  steps 293-293
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_200704x128_kernel, conv_20, add_20, mul_20, bottleneck_6_conv_bn_2_batchnorm_bias, conv_dgrad_33, rsqrt_20, mul_122, mul_123, bottleneck_6_conv_bn_2_batchnorm_dweight, bottleneck_6_conv_bn_2_batchnorm_dbias, partial_86);
	nnr_step(294, "residual.net:9,24  batchnorm_relu_backward of bottleneck_6  [256,28,28,128]  282.6 MFLOP  308.3 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_200704x128_kernel, conv_20, add_20, mul_20, bottleneck_6_conv_bn_2_batchnorm_bias, conv_dgrad_33, mul_122, mul_123);
	nnr_branch_begin();
	nnr_step(295, "residual.net:7  conv_wgrad(relu_11, dconv_34)  [128,3,3,128]  59.2 GFLOP  206.1 MB");
	float *const dconv_34 = (float *)(m->arena + 19781386240);                              // [256,28,28,128]  102.8 MB  steps 57-372
	float *const bottleneck_6_conv_bn_2_conv_dweight = (float *)(m->arena + 21121045248);   // [128,3,3,128]  589.8 kB  steps 159-372
	conv_wgrad(&conv_wgrad_128x3x3x128_shape, &conv_wgrad_128x3x3x128_plan, relu_11, dconv_34, bottleneck_6_conv_bn_2_conv_dweight);
	nnr_branch_end(35);
	nnr_step(296, "residual.net:7  conv_dgrad(dconv_34, bottleneck_6_conv_bn_2_conv_weight)  [256,28,28,128]  59.2 GFLOP  206.1 MB");
	float *const conv_dgrad_34 = (float *)(m->arena + 6987710464);                          // [256,28,28,128]  102.8 MB  steps 296-298
	conv_dgrad_any_size(&conv_dgrad_256x28x28x128_2_shape, &conv_dgrad_256x28x28x128_2_plan, dconv_34, bottleneck_6_conv_bn_2_conv_weight, conv_dgrad_34);
	nnr_step(297, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_6  [1,1,1,128]  256.9 MFLOP  205.5 MB");
	float *const mul_124 = (float *)(m->arena + 7091011584);                                // [1,1,1,128]  512 B  steps 297-298
	float *const mul_125 = (float *)(m->arena + 7091012096);                                // [1,1,1,128]  512 B  steps 297-298
	float *const bottleneck_6_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219311872); // [128]  512 B  steps 159-372
	float *const bottleneck_6_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219312384);  // [128]  512 B  steps 159-372
	float *const partial_87 = (float *)(m->arena + 7090470912);                             // [135168]  540.7 kB  steps 297-297
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_200704x128_kernel, conv_19, add_19, mul_19, bottleneck_6_conv_bn_batchnorm_bias, conv_dgrad_34, rsqrt_19, mul_124, mul_125, bottleneck_6_conv_bn_batchnorm_dweight, bottleneck_6_conv_bn_batchnorm_dbias, partial_87);
	nnr_step(298, "residual.net:9,23  batchnorm_relu_backward of bottleneck_6  [256,28,28,128]  282.6 MFLOP  308.3 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_200704x128_kernel, conv_19, add_19, mul_19, bottleneck_6_conv_bn_batchnorm_bias, conv_dgrad_34, mul_124, mul_125);
	nnr_branch_begin();
	nnr_step(299, "residual.net:7  conv_wgrad(x_6, dconv_35)  [128,1,1,512]  26.3 GFLOP  514.1 MB");
	float *const dconv_35 = (float *)(m->arena + 19575865344);                              // [256,28,28,128]  102.8 MB  steps 54-372
	float *const bottleneck_6_conv_bn_conv_dweight = (float *)(m->arena + 21120783104);     // [128,1,1,512]  262.1 kB  steps 159-372
	conv_wgrad(&conv_wgrad_128x1x1x512_shape, &conv_wgrad_128x1x1x512_plan, x_6, dconv_35, bottleneck_6_conv_bn_conv_dweight);
	nnr_branch_end(36);
	nnr_step(300, "residual.net:7  conv_dgrad(dconv_35, bottleneck_6_conv_bn_conv_weight)  [256,28,28,512]  26.3 GFLOP  514.1 MB");
	float *const conv_dgrad_35 = (float *)(m->arena + 6987710464);                          // [256,28,28,512]  411.0 MB  steps 300-301
	conv_dgrad_any_size(&conv_dgrad_256x28x28x512_2_shape, &conv_dgrad_256x28x28x512_2_plan, dconv_35, bottleneck_6_conv_bn_conv_weight, conv_dgrad_35);
	nnr_branch_wait(11);
	nnr_step(301, "residual.net:7,9,28  add_relu_batchnorm_backward_sums  [256,28,28,512]  616.6 MFLOP  1.7 GB");
	float *const dy_9 = (float *)(m->arena + 7398752256);                                   // [256,28,28,512]  411.0 MB  steps 301-313
	float *const mul_126 = (float *)(m->arena + 18291630080);                               // [1,1,1,512]  2.0 kB  steps 301-302
	float *const mul_127 = (float *)(m->arena + 18291632128);                               // [1,1,1,512]  2.0 kB  steps 301-302
	float *const bottleneck_5_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219307776); // [512]  2.0 kB  steps 159-372
	float *const bottleneck_5_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219309824); // [512]  2.0 kB  steps 159-372
	float *const partial_88 = (float *)(m->arena + 18291359744);                            // [67584]  270.3 kB  steps 301-301
	add_relu_batchnorm_backward_sums(&add_relu_batchnorm_backward_sums_200704x512_kernel, dy_8, conv_dgrad_35, positive_3, conv_18, add_18, mul_18, rsqrt_18, dy_9, mul_126, mul_127, bottleneck_5_conv_bn_3_batchnorm_dweight, bottleneck_5_conv_bn_3_batchnorm_dbias, partial_88);
	nnr_step(302, "residual.net:9  batchnorm_backward of bottleneck_5.conv_bn_3  [256,28,28,512]  513.8 MFLOP  1.2 GB");
	batchnorm_backward(&batchnorm_backward_200704x512_kernel, dy_9, mul_18, conv_18, add_18, mul_126, mul_127);
	nnr_branch_begin();
	nnr_step(303, "residual.net:7  conv_wgrad(relu_10, dconv_36)  [512,1,1,128]  26.3 GFLOP  514.1 MB");
	float *const dconv_36 = (float *)(m->arena + 10687086592);                              // [256,28,28,512]  411.0 MB  steps 51-372
	float *const bottleneck_5_conv_bn_3_conv_dweight = (float *)(m->arena + 21120520960);   // [512,1,1,128]  262.1 kB  steps 159-372
	conv_wgrad(&conv_wgrad_512x1x1x128_shape, &conv_wgrad_512x1x1x128_plan, relu_10, dconv_36, bottleneck_5_conv_bn_3_conv_dweight);
	nnr_branch_end(37);
	nnr_step(304, "residual.net:7  conv_dgrad(dconv_36, bottleneck_5_conv_bn_3_conv_weight)  [256,28,28,128]  26.3 GFLOP  514.1 MB");
	float *const conv_dgrad_36 = (float *)(m->arena + 6987710464);                          // [256,28,28,128]  102.8 MB  steps 304-306
	conv_dgrad_any_size(&conv_dgrad_256x28x28x128_shape, &conv_dgrad_256x28x28x128_plan, dconv_36, bottleneck_5_conv_bn_3_conv_weight, conv_dgrad_36);
	nnr_step(305, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_5  [1,1,1,128]  256.9 MFLOP  205.5 MB");
	float *const mul_128 = (float *)(m->arena + 7091011584);                                // [1,1,1,128]  512 B  steps 305-306
	float *const mul_129 = (float *)(m->arena + 7091012096);                                // [1,1,1,128]  512 B  steps 305-306
	float *const bottleneck_5_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219306752); // [128]  512 B  steps 159-372
	float *const bottleneck_5_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219307264); // [128]  512 B  steps 159-372
	float *const partial_89 = (float *)(m->arena + 7090470912);                             // [135168]  540.7 kB  steps 305-305
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_200704x128_kernel, conv_17, add_17, mul_17, bottleneck_5_conv_bn_2_batchnorm_bias, conv_dgrad_36, rsqrt_17, mul_128, mul_129, bottleneck_5_conv_bn_2_batchnorm_dweight, bottleneck_5_conv_bn_2_batchnorm_dbias, partial_89);
	nnr_step(306, "residual.net:9,24  batchnorm_relu_backward of bottleneck_5  [256,28,28,128]  282.6 MFLOP  308.3 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_200704x128_kernel, conv_17, add_17, mul_17, bottleneck_5_conv_bn_2_batchnorm_bias, conv_dgrad_36, mul_128, mul_129);
	nnr_branch_begin();
	nnr_step(307, "residual.net:7  conv_wgrad(relu_9, dconv_37)  [128,3,3,128]  59.2 GFLOP  206.1 MB");
	float *const dconv_37 = (float *)(m->arena + 19267584000);                              // [256,28,28,128]  102.8 MB  steps 48-372
	float *const bottleneck_5_conv_bn_2_conv_dweight = (float *)(m->arena + 21119931136);   // [128,3,3,128]  589.8 kB  steps 159-372
	conv_wgrad(&conv_wgrad_128x3x3x128_shape, &conv_wgrad_128x3x3x128_plan, relu_9, dconv_37, bottleneck_5_conv_bn_2_conv_dweight);
	nnr_branch_end(38);
	nnr_step(308, "residual.net:7  conv_dgrad(dconv_37, bottleneck_5_conv_bn_2_conv_weight)  [256,28,28,128]  59.2 GFLOP  206.1 MB");
	float *const conv_dgrad_37 = (float *)(m->arena + 6987710464);                          // [256,28,28,128]  102.8 MB  steps 308-310
	conv_dgrad_any_size(&conv_dgrad_256x28x28x128_2_shape, &conv_dgrad_256x28x28x128_2_plan, dconv_37, bottleneck_5_conv_bn_2_conv_weight, conv_dgrad_37);
	nnr_step(309, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_5  [1,1,1,128]  256.9 MFLOP  205.5 MB");
	float *const mul_130 = (float *)(m->arena + 7091011584);                                // [1,1,1,128]  512 B  steps 309-310
	float *const mul_131 = (float *)(m->arena + 7091012096);                                // [1,1,1,128]  512 B  steps 309-310
	float *const bottleneck_5_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219305728); // [128]  512 B  steps 159-372
	float *const bottleneck_5_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219306240);  // [128]  512 B  steps 159-372
	float *const partial_90 = (float *)(m->arena + 7090470912);                             // [135168]  540.7 kB  steps 309-309
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_200704x128_kernel, conv_16, add_16, mul_16, bottleneck_5_conv_bn_batchnorm_bias, conv_dgrad_37, rsqrt_16, mul_130, mul_131, bottleneck_5_conv_bn_batchnorm_dweight, bottleneck_5_conv_bn_batchnorm_dbias, partial_90);
	nnr_step(310, "residual.net:9,23  batchnorm_relu_backward of bottleneck_5  [256,28,28,128]  282.6 MFLOP  308.3 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_200704x128_kernel, conv_16, add_16, mul_16, bottleneck_5_conv_bn_batchnorm_bias, conv_dgrad_37, mul_130, mul_131);
	nnr_branch_begin();
	nnr_step(311, "residual.net:7  conv_wgrad(x_5, dconv_38)  [128,1,1,512]  26.3 GFLOP  514.1 MB");
	float *const dconv_38 = (float *)(m->arena + 19062063104);                              // [256,28,28,128]  102.8 MB  steps 45-372
	float *const bottleneck_5_conv_bn_conv_dweight = (float *)(m->arena + 21119668992);     // [128,1,1,512]  262.1 kB  steps 159-372
	conv_wgrad(&conv_wgrad_128x1x1x512_shape, &conv_wgrad_128x1x1x512_plan, x_5, dconv_38, bottleneck_5_conv_bn_conv_dweight);
	nnr_branch_end(39);
	nnr_step(312, "residual.net:7  conv_dgrad(dconv_38, bottleneck_5_conv_bn_conv_weight)  [256,28,28,512]  26.3 GFLOP  514.1 MB");
	float *const conv_dgrad_38 = (float *)(m->arena + 6987710464);                          // [256,28,28,512]  411.0 MB  steps 312-313
	conv_dgrad_any_size(&conv_dgrad_256x28x28x512_2_shape, &conv_dgrad_256x28x28x512_2_plan, dconv_38, bottleneck_5_conv_bn_conv_weight, conv_dgrad_38);
	nnr_branch_wait(14);
	nnr_step(313, "residual.net:7,9,28  add_batchnorm_relu_backward_sums  [256,28,28,512]  1.8 GFLOP  2.1 GB");
	float *const dshortcut_3 = (float *)(m->arena + 13153337344);                           // [256,28,28,512]  411.0 MB  steps 313-372
	float *const mul_132 = (float *)(m->arena + 7810199552);                                // [1,1,1,512]  2.0 kB  steps 313-314
	float *const mul_133 = (float *)(m->arena + 7810201600);                                // [1,1,1,512]  2.0 kB  steps 313-314
	float *const bottleneck_4_conv_bn_4_batchnorm_dweight = (float *)(m->arena + 21219301632); // [512]  2.0 kB  steps 159-372
	float *const bottleneck_4_conv_bn_4_batchnorm_dbias = (float *)(m->arena + 21219299584); // [512]  2.0 kB  steps 159-372
	float *const mul_134 = (float *)(m->arena + 7810203648);                                // [1,1,1,512]  2.0 kB  steps 313-317
	float *const mul_135 = (float *)(m->arena + 7810205696);                                // [1,1,1,512]  2.0 kB  steps 313-317
	float *const bottleneck_4_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219297536); // [512]  2.0 kB  steps 159-372
	float *const bottleneck_4_conv_bn_4_batchnorm_dbias_2 = (float *)(m->arena + 21219303680); // [512]  2.0 kB  steps 159-372
	float *const partial_91 = (float *)(m->arena + 7809794048);                             // [101376]  405.5 kB  steps 313-313
	add_batchnorm_relu_backward_sums(&add_batchnorm_relu_backward_sums_200704x512_kernel, dy_9, conv_dgrad_38, conv_14, add_14, mul_14, bottleneck_4_conv_bn_3_batchnorm_bias, conv_15, add_15, mul_15, bottleneck_4_conv_bn_4_batchnorm_bias, rsqrt_15, rsqrt_14, dshortcut_3, mul_132, mul_133, bottleneck_4_conv_bn_4_batchnorm_dweight, bottleneck_4_conv_bn_4_batchnorm_dbias, mul_134, mul_135, bottleneck_4_conv_bn_3_batchnorm_dweight, bottleneck_4_conv_bn_4_batchnorm_dbias_2, partial_91);
	nnr_step(314, "residual.net:9  batchnorm_backward of bottleneck_4.conv_bn_4  [256,28,28,512]  513.8 MFLOP  1.2 GB");
	batchnorm_backward(&batchnorm_backward_200704x512_kernel, dshortcut_3, mul_15, conv_15, add_15, mul_132, mul_133);
	nnr_branch_begin();
	nnr_step(315, "residual.net:7  conv_wgrad(x_4, dconv_39)  [512,1,1,256]  52.6 GFLOP  1.2 GB");
	float *const dconv_39 = (float *)(m->arena + 9865003008);                               // [256,28,28,512]  411.0 MB  steps 42-372
	float *const bottleneck_4_conv_bn_4_conv_dweight = (float *)(m->arena + 21119144704);   // [512,1,1,256]  524.3 kB  steps 159-372
	conv_wgrad(&conv_wgrad_512x1x1x256_shape, &conv_wgrad_512x1x1x256_plan, x_4, dconv_39, bottleneck_4_conv_bn_4_conv_dweight);
	nnr_branch_end(40);
	nnr_step(316, "residual.net:7  conv_dgrad(dconv_39, bottleneck_4_conv_bn_4_conv_weight)  [256,28,28,256]  52.6 GFLOP  617.1 MB");
	float *const conv_dgrad_39 = (float *)(m->arena + 18291359744);                         // [256,28,28,256]  205.5 MB  steps 316-328
	conv_dgrad_any_size(&conv_dgrad_256x28x28x256_2_shape, &conv_dgrad_256x28x28x256_2_plan, dconv_39, bottleneck_4_conv_bn_4_conv_weight, conv_dgrad_39);
	nnr_step(317, "residual.net:9  batchnorm_backward of bottleneck_4.conv_bn_3  [256,28,28,512]  513.8 MFLOP  1.2 GB");
	batchnorm_backward_2(&batchnorm_backward_200704x512_2_kernel, dshortcut_3, mul_14, conv_14, add_14, mul_134, mul_135);
	nnr_branch_begin();
	nnr_step(318, "residual.net:7  conv_wgrad(relu_8, dconv_40)  [512,1,1,128]  26.3 GFLOP  514.1 MB");
	float *const dconv_40 = (float *)(m->arena + 13153337344);                              // [256,28,28,512]  411.0 MB  steps 313-372
	float *const bottleneck_4_conv_bn_3_conv_dweight = (float *)(m->arena + 21118882560);   // [512,1,1,128]  262.1 kB  steps 159-372
	conv_wgrad(&conv_wgrad_512x1x1x128_shape, &conv_wgrad_512x1x1x128_plan, relu_8, dconv_40, bottleneck_4_conv_bn_3_conv_dweight);
	nnr_branch_end(41);
	nnr_step(319, "residual.net:7  conv_dgrad(dconv_40, bottleneck_4_conv_bn_3_conv_weight)  [256,28,28,128]  26.3 GFLOP  514.1 MB");
	float *const conv_dgrad_40 = (float *)(m->arena + 6576668672);                          // [256,28,28,128]  102.8 MB  steps 319-321
	conv_dgrad_any_size(&conv_dgrad_256x28x28x128_shape, &conv_dgrad_256x28x28x128_plan, dconv_40, bottleneck_4_conv_bn_3_conv_weight, conv_dgrad_40);
	nnr_step(320, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_4  [1,1,1,128]  256.9 MFLOP  205.5 MB");
	float *const mul_136 = (float *)(m->arena + 6679969792);                                // [1,1,1,128]  512 B  steps 320-321
	float *const mul_137 = (float *)(m->arena + 6679970304);                                // [1,1,1,128]  512 B  steps 320-321
	float *const bottleneck_4_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219296512); // [128]  512 B  steps 159-372
	float *const bottleneck_4_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219297024); // [128]  512 B  steps 159-372
	float *const partial_92 = (float *)(m->arena + 6679429120);                             // [135168]  540.7 kB  steps 320-320
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_200704x128_kernel, conv_13, add_13, mul_13, bottleneck_4_conv_bn_2_batchnorm_bias, conv_dgrad_40, rsqrt_13, mul_136, mul_137, bottleneck_4_conv_bn_2_batchnorm_dweight, bottleneck_4_conv_bn_2_batchnorm_dbias, partial_92);
	nnr_step(321, "residual.net:9,24  batchnorm_relu_backward of bottleneck_4  [256,28,28,128]  282.6 MFLOP  308.3 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_200704x128_kernel, conv_13, add_13, mul_13, bottleneck_4_conv_bn_2_batchnorm_bias, conv_dgrad_40, mul_136, mul_137);
	nnr_branch_begin();
	nnr_step(322, "residual.net:7  conv_wgrad(relu_7, dconv_41)  [128,3,3,128]  59.2 GFLOP  514.4 MB");
	float *const dconv_41 = (float *)(m->arena + 18856542208);                              // [256,28,28,128]  102.8 MB  steps 37-372
	float *const bottleneck_4_conv_bn_2_conv_dweight = (float *)(m->arena + 21118292736);   // [128,3,3,128]  589.8 kB  steps 159-372
	conv_wgrad(&conv_wgrad_128x3x3x128_2_shape, &conv_wgrad_128x3x3x128_2_plan, relu_7, dconv_41, bottleneck_4_conv_bn_2_conv_dweight);
	nnr_branch_end(42);
	nnr_step(323, "residual.net:7  conv_dgrad(dconv_41, bottleneck_4_conv_bn_2_conv_weight)  [256,56,56,128]  59.2 GFLOP  514.4 MB");
	float *const conv_dgrad_41 = (float *)(m->arena + 6576668672);                          // [256,56,56,128]  411.0 MB  steps 323-325
	conv_dgrad_any_size(&conv_dgrad_256x56x56x128_shape, &conv_dgrad_256x56x56x128_plan, dconv_41, bottleneck_4_conv_bn_2_conv_weight, conv_dgrad_41);
	nnr_step(324, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_4  [1,1,1,128]  1.0 GFLOP  822.1 MB");
	float *const mul_138 = (float *)(m->arena + 6988251136);                                // [1,1,1,128]  512 B  steps 324-325
	float *const mul_139 = (float *)(m->arena + 6988251648);                                // [1,1,1,128]  512 B  steps 324-325
	float *const bottleneck_4_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219295488); // [128]  512 B  steps 159-372
	float *const bottleneck_4_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219296000);  // [128]  512 B  steps 159-372
	float *const partial_93 = (float *)(m->arena + 6987710464);                             // [135168]  540.7 kB  steps 324-324
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_802816x128_kernel, conv_12, add_12, mul_12, bottleneck_4_conv_bn_batchnorm_bias, conv_dgrad_41, rsqrt_12, mul_138, mul_139, bottleneck_4_conv_bn_batchnorm_dweight, bottleneck_4_conv_bn_batchnorm_dbias, partial_93);
	nnr_step(325, "residual.net:9,23  batchnorm_relu_backward of bottleneck_4  [256,56,56,128]  1.1 GFLOP  1.2 GB");
	batchnorm_relu_backward(&batchnorm_relu_backward_802816x128_kernel, conv_12, add_12, mul_12, bottleneck_4_conv_bn_batchnorm_bias, conv_dgrad_41, mul_138, mul_139);
	nnr_branch_begin();
	nnr_step(326, "residual.net:7  conv_wgrad(x_4, dconv_42)  [128,1,1,256]  52.6 GFLOP  1.2 GB");
	float *const dconv_42 = (float *)(m->arena + 9042919424);                               // [256,56,56,128]  411.0 MB  steps 34-372
	float *const bottleneck_4_conv_bn_conv_dweight = (float *)(m->arena + 21118161664);     // [128,1,1,256]  131.1 kB  steps 159-372
	conv_wgrad(&conv_wgrad_128x1x1x256_shape, &conv_wgrad_128x1x1x256_plan, x_4, dconv_42, bottleneck_4_conv_bn_conv_dweight);
	nnr_branch_end(43);
	nnr_step(327, "residual.net:7  conv_dgrad(dconv_42, bottleneck_4_conv_bn_conv_weight)  [256,56,56,256]  52.6 GFLOP  1.2 GB");
	float *const conv_dgrad_42 = (float *)(m->arena + 6576668672);                          // [256,56,56,256]  822.1 MB  steps 327-328
	conv_dgrad_any_size(&conv_dgrad_256x56x56x256_shape, &conv_dgrad_256x56x56x256_plan, dconv_42, bottleneck_4_conv_bn_conv_weight, conv_dgrad_42);
	nnr_branch_wait(17);
	nnr_step(328, "residual.net:7,9,28  relu_conv_add_batchnorm_backward_sums  [256,56,56,256]  1.2 GFLOP  2.9 GB");
	float *const dy_10 = (float *)(m->arena + 7398752256);                                  // [256,56,56,256]  822.1 MB  steps 328-340
	float *const mul_140 = (float *)(m->arena + 8837668864);                                // [1,1,1,256]  1.0 kB  steps 328-329
	float *const mul_141 = (float *)(m->arena + 8837669888);                                // [1,1,1,256]  1.0 kB  steps 328-329
	float *const bottleneck_3_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219293440); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_3_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219294464); // [256]  1.0 kB  steps 159-372
	float *const partial_94 = (float *)(m->arena + 8837398528);                             // [67584]  270.3 kB  steps 328-328
	relu_conv_add_batchnorm_backward_sums(&relu_conv_add_batchnorm_backward_sums_256x56x56x256_kernel, positive_2, conv_dgrad_39, conv_dgrad_42, conv_11, add_11, mul_11, rsqrt_11, dy_10, mul_140, mul_141, bottleneck_3_conv_bn_3_batchnorm_dweight, bottleneck_3_conv_bn_3_batchnorm_dbias, partial_94);
	nnr_step(329, "residual.net:9  batchnorm_backward of bottleneck_3.conv_bn_3  [256,56,56,256]  1.0 GFLOP  2.5 GB");
	batchnorm_backward(&batchnorm_backward_802816x256_kernel, dy_10, mul_11, conv_11, add_11, mul_140, mul_141);
	nnr_branch_begin();
	nnr_step(330, "residual.net:7  conv_wgrad(relu_6, dconv_43)  [256,1,1,64]  26.3 GFLOP  1.0 GB");
	float *const dconv_43 = (float *)(m->arena + 4932501504);                               // [256,56,56,256]  822.1 MB  steps 31-372
	float *const bottleneck_3_conv_bn_3_conv_dweight = (float *)(m->arena + 21118096128);   // [256,1,1,64]  65.5 kB  steps 159-372
	conv_wgrad(&conv_wgrad_256x1x1x64_shape, &conv_wgrad_256x1x1x64_plan, relu_6, dconv_43, bottleneck_3_conv_bn_3_conv_dweight);
	nnr_branch_end(44);
	nnr_step(331, "residual.net:7  conv_dgrad(dconv_43, bottleneck_3_conv_bn_3_conv_weight)  [256,56,56,64]  26.3 GFLOP  1.0 GB");
	float *const conv_dgrad_43 = (float *)(m->arena + 6576668672);                          // [256,56,56,64]  205.5 MB  steps 331-333
	conv_dgrad_any_size(&conv_dgrad_256x56x56x64_shape, &conv_dgrad_256x56x56x64_plan, dconv_43, bottleneck_3_conv_bn_3_conv_weight, conv_dgrad_43);
	nnr_step(332, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_3  [1,1,1,64]  513.8 MFLOP  411.0 MB");
	float *const mul_142 = (float *)(m->arena + 6782459904);                                // [1,1,1,64]  256 B  steps 332-333
	float *const mul_143 = (float *)(m->arena + 6782460160);                                // [1,1,1,64]  256 B  steps 332-333
	float *const bottleneck_3_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219292928); // [64]  256 B  steps 159-372
	float *const bottleneck_3_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219293184); // [64]  256 B  steps 159-372
	float *const partial_95 = (float *)(m->arena + 6782189568);                             // [67584]  270.3 kB  steps 332-332
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_802816x64_kernel, conv_10, add_10, mul_10, bottleneck_3_conv_bn_2_batchnorm_bias, conv_dgrad_43, rsqrt_10, mul_142, mul_143, bottleneck_3_conv_bn_2_batchnorm_dweight, bottleneck_3_conv_bn_2_batchnorm_dbias, partial_95);
	nnr_step(333, "residual.net:9,24  batchnorm_relu_backward of bottleneck_3  [256,56,56,64]  565.2 MFLOP  616.6 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_802816x64_kernel, conv_10, add_10, mul_10, bottleneck_3_conv_bn_2_batchnorm_bias, conv_dgrad_43, mul_142, mul_143);
	nnr_branch_begin();
	nnr_step(334, "residual.net:7  conv_wgrad(relu_5, dconv_44)  [64,3,3,64]  59.2 GFLOP  411.2 MB");
	float *const dconv_44 = (float *)(m->arena + 16236150784);                              // [256,56,56,64]  205.5 MB  steps 28-372
	float *const bottleneck_3_conv_bn_2_conv_dweight = (float *)(m->arena + 21117948672);   // [64,3,3,64]  147.5 kB  steps 159-372
	conv_wgrad(&conv_wgrad_64x3x3x64_shape, &conv_wgrad_64x3x3x64_plan, relu_5, dconv_44, bottleneck_3_conv_bn_2_conv_dweight);
	nnr_branch_end(45);
	nnr_step(335, "residual.net:7  conv_dgrad(dconv_44, bottleneck_3_conv_bn_2_conv_weight)  [256,56,56,64]  59.2 GFLOP  411.2 MB");
	float *const conv_dgrad_44 = (float *)(m->arena + 6576668672);                          // [256,56,56,64]  205.5 MB  steps 335-337
	conv_dgrad_any_size(&conv_dgrad_256x56x56x64_2_shape, &conv_dgrad_256x56x56x64_2_plan, dconv_44, bottleneck_3_conv_bn_2_conv_weight, conv_dgrad_44);
	nnr_step(336, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_3  [1,1,1,64]  513.8 MFLOP  411.0 MB");
	float *const mul_144 = (float *)(m->arena + 6782459904);                                // [1,1,1,64]  256 B  steps 336-337
	float *const mul_145 = (float *)(m->arena + 6782460160);                                // [1,1,1,64]  256 B  steps 336-337
	float *const bottleneck_3_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219292416); // [64]  256 B  steps 159-372
	float *const bottleneck_3_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219292672);  // [64]  256 B  steps 159-372
	float *const partial_96 = (float *)(m->arena + 6782189568);                             // [67584]  270.3 kB  steps 336-336
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_802816x64_kernel, conv_9, add_9, mul_9, bottleneck_3_conv_bn_batchnorm_bias, conv_dgrad_44, rsqrt_9, mul_144, mul_145, bottleneck_3_conv_bn_batchnorm_dweight, bottleneck_3_conv_bn_batchnorm_dbias, partial_96);
	nnr_step(337, "residual.net:9,23  batchnorm_relu_backward of bottleneck_3  [256,56,56,64]  565.2 MFLOP  616.6 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_802816x64_kernel, conv_9, add_9, mul_9, bottleneck_3_conv_bn_batchnorm_bias, conv_dgrad_44, mul_144, mul_145);
	nnr_branch_begin();
	nnr_step(338, "residual.net:7  conv_wgrad(x_3, dconv_45)  [64,1,1,256]  26.3 GFLOP  1.0 GB");
	float *const dconv_45 = (float *)(m->arena + 15825108992);                              // [256,56,56,64]  205.5 MB  steps 25-372
	float *const bottleneck_3_conv_bn_conv_dweight = (float *)(m->arena + 21117883136);     // [64,1,1,256]  65.5 kB  steps 159-372
	conv_wgrad(&conv_wgrad_64x1x1x256_shape, &conv_wgrad_64x1x1x256_plan, x_3, dconv_45, bottleneck_3_conv_bn_conv_dweight);
	nnr_branch_end(46);
	nnr_step(339, "residual.net:7  conv_dgrad(dconv_45, bottleneck_3_conv_bn_conv_weight)  [256,56,56,256]  26.3 GFLOP  1.0 GB");
	float *const conv_dgrad_45 = (float *)(m->arena + 6576668672);                          // [256,56,56,256]  822.1 MB  steps 339-340
	conv_dgrad_any_size(&conv_dgrad_256x56x56x256_2_shape, &conv_dgrad_256x56x56x256_2_plan, dconv_45, bottleneck_3_conv_bn_conv_weight, conv_dgrad_45);
	nnr_branch_wait(20);
	nnr_step(340, "residual.net:7,9,28  add_relu_batchnorm_backward_sums  [256,56,56,256]  1.2 GFLOP  3.5 GB");
	float *const dy_11 = (float *)(m->arena + 8220835840);                                  // [256,56,56,256]  822.1 MB  steps 340-352
	float *const mul_146 = (float *)(m->arena + 18086109184);                               // [1,1,1,256]  1.0 kB  steps 340-341
	float *const mul_147 = (float *)(m->arena + 18086110208);                               // [1,1,1,256]  1.0 kB  steps 340-341
	float *const bottleneck_2_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219290368); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_2_conv_bn_3_batchnorm_dbias = (float *)(m->arena + 21219291392); // [256]  1.0 kB  steps 159-372
	float *const partial_97 = (float *)(m->arena + 18085838848);                            // [67584]  270.3 kB  steps 340-340
	add_relu_batchnorm_backward_sums(&add_relu_batchnorm_backward_sums_802816x256_kernel, dy_10, conv_dgrad_45, positive, conv_8, add_8, mul_8, rsqrt_8, dy_11, mul_146, mul_147, bottleneck_2_conv_bn_3_batchnorm_dweight, bottleneck_2_conv_bn_3_batchnorm_dbias, partial_97);
	nnr_step(341, "residual.net:9  round_tf32(((dy_11 * mul_8) + (((conv_8 - add_8) * mul_146) + mul_147)))  [256,56,56,256]  1.0 GFLOP  2.5 GB");
	batchnorm_backward(&batchnorm_backward_802816x256_kernel, dy_11, mul_8, conv_8, add_8, mul_146, mul_147);
	nnr_branch_begin();
	nnr_step(342, "residual.net:7  conv_wgrad(relu_4, dconv_46)  [256,1,1,64]  26.3 GFLOP  1.0 GB");
	float *const dconv_46 = (float *)(m->arena + 3288334336);                               // [256,56,56,256]  822.1 MB  steps 22-372
	float *const bottleneck_2_conv_bn_3_conv_dweight = (float *)(m->arena + 21117817600);   // [256,1,1,64]  65.5 kB  steps 159-372
	conv_wgrad(&conv_wgrad_256x1x1x64_shape, &conv_wgrad_256x1x1x64_plan, relu_4, dconv_46, bottleneck_2_conv_bn_3_conv_dweight);
	nnr_branch_end(47);
	nnr_step(343, "residual.net:7  conv_dgrad(dconv_46, bottleneck_2_conv_bn_3_conv_weight)  [256,56,56,64]  26.3 GFLOP  1.0 GB");
	float *const conv_dgrad_46 = (float *)(m->arena + 6576668672);                          // [256,56,56,64]  205.5 MB  steps 343-345
	conv_dgrad_any_size(&conv_dgrad_256x56x56x64_shape, &conv_dgrad_256x56x56x64_plan, dconv_46, bottleneck_2_conv_bn_3_conv_weight, conv_dgrad_46);
	nnr_step(344, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck_2  [1,1,1,64]  513.8 MFLOP  411.0 MB");
	float *const mul_148 = (float *)(m->arena + 6782459904);                                // [1,1,1,64]  256 B  steps 344-345
	float *const mul_149 = (float *)(m->arena + 6782460160);                                // [1,1,1,64]  256 B  steps 344-345
	float *const bottleneck_2_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219289856); // [64]  256 B  steps 159-372
	float *const bottleneck_2_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219290112); // [64]  256 B  steps 159-372
	float *const partial_98 = (float *)(m->arena + 6782189568);                             // [67584]  270.3 kB  steps 344-344
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_802816x64_kernel, conv_7, add_7, mul_7, bottleneck_2_conv_bn_2_batchnorm_bias, conv_dgrad_46, rsqrt_7, mul_148, mul_149, bottleneck_2_conv_bn_2_batchnorm_dweight, bottleneck_2_conv_bn_2_batchnorm_dbias, partial_98);
	nnr_step(345, "residual.net:9,24  batchnorm_relu_backward of bottleneck_2  [256,56,56,64]  565.2 MFLOP  616.6 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_802816x64_kernel, conv_7, add_7, mul_7, bottleneck_2_conv_bn_2_batchnorm_bias, conv_dgrad_46, mul_148, mul_149);
	nnr_branch_begin();
	nnr_step(346, "residual.net:7  conv_wgrad(relu_3, dconv_47)  [64,3,3,64]  59.2 GFLOP  411.2 MB");
	float *const dconv_47 = (float *)(m->arena + 15208546304);                              // [256,56,56,64]  205.5 MB  steps 19-372
	float *const bottleneck_2_conv_bn_2_conv_dweight = (float *)(m->arena + 21117670144);   // [64,3,3,64]  147.5 kB  steps 159-372
	conv_wgrad(&conv_wgrad_64x3x3x64_shape, &conv_wgrad_64x3x3x64_plan, relu_3, dconv_47, bottleneck_2_conv_bn_2_conv_dweight);
	nnr_branch_end(48);
	nnr_step(347, "residual.net:7  conv_dgrad(dconv_47, bottleneck_2_conv_bn_2_conv_weight)  [256,56,56,64]  59.2 GFLOP  411.2 MB");
	float *const conv_dgrad_47 = (float *)(m->arena + 6576668672);                          // [256,56,56,64]  205.5 MB  steps 347-349
	conv_dgrad_any_size(&conv_dgrad_256x56x56x64_2_shape, &conv_dgrad_256x56x56x64_2_plan, dconv_47, bottleneck_2_conv_bn_2_conv_weight, conv_dgrad_47);
	nnr_step(348, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck_2  [1,1,1,64]  513.8 MFLOP  411.0 MB");
	float *const mul_150 = (float *)(m->arena + 6782459904);                                // [1,1,1,64]  256 B  steps 348-349
	float *const mul_151 = (float *)(m->arena + 6782460160);                                // [1,1,1,64]  256 B  steps 348-349
	float *const bottleneck_2_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219289344); // [64]  256 B  steps 159-372
	float *const bottleneck_2_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219289600);  // [64]  256 B  steps 159-372
	float *const partial_99 = (float *)(m->arena + 6782189568);                             // [67584]  270.3 kB  steps 348-348
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_802816x64_kernel, conv_6, add_6, mul_6, bottleneck_2_conv_bn_batchnorm_bias, conv_dgrad_47, rsqrt_6, mul_150, mul_151, bottleneck_2_conv_bn_batchnorm_dweight, bottleneck_2_conv_bn_batchnorm_dbias, partial_99);
	nnr_step(349, "residual.net:9,23  batchnorm_relu_backward of bottleneck_2  [256,56,56,64]  565.2 MFLOP  616.6 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_802816x64_kernel, conv_6, add_6, mul_6, bottleneck_2_conv_bn_batchnorm_bias, conv_dgrad_47, mul_150, mul_151);
	nnr_branch_begin();
	nnr_step(350, "residual.net:7  conv_wgrad(x_2, dconv_48)  [64,1,1,256]  26.3 GFLOP  1.0 GB");
	float *const dconv_48 = (float *)(m->arena + 14797504512);                              // [256,56,56,64]  205.5 MB  steps 16-372
	float *const bottleneck_2_conv_bn_conv_dweight = (float *)(m->arena + 21117604608);     // [64,1,1,256]  65.5 kB  steps 159-372
	conv_wgrad(&conv_wgrad_64x1x1x256_shape, &conv_wgrad_64x1x1x256_plan, x_2, dconv_48, bottleneck_2_conv_bn_conv_dweight);
	nnr_branch_end(49);
	nnr_step(351, "residual.net:7  conv_dgrad(dconv_48, bottleneck_2_conv_bn_conv_weight)  [256,56,56,256]  26.3 GFLOP  1.0 GB");
	float *const conv_dgrad_48 = (float *)(m->arena + 6576668672);                          // [256,56,56,256]  822.1 MB  steps 351-352
	conv_dgrad_any_size(&conv_dgrad_256x56x56x256_2_shape, &conv_dgrad_256x56x56x256_2_plan, dconv_48, bottleneck_2_conv_bn_conv_weight, conv_dgrad_48);
	nnr_step(352, "residual.net:7,9,28  add_batchnorm_relu_backward_sums  [256,56,56,256]  3.7 GFLOP  4.1 GB");
	float *const dshortcut_4 = (float *)(m->arena + 7398752256);                            // [256,56,56,256]  822.1 MB  steps 352-372
	float *const mul_152 = (float *)(m->arena + 15619993600);                               // [1,1,1,256]  1.0 kB  steps 352-353
	float *const mul_153 = (float *)(m->arena + 15619994624);                               // [1,1,1,256]  1.0 kB  steps 352-353
	float *const bottleneck_conv_bn_4_batchnorm_dweight = (float *)(m->arena + 21219287296); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_conv_bn_4_batchnorm_dbias = (float *)(m->arena + 21219286272);  // [256]  1.0 kB  steps 159-372
	float *const mul_154 = (float *)(m->arena + 15619995648);                               // [1,1,1,256]  1.0 kB  steps 352-356
	float *const mul_155 = (float *)(m->arena + 15619996672);                               // [1,1,1,256]  1.0 kB  steps 352-356
	float *const bottleneck_conv_bn_3_batchnorm_dweight = (float *)(m->arena + 21219285248); // [256]  1.0 kB  steps 159-372
	float *const bottleneck_conv_bn_4_batchnorm_dbias_2 = (float *)(m->arena + 21219288320); // [256]  1.0 kB  steps 159-372
	float *const partial_100 = (float *)(m->arena + 15619588096);                           // [101376]  405.5 kB  steps 352-352
	add_batchnorm_relu_backward_sums(&add_batchnorm_relu_backward_sums_802816x256_kernel, dy_11, conv_dgrad_48, conv_4, add_4, mul_4, bottleneck_conv_bn_3_batchnorm_bias, conv_5, add_5, mul_5, bottleneck_conv_bn_4_batchnorm_bias, rsqrt_5, rsqrt_4, dshortcut_4, mul_152, mul_153, bottleneck_conv_bn_4_batchnorm_dweight, bottleneck_conv_bn_4_batchnorm_dbias, mul_154, mul_155, bottleneck_conv_bn_3_batchnorm_dweight, bottleneck_conv_bn_4_batchnorm_dbias_2, partial_100);
	nnr_step(353, "residual.net:9  batchnorm_backward of bottleneck.conv_bn_4  [256,56,56,256]  1.0 GFLOP  2.5 GB");
	batchnorm_backward(&batchnorm_backward_802816x256_kernel, dshortcut_4, mul_5, conv_5, add_5, mul_152, mul_153);
	nnr_branch_begin();
	nnr_step(354, "residual.net:7  conv_wgrad(x, dconv_49)  [256,1,1,64]  26.3 GFLOP  1.0 GB");
	float *const dconv_49 = (float *)(m->arena + 1644167168);                               // [256,56,56,256]  822.1 MB  steps 13-372
	float *const bottleneck_conv_bn_4_conv_dweight = (float *)(m->arena + 21117539072);     // [256,1,1,64]  65.5 kB  steps 159-372
	conv_wgrad(&conv_wgrad_256x1x1x64_shape, &conv_wgrad_256x1x1x64_plan, x, dconv_49, bottleneck_conv_bn_4_conv_dweight);
	nnr_branch_end(50);
	nnr_step(355, "residual.net:7  conv_dgrad(dconv_49, bottleneck_conv_bn_4_conv_weight)  [256,56,56,64]  26.3 GFLOP  1.0 GB");
	float *const conv_dgrad_49 = (float *)(m->arena + 6576668672);                          // [256,56,56,64]  205.5 MB  steps 355-367
	conv_dgrad_any_size(&conv_dgrad_256x56x56x64_shape, &conv_dgrad_256x56x56x64_plan, dconv_49, bottleneck_conv_bn_4_conv_weight, conv_dgrad_49);
	nnr_step(356, "residual.net:9  batchnorm_backward of bottleneck.conv_bn_3  [256,56,56,256]  1.0 GFLOP  2.5 GB");
	batchnorm_backward_2(&batchnorm_backward_802816x256_2_kernel, dshortcut_4, mul_4, conv_4, add_4, mul_154, mul_155);
	nnr_branch_begin();
	nnr_step(357, "residual.net:7  conv_wgrad(relu_2, dconv_50)  [256,1,1,64]  26.3 GFLOP  1.0 GB");
	float *const dconv_50 = (float *)(m->arena + 7398752256);                               // [256,56,56,256]  822.1 MB  steps 352-372
	float *const bottleneck_conv_bn_3_conv_dweight = (float *)(m->arena + 21117473536);     // [256,1,1,64]  65.5 kB  steps 159-372
	conv_wgrad(&conv_wgrad_256x1x1x64_shape, &conv_wgrad_256x1x1x64_plan, relu_2, dconv_50, bottleneck_conv_bn_3_conv_dweight);
	nnr_branch_end(51);
	nnr_step(358, "residual.net:7  conv_dgrad(dconv_50, bottleneck_conv_bn_3_conv_weight)  [256,56,56,64]  26.3 GFLOP  1.0 GB");
	float *const conv_dgrad_50 = (float *)(m->arena + 822083584);                           // [256,56,56,64]  205.5 MB  steps 358-360
	conv_dgrad_any_size(&conv_dgrad_256x56x56x64_shape, &conv_dgrad_256x56x56x64_plan, dconv_50, bottleneck_conv_bn_3_conv_weight, conv_dgrad_50);
	nnr_step(359, "residual.net:9,24  batchnorm_relu_backward_sums of bottleneck  [1,1,1,64]  513.8 MFLOP  411.0 MB");
	float *const mul_156 = (float *)(m->arena + 1027874816);                                // [1,1,1,64]  256 B  steps 359-360
	float *const mul_157 = (float *)(m->arena + 1027875072);                                // [1,1,1,64]  256 B  steps 359-360
	float *const bottleneck_conv_bn_2_batchnorm_dweight = (float *)(m->arena + 21219284736); // [64]  256 B  steps 159-372
	float *const bottleneck_conv_bn_2_batchnorm_dbias = (float *)(m->arena + 21219284992);  // [64]  256 B  steps 159-372
	float *const partial_101 = (float *)(m->arena + 1027604480);                            // [67584]  270.3 kB  steps 359-359
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_802816x64_kernel, conv_3, add_3, mul_3, bottleneck_conv_bn_2_batchnorm_bias, conv_dgrad_50, rsqrt_3, mul_156, mul_157, bottleneck_conv_bn_2_batchnorm_dweight, bottleneck_conv_bn_2_batchnorm_dbias, partial_101);
	nnr_step(360, "residual.net:9,24  batchnorm_relu_backward of bottleneck  [256,56,56,64]  565.2 MFLOP  616.6 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_802816x64_kernel, conv_3, add_3, mul_3, bottleneck_conv_bn_2_batchnorm_bias, conv_dgrad_50, mul_156, mul_157);
	nnr_branch_begin();
	nnr_step(361, "residual.net:7  conv_wgrad(relu, dconv_51)  [64,3,3,64]  59.2 GFLOP  411.2 MB");
	float *const dconv_51 = (float *)(m->arena + 14386462720);                              // [256,56,56,64]  205.5 MB  steps 8-372
	float *const bottleneck_conv_bn_2_conv_dweight = (float *)(m->arena + 21117326080);     // [64,3,3,64]  147.5 kB  steps 159-372
	conv_wgrad(&conv_wgrad_64x3x3x64_shape, &conv_wgrad_64x3x3x64_plan, relu, dconv_51, bottleneck_conv_bn_2_conv_dweight);
	nnr_branch_end(52);
	nnr_step(362, "residual.net:7  conv_dgrad(dconv_51, bottleneck_conv_bn_2_conv_weight)  [256,56,56,64]  59.2 GFLOP  411.2 MB");
	float *const conv_dgrad_51 = (float *)(m->arena + 822083584);                           // [256,56,56,64]  205.5 MB  steps 362-364
	conv_dgrad_any_size(&conv_dgrad_256x56x56x64_2_shape, &conv_dgrad_256x56x56x64_2_plan, dconv_51, bottleneck_conv_bn_2_conv_weight, conv_dgrad_51);
	nnr_step(363, "residual.net:9,23  batchnorm_relu_backward_sums of bottleneck  [1,1,1,64]  513.8 MFLOP  411.0 MB");
	float *const mul_158 = (float *)(m->arena + 1027874816);                                // [1,1,1,64]  256 B  steps 363-364
	float *const mul_159 = (float *)(m->arena + 1027875072);                                // [1,1,1,64]  256 B  steps 363-364
	float *const bottleneck_conv_bn_batchnorm_dweight = (float *)(m->arena + 21219284224);  // [64]  256 B  steps 159-372
	float *const bottleneck_conv_bn_batchnorm_dbias = (float *)(m->arena + 21219284480);    // [64]  256 B  steps 159-372
	float *const partial_102 = (float *)(m->arena + 1027604480);                            // [67584]  270.3 kB  steps 363-363
	batchnorm_relu_backward_sums(&batchnorm_relu_backward_sums_802816x64_kernel, conv_2, add_2, mul_2, bottleneck_conv_bn_batchnorm_bias, conv_dgrad_51, rsqrt_2, mul_158, mul_159, bottleneck_conv_bn_batchnorm_dweight, bottleneck_conv_bn_batchnorm_dbias, partial_102);
	nnr_step(364, "residual.net:9,23  batchnorm_relu_backward of bottleneck  [256,56,56,64]  565.2 MFLOP  616.6 MB");
	batchnorm_relu_backward(&batchnorm_relu_backward_802816x64_kernel, conv_2, add_2, mul_2, bottleneck_conv_bn_batchnorm_bias, conv_dgrad_51, mul_158, mul_159);
	nnr_branch_begin();
	nnr_step(365, "residual.net:7  conv_wgrad(x, dconv_52)  [64,1,1,64]  6.6 GFLOP  411.1 MB");
	float *const dconv_52 = (float *)(m->arena + 13975420928);                              // [256,56,56,64]  205.5 MB  steps 5-372
	float *const bottleneck_conv_bn_conv_dweight = (float *)(m->arena + 21117309696);       // [64,1,1,64]  16.4 kB  steps 159-372
	conv_wgrad(&conv_wgrad_64x1x1x64_shape, &conv_wgrad_64x1x1x64_plan, x, dconv_52, bottleneck_conv_bn_conv_dweight);
	nnr_branch_end(53);
	nnr_step(366, "residual.net:7  conv_dgrad(dconv_52, bottleneck_conv_bn_conv_weight)  [256,56,56,64]  6.6 GFLOP  411.1 MB");
	float *const conv_dgrad_52 = (float *)(m->arena + 822083584);                           // [256,56,56,64]  205.5 MB  steps 366-367
	conv_dgrad_any_size(&conv_dgrad_256x56x56x64_3_shape, &conv_dgrad_256x56x56x64_3_plan, dconv_52, bottleneck_conv_bn_conv_weight, conv_dgrad_52);
	nnr_step(367, "residual.net:7,9 resnet.net:17  add_backward_batchnorm_backward_relu_sums  [256,56,56,64]  513.8 MFLOP  822.1 MB");
	float *const dx = (float *)(m->arena + 1027604480);                                     // [256,56,56,64]  205.5 MB  steps 367-369
	float *const mul_160 = (float *)(m->arena + 1233260544);                                // [1,1,1,64]  256 B  steps 367-369
	float *const mul_161 = (float *)(m->arena + 1233260800);                                // [1,1,1,64]  256 B  steps 367-369
	float *const conv_bn_batchnorm_dweight = (float *)(m->arena + 21219283712);             // [64]  256 B  steps 159-372
	float *const conv_bn_batchnorm_dbias = (float *)(m->arena + 21219283968);               // [64]  256 B  steps 159-372
	float *const partial_103 = (float *)(m->arena + 1233125376);                            // [33792]  135.2 kB  steps 367-367
	add_backward_batchnorm_backward_relu_sums_802816x64(conv_dgrad_49, conv_dgrad_52, x_top, add, mul, conv_bn_batchnorm_bias, rsqrt_, dx, mul_160, mul_161, conv_bn_batchnorm_dweight, conv_bn_batchnorm_dbias, partial_103);

	/* ---- update */
	nnr_branch_begin();
	nnr_step(368, "resnet.net:36  sgd  [25547584]  178.8 MFLOP  511.0 MB");
	float *const params = (float *)(m->params + 0);                                         // [25557032]  102.2 MB
	float *const gradients = (float *)(m->arena + 21117272064);                             // [25557032]  102.2 MB  steps 159-372
	float *const sgd_momentum = (float *)(m->state + 212480);                               // [25557032]  102.2 MB
	sgd(&sgd_25557032_kernel, params, gradients, sgd_momentum, s);
	nnr_branch_end(54);

	/* ---- backward */
	nnr_step(369, "residual.net:9 resnet.net:17,18  maxpool_batchnorm_backward  [256,112,112,64]  1.5 GFLOP  1.9 GB");
	maxpool_batchnorm_backward_256x112x112x64(dx, x_place, mul, conv, add, mul_160, mul_161);
	nnr_branch_begin();
	nnr_step(370, "residual.net:7  conv_wgrad_parts(rgb_affine, dconv_53)  [264,64,7,7,3]  60.4 GFLOP  986.2 MB");
	float *const dconv_53 = (float *)(m->arena + 0);                                        // [256,112,112,64]  822.1 MB  steps 2-372
	float *const conv_wgrad_parts = (float *)(m->arena + 822083584);                        // [264,64,7,7,3]  9.9 MB  steps 370-372
	conv_backward_264x64x7x7x3(rgb_affine, dconv_53, conv_wgrad_parts);
	nnr_branch_end(55);
	nnr_branch_begin();
	nnr_step(371, "residual.net:7  sum(conv_wgrad_parts)  [64,7,7,3]  2.5 MFLOP  10.0 MB");
	float *const conv_bn_conv_dweight = (float *)(m->arena + 21117272064);                  // [64,7,7,3]  37.6 kB  steps 159-372
	float *const partial_104 = (float *)(m->arena + 832018432);                             // [28224]  112.9 kB  steps 371-372
	conv_backward_264x9408(conv_wgrad_parts, conv_bn_conv_dweight, partial_104);
	nnr_branch_end(56);

	/* ---- update */
	nnr_branch_wait(56);
	nnr_step(372, "resnet.net:36  sgd  [9408]  66.1 kFLOP  189.0 kB");
	sgd(&sgd_25557032_2_kernel, params, gradients, sgd_momentum, s);
}

/* What evaluation reads of the weights, when they have changed: 103 steps, 23.7 MFLOP, 204.8 MB moved, arena 16.4 kB (lower bound 16.4 kB, at step 88) */
static void prepare_weights(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	nnr_step(1, "residual.net:9  batchnorm_folded of conv_bn  [64,1,1,1]  640 FLOP  1.5 kB");
	float *const conv_bn_batchnorm_running_var = (float *)(m->state + 256);                 // [64]  256 B
	float *const conv_bn_batchnorm_weight = (float *)(m->params + 102011648);               // [64]  256 B
	float *const conv_bn_batchnorm_running_mean = (float *)(m->state + 0);                  // [64]  256 B
	float *const conv_bn_batchnorm_bias = (float *)(m->params + 102011904);                 // [64]  256 B
	float *const mul = (float *)(m->arena + 0);                                             // [64,1,1,1]  256 B  steps 1-2
	float *const prepared_conv_bn_batchnorm_bias = (float *)(m->state + 102440640);         // [64]  256 B
	batchnorm_folded(&batchnorm_folded_64_kernel, conv_bn_batchnorm_running_var, conv_bn_batchnorm_weight, conv_bn_batchnorm_running_mean, conv_bn_batchnorm_bias, mul, prepared_conv_bn_batchnorm_bias);
	nnr_step(2, "residual.net:9  round_tf32((conv_bn_conv_weight * mul))  [64,7,7,3]  9.4 kFLOP  75.5 kB");
	float *const conv_bn_conv_weight = (float *)(m->params + 0);                            // [64,7,7,3]  37.6 kB
	float *const prepared_conv_bn_conv_weight = (float *)(m->state + 102440896);            // [64,7,7,3]  37.6 kB
	batchnorm_folded_2(&batchnorm_folded_64x147_kernel, conv_bn_conv_weight, mul, prepared_conv_bn_conv_weight);
	nnr_step(3, "residual.net:9  batchnorm_folded of bottleneck.conv_bn  [64,1,1,1]  640 FLOP  1.5 kB");
	float *const bottleneck_conv_bn_batchnorm_running_var = (float *)(m->state + 768);      // [64]  256 B
	float *const bottleneck_conv_bn_batchnorm_weight = (float *)(m->params + 102012160);    // [64]  256 B
	float *const bottleneck_conv_bn_batchnorm_running_mean = (float *)(m->state + 512);     // [64]  256 B
	float *const bottleneck_conv_bn_batchnorm_bias = (float *)(m->params + 102012416);      // [64]  256 B
	float *const mul_2 = (float *)(m->arena + 0);                                           // [64,1,1,1]  256 B  steps 3-4
	float *const prepared_bottleneck_conv_bn_batchnorm_bias = (float *)(m->state + 102478528); // [64]  256 B
	batchnorm_folded(&batchnorm_folded_64_kernel, bottleneck_conv_bn_batchnorm_running_var, bottleneck_conv_bn_batchnorm_weight, bottleneck_conv_bn_batchnorm_running_mean, bottleneck_conv_bn_batchnorm_bias, mul_2, prepared_bottleneck_conv_bn_batchnorm_bias);
	nnr_step(4, "residual.net:9  round_tf32((bottleneck_conv_bn_conv_weight * mul_2))  [64,1,1,64]  4.1 kFLOP  33.0 kB");
	float *const bottleneck_conv_bn_conv_weight = (float *)(m->params + 37632);             // [64,1,1,64]  16.4 kB
	float *const prepared_bottleneck_conv_bn_conv_weight = (float *)(m->state + 102478784); // [64,1,1,64]  16.4 kB
	batchnorm_folded_2(&batchnorm_folded_64x64_kernel, bottleneck_conv_bn_conv_weight, mul_2, prepared_bottleneck_conv_bn_conv_weight);
	nnr_step(5, "residual.net:9  batchnorm_folded of bottleneck.conv_bn_2  [64,1,1,1]  640 FLOP  1.5 kB");
	float *const bottleneck_conv_bn_2_batchnorm_running_var = (float *)(m->state + 1280);   // [64]  256 B
	float *const bottleneck_conv_bn_2_batchnorm_weight = (float *)(m->params + 102012672);  // [64]  256 B
	float *const bottleneck_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 1024);  // [64]  256 B
	float *const bottleneck_conv_bn_2_batchnorm_bias = (float *)(m->params + 102012928);    // [64]  256 B
	float *const mul_3 = (float *)(m->arena + 0);                                           // [64,1,1,1]  256 B  steps 5-6
	float *const prepared_bottleneck_conv_bn_2_batchnorm_bias = (float *)(m->state + 102495168); // [64]  256 B
	batchnorm_folded(&batchnorm_folded_64_kernel, bottleneck_conv_bn_2_batchnorm_running_var, bottleneck_conv_bn_2_batchnorm_weight, bottleneck_conv_bn_2_batchnorm_running_mean, bottleneck_conv_bn_2_batchnorm_bias, mul_3, prepared_bottleneck_conv_bn_2_batchnorm_bias);
	nnr_step(6, "residual.net:9  round_tf32((bottleneck_conv_bn_2_conv_weight * mul_3))  [64,3,3,64]  36.9 kFLOP  295.2 kB");
	float *const bottleneck_conv_bn_2_conv_weight = (float *)(m->params + 54016);           // [64,3,3,64]  147.5 kB
	float *const prepared_bottleneck_conv_bn_2_conv_weight = (float *)(m->state + 102495424); // [64,3,3,64]  147.5 kB
	batchnorm_folded_2(&batchnorm_folded_64x576_kernel, bottleneck_conv_bn_2_conv_weight, mul_3, prepared_bottleneck_conv_bn_2_conv_weight);
	nnr_step(7, "residual.net:9,28  batchnorm_folded of bottleneck  [256,1,1,1]  5.4 kFLOP  11.3 kB");
	float *const bottleneck_conv_bn_3_batchnorm_running_var = (float *)(m->state + 2560);   // [256]  1.0 kB
	float *const bottleneck_conv_bn_3_batchnorm_weight = (float *)(m->params + 102013184);  // [256]  1.0 kB
	float *const bottleneck_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 1536);  // [256]  1.0 kB
	float *const bottleneck_conv_bn_3_batchnorm_bias = (float *)(m->params + 102014208);    // [256]  1.0 kB
	float *const bottleneck_conv_bn_4_batchnorm_running_var = (float *)(m->state + 4608);   // [256]  1.0 kB
	float *const bottleneck_conv_bn_4_batchnorm_weight = (float *)(m->params + 102015232);  // [256]  1.0 kB
	float *const bottleneck_conv_bn_4_batchnorm_running_mean = (float *)(m->state + 3584);  // [256]  1.0 kB
	float *const bottleneck_conv_bn_4_batchnorm_bias = (float *)(m->params + 102016256);    // [256]  1.0 kB
	float *const mul_4 = (float *)(m->arena + 0);                                           // [256,1,1,1]  1.0 kB  steps 7-8
	float *const mul_5 = (float *)(m->arena + 1024);                                        // [256,1,1,1]  1.0 kB  steps 7-9
	float *const prepared_bottleneck_conv_bn_3_batchnorm_bias = (float *)(m->state + 102773952); // [256]  1.0 kB
	batchnorm_folded_3(&batchnorm_folded_256_kernel, bottleneck_conv_bn_3_batchnorm_running_var, bottleneck_conv_bn_3_batchnorm_weight, bottleneck_conv_bn_3_batchnorm_running_mean, bottleneck_conv_bn_3_batchnorm_bias, bottleneck_conv_bn_4_batchnorm_running_var, bottleneck_conv_bn_4_batchnorm_weight, bottleneck_conv_bn_4_batchnorm_running_mean, bottleneck_conv_bn_4_batchnorm_bias, mul_4, mul_5, prepared_bottleneck_conv_bn_3_batchnorm_bias);
	nnr_step(8, "residual.net:9  round_tf32((bottleneck_conv_bn_3_conv_weight * mul_4))  [256,1,1,64]  16.4 kFLOP  132.1 kB");
	float *const bottleneck_conv_bn_3_conv_weight = (float *)(m->params + 201472);          // [256,1,1,64]  65.5 kB
	float *const prepared_bottleneck_conv_bn_3_conv_weight = (float *)(m->state + 102642880); // [256,1,1,64]  65.5 kB
	batchnorm_folded_2(&batchnorm_folded_256x64_kernel, bottleneck_conv_bn_3_conv_weight, mul_4, prepared_bottleneck_conv_bn_3_conv_weight);
	nnr_step(9, "residual.net:9  round_tf32((bottleneck_conv_bn_4_conv_weight * mul_5))  [256,1,1,64]  16.4 kFLOP  132.1 kB");
	float *const bottleneck_conv_bn_4_conv_weight = (float *)(m->params + 267008);          // [256,1,1,64]  65.5 kB
	float *const prepared_bottleneck_conv_bn_4_conv_weight = (float *)(m->state + 102708416); // [256,1,1,64]  65.5 kB
	batchnorm_folded_2(&batchnorm_folded_256x64_kernel, bottleneck_conv_bn_4_conv_weight, mul_5, prepared_bottleneck_conv_bn_4_conv_weight);
	nnr_step(10, "residual.net:9  batchnorm_folded of bottleneck_2.conv_bn  [64,1,1,1]  640 FLOP  1.5 kB");
	float *const bottleneck_2_conv_bn_batchnorm_running_var = (float *)(m->state + 5888);   // [64]  256 B
	float *const bottleneck_2_conv_bn_batchnorm_weight = (float *)(m->params + 102017280);  // [64]  256 B
	float *const bottleneck_2_conv_bn_batchnorm_running_mean = (float *)(m->state + 5632);  // [64]  256 B
	float *const bottleneck_2_conv_bn_batchnorm_bias = (float *)(m->params + 102017536);    // [64]  256 B
	float *const mul_6 = (float *)(m->arena + 0);                                           // [64,1,1,1]  256 B  steps 10-11
	float *const prepared_bottleneck_2_conv_bn_batchnorm_bias = (float *)(m->state + 102774976); // [64]  256 B
	batchnorm_folded(&batchnorm_folded_64_kernel, bottleneck_2_conv_bn_batchnorm_running_var, bottleneck_2_conv_bn_batchnorm_weight, bottleneck_2_conv_bn_batchnorm_running_mean, bottleneck_2_conv_bn_batchnorm_bias, mul_6, prepared_bottleneck_2_conv_bn_batchnorm_bias);
	nnr_step(11, "residual.net:9  round_tf32((bottleneck_2_conv_bn_conv_weight * mul_6))  [64,1,1,256]  16.4 kFLOP  131.3 kB");
	float *const bottleneck_2_conv_bn_conv_weight = (float *)(m->params + 332544);          // [64,1,1,256]  65.5 kB
	float *const prepared_bottleneck_2_conv_bn_conv_weight = (float *)(m->state + 102775232); // [64,1,1,256]  65.5 kB
	batchnorm_folded_2(&batchnorm_folded_64x256_kernel, bottleneck_2_conv_bn_conv_weight, mul_6, prepared_bottleneck_2_conv_bn_conv_weight);
	nnr_step(12, "residual.net:9  batchnorm_folded of bottleneck_2.conv_bn_2  [64,1,1,1]  640 FLOP  1.5 kB");
	float *const bottleneck_2_conv_bn_2_batchnorm_running_var = (float *)(m->state + 6400); // [64]  256 B
	float *const bottleneck_2_conv_bn_2_batchnorm_weight = (float *)(m->params + 102017792); // [64]  256 B
	float *const bottleneck_2_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 6144); // [64]  256 B
	float *const bottleneck_2_conv_bn_2_batchnorm_bias = (float *)(m->params + 102018048);  // [64]  256 B
	float *const mul_7 = (float *)(m->arena + 0);                                           // [64,1,1,1]  256 B  steps 12-13
	float *const prepared_bottleneck_2_conv_bn_2_batchnorm_bias = (float *)(m->state + 102840768); // [64]  256 B
	batchnorm_folded(&batchnorm_folded_64_kernel, bottleneck_2_conv_bn_2_batchnorm_running_var, bottleneck_2_conv_bn_2_batchnorm_weight, bottleneck_2_conv_bn_2_batchnorm_running_mean, bottleneck_2_conv_bn_2_batchnorm_bias, mul_7, prepared_bottleneck_2_conv_bn_2_batchnorm_bias);
	nnr_step(13, "residual.net:9  round_tf32((bottleneck_2_conv_bn_2_conv_weight * mul_7))  [64,3,3,64]  36.9 kFLOP  295.2 kB");
	float *const bottleneck_2_conv_bn_2_conv_weight = (float *)(m->params + 398080);        // [64,3,3,64]  147.5 kB
	float *const prepared_bottleneck_2_conv_bn_2_conv_weight = (float *)(m->state + 102841024); // [64,3,3,64]  147.5 kB
	batchnorm_folded_2(&batchnorm_folded_64x576_kernel, bottleneck_2_conv_bn_2_conv_weight, mul_7, prepared_bottleneck_2_conv_bn_2_conv_weight);
	nnr_step(14, "residual.net:9  batchnorm_folded of bottleneck_2.conv_bn_3  [256,1,1,1]  2.6 kFLOP  6.1 kB");
	float *const bottleneck_2_conv_bn_3_batchnorm_running_var = (float *)(m->state + 7680); // [256]  1.0 kB
	float *const bottleneck_2_conv_bn_3_batchnorm_weight = (float *)(m->params + 102018304); // [256]  1.0 kB
	float *const bottleneck_2_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 6656); // [256]  1.0 kB
	float *const bottleneck_2_conv_bn_3_batchnorm_bias = (float *)(m->params + 102019328);  // [256]  1.0 kB
	float *const mul_8 = (float *)(m->arena + 0);                                           // [256,1,1,1]  1.0 kB  steps 14-15
	float *const prepared_bottleneck_2_conv_bn_3_batchnorm_bias = (float *)(m->state + 102988480); // [256]  1.0 kB
	batchnorm_folded(&batchnorm_folded_256_2_kernel, bottleneck_2_conv_bn_3_batchnorm_running_var, bottleneck_2_conv_bn_3_batchnorm_weight, bottleneck_2_conv_bn_3_batchnorm_running_mean, bottleneck_2_conv_bn_3_batchnorm_bias, mul_8, prepared_bottleneck_2_conv_bn_3_batchnorm_bias);
	nnr_step(15, "residual.net:9  round_tf32((bottleneck_2_conv_bn_3_conv_weight * mul_8))  [256,1,1,64]  16.4 kFLOP  132.1 kB");
	float *const bottleneck_2_conv_bn_3_conv_weight = (float *)(m->params + 545536);        // [256,1,1,64]  65.5 kB
	float *const prepared_bottleneck_2_conv_bn_3_conv_weight = (float *)(m->state + 102989504); // [256,1,1,64]  65.5 kB
	batchnorm_folded_2(&batchnorm_folded_256x64_kernel, bottleneck_2_conv_bn_3_conv_weight, mul_8, prepared_bottleneck_2_conv_bn_3_conv_weight);
	nnr_step(16, "residual.net:9  batchnorm_folded of bottleneck_3.conv_bn  [64,1,1,1]  640 FLOP  1.5 kB");
	float *const bottleneck_3_conv_bn_batchnorm_running_var = (float *)(m->state + 8960);   // [64]  256 B
	float *const bottleneck_3_conv_bn_batchnorm_weight = (float *)(m->params + 102020352);  // [64]  256 B
	float *const bottleneck_3_conv_bn_batchnorm_running_mean = (float *)(m->state + 8704);  // [64]  256 B
	float *const bottleneck_3_conv_bn_batchnorm_bias = (float *)(m->params + 102020608);    // [64]  256 B
	float *const mul_9 = (float *)(m->arena + 0);                                           // [64,1,1,1]  256 B  steps 16-17
	float *const prepared_bottleneck_3_conv_bn_batchnorm_bias = (float *)(m->state + 103055040); // [64]  256 B
	batchnorm_folded(&batchnorm_folded_64_kernel, bottleneck_3_conv_bn_batchnorm_running_var, bottleneck_3_conv_bn_batchnorm_weight, bottleneck_3_conv_bn_batchnorm_running_mean, bottleneck_3_conv_bn_batchnorm_bias, mul_9, prepared_bottleneck_3_conv_bn_batchnorm_bias);
	nnr_step(17, "residual.net:9  round_tf32((bottleneck_3_conv_bn_conv_weight * mul_9))  [64,1,1,256]  16.4 kFLOP  131.3 kB");
	float *const bottleneck_3_conv_bn_conv_weight = (float *)(m->params + 611072);          // [64,1,1,256]  65.5 kB
	float *const prepared_bottleneck_3_conv_bn_conv_weight = (float *)(m->state + 103055296); // [64,1,1,256]  65.5 kB
	batchnorm_folded_2(&batchnorm_folded_64x256_kernel, bottleneck_3_conv_bn_conv_weight, mul_9, prepared_bottleneck_3_conv_bn_conv_weight);
	nnr_step(18, "residual.net:9  batchnorm_folded of bottleneck_3.conv_bn_2  [64,1,1,1]  640 FLOP  1.5 kB");
	float *const bottleneck_3_conv_bn_2_batchnorm_running_var = (float *)(m->state + 9472); // [64]  256 B
	float *const bottleneck_3_conv_bn_2_batchnorm_weight = (float *)(m->params + 102020864); // [64]  256 B
	float *const bottleneck_3_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 9216); // [64]  256 B
	float *const bottleneck_3_conv_bn_2_batchnorm_bias = (float *)(m->params + 102021120);  // [64]  256 B
	float *const mul_10 = (float *)(m->arena + 0);                                          // [64,1,1,1]  256 B  steps 18-19
	float *const prepared_bottleneck_3_conv_bn_2_batchnorm_bias = (float *)(m->state + 103120832); // [64]  256 B
	batchnorm_folded(&batchnorm_folded_64_kernel, bottleneck_3_conv_bn_2_batchnorm_running_var, bottleneck_3_conv_bn_2_batchnorm_weight, bottleneck_3_conv_bn_2_batchnorm_running_mean, bottleneck_3_conv_bn_2_batchnorm_bias, mul_10, prepared_bottleneck_3_conv_bn_2_batchnorm_bias);
	nnr_step(19, "residual.net:9  round_tf32((bottleneck_3_conv_bn_2_conv_weight * mul_10))  [64,3,3,64]  36.9 kFLOP  295.2 kB");
	float *const bottleneck_3_conv_bn_2_conv_weight = (float *)(m->params + 676608);        // [64,3,3,64]  147.5 kB
	float *const prepared_bottleneck_3_conv_bn_2_conv_weight = (float *)(m->state + 103121088); // [64,3,3,64]  147.5 kB
	batchnorm_folded_2(&batchnorm_folded_64x576_kernel, bottleneck_3_conv_bn_2_conv_weight, mul_10, prepared_bottleneck_3_conv_bn_2_conv_weight);
	nnr_step(20, "residual.net:9  batchnorm_folded of bottleneck_3.conv_bn_3  [256,1,1,1]  2.6 kFLOP  6.1 kB");
	float *const bottleneck_3_conv_bn_3_batchnorm_running_var = (float *)(m->state + 10752); // [256]  1.0 kB
	float *const bottleneck_3_conv_bn_3_batchnorm_weight = (float *)(m->params + 102021376); // [256]  1.0 kB
	float *const bottleneck_3_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 9728); // [256]  1.0 kB
	float *const bottleneck_3_conv_bn_3_batchnorm_bias = (float *)(m->params + 102022400);  // [256]  1.0 kB
	float *const mul_11 = (float *)(m->arena + 0);                                          // [256,1,1,1]  1.0 kB  steps 20-21
	float *const prepared_bottleneck_3_conv_bn_3_batchnorm_bias = (float *)(m->state + 103268544); // [256]  1.0 kB
	batchnorm_folded(&batchnorm_folded_256_2_kernel, bottleneck_3_conv_bn_3_batchnorm_running_var, bottleneck_3_conv_bn_3_batchnorm_weight, bottleneck_3_conv_bn_3_batchnorm_running_mean, bottleneck_3_conv_bn_3_batchnorm_bias, mul_11, prepared_bottleneck_3_conv_bn_3_batchnorm_bias);
	nnr_step(21, "residual.net:9  round_tf32((bottleneck_3_conv_bn_3_conv_weight * mul_11))  [256,1,1,64]  16.4 kFLOP  132.1 kB");
	float *const bottleneck_3_conv_bn_3_conv_weight = (float *)(m->params + 824064);        // [256,1,1,64]  65.5 kB
	float *const prepared_bottleneck_3_conv_bn_3_conv_weight = (float *)(m->state + 103269568); // [256,1,1,64]  65.5 kB
	batchnorm_folded_2(&batchnorm_folded_256x64_kernel, bottleneck_3_conv_bn_3_conv_weight, mul_11, prepared_bottleneck_3_conv_bn_3_conv_weight);
	nnr_step(22, "residual.net:9  batchnorm_folded of bottleneck_4.conv_bn  [128,1,1,1]  1.3 kFLOP  3.1 kB");
	float *const bottleneck_4_conv_bn_batchnorm_running_var = (float *)(m->state + 12288);  // [128]  512 B
	float *const bottleneck_4_conv_bn_batchnorm_weight = (float *)(m->params + 102023424);  // [128]  512 B
	float *const bottleneck_4_conv_bn_batchnorm_running_mean = (float *)(m->state + 11776); // [128]  512 B
	float *const bottleneck_4_conv_bn_batchnorm_bias = (float *)(m->params + 102023936);    // [128]  512 B
	float *const mul_12 = (float *)(m->arena + 0);                                          // [128,1,1,1]  512 B  steps 22-23
	float *const prepared_bottleneck_4_conv_bn_batchnorm_bias = (float *)(m->state + 103335104); // [128]  512 B
	batchnorm_folded(&batchnorm_folded_128_kernel, bottleneck_4_conv_bn_batchnorm_running_var, bottleneck_4_conv_bn_batchnorm_weight, bottleneck_4_conv_bn_batchnorm_running_mean, bottleneck_4_conv_bn_batchnorm_bias, mul_12, prepared_bottleneck_4_conv_bn_batchnorm_bias);
	nnr_step(23, "residual.net:9  round_tf32((bottleneck_4_conv_bn_conv_weight * mul_12))  [128,1,1,256]  32.8 kFLOP  262.7 kB");
	float *const bottleneck_4_conv_bn_conv_weight = (float *)(m->params + 889600);          // [128,1,1,256]  131.1 kB
	float *const prepared_bottleneck_4_conv_bn_conv_weight = (float *)(m->state + 103335616); // [128,1,1,256]  131.1 kB
	batchnorm_folded_2(&batchnorm_folded_128x256_kernel, bottleneck_4_conv_bn_conv_weight, mul_12, prepared_bottleneck_4_conv_bn_conv_weight);
	nnr_step(24, "residual.net:9  batchnorm_folded of bottleneck_4.conv_bn_2  [128,1,1,1]  1.3 kFLOP  3.1 kB");
	float *const bottleneck_4_conv_bn_2_batchnorm_running_var = (float *)(m->state + 13312); // [128]  512 B
	float *const bottleneck_4_conv_bn_2_batchnorm_weight = (float *)(m->params + 102024448); // [128]  512 B
	float *const bottleneck_4_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 12800); // [128]  512 B
	float *const bottleneck_4_conv_bn_2_batchnorm_bias = (float *)(m->params + 102024960);  // [128]  512 B
	float *const mul_13 = (float *)(m->arena + 0);                                          // [128,1,1,1]  512 B  steps 24-25
	float *const prepared_bottleneck_4_conv_bn_2_batchnorm_bias = (float *)(m->state + 103466688); // [128]  512 B
	batchnorm_folded(&batchnorm_folded_128_kernel, bottleneck_4_conv_bn_2_batchnorm_running_var, bottleneck_4_conv_bn_2_batchnorm_weight, bottleneck_4_conv_bn_2_batchnorm_running_mean, bottleneck_4_conv_bn_2_batchnorm_bias, mul_13, prepared_bottleneck_4_conv_bn_2_batchnorm_bias);
	nnr_step(25, "residual.net:9  round_tf32((bottleneck_4_conv_bn_2_conv_weight * mul_13))  [128,3,3,128]  147.5 kFLOP  1.2 MB");
	float *const bottleneck_4_conv_bn_2_conv_weight = (float *)(m->params + 1020672);       // [128,3,3,128]  589.8 kB
	float *const prepared_bottleneck_4_conv_bn_2_conv_weight = (float *)(m->state + 103467200); // [128,3,3,128]  589.8 kB
	batchnorm_folded_2(&batchnorm_folded_128x1152_kernel, bottleneck_4_conv_bn_2_conv_weight, mul_13, prepared_bottleneck_4_conv_bn_2_conv_weight);
	nnr_step(26, "residual.net:9,28  batchnorm_folded of bottleneck_4  [512,1,1,1]  10.8 kFLOP  22.5 kB");
	float *const bottleneck_4_conv_bn_3_batchnorm_running_var = (float *)(m->state + 15872); // [512]  2.0 kB
	float *const bottleneck_4_conv_bn_3_batchnorm_weight = (float *)(m->params + 102025472); // [512]  2.0 kB
	float *const bottleneck_4_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 13824); // [512]  2.0 kB
	float *const bottleneck_4_conv_bn_3_batchnorm_bias = (float *)(m->params + 102027520);  // [512]  2.0 kB
	float *const bottleneck_4_conv_bn_4_batchnorm_running_var = (float *)(m->state + 19968); // [512]  2.0 kB
	float *const bottleneck_4_conv_bn_4_batchnorm_weight = (float *)(m->params + 102029568); // [512]  2.0 kB
	float *const bottleneck_4_conv_bn_4_batchnorm_running_mean = (float *)(m->state + 17920); // [512]  2.0 kB
	float *const bottleneck_4_conv_bn_4_batchnorm_bias = (float *)(m->params + 102031616);  // [512]  2.0 kB
	float *const mul_14 = (float *)(m->arena + 0);                                          // [512,1,1,1]  2.0 kB  steps 26-27
	float *const mul_15 = (float *)(m->arena + 2048);                                       // [512,1,1,1]  2.0 kB  steps 26-28
	float *const prepared_bottleneck_4_conv_bn_3_batchnorm_bias = (float *)(m->state + 104843456); // [512]  2.0 kB
	batchnorm_folded_3(&batchnorm_folded_512_kernel, bottleneck_4_conv_bn_3_batchnorm_running_var, bottleneck_4_conv_bn_3_batchnorm_weight, bottleneck_4_conv_bn_3_batchnorm_running_mean, bottleneck_4_conv_bn_3_batchnorm_bias, bottleneck_4_conv_bn_4_batchnorm_running_var, bottleneck_4_conv_bn_4_batchnorm_weight, bottleneck_4_conv_bn_4_batchnorm_running_mean, bottleneck_4_conv_bn_4_batchnorm_bias, mul_14, mul_15, prepared_bottleneck_4_conv_bn_3_batchnorm_bias);
	nnr_step(27, "residual.net:9  round_tf32((bottleneck_4_conv_bn_3_conv_weight * mul_14))  [512,1,1,128]  65.5 kFLOP  526.3 kB");
	float *const bottleneck_4_conv_bn_3_conv_weight = (float *)(m->params + 1610496);       // [512,1,1,128]  262.1 kB
	float *const prepared_bottleneck_4_conv_bn_3_conv_weight = (float *)(m->state + 104057024); // [512,1,1,128]  262.1 kB
	batchnorm_folded_2(&batchnorm_folded_512x128_kernel, bottleneck_4_conv_bn_3_conv_weight, mul_14, prepared_bottleneck_4_conv_bn_3_conv_weight);
	nnr_step(28, "residual.net:9  round_tf32((bottleneck_4_conv_bn_4_conv_weight * mul_15))  [512,1,1,256]  131.1 kFLOP  1.1 MB");
	float *const bottleneck_4_conv_bn_4_conv_weight = (float *)(m->params + 1872640);       // [512,1,1,256]  524.3 kB
	float *const prepared_bottleneck_4_conv_bn_4_conv_weight = (float *)(m->state + 104319168); // [512,1,1,256]  524.3 kB
	batchnorm_folded_2(&batchnorm_folded_512x256_kernel, bottleneck_4_conv_bn_4_conv_weight, mul_15, prepared_bottleneck_4_conv_bn_4_conv_weight);
	nnr_step(29, "residual.net:9  batchnorm_folded of bottleneck_5.conv_bn  [128,1,1,1]  1.3 kFLOP  3.1 kB");
	float *const bottleneck_5_conv_bn_batchnorm_running_var = (float *)(m->state + 22528);  // [128]  512 B
	float *const bottleneck_5_conv_bn_batchnorm_weight = (float *)(m->params + 102033664);  // [128]  512 B
	float *const bottleneck_5_conv_bn_batchnorm_running_mean = (float *)(m->state + 22016); // [128]  512 B
	float *const bottleneck_5_conv_bn_batchnorm_bias = (float *)(m->params + 102034176);    // [128]  512 B
	float *const mul_16 = (float *)(m->arena + 0);                                          // [128,1,1,1]  512 B  steps 29-30
	float *const prepared_bottleneck_5_conv_bn_batchnorm_bias = (float *)(m->state + 104845504); // [128]  512 B
	batchnorm_folded(&batchnorm_folded_128_kernel, bottleneck_5_conv_bn_batchnorm_running_var, bottleneck_5_conv_bn_batchnorm_weight, bottleneck_5_conv_bn_batchnorm_running_mean, bottleneck_5_conv_bn_batchnorm_bias, mul_16, prepared_bottleneck_5_conv_bn_batchnorm_bias);
	nnr_step(30, "residual.net:9  round_tf32((bottleneck_5_conv_bn_conv_weight * mul_16))  [128,1,1,512]  65.5 kFLOP  524.8 kB");
	float *const bottleneck_5_conv_bn_conv_weight = (float *)(m->params + 2396928);         // [128,1,1,512]  262.1 kB
	float *const prepared_bottleneck_5_conv_bn_conv_weight = (float *)(m->state + 104846016); // [128,1,1,512]  262.1 kB
	batchnorm_folded_2(&batchnorm_folded_128x512_kernel, bottleneck_5_conv_bn_conv_weight, mul_16, prepared_bottleneck_5_conv_bn_conv_weight);
	nnr_step(31, "residual.net:9  batchnorm_folded of bottleneck_5.conv_bn_2  [128,1,1,1]  1.3 kFLOP  3.1 kB");
	float *const bottleneck_5_conv_bn_2_batchnorm_running_var = (float *)(m->state + 23552); // [128]  512 B
	float *const bottleneck_5_conv_bn_2_batchnorm_weight = (float *)(m->params + 102034688); // [128]  512 B
	float *const bottleneck_5_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 23040); // [128]  512 B
	float *const bottleneck_5_conv_bn_2_batchnorm_bias = (float *)(m->params + 102035200);  // [128]  512 B
	float *const mul_17 = (float *)(m->arena + 0);                                          // [128,1,1,1]  512 B  steps 31-32
	float *const prepared_bottleneck_5_conv_bn_2_batchnorm_bias = (float *)(m->state + 105108160); // [128]  512 B
	batchnorm_folded(&batchnorm_folded_128_kernel, bottleneck_5_conv_bn_2_batchnorm_running_var, bottleneck_5_conv_bn_2_batchnorm_weight, bottleneck_5_conv_bn_2_batchnorm_running_mean, bottleneck_5_conv_bn_2_batchnorm_bias, mul_17, prepared_bottleneck_5_conv_bn_2_batchnorm_bias);
	nnr_step(32, "residual.net:9  round_tf32((bottleneck_5_conv_bn_2_conv_weight * mul_17))  [128,3,3,128]  147.5 kFLOP  1.2 MB");
	float *const bottleneck_5_conv_bn_2_conv_weight = (float *)(m->params + 2659072);       // [128,3,3,128]  589.8 kB
	float *const prepared_bottleneck_5_conv_bn_2_conv_weight = (float *)(m->state + 105108672); // [128,3,3,128]  589.8 kB
	batchnorm_folded_2(&batchnorm_folded_128x1152_kernel, bottleneck_5_conv_bn_2_conv_weight, mul_17, prepared_bottleneck_5_conv_bn_2_conv_weight);
	nnr_step(33, "residual.net:9  batchnorm_folded of bottleneck_5.conv_bn_3  [512,1,1,1]  5.1 kFLOP  12.3 kB");
	float *const bottleneck_5_conv_bn_3_batchnorm_running_var = (float *)(m->state + 26112); // [512]  2.0 kB
	float *const bottleneck_5_conv_bn_3_batchnorm_weight = (float *)(m->params + 102035712); // [512]  2.0 kB
	float *const bottleneck_5_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 24064); // [512]  2.0 kB
	float *const bottleneck_5_conv_bn_3_batchnorm_bias = (float *)(m->params + 102037760);  // [512]  2.0 kB
	float *const mul_18 = (float *)(m->arena + 0);                                          // [512,1,1,1]  2.0 kB  steps 33-34
	float *const prepared_bottleneck_5_conv_bn_3_batchnorm_bias = (float *)(m->state + 105698496); // [512]  2.0 kB
	batchnorm_folded(&batchnorm_folded_512_2_kernel, bottleneck_5_conv_bn_3_batchnorm_running_var, bottleneck_5_conv_bn_3_batchnorm_weight, bottleneck_5_conv_bn_3_batchnorm_running_mean, bottleneck_5_conv_bn_3_batchnorm_bias, mul_18, prepared_bottleneck_5_conv_bn_3_batchnorm_bias);
	nnr_step(34, "residual.net:9  round_tf32((bottleneck_5_conv_bn_3_conv_weight * mul_18))  [512,1,1,128]  65.5 kFLOP  526.3 kB");
	float *const bottleneck_5_conv_bn_3_conv_weight = (float *)(m->params + 3248896);       // [512,1,1,128]  262.1 kB
	float *const prepared_bottleneck_5_conv_bn_3_conv_weight = (float *)(m->state + 105700544); // [512,1,1,128]  262.1 kB
	batchnorm_folded_2(&batchnorm_folded_512x128_kernel, bottleneck_5_conv_bn_3_conv_weight, mul_18, prepared_bottleneck_5_conv_bn_3_conv_weight);
	nnr_step(35, "residual.net:9  batchnorm_folded of bottleneck_6.conv_bn  [128,1,1,1]  1.3 kFLOP  3.1 kB");
	float *const bottleneck_6_conv_bn_batchnorm_running_var = (float *)(m->state + 28672);  // [128]  512 B
	float *const bottleneck_6_conv_bn_batchnorm_weight = (float *)(m->params + 102039808);  // [128]  512 B
	float *const bottleneck_6_conv_bn_batchnorm_running_mean = (float *)(m->state + 28160); // [128]  512 B
	float *const bottleneck_6_conv_bn_batchnorm_bias = (float *)(m->params + 102040320);    // [128]  512 B
	float *const mul_19 = (float *)(m->arena + 0);                                          // [128,1,1,1]  512 B  steps 35-36
	float *const prepared_bottleneck_6_conv_bn_batchnorm_bias = (float *)(m->state + 105962688); // [128]  512 B
	batchnorm_folded(&batchnorm_folded_128_kernel, bottleneck_6_conv_bn_batchnorm_running_var, bottleneck_6_conv_bn_batchnorm_weight, bottleneck_6_conv_bn_batchnorm_running_mean, bottleneck_6_conv_bn_batchnorm_bias, mul_19, prepared_bottleneck_6_conv_bn_batchnorm_bias);
	nnr_step(36, "residual.net:9  round_tf32((bottleneck_6_conv_bn_conv_weight * mul_19))  [128,1,1,512]  65.5 kFLOP  524.8 kB");
	float *const bottleneck_6_conv_bn_conv_weight = (float *)(m->params + 3511040);         // [128,1,1,512]  262.1 kB
	float *const prepared_bottleneck_6_conv_bn_conv_weight = (float *)(m->state + 105963200); // [128,1,1,512]  262.1 kB
	batchnorm_folded_2(&batchnorm_folded_128x512_kernel, bottleneck_6_conv_bn_conv_weight, mul_19, prepared_bottleneck_6_conv_bn_conv_weight);
	nnr_step(37, "residual.net:9  batchnorm_folded of bottleneck_6.conv_bn_2  [128,1,1,1]  1.3 kFLOP  3.1 kB");
	float *const bottleneck_6_conv_bn_2_batchnorm_running_var = (float *)(m->state + 29696); // [128]  512 B
	float *const bottleneck_6_conv_bn_2_batchnorm_weight = (float *)(m->params + 102040832); // [128]  512 B
	float *const bottleneck_6_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 29184); // [128]  512 B
	float *const bottleneck_6_conv_bn_2_batchnorm_bias = (float *)(m->params + 102041344);  // [128]  512 B
	float *const mul_20 = (float *)(m->arena + 0);                                          // [128,1,1,1]  512 B  steps 37-38
	float *const prepared_bottleneck_6_conv_bn_2_batchnorm_bias = (float *)(m->state + 106225344); // [128]  512 B
	batchnorm_folded(&batchnorm_folded_128_kernel, bottleneck_6_conv_bn_2_batchnorm_running_var, bottleneck_6_conv_bn_2_batchnorm_weight, bottleneck_6_conv_bn_2_batchnorm_running_mean, bottleneck_6_conv_bn_2_batchnorm_bias, mul_20, prepared_bottleneck_6_conv_bn_2_batchnorm_bias);
	nnr_step(38, "residual.net:9  round_tf32((bottleneck_6_conv_bn_2_conv_weight * mul_20))  [128,3,3,128]  147.5 kFLOP  1.2 MB");
	float *const bottleneck_6_conv_bn_2_conv_weight = (float *)(m->params + 3773184);       // [128,3,3,128]  589.8 kB
	float *const prepared_bottleneck_6_conv_bn_2_conv_weight = (float *)(m->state + 106225856); // [128,3,3,128]  589.8 kB
	batchnorm_folded_2(&batchnorm_folded_128x1152_kernel, bottleneck_6_conv_bn_2_conv_weight, mul_20, prepared_bottleneck_6_conv_bn_2_conv_weight);
	nnr_step(39, "residual.net:9  batchnorm_folded of bottleneck_6.conv_bn_3  [512,1,1,1]  5.1 kFLOP  12.3 kB");
	float *const bottleneck_6_conv_bn_3_batchnorm_running_var = (float *)(m->state + 32256); // [512]  2.0 kB
	float *const bottleneck_6_conv_bn_3_batchnorm_weight = (float *)(m->params + 102041856); // [512]  2.0 kB
	float *const bottleneck_6_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 30208); // [512]  2.0 kB
	float *const bottleneck_6_conv_bn_3_batchnorm_bias = (float *)(m->params + 102043904);  // [512]  2.0 kB
	float *const mul_21 = (float *)(m->arena + 0);                                          // [512,1,1,1]  2.0 kB  steps 39-40
	float *const prepared_bottleneck_6_conv_bn_3_batchnorm_bias = (float *)(m->state + 106815680); // [512]  2.0 kB
	batchnorm_folded(&batchnorm_folded_512_2_kernel, bottleneck_6_conv_bn_3_batchnorm_running_var, bottleneck_6_conv_bn_3_batchnorm_weight, bottleneck_6_conv_bn_3_batchnorm_running_mean, bottleneck_6_conv_bn_3_batchnorm_bias, mul_21, prepared_bottleneck_6_conv_bn_3_batchnorm_bias);
	nnr_step(40, "residual.net:9  round_tf32((bottleneck_6_conv_bn_3_conv_weight * mul_21))  [512,1,1,128]  65.5 kFLOP  526.3 kB");
	float *const bottleneck_6_conv_bn_3_conv_weight = (float *)(m->params + 4363008);       // [512,1,1,128]  262.1 kB
	float *const prepared_bottleneck_6_conv_bn_3_conv_weight = (float *)(m->state + 106817728); // [512,1,1,128]  262.1 kB
	batchnorm_folded_2(&batchnorm_folded_512x128_kernel, bottleneck_6_conv_bn_3_conv_weight, mul_21, prepared_bottleneck_6_conv_bn_3_conv_weight);
	nnr_step(41, "residual.net:9  batchnorm_folded of bottleneck_7.conv_bn  [128,1,1,1]  1.3 kFLOP  3.1 kB");
	float *const bottleneck_7_conv_bn_batchnorm_running_var = (float *)(m->state + 34816);  // [128]  512 B
	float *const bottleneck_7_conv_bn_batchnorm_weight = (float *)(m->params + 102045952);  // [128]  512 B
	float *const bottleneck_7_conv_bn_batchnorm_running_mean = (float *)(m->state + 34304); // [128]  512 B
	float *const bottleneck_7_conv_bn_batchnorm_bias = (float *)(m->params + 102046464);    // [128]  512 B
	float *const mul_22 = (float *)(m->arena + 0);                                          // [128,1,1,1]  512 B  steps 41-42
	float *const prepared_bottleneck_7_conv_bn_batchnorm_bias = (float *)(m->state + 107079872); // [128]  512 B
	batchnorm_folded(&batchnorm_folded_128_kernel, bottleneck_7_conv_bn_batchnorm_running_var, bottleneck_7_conv_bn_batchnorm_weight, bottleneck_7_conv_bn_batchnorm_running_mean, bottleneck_7_conv_bn_batchnorm_bias, mul_22, prepared_bottleneck_7_conv_bn_batchnorm_bias);
	nnr_step(42, "residual.net:9  round_tf32((bottleneck_7_conv_bn_conv_weight * mul_22))  [128,1,1,512]  65.5 kFLOP  524.8 kB");
	float *const bottleneck_7_conv_bn_conv_weight = (float *)(m->params + 4625152);         // [128,1,1,512]  262.1 kB
	float *const prepared_bottleneck_7_conv_bn_conv_weight = (float *)(m->state + 107080384); // [128,1,1,512]  262.1 kB
	batchnorm_folded_2(&batchnorm_folded_128x512_kernel, bottleneck_7_conv_bn_conv_weight, mul_22, prepared_bottleneck_7_conv_bn_conv_weight);
	nnr_step(43, "residual.net:9  batchnorm_folded of bottleneck_7.conv_bn_2  [128,1,1,1]  1.3 kFLOP  3.1 kB");
	float *const bottleneck_7_conv_bn_2_batchnorm_running_var = (float *)(m->state + 35840); // [128]  512 B
	float *const bottleneck_7_conv_bn_2_batchnorm_weight = (float *)(m->params + 102046976); // [128]  512 B
	float *const bottleneck_7_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 35328); // [128]  512 B
	float *const bottleneck_7_conv_bn_2_batchnorm_bias = (float *)(m->params + 102047488);  // [128]  512 B
	float *const mul_23 = (float *)(m->arena + 0);                                          // [128,1,1,1]  512 B  steps 43-44
	float *const prepared_bottleneck_7_conv_bn_2_batchnorm_bias = (float *)(m->state + 107342528); // [128]  512 B
	batchnorm_folded(&batchnorm_folded_128_kernel, bottleneck_7_conv_bn_2_batchnorm_running_var, bottleneck_7_conv_bn_2_batchnorm_weight, bottleneck_7_conv_bn_2_batchnorm_running_mean, bottleneck_7_conv_bn_2_batchnorm_bias, mul_23, prepared_bottleneck_7_conv_bn_2_batchnorm_bias);
	nnr_step(44, "residual.net:9  round_tf32((bottleneck_7_conv_bn_2_conv_weight * mul_23))  [128,3,3,128]  147.5 kFLOP  1.2 MB");
	float *const bottleneck_7_conv_bn_2_conv_weight = (float *)(m->params + 4887296);       // [128,3,3,128]  589.8 kB
	float *const prepared_bottleneck_7_conv_bn_2_conv_weight = (float *)(m->state + 107343040); // [128,3,3,128]  589.8 kB
	batchnorm_folded_2(&batchnorm_folded_128x1152_kernel, bottleneck_7_conv_bn_2_conv_weight, mul_23, prepared_bottleneck_7_conv_bn_2_conv_weight);
	nnr_step(45, "residual.net:9  batchnorm_folded of bottleneck_7.conv_bn_3  [512,1,1,1]  5.1 kFLOP  12.3 kB");
	float *const bottleneck_7_conv_bn_3_batchnorm_running_var = (float *)(m->state + 38400); // [512]  2.0 kB
	float *const bottleneck_7_conv_bn_3_batchnorm_weight = (float *)(m->params + 102048000); // [512]  2.0 kB
	float *const bottleneck_7_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 36352); // [512]  2.0 kB
	float *const bottleneck_7_conv_bn_3_batchnorm_bias = (float *)(m->params + 102050048);  // [512]  2.0 kB
	float *const mul_24 = (float *)(m->arena + 0);                                          // [512,1,1,1]  2.0 kB  steps 45-46
	float *const prepared_bottleneck_7_conv_bn_3_batchnorm_bias = (float *)(m->state + 107932864); // [512]  2.0 kB
	batchnorm_folded(&batchnorm_folded_512_2_kernel, bottleneck_7_conv_bn_3_batchnorm_running_var, bottleneck_7_conv_bn_3_batchnorm_weight, bottleneck_7_conv_bn_3_batchnorm_running_mean, bottleneck_7_conv_bn_3_batchnorm_bias, mul_24, prepared_bottleneck_7_conv_bn_3_batchnorm_bias);
	nnr_step(46, "residual.net:9  round_tf32((bottleneck_7_conv_bn_3_conv_weight * mul_24))  [512,1,1,128]  65.5 kFLOP  526.3 kB");
	float *const bottleneck_7_conv_bn_3_conv_weight = (float *)(m->params + 5477120);       // [512,1,1,128]  262.1 kB
	float *const prepared_bottleneck_7_conv_bn_3_conv_weight = (float *)(m->state + 107934912); // [512,1,1,128]  262.1 kB
	batchnorm_folded_2(&batchnorm_folded_512x128_kernel, bottleneck_7_conv_bn_3_conv_weight, mul_24, prepared_bottleneck_7_conv_bn_3_conv_weight);
	nnr_step(47, "residual.net:9  batchnorm_folded of bottleneck_8.conv_bn  [256,1,1,1]  2.6 kFLOP  6.1 kB");
	float *const bottleneck_8_conv_bn_batchnorm_running_var = (float *)(m->state + 41472);  // [256]  1.0 kB
	float *const bottleneck_8_conv_bn_batchnorm_weight = (float *)(m->params + 102052096);  // [256]  1.0 kB
	float *const bottleneck_8_conv_bn_batchnorm_running_mean = (float *)(m->state + 40448); // [256]  1.0 kB
	float *const bottleneck_8_conv_bn_batchnorm_bias = (float *)(m->params + 102053120);    // [256]  1.0 kB
	float *const mul_25 = (float *)(m->arena + 0);                                          // [256,1,1,1]  1.0 kB  steps 47-48
	float *const prepared_bottleneck_8_conv_bn_batchnorm_bias = (float *)(m->state + 108197056); // [256]  1.0 kB
	batchnorm_folded(&batchnorm_folded_256_2_kernel, bottleneck_8_conv_bn_batchnorm_running_var, bottleneck_8_conv_bn_batchnorm_weight, bottleneck_8_conv_bn_batchnorm_running_mean, bottleneck_8_conv_bn_batchnorm_bias, mul_25, prepared_bottleneck_8_conv_bn_batchnorm_bias);
	nnr_step(48, "residual.net:9  round_tf32((bottleneck_8_conv_bn_conv_weight * mul_25))  [256,1,1,512]  131.1 kFLOP  1.0 MB");
	float *const bottleneck_8_conv_bn_conv_weight = (float *)(m->params + 5739264);         // [256,1,1,512]  524.3 kB
	float *const prepared_bottleneck_8_conv_bn_conv_weight = (float *)(m->state + 108198080); // [256,1,1,512]  524.3 kB
	batchnorm_folded_2(&batchnorm_folded_256x512_kernel, bottleneck_8_conv_bn_conv_weight, mul_25, prepared_bottleneck_8_conv_bn_conv_weight);
	nnr_step(49, "residual.net:9  batchnorm_folded of bottleneck_8.conv_bn_2  [256,1,1,1]  2.6 kFLOP  6.1 kB");
	float *const bottleneck_8_conv_bn_2_batchnorm_running_var = (float *)(m->state + 43520); // [256]  1.0 kB
	float *const bottleneck_8_conv_bn_2_batchnorm_weight = (float *)(m->params + 102054144); // [256]  1.0 kB
	float *const bottleneck_8_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 42496); // [256]  1.0 kB
	float *const bottleneck_8_conv_bn_2_batchnorm_bias = (float *)(m->params + 102055168);  // [256]  1.0 kB
	float *const mul_26 = (float *)(m->arena + 0);                                          // [256,1,1,1]  1.0 kB  steps 49-50
	float *const prepared_bottleneck_8_conv_bn_2_batchnorm_bias = (float *)(m->state + 108722368); // [256]  1.0 kB
	batchnorm_folded(&batchnorm_folded_256_2_kernel, bottleneck_8_conv_bn_2_batchnorm_running_var, bottleneck_8_conv_bn_2_batchnorm_weight, bottleneck_8_conv_bn_2_batchnorm_running_mean, bottleneck_8_conv_bn_2_batchnorm_bias, mul_26, prepared_bottleneck_8_conv_bn_2_batchnorm_bias);
	nnr_step(50, "residual.net:9  round_tf32((bottleneck_8_conv_bn_2_conv_weight * mul_26))  [256,3,3,256]  589.8 kFLOP  4.7 MB");
	float *const bottleneck_8_conv_bn_2_conv_weight = (float *)(m->params + 6263552);       // [256,3,3,256]  2.4 MB
	float *const prepared_bottleneck_8_conv_bn_2_conv_weight = (float *)(m->state + 108723392); // [256,3,3,256]  2.4 MB
	batchnorm_folded_2(&batchnorm_folded_256x2304_kernel, bottleneck_8_conv_bn_2_conv_weight, mul_26, prepared_bottleneck_8_conv_bn_2_conv_weight);
	nnr_step(51, "residual.net:9,28  batchnorm_folded of bottleneck_8  [1024,1,1,1]  21.5 kFLOP  45.1 kB");
	float *const bottleneck_8_conv_bn_3_batchnorm_running_var = (float *)(m->state + 48640); // [1024]  4.1 kB
	float *const bottleneck_8_conv_bn_3_batchnorm_weight = (float *)(m->params + 102056192); // [1024]  4.1 kB
	float *const bottleneck_8_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 44544); // [1024]  4.1 kB
	float *const bottleneck_8_conv_bn_3_batchnorm_bias = (float *)(m->params + 102060288);  // [1024]  4.1 kB
	float *const bottleneck_8_conv_bn_4_batchnorm_running_var = (float *)(m->state + 56832); // [1024]  4.1 kB
	float *const bottleneck_8_conv_bn_4_batchnorm_weight = (float *)(m->params + 102064384); // [1024]  4.1 kB
	float *const bottleneck_8_conv_bn_4_batchnorm_running_mean = (float *)(m->state + 52736); // [1024]  4.1 kB
	float *const bottleneck_8_conv_bn_4_batchnorm_bias = (float *)(m->params + 102068480);  // [1024]  4.1 kB
	float *const mul_27 = (float *)(m->arena + 0);                                          // [1024,1,1,1]  4.1 kB  steps 51-52
	float *const mul_28 = (float *)(m->arena + 4096);                                       // [1024,1,1,1]  4.1 kB  steps 51-53
	float *const prepared_bottleneck_8_conv_bn_3_batchnorm_bias = (float *)(m->state + 114228416); // [1024]  4.1 kB
	batchnorm_folded_3(&batchnorm_folded_1024_kernel, bottleneck_8_conv_bn_3_batchnorm_running_var, bottleneck_8_conv_bn_3_batchnorm_weight, bottleneck_8_conv_bn_3_batchnorm_running_mean, bottleneck_8_conv_bn_3_batchnorm_bias, bottleneck_8_conv_bn_4_batchnorm_running_var, bottleneck_8_conv_bn_4_batchnorm_weight, bottleneck_8_conv_bn_4_batchnorm_running_mean, bottleneck_8_conv_bn_4_batchnorm_bias, mul_27, mul_28, prepared_bottleneck_8_conv_bn_3_batchnorm_bias);
	nnr_step(52, "residual.net:9  round_tf32((bottleneck_8_conv_bn_3_conv_weight * mul_27))  [1024,1,1,256]  262.1 kFLOP  2.1 MB");
	float *const bottleneck_8_conv_bn_3_conv_weight = (float *)(m->params + 8622848);       // [1024,1,1,256]  1.0 MB
	float *const prepared_bottleneck_8_conv_bn_3_conv_weight = (float *)(m->state + 111082688); // [1024,1,1,256]  1.0 MB
	batchnorm_folded_2(&batchnorm_folded_1024x256_kernel, bottleneck_8_conv_bn_3_conv_weight, mul_27, prepared_bottleneck_8_conv_bn_3_conv_weight);
	nnr_step(53, "residual.net:9  round_tf32((bottleneck_8_conv_bn_4_conv_weight * mul_28))  [1024,1,1,512]  524.3 kFLOP  4.2 MB");
	float *const bottleneck_8_conv_bn_4_conv_weight = (float *)(m->params + 9671424);       // [1024,1,1,512]  2.1 MB
	float *const prepared_bottleneck_8_conv_bn_4_conv_weight = (float *)(m->state + 112131264); // [1024,1,1,512]  2.1 MB
	batchnorm_folded_2(&batchnorm_folded_1024x512_kernel, bottleneck_8_conv_bn_4_conv_weight, mul_28, prepared_bottleneck_8_conv_bn_4_conv_weight);
	nnr_step(54, "residual.net:9  batchnorm_folded of bottleneck_9.conv_bn  [256,1,1,1]  2.6 kFLOP  6.1 kB");
	float *const bottleneck_9_conv_bn_batchnorm_running_var = (float *)(m->state + 61952);  // [256]  1.0 kB
	float *const bottleneck_9_conv_bn_batchnorm_weight = (float *)(m->params + 102072576);  // [256]  1.0 kB
	float *const bottleneck_9_conv_bn_batchnorm_running_mean = (float *)(m->state + 60928); // [256]  1.0 kB
	float *const bottleneck_9_conv_bn_batchnorm_bias = (float *)(m->params + 102073600);    // [256]  1.0 kB
	float *const mul_29 = (float *)(m->arena + 0);                                          // [256,1,1,1]  1.0 kB  steps 54-55
	float *const prepared_bottleneck_9_conv_bn_batchnorm_bias = (float *)(m->state + 114232512); // [256]  1.0 kB
	batchnorm_folded(&batchnorm_folded_256_2_kernel, bottleneck_9_conv_bn_batchnorm_running_var, bottleneck_9_conv_bn_batchnorm_weight, bottleneck_9_conv_bn_batchnorm_running_mean, bottleneck_9_conv_bn_batchnorm_bias, mul_29, prepared_bottleneck_9_conv_bn_batchnorm_bias);
	nnr_step(55, "residual.net:9  round_tf32((bottleneck_9_conv_bn_conv_weight * mul_29))  [256,1,1,1024]  262.1 kFLOP  2.1 MB");
	float *const bottleneck_9_conv_bn_conv_weight = (float *)(m->params + 11768576);        // [256,1,1,1024]  1.0 MB
	float *const prepared_bottleneck_9_conv_bn_conv_weight = (float *)(m->state + 114233536); // [256,1,1,1024]  1.0 MB
	batchnorm_folded_2(&batchnorm_folded_256x1024_kernel, bottleneck_9_conv_bn_conv_weight, mul_29, prepared_bottleneck_9_conv_bn_conv_weight);
	nnr_step(56, "residual.net:9  batchnorm_folded of bottleneck_9.conv_bn_2  [256,1,1,1]  2.6 kFLOP  6.1 kB");
	float *const bottleneck_9_conv_bn_2_batchnorm_running_var = (float *)(m->state + 64000); // [256]  1.0 kB
	float *const bottleneck_9_conv_bn_2_batchnorm_weight = (float *)(m->params + 102074624); // [256]  1.0 kB
	float *const bottleneck_9_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 62976); // [256]  1.0 kB
	float *const bottleneck_9_conv_bn_2_batchnorm_bias = (float *)(m->params + 102075648);  // [256]  1.0 kB
	float *const mul_30 = (float *)(m->arena + 0);                                          // [256,1,1,1]  1.0 kB  steps 56-57
	float *const prepared_bottleneck_9_conv_bn_2_batchnorm_bias = (float *)(m->state + 115282112); // [256]  1.0 kB
	batchnorm_folded(&batchnorm_folded_256_2_kernel, bottleneck_9_conv_bn_2_batchnorm_running_var, bottleneck_9_conv_bn_2_batchnorm_weight, bottleneck_9_conv_bn_2_batchnorm_running_mean, bottleneck_9_conv_bn_2_batchnorm_bias, mul_30, prepared_bottleneck_9_conv_bn_2_batchnorm_bias);
	nnr_step(57, "residual.net:9  round_tf32((bottleneck_9_conv_bn_2_conv_weight * mul_30))  [256,3,3,256]  589.8 kFLOP  4.7 MB");
	float *const bottleneck_9_conv_bn_2_conv_weight = (float *)(m->params + 12817152);      // [256,3,3,256]  2.4 MB
	float *const prepared_bottleneck_9_conv_bn_2_conv_weight = (float *)(m->state + 115283136); // [256,3,3,256]  2.4 MB
	batchnorm_folded_2(&batchnorm_folded_256x2304_kernel, bottleneck_9_conv_bn_2_conv_weight, mul_30, prepared_bottleneck_9_conv_bn_2_conv_weight);
	nnr_step(58, "residual.net:9  batchnorm_folded of bottleneck_9.conv_bn_3  [1024,1,1,1]  10.2 kFLOP  24.6 kB");
	float *const bottleneck_9_conv_bn_3_batchnorm_running_var = (float *)(m->state + 69120); // [1024]  4.1 kB
	float *const bottleneck_9_conv_bn_3_batchnorm_weight = (float *)(m->params + 102076672); // [1024]  4.1 kB
	float *const bottleneck_9_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 65024); // [1024]  4.1 kB
	float *const bottleneck_9_conv_bn_3_batchnorm_bias = (float *)(m->params + 102080768);  // [1024]  4.1 kB
	float *const mul_31 = (float *)(m->arena + 0);                                          // [1024,1,1,1]  4.1 kB  steps 58-59
	float *const prepared_bottleneck_9_conv_bn_3_batchnorm_bias = (float *)(m->state + 117642432); // [1024]  4.1 kB
	batchnorm_folded(&batchnorm_folded_1024_2_kernel, bottleneck_9_conv_bn_3_batchnorm_running_var, bottleneck_9_conv_bn_3_batchnorm_weight, bottleneck_9_conv_bn_3_batchnorm_running_mean, bottleneck_9_conv_bn_3_batchnorm_bias, mul_31, prepared_bottleneck_9_conv_bn_3_batchnorm_bias);
	nnr_step(59, "residual.net:9  round_tf32((bottleneck_9_conv_bn_3_conv_weight * mul_31))  [1024,1,1,256]  262.1 kFLOP  2.1 MB");
	float *const bottleneck_9_conv_bn_3_conv_weight = (float *)(m->params + 15176448);      // [1024,1,1,256]  1.0 MB
	float *const prepared_bottleneck_9_conv_bn_3_conv_weight = (float *)(m->state + 117646528); // [1024,1,1,256]  1.0 MB
	batchnorm_folded_2(&batchnorm_folded_1024x256_kernel, bottleneck_9_conv_bn_3_conv_weight, mul_31, prepared_bottleneck_9_conv_bn_3_conv_weight);
	nnr_step(60, "residual.net:9  batchnorm_folded of bottleneck_10.conv_bn  [256,1,1,1]  2.6 kFLOP  6.1 kB");
	float *const bottleneck_10_conv_bn_batchnorm_running_var = (float *)(m->state + 74240); // [256]  1.0 kB
	float *const bottleneck_10_conv_bn_batchnorm_weight = (float *)(m->params + 102084864); // [256]  1.0 kB
	float *const bottleneck_10_conv_bn_batchnorm_running_mean = (float *)(m->state + 73216); // [256]  1.0 kB
	float *const bottleneck_10_conv_bn_batchnorm_bias = (float *)(m->params + 102085888);   // [256]  1.0 kB
	float *const mul_32 = (float *)(m->arena + 0);                                          // [256,1,1,1]  1.0 kB  steps 60-61
	float *const prepared_bottleneck_10_conv_bn_batchnorm_bias = (float *)(m->state + 118695104); // [256]  1.0 kB
	batchnorm_folded(&batchnorm_folded_256_2_kernel, bottleneck_10_conv_bn_batchnorm_running_var, bottleneck_10_conv_bn_batchnorm_weight, bottleneck_10_conv_bn_batchnorm_running_mean, bottleneck_10_conv_bn_batchnorm_bias, mul_32, prepared_bottleneck_10_conv_bn_batchnorm_bias);
	nnr_step(61, "residual.net:9  round_tf32((bottleneck_10_conv_bn_conv_weight * mul_32))  [256,1,1,1024]  262.1 kFLOP  2.1 MB");
	float *const bottleneck_10_conv_bn_conv_weight = (float *)(m->params + 16225024);       // [256,1,1,1024]  1.0 MB
	float *const prepared_bottleneck_10_conv_bn_conv_weight = (float *)(m->state + 118696128); // [256,1,1,1024]  1.0 MB
	batchnorm_folded_2(&batchnorm_folded_256x1024_kernel, bottleneck_10_conv_bn_conv_weight, mul_32, prepared_bottleneck_10_conv_bn_conv_weight);
	nnr_step(62, "residual.net:9  batchnorm_folded of bottleneck_10.conv_bn_2  [256,1,1,1]  2.6 kFLOP  6.1 kB");
	float *const bottleneck_10_conv_bn_2_batchnorm_running_var = (float *)(m->state + 76288); // [256]  1.0 kB
	float *const bottleneck_10_conv_bn_2_batchnorm_weight = (float *)(m->params + 102086912); // [256]  1.0 kB
	float *const bottleneck_10_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 75264); // [256]  1.0 kB
	float *const bottleneck_10_conv_bn_2_batchnorm_bias = (float *)(m->params + 102087936); // [256]  1.0 kB
	float *const mul_33 = (float *)(m->arena + 0);                                          // [256,1,1,1]  1.0 kB  steps 62-63
	float *const prepared_bottleneck_10_conv_bn_2_batchnorm_bias = (float *)(m->state + 119744704); // [256]  1.0 kB
	batchnorm_folded(&batchnorm_folded_256_2_kernel, bottleneck_10_conv_bn_2_batchnorm_running_var, bottleneck_10_conv_bn_2_batchnorm_weight, bottleneck_10_conv_bn_2_batchnorm_running_mean, bottleneck_10_conv_bn_2_batchnorm_bias, mul_33, prepared_bottleneck_10_conv_bn_2_batchnorm_bias);
	nnr_step(63, "residual.net:9  round_tf32((bottleneck_10_conv_bn_2_conv_weight * mul_33))  [256,3,3,256]  589.8 kFLOP  4.7 MB");
	float *const bottleneck_10_conv_bn_2_conv_weight = (float *)(m->params + 17273600);     // [256,3,3,256]  2.4 MB
	float *const prepared_bottleneck_10_conv_bn_2_conv_weight = (float *)(m->state + 119745728); // [256,3,3,256]  2.4 MB
	batchnorm_folded_2(&batchnorm_folded_256x2304_kernel, bottleneck_10_conv_bn_2_conv_weight, mul_33, prepared_bottleneck_10_conv_bn_2_conv_weight);
	nnr_step(64, "residual.net:9  batchnorm_folded of bottleneck_10.conv_bn_3  [1024,1,1,1]  10.2 kFLOP  24.6 kB");
	float *const bottleneck_10_conv_bn_3_batchnorm_running_var = (float *)(m->state + 81408); // [1024]  4.1 kB
	float *const bottleneck_10_conv_bn_3_batchnorm_weight = (float *)(m->params + 102088960); // [1024]  4.1 kB
	float *const bottleneck_10_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 77312); // [1024]  4.1 kB
	float *const bottleneck_10_conv_bn_3_batchnorm_bias = (float *)(m->params + 102093056); // [1024]  4.1 kB
	float *const mul_34 = (float *)(m->arena + 0);                                          // [1024,1,1,1]  4.1 kB  steps 64-65
	float *const prepared_bottleneck_10_conv_bn_3_batchnorm_bias = (float *)(m->state + 122105024); // [1024]  4.1 kB
	batchnorm_folded(&batchnorm_folded_1024_2_kernel, bottleneck_10_conv_bn_3_batchnorm_running_var, bottleneck_10_conv_bn_3_batchnorm_weight, bottleneck_10_conv_bn_3_batchnorm_running_mean, bottleneck_10_conv_bn_3_batchnorm_bias, mul_34, prepared_bottleneck_10_conv_bn_3_batchnorm_bias);
	nnr_step(65, "residual.net:9  round_tf32((bottleneck_10_conv_bn_3_conv_weight * mul_34))  [1024,1,1,256]  262.1 kFLOP  2.1 MB");
	float *const bottleneck_10_conv_bn_3_conv_weight = (float *)(m->params + 19632896);     // [1024,1,1,256]  1.0 MB
	float *const prepared_bottleneck_10_conv_bn_3_conv_weight = (float *)(m->state + 122109120); // [1024,1,1,256]  1.0 MB
	batchnorm_folded_2(&batchnorm_folded_1024x256_kernel, bottleneck_10_conv_bn_3_conv_weight, mul_34, prepared_bottleneck_10_conv_bn_3_conv_weight);
	nnr_step(66, "residual.net:9  batchnorm_folded of bottleneck_11.conv_bn  [256,1,1,1]  2.6 kFLOP  6.1 kB");
	float *const bottleneck_11_conv_bn_batchnorm_running_var = (float *)(m->state + 86528); // [256]  1.0 kB
	float *const bottleneck_11_conv_bn_batchnorm_weight = (float *)(m->params + 102097152); // [256]  1.0 kB
	float *const bottleneck_11_conv_bn_batchnorm_running_mean = (float *)(m->state + 85504); // [256]  1.0 kB
	float *const bottleneck_11_conv_bn_batchnorm_bias = (float *)(m->params + 102098176);   // [256]  1.0 kB
	float *const mul_35 = (float *)(m->arena + 0);                                          // [256,1,1,1]  1.0 kB  steps 66-67
	float *const prepared_bottleneck_11_conv_bn_batchnorm_bias = (float *)(m->state + 123157696); // [256]  1.0 kB
	batchnorm_folded(&batchnorm_folded_256_2_kernel, bottleneck_11_conv_bn_batchnorm_running_var, bottleneck_11_conv_bn_batchnorm_weight, bottleneck_11_conv_bn_batchnorm_running_mean, bottleneck_11_conv_bn_batchnorm_bias, mul_35, prepared_bottleneck_11_conv_bn_batchnorm_bias);
	nnr_step(67, "residual.net:9  round_tf32((bottleneck_11_conv_bn_conv_weight * mul_35))  [256,1,1,1024]  262.1 kFLOP  2.1 MB");
	float *const bottleneck_11_conv_bn_conv_weight = (float *)(m->params + 20681472);       // [256,1,1,1024]  1.0 MB
	float *const prepared_bottleneck_11_conv_bn_conv_weight = (float *)(m->state + 123158720); // [256,1,1,1024]  1.0 MB
	batchnorm_folded_2(&batchnorm_folded_256x1024_kernel, bottleneck_11_conv_bn_conv_weight, mul_35, prepared_bottleneck_11_conv_bn_conv_weight);
	nnr_step(68, "residual.net:9  batchnorm_folded of bottleneck_11.conv_bn_2  [256,1,1,1]  2.6 kFLOP  6.1 kB");
	float *const bottleneck_11_conv_bn_2_batchnorm_running_var = (float *)(m->state + 88576); // [256]  1.0 kB
	float *const bottleneck_11_conv_bn_2_batchnorm_weight = (float *)(m->params + 102099200); // [256]  1.0 kB
	float *const bottleneck_11_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 87552); // [256]  1.0 kB
	float *const bottleneck_11_conv_bn_2_batchnorm_bias = (float *)(m->params + 102100224); // [256]  1.0 kB
	float *const mul_36 = (float *)(m->arena + 0);                                          // [256,1,1,1]  1.0 kB  steps 68-69
	float *const prepared_bottleneck_11_conv_bn_2_batchnorm_bias = (float *)(m->state + 124207296); // [256]  1.0 kB
	batchnorm_folded(&batchnorm_folded_256_2_kernel, bottleneck_11_conv_bn_2_batchnorm_running_var, bottleneck_11_conv_bn_2_batchnorm_weight, bottleneck_11_conv_bn_2_batchnorm_running_mean, bottleneck_11_conv_bn_2_batchnorm_bias, mul_36, prepared_bottleneck_11_conv_bn_2_batchnorm_bias);
	nnr_step(69, "residual.net:9  round_tf32((bottleneck_11_conv_bn_2_conv_weight * mul_36))  [256,3,3,256]  589.8 kFLOP  4.7 MB");
	float *const bottleneck_11_conv_bn_2_conv_weight = (float *)(m->params + 21730048);     // [256,3,3,256]  2.4 MB
	float *const prepared_bottleneck_11_conv_bn_2_conv_weight = (float *)(m->state + 124208320); // [256,3,3,256]  2.4 MB
	batchnorm_folded_2(&batchnorm_folded_256x2304_kernel, bottleneck_11_conv_bn_2_conv_weight, mul_36, prepared_bottleneck_11_conv_bn_2_conv_weight);
	nnr_step(70, "residual.net:9  batchnorm_folded of bottleneck_11.conv_bn_3  [1024,1,1,1]  10.2 kFLOP  24.6 kB");
	float *const bottleneck_11_conv_bn_3_batchnorm_running_var = (float *)(m->state + 93696); // [1024]  4.1 kB
	float *const bottleneck_11_conv_bn_3_batchnorm_weight = (float *)(m->params + 102101248); // [1024]  4.1 kB
	float *const bottleneck_11_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 89600); // [1024]  4.1 kB
	float *const bottleneck_11_conv_bn_3_batchnorm_bias = (float *)(m->params + 102105344); // [1024]  4.1 kB
	float *const mul_37 = (float *)(m->arena + 0);                                          // [1024,1,1,1]  4.1 kB  steps 70-71
	float *const prepared_bottleneck_11_conv_bn_3_batchnorm_bias = (float *)(m->state + 126567616); // [1024]  4.1 kB
	batchnorm_folded(&batchnorm_folded_1024_2_kernel, bottleneck_11_conv_bn_3_batchnorm_running_var, bottleneck_11_conv_bn_3_batchnorm_weight, bottleneck_11_conv_bn_3_batchnorm_running_mean, bottleneck_11_conv_bn_3_batchnorm_bias, mul_37, prepared_bottleneck_11_conv_bn_3_batchnorm_bias);
	nnr_step(71, "residual.net:9  round_tf32((bottleneck_11_conv_bn_3_conv_weight * mul_37))  [1024,1,1,256]  262.1 kFLOP  2.1 MB");
	float *const bottleneck_11_conv_bn_3_conv_weight = (float *)(m->params + 24089344);     // [1024,1,1,256]  1.0 MB
	float *const prepared_bottleneck_11_conv_bn_3_conv_weight = (float *)(m->state + 126571712); // [1024,1,1,256]  1.0 MB
	batchnorm_folded_2(&batchnorm_folded_1024x256_kernel, bottleneck_11_conv_bn_3_conv_weight, mul_37, prepared_bottleneck_11_conv_bn_3_conv_weight);
	nnr_step(72, "residual.net:9  batchnorm_folded of bottleneck_12.conv_bn  [256,1,1,1]  2.6 kFLOP  6.1 kB");
	float *const bottleneck_12_conv_bn_batchnorm_running_var = (float *)(m->state + 98816); // [256]  1.0 kB
	float *const bottleneck_12_conv_bn_batchnorm_weight = (float *)(m->params + 102109440); // [256]  1.0 kB
	float *const bottleneck_12_conv_bn_batchnorm_running_mean = (float *)(m->state + 97792); // [256]  1.0 kB
	float *const bottleneck_12_conv_bn_batchnorm_bias = (float *)(m->params + 102110464);   // [256]  1.0 kB
	float *const mul_38 = (float *)(m->arena + 0);                                          // [256,1,1,1]  1.0 kB  steps 72-73
	float *const prepared_bottleneck_12_conv_bn_batchnorm_bias = (float *)(m->state + 127620288); // [256]  1.0 kB
	batchnorm_folded(&batchnorm_folded_256_2_kernel, bottleneck_12_conv_bn_batchnorm_running_var, bottleneck_12_conv_bn_batchnorm_weight, bottleneck_12_conv_bn_batchnorm_running_mean, bottleneck_12_conv_bn_batchnorm_bias, mul_38, prepared_bottleneck_12_conv_bn_batchnorm_bias);
	nnr_step(73, "residual.net:9  round_tf32((bottleneck_12_conv_bn_conv_weight * mul_38))  [256,1,1,1024]  262.1 kFLOP  2.1 MB");
	float *const bottleneck_12_conv_bn_conv_weight = (float *)(m->params + 25137920);       // [256,1,1,1024]  1.0 MB
	float *const prepared_bottleneck_12_conv_bn_conv_weight = (float *)(m->state + 127621312); // [256,1,1,1024]  1.0 MB
	batchnorm_folded_2(&batchnorm_folded_256x1024_kernel, bottleneck_12_conv_bn_conv_weight, mul_38, prepared_bottleneck_12_conv_bn_conv_weight);
	nnr_step(74, "residual.net:9  batchnorm_folded of bottleneck_12.conv_bn_2  [256,1,1,1]  2.6 kFLOP  6.1 kB");
	float *const bottleneck_12_conv_bn_2_batchnorm_running_var = (float *)(m->state + 100864); // [256]  1.0 kB
	float *const bottleneck_12_conv_bn_2_batchnorm_weight = (float *)(m->params + 102111488); // [256]  1.0 kB
	float *const bottleneck_12_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 99840); // [256]  1.0 kB
	float *const bottleneck_12_conv_bn_2_batchnorm_bias = (float *)(m->params + 102112512); // [256]  1.0 kB
	float *const mul_39 = (float *)(m->arena + 0);                                          // [256,1,1,1]  1.0 kB  steps 74-75
	float *const prepared_bottleneck_12_conv_bn_2_batchnorm_bias = (float *)(m->state + 128669888); // [256]  1.0 kB
	batchnorm_folded(&batchnorm_folded_256_2_kernel, bottleneck_12_conv_bn_2_batchnorm_running_var, bottleneck_12_conv_bn_2_batchnorm_weight, bottleneck_12_conv_bn_2_batchnorm_running_mean, bottleneck_12_conv_bn_2_batchnorm_bias, mul_39, prepared_bottleneck_12_conv_bn_2_batchnorm_bias);
	nnr_step(75, "residual.net:9  round_tf32((bottleneck_12_conv_bn_2_conv_weight * mul_39))  [256,3,3,256]  589.8 kFLOP  4.7 MB");
	float *const bottleneck_12_conv_bn_2_conv_weight = (float *)(m->params + 26186496);     // [256,3,3,256]  2.4 MB
	float *const prepared_bottleneck_12_conv_bn_2_conv_weight = (float *)(m->state + 128670912); // [256,3,3,256]  2.4 MB
	batchnorm_folded_2(&batchnorm_folded_256x2304_kernel, bottleneck_12_conv_bn_2_conv_weight, mul_39, prepared_bottleneck_12_conv_bn_2_conv_weight);
	nnr_step(76, "residual.net:9  batchnorm_folded of bottleneck_12.conv_bn_3  [1024,1,1,1]  10.2 kFLOP  24.6 kB");
	float *const bottleneck_12_conv_bn_3_batchnorm_running_var = (float *)(m->state + 105984); // [1024]  4.1 kB
	float *const bottleneck_12_conv_bn_3_batchnorm_weight = (float *)(m->params + 102113536); // [1024]  4.1 kB
	float *const bottleneck_12_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 101888); // [1024]  4.1 kB
	float *const bottleneck_12_conv_bn_3_batchnorm_bias = (float *)(m->params + 102117632); // [1024]  4.1 kB
	float *const mul_40 = (float *)(m->arena + 0);                                          // [1024,1,1,1]  4.1 kB  steps 76-77
	float *const prepared_bottleneck_12_conv_bn_3_batchnorm_bias = (float *)(m->state + 131030208); // [1024]  4.1 kB
	batchnorm_folded(&batchnorm_folded_1024_2_kernel, bottleneck_12_conv_bn_3_batchnorm_running_var, bottleneck_12_conv_bn_3_batchnorm_weight, bottleneck_12_conv_bn_3_batchnorm_running_mean, bottleneck_12_conv_bn_3_batchnorm_bias, mul_40, prepared_bottleneck_12_conv_bn_3_batchnorm_bias);
	nnr_step(77, "residual.net:9  round_tf32((bottleneck_12_conv_bn_3_conv_weight * mul_40))  [1024,1,1,256]  262.1 kFLOP  2.1 MB");
	float *const bottleneck_12_conv_bn_3_conv_weight = (float *)(m->params + 28545792);     // [1024,1,1,256]  1.0 MB
	float *const prepared_bottleneck_12_conv_bn_3_conv_weight = (float *)(m->state + 131034304); // [1024,1,1,256]  1.0 MB
	batchnorm_folded_2(&batchnorm_folded_1024x256_kernel, bottleneck_12_conv_bn_3_conv_weight, mul_40, prepared_bottleneck_12_conv_bn_3_conv_weight);
	nnr_step(78, "residual.net:9  batchnorm_folded of bottleneck_13.conv_bn  [256,1,1,1]  2.6 kFLOP  6.1 kB");
	float *const bottleneck_13_conv_bn_batchnorm_running_var = (float *)(m->state + 111104); // [256]  1.0 kB
	float *const bottleneck_13_conv_bn_batchnorm_weight = (float *)(m->params + 102121728); // [256]  1.0 kB
	float *const bottleneck_13_conv_bn_batchnorm_running_mean = (float *)(m->state + 110080); // [256]  1.0 kB
	float *const bottleneck_13_conv_bn_batchnorm_bias = (float *)(m->params + 102122752);   // [256]  1.0 kB
	float *const mul_41 = (float *)(m->arena + 0);                                          // [256,1,1,1]  1.0 kB  steps 78-79
	float *const prepared_bottleneck_13_conv_bn_batchnorm_bias = (float *)(m->state + 132082880); // [256]  1.0 kB
	batchnorm_folded(&batchnorm_folded_256_2_kernel, bottleneck_13_conv_bn_batchnorm_running_var, bottleneck_13_conv_bn_batchnorm_weight, bottleneck_13_conv_bn_batchnorm_running_mean, bottleneck_13_conv_bn_batchnorm_bias, mul_41, prepared_bottleneck_13_conv_bn_batchnorm_bias);
	nnr_step(79, "residual.net:9  round_tf32((bottleneck_13_conv_bn_conv_weight * mul_41))  [256,1,1,1024]  262.1 kFLOP  2.1 MB");
	float *const bottleneck_13_conv_bn_conv_weight = (float *)(m->params + 29594368);       // [256,1,1,1024]  1.0 MB
	float *const prepared_bottleneck_13_conv_bn_conv_weight = (float *)(m->state + 132083904); // [256,1,1,1024]  1.0 MB
	batchnorm_folded_2(&batchnorm_folded_256x1024_kernel, bottleneck_13_conv_bn_conv_weight, mul_41, prepared_bottleneck_13_conv_bn_conv_weight);
	nnr_step(80, "residual.net:9  batchnorm_folded of bottleneck_13.conv_bn_2  [256,1,1,1]  2.6 kFLOP  6.1 kB");
	float *const bottleneck_13_conv_bn_2_batchnorm_running_var = (float *)(m->state + 113152); // [256]  1.0 kB
	float *const bottleneck_13_conv_bn_2_batchnorm_weight = (float *)(m->params + 102123776); // [256]  1.0 kB
	float *const bottleneck_13_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 112128); // [256]  1.0 kB
	float *const bottleneck_13_conv_bn_2_batchnorm_bias = (float *)(m->params + 102124800); // [256]  1.0 kB
	float *const mul_42 = (float *)(m->arena + 0);                                          // [256,1,1,1]  1.0 kB  steps 80-81
	float *const prepared_bottleneck_13_conv_bn_2_batchnorm_bias = (float *)(m->state + 133132480); // [256]  1.0 kB
	batchnorm_folded(&batchnorm_folded_256_2_kernel, bottleneck_13_conv_bn_2_batchnorm_running_var, bottleneck_13_conv_bn_2_batchnorm_weight, bottleneck_13_conv_bn_2_batchnorm_running_mean, bottleneck_13_conv_bn_2_batchnorm_bias, mul_42, prepared_bottleneck_13_conv_bn_2_batchnorm_bias);
	nnr_step(81, "residual.net:9  round_tf32((bottleneck_13_conv_bn_2_conv_weight * mul_42))  [256,3,3,256]  589.8 kFLOP  4.7 MB");
	float *const bottleneck_13_conv_bn_2_conv_weight = (float *)(m->params + 30642944);     // [256,3,3,256]  2.4 MB
	float *const prepared_bottleneck_13_conv_bn_2_conv_weight = (float *)(m->state + 133133504); // [256,3,3,256]  2.4 MB
	batchnorm_folded_2(&batchnorm_folded_256x2304_kernel, bottleneck_13_conv_bn_2_conv_weight, mul_42, prepared_bottleneck_13_conv_bn_2_conv_weight);
	nnr_step(82, "residual.net:9  batchnorm_folded of bottleneck_13.conv_bn_3  [1024,1,1,1]  10.2 kFLOP  24.6 kB");
	float *const bottleneck_13_conv_bn_3_batchnorm_running_var = (float *)(m->state + 118272); // [1024]  4.1 kB
	float *const bottleneck_13_conv_bn_3_batchnorm_weight = (float *)(m->params + 102125824); // [1024]  4.1 kB
	float *const bottleneck_13_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 114176); // [1024]  4.1 kB
	float *const bottleneck_13_conv_bn_3_batchnorm_bias = (float *)(m->params + 102129920); // [1024]  4.1 kB
	float *const mul_43 = (float *)(m->arena + 0);                                          // [1024,1,1,1]  4.1 kB  steps 82-83
	float *const prepared_bottleneck_13_conv_bn_3_batchnorm_bias = (float *)(m->state + 135492800); // [1024]  4.1 kB
	batchnorm_folded(&batchnorm_folded_1024_2_kernel, bottleneck_13_conv_bn_3_batchnorm_running_var, bottleneck_13_conv_bn_3_batchnorm_weight, bottleneck_13_conv_bn_3_batchnorm_running_mean, bottleneck_13_conv_bn_3_batchnorm_bias, mul_43, prepared_bottleneck_13_conv_bn_3_batchnorm_bias);
	nnr_step(83, "residual.net:9  round_tf32((bottleneck_13_conv_bn_3_conv_weight * mul_43))  [1024,1,1,256]  262.1 kFLOP  2.1 MB");
	float *const bottleneck_13_conv_bn_3_conv_weight = (float *)(m->params + 33002240);     // [1024,1,1,256]  1.0 MB
	float *const prepared_bottleneck_13_conv_bn_3_conv_weight = (float *)(m->state + 135496896); // [1024,1,1,256]  1.0 MB
	batchnorm_folded_2(&batchnorm_folded_1024x256_kernel, bottleneck_13_conv_bn_3_conv_weight, mul_43, prepared_bottleneck_13_conv_bn_3_conv_weight);
	nnr_step(84, "residual.net:9  batchnorm_folded of bottleneck_14.conv_bn  [512,1,1,1]  5.1 kFLOP  12.3 kB");
	float *const bottleneck_14_conv_bn_batchnorm_running_var = (float *)(m->state + 124416); // [512]  2.0 kB
	float *const bottleneck_14_conv_bn_batchnorm_weight = (float *)(m->params + 102134016); // [512]  2.0 kB
	float *const bottleneck_14_conv_bn_batchnorm_running_mean = (float *)(m->state + 122368); // [512]  2.0 kB
	float *const bottleneck_14_conv_bn_batchnorm_bias = (float *)(m->params + 102136064);   // [512]  2.0 kB
	float *const mul_44 = (float *)(m->arena + 0);                                          // [512,1,1,1]  2.0 kB  steps 84-85
	float *const prepared_bottleneck_14_conv_bn_batchnorm_bias = (float *)(m->state + 136545472); // [512]  2.0 kB
	batchnorm_folded(&batchnorm_folded_512_2_kernel, bottleneck_14_conv_bn_batchnorm_running_var, bottleneck_14_conv_bn_batchnorm_weight, bottleneck_14_conv_bn_batchnorm_running_mean, bottleneck_14_conv_bn_batchnorm_bias, mul_44, prepared_bottleneck_14_conv_bn_batchnorm_bias);
	nnr_step(85, "residual.net:9  round_tf32((bottleneck_14_conv_bn_conv_weight * mul_44))  [512,1,1,1024]  524.3 kFLOP  4.2 MB");
	float *const bottleneck_14_conv_bn_conv_weight = (float *)(m->params + 34050816);       // [512,1,1,1024]  2.1 MB
	float *const prepared_bottleneck_14_conv_bn_conv_weight = (float *)(m->state + 136547520); // [512,1,1,1024]  2.1 MB
	batchnorm_folded_2(&batchnorm_folded_512x1024_kernel, bottleneck_14_conv_bn_conv_weight, mul_44, prepared_bottleneck_14_conv_bn_conv_weight);
	nnr_step(86, "residual.net:9  batchnorm_folded of bottleneck_14.conv_bn_2  [512,1,1,1]  5.1 kFLOP  12.3 kB");
	float *const bottleneck_14_conv_bn_2_batchnorm_running_var = (float *)(m->state + 128512); // [512]  2.0 kB
	float *const bottleneck_14_conv_bn_2_batchnorm_weight = (float *)(m->params + 102138112); // [512]  2.0 kB
	float *const bottleneck_14_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 126464); // [512]  2.0 kB
	float *const bottleneck_14_conv_bn_2_batchnorm_bias = (float *)(m->params + 102140160); // [512]  2.0 kB
	float *const mul_45 = (float *)(m->arena + 0);                                          // [512,1,1,1]  2.0 kB  steps 86-87
	float *const prepared_bottleneck_14_conv_bn_2_batchnorm_bias = (float *)(m->state + 138644672); // [512]  2.0 kB
	batchnorm_folded(&batchnorm_folded_512_2_kernel, bottleneck_14_conv_bn_2_batchnorm_running_var, bottleneck_14_conv_bn_2_batchnorm_weight, bottleneck_14_conv_bn_2_batchnorm_running_mean, bottleneck_14_conv_bn_2_batchnorm_bias, mul_45, prepared_bottleneck_14_conv_bn_2_batchnorm_bias);
	nnr_step(87, "residual.net:9  round_tf32((bottleneck_14_conv_bn_2_conv_weight * mul_45))  [512,3,3,512]  2.4 MFLOP  18.9 MB");
	float *const bottleneck_14_conv_bn_2_conv_weight = (float *)(m->params + 36147968);     // [512,3,3,512]  9.4 MB
	float *const prepared_bottleneck_14_conv_bn_2_conv_weight = (float *)(m->state + 138646720); // [512,3,3,512]  9.4 MB
	batchnorm_folded_2(&batchnorm_folded_512x4608_kernel, bottleneck_14_conv_bn_2_conv_weight, mul_45, prepared_bottleneck_14_conv_bn_2_conv_weight);
	nnr_step(88, "residual.net:9,28  batchnorm_folded of bottleneck_14  [2048,1,1,1]  43.0 kFLOP  90.1 kB");
	float *const bottleneck_14_conv_bn_3_batchnorm_running_var = (float *)(m->state + 138752); // [2048]  8.2 kB
	float *const bottleneck_14_conv_bn_3_batchnorm_weight = (float *)(m->params + 102142208); // [2048]  8.2 kB
	float *const bottleneck_14_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 130560); // [2048]  8.2 kB
	float *const bottleneck_14_conv_bn_3_batchnorm_bias = (float *)(m->params + 102150400); // [2048]  8.2 kB
	float *const bottleneck_14_conv_bn_4_batchnorm_running_var = (float *)(m->state + 155136); // [2048]  8.2 kB
	float *const bottleneck_14_conv_bn_4_batchnorm_weight = (float *)(m->params + 102158592); // [2048]  8.2 kB
	float *const bottleneck_14_conv_bn_4_batchnorm_running_mean = (float *)(m->state + 146944); // [2048]  8.2 kB
	float *const bottleneck_14_conv_bn_4_batchnorm_bias = (float *)(m->params + 102166784); // [2048]  8.2 kB
	float *const mul_46 = (float *)(m->arena + 0);                                          // [2048,1,1,1]  8.2 kB  steps 88-89
	float *const mul_47 = (float *)(m->arena + 8192);                                       // [2048,1,1,1]  8.2 kB  steps 88-90
	float *const prepared_bottleneck_14_conv_bn_3_batchnorm_bias = (float *)(m->state + 160666816); // [2048]  8.2 kB
	batchnorm_folded_3(&batchnorm_folded_2048_kernel, bottleneck_14_conv_bn_3_batchnorm_running_var, bottleneck_14_conv_bn_3_batchnorm_weight, bottleneck_14_conv_bn_3_batchnorm_running_mean, bottleneck_14_conv_bn_3_batchnorm_bias, bottleneck_14_conv_bn_4_batchnorm_running_var, bottleneck_14_conv_bn_4_batchnorm_weight, bottleneck_14_conv_bn_4_batchnorm_running_mean, bottleneck_14_conv_bn_4_batchnorm_bias, mul_46, mul_47, prepared_bottleneck_14_conv_bn_3_batchnorm_bias);
	nnr_step(89, "residual.net:9  round_tf32((bottleneck_14_conv_bn_3_conv_weight * mul_46))  [2048,1,1,512]  1.0 MFLOP  8.4 MB");
	float *const bottleneck_14_conv_bn_3_conv_weight = (float *)(m->params + 45585152);     // [2048,1,1,512]  4.2 MB
	float *const prepared_bottleneck_14_conv_bn_3_conv_weight = (float *)(m->state + 148083904); // [2048,1,1,512]  4.2 MB
	batchnorm_folded_2(&batchnorm_folded_2048x512_kernel, bottleneck_14_conv_bn_3_conv_weight, mul_46, prepared_bottleneck_14_conv_bn_3_conv_weight);
	nnr_step(90, "residual.net:9  round_tf32((bottleneck_14_conv_bn_4_conv_weight * mul_47))  [2048,1,1,1024]  2.1 MFLOP  16.8 MB");
	float *const bottleneck_14_conv_bn_4_conv_weight = (float *)(m->params + 49779456);     // [2048,1,1,1024]  8.4 MB
	float *const prepared_bottleneck_14_conv_bn_4_conv_weight = (float *)(m->state + 152278208); // [2048,1,1,1024]  8.4 MB
	batchnorm_folded_2(&batchnorm_folded_2048x1024_kernel, bottleneck_14_conv_bn_4_conv_weight, mul_47, prepared_bottleneck_14_conv_bn_4_conv_weight);
	nnr_step(91, "residual.net:9  batchnorm_folded of bottleneck_15.conv_bn  [512,1,1,1]  5.1 kFLOP  12.3 kB");
	float *const bottleneck_15_conv_bn_batchnorm_running_var = (float *)(m->state + 165376); // [512]  2.0 kB
	float *const bottleneck_15_conv_bn_batchnorm_weight = (float *)(m->params + 102174976); // [512]  2.0 kB
	float *const bottleneck_15_conv_bn_batchnorm_running_mean = (float *)(m->state + 163328); // [512]  2.0 kB
	float *const bottleneck_15_conv_bn_batchnorm_bias = (float *)(m->params + 102177024);   // [512]  2.0 kB
	float *const mul_48 = (float *)(m->arena + 0);                                          // [512,1,1,1]  2.0 kB  steps 91-92
	float *const prepared_bottleneck_15_conv_bn_batchnorm_bias = (float *)(m->state + 160675008); // [512]  2.0 kB
	batchnorm_folded(&batchnorm_folded_512_2_kernel, bottleneck_15_conv_bn_batchnorm_running_var, bottleneck_15_conv_bn_batchnorm_weight, bottleneck_15_conv_bn_batchnorm_running_mean, bottleneck_15_conv_bn_batchnorm_bias, mul_48, prepared_bottleneck_15_conv_bn_batchnorm_bias);
	nnr_step(92, "residual.net:9  round_tf32((bottleneck_15_conv_bn_conv_weight * mul_48))  [512,1,1,2048]  1.0 MFLOP  8.4 MB");
	float *const bottleneck_15_conv_bn_conv_weight = (float *)(m->params + 58168064);       // [512,1,1,2048]  4.2 MB
	float *const prepared_bottleneck_15_conv_bn_conv_weight = (float *)(m->state + 160677056); // [512,1,1,2048]  4.2 MB
	batchnorm_folded_2(&batchnorm_folded_512x2048_kernel, bottleneck_15_conv_bn_conv_weight, mul_48, prepared_bottleneck_15_conv_bn_conv_weight);
	nnr_step(93, "residual.net:9  batchnorm_folded of bottleneck_15.conv_bn_2  [512,1,1,1]  5.1 kFLOP  12.3 kB");
	float *const bottleneck_15_conv_bn_2_batchnorm_running_var = (float *)(m->state + 169472); // [512]  2.0 kB
	float *const bottleneck_15_conv_bn_2_batchnorm_weight = (float *)(m->params + 102179072); // [512]  2.0 kB
	float *const bottleneck_15_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 167424); // [512]  2.0 kB
	float *const bottleneck_15_conv_bn_2_batchnorm_bias = (float *)(m->params + 102181120); // [512]  2.0 kB
	float *const mul_49 = (float *)(m->arena + 0);                                          // [512,1,1,1]  2.0 kB  steps 93-94
	float *const prepared_bottleneck_15_conv_bn_2_batchnorm_bias = (float *)(m->state + 164871360); // [512]  2.0 kB
	batchnorm_folded(&batchnorm_folded_512_2_kernel, bottleneck_15_conv_bn_2_batchnorm_running_var, bottleneck_15_conv_bn_2_batchnorm_weight, bottleneck_15_conv_bn_2_batchnorm_running_mean, bottleneck_15_conv_bn_2_batchnorm_bias, mul_49, prepared_bottleneck_15_conv_bn_2_batchnorm_bias);
	nnr_step(94, "residual.net:9  round_tf32((bottleneck_15_conv_bn_2_conv_weight * mul_49))  [512,3,3,512]  2.4 MFLOP  18.9 MB");
	float *const bottleneck_15_conv_bn_2_conv_weight = (float *)(m->params + 62362368);     // [512,3,3,512]  9.4 MB
	float *const prepared_bottleneck_15_conv_bn_2_conv_weight = (float *)(m->state + 164873408); // [512,3,3,512]  9.4 MB
	batchnorm_folded_2(&batchnorm_folded_512x4608_kernel, bottleneck_15_conv_bn_2_conv_weight, mul_49, prepared_bottleneck_15_conv_bn_2_conv_weight);
	nnr_step(95, "residual.net:9  batchnorm_folded of bottleneck_15.conv_bn_3  [2048,1,1,1]  20.5 kFLOP  49.2 kB");
	float *const bottleneck_15_conv_bn_3_batchnorm_running_var = (float *)(m->state + 179712); // [2048]  8.2 kB
	float *const bottleneck_15_conv_bn_3_batchnorm_weight = (float *)(m->params + 102183168); // [2048]  8.2 kB
	float *const bottleneck_15_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 171520); // [2048]  8.2 kB
	float *const bottleneck_15_conv_bn_3_batchnorm_bias = (float *)(m->params + 102191360); // [2048]  8.2 kB
	float *const mul_50 = (float *)(m->arena + 0);                                          // [2048,1,1,1]  8.2 kB  steps 95-96
	float *const prepared_bottleneck_15_conv_bn_3_batchnorm_bias = (float *)(m->state + 174310592); // [2048]  8.2 kB
	batchnorm_folded(&batchnorm_folded_2048_2_kernel, bottleneck_15_conv_bn_3_batchnorm_running_var, bottleneck_15_conv_bn_3_batchnorm_weight, bottleneck_15_conv_bn_3_batchnorm_running_mean, bottleneck_15_conv_bn_3_batchnorm_bias, mul_50, prepared_bottleneck_15_conv_bn_3_batchnorm_bias);
	nnr_step(96, "residual.net:9  round_tf32((bottleneck_15_conv_bn_3_conv_weight * mul_50))  [2048,1,1,512]  1.0 MFLOP  8.4 MB");
	float *const bottleneck_15_conv_bn_3_conv_weight = (float *)(m->params + 71799552);     // [2048,1,1,512]  4.2 MB
	float *const prepared_bottleneck_15_conv_bn_3_conv_weight = (float *)(m->state + 174318784); // [2048,1,1,512]  4.2 MB
	batchnorm_folded_2(&batchnorm_folded_2048x512_kernel, bottleneck_15_conv_bn_3_conv_weight, mul_50, prepared_bottleneck_15_conv_bn_3_conv_weight);
	nnr_step(97, "residual.net:9  batchnorm_folded of bottleneck_16.conv_bn  [512,1,1,1]  5.1 kFLOP  12.3 kB");
	float *const bottleneck_16_conv_bn_batchnorm_running_var = (float *)(m->state + 189952); // [512]  2.0 kB
	float *const bottleneck_16_conv_bn_batchnorm_weight = (float *)(m->params + 102199552); // [512]  2.0 kB
	float *const bottleneck_16_conv_bn_batchnorm_running_mean = (float *)(m->state + 187904); // [512]  2.0 kB
	float *const bottleneck_16_conv_bn_batchnorm_bias = (float *)(m->params + 102201600);   // [512]  2.0 kB
	float *const mul_51 = (float *)(m->arena + 0);                                          // [512,1,1,1]  2.0 kB  steps 97-98
	float *const prepared_bottleneck_16_conv_bn_batchnorm_bias = (float *)(m->state + 178513088); // [512]  2.0 kB
	batchnorm_folded(&batchnorm_folded_512_2_kernel, bottleneck_16_conv_bn_batchnorm_running_var, bottleneck_16_conv_bn_batchnorm_weight, bottleneck_16_conv_bn_batchnorm_running_mean, bottleneck_16_conv_bn_batchnorm_bias, mul_51, prepared_bottleneck_16_conv_bn_batchnorm_bias);
	nnr_step(98, "residual.net:9  round_tf32((bottleneck_16_conv_bn_conv_weight * mul_51))  [512,1,1,2048]  1.0 MFLOP  8.4 MB");
	float *const bottleneck_16_conv_bn_conv_weight = (float *)(m->params + 75993856);       // [512,1,1,2048]  4.2 MB
	float *const prepared_bottleneck_16_conv_bn_conv_weight = (float *)(m->state + 178515136); // [512,1,1,2048]  4.2 MB
	batchnorm_folded_2(&batchnorm_folded_512x2048_kernel, bottleneck_16_conv_bn_conv_weight, mul_51, prepared_bottleneck_16_conv_bn_conv_weight);
	nnr_step(99, "residual.net:9  batchnorm_folded of bottleneck_16.conv_bn_2  [512,1,1,1]  5.1 kFLOP  12.3 kB");
	float *const bottleneck_16_conv_bn_2_batchnorm_running_var = (float *)(m->state + 194048); // [512]  2.0 kB
	float *const bottleneck_16_conv_bn_2_batchnorm_weight = (float *)(m->params + 102203648); // [512]  2.0 kB
	float *const bottleneck_16_conv_bn_2_batchnorm_running_mean = (float *)(m->state + 192000); // [512]  2.0 kB
	float *const bottleneck_16_conv_bn_2_batchnorm_bias = (float *)(m->params + 102205696); // [512]  2.0 kB
	float *const mul_52 = (float *)(m->arena + 0);                                          // [512,1,1,1]  2.0 kB  steps 99-100
	float *const prepared_bottleneck_16_conv_bn_2_batchnorm_bias = (float *)(m->state + 182709440); // [512]  2.0 kB
	batchnorm_folded(&batchnorm_folded_512_2_kernel, bottleneck_16_conv_bn_2_batchnorm_running_var, bottleneck_16_conv_bn_2_batchnorm_weight, bottleneck_16_conv_bn_2_batchnorm_running_mean, bottleneck_16_conv_bn_2_batchnorm_bias, mul_52, prepared_bottleneck_16_conv_bn_2_batchnorm_bias);
	nnr_step(100, "residual.net:9  round_tf32((bottleneck_16_conv_bn_2_conv_weight * mul_52))  [512,3,3,512]  2.4 MFLOP  18.9 MB");
	float *const bottleneck_16_conv_bn_2_conv_weight = (float *)(m->params + 80188160);     // [512,3,3,512]  9.4 MB
	float *const prepared_bottleneck_16_conv_bn_2_conv_weight = (float *)(m->state + 182711488); // [512,3,3,512]  9.4 MB
	batchnorm_folded_2(&batchnorm_folded_512x4608_kernel, bottleneck_16_conv_bn_2_conv_weight, mul_52, prepared_bottleneck_16_conv_bn_2_conv_weight);
	nnr_step(101, "residual.net:9  batchnorm_folded of bottleneck_16.conv_bn_3  [2048,1,1,1]  20.5 kFLOP  49.2 kB");
	float *const bottleneck_16_conv_bn_3_batchnorm_running_var = (float *)(m->state + 204288); // [2048]  8.2 kB
	float *const bottleneck_16_conv_bn_3_batchnorm_weight = (float *)(m->params + 102207744); // [2048]  8.2 kB
	float *const bottleneck_16_conv_bn_3_batchnorm_running_mean = (float *)(m->state + 196096); // [2048]  8.2 kB
	float *const bottleneck_16_conv_bn_3_batchnorm_bias = (float *)(m->params + 102215936); // [2048]  8.2 kB
	float *const mul_53 = (float *)(m->arena + 0);                                          // [2048,1,1,1]  8.2 kB  steps 101-102
	float *const prepared_bottleneck_16_conv_bn_3_batchnorm_bias = (float *)(m->state + 192148672); // [2048]  8.2 kB
	batchnorm_folded(&batchnorm_folded_2048_2_kernel, bottleneck_16_conv_bn_3_batchnorm_running_var, bottleneck_16_conv_bn_3_batchnorm_weight, bottleneck_16_conv_bn_3_batchnorm_running_mean, bottleneck_16_conv_bn_3_batchnorm_bias, mul_53, prepared_bottleneck_16_conv_bn_3_batchnorm_bias);
	nnr_step(102, "residual.net:9  round_tf32((bottleneck_16_conv_bn_3_conv_weight * mul_53))  [2048,1,1,512]  1.0 MFLOP  8.4 MB");
	float *const bottleneck_16_conv_bn_3_conv_weight = (float *)(m->params + 89625344);     // [2048,1,1,512]  4.2 MB
	float *const prepared_bottleneck_16_conv_bn_3_conv_weight = (float *)(m->state + 192156864); // [2048,1,1,512]  4.2 MB
	batchnorm_folded_2(&batchnorm_folded_2048x512_kernel, bottleneck_16_conv_bn_3_conv_weight, mul_53, prepared_bottleneck_16_conv_bn_3_conv_weight);
	nnr_step(103, "resnet.net:26  round_tf32(dense_weight)  [1000,2048]  0 FLOP  16.4 MB");
	float *const dense_weight = (float *)(m->params + 93819648);                            // [1000,2048]  8.2 MB
	float *const prepared_dense_weight = (float *)(m->state + 196351168);                   // [1000,2048]  8.2 MB
	round_tf32_2048000(dense_weight, prepared_dense_weight);
}

/* What evaluation and prediction have in common: their first 56 steps */
static void forward_batch(const NnrMemory *m, const NnrScalars *s)
{
	(void)s;
	/* ---- forward */
	nnr_step(1, "resnet.net:17  round_tf32(rgb_affine(cast(image)))  [256,224,224,3]  77.1 MFLOP  192.7 MB");
	uint8_t *const image = (uint8_t *)(m->inputs + 0);                                      // [256,224,224,3]  38.5 MB
	float *const rgb_affine = (float *)(m->arena + 822083584);                              // [256,224,224,3]  154.1 MB  steps 1-2
	normalize_38535168(image, rgb_affine);
	nnr_step(2, "residual.net:7,9 resnet.net:17  conv_bias_relu  [256,112,112,64]  60.8 GFLOP  976.3 MB");
	float *const prepared_conv_bn_conv_weight = (float *)(m->state + 102440896);            // [64,7,7,3]  37.6 kB
	float *const prepared_conv_bn_batchnorm_bias = (float *)(m->state + 102440640);         // [64]  256 B
	float *const relu = (float *)(m->arena + 0);                                            // [256,112,112,64]  822.1 MB  steps 2-3
	conv_bias_relu_256x112x112x64(rgb_affine, prepared_conv_bn_conv_weight, prepared_conv_bn_batchnorm_bias, relu);
	nnr_step(3, "resnet.net:18  round_tf32(maxpool(relu))  [256,56,56,64]  462.4 MFLOP  1.0 GB");
	float *const x = (float *)(m->arena + 822083584);                                       // [256,56,56,64]  205.5 MB  steps 3-6
	maxpool_round_tf32_256x56x56x64(relu, x);
	nnr_step(4, "residual.net:7,9,23  conv_bias_relu of bottleneck  [256,56,56,64]  6.7 GFLOP  411.1 MB");
	float *const prepared_bottleneck_conv_bn_conv_weight = (float *)(m->state + 102478784); // [64,1,1,64]  16.4 kB
	float *const relu_2 = (float *)(m->arena + 0);                                          // [256,56,56,64]  205.5 MB  steps 4-5
	float *const prepared_bottleneck_conv_bn_batchnorm_bias = (float *)(m->state + 102478528); // [64]  256 B
	conv_bias_relu(&conv_bias_relu_256x56x56x64_shape, &conv_bias_relu_256x56x56x64_epilogue, &conv_bias_relu_256x56x56x64_plan, x, prepared_bottleneck_conv_bn_conv_weight, relu_2, prepared_bottleneck_conv_bn_batchnorm_bias);
	nnr_step(5, "residual.net:7,9,24  conv_bias_relu of bottleneck  [256,56,56,64]  59.3 GFLOP  411.2 MB");
	float *const prepared_bottleneck_conv_bn_2_conv_weight = (float *)(m->state + 102495424); // [64,3,3,64]  147.5 kB
	float *const relu_3 = (float *)(m->arena + 1644167168);                                 // [256,56,56,64]  205.5 MB  steps 5-7
	float *const prepared_bottleneck_conv_bn_2_batchnorm_bias = (float *)(m->state + 102495168); // [64]  256 B
	conv_bias_relu(&conv_bias_relu_256x56x56x64_2_shape, &conv_bias_relu_256x56x56x64_2_epilogue, &conv_bias_relu_256x56x56x64_2_plan, relu_2, prepared_bottleneck_conv_bn_2_conv_weight, relu_3, prepared_bottleneck_conv_bn_2_batchnorm_bias);
	nnr_step(6, "residual.net:7  conv(x, prepared_bottleneck_conv_bn_4_conv_weight)  [256,56,56,256]  26.3 GFLOP  1.0 GB");
	float *const prepared_bottleneck_conv_bn_4_conv_weight = (float *)(m->state + 102708416); // [256,1,1,64]  65.5 kB
	float *const conv = (float *)(m->arena + 0);                                            // [256,56,56,256]  822.1 MB  steps 6-7
	conv_any_size(&conv_256x56x56x256_shape, &conv_256x56x56x256_plan, x, prepared_bottleneck_conv_bn_4_conv_weight, conv);
	nnr_step(7, "residual.net:7,28  conv_add_bias_relu of bottleneck  [256,56,56,256]  26.9 GFLOP  1.8 GB");
	float *const prepared_bottleneck_conv_bn_3_conv_weight = (float *)(m->state + 102642880); // [256,1,1,64]  65.5 kB
	float *const x_2 = (float *)(m->arena + 822083584);                                     // [256,56,56,256]  822.1 MB  steps 7-10
	float *const prepared_bottleneck_conv_bn_3_batchnorm_bias = (float *)(m->state + 102773952); // [256]  1.0 kB
	conv_add_bias_relu(&conv_add_bias_relu_256x56x56x256_shape, &conv_add_bias_relu_256x56x56x256_epilogue, &conv_add_bias_relu_256x56x56x256_plan, relu_3, prepared_bottleneck_conv_bn_3_conv_weight, x_2, conv, prepared_bottleneck_conv_bn_3_batchnorm_bias);
	nnr_step(8, "residual.net:7,9,23  conv_bias_relu of bottleneck_2  [256,56,56,64]  26.4 GFLOP  1.0 GB");
	float *const prepared_bottleneck_2_conv_bn_conv_weight = (float *)(m->state + 102775232); // [64,1,1,256]  65.5 kB
	float *const relu_4 = (float *)(m->arena + 0);                                          // [256,56,56,64]  205.5 MB  steps 8-9
	float *const prepared_bottleneck_2_conv_bn_batchnorm_bias = (float *)(m->state + 102774976); // [64]  256 B
	conv_bias_relu(&conv_bias_relu_256x56x56x64_3_shape, &conv_bias_relu_256x56x56x64_3_epilogue, &conv_bias_relu_256x56x56x64_3_plan, x_2, prepared_bottleneck_2_conv_bn_conv_weight, relu_4, prepared_bottleneck_2_conv_bn_batchnorm_bias);
	nnr_step(9, "residual.net:7,9,24  conv_bias_relu of bottleneck_2  [256,56,56,64]  59.3 GFLOP  411.2 MB");
	float *const prepared_bottleneck_2_conv_bn_2_conv_weight = (float *)(m->state + 102841024); // [64,3,3,64]  147.5 kB
	float *const relu_5 = (float *)(m->arena + 1644167168);                                 // [256,56,56,64]  205.5 MB  steps 9-10
	float *const prepared_bottleneck_2_conv_bn_2_batchnorm_bias = (float *)(m->state + 102840768); // [64]  256 B
	conv_bias_relu(&conv_bias_relu_256x56x56x64_2_shape, &conv_bias_relu_256x56x56x64_2_epilogue, &conv_bias_relu_256x56x56x64_2_plan, relu_4, prepared_bottleneck_2_conv_bn_2_conv_weight, relu_5, prepared_bottleneck_2_conv_bn_2_batchnorm_bias);
	nnr_step(10, "residual.net:7,9,28  conv_bias_add_relu of bottleneck_2  [256,56,56,256]  26.9 GFLOP  1.8 GB");
	float *const prepared_bottleneck_2_conv_bn_3_conv_weight = (float *)(m->state + 102989504); // [256,1,1,64]  65.5 kB
	float *const x_3 = (float *)(m->arena + 0);                                             // [256,56,56,256]  822.1 MB  steps 10-13
	float *const prepared_bottleneck_2_conv_bn_3_batchnorm_bias = (float *)(m->state + 102988480); // [256]  1.0 kB
	conv_bias_add_relu(&conv_bias_add_relu_256x56x56x256_shape, &conv_bias_add_relu_256x56x56x256_epilogue, &conv_bias_add_relu_256x56x56x256_plan, relu_5, prepared_bottleneck_2_conv_bn_3_conv_weight, x_3, prepared_bottleneck_2_conv_bn_3_batchnorm_bias, x_2);
	nnr_step(11, "residual.net:7,9,23  conv_bias_relu of bottleneck_3  [256,56,56,64]  26.4 GFLOP  1.0 GB");
	float *const prepared_bottleneck_3_conv_bn_conv_weight = (float *)(m->state + 103055296); // [64,1,1,256]  65.5 kB
	float *const relu_6 = (float *)(m->arena + 822083584);                                  // [256,56,56,64]  205.5 MB  steps 11-12
	float *const prepared_bottleneck_3_conv_bn_batchnorm_bias = (float *)(m->state + 103055040); // [64]  256 B
	conv_bias_relu(&conv_bias_relu_256x56x56x64_3_shape, &conv_bias_relu_256x56x56x64_3_epilogue, &conv_bias_relu_256x56x56x64_3_plan, x_3, prepared_bottleneck_3_conv_bn_conv_weight, relu_6, prepared_bottleneck_3_conv_bn_batchnorm_bias);
	nnr_step(12, "residual.net:7,9,24  conv_bias_relu of bottleneck_3  [256,56,56,64]  59.3 GFLOP  411.2 MB");
	float *const prepared_bottleneck_3_conv_bn_2_conv_weight = (float *)(m->state + 103121088); // [64,3,3,64]  147.5 kB
	float *const relu_7 = (float *)(m->arena + 1644167168);                                 // [256,56,56,64]  205.5 MB  steps 12-13
	float *const prepared_bottleneck_3_conv_bn_2_batchnorm_bias = (float *)(m->state + 103120832); // [64]  256 B
	conv_bias_relu(&conv_bias_relu_256x56x56x64_2_shape, &conv_bias_relu_256x56x56x64_2_epilogue, &conv_bias_relu_256x56x56x64_2_plan, relu_6, prepared_bottleneck_3_conv_bn_2_conv_weight, relu_7, prepared_bottleneck_3_conv_bn_2_batchnorm_bias);
	nnr_step(13, "residual.net:7,9,28  conv_bias_add_relu of bottleneck_3  [256,56,56,256]  26.9 GFLOP  1.8 GB");
	float *const prepared_bottleneck_3_conv_bn_3_conv_weight = (float *)(m->state + 103269568); // [256,1,1,64]  65.5 kB
	float *const x_4 = (float *)(m->arena + 822083584);                                     // [256,56,56,256]  822.1 MB  steps 13-16
	float *const prepared_bottleneck_3_conv_bn_3_batchnorm_bias = (float *)(m->state + 103268544); // [256]  1.0 kB
	conv_bias_add_relu(&conv_bias_add_relu_256x56x56x256_shape, &conv_bias_add_relu_256x56x56x256_epilogue, &conv_bias_add_relu_256x56x56x256_plan, relu_7, prepared_bottleneck_3_conv_bn_3_conv_weight, x_4, prepared_bottleneck_3_conv_bn_3_batchnorm_bias, x_3);
	nnr_step(14, "residual.net:7,9,23  conv_bias_relu of bottleneck_4  [256,56,56,128]  52.8 GFLOP  1.2 GB");
	float *const prepared_bottleneck_4_conv_bn_conv_weight = (float *)(m->state + 103335616); // [128,1,1,256]  131.1 kB
	float *const relu_8 = (float *)(m->arena + 0);                                          // [256,56,56,128]  411.0 MB  steps 14-15
	float *const prepared_bottleneck_4_conv_bn_batchnorm_bias = (float *)(m->state + 103335104); // [128]  512 B
	conv_bias_relu(&conv_bias_relu_256x56x56x128_shape, &conv_bias_relu_256x56x56x128_epilogue, &conv_bias_relu_256x56x56x128_plan, x_4, prepared_bottleneck_4_conv_bn_conv_weight, relu_8, prepared_bottleneck_4_conv_bn_batchnorm_bias);
	nnr_step(15, "residual.net:7,9,24  conv_bias_relu of bottleneck_4  [256,28,28,128]  59.2 GFLOP  514.4 MB");
	float *const prepared_bottleneck_4_conv_bn_2_conv_weight = (float *)(m->state + 103467200); // [128,3,3,128]  589.8 kB
	float *const relu_9 = (float *)(m->arena + 1644167168);                                 // [256,28,28,128]  102.8 MB  steps 15-17
	float *const prepared_bottleneck_4_conv_bn_2_batchnorm_bias = (float *)(m->state + 103466688); // [128]  512 B
	conv_bias_relu(&conv_bias_relu_256x28x28x128_shape, &conv_bias_relu_256x28x28x128_epilogue, &conv_bias_relu_256x28x28x128_plan, relu_8, prepared_bottleneck_4_conv_bn_2_conv_weight, relu_9, prepared_bottleneck_4_conv_bn_2_batchnorm_bias);
	nnr_step(16, "residual.net:7  conv(x_4, prepared_bottleneck_4_conv_bn_4_conv_weight)  [256,28,28,512]  52.6 GFLOP  1.2 GB");
	float *const prepared_bottleneck_4_conv_bn_4_conv_weight = (float *)(m->state + 104319168); // [512,1,1,256]  524.3 kB
	float *const conv_2 = (float *)(m->arena + 0);                                          // [256,28,28,512]  411.0 MB  steps 16-17
	conv_any_size(&conv_256x28x28x512_2_shape, &conv_256x28x28x512_2_plan, x_4, prepared_bottleneck_4_conv_bn_4_conv_weight, conv_2);
	nnr_step(17, "residual.net:7,28  conv_add_bias_relu of bottleneck_4  [256,28,28,512]  26.6 GFLOP  925.1 MB");
	float *const prepared_bottleneck_4_conv_bn_3_conv_weight = (float *)(m->state + 104057024); // [512,1,1,128]  262.1 kB
	float *const x_5 = (float *)(m->arena + 411041792);                                     // [256,28,28,512]  411.0 MB  steps 17-20
	float *const prepared_bottleneck_4_conv_bn_3_batchnorm_bias = (float *)(m->state + 104843456); // [512]  2.0 kB
	conv_add_bias_relu(&conv_add_bias_relu_256x28x28x512_shape, &conv_add_bias_relu_256x28x28x512_epilogue, &conv_add_bias_relu_256x28x28x512_plan, relu_9, prepared_bottleneck_4_conv_bn_3_conv_weight, x_5, conv_2, prepared_bottleneck_4_conv_bn_3_batchnorm_bias);
	nnr_step(18, "residual.net:7,9,23  conv_bias_relu of bottleneck_5  [256,28,28,128]  26.4 GFLOP  514.1 MB");
	float *const prepared_bottleneck_5_conv_bn_conv_weight = (float *)(m->state + 104846016); // [128,1,1,512]  262.1 kB
	float *const relu_10 = (float *)(m->arena + 0);                                         // [256,28,28,128]  102.8 MB  steps 18-19
	float *const prepared_bottleneck_5_conv_bn_batchnorm_bias = (float *)(m->state + 104845504); // [128]  512 B
	conv_bias_relu(&conv_bias_relu_256x28x28x128_2_shape, &conv_bias_relu_256x28x28x128_2_epilogue, &conv_bias_relu_256x28x28x128_2_plan, x_5, prepared_bottleneck_5_conv_bn_conv_weight, relu_10, prepared_bottleneck_5_conv_bn_batchnorm_bias);
	nnr_step(19, "residual.net:7,9,24  conv_bias_relu of bottleneck_5  [256,28,28,128]  59.2 GFLOP  206.1 MB");
	float *const prepared_bottleneck_5_conv_bn_2_conv_weight = (float *)(m->state + 105108672); // [128,3,3,128]  589.8 kB
	float *const relu_11 = (float *)(m->arena + 822083584);                                 // [256,28,28,128]  102.8 MB  steps 19-20
	float *const prepared_bottleneck_5_conv_bn_2_batchnorm_bias = (float *)(m->state + 105108160); // [128]  512 B
	conv_bias_relu(&conv_bias_relu_256x28x28x128_3_shape, &conv_bias_relu_256x28x28x128_3_epilogue, &conv_bias_relu_256x28x28x128_3_plan, relu_10, prepared_bottleneck_5_conv_bn_2_conv_weight, relu_11, prepared_bottleneck_5_conv_bn_2_batchnorm_bias);
	nnr_step(20, "residual.net:7,9,28  conv_bias_add_relu of bottleneck_5  [256,28,28,512]  26.6 GFLOP  925.1 MB");
	float *const prepared_bottleneck_5_conv_bn_3_conv_weight = (float *)(m->state + 105700544); // [512,1,1,128]  262.1 kB
	float *const x_6 = (float *)(m->arena + 0);                                             // [256,28,28,512]  411.0 MB  steps 20-23
	float *const prepared_bottleneck_5_conv_bn_3_batchnorm_bias = (float *)(m->state + 105698496); // [512]  2.0 kB
	conv_bias_add_relu(&conv_bias_add_relu_256x28x28x512_shape, &conv_bias_add_relu_256x28x28x512_epilogue, &conv_bias_add_relu_256x28x28x512_plan, relu_11, prepared_bottleneck_5_conv_bn_3_conv_weight, x_6, prepared_bottleneck_5_conv_bn_3_batchnorm_bias, x_5);
	nnr_step(21, "residual.net:7,9,23  conv_bias_relu of bottleneck_6  [256,28,28,128]  26.4 GFLOP  514.1 MB");
	float *const prepared_bottleneck_6_conv_bn_conv_weight = (float *)(m->state + 105963200); // [128,1,1,512]  262.1 kB
	float *const relu_12 = (float *)(m->arena + 411041792);                                 // [256,28,28,128]  102.8 MB  steps 21-22
	float *const prepared_bottleneck_6_conv_bn_batchnorm_bias = (float *)(m->state + 105962688); // [128]  512 B
	conv_bias_relu(&conv_bias_relu_256x28x28x128_2_shape, &conv_bias_relu_256x28x28x128_2_epilogue, &conv_bias_relu_256x28x28x128_2_plan, x_6, prepared_bottleneck_6_conv_bn_conv_weight, relu_12, prepared_bottleneck_6_conv_bn_batchnorm_bias);
	nnr_step(22, "residual.net:7,9,24  conv_bias_relu of bottleneck_6  [256,28,28,128]  59.2 GFLOP  206.1 MB");
	float *const prepared_bottleneck_6_conv_bn_2_conv_weight = (float *)(m->state + 106225856); // [128,3,3,128]  589.8 kB
	float *const relu_13 = (float *)(m->arena + 822083584);                                 // [256,28,28,128]  102.8 MB  steps 22-23
	float *const prepared_bottleneck_6_conv_bn_2_batchnorm_bias = (float *)(m->state + 106225344); // [128]  512 B
	conv_bias_relu(&conv_bias_relu_256x28x28x128_3_shape, &conv_bias_relu_256x28x28x128_3_epilogue, &conv_bias_relu_256x28x28x128_3_plan, relu_12, prepared_bottleneck_6_conv_bn_2_conv_weight, relu_13, prepared_bottleneck_6_conv_bn_2_batchnorm_bias);
	nnr_step(23, "residual.net:7,9,28  conv_bias_add_relu of bottleneck_6  [256,28,28,512]  26.6 GFLOP  925.1 MB");
	float *const prepared_bottleneck_6_conv_bn_3_conv_weight = (float *)(m->state + 106817728); // [512,1,1,128]  262.1 kB
	float *const x_7 = (float *)(m->arena + 411041792);                                     // [256,28,28,512]  411.0 MB  steps 23-26
	float *const prepared_bottleneck_6_conv_bn_3_batchnorm_bias = (float *)(m->state + 106815680); // [512]  2.0 kB
	conv_bias_add_relu(&conv_bias_add_relu_256x28x28x512_shape, &conv_bias_add_relu_256x28x28x512_epilogue, &conv_bias_add_relu_256x28x28x512_plan, relu_13, prepared_bottleneck_6_conv_bn_3_conv_weight, x_7, prepared_bottleneck_6_conv_bn_3_batchnorm_bias, x_6);
	nnr_step(24, "residual.net:7,9,23  conv_bias_relu of bottleneck_7  [256,28,28,128]  26.4 GFLOP  514.1 MB");
	float *const prepared_bottleneck_7_conv_bn_conv_weight = (float *)(m->state + 107080384); // [128,1,1,512]  262.1 kB
	float *const relu_14 = (float *)(m->arena + 0);                                         // [256,28,28,128]  102.8 MB  steps 24-25
	float *const prepared_bottleneck_7_conv_bn_batchnorm_bias = (float *)(m->state + 107079872); // [128]  512 B
	conv_bias_relu(&conv_bias_relu_256x28x28x128_2_shape, &conv_bias_relu_256x28x28x128_2_epilogue, &conv_bias_relu_256x28x28x128_2_plan, x_7, prepared_bottleneck_7_conv_bn_conv_weight, relu_14, prepared_bottleneck_7_conv_bn_batchnorm_bias);
	nnr_step(25, "residual.net:7,9,24  conv_bias_relu of bottleneck_7  [256,28,28,128]  59.2 GFLOP  206.1 MB");
	float *const prepared_bottleneck_7_conv_bn_2_conv_weight = (float *)(m->state + 107343040); // [128,3,3,128]  589.8 kB
	float *const relu_15 = (float *)(m->arena + 822083584);                                 // [256,28,28,128]  102.8 MB  steps 25-26
	float *const prepared_bottleneck_7_conv_bn_2_batchnorm_bias = (float *)(m->state + 107342528); // [128]  512 B
	conv_bias_relu(&conv_bias_relu_256x28x28x128_3_shape, &conv_bias_relu_256x28x28x128_3_epilogue, &conv_bias_relu_256x28x28x128_3_plan, relu_14, prepared_bottleneck_7_conv_bn_2_conv_weight, relu_15, prepared_bottleneck_7_conv_bn_2_batchnorm_bias);
	nnr_step(26, "residual.net:7,9,28  conv_bias_add_relu of bottleneck_7  [256,28,28,512]  26.6 GFLOP  925.1 MB");
	float *const prepared_bottleneck_7_conv_bn_3_conv_weight = (float *)(m->state + 107934912); // [512,1,1,128]  262.1 kB
	float *const x_8 = (float *)(m->arena + 0);                                             // [256,28,28,512]  411.0 MB  steps 26-29
	float *const prepared_bottleneck_7_conv_bn_3_batchnorm_bias = (float *)(m->state + 107932864); // [512]  2.0 kB
	conv_bias_add_relu(&conv_bias_add_relu_256x28x28x512_shape, &conv_bias_add_relu_256x28x28x512_epilogue, &conv_bias_add_relu_256x28x28x512_plan, relu_15, prepared_bottleneck_7_conv_bn_3_conv_weight, x_8, prepared_bottleneck_7_conv_bn_3_batchnorm_bias, x_7);
	nnr_step(27, "residual.net:7,9,23  conv_bias_relu of bottleneck_8  [256,28,28,256]  52.7 GFLOP  617.1 MB");
	float *const prepared_bottleneck_8_conv_bn_conv_weight = (float *)(m->state + 108198080); // [256,1,1,512]  524.3 kB
	float *const relu_16 = (float *)(m->arena + 411041792);                                 // [256,28,28,256]  205.5 MB  steps 27-28
	float *const prepared_bottleneck_8_conv_bn_batchnorm_bias = (float *)(m->state + 108197056); // [256]  1.0 kB
	conv_bias_relu(&conv_bias_relu_256x28x28x256_shape, &conv_bias_relu_256x28x28x256_epilogue, &conv_bias_relu_256x28x28x256_plan, x_8, prepared_bottleneck_8_conv_bn_conv_weight, relu_16, prepared_bottleneck_8_conv_bn_batchnorm_bias);
	nnr_step(28, "residual.net:7,9,24  conv_bias_relu of bottleneck_8  [256,14,14,256]  59.2 GFLOP  259.3 MB");
	float *const prepared_bottleneck_8_conv_bn_2_conv_weight = (float *)(m->state + 108723392); // [256,3,3,256]  2.4 MB
	float *const relu_17 = (float *)(m->arena + 616562688);                                 // [256,14,14,256]  51.4 MB  steps 28-30
	float *const prepared_bottleneck_8_conv_bn_2_batchnorm_bias = (float *)(m->state + 108722368); // [256]  1.0 kB
	conv_bias_relu(&conv_bias_relu_256x14x14x256_shape, &conv_bias_relu_256x14x14x256_epilogue, &conv_bias_relu_256x14x14x256_plan, relu_16, prepared_bottleneck_8_conv_bn_2_conv_weight, relu_17, prepared_bottleneck_8_conv_bn_2_batchnorm_bias);
	nnr_step(29, "residual.net:7  conv(x_8, prepared_bottleneck_8_conv_bn_4_conv_weight)  [256,14,14,1024]  52.6 GFLOP  618.7 MB");
	float *const prepared_bottleneck_8_conv_bn_4_conv_weight = (float *)(m->state + 112131264); // [1024,1,1,512]  2.1 MB
	float *const conv_3 = (float *)(m->arena + 411041792);                                  // [256,14,14,1024]  205.5 MB  steps 29-30
	conv_any_size(&conv_256x14x14x1024_2_shape, &conv_256x14x14x1024_2_plan, x_8, prepared_bottleneck_8_conv_bn_4_conv_weight, conv_3);
	nnr_step(30, "residual.net:7,28  conv_add_bias_relu of bottleneck_8  [256,14,14,1024]  26.5 GFLOP  463.5 MB");
	float *const prepared_bottleneck_8_conv_bn_3_conv_weight = (float *)(m->state + 111082688); // [1024,1,1,256]  1.0 MB
	float *const x_9 = (float *)(m->arena + 0);                                             // [256,14,14,1024]  205.5 MB  steps 30-33
	float *const prepared_bottleneck_8_conv_bn_3_batchnorm_bias = (float *)(m->state + 114228416); // [1024]  4.1 kB
	conv_add_bias_relu(&conv_add_bias_relu_256x14x14x1024_shape, &conv_add_bias_relu_256x14x14x1024_epilogue, &conv_add_bias_relu_256x14x14x1024_plan, relu_17, prepared_bottleneck_8_conv_bn_3_conv_weight, x_9, conv_3, prepared_bottleneck_8_conv_bn_3_batchnorm_bias);
	nnr_step(31, "residual.net:7,9,23  conv_bias_relu of bottleneck_9  [256,14,14,256]  26.3 GFLOP  258.0 MB");
	float *const prepared_bottleneck_9_conv_bn_conv_weight = (float *)(m->state + 114233536); // [256,1,1,1024]  1.0 MB
	float *const relu_18 = (float *)(m->arena + 205520896);                                 // [256,14,14,256]  51.4 MB  steps 31-32
	float *const prepared_bottleneck_9_conv_bn_batchnorm_bias = (float *)(m->state + 114232512); // [256]  1.0 kB
	conv_bias_relu(&conv_bias_relu_256x14x14x256_2_shape, &conv_bias_relu_256x14x14x256_2_epilogue, &conv_bias_relu_256x14x14x256_2_plan, x_9, prepared_bottleneck_9_conv_bn_conv_weight, relu_18, prepared_bottleneck_9_conv_bn_batchnorm_bias);
	nnr_step(32, "residual.net:7,9,24  conv_bias_relu of bottleneck_9  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const prepared_bottleneck_9_conv_bn_2_conv_weight = (float *)(m->state + 115283136); // [256,3,3,256]  2.4 MB
	float *const relu_19 = (float *)(m->arena + 411041792);                                 // [256,14,14,256]  51.4 MB  steps 32-33
	float *const prepared_bottleneck_9_conv_bn_2_batchnorm_bias = (float *)(m->state + 115282112); // [256]  1.0 kB
	conv_bias_relu(&conv_bias_relu_256x14x14x256_3_shape, &conv_bias_relu_256x14x14x256_3_epilogue, &conv_bias_relu_256x14x14x256_3_plan, relu_18, prepared_bottleneck_9_conv_bn_2_conv_weight, relu_19, prepared_bottleneck_9_conv_bn_2_batchnorm_bias);
	nnr_step(33, "residual.net:7,9,28  conv_bias_add_relu of bottleneck_9  [256,14,14,1024]  26.5 GFLOP  463.5 MB");
	float *const prepared_bottleneck_9_conv_bn_3_conv_weight = (float *)(m->state + 117646528); // [1024,1,1,256]  1.0 MB
	float *const x_10 = (float *)(m->arena + 205520896);                                    // [256,14,14,1024]  205.5 MB  steps 33-36
	float *const prepared_bottleneck_9_conv_bn_3_batchnorm_bias = (float *)(m->state + 117642432); // [1024]  4.1 kB
	conv_bias_add_relu(&conv_bias_add_relu_256x14x14x1024_shape, &conv_bias_add_relu_256x14x14x1024_epilogue, &conv_bias_add_relu_256x14x14x1024_plan, relu_19, prepared_bottleneck_9_conv_bn_3_conv_weight, x_10, prepared_bottleneck_9_conv_bn_3_batchnorm_bias, x_9);
	nnr_step(34, "residual.net:7,9,23  conv_bias_relu of bottleneck_10  [256,14,14,256]  26.3 GFLOP  258.0 MB");
	float *const prepared_bottleneck_10_conv_bn_conv_weight = (float *)(m->state + 118696128); // [256,1,1,1024]  1.0 MB
	float *const relu_20 = (float *)(m->arena + 0);                                         // [256,14,14,256]  51.4 MB  steps 34-35
	float *const prepared_bottleneck_10_conv_bn_batchnorm_bias = (float *)(m->state + 118695104); // [256]  1.0 kB
	conv_bias_relu(&conv_bias_relu_256x14x14x256_2_shape, &conv_bias_relu_256x14x14x256_2_epilogue, &conv_bias_relu_256x14x14x256_2_plan, x_10, prepared_bottleneck_10_conv_bn_conv_weight, relu_20, prepared_bottleneck_10_conv_bn_batchnorm_bias);
	nnr_step(35, "residual.net:7,9,24  conv_bias_relu of bottleneck_10  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const prepared_bottleneck_10_conv_bn_2_conv_weight = (float *)(m->state + 119745728); // [256,3,3,256]  2.4 MB
	float *const relu_21 = (float *)(m->arena + 411041792);                                 // [256,14,14,256]  51.4 MB  steps 35-36
	float *const prepared_bottleneck_10_conv_bn_2_batchnorm_bias = (float *)(m->state + 119744704); // [256]  1.0 kB
	conv_bias_relu(&conv_bias_relu_256x14x14x256_3_shape, &conv_bias_relu_256x14x14x256_3_epilogue, &conv_bias_relu_256x14x14x256_3_plan, relu_20, prepared_bottleneck_10_conv_bn_2_conv_weight, relu_21, prepared_bottleneck_10_conv_bn_2_batchnorm_bias);
	nnr_step(36, "residual.net:7,9,28  conv_bias_add_relu of bottleneck_10  [256,14,14,1024]  26.5 GFLOP  463.5 MB");
	float *const prepared_bottleneck_10_conv_bn_3_conv_weight = (float *)(m->state + 122109120); // [1024,1,1,256]  1.0 MB
	float *const x_11 = (float *)(m->arena + 0);                                            // [256,14,14,1024]  205.5 MB  steps 36-39
	float *const prepared_bottleneck_10_conv_bn_3_batchnorm_bias = (float *)(m->state + 122105024); // [1024]  4.1 kB
	conv_bias_add_relu(&conv_bias_add_relu_256x14x14x1024_shape, &conv_bias_add_relu_256x14x14x1024_epilogue, &conv_bias_add_relu_256x14x14x1024_plan, relu_21, prepared_bottleneck_10_conv_bn_3_conv_weight, x_11, prepared_bottleneck_10_conv_bn_3_batchnorm_bias, x_10);
	nnr_step(37, "residual.net:7,9,23  conv_bias_relu of bottleneck_11  [256,14,14,256]  26.3 GFLOP  258.0 MB");
	float *const prepared_bottleneck_11_conv_bn_conv_weight = (float *)(m->state + 123158720); // [256,1,1,1024]  1.0 MB
	float *const relu_22 = (float *)(m->arena + 205520896);                                 // [256,14,14,256]  51.4 MB  steps 37-38
	float *const prepared_bottleneck_11_conv_bn_batchnorm_bias = (float *)(m->state + 123157696); // [256]  1.0 kB
	conv_bias_relu(&conv_bias_relu_256x14x14x256_2_shape, &conv_bias_relu_256x14x14x256_2_epilogue, &conv_bias_relu_256x14x14x256_2_plan, x_11, prepared_bottleneck_11_conv_bn_conv_weight, relu_22, prepared_bottleneck_11_conv_bn_batchnorm_bias);
	nnr_step(38, "residual.net:7,9,24  conv_bias_relu of bottleneck_11  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const prepared_bottleneck_11_conv_bn_2_conv_weight = (float *)(m->state + 124208320); // [256,3,3,256]  2.4 MB
	float *const relu_23 = (float *)(m->arena + 411041792);                                 // [256,14,14,256]  51.4 MB  steps 38-39
	float *const prepared_bottleneck_11_conv_bn_2_batchnorm_bias = (float *)(m->state + 124207296); // [256]  1.0 kB
	conv_bias_relu(&conv_bias_relu_256x14x14x256_3_shape, &conv_bias_relu_256x14x14x256_3_epilogue, &conv_bias_relu_256x14x14x256_3_plan, relu_22, prepared_bottleneck_11_conv_bn_2_conv_weight, relu_23, prepared_bottleneck_11_conv_bn_2_batchnorm_bias);
	nnr_step(39, "residual.net:7,9,28  conv_bias_add_relu of bottleneck_11  [256,14,14,1024]  26.5 GFLOP  463.5 MB");
	float *const prepared_bottleneck_11_conv_bn_3_conv_weight = (float *)(m->state + 126571712); // [1024,1,1,256]  1.0 MB
	float *const x_12 = (float *)(m->arena + 205520896);                                    // [256,14,14,1024]  205.5 MB  steps 39-42
	float *const prepared_bottleneck_11_conv_bn_3_batchnorm_bias = (float *)(m->state + 126567616); // [1024]  4.1 kB
	conv_bias_add_relu(&conv_bias_add_relu_256x14x14x1024_shape, &conv_bias_add_relu_256x14x14x1024_epilogue, &conv_bias_add_relu_256x14x14x1024_plan, relu_23, prepared_bottleneck_11_conv_bn_3_conv_weight, x_12, prepared_bottleneck_11_conv_bn_3_batchnorm_bias, x_11);
	nnr_step(40, "residual.net:7,9,23  conv_bias_relu of bottleneck_12  [256,14,14,256]  26.3 GFLOP  258.0 MB");
	float *const prepared_bottleneck_12_conv_bn_conv_weight = (float *)(m->state + 127621312); // [256,1,1,1024]  1.0 MB
	float *const relu_24 = (float *)(m->arena + 0);                                         // [256,14,14,256]  51.4 MB  steps 40-41
	float *const prepared_bottleneck_12_conv_bn_batchnorm_bias = (float *)(m->state + 127620288); // [256]  1.0 kB
	conv_bias_relu(&conv_bias_relu_256x14x14x256_2_shape, &conv_bias_relu_256x14x14x256_2_epilogue, &conv_bias_relu_256x14x14x256_2_plan, x_12, prepared_bottleneck_12_conv_bn_conv_weight, relu_24, prepared_bottleneck_12_conv_bn_batchnorm_bias);
	nnr_step(41, "residual.net:7,9,24  conv_bias_relu of bottleneck_12  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const prepared_bottleneck_12_conv_bn_2_conv_weight = (float *)(m->state + 128670912); // [256,3,3,256]  2.4 MB
	float *const relu_25 = (float *)(m->arena + 411041792);                                 // [256,14,14,256]  51.4 MB  steps 41-42
	float *const prepared_bottleneck_12_conv_bn_2_batchnorm_bias = (float *)(m->state + 128669888); // [256]  1.0 kB
	conv_bias_relu(&conv_bias_relu_256x14x14x256_3_shape, &conv_bias_relu_256x14x14x256_3_epilogue, &conv_bias_relu_256x14x14x256_3_plan, relu_24, prepared_bottleneck_12_conv_bn_2_conv_weight, relu_25, prepared_bottleneck_12_conv_bn_2_batchnorm_bias);
	nnr_step(42, "residual.net:7,9,28  conv_bias_add_relu of bottleneck_12  [256,14,14,1024]  26.5 GFLOP  463.5 MB");
	float *const prepared_bottleneck_12_conv_bn_3_conv_weight = (float *)(m->state + 131034304); // [1024,1,1,256]  1.0 MB
	float *const x_13 = (float *)(m->arena + 0);                                            // [256,14,14,1024]  205.5 MB  steps 42-45
	float *const prepared_bottleneck_12_conv_bn_3_batchnorm_bias = (float *)(m->state + 131030208); // [1024]  4.1 kB
	conv_bias_add_relu(&conv_bias_add_relu_256x14x14x1024_shape, &conv_bias_add_relu_256x14x14x1024_epilogue, &conv_bias_add_relu_256x14x14x1024_plan, relu_25, prepared_bottleneck_12_conv_bn_3_conv_weight, x_13, prepared_bottleneck_12_conv_bn_3_batchnorm_bias, x_12);
	nnr_step(43, "residual.net:7,9,23  conv_bias_relu of bottleneck_13  [256,14,14,256]  26.3 GFLOP  258.0 MB");
	float *const prepared_bottleneck_13_conv_bn_conv_weight = (float *)(m->state + 132083904); // [256,1,1,1024]  1.0 MB
	float *const relu_26 = (float *)(m->arena + 205520896);                                 // [256,14,14,256]  51.4 MB  steps 43-44
	float *const prepared_bottleneck_13_conv_bn_batchnorm_bias = (float *)(m->state + 132082880); // [256]  1.0 kB
	conv_bias_relu(&conv_bias_relu_256x14x14x256_2_shape, &conv_bias_relu_256x14x14x256_2_epilogue, &conv_bias_relu_256x14x14x256_2_plan, x_13, prepared_bottleneck_13_conv_bn_conv_weight, relu_26, prepared_bottleneck_13_conv_bn_batchnorm_bias);
	nnr_step(44, "residual.net:7,9,24  conv_bias_relu of bottleneck_13  [256,14,14,256]  59.2 GFLOP  105.1 MB");
	float *const prepared_bottleneck_13_conv_bn_2_conv_weight = (float *)(m->state + 133133504); // [256,3,3,256]  2.4 MB
	float *const relu_27 = (float *)(m->arena + 411041792);                                 // [256,14,14,256]  51.4 MB  steps 44-45
	float *const prepared_bottleneck_13_conv_bn_2_batchnorm_bias = (float *)(m->state + 133132480); // [256]  1.0 kB
	conv_bias_relu(&conv_bias_relu_256x14x14x256_3_shape, &conv_bias_relu_256x14x14x256_3_epilogue, &conv_bias_relu_256x14x14x256_3_plan, relu_26, prepared_bottleneck_13_conv_bn_2_conv_weight, relu_27, prepared_bottleneck_13_conv_bn_2_batchnorm_bias);
	nnr_step(45, "residual.net:7,9,28  conv_bias_add_relu of bottleneck_13  [256,14,14,1024]  26.5 GFLOP  463.5 MB");
	float *const prepared_bottleneck_13_conv_bn_3_conv_weight = (float *)(m->state + 135496896); // [1024,1,1,256]  1.0 MB
	float *const x_14 = (float *)(m->arena + 205520896);                                    // [256,14,14,1024]  205.5 MB  steps 45-48
	float *const prepared_bottleneck_13_conv_bn_3_batchnorm_bias = (float *)(m->state + 135492800); // [1024]  4.1 kB
	conv_bias_add_relu(&conv_bias_add_relu_256x14x14x1024_shape, &conv_bias_add_relu_256x14x14x1024_epilogue, &conv_bias_add_relu_256x14x14x1024_plan, relu_27, prepared_bottleneck_13_conv_bn_3_conv_weight, x_14, prepared_bottleneck_13_conv_bn_3_batchnorm_bias, x_13);
	nnr_step(46, "residual.net:7,9,23  conv_bias_relu of bottleneck_14  [256,14,14,512]  52.7 GFLOP  310.4 MB");
	float *const prepared_bottleneck_14_conv_bn_conv_weight = (float *)(m->state + 136547520); // [512,1,1,1024]  2.1 MB
	float *const relu_28 = (float *)(m->arena + 0);                                         // [256,14,14,512]  102.8 MB  steps 46-47
	float *const prepared_bottleneck_14_conv_bn_batchnorm_bias = (float *)(m->state + 136545472); // [512]  2.0 kB
	conv_bias_relu(&conv_bias_relu_256x14x14x512_shape, &conv_bias_relu_256x14x14x512_epilogue, &conv_bias_relu_256x14x14x512_plan, x_14, prepared_bottleneck_14_conv_bn_conv_weight, relu_28, prepared_bottleneck_14_conv_bn_batchnorm_bias);
	nnr_step(47, "residual.net:7,9,24  conv_bias_relu of bottleneck_14  [256,7,7,512]  59.2 GFLOP  137.9 MB");
	float *const prepared_bottleneck_14_conv_bn_2_conv_weight = (float *)(m->state + 138646720); // [512,3,3,512]  9.4 MB
	float *const relu_29 = (float *)(m->arena + 411041792);                                 // [256,7,7,512]  25.7 MB  steps 47-49
	float *const prepared_bottleneck_14_conv_bn_2_batchnorm_bias = (float *)(m->state + 138644672); // [512]  2.0 kB
	conv_bias_relu(&conv_bias_relu_256x7x7x512_shape, &conv_bias_relu_256x7x7x512_epilogue, &conv_bias_relu_256x7x7x512_plan, relu_28, prepared_bottleneck_14_conv_bn_2_conv_weight, relu_29, prepared_bottleneck_14_conv_bn_2_batchnorm_bias);
	nnr_step(48, "residual.net:7  conv(x_14, prepared_bottleneck_14_conv_bn_4_conv_weight)  [256,7,7,2048]  52.6 GFLOP  316.7 MB");
	float *const prepared_bottleneck_14_conv_bn_4_conv_weight = (float *)(m->state + 152278208); // [2048,1,1,1024]  8.4 MB
	float *const conv_4 = (float *)(m->arena + 0);                                          // [256,7,7,2048]  102.8 MB  steps 48-49
	conv_any_size(&conv_256x7x7x2048_2_shape, &conv_256x7x7x2048_2_plan, x_14, prepared_bottleneck_14_conv_bn_4_conv_weight, conv_4);
	nnr_step(49, "residual.net:7,28  conv_add_bias_relu of bottleneck_14  [256,7,7,2048]  26.4 GFLOP  235.4 MB");
	float *const prepared_bottleneck_14_conv_bn_3_conv_weight = (float *)(m->state + 148083904); // [2048,1,1,512]  4.2 MB
	float *const x_15 = (float *)(m->arena + 102760448);                                    // [256,7,7,2048]  102.8 MB  steps 49-52
	float *const prepared_bottleneck_14_conv_bn_3_batchnorm_bias = (float *)(m->state + 160666816); // [2048]  8.2 kB
	conv_add_bias_relu(&conv_add_bias_relu_256x7x7x2048_shape, &conv_add_bias_relu_256x7x7x2048_epilogue, &conv_add_bias_relu_256x7x7x2048_plan, relu_29, prepared_bottleneck_14_conv_bn_3_conv_weight, x_15, conv_4, prepared_bottleneck_14_conv_bn_3_batchnorm_bias);
	nnr_step(50, "residual.net:7,9,23  conv_bias_relu of bottleneck_15  [256,7,7,512]  26.3 GFLOP  132.6 MB");
	float *const prepared_bottleneck_15_conv_bn_conv_weight = (float *)(m->state + 160677056); // [512,1,1,2048]  4.2 MB
	float *const relu_30 = (float *)(m->arena + 0);                                         // [256,7,7,512]  25.7 MB  steps 50-51
	float *const prepared_bottleneck_15_conv_bn_batchnorm_bias = (float *)(m->state + 160675008); // [512]  2.0 kB
	conv_bias_relu(&conv_bias_relu_256x7x7x512_2_shape, &conv_bias_relu_256x7x7x512_2_epilogue, &conv_bias_relu_256x7x7x512_2_plan, x_15, prepared_bottleneck_15_conv_bn_conv_weight, relu_30, prepared_bottleneck_15_conv_bn_batchnorm_bias);
	nnr_step(51, "residual.net:7,9,24  conv_bias_relu of bottleneck_15  [256,7,7,512]  59.2 GFLOP  60.8 MB");
	float *const prepared_bottleneck_15_conv_bn_2_conv_weight = (float *)(m->state + 164873408); // [512,3,3,512]  9.4 MB
	float *const relu_31 = (float *)(m->arena + 205520896);                                 // [256,7,7,512]  25.7 MB  steps 51-52
	float *const prepared_bottleneck_15_conv_bn_2_batchnorm_bias = (float *)(m->state + 164871360); // [512]  2.0 kB
	conv_bias_relu(&conv_bias_relu_256x7x7x512_3_shape, &conv_bias_relu_256x7x7x512_3_epilogue, &conv_bias_relu_256x7x7x512_3_plan, relu_30, prepared_bottleneck_15_conv_bn_2_conv_weight, relu_31, prepared_bottleneck_15_conv_bn_2_batchnorm_bias);
	nnr_step(52, "residual.net:7,9,28  conv_bias_add_relu of bottleneck_15  [256,7,7,2048]  26.4 GFLOP  235.4 MB");
	float *const prepared_bottleneck_15_conv_bn_3_conv_weight = (float *)(m->state + 174318784); // [2048,1,1,512]  4.2 MB
	float *const x_16 = (float *)(m->arena + 0);                                            // [256,7,7,2048]  102.8 MB  steps 52-56
	float *const prepared_bottleneck_15_conv_bn_3_batchnorm_bias = (float *)(m->state + 174310592); // [2048]  8.2 kB
	conv_bias_add_relu(&conv_bias_add_relu_256x7x7x2048_shape, &conv_bias_add_relu_256x7x7x2048_epilogue, &conv_bias_add_relu_256x7x7x2048_plan, relu_31, prepared_bottleneck_15_conv_bn_3_conv_weight, x_16, prepared_bottleneck_15_conv_bn_3_batchnorm_bias, x_15);
	nnr_step(53, "residual.net:7,9,23  conv_bias_relu of bottleneck_16  [256,7,7,512]  26.3 GFLOP  132.6 MB");
	float *const prepared_bottleneck_16_conv_bn_conv_weight = (float *)(m->state + 178515136); // [512,1,1,2048]  4.2 MB
	float *const relu_32 = (float *)(m->arena + 102760448);                                 // [256,7,7,512]  25.7 MB  steps 53-54
	float *const prepared_bottleneck_16_conv_bn_batchnorm_bias = (float *)(m->state + 178513088); // [512]  2.0 kB
	conv_bias_relu(&conv_bias_relu_256x7x7x512_2_shape, &conv_bias_relu_256x7x7x512_2_epilogue, &conv_bias_relu_256x7x7x512_2_plan, x_16, prepared_bottleneck_16_conv_bn_conv_weight, relu_32, prepared_bottleneck_16_conv_bn_batchnorm_bias);
	nnr_step(54, "residual.net:7,9,24  conv_bias_relu of bottleneck_16  [256,7,7,512]  59.2 GFLOP  60.8 MB");
	float *const prepared_bottleneck_16_conv_bn_2_conv_weight = (float *)(m->state + 182711488); // [512,3,3,512]  9.4 MB
	float *const relu_33 = (float *)(m->arena + 205520896);                                 // [256,7,7,512]  25.7 MB  steps 54-55
	float *const prepared_bottleneck_16_conv_bn_2_batchnorm_bias = (float *)(m->state + 182709440); // [512]  2.0 kB
	conv_bias_relu(&conv_bias_relu_256x7x7x512_3_shape, &conv_bias_relu_256x7x7x512_3_epilogue, &conv_bias_relu_256x7x7x512_3_plan, relu_32, prepared_bottleneck_16_conv_bn_2_conv_weight, relu_33, prepared_bottleneck_16_conv_bn_2_batchnorm_bias);
	nnr_step(55, "residual.net:7  conv(relu_33, prepared_bottleneck_16_conv_bn_3_conv_weight)  [256,7,7,2048]  26.3 GFLOP  132.6 MB");
	float *const prepared_bottleneck_16_conv_bn_3_conv_weight = (float *)(m->state + 192156864); // [2048,1,1,512]  4.2 MB
	float *const conv_5 = (float *)(m->arena + 102760448);                                  // [256,7,7,2048]  102.8 MB  steps 55-56
	conv_any_size(&conv_256x7x7x2048_shape, &conv_256x7x7x2048_plan, relu_33, prepared_bottleneck_16_conv_bn_3_conv_weight, conv_5);
	nnr_step(56, "residual.net:9,28 resnet.net:26  bias_add_relu_avgpool  [256,2048]  103.3 MFLOP  207.6 MB");
	float *const prepared_bottleneck_16_conv_bn_3_batchnorm_bias = (float *)(m->state + 192148672); // [2048]  8.2 kB
	float *const mul = (float *)(m->arena + 205520896);                                     // [256,2048]  2.1 MB  steps 56-57
	bias_add_relu_avgpool_256x49x2048(conv_5, prepared_bottleneck_16_conv_bn_3_batchnorm_bias, x_16, mul);
}

/* Loss and metrics of one batch, per sample: 58 steps, 2.1 TFLOP, 29.4 GB moved, arena 1.8 GB (lower bound 1.8 GB, at step 7) */
static void evaluate_batch(const NnrMemory *m, const NnrScalars *s)
{
	forward_batch(m, s); /* steps 1 to 56 */
	nnr_step(57, "resnet.net:26  matmul(mul, prepared_dense_weight)  [256,1000]  1.0 GFLOP  11.3 MB");
	float *const mul = (float *)(m->arena + 205520896);                                     // [256,2048]  2.1 MB  steps 56-57
	float *const prepared_dense_weight = (float *)(m->state + 196351168);                   // [1000,2048]  8.2 MB
	float *const matmul = (float *)(m->arena + 0);                                          // [256,1000]  1.0 MB  steps 57-58
	matmul_any_size(&matmul_256x1000_shape, &matmul_256x1000_plan, mul, prepared_dense_weight, matmul);

	/* ---- loss */
	nnr_step(58, "resnet.net:26,28,29  bias_cross_entropy_top1  [256,1000]  6.9 MFLOP  2.1 MB");
	float *const dense_bias = (float *)(m->params + 102224128);                             // [1000]  4.0 kB
	int32_t *const label_2 = (int32_t *)(m->inputs + 38535168);                             // [256,1]  1.0 kB
	float *const logits = (float *)(m->arena + 1024000);                                    // [256,1000]  1.0 MB  steps 58-end
	float *const sum = (float *)(m->arena + 2048000);                                       // [256]  1.0 kB  steps 58-end
	float *const lt = (float *)(m->arena + 2049024);                                        // [256]  1.0 kB  steps 58-end
	bias_cross_entropy_top1_256x1000(matmul, dense_bias, label_2, logits, sum, lt);
}

/* What the model predicts, without loss and metrics: 57 steps, 2.1 TFLOP, 29.4 GB moved, arena 1.8 GB (lower bound 1.8 GB, at step 7) */
static void predict_batch(const NnrMemory *m, const NnrScalars *s)
{
	forward_batch(m, s); /* steps 1 to 56 */
	nnr_step(57, "resnet.net:26  matmul(mul, prepared_dense_weight) + dense_bias  [256,1000]  1.0 GFLOP  11.3 MB");
	float *const mul = (float *)(m->arena + 205520896);                                     // [256,2048]  2.1 MB  steps 56-57
	float *const prepared_dense_weight = (float *)(m->state + 196351168);                   // [1000,2048]  8.2 MB
	float *const logits = (float *)(m->arena + 0);                                          // [256,1000]  1.0 MB  steps 57-end
	float *const dense_bias = (float *)(m->params + 102224128);                             // [1000]  4.0 kB
	matmul_bias_256x1000(mul, prepared_dense_weight, logits, dense_bias);
}

/* For `profile`: the steps above, and which part of each is whose line of the .net files: by FLOPs,
 * of the update by parameters. {name, formula, library, phase, converts, FLOP, B, shares: {place, phase, weight}} */
static const NnrStep steps[] = {
	{"normalize_38535168", "round_tf32(rgb_affine(cast(image)))", NULL, NNR_PHASE_FORWARD, false, 77070336, 192675840, 1, (const NnrShare[]){{0, NNR_PHASE_FORWARD, 7.70703e+07}}},
	{"conv_256x112x112x64", "conv(rgb_affine, conv_bn_conv_weight)", NULL, NNR_PHASE_FORWARD, false, 60423143424, 976261888, 1, (const NnrShare[]){{1, NNR_PHASE_FORWARD, 6.04231e+10}}},
	{"batchnorm_statistics_3211264x64", "batchnorm_statistics of conv_bn", NULL, NNR_PHASE_FORWARD, false, 822084864, 822085632, 1, (const NnrShare[]){{2, NNR_PHASE_FORWARD, 8.22085e+08}}},
	{"maxpool_batchnorm_256x56x56x64", "maxpool_batchnorm", NULL, NNR_PHASE_FORWARD, false, 3185573888, 1284506368, 3, (const NnrShare[]){{2, NNR_PHASE_FORWARD, 1.38727e+09}, {3, NNR_PHASE_BACKWARD, 1.33589e+09}, {3, NNR_PHASE_FORWARD, 4.62422e+08}}},
	{"conv_256x56x56x64", "conv(x, bottleneck_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 6576668672, 411058176, 1, (const NnrShare[]){{6, NNR_PHASE_FORWARD, 6.57667e+09}}},
	{"batchnorm_statistics_802816x64", "batchnorm_statistics of bottleneck.conv_bn", NULL, NNR_PHASE_FORWARD, false, 205522176, 205522944, 1, (const NnrShare[]){{7, NNR_PHASE_FORWARD, 2.05522e+08}}},
	{"batchnorm_relu_round_tf32_802816x64", "round_tf32(relu((((conv_2 - add_2) * mul_2) + bottleneck_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 205520896, 411042560, 2, (const NnrShare[]){{7, NNR_PHASE_FORWARD, 1.54141e+08}, {5, NNR_PHASE_FORWARD, 5.13802e+07}}},
	{"conv_256x56x56x64_2", "conv(relu, bottleneck_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 411189248, 1, (const NnrShare[]){{9, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_802816x64", "batchnorm_statistics of bottleneck.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 205522176, 205522944, 1, (const NnrShare[]){{10, NNR_PHASE_FORWARD, 2.05522e+08}}},
	{"batchnorm_relu_round_tf32_802816x64", "round_tf32(relu((((conv_3 - add_3) * mul_3) + bottleneck_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 205520896, 411042560, 2, (const NnrShare[]){{10, NNR_PHASE_FORWARD, 1.54141e+08}, {8, NNR_PHASE_FORWARD, 5.13802e+07}}},
	{"conv_256x56x56x256", "conv(relu_2, bottleneck_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{12, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_802816x256", "batchnorm_statistics of bottleneck.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 822088704, 822091776, 1, (const NnrShare[]){{13, NNR_PHASE_FORWARD, 8.22089e+08}}},
	{"conv_256x56x56x256", "conv(x, bottleneck_conv_bn_4_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{15, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_802816x256", "batchnorm_statistics of bottleneck.conv_bn_4", NULL, NNR_PHASE_FORWARD, false, 822088704, 822091776, 1, (const NnrShare[]){{16, NNR_PHASE_FORWARD, 8.22089e+08}}},
	{"batchnorm_add_relu_802816x256", "batchnorm_add_relu of bottleneck", NULL, NNR_PHASE_FORWARD, false, 1644167168, 2466256896, 3, (const NnrShare[]){{13, NNR_PHASE_FORWARD, 6.16563e+08}, {16, NNR_PHASE_FORWARD, 6.16563e+08}, {17, NNR_PHASE_FORWARD, 4.11042e+08}}},
	{"conv_256x56x56x64_3", "conv(x_2, bottleneck_2_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{19, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_802816x64", "batchnorm_statistics of bottleneck_2.conv_bn", NULL, NNR_PHASE_FORWARD, false, 205522176, 205522944, 1, (const NnrShare[]){{20, NNR_PHASE_FORWARD, 2.05522e+08}}},
	{"batchnorm_relu_round_tf32_802816x64", "round_tf32(relu((((conv_6 - add_6) * mul_6) + bottleneck_2_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 205520896, 411042560, 2, (const NnrShare[]){{20, NNR_PHASE_FORWARD, 1.54141e+08}, {18, NNR_PHASE_FORWARD, 5.13802e+07}}},
	{"conv_256x56x56x64_2", "conv(relu_3, bottleneck_2_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 411189248, 1, (const NnrShare[]){{22, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_802816x64", "batchnorm_statistics of bottleneck_2.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 205522176, 205522944, 1, (const NnrShare[]){{23, NNR_PHASE_FORWARD, 2.05522e+08}}},
	{"batchnorm_relu_round_tf32_802816x64", "round_tf32(relu((((conv_7 - add_7) * mul_7) + bottleneck_2_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 205520896, 411042560, 2, (const NnrShare[]){{23, NNR_PHASE_FORWARD, 1.54141e+08}, {21, NNR_PHASE_FORWARD, 5.13802e+07}}},
	{"conv_256x56x56x256", "conv(relu_4, bottleneck_2_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{25, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_802816x256", "batchnorm_statistics of bottleneck_2.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 822088704, 822091776, 1, (const NnrShare[]){{26, NNR_PHASE_FORWARD, 8.22089e+08}}},
	{"batchnorm_add_relu_backward_802816x256", "batchnorm_add_relu_backward of bottleneck_2", NULL, NNR_PHASE_FORWARD, false, 1233125376, 2671774720, 3, (const NnrShare[]){{26, NNR_PHASE_FORWARD, 6.16563e+08}, {27, NNR_PHASE_FORWARD, 4.11042e+08}, {27, NNR_PHASE_BACKWARD, 2.05521e+08}}},
	{"conv_256x56x56x64_3", "conv(x_3, bottleneck_3_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{29, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_802816x64", "batchnorm_statistics of bottleneck_3.conv_bn", NULL, NNR_PHASE_FORWARD, false, 205522176, 205522944, 1, (const NnrShare[]){{30, NNR_PHASE_FORWARD, 2.05522e+08}}},
	{"batchnorm_relu_round_tf32_802816x64", "round_tf32(relu((((conv_9 - add_9) * mul_9) + bottleneck_3_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 205520896, 411042560, 2, (const NnrShare[]){{30, NNR_PHASE_FORWARD, 1.54141e+08}, {28, NNR_PHASE_FORWARD, 5.13802e+07}}},
	{"conv_256x56x56x64_2", "conv(relu_5, bottleneck_3_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 411189248, 1, (const NnrShare[]){{32, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_802816x64", "batchnorm_statistics of bottleneck_3.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 205522176, 205522944, 1, (const NnrShare[]){{33, NNR_PHASE_FORWARD, 2.05522e+08}}},
	{"batchnorm_relu_round_tf32_802816x64", "round_tf32(relu((((conv_10 - add_10) * mul_10) + bottleneck_3_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 205520896, 411042560, 2, (const NnrShare[]){{33, NNR_PHASE_FORWARD, 1.54141e+08}, {31, NNR_PHASE_FORWARD, 5.13802e+07}}},
	{"conv_256x56x56x256", "conv(relu_6, bottleneck_3_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{35, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_802816x256", "batchnorm_statistics of bottleneck_3.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 822088704, 822091776, 1, (const NnrShare[]){{36, NNR_PHASE_FORWARD, 8.22089e+08}}},
	{"batchnorm_add_relu_backward_round_tf32_802816x256", "batchnorm_add_relu_backward_round_tf32 of bottleneck_3", NULL, NNR_PHASE_FORWARD, false, 1233125376, 2671774720, 3, (const NnrShare[]){{36, NNR_PHASE_FORWARD, 6.16563e+08}, {37, NNR_PHASE_FORWARD, 4.11042e+08}, {37, NNR_PHASE_BACKWARD, 2.05521e+08}}},
	{"conv_256x56x56x128", "conv(x_4, bottleneck_4_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 52613349376, 1233256448, 1, (const NnrShare[]){{39, NNR_PHASE_FORWARD, 5.26133e+10}}},
	{"batchnorm_statistics_802816x128", "batchnorm_statistics of bottleneck_4.conv_bn", NULL, NNR_PHASE_FORWARD, false, 411044352, 411045888, 1, (const NnrShare[]){{40, NNR_PHASE_FORWARD, 4.11044e+08}}},
	{"batchnorm_relu_round_tf32_802816x128", "round_tf32(relu((((conv_12 - add_12) * mul_12) + bottleneck_4_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 411041792, 822085120, 2, (const NnrShare[]){{40, NNR_PHASE_FORWARD, 3.08281e+08}, {38, NNR_PHASE_FORWARD, 1.0276e+08}}},
	{"conv_256x28x28x128", "conv(relu_7, bottleneck_4_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 514392064, 1, (const NnrShare[]){{42, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_200704x128", "batchnorm_statistics of bottleneck_4.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 102763008, 102764544, 1, (const NnrShare[]){{43, NNR_PHASE_FORWARD, 1.02763e+08}}},
	{"batchnorm_relu_round_tf32_200704x128", "round_tf32(relu((((conv_13 - add_13) * mul_13) + bottleneck_4_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 102760448, 205522432, 2, (const NnrShare[]){{43, NNR_PHASE_FORWARD, 7.70703e+07}, {41, NNR_PHASE_FORWARD, 2.56901e+07}}},
	{"conv_256x28x28x512", "conv(relu_8, bottleneck_4_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{45, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_200704x512", "batchnorm_statistics of bottleneck_4.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 411052032, 411058176, 1, (const NnrShare[]){{46, NNR_PHASE_FORWARD, 4.11052e+08}}},
	{"conv_256x28x28x512_2", "conv(x_4, bottleneck_4_conv_bn_4_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 52613349376, 1233649664, 1, (const NnrShare[]){{48, NNR_PHASE_FORWARD, 5.26133e+10}}},
	{"batchnorm_statistics_200704x512", "batchnorm_statistics of bottleneck_4.conv_bn_4", NULL, NNR_PHASE_FORWARD, false, 411052032, 411058176, 1, (const NnrShare[]){{49, NNR_PHASE_FORWARD, 4.11052e+08}}},
	{"batchnorm_add_relu_200704x512", "batchnorm_add_relu of bottleneck_4", NULL, NNR_PHASE_FORWARD, false, 822083584, 1233137664, 3, (const NnrShare[]){{46, NNR_PHASE_FORWARD, 3.08281e+08}, {49, NNR_PHASE_FORWARD, 3.08281e+08}, {50, NNR_PHASE_FORWARD, 2.05521e+08}}},
	{"conv_256x28x28x128_2", "conv(x_5, bottleneck_5_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{52, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_200704x128", "batchnorm_statistics of bottleneck_5.conv_bn", NULL, NNR_PHASE_FORWARD, false, 102763008, 102764544, 1, (const NnrShare[]){{53, NNR_PHASE_FORWARD, 1.02763e+08}}},
	{"batchnorm_relu_round_tf32_200704x128", "round_tf32(relu((((conv_16 - add_16) * mul_16) + bottleneck_5_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 102760448, 205522432, 2, (const NnrShare[]){{53, NNR_PHASE_FORWARD, 7.70703e+07}, {51, NNR_PHASE_FORWARD, 2.56901e+07}}},
	{"conv_256x28x28x128_3", "conv(relu_9, bottleneck_5_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 206110720, 1, (const NnrShare[]){{55, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_200704x128", "batchnorm_statistics of bottleneck_5.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 102763008, 102764544, 1, (const NnrShare[]){{56, NNR_PHASE_FORWARD, 1.02763e+08}}},
	{"batchnorm_relu_round_tf32_200704x128", "round_tf32(relu((((conv_17 - add_17) * mul_17) + bottleneck_5_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 102760448, 205522432, 2, (const NnrShare[]){{56, NNR_PHASE_FORWARD, 7.70703e+07}, {54, NNR_PHASE_FORWARD, 2.56901e+07}}},
	{"conv_256x28x28x512", "conv(relu_10, bottleneck_5_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{58, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_200704x512", "batchnorm_statistics of bottleneck_5.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 411052032, 411058176, 1, (const NnrShare[]){{59, NNR_PHASE_FORWARD, 4.11052e+08}}},
	{"batchnorm_add_relu_backward_200704x512", "batchnorm_add_relu_backward of bottleneck_5", NULL, NNR_PHASE_FORWARD, false, 616562688, 1335891968, 3, (const NnrShare[]){{59, NNR_PHASE_FORWARD, 3.08281e+08}, {60, NNR_PHASE_FORWARD, 2.05521e+08}, {60, NNR_PHASE_BACKWARD, 1.0276e+08}}},
	{"conv_256x28x28x128_2", "conv(x_6, bottleneck_6_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{62, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_200704x128", "batchnorm_statistics of bottleneck_6.conv_bn", NULL, NNR_PHASE_FORWARD, false, 102763008, 102764544, 1, (const NnrShare[]){{63, NNR_PHASE_FORWARD, 1.02763e+08}}},
	{"batchnorm_relu_round_tf32_200704x128", "round_tf32(relu((((conv_19 - add_19) * mul_19) + bottleneck_6_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 102760448, 205522432, 2, (const NnrShare[]){{63, NNR_PHASE_FORWARD, 7.70703e+07}, {61, NNR_PHASE_FORWARD, 2.56901e+07}}},
	{"conv_256x28x28x128_3", "conv(relu_11, bottleneck_6_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 206110720, 1, (const NnrShare[]){{65, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_200704x128", "batchnorm_statistics of bottleneck_6.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 102763008, 102764544, 1, (const NnrShare[]){{66, NNR_PHASE_FORWARD, 1.02763e+08}}},
	{"batchnorm_relu_round_tf32_200704x128", "round_tf32(relu((((conv_20 - add_20) * mul_20) + bottleneck_6_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 102760448, 205522432, 2, (const NnrShare[]){{66, NNR_PHASE_FORWARD, 7.70703e+07}, {64, NNR_PHASE_FORWARD, 2.56901e+07}}},
	{"conv_256x28x28x512", "conv(relu_12, bottleneck_6_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{68, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_200704x512", "batchnorm_statistics of bottleneck_6.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 411052032, 411058176, 1, (const NnrShare[]){{69, NNR_PHASE_FORWARD, 4.11052e+08}}},
	{"batchnorm_add_relu_backward_200704x512", "batchnorm_add_relu_backward of bottleneck_6", NULL, NNR_PHASE_FORWARD, false, 616562688, 1335891968, 3, (const NnrShare[]){{69, NNR_PHASE_FORWARD, 3.08281e+08}, {70, NNR_PHASE_FORWARD, 2.05521e+08}, {70, NNR_PHASE_BACKWARD, 1.0276e+08}}},
	{"conv_256x28x28x128_2", "conv(x_7, bottleneck_7_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{72, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_200704x128", "batchnorm_statistics of bottleneck_7.conv_bn", NULL, NNR_PHASE_FORWARD, false, 102763008, 102764544, 1, (const NnrShare[]){{73, NNR_PHASE_FORWARD, 1.02763e+08}}},
	{"batchnorm_relu_round_tf32_200704x128", "round_tf32(relu((((conv_22 - add_22) * mul_22) + bottleneck_7_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 102760448, 205522432, 2, (const NnrShare[]){{73, NNR_PHASE_FORWARD, 7.70703e+07}, {71, NNR_PHASE_FORWARD, 2.56901e+07}}},
	{"conv_256x28x28x128_3", "conv(relu_13, bottleneck_7_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 206110720, 1, (const NnrShare[]){{75, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_200704x128", "batchnorm_statistics of bottleneck_7.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 102763008, 102764544, 1, (const NnrShare[]){{76, NNR_PHASE_FORWARD, 1.02763e+08}}},
	{"batchnorm_relu_round_tf32_200704x128", "round_tf32(relu((((conv_23 - add_23) * mul_23) + bottleneck_7_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 102760448, 205522432, 2, (const NnrShare[]){{76, NNR_PHASE_FORWARD, 7.70703e+07}, {74, NNR_PHASE_FORWARD, 2.56901e+07}}},
	{"conv_256x28x28x512", "conv(relu_14, bottleneck_7_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{78, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_200704x512", "batchnorm_statistics of bottleneck_7.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 411052032, 411058176, 1, (const NnrShare[]){{79, NNR_PHASE_FORWARD, 4.11052e+08}}},
	{"batchnorm_add_relu_backward_round_tf32_200704x512", "batchnorm_add_relu_backward_round_tf32 of bottleneck_7", NULL, NNR_PHASE_FORWARD, false, 616562688, 1335891968, 3, (const NnrShare[]){{79, NNR_PHASE_FORWARD, 3.08281e+08}, {80, NNR_PHASE_FORWARD, 2.05521e+08}, {80, NNR_PHASE_BACKWARD, 1.0276e+08}}},
	{"conv_256x28x28x256", "conv(x_8, bottleneck_8_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 52613349376, 617086976, 1, (const NnrShare[]){{82, NNR_PHASE_FORWARD, 5.26133e+10}}},
	{"batchnorm_statistics_200704x256", "batchnorm_statistics of bottleneck_8.conv_bn", NULL, NNR_PHASE_FORWARD, false, 205526016, 205529088, 1, (const NnrShare[]){{83, NNR_PHASE_FORWARD, 2.05526e+08}}},
	{"batchnorm_relu_round_tf32_200704x256", "round_tf32(relu((((conv_25 - add_25) * mul_25) + bottleneck_8_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 205520896, 411044864, 2, (const NnrShare[]){{83, NNR_PHASE_FORWARD, 1.54141e+08}, {81, NNR_PHASE_FORWARD, 5.13802e+07}}},
	{"conv_256x14x14x256", "conv(relu_15, bottleneck_8_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 259260416, 1, (const NnrShare[]){{85, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_50176x256", "batchnorm_statistics of bottleneck_8.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 51385344, 51388416, 1, (const NnrShare[]){{86, NNR_PHASE_FORWARD, 5.13853e+07}}},
	{"batchnorm_relu_round_tf32_50176x256", "round_tf32(relu((((conv_26 - add_26) * mul_26) + bottleneck_8_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 51380224, 102763520, 2, (const NnrShare[]){{86, NNR_PHASE_FORWARD, 3.85352e+07}, {84, NNR_PHASE_FORWARD, 1.28451e+07}}},
	{"conv_256x14x14x1024", "conv(relu_16, bottleneck_8_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{88, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_50176x1024", "batchnorm_statistics of bottleneck_8.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 205541376, 205553664, 1, (const NnrShare[]){{89, NNR_PHASE_FORWARD, 2.05541e+08}}},
	{"conv_256x14x14x1024_2", "conv(x_8, bottleneck_8_conv_bn_4_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 52613349376, 618659840, 1, (const NnrShare[]){{91, NNR_PHASE_FORWARD, 5.26133e+10}}},
	{"batchnorm_statistics_50176x1024", "batchnorm_statistics of bottleneck_8.conv_bn_4", NULL, NNR_PHASE_FORWARD, false, 205541376, 205553664, 1, (const NnrShare[]){{92, NNR_PHASE_FORWARD, 2.05541e+08}}},
	{"batchnorm_add_relu_50176x1024", "batchnorm_add_relu of bottleneck_8", NULL, NNR_PHASE_FORWARD, false, 411041792, 616587264, 3, (const NnrShare[]){{89, NNR_PHASE_FORWARD, 1.54141e+08}, {92, NNR_PHASE_FORWARD, 1.54141e+08}, {93, NNR_PHASE_FORWARD, 1.0276e+08}}},
	{"conv_256x14x14x256_2", "conv(x_9, bottleneck_9_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{95, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_50176x256", "batchnorm_statistics of bottleneck_9.conv_bn", NULL, NNR_PHASE_FORWARD, false, 51385344, 51388416, 1, (const NnrShare[]){{96, NNR_PHASE_FORWARD, 5.13853e+07}}},
	{"batchnorm_relu_round_tf32_50176x256", "round_tf32(relu((((conv_29 - add_29) * mul_29) + bottleneck_9_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 51380224, 102763520, 2, (const NnrShare[]){{96, NNR_PHASE_FORWARD, 3.85352e+07}, {94, NNR_PHASE_FORWARD, 1.28451e+07}}},
	{"conv_256x14x14x256_3", "conv(relu_17, bottleneck_9_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{98, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_50176x256", "batchnorm_statistics of bottleneck_9.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 51385344, 51388416, 1, (const NnrShare[]){{99, NNR_PHASE_FORWARD, 5.13853e+07}}},
	{"batchnorm_relu_round_tf32_50176x256", "round_tf32(relu((((conv_30 - add_30) * mul_30) + bottleneck_9_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 51380224, 102763520, 2, (const NnrShare[]){{99, NNR_PHASE_FORWARD, 3.85352e+07}, {97, NNR_PHASE_FORWARD, 1.28451e+07}}},
	{"conv_256x14x14x1024", "conv(relu_18, bottleneck_9_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{101, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_50176x1024", "batchnorm_statistics of bottleneck_9.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 205541376, 205553664, 1, (const NnrShare[]){{102, NNR_PHASE_FORWARD, 2.05541e+08}}},
	{"batchnorm_add_relu_backward_50176x1024", "batchnorm_add_relu_backward of bottleneck_9", NULL, NNR_PHASE_FORWARD, false, 308281344, 667955200, 3, (const NnrShare[]){{102, NNR_PHASE_FORWARD, 1.54141e+08}, {103, NNR_PHASE_FORWARD, 1.0276e+08}, {103, NNR_PHASE_BACKWARD, 5.13802e+07}}},
	{"conv_256x14x14x256_2", "conv(x_10, bottleneck_10_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{105, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_50176x256", "batchnorm_statistics of bottleneck_10.conv_bn", NULL, NNR_PHASE_FORWARD, false, 51385344, 51388416, 1, (const NnrShare[]){{106, NNR_PHASE_FORWARD, 5.13853e+07}}},
	{"batchnorm_relu_round_tf32_50176x256", "round_tf32(relu((((conv_32 - add_32) * mul_32) + bottleneck_10_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 51380224, 102763520, 2, (const NnrShare[]){{106, NNR_PHASE_FORWARD, 3.85352e+07}, {104, NNR_PHASE_FORWARD, 1.28451e+07}}},
	{"conv_256x14x14x256_3", "conv(relu_19, bottleneck_10_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{108, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_50176x256", "batchnorm_statistics of bottleneck_10.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 51385344, 51388416, 1, (const NnrShare[]){{109, NNR_PHASE_FORWARD, 5.13853e+07}}},
	{"batchnorm_relu_round_tf32_50176x256", "round_tf32(relu((((conv_33 - add_33) * mul_33) + bottleneck_10_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 51380224, 102763520, 2, (const NnrShare[]){{109, NNR_PHASE_FORWARD, 3.85352e+07}, {107, NNR_PHASE_FORWARD, 1.28451e+07}}},
	{"conv_256x14x14x1024", "conv(relu_20, bottleneck_10_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{111, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_50176x1024", "batchnorm_statistics of bottleneck_10.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 205541376, 205553664, 1, (const NnrShare[]){{112, NNR_PHASE_FORWARD, 2.05541e+08}}},
	{"batchnorm_add_relu_backward_50176x1024", "batchnorm_add_relu_backward of bottleneck_10", NULL, NNR_PHASE_FORWARD, false, 308281344, 667955200, 3, (const NnrShare[]){{112, NNR_PHASE_FORWARD, 1.54141e+08}, {113, NNR_PHASE_FORWARD, 1.0276e+08}, {113, NNR_PHASE_BACKWARD, 5.13802e+07}}},
	{"conv_256x14x14x256_2", "conv(x_11, bottleneck_11_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{115, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_50176x256", "batchnorm_statistics of bottleneck_11.conv_bn", NULL, NNR_PHASE_FORWARD, false, 51385344, 51388416, 1, (const NnrShare[]){{116, NNR_PHASE_FORWARD, 5.13853e+07}}},
	{"batchnorm_relu_round_tf32_50176x256", "round_tf32(relu((((conv_35 - add_35) * mul_35) + bottleneck_11_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 51380224, 102763520, 2, (const NnrShare[]){{116, NNR_PHASE_FORWARD, 3.85352e+07}, {114, NNR_PHASE_FORWARD, 1.28451e+07}}},
	{"conv_256x14x14x256_3", "conv(relu_21, bottleneck_11_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{118, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_50176x256", "batchnorm_statistics of bottleneck_11.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 51385344, 51388416, 1, (const NnrShare[]){{119, NNR_PHASE_FORWARD, 5.13853e+07}}},
	{"batchnorm_relu_round_tf32_50176x256", "round_tf32(relu((((conv_36 - add_36) * mul_36) + bottleneck_11_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 51380224, 102763520, 2, (const NnrShare[]){{119, NNR_PHASE_FORWARD, 3.85352e+07}, {117, NNR_PHASE_FORWARD, 1.28451e+07}}},
	{"conv_256x14x14x1024", "conv(relu_22, bottleneck_11_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{121, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_50176x1024", "batchnorm_statistics of bottleneck_11.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 205541376, 205553664, 1, (const NnrShare[]){{122, NNR_PHASE_FORWARD, 2.05541e+08}}},
	{"batchnorm_add_relu_backward_50176x1024", "batchnorm_add_relu_backward of bottleneck_11", NULL, NNR_PHASE_FORWARD, false, 308281344, 667955200, 3, (const NnrShare[]){{122, NNR_PHASE_FORWARD, 1.54141e+08}, {123, NNR_PHASE_FORWARD, 1.0276e+08}, {123, NNR_PHASE_BACKWARD, 5.13802e+07}}},
	{"conv_256x14x14x256_2", "conv(x_12, bottleneck_12_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{125, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_50176x256", "batchnorm_statistics of bottleneck_12.conv_bn", NULL, NNR_PHASE_FORWARD, false, 51385344, 51388416, 1, (const NnrShare[]){{126, NNR_PHASE_FORWARD, 5.13853e+07}}},
	{"batchnorm_relu_round_tf32_50176x256", "round_tf32(relu((((conv_38 - add_38) * mul_38) + bottleneck_12_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 51380224, 102763520, 2, (const NnrShare[]){{126, NNR_PHASE_FORWARD, 3.85352e+07}, {124, NNR_PHASE_FORWARD, 1.28451e+07}}},
	{"conv_256x14x14x256_3", "conv(relu_23, bottleneck_12_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{128, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_50176x256", "batchnorm_statistics of bottleneck_12.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 51385344, 51388416, 1, (const NnrShare[]){{129, NNR_PHASE_FORWARD, 5.13853e+07}}},
	{"batchnorm_relu_round_tf32_50176x256", "round_tf32(relu((((conv_39 - add_39) * mul_39) + bottleneck_12_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 51380224, 102763520, 2, (const NnrShare[]){{129, NNR_PHASE_FORWARD, 3.85352e+07}, {127, NNR_PHASE_FORWARD, 1.28451e+07}}},
	{"conv_256x14x14x1024", "conv(relu_24, bottleneck_12_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{131, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_50176x1024", "batchnorm_statistics of bottleneck_12.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 205541376, 205553664, 1, (const NnrShare[]){{132, NNR_PHASE_FORWARD, 2.05541e+08}}},
	{"batchnorm_add_relu_backward_50176x1024", "batchnorm_add_relu_backward of bottleneck_12", NULL, NNR_PHASE_FORWARD, false, 308281344, 667955200, 3, (const NnrShare[]){{132, NNR_PHASE_FORWARD, 1.54141e+08}, {133, NNR_PHASE_FORWARD, 1.0276e+08}, {133, NNR_PHASE_BACKWARD, 5.13802e+07}}},
	{"conv_256x14x14x256_2", "conv(x_13, bottleneck_13_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{135, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_50176x256", "batchnorm_statistics of bottleneck_13.conv_bn", NULL, NNR_PHASE_FORWARD, false, 51385344, 51388416, 1, (const NnrShare[]){{136, NNR_PHASE_FORWARD, 5.13853e+07}}},
	{"batchnorm_relu_round_tf32_50176x256", "round_tf32(relu((((conv_41 - add_41) * mul_41) + bottleneck_13_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 51380224, 102763520, 2, (const NnrShare[]){{136, NNR_PHASE_FORWARD, 3.85352e+07}, {134, NNR_PHASE_FORWARD, 1.28451e+07}}},
	{"conv_256x14x14x256_3", "conv(relu_25, bottleneck_13_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{138, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_50176x256", "batchnorm_statistics of bottleneck_13.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 51385344, 51388416, 1, (const NnrShare[]){{139, NNR_PHASE_FORWARD, 5.13853e+07}}},
	{"batchnorm_relu_round_tf32_50176x256", "round_tf32(relu((((conv_42 - add_42) * mul_42) + bottleneck_13_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 51380224, 102763520, 2, (const NnrShare[]){{139, NNR_PHASE_FORWARD, 3.85352e+07}, {137, NNR_PHASE_FORWARD, 1.28451e+07}}},
	{"conv_256x14x14x1024", "conv(relu_26, bottleneck_13_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{141, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_50176x1024", "batchnorm_statistics of bottleneck_13.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 205541376, 205553664, 1, (const NnrShare[]){{142, NNR_PHASE_FORWARD, 2.05541e+08}}},
	{"batchnorm_add_relu_backward_round_tf32_50176x1024", "batchnorm_add_relu_backward_round_tf32 of bottleneck_13", NULL, NNR_PHASE_FORWARD, false, 308281344, 667955200, 3, (const NnrShare[]){{142, NNR_PHASE_FORWARD, 1.54141e+08}, {143, NNR_PHASE_FORWARD, 1.0276e+08}, {143, NNR_PHASE_BACKWARD, 5.13802e+07}}},
	{"conv_256x14x14x512", "conv(x_14, bottleneck_14_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 52613349376, 310378496, 1, (const NnrShare[]){{145, NNR_PHASE_FORWARD, 5.26133e+10}}},
	{"batchnorm_statistics_50176x512", "batchnorm_statistics of bottleneck_14.conv_bn", NULL, NNR_PHASE_FORWARD, false, 102770688, 102776832, 1, (const NnrShare[]){{146, NNR_PHASE_FORWARD, 1.02771e+08}}},
	{"batchnorm_relu_round_tf32_50176x512", "round_tf32(relu((((conv_44 - add_44) * mul_44) + bottleneck_14_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 102760448, 205527040, 2, (const NnrShare[]){{146, NNR_PHASE_FORWARD, 7.70703e+07}, {144, NNR_PHASE_FORWARD, 2.56901e+07}}},
	{"conv_256x7x7x512", "conv(relu_27, bottleneck_14_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 137887744, 1, (const NnrShare[]){{148, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_12544x512", "batchnorm_statistics of bottleneck_14.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 25700352, 25706496, 1, (const NnrShare[]){{149, NNR_PHASE_FORWARD, 2.57004e+07}}},
	{"batchnorm_relu_round_tf32_12544x512", "round_tf32(relu((((conv_45 - add_45) * mul_45) + bottleneck_14_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 25690112, 51386368, 2, (const NnrShare[]){{149, NNR_PHASE_FORWARD, 1.92676e+07}, {147, NNR_PHASE_FORWARD, 6.42253e+06}}},
	{"conv_256x7x7x2048", "conv(relu_28, bottleneck_14_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{151, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_12544x2048", "batchnorm_statistics of bottleneck_14.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 102801408, 102825984, 1, (const NnrShare[]){{152, NNR_PHASE_FORWARD, 1.02801e+08}}},
	{"conv_256x7x7x2048_2", "conv(x_14, bottleneck_14_conv_bn_4_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 52613349376, 316669952, 1, (const NnrShare[]){{154, NNR_PHASE_FORWARD, 5.26133e+10}}},
	{"batchnorm_statistics_12544x2048", "batchnorm_statistics of bottleneck_14.conv_bn_4", NULL, NNR_PHASE_FORWARD, false, 102801408, 102825984, 1, (const NnrShare[]){{155, NNR_PHASE_FORWARD, 1.02801e+08}}},
	{"batchnorm_add_relu_12544x2048", "batchnorm_add_relu of bottleneck_14", NULL, NNR_PHASE_FORWARD, false, 205520896, 308330496, 3, (const NnrShare[]){{152, NNR_PHASE_FORWARD, 7.70703e+07}, {155, NNR_PHASE_FORWARD, 7.70703e+07}, {156, NNR_PHASE_FORWARD, 5.13802e+07}}},
	{"conv_256x7x7x512_2", "conv(x_15, bottleneck_15_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{158, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_12544x512", "batchnorm_statistics of bottleneck_15.conv_bn", NULL, NNR_PHASE_FORWARD, false, 25700352, 25706496, 1, (const NnrShare[]){{159, NNR_PHASE_FORWARD, 2.57004e+07}}},
	{"batchnorm_relu_round_tf32_12544x512", "round_tf32(relu((((conv_48 - add_48) * mul_48) + bottleneck_15_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 25690112, 51386368, 2, (const NnrShare[]){{159, NNR_PHASE_FORWARD, 1.92676e+07}, {157, NNR_PHASE_FORWARD, 6.42253e+06}}},
	{"conv_256x7x7x512_3", "conv(relu_29, bottleneck_15_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{161, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_12544x512", "batchnorm_statistics of bottleneck_15.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 25700352, 25706496, 1, (const NnrShare[]){{162, NNR_PHASE_FORWARD, 2.57004e+07}}},
	{"batchnorm_relu_round_tf32_12544x512", "round_tf32(relu((((conv_49 - add_49) * mul_49) + bottleneck_15_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 25690112, 51386368, 2, (const NnrShare[]){{162, NNR_PHASE_FORWARD, 1.92676e+07}, {160, NNR_PHASE_FORWARD, 6.42253e+06}}},
	{"conv_256x7x7x2048", "conv(relu_30, bottleneck_15_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{164, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_12544x2048", "batchnorm_statistics of bottleneck_15.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 102801408, 102825984, 1, (const NnrShare[]){{165, NNR_PHASE_FORWARD, 1.02801e+08}}},
	{"batchnorm_add_relu_backward_12544x2048", "batchnorm_add_relu_backward of bottleneck_15", NULL, NNR_PHASE_FORWARD, false, 154140672, 333996032, 3, (const NnrShare[]){{165, NNR_PHASE_FORWARD, 7.70703e+07}, {166, NNR_PHASE_FORWARD, 5.13802e+07}, {166, NNR_PHASE_BACKWARD, 2.56901e+07}}},
	{"conv_256x7x7x512_2", "conv(x_16, bottleneck_16_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{168, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_12544x512", "batchnorm_statistics of bottleneck_16.conv_bn", NULL, NNR_PHASE_FORWARD, false, 25700352, 25706496, 1, (const NnrShare[]){{169, NNR_PHASE_FORWARD, 2.57004e+07}}},
	{"batchnorm_relu_round_tf32_12544x512", "round_tf32(relu((((conv_51 - add_51) * mul_51) + bottleneck_16_conv_bn_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 25690112, 51386368, 2, (const NnrShare[]){{169, NNR_PHASE_FORWARD, 1.92676e+07}, {167, NNR_PHASE_FORWARD, 6.42253e+06}}},
	{"conv_256x7x7x512_3", "conv(relu_31, bottleneck_16_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{171, NNR_PHASE_FORWARD, 5.919e+10}}},
	{"batchnorm_statistics_12544x512", "batchnorm_statistics of bottleneck_16.conv_bn_2", NULL, NNR_PHASE_FORWARD, false, 25700352, 25706496, 1, (const NnrShare[]){{172, NNR_PHASE_FORWARD, 2.57004e+07}}},
	{"batchnorm_relu_round_tf32_12544x512", "round_tf32(relu((((conv_52 - add_52) * mul_52) + bottleneck_16_conv_bn_2_batchnorm_bias)))", NULL, NNR_PHASE_FORWARD, false, 25690112, 51386368, 2, (const NnrShare[]){{172, NNR_PHASE_FORWARD, 1.92676e+07}, {170, NNR_PHASE_FORWARD, 6.42253e+06}}},
	{"conv_256x7x7x2048", "conv(relu_32, bottleneck_16_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_FORWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{174, NNR_PHASE_FORWARD, 2.63067e+10}}},
	{"batchnorm_statistics_12544x2048", "batchnorm_statistics of bottleneck_16.conv_bn_3", NULL, NNR_PHASE_FORWARD, false, 102801408, 102825984, 1, (const NnrShare[]){{175, NNR_PHASE_FORWARD, 1.02801e+08}}},
	{"batchnorm_add_relu_backward_avgpool_256x49x2048", "batchnorm_add_relu_backward_avgpool", NULL, NNR_PHASE_FORWARD, false, 180355072, 233332736, 4, (const NnrShare[]){{175, NNR_PHASE_FORWARD, 7.70703e+07}, {176, NNR_PHASE_FORWARD, 5.13802e+07}, {177, NNR_PHASE_FORWARD, 2.62144e+07}, {176, NNR_PHASE_BACKWARD, 2.56901e+07}}},
	{"matmul_256x1000", "matmul(mul_54, dense_weight)", "cuBLASLt", NNR_PHASE_FORWARD, false, 1048576000, 11313152, 1, (const NnrShare[]){{177, NNR_PHASE_FORWARD, 1.04858e+09}}},
	{"bias_backward_cross_entropy_backward_top1_mean_256x1000", "bias_backward_cross_entropy_backward_top1_mean", NULL, NNR_PHASE_LOSS, false, 7940864, 2053024, 5, (const NnrShare[]){{177, NNR_PHASE_FORWARD, 256000}, {178, NNR_PHASE_LOSS, 4.99635e+06}, {179, NNR_PHASE_LOSS, 1.66451e+06}, {178, NNR_PHASE_BACKWARD, 768000}, {177, NNR_PHASE_BACKWARD, 256000}}},
	{"mean_bias_backward_256x1000", "mean_bias_backward", NULL, NNR_PHASE_LOSS, false, 2, 4008, 5, (const NnrShare[]){{177, NNR_PHASE_FORWARD, 256000}, {178, NNR_PHASE_LOSS, 4.99635e+06}, {179, NNR_PHASE_LOSS, 1.66451e+06}, {178, NNR_PHASE_BACKWARD, 768000}, {177, NNR_PHASE_BACKWARD, 256000}}},
	{"matmul_1000x2048", "matmul(dlogits, mul_54)", "cuBLASLt", NNR_PHASE_BACKWARD, false, 1048576000, 11313152, 1, (const NnrShare[]){{177, NNR_PHASE_BACKWARD, 1.04858e+09}}},
	{"matmul_256x2048", "matmul(dlogits, dense_weight)", "cuBLASLt", NNR_PHASE_BACKWARD, false, 1048576000, 11313152, 1, (const NnrShare[]){{177, NNR_PHASE_BACKWARD, 1.04858e+09}}},
	{"avgpool_backward_524288", "matmul_2 * 0.0204082", NULL, NNR_PHASE_BACKWARD, false, 524288, 4194304, 1, (const NnrShare[]){{177, NNR_PHASE_BACKWARD, 524288}}},
	{"relu_batchnorm_backward_sums_256x49x2048", "relu_batchnorm_backward_sums of bottleneck_16", NULL, NNR_PHASE_BACKWARD, false, 128468992, 130605056, 2, (const NnrShare[]){{176, NNR_PHASE_BACKWARD, 2.56901e+07}, {175, NNR_PHASE_BACKWARD, 1.02779e+08}}},
	{"relu_batchnorm_backward_256x49x2048", "round_tf32(((select(cast(positive_12), mul_55, 0) * mul_53) + (((conv_53 - add_53) * mul_56) + mul_57)))", NULL, NNR_PHASE_BACKWARD, false, 154140672, 233340928, 2, (const NnrShare[]){{176, NNR_PHASE_BACKWARD, 2.56901e+07}, {175, NNR_PHASE_BACKWARD, 1.28451e+08}}},
	{"conv_wgrad_2048x1x1x512", "conv_wgrad(relu_32, dconv)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{174, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x7x7x512", "conv_dgrad(dconv, bottleneck_16_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{174, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_12544x512", "batchnorm_relu_backward_sums of bottleneck_16", NULL, NNR_PHASE_BACKWARD, false, 64229888, 51396608, 2, (const NnrShare[]){{172, NNR_PHASE_BACKWARD, 4.49623e+07}, {170, NNR_PHASE_BACKWARD, 1.92676e+07}}},
	{"batchnorm_relu_backward_12544x512", "batchnorm_relu_backward of bottleneck_16", NULL, NNR_PHASE_BACKWARD, false, 70647808, 77080576, 2, (const NnrShare[]){{172, NNR_PHASE_BACKWARD, 5.13802e+07}, {170, NNR_PHASE_BACKWARD, 1.92676e+07}}},
	{"conv_wgrad_512x3x3x512", "conv_wgrad(relu_31, dconv_2)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{171, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x7x7x512_2", "conv_dgrad(dconv_2, bottleneck_16_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{171, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_12544x512", "batchnorm_relu_backward_sums of bottleneck_16", NULL, NNR_PHASE_BACKWARD, false, 64229888, 51396608, 2, (const NnrShare[]){{169, NNR_PHASE_BACKWARD, 4.49623e+07}, {167, NNR_PHASE_BACKWARD, 1.92676e+07}}},
	{"batchnorm_relu_backward_12544x512", "batchnorm_relu_backward of bottleneck_16", NULL, NNR_PHASE_BACKWARD, false, 70647808, 77080576, 2, (const NnrShare[]){{169, NNR_PHASE_BACKWARD, 5.13802e+07}, {167, NNR_PHASE_BACKWARD, 1.92676e+07}}},
	{"conv_wgrad_512x1x1x2048", "conv_wgrad(x_16, dconv_3)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{168, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x7x7x2048", "conv_dgrad(dconv_3, bottleneck_16_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{168, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"relu_add_batchnorm_backward_sums_256x49x2048", "relu_add_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 179849216, 361816064, 4, (const NnrShare[]){{176, NNR_PHASE_BACKWARD, 3.85352e+07}, {168, NNR_PHASE_BACKWARD, 1.28451e+07}, {166, NNR_PHASE_BACKWARD, 2.56901e+07}, {165, NNR_PHASE_BACKWARD, 1.02779e+08}}},
	{"batchnorm_backward_12544x2048", "round_tf32(((dy * mul_50) + (((conv_50 - add_50) * mul_62) + mul_63)))", NULL, NNR_PHASE_BACKWARD, false, 128450560, 308314112, 1, (const NnrShare[]){{165, NNR_PHASE_BACKWARD, 1.28451e+08}}},
	{"conv_wgrad_2048x1x1x512", "conv_wgrad(relu_30, dconv_4)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{164, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x7x7x512", "conv_dgrad(dconv_4, bottleneck_15_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{164, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_12544x512", "batchnorm_relu_backward_sums of bottleneck_15", NULL, NNR_PHASE_BACKWARD, false, 64229888, 51396608, 2, (const NnrShare[]){{162, NNR_PHASE_BACKWARD, 4.49623e+07}, {160, NNR_PHASE_BACKWARD, 1.92676e+07}}},
	{"batchnorm_relu_backward_12544x512", "batchnorm_relu_backward of bottleneck_15", NULL, NNR_PHASE_BACKWARD, false, 70647808, 77080576, 2, (const NnrShare[]){{162, NNR_PHASE_BACKWARD, 5.13802e+07}, {160, NNR_PHASE_BACKWARD, 1.92676e+07}}},
	{"conv_wgrad_512x3x3x512", "conv_wgrad(relu_29, dconv_5)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{161, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x7x7x512_2", "conv_dgrad(dconv_5, bottleneck_15_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 60817408, 1, (const NnrShare[]){{161, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_12544x512", "batchnorm_relu_backward_sums of bottleneck_15", NULL, NNR_PHASE_BACKWARD, false, 64229888, 51396608, 2, (const NnrShare[]){{159, NNR_PHASE_BACKWARD, 4.49623e+07}, {157, NNR_PHASE_BACKWARD, 1.92676e+07}}},
	{"batchnorm_relu_backward_12544x512", "batchnorm_relu_backward of bottleneck_15", NULL, NNR_PHASE_BACKWARD, false, 70647808, 77080576, 2, (const NnrShare[]){{159, NNR_PHASE_BACKWARD, 5.13802e+07}, {157, NNR_PHASE_BACKWARD, 1.92676e+07}}},
	{"conv_wgrad_512x1x1x2048", "conv_wgrad(x_15, dconv_6)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{158, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x7x7x2048", "conv_dgrad(dconv_6, bottleneck_15_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{158, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"add_batchnorm_relu_backward_sums_12544x2048", "add_batchnorm_relu_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 462458880, 513933312, 5, (const NnrShare[]){{158, NNR_PHASE_BACKWARD, 1.28451e+07}, {166, NNR_PHASE_BACKWARD, 1.28451e+07}, {152, NNR_PHASE_BACKWARD, 1.67004e+08}, {155, NNR_PHASE_BACKWARD, 1.67004e+08}, {156, NNR_PHASE_BACKWARD, 1.0276e+08}}},
	{"batchnorm_backward_12544x2048", "round_tf32(((dshortcut * mul_47) + (((conv_47 - add_47) * mul_68) + mul_69)))", NULL, NNR_PHASE_BACKWARD, false, 128450560, 308314112, 1, (const NnrShare[]){{155, NNR_PHASE_BACKWARD, 1.28451e+08}}},
	{"conv_wgrad_2048x1x1x1024", "conv_wgrad(x_14, dconv_7)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 316669952, 1, (const NnrShare[]){{154, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"conv_dgrad_256x7x7x1024", "conv_dgrad(dconv_7, bottleneck_14_conv_bn_4_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 162529280, 1, (const NnrShare[]){{154, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"batchnorm_backward_12544x2048_2", "round_tf32(((dshortcut * mul_46) + (((conv_46 - add_46) * mul_70) + mul_71)))", NULL, NNR_PHASE_BACKWARD, false, 128450560, 308314112, 1, (const NnrShare[]){{152, NNR_PHASE_BACKWARD, 1.28451e+08}}},
	{"conv_wgrad_2048x1x1x512", "conv_wgrad(relu_28, dconv_8)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{151, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x7x7x512", "conv_dgrad(dconv_8, bottleneck_14_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 132644864, 1, (const NnrShare[]){{151, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_12544x512", "batchnorm_relu_backward_sums of bottleneck_14", NULL, NNR_PHASE_BACKWARD, false, 64229888, 51396608, 2, (const NnrShare[]){{149, NNR_PHASE_BACKWARD, 4.49623e+07}, {147, NNR_PHASE_BACKWARD, 1.92676e+07}}},
	{"batchnorm_relu_backward_12544x512", "batchnorm_relu_backward of bottleneck_14", NULL, NNR_PHASE_BACKWARD, false, 70647808, 77080576, 2, (const NnrShare[]){{149, NNR_PHASE_BACKWARD, 5.13802e+07}, {147, NNR_PHASE_BACKWARD, 1.92676e+07}}},
	{"conv_wgrad_512x3x3x512_2", "conv_wgrad(relu_27, dconv_9)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 137887744, 1, (const NnrShare[]){{148, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x14x14x512", "conv_dgrad(dconv_9, bottleneck_14_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 137887744, 1, (const NnrShare[]){{148, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_50176x512", "batchnorm_relu_backward_sums of bottleneck_14", NULL, NNR_PHASE_BACKWARD, false, 256905728, 205537280, 2, (const NnrShare[]){{146, NNR_PHASE_BACKWARD, 1.79835e+08}, {144, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"batchnorm_relu_backward_50176x512", "batchnorm_relu_backward of bottleneck_14", NULL, NNR_PHASE_BACKWARD, false, 282591232, 308291584, 2, (const NnrShare[]){{146, NNR_PHASE_BACKWARD, 2.05521e+08}, {144, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"conv_wgrad_512x1x1x1024", "conv_wgrad(x_14, dconv_10)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 310378496, 1, (const NnrShare[]){{145, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"conv_dgrad_256x14x14x1024", "conv_dgrad(dconv_10, bottleneck_14_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 310378496, 1, (const NnrShare[]){{145, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"relu_conv_add_batchnorm_backward_sums_256x14x14x1024", "relu_conv_add_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 308290560, 719351808, 4, (const NnrShare[]){{145, NNR_PHASE_BACKWARD, 2.56901e+07}, {154, NNR_PHASE_BACKWARD, 2.56901e+07}, {143, NNR_PHASE_BACKWARD, 5.13802e+07}, {142, NNR_PHASE_BACKWARD, 2.0553e+08}}},
	{"batchnorm_backward_50176x1024", "round_tf32(((dy_2 * mul_43) + (((conv_43 - add_43) * mul_76) + mul_77)))", NULL, NNR_PHASE_BACKWARD, false, 256901120, 616579072, 1, (const NnrShare[]){{142, NNR_PHASE_BACKWARD, 2.56901e+08}}},
	{"conv_wgrad_1024x1x1x256", "conv_wgrad(relu_26, dconv_11)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{141, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x14x14x256", "conv_dgrad(dconv_11, bottleneck_13_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{141, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_50176x256", "batchnorm_relu_backward_sums of bottleneck_13", NULL, NNR_PHASE_BACKWARD, false, 128452864, 102768640, 2, (const NnrShare[]){{139, NNR_PHASE_BACKWARD, 8.99177e+07}, {137, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"batchnorm_relu_backward_50176x256", "batchnorm_relu_backward of bottleneck_13", NULL, NNR_PHASE_BACKWARD, false, 141295616, 154145792, 2, (const NnrShare[]){{139, NNR_PHASE_BACKWARD, 1.0276e+08}, {137, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"conv_wgrad_256x3x3x256", "conv_wgrad(relu_25, dconv_12)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{138, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x14x14x256_2", "conv_dgrad(dconv_12, bottleneck_13_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{138, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_50176x256", "batchnorm_relu_backward_sums of bottleneck_13", NULL, NNR_PHASE_BACKWARD, false, 128452864, 102768640, 2, (const NnrShare[]){{136, NNR_PHASE_BACKWARD, 8.99177e+07}, {134, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"batchnorm_relu_backward_50176x256", "batchnorm_relu_backward of bottleneck_13", NULL, NNR_PHASE_BACKWARD, false, 141295616, 154145792, 2, (const NnrShare[]){{136, NNR_PHASE_BACKWARD, 1.0276e+08}, {134, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"conv_wgrad_256x1x1x1024", "conv_wgrad(x_13, dconv_13)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{135, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x14x14x1024_2", "conv_dgrad(dconv_13, bottleneck_13_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{135, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"add_relu_batchnorm_backward_sums_50176x1024", "add_relu_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 308290560, 873492480, 4, (const NnrShare[]){{135, NNR_PHASE_BACKWARD, 2.56901e+07}, {143, NNR_PHASE_BACKWARD, 2.56901e+07}, {133, NNR_PHASE_BACKWARD, 5.13802e+07}, {132, NNR_PHASE_BACKWARD, 2.0553e+08}}},
	{"batchnorm_backward_50176x1024", "round_tf32(((dy_3 * mul_40) + (((conv_40 - add_40) * mul_82) + mul_83)))", NULL, NNR_PHASE_BACKWARD, false, 256901120, 616579072, 1, (const NnrShare[]){{132, NNR_PHASE_BACKWARD, 2.56901e+08}}},
	{"conv_wgrad_1024x1x1x256", "conv_wgrad(relu_24, dconv_14)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{131, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x14x14x256", "conv_dgrad(dconv_14, bottleneck_12_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{131, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_50176x256", "batchnorm_relu_backward_sums of bottleneck_12", NULL, NNR_PHASE_BACKWARD, false, 128452864, 102768640, 2, (const NnrShare[]){{129, NNR_PHASE_BACKWARD, 8.99177e+07}, {127, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"batchnorm_relu_backward_50176x256", "batchnorm_relu_backward of bottleneck_12", NULL, NNR_PHASE_BACKWARD, false, 141295616, 154145792, 2, (const NnrShare[]){{129, NNR_PHASE_BACKWARD, 1.0276e+08}, {127, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"conv_wgrad_256x3x3x256", "conv_wgrad(relu_23, dconv_15)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{128, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x14x14x256_2", "conv_dgrad(dconv_15, bottleneck_12_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{128, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_50176x256", "batchnorm_relu_backward_sums of bottleneck_12", NULL, NNR_PHASE_BACKWARD, false, 128452864, 102768640, 2, (const NnrShare[]){{126, NNR_PHASE_BACKWARD, 8.99177e+07}, {124, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"batchnorm_relu_backward_50176x256", "batchnorm_relu_backward of bottleneck_12", NULL, NNR_PHASE_BACKWARD, false, 141295616, 154145792, 2, (const NnrShare[]){{126, NNR_PHASE_BACKWARD, 1.0276e+08}, {124, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"conv_wgrad_256x1x1x1024", "conv_wgrad(x_12, dconv_16)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{125, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x14x14x1024_2", "conv_dgrad(dconv_16, bottleneck_12_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{125, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"add_relu_batchnorm_backward_sums_50176x1024", "add_relu_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 308290560, 873492480, 4, (const NnrShare[]){{125, NNR_PHASE_BACKWARD, 2.56901e+07}, {133, NNR_PHASE_BACKWARD, 2.56901e+07}, {123, NNR_PHASE_BACKWARD, 5.13802e+07}, {122, NNR_PHASE_BACKWARD, 2.0553e+08}}},
	{"batchnorm_backward_50176x1024", "round_tf32(((dy_4 * mul_37) + (((conv_37 - add_37) * mul_88) + mul_89)))", NULL, NNR_PHASE_BACKWARD, false, 256901120, 616579072, 1, (const NnrShare[]){{122, NNR_PHASE_BACKWARD, 2.56901e+08}}},
	{"conv_wgrad_1024x1x1x256", "conv_wgrad(relu_22, dconv_17)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{121, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x14x14x256", "conv_dgrad(dconv_17, bottleneck_11_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{121, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_50176x256", "batchnorm_relu_backward_sums of bottleneck_11", NULL, NNR_PHASE_BACKWARD, false, 128452864, 102768640, 2, (const NnrShare[]){{119, NNR_PHASE_BACKWARD, 8.99177e+07}, {117, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"batchnorm_relu_backward_50176x256", "batchnorm_relu_backward of bottleneck_11", NULL, NNR_PHASE_BACKWARD, false, 141295616, 154145792, 2, (const NnrShare[]){{119, NNR_PHASE_BACKWARD, 1.0276e+08}, {117, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"conv_wgrad_256x3x3x256", "conv_wgrad(relu_21, dconv_18)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{118, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x14x14x256_2", "conv_dgrad(dconv_18, bottleneck_11_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{118, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_50176x256", "batchnorm_relu_backward_sums of bottleneck_11", NULL, NNR_PHASE_BACKWARD, false, 128452864, 102768640, 2, (const NnrShare[]){{116, NNR_PHASE_BACKWARD, 8.99177e+07}, {114, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"batchnorm_relu_backward_50176x256", "batchnorm_relu_backward of bottleneck_11", NULL, NNR_PHASE_BACKWARD, false, 141295616, 154145792, 2, (const NnrShare[]){{116, NNR_PHASE_BACKWARD, 1.0276e+08}, {114, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"conv_wgrad_256x1x1x1024", "conv_wgrad(x_11, dconv_19)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{115, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x14x14x1024_2", "conv_dgrad(dconv_19, bottleneck_11_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{115, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"add_relu_batchnorm_backward_sums_50176x1024", "add_relu_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 308290560, 873492480, 4, (const NnrShare[]){{115, NNR_PHASE_BACKWARD, 2.56901e+07}, {123, NNR_PHASE_BACKWARD, 2.56901e+07}, {113, NNR_PHASE_BACKWARD, 5.13802e+07}, {112, NNR_PHASE_BACKWARD, 2.0553e+08}}},
	{"batchnorm_backward_50176x1024", "round_tf32(((dy_5 * mul_34) + (((conv_34 - add_34) * mul_94) + mul_95)))", NULL, NNR_PHASE_BACKWARD, false, 256901120, 616579072, 1, (const NnrShare[]){{112, NNR_PHASE_BACKWARD, 2.56901e+08}}},
	{"conv_wgrad_1024x1x1x256", "conv_wgrad(relu_20, dconv_20)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{111, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x14x14x256", "conv_dgrad(dconv_20, bottleneck_10_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{111, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_50176x256", "batchnorm_relu_backward_sums of bottleneck_10", NULL, NNR_PHASE_BACKWARD, false, 128452864, 102768640, 2, (const NnrShare[]){{109, NNR_PHASE_BACKWARD, 8.99177e+07}, {107, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"batchnorm_relu_backward_50176x256", "batchnorm_relu_backward of bottleneck_10", NULL, NNR_PHASE_BACKWARD, false, 141295616, 154145792, 2, (const NnrShare[]){{109, NNR_PHASE_BACKWARD, 1.0276e+08}, {107, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"conv_wgrad_256x3x3x256", "conv_wgrad(relu_19, dconv_21)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{108, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x14x14x256_2", "conv_dgrad(dconv_21, bottleneck_10_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{108, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_50176x256", "batchnorm_relu_backward_sums of bottleneck_10", NULL, NNR_PHASE_BACKWARD, false, 128452864, 102768640, 2, (const NnrShare[]){{106, NNR_PHASE_BACKWARD, 8.99177e+07}, {104, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"batchnorm_relu_backward_50176x256", "batchnorm_relu_backward of bottleneck_10", NULL, NNR_PHASE_BACKWARD, false, 141295616, 154145792, 2, (const NnrShare[]){{106, NNR_PHASE_BACKWARD, 1.0276e+08}, {104, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"conv_wgrad_256x1x1x1024", "conv_wgrad(x_10, dconv_22)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{105, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x14x14x1024_2", "conv_dgrad(dconv_22, bottleneck_10_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{105, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"add_relu_batchnorm_backward_sums_50176x1024", "add_relu_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 308290560, 873492480, 4, (const NnrShare[]){{105, NNR_PHASE_BACKWARD, 2.56901e+07}, {113, NNR_PHASE_BACKWARD, 2.56901e+07}, {103, NNR_PHASE_BACKWARD, 5.13802e+07}, {102, NNR_PHASE_BACKWARD, 2.0553e+08}}},
	{"batchnorm_backward_50176x1024", "round_tf32(((dy_6 * mul_31) + (((conv_31 - add_31) * mul_100) + mul_101)))", NULL, NNR_PHASE_BACKWARD, false, 256901120, 616579072, 1, (const NnrShare[]){{102, NNR_PHASE_BACKWARD, 2.56901e+08}}},
	{"conv_wgrad_1024x1x1x256", "conv_wgrad(relu_18, dconv_23)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{101, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x14x14x256", "conv_dgrad(dconv_23, bottleneck_9_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{101, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_50176x256", "batchnorm_relu_backward_sums of bottleneck_9", NULL, NNR_PHASE_BACKWARD, false, 128452864, 102768640, 2, (const NnrShare[]){{99, NNR_PHASE_BACKWARD, 8.99177e+07}, {97, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"batchnorm_relu_backward_50176x256", "batchnorm_relu_backward of bottleneck_9", NULL, NNR_PHASE_BACKWARD, false, 141295616, 154145792, 2, (const NnrShare[]){{99, NNR_PHASE_BACKWARD, 1.0276e+08}, {97, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"conv_wgrad_256x3x3x256", "conv_wgrad(relu_17, dconv_24)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{98, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x14x14x256_2", "conv_dgrad(dconv_24, bottleneck_9_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 105119744, 1, (const NnrShare[]){{98, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_50176x256", "batchnorm_relu_backward_sums of bottleneck_9", NULL, NNR_PHASE_BACKWARD, false, 128452864, 102768640, 2, (const NnrShare[]){{96, NNR_PHASE_BACKWARD, 8.99177e+07}, {94, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"batchnorm_relu_backward_50176x256", "batchnorm_relu_backward of bottleneck_9", NULL, NNR_PHASE_BACKWARD, false, 141295616, 154145792, 2, (const NnrShare[]){{96, NNR_PHASE_BACKWARD, 1.0276e+08}, {94, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"conv_wgrad_256x1x1x1024", "conv_wgrad(x_9, dconv_25)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{95, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x14x14x1024_2", "conv_dgrad(dconv_25, bottleneck_9_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{95, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"add_batchnorm_relu_backward_sums_50176x1024", "add_batchnorm_relu_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 924862464, 1027670016, 5, (const NnrShare[]){{95, NNR_PHASE_BACKWARD, 2.56901e+07}, {103, NNR_PHASE_BACKWARD, 2.56901e+07}, {89, NNR_PHASE_BACKWARD, 3.33981e+08}, {92, NNR_PHASE_BACKWARD, 3.33981e+08}, {93, NNR_PHASE_BACKWARD, 2.05521e+08}}},
	{"batchnorm_backward_50176x1024", "round_tf32(((dshortcut_2 * mul_28) + (((conv_28 - add_28) * mul_106) + mul_107)))", NULL, NNR_PHASE_BACKWARD, false, 256901120, 616579072, 1, (const NnrShare[]){{92, NNR_PHASE_BACKWARD, 2.56901e+08}}},
	{"conv_wgrad_1024x1x1x512", "conv_wgrad(x_8, dconv_26)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 618659840, 1, (const NnrShare[]){{91, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"conv_dgrad_256x14x14x512_2", "conv_dgrad(dconv_26, bottleneck_8_conv_bn_4_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 310378496, 1, (const NnrShare[]){{91, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"batchnorm_backward_50176x1024_2", "round_tf32(((dshortcut_2 * mul_27) + (((conv_27 - add_27) * mul_108) + mul_109)))", NULL, NNR_PHASE_BACKWARD, false, 256901120, 616579072, 1, (const NnrShare[]){{89, NNR_PHASE_BACKWARD, 2.56901e+08}}},
	{"conv_wgrad_1024x1x1x256", "conv_wgrad(relu_16, dconv_27)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{88, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x14x14x256", "conv_dgrad(dconv_27, bottleneck_8_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 257949696, 1, (const NnrShare[]){{88, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_50176x256", "batchnorm_relu_backward_sums of bottleneck_8", NULL, NNR_PHASE_BACKWARD, false, 128452864, 102768640, 2, (const NnrShare[]){{86, NNR_PHASE_BACKWARD, 8.99177e+07}, {84, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"batchnorm_relu_backward_50176x256", "batchnorm_relu_backward of bottleneck_8", NULL, NNR_PHASE_BACKWARD, false, 141295616, 154145792, 2, (const NnrShare[]){{86, NNR_PHASE_BACKWARD, 1.0276e+08}, {84, NNR_PHASE_BACKWARD, 3.85352e+07}}},
	{"conv_wgrad_256x3x3x256_2", "conv_wgrad(relu_15, dconv_28)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 259260416, 1, (const NnrShare[]){{85, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x28x28x256", "conv_dgrad(dconv_28, bottleneck_8_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 259260416, 1, (const NnrShare[]){{85, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_200704x256", "batchnorm_relu_backward_sums of bottleneck_8", NULL, NNR_PHASE_BACKWARD, false, 513804544, 411049984, 2, (const NnrShare[]){{83, NNR_PHASE_BACKWARD, 3.59664e+08}, {81, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"batchnorm_relu_backward_200704x256", "batchnorm_relu_backward of bottleneck_8", NULL, NNR_PHASE_BACKWARD, false, 565182464, 616567808, 2, (const NnrShare[]){{83, NNR_PHASE_BACKWARD, 4.11042e+08}, {81, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"conv_wgrad_256x1x1x512", "conv_wgrad(x_8, dconv_29)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 617086976, 1, (const NnrShare[]){{82, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"conv_dgrad_256x28x28x512", "conv_dgrad(dconv_29, bottleneck_8_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 617086976, 1, (const NnrShare[]){{82, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"relu_conv_add_batchnorm_backward_sums_256x28x28x512", "relu_conv_add_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 616567296, 1438660608, 4, (const NnrShare[]){{82, NNR_PHASE_BACKWARD, 5.13802e+07}, {91, NNR_PHASE_BACKWARD, 5.13802e+07}, {80, NNR_PHASE_BACKWARD, 1.0276e+08}, {79, NNR_PHASE_BACKWARD, 4.11046e+08}}},
	{"batchnorm_backward_200704x512", "round_tf32(((dy_7 * mul_24) + (((conv_24 - add_24) * mul_114) + mul_115)))", NULL, NNR_PHASE_BACKWARD, false, 513802240, 1233133568, 1, (const NnrShare[]){{79, NNR_PHASE_BACKWARD, 5.13802e+08}}},
	{"conv_wgrad_512x1x1x128", "conv_wgrad(relu_14, dconv_30)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{78, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x28x28x128", "conv_dgrad(dconv_30, bottleneck_7_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{78, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_200704x128", "batchnorm_relu_backward_sums of bottleneck_7", NULL, NNR_PHASE_BACKWARD, false, 256902272, 205524992, 2, (const NnrShare[]){{76, NNR_PHASE_BACKWARD, 1.79832e+08}, {74, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"batchnorm_relu_backward_200704x128", "batchnorm_relu_backward of bottleneck_7", NULL, NNR_PHASE_BACKWARD, false, 282591232, 308283904, 2, (const NnrShare[]){{76, NNR_PHASE_BACKWARD, 2.05521e+08}, {74, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"conv_wgrad_128x3x3x128", "conv_wgrad(relu_13, dconv_31)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 206110720, 1, (const NnrShare[]){{75, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x28x28x128_2", "conv_dgrad(dconv_31, bottleneck_7_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 206110720, 1, (const NnrShare[]){{75, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_200704x128", "batchnorm_relu_backward_sums of bottleneck_7", NULL, NNR_PHASE_BACKWARD, false, 256902272, 205524992, 2, (const NnrShare[]){{73, NNR_PHASE_BACKWARD, 1.79832e+08}, {71, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"batchnorm_relu_backward_200704x128", "batchnorm_relu_backward of bottleneck_7", NULL, NNR_PHASE_BACKWARD, false, 282591232, 308283904, 2, (const NnrShare[]){{73, NNR_PHASE_BACKWARD, 2.05521e+08}, {71, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"conv_wgrad_128x1x1x512", "conv_wgrad(x_7, dconv_32)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{72, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x28x28x512_2", "conv_dgrad(dconv_32, bottleneck_7_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{72, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"add_relu_batchnorm_backward_sums_200704x512", "add_relu_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 616567296, 1746941952, 4, (const NnrShare[]){{72, NNR_PHASE_BACKWARD, 5.13802e+07}, {80, NNR_PHASE_BACKWARD, 5.13802e+07}, {70, NNR_PHASE_BACKWARD, 1.0276e+08}, {69, NNR_PHASE_BACKWARD, 4.11046e+08}}},
	{"batchnorm_backward_200704x512", "round_tf32(((dy_8 * mul_21) + (((conv_21 - add_21) * mul_120) + mul_121)))", NULL, NNR_PHASE_BACKWARD, false, 513802240, 1233133568, 1, (const NnrShare[]){{69, NNR_PHASE_BACKWARD, 5.13802e+08}}},
	{"conv_wgrad_512x1x1x128", "conv_wgrad(relu_12, dconv_33)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{68, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x28x28x128", "conv_dgrad(dconv_33, bottleneck_6_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{68, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_200704x128", "batchnorm_relu_backward_sums of bottleneck_6", NULL, NNR_PHASE_BACKWARD, false, 256902272, 205524992, 2, (const NnrShare[]){{66, NNR_PHASE_BACKWARD, 1.79832e+08}, {64, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"batchnorm_relu_backward_200704x128", "batchnorm_relu_backward of bottleneck_6", NULL, NNR_PHASE_BACKWARD, false, 282591232, 308283904, 2, (const NnrShare[]){{66, NNR_PHASE_BACKWARD, 2.05521e+08}, {64, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"conv_wgrad_128x3x3x128", "conv_wgrad(relu_11, dconv_34)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 206110720, 1, (const NnrShare[]){{65, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x28x28x128_2", "conv_dgrad(dconv_34, bottleneck_6_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 206110720, 1, (const NnrShare[]){{65, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_200704x128", "batchnorm_relu_backward_sums of bottleneck_6", NULL, NNR_PHASE_BACKWARD, false, 256902272, 205524992, 2, (const NnrShare[]){{63, NNR_PHASE_BACKWARD, 1.79832e+08}, {61, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"batchnorm_relu_backward_200704x128", "batchnorm_relu_backward of bottleneck_6", NULL, NNR_PHASE_BACKWARD, false, 282591232, 308283904, 2, (const NnrShare[]){{63, NNR_PHASE_BACKWARD, 2.05521e+08}, {61, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"conv_wgrad_128x1x1x512", "conv_wgrad(x_6, dconv_35)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{62, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x28x28x512_2", "conv_dgrad(dconv_35, bottleneck_6_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{62, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"add_relu_batchnorm_backward_sums_200704x512", "add_relu_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 616567296, 1746941952, 4, (const NnrShare[]){{62, NNR_PHASE_BACKWARD, 5.13802e+07}, {70, NNR_PHASE_BACKWARD, 5.13802e+07}, {60, NNR_PHASE_BACKWARD, 1.0276e+08}, {59, NNR_PHASE_BACKWARD, 4.11046e+08}}},
	{"batchnorm_backward_200704x512", "round_tf32(((dy_9 * mul_18) + (((conv_18 - add_18) * mul_126) + mul_127)))", NULL, NNR_PHASE_BACKWARD, false, 513802240, 1233133568, 1, (const NnrShare[]){{59, NNR_PHASE_BACKWARD, 5.13802e+08}}},
	{"conv_wgrad_512x1x1x128", "conv_wgrad(relu_10, dconv_36)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{58, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x28x28x128", "conv_dgrad(dconv_36, bottleneck_5_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{58, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_200704x128", "batchnorm_relu_backward_sums of bottleneck_5", NULL, NNR_PHASE_BACKWARD, false, 256902272, 205524992, 2, (const NnrShare[]){{56, NNR_PHASE_BACKWARD, 1.79832e+08}, {54, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"batchnorm_relu_backward_200704x128", "batchnorm_relu_backward of bottleneck_5", NULL, NNR_PHASE_BACKWARD, false, 282591232, 308283904, 2, (const NnrShare[]){{56, NNR_PHASE_BACKWARD, 2.05521e+08}, {54, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"conv_wgrad_128x3x3x128", "conv_wgrad(relu_9, dconv_37)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 206110720, 1, (const NnrShare[]){{55, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x28x28x128_2", "conv_dgrad(dconv_37, bottleneck_5_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 206110720, 1, (const NnrShare[]){{55, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_200704x128", "batchnorm_relu_backward_sums of bottleneck_5", NULL, NNR_PHASE_BACKWARD, false, 256902272, 205524992, 2, (const NnrShare[]){{53, NNR_PHASE_BACKWARD, 1.79832e+08}, {51, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"batchnorm_relu_backward_200704x128", "batchnorm_relu_backward of bottleneck_5", NULL, NNR_PHASE_BACKWARD, false, 282591232, 308283904, 2, (const NnrShare[]){{53, NNR_PHASE_BACKWARD, 2.05521e+08}, {51, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"conv_wgrad_128x1x1x512", "conv_wgrad(x_5, dconv_38)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{52, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x28x28x512_2", "conv_dgrad(dconv_38, bottleneck_5_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{52, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"add_batchnorm_relu_backward_sums_200704x512", "add_batchnorm_relu_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 1849697280, 2055241728, 5, (const NnrShare[]){{52, NNR_PHASE_BACKWARD, 5.13802e+07}, {60, NNR_PHASE_BACKWARD, 5.13802e+07}, {46, NNR_PHASE_BACKWARD, 6.67948e+08}, {49, NNR_PHASE_BACKWARD, 6.67948e+08}, {50, NNR_PHASE_BACKWARD, 4.11042e+08}}},
	{"batchnorm_backward_200704x512", "round_tf32(((dshortcut_3 * mul_15) + (((conv_15 - add_15) * mul_132) + mul_133)))", NULL, NNR_PHASE_BACKWARD, false, 513802240, 1233133568, 1, (const NnrShare[]){{49, NNR_PHASE_BACKWARD, 5.13802e+08}}},
	{"conv_wgrad_512x1x1x256", "conv_wgrad(x_4, dconv_39)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 1233649664, 1, (const NnrShare[]){{48, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"conv_dgrad_256x28x28x256_2", "conv_dgrad(dconv_39, bottleneck_4_conv_bn_4_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 617086976, 1, (const NnrShare[]){{48, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"batchnorm_backward_200704x512_2", "round_tf32(((dshortcut_3 * mul_14) + (((conv_14 - add_14) * mul_134) + mul_135)))", NULL, NNR_PHASE_BACKWARD, false, 513802240, 1233133568, 1, (const NnrShare[]){{46, NNR_PHASE_BACKWARD, 5.13802e+08}}},
	{"conv_wgrad_512x1x1x128", "conv_wgrad(relu_8, dconv_40)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{45, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x28x28x128", "conv_dgrad(dconv_40, bottleneck_4_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 514064384, 1, (const NnrShare[]){{45, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_200704x128", "batchnorm_relu_backward_sums of bottleneck_4", NULL, NNR_PHASE_BACKWARD, false, 256902272, 205524992, 2, (const NnrShare[]){{43, NNR_PHASE_BACKWARD, 1.79832e+08}, {41, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"batchnorm_relu_backward_200704x128", "batchnorm_relu_backward of bottleneck_4", NULL, NNR_PHASE_BACKWARD, false, 282591232, 308283904, 2, (const NnrShare[]){{43, NNR_PHASE_BACKWARD, 2.05521e+08}, {41, NNR_PHASE_BACKWARD, 7.70703e+07}}},
	{"conv_wgrad_128x3x3x128_2", "conv_wgrad(relu_7, dconv_41)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 514392064, 1, (const NnrShare[]){{42, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x56x56x128", "conv_dgrad(dconv_41, bottleneck_4_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 514392064, 1, (const NnrShare[]){{42, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_802816x128", "batchnorm_relu_backward_sums of bottleneck_4", NULL, NNR_PHASE_BACKWARD, false, 1027605632, 822087680, 2, (const NnrShare[]){{40, NNR_PHASE_BACKWARD, 7.19324e+08}, {38, NNR_PHASE_BACKWARD, 3.08281e+08}}},
	{"batchnorm_relu_backward_802816x128", "batchnorm_relu_backward of bottleneck_4", NULL, NNR_PHASE_BACKWARD, false, 1130364928, 1233127936, 2, (const NnrShare[]){{40, NNR_PHASE_BACKWARD, 8.22084e+08}, {38, NNR_PHASE_BACKWARD, 3.08281e+08}}},
	{"conv_wgrad_128x1x1x256", "conv_wgrad(x_4, dconv_42)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 1233256448, 1, (const NnrShare[]){{39, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"conv_dgrad_256x56x56x256", "conv_dgrad(dconv_42, bottleneck_4_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 52613349376, 1233256448, 1, (const NnrShare[]){{39, NNR_PHASE_BACKWARD, 5.26133e+10}}},
	{"relu_conv_add_batchnorm_backward_sums_256x56x56x256", "relu_conv_add_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 1233127680, 2877299712, 4, (const NnrShare[]){{39, NNR_PHASE_BACKWARD, 1.0276e+08}, {48, NNR_PHASE_BACKWARD, 1.0276e+08}, {37, NNR_PHASE_BACKWARD, 2.05521e+08}, {36, NNR_PHASE_BACKWARD, 8.22086e+08}}},
	{"batchnorm_backward_802816x256", "round_tf32(((dy_10 * mul_11) + (((conv_11 - add_11) * mul_140) + mul_141)))", NULL, NNR_PHASE_BACKWARD, false, 1027604480, 2466254848, 1, (const NnrShare[]){{36, NNR_PHASE_BACKWARD, 1.0276e+09}}},
	{"conv_wgrad_256x1x1x64", "conv_wgrad(relu_6, dconv_43)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{35, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x56x56x64", "conv_dgrad(dconv_43, bottleneck_3_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{35, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_802816x64", "batchnorm_relu_backward_sums of bottleneck_3", NULL, NNR_PHASE_BACKWARD, false, 513802816, 411043840, 2, (const NnrShare[]){{33, NNR_PHASE_BACKWARD, 3.59662e+08}, {31, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"batchnorm_relu_backward_802816x64", "batchnorm_relu_backward of bottleneck_3", NULL, NNR_PHASE_BACKWARD, false, 565182464, 616563968, 2, (const NnrShare[]){{33, NNR_PHASE_BACKWARD, 4.11042e+08}, {31, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"conv_wgrad_64x3x3x64", "conv_wgrad(relu_5, dconv_44)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 411189248, 1, (const NnrShare[]){{32, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x56x56x64_2", "conv_dgrad(dconv_44, bottleneck_3_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 411189248, 1, (const NnrShare[]){{32, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_802816x64", "batchnorm_relu_backward_sums of bottleneck_3", NULL, NNR_PHASE_BACKWARD, false, 513802816, 411043840, 2, (const NnrShare[]){{30, NNR_PHASE_BACKWARD, 3.59662e+08}, {28, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"batchnorm_relu_backward_802816x64", "batchnorm_relu_backward of bottleneck_3", NULL, NNR_PHASE_BACKWARD, false, 565182464, 616563968, 2, (const NnrShare[]){{30, NNR_PHASE_BACKWARD, 4.11042e+08}, {28, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"conv_wgrad_64x1x1x256", "conv_wgrad(x_3, dconv_45)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{29, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x56x56x256_2", "conv_dgrad(dconv_45, bottleneck_3_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{29, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"add_relu_batchnorm_backward_sums_802816x256", "add_relu_batchnorm_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 1233127680, 3493862400, 4, (const NnrShare[]){{29, NNR_PHASE_BACKWARD, 1.0276e+08}, {37, NNR_PHASE_BACKWARD, 1.0276e+08}, {27, NNR_PHASE_BACKWARD, 2.05521e+08}, {26, NNR_PHASE_BACKWARD, 8.22086e+08}}},
	{"batchnorm_backward_802816x256", "round_tf32(((dy_11 * mul_8) + (((conv_8 - add_8) * mul_146) + mul_147)))", NULL, NNR_PHASE_BACKWARD, false, 1027604480, 2466254848, 1, (const NnrShare[]){{26, NNR_PHASE_BACKWARD, 1.0276e+09}}},
	{"conv_wgrad_256x1x1x64", "conv_wgrad(relu_4, dconv_46)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{25, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x56x56x64", "conv_dgrad(dconv_46, bottleneck_2_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{25, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_802816x64", "batchnorm_relu_backward_sums of bottleneck_2", NULL, NNR_PHASE_BACKWARD, false, 513802816, 411043840, 2, (const NnrShare[]){{23, NNR_PHASE_BACKWARD, 3.59662e+08}, {21, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"batchnorm_relu_backward_802816x64", "batchnorm_relu_backward of bottleneck_2", NULL, NNR_PHASE_BACKWARD, false, 565182464, 616563968, 2, (const NnrShare[]){{23, NNR_PHASE_BACKWARD, 4.11042e+08}, {21, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"conv_wgrad_64x3x3x64", "conv_wgrad(relu_3, dconv_47)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 411189248, 1, (const NnrShare[]){{22, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x56x56x64_2", "conv_dgrad(dconv_47, bottleneck_2_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 411189248, 1, (const NnrShare[]){{22, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_802816x64", "batchnorm_relu_backward_sums of bottleneck_2", NULL, NNR_PHASE_BACKWARD, false, 513802816, 411043840, 2, (const NnrShare[]){{20, NNR_PHASE_BACKWARD, 3.59662e+08}, {18, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"batchnorm_relu_backward_802816x64", "batchnorm_relu_backward of bottleneck_2", NULL, NNR_PHASE_BACKWARD, false, 565182464, 616563968, 2, (const NnrShare[]){{20, NNR_PHASE_BACKWARD, 4.11042e+08}, {18, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"conv_wgrad_64x1x1x256", "conv_wgrad(x_2, dconv_48)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{19, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x56x56x256_2", "conv_dgrad(dconv_48, bottleneck_2_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{19, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"add_batchnorm_relu_backward_sums_802816x256", "add_batchnorm_relu_backward_sums", NULL, NNR_PHASE_BACKWARD, false, 3699380736, 4110434304, 5, (const NnrShare[]){{19, NNR_PHASE_BACKWARD, 1.0276e+08}, {27, NNR_PHASE_BACKWARD, 1.0276e+08}, {13, NNR_PHASE_BACKWARD, 1.33589e+09}, {16, NNR_PHASE_BACKWARD, 1.33589e+09}, {17, NNR_PHASE_BACKWARD, 8.22084e+08}}},
	{"batchnorm_backward_802816x256", "round_tf32(((dshortcut_4 * mul_5) + (((conv_5 - add_5) * mul_152) + mul_153)))", NULL, NNR_PHASE_BACKWARD, false, 1027604480, 2466254848, 1, (const NnrShare[]){{16, NNR_PHASE_BACKWARD, 1.0276e+09}}},
	{"conv_wgrad_256x1x1x64", "conv_wgrad(x, dconv_49)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{15, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x56x56x64", "conv_dgrad(dconv_49, bottleneck_conv_bn_4_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{15, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_backward_802816x256_2", "round_tf32(((dshortcut_4 * mul_4) + (((conv_4 - add_4) * mul_154) + mul_155)))", NULL, NNR_PHASE_BACKWARD, false, 1027604480, 2466254848, 1, (const NnrShare[]){{13, NNR_PHASE_BACKWARD, 1.0276e+09}}},
	{"conv_wgrad_256x1x1x64", "conv_wgrad(relu_2, dconv_50)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{12, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"conv_dgrad_256x56x56x64", "conv_dgrad(dconv_50, bottleneck_conv_bn_3_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 26306674688, 1027670016, 1, (const NnrShare[]){{12, NNR_PHASE_BACKWARD, 2.63067e+10}}},
	{"batchnorm_relu_backward_sums_802816x64", "batchnorm_relu_backward_sums of bottleneck", NULL, NNR_PHASE_BACKWARD, false, 513802816, 411043840, 2, (const NnrShare[]){{10, NNR_PHASE_BACKWARD, 3.59662e+08}, {8, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"batchnorm_relu_backward_802816x64", "batchnorm_relu_backward of bottleneck", NULL, NNR_PHASE_BACKWARD, false, 565182464, 616563968, 2, (const NnrShare[]){{10, NNR_PHASE_BACKWARD, 4.11042e+08}, {8, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"conv_wgrad_64x3x3x64", "conv_wgrad(relu, dconv_51)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 411189248, 1, (const NnrShare[]){{9, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"conv_dgrad_256x56x56x64_2", "conv_dgrad(dconv_51, bottleneck_conv_bn_2_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 59190018048, 411189248, 1, (const NnrShare[]){{9, NNR_PHASE_BACKWARD, 5.919e+10}}},
	{"batchnorm_relu_backward_sums_802816x64", "batchnorm_relu_backward_sums of bottleneck", NULL, NNR_PHASE_BACKWARD, false, 513802816, 411043840, 2, (const NnrShare[]){{7, NNR_PHASE_BACKWARD, 3.59662e+08}, {5, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"batchnorm_relu_backward_802816x64", "batchnorm_relu_backward of bottleneck", NULL, NNR_PHASE_BACKWARD, false, 565182464, 616563968, 2, (const NnrShare[]){{7, NNR_PHASE_BACKWARD, 4.11042e+08}, {5, NNR_PHASE_BACKWARD, 1.54141e+08}}},
	{"conv_wgrad_64x1x1x64", "conv_wgrad(x, dconv_52)", "cuDNN", NNR_PHASE_BACKWARD, false, 6576668672, 411058176, 1, (const NnrShare[]){{6, NNR_PHASE_BACKWARD, 6.57667e+09}}},
	{"conv_dgrad_256x56x56x64_3", "conv_dgrad(dconv_52, bottleneck_conv_bn_conv_weight)", "cuDNN", NNR_PHASE_BACKWARD, false, 6576668672, 411058176, 1, (const NnrShare[]){{6, NNR_PHASE_BACKWARD, 6.57667e+09}}},
	{"add_backward_batchnorm_backward_relu_sums_802816x64", "add_backward_batchnorm_backward_relu_sums", NULL, NNR_PHASE_BACKWARD, false, 513802816, 822085632, 4, (const NnrShare[]){{6, NNR_PHASE_BACKWARD, 2.56901e+07}, {15, NNR_PHASE_BACKWARD, 2.56901e+07}, {2, NNR_PHASE_BACKWARD, 4.11042e+08}, {0, NNR_PHASE_BACKWARD, 5.13802e+07}}},
	{"sgd_25557032", "sgd", NULL, NNR_PHASE_UPDATE, false, 178833088, 510951680, 107, (const NnrShare[]){{6, NNR_PHASE_UPDATE, 4096}, {9, NNR_PHASE_UPDATE, 36864}, {12, NNR_PHASE_UPDATE, 16384}, {15, NNR_PHASE_UPDATE, 16384}, {19, NNR_PHASE_UPDATE, 16384}, {22, NNR_PHASE_UPDATE, 36864}, {25, NNR_PHASE_UPDATE, 16384}, {29, NNR_PHASE_UPDATE, 16384}, {32, NNR_PHASE_UPDATE, 36864}, {35, NNR_PHASE_UPDATE, 16384}, {39, NNR_PHASE_UPDATE, 32768}, {42, NNR_PHASE_UPDATE, 147456}, {45, NNR_PHASE_UPDATE, 65536}, {48, NNR_PHASE_UPDATE, 131072}, {52, NNR_PHASE_UPDATE, 65536}, {55, NNR_PHASE_UPDATE, 147456}, {58, NNR_PHASE_UPDATE, 65536}, {62, NNR_PHASE_UPDATE, 65536}, {65, NNR_PHASE_UPDATE, 147456}, {68, NNR_PHASE_UPDATE, 65536}, {72, NNR_PHASE_UPDATE, 65536}, {75, NNR_PHASE_UPDATE, 147456}, {78, NNR_PHASE_UPDATE, 65536}, {82, NNR_PHASE_UPDATE, 131072}, {85, NNR_PHASE_UPDATE, 589824}, {88, NNR_PHASE_UPDATE, 262144}, {91, NNR_PHASE_UPDATE, 524288}, {95, NNR_PHASE_UPDATE, 262144}, {98, NNR_PHASE_UPDATE, 589824}, {101, NNR_PHASE_UPDATE, 262144}, {105, NNR_PHASE_UPDATE, 262144}, {108, NNR_PHASE_UPDATE, 589824}, {111, NNR_PHASE_UPDATE, 262144}, {115, NNR_PHASE_UPDATE, 262144}, {118, NNR_PHASE_UPDATE, 589824}, {121, NNR_PHASE_UPDATE, 262144}, {125, NNR_PHASE_UPDATE, 262144}, {128, NNR_PHASE_UPDATE, 589824}, {131, NNR_PHASE_UPDATE, 262144}, {135, NNR_PHASE_UPDATE, 262144}, {138, NNR_PHASE_UPDATE, 589824}, {141, NNR_PHASE_UPDATE, 262144}, {145, NNR_PHASE_UPDATE, 524288}, {148, NNR_PHASE_UPDATE, 2.3593e+06}, {151, NNR_PHASE_UPDATE, 1.04858e+06}, {154, NNR_PHASE_UPDATE, 2.09715e+06}, {158, NNR_PHASE_UPDATE, 1.04858e+06}, {161, NNR_PHASE_UPDATE, 2.3593e+06}, {164, NNR_PHASE_UPDATE, 1.04858e+06}, {168, NNR_PHASE_UPDATE, 1.04858e+06}, {171, NNR_PHASE_UPDATE, 2.3593e+06}, {174, NNR_PHASE_UPDATE, 1.04858e+06}, {177, NNR_PHASE_UPDATE, 2.04896e+06}, {2, NNR_PHASE_UPDATE, 128}, {7, NNR_PHASE_UPDATE, 128}, {10, NNR_PHASE_UPDATE, 128}, {13, NNR_PHASE_UPDATE, 512}, {16, NNR_PHASE_UPDATE, 512}, {20, NNR_PHASE_UPDATE, 128}, {23, NNR_PHASE_UPDATE, 128}, {26, NNR_PHASE_UPDATE, 512}, {30, NNR_PHASE_UPDATE, 128}, {33, NNR_PHASE_UPDATE, 128}, {36, NNR_PHASE_UPDATE, 512}, {40, NNR_PHASE_UPDATE, 256}, {43, NNR_PHASE_UPDATE, 256}, {46, NNR_PHASE_UPDATE, 1024}, {49, NNR_PHASE_UPDATE, 1024}, {53, NNR_PHASE_UPDATE, 256}, {56, NNR_PHASE_UPDATE, 256}, {59, NNR_PHASE_UPDATE, 1024}, {63, NNR_PHASE_UPDATE, 256}, {66, NNR_PHASE_UPDATE, 256}, {69, NNR_PHASE_UPDATE, 1024}, {73, NNR_PHASE_UPDATE, 256}, {76, NNR_PHASE_UPDATE, 256}, {79, NNR_PHASE_UPDATE, 1024}, {83, NNR_PHASE_UPDATE, 512}, {86, NNR_PHASE_UPDATE, 512}, {89, NNR_PHASE_UPDATE, 2048}, {92, NNR_PHASE_UPDATE, 2048}, {96, NNR_PHASE_UPDATE, 512}, {99, NNR_PHASE_UPDATE, 512}, {102, NNR_PHASE_UPDATE, 2048}, {106, NNR_PHASE_UPDATE, 512}, {109, NNR_PHASE_UPDATE, 512}, {112, NNR_PHASE_UPDATE, 2048}, {116, NNR_PHASE_UPDATE, 512}, {119, NNR_PHASE_UPDATE, 512}, {122, NNR_PHASE_UPDATE, 2048}, {126, NNR_PHASE_UPDATE, 512}, {129, NNR_PHASE_UPDATE, 512}, {132, NNR_PHASE_UPDATE, 2048}, {136, NNR_PHASE_UPDATE, 512}, {139, NNR_PHASE_UPDATE, 512}, {142, NNR_PHASE_UPDATE, 2048}, {146, NNR_PHASE_UPDATE, 1024}, {149, NNR_PHASE_UPDATE, 1024}, {152, NNR_PHASE_UPDATE, 4096}, {155, NNR_PHASE_UPDATE, 4096}, {159, NNR_PHASE_UPDATE, 1024}, {162, NNR_PHASE_UPDATE, 1024}, {165, NNR_PHASE_UPDATE, 4096}, {169, NNR_PHASE_UPDATE, 1024}, {172, NNR_PHASE_UPDATE, 1024}, {175, NNR_PHASE_UPDATE, 4096}, {180, NNR_PHASE_UPDATE, 0}}},
	{"maxpool_batchnorm_backward_256x112x112x64", "round_tf32(((unpool(dx, x_place) * mul) + (((conv - add) * mul_160) + mul_161)))", NULL, NNR_PHASE_BACKWARD, false, 1490026496, 1901069312, 3, (const NnrShare[]){{0, NNR_PHASE_BACKWARD, 2.31211e+08}, {3, NNR_PHASE_BACKWARD, 2.31211e+08}, {2, NNR_PHASE_BACKWARD, 1.0276e+09}}},
	{"conv_backward_264x64x7x7x3", "conv_wgrad_parts(rgb_affine, dconv_53)", NULL, NNR_PHASE_BACKWARD, false, 60423143424, 986159104, 1, (const NnrShare[]){{1, NNR_PHASE_BACKWARD, 6.04231e+10}}},
	{"conv_backward_264x9408", "sum(conv_wgrad_parts)", NULL, NNR_PHASE_BACKWARD, false, 2483712, 9972480, 1, (const NnrShare[]){{1, NNR_PHASE_BACKWARD, 2.48371e+06}}},
	{"sgd_25557032_2", "sgd", NULL, NNR_PHASE_UPDATE, false, 66136, 188960, 3, (const NnrShare[]){{1, NNR_PHASE_UPDATE, 9408}, {177, NNR_PHASE_UPDATE, 40}, {180, NNR_PHASE_UPDATE, 0}}},
};
static const char *const lines[] = {
	"# resnet.net: residual networks of 18, 34, 50, 101 and 152 layers, v1.5.",
	"#",
	"# He, Zhang, Ren, Sun: Deep residual learning for image recognition (2015); v1.5 puts the stride on the 3x3",
	"# convolution of a bottleneck. Every depth has a file of its own: resnet18.net to resnet152.net.",
	"use \042blocks/residual.net\042",
	"",
	"model resnet(depth = 50, classes = 1000, size = 224, width = 64, batchnorm = true) {",
	"    input  image: u8[size, size, 3]",
	"    target label: class[classes]",
	"",
	"    counts = if depth == 18 then [2, 2, 2, 2]",
	"             else if depth == 34 or depth == 50 then [3, 4, 6, 3]",
	"             else if depth == 101 then [3, 4, 23, 3]",
	"             else if depth == 152 then [3, 8, 36, 3] else []",
	"    assert len(counts) == 4, \042residual networks have 18, 34, 50, 101 or 152 layers\042",
	"",
	"    x = image -> normalize(imagenet) -> conv_bn(width, 7, 2, batchnorm) -> relu",
	"              -> maxpool(3, 2, pad = 1)",
	"    for stage in range(4) {",
	"        for i in range(counts[stage]) {",
	"            stride = if stage > 0 and i == 0 then 2 else 1",
	"            x = if depth < 50 then x -> basic(2**stage*width, stride, batchnorm)",
	"                else x -> bottleneck(2**stage*width, stride, batchnorm)",
	"        }",
	"    }",
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
static const char *const lines_3[] = {
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
static const char program[] = "nnc program 44b865a65d9fcf5f for 1 ranks";
static const NnrSource sources[] = {
	{"resnet.net", lines, 50},
	{"blocks/residual.net", lines_2, 41},
	{"resnet50.net", lines_3, 8},
};
static const NnrPlace places[] = {
	{0, 17, -1, ""}, {1, 7, 0, "conv_bn"}, {1, 9, 0, "conv_bn"}, {0, 18, -1, ""}, {0, 23, -1, ""}, {1, 23, 4, "bottleneck"},
	{1, 7, 5, "bottleneck.conv_bn"}, {1, 9, 5, "bottleneck.conv_bn"}, {1, 24, 4, "bottleneck"}, {1, 7, 8, "bottleneck.conv_bn_2"},
	{1, 9, 8, "bottleneck.conv_bn_2"}, {1, 25, 4, "bottleneck"}, {1, 7, 11, "bottleneck.conv_bn_3"}, {1, 9, 11, "bottleneck.conv_bn_3"},
	{1, 27, 4, "bottleneck"}, {1, 7, 14, "bottleneck.conv_bn_4"}, {1, 9, 14, "bottleneck.conv_bn_4"}, {1, 28, 4, "bottleneck"},
	{1, 23, 4, "bottleneck_2"}, {1, 7, 18, "bottleneck_2.conv_bn"}, {1, 9, 18, "bottleneck_2.conv_bn"}, {1, 24, 4, "bottleneck_2"},
	{1, 7, 21, "bottleneck_2.conv_bn_2"}, {1, 9, 21, "bottleneck_2.conv_bn_2"}, {1, 25, 4, "bottleneck_2"}, {1, 7, 24, "bottleneck_2.conv_bn_3"},
	{1, 9, 24, "bottleneck_2.conv_bn_3"}, {1, 28, 4, "bottleneck_2"}, {1, 23, 4, "bottleneck_3"}, {1, 7, 28, "bottleneck_3.conv_bn"},
	{1, 9, 28, "bottleneck_3.conv_bn"}, {1, 24, 4, "bottleneck_3"}, {1, 7, 31, "bottleneck_3.conv_bn_2"}, {1, 9, 31, "bottleneck_3.conv_bn_2"},
	{1, 25, 4, "bottleneck_3"}, {1, 7, 34, "bottleneck_3.conv_bn_3"}, {1, 9, 34, "bottleneck_3.conv_bn_3"}, {1, 28, 4, "bottleneck_3"},
	{1, 23, 4, "bottleneck_4"}, {1, 7, 38, "bottleneck_4.conv_bn"}, {1, 9, 38, "bottleneck_4.conv_bn"}, {1, 24, 4, "bottleneck_4"},
	{1, 7, 41, "bottleneck_4.conv_bn_2"}, {1, 9, 41, "bottleneck_4.conv_bn_2"}, {1, 25, 4, "bottleneck_4"}, {1, 7, 44, "bottleneck_4.conv_bn_3"},
	{1, 9, 44, "bottleneck_4.conv_bn_3"}, {1, 27, 4, "bottleneck_4"}, {1, 7, 47, "bottleneck_4.conv_bn_4"}, {1, 9, 47, "bottleneck_4.conv_bn_4"},
	{1, 28, 4, "bottleneck_4"}, {1, 23, 4, "bottleneck_5"}, {1, 7, 51, "bottleneck_5.conv_bn"}, {1, 9, 51, "bottleneck_5.conv_bn"},
	{1, 24, 4, "bottleneck_5"}, {1, 7, 54, "bottleneck_5.conv_bn_2"}, {1, 9, 54, "bottleneck_5.conv_bn_2"}, {1, 25, 4, "bottleneck_5"},
	{1, 7, 57, "bottleneck_5.conv_bn_3"}, {1, 9, 57, "bottleneck_5.conv_bn_3"}, {1, 28, 4, "bottleneck_5"}, {1, 23, 4, "bottleneck_6"},
	{1, 7, 61, "bottleneck_6.conv_bn"}, {1, 9, 61, "bottleneck_6.conv_bn"}, {1, 24, 4, "bottleneck_6"}, {1, 7, 64, "bottleneck_6.conv_bn_2"},
	{1, 9, 64, "bottleneck_6.conv_bn_2"}, {1, 25, 4, "bottleneck_6"}, {1, 7, 67, "bottleneck_6.conv_bn_3"}, {1, 9, 67, "bottleneck_6.conv_bn_3"},
	{1, 28, 4, "bottleneck_6"}, {1, 23, 4, "bottleneck_7"}, {1, 7, 71, "bottleneck_7.conv_bn"}, {1, 9, 71, "bottleneck_7.conv_bn"},
	{1, 24, 4, "bottleneck_7"}, {1, 7, 74, "bottleneck_7.conv_bn_2"}, {1, 9, 74, "bottleneck_7.conv_bn_2"}, {1, 25, 4, "bottleneck_7"},
	{1, 7, 77, "bottleneck_7.conv_bn_3"}, {1, 9, 77, "bottleneck_7.conv_bn_3"}, {1, 28, 4, "bottleneck_7"}, {1, 23, 4, "bottleneck_8"},
	{1, 7, 81, "bottleneck_8.conv_bn"}, {1, 9, 81, "bottleneck_8.conv_bn"}, {1, 24, 4, "bottleneck_8"}, {1, 7, 84, "bottleneck_8.conv_bn_2"},
	{1, 9, 84, "bottleneck_8.conv_bn_2"}, {1, 25, 4, "bottleneck_8"}, {1, 7, 87, "bottleneck_8.conv_bn_3"}, {1, 9, 87, "bottleneck_8.conv_bn_3"},
	{1, 27, 4, "bottleneck_8"}, {1, 7, 90, "bottleneck_8.conv_bn_4"}, {1, 9, 90, "bottleneck_8.conv_bn_4"}, {1, 28, 4, "bottleneck_8"},
	{1, 23, 4, "bottleneck_9"}, {1, 7, 94, "bottleneck_9.conv_bn"}, {1, 9, 94, "bottleneck_9.conv_bn"}, {1, 24, 4, "bottleneck_9"},
	{1, 7, 97, "bottleneck_9.conv_bn_2"}, {1, 9, 97, "bottleneck_9.conv_bn_2"}, {1, 25, 4, "bottleneck_9"}, {1, 7, 100, "bottleneck_9.conv_bn_3"},
	{1, 9, 100, "bottleneck_9.conv_bn_3"}, {1, 28, 4, "bottleneck_9"}, {1, 23, 4, "bottleneck_10"}, {1, 7, 104, "bottleneck_10.conv_bn"},
	{1, 9, 104, "bottleneck_10.conv_bn"}, {1, 24, 4, "bottleneck_10"}, {1, 7, 107, "bottleneck_10.conv_bn_2"},
	{1, 9, 107, "bottleneck_10.conv_bn_2"}, {1, 25, 4, "bottleneck_10"}, {1, 7, 110, "bottleneck_10.conv_bn_3"},
	{1, 9, 110, "bottleneck_10.conv_bn_3"}, {1, 28, 4, "bottleneck_10"}, {1, 23, 4, "bottleneck_11"}, {1, 7, 114, "bottleneck_11.conv_bn"},
	{1, 9, 114, "bottleneck_11.conv_bn"}, {1, 24, 4, "bottleneck_11"}, {1, 7, 117, "bottleneck_11.conv_bn_2"},
	{1, 9, 117, "bottleneck_11.conv_bn_2"}, {1, 25, 4, "bottleneck_11"}, {1, 7, 120, "bottleneck_11.conv_bn_3"},
	{1, 9, 120, "bottleneck_11.conv_bn_3"}, {1, 28, 4, "bottleneck_11"}, {1, 23, 4, "bottleneck_12"}, {1, 7, 124, "bottleneck_12.conv_bn"},
	{1, 9, 124, "bottleneck_12.conv_bn"}, {1, 24, 4, "bottleneck_12"}, {1, 7, 127, "bottleneck_12.conv_bn_2"},
	{1, 9, 127, "bottleneck_12.conv_bn_2"}, {1, 25, 4, "bottleneck_12"}, {1, 7, 130, "bottleneck_12.conv_bn_3"},
	{1, 9, 130, "bottleneck_12.conv_bn_3"}, {1, 28, 4, "bottleneck_12"}, {1, 23, 4, "bottleneck_13"}, {1, 7, 134, "bottleneck_13.conv_bn"},
	{1, 9, 134, "bottleneck_13.conv_bn"}, {1, 24, 4, "bottleneck_13"}, {1, 7, 137, "bottleneck_13.conv_bn_2"},
	{1, 9, 137, "bottleneck_13.conv_bn_2"}, {1, 25, 4, "bottleneck_13"}, {1, 7, 140, "bottleneck_13.conv_bn_3"},
	{1, 9, 140, "bottleneck_13.conv_bn_3"}, {1, 28, 4, "bottleneck_13"}, {1, 23, 4, "bottleneck_14"}, {1, 7, 144, "bottleneck_14.conv_bn"},
	{1, 9, 144, "bottleneck_14.conv_bn"}, {1, 24, 4, "bottleneck_14"}, {1, 7, 147, "bottleneck_14.conv_bn_2"},
	{1, 9, 147, "bottleneck_14.conv_bn_2"}, {1, 25, 4, "bottleneck_14"}, {1, 7, 150, "bottleneck_14.conv_bn_3"},
	{1, 9, 150, "bottleneck_14.conv_bn_3"}, {1, 27, 4, "bottleneck_14"}, {1, 7, 153, "bottleneck_14.conv_bn_4"},
	{1, 9, 153, "bottleneck_14.conv_bn_4"}, {1, 28, 4, "bottleneck_14"}, {1, 23, 4, "bottleneck_15"}, {1, 7, 157, "bottleneck_15.conv_bn"},
	{1, 9, 157, "bottleneck_15.conv_bn"}, {1, 24, 4, "bottleneck_15"}, {1, 7, 160, "bottleneck_15.conv_bn_2"},
	{1, 9, 160, "bottleneck_15.conv_bn_2"}, {1, 25, 4, "bottleneck_15"}, {1, 7, 163, "bottleneck_15.conv_bn_3"},
	{1, 9, 163, "bottleneck_15.conv_bn_3"}, {1, 28, 4, "bottleneck_15"}, {1, 23, 4, "bottleneck_16"}, {1, 7, 167, "bottleneck_16.conv_bn"},
	{1, 9, 167, "bottleneck_16.conv_bn"}, {1, 24, 4, "bottleneck_16"}, {1, 7, 170, "bottleneck_16.conv_bn_2"},
	{1, 9, 170, "bottleneck_16.conv_bn_2"}, {1, 25, 4, "bottleneck_16"}, {1, 7, 173, "bottleneck_16.conv_bn_3"},
	{1, 9, 173, "bottleneck_16.conv_bn_3"}, {1, 28, 4, "bottleneck_16"}, {0, 26, -1, ""}, {0, 28, -1, ""}, {0, 29, -1, ""}, {0, 36, -1, ""},
};

static const NnrInput inputs[] = {
	{.name = "image", .dtype = NNR_U8, .rank = 4, .dim = {256, 224, 224, 3}, .offset = 0},
	{.name = "label", .is_target = true, .classes = 1000, .dtype = NNR_I32, .rank = 1, .dim = {256}, .offset = 38535168},
};
static const NnrTensor params[] = {
	{"conv_bn.conv.weight", NNR_F32, 4, {64, 7, 7, 3}, 0, NNR_NORMAL, 0.11664236870396086, 3, false, false},
	{"conv_bn.batchnorm.weight", NNR_F32, 1, {64}, 102011648, NNR_CONSTANT, 1, 0, false, false},
	{"conv_bn.batchnorm.bias", NNR_F32, 1, {64}, 102011904, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck.conv_bn.conv.weight", NNR_F32, 4, {64, 1, 1, 64}, 37632, NNR_NORMAL, 0.17677669529663689, 64, false, false},
	{"bottleneck.conv_bn.batchnorm.weight", NNR_F32, 1, {64}, 102012160, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck.conv_bn.batchnorm.bias", NNR_F32, 1, {64}, 102012416, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck.conv_bn_2.conv.weight", NNR_F32, 4, {64, 3, 3, 64}, 54016, NNR_NORMAL, 0.05892556509887896, 64, false, false},
	{"bottleneck.conv_bn_2.batchnorm.weight", NNR_F32, 1, {64}, 102012672, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck.conv_bn_2.batchnorm.bias", NNR_F32, 1, {64}, 102012928, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck.conv_bn_3.conv.weight", NNR_F32, 4, {256, 1, 1, 64}, 201472, NNR_NORMAL, 0.17677669529663689, 64, false, false},
	{"bottleneck.conv_bn_3.batchnorm.weight", NNR_F32, 1, {256}, 102013184, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck.conv_bn_3.batchnorm.bias", NNR_F32, 1, {256}, 102014208, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck.conv_bn_4.conv.weight", NNR_F32, 4, {256, 1, 1, 64}, 267008, NNR_NORMAL, 0.17677669529663689, 64, false, false},
	{"bottleneck.conv_bn_4.batchnorm.weight", NNR_F32, 1, {256}, 102015232, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck.conv_bn_4.batchnorm.bias", NNR_F32, 1, {256}, 102016256, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_2.conv_bn.conv.weight", NNR_F32, 4, {64, 1, 1, 256}, 332544, NNR_NORMAL, 0.088388347648318447, 256, false, false},
	{"bottleneck_2.conv_bn.batchnorm.weight", NNR_F32, 1, {64}, 102017280, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_2.conv_bn.batchnorm.bias", NNR_F32, 1, {64}, 102017536, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_2.conv_bn_2.conv.weight", NNR_F32, 4, {64, 3, 3, 64}, 398080, NNR_NORMAL, 0.05892556509887896, 64, false, false},
	{"bottleneck_2.conv_bn_2.batchnorm.weight", NNR_F32, 1, {64}, 102017792, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_2.conv_bn_2.batchnorm.bias", NNR_F32, 1, {64}, 102018048, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_2.conv_bn_3.conv.weight", NNR_F32, 4, {256, 1, 1, 64}, 545536, NNR_NORMAL, 0.17677669529663689, 64, false, false},
	{"bottleneck_2.conv_bn_3.batchnorm.weight", NNR_F32, 1, {256}, 102018304, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_2.conv_bn_3.batchnorm.bias", NNR_F32, 1, {256}, 102019328, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_3.conv_bn.conv.weight", NNR_F32, 4, {64, 1, 1, 256}, 611072, NNR_NORMAL, 0.088388347648318447, 256, false, false},
	{"bottleneck_3.conv_bn.batchnorm.weight", NNR_F32, 1, {64}, 102020352, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_3.conv_bn.batchnorm.bias", NNR_F32, 1, {64}, 102020608, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_3.conv_bn_2.conv.weight", NNR_F32, 4, {64, 3, 3, 64}, 676608, NNR_NORMAL, 0.05892556509887896, 64, false, false},
	{"bottleneck_3.conv_bn_2.batchnorm.weight", NNR_F32, 1, {64}, 102020864, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_3.conv_bn_2.batchnorm.bias", NNR_F32, 1, {64}, 102021120, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_3.conv_bn_3.conv.weight", NNR_F32, 4, {256, 1, 1, 64}, 824064, NNR_NORMAL, 0.17677669529663689, 64, false, false},
	{"bottleneck_3.conv_bn_3.batchnorm.weight", NNR_F32, 1, {256}, 102021376, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_3.conv_bn_3.batchnorm.bias", NNR_F32, 1, {256}, 102022400, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_4.conv_bn.conv.weight", NNR_F32, 4, {128, 1, 1, 256}, 889600, NNR_NORMAL, 0.088388347648318447, 256, false, false},
	{"bottleneck_4.conv_bn.batchnorm.weight", NNR_F32, 1, {128}, 102023424, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_4.conv_bn.batchnorm.bias", NNR_F32, 1, {128}, 102023936, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_4.conv_bn_2.conv.weight", NNR_F32, 4, {128, 3, 3, 128}, 1020672, NNR_NORMAL, 0.041666666666666664, 128, false, false},
	{"bottleneck_4.conv_bn_2.batchnorm.weight", NNR_F32, 1, {128}, 102024448, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_4.conv_bn_2.batchnorm.bias", NNR_F32, 1, {128}, 102024960, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_4.conv_bn_3.conv.weight", NNR_F32, 4, {512, 1, 1, 128}, 1610496, NNR_NORMAL, 0.125, 128, false, false},
	{"bottleneck_4.conv_bn_3.batchnorm.weight", NNR_F32, 1, {512}, 102025472, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_4.conv_bn_3.batchnorm.bias", NNR_F32, 1, {512}, 102027520, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_4.conv_bn_4.conv.weight", NNR_F32, 4, {512, 1, 1, 256}, 1872640, NNR_NORMAL, 0.088388347648318447, 256, false, false},
	{"bottleneck_4.conv_bn_4.batchnorm.weight", NNR_F32, 1, {512}, 102029568, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_4.conv_bn_4.batchnorm.bias", NNR_F32, 1, {512}, 102031616, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_5.conv_bn.conv.weight", NNR_F32, 4, {128, 1, 1, 512}, 2396928, NNR_NORMAL, 0.0625, 512, false, false},
	{"bottleneck_5.conv_bn.batchnorm.weight", NNR_F32, 1, {128}, 102033664, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_5.conv_bn.batchnorm.bias", NNR_F32, 1, {128}, 102034176, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_5.conv_bn_2.conv.weight", NNR_F32, 4, {128, 3, 3, 128}, 2659072, NNR_NORMAL, 0.041666666666666664, 128, false, false},
	{"bottleneck_5.conv_bn_2.batchnorm.weight", NNR_F32, 1, {128}, 102034688, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_5.conv_bn_2.batchnorm.bias", NNR_F32, 1, {128}, 102035200, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_5.conv_bn_3.conv.weight", NNR_F32, 4, {512, 1, 1, 128}, 3248896, NNR_NORMAL, 0.125, 128, false, false},
	{"bottleneck_5.conv_bn_3.batchnorm.weight", NNR_F32, 1, {512}, 102035712, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_5.conv_bn_3.batchnorm.bias", NNR_F32, 1, {512}, 102037760, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_6.conv_bn.conv.weight", NNR_F32, 4, {128, 1, 1, 512}, 3511040, NNR_NORMAL, 0.0625, 512, false, false},
	{"bottleneck_6.conv_bn.batchnorm.weight", NNR_F32, 1, {128}, 102039808, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_6.conv_bn.batchnorm.bias", NNR_F32, 1, {128}, 102040320, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_6.conv_bn_2.conv.weight", NNR_F32, 4, {128, 3, 3, 128}, 3773184, NNR_NORMAL, 0.041666666666666664, 128, false, false},
	{"bottleneck_6.conv_bn_2.batchnorm.weight", NNR_F32, 1, {128}, 102040832, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_6.conv_bn_2.batchnorm.bias", NNR_F32, 1, {128}, 102041344, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_6.conv_bn_3.conv.weight", NNR_F32, 4, {512, 1, 1, 128}, 4363008, NNR_NORMAL, 0.125, 128, false, false},
	{"bottleneck_6.conv_bn_3.batchnorm.weight", NNR_F32, 1, {512}, 102041856, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_6.conv_bn_3.batchnorm.bias", NNR_F32, 1, {512}, 102043904, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_7.conv_bn.conv.weight", NNR_F32, 4, {128, 1, 1, 512}, 4625152, NNR_NORMAL, 0.0625, 512, false, false},
	{"bottleneck_7.conv_bn.batchnorm.weight", NNR_F32, 1, {128}, 102045952, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_7.conv_bn.batchnorm.bias", NNR_F32, 1, {128}, 102046464, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_7.conv_bn_2.conv.weight", NNR_F32, 4, {128, 3, 3, 128}, 4887296, NNR_NORMAL, 0.041666666666666664, 128, false, false},
	{"bottleneck_7.conv_bn_2.batchnorm.weight", NNR_F32, 1, {128}, 102046976, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_7.conv_bn_2.batchnorm.bias", NNR_F32, 1, {128}, 102047488, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_7.conv_bn_3.conv.weight", NNR_F32, 4, {512, 1, 1, 128}, 5477120, NNR_NORMAL, 0.125, 128, false, false},
	{"bottleneck_7.conv_bn_3.batchnorm.weight", NNR_F32, 1, {512}, 102048000, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_7.conv_bn_3.batchnorm.bias", NNR_F32, 1, {512}, 102050048, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_8.conv_bn.conv.weight", NNR_F32, 4, {256, 1, 1, 512}, 5739264, NNR_NORMAL, 0.0625, 512, false, false},
	{"bottleneck_8.conv_bn.batchnorm.weight", NNR_F32, 1, {256}, 102052096, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_8.conv_bn.batchnorm.bias", NNR_F32, 1, {256}, 102053120, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_8.conv_bn_2.conv.weight", NNR_F32, 4, {256, 3, 3, 256}, 6263552, NNR_NORMAL, 0.02946278254943948, 256, false, false},
	{"bottleneck_8.conv_bn_2.batchnorm.weight", NNR_F32, 1, {256}, 102054144, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_8.conv_bn_2.batchnorm.bias", NNR_F32, 1, {256}, 102055168, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_8.conv_bn_3.conv.weight", NNR_F32, 4, {1024, 1, 1, 256}, 8622848, NNR_NORMAL, 0.088388347648318447, 256, false, false},
	{"bottleneck_8.conv_bn_3.batchnorm.weight", NNR_F32, 1, {1024}, 102056192, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_8.conv_bn_3.batchnorm.bias", NNR_F32, 1, {1024}, 102060288, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_8.conv_bn_4.conv.weight", NNR_F32, 4, {1024, 1, 1, 512}, 9671424, NNR_NORMAL, 0.0625, 512, false, false},
	{"bottleneck_8.conv_bn_4.batchnorm.weight", NNR_F32, 1, {1024}, 102064384, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_8.conv_bn_4.batchnorm.bias", NNR_F32, 1, {1024}, 102068480, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_9.conv_bn.conv.weight", NNR_F32, 4, {256, 1, 1, 1024}, 11768576, NNR_NORMAL, 0.044194173824159223, 1024, false, false},
	{"bottleneck_9.conv_bn.batchnorm.weight", NNR_F32, 1, {256}, 102072576, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_9.conv_bn.batchnorm.bias", NNR_F32, 1, {256}, 102073600, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_9.conv_bn_2.conv.weight", NNR_F32, 4, {256, 3, 3, 256}, 12817152, NNR_NORMAL, 0.02946278254943948, 256, false, false},
	{"bottleneck_9.conv_bn_2.batchnorm.weight", NNR_F32, 1, {256}, 102074624, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_9.conv_bn_2.batchnorm.bias", NNR_F32, 1, {256}, 102075648, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_9.conv_bn_3.conv.weight", NNR_F32, 4, {1024, 1, 1, 256}, 15176448, NNR_NORMAL, 0.088388347648318447, 256, false, false},
	{"bottleneck_9.conv_bn_3.batchnorm.weight", NNR_F32, 1, {1024}, 102076672, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_9.conv_bn_3.batchnorm.bias", NNR_F32, 1, {1024}, 102080768, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_10.conv_bn.conv.weight", NNR_F32, 4, {256, 1, 1, 1024}, 16225024, NNR_NORMAL, 0.044194173824159223, 1024, false, false},
	{"bottleneck_10.conv_bn.batchnorm.weight", NNR_F32, 1, {256}, 102084864, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_10.conv_bn.batchnorm.bias", NNR_F32, 1, {256}, 102085888, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_10.conv_bn_2.conv.weight", NNR_F32, 4, {256, 3, 3, 256}, 17273600, NNR_NORMAL, 0.02946278254943948, 256, false, false},
	{"bottleneck_10.conv_bn_2.batchnorm.weight", NNR_F32, 1, {256}, 102086912, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_10.conv_bn_2.batchnorm.bias", NNR_F32, 1, {256}, 102087936, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_10.conv_bn_3.conv.weight", NNR_F32, 4, {1024, 1, 1, 256}, 19632896, NNR_NORMAL, 0.088388347648318447, 256, false, false},
	{"bottleneck_10.conv_bn_3.batchnorm.weight", NNR_F32, 1, {1024}, 102088960, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_10.conv_bn_3.batchnorm.bias", NNR_F32, 1, {1024}, 102093056, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_11.conv_bn.conv.weight", NNR_F32, 4, {256, 1, 1, 1024}, 20681472, NNR_NORMAL, 0.044194173824159223, 1024, false, false},
	{"bottleneck_11.conv_bn.batchnorm.weight", NNR_F32, 1, {256}, 102097152, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_11.conv_bn.batchnorm.bias", NNR_F32, 1, {256}, 102098176, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_11.conv_bn_2.conv.weight", NNR_F32, 4, {256, 3, 3, 256}, 21730048, NNR_NORMAL, 0.02946278254943948, 256, false, false},
	{"bottleneck_11.conv_bn_2.batchnorm.weight", NNR_F32, 1, {256}, 102099200, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_11.conv_bn_2.batchnorm.bias", NNR_F32, 1, {256}, 102100224, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_11.conv_bn_3.conv.weight", NNR_F32, 4, {1024, 1, 1, 256}, 24089344, NNR_NORMAL, 0.088388347648318447, 256, false, false},
	{"bottleneck_11.conv_bn_3.batchnorm.weight", NNR_F32, 1, {1024}, 102101248, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_11.conv_bn_3.batchnorm.bias", NNR_F32, 1, {1024}, 102105344, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_12.conv_bn.conv.weight", NNR_F32, 4, {256, 1, 1, 1024}, 25137920, NNR_NORMAL, 0.044194173824159223, 1024, false, false},
	{"bottleneck_12.conv_bn.batchnorm.weight", NNR_F32, 1, {256}, 102109440, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_12.conv_bn.batchnorm.bias", NNR_F32, 1, {256}, 102110464, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_12.conv_bn_2.conv.weight", NNR_F32, 4, {256, 3, 3, 256}, 26186496, NNR_NORMAL, 0.02946278254943948, 256, false, false},
	{"bottleneck_12.conv_bn_2.batchnorm.weight", NNR_F32, 1, {256}, 102111488, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_12.conv_bn_2.batchnorm.bias", NNR_F32, 1, {256}, 102112512, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_12.conv_bn_3.conv.weight", NNR_F32, 4, {1024, 1, 1, 256}, 28545792, NNR_NORMAL, 0.088388347648318447, 256, false, false},
	{"bottleneck_12.conv_bn_3.batchnorm.weight", NNR_F32, 1, {1024}, 102113536, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_12.conv_bn_3.batchnorm.bias", NNR_F32, 1, {1024}, 102117632, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_13.conv_bn.conv.weight", NNR_F32, 4, {256, 1, 1, 1024}, 29594368, NNR_NORMAL, 0.044194173824159223, 1024, false, false},
	{"bottleneck_13.conv_bn.batchnorm.weight", NNR_F32, 1, {256}, 102121728, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_13.conv_bn.batchnorm.bias", NNR_F32, 1, {256}, 102122752, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_13.conv_bn_2.conv.weight", NNR_F32, 4, {256, 3, 3, 256}, 30642944, NNR_NORMAL, 0.02946278254943948, 256, false, false},
	{"bottleneck_13.conv_bn_2.batchnorm.weight", NNR_F32, 1, {256}, 102123776, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_13.conv_bn_2.batchnorm.bias", NNR_F32, 1, {256}, 102124800, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_13.conv_bn_3.conv.weight", NNR_F32, 4, {1024, 1, 1, 256}, 33002240, NNR_NORMAL, 0.088388347648318447, 256, false, false},
	{"bottleneck_13.conv_bn_3.batchnorm.weight", NNR_F32, 1, {1024}, 102125824, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_13.conv_bn_3.batchnorm.bias", NNR_F32, 1, {1024}, 102129920, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_14.conv_bn.conv.weight", NNR_F32, 4, {512, 1, 1, 1024}, 34050816, NNR_NORMAL, 0.044194173824159223, 1024, false, false},
	{"bottleneck_14.conv_bn.batchnorm.weight", NNR_F32, 1, {512}, 102134016, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_14.conv_bn.batchnorm.bias", NNR_F32, 1, {512}, 102136064, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_14.conv_bn_2.conv.weight", NNR_F32, 4, {512, 3, 3, 512}, 36147968, NNR_NORMAL, 0.020833333333333332, 512, false, false},
	{"bottleneck_14.conv_bn_2.batchnorm.weight", NNR_F32, 1, {512}, 102138112, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_14.conv_bn_2.batchnorm.bias", NNR_F32, 1, {512}, 102140160, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_14.conv_bn_3.conv.weight", NNR_F32, 4, {2048, 1, 1, 512}, 45585152, NNR_NORMAL, 0.0625, 512, false, false},
	{"bottleneck_14.conv_bn_3.batchnorm.weight", NNR_F32, 1, {2048}, 102142208, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_14.conv_bn_3.batchnorm.bias", NNR_F32, 1, {2048}, 102150400, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_14.conv_bn_4.conv.weight", NNR_F32, 4, {2048, 1, 1, 1024}, 49779456, NNR_NORMAL, 0.044194173824159223, 1024, false, false},
	{"bottleneck_14.conv_bn_4.batchnorm.weight", NNR_F32, 1, {2048}, 102158592, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_14.conv_bn_4.batchnorm.bias", NNR_F32, 1, {2048}, 102166784, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_15.conv_bn.conv.weight", NNR_F32, 4, {512, 1, 1, 2048}, 58168064, NNR_NORMAL, 0.03125, 2048, false, false},
	{"bottleneck_15.conv_bn.batchnorm.weight", NNR_F32, 1, {512}, 102174976, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_15.conv_bn.batchnorm.bias", NNR_F32, 1, {512}, 102177024, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_15.conv_bn_2.conv.weight", NNR_F32, 4, {512, 3, 3, 512}, 62362368, NNR_NORMAL, 0.020833333333333332, 512, false, false},
	{"bottleneck_15.conv_bn_2.batchnorm.weight", NNR_F32, 1, {512}, 102179072, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_15.conv_bn_2.batchnorm.bias", NNR_F32, 1, {512}, 102181120, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_15.conv_bn_3.conv.weight", NNR_F32, 4, {2048, 1, 1, 512}, 71799552, NNR_NORMAL, 0.0625, 512, false, false},
	{"bottleneck_15.conv_bn_3.batchnorm.weight", NNR_F32, 1, {2048}, 102183168, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_15.conv_bn_3.batchnorm.bias", NNR_F32, 1, {2048}, 102191360, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_16.conv_bn.conv.weight", NNR_F32, 4, {512, 1, 1, 2048}, 75993856, NNR_NORMAL, 0.03125, 2048, false, false},
	{"bottleneck_16.conv_bn.batchnorm.weight", NNR_F32, 1, {512}, 102199552, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_16.conv_bn.batchnorm.bias", NNR_F32, 1, {512}, 102201600, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_16.conv_bn_2.conv.weight", NNR_F32, 4, {512, 3, 3, 512}, 80188160, NNR_NORMAL, 0.020833333333333332, 512, false, false},
	{"bottleneck_16.conv_bn_2.batchnorm.weight", NNR_F32, 1, {512}, 102203648, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_16.conv_bn_2.batchnorm.bias", NNR_F32, 1, {512}, 102205696, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_16.conv_bn_3.conv.weight", NNR_F32, 4, {2048, 1, 1, 512}, 89625344, NNR_NORMAL, 0.0625, 512, false, false},
	{"bottleneck_16.conv_bn_3.batchnorm.weight", NNR_F32, 1, {2048}, 102207744, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_16.conv_bn_3.batchnorm.bias", NNR_F32, 1, {2048}, 102215936, NNR_CONSTANT, 0, 0, false, false},
	{"dense.weight", NNR_F32, 2, {1000, 2048}, 93819648, NNR_UNIFORM, 0.022097086912079612, 2048, false, false},
	{"dense.bias", NNR_F32, 1, {1000}, 102224128, NNR_UNIFORM, 0.022097086912079608, 0, false, false},
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
static const NnrTensor states[] = {
	{"conv_bn.batchnorm.running_mean", NNR_F32, 1, {64}, 0, NNR_CONSTANT, 0, 0, false, false},
	{"conv_bn.batchnorm.running_var", NNR_F32, 1, {64}, 256, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck.conv_bn.batchnorm.running_mean", NNR_F32, 1, {64}, 512, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck.conv_bn.batchnorm.running_var", NNR_F32, 1, {64}, 768, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {64}, 1024, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {64}, 1280, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {256}, 1536, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {256}, 2560, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck.conv_bn_4.batchnorm.running_mean", NNR_F32, 1, {256}, 3584, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck.conv_bn_4.batchnorm.running_var", NNR_F32, 1, {256}, 4608, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_2.conv_bn.batchnorm.running_mean", NNR_F32, 1, {64}, 5632, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_2.conv_bn.batchnorm.running_var", NNR_F32, 1, {64}, 5888, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_2.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {64}, 6144, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_2.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {64}, 6400, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_2.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {256}, 6656, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_2.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {256}, 7680, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_3.conv_bn.batchnorm.running_mean", NNR_F32, 1, {64}, 8704, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_3.conv_bn.batchnorm.running_var", NNR_F32, 1, {64}, 8960, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_3.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {64}, 9216, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_3.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {64}, 9472, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_3.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {256}, 9728, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_3.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {256}, 10752, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_4.conv_bn.batchnorm.running_mean", NNR_F32, 1, {128}, 11776, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_4.conv_bn.batchnorm.running_var", NNR_F32, 1, {128}, 12288, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_4.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {128}, 12800, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_4.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {128}, 13312, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_4.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {512}, 13824, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_4.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {512}, 15872, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_4.conv_bn_4.batchnorm.running_mean", NNR_F32, 1, {512}, 17920, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_4.conv_bn_4.batchnorm.running_var", NNR_F32, 1, {512}, 19968, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_5.conv_bn.batchnorm.running_mean", NNR_F32, 1, {128}, 22016, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_5.conv_bn.batchnorm.running_var", NNR_F32, 1, {128}, 22528, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_5.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {128}, 23040, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_5.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {128}, 23552, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_5.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {512}, 24064, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_5.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {512}, 26112, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_6.conv_bn.batchnorm.running_mean", NNR_F32, 1, {128}, 28160, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_6.conv_bn.batchnorm.running_var", NNR_F32, 1, {128}, 28672, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_6.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {128}, 29184, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_6.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {128}, 29696, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_6.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {512}, 30208, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_6.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {512}, 32256, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_7.conv_bn.batchnorm.running_mean", NNR_F32, 1, {128}, 34304, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_7.conv_bn.batchnorm.running_var", NNR_F32, 1, {128}, 34816, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_7.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {128}, 35328, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_7.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {128}, 35840, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_7.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {512}, 36352, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_7.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {512}, 38400, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_8.conv_bn.batchnorm.running_mean", NNR_F32, 1, {256}, 40448, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_8.conv_bn.batchnorm.running_var", NNR_F32, 1, {256}, 41472, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_8.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {256}, 42496, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_8.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {256}, 43520, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_8.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {1024}, 44544, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_8.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {1024}, 48640, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_8.conv_bn_4.batchnorm.running_mean", NNR_F32, 1, {1024}, 52736, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_8.conv_bn_4.batchnorm.running_var", NNR_F32, 1, {1024}, 56832, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_9.conv_bn.batchnorm.running_mean", NNR_F32, 1, {256}, 60928, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_9.conv_bn.batchnorm.running_var", NNR_F32, 1, {256}, 61952, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_9.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {256}, 62976, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_9.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {256}, 64000, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_9.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {1024}, 65024, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_9.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {1024}, 69120, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_10.conv_bn.batchnorm.running_mean", NNR_F32, 1, {256}, 73216, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_10.conv_bn.batchnorm.running_var", NNR_F32, 1, {256}, 74240, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_10.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {256}, 75264, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_10.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {256}, 76288, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_10.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {1024}, 77312, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_10.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {1024}, 81408, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_11.conv_bn.batchnorm.running_mean", NNR_F32, 1, {256}, 85504, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_11.conv_bn.batchnorm.running_var", NNR_F32, 1, {256}, 86528, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_11.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {256}, 87552, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_11.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {256}, 88576, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_11.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {1024}, 89600, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_11.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {1024}, 93696, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_12.conv_bn.batchnorm.running_mean", NNR_F32, 1, {256}, 97792, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_12.conv_bn.batchnorm.running_var", NNR_F32, 1, {256}, 98816, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_12.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {256}, 99840, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_12.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {256}, 100864, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_12.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {1024}, 101888, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_12.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {1024}, 105984, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_13.conv_bn.batchnorm.running_mean", NNR_F32, 1, {256}, 110080, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_13.conv_bn.batchnorm.running_var", NNR_F32, 1, {256}, 111104, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_13.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {256}, 112128, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_13.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {256}, 113152, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_13.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {1024}, 114176, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_13.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {1024}, 118272, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_14.conv_bn.batchnorm.running_mean", NNR_F32, 1, {512}, 122368, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_14.conv_bn.batchnorm.running_var", NNR_F32, 1, {512}, 124416, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_14.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {512}, 126464, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_14.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {512}, 128512, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_14.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {2048}, 130560, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_14.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {2048}, 138752, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_14.conv_bn_4.batchnorm.running_mean", NNR_F32, 1, {2048}, 146944, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_14.conv_bn_4.batchnorm.running_var", NNR_F32, 1, {2048}, 155136, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_15.conv_bn.batchnorm.running_mean", NNR_F32, 1, {512}, 163328, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_15.conv_bn.batchnorm.running_var", NNR_F32, 1, {512}, 165376, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_15.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {512}, 167424, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_15.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {512}, 169472, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_15.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {2048}, 171520, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_15.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {2048}, 179712, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_16.conv_bn.batchnorm.running_mean", NNR_F32, 1, {512}, 187904, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_16.conv_bn.batchnorm.running_var", NNR_F32, 1, {512}, 189952, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_16.conv_bn_2.batchnorm.running_mean", NNR_F32, 1, {512}, 192000, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_16.conv_bn_2.batchnorm.running_var", NNR_F32, 1, {512}, 194048, NNR_CONSTANT, 1, 0, false, false},
	{"bottleneck_16.conv_bn_3.batchnorm.running_mean", NNR_F32, 1, {2048}, 196096, NNR_CONSTANT, 0, 0, false, false},
	{"bottleneck_16.conv_bn_3.batchnorm.running_var", NNR_F32, 1, {2048}, 204288, NNR_CONSTANT, 1, 0, false, false},
	{"sgd.momentum", NNR_F32, 1, {25557032}, 212480, NNR_CONSTANT, 0, 0, false, true},
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
	"input image u8 [224,224,3]",
	"n0 = Cast(image) to=1",
	"n1 = reals [0.0171247538,0.0175070028,0.0174291939]",
	"n2 = Mul(n0, n1)",
	"n3 = reals [-2.11790393,-2.03571429,-1.80444444]",
	"n4 = Add(n2, n3)",
	"n5 = Transpose(n4) perm=[0,3,1,2]",
	"filters conv_bn.conv.weight",
	"n6 = Conv(n5, conv_bn.conv.weight) strides=[2,2] pads=[3,3,3,3] dilations=[1,1] group=1",
	"weight conv_bn.batchnorm.running_mean",
	"weight conv_bn.batchnorm.running_var",
	"weight conv_bn.batchnorm.weight",
	"weight conv_bn.batchnorm.bias",
	"n7 = BatchNormalization(n6, conv_bn.batchnorm.weight, conv_bn.batchnorm.bias, conv_bn.batchnorm.running_mean, conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n8 = Relu(n7)",
	"n9 = MaxPool(n8) kernel_shape=[3,3] strides=[2,2] pads=[1,1,1,1]",
	"filters bottleneck.conv_bn.conv.weight",
	"n10 = Conv(n9, bottleneck.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck.conv_bn.batchnorm.running_mean",
	"weight bottleneck.conv_bn.batchnorm.running_var",
	"weight bottleneck.conv_bn.batchnorm.weight",
	"weight bottleneck.conv_bn.batchnorm.bias",
	"n11 = BatchNormalization(n10, bottleneck.conv_bn.batchnorm.weight, bottleneck.conv_bn.batchnorm.bias, bottleneck.conv_bn.batchnorm.running_mean, bottleneck.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n12 = Relu(n11)",
	"filters bottleneck.conv_bn_2.conv.weight",
	"n13 = Conv(n12, bottleneck.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck.conv_bn_2.batchnorm.running_var",
	"weight bottleneck.conv_bn_2.batchnorm.weight",
	"weight bottleneck.conv_bn_2.batchnorm.bias",
	"n14 = BatchNormalization(n13, bottleneck.conv_bn_2.batchnorm.weight, bottleneck.conv_bn_2.batchnorm.bias, bottleneck.conv_bn_2.batchnorm.running_mean, bottleneck.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n15 = Relu(n14)",
	"filters bottleneck.conv_bn_3.conv.weight",
	"n16 = Conv(n15, bottleneck.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck.conv_bn_3.batchnorm.running_var",
	"weight bottleneck.conv_bn_3.batchnorm.weight",
	"weight bottleneck.conv_bn_3.batchnorm.bias",
	"n17 = BatchNormalization(n16, bottleneck.conv_bn_3.batchnorm.weight, bottleneck.conv_bn_3.batchnorm.bias, bottleneck.conv_bn_3.batchnorm.running_mean, bottleneck.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"filters bottleneck.conv_bn_4.conv.weight",
	"n18 = Conv(n9, bottleneck.conv_bn_4.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck.conv_bn_4.batchnorm.running_mean",
	"weight bottleneck.conv_bn_4.batchnorm.running_var",
	"weight bottleneck.conv_bn_4.batchnorm.weight",
	"weight bottleneck.conv_bn_4.batchnorm.bias",
	"n19 = BatchNormalization(n18, bottleneck.conv_bn_4.batchnorm.weight, bottleneck.conv_bn_4.batchnorm.bias, bottleneck.conv_bn_4.batchnorm.running_mean, bottleneck.conv_bn_4.batchnorm.running_var) epsilon=1.00000000e-05",
	"n20 = Add(n17, n19)",
	"n21 = Relu(n20)",
	"filters bottleneck_2.conv_bn.conv.weight",
	"n22 = Conv(n21, bottleneck_2.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_2.conv_bn.batchnorm.running_mean",
	"weight bottleneck_2.conv_bn.batchnorm.running_var",
	"weight bottleneck_2.conv_bn.batchnorm.weight",
	"weight bottleneck_2.conv_bn.batchnorm.bias",
	"n23 = BatchNormalization(n22, bottleneck_2.conv_bn.batchnorm.weight, bottleneck_2.conv_bn.batchnorm.bias, bottleneck_2.conv_bn.batchnorm.running_mean, bottleneck_2.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n24 = Relu(n23)",
	"filters bottleneck_2.conv_bn_2.conv.weight",
	"n25 = Conv(n24, bottleneck_2.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck_2.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck_2.conv_bn_2.batchnorm.running_var",
	"weight bottleneck_2.conv_bn_2.batchnorm.weight",
	"weight bottleneck_2.conv_bn_2.batchnorm.bias",
	"n26 = BatchNormalization(n25, bottleneck_2.conv_bn_2.batchnorm.weight, bottleneck_2.conv_bn_2.batchnorm.bias, bottleneck_2.conv_bn_2.batchnorm.running_mean, bottleneck_2.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n27 = Relu(n26)",
	"filters bottleneck_2.conv_bn_3.conv.weight",
	"n28 = Conv(n27, bottleneck_2.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_2.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck_2.conv_bn_3.batchnorm.running_var",
	"weight bottleneck_2.conv_bn_3.batchnorm.weight",
	"weight bottleneck_2.conv_bn_3.batchnorm.bias",
	"n29 = BatchNormalization(n28, bottleneck_2.conv_bn_3.batchnorm.weight, bottleneck_2.conv_bn_3.batchnorm.bias, bottleneck_2.conv_bn_3.batchnorm.running_mean, bottleneck_2.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n30 = Add(n29, n21)",
	"n31 = Relu(n30)",
	"filters bottleneck_3.conv_bn.conv.weight",
	"n32 = Conv(n31, bottleneck_3.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_3.conv_bn.batchnorm.running_mean",
	"weight bottleneck_3.conv_bn.batchnorm.running_var",
	"weight bottleneck_3.conv_bn.batchnorm.weight",
	"weight bottleneck_3.conv_bn.batchnorm.bias",
	"n33 = BatchNormalization(n32, bottleneck_3.conv_bn.batchnorm.weight, bottleneck_3.conv_bn.batchnorm.bias, bottleneck_3.conv_bn.batchnorm.running_mean, bottleneck_3.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n34 = Relu(n33)",
	"filters bottleneck_3.conv_bn_2.conv.weight",
	"n35 = Conv(n34, bottleneck_3.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck_3.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck_3.conv_bn_2.batchnorm.running_var",
	"weight bottleneck_3.conv_bn_2.batchnorm.weight",
	"weight bottleneck_3.conv_bn_2.batchnorm.bias",
	"n36 = BatchNormalization(n35, bottleneck_3.conv_bn_2.batchnorm.weight, bottleneck_3.conv_bn_2.batchnorm.bias, bottleneck_3.conv_bn_2.batchnorm.running_mean, bottleneck_3.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n37 = Relu(n36)",
	"filters bottleneck_3.conv_bn_3.conv.weight",
	"n38 = Conv(n37, bottleneck_3.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_3.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck_3.conv_bn_3.batchnorm.running_var",
	"weight bottleneck_3.conv_bn_3.batchnorm.weight",
	"weight bottleneck_3.conv_bn_3.batchnorm.bias",
	"n39 = BatchNormalization(n38, bottleneck_3.conv_bn_3.batchnorm.weight, bottleneck_3.conv_bn_3.batchnorm.bias, bottleneck_3.conv_bn_3.batchnorm.running_mean, bottleneck_3.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n40 = Add(n39, n31)",
	"n41 = Relu(n40)",
	"filters bottleneck_4.conv_bn.conv.weight",
	"n42 = Conv(n41, bottleneck_4.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_4.conv_bn.batchnorm.running_mean",
	"weight bottleneck_4.conv_bn.batchnorm.running_var",
	"weight bottleneck_4.conv_bn.batchnorm.weight",
	"weight bottleneck_4.conv_bn.batchnorm.bias",
	"n43 = BatchNormalization(n42, bottleneck_4.conv_bn.batchnorm.weight, bottleneck_4.conv_bn.batchnorm.bias, bottleneck_4.conv_bn.batchnorm.running_mean, bottleneck_4.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n44 = Relu(n43)",
	"filters bottleneck_4.conv_bn_2.conv.weight",
	"n45 = Conv(n44, bottleneck_4.conv_bn_2.conv.weight) strides=[2,2] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck_4.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck_4.conv_bn_2.batchnorm.running_var",
	"weight bottleneck_4.conv_bn_2.batchnorm.weight",
	"weight bottleneck_4.conv_bn_2.batchnorm.bias",
	"n46 = BatchNormalization(n45, bottleneck_4.conv_bn_2.batchnorm.weight, bottleneck_4.conv_bn_2.batchnorm.bias, bottleneck_4.conv_bn_2.batchnorm.running_mean, bottleneck_4.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n47 = Relu(n46)",
	"filters bottleneck_4.conv_bn_3.conv.weight",
	"n48 = Conv(n47, bottleneck_4.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_4.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck_4.conv_bn_3.batchnorm.running_var",
	"weight bottleneck_4.conv_bn_3.batchnorm.weight",
	"weight bottleneck_4.conv_bn_3.batchnorm.bias",
	"n49 = BatchNormalization(n48, bottleneck_4.conv_bn_3.batchnorm.weight, bottleneck_4.conv_bn_3.batchnorm.bias, bottleneck_4.conv_bn_3.batchnorm.running_mean, bottleneck_4.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"filters bottleneck_4.conv_bn_4.conv.weight",
	"n50 = Conv(n41, bottleneck_4.conv_bn_4.conv.weight) strides=[2,2] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_4.conv_bn_4.batchnorm.running_mean",
	"weight bottleneck_4.conv_bn_4.batchnorm.running_var",
	"weight bottleneck_4.conv_bn_4.batchnorm.weight",
	"weight bottleneck_4.conv_bn_4.batchnorm.bias",
	"n51 = BatchNormalization(n50, bottleneck_4.conv_bn_4.batchnorm.weight, bottleneck_4.conv_bn_4.batchnorm.bias, bottleneck_4.conv_bn_4.batchnorm.running_mean, bottleneck_4.conv_bn_4.batchnorm.running_var) epsilon=1.00000000e-05",
	"n52 = Add(n49, n51)",
	"n53 = Relu(n52)",
	"filters bottleneck_5.conv_bn.conv.weight",
	"n54 = Conv(n53, bottleneck_5.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_5.conv_bn.batchnorm.running_mean",
	"weight bottleneck_5.conv_bn.batchnorm.running_var",
	"weight bottleneck_5.conv_bn.batchnorm.weight",
	"weight bottleneck_5.conv_bn.batchnorm.bias",
	"n55 = BatchNormalization(n54, bottleneck_5.conv_bn.batchnorm.weight, bottleneck_5.conv_bn.batchnorm.bias, bottleneck_5.conv_bn.batchnorm.running_mean, bottleneck_5.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n56 = Relu(n55)",
	"filters bottleneck_5.conv_bn_2.conv.weight",
	"n57 = Conv(n56, bottleneck_5.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck_5.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck_5.conv_bn_2.batchnorm.running_var",
	"weight bottleneck_5.conv_bn_2.batchnorm.weight",
	"weight bottleneck_5.conv_bn_2.batchnorm.bias",
	"n58 = BatchNormalization(n57, bottleneck_5.conv_bn_2.batchnorm.weight, bottleneck_5.conv_bn_2.batchnorm.bias, bottleneck_5.conv_bn_2.batchnorm.running_mean, bottleneck_5.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n59 = Relu(n58)",
	"filters bottleneck_5.conv_bn_3.conv.weight",
	"n60 = Conv(n59, bottleneck_5.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_5.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck_5.conv_bn_3.batchnorm.running_var",
	"weight bottleneck_5.conv_bn_3.batchnorm.weight",
	"weight bottleneck_5.conv_bn_3.batchnorm.bias",
	"n61 = BatchNormalization(n60, bottleneck_5.conv_bn_3.batchnorm.weight, bottleneck_5.conv_bn_3.batchnorm.bias, bottleneck_5.conv_bn_3.batchnorm.running_mean, bottleneck_5.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n62 = Add(n61, n53)",
	"n63 = Relu(n62)",
	"filters bottleneck_6.conv_bn.conv.weight",
	"n64 = Conv(n63, bottleneck_6.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_6.conv_bn.batchnorm.running_mean",
	"weight bottleneck_6.conv_bn.batchnorm.running_var",
	"weight bottleneck_6.conv_bn.batchnorm.weight",
	"weight bottleneck_6.conv_bn.batchnorm.bias",
	"n65 = BatchNormalization(n64, bottleneck_6.conv_bn.batchnorm.weight, bottleneck_6.conv_bn.batchnorm.bias, bottleneck_6.conv_bn.batchnorm.running_mean, bottleneck_6.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n66 = Relu(n65)",
	"filters bottleneck_6.conv_bn_2.conv.weight",
	"n67 = Conv(n66, bottleneck_6.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck_6.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck_6.conv_bn_2.batchnorm.running_var",
	"weight bottleneck_6.conv_bn_2.batchnorm.weight",
	"weight bottleneck_6.conv_bn_2.batchnorm.bias",
	"n68 = BatchNormalization(n67, bottleneck_6.conv_bn_2.batchnorm.weight, bottleneck_6.conv_bn_2.batchnorm.bias, bottleneck_6.conv_bn_2.batchnorm.running_mean, bottleneck_6.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n69 = Relu(n68)",
	"filters bottleneck_6.conv_bn_3.conv.weight",
	"n70 = Conv(n69, bottleneck_6.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_6.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck_6.conv_bn_3.batchnorm.running_var",
	"weight bottleneck_6.conv_bn_3.batchnorm.weight",
	"weight bottleneck_6.conv_bn_3.batchnorm.bias",
	"n71 = BatchNormalization(n70, bottleneck_6.conv_bn_3.batchnorm.weight, bottleneck_6.conv_bn_3.batchnorm.bias, bottleneck_6.conv_bn_3.batchnorm.running_mean, bottleneck_6.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n72 = Add(n71, n63)",
	"n73 = Relu(n72)",
	"filters bottleneck_7.conv_bn.conv.weight",
	"n74 = Conv(n73, bottleneck_7.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_7.conv_bn.batchnorm.running_mean",
	"weight bottleneck_7.conv_bn.batchnorm.running_var",
	"weight bottleneck_7.conv_bn.batchnorm.weight",
	"weight bottleneck_7.conv_bn.batchnorm.bias",
	"n75 = BatchNormalization(n74, bottleneck_7.conv_bn.batchnorm.weight, bottleneck_7.conv_bn.batchnorm.bias, bottleneck_7.conv_bn.batchnorm.running_mean, bottleneck_7.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n76 = Relu(n75)",
	"filters bottleneck_7.conv_bn_2.conv.weight",
	"n77 = Conv(n76, bottleneck_7.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck_7.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck_7.conv_bn_2.batchnorm.running_var",
	"weight bottleneck_7.conv_bn_2.batchnorm.weight",
	"weight bottleneck_7.conv_bn_2.batchnorm.bias",
	"n78 = BatchNormalization(n77, bottleneck_7.conv_bn_2.batchnorm.weight, bottleneck_7.conv_bn_2.batchnorm.bias, bottleneck_7.conv_bn_2.batchnorm.running_mean, bottleneck_7.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n79 = Relu(n78)",
	"filters bottleneck_7.conv_bn_3.conv.weight",
	"n80 = Conv(n79, bottleneck_7.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_7.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck_7.conv_bn_3.batchnorm.running_var",
	"weight bottleneck_7.conv_bn_3.batchnorm.weight",
	"weight bottleneck_7.conv_bn_3.batchnorm.bias",
	"n81 = BatchNormalization(n80, bottleneck_7.conv_bn_3.batchnorm.weight, bottleneck_7.conv_bn_3.batchnorm.bias, bottleneck_7.conv_bn_3.batchnorm.running_mean, bottleneck_7.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n82 = Add(n81, n73)",
	"n83 = Relu(n82)",
	"filters bottleneck_8.conv_bn.conv.weight",
	"n84 = Conv(n83, bottleneck_8.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_8.conv_bn.batchnorm.running_mean",
	"weight bottleneck_8.conv_bn.batchnorm.running_var",
	"weight bottleneck_8.conv_bn.batchnorm.weight",
	"weight bottleneck_8.conv_bn.batchnorm.bias",
	"n85 = BatchNormalization(n84, bottleneck_8.conv_bn.batchnorm.weight, bottleneck_8.conv_bn.batchnorm.bias, bottleneck_8.conv_bn.batchnorm.running_mean, bottleneck_8.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n86 = Relu(n85)",
	"filters bottleneck_8.conv_bn_2.conv.weight",
	"n87 = Conv(n86, bottleneck_8.conv_bn_2.conv.weight) strides=[2,2] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck_8.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck_8.conv_bn_2.batchnorm.running_var",
	"weight bottleneck_8.conv_bn_2.batchnorm.weight",
	"weight bottleneck_8.conv_bn_2.batchnorm.bias",
	"n88 = BatchNormalization(n87, bottleneck_8.conv_bn_2.batchnorm.weight, bottleneck_8.conv_bn_2.batchnorm.bias, bottleneck_8.conv_bn_2.batchnorm.running_mean, bottleneck_8.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n89 = Relu(n88)",
	"filters bottleneck_8.conv_bn_3.conv.weight",
	"n90 = Conv(n89, bottleneck_8.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_8.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck_8.conv_bn_3.batchnorm.running_var",
	"weight bottleneck_8.conv_bn_3.batchnorm.weight",
	"weight bottleneck_8.conv_bn_3.batchnorm.bias",
	"n91 = BatchNormalization(n90, bottleneck_8.conv_bn_3.batchnorm.weight, bottleneck_8.conv_bn_3.batchnorm.bias, bottleneck_8.conv_bn_3.batchnorm.running_mean, bottleneck_8.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"filters bottleneck_8.conv_bn_4.conv.weight",
	"n92 = Conv(n83, bottleneck_8.conv_bn_4.conv.weight) strides=[2,2] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_8.conv_bn_4.batchnorm.running_mean",
	"weight bottleneck_8.conv_bn_4.batchnorm.running_var",
	"weight bottleneck_8.conv_bn_4.batchnorm.weight",
	"weight bottleneck_8.conv_bn_4.batchnorm.bias",
	"n93 = BatchNormalization(n92, bottleneck_8.conv_bn_4.batchnorm.weight, bottleneck_8.conv_bn_4.batchnorm.bias, bottleneck_8.conv_bn_4.batchnorm.running_mean, bottleneck_8.conv_bn_4.batchnorm.running_var) epsilon=1.00000000e-05",
	"n94 = Add(n91, n93)",
	"n95 = Relu(n94)",
	"filters bottleneck_9.conv_bn.conv.weight",
	"n96 = Conv(n95, bottleneck_9.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_9.conv_bn.batchnorm.running_mean",
	"weight bottleneck_9.conv_bn.batchnorm.running_var",
	"weight bottleneck_9.conv_bn.batchnorm.weight",
	"weight bottleneck_9.conv_bn.batchnorm.bias",
	"n97 = BatchNormalization(n96, bottleneck_9.conv_bn.batchnorm.weight, bottleneck_9.conv_bn.batchnorm.bias, bottleneck_9.conv_bn.batchnorm.running_mean, bottleneck_9.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n98 = Relu(n97)",
	"filters bottleneck_9.conv_bn_2.conv.weight",
	"n99 = Conv(n98, bottleneck_9.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck_9.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck_9.conv_bn_2.batchnorm.running_var",
	"weight bottleneck_9.conv_bn_2.batchnorm.weight",
	"weight bottleneck_9.conv_bn_2.batchnorm.bias",
	"n100 = BatchNormalization(n99, bottleneck_9.conv_bn_2.batchnorm.weight, bottleneck_9.conv_bn_2.batchnorm.bias, bottleneck_9.conv_bn_2.batchnorm.running_mean, bottleneck_9.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n101 = Relu(n100)",
	"filters bottleneck_9.conv_bn_3.conv.weight",
	"n102 = Conv(n101, bottleneck_9.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_9.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck_9.conv_bn_3.batchnorm.running_var",
	"weight bottleneck_9.conv_bn_3.batchnorm.weight",
	"weight bottleneck_9.conv_bn_3.batchnorm.bias",
	"n103 = BatchNormalization(n102, bottleneck_9.conv_bn_3.batchnorm.weight, bottleneck_9.conv_bn_3.batchnorm.bias, bottleneck_9.conv_bn_3.batchnorm.running_mean, bottleneck_9.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n104 = Add(n103, n95)",
	"n105 = Relu(n104)",
	"filters bottleneck_10.conv_bn.conv.weight",
	"n106 = Conv(n105, bottleneck_10.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_10.conv_bn.batchnorm.running_mean",
	"weight bottleneck_10.conv_bn.batchnorm.running_var",
	"weight bottleneck_10.conv_bn.batchnorm.weight",
	"weight bottleneck_10.conv_bn.batchnorm.bias",
	"n107 = BatchNormalization(n106, bottleneck_10.conv_bn.batchnorm.weight, bottleneck_10.conv_bn.batchnorm.bias, bottleneck_10.conv_bn.batchnorm.running_mean, bottleneck_10.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n108 = Relu(n107)",
	"filters bottleneck_10.conv_bn_2.conv.weight",
	"n109 = Conv(n108, bottleneck_10.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck_10.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck_10.conv_bn_2.batchnorm.running_var",
	"weight bottleneck_10.conv_bn_2.batchnorm.weight",
	"weight bottleneck_10.conv_bn_2.batchnorm.bias",
	"n110 = BatchNormalization(n109, bottleneck_10.conv_bn_2.batchnorm.weight, bottleneck_10.conv_bn_2.batchnorm.bias, bottleneck_10.conv_bn_2.batchnorm.running_mean, bottleneck_10.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n111 = Relu(n110)",
	"filters bottleneck_10.conv_bn_3.conv.weight",
	"n112 = Conv(n111, bottleneck_10.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_10.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck_10.conv_bn_3.batchnorm.running_var",
	"weight bottleneck_10.conv_bn_3.batchnorm.weight",
	"weight bottleneck_10.conv_bn_3.batchnorm.bias",
	"n113 = BatchNormalization(n112, bottleneck_10.conv_bn_3.batchnorm.weight, bottleneck_10.conv_bn_3.batchnorm.bias, bottleneck_10.conv_bn_3.batchnorm.running_mean, bottleneck_10.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n114 = Add(n113, n105)",
	"n115 = Relu(n114)",
	"filters bottleneck_11.conv_bn.conv.weight",
	"n116 = Conv(n115, bottleneck_11.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_11.conv_bn.batchnorm.running_mean",
	"weight bottleneck_11.conv_bn.batchnorm.running_var",
	"weight bottleneck_11.conv_bn.batchnorm.weight",
	"weight bottleneck_11.conv_bn.batchnorm.bias",
	"n117 = BatchNormalization(n116, bottleneck_11.conv_bn.batchnorm.weight, bottleneck_11.conv_bn.batchnorm.bias, bottleneck_11.conv_bn.batchnorm.running_mean, bottleneck_11.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n118 = Relu(n117)",
	"filters bottleneck_11.conv_bn_2.conv.weight",
	"n119 = Conv(n118, bottleneck_11.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck_11.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck_11.conv_bn_2.batchnorm.running_var",
	"weight bottleneck_11.conv_bn_2.batchnorm.weight",
	"weight bottleneck_11.conv_bn_2.batchnorm.bias",
	"n120 = BatchNormalization(n119, bottleneck_11.conv_bn_2.batchnorm.weight, bottleneck_11.conv_bn_2.batchnorm.bias, bottleneck_11.conv_bn_2.batchnorm.running_mean, bottleneck_11.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n121 = Relu(n120)",
	"filters bottleneck_11.conv_bn_3.conv.weight",
	"n122 = Conv(n121, bottleneck_11.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_11.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck_11.conv_bn_3.batchnorm.running_var",
	"weight bottleneck_11.conv_bn_3.batchnorm.weight",
	"weight bottleneck_11.conv_bn_3.batchnorm.bias",
	"n123 = BatchNormalization(n122, bottleneck_11.conv_bn_3.batchnorm.weight, bottleneck_11.conv_bn_3.batchnorm.bias, bottleneck_11.conv_bn_3.batchnorm.running_mean, bottleneck_11.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n124 = Add(n123, n115)",
	"n125 = Relu(n124)",
	"filters bottleneck_12.conv_bn.conv.weight",
	"n126 = Conv(n125, bottleneck_12.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_12.conv_bn.batchnorm.running_mean",
	"weight bottleneck_12.conv_bn.batchnorm.running_var",
	"weight bottleneck_12.conv_bn.batchnorm.weight",
	"weight bottleneck_12.conv_bn.batchnorm.bias",
	"n127 = BatchNormalization(n126, bottleneck_12.conv_bn.batchnorm.weight, bottleneck_12.conv_bn.batchnorm.bias, bottleneck_12.conv_bn.batchnorm.running_mean, bottleneck_12.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n128 = Relu(n127)",
	"filters bottleneck_12.conv_bn_2.conv.weight",
	"n129 = Conv(n128, bottleneck_12.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck_12.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck_12.conv_bn_2.batchnorm.running_var",
	"weight bottleneck_12.conv_bn_2.batchnorm.weight",
	"weight bottleneck_12.conv_bn_2.batchnorm.bias",
	"n130 = BatchNormalization(n129, bottleneck_12.conv_bn_2.batchnorm.weight, bottleneck_12.conv_bn_2.batchnorm.bias, bottleneck_12.conv_bn_2.batchnorm.running_mean, bottleneck_12.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n131 = Relu(n130)",
	"filters bottleneck_12.conv_bn_3.conv.weight",
	"n132 = Conv(n131, bottleneck_12.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_12.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck_12.conv_bn_3.batchnorm.running_var",
	"weight bottleneck_12.conv_bn_3.batchnorm.weight",
	"weight bottleneck_12.conv_bn_3.batchnorm.bias",
	"n133 = BatchNormalization(n132, bottleneck_12.conv_bn_3.batchnorm.weight, bottleneck_12.conv_bn_3.batchnorm.bias, bottleneck_12.conv_bn_3.batchnorm.running_mean, bottleneck_12.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n134 = Add(n133, n125)",
	"n135 = Relu(n134)",
	"filters bottleneck_13.conv_bn.conv.weight",
	"n136 = Conv(n135, bottleneck_13.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_13.conv_bn.batchnorm.running_mean",
	"weight bottleneck_13.conv_bn.batchnorm.running_var",
	"weight bottleneck_13.conv_bn.batchnorm.weight",
	"weight bottleneck_13.conv_bn.batchnorm.bias",
	"n137 = BatchNormalization(n136, bottleneck_13.conv_bn.batchnorm.weight, bottleneck_13.conv_bn.batchnorm.bias, bottleneck_13.conv_bn.batchnorm.running_mean, bottleneck_13.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n138 = Relu(n137)",
	"filters bottleneck_13.conv_bn_2.conv.weight",
	"n139 = Conv(n138, bottleneck_13.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck_13.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck_13.conv_bn_2.batchnorm.running_var",
	"weight bottleneck_13.conv_bn_2.batchnorm.weight",
	"weight bottleneck_13.conv_bn_2.batchnorm.bias",
	"n140 = BatchNormalization(n139, bottleneck_13.conv_bn_2.batchnorm.weight, bottleneck_13.conv_bn_2.batchnorm.bias, bottleneck_13.conv_bn_2.batchnorm.running_mean, bottleneck_13.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n141 = Relu(n140)",
	"filters bottleneck_13.conv_bn_3.conv.weight",
	"n142 = Conv(n141, bottleneck_13.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_13.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck_13.conv_bn_3.batchnorm.running_var",
	"weight bottleneck_13.conv_bn_3.batchnorm.weight",
	"weight bottleneck_13.conv_bn_3.batchnorm.bias",
	"n143 = BatchNormalization(n142, bottleneck_13.conv_bn_3.batchnorm.weight, bottleneck_13.conv_bn_3.batchnorm.bias, bottleneck_13.conv_bn_3.batchnorm.running_mean, bottleneck_13.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n144 = Add(n143, n135)",
	"n145 = Relu(n144)",
	"filters bottleneck_14.conv_bn.conv.weight",
	"n146 = Conv(n145, bottleneck_14.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_14.conv_bn.batchnorm.running_mean",
	"weight bottleneck_14.conv_bn.batchnorm.running_var",
	"weight bottleneck_14.conv_bn.batchnorm.weight",
	"weight bottleneck_14.conv_bn.batchnorm.bias",
	"n147 = BatchNormalization(n146, bottleneck_14.conv_bn.batchnorm.weight, bottleneck_14.conv_bn.batchnorm.bias, bottleneck_14.conv_bn.batchnorm.running_mean, bottleneck_14.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n148 = Relu(n147)",
	"filters bottleneck_14.conv_bn_2.conv.weight",
	"n149 = Conv(n148, bottleneck_14.conv_bn_2.conv.weight) strides=[2,2] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck_14.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck_14.conv_bn_2.batchnorm.running_var",
	"weight bottleneck_14.conv_bn_2.batchnorm.weight",
	"weight bottleneck_14.conv_bn_2.batchnorm.bias",
	"n150 = BatchNormalization(n149, bottleneck_14.conv_bn_2.batchnorm.weight, bottleneck_14.conv_bn_2.batchnorm.bias, bottleneck_14.conv_bn_2.batchnorm.running_mean, bottleneck_14.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n151 = Relu(n150)",
	"filters bottleneck_14.conv_bn_3.conv.weight",
	"n152 = Conv(n151, bottleneck_14.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_14.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck_14.conv_bn_3.batchnorm.running_var",
	"weight bottleneck_14.conv_bn_3.batchnorm.weight",
	"weight bottleneck_14.conv_bn_3.batchnorm.bias",
	"n153 = BatchNormalization(n152, bottleneck_14.conv_bn_3.batchnorm.weight, bottleneck_14.conv_bn_3.batchnorm.bias, bottleneck_14.conv_bn_3.batchnorm.running_mean, bottleneck_14.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"filters bottleneck_14.conv_bn_4.conv.weight",
	"n154 = Conv(n145, bottleneck_14.conv_bn_4.conv.weight) strides=[2,2] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_14.conv_bn_4.batchnorm.running_mean",
	"weight bottleneck_14.conv_bn_4.batchnorm.running_var",
	"weight bottleneck_14.conv_bn_4.batchnorm.weight",
	"weight bottleneck_14.conv_bn_4.batchnorm.bias",
	"n155 = BatchNormalization(n154, bottleneck_14.conv_bn_4.batchnorm.weight, bottleneck_14.conv_bn_4.batchnorm.bias, bottleneck_14.conv_bn_4.batchnorm.running_mean, bottleneck_14.conv_bn_4.batchnorm.running_var) epsilon=1.00000000e-05",
	"n156 = Add(n153, n155)",
	"n157 = Relu(n156)",
	"filters bottleneck_15.conv_bn.conv.weight",
	"n158 = Conv(n157, bottleneck_15.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_15.conv_bn.batchnorm.running_mean",
	"weight bottleneck_15.conv_bn.batchnorm.running_var",
	"weight bottleneck_15.conv_bn.batchnorm.weight",
	"weight bottleneck_15.conv_bn.batchnorm.bias",
	"n159 = BatchNormalization(n158, bottleneck_15.conv_bn.batchnorm.weight, bottleneck_15.conv_bn.batchnorm.bias, bottleneck_15.conv_bn.batchnorm.running_mean, bottleneck_15.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n160 = Relu(n159)",
	"filters bottleneck_15.conv_bn_2.conv.weight",
	"n161 = Conv(n160, bottleneck_15.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck_15.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck_15.conv_bn_2.batchnorm.running_var",
	"weight bottleneck_15.conv_bn_2.batchnorm.weight",
	"weight bottleneck_15.conv_bn_2.batchnorm.bias",
	"n162 = BatchNormalization(n161, bottleneck_15.conv_bn_2.batchnorm.weight, bottleneck_15.conv_bn_2.batchnorm.bias, bottleneck_15.conv_bn_2.batchnorm.running_mean, bottleneck_15.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n163 = Relu(n162)",
	"filters bottleneck_15.conv_bn_3.conv.weight",
	"n164 = Conv(n163, bottleneck_15.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_15.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck_15.conv_bn_3.batchnorm.running_var",
	"weight bottleneck_15.conv_bn_3.batchnorm.weight",
	"weight bottleneck_15.conv_bn_3.batchnorm.bias",
	"n165 = BatchNormalization(n164, bottleneck_15.conv_bn_3.batchnorm.weight, bottleneck_15.conv_bn_3.batchnorm.bias, bottleneck_15.conv_bn_3.batchnorm.running_mean, bottleneck_15.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n166 = Add(n165, n157)",
	"n167 = Relu(n166)",
	"filters bottleneck_16.conv_bn.conv.weight",
	"n168 = Conv(n167, bottleneck_16.conv_bn.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_16.conv_bn.batchnorm.running_mean",
	"weight bottleneck_16.conv_bn.batchnorm.running_var",
	"weight bottleneck_16.conv_bn.batchnorm.weight",
	"weight bottleneck_16.conv_bn.batchnorm.bias",
	"n169 = BatchNormalization(n168, bottleneck_16.conv_bn.batchnorm.weight, bottleneck_16.conv_bn.batchnorm.bias, bottleneck_16.conv_bn.batchnorm.running_mean, bottleneck_16.conv_bn.batchnorm.running_var) epsilon=1.00000000e-05",
	"n170 = Relu(n169)",
	"filters bottleneck_16.conv_bn_2.conv.weight",
	"n171 = Conv(n170, bottleneck_16.conv_bn_2.conv.weight) strides=[1,1] pads=[1,1,1,1] dilations=[1,1] group=1",
	"weight bottleneck_16.conv_bn_2.batchnorm.running_mean",
	"weight bottleneck_16.conv_bn_2.batchnorm.running_var",
	"weight bottleneck_16.conv_bn_2.batchnorm.weight",
	"weight bottleneck_16.conv_bn_2.batchnorm.bias",
	"n172 = BatchNormalization(n171, bottleneck_16.conv_bn_2.batchnorm.weight, bottleneck_16.conv_bn_2.batchnorm.bias, bottleneck_16.conv_bn_2.batchnorm.running_mean, bottleneck_16.conv_bn_2.batchnorm.running_var) epsilon=1.00000000e-05",
	"n173 = Relu(n172)",
	"filters bottleneck_16.conv_bn_3.conv.weight",
	"n174 = Conv(n173, bottleneck_16.conv_bn_3.conv.weight) strides=[1,1] pads=[0,0,0,0] dilations=[1,1] group=1",
	"weight bottleneck_16.conv_bn_3.batchnorm.running_mean",
	"weight bottleneck_16.conv_bn_3.batchnorm.running_var",
	"weight bottleneck_16.conv_bn_3.batchnorm.weight",
	"weight bottleneck_16.conv_bn_3.batchnorm.bias",
	"n175 = BatchNormalization(n174, bottleneck_16.conv_bn_3.batchnorm.weight, bottleneck_16.conv_bn_3.batchnorm.bias, bottleneck_16.conv_bn_3.batchnorm.running_mean, bottleneck_16.conv_bn_3.batchnorm.running_var) epsilon=1.00000000e-05",
	"n176 = Add(n175, n167)",
	"n177 = Relu(n176)",
	"n178 = Transpose(n177) perm=[0,2,3,1]",
	"n179 = ints [1,2]",
	"n180 = ReduceSum(n178, n179) keepdims=1",
	"n181 = real 0.0204081633",
	"n182 = Mul(n180, n181)",
	"n183 = ints [-1,2048]",
	"n184 = Reshape(n182, n183)",
	"weight dense.weight",
	"n185 = Gemm(n184, dense.weight) transA=0 transB=1",
	"weight dense.bias",
	"n186 = Add(n185, dense.bias)",
	"output logits f32 [1000] n186",
};

static const NnrModel model = {
	.abi = NNR_ABI, .name = "resnet50", .source = "resnet50.net",
	.version = "0.2", .needs = NNR_FEATURES, .recipe = "data images; augment flip; optimizer sgd(rate = 0.1, momentum = 0.9, dampening = 0, nesterov = 0, decay = 0.0001); rate 0.1 warmup 5ep cosine; batch 256; epochs 90; precision tf32; seed 0; decay weights",
	.real = NNR_F32, .batch = 256, .chunks = 1,
	.program = program, .words = words, .word_count = 2, .compiler = NNR_COMPILER,
	.inputs = inputs, .input_count = 2,
	.params = params, .param_count = 161, .layouts = layouts,
	.onnx = onnx, .onnx_count = 456,
	.states = states, .state_count = 107,
	.param_bytes = 102228128, .state_bytes = 204543168, .input_bytes = 38536192,
	.train = {.arena_bytes = 22658221632, .outputs = train_outputs, .output_count = 2, .steps = steps, .step_count = 372, .gradient = &train_gradient, .run = train_step},
	.prepare = {.arena_bytes = 16384, .run = prepare_weights},
	.evaluate = {.arena_bytes = 1849688064, .outputs = evaluate_outputs, .output_count = 3, .run = evaluate_batch},
	.predict = {.arena_bytes = 1849688064, .outputs = predict_outputs, .output_count = 1, .run = predict_batch},
	.scored = {.output = "logits", .target = "label", .softmaxed = false},
	.places = places, .place_count = 181, .sources = sources, .source_count = 2, .file_count = 3,
	.backend = &nnr_cuda_backend, .device = &nnr_cuda_model,
	.data = "images",
	.augment = {.flip = true, .crop = 0},
	.rate = {.kind = NNR_RATE_COSINE, .rate = 0.10000000000000001, .final_rate = 0, .gamma = 0.10000000000000001,
	         .warmup = 5, .every = 0, .warmup_in_epochs = true, .every_in_epochs = false},
	.epochs = 90, .steps = 0, .seed = 0u,
};

int main(int argc, char **argv)
{
	return nnr_main(&model, argc, argv);
}
