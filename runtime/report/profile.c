/* SPDX-License-Identifier: MIT */
/* The command `profile`: measures some steps, shares their time out, prints and writes what came of it. */
#include "runtime/report/profile.h"

#include "runtime/session/backend.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/session/outputs.h"
#include "runtime/report/profile_explore.h"
#include "runtime/report/report.h"
#include "runtime/host/writer.h"
#include "runtime/host/progress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int64_t clock_ns(void)
{
	struct timespec now;
	require(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void *grown(void *at, int64_t count, int64_t *room, int64_t size)
{
	if (count < *room)
		return at;
	*room = *room ? 2 * *room : 1024;
	return reallocate(at, *room, size, "the profile");
}

void profile_add(Profile *p, ProfileEvent e)
{
	p->events = grown(p->events, p->event_count, &p->event_room, sizeof *p->events);
	p->events[p->event_count++] = e;
}

void profile_add_turn(Profile *p, int64_t begin, int64_t end)
{
	p->turns = grown(p->turns, p->turn_count, &p->turn_room, sizeof *p->turns);
	p->turns[p->turn_count++] = (Turn){begin, end};
}

void profile_now(Profile *p, int step)
{
	int64_t now = clock_ns();
	if (p->listening)
		p->events[p->event_count - 1].end = now;
	p->listening = step != EVENT_NONE;
	if (p->listening)
		profile_add(p, (ProfileEvent){.step = step, .begin = now});
}

const char *profile_name(Profile *p, const char *name)
{
	for (int64_t i = 0; i < p->name_count; i++)
		if (strcmp(p->names[i], name) == 0)
			return p->names[i];
	p->names = grown(p->names, p->name_count, &p->name_room, sizeof *p->names);
	return p->names[p->name_count++] = text_printf("%s", name);
}

void profile_engine(Profile *p, const char *name)
{
	if (p->listening)
		p->events[p->event_count - 1].name = profile_name(p, name);
}

/* ---- whose time it was */

static int by_begin(const void *x, const void *y)
{
	const ProfileEvent *a = x, *b = y;
	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	return (a->end < b->end) - (a->end > b->end); /* what holds the other comes first */
}

static void give(Profile *p, const ProfileEvent *e, int64_t ns)
{
	if (e->step >= 0)
		p->step_ns[e->step] += ns;
	else if (e->step == EVENT_DATA)
		p->data += ns;
	else
		p->other += ns;
}

/* The time from `begin` to `end`, in which the same events run: equal parts, the first of them what is left. */
static void share_interval(Profile *p, const int64_t *active, int count, int64_t begin, int64_t end)
{
	int64_t ns = end - begin;
	if (count == 0)
		p->between += ns;
	for (int i = 0; i < count; i++)
		give(p, &p->events[active[i]], ns / count + (i == 0 ? ns % count : 0));
}

enum { MOST_ACTIVE = 256 }; /* at one time, of which a GPU runs 128 */

/* One turn; *next: the first event that has not begun before it. */
static void share_turn(Profile *p, const Turn *t, int64_t *next)
{
	int64_t active[MOST_ACTIVE], now = t->begin;
	int count = 0;
	while (*next < p->event_count && p->events[*next].begin < t->begin)
		++*next;
	while (now < t->end) {
		int kept = 0;
		for (int i = 0; i < count; i++)
			if (p->events[active[i]].end > now)
				active[kept++] = active[i];
		count = kept;
		while (*next < p->event_count && p->events[*next].begin <= now && count < MOST_ACTIVE) {
			if (p->events[*next].end > now)
				active[count++] = *next;
			++*next;
		}
		int64_t until = t->end;
		for (int i = 0; i < count; i++)
			if (p->events[active[i]].end < until)
				until = p->events[active[i]].end;
		if (*next < p->event_count && p->events[*next].begin > now && p->events[*next].begin < until)
			until = p->events[*next].begin;
		share_interval(p, active, count, now, until);
		now = until;
	}
	p->total += t->end - t->begin;
}

/* A step's part of each of its places; the last gets what is left. */
static void share_step(Profile *p, const NnrStep *s, int64_t ns)
{
	double weights = 0, before = 0;
	int64_t given = 0;
	for (int i = 0; i < s->share_count; i++)
		weights += s->shares[i].weight;
	for (int i = 0; i < s->share_count; i++) {
		const NnrShare *share = &s->shares[i];
		double part = weights > 0 ? share->weight / weights : 1.0 / s->share_count;
		int place = share->place >= 0 ? share->place : p->model->place_count;
		before += part;
		int64_t until = i == s->share_count - 1 ? ns : (int64_t)((double)ns * before);
		p->place_ns[place][share->phase] += until - given;
		p->place_work[place][0] += part * s->flops * (double)p->runs;
		p->place_work[place][1] += part * s->bytes * (double)p->runs;
		given = until;
	}
	if (s->share_count == 0)
		p->place_ns[p->model->place_count][s->phase] += ns;
}

static void share_out(Profile *p)
{
	const NnrProgram *program = &p->model->train;
	int64_t next = 0, places = p->model->place_count + 1;
	qsort(p->events, (size_t)p->event_count, sizeof *p->events, by_begin);
	p->step_ns = allocate(program->step_count + 1, sizeof *p->step_ns, "the profile");
	p->runs = p->steps * p->model->chunks;
	p->place_ns = allocate(places, sizeof *p->place_ns, "the profile");
	p->place_work = allocate(places, sizeof *p->place_work, "the profile");
	for (int64_t i = 0; i < p->turn_count; i++)
		share_turn(p, &p->turns[i], &next);
	for (int i = 0; i < program->step_count; i++)
		share_step(p, program_step(program, i), p->step_ns[i]);
}

/* ---- asking */

int64_t profile_phase_ns(const Profile *p, NnrPhase phase)
{
	int64_t ns = 0;
	for (int i = 0; i <= p->model->place_count; i++)
		ns += p->place_ns[i][phase];
	return ns;
}

/* Whether the place is that line, or stands in a block that it called. */
static bool place_is_within(const NnrModel *m, int place, int source, int line)
{
	for (; place >= 0; place = m->places[place].parent)
		if (m->places[place].source == source && m->places[place].line == line)
			return true;
	return false;
}

/* Whether the step names the line without a weight. */
static bool names_line(const NnrModel *m, const NnrStep *s, int source, int line)
{
	for (int i = 0; i < s->share_count; i++) {
		const NnrPlace *at = s->shares[i].place >= 0 ? &m->places[s->shares[i].place] : NULL;
		if (at && s->shares[i].weight == 0 && at->source == source && at->line == line)
			return true;
	}
	return false;
}

LineTime profile_line(const Profile *p, int source, int line)
{
	LineTime t = {0};
	for (int i = 0; i < p->model->train.step_count; i++)
		if (names_line(p->model, program_step(&p->model->train, i), source, line))
			t.named += p->step_ns[i];
	for (int i = 0; i < p->model->place_count; i++) {
		const NnrPlace *at = &p->model->places[i];
		if (!place_is_within(p->model, i, source, line))
			continue;
		for (int phase = 0; phase < NNR_PHASES; phase++) {
			t.ns[phase] += p->place_ns[i][phase];
			if (at->source == source && at->line == line)
				t.own += p->place_ns[i][phase];
		}
		t.flops += p->place_work[i][0];
		t.bytes += p->place_work[i][1];
	}
	return t;
}

double profile_roof(const Profile *p, double flops, double bytes, double ns, bool *by_memory)
{
	double compute = p->peaks.flops > 0 ? flops / p->peaks.flops : 0,
	       memory = p->peaks.bytes > 0 ? bytes / p->peaks.bytes : 0;
	*by_memory = memory >= compute;
	return ns > 0 ? 1e9 * fmax(compute, memory) / ns : 0;
}

int step_place(const NnrStep *s)
{
	const NnrShare *largest = NULL;
	for (int i = 0; i < s->share_count; i++)
		if (!largest || s->shares[i].weight > largest->weight)
			largest = &s->shares[i];
	return largest ? largest->place : -1;
}

/* ---- the command */

typedef enum { AS_JSON, AS_TRACE, AS_PAGE } ProfileForm;

static void write_file(const Profile *p, const Session *s, const char *path, ProfileForm form)
{
	char *text = NULL;
	size_t length = 0;
	FILE *to = open_memstream(&text, &length);
	require(to);
	if (form == AS_TRACE)
		profile_write_trace(p, to);
	else if (form == AS_PAGE)
		profile_write_html(p, s, to);
	else
		profile_write_json(p, s, to, false);
	bool whole = fclose(to) == 0;
	output_set_aside(path);
	FileWriter *w = whole ? file_begin(path) : NULL;
	if (w && !file_write(w, text, (int64_t)length)) {
		file_abandon(w);
		w = NULL;
	}
	if (!w || !file_commit(w))
		die(STATUS_DATA, "the %s was not written: %s", form == AS_TRACE ? "trace" : "profile",
		    whole ? file_failure() : "there is no memory for it");
	free(text);
}

/* The folder of a run, and its page anew. */
static void write_into(const Profile *p, const Session *s)
{
	const char *folder = s->options.into;
	char *json = path_join(folder, "profile.json"), *part = path_join(folder, NNR_PROFILE_PART);
	write_file(p, s, json, AS_JSON);
	write_file(p, s, part, AS_PAGE);
	free(json);
	free(part);
	report_of_folder(folder);
}

/* As many steps as take two seconds, but some of them, so that one that was disturbed says little. */
static int64_t steps_to_measure(const Session *s, double seconds)
{
	enum { FEWEST = 5, MOST = 200 };
	if (s->options.steps > 0)
		return s->options.steps;
	double fitting = seconds > 0 ? 2 / seconds : MOST;
	return fitting < FEWEST ? FEWEST : fitting > MOST ? MOST : (int64_t)fitting;
}

int session_profile(Session *s)
{
	Profile p = {.model = s->model};
	const NnrBackend *backend = s->backend;
	const char *into = s->options.into;
	ExplorePage page = {0};
	if (into && !path_is_folder(into))
		page = explore_page_read(into, s->model);
	s->total_steps = INT64_MAX / 2;
	backend->time(s, 1, false); /* the first touches all memory and makes the threads */
	double one = backend->time(s, 1, false);
	int64_t count = steps_to_measure(s, one);
	p.plain_seconds = backend->time(s, count, false) / (double)count;
	progress_draw("measuring what the machine can do");
	backend->peaks(s, &p.peaks);
	progress_draw("measuring %lld steps", (long long)count);
	p.steps = count;
	s->profile = &p;
	backend->profile(s, count);
	s->profile = NULL;
	share_out(&p);
	progress_clear();
	profile_print(&p, s);
	if (s->options.json)
		write_file(&p, s, s->options.json, AS_JSON);
	if (s->options.trace)
		write_file(&p, s, s->options.trace, AS_TRACE);
	if (page.text)
		explore_page_write(&page, &p, s);
	else if (into)
		write_into(&p, s);
	int status = output_end();
	for (int64_t i = 0; i < p.name_count; i++)
		free(p.names[i]);
	void *const owned[] = {p.names, p.events, p.turns, p.step_ns, p.place_ns, p.place_work};
	for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
		free(owned[i]);
	return status;
}
