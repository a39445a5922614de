/* SPDX-License-Identifier: MIT */
/* Tune records that come with the runtime: of networks in models/, made by their trainers (bench/README.md, "Records").
 * runtime/meson.build makes the texts of bench/tune/. */
#ifndef NNR_CUDA_TUNE_SHIPPED_H
#define NNR_CUDA_TUNE_SHIPPED_H

extern const char *const tune_shipped[]; /* NULL ends them */

#endif
