/* SPDX-License-Identifier: MIT */
/* Computations that take turns (tests/cuda/context.h): each keeps its variables, in registers and on its stack, through
 * the others' turns; a stack is aligned as vector code wants it; a context is made anew on a stack that has been
 * used. */
#include "tests/cuda/context.h"
#include "tests/unit/check.h"
#include <stdint.h>
#include <stdlib.h>

enum { WALKERS = 3, ROUNDS = 1000, STACK = 1 << 16 };

static Context scheduler, walkers[WALKERS];
static int running;
static double sums[WALKERS];
static bool aligned = true;

/* More values at once than there are registers, of both kinds. */
static void walk(void)
{
	int me = running;
	volatile _Alignas(16) char vector[16] = {0};
	double x[4] = {me, me + 1, me + 2, me + 3};
	int64_t n[8] = {me, me + 1, me + 2, me + 3, me + 4, me + 5, me + 6, me + 7};
	aligned = aligned && (uintptr_t)vector % 16 == 0 && (uintptr_t)__builtin_frame_address(0) % 16 == 0;
	for (;;) {
		context_switch(&walkers[me], &scheduler);
		for (int i = 0; i < 8; i++)
			n[i] += me + i;
		for (int i = 0; i < 4; i++)
			x[i] += 0.5 * (double)n[2 * i + 1];
		sums[me] = x[0] + x[1] + x[2] + x[3];
	}
}

/* The same, without turns. */
static double walked(int me, int rounds)
{
	double x[4] = {me, me + 1, me + 2, me + 3};
	for (int round = 1; round <= rounds; round++)
		for (int i = 0; i < 4; i++)
			x[i] += 0.5 * (double)(me + 2 * i + 1 + round * (me + 2 * i + 1));
	return x[0] + x[1] + x[2] + x[3];
}

static void turn(int walker)
{
	running = walker;
	context_switch(&scheduler, &walkers[walker]);
}

static void take_turns(char *const *stacks)
{
	for (int i = 0; i < WALKERS; i++) {
		CHECK(context_make(&walkers[i], stacks[i], STACK - (size_t)i, walk));
		turn(i);
	}
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < WALKERS; i++)
			turn((i + round) % WALKERS);
	for (int i = 0; i < WALKERS; i++)
		CHECK(sums[i] == walked(i, ROUNDS));
	CHECK(aligned);
}

int main(void)
{
	char *stacks[WALKERS];
	for (int i = 0; i < WALKERS; i++)
		stacks[i] = malloc(STACK);
	take_turns(stacks);
	take_turns(stacks);
	for (int i = 0; i < WALKERS; i++)
		free(stacks[i]);
	return check_report("contexts");
}
