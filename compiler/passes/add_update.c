/* SPDX-License-Identifier: MIT */
/* Lays all parameters out in one flat tensor and appends clipping and the optimizer over it.
 *
 * Each `param` leaf gets its place, attribute `offset` in elements. Those that weight decay reaches stand together, and
 * in them the groups of the recipe, so that "does it decay", and how much, are comparisons with the index. Those whose
 * elements are no whole vectors come last, so that all others begin at a vector, but for an optimizer that wants all
 * weights ahead of biases. Those that are frozen follow the flat
 * tensor. That is the state "params"; the gradients, in the same order, become one by
 * `pack`. The optimizer's record then writes its update as nodes over f32[P], and its states and the new "params"
 * become outputs. The parameters that the network reads stay separate leaves. Where a group has an optimizer of its
 * own, parameters come by their optimizers first, and each optimizer writes its update over its part of the flat
 * tensors. A state with an element for each parameter of such a part has the attribute `first`: where the part begins.
 *
 * Where a batch is computed in chunks, the state "gradients" adds theirs up, and all other states keep their values
 * until the chunk that the scalar `last` marks.
 *
 * With the setting `ema` the state "ema.params" is the moving average of "params": e + r*(p - e) after each step, with
 * the p of that step. It begins as a copy, which the runtime makes of the first parameters, and r is 1 - ema at the
 * least, 9/(10 + step) in the first steps: as long as there are few, the average is of few, and the first parameters,
 * drawn by chance, are soon forgotten (the warm-up of TensorFlow's ExponentialMovingAverage). An evaluation graph reads
 * its parts where it reads trained parameters.
 *
 * With `shard optimizer` and several ranks all of that is over f32[S], the share of one rank: `rank_share` takes it of
 * the parameters and their gradients, and `all_gather` makes the new "params" of all ranks' shares. The norm that clips
 * is the whole gradient's: N times the mean over the ranks of their sums.
 *
 * An evaluation graph, and one that nothing is trained in, only gets the places. Runs after differentiate. */
#include "passes/loss_scale.h"

#include "base/checked.h"
#include "base/map.h"
#include "ir/op.h"
#include "ops/optim.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

/* ---- places */

typedef struct Layout {
	Node **params; /* in the order of the flat tensor; the frozen ones follow it in their block */
	int count, trained;
	int64_t elements; /* all that are trained */
} Layout;

typedef enum { DECAYED, EXEMPT, FROZEN } Share;

/* The update stores whole vectors: what stands after the last trained element, up to a vector's end, is overwritten. */
enum { APART = 16 /* elements */ };

/* A parameter that begins at a multiple of 16 bytes also in 16 bits is read by vectors, and products of it by the
 * library's fast kernels. One of an odd number of elements ahead of it would shift it. */
enum { VECTOR = 8 /* elements */ };

static Share share_of(const Node *param)
{
	return node_is_frozen(param) ? FROZEN : node_int(param, "decay") != 0 ? DECAYED : EXEMPT;
}

/* Of the recipe's groups, from 1; 0: none. */
static int group_of(const Node *param)
{
	return node_attr(param, "group") ? (int)node_int(param, "group") : 0;
}

static const ParamGroup *group_at(const Recipe *r, const Node *param)
{
	static const ParamGroup none = {.decay = -1};
	int group = group_of(param);
	return group > 0 && group <= r->groups.count ? &r->groups.at[group - 1] : &none;
}

static bool same_optimizer(const OptimizerUse *a, const OptimizerUse *b)
{
	if (strcmp(a->name, b->name) != 0)
		return false;
	for (int i = 0; i < a->arg_count; i++) {
		const char *name = a->args[i].name;
		bool by_group = strcmp(name, "rate") == 0 || strcmp(name, "decay") == 0;
		if (!by_group && a->args[i].value != b->args[i].value)
			return false;
	}
	return true;
}

/* Which optimizer moves it: 0 the recipe's, else the first group from 1 that has one with the same arguments, apart
 * from rate and decay, which are numbers of each parameter. */
static int optimizer_of(const Recipe *r, const Node *param)
{
	const OptimizerUse *own = &group_at(r, param)->optimizer;
	if (!own->name || same_optimizer(own, &r->optimizer))
		return 0;
	int first = 0;
	while (!r->groups.at[first].optimizer.name || !same_optimizer(&r->groups.at[first].optimizer, own))
		first++;
	return first + 1;
}

/* One that reads tensors (OptimTensor). */
static bool wants_weights_first(const Recipe *r, int optimizer)
{
	const OptimizerUse *use = optimizer ? &r->groups.at[optimizer - 1].optimizer : &r->optimizer;
	const Optimizer *found = use->name ? optimizer_find(use->name) : NULL;
	return found && found->by_tensor;
}

/* A parameter, and the numbers that it is ordered by, in turn. */
enum { NUMBERS = 7 };
typedef struct Ordered {
	Node *param;
	int order[NUMBERS];
} Ordered;

static int by_order(const void *x, const void *y)
{
	const Ordered *a = x, *b = y;
	int i = 0;
	while (i < NUMBERS - 1 && a->order[i] == b->order[i])
		i++;
	return a->order[i] < b->order[i] ? -1 : a->order[i] > b->order[i];
}

/* Those that are no whole vectors come after all that are, by falling multiples, so that one of an odd number of
 * elements shifts no other. Without `by_vectors`: as an nnc up to 0.2 had them. */
static Ordered ordered(const Recipe *r, Node *n, int index, bool by_vectors)
{
	const Share share = share_of(n);
	const int optimizer = share == FROZEN ? 0 : optimizer_of(r, n);
	const int left = (int)(type_elements(n->type) % VECTOR);
	const int part =
	        by_vectors && left ? VECTOR / (left & -left) : 1; /* of a vector: a half, a quarter */
	const bool stays = share == DECAYED && wants_weights_first(r, optimizer);
	return (Ordered){
	        n, {share == FROZEN, optimizer, part > 1 && !stays, (int)share, part, group_of(n), index}};
}

static Layout layout_params(Arena *a, const Graph *g, const Recipe *r, bool by_vectors)
{
	Layout l = {.params = NEW_ARRAY(a, Node *, g->count)};
	Arena *scratch = arena_new();
	Ordered *all = NEW_ARRAY(scratch, Ordered, g->count);
	for (int i = 0; i < g->count; i++)
		if (node_is_param(g->nodes[i]))
			all[l.count++] = ordered(r, g->nodes[i], i, by_vectors);
	qsort(all, (size_t)l.count, sizeof *all, by_order);
	int64_t elements = 0;
	for (int i = 0; i < l.count; i++) {
		Node *n = l.params[i] = all[i].param;
		if (!checked_add(elements, type_elements(n->type), &elements) || elements > SIZE_LIMIT / 8)
			fail(EXIT_SOURCE, "model `%s` has more parameters than any machine can hold",
			     g->name);
		if (!node_is_frozen(n)) {
			l.trained++;
			l.elements = elements;
		}
	}
	arena_free(scratch);
	return l;
}

typedef struct Places {
	const Layout *layout;
	int64_t *offset; /* by id of the node */
	bool *moved;     /* likewise: an nnc up to 0.2, which did not look at vectors, had it elsewhere */
	bool averaged;   /* trained parameters are parts of "ema.params" */
} Places;

static Node *make_state(Build *b, Type type, const char *name, double value)
{
	Attr attrs[] = {attr_text("name", name), attr_real("value", value)};
	return graph_leaf(b->graph, "state", type, attrs, 2, b->sites);
}

/* One with an element for each of the flat tensor's, from `first` on. */
static Node *make_state_of(Build *b, Type type, const char *name, double value, int64_t first)
{
	Attr attrs[] = {attr_text("name", name), attr_real("value", value), attr_int("first", first)};
	return graph_leaf(b->graph, "state", type, attrs, 3, b->sites);
}

static Type flat_type(const Layout *l)
{
	return (Type){.dtype = DTYPE_F32, .rank = 1, .dim = {l->elements}};
}

static const char average_name[] = "ema.params";

/* One leaf, however many ask. */
static Node *flat_state(Build *b, const Layout *l, const char *name)
{
	Node *leaf = graph_find_leaf(b->graph, "state", name);
	return leaf ? leaf : make_state(b, flat_type(l), name, 0);
}

static Node *part_of_average(const Places *p, Graph *to, const Node *param)
{
	Build b = build_beside(to, param);
	Node *average = flat_state(&b, p->layout, average_name);
	Node *part = build_part(&b, average, p->offset[param->id], param->type.rank, param->type.dim);
	part->name = param->name;
	return part;
}

/* Parameters one after the other, as a concatenation has them, are a part of the flat tensor. */
static Node *part_of_flat(const Places *p, Graph *to, const Node *n, Node **operands)
{
	const Node *average = p->averaged ? graph_find_leaf(to, "state", average_name) : NULL;
	int64_t end = -1;
	if (node_int(n, "axis") != 0)
		return NULL;
	for (int i = 0; i < n->operand_count; i++) {
		const Node *x = operands[i];
		const bool placed =
		        average ? x->operand_count == 1 && x->operands[0] == average && node_attr(x, "offset")
		                : node_is_flat(x);
		if (!placed || (i > 0 && node_int(x, "offset") != end))
			return NULL;
		end = node_int(x, "offset") + type_elements(x->type);
	}
	Build b = build_beside(to, n);
	Node *flat = flat_state(&b, p->layout, average ? average_name : "params");
	Node *part = build_part(&b, flat, node_int(operands[0], "offset"), n->type.rank, n->type.dim);
	part->name = n->name;
	return part;
}

static Node *place(void *ctx, Graph *to, const Node *n, Node **operands)
{
	const Places *p = ctx;
	if (n->op->move == MOVE_CONCAT)
		return part_of_flat(p, to, n, operands);
	if (!node_is_param(n))
		return NULL;
	if (p->averaged && !node_is_frozen(n))
		return part_of_average(p, to, n);
	int count;
	Attr *attrs = node_attrs_with(to->arena, n, attr_int("offset", p->offset[n->id]), &count);
	Attr *all = NEW_ARRAY(to->arena, Attr, count + 1);
	memcpy(all, attrs, (size_t)count * sizeof *attrs);
	if (p->moved[n->id])
		all[count++] = attr_int("moved", 1);
	return graph_leaf(to, "param", n->type, all, count, n->sites);
}

/* Of one parameter of the training graph. */
typedef struct ParamPlace {
	int64_t offset;
	bool moved;
} ParamPlace;

/* What an evaluation graph reads is where the training graph has it, whichever of its parameters it has, in whatever
 * order. */
struct ParamPlaces {
	Map *of; /* by name */
	int64_t elements;
};

/* Keeps the places that training's layout has, or takes them in place of evaluation's own. */
static void share_places(PassContext *ctx, bool training, Layout *l, Places *p)
{
	Arena *a = pass_kept(ctx);
	if (training)
		ctx->places =
		        arena_copy(a, &(struct ParamPlaces){map_new(a), l->elements}, sizeof *ctx->places);
	l->elements = ctx->places->elements;
	for (int i = 0; i < l->count; i++) {
		const int id = l->params[i]->id;
		const char *name = node_text(l->params[i], "name");
		if (training)
			map_set(ctx->places->of, arena_strdup(a, name),
			        arena_copy(a, &(ParamPlace){p->offset[id], p->moved[id]},
			                   sizeof(ParamPlace)));
		const ParamPlace *place = map_get(ctx->places->of, name);
		if (!place)
			fail(EXIT_SOURCE, "`%s` is computed with in evaluation alone", name);
		p->offset[id] = place->offset;
		p->moved[id] = place->moved;
	}
}

static Graph *with_places(PassContext *ctx, const Graph *g)
{
	Arena *a = ctx->arena;
	Layout l = layout_params(a, g, ctx->recipe, true);
	const Layout old = layout_params(a, g, ctx->recipe, false);
	Places p = {.layout = &l,
	            .offset = NEW_ARRAY(a, int64_t, g->count),
	            .moved = NEW_ARRAY(a, bool, g->count)};
	p.averaged = !g->training && ctx->recipe && ctx->recipe->ema > 0;
	int64_t at = 0;
	for (int i = 0; i < l.count; i++) {
		bool first_frozen =
		        node_is_frozen(l.params[i]) && (i == 0 || !node_is_frozen(l.params[i - 1]));
		if (first_frozen)
			require(checked_round_up(at, APART, &at));
		p.offset[l.params[i]->id] = at;
		p.moved[l.params[i]->id] = i < l.trained && l.params[i] != old.params[i];
		at += type_elements(l.params[i]->type);
	}
	if (g->training || ctx->places)
		share_places(ctx, g->training, &l, &p);
	return l.count ? graph_rewrite(a, g, place, &p) : (Graph *)g;
}

/* ---- the update */

typedef struct Update {
	const Recipe *recipe;
	const OptimizerUse *use;
	int group;     /* whose optimizer it is; 0: the recipe's */
	Type flat;     /* of what is updated */
	int64_t first; /* of the flat tensor's elements, or of the share's */
	bool shared;   /* that is a rank's share */
	Node *guard;   /* states take their new values where it is not 0; NULL: always */
} Update;

static double update_arg(const OptimStep *s, const char *name)
{
	const Update *u = s->ctx;
	for (int i = 0; i < u->use->arg_count; i++) {
		if (strcmp(u->use->args[i].name, name) == 0)
			return u->use->args[i].value;
	}
	bug("optimizer `%s` has no argument `%s`", u->use->name, name);
}

static const char *state_name(OptimStep *s, const char *role)
{
	const Update *u = s->ctx;
	if (u->group)
		return arena_printf(s->b.graph->arena, "group_%d.%s.%s", u->group, u->use->name, role);
	return arena_printf(s->b.graph->arena, "%s.%s", u->use->name, role);
}

static Node *update_state(OptimStep *s, const char *role, double value)
{
	const Update *u = s->ctx;
	return make_state_of(&s->b, u->flat, state_name(s, role), value, u->first);
}

static Node *update_short_state(OptimStep *s, const char *role, int64_t n)
{
	const Update *u = s->ctx;
	Type t = u->flat;
	t.dim[0] = n;
	return make_state_of(&s->b, t, state_name(s, role), 0, u->first + u->flat.dim[0] - n);
}

static void set_state(OptimStep *s, const char *name, Node *old, Node *value)
{
	const Update *u = s->ctx;
	if (u->guard)
		value = build3(&s->b, "select", u->guard, value, old);
	graph_output(s->b.graph, OUTPUT_STATE, name, value);
}

static void update_set_state(OptimStep *s, const char *role, Node *value)
{
	const char *name = state_name(s, role);
	Node *old = graph_find_leaf(s->b.graph, "state", name);
	require(old);
	set_state(s, name, old, value);
}

/* "rate", "step" or "last"; one leaf, however many ask. */
static Node *host_scalar(Build *b, const char *name)
{
	Node *leaf = graph_find_leaf(b->graph, "scalar", name);
	if (leaf)
		return leaf;
	Attr attr = attr_text("name", name);
	return graph_leaf(b->graph, "scalar", type_scalar(DTYPE_F32), &attr, 1, b->sites);
}

/* g * min(1, most/(|g| + 1e-6)), as PyTorch's clip_grad_norm_.
 *
 * Squares are of g by a power of 2, so that the same bits come out, and those of 10^28 times the largest norm are still
 * numbers; what is too small for that is far below the largest norm. Of a norm that is no number all the same the
 * gradient becomes NaN, which the training says: with the factor 1/infinity the step would be 0, without a word. */
static Node *clipped(Build *b, const Update *u, Node *g)
{
	enum {
		BELOW = 30, /* binary digits of the largest norm under 1, when it is squared */
		MOST = 66,  /* of the largest norm, so that the power of 2 is an f32; and it is 1 at most */
	};
	double most = u->recipe->clip_norm;
	int exponent;
	frexp(most, &exponent);
	exponent = exponent < -BELOW ? -BELOW : exponent > MOST ? MOST : exponent;
	Node *scaled =
	        node_called(build2(b, "mul", g, build_constant(b, ldexp(1, -BELOW - exponent))), "scaled");
	Node *squares = build2(b, "mul", scaled, scaled);
	Node *total = build_sum_to(b, squares, type_scalar(g->type.dtype));
	if (u->shared)
		total = build2(b, "mul", build1(b, "all_reduce", total),
		               build_constant(b, (double)u->recipe->ranks));
	node_called(total, "square_sum");
	Node *unit = build_constant(b, ldexp(1, BELOW + exponent));
	Node *norm = node_called(build2(b, "mul", build1(b, "sqrt", total), unit), "gradient_norm");
	Node *values[] = {norm, build_constant(b, most)};
	Node *factor = build_formula(b, "minimum(1, most/(norm + 1e-6)) + norm*0", 2,
	                             (const char *[]){"norm", "most"}, values);
	return node_called(build2(b, "mul", g, node_called(factor, "clip_factor")), "clipped_gradient");
}

/* ---- numbers that differ from group to group */

/* Parameters that one optimizer moves, by their places in the layout. */
typedef struct Slice {
	int first, end;
	int64_t offset, elements;
} Slice;

typedef struct Range {
	int64_t end; /* the first element after it */
	double value;
} Range;

/* The weight decay of a parameter, or what its group's rate is of the recipe's. */
typedef double GroupNumber(const Recipe *r, const Node *param);

static double decay_number(const Recipe *r, const Node *param)
{
	double decay = optimizer_use_arg(&r->optimizer, "decay");
	if (group_at(r, param)->decay >= 0)
		decay = group_at(r, param)->decay;
	return r->decay_exempt && share_of(param) == EXEMPT ? 0 : decay;
}

static double rate_number(const Recipe *r, const Node *param)
{
	double rate = group_at(r, param)->rate;
	return rate > 0 ? rate / r->schedule.rate : 1;
}

/* f32[], or f32[P] of numbers that stay the same for a while: the last one, but below the end of the one before that,
 * and so on. */
static Node *ranges_node(Build *b, const Update *u, const Range *ranges, int count)
{
	Node *value = build_constant(b, ranges[count - 1].value);
	for (int i = count - 2; i >= 0; i--) {
		Attr attrs[] = {attr_int("n", ranges[i].end), attr_ints("shape", u->flat.dim, 1),
		                attr_int("share", u->flat.dim[0])};
		Node *below = u->shared ? build(b, "index_below_share", 0, NULL, 3, attrs)
		                        : build(b, "index_below", 0, NULL, 2, attrs);
		bool is_rest = i == count - 2 && ranges[count - 1].value == 0;
		value = is_rest ? build2(b, "mul", build_constant(b, ranges[i].value), below)
		                : build3(b, "select", below, build_constant(b, ranges[i].value), value);
	}
	return value;
}

/* NULL: the number is `none` for all. */
static Node *by_parameter(OptimStep *s, const Layout *l, Slice of, GroupNumber *number, double none)
{
	const Update *u = s->ctx;
	Arena *scratch = arena_new();
	Range *ranges = NEW_ARRAY(scratch, Range, of.end - of.first);
	int count = 0;
	int64_t at = 0;
	for (int i = of.first; i < of.end; i++) {
		double value = number(u->recipe, l->params[i]);
		at += type_elements(l->params[i]->type);
		if (count == 0 || ranges[count - 1].value != value)
			ranges[count++].value = value;
		ranges[count - 1].end = at;
	}
	bool is_none = count == 1 && ranges[0].value == none;
	Node *node = is_none ? NULL : ranges_node(&s->b, u, ranges, count);
	arena_free(scratch);
	return node;
}

static OptimTensor *tensors_of(Arena *a, const Layout *l, Slice of)
{
	OptimTensor *tensors = NEW_ARRAY(a, OptimTensor, of.end - of.first);
	int64_t at = 0;
	for (int i = of.first; i < of.end; i++) {
		tensors[i - of.first] =
		        (OptimTensor){at, l->params[i]->type, share_of(l->params[i]) == DECAYED};
		at += type_elements(l->params[i]->type);
	}
	return tensors;
}

static Node *packed_gradients(Build *b, const Layout *l)
{
	Arena *scratch = arena_new();
	Map *of_param = map_new(scratch);
	for (int i = 0; i < b->graph->output_count; i++) {
		const Output *o = &b->graph->outputs[i];
		if (o->kind == OUTPUT_GRADIENT)
			map_set(of_param, o->name, o->node);
	}
	Node **gradients = NEW_ARRAY(scratch, Node *, l->trained);
	for (int i = 0; i < l->trained; i++) {
		gradients[i] = map_get(of_param, l->params[i]->name);
		require(gradients[i]);
	}
	Node *pack = build(b, "pack", l->trained, gradients, 0, NULL);
	arena_free(scratch);
	return pack;
}

/* Of several ranks the gradients as outputs are parts of the flat one, of which the mean is taken: of what is copied
 * into it there would be this rank's share. */
static void take_outputs_from(Build *b, const Layout *l, Node *pack)
{
	int64_t at = 0;
	for (int i = 0; i < l->trained; i++) {
		const Type *t = &l->params[i]->type;
		for (int k = 0; k < b->graph->output_count; k++) {
			Output *o = &b->graph->outputs[k];
			if (o->kind == OUTPUT_GRADIENT && strcmp(o->name, l->params[i]->name) == 0)
				o->node = build_part(b, pack, at, t->rank, t->dim);
		}
		at += type_elements(*t);
	}
}

static void append_average(OptimStep *s, Node *params)
{
	const Update *u = s->ctx;
	s->b.of = "ema";
	Node *average = make_state(&s->b, u->flat, average_name, 0);
	Node *values[] = {average, params, build_constant(&s->b, 1 - u->recipe->ema),
	                  host_scalar(&s->b, "step")};
	set_state(s, average_name, average,
	          build_formula(&s->b, "e + maximum(r, 9/(10 + step))*(p - e)", 4,
	                        (const char *[]){"e", "p", "r", "step"}, values));
}

/* Of a flat tensor what is updated here: all of it, or this rank's share. */
static Node *own_share(Build *b, const Update *u, Node *whole)
{
	Attr attr = attr_ints("shape", u->flat.dim, 1);
	return u->shared ? build(b, "rank_share", 1, &whole, 1, &attr) : whole;
}

static void set_params(OptimStep *s, Type whole, Node *value)
{
	const Update *u = s->ctx;
	Attr attr = attr_ints("shape", whole.dim, 1);
	if (u->shared)
		value = build(&s->b, "all_gather", 1, &value, 1, &attr);
	graph_output(s->b.graph, OUTPUT_STATE, "params", value);
}

/* The new values of a slice, by its optimizer; `params` and `gradient` are the whole that is updated. */
static Node *update_slice(OptimStep *s, const Layout *l, Slice of, Node *params, Node *gradient)
{
	Update *u = s->ctx;
	const int64_t all = u->flat.dim[0];
	u->group = optimizer_of(u->recipe, l->params[of.first]);
	u->use = u->group ? &u->recipe->groups.at[u->group - 1].optimizer : &u->recipe->optimizer;
	u->first = of.offset;
	s->b.of = u->use->name;
	s->p = params;
	s->g = gradient;
	if (of.elements < l->elements) {
		s->p = build_part(&s->b, params, of.offset, 1, &of.elements);
		s->g = build_part(&s->b, gradient, of.offset, 1, &of.elements);
		u->flat.dim[0] = of.elements;
	}
	s->tensors = tensors_of(s->b.graph->arena, l, of);
	s->tensor_count = of.end - of.first;
	s->decay = by_parameter(s, l, of, decay_number, 0);
	s->rate = host_scalar(&s->b, "rate");
	Node *factor = by_parameter(s, l, of, rate_number, 1);
	if (factor)
		s->rate = build2(&s->b, "mul", s->rate, factor);
	Node *updated = optimizer_find(u->use->name)->update(s);
	if (u->guard)
		updated = build3(&s->b, "select", u->guard, updated, s->p);
	u->flat.dim[0] = all;
	return updated;
}

static Slice next_slice(const Layout *l, const Recipe *r, Slice before)
{
	Slice s = {.first = before.end, .end = before.end, .offset = before.offset + before.elements};
	const int optimizer = optimizer_of(r, l->params[s.first]);
	for (; s.end < l->trained && optimizer_of(r, l->params[s.end]) == optimizer; s.end++)
		s.elements += type_elements(l->params[s.end]->type);
	return s;
}

static Node *update_all(OptimStep *s, const Layout *l, Node *params, Node *gradient)
{
	const Update *u = s->ctx;
	Node **parts = NEW_ARRAY(s->b.graph->arena, Node *, u->recipe->groups.count + 1);
	int count = 0;
	for (Slice of = {0}; of.end < l->trained;) {
		of = next_slice(l, u->recipe, of);
		parts[count++] = update_slice(s, l, of, params, gradient);
	}
	return count == 1 ? parts[0] : build(&s->b, "pack", count, parts, 0, NULL);
}

static void append_update(const PassContext *ctx, Graph *g)
{
	Arena *a = g->arena;
	const Recipe *recipe = ctx->recipe;
	Layout l = layout_params(a, g, recipe, true);
	Site *site = NEW(pass_kept(ctx), Site);
	*site = (Site){.loc = recipe->optimizer.loc, .scope = ""};
	Build b = {.graph = g, .of = recipe->optimizer.name};
	if (recipe->optimizer.loc.source)
		b.sites = sites_one(a, site);
	Update u = {.recipe = recipe, .flat = flat_type(&l)};
	int64_t share = recipe_share(recipe, l.elements);
	u.shared = share > 0;
	if (u.shared)
		u.flat.dim[0] = share;
	Node *pack = packed_gradients(&b, &l);
	if (ctx->keep_gradients && recipe->ranks > 1)
		take_outputs_from(&b, &l, pack);
	Node *gradient = own_share(&b, &u, pack);
	if (recipe->chunk) {
		Node *sum = make_state(&b, u.flat, "gradients", 0);
		u.guard = host_scalar(&b, "last");
		gradient = build2(&b, "add", sum, gradient);
		Node *rest = build3(&b, "select", u.guard, build_constant(&b, 0), gradient);
		graph_output(g, OUTPUT_STATE, "gradients", rest);
	} else if (loss_is_scaled(ctx)) {
		b.of = "loss_scale";
		u.guard = gradient_is_finite(&b, gradient);
		gradient = loss_unscaled(&b, gradient);
		loss_scale_update(&b, u.guard);
	}
	b.of = "clip";
	if (recipe->clip_norm > 0)
		gradient = clipped(&b, &u, gradient);
	b.of = recipe->optimizer.name;
	Node *params = own_share(&b, &u, flat_state(&b, &l, "params"));
	OptimStep s = {
	        .b = b,
	        .rate = host_scalar(&b, "rate"),
	        .step = host_scalar(&b, "step"),
	        .arg = update_arg,
	        .state = update_state,
	        .short_state = update_short_state,
	        .set_state = update_set_state,
	        .ctx = &u,
	};
	Node *updated = update_all(&s, &l, params, gradient);
	set_params(&s, flat_type(&l), updated);
	if (recipe->ema > 0)
		append_average(&s, updated);
}

/* What nobody reads after a training step: the gradients, and the model's `output`s, which are its predictions. */
static void drop_outputs(Graph *g)
{
	int kept = 0;
	for (int i = 0; i < g->output_count; i++) {
		if (g->outputs[i].kind != OUTPUT_GRADIENT && g->outputs[i].kind != OUTPUT_VALUE)
			g->outputs[kept++] = g->outputs[i];
	}
	g->output_count = kept;
}

static void unscale_gradient_outputs(Graph *g)
{
	for (int i = 0; i < g->output_count; i++) {
		Output *o = &g->outputs[i];
		Build b = {.graph = g, .sites = o->node->sites, .of = "loss_scale"};
		if (o->kind == OUTPUT_GRADIENT)
			o->node = loss_unscaled(&b, o->node);
	}
}

Graph *pass_add_update(PassContext *ctx, const Graph *g)
{
	Graph *to = with_places(ctx, g);
	if (!graph_find_output(to, OUTPUT_GRADIENT, NULL))
		return to;
	append_update(ctx, to);
	if (!ctx->keep_gradients)
		drop_outputs(to);
	else if (loss_is_scaled(ctx))
		unscale_gradient_outputs(to);
	return graph_rewrite(ctx->arena, to, NULL, NULL);
}
