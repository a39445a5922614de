/* SPDX-License-Identifier: MIT */
/* A signal to the process itself, as another would send it. */
#ifndef NNC_TESTS_SIGNAL_H
#define NNC_TESTS_SIGNAL_H

#include "runtime/host/signals.h"

#include <sched.h>
#include <signal.h>
#include <unistd.h>

/* As where a terminal starts it, whatever the test was started under. */
static inline void heed_signals(void)
{
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	signal(SIGUSR1, SIG_DFL);
}

/* Returns when it was taken, so that a test knows by which look it is seen. */
static inline void send_signal(int number)
{
	kill(getpid(), number);
	while (!signal_caught())
		sched_yield();
}

#endif
