/* SPDX-License-Identifier: MIT */
/* Where nnc was built without protobuf-c or without ONNX's schema. */
#include "runtime/host/die.h"
#include "runtime/train/onnx.h"

void onnx_write(const Session *s, const char *path)
{
	die_help(STATUS_DATA,
	         "install protobuf-c-compiler, libprotobuf-c-dev and libonnx-dev, and build nnc again",
	         "`%s` can't be exported as ONNX: nnc was built without protobuf-c or ONNX's schema",
	         s->model->name);
}
