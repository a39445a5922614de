/* SPDX-License-Identifier: MIT */
#include "runtime/train/rescue.h"
#include "runtime/session/backend.h"
#include "runtime/host/die.h"
#include "runtime/host/progress.h"
#include "runtime/session/steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where nothing but the message gains from it. */
enum {
	SMALL = 64 << 20,
	SEARCHED = 1 << 30 /* bytes of activations that are searched for what is not finite */
};

struct Rescue {
	char *params, *state;
	Position at;
	bool taken, looked;  /* looked: `usual` is filled */
	double when, cost;   /* of the last copy, seconds */
	double begun, spent; /* since when, and on all copies */
	int64_t *usual;      /* of each step of the program, words that look not finite where all is well */
	int64_t *seen;       /* the same of the step that is looked at */
};

Rescue *rescue_new(const Session *s)
{
	const NnrModel *m = s->model;
	if (s->options.on_nan != ON_NAN_SKIP && m->param_bytes + m->state_bytes > SMALL)
		return NULL;
	Rescue *r = allocate(1, sizeof *r, "a copy of the weights");
	r->params = block_new(m->param_bytes, "a copy of the weights");
	r->state = block_new(m->state_bytes, "a copy of the optimizer's state");
	r->begun = clock_seconds();
	r->usual = allocate(m->train.step_count + 1, sizeof *r->usual, "the steps of the program");
	r->seen = allocate(m->train.step_count + 1, sizeof *r->seen, "the steps of the program");
	return r;
}

void rescue_free(Rescue *r, const Session *s)
{
	if (!r)
		return;
	block_free(r->params, s->model->param_bytes);
	block_free(r->state, s->model->state_bytes);
	free(r->usual);
	free(r->seen);
	free(r);
}

static void download(Session *s)
{
	if (s->backend->download)
		s->backend->download(s, false);
}

void rescue_keep(Rescue *r, Session *s)
{
	static const double most_part = 0.005, least = 0.5, grace = 0.02;
	double begun = clock_seconds();
	if (!r || (r->taken && begun - r->when < fmax(least, r->cost / most_part)))
		return;
	/* Where epochs are short each would begin with a copy: --on-nan skip needs it, for a name it is too much. */
	if (s->options.on_nan != ON_NAN_SKIP && r->spent > grace + most_part * (begun - r->begun))
		return;
	download(s);
	if (session_weights_are_finite(s)) {
		memcpy(r->params, s->memory.params, (size_t)s->model->param_bytes);
		memcpy(r->state, s->memory.state, (size_t)s->model->state_bytes);
		r->at = s->at;
		r->taken = true;
	}
	r->when = clock_seconds();
	r->cost = r->when - begun;
	r->spent += r->cost;
}

static void put_back(const Rescue *r, Session *s)
{
	memcpy(s->memory.params, r->params, (size_t)s->model->param_bytes);
	memcpy(s->memory.state, r->state, (size_t)s->model->state_bytes);
	s->at = r->at;
	if (s->backend->upload)
		s->backend->upload(s);
}

/* ---- looking into a step */

/* Numbers of the model's type whose exponent is all ones; integers and narrow types look like some now and then, which
 * is why a step is compared with one where all is well. */
static int64_t count_words(const char *at, int64_t bytes, bool wide)
{
	int64_t count = 0;
	if (wide)
		for (int64_t i = 0; i + 8 <= bytes; i += 8) {
			uint64_t word;
			memcpy(&word, at + i, sizeof word);
			count += (word & 0x7ff0000000000000u) == 0x7ff0000000000000u;
		}
	else
		for (int64_t i = 0; i + 4 <= bytes; i += 4) {
			uint32_t word;
			memcpy(&word, at + i, sizeof word);
			count += (word & 0x7f800000u) == 0x7f800000u;
		}
	return count;
}

static struct {
	const NnrModel *model;
	int64_t *seen;
} looking;

static void look(int step, const char *arena)
{
	if (step >= 1 && step <= looking.model->train.step_count)
		looking.seen[step] =
		        count_words(arena, looking.model->train.arena_bytes, looking.model->real == NNR_F64);
}

static bool can_look(const Session *s)
{
	return s->backend->trace && s->model->train.step_count > 0 && s->model->train.steps &&
	       s->model->train.arena_bytes <= SEARCHED && s->model->chunks == 1;
}

static void run_looked_at(Session *s, int64_t *seen)
{
	looking.model = s->model;
	looking.seen = seen;
	memset(seen, 0, (size_t)(s->model->train.step_count + 1) * sizeof *seen);
	s->backend->trace(s, look);
}

static bool is_bad(Session *s)
{
	if (!isfinite(s->last[0]))
		return true;
	download(s);
	return !session_weights_are_finite(s);
}

int64_t rescue_go_back(Rescue *r, Session *s)
{
	if (!r || !r->taken)
		return 0;
	int64_t end = s->at.step, bad = 0;
	double last[1 + MAX_METRICS];
	memcpy(last, s->last, sizeof last);
	put_back(r, s);
	r->looked = false;
	while (s->at.step < end && !bad) {
		int64_t before = s->at.step;
		if (can_look(s) && !r->looked)
			run_looked_at(s, r->usual);
		else
			s->backend->train(s, 1);
		if (s->at.step == before)
			break; /* its data can't be read again */
		if (is_bad(s))
			bad = s->at.step;
		else
			r->looked = can_look(s);
	}
	if (bad) {
		put_back(r, s);
		for (int64_t before = -1; s->at.step < bad - 1 && s->at.step > before;) {
			before = s->at.step; /* which stays where its data can't be read again */
			s->backend->train(s, bad - 1 - before);
		}
		download(s);
	}
	memcpy(s->last, last, sizeof last);
	return bad;
}

/* "conv_relu_8x28x28x16 (mnist_cnn.net:12, in layer1.0)" */
static char *step_text(const NnrModel *m, int number)
{
	const NnrStep *step = program_step(&m->train, number - 1);
	int at = step->share_count > 0 ? step->shares[0].place : -1;
	if (at < 0)
		return text_printf("first in `%s`", step->name);
	const NnrPlace *place = &m->places[at];
	return text_printf("first in `%s` (%s:%d%s%s)", step->name, m->sources[place->source].name,
	                   place->line, *place->scope ? ", in " : "", place->scope);
}

/* The weights that the step has changed, in their order. */
static char *weight_text(const Session *s)
{
	for (int i = 0; i < s->model->param_count; i++) {
		const NnrTensor *t = &s->model->params[i];
		if (count_not_finite(s->memory.params + t->offset, t->dtype,
		                     tensor_elements(t->dim, t->rank)))
			return text_printf("first in the weight `%s`, which the step has changed", t->name);
	}
	return NULL;
}

char *rescue_name(Rescue *r, Session *s)
{
	Position at = s->at;
	char *params = allocate(1, s->model->param_bytes + 1, "a copy of the weights"),
	     *state = allocate(1, s->model->state_bytes + 1, "a copy of the optimizer's state"), *text = NULL;
	double last[1 + MAX_METRICS];
	memcpy(last, s->last, sizeof last);
	memcpy(params, s->memory.params, (size_t)s->model->param_bytes);
	memcpy(state, s->memory.state, (size_t)s->model->state_bytes);
	if (can_look(s)) {
		run_looked_at(s, r->seen);
		for (int i = 1; i <= s->model->train.step_count && !text; i++) {
			int64_t more = r->seen[i] - r->seen[i - 1],
			        usual = r->looked ? r->usual[i] - r->usual[i - 1] : 0;
			if (more > 0 && more > usual)
				text = step_text(s->model, i);
		}
	} else {
		s->backend->train(s, 1);
	}
	download(s);
	if (!text)
		text = weight_text(s);
	memcpy(s->memory.params, params, (size_t)s->model->param_bytes);
	memcpy(s->memory.state, state, (size_t)s->model->state_bytes);
	memcpy(s->last, last, sizeof last);
	s->at = at;
	if (s->backend->upload)
		s->backend->upload(s);
	free(params);
	free(state);
	return text;
}

void rescue_forget(Rescue *r)
{
	if (r)
		r->taken = false;
}

void rescue_skip(Rescue *r, Session *s)
{
	s->at.step++;
	s->at.in_epoch++;
	s->at.skipped++;
	rescue_forget(r); /* the next copy is of this side of it */
}
