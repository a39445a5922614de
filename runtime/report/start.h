/* SPDX-License-Identifier: MIT */
/* Where the time goes from the process's beginning to its first step: one part is on at a time, and what it took is
 * added up. Of the process's first thread alone. */
#ifndef NNR_START_H
#define NNR_START_H

#include <stdbool.h>

typedef enum StartPart {
	START_REST,      /* options, checks, the folder of a run */
	START_DEVICE,    /* driver, context, memory */
	START_KERNELS,   /* the images */
	START_DATA,      /* read, and brought to the device */
	START_WEIGHTS,   /* initial or read */
	START_LIBRARIES, /* loaded and opened */
	START_PLANS,     /* made, of the record or by the heuristics, and run once */
	START_TUNING,    /* before the first step */
	START_STEPS,     /* those that run plainly, without the plans that they make */
	START_GRAPHS,    /* captured, and timed */
	START_PARTS
} StartPart;

void start_begin(void);
/* From now on time is of that part; returns which it was of until now. Nothing outside of start_begin and start_end. */
StartPart start_part(StartPart part);
/* Around the making of a library's plan for the operation `key`, perhaps of several; a line of progress says where that
 * stands. begin returns what end is given. */
StartPart start_plan(const char *key);
/* That many of `all` plans are made, by threads: the line of progress. */
void start_plans_ahead(int done, int all);
void start_plan_made(StartPart outer, bool of_record);
/* The first step may begin: says what all of it took, where that was long or `always`. */
void start_end(bool always);
double start_seconds(void); /* all of it */

#endif
