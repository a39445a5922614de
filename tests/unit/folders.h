/* SPDX-License-Identifier: MIT */
/* Folders of noisy images of several sizes, for the working directory of a test. */
#ifndef NNC_TESTS_FOLDERS_H
#define NNC_TESTS_FOLDERS_H

#include "tests/unit/child.h"

static inline void put_le32(uint8_t *at, int32_t value)
{
	for (int i = 0; i < 4; i++)
		at[i] = (uint8_t)((uint32_t)value >> 8 * i);
}

/* A BMP of 24 bits. */
static inline void put_noise(const char *path, int height, int width, uint32_t state)
{
	int row = (width * 3 + 3) / 4 * 4, length = 54 + row * height;
	uint8_t *bytes = calloc((size_t)length, 1);
	if (!bytes)
		abort();
	memcpy(bytes, "BM", 2);
	put_le32(bytes + 2, length);
	put_le32(bytes + 10, 54);
	put_le32(bytes + 14, 40);
	put_le32(bytes + 18, width);
	put_le32(bytes + 22, height);
	bytes[26] = 1;
	bytes[28] = 24;
	for (int i = 54; i < length; i++) {
		state = state * 1664525u + 1013904223u;
		bytes[i] = (uint8_t)(state >> 24);
	}
	put_file(path, bytes, (size_t)length);
	free(bytes);
}

/* A BMP of 8 bits whose head is whole, and whose last pixel has none of its two colours. */
static inline void put_outside_palette(const char *path, int height, int width)
{
	int row = (width + 3) / 4 * 4, length = 62 + row * height;
	uint8_t bytes[62 + 64 * 64] = "BM";
	if (length > (int)sizeof bytes)
		abort();
	put_le32(bytes + 10, 62);
	put_le32(bytes + 14, 40);
	put_le32(bytes + 18, width);
	put_le32(bytes + 22, height);
	bytes[26] = 1;
	bytes[28] = 8;
	put_le32(bytes + 46, 2);
	put_le32(bytes + 58, 0x00a0b0c0);
	bytes[62 + row * (height - 1) + width - 1] = 2;
	put_file(path, bytes, (size_t)length);
}

/* ROOT/train/{a,b,c} and ROOT/test/{a,b,c} with so many images in all; around height x width, and each of another
 * size. */
static inline void put_folders(const char *root, int train, int test, int height, int width)
{
	const struct {
		const char *name;
		int count;
	} parts[] = {{"train", train}, {"test", test}};
	char path[256];
	if (mkdir(root, 0700) < 0)
		abort();
	for (int p = 0; p < 2; p++) {
		snprintf(path, sizeof path, "%s/%s", root, parts[p].name);
		if (mkdir(path, 0700) < 0)
			abort();
		for (int c = 0; c < 3; c++) {
			snprintf(path, sizeof path, "%s/%s/%c", root, parts[p].name, 'a' + c);
			if (mkdir(path, 0700) < 0)
				abort();
		}
		for (int k = 0; k < parts[p].count; k++) {
			snprintf(path, sizeof path, "%s/%s/%c/%03d.bmp", root, parts[p].name, 'a' + k % 3, k);
			put_noise(path, height + k % 4, width + k % 3, (uint32_t)(1000 * p + k));
		}
	}
}

#endif
