/* SPDX-License-Identifier: MIT */
/* The .net files that a trainer was compiled from, which it has line by line. */
#ifndef NNR_SOURCE_H
#define NNR_SOURCE_H

#include "runtime/nnr.h"

char *source_text(const NnrSource *file); /* malloc'd */

#endif
