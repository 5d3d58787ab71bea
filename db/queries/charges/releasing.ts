import type { EntityManager } from '../../orm.ts';

/**
 * Releases the invoices of an attempt with a final outcome, and ends its look-ups, in one statement. Events that came before the outcome
 * wake the process once more: a charge may have been returned or disputed before we knew that it had succeeded.
 */
export async function releaseAttempt(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
  systemNow: Date,
): Promise<void> {
  const sql = `with looked_up as (delete from outbox where account_id = ? and topic = 'charge' and subject_id = ?),
          awaited as (delete from wakeup where account_id = ? and process = 'charge' and subject_id = ?),
          solved as (update problem set closed_at = ?, next_try_at = null where account_id = ? and subject_type = 'charge'
            and subject_id = ? and closed_at is null),
          came as (update gateway_event set state = 'received', processed_at = null where account_id = ? and attempt_id = ?),
          woken as (insert into outbox (account_id, topic, subject_id, due_at)
            select distinct account_id, 'charge', attempt_id, ?::timestamptz from gateway_event where account_id = ? and attempt_id = ?)
     update attempt_invoice set undecided = false where account_id = ? and attempt_id = ?`;
  const values = [
    accountId,
    id,
    accountId,
    id,
    systemNow,
    accountId,
    id,
    accountId,
    id,
    systemNow,
    accountId,
    id,
    accountId,
    id,
  ];
  await em.withoutWaiting(() => em.execute(sql, values));
}
