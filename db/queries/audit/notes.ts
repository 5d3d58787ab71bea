import type { Check } from './check.ts';

/** SQL: whether a subscription has ever had a coupon. */
const hasCoupon = (accountId: string, subscriptionId: string) =>
  `exists (select from coupon_redemption where account_id = ${accountId} and redeemer_type = 'subscription' and redeemer_id = ${subscriptionId})`;

/**
 * What is no drift, but worth a look by a person. Rows are those of a check; `stored` is the amount in question, and `recomputed` is
 * empty.
 */
export const auditNotes: Check[] = [
  {
    // Versions that price a correction by the invoice that took its period keep with it what was billed. Without discounts and taxes both
    // rules have the same result. Where no invoice took the period, the coupons of the subscription decide.
    name: 'its correction of usage has its own discounts and taxes, by the rule of earlier versions, not those of the invoice that took the period',
    sql: `select i.account_id as "accountId", 'invoice ' || coalesce(i.number, i.id::text) as object, sum(t.amount)::text as stored, '' as recomputed
          from usage_total t join usage_rate r on r.account_id = t.account_id and r.id = t.rate_id
          left join line_item l on l.account_id = t.account_id and l.id = t.line_id
          join invoice i on i.account_id = t.account_id and i.id = coalesce(t.invoice_id, l.invoice_id)
          left join usage_total f on f.account_id = t.account_id and f.rate_id = t.rate_id and f.start_at = t.start_at and f.turn = 0
          left join invoice h on h.account_id = f.account_id and h.id = f.invoice_id
          where t.turn > 0 and not t.free and t.quantity <> 0 and t.billed is null
            and not (coalesce(h.discounts, '[]') = '[]' and coalesce(h.taxes, '[]') = '[]' and i.discounts = '[]' and i.taxes = '[]'
              and (h.id is not null or not ${hasCoupon('r.account_id', 'r.subscription_id')}))
          group by i.account_id, i.id, i.number`,
  },
  {
    // Before this migration, a charge had the discounts of the day of the change. A percentage without end is the same by both rules, unless it
    // came or went within the period. A coupon that was attached then counts; one that was removed is not stored. Times of test clocks say
    // nothing about the upgrade.
    name: 'its change within a billed period has the discounts of the day of the change, by the rule of earlier versions, not those of the bill of the period',
    sql: `select i.account_id as "accountId", 'invoice ' || coalesce(i.number, i.id::text) as object, sum(l.amount)::text as stored, '' as recomputed
          from line_item l
          join invoice i on i.account_id = l.account_id and i.id = l.invoice_id
          join customer c on c.account_id = i.account_id and c.id = i.customer_id
          where l.prorated and not l.discountable and l.created_at < (select executed_at from mikro_orm_migrations where name = '0125_prorated_prices')
            and i.issued_at is not null and i.voided_at is null and i.deleted_at is null and c.test_clock_id is null
            and exists (select from invoice b join line_item o on o.account_id = b.account_id and o.invoice_id = b.id
              where b.account_id = i.account_id and b.period is not null
                and b.subscription_id = coalesce((select a.subscription_id from subscription_addon a
                  where a.account_id = l.account_id and a.id = l.addon_id), i.subscription_id)
                and o.swept_at is null and o.period_end_at = l.period_end_at and o.period_start_at <= l.period_start_at
                and (exists (select from jsonb_array_elements(b.discounts) d where d ->> 'coupon' is null
                  or not (d -> 'coupon' ->> 'is_percent')::boolean or (d -> 'coupon' ->> 'duration')::int > 0)
                  or exists (select from coupon_redemption r where r.account_id = b.account_id and r.redeemer_type = 'subscription'
                    and r.redeemer_id = b.subscription_id and r.created_at > b.created_at and r.created_at <= l.created_at)))
          group by i.account_id, i.id, i.number`,
  },
];
