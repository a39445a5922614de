/* SPDX-License-Identifier: MIT */
/* The names that another program has for the model's tensors: --init-map, and --names of `export`.
 *
 * `torchvision`: those of its ResNet-18 to -152, VGG-16 and -19 and AlexNet, whose layers the model's are compared
 * with, kind by kind, in the order of definition. Anything else is the path of a table: lines of a name of the model
 * and the name that the other program has for it, of a tensor or of a layer, or two that end in `*` for all that begins
 * so; the first that fits holds. `#` begins a comment, and a line `layout nnc` says that the elements are in nnc's
 * order; else they are in PyTorch's. */
#ifndef NNR_NAMES_H
#define NNR_NAMES_H

#include "runtime/nnr.h"

typedef struct Names {
	char **params, **states; /* in the order of the model's tables; malloc'd */
	bool torch;              /* the elements are in PyTorch's order */
} Names;

/* `map` NULL: the model's own names. Dies with STATUS_DATA where the table is damaged, where a line fits no tensor, or
 * where the model is none of torchvision's. */
Names tensor_names_new(const NnrModel *m, const char *map);
void tensor_names_free(const NnrModel *m, Names *names);

#endif
