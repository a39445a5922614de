/* SPDX-License-Identifier: MIT */
/* Generated code line by line: which steps of the training program each line is of; and what compilers make of it, with
 * the line that each instruction came from. */
#ifndef NNC_EXPLORE_CODE_H
#define NNC_EXPLORE_CODE_H

#include "emit/compiled.h"
#include "explore/sets.h"

typedef struct CodeLine {
	const char *text;
	int of; /* of code: the set of its steps; of instructions: the line of the code, from 1. -1: none */
} CodeLine;

typedef struct CodeText {
	const char *name, *language; /* "resnet50.c"; "C", "CUDA C", "x86-64", "PTX" */
	ARRAY(CodeLine) lines;
} CodeText;

/* Of the host's C: functions that steps call, and the calls; of kernels.cu: the kernels. */
CodeText code_of_host(Arena *a, IntSets *steps, const Emitted *e, const char *name);
CodeText code_of_kernels(Arena *a, IntSets *steps, const Emitted *e, const char *name);
/* The lines that include headers. */
char *code_includes(Arena *a, const char *text);
/* What is instructions or a label in the output of a C compiler (-S -g1) and of NVRTC. `file`: how the name of the code
 * ends there. */
CodeText code_of_assembler(Arena *a, const char *text, const char *file);
CodeText code_of_ptx(Arena *a, const char *text, const char *file);
/* Of nvdisasm --print-code --print-line-info-inline; without addresses. */
CodeText code_of_sass(Arena *a, const char *text, const char *file);

#endif
