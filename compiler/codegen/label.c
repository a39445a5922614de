/* SPDX-License-Identifier: MIT */
/* What a step computes, in the words of the .net file: see label.h.
 *
 * A node says what it was written as (Node.of): the layer, loss or optimizer, then the part of it that the node is,
 * "batchnorm.backward.sums". The label of a step has each of these once, in the order of its nodes. */
#include "codegen/label.h"

#include "base/array.h"
#include "ir/op.h"

#include <string.h>

enum { LONGEST = 48 }; /* bytes; more words are left out */

typedef struct Word {
	const char *base; /* "batchnorm" */
	const char *part; /* "sums"; NULL: the whole, or of several parts */
	bool backward;
	int64_t elements; /* that its largest node goes over */
} Word;

typedef ARRAY(Word) Words;

static int64_t elements_of(const Node *n)
{
	return type_elements((n->op->flags & OP_REDUCE) ? n->operands[0]->type : n->type);
}

/* "batchnorm.backward.sums"; of several parts the last counts. Heavy operators have a name for each direction. */
static Word word_of(Arena *a, const Node *n)
{
	const bool heavy = n->op->flags & OP_HEAVY;
	Word w = {.base = arena_strdup(a, n->of && !heavy ? n->of : n->op->name), .elements = elements_of(n)};
	for (char *dot = strchr(w.base, '.'); dot; dot = strchr(dot, '.')) {
		*dot++ = '\0';
		const size_t length = strcspn(dot, ".");
		if (length == strlen("backward") && strncmp(dot, "backward", length) == 0)
			w.backward = true;
		else
			w.part = arena_strndup(a, dot, length);
	}
	return w;
}

static bool same_text(const char *x, const char *y)
{
	return x == y || (x && y && strcmp(x, y) == 0);
}

/* A layer's forward part beside its gradient is one word: the gradient's, as of a loss and what it gives back; after a
 * heavy operator of the forward phase the layer's, which is what the step is for. Of two parts
 * that one counts which goes over more: what follows from a batchnorm's sums for each channel is no part of its own. */
static void add_word(Arena *a, Words *words, Word w, bool forward)
{
	for (int i = 0; i < words->count; i++) {
		Word *known = &words->at[i];
		if (strcmp(known->base, w.base) != 0)
			continue;
		if (known->backward != w.backward) {
			*known = w.backward != forward ? w : *known;
		} else if (known->elements == w.elements) {
			known->part = same_text(known->part, w.part) ? w.part : NULL;
		} else if (known->elements < w.elements) {
			*known = w;
		}
		return;
	}
	array_push(a, words, w);
}

/* What the first `length` bytes of a path and `scope` begin with alike, whole segments of it. */
static size_t common_scope(const char *path, size_t length, const char *scope)
{
	size_t at = 0, whole = 0;
	while (at < length && scope[at] == path[at]) {
		at++;
		if ((at == length || path[at] == '.') && (!scope[at] || scope[at] == '.'))
			whole = at;
	}
	return whole;
}

char *step_layer(Arena *a, const Step *s)
{
	const char *path = NULL;
	size_t length = 0;
	for (int i = 0; i < s->sites.count; i++) {
		const char *scope = s->sites.at[i]->scope;
		length = path ? common_scope(path, length, scope) : strlen(scope);
		path = path ? path : scope;
	}
	return length > 0 ? arena_strndup(a, path, length) : NULL;
}

char *step_words(Arena *a, const Step *s)
{
	char *label = step_label(a, s), *layer = step_layer(a, s);
	return layer ? arena_printf(a, "%s of %s", label, layer) : label;
}

char *step_label(Arena *a, const Step *s)
{
	const unsigned *roles = step_roles(a, s);
	Words words = {0};
	const bool forward = s->root && !(s->root->of && strstr(s->root->of, ".backward"));
	for (int i = 0; i < s->node_count; i++) {
		const Node *n = s->nodes[i];
		if (roles[i] && !(n->op->flags & OP_ALIAS) && !(i > 0 && (n->op->flags & OP_BESIDE)))
			add_word(a, &words, word_of(a, n), forward);
	}
	bool all_backward = true;
	for (int i = 0; i < words.count; i++)
		all_backward = all_backward && words.at[i].backward;
	char *text = arena_strdup(a, "");
	const char *part = "";
	for (int i = 0; i < words.count; i++) {
		const Word *w = &words.at[i];
		char *more = arena_printf(a, "%s%s%s%s", text, *text ? "_" : "", w->base,
		                          w->backward && !all_backward ? "_backward" : "");
		if (*text && strlen(more) > LONGEST)
			break;
		text = more;
		if (w->part)
			part = arena_printf(a, "_%s", w->part);
	}
	text = arena_printf(a, "%s%s%s", text, all_backward ? "_backward" : "", part);
	return text;
}
