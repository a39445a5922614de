/* SPDX-License-Identifier: MIT */
/* The settings of a recipe: one line, read from left to right. A table; a new setting is a row and its function. */
#include "front/setting.h"
#include "front/freeze.h"
#include "front/group.h"

#include "base/checked.h"

const Recipe recipe_defaults = {
        .optimizer = {.name = "adam"},
        .schedule = {.kind = SCHEDULE_CONSTANT, .gamma = 0.1},
        .decay_exempt = true,
        .batch = 32,
        .length = {10, true},
        .precision = "tf32",
};

/* ---- reading a line */

bool setting_error(Reader *r, Loc loc, const char *id, const char *message)
{
	elab_error(r->e, loc, id, "%s", message);
	diag_help(r->e->diag, "it is written: %s", r->usage);
	return false;
}

const Ast *setting_peek(Reader *r)
{
	return r->at < r->setting->count ? r->setting->kids[r->at] : NULL;
}

Loc setting_here(Reader *r)
{
	const Ast *next = setting_peek(r);
	return next ? next->loc : r->setting->loc;
}

/* Takes the next item when it is the bare word `word`. */
bool setting_take_word(Reader *r, const char *word)
{
	const Ast *next = setting_peek(r);
	if (!next || next->kind != AST_NAME || strcmp(next->name, word) != 0)
		return false;
	r->at++;
	return true;
}

static bool is_number(const Ast *x)
{
	return x && x->kind != AST_NAME && x->kind != AST_CALL && x->kind != AST_STRING;
}

static bool take_value(Reader *r, Value *v)
{
	const Ast *next = setting_peek(r);
	if (!next)
		return setting_error(r, r->setting->loc, "setting-syntax", "a value is missing here");
	*v = eval(r->e, next);
	r->at++;
	return !value_is_error(*v);
}

bool setting_take_number(Reader *r, const char *what, double least, bool least_allowed, double *out)
{
	Loc loc = setting_here(r);
	Value v;
	if (!take_value(r, &v))
		return false;
	if (!value_is_number(v) || v.unit)
		return setting_error(r, loc, "setting-type",
		                     arena_printf(r->e->arena, "%s is a number, not %s", what,
		                                  value_text(r->e->arena, v)));
	*out = value_to_real(v);
	if (*out > least || (least_allowed && *out == least))
		return true;
	return setting_error(r, loc, "setting-range",
	                     arena_printf(r->e->arena, "%s must be %s %g, not %s", what,
	                                  least_allowed ? "at least" : "more than", least,
	                                  value_source(r->e->arena, v)));
}

static bool take_int(Reader *r, const char *what, int64_t least, int64_t *out)
{
	Loc loc = setting_here(r);
	Value v;
	if (!take_value(r, &v))
		return false;
	if (v.kind != VALUE_INT || v.unit)
		return setting_error(
		        r, loc, "setting-type",
		        arena_printf(r->e->arena, "%s is an int, not %s", what, value_text(r->e->arena, v)));
	*out = v.integer;
	if (*out >= least)
		return true;
	return setting_error(r, loc, "setting-range",
	                     arena_printf(r->e->arena, "%s must be at least %lld, not %lld", what,
	                                  (long long)least, (long long)*out));
}

static bool to_span(Reader *r, Value v, Loc loc, const char *what, Span *out)
{
	bool epochs = v.unit && strcmp(v.unit, "ep") == 0, steps = v.unit && strcmp(v.unit, "it") == 0;
	if (!value_is_number(v) || !(epochs || steps))
		return setting_error(r, loc, "setting-type",
		                     arena_printf(r->e->arena,
		                                  "%s is a number of epochs or steps (5ep, 500it), not %s",
		                                  what, value_text(r->e->arena, v)));
	*out = (Span){value_to_real(v), epochs};
	if (out->amount >= 0)
		return true;
	return setting_error(r, loc, "setting-range",
	                     arena_printf(r->e->arena, "%s must not be negative", what));
}

bool setting_take_span(Reader *r, const char *what, Span *out)
{
	Value v;
	Loc loc = setting_here(r);
	return take_value(r, &v) && to_span(r, v, loc, what, out);
}

bool setting_end(Reader *r)
{
	const Ast *next = setting_peek(r);
	return !next || setting_error(r, next->loc, "setting-syntax", "this does not belong here");
}

void setting_suggest(Reader *r, HabitPlace place, const char *word, const char *const *words, int count)
{
	if (!elab_habit(r->e, place, word, words, count))
		elab_suggest(r->e, word, words, count);
}

/* One of `words`, alone on its line. */
static bool take_choice(Reader *r, HabitPlace place, const char *const *words, int count, const char **out)
{
	Loc loc = setting_here(r);
	for (int i = 0; i < count; i++) {
		if (setting_take_word(r, words[i])) {
			*out = words[i];
			return setting_end(r);
		}
	}
	const Ast *next = setting_peek(r);
	setting_error(r, loc, "setting-type",
	              next ? "this is none of the possible values" : "a value is missing here");
	if (next && next->kind == AST_NAME)
		setting_suggest(r, place, next->name, words, count);
	return false;
}

/* ---- the settings */

static bool read_data(Reader *r)
{
	static const char *const names[] = {
#define DATASET(name, written, doc, substitute) name,
#include "base/datasets.def"
#undef DATASET
	};
	enum { COUNT = sizeof names / sizeof *names };
	const Ast *next = setting_peek(r);
	const char *given = next && next->kind == AST_STRING ? next->text
	                    : next && next->kind == AST_NAME ? next->name
	                                                     : NULL;
	if (!given)
		return setting_error(r, setting_here(r), "setting-syntax",
		                     "the kind of data is missing here");
	r->recipe->data = NULL;
	for (int i = 0; i < COUNT; i++) {
		if (strcmp(given, names[i]) == 0)
			r->recipe->data = names[i];
	}
	if (!r->recipe->data) {
		setting_error(r, next->loc, "setting-type", "there is no such kind of data");
		if (strchr(given, '/') || *given == '.')
			diag_help(r->e->diag, "a folder is given to the trainer: --data %s",
			          printable(r->e->arena, given));
		else if (!elab_habit(r->e, HABIT_DATA, given, names, COUNT))
			elab_suggest_or_list(r->e, given, "name", names, COUNT);
		return false;
	}
	r->at++;
	if (setting_take_word(r, "resize") && !read_resize_item(r))
		return false;
	if (setting_take_word(r, "augment"))
		return read_augment_list(r);
	return setting_end(r);
}

static bool read_batch(Reader *r)
{
	return take_int(r, "the batch", 1, &r->recipe->batch) && setting_end(r);
}

/* After `batch` in the table, and so in order. */
static bool read_chunk(Reader *r)
{
	Loc loc = setting_here(r);
	r->recipe->chunk = 0;
	r->recipe->chunk_loc = r->setting->loc;
	if (setting_take_word(r, "none"))
		return setting_end(r);
	if (!take_int(r, "the chunk", 1, &r->recipe->chunk) || !setting_end(r))
		return false;
	if (r->recipe->batch % r->recipe->chunk == 0)
		return true;
	return setting_error(r, loc, "setting-range",
	                     arena_printf(r->e->arena, "the batch of %lld is no multiple of this chunk",
	                                  (long long)r->recipe->batch));
}

/* A batch of N times as many samples, in chunks of what `batch` says. */
static bool read_accumulate(Reader *r)
{
	Recipe *recipe = r->recipe;
	Loc loc = setting_here(r);
	int64_t times = 1, batch = recipe->batch;
	recipe->chunk_loc = r->setting->loc;
	if (setting_take_word(r, "none"))
		return setting_end(r);
	if (!take_int(r, "the number of batches", 1, &times) || !setting_end(r))
		return false;
	if (!checked_mul(batch, times, &recipe->batch) || recipe->batch > SIZE_LIMIT)
		return setting_error(r, loc, "setting-range", "a step of so many samples is too large");
	recipe->accumulates = times > 1;
	recipe->chunk = times > 1 ? batch : 0;
	return true;
}

static bool read_epochs(Reader *r)
{
	r->recipe->length.in_epochs = true;
	return setting_take_number(r, "the number of epochs", 0, false, &r->recipe->length.amount) &&
	       setting_end(r);
}

static bool read_steps(Reader *r)
{
	int64_t steps = 0;
	if (!take_int(r, "the number of steps", 1, &steps))
		return false;
	r->recipe->length = (Span){(double)steps, false};
	return setting_end(r);
}

static bool read_precision(Reader *r)
{
	static const char *const words[] = {"tf32", "fp32", "bf16", "fp16", "fp64"};
	return take_choice(r, HABIT_PRECISION, words, 5, &r->recipe->precision);
}

/* After `precision` in the table. */
static bool read_wire(Reader *r)
{
	static const char *const words[] = {"fp32", "bf16"};
	const char *word = NULL;
	Loc loc = setting_here(r);
	if (!take_choice(r, HABIT_PRECISION, words, 2, &word))
		return false;
	r->recipe->wire_bf16 = word[0] == 'b';
	if (!r->recipe->wire_bf16 || strcmp(r->recipe->precision, "fp64") != 0)
		return true;
	elab_error(r->e, loc, "conflicting-settings", "gradients of precision fp64 are not sent in 16 bits");
	diag_help(r->e->diag, "leave the line out, or give --set wire=fp32");
	return false;
}

static bool read_shard(Reader *r)
{
	r->recipe->shards = false;
	r->recipe->shard_loc = r->setting->loc;
	if (setting_take_word(r, "none"))
		return setting_end(r);
	r->recipe->shards = setting_take_word(r, "optimizer");
	return r->recipe->shards ? setting_end(r)
	                         : setting_error(r, setting_here(r), "setting-type",
	                                         "only the optimizer is shared out");
}

static bool read_seed(Reader *r)
{
	int64_t seed = 0;
	if (!take_int(r, "the seed", 0, &seed))
		return false;
	r->recipe->seed = (uint64_t)seed;
	return setting_end(r);
}

static bool read_clip(Reader *r)
{
	r->recipe->clip_norm = 0;
	if (setting_take_word(r, "none"))
		return setting_end(r);
	return setting_take_number(r, "the largest norm", 0, false, &r->recipe->clip_norm) && setting_end(r);
}

static bool read_ema(Reader *r)
{
	Loc loc = setting_here(r);
	r->recipe->ema = 0;
	if (setting_take_word(r, "none"))
		return setting_end(r);
	if (!setting_take_number(r, "the share that stays", 0, false, &r->recipe->ema) || !setting_end(r))
		return false;
	return r->recipe->ema < 1 ||
	       setting_error(r, loc, "setting-range", "with a share of 1 or more the average never moves");
}

static bool read_decay(Reader *r)
{
	static const char *const words[] = {"weights", "all"};
	const char *word = NULL;
	if (!take_choice(r, HABIT_NAME, words, 2, &word))
		return false;
	r->recipe->decay_exempt = word[0] == 'w';
	return true;
}

const char *const schedule_names[] = {
        [SCHEDULE_CONSTANT] = "constant", [SCHEDULE_STEP] = "step",         [SCHEDULE_COSINE] = "cosine",
        [SCHEDULE_LINEAR] = "linear",     [SCHEDULE_ONECYCLE] = "onecycle",
};

enum { SCHEDULES = sizeof schedule_names / sizeof *schedule_names };

static bool read_step_schedule(Reader *r, const Ast *call)
{
	const Signature *s =
	        signature_parse(r->e->arena, "schedule", "step", "every: span, gamma: real = 0.1", false);
	Arguments args = {0};
	Bound bound[2];
	if (!eval_arguments(r->e, call, s, &args) ||
	    !bind_arguments(r->e, s, call->loc, args.at, args.count, bound) ||
	    !to_span(r, bound[0].value, bound[0].loc, "`every`", &r->recipe->schedule.every))
		return false;
	r->recipe->schedule.gamma = value_to_real(bound[1].value);
	if (r->recipe->schedule.every.amount > 0)
		return true;
	return setting_error(r, bound[0].loc, "setting-range", "`every` must be more than 0");
}

static bool read_schedule_name(Reader *r)
{
	const Ast *next = setting_peek(r);
	for (int i = 0; next->name && i < SCHEDULES; i++) {
		if (strcmp(next->name, schedule_names[i]) != 0)
			continue;
		r->recipe->schedule.kind = (ScheduleKind)i;
		r->at++;
		if ((next->kind == AST_CALL) == (i == SCHEDULE_STEP))
			return i != SCHEDULE_STEP || read_step_schedule(r, next);
		return setting_error(r, next->loc, "setting-syntax",
		                     i == SCHEDULE_STEP ? "`step` says how often: step(every = 30ep)"
		                                        : "this schedule takes no arguments");
	}
	setting_error(r, next->loc, "setting-type", "this is no schedule");
	if (next->name)
		setting_suggest(r, HABIT_SCHEDULE, next->name, schedule_names, SCHEDULES);
	return false;
}

/* On the command line a number alone changes the rate and leaves the schedule as it is. */
static bool read_rate(Reader *r)
{
	Schedule *s = &r->recipe->schedule;
	bool number_only =
	        r->level == LEVEL_COMMAND_LINE && r->setting->count == 1 && is_number(setting_peek(r));
	if (!number_only)
		*s = recipe_defaults.schedule;
	if (is_number(setting_peek(r))) {
		if (!setting_take_number(r, "the rate", 0, false, &r->rate))
			return false;
		r->rate_level = r->level;
		r->rate_ast = r->setting;
	}
	Loc loc = setting_here(r);
	if (setting_take_word(r, "warmup")) {
		loc = setting_here(r);
		if (!setting_take_span(r, "the warmup", &s->warmup))
			return false;
		r->warmup_loc = loc;
	}
	const Ast *next = setting_peek(r);
	bool is_to = next && next->kind == AST_NAME && strcmp(next->name, "to") == 0;
	if (next && !is_to && !read_schedule_name(r))
		return false;
	loc = setting_here(r);
	if (setting_take_word(r, "to")) {
		if (s->kind == SCHEDULE_CONSTANT || s->kind == SCHEDULE_STEP)
			return setting_error(r, loc, "setting-syntax",
			                     "`to` is for cosine, linear and onecycle: they end at a rate");
		if (!setting_take_number(r, "the last rate", 0, true, &s->final_rate))
			return false;
	}
	if (r->setting->count == 0)
		return setting_error(r, r->setting->loc, "setting-syntax", "a value is missing here");
	return setting_end(r);
}

/* ---- the optimizer */

static const Optimizer *find_optimizer(Reader *r, const char *name, Loc loc)
{
	const Optimizer *o = optimizer_find(name);
	if (o)
		return o;
	const char **names = NEW_ARRAY(r->e->arena, const char *, optimizer_count());
	for (int i = 0; i < optimizer_count(); i++)
		names[i] = optimizer_at(i)->name;
	elab_error(r->e, loc, "unknown-optimizer", "there is no optimizer `%s`", name);
	elab_suggest_or_list(r->e, name, "optimizer", names, optimizer_count());
	return NULL;
}

static double number_of(Value v)
{
	return v.kind == VALUE_BOOL ? v.truth : value_to_real(v);
}

/* --set optimizer.NAME=VALUE: like an argument written later. */
static bool override_arguments(Reader *r, const Signature *s, Bound *bound)
{
	bool ok = true;
	for (int i = 0; i < r->override_count; i++) {
		const Ast *arg = r->optimizer_overrides[i].arg;
		const char *name = strchr(arg->name, '.') + 1;
		int at = signature_find(s, name);
		if (at < 0) {
			report_unknown_argument(r->e, s, name, arg->name_loc);
			ok = false;
			continue;
		}
		bound[at] =
		        (Bound){.value = eval(r->e, arg->kids[0]), .loc = arg->kids[0]->loc, .given = true};
		ok = check_argument(r->e, s, &s->params[at], &bound[at]) && ok;
		if (strcmp(name, "rate") == 0)
			r->optimizer_rate_level = LEVEL_COMMAND_LINE;
	}
	return ok;
}

static bool check_needs(Reader *r, const Optimizer *o, const Signature *s, const Bound *bound)
{
	enum { MOST = sizeof o->needs / sizeof *o->needs };
	for (int i = 0; i < MOST && o->needs[i].given; i++) {
		const OptimizerNeed *need = &o->needs[i];
		const Bound *given = &bound[signature_find(s, need->given)],
		            *other = &bound[signature_find(s, need->other)];
		if (number_of(given->value) == 0 || (number_of(other->value) == 0) == need->zero)
			continue;
		elab_error(r->e, given->loc, "conflicting-settings", "`%s` of `%s` needs a `%s` %s",
		           need->given, o->name, need->other, need->zero ? "of 0" : "above 0");
		if (other->given)
			diag_note(r->e->diag, other->loc, "`%s` is set here", need->other);
		return false;
	}
	return true;
}

static bool check_ranges(Reader *r, const Optimizer *o, const Signature *s, const Bound *bound)
{
	bool ok = true;
	for (int i = 0; i < s->count; i++) {
		const Parameter *p = &s->params[i];
		const OptimizerRange *range = optimizer_range(p->name);
		if (!range && p->accepts & ACCEPT_REAL)
			bug("the argument `%s` of `%s` has no range", p->name, o->name);
		double value = number_of(bound[i].value);
		if (!range || (value < range->below &&
		               (range->above_least ? value > range->least : value >= range->least)))
			continue;
		elab_error(r->e, bound[i].loc, "setting-range", "`%s` of `%s` must be %s, not %s", p->name,
		           o->name, range->text, number_text(r->e->arena, value));
		ok = false;
	}
	return ok;
}

/* With `call` NULL: the default optimizer. `is_own`: of a group; what --set says of the recipe's is nothing to it. */
static bool bind_optimizer(Reader *r, const Optimizer *o, const Ast *call, Loc loc, bool is_own,
                           OptimizerUse *use)
{
	const Signature *s = signature_parse(r->e->arena, "optimizer", o->name, o->call, false);
	Bound *bound = NEW_ARRAY(r->e->arena, Bound, s->count);
	Arguments args = {0};
	if (call && call->kind == AST_CALL && !eval_arguments(r->e, call, s, &args))
		return false;
	if (!bind_arguments(r->e, s, loc, args.at, args.count, bound))
		return false;
	int rate = signature_find(s, "rate");
	if (rate >= 0 && bound[rate].given && !is_own)
		r->optimizer_rate_level = r->level;
	if (!is_own && !override_arguments(r, s, bound))
		return false;
	if (!check_ranges(r, o, s, bound) || !check_needs(r, o, s, bound))
		return false;
	OptimizerArg *out = NEW_ARRAY(r->e->arena, OptimizerArg, s->count);
	for (int i = 0; i < s->count; i++)
		out[i] = (OptimizerArg){s->params[i].name, number_of(bound[i].value)};
	*use = (OptimizerUse){.name = o->name, .args = out, .arg_count = s->count, .loc = loc};
	return true;
}

bool setting_take_optimizer(Reader *r, bool is_own, OptimizerUse *use)
{
	const Ast *next = setting_peek(r);
	if (!next || (next->kind != AST_NAME && next->kind != AST_CALL))
		return setting_error(r, setting_here(r), "setting-syntax",
		                     "the name of an optimizer is missing here");
	r->at++;
	const Optimizer *o =
	        find_optimizer(r, next->name, next->name_loc.source ? next->name_loc : next->loc);
	return o && (is_own || setting_end(r)) && bind_optimizer(r, o, next, next->loc, is_own, use);
}

static bool read_optimizer(Reader *r)
{
	return setting_take_optimizer(r, false, &r->recipe->optimizer);
}

/* ---- the table */

const SettingRow setting_rows[SETTINGS] = {
        {"data", "data NAME [resize keep_aspect(shorter = 256)] [augment flip, crop(pad = 4)]",
         "Which data the trainer reads; without it --data says so at run time.", read_data, NULL, false},
        {"resize", "resize keep_aspect(shorter = 256), or: resize stretch",
         "How image files become the model's size: `keep_aspect` makes the shorter side so long and takes "
         "the middle.",
         read_resize, NULL, false},
        {"augment", "augment flip, crop(pad = 4), or: augment none",
         "Changes the training images by chance: `random_resized_crop` takes a part of each, `color_jitter` "
         "changes "
         "colours, `crop` moves each by up to `pad` pixels, with zeros at the border or, by `border = "
         "reflect`, "
         "the image mirrored there, `flip` mirrors half of them: with `alternate = true` what one epoch "
         "mirrors "
         "the "
         "next does not. `trivial` and `randaugment` do one operation of a list, or several; `mixup` and "
         "`cutmix` make mixtures of two images and of their targets.",
         read_augment_list, NULL, false},
        {"optimizer", "optimizer NAME(ARGUMENTS)",
         "Makes a step of the gradients; `nnc help adam` says how adam does, and lists its arguments.",
         read_optimizer, NULL, false},
        {"rate", "rate [NUMBER] [warmup 5ep] [constant|cosine|linear|step(every = 30ep)|onecycle] [to FINAL]",
         "How far a step goes, and how that changes: up in a line over the warmup, then by the schedule, to "
         "FINAL or 0 at the end. 5ep are epochs, 500it steps.",
         read_rate, NULL, false},
        {"batch", "batch 128", "Samples of one step.", read_batch, NULL, false},
        {"chunk", "chunk 4096, or: chunk none",
         "Samples that are in memory at once: a step computes its batch chunk by chunk and adds the "
         "gradients up.",
         read_chunk, "accumulate", false},
        {"accumulate", "accumulate 4, or: accumulate none",
         "Batches whose gradients are added up before the optimizer's step, as if they were one, "
         "in the memory of one. In place of `chunk`.",
         read_accumulate, "chunk", false},
        {"epochs", "epochs 12", "How often the training goes through its data.", read_epochs, "steps", false},
        {"steps", "steps 5000", "How many steps the training takes.", read_steps, "epochs", false},
        {"precision", "precision tf32|fp32|bf16|fp16|fp64",
         "tf32 rounds the factors of products, fp32 does not; bf16 and fp16 store activations in 16 bits; "
         "fp64 is for tests.",
         read_precision, NULL, false},
        {"wire", "wire fp32|bf16",
         "What several ranks send one another of their gradients: as they are, or rounded to 16 bits, half "
         "as "
         "many bytes.",
         read_wire, NULL, false},
        {"shard", "shard optimizer, or: shard none",
         "Of several ranks each updates a share of the parameters, and keeps the optimizer's states of that "
         "share "
         "alone.",
         read_shard, NULL, false},
        {"seed", "seed 1", "Decides the first weights, the shuffling and dropout.", read_seed, NULL, false},
        {"clip", "clip NORM, or: clip none", "Gradients are scaled down to this norm over all parameters.",
         read_clip, NULL, false},
        {"decay",
         "decay weights (biases and normalisation are exempt), or: decay all; how much is the optimizer's: "
         "adamw(decay = 0.01)",
         "Which parameters the optimizer's weight decay reaches.", read_decay, NULL, false},
        {"freeze", "freeze \"conv*\", \"block_1.*\", or: freeze none",
         "Which parameters keep their values: neither gradient nor optimizer state is computed for them, and "
         "a "
         "batchnorm whose weight and bias are frozen normalises by its running statistics.",
         read_freeze, NULL, false},
        {"phase", "phase 2ep freeze \"conv*\" [rate 0.01], or: phase none",
         "A first phase of so many epochs (2ep) or steps (500it), in which these parameters keep their "
         "values, at this rate; then all are trained, and `rate` begins. Without a rate of its own the "
         "schedule is that of the whole training.",
         read_phase, NULL, false},
        {"group",
         "group \"head.*\", \"*.gain\" [optimizer NAME(ARGUMENTS)] rate 0.01 decay 0, or: group none",
         "Parameters that have an optimizer, a rate, by the same schedule, or a weight decay of their own. A "
         "recipe may have several groups, a line each; the first that matches counts.",
         read_group, NULL, true},
        {"ema", "ema 0.999, or: ema none",
         "Evaluation and prediction read a moving average of the trained parameters, of which each step "
         "keeps "
         "this share; of the first steps each keeps less, (1 + t)/(10 + t).",
         read_ema, NULL, false},
        {"missing", "missing [\"COLUMN\", ...] median|mean|mode|flag|drop, or: missing none",
         "What stands in a table where a cell is empty: the median, mean or most frequent value of the "
         "column's "
         "training part; `flag`: the mean, and one element more of the input, 1 where it is missing; `drop` "
         "leaves the row out. Words have a place of their own for it, 0. Several lines: the first that "
         "matches "
         "a column counts.",
         read_missing, NULL, true},
        {"ignore", "ignore \"COLUMN\", \"note*\", or: ignore none", "Columns of a table that no input takes.",
         read_ignore, NULL, false},
        {"pass", "pass \"COLUMN\", \"id*\", or: pass none",
         "Columns of a table that no input takes, as a number of the row: `predict` writes them beside what "
         "it "
         "predicts.",
         read_pass, NULL, false},
        {"holdout",
         "holdout 0.2 [stratified|group \"COLUMN\"|time \"COLUMN\"], or: holdout column \"COLUMN\"",
         "What is held out of data that has no test part: a share, by chance; of each class; of whole "
         "groups; the "
         "latest; or what a column says. `--holdout` of the trainer changes it.",
         read_holdout, NULL, false},
        {"balance", "balance classes, or: balance none",
         "Samples of rare classes are trained on several times an epoch, so that all classes come equally "
         "often.",
         read_balance, NULL, false},
};

/* The name of another setting after what this one says: `batch 3  epochs 4`. */
static const Ast *next_setting(const SettingRow *row, const Ast *setting)
{
	for (int i = 1; i < setting->count; i++) {
		const Ast *x = setting->kids[i];
		bool of_data = x->kind == AST_NAME && strcmp(row->key, "data") == 0 &&
		               (strcmp(x->name, "augment") == 0 || strcmp(x->name, "resize") == 0);
		bool of_group = x->kind == AST_NAME && strcmp(row->key, "group") == 0 &&
		                (strcmp(x->name, "rate") == 0 || strcmp(x->name, "decay") == 0 ||
		                 strcmp(x->name, "optimizer") == 0);
		bool of_holdout = x->kind == AST_NAME && strcmp(row->key, "holdout") == 0 &&
		                  strcmp(x->name, "group") == 0;
		bool of_phase = x->kind == AST_NAME && strcmp(row->key, "phase") == 0 &&
		                (strcmp(x->name, "freeze") == 0 || strcmp(x->name, "rate") == 0);
		bool belongs = x->kind != AST_NAME || of_data || of_group || of_holdout || of_phase;
		for (int k = 0; !belongs && k < SETTINGS; k++) {
			if (strcmp(setting_rows[k].key, x->name) == 0)
				return x;
		}
	}
	return NULL;
}

bool setting_has_lines(const Ast *setting)
{
	return setting->count > 0 && setting->kids[0]->kind == AST_SETTING;
}

static bool read_line(Reader *r, const SettingRow *row, const Ast *line)
{
	const Ast *next = next_setting(row, line);
	if (next) {
		elab_error(r->e, next->loc, "setting-syntax", "this does not belong here");
		diag_help(r->e->diag, "each setting stands on its own line: `%s` begins another", next->name);
		return false;
	}
	r->setting = line;
	r->at = 0;
	return row->read(r);
}

bool read_setting(Reader *r, const SettingRow *row, const Ast *setting, int level)
{
	r->usage = row->usage;
	r->level = level;
	r->lines = setting_has_lines(setting) ? setting->count : 1;
	for (int i = 0; i < r->lines; i++)
		if (!read_line(r, row, r->lines > 1 ? setting->kids[i] : setting))
			return false;
	return true;
}

bool read_default_optimizer(Reader *r, Loc loc)
{
	r->level = LEVEL_DEFAULT;
	return bind_optimizer(r, find_optimizer(r, recipe_defaults.optimizer.name, loc), NULL, loc, false,
	                      &r->recipe->optimizer);
}
