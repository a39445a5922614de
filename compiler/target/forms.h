/* What each dialect writes for a kernel's loop nest. Private to target/. */
#ifndef NNC_FORMS_H
#define NNC_FORMS_H

#include "target/body.h"

void write_loops_cpu(Body *e); /* loops_cpu.c: C with OpenMP, into e->w */

#endif
