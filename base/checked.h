/* SPDX-License-Identifier: MIT */
/* Checked 64-bit arithmetic for every size: dimensions, element counts, bytes, FLOPs, offsets.
 * The functions return false and leave *out alone on overflow or, for sizes, past SIZE_LIMIT. */
#ifndef NNC_CHECKED_H
#define NNC_CHECKED_H

#include <stdbool.h>
#include <stdint.h>

#define SIZE_LIMIT ((int64_t)1 << 48) /* no tensor, buffer or arena is larger, in bytes or elements */

static inline bool checked_add(int64_t a, int64_t b, int64_t *out)
{
	int64_t r;
	if (__builtin_add_overflow(a, b, &r))
		return false;
	*out = r;
	return true;
}

static inline bool checked_mul(int64_t a, int64_t b, int64_t *out)
{
	int64_t r;
	if (__builtin_mul_overflow(a, b, &r))
		return false;
	*out = r;
	return true;
}

static inline bool checked_sub(int64_t a, int64_t b, int64_t *out)
{
	int64_t r;
	if (__builtin_sub_overflow(a, b, &r))
		return false;
	*out = r;
	return true;
}

/* a/b rounded up, of sizes that were checked (a >= 0, b > 0). */
static inline int64_t ceil_div(int64_t a, int64_t b)
{
	return a / b + (a % b != 0);
}

/* a rounded up to a multiple of unit (unit > 0). */
static inline bool checked_round_up(int64_t a, int64_t unit, int64_t *out)
{
	int64_t r;
	if (!checked_add(a, unit - 1, &r))
		return false;
	*out = r - r % unit;
	return true;
}

#endif
