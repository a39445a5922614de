/* SPDX-License-Identifier: MIT */
/* The name in front of every message of the runtime; argv0 without its folder. */
#ifndef NNR_PROGRAM_NAME_H
#define NNR_PROGRAM_NAME_H

void program_set_name(const char *argv0);
const char *program_name(void);

#endif
