/* SPDX-License-Identifier: MIT */
/* Zip archives, as NumPy's .npz are: members that are stored or deflated, below 4 GiB, not encrypted. No size of the
 * file is believed before it was compared with the file's own. */
#ifndef NNR_ZIP_H
#define NNR_ZIP_H

#include <stdbool.h>
#include <stdint.h>

typedef struct ZipMember {
	char *name;
	int64_t header; /* where its own header is */
	int64_t packed, size;
	uint32_t crc;
	bool deflated, encrypted;
} ZipMember;

typedef struct Zip {
	const char *path;
	int fd;
	int64_t length;
	ZipMember *members;
	int count;
} Zip;

/* Both die with STATUS_DATA where the archive, or the member, is damaged or of a kind that is not read. */
Zip zip_open(const char *path);
/* All of a member, malloc'd, compared with its checksum. */
unsigned char *zip_read(const Zip *z, const ZipMember *member);
const ZipMember *zip_find(const Zip *z, const char *name); /* NULL: there is none */
void zip_close(Zip *z);

#endif
