import type { GapReason } from '../../schema/numberingGap.ts';
import type { DocumentTable } from './lines.ts';

/** How a series writes its values: five digits at least, and no more zeros than it takes. */
const WRITTEN_VALUE = '^([0-9]{5}|[1-9][0-9]{5,9})$';
/** No series comes to more. */
const MOST = 2_147_483_647;

/** The keys of the prefixes that series `n` has and had: `p`; and the value that the key of a number is of each of them: `v`. */
const underPrefixes = (number: string) => `
       cross join lateral (select n.prefix_key as prefix union select one.value ->> 'key' from jsonb_array_elements(n.past) one) p
       cross join lateral (select substr(${number}, length(p.prefix) + 1) as digits where starts_with(${number}, p.prefix)) t
       cross join lateral (select case when digits ~ '${WRITTEN_VALUE}' then digits::bigint end as v) value_of
       cross join lateral (select value_of.v::int as v where value_of.v <= ${MOST}) value`;

const COLUMNS = '(account_id, series, prefix, first, last, reason, document_id, created_at)';

/** A statement that notes for documents `d` why their series have no document of their numbers any more; its parameters as they are named. */
export function noteGaps(
  table: DocumentTable,
  { whose, reason, account, now }: { whose: string; reason: GapReason; account: string; now: string },
): string {
  return `insert into numbering_gap ${COLUMNS}
     select n.account_id, n.series, p.prefix, value.v, value.v, '${reason}', d.id, ${now}
     from ${table} d join numbering n on n.account_id = d.account_id and n.series = '${table}'${underPrefixes('d.number_key')}
     where d.account_id = ${account} and ${whose}`;
}

/** The same for one number; its values: the reason, the document, when, the key of the number twice, the account and its series. */
export const noteGap = `insert into numbering_gap ${COLUMNS}
     select n.account_id, n.series, p.prefix, value.v, value.v, ?, ?, ? from numbering n${underPrefixes('?::text')}
     where n.account_id = ? and n.series = ?`;
