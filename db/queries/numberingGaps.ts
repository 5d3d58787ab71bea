import type { GapReason } from '../schema/numberingGap.ts';

/** A statement that notes for documents `d` why their series have no document of their numbers any more; its parameters as they are named. */
export function noteGaps(
  table: 'invoice' | 'estimate' | 'credit_note',
  { whose, reason, account, now }: { whose: string; reason: GapReason; account: string; now: string },
): string {
  return `insert into numbering_gap (account_id, series, prefix, first, last, reason, document_id, created_at)
     select n.account_id, n.series, p.prefix, v, v, '${reason}', d.id, ${now}
     from ${table} d
       join numbering n on n.account_id = d.account_id and n.series = '${table}'
       cross join lateral (select n.prefix union select past ->> 'prefix' from jsonb_array_elements(n.past) past) p
       cross join lateral (select substr(d.number, length(p.prefix) + 1) as digits) t
       cross join lateral (select digits::int as v where digits ~ '^[0-9]{5,9}$') value
     where d.account_id = ${account} and starts_with(d.number, p.prefix) and ${whose}`;
}
