/* SPDX-License-Identifier: MIT */
/* Which calls of a list become blocks (base/repeats.c): a letter for each call, and the block of the network that it
 * is of below it. Then how what differs between the repeats is written (emit/columns.c). */
#include "emit/columns.h"
#include "base/repeats.h"
#include "tests/unit/check.h"
#include <stdlib.h>
#include <string.h>

/* "2+3*4:0/1": 4 repeats of 3 calls from the third on, block 0, from its second repeat on. */
static char *runs_text(Arena *a, Runs runs)
{
	char *text = arena_strdup(a, "");
	for (int i = 0; i < runs.count; i++) {
		const Run *r = &runs.at[i];
		text = arena_printf(a, "%s%s%d+%d*%d:%d/%d", text, i ? " " : "", r->first, r->length,
		                    r->times, r->block, r->number);
	}
	return text;
}

/* scopes: a letter for each call, "-": none; NULL: of all none. */
static char *found(Arena *a, const char *symbols, const char *scopes)
{
	int count = (int)strlen(symbols);
	RepeatCall *calls = NEW_ARRAY(a, RepeatCall, count);
	for (int i = 0; i < count; i++) {
		bool scoped = scopes && scopes[i] != '-';
		calls[i] = (RepeatCall){symbols[i], scoped ? arena_printf(a, "%c.inner", scopes[i]) : ""};
	}
	return runs_text(a, find_repeats(a, calls, count));
}

static void test_examples(void)
{
	static const struct {
		const char *symbols, *scopes, *runs;
	} examples[] = {
	        {"", NULL, ""},
	        {"abcdefgh", NULL, ""},
	        {"abab", NULL, ""},                 /* two calls are not worth a function */
	        {"xabcabcabcy", NULL, "1+3*3:0/0"}, /* calls that follow themselves */
	        {"aaaaaaa", NULL, "0+1*7:0/0"},     /* the shortest block */
	        {"xabcdyabcdz", "-1111-2222-", ""}, /* apart, it saves four calls */
	        {"xabcdeyabcdez", "-11111-22222-", "1+5*1:0/0 7+5*1:0/1"},
	        {"xabcdeyabcdez", NULL, ""}, /* nothing says where it begins */
	        /* The first of each stage is another block, except for its beginning. */
	        {"xabcdeabcabcabcabcdeabcabcabcy", "-1111122233344455555666777888-",
	         "1+5*1:0/0 6+3*3:1/0 15+5*1:0/1 20+3*3:1/3"},
	        /* It begins where a block of the network does, though one call earlier it would repeat as well. */
	        {"xbabababababay", "--11223344556-", "2+2*5:0/0"},
	        /* Blocks that the compiler has woven into one another still follow themselves. */
	        {"abcdefabcdefabcdefx", "111121222232333343-", "0+6*3:0/0"},
	};
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		Arena *a = arena_new();
		CHECK_TEXT(found(a, examples[i].symbols, examples[i].scopes), examples[i].runs);
		arena_free(a);
	}
}

/* Runs are apart and in order, the repeats of a block are alike, and numbered one after the other. */
static void check_runs(Arena *a, const RepeatCall *calls, int count)
{
	Runs runs = find_repeats(a, calls, count);
	int *numbers = NEW_ARRAY(a, int, runs.block_count), *firsts = NEW_ARRAY(a, int, runs.block_count),
	    *lengths = NEW_ARRAY(a, int, runs.block_count), end = 0;
	for (int i = 0; i < runs.count; i++) {
		const Run *r = &runs.at[i];
		CHECK(r->first >= end && r->times >= 1 && r->length >= 1 && r->block < runs.block_count);
		CHECK(r->number == numbers[r->block]);
		if (r->number == 0) {
			firsts[r->block] = r->first;
			lengths[r->block] = r->length;
		}
		CHECK(r->length == lengths[r->block]);
		for (int k = 0; k < r->length * r->times; k++)
			CHECK(calls[r->first + k].symbol == calls[firsts[r->block] + k % r->length].symbol);
		numbers[r->block] += r->times;
		end = r->first + r->length * r->times;
	}
	CHECK(end <= count);
	for (int k = 0; k < runs.block_count; k++)
		CHECK(numbers[k] >= 2);
}

static void test_random(void)
{
	unsigned seed = 1;
	for (int round = 0; round < 2000; round++) {
		Arena *a = arena_new();
		int count = (int)(seed % 120), letters = 1 + round % 4;
		RepeatCall *calls = NEW_ARRAY(a, RepeatCall, count);
		for (int i = 0, scope = 0; i < count; i++) {
			seed = seed * 1664525u + 1013904223u;
			bool copies = i > 9 && seed >> 30;
			calls[i].symbol = copies ? calls[i - 9].symbol : (int)(seed >> 20) % letters;
			scope += (seed >> 8) % 5 == 0;
			calls[i].scope = scope % 3 ? arena_printf(a, "b%d.c%d", scope / 4, scope) : "";
		}
		check_runs(a, calls, count);
		arena_free(a);
	}
}

/* In time that goes with its length: a minute would be long. */
static void test_long(void)
{
	enum { COUNT = 300000 };
	for (int period = 1; period < 100; period += 47) {
		Arena *a = arena_new();
		RepeatCall *calls = NEW_ARRAY(a, RepeatCall, COUNT);
		for (int i = 0; i < COUNT; i++)
			calls[i] = (RepeatCall){i % period, ""};
		CHECK_TEXT(runs_text(a, find_repeats(a, calls, COUNT)),
		           arena_printf(a, "0+%d*%d:0/0", period, COUNT / period));
		arena_free(a);
	}
}

static const char *number(Columns *c, const char *type, int64_t first, int64_t second, int64_t third)
{
	return columns_number(c, "x", type, (const int64_t[]){first, second, third});
}

static void test_columns(void)
{
	Arena *a = arena_new();
	static const char *const some[] = {"&p", "&q", "&p"}, *const others[] = {"&p", "&q", "&q"};
	Columns *c = columns_new(a, 3), *pair = columns_new(a, 2);
	CHECK_TEXT(number(c, "size_t", 64, 64, 64), "64");
	CHECK_TEXT(number(c, "size_t", 64, 96, 128), "64 + i * 32");
	CHECK_TEXT(number(c, "size_t", 64, 63, 62), "64 - i");
	CHECK_TEXT(number(c, "size_t", 0, 8, 16), "i * 8");
	CHECK_TEXT(number(c, "size_t", 0, -8, -16), "0 - i * 8");
	CHECK(columns_count(c) == 0);
	CHECK_TEXT(number(c, "size_t", 10, 20, 70), "at->x");
	CHECK_TEXT(number(c, "size_t", 10, 20, 70), "at->x");
	CHECK_TEXT(number(c, "size_t", 15, 25, 75), "at->x + 5");
	CHECK_TEXT(number(c, "size_t", 5, 15, 65), "at->x - 5");
	CHECK_TEXT(number(c, "int64_t", 10, 20, 70), "at->x_2"); /* another type */
	CHECK_TEXT(columns_text(c, "plan", "NnrPlan **", (const char *const[]){"&p", "&p", "&p"}), "&p");
	CHECK_TEXT(columns_text(c, "plan", "NnrPlan **", some), "at->plan");
	CHECK_TEXT(columns_text(c, "plan", "NnrPlan **", others), "at->plan_2");
	Writer *w = writer_new(a);
	columns_write(c, w, "layer", "layer_at", (const char *const[]){"l", "l_2", ""});
	CHECK_TEXT(writer_text(w, NULL), "struct layer {\n"
	                                 "\tsize_t x;\n"
	                                 "\tint64_t x_2;\n"
	                                 "\tNnrPlan **plan, **plan_2;\n"
	                                 "};\n"
	                                 "static const struct layer layer_at[3] = {\n"
	                                 "\t/* l */ {10, 10, &p, &p},\n"
	                                 "\t/* l_2 */ {20, 20, &q, &q},\n"
	                                 "\t{70, 70, &p, &q},\n"
	                                 "};\n");
	/* Two numbers always grow by the same step: of an address that is short, of a size it would say nothing. */
	CHECK_TEXT(columns_number(pair, "to", "size_t", (const int64_t[]){64, 256}), "64 + i * 192");
	CHECK_TEXT(columns_number(pair, "n", "int64_t", (const int64_t[]){64, 256}), "at->n");
	/* A distance is in one memory: parameters and states lie as they please. */
	Columns *memories = columns_new(a, 3);
	const int64_t offsets[] = {64, 128, 1024}, later[] = {96, 160, 1056};
	CHECK_TEXT(columns_offset(memories, "weight", "params", offsets), "at->weight");
	CHECK_TEXT(columns_offset(memories, "bias", "params", later), "at->weight + 32");
	CHECK_TEXT(columns_offset(memories, "mean", "state", later), "at->mean");
	arena_free(a);
}

static void test_many(void)
{
	enum { COUNT = 9 };
	Arena *a = arena_new();
	Columns *c = columns_new(a, COUNT);
	int64_t turns[COUNT];
	const char *first[COUNT];
	for (int i = 0; i < COUNT; i++) {
		turns[i] = i % 2 ? 64 : 192;
		first[i] = i == 0 ? "&p" : "&q";
	}
	CHECK_TEXT(columns_number(c, "x", "size_t", turns), "192 - i % 2 * 128");
	CHECK_TEXT(columns_number(c, "x", "size_t", (const int64_t[]){7, 40, 50, 60, 70, 80, 90, 100, 110}),
	           "(i == 0 ? 7 : 30 + i * 10)");
	CHECK(columns_count(c) == 0);
	CHECK_TEXT(columns_text(c, "plan", "NnrPlan **", first), "at->plan");
	arena_free(a);
}

int main(void)
{
	test_many();
	test_columns();
	test_examples();
	test_random();
	test_long();
	return check_report("repeats");
}
