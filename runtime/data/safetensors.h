/* SPDX-License-Identifier: MIT */
/* Safetensors files: a u64 header length, a JSON header, then the tensors' bytes.
 *
 * Reading trusts nothing: header at most 16 MiB, no name twice, every shape's bytes equal to its range (a type that is
 * unknown here has any number of bytes: its tensor can't be asked for), the ranges covering the file's data exactly,
 * without overlap or hole. Writing puts a CRC-32 of the whole file (these eight digits read as zeros) into the
 * metadata; reading compares it where it is there, before any tensor is handed out. */
#ifndef NNR_SAFETENSORS_H
#define NNR_SAFETENSORS_H

#include "runtime/nnr.h"

typedef struct StoredTensor {
	const char *name;
	int dtype; /* NnrDType, or -1 for a type that nnc does not have */
	int rank;
	int64_t dim[NNR_MAX_RANK];
	int64_t begin, end; /* bytes into the data; when writing, unused */
	const void *data;   /* when writing */
} StoredTensor;

typedef struct Metadata {
	const char *key, *value;
} Metadata;

typedef struct Safetensors {
	const char *path;
	int fd;
	int64_t data_start, data_bytes;
	StoredTensor *tensors; /* by name, sorted */
	int count;
	Metadata *metadata;
	int metadata_count;
	void *scratch;       /* while it is opened */
	int64_t checksum_at; /* offset of the eight digits in the file, 0: none */
} Safetensors;

/* Dies with STATUS_DATA and the reason. */
Safetensors *safetensors_open(const char *path);
const StoredTensor *safetensors_find(const Safetensors *f, const char *name); /* NULL: absent */
const char *safetensors_metadata(const Safetensors *f, const char *key);      /* NULL: absent */
void safetensors_read(const Safetensors *f, const StoredTensor *t, void *to); /* dies */
void safetensors_close(Safetensors *f);

/* Atomically (file.h). Tensors are laid out by falling size of their elements, so that all are aligned; the order is
 * else the caller's, whose array is not changed. False with file_failure(). */
bool safetensors_write(const char *path, const StoredTensor *tensors, int count, const Metadata *metadata,
                       int metadata_count);
/* As safetensors_write, but replaces nothing: false where a file is there. */
bool safetensors_write_new(const char *path, const StoredTensor *tensors, int count, const Metadata *metadata,
                           int metadata_count);

#endif
