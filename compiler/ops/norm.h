/* SPDX-License-Identifier: MIT */
/* What normalisations share (norm.c, groupnorm.c). */
#ifndef NNC_NORM_H
#define NNC_NORM_H

#include "ir/op.h"

/* The shape rule of operands from 1 on that are one number per channel: they broadcast along x's last dimension. */
bool norm_per_channel(Infer *in);
/* rsqrt(var + epsilon). */
Node *norm_rstd(Build *b, Node *var, double epsilon);
/* Whether the call's epsilon is one; else it is reported. */
bool norm_check_epsilon(Call *c, const char *op);

#endif
