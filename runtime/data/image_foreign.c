/* SPDX-License-Identifier: MIT */
/* What a file is that is no picture of a kind that is read, by its first bytes, and what converts it. */
#include "runtime/data/image_reader.h"

#include <string.h>
#include <strings.h>

/* In this order: the first that fits. A picture counts among the files of a folder that should be read. */
static const struct {
	Magic magic;
	bool anywhere; /* in the first bytes, not at their beginning */
	bool picture;
	const char *is;
} kinds[] = {
        {MAGIC("????ftypavi"), false, true,
         "it is an AVIF picture, which is not read: convert it by `heif-convert FILE NAME.png` (Debian: "
         "libheif-examples)"},
        {MAGIC("????ftyphei"), false, true,
         "it is a HEIC picture, which is not read: convert it by `heif-convert FILE NAME.jpg` (Debian: "
         "libheif-examples)"},
        {MAGIC("????ftyphev"), false, true,
         "it is a HEIC sequence, which is not read: convert it by `heif-convert FILE NAME.jpg` (Debian: "
         "libheif-examples)"},
        {MAGIC("????ftypmif1"), false, true,
         "it is a HEIF picture, which is not read: convert it by `heif-convert FILE NAME.jpg` (Debian: "
         "libheif-examples)"},
        {MAGIC("????ftypmsf1"), false, true,
         "it is a HEIF sequence, which is not read: convert it by `heif-convert FILE NAME.jpg` (Debian: "
         "libheif-examples)"},
        {MAGIC("????ftypcrx"), false, true,
         "it is a camera's raw file (CR3), which is not read: convert it by `darktable-cli FILE NAME.jpg` "
         "(Debian: darktable)"},
        {MAGIC("????ftyp"), false, false,
         "it is a film (MP4 or MOV), no picture: take frames of it by `ffmpeg -i FILE NAME-%04d.jpg` "
         "(Debian: ffmpeg)"},
        {MAGIC("\x1a\x45\xdf\xa3"), false, false,
         "it is a film (WebM or Matroska), no picture: take frames of it by `ffmpeg -i FILE "
         "NAME-%04d.jpg` (Debian: ffmpeg)"},
        {MAGIC("RIFF????AVI "), false, false,
         "it is a film (AVI), no picture: take frames of it by `ffmpeg -i FILE NAME-%04d.jpg` (Debian: "
         "ffmpeg)"},
        {MAGIC("\xff\x0a"), false, true,
         "it is a JPEG XL picture, which is not read: convert it by `djxl FILE NAME.png` (Debian: "
         "libjxl-tools)"},
        {MAGIC("\0\0\0\x0cJXL \r\n\x87\n"), false, true,
         "it is a JPEG XL picture, which is not read: convert it by `djxl FILE NAME.png` (Debian: "
         "libjxl-tools)"},
        {MAGIC("\0\0\0\x0cjP  \r\n\x87\n"), false, true,
         "it is a JPEG 2000 picture, which is not read: convert it by `opj_decompress -i FILE -o NAME.png` "
         "(Debian: libopenjp2-tools)"},
        {MAGIC("\xff\x4f\xff\x51"), false, true,
         "it is a JPEG 2000 picture, which is not read: convert it by `opj_decompress -i FILE -o NAME.png` "
         "(Debian: libopenjp2-tools)"},
        {MAGIC("8BPS"), false, true,
         "it is a Photoshop file, which is not read: convert it by `convert FILE[0] NAME.png` (Debian: "
         "imagemagick)"},
        {MAGIC("gimp xcf"), false, true,
         "it is a GIMP file, which is not read: convert it by `convert FILE -flatten NAME.png` (Debian: "
         "imagemagick)"},
        {MAGIC("\0\0\1\0"), false, true,
         "it is an icon (ICO), which is not read: convert it by `icotool -x FILE` (Debian: icoutils)"},
        {MAGIC("\x76\x2f\x31\x01"), false, true,
         "it is an OpenEXR picture, which is not read: convert it by `convert FILE NAME.png` (Debian: "
         "imagemagick)"},
        {MAGIC("#?RADIANCE"), false, true,
         "it is a Radiance picture, which is not read: convert it by `convert FILE NAME.png` (Debian: "
         "imagemagick)"},
        {MAGIC("P7\n"), false, true,
         "it is a PAM picture, which is not read: convert it by `pamtopnm FILE` (Debian: netpbm)"},
        {MAGIC("FUJIFILMCCD-RAW"), false, true,
         "it is a camera's raw file (RAF), which is not read: convert it by `darktable-cli FILE NAME.jpg` "
         "(Debian: darktable)"},
        {MAGIC("II\x55\0"), false, true,
         "it is a camera's raw file (RW2), which is not read: convert it by `darktable-cli FILE NAME.jpg` "
         "(Debian: darktable)"},
        {MAGIC("<svg"), true, true,
         "it is an SVG drawing, which is not read: draw it by `rsvg-convert FILE -o NAME.png` (Debian: "
         "librsvg2-bin)"},
        {MAGIC("%!PS"), false, false,
         "it is a PostScript file, which is not read: draw it by `gs -sDEVICE=png16m -o NAME.png FILE` "
         "(Debian: ghostscript)"},
        {MAGIC("%PDF"), false, false,
         "it is a PDF file, which is not read: draw its pages by `pdftoppm -png FILE NAME` (Debian: "
         "poppler-utils)"},
        {MAGIC("<!doctype html"), true, false, "it is an HTML page: the picture itself was not loaded"},
        {MAGIC("<html"), true, false, "it is an HTML page: the picture itself was not loaded"},
        {MAGIC("PK\3\4"), false, false, "it is a ZIP archive: unpack it by `unzip FILE` (Debian: unzip)"},
        {MAGIC("\x1f\x8b"), false, false, "it is packed by gzip: unpack it by `gunzip FILE`"},
        {MAGIC("SIMPLE  ="), false, true,
         "it is a FITS file, which is not read: convert it by `convert FILE NAME.png` (Debian: "
         "imagemagick)"},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* Letters of text in any case. */
static bool is_anywhere(Magic m, const uint8_t *bytes, int64_t length)
{
	int64_t last = (length < IMAGE_MAGIC ? length : IMAGE_MAGIC) - m.length;
	for (int64_t i = 0; i <= last; i++)
		if (strncasecmp((const char *)bytes + i, m.bytes, (size_t)m.length) == 0)
			return true;
	return false;
}

static int find(const uint8_t *bytes, int64_t length)
{
	int i = 0;
	while (i < KINDS && !(kinds[i].anywhere ? is_anywhere(kinds[i].magic, bytes, length)
	                                        : magic_fits(kinds[i].magic, bytes, length)))
		i++;
	return i;
}

/* DICOM has its name behind 128 bytes of anything. */
static bool is_dicom(const uint8_t *bytes, int64_t length)
{
	enum { PREAMBLE = 128 };
	return length >= PREAMBLE + 4 && memcmp(bytes + PREAMBLE, "DICM", 4) == 0;
}

static bool is_zeros(const uint8_t *bytes, int64_t length)
{
	int64_t n = length < IMAGE_MAGIC ? length : IMAGE_MAGIC, i = 0;
	while (i < n && bytes[i] == 0)
		i++;
	return n > 0 && i == n;
}

const char *image_foreign(const uint8_t *bytes, int64_t length)
{
	int i = find(bytes, length);
	if (i < KINDS)
		return kinds[i].is;
	if (is_dicom(bytes, length))
		return "it is a DICOM file, which is not read: convert it by `dcmj2pnm --write-png FILE "
		       "NAME.png` "
		       "(Debian: dcmtk)";
	if (is_zeros(bytes, length))
		return "it is full of zeros: it was not written to its end";
	return "it is no picture: JPEG, PNG, WebP, GIF, TIFF, BMP and PNM are read";
}

bool image_is_foreign(const uint8_t *bytes, int64_t length)
{
	int i = find(bytes, length);
	return (i < KINDS && kinds[i].picture) || is_dicom(bytes, length);
}

bool image_is_named(const char *name)
{
	static const char *const suffixes[] = {"jpg",  "jpeg", "jpe", "jfif", "png", "apng", "webp", "gif",
	                                       "tif",  "tiff", "bmp", "dib",  "pnm", "ppm",  "pgm",  "pbm",
	                                       "heic", "heif", "hif", "avif", "jxl", "jp2",  "svg",  "psd",
	                                       "ico",  "tga",  "dng", "cr2",  "cr3", "nef",  "arw"};
	const char *dot = strrchr(name, '.');
	for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
		if (strcasecmp(dot + 1, suffixes[i]) == 0)
			return true;
	return false;
}
