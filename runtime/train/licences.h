/* SPDX-License-Identifier: MIT */
#ifndef NNR_LICENCES_H
#define NNR_LICENCES_H

#include "runtime/nnr.h"

/* --licences: what this trainer is made of, what it is linked with, and what it may open. */
void trainer_licences(const NnrModel *model);

#endif
