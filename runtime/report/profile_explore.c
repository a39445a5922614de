/* SPDX-License-Identifier: MIT */
/* profile_explore.h. The page has two lines between which a profile belongs (explore_page.h): a table that reads
 * without scripts, and the profile's JSON, of which the page's script takes the figures for its lines. */
#include "runtime/report/profile_explore.h"

#include "runtime/host/die.h"
#include "runtime/report/explore_page.h"
#include "runtime/host/file.h"
#include "runtime/host/json.h"
#include "runtime/host/writer.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 256 << 20 };

ExplorePage explore_page_read(const char *path, const NnrModel *m)
{
	int64_t length;
	const char *why = NULL;
	ExplorePage page = {.path = path, .text = (char *)file_read(path, MOST_BYTES, &length, &why)};
	if (!page.text)
		die(STATUS_USAGE, "`--into %s` can't be read: %s", path, why);
	page.text = reallocate(page.text, length + 1, 1, "the page");
	page.text[length] = '\0';
	char *begin = strstr(page.text, NNR_EXPLORE_BEGIN), *end = strstr(page.text, NNR_EXPLORE_END);
	if (!begin || !end || end < begin)
		die_help(STATUS_USAGE,
		         "`nnc FILE.net --explore=PAGE.html` writes such pages, `--run NAME` such folders",
		         "`--into %s` is no page of --explore, and no folder of a run", path);
	char *program = text_printf(NNR_EXPLORE_PROGRAM "\"%s\"", m->program ? m->program : "");
	if (!m->program || !strstr(page.text, program))
		die_help(STATUS_USAGE,
		         "give nnc the same options for the page as for the trainer, or both at once",
		         "`--into %s` is the page of another program than this trainer's", path);
	free(program);
	page.begin = begin + sizeof NNR_EXPLORE_BEGIN - 1;
	page.end = end;
	return page;
}

/* In the element of a script: no text of a file ends it. */
static void put_json(FILE *to, const Profile *p, const Session *s)
{
	char *json;
	size_t length;
	FILE *f = open_memstream(&json, &length);
	require(f);
	profile_write_json(p, s, f, true);
	require(fclose(f) == 0);
	fputs("<script type=\"application/json\" id=\"measured\">", to);
	for (const char *at = json; *at; at++)
		if (*at == '<')
			fputs("\\u003c", to);
		else
			putc(*at, to);
	fputs("</script>\n", to);
	free(json);
}

void explore_page_write(ExplorePage *page, const Profile *p, const Session *s)
{
	char *text;
	size_t length;
	FILE *to = open_memstream(&text, &length);
	require(to);
	fwrite(page->text, 1, (size_t)(page->begin - page->text), to);
	fputs("\n<section>\n", to);
	profile_write_html(p, s, to);
	fputs("</section>\n", to);
	put_json(to, p, s);
	fputs(page->end, to);
	require(fclose(to) == 0);
	FileWriter *w = file_begin(page->path);
	bool ok = w && file_write(w, text, (int64_t)length);
	if (w && !ok)
		file_abandon(w);
	if (!ok || !file_commit(w))
		die(STATUS_DATA, "the page was not written: %s", file_failure());
	free(text);
	free(page->text);
}
