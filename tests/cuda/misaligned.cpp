/* SPDX-License-Identifier: MIT */
/* A vector at a place where a GPU has none ends a kernel that is emulated, whichever compiler has made it: all ways in
 * which generated kernels and their headers load and store vectors. */
#include "tests/cuda/emulated.h"
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static int passed, failed;
alignas(64) static char memory[256];

template <typename F> static bool ends(F access, char *place)
{
	int status;
	const pid_t child = fork();
	if (child == 0) {
		access(place);
		_exit(0);
	}
	return waitpid(child, &status, 0) == child && WIFSIGNALED(status);
}

/* Of a vector that begins `by` bytes after one, and of one that is where it should be. */
template <typename F> static void check(const char *what, int by, F access)
{
	const bool right = ends(access, memory + by) && !ends(access, memory);
	++(right ? passed : failed);
	if (!right)
		printf("FAIL %s: %d bytes beside its place it is no error, or in its place it is\n", what,
		       by);
}

template <typename V> static void check_vector(const char *what, int by)
{
	check(what, by, [](char *place) {
		V v = *(const V *)place;
		(void)v;
	});
	check(what, by, [](char *place) { (void)__ldcg((const V *)place); });
	check(what, by, [](char *place) { *(V *)place = V(); });
}

template <typename T, typename Value> static void check_elements(const char *what)
{
	check(what, sizeof(T), [](char *place) {
		Value x[4];
		nnr_load4(x, (const T *)place);
	});
	check(what, sizeof(T), [](char *place) {
		Value x[4] = {};
		nnr_store4((T *)place, x);
	});
	check(what, sizeof(T), [](char *place) {
		NnrRaw4<T> x;
		nnr_load4(x, (const T *)place);
	});
}

int main()
{
	check_vector<float2>("float2", 4);
	check_vector<float4>("float4", 8);
	check_vector<double2>("double2", 8);
	check_vector<uint4>("uint4", 8);
	check_vector<uchar4>("uchar4", 2);
	check_elements<float, float>("four floats");
	check_elements<double, double>("four doubles");
	check_elements<NnrBf16, float>("four of 16 bits");
	check("eight of 16 bits", 8, [](char *place) {
		NnrRaw8<NnrBf16> x;
		nnr_load8(x, (const NnrBf16 *)place);
	});
	printf("misaligned vectors: %d passed, %d failed, 0 skipped\n", passed, failed);
	return failed != 0;
}
