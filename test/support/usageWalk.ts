import { expect } from '@jest/globals';
import { APRIL, dayOf2027 as day, MARCH, MAY } from './goldSubscriptions.ts';
import type { MeteredSubscriptions } from './meteredSubscriptions.ts';

/** Numbers from 0 to 1 that only depend on the seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Reports, bills and cancels usage and voids an invoice of it at the same time. Billed and unbilled usage then add up to what was sent. */
export async function expectUsageAddsUp(metered: MeteredSubscriptions, seed: number): Promise<void> {
  const random = randomFrom(seed);
  const id = await metered.begin({ plan: 'calls', bill_in: random() < 0.5 ? 'arrears' : 'advance' });
  let sent = 0;
  const write = async (until: number) => {
    for (let n = 0; n < 12; n += 1) {
      // The reports of a batch are of several periods. Some are corrections, which are refused where nothing is left.
      const usage = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, index) => ({
        quantity: random() < 0.1 ? -1 : 1 + Math.floor(random() * 100) / 8,
        idempotency_key: `${seed} ${until} ${n} ${random()} ${index}`,
        timestamp: Math.floor(MARCH + random() * (until - MARCH - 1)),
      }));
      const send = () => metered.api.sandbox.post(`/subscriptions/${id}/usage/batch`, { usage });
      let answer = await send();
      while (answer.status === 429) answer = await send(); // others held the customer for too long
      const { status: code, body } = answer;
      expect(code).toBe(200);
      for (const { status, usage: recorded } of body.results) if (status === 'created') sent += recorded.quantity;
    }
  };
  const writers = (until: number) => Array.from({ length: 6 }, () => write(until));
  let isOver = false;
  const watch = async () => {
    while (!isOver) expect(await markedOf(metered, id)).toEqual({ open: 0 });
  };
  const watching = watch();
  for (const until of [APRIL, MAY]) {
    metered.moveTo(until);
    const [billed] = await metered.invoices(id);
    const voids = billed ? [metered.api.sandbox.post(`/invoices/${billed.id}/void`, {})] : [];
    await Promise.all([...writers(until), metered.advanceTo(id, until), ...voids, metered.advanceTo(id, until)]);
  }
  metered.moveTo(day(5, 20));
  await Promise.all([...writers(day(5, 20)), metered.cancel(id)]);
  isOver = true;
  await watching;
  await metered.advanceTo(id, day(5, 20) + 120); // usage that was reported at the instant of the end
  expect(await takenOf(metered, id)).toEqual({ billed: sent, unbilled: 0 });
  await metered.expectCleanBooks();
}

const sqlOf = <Row>({ api }: MeteredSubscriptions, text: string, ...values: unknown[]) =>
  api.em.fork().execute<(Row & Record<string, unknown>)[]>(text, values);

/** Units that are marked as billed in one snapshot, less those of the totals. */
async function markedOf(metered: MeteredSubscriptions, id: number): Promise<unknown> {
  const [found] = await sqlOf(
    metered,
    `select (select coalesce(sum(quantity), 0) from usage_record where subscription_id = ? and total_id is not null)::float8
       - (select coalesce(sum(t.quantity), 0) from usage_total t join usage_rate r on r.account_id = t.account_id and r.id = t.rate_id
          where r.subscription_id = ?)::float8 as open`,
    id,
    id,
  );
  return found;
}

/** Units that bills have taken of a subscription, and units that none has. */
export async function takenOf(metered: MeteredSubscriptions, id: number): Promise<unknown> {
  const [sums] = await sqlOf(
    metered,
    `select (select coalesce(sum(t.quantity), 0)::float8 from usage_total t join usage_rate r on r.account_id = t.account_id and r.id = t.rate_id
       where r.subscription_id = ?) as billed,
       (select coalesce(sum(quantity), 0)::float8 from usage_record where subscription_id = ? and total_id is null) as unbilled`,
    id,
    id,
  );
  return sums;
}
