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
	/* the rows of an image, without the conversions of those three */
	__typeof__(&png_create_read_struct) create;
	__typeof__(&png_create_info_struct) create_info;
	__typeof__(&png_destroy_read_struct) destroy;
	__typeof__(&png_get_error_ptr) context;
	__typeof__(&png_set_read_fn) set_source;
	__typeof__(&png_read_info) read_info;
	__typeof__(&png_get_IHDR) header;
	__typeof__(&png_set_packing) one_a_byte;
	__typeof__(&png_set_interlace_handling) passes;
	__typeof__(&png_read_row) read_row;
} LibPng;
const LibPng *libpng(void);
#endif

#endif
