import type { Explained, NumberRange } from '../../billing/numbering.ts';
import type { EntityManager } from '../orm.ts';
import type { Series } from '../schema/numbering.ts';
import { WRITTEN_VALUE } from './numberingGaps.ts';

/** A series under one prefix: `first` is the number that it began with, `next` the one that it has not come to. */
export interface NumberSeries {
  series: Series;
  prefix: string;
  first: number;
  next: number;
}

/** Values of the numbers of a table that are of a prefix: `v`; as the series writes them, not with more zeros. */
const valued = (table: string, where: string): string =>
  `select id, case when digits ~ '${WRITTEN_VALUE}' then digits::int end as v
   from (select id, substr(number, length(?::text) + 1) as digits from "${table}"
         where account_id = ? and starts_with(number, ?::text) and ${where}) n`;

/** Numbers that the series has passed and no issued document has, as ranges in order. */
export async function missingNumbers(
  em: EntityManager,
  accountId: number,
  { series, prefix, first, next }: NumberSeries,
): Promise<NumberRange[]> {
  return em.execute<NumberRange[]>(
    `select below + 1 as first, v - 1 as last from (
       select v, lag(v) over (order by v) as below from (
         select ?::int - 1 as v union select ?::int
         union select v from (${valued(series, 'issued_at is not null and deleted_at is null')}) used where v >= ?::int and v < ?::int
       ) edges
     ) gaps where v - below > 1 order by v`,
    [first, next, prefix, accountId, prefix, first, next],
  );
}

/** Why numbers of a series may be missing: documents that have them but are deleted or drafts, and what was noted when one was given up. */
export async function explanations(
  em: EntityManager,
  accountId: number,
  { series, prefix }: NumberSeries,
): Promise<Explained[]> {
  return em.execute<Explained[]>(
    `select v as first, v as last, 'deleted' as reason, id as "documentId"
       from (${valued(series, 'deleted_at is not null')}) deleted where v is not null
     union all
     select v, v, 'draft', id from (${valued(series, 'issued_at is null and deleted_at is null')}) drafts where v is not null
     union all
     select first, last, reason, document_id from numbering_gap where account_id = ? and series = ? and prefix = ?
     order by first, reason`,
    [prefix, accountId, prefix, prefix, accountId, prefix, accountId, series, prefix],
  );
}
