/* Loops of lrn and its gradient: lrn.c, lrn_loops.c. */
#ifndef NNC_LRN_H
#define NNC_LRN_H

#include "ir/op.h"

/* Channels of a window on either side of its own. */
int64_t lrn_reach(const Node *n);
/* alpha/size, the factor of a sum of squares. */
double lrn_factor(const Node *n);

void lrn_emit(KernelText *k, const Node *n);
void lrn_emit_cuda(KernelText *k, const Node *n);
int64_t lrn_cuda_threads(const Node *n);

#endif
