/* What every text of kernels includes when it is compiled for the emulation: that which every kernels.cu includes,
 * ahead of it, so that it can be compiled once. Of the other headers each text has to name its own. */
#include "tests/cuda/device.h"
#include "cuda/nnr_device.h"
