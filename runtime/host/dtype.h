/* SPDX-License-Identifier: MIT */
/* Types of elements, as generated code names them. */
#ifndef NNR_DTYPE_H
#define NNR_DTYPE_H

#include "runtime/nnr.h"

int64_t dtype_bytes(NnrDType dtype);
double dtype_value(const void *at, NnrDType dtype, int64_t i); /* element i; dtype is not of 16 bits */
const char *dtype_name(NnrDType dtype);                        /* "u8", as in .net files */

#endif
