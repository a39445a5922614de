/* SPDX-License-Identifier: MIT */
/* Answers of cuDNN to one question: an engine with values for its knobs, and the plan made of it. Private to the cudnn
 * files. */
#ifndef NNR_CUDA_CUDNN_ANSWER_H
#define NNR_CUDA_CUDNN_ANSWER_H

#include "runtime/cuda/cudnn_graph.h"

enum { KNOBS = 24, HEURISTIC_MODES = 4 };

typedef struct Answer {
	Form form;
	int64_t engine; /* of PRODUCT always 0, without knobs: the answer is in cuBLASLt's part of the record */
	int knob_count;
	struct Knob {
		int64_t type, value;
	} knobs[KNOBS];
} Answer;

/* The values a knob of an engine may have: low, low + step, ... high. */
typedef struct KnobRange {
	int64_t type, low, high, step;
} KnobRange;

/* A plan that works, with what it stands on: cuDNN does not promise that a plan outlives its graph. */
typedef struct Plan {
	Pool pool;
	Descriptor plan;
	int64_t workspace;
} Plan;

bool answers_equal(const Answer *a, const Answer *b);
/* The settings of the tune record: form, engine, and the knobs by name. */
void answer_to_entry(const Answer *a, TuneEntry *e);
/* That a plan of it took `us`. */
void answer_tried(const Answer *a, TuneEntry *e, double us);
bool answer_from_entry(const TuneEntry *e, Answer *a);

/* False when the engine does not take these knobs, or computes in a way that the model does not want. */
bool plan_of(Plan *out, const Graph *g, const Answer *a, cudnnDataType_t type);
/* Appends what a mode of the heuristics answers and is not there yet; the new count. `mode`: 0 A, 1 INSTANT, 2 B, 3
 * FALLBACK, the order in which they are believed. Each takes milliseconds. */
int answers_of_heuristic(const Graph *g, int mode, Form form, cudnnDataType_t type, Answer *answers,
                         int count, int room);
/* Whether a plan of the engine is compiled when it is made: that takes from a third of a second to many, at every
 * start. */
bool engine_is_compiled(const Graph *g, int64_t engine);
/* What the knobs of an engine may be; their number, at most KNOBS. */
int knob_ranges(const Graph *g, int64_t engine, KnobRange out[KNOBS]);

#endif
