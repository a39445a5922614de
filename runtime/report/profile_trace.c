/* SPDX-License-Identifier: MIT */
/* A profile in the Trace Event Format: complete events ("X") on one thread a track, nested
 *
 *     step 3 > forward > layer1.0 > conv_add_relu_128x28x28x16
 *
 * and in the file by their begin, what holds others ahead of them. What lasted no time is left out. */
#include "runtime/report/profile.h"

#include "runtime/host/die.h"

#include <stdlib.h>
#include <string.h>

typedef struct Tracing {
	const Profile *p;
	FILE *to;
	int64_t zero; /* ns of the trace's begin */
} Tracing;

static const char *const region_names[NNR_PHASES] = {"forward", "loss", "backward", "update"};

static const char *region_of(const Profile *p, const ProfileEvent *e)
{
	return e->step >= 0            ? region_names[program_step(&p->model->train, e->step)->phase]
	       : e->step == EVENT_DATA ? "data"
	                               : "other";
}

static const NnrPlace *place_of(const Profile *p, const ProfileEvent *e)
{
	int place = e->step >= 0 ? step_place(program_step(&p->model->train, e->step)) : -1;
	return place >= 0 ? &p->model->places[place] : NULL;
}

/* Layers are instantiations of blocks and, outside of them, lines of the model. */
static bool same_layer(const NnrPlace *x, const NnrPlace *y)
{
	if (!x || !y)
		return x == y;
	if (*x->scope || *y->scope)
		return strcmp(x->scope, y->scope) == 0;
	return x->source == y->source && x->line == y->line;
}

static void put_begin(Tracing *t, const char *category, int track, int64_t begin, int64_t end)
{
	int64_t at = begin - t->zero, length = end - begin;
	fprintf(t->to,
	        ",\n{\"ph\": \"X\", \"pid\": 1, \"tid\": %d, \"ts\": %lld.%03lld, \"dur\": %lld.%03lld, ",
	        track + 1, (long long)(at / 1000), (long long)(at % 1000), (long long)(length / 1000),
	        (long long)(length % 1000));
	fprintf(t->to, "\"cat\": \"%s\", \"name\": ", category);
}

static void put_region(Tracing *t, const char *category, const char *name, int track, int64_t begin,
                       int64_t end)
{
	put_begin(t, category, track, begin, end);
	json_put_text(t->to, name);
	fputs("}", t->to);
}

static void put_layer(Tracing *t, const NnrPlace *at, int track, int64_t begin, int64_t end)
{
	const NnrSource *s = &t->p->model->sources[at->source];
	const char *line = s->lines[at->line - 1];
	put_begin(t, "layer", track, begin, end);
	json_put_text(t->to, *at->scope ? at->scope : line + strspn(line, " \t"));
	fputs(", \"args\": {\"line\": ", t->to);
	char *where = text_printf("%s:%d", s->name, at->line);
	json_put_text(t->to, where);
	free(where);
	fputs("}}", t->to);
}

static void put_kernel(Tracing *t, const ProfileEvent *e, int64_t end)
{
	const NnrStep *s = e->step >= 0 ? program_step(&t->p->model->train, e->step) : NULL;
	const NnrPlace *at = place_of(t->p, e);
	put_begin(t, "kernel", e->track, e->begin, end);
	json_put_text(t->to, s && !(s->library && e->name) ? s->name
	                     : e->name                     ? e->name
	                                                   : region_of(t->p, e));
	if (s) {
		fprintf(t->to, ", \"args\": {\"step\": %d, \"computes\": ", e->step + 1);
		json_put_text(t->to, s->name);
		fputs(", \"formula\": ", t->to);
		json_put_text(t->to, s->what);
		char *where = at ? text_printf("%s:%d", t->p->model->sources[at->source].name, at->line)
		                 : text_printf("%s", "");
		fputs(", \"line\": ", t->to);
		json_put_text(t->to, where);
		free(where);
		fputs(", \"library\": ", t->to);
		json_put_text(t->to, s->library ? s->library : "");
		fprintf(t->to, ", \"flops\": %.17g, \"bytes\": %.17g, \"converts\": %s}", s->flops, s->bytes,
		        s->converts ? "true" : "false");
	}
	fputs("}", t->to);
}

/* The track's events of one turn, from `first` on: on it one ends before the next begins, in the trace even where a
 * kernel began ahead of the end of the one before. */
typedef struct Series {
	const ProfileEvent **at;
	int64_t count;
} Series;

static int64_t end_of(const Series *s, int64_t i, int64_t turn_end)
{
	int64_t end = s->at[i]->end < turn_end ? s->at[i]->end : turn_end;
	return i + 1 < s->count && s->at[i + 1]->begin < end ? s->at[i + 1]->begin : end;
}

static void put_series(Tracing *t, const Series *s, int64_t turn_end)
{
	int64_t region_end = 0, layer_end = 0; /* the first event beyond */
	for (int64_t i = 0; i < s->count; i++) {
		const ProfileEvent *e = s->at[i];
		if (end_of(s, i, turn_end) <= e->begin)
			continue;
		if (i >= region_end) {
			for (region_end = i; region_end < s->count &&
			                     region_of(t->p, s->at[region_end]) == region_of(t->p, e);)
				region_end++;
			put_region(t, "region", region_of(t->p, e), e->track, e->begin,
			           end_of(s, region_end - 1, turn_end));
			layer_end = i;
		}
		if (i >= layer_end && place_of(t->p, e)) {
			for (layer_end = i; layer_end < region_end &&
			                    same_layer(place_of(t->p, s->at[layer_end]), place_of(t->p, e));)
				layer_end++;
			put_layer(t, place_of(t->p, e), e->track, e->begin,
			          end_of(s, layer_end - 1, turn_end));
		}
		put_kernel(t, e, end_of(s, i, turn_end));
	}
}

static void put_track(Tracing *t, int track)
{
	const Profile *p = t->p;
	Series s = {.at = allocate(p->event_count + 1, sizeof *s.at, "the trace")};
	int64_t next = 0;
	for (int64_t turn = 0; turn < p->turn_count; turn++) {
		const Turn *of = &p->turns[turn];
		s.count = 0;
		for (; next < p->event_count && p->events[next].begin < of->end; next++)
			if (p->events[next].track == track && p->events[next].begin >= of->begin)
				s.at[s.count++] = &p->events[next];
		char *name = text_printf("step %lld", (long long)turn + 1);
		if (track == 0 && of->end > of->begin)
			put_region(t, "step", name, track, of->begin, of->end);
		free(name);
		put_series(t, &s, of->end);
	}
	free(s.at);
}

void profile_write_trace(const Profile *p, FILE *to)
{
	Tracing t = {.p = p, .to = to, .zero = p->turn_count > 0 ? p->turns[0].begin : 0};
	fputs("{\"displayTimeUnit\": \"ms\", \"traceEvents\": [\n"
	      "{\"ph\": \"M\", \"pid\": 1, \"tid\": 0, \"name\": \"process_name\", \"args\": {\"name\": ",
	      to);
	json_put_text(to, p->model->name);
	fputs("}}", to);
	for (int track = 0; track < MOST_TRACKS; track++) {
		if (!p->tracks[track])
			continue;
		fprintf(to,
		        ",\n{\"ph\": \"M\", \"pid\": 1, \"tid\": %d, \"name\": \"thread_name\", \"args\": "
		        "{\"name\": ",
		        track + 1);
		json_put_text(to, p->tracks[track]);
		fputs("}}", to);
	}
	for (int track = 0; track < MOST_TRACKS; track++)
		if (p->tracks[track])
			put_track(&t, track);
	fputs("\n]}\n", to);
}
