/* SPDX-License-Identifier: MIT */
/* A profile as one JSON object: the same figures as the text's, in ns of all turns together. */
#include "runtime/report/profile.h"

#include "runtime/session/backend.h"
#include "runtime/host/die.h"
#include "runtime/host/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const phase_names[NNR_PHASES] = {"forward", "loss", "backward", "update"};

void json_put_text(FILE *to, const char *text)
{
	char *quoted = json_quoted(text);
	fputs(quoted, to);
	free(quoted);
}

static void put_key_text(FILE *to, const char *key, const char *text)
{
	fprintf(to, "\"%s\": ", key);
	json_put_text(to, text);
	fputs(", ", to);
}

static void put_phases(FILE *to, const int64_t ns[NNR_PHASES])
{
	for (int i = 0; i < NNR_PHASES; i++)
		fprintf(to, "\"%s_ns\": %lld, ", phase_names[i], (long long)ns[i]);
}

static void put_line(FILE *to, const Profile *p, int source, int line)
{
	const NnrSource *s = &p->model->sources[source];
	LineTime t = profile_line(p, source, line);
	double all = 0;
	bool by_memory;
	for (int i = 0; i < NNR_PHASES; i++)
		all += (double)t.ns[i];
	double roof = profile_roof(p, t.flops, t.bytes, all, &by_memory);
	fprintf(to, "{\"file\": ");
	json_put_text(to, s->name);
	fprintf(to, ", \"line\": %d, ", line);
	put_key_text(to, "text", s->lines[line - 1]);
	put_phases(to, t.ns);
	fprintf(to,
	        "\"own_ns\": %lld, \"named_ns\": %lld, \"flops\": %.17g, \"bytes\": %.17g, \"roof\": %.6g, "
	        "\"bound\": \"%s\"}",
	        (long long)t.own, (long long)t.named, t.flops, t.bytes, roof,
	        by_memory ? "memory" : "arithmetic");
}

/* The kernels and engines that ran for a step, each once. */
static void put_kernels(FILE *to, const Profile *p, int step)
{
	enum { MOST = 16 };
	const char *names[MOST];
	int count = 0;
	for (int64_t i = 0; i < p->event_count; i++) {
		const ProfileEvent *e = &p->events[i];
		int k = 0;
		if (e->step != step || !e->name)
			continue;
		while (k < count && strcmp(names[k], e->name) != 0)
			k++;
		if (k == count && count < MOST)
			names[count++] = e->name;
	}
	fputs("[", to);
	for (int k = 0; k < count; k++) {
		fputs(k ? ", " : "", to);
		json_put_text(to, names[k]);
	}
	fputs("]", to);
}

static void put_step(FILE *to, const Profile *p, int i)
{
	const NnrStep *s = program_step(&p->model->train, i);
	fprintf(to, "{\"step\": %d, ", i + 1);
	put_key_text(to, "name", s->name);
	put_key_text(to, "formula", s->what);
	put_key_text(to, "library", s->library ? s->library : "");
	fprintf(to,
	        "\"phase\": \"%s\", \"converts\": %s, \"ns\": %lld, \"flops\": %.17g, \"bytes\": %.17g, "
	        "\"kernels\": ",
	        phase_names[s->phase], s->converts ? "true" : "false", (long long)p->step_ns[i],
	        s->flops * (double)p->runs, s->bytes * (double)p->runs);
	put_kernels(to, p, i);
	fputs(", \"shares\": [", to);
	for (int k = 0; k < s->share_count; k++) {
		const NnrShare *share = &s->shares[k];
		const NnrPlace *at = share->place >= 0 ? &p->model->places[share->place] : NULL;
		fprintf(to, "%s{\"file\": ", k ? ", " : "");
		json_put_text(to, at ? p->model->sources[at->source].name : "");
		fprintf(to, ", \"line\": %d, \"scope\": ", at ? at->line : 0);
		json_put_text(to, at ? at->scope : "");
		fprintf(to, ", \"phase\": \"%s\", \"weight\": %.17g}", phase_names[share->phase],
		        share->weight);
	}
	fputs("]}", to);
}

static int by_length(const void *x, const void *y)
{
	const Turn *const *a = x, *const *b = y;
	const int64_t one = (*a)->end - (*a)->begin, other = (*b)->end - (*b)->begin;
	if (one != other)
		return one < other ? -1 : 1;
	return *a < *b ? -1 : *a > *b;
}

/* The turn of the median length. */
static const Turn *middle_turn(const Profile *p)
{
	const Turn **turns = allocate(p->turn_count + 1, sizeof *turns, "the profile");
	for (int64_t i = 0; i < p->turn_count; i++)
		turns[i] = &p->turns[i];
	qsort(turns, (size_t)p->turn_count, sizeof *turns, by_length);
	const Turn *middle = p->turn_count > 0 ? turns[p->turn_count / 2] : NULL;
	free(turns);
	return middle;
}

/* What ran when in that turn: [step or EVENT_DATA or EVENT_OTHER, track, begin, ns], by their begin. */
static void put_timeline(FILE *to, const Profile *p)
{
	const Turn *t = middle_turn(p);
	fprintf(to, "{\"turn\": %lld, \"turns\": %lld, \"ns\": %lld, \"tracks\": [",
	        (long long)(t ? t - p->turns + 1 : 0), (long long)p->turn_count,
	        (long long)(t ? t->end - t->begin : 0));
	for (int i = 0; i < MOST_TRACKS; i++) {
		fputs(i ? ", " : "", to);
		json_put_text(to, p->tracks[i] ? p->tracks[i] : "");
	}
	fputs("], \"events\": [", to);
	const char *before = "";
	for (int64_t i = 0; t && i < p->event_count; i++) {
		const ProfileEvent *e = &p->events[i];
		if (e->begin < t->begin || e->begin >= t->end)
			continue;
		fprintf(to, "%s[%d,%d,%lld,%lld]", before, e->step, e->track,
		        (long long)(e->begin - t->begin), (long long)(e->end - e->begin));
		before = ",";
	}
	fputs("]}", to);
}

void profile_write_json(const Profile *p, const Session *s, FILE *to, bool page)
{
	const NnrModel *m = p->model;
	int64_t phases[NNR_PHASES];
	for (int i = 0; i < NNR_PHASES; i++)
		phases[i] = profile_phase_ns(p, (NnrPhase)i);
	fputs("{", to);
	put_key_text(to, "model", m->name);
	put_key_text(to, "device", s->backend->device(s));
	put_key_text(to, "measured", p->how);
	fprintf(to, "\"batch\": %lld, \"chunks\": %lld, \"steps\": %lld, \"plain_ns\": %.0f,\n",
	        (long long)(m->batch * m->chunks), (long long)m->chunks, (long long)p->steps,
	        1e9 * p->plain_seconds);
	fprintf(to, " \"threads\": %d, \"processors\": %d, \"peak_flops\": %.6g, \"peak_bytes\": %.6g, ",
	        p->peaks.threads, p->peaks.processors, p->peaks.flops, p->peaks.bytes);
	put_key_text(to, "peak_flops_of", p->peaks.flops_how);
	put_key_text(to, "peak_bytes_of", p->peaks.bytes_how);
	fprintf(to, "\n \"total_ns\": %lld, \"data_ns\": %lld, ", (long long)p->total, (long long)p->data);
	put_phases(to, phases);
	fprintf(to, "\"other_ns\": %lld, \"between_ns\": %lld,\n \"lines\": [", (long long)p->other,
	        (long long)p->between);
	const char *before = "";
	for (int i = 0; i < m->source_count && !page; i++)
		for (int line = 1; line <= m->sources[i].line_count; line++) {
			fprintf(to, "%s\n  ", before);
			put_line(to, p, i, line);
			before = ",";
		}
	fputs("],\n \"program\": [", to);
	for (int i = 0; i < m->train.step_count; i++) {
		fprintf(to, "%s\n  ", i ? "," : "");
		if (page)
			fprintf(to, "{\"ns\": %lld}", (long long)p->step_ns[i]);
		else
			put_step(to, p, i);
	}
	fputs("],\n \"timeline\": ", to);
	put_timeline(to, p);
	fputs(",\n \"tuning\": [", to);
	if (s->backend->put_tuned)
		s->backend->put_tuned(to);
	fputs("]}\n", to);
}
