/* SPDX-License-Identifier: MIT */
/* The forms of operators in ONNX: a record each, in tables by what they work on. An operator without one is expanded,
 * or networks with it can't be exported. */
#ifndef NNC_ONNX_FORMS_H
#define NNC_ONNX_FORMS_H

#include "ir/op.h"
#include "onnx/onnx.h"

typedef struct OnnxForm {
	const char *op;
	/* Calls over the operands, attributes and numbers: "LeakyRelu(x; alpha=slope)"; or NULL, and a function that
	 * adds the nodes and gives the name of the result, whose channels may be first. */
	const char *text;
	const char *(*node)(Onnx *o, const Node *n, bool *channels_first);
} OnnxForm;

const OnnxForm *onnx_form(const Op *op); /* NULL: it has none */

/* Each ends in {0}. */
extern const OnnxForm onnx_forms_values[], onnx_forms_images[], onnx_forms_shapes[];

#endif
