/* SPDX-License-Identifier: MIT */
/* The text of programs, and its reader.
 *
 * It is the text of the graph, one line of sizes, one line a buffer, one line a step:
 *
 *   program params=10 state=40 inputs=128 arena=640 bound=512 peak=3
 *   buffer 2 activation "h" : f32[8,4] bytes=128 offset=64 live=0..3 node=%5 holds=[%5,%7] inside=1
 *   output 0 "loss" in 2
 *   step 0 kernel nodes=[%5,%6] root=%6 reads=[0,1] writes=[2] flops=64.0 bytes=256.0
 *
 * `block=1024` at the end of the first: Program.block_bytes. `holds` are the graph's nodes whose value is in the
 * buffer (Program.of_node); an `output` line stands for each output of the graph that has a buffer, in the graph's
 * order (Program.output_buffers). */
#include "ir/text.h"
#include "ir/verify.h"

#include "base/array.h"
#include "base/writer.h"

#include <string.h>

static const char *const class_names[] = {
        [BUFFER_INPUT] = "input",
        [BUFFER_PARAMETER] = "parameter",
        [BUFFER_STATE] = "state",
        [BUFFER_GRADIENT] = "gradient",
        [BUFFER_ACTIVATION] = "activation",
        [BUFFER_OUTPUT] = "output",
        [BUFFER_WORKSPACE] = "workspace",
        [BUFFER_CHIP] = "chip",
        [BUFFER_HELD] = "held",
        NULL,
};

static const char *const kind_names[] = {
        [STEP_KERNEL] = "kernel",         [STEP_OP] = "op",     [STEP_LIBRARY] = "library",
        [STEP_ALL_REDUCE] = "all_reduce", [STEP_COPY] = "copy", NULL,
};

static const char *const sums_names[] = {
        [SUMS_WITHIN] = "",
        [SUMS_LEFT] = "left",
        [SUMS_TAKEN] = "taken",
        NULL,
};

/* ---- printing */

static void print_buffer(Writer *w, const Program *p, const Buffer *b)
{
	write_text(w, "buffer %d %s %s : %s bytes=%lld offset=%lld", b->id, class_names[b->class],
	           quoted_text(p->arena, b->name), type_text(p->arena, b->type), (long long)b->bytes,
	           (long long)b->offset);
	if (p->planned)
		write_text(w, " live=%d..%d", b->first, b->last);
	if (b->node)
		write_text(w, " node=%%%d", b->node->id);
	write_text(w, " holds=[");
	const char *comma = "";
	for (int i = 0; i < p->graph->count; i++) {
		if (p->of_node[i] == b) {
			write_text(w, "%s%%%d", comma, i);
			comma = ",";
		}
	}
	write_text(w, "]");
	if (b->pitch)
		write_text(w, " pitch=%lld", (long long)b->pitch);
	if (b->rows)
		write_text(w, " rows=%lld", (long long)b->rows);
	if (b->inside)
		write_text(w, " inside=%d", b->inside->id);
	write_text(w, "%s\n", b->to_end ? " to_end" : "");
}

static void print_ids(Writer *w, const char *key, Buffer *const *buffers, int count)
{
	write_text(w, " %s=[", key);
	for (int i = 0; i < count; i++)
		write_text(w, "%s%d", i ? "," : "", buffers[i]->id);
	write_text(w, "]");
}

static void print_step(Writer *w, const Program *p, const Step *s)
{
	write_text(w, "step %d %s nodes=[", s->id, kind_names[s->kind]);
	for (int i = 0; i < s->node_count; i++)
		write_text(w, "%s%%%d", i ? "," : "", s->nodes[i]->id);
	write_text(w, "]");
	if (s->root)
		write_text(w, " root=%%%d", s->root->id);
	print_ids(w, "reads", s->reads, s->read_count);
	print_ids(w, "writes", s->writes, s->write_count);
	if (s->range.count > 0)
		write_text(w, " %s=%lld..%lld", s->range.others ? "without" : "only",
		           (long long)s->range.first, (long long)(s->range.first + s->range.count));
	if (s->rows.count > 0)
		write_text(w, " rows=%lld..%lld", (long long)s->rows.first,
		           (long long)(s->rows.first + s->rows.count));
	if (s->sums != SUMS_WITHIN)
		write_text(w, " sums=%s", sums_names[s->sums]);
	if (s->branch)
		write_text(w, " branch");
	if (s->recurrence && s->recurrence->first == s->id)
		write_text(w, " recurs=%d*%d", s->recurrence->period, s->recurrence->times);
	write_text(w, " flops=%s bytes=%s", real_text(p->arena, s->flops), real_text(p->arena, s->bytes));
	if (s->sites.count > 0)
		write_text(w, "  # %s", printable(p->arena, sites_text(p->arena, s->sites, 4)));
	write_text(w, "\n");
}

char *program_text(Arena *a, const Program *p)
{
	Writer *w = writer_new(a);
	print_graph(w, a, p->graph);
	write_text(w, "program params=%lld state=%lld inputs=%lld", (long long)p->param_elements,
	           (long long)p->state_bytes, (long long)p->input_bytes);
	if (p->planned)
		write_text(w, " arena=%lld bound=%lld peak=%d", (long long)p->arena_bytes,
		           (long long)p->lower_bound, p->peak_step);
	else
		write_text(w, "%s", p->copied ? " copied" : "");
	if (p->block_bytes > 0)
		write_text(w, " block=%lld", (long long)p->block_bytes);
	write_text(w, "\n");
	for (int i = 0; i < p->buffer_count; i++)
		print_buffer(w, p, p->buffers[i]);
	for (int i = 0; i < p->graph->output_count; i++) {
		if (p->output_buffers[i])
			write_line(w, "output %d %s in %d", i, quoted_text(a, p->graph->outputs[i].name),
			           p->output_buffers[i]->id);
	}
	for (int i = 0; i < p->step_count; i++)
		print_step(w, p, &p->steps[i]);
	return arena_strdup(a, writer_text(w, NULL));
}

/* ---- reading */

/* `key=` and an integer. */
static bool read_field(Reader *r, const char *key, int64_t *value)
{
	return read_expect(r, key) && read_expect(r, "=") && read_int(r, value);
}

static bool read_small_field(Reader *r, const char *key, int *value)
{
	int64_t wide;
	if (!read_field(r, key, &wide))
		return false;
	*value = (int)wide;
	return *value == wide || read_error(r, "`%s` is out of range", key);
}

static bool read_kind(Reader *r, const char *const *names, int *kind)
{
	for (*kind = 0; names[*kind]; ++*kind) {
		if (read_accept(r, names[*kind]))
			return true;
	}
	return read_error(r, "`%s` or the like is expected", names[0]);
}

/* key=[%1,%2] */
static bool read_nodes(Reader *r, const Graph *g, const char *key, Node ***nodes, int *count)
{
	ARRAY(Node *) list = {0};
	if (!read_expect(r, key) || !read_expect(r, "=") || !read_expect(r, "["))
		return false;
	if (!read_accept(r, "]")) {
		do {
			Node *n;
			if (!read_node_id(r, g, &n))
				return false;
			array_push(r->arena, &list, n);
		} while (read_accept(r, ","));
		if (!read_expect(r, "]"))
			return false;
	}
	*nodes = list.at;
	*count = list.count;
	return true;
}

static bool read_buffer_id(Reader *r, const Program *p, Buffer **buffer)
{
	int64_t id;
	if (!read_int(r, &id))
		return false;
	if (id < 0 || id >= p->buffer_count)
		return read_error(r, "there is no buffer %lld", (long long)id);
	*buffer = p->buffers[id];
	return true;
}

/* key=[0,1] */
static bool read_buffers(Reader *r, const Program *p, const char *key, Buffer ***buffers, int *count)
{
	ARRAY(Buffer *) list = {0};
	if (!read_expect(r, key) || !read_expect(r, "=") || !read_expect(r, "["))
		return false;
	if (!read_accept(r, "]")) {
		do {
			Buffer *b = NULL;
			if (!read_buffer_id(r, p, &b))
				return false;
			array_push(r->arena, &list, b);
		} while (read_accept(r, ","));
		if (!read_expect(r, "]"))
			return false;
	}
	*buffers = list.at;
	*count = list.count;
	return true;
}

/* A buffer may lie inside one that follows, so `inside` is kept as a number until all are read. */
typedef struct Inside {
	Buffer *buffer;
	int64_t inside;
	int line;
} Inside;

/* live=0..3 */
static bool read_lifetime(Reader *r, Buffer *b)
{
	int64_t last;
	if (!read_small_field(r, "live", &b->first) || !read_expect(r, "..") || !read_int(r, &last))
		return false;
	b->last = (int)last;
	return true;
}

static bool read_buffer(Reader *r, Program *p, Buffer *b, Inside *inside)
{
	int class, held_count;
	int64_t id;
	Node **held, *node;
	if (!read_int(r, &id) || !read_kind(r, class_names, &class) || !read_quoted(r, &b->name) ||
	    !read_expect(r, ":") || !read_type(r, &b->type) || !read_field(r, "bytes", &b->bytes) ||
	    !read_field(r, "offset", &b->offset) || (p->planned && !read_lifetime(r, b)))
		return false;
	b->id = (int)id;
	b->class = (BufferClass) class;
	*inside = (Inside){b, -1, r->line};
	if (read_accept(r, "node")) {
		if (!read_expect(r, "=") || !read_node_id(r, p->graph, &node))
			return false;
		b->node = node;
	}
	if (!read_nodes(r, p->graph, "holds", &held, &held_count))
		return false;
	for (int i = 0; i < held_count; i++)
		p->of_node[held[i]->id] = b;
	if (read_accept(r, "pitch") && (!read_expect(r, "=") || !read_int(r, &b->pitch)))
		return false;
	if (read_accept(r, "rows") && (!read_expect(r, "=") || !read_int(r, &b->rows)))
		return false;
	if (read_accept(r, "inside") && (!read_expect(r, "=") || !read_int(r, &inside->inside)))
		return false;
	b->to_end = read_accept(r, "to_end");
	return read_line_end(r);
}

static bool read_all_buffers(Reader *r, Program *p)
{
	ARRAY(Buffer *) buffers = {0};
	ARRAY(Inside) insides = {0};
	while (read_accept(r, "buffer")) {
		Buffer *b = NEW(r->arena, Buffer);
		Inside inside;
		if (!read_buffer(r, p, b, &inside))
			return false;
		if (b->id != buffers.count)
			return read_error(r, "the buffer above must be %d", buffers.count);
		array_push(r->arena, &buffers, b);
		array_push(r->arena, &insides, inside);
	}
	p->buffers = buffers.at;
	p->buffer_count = buffers.count;
	for (int i = 0; i < insides.count; i++) {
		Inside *in = &insides.at[i];
		if (in->inside == -1)
			continue;
		r->line = in->line;
		if (in->inside < 0 || in->inside >= buffers.count)
			return read_error(r, "there is no buffer %lld", (long long)in->inside);
		in->buffer->inside = buffers.at[in->inside];
	}
	return true;
}

static bool read_outputs(Reader *r, Program *p)
{
	p->output_buffers = NEW_ARRAY(r->arena, Buffer *, p->graph->output_count);
	while (read_accept(r, "output")) {
		int64_t i;
		const char *name;
		if (!read_int(r, &i) || !read_quoted(r, &name) || !read_expect(r, "in"))
			return false;
		if (i < 0 || i >= p->graph->output_count || strcmp(p->graph->outputs[i].name, name) != 0)
			return read_error(r, "output %lld of the graph is not `%s`", (long long)i, name);
		if (!read_buffer_id(r, p, &p->output_buffers[i]) || !read_line_end(r))
			return false;
	}
	return true;
}

/* =64..128 */
static bool read_ends(Reader *r, StepRange *range)
{
	int64_t end;
	if (!read_expect(r, "=") || !read_int(r, &range->first) || !read_expect(r, "..") ||
	    !read_int(r, &end))
		return false;
	range->count = end - range->first;
	return (range->first >= 0 && range->count > 0) || read_error(r, "the range is empty");
}

/* only=64..128 or without=64..128, or nothing */
static bool read_range(Reader *r, StepRange *range)
{
	range->others = read_accept(r, "without");
	if (!range->others && !read_accept(r, "only"))
		return true;
	return read_ends(r, range);
}

/* rows=0..64, or nothing */
static bool read_rows(Reader *r, StepRange *rows)
{
	return !read_accept(r, "rows") || read_ends(r, rows);
}

/* sums=left or sums=taken, or nothing */
static bool read_sums(Reader *r, StepSums *sums)
{
	int name;
	if (!read_accept(r, "sums"))
		return true;
	if (!read_expect(r, "=") || !read_kind(r, sums_names + SUMS_LEFT, &name))
		return false;
	*sums = (StepSums)(SUMS_LEFT + name);
	return true;
}

/* recurs=3*110, or nothing */
static bool read_recurrence(Reader *r, Step *s)
{
	int64_t period, times;
	if (!read_accept(r, "recurs"))
		return true;
	if (!read_expect(r, "=") || !read_int(r, &period) || !read_expect(r, "*") || !read_int(r, &times))
		return false;
	if (period < 1 || times < 1 || period > INT32_MAX / times)
		return read_error(r, "so many steps cannot recur");
	Recurrence *found = NEW(r->arena, Recurrence);
	*found = (Recurrence){s->id, (int)period, (int)times};
	s->recurrence = found;
	return true;
}

static bool read_step(Reader *r, const Program *p, Step *s)
{
	int kind;
	int64_t id;
	if (!read_int(r, &id) || !read_kind(r, kind_names, &kind) ||
	    !read_nodes(r, p->graph, "nodes", &s->nodes, &s->node_count))
		return false;
	s->id = (int)id;
	s->kind = (StepKind)kind;
	if (read_accept(r, "root") && (!read_expect(r, "=") || !read_node_id(r, p->graph, &s->root)))
		return false;
	if (!read_buffers(r, p, "reads", &s->reads, &s->read_count) ||
	    !read_buffers(r, p, "writes", &s->writes, &s->write_count) || !read_range(r, &s->range) ||
	    !read_rows(r, &s->rows) || !read_sums(r, &s->sums))
		return false;
	s->branch = read_accept(r, "branch");
	return read_recurrence(r, s) && read_expect(r, "flops") && read_expect(r, "=") &&
	       read_real(r, &s->flops) && read_expect(r, "bytes") && read_expect(r, "=") &&
	       read_real(r, &s->bytes) && read_line_end(r);
}

static bool read_steps(Reader *r, Program *p)
{
	ARRAY(Step) steps = {0};
	while (read_accept(r, "step")) {
		Step s = {0};
		if (!read_step(r, p, &s))
			return false;
		if (s.id != steps.count)
			return read_error(r, "the step above must be %d", steps.count);
		array_push(r->arena, &steps, s);
	}
	for (int i = 1; i < steps.count; i++) {
		const Recurrence *of = steps.at[i - 1].recurrence;
		if (!steps.at[i].recurrence && of && i < of->first + of->period * of->times)
			steps.at[i].recurrence = of;
	}
	p->steps = steps.at;
	p->step_count = steps.count;
	return true;
}

/* The line of sizes; how far the program has come is in it. */
static bool read_sizes(Reader *r, Program *p)
{
	if (!read_expect(r, "program") || !read_field(r, "params", &p->param_elements) ||
	    !read_field(r, "state", &p->state_bytes) || !read_field(r, "inputs", &p->input_bytes))
		return false;
	p->copied = read_accept(r, "copied");
	if (!p->copied && read_accept(r, "arena")) {
		p->copied = p->planned = true;
		if (!read_expect(r, "=") || !read_int(r, &p->arena_bytes) ||
		    !read_field(r, "bound", &p->lower_bound) || !read_small_field(r, "peak", &p->peak_step))
			return false;
	}
	if (read_accept(r, "block")) {
		p->one_block = true;
		if (!read_expect(r, "=") || !read_int(r, &p->block_bytes))
			return false;
	}
	return read_line_end(r);
}

Program *program_parse(Arena *a, const char *text, const char **why)
{
	Reader r = {.arena = a, .at = text, .line = 1};
	Program *p = NEW(a, Program);
	p->arena = a;
	p->graph = read_graph(&r);
	if (p->graph) {
		p->of_node = NEW_ARRAY(a, Buffer *, p->graph->count);
		bool read = read_sizes(&r, p) && read_all_buffers(&r, p) && read_outputs(&r, p) &&
		            read_steps(&r, p);
		if (read && !read_at_end(&r))
			read_error(&r, "a buffer or a step is expected");
	}
	*why = r.why;
	return r.why ? NULL : p;
}
