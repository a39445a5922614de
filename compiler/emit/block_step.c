/* SPDX-License-Identifier: MIT */
/* A step of a block of calls: see block_step.h. */
#include "emit/block_step.h"

#include "emit/describe.h"
#include "codegen/expr.h"
#include "codegen/label.h"
#include "ir/op.h"

#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
	COMMENT_COLUMN = 88, /* after the tab */
	TEXT_WIDTH = 110,
	NAME_MOST = 72,
	FORMULA_MOST = 216,
};

/* ---- buffers */

static bool is_free(const Block *b, const char *name)
{
	static const char *const own[] = {"m", "s", "i", "at"};
	for (size_t k = 0; k < sizeof own / sizeof *own; k++)
		if (strcmp(name, own[k]) == 0)
			return false;
	return !map_get(b->taken, name);
}

static const char *free_name(Block *b, const char *wanted)
{
	const char *name = c_identifier(b->arena, wanted);
	for (int i = 2; !is_free(b, name); i++)
		name = c_identifier_numbered(b->arena, wanted, i);
	map_set(b->taken, name, b);
	return name;
}

/* The name of a buffer within its block: without the block's own name, and without a number that tells it from those
 * of other blocks. */
static const char *name_within(const Block *b, const Buffer *buffer, const char *scope)
{
	Arena *a = b->arena;
	const char *name = buffer->name, *own = *scope ? c_identifier(a, scope) : "";
	size_t length = strlen(own);
	const char *at = length > 0 ? strstr(name, own) : NULL;
	while (at && !((at == name || at[-1] == '_') && at[length] == '_' &&
	               isalpha((unsigned char)at[length + 1])))
		at = strstr(at + 1, own);
	if (at)
		name = arena_printf(a, "%.*s%s", (int)(at - name), name, at + length + 1);
	size_t end = strlen(name);
	while (end > 1 && isdigit((unsigned char)name[end - 1]))
		end--;
	bool numbered = name[end] && end > 1 && name[end - 1] == '_';
	return numbered ? arena_strndup(a, name, end - 1) : name;
}

/* A function that the calls need must not be hidden; what the program calls a buffer is none. */
static bool hides(const Block *b, const char *name)
{
	return map_get(b->e->names, name) == b->e;
}

static const char *local_name(Block *b, const Buffer *first)
{
	if (b->repeats == 1 && !map_get(b->taken, first->name)) {
		map_set(b->taken, first->name, b);
		return first->name;
	}
	const char *wanted = first->name; /* or a neighbour's, of the same block */
	for (int r = 0; r < b->repeats && b->repeats > 1 && strcmp(wanted, first->name) == 0; r++)
		wanted = name_within(b, first, b->scopes[r]);
	const char *name = free_name(b, wanted);
	return hides(b, name) ? free_name(b, arena_printf(b->arena, "%s_values", wanted)) : name;
}

/* "steps 4-12" of a buffer of the arena, which others have before and after. */
static const char *lifetime(Arena *a, const Buffer *b)
{
	const Buffer *root = buffer_root((Buffer *)b);
	if (strcmp(buffer_block(b), "arena") != 0)
		return "";
	const char *last = root->to_end ? "end" : arena_printf(a, "%d", root->last + 1);
	return arena_printf(a, "  steps %d-%s", root->first + 1, last);
}

/* The buffer that this is a view of, of the same elements in another shape; or itself. */
static const Buffer *unviewed(const Program *p, const Buffer *b)
{
	const Node *n = b->node ? node_viewed(b->node) : NULL;
	const Buffer *of = n && n != b->node ? p->of_node[n->id] : NULL;
	bool same = of && buffer_root((Buffer *)of) == buffer_root((Buffer *)b) &&
	            buffer_offset(of) == buffer_offset(b) && of->bytes == b->bytes &&
	            of->type.dtype == b->type.dtype;
	return same ? of : b;
}

/* The name of the pointer to a buffer in each repeat, which is declared in front of the first call that takes it. */
static const char *pointer(Block *b, const Buffer *const *buffers)
{
	Arena *a = b->arena;
	Writer *key_writer = writer_new(a);
	for (int r = 0; r < b->repeats; r++) {
		const Buffer *of = unviewed(b->part->p, buffers[r]);
		write_text(key_writer, "%d+%lld ", of->id, (long long)of->offset);
	}
	const char *key = writer_text(key_writer, NULL), *known = map_get(b->locals, key);
	if (known)
		return known;
	const char *name = local_name(b, buffers[0]);
	map_set(b->locals, key, (void *)name);
	int64_t *offsets = NEW_ARRAY(a, int64_t, b->repeats);
	bool same_shape = true;
	for (int r = 0; r < b->repeats; r++) {
		offsets[r] = buffer_offset(buffers[r]);
		same_shape = same_shape && type_equal(buffers[0]->type, buffers[r]->type);
	}
	const char *type = dtype_c_name(buffers[0]->type.dtype),
	           *offset = columns_offset(b->columns, name, buffer_block(buffers[0]), offsets);
	write_text(b->w, "%s *const %s = (%s *)(m->%s + %s);", type, name, type, buffer_block(buffers[0]),
	           offset);
	if (same_shape)
		write_comment(b->w, COMMENT_COLUMN, "%s  %s%s", shape_text(a, buffers[0]->type),
		              human_count(a, (double)buffers[0]->bytes, "B"),
		              b->repeats == 1 ? lifetime(a, buffers[0]) : "");
	write_line(b->w, "%s", "");
	return name;
}

/* ---- calls */

typedef int64_t OfRepeat(const Block *b, int repeat, int position);

/* "12", or what it is in repeat `i`. */
static const char *number(Block *b, const char *wanted, const char *type, int position, OfRepeat *of)
{
	int64_t *numbers = NEW_ARRAY(b->arena, int64_t, b->repeats);
	for (int r = 0; r < b->repeats; r++)
		numbers[r] = of(b, r, position);
	return columns_number(b->columns, wanted, type, numbers);
}

static int64_t step_number(const Block *b, int repeat, int position)
{
	return b->firsts[repeat] + position + 1;
}

/* A number of its call, which is `member` bytes into that. */
static const char *call_number(Block *b, const char *wanted, int position, size_t member)
{
	int64_t *numbers = NEW_ARRAY(b->arena, int64_t, b->repeats);
	for (int r = 0; r < b->repeats; r++)
		numbers[r] = *(const int *)((const char *)call_at(b, r, position) + member);
	return columns_number(b->columns, wanted, "int", numbers);
}

static int64_t copied_bytes(const Block *b, int repeat, int position)
{
	return step_at(b, repeat, position)->reads[0]->bytes;
}

static int64_t reduced_elements(const Block *b, int repeat, int position)
{
	return type_elements(step_at(b, repeat, position)->writes[0]->type);
}

/* Where it begins in the flat gradient, and how much of that is one rank's; 0: all of it is each one's. */
static int64_t reduced_first(const Block *b, int repeat, int position)
{
	const Buffer *to = step_at(b, repeat, position)->writes[0];
	return to->inside ? to->offset / dtype_bytes(to->type.dtype) : 0;
}

static int64_t reduced_share(const Block *b, const Step *s)
{
	const Buffer *to = s->writes[0];
	return recipe_share(b->e->compiled->source->recipe,
	                    type_elements((to->inside ? to->inside : to)->type));
}

/* The buffer that a step which moves it reads or, from 0 on, writes. */
enum { MOVED_FROM = -1 };
static const char *moved(Block *b, int position, int written)
{
	const Buffer **buffers = NEW_ARRAY(b->arena, const Buffer *, b->repeats);
	for (int r = 0; r < b->repeats; r++) {
		const Step *s = step_at(b, r, position);
		buffers[r] = written == MOVED_FROM ? s->reads[0] : s->writes[written];
	}
	return pointer(b, buffers);
}

static const char *argument(Block *b, int position, int k)
{
	const Buffer **buffers = NEW_ARRAY(b->arena, const Buffer *, b->repeats);
	for (int r = 0; r < b->repeats; r++)
		buffers[r] = call_at(b, r, position)->arguments[k];
	return pointer(b, buffers);
}

/* What a size of a call is of its tensors in all repeats: the channels of one, its rows, the filters that one has; the
 * result's first, which is the last. NULL: nothing. */
static const char *size_of_tensors(const Block *b, int position, const int64_t *numbers)
{
	static const char *const words[] = {"channels", "rows", "filters", "depth", "elements"};
	enum { WORDS = sizeof words / sizeof *words };
	for (int k = 0; k < WORDS; k++) {
		for (int i = call_at(b, 0, position)->count - 1; i >= 0; i--) {
			int same = 0;
			for (; same < b->repeats; same++) {
				const Buffer *x = call_at(b, same, position)->arguments[i];
				const Type *t = &x->type;
				const int64_t all = type_elements(*t), first = t->rank > 1 ? t->dim[0] : 0,
				              last = t->rank > 1 ? t->dim[t->rank - 1] : 0;
				const bool is_weight =
				        x->class == BUFFER_PARAMETER || x->class == BUFFER_GRADIENT;
				const int64_t sizes[WORDS] = {last, last && !is_weight ? all / last : 0,
				                              first, first ? all / first : 0, all};
				if (x->class == BUFFER_WORKSPACE || sizes[k] != numbers[same])
					break;
			}
			if (same == b->repeats)
				return words[k];
		}
	}
	return NULL;
}

/* The constants of a family's function: "&conv_shape, 64, ". */
static const char *constants(Block *b, int position)
{
	Arena *a = b->arena;
	const CFunction *f = call_at(b, 0, position)->function;
	const char *text = "";
	for (int k = 0; k < f->constants.count; k++) {
		const CConstant *c = &f->constants.at[k];
		const char **texts = NEW_ARRAY(a, const char *, b->repeats);
		int64_t *numbers = NEW_ARRAY(a, int64_t, b->repeats);
		for (int r = 0; r < b->repeats; r++) {
			texts[r] = call_at(b, r, position)->function->constants.at[k].value;
			numbers[r] = strtoll(texts[r], NULL, 10);
		}
		const char *size = c->is_size ? size_of_tensors(b, position, numbers) : NULL;
		text = arena_printf(
		        a, "%s%s, ", text,
		        c->is_size ? columns_number(b->columns, size ? size : c->name, c->type, numbers)
		                   : columns_text(b->columns, c->name, c->type, texts));
	}
	return text;
}

/* The tensors, the scalars and the streams. */
static const char *arguments(Block *b, int position)
{
	Arena *a = b->arena;
	const StepCall *first = call_at(b, 0, position);
	const char *text = "";
	for (int k = 0; k < first->count; k++) {
		int64_t *from = NEW_ARRAY(a, int64_t, b->repeats);
		for (int r = 0; r < b->repeats; r++)
			from[r] = call_at(b, r, position)->from[k];
		const char *name = argument(b, position, k),
		           *start = columns_number(b->columns, "from", "int64_t", from);
		text = arena_listed(a, text, "%s%s%s", name, strcmp(start, "0") == 0 ? "" : " + ",
		                    strcmp(start, "0") == 0 ? "" : start);
	}
	if (first->scalars)
		text = arena_listed(a, text, "s");
	for (int k = 0; k < first->stream_count && first->scalars; k++) {
		int64_t *streams = NEW_ARRAY(a, int64_t, b->repeats);
		for (int r = 0; r < b->repeats; r++)
			streams[r] = call_at(b, r, position)->streams[k];
		text = arena_listed(a, text, "%s", columns_number(b->columns, "stream", "int", streams));
	}
	return text;
}

/* Its text without the block's own path: "batchnorm of bottleneck_2.conv_bn" is of conv_bn, there. */
static const char *words_within(Arena *a, const char *text, const char *scope)
{
	const char *of = arena_printf(a, " of %s", scope), *at = strstr(text, of);
	if (!*scope || !at)
		return text;
	const char *rest = at + strlen(of);
	if (*rest == '.')
		return arena_printf(a, "%.*s of %s", (int)(at - text), text, rest + 1);
	return *rest ? text : arena_strndup(a, text, (size_t)(at - text));
}

/* What the step computes in one repeat, in the names that its arguments have in the block. */
static const char *formula_of(Arena *a, const Block *b, int repeat, int position, const char *const *names,
                              int most)
{
	const StepCall *call = call_at(b, repeat, position);
	Tensors t = {.arena = a, .at = NEW_ARRAY(a, Tensor, call->count), .count = call->count};
	for (int k = 0; k < call->count; k++)
		t.at[k] = (Tensor){.buffer = call->arguments[k],
		                   .name = names[k],
		                   .dtype = call->arguments[k]->type.dtype};
	return words_within(a, step_formula(a, b->part->p, step_at(b, repeat, position), &t, most),
	                    b->scopes[repeat]);
}

/* What the step computes; in words where the formula is another in each repeat, as one over another size is. */
static const char *formula(Block *b, int position, int most)
{
	Arena *a = b->arena;
	const Step *s = step_at(b, 0, position);
	if (step_moves(s) && b->repeats == 1)
		return step_formula(a, b->part->p, s, NULL, most);
	if (step_moves(s))
		return s->kind == STEP_COPY ? "copy" : "mean over all ranks";
	int count = call_at(b, 0, position)->count;
	const char **names = NEW_ARRAY(a, const char *, count);
	for (int k = 0; k < count; k++) /* once, not by repeat: each looks at all repeats */
		names[k] = argument(b, position, k);
	const char *first = formula_of(a, b, 0, position, names, most);
	bool same = true;
	for (int r = 1; r < b->repeats && same; r++) {
		Arena *scratch = arena_new();
		same = strcmp(first, formula_of(scratch, b, r, position, names, most)) == 0;
		arena_free(scratch);
	}
	return same ? first : comment_text(a, words_within(a, step_words(a, s), b->scopes[0]));
}

/* "  [128,28,28,16]  57.8 MFLOP  6.8 MB"; "" where repeats differ. */
static const char *measures(Block *b, int position)
{
	const char *first = step_measures(b->arena, step_at(b, 0, position));
	for (int r = 1; r < b->repeats; r++)
		if (strcmp(first, step_measures(b->arena, step_at(b, r, position))) != 0)
			return "";
	return first;
}

static void mark(Block *b, int position)
{
	int *steps = NEW_ARRAY(b->arena, int, b->repeats);
	for (int r = 0; r < b->repeats; r++)
		steps[r] = b->firsts[r] + position;
	emit_mark(b->e, b->part->p, steps, b->repeats);
}

/* The step as the call that ends in `call`: what it computes, then what the call needs. */
static void write_purpose(Block *b, int position, const char *step)
{
	Arena *a = b->arena;
	const Emitter *e = b->e;
	const Step *s = step_at(b, 0, position);
	const char *words = arena_printf(a, "%s  %s", comment_text(a, sites_text(a, s->sites, 4)),
	                                 formula(b, position, e->kernels ? NAME_MOST : FORMULA_MOST)),
	           *size = measures(b, position), *gap = *size ? "  " : "";
	if (e->kernels || b->part->p == e->compiled->train)
		mark(b, position);
	if (e->kernels) { /* also what the runtime says when a call of this step fails */
		if (b->name)
			write_line(b->w, "nnr_step_of(%s, %s, \"%s%s%s\");", b->name, step, words, gap, size);
		else
			write_line(b->w, "nnr_step(%s, \"%s%s%s\");", step, words, gap, size);
		return;
	}
	bool told = b->part->p == e->compiled->train; /* the profile is, which step begins */
	if (!told && b->repeats == 1)
		words = arena_printf(a, "%s  %s", step, words);
	bool fits = (int)(strlen(words) + strlen(size)) <= TEXT_WIDTH || !*size;
	write_line(b->w, "%s/* %s%s%s */", told ? arena_printf(a, "nnr_step(%s); ", step) : "",
	           wrapped_text(a, words, TEXT_WIDTH, " *    "), fits ? gap : "\n *    ", size);
}

/* `waits`: of the branch, what it does beside the chain must wait for. */
static void write_all_reduce(Block *b, int position)
{
	const Step *s = step_at(b, 0, position);
	const bool wired = s->write_count > 1; /* what is sent is bf16, which is written too */
	const char *name = moved(b, position, 0), *suffix = wired ? "_bf16" : "",
	           *as = wired ? moved(b, position, 1) : dtype_runtime_name(s->writes[0]->type.dtype),
	           *count = number(b, "count", "int64_t", position, reduced_elements);
	const int64_t share = reduced_share(b, s);
	if (share && b->e->kernels)
		write_line(b->w, "nnr_bucket_scatter%s(%s, %s, %s, %s, %s, %lld, %s);", suffix,
		           call_number(b, "bucket", position, offsetof(StepCall, bucket)), name, as, count,
		           number(b, "first", "int64_t", position, reduced_first), (long long)share,
		           call_number(b, "branch", position, offsetof(StepCall, waits)));
	else if (share && !wired)
		write_line(b->w, "nnr_reduce_scatter(%s, %s, %s, %s, %lld);", name, as,
		           number(b, "first", "int64_t", position, reduced_first), count, (long long)share);
	else if (b->e->kernels)
		write_line(b->w, "nnr_bucket_reduce%s(%s, %s, %s, %s, %s);", suffix,
		           call_number(b, "bucket", position, offsetof(StepCall, bucket)), name, as, count,
		           call_number(b, "branch", position, offsetof(StepCall, waits)));
	else
		write_line(b->w, "nnr_all_reduce%s(%s, %s, %s);", suffix, name, as, count);
}

void write_step(Block *b, int position)
{
	const Step *s = step_at(b, 0, position);
	const StepCall *call = call_at(b, 0, position);
	const char *step = number(b, "step", "int", position, step_number);
	if (call->waits != NO_NUMBER && s->kind != STEP_ALL_REDUCE)
		write_line(b->w, "nnr_branch_wait(%s);",
		           call_number(b, "waits", position, offsetof(StepCall, waits)));
	if (call->scores_wait)
		write_line(b->w, "nnr_scores_wait();");
	if (call->branch != NO_NUMBER)
		write_line(b->w, "nnr_branch_begin();");
	if (call->states_ready)
		write_line(b->w, "nnr_states_ready();");
	if (call->bucket_waits != NO_NUMBER)
		write_line(b->w, "nnr_bucket_wait(%s);",
		           call_number(b, "bucket", position, offsetof(StepCall, bucket_waits)));
	if (call->means_begin)
		write_line(b->w, "nnr_means_begin();");
	Writer *out = b->w;
	b->w = writer_new(
	        b->arena); /* the names of the pointers come first, for what is said about the step */
	if (s->kind == STEP_COPY) {
		const char *from = moved(b, position, MOVED_FROM), *to = moved(b, position, 0);
		write_line(b->w, "%s(%s, %s, %s);", b->e->kernels ? "nnr_copy" : "memcpy", to, from,
		           number(b, "bytes", "int64_t", position, copied_bytes));
	} else if (s->kind == STEP_ALL_REDUCE) {
		write_all_reduce(b, position);
	} else {
		const char *sizes = constants(b, position), *tensors = arguments(b, position);
		write_line(b->w, "%s(%s%s);", call->function->callee, sizes, tensors);
	}
	const char *text = writer_text(b->w, NULL);
	b->w = out;
	write_purpose(b, position, step);
	write_lines(b->w, text);
	if (call->means_end)
		write_line(b->w, "nnr_means_end();");
	if (call->branch != NO_NUMBER)
		write_line(b->w, "nnr_branch_end(%s);",
		           call_number(b, "branch", position, offsetof(StepCall, branch)));
}
