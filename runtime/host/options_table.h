/* SPDX-License-Identifier: MIT */
/* What the files of the command line share: the tables of options and of commands, and the steps of options_parse. */
#ifndef NNR_OPTIONS_TABLE_H
#define NNR_OPTIONS_TABLE_H

#include "runtime/host/options.h"

#include <stddef.h>

/* What an option's word becomes, and the type of its member in Options. */
typedef enum {
	KIND_FLAG,     /* bool: true */
	KIND_TEXT,     /* const char * */
	KIND_LIST,     /* const char *, joined by commas where it is given again */
	KIND_INTEGER,  /* int64_t */
	KIND_REAL,     /* double */
	KIND_INTERVAL, /* Interval */
	KIND_WORD,     /* int: which of "a|b|c" */
	KIND_SWITCH    /* int: 1, or 2 with the word of "[=word]" */
} OptionKind;

enum {
	IN_TRAIN = 1 << COMMAND_TRAIN,
	IN_EVAL = 1 << COMMAND_EVAL,
	IN_PREDICT = 1 << COMMAND_PREDICT,
	IN_BENCH = 1 << COMMAND_BENCH,
	IN_PROFILE = 1 << COMMAND_PROFILE,
	IN_SAMPLE = 1 << COMMAND_SAMPLE,
	IN_FIND = 1 << COMMAND_FIND_RATE,
	WITH_DATA = IN_TRAIN | IN_EVAL | IN_PREDICT | IN_BENCH | IN_PROFILE | IN_FIND,
	IN_RUN = WITH_DATA | IN_SAMPLE, /* what computes the network */
	IN_EXPORT = 1 << COMMAND_EXPORT,
	WITH_INIT =
	        IN_TRAIN | IN_FIND | IN_EVAL | IN_PREDICT | IN_SAMPLE | IN_EXPORT, /* what reads weights */
	IN_RUNS = 1 << COMMAND_RUNS,
	IN_ALL = IN_RUN | IN_EXPORT, /* what has a network */
	IN_INFO = 1 << COMMAND_INFO,
	IN_REPORT = 1 << COMMAND_REPORT,
	IN_ANY = IN_ALL | IN_RUNS | IN_INFO | IN_REPORT
};

typedef struct OptionRow {
	const char *name;     /* without its dashes; NULL: a heading */
	const char *argument; /* as --help shows it; NULL: none is taken */
	int where;            /* the commands that know it */
	OptionKind kind;
	size_t at;          /* its place in Options */
	double least, most; /* of the number */
	const char *help;   /* one line; of a heading: its text */
} OptionRow;

typedef struct CommandRow {
	const char *name;
	const char *usage; /* what follows the program's name in a line of usage */
	const char *doc;   /* what is done */
	bool files;        /* it takes files */
} CommandRow;

enum { COMMANDS = COMMAND_REPORT + 1, MOST_OPTION_ROWS = 96 };

extern const OptionRow option_rows[]; /* in the order of --help; at most MOST_OPTION_ROWS */
extern const int option_row_count;
extern const CommandRow command_rows[COMMANDS]; /* by Command */

/* The heading of options that a trainer for the CPU refuses. */
extern const char cuda_heading[];

/* The option of a command whose name is `length` bytes at `name`; NULL: there is none. */
const OptionRow *find_option(const char *name, int length, Command command);

/* Whether `word`, whose `_` count as `-`, is among `words`, which are apart by blanks. */
bool is_among(const char *word, const char *words);

/* The end with STATUS_USAGE, with what may have been meant. `name` has `length` bytes and no dashes. */
_Noreturn void unknown_option(const char *name, int length, Command command);
_Noreturn void unknown_command(const char *word);
/* A word that is no option and no file of the command. */
_Noreturn void stray_word(const char *word);

/* Once all options are set: says `format` of `export` as the suffix of --out has it where it isn't given, and ends with
 * STATUS_USAGE where options do not go together, or not with this model. */
void options_check(Options *options, const NnrModel *model);

#endif
