/* SPDX-License-Identifier: MIT */
/* The table of passes, in the order of passes.def. */
#include "passes/pass.h"

#include "base/writer.h"
#include "ir/loop.h"
#include "passes/implementation.h"
#include "rules/rules.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

const Pass passes[] = {
#define PASS(name, stages, flags, doc, ...) \
	{#name, doc, pass_##name, NULL, NULL, stages, flags, "" __VA_ARGS__},
#define RULES PASS
#define LOWERING(name, stages, flags, doc, ...) \
	{#name, doc, NULL, pass_##name, NULL, stages, flags, "" __VA_ARGS__},
#define PROGRAM_PASS(name, stages, flags, doc, ...) \
	{#name, doc, NULL, NULL, pass_##name, stages, flags, "" __VA_ARGS__},
#include "passes/passes.def"
#undef PASS
#undef RULES
#undef LOWERING
#undef PROGRAM_PASS
};

const int pass_count = sizeof passes / sizeof *passes;

bool pass_in_tf32(const PassContext *ctx)
{
	const char *precision = ctx->recipe ? ctx->recipe->precision : NULL;
	return precision && strcmp(precision, "tf32") == 0;
}

const char **optional_names(Arena *a, int *count)
{
	int all = pass_count + implementation_count;
	for (const RuleSet *s = rule_sets; s->name; s++)
		all += s->count;
	const char **names = NEW_ARRAY(a, const char *, all);
	*count = 0;
	for (int i = 0; i < pass_count; i++)
		if (passes[i].flags & OPTIONAL)
			names[(*count)++] = passes[i].name;
	for (int i = 0; i < implementation_count; i++)
		if (implementations[i]->flags & IMPL_OPTIONAL)
			names[(*count)++] = implementations[i]->name;
	for (const RuleSet *s = rule_sets; s->name; s++)
		for (int i = 0; i < s->count; i++)
			if (rule_is_optional(&s->rules[i]))
				names[(*count)++] = s->rules[i].name;
	return names;
}

bool pass_is_disabled(const PassContext *ctx, const char *name)
{
	for (int i = 0; i < ctx->disabled_count; i++)
		if (strcmp(name, ctx->disabled[i]) == 0)
			return true;
	return false;
}

static bool is_among(const Pass *all, int count, const char *name, size_t length)
{
	for (int i = 0; i < count; i++)
		if (strlen(all[i].name) == length && memcmp(all[i].name, name, length) == 0)
			return true;
	return false;
}

const Pass *passes_find_disorder(const Pass *all, int count)
{
	for (int i = 0; i < count; i++)
		for (const char *name = all[i].after; *name;) {
			const size_t length = strcspn(name, " ");
			if (!is_among(all, i, name, length))
				return &all[i];
			name += length + strspn(name + length, " ");
		}
	return NULL;
}

const Pass *pass_find(const char *name)
{
	for (int i = 0; i < pass_count; i++) {
		if (strcmp(passes[i].name, name) == 0)
			return &passes[i];
	}
	return NULL;
}

char *pass_list(Arena *a)
{
	Writer *w = writer_new(a);
	int width = 0;
	for (int i = 0; i < pass_count; i++)
		if ((int)strlen(passes[i].name) > width)
			width = (int)strlen(passes[i].name);
	for (int i = 0; i < pass_count; i++)
		write_line(w, "%-*s  %s%s%s", width, passes[i].name, passes[i].flags & CUDA ? "CUDA: " : "",
		           passes[i].doc,
		           passes[i].flags & OPTIONAL ? arena_printf(a, " (-fno-%s)", passes[i].name) : "");
	write_line(w, "%s", "");
	write_line(w, "%s",
	           "What `implement` chooses from, by estimated cost, of equals the first that fits:");
	for (int i = 0; i < implementation_count; i++)
		write_line(w, "%-*s  %s%s", width, implementations[i]->name, implementations[i]->doc,
		           implementations[i]->flags & IMPL_OPTIONAL
		                   ? arena_printf(a, " (-fno-%s)", implementations[i]->name)
		                   : "");
	write_line(w, "%s", "");
	write_line(w, "%s",
	           "-fno-... leaves a pass out, or a rule (compiler/rules); one marked CUDA does nothing "
	           "without --target=cuda, and its "
	           "-fno-... neither.");
	write_line(w, "%s", "compiler/passes/DESIGN.md says of each what it does, with an example.");
	return arena_strdup(a, writer_text(w, NULL));
}

bool pass_is_for(const Pass *pass, const Target *t)
{
	return !(pass->flags & CUDA) || t->gpu;
}

typedef struct Bodies {
	const Pass *pass;
	PassContext *ctx;
	bool changed;
} Bodies;

static Node *apply_to_body(void *data, Graph *to, const Node *n, Node **operands)
{
	Bodies *b = data;
	if (!node_is_loop(n))
		return NULL;
	const Graph *before = loop_of(n).body, *body = pass_apply(b->pass, b->ctx, before);
	if (body == before)
		return NULL;
	b->changed = true;
	return graph_node_with(to, n, operands, attr_body("body", body));
}

const Graph *pass_apply(const Pass *pass, PassContext *ctx, const Graph *g)
{
	Bodies b = {.pass = pass, .ctx = ctx};
	bool any = false;
	for (int i = 0; i < g->count && (pass->flags & BODIES) && !any; i++)
		any = node_is_loop(g->nodes[i]);
	const Graph *to = any ? graph_rewrite(ctx->arena, g, apply_to_body, &b) : g;
	return pass->run(ctx, b.changed ? to : g);
}

Arena *pass_kept(const PassContext *ctx)
{
	return ctx->kept ? ctx->kept : ctx->arena;
}

void pass_add_remark(PassContext *ctx, const char *format, ...)
{
	Arena *a = pass_kept(ctx);
	if (!ctx->remarked)
		ctx->remarked = map_new(a);
	va_list args;
	va_start(args, format);
	char *text = arena_vprintf(a, format, args);
	va_end(args);
	Remark *same = map_get(ctx->remarked, text);
	if (same) {
		same->times += !ctx->part;
		return;
	}
	Remark *r = NEW(a, Remark);
	*r = (Remark){text, 1};
	map_set(ctx->remarked, text, r);
	array_push(a, &ctx->remarks, r);
}

char *unjoined_key(Arena *a, const Node *producer, const Node *user)
{
	return arena_printf(a, "%s %s %s %s", producer->op->name, sites_text(a, producer->sites, 3),
	                    user->op->name, sites_text(a, user->sites, 3));
}

/* What a text says after the places that it begins with, as in "a.net:7 b.net:1,5: "; all of it: it begins with
 * none. */
static const char *said_of(const char *text)
{
	const char *colon = strchr(text, ':'), *end = strstr(text, ": ");
	return colon && colon < end && isdigit((unsigned char)colon[1]) ? end : text;
}

/* What is said alike of several places stands once, with all of them, where it was said first. */
char *remarks_text(const PassContext *ctx)
{
	if (ctx->remarks.count == 0)
		return NULL;
	Arena *a = pass_kept(ctx);
	Map *by_said = map_new(a);
	for (int i = 0; i < ctx->remarks.count; i++) {
		const Remark *r = ctx->remarks.at[i];
		const char *said = said_of(r->text);
		Remark *same = map_get(by_said, said);
		if (!same)
			map_set(by_said, said, same = NEW(a, Remark));
		same->text = arena_printf(a, "%s%s%.*s", same->times ? same->text : "",
		                          same->times ? " " : "", (int)(said - r->text), r->text);
		same->times += r->times;
	}
	Writer *w = writer_new(a);
	for (int i = 0; i < map_count(by_said); i++) {
		const Remark *r = map_value(by_said, i);
		write_text(w, "%s%s", r->text, map_key(by_said, i));
		write_line(w, "%s", r->times > 1 ? arena_printf(a, " (%d times)", r->times) : "");
	}
	return (char *)writer_text(w, NULL);
}
