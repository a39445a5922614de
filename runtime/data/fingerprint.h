/* SPDX-License-Identifier: MIT */
/* Numbers that tell data sets apart: every byte of them counts; of folders of images, names, lengths,
 * times and heads of the files. */
#ifndef NNR_FINGERPRINT_H
#define NNR_FINGERPRINT_H

#include "runtime/data/data.h"
#include "runtime/host/hash.h"

/* Of all samples of all inputs, targets included, in their order here; the same for any number of threads. Of folders
 * of images, decoded or not, it is of DataPart.names. */
uint64_t data_fingerprint(const DataPart *part, const NnrModel *model, int threads);

#endif
