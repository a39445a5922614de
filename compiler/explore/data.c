/* SPDX-License-Identifier: MIT */
#include "explore/data.h"

#include "explore/advice.h"
#include "base/json.h"
#include "base/version.h"
#include "base/writer.h"
#include "codegen/implementations.h"
#include "emit/describe.h"
#include "tools/report.h"

#include <string.h>

/* ---- steps */

static IntSet sorted(Arena *a, int *at, int count)
{
	IntSets *one = int_sets_new(a);
	const int number = int_set(one, at, count); /* which may move the sets */
	return one->at.at[number];
}

/* A tensor may be read as a part of another, or as the whole of some that steps ahead wrote: those are read, too. */
static void add_step_nodes(Arena *a, ExploreStep *to, const Program *p, int step, const int *numbers)
{
	const Step *s = &p->steps[step];
	int *nodes = NEW_ARRAY(a, int, s->node_count);
	NumberList reads = {0};
	for (int i = 0; i < s->node_count; i++)
		nodes[i] = numbers[s->nodes[i]->id];
	for (int i = 0; i < s->read_count; i++) {
		const Buffer *root = buffer_root(s->reads[i]);
		if (s->reads[i]->node)
			array_push(a, &reads, numbers[s->reads[i]->node->id]);
		for (const Step *before = p->steps; before < s; before++)
			for (int k = 0; k < before->write_count; k++)
				if (before->writes[k]->node && buffer_root(before->writes[k]) == root)
					array_push(a, &reads, numbers[before->writes[k]->node->id]);
	}
	to->nodes = sorted(a, nodes, s->node_count);
	to->reads = sorted(a, reads.at, reads.count);
}

static int set_of_shares(Arena *a, Versions *v, const StepShares *shares)
{
	int *at = NEW_ARRAY(a, int, shares->count), count = 0;
	for (int i = 0; i < shares->count; i++)
		if (shares->at[i].place != NO_PLACE)
			at[count++] = shares->at[i].place;
	return int_set(v->sets, at, count);
}

/* The nodes of a step on chip are all the program's. */
static void add_onchip(Arena *a, ExploreData *d, StepTable *t)
{
	const Explored *e = d->of;
	const Program *p = e->compiled->train;
	const Numbered *last = &e->versions->last;
	StepRow rows[2];
	const char *const names[] = {e->emitted->steps[0].name, e->emitted->steps[1].name};
	step_table_onchip(t, names, rows);
	for (int i = 0; i < 2; i++) {
		int *nodes = NEW_ARRAY(a, int, p->graph->count), count = 0;
		for (int k = 0; k < p->graph->count && k < last->count; k++)
			if ((t->of_node[k] == PHASE_UPDATE) == (i == 1))
				nodes[count++] = last->numbers[k];
		d->steps[i] = (ExploreStep){.row = rows[i], .nodes = sorted(a, nodes, count)};
		d->steps[i].reads = sorted(a, NULL, 0);
	}
}

static void add_steps(Arena *a, ExploreData *d)
{
	const Explored *e = d->of;
	const Program *p = e->compiled->train;
	StepTable *t = step_table_new(a, p, e->options->target, d->places);
	d->step_count = e->emitted->step_count;
	d->steps = NEW_ARRAY(a, ExploreStep, d->step_count);
	if (p->onchip)
		add_onchip(a, d, t);
	for (int i = 0; i < d->step_count && !p->onchip; i++) {
		const Step *s = &p->steps[i];
		const Implementation *m = s->root ? implementation_of(s->root) : NULL;
		d->steps[i].row = step_table_row(t, a, i, e->emitted->steps[i].name);
		add_step_nodes(a, &d->steps[i], p, i, e->versions->last.numbers);
		if (e->options->target->gpu)
			d->steps[i].least_us =
			        step_least_us(s, m && (m->flags & IMPL_TENSOR_CORES),
			                      target_device(e->options->target), &d->steps[i].by_memory);
	}
	for (int i = 0; i < d->step_count; i++)
		d->steps[i].set = set_of_shares(a, e->versions, &d->steps[i].row.shares);
}

ExploreData explore_data(Arena *a, const Explored *e)
{
	ExploreData d = {.of = e, .places = e->versions->places, .step_sets = int_sets_new(a)};
	const char *host = arena_printf(a, "%s.c", e->stem), *kernels = arena_printf(a, "%s.cu", e->stem);
	add_steps(a, &d);
	if (e->compiled->file)
		net_places_add_files(d.places, e->compiled->file);
	d.code[d.code_count++] = code_of_host(a, d.step_sets, e->emitted, host);
	if (e->emitted->kernels)
		d.code[d.code_count++] = code_of_kernels(a, d.step_sets, e->emitted, kernels);
	if (e->machine)
		d.machine[d.machine_count++] = e->emitted->kernels
		                                       ? code_of_ptx(a, e->machine, "kernels.cu")
		                                       : code_of_assembler(a, e->machine, "model.c");
	if (e->sass)
		d.machine[d.machine_count++] = code_of_sass(a, e->sass, "kernels.cu");
	return d;
}

static void write_numbers(Writer *w, const int *at, int count)
{
	write_text(w, "[");
	for (int i = 0; i < count; i++)
		write_text(w, "%s%d", i ? "," : "", at[i]);
	write_text(w, "]");
}

/* ---- memory */

/* By buffer of the arena, by its id: the steps that read or write it, or what is in it, in their order. */
static NumberList *uses_of_buffers(Arena *a, const Program *p)
{
	NumberList *uses = NEW_ARRAY(a, NumberList, p->buffer_count);
	for (int i = 0; i < p->step_count; i++) {
		const Step *s = &p->steps[i];
		for (int k = 0; k < s->read_count + s->write_count; k++) {
			Buffer *b =
			        buffer_root(k < s->read_count ? s->reads[k] : s->writes[k - s->read_count]);
			NumberList *of = &uses[b->id];
			if (of->count == 0 || of->at[of->count - 1] != i)
				array_push(a, of, i);
		}
	}
	return uses;
}

/* Rows of activations are those of the samples, or of their positions. */
static bool grows_with_batch(const Program *p, const Buffer *b)
{
	return b->class == BUFFER_ACTIVATION && b->node && b->type.rank > 0 &&
	       b->type.dim[0] % p->graph->batch == 0;
}

static void write_memory(Writer *w, Arena *a, const ExploreData *d)
{
	static const char *const classes[] = {[BUFFER_ACTIVATION] = "activation",
	                                      [BUFFER_GRADIENT] = "gradient",
	                                      [BUFFER_OUTPUT] = "result",
	                                      [BUFFER_WORKSPACE] = "workspace"};
	const Program *p = d->of->compiled->train;
	int count;
	const Buffer **buffers = arena_buffers(a, p, &count);
	const NumberList *uses = uses_of_buffers(a, p);
	write_text(w,
	           ",\n\"memory\":{\"arena\":%lld,\"bound\":%lld,\"peak_step\":%d,\"params\":%lld,"
	           "\"states\":%lld,\"inputs\":%lld,\"buffers\":[",
	           (long long)p->arena_bytes, (long long)p->lower_bound, p->peak_step,
	           (long long)p->param_bytes, (long long)p->state_bytes, (long long)p->input_bytes);
	for (int i = 0; i < count; i++) {
		const Buffer *b = buffers[i];
		const Sites none = {0};
		write_text(w, "%s[%s,\"%s\",%lld,%lld,%d,%d,%d,%d,", i ? "," : "", json_quoted(a, b->name),
		           classes[b->class], (long long)b->bytes, (long long)b->offset, b->first,
		           b->to_end ? p->step_count - 1 : b->last,
		           versions_set(d->of->versions, b->node ? b->node->sites : none),
		           grows_with_batch(p, b));
		write_numbers(w, uses[b->id].at, uses[b->id].count);
		write_text(w, "]");
	}
	write_text(w, "]}");
}

/* ---- JSON */

static void write_sets(Writer *w, const char *key, const IntSets *sets)
{
	write_text(w, ",\n\"%s\":[", key);
	for (int i = 0; i < sets->at.count; i++) {
		write_text(w, "%s", i ? "," : "");
		write_numbers(w, sets->at.at[i].at, sets->at.at[i].count);
	}
	write_text(w, "]");
}

/* Without its folder, unless another has that name. */
static const char *file_name(const NetPlaces *places, int file)
{
	const char *path = places->files.at[file]->path, *name = base_name(path);
	for (int i = 0; i < places->files.count; i++)
		if (i != file && strcmp(base_name(places->files.at[i]->path), name) == 0)
			return path;
	return name;
}

static void write_files(Writer *w, Arena *a, const ExploreData *d)
{
	write_text(w, ",\n\"files\":[");
	for (int i = 0; i < d->places->files.count; i++) {
		const Source *s = d->places->files.at[i];
		write_text(w, "%s{\"name\":%s,\"lines\":[", i ? "," : "",
		           json_quoted(a, file_name(d->places, i)));
		for (int k = 0; k < source_lines(s); k++)
			write_text(w, "%s%s", k ? "," : "", json_quoted(a, source_line(a, s, k)));
		write_text(w, "]}");
	}
	write_text(w, "],\n\"places\":[");
	for (int i = 0; i < d->places->at.count; i++) {
		const NetPlace *p = &d->places->at.at[i];
		write_text(w, "%s[%d,%d,%d,%s]", i ? "," : "", p->file, p->line, p->parent,
		           json_quoted(a, p->scope));
	}
	write_text(w, "]");
}

/* What a version is made of: [first, count] lines of the one before it, or -1 - L for line L. */
static void write_edits(Writer *w, Arena *a, const IrVersion *now, const IrVersion *before, int line_count)
{
	Arena *scratch = arena_new();
	int *place = NEW_ARRAY(scratch, int, line_count);
	for (int i = 0; i < line_count; i++)
		place[i] = -1;
	for (int i = 0; before && i < before->lines.count; i++)
		place[before->lines.at[i]] = i;
	write_text(w, "[");
	for (int i = 0, run; i < now->lines.count; i += run) {
		const int at = place[now->lines.at[i]];
		run = 1;
		while (at >= 0 && i + run < now->lines.count && at + run < before->lines.count &&
		       now->lines.at[i + run] == before->lines.at[at + run])
			run++;
		if (at >= 0)
			write_text(w, "%s%d,%d", i ? "," : "", at, run);
		else
			write_text(w, "%s%d", i ? "," : "", -1 - now->lines.at[i]);
	}
	write_text(w, "]");
	arena_free(scratch);
}

static void write_advice(Writer *w, Arena *a, const ExploreData *d)
{
	const AdviceList all = advice_of(a, d);
	write_text(w, ",\n\"advice\":[");
	for (int i = 0; i < all.count; i++) {
		const Advice *x = &all.at[i];
		write_text(
		        w, "%s{\"what\":%s,\"change\":%s,\"file\":%s,\"line\":%d,\"of_idle\":%s,\"saves\":[",
		        i ? ",\n" : "", json_quoted(a, x->what), json_quoted(a, x->change),
		        x->file ? json_quoted(a, x->file) : "null", x->line, x->of_idle ? "true" : "false");
		for (int k = 0; k < x->saves.count; k++)
			write_text(w, "%s[%d,%.4g]", k ? "," : "", x->saves.at[k].step, x->saves.at[k].part);
		write_text(w, "]}");
	}
	write_text(w, "]");
}

/* How many lines end in, their types and blocks, is written once: the end of a line is a number. A line of a node goes
 * on after the node's name, `%12 = `. */
static void write_ir_lines(Writer *w, Arena *a, const Versions *v)
{
	Map *known = map_new(a);
	ARRAY(const char *) ends = {0};
	write_text(w, ",\n\"lines\":[");
	for (int i = 0; i < v->lines.count; i++) {
		const IrLine *l = &v->lines.at[i];
		const char *name = l->number >= 0 ? arena_printf(a, "%%%d = ", l->number) : "";
		const char *text = l->text + strlen(name), *end = strstr(text, " : ");
		require(strncmp(l->text, name, strlen(name)) == 0);
		end = end ? end : text + strlen(text);
		int *number = map_get(known, end);
		if (!number) {
			map_set(known, end, number = NEW(a, int));
			*number = ends.count;
			array_push(a, &ends, end);
		}
		write_text(w, "%s[%s,%d,%d,%d,%d]", i ? "," : "",
		           json_quoted(a, arena_strndup(a, text, (size_t)(end - text))), l->number, l->set,
		           l->phase, *number);
	}
	write_text(w, "],\n\"ends\":[");
	for (int i = 0; i < ends.count; i++)
		write_text(w, "%s%s", i ? "," : "", json_quoted(a, ends.at[i]));
	write_text(w, "]");
}

static void write_versions(Writer *w, Arena *a, const Versions *v)
{
	write_ir_lines(w, a, v);
	write_text(w, ",\n\"passes\":[");
	for (int i = 0; i < v->at.count; i++) {
		const IrVersion *version = &v->at.at[i];
		write_text(w, "%s{\"name\":\"%s\",\"doc\":%s,\"rules\":[", i ? ",\n" : "", version->pass,
		           json_quoted(a, version->doc));
		for (int k = 0; k < version->rules.count; k++) {
			const IrRule *r = &version->rules.at[k];
			write_text(w, "%s{\"name\":\"%s\",\"rule\":%s,\"why\":%s,\"times\":%d}", k ? "," : "",
			           r->name, json_quoted(a, r->text), json_quoted(a, r->why ? r->why : ""),
			           r->times);
		}
		write_text(w, "],\"edits\":");
		write_edits(w, a, version, i ? &v->at.at[i - 1] : NULL, v->lines.count);
		write_text(w, "}");
	}
	write_text(w, "]");
}

static void write_steps(Writer *w, Arena *a, const ExploreData *d)
{
	write_text(w, ",\n\"steps\":[");
	for (int i = 0; i < d->step_count; i++) {
		const ExploreStep *s = &d->steps[i];
		const StepRow *r = &s->row;
		write_text(w, "%s{\"name\":%s,\"what\":%s,\"library\":%s,\"phase\":%d,\"flops\":%.6g,",
		           i ? ",\n" : "", json_quoted(a, r->name), json_quoted(a, r->what),
		           r->library ? json_quoted(a, r->library) : "null", (int)r->phase, r->flops);
		write_text(w, "\"bytes\":%.6g,\"least_us\":%.4g,\"by_memory\":%s,\"set\":%d,\"shares\":[",
		           r->bytes, s->least_us, s->by_memory ? "true" : "false", s->set);
		for (int k = 0; k < r->shares.count; k++) {
			const StepShare *share = &r->shares.at[k];
			write_text(w, "%s[%d,%d,%.6g]", k ? "," : "", share->place, (int)share->phase,
			           share->weight);
		}
		write_text(w, "],\"nodes\":");
		write_numbers(w, s->nodes.at, s->nodes.count);
		write_text(w, ",\"reads\":");
		write_numbers(w, s->reads.at, s->reads.count);
		write_text(w, "}");
	}
	write_text(w, "]");
}

/* The lines as one text, and what they are of as [value, how many lines]. */
static void write_code(Writer *w, Arena *a, const CodeText *code)
{
	Arena *scratch = arena_new();
	Writer *text = writer_new(scratch);
	for (int i = 0; i < code->lines.count; i++)
		write_text(text, "%s%s", i ? "\n" : "", code->lines.at[i].text);
	write_text(w, "{\"name\":%s,\"language\":\"%s\",\"lines\":%s,\"of\":[", json_quoted(a, code->name),
	           code->language, json_quoted(scratch, writer_text(text, NULL)));
	for (int i = 0, run; i < code->lines.count; i += run) {
		run = 1;
		while (i + run < code->lines.count && code->lines.at[i + run].of == code->lines.at[i].of)
			run++;
		write_text(w, "%s%d,%d", i ? "," : "", code->lines.at[i].of, run);
	}
	write_text(w, "]}");
	arena_free(scratch);
}

char *explore_json_of(Arena *a, const ExploreData *d)
{
	const Explored *e = d->of;
	Writer *w = writer_new(a);
	write_text(
	        w,
	        "{\"format\":1,\"nnc\":\"%s\",\"model\":%s,\"source\":%s,\"target\":\"%s\",\"program\":%s,",
	        NNC_VERSION, json_quoted(a, e->compiled->train->graph->name),
	        json_quoted(a, base_name(e->compiled->source->path)), e->options->target->name,
	        json_quoted(a, e->emitted->program ? e->emitted->program : ""));
	const Recipe *recipe = e->compiled->source->recipe;
	write_text(w, "\"recipe\":%s,\"batch\":%lld", json_quoted(a, recipe->text),
	           (long long)e->compiled->train->graph->batch);
	write_files(w, a, d);
	write_steps(w, a, d);
	write_memory(w, a, d);
	write_advice(w, a, d);
	write_versions(w, a, e->versions);
	write_sets(w, "sets", e->versions->sets);
	write_sets(w, "step_sets", d->step_sets);
	write_text(w, ",\n\"code\":[");
	for (int i = 0; i < d->code_count; i++) {
		write_text(w, "%s", i ? ",\n" : "");
		write_code(w, a, &d->code[i]);
	}
	write_text(w, "],\n\"machine\":[");
	for (int i = 0; i < d->machine_count; i++) {
		write_text(w, "%s", i ? ",\n" : "");
		write_code(w, a, &d->machine[i]);
	}
	write_text(w, "],\n\"story\":%s}\n",
	           json_quoted(a, e->compiled->remarks ? e->compiled->remarks : ""));
	return (char *)writer_text(w, NULL);
}

char *explore_json(Arena *a, const Explored *e)
{
	const ExploreData d = explore_data(a, e);
	return explore_json_of(a, &d);
}
