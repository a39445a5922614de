/* SPDX-License-Identifier: MIT */
/* log.csv of a run folder: the records of the log as a table. */
#ifndef NNR_LOG_CSV_H
#define NNR_LOG_CSV_H

#include "runtime/host/record.h"
#include "runtime/session/session.h"

typedef struct LogCsv LogCsv;

/* Makes the table anew of what `log` holds, which a resumed training has reconciled, and adds to it from then on. Dies
 * with STATUS_DATA where it can't be written. */
LogCsv *log_csv_open(const char *path, const char *log, const Session *s);
void log_csv_record(LogCsv *csv, const Record *r); /* NULL: nothing */
bool log_csv_close(LogCsv *csv);                   /* whether all of it was written; frees */

#endif
