import type { EntityManager } from '../../orm.ts';

/** What a customer owes in one currency: decimal texts. */
export interface OpenBalance {
  currency: string;
  outstanding: string;
  pastDue: string;
  count: number;
}

interface Key {
  accountId: number;
  customerId: number;
}

/** SQL: the open invoices of a customer `i`. */
const OPEN = `i.account_id = ? and i.customer_id = ? and not i.closed and i.issued_at is not null and i.deleted_at is null
  and i.voided_at is null and i.balance > 0`;

/** The open balances of a customer, one for each currency, the one with the most invoices first. */
export function openBalances(em: EntityManager, { accountId, customerId }: Key): Promise<OpenBalance[]> {
  return em.execute<OpenBalance[]>(
    `select i.currency, sum(i.balance)::text as outstanding,
       coalesce(sum(i.balance) filter (where i.past_due), 0)::text as "pastDue", count(*)::int as count
     from invoice i where ${OPEN} group by i.currency order by count(*) desc, i.currency`,
    [accountId, customerId],
  );
}

/** An open invoice as the portal lists it. */
export interface OpenInvoice {
  id: number;
  token: string;
  number: string;
  name: string;
  currency: string;
  balance: string;
  date: Date;
  dueAt: Date | null;
  timeZone: string;
  pastDue: boolean;
  pending: boolean;
  autopay: boolean;
}

/** Open invoices of a customer, by their due date. `currency` null: in all of them. */
export async function openInvoices(
  em: EntityManager,
  { accountId, customerId }: Key,
  { currency, most }: { currency: string | null; most: number },
): Promise<OpenInvoice[]> {
  const rows = await em.execute<(Omit<OpenInvoice, 'date' | 'dueAt'> & { date: string; dueAt: string | null })[]>(
    `select i.id, i.token, i.number, i.name, i.currency, i.balance, i.date, i.due_at as "dueAt", i.time_zone as "timeZone",
       i.past_due as "pastDue", i.pending, i.autopay and not i.autopay_stopped as autopay
     from invoice i where ${OPEN} and i.currency = coalesce(?, i.currency)
     order by coalesce(i.due_at, i.date), i.id limit ?`,
    [accountId, customerId, currency, most],
  );
  return rows.map((row) => ({
    ...row,
    date: new Date(row.date),
    dueAt: row.dueAt === null ? null : new Date(row.dueAt),
  }));
}

/** The currencies in which a customer has documents or payments. */
export async function usedCurrencies(em: EntityManager, { accountId, customerId }: Key): Promise<string[]> {
  const rows = await em.execute<{ currency: string }[]>(
    `select currency from invoice where account_id = ? and customer_id = ? and issued_at is not null
     union select currency from payment where account_id = ? and customer_id = ? order by currency`,
    [accountId, customerId, accountId, customerId],
  );
  return rows.map(({ currency }) => currency);
}
