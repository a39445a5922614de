/* SPDX-License-Identifier: MIT */
/* What the shells' completions have in common, and the man page. manual.h; the shells are manual_shells.c's. */
#include "manual_shells.h"

#include <stdio.h>
#include <string.h>

/* ---- the man page: man(7) */

/* Text as it is: no character of it is a request or an escape. */
static void print_roff(const char *text)
{
	for (bool begins = true; *text; text++) {
		if (begins && (*text == '.' || *text == '\''))
			fputs("\\&", stdout);
		begins = *text == '\n';
		if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '-')
			fputs("\\-", stdout);
		else if (*text == '`')
			fputs("\\(ga", stdout);
		else
			putchar(*text);
	}
}

static void print_entry(const Manual *m, const ManualOption *o)
{
	unsigned all = (1u << m->command_count) - 1;
	printf(".TP\n\\fB");
	print_roff(o->name);
	printf("\\fR");
	print_roff(o->value);
	putchar('\n');
	print_roff(o->doc);
	if ((o->commands & all) != all) {
		const char *before = "\n(";
		for (int i = 0; i < m->command_count; i++) {
			if (!(o->commands & 1u << i))
				continue;
			const char *name = m->commands[i].name;
			printf("%s\\fB", before);
			print_roff(name ? name : m->program);
			printf("\\fR");
			before = ", ";
		}
		putchar(')');
	}
	putchar('\n');
}

static void print_man(const Manual *m)
{
	printf(".\\\" Made of the table of options.\n.TH \"");
	print_roff(m->title);
	printf("\" 1 \"\" \"nnc %s\" \"nnc\"\n.SH NAME\n", m->version);
	print_roff(m->title);
	printf(" \\- ");
	print_roff(m->summary);
	printf("\n.SH SYNOPSIS\n");
	for (int i = 0; i < m->command_count; i++) {
		printf("%s\\fB", i ? ".br\n" : "");
		print_roff(m->program);
		printf("\\fR ");
		print_roff(m->commands[i].usage);
		putchar('\n');
	}
	printf(".SH DESCRIPTION\n");
	print_roff(m->description);
	putchar('\n');
	for (int i = 0; i < m->command_count; i++) {
		const ManualCommand *c = &m->commands[i];
		if (!c->doc)
			continue;
		printf(".TP\n\\fB");
		print_roff(m->program);
		printf("%s", c->name ? " " : "");
		print_roff(c->name ? c->name : "");
		printf("\\fR\n");
		print_roff(c->doc);
		putchar('\n');
	}
	printf(".SH OPTIONS\n");
	for (int i = 0; i < m->option_count; i++) {
		if (m->options[i].name) {
			print_entry(m, &m->options[i]);
			continue;
		}
		printf(".SS ");
		print_roff(m->options[i].doc);
		putchar('\n');
	}
	for (int i = 0; i < m->section_count; i++) {
		printf(".SH ");
		print_roff(m->sections[i].title);
		putchar('\n');
		print_roff(m->sections[i].text);
		putchar('\n');
	}
}

/* ---- what shells ask */

bool manual_takes(const ManualOption *o, int command)
{
	return o->name && o->commands & 1u << command;
}

const char *manual_words(const ManualOption *o)
{
	if (o->words && *o->words)
		return o->words;
	return strchr(o->value, '|') ? o->value + strspn(o->value, "[= ") : "";
}

ManualValue manual_value(const ManualOption *o)
{
	if (!*o->value)
		return MANUAL_NO_VALUE;
	if (*manual_words(o))
		return MANUAL_WORDS;
	if (strstr(o->value, "DIR"))
		return MANUAL_FOLDER;
	return strstr(o->value, "FILE") || strstr(o->value, "DATA") ? MANUAL_FILE : MANUAL_TEXT;
}

const char *manual_next_word(const char *at, int *length)
{
	static const char between[] = " |";
	at += strspn(at, between);
	*length = 0;
	for (const char *c = at; *c && !strchr(between, *c); c++)
		++*length;
	/* what is optional in a word, as in cpu|cuda[:sm_90,...], is no part of it */
	const char *bracket = memchr(at, '[', (size_t)*length);
	if (bracket)
		*length = (int)(bracket - at);
	return *length > 0 ? at : NULL;
}

void manual_quote(const char *text, const char *escape)
{
	putchar('\'');
	for (; *text; text++) {
		if (*text == '\'')
			fputs(escape, stdout);
		else
			putchar(*text == '\n' ? ' ' : *text);
	}
	putchar('\'');
}

void manual_function(const Manual *m)
{
	putchar('_');
	for (const char *at = m->program; *at; at++)
		putchar((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9')
		                ? *at
		                : '_');
}

void manual_print(const Manual *m, const char *form)
{
	static const struct {
		const char *name;
		void (*print)(const Manual *m);
	} forms[] = {{"man", print_man}, {"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (strcmp(forms[i].name, form) == 0)
			forms[i].print(m);
}
