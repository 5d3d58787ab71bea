import type { EntityDictionary } from '@mikro-orm/core';
import type { LastAttempt } from '../../../billing/collection/collection.ts';
import type { EntityManager } from '../../orm.ts';
import { Attempt, carriedOut } from '../../schema/attempt.ts';
import { AttemptCredit } from '../../schema/attemptParts.ts';
import { PaymentSource } from '../../schema/customer.ts';
import type { Invoice } from '../../schema/invoice.ts';
import { SUBSCRIPTION_DUE_AT } from '../invoices/openInvoices.ts';

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
  /** Invoices that its money pays. `isSold`: a sign-up page or payment link sold it. */
  invoices: { invoiceId: number; amount: string; isSold: boolean }[];
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
    `select coalesce((select jsonb_agg(jsonb_build_object('invoiceId', i.invoice_id, 'amount', i.amount::text, 'isSold',
           exists (select from sign_up s where s.account_id = i.account_id and s.invoice_id = i.invoice_id)
           or exists (select from link_payment l where l.account_id = i.account_id and l.invoice_id = i.invoice_id)))
         from attempt_invoice i where i.account_id = ? and i.attempt_id = ?), '[]') as invoices,
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

interface Key {
  accountId: number;
  id: number;
}

/** An attempt with the facts that a call of its gateway needs. */
export interface AttemptToCall {
  attempt: Attempt;
  /** The gateway's id of the charge that it refunds; null: it is no refund of one. */
  refundedCharge: string | null;
  /** The time of its customer's test clock; null: the customer has none. */
  frozenAt: Date | null;
}

/** An attempt without an outcome, read to call its gateway. Its payment source is read with it. */
export async function attemptToCall(em: EntityManager, { accountId, id }: Key): Promise<AttemptToCall | null> {
  const [row] = await em.execute(
    `select a.*, k.frozen_at as clock_frozen_at, to_jsonb(s) as source,
       (select c.gateway_id from attempt_refund r join charge c on c.account_id = r.account_id and c.id = r.charge_id
        where r.account_id = a.account_id and r.attempt_id = a.id) as refunded_charge
     from attempt a
     join customer c on c.account_id = a.account_id and c.id = a.customer_id
     left join test_clock k on k.account_id = c.account_id and k.id = c.test_clock_id
     left join payment_source s on s.account_id = a.account_id and s.id = a.source_id
     where a.account_id = ? and a.id = ?`,
    [accountId, id],
  );
  if (!row) return null;
  const { clock_frozen_at: frozenAt, source, refunded_charge: refundedCharge, ...columns } = row;
  if (source) em.map(PaymentSource, source);
  return { attempt: em.map(Attempt, columns), refundedCharge, frozenAt: frozenAt === null ? null : new Date(frozenAt) };
}

/** Records that a look-up of a pending attempt has ended, at the time of its test clock or at `systemNow`. */
export async function recordLookUp(em: EntityManager, { accountId, id }: Key, systemNow: Date): Promise<void> {
  const frozen =
    'select frozen_at from test_clock c where c.account_id = attempt.account_id and c.id = attempt.clock_id';
  await em.execute(
    `update attempt set looked_up_at = coalesce((${frozen}), ?) where account_id = ? and id = ? and state = 'pending'`,
    [systemNow, accountId, id],
  );
}

/** Counts a look-up for reversals of an attempt. Returns its number and the time of the customer's test clock. Null: there is no such attempt. */
export async function countReversalLookUp(
  em: EntityManager,
  { accountId, id }: Key,
): Promise<{ number: number; frozenAt: Date | null } | null> {
  const [row] = await em.execute<{ number: number; at: string | null }[]>(
    `update attempt a set reversal_look_ups = reversal_look_ups + 1 from customer c
     left join test_clock k on k.account_id = c.account_id and k.id = c.test_clock_id
     where a.account_id = ? and a.id = ? and c.account_id = a.account_id and c.id = a.customer_id
     returning a.reversal_look_ups as number, k.frozen_at as at`,
    [accountId, id],
  );
  return row ? { number: row.number, frozenAt: row.at === null ? null : new Date(row.at) } : null;
}

/**
 * SQL: the charge that the process of an invoice has started and not sent: its worker died in between. Takes the account and the invoice as
 * parameters.
 */
export const UNSENT_CHARGE = `select t.id from attempt_invoice i join attempt t on t.account_id = i.account_id and t.id = i.attempt_id
  where i.account_id = ? and i.invoice_id = ? and i.undecided and t.state = 'open' and t.reference is null and t.origin = 'autopay'`;

/** The last attempt to charge an invoice. `undecided` null: there was none. */
export interface LastCharge extends LastAttempt, Pick<Attempt, 'failureCode'> {
  undecided: boolean | null;
  /** Since when a step of a subscription of its customer has been due, UNIX time in milliseconds; null: none is. */
  renewalAt: number | null;
}

/** The last attempt to charge an invoice, and whether a subscription comes first, with one statement. */
export async function lastCharge(
  em: EntityManager,
  { accountId, id, customer }: Invoice,
  now: Date,
): Promise<LastCharge | null> {
  const [row] = await em.execute<LastCharge[]>(
    `select l.*, ${SUBSCRIPTION_DUE_AT} as "renewalAt" from (select 1) once left join lateral (
       select i.undecided, a.decline_kind as "declineKind", a.failure_code as "failureCode", a.interruption,
         a.is_fallback as "isFallback", coalesce(a.source_id = c.default_source_id, false) as "isOfDefault"
       from (${lastAttemptOf('?', '?')}) i
       join attempt a on a.account_id = i.account_id and a.id = i.attempt_id
       join customer c on c.account_id = a.account_id and c.id = a.customer_id) l on true`,
    [accountId, customer.id, now, now, accountId, id],
  );
  return row ?? null;
}
