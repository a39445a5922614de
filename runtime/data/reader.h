/* SPDX-License-Identifier: MIT */
/* What reads a kind of data: a record `data_reader_NAME` in its own file, and a line of readers.def. */
#ifndef NNR_READER_H
#define NNR_READER_H

#include "runtime/data/data.h"

/* What the user named: a word or a list of files, of which nothing need be there under that name; a file; a folder. */
typedef enum { OF_WORD, OF_FILE, OF_FOLDER } DataReaderOf;

typedef struct DataReader {
	DataReaderOf of;
	/* Whether what is named, which is one of these, is its kind. */
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
