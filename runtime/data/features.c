/* SPDX-License-Identifier: MIT */
#include "runtime/data/features.h"
#include "runtime/host/die.h"

#include <stdlib.h>
#include <string.h>

#if defined __x86_64__ || defined __i386__
#include <cpuid.h>
#endif

typedef struct Feature {
	int bit;
	const char *name;
	uint32_t leaf, subleaf;
	char reg; /* a, b, c or d */
	int place;
	uint32_t state; /* of XCR0 */
} Feature;

#define FEATURE(bit, name, macro, leaf, subleaf, reg, place, state) \
	{bit, name, leaf, subleaf, reg, place, state},
static const Feature features[] = {NNR_FEATURE_ROWS(FEATURE){-1, NULL, 0, 0, 0, 0, 0}};

/* Psabi "System V Application Binary Interface, AMD64", table 3.1, without what is of no use to generated code. Each
 * level has those before it. */
static const char *const levels[] = {"", "", " sse3 ssse3 sse4.1 sse4.2 popcnt ",
                                     " avx avx2 bmi bmi2 f16c fma lzcnt movbe ",
                                     " avx512f avx512bw avx512cd avx512dq avx512vl "};
enum { HIGHEST = 4 };

static bool is_of_level(const Feature *f, int level)
{
	char *word = text_printf(" %s ", f->name);
	bool is = strstr(levels[level], word) != NULL;
	free(word);
	return is;
}

int features_level(uint64_t bits)
{
	if (!features[0].name)
		return 0;
	for (int level = 2; level <= HIGHEST; level++)
		for (const Feature *f = features; f->name; f++)
			if (is_of_level(f, level) && !(bits >> f->bit & 1))
				return level - 1;
	return HIGHEST;
}

static char *level_text(int level)
{
	return level > 1 ? text_printf("x86-64-v%d", level) : text_printf("x86-64");
}

char *features_text(uint64_t bits)
{
	int level = features_level(bits);
	char *text = level_text(level);
	for (const Feature *f = features; f->name; f++) {
		bool said = false;
		for (int i = 2; i <= level; i++)
			said = said || is_of_level(f, i);
		if (said || !(bits >> f->bit & 1))
			continue;
		text_append(&text, ", %s", f->name);
	}
	return text;
}

#if defined __x86_64__ || defined __i386__
/* The parts of the registers that the system saves; 0: it does not say. */
static uint32_t saved_state(void)
{
	uint32_t a, b, c, d, low, high;
	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
		return 0;
	__asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low;
}

uint64_t features_of_processor(void)
{
	uint64_t bits = 0;
	uint32_t state = saved_state();
	for (const Feature *f = features; f->name; f++) {
		uint32_t a = 0, b = 0, c = 0, d = 0;
		if (!__get_cpuid_count(f->leaf, f->subleaf, &a, &b, &c, &d))
			continue;
		uint32_t reg = f->reg == 'a' ? a : f->reg == 'b' ? b : f->reg == 'c' ? c : d;
		if (reg >> f->place & 1 && (state & f->state) == f->state)
			bits |= UINT64_C(1) << f->bit;
	}
	return bits;
}
#else
uint64_t features_of_processor(void)
{
	return 0;
}
#endif

void features_check(const NnrModel *model, uint64_t has)
{
	uint64_t missing = model->needs & ~has;
	if (!missing)
		return;
	const char *first = "";
	for (const Feature *f = features; f->name && !*first; f++)
		if (missing >> f->bit & 1)
			first = f->name;
	die_help(STATUS_DEVICE,
	         text_printf("compile it here, or with `nnc --march=%s`", level_text(features_level(has))),
	         "`%s` was compiled for %s, and this processor has no %s", model->name,
	         level_text(features_level(model->needs)), first);
}
