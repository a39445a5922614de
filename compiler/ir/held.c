/* SPDX-License-Identifier: MIT */
/* Which step holds what: see held.h. */
#include "ir/held.h"

HeldStep held_step(const Step *s)
{
	for (int i = 0; i < HELD_STEPS; i++)
		if (s->held->root[i] == s->root)
			return (HeldStep)i;
	bug("step %d is none of its Held", s->id);
}

bool held_scatters(const Held *h)
{
	return !h->root[HELD_FILTERS];
}

bool held_uses_winner(const Step *s)
{
	HeldStep step = s->held ? held_step(s) : HELD_STEPS;
	return step == HELD_CONV || (step == HELD_GRADIENT && held_scatters(s->held));
}
