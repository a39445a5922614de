/* SPDX-License-Identifier: MIT */
/* Places and shares of steps: see step_table.h. */
#include "emit/step_table.h"
#include "base/writer.h"
#include "codegen/implementations.h"

#include "codegen/label.h"
#include "emit/describe.h"
#include "ir/onchip.h"
#include "ir/op.h"

#include <string.h>

enum { WHAT_MOST = 120 };

NetPlaces *net_places_new(Arena *a)
{
	NetPlaces *places = NEW(a, NetPlaces);
	*places = (NetPlaces){.arena = a, .numbers = map_new(a)};
	return places;
}

static int file_number(NetPlaces *places, const Source *file)
{
	for (int i = 0; i < places->files.count; i++)
		if (places->files.at[i] == file)
			return i;
	array_push(places->arena, &places->files, file);
	return places->files.count - 1;
}

int net_place(NetPlaces *places, const Site *s)
{
	if (!s || !s->loc.source)
		return NO_PLACE;
	int parent = net_place(places, s->parent), file = file_number(places, s->loc.source),
	    line = loc_line(s->loc);
	const char *scope = s->scope ? s->scope : "";
	const char *key = arena_printf(places->arena, "%d:%d:%d:%s", file, line, parent, scope);
	int *number = map_get(places->numbers, key);
	if (!number) {
		number = NEW(places->arena, int);
		*number = map_count(places->numbers);
		map_set(places->numbers, key, number);
		array_push(places->arena, &places->at, (NetPlace){file, line, parent, scope});
	}
	return *number;
}

static void add_share(StepTable *t, StepShares *shares, int place, Phase phase, double weight)
{
	for (int i = 0; i < shares->count; i++)
		if (shares->at[i].place == place && shares->at[i].phase == phase) {
			shares->at[i].weight += weight;
			return;
		}
	array_push(t->arena, shares, (StepShare){place, phase, weight});
}

static void add_sites(StepTable *t, StepShares *shares, Sites sites, Phase phase, double weight)
{
	if (sites.count == 0)
		add_share(t, shares, NO_PLACE, phase, weight);
	for (int i = 0; i < sites.count; i++)
		add_share(t, shares, net_place(t->places, sites.at[i]), phase, weight / sites.count);
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
static void share_update(StepTable *t, StepShares *shares, const Step *s)
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

static void share_nodes(StepTable *t, StepShares *shares, const Step *s, Phase phase)
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

static void share(StepTable *t, StepShares *shares, const Step *s)
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
	return m && m->library ? m->library(s->root, t->target) : NULL;
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

StepRow step_table_row(StepTable *t, Arena *a, int step, const char *name)
{
	const Step *s = &t->p->steps[step];
	StepRow row = {.name = name ? name : "copy",
	               .what = purpose(a, t, s),
	               .library = library_name(t, s),
	               .phase = t->of_step[step],
	               .converts = step_converts(s),
	               .flops = s->flops,
	               .bytes = s->bytes};
	share(t, &row.shares, s);
	return row;
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

void step_table_onchip(StepTable *t, const char *const *names, StepRow rows[2])
{
	const Program *p = t->p;
	const Step *update = onchip_update_step(p);
	rows[0] = (StepRow){
	        .name = names[0], .what = "forward and backward of each sample", .phase = PHASE_FORWARD};
	rows[1] = (StepRow){.name = names[1],
	                    .what = "sums over the batch, and the update",
	                    .phase = PHASE_UPDATE,
	                    .flops = update->flops,
	                    .bytes = update->bytes};
	for (int s = 0; s < p->step_count; s++) {
		bool is_update = &p->steps[s] == update;
		share(t, &rows[is_update].shares, &p->steps[s]);
		rows[0].flops += is_update ? 0 : p->steps[s].flops;
	}
	rows[0].bytes = onchip_bytes(p) - update->bytes > 0 ? onchip_bytes(p) - update->bytes : 0;
}

StepTable *step_table_new(Arena *a, const Program *p, const Target *target, NetPlaces *places)
{
	StepTable *t = NEW(a, StepTable);
	*t = (StepTable){.arena = a,
	                 .p = p,
	                 .target = target,
	                 .of_node = node_phases(a, p->graph),
	                 .of_step = step_phases(a, p),
	                 .places = places};
	for (int i = 0; i < p->graph->count; i++)
		if (p->graph->nodes[i]->op->flags & OP_PACK)
			t->pack = p->graph->nodes[i];
	return t;
}

int source_lines(const Source *s)
{
	return s->line_count > 1 && s->line_starts[s->line_count - 1] == s->length ? s->line_count - 1
	                                                                           : s->line_count;
}

const char *source_line(Arena *a, const Source *s, int k)
{
	const char *line = s->text + s->line_starts[k];
	return arena_strndup(a, line, strcspn(line, "\r\n"));
}

void net_places_add_files(NetPlaces *places, const Source *model)
{
	SourceList all = source_files(places->arena, model);
	for (int i = 0, placed = places->files.count; i < all.count; i++) {
		int k = 0;
		while (k < placed && strcmp(places->files.at[k]->path, all.at[i]->path) != 0)
			k++;
		if (k == placed)
			array_push(places->arena, &places->files, all.at[i]);
	}
}
