/* SPDX-License-Identifier: MIT */
/* Element types and shapes. Images are channels-last: [batch, height, width, channels]. */
#ifndef NNC_TYPE_H
#define NNC_TYPE_H

#include "base/arena.h"
#include "base/limits.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum { DTYPE_F32, DTYPE_F64, DTYPE_BF16, DTYPE_F16, DTYPE_I32, DTYPE_U8, DTYPE_COUNT } DType;

/* Dimensions are >= 1 and their product, times the element size, is within SIZE_LIMIT: type_make checks it.
 * Rank 0 is a scalar. */
typedef struct Type {
	DType dtype;
	int rank;
	int64_t dim[LIMIT_RANK];
} Type;

/* False when a dimension is < 1, the rank too high, or the size over SIZE_LIMIT. */
bool type_make(DType dtype, int rank, const int64_t *dim, Type *out);
Type type_scalar(DType dtype);
Type type_with_dtype(Type t, DType dtype);
bool type_equal(Type a, Type b);  /* dtype and shape */
bool shape_equal(Type a, Type b); /* shape only */
int64_t type_elements(Type t);
int64_t type_product(Type t, int from, int to); /* of dimensions [from, to) */
int64_t type_bytes(Type t);
int64_t dtype_bytes(DType d);
bool dtype_is_real(DType d); /* f32 f64 bf16 f16 */
/* Whether tensor cores take factors of that type, those of f32 rounded where `tf32` allows it. */
bool dtype_on_tensor_cores(DType d, bool tf32);
bool dtype_is_half(DType d); /* bf16 f16: how a value is stored; it is computed with in f32 */
DType dtype_of_precision(const char *precision); /* of activations, by the word of a recipe; NULL: f32 */
const char *dtype_name(DType d);                 /* "f32" */
bool dtype_from_name(const char *name, DType *out);
char *type_text(Arena *a, Type t);  /* "f32[128,28,28,16]", scalars "f32[]" */
char *shape_text(Arena *a, Type t); /* "[128,28,28,16]" */

/* NumPy broadcasting, aligned at the last dimension; dtypes must agree. False when they do not broadcast. */
bool type_broadcast(Type a, Type b, Type *out);

#endif
