/* SPDX-License-Identifier: MIT */
/* How a budget is divided among operations: by a clock that only searches move. */
#include "runtime/host/progress.h"
#include "runtime/host/signals.h"
#include "runtime/cuda/tuning.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"
#include "tests/unit/signal.h"

#include <math.h>

double __wrap_clock_seconds(void);

static double now = 100;

double __wrap_clock_seconds(void)
{
	return now;
}

enum { OPERATIONS = 4 };

/* An operation of which `wants` seconds are enough. */
typedef struct Operation {
	TuneEntry entry;
	int uses;
	double us, wants, had, given;
	double finds; /* a plan that takes so long; 0: as long as before */
	double first; /* what the search has the plan before as; 0: it does not time it */
	int turn;
	bool interrupts, lacks_room, idles; /* idles: does not begin what it has no time for */
	struct Operation *meets;            /* in its search */
} Operation;

static Operation operations[OPERATIONS];
static int turns;
static int searched; /* by hand: what main returns of a child */

static Operation *of(void *context)
{
	Operation *o;
	memcpy(&o, context, sizeof o);
	return o;
}

static double time_operation(void *context)
{
	now += 0.1;
	return of(context)->us;
}

static void add(Operation *o);
static bool waits; /* what a search meets was collected before */

static bool search_operation(void *context, double until)
{
	Operation *o = of(context);
	double left = o->wants - o->had;
	if (o->lacks_room)
		return false;
	o->turn = ++turns;
	o->given = until - now;
	searched++;
	if (o->interrupts)
		send_signal(SIGINT);
	if (o->meets && o->meets->turn == 0) {
		if (waits)
			tuning_met(&o->meets->entry);
		else
			add(o->meets);
	}
	while (left > 0 && !tuning_is_over(until) && !(o->idles && now > until - o->given / 2)) {
		now += 0.25;
		left -= 0.25;
		o->had += 0.25;
	}
	o->entry.partial = left > 0;
	o->entry.us = o->finds > 0 ? o->finds : o->us;
	o->entry.first_us = o->first;
	tune_keep(&o->entry);
	return true;
}

static void add(Operation *o)
{
	Operation **context = malloc(sizeof *context);
	*context = o;
	if (tuning_is_wanted(o->entry.us > 0 ? &o->entry : NULL))
		tuning_add(&(TuneTask){&o->entry, &o->uses, time_operation, search_operation, context});
	else
		free(context);
}

static const TunePlatform platform = {"NVIDIA H200", 90, 13000, {91900, 130101}};

static void begin(double seconds, bool keep_partial)
{
	static const Operation fresh[OPERATIONS] = {
	        {.us = 10, .uses = 3, .wants = 2},    /* 30 us of a step */
	        {.us = 600, .uses = 1, .wants = 900}, /* 600 */
	        {.us = 185, .uses = 2, .wants = 900}, /* 370 */
	        {.us = INFINITY, .uses = 1, .wants = 1},
	};
	memcpy(operations, fresh, sizeof fresh);
	for (int i = 0; i < OPERATIONS; i++) {
		operations[i].entry = (TuneEntry){.library = TUNE_CUDNN, .partial = true};
		snprintf(operations[i].entry.key, TUNE_KEY_BYTES, "k%d", i);
		tune_add_setting(&operations[i].entry, "engine", i);
	}
	turns = searched = 0;
	tune_configure("schedule.tune", false);
	tune_open(&platform, TUNE_CUDNN, 91900);
	tuning_configure(seconds, keep_partial);
}

static int collected(void *unused)
{
	begin(100, false);
	tuning_collect();
	for (int i = 0; i < OPERATIONS; i++)
		add(&operations[i]);
	CHECK(turns == 0);
	CHECK(nnr_cuda_tuning_done());
	const Operation *o = operations;
	/* The longest first, each as much as it takes of a step; 0.4 s went for the first runs. */
	CHECK(o[1].turn == 1 && o[2].turn == 2 && o[0].turn == 3 && o[3].turn == 0);
	CHECK(fabs(o[1].given - 0.600 * 99.6) < 0.01);
	CHECK(fabs(o[2].given - 0.925 * 39.7) < 0.3);
	CHECK(o[1].entry.partial && o[2].entry.partial && !o[0].entry.partial && o[3].entry.partial);
	CHECK(now <= 201);
	CHECK(!nnr_cuda_tuning_done());
	return check_report("collected");
}

/* What one leaves over goes to those after it. */
static int leaves_over(void *unused)
{
	begin(100, false);
	operations[1].wants = 1;
	tuning_collect();
	for (int i = 0; i < OPERATIONS; i++)
		add(&operations[i]);
	nnr_cuda_tuning_done();
	CHECK(!operations[1].entry.partial && operations[2].given > 90 && operations[0].given > 2);
	return check_report("left over");
}

/* It says what of the step's time was won. */
static int gains(void *unused)
{
	progress_begin(PROGRESS_PLAIN, false);
	begin(100, false);
	operations[0].finds = 11; /* by noise */
	operations[1].finds = 400;
	operations[1].first = 590; /* without the host's call */
	tuning_collect();
	for (int i = 0; i < OPERATIONS; i++)
		add(&operations[i]);
	nnr_cuda_tuning_done();
	return check_report("gains");
}

/* Without a word of how long. */
static int by_default(void *unused)
{
	unsetenv("NNR_TUNE_SECONDS");
	begin(-1, false);
	tuning_collect();
	for (int i = 0; i < OPERATIONS; i++)
		add(&operations[i]);
	nnr_cuda_tuning_done();
	CHECK(fabs(operations[1].given - 0.600 * 59.6) < 0.01 && now <= 161);
	return check_report("by default");
}

/* However little there is, one after another has half a second of it. */
static int has_little(void *unused)
{
	begin(1.5, false);
	tuning_collect();
	for (int i = 0; i < OPERATIONS; i++)
		add(&operations[i]);
	nnr_cuda_tuning_done();
	CHECK(fabs(operations[1].given - 0.66) < 0.01 && fabs(operations[2].given - 0.35) < 0.01);
	CHECK(operations[0].turn == 0);
	return check_report("has little");
}

/* The next start goes on with what is partial, and only with that. */
static int goes_on(void *unused)
{
	begin(10, false);
	operations[1].wants = 8;
	tuning_collect();
	for (int i = 0; i < OPERATIONS - 1; i++)
		add(&operations[i]);
	nnr_cuda_tuning_done();
	CHECK(operations[1].entry.partial && operations[1].had < 8);
	tuning_configure(1000, false);
	turns = 0;
	tuning_collect();
	bool was_partial[OPERATIONS];
	for (int i = 0; i < OPERATIONS - 1; i++) {
		was_partial[i] = operations[i].entry.partial;
		operations[i].turn = 0;
		add(&operations[i]);
	}
	nnr_cuda_tuning_done();
	CHECK(operations[1].had == 8 && !operations[1].entry.partial && operations[1].turn == 1);
	for (int i = 0; i < OPERATIONS - 1; i++)
		CHECK((operations[i].turn > 0) == was_partial[i]);
	return check_report("goes on");
}

/* Nothing is searched: no budget, or what the record has is kept. */
static int stays(void *keep)
{
	begin(keep ? 100 : 0, keep);
	for (int i = 0; i < OPERATIONS && keep; i++)
		operations[i].entry.us = 1;
	tuning_collect();
	for (int i = 0; i < OPERATIONS; i++)
		add(&operations[i]);
	CHECK(!nnr_cuda_tuning_done() && searched == 0);
	return check_report("stays");
}

static int interrupted(void *unused)
{
	begin(100, false);
	operations[2].interrupts = true;
	tuning_collect();
	for (int i = 0; i < OPERATIONS; i++)
		add(&operations[i]);
	nnr_cuda_tuning_done();
	return 1; /* it does not come back */
}

/* Without a collection at once; what a search meets has half of what that search has left. */
static int at_once(void *unused)
{
	begin(20, false);
	operations[0].meets = &operations[2];
	add(&operations[0]);
	CHECK(operations[2].turn == 2 && fabs(operations[2].given - 10) < 0.01 &&
	      !operations[0].entry.partial);
	add(&operations[1]); /* what is left */
	CHECK(operations[1].had > 7 && operations[1].entry.partial && now <= 121);
	add(&operations[3]);
	CHECK(operations[3].had <= 0.25 && operations[3].entry.partial);
	CHECK(!nnr_cuda_tuning_done());
	return check_report("at once");
}

/* What waits and is met by a search is searched then, and not again at its turn. */
static int before_its_turn(void *unused)
{
	begin(100, false);
	waits = true;
	operations[1].meets = &operations[2];
	operations[2].wants = 1;
	tuning_collect();
	for (int i = 0; i < OPERATIONS - 1; i++)
		add(&operations[i]);
	CHECK(nnr_cuda_tuning_done());
	CHECK(operations[1].turn == 1 && operations[2].turn == 2 && operations[0].turn == 3 && searched == 3);
	CHECK(fabs(operations[2].given - 0.5 * operations[1].given) < 0.01 && !operations[2].entry.partial);
	return check_report("before its turn");
}

/* What such a search cuts has its turn, too. */
static int twice(void *unused)
{
	begin(100, false);
	waits = true;
	operations[1].meets = &operations[2];
	operations[1].wants = 1;
	operations[2].wants = 45;
	tuning_collect();
	for (int i = 0; i < OPERATIONS - 1; i++)
		add(&operations[i]);
	CHECK(nnr_cuda_tuning_done());
	CHECK(operations[1].turn == 1 && operations[2].turn == 3 && operations[0].turn == 4 && searched == 4);
	CHECK(operations[2].had == 45 && !operations[2].entry.partial);
	return check_report("twice");
}

/* Trains for so many seconds in steps of a tenth, with slices between them where they are due; how many there were. */
static int train(double seconds)
{
	const double end = now + seconds;
	int slices = 0;
	while (now < end) {
		if (tuning_slice_is_due()) {
			tuning_slice(now);
			slices++;
		}
		now += 0.1;
	}
	return slices;
}

static void begin_beside(double seconds)
{
	progress_begin(PROGRESS_PLAIN, false);
	tuning_collect();
	for (int i = 0; i < OPERATIONS; i++)
		add(&operations[i]);
	tuning_begin_beside();
}

/* No search before the first step, and a tenth of the time at most until the budget ends; each has had time for what it
 * takes of a step, the longest first, and what no search can better is left alone. */
static int beside(void *unused)
{
	begin(20, false);
	begin_beside(20);
	CHECK(searched == 0 && tuning_is_beside() && now < 100.5); /* the first runs, of 0.1 s each */
	CHECK(train(3.5) == 0);                                    /* those were a tenth until then */
	const Operation *o = operations;
	CHECK(train(0.3) == 1 && o[1].turn == 1 && fabs(o[1].given - 0.5) < 0.01);
	CHECK(train(6.5) == 0 && train(0.5) == 1 && o[2].turn == 2); /* that took 0.75 s */
	double began = now, spent = 0;
	while (now < began + 150) {
		train(1);
		spent = 0.4;
		for (int i = 0; i < OPERATIONS; i++)
			spent += o[i].had;
		CHECK(spent <= 0.1 * (now - 100) + 4.5); /* the last slice may be of 4 s */
	}
	CHECK(spent > 10 && o[0].had > 0);
	train(200);
	CHECK(train(100) == 0);
	spent = 0.4;
	for (int i = 0; i < OPERATIONS; i++)
		spent += o[i].had;
	CHECK(fabs(spent - 20) < 0.5 && o[1].had > o[2].had && o[2].had > o[0].had && o[3].turn == 0);
	tuning_end(); /* which was said already */
	return check_report("beside");
}

/* All searches end before the budget does. */
static int beside_to_the_end(void *unused)
{
	begin(60, false);
	operations[1].wants = 3;
	operations[1].finds = 400;
	operations[2].wants = 1.25;
	operations[2].finds = 184; /* by noise */
	operations[3].us = 1;
	begin_beside(60);
	CHECK(train(100) > 4 && !tuning_slice_is_due());
	for (int i = 0; i < OPERATIONS; i++)
		CHECK(!operations[i].entry.partial && operations[i].had == operations[i].wants);
	return check_report("beside, to the end");
}

/* A training that ends first has the record of what was found, and says that it was not all. */
static int beside_for_a_while(void *unused)
{
	begin(60, false);
	begin_beside(60);
	train(6);
	TuneRecord r;
	static char text[8192];
	read_whole("schedule.tune", text, sizeof text); /* after each slice */
	CHECK(tune_parse(&r, text, (int64_t)strlen(text)));
	CHECK(tune_find(&r, TUNE_CUDNN, "k1")->us == 600);
	tuning_end();
	CHECK(!tuning_slice_is_due());
	return check_report("beside, for a while");
}

/* One without room for its trials stays as it is, in no time; the next has its turn at once. */
static int beside_without_room(void *unused)
{
	begin(60, false);
	operations[1].lacks_room = true;
	operations[2].wants = 1;
	begin_beside(60);
	CHECK(train(4) == 1 && operations[1].turn == 0 && operations[2].turn == 1);
	train(100);
	CHECK(operations[1].turn == 0 && operations[1].entry.partial && !operations[2].entry.partial &&
	      !operations[0].entry.partial && !tuning_slice_is_due());
	return check_report("beside, without room");
}

/* One that leaves the rest of each slice unused is given longer ones, and no more when the longest did not do. */
static int beside_idle(void *unused)
{
	begin(60, false);
	operations[1].idles = true;
	operations[2].wants = operations[0].wants = 0.25;
	begin_beside(60);
	train(60);
	CHECK(operations[1].given == 4 && operations[1].entry.partial && turns == 7 &&
	      !tuning_slice_is_due());
	return check_report("beside, idle");
}

/* What is met later is no slice's: it was not timed. What a search meets is searched in it. */
static int beside_meets(void *unused)
{
	begin(60, false);
	operations[1].wants = 1;
	operations[1].meets = &operations[2];
	waits = true;
	begin_beside(60);
	CHECK(train(4) == 1 && operations[1].turn == 1 && operations[2].turn == 2);
	Operation late = {.us = 1e6, .uses = 1, .wants = 1};
	late.entry = (TuneEntry){.library = TUNE_CUDNN, .key = "late", .partial = true};
	add(&late);
	train(100);
	CHECK(late.turn == 0 && late.had == 0);
	return check_report("beside, met");
}

/* A signal cuts the slice, and it is the training that ends. */
static int beside_interrupted(void *unused)
{
	begin(60, false);
	signals_catch();
	operations[1].interrupts = true;
	begin_beside(60);
	CHECK(train(4) == 1 && operations[1].had < 0.5 && operations[1].entry.partial);
	tuning_end();
	return check_report("beside, interrupted");
}

static int by_environment(void *text)
{
	setenv("NNR_TUNE_SECONDS", text, true);
	tuning_configure(-1, false);
	return tuning_is_wanted(NULL) ? 0 : 1;
}

static bool fine(int (*body)(void *), void *context, int status, const char *says)
{
	Ended e = run_child(body, context);
	bool ok = e.status == status && strstr(e.said, says);
	if (!ok)
		printf("%d: %s", e.status, e.said);
	unlink("schedule.tune");
	return ok;
}

int main(void)
{
	heed_signals();
	child_folder_make();
	CHECK(fine(collected, NULL, 0, ""));
	CHECK(fine(leaves_over, NULL, 0, ""));
	CHECK(fine(has_little, NULL, 0, ""));
	CHECK(fine(gains, NULL, 0, "s: 0.99 ms of a step became 0.80; not to the end"));
	CHECK(fine(by_default, NULL, 0, ""));
	CHECK(fine(goes_on, NULL, 0, ""));
	CHECK(fine(stays, NULL, 0, ""));
	CHECK(fine(stays, "keep", 0, ""));
	CHECK(fine(at_once, NULL, 0, ""));
	CHECK(fine(before_its_turn, NULL, 0, ""));
	CHECK(fine(twice, NULL, 0, ""));
	CHECK(fine(by_environment, "0", 1, "") && fine(by_environment, "12.5", 0, ""));
	CHECK(fine(by_environment, "soon", 2, "NNR_TUNE_SECONDS is `soon`"));
	CHECK(fine(by_environment, "-3", 2, "not a number of seconds"));
	CHECK(fine(beside, NULL, 0, "not to the end: the next start goes on"));
	CHECK(fine(beside, NULL, 0, "tuning beside the training: operation "));
	CHECK(fine(beside_to_the_end, NULL, 0,
	           "beside the training, 1 plan better: 1.00 ms of a step became 0.80\n"));
	CHECK(fine(beside_for_a_while, NULL, 0, "tuned 1 library calls in 1.1 s beside the training"));
	CHECK(fine(beside_without_room, NULL, 0, "no room to try out 1 library call beside the training"));
	CHECK(fine(beside_idle, NULL, 0, "not to the end"));
	CHECK(fine(beside_meets, NULL, 0, ""));
	CHECK(fine(beside_interrupted, NULL, 0, ""));
	Ended e = run_child(interrupted, NULL);
	CHECK(e.status == 130);
	char text[4096]; /* what was found until then, whole */
	CHECK(read_whole("schedule.tune", text, sizeof text) > 0);
	CHECK(strstr(text, "k1: engine=1") && strstr(text, "k2: engine=2") && strstr(text, "state=partial"));
	TuneRecord r;
	CHECK(tune_parse(&r, text, (int64_t)strlen(text)) && r.bad_lines == 0);
	tune_free(&r);
	return check_report("tuning");
}
