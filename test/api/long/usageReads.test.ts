import { expect, test } from '@jest/globals';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { APRIL, MARCH, MAY } from '../../support/goldSubscriptions.ts';
import { type Look, look } from '../../support/looks.ts';
import { meteredSubscriptions } from '../../support/meteredSubscriptions.ts';

/** A bill reads its own unbilled usage, however much usage others have, and however much of it is billed. */

const metered = meteredSubscriptions();
const { advanceTo, begin, expectCleanBooks, moveTo } = metered;
const sql = (text: string, ...values: unknown[]) => metered.api.em.fork().execute(text, values);

/** Usage records of other subscriptions, and of the bill. */
const MANY = 100_000;
const FEW = 100;
/** Marking a record accesses about 14 pages, because it writes to four indexes. The bills have 200 records. */
const MOST_BUFFERS = 25 * 2 * FEW;

/** Writes usage records of a subscription in a month. */
const addUsage = (id: number, { count, from, key }: { count: number; from: number; key: string }) =>
  sql(
    `insert into usage_record (account_id, subscription_id, quantity, used_at, key, created_at)
     select account_id, id, 1, to_timestamp(?) + n * (interval '27 days' / ?::int), ? || n, now()
     from subscription, generate_series(1, ?::int) n where id = ?`,
    from,
    count,
    key,
    count,
    id,
  );

/** The reads of the bill that a subscription has next, which is not kept. */
function lookAtBill(id: number): Promise<Look> {
  const { id: accountId } = metered.api.sandbox.account;
  const bill = async (em: EntityManager) => {
    const { did } = await advanceSubscription(em, { accountId, id }, new Date(MAY * 1000));
    throw new Error(`rolled back: ${did}`);
  };
  return look(metered.api, {
    about: /usage_record/,
    em: (em) =>
      expect(withAccount(accountId, () => inTransaction(em, bill))).rejects.toThrow(/rolled back: .* issued /),
  });
}

test('a bill reads its own unbilled usage, however much is reported or billed, and whatever PostgreSQL knows of the table', async () => {
  const id = await begin({ plan: 'calls', bill_in: 'arrears', usage_thresholds: [{ quantity: 1000 }] });
  await addUsage(id, { count: FEW, from: MARCH, key: 'march' });
  await advanceTo(id, APRIL);
  await addUsage(id, { count: FEW, from: APRIL, key: 'april' });
  await addUsage(id, { count: FEW, from: MARCH, key: 'late' });
  const other = await begin({ plan: 'calls', bill_in: 'arrears' });
  moveTo(MAY);
  const reads: [string, Look][] = [['no statistics', await lookAtBill(id)]];
  await sql('analyze usage_record');
  reads.push(['statistics of its own records', await lookAtBill(id)]);
  await addUsage(other, { count: MANY, from: MARCH, key: 'many' });
  reads.push(['much unbilled usage of another', await lookAtBill(id)]);
  await sql('vacuum analyze usage_record');
  reads.push(['the same with statistics', await lookAtBill(id)]);
  await advanceTo(other, APRIL);
  reads.push(['much billed usage of another', await lookAtBill(id)]);
  await sql('vacuum analyze usage_record');
  reads.push(['the same, vacuumed', await lookAtBill(id)]);
  await addUsage(other, { count: 2 * FEW, from: APRIL, key: 'april' });
  reads.push(['much billed usage of its own', await lookAtBill(other)]);
  const tooMany = reads.filter(([, look]) => look.rows > 12 * FEW || look.buffers > MOST_BUFFERS);
  expect(tooMany).toEqual([]);
  expect(reads.flatMap(([, { sequentialScans }]) => sequentialScans)).toEqual([]);
  moveTo(MAY);
  await advanceTo(id, MAY);
  await expectCleanBooks();
});
