/* SPDX-License-Identifier: MIT */
/* Runs inputs that are kept through their harnesses, once each:
 *
 *     replay [HARNESS] FILE ...
 *
 * A FILE that is called NAME.txt and stands without a HARNESS holds inputs of the harness NAME: one a line, in which
 * \xHH is a byte, \n a newline and \\ a backslash. With a HARNESS each FILE is one input. */
#include "tests/fuzz/fuzz.h"
#include "tests/unit/check.h"

#include <stdlib.h>
#include <unistd.h>

static uint8_t *read_file(const char *path, size_t *length)
{
	FILE *f = fopen(path, "rb");
	long size = -1;
	if (!f || fseek(f, 0, SEEK_END) < 0 || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET) < 0) {
		fprintf(stderr, "replay: can't read %s\n", path);
		exit(2);
	}
	uint8_t *bytes = malloc((size_t)size + 1);
	*length = bytes ? fread(bytes, 1, (size_t)size, f) : 0;
	fclose(f);
	return bytes;
}

/* A copy of its own length, so that a sanitizer sees a read past its end. */
static void run_input(const Harness *h, const uint8_t *bytes, size_t length)
{
	uint8_t *copy = malloc(length ? length : 1);
	if (!copy)
		exit(2);
	memcpy(copy, bytes, length);
	harness_run(h, copy, length);
	free(copy);
	checks_passed++;
}

static unsigned digit(uint8_t c)
{
	return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* In place; returns the length of what the line stands for. */
static size_t unescape(uint8_t *line, size_t length)
{
	size_t n = 0;
	for (size_t i = 0; i < length; i++) {
		if (line[i] != '\\') {
			line[n++] = line[i];
		} else if (line[++i] == 'x') {
			line[n++] = (uint8_t)(digit(line[i + 1]) << 4 | digit(line[i + 2]));
			i += 2;
		} else {
			line[n++] = line[i] == 'n' ? '\n' : line[i];
		}
	}
	return n;
}

static void run_lines(const char *path)
{
	const char *slash = strrchr(path, '/'), *begin = slash ? slash + 1 : path;
	char name[64];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(begin, "."), begin);
	const Harness *h = harness_find(name);
	size_t length;
	uint8_t *text = read_file(path, &length), *end = text + length;
	if (!CHECK(h && length > 0))
		return;
	for (uint8_t *line = text, *stop; line < end; line = stop + 1) {
		stop = memchr(line, '\n', (size_t)(end - line));
		stop = stop ? stop : end;
		run_input(h, line, unescape(line, (size_t)(stop - line)));
	}
	free(text);
}

int main(int argc, char **argv)
{
	const Harness *h = argc > 1 ? harness_find(argv[1]) : NULL;
	FILE *report = fdopen(dup(STDOUT_FILENO), "w");
	if (!report || !freopen("/dev/null", "w", stdout))
		return 2;
	for (int i = h ? 2 : 1; i < argc; i++) {
		size_t length;
		uint8_t *bytes = h ? read_file(argv[i], &length) : NULL;
		if (h)
			run_input(h, bytes, length);
		else
			run_lines(argv[i]);
		free(bytes);
	}
	fprintf(report, "unit, fuzz%s%s: %d passed, %d failed, 0 skipped\n", h ? " " : "", h ? h->name : "",
	        checks_passed, checks_failed);
	return fclose(report) != 0 || checks_failed != 0;
}
