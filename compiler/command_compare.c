/* SPDX-License-Identifier: MIT */
/* nnc compare: two pages of --explore as one, the second with what is on the first. What differs is computed
 * here and shown by the page's script (explore/compare.js). Two runs of one build are two copies of its page, each
 * with a profile of its own. */
#include "base/writer.h"
#include "command.h"
#include "driver/outputs.h"
#include "explore/explore.h"

#include <string.h>

/* What stands in the element of that script; NULL: there is none. */
static const char *json_of(Arena *a, const char *page, const char *id)
{
	const char *begin = strstr(page, arena_printf(a, EXPLORE_JSON, id));
	const char *end = begin ? strstr(begin, "</script>") : NULL;
	if (!end)
		return NULL;
	begin = strchr(begin, '>') + 1;
	return arena_strndup(a, begin, (size_t)(end - begin));
}

static const char *read_page(Arena *a, const char *path)
{
	const char *page = read_text(a, path, "a page of --explore");
	if (!json_of(a, page, EXPLORE_DATA))
		fail(EXIT_USAGE, "`%s` is no page of `nnc FILE.net --explore=PAGE.html`", printable(a, path));
	if (json_of(a, page, EXPLORE_BEFORE))
		fail(EXIT_USAGE, "`%s` is a comparison; compare the pages that it was made of",
		     printable(a, path));
	return page;
}

int command_compare(Arena *a, const Options *o)
{
	if (o->files.count != 2 || !o->output)
		fail(EXIT_USAGE, "nnc compare BEFORE.html AFTER.html -o FILE.html takes two pages of "
		                 "--explore; FILE.json: what "
		                 "differs, and all of both");
	SourceList sources = {0};
	OutputFiles outputs = {0};
	const char *pages[2];
	for (int i = 0; i < 2; i++) {
		pages[i] = read_page(a, o->files.at[i]);
		Source *s = NEW(a, Source);
		*s = (Source){.path = o->files.at[i], .text = pages[i]};
		array_push(a, &sources, s);
	}
	array_push(a, &outputs, (OutputFile){"the page", o->output, false});
	outputs_check(a, &outputs, &sources);
	const char *data[2], *measured[2];
	for (int i = 0; i < 2; i++) {
		data[i] = json_of(a, pages[i], EXPLORE_DATA);
		measured[i] = json_of(a, pages[i], EXPLORE_MEASURED);
	}
	const char *compared = compare_json(a, data, measured);
	if (!compared)
		fail(EXIT_USAGE, "one of the two pages is damaged: what stands in it is no JSON");
	Writer *w = writer_new(a);
	if (is_json(o->output)) {
		write_text(w,
		           "%.*s,\n\"before\":{\"data\":%s,\"measured\":%s},\n\"after\":{\"data\":%s,"
		           "\"measured\":%s}}\n",
		           (int)(strlen(compared) - strlen("}\n")), compared, data[0],
		           measured[0] ? measured[0] : "null", data[1], measured[1] ? measured[1] : "null");
		write_output(a, o->output, writer_text(w, NULL));
		return EXIT_OK;
	}
	const char *here = strstr(pages[1], arena_printf(a, EXPLORE_JSON, EXPLORE_DATA));
	write_text(w, "%.*s", (int)(here - pages[1]), pages[1]);
	explore_write_json(w, EXPLORE_BEFORE, data[0]);
	if (measured[0])
		explore_write_json(w, EXPLORE_MEASURED "-" EXPLORE_BEFORE, measured[0]);
	explore_write_json(w, EXPLORE_COMPARED, compared);
	write_text(w, "%s", here);
	write_output(a, o->output, writer_text(w, NULL));
	return EXIT_OK;
}
