/* SPDX-License-Identifier: MIT */
/* What a training tells of itself: the line that is redrawn, the lines that stay, and the records of the log. */
#ifndef NNR_JOURNAL_H
#define NNR_JOURNAL_H

#include "runtime/report/log_csv.h"
#include "runtime/report/energy.h"
#include "runtime/report/events.h"
#include "runtime/report/log.h"
#include "runtime/host/record.h"
#include "runtime/session/session.h"

typedef struct Journal {
	Session *s;
	Log *log;            /* NULL: none */
	LogCsv *csv;         /* of a run folder: the same as a table */
	Events *events;      /* and for TensorBoard */
	int64_t lost;        /* files that the log says are left out */
	double begun;        /* of this process's part of the training */
	int64_t first_step;  /* where it began */
	double seconds;      /* of the steps of this epoch that this process ran */
	double waited;       /* those of them in which they waited for data */
	double busy;         /* seconds of all processors meanwhile */
	int64_t timed_steps; /* how many those are */
	Energy energy;       /* as it stood after `energy_step`; seconds 0: nobody has looked yet */
	double looked;       /* when it was looked at last */
	int64_t energy_step; /* where its joules begin */
	Record record;       /* of the line that is being made */
	char *gradient;      /* --log-norms: of the last step; NULL: none was kept */
} Journal;

/* Opens the log, reconciled with the position where the training is resumed (log.h), and writes the line on this
 * process, where there is something left to train. */
Journal journal_open(Session *s, bool resumed, LogEnd end);
/* The training stands at an earlier step than before: what the log has of later ones is cut. */
void journal_go_back(Journal *j);
bool journal_close(Journal *j); /* whether all of the log was written */

/* Some steps were run, in so many seconds. */
void journal_ran(Journal *j, int64_t steps, double seconds, double busy);
/* At the end, before the log is closed: the line on energy, where there is a counter. */
void journal_energy(Journal *j);
/* Redraws the line of progress when that is due. */
void journal_show(const Journal *j);
/* --log-norms: what the step just run leaves of its gradient, before anything else runs. */
void journal_keep_gradient(Journal *j);
/* A line of the log on the step just run. */
void journal_step(Journal *j);
/* The end of an epoch, with the means over its steps; `held_out` NULL where it was not evaluated. `better`: that it was
 * the best so far; the journal says so. The next epoch's times begin. */
void journal_epoch(Journal *j, const double *held_out, bool better);
/* An evaluation amid the epochs. */
void journal_evaluation(Journal *j, const double *held_out, bool better, double seconds);

#endif
