/* SPDX-License-Identifier: MIT */
/* Work that the ranks of a host share out: each item is made once, by one of them, and all have all of it; in one part
 * and in many, by more ranks than items, and where memory can't be had in common. */
#include "runtime/ranks/host_work.h"
#include "runtime/ranks/ranks.h"
#include "runtime/ranks/sockets.h"
#include "runtime/ranks/watch.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/socket.h>

enum { MOST_RANKS = 4, MOST_ITEMS = 1000 };

/* In memory that all ranks of the test have. */
typedef struct Counts {
	atomic_int made[MOST_ITEMS], taken[MOST_ITEMS], wrong, apart;
} Counts;

static Counts *counts;

static char letter(int64_t item, int64_t place)
{
	return (char)(item * 31 + place % 101);
}

static void make(void *context, int64_t i, char *to)
{
	const HostWork *w = context;
	counts->made[i]++;
	for (int64_t k = 0; k < w->bytes; k++)
		to[k] = letter(i, k);
}

static void take(void *context, int64_t i, const char *from)
{
	const HostWork *w = context;
	counts->taken[i]++;
	for (int64_t k = 0; k < w->bytes; k++)
		counts->wrong += from[k] != letter(i, k);
}

/* One rank of `count`, whose sockets are named by the environment. */
static int work_as(int rank, int count, int64_t items, int64_t bytes)
{
	HostWork w = {.count = items, .bytes = bytes, .make = make, .take = take, .threads = 2};
	RankPlace place = {.rank = rank, .count = count, .by = "a test"};
	w.context = &w;
	alarm(60);
	const Communicator *by = sockets_open(&place, 30);
	ranks_open_with(by, place);
	watch_begin(by, &place, "here");
	counts->apart += !host_work(&w);
	ranks_close();
	return 0;
}

/* To the environment; the ends of the others stay open, which does no harm. */
static void name_sockets(int rank, int count, int ends[MOST_RANKS][SOCKET_KINDS][2])
{
	char text[256] = "";
	for (int r = 1; r < count; r++)
		if (rank == 0 || rank == r)
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d,%d", *text ? "," : "",
			         ends[r][SOCKET_DATA][rank > 0], ends[r][SOCKET_SIGNS][rank > 0]);
	setenv(SOCKETS_VARIABLE, text, true);
}

static bool is_shared_out(int count, int64_t items, int64_t bytes)
{
	int ends[MOST_RANKS][SOCKET_KINDS][2];
	pid_t ranks[MOST_RANKS];
	bool good = true;
	memset(counts, 0, sizeof *counts);
	fflush(NULL);
	for (int r = 1; r < count; r++)
		for (int k = 0; k < SOCKET_KINDS; k++)
			if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends[r][k]) < 0)
				abort();
	for (int r = 0; r < count; r++) {
		if ((ranks[r] = fork()) != 0)
			continue;
		name_sockets(r, count, ends);
		_exit(work_as(r, count, items, bytes));
	}
	for (int r = 0; r < count; r++) {
		int status = 1;
		while (waitpid(ranks[r], &status, 0) < 0)
			if (errno != EINTR)
				abort();
		good = good && status == 0;
		for (int k = 0; k < SOCKET_KINDS && r > 0; k++) {
			close(ends[r][k][0]);
			close(ends[r][k][1]);
		}
	}
	for (int i = 0; i < items; i++)
		good = good && counts->made[i] == 1 && counts->taken[i] == count - 1;
	return good && counts->wrong == 0 && counts->apart == 0;
}

int main(void)
{
	void *shared_by_all =
	        mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared_by_all == MAP_FAILED)
		abort();
	counts = shared_by_all;
	CHECK(is_shared_out(2, 101, 1000));
	CHECK(is_shared_out(3, 4, 17 << 20)); /* three items at a time */
	CHECK(is_shared_out(4, 2, 3));
	CHECK(is_shared_out(2, 0, 8));
	/* larger than what is in common: everybody does it alone */
	CHECK(!is_shared_out(2, 0, (int64_t)1 << 30) && counts->apart == 2);
	return check_report("host work");
}
