/* SPDX-License-Identifier: MIT */
/* Attention and its gradient: what generated C calls. What x, mask and the results are: compiler/ops/attention.h.
 *
 * A few rows at a time, a strip, with all their scores (attention_strips.h):
 *
 *     for each head of each sample, for each strip of rows:
 *             share = scale*Q K^T, the keys in blocks of 256   nnr_matmul_block
 *             share = exp(share - the row's maximum), by the dropout's factors
 *             y = share V / the row's sum
 *
 * Queries, keys and values are read in place, by their stride. The gradient has a second strip, of dP, which becomes
 * scale*dS. The strips of heads that share keys add to dK and dV one after the other, so that there heads of keys alone
 * are parallel. A causal strip ends with the key of its last row. The gradient of the mask has a strip of dA, which is
 * added up for the samples and heads that have the same numbers, one after the other. */
#ifndef NNR_CPU_ATTENTION_H
#define NNR_CPU_ATTENTION_H

#include "gemm.h"
#include "nnr.h"
#include "nnr_math.h"

#include <stddef.h>

typedef struct NnrStrips {
	int64_t batch, queries, keys;                   /* places */
	int64_t heads, groups, size;                    /* of queries, of keys; columns of each */
	int64_t query_row, key_row, keys_at, values_at; /* in x: between rows; where keys and values begin */
	/* of the mask: between samples, heads and rows, 0: the same for all; and samples that it has numbers for */
	int64_t mask_sample, mask_head, mask_row, mask_samples;
	bool causal;
	bool hides, stops; /* some rows have no key; and then no gradient by their scores */
	double scale, rate;
	int64_t rows, columns, block; /* of a strip; columns of blocks of scores, and of products */
} NnrStrips;

/* Times the number of keys: what a mask has for keys that get no share beside others. */
#define NNR_HIDDEN (-0x1p100)

/* Names of attention_strips.h, whose functions there are for each type: nnr_attention_f32, nnr_attention_f64. */
#define NnrStrip                NNR_NAMED(NnrStrip)
#define nnr_attention           NNR_NAMED(nnr_attention)
#define nnr_attention_grad      NNR_NAMED(nnr_attention_grad)
#define nnr_attention_logs      NNR_NAMED(nnr_attention_logs)
#define nnr_attention_mask_grad NNR_NAMED(nnr_attention_mask_grad)
#define nnr_clear_unseen        NNR_NAMED(nnr_clear_unseen)
#define nnr_factor              NNR_NAMED(nnr_factor)
#define nnr_log_of_row          NNR_NAMED(nnr_log_of_row)
#define nnr_matmul_block        NNR_NAMED(nnr_matmul_block)
#define nnr_scores              NNR_NAMED(nnr_scores)
#define nnr_seen                NNR_NAMED(nnr_seen)
#define nnr_shares              NNR_NAMED(nnr_shares)
#define nnr_slopes              NNR_NAMED(nnr_slopes)
#define nnr_softmax             NNR_NAMED(nnr_softmax)
#define nnr_strip               NNR_NAMED(nnr_strip)
#define nnr_strip_add           NNR_NAMED(nnr_strip_add)
#define nnr_strip_product       NNR_NAMED(nnr_strip_product)

#define NNR_REAL        float
#define NNR_NAMED(name) name##_f32
#define NNR_MATH(name)  name##f
#include "attention_strips.h"
#undef NNR_REAL
#undef NNR_NAMED
#undef NNR_MATH

#define NNR_REAL        double
#define NNR_NAMED(name) name##_f64
#define NNR_MATH(name)  name
#include "attention_strips.h"
#undef NNR_REAL
#undef NNR_NAMED
#undef NNR_MATH

#endif
