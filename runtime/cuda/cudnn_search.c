/* Four rounds, each of which has a share of the time:
 *
 *   heuristic  everything that the heuristics answer, in their order, but for engines that are compiled
 *   other      the form that is cuBLASLt's, or that has a kernel behind the convolution, where it exists
 *   compiled   the other engines, where an operation is long enough for them to be worth their start, or nothing else works
 *   climb      from the fastest answers of different engines one knob is changed at a time; what is faster becomes the
 *              next start, until a whole round of changes finds nothing
 *
 * On an H200 (cuDNN 9.14, ResNet-50 at 32x32, tf32) the heuristics' first answer takes 20 % more than their best on average,
 * the product is up to 15 % faster than that where there is one, and the climb wins up to 10 % with 3x3 windows. */
#include "runtime/cuda/cudnn_search.h"
#include "runtime/core/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	TRIALS = 1024, /* answers remembered, so that none is timed twice */
	STARTS = 2,    /* engines that are climbed from */
	VALUES = 24,   /* values tried of one knob */
};
static const double HEURISTIC_SECONDS = 1, COMPILED_SECONDS = 2,
                    CLIMB_SECONDS = 0.2; /* of a round, at the most */
static const double WORTH_COMPILING_US = 60;

typedef struct Trial {
	Answer answer;
	double us;
} Trial;

typedef struct Trials {
	Search *search;
	Trial at[TRIALS];
	int count;
	double until; /* end of the round, clock_seconds */
} Trials;

static bool time_is_up(const Trials *t)
{
	return t->count == TRIALS || (t->search->tried > 0 && clock_seconds() > t->until);
}

/* Times an answer that was not tried yet; true when it is the fastest until now. */
static bool try_answer(Trials *t, const Answer *a)
{
	Search *s = t->search;
	for (int i = 0; i < t->count; i++)
		if (answers_equal(&t->at[i].answer, a))
			return false;
	double us = s->time(s->context, a, s->best_us);
	t->at[t->count++] = (Trial){*a, us};
	if (!isfinite(us))
		return false;
	if (!s->tried++)
		s->first_us = us;
	s->second_us = fmin(s->second_us, fmax(us, s->best_us));
	if (us >= s->best_us)
		return false;
	s->best_us = us;
	s->best = *a;
	return true;
}

/* The heuristics' answers, those of engines that are compiled last; *precompiled is how many come before. */
static Answer *ask_heuristics(const Search *s, int *count, int *precompiled)
{
	Answer *asked = allocate(TRIALS, sizeof *asked, "cuDNN's plans");
	Answer *sorted = allocate(TRIALS, sizeof *sorted, "cuDNN's plans");
	int all = 0;
	for (Form form = 0; form < FORMS; form++)
		if (s->graphs[form].graph)
			all = answers_of_heuristics(&s->graphs[form], form, s->type, asked, all, TRIALS / 2);
	int late = 0, early = 0;
	for (int i = 0; i < all; i++) {
		bool compiled = engine_is_compiled(&s->graphs[asked[i].form], asked[i].engine);
		if (compiled)
			asked[late++] = asked[i];
		else
			sorted[early++] = asked[i];
	}
	memcpy(sorted + early, asked, (size_t)late * sizeof *asked);
	*precompiled = early;
	*count = all;
	free(asked);
	return sorted;
}

static void try_answers(Trials *t, const Answer *answers, int count, double seconds)
{
	t->until = clock_seconds() + seconds;
	for (int i = 0; i < count && !time_is_up(t); i++) {
		plan_progress(t->search->key, i, 2 * count);
		try_answer(t, &answers[i]);
	}
}

/* The place of a knob in the answer; added with the value `otherwise` where the answer leaves it to the engine. */
static struct Knob *knob_of(Answer *a, int64_t type, int64_t otherwise)
{
	for (int i = 0; i < a->knob_count; i++)
		if (a->knobs[i].type == type)
			return &a->knobs[i];
	if (a->knob_count == KNOBS)
		return NULL;
	a->knobs[a->knob_count] = (struct Knob){type, otherwise};
	return &a->knobs[a->knob_count++];
}

/* One round over all knobs and values; the fastest replaces *start at once. */
static bool change_knobs(Trials *t, Answer *start, double *start_us, const KnobRange *ranges, int count)
{
	bool better = false;
	for (int i = 0; i < count; i++) {
		const KnobRange *r = &ranges[i];
		int64_t values = (r->high - r->low) / r->step + 1, step = r->step;
		if (values > VALUES)
			step *= (values + VALUES - 1) / VALUES;
		for (int64_t value = r->low; value <= r->high && !time_is_up(t); value += step) {
			Answer a = *start;
			struct Knob *knob = knob_of(&a, r->type, value);
			if (!knob)
				continue;
			knob->value = value;
			int before = t->count;
			try_answer(t, &a);
			if (t->count > before && t->at[before].us < *start_us) {
				*start = a;
				*start_us = t->at[before].us;
				better = true;
			}
		}
	}
	return better;
}

static void climb(Trials *t, const Trial *from)
{
	const Graph *g = &t->search->graphs[from->answer.form];
	KnobRange ranges[KNOBS];
	Answer start = from->answer;
	double us = from->us;
	int count = knob_ranges(g, start.engine, ranges);
	while (!time_is_up(t) && change_knobs(t, &start, &us, ranges, count))
		;
}

static int fastest_first(const void *x, const void *y)
{
	double a = ((const Trial *)x)->us, b = ((const Trial *)y)->us;
	return a < b ? -1 : a > b;
}

/* Engines that came close, the fastest first: a few knobs are worth up to a factor of two. */
static void climb_from_fastest(Trials *t)
{
	const Search *s = t->search;
	Trial starts[STARTS];
	int count = 0;
	plan_progress(s->key, 3, 4);
	qsort(t->at, (size_t)t->count, sizeof *t->at, fastest_first);
	for (int i = 0; i < t->count && count < STARTS && t->at[i].us < 2 * s->best_us; i++) {
		const Graph *g = &s->graphs[t->at[i].answer.form];
		bool is_new = g->graph && !engine_is_compiled(g, t->at[i].answer.engine);
		for (int k = 0; k < count && is_new; k++)
			is_new = starts[k].answer.form != t->at[i].answer.form ||
			         starts[k].answer.engine != t->at[i].answer.engine;
		if (is_new)
			starts[count++] = t->at[i];
	}
	for (int i = 0; i < count; i++) {
		t->until = clock_seconds() + CLIMB_SECONDS / STARTS;
		climb(t, &starts[i]);
	}
}

void search_fastest(Search *s)
{
	Trials *t = allocate(1, sizeof *t, "cuDNN's plans");
	int count, precompiled;
	t->search = s;
	s->best_us = s->second_us = INFINITY;
	s->first_us = 0;
	s->tried = 0;
	Answer *answers = ask_heuristics(s, &count, &precompiled);
	try_answers(t, answers, precompiled, HEURISTIC_SECONDS);
	if (s->other != FORMS)
		try_answer(t, &(Answer){.form = s->other});
	if (s->best_us > WORTH_COMPILING_US)
		try_answers(t, answers + precompiled, count - precompiled, COMPILED_SECONDS);
	climb_from_fastest(t);
	free(answers);
	free(t);
}

void search_first(Search *s)
{
	int count, precompiled;
	Answer *answers = ask_heuristics(s, &count, &precompiled);
	s->best_us = INFINITY;
	for (int i = 0; i < count && !isfinite(s->best_us); i++) {
		s->best_us = s->time(s->context, &answers[i], INFINITY);
		s->best = answers[i];
	}
	free(answers);
}
