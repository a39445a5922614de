/* JPEG through libturbojpeg, PNG through libpng, BMP here. Sizes are checked before anything of that size is
 * allocated. Pixels are what the file stores: of a PNG neither gAMA nor a profile changes them, of 16 bits the high
 * byte is taken. */
#include "runtime/data/image.h"
#include "runtime/core/file.h"
#include "runtime/data/image_libraries.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Pixels that a byte of a file can stand for at most, so that a short file can't ask for much memory: a JPEG has at
 * least a bit for 8x8 of them, and deflate makes of a byte no more than 1032, each of eight pixels in a PNG. */
enum { MAX_PIXELS = 64 << 20, JPEG_PIXELS = 8 * 64, PNG_PIXELS = 8 * 1032 };

static const char cut_short[] = "it is cut short";
static const char too_large[] = "it has more than 64 Mi pixels";

static const char *check_size(int64_t height, int64_t width)
{
	if (height < 1 || width < 1)
		return "it has no pixels";
	if (height > MAX_PIXELS || width > MAX_PIXELS || height * width > MAX_PIXELS)
		return too_large;
	return NULL;
}

static const char *picture_allocate(Picture *p, int64_t height, int64_t width, int channels)
{
	const char *why = check_size(height, width);
	if (why)
		return why;
	*p = (Picture){.height = height,
	               .width = width,
	               .channels = channels,
	               .colour = true,
	               .pixels = malloc((size_t)(height * width * channels))};
	return p->pixels ? NULL : machine_no_memory;
}

static void picture_drop(Picture *p)
{
	free(p->pixels);
	p->pixels = NULL;
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

/* ---- JPEG */

#ifdef NNR_JPEG
/* Of progressive JPEGs, scans times pixels: each scan goes through all pixels, and may be a hundred bytes long.
 * Files in use have 10 scans or so; 64 Mi pixels may have 32. */
static const int64_t MAX_SCANNED = (int64_t)32 * MAX_PIXELS;

/* libjpeg rounds up. */
static int64_t reduced(int64_t pixels, int reduce)
{
	return (pixels + reduce - 1) / reduce;
}

/* Size and colours, without pixels. */
static const char *look_at_jpeg_by(tjhandle decoder, const uint8_t *bytes, int64_t length, int64_t whole,
                                   Picture *out)
{
	int width = 0, height = 0, subsampling, colours = -1; /* stay where there are tables alone */
	if (turbojpeg()->header(decoder, bytes, (unsigned long)length, &width, &height, &subsampling,
	                        &colours) != 0)
		return "it is no JPEG";
	if (colours == TJCS_CMYK || colours == TJCS_YCCK)
		return "it is a CMYK JPEG";
	*out = (Picture){.height = height, .width = width, .colour = colours != TJCS_GRAY};
	return (int64_t)width * height > whole * JPEG_PIXELS ? cut_short : check_size(height, width);
}

/* Of a JPEG (ITU-T T.81, annex B): each SOS begins one. In their bytes 0xff is followed by 0, or begins a marker; other
 * segments, in which a thumbnail may have scans of its own, are passed by their length. */
static int64_t count_scans(const uint8_t *bytes, int64_t length)
{
	enum { FIRST_ALONE = 0xd0, START = 0xd8, END = 0xd9, SCAN = 0xda };
	int64_t scans = 0, at = 0;
	while (at + 1 < length) {
		const uint8_t *found = memchr(bytes + at, 0xff, (size_t)(length - at - 1));
		if (!found)
			break;
		at = found - bytes + 1;
		int marker = bytes[at];
		if (marker == 0xff || marker <= 1 || (marker >= FIRST_ALONE && marker <= START))
			continue;
		if (marker == END || at + 2 >= length)
			break;
		scans += marker == SCAN;
		at += 1 + (bytes[at + 1] << 8 | bytes[at + 2]);
	}
	return scans;
}

static const char *decode_jpeg_by(tjhandle decoder, const uint8_t *bytes, int64_t length, int channels,
                                  int reduce, Picture *out)
{
	Picture whole;
	const char *why = look_at_jpeg_by(decoder, bytes, length, length, &whole);
	if (!why && count_scans(bytes, length) > MAX_SCANNED / (whole.height * whole.width))
		return "it has too many scans for its size";
	if (!why)
		why = picture_allocate(out, reduced(whole.height, reduce), reduced(whole.width, reduce),
		                       channels);
	if (why)
		return why;
	out->colour = whole.colour;
	/* A warning (a file cut short, say) is refused like an error: half an image is no sample. */
	if (turbojpeg()->decompress(decoder, bytes, (unsigned long)length, out->pixels, (int)out->width, 0,
	                            (int)out->height, channels == 1 ? TJPF_GRAY : TJPF_RGB,
	                            TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING) != 0) {
		picture_drop(out);
		return "its JPEG data is damaged";
	}
	return NULL;
}
#else
static const char no_jpeg[] = "this trainer was built without JPEG (libturbojpeg)";
#endif

/* A decoder of the file's own: one that is kept remembers the tables of the files before and, after a mistake in one,
 * refuses those that follow. Making it takes a few microseconds. */
static const char *look_at_jpeg(const uint8_t *bytes, int64_t length, int64_t whole, Picture *out)
{
#ifdef NNR_JPEG
	if (!turbojpeg())
		return machine_no_jpeg;
	tjhandle decoder = turbojpeg()->init();
	const char *why = decoder ? look_at_jpeg_by(decoder, bytes, length, whole, out) : machine_no_memory;
	if (decoder)
		turbojpeg()->destroy(decoder);
	return why;
#else
	return no_jpeg;
#endif
}

static const char *decode_jpeg(const uint8_t *bytes, int64_t length, int channels, int reduce, Picture *out)
{
#ifdef NNR_JPEG
	if (!turbojpeg())
		return machine_no_jpeg;
	tjhandle decoder = turbojpeg()->init();
	const char *why =
	        decoder ? decode_jpeg_by(decoder, bytes, length, channels, reduce, out) : machine_no_memory;
	if (decoder)
		turbojpeg()->destroy(decoder);
	return why;
#else
	return no_jpeg;
#endif
}

/* ---- PNG */

#ifdef NNR_PNG
typedef struct PngReader {
	const uint8_t *bytes;
	int64_t left;
	png_structp png;
	png_infop info;
	png_uint_32 width, height;
	int bits, colour;
	uint8_t *rows; /* of a picture: [height, width] pixels of the file's channels, of 8 bits */
	int channels;
	jmp_buf failed;
} PngReader;

static _Noreturn void png_failed(png_structp png, png_const_charp message)
{
	(void)message;
	longjmp(((PngReader *)libpng()->context(png))->failed, 1);
}

static void png_warned(png_structp png, png_const_charp message)
{
	(void)png, (void)message;
}

static void png_more(png_structp png, png_bytep to, size_t count)
{
	PngReader *r = libpng()->context(png);
	if ((int64_t)count > r->left)
		png_failed(png, cut_short);
	memcpy(to, r->bytes, count);
	r->bytes += count;
	r->left -= (int64_t)count;
}

/* What is to be done with a PNG whose header has been read. libpng returns to png_run's setjmp from any of its
 * functions that fails, so that what is to be freed is in the reader and in `out`. */
typedef const char *PngTask(PngReader *r, int64_t length, int channels, Picture *out);

/* Chunks that are no pixels are not looked at: none of them may change a pixel, or take memory. */
static const char *png_run(PngReader *r, PngTask *task, int64_t length, int channels, Picture *out)
{
	const LibPng *l = libpng();
	if (setjmp(r->failed))
		return out->pixels ? "its PNG data is damaged" : "it is no PNG";
	r->png = l->create(PNG_LIBPNG_VER_STRING, r, png_failed, png_warned);
	r->info = r->png ? l->create_info(r->png) : NULL;
	if (!r->info)
		return machine_no_memory;
	l->keep_chunks(r->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
	l->set_source(r->png, r, png_more);
	l->read_info(r->png, r->info);
	l->header(r->png, r->info, &r->width, &r->height, &r->bits, &r->colour, NULL, NULL, NULL);
	return task(r, length, channels, out);
}

/* `length` of the file's bytes, which has `whole`. */
static const char *png_read(PngTask *task, const uint8_t *bytes, int64_t length, int64_t whole, int channels,
                            Picture *out)
{
	PngReader reader = {.bytes = bytes, .left = length};
	if (!libpng())
		return machine_no_png;
	*out = (Picture){0};
	const char *why = png_run(&reader, task, whole, channels, out);
	libpng()->destroy(&reader.png, &reader.info, NULL);
	free(reader.rows);
	if (why)
		picture_drop(out);
	return why;
}

static bool is_too_short(const PngReader *r, int64_t length)
{
	return (int64_t)r->height * r->width > length * PNG_PIXELS;
}

static const char *png_size(PngReader *r, int64_t length, int channels, Picture *out)
{
	(void)channels;
	*out = (Picture){
	        .height = r->height, .width = r->width, .colour = (r->colour & PNG_COLOR_MASK_COLOR) != 0};
	return is_too_short(r, length) ? cut_short : check_size(out->height, out->width);
}

/* An interlaced PNG comes in seven passes over its rows. */
static void png_rows(PngReader *r, uint8_t *to, int64_t row_bytes)
{
	for (int passes = libpng()->passes(r->png); passes > 0; passes--)
		for (int64_t y = 0; y < (int64_t)r->height; y++)
			libpng()->read_row(r->png, to + y * row_bytes, NULL);
}

/* Of a stored value that is so opaque, on black. */
static uint8_t on_black(int value, int opaque)
{
	return (uint8_t)((value * opaque + UINT8_MAX / 2) / UINT8_MAX);
}

/* Transparency is blended in the values that the file stores. */
static const char *png_picture(PngReader *r, int64_t length, int channels, Picture *out)
{
	const LibPng *l = libpng();
	const char *why =
	        is_too_short(r, length) ? cut_short : picture_allocate(out, r->height, r->width, channels);
	if (why)
		return why;
	out->colour = (r->colour & PNG_COLOR_MASK_COLOR) != 0;
	l->expand(
	        r->png); /* a palette to its colours, 1, 2 and 4 bits to 8, a transparent colour to opacity */
	l->high_bytes(r->png);
	(void)l->passes(r->png); /* ahead of `update`, which it changes */
	l->update(r->png, r->info);
	r->channels = l->channels(r->png, r->info);
	r->rows = malloc((size_t)(out->height * out->width * r->channels));
	if (!r->rows)
		return machine_no_memory;
	png_rows(r, r->rows, out->width * r->channels);
	const bool is_grey = r->channels < 3, has_opacity = r->channels % 2 == 0;
	const uint8_t *from = r->rows;
	uint8_t *to = out->pixels;
	for (int64_t i = 0; i < out->height * out->width; i++, from += r->channels, to += channels) {
		int opaque = has_opacity ? from[r->channels - 1] : UINT8_MAX;
		put_pixel(to, channels, on_black(from[0], opaque), on_black(from[is_grey ? 0 : 1], opaque),
		          on_black(from[is_grey ? 0 : 2], opaque));
	}
	return NULL;
}

/* Why a PNG of this kind has no byte a pixel that could be a class. */
static const char *check_values(int bits, int colour)
{
	if (bits == 16)
		return "it is a PNG of 16 bits: write a mask's classes as 8-bit grey";
	if (colour == PNG_COLOR_TYPE_GRAY_ALPHA)
		return "it is a PNG of grey with transparency: write a mask's classes as 8-bit grey";
	if (colour == PNG_COLOR_TYPE_RGB || colour == PNG_COLOR_TYPE_RGB_ALPHA)
		return "it is an RGB PNG: write a mask's classes as 8-bit grey or as indices of a palette";
	return NULL;
}

static const char *png_values(PngReader *r, int64_t length, int channels, Picture *out)
{
	const char *why = check_values(r->bits, r->colour);
	if (!why)
		why = is_too_short(r, length) ? cut_short
		                              : picture_allocate(out, r->height, r->width, channels);
	if (why)
		return why;
	libpng()->one_a_byte(r->png); /* 1, 2 and 4 bits, unscaled */
	png_rows(r, out->pixels, out->width);
	out->colour = false;
	out->palette = r->colour == PNG_COLOR_TYPE_PALETTE;
	return NULL;
}
#define READ_PNG(...) png_read(__VA_ARGS__)
#else
#define READ_PNG(...) "this trainer was built without PNG (libpng)"
#endif

static const char *look_at_png(const uint8_t *bytes, int64_t length, int64_t whole, Picture *out)
{
	return READ_PNG(png_size, bytes, length, whole, 0, out);
}

static const char *decode_png(const uint8_t *bytes, int64_t length, int channels, int reduce, Picture *out)
{
	return READ_PNG(png_picture, bytes, length, length, channels, out);
}

static const char *decode_png_values(const uint8_t *bytes, int64_t length, Picture *out)
{
	return READ_PNG(png_values, bytes, length, length, 1, out);
}

/* ---- BMP: uncompressed, 8 (palette), 24 or 32 bits a pixel */

static int64_t le32(const uint8_t *b)
{
	return (int32_t)((uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
}

typedef struct Bmp {
	int64_t start, palette, colours, bits, row;
	bool top_down;
} Bmp;

static const char *read_bmp_header(const uint8_t *b, int64_t length, int64_t whole, Bmp *bmp, Picture *out)
{
	if (length < 54 || b[0] != 'B' || b[1] != 'M')
		return "it is no BMP";
	int64_t info = le32(b + 14), width = le32(b + 18), height = le32(b + 22), compression = le32(b + 30);
	*bmp = (Bmp){.start = le32(b + 10),
	             .palette = 14 + info,
	             .colours = le32(b + 46),
	             .bits = b[28] | b[29] << 8,
	             .top_down = height < 0};
	height = llabs(height);
	if (info < 40 || compression != 0 || (bmp->bits != 8 && bmp->bits != 24 && bmp->bits != 32))
		return "it is a BMP of a kind that is not read (uncompressed 8, 24 and 32 bits are)";
	if (width < 1 || width > MAX_PIXELS || height > MAX_PIXELS)
		return "its size is not possible";
	if (bmp->colours == 0)
		bmp->colours = 256;
	bmp->row = (width * bmp->bits + 31) / 32 * 4;
	if (bmp->start < 54 || bmp->start > whole || bmp->row * height > whole - bmp->start)
		return cut_short;
	if (bmp->bits == 8 &&
	    (bmp->colours < 0 || bmp->colours > 256 || bmp->palette + 4 * bmp->colours > whole))
		return "its palette is cut short";
	*out = (Picture){.height = height, .width = width, .colour = bmp->bits != 8};
	for (int64_t i = bmp->palette;
	     bmp->bits == 8 && i < bmp->palette + 4 * bmp->colours && i + 2 < length; i += 4)
		out->colour |= b[i] != b[i + 1] || b[i + 1] != b[i + 2];
	return check_size(height, width);
}

static const char *look_at_bmp(const uint8_t *bytes, int64_t length, int64_t whole, Picture *out)
{
	Bmp bmp;
	return read_bmp_header(bytes, length, whole, &bmp, out);
}

static const char *decode_bmp(const uint8_t *b, int64_t length, int channels, int reduce, Picture *out)
{
	Bmp bmp;
	const char *why = read_bmp_header(b, length, length, &bmp, out);
	if (!why)
		why = picture_allocate(out, out->height, out->width, channels);
	if (why)
		return why;
	uint8_t *to = out->pixels;
	out->colour = false;
	for (int64_t y = 0; y < out->height; y++) {
		const uint8_t *line = b + bmp.start + bmp.row * (bmp.top_down ? y : out->height - 1 - y);
		for (int64_t x = 0; x < out->width; x++, to += channels) {
			const uint8_t *from = line + x * bmp.bits / 8;
			if (bmp.bits == 8 && *from >= bmp.colours) {
				picture_drop(out);
				return "a pixel lies outside its palette";
			}
			if (bmp.bits == 8)
				from = b + bmp.palette + 4 * *from;
			out->colour |= from[0] != from[1] || from[1] != from[2]; /* a palette may be grey */
			put_pixel(to, channels, from[2], from[1], from[0]);
		}
	}
	return NULL;
}

static const char *decode_bmp_values(const uint8_t *bytes, int64_t length, Picture *out)
{
	const char *why = decode_bmp(bytes, length, 1, 1, out);
	if (why || !out->colour)
		return why;
	picture_drop(out);
	return "it is a BMP in colour: write a mask's classes as 8-bit grey";
}

static const char *decode_jpeg_values(const uint8_t *bytes, int64_t length, Picture *out)
{
	return "a JPEG keeps no value as it was: write a mask's classes as PNG of 8-bit grey";
}

/* ---- all */

static const struct {
	const char *suffix, *kind;
	const char *(*look)(const uint8_t *bytes, int64_t length, int64_t whole, Picture *out);
	const char *(*decode)(const uint8_t *bytes, int64_t length, int channels, int reduce, Picture *out);
	const char *(*decode_values)(const uint8_t *bytes, int64_t length, Picture *out);
	int most_reduced;
} kinds[] = {{".jpg", "jpg", look_at_jpeg, decode_jpeg, decode_jpeg_values, 8},
             {".jpeg", "jpg", look_at_jpeg, decode_jpeg, decode_jpeg_values, 8},
             {".png", "png", look_at_png, decode_png, decode_png_values, 1},
             {".bmp", "bmp", look_at_bmp, decode_bmp, decode_bmp_values, 1}};

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

static int row_of(const char *kind)
{
	int i = 0;
	while (i < KINDS && strcmp(kinds[i].kind, kind) != 0)
		i++;
	return i;
}

static const char unknown[] = "its kind is unknown";

const char *image_look(const char *kind, const uint8_t *bytes, int64_t length, int64_t whole, Picture *out)
{
	int row = row_of(kind);
	return row < KINDS ? kinds[row].look(bytes, length, whole, out) : unknown;
}

const char *image_decode(const char *kind, const uint8_t *bytes, int64_t length, int channels, int reduce,
                         Picture *out)
{
	int row = row_of(kind);
	return row < KINDS ? kinds[row].decode(bytes, length, channels, reduce, out) : unknown;
}

const char *image_decode_values(const char *kind, const uint8_t *bytes, int64_t length, Picture *out)
{
	int row = row_of(kind);
	return row < KINDS ? kinds[row].decode_values(bytes, length, out) : unknown;
}

int image_reduce(const char *kind, double height_ratio, double width_ratio)
{
	int row = row_of(kind), reduce = 1;
	double ratio = height_ratio < width_ratio ? height_ratio : width_ratio;
	while (row < KINDS && 2 * reduce <= kinds[row].most_reduced && ratio >= 4.0 * reduce)
		reduce *= 2;
	return reduce;
}
