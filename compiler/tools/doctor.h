/* SPDX-License-Identifier: MIT */
/* nnc doctor: what this machine has of all that nnc and its trainers can use, and how to get what it lacks. */
#ifndef NNC_DOCTOR_H
#define NNC_DOCTOR_H

#include "driver/options.h"

/* Prints a line for each; EXIT_TOOL where nnc can make no trainer for the CPU here. */
int command_doctor(Arena *a, const Options *o);

#endif
