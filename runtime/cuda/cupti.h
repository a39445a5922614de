/* SPDX-License-Identifier: MIT */
/* CUPTI, NVIDIA's profiling interface, opened when a profile asks for it: what the GPU ran, from when to when, also
 * within graphs. */
#ifndef NNR_CUDA_CUPTI_H
#define NNR_CUDA_CUPTI_H

#include <stdbool.h>
#include <stdint.h>

/* One kernel, copy or memset that the GPU ran. Times in ns, of CUPTI's clock. */
typedef struct CuptiRecord {
	int64_t begin, end;
	char *name;    /* of the kernel; "copy", "memset"; malloc'd */
	bool in_graph; /* its node was made while cupti_begin's listener was asked: `tag` is what it said */
	int tag;
} CuptiRecord;

typedef struct CuptiRecords {
	CuptiRecord *at;
	int64_t count, room;
	int64_t dropped; /* that CUPTI had no room for */
} CuptiRecords;

enum { CUPTI_NO_TAG = INT32_MIN }; /* of a node that is nobody's */

/* Begins to record, and to ask `tag` at each node that is added to a graph from now on. NULL, or why it can't: a
 * sentence, malloc'd. */
char *cupti_begin(int (*tag)(void));
/* Everything that ran until now, and the end of recording. */
CuptiRecords cupti_end(void);
void cupti_free(CuptiRecords *records);

#endif
