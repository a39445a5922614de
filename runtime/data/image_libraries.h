/* SPDX-License-Identifier: MIT */
/* The libraries that decode pictures, opened when the first picture needs one: a trainer runs on a machine that has
 * none. Of the last two the functions that are used are stated here, so that nnc is built without their headers. */
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

#include <stddef.h>
#include <stdint.h>

typedef struct WebP {
	/* Of the bytes of a file: whether they begin as one does. */
	int (*size)(const uint8_t *bytes, size_t length, int *width, int *height);
	/* [height, width] of RGBA to `to`, of rows of `stride` bytes; NULL: it can't be decoded. */
	uint8_t *(*decode)(const uint8_t *bytes, size_t length, uint8_t *to, size_t size, int stride);
} WebP;
const WebP *libwebp(void);

typedef struct Tiff Tiff; /* TIFF of tiffio.h */
typedef int64_t TiffTransfer(void *context, void *to, int64_t count);
typedef uint64_t TiffSeek(void *context, uint64_t at, int from);
typedef struct LibTiff {
	Tiff *(*open)(const char *name, const char *mode, void *context, TiffTransfer *read,
	              TiffTransfer *write, TiffSeek *seek, int (*close)(void *), uint64_t (*size)(void *),
	              int (*map)(void *, void **, uint64_t *), void (*unmap)(void *, void *, uint64_t));
	void (*close)(Tiff *);
	int (*field)(Tiff *, uint32_t tag, ...);
	int (*is_tiled)(Tiff *);
	uint64_t (*tile_bytes)(Tiff *);
	uint64_t (*strip_bytes)(Tiff *);
	int (*can_decode)(Tiff *, char why[1024]);
	int (*decode)(Tiff *, uint32_t width, uint32_t height, uint32_t *to, int orientation, int stops);
	void *(*on_error)(void *handler);
	void *(*on_warning)(void *handler);
} LibTiff;
const LibTiff *libtiff(void);

#endif
