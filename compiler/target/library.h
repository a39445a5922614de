/* Steps that call a library of the runtime. Private to target/. */
#ifndef NNC_LIBRARY_H
#define NNC_LIBRARY_H

#include "target/kernel.h"

/* Writes the body of a STEP_LIBRARY's function: its sizes as a static constant, and the call. */
void library_body(KernelText *k, const Node *n);
bool program_uses_library(const Program *p);

#endif
