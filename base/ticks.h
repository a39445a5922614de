/* SPDX-License-Identifier: MIT */
/* Where the axes of charts have their marks: of nnc's pages, and of trainers' curves. */
#ifndef NNC_TICKS_H
#define NNC_TICKS_H

#include <math.h>
#include <stdio.h>

enum { TICK_BYTES = 32 };

/* 1, 2 or 5 times a power of ten, of which about `count` are as much as `span`. */
static inline double tick_step(double span, int count)
{
	double rough = span / count, power = pow(10, floor(log10(rough))), digit = rough / power;
	return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

/* "0.002", "15k", "2M": with the powers of a thousand as letters from ten thousand on. */
static inline void tick_label(char label[TICK_BYTES], double value)
{
	static const char *const units[] = {"", "k", "M", "G", "T"};
	int power = 0;
	if (fabs(value) >= 1e4 && fabs(value) < 1e15)
		power = (int)(log10(fabs(value)) / 3 + 1e-9);
	snprintf(label, TICK_BYTES, "%.5g%s", value == 0 ? 0 : value / pow(1000, power), units[power]);
}

#endif
