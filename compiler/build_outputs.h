/* SPDX-License-Identifier: MIT */
/* One source on its way through nnc FILE.net (command_build.c), and the files that the command line wants of it: their
 * names, and whether they may be written. What is wrong with the command line ends the process (fail, base/diag.h). */
#ifndef NNC_BUILD_OUTPUTS_H
#define NNC_BUILD_OUTPUTS_H

#include "driver/driver.h"
#include "driver/options.h"
#include "explore/versions.h"

typedef struct Job {
	Arena *arena;
	const Options *options;
	Diagnostics *diag;
	const Source *source;
	const char *stem; /* of the files that are named after the source */
	DriverOptions driver;
	const Compiled *compiled;
	Versions *versions; /* of the training step, for --explore; NULL: not wanted */
	Emitted *emitted;   /* what the compiled is written as, once something of it is; of emitted_once */
} Job;

/* The --emit=lib of the command line, or NULL. Then -o is no trainer's. */
const Emit *wanted_library(const Options *o);
bool wants_trainer(const Options *o);
/* The folder of the code and a Makefile is for a trainer. */
bool keeps_code(const Options *o);

const char *emit_path(const Job *j, const Emit *e);
/* Without the suffix of one of its three files. */
const char *library_base(const Job *j);
/* What `suffix` is added to when the command line names no file. */
const char *output_path(const Job *j, const char *suffix);
/* The folder that keeps the generated C and CUDA C, or NULL. */
const char *kept_folder(const Job *j);

void check_library(const Options *o);
/* What is for the page alone is of no use without one. */
void check_page(const Options *o);
/* Before the first of them is written. */
void check_outputs(const Job *j);

#endif
