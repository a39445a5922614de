/* SPDX-License-Identifier: MIT */
#include "runtime/host/signals.h"
#include "runtime/host/die.h"
#include "runtime/host/progress.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int asking[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};

static struct {
	pid_t owner; /* a child of fork has no thread that waits */
	bool waits;  /* a thread does */
	sigset_t taken;
	struct sigaction pipe; /* what SIGPIPE did at the start */
} begun;

/* Written by whoever takes the signals: the waiting thread, or the main thread where there is none. */
static atomic_bool catching, asks_to_save;
static atomic_int caught;

/* Written by the main thread. */
static struct {
	_Atomic double begun; /* 0 between two steps */
	_Atomic int kind;
	_Atomic double longest[STEP_KINDS];
} step;

/* Seconds. The first step may load kernels, and nothing says yet how long one takes. */
enum { STEP_LIMIT = 10, FIRST_STEP_LIMIT = 60 };

/* What the process would have done unasked, so that its parent sees a death by that signal. */
static void have_usual_effect(int number)
{
	sigset_t one;
	sigemptyset(&one);
	sigaddset(&one, number);
	pthread_sigmask(SIG_UNBLOCK, &one, NULL);
	raise(number); /* nothing where it is ignored */
	pthread_sigmask(SIG_BLOCK, &one, NULL);
}

/* A terminal that goes sends SIGHUP twice, the shell and then the kernel; a service manager sends it after SIGTERM. */
static void take(int number)
{
	if (number == SIGUSR1)
		asks_to_save = true;
	else if (!catching)
		have_usual_effect(number);
	else if (!caught)
		caught = number;
	else if (number != SIGHUP)
		_exit(STATUS_SIGNAL + number);
}

/* Once a second after a signal that asks for an end; what this process was stopped for by Ctrl-Z is no waiting. Only
 * inside a step: there no file is half written, and the main thread holds no stream. */
static void look_at_step(void)
{
	static double looked_at;
	static int waited;
	waited = step.begun == looked_at ? waited + 1 : 0;
	looked_at = step.begun;
	const double longest = step.longest[step.kind];
	const int limit = longest > 0 ? STEP_LIMIT : FIRST_STEP_LIMIT;
	if (looked_at > 0 && waited >= limit && waited >= 3 * longest)
		die_at_once(
		        STATUS_SIGNAL + caught,
		        "stopped amid a step that did not end within %d s after the signal (%s): nothing was "
		        "saved, files are as they were",
		        waited, strsignal(caught));
}

static _Noreturn void *wait_for_signals(void *unused)
{
	static const struct timespec a_second = {.tv_sec = 1};
	for (;;) {
		int number = caught ? sigtimedwait(&begun.taken, NULL, &a_second)
		                    : sigwaitinfo(&begun.taken, NULL);
		if (number > 0)
			take(number);
		else if (errno == EAGAIN)
			look_at_step();
	}
}

void signals_begin(void)
{
	if (begun.owner == getpid())
		return;
	begun.owner = getpid();
	struct sigaction ignore = {.sa_handler = SIG_IGN}, usual = {.sa_handler = SIG_DFL}, unasked;
	require(sigaction(SIGXFSZ, &ignore, NULL) == 0 && sigaction(SIGPIPE, &ignore, &begun.pipe) == 0);
	require(sigaction(SIGCHLD, &usual, NULL) == 0);
	sigemptyset(&begun.taken);
	for (size_t i = 0; i < sizeof asking / sizeof *asking; i++) {
		require(sigaction(asking[i], NULL, &unasked) == 0);
		if (unasked.sa_handler != SIG_IGN)
			sigaddset(&begun.taken, asking[i]);
	}
	require(pthread_sigmask(SIG_BLOCK, &begun.taken, NULL) == 0);
	pthread_t thread;
	begun.waits = pthread_create(&thread, NULL, wait_for_signals, NULL) == 0;
	if (begun.waits)
		pthread_detach(thread);
}

void signals_restore(void)
{
	struct sigaction usual = {.sa_handler = SIG_DFL};
	sigaction(SIGXFSZ, &usual, NULL);
	sigaction(SIGPIPE, &begun.pipe, NULL);
	pthread_sigmask(SIG_UNBLOCK, &begun.taken, NULL);
}

void signals_catch(void)
{
	signals_begin(); /* of programs without nnr_main */
	catching = true;
}

void signals_step_begins(StepOf kind)
{
	step.kind = kind;
	step.begun = clock_seconds();
}

void signals_step_ends(void)
{
	step.longest[step.kind] = fmax(step.longest[step.kind], clock_seconds() - step.begun);
	step.begun = 0;
}

static void look(void)
{
	static const struct timespec at_once;
	for (int number; !begun.waits && (number = sigtimedwait(&begun.taken, NULL, &at_once)) > 0;)
		take(number);
}

int signal_caught(void)
{
	look();
	return caught;
}

bool signal_asks_to_save(void)
{
	look();
	return atomic_exchange(&asks_to_save, false);
}

void signals_end_of_pipe(void)
{
	sigaction(SIGPIPE, &begun.pipe, NULL);
	raise(SIGPIPE);
}
