import type { EntityManager } from '../../orm.ts';
import { WAITS } from '../../schema/textMessage.ts';
import { ACTIVE_PLAN, ASKED_FOR } from '../chasing/chased.ts';
import { numberArray } from '../kernel/sql.ts';

/** Ids of up to `limit` texts of an account that are due by their clock and not in `busy`, by due time. */
export async function dueTexts(
  em: EntityManager,
  key: { accountId: number; limit: number; busy: ReadonlySet<number> },
  systemNow: Date,
): Promise<number[]> {
  const { accountId, limit, busy } = key;
  const rows = await em.execute<{ id: number }[]>(
    `select id from (
       select id, next_attempt_at from text_message where account_id = ? and ${WAITS} and clock_id is null and next_attempt_at <= ?
       union all
       select t.id, t.next_attempt_at from text_message t join test_clock c on c.account_id = t.account_id and c.id = t.clock_id
       where t.account_id = ? and t.${WAITS} and t.clock_id is not null and t.next_attempt_at <= c.frozen_at
     ) due where id <> all(?::int[]) order by next_attempt_at limit ?`,
    [accountId, systemNow, accountId, numberArray([...busy]), limit],
  );
  return rows.map(({ id }) => id);
}

/** Time of an account's next text in real time; null: none waits. */
export async function nextTextAt(em: EntityManager, accountId: number): Promise<Date | null> {
  const [next] = await em.execute<{ at: string | null }[]>(
    `select min(next_attempt_at) as at from text_message where account_id = ? and ${WAITS} and clock_id is null`,
    [accountId],
  );
  return next?.at ? new Date(next.at) : null;
}

/** Whether one of the invoices can still be asked for. */
export async function isStillOwed(
  em: EntityManager,
  { accountId, invoiceIds }: { accountId: number; invoiceIds: readonly number[] },
): Promise<boolean> {
  const rows = await em.execute<object[]>(
    `select 1 from invoice i left join ${ACTIVE_PLAN} where i.account_id = ? and i.id = any(?::int[]) and ${ASKED_FOR} limit 1`,
    [accountId, numberArray(invoiceIds)],
  );
  return rows.length > 0;
}

/** Stores an event of a provider. False: it was stored before. */
export async function storeSmsEvent(
  em: EntityManager,
  event: { accountId: number; configuration: string; reference: string; type: string; receivedAt: Date },
): Promise<boolean> {
  const { accountId, configuration, reference, type, receivedAt } = event;
  const rows = await em.execute<object[]>(
    `insert into sms_event (account_id, configuration, reference, type, received_at) values (?, ?, ?, ?, ?)
     on conflict (account_id, configuration, reference) do nothing returning id`,
    [accountId, configuration, reference, type, receivedAt],
  );
  return rows.length > 0;
}

/** The digests among these whose numbers have stopped texts. */
export async function stoppedDigests(
  em: EntityManager,
  { accountId, digests }: { accountId: number; digests: readonly string[] },
): Promise<Set<string>> {
  const rows = await em.execute<{ digest: string }[]>(
    'select digest from text_stop where account_id = ? and digest = any(?::text[]) and resumed_at is null',
    [accountId, `{${digests.join()}}`],
  );
  return new Set(rows.map(({ digest }) => digest));
}

/** Stops texts to a number, or allows them again. Repeating it changes nothing. */
export async function storeStop(
  em: EntityManager,
  of: { accountId: number; digest: string; isStopped: boolean; now: Date },
): Promise<void> {
  const { accountId, digest, isStopped, now } = of;
  if (isStopped)
    await em.execute(
      `insert into text_stop (account_id, digest, stopped_at, created_at, updated_at) values (?, ?, ?, ?, ?)
       on conflict (account_id, digest) do update set stopped_at = excluded.stopped_at, resumed_at = null, updated_at = excluded.updated_at
       where text_stop.resumed_at is not null`,
      [accountId, digest, now, now, now],
    );
  else
    await em.execute(
      'update text_stop set resumed_at = ?, updated_at = ? where account_id = ? and digest = ? and resumed_at is null',
      [now, now, accountId, digest],
    );
}
