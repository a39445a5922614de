/* SPDX-License-Identifier: MIT */
/* Under which licences a program may be used and passed on: what `nnc --licences` and a trainer's print. */
#ifndef NNC_LICENCES_H
#define NNC_LICENCES_H

/* In the head of all that nnc generates. */
#define LICENCE_OF_OUTPUT "Yours under any terms: LICENSE of nnc, \"Exception for what nnc makes\"."

/* A part of a program. */
typedef struct Licence {
	const char *what, *files; /* its name; of a library the files, as ld.so names them */
	const char *licence;      /* by its SPDX expression, or in words */
	const char *how;          /* it comes into the program: "in it", "linked", "opened for JPEG files" */
	const char *notice;       /* what copies of the program must be given with; NULL: nothing */
} Licence;

/* Prints a table to stdout, and below it the notices. */
void licences_print(const char *program, const Licence *all, int count);

#endif
