/* SPDX-License-Identifier: MIT */
/* The page: tables that read without scripts, the data, and the script that ties the columns together (page.js). */
#include "explore/advice.h"
#include "explore/page_text.h"
#include "runtime/report/explore_page.h"
#include "tools/page.h"
#include "tools/report.h"

#include <string.h>

void explore_write_json(Writer *w, const char *id, const char *json)
{
	write_text(w, EXPLORE_JSON, id);
	for (size_t n; *json; json += n + (json[n] == '<')) {
		n = strcspn(json, "<");
		write_text(w, "%.*s%s", (int)n, json, json[n] ? "\\u003c" : "");
	}
	write_line(w, "</script>");
}

static void write_columns(Writer *w)
{
	static const struct {
		const char *id, *title, *more;
	} columns[] = {
	        {"net", ".net", ""},
	        {"ir", "IR", "<select id=\"passname\" aria-label=\"pass\"></select>"},
	        {"code", "code", "<select id=\"codename\" aria-label=\"file\"></select>"},
	        {"asm", "machine", "<select id=\"machinename\" aria-label=\"machine code\"></select>"},
	};
	enum { COLUMNS = sizeof columns / sizeof *columns };
	write_line(w, "<div id=\"tabs\" role=\"tablist\">");
	for (int i = 0; i < COLUMNS; i++)
		write_line(w, "<button role=\"tab\" data-of=\"%s\">%s<span></span></button>", columns[i].id,
		           columns[i].title);
	write_line(w, "</div>\n<div id=\"columns\">");
	for (int i = 0; i < COLUMNS; i++)
		write_line(w,
		           "<div class=\"column\" id=\"%s\"><div class=\"head\"><b>%s</b>%s<input "
		           "type=\"search\" placeholder=\"find\" aria-label=\"find in %s\"></div><div "
		           "class=\"rows\"></div></div>",
		           columns[i].id, columns[i].title, columns[i].more, columns[i].title);
	write_line(w, "</div>");
}

static void write_explorer(Writer *w)
{
	write_line(w, "<div id=\"explorer\">");
	write_line(w, "<div id=\"passes\"><label for=\"passrange\">IR after the pass</label><input "
	              "type=\"range\" id=\"passrange\" min=\"0\" step=\"1\"><label><input type=\"checkbox\" "
	              "id=\"changed\"> only what changed</label><output id=\"passtext\"></output></div>");
	write_columns(w);
	write_line(w,
	           "<div id=\"chosen\"><p id=\"chosentext\"></p><div class=\"scroll\"><table><thead><tr>"
	           "<th>step</th><th class=\"l optional\">computes</th><th class=\"l optional\">of</th>"
	           "<th class=\"optional\">FLOP</th><th "
	           "class=\"optional\">B</th><th>least</th><th>measured</th><th class=\"l\">share</th></tr>"
	           "</thead><tbody id=\"chosenrows\"></tbody></table></div><ul "
	           "id=\"nearly\"></ul></div>\n</div>");
}

/* ---- without scripts */

static void write_steps(Writer *w, Arena *a, const ExploreData *d)
{
	page_section(w, a, "Steps of the training program", "In the order in which they run.");
	write_line(w, "<div class=\"scroll\"><table id=\"steps\"><thead><tr><th>step</th><th "
	              "class=\"l optional\">computes</th><th "
	              "class=\"l\">line</th><th>FLOP</th><th>B</th></tr></thead>"
	              "<tbody>");
	for (int i = 0; i < d->step_count; i++) {
		const StepRow *r = &d->steps[i].row;
		const NetPlace *at = NULL;
		for (int k = 0; k < r->shares.count && !at; k++)
			at = r->shares.at[k].place == NO_PLACE ? NULL
			                                       : &d->places->at.at[r->shares.at[k].place];
		write_line(w,
		           "<tr><td class=\"wraps\">%d %s</td><td class=\"l wraps optional\">%s</td><td "
		           "class=\"l line\">%s"
		           "</td><td>%s</td><td>%s</td></tr>",
		           i + 1, page_text(a, r->name), page_text(a, r->what),
		           at ? page_text(a, arena_printf(a, "%s:%d",
		                                          base_name(d->places->files.at[at->file]->path),
		                                          at->line))
		              : "",
		           r->flops > 0 ? human_count(a, r->flops, "") : "",
		           r->bytes > 0 ? human_count(a, r->bytes, "") : "");
	}
	write_line(w, "</tbody></table></div>");
}

/* By forecast; a profile's times take its place (views.js). */
static void write_advice(Writer *w, Arena *a, const ExploreData *d)
{
	const AdviceList all = advice_of(a, d);
	if (all.count == 0)
		return;
	page_section(w, a, "What would help most",
	             d->of->options->target->gpu
	                     ? "By a forecast, the least time of each step on an H200: measure before you "
	                       "believe it."
	                     : "What it gains a profile says: <code>EXE profile --into PAGE.html</code>.");
	write_line(w, "<div class=\"scroll\"><table id=\"advice\"><thead><tr><th>change</th><th>gain</th><th "
	              "class=\"l\">why</th></tr></thead><tbody>");
	for (int i = 0; i < all.count; i++) {
		const Advice *x = &all.at[i];
		const char *line = x->file ? arena_printf(a, "%s:%d ", x->file, x->line) : "";
		write_line(w,
		           "<tr><td class=\"wraps\">%s<code>%s</code></td><td>%s</td><td class=\"l "
		           "wraps\">%s</td></tr>",
		           page_text(a, line), page_text(a, x->change),
		           x->gain > 0 ? arena_printf(a, "%.1f %%", 100 * x->gain) : "",
		           page_text(a, x->what));
	}
	write_line(w, "</tbody></table></div>");
}

static void write_passes(Writer *w, Arena *a, const Versions *v)
{
	page_section(w, a, "Passes",
	             "Those that changed the training step, with the rules that they applied.");
	write_line(w, "<div class=\"scroll\"><table id=\"passtable\"><thead><tr><th>pass</th><th "
	              "class=\"l\">what it does</th><th>lines</th></tr></thead><tbody>");
	for (int i = 0; i < v->at.count; i++) {
		const IrVersion *version = &v->at.at[i];
		write_text(w, "<tr><td>%s</td><td class=\"l wraps\">%s", version->pass,
		           page_text(a, version->doc));
		for (int k = 0; k < version->rules.count; k++) {
			const IrRule *r = &version->rules.at[k];
			write_text(w, "<br>%s, %d times: <code>%s</code>%s%s", r->name, r->times,
			           page_text(a, r->text), r->why ? ", " : "",
			           r->why ? page_text(a, r->why) : "");
		}
		write_line(w, "</td><td>%d</td></tr>", version->lines.count);
	}
	write_line(w, "</tbody></table></div>");
}

static void write_story(Writer *w, Arena *a, const char *remarks)
{
	if (!remarks || !*remarks)
		return;
	page_section(w, a, "What was fused, and what nearly was", "As -Rfusion says it, layer by layer.");
	write_text(w, "<pre id=\"story\">");
	for (const char *at = remarks; *at; at += strcspn(at, "\n") + (at[strcspn(at, "\n")] == '\n'))
		write_line(w, "%s", page_text(a, arena_strndup(a, at, strcspn(at, "\n"))));
	write_line(w, "</pre>");
}

char *explore_page(Arena *a, const Explored *e)
{
	const ExploreData d = explore_data(a, e);
	const Program *p = e->compiled->train;
	Writer *w = writer_new(a);
	page_begin(w, a, p->graph->name, explore_page_css);
	write_line(w,
	           "<header><p>%s for %s, batch %lld; %d steps; arena %s. A click on a line shows what it is "
	           "in the other columns.</p></header>",
	           page_text(a, base_name(e->compiled->source->path)), e->options->target->name,
	           (long long)p->graph->batch, d.step_count, human_count(a, (double)p->arena_bytes, "B"));
	write_explorer(w);
	write_line(w, "<section class=\"static\">");
	write_advice(w, a, &d);
	write_line(w, "</section>\n<div id=\"views\"></div>");
	write_line(w, NNR_EXPLORE_BEGIN);
	write_line(w, NNR_EXPLORE_END);
	/* With scripts a browser reads no elements here until views.js asks for them, when the page stands. */
	write_line(w, "<noscript id=\"later\"><section class=\"static\">");
	report_memory(w, a, p);
	write_steps(w, a, &d);
	write_passes(w, a, e->versions);
	write_story(w, a, e->compiled->remarks);
	write_line(w, "</section></noscript>");
	explore_write_json(w, EXPLORE_DATA, explore_json_of(a, &d));
	const char *const scripts[] = {explore_page_js, explore_views_js, explore_compare_js};
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
		write_line(w, "<script>\n%s</script>", scripts[i]);
	page_end(w);
	return (char *)writer_text(w, NULL);
}
