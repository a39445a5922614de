/* SPDX-License-Identifier: MIT */
/* A program's man page, and what shells complete on its command line, from the tables that make its --help: nnc's and
 * the trainers'. */
#ifndef NNC_MANUAL_H
#define NNC_MANUAL_H

/* Lists of words are texts with blanks between; NULL and "" are none. */

typedef struct ManualCommand {
	const char *name;     /* NULL: what is done where no command is named */
	const char *usage;    /* a line after the program's name: "fmt [-w] FILE..." */
	const char *doc;      /* NULL: the usage says it */
	const char *operands; /* words that it takes */
	const char *suffix;   /* of the files that it takes: ".net", "" for any; NULL: it takes no files */
} ManualCommand;

typedef struct ManualOption {
	const char *name; /* "--emit", "-o", "-fno-"; NULL: `doc` is a heading */
	const char *
	        value; /* as it stands after the name: "=KIND", " FILE", "[=DIR]", "PASS"; "": it takes none */
	const char *words; /* what the value may be, where the value's own text does not list it: a|b|c */
	unsigned commands; /* a bit for each */
	const char *doc;
} ManualOption;

typedef struct ManualSection {
	const char *title, *text;
} ManualSection;

typedef struct Manual {
	const char *program; /* any text: it is quoted where a shell reads it */
	const char *title;   /* of the man page */
	const char *summary, *description, *version;
	const ManualCommand *commands; /* the first is the one that is meant where none is named */
	int command_count;
	const ManualOption *options;
	int option_count;
	const ManualSection *sections;
	int section_count;
} Manual;

/* What can be asked for: "man|bash|zsh|fish". */
#define MANUAL_FORMS "man|bash|zsh|fish"

/* Prints a form of MANUAL_FORMS to stdout; `form` is one of them. */
void manual_print(const Manual *m, const char *form);

#endif
