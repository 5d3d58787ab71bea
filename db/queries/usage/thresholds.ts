import type { EntityManager } from '../../orm.ts';

/** Rule of the wake-up on which a subscription compares its usage with its thresholds. */
export const USAGE_RULE = 'usage';

/** Real time after usage was reported. Reports until then are compared together. */
const WAIT = "interval '5 seconds'";

/**
 * Plans the comparison of a subscription's usage with its thresholds, unless it is planned. On a test clock it is due at once. Writes the
 * wake-up and the outbox row in one statement.
 */
export async function planThresholds(
  em: EntityManager,
  { accountId, subscriptionId }: { accountId: number; subscriptionId: number },
  systemNow: Date,
): Promise<void> {
  await em.execute(
    `with sold as (
       select s.account_id, s.id, c.test_clock_id as clock_id, coalesce(t.frozen_at, ?::timestamptz + ${WAIT}) as at
       from subscription s join customer c on c.account_id = s.account_id and c.id = s.customer_id
       left join test_clock t on t.account_id = c.account_id and t.id = c.test_clock_id
       where s.account_id = ? and s.id = ?
     ), planned as (
       insert into wakeup (account_id, process, subject_id, rule, at, step, clock_id, time_base, put_at)
       select account_id, 'subscription', id, '${USAGE_RULE}', at, 'compare usage with thresholds', clock_id,
         case when clock_id is null then 'real' else 'clock' end, ?::timestamptz from sold
       on conflict do nothing returning account_id, subject_id, clock_id, at
     )
     insert into outbox (account_id, topic, subject_id, due_at, start_at, clock_id)
     select account_id, 'subscription', subject_id, ?::timestamptz, case when clock_id is null then at end, clock_id from planned`,
    [systemNow, accountId, subscriptionId, systemNow, systemNow],
  );
}
