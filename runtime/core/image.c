/* JPEG through libturbojpeg, PNG through libpng's simplified interface, BMP here. Sizes are checked before anything of
 * that size is allocated. */
#include "runtime/core/image.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifdef NNR_JPEG
#include <turbojpeg.h>
#endif
#ifdef NNR_PNG
#include <png.h>
#endif

/* Pixels that a byte of a file can stand for at most, so that a short file can't ask for much memory: a JPEG has at least
 * a bit for 8x8 of them, and deflate makes of a byte no more than 1032, each of eight pixels in a PNG. */
enum { MAX_PIXELS = 64 << 20, JPEG_PIXELS = 8 * 64, PNG_PIXELS = 8 * 1032 };

static const char cut_short[] = "it is cut short";
static const char too_large[] = "it has more than 64 Mi pixels";
static const char no_memory[] = "there is no memory for it";

static const char *picture_allocate(Picture *p, int64_t height, int64_t width, int channels)
{
	if (height < 1 || width < 1)
		return "it has no pixels";
	if (height > MAX_PIXELS || width > MAX_PIXELS || height * width > MAX_PIXELS)
		return too_large;
	*p = (Picture){height, width, channels, true, malloc((size_t)(height * width * channels))};
	return p->pixels ? NULL : no_memory;
}

static void picture_drop(Picture *p)
{
	free(p->pixels);
	p->pixels = NULL;
}

/* ---- JPEG */

#ifdef NNR_JPEG
/* A decoder of the file's own: one that is kept remembers the tables of the files before and, after a mistake in one,
 * refuses those that follow. Making it takes a few microseconds. */
static const char *decode_jpeg_by(tjhandle decoder, const uint8_t *bytes, int64_t length, int channels,
                                  Picture *out)
{
	int width = 0, height = 0, subsampling, colours = -1; /* stay where there are tables alone */
	if (tjDecompressHeader3(decoder, bytes, (unsigned long)length, &width, &height, &subsampling,
	                        &colours) != 0)
		return "it is no JPEG";
	if ((int64_t)width * height > length * JPEG_PIXELS)
		return cut_short;
	const char *why = picture_allocate(out, height, width, channels);
	if (why)
		return why;
	out->colour = colours != TJCS_GRAY;
	/* A warning (a file cut short, say) is refused like an error: half an image is no sample. */
	if (tjDecompress2(decoder, bytes, (unsigned long)length, out->pixels, width, 0, height,
	                  channels == 1 ? TJPF_GRAY : TJPF_RGB,
	                  TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING) != 0) {
		picture_drop(out);
		return colours == TJCS_CMYK || colours == TJCS_YCCK ? "it is a CMYK JPEG"
		                                                    : "its JPEG data is damaged";
	}
	return NULL;
}
#endif

static const char *decode_jpeg(const uint8_t *bytes, int64_t length, int channels, Picture *out)
{
#ifdef NNR_JPEG
	tjhandle decoder = tjInitDecompress();
	const char *why = decoder ? decode_jpeg_by(decoder, bytes, length, channels, out) : no_memory;
	if (decoder)
		tjDestroy(decoder);
	return why;
#else
	return "this trainer was built without JPEG (libturbojpeg)";
#endif
}

/* ---- PNG */

static const char *decode_png(const uint8_t *bytes, int64_t length, int channels, Picture *out)
{
#ifdef NNR_PNG
	png_image image = {.version = PNG_IMAGE_VERSION};
	png_color black = {0, 0, 0}; /* what shows through transparent pixels */
	if (!png_image_begin_read_from_memory(&image, bytes, (size_t)length))
		return "it is no PNG";
	bool possible = (int64_t)image.height * image.width <= length * PNG_PIXELS;
	const char *why = possible ? picture_allocate(out, image.height, image.width, channels) : cut_short;
	out->colour = image.format & PNG_FORMAT_FLAG_COLOR;
	image.format = channels == 1 ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
	if (!why && !png_image_finish_read(&image, &black, out->pixels, 0, NULL)) {
		picture_drop(out);
		why = "its PNG data is damaged";
	}
	png_image_free(&image);
	return why;
#else
	return "this trainer was built without PNG (libpng)";
#endif
}

/* ---- BMP: uncompressed, 8 (palette), 24 or 32 bits a pixel */

static int64_t le32(const uint8_t *b)
{
	return (int32_t)((uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
}

/* Rec. 601, as JPEG's own conversion. */
static void put_pixel(uint8_t *to, int channels, uint8_t red, uint8_t green, uint8_t blue)
{
	if (channels == 1) {
		*to = (uint8_t)((19595 * red + 38470 * green + 7471 * blue + 32768) >> 16);
		return;
	}
	to[0] = red;
	to[1] = green;
	to[2] = blue;
}

static const char *decode_bmp(const uint8_t *b, int64_t length, int channels, Picture *out)
{
	if (length < 54 || b[0] != 'B' || b[1] != 'M')
		return "it is no BMP";
	int64_t start = le32(b + 10), info = le32(b + 14), width = le32(b + 18), height = le32(b + 22);
	int64_t bits = b[28] | b[29] << 8, compression = le32(b + 30), colours = le32(b + 46);
	bool top_down = height < 0;
	height = llabs(height);
	if (info < 40 || compression != 0 || (bits != 8 && bits != 24 && bits != 32))
		return "it is a BMP of a kind that is not read (uncompressed 8, 24 and 32 bits are)";
	if (width < 1 || width > MAX_PIXELS || height > MAX_PIXELS)
		return "its size is not possible";
	if (colours == 0)
		colours = 256;
	int64_t row = (width * bits + 31) / 32 * 4, palette = 14 + info;
	if (start < 54 || start > length || row * height > length - start)
		return cut_short;
	if (bits == 8 && (colours < 0 || colours > 256 || palette + 4 * colours > length))
		return "its palette is cut short";
	const char *why = picture_allocate(out, height, width, channels);
	if (why)
		return why;
	uint8_t *to = out->pixels;
	out->colour = false;
	for (int64_t y = 0; y < height; y++) {
		const uint8_t *line = b + start + row * (top_down ? y : height - 1 - y);
		for (int64_t x = 0; x < width; x++, to += channels) {
			const uint8_t *from = line + x * bits / 8;
			if (bits == 8 && *from >= colours) {
				picture_drop(out);
				return "a pixel lies outside its palette";
			}
			if (bits == 8)
				from = b + palette + 4 * *from;
			out->colour |= from[0] != from[1] || from[1] != from[2]; /* a palette may be grey */
			put_pixel(to, channels, from[2], from[1], from[0]);
		}
	}
	return NULL;
}

/* ---- all */

static const struct {
	const char *suffix, *kind;
	const char *(*decode)(const uint8_t *bytes, int64_t length, int channels, Picture *out);
} kinds[] = {{".jpg", "jpg", decode_jpeg},
             {".jpeg", "jpg", decode_jpeg},
             {".png", "png", decode_png},
             {".bmp", "bmp", decode_bmp}};

enum { KINDS = sizeof kinds / sizeof *kinds };

const char *image_kind(const char *name)
{
	size_t n = strlen(name);
	for (int i = 0; i < KINDS; i++) {
		size_t m = strlen(kinds[i].suffix);
		if (n > m && strcasecmp(name + n - m, kinds[i].suffix) == 0)
			return kinds[i].kind;
	}
	return NULL;
}

const char *image_decode(const char *kind, const uint8_t *bytes, int64_t length, int channels, Picture *out)
{
	for (int i = 0; i < KINDS; i++)
		if (strcmp(kinds[i].kind, kind) == 0)
			return kinds[i].decode(bytes, length, channels, out);
	return "its kind is unknown";
}
