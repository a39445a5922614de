/* SPDX-License-Identifier: MIT */
#include "runtime/data/image_libraries.h"
#include "runtime/host/file.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct Symbol {
	const char *name;
	void *to; /* a pointer to a function */
} Symbol;

/* All of them or, false, none that may be called: why is put to `missing`, with what there is to install. A file may be
 * there and not be loaded: it is of another machine, or the process has no memory or no files left for it. */
static bool open_library(const char *file, const Symbol *symbols, size_t count, const char *package,
                         char missing[MACHINE_BYTES])
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	bool all = library != NULL;
	for (size_t i = 0; all && i < count; i++) {
		void *function = dlsym(library, symbols[i].name);
		all = function != NULL;
		if (all)
			memcpy(symbols[i].to, &function, sizeof function);
	}
	const char *why = all ? NULL : dlerror();
	if (!all)
		snprintf(missing, MACHINE_BYTES, "what decodes it can't be loaded: %s (Debian: %s)",
		         why ? why : file, package);
	return all;
}

#ifdef NNR_JPEG
static TurboJpeg jpeg;
static bool has_jpeg;

static void open_jpeg(void)
{
	const Symbol symbols[] = {{"tjInitDecompress", &jpeg.init},
	                          {"tjDecompressHeader3", &jpeg.header},
	                          {"tjDecompress2", &jpeg.decompress},
	                          {"tjDestroy", &jpeg.destroy}};
	has_jpeg = open_library("libturbojpeg.so.0", symbols, sizeof symbols / sizeof *symbols,
	                        "libturbojpeg0", machine_no_library[LIBRARY_JPEG]);
}

const TurboJpeg *turbojpeg(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, open_jpeg);
	return has_jpeg ? &jpeg : NULL;
}
#endif

#ifdef NNR_PNG
static LibPng png;
static bool has_png;

#define TEXT_OF(word)    #word
#define TEXT(word)       TEXT_OF(word)
#define PNG_FILE(number) "libpng" TEXT(number) ".so." TEXT(number)

static void open_png(void)
{
	const Symbol symbols[] = {{"png_create_read_struct", &png.create},
	                          {"png_create_info_struct", &png.create_info},
	                          {"png_destroy_read_struct", &png.destroy},
	                          {"png_get_error_ptr", &png.context},
	                          {"png_set_read_fn", &png.set_source},
	                          {"png_set_keep_unknown_chunks", &png.keep_chunks},
	                          {"png_read_info", &png.read_info},
	                          {"png_get_IHDR", &png.header},
	                          {"png_set_packing", &png.one_a_byte},
	                          {"png_set_expand", &png.expand},
	                          {"png_set_strip_16", &png.high_bytes},
	                          {"png_set_interlace_handling", &png.passes},
	                          {"png_read_update_info", &png.update},
	                          {"png_get_channels", &png.channels},
	                          {"png_read_row", &png.read_row}};
	has_png = open_library(PNG_FILE(PNG_LIBPNG_VER_SONUM), symbols, sizeof symbols / sizeof *symbols,
	                       "libpng16-16", machine_no_library[LIBRARY_PNG]);
}

const LibPng *libpng(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, open_png);
	return has_png ? &png : NULL;
}
#endif

static WebP webp;
static bool has_webp;

static void open_webp(void)
{
	const Symbol symbols[] = {{"WebPGetInfo", &webp.size}, {"WebPDecodeRGBAInto", &webp.decode}};
	has_webp = open_library("libwebp.so.7", symbols, sizeof symbols / sizeof *symbols, "libwebp7",
	                        machine_no_library[LIBRARY_WEBP]);
}

const WebP *libwebp(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, open_webp);
	return has_webp ? &webp : NULL;
}

static LibTiff tiff;
static bool has_tiff;

/* Versions 5 and 6 of its interface have these functions in the same form. */
static void open_tiff(void)
{
	const Symbol symbols[] = {
	        {"TIFFClientOpen", &tiff.open},          {"TIFFClose", &tiff.close},
	        {"TIFFGetFieldDefaulted", &tiff.field},  {"TIFFIsTiled", &tiff.is_tiled},
	        {"TIFFTileSize64", &tiff.tile_bytes},    {"TIFFStripSize64", &tiff.strip_bytes},
	        {"TIFFRGBAImageOK", &tiff.can_decode},   {"TIFFReadRGBAImageOriented", &tiff.decode},
	        {"TIFFSetErrorHandler", &tiff.on_error}, {"TIFFSetWarningHandler", &tiff.on_warning}};
	size_t count = sizeof symbols / sizeof *symbols;
	char *missing = machine_no_library[LIBRARY_TIFF];
	has_tiff = open_library("libtiff.so.5", symbols, count, "libtiff5", missing) ||
	           open_library("libtiff.so.6", symbols, count, "libtiff6", missing);
	if (has_tiff) {
		tiff.on_error(NULL);
		tiff.on_warning(NULL);
	}
}

const LibTiff *libtiff(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, open_tiff);
	return has_tiff ? &tiff : NULL;
}
