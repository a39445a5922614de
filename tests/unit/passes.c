/* SPDX-License-Identifier: MIT */
/* The order of the passes is what their rows say of it. */
#include "passes/pass.h"
#include "tests/unit/check.h"

int main(void)
{
	const Pass some[] = {{.name = "join", .after = ""},
	                     {.name = "joined", .after = "join"},
	                     {.name = "last", .after = "joined join"}},
	           early[] = {some[1], some[0]}, unknown[] = {some[0], {.name = "next", .after = "join joi"}};
	CHECK(!passes_find_disorder(some, 3) && !passes_find_disorder(passes, pass_count));
	CHECK(passes_find_disorder(early, 2) == &early[0]);
	CHECK(passes_find_disorder(unknown, 2) == &unknown[1]);
	return check_report("order of passes");
}
