import type { EntityDictionary } from '@mikro-orm/core';
import type { EntityManager } from '../../orm.ts';
import { carriedOut } from '../../schema/attempt.ts';
import { AttemptCredit } from '../../schema/attemptParts.ts';

/**
 * SQL: the row of `attempt_invoice` for the last attempt to charge an invoice. Takes SQL expressions for account and invoice. Materialized,
 * because PostgreSQL would otherwise read all attempts of the account from the latest one until it meets this invoice.
 */
export const lastAttemptOf = (accountId: string, invoiceId: string): string =>
  `with charged as materialized (
     select a.* from attempt_invoice a where a.account_id = ${accountId} and a.invoice_id = ${invoiceId})
   select * from charged order by id desc limit 1`;

/** The planned applications of a charge. */
export interface Planned {
  /** Invoices that its money pays. */
  invoices: { invoiceId: number; amount: string }[];
  /** Credit that pays, and money for deposits or the credit balance. Charges of invoices by Perennial itself plan none. */
  credits: AttemptCredit[];
}

interface PlannedRow extends Pick<Planned, 'invoices'> {
  credits: EntityDictionary<AttemptCredit>[];
}

/** Reads the planned applications of a charge's attempt with one statement. */
export async function plannedApplications(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
): Promise<Planned> {
  const [row] = await em.execute<[PlannedRow]>(
    `select coalesce((select jsonb_agg(jsonb_build_object('invoiceId', invoice_id, 'amount', amount::text))
         from attempt_invoice where account_id = ? and attempt_id = ?), '[]') as invoices,
       coalesce((select jsonb_agg(to_jsonb(c) || jsonb_build_object('amount', c.amount::text) order by c.id)
         from attempt_credit c where c.account_id = ? and c.attempt_id = ?), '[]') as credits`,
    [accountId, id, accountId, id],
  );
  return { invoices: row.invoices, credits: row.credits.map((credit) => em.map(AttemptCredit, credit)) };
}

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

interface Merchant {
  accountId: number;
  /** Id of the merchant account. */
  id: number;
}

/** SQL: invoices `i` that wait because the gateway of a merchant account `m` refused their last automatic payment. */
const REFUSED = `i.account_id = m.account_id and i.payment_failure_code = 'gateway_refused' and i.next_payment_attempt_at is not null
  and exists (
    select 1 from attempt_invoice t join attempt a on a.account_id = t.account_id and a.id = t.attempt_id
    where t.account_id = i.account_id and t.invoice_id = i.id and a.interruption = 'refused' and a.gateway = m.gateway || '_' || m.id)`;

/** SQL: operations of merchant account `m` that its gateway has refused since problem `p`, and has not carried out any of their kind since. */
const STILL_REFUSED = `select 1 from attempt a where a.account_id = m.account_id and a.gateway = m.gateway || '_' || m.id
  and a.state = 'abandoned' and a.interruption = 'refused' and a.started_at >= p.since - interval '1 hour' and not exists (
    select 1 from attempt b where b.account_id = a.account_id and b.gateway = a.gateway and b.kind = a.kind
      and b.method is not distinct from a.method and b.id > a.id and b.state in (${carriedOut}))`;

/** Closes the problem of a merchant account once its gateway takes all that it had refused, and no invoice waits for that. */
export async function closeUnlessWaiting(
  em: EntityManager,
  { accountId, id, now }: Merchant & { now: Date },
): Promise<void> {
  await em.execute(
    `update problem p set closed_at = ?, next_try_at = null, updated_at = ?
     from merchant_account m
     where p.account_id = ? and p.subject_type = 'merchant_account' and p.subject_id = ? and p.closed_at is null
       and m.account_id = p.account_id and m.id = p.subject_id and not exists (select 1 from invoice i where ${REFUSED})
       and not exists (${STILL_REFUSED})`,
    [now, now, accountId, id],
  );
}

/**
 * Wakes the invoices that wait because the gateway of a merchant account refused their last automatic payment. Their wake-ups become due, which is
 * the order to charge them now (`takeUpRefused`). Locks no customer and no invoice.
 */
export async function wakeRefusedInvoices(em: EntityManager, { accountId, id }: Merchant, now: Date): Promise<void> {
  await em.execute(
    `with waiting as materialized (
       select i.id, w.clock_id, coalesce(k.frozen_at, ?) as due_at
       from merchant_account m join invoice i on ${REFUSED}
       join wakeup w on w.account_id = i.account_id and w.process = 'invoice' and w.subject_id = i.id and w.rule = 'attempt'
       left join test_clock k on k.account_id = w.account_id and k.id = w.clock_id
       where m.account_id = ? and m.id = ? and w.reason = 'refused' and w.at > coalesce(k.frozen_at, ?)
       order by i.id for no key update of w),
     woken as (
       update wakeup w set at = waiting.due_at, put_at = ?, sweeps = 0, handed_at = null from waiting
       where w.account_id = ? and w.process = 'invoice' and w.rule = 'attempt' and w.subject_id = waiting.id)
     insert into outbox (account_id, topic, subject_id, due_at, clock_id)
     select ?, 'invoice', waiting.id, ?, waiting.clock_id from waiting`,
    [now, accountId, id, now, now, accountId, accountId, now],
  );
}
