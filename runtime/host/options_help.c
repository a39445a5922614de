/* SPDX-License-Identifier: MIT */
/* What a trainer says of its options: --help, the man page and what shells complete. */
#include "base/manual.h"
#include "runtime/host/die.h"
#include "runtime/host/options_table.h"

#include <stdio.h>

static const char signals[] = "SIGUSR1 saves the checkpoint, and the training goes on";

static const char *exit_statuses(void)
{
	static const char *text;
	if (!text)
		text = text_printf(
		        "%d done, %d wrong use, %d data or checkpoint, %d memory, %d diverged, %d no GPU,\n"
		        "             129, 130 and 143 interrupted with the checkpoint saved, %d a mistake "
		        "of nnc",
		        STATUS_OK, STATUS_USAGE, STATUS_DATA, STATUS_MEMORY, STATUS_DIVERGED, STATUS_DEVICE,
		        STATUS_INTERNAL);
	return text;
}

/* The rows that the trainer does not refuse, and how many they are. */
static int taken_rows(const OptionRow **taken, const NnrModel *model)
{
	int count = 0;
	bool refused = false;
	for (int i = 0; i < option_row_count; i++) {
		if (!option_rows[i].name)
			refused = option_rows[i].help == cuda_heading && !model->backend;
		if (!refused)
			taken[count++] = &option_rows[i];
	}
	return count;
}

/* " [train, eval]", or " [all but runs]", or nothing of an option that all commands know; and the line's end. */
static void put_commands(int where)
{
	bool most = (where & IN_RUN) == IN_RUN;
	const char *before = most ? " [all but " : " [", *after = "";
	for (int c = 0; c < COMMANDS; c++)
		if ((where >> c & 1) != most) {
			printf("%s%s", before, command_rows[c].name);
			before = ", ";
			after = "]";
		}
	printf("%s\n", after);
}

void options_help(const NnrModel *model)
{
	const OptionRow *rows[MOST_OPTION_ROWS];
	int count = taken_rows(rows, model);
	printf("%s: trains the network `%s` of %s (compiled by nnc %s)\n\n", program_name(), model->name,
	       model->source, model->version);
	for (int c = 0; c < COMMANDS; c++)
		printf("%s %s %s\n", c ? "      " : "usage:", program_name(), command_rows[c].usage);
	printf("\nrecipe: %s\n", model->recipe);
	for (int i = 0; i < count; i++) {
		const OptionRow *row = rows[i];
		if (!row->name) {
			printf("\n%s\n", row->help);
			continue;
		}
		char left[64];
		snprintf(left, sizeof left, "--%s%s%s", row->name,
		         row->argument && row->kind != KIND_SWITCH ? " " : "",
		         row->argument ? row->argument : "");
		printf("  %-29s %s", left, row->help);
		put_commands(row->where);
	}
	printf("\nexit status: %s\n%s\n", exit_statuses(), signals);
}

void options_manual(const NnrModel *model, int form)
{
	static const char *const forms[] = {"man", "bash", "zsh", "fish"};
	ManualCommand all[COMMANDS];
	for (int c = 0; c < COMMANDS; c++)
		all[c] = (ManualCommand){command_rows[c].name, command_rows[c].usage, command_rows[c].doc,
		                         NULL, command_rows[c].files ? "" : NULL};
	/* Its texts last as long as the process, which ends soon. */
	static ManualOption options[MOST_OPTION_ROWS];
	const OptionRow *rows[MOST_OPTION_ROWS];
	int count = taken_rows(rows, model);
	for (int i = 0; i < count; i++) {
		const OptionRow *row = rows[i];
		options[i] = (ManualOption){
		        .name = row->name ? text_printf("--%s", row->name) : NULL,
		        .value = row->argument
		                         ? text_printf(row->kind == KIND_SWITCH ? "%s" : " %s", row->argument)
		                         : "",
		        .commands = (unsigned)row->where,
		        .doc = row->help,
		};
	}
	const ManualSection sections[] = {
	        {"EXIT STATUS", exit_statuses()}, {"SIGNALS", signals}, {"SEE ALSO", "nnc(1)"}};
	manual_print(&(Manual){.program = program_name(),
	                       .title = "nnc-trainer",
	                       .summary = "a trainer of a neural network, as nnc makes it",
	                       .description =
	                               "What nnc makes of a FILE.net: one executable file that trains the "
	                               "network, evaluates it, predicts with it, and measures itself.",
	                       .version = model->version,
	                       .commands = all,
	                       .command_count = COMMANDS,
	                       .options = options,
	                       .option_count = count,
	                       .sections = sections,
	                       .section_count = sizeof sections / sizeof *sections},
	             forms[form]);
}
