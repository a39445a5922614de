/* SPDX-License-Identifier: MIT */
/* A pass builds a new graph and numbers its nodes anew. A node is taken for one of the version before where it says the
 * same: the same operator, type, attributes, name and places of the same operands; else for the first one left that has
 * its operator, type, name and places, which has then changed; else it is new. Operands stand ahead of their users, and
 * so have their numbers by then: what changed above a node does not make a change of all below it. */
#include "explore/versions.h"

#include "base/writer.h"
#include "ir/loop.h"
#include "ir/op.h"
#include "ir/text.h"
#include "passes/pass.h"
#include "rules/rules.h"

#include <string.h>

enum { NO_NUMBER = -1 };

int versions_set(Versions *v, Sites sites)
{
	int *at = NEW_ARRAY(v->arena, int, sites.count);
	int count = 0;
	for (int i = 0; i < sites.count; i++) {
		int place = net_place(v->places, sites.at[i]);
		if (place != NO_PLACE)
			at[count++] = place;
	}
	return int_set(v->sets, at, count);
}

static void add_line(Versions *v, IrVersion *version, IrLine line)
{
	const char *key = arena_printf(v->arena, "%d %d %d %s", line.number, line.set, line.phase, line.text);
	const int number = map_number(v->line_numbers, key);
	if (number == v->lines.count) {
		line.text = arena_strdup(v->arena, line.text);
		array_push(v->arena, &v->lines, line);
	}
	array_push(v->arena, &version->lines, number);
}

/* ---- nodes that are the same as before */

/* Numbers by what a node says; each is taken once, in order. */
typedef struct Known {
	Arena *arena;
	Map *by_key;
	bool *taken; /* by number */
} Known;

static void add_known(Known *k, const char *key, int number)
{
	NumberList *list = map_get(k->by_key, key);
	if (!list) {
		list = NEW(k->arena, NumberList);
		map_set(k->by_key, key, list);
	}
	array_push(k->arena, list, number);
}

static int take_known(Known *k, const char *key)
{
	const NumberList *list = map_get(k->by_key, key);
	for (int i = 0; list && i < list->count; i++)
		if (!k->taken[list->at[i]]) {
			k->taken[list->at[i]] = true;
			return list->at[i];
		}
	return NO_NUMBER;
}

/* What a node was written as is said after its text. */
static const char *text_of_node(Arena *a, const Node *n, const int *numbers)
{
	Writer *w = writer_new(a);
	print_operation(w, a, n, numbers);
	if (n->of && strcmp(n->of, n->op->name) != 0)
		write_text(w, "  of %s", n->of);
	return writer_text(w, NULL);
}

/* Without its own number, which it is to find. NULL: an operand has none yet. */
static const char *exact_key(Arena *a, const Node *n, const int *numbers, int set)
{
	for (int i = 0; i < n->operand_count; i++)
		if (numbers[n->operands[i]->id] == NO_NUMBER)
			return NULL;
	return arena_printf(a, "%d%s", set, strchr(text_of_node(a, n, numbers), '='));
}

static const char *loose_key(Arena *a, const Node *n, int set)
{
	const char *name = node_is_leaf(n) && node_attr(n, "name") ? node_text(n, "name") : n->name;
	return arena_printf(a, "~%d %s %s %s", set, n->op->name, type_text(a, n->type), name ? name : "");
}

static const int *sets_of(Versions *v, const Graph *g)
{
	int *sets = NEW_ARRAY(v->arena, int, g->count);
	for (int i = 0; i < g->count; i++)
		sets[i] = versions_set(v, g->nodes[i]->sites);
	return sets;
}

/* First those that are the same to the last, so that no other takes their numbers. */
static Numbered number_nodes(Versions *v, const Graph *g, const int *sets, const Numbered *before)
{
	Arena *a = v->arena, *scratch = arena_new();
	Known known = {scratch, map_new(scratch), NEW_ARRAY(scratch, bool, v->next + 1)};
	for (int i = 0; i < before->at.count; i++) {
		add_known(&known, before->exact.at[i], before->at.at[i]);
		add_known(&known, before->loose.at[i], before->at.at[i]);
	}
	int *numbers = NEW_ARRAY(a, int, g->count);
	for (int i = 0; i < g->count; i++)
		numbers[i] = NO_NUMBER;
	for (int i = 0; i < g->count; i++) {
		const char *key = exact_key(scratch, g->nodes[i], numbers, sets[i]);
		numbers[i] = key ? take_known(&known, key) : NO_NUMBER;
	}
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (numbers[i] == NO_NUMBER)
			numbers[i] = take_known(&known, exact_key(scratch, n, numbers, sets[i]));
		if (numbers[i] == NO_NUMBER)
			numbers[i] = take_known(&known, loose_key(scratch, n, sets[i]));
		if (numbers[i] == NO_NUMBER)
			numbers[i] = v->next++;
	}
	Numbered now = {.numbers = numbers, .count = g->count};
	for (int i = 0; i < g->count; i++) {
		array_push(a, &now.at, numbers[i]);
		array_push(a, &now.exact, exact_key(a, g->nodes[i], numbers, sets[i]));
		array_push(a, &now.loose, loose_key(a, g->nodes[i], sets[i]));
	}
	arena_free(scratch);
	return now;
}

/* ---- versions */

static void write_node_list(Writer *w, Node *const *nodes, int count, const int *numbers)
{
	for (int i = 0; i < count; i++)
		write_text(w, " %%%d", numbers[nodes[i]->id]);
}

/* By group of a graph that is fused: its nodes. */
static NodeList *nodes_by_group(Arena *a, const Graph *g, int *count)
{
	*count = 0;
	for (int i = 0; i < g->count; i++)
		*count = g->nodes[i]->group >= *count ? g->nodes[i]->group + 1 : *count;
	NodeList *groups = NEW_ARRAY(a, NodeList, *count);
	for (int i = 0; i < g->count; i++)
		if (g->nodes[i]->group != NO_GROUP)
			array_push(a, &groups[g->nodes[i]->group], g->nodes[i]);
	return groups;
}

/* A line for each kernel to be, where its first node stands. */
static void add_groups(Versions *v, IrVersion *to, const Graph *g, const int *numbers)
{
	Arena *scratch = arena_new();
	int count;
	const NodeList *groups = nodes_by_group(scratch, g, &count);
	for (int i = 0; i < g->count; i++) {
		const NodeList *nodes = g->nodes[i]->group == NO_GROUP ? NULL : &groups[g->nodes[i]->group];
		if (!nodes || nodes->at[0] != g->nodes[i])
			continue;
		Sites sites = {0};
		for (int k = 0; k < nodes->count; k++)
			sites = sites_union(scratch, sites, nodes->at[k]->sites);
		Writer *w = writer_new(scratch);
		write_text(w, "kernel of");
		write_node_list(w, nodes->at, nodes->count, numbers);
		add_line(v, to, (IrLine){writer_text(w, NULL), NO_NUMBER, versions_set(v, sites), -1});
	}
	arena_free(scratch);
}

/* What a loop computes in a period, below it; numbers are of its own graph. */
static void add_body(Versions *v, IrVersion *to, const Graph *body, int phase)
{
	for (int i = 0; i < body->count; i++) {
		const char *text = text_of_node(v->arena, body->nodes[i], NULL);
		add_line(v, to,
		         (IrLine){arena_printf(v->arena, "    %s", text), NO_NUMBER,
		                  versions_set(v, body->nodes[i]->sites), phase});
	}
}

static void add_graph(Versions *v, IrVersion *to, const Graph *g, const int *sets, const int *numbers)
{
	Arena *scratch = arena_new();
	const Phase *phases = node_phases(scratch, g);
	for (int i = 0; i < g->count; i++) {
		add_line(v, to,
		         (IrLine){text_of_node(scratch, g->nodes[i], numbers), numbers[i], sets[i],
		                  (int)phases[i]});
		if (node_is_loop(g->nodes[i]))
			add_body(v, to, loop_of(g->nodes[i]).body, (int)phases[i]);
	}
	for (int i = 0; i < g->output_count; i++) {
		const Output *o = &g->outputs[i];
		add_line(v, to,
		         (IrLine){arena_printf(scratch, "%s %s %%%d", output_kind_names[o->kind],
		                               quoted_text(scratch, o->name), numbers[o->node->id]),
		                  NO_NUMBER, sets[o->node->id], -1});
	}
	arena_free(scratch);
}

static void write_buffers(Writer *w, const char *what, Buffer *const *buffers, int count)
{
	for (int i = 0; i < count; i++)
		write_text(w, "%s%s", i ? ", " : what, buffers[i]->name);
}

static void add_program(Versions *v, IrVersion *to, const Program *p, const int *numbers)
{
	static const char *const kinds[] = {[STEP_KERNEL] = "kernel",
	                                    [STEP_OP] = "loops",
	                                    [STEP_LIBRARY] = "call",
	                                    [STEP_ALL_REDUCE] = "all_reduce",
	                                    [STEP_COPY] = "copy"};
	Arena *scratch = arena_new();
	const Sites none = {0};
	for (int i = 0; i < p->buffer_count; i++) {
		const Buffer *b = p->buffers[i];
		const char *in = b->inside ? arena_printf(scratch, " in %s", b->inside->name) : "",
		           *at = p->planned && buffer_in_arena(b) && !b->inside
		                         ? arena_printf(scratch, " at %lld", (long long)b->offset)
		                         : "";
		add_line(v, to,
		         (IrLine){arena_printf(scratch, "buffer %s : %s, %lld B%s%s", b->name,
		                               type_text(scratch, b->type), (long long)b->bytes, in, at),
		                  NO_NUMBER, versions_set(v, b->node ? b->node->sites : none), -1});
	}
	for (int i = 0; i < p->step_count; i++) {
		const Step *s = &p->steps[i];
		Writer *w = writer_new(scratch);
		write_text(w, "step, a %s%s", kinds[s->kind], s->node_count ? " of" : "");
		write_node_list(w, s->nodes, s->node_count, numbers);
		write_buffers(w, "; reads ", s->reads, s->read_count);
		write_buffers(w, "; writes ", s->writes, s->write_count);
		if (s->range.count > 0)
			write_text(w, "; %s%lld..%lld", s->range.others ? "all but " : "",
			           (long long)s->range.first, (long long)(s->range.first + s->range.count));
		if (s->branch)
			write_text(w, "; beside the chain");
		if (s->recurrence)
			write_text(w, "; of %d periods", s->recurrence->times);
		add_line(v, to, (IrLine){writer_text(w, NULL), NO_NUMBER, versions_set(v, s->sites), -1});
	}
	arena_free(scratch);
}

/* A strategy may have given the step back: the next begins with what was ahead of both. */
static void begin_stage(Versions *v, unsigned stage)
{
	if (stage == BATCH && (v->stage & (PER_SAMPLE | SAMPLE))) {
		v->at.count = v->whole_count;
		v->last = v->whole;
	}
	v->stage = stage;
}

static void keep_version(Versions *v, IrVersion version, Numbered numbered)
{
	const IrVersion *before = v->at.count > 0 ? &v->at.at[v->at.count - 1] : NULL;
	bool same = before && before->lines.count == version.lines.count;
	for (int i = 0; same && i < version.lines.count; i++)
		same = before->lines.at[i] == version.lines.at[i];
	v->last = numbered;
	if (!same)
		array_push(v->arena, &v->at, version);
	if (v->stage == WHOLE) {
		v->whole = numbered;
		v->whole_count = v->at.count;
	}
}

static IrVersion version_after(const char *pass)
{
	const Pass *p = pass_find(pass);
	return (IrVersion){.pass = pass, .doc = p ? p->doc : "the network as it is written, with its blocks"};
}

static void see_graph(void *data, const Graph *g, unsigned stage, const char *what, const char *pass,
                      const Rules *rules)
{
	Versions *v = data;
	if (strcmp(what, "training") != 0)
		return;
	begin_stage(v, stage);
	IrVersion version = version_after(pass);
	const int *sets = sets_of(v, g);
	const Numbered numbered = number_nodes(v, g, sets, &v->last);
	add_graph(v, &version, g, sets, numbered.numbers);
	add_groups(v, &version, g, numbered.numbers);
	for (int i = 0; rules && i < rules->set->count; i++) {
		const Rule *r = &rules->set->rules[i];
		const char *result = r->result ? r->result : "what a function of the rule makes";
		if (rules->fired[i] > 0)
			array_push(v->arena, &version.rules,
			           (IrRule){r->name, arena_printf(v->arena, "%s -> %s", r->pattern, result),
			                    r->why, rules->fired[i]});
	}
	keep_version(v, version, numbered);
}

static void see_program(void *data, const Program *p, unsigned stage, const char *what, const char *pass)
{
	Versions *v = data;
	if (strcmp(what, "training") != 0)
		return;
	begin_stage(v, stage);
	IrVersion version = version_after(pass);
	const int *sets = sets_of(v, p->graph);
	const Numbered numbered = number_nodes(v, p->graph, sets, &v->last);
	add_graph(v, &version, p->graph, sets, numbered.numbers);
	add_program(v, &version, p, numbered.numbers);
	keep_version(v, version, numbered);
}

Versions *versions_new(Arena *a, NetPlaces *places)
{
	Versions *v = NEW(a, Versions);
	*v = (Versions){.arena = a,
	                .places = places,
	                .line_numbers = map_new(a),
	                .sets = int_sets_new(a),
	                .watch = {.data = v, .graph = see_graph, .program = see_program}};
	return v;
}
