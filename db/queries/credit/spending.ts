import type { Installment } from '../../../billing/collection/paymentPlan.ts';
import type { CreditAddition, CreditPiece, OpenDebt } from '../../../billing/payments/creditSpending.ts';
import type { EntityManager } from '../../orm.ts';
import { numberArray, OF_NO_LINK } from '../kernel/sql.ts';
import type { CreditKey } from './creditBalance.ts';

const OF_KEY = 'account_id = ? and customer_id = ? and currency = ?';
const valuesOf = ({ accountId, customerId, currency }: CreditKey) => [accountId, customerId, currency];

/** The open credit notes of a customer that are not dated in the future, oldest first. */
export async function openNotes(
  em: EntityManager,
  key: CreditKey,
  { now, most }: { now: Date; most: number },
): Promise<CreditPiece[]> {
  const rows = await em.execute<{ id: number; arrived: Date | null; date: Date; amount: string }[]>(
    `select id, arrived_at as arrived, date, balance::text as amount from credit_note
     where ${OF_KEY} and status = 'open' and date <= ? and balance > 0 order by date, id limit ?`,
    [...valuesOf(key), now, most],
  );
  return rows.map(({ id, arrived, date, amount }) => ({
    noteId: id,
    id,
    arrivedAt: new Date(arrived ?? date).getTime(),
    countsFromArrival: arrived !== null,
    amount,
  }));
}

/** The latest additions to a credit balance up to a time, newest first, and the balance at that time. */
export async function latestAdditions(
  em: EntityManager,
  key: CreditKey,
  { now, most }: { now: Date; most: number },
): Promise<{ balance: string; additions: CreditAddition[] }> {
  type Row = { id: number; at: Date; countsFromDate: boolean; amount: string; balance: string };
  const rows = await em.execute<Row[]>(
    `select id, at, counts_from_date as "countsFromDate", amount::text as amount, (
       select balance from credit_balance_change where ${OF_KEY} and at <= ? order by at desc, amount < 0 desc, id desc limit 1
     )::text as balance
     from credit_balance_change where ${OF_KEY} and at <= ? and amount > 0 order by at desc, id desc limit ?`,
    [...valuesOf(key), now, ...valuesOf(key), now, most],
  );
  return {
    balance: rows[0]?.balance ?? '0',
    additions: rows.map(({ at, ...row }) => ({ ...row, at: new Date(at).getTime() })),
  };
}

/**
 * SQL: condition of an invoice `i` that credit pays by itself. A draft, a closed, promised or disputed one, one of a payment link, and one with an
 * attempt is none.
 */
const PAID_BY_CREDIT = `i.issued_at is not null and not i.closed and i.voided_at is null and i.deleted_at is null and not i.pending
  and i.balance > 0 and i.promise is distinct from 'promised' and ${OF_NO_LINK}
  and not exists (select 1 from attempt_invoice t where t.account_id = i.account_id and t.invoice_id = i.id and t.undecided)
  and not exists (
    select 1 from payment_application a join payment m on m.account_id = a.account_id and m.id = a.payment_id
    join dispute d on d.account_id = m.account_id and d.charge_id = m.charge_id
    where a.account_id = i.account_id and a.invoice_id = i.id and d.status = 'open')`;

interface DebtRow {
  invoiceId: number;
  date: Date;
  dueAt: Date;
  balance: string;
  installments: Installment[] | null;
  notes: { id: number; amount: string }[] | null;
  withheld: { throughChangeId: number; amount: string } | null;
}

/** The invoices of a customer that credit pays by itself, the oldest due date first. `only`: among these; null: among all. */
export async function openDebts(
  em: EntityManager,
  key: CreditKey,
  { only, most }: { only: readonly number[] | null; most: number },
): Promise<OpenDebt[]> {
  const rows = await em.execute<DebtRow[]>(
    `select i.id as "invoiceId", i.date, coalesce(i.due_at, i.date) as "dueAt", i.balance::text as balance, p.installments,
       w.notes, w.balance as withheld
     from invoice i
     left join payment_plan p on p.account_id = i.account_id and p.id = i.payment_plan_id and p.status in ('active', 'pending_signup')
     left join lateral (
       select jsonb_agg(jsonb_build_object('id', credit_note_id, 'amount', amount::text)) filter (where credit_note_id is not null) as notes,
         (jsonb_agg(jsonb_build_object('throughChangeId', through_change_id, 'amount', amount::text))
           filter (where through_change_id is not null)) -> 0 as balance
       from withheld_credit where account_id = i.account_id and invoice_id = i.id) w on true
     where i.account_id = ? and i.customer_id = ? and i.currency = ? and ${PAID_BY_CREDIT} ${only ? 'and i.id = any(?::int[])' : ''}
     order by coalesce(i.due_at, i.date), i.id limit ?`,
    [...valuesOf(key), ...(only ? [numberArray(only)] : []), most],
  );
  return rows.map(({ date, dueAt, notes, withheld, ...row }) => ({
    ...row,
    date: new Date(date).getTime(),
    dueAt: new Date(dueAt).getTime(),
    withheld: { notes: notes ?? [], balance: withheld },
  }));
}

/** The invoice with the oldest due date that credit pays by itself, in each currency. */
export async function oldestDebts(
  em: EntityManager,
  { accountId, customerId }: { accountId: number; customerId: number },
): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(
    `select distinct on (i.currency) i.id from invoice i where i.account_id = ? and i.customer_id = ? and ${PAID_BY_CREDIT}
     order by i.currency, coalesce(i.due_at, i.date), i.id`,
    [accountId, customerId],
  );
  return rows.map(({ id }) => id);
}

/** How many lines each of these invoices has. */
export async function lineCounts(
  em: EntityManager,
  { accountId, invoiceIds }: { accountId: number; invoiceIds: readonly number[] },
): Promise<Map<number, number>> {
  const rows = await em.execute<{ id: number; count: number }[]>(
    'select invoice_id as id, count(*)::int as count from line_item where account_id = ? and invoice_id = any(?::int[]) group by 1',
    [accountId, numberArray(invoiceIds)],
  );
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/**
 * Withholds so much more of a credit balance from each invoice. Leaves out invoices of other customers and currencies, which it never pays. Of
 * what was withheld before, at most what was left is; all that the balance has had until now counts, and nothing that comes later.
 */
export async function withholdBalance(
  em: EntityManager,
  key: CreditKey,
  more: readonly { invoiceId: number; amount: string }[],
): Promise<void> {
  await em.execute(
    `insert into withheld_credit as w (account_id, invoice_id, through_change_id, amount)
     select ?, v.invoice, c.id, v.amount from (
       select v."invoiceId" as invoice, sum(v.amount) as amount
       from jsonb_to_recordset(?::jsonb) as v("invoiceId" int, amount numeric)
       join invoice i on i.account_id = ? and i.id = v."invoiceId" and i.customer_id = ? and i.currency = ? group by 1) v
     cross join lateral (select max(id) as id from credit_balance_change where ${OF_KEY}) c where c.id is not null order by v.invoice
     on conflict (account_id, invoice_id, credit_note_id) do update set through_change_id = excluded.through_change_id,
       amount = excluded.amount + least(w.amount, greatest(0, ${BALANCE} - excluded.amount))`,
    [key.accountId, JSON.stringify(more), ...valuesOf(key), ...valuesOf(key), ...valuesOf(key)],
  );
}

/** SQL: the credit balance after its last change. */
const BALANCE = `coalesce((select balance from credit_balance_change where ${OF_KEY} order by at desc, amount < 0 desc, id desc limit 1), 0)`;

/** Withholds so much more of credit notes from invoices. */
export async function withholdNotes(
  em: EntityManager,
  accountId: number,
  more: readonly { invoiceId: number; noteId: number; amount: string }[],
): Promise<void> {
  await em.execute(
    `insert into withheld_credit as w (account_id, invoice_id, credit_note_id, amount)
     select ?, v."invoiceId", v."noteId", sum(v.amount)
     from jsonb_to_recordset(?::jsonb) as v("invoiceId" int, "noteId" int, amount numeric) group by 2, 3 order by 2, 3
     on conflict (account_id, invoice_id, credit_note_id) do update set amount = w.amount + excluded.amount`,
    [accountId, JSON.stringify(more)],
  );
}

/** The invoices from which credit notes are withheld. */
export async function withheldFrom(
  em: EntityManager,
  { accountId, noteIds }: { accountId: number; noteIds: readonly number[] },
): Promise<{ invoiceId: number; noteId: number; amount: string }[]> {
  return em.execute(
    `select invoice_id as "invoiceId", credit_note_id as "noteId", amount::text as amount from withheld_credit
     where account_id = ? and credit_note_id = any(?::int[])`,
    [accountId, numberArray(noteIds)],
  );
}
