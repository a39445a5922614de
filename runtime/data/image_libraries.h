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
	__typeof__(&png_create_read_struct) create;
	__typeof__(&png_create_info_struct) create_info;
	__typeof__(&png_destroy_read_struct) destroy;
	__typeof__(&png_get_error_ptr) context;
	__typeof__(&png_set_read_fn) set_source;
	__typeof__(&png_set_keep_unknown_chunks) keep_chunks;
	__typeof__(&png_read_info) read_info;
	__typeof__(&png_get_IHDR) header;
	__typeof__(&png_set_packing) one_a_byte;
	__typeof__(&png_set_expand) expand;
	__typeof__(&png_set_strip_16) high_bytes;
	__typeof__(&png_set_interlace_handling) passes;
	__typeof__(&png_read_update_info) update;
	__typeof__(&png_get_channels) channels;
	__typeof__(&png_read_row) read_row;
} LibPng;
const LibPng *libpng(void);
#endif

#endif
