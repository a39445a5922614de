/* SPDX-License-Identifier: MIT */
/* What normalisations share (norm.c, groupnorm.c). */
#ifndef NNC_NORM_H
#define NNC_NORM_H

#include "ir/op.h"

/* The shape rule of operands from 1 on that are one number per channel: they broadcast along x's last dimension. */
bool norm_per_channel(Infer *in);
/* Mean and biased variance of each channel, [1,..,1,channels], as sums of x less its first element; share: 1 by the
 * number of elements of a channel. */
typedef struct Statistics {
	Node *mean, *var;
} Statistics;

Statistics norm_statistics(Build *b, Node *x, Node *share);
/* rsqrt(var + epsilon). */
Node *norm_rstd(Build *b, Node *var, double epsilon);
/* Whether the call's epsilon is one; else it is reported. */
bool norm_check_epsilon(Call *c, const char *op);

#endif
