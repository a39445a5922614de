/* SPDX-License-Identifier: MIT */
/* Tables as data: which columns a model's inputs and targets are, what stands for missing values, how words become
 * classes and numbers are standardised.
 *
 * That is kept in the checkpoint, so that the same holds for every file that its weights are used with. */
#ifndef NNR_TABLE_H
#define NNR_TABLE_H

#include "runtime/data/data.h"

struct Safetensors;

/* Of one input or target. */
typedef struct TableInput {
	int count;      /* elements of a row (table_elements), each a column */
	char **columns; /* their names; NULL: a target that is in no column, or pictures */
	double *mean,
	        *scale; /* of each, of a real input: it is given (value - mean) / scale; NULL: as it is */
	double *fill;   /* of each: what stands for a missing value; NaN, or NULL of all: it is refused */
	int *flag_of; /* of each: -1, or the element of the same column whose value is missing where this one is 1, else
	                 * 0; NULL: none is such */
	/* Of classes, in order; NULL: the numbers in the file are the classes. Where the first is "", it is the place
	 * of words that are none of the others. */
	char **words;
	int word_count;
	/* One column is all of the elements (table_spread.c): of TABLE_LABELS the labels, `words`, each 1 where a cell
	 * names it, with this mark between them; of TABLE_BYTES the bytes of the cell's text. */
	enum { TABLE_NO_SPREAD, TABLE_LABELS, TABLE_BYTES } spread;
	char mark;
} TableInput;

#define TABLE_MARKS "|;, " /* that may stand between labels; one that comes earlier here is taken */

/* How many columns are named. */
static inline int table_columns(const TableInput *t)
{
	return t->spread ? 1 : t->count;
}

typedef struct Table {
	int count;
	TableInput inputs[MAX_INPUTS];
	char *time; /* of a series: the column of time, where it was named; NULL: it was not */
} Table;

/* Of what is predicted for: texts [samples, columns] that are written beside it, and the number of each sample's row in
 * the file, from 0. */
typedef struct TableRows {
	int columns;
	char **names, **texts;
	int64_t count, *numbers;
} TableRows;

/* Of a model with a picture its file is in a column (data/table_pictures.c). */
Dataset table_read(const char *path, const DataRequest *r);
void table_rows_free(TableRows *rows); /* NULL: nothing */

/* ---- series.c */

/* Whether the recipe's `data` is a series: the rows of a table follow one another in time, and samples are windows of
 * them. */
bool series_is_asked(const NnrModel *m);
/* Numbers that an input or target has of a row: of a series those of one of the sample's rows, else the sample's. */
int table_elements(const NnrModel *m, int i);
/* The only output that has the shape of the series' target; NULL where there is none, or several, of which another may
 * be a deviation, or where it is no series. */
const NnrOutput *series_forecast(const NnrModel *m);
/* Samples of that output at `at` become what the target's columns say, in their units; others stay. t: NULL: so
 * do all. */
void series_units(const Table *t, const NnrModel *m, const NnrOutput *o, char *at, int64_t samples);

/* ---- table_scheme.c */

/* As a checkpoint keeps it, malloc'd. */
char *table_text(const Table *t, const NnrModel *m);
/* That of a file of weights or NULL where it has none; dies with STATUS_DATA where it is damaged or of another
 * model. */
Table *table_of_weights(const struct Safetensors *f, const NnrModel *m);
Table *table_of_checkpoint(const char *path, const NnrModel *m); /* the same of the file at `path` */
void table_free(Table *t);                                       /* NULL: nothing */

/* ---- table_numbers.c: what a real input is given for the value of its column, NaN where that is missing */

/* The element whose value element k is made of: its own, or that of which it is the flag. */
int table_source(const TableInput *t, int k);
double table_number(const TableInput *t, int k, double value);

#endif
