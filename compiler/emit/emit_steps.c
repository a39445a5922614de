/* The table of a training program's steps, from which `EXE profile` tells where the time goes: the .net files, the
 * places in them, and for each step what share of it each place has.
 *
 * A step is shared by the FLOPs of its nodes, a node's equally by its places; one that computes nothing by elements.
 * The update works on all parameters at once: it is shared by the elements that each layer has of them. */
#include "codegen/implementations.h"
#include "emit/describe.h"
#include "ir/onchip.h"
#include "codegen/expr.h"
#include "codegen/label.h"
#include "base/repeats.h"
#include "emit/rows.h"
#include "ir/op.h"
#include "base/version.h"

#include <stdlib.h>
#include <string.h>

enum {
	WHAT_MOST = 120,
	NO_PLACE = -1,
	MANY = 16, /* repeats that are rows once */
};

typedef struct Share {
	int place; /* NO_PLACE: no line of a .net file */
	Phase phase;
	double weight;
} Share;

typedef ARRAY(Share) Shares;

typedef struct StepTable {
	Emitter *e;
	Arena *arena;
	const Program *p;
	const Phase *of_node, *of_step;
	const Node *pack; /* of the gradients; NULL: nothing is trained */
	SourceList files;
	Map *numbers; /* "file:line:parent:scope" -> number of the place, from 1 */
	Writer *places;
	int column; /* in its last line */
} StepTable;

static int file_number(StepTable *t, const Source *file)
{
	for (int i = 0; i < t->files.count; i++)
		if (t->files.at[i] == file)
			return i;
	array_push(t->arena, &t->files, file);
	return t->files.count - 1;
}

/* The number of a site's line in its instantiation; parents come before what they hold. */
static int place_number(StepTable *t, const Site *s)
{
	if (!s || !s->loc.source)
		return NO_PLACE;
	int parent = place_number(t, s->parent), file = file_number(t, s->loc.source),
	    line = loc_line(s->loc);
	const char *scope = s->scope ? s->scope : "";
	const char *key = arena_printf(t->arena, "%d:%d:%d:%s", file, line, parent, scope);
	int *number = map_get(t->numbers, key);
	if (!number) {
		number = NEW(t->arena, int);
		*number = map_count(t->numbers);
		map_set(t->numbers, key, number);
		const char *item = arena_printf(t->arena, "{%d, %d, %d, %s},", file, line, parent,
		                                c_string(t->arena, scope));
		write_item(t->places, &t->column, item);
	}
	return *number;
}

static void add_share(StepTable *t, Shares *shares, int place, Phase phase, double weight)
{
	for (int i = 0; i < shares->count; i++)
		if (shares->at[i].place == place && shares->at[i].phase == phase) {
			shares->at[i].weight += weight;
			return;
		}
	array_push(t->arena, shares, (Share){place, phase, weight});
}

static void add_sites(StepTable *t, Shares *shares, Sites sites, Phase phase, double weight)
{
	if (sites.count == 0)
		add_share(t, shares, NO_PLACE, phase, weight);
	for (int i = 0; i < sites.count; i++)
		add_share(t, shares, place_number(t, sites.at[i]), phase, weight / sites.count);
}

static bool works_on_pack(const StepTable *t, const Step *s)
{
	for (int i = 0; i < s->node_count && t->pack; i++)
		for (int k = 0; k < s->nodes[i]->operand_count; k++)
			if (type_elements(s->nodes[i]->operands[k]->type) == type_elements(t->pack->type))
				return true;
	return false;
}

/* How many of the elements from `first` on belong to the step's range. */
static int64_t elements_of(const StepRange *r, int64_t first, int64_t count)
{
	if (r->count == 0)
		return count;
	int64_t low = r->first > first ? r->first : first, end = first + count,
	        high = r->first + r->count < end ? r->first + r->count : end,
	        within = high > low ? high - low : 0;
	return r->others ? count - within : within;
}

/* By layers; the line of the optimizer is named, with nothing of its own. */
static void share_update(StepTable *t, Shares *shares, const Step *s)
{
	int64_t first = 0;
	for (int k = 0; k < t->pack->operand_count; k++) {
		const Node *gradient = t->pack->operands[k];
		int64_t count = type_elements(gradient->type), part = elements_of(&s->range, first, count);
		if (part > 0)
			add_sites(t, shares, gradient->sites, PHASE_UPDATE, (double)part);
		first += count;
	}
	add_sites(t, shares, s->sites, PHASE_UPDATE, 0);
}

static void share_nodes(StepTable *t, Shares *shares, const Step *s, Phase phase)
{
	double flops = 0;
	for (int i = 0; i < s->node_count; i++)
		flops += node_cost(s->nodes[i]).flops;
	for (int i = 0; i < s->node_count; i++) {
		const Node *n = s->nodes[i];
		double weight = flops > 0 ? node_cost(n).flops : (double)type_elements(n->type);
		if (weight > 0)
			add_sites(t, shares, n->sites, t->of_node[n->id], weight);
	}
	if (s->node_count == 0)
		add_sites(t, shares, s->sites, phase, 1);
}

static void share(StepTable *t, Shares *shares, const Step *s)
{
	Phase phase = t->of_step[s->id];
	if (phase == PHASE_UPDATE && works_on_pack(t, s))
		share_update(t, shares, s);
	else
		share_nodes(t, shares, s, phase);
}

/* Whether all that the step does is to lay a tensor out anew. */
static bool step_converts(const Step *s)
{
	bool transposes = false;
	for (int i = 0; i < s->node_count; i++) {
		if (node_cost(s->nodes[i]).flops > 0)
			return false;
		transposes = transposes || s->nodes[i]->op->move == MOVE_TRANSPOSE;
	}
	return transposes;
}

static const char *library_name(const StepTable *t, const Step *s)
{
	const Implementation *m = s->kind == STEP_ALL_REDUCE ? &implementation_ranks
	                          : s->root                  ? implementation_of(s->root)
	                                                     : NULL;
	const char *name = m && m->library ? m->library(s->root, t->e->target) : NULL;
	return name ? arena_printf(t->e->arena, "\"%s\"", name) : "NULL";
}

typedef struct StepRow {
	const char *name, *what, *library;
	Phase phase;
	bool converts;
	double flops, bytes;
	Shares shares;
} StepRow;

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
	const char *head =
	        arena_printf(a, "{%s, %s, %s, %s, %s, %.17g, %.17g, %d, (const NnrShare[]){",
	                     c_string(a, r->name), c_string(a, r->what), r->library, phase_constant(r->phase),
	                     r->converts ? "true" : "false", r->flops, r->bytes, r->shares.count);
	Writer *full = writer_new(a), *body = writer_new(a);
	write_text(full, "%s", head);
	write_text(body, "%s", head);
	for (int i = 0; i < r->shares.count; i++) {
		const Share *s = &r->shares.at[i];
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

/* Without the empty line after the last end of line. */
static int lines_of(const Source *s)
{
	return s->line_count > 1 && s->line_starts[s->line_count - 1] == s->length ? s->line_count - 1
	                                                                           : s->line_count;
}

/* Appends those of the model's files that no place is in, and that a network is nothing without all the same. */
static void add_other_files(StepTable *t)
{
	if (!t->e->compiled->file) /* of a graph that a test has made */
		return;
	SourceList all = source_files(t->arena, t->e->compiled->file);
	for (int i = 0, placed = t->files.count; i < all.count; i++) {
		int k = 0;
		while (k < placed && strcmp(t->files.at[k]->path, all.at[i]->path) != 0)
			k++;
		if (k == placed)
			array_push(t->arena, &t->files, all.at[i]);
	}
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (size_t i = 0; i <= strlen(text); i++) /* with its end, so that no two texts run together */
		hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u; /* FNV-1a */
	return hash;
}

/* By what nnc makes the same network for another number of ranks, and what such a trainer is recognised by. */
static void emit_program(StepTable *t)
{
	Emitter *e = t->e;
	uint64_t hash = hash_text(0xcbf29ce484222325u, NNC_VERSION);
	if (!e->compiled->file)
		return;
	for (int i = 0; i < t->files.count; i++)
		hash = hash_text(hash, t->files.at[i]->text);
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
	write_line(e->w, "static const char program[] = \"nnc program %016llx for %lld ranks\";",
	           (unsigned long long)hash, (long long)e->compiled->source->recipe->ranks);
	e->word_count = e->options->word_count;
}

/* Named relative to the folder of the first of them, which is the model's. */
static void write_files(StepTable *t)
{
	Writer *w = t->e->w;
	const Source *main = t->e->compiled->source->recipe->loc.source;
	const char *slash = main ? strrchr(main->path, '/') : NULL;
	int folder = slash ? (int)(slash + 1 - main->path) : 0;
	const char **names = NEW_ARRAY(t->arena, const char *, t->files.count + 1);
	for (int i = 0; i < t->files.count; i++) {
		const Source *s = t->files.at[i];
		names[i] = emit_unique_name(t->e, "lines");
		write_line(w, "static const char *const %s[] = {", names[i]);
		for (int k = 0; k < lines_of(s); k++) {
			const char *line = s->text + s->line_starts[k];
			write_line(w, "\t%s,",
			           c_string(t->arena, arena_strndup(t->arena, line, strcspn(line, "\r\n"))));
		}
		write_line(w, "};");
	}
	emit_program(t);
	write_line(w, "static const NnrSource sources[] = {");
	for (int i = 0; i < t->files.count; i++) {
		const char *path = t->files.at[i]->path;
		if (main && strncmp(path, main->path, (size_t)folder) == 0)
			path += folder;
		const char *base = strrchr(path, '/');
		write_line(w, "\t{%s, %s, %d},", c_string(t->arena, path[0] == '/' ? base + 1 : path),
		           names[i], lines_of(t->files.at[i]));
	}
	if (t->files.count == 0)
		write_line(w, "\t{0},");
	write_line(w, "};");
	write_line(w, "static const NnrPlace places[] = {");
	if (map_count(t->numbers) > 0)
		write_lines(w, arena_printf(t->arena, "%s\n", writer_text(t->places, NULL)));
	if (map_count(t->numbers) == 0)
		write_line(w, "\t{0},");
	write_line(w, "};");
}

/* Bytes that the program's two kernels move of what is in memory at all, each buffer once. */
static double onchip_bytes(const Program *p)
{
	double bytes = 0;
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		if (!b->inside && b->class != BUFFER_CHIP && b->class != BUFFER_HELD)
			bytes += (double)b->bytes;
	}
	return bytes;
}

/* Two kernels: all but the update, sums over the batch included, is the samples'. */
static void add_onchip_rows(StepTable *t, Rows *rows, const char *const *functions)
{
	const Program *p = t->p;
	const Step *update = onchip_update_step(p);
	StepRow samples = {functions[0],
	                   "forward and backward of each sample",
	                   "NULL",
	                   PHASE_FORWARD,
	                   false,
	                   0,
	                   0,
	                   {0}},
	        rest = {functions[1],  "sums over the batch, and the update",
	                "NULL",        PHASE_UPDATE,
	                false,         update->flops,
	                update->bytes, {0}};
	for (int s = 0; s < p->step_count; s++) {
		bool is_update = &p->steps[s] == update;
		share(t, is_update ? &rest.shares : &samples.shares, &p->steps[s]);
		samples.flops += is_update ? 0 : p->steps[s].flops;
	}
	samples.bytes = onchip_bytes(p) - update->bytes > 0 ? onchip_bytes(p) - update->bytes : 0;
	const RowText first = row_text(t->arena, &samples), second = row_text(t->arena, &rest);
	add_row(rows, &first);
	add_row(rows, &second);
}

/* What the step computes, in the function's own names; which layer that is of, its place tells. */
static const char *purpose(Arena *a, const StepTable *t, const Step *s)
{
	if (step_moves(s))
		return step_formula(a, t->p, s, NULL, WHAT_MOST);
	Tensors tensors = tensors_of_step(a, t->p, s);
	const char *formula = step_formula(a, t->p, s, &tensors, WHAT_MOST);
	bool in_words = strcmp(formula, comment_text(a, step_words(a, s))) == 0;
	return in_words ? step_label(a, s) : formula;
}

/* By step; those of equal steps are one. */
static const RowText **texts_of_rows(StepTable *t, const char *const *functions)
{
	Map *known = map_new(t->arena);
	const RowText **texts = NEW_ARRAY(t->arena, const RowText *, t->p->step_count);
	for (int i = 0; i < t->p->step_count; i++) {
		const Step *s = &t->p->steps[i];
		Arena *scratch = arena_new();
		StepRow row = {.name = functions[i] ? functions[i] : "copy",
		               .what = purpose(scratch, t, s),
		               .library = library_name(t, s),
		               .phase = t->of_step[i],
		               .converts = step_converts(s),
		               .flops = s->flops,
		               .bytes = s->bytes};
		share(t, &row.shares, s);
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
static void add_rows(StepTable *t, Rows *rows, const char *const *functions)
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
	t->e->has_step_runs = *times;
	if (*times)
		write_line(t->e->w, "static const NnrStepRun step_runs[] = {%.*s};", (int)strlen(times) - 2,
		           times);
}

void emit_steps(Emitter *e, const Program *p, const char *const *functions)
{
	StepTable t = {.e = e,
	               .arena = e->arena,
	               .p = p,
	               .of_node = node_phases(e->arena, p->graph),
	               .of_step = step_phases(e->arena, p),
	               .numbers = map_new(e->arena),
	               .places = writer_new(e->arena)};
	for (int i = 0; i < p->graph->count; i++)
		if (p->graph->nodes[i]->op->flags & OP_PACK)
			t.pack = p->graph->nodes[i];
	write_line(e->w, "/* For `profile`: the steps above, and which part of each is whose line of the "
	                 ".net files: by FLOPs,");
	write_line(e->w, " * of the update by parameters. {name, formula, library, phase, converts, FLOP, B, "
	                 "shares: {place, "
	                 "phase, weight}} */");
	Rows *rows = rows_new(e);
	if (p->onchip)
		add_onchip_rows(&t, rows, functions);
	else
		add_rows(&t, rows, functions);
	rows_write(rows, "static const NnrStep steps[]");
	e->source_count = t.files.count;
	add_other_files(&t);
	write_files(&t);
	write_text(e->w, "\n");
	e->step_count = p->onchip ? 2 : p->step_count;
	e->place_count = map_count(t.numbers);
	e->file_count = t.files.count;
}
