import type { EntityManager } from '../../orm.ts';

interface Key {
  accountId: number;
  customerId: number;
}

export const listedKinds = ['invoice', 'estimate', 'credit_note'] as const;
export type ListedKind = (typeof listedKinds)[number];

/** What a list shows. Times are the first and the end of the days. `beforeId`: only older ones. */
export interface Filter {
  isOpen: boolean;
  from: Date | null;
  until: Date | null;
  beforeId: number | null;
  most: number;
}

/** A document as the portal lists it. */
export interface ListedDocument {
  id: number;
  token: string;
  number: string;
  currency: string;
  status: string;
  total: string;
  date: Date;
  dueAt: Date | null;
  /** What is open of an invoice, or of a credit note. */
  balance: string | null;
}

const COLUMNS: Readonly<Record<ListedKind, string>> = {
  invoice: 'due_at, balance::text as balance',
  estimate: 'expires_at as due_at, null as balance',
  credit_note: 'null::timestamptz as due_at, balance::text as balance',
};

/** Issued documents of a customer, the latest first. */
export async function listedDocuments(
  em: EntityManager,
  { accountId, customerId }: Key,
  { kind, isOpen, from, until, beforeId, most }: Filter & { kind: ListedKind },
): Promise<ListedDocument[]> {
  const rows = await em.execute<(Omit<ListedDocument, 'date' | 'dueAt'> & { date: string; due_at: string | null })[]>(
    `select id, token, number, currency, status, total::text as total, date, ${COLUMNS[kind]} from ${kind}
     where account_id = ? and customer_id = ? and issued_at is not null and deleted_at is null
       and id < coalesce(?::int, 2147483647) and (not ?::boolean or not closed)
       and date >= coalesce(?::timestamptz, '-infinity') and date < coalesce(?::timestamptz, 'infinity')
     order by id desc limit ?`,
    [accountId, customerId, beforeId, isOpen, from, until, most],
  );
  return rows.map(({ due_at: dueAt, ...row }) => ({
    ...row,
    date: new Date(row.date),
    dueAt: dueAt === null ? null : new Date(dueAt),
  }));
}

/** A payment as the portal lists it. */
export interface ListedPayment {
  id: number;
  token: string;
  currency: string;
  amount: string;
  method: string;
  date: Date;
  receiptNumber: string | null;
  voided: boolean;
  isPending: boolean;
  isReturned: boolean;
}

/** Payments of a customer by money, the latest first. */
export async function listedPayments(
  em: EntityManager,
  { accountId, customerId }: Key,
  { from, until, beforeId, most }: Omit<Filter, 'isOpen'>,
): Promise<ListedPayment[]> {
  const rows = await em.execute<(Omit<ListedPayment, 'date'> & { date: string })[]>(
    `select p.id, p.token, p.currency, (p.amount - p.credit)::text as amount, p.method, p.date, p.receipt_number as "receiptNumber",
       p.voided, coalesce(a.state in ('open', 'waiting', 'unknown', 'pending'), false) as "isPending",
       c.returned_at is not null as "isReturned"
     from payment p left join charge c on c.account_id = p.account_id and c.id = p.charge_id
       left join attempt a on a.account_id = c.account_id and a.id = c.attempt_id
     where p.account_id = ? and p.customer_id = ? and p.amount > p.credit and p.id < coalesce(?::int, 2147483647)
       and p.date >= coalesce(?::timestamptz, '-infinity') and p.date < coalesce(?::timestamptz, 'infinity')
     order by p.id desc limit ?`,
    [accountId, customerId, beforeId, from, until, most],
  );
  return rows.map((row) => ({ ...row, date: new Date(row.date) }));
}
