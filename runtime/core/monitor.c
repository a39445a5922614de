#include "runtime/core/monitor.h"
#include "runtime/core/die.h"

#include <stdlib.h>
#include <string.h>

/* The metrics of the language that grow as a network learns (models/README.md); all others measure an error. */
static bool grows(const char *name)
{
	return strncmp(name, "accuracy", 8) == 0 || strncmp(name, "top", 3) == 0;
}

bool monitor_is_greatest(const char *word)
{
	const char *colon = strchr(word, ':');
	return colon ? strcmp(colon, ":max") == 0 : grows(word);
}

static _Noreturn void no_such_score(const Session *s, const char *name)
{
	char *names = text_printf("loss");
	for (int i = 1; i < s->score_count; i++) {
		char *more = text_printf("%s, %s", names, score_name(s, i));
		free(names);
		names = more;
	}
	die(STATUS_USAGE, "`--monitor %s` names no score of this model: it has %s", name, names);
}

Monitor monitor_choose(const Session *s)
{
	const Options *o = &s->options;
	Monitor m = {0};
	if (o->monitor) {
		const char *colon = strchr(o->monitor, ':');
		size_t length = colon ? (size_t)(colon - o->monitor) : strlen(o->monitor);
		while (m.score < s->score_count && (strlen(score_name(s, m.score)) != length ||
		                                    memcmp(score_name(s, m.score), o->monitor, length) != 0))
			m.score++;
		if (m.score == s->score_count ||
		    (colon && strcmp(colon, ":min") != 0 && strcmp(colon, ":max") != 0))
			no_such_score(s, o->monitor);
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
