import type { EntityManager } from '../../orm.ts';
import { customerTables, tablesWithUpdatedAt } from '../../schema/customerTables.ts';

/**
 * Tables whose rows stay with the merged customer: neither the ledger nor stored answers are rewritten, and balances follow the invoices by
 * triggers.
 */
export const stayingTables = ['customer_balance', 'idempotency', 'ledger_entry'] as const;

const LONGEST_MILLISECONDS = 30_000;

/** Moves all rows of a locked customer to another, except its children. None of these rows may be loaded as entities. */
export async function moveRows(
  em: EntityManager,
  move: { accountId: number; from: number; to: number; now: Date },
): Promise<void> {
  const { accountId, from, to, now } = move;
  await em.execute(`set local statement_timeout = ${LONGEST_MILLISECONDS}`);
  for (const table of customerTables) {
    const isTimed = tablesWithUpdatedAt.includes(table);
    const changed = isTimed ? ', updated_at = ?' : '';
    const times = isTimed ? [now] : [];
    await em.execute(`update ${table} set customer_id = ?${changed} where account_id = ? and customer_id = ?`, [
      to,
      ...times,
      accountId,
      from,
    ]);
  }
}

/** A customer's credit in one currency, and the date of its first change. */
export interface CurrencyCredit {
  currency: string;
  /** Decimal text. */
  balance: string;
  since: Date;
}

export async function creditsOf(
  em: EntityManager,
  { accountId, customerId }: { accountId: number; customerId: number },
): Promise<CurrencyCredit[]> {
  const rows = await em.execute<CurrencyCredit[]>(
    `select currency, sum(amount)::text as balance, min(at) as since from credit_balance_change
     where account_id = ? and customer_id = ? group by currency order by currency`,
    [accountId, customerId],
  );
  return rows.map((row) => ({ ...row, since: new Date(row.since) }));
}

/** Id of a customer, or of the one that it was merged into. Null: the account has no such customer. */
export async function heirOf(
  em: EntityManager,
  { accountId, customerId }: { accountId: number; customerId: number },
): Promise<number | null> {
  const [heir] = await em.execute<{ id: number }[]>(
    'select coalesce(merged_into_id, id) as id from customer where account_id = ? and id = ?',
    [accountId, customerId],
  );
  return heir?.id ?? null;
}

/** Ends the chasing of a customer that is merged into another, before its rows move: the other one has a chasing of its own. */
export async function stopChasing(
  em: EntityManager,
  { accountId, id, into }: { accountId: number; id: number; into: number },
): Promise<void> {
  await em.execute(`delete from wakeup where account_id = ? and process = 'chasing' and subject_id = ?`, [
    accountId,
    id,
  ]);
  await em.execute('delete from chase where account_id = ? and id = ?', [accountId, id]);
  await em.execute(
    `delete from scheduled_statement s using scheduled_statement o where s.account_id = ? and s.customer_id = ?
     and o.account_id = s.account_id and o.customer_id = ? and o.currency = s.currency and o.month = s.month`,
    [accountId, id, into],
  );
  await em.execute(
    `delete from reminder r using reminder o where r.account_id = ? and r.customer_id = ?
     and o.account_id = r.account_id and o.customer_id = ? and o.day = r.day and o.channel = r.channel`,
    [accountId, id, into],
  );
}

/** Moves the notes of a draft invoice with it to another customer. */
export async function moveNotes(
  em: EntityManager,
  { accountId, invoiceId, to, now }: { accountId: number; invoiceId: number; to: number; now: Date },
): Promise<void> {
  await em.execute('update note set customer_id = ?, updated_at = ? where account_id = ? and invoice_id = ?', [
    to,
    now,
    accountId,
    invoiceId,
  ]);
}
