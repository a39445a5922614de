/* SPDX-License-Identifier: MIT */
/* CHECK(condition) counts and reports; check_skip(what and why) names what could not be looked at;
 * end main with return check_report("name"). */
#ifndef NNC_TESTS_CHECK_H
#define NNC_TESTS_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* A program has one of each, of however many files it is made. */
__attribute__((weak)) int checks_passed, checks_failed, checks_skipped;

static inline bool check_(bool holds, const char *file, int line, const char *text)
{
	if (holds) {
		checks_passed++;
	} else {
		checks_failed++;
		printf("FAIL %s:%d: %s\n", file, line, text);
	}
	return holds;
}

#define CHECK(...)       check_((__VA_ARGS__), __FILE__, __LINE__, #__VA_ARGS__)
#define CHECK_TEXT(a, b) check_text_((a), (b), __FILE__, __LINE__)

static inline void check_text_(const char *got, const char *wanted, const char *file, int line)
{
	if (!check_(got && !strcmp(got, wanted), file, line, "the texts are equal"))
		printf("  got    %s\n  wanted %s\n", got ? got : "(none)", wanted);
}

static inline void check_skip(const char *what)
{
	checks_skipped++;
	printf("skip %s\n", what);
}

/* The exit status of the program; 77 tells Meson that something was skipped. */
static inline int check_report(const char *name)
{
	printf("%s: %d passed, %d failed, %d skipped\n", name, checks_passed, checks_failed, checks_skipped);
	return checks_failed ? 1 : checks_skipped ? 77 : 0;
}

#endif
