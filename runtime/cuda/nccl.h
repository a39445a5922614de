/* SPDX-License-Identifier: MIT */
/* The gradients of several ranks over NCCL, whose library is opened when there are several: a trainer on one GPU needs
 * none. Nothing here is called where there is one rank. */
#ifndef NNR_NCCL_H
#define NNR_NCCL_H

#include "runtime/session/session.h"

/* Connects this rank's GPU with the others'; all ranks call it, with the context current. Dies with STATUS_DEVICE where
 * there is no library, with STATUS_RANKS where they do not come together. */
void nccl_open(void);
void nccl_close(void);
bool nccl_is_open(void);
/* After the program of a step: the states of layers become the means over all ranks, unless they have with a bucket. */
void nccl_end_step(void);
/* Until it is said again: nothing is sent. Steps are timed so, to see what communication costs; what they compute is
 * thrown away. */
void nccl_keep_silent(bool silent);
/* Says what is sent in a step, and what part of it the other ranks are waited for. */
void nccl_report(double with_ms, double alone_ms);

#endif
