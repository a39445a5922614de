/* Which steps of the branch a step must wait for: see branch.h. */
#include "target/branch.h"

int *branch_numbers(Arena *a, const Program *p)
{
	int *numbers = NEW_ARRAY(a, int, p->step_count);
	for (int s = 0, next = 0; s < p->step_count; s++)
		numbers[s] = p->steps[s].branch ? next++ : -1;
	return numbers;
}

static bool conflict(const Step *branch, const Step *s)
{
	for (int i = 0; i < s->read_count; i++)
		for (int k = 0; k < branch->write_count; k++)
			if (buffers_share_bytes(s->reads[i], branch->writes[k]))
				return true;
	for (int i = 0; i < s->write_count; i++) {
		for (int k = 0; k < branch->read_count; k++)
			if (buffers_share_bytes(s->writes[i], branch->reads[k]))
				return true;
		for (int k = 0; k < branch->write_count; k++)
			if (buffers_share_bytes(s->writes[i], branch->writes[k]))
				return true;
	}
	return false;
}

int *branch_waits(Arena *a, const Program *p)
{
	int *waits = NEW_ARRAY(a, int, p->step_count), *numbers = branch_numbers(a, p);
	int waited = -1, last = -1, ahead = 0;
	while (ahead < p->step_count && p->steps[ahead].branch)
		ahead++;
	for (int s = 0; s < p->step_count; s++) {
		waits[s] = -1;
		for (int b = s - 1; b >= 0 && !p->steps[s].branch && waits[s] < 0; b--)
			if (numbers[b] > waited && conflict(&p->steps[b], &p->steps[s]))
				waits[s] = numbers[b];
		if (waits[s] >= 0 && waits[s] < ahead)
			waits[s] = ahead - 1;
		waited = waits[s] > waited ? waits[s] : waited;
		last = numbers[s] > last ? numbers[s] : last;
	}
	/* the step as a whole ends when its branch has */
	if (p->step_count > 0 && last > waited && waits[p->step_count - 1] < last)
		waits[p->step_count - 1] = last;
	return waits;
}

int scores_overwritten(const Program *p)
{
	for (int s = 0; s < p->step_count; s++)
		for (int w = 0; w < p->steps[s].write_count; w++)
			for (int i = 0; i < p->graph->output_count; i++) {
				OutputKind kind = p->graph->outputs[i].kind;
				if ((kind == OUTPUT_LOSS || kind == OUTPUT_METRIC) &&
				    buffers_share_bytes(p->steps[s].writes[w], p->output_buffers[i]))
					return s;
			}
	return -1;
}
