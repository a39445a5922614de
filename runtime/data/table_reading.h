/* SPDX-License-Identifier: MIT */
/* What table.c and its parts share while a table is read. */
#ifndef NNR_TABLE_READING_H
#define NNR_TABLE_READING_H

#include "runtime/data/cell_values.h"
#include "runtime/data/cells.h"
#include "runtime/data/table.h"

/* Where the words of an input are among its words: open addressing, -1: free. */
typedef struct WordIndex {
	int *slots;
	uint32_t mask;
} WordIndex;

enum { REFUSED = -1 }; /* of a column: no rule says what becomes of missing values */

/* place[input][element] is the column that it is in, from 0. */
typedef struct Reading {
	const char *path;
	const DataRequest *r;
	Table *table;
	Cells cells;
	char **header;
	int column_count;
	int *rule;                /* of each column, for missing values: an NnrColumnRule, or REFUSED */
	int64_t *missing;         /* of each column: how many cells are; NULL: nobody asks */
	CellKind *kind;           /* of each column: what its first value was; CELL_MISSING: none was read */
	int *place[MAX_INPUTS];   /* NULL: of a target that is not wanted */
	double *cell[MAX_INPUTS]; /* [rows, elements] of the file: numbers, or of words places in the list of
	                           * them; NaN: missing. NULL: goes to the part as it is read */
	WordIndex index[MAX_INPUTS];
	/* The first whole number that is no class of the model's, and its line; 0: there is none. */
	int64_t outside[MAX_INPUTS], outside_line[MAX_INPUTS];
	int64_t mark_line[2]; /* the last line of a number with a decimal point, and with a comma; 0: none */
	int split;            /* the column by which samples are held out; -1: none */
	double *keys;         /* [rows] what it says (split.h) */
	double time, apart;   /* of a series: of the last row, and of its first two rows the distance */
	int64_t rows;         /* of data, without those that were dropped */
	int64_t dropped;      /* rows that were left out for values that are missing */
	int64_t without;      /* and for pictures that can't be used */
	/* Of a model with a picture, else -1: its input, and the column of the files' names (table_pictures.c). */
	int image, picture;
	char *folder, *root;      /* that these are in, and must not lead out of (NULL: they may) */
	struct ImageFiles *files; /* of the rows, `class` being the number of the row */
	bool files_known;         /* which of them can be used: the rows of the others are passed over */
	int64_t at, next;         /* the row that was read, of those that were not dropped; the next file */
	int64_t cut[MAX_INPUTS];  /* texts that are longer than the input */
	bool words_are_given;     /* with all else that a checkpoint has of the table */
} Reading;

static inline bool is_class(const NnrInput *in)
{
	return in->classes > 0;
}

static inline bool is_real_input(const NnrInput *in)
{
	return !in->is_target && (in->dtype == NNR_F32 || in->dtype == NNR_F64);
}

/* Whose elements are words, each of one column. */
static inline bool has_words(const Reading *x, int i)
{
	return is_class(&x->r->model->inputs[i]) && !x->table->inputs[i].spread;
}

static inline bool is_wanted(const Reading *x, int i)
{
	return x->r->want_targets || !x->r->model->inputs[i].is_target;
}

/* ---- table.c */
_Noreturn void table_die_at(const Reading *x, int column, const char *why);
/* "`a`, `b`, `c`, ...", the first of them; malloc'd. */
char *table_list(char *const *words, int count);
/* The text of a cell that is not missing; NULL: it is, and may be so in element k of input i. Else dies. */
const char *table_cell(Reading *x, int i, int k);
/* The number of a whole or real cell, which is not missing, in these bounds. */
double table_cell_number(Reading *x, int column, bool real, double least, double most);
/* Of sample `sample` of a part the row of x->cell[i]. */
const double *table_row(const Reading *x, const DataPart *part, int i, int64_t sample);

/* ---- table_columns.c */
void table_read_header(Reading *x);
void table_take_columns(Reading *x);
/* The column by which samples are held out, or -1: that is not asked for. */
int table_split_column(const Reading *x);
/* NNR_COLUMN_IGNORED or NNR_COLUMN_PASSED, where the recipe says that no input takes it; else REFUSED. */
int table_role(const Reading *x, int column);

/* The column of a name of the language, or -1. */
int table_find_column(const Reading *x, const char *name);

/* ---- series.c */
void series_take_columns(Reading *x);
void series_row(Reading *x); /* checks that the row that was read follows the one before it in time */
/* Makes the parts, with room for their rows, which samples are until series_windows(). */
void series_divide(const Reading *x, Dataset *d);
void series_windows(const Reading *x, DataPart *part);
void series_rows(const Reading *x, TableRows *rows); /* leaves those that a window ends with */

/* ---- table_spread.c */
/* Whether the column is all of the input's elements: labels of numbers, bytes of u8 and i32 inputs. */
bool spread_takes(Reading *x, int i, int column);
void spread_learn(Reading *x, int i); /* of the row that was read; checks it where all is learnt */
void spread_store(Reading *x, DataPart *part, int i, int64_t row);
void spread_say(const Reading *x, int i); /* what was cut */

/* ---- data/table_pictures.c */
void pictures_begin(Reading *x); /* finds the input and the column; the reader stands behind the header */
void pictures_list(Reading *x);  /* the file of the row that was read; dies where there is none */
void pictures_decode(Reading *x, Dataset *d); /* allocates the training part, with its pictures */
bool pictures_has(Reading *x);                /* whether the row that was read is one of those */
void pictures_end(Reading *x);

/* ---- table_words.c */
/* Whether its words have a place for others, 0. */
bool words_are_open(const Reading *x, int i);
void words_begin(Reading *x, int i);        /* makes the index of the words that there are */
void words_learn(Reading *x, int i, int k); /* of the row that was read */
void word_learn(Reading *x, int i, int k, const char *word);
int word_place(Reading *x, int i, const char *word);   /* among the words; -1: it is none */
void words_end(Reading *x, int i, const char *column); /* they are in order from now on; refuses too many */
double words_class(Reading *x, int i, int k);          /* NaN: missing */
/* Leaves an open input those words that are in the training part, which has some; the others are 0. */
void words_of_training(Reading *x, const DataPart *train, int i);

/* ---- table_numbers.c */
/* What the training part says of input i: what stands for missing values, mean and deviation. */
void numbers_measure(const Reading *x, const DataPart *train, int i);
/* The inputs of a part, from the cells of its rows. */
void numbers_store(const Reading *x, DataPart *part);
void number_store(char *at, NnrDType dtype, int64_t i, double value);

#endif
