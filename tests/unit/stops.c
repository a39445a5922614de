/* SPDX-License-Identifier: MIT */
/* How a training is stopped and saved by signals, on a network written by hand (linear.h). */
#include "tests/unit/check.h"
#include "tests/unit/linear.h"
#include "tests/unit/signal.h"

#include <errno.h>
#include <pthread.h>

static void interrupt(int step)
{
	if (step == 4)
		send_signal(SIGINT);
}

static void terminate(int step)
{
	if (step == 4)
		send_signal(SIGTERM);
}

static void hang_up(int step)
{
	if (step == 4) { /* as a terminal does */
		send_signal(SIGHUP);
		send_signal(SIGHUP);
	}
}

static void call_unheard(int step)
{
	if (step != 4)
		return;
	kill(getpid(), SIGINT);
	kill(getpid(), SIGTERM);
	kill(getpid(), SIGHUP);
	kill(getpid(), SIGUSR1);
}

static void interrupt_twice(int step)
{
	if (step == 4) {
		send_signal(SIGINT);
		send_signal(SIGINT);
		pause(); /* not to the end of the step */
	}
}

static void hang(int step)
{
	if (step == 4) {
		send_signal(SIGTERM);
		pause();
	}
}

static void hang_at_first(int step)
{
	send_signal(SIGTERM);
	pause();
}

static bool no_threads;

/* In the middle of an epoch, and in its last step, whose checkpoint is to be followed by one of the closed epoch. */
static void ask_to_save(int step)
{
	if (step == 5 && access("asked.st", F_OK) != 0)
		abort();
	if (step != 4 && step != 30)
		return;
	kill(getpid(), SIGUSR1);
	for (sigset_t left; !no_threads && sigpending(&left) == 0 && sigismember(&left, SIGUSR1);)
		sched_yield();
	usleep(10000); /* from there to the request is an instruction or two */
}

static void interrupt_batch(const NnrMemory *m)
{
	send_signal(SIGINT);
}

static void stops_at_signals(void)
{
	at_step = interrupt;
	CHECK(ends("--data data --epochs 5 --checkpoint signal.st", 130,
	           "stopped after step 4, saved in `signal.st`"));
	at_step = NULL;
	CHECK(ends("--data data --epochs 5 --checkpoint signal.st --resume --quiet", 0, ""));
	CHECK(same_files("whole.st", "signal.st"));
	at_step = terminate;
	CHECK(ends("--data data --epochs 5", 143, "nothing was saved"));
	at_step = hang_up;
	CHECK(ends("--data data --epochs 5 --checkpoint hangup.st", 129,
	           "stopped after step 4, saved in `hangup.st`"));
	static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1}; /* by nohup, or a script's `&` */
	for (int i = 0; i < 4; i++)
		signal(ignored[i], SIG_IGN);
	at_step = call_unheard;
	Ended unheard = trainer("--data data --epochs 5 --checkpoint nohup.st");
	CHECK(unheard.status == 0 && !strstr(unheard.said, "is saved in") &&
	      same_files("whole.st", "nohup.st"));
	heed_signals();
	at_step = interrupt_twice;
	CHECK(ends("--data data --epochs 5 --checkpoint never.st", 130, ""));
	CHECK(access("never.st", F_OK) != 0);
	at_step = NULL;
	/* amid an evaluation there are no means of all held-out samples to tell */
	char log[4096] = "";
	at_batch = interrupt_batch;
	CHECK(ends("--data data --epochs 5 --log part_of_eval.jsonl", 130, "stopped after step 6"));
	CHECK(read_whole("part_of_eval.jsonl", log, sizeof log) > 0 && !strstr(log, "eval_loss"));
	at_batch = NULL;
}

int __real_sigtimedwait(const sigset_t *, siginfo_t *, const struct timespec *);
int __wrap_sigtimedwait(const sigset_t *, siginfo_t *, const struct timespec *);

static long a_second = 1000000000; /* ns from one look at a step that hangs to the next */

int __wrap_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	const long ns = timeout->tv_sec * a_second;
	const struct timespec scaled = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
	return __real_sigtimedwait(set, info, &scaled);
}

/* One signal ends it all the same, with what was saved before as it was. */
static void ends_amid_a_step_that_hangs(void)
{
	CHECK(ends("--data data --steps 2 --checkpoint hung.st --quiet", 0, ""));
	CHECK(ends("--data data --steps 2 --checkpoint before.st --quiet", 0, ""));
	a_second = 50000000;
	at_step = hang;
	CHECK(ends("--data data --epochs 5 --checkpoint hung.st --resume", 143,
	           "did not end within 10 s after the signal (Terminated): nothing was saved"));
	CHECK(same_files("before.st", "hung.st"));
	at_step = hang_at_first;
	CHECK(ends("--data data --epochs 5 --checkpoint first.st", 143,
	           "did not end within 60 s after the signal (Terminated): nothing was saved"));
	at_step = NULL;
	a_second = 1000000000;
	CHECK(access("first.st", F_OK) != 0);
}

static void saves_when_asked(void)
{
	at_step = ask_to_save;
	CHECK(ends("--data data --epochs 5 --checkpoint asked.st --checkpoint-every 9ep", 0,
	           "step 4 is saved in `asked.st`"));
	CHECK(same_files("whole.st", "asked.st"));
	unlink("asked.st");
	at_step = interrupt;
	CHECK(ends("--data data --epochs 5 --checkpoint asked.st", 130, ""));
	at_step = ask_to_save;
	CHECK(ends("--data data --epochs 5 --checkpoint asked.st --resume", 0,
	           "step 30 is saved in `asked.st`"));
	CHECK(same_files("whole.st", "asked.st"));
	at_step = NULL;
	CHECK(ends("--data data --epochs 5 --checkpoint asked.st --checkpoint-every 3it --quiet", 0, ""));
	CHECK(same_files("whole.st", "asked.st"));
}

int __real_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int __wrap_pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*run)(void *), void *context)
{
	return no_threads ? EAGAIN : __real_pthread_create(thread, attr, run, context);
}

/* Where no thread can be made the loops look for signals themselves. */
static void stops_without_threads(void)
{
	no_threads = true;
	stops_at_signals();
	saves_when_asked();
	no_threads = false;
}

int main(void)
{
	heed_signals();
	child_folder_make();
	put_data();
	CHECK(ends("--data data --epochs 5 --checkpoint whole.st --quiet", 0, ""));
	stops_at_signals();
	ends_amid_a_step_that_hangs();
	saves_when_asked();
	stops_without_threads();
	return check_report("unit, stops");
}
