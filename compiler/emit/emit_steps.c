/* SPDX-License-Identifier: MIT */
/* The table of a training program's steps (step_table.h) as C, from which `EXE profile` tells where the time goes, and
 * the .net files with it. */
#include "base/repeats.h"
#include "base/version.h"
#include "emit/rows.h"
#include "emit/step_table.h"

#include <stdlib.h>
#include <string.h>

enum { MANY = 16 /* repeats that are rows once */ };

static const char *phase_constant(Phase phase)
{
	static const char *const names[PHASES] = {"NNR_PHASE_FORWARD", "NNR_PHASE_LOSS", "NNR_PHASE_BACKWARD",
	                                          "NNR_PHASE_UPDATE"};
	return names[phase];
}

/* "p + 2": a place, from the row's own on. */
static const char *place_text(Arena *a, int place, int own)
{
	if (place == NO_PLACE || own == NO_PLACE)
		return arena_printf(a, "%d", place);
	return place == own ? "p" : arena_printf(a, "p %c %d", place < own ? '-' : '+', abs(place - own));
}

/* A row of the table, as rows_add wants it. */
typedef struct RowText {
	const char *name, *body, *arguments, *full;
	int number; /* of what is written so, from 0 */
} RowText;

/* Its texts are in `a`. Of a layer that is repeated all but the place is the same. */
static RowText row_text(Arena *a, const StepRow *r)
{
	const int own = r->shares.count > 0 ? r->shares.at[0].place : NO_PLACE;
	const char *head = arena_printf(
	        a, "{%s, %s, %s, %s, %s, %.17g, %.17g, %d, (const NnrShare[]){", c_string(a, r->name),
	        c_string(a, r->what), r->library ? c_string(a, r->library) : "NULL", phase_constant(r->phase),
	        r->converts ? "true" : "false", r->flops, r->bytes, r->shares.count);
	Writer *full = writer_new(a), *body = writer_new(a);
	write_text(full, "%s", head);
	write_text(body, "%s", head);
	for (int i = 0; i < r->shares.count; i++) {
		const StepShare *s = &r->shares.at[i];
		const char *rest = arena_printf(a, "%s, %.6g}", phase_constant(s->phase), s->weight),
		           *comma = i ? ", " : "";
		write_text(full, "%s{%d, %s", comma, s->place, rest);
		write_text(body, "%s{%s, %s", comma, place_text(a, s->place, own), rest);
	}
	return (RowText){.name = arena_printf(a, "step_%s", r->name),
	                 .body = arena_printf(a, "%s}}", writer_text(body, NULL)),
	                 .arguments = arena_printf(a, "%d", own),
	                 .full = arena_printf(a, "%s}}", writer_text(full, NULL))};
}

static void add_row(Rows *rows, const RowText *r)
{
	rows_add(rows, r->name, "p", r->body, r->arguments, r->full);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (size_t i = 0; i <= strlen(text); i++) /* with its end, so that no two texts run together */
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u; /* FNV-1a */
	return hash;
}

/* By what nnc makes the same network for another number of ranks, and what such a trainer is recognised by. */
static void emit_program(Emitter *e, const StepTable *t)
{
	uint64_t hash = hash_text(0xcbf29ce484222325u, NNC_VERSION);
	if (!e->compiled->file)
		return;
	for (int i = 0; i < t->places->files.count; i++)
		hash = hash_text(hash, t->places->files.at[i]->text);
	write_line(e->w, "/* What nnc was told, and what it made of that: a trainer for other ranks is made, "
	                 "and known, by it. "
	                 "*/");
	write_line(e->w, "static const char *const words[] = {");
	for (int i = 0; i < e->options->word_count; i++) {
		write_line(e->w, "\t%s,", c_string(t->arena, e->options->words[i]));
		hash = hash_text(hash, e->options->words[i]);
	}
	write_line(e->w, "\tNULL,");
	write_line(e->w, "};");
	e->program = arena_printf(e->arena, "nnc program %016llx for %lld ranks", (unsigned long long)hash,
	                          (long long)e->compiled->source->recipe->ranks);
	write_line(e->w, "static const char program[] = \"%s\";", e->program);
	e->word_count = e->options->word_count;
}

static void write_places(Writer *w, const StepTable *t)
{
	int column = 0;
	Writer *items = writer_new(t->arena);
	for (int i = 0; i < t->places->at.count; i++) {
		const NetPlace *p = &t->places->at.at[i];
		write_item(items, &column,
		           arena_printf(t->arena, "{%d, %d, %d, %s},", p->file, p->line, p->parent,
		                        c_string(t->arena, p->scope)));
	}
	if (t->places->at.count > 0)
		write_lines(w, arena_printf(t->arena, "%s\n", writer_text(items, NULL)));
	else
		write_line(w, "\t{0},");
}

/* Named relative to the folder of the first of them, which is the model's. */
static void write_files(Emitter *e, const StepTable *t)
{
	Writer *w = e->w;
	const Source *main = e->compiled->source->recipe->loc.source;
	const char *slash = main ? strrchr(main->path, '/') : NULL;
	int folder = slash ? (int)(slash + 1 - main->path) : 0;
	const char **names = NEW_ARRAY(t->arena, const char *, t->places->files.count + 1);
	for (int i = 0; i < t->places->files.count; i++) {
		const Source *s = t->places->files.at[i];
		names[i] = emit_unique_name(e, "lines");
		write_line(w, "static const char *const %s[] = {", names[i]);
		for (int k = 0; k < source_lines(s); k++)
			write_line(w, "\t%s,", c_string(t->arena, source_line(t->arena, s, k)));
		write_line(w, "};");
	}
	emit_program(e, t);
	write_line(w, "static const NnrSource sources[] = {");
	for (int i = 0; i < t->places->files.count; i++) {
		const char *path = t->places->files.at[i]->path;
		if (main && strncmp(path, main->path, (size_t)folder) == 0)
			path += folder;
		const char *base = strrchr(path, '/');
		write_line(w, "\t{%s, %s, %d},", c_string(t->arena, path[0] == '/' ? base + 1 : path),
		           names[i], source_lines(t->places->files.at[i]));
	}
	if (t->places->files.count == 0)
		write_line(w, "\t{0},");
	write_line(w, "};");
	write_line(w, "static const NnrPlace places[] = {");
	write_places(w, t);
	write_line(w, "};");
}

/* By step; those of equal steps are one. */
static const RowText **texts_of_rows(StepTable *t, const char *const *functions)
{
	Map *known = map_new(t->arena);
	const RowText **texts = NEW_ARRAY(t->arena, const RowText *, t->p->step_count);
	for (int i = 0; i < t->p->step_count; i++) {
		Arena *scratch = arena_new();
		StepRow row = step_table_row(t, scratch, i, functions[i]);
		RowText text = row_text(scratch, &row);
		if (!map_get(known, text.full)) {
			RowText *kept = NEW(t->arena, RowText);
			*kept = row_text(t->arena, &row);
			kept->number = map_count(known);
			map_set(known, kept->full, kept);
		}
		texts[i] = map_get(known, text.full);
		arena_free(scratch);
	}
	return texts;
}

/* Of rows that come again and again, as those of a scan's steps do, the first stand there for all. Writes how often
 * each comes, unless all come once. */
static void add_rows(Emitter *e, StepTable *t, Rows *rows, const char *const *functions)
{
	Arena *a = t->arena;
	const int count = t->p->step_count;
	const RowText **texts = texts_of_rows(t, functions);
	RepeatCall *calls = NEW_ARRAY(a, RepeatCall, count);
	for (int i = 0; i < count; i++)
		calls[i] = (RepeatCall){texts[i]->number, ""};
	const Runs runs = find_repeats(a, calls, count);
	const char *times = "";
	int next = 0;
	for (int i = 0; i < runs.count; i++) {
		const Run *run = &runs.at[i];
		if (run->times < MANY)
			continue;
		if (run->first > next)
			times = arena_printf(a, "%s{%d, 1}, ", times, run->first - next);
		times = arena_printf(a, "%s{%d, %d}, ", times, run->length, run->times);
		for (int k = next; k < run->first + run->length; k++)
			add_row(rows, texts[k]);
		next = run->first + run->length * run->times;
	}
	for (int k = next; k < count; k++)
		add_row(rows, texts[k]);
	e->has_step_runs = *times;
	if (*times)
		write_line(e->w, "static const NnrStepRun step_runs[] = {%.*s};", (int)strlen(times) - 2,
		           times);
}

static void add_onchip_rows(StepTable *t, Rows *rows, const char *const *functions)
{
	StepRow both[2];
	step_table_onchip(t, functions, both);
	for (int i = 0; i < 2; i++) {
		const RowText text = row_text(t->arena, &both[i]);
		add_row(rows, &text);
	}
}

void emit_steps(Emitter *e, const Program *p, const char *const *functions)
{
	StepTable *t = step_table_new(e->arena, p, e->target, net_places_new(e->arena));
	write_line(e->w, "/* For `profile`: the steps above, and which part of each is whose line of the "
	                 ".net files: by FLOPs,");
	write_line(e->w, " * of the update by parameters. {name, formula, library, phase, converts, FLOP, B, "
	                 "shares: {place, "
	                 "phase, weight}} */");
	Rows *rows = rows_new(e);
	if (p->onchip)
		add_onchip_rows(t, rows, functions);
	else
		add_rows(e, t, rows, functions);
	rows_write(rows, "static const NnrStep steps[]");
	e->source_count = t->places->files.count;
	if (e->compiled->file) /* NULL: a graph that a test has made */
		net_places_add_files(t->places, e->compiled->file);
	write_files(e, t);
	write_text(e->w, "\n");
	e->step_count = p->onchip ? 2 : p->step_count;
	e->place_count = t->places->at.count;
	e->file_count = t->places->files.count;
}
