/* SPDX-License-Identifier: MIT */
/* Patterns (ir/formula.h): what they match, and what their names then stand for; and graph_find_leaf. */
#include "ir/formula.h"
#include "tests/unit/check.h"

static const char text[] = "graph \"g\" training batch=2\n"
                           "%0 = input {classes=0, name=\"x\", role=\"input\"} : f32[2,3]\n"
                           "%1 = param {a=1.0, decay=1, init=\"constant\", name=\"w\", offset=0} : f32[3]\n"
                           "%2 = relu(%0) : f32[2,3]\n"
                           "%3 = add(%1, %2) : f32[2,3]\n"
                           "%4 = relu(%3) : f32[2,3]\n"
                           "%5 = constant {value=0.0} : f32[]\n"
                           "%6 = gt(%4, %5) : f32[2,3]\n"
                           "%7 = constant {value=2.5} : f32[]\n"
                           "%8 = mul(%7, %3) : f32[2,3]\n"
                           "%9 = sub(%3, %3) : f32[2,3]\n"
                           "%10 = sub(%3, %2) : f32[2,3]\n"
                           "%11 = neg(%3) : f32[2,3]\n"
                           "value \"a\" %6\n"
                           "value \"b\" %8\n"
                           "value \"c\" %9\n"
                           "value \"d\" %10\n"
                           "value \"e\" %11\n";

static bool matches(Arena *a, const char *pattern, const Node *n)
{
	return formula_matches(formula_parse(a, pattern), n, NULL);
}

static void test_matching(Arena *a, Node *const *n)
{
	Match m;
	const Formula *residual = formula_parse(a, "y: relu(sum: (relu(z) + b)) > 0");
	CHECK(formula_matches(residual, n[6], &m)); /* the sum's operands stand the other way round */
	CHECK(matched(&m, "y") == n[4] && matched(&m, "sum") == n[3]);
	CHECK(matched(&m, "z") == n[0] && matched(&m, "b") == n[1]);
	CHECK(matched_value(&m, "c") == 0);
	CHECK(!formula_matches(residual, n[4], &m));
	CHECK(formula_matches(formula_parse(a, "x*c"), n[8], &m));
	CHECK(matched(&m, "x") == n[3] && matched_value(&m, "c") == 2.5);
	CHECK(matches(a, "2.5*x", n[8]) && matches(a, "x*2.5", n[8]) && !matches(a, "x*2", n[8]));
	CHECK(!matches(a, "c*d", n[8]) && matches(a, "x*y", n[8]));
	CHECK(matches(a, "x - x", n[9]) && !matches(a, "x - x", n[10]));
	CHECK(!matches(a, "relu(x) - y", n[10]) && matches(a, "x - relu(y)", n[10]));
	CHECK(matches(a, "-x", n[11]) && matches(a, "neg(x)", n[11]) && !matches(a, "-x", n[10]));
	CHECK(matches(a, "x", n[0]) && !matches(a, "c", n[0]) && matches(a, "0", n[5]) &&
	      !matches(a, "0", n[7]));
}

/* A node that isn't there yet, and what is built of what a pattern has found. */
static void test_building(Arena *a, Graph *g)
{
	Match m;
	Node *const *n = g->nodes;
	Node probe = *n[3];
	probe.operands = (Node *[]){n[1], n[2]};
	CHECK(formula_matches(formula_parse(a, "x + relu(y)"), &probe, &m));
	Build b = {.graph = g, .sites = n[3]->sites};
	const Node *made = build_matched(&b, formula_parse(a, "relu(y - -1)*x"), &m);
	CHECK(matches(a, "relu(y - -1)*x", made));
	CHECK(made->operands[1] == n[1] && made->operands[0]->operands[0]->operands[0] == n[0]);
}

static void test_leaves(Graph *g)
{
	Node *const *n = g->nodes;
	CHECK(graph_find_leaf(g, "input", "x") == n[0] && graph_find_leaf(g, "param", "w") == n[1]);
	CHECK(!graph_find_leaf(g, "state", "w") && !graph_find_leaf(g, "scalar", "rate"));
	const Attr name = attr_text("name", "rate");
	const Node *rate = graph_leaf(g, "scalar", type_scalar(DTYPE_F32), &name, 1, n[0]->sites);
	CHECK(graph_find_leaf(g, "scalar", "rate") == rate);
}

int main(void)
{
	Arena *a = arena_new();
	const char *why = NULL;
	Graph *g = graph_parse(a, text, &why);
	CHECK_TEXT(why ? why : "", "");
	if (g) {
		test_matching(a, g->nodes);
		test_building(a, g);
		test_leaves(g);
	}
	arena_free(a);
	return check_report("patterns");
}
