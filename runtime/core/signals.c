#include "runtime/core/signals.h"
#include "runtime/core/die.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
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

static _Noreturn void *wait_for_signals(void *unused)
{
	for (int number;;)
		if (sigwait(&begun.taken, &number) == 0)
			take(number);
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
