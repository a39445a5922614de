/* SPDX-License-Identifier: MIT */
/* The code is read as it is formatted: what begins in the first column and ends in a brace there is a function. Which
 * steps call a function the emitter says by its name (EmittedStep), and whose calls a stretch of lines has by marks
 * (CallMark). */
#include "explore/code.h"

#include "base/writer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NO_SET = -1 };

static void split_lines(Arena *a, CodeText *code, const char *text)
{
	for (; *text; text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n'))
		array_push(a, &code->lines, (CodeLine){arena_strndup(a, text, strcspn(text, "\n")), NO_SET});
}

typedef ARRAY(int) StepList;

static void add_name(Arena *a, Map *steps, const char *name, int step)
{
	StepList *list = name ? map_get(steps, name) : NULL;
	if (name && !list)
		map_set(steps, name, list = NEW(a, StepList));
	if (list)
		array_push(a, list, step);
}

/* Of what is called in the line as a function whose steps are known: NULL, nothing. */
static const StepList *steps_of_head(const CodeText *code, int line, const Map *steps, Arena *a)
{
	const char *text = code->lines.at[line].text;
	size_t length = strlen(text);
	if (!isalpha((unsigned char)text[0]) || text[length - 1] == ';')
		return NULL;
	for (const char *at = text; *at;) {
		size_t n = 0;
		while (isalnum((unsigned char)at[n]) || at[n] == '_')
			n++;
		const StepList *list = n > 0 && at[n] == '(' ? map_get(steps, arena_strndup(a, at, n)) : NULL;
		if (list)
			return list;
		at += n > 0 ? n : 1;
	}
	return NULL;
}

/* The last line of a function. */
static bool closes(const char *line)
{
	return line[0] == '}' || (line[0] == '{' && line[strlen(line) - 1] == '}');
}

/* The comment and the objects that stand above a function without an empty line between. */
static int first_line(const CodeText *code, int head)
{
	while (head > 0 && code->lines.at[head - 1].text[0] && !closes(code->lines.at[head - 1].text) &&
	       code->lines.at[head - 1].text[0] != '#')
		head--;
	return head;
}

static int last_line(const CodeText *code, int head)
{
	const char *text = code->lines.at[head].text;
	int line = head;
	while (text[strlen(text) - 1] != '}' && line + 1 < code->lines.count &&
	       !closes(code->lines.at[line].text))
		line++;
	return line;
}

static void set_functions(Arena *a, CodeText *code, IntSets *sets, const Map *steps)
{
	Arena *scratch = arena_new();
	for (int i = 0; i < code->lines.count; i++) {
		const StepList *list =
		        code->lines.at[i].text[0] ? steps_of_head(code, i, steps, scratch) : NULL;
		if (!list)
			continue;
		const int set = int_set(sets, list->at, list->count), last = last_line(code, i);
		for (int k = first_line(code, i); k <= last; k++)
			code->lines.at[k].of = set;
		i = last;
	}
	arena_free(scratch);
}

static bool is_marked(const char *line)
{
	const char *at = line + strspn(line, "\t");
	return at > line && (strncmp(at, "nnr_step(", 9) == 0 || strncmp(at, "nnr_step_of(", 12) == 0);
}

static void set_calls(Arena *a, CodeText *code, IntSets *sets, const CallMarks *marks)
{
	int next = 0, set = NO_SET;
	for (int i = 0; i < code->lines.count; i++) {
		const char *text = code->lines.at[i].text;
		if (is_marked(text)) {
			require(next < marks->count);
			const CallMark *m = &marks->at[next++];
			int *copy = NEW_ARRAY(a, int, m->count);
			for (int k = 0; k < m->count; k++)
				copy[k] = m->steps[k];
			set = m->count > 0 ? int_set(sets, copy, m->count) : NO_SET;
		} else if (text[0] != '\t') {
			set = NO_SET;
		}
		if (set != NO_SET)
			code->lines.at[i].of = set;
	}
	require(next == marks->count);
}

CodeText code_of_host(Arena *a, IntSets *steps, const Emitted *e, const char *name)
{
	CodeText code = {.name = name, .language = "C"};
	Map *names = map_new(a);
	for (int i = 0; i < e->step_count; i++) {
		const EmittedStep *s = &e->steps[i];
		const char *callee = s->function ? s->function->callee : NULL;
		add_name(a, names, callee, i);
		if (s->name != callee)
			add_name(a, names, s->name, i);
	}
	split_lines(a, &code, e->host);
	set_functions(a, &code, steps, names);
	set_calls(a, &code, steps, &e->marks);
	return code;
}

CodeText code_of_kernels(Arena *a, IntSets *steps, const Emitted *e, const char *name)
{
	CodeText code = {.name = name, .language = "CUDA C"};
	Map *names = map_new(a);
	for (int i = 0; i < e->step_count; i++) {
		const CFunction *f = e->steps[i].function;
		for (int k = 0; f && k < f->launches.count; k++) {
			add_name(a, names, f->launches.at[k].kernel->callee, i);
			add_name(a, names, f->launches.at[k].kernel->family, i);
		}
		if (!f || !e->steps[i].arguments) /* whose kernel has the name of its step */
			add_name(a, names, e->steps[i].name, i);
	}
	split_lines(a, &code, e->kernels);
	set_functions(a, &code, steps, names);
	return code;
}

char *code_includes(Arena *a, const char *text)
{
	CodeText code = {0};
	Writer *w = writer_new(a);
	split_lines(a, &code, text);
	for (int i = 0; i < code.lines.count; i++)
		if (strncmp(code.lines.at[i].text, "#include ", 9) == 0)
			write_text(w, "%s\n", code.lines.at[i].text);
	return (char *)writer_text(w, NULL);
}

/* ---- instructions */

/* Which numbers of `.file` directives are the code itself. */
enum { MOST_FILES = 512 };

typedef struct Files {
	bool own[MOST_FILES];
} Files;

static Files own_files(const char *text, const char *file)
{
	Files f = {{false}};
	for (const char *at = text; (at = strstr(at, "\t.file")) != NULL; at++) {
		int number = -1;
		const char *end = at + strcspn(at, "\n"), *quote = end;
		if (sscanf(at, " .file %d", &number) != 1 || number < 0 || number >= (int)MOST_FILES)
			continue;
		while (quote > at && quote[-1] != '"')
			quote--;
		size_t n = strlen(file);
		f.own[number] = quote - 1 - n > at && strncmp(quote - 1 - n, file, n) == 0;
	}
	return f;
}

/* The line of the code that a `.loc` names, or that what it names was expanded in; 0: none of it. */
static int line_of_loc(const Files *f, const char *loc)
{
	int file = 0, line = 0;
	const char *inlined = strstr(loc, "inlined_at ");
	const char *end = loc + strcspn(loc, "\n");
	if (sscanf(loc, " .loc %d %d", &file, &line) == 2 && file >= 0 && file < (int)MOST_FILES &&
	    f->own[file])
		return line;
	if (inlined && inlined < end && sscanf(inlined, "inlined_at %d %d", &file, &line) == 2 && file >= 0 &&
	    file < (int)MOST_FILES && f->own[file])
		return line;
	return 0;
}

static bool starts(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

/* With one blank for each run of them, and none after a comma, where the page puts it: a network has 110,000. */
static const char *tidy(Arena *a, const char *text, size_t length)
{
	char *line = arena_strndup(a, text, length), *to = line;
	for (const char *at = line; *at; at++)
		if (!strchr(" \t", *at))
			*to++ = *at;
		else if (!strchr(" \t", at[1]) && !(to > line && to[-1] == ','))
			*to++ = ' ';
	*to = 0;
	return line;
}

CodeText code_of_assembler(Arena *a, const char *text, const char *file)
{
	CodeText code = {.name = "cc -S", .language = "assembler"};
	const Files files = own_files(text, file);
	bool in_text = true;
	int line = NO_SET;
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		const char *at = text + (text[0] == '\t');
		if (starts(text, "\t.text") || starts(text, "\t.section\t.text"))
			in_text = true;
		else if (starts(text, "\t.section") || starts(text, "\t.data") || starts(text, "\t.bss"))
			in_text = false;
		else if (starts(text, "\t.loc"))
			line = line_of_loc(&files, text) > 0 ? line_of_loc(&files, text) : line;
		const size_t blank = strspn(text, " \t");
		if (!in_text || blank >= n || text[blank] == '#' || (text[0] == '\t' && *at == '.'))
			continue;
		bool local = starts(text, ".L");
		const char *number = text + (starts(text, ".LBB") ? 4 : 2); /* clang's; gcc's */
		if (local && !isdigit((unsigned char)*number))
			continue;
		if (text[0] != '\t' && !local)
			line = NO_SET;
		array_push(a, &code.lines, (CodeLine){tidy(a, text, n), line});
	}
	return code;
}

CodeText code_of_ptx(Arena *a, const char *text, const char *file)
{
	CodeText code = {.name = "NVRTC", .language = "PTX"};
	const Files files = own_files(text, file);
	bool in_body = false;
	int line = NO_SET;
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		if (starts(text, ".section"))
			break;
		if (starts(text, "\t.loc"))
			line = line_of_loc(&files, text) > 0 ? line_of_loc(&files, text) : line;
		if (starts(text, ".visible .entry") || starts(text, ".func") ||
		    starts(text, ".visible .func")) {
			line = NO_SET;
			array_push(a, &code.lines, (CodeLine){tidy(a, text, n), line});
		}
		in_body = text[0] == '{' || (in_body && text[0] != '}');
		const char *at = text + strspn(text, "\t");
		size_t length = n - (size_t)(at - text);
		bool is_text = length > 0 && *at != '.' && *at != '/' && *at != '{' && *at != '}';
		if (in_body && is_text)
			array_push(a, &code.lines, (CodeLine){tidy(a, at, length), line});
	}
	return code;
}

/* Of a line `//## File "a.h", line 3 inlined at "kernels.cu", line 12`; 0: none of the file. */
static int line_of_frame(const char *text, const char *file)
{
	const char *end = text + strcspn(text, "\n");
	for (const char *at = text; (at = strstr(at, "\", line ")) != NULL && at < end; at++) {
		const size_t n = strlen(file);
		if (at - n > text && strncmp(at - n, file, n) == 0)
			return atoi(at + strlen("\", line "));
	}
	return 0;
}

CodeText code_of_sass(Arena *a, const char *text, const char *file)
{
	CodeText code = {.name = "nvdisasm", .language = "SASS"};
	int line = NO_SET;
	bool told =
	        false; /* by an earlier line of those that say where an instruction is from, the innermost first */
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		const char *at = text + strspn(text, " \t"),
		           *body = starts(at, "/*") ? strstr(at, "*/") : NULL;
		if (starts(text, ".text.") && text[n - 1] == ':') {
			line = NO_SET;
			array_push(a, &code.lines, (CodeLine){tidy(a, text + 6, n - 6), line});
		} else if (starts(at, "//## File")) {
			const int of = told ? 0 : line_of_frame(at, file);
			line = of > 0 ? of : line;
			told = told || of > 0;
		} else if (body && body < text + n) {
			body += 2 + strspn(body + 2, " \t");
			array_push(a, &code.lines, (CodeLine){tidy(a, body, strcspn(body, ";\n")), line});
			told = false;
		} else if (starts(text, ".L_")) {
			array_push(a, &code.lines, (CodeLine){tidy(a, text, n), line});
		}
	}
	return code;
}
