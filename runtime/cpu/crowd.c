/* SPDX-License-Identifier: MIT */
/* How OpenMP's threads wait where other programs run. crowd.h.
 *
 * A thread that is done with its part of a loop spins until the others are. GNU's spins for 300,000 rounds, some
 * milliseconds. That is what makes small networks fast: to fall asleep and be woken costs more than most loops take.
 * Where another program has the processor of the thread that is waited for, spinning takes time from both.
 *
 * libgomp reads how long to spin from the environment, before any code of a trainer runs, and never again. But with
 * more OpenMP threads than processors it spins for 100 rounds only (its manual, GOMP_SPINCOUNT), and that is asked anew
 * at each wait. So a crowd is answered by a second team of threads, which does nothing; when the crowd is gone, the
 * team ends. The threads that compute stay as many, and so do the bits of the results.
 *
 * What is left is that one thread of the team waits for another that has no processor. It need not wait long: the
 * team's threads ask for a slice of 0.6 ms where the kernel's own is some milliseconds. That gives them no more time,
 * but gives it sooner (Linux 6.12 and later; others refuse or ignore it).
 *
 * A crowd is seen by /proc/self/task/N/schedstat, whose second number is the time that the thread was ready and did
 * not run (https://docs.kernel.org/scheduler/sched-stats.html). Threads that have their processors alone wait for
 * none. */
#include "runtime/cpu/crowd.h"

#include "base/processors.h"
#include "runtime/report/profile.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* OpenMP's, where the generated code was linked with it. What `#pragma omp parallel` is made of is libgomp's ABI. */
extern int omp_get_max_threads(void) __attribute__((weak));
extern void GOMP_parallel(void (*each)(void *), void *data, unsigned threads, unsigned flags)
        __attribute__((weak));
extern void __kmpc_fork_call(void) __attribute__((weak)); /* LLVM's, which gives way by itself */

enum { EACH = 100000000 /* ns between two looks */, CALM = 1000000000 /* ns */, MOST = 256 /* threads */ };

bool crowd_seen(Crowd *c, int64_t now, int64_t waited)
{
	int64_t passed = now - c->looked_at;
	bool crowd = c->looked_at > 0 && passed > 0 && waited - c->waited > passed / 4;
	c->calm = crowd ? 0 : c->calm + passed;
	c->crowded = crowd || (c->crowded && c->calm < CALM);
	c->looked_at = now;
	c->waited = waited;
	return c->crowded;
}

/* ---- the threads' waiting */

/* Each thread of the team: its schedstat, and its number. */
static struct {
	int file;
	pid_t thread;
} team[MOST];
static atomic_int team_count;

static void open_own(void *unused)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", gettid());
	int fd = open(path, O_RDONLY | O_CLOEXEC), at = fd >= 0 ? atomic_fetch_add(&team_count, 1) : 0;
	if (fd >= 0 && at < MOST) {
		team[at].file = fd;
		team[at].thread = gettid();
	} else if (fd >= 0) {
		close(fd);
	}
}

static int team_size(void)
{
	return team_count < MOST ? team_count : MOST;
}

static int64_t waited(void)
{
	int64_t sum = 0;
	for (int i = 0; i < team_size(); i++) {
		char text[96];
		long long ran, waited;
		ssize_t length = pread(team[i].file, text, sizeof text - 1, 0);
		text[length > 0 ? length : 0] = '\0';
		if (sscanf(text, "%lld %lld", &ran, &waited) == 2)
			sum += waited;
	}
	return sum;
}

/* The kernel's struct sched_attr, as sched_setattr(2) has it, for which the C library has no name. */
typedef struct Schedule {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period; /* ns; of SCHED_OTHER `runtime` is the slice */
} Schedule;

static bool read_schedule(pid_t thread, Schedule *s)
{
	*s = (Schedule){.size = sizeof *s};
	return syscall(SYS_sched_getattr, thread, s, sizeof *s, 0) == 0 && s->policy == SCHED_OTHER;
}

int64_t crowd_slice(void)
{
	Schedule s;
	return read_schedule(0, &s) ? (int64_t)s.runtime : 0;
}

/* Of each thread of the team; 0: as the kernel has it. */
static void ask_for_slices(uint64_t ns)
{
	for (int i = 0; i < team_size(); i++) {
		Schedule s;
		if (!read_schedule(team[i].thread, &s))
			continue;
		s.runtime = ns;
		syscall(SYS_sched_setattr, team[i].thread, &s, 0);
	}
}

/* ---- the second team */

static struct {
	pthread_mutex_t lock;
	pthread_cond_t ended;
	pthread_t thread;
	bool there, over;
} second = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

static void nothing(void *unused)
{
}

/* libgomp counts a team until the thread that began it ends. */
static void *keep_team(void *size)
{
	GOMP_parallel(nothing, NULL, *(const unsigned *)size, 0);
	pthread_mutex_lock(&second.lock);
	while (!second.over)
		pthread_cond_wait(&second.ended, &second.lock);
	pthread_mutex_unlock(&second.lock);
	return NULL;
}

/* With one more thread than there are processors in both teams. Where no thread can be made, all stays as it is. */
static void begin_second(int threads)
{
	static unsigned size;
	int missing = processors_allowed() - threads + 1;
	if (missing <= 0)
		return;               /* more threads than processors are there already */
	size = (unsigned)missing + 1; /* the first of a team is not counted */
	second.over = false;
	second.there = pthread_create(&second.thread, NULL, keep_team, &size) == 0;
}

static void end_second(void)
{
	pthread_mutex_lock(&second.lock);
	second.over = true;
	pthread_cond_signal(&second.ended);
	pthread_mutex_unlock(&second.lock);
	pthread_join(second.thread, NULL);
	second.there = false;
}

void crowd_give_way(bool wanted)
{
	static bool gives_way;
	if (wanted == gives_way)
		return;
	gives_way = wanted;
	ask_for_slices(wanted ? CROWD_SLICE : 0);
	if (wanted)
		begin_second(omp_get_max_threads());
	else if (second.there)
		end_second();
}

void crowd_look(void)
{
	static enum { NEW, OFF, ON } state;
	static Crowd crowd;
	if (state == OFF)
		return;
	int64_t now = clock_ns();
	if (state == NEW) {
		bool possible = GOMP_parallel && omp_get_max_threads && omp_get_max_threads() > 1 &&
		                !__kmpc_fork_call && !getenv("OMP_WAIT_POLICY") && !getenv("GOMP_SPINCOUNT");
		if (possible)
			GOMP_parallel(open_own, NULL, 0, 0);
		state = possible && team_count > 0 ? ON : OFF;
	}
	if (state == OFF || now - crowd.looked_at < EACH)
		return;
	crowd_give_way(crowd_seen(&crowd, now, waited()));
}
