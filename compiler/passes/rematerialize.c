/* SPDX-License-Identifier: MIT */
/* Drops values between two of their uses, and computes them again ahead of the second: memory for time.
 *
 * For `--memory` alone (PassContext.memory). Most of what is alive at the peak are activations that wait for the
 * backward pass. One that is dropped has its kernel once more, right ahead of the first kernel after the peak that
 * reads it: those nodes of the kernel that lead to it from values which are in memory. What the kernel reads stays
 * alive until then, or is itself dropped, and computed again there; so a chain from what is kept comes about.
 *
 *     %3 = matmul(%2, %1) group=1        stored             as it was
 *     %4 = gelu(%3) group=1              stored             not stored beyond its first readers
 *     ...                                                   ...
 *                                                           %9 = gelu(%3) group=7
 *     %9 = matmul(%8, %4) {ta=1} group=6                    %10 = matmul(%8, %9) {ta=1} group=6
 *
 * What a kernel computes the second time has the same bits: random numbers are functions of a counter, statistics and
 * other small values are read where they are stored, and no state is written again. A kernel that sends to other ranks
 * is never computed again.
 *
 * The choice is greedy. Values of one place of the network (operator, type, lines of the .net) go together, as the
 * blocks of a repeat. Of all such families whose values are alive at the peak, without being read there, the one is
 * taken that leaves most bytes less there for each microsecond, with or without what it is made of, as far as that
 * would wait for it alone; then the peak is looked for again. Of the last one only as many are dropped as the goal
 * needs, the earliest first, which are alive longest. A value is computed again once at most, so that the step never
 * takes longer than its forward part once more.
 *
 * Must run after `schedule`, in whose order the kernels stand side by side, and ahead of `lower`. */
#include "passes/rematerialize.h"

#include "base/map.h"
#include "ir/domain.h"
#include "ir/op.h"
#include "passes/implementation.h"

#include <stdlib.h>

enum {
	NEVER = INT32_MAX, /* a place in the order */
	MOST_ROUNDS = 96,
	MOST_FAMILIES = 48, /* that are tried in a round, the largest */
	SMALL_SHARE = 2048  /* of the peak: less than that is kept */
};

/* A kernel, or a node without a group that computes something. Units are numbered as they run. */
typedef struct Unit {
	NodeList nodes;
	const Node *root; /* heavy operator; NULL */
	bool fixed;       /* sends something to other ranks: is not computed twice */
	uint64_t asked;   /* the set of its nodes of which was asked last whether it is a kernel */
	bool fits;        /* and the answer */
} Unit;

typedef ARRAY(int) Places;

/* What is dropped. */
typedef struct Choice {
	bool *dropped; /* by node id */
	int *at;       /* by unit: the one ahead of which its dropped values are computed again; NEVER */
	double us;     /* of all that is computed again */
	int64_t *live; /* by unit: bytes alive while it runs */
	int peak;      /* the unit at which they are most */
	bool deep;     /* what waited for the peak only to be read again is dropped as well */
	bool valid;
} Choice;

typedef struct Remat {
	Arena *scratch;
	PassContext *ctx;
	const Graph *g;
	int64_t least; /* bytes of what is dropped */
	Unit *units;
	int count;
	int *unit;    /* by node id; -1: a leaf, a view, or written out where it is read */
	Places *uses; /* by node id of a stored value: units that read it, in order; `count`: the host does */
	int64_t *bytes;   /* by node id: in the arena; 0: elsewhere, or not stored */
	bool *stored;     /* by node id: other kernels or the host read it */
	bool *kept;       /* by node id: it can't be dropped */
	bool *within;     /* by node id: its own kernel reads it */
	int *overwritten; /* by node id of a parameter or state: the first unit that writes it; NEVER */
	double *flops;    /* by node id */
	bool *needed;     /* by node id, while a unit is looked at */
	int *last_read,
	        *next_read; /* by node id: of what is computed again, the last reader; the first after the peak */
	NodeList *again; /* by unit: what is computed again, in order */
} Remat;

/* ---- the order, and what is alive in it */

static bool computes(const Node *n)
{
	const bool view = n->group == NO_GROUP && (n->op->flags & OP_ALIAS);
	return !node_is_leaf(n) && !view && !(n->op->flags & OP_PACK) &&
	       (n->group != NO_GROUP || !node_is_inline(n));
}

static void find_units(Remat *r)
{
	int group = NO_GROUP;
	for (int i = 0; i < r->g->count; i++) {
		Node *n = r->g->nodes[i];
		r->unit[i] = -1;
		if (!computes(n))
			continue;
		if (n->group == NO_GROUP || n->group != group)
			r->count++;
		group = n->group;
		r->unit[i] = r->count - 1;
		Unit *u = &r->units[r->count - 1];
		array_push(r->scratch, &u->nodes, n);
		if (!u->root && !(n->op->flags & (OP_POINTWISE | OP_REDUCE | OP_ALIAS | OP_LEAF)))
			u->root = n;
		u->fixed = u->fixed || n->op->ranks != RANKS_NOTHING;
		r->flops[i] = node_cost(n).flops;
	}
}

static void add_use(Remat *r, const Node *x, int unit)
{
	Places *uses = &r->uses[x->id];
	if (uses->count == 0 || uses->at[uses->count - 1] != unit)
		array_push(r->scratch, uses, unit);
}

/* The first unit that writes the new value of a state, which is one or a pack of several. */
static int written_from(const Remat *r, const Node *value)
{
	if (r->unit[value->id] >= 0 || value->operand_count == 0)
		return r->unit[value->id] < 0 ? NEVER : r->unit[value->id];
	int first = NEVER;
	for (int k = 0; k < value->operand_count; k++) {
		const int made = r->unit[node_viewed(value->operands[k])->id];
		first = made >= 0 && made < first ? made : first;
	}
	return first;
}

static void find_overwritten(Remat *r)
{
	const Graph *g = r->g;
	int params = NEVER;
	for (int i = 0; i < g->output_count; i++) {
		if (g->outputs[i].kind != OUTPUT_STATE)
			continue;
		const Node *state = graph_find_leaf((Graph *)g, "state", g->outputs[i].name);
		const int unit = written_from(r, node_viewed(g->outputs[i].node));
		params = strcmp(g->outputs[i].name, "params") == 0 ? unit : params;
		if (state)
			r->overwritten[state->id] = unit;
	}
	for (int i = 0; i < g->count; i++)
		if (node_is_param(g->nodes[i]) && !node_is_frozen(g->nodes[i]))
			r->overwritten[i] = params;
}

static void find_uses(Remat *r)
{
	const Graph *g = r->g;
	for (int i = 0; i < g->count; i++)
		for (int k = 0; k < g->nodes[i]->operand_count; k++) {
			const Node *n = g->nodes[i], *operand = n->operands[k], *x = node_viewed(operand);
			const bool within = r->unit[i] >= 0 && r->unit[operand->id] == r->unit[i];
			r->within[operand->id] = r->within[operand->id] || within;
			if (r->unit[x->id] < 0 || within)
				continue;
			r->stored[x->id] = true;
			if (r->unit[i] >= 0)
				add_use(r, x, r->unit[i]);
			/* its place in the pack is taken from the first to the last step of the backward pass */
			r->kept[x->id] = r->kept[x->id] || (n->op->flags & OP_PACK);
		}
	for (int i = 0; i < g->output_count; i++) {
		const Node *x = node_viewed(g->outputs[i].node);
		if (r->unit[x->id] < 0)
			continue;
		r->stored[x->id] = r->kept[x->id] = true;
		if (g->outputs[i].kind == OUTPUT_STATE)
			r->bytes[x->id] = -1; /* in the state's own place */
		add_use(r, x, r->count);
	}
	for (int i = 0; i < g->count; i++) {
		const bool placed = r->bytes[i] < 0;
		r->bytes[i] = r->stored[i] && !placed ? type_bytes(g->nodes[i]->type) : 0;
	}
	for (int i = 0; i < g->count; i++)
		for (int k = 0; k < g->nodes[i]->operand_count && (g->nodes[i]->op->flags & OP_PACK); k++)
			r->bytes[node_viewed(g->nodes[i]->operands[k])->id] = 0;
}

static void add_life(const Remat *r, Choice *c, int64_t bytes, int first, int last)
{
	c->live[first] += bytes;
	if (last + 1 < r->count)
		c->live[last + 1] -= bytes;
}

static void add_lives(const Remat *r, Choice *c, const Node *x)
{
	const Places *uses = &r->uses[x->id];
	const int made = r->unit[x->id], again = c->dropped[x->id] ? c->at[made] : NEVER;
	int first_life = made, second_life = again;
	for (int i = 0; i < uses->count; i++)
		if (uses->at[i] < again)
			first_life = uses->at[i] > first_life ? uses->at[i] : first_life;
		else
			second_life =
			        uses->at[i] > second_life || second_life == NEVER ? uses->at[i] : second_life;
	if (again == NEVER) {
		first_life = r->last_read[x->id] > first_life ? r->last_read[x->id] : first_life;
		add_life(r, c, r->bytes[x->id], made, first_life);
		return;
	}
	second_life = r->last_read[x->id] > second_life ? r->last_read[x->id] : second_life;
	add_life(r, c, r->bytes[x->id], made, first_life);
	add_life(r, c, r->bytes[x->id], again, second_life);
}

static void measure(const Remat *r, Choice *c)
{
	memset(c->live, 0, sizeof *c->live * (size_t)(r->count + 1));
	for (int i = 0; i < r->g->count; i++) {
		const Node *n = r->g->nodes[i];
		int first = r->count;
		for (int k = 0; k < n->operand_count && (n->op->flags & OP_PACK); k++) {
			const int made = r->unit[node_viewed(n->operands[k])->id];
			first = made >= 0 && made < first ? made : first;
		}
		if (first < r->count)
			add_life(r, c, type_bytes(n->type), first, r->count);
		if (r->bytes[i] > 0)
			add_lives(r, c, n);
	}
	c->peak = 0;
	for (int u = 1; u < r->count; u++) {
		c->live[u] += c->live[u - 1];
		c->peak = c->live[u] > c->live[c->peak] ? u : c->peak;
	}
}

/* ---- what has to be computed again */

static double price(const Remat *r, Node **nodes, int count, const Node *root, double bytes)
{
	Step s = {.kind = !root                   ? STEP_KERNEL
	                  : node_by_library(root) ? STEP_LIBRARY
	                                          : STEP_OP,
	          .nodes = nodes,
	          .node_count = count,
	          .root = (Node *)root,
	          .bytes = bytes};
	for (int i = 0; i < count; i++)
		s.flops += r->flops[nodes[i]->id];
	return r->ctx->memory->step_us(&s, r->ctx->memory->device);
}

static bool is_kernel(const Remat *r, const Unit *u, const NodeList *part)
{
	const bool whole = part->count == u->nodes.count, with_root = u->root && r->needed[u->root->id];
	bool sums = false;
	for (int i = 0; i < part->count; i++) {
		sums = sums || (part->at[i]->op->flags & OP_REDUCE);
		if (!with_root && !node_is_fusible(part->at[i]))
			return false;
	}
	if (whole || (with_root && part->count == 1))
		return true;
	if (with_root && node_by_library(u->root)) {
		Epilogue e;
		if (!epilogue_read(u->root, part->at, part->count, &e))
			return false;
		const Region region = region_of(r->ctx, u->root, &e);
		return !region_refused(&region);
	}
	KernelShape shape;
	return with_root || (!kernel_shape(r->scratch, part->at, part->count, &shape) &&
	                     (!sums || shape.domain.inner == 1));
}

/* Whether those nodes of the unit that are needed can be one. The last answer is kept: most choices ask the same. */
static bool fits(const Remat *r, Unit *u, const NodeList *part)
{
	uint64_t set = (uint64_t)part->count;
	for (int i = 0; i < part->count; i++)
		set = (set ^ (uint64_t)part->at[i]->id) * 0x9E3779B97F4A7C15u;
	if (u->asked != set || set == 0) {
		u->asked = set;
		u->fits = !u->fixed && is_kernel(r, u, part);
	}
	return u->fits;
}

/* Whether x would wait for the peak to be read at `at` alone, and might be dropped too. */
static bool would_wait(const Remat *r, const Node *x, int at, int peak)
{
	const Places *uses = &r->uses[x->id];
	return at > peak && !r->kept[x->id] && !r->units[r->unit[x->id]].fixed &&
	       r->bytes[x->id] >= r->least && r->unit[x->id] < peak && uses->at[uses->count - 1] < peak &&
	       r->last_read[x->id] < peak;
}

/* Notes that the unit's second run reads x, of another; false where x has another value by then. */
static bool read_again(const Remat *r, Choice *c, const Node *x, int at, int after)
{
	const int made = r->unit[x->id];
	if (made < 0)
		return r->overwritten[x->id] >= at;
	if (c->deep && !c->dropped[x->id] && would_wait(r, x, at, after))
		c->dropped[x->id] = true;
	if (c->dropped[x->id] && c->at[made] > at)
		c->at[made] = at;
	if (at > r->last_read[x->id])
		r->last_read[x->id] = at;
	if (at > after && at < r->next_read[x->id])
		r->next_read[x->id] = at;
	return true;
}

/* Bytes that the second run of unit u reads and writes; less than 0: it can't have one. */
static double settle_unit(Remat *r, Choice *c, int u, int after)
{
	Unit *unit = &r->units[u];
	NodeList *part = &r->again[u];
	const int at = c->at[u];
	double bytes = 0;
	for (int i = unit->nodes.count - 1; i >= 0; i--) {
		Node *n = unit->nodes.at[i];
		const bool is_needed = r->needed[n->id] || c->dropped[n->id];
		r->needed[n->id] = is_needed;
		if (!is_needed)
			continue;
		bytes += c->dropped[n->id] ? (double)type_bytes(n->type) : 0;
		array_push(r->scratch, part, n);
		for (int k = 0; k < n->operand_count; k++) {
			const Node *y = n->operands[k], *x = node_viewed(y);
			const bool within = r->unit[y->id] == u;
			if (within && (!r->stored[y->id] || c->dropped[y->id])) {
				r->needed[y->id] = true;
				continue;
			}
			if ((!within && r->unit[x->id] == u) || !read_again(r, c, x, at, after))
				return -1;
			bytes += node_is_inline(x) ? 0 : (double)type_bytes(y->type);
		}
	}
	for (int i = 0; i < part->count / 2; i++) {
		Node *n = part->at[i];
		part->at[i] = part->at[part->count - 1 - i];
		part->at[part->count - 1 - i] = n;
	}
	const bool ok = fits(r, unit, part);
	return ok ? bytes : -1;
}

/* Finds all that the choice makes necessary, and what is alive then. `after`: the unit of which next_read is told. */
static void settle(Remat *r, Choice *c, int after)
{
	c->us = 0;
	c->valid = true;
	for (int i = 0; i < r->g->count; i++) {
		r->last_read[i] = -1;
		r->next_read[i] = NEVER;
	}
	for (int u = r->count - 1; u >= 0 && c->valid; u--) { /* a unit reads what earlier ones compute */
		r->again[u].count = 0;
		if (c->at[u] == NEVER)
			continue;
		const double bytes = settle_unit(r, c, u, after);
		const Node *root =
		        r->units[u].root && r->needed[r->units[u].root->id] ? r->units[u].root : NULL;
		c->valid = bytes >= 0;
		if (c->valid)
			c->us += price(r, r->again[u].at, r->again[u].count, root, bytes);
		for (int i = 0; i < r->units[u].nodes.count; i++)
			r->needed[r->units[u].nodes.at[i]->id] = false;
	}
	if (c->valid)
		measure(r, c);
}

static Choice choice_new(const Remat *r)
{
	Choice c = {.dropped = NEW_ARRAY(r->scratch, bool, r->g->count),
	            .at = NEW_ARRAY(r->scratch, int, r->count + 1),
	            .live = NEW_ARRAY(r->scratch, int64_t, r->count + 2)};
	for (int u = 0; u < r->count; u++)
		c.at[u] = NEVER;
	return c;
}

static void choice_copy(const Remat *r, Choice *to, const Choice *from)
{
	memcpy(to->dropped, from->dropped, sizeof *to->dropped * (size_t)r->g->count);
	memcpy(to->at, from->at, sizeof *to->at * (size_t)r->count);
}

/* ---- the choice */

typedef struct Family {
	const char *key;
	NodeList values; /* in the order in which they are computed */
	double bytes;
} Family;

typedef ARRAY(Family *) Families;

/* The first unit after the peak that reads x; NEVER: it is not alive there, or read there, or can't be dropped. */
static int next_use(const Remat *r, const Choice *c, const Node *x)
{
	const Places *uses = &r->uses[x->id];
	const int made = r->unit[x->id], peak = c->peak;
	if (r->kept[x->id] || c->dropped[x->id] || made < 0 || made >= peak || r->units[made].fixed ||
	    r->last_read[x->id] == peak)
		return NEVER;
	/* a call without what it computes besides may be none that the library has */
	const Node *root = r->units[made].root;
	if (root && node_by_library(root) && !r->within[x->id] && uses->at[0] > peak)
		return NEVER;
	int next = r->next_read[x->id];
	for (int i = 0; i < uses->count; i++) {
		if (uses->at[i] == peak)
			return NEVER;
		if (uses->at[i] > peak && uses->at[i] < next)
			next = uses->at[i];
	}
	return next;
}

static int larger_first(const void *x, const void *y)
{
	const Family *a = *(Family *const *)x, *b = *(Family *const *)y;
	if (a->bytes != b->bytes)
		return a->bytes > b->bytes ? -1 : 1;
	return a->values.at[0]->id - b->values.at[0]->id;
}

static Families find_families(const Remat *r, const Choice *c)
{
	Families all = {0};
	Map *by_key = map_new(r->scratch);
	for (int i = 0; i < r->g->count; i++) {
		Node *n = r->g->nodes[i];
		if (r->bytes[i] < r->least || next_use(r, c, n) == NEVER)
			continue;
		const char *key =
		        arena_printf(r->scratch, "%s %s %s", n->op->name, type_text(r->scratch, n->type),
		                     sites_text(r->scratch, n->sites, 8));
		Family *f = map_get(by_key, key);
		if (!f) {
			map_set(by_key, key, f = NEW(r->scratch, Family));
			f->key = key;
			array_push(r->scratch, &all, f);
		}
		array_push(r->scratch, &f->values, n);
		f->bytes += (double)r->bytes[i];
	}
	if (all.count > 0)
		qsort(all.at, (size_t)all.count, sizeof *all.at, larger_first);
	all.count = all.count < MOST_FAMILIES ? all.count : MOST_FAMILIES;
	return all;
}

/* Drops the first `count` of the family besides; next: by value, next_use. */
static void try_family(Remat *r, Choice *to, const Choice *from, const Family *f, const int *next, int count)
{
	choice_copy(r, to, from);
	for (int i = 0; i < count; i++) {
		const Node *x = f->values.at[i];
		int *at = &to->at[r->unit[x->id]];
		to->dropped[x->id] = true;
		*at = next[i] < *at ? next[i] : *at;
	}
	settle(r, to, from->peak);
}

static int *next_uses(const Remat *r, const Choice *c, const Family *f)
{
	int *next = NEW_ARRAY(r->scratch, int, f->values.count);
	for (int i = 0; i < f->values.count; i++)
		next[i] = next_use(r, c, f->values.at[i]);
	return next;
}

/* The fewest of the family that reach the goal, or all. */
static int fewest(Remat *r, Choice *trial, const Choice *c, const Family *f, const int *next, int64_t goal)
{
	int low = 1, high = f->values.count;
	while (low < high) {
		const int middle = (low + high) / 2;
		try_family(r, trial, c, f, next, middle);
		if (trial->valid && trial->live[trial->peak] <= goal)
			high = middle;
		else
			low = middle + 1;
	}
	return high;
}

/* "gelu_tanh of transformer" */
static const char *family_words(Arena *a, const Node *x)
{
	const bool heavy = x->op->flags & OP_HEAVY;
	const char *block = x->sites.count > 0 ? x->sites.at[0]->block : NULL;
	const char *what = x->of && !heavy ? arena_strndup(a, x->of, strcspn(x->of, ".")) : x->op->name;
	return arena_printf(a, "%s%s%s", what, block ? " of " : "", block ? block : "");
}

static void note_given_up(const Remat *r, const Family *f, int count, double bytes, double us)
{
	MemoryGoal *goal = r->ctx->memory;
	Arena *kept = pass_kept(r->ctx);
	const char *what = family_words(kept, f->values.at[0]);
	for (int i = 0; i < goal->given_up.count; i++) {
		GivenUp *known = &goal->given_up.at[i];
		if (strcmp(known->what, what) != 0)
			continue;
		known->count += count;
		known->bytes += bytes;
		known->us += us;
		return;
	}
	array_push(kept, &goal->given_up, (GivenUp){what, count, bytes, us});
}

/* Drops one more family, or part of it. False: none leaves less alive at the peak, and no more elsewhere. */
static bool drop_one(Remat *r, Choice *c, Choice *trial, int64_t goal)
{
	settle(r, c, c->peak);
	r->least = 1 + c->live[c->peak] / SMALL_SHARE;
	const Families families = find_families(r, c);
	int **next = NEW_ARRAY(r->scratch, int *, families.count);
	for (int i = 0; i < families.count; i++)
		next[i] = next_uses(r, c, families.at[i]);
	const int64_t before = c->live[c->peak];
	int best = -1;
	double most = 0;
	bool deep = false;
	for (int n = 0; n < 2 * families.count; n++) {
		const int i = n / 2;
		trial->deep = n % 2;
		try_family(r, trial, c, families.at[i], next[i], families.at[i]->values.count);
		const double gain = trial->valid ? (double)(before - trial->live[c->peak]) : 0,
		             us = trial->us - c->us;
		if (gain <= 0 || trial->live[trial->peak] > before || gain <= most * us)
			continue;
		most = gain / (us > 1e-3 ? us : 1e-3);
		best = i;
		deep = trial->deep;
	}
	if (best < 0)
		return false;
	trial->deep = deep;
	const Family *f = families.at[best];
	const int count = fewest(r, trial, c, f, next[best], goal);
	try_family(r, trial, c, f, next[best], count);
	note_given_up(r, f, count, (double)(before - trial->live[c->peak]), trial->us - c->us);
	const Choice old = *c;
	*c = *trial;
	c->deep = false;
	*trial = old;
	return true;
}

/* ---- the new graph */

typedef struct Rebuild {
	Graph *to;
	Node **copies, **second; /* by node id */
} Rebuild;

/* What a reader at unit `at` takes for x: its second value, or a view of that. */
static Node *value_at(const Remat *r, const Choice *c, Rebuild *b, const Node *x, int at)
{
	const Node *base = node_viewed(x);
	if (r->unit[base->id] < 0 || !c->dropped[base->id] || at < c->at[r->unit[base->id]])
		return b->copies[x->id];
	if (b->second[x->id])
		return b->second[x->id];
	NodeList views = {0}; /* from x down to what has a second value */
	for (const Node *y = x; !b->second[y->id]; y = y->operands[0])
		array_push(r->scratch, &views, (Node *)y);
	for (int i = views.count - 1; i >= 0; i--) {
		const Node *y = views.at[i];
		Node **operands = NEW_ARRAY(r->scratch, Node *, y->operand_count);
		for (int k = 0; k < y->operand_count; k++)
			operands[k] = k == 0 ? b->second[y->operands[0]->id] : b->copies[y->operands[k]->id];
		b->second[y->id] = graph_copy_node(b->to, y, operands);
	}
	return b->second[x->id];
}

/* Operands that are views are copied ahead of the kernel, whose nodes stand side by side. */
static void copy_again(const Remat *r, const Choice *c, Rebuild *b, int u, int *group)
{
	const NodeList *part = &r->again[u];
	const bool grouped = part->at[0]->group != NO_GROUP;
	for (int i = 0; i < part->count; i++) {
		const Node *n = part->at[i];
		Node **operands = NEW_ARRAY(r->scratch, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++) {
			const Node *y = n->operands[k];
			const bool within = r->unit[y->id] == u && b->second[y->id];
			operands[k] = within ? b->second[y->id] : value_at(r, c, b, y, c->at[u]);
		}
		Node *copy = graph_copy_node(b->to, n, operands);
		copy->group = grouped ? *group : NO_GROUP;
		b->second[n->id] = copy;
	}
	*group += grouped;
}

static Graph *rebuild(Remat *r, const Choice *c)
{
	const Graph *g = r->g;
	Rebuild b = {.to = graph_like(r->ctx->arena, g),
	             .copies = NEW_ARRAY(r->scratch, Node *, g->count),
	             .second = NEW_ARRAY(r->scratch, Node *, g->count)};
	Places *ahead = NEW_ARRAY(r->scratch, Places, r->count + 1);
	int group = 0;
	for (int u = 0; u < r->count; u++)
		if (c->at[u] != NEVER)
			array_push(r->scratch, &ahead[c->at[u]], u);
	for (int i = 0; i < g->count; i++)
		group = g->nodes[i]->group >= group ? g->nodes[i]->group + 1 : group;
	for (int i = 0, met = -1; i < g->count; i++) {
		const Node *n = g->nodes[i];
		for (; r->unit[i] > met; met++)
			for (int k = 0; k < ahead[met + 1].count; k++)
				copy_again(r, c, &b, ahead[met + 1].at[k], &group);
		Node **operands = NEW_ARRAY(r->scratch, Node *, n->operand_count);
		for (int k = 0; k < n->operand_count; k++)
			operands[k] = r->unit[i] < 0 ? b.copies[n->operands[k]->id]
			                             : value_at(r, c, &b, n->operands[k], r->unit[i]);
		b.copies[i] = graph_copy_node(b.to, n, operands);
	}
	graph_copy_outputs(b.to, g, b.copies);
	return b.to;
}

static Remat remat_of(PassContext *ctx, const Graph *g)
{
	Arena *a = arena_new();
	Remat r = {.scratch = a,
	           .ctx = ctx,
	           .g = g,
	           .units = NEW_ARRAY(a, Unit, g->count + 1),
	           .unit = NEW_ARRAY(a, int, g->count),
	           .uses = NEW_ARRAY(a, Places, g->count),
	           .bytes = NEW_ARRAY(a, int64_t, g->count),
	           .stored = NEW_ARRAY(a, bool, g->count),
	           .kept = graph_compared(a, g),
	           .within = NEW_ARRAY(a, bool, g->count),
	           .overwritten = NEW_ARRAY(a, int, g->count),
	           .flops = NEW_ARRAY(a, double, g->count),
	           .needed = NEW_ARRAY(a, bool, g->count),
	           .last_read = NEW_ARRAY(a, int, g->count),
	           .next_read = NEW_ARRAY(a, int, g->count),
	           .again = NEW_ARRAY(a, NodeList, g->count + 1)};
	for (int i = 0; i < g->count; i++)
		r.overwritten[i] = NEVER;
	find_units(&r);
	find_uses(&r);
	find_overwritten(&r);
	return r;
}

Graph *pass_rematerialize(PassContext *ctx, const Graph *g)
{
	if (!ctx->memory)
		return (Graph *)g;
	MemoryGoal *goal = ctx->memory;
	Remat r = remat_of(ctx, g);
	Choice c = choice_new(&r), trial = choice_new(&r);
	goal->given_up.count = 0;
	settle(&r, &c, 0);
	for (int round = 0; round < MOST_ROUNDS && c.live[c.peak] > goal->bytes; round++)
		if (!drop_one(&r, &c, &trial, goal->bytes))
			break;
	settle(&r, &c, 0);
	goal->peak = c.live[c.peak];
	Graph *to = goal->given_up.count > 0 ? rebuild(&r, &c) : (Graph *)g;
	arena_free(r.scratch);
	/* without what the first run of a kernel need not compute any more */
	return to == g ? to : graph_rewrite(ctx->arena, to, NULL, NULL);
}
