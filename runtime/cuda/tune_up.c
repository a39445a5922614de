/* SPDX-License-Identifier: MIT */
/* When the libraries' plans are tuned: before the first step, or in slices between steps (tuning.h).
 *
 * Between two calls of `train`, each of whole steps, the arena is dead on the device, and all else lives: parameters,
 * states, the batch that is prepared in one of the slots, the control block. A search touches neither: beside a
 * training it has memory of its own, or does not begin (plan_trials_begin). What it changes besides are plans, which
 * graphs have captured, and the workspace, whose address they keep: cuda_begin_afresh. */
#include "runtime/session/checkpoint.h"
#include "runtime/host/die.h"
#include "runtime/host/progress.h"
#include "runtime/cuda/driver.h"
#include "runtime/cuda/state.h"
#include "runtime/cuda/tuning.h"
#include "runtime/ranks/ranks.h"

/* Why no plan may change once this process runs steps; NULL: it may. Another plan rounds otherwise, and what is tried
 * takes time. */
static const char *why_before(const Options *o)
{
	if (o->tune_when == TUNE_BEFORE)
		return "`--tune-when before`";
	if (o->command != COMMAND_TRAIN)
		return "only between the steps of a training is there time for it";
	if (ranks_many())
		return "beside the training each of several ranks would wait for the others";
	if (o->deterministic)
		return "with `--deterministic` no plan changes amid the training";
	if (keeps_plans(o))
		return "a resumed training goes on as it was, with one set of plans";
	return NULL;
}

static void keep_what_was_found(void)
{
	tuning_give_up();
	tune_save();
}

static void begin_search(void)
{
	nnr_step(0, NULL); /* no step is what fails in a search */
	nnr_cuda_advise(
	        "a plan that was only tried out may have failed: --tune-seconds 0 runs with what was found "
	        "until then, --no-tune with the libraries' first choice");
	die_at_end(keep_what_was_found);
}

static void end_search(void)
{
	die_not_at_end(keep_what_was_found);
	nnr_cuda_advise(NULL);
}

/* A plan that is tried out may end in a fault of the device, which no call after it survives: what was found until then
 * is kept, and the next start does not try it again. */
bool cuda_tune_first(const Session *s)
{
	const char *why = why_before(&s->options);
	bool changed = false;
	begin_search();
	if (why) {
		tuning_announce(why);
		changed = nnr_cuda_tuning_done();
	} else {
		tuning_begin_beside();
	}
	end_search();
	if (s->options.resume && tuning_kept() > 0)
		progress_say("%d library call%s will keep plans whose search has not ended, as a resumed "
		             "training goes on as it was: `--tune-when beside` goes on with the search",
		             tuning_kept(), tuning_kept() == 1 ? "" : "s");
	return changed;
}

/* ---- between steps */

static const Session *brought; /* whose state the host has, as it was when the search began */

static void save_brought(void)
{
	const char *path = brought->options.checkpoint;
	if (checkpoint_save(brought, path))
		say_note("step %lld is saved in `%s`; go on with --resume, which searches for no plans",
		         (long long)brought->at.step, path);
}

/* A fault of the device must not cost what was trained since the last checkpoint. */
static void bring_state(Session *s)
{
	brought = NULL;
	if (!s->options.checkpoint || s->torn)
		return;
	s->backend->download(s, false);
	if (!session_weights_are_finite(s)) /* the next step's loss tells */
		return;
	brought = s;
	die_at_end(save_brought);
}

bool cuda_tune_between(Session *s)
{
	if (!tuning_slice_is_due())
		return false;
	const double since = clock_seconds();
	bring_state(s);
	cuda_begin_afresh();
	begin_search();
	tuning_slice(since);
	end_search();
	if (brought)
		die_not_at_end(save_brought);
	return true;
}
