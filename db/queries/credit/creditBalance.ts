import { add } from '../../../billing/money/money.ts';
import type { BalanceChange } from '../../../billing/subscriptions/takingBack.ts';
import type { EntityManager } from '../../orm.ts';
import { numberArray } from '../kernel/sql.ts';

/** A customer's credit balance in one currency. */
export interface CreditKey {
  accountId: number;
  customerId: number;
  currency: string;
}

const OF_KEY = 'account_id = ? and customer_id = ? and currency = ?';
/** Order of changes: by second; within a second, additions first. */
const ORDER = 'at, amount < 0, id';
/** SQL: the order in which the last change is the first. */
export const LAST = 'at desc, amount < 0 desc, id desc';

const valuesOf = ({ accountId, customerId, currency }: CreditKey) => [accountId, customerId, currency];

/** The part of a credit balance that can be spent at a time without making it negative at any later time. Decimal text. */
export async function spendableCredit(em: EntityManager, key: CreditKey, at: Date): Promise<string> {
  const values = valuesOf(key);
  const [row] = await em.execute<{ balance: string | null }[]>(
    `select least(
       coalesce((select balance from credit_balance_change where ${OF_KEY} and at <= ? order by ${LAST} limit 1), 0),
       (select min(balance) from credit_balance_change where ${OF_KEY} and at > ?)
     )::text as balance`,
    [...values, at, ...values, at],
  );
  return row?.balance ?? '0';
}

/** The credit that a customer can spend at a time: from the credit balance, and all open credit notes. Decimal text. */
export async function availableCredit(em: EntityManager, key: CreditKey, at: Date): Promise<string> {
  const [row] = await em.execute<{ open: string }[]>(
    `select coalesce(sum(balance), 0)::text as open from credit_note where ${OF_KEY} and status = 'open'`,
    valuesOf(key),
  );
  return add(await spendableCredit(em, key, at), row?.open ?? '0');
}

/** Whether the customer has credit in any currency, now or later. */
export async function hasCredit(em: EntityManager, { accountId, customerId }: CreditKey): Promise<boolean> {
  const [row] = await em.execute(
    `select 1 from (
       select distinct on (currency) balance from credit_balance_change where account_id = ? and customer_id = ?
       order by currency, ${LAST}
     ) last where balance > 0
     union all (select 1 from credit_note where account_id = ? and customer_id = ? and status = 'open' limit 1) limit 1`,
    [accountId, customerId, accountId, customerId],
  );
  return row !== undefined;
}

export interface CreditHistory {
  at: Date;
  currency: string;
  balance: string;
}

const MOST = 1000;

/** The credit balance after each of its last 1,000 changes, latest first. */
export async function creditHistory(em: EntityManager, key: CreditKey): Promise<CreditHistory[]> {
  const rows = await em.execute<CreditHistory[]>(
    `select at, currency, balance::text as balance from credit_balance_change where ${OF_KEY} order by ${LAST} limit ${MOST}`,
    valuesOf(key),
  );
  return rows.map(({ at, currency, balance }) => ({ at: new Date(at), currency, balance }));
}

/** SQL: condition of a balance that is not allowed. */
const OUTSIDE = 'running.balance < 0 or running.balance >= 1000000000000';

/** The lowest balance below zero, with its time; if none is below zero, the lowest one above the amount limit. */
export interface Shortage {
  at: Date;
  balance: string;
}

/**
 * Recomputes and writes the balances after all changes from a time on. Null: they are written. If any would be below zero or too large,
 * writes nothing and returns the lowest such balance.
 */
export async function runCreditBalance(em: EntityManager, key: CreditKey, from: Date): Promise<Shortage | null> {
  const values = valuesOf(key);
  const [lowest] = await em.execute<Shortage[]>(
    `with running as (
       select id, at, coalesce((
           select balance from credit_balance_change where ${OF_KEY} and at < date_trunc('second', ?::timestamptz) order by ${LAST} limit 1
         ), 0) + sum(amount) over (order by ${ORDER}) as balance
       from credit_balance_change where ${OF_KEY} and at >= date_trunc('second', ?::timestamptz)
     ), written as (
       update credit_balance_change c set balance = running.balance from running
       where c.account_id = ? and c.id = running.id and c.balance <> running.balance
         and not exists (select 1 from running where ${OUTSIDE})
     )
     select at, balance::text as balance from running where ${OUTSIDE} order by running.balance, at limit 1`,
    [...values, from, ...values, from, key.accountId],
  );
  return lowest ? { at: new Date(lowest.at), balance: lowest.balance } : null;
}

/** Writes a credit balance change for each application of payments that affects the credit balance, at the payment's date. */
export async function writeCreditChanges(
  em: EntityManager,
  key: CreditKey,
  paymentIds: readonly number[],
): Promise<void> {
  await em.execute(
    `insert into credit_balance_change (account_id, customer_id, currency, at, amount, balance, counts_from_date, application_id)
     select a.account_id, p.customer_id, p.currency, date_trunc('second', p.date),
       case a.type when 'credit' then a.amount else -a.amount end, 0, true, a.id
     from payment_application a join payment p on p.account_id = a.account_id and p.id = a.payment_id
     where a.account_id = ? and a.payment_id = any(?::int[]) and a.type in ('credit', 'applied_credit') order by a.id
     on conflict (account_id, application_id) do update set at = excluded.at`,
    [key.accountId, numberArray(paymentIds)],
  );
}

/**
 * The change of a credit balance that an application makes, and all later ones, oldest first. `spending`: the application that spent the
 * credit; null: credit was added, or an adjustment took it.
 */
export function changesSince(em: EntityManager, key: CreditKey, applicationId: number): Promise<BalanceChange[]> {
  return em.execute<BalanceChange[]>(
    `select c.amount::text as amount, c.balance::text as balance, case when c.amount < 0 then c.application_id end as spending
     from credit_balance_change c
     join credit_balance_change own on own.account_id = c.account_id and own.application_id = ?
     where c.account_id = ? and c.customer_id = ? and c.currency = ?
       and (c.at, c.amount < 0, c.id) >= (own.at, false, own.id)
     order by c.at, c.amount < 0, c.id`,
    [applicationId, ...valuesOf(key)],
  );
}
