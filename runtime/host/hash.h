/* SPDX-License-Identifier: MIT */
#ifndef NNR_HASH_H
#define NNR_HASH_H

#include <stdint.h>

/* XXH64 with seed 0, of https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md: many GB/s on one thread. It
 * tells mistakes, not forgeries. */
uint64_t hash_bytes(const void *bytes, int64_t length);

#endif
