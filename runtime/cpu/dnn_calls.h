/* SPDX-License-Identifier: MIT */
/* The functions of oneDNN that cpu/dnn.c calls, found in the library when the first of them is needed. */
#ifndef NNR_DNN_CALLS_H
#define NNR_DNN_CALLS_H

#include <dnnl.h>

#if DNNL_VERSION_MAJOR >= 3
#define DNN_CALLS_OF_VERSION(X)                               \
	X(convolution_backward_data_primitive_desc_create)    \
	X(convolution_backward_weights_primitive_desc_create) \
	X(convolution_forward_primitive_desc_create)          \
	X(matmul_primitive_desc_create)                       \
	X(memory_desc_clone)                                  \
	X(memory_desc_create_with_strides)                    \
	X(memory_desc_create_with_tag)
#else
#define DNN_CALLS_OF_VERSION(X)                           \
	X(dilated_convolution_backward_data_desc_init)    \
	X(dilated_convolution_backward_weights_desc_init) \
	X(dilated_convolution_forward_desc_init)          \
	X(matmul_desc_init)                               \
	X(memory_desc_init_by_strides)                    \
	X(memory_desc_init_by_tag)                        \
	X(primitive_desc_create)
#endif
#define DNN_CALLS(X)                     \
	DNN_CALLS_OF_VERSION(X)          \
	X(engine_create)                 \
	X(memory_create)                 \
	X(memory_desc_equal)             \
	X(memory_set_data_handle)        \
	X(primitive_create)              \
	X(primitive_desc_destroy)        \
	X(primitive_desc_query)          \
	X(primitive_desc_query_md)       \
	X(primitive_execute)             \
	X(primitive_get_primitive_desc)  \
	X(reorder_primitive_desc_create) \
	X(stream_create)                 \
	X(stream_wait)

typedef struct DnnCalls {
#define DNN_CALL(name) __typeof__(&dnnl_##name) name;
	DNN_CALLS(DNN_CALL)
#undef DNN_CALL
} DnnCalls;

#endif
