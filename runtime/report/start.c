/* SPDX-License-Identifier: MIT */
#include "runtime/report/start.h"
#include "runtime/host/progress.h"

#include <stdio.h>

static const double LONG = 2;     /* seconds: less is not worth a line */
static const double SHOWN = 0.05; /* of a part */
static const double PATIENCE = 1; /* of plans, until a line says what is being done */

static const char *const names[START_PARTS] = {
        [START_REST] = "checks",   [START_DEVICE] = "GPU",      [START_KERNELS] = "kernels",
        [START_DATA] = "data",     [START_WEIGHTS] = "weights", [START_LIBRARIES] = "libraries",
        [START_PLANS] = "plans",   [START_TUNING] = "tuning",   [START_STEPS] = "steps",
        [START_GRAPHS] = "graphs",
};

static struct {
	bool on;
	StartPart part;
	double since; /* clock_seconds: it is of that part */
	double seconds[START_PARTS];
	int plans, of_record;
} start;

void start_begin(void)
{
	start.on = true;
	start.since = clock_seconds();
}

StartPart start_part(StartPart part)
{
	StartPart before = start.part;
	if (!start.on)
		return before;
	double now = clock_seconds();
	start.seconds[before] += now - start.since;
	start.since = now;
	start.part = part;
	return before;
}

StartPart start_plan(const char *key)
{
	StartPart outer = start_part(START_PLANS);
	if (start.on && start.seconds[START_PLANS] >= PATIENCE)
		progress_draw("making plans of the libraries, %d: %.70s", start.plans + 1, key);
	return outer;
}

void start_plans_ahead(int done, int all)
{
	start_part(START_PLANS);
	if (start.on && start.seconds[START_PLANS] >= PATIENCE)
		progress_draw("making plans of the libraries, %d of %d", done, all);
}

void start_plan_made(StartPart outer, bool of_record)
{
	start.plans += start.on;
	start.of_record += start.on && of_record;
	start_part(outer);
}

double start_seconds(void)
{
	double all = 0;
	for (StartPart i = 0; i < START_PARTS; i++)
		all += start.seconds[i];
	return all;
}

/* "12.9 s: GPU 0.4, kernels 0.1, data 0.8, libraries 1.2, 214 plans 9.6 (3 of the record), steps 0.5, graphs 0.3": what
 * is not shown took less than a twentieth of a second. */
static const char *start_text(void)
{
	static char text[400];
	size_t used = (size_t)snprintf(text, sizeof text, "%.1f s", start_seconds());
	const char *between = ": ";
	for (StartPart i = 0; i < START_PARTS; i++) {
		char count[32] = "", record[48] = "";
		if (start.seconds[i] < SHOWN)
			continue;
		if (i == START_PLANS) {
			snprintf(count, sizeof count, "%d ", start.plans);
			if (start.of_record > 0)
				snprintf(record, sizeof record, " (%d of the record)", start.of_record);
		}
		used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s %.1f%s", between, count,
		                         names[i], start.seconds[i], record);
		between = ", ";
	}
	return text;
}

void start_end(bool always)
{
	start_part(START_REST);
	start.on = false;
	if (always || start_seconds() >= LONG)
		progress_say("started in %s", start_text());
}
