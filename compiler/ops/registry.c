/* SPDX-License-Identifier: MIT */
/* The roster of operators: what ops.def lists, found by name, described, and counted.
 *
 * Tables are indexed once, on first use, into an open-addressed table: names are looked up for every node that is
 * made. Nothing is allocated and nothing is freed; the compiler runs in one thread. */
#include "ir/op.h"

#include "base/writer.h"
#include "ir/loop.h"

#include <string.h>

#define FAMILY(name) extern const Op name##_ops[];
#include "ops/ops.def"
#undef FAMILY

static const Op *const families[] = {
#define FAMILY(name) name##_ops,
#include "ops/ops.def"
#undef FAMILY
};

enum { FAMILY_COUNT = sizeof families / sizeof *families, SLOTS = 1024 };

typedef struct Roster {
	const Op *at[OP_MOST]; /* in roster order */
	int count;
	const Op *slots[SLOTS]; /* by hash of the name */
	short places[SLOTS];    /* in roster order, of these */
} Roster;

static unsigned hash_of(const char *name)
{
	unsigned h = 2166136261u;
	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return h;
}

static const Op **slot_of(Roster *r, const char *name)
{
	unsigned i = hash_of(name) % SLOTS;
	while (r->slots[i] && strcmp(r->slots[i]->name, name) != 0)
		i = (i + 1) % SLOTS;
	return &r->slots[i];
}

static Roster *roster(void)
{
	static Roster r;
	if (r.count > 0)
		return &r;
	for (int f = 0; f < FAMILY_COUNT; f++) {
		for (const Op *op = families[f]; op->name; op++) {
			require(r.count < OP_MOST);
			const Op **slot = slot_of(&r, op->name);
			if (*slot)
				bug("two operators are called `%s`", op->name);
			*slot = op;
			r.places[slot - r.slots] = (short)r.count;
			r.at[r.count++] = op;
		}
	}
	return &r;
}

const Op *op_find(const char *name)
{
	return *slot_of(roster(), name);
}

int op_count(void)
{
	return roster()->count;
}

const Op *op_at(int i)
{
	return roster()->at[i];
}

void op_table_put(OpTable *t, const char *name, const void *record)
{
	Roster *r = roster();
	const Op **slot = slot_of(r, name);
	if (!*slot)
		bug("a table has `%s`, which is no operator", name);
	const void **place = &t->of[r->places[slot - r->slots]];
	if (*place)
		bug("a table has `%s` twice", name);
	*place = record;
}

const void *op_table_get(const OpTable *t, const Op *op)
{
	Roster *r = roster();
	const Op **slot = slot_of(r, op->name);
	return *slot == op ? t->of[r->places[slot - r->slots]] : NULL;
}

/* ---- signatures: "x, w -> y", "-> y", "x, mask? -> y", "x... -> y" */

/* Word i of the signature's operands, or NULL; *variadic when it ends in "...". */
static const char *signature_word(const char *s, int i, size_t *length, bool *variadic)
{
	for (int k = 0;; k++) {
		s += strspn(s, " ,");
		if (!*s || strncmp(s, "->", 2) == 0)
			return NULL;
		size_t n = strcspn(s, " ,.?");
		*variadic = strncmp(s + n, "...", 3) == 0;
		if (k == i || *variadic) {
			*length = n;
			return s;
		}
		s += n + (s[n] == '?');
	}
}

int op_operand_count(const Op *op)
{
	int count = 0;
	bool in_word = false;
	for (const char *s = op->signature; s && *s && !(s[0] == '-' && s[1] == '>'); s++) {
		if (s[0] == '.')
			return -1;
		bool letter = *s != ' ' && *s != ',';
		count += letter && !in_word;
		count -= *s == '?';
		in_word = letter;
	}
	return count;
}

bool node_is_by_element(const Node *n)
{
	return (n->op->flags & OP_POINTWISE) && !(n->op->flags & (OP_INDEXED | OP_SEEDED)) && !n->op->place &&
	       n->op->move == MOVE_NONE && n->operand_count > 0;
}

bool node_couples(const Node *n)
{
	return (n->op->flags & OP_COUPLES) && !(n->op->couples_if && node_int(n, n->op->couples_if) == 0);
}

const Node *graph_couples(const Graph *g)
{
	const Node *found = NULL;
	for (int i = 0; i < g->count && !found; i++) {
		const Node *n = g->nodes[i];
		found = node_couples(n) ? n : node_is_loop(n) ? graph_couples(loop_of(n).body) : NULL;
	}
	return found;
}

bool op_takes(const Op *op, int operands)
{
	int wanted = op_operand_count(op);
	const bool one_more = op->signature && strchr(op->signature, '?');
	return wanted < 0 ? operands > 0 : operands == wanted || (one_more && operands == wanted + 1);
}

const char *op_operand_name(Arena *a, const Op *op, int i)
{
	size_t length;
	bool variadic;
	const char *word = op->signature ? signature_word(op->signature, i, &length, &variadic) : NULL;
	if (!word)
		return arena_printf(a, "operand %d", i);
	if (variadic)
		return arena_printf(a, "%.*s%d", (int)length, word, i);
	return arena_strndup(a, word, length);
}

const char *op_result_name(Arena *a, const Op *op)
{
	const char *arrow = op->signature ? strstr(op->signature, "->") : NULL;
	if (!arrow)
		return "y";
	arrow += 2;
	return arena_strdup(a, arrow + strspn(arrow, " "));
}

/* ---- counts */

static double bytes_moved(const Node *n)
{
	double bytes = (double)type_bytes(n->type);
	for (int i = 0; i < n->operand_count; i++)
		bytes += (double)type_bytes(n->operands[i]->type);
	return bytes;
}

/* Elements an operator works over: those of the larger of its result and its first operand, a reduction's. */
static double elements_of(const Node *n)
{
	int64_t result = type_elements(n->type);
	int64_t first = n->operand_count > 0 ? type_elements(n->operands[0]->type) : 0;
	return (double)(result > first ? result : first);
}

Cost node_cost(const Node *n)
{
	Cost cost = {0};
	if (n->op->cost) {
		n->op->cost(n, &cost);
	} else if (!(n->op->flags & (OP_LEAF | OP_ALIAS))) {
		double each = n->op->flags & OP_REDUCE ? 1 : n->op->expr_flops;
		cost.flops = each * elements_of(n);
		cost.bytes = bytes_moved(n);
	}
	return cost;
}

/* ---- help */

/* `n` bytes of prose broken at 78 columns; the first line starts with `label`, the others with as many blanks. */
static void write_prose(Writer *w, const char *label, const char *text, size_t n)
{
	int indent = (int)strlen(label);
	size_t width = (size_t)(78 - indent);
	for (const char *end = text + n; text < end; label = "") {
		size_t line = (size_t)(end - text);
		if (line > width) {
			line = width;
			while (line > 0 && text[line] != ' ')
				line--;
			if (line == 0)
				line = width;
		}
		write_line(w, "%-*s%.*s", indent, label, (int)line, text);
		text += line;
		text += strspn(text, " ");
	}
}

static const struct {
	const char *type, *meaning;
} parameter_types[] = {
        {"tensor", "a tensor"},
        {"tensors", "one or more tensors"},
        {"indices", "a tensor of integers, taken as it is"},
        {"int", "an integer"},
        {"real", "a number"},
        {"bool", "true or false"},
        {"text", "a text"},
        {"pair", "an integer, or a tuple of two (height, width)"},
        {"ints", "an integer, a tuple or a list of integers"},
        {"normal(deviation)",
         "normal(deviation), truncated_normal(deviation), uniform(a), constant(value), orthogonal(gain)"},
};

/* What a type of a call signature accepts; NULL for a word, which stands for itself. */
static const char *type_meaning(const char *type, size_t length)
{
	for (size_t i = 0; i < sizeof parameter_types / sizeof *parameter_types; i++) {
		const char *name = parameter_types[i].type;
		if (strlen(name) == length && strncmp(name, type, length) == 0)
			return parameter_types[i].meaning;
	}
	return NULL;
}

/* One line for a parameter "name: type = default" of a call signature. */
static void write_parameter(Writer *w, Arena *a, const char *text, size_t length)
{
	char *copy = arena_strndup(a, text, length), *fallback = strstr(copy, " = "),
	     *type = strchr(copy, ':');
	if (fallback) {
		*fallback = '\0';
		fallback += 3;
	}
	if (type) {
		*type++ = '\0';
		type += strspn(type, " ");
	}
	char *meaning = arena_strdup(a, "");
	for (const char *t = type ? type : "tensor"; *t;) {
		size_t n = strcspn(t, "|");
		const char *known = type_meaning(t, n);
		char *one = known ? arena_strdup(a, known) : arena_strndup(a, t, n);
		meaning = arena_printf(a, "%s%s%s", meaning, *meaning ? ", or " : "", one);
		t += n + (t[n] == '|');
	}
	write_line(w, "  %-12s  %s%s%s", copy, meaning, fallback ? "; default " : "",
	           fallback ? fallback : "");
}

static void write_parameters(Writer *w, Arena *a, const char *call)
{
	for (const char *p = call; *p;) {
		p += strspn(p, " ");
		size_t n = 0;
		for (int depth = 0; p[n] && (depth > 0 || p[n] != ','); n++)
			depth += (p[n] == '(' || p[n] == '[') - (p[n] == ')' || p[n] == ']');
		write_parameter(w, a, p, n);
		p += n + (p[n] == ',');
	}
}

static void write_flags(Writer *w, const Op *op, const char *library)
{
	static const struct {
		unsigned flag;
		const char *meaning;
	} meanings[] = {
	        {OP_POINTWISE, "pointwise: any number of them become one loop"},
	        {OP_REDUCE, "a reduction: shares a loop with the pointwise operators around it"},
	        {OP_ALIAS, "free: the result has the bytes of its operand"},
	        {OP_EPILOGUE, "pointwise operators after it are computed in its loops"},
	        {OP_HEAVY, "computed by generated loops or by a library, whichever is faster"},
	};
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
		if (op->flags & meanings[i].flag)
			write_line(w, "  %s", meanings[i].meaning);
	}
	if (op->expand && !(op->flags & OP_HEAVY))
		write_line(w, "  a composite: written as simpler operators before anything is fused");
	if (library)
		write_line(w, "  library step: %s", library);
}

static void write_gradient(Writer *w, Arena *a, const Op *op)
{
	bool any = false;
	for (int i = 0; i < 3; i++) {
		if (op->grads[i])
			write_line(w, "  d%-12s %s", op_operand_name(a, op, i), op->grads[i]);
		any = any || op->grads[i];
	}
	if (!any)
		write_line(w, op->grad     ? "  by its own rule"
		              : op->expand ? "  by those of the operators that it is written as"
		                           : "  none passes");
}

/* "y = conv(x, w)" */
static void write_operator(Writer *w, Arena *a, const Op *op)
{
	const char *arrow = strstr(op->signature, "->");
	int n = (int)(arrow - op->signature);
	while (n > 0 && op->signature[n - 1] == ' ')
		n--;
	write_line(w, "  %s = %s(%.*s)", op_result_name(a, op), op->name, n, op->signature);
}

char *op_help(Arena *a, const Op *op, const char *library)
{
	Writer *w = writer_new(a);
	if (op->call)
		write_line(w, "%s(%s)", op->name, op->call);
	else
		write_line(w, "%s (used inside the compiler; a .net file can't call it)", op->name);
	write_line(w, "%s", "");
	write_prose(w, "", op->doc, strlen(op->doc));
	if (op->call) {
		write_line(w, "%s", "");
		write_line(w, "Parameters");
		write_parameters(w, a, op->call);
	}
	if (op->infer) {
		write_line(w, "%s", "");
		write_line(w, "Graph operator");
		write_operator(w, a, op);
		write_flags(w, op, library);
		write_line(w, "%s", "");
		if (op->expr) {
			write_line(w, "Formula");
			write_line(w, "  %s = %s", op_result_name(a, op), op->expr);
			write_line(w, "  %g FLOP an element", op->expr_flops);
			write_line(w, "%s", "");
		}
		write_line(w, "Gradient");
		write_gradient(w, a, op);
	}
	size_t length;
	return arena_strdup(a, writer_text(w, &length));
}

/* The first sentence of the prose, without its full stop. */
static size_t first_sentence(const char *doc)
{
	const char *end = strstr(doc, ". ");
	size_t n = end ? (size_t)(end - doc) : strlen(doc);
	return n > 0 && doc[n - 1] == '.' ? n - 1 : n;
}

char *op_list(Arena *a, bool inside)
{
	Writer *w = writer_new(a);
	const Roster *r = roster();
	for (int callable = 1; callable >= !inside; callable--) {
		write_line(w, callable ? "Operators of the language" : "Operators inside the compiler");
		for (int i = 0; i < r->count; i++) {
			const Op *op = r->at[i];
			if ((op->call != NULL) == callable)
				write_prose(w, arena_printf(a, "  %-16s  ", op->name), op->doc,
				            first_sentence(op->doc));
		}
		if (callable && inside)
			write_line(w, "%s", "");
	}
	size_t length;
	return arena_strdup(a, writer_text(w, &length));
}
