/* SPDX-License-Identifier: MIT */
/* The tune record: which plan of cuDNN or cuBLASLt was the fastest for each operation and shape, as text.
 *
 *     # nnc tune record 2: library plans chosen by timing
 *     device NVIDIA H200
 *     capability 90
 *     driver 13000
 *     cudnn 91900
 *     cublaslt 130101
 *     cudnn fprop f32 tf32 x 128,56,56,64 ...: engine=36 tile_size=5 | us=12.34 runner_up=12.90 first=15.00 ...
 *                                                                   ... candidates=24 workspace=0 state=partial next=17
 *
 *     # tried 12.34 form=0 engine=36 tile_size=5
 *     # tried 12.90 form=0 engine=4 tile_size=2
 *
 * Below an operation stand the fastest of the plans that were tried for it, which `profile` shows and no search reads.
 *
 * One line per operation: library, key, colon, settings that rebuild the plan and, of a product, what our kernel for it
 * takes (`own_ns`), bar, what was measured (times in
 * microseconds, `first` is the plan of the heuristic, workspace in bytes), and how far the search came:
 * `state=complete`, or `state=partial next=N` where the time for it ended with N candidates of the library's list
 * tried. A record is used where device, compute capability, driver and the library's version are those it was made
 * with; else the operations are tuned again. What it lacks is taken from the records that come with the runtime
 * (tune_shipped.h): an entry of the same device as it is, one of another device of the same compute capability (an H100
 * for an H200) as a choice that no search has ended, without that device's times. The driver may be another.
 *
 * Version 1 had no state: its entries are complete. Reading believes nothing: a line that is no entry is counted and
 * left out, a file of another version is refused. */
#ifndef NNR_CUDA_TUNE_H
#define NNR_CUDA_TUNE_H

#include <stdbool.h>
#include <stdint.h>

typedef enum { TUNE_CUDNN, TUNE_CUBLASLT, TUNE_LIBRARIES } TuneLibrary;

enum {
	TUNE_KEY_BYTES = 320,
	TUNE_NAME_BYTES = 32,
	TUNE_SETTINGS = 32,
	TUNE_ENTRIES = 1 << 16, /* more are not believed */
	TUNE_TRIED = 8,
	TUNE_PLAN_BYTES = 96,
};

/* A setting: what our kernel takes, in nanoseconds; where `us` is 0, how much longer than the library's plan. 0: it was
 * not timed. */
#define TUNE_OWN_TIME "own_ns"

typedef struct TuneSetting {
	char name[TUNE_NAME_BYTES]; /* lower case, digits, underscores */
	int64_t value;
} TuneSetting;

/* A plan that was tried: its time and its settings as text, those of them that have meaning to people. */
typedef struct TuneTried {
	double us;
	char plan[TUNE_PLAN_BYTES];
} TuneTried;

typedef struct TuneEntry {
	TuneLibrary library;
	char key[TUNE_KEY_BYTES]; /* printable ASCII without `:` and `|`: "fprop f32 tf32 x 128,56,56,64 ..." */
	int setting_count;
	TuneSetting settings[TUNE_SETTINGS];
	double us, runner_up_us, first_us; /* of one run; 0: not measured */
	int64_t workspace;
	int candidates;
	bool partial; /* the search had no time for all it would have tried */
	int next;     /* then: candidates of the library's list that were tried */
	int tried_count;
	TuneTried tried[TUNE_TRIED]; /* the fastest first */
} TuneEntry;

typedef struct TunePlatform {
	char device[128];
	int64_t capability, driver;
	int64_t version[TUNE_LIBRARIES]; /* 0: unknown, no entry of that library */
} TunePlatform;

typedef struct TuneRecord {
	TunePlatform platform;
	TuneEntry *entries;
	int count, room;
	int version;              /* of the text that was read */
	int bad_lines, first_bad; /* lines left out by tune_parse, number of the first */
} TuneRecord;

/* ---- the record as a value */

/* False when the text does not begin as a tune record does; *r is then empty. */
bool tune_parse(TuneRecord *r, const char *text, int64_t length);
char *tune_text(const TuneRecord *r, int64_t *length); /* malloc'd; what tune_parse reads back */
/* NULL when there is none. */
const TuneEntry *tune_find(const TuneRecord *r, TuneLibrary library, const char *key);
/* Adds a copy, or replaces the entry of that library and key; it is there until the next is added. */
TuneEntry *tune_set(TuneRecord *r, const TuneEntry *entry);
void tune_remove_library(TuneRecord *r, TuneLibrary library);
void tune_free(TuneRecord *r);
/* What a plan of these settings took; INFINITY: it does not work. */
void tune_tried(TuneEntry *entry, const TuneEntry *plan, double us);
/* A setting by name, or `otherwise`. */
int64_t tune_setting(const TuneEntry *entry, const char *name, int64_t otherwise);
/* A time as the text keeps it, in hundredths of a microsecond: what is decided by times is then decided alike by the
 * process that measured them and by those that read them. */
double tune_rounded(double us);
/* "cuDNN" */
const char *tune_library_title(TuneLibrary library);
/* The name is cut at TUNE_NAME_BYTES; the entry must have room. */
void tune_add_setting(TuneEntry *entry, const char *name, int64_t value);

/* ---- the record of this process */

/* Before the first plan. `file`: the record, NULL: NAME.tune beside the executable. `off`: neither read, timed nor
 * written; where no record came with the runtime the heuristic's first plan is taken. Not called: what $NNR_TUNE says
 * ("off", or a file). */
void tune_configure(const char *file, bool off);
bool tune_is_off(void);
/* States what the process runs on; reads the file at the first call. `version` is the library's. Says it when the
 * record is of another platform or damaged; ends the process when the file is something else. */
void tune_open(const TunePlatform *here, TuneLibrary library, int64_t version);
/* Of the record, else of those that came with the runtime; NULL: of none. */
const TuneEntry *tune_lookup(TuneLibrary library, const char *key);
/* Of what came with the runtime, the operation of the same kind that is nearest in its sizes (tune_alike.h): its plan
 * is one to try early. NULL: none is near. */
const TuneEntry *tune_alike(TuneLibrary library, const char *key);
/* Keeps the choice; the file is written now and then, so that an interrupted tuning is not lost. */
void tune_keep(const TuneEntry *entry);
/* Writes what is not yet on disk; a failure is one warning. */
void tune_save(void);

#endif
