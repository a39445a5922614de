/* SPDX-License-Identifier: MIT */
/* The ranks of one host, started by the trainer itself: one process for each GPU.
 *
 * They are a process group of their own, so that a key in the terminal reaches them once, by way of this process. Each
 * has sockets to rank 0 (sockets.c), made here in pairs: no port is open, and nobody else can connect. A rank that this
 * process can't end, because it was killed itself, gets SIGTERM from the kernel. */
#include "runtime/ranks/launch.h"
#include "runtime/host/die.h"
#include "runtime/host/progress.h"
#include "runtime/host/signals.h"
#include "runtime/ranks/ranks.h"
#include "runtime/ranks/sockets.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#define PARENT_VARIABLE "NNR_RANKS_PARENT"

typedef struct Rank {
	pid_t pid;                 /* 0: it has ended */
	int ends[SOCKET_KINDS][2]; /* of the pairs: rank 0's and its own */
} Rank;

static struct {
	Rank *ranks;
	int count;
	pid_t group;
} launched;

bool launch_is_wanted(const Options *o)
{
	const RankPlace *place = ranks_place();
	if (o->gpus == 0 || place->count == o->gpus)
		return false;
	if (place->by)
		die_help(STATUS_USAGE, "leave --gpus out: the launcher decides how many there are",
		         "%s has started %d ranks, and --gpus asks for %lld", place->by, place->count,
		         (long long)o->gpus);
	return true;
}

void launch_follow_parent(void)
{
	const char *parent = getenv(PARENT_VARIABLE);
	if (!parent)
		return;
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != (pid_t)atol(parent))
		_exit(STATUS_SIGNAL + SIGTERM);
}

/* ---- starting */

static void make_sockets(void)
{
	struct rlimit files;
	if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
		files.rlim_cur = files.rlim_max;
		(void)setrlimit(RLIMIT_NOFILE, &files);
	}
	for (int r = 1; r < launched.count; r++)
		for (int k = 0; k < SOCKET_KINDS; k++)
			if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, launched.ranks[r].ends[k]) < 0)
				die(STATUS_RANKS, "can't make the sockets of %d ranks: %s", launched.count,
				    strerror(errno));
}

/* The ends of this rank, as text for its environment; `actions` leaves them open in it. */
static char *hand_over(int rank, posix_spawn_file_actions_t *actions)
{
	char *list = text_printf("%s", "");
	for (int r = 1; r < launched.count; r++)
		for (int k = 0; k < SOCKET_KINDS && (rank == 0 || rank == r); k++) {
			int fd = launched.ranks[r].ends[k][rank == 0 ? 0 : 1];
			text_append(&list, "%s%d", *list ? "," : "", fd);
			/* onto itself: that takes its close-on-exec away */
			require(posix_spawn_file_actions_adddup2(actions, fd, fd) == 0);
		}
	return list;
}

/* The environment with these variables in the place of what it had of them; malloc'd, as are they. */
static char **environment_of(int rank, const char *sockets)
{
	char *const own[] = {text_printf("NNR_RANK=%d", rank), text_printf("NNR_RANKS=%d", launched.count),
	                     text_printf(SOCKETS_VARIABLE "=%s", sockets),
	                     text_printf(PARENT_VARIABLE "=%d", (int)getpid())};
	int n = 0, count = 0;
	while (environ[n])
		n++;
	char **all = allocate(n + 5, sizeof *all, "the environment of a rank");
	for (int i = 0; i < n; i++)
		if (strncmp(environ[i], "NNR_RANK", 8) != 0)
			all[count++] = environ[i];
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		all[count++] = own[i];
	return all;
}

static void start(int rank, char **argv)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none, usual;
	require(posix_spawn_file_actions_init(&actions) == 0 && posix_spawnattr_init(&attr) == 0);
	char *sockets = hand_over(rank, &actions), **environment = environment_of(rank, sockets);
	sigemptyset(&none);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	sigaddset(&usual, SIGXFSZ);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &usual);
	posix_spawnattr_setpgroup(&attr, launched.group);
	posix_spawnattr_setflags(&attr,
	                         POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
	int failed =
	        posix_spawn(&launched.ranks[rank].pid, "/proc/self/exe", &actions, &attr, argv, environment);
	if (failed) {
		launched.ranks[rank].pid = 0;
		if (launched.group)
			(void)kill(-launched.group, SIGKILL);
		die(STATUS_RANKS, "can't start rank %d: %s", rank, strerror(failed));
	}
	if (rank == 0)
		launched.group = launched.ranks[0].pid;
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&actions);
	free(sockets);
	for (int i = 0; environment[i]; i++)
		if (strncmp(environment[i], "NNR_RANK", 8) == 0)
			free(environment[i]);
	free(environment);
}

static void close_sockets(void)
{
	for (int r = 1; r < launched.count; r++)
		for (int k = 0; k < SOCKET_KINDS; k++)
			for (int end = 0; end < 2; end++)
				close(launched.ranks[r].ends[k][end]);
}

/* ---- waiting */

/* Ctrl-Z stops the ranks too: they are not of the terminal's group. */
static void stop_all(int number)
{
	int before = errno;
	(void)number;
	(void)kill(-launched.group, SIGSTOP);
	(void)raise(SIGSTOP);
	(void)kill(-launched.group, SIGCONT);
	errno = before;
}

static void pass_on(int number)
{
	for (int r = 0; r < launched.count; r++)
		if (launched.ranks[r].pid)
			(void)kill(launched.ranks[r].pid, number);
}

/* The status of a rank that has ended, as this process ends with it. */
static int status_of(int rank, int how)
{
	if (WIFEXITED(how))
		return WEXITSTATUS(how);
	say_warning("rank %d was ended by signal %d (%s)", rank, WTERMSIG(how), strsignal(WTERMSIG(how)));
	return STATUS_SIGNAL + WTERMSIG(how);
}

/* The rank that has ended, and how; -1: none has since. */
static int take_ended(int *how)
{
	for (int r = 0; r < launched.count; r++) {
		pid_t pid = launched.ranks[r].pid, found = pid ? waitpid(pid, how, WNOHANG) : 0;
		if (found < 0 && errno == ECHILD)
			*how = STATUS_RANKS << 8; /* somebody else has taken its status */
		else if (found <= 0)
			continue;
		launched.ranks[r].pid = 0;
		return r;
	}
	return -1;
}

/* After the first failure the others have this long: for what they say, and after a signal to save. */
static double grace_of(bool signalled)
{
	return signalled ? 30 : 0.5;
}

static int wait_for_all(void)
{
	static const struct timespec a_while = {.tv_nsec = 10000000};
	int status = STATUS_OK, passed = 0;
	double end = INFINITY;
	for (int left = launched.count; left > 0;) {
		int how, rank = take_ended(&how), caught = signal_caught();
		if (rank >= 0) {
			bool ending = clock_seconds() > end;
			int now = ending ? STATUS_OK : status_of(rank, how);
			if (now != STATUS_OK && status == STATUS_OK) {
				status = now;
				end = clock_seconds() + grace_of(passed != 0);
			}
			left--;
			continue;
		}
		if (caught && !passed)
			pass_on(passed = caught);
		if (signal_asks_to_save())
			pass_on(SIGUSR1);
		if (clock_seconds() > end)
			pass_on(SIGKILL);
		nanosleep(&a_while, NULL);
	}
	return status;
}

int launch_ranks(int count, char **argv)
{
	launched.count = count;
	launched.ranks = allocate(count, sizeof *launched.ranks, "ranks");
	signals_catch();
	make_sockets();
	for (int r = 0; r < count; r++)
		start(r, argv);
	close_sockets();
	struct sigaction stop = {.sa_handler = stop_all, .sa_flags = SA_RESTART};
	(void)sigaction(SIGTSTP, &stop, NULL);
	int status = wait_for_all();
	free(launched.ranks);
	return status;
}
