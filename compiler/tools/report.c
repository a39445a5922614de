/* SPDX-License-Identifier: MIT */
/* The page as a whole. report.h. */
#include "tools/report.h"

#include "runtime/report/report_page.h"
#include "tools/page.h"

#include <string.h>

const char *report_text(Arena *a, const Compiled *c, const RunFiles *run, Diagnostics *d, const char **why)
{
	const Elaborated *e = c->source;
	Writer *w = writer_new(a);
	double params = 0, flops = 0;
	for (int i = 0; i < e->row_count; i++)
		params += e->rows[i].params, flops += e->rows[i].flops;
	if (e->training_flops > 0)
		flops = e->training_flops;
	const char *name = strrchr(e->path, '/'), *model = e->evaluation->name;
	page_begin(w, a, run->name ? arena_printf(a, "%s, %s", model, run->name) : model, "");
	write_line(w, "<p>%s, compiled by nnc</p>\n<div class=\"facts\">",
	           page_text(a, name ? name + 1 : e->path));
	write_line(w, "<div><b>%s</b><span>parameters</span></div>", grouped_digits(a, params));
	write_line(w, "<div><b>%s</b><span>FLOP of a sample, forward</span></div>",
	           human_count(a, flops, ""));
	write_line(w, "<div><b>%lld</b><span>samples in a batch</span></div>", (long long)e->recipe->batch);
	write_line(w, "<div><b>%s</b><span>memory of a training step</span></div></div>",
	           human_count(a,
	                       (double)(c->train->param_bytes + c->train->state_bytes +
	                                c->train->input_bytes + c->train->arena_bytes),
	                       "B"));
	if (run->in_trainer)
		write_line(w, "%s", NNR_PAGE_MARK);
	if ((run->log && !report_log(w, a, run->log, model, why)) ||
	    (run->confusion && !report_confusion(w, a, run->confusion, why)) ||
	    (run->predictions && !report_wrong(w, a, run->predictions, d, why)) ||
	    (run->profile && !report_profile(w, a, run->profile, model, why)))
		return NULL;
	report_network(w, a, e);
	report_memory(w, a, c->train);
	if (run->log)
		report_settings(w, a, run->log);
	page_section(w, a, "Recipe", "");
	write_line(w, "<pre id=\"recipe\">%s</pre>", page_text(a, e->recipe->text));
	page_end(w);
	return writer_text(w, NULL);
}
