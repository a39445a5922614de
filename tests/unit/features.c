/* SPDX-License-Identifier: MIT */
/* Which processors run a trainer: levels, what is said of them, and the refusal where one lacks something. */
#include "runtime/data/features.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#include <stdlib.h>
#include <string.h>

#if defined __x86_64__
enum { SSE3 = 1 << 0, AVX = 1 << 5, AVX2 = 1 << 6 };
static const uint64_t v2 = 0x1f, v3 = 0x1fff, v4 = 0x3ffff;

static int checks(void *context)
{
	const uint64_t *needs_has = context;
	NnrModel m = {.name = "m", .needs = needs_has[0]};
	features_check(&m, needs_has[1]);
	return 0;
}

static bool says(uint64_t bits, const char *wanted)
{
	char *text = features_text(bits);
	bool same = strcmp(text, wanted) == 0;
	free(text);
	return same;
}

static void test_levels(void)
{
	CHECK(features_level(0) == 1 && features_level(SSE3) == 1 && features_level(v2) == 2);
	CHECK(features_level(v3) == 3 && features_level(v3 & ~(uint64_t)AVX2) == 2 &&
	      features_level(v4) == 4);
	CHECK(says(v2, "x86-64-v2"));
	CHECK(says(v2 | AVX, "x86-64-v2, avx"));
	CHECK(says(SSE3, "x86-64, sse3"));
}

static void test_refusal(void)
{
	Ended e = run_child(checks, (uint64_t[]){v3, v2});
	CHECK(e.status == 6 &&
	      strstr(e.said, "`m` was compiled for x86-64-v3, and this processor has no avx\n"));
	CHECK(strstr(e.said, "help: compile it here, or with `nnc --march=x86-64-v2`"));
	e = run_child(checks, (uint64_t[]){v2, v4});
	CHECK(e.status == 0 && !*e.said);
}

/* This test is compiled for any processor, so this one has what it states; and whatever the compiler finds out. */
static void test_this_processor(void)
{
	uint64_t has = features_of_processor();
	CHECK((NNR_FEATURES & ~has) == 0);
	CHECK(!(has >> 6 & 1) == !__builtin_cpu_supports("avx2"));
	CHECK(!(has >> 13 & 1) == !__builtin_cpu_supports("avx512f"));
	CHECK(!(has >> 3 & 1) == !__builtin_cpu_supports("sse4.2"));
}

int main(void)
{
	test_levels();
	test_refusal();
	test_this_processor();
	return check_report("unit, features");
}
#else
int main(void)
{
	CHECK(features_of_processor() == 0 && features_level(0) == 0);
	return check_report("unit, features");
}
#endif
