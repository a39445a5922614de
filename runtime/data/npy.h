/* SPDX-License-Identifier: MIT */
/* Arrays of NumPy's .npy files, read and written. */
#ifndef NNR_NPY_H
#define NNR_NPY_H

#include "runtime/data/data.h"

struct NpyKind;

typedef struct Npy {
	char *path;
	int fd;
	unsigned char *bytes; /* of the whole, which is in memory: of an archive; NULL: the file is read */
	const struct NpyKind *kind;
	bool swapped; /* the first byte of an element is the highest */
	bool fortran; /* the first dimension is the one that changes fastest */
	int rank;
	int64_t dim[NNR_MAX_RANK];
	int64_t data_start;
} Npy;

/* Opens a file and reads its header, or ends with STATUS_DATA. */
Npy npy_open(const char *path);
/* The same of `size` bytes that are there, in f->bytes. */
void npy_begin(Npy *f, int64_t size);
/* files[i] without a path: a target that nobody wants, and that stays zero. They are closed. by_name: how files whose
 * order says what they are of would be given by name; NULL: they are. */
void npy_read_arrays(DataPart *part, const NnrModel *m, Npy *files, const char *by_name);

enum { NPY_HEADER = 512 };
/* What a .npy file of that shape begins with, to `to` of NPY_HEADER bytes; returns its length, a multiple of 64. */
int npy_header(char *to, NnrDType dtype, int rank, const int64_t *dim);

#endif
