/* SPDX-License-Identifier: MIT */
/* The command `export`: weights, or the whole network, for other programs. */
#ifndef NNR_EXPORT_H
#define NNR_EXPORT_H

#include "runtime/session/session.h"

/* Reads the weights that the options name and writes --out in the --format that they ask for; neither data nor device
 * is needed. Returns STATUS_OK; dies with STATUS_DATA. */
int session_export(Session *s);

#endif
