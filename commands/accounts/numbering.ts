import type { DocumentTable } from '../../billing/documents/document.ts';
import { numbered, numberKey } from '../../billing/documents/numbering.ts';
import { Refusal } from '../../billing/refusal.ts';
import { brokenUnique, Overtaken } from '../../db/failure.ts';
import { refreshBy } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { noteGap } from '../../db/queries/documents/numbers.ts';
import { numberArray } from '../../db/queries/kernel/sql.ts';
import { CreditNote } from '../../db/schema/creditNote.ts';
import { Estimate } from '../../db/schema/estimate.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { type GapReason, numberedRows, type Series } from '../../db/schema/numbering.ts';
import { Payment } from '../../db/schema/payment.ts';
import { addMissingSeries } from './numberSeries.ts';

/** SQL: the number `v` as text, padded to five digits. */
const DIGITS = `lpad(v::text, greatest(5, length(v::text)), '0')`;

const entities = { invoice: Invoice, credit_note: CreditNote, estimate: Estimate };

/**
 * Assigns the next number of a series to a document whose row is written. Locks the series until the commit, so call it last. Skips numbers
 * that requests supplied for other documents. In a dry run, documents stay without numbers, and the series stays unlocked.
 */
export async function takeDocumentNumber(
  em: EntityManager,
  series: DocumentTable,
  { accountId, id }: Numbered,
): Promise<void> {
  if (em.isDryRun) return;
  const sql = `with taken as (${takeNumber(series)})
     update ${series} set number = taken.number, number_key = taken.number_key from taken where account_id = ? and id = ? returning ${series}.*`;
  const statement = { sql, values: [accountId, accountId, id] };
  const numbering = refreshBy<Invoice | CreditNote | Estimate>(em, entities[series], statement);
  const [numbered] = await numbering.catch((error) => throwOvertaken(error, `${series}_number`));
  if (!numbered) throw new Error(`account ${accountId} has no series for ${series}`);
}

/** A concurrent transaction supplied the same number. Overtaken makes the transaction run again, and it then skips the number. */
function throwOvertaken(error: unknown, unique: string): never {
  throw brokenUnique(error) === unique ? new Overtaken('a number was supplied meanwhile') : error;
}

/**
 * Assigns the next numbers of the receipt series to payments whose rows are written, in their order. Locks the series until the commit, so
 * call it last. In a dry run, payments stay without numbers.
 */
export async function takeReceiptNumbers(
  em: EntityManager,
  accountId: number,
  payments: readonly Payment[],
): Promise<void> {
  if (em.isDryRun || payments.length === 0) return;
  const count = payments.length;
  const sql = `with taken as (
       update numbering set next = 1 + (select max(v) from (${freeFrom('receipt', 'numbering.next', count)}) free)
       where account_id = ? and series = 'receipt'
       returning prefix, prefix_key, array(${freeFrom('receipt', 'numbering.next - 1', -count)}) as last_first
     ), numbered as (
       select prefix || ${DIGITS} as number, prefix_key || ${DIGITS} as number_key, row_number() over (order by v) as place
       from taken, unnest(last_first) v
     )
     update payment set receipt_number = numbered.number, receipt_number_key = numbered.number_key
     from numbered join unnest(?::int[]) with ordinality one (id, place) using (place)
     where payment.account_id = ? and payment.id = one.id returning payment.*`;
  const values = [accountId, numberArray(payments.map(({ id }) => id)), accountId];
  const numbering = () => refreshBy(em, Payment, { sql, values });
  if ((await numbering()).length === count) return;
  await addMissingSeries(em, accountId);
  if ((await numbering()).length !== count) throw new Error(`account ${accountId} has no series for receipts`);
}

/** The next number of the customer series. Locks the series until the commit. */
export async function takeCustomerNumber(em: EntityManager, accountId: number): Promise<string> {
  const [row] = await em.execute(takeNumber('customer'), [accountId]);
  if (!row) throw new Error(`account ${accountId} has no customer series`);
  return row.number;
}

/** Refuses a supplied number whose `numberKey` another object has. `id`: the object that is to have it; absent: it is new. */
export async function checkNumberFree(
  em: EntityManager,
  table: Series,
  key: { accountId: number; id?: number; number: string },
): Promise<void> {
  const [row] = await em.execute(`select 1 from ${table} where account_id = ? and number_key = ? and id <> ?`, [
    key.accountId,
    numberKey(key.number),
    key.id ?? 0,
  ]);
  if (row) throw new Refusal('already_taken', `Number is taken: ${key.number}`, 'number');
}

interface Numbered {
  accountId: number;
  id: number;
  number?: string | null | undefined;
}

/** Changes a document's number by request. Returns whether it differs. Refuses a number that is taken. */
export async function changeNumber(
  em: EntityManager,
  document: Numbered,
  { series, number, now }: { series: DocumentTable; number: string | null | undefined; now: Date },
): Promise<boolean> {
  if (number === undefined || number === (document.number ?? null)) return false;
  const { accountId, id } = document;
  if (number !== null) await checkNumberFree(em, series, { accountId, id, number });
  await releaseNumber(em, document, { series, reason: 'changed', now });
  Object.assign(document, numbered(number));
  return true;
}

/** Records a gap for a number that a document no longer uses, if the number belongs to a current or former prefix of the series. */
export async function releaseNumber(
  em: EntityManager,
  { accountId, id, number }: Numbered,
  why: { series: Series; reason: GapReason; now: Date },
): Promise<void> {
  if (!number) return;
  await em.execute(noteGap, [why.reason, id, why.now, ...Array(2).fill(numberKey(number)), accountId, why.series]);
}

/** The next number of a series, which is not taken and can be taken meanwhile. */
export async function foreseeNumber(em: EntityManager, series: Series, accountId: number): Promise<string> {
  const [row] = await em.execute(
    `select prefix || (select ${DIGITS} from (select ${nextOf(series)} as v) next_value) as number from numbering
     where account_id = ? and series = '${series}'`,
    [accountId],
  );
  if (!row) throw new Error(`account ${accountId} has no series for ${series}`);
  return row.number;
}

/** Statement that takes the next number of a series and returns it. */
function takeNumber(series: Series): string {
  return `update numbering set next = 1 + ${nextOf(series)} where account_id = ? and series = '${series}'
    returning prefix || (select ${DIGITS} from (select next - 1 as v) taken_value) as number,
      prefix_key || (select ${DIGITS} from (select next - 1 as v) taken_value) as number_key`;
}

/** Numbers that are searched for one that no document has. */
const SEARCHED = 100_000;

/** SQL: the next number of a row of `numbering`. */
function nextOf(series: Series): string {
  return `(${freeFrom(series, 'numbering.next', 1)})`;
}

/**
 * SQL: the first `count` numbers from `start` on that no document has, as `v`; a negative count searches downwards. `order by` makes the
 * planner use the index of numbers: with an equality alone and without statistics it may choose any index that begins with the account, and
 * read all invoices for each number.
 */
function freeFrom(series: Series, start: string, count: number): string {
  const { table, key } = numberedRows[series];
  const [step, searched] = count < 0 ? [-1, count - SEARCHED] : [1, count + SEARCHED];
  return `
      select v from (select generate_series(${start}, ${start} + ${searched}, ${step}) as v) candidates
      where (
        select ${key} from ${table} where account_id = numbering.account_id and ${key} >= numbering.prefix_key || ${DIGITS}
        order by ${key} limit 1
      ) is distinct from numbering.prefix_key || ${DIGITS} limit ${Math.abs(count)}`;
}
