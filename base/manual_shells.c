/* SPDX-License-Identifier: MIT */
/* Completions for bash, zsh and fish. Every text of the tables is quoted: none becomes code. manual_shells.h.
 *
 * A script knows the commands, and of each the options with what their values may be; for values that are files, and
 * for operands, the shell's own completion of files. */
#include "manual_shells.h"

#include <stdio.h>
#include <string.h>

static const char in_sh[] = "'\\''";

/* A name of one command, or all the others' names, for the pattern of a `case`. */
static void print_names(const Manual *m, const char *between)
{
	bool any = false;
	for (int i = 0; i < m->command_count; i++) {
		if (!m->commands[i].name)
			continue;
		printf("%s%s", any ? between : "", m->commands[i].name);
		any = true;
	}
}

/* Whether an earlier option has this name for this command: a table may list one twice, for other commands. */
static bool is_repeated(const Manual *m, int at, int command)
{
	for (int i = 0; i < at; i++)
		if (manual_takes(&m->options[i], command) &&
		    strcmp(m->options[i].name, m->options[at].name) == 0)
			return true;
	return false;
}

static bool is_joined(const ManualOption *o)
{
	return *o->value && !strchr("=[ ", *o->value);
}

/* ---- bash */

/* The options of a command, in a variable; words that are joined to a name are written out. */
static void bash_options(const Manual *m, int command)
{
	printf("\t\toptions='");
	const char *before = "";
	for (int i = 0; i < m->option_count; i++) {
		const ManualOption *o = &m->options[i];
		if (!manual_takes(o, command) || is_repeated(m, i, command))
			continue;
		if (!is_joined(o)) {
			printf("%s%s", before, o->name);
			before = " ";
			continue;
		}
		int n;
		for (const char *word = manual_words(o); (word = manual_next_word(word, &n)); word += n) {
			printf("%s%s%.*s", before, o->name, n, word);
			before = " ";
		}
	}
	printf("'\n");
}

/* What the value of an option may be: the branches of a `case`. */
static void bash_values(const Manual *m, int command)
{
	for (int i = 0; i < m->option_count; i++) {
		const ManualOption *o = &m->options[i];
		ManualValue kind = manual_value(o);
		if (!manual_takes(o, command) || is_repeated(m, i, command) || is_joined(o) ||
		    kind == MANUAL_NO_VALUE)
			continue;
		printf("\t\t\"%s\")%s%s", o->name, *o->value == '[' ? " [ -z \"$equals\" ] ||" : "",
		       kind == MANUAL_TEXT ? " value=none" : "");
		int n;
		if (kind == MANUAL_FILE || kind == MANUAL_FOLDER)
			printf(" value=%s", kind == MANUAL_FILE ? "files" : "folders");
		if (kind == MANUAL_WORDS) {
			const char *before = " words='";
			for (const char *word = manual_words(o); (word = manual_next_word(word, &n));
			     word += n) {
				printf("%s%.*s", before, n, word);
				before = " ";
			}
			printf("' value=words");
		}
		printf(" ;;\n");
	}
}

static void bash_command(const Manual *m, int command)
{
	const ManualCommand *c = &m->commands[command];
	bash_options(m, command);
	if (c->operands && *c->operands) {
		printf("\t\toperands=");
		manual_quote(c->operands, in_sh);
		putchar('\n');
	}
	if (c->suffix)
		printf("\t\tfiles='*%s'\n", c->suffix);
	printf("\t\tcase $before in\n");
	bash_values(m, command);
	printf("\t\tesac\n\t\t;;\n");
}

/* `=` breaks words in bash: --emit=c is three of them. */
void print_bash(const Manual *m)
{
	printf("# bash completion, made of the table of options\n");
	manual_function(m);
	printf("()\n{\n"
	       "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
	       "\tlocal options='' operands='' files='' value='' words='' equals='' "
	       "command=${COMP_WORDS[1]} names=''\n"
	       "\tif [ \"$word\" = = ]; then\n\t\tword='' equals=1\n"
	       "\telif [ \"$before\" = = ] && [ \"$COMP_CWORD\" -gt 2 ]; then\n"
	       "\t\tbefore=${COMP_WORDS[COMP_CWORD-2]} equals=1\n\tfi\n"
	       "\t[ \"$COMP_CWORD\" != 1 ] || command='' names='");
	print_names(m, " ");
	printf("'\n\tcase $command in\n");
	for (int i = 1; i < m->command_count; i++) {
		printf("\t%s)\n", m->commands[i].name);
		bash_command(m, i);
	}
	printf("\t*)\n");
	bash_command(m, 0);
	printf("\tesac\n\tcompopt -o filenames 2>/dev/null\n"
	       "\tcase $value in\n"
	       "\tnone) COMPREPLY=() ;;\n"
	       "\twords) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\") ;;\n"
	       "\tfiles) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n"
	       "\tfolders) mapfile -t COMPREPLY < <(compgen -d -- \"$word\") ;;\n"
	       "\t*)\n\t\tcase $word in\n"
	       "\t\t-*) mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\") ;;\n"
	       "\t\t*)\n\t\t\tmapfile -t COMPREPLY < <(compgen -W \"$names $operands\" -- \"$word\")\n"
	       "\t\t\t[ -z \"$files\" ] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(\n"
	       "\t\t\t\tcompgen -d -- \"$word\"\n"
	       "\t\t\t\tcompgen -f -X \"!$files\" -- \"$word\") ;;\n"
	       "\t\tesac ;;\n\tesac\n}\ncomplete -F ");
	manual_function(m);
	putchar(' ');
	manual_quote(m->program, in_sh);
	putchar('\n');
}

/* ---- zsh */

/* Within single quotes, what means something in a specification of _arguments escaped. */
static void zsh_text(const char *text)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs(in_sh, stdout);
		else if (strchr("[]:\\", *text))
			printf("\\%c", *text);
		else
			putchar(*text == '\n' ? ' ' : *text);
	}
}

static void zsh_option(const ManualOption *o)
{
	int n;
	if (is_joined(o)) {
		for (const char *word = manual_words(o); (word = manual_next_word(word, &n)); word += n) {
			printf("\t\t\t'*%s%.*s[", o->name, n, word);
			zsh_text(o->doc);
			printf("]'\n");
		}
		return;
	}
	bool dashes = o->name[1] == '-';
	printf("\t\t\t'*%s%s[", o->name, *o->value == '[' ? "=-" : !*o->value ? "" : dashes ? "=" : "+");
	zsh_text(o->doc);
	putchar(']');
	ManualValue kind = manual_value(o);
	if (kind != MANUAL_NO_VALUE) {
		printf("%s", *o->value == '[' ? "::" : ":");
		zsh_text(o->value + strspn(o->value, "[= "));
		putchar(':');
	}
	if (kind == MANUAL_WORDS) {
		const char *before = "(";
		for (const char *word = manual_words(o); (word = manual_next_word(word, &n)); word += n) {
			printf("%s%.*s", before, n, word);
			before = " ";
		}
		putchar(')');
	} else if (kind == MANUAL_FILE || kind == MANUAL_FOLDER) {
		printf("_files%s", kind == MANUAL_FOLDER ? " -/" : "");
	}
	printf("'\n");
}

static void zsh_command(const Manual *m, int command)
{
	const ManualCommand *c = &m->commands[command];
	printf("\t\tspec+=(\n");
	for (int i = 0; i < m->option_count; i++)
		if (manual_takes(&m->options[i], command) && !is_repeated(m, i, command))
			zsh_option(&m->options[i]);
	if (c->operands && *c->operands)
		printf("\t\t\t'*:word:(%s)'\n", c->operands);
	else if (c->suffix && *c->suffix)
		printf("\t\t\t'*:file:_files -g \"*%s\"'\n", c->suffix);
	else if (c->suffix)
		printf("\t\t\t'*:file:_files'\n");
	printf("\t\t)\n");
}

void print_zsh(const Manual *m)
{
	printf("#compdef %s\n# zsh completion, made of the table of options\n",
	       m->program[strcspn(m->program, "\n'\"\\$` ")] ? "" : m->program);
	manual_function(m);
	printf("()\n{\n\tlocal -a spec names\n\tnames=(");
	for (int i = 0; i < m->command_count; i++) {
		const ManualCommand *c = &m->commands[i];
		if (!c->name)
			continue;
		printf("\n\t\t'%s:", c->name);
		zsh_text(c->doc ? c->doc : c->usage);
		putchar('\'');
	}
	printf(")\n\tif (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then\n"
	       "\t\t_describe command names\n");
	if (m->commands[0].suffix)
		printf("\t\t_files -g '*%s'\n", m->commands[0].suffix);
	printf("\t\treturn\n\tfi\n\tcase $words[2] in\n");
	for (int i = 1; i < m->command_count; i++) {
		printf("\t%s)\n\t\tshift words\n\t\t(( CURRENT-- ))\n", m->commands[i].name);
		zsh_command(m, i);
		printf("\t\t;;\n");
	}
	printf("\t*)\n");
	if (m->commands[0].name)
		printf("\t\tif [[ $words[2] == %s ]]; then\n\t\t\tshift words\n\t\t\t(( CURRENT-- "
		       "))\n\t\tfi\n",
		       m->commands[0].name);
	zsh_command(m, 0);
	printf("\t\t;;\n\tesac\n\t_arguments $spec\n}\n"
	       "if [ \"$funcstack[1]\" = '");
	manual_function(m);
	printf("' ]; then\n\t");
	manual_function(m);
	printf(" \"$@\"\nelse\n\tcompdef ");
	manual_function(m);
	putchar(' ');
	manual_quote(m->program, in_sh);
	printf("\nfi\n");
}

/* ---- fish */

/* A quote within single quotes is \' there, and a backslash \\. */
static void fish_text(const char *text)
{
	putchar('\'');
	for (; *text; text++)
		printf(strchr("'\\", *text) ? "\\%c" : "%c", *text == '\n' ? ' ' : *text);
	putchar('\'');
}

static void fish_begin(const Manual *m, const char *condition)
{
	printf("complete -c ");
	fish_text(m->program);
	printf(" -n '%s'", condition);
}

/* Where an option of these commands is offered. */
static void fish_condition(const Manual *m, unsigned commands, char *text, size_t size)
{
	bool first = commands & 1u;
	size_t at = (size_t)snprintf(text, size, "%s__fish_seen_subcommand_from", first ? "not " : "");
	for (int i = 1; i < m->command_count && at < size; i++)
		if (m->commands[i].name && !(commands & 1u << i) == first)
			at += (size_t)snprintf(text + at, size - at, " %s", m->commands[i].name);
}

static void fish_option(const Manual *m, const ManualOption *o)
{
	char condition[512];
	int n;
	unsigned all = (1u << m->command_count) - 1;
	if ((o->commands & all) == all)
		snprintf(condition, sizeof condition, "true");
	else
		fish_condition(m, o->commands, condition, sizeof condition);
	if (is_joined(o)) {
		for (const char *word = manual_words(o); (word = manual_next_word(word, &n)); word += n) {
			fish_begin(m, condition);
			printf(" -o '%s%.*s' -d ", o->name + 1, n, word);
			fish_text(o->doc);
			putchar('\n');
		}
		return;
	}
	fish_begin(m, condition);
	bool dashes = o->name[1] == '-';
	printf(" -%c ", dashes ? 'l' : o->name[1] && !o->name[2] ? 's' : 'o');
	fish_text(o->name + 1 + dashes);
	ManualValue kind = manual_value(o);
	if (*o->value && *o->value != '[')
		printf(" -r");
	if (kind == MANUAL_FILE || kind == MANUAL_FOLDER)
		printf(" -F");
	else if (*o->value)
		printf(" -f");
	if (kind == MANUAL_WORDS) {
		const char *before = " -a '";
		for (const char *word = manual_words(o); (word = manual_next_word(word, &n)); word += n) {
			printf("%s%.*s", before, n, word);
			before = " ";
		}
		putchar('\'');
	}
	printf(" -d ");
	fish_text(o->doc);
	putchar('\n');
}

void print_fish(const Manual *m)
{
	printf("# fish completion, made of the table of options\n");
	for (int i = 0; i < m->command_count; i++) {
		const ManualCommand *c = &m->commands[i];
		char condition[512];
		if (c->name) {
			fish_begin(m, "__fish_use_subcommand");
			printf(" -f -a %s -d ", c->name);
			fish_text(c->doc ? c->doc : c->usage);
			putchar('\n');
		}
		fish_condition(m, 1u << i, condition, sizeof condition);
		if (c->operands && *c->operands) {
			fish_begin(m, condition);
			printf(" -f -a ");
			fish_text(c->operands);
			putchar('\n');
		} else if (c->suffix && !*c->suffix) {
			fish_begin(m, condition);
			printf(" -F\n");
		} else if (c->suffix) {
			fish_begin(m, condition);
			printf(" -k -f -a '(__fish_complete_suffix %s)'\n", c->suffix);
		} else {
			fish_begin(m, condition);
			printf(" -f\n");
		}
	}
	for (int i = 0; i < m->option_count; i++)
		if (m->options[i].name)
			fish_option(m, &m->options[i]);
}
