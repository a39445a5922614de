/* SPDX-License-Identifier: MIT */
/* The training step of a small network as two kernels.
 *
 * Between the batch and its gradients most nodes are per sample: no sample sees another. What remains are sums over the
 * batch, and what is computed from them: the means of loss and metrics, and the update. So
 *
 *   the sample kernel   a block takes one sample after another; its values are in shared memory and never leave it, and
 *                       the parameters that it reads are there too, loaded once. Each step of the program of one sample
 *                       is one loop nest of the block's threads.
 *   the update kernel   ends the sums over the batch, and gives each parameter its new value in the thread that has its
 *                       gradient.
 *
 * Between the two are in memory only: of a sum that is a product over the batch (the weight gradient of `dense`) its
 * two operands; of every other sum what each block has added up ("partial"); and the scalars of the update. */
#ifndef NNC_ONCHIP_H
#define NNC_ONCHIP_H

#include "ir/program.h"

enum { ONCHIP_SCALARS = 64 }; /* room for those of the update */

typedef enum {
	SUM_TERM, /* of what a step of the sample computes */
	SUM_FILTERS, /* a convolution's weight gradient, in registers from the first sample of a block to its last */
	SUM_GRADIENT, /* of dy over the pixels, where a SUM_FILTERS has it in hand: the bias's gradient */
	SUM_PRODUCT,  /* over the batch, of two values of the sample: in the update kernel */
} SumKind;

/* A node of the training graph that sums over the batch. */
typedef struct BatchSum {
	const Node *node;
	SumKind kind;
	int term[2];      /* outputs of the sample graph: what one sample adds; of a product its operands */
	int64_t elements; /* of the sum, and where they are among a block's partial sums; but not of a product */
	int64_t offset;
} BatchSum;

/* An output of the sample graph that the arena gets, sample by sample. */
typedef struct Export {
	int output;       /* of the sample graph */
	int to;           /* a buffer of the training program, by its id: [batch, ...] */
	int graph_output; /* of the training graph, when `to` is its buffer; -1 */
} Export;

typedef struct OnChip {
	Program *sample; /* of one sample: batch 1; the offsets of its buffers are those on chip */
	int threads;     /* of a block of the sample kernel */
	int64_t blocks;  /* which go over the batch in turns */
	BatchSum *sums;
	int sum_count;
	Export *exports;
	int export_count;
	int64_t inputs_offset, inputs_bytes; /* on chip: of a sample, twice where a block has several */
	int64_t indices_offset;              /* on chip: the samples of the block, by turn */
	int64_t turns;
	int64_t partial_elements, sums_offset; /* of a block; on chip, where the block has several samples */
	/* Buffers of the training program, by their ids; -1: there is none. */
	int partial; /* [blocks, partial_elements] */
	int scalars; /* what the update computes once a step; see emit_onchip.c */
	int64_t chip_bytes, chip_room;
	const Node *pack; /* of the gradients */
	int update_group; /* of the training graph: the update, pointwise over `pack` */
} OnChip;

const Step *onchip_update_step(const Program *p); /* of such a training step */
bool onchip_holds(const OnChip *o);               /* anything (ir/held.h) */

#endif
