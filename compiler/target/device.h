/* SPDX-License-Identifier: MIT */
/* What devices reach, and what work costs on one: the one price that the compiler asks for, and its forecast. */
#ifndef NNC_DEVICE_H
#define NNC_DEVICE_H

#include "target/target.h"

/* Per us. */
typedef struct Rates {
	double memory;       /* bytes, read and written */
	double scalar, wide; /* FLOP of loops, in f32 and in f64 */
	double tf32, half;   /* FLOP of tensor cores, of f32 and of 16 bits */
	double kernel, call; /* us of a step beside its work: of a kernel, and of a library's call */
} Rates;

typedef struct Device {
	const char *name;
	Rates peak;        /* of the data sheet: what no kernel can exceed */
	Rates reached;     /* by the steps of whole networks */
	double launch;     /* us: a kernel whose work is less is bound by its launch */
	double link, turn; /* between ranks: bytes per us, and us of a turn of the ring */
} Device;

typedef enum { SCALAR, WIDE, TENSOR_TF32, TENSOR_HALF, ARITHMETICS } Arithmetic;
typedef enum { BY_LATENCY, BY_MEMORY, BY_ARITHMETIC, BOUNDS } Bound;

/* Of one step, or of an operator. */
typedef struct Work {
	double bytes, flops;
	Arithmetic arithmetic;
	bool call, beside; /* by a library; on the side stream, where nothing waits for its launch */
} Work;

/* The device that kernels of the target are priced for; NULL: none is known. */
const Device *target_device(const Target *t);
/* us: the longer of moving its bytes and computing its FLOP, and what a step takes beside. */
double price_us(const Rates *r, const Work *w);
/* What of that is the most. */
Bound price_bound(const Rates *r, const Work *w);

#endif
