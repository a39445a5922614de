/* SPDX-License-Identifier: MIT */
/* The statements of a kernel (ir/code.h): what they are as C, as CUDA C and as a text to be read; what is left out
 * because nothing reads it; which trees are wrong; and what functions have in common that differ in constants
 * (emit/form.h). */
#include "codegen/print.h"
#include "emit/form.h"
#include "tests/unit/check.h"

static Arena *a;

static const char *finished(Code *c, const CodeWords *words)
{
	code_finish(c);
	return code_text(a, c, words);
}

static void check_c(void)
{
	Code *c = code_new(a), *sums = code_new(a);
	code_turns(c, TURNS_THREADS, " collapse(2)");
	code_for(c, "i", "%d", 8);
	code_loop(
	        c,
	        (CodeLoop){.type = "int64_t", .var = "j", .from = "i", .to = "n", .also = "j < m", .by = 4});
	code_let(c, "%s *", "row", "x + i * %d", "float", 64);
	code_var(c, "float", "sum", "0");
	code_declare(c, "float", "most");
	code_array(c, "float", "t", "%d", 4);
	code_turns(sums, TURNS_SIMD, " reduction(+ : sum)");
	code_for_bare(sums, "k", "4");
	code_add(sums, "sum", "row[%s]", "k");
	code_close(sums, 1);
	code_take(c, sums);
	CHECK(code_is_empty(sums));
	code_max(c, "float", "most", "sum");
	code_leave_if(c, "continue", "most < %d", 3);
	code_loop_bare(c, (CodeLoop){.type = "int", .var = "k", .from = "3", .to = "0", .down = true});
	code_set(c, "y[k]", "most");
	code_close(c, 3);
	CHECK_TEXT(finished(c, &words_c), "#pragma omp parallel for collapse(2)\n"
	                                  "for (int64_t i = 0; i < 8; i++) {\n"
	                                  "\tfor (int64_t j = i; j < n && j < m; j += 4) {\n"
	                                  "\t\tconst float *row = x + i * 64;\n"
	                                  "\t\tfloat sum = 0;\n"
	                                  "\t\tfloat most;\n"
	                                  "\t\tfloat t[4];\n"
	                                  "\t\t#pragma omp simd reduction(+ : sum)\n"
	                                  "\t\tfor (int64_t k = 0; k < 4; k++)\n"
	                                  "\t\t\tsum += row[k];\n"
	                                  "\t\tmost = nnr_maxf(most, sum);\n"
	                                  "\t\tif (most < 3)\n"
	                                  "\t\t\tcontinue;\n"
	                                  "\t\tfor (int k = 3; k >= 0; k--)\n"
	                                  "\t\t\ty[k] = most;\n"
	                                  "\t}\n"
	                                  "}\n");
	CHECK(code_verify(a, c) == NULL);
}

static void check_cuda(void)
{
	Code *c = code_new(a);
	code_note(c, "of a block");
	code_shared(c, "float", "parts", "%d", 8);
	code_let(c, "int", "row", "threadIdx.x / %d", 8);
	code_also(c, "lane", "threadIdx.x %% %d", 8);
	code_scope(c, ";", "const auto f = [&](int %s)", "at");
	code_leave(c, "return parts[%s]", "at");
	code_close(c, 1);
	code_if_let(c, "r", "%s; r < %d", "row", 4);
	code_set(c, "parts[r]", "lane");
	code_close(c, 1);
	code_else(c, NULL);
	code_do(c, "__trap()");
	code_close(c, 1);
	code_barrier(c, "block");
	code_turns(c, TURNS_UNROLLED, " 4");
	code_loop(c, (CodeLoop){.type = "int", .var = "k", .from = "lane", .count = 32, .by = 8});
	code_do(c, "nnr_store(y + k, f(k))");
	code_close(c, 1);
	CHECK_TEXT(finished(c, &words_cuda), "/* of a block */\n"
	                                     "__shared__ float parts[8];\n"
	                                     "const int row = threadIdx.x / 8, lane = threadIdx.x % 8;\n"
	                                     "const auto f = [&](int at) {\n"
	                                     "\treturn parts[at];\n"
	                                     "};\n"
	                                     "if (const int r = row; r < 4) {\n"
	                                     "\tparts[r] = lane;\n"
	                                     "}\n"
	                                     "else {\n"
	                                     "\t__trap();\n"
	                                     "}\n"
	                                     "__syncthreads();\n"
	                                     "#pragma unroll 4\n"
	                                     "for (int k = lane; k < 32; k += 8) {\n"
	                                     "\tnnr_store(y + k, f(k));\n"
	                                     "}\n");
	CHECK_TEXT(code_dump(a, c), "note of a block\n"
	                            "shared float parts of 8\n"
	                            "let int row = threadIdx.x / 8\n"
	                            "let lane = threadIdx.x % 8\n"
	                            "scope const auto f = [&](int at)\n"
	                            "\tleave return parts[at]\n"
	                            "if r = row; r < 4\n"
	                            "\tset parts[r] = lane\n"
	                            "else\n"
	                            "\tdo __trap()\n"
	                            "barrier block\n"
	                            "loop int k from lane below 32 by 8, unrolled 4\n"
	                            "\tdo nnr_store(y + k, f(k))\n");
	CHECK(code_verify(a, c) == NULL);
}

/* An index that only an unread index reads is left out too; the name of a member, or a part of a word, is no reader. */
static void check_unread(void)
{
	Code *c = code_new(a);
	code_for(c, "i", "4");
	code_let_if_read(c, "int", "r", "i / 2");
	code_let_if_read(c, "int", "q", "r %% 2");
	code_let_if_read(c, "int", "o", "i + 1");
	code_set(c, "y[o]", "s->r + p.q + q1");
	code_close(c, 1);
	CHECK(code_mentions(c, "o") && code_mentions(c, "r") && !code_mentions(c, "s1"));
	CHECK_TEXT(finished(c, &words_c), "for (int64_t i = 0; i < 4; i++) {\n"
	                                  "\tconst int o = i + 1;\n"
	                                  "\ty[o] = s->r + p.q + q1;\n"
	                                  "}\n");
}

static void check_wrong(void)
{
	Code *late = code_new(a);
	code_for(late, "i", "4");
	code_let(late, "int", "r", "i");
	code_close(late, 1);
	code_set(late, "y[0]", "r");
	CHECK_TEXT(code_verify(a, late), "`r` is read outside of the block that declares it: r");
	Code *itself = code_new(a);
	code_let(itself, "int", "r", "r + 1");
	CHECK(code_verify(a, itself) != NULL);
	Code *twice = code_new(a);
	code_let(twice, "int", "r", "1");
	code_var(twice, "int", "r", "2");
	CHECK_TEXT(code_verify(a, twice), "`r` is declared twice in a block");
	Code *beside = code_new(a); /* two blocks may declare the same */
	for (int i = 0; i < 2; i++) {
		code_block(beside);
		code_let(beside, "int", "r", "1");
		code_set(beside, "y[0]", "r");
		code_close(beside, 1);
	}
	CHECK(code_verify(a, beside) == NULL);
	Code *members = code_new(a); /* of a value, by their names */
	code_scope(members, ";", "struct Rows");
	code_array(members, "float", "held", "4");
	code_close(members, 1);
	code_block(members);
	code_var(members, "auto &", "[%s]", "now", "held");
	code_set(members, "y[0]", "held[0]");
	code_close(members, 1);
	CHECK(code_verify(a, members) == NULL);
	code_set(members, "y[1]", "held[1]");
	CHECK(code_verify(a, members) != NULL);
}

/* A barrier under a condition that differs between threads, behind a return of some, in the other branch; and a sum of
 * the block, which all threads meet for. */
static void check_barriers(void)
{
	static const char apart[] = "a barrier of the block stands where not all of its threads come";
	for (int form = 0; form < 6; form++) {
		Code *c = code_new(a);
		code_let(c, "int", "lane", "%s", form == 3 ? "blockIdx.x" : "threadIdx.x % 32");
		code_let(c, "int", "half", "lane / 16");
		if (form == 1)
			code_leave_if(c, "return", "half == 0");
		else
			code_if(c, "half == 0");
		if (form == 2) {
			code_close(c, 1);
			code_else(c, NULL);
		}
		if (form == 5)
			code_reduce(c, "block", "half", "nnr_block_sum(%s)", "half");
		else
			code_barrier(c, form == 4 ? "warp" : "block");
		code_close(c, form != 1);
		if (form == 3 || form == 4) /* the same for all; of a warp, of which the tree knows nothing */
			CHECK(code_verify(a, c) == NULL);
		else
			CHECK_TEXT(code_verify(a, c), apart);
	}
}

/* Over `size` elements, x[i] and then x[i + next]. */
static const Form *form_over(int size, int next, const char *x, bool kernel)
{
	Code *c = code_new(a);
	code_object(c, "const Shape", "shape", "{%d}", size);
	code_object(c, "Plan *", "plan", "");
	code_object(c, "const Use", "use", "{.plan = &plan, .shape = &shape}");
	code_array(c, "float", "t", "%d", size);
	code_loop(c, (CodeLoop){.type = "int", .var = "i0", .from = "first", .count = size, .by = next});
	code_let(c, "float", "%s_in", "%s[i0 / %d] * 0.5f", x, x, size);
	code_set(c, "t[i0]", "f(%s_in, &use, s.x + %d)", x, next);
	code_close(c, 1);
	code_finish(c);
	return form_of(a, c, arena_printf(a, "const float *restrict %s, int first", x), kernel);
}

/* Sizes and the names of parameters make no two forms; another statement does, and on the host a small number. */
static void check_forms(void)
{
	const Form *f = form_over(640, 64, "x", false), *other = form_over(64, 128, "conv", false);
	CHECK_TEXT(form_key(a, f), form_key(a, other));
	CHECK(strcmp(form_values(a, f), form_values(a, other)) != 0);
	CHECK_TEXT(form_values(a, f), form_values(a, form_over(640, 64, "conv", false)));
	CHECK(strcmp(form_key(a, f), form_key(a, form_over(640, 8, "x", false))) != 0);
	CHECK_TEXT(form_fill(a, f, f->text, (Fillings){0}), "float t[640];\n"
	                                                    "for (int i0 = first; i0 < 640; i0 += 64) {\n"
	                                                    "\tconst float x_in = x[i0 / 640] * 0.5f;\n"
	                                                    "\tt[i0] = f(x_in, &use, s.x + 64);\n"
	                                                    "}\n");
	static const char *const constants[] = {"(2 * n0)", "n0", NULL, "(2 * n0)", NULL, "n1"},
	                         *const objects[] = {NULL, NULL, "use"};
	CHECK(f->constants.count == 6);
	CHECK_TEXT(form_fill(a, other, f->text, (Fillings){constants, objects}),
	           "float t[2 * n0];\n"
	           "for (int i0 = first; i0 < n0; i0 += 128) {\n"
	           "\tconst float conv_in = conv[i0 / (2 * n0)] * 0.5f;\n"
	           "\tt[i0] = f(conv_in, use, s.x + n1);\n"
	           "}\n");
	CHECK(form_reads(a, f, 2) && !form_reads(a, f, 1));
	CHECK_TEXT(form_fill(a, f, f->objects.at[2].value,
	                     (Fillings){.objects = (const char *const[]){"&a", "&b", "&c"}}),
	           "{.plan = &b, .shape = &a}");
}

/* What a kernel that is compiled for several sizes does with each. */
static void check_uses(void)
{
	const Form *f = form_over(640, 64, "x", true);
	static const ConstantUse uses[] = {USE_CONSTANT, USE_ARGUMENT, USE_ARGUMENT,
	                                   USE_DIVISOR,  USE_ARGUMENT, USE_CONSTANT};
	static const char *const names[] = {NULL, "n0", "i0_step", NULL, NULL, NULL};
	CHECK(f->alone && f->constants.count == 6);
	for (int i = 0; i < 6; i++) {
		CHECK(f->constants.at[i].use == uses[i]);
		CHECK(names[i] ? strcmp(f->constants.at[i].name, names[i]) == 0 : !f->constants.at[i].name);
	}
}

int main(void)
{
	a = arena_new();
	check_c();
	check_cuda();
	check_unread();
	check_wrong();
	check_barriers();
	check_forms();
	check_uses();
	arena_free(a);
	return check_report("code");
}
