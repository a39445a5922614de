/* SPDX-License-Identifier: MIT */
/* What a step computes, in the words of the .net file. Private to codegen/. */
#ifndef NNC_LABEL_H
#define NNC_LABEL_H

#include "ir/program.h"

/* An identifier: "conv_bias_relu", "batchnorm_statistics", "relu_batchnorm_backward_sums", "adam". In `a`. */
char *step_label(Arena *a, const Step *s);
/* The path of the block that all of the step is of: "layer1.0"; NULL: there is none. In `a`. */
char *step_layer(Arena *a, const Step *s);
/* Both: "batchnorm_add_relu of layer1.0". */
char *step_words(Arena *a, const Step *s);

#endif
