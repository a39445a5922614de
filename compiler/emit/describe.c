/* SPDX-License-Identifier: MIT */
/* What a step does, in words: see describe.h. */
#include "emit/describe.h"
#include "base/writer.h"
#include "ir/op.h"
#include "ir/domain.h"
#include "ir/held.h"
#include "codegen/label.h"
#include "codegen/library.h"
#include <string.h>

Phase *step_phases(Arena *a, const Program *p)
{
	const Phase *of_node = node_phases(a, p->graph);
	Phase *phases = NEW_ARRAY(a, Phase, p->step_count);
	for (int s = 0; s < p->step_count; s++) /* sums stand beside a step of some phase */
		phases[s] = s > 0 && p->steps[s].sums == SUMS_TAKEN ? phases[s - 1]
		            : p->steps[s].node_count
		                    ? group_phase(of_node, p->steps[s].nodes, p->steps[s].node_count)
		                    : PHASE_UPDATE;
	return phases;
}

char *comment_text(Arena *a, const char *text)
{
	char *out = arena_strdup(a, text);
	for (char *p = out; *p; p++)
		if (*p < 0x20 || *p > 0x7e || *p == '\\' || *p == '?' || *p == '"' ||
		    (*p == '/' && p > out && p[-1] == '*') || (*p == '*' && p > out && p[-1] == '/'))
			*p = '_';
	return out;
}

/* Where a line of `text` ends: at the last space that leaves at most `width` bytes, after a `;` if one is in its
 * second half; with no space there, at the first after it. */
static int line_length(const char *text, int width)
{
	int at = width, clause = width;
	while (at > 0 && text[at] != ' ')
		at--;
	while (clause > width / 2 && !(text[clause] == ' ' && text[clause - 1] == ';'))
		clause--;
	return clause > width / 2 ? clause : at > 0 ? at : (int)strcspn(text, " ");
}

char *wrapped_text(Arena *a, const char *text, int width, const char *lead)
{
	char *out = arena_strdup(a, "");
	while ((int)strlen(text) > width) {
		int length = line_length(text, width);
		if (!text[length])
			break;
		out = arena_printf(a, "%s%.*s\n%s", out, length, text, lead);
		text += length + 1;
	}
	return arena_printf(a, "%s%s", out, text);
}

typedef struct Formula {
	Arena *arena;
	const Program *program;
	const Step *step;
	const Tensors *tensors;
	bool too_deep;
} Formula;

enum { DEEPEST = 6 /* of what a reader follows */ };

static char *formula_text(Formula *f, const Node *n, int depth, bool nested);

static char *operand_text(Formula *f, const Node *x, int depth)
{
	while ((x->op->flags & OP_ALIAS) && node_is_inline(x))
		x = x->operands[0];
	if (node_is_constant(x))
		return arena_printf(f->arena, "%g", node_real(x, "value"));
	if (node_is_scalar(x))
		return arena_strdup(f->arena, node_text(x, "name"));
	if (step_has_node(f->step, x) || node_is_inline(x))
		return formula_text(f, x, depth + 1, true);
	const char *name = f->tensors ? tensor_of(f->tensors, f->program, x) : NULL;
	const Buffer *b = buffer_of(f->program, x);
	return arena_strdup(f->arena, name ? name : b ? b->name : x->op->name);
}

/* An operand of the root goes by its name in the signature also where it is no argument; NULL: it is no such one. */
static const char *unpassed_name(const Formula *f, const Node *n, int operand)
{
	const Node *x = n->operands[operand];
	const bool unpassed = f->tensors && n == f->step->root && buffer_of(f->program, x) &&
	                      !step_has_node(f->step, x) && !tensor_of(f->tensors, f->program, x);
	return unpassed ? op_operand_name(f->arena, n->op, operand) : NULL;
}

static char *formula_text(Formula *f, const Node *n, int depth, bool nested)
{
	if (depth > DEEPEST) {
		f->too_deep = true;
		return arena_strdup(f->arena, "");
	}
	if (n->op->flags & OP_ALIAS)
		return operand_text(f, n->operands[0], depth);
	if (n->op->sign)
		return arena_printf(f->arena, nested && depth > 0 ? "(%s %s %s)" : "%s %s %s",
		                    operand_text(f, n->operands[0], depth), n->op->sign,
		                    operand_text(f, n->operands[1], depth));
	const char *text = "";
	for (int k = 0; k < n->operand_count; k++) {
		const char *name = unpassed_name(f, n, k);
		text = arena_listed(f->arena, text, "%s",
		                    name ? name : operand_text(f, n->operands[k], depth));
	}
	return arena_printf(f->arena, "%s(%s)", n->op->name, text);
}

char *step_formula(Arena *a, const Program *p, const Step *s, const Tensors *t, int most)
{
	Formula f = {a, p, s, t, false};
	if (s->kind == STEP_COPY)
		return arena_printf(a, "copy of %s", s->reads[0]->name);
	if (s->kind == STEP_ALL_REDUCE)
		return arena_printf(a, "mean of %s over all ranks%s", s->reads[0]->name,
		                    s->write_count > 1 ? ", in bf16" : "");
	static const char *const before[] = {
	        [SUMS_WITHIN] = "", [SUMS_LEFT] = "leaves sums; ", [SUMS_TAKEN] = "takes sums; "};
	const unsigned *roles = step_roles(a, s);
	char *text = arena_strdup(a, "");
	bool unstored = library_overwrites(s) || library_weight(s);
	for (int i = s->node_count - 1; i >= 0 && (int)strlen(text) <= most; i--)
		if (p->of_node[s->nodes[i]->id] && roles[i] & NODE_STORES &&
		    !(unstored && s->nodes[i] == s->root)) {
			bool pooled = s->held && s->nodes[i] == s->held->before;
			text = arena_printf(a, pooled ? "%s%smaxpool(%s)" : "%s%s%s", text, *text ? "; " : "",
			                    formula_text(&f, s->nodes[i], 0, false));
		}
	text = arena_printf(a, "%s%s", before[s->sums], text);
	return comment_text(a, f.too_deep || (int)strlen(text) > most ? step_words(a, s) : text);
}

char *step_measures(Arena *a, const Step *s)
{
	Type widest = {0};
	bool first = true;
	for (int i = 0; i < s->write_count; i++) {
		Type t = s->writes[i]->type;
		if (s->writes[i]->class == BUFFER_WORKSPACE ||
		    (!first && type_elements(t) <= type_elements(widest)))
			continue;
		widest = t;
		first = false;
	}
	if (s->rows.count > 0)
		widest.dim[0] = s->rows.count;
	return arena_printf(a, "%s  %s  %s", shape_text(a, widest), human_count(a, s->flops, "FLOP"),
	                    human_count(a, s->bytes, "B"));
}

double step_least_us(const Step *s, bool tensor_cores, const Device *d, bool *by_memory)
{
	const Work w = step_work(s, tensor_cores);
	*by_memory = price_bound(&d->peak, &w) == BY_MEMORY;
	return price_us(&d->peak, &w);
}

char *step_bound(Arena *a, const Step *s, bool tensor_cores, const Device *d)
{
	bool by_memory;
	const double least = step_least_us(s, tensor_cores, d, &by_memory);
	if (least < d->launch)
		return arena_strdup(a, "latency");
	return arena_printf(a, least < 100 ? "%.1f us by %s" : "%.0f us by %s", least,
	                    by_memory ? "memory" : "arithmetic");
}
