/* SPDX-License-Identifier: MIT */
/* Joules, as this machine counts them: of the GPU by NVML, of the processors and their memory by the kernel's powercap
 * (RAPL). The counters have all in them that runs on the GPU and on the machine meanwhile. */
#ifndef NNR_ENERGY_H
#define NNR_ENERGY_H

#include "runtime/session/session.h"

typedef struct Energy {
	double seconds, gpu, cpu; /* by the clock; joules. NAN: there is no counter, or it can't be told */
} Energy;

/* The counters as they stand, from an arbitrary beginning on. Those of the processors wrap within minutes: look again
 * before as many joules can have been taken at a kilowatt a package, or there is no figure any more. Of several ranks,
 * which share processors, none has one. */
Energy energy_now(const Session *s);
/* What was taken since then. Within less than a second counters hardly move, and one that did not move counts nothing:
 * both are NAN. */
Energy energy_since(const Session *s, const Energy *then);
/* As fields of JSON, `"gpu_joules_per_sample": 0.0123, ` and the same of `cpu`, of each counter that there is. */
void energy_put(char *to, size_t room, const Energy *taken, double samples);

#endif
