/* SPDX-License-Identifier: MIT */
#include "onnx/onnx.h"

#include "base/array.h"
#include "base/map.h"
#include "ir/loop.h"
#include "ir/op.h"
#include "onnx/forms.h"
#include "passes/pass.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct Onnx {
	Arena *arena;
	Onnx *outer;            /* that has the loop of which this is the body; NULL: it is the whole */
	const Graph *g, *other; /* the same nodes, of two batches */
	/* Of the whole alone, up to `batch`. */
	const Graph *evaluation; /* what `g` was taken from */
	const int *used;
	int names;
	Map *taken;                  /* names that the model gives to values */
	const char *batch;           /* the name of its size, int64[1]; NULL: nothing has needed it */
	const char **plain, **first; /* by node id: the names that its value has */
	ARRAY(const char *) lines;
};

static Onnx *whole_of(Onnx *o)
{
	while (o->outer)
		o = o->outer;
	return o;
}

static const char *add_line(Onnx *o, const char *line)
{
	array_push(o->arena, &o->lines, line);
	return line;
}

static const char *new_name(Onnx *o)
{
	Onnx *whole = whole_of(o);
	const char *name;
	do
		name = arena_printf(o->arena, "n%d", whole->names++);
	while (map_get(whole->taken, name));
	return name;
}

char *onnx_text(Onnx *o, const char *format, ...)
{
	char text[1024];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return arena_strdup(o->arena, text);
}

char *onnx_list(Onnx *o, const int64_t *values, int count)
{
	char *text = arena_strdup(o->arena, "[");
	for (int i = 0; i < count; i++)
		text = arena_printf(o->arena, "%s%s%lld", text, i ? "," : "", (long long)values[i]);
	return arena_printf(o->arena, "%s]", text);
}

const char *onnx_ints(Onnx *o, const int64_t *values, int count)
{
	const char *name = new_name(o);
	add_line(o, arena_printf(o->arena, "%s = ints %s", name, onnx_list(o, values, count)));
	return name;
}

const char *onnx_reals(Onnx *o, const double *values, int count)
{
	const char *name = new_name(o);
	char *text = arena_strdup(o->arena, "");
	for (int i = 0; i < count; i++)
		text = arena_printf(o->arena, "%s%s%.9g", text, i ? "," : "", values[i]);
	add_line(o, arena_printf(o->arena, "%s = reals [%s]", name, text));
	return name;
}

const char *onnx_real(Onnx *o, double value)
{
	const char *name = new_name(o);
	add_line(o, arena_printf(o->arena, "%s = real %.9g", name, value));
	return name;
}

const char *onnx_call(Onnx *o, const char *op, const char *attrs, int count, const char *const *operands)
{
	const char *name = new_name(o);
	const char *text = "";
	for (int i = 0; i < count; i++)
		text = arena_listed(o->arena, text, "%s", operands[i]);
	add_line(o, arena_printf(o->arena, "%s = %s(%s)%s%s", name, op, text, *attrs ? " " : "", attrs));
	return name;
}

/* Range counts up to a limit: half a step past the last number, so that rounding takes none away. */
const char *onnx_range(Onnx *o, double first, double by, int64_t count)
{
	const char *range[] = {onnx_real(o, first), onnx_real(o, first + by * ((double)count - 0.5)),
	                       onnx_real(o, by)};
	return onnx_call(o, "Range", "", 3, range);
}

static const char *transposed(Onnx *o, const char *x, const char *perm)
{
	return onnx_call(o, "Transpose", perm, 1, &x);
}

const char *onnx_plain(Onnx *o, const Node *x)
{
	if (!o->plain[x->id])
		o->plain[x->id] = transposed(o, o->first[x->id], "perm=[0,2,3,1]");
	return o->plain[x->id];
}

const char *onnx_first(Onnx *o, const Node *x)
{
	if (!o->first[x->id])
		o->first[x->id] = transposed(o, o->plain[x->id], "perm=[0,3,1,2]");
	return o->first[x->id];
}

const char *onnx_filters(Onnx *o, const Node *w)
{
	if (!node_is_param(w))
		return onnx_first(o, w);
	return arena_printf(o->arena, "@%s", node_text(w, "name"));
}

/* ---- shapes, of which no number is the batch's that the network was compiled for */

int64_t onnx_batches(const Onnx *o, const Node *n, int i)
{
	const int64_t dim = n->type.dim[i];
	return dim == o->other->nodes[n->id]->type.dim[i] ? 0 : dim / o->g->batch;
}

/* An input as a line has it: "f32 [5,4]", of a sample. */
static char *type_of(Onnx *o, const Node *n)
{
	return arena_printf(o->arena, "%s %s", dtype_name(n->type.dtype),
	                    onnx_list(o, n->type.dim + 1, n->type.rank - 1));
}

static void add_input(Onnx *o, const Node *n)
{
	add_line(o, arena_printf(o->arena, "input %s %s", node_text(n, "name"), type_of(o, n)));
}

static bool is_read(const Onnx *o, const Node *n)
{
	return node_is_input(n) && o->used[n->id];
}

/* The name of an input, whose first dimension is the batch. Where nothing is computed from one, the model's first is
 * given to the graph for that alone. */
static const char *any_input(Onnx *o)
{
	for (int i = 0; i < o->g->count; i++)
		if (is_read(o, o->g->nodes[i]))
			return node_text(o->g->nodes[i], "name");
	for (int i = 0; i < o->evaluation->count; i++) {
		const Node *n = o->evaluation->nodes[i];
		if (!node_is_input(n) || node_is_target(n))
			continue;
		add_input(o, n);
		return node_text(n, "name");
	}
	bug("a model without an input");
}

const char *onnx_batch(Onnx *o, int64_t times)
{
	Onnx *whole = whole_of(o);
	if (!whole->batch) {
		const char *input = any_input(whole);
		whole->batch = onnx_call(whole, "Shape", "start=0 end=1", 1, &input);
	}
	return times == 1
	               ? whole->batch
	               : onnx_call(o, "Mul", "", 2, (const char *[]){whole->batch, onnx_ints(o, &times, 1)});
}

const char *onnx_range_of_batch(Onnx *o, double first, double by, int64_t by_batch)
{
	const char *count = onnx_batch(o, by_batch), *whole = onnx_call(o, "Squeeze", "", 1, &count),
	           *real = onnx_call(o, "Cast", "to=1", 1, &whole),
	           *last = onnx_call(o, "Sub", "", 2, (const char *[]){real, onnx_real(o, 0.5)}),
	           *away = onnx_call(o, "Mul", "", 2, (const char *[]){last, onnx_real(o, by)}),
	           *start = onnx_real(o, first),
	           *limit = onnx_call(o, "Add", "", 2, (const char *[]){away, start}),
	           *range[] = {start, limit, onnx_real(o, by)};
	return onnx_call(o, "Range", "", 3, range);
}

/* dim[i], or where batches[i] is not 0 so many times the batch. */
static const char *extents(Onnx *o, const int64_t *dim, const int64_t *batches, int rank)
{
	const char *parts[LIMIT_RANK];
	int count = 0;
	for (int i = 0, numbers; i < rank; i += numbers) {
		for (numbers = 0; i + numbers < rank && !batches[i + numbers];)
			numbers++;
		parts[count++] = numbers ? onnx_ints(o, dim + i, numbers) : onnx_batch(o, batches[i]);
		numbers += !numbers;
	}
	return count == 1 ? parts[0]
	       : count    ? onnx_call(o, "Concat", "axis=0", count, parts)
	                  : onnx_ints(o, dim, 0);
}

const char *onnx_reshape(Onnx *o, const char *x, const Node *n)
{
	int64_t dim[LIMIT_RANK], batches[LIMIT_RANK] = {0};
	bool left = false; /* one dimension is what is left: -1 */
	for (int i = 0; i < n->type.rank; i++) {
		const int64_t times = onnx_batches(o, n, i);
		dim[i] = times && !left ? -1 : n->type.dim[i];
		batches[i] = left ? times : 0;
		left = left || times;
	}
	return onnx_call(o, "Reshape", "", 2, (const char *[]){x, extents(o, dim, batches, n->type.rank)});
}

const char *onnx_expand(Onnx *o, const char *x, const Node *from, const Node *n)
{
	int64_t dim[LIMIT_RANK], batches[LIMIT_RANK];
	for (int i = 0; i < n->type.rank; i++) {
		const int k = from ? i - n->type.rank + from->type.rank : -1;
		dim[i] = n->type.dim[i];
		batches[i] = onnx_batches(o, n, i);
		if (batches[i] && k >= 0 && onnx_batches(o, from, k)) { /* which Expand leaves as it is */
			dim[i] = 1;
			batches[i] = 0;
		}
	}
	return onnx_call(o, "Expand", "", 2, (const char *[]){x, extents(o, dim, batches, n->type.rank)});
}

/* The attribute that states the shape of a result, which the type has as well; or a body, whose nodes are compared by
 * themselves. */
static bool is_compared_elsewhere(const Attr *attr)
{
	return strcmp(attr->name, "dim") == 0 || strcmp(attr->name, "shape") == 0 || attr->kind == ATTR_BODY;
}

/* Whether two nodes of graphs of two batches are one node of any batch: each dimension is a number, or so many times
 * the batch. */
static bool is_of_any_batch(const Onnx *o, const Node *a, const Node *b)
{
	bool alike = a->op == b->op && a->type.rank == b->type.rank && a->operand_count == b->operand_count &&
	             a->attr_count == b->attr_count;
	for (int i = 0; alike && i < a->type.rank; i++) {
		const int64_t x = a->type.dim[i], y = b->type.dim[i], batch = o->g->batch;
		alike = x == y || (x % batch == 0 && x / batch * o->other->batch == y);
	}
	for (int i = 0; alike && i < a->operand_count; i++)
		alike = a->operands[i]->id == b->operands[i]->id;
	for (int i = 0; alike && i < a->attr_count; i++)
		alike = strcmp(a->attrs[i].name, b->attrs[i].name) == 0 &&
		        (is_compared_elsewhere(&a->attrs[i]) || attr_equal(&a->attrs[i], &b->attrs[i]));
	return alike;
}

/* NULL, or the operator whose node depends on the batch. */
static const char *bound_to_batch(const Onnx *o)
{
	for (int i = 0; i < o->g->count; i++)
		if (o->g->count != o->other->count || !is_of_any_batch(o, o->g->nodes[i], o->other->nodes[i]))
			return o->g->nodes[i]->op->name;
	return NULL;
}

/* ---- a form in the text of a record: "Mul(x, Sigmoid(x))", "LeakyRelu(x; alpha=slope)" */

typedef struct Form {
	Onnx *o;
	const Node *n;
	const char *const *operands; /* names of their values */
	const char *at;
} Form;

static void skip_blanks(Form *f)
{
	f->at += strspn(f->at, " ");
}

static bool take(Form *f, char c)
{
	skip_blanks(f);
	bool is = *f->at == c;
	f->at += is;
	return is;
}

static char *take_word(Form *f)
{
	skip_blanks(f);
	int length = 0;
	while (isalnum((unsigned char)f->at[length]) || strchr("_.-", f->at[length] ? f->at[length] : ' '))
		length++;
	char *word = arena_printf(f->o->arena, "%.*s", length, f->at);
	f->at += length;
	return word;
}

/* A number, or an attribute of the node: text of its value in a line. */
static const char *attribute_text(Form *f, const char *word)
{
	const Attr *attr = node_attr(f->n, word);
	if (!attr)
		return word;
	if (attr->kind == ATTR_INT)
		return arena_printf(f->o->arena, "%lld", (long long)attr->i);
	char *text = arena_printf(f->o->arena, "%.9g", attr->f);
	return strpbrk(text, ".en") ? text : arena_printf(f->o->arena, "%s.0", text);
}

static const char *form_value(Form *f)
{
	char *word = take_word(f);
	for (int i = 0; i < f->n->operand_count; i++)
		if (strcmp(word, op_operand_name(f->o->arena, f->n->op, i)) == 0)
			return f->operands[i];
	if (!take(f, '('))
		return onnx_real(f->o, strtod(attribute_text(f, word), NULL));
	const char *operands[4];
	int count = 0;
	do {
		require(count < 4);
		operands[count++] = form_value(f);
	} while (take(f, ','));
	char *attrs = arena_strdup(f->o->arena, "");
	while (take(f, ';')) {
		char *key = take_word(f);
		require(take(f, '='));
		attrs = arena_printf(f->o->arena, "%s%s%s=%s", attrs, *attrs ? " " : "", key,
		                     attribute_text(f, take_word(f)));
	}
	require(take(f, ')'));
	return onnx_call(f->o, word, attrs, count, operands);
}

/* Whether a pointwise node goes on with the channels first: an image of images that are known so, of numbers, and of
 * numbers a channel. */
static bool stays_first(const Onnx *o, const Node *n)
{
	bool any = false;
	if (n->type.rank != 4 || !(n->op->flags & OP_POINTWISE) ||
	    n->op->flags & (OP_BY_ELEMENT | OP_BY_COLUMN))
		return false;
	for (int i = 0; i < n->operand_count; i++) {
		const Node *x = n->operands[i];
		bool image = x->type.rank == 4 && o->first[x->id];
		if (!image && x->type.rank > 1)
			return false;
		any = any || image;
	}
	return any;
}

static const char *for_channels(Onnx *o, const Node *x)
{
	if (x->type.rank == 4)
		return onnx_first(o, x);
	if (x->type.rank == 0)
		return onnx_plain(o, x);
	const char *operands[] = {onnx_plain(o, x), onnx_ints(o, (int64_t[]){1, 2}, 2)};
	return onnx_call(o, "Unsqueeze", "", 2, operands);
}

static void write_form(Onnx *o, const Node *n, const char *text)
{
	const char **operands = NEW_ARRAY(o->arena, const char *, n->operand_count);
	bool first = stays_first(o, n);
	for (int i = 0; i < n->operand_count; i++)
		operands[i] = first ? for_channels(o, n->operands[i]) : onnx_plain(o, n->operands[i]);
	Form f = {o, n, operands, text};
	(first ? o->first : o->plain)[n->id] = form_value(&f);
}

/* ---- the whole */

static bool write_leaf(Onnx *o, const Node *n)
{
	if (node_is_constant(n)) {
		o->plain[n->id] = onnx_real(o, node_real(n, "value"));
		return true;
	}
	if (!node_is_input(n) && !node_is_param(n) && !node_is_state(n))
		return false;
	const char *name = node_text(n, "name");
	o->plain[n->id] = name;
	if (is_read(o, n))
		add_input(o, n);
	return true;
}

static bool has_no_form(const Node *n)
{
	return n->op->expand && !onnx_form(n->op);
}

static const Graph *predicted(Arena *a, const Graph *evaluation)
{
	PassContext ctx = {.arena = a};
	const Graph *g = pass_predict(&ctx, evaluation);
	Graph *values = graph_like(a, g);
	values->nodes = g->nodes;
	values->count = values->room = g->count;
	for (int i = 0; i < g->output_count; i++)
		if (g->outputs[i].kind == OUTPUT_VALUE)
			graph_output(values, OUTPUT_VALUE, g->outputs[i].name, g->outputs[i].node);
	return values->output_count
	               ? graph_expand(a, graph_loops_pruned(a, graph_rewrite(a, values, NULL, NULL)),
	                              has_no_form)
	               : NULL;
}

/* An input, a weight or an output keeps its name, which no other value may have. */
static Map *names_of_model(Arena *a, const Graph *evaluation, const Graph *g)
{
	Map *names = map_new(a);
	for (int i = 0; i < evaluation->count; i++) {
		const Node *n = evaluation->nodes[i];
		if (node_is_input(n) || node_is_param(n) || node_is_state(n))
			map_set(names, node_text(n, "name"), names);
	}
	for (int i = 0; i < g->output_count; i++)
		map_set(names, g->outputs[i].name, names);
	return names;
}

static const char *write_nodes(Onnx *o);

/* "[1,1,1]": as many as there are. */
static const char *list_of(Onnx *o, int count, const int64_t *each)
{
	int64_t *values = NEW_ARRAY(o->arena, int64_t, count);
	for (int i = 0; i < count; i++)
		values[i] = *each;
	return onnx_list(o, values, count);
}

/* What a body yields, as a line has it: onnxruntime asks for the rank where it can't infer one. */
static char *type_in_body(Onnx *o, const Node *n)
{
	int64_t dim[LIMIT_RANK];
	for (int i = 0; i < n->type.rank; i++)
		dim[i] = onnx_batches(o, n, i) ? 0 : n->type.dim[i];
	return arena_printf(o->arena, "%s %s", dtype_name(n->type.dtype), onnx_list(o, dim, n->type.rank));
}

/* A Scan: what it carries, then its sequences; its body reads what is captured by the names that this has outside. */
static const char *write_loop(Onnx *o, const Node *n)
{
	Arena *a = o->arena;
	Loop l = loop_of(n);
	Onnx in = {.arena = a,
	           .outer = o,
	           .g = graph_expand(a, l.body, has_no_form),
	           .other = graph_expand(a, loop_of(o->other->nodes[n->id]).body, has_no_form)};
	const int own = l.carried + l.sequences;
	const int64_t reverse = l.reverse;
	const char **operands = NEW_ARRAY(a, const char *, own), **names = NEW_ARRAY(a, const char *, own);
	l.body = in.g;
	in.plain = NEW_ARRAY(a, const char *, in.g->count);
	in.first = NEW_ARRAY(a, const char *, in.g->count);
	add_line(&in, "body");
	for (int i = 0; i < own; i++) {
		const int k = (i + l.sequences) % own; /* of the loop's operands */
		operands[i] = onnx_plain(o, n->operands[k]);
		names[k] = new_name(o);
		add_line(&in, arena_printf(a, "argument %s", names[k]));
	}
	for (int i = 0; i < in.g->count; i++)
		if (node_is_argument(in.g->nodes[i])) {
			const int64_t k = node_int(in.g->nodes[i], "index");
			in.plain[i] = k < own ? names[k] : onnx_plain(o, n->operands[k]);
		}
	const char *why = write_nodes(&in);
	if (why)
		return why;
	int64_t *axes = NEW_ARRAY(a, int64_t, l.yields);
	for (int i = 0; i < l.carried + l.yields; i++) {
		const Node *y = in.g->outputs[i].node;
		const char *value = onnx_plain(&in, y);
		add_line(&in, arena_printf(a, "yield %s %s", onnx_call(&in, "Identity", "", 1, &value),
		                           type_in_body(&in, y)));
		if (i >= l.carried)
			axes[i - l.carried] = l.axis <= y->type.rank ? l.axis : y->type.rank;
	}
	for (int i = 0; i < in.lines.count; i++)
		add_line(o, in.lines.at[i]);
	const char *attrs =
	        arena_printf(a,
	                     "num_scan_inputs=%d scan_input_axes=%s scan_input_directions=%s "
	                     "scan_output_axes=%s scan_output_directions=%s",
	                     l.sequences, list_of(o, l.sequences, &l.axis), list_of(o, l.sequences, &reverse),
	                     onnx_list(o, axes, l.yields), list_of(o, l.yields, &reverse));
	o->plain[n->id] = onnx_call(o, "Scan", attrs, own, operands);
	return NULL;
}

/* NULL, or why there is none. */
static const char *write_nodes(Onnx *o)
{
	const char *bound = bound_to_batch(o), *why = NULL;
	if (bound)
		return arena_printf(o->arena, "`%s` depends on how many samples a batch has", bound);
	for (int i = 0; i < o->g->count && !why; i++) {
		const Node *n = o->g->nodes[i];
		const OnnxForm *form = onnx_form(n->op);
		bool first = false;
		const char *name = NULL;
		if (o->plain[i] || write_leaf(o, n))
			continue;
		if (node_is_loop(n))
			why = write_loop(o, n);
		else if (node_is_loop_result(n))
			o->plain[i] = onnx_text(o, "%s.%lld", o->plain[n->operands[0]->id],
			                        (long long)node_int(n, "index"));
		else if (form && form->text)
			write_form(o, n, form->text);
		else if (form && (name = form->node(o, n, &first)))
			(first ? o->first : o->plain)[i] = name;
		else
			why = arena_printf(o->arena, "`%s` has no form in ONNX that is known here",
			                   n->op->name);
	}
	return why;
}

const char **onnx_lines(Arena *a, const Graph *evaluation, const Graph *of_other_batch, int *count,
                        const char **why)
{
	const Graph *g = predicted(a, evaluation), *other = predicted(a, of_other_batch);
	*why = g && other ? NULL : "the model has no output";
	if (*why)
		return NULL;
	Onnx o = {.arena = a,
	          .g = g,
	          .other = other,
	          .evaluation = evaluation,
	          .used = graph_use_counts(a, g),
	          .taken = names_of_model(a, evaluation, g),
	          .plain = NEW_ARRAY(a, const char *, g->count),
	          .first = NEW_ARRAY(a, const char *, g->count)};
	*why = write_nodes(&o);
	for (int i = 0; i < g->output_count && !*why; i++) {
		const Output *out = &g->outputs[i];
		add_line(&o, arena_printf(a, "output %s %s %s", out->name, type_of(&o, out->node),
		                          onnx_plain(&o, out->node)));
	}
	*count = o.lines.count;
	return *why ? NULL : o.lines.at;
}
