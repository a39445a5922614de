/* SPDX-License-Identifier: MIT */
/* For a file with a record of what computes a heavy operator (passes/implementation.h), which writes its kernel; and
 * the records by their names. */
#ifndef NNC_IMPLEMENTATIONS_H
#define NNC_IMPLEMENTATIONS_H

#include "codegen/forms.h"
#include "codegen/kernel.h"
#include "codegen/tensors.h"
#include "passes/implementation.h"

#define IMPLEMENTATION(name) extern const Implementation implementation_##name;
#include "codegen/implementations.def"
#undef IMPLEMENTATION

#endif
