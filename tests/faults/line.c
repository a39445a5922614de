/* SPDX-License-Identifier: MIT */
/* The trainer of tests/unit/linear.h as a program: `line put-data` makes the folder data, else as any trainer. */
#include "tests/unit/linear.h"

int main(int argc, char **argv)
{
	if (argc == 2 && strcmp(argv[1], "put-data") == 0) {
		put_data();
		return 0;
	}
	return nnr_main(&model, argc, argv);
}
