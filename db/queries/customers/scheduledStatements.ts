import type { EarlierStatement } from '../../../billing/documents/statementSchedule.ts';
import type { EntityManager } from '../../orm.ts';

interface Whose {
  accountId: number;
  customerId: number;
}

/** A currency in which a customer has documents, money or credit, with the latest statement that it got by its schedule; null: none. */
export interface StatementCurrency {
  currency: string;
  earlier: EarlierStatement | null;
}

/** The currencies of a customer, of which each has a statement. */
export async function statementCurrencies(
  em: EntityManager,
  { accountId, customerId }: Whose,
): Promise<StatementCurrency[]> {
  const of = [accountId, customerId];
  const rows = await em.execute<{ currency: string; month: string | null; until: string | null }[]>(
    `with used as (
       select currency from invoice where account_id = ? and customer_id = ?
       union select currency from payment where account_id = ? and customer_id = ?
       union select currency from credit_note where account_id = ? and customer_id = ?
       union select currency from credit_balance_change where account_id = ? and customer_id = ?
     )
     select u.currency, s.month, s.ends_at as until from used u left join lateral (
       select month, ends_at from scheduled_statement where account_id = ? and customer_id = ? and currency = u.currency
       order by month desc limit 1) s on true
     order by u.currency`,
    [...of, ...of, ...of, ...of, ...of],
  );
  return rows.map(({ currency, month, until }) => ({
    currency,
    earlier: month === null || until === null ? null : { month, until: new Date(until) },
  }));
}

/** A statement that is about to be sent. */
export interface NewScheduledStatement extends Whose {
  currency: string;
  month: string;
  type: string;
  startsAt: Date | null;
  endsAt: Date;
  closingBalance: string;
  createdAt: Date;
}

/** Notes a statement before it is sent. Returns its id; null: the customer got one for this month and currency. */
export async function noteStatement(em: EntityManager, statement: NewScheduledStatement): Promise<number | null> {
  const { accountId, customerId, currency, month, type, startsAt, endsAt, closingBalance, createdAt } = statement;
  const [row] = await em.execute<{ id: number }[]>(
    `insert into scheduled_statement (account_id, customer_id, currency, month, type, starts_at, ends_at, closing_balance, created_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing returning id`,
    [accountId, customerId, currency, month, type, startsAt, endsAt, closingBalance, createdAt],
  );
  return row?.id ?? null;
}

/** Ids of the customers of an account above an id, in order, without merged and anonymized ones. */
export function customersAfter(
  em: EntityManager,
  { accountId, after, limit }: { accountId: number; after: number; limit: number },
): Promise<{ id: number }[]> {
  return em.execute<{ id: number }[]>(
    `select id from customer where account_id = ? and id > ? and merged_into_id is null and anonymized_at is null
     order by id limit ?`,
    [accountId, after, limit],
  );
}

/** Whether customers of an account have days of their own for their statements, and whether the account has cadences. */
export async function plannedIn(
  em: EntityManager,
  accountId: number,
): Promise<{ statements: boolean; cadences: boolean }> {
  const [row] = await em.execute<{ statements: boolean; cadences: boolean }[]>(
    `select exists (select 1 from customer where account_id = ? and statement_day <> 'off') as statements,
       exists (select 1 from chasing_cadence where account_id = ?) as cadences`,
    [accountId, accountId],
  );
  return row ?? { statements: false, cadences: false };
}

/** Records the task that was made in place of a statement's mail. */
export async function noteTaskOfStatement(
  em: EntityManager,
  { accountId, id, taskId }: { accountId: number; id: number; taskId: number },
): Promise<void> {
  await em.execute('update scheduled_statement set task_id = ? where account_id = ? and id = ?', [
    taskId,
    accountId,
    id,
  ]);
}
