import { Refusal } from '../billing/refusal.ts';
import { brokenUnique, Overtaken } from '../db/failure.ts';
import type { EntityManager } from '../db/orm.ts';
import { noteGap } from '../db/queries/numberingGaps.ts';
import { refreshBy } from '../db/refresh.ts';
import { CreditNote } from '../db/schema/creditNote.ts';
import { Estimate } from '../db/schema/estimate.ts';
import { Invoice } from '../db/schema/invoice.ts';
import type { Series } from '../db/schema/numbering.ts';
import type { GapReason } from '../db/schema/numberingGap.ts';

/** Number as text, five digits at least: the same in SQL and in every place that shows it. */
const DIGITS = `lpad(v::text, greatest(5, length(v::text)), '0')`;

/**
 * Gives a written invoice the next number of its series. The series is held from here to the commit: call it last. Numbers that
 * somebody supplied are skipped.
 */
export async function takeInvoiceNumber(em: EntityManager, invoice: Invoice): Promise<void> {
  const statement = { sql: takeDocumentNumber('invoice'), values: valuesOf(invoice) };
  const [numbered] = await refreshBy(em, Invoice, statement).catch(throwOvertaken);
  if (!numbered) throw new Error(`account ${invoice.accountId} has no invoice series`);
}

/** The same for a credit note. */
export async function takeCreditNoteNumber(em: EntityManager, creditNote: CreditNote): Promise<void> {
  const statement = { sql: takeDocumentNumber('credit_note'), values: valuesOf(creditNote) };
  const [numbered] = await refreshBy(em, CreditNote, statement).catch(throwOvertaken);
  if (!numbered) throw new Error(`account ${creditNote.accountId} has no series of credit notes`);
}

function valuesOf({ accountId, id }: Numbered): unknown[] {
  return [accountId, accountId, id];
}

/** Gives a written document the next number of its series; its values: its account, twice, and its id. */
export function takeDocumentNumber(series: Exclude<Series, 'customer'>): string {
  return `with taken as (${takeNumber(series)})
     update ${series} set number = taken.number from taken where account_id = ? and id = ? returning ${series}.*`;
}

/** Somebody supplies the very number, and is not committed yet: the transaction is run again and skips it. */
export function throwOvertaken(error: unknown): never {
  throw brokenUnique(error) === null ? error : new Overtaken('a number was supplied meanwhile');
}

/** The same for an estimate. */
export async function takeEstimateNumber(em: EntityManager, estimate: Estimate): Promise<void> {
  const { accountId, id } = estimate;
  const [numbered] = await refreshBy(em, Estimate, {
    sql: takeDocumentNumber('estimate'),
    values: [accountId, accountId, id],
  }).catch(throwOvertaken);
  if (!numbered) throw new Error(`account ${accountId} has no estimate series`);
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
  table: Series,
  key: { accountId: number; number: string },
): Promise<void> {
  const [row] = await em.execute(`select 1 from ${table} where account_id = ? and number = ?`, [
    key.accountId,
    key.number,
  ]);
  if (row) throw new Refusal(`Number is taken: ${key.number}`, 'number');
}

interface Numbered {
  accountId: number;
  id: number;
  number?: string | null | undefined;
}

/** Gives a document another number by request; answers whether it is another. Refuses one that is taken. */
export async function changeNumber(
  em: EntityManager,
  document: Numbered,
  { series, number, now }: { series: Exclude<Series, 'customer'>; number: string | null | undefined; now: Date },
): Promise<boolean> {
  if (number === undefined || number === (document.number ?? null)) return false;
  if (number !== null) await checkNumberFree(em, series, { accountId: document.accountId, number });
  await giveUpNumber(em, document, { series, reason: 'changed', now });
  document.number = number;
  return true;
}

/** Notes why a document no longer has its number, where that is one of its series, under a prefix that it has or had. */
export async function giveUpNumber(
  em: EntityManager,
  { accountId, id, number }: Numbered,
  why: { series: Series; reason: GapReason; now: Date },
): Promise<void> {
  if (!number) return;
  await em.execute(noteGap, [why.reason, id, why.now, number, number, accountId, why.series]);
}

/**
 * The order leads to the index of numbers. An equality alone may go by any index that begins with the account while a table has no
 * statistics yet, and then reads all invoices for each number.
 */
function takeNumber(series: Series): string {
  return `update numbering set next = 1 + (
      select v from (select generate_series(numbering.next, numbering.next + 100000) as v) candidates
      where (
        select number from ${series} where account_id = numbering.account_id and number >= numbering.prefix || ${DIGITS}
        order by number limit 1
      ) is distinct from numbering.prefix || ${DIGITS} limit 1
    ) where account_id = ? and series = '${series}'
    returning prefix || (select ${DIGITS} from (select next - 1 as v) taken_value) as number`;
}
