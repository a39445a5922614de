/* SPDX-License-Identifier: MIT */
/* What reads a kind of data: a record `data_reader_NAME` in its own file, and a line of readers.def. */
#ifndef NNR_READER_H
#define NNR_READER_H

#include "runtime/data/data.h"

typedef struct DataReader {
	/* Whether what the user named is its kind: a file, a folder, a list of files or a word. Nothing need be
	 * there. */
	bool (*recognise)(const char *path, const NnrModel *model);
	/* Reads it; dies with STATUS_DATA where it is damaged, and with STATUS_MEMORY where there is no room. */
	Dataset (*read)(const char *path, const DataRequest *r);
	bool pictures; /* folders of pictures and nothing else, of which `predict` takes any number */
} DataReader;

#define DATA_READER(name) extern const DataReader data_reader_##name;
#include "runtime/data/readers.def"
#undef DATA_READER

/* The first that recognises it, or NULL. */
const DataReader *data_reader(const char *path, const NnrModel *model);
/* Reads `path`, or ends with STATUS_DATA, what is there instead, and what to give. */
Dataset data_read(const char *path, const DataRequest *r);

#endif
