/* SPDX-License-Identifier: MIT */
/* To be preloaded into a trainer: SIGHUP, of which the first one counts, every 50 microseconds from the moment on at
 * which the file $STORM_AFTER is there (the log, which is opened just before signals are to be taken). So all of the
 * first step has them, in which oneDNN makes its kernels. From within, since another process gets its turn too seldom.
 */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static _Noreturn void *storm(void *file)
{
	while (access(file, F_OK) != 0)
		usleep(200);
	for (usleep(1000);; usleep(50))
		kill(getpid(), SIGHUP);
}

__attribute__((constructor)) static void begin(void)
{
	char *file = getenv("STORM_AFTER");
	if (!file)
		return;
	pthread_t thread;
	sigset_t all, before; /* this thread takes none of them */
	sigfillset(&all);
	if (pthread_sigmask(SIG_SETMASK, &all, &before) != 0 ||
	    pthread_create(&thread, NULL, storm, file) != 0 ||
	    pthread_sigmask(SIG_SETMASK, &before, NULL) != 0)
		abort();
}
