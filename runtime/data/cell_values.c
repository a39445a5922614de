/* SPDX-License-Identifier: MIT */
#include "runtime/data/cell_values.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_missing(const char *text)
{
	static const char *const words[] = {"", "?", "-", "na", "n/a", "nan", "null", "none"};
	const char *bare = text + strspn(text, " \t"); /* in quotes they stay */
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strcasecmp(bare, words[i]) == 0)
			return true;
	return false;
}

static bool read_number(const char *text, bool decimal_comma, double *value)
{
	enum { MOST = 64 };
	char *end, pointed[MOST];
	const char *comma = strchr(text, ',');
	if (comma && decimal_comma && strlen(text) < MOST && !strpbrk(text, ".xX")) {
		strcpy(pointed, text);
		pointed[comma - text] = '.';
		*value = strtod(pointed, &end);
		return end > pointed + 1 && !*end;
	}
	*value = strtod(text, &end);
	return end != text && !*end;
}

/* ---- dates */

/* `digits` of them, or less where `least` is. */
static bool take_digits(const char **at, int least, int most, int *value)
{
	int count = 0;
	for (*value = 0; count < most && **at >= '0' && **at <= '9'; count++)
		*value = 10 * *value + (*(*at)++ - '0');
	return count >= least;
}

static bool take(const char **at, const char *any)
{
	const bool found = **at && strchr(any, **at);
	*at += found;
	return found;
}

/* Of the Gregorian calendar, which goes on before its beginning: days since 1970-01-01. By Howard Hinnant,
 * "chrono-Compatible Low-Level Date Algorithms", days_from_civil. */
static int64_t days_since_1970(int year, int month, int day)
{
	const int y = year - (month <= 2), era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
	const int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	return (int64_t)era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static bool is_date(int year, int month, int day)
{
	static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
	return month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1] + (leap && month == 2);
}

/* 2024-01-31, 2024/01/31, 31.01.2024 */
static bool take_date(const char **at, double *seconds)
{
	const char *first = *at;
	int year, month, day;
	bool good = take_digits(at, 4, 4, &year) && take(at, "-/");
	if (good) {
		const char mark[2] = {(*at)[-1], 0};
		good = take_digits(at, 1, 2, &month) && take(at, mark) && take_digits(at, 1, 2, &day);
	} else {
		*at = first;
		good = take_digits(at, 1, 2, &day) && take(at, ".") && take_digits(at, 1, 2, &month) &&
		       take(at, ".") && take_digits(at, 4, 4, &year);
	}
	if (!good || !is_date(year, month, day))
		return false;
	*seconds = 86400.0 * (double)days_since_1970(year, month, day);
	return true;
}

/* 12:30, 12:30:59, 12:30:59.5 */
static bool take_time(const char **at, double *seconds)
{
	int hour, minute, second = 0;
	double part = 0;
	if (!take_digits(at, 1, 2, &hour) || !take(at, ":") || !take_digits(at, 2, 2, &minute))
		return false;
	if (take(at, ":") && !take_digits(at, 2, 2, &second))
		return false;
	if (take(at, ".")) {
		double digit = 0.1;
		if (**at < '0' || **at > '9')
			return false;
		for (; **at >= '0' && **at <= '9'; digit /= 10)
			part += digit * (*(*at)++ - '0');
	}
	*seconds = 3600.0 * hour + 60.0 * minute + second + part;
	return hour < 24 && minute < 60 && second <= 60;
}

/* Z, +01:00, -0530; none is UTC. */
static bool take_zone(const char **at, double *seconds)
{
	int hour, minute;
	*seconds = 0;
	if (take(at, "Zz") || (**at != '+' && **at != '-'))
		return true;
	const double sign = *(*at)++ == '-' ? -1 : 1;
	if (!take_digits(at, 2, 2, &hour))
		return false;
	(void)take(at, ":");
	*seconds = take_digits(at, 2, 2, &minute) ? sign * (3600.0 * hour + 60.0 * minute) : NAN;
	return isfinite(*seconds);
}

static CellKind read_moment(const char *text, double *value)
{
	const char *at = text;
	double time = 0, zone = 0;
	if (take_date(&at, value)) {
		if (take(&at, "T ") && !(take_time(&at, &time) && take_zone(&at, &zone)))
			return CELL_WORD;
		*value += time - zone;
		return *at ? CELL_WORD : CELL_DATE;
	}
	at = text;
	return take_time(&at, value) && !*at ? CELL_TIME : CELL_WORD;
}

CellKind cell_kind(const char *text, bool decimal_comma, double *value)
{
	*value = NAN;
	if (is_missing(text))
		return CELL_MISSING;
	if (read_number(text, decimal_comma, value))
		return CELL_NUMBER;
	return read_moment(text, value);
}

bool cell_is_doubtful_date(const char *text)
{
	int number;
	const char *at = text;
	return take_digits(&at, 1, 2, &number) && take(&at, "/-.") && take_digits(&at, 1, 2, &number) &&
	       take(&at, "/-.") && take_digits(&at, 2, 4, &number) && (!*at || *at == ' ');
}
