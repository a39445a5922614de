/* The update as up to three steps, of which one runs beside the backward chain and one beside the last weight
 * gradients. */
#ifndef NNC_SPLIT_UPDATE_H
#define NNC_SPLIT_UPDATE_H

#include "ir/program.h"

enum { SPLIT_UPDATE_FEWEST = 1 << 20 }; /* with Adam 30 MB to move, some 10 us: less is not worth a launch */

/* Of a training program, after `lower` and before `assign_buffers`. A part but the last has at least `fewest`
 * parameters; where there is no such part, the program stays as it is. */
void split_update(Program *p, int64_t fewest);

#endif
