/* SPDX-License-Identifier: MIT */
/* Image files: decoded right, resized as documented, and folders of them with what does not belong there. */
#include "runtime/data/data.h"
#include "runtime/session/dataset.h"
#include "runtime/host/die.h"
#include "runtime/data/resize.h"
#include "tests/unit/check.h"
#include "tests/unit/child.h"

#ifdef NNR_JPEG
#include <turbojpeg.h>
#endif
#ifdef NNR_PNG
#include <png.h>
#endif
#include <math.h>
#include <zlib.h>

enum { H = 5, W = 7 };

static uint8_t rgb[H][W][3];

static void paint(void)
{
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++) {
			rgb[y][x][0] = (uint8_t)(x * 30);
			rgb[y][x][1] = (uint8_t)(y * 40);
			rgb[y][x][2] = (uint8_t)(255 - x * 20 - y * 10);
		}
}

static void put32(uint8_t *at, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

/* The painting as BMP with 24 or 32 bits; returns its length. */
static int make_bmp(uint8_t *out, int bits, bool top_down)
{
	int row = (W * bits / 8 + 3) / 4 * 4, length = 54 + row * H;
	memset(out, 0, (size_t)length);
	memcpy(out, "BM", 2);
	put32(out + 2, (uint32_t)length);
	put32(out + 10, 54);
	put32(out + 14, 40);
	put32(out + 18, W);
	put32(out + 22, (uint32_t)(top_down ? -H : H));
	out[26] = 1;
	out[28] = (uint8_t)bits;
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			for (int c = 0; c < 3; c++)
				out[54 + row * (top_down ? y : H - 1 - y) + x * bits / 8 + c] =
				        rgb[y][x][2 - c];
	return length;
}

static bool is_painting(const Picture *p, int tolerance)
{
	if (p->height != H || p->width != W || p->channels != 3)
		return false;
	for (int i = 0; i < H * W * 3; i++)
		if (abs(p->pixels[i] - ((uint8_t *)rgb)[i]) > tolerance)
			return false;
	return true;
}

/* 8 bits, one row of as many pixels as colours, up to four: all of the first; the last colour is given, the others
 * black. To `to` of 58 + 4 * colours bytes. */
static void make_palette_bmp(uint8_t *to, uint32_t colours, uint32_t last)
{
	memset(to, 0, 58 + 4 * colours);
	memcpy(to, "BM", 2);
	put32(to + 10, 54 + 4 * colours);
	put32(to + 14, 40);
	put32(to + 18, colours);
	put32(to + 22, 1);
	to[28] = 8;
	put32(to + 46, colours);
	put32(to + 50 + 4 * colours, last);
}

static void bmp(void)
{
	uint8_t file[512];
	Picture p;
	for (int kind = 0; kind < 4; kind++) {
		int n = make_bmp(file, kind & 1 ? 24 : 32, kind & 2);
		if (CHECK(!image_decode("bmp", file, n, 3, 1, &p))) {
			CHECK(is_painting(&p, 0));
			free(p.pixels);
		}
		for (int length = 0; length < n; length++)
			CHECK(image_decode("bmp", file, length, 3, 1, &p) != NULL);
	}
	int n = make_bmp(file, 24, false);
	if (CHECK(!image_decode("bmp", file, n, 1, 1, &p))) {
		double gray = 0.299 * rgb[2][3][0] + 0.587 * rgb[2][3][1] + 0.114 * rgb[2][3][2];
		CHECK(abs(p.pixels[2 * W + 3] - (int)(gray + 0.5)) <= 1);
		free(p.pixels);
	}
	static const struct {
		int at;
		uint32_t value;
	} hostile[] = {{18, 0},          {18, 0x7fffffff}, {18, 0xffffffff}, {22, 0},
	               {22, 0x7fffffff}, {22, 0x80000000}, {10, 0},          {10, 0xffffffff},
	               {10, 600},        {14, 12},         {30, 1}};
	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
		n = make_bmp(file, 24, false);
		put32(file + hostile[i].at, hostile[i].value);
		if (!CHECK(image_decode("bmp", file, n, 3, 1, &p) != NULL))
			printf("  accepted %u at %d\n", hostile[i].value, hostile[i].at);
	}
	/* 8 bits: a palette of two colours, and a pixel that asks for a third. */
	uint8_t small[54 + 8 + 4];
	make_palette_bmp(small, 2, 0x00102030);
	small[63] = 1;
	if (CHECK(!image_decode("bmp", small, sizeof small, 3, 1, &p))) {
		CHECK(p.pixels[0] == 0 && p.pixels[3] == 0x10 && p.pixels[4] == 0x20 && p.pixels[5] == 0x30);
		free(p.pixels);
	}
	small[63] = 2;
	CHECK(image_decode("bmp", small, sizeof small, 3, 1, &p) != NULL);
}

#ifdef NNR_JPEG
/* Where the segment of that marker begins in a JPEG file that has one, and its length with the marker. */
static unsigned char *find_segment(unsigned char *bytes, int marker, long *length)
{
	for (unsigned char *at = bytes + 2;; at += *length) {
		*length = 2 + (at[2] << 8 | at[3]);
		if (at[1] == marker)
			return at;
	}
}

/* What a file is depends on no file before it: neither on its mistakes nor on its tables. */
static void jpeg_sequence(const unsigned char *good, unsigned long length)
{
	enum { SIZE = 0xc0, QUANTISATION = 0xdb };
	unsigned char changed[4096];
	long segment;
	Picture p;
	memcpy(changed, good, length);
	unsigned char *table = find_segment(changed, QUANTISATION, &segment);
	memmove(table, table + segment, length - (size_t)(table + segment - changed));
	if (!CHECK(image_decode("jpg", changed, (int64_t)length - segment, 3, 1, &p) != NULL))
		free(p.pixels);
	static const uint8_t sizes[][4] = {{0xff, 0xff, 0xff, 0xff}, {0, 0, 0, 7}, {0xff, 0, 0, 0xff}};
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		memcpy(changed, good, length);
		memcpy(find_segment(changed, SIZE, &segment) + 5, sizes[i], 4);
		CHECK(image_decode("jpg", changed, (int64_t)length, 3, 1, &p) != NULL);
		if (CHECK(!image_decode("jpg", good, (int64_t)length, 3, 1, &p)))
			free(p.pixels);
	}
	CHECK(image_decode("jpg", (const uint8_t *)"\xff\xd8", 2, 3, 1, &p) != NULL); /* no table, no image */
}
#endif

static void jpeg(void)
{
#ifdef NNR_JPEG
	tjhandle handle = tjInitCompress();
	unsigned char *bytes = NULL;
	unsigned long length = 0;
	Picture p;
	CHECK(tjCompress2(handle, (unsigned char *)rgb, W, 0, H, TJPF_RGB, &bytes, &length, TJSAMP_444, 100,
	                  0) == 0);
	if (CHECK(!image_decode("jpg", bytes, (int64_t)length, 3, 1, &p))) {
		CHECK(is_painting(&p, 6));
		free(p.pixels);
	}
	CHECK(!image_decode("jpg", bytes, (int64_t)length, 1, 1, &p) && p.channels == 1);
	free(p.pixels);
	for (unsigned long n = 0; n + 2 < length; n++) /* the end mark alone may be missing */
		if (!CHECK(image_decode("jpg", bytes, (int64_t)n, 3, 1, &p) != NULL))
			free(p.pixels);
	CHECK(image_decode("png", bytes, (int64_t)length, 3, 1, &p) != NULL);
	jpeg_sequence(bytes, length);
	tjFree(bytes);
	tjDestroy(handle);
#endif
}

static void png(void)
{
#ifdef NNR_PNG
	png_image image = {.version = PNG_IMAGE_VERSION, .width = W, .height = H, .format = PNG_FORMAT_RGB};
	unsigned char bytes[4096];
	size_t length = sizeof bytes;
	Picture p;
	CHECK(png_image_write_to_memory(&image, bytes, &length, 0, rgb, 0, NULL));
	if (CHECK(!image_decode("png", bytes, (int64_t)length, 3, 1, &p))) {
		CHECK(is_painting(&p, 0));
		free(p.pixels);
	}
	for (size_t n = 0; n + 12 < length; n++) /* without its last, empty chunk libpng takes it */
		if (!CHECK(image_decode("png", bytes, (int64_t)n, 3, 1, &p) != NULL))
			free(p.pixels);
	static const struct {
		uint32_t side; /* in the file's byte order */
		const char *says;
	} hostile[] = {{0xffffff7f, "it is no PNG"}, {0x00080000, "it is cut short"}};
	for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) { /* 2^31 and 2^11 pixels a side */
		put32(bytes + 16, hostile[i].side);
		put32(bytes + 20, hostile[i].side);
		put32(bytes + 29, __builtin_bswap32((uint32_t)crc32(0, bytes + 12, 17)));
		CHECK_TEXT(image_decode("png", bytes, (int64_t)length, 3, 1, &p), hostile[i].says);
	}
#endif
}

#ifdef NNR_PNG
/* PNGs as libpng writes them; what tests/train/masks.py's own have (gamma, 4 bits, 16, interlacing) it can't. */
static void png_values_of(png_uint_32 format, const void *pixels, const void *palette, const char *refused)
{
	png_image image = {.version = PNG_IMAGE_VERSION,
	                   .width = W,
	                   .height = H,
	                   .format = format,
	                   .colormap_entries = 256};
	unsigned char bytes[4096];
	size_t length = sizeof bytes;
	Picture p;
	CHECK(png_image_write_to_memory(&image, bytes, &length, 0, pixels, 0, palette));
	const char *why = image_decode_values("png", bytes, (int64_t)length, &p);
	if (refused) {
		CHECK(why && strstr(why, refused));
		return;
	}
	if (CHECK(!why)) {
		CHECK(p.height == H && p.width == W && memcmp(p.pixels, pixels, H * W) == 0);
		free(p.pixels);
	}
	for (size_t n = 0; n + 12 < length; n++)
		if (!CHECK(image_decode_values("png", bytes, (int64_t)n, &p) != NULL))
			free(p.pixels);
	put32(bytes + 16, 0x00400000);
	put32(bytes + 20, 0x00400000);
	put32(bytes + 29, __builtin_bswap32((uint32_t)crc32(0, bytes + 12, 17)));
	CHECK_TEXT(image_decode_values("png", bytes, (int64_t)length, &p), "it is cut short");
}
#endif

static void values(void)
{
	Picture p;
	unsigned char bmp[4096];
	const char *why = image_decode_values("bmp", bmp, make_bmp(bmp, 24, true), &p);
	CHECK(why && strstr(why, "in colour"));
	CHECK(image_decode_values("jpg", bmp, 1, &p) != NULL);
#ifdef NNR_PNG
	uint8_t classes[H][W], palette[256][3];
	for (int i = 0; i < H * W; i++)
		classes[i / W][i % W] = (uint8_t)(i * 37);
	for (int i = 0; i < 256; i++)
		memset(palette[i], 255 - i, 3);
	png_values_of(PNG_FORMAT_GRAY, classes, NULL, NULL);
	png_values_of(PNG_FORMAT_RGB_COLORMAP, classes, palette, NULL);
	png_values_of(PNG_FORMAT_RGB, rgb, NULL, "RGB");
	png_values_of(PNG_FORMAT_GA, rgb, NULL, "transparency");
#endif
}

/* The whole of a picture. */
static void stretch(const Picture *p, uint8_t *to, int64_t height, int64_t width)
{
	Window whole = {.height = (double)p->height, .width = (double)p->width};
	CHECK(image_resize(p, whole, to, height, width));
}

static void resize(void)
{
	uint8_t from[4] = {0, 100, 200, 40}, to[64];
	Picture p = {.height = 2, .width = 2, .channels = 1, .pixels = from};
	stretch(&p, to, 2, 2);
	CHECK(memcmp(to, from, 4) == 0);
	stretch(&p, to, 1, 1); /* the mean of the four */
	CHECK(to[0] == 85);
	stretch(&p, to, 2, 4); /* centres at -1/4, 1/4, 3/4, 5/4 of the two columns */
	CHECK(to[0] == 0 && to[1] == 25 && to[2] == 75 && to[3] == 100);
	CHECK(to[4] == 200 && to[5] == 160 && to[6] == 80 && to[7] == 40);
	uint8_t flat[3 * 3 * 3];
	memset(flat, 77, sizeof flat);
	Picture q = {.height = 3, .width = 3, .channels = 3, .colour = true, .pixels = flat};
	stretch(&q, to, 4, 4);
	for (int i = 0; i < 48; i++)
		CHECK(to[i] == 77);
}

static double deviation(const uint8_t *at, int64_t count)
{
	double sum = 0, squares = 0;
	for (int64_t i = 0; i < count; i++) {
		sum += at[i];
		squares += at[i] * (double)at[i];
	}
	return sqrt(squares / (double)count - sum / (double)count * (sum / (double)count));
}

/* Windows of noise as Pillow 9.4 resizes them, Image.resize((width, height), BILINEAR, box): the checksum and the
 * standard deviation of its bytes. The noise's own is 73.9, and 37 without smoothing before shrinking. */
static void resize_as_pillow(void)
{
	static const struct {
		int64_t from_height, from_width;
		int channels;
		Window window;
		int64_t height, width;
		uint32_t crc;
		double deviation;
	} cases[] = {
	        {512, 768, 3, {0, 0, 512, 768}, 32, 32, 0x86d2f343, 2.6252},
	        {375, 500, 3, {0, 0, 375, 500}, 224, 224, 0xdb6ce80a, 25.4981},
	        {20, 30, 3, {3, 4.5, 11.25, 17}, 33, 31, 0x77931998, 51.3862},
	        {20, 30, 1, {0, 0, 20, 30}, 20, 7, 0x34d0c8b3, 30.3439},
	        {20, 30, 1, {0, 0, 20, 30}, 50, 30, 0x8290f375, 60.7011},
	        {5, 7, 3, {1, 1, 1, 1}, 8, 8, 0xa7545de7, 39.3911},
	        {100, 31, 3, {10.5, 0, 80, 31}, 40, 31, 0x0b4c534f, 45.2726},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int64_t from = cases[i].from_height * cases[i].from_width * cases[i].channels,
		        bytes = cases[i].height * cases[i].width * cases[i].channels;
		Picture p = {.height = cases[i].from_height,
		             .width = cases[i].from_width,
		             .channels = cases[i].channels,
		             .colour = true,
		             .pixels = malloc((size_t)from)};
		uint8_t *to = malloc((size_t)bytes);
		uint32_t state = 1;
		for (int64_t k = 0; k < from; k++) {
			state = state * 1664525u + 1013904223u;
			p.pixels[k] = (uint8_t)(state >> 24);
		}
		CHECK(image_resize(&p, cases[i].window, to, cases[i].height, cases[i].width));
		CHECK((uint32_t)crc32_z(0, to, (size_t)bytes) == cases[i].crc);
		CHECK(fabs(deviation(to, bytes) / cases[i].deviation - 1) < 1e-4);
		free(p.pixels);
		free(to);
	}
}

/* A JPEG is decoded smaller before it is shrunk, and looks as if it had not been: Pillow 9.4 decodes noise of this kind
 * whole, and its bilinear of 32x32 has a deviation of 2.625. */
static void reduce(void)
{
#ifdef NNR_JPEG
	enum { HEIGHT = 512, WIDTH = 768, SIDE = 32 };
	CHECK(image_reduce("jpg", 3.9, 100) == 1 && image_reduce("jpg", 4, 100) == 2 &&
	      image_reduce("jpg", 100, 8) == 4);
	CHECK(image_reduce("jpg", 16, 24) == 8 && image_reduce("jpg", 1e6, 1e6) == 8 &&
	      image_reduce("png", 16, 24) == 1);
	uint8_t *noise = malloc(HEIGHT * WIDTH * 3), to[SIDE * SIDE * 3];
	uint32_t state = 1;
	for (int i = 0; i < HEIGHT * WIDTH * 3; i++) {
		state = state * 1664525u + 1013904223u;
		noise[i] = (uint8_t)(state >> 24);
	}
	unsigned char *bytes = NULL;
	unsigned long length = 0;
	tjhandle coder = tjInitCompress();
	CHECK(tjCompress2(coder, noise, WIDTH, 0, HEIGHT, TJPF_RGB, &bytes, &length, TJSAMP_444, 95, 0) == 0);
	for (int by = 1; by <= 8; by *= 2) {
		Picture p;
		if (!CHECK(!image_decode("jpg", bytes, (int64_t)length, 3, by, &p)))
			continue;
		CHECK(p.height == HEIGHT / by && p.width == WIDTH / by);
		stretch(&p, to, SIDE, SIDE);
		CHECK(fabs(deviation(to, sizeof to) / 2.625 - 1) < 0.02);
		free(p.pixels);
	}
	Picture head;
	CHECK(!image_look("jpg", bytes, 1 << 12, (int64_t)length, &head) && head.height == HEIGHT &&
	      head.width == WIDTH);
	CHECK(image_look("jpg", bytes, 20, (int64_t)length, &head) != NULL);
	tjFree(bytes);
	tjDestroy(coder);
	free(noise);
#endif
}

/* ---- folders */

static const NnrInput inputs[] = {{"x", false, 0, NNR_U8, 4, {2, H, W, 3}, 0, 0, false, false, false, 0, 0},
                                  {"y", true, 2, NNR_I32, 1, {2}, 0, 0, false, false, false, 0, 0}};
static NnrModel model = {.name = "net", .source = "net.net", .inputs = inputs, .input_count = 2, .batch = 2};

static int ones(const DataPart *part)
{
	const int32_t *classes = (const int32_t *)(const void *)part->at[1];
	int n = 0;
	for (int64_t i = 0; i < part->count; i++)
		n += classes[i];
	return n;
}

static int load(void *context)
{
	Options o = {.data = context,
	             .eval_data = getenv("EVAL_DATA"),
	             .threads = 2,
	             .bad_files = 0.1,
	             .follow_links = getenv("FOLLOW_LINKS")};
	Dataset d = data_load(&o, &model, 1, false);
	fprintf(stderr, "%s: %d train %d of class 1, %d held out %d of class 1", d.format, (int)d.train.count,
	        ones(&d.train), (int)d.held_out.count, ones(&d.held_out));
	dataset_free(&d);
	return 0;
}

static void loads(const char *folder, int status, const char *says)
{
	char copy[64];
	snprintf(copy, sizeof copy, "%s", folder);
	Ended e = run_child(load, copy);
	if (!CHECK(e.status == status && strstr(e.said, says)))
		printf("  `%s` ended with %d, expected `%s`: %s\n", folder, e.status, says, e.said);
}

/* Of the images in `flat`, H x W in colour: what is done to them stands in the data's line. */
static void converts(void)
{
	static const struct {
		int64_t height, channels;
		const char *says;
	} wanted[] = {{H, 3, "folders of images: 2"},
	              {2 * H, 3, "folders of images, 5x7 colour to 10x7 colour: 2"},
	              {H, 1, "folders of images, 5x7 colour to 5x7 grey: 2"}};
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
		NnrInput other[] = {inputs[0], inputs[1]};
		other[0].dim[1] = wanted[i].height;
		other[0].dim[3] = wanted[i].channels;
		model.inputs = other;
		loads("flat", 0, wanted[i].says);
	}
	uint8_t grey[54 + 4 + 4];
	make_palette_bmp(grey, 1, 0x00202020);
	put_file("flat/b/2.bmp", grey, sizeof grey);
	model.inputs = inputs;
	loads("flat", 0, "folders of images, colour and grey of several sizes to 5x7 colour: 3");
	unlink("flat/b/2.bmp");
}

/* Held-out images kept elsewhere have the classes of the training part, by their names. */
static void held_out_elsewhere(void)
{
	setenv("EVAL_DATA", "flat", 1);
	loads("d", STATUS_DATA, "`flat` holds the class `a`, which the training part does not have");
	setenv("EVAL_DATA", "d/train", 1); /* cat and dog, beside bird and cat */
	CHECK(mkdir("other", 0700) == 0 && rename("flat", "other/test") == 0 &&
	      mkdir("other/train", 0700) == 0);
	CHECK(rename("other/test/a", "other/train/bird") == 0 &&
	      rename("other/test/b", "other/train/cat") == 0);
	loads("other/train", STATUS_DATA,
	      "`d/train` holds the class `dog`, which the training part does not");
	setenv("EVAL_DATA", "other/held", 1);
	CHECK(mkdir("other/held", 0700) == 0 && rename("d/test/cat", "other/held/cat") == 0);
	loads("other/train", 0, "2 train 1 of class 1, 1 held out 1 of class 1");
	unsetenv("EVAL_DATA");
}

/* A class that is kept elsewhere, by its folder or file by file: only where that is asked for. */
static void links_elsewhere(void)
{
	CHECK(mkdir("linked", 0700) == 0 && mkdir("linked/b", 0700) == 0);
	CHECK(symlink("../flat/a", "linked/a") == 0 && symlink("../../flat/b/1.bmp", "linked/b/1.bmp") == 0);
	loads("linked", STATUS_DATA,
	      "`linked/a` is refused: it is a link that leads out of the folder (`--follow-links`");
	setenv("FOLLOW_LINKS", "1", 1);
	loads("linked", 0, "2 train 1 of class 1, 0 held out");
	CHECK(unlink("linked/b/1.bmp") == 0 && symlink("nowhere.bmp", "linked/b/1.bmp") == 0);
	loads("linked", STATUS_DATA, "`linked/b/1.bmp` is left out: it is a link to nothing");
	unsetenv("FOLLOW_LINKS");
}

static void folders(void)
{
	static const char *const made[] = {"d",      "d/train",      "d/train/cat", "d/train/dog",
	                                   "d/test", "d/test/cat",   "flat",        "flat/a",
	                                   "flat/b", "flat/.hidden", "none",        "none/a"};
	uint8_t file[512];
	int n = make_bmp(file, 24, false);
	for (size_t i = 0; i < sizeof made / sizeof *made; i++)
		CHECK(mkdir(made[i], 0700) == 0);
	char path[128];
	for (int i = 0; i < 30; i++) {
		snprintf(path, sizeof path, "d/train/%s/%02d.%s", i % 3 ? "cat" : "dog", i,
		         i % 2 ? "bmp" : "BMP");
		put_file(path, file, (size_t)n);
	}
	put_file("d/test/cat/1.bmp", file, (size_t)n);
	loads("d", 0, "30 train 10 of class 1, 1 held out");
	CHECK(mkdir("d/train/owl", 0700) == 0); /* of the training alone: it is not the other part's */
	loads("d", STATUS_DATA, "`d/train` has 3 classes, the model wants `target y: class[2]`");
	CHECK(rmdir("d/train/owl") == 0);
	put_file("d/train/cat/bad.png", "no image", 8);
	put_file("d/train/cat/notes.txt", "x", 1);
	loads("d", 0, "`d/train/cat/bad.png` is left out");
	loads("d", 0, "1 file beside the pictures is none, as `d/train/cat/notes.txt`: left alone");
	loads("d", 0, "30 train 10 of class 1, 1 held out");
	unlink("d/train/cat/notes.txt");
	CHECK(symlink("/etc/passwd", "d/train/cat/leak.bmp") == 0);
	loads("d", 0, "leads out of the folder");
	unlink("d/train/cat/leak.bmp");
	CHECK(symlink("01.bmp", "d/train/cat/again.bmp") == 0);
	loads("d", 0, "31 train 10 of class 1");
	CHECK(mkfifo("d/train/cat/pipe.jpg", 0600) == 0);
	loads("d", 0, "pipe.jpg` is left out: it is not a regular file");
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "d/train/dog/bad%d.gif", i);
		put_file(path, "GIF89a", 6); /* which the runtime reads itself */
	}
	loads("d", STATUS_DATA, "that is too many");
	CHECK(mkdir("d/test/eel", 0700) == 0);
	loads("d", STATUS_DATA, "holds the class `eel`, which the training part does not have");
	CHECK(symlink("..", "flat/out") == 0);
	put_file("flat/a/1.bmp", file, (size_t)n);
	put_file("flat/b/1.bmp", file, (size_t)n);
	loads("flat", STATUS_DATA, "the class folder `flat/out` is refused");
	unlink("flat/out");
	links_elsewhere();
	loads("flat", 0, "2 train 1 of class 1, 0 held out");
	load("flat"); /* in this process: a sanitizer sees what it loses */
	converts();
	CHECK(mkdir("one", 0700) == 0 && mkdir("one/all", 0700) == 0);
	put_file("one/all/1.bmp", file, (size_t)n);
	loads("one", STATUS_DATA, "`one` has 1 class, the model wants `target y: class[2]`");
	loads("one", STATUS_DATA, "each class has a folder of its own: one/CLASS/NAME.jpg");
	CHECK(mkdir("flat/c", 0700) == 0);
	loads("flat", STATUS_DATA, "has 3 classes, the model wants `target y: class[2]`");
	loads("none", STATUS_DATA, "holds no data that this trainer knows");
	CHECK(rmdir("flat/c") == 0 && rmdir("d/test/eel") == 0);
	for (int i = 0; i < 3; i++) {
		snprintf(path, sizeof path, "d/train/dog/bad%d.gif", i);
		unlink(path);
	}
	held_out_elsewhere();
}

int main(void)
{
	child_folder_make();
	paint();
	bmp();
	jpeg();
	png();
	values();
	resize();
	resize_as_pillow();
	reduce();
	folders();
	return check_report("unit, pictures");
}
