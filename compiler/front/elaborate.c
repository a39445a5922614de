/* SPDX-License-Identifier: MIT */
/* From syntax tree to graph: which model, which recipe, then the model run twice, for training and for evaluation.
 * What runs it is described in front/eval.h. */
#include "front/eval.h"
#include "front/freeze.h"
#include "front/group.h"
#include "ir/loop.h"

/* ---- which model, which recipe */

/* Items of the main file come first: a used file brings blocks, and its own models only when nothing else is there. */
static const Ast *find_train(const Declarations *d, const char *model, const char *recipe)
{
	for (int i = 0; i < d->own.count + d->trains.count; i++) {
		const Ast *t = i < d->own.count ? d->own.at[i] : d->trains.at[i - d->own.count];
		if (t->kind == AST_TRAIN && (!model || strcmp(t->name, model) == 0) &&
		    (!recipe || strcmp(recipe_name(t), recipe) == 0))
			return t;
	}
	return NULL;
}

typedef ARRAY(const char *) Words;

static void add_once(Arena *a, Words *words, const char *word)
{
	for (int i = 0; i < words->count; i++)
		if (strcmp(words->at[i], word) == 0)
			return;
	array_push(a, words, word);
}

static bool choose_train(Elab *e, const ElaborateOptions *o, const Ast **train)
{
	const Declarations *d = e->declared;
	*train = NULL;
	if (!o->recipe)
		return true;
	*train = find_train(d, o->model, o->recipe);
	if (*train)
		return true;
	Words names = {0};
	for (int i = 0; i < d->trains.count; i++) {
		if (!o->model || strcmp(d->trains.at[i]->name, o->model) == 0)
			add_once(e->arena, &names, recipe_name(d->trains.at[i]));
	}
	elab_error(e, loc_none(), "unknown-recipe", "there is no recipe `%s`%s%s",
	           printable(e->arena, o->recipe), o->model ? " of model " : "",
	           o->model ? printable(e->arena, o->model) : "");
	elab_suggest_or_list(e, o->recipe, "recipe", names.at, names.count);
	return false;
}

static const Ast *model_named(Elab *e, const char *name, Loc loc)
{
	const Declarations *d = e->declared;
	const Ast *model = map_get(d->models, name);
	if (model)
		return model;
	const char **names = NEW_ARRAY(e->arena, const char *, map_count(d->models));
	for (int i = 0; i < map_count(d->models); i++)
		names[i] = map_key(d->models, i);
	elab_error(e, loc, "unknown-model", "there is no model `%s`", printable(e->arena, name));
	elab_suggest_or_list(e, name, "model", names, map_count(d->models));
	return NULL;
}

static const Ast *choose_model(Elab *e, const Source *source, const ElaborateOptions *o, const Ast *train)
{
	const Declarations *d = e->declared;
	const char *wanted = o->model ? o->model : train ? train->name : NULL;
	const Ast *named = wanted ? map_get(d->models, wanted) : NULL;
	if (named)
		return named;
	if (o->model)
		(void)model_named(e, o->model, loc_none());
	/* A name that is none is said, of recipes by check_trains; what there is is checked all the same. */
	ARRAY(const Ast *) models = {0};
	for (int i = 0; i < d->own.count; i++) {
		if (d->own.at[i]->kind == AST_MODEL)
			array_push(e->arena, &models, d->own.at[i]);
	}
	for (int i = 0; models.count == 0 && i < map_count(d->models); i++)
		array_push(e->arena, &models, map_value(d->models, i));
	if (models.count == 1 || (models.count > 0 && wanted))
		return models.at[0];
	if (wanted || (models.count == 0 && d->is_lost))
		return NULL;
	Loc start = {.source = source, .start = 0, .end = 0};
	if (models.count == 0) {
		elab_error(e, start, "missing-model", "there is no model in this file");
		return NULL;
	}
	elab_error(e, start, "ambiguous-model", "there are %d models here, and none is chosen", models.count);
	enum { MOST_NOTES = 10 };
	for (int i = 0; i < models.count && i < MOST_NOTES; i++)
		diag_note(e->diag, models.at[i]->name_loc, "model `%s`", models.at[i]->name);
	if (models.count > MOST_NOTES)
		diag_help(e->diag, "and %d more", models.count - MOST_NOTES);
	diag_help(e->diag, "choose one with --model %s", models.at[0]->name);
	return NULL;
}

/* Every recipe must be of a model that exists, also when it is not the one chosen. */
static void check_trains(Elab *e)
{
	for (int i = 0; i < e->declared->trains.count; i++) {
		const Ast *t = e->declared->trains.at[i];
		if (!e->declared->is_lost || map_get(e->declared->models, t->name))
			model_named(e, t->name, t->name_loc);
	}
}

/* The first recipe of a model that is not there: of a name that is misspelt, perhaps. NULL: there is none. */
static const Ast *train_of_none(const Declarations *d)
{
	for (int i = 0; i < d->trains.count; i++)
		if (!map_get(d->models, d->trains.at[i]->name))
			return d->trains.at[i];
	return NULL;
}

/* ---- arguments of the model: of -D, then of the recipe's `with`, then the defaults */

static bool has_argument(const Arguments *args, int count, const char *name)
{
	for (int i = 0; i < count; i++) {
		if (strcmp(args->at[i].name, name) == 0)
			return true;
	}
	return false;
}

/* Adds the arguments of one `with` that nothing before it has given. */
static bool add_with(Elab *e, const Ast *with, Arguments *out)
{
	Arguments given = {0};
	int before = out->count;
	bool ok = eval_arguments(e, with, NULL, &given);
	for (int i = 0; i < given.count; i++) {
		const Argument *arg = &given.at[i];
		if (!arg->name) {
			elab_error(e, arg->loc, "argument-name",
			           "the arguments of `with` are written NAME = VALUE");
			ok = false;
		} else if (!has_argument(out, before, arg->name)) {
			array_push(e->arena, out, *arg);
		}
	}
	return ok;
}

/* A value of -D that could not be evaluated: what the model has there says what is wanted. */
static void note_default(Elab *e, const Ast *model, const Ast *define)
{
	const Ast *list = model->kids[0];
	for (int i = 0; i < list->count; i++) {
		const Ast *param = list->kids[i];
		if (strcmp(param->name, define->name) != 0 || param->count == 0)
			continue;
		Value fallback = eval(e, param->kids[0]);
		if (value_is_error(fallback))
			return;
		diag_note(e->diag, param->loc, "`%s` is %s in the model", param->name,
		          value_text(e->arena, fallback));
		if (fallback.kind == VALUE_STRING || fallback.kind == VALUE_WORD)
			diag_help(e->diag,
			          "a text stands in quotes, and those in the shell's: -D '%s=\"...\"'",
			          param->name);
	}
}

static bool model_arguments(Elab *e, const Ast *model, const Ast *train, const ElaborateOptions *o,
                            Arguments *out)
{
	bool ok = true;
	Frame f;
	frame_push(e, &f, NULL, "", NULL);
	for (int i = 0; i < o->define_count; i++) {
		if (!o->defines[i].arg)
			continue;
		Ast args = {.kind = AST_ARGS, .kids = &o->defines[i].arg, .count = 1};
		if (!eval_arguments(e, &args, NULL, out)) {
			note_default(e, model, o->defines[i].arg);
			ok = false;
		}
		o->defines[i].used = true;
	}
	/* From the heir to its bases. A circle of them has been reported already. */
	const Ast *t = train;
	for (int i = 0; t && i < e->declared->trains.count; i++, t = recipe_base(e, t))
		ok = add_with(e, t->kids[0], out) && ok;
	frame_pop(e);
	return ok;
}

/* A given value must be of the default's type. */
static bool suits_default(Elab *e, const Ast *param, Value fallback, Value *given, Loc loc)
{
	if (fallback.kind == VALUE_REAL && given->kind == VALUE_INT)
		*given = value_real(value_to_real(*given));
	bool both_words = (fallback.kind == VALUE_WORD || fallback.kind == VALUE_STRING) &&
	                  (given->kind == VALUE_WORD || given->kind == VALUE_STRING);
	if (fallback.kind == given->kind || both_words)
		return true;
	elab_error(e, loc, "argument-type", "`%s` is %s in the model, so it can't be %s", param->name,
	           value_kind_text(e->arena, fallback), value_text(e->arena, *given));
	diag_note(e->diag, param->loc, "its default is here");
	return false;
}

static bool bind_model(Elab *e, const Ast *model, const Bound *bound)
{
	const Signature *s = signature_of_block(e, model);
	bool ok = true;
	for (int i = 0; i < s->count; i++) {
		const Ast *param = model->kids[0]->kids[i];
		Value fallback = param->count ? eval(e, param->kids[0]) : value_error();
		Value v = bound[i].given ? bound[i].value : fallback;
		if (param->count > 1) {
			const Ast *replaced = param->kids[1];
			Value type = replaced->count ? eval(e, replaced->kids[0]) : fallback;
			ok = suits_default(e, replaced, type, &fallback, param->loc) && ok;
			v = bound[i].given ? v : fallback;
		}
		if (bound[i].given && !value_is_error(fallback))
			ok = suits_default(e, param, fallback, &v, bound[i].loc) && ok;
		ok = ok && !value_is_error(v);
		scope_bind(e, param->name, v, loc_none());
	}
	return ok;
}

/* ---- the graphs */

static Graph *run_model(Elab *e, const Ast *model, const Bound *bound, bool training, int64_t batch)
{
	Graph *g = graph_new(e->arena, model->name, training, batch);
	int errors = diag_error_count(e->diag);
	g->diag = g->full = e->diag;
	e->graph = g;
	e->params = map_new(e->arena);
	e->budget = LIMIT_STEPS_EVALUATED;
	e->collecting = !training && !e->quiet;
	Frame f;
	frame_push(e, &f, model, "", NULL);
	bool ok = bind_model(e, model, bound) && run_body(e, model->kids[1]);
	if (ok && !graph_find_output(g, OUTPUT_LOSS, NULL)) {
		elab_error(e, model->name_loc, "missing-loss", "model `%s` has no loss", model->name);
		diag_help(e->diag, "add a line like: loss cross_entropy(logits, label)");
	}
	bool learns = false;
	for (int i = 0; i < g->count; i++)
		learns = learns || node_is_param(g->nodes[i]);
	if (ok && training && !learns && diag_error_count(e->diag) == errors && !e->declared->is_lost) {
		elab_error(e, model->name_loc, "no-parameters", "model `%s` has nothing to train",
		           model->name);
		diag_help(e->diag, "layers such as `dense` and `conv` bring parameters");
	}
	frame_pop(e);
	e->graph = NULL;
	g->diag = NULL;
	return diag_error_count(e->diag) > errors || e->stop ? NULL : g;
}

/* What elaborate_again() runs once more. */
typedef struct Again {
	Elab *elab;
	const Ast *model;
	const Bound *bound;
} Again;

Graph *elaborate_again(const Elaborated *done, int64_t batch)
{
	const Again *again = done->again;
	if (!again)
		return NULL;
	Elab *e = again->elab;
	Diagnostics *reported = e->diag;
	e->diag = diagnostics_new(e->arena, COLOR_NEVER, true, 1); /* which keeps them */
	e->quiet = true;
	Graph *g = run_model(e, again->model, again->bound, false, batch);
	e->quiet = e->stop = false;
	e->diag = reported;
	return g;
}

/* What the recipe does to images suits theirs. */
static void check_image(Elab *e, const Recipe *recipe, const Node *image)
{
	const int64_t *dim = image->type.dim, longer = dim[1] > dim[2] ? dim[1] : dim[2];
	const Augment *a = &recipe->augment;
	bool pixels = a->least_area > 0 || augment_jitters(a) || augment_operates(a);
	if (a->crop > 0 && (a->crop >= dim[1] || a->crop >= dim[2])) /* a place by chance must show a part */
		elab_error(e, recipe->augment_loc, "augment-crop",
		           "the padding of `crop` must be less than the images, %lld x %lld here, not %d",
		           (long long)dim[1], (long long)dim[2], a->crop);
	else if (pixels && dim[3] != 1 && dim[3] != 3)
		elab_error(e, recipe->augment_loc, "augment-channels",
		           "`%s` is for images of 1 or 3 channels, not %lld",
		           a->least_area > 0    ? "random_resized_crop"
		           : augment_jitters(a) ? "color_jitter"
		           : a->trivial         ? "trivial"
		                                : "randaugment",
		           (long long)dim[3]);
	else if (recipe->shorter_side > 0 && recipe->shorter_side < longer)
		elab_error(e, recipe->resize_loc, "resize-shorter",
		           "images of %lld x %lld are no part of ones whose shorter side is %lld",
		           (long long)dim[1], (long long)dim[2], (long long)recipe->shorter_side);
	else
		return;
	diag_note(e->diag, image->sites.at[0]->loc, "`%s` is declared here", node_text(image, "name"));
}

/* Operations by chance move the image, and no target of each pixel with it. */
static void check_along(Elab *e, const Recipe *recipe, const Graph *g, const Node *image)
{
	for (int i = 0; i < g->count && augment_operates(&recipe->augment); i++) {
		const Node *n = g->nodes[i];
		if (!node_is_input(n) || strcmp(node_text(n, "role"), "target") != 0 || n->type.rank < 3 ||
		    n->type.dim[1] != image->type.dim[1] || n->type.dim[2] != image->type.dim[2])
			continue;
		elab_error(e, recipe->augment_loc, "augment-along",
		           "`trivial` and `randaugment` move the image alone, and `%s` has a value of each "
		           "pixel",
		           node_text(n, "name"));
		diag_help(e->diag, "these move both: affine(degrees = 15, shift = 0.1), random_resized_crop, "
		                   "flip, crop(pad = 4)");
		return;
	}
}

/* The runtime augments images of bytes, and leaves other inputs as they are. */
static void check_augment(Elab *e, const Recipe *recipe, const Graph *g)
{
	ARRAY(const Node *) inputs = {0};
	if (!recipe || (!augment_any(&recipe->augment) && !recipe->shorter_side))
		return;
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		if (!node_is_input(n) || node_is_target(n))
			continue;
		if (n->type.dtype == DTYPE_U8 && n->type.rank == 4) {
			check_image(e, recipe, n);
			check_along(e, recipe, g, n);
			return;
		}
		array_push(e->arena, &inputs, n);
	}
	bool augments = augment_any(&recipe->augment);
	elab_error(e, augments ? recipe->augment_loc : recipe->resize_loc, "augment-input",
	           "images u8[height, width, channels] can be %s, and model `%s` has no such input",
	           augments ? "augmented" : "resized", recipe->model);
	for (int i = 0; i < inputs.count; i++) {
		const Node *n = inputs.at[i];
		diag_note(e->diag, n->sites.at[0]->loc, "`%s` is %s of %s", node_text(n, "name"),
		          value_kind_text(e->arena, value_tensor((Node *)n)), dtype_name(n->type.dtype));
	}
}

static bool is_leaf_of_layer(const Node *n)
{
	return node_is_param(n) || node_is_state(n);
}

/* The first metric of `of`, or its count, that `graph` has none of that name of; NULL: there is none. */
static const Output *metric_missing(const Graph *graph, const Graph *of)
{
	for (int i = 0; i < of->output_count; i++) {
		const Output *o = &of->outputs[i];
		if ((o->kind == OUTPUT_METRIC || o->kind == OUTPUT_COUNT) &&
		    !graph_find_output(graph, o->kind, o->name))
			return o;
	}
	return NULL;
}

/* What `if training` makes otherwise is no weight, and the same is measured. */
static void check_alike(Elab *e, const Ast *model, Graph *training, const Graph *evaluation)
{
	for (int i = 0; i < evaluation->count; i++) {
		const Node *n = evaluation->nodes[i];
		const Node *same = is_leaf_of_layer(n)
		                           ? graph_find_leaf(training, n->op->name, node_text(n, "name"))
		                           : n;
		if (same && type_equal(same->type, n->type))
			continue;
		elab_error(e, n->sites.at[0]->loc, "evaluation-alone",
		           "`%s` is in evaluation alone, or of another shape", node_text(n, "name"));
		diag_help(e->diag,
		          "what stands under `if not training` calls layers that training calls too: by "
		          "`shared = \"name\"` on both calls");
		return;
	}
	const Output *more = metric_missing(training, evaluation),
	             *fewer = metric_missing(evaluation, training);
	const Output *alone = more ? more : fewer;
	if (!alone)
		return;
	const Sites *sites = &alone->node->sites;
	elab_error(e, sites->count > 0 ? sites->at[0]->loc : model->name_loc, "evaluation-alone",
	           "%s `%s` is in %s alone: training and evaluation have the same metrics",
	           alone->kind == OUTPUT_COUNT ? "`ignore` of" : "the metric", alone->name,
	           more ? "evaluation" : "training");
}

/* A prediction is of one sample, whatever others are asked for beside it. */
static void check_outputs(Elab *e, const Graph *g)
{
	if (!graph_couples(g))
		return;
	g = graph_of_one_period(e->arena, g);
	const Node **couples =
	        NEW_ARRAY(e->arena, const Node *, g->count); /* what each node depends on; NULL */
	for (int i = 0; i < g->count; i++) {
		const Node *n = g->nodes[i];
		couples[i] = node_couples(n) ? n : NULL;
		for (int k = 0; k < n->operand_count && !couples[i]; k++)
			couples[i] = couples[n->operands[k]->id];
	}
	for (int i = 0; i < g->output_count; i++) {
		const Output *o = &g->outputs[i];
		const Node *n = couples[o->node->id];
		if (o->kind != OUTPUT_VALUE || !n)
			continue;
		elab_error(e, n->sites.at[0]->loc, "output-of-batch",
		           "`%s` reads the other samples of the batch, and the output `%s` depends on it: "
		           "what is predicted for a sample is its own",
		           n->op->name, o->name);
		diag_help(e->diag, "give what it compares as an `output`, and its value as a `metric`");
		return;
	}
}

/* Samples that a program computes at once: a rank's share of the batch, or of a chunk of it. */
static int64_t batch_of_program(Elab *e, Recipe *r, int64_t ranks)
{
	if (!r)
		return 1;
	int64_t samples = r->chunk ? r->chunk : r->batch;
	r->ranks = ranks > 1 ? ranks : 1;
	if (samples % r->ranks == 0)
		return samples / r->ranks;
	const char *key = !r->chunk ? "batch" : r->accumulates ? "batch" : "chunk";
	diag_error(e->diag, r->chunk ? r->chunk_loc : r->loc, "ranks",
	           "the %s of %lld can't be shared by %lld ranks equally", key, (long long)samples,
	           (long long)r->ranks);
	int64_t more = (samples / r->ranks + 1) * r->ranks;
	if (*key == 'c' && r->batch % more != 0)
		diag_help(e->diag, "take multiples of the ranks: `--set chunk=%lld --set batch=%lld`",
		          (long long)more, (long long)(r->batch / samples * more));
	else
		diag_help(e->diag, "take a multiple of the ranks: `--set %s=%lld`", key, (long long)more);
	return 1;
}

Elaborated *elaborate(Arena *a, Diagnostics *d, const Source *source, const ElaborateOptions *options)
{
	static const ElaborateOptions none;
	const ElaborateOptions *o = options ? options : &none;
	int errors = diag_error_count(d);
	const Declarations *declared = load_declarations(a, d, source);
	if (!declared)
		return NULL;
	Elab *e = elab_new(a, d, declared);
	const Ast *train, *model;
	if (!choose_train(e, o, &train))
		return NULL;
	check_trains(e);
	if (!(model = choose_model(e, source, o, train)))
		return NULL;
	if (!train && !(train = find_train(declared, model->name, NULL)))
		train = train_of_none(declared);

	const Signature *s = signature_of_block(e, model);
	Bound *bound = NEW_ARRAY(a, Bound, s->count);
	Arguments args = {0};
	Recipe *recipe = recipe_new(e, train, model->name, o->settings, o->setting_count);
	bool ok = model_arguments(e, model, train, o, &args) &&
	          bind_arguments(e, s, train ? train->loc : model->name_loc, args.at, args.count, bound);
	if (!ok || (!recipe && e->stop))
		return NULL;
	Elaborated *result = NEW(a, Elaborated);
	result->recipe = recipe;
	result->path = (train ? train : model)->loc.source->path;
	/* With a wrong recipe the model is checked all the same, for more mistakes in one run. */
	e->recipe = recipe;
	int64_t batch = batch_of_program(e, recipe, o->ranks);
	result->training = run_model(e, model, bound, true, batch);
	if (!result->training)
		return NULL;
	result->evaluation = run_model(e, model, bound, false, batch);
	if (!result->evaluation)
		return NULL;
	result->again = arena_copy(a, &(Again){e, model, bound}, sizeof(Again));
	check_alike(e, model, result->training, result->evaluation);
	check_outputs(e, result->evaluation);
	check_augment(e, recipe, result->training);
	check_freeze(e, result->training);
	check_groups(e, result->training);
	warn_unused(e, model->loc.source);
	result->rows = layers_rows(e, result->evaluation);
	result->row_count = e->rows.count;
	result->training_flops = layers_training_flops(result->training, result->evaluation);
	result->layers =
	        layers_text(a, result->evaluation, result->training_flops, result->rows, result->row_count);
	return diag_error_count(d) > errors ? NULL : result;
}
