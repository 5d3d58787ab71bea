import { expect, test } from '@jest/globals';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import { MOST_MARKED } from '../../../db/queries/usage/taking.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { refused } from '../../support/api.ts';
import { APRIL, dayOf2027 as day, MARCH, MAY } from '../../support/goldSubscriptions.ts';
import { meteredSubscriptions } from '../../support/meteredSubscriptions.ts';
import { expectUsageAddsUp, takenOf } from '../../support/usageWalk.ts';

/** Much usage is billed in parts, once, whatever happens at the same time. */

const metered = meteredSubscriptions();
const { advanceTo, begin, billedUsage, expectCleanBooks, invoices, moveTo, report, usageOf } = metered;
const sql = <Row>(text: string, ...values: unknown[]) =>
  metered.api.em.fork().execute<(Row & Record<string, unknown>)[]>(text, values);

test.each([2, 3])(
  'billed and unbilled usage add up to what was sent while it is reported, billed and canceled (seed %i)',
  (seed) => expectUsageAddsUp(metered, seed),
);

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

function print(what: string, began: number): void {
  // biome-ignore lint/suspicious/noConsole: figures for readers
  console.log(`${what}: ${Math.round(performance.now() - began)} ms`);
}

/** Takes a step of a subscription as its process does. Returns it in words. */
async function takeStep(id: number, at: number): Promise<string | null> {
  const key = { accountId: metered.api.sandbox.account.id, id };
  const { did } = await inTransaction(metered.api.em, (em) => advanceSubscription(em, key, new Date(at * 1000)));
  return did;
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
  expect(await takenOf(metered, id)).toEqual({ billed: many + 1, unbilled: 0 });
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
  expect(await takenOf(metered, id)).toEqual({ billed: 60 + late + 7, unbilled: many });
  expect(await sql('select collected from usage_rate where subscription_id = ?', id)).toEqual([{ collected: null }]);
  await expectCleanBooks();
});

test('late usage of 100,000 records, under 20 discounts, takes no statement per record', async () => {
  const discounts = Array.from({ length: 20 }, (_, index) => `off-${index}`);
  for (const id of discounts) await metered.api.sandbox.make('/coupons', { id, name: id, value: 1 });
  const statementsWith = async (late: number) => {
    const id = await begin({ plan: 'calls', bill_in: 'arrears', discounts });
    moveTo(day(3, 20));
    await report(id, 100, day(3, 10));
    await advanceTo(id, APRIL);
    await addMuch(id, late);
    moveTo(day(4, 10));
    const began = performance.now();
    const statements = await metered.api.statements(() => metered.cancel(id));
    print(`a bill with 20 discounts and ${late} late records`, began);
    expect(await takenOf(metered, id)).toEqual({ billed: 100 + late, unbilled: 0 });
    const [line] = (await invoices(id)).at(-1)?.items ?? [];
    // Each discount takes 1 % of what those before it left, rounded to cents.
    expect(Math.abs(line.amount - late * 0.25 * 0.99 ** 20)).toBeLessThan(0.21);
    const bill = (await invoices(id)).at(-1);
    const voidedAt = performance.now();
    const voided = await metered.api.statements(() => metered.api.sandbox.post(`/invoices/${bill?.id}/void`));
    print(`voiding it, in ${voided.length} statements`, voidedAt);
    // The subscription is over: its usage waits in pending lines for the next bill.
    expect(await takenOf(metered, id)).toEqual({ billed: 100 + late, unbilled: 0 });
    return statements.length;
  };
  const few = await statementsWith(10);
  // Late usage of March and usage of April share the records that a statement marks.
  expect((await statementsWith(100_000)) - few).toBeLessThanOrEqual(100_000 / (MOST_MARKED / 2));
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
  expect(await takenOf(metered, id)).toEqual({ billed: many, unbilled: 0 });
  await expectCleanBooks();
});
