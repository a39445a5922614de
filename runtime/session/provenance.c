/* SPDX-License-Identifier: MIT */
#include "runtime/session/provenance.h"
#include "runtime/host/die.h"
#include "runtime/data/fingerprint.h"
#include "runtime/host/json.h"
#include "runtime/host/source.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Takes `value`; NULL: it is not put. */
void provenance_put(Provenance *p, const char *key, char *value)
{
	if (!value)
		return;
	if (p->count == p->room) {
		p->room = p->room ? 2 * p->room : 16;
		p->at = reallocate(p->at, p->room, sizeof *p->at, "the header");
	}
	p->at[p->count++] = (Metadata){text_printf("%s", key), value};
}

static void put_files(Provenance *p, const NnrModel *m)
{
	for (int i = 0; i < m->file_count; i++) {
		char *text = source_text(&m->sources[i]);
		char *file = text_printf(PROVENANCE_FILE "%s", m->sources[i].name),
		     *hash = text_printf(PROVENANCE_HASH "%s", m->sources[i].name);
		provenance_put(p, hash, text_printf("%016" PRIx64, hash_bytes(text, (int64_t)strlen(text))));
		provenance_put(p, file, text);
		free(file);
		free(hash);
	}
}

/* {"conv.weight":"OHWI","dense.weight":"OI"} */
static char *layouts_text(const NnrModel *m)
{
	char *text = NULL;
	size_t length = 0;
	FILE *to = open_memstream(&text, &length);
	if (!to)
		die(STATUS_MEMORY, "there is no memory for the header");
	const char *before = "{";
	for (int i = 0; m->layouts && i < m->param_count; i++) {
		if (!*m->layouts[i])
			continue;
		char *name = json_quoted(m->params[i].name);
		fprintf(to, "%s%s:\"%s\"", before, name, m->layouts[i]);
		before = ",";
		free(name);
	}
	fputs(*before == '{' ? "{}" : "}", to);
	bool failed = ferror(to);
	if (fclose(to) != 0 || failed || !text) /* glibc does not say that it had none for the end */
		die(STATUS_MEMORY, "there is no memory for the header");
	return text;
}

/* Of the recipe's "...; precision tf32; ...". */
static char *precision_text(const NnrModel *m)
{
	static const char key[] = "; precision ";
	const char *at = strstr(m->recipe, key);
	if (!at)
		return NULL;
	at += sizeof key - 1;
	return text_printf("%.*s", (int)strcspn(at, ";"), at);
}

void provenance_of(Provenance *p, const Session *s)
{
	const NnrModel *m = s->model;
	provenance_put(p, "source", text_printf("%s", m->source));
	put_files(p, m);
	provenance_put(p, "target", text_printf("%s", m->backend ? "cuda" : "cpu"));
	provenance_put(p, "precision", precision_text(m));
	provenance_put(p, "arguments", text_printf("%s", s->decisions ? s->decisions : s->options.decisions));
	provenance_put(p, "data_format", s->data.format ? text_printf("%s", s->data.format) : NULL);
	provenance_put(p, "held_out_samples", text_printf("%" PRId64, session_held_out(s)));
	provenance_put(p, "layouts", layouts_text(m));
	provenance_put(p, "metrics", s->metrics ? text_printf("%s", s->metrics) : NULL);
}

void provenance_free(Provenance *p)
{
	for (int i = 0; i < p->count; i++) {
		free((char *)p->at[i].key);
		free((char *)p->at[i].value);
	}
	free(p->at);
	*p = (Provenance){0};
}

static void append_metric(char **text, const char *prefix, const char *name, double value)
{
	char *key = text_printf("%s%s", prefix, name), *quoted = json_quoted(key);
	text_append(text, ",%s:", quoted);
	if (isfinite(value))
		text_append(text, "%.9g", value);
	else
		text_append(text, "null");
	free(key);
	free(quoted);
}

void provenance_keep_metrics(Session *s, const double *held_out)
{
	char *text = text_printf("{\"epoch\":%" PRId64 ",\"step\":%" PRId64, s->at.epoch + 1, s->at.step);
	const int64_t steps = session_counted_steps(s);
	double means[1 + MAX_METRICS];
	session_means(s, s->at.sums, (double)steps, means);
	for (int i = 0; steps > 0 && i < s->score_count; i++)
		append_metric(&text, "", score_name(s, i), means[i]);
	for (int i = 0; held_out && i < s->evaluated_count; i++)
		append_metric(&text, "eval_", score_name(s, i), held_out[i]);
	free(s->metrics);
	text_append(&text, "}");
	s->metrics = text;
}

/* ---- a training that is resumed was decided by two command lines, or more */

enum { MOST_WORDS = 128 };

/* Of a JSON array of strings; what is damaged ends it. Returns how many there are. */
static int read_words(const char *text, char *words[MOST_WORDS])
{
	int count = 0;
	Json j = json_new(text, (int64_t)strlen(text));
	bool more = json_take(&j, '[');
	while (more && count < MOST_WORDS && (words[count] = json_text(&j))) {
		count++;
		more = json_take(&j, ',');
	}
	return count;
}

static bool is_option(const char *word)
{
	return strncmp(word, "--", 2) == 0;
}

/* Words of the option at `i`: itself and its argument, if it has one. */
static int option_words(char *const *words, int count, int i)
{
	return i + 1 < count && !is_option(words[i + 1]) ? 2 : 1;
}

/* The options of `then` as `now` has them, and after these what it has more; malloc'd JSON. */
static char *merged(const char *then, const char *now)
{
	char *old[MOST_WORDS], *new[MOST_WORDS], *text = text_printf("[");
	int old_count = read_words(then, old), new_count = read_words(now, new);
	bool taken[MOST_WORDS] = {false};
	for (int i = 0, part = 0; i < old_count + new_count; i += part) {
		bool was = i < old_count;
		char **words = was ? old : new;
		int count = was ? old_count : new_count, at = was ? i : i - old_count;
		part = option_words(words, count, at);
		bool again = !was && taken[at];
		for (int k = 0; was && k < new_count; k++)
			if (!taken[k] && is_option(new[k]) && strcmp(new[k], old[i]) == 0) {
				words = new, count = new_count, at = k;
				taken[k] = true;
				break;
			}
		for (int k = 0; !again && k < option_words(words, count, at); k++) {
			char *quoted = json_quoted(words[at + k]);
			text_append(&text, "%s%s", text[1] ? "," : "", quoted);
			free(quoted);
		}
	}
	for (int i = 0; i < old_count + new_count; i++)
		free(i < old_count ? old[i] : new[i - old_count]);
	text_append(&text, "]");
	return text;
}

void provenance_resume(Session *s, const Safetensors *f)
{
	const char *metrics = safetensors_metadata(f, "metrics"),
	           *arguments = safetensors_metadata(f, "arguments");
	free(s->metrics);
	free(s->decisions);
	s->metrics = metrics ? text_printf("%s", metrics) : NULL;
	s->decisions = arguments ? merged(arguments, s->options.decisions) : NULL;
}
