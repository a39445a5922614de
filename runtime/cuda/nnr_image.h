/* Convolutions of images with few channels: what their kernels are made of. */
#ifndef NNR_IMAGE_H
#define NNR_IMAGE_H

#include "cuda/nnr_device.h"

#endif
