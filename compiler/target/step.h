/* The C function of one step. Private to target/. */
#ifndef NNC_STEP_H
#define NNC_STEP_H

#include "target/target.h"
#include "target/forms.h"
#include "target/tensors.h"

typedef struct StepFunction {
	const char *stem;          /* what it computes and over what: "conv_add_relu_128x28x28x16" */
	const char *params;        /* C parameter list of the host function */
	const char *device_params; /* of a CUDA kernel: the same with __restrict__ */
	const char *body;          /* C text of the body, indented by one tab less than it needs */
	CudaLaunch launch;         /* of a CUDA kernel; threads == 0: the body is host code */
	Tensors tensors;           /* what the caller passes, in order; then `s` when tensors.scalars */
} StepFunction;

/* Of a STEP_KERNEL or STEP_OP. Equal functions have equal params, blocks and body, whatever the layer. */
StepFunction step_function(Arena *a, const Program *p, const Step *s, const Target *target);

#endif
