import type { ChaseAction } from '../../../billing/collection/cadence.ts';
import type { TakenStep } from '../../../billing/collection/invoiceChasing.ts';
import type { Installment } from '../../../billing/collection/paymentPlan.ts';
import type { PromiseState } from '../../../billing/collection/promise.ts';
import type { EntityManager } from '../../orm.ts';
import type { Reminder } from '../../schema/reminder.ts';
import { numberArray, OF_NO_LINK } from '../kernel/sql.ts';

interface Whose {
  accountId: number;
  customerIds: readonly number[];
}

/** An open invoice that its customer can be asked for. Money is decimal text. */
export interface ChasedInvoice {
  id: number;
  customerId: number;
  currency: string;
  balance: string;
  /** Its date or its issue, whichever is later. */
  issuedAt: Date;
  dueAt: Date | null;
  zone: string;
  pastDue: boolean;
  promise: PromiseState | null;
  expectedAt: Date | null;
  /** Installments of its active payment plan; null: it has none. */
  installments: Installment[] | null;
  disputed: boolean;
  /** Until when nobody asks for it because the customer disputes a line; null: any time. */
  heldUntil: Date | null;
  /** Id of its invoice cadence; null: its customer's cadence asks for it. */
  cadenceId: number | null;
  takenSteps: TakenStep[] | null;
  /** It was mailed because it was issued. */
  isIssueMailed: boolean;
}

/**
 * SQL: condition of an open, issued invoice `i` with a balance above zero and no pending payment, not of a payment link. AutoPay must not be going
 * to charge it, unless it has an active payment plan. `p`: its active payment plan.
 */
export const ASKED_FOR = `i.issued_at is not null and not i.closed and i.deleted_at is null and not i.pending and i.balance > 0
  and (i.next_payment_attempt_at is null or p.id is not null) and ${OF_NO_LINK}`;

export const ACTIVE_PLAN = `payment_plan p on p.account_id = i.account_id and p.id = i.payment_plan_id and p.status = 'active'`;

/** SQL: condition of an invoice `i` that the cadence of its customer asks for. `p`: its active payment plan. */
export const OF_CUSTOMER = '(i.chasing_cadence_id is null or p.id is not null)';

/** The open invoices that customers can be asked for, each customer's oldest first. */
export async function chasedInvoices(em: EntityManager, { accountId, customerIds }: Whose): Promise<ChasedInvoice[]> {
  const rows = await em.execute<ChasedInvoice[]>(
    `select i.id, i.customer_id as "customerId", i.currency, i.balance::text as balance, greatest(i.date, i.issued_at) as "issuedAt",
       i.due_at as "dueAt", i.time_zone as zone, i.past_due as "pastDue", i.promise, i.expected_payment_at as "expectedAt",
       i.dispute_hold_until as "heldUntil", i.chasing_cadence_id as "cadenceId", i.taken_steps as "takenSteps",
       i.issue_mailed_at is not null as "isIssueMailed", p.installments, exists (
         select 1 from payment_application a join payment m on m.account_id = a.account_id and m.id = a.payment_id
         join dispute d on d.account_id = m.account_id and d.charge_id = m.charge_id
         where a.account_id = i.account_id and a.invoice_id = i.id and d.status = 'open') as disputed
     from invoice i left join ${ACTIVE_PLAN}
     where i.account_id = ? and i.customer_id = any(?::int[]) and ${ASKED_FOR} order by i.customer_id, i.id`,
    [accountId, numberArray(customerIds)],
  );
  return rows.map((row) => ({
    ...row,
    issuedAt: new Date(row.issuedAt),
    dueAt: row.dueAt && new Date(row.dueAt),
    expectedAt: row.expectedAt && new Date(row.expectedAt),
    heldUntil: row.heldUntil && new Date(row.heldUntil),
  }));
}

/** Money of a customer in a currency that pays no invoice yet: unapplied payments, open credit notes and the credit balance. Decimal text. */
export interface UnappliedMoney {
  customerId: number;
  currency: string;
  amount: string;
}

export function unappliedMoney(em: EntityManager, { accountId, customerIds }: Whose): Promise<UnappliedMoney[]> {
  const ids = numberArray(customerIds);
  return em.execute<UnappliedMoney[]>(
    `select customer_id as "customerId", currency, sum(amount)::text as amount from (
       select customer_id, currency, balance as amount from payment
       where account_id = ? and customer_id = any(?::int[]) and balance > 0 and not voided
       union all
       select customer_id, currency, balance from credit_note
       where account_id = ? and customer_id = any(?::int[]) and status = 'open'
       union all
       select customer_id, currency, amount from credit_balance_change where account_id = ? and customer_id = any(?::int[])
     ) m group by customer_id, currency having sum(amount) > 0`,
    [accountId, ids, accountId, ids, accountId, ids],
  );
}

/** The channels by which a customer was asked on a local day. */
export async function channelsOn(
  em: EntityManager,
  { accountId, customerId, day }: { accountId: number; customerId: number; day: string },
): Promise<Set<ChaseAction>> {
  const rows = await em.execute<{ channel: ChaseAction }[]>(
    'select channel from reminder where account_id = ? and customer_id = ? and day = ?',
    [accountId, customerId, day],
  );
  return new Set(rows.map(({ channel }) => channel));
}

/** Stores the taken steps of invoices, in one statement. `isIssueMail`: one of them mailed the invoice because it was issued. */
export async function storeTakenSteps(
  em: EntityManager,
  {
    accountId,
    invoices,
    now,
  }: {
    accountId: number;
    invoices: readonly { id: number; taken: readonly TakenStep[]; isIssueMail: boolean }[];
    now: Date;
  },
): Promise<void> {
  if (invoices.length === 0) return;
  await em.execute(
    `update invoice i set taken_steps = v.taken,
       issue_mailed_at = case when v."isIssueMail" then coalesce(i.issue_mailed_at, ?) else i.issue_mailed_at end
     from jsonb_to_recordset(?::jsonb) as v(id int, taken jsonb, "isIssueMail" boolean) where i.account_id = ? and i.id = v.id`,
    [now, JSON.stringify(invoices), accountId],
  );
}

/** Customers that have paid everything that was open at their last step. Their cadence begins anew. */
export async function paidUpCustomers(em: EntityManager, { accountId, customerIds }: Whose): Promise<Set<number>> {
  const rows = await em.execute<{ id: number }[]>(
    `select k.id from chase k where k.account_id = ? and k.id = any(?::int[]) and k.last_step_at is not null
       and not exists (select 1 from invoice i where i.account_id = k.account_id and i.customer_id = k.id and not i.closed
         and (i.chasing_cadence_id is null or i.payment_plan_id is not null)
         and i.issued_at <= k.last_step_at and i.balance > 0)`,
    [accountId, numberArray(customerIds)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Ids, in order, of at most `limit` customers above the id `after` that have an open invoice on an invoice cadence. */
export function customersOnCadence(
  em: EntityManager,
  { accountId, cadenceId, after, limit }: { accountId: number; cadenceId: number; after: number; limit: number },
): Promise<{ id: number }[]> {
  return em.execute<{ id: number }[]>(
    `select distinct customer_id as id from invoice where account_id = ? and chasing_cadence_id = ? and customer_id > ?
       and not closed order by customer_id limit ?`,
    [accountId, cadenceId, after, limit],
  );
}

/** Ids of customers with an open issued invoice above an id, in order. */
export function owingCustomers(
  em: EntityManager,
  { accountId, after, limit }: { accountId: number; after: number; limit: number },
): Promise<{ id: number }[]> {
  return em.execute<{ id: number }[]>(
    `with recursive owing as (
       (select customer_id as id from invoice where account_id = ? and customer_id > ? and not closed order by customer_id limit 1)
       union all
       select (select customer_id from invoice where account_id = ? and customer_id > owing.id and not closed order by customer_id limit 1)
       from owing where owing.id is not null
     ) select id from owing where id is not null limit ?`,
    [accountId, after, accountId, limit],
  );
}

/** Records that a customer is asked by a channel on a day. Returns the id of the reminder; null: it was asked so already. */
export async function noteReminder(
  em: EntityManager,
  reminder: Pick<Reminder, 'accountId' | 'day' | 'channel' | 'stepId' | 'createdAt'> & {
    customerId: number;
    cadenceId: number;
  },
): Promise<number | null> {
  const { accountId, customerId, day, channel, cadenceId, stepId, createdAt } = reminder;
  const [row] = await em.execute<{ id: number }[]>(
    `insert into reminder (account_id, customer_id, day, channel, cadence_id, step_id, created_at) values (?, ?, ?, ?, ?, ?, ?)
     on conflict do nothing returning id`,
    [accountId, customerId, day, channel, cadenceId, stepId, createdAt],
  );
  return row?.id ?? null;
}

/** Records the task that was made in place of a reminder's mail or text. */
export async function noteTaskOfReminder(
  em: EntityManager,
  { accountId, id, taskId }: { accountId: number; id: number; taskId: number },
): Promise<void> {
  await em.execute('update reminder set task_id = ? where account_id = ? and id = ?', [taskId, accountId, id]);
}
