/* SPDX-License-Identifier: MIT */
/* The functions of attention.h for one type of numbers, NNR_REAL; of that alone. */

/* Some rows of a head of queries, from r0 on, and the keys that they see. */
typedef struct NnrStrip {
	NnrStrips all;                       /* a copy, which no store changes */
	const NNR_REAL *query, *key, *value; /* of the head */
	const NNR_REAL *added;               /* the mask's numbers for it; NULL */
	int64_t head, sample, own;           /* head `own` of the sample */
	int64_t r0, rows, keys;
	const NnrScalars *s; /* of the dropout */
	int stream;
} NnrStrip;

static inline NnrStrip nnr_strip(const NnrStrips *all, const NNR_REAL *x, const NNR_REAL *mask,
                                 const NnrScalars *s, int stream, int64_t head, int64_t r0)
{
	const int64_t sample = head / all->heads, own = head % all->heads, left = all->queries - r0;
	NnrStrip p = {
	        .all = *all, .head = head, .sample = sample, .own = own, .r0 = r0, .s = s, .stream = stream};
	p.rows = left < all->rows ? left : all->rows;
	p.keys = all->causal ? r0 + p.rows : all->keys;
	p.query = x + sample * all->queries * all->query_row + own * all->size;
	p.key = x + all->keys_at + sample * all->keys * all->key_row +
	        own / (all->heads / all->groups) * all->size;
	p.value = p.key + (all->values_at - all->keys_at);
	if (mask)
		p.added = mask + sample % all->mask_samples * all->mask_sample + own * all->mask_head;
	return p;
}

/* How many keys row i of the strip sees. */
static inline int64_t nnr_seen(const NnrStrip *p, int64_t i)
{
	return p->all.causal ? p->r0 + i + 1 : p->keys;
}

/* to[rows][keys] = scale a b^T + added; a has the strip's rows from r0 on, `a_row` elements apart. */
static inline void nnr_scores(const NnrStrip *p, NNR_REAL *to, const NNR_REAL *a, int64_t a_row,
                              const NNR_REAL *b, NNR_REAL scale, const NNR_REAL *added, NNR_REAL *block)
{
	const NnrStrips *all = &p->all;
	for (int64_t n0 = 0; n0 < p->keys; n0 += all->columns) {
		const int64_t columns = p->keys - n0 < all->columns ? p->keys - n0 : all->columns;
		nnr_matmul_block(all->rows, all->columns, (NnrMatrix){a, all->queries, all->size, a_row},
		                 false, (NnrMatrix){b, p->keys, all->size, all->key_row}, true, 0, all->size,
		                 p->r0, n0, block);
		for (int64_t i = 0; i < p->rows; i++) {
			const NNR_REAL *from = block + i * all->columns;
			NNR_REAL *row = to + i * all->keys + n0;
#pragma omp simd
			for (int64_t j = 0; j < columns; j++)
				row[j] = scale * from[j];
			if (!added)
				continue;
			const NNR_REAL *plus = added + (p->r0 + i) * all->mask_row + n0;
#pragma omp simd
			for (int64_t j = 0; j < columns; j++)
				row[j] += plus[j];
		}
	}
}

static inline void nnr_shares(const NnrStrip *p, NNR_REAL *share, NNR_REAL *block)
{
	nnr_scores(p, share, p->query, p->all.query_row, p->key, (NNR_REAL)p->all.scale, p->added, block);
}

/* A row's scores become exponentials below their maximum, *most; their sum. */
static inline NNR_REAL nnr_softmax(NNR_REAL *row, int64_t seen, NNR_REAL *most)
{
	NNR_REAL top = -INFINITY, sum = 0;
#pragma omp simd reduction(max : top)
	for (int64_t j = 0; j < seen; j++)
		top = NNR_MATH(nnr_max)(top, row[j]);
#pragma omp simd reduction(+ : sum)
	for (int64_t j = 0; j < seen; j++) {
		row[j] = NNR_MATH(nnr_exp)(row[j] - top);
		sum += row[j];
	}
	*most = top;
	return sum;
}

/* Of a row without a key 0 or NaN, less the number of equal shares. */
static inline NNR_REAL nnr_log_of_row(const NnrStrips *all, NNR_REAL most, NNR_REAL sum)
{
	return all->hides && most < (NNR_REAL)(NNR_HIDDEN / 2) ? most - most + (NNR_REAL)NNR_HIDDEN * sum
	                                                       : most + NNR_MATH(nnr_log)(sum);
}

/* The dropout's factor for key j of row i. */
static inline NNR_REAL nnr_factor(const NnrStrip *p, int64_t i, int64_t j)
{
	const NnrStrips *all = &p->all;
	const int64_t place = (p->head * all->queries + p->r0 + i) * all->keys + j;
	return NNR_MATH(nnr_uniform)(p->s->seed, (uint64_t)p->s->step, (uint64_t)p->stream, place) >=
	                       (NNR_REAL)all->rate
	               ? (NNR_REAL)(1 / (1 - all->rate))
	               : 0;
}

static inline void nnr_clear_unseen(const NnrStrip *p, NNR_REAL *row, int64_t seen)
{
	for (int64_t j = seen; j < p->keys; j++)
		row[j] = 0;
}

/* block = strip b, b's rows being keys. */
static inline void nnr_strip_product(const NnrStrip *p, const NNR_REAL *strip, const NNR_REAL *b,
                                     NNR_REAL *block)
{
	const NnrStrips *all = &p->all;
	nnr_matmul_block(all->rows, all->block, (NnrMatrix){strip, p->rows, p->keys, all->keys}, false,
	                 (NnrMatrix){b, p->keys, all->size, all->key_row}, false, 0, p->keys, 0, 0, block);
}

/* to[keys] += strip^T b, b having the strip's rows from r0 on, `b_row` elements apart. */
static inline void nnr_strip_add(const NnrStrip *p, NNR_REAL *to, const NNR_REAL *strip, const NNR_REAL *b,
                                 int64_t b_row, NNR_REAL *block)
{
	const NnrStrips *all = &p->all;
	for (int64_t k0 = 0; k0 < p->keys; k0 += all->rows) {
		nnr_matmul_block(all->rows, all->block, (NnrMatrix){strip, p->rows, p->keys, all->keys}, true,
		                 (NnrMatrix){b + p->r0 * b_row, p->rows, all->size, b_row}, false, 0, p->rows,
		                 k0, 0, block);
		for (int64_t i = 0; i < all->rows && k0 + i < p->keys; i++)
#pragma omp simd
			for (int64_t c = 0; c < all->size; c++)
				to[(k0 + i) * all->key_row + c] += block[i * all->block + c];
	}
}

/* Room for a strip of scores, and for a block of them or of a head's columns. */
#define NNR_STRIP(name, columns) \
	NNR_REAL name[NNR_BLOCK_ROWS(all->rows) * (columns)] __attribute__((aligned(64)))
#define NNR_WIDEST (all->columns > all->block ? all->columns : all->block)

static inline void nnr_attention(const NnrStrips *shape, const NNR_REAL *restrict x,
                                 const NNR_REAL *restrict mask, NNR_REAL *restrict y, NNR_REAL *restrict logs,
                                 const NnrScalars *s, int stream)
{
	const int64_t heads = shape->batch * shape->heads, queries = shape->queries, rows = shape->rows;
#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t head = 0; head < heads; head++) {
		for (int64_t r0 = 0; r0 < queries; r0 += rows) {
			const NnrStrip p = nnr_strip(shape, x, mask, s, stream, head, r0);
			const NnrStrips *all = &p.all;
			NNR_STRIP(share, all->keys);
			NNR_STRIP(block, NNR_WIDEST);
			NNR_REAL part[rows];
			nnr_shares(&p, share, block);
			for (int64_t i = 0; i < p.rows; i++) {
				const int64_t seen = nnr_seen(&p, i);
				NNR_REAL most, *row = share + i * all->keys;
				const NNR_REAL sum = nnr_softmax(row, seen, &most);
				part[i] = 1 / sum;
				if (logs)
					logs[head * queries + r0 + i] = nnr_log_of_row(all, most, sum);
				for (int64_t j = 0; j < seen && all->rate > 0; j++)
					row[j] *= nnr_factor(&p, i, j);
				nnr_clear_unseen(&p, row, seen);
			}
			nnr_strip_product(&p, share, p.value, block);
			for (int64_t i = 0; i < p.rows; i++)
#pragma omp simd
				for (int64_t c = 0; c < all->size; c++)
					y[((p.sample * queries + r0 + i) * all->heads + p.own) * all->size +
					  c] = block[i * all->block + c] * part[i];
		}
	}
}

static inline void nnr_attention_logs(const NnrStrips *shape, const NNR_REAL *restrict x,
                                      const NNR_REAL *restrict mask, NNR_REAL *restrict logs)
{
	const int64_t heads = shape->batch * shape->heads, queries = shape->queries, rows = shape->rows;
#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t head = 0; head < heads; head++) {
		for (int64_t r0 = 0; r0 < queries; r0 += rows) {
			const NnrStrip p = nnr_strip(shape, x, mask, NULL, 0, head, r0);
			const NnrStrips *all = &p.all;
			NNR_STRIP(share, all->keys);
			NNR_STRIP(block, NNR_WIDEST);
			nnr_shares(&p, share, block);
			for (int64_t i = 0; i < p.rows; i++) {
				NNR_REAL most;
				const NNR_REAL sum =
				        nnr_softmax(share + i * all->keys, nnr_seen(&p, i), &most);
				logs[head * queries + r0 + i] = nnr_log_of_row(all, most, sum);
			}
		}
	}
}

/* Of the strip: slope = dA times `scale`, and share = P*M. A row without a key has equal shares; what takes the place
 * of its scores has no gradient by these (`stops`). */
static inline void nnr_slopes(const NnrStrip *p, NNR_REAL *share, NNR_REAL *slope, const NNR_REAL *dy,
                              const NNR_REAL *logs, const NNR_REAL *taken, NNR_REAL scale, bool stops,
                              NNR_REAL *block)
{
	const NnrStrips *all = &p->all;
	const int64_t width = all->heads * all->size;
	nnr_shares(p, share, block);
	nnr_scores(p, slope, dy + p->sample * all->queries * width + p->own * all->size, width, p->value, 1,
	           NULL, block);
	for (int64_t i = 0; i < p->rows; i++) {
		const int64_t seen = nnr_seen(p, i), at = p->r0 + i;
		NNR_REAL *row = share + i * all->keys, *to = slope + i * all->keys;
		NNR_REAL log = logs[p->head * all->queries + at], by = scale;
		const NNR_REAL less = taken[(p->sample * all->queries + at) * all->heads + p->own];
		if (all->hides && log < (NNR_REAL)(NNR_HIDDEN / 2)) {
			log = NNR_MATH(nnr_log)(log / (NNR_REAL)NNR_HIDDEN);
			by = stops ? 0 : scale;
			for (int64_t j = 0; j < seen; j++)
				row[j] = row[j] == -INFINITY ? row[j] : 0;
		}
		if (all->rate > 0) {
			for (int64_t j = 0; j < seen; j++) {
				const NNR_REAL factor = nnr_factor(p, i, j);
				const NNR_REAL e = NNR_MATH(nnr_exp)(row[j] - log);
				to[j] = by * e * (factor * to[j] - less);
				row[j] = e * factor;
			}
		} else {
#pragma omp simd
			for (int64_t j = 0; j < seen; j++) {
				const NNR_REAL e = NNR_MATH(nnr_exp)(row[j] - log);
				to[j] = by * e * (to[j] - less);
				row[j] = e;
			}
		}
		nnr_clear_unseen(p, row, seen);
		nnr_clear_unseen(p, to, seen);
	}
}

static inline void nnr_attention_grad(const NnrStrips *shape, const NNR_REAL *restrict x,
                                      const NNR_REAL *restrict mask, const NNR_REAL *restrict dy,
                                      const NNR_REAL *restrict logs, const NNR_REAL *restrict taken,
                                      NNR_REAL *restrict dx, const NnrScalars *s, int stream)
{
	const int64_t groups = shape->batch * shape->groups, shared = shape->heads / shape->groups;
#pragma omp parallel for schedule(dynamic)
	for (int64_t group = 0; group < groups; group++) {
		NNR_REAL *dkey = dx + shape->keys_at + group / shape->groups * shape->keys * shape->key_row +
		                 group % shape->groups * shape->size,
		         *dvalue = dkey + (shape->values_at - shape->keys_at);
		for (int64_t i = 0; i < shape->keys; i++)
			for (int64_t c = 0; c < shape->size; c++)
				dkey[i * shape->key_row + c] = dvalue[i * shape->key_row + c] = 0;
		for (int64_t head = group * shared; head < (group + 1) * shared; head++) {
			for (int64_t r0 = 0; r0 < shape->queries; r0 += shape->rows) {
				const NnrStrip p = nnr_strip(shape, x, mask, s, stream, head, r0);
				const NnrStrips *all = &p.all;
				NNR_STRIP(share, all->keys);
				NNR_STRIP(slope, all->keys);
				NNR_STRIP(block, NNR_WIDEST);
				nnr_slopes(&p, share, slope, dy, logs, taken, (NNR_REAL)all->scale,
				           all->stops, block);
				nnr_strip_product(&p, slope, p.key, block);
				NNR_REAL *dquery = dx + (p.query - x) + r0 * all->query_row;
				for (int64_t i = 0; i < p.rows; i++)
#pragma omp simd
					for (int64_t c = 0; c < all->size; c++)
						dquery[i * all->query_row + c] = block[i * all->block + c];
				nnr_strip_add(&p, dkey, slope, p.query, all->query_row, block);
				const int64_t width = all->heads * all->size;
				nnr_strip_add(&p, dvalue, share,
				              dy + p.sample * all->queries * width + p.own * all->size, width,
				              block);
			}
		}
	}
}

/* A part of the mask is what it has of one sample and head, of all, or of a strip of their rows; it is added up
 * over the heads of samples that it is the same for. */
static inline void nnr_attention_mask_grad(const NnrStrips *shape, const NNR_REAL *restrict x,
                                           const NNR_REAL *restrict mask, const NNR_REAL *restrict dy,
                                           const NNR_REAL *restrict logs, const NNR_REAL *restrict taken,
                                           NNR_REAL *restrict dmask, const NnrScalars *s, int stream)
{
	const int64_t heads = shape->mask_head ? shape->heads : 1, others = shape->heads / heads,
	              parts = shape->mask_samples * heads,
	              turns = shape->batch / shape->mask_samples * others, queries = shape->queries,
	              step = shape->mask_row ? shape->rows : queries;
#pragma omp parallel for collapse(2) schedule(dynamic)
	for (int64_t part = 0; part < parts; part++) {
		for (int64_t first = 0; first < queries; first += step) {
			const int64_t end = first + step < queries ? first + step : queries;
			NNR_REAL *to = dmask + (shape->mask_row ? (part * queries + first) * shape->keys
			                                        : part * shape->keys);
			for (int64_t i = 0; i < (shape->mask_row ? end - first : 1) * shape->keys; i++)
				to[i] = 0;
			for (int64_t turn = 0; turn < turns; turn++) {
				const int64_t sample = part / heads + turn / others * shape->mask_samples,
				              own = heads > 1 ? part % heads : turn % others;
				for (int64_t r0 = first; r0 < end; r0 += shape->rows) {
					const NnrStrip p = nnr_strip(shape, x, mask, s, stream,
					                             sample * shape->heads + own, r0);
					const NnrStrips *all = &p.all;
					NNR_STRIP(share, all->keys);
					NNR_STRIP(slope, all->keys);
					NNR_STRIP(block, NNR_WIDEST);
					nnr_slopes(&p, share, slope, dy, logs, taken, 1, false, block);
					for (int64_t i = 0; i < p.rows; i++)
						for (int64_t j = 0; j < p.keys; j++)
							to[(all->mask_row ? i * all->keys : 0) + j] +=
							        slope[i * all->keys + j];
				}
			}
		}
	}
}

#undef NNR_STRIP
#undef NNR_WIDEST
