/* SPDX-License-Identifier: MIT */
#include "runtime/session/preflight.h"
#include "runtime/session/checkpoint.h"
#include "runtime/host/die.h"
#include "runtime/host/file.h"
#include "runtime/session/weights.h"
#include "runtime/ranks/ranks.h"

#include <unistd.h>

void preflight_resume(Options *o)
{
	int64_t bytes = 0;
	if (o->resume != RESUME_AUTO)
		return;
	bool there = path_exists(o->checkpoint);
	if (there)
		close(file_open_or_die(o->checkpoint, &bytes));
	o->resume = bytes > 0 ? RESUME_YES : RESUME_NO;
	if (!o->resume && !o->quiet)
		say_note("no checkpoint at `%s` yet: the training begins", o->checkpoint);
}

void preflight(const Session *s)
{
	const Options *o = &s->options;
	bool given = takes_weights(o);
	if (o->init)
		weights_preflight(s, o->init);
	if (o->checkpoint && (o->resume || given))
		checkpoint_preflight(s->model, o->checkpoint);
	if (!ranks_root()) /* it writes nothing */
		return;
	if (o->checkpoint && !given)
		checkpoint_probe(s, o->checkpoint);
	if (o->best)
		checkpoint_probe(s, o->best);
	if (o->dump)
		dump_probe(o->dump);
}
