/* The update as two steps, of which one need not wait for the last weight gradients. */
#ifndef NNC_SPLIT_UPDATE_H
#define NNC_SPLIT_UPDATE_H

#include "ir/program.h"

enum { SPLIT_UPDATE_FEWEST = 1 << 20 }; /* with Adam 30 MB to move, some 10 us: less is not worth a launch */

/* Of a training program, after `lower` and before `assign_buffers`. `fewest` parameters must be ready early; where no range
 * of that size is, the program stays as it is. */
void split_update(Program *p, int64_t fewest);

#endif
