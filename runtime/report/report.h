/* SPDX-License-Identifier: MIT */
/* The page of a training, report.html: the network as nnc drew it, and curves, epochs and settings of the log. */
#ifndef NNR_REPORT_H
#define NNR_REPORT_H

#include "runtime/session/session.h"

/* Parts of the page, as files in the run's folder. */
#define NNR_EVALUATION   "evaluation.html"
#define NNR_PROFILE_PART "profile.html"

/* report_evaluation.c: evaluates once more, and leaves in the folder of --run which class was taken for which, and the
 * pictures of mistakes: confusion.csv, predictions.csv, evaluation.html. Nothing where the network chooses among no
 * classes, nothing is held out, or several ranks train. */
void report_evaluation(Session *s);

/* report.html in the folder of --run, of its log, whatever was there; without a page in this trainer nothing. What
 * can't be read or written is a warning: the training is none the worse. */
void report_of_run(const Options *o);
/* The same of the folder of a run that has ended. */
void report_of_folder(const char *folder);
/* The command `report RUN`: the same, or to --out FILE.html, which replaces nothing. Returns the exit status; dies with
 * STATUS_DATA where there is no log, or the trainer has no page. */
int report_command(const Options *o, const NnrModel *m);

#endif
