/* SPDX-License-Identifier: MIT */
/* --keep-code: a folder with the generated code and a Makefile that makes the same trainer of it, for who wants to edit
 * a kernel and run it. */
#ifndef NNC_KEEP_CODE_H
#define NNC_KEEP_CODE_H

#include "toolchain/cc.h"

/* Ends the process with EXIT_USAGE where the folder has anything that nnc did not write there, or that was edited
 * since: what somebody wrote is never lost. To be called before the first output is written. */
void keep_code_check(Arena *a, const char *folder);

typedef struct KeptCode {
	/* Of what `make` makes, `output`: of a trainer with the host's text alone, without images. */
	const TrainerBuild *build;
	const char *folder;
	const char *archs, *precision; /* of --target=cuda */
	const char *needs; /* a further file that the code includes, which nnc makes later; NULL: none */
} KeptCode;

/* Writes NAME.c, where there is one NAME.page.c, of CUDA NAME.cu, and a Makefile, whose target is the output. */
void keep_code_write(Arena *a, const KeptCode *k);

#endif
