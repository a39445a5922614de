/* Raises what people write by hand to the operator that it is, by rules/raise.rules: exp(x - max(x))/sum(...) is a
 * softmax, x*sigmoid(x) a silu, and a mask of what comes after is that, however it was computed.
 *
 * So what follows has one form to look for, and each operator its own gradient. Until nothing changes: a rule makes
 * what another one reads. Must run before differentiate, and before all that looks for operators; needs nothing before
 * it. */
#include "passes/pass.h"

#include "ir/op.h"
#include "rules/rules.h"

enum { LIMIT_ROUNDS = 32 };

typedef struct Raising {
	PassContext *ctx;
	Rules *rules;
	int applied; /* in this round */
} Raising;

static Node *raise_node(void *data, Graph *to, const Node *n, Node **operands)
{
	Raising *r = data;
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

Graph *pass_raise(PassContext *ctx, const Graph *g)
{
	Raising r = {.ctx = ctx, .rules = rules_new(ctx->arena, "raise")};
	r.rules->settled = false;
	for (int round = 0; round < LIMIT_ROUNDS; round++) {
		r.applied = 0;
		rules_read(r.rules, g);
		Graph *to = graph_rewrite(ctx->arena, g, raise_node, &r);
		if (r.applied > 0)
			g = to;
		else if (r.rules->settled)
			break;
		r.rules->settled = r.applied == 0;
	}
	ctx->rules = r.rules;
	return (Graph *)g;
}
