/* SPDX-License-Identifier: MIT */
/* Reads the command line into Options. */
#include "runtime/host/die.h"
#include "runtime/host/json.h"
#include "runtime/host/options_table.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *parse_number(const OptionRow *row, const char *text, double *value)
{
	char *end;
	errno = 0;
	*value = strtod(text, &end);
	if (end == text || errno == ERANGE || !isfinite(*value) ||
	    text[strspn(text, "0123456789+-.eE")] == 'x')
		die(STATUS_USAGE, "`--%s` wants a number (%s), not `%s`", row->name, row->argument, text);
	if (*value < row->least || *value > row->most)
		die(STATUS_USAGE, "`--%s %s` is out of range: it goes from %.15g to %.15g", row->name, text,
		    row->least, row->most);
	return end;
}

static int parse_word(const OptionRow *row, const char *text)
{
	size_t length = strlen(text);
	int index = 0;
	for (const char *at = row->argument; at; index++) {
		const char *bar = strchr(at, '|');
		size_t n = bar ? (size_t)(bar - at) : strlen(at);
		if (n == length && memcmp(at, text, n) == 0)
			return index;
		at = bar ? bar + 1 : NULL;
	}
	die(STATUS_USAGE, "`--%s` is one of %s, not `%s`", row->name, row->argument, text);
}

static void set_option(Options *options, const OptionRow *row, const char *text)
{
	void *to = (char *)options + row->at;
	double value = 0;
	const char *end = "";
	if (row->kind == KIND_INTEGER || row->kind == KIND_REAL || row->kind == KIND_INTERVAL)
		end = parse_number(row, text, &value);
	if ((row->kind == KIND_INTEGER || row->kind == KIND_INTERVAL) && value != floor(value))
		die(STATUS_USAGE, "`--%s` wants a whole number, not `%s`", row->name, text);
	switch (row->kind) {
	case KIND_FLAG:
		*(bool *)to = true;
		break;
	case KIND_TEXT:
		if (!*text)
			die(STATUS_USAGE, "`--%s` wants a %s (%s), not an empty word", row->name,
			    strcmp(row->argument, "TEXT") == 0 ? "text" : "name", row->argument);
		*(const char **)to = text;
		break;
	case KIND_LIST: {
		const char *before = *(const char **)to;
		if (!text[strspn(text, ",")])
			die(STATUS_USAGE, "`--%s` wants patterns of names (%s), as 'conv*'", row->name,
			    row->argument);
		*(const char **)to = before ? text_printf("%s,%s", before, text) : text;
		break;
	}
	case KIND_INTEGER:
		*(int64_t *)to = (int64_t)value;
		break;
	case KIND_REAL:
		*(double *)to = value;
		break;
	case KIND_INTERVAL: {
		bool in_steps = strcmp(end, "it") == 0;
		if (in_steps || strcmp(end, "ep") == 0)
			end = "";
		*(Interval *)to = (Interval){value, in_steps};
		break;
	}
	case KIND_WORD:
		*(int *)to = parse_word(row, text);
		break;
	case KIND_SWITCH: /* "auto" of "[=auto]" */
		if (*text && (strlen(text) + 3 != strlen(row->argument) ||
		              strncmp(text, row->argument + 2, strlen(text)) != 0))
			die(STATUS_USAGE, "`--%s%s` is all that there is, not `%s`", row->name, row->argument,
			    text);
		*(int *)to = *text ? 2 : 1;
		break;
	}
	if (*end)
		die(STATUS_USAGE, "`--%s` wants a number (%s), not `%s`", row->name, row->argument, text);
}

/* The words after the trainer's name, as a shell would take them. */
static char *command_line(int argc, char **argv)
{
	char *line = text_printf("%s", "");
	for (int i = 1; i < argc; i++) {
		bool plain = argv[i][0] &&
		             !argv[i][strspn(argv[i], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		                                      "0123456789-_=./,:+@%")];
		char *more = text_printf(plain ? "%s%s%s" : "%s%s'%s'", line, i > 1 ? " " : "", argv[i]);
		free(line);
		line = more;
	}
	return line;
}

/* An option of whichever command, as it stands on the line: "--name", "--name=VALUE"; NULL: there is none. */
static const OptionRow *find_anywhere(const char *word)
{
	int length = (int)strcspn(word + 2, "=");
	const OptionRow *row = NULL;
	for (int c = 0; c < COMMANDS && !row && strncmp(word, "--", 2) == 0; c++)
		row = find_option(word + 2, length, (Command)c);
	return row;
}

/* The place of the first word that belongs to no option, which is the command wherever it stands; 0: there is none, or
 * an option before it that is a mistake. */
static int find_command(Options *o, int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		const OptionRow *row = argv[i][0] == '-' ? find_anywhere(argv[i]) : NULL;
		if (argv[i][0] == '-' && !row && strcmp(argv[i], "-h") != 0)
			return 0;
		if (argv[i][0] == '-') {
			i += row && row->argument && row->kind != KIND_SWITCH && !strchr(argv[i], '=');
			continue;
		}
		int command = 0;
		while (command < COMMANDS && strcmp(argv[i], command_rows[command].name) != 0)
			command++;
		if (command == COMMANDS)
			unknown_command(argv[i]);
		o->command = (Command)command;
		return i;
	}
	return 0;
}

/* What is learned follows from the network and these. */
static const char decides[] =
        "data eval-data holdout folds fold no-shuffle no-augment follow-links epochs steps rate seed init "
        "init-skip init-map freeze overfit-batch";

/* Adds it to o->decisions, "[]" or longer. */
static void note_decision(Options *o, const OptionRow *row, const char *text)
{
	if (!is_among(row->name, decides))
		return;
	char *before = o->decisions, *name = text_printf("--%s", row->name), *word = json_quoted(name),
	     *value = json_quoted(text);
	o->decisions =
	        text_printf("%.*s%s%s%s%s]", (int)strlen(before) - 1, before, before[1] == ']' ? "" : ",",
	                    word, row->argument ? "," : "", row->argument ? value : "");
	free(before);
	free(name);
	free(word);
	free(value);
}

/* The usual custom: what a script gives can be overridden by what is added at its end. Said, for it may be a slip. */
static void say_repeated(const char *const *words, const char *const *words_before)
{
	for (int i = 0; i < option_row_count; i++)
		if (option_rows[i].kind != KIND_LIST && words_before[i] &&
		    strcmp(words_before[i], words[i]) != 0)
			say_note("`--%s` is given twice: the last counts, `%s`, and not `%s`",
			         option_rows[i].name, words[i], words_before[i]);
}

void options_parse(Options *o, const NnrModel *model, int argc, char **argv)
{
	*o = (Options){.seed = -1,
	               .tune_seconds = -1,
	               .bad_files = 0.1,
	               .warmup = 10,
	               .tokens = 200,
	               .temperature = 1,
	               .workers = -1,
	               .manual = -1};
	o->arguments = command_line(argc, argv);
	o->decisions = text_printf("[]");
	int command = find_command(o, argc, argv);
	const char **inputs = allocate(argc, sizeof *inputs, "the command line");
	o->inputs = inputs;
	const char *words[MOST_OPTION_ROWS] = {0}, *words_before[MOST_OPTION_ROWS] = {0}; /* of each option */
	bool options_end = false; /* by --, after which a name may begin with a dash */
	for (int i = 1; i < argc; i++) {
		const char *word = strcmp(argv[i], "-h") == 0 ? "--help" : argv[i];
		bool dashes = strcmp(word, "--") == 0, names_files = command_rows[o->command].files;
		if (i == command)
			continue;
		if (names_files && (options_end || dashes || word[0] != '-')) {
			if (options_end || !dashes)
				inputs[o->input_count++] = word;
			options_end = options_end || dashes;
			continue;
		}
		if (strncmp(word, "--", 2) != 0 || !word[2])
			stray_word(word);
		const char *name = word + 2, *equals = strchr(name, '=');
		int length = equals ? (int)(equals - name) : (int)strlen(name);
		const OptionRow *row = find_option(name, length, o->command);
		if (!row)
			unknown_option(name, length, o->command);
		bool takes = row->argument && row->kind != KIND_SWITCH;
		if (!row->argument && equals)
			die(STATUS_USAGE, "`--%s` takes no argument", row->name);
		if (takes && !equals && i + 1 == argc)
			die(STATUS_USAGE, "`--%s` needs its argument: --%s %s", row->name, row->name,
			    row->argument);
		if (takes && !equals && find_anywhere(argv[i + 1]))
			die_help(STATUS_USAGE,
			         text_printf("if that is meant: `--%s=%s`", row->name, argv[i + 1]),
			         "`--%s` needs its argument, --%s %s, and the option `%s` follows", row->name,
			         row->name, row->argument, argv[i + 1]);
		const char *text = equals ? equals + 1 : takes ? argv[++i] : "";
		words_before[row - option_rows] = words[row - option_rows];
		words[row - option_rows] = text;
		set_option(o, row, text);
		note_decision(o, row, text);
	}
	if (o->help || o->version || o->licences || o->manual >= 0)
		return;
	if (!o->quiet)
		say_repeated(words, words_before);
	o->no_augment = o->no_augment || o->overfit_batch;
	options_check(o, model);
}
