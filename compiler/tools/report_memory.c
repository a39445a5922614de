/* SPDX-License-Identifier: MIT */
/* The arena of a training step: a rectangle for each tensor, from the step that writes it to the last that reads it,
 * and what is in it when most is. report.h. */
#include "tools/page.h"
#include "tools/report.h"

#include <math.h>
#include <stdlib.h>

enum { WIDTH = 480, HEIGHT = 250, LEFT = 56, TOP = 16, BOTTOM = 24, MOST_TENSORS = 4000, MOST_ROWS = 16 };

static bool buffer_lives(const Program *p, const Buffer *b, int step)
{
	return b->first <= step && (step <= b->last || b->to_end);
}

static int largest_first(const void *x, const void *y)
{
	const Buffer *a = *(const Buffer *const *)x, *b = *(const Buffer *const *)y;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	return a->id - b->id;
}

const Buffer **arena_buffers(Arena *a, const Program *p, int *count)
{
	const Buffer **found = NEW_ARRAY(a, const Buffer *, p->buffer_count);
	*count = 0;
	for (int i = 0; i < p->buffer_count && !p->onchip; i++) {
		const Buffer *b = p->buffers[i];
		if (!b->inside && b->bytes > 0 && b->last >= b->first && buffer_in_arena(b))
			found[(*count)++] = b;
	}
	if (*count > 0)
		qsort(found, (size_t)*count, sizeof *found, largest_first);
	return found;
}

static const int color[] = {
        [BUFFER_ACTIVATION] = 1, [BUFFER_GRADIENT] = 2, [BUFFER_OUTPUT] = 3, [BUFFER_WORKSPACE] = 5};

static int last_step(const Program *p, const Buffer *b)
{
	return b->to_end ? p->step_count - 1 : b->last;
}

static void write_lifetimes(Writer *w, Arena *a, const Program *p, const Buffer **buffers, int count)
{
	const double wide = (double)(WIDTH - LEFT) / p->step_count,
	             high = (double)(HEIGHT - TOP - BOTTOM) / (double)p->arena_bytes;
	write_line(w,
	           "<svg id=\"memory\" viewBox=\"0 0 %d %d\" width=\"%d\" role=\"img\" "
	           "aria-label=\"tensors of the arena over the steps\">",
	           WIDTH, HEIGHT, 2 * WIDTH);
	for (int i = 0; i < count && i < MOST_TENSORS; i++) {
		const Buffer *b = buffers[i];
		const int last = last_step(p, b);
		write_line(w,
		           "<rect class=\"f%d\" data-step=\"%d\" opacity=\".75\" x=\"%.2f\" y=\"%.2f\" "
		           "width=\"%.2f\" height=\"%.2f\"><title>%s, %s: steps %d to %d</title></rect>",
		           color[b->class], b->first, LEFT + b->first * wide,
		           HEIGHT - BOTTOM - (double)(b->offset + b->bytes) * high,
		           fmax((last - b->first + 1) * wide - 0.15, 0.2),
		           fmax((double)b->bytes * high - 0.15, 0.2), page_text(a, b->name),
		           human_count(a, (double)b->bytes, "B"), b->first + 1, last + 1);
	}
	for (int i = 0; i <= 4; i++)
		write_line(w, "<text class=\"m\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>", LEFT - 5,
		           TOP + (HEIGHT - TOP - BOTTOM) * (4 - i) / 4.0 + 4,
		           human_count(a, (double)p->arena_bytes * i / 4, "B"));
	const double peak = LEFT + (p->peak_step + 0.5) * wide;
	const bool at_right = peak > WIDTH * 0.75;
	write_line(w, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>", LEFT, TOP, HEIGHT - BOTTOM, WIDTH);
	write_line(w, "<path class=\"s2\" stroke-dasharray=\"3 2\" d=\"M%.1f %dV%d\"/>", peak, TOP - 4,
	           HEIGHT - BOTTOM);
	write_line(w, "<text x=\"%.1f\" y=\"11\" text-anchor=\"%s\">peak, step %d</text>",
	           peak + (at_right ? -3 : 3), at_right ? "end" : "start", p->peak_step + 1);
	write_line(w, "<text class=\"m\" x=\"%d\" y=\"%d\">step 1</text>", LEFT, HEIGHT - 8);
	write_line(w, "<text class=\"m\" x=\"%d\" y=\"%d\" text-anchor=\"end\">step %d</text></svg>",
	           WIDTH - 2, HEIGHT - 8, p->step_count);
}

static void write_row(Writer *w, const char *name, double bytes, double all, const char *lives,
                      const char *line, Arena *a)
{
	write_line(w,
	           "<tr><td class=\"wraps\">%s</td><td>%s</td><td class=\"optional\">%.1f "
	           "%%</td><td>%s</td><td class=\"l line\">%s</td>"
	           "</tr>",
	           name, human_count(a, bytes, "B"), 100 * bytes / all, lives, line);
}

/* What lives at the peak, the largest first; the rest in one row. */
static void write_peak(Writer *w, Arena *a, const Program *p, const Buffer **buffers, int count)
{
	double all = 0, rest = 0;
	int shown = 0, left = 0;
	for (int i = 0; i < count; i++)
		all += buffer_lives(p, buffers[i], p->peak_step) ? (double)buffers[i]->bytes : 0;
	write_line(w, "<h3>In the arena at its peak, step %d: %s</h3>", p->peak_step + 1,
	           human_count(a, all, "B"));
	write_line(
	        w,
	        "<div class=\"scroll\"><table id=\"peak\"><thead><tr><th>tensor</th><th>bytes</th><th "
	        "class=\"optional\">share</th><th>steps</th><th class=\"l\">line</th></tr></thead><tbody>");
	for (int i = 0; i < count; i++) {
		const Buffer *b = buffers[i];
		if (!buffer_lives(p, b, p->peak_step))
			continue;
		if (shown++ >= MOST_ROWS) {
			rest += (double)b->bytes;
			left++;
			continue;
		}
		write_row(w, page_text(a, b->name), (double)b->bytes, all,
		          arena_printf(a, "%d-%d", b->first + 1, last_step(p, b) + 1),
		          b->node ? page_text(a, sites_text(a, b->node->sites, 2)) : "", a);
	}
	if (left > 0)
		write_row(w, arena_printf(a, "%d more", left), rest, all, "", "", a);
	write_line(w, "</tbody></table></div>");
}

void report_memory(Writer *w, Arena *a, const Program *p)
{
	page_section(
	        w, a, "Memory of a training step",
	        arena_printf(
	                a,
	                "%s of parameters, %s of states, %s of inputs, and an arena of %s (no plan can have "
	                "less than %s). Below is the arena: each tensor from the step that writes it to the "
	                "last that reads it, at its place.",
	                human_count(a, (double)p->param_bytes, "B"),
	                human_count(a, (double)p->state_bytes, "B"),
	                human_count(a, (double)p->input_bytes, "B"),
	                human_count(a, (double)p->arena_bytes, "B"),
	                human_count(a, (double)p->lower_bound, "B")));
	if (p->step_count == 0 || p->arena_bytes == 0 || p->onchip) {
		write_line(w, "<p>A step of this network is computed on chip: there is no plan over its "
		              "steps.</p>");
		return;
	}
	int count;
	const Buffer **buffers = arena_buffers(a, p, &count);
	write_line(w, "<div class=\"key\"><i class=\"k1\"></i>activations<i class=\"k2\"></i>gradients"
	              "<i class=\"k3\"></i>results<i class=\"k5\"></i>workspace</div>");
	write_lifetimes(w, a, p, buffers, count);
	write_peak(w, a, p, buffers, count);
}
