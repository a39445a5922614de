/* SPDX-License-Identifier: MIT */
/* Dynamic loss scaling: what keeps gradients in the range of fp16.
 *
 * The smallest fp16 number is 2^-24, and gradients of activations are often smaller. So the walk back starts from a
 * scale S instead of 1; every gradient is S times too large, and the update divides by S in f32. Where a gradient is no
 * finite number S was too large: the step changes neither parameters nor optimizer states, and S is halved. After
 * INTERVAL steps without that S is doubled, up to LARGEST: without a bound gradients that vanish would take it to
 * infinity, from where no step comes back. (Micikevicius et al., Mixed precision training, 2018; START and INTERVAL are
 * PyTorch's.)
 *
 * S is the state "loss_scale" and the count of good steps "loss_scale.good", so they live on the device, and in
 * checkpoints; all of it is nodes of the graph, and the host is never asked. Not undone in a skipped step: running
 * statistics, which the forward pass computes, and the step number that adam corrects its bias by. */
#ifndef NNC_LOSS_SCALE_H
#define NNC_LOSS_SCALE_H

#include "passes/pass.h"

/* Whether training needs it: fp16 on a target that stores in 16 bits. */
bool loss_is_scaled(const PassContext *ctx);
/* S, f32[]: the state, made when it is first asked for. */
Node *loss_scale(Build *b);
/* x/S; S is a power of two, and so the quotient exact. */
Node *loss_unscaled(Build *b, Node *x);
/* 1 where every element of the flat gradient is a finite number, else 0: f32[]. */
Node *gradient_is_finite(Build *b, Node *gradient);
/* Appends the new S and count as outputs. */
void loss_scale_update(Build *b, Node *finite);

#endif
