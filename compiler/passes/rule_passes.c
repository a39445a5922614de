/* SPDX-License-Identifier: MIT */
/* The passes that are a set of rules (rules/NAME.rules), applied until nothing changes: one makes what another one
 * reads.
 *
 * `raise` writes what people write by hand as the operator that it is: exp(x - max(x))/sum(...) is a softmax,
 * x*sigmoid(x) a silu, and a mask of what comes after is that, however it was computed. So what follows has one form to
 * look for, and each operator its own gradient. It must run before differentiate, and before all that looks for
 * operators. What the others need is said in their files. */
#include "passes/pass.h"

#include "ir/op.h"
#include "rules/rules.h"

enum { LIMIT_ROUNDS = 32 };

typedef struct Applying {
	PassContext *ctx;
	Rules *rules;
	int applied; /* in this round */
} Applying;

static Node *apply_rule(void *data, Graph *to, const Node *n, Node **operands)
{
	Applying *r = data;
	const Rule *rule;
	Node *y = rules_apply(r->rules, to, n, operands, &rule);
	if (!y)
		return NULL;
	r->applied++;
	pass_remark(r->ctx, "%s: %s: by the rule %s",
	            sites_text(to->arena, sites_union(to->arena, n->sites, y->sites), 3), y->op->name,
	            rule->name);
	return y;
}

struct Rules *pass_rules(const PassContext *ctx, const char *set)
{
	Rules *r = rules_new(ctx->arena, set);
	r->target = ctx->target;
	r->recipe = ctx->recipe;
	for (int i = 0; i < r->set->count; i++)
		r->off[i] =
		        rule_is_optional(&r->set->rules[i]) && pass_is_disabled(ctx, r->set->rules[i].name);
	return r;
}

static Graph *apply_rules(PassContext *ctx, const Graph *g, const char *set)
{
	Applying r = {.ctx = ctx, .rules = pass_rules(ctx, set)};
	r.rules->settled = false;
	for (int round = 0; round < LIMIT_ROUNDS; round++) {
		r.applied = 0;
		rules_read(r.rules, g);
		Graph *to = graph_rewrite(ctx->arena, g, apply_rule, &r);
		if (r.applied > 0)
			g = to;
		else if (r.rules->settled)
			break;
		r.rules->settled = r.applied == 0;
	}
	ctx->rules = r.rules;
	return (Graph *)g;
}

#define PASS(name, ...)
#define LOWERING(name, ...)
#define PROGRAM_PASS(name, ...)
#define RULES(name, ...)                                     \
	Graph *pass_##name(PassContext *ctx, const Graph *g) \
	{                                                    \
		return apply_rules(ctx, g, #name);           \
	}
#include "passes/passes.def"
#undef PASS
#undef LOWERING
#undef PROGRAM_PASS
#undef RULES
