/* nnc new NAME --from=table FILE.csv: which column is learnt of which, by what is in them. */
#include "tools/new.h"

#include "runtime/core/cells.h"

#include <stdlib.h>
#include <string.h>

/* What the cells of a column have been so far. */
typedef struct Column {
	const char *name;
	bool numbers; /* all of them */
} Column;

typedef struct Look {
	const NewRequest *r;
	Cells cells;
	Column *columns;
	int count;
	int64_t rows;
} Look;

static void look_at_row(Look *x)
{
	x->rows++;
	if (x->cells.count != x->count)
		fail(EXIT_USAGE, "`%s`, line %lld: there are %d cells, and the header names %d columns",
		     printable(x->r->arena, x->r->path), (long long)x->cells.row_line, x->cells.count,
		     x->count);
	for (int i = 0; i < x->count; i++) {
		char *end;
		(void)strtod(x->cells.at[i], &end);
		x->columns[i].numbers = x->columns[i].numbers && end != x->cells.at[i] && !*end;
	}
}

static void look_at_file(Look *x)
{
	Arena *a = x->r->arena;
	x->cells = cells_open(x->r->path);
	if (!cells_row(&x->cells))
		fail(EXIT_USAGE, "`%s` is empty: its first line must name the columns",
		     printable(a, x->r->path));
	x->count = x->cells.count;
	x->columns = NEW_ARRAY(a, Column, x->count);
	for (int i = 0; i < x->count; i++)
		x->columns[i] = (Column){arena_strdup(a, x->cells.at[i]), true};
	while (cells_row(&x->cells))
		look_at_row(x);
	cells_close(&x->cells);
}

void new_table(const NewRequest *r, Writer *w)
{
	if (!cells_named(r->path))
		fail(EXIT_USAGE,
		     "`%s` is no table: its name ends in neither .csv nor .tsv, nor these and .gz",
		     printable(r->arena, r->path));
	Look x = {.r = r};
	look_at_file(&x);
	for (int i = 0; i < x.count; i++)
		if (!x.columns[i].numbers)
			fail(EXIT_USAGE, "the column `%s` of `%s` has words",
			     printable(r->arena, x.columns[i].name), printable(r->arena, r->path));
	write_line(w, "model %s {", r->name);
	write_line(w, "    input  x: f32[%d]", x.count - 1);
	write_line(w, "    target %s: f32[1]", c_identifier(r->arena, x.columns[x.count - 1].name));
	write_line(w, "    prediction = x -> dense(64) -> relu -> dense(1)");
	write_line(w, "    loss   mse(prediction, %s)", c_identifier(r->arena, x.columns[x.count - 1].name));
	write_line(w, "}");
	write_line(w, "train %s {", r->name);
	write_line(w, "    data table");
	write_line(w, "}");
}
