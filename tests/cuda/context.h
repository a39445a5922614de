/* SPDX-License-Identifier: MIT */
/* Several computations that take turns in one thread of the machine, each on a stack of its own: swapcontext without
 * its system call for the signal mask, which cost the emulation more than the kernels that it runs. */
#ifndef NNC_TESTS_CONTEXT_H
#define NNC_TESTS_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>

/* AddressSanitizer, of which gcc and clang tell in two ways, follows a change of stacks through swapcontext alone. */
#ifdef __has_feature
#define CONTEXT_SANITIZED __has_feature(address_sanitizer)
#elif defined __SANITIZE_ADDRESS__
#define CONTEXT_SANITIZED 1
#else
#define CONTEXT_SANITIZED 0
#endif

#if defined __x86_64__ && defined __ELF__ && !CONTEXT_SANITIZED
#define CONTEXT_BY_HAND 1
#else
#define CONTEXT_BY_HAND 0
#include <ucontext.h>
#endif

/* Where a computation stands while another one runs. */
typedef struct Context {
#if CONTEXT_BY_HAND
	void *stack_pointer; /* what must survive a call lies there */
#else
	ucontext_t portable;
#endif
} Context;

/* `begin` will run on this stack at the first switch to *c; it must not return. False: the system refuses. */
bool context_make(Context *c, void *stack, size_t bytes, void (*begin)(void));
/* Leaves the running computation in *from and goes on with *to; returns when one switches back. */
void context_switch(Context *from, Context *to);

#endif
