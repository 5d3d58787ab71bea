import type { DocumentTable } from '../../billing/documentTypes.ts';
import { numbered, numberKey } from '../../billing/numbering.ts';
import { Refusal } from '../../billing/refusal.ts';
import { brokenUnique, Overtaken } from '../../db/failure.ts';
import type { EntityManager } from '../../db/orm.ts';
import { noteGap } from '../../db/queries/documents/numberingGaps.ts';
import { refreshBy } from '../../db/refresh.ts';
import { CreditNote } from '../../db/schema/creditNote.ts';
import { Estimate } from '../../db/schema/estimate.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import type { Series } from '../../db/schema/numbering.ts';
import type { GapReason } from '../../db/schema/numberingGap.ts';

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
  const [numbered] = await numbering.catch(throwOvertaken);
  if (!numbered) throw new Error(`account ${accountId} has no series for ${series}`);
}

/** A concurrent transaction supplied the same number. Overtaken makes the transaction run again, and it then skips the number. */
function throwOvertaken(error: unknown): never {
  throw brokenUnique(error) === null ? error : new Overtaken('a number was supplied meanwhile');
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
  if (row) throw new Refusal(`Number is taken: ${key.number}`, 'number');
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

/**
 * SQL: the next number of a row of `numbering`. Searches 100,000 numbers for one that no document has. `order by` makes the planner use the
 * index of numbers: with an equality alone and without statistics it may choose any index that begins with the account, and read all
 * invoices for each number.
 */
function nextOf(series: Series): string {
  return `(
      select v from (select generate_series(numbering.next, numbering.next + 100000) as v) candidates
      where (
        select number_key from ${series} where account_id = numbering.account_id and number_key >= numbering.prefix_key || ${DIGITS}
        order by number_key limit 1
      ) is distinct from numbering.prefix_key || ${DIGITS} limit 1
    )`;
}
