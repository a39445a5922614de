/* SPDX-License-Identifier: MIT */
/* How much memory there is left to take. */
#ifndef NNR_MEMORY_H
#define NNR_MEMORY_H

/* Bytes the machine can still give out: MemAvailable, under the limits of the control groups that the process is in. A
 * large number where the system does not say. */
double memory_available(void);
/* Bytes of the machine's memory that this process has; 0 where the system does not say. */
double memory_of_process(void);
/* Bytes of address space left under `ulimit -v`; a large number where there is no limit. */
double memory_addresses_left(void);

#endif
