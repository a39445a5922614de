/* The page of a training, report.html: the network as nnc drew it, and curves, epochs and settings of the log. */
#ifndef NNR_REPORT_H
#define NNR_REPORT_H

#include "runtime/core/options.h"

/* report.html in the folder of --run, of its log, whatever was there; without a page in this trainer nothing. What
 * can't be read or written is a warning: the training is none the worse. */
void report_of_run(const Options *o);
/* The command `report RUN`: the same, or to --out FILE.html, which replaces nothing. Returns the exit status; dies with
 * STATUS_DATA where there is no log, or the trainer has no page. */
int report_command(const Options *o, const NnrModel *m);

#endif
