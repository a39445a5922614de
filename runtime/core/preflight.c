#include "runtime/core/preflight.h"
#include "runtime/core/checkpoint.h"
#include "runtime/core/weights.h"

void preflight(const Session *s)
{
	const Options *o = &s->options;
	bool given = takes_weights(o);
	if (o->init)
		weights_preflight(s, o->init);
	if (o->checkpoint && (o->resume || given))
		checkpoint_preflight(s->model, o->checkpoint);
	if (o->checkpoint && !given)
		checkpoint_probe(s, o->checkpoint);
	if (o->dump)
		dump_probe(o->dump);
}
