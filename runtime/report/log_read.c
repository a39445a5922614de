/* SPDX-License-Identifier: MIT */
#include "runtime/report/log_read.h"
#include "runtime/host/die.h"
#include "runtime/host/json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void add_word(LogLine *line, const char *text)
{
	int64_t bytes = (int64_t)strlen(text) + 1;
	if (line->length + bytes + 1 > line->room) {
		line->room = 2 * (line->length + bytes) + 64;
		line->words = reallocate(line->words, line->room, 1, "a line of the log");
	}
	memcpy(line->words + line->length, text, (size_t)bytes);
	line->length += bytes;
	line->words[line->length] = 0;
}

/* A number as strtod has it, or null; the JSON reader knows integers alone. */
static bool take_value(Json *j, double *value)
{
	char text[64];
	size_t n = 0;
	while (j->at < j->end && *j->at == ' ')
		j->at++;
	while (j->at + n < j->end && n < sizeof text - 1 && strchr("+-.0123456789eEnul", j->at[n]))
		n++;
	memcpy(text, j->at, n);
	text[n] = 0;
	char *end;
	*value = strcmp(text, "null") == 0 ? NAN : strtod(text, &end);
	if (n == 0 || (!isnan(*value) && *end))
		return json_fail(j, "a number is expected");
	j->at += n;
	return true;
}

/* False where it is no line of a log: whatever was read until then is of no use. Hostile text is the normal case. */
static bool log_line_read(LogLine *line, const char *text, int64_t length)
{
	Json j = json_new(text, length);
	char *key = NULL;
	bool first = true;
	line->length = 0;
	add_word(line, "");
	line->length = 0;
	json_expect(&j, '{');
	while (!j.error && !json_take(&j, '}')) {
		double value;
		if (!first)
			json_expect(&j, ',');
		key = json_text(&j);
		json_expect(&j, ':');
		while (j.at < j.end && *j.at == ' ')
			j.at++;
		if (!j.error && j.at < j.end && *j.at == '"') {
			char *word = json_text(&j);
			if (word && *key) {
				add_word(line, key);
				add_word(line, word);
			}
			free(word);
		} else if (!j.error && take_value(&j, &value)) {
			if (first)
				record_begin(&line->record, key, 0);
			if (first)
				line->record.field[0].value = value;
			else
				record_add(&line->record, "", key, value);
			first = false;
		}
		if (first) /* the first says what the line is of */
			json_fail(&j, "a number is expected");
		free(key);
	}
	return !j.error && !first && json_finish(&j);
}

const char *log_line_word(const LogLine *line, const char *key)
{
	for (const char *at = line->words; at && *at;) {
		const char *value = at + strlen(at) + 1;
		if (strcmp(at, key) == 0)
			return value;
		at = value + strlen(value) + 1;
	}
	return "";
}

static void log_line_free(LogLine *line)
{
	record_free(&line->record);
	free(line->words);
	*line = (LogLine){0};
}

bool log_read(const char *path, void (*see)(void *context, const LogLine *line), void *context)
{
	FILE *f = fopen(path, "re");
	if (!f)
		return false;
	char *text = NULL;
	size_t room = 0;
	ssize_t length;
	LogLine line = {0};
	while ((length = getline(&text, &room, f)) > 0)
		if (log_line_read(&line, text, length))
			see(context, &line);
	bool whole = feof(f);
	free(text);
	log_line_free(&line);
	fclose(f);
	return whole;
}
