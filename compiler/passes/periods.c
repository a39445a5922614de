/* SPDX-License-Identifier: MIT */
/* Periods of a program: see periods.h. */
#include "passes/periods.h"

#include "base/map.h"
#include "base/writer.h"
#include "base/repeats.h"
#include "ir/op.h"

#include <inttypes.h>
#include <string.h>

static void write_attr(Writer *w, const Node *n, const Attr *a)
{
	if (n->op->place && strcmp(a->name, "start") == 0)
		return;
	write_text(w, " %s=", a->name);
	if (a->kind == ATTR_INT)
		write_text(w, "%" PRId64, a->i);
	else if (a->kind == ATTR_REAL)
		write_text(w, "%a", a->f);
	else if (a->kind == ATTR_TEXT)
		write_text(w, "%s", a->s);
	for (int i = 0; a->kind == ATTR_INTS && i < a->count; i++)
		write_text(w, "%" PRId64 ",", a->ints[i]);
}

/* What a step must have in common with another, as text. */
static const char *key_of(Arena *a, const Step *s)
{
	Writer *w = writer_new(a);
	write_text(w, "%d %d", s->kind, s->branch);
	for (int i = 0; i < s->node_count; i++) {
		const Node *n = s->nodes[i];
		write_text(w, "\n%s %s", n->op->name, type_text(a, n->type));
		for (int k = 0; k < n->attr_count; k++)
			write_attr(w, n, &n->attrs[k]);
		for (int k = 0; k < n->operand_count; k++) {
			int at = i - 1;
			while (at >= 0 && s->nodes[at] != n->operands[k])
				at--;
			if (at >= 0)
				write_text(w, " %d", at);
			else
				write_text(w, " %s", type_text(a, n->operands[k]->type));
		}
	}
	for (int i = 0; i < s->read_count; i++)
		write_text(w, " %d", s->reads[i]->class);
	for (int i = 0; i < s->write_count; i++)
		write_text(w, " %d", s->writes[i]->class);
	return writer_text(w, NULL);
}

Periods find_periods(Arena *a, const Program *p, int least)
{
	Arena *scratch = arena_new();
	RepeatCall *calls = NEW_ARRAY(scratch, RepeatCall, p->step_count);
	Map *symbols = map_new(scratch);
	Periods found = {0};
	for (int i = 0; i < p->step_count; i++) {
		Arena *text = arena_new();
		calls[i] = (RepeatCall){map_number(symbols, key_of(text, &p->steps[i])), ""};
		arena_free(text);
	}
	Runs runs = find_repeats(scratch, calls, p->step_count);
	for (int i = 0; i < runs.count; i++) {
		const Run *r = &runs.at[i];
		if (r->times >= least)
			array_push(a, &found, (Period){r->first, r->length, r->times});
	}
	arena_free(scratch);
	return found;
}
