import type { Explained, NumberRange } from '../../../billing/numbering.ts';
import type { EntityManager } from '../../orm.ts';
import { type GapFree, numberSeries, numberValues, uncovered } from '../documents/numberRanges.ts';

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
