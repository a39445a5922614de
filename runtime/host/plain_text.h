/* SPDX-License-Identifier: MIT */
/* What a file of text holds, whatever program wrote it. */
#ifndef NNR_PLAIN_TEXT_H
#define NNR_PLAIN_TEXT_H

#include <stdint.h>

/* Takes the bytes of a file (malloc'd, which it frees or gives back) and gives its text in UTF-8, malloc'd: gzip's
 * members are unpacked, and UTF-16 is converted where its mark, U+FEFF in either byte order, comes first. Bytes of all
 * else are given back as they are. Dies with STATUS_DATA, naming `path`, where they are damaged or unpack to more than
 * `limit`. */
unsigned char *plain_text(const char *path, unsigned char *bytes, int64_t limit, int64_t *length);

#endif
