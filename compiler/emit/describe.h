/* SPDX-License-Identifier: MIT */
/* What a step does, in words: for comments, the plan and the table of layers. Private to codegen/. */
#ifndef NNC_DESCRIBE_H
#define NNC_DESCRIBE_H

#include "ir/program.h"
#include "codegen/tensors.h"
#include "program/price.h"

/* By step: that of its nodes; of one without nodes the update. */
Phase *step_phases(Arena *a, const Program *p);
/* "relu(conv(image, weight) + bias)": what the step leaves in memory, over what it reads. With `t`, names are the
 * parameters of its C function, else the program's buffers. Where that is longer than `most` bytes, or nested too
 * deeply to read, the words of step_words instead. */
char *step_formula(Arena *a, const Program *p, const Step *s, const Tensors *t, int most);
/* "[128,28,28,16]  57.8 MFLOP  6.8 MB" */
char *step_measures(Arena *a, const Step *s);
/* What the step takes at least on the device, in microseconds, as if nothing were in its caches. */
double step_least_us(const Step *s, bool tensor_cores, const Device *d, bool *by_memory);
/* What a kernel of the step takes at least there, and by what: "203 us by memory", as if nothing were in its
 * caches; or "latency" where a launch takes longer. */
char *step_bound(Arena *a, const Step *s, bool tensor_cores, const Device *d);
/* The text in lines of at most `width` bytes, where its spaces permit; each but the first begins with `lead`. */
char *wrapped_text(Arena *a, const char *text, int width, const char *lead);
/* Any text made fit for a C comment: bytes outside printable ASCII, and comment ends, replaced. */
char *comment_text(Arena *a, const char *text);

#endif
