import { expect, test } from '@jest/globals';
import { advanceSubscription } from '../../../commands/subscriptions/steps.ts';
import { insertUsage } from '../../../db/queries/usage/recording.ts';
import { MOST_MARKED } from '../../../db/queries/usage/taking.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Answer, refused } from '../../support/api.ts';
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
    let isOver = false;
    const watch = async () => {
      while (!isOver) expect(await marked(id)).toEqual({ open: 0 });
    };
    const watching = watch();
    for (const until of [APRIL, MAY]) {
      moveTo(until);
      await Promise.all([...writers(until), advanceTo(id, until), advanceTo(id, until)]);
    }
    moveTo(day(5, 20));
    await Promise.all([...writers(day(5, 20)), metered.cancel(id)]);
    isOver = true;
    await watching;
    await advanceTo(id, day(5, 20) + 120); // usage that was reported at the instant of the end
    expect(await taken(id)).toEqual({ billed: sent, unbilled: 0 });
    await expectCleanBooks();
  },
);

/** Units that are marked as billed in one snapshot, less those of the totals. */
async function marked(id: number): Promise<unknown> {
  const [found] = await sql(
    `select (select coalesce(sum(quantity), 0) from usage_record where subscription_id = ? and total_id is not null)::float8
       - (select coalesce(sum(t.quantity), 0) from usage_total t join usage_rate r on r.account_id = t.account_id and r.id = t.rate_id
          where r.subscription_id = ?)::float8 as open`,
    id,
    id,
  );
  return found;
}

test('a period that ends amid a batch: what commits after the bill is late usage of the next one', async () => {
  const id = await begin({ plan: 'calls', bill_in: 'arrears' });
  moveTo(APRIL);
  const usedAt = (seconds: number) => new Date(seconds * 1000);
  const reports = [
    { addonId: null, quantity: '8', usedAt: usedAt(APRIL - 1), key: 'before the end' },
    { addonId: null, quantity: '4', usedAt: usedAt(APRIL), key: 'after it' },
  ];
  await inTransaction(metered.api.em, async (em) => {
    const key = { accountId: metered.api.sandbox.account.id, subscriptionId: id, systemNow: usedAt(APRIL) };
    await insertUsage(em, key, reports);
    await advanceTo(id, APRIL);
  });
  await advanceTo(id, MAY);
  expect(await billedUsage(id)).toEqual([
    [['calls', 0, 0.25, 0, MARCH, null]],
    [
      ['calls', 1, 2, 2, MARCH, 'Late usage, Quantity: 8'],
      ['calls', 4, 0.25, 1, APRIL, null],
    ],
  ]);
  await expectCleanBooks();
});

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

test('a batch is one statement', async () => {
  const id = await begin({ plan: 'calls' });
  moveTo(day(3, 20));
  const usage = Array.from({ length: 1000 }, (_, index) => ({ quantity: 1, idempotency_key: `of many ${index}` }));
  const statements = await metered.api.statements(() => postBatch(id, usage));
  expect(statements.filter((text) => !text.includes('lookup.'))).toEqual([
    expect.stringContaining('insert into usage_record'),
  ]);
  expect(await usageOf(id, '?filter[billed]=false&per_page=100')).toHaveLength(100);
});

test('a report is one statement, and waits for no lock of customer or subscription', async () => {
  const id = await begin({ plan: 'calls' });
  moveTo(day(3, 20));
  const statements = await metered.api.statements(() => report(id, 1, day(3, 10)));
  expect(statements.filter((text) => !text.includes('lookup.'))).toEqual([
    expect.stringContaining('insert into usage_record'),
  ]);
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

/** Writes usage from the start of a month on: one unit each second. */
const addMuch = (id: number, count: number, from = MARCH) =>
  sql(
    `insert into usage_record (account_id, subscription_id, quantity, used_at, key, created_at)
     select account_id, id, 1, to_timestamp(?::int) + n * interval '1 second', 'many ' || ?::int || ' ' || n, now()
     from subscription, generate_series(1, ?::int) n where id = ?`,
    from,
    from,
    count,
    id,
  );

/** Takes a step of a subscription as its process does. Returns it in words. */
async function takeStep(id: number, at: number): Promise<string | null> {
  const key = { accountId: metered.api.sandbox.account.id, id };
  const { did } = await inTransaction(metered.api.em, (em) => advanceSubscription(em, key, new Date(at * 1000)));
  return did;
}

/** Units that bills have taken of a subscription, and units that none has. */
async function taken(id: number): Promise<unknown> {
  const [sums] = await sql(
    `select (select coalesce(sum(t.quantity), 0)::float8 from usage_total t join usage_rate r on r.account_id = t.account_id and r.id = t.rate_id
       where r.subscription_id = ?) as billed,
       (select coalesce(sum(quantity), 0)::float8 from usage_record where subscription_id = ? and total_id is null) as unbilled`,
    id,
    id,
  );
  return sums;
}

test('much usage is marked in parts before its bill, and reports between the parts are billed too', async () => {
  const id = await begin({ plan: 'calls', bill_in: 'arrears' });
  moveTo(day(3, 20));
  const many = 2 * MOST_MARKED + 10;
  await addMuch(id, many);
  moveTo(APRIL);
  const [first, late] = await Promise.all([takeStep(id, APRIL), report(id, 2, day(3, 30))]);
  expect([first, late.status]).toEqual([`collected ${MOST_MARKED} usage records`, 201]);
  expect(await report(id, -1, day(3, 30))).toMatchObject({ status: 201 }); // corrections know what is collected
  const steps = [await takeStep(id, APRIL), await takeStep(id, APRIL)];
  expect(steps).toEqual([first, expect.stringMatching(/^first bill.* issued /)]);
  const total = (await usageOf(id, `?filter[idempotency_key]=many ${MARCH} 1`))[0];
  const [bill] = await invoices(id);
  expect(total).toMatchObject({ billed: true, invoice: bill?.id });
  await advanceTo(id, MAY);
  expect(await taken(id)).toEqual({ billed: many + 1, unbilled: 0 });
  expect(await sql('select collected from usage_rate where subscription_id = ?', id)).toEqual([{ collected: null }]);
  await expectCleanBooks();
});

test('much late usage is marked in parts too, corrections know of it, and it costs what it adds to its period', async () => {
  const id = await begin({ plan: 'data', bill_in: 'arrears' }); // 100 units free, then 0.02
  moveTo(day(3, 20));
  await report(id, 60, day(3, 10));
  await advanceTo(id, APRIL);
  const many = MOST_MARKED + 10;
  await addMuch(id, many);
  await addMuch(id, many, MAY);
  moveTo(MAY);
  await report(id, 7, day(4, 10));
  // The late usage of March has half of the places, and April has one record.
  expect(await takeStep(id, MAY)).toBe(`collected ${MOST_MARKED / 2 + 1} usage records`);
  const tooMuch = refused({ message: expect.stringContaining(`without this correction it is ${many + 60}`) });
  expect(await report(id, -many - 61, day(3, 30))).toMatchObject(tooMuch);
  expect(await report(id, -5, day(3, 30))).toMatchObject({ status: 201 });
  expect(await takeStep(id, MAY)).toBe(`collected ${many - MOST_MARKED / 2 + 1} usage records`); // with the correction
  expect(await takeStep(id, MAY)).toMatch(/ issued /);
  const late = many - 5;
  expect((await billedUsage(id)).at(-1)).toEqual([
    ['data', 1, (late - 40) * 0.02, (late - 40) * 0.02, MARCH, `Late usage, Quantity: ${late}`], // 40 units were free
    ['data', 7, 0, 0, APRIL, 'Up to 100'],
  ]);
  expect(await taken(id)).toEqual({ billed: 60 + late + 7, unbilled: many });
  expect(await sql('select collected from usage_rate where subscription_id = ?', id)).toEqual([{ collected: null }]);
  await expectCleanBooks();
});

test.each([
  ['of the period', day(3, 20)],
  ['that is late', day(4, 20)],
])('a cancellation takes much usage %s at once', async (_, canceledAt) => {
  const id = await begin({ plan: 'calls', bill_in: 'arrears' });
  await advanceTo(id, canceledAt);
  const many = MOST_MARKED + 10;
  await addMuch(id, many);
  expect((await metered.cancel(id)).status).toBe(200);
  expect(await taken(id)).toEqual({ billed: many, unbilled: 0 });
  await expectCleanBooks();
});
