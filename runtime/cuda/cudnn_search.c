/* SPDX-License-Identifier: MIT */
/* One list of candidates, in an order that depends on the library alone, so that a search goes on where an earlier one
 * ended; then a climb. What a round may take grows with the operation, within Search.until:
 *
 *   firsts     what the heuristics answer, the first of each engine, in their order
 *   alike      the plan of the operation of the same kind that is nearest in its sizes, of the records that come
 *              with the runtime
 *   other      the form that is cuBLASLt's, or that has a kernel after the convolution, where it exists
 *   knobs      more answers of the two fastest engines: other knobs
 *   compiled   the same of engines that are compiled when a plan is made, where an operation is long enough for them to
 *              be worth their start, or nothing else works
 *   climb      from the fastest answers of two engines one knob is changed at a time; what is faster becomes the next
 *              start, until a whole round of changes finds nothing
 *
 * On an H200 (cuDNN 9.14, ResNet-50 at 32x32, tf32) the heuristics' first answer takes 20 % more than their best on
 * average, the product is up to 15 % faster than that where there is one, and the climb wins up to 10 % with 3x3
 * windows. */
#include "runtime/cuda/cudnn_search.h"
#include "runtime/host/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	TRIALS = 1024,      /* answers remembered, so that none is timed twice */
	NAMED = TRIALS / 2, /* by the heuristics */
	ENGINES = 128,
	STARTS = 2,  /* engines that are climbed from, and whose other knobs are tried */
	VALUES = 24, /* values tried of one knob */
};
/* Seconds of a round: so much for each microsecond of the operation, within limits. */
static const struct Round {
	double per_us, least, most;
} HEURISTIC_ROUND = {0.005, 1, 4}, COMPILED_ROUND = {0.01, 2, 8}, CLIMB_ROUND = {0.002, 0.2, 2};

typedef struct Trial {
	Answer answer;
	double us;
} Trial;

typedef struct Candidate {
	Answer answer;
	bool compiled, is_first; /* of its engine */
} Candidate;

typedef struct Trials {
	Search *search;
	Trial at[TRIALS];
	int count;
	struct Engine {
		Form form;
		int64_t number;
		double us; /* of its fastest answer yet */
	} engines[ENGINES];
	int engine_count;
	double until; /* end of the round, clock_seconds */
	bool cut;     /* a plan was not begun that would not be ready in time */
} Trials;

/* Seconds that the slowest candidate took that was compiled, in this process; before the first, about what they mostly
 * take. One is begun only where as much is left. */
static struct {
	double seconds;
	bool known;
} compiling = {.seconds = 1};

static void note_compiled(double seconds)
{
	compiling.seconds = compiling.known ? fmax(compiling.seconds, seconds) : seconds;
	compiling.known = true;
}

static bool may_compile(const Search *s)
{
	return s->tried == 0 || clock_seconds() + compiling.seconds <= s->until;
}

static void begin_round(Trials *t, const struct Round *r)
{
	double us = t->search->tried > 0 ? t->search->best_us : 0;
	t->until = clock_seconds() + fmin(fmax(r->per_us * us, r->least), r->most);
}

static bool search_is_over(const Trials *t)
{
	return t->search->tried > 0 && tuning_is_over(t->search->until);
}

static bool round_is_over(const Trials *t)
{
	return t->count == TRIALS || search_is_over(t) ||
	       (t->search->tried > 0 && clock_seconds() > t->until);
}

/* NULL for one of which nothing worked yet. */
static struct Engine *engine_of_answer(Trials *t, const Answer *a)
{
	for (int i = 0; i < t->engine_count; i++)
		if (t->engines[i].form == a->form && t->engines[i].number == a->engine)
			return &t->engines[i];
	return NULL;
}

static void note_engine(Trials *t, const Answer *a, double us)
{
	struct Engine *e = engine_of_answer(t, a);
	if (e)
		e->us = fmin(e->us, us);
	else if (t->engine_count < ENGINES)
		t->engines[t->engine_count++] = (struct Engine){a->form, a->engine, us};
}

/* Whether fewer than STARTS engines are known to be faster than the answer's. */
static bool engine_is_fast(Trials *t, const Answer *a)
{
	const struct Engine *e = engine_of_answer(t, a);
	int faster = 0;
	for (int i = 0; i < t->engine_count && e; i++)
		faster += t->engines[i].us < e->us;
	return faster < STARTS;
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
	note_engine(t, a, us);
	if (!s->tried++)
		s->first_us = us;
	s->second_us = fmin(s->second_us, fmax(us, s->best_us));
	if (us >= s->best_us)
		return false;
	s->best_us = us;
	s->best = *a;
	return true;
}

/* The candidates with and without compilation, of each the first of its engine or the others, in the heuristics'
 * order. */
static int append(Candidate *list, int count, const Candidate *asked, int all, bool compiled, bool is_first)
{
	for (int i = 0; i < all; i++)
		if (asked[i].compiled == compiled && asked[i].is_first == is_first)
			list[count++] = asked[i];
	return count;
}

static bool is_first_of_engine(const Answer *answers, int i)
{
	for (int k = 0; k < i; k++)
		if (answers[k].form == answers[i].form && answers[k].engine == answers[i].engine)
			return false;
	return true;
}

/* All candidates in the order of the rounds, those that are compiled last; *precompiled is how many come before. */
static Candidate *list_candidates(const Search *s, int *count, int *precompiled)
{
	Answer *answers = allocate(TRIALS, sizeof *answers, "cuDNN's plans");
	Candidate *asked = allocate(TRIALS, sizeof *asked, "cuDNN's plans");
	Candidate *list = allocate(TRIALS, sizeof *list, "cuDNN's plans");
	int all = 0, n;
	for (Form form = 0; form < FORMS; form++)
		for (int mode = 0; mode < HEURISTIC_MODES && s->graphs[form].graph; mode++)
			all = answers_of_heuristic(&s->graphs[form], mode, form, s->type, answers, all,
			                           NAMED);
	for (int i = 0; i < all; i++)
		asked[i] = (Candidate){answers[i],
		                       engine_is_compiled(&s->graphs[answers[i].form], answers[i].engine),
		                       is_first_of_engine(answers, i)};
	n = append(list, 0, asked, all, false, true);
	if (s->other != FORMS)
		list[n++] = (Candidate){.answer = {.form = s->other}, .is_first = true};
	*precompiled = n = append(list, n, asked, all, false, false);
	n = append(list, n, asked, all, true, true);
	*count = append(list, n, asked, all, true, false);
	free(answers);
	free(asked);
	return list;
}

/* Tries what is left of the list up to `end`. */
static void try_list(Trials *t, const Candidate *list, int end, int count)
{
	Search *s = t->search;
	for (; s->next < end && !round_is_over(t); s->next++) {
		const Candidate *c = &list[s->next];
		double began = clock_seconds();
		tuning_progress(s->key, s->next, 2 * count);
		if (!c->is_first && !engine_is_fast(t, &c->answer))
			continue;
		t->cut = c->compiled && !may_compile(s);
		if (t->cut)
			return;
		try_answer(t, &c->answer);
		if (c->compiled)
			note_compiled(clock_seconds() - began);
	}
	if (s->next < end && !search_is_over(t))
		s->next = end; /* its round was over */
}

/* Where an earlier search came after the first answers of the engines, they are timed again: the climb starts from
 * them. */
static void try_starts(Trials *t, const Candidate *list, int precompiled)
{
	for (int i = 0; i < precompiled && !search_is_over(t); i++)
		if (list[i].is_first && list[i].answer.form != t->search->other)
			try_answer(t, &list[i].answer);
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
		for (int64_t value = r->low; value <= r->high && !round_is_over(t); value += step) {
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
	while (!round_is_over(t) && change_knobs(t, &start, &us, ranges, count))
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
	tuning_progress(s->key, 3, 4);
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
		begin_round(t, &CLIMB_ROUND);
		climb(t, &starts[i]);
	}
}

/* One that is compiled takes what its round would: else it were begun in whatever time there is. */
static void try_alike(Trials *t)
{
	const Search *s = t->search;
	const Graph *g = s->alike ? &s->graphs[s->alike->form] : NULL;
	const bool compiled = g && g->graph && engine_is_compiled(g, s->alike->engine);
	const double began = clock_seconds();
	if (!g || (compiled && !(s->best_us > s->compiles_from && may_compile(s))))
		return;
	try_answer(t, s->alike);
	if (compiled)
		note_compiled(clock_seconds() - began);
}

void search_fastest(Search *s)
{
	Trials *t = allocate(1, sizeof *t, "cuDNN's plans");
	int count, precompiled;
	t->search = s;
	s->best_us = s->second_us = INFINITY;
	s->first_us = 0;
	s->tried = 0;
	if (s->known)
		try_answer(t, s->known);
	if (!s->tried)
		s->next = 0;
	try_alike(t);
	Candidate *list = list_candidates(s, &count, &precompiled);
	begin_round(t, &HEURISTIC_ROUND);
	try_list(t, list, precompiled, count);
	if (s->next >= precompiled && s->best_us > s->compiles_from) {
		begin_round(t, &COMPILED_ROUND);
		try_list(t, list, count, count);
	}
	try_starts(t, list, precompiled);
	climb_from_fastest(t);
	s->partial = t->cut || search_is_over(t);
	free(list);
	free(t);
}

void search_to_entry(const Search *s, bool settled, TuneEntry *e)
{
	e->us = isfinite(s->best_us) ? s->best_us : 0;
	e->first_us = e->first_us > 0 ? e->first_us : s->first_us;
	e->runner_up_us = isfinite(s->second_us) ? s->second_us : 0;
	e->candidates += s->tried;
	e->partial = s->partial || !settled;
	e->next = s->partial && settled ? s->next : 0;
}

/* Whether it is the first that works. */
static bool is_taken(Search *s, const Answer *a)
{
	s->best_us = s->time(s->context, a, INFINITY);
	s->best = *a;
	return isfinite(s->best_us);
}

/* What the heuristics have answered until now. */
typedef struct Asked {
	Answer answers[NAMED];
	bool compiled[NAMED], first[NAMED];
	int count;
} Asked;

/* What begins the list of all candidates, the first of each engine that is not compiled, is tried as soon as it is
 * named: mostly the first of all works, and nothing else is asked for. */
static bool takes_named(Search *s, Asked *asked)
{
	bool taken = false;
	for (int i = 0; i < HEURISTIC_MODES * FORMS && !taken; i++) {
		const Form form = (Form)(i / HEURISTIC_MODES);
		const Graph *g = &s->graphs[form];
		int k = asked->count;
		if (g->graph)
			asked->count = answers_of_heuristic(g, i % HEURISTIC_MODES, form, s->type,
			                                    asked->answers, k, NAMED);
		for (; k < asked->count && !taken; k++) {
			asked->first[k] = is_first_of_engine(asked->answers, k);
			asked->compiled[k] = engine_is_compiled(g, asked->answers[k].engine);
			taken = asked->first[k] && !asked->compiled[k] && is_taken(s, &asked->answers[k]);
		}
	}
	return taken;
}

static bool takes_asked(Search *s, const Asked *asked, bool compiled, bool first)
{
	for (int i = 0; i < asked->count; i++)
		if (asked->compiled[i] == compiled && asked->first[i] == first &&
		    is_taken(s, &asked->answers[i]))
			return true;
	return false;
}

/* Allocates nothing, as a thread that must not end the process may call it. */
void search_first(Search *s)
{
	Asked asked;
	asked.count = 0;
	s->best_us = INFINITY;
	if (takes_named(s, &asked) || takes_asked(s, &asked, false, false) ||
	    s->other == PLAIN) /* nothing is compiled for what was not measured where a kernel can do it */
		return;
	if (!takes_asked(s, &asked, true, true))
		takes_asked(s, &asked, true, false);
}
