/* SPDX-License-Identifier: MIT */
/* `profile --into PAGE.html`: the figures of a profile on the page of nnc --explore. */
#ifndef NNR_PROFILE_EXPLORE_H
#define NNR_PROFILE_EXPLORE_H

#include "runtime/report/profile.h"

/* The page, read before anything is measured. */
typedef struct ExplorePage {
	const char *path;
	char *text;              /* malloc'd */
	const char *begin, *end; /* in it: where a profile is, or was before */
} ExplorePage;

/* Ends the process with STATUS_USAGE where the file is no page of --explore, or one of another program. */
ExplorePage explore_page_read(const char *path, const NnrModel *m);
/* Writes it anew, with this profile in the place of the one before, and frees it. */
void explore_page_write(ExplorePage *page, const Profile *p, const Session *s);

#endif
