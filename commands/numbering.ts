import { Refusal } from '../billing/refusal.ts';
import type { EntityManager } from '../db/orm.ts';
import { refreshBy } from '../db/refresh.ts';
import { Invoice } from '../db/schema/invoice.ts';

/** Number as text, five digits at least: the same in SQL and in every place that shows it. */
const DIGITS = `lpad(v::text, greatest(5, length(v::text)), '0')`;

/**
 * Gives a written invoice the next number of its series. The series is held from here to the commit: call it last. Numbers that
 * somebody supplied are skipped.
 */
export async function takeInvoiceNumber(em: EntityManager, invoice: Invoice): Promise<void> {
  const { accountId, id } = invoice;
  const [numbered] = await refreshBy(em, Invoice, {
    sql: `with taken as (${takeNumber('invoice')})
     update invoice set number = taken.number from taken where account_id = ? and id = ? returning invoice.*`,
    values: [accountId, accountId, id],
  });
  if (!numbered) throw new Error(`account ${accountId} has no invoice series`);
}

/** Next number of the customer series. */
export async function takeCustomerNumber(em: EntityManager, accountId: number): Promise<string> {
  const [row] = await em.execute(takeNumber('customer'), [accountId]);
  if (!row) throw new Error(`account ${accountId} has no customer series`);
  return row.number;
}

/** Refuses a supplied number that is taken. */
export async function checkNumberFree(
  em: EntityManager,
  table: 'invoice' | 'customer',
  key: { accountId: number; number: string },
): Promise<void> {
  const [row] = await em.execute(`select 1 from ${table} where account_id = ? and number = ?`, [
    key.accountId,
    key.number,
  ]);
  if (row) throw new Refusal(`Number is taken: ${key.number}`, 'number');
}

/**
 * The order leads to the index of numbers. An equality alone may go by any index that begins with the account while a table has no
 * statistics yet, and then reads all invoices for each number.
 */
function takeNumber(series: 'invoice' | 'customer'): string {
  return `update numbering set next = 1 + (
      select v from (select generate_series(numbering.next, numbering.next + 100000) as v) candidates
      where (
        select number from ${series} where account_id = numbering.account_id and number >= numbering.prefix || ${DIGITS}
        order by number limit 1
      ) is distinct from numbering.prefix || ${DIGITS} limit 1
    ) where account_id = ? and series = '${series}'
    returning prefix || (select ${DIGITS} from (select next - 1 as v) taken_value) as number`;
}
