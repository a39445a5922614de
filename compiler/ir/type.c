/* SPDX-License-Identifier: MIT */
/* Element types and shapes: ir/type.h. A Type is a value; every one that exists passed type_make, so that
 * element and byte counts need no check anywhere else. */
#include "ir/type.h"

#include "base/checked.h"
#include "base/diag.h"
#include "base/format.h"

#include <string.h>

static const struct {
	const char *name;
	int bytes;
	bool real;
} dtypes[DTYPE_COUNT] = {
        [DTYPE_F32] = {"f32", 4, true}, [DTYPE_F64] = {"f64", 8, true},  [DTYPE_BF16] = {"bf16", 2, true},
        [DTYPE_F16] = {"f16", 2, true}, [DTYPE_I32] = {"i32", 4, false}, [DTYPE_U8] = {"u8", 1, false},
};

int64_t dtype_bytes(DType d)
{
	return dtypes[d].bytes;
}

bool dtype_is_real(DType d)
{
	return dtypes[d].real;
}

bool dtype_on_tensor_cores(DType d, bool tf32)
{
	return dtype_is_half(d) || (d == DTYPE_F32 && tf32);
}

DType dtype_of_precision(const char *precision)
{
	if (!precision || strcmp(precision, "fp64") == 0)
		return precision ? DTYPE_F64 : DTYPE_F32;
	return strcmp(precision, "bf16") == 0   ? DTYPE_BF16
	       : strcmp(precision, "fp16") == 0 ? DTYPE_F16
	                                        : DTYPE_F32;
}

bool dtype_is_half(DType d)
{
	return d == DTYPE_BF16 || d == DTYPE_F16;
}

const char *dtype_name(DType d)
{
	return dtypes[d].name;
}

bool dtype_from_name(const char *name, DType *out)
{
	for (int d = 0; d < DTYPE_COUNT; d++) {
		if (strcmp(dtypes[d].name, name) == 0) {
			*out = (DType)d;
			return true;
		}
	}
	return false;
}

bool type_make(DType dtype, int rank, const int64_t *dim, Type *out)
{
	if (rank < 0 || rank > LIMIT_RANK)
		return false;
	Type t = {.dtype = dtype, .rank = rank};
	int64_t bytes = dtype_bytes(dtype);
	for (int i = 0; i < rank; i++) {
		if (dim[i] < 1 || !checked_mul(bytes, dim[i], &bytes) || bytes > SIZE_LIMIT)
			return false;
		t.dim[i] = dim[i];
	}
	*out = t;
	return true;
}

Type type_scalar(DType dtype)
{
	return (Type){.dtype = dtype};
}

Type type_with_dtype(Type t, DType dtype)
{
	Type out;
	if (!type_make(dtype, t.rank, t.dim, &out))
		fail(EXIT_SOURCE, "a tensor of %s elements is larger than the limit of 2^48 bytes",
		     dtype_name(dtype));
	return out;
}

bool shape_equal(Type a, Type b)
{
	if (a.rank != b.rank)
		return false;
	for (int i = 0; i < a.rank; i++) {
		if (a.dim[i] != b.dim[i])
			return false;
	}
	return true;
}

bool type_equal(Type a, Type b)
{
	return a.dtype == b.dtype && shape_equal(a, b);
}

int64_t type_product(Type t, int from, int to)
{
	int64_t n = 1;
	for (int i = from; i < to; i++)
		n *= t.dim[i];
	return n;
}

int64_t type_elements(Type t)
{
	return type_product(t, 0, t.rank);
}

int64_t type_bytes(Type t)
{
	return type_elements(t) * dtype_bytes(t.dtype);
}

char *shape_text(Arena *a, Type t)
{
	char text[LIMIT_RANK * 21 + 3], *p = text;
	*p++ = '[';
	for (int i = 0; i < t.rank; i++)
		p += format_into(p, (size_t)(text + sizeof text - p), "%s%lld", i ? "," : "",
		                 (long long)t.dim[i]);
	*p++ = ']';
	*p = '\0';
	return arena_strdup(a, text);
}

char *type_text(Arena *a, Type t)
{
	return arena_printf(a, "%s%s", dtype_name(t.dtype), shape_text(a, t));
}

bool type_broadcast(Type a, Type b, Type *out)
{
	if (a.dtype != b.dtype)
		return false;
	int rank = a.rank > b.rank ? a.rank : b.rank;
	int64_t dim[LIMIT_RANK];
	for (int i = 0; i < rank; i++) {
		int from_end = rank - i;
		int64_t x = from_end <= a.rank ? a.dim[a.rank - from_end] : 1;
		int64_t y = from_end <= b.rank ? b.dim[b.rank - from_end] : 1;
		if (x != y && x != 1 && y != 1)
			return false;
		dim[i] = x == 1 ? y : x;
	}
	return type_make(a.dtype, rank, dim, out);
}
