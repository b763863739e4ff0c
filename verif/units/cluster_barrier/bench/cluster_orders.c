// SPDX-License-Identifier: Apache-2.0
#include "cluster_orders.h"

struct search {
	order_fn *each;
	void *self;
	unsigned leaver;
	bool over;
	uint64_t orders;
	unsigned arrived[ORDER_WARPS], waited[ORDER_WARPS]; /* counts; a parked wait counts from its begin */
	bool parked[ORDER_WARPS], gone[ORDER_WARPS];
	struct order_step step[ORDER_STEPS];
	unsigned n;
};

/* The next operation of a warp; false: nothing more. Arrive, wait, arrive, wait; the leaver exits after the first
 * wait. */
static bool next_op(const struct search *s, unsigned w, enum order_op *op)
{
	if (s->gone[w] || s->parked[w])
		return false;
	if (w == s->leaver && s->waited[w] == 1)
		*op = ORDER_EXIT;
	else if (s->arrived[w] == s->waited[w] && s->arrived[w] < 2)
		*op = ORDER_ARRIVE;
	else if (s->arrived[w] > s->waited[w])
		*op = ORDER_WAIT;
	else
		return false;
	return true;
}

/* Ended phases. */
static unsigned phases(const struct search *s)
{
	unsigned least = UINT32_MAX;
	for (unsigned w = 0; w < ORDER_WARPS; w++)
		if (!s->gone[w] && s->arrived[w] < least)
			least = s->arrived[w];
	return least;
}

static void take(struct search *s, unsigned w, enum order_op op)
{
	struct order_step *t = &s->step[s->n++];
	const unsigned before = phases(s);
	*t = (struct order_step){.warp = w, .op = op, .phase = before};
	s->arrived[w] += op == ORDER_ARRIVE;
	s->waited[w] += op == ORDER_WAIT;
	s->gone[w] |= op == ORDER_EXIT;
	t->parks = op == ORDER_WAIT && s->waited[w] > before;
	s->parked[w] = t->parks;
	for (unsigned i = 0; i < ORDER_WARPS && phases(s) > before; i++)
		if (s->parked[i] && s->waited[i] <= phases(s)) {
			s->parked[i] = false;
			t->released |= 1u << i;
		}
}

static void search(struct search *s)
{
	bool any = false;
	for (unsigned w = 0; w < ORDER_WARPS && !s->over; w++) {
		const struct search before = *s;
		enum order_op op;
		if (!next_op(s, w, &op))
			continue;
		any = true;
		if (w && op == ORDER_ARRIVE && s->arrived[w] == 0 && s->arrived[w - 1] == 0)
			continue;
		take(s, w, op);
		search(s);
		const uint64_t orders = s->orders;
		const bool over = s->over;
		*s = before;
		s->orders = orders;
		s->over = over;
	}
	if (any || s->over)
		return;
	s->orders++;
	s->over = !s->each(s->self, s->step, s->n);
}

uint64_t cluster_orders(unsigned leaver, order_fn *each, void *self)
{
	struct search s = {.each = each, .self = self, .leaver = leaver};
	search(&s);
	return s.orders;
}

void order_numbers(unsigned nth, unsigned number[ORDER_WARPS])
{
	unsigned left[ORDER_WARPS] = {0, 1, 2, 3};
	for (unsigned i = 0; i < ORDER_WARPS; i++) {
		const unsigned n = ORDER_WARPS - i, k = nth % n;
		nth /= n;
		number[i] = left[k];
		for (unsigned m = k; m + 1 < n; m++)
			left[m] = left[m + 1];
	}
}
