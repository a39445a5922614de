/* SPDX-License-Identifier: MIT */
#include "runtime/cuda/cudnn_ahead.h"
#include "base/processors.h"
#include "runtime/host/signals.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* LEAST: questions that are worth threads. Stacks are as large as the main thread's usually is, whatever the limit: a
 * search keeps all that it asks of on its own, below it cuDNN's calls. */
enum { MOST_THREADS = 8, LEAST = 4, STACK = 8 << 20 };

typedef struct Job {
	Question question;
	Answer known;
	bool is_known, made;
	Made result;
} Job;

static struct {
	Job *jobs;
	int count, room;
	/* under the lock */
	pthread_mutex_t lock;
	pthread_cond_t ended;
	int next, done, working;
	CUcontext context;
	/* They stay: a plan may need the handle that it was made with. */
	cudnnHandle_t handles[MOST_THREADS];
} ahead = {.lock = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};

void ahead_note(const Question *q, const Answer *known)
{
	for (int i = 0; i < ahead.count; i++)
		if (!strcmp(ahead.jobs[i].question.key, q->key))
			return;
	if (ahead.count == ahead.room) {
		ahead.room = ahead.room ? 2 * ahead.room : 64;
		ahead.jobs = reallocate(ahead.jobs, ahead.room, sizeof *ahead.jobs, "the plans to make");
	}
	Job *j = &ahead.jobs[ahead.count++];
	*j = (Job){.question = *q, .is_known = known};
	if (known)
		j->known = *known;
}

/* ---- in a thread */

typedef struct Making {
	const Question *question;
	Graph graphs[FORMS];
	Made *result;
} Making;

/* 0 where a plan can be made of it. */
static double make_plan(void *context, const Answer *a, double best_us)
{
	Making *m = context;
	Made *r = m->result;
	if (!plan_of(&r->plan, &m->graphs[a->form], a, m->question->type))
		return INFINITY;
	if (conv_between_bytes(m->question, a->form) + r->plan.workspace <= plan_workspace_cap())
		return 0;
	dnn_release(&r->plan.pool);
	return INFINITY;
}

/* What is compiled is left to the first thread: not seen is whether such a plan runs with another handle than it was
 * made with. */
static void make_known(Making *m, Search *s, const Answer *known)
{
	Graph *g = &m->graphs[known->form];
	*g = conv_graph(m->question, known->form);
	s->best = *known;
	s->best_us =
	        g->graph && !engine_is_compiled(g, known->engine) ? make_plan(m, known, INFINITY) : INFINITY;
}

static void make_first(Making *m, Search *s)
{
	for (Form form = 0; form < PRODUCT; form++)
		m->graphs[form] = conv_graph(m->question, form);
	search_first(s);
}

/* Of a question for which nothing works the first thread finds that out again, and says why, unless it has a kernel. */
static bool make(Job *j)
{
	Making m = {.question = &j->question, .result = &j->result};
	Search s = {.graphs = m.graphs,
	            .other = PLAIN, /* nothing is compiled */
	            .type = j->question.type,
	            .time = make_plan,
	            .context = &m};
	if (j->is_known)
		make_known(&m, &s, &j->known);
	else
		make_first(&m, &s);
	const bool made = isfinite(s.best_us);
	j->result.none = !made && !j->is_known && j->question.epilogue;
	if (made) {
		j->result.answer = s.best;
		j->result.graph = m.graphs[s.best.form];
		m.graphs[s.best.form] = (Graph){0};
	}
	for (Form form = 0; form < FORMS; form++)
		dnn_release(&m.graphs[form].pool);
	return made || j->result.none;
}

static Job *next_job(void)
{
	pthread_mutex_lock(&ahead.lock);
	Job *j = ahead.next < ahead.count ? &ahead.jobs[ahead.next++] : NULL;
	pthread_mutex_unlock(&ahead.lock);
	return j;
}

static void *work(void *handle)
{
	bool able = cu.CtxSetCurrent(ahead.context) == CUDA_SUCCESS && dnn_begin_thread(handle);
	for (Job *j; able && (j = next_job());) {
		j->made = make(j);
		pthread_mutex_lock(&ahead.lock);
		ahead.done++;
		pthread_cond_signal(&ahead.ended);
		pthread_mutex_unlock(&ahead.lock);
	}
	pthread_mutex_lock(&ahead.lock);
	ahead.working--;
	pthread_cond_signal(&ahead.ended);
	pthread_mutex_unlock(&ahead.lock);
	return NULL;
}

/* ---- in the first thread */

/* Until all threads have ended; at a signal each makes the plan it has begun. */
static void wait_for_threads(void)
{
	pthread_mutex_lock(&ahead.lock);
	while (ahead.working > 0) {
		struct timespec until;
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += 100000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		pthread_cond_timedwait(&ahead.ended, &ahead.lock, &until);
		start_plans_ahead(ahead.done, ahead.count);
		if (signal_caught())
			ahead.next = ahead.count;
	}
	pthread_mutex_unlock(&ahead.lock);
}

void nnr_cuda_make_ahead(void)
{
	pthread_t thread[MOST_THREADS];
	const int most = processors_usable();
	int wanted = most < MOST_THREADS ? most : MOST_THREADS;
	wanted = wanted < ahead.count ? wanted : ahead.count;
	if (most < 2 || ahead.count < LEAST) {
		ahead.count = 0;
		return;
	}
	StartPart part = start_part(START_PLANS);
	plan_workspace_cap(); /* is asked of the device once */
	nnr_cuda_doing("making plans");
	CU(CtxPopCurrent, &ahead.context);
	CU(CtxPushCurrent, ahead.context);
	ahead.next = ahead.done = ahead.working = 0;
	int count = 0;
	pthread_attr_t attr;
	require(pthread_attr_init(&attr) == 0 && pthread_attr_setstacksize(&attr, STACK) == 0);
	pthread_mutex_lock(&ahead.lock);
	while (count < wanted && pthread_create(&thread[count], &attr, work, &ahead.handles[count]) == 0)
		count++;
	ahead.working = count;
	pthread_mutex_unlock(&ahead.lock);
	pthread_attr_destroy(&attr);
	wait_for_threads();
	for (int i = 0; i < count; i++)
		pthread_join(thread[i], NULL);
	start_part(part);
}

bool ahead_take(const char *key, Made *out)
{
	for (int i = 0; i < ahead.count; i++) {
		Job *j = &ahead.jobs[i];
		if (!j->made || strcmp(j->question.key, key))
			continue;
		*out = j->result;
		j->made = false;
		return true;
	}
	return false;
}
