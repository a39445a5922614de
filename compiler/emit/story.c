/* SPDX-License-Identifier: MIT */
/* What became one kernel, layer by layer: see story.h. */
#include "emit/story.h"
#include "base/array.h"
#include "base/writer.h"
#include "emit/describe.h"
#include "codegen/label.h"
#include "ir/op.h"
#include "ir/domain.h"
#include "passes/pass.h"

#include <string.h>

enum { LAYERS_SHOWN = 2, SITES_SHOWN = 3 };

/* Steps of which the same is to be said. */
typedef struct Paragraph {
	const char *label, *how;
	const char *apart; /* what it was not joined to, and why; NULL: nothing is known */
	Sites sites;
	Phase phase;
	int operators, steps, layers;
	const char *shown; /* of the layers */
	const char *last;  /* the layer that was counted last */
	double spared;     /* bytes, of all of its steps */
} Paragraph;

static bool is_computed(const Node *n)
{
	return !(n->op->flags & OP_ALIAS) && !node_is_leaf(n) && !node_is_inline(n);
}

/* How much of its nodes a step computes: of rows or elements that several steps share out their part. Of the two that a
 * step with sums is made of, the second has the sums of what the first has computed. */
static double part_computed(const Step *s)
{
	const Type t = (s->root ? s->root : s->nodes[0])->type;
	const double part = (double)s->range.count / (double)type_elements(t);
	if (s->sums == SUMS_TAKEN)
		return 0;
	if (s->range.count > 0)
		return s->range.others ? 1 - part : part;
	return s->rows.count > 0 ? (double)s->rows.count / (double)t.dim[0] : 1;
}

/* With a kernel for each operator, what stays in this kernel would be written and read. */
static double bytes_spared(const Program *p, const Step *s, int operators)
{
	double bytes = 0;
	if (operators < 2)
		return 0;
	for (int i = 0; i < s->node_count; i++)
		if (is_computed(s->nodes[i]) && !p->of_node[s->nodes[i]->id])
			bytes += 2 * (double)type_bytes(s->nodes[i]->type);
	return bytes * part_computed(s);
}

/* Whether its operators are counted: the first of the steps that share them out. */
static bool is_counted(const Step *s)
{
	bool first = s->rows.first == 0 && (s->range.count == 0 || s->range.others);
	return first && s->sums != SUMS_TAKEN;
}

/* What people know a value by: the layer, loss or metric that it is a part of. */
static const char *written_as(Arena *a, const Node *x)
{
	bool heavy = x->op->flags & OP_HEAVY;
	return x->of && !heavy ? arena_printf(a, "%.*s", (int)strcspn(x->of, "."), x->of) : x->op->name;
}

/* Of what the step reads, the largest value that `fuse` had wanted in the same kernel, and why it is not. NULL: none */
static const char *apart_from(Arena *a, const Step *s, const Map *unjoined)
{
	const char *text = NULL;
	int64_t most = 0;
	for (int i = 0; i < s->node_count && unjoined; i++)
		for (int k = 0; k < s->nodes[i]->operand_count; k++) {
			const Node *x = s->nodes[i]->operands[k];
			if (step_has_node(s, x) || type_bytes(x->type) <= most)
				continue;
			const char *why = map_get(unjoined, unjoined_key(a, x, s->nodes[i]));
			if (!why)
				continue;
			most = type_bytes(x->type);
			x = node_unaliased(x);
			text = arena_printf(a, "joined to %s (%s): %s", written_as(a, x),
			                    sites_text(a, x->sites, SITES_SHOWN), why);
		}
	return text;
}

static const char *how_computed(Arena *a, const Step *s, int operators)
{
	if (s->sums == SUMS_TAKEN)
		return "the sums over the rows of another kernel";
	if (s->kind == STEP_LIBRARY)
		return operators > 1 ? arena_printf(a, "%d operators in a library's call", operators)
		                     : "a library's call";
	return operators > 1 ? arena_printf(a, "%d operators in one kernel", operators) : "a kernel";
}

static void add_layer(Arena *a, Paragraph *g, const char *layer)
{
	if (!layer || (g->last && strcmp(g->last, layer) == 0))
		return;
	g->last = layer;
	if (g->layers++ < LAYERS_SHOWN)
		g->shown = arena_listed(a, g->shown, "%s", layer);
}

static void write_paragraph(Arena *a, Writer *w, const Paragraph *g)
{
	const char *more =
	        g->layers > LAYERS_SHOWN ? arena_printf(a, " and %d more", g->layers - LAYERS_SHOWN) : "";
	const char *times = g->steps > 1 ? arena_printf(a, " (%d times)", g->steps) : "";
	const char *spared =
	        g->spared > 0 ? arena_printf(a, ", %s less to read and write", human_count(a, g->spared, "B"))
	                      : "";
	write_line(w, "  %s%s%s%s (%s): %s%s%s", g->label, *g->shown ? " of " : "", g->shown, more,
	           sites_text(a, g->sites, SITES_SHOWN), g->how, times, spared);
}

/* What `count` paragraphs were not joined to stands once, below the last of them. */
static void write_apart(Writer *w, const char *apart, int count)
{
	if (apart && count > 1)
		write_line(w, "    none of these %d %s", count, apart);
	else if (apart)
		write_line(w, "    not %s", apart);
}

static void write_phase(Arena *a, Writer *w, const Map *paragraphs, Phase phase)
{
	const char *apart = NULL;
	int count = 0, headed = 0;
	for (int i = 0; i < map_count(paragraphs); i++) {
		const Paragraph *g = map_value(paragraphs, i);
		if (g->phase != phase)
			continue;
		if (!headed++)
			write_line(w, "%s", phase_name(phase));
		if (!apart || !g->apart || strcmp(apart, g->apart) != 0) {
			write_apart(w, apart, count);
			count = 0;
		}
		write_paragraph(a, w, g);
		apart = g->apart;
		count++;
	}
	write_apart(w, apart, count);
}

char *fusion_story(Arena *a, const Program *p, const char *what, const Map *unjoined)
{
	Map *by_text = map_new(a);
	const Phase *phases = step_phases(a, p);
	int operators = 0, steps = 0;
	double spared = 0;
	for (int i = 0; i < p->step_count; i++) {
		const Step *s = &p->steps[i];
		if (step_moves(s))
			continue;
		int count = 0;
		for (int k = 0; k < s->node_count; k++)
			count += is_computed(s->nodes[k]);
		const char *label = step_label(a, s), *how = how_computed(a, s, count),
		           *apart = apart_from(a, s, unjoined);
		char *key = arena_printf(a, "%d %s %s %s %s", phases[i], label, how,
		                         sites_text(a, s->sites, SITES_SHOWN), apart ? apart : "");
		Paragraph *g = map_get(by_text, key);
		if (!g) {
			g = NEW(a, Paragraph);
			*g = (Paragraph){.label = label,
			                 .how = how,
			                 .apart = apart,
			                 .sites = s->sites,
			                 .phase = phases[i],
			                 .shown = ""};
			map_set(by_text, key, g);
		}
		g->steps++;
		g->spared += bytes_spared(p, s, count);
		add_layer(a, g, step_layer(a, s));
		operators += is_counted(s) ? count : 0;
		spared += bytes_spared(p, s, count);
		steps++;
	}
	Writer *w = writer_new(a);
	write_line(w,
	           "%s: %d operators in %d kernels and calls, %s less to read and write than with a kernel "
	           "for each",
	           what, operators, steps, human_count(a, spared, "B"));
	for (int phase = 0; phase <= PHASE_UPDATE; phase++)
		write_phase(a, w, by_text, (Phase)phase);
	return arena_strdup(a, writer_text(w, NULL));
}
