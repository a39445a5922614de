/* SPDX-License-Identifier: MIT */
/* Steps that call a library of the runtime. Private to codegen/. */
#ifndef NNC_CODEGEN_LIBRARY_H
#define NNC_CODEGEN_LIBRARY_H

#include "codegen/forms.h"
#include "codegen/kernel.h"
#include "codegen/tensors.h"

/* Writes the body of a STEP_LIBRARY's function: its sizes as a static constant, and the call of `function` with a
 * `plan` of its own; `dtype`: an argument, or NULL. No kernel is launched. */
void library_call(KernelText *k, const Node *n, const char *plan, const char *function, const char *dtype);
/* Whether the step is a convolution or a product that an epilogue overwrites, or a product with sums of an operand
 * (passes/epilogue.h). */
bool library_overwrites(const Step *s);
bool library_sums(const Step *s);
/* Of such a step: the kernel that computes what is after the call, an epilogue in place on its result, but sums of its
 * rows beside it; and the body, given that kernel's tensors, in which it is called `after`. */
Step library_kernel_after(Arena *a, const Step *s);
void library_body_with_epilogue(KernelText *k, const Node *n, const Tensors *after);
/* Writes statements that return what stands after an element of a product, given C text of its sum and its bias;
 * where its rows are summed up, what is ahead of their weights. False: that is the sum itself. */
bool library_write_after(Code *w, Arena *a, const Step *s, const char *sum, const char *bias);
const Node *library_bias(const Step *s);   /* NULL: there is none */
const Node *library_weight(const Step *s); /* NULL: its rows are not summed up */
bool program_uses_library(const Program *p);

#endif
