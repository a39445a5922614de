/* SPDX-License-Identifier: MIT */
#include "base/licences.h"

#include <stdio.h>
#include <string.h>

static int widest(int before, const char *text)
{
	int n = (int)strlen(text);
	return n > before ? n : before;
}

void licences_print(const char *program, const Licence *all, int count)
{
	int what = 0, licence = 0;
	for (int i = 0; i < count; i++) {
		what = widest(what, all[i].what);
		licence = widest(licence, all[i].licence);
	}
	printf("%s is made of, and uses:\n\n", program);
	for (int i = 0; i < count; i++)
		printf("  %-*s  %-*s  %s%s%s%s\n", what, all[i].what, licence, all[i].licence, all[i].how,
		       *all[i].files ? " (" : "", all[i].files, *all[i].files ? ")" : "");
	for (int i = 0; i < count; i++)
		if (all[i].notice)
			printf("\n%s: whoever passes %s on passes this on with it.\n\n%s", all[i].what,
			       program, all[i].notice);
}
