/* SPDX-License-Identifier: MIT */
/* The calls of a program's steps as C functions: see emit_calls.h.
 *
 * A block is a run of calls that stands in the program several times, apart from numbers and addresses: its columns
 * (base/repeats.h, emit/columns.h). Calls that repeat nothing are written in the same way, as a block with one
 * repeat. */
#include "emit/emit_calls.h"

#include "base/array.h"
#include "emit/block_step.h"
#include "emit/emit_recurrence.h"
#include "emit/describe.h"
#include "codegen/expr.h"
#include "codegen/label.h"
#include "base/repeats.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_SHOWN = 6 };

/* How a call of a repeat must be like those of the others. */
static int symbol_of(const Emitter *e, const Part *part, int step, Map *symbols)
{
	const Step *s = &part->p->steps[step];
	const StepCall *call = &part->calls[step];
	Arena *scratch = arena_new();
	Writer *key = writer_new(scratch);
	if (s->recurrence && e->kernels) /* is a loop as it is */
		write_text(key, "%d ", step);
	write_text(key, "%d %s %d%d%d%d%d%d%d%d", s->kind, call->function ? call->function->callee : "",
	           call->waits >= 0, call->branch >= 0, call->bucket >= 0, call->bucket_waits >= 0,
	           call->scores_wait, call->states_ready, call->means_begin, call->means_end);
	for (int k = 0; k < call->count; k++)
		write_text(key, " %s %s %d", buffer_block(call->arguments[k]),
		           dtype_c_name(call->arguments[k]->type.dtype), call->from[k] > 0);
	if (step_moves(s))
		write_text(key, " %s %s %s %d", buffer_block(s->reads[0]), buffer_block(s->writes[0]),
		           dtype_c_name(s->writes[0]->type.dtype), s->write_count);
	const int symbol = map_number(symbols, writer_text(key, NULL));
	arena_free(scratch);
	return symbol;
}

static const char *scope_of(const Step *s)
{
	const char *scope = s->sites.count > 0 ? s->sites.at[0]->scope : NULL;
	return scope ? scope : "";
}

/* The outermost block that most of the calls are of. */
static const char *outermost(Arena *a, const Part *part, int first, int length)
{
	Map *counts = map_new(a);
	const char *best = "";
	int most = 0;
	for (int i = 0; i < length; i++) {
		const char *scope = scope_of(&part->p->steps[first + i]);
		const char *name = arena_strndup(a, scope, strcspn(scope, "."));
		int *count = map_get(counts, name);
		if (!count)
			map_set(counts, name, count = NEW(a, int));
		if (++*count > most) {
			most = *count;
			best = name;
		}
	}
	return best;
}

/* The path that the scopes of all calls begin with; where there is none, the outermost block of most calls. */
static const char *path_of(Arena *a, const Part *part, int first, int length)
{
	const char *path = scope_of(&part->p->steps[first]);
	size_t whole = strlen(path);
	for (int i = 1; i < length; i++) {
		const char *scope = scope_of(&part->p->steps[first + i]);
		size_t at = 0, common = 0;
		while (at < whole && scope[at] == path[at]) {
			at++;
			if ((at == whole || path[at] == '.') && (!scope[at] || scope[at] == '.'))
				common = at;
		}
		whole = common;
	}
	return whole > 0 ? arena_strndup(a, path, whole) : outermost(a, part, first, length);
}

/* A block's function, as it is called. */
typedef struct BlockFunction {
	const char *name;
	const char *const *paths; /* by repeat */
	bool scalars;
} BlockFunction;

/* "bottleneck_forward": after the block of the network, or after the heaviest call where it is of none. */
static const char *block_name(Block *b, int length)
{
	Arena *a = b->arena;
	const char *path = b->scopes[0], *dot = strrchr(path, '.'), *last = dot ? dot + 1 : path;
	size_t end = strlen(last);
	while (end > 0 && (isdigit((unsigned char)last[end - 1]) || last[end - 1] == '_'))
		end--;
	const char *stem = arena_strndup(a, last, end);
	for (int i = 0; i < length && !*stem; i++)
		if (step_at(b, 0, i)->root)
			stem = step_label(a, step_at(b, 0, i));
	if (!*stem)
		stem = step_label(a, step_at(b, 0, 0));
	const Phase *phases = step_phases(a, b->part->p);
	const char *what = b->part->what ? b->part->what : phase_name(phases[b->firsts[0]]);
	return emit_unique_name(b->e,
	                        c_identifier(a, arena_printf(a, "%s_%s", *stem ? stem : "steps", what)));
}

/* "bottleneck_2, bottleneck_3 ..."; "" where the network has no names for them. */
static const char *paths_text(Arena *a, const char *const *paths, int count)
{
	const char *text = "";
	int shown = 0;
	for (int r = 0; r < count && *paths[r]; r++) {
		if (r > 0 && strcmp(paths[r], paths[r - 1]) == 0)
			continue;
		if (++shown > NAMES_SHOWN)
			return arena_printf(a, "%s ...", text);
		text = arena_listed(a, text, "%s", paths[r]);
	}
	return comment_text(a, text);
}

/* By repeat, as C text. */
static const char *const *scope_texts(const Block *b)
{
	const char **texts = NEW_ARRAY(b->arena, const char *, b->repeats);
	for (int r = 0; r < b->repeats; r++)
		texts[r] = c_string(b->arena, b->scopes[r]);
	return texts;
}

/* `firsts`: of each repeat. */
static BlockFunction write_block(Emitter *e, const Part *part, const int *firsts, int repeats, int length)
{
	Arena *a = e->arena;
	Block b = {.e = e,
	           .arena = a,
	           .part = part,
	           .w = writer_new(a),
	           .firsts = firsts,
	           .repeats = repeats,
	           .locals = map_new(a),
	           .taken = map_new(a),
	           .columns = columns_new(a, repeats)};
	const char **paths = NEW_ARRAY(a, const char *, repeats);
	BlockFunction f = {.paths = paths};
	for (int r = 0; r < repeats; r++)
		paths[r] = path_of(a, part, firsts[r], length);
	b.scopes = paths;
	if (e->kernels && *paths[0])
		b.name = columns_text(b.columns, "name", "const char *", scope_texts(&b));
	for (int i = 0; i < length; i++) {
		const StepCall *call = call_at(&b, 0, i);
		f.scalars = f.scalars || call->scalars;
		if (call->function)
			map_set(b.taken, call->function->callee, e);
	}
	for (int i = 0; i < length; i++)
		write_step(&b, i);
	f.name = block_name(&b, length);
	const char *of = paths_text(a, paths, repeats);
	write_line(e->w, "/* %d call%s, %d times%s%s */", length, length == 1 ? "" : "s", repeats,
	           *of ? ": " : "", of);
	const char *table = arena_printf(a, "%s_at", f.name);
	if (columns_count(b.columns) > 0) {
		table = emit_unique_name(e, table);
		columns_write(b.columns, e->w, f.name, table, b.name ? NULL : paths);
	}
	write_line(e->w, "static void %s(const NnrMemory *m%s, int64_t i)", f.name,
	           f.scalars ? ", const NnrScalars *s" : "");
	write_line(e->w, "{");
	write_indent(e->w, 1);
	if (columns_count(b.columns) > 0)
		write_line(e->w, "const struct %s *const at = &%s[i];", f.name, table);
	else if (!columns_need_index(b.columns))
		write_line(e->w, "(void)i;");
	write_lines(e->w, writer_text(b.w, NULL));
	write_indent(e->w, -1);
	write_line(e->w, "}");
	write_line(e->w, "%s", "");
	return f;
}

static Runs runs_of(Emitter *e, const Part *part)
{
	RepeatCall *calls = NEW_ARRAY(e->arena, RepeatCall, part->count);
	Map *symbols = map_new(e->arena);
	for (int i = 0; i < part->count; i++)
		calls[i] = (RepeatCall){symbol_of(e, part, part->first + i, symbols),
		                        scope_of(&part->p->steps[part->first + i])};
	Runs runs = find_repeats(e->arena, calls, part->count);
	for (int i = 0; i < runs.count; i++)
		runs.at[i].first += part->first;
	return runs;
}

/* By block. */
static const BlockFunction *write_blocks(Emitter *e, const Part *part, const Runs *runs)
{
	BlockFunction *functions = NEW_ARRAY(e->arena, BlockFunction, runs->block_count);
	for (int k = 0; k < runs->block_count; k++) {
		ARRAY(int) firsts = {0};
		int length = 0;
		for (int i = 0; i < runs->count; i++) {
			const Run *run = &runs->at[i];
			for (int r = 0; r < run->times && run->block == k; r++)
				array_push(e->arena, &firsts, run->first + r * run->length);
			length = run->block == k ? run->length : length;
		}
		functions[k] = write_block(e, part, firsts.at, firsts.count, length);
	}
	return functions;
}

/* Whether all steps of the run are of one recurrence, whose rows threads share out. */
static bool shares_rows(const Program *p, const Run *run)
{
	const Recurrence *r = p->steps[run->first].recurrence;
	for (int i = 1; i < run->length * run->times; i++)
		if (p->steps[run->first + i].recurrence != r)
			return false;
	return r != NULL;
}

static void write_run(Emitter *e, const Program *p, const Run *run, const BlockFunction *f)
{
	const char *scalars = f->scalars ? ", s" : "";
	const char *path = comment_text(e->arena, f->paths[run->number]);
	if (run->times > 1) {
		if (shares_rows(p, run))
			write_line(e->w, "#pragma omp parallel");
		write_line(e->w, "for (int64_t i = %d; i < %d; i++)", run->number, run->number + run->times);
		write_line(e->w, "\t%s(m%s, i);", f->name, scalars);
	} else {
		write_line(e->w, "%s(m%s, %d);%s%s", f->name, scalars, run->number, *path ? " // " : "",
		           path);
	}
}

void emit_part(Emitter *e, const Part *part, const char *name)
{
	const Program *p = part->p;
	int end = part->first + part->count;
	bool scalars = part->before != NULL;
	Runs runs = runs_of(e, part);
	const BlockFunction *blocks = write_blocks(e, part, &runs);
	for (int s = part->first; s < end; s++)
		scalars = scalars || part->calls[s].scalars;
	write_line(e->w, "static void %s(const NnrMemory *m, const NnrScalars *s)", name);
	write_line(e->w, "{");
	write_indent(e->w, 1);
	if (!scalars)
		write_line(e->w, "(void)s;");
	if (part->before)
		write_line(e->w, "%s(m, s); /* steps 1 to %d */", part->before, part->first);
	const Phase *phases = step_phases(e->arena, p);
	Map *declared = map_new(e->arena), *taken = map_new(e->arena);
	const char *no_scope = "";
	for (int s = part->first, next = 0, length; s < end; s += length) {
		const Run *run = next < runs.count && runs.at[next].first == s ? &runs.at[next++] : NULL;
		if (s == 0 || phases[s] != phases[s - 1]) {
			if (s > 0)
				write_line(e->w, "%s", "");
			write_line(e->w, "/* ---- %s */", phase_name(phases[s]));
		}
		const Recurrence *r = e->kernels ? p->steps[s].recurrence : NULL;
		if (r)
			write_recurrence_call(e, part, s);
		else if (run)
			write_run(e, p, run, &blocks[run->block]);
		else
			write_step(&(Block){.e = e,
			                    .arena = e->arena,
			                    .part = part,
			                    .w = e->w,
			                    .firsts = &s,
			                    .repeats = 1,
			                    .scopes = &no_scope,
			                    .locals = declared,
			                    .taken = taken,
			                    .columns = columns_new(e->arena, 1)},
			           0);
		length = r ? r->period * r->times : run ? run->length * run->times : 1;
	}
	write_indent(e->w, -1);
	write_line(e->w, "}");
	write_line(e->w, "%s", "");
}
