/* SPDX-License-Identifier: MIT */
/* Signals, without a handler.
 *
 * The frame of a handler goes on the stack of the thread that the signal meets, and a thread inside oneDNN may be using
 * that memory: about one SIGINT of a hundred ended in SIGSEGV. So no handler runs in this process. SIGINT, SIGTERM,
 * SIGHUP and SIGUSR1 are blocked in every thread, and one thread does nothing but wait for them. Where no thread can be
 * made they are looked for between two steps, by signal_caught(). SIGPIPE and SIGXFSZ are ignored: the write fails.
 * SIGCHLD is as usual: where it was inherited as ignored, no child would leave a status. What else there is keeps its
 * effect (SIGTSTP, SIGCONT, SIGQUIT), for none of it runs code here.
 *
 * The trainer starts no other program. One that does gives its child the mask that it had before signals_begin(). */
#ifndef NNR_SIGNALS_H
#define NNR_SIGNALS_H

#include <stdbool.h>

/* The first call of a process, before it has threads, which inherit what is blocked. Until signals_catch() a signal
 * has its usual effect, the end of the process, and SIGUSR1 none. */
void signals_begin(void);
/* Signals are as they were before it: for the program that takes this one's place. */
void signals_restore(void);
/* From now on the first SIGINT, SIGTERM or SIGHUP asks for an end after the step, a later SIGINT or SIGTERM ends the
 * process at once. What was ignored at the start stays so: nohup ignores SIGHUP, a script SIGINT for what it starts
 * with `&`. */
void signals_catch(void);
int signal_caught(void); /* 0: none */
/* Around what only computes and writes no file. A step that has not ended 10 s after a signal that asks for it (60 s
 * while none of its kind has ended yet), nor after three times the longest one of its kind, hangs: the process says so
 * and ends with the signal's status, its files as they were. */
typedef enum { STEP_OF_TRAINING, STEP_OF_EVALUATION, STEP_KINDS } StepOf;
void signals_step_begins(StepOf kind);
void signals_step_ends(void);
/* Whether there was a SIGUSR1 since the last call. */
bool signal_asks_to_save(void);
/* After a write that found its pipe closed: the end by SIGPIPE, unless it was ignored at the start. */
void signals_end_of_pipe(void);

#endif
