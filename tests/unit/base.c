/* SPDX-License-Identifier: MIT */
/* compiler/base, and what targets know of architectures: the parts with rules of their own. */
#include "base/array.h"
#include "base/checked.h"
#include "base/format.h"
#include "base/json.h"
#include "base/map.h"
#include "base/nearest.h"
#include "base/source.h"
#include "base/writer.h"
#include "ir/type.h"
#include "target/target.h"
#include "front/signature.h"
#include "base/utf8.h"
#include "tests/unit/check.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

static void test_checked(void)
{
	int64_t r = 7;
	CHECK(checked_add(INT64_MAX - 1, 1, &r) && r == INT64_MAX);
	CHECK(!checked_add(INT64_MAX, 1, &r) && r == INT64_MAX);
	CHECK(!checked_mul(INT64_C(1) << 32, INT64_C(1) << 31, &r));
	CHECK(!checked_sub(INT64_MIN, 1, &r));
	CHECK(checked_round_up(65, 64, &r) && r == 128);
	CHECK(checked_round_up(64, 64, &r) && r == 64);
	CHECK(!checked_round_up(INT64_MAX, 64, &r));
}

static void test_types(void)
{
	Type t;
	CHECK(type_make(DTYPE_F32, 0, NULL, &t) && type_elements(t) == 1);
	CHECK(!type_make(DTYPE_F32, 1, (int64_t[]){0}, &t));
	CHECK(!type_make(DTYPE_F32, 1, (int64_t[]){-1}, &t));
	CHECK(!type_make(DTYPE_F32, 9, (int64_t[]){1, 1, 1, 1, 1, 1, 1, 1, 1}, &t));
	CHECK(type_make(DTYPE_U8, 1, (int64_t[]){SIZE_LIMIT}, &t));
	CHECK(!type_make(DTYPE_U8, 1, (int64_t[]){SIZE_LIMIT + 1}, &t));
	CHECK(!type_make(DTYPE_F32, 1, (int64_t[]){SIZE_LIMIT / 2}, &t));
	CHECK(!type_make(DTYPE_U8, 4, (int64_t[]){1 << 16, 1 << 16, 1 << 16, 1 << 16}, &t));
	Type a, b;
	type_make(DTYPE_F32, 3, (int64_t[]){2, 1, 5}, &a);
	type_make(DTYPE_F32, 2, (int64_t[]){3, 1}, &b);
	CHECK(type_broadcast(a, b, &t) && t.rank == 3 && t.dim[0] == 2 && t.dim[1] == 3 && t.dim[2] == 5);
	type_make(DTYPE_F32, 1, (int64_t[]){4}, &b);
	CHECK(!type_broadcast(a, b, &t));
}

/* What is no JSON is refused before anything is read from it. */
static void test_json(Arena *a)
{
	static const char *const bad[] = {"\"\\u\\u\\u\\u\\u\\u\"",
	                                  "\"\\u12g4\"",
	                                  "\"\\u123\"",
	                                  "\"\\q\"",
	                                  "\"\\",
	                                  "1e",
	                                  "-",
	                                  "01",
	                                  "1.",
	                                  "1.e3",
	                                  "+1",
	                                  "1-2",
	                                  "1e+"};
	static const char *const good[] = {"0", "-0.5e+3", "10", "1E9", "\"\\u00e9\\n\\\"\\/\""};
	const char *why = NULL;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(!json_parse(a, bad[i], strlen(bad[i]), &why) && why);
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		CHECK(json_parse(a, good[i], strlen(good[i]), &why));
	const char *text = "\"\\u00e9\\ud83d\\ude00\\ud800\"";
	CHECK_TEXT(json_string_at(a, json_parse(a, text, strlen(text), &why), 0), "\u00e9\U0001F600\uFFFD");
	enum { VALUES = 200000 }; /* as a profile of some thousand steps has */
	char *list = arena_alloc(a, 2 * VALUES + 2);
	for (int i = 0; i < VALUES; i++)
		memcpy(list + 2 * i, i ? ",1" : "[1", 2);
	memcpy(list + 2 * VALUES, "]", 2);
	CHECK(json_parse(a, list, strlen(list), &why));
}

static void test_map(Arena *a)
{
	Map *m = map_new(a);
	char key[16];
	for (int i = 0; i < 1000; i++) {
		snprintf(key, sizeof key, "k%d", i);
		map_set(m, key, (void *)(intptr_t)(i + 1));
	}
	map_set(m, "k500", (void *)(intptr_t)-1);
	CHECK(map_count(m) == 1000);
	CHECK((intptr_t)map_get(m, "k999") == 1000 && (intptr_t)map_get(m, "k500") == -1);
	CHECK(!map_get(m, "k1000"));
	CHECK_TEXT(map_key(m, 500), "k500");
	static const char *const words[] = {"relu", "gelu", "softmax", "batchnorm"};
	CHECK_TEXT(nearest_word("rellu", words, 4), "relu");
	CHECK_TEXT(nearest_word("batch_norm", words, 4), "batchnorm");
	CHECK(!nearest_word("convolution", words, 4));
	CHECK(!nearest_word("x", words, 4));
}

static void test_source(Arena *a)
{
	const char *why;
	Source *s = source_from_text(a, "a.net", "one\ntwo\n\nfour", 13, &why);
	int line, column;
	loc_position((Loc){s, 5, 6}, &line, &column);
	CHECK(line == 2 && column == 2);
	CHECK(loc_line((Loc){s, 9, 10}) == 4 && loc_line(loc_none()) == 0);
	Loc both = loc_join((Loc){s, 4, 5}, (Loc){s, 0, 2});
	CHECK(both.start == 0 && both.end == 5);
	CHECK(!source_from_text(a, "nul", "a\0b", 3, &why) && why);
	CHECK(!source_read(a, "/nonexistent/file.net", &why) && why);
	Site sites[3] = {{.loc = {s, 4, 7}, .scope = ""},
	                 {.loc = {s, 0, 3}, .scope = ""},
	                 {.loc = {s, 9, 12}, .scope = ""}};
	Sites set = sites_union(a, sites_one(a, &sites[0]), sites_one(a, &sites[1]));
	set = sites_union(a, set, sites_one(a, &sites[0]));
	CHECK(set.count == 2);
	CHECK_TEXT(sites_text(a, set, 4), "a.net:1,2");
	CHECK_TEXT(sites_text(a, sites_union(a, set, sites_one(a, &sites[2])), 2), "a.net:1,2,...");
}

static void test_writer(Arena *a)
{
	CHECK_TEXT(c_string(a, "a\"b\\c\n?%"), "\"a\\042b\\134c\\012\\077%\"");
	CHECK_TEXT(c_string(a, "Az09_ .,:/+=()-[]{}<>*&;#'`~\t\x7f\xc3"),
	           "\"Az09_ .,:/+=()-[]{}<>*&;#'`~\\011\\177\\303\"");
	CHECK_TEXT(c_identifier(a, "layer1.0.conv"), "layer1_0_conv");
	CHECK(strcmp(c_identifier(a, "int"), "int") != 0 &&
	      strcmp(c_identifier(a, "__global__"), "__global__") != 0);
	CHECK(c_identifier(a, "1x")[0] != '1' && c_identifier(a, "")[0]);
	CHECK_TEXT(c_identifier(a, "M_PI"), "M_PI_");
	CHECK_TEXT(c_identifier(a, "M_PI_"), "M_PI_");
	CHECK_TEXT(c_identifier(a, "nnr_step"), "nnr_step_");
	CHECK_TEXT(c_identifier(a, "int8_t"), "int8_t_");
	CHECK_TEXT(c_identifier(a, "sinf"), "sinf_");
	CHECK_TEXT(c_identifier(a, "f"), "f");
	CHECK_TEXT(c_identifier(a, "logits"), "logits");
	CHECK_TEXT(c_identifier_numbered(a, "M_PI", 2), "M_PI_2_");
	CHECK_TEXT(c_identifier_numbered(a, "exp", 2), "exp_2");
	CHECK_TEXT(c_identifier_numbered(a, "exp_", 2), "exp_2_");
	Writer *w = writer_new(a);
	write_line(w, "a {");
	write_indent(w, 1);
	write_text(w, "b;");
	write_comment(w, 20, "why");
	write_text(w, "\n");
	write_indent(w, -1);
	write_line(w, "}");
	size_t length;
	CHECK_TEXT(writer_text(w, &length), "a {\n\tb;          // why\n}\n");
	CHECK_TEXT(human_count(a, 1234567, ""), "1.2 M");
}

/* Kernels for several architectures are cut for the least of them. */
static void test_architectures(void)
{
	Target t = target_cuda;
	t.archs = "sm_90a,sm_120,sm_100";
	Arch a = target_arch(&t);
	CHECK(a.number == 90 && a.multiprocessors == 132 && a.shared_bytes == 101376 &&
	      target_has_clusters(&t));
	t.archs = "sm_100,sm_80";
	a = target_arch(&t);
	CHECK(a.number == 80 && a.multiprocessors == 108 && a.shared_bytes == 166912 &&
	      !target_has_clusters(&t));
	t.archs = "sm_88"; /* in no table */
	CHECK(target_arch(&t).number == 88 && target_arch(&t).shared_bytes == 48 << 10);
	CHECK(!target_has_clusters(&target_cpu) && !target_has_clusters(&target_block));
}

/* Where an int will do, but no int is wanted, a default written as one is a real. */
static void test_defaults(Arena *a)
{
	const Signature *s =
	        signature_parse(a, "operator", "f",
	                        "x, rate: real = 0, n: int = 2, m: int|real = 3, w: real|mean = mean", false);
	CHECK(s->count == 5 && !s->params[0].has_default);
	CHECK(s->params[1].fallback.kind == VALUE_REAL && value_to_real(s->params[1].fallback) == 0);
	CHECK(s->params[2].fallback.kind == VALUE_INT && s->params[3].fallback.kind == VALUE_INT);
	CHECK(s->params[4].fallback.kind == VALUE_WORD);
}

/* Every character comes back, and neither a part of it nor a surrogate does. */
static void test_utf8(void)
{
	char text[UTF8_MOST + 1];
	int wrong = 0;
	for (uint32_t code = 0; code < 0x110000; code++) {
		uint32_t back = 0;
		int bytes = utf8_encode(code, text), read = utf8_decode(text, bytes, &back);
		bool surrogate = code >= 0xd800 && code < 0xe000;
		wrong += surrogate ? read != 0 : read != bytes || back != code;
		wrong += utf8_decode(text, bytes - 1, &back) != 0;
		text[bytes - 1] = 0;
		wrong += bytes > 1 && utf8_decode(text, UTF8_MOST, &back) != 0;
	}
	CHECK(wrong == 0);
	static const char *const none[] = {"\x80",
	                                   "\xc1\xbf",
	                                   "\xe0\x9f\xbf",
	                                   "\xf0\x8f\xbf\xbf",
	                                   "\xf4\x90\x80\x80",
	                                   "\xf8\x88\x80\x80\x80",
	                                   "\xc3(",
	                                   "\xff"};
	for (size_t i = 0; i < sizeof none / sizeof *none; i++)
		CHECK(utf8_decode(none[i], UTF8_MOST, &(uint32_t){0}) == 0);
}

/* A format's text, with less and less room for it, is vsnprintf's. */
static void check_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void check_format(const char *format, ...)
{
	for (size_t room = 0; room <= 64; room++) {
		char wanted[64] = "as it was", text[64] = "as it was";
		va_list args;
		va_start(args, format);
		const int length = vsnprintf(wanted, room, format, args);
		va_end(args);
		va_start(args, format);
		CHECK(format_text(text, room, format, args) == length && strcmp(text, wanted) == 0);
		va_end(args);
	}
}

static void test_format(void)
{
	check_format("nothing");
	check_format("%s[%d * %lld + %c]%%", "x", -3, 1LL << 40, 'u');
	check_format("%lld, %lld and %d", LLONG_MIN, LLONG_MAX, INT_MIN);
	check_format("<%.*s|%.*s>", 3, "three", 9, "three");
	check_format("%s %05d %s", "left to vsnprintf:", 42, "whole");
	check_format("%s %.3g", "a real number,", 0.125);
}

int main(void)
{
	Arena *a = arena_new();
	test_utf8();
	test_checked();
	test_format();
	test_types();
	test_map(a);
	test_json(a);
	test_source(a);
	test_writer(a);
	test_architectures();
	test_defaults(a);
	arena_free(a);
	return check_report("unit, base");
}
