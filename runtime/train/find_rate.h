/* SPDX-License-Identifier: MIT */
/* The command `find-rate`: a short training whose learning rate rises with every step. */
#ifndef NNR_FIND_RATE_H
#define NNR_FIND_RATE_H

#include "runtime/session/session.h"

/* Before the backend loads: the length and schedule of the sweep, and no held-out samples, which it has no use for. */
void find_rate_prepare(Session *s);
/* Trains, prints a table and the suggested rate to stdout and, with --out, writes the curve as SVG. Nothing of the
 * training is kept. Returns the exit status; dies with STATUS_DIVERGED where the first loss is no number, with
 * STATUS_DATA where a sample or the SVG fails. */
int session_find_rate(Session *s);

#endif
