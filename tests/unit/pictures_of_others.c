/* SPDX-License-Identifier: MIT */
/* Picture files that other programs made (tests/unit/pictures/README.md): their pixels, as another reader sees them;
 * cut anywhere; and what is not read, by its name. */
#include "runtime/host/file.h"
#include "runtime/data/image.h"
#include "tests/unit/check.h"

#include <dirent.h>
#include <stdlib.h>

static const char folder[] = NNC_ROOT "/tests/unit/pictures";

/* The kind of a file's first bytes, as the readers of folders find it. */
static const char *kind_of(const uint8_t *bytes, int64_t length)
{
	return image_kind(bytes, length < IMAGE_MAGIC ? length : IMAGE_MAGIC);
}

static uint8_t *read_whole(const char *name, int64_t *length)
{
	const char *why;
	char *path = path_join(folder, name);
	uint8_t *bytes = file_read(path, 1 << 20, length, &why);
	free(path);
	if (!CHECK(bytes))
		printf("  %s: %s\n", name, why);
	return bytes;
}

/* JPEG and lossy WebP: libraries may round otherwise. BMPs of 5 bits a colour: Pillow rounds down. */
static int tolerance_of(const char *name)
{
	return strstr(name, "555") || strstr(name, "565")                            ? 4
	       : strstr(name, "jp") || strstr(name, "lossy") || strstr(name, "cmyk") ? 3
	                                                                             : 0;
}

/* The numbers of NAME.txt: width, height, and three for each pixel. */
static void compare(const char *name, const char *text, const Picture *p)
{
	char *at;
	int64_t width = strtol(text, &at, 10), height = strtol(at, &at, 10);
	bool size = CHECK(p->width == width && p->height == height && p->channels == 3);
	int worst = 0;
	for (int64_t i = 0; size && i < height * width * 3; i++) {
		int apart = abs((int)strtol(at, &at, 10) - p->pixels[i]);
		worst = apart > worst ? apart : worst;
	}
	if (!CHECK(size && worst <= tolerance_of(name)))
		printf("  %s: %d x %d, up to %d apart\n", name, (int)p->height, (int)p->width, worst);
}

/* No beginning of a file crashes, and none is another picture without a word: what is missing may be bytes that no
 * pixel needs. */
static void cut(const char *name, const uint8_t *bytes, int64_t length, const Picture *whole)
{
	int64_t values = whole->height * whole->width * whole->channels;
	for (int64_t n = 1; n < length; n++) {
		uint8_t *part = malloc((size_t)n); /* so that a sanitizer sees what is read beyond it */
		if (!part)
			abort();
		memcpy(part, bytes, (size_t)n);
		Picture p = {0}, seen = {0};
		const char *kind = kind_of(part, n), *why = image_decode(kind, part, n, 3, 1, &p);
		bool same = !why && p.height * p.width * 3 == values &&
		            memcmp(p.pixels, whole->pixels, (size_t)values) == 0;
		/* A head says the same size as the file, or that it is too short for it. */
		bool head = image_look(kind, part, n, length, &seen) ||
		            (seen.height == whole->height && seen.width == whole->width);
		/* libwebp does not need the last bytes of some pixels; EXIF's may be gone with the end; a number may
		 * be another without its last digit. */
		bool may_differ = strstr(name, "webp") || strstr(name, "turned") || strstr(name, "text");
		if (!CHECK((why || same || may_differ) && head))
			printf("  %s of %d bytes\n", name, (int)n);
		free(p.pixels);
		free(part);
	}
}

static void read_one(const char *name)
{
	int64_t length, text_length;
	char text_name[300];
	snprintf(text_name, sizeof text_name, "%s.txt", name);
	uint8_t *bytes = read_whole(name, &length), *numbers = read_whole(text_name, &text_length);
	Picture p = {0}, grey = {0}, seen = {0};
	const char *kind = bytes ? kind_of(bytes, length) : NULL,
	           *why = bytes ? image_decode(kind, bytes, length, 3, 1, &p) : "it is not there";
	if (machine_status(why)) {
		char says[1024];
		snprintf(says, sizeof says, "%s: %s", name, why);
		check_skip(says);
	} else if (numbers && CHECK(!why)) {
		char *text = malloc((size_t)text_length + 1);
		memcpy(text, numbers, (size_t)text_length);
		text[text_length] = '\0';
		compare(name, text, &p);
		free(text);
		CHECK(!image_look(kind, bytes, length, length, &seen) && seen.height == p.height &&
		      seen.width == p.width);
		CHECK(!image_decode(kind, bytes, length, 1, 1, &grey) && grey.height == p.height);
		cut(name, bytes, length, &p);
	} else {
		printf("  %s: %s\n", name, why);
	}
	free(p.pixels);
	free(grey.pixels);
	free(bytes);
	free(numbers);
}

static void read_all(void)
{
	int files = 0;
	DIR *dir = opendir(folder);
	if (!CHECK(dir))
		return;
	for (struct dirent *e; (e = readdir(dir));) {
		char name[256];
		int n = (int)strlen(e->d_name) - 4;
		if (n <= 0 || strcmp(e->d_name + n, ".txt") != 0)
			continue;
		snprintf(name, sizeof name, "%.*s", n, e->d_name);
		read_one(name);
		files++;
	}
	closedir(dir);
	CHECK(files > 40);
}

static void names_others(void)
{
	static const struct {
		const char *name, *says;
	} cases[] = {
	        {"heif_enc.heic", "a HEIC picture, which is not read: convert it by `heif-convert"},
	        {"heif_enc.avif", "an AVIF picture, which is not read: convert it by `heif-convert"},
	        {"inkscape.svg", "an SVG drawing, which is not read: draw it by `rsvg-convert"},
	        {"magick_refused.psd", "a Photoshop file"},
	        {"magick_refused.ico", "an icon (ICO)"},
	        {"magick_refused.jp2", "a JPEG 2000 picture"},
	        {"magick_refused.pam", "a PAM picture"},
	        {"magick_refused.hdr", "a Radiance picture"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t length;
		Picture p = {0};
		uint8_t *bytes = read_whole(cases[i].name, &length);
		const char *kind = bytes ? kind_of(bytes, length) : NULL,
		           *why = image_decode(kind, bytes, length, 3, 1, &p);
		if (!CHECK(!kind && why && strstr(why, cases[i].says) && image_is_foreign(bytes, length)))
			printf("  %s: %s\n", cases[i].name, why ? why : "read");
		free(bytes);
	}
	static const struct {
		const char *bytes, *says;
	} texts[] = {{"<!DOCTYPE html>\n<html>404", "an HTML page"},
	             {"%PDF-1.7\n", "a PDF file"},
	             {"....ftypisom", "a film (MP4 or MOV)"},
	             {"notes", "it is no picture"}};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const uint8_t *bytes = (const uint8_t *)texts[i].bytes;
		int64_t length = (int64_t)strlen(texts[i].bytes);
		CHECK(!image_kind(bytes, length) && !image_is_foreign(bytes, length) &&
		      strstr(image_foreign(bytes, length), texts[i].says));
	}
}

/* JPEGs of a frame that is not read say which: of another program's file the byte of its samples' bits, or the marker
 * of its frame, is changed. */
static void names_jpegs(void)
{
	int64_t length;
	uint8_t *bytes = read_whole("pillow_grey.jpg", &length);
	int64_t at = 0;
	while (bytes && at + 4 < length && !(bytes[at] == 0xff && bytes[at + 1] == 0xc0))
		at++;
	Picture p = {0};
	if (bytes && CHECK(at + 4 < length)) {
		const char *why;
		bytes[at + 4] = 12;
		why = image_decode("jpg", bytes, length, 3, 1, &p);
		CHECK(why && (machine_status(why) || strstr(why, "a JPEG of 12 bits a sample")));
		bytes[at + 1] = 0xc3;
		why = image_look("jpg", bytes, length, length, &p);
		CHECK(why && (machine_status(why) || strstr(why, "a lossless or hierarchical JPEG")));
	}
	free(bytes);
}

int main(void)
{
	read_all();
	names_others();
	names_jpegs();
	return check_report("unit, pictures of others");
}
