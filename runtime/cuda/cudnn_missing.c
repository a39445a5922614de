/* SPDX-License-Identifier: MIT */
/* Stands in for cudnn*.c where cuDNN's headers were not there when the runtime was built. */
#include "runtime/host/die.h"
#include "runtime/cuda/nnr_cuda.h"

_Noreturn static void missing(void)
{
	die_help(STATUS_DEVICE,
	         "install cuDNN 9 with its headers (cudnn.h, where cuda.h is), build nnc again, and compile "
	         "the network again",
	         "this network needs cuDNN for its convolutions, and the runtime of this nnc was built "
	         "without");
}

void nnr_cuda_make_ahead(void)
{
}

void nnr_cudnn_attention(NnrPlan **plan, const NnrAttentionShape *s, NnrKernel *kernel,
                         void *const *arguments)
{
	nnr_launch(kernel, arguments);
}

void nnr_cudnn_conv_fprop(NnrPlan **plan, const NnrConvShape *s, NnrDType dtype, const void *x, const void *w,
                          void *y)
{
	missing();
}

void nnr_cudnn_conv_epilogue(NnrPlan **plan, const NnrConvShape *s, const NnrEpilogue *e, NnrDType dtype,
                             const void *x, const void *w, const void *residual, const void *bias, void *y)
{
	missing();
}

void nnr_cudnn_conv_dgrad(NnrPlan **plan, const NnrConvShape *s, NnrDType dtype, const void *dy,
                          const void *w, void *dx)
{
	missing();
}

void nnr_cudnn_conv_wgrad(NnrPlan **plan, const NnrConvShape *s, NnrDType dtype, const void *x,
                          const void *dy, void *dw)
{
	missing();
}
