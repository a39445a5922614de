/* SPDX-License-Identifier: MIT */
#include "runtime/session/monitor.h"
#include "runtime/host/die.h"

#include <stdlib.h>
#include <string.h>

/* The metrics of the language that grow as a network learns (models/README.md); all others measure an error. */
static bool grows(const char *name)
{
	static const char *const words[] = {"accuracy",  "top",    "auc", "average_precision",
	                                    "precision", "recall", "f1",  "r2",
	                                    "iou",       "dice"};
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strncmp(name, words[i], strlen(words[i])) == 0)
			return true;
	return false;
}

bool monitor_is_greatest(const char *word)
{
	const char *colon = strchr(word, ':');
	return colon ? strcmp(colon, ":max") == 0 : grows(word);
}

Monitor monitor_choose(const Session *s)
{
	const Options *o = &s->options;
	Monitor m = {0};
	if (o->monitor) {
		size_t length = strcspn(o->monitor, ":");
		while (m.score < s->evaluated_count &&
		       (strlen(score_name(s, m.score)) != length ||
		        memcmp(score_name(s, m.score), o->monitor, length) != 0))
			m.score++;
		require(m.score < s->evaluated_count); /* options_check.c has seen to it */
		m.greatest = monitor_is_greatest(o->monitor);
	}
	if ((o->best || o->early_stop > 0) && session_held_out(s) == 0)
		die_help(STATUS_DATA, "give some by --holdout or --eval-data",
		         "`--%s` goes by the held-out samples, and the data has none",
		         o->best ? "best" : "early-stop");
	return m;
}

bool monitor_sees(const Monitor *m, Session *s, const double *means)
{
	Best *best = &s->at.best;
	double value = means[m->score];
	bool better = best->step == 0 || (m->greatest ? value > best->value : value < best->value);
	if (better)
		*best = (Best){.value = value, .step = s->at.step};
	else
		best->since++;
	return better;
}

bool monitor_stops(const Session *s)
{
	return s->options.early_stop > 0 && s->at.best.since >= s->options.early_stop;
}

char *monitor_text(const Monitor *m, const Session *s)
{
	return text_printf("eval_%s %.6g at step %lld", score_name(s, m->score), s->at.best.value,
	                   (long long)s->at.best.step);
}
