/* SPDX-License-Identifier: MIT */
/* runtime/cuda/nnr_held.h by itself, thread by thread: where all weights are 1 and pixels 0 or 1, most windows have
 * several largest sums, of different patches. The first place must win, and its patch be what the filter's gradient
 * sums. */
#include "tests/cuda/device.h"

#include "cuda/nnr_held.h"
#include "tests/unit/check.h"

#include <cmath>
#include <vector>

/* The convolution of the image by ones at (p, q): the sum of a patch, which is [R,S,C], zero outside. */
template <typename V> static double patch(const std::vector<double> &x, int p, int q, double *taps)
{
	double sum = 0;
	for (int i = 0; i < V::R * V::S * V::C; i++) {
		const int h = p * V::SH - V::PT + i / (V::S * V::C) * V::DH;
		const int v = q * V::SW - V::PL + i / V::C % V::S * V::DW;
		const bool inside = h >= 0 && h < V::H && v >= 0 && v < V::W;
		taps[i] = inside ? x[(size_t)((h * V::W + v) * V::C + i % V::C)] : 0;
		sum += taps[i];
	}
	return sum;
}

template <int THREADS, int STRIP, int TILE, int PH, int PW, typename V> static void check_window()
{
	using Own = NnrHeld<THREADS, STRIP, TILE, PH, PW, V>;
	using Filters = NnrHeldFilters<THREADS, STRIP, TILE, PH, PW, V>;
	std::vector<double> x((size_t)(V::H * V::W * V::C)), w((size_t)(V::K * Filters::taps), 1);
	for (size_t i = 0; i < x.size(); i++)
		x[i] = (i * i + i / 3) % 5 < 2;
	std::vector<double> wanted((size_t)(V::K * Filters::count)), got(wanted.size());
	std::vector<int> seen((size_t)(Own::rows * Own::columns * V::K));
	int ties = 0;
	for (int thread = 0; thread < THREADS; thread++) {
		emulated_thread.x = (unsigned)thread;
		int32_t winner[Own::count] = {};
		double d[Own::count] = {}, sum[Filters::count] = {};
		Own::pool(
		        x.data(), w.data(), winner, [](int, double value) { return value; },
		        [&](int j, int p, int q, int k, double value) {
			        double taps[PH * PW][Filters::taps], best = -1;
			        int first = 0, equals = 0;
			        for (int i = 0; i < PH * PW; i++) {
				        const double at =
				                patch<V>(x, p * PH + i / PW, q * PW + i % PW, taps[i]);
				        equals = at > best ? 1 : equals + (at == best);
				        first = at > best ? i : first;
				        best = at > best ? at : best;
			        }
			        ties += equals > 1;
			        seen[(size_t)Own::place(p, q, k)]++;
			        CHECK(value == best);
			        CHECK(Own::winner_of(winner, j) == first);
			        d[j] = j + 1;
			        for (int i = 0; i < Filters::taps; i++)
				        wanted[(size_t)(k * Filters::count + i)] += d[j] * taps[first][i];
			        wanted[(size_t)(k * Filters::count + Filters::taps)] += d[j];
		        });
		Filters::add(sum, x.data(), winner, d);
		for (int i = 0; i < Filters::count; i++)
			got[(size_t)(thread % V::K * Filters::count + i)] += sum[i];
	}
	CHECK(ties > 0);
	CHECK(got == wanted);
	for (int times : seen)
		CHECK(times == 1);
}

/* A pixel that is not a number, at each place of a window: it must reach the loss, and so win. */
static void check_not_a_number()
{
	using Own = NnrHeld<32, 1, 1, 2, 2, NnrConv<2, 2, 1, 2, 2, 1, 1, 1, 1, 1, 0, 0, 1, 1>>;
	const double w = 1;
	for (int at = 0; at < 4; at++) {
		double x[4] = {1, 3, 2, 3};
		int32_t winner[Own::count] = {};
		x[at] = NAN;
		emulated_thread.x = 0;
		Own::pool(
		        x, &w, winner, [](int, double value) { return value; },
		        [&](int j, int, int, int, double value) {
			        CHECK(std::isnan(value));
			        CHECK(Own::winner_of(winner, j) == at);
		        });
	}
}

int main()
{
	check_not_a_number();
	/* x 8x10x1, pad 1; strips of 3 of 5 columns, in tiles of 2 */
	check_window<64, 3, 2, 2, 2, NnrConv<8, 10, 1, 8, 10, 6, 3, 3, 1, 1, 1, 1, 1, 1>>();
	/* two channels, stride 2 down, border at the sides; several strips a thread */
	check_window<32, 2, 1, 3, 1, NnrConv<13, 9, 2, 6, 11, 8, 3, 3, 2, 1, 0, 2, 1, 1>>();
	/* gaps in the window, which reaches beyond the image on one side alone */
	check_window<96, 1, 1, 1, 3, NnrConv<6, 7, 1, 6, 6, 4, 2, 2, 1, 1, 0, 0, 1, 2>>();
	return check_report("held");
}
