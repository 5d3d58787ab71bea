import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Refusal } from '../../../billing/refusal.ts';
import { mergeCustomers } from '../../../commands/customers/merge.ts';
import { systemCaller } from '../../../commands/kernel/caller.ts';
import { Missing } from '../../../commands/kernel/missing.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { customerTables } from '../../../db/schema/customerTables.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { createPayer, createPlan } from '../../support/business.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { prepareRound } from '../money/round.ts';
import { auditOfRounds } from '../money/roundCharges.ts';
import { verbs } from '../money/verbs.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ worker: false, env: { DATABASE_POOL: '12' } });
  await createPlan(product, 'monthly');
});
afterAll(() => product.close());

/** Commands that must succeed before and after a merge: processes repeat them until they do, and do not know about merges. */
const certain = [
  'recordOutcome',
  'abandonUnconfirmed',
  'recordUnreached',
  'openDispute',
  'winDispute',
  'loseDispute',
  'losePartOfDispute',
  'recordReturn',
  'receiveEvent',
  'recordVerification',
  'advanceCharge',
  'advanceInvoice',
  'advanceSubscription',
];

test.each(Object.keys(verbs))('%s during a merge of its customer runs before or after it', async (name) => {
  for (const mergesUp of [true, false]) {
    const spare = await createPayer(product, 'spare');
    const round = await prepareRound(product);
    const survivor = mergesUp ? await createPayer(product, 'survivor') : spare;
    const caller = await systemCaller(product.deps.em.fork(), product.accountId);
    const merge = (em: EntityManager) =>
      mergeCustomers(em, { caller, id: survivor, mergedId: round.customerId }, round.now);
    const verb = (em: EntityManager) => verbs[name]?.(em, round) ?? Promise.reject(new Error(name));
    const [first, merged, second] = await Promise.all([verb, merge, verb].map(outcomeOf));
    expect([name, merged]).toEqual([name, 'done']);
    if (certain.includes(name)) expect([name, first, second]).toEqual([name, 'done', 'done']);
    expect([first, second].filter((end) => end !== 'done' && end !== 'refused')).toEqual([]);
    for (const table of customerTables)
      expect([
        table,
        await product.rows(`select 1 from ${table} where customer_id = ${round.customerId} limit 1`),
      ]).toEqual([table, []]);
  }
  expect(await auditOfRounds(product)).toEqual([]);
});

async function outcomeOf(work: (em: EntityManager) => Promise<unknown>): Promise<string> {
  try {
    await inTransaction(product.deps.em, work);
    return 'done';
  } catch (error) {
    if (error instanceof Refusal || error instanceof Missing) return 'refused';
    return String(error);
  }
}
