/* The data that candidates are timed on, and whether they all compute the same. cuDNN's are checked so; cuBLASLt's are timed
 * on the step's own tensors and believed where cublasLtMatmulAlgoCheck allows them. */
#ifndef NNR_CUDA_PLAN_CHECK_H
#define NNR_CUDA_PLAN_CHECK_H

#include "runtime/cuda/plan.h"

enum { SAMPLE_SLICES = 16, SAMPLE_SLICE = 4096 };

/* Elements of a result, from places spread over it; all of a small one. */
typedef struct Sample {
	NnrDType dtype;
	int64_t count; /* of the result */
	int taken;
	float *value; /* malloc'd */
	double rms;
} Sample;

/* Room on the device to tune in, so that nobody's tensors are overwritten: the addresses of `count` tensors of the given
 * sizes, with exactly the alignment asked for (a power of two up to 256). False where the device has no room left. The
 * next call may move it. */
bool plan_scratch(int count, const int64_t *bytes, int64_t alignment, void **at);
void plan_free_scratch(void);

/* Fills a tensor on the device with random numbers of magnitude 0.25 to 1: the power, and so the clock, that a kernel
 * runs with depends on its data, and zeros would hide a wrong result. */
void plan_fill_noise(const void *tensor, int64_t count, NnrDType dtype);
/* Fills it with NaN. */
void plan_spoil(const void *tensor, int64_t count, NnrDType dtype);
/* Waits for the stream. */
void sample_take(Sample *s, const void *result, int64_t count, NnrDType dtype);
/* False where an element is NaN or differs by more than rounding explains. */
bool sample_agrees(const Sample *expected, const Sample *got);
void sample_free(Sample *s);

#endif
