/* The periods of an unrolled loop over time on the CPU: rows are samples, and each thread takes its share of them from
 * the first period to the last. Private to codegen/. */
#ifndef NNC_ROW_SHARES_H
#define NNC_ROW_SHARES_H

#include "ir/program.h"

/* Of a step that the pass has marked, the rows that its threads share out; 0: it is none. */
int64_t shared_rows(const Program *p, const Step *s);

#endif
