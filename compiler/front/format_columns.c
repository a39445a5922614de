/* SPDX-License-Identifier: MIT */
/* The columns of nnc fmt: the first words of settings and of declarations, arrows of a chain, comments. */
#include "front/format.h"
#include "parser.h"
#include <limits.h>

enum { PAD_MAX = 40 /* a column that would take more padding is not made */ };

static bool is_declaration(int kind)
{
	return kind == INPUT || kind == TARGET || kind == PARAM || kind == OUTPUT || kind == LOSS ||
	       kind == METRIC;
}

/* After the first words of rows [from, to): what follows them is put into one column. */
static void pad_first_words(Format *f, const int *rows, int from, int to)
{
	int width = 0;
	for (int k = from; k < to; k++)
		if (format_text_length(&f->at[rows[k]]) > width)
			width = format_text_length(&f->at[rows[k]]);
	for (int k = from; k < to && width <= PAD_MAX; k++) {
		Piece *next = &f->at[rows[k] + 1];
		if (rows[k] + 1 < f->count && !next->breaks && !format_is_comment(next))
			next->pad += width - format_text_length(&f->at[rows[k]]);
	}
}

/* Settings of one recipe; declarations in lines that follow one another. */
void format_align_rows(Format *f)
{
	ARRAY(int) rows = {0};
	int from = 0;
	for (int i = 0; i < f->count; i++)
		if (f->at[i].marks & MARK_STATEMENT)
			array_push(f->arena, &rows, i);
	while (from < rows.count) {
		int to = from;
		bool setting = f->at[rows.at[from]].marks & MARK_SETTING;
		for (; to < rows.count; to++) {
			const Piece *p = &f->at[rows.at[to]];
			if (setting ? !(p->marks & MARK_SETTING) : !is_declaration(p->t.kind))
				break;
			if (!setting && to > from &&
			    (p->blank || (format_is_comment(p - 1) && p[-1].t.first)))
				break;
		}
		if (to > from)
			pad_first_words(f, rows.at, from, to);
		from = to > from ? to : from + 1;
	}
}

/* A line of a chain, walked arrow by arrow on the level of its first one. */
typedef struct Row {
	int arrow; /* piece, -1: no more */
	int shift; /* padding so far */
} Row;

/* The first arrow at or after piece i on the same line, on the given level or any (-1); -1: none. */
static int find_arrow(const Format *f, int i, int line, int level)
{
	for (; i < f->count && f->at[i].line == line; i++)
		if (f->at[i].t.kind == ARROW && (level < 0 || f->at[i].level == level))
			return i;
	return -1;
}

/* The arrows of rows [from, to) stand in one column of the source: and so they do in the output. */
static void pad_arrows(Format *f, Row *rows, int from, int to)
{
	int target = 0, least = INT_MAX;
	for (int r = from; r < to; r++) {
		int column = f->at[rows[r].arrow].column + rows[r].shift;
		target = column > target ? column : target;
		least = column < least ? column : least;
	}
	for (int r = from; r < to && target - least <= PAD_MAX; r++) {
		Piece *p = &f->at[rows[r].arrow];
		p->pad += target - p->column - rows[r].shift;
		rows[r].shift = target - p->column;
	}
}

static void align_chain(Format *f, Row *rows, int count)
{
	for (bool more = count > 1; more;) {
		more = false;
		for (int r = 0; r < count; r++) {
			int i = rows[r].arrow;
			if (i >= 0)
				rows[r].arrow = find_arrow(f, i + 1, f->at[i].line, f->at[i].level);
			more |= rows[r].arrow >= 0;
		}
		for (int from = 0, to; from < count; from = to) {
			to = from + 1;
			if (rows[from].arrow < 0)
				continue;
			int column = f->at[rows[from].arrow].t.column;
			while (to < count && rows[to].arrow >= 0 && f->at[rows[to].arrow].t.column == column)
				to++;
			pad_arrows(f, rows, from, to);
		}
	}
}

/* Lines that follow one another and begin with arrows in one column are one chain, with the line above them. */
void format_align_arrows(Format *f)
{
	ARRAY(Row) rows = {0};
	for (int i = 0, next; i < f->count; i = next) {
		int line = f->at[i].line;
		for (next = i; next < f->count && f->at[next].line == line; next++)
			;
		int arrow = find_arrow(f, i, line, -1);
		const Piece *p = &f->at[i], *first = rows.count ? &f->at[rows.at[0].arrow] : NULL;
		bool goes_on = first && arrow == i && p->level == first->level && p->column == first->column;
		if (!goes_on) {
			align_chain(f, rows.at, rows.count);
			rows.count = 0;
		}
		if (arrow >= 0)
			array_push(f->arena, &rows, (Row){.arrow = arrow});
	}
	align_chain(f, rows.at, rows.count);
}

/* Comments after the code of consecutive lines. */
void format_align_comments(Format *f)
{
	for (int i = 0, last; i < f->count; i = last + 1) {
		last = i;
		if (!format_is_comment(&f->at[i]) || f->at[i].breaks)
			continue;
		int target = f->at[i].column, least = target;
		for (int k = i + 1; k < f->count && f->at[k].line <= f->at[last].line + 1; k++) {
			const Piece *p = &f->at[k];
			if (!format_is_comment(p) || p->breaks)
				continue;
			target = p->column > target ? p->column : target;
			least = p->column < least ? p->column : least;
			last = k;
		}
		for (int k = i; k <= last && target - least <= PAD_MAX; k++)
			if (format_is_comment(&f->at[k]) && !f->at[k].breaks)
				f->at[k].pad += target - f->at[k].column;
	}
}
