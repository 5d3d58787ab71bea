import type { Explained, NumberRange } from '../../../billing/documents/numbering.ts';
import type { EntityManager } from '../../orm.ts';
import { type GapReason, numberedRows, type Series } from '../../schema/numbering.ts';

/** Series whose numbers have no unexplained gap: every number that a series has passed has a document or a recorded reason. */
export type GapFree = 'invoice' | 'credit_note' | 'receipt';

/** Rows `d` with the columns of documents: a receipt is never deleted, except with a test clock. */
const rowsOf = (series: GapFree): string =>
  series === 'receipt'
    ? `(select account_id, id, receipt_number_key as number_key, created_at as issued_at, null::timestamptz as deleted_at
        from payment where receipt_number_key is not null) d`
    : `${series} d`;

/** SQL: lengths that the value of a number may have. A value has five to ten digits, and leading zeros only to reach five. */
const VALUE_LENGTHS = `cross join lateral generate_series(5, least(10, length(d.number_key) - length(rtrim(d.number_key, '0123456789')))) n`;

/**
 * SQL: prefix and value of each number of documents `d`, by its key. A number that ends in more than five digits can be split in several
 * ways.
 */
export const numberValues = (series: GapFree, where: string): string =>
  `select d.account_id, d.id, left(d.number_key, length(d.number_key) - n) as prefix, right(d.number_key, n)::bigint as v
   from ${rowsOf(series)} ${VALUE_LENGTHS} where ${where} and (n = 5 or substr(d.number_key, length(d.number_key) - n + 1, 1) <> '0')`;

/** SQL: each series `n` with the keys of its current and past prefixes, and the range of numbers that it has given under each. */
export const numberSeries = (series: GapFree, where = 'true'): string =>
  `select n.account_id, s.prefix, s.first, s.next from numbering n
   cross join lateral (select n.prefix_key as prefix, n.first, n.next union all
     select * from jsonb_to_recordset(n.past) past (key text, first int, next int)) s
   where n.series = '${series}' and s.next > s.first and ${where}`;

/**
 * SQL: ranges of numbers that a series has passed and that `covered` does not cover, as account_id, prefix, first, last. `covered`: a query
 * for account_id, prefix, first, last. The cost grows with the number of ranges, not with the size of a jump in a series.
 */
export const uncovered = (series: string, covered: string): string =>
  `select account_id, prefix, reached + 1 as first, first - 1 as last from (
     select *, max(last) over (partition by account_id, prefix order by first, last
       rows between unbounded preceding and 1 preceding) as reached
     from (
       select account_id, prefix, first - 1 as first, first - 1 as last from (${series}) starts
       union all select account_id, prefix, next, next from (${series}) ends
       union all select account_id, prefix, c.first, c.last from (${series}) s join (${covered}) c using (account_id, prefix)
         where c.last >= s.first and c.first < s.next
     ) edges
   ) ordered where first > reached + 1`;

/** Format of a value in a number: at least five digits, and leading zeros only to reach five. */
const WRITTEN_VALUE = '^([0-9]{5}|[1-9][0-9]{5,9})$';
/** Largest value of a series. */
const LARGEST_VALUE = 2_147_483_647;

/** SQL: the keys of the current and past prefixes of series `n` (`p`), and the value that a number's key has under each (`v`). */
const underPrefixes = (number: string) => `
       cross join lateral (select n.prefix_key as prefix union select one.value ->> 'key' from jsonb_array_elements(n.past) one) p
       cross join lateral (select substr(${number}, length(p.prefix) + 1) as digits where starts_with(${number}, p.prefix)) t
       cross join lateral (select case when digits ~ '${WRITTEN_VALUE}' then digits::bigint end as v) value_of
       cross join lateral (select value_of.v::int as v where value_of.v <= ${LARGEST_VALUE}) value`;

const GAP_COLUMNS = '(account_id, series, prefix, first, last, reason, document_id, created_at)';

/**
 * SQL: records for documents `d` why their series no longer has a document with their number. `account` and `now` are the statement's
 * parameters.
 */
export function noteGaps(
  series: Series,
  { whose, reason, account, now }: { whose: string; reason: GapReason; account: string; now: string },
): string {
  const { table, key } = numberedRows[series];
  return `insert into numbering_gap ${GAP_COLUMNS}
     select n.account_id, n.series, p.prefix, value.v, value.v, '${reason}', d.id, ${now}
     from ${table} d join numbering n on n.account_id = d.account_id and n.series = '${series}'${underPrefixes(`d.${key}`)}
     where d.account_id = ${account} and ${whose}`;
}

/** Records a gap for one number of a series, given by its key. */
export async function noteGap(
  em: EntityManager,
  gap: { accountId: number; series: Series; key: string; reason: GapReason; documentId: number; now: Date },
): Promise<void> {
  const { accountId, series, key, reason, documentId, now } = gap;
  await em.execute(
    `insert into numbering_gap ${GAP_COLUMNS}
     select n.account_id, n.series, p.prefix, value.v, value.v, ?, ?, ? from numbering n${underPrefixes('?::text')}
     where n.account_id = ? and n.series = ?`,
    [reason, documentId, now, key, key, accountId, series],
  );
}

/** A range of a series with its prefix. */
type Prefixed<Range> = Range & { prefix: string };

/** Numbers that a series has passed but no issued document has, as ordered ranges. */
export async function missingNumbers(
  em: EntityManager,
  accountId: number,
  series: GapFree,
): Promise<Prefixed<NumberRange>[]> {
  const issued = numberValues(series, 'd.account_id = ? and d.issued_at is not null and d.deleted_at is null');
  const passed = numberSeries(series, 'n.account_id = ?');
  const sql = uncovered(passed, `select account_id, prefix, v as first, v as last from (${issued}) issued`);
  return em.execute(
    `select prefix, first::float8 as first, last::float8 as last from (${sql}) missing order by prefix, first`,
    Array(4).fill(accountId),
  );
}

/** Explanations of missing numbers: deleted documents and drafts that have them, and recorded gaps. */
export async function explanations(
  em: EntityManager,
  accountId: number,
  series: GapFree,
): Promise<Prefixed<Explained>[]> {
  const deleted = numberValues(series, 'd.account_id = ? and d.deleted_at is not null');
  const drafts = numberValues(series, 'd.account_id = ? and d.issued_at is null and d.deleted_at is null');
  return em.execute(
    `select prefix, first::float8 as first, last::float8 as last, reason, document_id as "documentId" from (
       select prefix, v as first, v as last, 'deleted' as reason, id as document_id from (${deleted}) deleted
       union all select prefix, v, v, 'draft', id from (${drafts}) drafts
       union all select prefix, first, last, reason, document_id from numbering_gap where account_id = ? and series = ?
     ) known order by prefix, first, reason`,
    [accountId, accountId, accountId, series],
  );
}
