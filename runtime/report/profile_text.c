/* SPDX-License-Identifier: MIT */
/* A profile for a reader at a terminal of 120 columns: the .net files with the time of each line. */
#include "runtime/report/profile.h"

#include "runtime/session/backend.h"
#include "runtime/host/die.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 120, TEXT = 56, KERNELS_SHOWN = 3, STEPS_SHOWN = 10, FOLDED_LEAST = 2 };
static const double SHOWN = 0.02; /* of a step: the kernels of a line that takes less are left out */

typedef struct Printing {
	const Profile *p;
	double unit; /* ns of what is printed: of a turn */
	const char *unit_name;
	double turns;
} Printing;

/* Three digits, in one of eight buffers; what rounds to nothing as ".". */
static const char *digits(double x)
{
	static char texts[8][32];
	static int turn;
	char *text = texts[turn = (turn + 1) % 8];
	double size = fabs(x);
	if (size < 0.005)
		return ".";
	snprintf(text, sizeof texts[0], size < 9.995 ? "%.2f" : size < 99.95 ? "%.1f" : "%.0f", x);
	return text;
}

/* Of a turn, in the unit that all times have here. */
static const char *time_text(const Printing *t, double ns)
{
	return digits(ns / t->turns / t->unit);
}

static const char *percent(const Printing *t, double ns)
{
	static char texts[8][16];
	static int turn;
	char *text = texts[turn = (turn + 1) % 8];
	double part = t->p->total > 0 ? 100 * ns / (double)t->p->total : 0;
	snprintf(text, sizeof texts[0], "%.1f %%", part);
	return part < 0.05 ? "." : text;
}

/* Prints at most `width` columns of it, and ends what does not fit in "..."; returns how many. */
static int put_cut(const char *raw, int width)
{
	char text[1024];
	text_printable(text, sizeof text, raw);
	int columns = 0, at = 0, cut = 0;
	for (; text[at]; at++) {
		columns += (text[at] & 0xc0) != 0x80;
		if (columns <= width - 3)
			cut = at + 1;
	}
	while (columns > width && (text[cut] & 0xc0) == 0x80)
		cut++;
	printf(columns > width ? "%.*s..." : "%.*s", columns > width ? cut : at, text);
	return columns < width ? columns : width;
}

/* The same, and blanks up to there. */
static void put_column(const char *raw, int width)
{
	printf("%*s", width - put_cut(raw, width), "");
}

static void put_work(const Printing *t, double flops, double bytes, double ns)
{
	bool by_memory;
	double roof = profile_roof(t->p, flops, bytes, ns, &by_memory);
	printf("%9s%8s", ns > 0 ? digits(flops / ns) : ".", ns > 0 ? digits(bytes / ns) : ".");
	if (roof >= 0.005)
		printf("%5.0f %%%s", 100 * roof, by_memory ? "m" : "c");
}

static void put_times(const Printing *t, const int64_t ns[NNR_PHASES])
{
	int64_t all =
	        ns[NNR_PHASE_FORWARD] + ns[NNR_PHASE_LOSS] + ns[NNR_PHASE_BACKWARD] + ns[NNR_PHASE_UPDATE];
	printf("%8s%9s%8s%8s", time_text(t, (double)(ns[NNR_PHASE_FORWARD] + ns[NNR_PHASE_LOSS])),
	       time_text(t, (double)ns[NNR_PHASE_BACKWARD]), time_text(t, (double)ns[NNR_PHASE_UPDATE]),
	       percent(t, (double)all));
}

/* ---- which lines are shown */

static bool is_bare(const char *line)
{
	line += strspn(line, " \t");
	return !*line || *line == '#';
}

typedef enum { SHOWN_LINE, COMMENT_LINE, UNUSED_LINE } LineKind;

/* Comments and blocks that the step has nothing of are folded: `model`, `train` and `block` begin in the first column
 * and end with its `}`, as nnc fmt writes them. */
static LineKind *line_kinds(const Profile *p, int source)
{
	const NnrSource *s = &p->model->sources[source];
	LineKind *kinds = allocate(s->line_count + 1, sizeof *kinds, "the profile");
	bool *taken = allocate(s->line_count + 1, sizeof *taken, "the profile");
	for (int i = 0; i < p->model->place_count; i++)
		for (int at = i; at >= 0; at = p->model->places[at].parent)
			if (p->model->places[at].source == source)
				taken[p->model->places[at].line - 1] = true;
	for (int i = 0; i < s->line_count; i++) {
		int end = i;
		bool used = false;
		kinds[i] = is_bare(s->lines[i]) ? COMMENT_LINE : SHOWN_LINE;
		if (strchr(" \t#}", s->lines[i][0]))
			continue;
		while (end < s->line_count && s->lines[end][0] != '}') {
			used = used || taken[end];
			end++;
		}
		for (int k = i; k <= end && k < s->line_count && !used && end < s->line_count; k++)
			kinds[k] = UNUSED_LINE;
		if (!used && end < s->line_count)
			i = end;
	}
	free(taken);
	return kinds;
}

/* How many lines from `i` on are one fold; 0: it is shown. An empty line within comments or between what is folded
 * belongs to it. */
static int folded_lines(const LineKind *kinds, int count, int i)
{
	int end = i;
	while (end < count && kinds[end] != SHOWN_LINE)
		end++;
	return end - i >= FOLDED_LEAST ? end - i : 0;
}

/* ---- lines and their kernels */

typedef struct KernelTime {
	const char *name;
	char *text;
	double ns;
} KernelTime;

static int by_time(const void *x, const void *y)
{
	double a = ((const KernelTime *)x)->ns, b = ((const KernelTime *)y)->ns;
	return (a < b) - (a > b);
}

/* What the step's first event was computed by. */
static const char *engine_of(const Profile *p, int step)
{
	for (int64_t i = 0; i < p->event_count; i++)
		if (p->events[i].step == step)
			return p->events[i].name;
	return NULL;
}

/* "conv_add_relu_128x28x28x16", or "oneDNN conv_128x28x28x16"; malloc'd. */
static char *kernel_text(const NnrStep *s)
{
	return text_printf("%s%s%s", s->library ? s->library : "", s->library ? " " : "", s->name);
}

/* The kernels that compute the line itself, not what the blocks that it calls do. */
static void put_kernels(const Printing *t, int source, int line)
{
	const NnrProgram *program = &t->p->model->train;
	KernelTime *kernels = allocate(program->step_count, sizeof *kernels, "the profile");
	int count = 0;
	double all = 0;
	for (int i = 0; i < program->step_count; i++) {
		const NnrStep *s = program_step(program, i);
		double weights = 0, here = 0;
		for (int k = 0; k < s->share_count; k++) {
			const NnrShare *share = &s->shares[k];
			const NnrPlace *at = share->place >= 0 ? &t->p->model->places[share->place] : NULL;
			weights += share->weight;
			here += at && at->source == source && at->line == line ? share->weight : 0;
		}
		double ns = weights > 0 ? here / weights * (double)t->p->step_ns[i] : 0;
		int same = 0;
		while (same < count && strcmp(kernels[same].name, s->name) != 0)
			same++;
		if (ns <= 0)
			continue;
		if (same == count)
			kernels[count++] = (KernelTime){.name = s->name, .text = kernel_text(s)};
		kernels[same].ns += ns;
		all += ns;
	}
	qsort(kernels, (size_t)count, sizeof *kernels, by_time);
	char text[512] = "";
	int shown = 0;
	for (; shown < count && shown < KERNELS_SHOWN; shown++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %.0f %%", shown ? ", " : "",
		         kernels[shown].text, 100 * kernels[shown].ns / all);
	if (shown < count)
		snprintf(text + strlen(text), sizeof text - strlen(text), ", and %d more", count - shown);
	if (count > 0) {
		printf("      | ");
		put_cut(text, WIDTH - 8);
		putchar('\n');
	}
	for (int i = 0; i < count; i++)
		free(kernels[i].text);
	free(kernels);
}

/* "(18.1)", in one of two buffers. */
static const char *text_in_brackets(const char *text)
{
	static char texts[2][40];
	static int turn;
	turn = 1 - turn;
	snprintf(texts[turn], sizeof texts[0], "(%s)", text);
	return texts[turn];
}

static void put_line(const Printing *t, int source, int line)
{
	LineTime time = profile_line(t->p, source, line);
	int64_t all = 0;
	for (int i = 0; i < NNR_PHASES; i++)
		all += time.ns[i];
	printf("%4d  ", line);
	if (all == 0 && time.named == 0) {
		put_cut(t->p->model->sources[source].lines[line - 1], WIDTH - 6);
		putchar('\n');
		return;
	}
	put_column(t->p->model->sources[source].lines[line - 1], TEXT);
	if (all == 0) {
		printf("%25s%8s  (at the layers)\n", text_in_brackets(time_text(t, (double)time.named)),
		       text_in_brackets(percent(t, (double)time.named)));
		return;
	}
	put_times(t, time.ns);
	put_work(t, time.flops, time.bytes, (double)all);
	putchar('\n');
	if ((double)time.own >= SHOWN * (double)t->p->total)
		put_kernels(t, source, line);
}

static void put_source(const Printing *t, int source)
{
	const NnrSource *s = &t->p->model->sources[source];
	LineKind *kinds = line_kinds(t->p, source);
	putchar('\n');
	put_column(s->name, TEXT + 6);
	printf("%8s%9s%8s%8s%9s%8s%8s\n", "forward", "backward", "update", "share", "GFLOP/s", "GB/s",
	       "roof");
	for (int i = 0; i < s->line_count;) {
		int folded = folded_lines(kinds, s->line_count, i);
		bool unused = false;
		for (int k = i; k < i + folded; k++)
			unused = unused || kinds[k] == UNUSED_LINE;
		if (folded)
			printf("      ... %d lines%s\n", folded,
			       unused ? " that this step has nothing of" : "");
		else
			put_line(t, source, i + 1);
		i += folded ? folded : 1;
	}
	free(kinds);
}

/* ---- around the lines */

static void put_slowest(const Printing *t)
{
	const NnrProgram *program = &t->p->model->train;
	bool *shown = allocate(program->step_count + 1, sizeof *shown, "the profile");
	printf("\n%-*s%8s%9s%8s%9s%8s%8s\n", TEXT + 6, "the slowest steps", "phase", t->unit_name, "share",
	       "GFLOP/s", "GB/s", "roof");
	for (int k = 0; k < STEPS_SHOWN && k < program->step_count; k++) {
		int best = -1;
		for (int i = 0; i < program->step_count; i++)
			if (!shown[i] && (best < 0 || t->p->step_ns[i] > t->p->step_ns[best]))
				best = i;
		const NnrStep *s = program_step(program, best);
		int place = step_place(s);
		const NnrPlace *at = place >= 0 ? &t->p->model->places[place] : NULL;
		char *name = kernel_text(s),
		     *where = at ? text_printf("%s:%d %s", t->p->model->sources[at->source].name, at->line,
		                               at->scope)
		                 : text_printf("no line");
		static const char *const phases[] = {"forward", "loss", "backward", "update"};
		double ns = (double)t->p->step_ns[best];
		shown[best] = true;
		printf("%4d  ", best + 1);
		put_column(name, TEXT - 1);
		printf("%9s%9s%8s", phases[s->phase], time_text(t, ns), percent(t, ns));
		put_work(t, s->flops * (double)t->p->runs, s->bytes * (double)t->p->runs, ns);
		printf("\n      | ");
		const char *engine = engine_of(t->p, best);
		char *text =
		        text_printf("%s  %s%s%s", where, engine ? engine : "", engine ? "  " : "", s->what);
		put_cut(text, WIDTH - 8);
		putchar('\n');
		free(text);
		free(name);
		free(where);
	}
	free(shown);
}

/* Goes on in the next line where it would be too long. */
static int put_part(const Printing *t, int column, const char *name, double ns)
{
	if (ns < 0.0005 * (double)t->p->total)
		return column;
	char *text = text_printf("   %s %s %s %s", name, time_text(t, ns), t->unit_name, percent(t, ns));
	int length = (int)strlen(text);
	if (column + length > WIDTH)
		printf("\n  ");
	column = column + length > WIDTH ? 2 + length : column + length;
	printf("%s", text);
	free(text);
	return column;
}

static void put_summary(const Printing *t, const Session *s)
{
	const Profile *p = t->p;
	double turn = (double)p->total / t->turns, samples = (double)(p->model->batch * p->model->chunks);
	printf("%s (%s) on %s, batch %lld\n", p->model->name, p->model->source, s->backend->device(s),
	       (long long)(p->model->batch * p->model->chunks));
	printf("a step: %s %s, %.4g samples/s; the mean of %.0f steps, with %s (without: %s %s)\n",
	       digits(turn / t->unit), t->unit_name, 1e9 * samples / turn, t->turns, p->how,
	       digits(1e9 * p->plain_seconds / t->unit), t->unit_name);
	const struct {
		const char *name;
		int64_t ns;
	} parts[] = {
	        {"data", p->data},
	        {"forward", profile_phase_ns(p, NNR_PHASE_FORWARD)},
	        {"loss", profile_phase_ns(p, NNR_PHASE_LOSS)},
	        {"backward", profile_phase_ns(p, NNR_PHASE_BACKWARD)},
	        {"update", profile_phase_ns(p, NNR_PHASE_UPDATE)},
	        {"other", p->other},
	        {"between", p->between},
	};
	int column = printf("  ");
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		column = put_part(t, column, parts[i].name, (double)parts[i].ns);
	printf("\n");
	if (p->peaks.flops > 0 && p->peaks.bytes > 0)
		printf("roof of what was just measured: %s GFLOP/s (c: %s), %s GB/s (m: %s)\n",
		       digits(p->peaks.flops / 1e9), p->peaks.flops_how, digits(p->peaks.bytes / 1e9),
		       p->peaks.bytes_how);
	printf("Times are %s of a step. A line has in it the blocks that it calls, so the model's lines are "
	       "the whole step. A "
	       "kernel\nof several lines is shared out by FLOPs, the update by parameters. Over 100 %% of "
	       "the roof: it came "
	       "from caches.\n",
	       t->unit_name);
}

void profile_print(const Profile *p, const Session *s)
{
	double turns = (double)p->steps, turn = (double)p->total / turns;
	Printing t = {.p = p,
	              .unit = turn >= 2e6 ? 1e6 : 1e3,
	              .unit_name = turn >= 2e6 ? "ms" : "us",
	              .turns = turns};
	put_summary(&t, s);
	for (int i = 0; i < p->model->source_count; i++)
		put_source(&t, i);
	put_slowest(&t);
}
