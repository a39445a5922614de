/* SPDX-License-Identifier: MIT */
#include "program/periods.h"
#include "base/writer.h"

#include "codegen/step.h"

#include <string.h>

enum { LONGEST = 64 /* steps of a period */ };

/* The next product by the same matrix as this one's; 0: there is none near, or it is no product. */
static int next_product_alike(const Periods *f, int step)
{
	const Program *p = f->p;
	if (!f->is_product(&p->steps[step]))
		return 0;
	const Buffer *matrix = buffer_of(p, p->steps[step].root->operands[1]);
	for (int i = step + 1; i < p->step_count && i <= step + LONGEST; i++)
		if (f->is_product(&p->steps[i]) && buffer_of(p, p->steps[i].root->operands[1]) == matrix)
			return i;
	return 0;
}

static const char *text_of(Periods *f, int step)
{
	if (!f->texts[step])
		f->texts[step] = f->describe(f, step);
	return f->texts[step];
}

static int count_periods(Periods *f, int first, int period)
{
	int steps = 0;
	for (; first + steps < f->p->step_count; steps++) {
		const char *text = text_of(f, first + steps);
		if (!*text || (steps >= period && strcmp(text, f->texts[first + steps - period]) != 0))
			break;
	}
	return steps / period;
}

/* The equal periods that begin at this step; of no times where there are none. */
static Recurrence periods_at(Periods *f, int first)
{
	const int next = next_product_alike(f, first);
	if (!next)
		return (Recurrence){0};
	const int64_t rows = product_rows(&f->p->steps[first]);
	if (rows != f->rows)
		memset(f->texts, 0, sizeof *f->texts * (size_t)f->p->step_count);
	f->rows = rows;
	return (Recurrence){first, next - first, count_periods(f, first, next - first)};
}

bool periods_find(Periods *f, const char *what)
{
	bool found = false;
	f->texts = NEW_ARRAY(f->scratch, const char *, f->p->step_count);
	for (int s = 0; s < f->p->step_count; s++) {
		const Recurrence like = periods_at(f, s);
		if (like.times < FEWEST_PERIODS)
			continue;
		const Recurrence *r =
		        f->fits(f, &like) ? arena_copy(f->ctx->arena, &like, sizeof like) : NULL;
		for (int i = 0; r && i < r->period * r->times; i++)
			f->p->steps[s + i].recurrence = r;
		if (r)
			pass_remark(f->ctx, "%s: %d periods of %d step%s %s",
			            sites_text(f->ctx->arena, f->p->steps[s].sites, 3), r->times, r->period,
			            r->period == 1 ? "" : "s", what);
		found = found || r;
		s += like.period * like.times - 1;
	}
	return found;
}

const char *periods_function_text(const Periods *f, const Step *s)
{
	const char *text = NULL;
	Arena *parts = arena_new(); /* of which a text is made, and which are many times as long */
	const StepFunction function = step_function(parts, f->p, s, f->ctx->target);
	Writer *w = writer_new(parts);
	write_text(w, "%s\n%s", function.params, step_text(parts, &function));
	for (int i = 0; i < function.tensors.count; i++)
		write_text(w, " %d", buffer_root((Buffer *)function.tensors.at[i].buffer)->class);
	if (!function.tensors.scalars && function.tensors.stream_count == 0)
		text = arena_strdup(f->scratch, writer_text(w, NULL));
	arena_free(parts);
	return text;
}
