/* SPDX-License-Identifier: MIT */
/* What a convolution's call computes after it (NnrEpilogue): as operations of cuDNN, and as the kernel that nnc
 * generated. Private to the cudnn files. */
#ifndef NNR_CUDA_CUDNN_EPILOGUE_H
#define NNR_CUDA_CUDNN_EPILOGUE_H

#include "runtime/cuda/cudnn_graph.h"
#include "runtime/cuda/epilogue.h"

enum { EPILOGUE_OPERATIONS = 3 };

/* Appends the operations that lead from `from`, the convolution's result, to `y`, both of dimensions `dim`; NULL among
 * them is one that cuDNN refuses. Returns how many there are: at least one. `from` is virtual. */
int epilogue_operations(Pool *p, const Question *q, const int64_t dim[4], Descriptor from, Descriptor y,
                        Descriptor steps[EPILOGUE_OPERATIONS]);

#endif
