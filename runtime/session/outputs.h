/* SPDX-License-Identifier: MIT */
/* The files that a trainer writes: what may stand in their place when it starts, and where that goes. */
#ifndef NNR_OUTPUTS_H
#define NNR_OUTPUTS_H

#include "runtime/host/options.h"

/* Before anything is written: locks what the options name to be written (lock.h), and removes what killed processes
 * left unfinished there. Ends the process with STATUS_USAGE where two options name one file that is to be written,
 * with STATUS_DATA where another process writes it, or where a file is in the way that a trainer would not have written
 * under that option: a data set, the trainer itself or a folder is never moved. Predictions replace nothing, and go
 * into no folder of data. */
void outputs_claim(const Options *o, const NnrModel *model);
/* Dies with STATUS_DATA where anything is at `path`, which is given as --OPTION. */
void output_must_be_new(const char *option, const char *path);
/* Dies with STATUS_DATA where what is at `path` is no file of tensors, which a checkpoint may replace. */
void output_must_be_tensors(const char *path);
/* The file of predicted output `i`: `out` itself or, where there are several, with the output's name before its suffix.
 * malloc'd. */
char *prediction_path(const char *out, const NnrModel *model, int i);
/* Before a training writes its first file: what stands where its checkpoint, log and dump go, those of --resume
 * excepted, gets the name FILE.N (file_set_aside), since a forgotten --resume must not cost a training; an empty file
 * and a device stay. Dies with STATUS_DATA. */
void outputs_set_aside(const Options *o);
/* The same of one file; NULL: nothing. */
void output_set_aside(const char *path);

#endif
