/* SPDX-License-Identifier: MIT */
/* What cudnn.c and cublas.c share: loading a library, the workspace cap, and timing candidates on the user's GPU.
 *
 * A plan is made at the first call of its step, outside of any graph capture: the choice is taken from the tune record,
 * or it is the heuristics' first, which tuning may replace (tuning.h) by the fastest of those that compute the same
 * (plan_check.h). Steps of the same operation and shape share one choice. */
#ifndef NNR_CUDA_PLAN_H
#define NNR_CUDA_PLAN_H

#include "runtime/host/die.h"
#include "runtime/report/start.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/nnr_cuda.h"
#include "runtime/cuda/tuning.h"

/* The common head of each library's plan of a step. */
struct NnrPlan {
	const TuneEntry *entry; /* the choice: settings and, where it was timed, measurements */
	int alignment;          /* of the addresses that it was made for, bytes */
	int *uses;              /* of the choice */
};

/* The common head of each library's choice, one per operation and shape. */
typedef struct PlanChoice {
	struct PlanChoice *next;
	TuneEntry entry;
	int uses; /* steps that have it */
} PlanChoice;

/* The choice for an operation, which a search that runs may want searched first (tuning_met); NULL where there is none
 * yet, and then ends the process if a graph is being captured: what is tried out would end up inside of it. */
PlanChoice *plan_choice_of(PlanChoice *choices, const char *key);
/* The step that is enqueued has it. */
void plan_use(PlanChoice *choice);

/* Makes the plans of what programs asked for while they were looked through (nnr_cuda_looking), several at a time. */
void nnr_cuda_make_ahead(void);

/* ---- libraries */

/* The first of `names` (ended by NULL) that can be loaded; NULL where none can. */
void *library_find(const char *const *names);
/* The same; ends the process when none can, with what to install. */
void *library_open(const char *const *names, const char *title, const char *package);
void *library_symbol(void *library, const char *title, const char *name);
/* Opens the tune record for a library of this version on this device. */
void plan_open_record(TuneLibrary library, int64_t version);
/* Says that what a record has for an operation does not work here. */
void plan_say_left_out(const char *key);

/* ---- limits */

/* Bytes a plan may use: $NNR_WORKSPACE_MIB or 256 MiB, less where the device has not enough left at the first plan. */
int64_t plan_workspace_cap(void);
/* The precision of f32 arithmetic: tf32 unless the model says fp32. */
bool plan_allows_tf32(void);
/* Bytes of an element of a plan's tensors, f32 or of 16 bits. */
int64_t plan_element_bytes(NnrDType dtype);
/* Bytes: no plan asks for more. */
enum { FULLY_ALIGNED = 16 };
/* The largest power of two up to FULLY_ALIGNED that divides all the addresses. */
int plan_alignment(const void *a, const void *b, const void *c);
/* Whether a call with these addresses needs a plan: it has none, or one for larger alignment, made by another layer of
 * the same shape. */
bool plan_is_needed(const NnrPlan *plan, const void *a, const void *b, const void *c);
/* "tf32", "fp32", "bf16", "f16": the data's type, for f32 its arithmetic. */
const char *plan_arithmetic_name(NnrDType dtype);

/* nnr_cublas_matmul for a convolution that may be asked for otherwise: false where cuBLASLt has no algorithm that
 * works. */
bool plan_product(NnrPlan **plan, const NnrProductShape *s, NnrDType dtype, const void *a, const void *b,
                  void *y);
/* Enqueues wide[i] = narrow[i], from bf16 or f16 to f32 (widen.c). */
void plan_widen(NnrDType from, const void *narrow, const void *wide, int64_t count);

/* ---- timing */

/* Enqueues one run on nnr_cuda_stream(); false when the library refuses. */
typedef bool PlanRun(void *context);

/* Microseconds of one run as it will be in a step: from a captured graph of several runs, so that the time of the
 * host's call does not count. INFINITY when the library refuses to run or to be captured. `best_us` is the fastest
 * until now: what is clearly slower in one plain run is run no more, and that run is the answer; with 0 always. */
double plan_time(PlanRun *run, void *context, double best_us);

#endif
