import { numberedRows, type Series } from '../../schema/numbering.ts';
import type { GapReason } from '../../schema/numberingGap.ts';

/** Format of a value in a number: at least five digits, and leading zeros only to reach five. */
const WRITTEN_VALUE = '^([0-9]{5}|[1-9][0-9]{5,9})$';
/** Largest value of a series. */
const MOST = 2_147_483_647;

/** SQL: the keys of the current and past prefixes of series `n` (`p`), and the value that a number's key has under each (`v`). */
const underPrefixes = (number: string) => `
       cross join lateral (select n.prefix_key as prefix union select one.value ->> 'key' from jsonb_array_elements(n.past) one) p
       cross join lateral (select substr(${number}, length(p.prefix) + 1) as digits where starts_with(${number}, p.prefix)) t
       cross join lateral (select case when digits ~ '${WRITTEN_VALUE}' then digits::bigint end as v) value_of
       cross join lateral (select value_of.v::int as v where value_of.v <= ${MOST}) value`;

const COLUMNS = '(account_id, series, prefix, first, last, reason, document_id, created_at)';

/**
 * SQL: records for documents `d` why their series no longer has a document with their number. `account` and `now` are the statement's
 * parameters.
 */
export function noteGaps(
  series: Series,
  { whose, reason, account, now }: { whose: string; reason: GapReason; account: string; now: string },
): string {
  const { table, key } = numberedRows[series];
  return `insert into numbering_gap ${COLUMNS}
     select n.account_id, n.series, p.prefix, value.v, value.v, '${reason}', d.id, ${now}
     from ${table} d join numbering n on n.account_id = d.account_id and n.series = '${series}'${underPrefixes(`d.${key}`)}
     where d.account_id = ${account} and ${whose}`;
}

/**
 * SQL: records a gap for one number. Values: the reason, the document, the time, the key of the number twice, the account and its series.
 */
export const noteGap = `insert into numbering_gap ${COLUMNS}
     select n.account_id, n.series, p.prefix, value.v, value.v, ?, ?, ? from numbering n${underPrefixes('?::text')}
     where n.account_id = ? and n.series = ?`;
