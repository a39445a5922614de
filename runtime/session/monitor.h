/* SPDX-License-Identifier: MIT */
/* Which evaluation was the best, and how long ago: --monitor, --best, --early-stop. */
#ifndef NNR_MONITOR_H
#define NNR_MONITOR_H

#include "runtime/session/session.h"

/* The score that --monitor names, the held-out loss where it names none. Of the loss and of errors the least is the
 * best, of an accuracy the greatest; `NAME:min` and `NAME:max` say it. */
typedef struct Monitor {
	int score; /* index of Session.scores */
	bool greatest;
} Monitor;

/* Dies with STATUS_USAGE where the model has no such metric, with STATUS_DATA where --best or --early-stop needs
 * held-out samples and the data has none. */
Monitor monitor_choose(const Session *s);
/* Of what --monitor says: the greatest is the best. */
bool monitor_is_greatest(const char *word);
/* Whether an evaluation with these means is the best so far; s->at.best is then that one, else it is one further away.
 * The first is. */
bool monitor_sees(const Monitor *m, Session *s, const double *means);
/* --early-stop: as many evaluations as it names have not been better than the best. */
bool monitor_stops(const Session *s);
/* "eval_accuracy 0.971 at step 600", malloc'd. */
char *monitor_text(const Monitor *m, const Session *s);

#endif
