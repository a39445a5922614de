/* SPDX-License-Identifier: MIT */
#include "runtime/host/dtype.h"
#include "runtime/host/die.h"

int64_t dtype_bytes(NnrDType dtype)
{
	static const int bytes[] = {4, 8, 2, 2, 4, 1};
	return bytes[dtype];
}

double dtype_value(const void *at, NnrDType dtype, int64_t i)
{
	switch (dtype) {
	case NNR_F32:
		return (double)((const float *)at)[i];
	case NNR_F64:
		return ((const double *)at)[i];
	case NNR_I32:
		return ((const int32_t *)at)[i];
	case NNR_U8:
		return ((const uint8_t *)at)[i];
	default:
		require(!"an element that the host reads is f32, f64, i32 or u8");
		return 0;
	}
}

const char *dtype_name(NnrDType dtype)
{
	static const char *const names[] = {"f32", "f64", "bf16", "f16", "i32", "u8"};
	return names[dtype];
}
