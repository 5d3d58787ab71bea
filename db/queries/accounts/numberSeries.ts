import type { EntityClass } from '@mikro-orm/core';
import type { DocumentTable } from '../../../billing/documents/document.ts';
import { refreshBy } from '../../lock.ts';
import type { EntityManager } from '../../orm.ts';
import { CreditNote } from '../../schema/creditNote.ts';
import { Estimate } from '../../schema/estimate.ts';
import { Invoice } from '../../schema/invoice.ts';
import { Numbering, numberedRows, type PastPrefix, type Series } from '../../schema/numbering.ts';
import { Payment } from '../../schema/payment.ts';
import { type Plain, plainReader } from '../kernel/plain.ts';
import { numberArray } from '../kernel/sql.ts';

/** The number series that an account has, by name. */
export async function storedSeries(em: EntityManager, accountId: number): Promise<Plain<Numbering>[]> {
  const rows = await em.execute<object[]>('select * from numbering where account_id = ? order by series', [accountId]);
  return rows.map(plainReader(em, Numbering));
}

/** Locks the number series that an account has, by name. */
export function lockSeries(em: EntityManager, accountId: number): Promise<Numbering[]> {
  return refreshBy(em, Numbering, {
    sql: 'select * from numbering where account_id = ? order by series for no key update',
    values: [accountId],
  });
}

/** Adds a number series, unless the account has it. */
export async function addSeries(em: EntityManager, series: Plain<Numbering>): Promise<void> {
  await em.execute(
    'insert into numbering (account_id, series, prefix, prefix_key, next) values (?, ?, ?, ?, 1) on conflict do nothing',
    [series.accountId, series.series, series.prefix, series.prefixKey],
  );
}

/** SQL: the number `v` as text, padded to five digits. */
const DIGITS = `lpad(v::text, greatest(5, length(v::text)), '0')`;

const entities: Readonly<Record<DocumentTable, EntityClass<Invoice | CreditNote | Estimate>>> = {
  invoice: Invoice,
  credit_note: CreditNote,
  estimate: Estimate,
};

/** Gives a document the next number of its series, which stays locked until the commit. False: the account has no such series. */
export async function numberDocument(
  em: EntityManager,
  series: DocumentTable,
  { accountId, id }: { accountId: number; id: number },
): Promise<boolean> {
  const sql = `with taken as (${takeNumber(series)})
     update ${series} set number = taken.number, number_key = taken.number_key from taken where account_id = ? and id = ? returning ${series}.*`;
  const numbered = await refreshBy(em, entities[series], { sql, values: [accountId, accountId, id] });
  return numbered.length > 0;
}

/**
 * Gives payments the next numbers of the receipt series, in their order. The series stays locked until the commit. False: the account has no
 * such series.
 */
export async function numberReceipts(
  em: EntityManager,
  { accountId, ids }: { accountId: number; ids: readonly number[] },
): Promise<boolean> {
  const count = ids.length;
  const sql = `with taken as (
       update numbering set next = 1 + (select max(v) from (${freeFrom('receipt', { start: 'numbering.next', step: 1, count: '?::int' })}) free)
       where account_id = ? and series = 'receipt'
       returning prefix, prefix_key, array(${freeFrom('receipt', { start: 'numbering.next - 1', step: -1, count: '?::int' })}) as last_first
     ), numbered as (
       select prefix || ${DIGITS} as number, prefix_key || ${DIGITS} as number_key, row_number() over (order by v) as place
       from taken, unnest(last_first) v
     )
     update payment set receipt_number = numbered.number, receipt_number_key = numbered.number_key
     from numbered join unnest(?::int[]) with ordinality one (id, place) using (place)
     where payment.account_id = ? and payment.id = one.id returning payment.*`;
  const values = [count, count, accountId, count, count, numberArray(ids), accountId];
  const numbered = await refreshBy(em, Payment, { sql, values });
  return numbered.length === count;
}

/** Takes the next number of the customer series, which stays locked until the commit. Null: the account has no such series. */
export async function takeCustomerNumber(em: EntityManager, accountId: number): Promise<string | null> {
  const [row] = await em.execute<{ number: string }[]>(takeNumber('customer'), [accountId]);
  return row?.number ?? null;
}

/** The next number of a series, which is not taken and can be taken meanwhile. Null: the account has no such series. */
export async function nextNumber(em: EntityManager, series: Series, accountId: number): Promise<string | null> {
  const [row] = await em.execute<{ number: string }[]>(
    `select prefix || (select ${DIGITS} from (select ${nextOf(series)} as v) next_value) as number from numbering
     where account_id = ? and series = '${series}'`,
    [accountId],
  );
  return row?.number ?? null;
}

/** Whether a row of a table other than `id` has a number, given by its `numberKey`. */
export async function isNumberTaken(
  em: EntityManager,
  table: Series,
  { accountId, id, key }: { accountId: number; id: number; key: string },
): Promise<boolean> {
  const rows = await em.execute(`select 1 from ${table} where account_id = ? and number_key = ? and id <> ?`, [
    accountId,
    key,
    id,
  ]);
  return rows.length > 0;
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
  return `(${freeFrom(series, { start: 'numbering.next', step: 1, count: '1' })})`;
}

/**
 * SQL: the first numbers from `start` on that no document has, as `v`, upwards or downwards. `count` is their number; a parameter is needed
 * twice. `order by` makes the planner use the index of numbers: with an equality alone and without statistics it may choose any index that
 * begins with the account, and read all invoices for each number.
 */
function freeFrom(series: Series, { start, step, count }: { start: string; step: 1 | -1; count: string }): string {
  const { table, key } = numberedRows[series];
  return `
      select v from (select generate_series(${start}, ${start} + ${step} * (${count} + ${SEARCHED}), ${step}) as v) candidates
      where (
        select ${key} from ${table} where account_id = numbering.account_id and ${key} >= numbering.prefix_key || ${DIGITS}
        order by ${key} limit 1
      ) is distinct from numbering.prefix_key || ${DIGITS} limit ${count}`;
}

/** The prefixes of the series of an account, present and past, as comparison keys. */
export async function prefixesOf(em: EntityManager, accountId: number): Promise<Map<string, string[]>> {
  const rows = await em.execute<{ series: Series; prefix_key: string; past: PastPrefix[] }[]>(
    'select series, prefix_key, past from numbering where account_id = ?',
    [accountId],
  );
  return new Map(rows.map(({ series, prefix_key: key, past }) => [series, [key, ...past.map((one) => one.key)]]));
}
