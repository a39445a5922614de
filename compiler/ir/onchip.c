/* SPDX-License-Identifier: MIT */
/* What is asked of the form of a step on chip: see onchip.h. */
#include "ir/onchip.h"

bool onchip_holds(const OnChip *o)
{
	for (int s = 0; s < o->sample->step_count; s++)
		if (o->sample->steps[s].held)
			return true;
	return false;
}

const Step *onchip_update_step(const Program *p)
{
	for (int s = 0; s < p->step_count; s++)
		if (p->steps[s].node_count > 0 && p->steps[s].nodes[0]->group == p->onchip->update_group)
			return &p->steps[s];
	bug("an on-chip step has no update");
}
