#include "runtime/core/die.h"
#include "runtime/core/session.h"

#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
	if (caught)
		_exit(STATUS_SIGNAL + number);
	caught = number;
}

void signals_catch(void)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
	sigemptyset(&action.sa_mask);
	require(sigaction(SIGINT, &action, NULL) == 0 && sigaction(SIGTERM, &action, NULL) == 0);
}

int signal_caught(void)
{
	return caught;
}
