/* SPDX-License-Identifier: MIT */
/* What the parts of the test of a CUDA trainer share: running it in a child, on either target, and comparing what two
 * runs leave. The parts, `trainer_*.c`, work in one folder, in the order of main. */
#ifndef NNC_TESTS_TRAINER_H
#define NNC_TESTS_TRAINER_H

#include "tests/cuda/line_model.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

/* 32 samples, 8 steps an epoch; 11 held out: two batches and three. */
#define DATA "--data synth:random,samples=43 --quiet "

enum { MOST_WORDS = 32, PACES = 3 };

extern const char *fake; /* the fake driver; NULL: a real GPU */

/* How long a step seems to be decides how many are in a graph: 1, 3 (an epoch of 8 is 3 + 3 + 2), 8. */
extern const char *const paces[PACES];

typedef struct Run {
	const char *line, *settings; /* "FAKE_CUDA_ARCH=75 FAKE_CUDA_FAIL=3" */
	bool cuda;
} Run;

/* The environment, the model and the words of a run, whose number it returns; for a child. */
int prepare(const Run *run, char *argv[MOST_WORDS]);
/* For run_child: the trainer itself, of a Run. */
int act(void *run);
/* Whether it ends with this status and says this. */
bool ends(bool cuda, const char *settings, const char *line, int status, const char *says);

bool same_logs(const char *a, const char *b);      /* except for what the clock decides */
bool same_trainings(const char *a, const char *b); /* checkpoints, except for the target */

/* Equal to the CPU bit for bit, however a training is run. Leaves whole.st, a training of DATA. */
void check_trainings(void);
/* What else comes out is the CPU's too. Needs whole.st; leaves cpu.squares.npy, the predictions. */
void check_outputs(void);
/* The library form's instances too, in place of trainers. */
void check_library(void);
/* What is said when the machine lacks something or a call fails; on the fake driver. Needs both. */
void check_faults(void);

#endif
