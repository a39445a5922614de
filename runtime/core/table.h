/* Tables as data: which columns a model's inputs and targets are, how words become classes and numbers are
 * standardised.
 *
 * That is kept in the checkpoint, so that the same holds for every file that its weights are used with. */
#ifndef NNR_TABLE_H
#define NNR_TABLE_H

#include "runtime/core/data.h"

struct Safetensors;

/* Of one input or target. */
typedef struct TableInput {
	int count;      /* elements of a sample, each a column */
	char **columns; /* their names; NULL: a target that is in no column */
	double *mean,
	        *scale; /* of each, of a real input: it is given (value - mean) / scale; NULL: as it is */
	char **words;   /* of classes, in order; NULL: the numbers in the file are the classes */
	int word_count;
} TableInput;

typedef struct Table {
	int count;
	TableInput inputs[MAX_INPUTS];
} Table;

bool table_recognise(const char *path); /* a file named .csv or .tsv */
Dataset table_read(const char *path, const DataRequest *r);

/* table_scheme.c: as a checkpoint keeps it, malloc'd. */
char *table_text(const Table *t, const NnrModel *m);
/* That of a file of weights or NULL where it has none; dies with STATUS_DATA where it is damaged or of another
 * model. */
Table *table_of_weights(const struct Safetensors *f, const NnrModel *m);
Table *table_of_checkpoint(const char *path, const NnrModel *m); /* the same of the file at `path` */
void table_free(Table *t);                                       /* NULL: nothing */

#endif
