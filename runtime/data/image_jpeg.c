/* SPDX-License-Identifier: MIT */
/* JPEG (ITU-T T.81), through libturbojpeg: baseline, extended and progressive, Huffman or arithmetic coding, of 8 bits,
 * in grey, YCbCr, RGB, CMYK and YCCK. Its segments are looked at here, for what the library does not say. */
#include "runtime/host/file.h"
#include "runtime/data/image_libraries.h"
#include "runtime/data/image_reader.h"

#include <stdlib.h>
#include <string.h>

/* A file has at least a bit for 8x8 pixels. */
enum { JPEG_PIXELS = 8 * 64 };

typedef struct JpegHead {
	int process; /* the marker of its frame, SOF0 to SOF15; 0: it has none */
	int bits, orientation;
	bool adobe; /* its CMYK is that of Adobe's programs, the other way round */
	int64_t scans;
} JpegHead;

enum { SOF0 = 0xc0, SOF15 = 0xcf, DHT = 0xc4, JPG = 0xc8, DAC = 0xcc, SOI = 0xd8, EOI = 0xd9, SOS = 0xda };

static bool begins_frame(int marker)
{
	return marker >= SOF0 && marker <= SOF15 && marker != DHT && marker != JPG && marker != DAC;
}

static void look_at_segment(int marker, const uint8_t *data, int64_t length, JpegHead *head)
{
	enum { APP1 = 0xe1, APP14 = 0xee, EXIF = 6 };
	if (begins_frame(marker) && length > 0 && head->process == 0) {
		head->process = marker;
		head->bits = data[0];
	} else if (marker == APP1 && length > EXIF && memcmp(data, "Exif\0", EXIF) == 0 &&
	           head->orientation == 1) {
		head->orientation = exif_orientation(data + EXIF, length - EXIF);
	} else if (marker == APP14 && length >= 12 && memcmp(data, "Adobe", 5) == 0) {
		head->adobe = true;
	}
}

/* T.81, annex B: each SOS begins a scan. In their bytes 0xff is followed by 0, or begins a marker; other segments, in
 * which a thumbnail may have scans of its own, are passed by their length. `all`: not only what stands before the first
 * scan. */
static JpegHead walk_jpeg(const uint8_t *bytes, int64_t length, bool all)
{
	enum { FIRST_ALONE = 0xd0 };
	JpegHead head = {.orientation = 1};
	int64_t at = 0;
	while (at + 1 < length && (all || head.scans == 0)) {
		const uint8_t *found = memchr(bytes + at, 0xff, (size_t)(length - at - 1));
		if (!found)
			break;
		at = found - bytes + 1;
		int marker = bytes[at];
		if (marker == 0xff || marker <= 1 || (marker >= FIRST_ALONE && marker <= SOI))
			continue;
		if (marker == EOI || at + 2 >= length)
			break;
		int64_t segment = bytes[at + 1] << 8 | bytes[at + 2], left = length - at - 3;
		head.scans += marker == SOS;
		if (segment > 2 && head.scans == 0)
			look_at_segment(marker, bytes + at + 3, segment - 2 < left ? segment - 2 : left,
			                &head);
		at += 1 + segment;
	}
	return head;
}

static int orientation_of_jpeg(const uint8_t *bytes, int64_t length)
{
	return walk_jpeg(bytes, length, false).orientation;
}

#ifdef NNR_JPEG
/* Of progressive JPEGs, scans times pixels: each scan goes through all pixels, and may be a hundred bytes long.
 * Files in use have 10 scans or so; 64 Mi pixels may have 32. */
static const int64_t MAX_SCANNED = (int64_t)32 * MAX_PIXELS;

static const char *check_jpeg(const JpegHead *head)
{
	enum { LOSSLESS = 0xc3, DIFFERENTIAL = 0xc5, ARITHMETIC = 0xc9, ARITHMETIC_PROGRESSIVE = 0xca };
	bool sequential = head->process < LOSSLESS || head->process == ARITHMETIC ||
	                  head->process == ARITHMETIC_PROGRESSIVE;
	if (head->process == 0) /* in this part of the file */
		return NULL;
	if (!sequential)
		return "it is a lossless or hierarchical JPEG, which is not read: write it as PNG";
	if (head->bits != 8)
		return "it is a JPEG of 12 bits a sample, of which 8 alone are read: write it as PNG";
	return NULL;
}

static bool is_cmyk(int colours)
{
	return colours == TJCS_CMYK || colours == TJCS_YCCK;
}

/* Size and colours, without pixels. */
static const char *look_by(tjhandle decoder, const uint8_t *bytes, int64_t length, int64_t whole,
                           const JpegHead *head, int *colours, Picture *out)
{
	int width = 0, height = 0, subsampling; /* stay where there are tables alone */
	const char *why = check_jpeg(head);
	*colours = -1;
	if (why)
		return why;
	if (turbojpeg()->header(decoder, bytes, (unsigned long)length, &width, &height, &subsampling,
	                        colours) != 0)
		return "it is no JPEG";
	*out = (Picture){.height = height, .width = width, .colour = *colours != TJCS_GRAY};
	return (int64_t)width * height > whole * JPEG_PIXELS ? image_cut_short : picture_check(height, width);
}

/* libjpeg rounds up. */
static int64_t reduced(int64_t pixels, int reduce)
{
	return (pixels + reduce - 1) / reduce;
}

static const char *decompress(tjhandle decoder, const uint8_t *bytes, int64_t length, uint8_t *to,
                              const Picture *p, int format)
{
	/* A warning (a file cut short, say) is refused like an error: half an image is no sample. */
	return turbojpeg()->decompress(decoder, bytes, (unsigned long)length, to, (int)p->width, 0,
	                               (int)p->height, format,
	                               TJFLAG_LIMITSCANS | TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING) == 0
	               ? NULL
	               : "its JPEG data is damaged";
}

/* What ink leaves of white: (255 - c)(255 - k)/255, of which Adobe's programs write the factors. */
static const char *decompress_cmyk(tjhandle decoder, const uint8_t *bytes, int64_t length, bool adobe,
                                   const Picture *p)
{
	uint8_t *ink = malloc((size_t)(p->height * p->width * 4)), turned = adobe ? 0 : UINT8_MAX;
	if (!ink)
		return machine_no_memory;
	const char *why = decompress(decoder, bytes, length, ink, p, TJPF_CMYK);
	uint8_t *to = p->pixels;
	const uint8_t *from = ink;
	for (int64_t i = 0; !why && i < p->height * p->width; i++, from += 4, to += p->channels) {
		const uint8_t left[3] = {from[0] ^ turned, from[1] ^ turned, from[2] ^ turned};
		put_blended(to, p->channels, left, from[3] ^ turned);
	}
	free(ink);
	return why;
}

static const char *decode_by(tjhandle decoder, const uint8_t *bytes, int64_t length, int channels, int reduce,
                             Picture *out)
{
	Picture whole;
	int colours;
	JpegHead head = walk_jpeg(bytes, length, true);
	const char *why = look_by(decoder, bytes, length, length, &head, &colours, &whole);
	if (!why && head.scans > MAX_SCANNED / (whole.height * whole.width))
		return "it has too many scans for its size";
	if (!why)
		why = picture_allocate(out, reduced(whole.height, reduce), reduced(whole.width, reduce),
		                       channels);
	if (why)
		return why;
	out->colour = whole.colour;
	why = is_cmyk(colours) ? decompress_cmyk(decoder, bytes, length, head.adobe, out)
	                       : decompress(decoder, bytes, length, out->pixels, out,
	                                    channels == 1 ? TJPF_GRAY : TJPF_RGB);
	if (why)
		picture_drop(out);
	return why;
}
#endif

/* A decoder of the file's own: one that is kept remembers the tables of the files before and, after a mistake in one,
 * refuses those that follow. Making it takes a few microseconds. */
static const char *look_at_jpeg(const uint8_t *bytes, int64_t length, int64_t whole, Picture *out)
{
#ifdef NNR_JPEG
	int colours;
	JpegHead head = walk_jpeg(bytes, length, false);
	if (!turbojpeg())
		return machine_no_library[LIBRARY_JPEG];
	tjhandle decoder = turbojpeg()->init();
	const char *why =
	        decoder ? look_by(decoder, bytes, length, whole, &head, &colours, out) : machine_no_memory;
	if (decoder)
		turbojpeg()->destroy(decoder);
	return why;
#else
	return machine_no_jpeg;
#endif
}

static const char *decode_jpeg(const uint8_t *bytes, int64_t length, int channels, int reduce, Picture *out)
{
#ifdef NNR_JPEG
	if (!turbojpeg())
		return machine_no_library[LIBRARY_JPEG];
	tjhandle decoder = turbojpeg()->init();
	const char *why =
	        decoder ? decode_by(decoder, bytes, length, channels, reduce, out) : machine_no_memory;
	if (decoder)
		turbojpeg()->destroy(decoder);
	return why;
#else
	return machine_no_jpeg;
#endif
}

const ImageReader image_reader_jpg = {
        .kind = "jpg",
        .magic = {MAGIC("\xff\xd8\xff")},
        .look = look_at_jpeg,
        .decode = decode_jpeg,
        .no_values = "a JPEG keeps no value as it was: write a mask's classes as PNG of 8-bit grey",
        .orientation = orientation_of_jpeg,
        .most_reduced = 8,
};
