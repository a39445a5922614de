/* SPDX-License-Identifier: MIT */
/* What a training has left: its log as curves and a table, a profile as lines and a roofline, a confusion matrix.
 * report.h. */
#include "base/json.h"
#include "tools/csv.h"
#include "tools/page.h"
#include "tools/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef ARRAY(const Json *) Lines;

/* Each line an object; false, and `why`. */
static bool read_lines(Arena *a, const char *text, Lines *lines, const char **why)
{
	for (int number = 1; *text; number++) {
		size_t n = strcspn(text, "\n");
		if (n > 0) {
			const char *wrong = "it is no object";
			Arena *scratch = arena_new(); /* a parser's room is many times what a line needs */
			const Json *parsed = json_parse(scratch, text, n, &wrong);
			Json *j = parsed ? arena_copy(a, parsed, sizeof *parsed) : NULL;
			if (j)
				j->nodes = arena_copy(a, j->nodes, (size_t)j->count * sizeof *j->nodes);
			arena_free(scratch);
			if (!j || j->nodes[0].kind != JSON_OBJECT) {
				*why = arena_printf(a, "line %d of the log is no JSON: %s", number, wrong);
				return false;
			}
			array_push(a, lines, j);
		}
		text += n + (text[n] == '\n');
	}
	return true;
}

/* Whether the file, by its field `model`, is of this model, or does not say; else false, and `why`. */
static bool is_of_model(Arena *a, const Json *j, const char *what, const char *model, const char **why)
{
	const char *of = json_string_at(a, j, json_find(j, 0, "model"));
	if (!of || strcmp(of, model) == 0)
		return true;
	*why = arena_printf(
	        a,
	        "the %s is of the model `%s`, and this page is of `%s`; name the .net file of that "
	        "run, with `--model=` where it has several",
	        what, printable(a, of), model);
	return false;
}

/* ---- the log */

/* A field of all lines that have `of` ("epoch", "evaluation", "step" alone), over their place in epochs. */
static Series series_of(Arena *a, const Lines *lines, const char *field, const char *of,
                        double steps_per_epoch, int color)
{
	Series s = {.name = field, .color = color};
	Point *at = NEW_ARRAY(a, Point, lines->count);
	for (int i = 0; i < lines->count; i++) {
		const Json *j = lines->at[i];
		bool epoch = json_find(j, 0, "epoch") >= 0, step = strcmp(of, "step") == 0;
		if (json_find(j, 0, of) < 0 || (step && epoch) || json_find(j, 0, field) < 0)
			continue;
		double x = json_real_at(j, json_find(j, 0, of));
		at[s.count++] = (Point){strcmp(of, "epoch") == 0 ? x : x / steps_per_epoch,
		                        json_real_at(j, json_find(j, 0, field))};
	}
	s.at = at;
	return s;
}

/* Training and held-out samples in one chart; single steps faintly, where the log has them. */
static void write_score(Writer *w, Arena *a, const Lines *lines, const char *name, double steps_per_epoch)
{
	Chart c = {.title = name, .x = "epoch"};
	const char *held_out = arena_printf(a, "eval_%s", name);
	Series steps = series_of(a, lines, name, "step", steps_per_epoch, 5);
	steps.thin = true, steps.name = "single steps";
	c.series[c.count++] = steps;
	c.series[c.count] = series_of(a, lines, name, "epoch", steps_per_epoch, 1);
	c.series[c.count++].name = "training";
	Series evaluations = series_of(a, lines, held_out, "evaluation", steps_per_epoch, 3);
	evaluations.name = "held out, between epochs";
	c.series[c.count++] = evaluations;
	c.series[c.count] = series_of(a, lines, held_out, "epoch", steps_per_epoch, 2);
	c.series[c.count++].name = "held out";
	page_chart(w, a, &c);
}

static void write_field(Writer *w, Arena *a, const Lines *lines, const char *field, const char *title)
{
	Chart c = {.title = title, .x = "epoch", .count = 1};
	c.series[0] = series_of(a, lines, field, "epoch", 1, 1);
	c.series[0].name = field;
	page_chart(w, a, &c);
}

static const char *const of_the_run[] = {"step",    "epoch",     "rate",  "samples_per_second",
                                         "seconds", "data_wait", "memory"};

/* Whether a key of an epoch's line is loss or a metric of the training, and no figure of the run. */
static bool is_score(const char *key)
{
	for (size_t i = 0; i < sizeof of_the_run / sizeof *of_the_run; i++)
		if (strcmp(key, of_the_run[i]) == 0)
			return false;
	return strncmp(key, "eval_", 5) != 0 && !strchr(key, '/'); /* `/`: of one tensor alone */
}

static char *key_of(Arena *a, const Json *j, int member)
{
	char *key = json_string_at(a, j, j->nodes[member].key);
	return key ? key : arena_strdup(a, "");
}

static bool is_of_evaluation_alone(Arena *a, const Json *epoch, const char *key)
{
	return strncmp(key, "eval_", 5) == 0 && json_find(epoch, 0, key + 5) < 0;
}

/* Whole numbers as they are, others to four digits. */
static const char *short_number(Arena *a, const char *word)
{
	double value = atof(word);
	if (!strpbrk(word, ".eE") || !isfinite(value))
		return word;
	return arena_printf(a, fabs(value) >= 1000 && fabs(value) < 1e15 ? "%.0f" : "%.4g", value);
}

/* Every field of every epoch. */
static void write_epochs(Writer *w, Arena *a, const Lines *lines)
{
	const Json *head = NULL;
	for (int i = 0; i < lines->count; i++) {
		const Json *j = lines->at[i];
		if (json_find(j, 0, "epoch") < 0)
			continue;
		if (!head) {
			write_line(w, "<div class=\"scroll\"><table id=\"epochs\"><thead><tr>");
			for (int m = j->nodes[0].first; m >= 0; m = j->nodes[m].next)
				write_line(w, "<th>%s</th>", page_text(a, key_of(a, j, m)));
			write_line(w, "</tr></thead><tbody>");
			head = j;
		}
		write_text(w, "<tr>");
		for (int m = head->nodes[0].first; m >= 0; m = head->nodes[m].next) {
			const char *word = json_word_at(a, j, json_find(j, 0, key_of(a, head, m)));
			write_text(w, "<td>%s</td>", word ? page_text(a, short_number(a, word)) : "");
		}
		write_line(w, "</tr>");
	}
	if (head)
		write_line(w, "</tbody></table></div>");
}

bool report_log(Writer *w, Arena *a, const char *log, const char *model, const char **why)
{
	Lines lines = {0};
	if (!read_lines(a, log, &lines, why))
		return false;
	const Json *run = NULL, *epoch = NULL;
	for (int i = 0; i < lines.count; i++) {
		run = json_find(lines.at[i], 0, "run") >= 0 ? lines.at[i] : run;
		if (run == lines.at[i] && !is_of_model(a, run, "log", model, why))
			return false;
		epoch = !epoch && json_find(lines.at[i], 0, "epoch") >= 0 ? lines.at[i] : epoch;
	}
	if (!epoch) {
		*why = "the log has no epoch";
		return false;
	}
	double steps = run ? json_real_at(run, json_find(run, 0, "steps_per_epoch"))
	                   : json_real_at(epoch, json_find(epoch, 0, "step")) /
	                               fmax(json_real_at(epoch, json_find(epoch, 0, "epoch")), 1);
	page_section(w, a, "Training", "");
	write_line(w, "<div class=\"charts\">");
	for (int m = epoch->nodes[0].first; m >= 0; m = epoch->nodes[m].next)
		if (is_score(key_of(a, epoch, m)))
			write_score(w, a, &lines, key_of(a, epoch, m), steps > 0 ? steps : 1);
	for (int m = epoch->nodes[0].first; m >= 0;
	     m = epoch->nodes[m].next) /* those that training has none of */
		if (is_of_evaluation_alone(a, epoch, key_of(a, epoch, m)))
			write_score(w, a, &lines, key_of(a, epoch, m) + strlen("eval_"),
			            steps > 0 ? steps : 1);
	write_field(w, a, &lines, "rate", "learning rate");
	write_field(w, a, &lines, "samples_per_second", "samples a second");
	write_field(w, a, &lines, "data_wait", "seconds an epoch waits for data");
	write_field(w, a, &lines, "memory", "bytes of memory");
	write_line(w, "</div>\n<h3>Epochs</h3>");
	write_epochs(w, a, &lines);
	return true;
}

void report_settings(Writer *w, Arena *a, const char *log)
{
	const char *why;
	Lines lines = {0};
	const Json *run = NULL;
	bool read = read_lines(a, log, &lines, &why);
	for (int i = 0; read && i < lines.count; i++)
		run = json_find(lines.at[i], 0, "run") >= 0 ? lines.at[i] : run;
	if (!run)
		return;
	page_section(w, a, "Settings", "");
	write_line(w, "<div class=\"scroll\"><table id=\"settings\"><tbody>");
	for (int m = run->nodes[0].first; m >= 0; m = run->nodes[m].next) {
		const char *text = run->nodes[m].kind == JSON_STRING ? json_string_at(a, run, m)
		                                                     : json_word_at(a, run, m);
		const char *key = key_of(a, run, m);
		write_line(w, "<tr><td>%s</td><td class=\"l\" style=\"white-space:normal\">%s</td></tr>",
		           strcmp(key, "run") == 0 ? "log format" : page_text(a, key),
		           page_text(a, text ? text : ""));
	}
	write_line(w, "</tbody></table></div>");
}

/* ---- the profile */

static double sum_of(const Json *j, int node, const char *const *names, int count)
{
	double sum = 0;
	for (int i = 0; i < count; i++)
		sum += json_real_at(j, json_find(j, node, names[i]));
	return isnan(sum) ? 0 : sum;
}

static const char *const phases[] = {"forward_ns", "loss_ns", "backward_ns", "update_ns"};

static void write_profile_lines(Writer *w, Arena *a, const Json *j, double total)
{
	/* a line's text is last, and wraps: however long, it hides no figure */
	write_line(w, "<div class=\"scroll\"><table id=\"profile\"><thead><tr><th>line</th>"
	              "<th>ms of a step</th><th>share</th><th class=\"l\">forward, backward, "
	              "update</th><th class=\"l\">text</th></tr></thead>"
	              "<tbody>");
	double steps = json_real_at(j, json_find(j, 0, "steps"));
	int lines = json_find(j, 0, "lines");
	for (int i = lines >= 0 ? j->nodes[lines].first : -1; i >= 0; i = j->nodes[i].next) {
		double ns = sum_of(j, i, phases, 4);
		if (!(ns > 0) || !(total > 0))
			continue;
		char *file = json_string_at(a, j, json_find(j, i, "file")),
		     *text = json_string_at(a, j, json_find(j, i, "text"));
		write_line(w, "<tr><td>%s:%d</td><td>%.3f</td><td>%.1f %%</td><td class=\"bar\">",
		           page_text(a, file ? file : ""), json_int_at(j, json_find(j, i, "line"), 0),
		           ns / steps / 1e6, 100 * ns / total);
		static const char *const parts[3][2] = {
		        {"forward_ns", "loss_ns"}, {"backward_ns"}, {"update_ns"}};
		for (int k = 0; k < 3; k++)
			write_text(w, "<span class=\"k%d\" style=\"width:%.1fpx\"></span>", k + 1,
			           200 * sum_of(j, i, parts[k], k == 0 ? 2 : 1) / total);
		write_line(w, "</td><td class=\"l wraps\"><code>%s</code></td></tr>",
		           page_text(a, text ? text + strspn(text, " ") : ""));
	}
	write_line(w, "</tbody></table></div>");
}

/* Each step of the program: its speed by how many FLOP it makes of a byte, below what the machine can do. */
static void write_roofline(Writer *w, Arena *a, const Json *j)
{
	double flops = json_real_at(j, json_find(j, 0, "peak_flops")),
	       bytes = json_real_at(j, json_find(j, 0, "peak_bytes"));
	int program = json_find(j, 0, "program"), first = program >= 0 ? j->nodes[program].first : -1,
	    count = 0;
	for (int i = first; i >= 0; i = j->nodes[i].next)
		count++;
	Point *at = NEW_ARRAY(a, Point, count + 1), *roof = NEW_ARRAY(a, Point, 3);
	double least = INFINITY, most = 0;
	count = 0;
	for (int i = first; i >= 0; i = j->nodes[i].next) {
		double f = json_real_at(j, json_find(j, i, "flops")),
		       b = json_real_at(j, json_find(j, i, "bytes")),
		       ns = json_real_at(j, json_find(j, i, "ns"));
		if (!(f > 0 && b > 0 && ns > 0))
			continue;
		at[count++] = (Point){f / b, f / ns};
		least = fmin(least, f / b), most = fmax(most, f / b);
	}
	if (count == 0 || !(flops > 0 && bytes > 0))
		return;
	double corner = flops / bytes;
	roof[0] = (Point){fmin(least, corner / 10), fmin(least, corner / 10) * bytes / 1e9};
	roof[1] = (Point){corner, flops / 1e9};
	roof[2] = (Point){fmax(most, corner * 10), flops / 1e9};
	page_chart(w, a,
	           &(Chart){.title = "Roofline: GFLOP/s of each step of the program",
	                    .x = "FLOP for each byte",
	                    .log_x = true,
	                    .log_y = true,
	                    .series = {{"what this machine can do at most", roof, 3, 2, .thin = true},
	                               {"steps", at, count, 1, .dots = true}},
	                    .count = 2});
}

bool report_profile(Writer *w, Arena *a, const char *profile, const char *model, const char **why)
{
	const Json *j = json_parse(a, profile, strlen(profile), why);
	double total = j ? json_real_at(j, json_find(j, 0, "total_ns")) : NAN;
	if (!j || isnan(total)) {
		*why = j ? "the profile has no `total_ns`; `EXE profile --json FILE` writes one"
		         : arena_printf(a, "the profile is no JSON: %s", *why);
		return false;
	}
	if (!is_of_model(a, j, "profile", model, why))
		return false;
	char *device = json_string_at(a, j, json_find(j, 0, "device")),
	     *how = json_string_at(a, j, json_find(j, 0, "measured"));
	page_section(
	        w, a, "Where the time goes",
	        arena_printf(
	                a, "Of %d steps on %s, by %s. The time of a line has in it the blocks that it calls.",
	                json_int_at(j, json_find(j, 0, "steps"), 0), page_text(a, device ? device : "?"),
	                page_text(a, how ? how : "?")));
	write_line(w, "<div class=\"key\"><i class=\"k1\"></i>forward, loss<i class=\"k2\"></i>backward<i "
	              "class=\"k3\"></i>"
	              "update</div>");
	write_profile_lines(w, a, j, total);
	write_roofline(w, a, j);
	return true;
}

/* ---- the confusion matrix: CSV with the classes as the first line, and a line for each true class */

enum { MOST_CLASSES = 1000, SHOWN_CLASSES = 40, WORST = 10 };

typedef struct Pair {
	int truth, said;
	double count, of;
} Pair;

static int more_wrong(const void *x, const void *y)
{
	const Pair *p = x, *q = y;
	return p->count != q->count ? (p->count < q->count) - (p->count > q->count) : p->truth - q->truth;
}

static void write_matrix(Writer *w, Arena *a, const Cells *names, const double *m, int n)
{
	write_line(w, "<div class=\"scroll\"><table id=\"confusion\"><thead><tr><th>true class</th>");
	for (int i = 0; i < n; i++)
		write_line(w, "<th>%s</th>", page_text(a, names->at[i + 1]));
	write_line(w, "<th>right</th></tr></thead><tbody>");
	for (int i = 0; i < n; i++) {
		double sum = 0;
		for (int k = 0; k < n; k++)
			sum += m[i * n + k];
		write_text(w, "<tr><td>%s</td>", page_text(a, names->at[i + 1]));
		for (int k = 0; k < n; k++)
			write_text(w, "<td class=\"heat\" style=\"--h:%.0f\">%.0f</td>",
			           sum > 0 ? 60 * m[i * n + k] / sum : 0, m[i * n + k]);
		write_line(w, "<td>%.1f %%</td></tr>", sum > 0 ? 100 * m[i * n + i] / sum : 0);
	}
	write_line(w, "</tbody></table></div>");
}

static void write_worst(Writer *w, Arena *a, const Cells *names, const double *m, int n)
{
	Pair *pairs = NEW_ARRAY(a, Pair, n * n);
	int count = 0;
	for (int i = 0; i < n; i++) {
		double sum = 0;
		for (int k = 0; k < n; k++)
			sum += m[i * n + k];
		for (int k = 0; k < n; k++)
			if (i != k && m[i * n + k] > 0)
				pairs[count++] = (Pair){i, k, m[i * n + k], sum};
	}
	qsort(pairs, (size_t)count, sizeof *pairs, more_wrong);
	write_line(w, "<h3>Most often mistaken</h3>\n<div class=\"scroll\"><table "
	              "id=\"worst\"><thead><tr><th>is</th>"
	              "<th class=\"l\">was taken for</th><th>times</th><th>of them</th></tr></thead><tbody>");
	for (int i = 0; i < count && i < WORST; i++)
		write_line(w, "<tr><td>%s</td><td class=\"l\">%s</td><td>%.0f</td><td>%.1f %%</td></tr>",
		           page_text(a, names->at[pairs[i].truth + 1]),
		           page_text(a, names->at[pairs[i].said + 1]), pairs[i].count,
		           100 * pairs[i].count / pairs[i].of);
	write_line(w, "</tbody></table></div>");
}

bool report_confusion(Writer *w, Arena *a, const char *confusion, const char **why)
{
	Cells names = csv_row(a, &confusion);
	int n = names.count - 1;
	if (n < 1 || n > MOST_CLASSES) {
		*why = arena_printf(
		        a, "the first line of the confusion matrix names no classes, or more than %d",
		        MOST_CLASSES);
		return false;
	}
	double *m = NEW_ARRAY(a, double, n *n);
	for (int i = 0; i < n; i++) {
		Cells row = csv_row(a, &confusion);
		if (row.count != n + 1) {
			*why = arena_printf(
			        a, "line %d of the confusion matrix has %d counts, and there are %d classes",
			        i + 2, row.count - 1, n);
			return false;
		}
		for (int k = 0; k < n; k++) {
			char *end;
			m[i * n + k] = strtod(row.at[k + 1], &end);
			if (*end || end == row.at[k + 1] || !(m[i * n + k] >= 0) || !isfinite(m[i * n + k])) {
				*why = arena_printf(a, "`%s` in line %d of the confusion matrix is no count",
				                    printable(a, row.at[k + 1]), i + 2);
				return false;
			}
		}
	}
	page_section(w, a, "Right and wrong",
	             "Each row is a true class, each column what the network said of it.");
	if (n <= SHOWN_CLASSES)
		write_matrix(w, a, &names, m, n);
	write_worst(w, a, &names, m, n);
	return true;
}
