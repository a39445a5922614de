/* SPDX-License-Identifier: MIT */
/* The search for a convolution's plan, over engines and knobs made up here, by a clock that making and running plans
 * move. */
#include "runtime/cuda/cudnn_search.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#include <math.h>

double __wrap_clock_seconds(void);

static double now = 100;

double __wrap_clock_seconds(void)
{
	return now;
}

bool tuning_is_over(double until)
{
	return now > until;
}

void tuning_progress(const char *key, int done, int total)
{
}

/* ---- a library */

/* The heuristics' answers: engine and the value of its one knob, 0 to 7. */
static const struct Named {
	int engine, knob;
} named[] = {{4, 1}, {7, 2}, {4, 3}, {20, 0}, {5, 0}, {7, 5}, {5, 6}, {21, 0}, {20, 4}};
enum {
	NAMED = sizeof named / sizeof *named,
	COMPILED = 20,
	FIRST_MODE = 5 /* what the first mode names of them */
};

static int asked;  /* modes of the heuristics */
static int broken; /* engines up to this one make no plan */

/* Microseconds by engine and knob. */
static double fast = 1;

static double us_of(const Answer *a)
{
	int64_t knob = a->knob_count ? a->knobs[0].value : 0;
	if (a->form != PRODUCT && a->engine <= broken)
		return INFINITY;
	double away = fabs((double)knob - 6);
	switch (a->form == PRODUCT ? -1 : a->engine) {
	case -1:
		return fast * 150;
	case 4:
		return fast * (100 + 5 * away);
	case 5:
		return fast * (400 + away);
	case 7:
		return fast * (90 + 10 * away);
	case 20:
		return fast * (70 + away);
	default:
		return INFINITY;
	}
}

int answers_of_heuristic(const Graph *g, int mode, Form form, cudnnDataType_t type, Answer *answers,
                         int count, int room)
{
	asked++;
	for (int i = mode ? FIRST_MODE : 0; i < (mode == 0 ? FIRST_MODE : mode == 2 ? NAMED : 0); i++)
		answers[count++] = (Answer){.form = form,
		                            .engine = named[i].engine,
		                            .knob_count = 1,
		                            .knobs = {{0, named[i].knob}}};
	return count;
}

bool answers_equal(const Answer *a, const Answer *b)
{
	return a->form == b->form && a->engine == b->engine && a->knob_count == b->knob_count &&
	       a->knobs[0].value == b->knobs[0].value;
}

bool engine_is_compiled(const Graph *g, int64_t engine)
{
	return engine >= COMPILED;
}

int knob_ranges(const Graph *g, int64_t engine, KnobRange out[KNOBS])
{
	out[0] = (KnobRange){0, 0, 7, 1};
	return 1;
}

/* ---- a search of it */

static struct {
	Answer at[256];
	int count;
} tried;

static double time_answer(void *context, const Answer *a, double best_us)
{
	bool compiled = a->form != PRODUCT && a->engine >= COMPILED;
	tried.at[tried.count++] = *a;
	now += compiled ? 0.6 : 0.02;
	return us_of(a);
}

static Search search_for(double seconds)
{
	static Graph graphs[FORMS];
	graphs[DIRECT].graph = (Descriptor)&graphs;
	tried.count = 0;
	return (Search){.graphs = graphs,
	                .other = PRODUCT,
	                .key = "k",
	                .time = time_answer,
	                .until = now + seconds,
	                .compiles_from = 60};
}

static int place_of(int64_t engine, int64_t knob)
{
	for (int i = 0; i < tried.count; i++)
		if (tried.at[i].form != PRODUCT && tried.at[i].engine == engine &&
		    tried.at[i].knobs[0].value == knob)
			return i;
	return -1;
}

static bool none_twice(void)
{
	for (int i = 0; i < tried.count; i++)
		for (int k = 0; k < i; k++)
			if (answers_equal(&tried.at[i], &tried.at[k]))
				return false;
	return true;
}

static void test_order(void)
{
	Search s = search_for(1000);
	search_fastest(&s);
	CHECK(!s.partial && none_twice());
	/* The first of each engine, as the heuristics name them, and the product; */
	CHECK(place_of(4, 1) == 0 && place_of(7, 2) == 1 && place_of(5, 0) == 2 &&
	      tried.at[3].form == PRODUCT);
	/* then other knobs of the two fastest engines, and not of the slow one; then what is compiled; then the
	 * climb. */
	CHECK(place_of(4, 3) == 4 && place_of(7, 5) == 5 && place_of(5, 6) == -1);
	CHECK(place_of(20, 0) == 6 && place_of(21, 0) == 7 && place_of(20, 4) == 8);
	CHECK(place_of(7, 6) > 8 && place_of(4, 6) > 8);
	CHECK(s.best.engine == 20 && s.best.knobs[0].value == 4 && s.best_us == 72);
	CHECK(s.first_us == us_of(&tried.at[0]));
	CHECK(s.tried == tried.count - 1); /* engine 21 never works */
}

/* What is short is not worth a compilation at every start. */
static void test_short(void)
{
	fast = 0.1;
	Search s = search_for(1000);
	search_fastest(&s);
	CHECK(!s.partial && place_of(20, 0) < 0 && s.best.engine == 7 && s.best.knobs[0].value == 6);
	s = search_for(1000);
	s.compiles_from = 1;
	search_fastest(&s);
	CHECK(!s.partial && place_of(20, 0) > 0 && s.best.engine == 20);
	fast = 1;
}

/* However often it is cut, it ends with what one search finds, and each plan of the list is made once more at the
 * most. */
static void test_cut(void)
{
	Search whole = search_for(1000);
	search_fastest(&whole);
	static const double seconds[] = {0.03, 0.05, 0.09, 0.3};
	for (size_t i = 0; i < sizeof seconds / sizeof *seconds; i++) {
		Answer best;
		double best_us = INFINITY;
		bool partial = true;
		int next = 0, rounds = 0;
		while (partial && rounds < 80) {
			/* as the shares of the others grow when some are done */
			Search s = search_for(seconds[i] * (1 + rounds));
			double began = now;
			s.known = rounds ? &best : NULL;
			s.next = next;
			search_fastest(&s);
			CHECK(none_twice() && s.best_us <= best_us);
			CHECK(now - began <= seconds[i] * (1 + rounds) + 0.6 + 1e-9);
			CHECK(!s.partial || s.next >= next);
			best = s.best;
			best_us = s.best_us;
			next = s.next;
			partial = s.partial;
			rounds++;
		}
		if (!CHECK(!partial && rounds > 1 && best_us == whole.best_us))
			printf("  by %g s: %d rounds, %g us\n", seconds[i], rounds, best_us);
	}
}

/* How long the first that is compiled takes is not known: it is not begun in less than a second, neither as the plan
 * of an operation like this one. The first of all tests. */
static void test_first_to_compile(void)
{
	const Answer alike = {.form = DIRECT, .engine = 20, .knob_count = 1, .knobs = {{0, 3}}};
	const Answer known = {.form = DIRECT, .engine = 4, .knob_count = 1, .knobs = {{0, 1}}};
	Search s = search_for(0.9);
	s.known = &known;
	s.alike = &alike;
	search_fastest(&s);
	CHECK(s.partial && s.next == 7 && place_of(20, 3) < 0 && place_of(20, 0) < 0 && place_of(21, 0) < 0);
	s = search_for(1000);
	s.known = &known;
	s.alike = &alike;
	search_fastest(&s);
	CHECK(!s.partial && place_of(20, 3) == 1); /* with time it is tried early */
	s = search_for(1000);
	s.known = &known;
	s.alike = &alike;
	s.compiles_from = 200; /* and never for what is short */
	search_fastest(&s);
	CHECK(!s.partial && place_of(20, 3) < 0);
}

/* A plan that would not be ready in time is not begun: how long one takes is known from the first. */
static void test_no_time_to_compile(void)
{
	Search s = search_for(0.5);
	search_fastest(&s);
	CHECK(s.partial && s.next == 7 && place_of(20, 0) < 0);
	CHECK(place_of(7, 6) > 0 && s.best.engine == 7 && s.best_us == 90);
}

/* No time at all: the first that works. */
static void test_no_time(void)
{
	Search s = search_for(-1);
	search_fastest(&s);
	CHECK(s.partial && s.next == 1 && tried.count == 1 && s.best.engine == 4);
	search_first(&s);
	CHECK(s.best.engine == 4);
}

/* What is taken untimed is the first of the list that works, and no more is asked for than that takes. */
static void test_first(void)
{
	static const struct {
		int broken, asked, tried, engine, knob;
	} cases[] = {
	        {0, 1, 1, 4, 1},  /* the first that is named; */
	        {4, 1, 2, 7, 2},  /* the next engine's; */
	        {7, 4, 7, 20, 0}, /* what is compiled, after other knobs of those before */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		Search s = search_for(1000);
		asked = 0;
		broken = cases[i].broken;
		search_first(&s);
		CHECK(asked == cases[i].asked && none_twice() && tried.count == cases[i].tried);
		CHECK(s.best_us == us_of(&s.best) && s.best.engine == cases[i].engine &&
		      s.best.knobs[0].value == cases[i].knob);
	}
	Search s = search_for(1000);
	s.other = PLAIN; /* a kernel does it where all that is named would be compiled */
	search_first(&s);
	CHECK(s.best_us == INFINITY && place_of(20, 0) < 0);
	broken = 0;
}

/* What an earlier search found and no longer works is forgotten, with its place in the list. */
static void test_stale(void)
{
	Answer gone = {.form = DIRECT, .engine = 21, .knob_count = 1, .knobs = {{0, 3}}};
	Search s = search_for(1000);
	s.known = &gone;
	s.next = 9;
	search_fastest(&s);
	CHECK(!s.partial && place_of(4, 1) == 1 && s.best_us == 72);
}

/* From what an earlier search found nothing can be climbed, and its list was at the end. */
static void test_no_start(void)
{
	Answer product = {.form = PRODUCT};
	Search s = search_for(0.4);
	s.known = &product;
	s.next = 7; /* what is compiled has no time */
	search_fastest(&s);
	CHECK(s.best.engine == 7 && s.best_us == 90 && s.next == 7);
}

int main(void)
{
	test_first_to_compile();
	test_order();
	test_short();
	test_cut();
	test_no_time_to_compile();
	test_no_time();
	test_first();
	test_stale();
	test_no_start();
	return check_report("search");
}
