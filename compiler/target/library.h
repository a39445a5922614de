/* Steps that call a library of the runtime. Private to target/. */
#ifndef NNC_LIBRARY_H
#define NNC_LIBRARY_H

#include "target/kernel.h"
#include "target/tensors.h"

/* Writes the body of a STEP_LIBRARY's function: its sizes as a static constant, and the call. */
void library_body(KernelText *k, const Node *n);
/* Of a step whose convolution has an epilogue: the kernel that computes it in place on the convolution's result; and the
 * body, given that kernel's tensors, in which it is called `kernel`. */
Step library_kernel_behind(Arena *a, const Step *s);
void library_body_with_epilogue(KernelText *k, const Node *n, const Tensors *behind);
bool program_uses_library(const Program *p);

#endif
