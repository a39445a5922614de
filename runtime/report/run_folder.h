/* SPDX-License-Identifier: MIT */
/* --run NAME: a folder of its own for each training, runs/NAME-1, runs/NAME-2 ..., with all that it leaves. */
#ifndef NNR_RUN_FOLDER_H
#define NNR_RUN_FOLDER_H

#include "runtime/session/session.h"

/* Makes the folder, whose number nobody else gets, or with --resume finds the newest that has a checkpoint; and names
 * the log, the checkpoint and the best there, unless the command line names others. An empty folder goes when the
 * process ends. Dies with STATUS_DATA or, where NAME is no name of a folder, STATUS_USAGE. */
void run_folder_choose(Options *o);
/* As the training begins: the network's text, the plan, versions and arguments. Dies with STATUS_DATA. */
void run_folder_fill(const Session *s);

#endif
