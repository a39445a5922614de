/* SPDX-License-Identifier: MIT */
#include "tests/ops/samples.h"
#include "base/array.h"
#include "ops/compose.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double drawn(const char *text, int64_t i)
{
	uint64_t h = 0xcbf29ce484222325u ^ (uint64_t)i * 0x9e3779b97f4a7c15u;
	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001b3u;
	h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
	h = (h ^ h >> 27) * 0x94d049bb133111ebu;
	return (double)((h ^ h >> 31) >> 11) * 0x1p-53;
}

bool op_is_sampled(const Op *op)
{
	bool view_of_state =
	        (op->flags & OP_ALIAS) && !op->grad; /* made by passes alone: networks in 16 bits test it */
	/* whose body no line of a sample writes: networks with scans test them */
	bool of_loops =
	        !strcmp(op->name, "loop") || !strcmp(op->name, "result") || !strcmp(op->name, "loop_kernel");
	return op->infer && !(op->flags & OP_LEAF) && !view_of_state && !of_loops;
}

bool op_is_asked_for(const Op *op, int count, char **names)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(names[i], op->name))
			return true;
	return count == 0;
}

void ops_must_be_sampled(int count, char **names)
{
	for (int i = 0; i < count; i++) {
		const Op *op = op_find(names[i]);
		if (op && op_is_sampled(op))
			continue;
		fprintf(stderr, "`%s` is no operator with samples: `nnc --print=operators` lists operators\n",
		        names[i]);
		exit(2);
	}
}

/* Whether its gradients are Op.grads. */
static bool is_by_formulas(const Op *op)
{
	return (op->flags & OP_POINTWISE) && (!op->grad || op->grad == pointwise_grad);
}

bool op_has_gradient(const Op *op)
{
	if (is_by_formulas(op))
		return op->grads[0] || op->grads[1] || op->grads[2];
	return op->grad || op->expand;
}

bool op_passes_gradients(const Op *op)
{
	return op_has_gradient(op) || op->flags & OP_FLAT;
}

int op_sample_count(const Op *op)
{
	int count = 0;
	while (op->samples && op->samples[count])
		count++;
	return count;
}

/* ---- building */

Samples *samples_new(Arena *a)
{
	Samples *s = NEW(a, Samples);
	*s = (Samples){.arena = a, .leaves = map_new(a)};
	return s;
}

_Noreturn static void bad_line(const Op *op, const char *line, const char *why)
{
	fprintf(stderr, "samples of %s: %s: %s\n", op->name, line, why);
	exit(1);
}

enum { MOST_INTS = 16 }; /* in a list of a sample */

static int read_ints(const char *text, int64_t *out, int room)
{
	int count = 0;
	for (text++; *text && *text != ']' && count < room;) {
		char *end;
		out[count++] = strtoll(text, &end, 10);
		text = *end == ',' ? end + 1 : end;
	}
	return count;
}

static SampleLeaf *leaf_new(Samples *s, const char *name, int64_t count, bool varied)
{
	SampleLeaf *leaf = NEW(s->arena, SampleLeaf);
	*leaf = (SampleLeaf){arena_strdup(s->arena, name), count, NEW_ARRAY(s->arena, double, count), varied};
	map_set(s->leaves, name, leaf);
	return leaf;
}

static Node *param(Build *b, const char *name, Type t, bool frozen)
{
	Attr attrs[] = {attr_text("name", name), attr_text("init", "constant"), attr_real("a", 0),
	                attr_int("decay", 1), attr_int("frozen", 1)};
	return graph_leaf(b->graph, "param", t, attrs, frozen ? 5 : 4, b->sites);
}

/* A sample as it is read. */
typedef struct Reader {
	Samples *s;
	Build b;
	const Op *op;
	const char *line;
	bool value;          /* for sample_value: */
	int64_t rows, batch; /* what has `rows` rows has `batch`, and is an input; batch 0: nothing is */
	bool of_batch;       /* there is such an input */
} Reader;

/* Whether it has samples in front, in the place of its rows. */
static bool is_batched(const Reader *r, const char *name, int rank, const int64_t *dim)
{
	static const char *const weights[] = {"w", "gamma", "beta", "mean", "var"};
	for (size_t i = 0; i < sizeof weights / sizeof *weights; i++)
		if (strcmp(name, weights[i]) == 0)
			return false;
	return r->batch > 0 && rank > 0 && dim[0] == r->rows;
}

static Node *input(Build *b, const char *name, Type t)
{
	Attr attrs[] = {attr_text("name", name), attr_text("role", "input"), attr_int("classes", 0)};
	return graph_leaf(b->graph, "input", t, attrs, 3, b->sites);
}

/* Integers below a limit, as the text says. */
static void draw_integers(SampleLeaf *leaf, const char *name, const char *text)
{
	const char *below = strchr(text, '<');
	double limit = below ? atof(below + 1) : 2;
	const char *skewed = below ? strchr(below, '^') : NULL, *spaced = below ? strchr(below, '*') : NULL;
	for (int64_t k = 0; k < leaf->count; k++) {
		double x = pow(drawn(name, k), skewed ? atof(skewed + 1) : 1);
		leaf->values[k] = (double)(int64_t)(x * limit) * (spaced ? atof(spaced + 1) : 1);
	}
}

enum { STEPS = 8 }; /* of coarse values: a whole number of them from -2 to 0 */

static void draw_reals(const Samples *s, SampleLeaf *leaf, const char *name, const Op *op, int i)
{
	double lo = op->lo, hi = op->hi;
	if (lo == 0 && hi == 0) {
		lo = -2;
		hi = 2;
	}
	for (int64_t k = 0; k < leaf->count; k++) {
		const double share = drawn(name, k);
		leaf->values[k] = lo + (hi - lo) * (s->coarse ? round(share * STEPS) / STEPS : share);
		if (!strcmp(op->name, "select") && i == 0 && drawn(name, k + leaf->count) < 0.5)
			leaf->values[k] = 0; /* a condition: else it would be true everywhere */
	}
}

/* "f32[2,3]" as a parameter; "i32[4]<10", "u8[4]<10" as integers below 10, "<10^3" the smaller the more often, "<2*9"
 * as 0 and 9: an input, whose first dimension must be the batch, reshaped, or of a value a parameter, converted.
 * "f32[2,3]!" has no gradient. */
static Node *operand(Reader *r, int i, const char *word, const char *name, const char *text)
{
	Samples *s = r->s;
	Build *b = &r->b;
	int64_t dim[LIMIT_RANK];
	int rank = read_ints(strchr(text, '['), dim, LIMIT_RANK);
	DType dtype = DTYPE_F32;
	dtype_from_name(arena_strndup(s->arena, text, strcspn(text, "[")), &dtype);
	bool integer = !dtype_is_real(dtype), batched = is_batched(r, word, rank, dim);
	Type t;
	if (batched)
		dim[0] = r->batch;
	if (!type_make(dtype, rank, dim, &t))
		return NULL;
	int64_t count = type_elements(t);
	/* A condition of `select` has no slope between its jumps, but may stand on one. */
	bool differentiable = !integer && !strchr(text, '!') &&
	                      (!is_by_formulas(r->op) || r->op->grads[i] || r->op->flags & OP_FLAT);
	SampleLeaf *leaf = leaf_new(s, name, count, differentiable);
	if (integer)
		draw_integers(leaf, name, text);
	else
		draw_reals(s, leaf, name, r->op, i);
	r->of_batch = r->of_batch || batched;
	if (batched)
		return input(b, name, t);
	if (!integer)
		return param(b, name, t, !op_passes_gradients(r->op));
	if (r->value)
		return build_cast(b, param(b, name, type_with_dtype(t, DTYPE_F32), false), dtype);
	Type flat;
	if (!type_make(dtype, 2, (int64_t[]){1, count}, &flat))
		return NULL;
	return build_reshape(b, input(b, name, flat), rank, dim);
}

static Attr attribute(const Op *op, const char *line, const char *name, const char *text, int64_t *ints)
{
	if (text[0] == '[')
		return attr_ints(name, ints, read_ints(text, ints, MOST_INTS));
	char *end;
	int64_t integer = strtoll(text, &end, 10);
	if (!*end)
		return attr_int(name, integer);
	double real = strtod(text, &end);
	if (!*end)
		return attr_real(name, real);
	if (!isalpha((unsigned char)text[0]))
		bad_line(op, line, "an attribute is neither a number nor a list nor a word");
	return attr_text(name, text);
}

/* The stated shape of a result that has as many rows as the first operand has. */
static void state_batch(const Reader *r, Attr *attr, int64_t *ints)
{
	bool states = strcmp(attr->name, "dim") == 0 || strcmp(attr->name, "shape") == 0;
	if (r->of_batch && states && attr->count > 0 && ints[0] == r->rows)
		ints[0] = r->batch;
}

/* NULL: the operator refuses them. */
static Node *apply(Reader *r, Graph *g, const char *prefix)
{
	enum { MOST = 16 };
	Samples *s = r->s;
	Node *operands[MOST];
	Attr attrs[MOST];
	int64_t ints[MOST][MOST_INTS];
	int count = 0, attr_count = 0;
	r->b = (Build){.graph = g};
	r->of_batch = false;
	char *rest = arena_strdup(s->arena, r->line), *save;
	for (char *word = strtok_r(rest, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		char *equals = strchr(word, '=');
		if (!equals || count == MOST || attr_count == MOST)
			bad_line(r->op, r->line, "wants NAME=VALUE words, 16 at most");
		*equals = '\0';
		const char *value = equals + 1;
		if (isalpha((unsigned char)value[0]) && strchr(value, '[')) {
			char *name = arena_printf(s->arena, "%s.%s%d", prefix, word, count);
			bool derived =
			        !strcmp(r->op->name, "maxpool_grad") && count == 2; /* y: the maximum of x */
			operands[count] = derived ? NULL : operand(r, count, word, name, value);
			if (!operands[count] && !derived)
				bad_line(r->op, r->line, "a shape is out of bounds");
			count++;
		} else {
			attrs[attr_count] = attribute(r->op, r->line, word, value, ints[attr_count]);
			state_batch(r, &attrs[attr_count], ints[attr_count]);
			attr_count++;
		}
	}
	if (count == 3 && !operands[2])
		operands[2] = build(&r->b, "maxpool", 1, &operands[1], attr_count, attrs);
	return graph_node(g, r->op, operands, count, attrs, attr_count, r->b.sites, NULL);
}

/* The rows of the first operand; 0: it has none. */
static int64_t rows_of(const char *line)
{
	const char *first = strchr(line, '='), *list = first ? strchr(first, '[') : NULL;
	int64_t dim[MOST_INTS];
	bool is_operand = first && isalpha((unsigned char)first[1]) && list;
	return is_operand && read_ints(list, dim, MOST_INTS) > 0 ? dim[0] : 0;
}

Node *sample_value(Samples *s, Graph *g, const Op *op, const char *line, const char *prefix, int64_t batch,
                   bool *of_batch)
{
	/* Tried of three batches elsewhere: an operator may take one of them by chance. */
	Reader r = {.s = s, .op = op, .line = line, .value = true, .rows = rows_of(line)};
	*of_batch = r.rows > 0 && !strstr(line, "=[]"); /* numbers have no samples */
	for (int64_t trial = 1; trial <= 3 && *of_batch; trial++) {
		Samples *scratch = samples_new(s->arena);
		Graph *tried = graph_new(s->arena, op->name, false, trial);
		tried->diag = diagnostics_new(s->arena, COLOR_NEVER, true, 0); /* which keeps them */
		Reader t = r;
		t.s = scratch;
		t.batch = trial;
		const Node *y = apply(&t, tried, prefix);
		*of_batch = y && t.of_batch && y->type.rank > 0 && y->type.dim[0] == trial;
	}
	r.batch = *of_batch ? batch : 0;
	Node *y = apply(&r, g, prefix);
	if (!y)
		bad_line(op, line, "its shape rule refuses the operands");
	return y;
}

Node *sample_build(Samples *s, Graph *g, const Op *op, const char *line, const char *prefix)
{
	Reader r = {.s = s, .op = op, .line = line};
	Node *y = apply(&r, g, prefix);
	Build b = {.graph = g};
	if (!y)
		bad_line(op, line, "its shape rule refuses the operands");

	char *name = arena_printf(s->arena, "%s.weight", prefix);
	SampleLeaf *leaf = leaf_new(s, name, type_elements(y->type), true);
	for (int64_t k = 0; k < leaf->count; k++)
		leaf->values[k] = 2 * drawn(name, k) - 1;
	Node *weight = param(&b, name, type_with_dtype(y->type, DTYPE_F32), false);
	if (y->type.dtype != DTYPE_F32) {
		Attr to = attr_text("to", "f32");
		y = build(&b, "cast", 1, &y, 1, &to);
	}
	Node *product = build2(&b, "mul", y, weight);
	int64_t axes[LIMIT_RANK];
	for (int i = 0; i < y->type.rank; i++)
		axes[i] = i;
	Node *sum = y->type.rank ? build_reduce(&b, "sum", product, axes, y->type.rank) : product;
	return build_reshape(&b, sum, 1, (int64_t[]){1});
}

const double *sample_leaf(void *samples, const Node *leaf)
{
	static const double one = 1;
	if (node_is_scalar(leaf))
		return &one;
	const SampleLeaf *found = map_get(((Samples *)samples)->leaves, node_text(leaf, "name"));
	return found ? found->values : NULL;
}
