/* SPDX-License-Identifier: MIT */
#include "runtime/host/hash.h"

#include <endian.h>
#include <string.h>

static const uint64_t P1 = 0x9e3779b185ebca87u, P2 = 0xc2b2ae3d27d4eb4fu, P3 = 0x165667b19e3779f9u,
                      P4 = 0x85ebca77c2b2ae63u, P5 = 0x27d4eb2f165667c5u;

static uint64_t rotate(uint64_t x, int by)
{
	return x << by | x >> (64 - by);
}

static uint64_t read8(const unsigned char *at)
{
	uint64_t value;
	memcpy(&value, at, sizeof value);
	return le64toh(value);
}

static uint64_t read4(const unsigned char *at)
{
	uint32_t value;
	memcpy(&value, at, sizeof value);
	return le32toh(value);
}

static uint64_t lane_round(uint64_t lane, uint64_t value)
{
	return rotate(lane + value * P2, 31) * P1;
}

static uint64_t avalanche(uint64_t h)
{
	h = (h ^ h >> 33) * P2;
	h = (h ^ h >> 29) * P3;
	return h ^ h >> 32;
}

uint64_t hash_bytes(const void *bytes, int64_t length)
{
	const unsigned char *at = bytes, *end = at + length;
	uint64_t h = P5;
	if (length >= 32) {
		uint64_t lane[4] = {P1 + P2, P2, 0, -P1};
		for (; end - at >= 32; at += 32)
			for (int i = 0; i < 4; i++)
				lane[i] = lane_round(lane[i], read8(at + 8 * i));
		h = rotate(lane[0], 1) + rotate(lane[1], 7) + rotate(lane[2], 12) + rotate(lane[3], 18);
		for (int i = 0; i < 4; i++)
			h = (h ^ lane_round(0, lane[i])) * P1 + P4;
	}
	h += (uint64_t)length;
	for (; end - at >= 8; at += 8)
		h = rotate(h ^ lane_round(0, read8(at)), 27) * P1 + P4;
	if (end - at >= 4) {
		h = rotate(h ^ read4(at) * P1, 23) * P2 + P3;
		at += 4;
	}
	for (; at < end; at++)
		h = rotate(h ^ *at * P5, 11) * P1;
	return avalanche(h);
}
