import type { EntityManager } from '../../orm.ts';
import type { ChargeStatus } from '../../schema/charge.ts';
import { textArray } from '../kernel/sql.ts';

/** Money that a payment gave to an invoice, or to the deposit of an estimate. */
export interface PaidPart {
  paymentId: number;
  /** Token of the receipt. */
  token: string;
  date: Date;
  /** Decimal text. */
  amount: string;
  voided: boolean;
  /** The whole payment, and the part of it that credit pays. */
  paid: string;
  credit: string;
  /** Null: it was not charged. */
  chargeStatus: ChargeStatus | null;
  /** Whether the payment pays other documents, too. */
  paysOthers: boolean;
}

const MOST_PARTS = 100;

/** SQL: the parts of payments that are money for a document, and the other parts of the same payments that name another one. */
const partsOf = {
  invoice: {
    own: "part.invoice_id = ? and part.type = 'invoice'",
    other: "other.invoice_id <> part.invoice_id or other.type = 'estimate'",
  },
  estimate: {
    own: "part.estimate_id = ? and part.type = 'estimate'",
    other: "other.estimate_id <> part.estimate_id or other.type = 'invoice'",
  },
} as const;

/** The money that payments gave to an invoice, or to the deposit of an estimate, oldest first; at most a hundred payments. */
export async function paidParts(
  em: EntityManager,
  document: { accountId: number; type: keyof typeof partsOf; id: number },
): Promise<PaidPart[]> {
  const { accountId, type, id } = document;
  const { own, other } = partsOf[type];
  const rows = await em.execute<(Omit<PaidPart, 'date'> & { date: string | Date })[]>(
    `select payment.id as "paymentId", payment.token, payment.date, part.amount, payment.voided, payment.amount as paid,
       payment.credit, charge.status as "chargeStatus", exists (
         select 1 from payment_application other
         where other.account_id = part.account_id and other.payment_id = part.payment_id and (${other})) as "paysOthers"
     from payment_application part
     join payment on payment.account_id = part.account_id and payment.id = part.payment_id
     left join charge on charge.account_id = payment.account_id and charge.id = payment.charge_id
     where part.account_id = ? and ${own}
     order by payment.date, part.id limit ${MOST_PARTS}`,
    [accountId, id],
  );
  return rows.map((row) => ({ ...row, date: new Date(row.date) }));
}

/**
 * The amount that pays an invoice and is dated before a time, or comes from a charge that began before it. Credit notes that grant its early-payment
 * discount or take its late fees back do not count.
 */
export async function paidInTime(
  em: EntityManager,
  { accountId, invoiceId, endsAt }: { accountId: number; invoiceId: number; endsAt: Date },
): Promise<string> {
  const [row] = await em.execute<{ paid: string }[]>(
    `select coalesce(sum(a.amount), 0)::text as paid from payment_application a
     join payment p on p.account_id = a.account_id and p.id = a.payment_id
     left join credit_note n on n.account_id = a.account_id and n.id = a.credit_note_id
     where a.account_id = ? and a.invoice_id = ? and (n.id is null or (n.early_discount_until is null and not n.late_fee_review))
       and (p.date < ? or exists (select 1 from charge c
         join attempt t on t.account_id = c.account_id and t.id = c.attempt_id
         where c.account_id = p.account_id and c.id = p.charge_id and t.created_at < ?))`,
    [accountId, invoiceId, endsAt, endsAt],
  );
  return row?.paid ?? '0';
}

/** Whether a charge that paid a part of an invoice has an open dispute. */
export async function hasOpenDispute(
  em: EntityManager,
  { accountId, invoiceId }: { accountId: number; invoiceId: number },
): Promise<boolean> {
  const rows = await em.execute(
    `select 1 from payment_application a join payment p on p.account_id = a.account_id and p.id = a.payment_id
     join dispute d on d.account_id = p.account_id and d.charge_id = p.charge_id
     where a.account_id = ? and a.invoice_id = ? and d.status = 'open' limit 1`,
    [accountId, invoiceId],
  );
  return rows.length > 0;
}

/**
 * The invoices that now have the lines of these invoices, by id: each itself, or the one into which it was consolidated. Voided and deleted
 * ones are left out.
 */
export async function holdersOf(
  em: EntityManager,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await em.execute<{ origin: number; id: number }[]>(
    `with recursive place as (
       select id as origin, id, consolidated_into_id as next, voided_at, deleted_at from invoice
         where account_id = ? and id = any(?::int[])
       union all
       select origin, invoice.id, invoice.consolidated_into_id, invoice.voided_at, invoice.deleted_at
         from place join invoice on invoice.account_id = ? and invoice.id = place.next
     )
     select origin, id from place where next is null and voided_at is null and deleted_at is null`,
    [accountId, `{${[...new Set(ids)].join()}}`, accountId],
  );
  return new Map(rows.map(({ origin, id }) => [origin, id]));
}

/** Ids of the customers that own these invoices, except `besides`. */
export async function ownersOf(
  em: EntityManager,
  { accountId, invoiceIds, besides }: { accountId: number; invoiceIds: readonly number[]; besides: number | null },
): Promise<number[]> {
  if (invoiceIds.length === 0) return [];
  const rows = await em.execute<{ id: number }[]>(
    `select distinct customer_id as id from invoice where account_id = ? and id = any(?::int[]) and customer_id is distinct from ?::int`,
    [accountId, `{${invoiceIds.join()}}`, besides],
  );
  return rows.map(({ id }) => id);
}

/**
 * A payment's customer, who may be unknown, and the other customers whose invoices it pays. Returns undefined if there is no such payment.
 */
export async function partiesOf(
  em: EntityManager,
  { accountId, id }: { accountId: number; id: number },
): Promise<{ customerId: number | null; owners: number[] } | undefined> {
  const [row] = await em.execute<{ customerId: number | null; owners: number[] }[]>(
    `select p.customer_id as "customerId", array(
       select distinct i.customer_id from payment_application a
       join invoice i on i.account_id = a.account_id and i.id = a.invoice_id
       where a.account_id = p.account_id and a.payment_id = p.id and i.customer_id <> p.customer_id
     ) as owners from payment p where p.account_id = ? and p.id = ?`,
    [accountId, id],
  );
  return row;
}

/** Waits for other imports of the account, and makes later ones wait until the commit: they find the rows of this one. */
export async function lockStatements(em: EntityManager, accountId: number): Promise<void> {
  await em.execute(`select pg_advisory_xact_lock(hashtextextended('bank statement', ?))`, [accountId]);
}

/** Ids of payments that were imported from bank statements, by the hash of the statement's row. */
export async function paymentsOfStatementKeys(
  em: EntityManager,
  { accountId, keys }: { accountId: number; keys: readonly string[] },
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const rows = await em.execute<{ id: number; key: string }[]>(
    `select id, statement_key as key from payment
     where account_id = ? and statement_key = any(?::text[]) and statement_key is not null`,
    [accountId, textArray(keys)],
  );
  return new Map(rows.map(({ id, key }) => [key, id]));
}
