/* SPDX-License-Identifier: MIT */
/* What steps cost (target/device.h), and a program as the sum of them: the forecast of a step of training. */
#ifndef NNC_PRICE_H
#define NNC_PRICE_H

#include "ir/program.h"
#include "target/device.h"

Work step_work(const Step *s, bool tensor_cores);
/* us; 0 where ranks wait for one another, or of no known device. */
double step_us(const Step *s, const Device *d);

typedef struct Forecast {
	double us;         /* of the whole */
	double by[BOUNDS]; /* of that */
	double beside;     /* of that, of steps of the side stream */
} Forecast;

/* Steps one after the other. Those of the side stream share memory and arithmetic with the chain, and wait for no
 * launch. */
Forecast program_forecast(const Program *p, const Device *d);

#endif
