import type { EntityManager } from '../../db/orm.ts';
import type { ProcessKey } from '../kernel/stepOutcome.ts';

/**
 * Counts a look-up for reversals of an attempt (`reversal_look_ups`). Returns its number and the customer's time: that of its test clock,
 * else `systemNow`.
 */
export async function nextLookUp(em: EntityManager, { accountId, id }: ProcessKey, systemNow: Date) {
  const [row] = await em.execute<{ number: number; at: Date | null }[]>(
    `update attempt a set reversal_look_ups = reversal_look_ups + 1 from customer c
     left join test_clock k on k.account_id = c.account_id and k.id = c.test_clock_id
     where a.account_id = ? and a.id = ? and c.account_id = a.account_id and c.id = a.customer_id
     returning a.reversal_look_ups as number, k.frozen_at as at`,
    [accountId, id],
  );
  if (!row) throw new Error(`attempt ${id} is gone`);
  return { number: row.number, at: row.at === null ? systemNow : new Date(row.at) };
}
