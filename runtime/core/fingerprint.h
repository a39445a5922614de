/* Numbers that tell data sets apart: every byte of them counts; of folders of images, names, lengths,
 * times and heads of the files. */
#ifndef NNR_FINGERPRINT_H
#define NNR_FINGERPRINT_H

#include "runtime/core/data.h"

/* XXH64 with seed 0, of https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md: many GB/s on one thread. It
 * tells mistakes, not forgeries. */
uint64_t hash_bytes(const void *bytes, int64_t length);
/* Of all samples of all inputs, targets included, in their order here; the same for any number of threads. Of folders
 * of images, decoded or not, it is of DataPart.names. */
uint64_t data_fingerprint(const DataPart *part, const NnrModel *model, int threads);

#endif
