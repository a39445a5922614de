/* SPDX-License-Identifier: MIT */
#include "tests/cuda/context.h"
#include <stdint.h>

#if CONTEXT_BY_HAND

/* The System V ABI, 3.2.1: a function keeps rbx, rbp and r12 to r15 for its caller. It also keeps the control words of
 * floating point, which nothing here changes. */
__asm__(".text\n"
        ".globl context_switch\n"
        ".type context_switch, @function\n"
        "context_switch:\n"
        "\tpushq %rbp\n"
        "\tpushq %rbx\n"
        "\tpushq %r12\n"
        "\tpushq %r13\n"
        "\tpushq %r14\n"
        "\tpushq %r15\n"
        "\tmovq %rsp, (%rdi)\n"
        "\tmovq (%rsi), %rsp\n"
        "\tpopq %r15\n"
        "\tpopq %r14\n"
        "\tpopq %r13\n"
        "\tpopq %r12\n"
        "\tpopq %rbx\n"
        "\tpopq %rbp\n"
        "\tret\n"
        ".size context_switch, . - context_switch\n");

/* The stack as context_switch leaves it: six registers, the address to go on at, and, as after a call, one to return
 * to. */
bool context_make(Context *c, void *stack, size_t bytes, void (*begin)(void))
{
	enum { REGISTERS = 6, WORDS = REGISTERS + 2 };
	uintptr_t end = ((uintptr_t)stack + bytes) / 16 * 16;
	uintptr_t *top = (uintptr_t *)end - WORDS;
	for (int i = 0; i < WORDS; i++)
		top[i] = 0;
	top[REGISTERS] = (uintptr_t)begin;
	c->stack_pointer = top;
	return true;
}

#else

bool context_make(Context *c, void *stack, size_t bytes, void (*begin)(void))
{
	if (getcontext(&c->portable))
		return false;
	c->portable.uc_stack.ss_sp = stack;
	c->portable.uc_stack.ss_size = bytes;
	c->portable.uc_link = NULL;
	makecontext(&c->portable, begin, 0);
	return true;
}

void context_switch(Context *from, Context *to)
{
	swapcontext(&from->portable, &to->portable);
}

#endif
