/* SPDX-License-Identifier: MIT */
#include "tests/host/isolate.h"
#include "base/diag.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
	MOST_JOBS = 64,
	WRONG = 64, /* the status of a case that has said itself what is wrong: none of fail()'s or die()'s */
};

static pid_t start(const Isolated *what, int i)
{
	fflush(NULL);
	pid_t pid = fork();
	if (pid < 0)
		fail(EXIT_TOOL, "no process for a test: %s", strerror(errno));
	if (pid > 0)
		return pid;
	alarm((unsigned)what->seconds);
	bool fine = what->check(what->ctx, i);
	fflush(NULL);
	_exit(fine ? 0 : WRONG);
}

static bool judge(const Isolated *what, int i, int status)
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		printf("FAIL %s: no end within %d s\n", what->name(what->ctx, i), what->seconds);
	else if (WIFSIGNALED(status))
		printf("FAIL %s: ended by signal %d\n", what->name(what->ctx, i), WTERMSIG(status));
	else if (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != WRONG)
		printf("FAIL %s: exit status %d, and why on stderr\n", what->name(what->ctx, i),
		       WEXITSTATUS(status));
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void isolate(int count, const Isolated *what, bool *failed)
{
	int jobs = what->jobs < MOST_JOBS ? what->jobs : MOST_JOBS, next = 0, running = 0;
	struct {
		pid_t pid;
		int i;
	} slots[MOST_JOBS] = {0};
	while (next < count || running > 0) {
		for (int k = 0; k < jobs && next < count; k++) {
			if (slots[k].pid)
				continue;
			slots[k].pid = start(what, next);
			slots[k].i = next++;
			running++;
		}
		int status;
		pid_t pid = wait(&status);
		for (int k = 0; k < jobs; k++) {
			if (slots[k].pid != pid)
				continue;
			failed[slots[k].i] = !judge(what, slots[k].i, status);
			slots[k].pid = 0;
			running--;
		}
		if (pid < 0)
			fail(EXIT_TOOL, "waiting for a test: %s", strerror(errno));
	}
}
