/* SPDX-License-Identifier: MIT */
/* Interrupts wait while there is something that must not stay behind: a temporary file, a folder, a program that runs.
 *
 *     sigset_t before = interrupts_hold();
 *     make it, use it, remove it
 *     interrupts_release(before);       ends the process where one came meanwhile, by that signal
 *
 * What is held: SIGINT, SIGTERM, SIGHUP, SIGQUIT and, since a stop would leave the program running, SIGTSTP. No handler
 * is needed, and one that was ignored stays so. Pairs may stand in one another. */
#ifndef NNC_INTERRUPTS_H
#define NNC_INTERRUPTS_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

sigset_t interrupts_hold(void);
void interrupts_release(sigset_t before);

/* While interrupts are held: waits for the child `group`, the leader of a process group, and returns its status as
 * waitpid has it. An interrupt goes to the whole group, a second one ends it; nnc's own follows from
 * interrupts_release(). */
int interrupts_wait(pid_t group);

#endif
