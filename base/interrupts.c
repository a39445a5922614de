/* SPDX-License-Identifier: MIT */
#include "base/interrupts.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

static const int held[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

/* Without those that are ignored, of which a waiting process is told all the same. */
static sigset_t interrupts(void)
{
	sigset_t set;
	sigemptyset(&set);
	for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
		struct sigaction action;
		if (sigaction(held[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
			sigaddset(&set, held[i]);
	}
	return set;
}

sigset_t interrupts_hold(void)
{
	sigset_t before, set = interrupts();
	sigprocmask(SIG_BLOCK, &set, &before);
	return before;
}

void interrupts_release(sigset_t before)
{
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* Stops with the group and goes on with it. SIGSTOP, for the system takes no SIGTSTP of a group without a terminal. */
static void stop(pid_t group)
{
	kill(-group, SIGSTOP);
	raise(SIGSTOP);
	kill(-group, SIGCONT);
}

int interrupts_wait(pid_t group)
{
	sigset_t before, set = interrupts(), child;
	int status = 0, number, ended = 0;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &before);
	sigaddset(&set, SIGCHLD);
	/* It may have ended before SIGCHLD was blocked. */
	while (waitpid(group, &status, WNOHANG) == 0) {
		if (sigwait(&set, &number) != 0 || number == SIGCHLD)
			continue;
		if (number == SIGTSTP) {
			stop(group);
		} else {
			kill(-group, ended ? SIGKILL : number);
			ended = number;
		}
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (ended)
		raise(ended); /* held until interrupts_release() */
	return status;
}
