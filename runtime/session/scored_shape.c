/* SPDX-License-Identifier: MIT */
/* What scores the classes, by its shape. Of the table of options too, which knows no data. */
#include "runtime/host/die.h"
#include "runtime/session/scored.h"

#include <string.h>

const NnrOutput *scored_output(const NnrModel *m, const NnrProgram *p)
{
	for (int i = 0; m->scored.output && i < p->output_count; i++)
		if (p->outputs[i].kind == NNR_VALUE && strcmp(p->outputs[i].name, m->scored.output) == 0)
			return &p->outputs[i];
	return NULL;
}

int scored_classes(const NnrModel *m)
{
	const NnrOutput *o = scored_output(m, &m->predict);
	require(o && o->rank >= 2);
	return (int)o->dim[o->rank - 1];
}

int64_t scored_places(const NnrModel *m)
{
	const NnrOutput *o = scored_output(m, &m->predict);
	int64_t places = 1;
	for (int i = 1; i < o->rank - 1; i++)
		places *= o->dim[i];
	return places;
}

bool scored_pixels(const NnrModel *m)
{
	return scored_output(m, &m->predict)->rank == 4;
}

const char *scored_unit(const NnrModel *m)
{
	return scored_output(m, &m->predict)->rank == 2 ? "sample" : scored_pixels(m) ? "pixel" : "place";
}
