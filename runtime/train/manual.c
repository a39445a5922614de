/* SPDX-License-Identifier: MIT */
/* The options that every trainer has, on either target, without one: `--manual FORM` and `--help`. nnc-trainer(1) is
 * made by it. */
#include "base/version.h"
#include "runtime/session/backend.h"
#include "runtime/host/die.h"
#include "runtime/host/options.h"

int main(int argc, char **argv)
{
	static const NnrBackend any;
	static char name[] = "TRAINER";
	const NnrModel model = {.name = "NETWORK",
	                        .source = "FILE.net",
	                        .recipe = "",
	                        .version = NNC_VERSION,
	                        .backend = &any};
	static Options options;
	program_set_name(name);
	options_parse(&options, &model, argc, argv);
	if (options.manual >= 0)
		options_manual(&model, options.manual);
	else
		options_help(&model);
	return output_end();
}
