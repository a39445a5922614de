/* SPDX-License-Identifier: MIT */
/* The text of an on-chip step's two kernels (ir/onchip.h). Private to onchip/. */
#ifndef NNC_ONCHIP_TEXT_H
#define NNC_ONCHIP_TEXT_H

#include "base/array.h"
#include "onchip/onchip.h"
#include "emit/emitter.h"
#include "codegen/step.h"

enum { ONCHIP_UPDATE_THREADS = 512, ONCHIP_FORMULA_WIDTH = 72 };

/* The first arguments of both kernels, which say where the step stands. */
#define ONCHIP_STEP "control, supply, turn"

/* A buffer that a step reads or writes. */
typedef struct Touch {
	const Buffer *buffer;
	bool first_warp; /* by the block's first warp alone */
} Touch;
typedef ARRAY(Touch) Touches;

typedef struct OnChipText {
	Emitter *e;
	Arena *arena;
	const Program *p; /* of the training step */
	const OnChip *o;
	const Target *block;
	Writer *w;                    /* kernels.cu */
	Touches read, written;        /* on chip, since the last barrier */
	bool fetching;                /* parameters are on their way to the chip */
	UpdateText text;              /* of the update */
	const char *samples, *update; /* names of the kernels */
	int64_t update_blocks, update_scratch;
	bool numbers_read_scalars; /* those after the sums: loss and metrics */
} OnChipText;

/* C type of parameters and sums. */
const char *onchip_real(const OnChipText *t);

/* onchip_samples.c: the sample kernel, and its blocks: one more than for the samples where the update has scalars. */
void write_sample_kernel(OnChipText *t);
int64_t onchip_sample_blocks(const OnChipText *t);
/* onchip_update.c: the update kernel; returns the host's arguments for the tensors of the update, each with a comma. */
char *write_update_kernel(OnChipText *t);

#endif
