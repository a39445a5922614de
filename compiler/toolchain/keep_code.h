/* --keep-code: a folder with the generated code and a Makefile that makes the same trainer of it, for who wants to edit
 * a kernel and run it. */
#ifndef NNC_KEEP_CODE_H
#define NNC_KEEP_CODE_H

#include "toolchain/cc.h"

/* Ends the process with EXIT_USAGE where the folder has anything that nnc did not write there, or that was edited since:
 * what somebody wrote is never lost. To be called before the first output is written. */
void keep_code_check(Arena *a, const char *folder);

/* Writes NAME.c, NAME.page.c, of CUDA NAME.cu, and a Makefile, whose target is the file `trainer`. `t` is the build of
 * the trainer with the host's text alone, without images; `archs`: of --target=cuda. */
void keep_code_write(Arena *a, const TrainerBuild *t, const char *folder, const char *archs,
                     const char *precision);

#endif
