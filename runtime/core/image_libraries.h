/* libturbojpeg and libpng, opened when the first image needs them: a trainer runs on a machine that has neither. */
#ifndef NNR_IMAGE_LIBRARIES_H
#define NNR_IMAGE_LIBRARIES_H

/* NULL where it is not there. From several threads at once; stays open. */
#ifdef NNR_JPEG
#include <turbojpeg.h>
typedef struct TurboJpeg {
	__typeof__(&tjInitDecompress) init;
	__typeof__(&tjDecompressHeader3) header;
	__typeof__(&tjDecompress2) decompress;
	__typeof__(&tjDestroy) destroy;
} TurboJpeg;
const TurboJpeg *turbojpeg(void);
#endif

#ifdef NNR_PNG
#include <png.h>
typedef struct LibPng {
	__typeof__(&png_image_begin_read_from_memory) begin;
	__typeof__(&png_image_finish_read) finish;
	__typeof__(&png_image_free) free;
} LibPng;
const LibPng *libpng(void);
#endif

#endif
