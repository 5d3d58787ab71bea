import type { Check } from './check.ts';

/**
 * What is no drift, but worth a look by a person. Rows are those of a check; `stored` is the amount in question, and `recomputed` is
 * empty.
 */
export const auditNotes: Check[] = [
  {
    // Versions that price a correction by the invoice that took its period keep with it what was billed. Without discounts and taxes both
    // rules have the same result.
    name: 'its correction of usage has its own discounts and taxes, by the rule of earlier versions, not those of the invoice that took the period',
    sql: `select i.account_id as "accountId", 'invoice ' || coalesce(i.number, i.id::text) as object, sum(t.amount)::text as stored, '' as recomputed
          from usage_total t join usage_rate r on r.account_id = t.account_id and r.id = t.rate_id
          left join line_item l on l.account_id = t.account_id and l.id = t.line_id
          join invoice i on i.account_id = t.account_id and i.id = coalesce(t.invoice_id, l.invoice_id)
          left join usage_total f on f.account_id = t.account_id and f.rate_id = t.rate_id and f.start_at = t.start_at and f.turn = 0
          left join invoice h on h.account_id = f.account_id and h.id = f.invoice_id
          where t.turn > 0 and not t.free and t.quantity <> 0 and t.billed is null
            and not (h.discounts = '[]' and h.taxes = '[]' and i.discounts = '[]' and i.taxes = '[]')
          group by i.account_id, i.id, i.number`,
  },
];
