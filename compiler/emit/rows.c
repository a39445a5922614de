/* SPDX-License-Identifier: MIT */
/* Tables whose rows are alike: see rows.h. */
#include "emit/rows.h"

#include "base/array.h"

#include <ctype.h>

enum { LEAST = 3 /* rows that are worth a macro */ };

typedef struct Kind {
	const char *wanted, *params, *body;
	const char *macro; /* NULL: its rows are written out */
	int rows;
} Kind;

typedef struct Row {
	Kind *kind;
	const char *arguments, *full;
} Row;

struct Rows {
	Emitter *e;
	Map *kinds; /* by body */
	ARRAY(Row) list;
};

Rows *rows_new(Emitter *e)
{
	Rows *r = NEW(e->arena, Rows);
	*r = (Rows){.e = e, .kinds = map_new(e->arena)};
	return r;
}

void rows_add(Rows *r, const char *wanted, const char *params, const char *body, const char *arguments,
              const char *full)
{
	Arena *a = r->e->arena;
	Kind *kind = map_get(r->kinds, body);
	if (!kind) {
		kind = NEW(a, Kind);
		*kind = (Kind){
		        .wanted = arena_strdup(a, wanted), .params = params, .body = arena_strdup(a, body)};
		map_set(r->kinds, kind->body, kind);
	}
	kind->rows++;
	array_push(a, &r->list, (Row){kind, arena_strdup(a, arguments), arena_strdup(a, full)});
}

/* "STEP_CONV_128X28X28X16" */
static const char *macro_name(Emitter *e, const char *wanted)
{
	char *name = arena_strdup(e->arena, wanted);
	for (char *c = name; *c; c++)
		*c = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
	return emit_unique_name(e, name);
}

static void define_macros(Rows *r)
{
	for (int i = 0; i < map_count(r->kinds); i++) {
		Kind *kind = map_value(r->kinds, i);
		if (kind->rows < LEAST)
			continue;
		kind->macro = macro_name(r->e, kind->wanted);
		write_line(r->e->w, "#define %s(%s) %s", kind->macro, kind->params, kind->body);
	}
}

int rows_write(Rows *r, const char *declaration)
{
	Emitter *e = r->e;
	int column = 0;
	define_macros(r);
	write_line(e->w, "%s = {", declaration);
	for (int i = 0; i < r->list.count; i++) {
		const Row *row = &r->list.at[i];
		const char *macro = row->kind->macro;
		if (macro) {
			write_item(e->w, &column, arena_printf(e->arena, "%s(%s),", macro, row->arguments));
			continue;
		}
		write_text(e->w, "%s", column ? "\n" : "");
		write_line(e->w, "\t%s,", row->full);
		column = 0;
	}
	write_text(e->w, "%s", column ? "\n" : "");
	if (r->list.count == 0)
		write_line(e->w, "\t{0},");
	write_line(e->w, "};");
	return r->list.count;
}
