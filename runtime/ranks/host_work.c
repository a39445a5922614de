/* SPDX-License-Identifier: MIT */
/* The memory is of the first rank of each host, which the others open by its number: it has no name, so that nothing is
 * left of it whoever is killed. It holds a part of the work; then all meet, take over what is there, and meet again. */
#include "runtime/ranks/host_work.h"
#include "runtime/host/die.h"
#include "runtime/host/hash.h"
#include "runtime/host/parallel.h"
#include "runtime/host/progress.h"
#include "runtime/ranks/ranks.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { SHARED_BYTES = 64 << 20 };

/* A rank as it tells of itself. */
typedef struct Member {
	uint64_t host;
	int64_t process, file;
} Member;

/* Equal where processes see each other: of one host, since it was started, and one space of process numbers. */
static uint64_t host_hash(void)
{
	char text[256] = "", space[128] = "";
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, text, sizeof text);
	ssize_t more = readlink("/proc/self/ns/pid", space, sizeof space);
	if (fd >= 0)
		close(fd);
	return hash_bytes(text, length > 0 ? length : 0) ^ hash_bytes(space, more > 0 ? more : 0);
}

/* The ranks of this host. */
typedef struct Team {
	int first, own, count; /* the first of them; which of them this is */
	char *at;              /* the memory; NULL: none */
} Team;

static Team team_of(const Member *all)
{
	Team t = {.first = -1};
	for (int r = 0; r < ranks_count(); r++) {
		if (all[r].host != all[ranks_own()].host)
			continue;
		t.first = t.first < 0 ? r : t.first;
		t.own = r < ranks_own() ? t.own + 1 : t.own;
		t.count++;
	}
	return t;
}

static char *map_file(int fd)
{
	void *at = fd < 0 ? MAP_FAILED : mmap(NULL, SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	return at == MAP_FAILED ? NULL : at;
}

static void open_memory(Team *t, const Member *all)
{
	char path[64];
	const Member *first = &all[t->first];
	if (t->own == 0) {
		t->at = map_file((int)first->file);
		return;
	}
	snprintf(path, sizeof path, "/proc/%lld/fd/%lld", (long long)first->process, (long long)first->file);
	int fd = first->file < 0 ? -1 : open(path, O_RDWR | O_CLOEXEC);
	t->at = map_file(fd);
	if (fd >= 0)
		close(fd);
}

/* Comes to the same on all ranks: at NULL where one of them has no memory, or nobody has company. */
static Team team_new(void)
{
	Member *all = allocate(ranks_count(), sizeof *all, "the ranks of this host");
	int fd = memfd_create("nnr", MFD_CLOEXEC);
	bool made = fd >= 0 && ftruncate(fd, SHARED_BYTES) == 0;
	all[ranks_own()] = (Member){host_hash(), getpid(), made ? fd : -1};
	ranks_all_gather(all, sizeof *all);
	Team t = team_of(all);
	open_memory(&t, all);
	double worst[2] = {t.at ? 0 : 1, t.count};
	ranks_max(worst, 2); /* all that want it have opened it */
	if (fd >= 0)
		close(fd);
	free(all);
	if (t.at && (worst[0] > 0 || worst[1] < 2)) {
		munmap(t.at, SHARED_BYTES);
		t.at = NULL;
	}
	return t;
}

/* So many items from `first` on, of which the memory has room for. */
typedef struct Round {
	const HostWork *w;
	const Team *team;
	int64_t first, count;
} Round;

static void make_own(void *context, int64_t i)
{
	const Round *r = context;
	int64_t k = i * r->team->count + r->team->own;
	r->w->make(r->w->context, r->first + k, r->team->at + k * r->w->bytes);
}

static void take_others(void *context, int64_t k)
{
	const Round *r = context;
	if (k % r->team->count != r->team->own)
		r->w->take(r->w->context, r->first + k, r->team->at + k * r->w->bytes);
}

bool host_work(const HostWork *w)
{
	if (!ranks_many() || w->bytes > SHARED_BYTES)
		return false;
	Team t = team_new();
	if (!t.at)
		return false;
	double begun = clock_seconds();
	int64_t most = SHARED_BYTES / w->bytes;
	for (int64_t first = 0; first < w->count; first += most) {
		int64_t left = w->count - first, count = left < most ? left : most;
		Round r = {w, &t, first, count};
		parallel_for((count - t.own + t.count - 1) / t.count, w->threads, make_own, &r, NULL);
		ranks_barrier();
		parallel_for(count, w->threads, take_others, &r, NULL);
		ranks_barrier(); /* before it is overwritten */
		if (w->doing)
			progress_count(w->doing, first + count, w->count, begun);
	}
	munmap(t.at, SHARED_BYTES);
	return true;
}
