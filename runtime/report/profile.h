/* SPDX-License-Identifier: MIT */
/* `EXE profile`: where the time of a training step goes, by the lines of the .net files.
 *
 * A backend runs some training steps and says what ran when (ProfileEvent); all else is the same for each backend.
 * Times are nanoseconds, whole ones, so that what is shared out adds up to what was measured, exactly:
 *
 *   a turn (a step as it was measured)  = what ran in it + what nothing ran in ("between")
 *   what ran at the same time           shares that time equally
 *   a step of the program               is shared by the weights of its table (NnrShare) */
#ifndef NNR_PROFILE_H
#define NNR_PROFILE_H

#include "runtime/session/session.h"
#include "runtime/session/steps.h"

#include <stdio.h>

/* What an event is of, beside the steps of the program, which count from 0. */
enum { EVENT_NONE = -1, EVENT_DATA = -2, EVENT_OTHER = -3 };

typedef struct ProfileEvent {
	int step;         /* index into NnrProgram.steps, or one of the above */
	int track;        /* ProfileTracks.names */
	const char *name; /* of the kernel or the library's engine; NULL: the step's */
	int64_t begin, end;
} ProfileEvent;

typedef struct Turn {
	int64_t begin, end;
} Turn;

/* What the machine can do at most, as measured just now. */
typedef struct Peaks {
	double flops, bytes;               /* a second; 0: not known */
	char flops_how[96], bytes_how[96]; /* "multiply-adds of f32 on 2 threads" */
	int threads, processors;           /* that compute a step, of how many; 0: a device does */
} Peaks;

enum { MOST_TRACKS = 4 };

typedef struct Profile {
	const NnrModel *model;
	ProfileEvent *events; /* sorted by their begin once the backend is done */
	int64_t event_count, event_room;
	int64_t steps; /* that were asked for */
	Turn *turns;   /* as many, or one of all where they can't be told apart */
	int64_t turn_count, turn_room;
	char **names; /* of the events: each once */
	int64_t name_count, name_room;
	const char *tracks[MOST_TRACKS]; /* "main thread"; NULL: unused */
	const char *how;                 /* "a clock around each call" */
	bool listening;                  /* the last event has no end yet */
	double plain_seconds;            /* of a step that nobody measures */
	Peaks peaks;

	/* profile.c, of all turns together */
	int64_t total, between, data, other; /* ns */
	int64_t runs;                        /* of the program: `chunks` a turn */
	int64_t *step_ns;                    /* by step of the program: its part of the time */
	int64_t (*place_ns)[NNR_PHASES];     /* by place; the last is of what comes from no line */
	double (*place_work)[2];             /* FLOP and bytes, likewise */
} Profile;

int64_t clock_ns(void); /* monotonic */
void profile_add(Profile *p, ProfileEvent e);
void profile_add_turn(Profile *p, int64_t begin, int64_t end);
/* For a backend that does one thing after another: ends the event before and, unless it is EVENT_NONE, begins one of
 * `step`, now. profile_engine names what computes it. */
void profile_now(Profile *p, int step);
void profile_engine(Profile *p, const char *name);
/* The profile's own copy of a name. */
const char *profile_name(Profile *p, const char *name);

/* The phase's part of all turns; the .net lines' alone. */
int64_t profile_phase_ns(const Profile *p, NnrPhase phase);

/* What one line of a file has: by itself, and with the blocks that it calls. */
typedef struct LineTime {
	int64_t ns[NNR_PHASES], own;
	int64_t named; /* of steps that name the line and count elsewhere: the optimizer's, at the layers */
	double flops, bytes;
} LineTime;

LineTime profile_line(const Profile *p, int source, int line);

/* The smallest time for so much work, of the time taken: 1 at the roof; *by_memory: what bounds it. 0: no roof. */
double profile_roof(const Profile *p, double flops, double bytes, double ns, bool *by_memory);
/* The place with the largest share of a step; -1: none. */
int step_place(const NnrStep *s);

/* profile_text.c: for 120 columns. */
void profile_print(const Profile *p, const Session *s);
/* profile_json.c. `page`: without what the page of the program has itself. */
void profile_write_json(const Profile *p, const Session *s, FILE *to, bool page);
/* profile_html.c: a part of the page of a run. */
void profile_write_html(const Profile *p, const Session *s, FILE *to);
/* A string with its quotes. */
void json_put_text(FILE *to, const char *text);
/* profile_trace.c: the Trace Event Format, which chrome://tracing and ui.perfetto.dev read. */
void profile_write_trace(const Profile *p, FILE *to);

/* peaks.c: of the processors. */
Peaks peaks_of_cpu(int threads, bool in_double);

#endif
