import { expect, test } from '@jest/globals';
import { captureStatements } from '../../../bench/statements.ts';
import { advanceSubscription } from '../../../commands/subscriptions/steps.ts';
import { insertUsage } from '../../../db/queries/usage/recording.ts';
import { MOST_MARKED } from '../../../db/queries/usage/taking.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Answer } from '../../support/api.ts';
import { APRIL, dayOf2027 as day, MARCH, MAY } from '../../support/goldSubscriptions.ts';
import { meteredSubscriptions } from '../../support/meteredSubscriptions.ts';

/** Usage is billed once, whatever happens at the same time. */

const metered = meteredSubscriptions();
const { advanceTo, begin, billedUsage, expectCleanBooks, invoices, moveTo, report, usageOf } = metered;
const sql = <Row>(text: string, ...values: unknown[]) =>
  metered.api.em.fork().execute<(Row & Record<string, unknown>)[]>(text, values);

const post = (id: number, body: object) => metered.api.sandbox.post(`/subscriptions/${id}/usage`, body);
const postBatch = (id: number, usage: object[]) =>
  metered.api.sandbox.post(`/subscriptions/${id}/usage/batch`, { usage });

test('64 clients that send the same keys at once record each key once', async () => {
  const id = await begin({ plan: 'calls', bill_in: 'arrears' });
  moveTo(day(3, 20));
  const usage = Array.from({ length: 20 }, (_, index) => ({ quantity: 1, idempotency_key: `same ${index}` }));
  const single = Array.from({ length: 44 }, (_, index) => post(id, usage[index % 20] ?? {}));
  const batches = Array.from({ length: 20 }, () => postBatch(id, usage));
  const answers = await Promise.all([...single, ...batches]);
  expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
  expect(await usageOf(id)).toHaveLength(20);
  const ids = answers.flatMap(({ body }) => body.results?.map((one: Answer['body']) => one.usage.id) ?? body.id);
  expect(new Set(ids).size).toBe(20);
  await advanceTo(id, APRIL);
  expect(await billedUsage(id)).toEqual([[['calls', 20, 0.25, 5, MARCH, null]]]);
});

/** Numbers from 0 to 1 that only depend on the seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

test.each([1, 2, 3])(
  'billed and unbilled usage add up to what was sent while it is reported, billed and canceled (seed %i)',
  async (seed) => {
    const random = randomFrom(seed);
    const id = await begin({ plan: 'calls', bill_in: random() < 0.5 ? 'arrears' : 'advance' });
    let sent = 0;
    const write = async (until: number) => {
      for (let n = 0; n < 12; n += 1) {
        // The reports of a batch are of several periods. Some are corrections, which are refused where nothing is left.
        const usage = Array.from({ length: 1 + Math.floor(random() * 4) }, (_, index) => ({
          quantity: random() < 0.1 ? -1 : 1 + Math.floor(random() * 100) / 8,
          idempotency_key: `${seed} ${until} ${n} ${random()} ${index}`,
          timestamp: Math.floor(MARCH + random() * (until - MARCH - 1)),
        }));
        const { body } = await postBatch(id, usage);
        for (const { status, usage: recorded } of body.results) if (status === 'created') sent += recorded.quantity;
      }
    };
    const writers = (until: number) => Array.from({ length: 6 }, () => write(until));
    for (const until of [APRIL, MAY]) {
      moveTo(until);
      await Promise.all([...writers(until), advanceTo(id, until), advanceTo(id, until)]);
    }
    moveTo(day(5, 20));
    await Promise.all([...writers(day(5, 20)), metered.cancel(id)]);
    await advanceTo(id, day(5, 20) + 120); // usage that was reported at the instant of the end
    const [billed] = await sql<{ sum: number; open: number }>(
      `select (select sum(quantity)::float8 from usage_total t join usage_rate r on r.account_id = t.account_id and r.id = t.rate_id
         where r.subscription_id = ?) as sum,
         (select count(*)::int from usage_record where subscription_id = ? and total_id is null) as open`,
      id,
      id,
    );
    expect(billed).toEqual({ sum: sent, open: 0 });
    await expectCleanBooks();
  },
);

test('usage whose report commits after the final invoice becomes a pending line', async () => {
  const customer = await metered.customerWith();
  const id = await begin({ plan: 'calls', customer });
  moveTo(day(3, 20));
  const { account } = metered.api.sandbox;
  const reports = [{ addonId: null, quantity: '8', usedAt: null, key: 'slow' }];
  await inTransaction(metered.api.em, async (em) => {
    const key = { accountId: account.id, subscriptionId: id, systemNow: new Date(day(3, 20) * 1000) };
    expect(await insertUsage(em, key, reports)).toMatchObject({ answers: [{ fault: null, isNew: true }] });
    expect((await metered.cancel(id)).status).toBe(200); // a report that is not committed locks nothing
  });
  expect(await usageOf(id)).toMatchObject([{ billed: false }]);
  await advanceTo(id, day(3, 20) + 120);
  expect(await usageOf(id)).toMatchObject([{ billed: true }]);
  const pending = (await metered.api.sandbox.get(`/customers/${customer}/line_items`)).body;
  expect(pending).toMatchObject([{ amount: 2 }]);
  await expectCleanBooks();
});

test('a report is one statement, and waits for no lock of customer or subscription', async () => {
  const id = await begin({ plan: 'calls' });
  moveTo(day(3, 20));
  const statements = await captureStatements(metered.api.deps.em, () => report(id, 1, day(3, 10)));
  const [own, ...others] = statements.filter(({ text }) => !text.includes('lookup.'));
  expect(own?.text).toContain('insert into usage_record');
  expect(others.map(({ text }) => text)).toEqual([]);
  await inTransaction(metered.api.em, async (em) => {
    await em.execute('select 1 from subscription s join customer c on c.id = s.customer_id where s.id = ? for update', [
      id,
    ]);
    expect((await report(id, 1, day(3, 10))).status).toBe(201);
  });
});

test('corrections at the same time never take more than there is', async () => {
  const id = await begin({ plan: 'calls', bill_in: 'arrears' });
  moveTo(day(3, 20));
  await report(id, 10, day(3, 10));
  const answers = await Promise.all(Array.from({ length: 16 }, () => report(id, -1, day(3, 11))));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
  await advanceTo(id, APRIL);
  expect(await billedUsage(id)).toEqual([[['calls', 0, 0.25, 0, MARCH, null]]]);
});

test('two subscriptions of a customer that are billed at the same instant bill their own usage', async () => {
  const customer = await metered.customerWith();
  const ids = [await begin({ plan: 'calls', customer, bill_in: 'arrears' })];
  ids.push(await begin({ plan: 'calls', customer, bill_in: 'arrears' }));
  moveTo(day(3, 20));
  for (const [index, id] of ids.entries()) await report(id, (index + 1) * 4, day(3, 10));
  await Promise.all(ids.map((id) => advanceTo(id, APRIL)));
  expect(await Promise.all(ids.map(billedUsage))).toEqual([
    [[['calls', 4, 0.25, 1, MARCH, null]]],
    [[['calls', 8, 0.25, 2, MARCH, null]]],
  ]);
  await expectCleanBooks();
});

test('much usage is marked in parts before its bill, and reports between the parts are billed too', async () => {
  const id = await begin({ plan: 'calls', bill_in: 'arrears' });
  moveTo(day(3, 20));
  const many = 2 * MOST_MARKED + 10;
  await sql(
    `insert into usage_record (account_id, subscription_id, quantity, used_at, key, created_at)
     select account_id, id, 1, to_timestamp(?) + n * interval '1 second', 'many ' || n, now()
     from subscription, generate_series(1, ?::int) n where id = ?`,
    MARCH,
    many,
    id,
  );
  moveTo(APRIL);
  const step = { accountId: metered.api.sandbox.account.id, id };
  const takeStep = () => inTransaction(metered.api.em, (em) => advanceSubscription(em, step, new Date(APRIL * 1000)));
  const [first, late] = await Promise.all([takeStep(), report(id, 2, day(3, 30))]);
  expect([first.did, late.status]).toEqual([`collected ${MOST_MARKED} usage records`, 201]);
  expect(await report(id, -1, day(3, 30))).toMatchObject({ status: 201 }); // corrections know what is collected
  const steps = [first, await takeStep(), await takeStep()].map(({ did }) => did);
  expect(steps).toEqual([first.did, first.did, expect.stringMatching(/^first bill.* issued /)]);
  const total = (await usageOf(id, '?filter[idempotency_key]=many 1'))[0];
  const [bill] = await invoices(id);
  expect(total).toMatchObject({ billed: true, invoice: bill?.id });
  await advanceTo(id, MAY);
  const [summed] = await sql<{ sum: number }>(
    `select sum(t.quantity)::int as sum from usage_total t join usage_rate r on r.account_id = t.account_id and r.id = t.rate_id
     where r.subscription_id = ?`,
    id,
  );
  expect(summed).toEqual({ sum: many + 1 });
  expect(await sql('select collected from usage_rate where subscription_id = ?', id)).toEqual([{ collected: null }]);
  await expectCleanBooks();
});
