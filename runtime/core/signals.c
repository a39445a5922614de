#include "runtime/core/die.h"
#include "runtime/core/session.h"

#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

/* A terminal that goes sends SIGHUP twice, the shell and then the kernel; a service manager sends it behind SIGTERM. */
static void on_signal(int number)
{
	if (caught && number != SIGHUP)
		_exit(STATUS_SIGNAL + number);
	if (!caught)
		caught = number;
}

void signals_catch(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, hangup;
	sigemptyset(&action.sa_mask);
	require(sigaction(SIGINT, &action, NULL) == 0 && sigaction(SIGTERM, &action, NULL) == 0);
	require(sigaction(SIGHUP, NULL, &hangup) == 0);
	if (hangup.sa_handler != SIG_IGN) /* nohup's */
		require(sigaction(SIGHUP, &action, NULL) == 0);
}

int signal_caught(void)
{
	return caught;
}
