/** Series whose numbers have no unexplained gap: every number that a series has passed has a document or a recorded reason. */
export type GapFree = 'invoice' | 'credit_note' | 'receipt';

/** Rows `d` with the columns of documents: a receipt is never deleted, except with a test clock. */
const rowsOf = (series: GapFree): string =>
  series === 'receipt'
    ? `(select account_id, id, receipt_number_key as number_key, created_at as issued_at, null::timestamptz as deleted_at
        from payment where receipt_number_key is not null) d`
    : `${series} d`;

/** SQL: lengths that the value of a number may have. A value has five to ten digits, and leading zeros only to reach five. */
const LENGTHS = `cross join lateral generate_series(5, least(10, length(d.number_key) - length(rtrim(d.number_key, '0123456789')))) n`;

/**
 * SQL: prefix and value of each number of documents `d`, by its key. A number that ends in more than five digits can be split in several
 * ways.
 */
export const numberValues = (series: GapFree, where: string): string =>
  `select d.account_id, d.id, left(d.number_key, length(d.number_key) - n) as prefix, right(d.number_key, n)::bigint as v
   from ${rowsOf(series)} ${LENGTHS} where ${where} and (n = 5 or substr(d.number_key, length(d.number_key) - n + 1, 1) <> '0')`;

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
