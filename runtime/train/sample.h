/* SPDX-License-Identifier: MIT */
/* The command `sample`: a model of a text writes one. */
#ifndef NNR_SAMPLE_H
#define NNR_SAMPLE_H

#include "runtime/session/session.h"

/* Dies with STATUS_USAGE where the model does not score what comes next at each place of a text. */
void sample_check(const NnrModel *model);
/* One window, which the command writes. */
Dataset sample_data(const NnrModel *model);
int session_sample(Session *s);

#endif
