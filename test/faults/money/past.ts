import type { Product } from '../../support/product.ts';

const DAY_MILLISECONDS = 24 * 3600 * 1000;

/**
 * Moves a subscription, its invoices and its wake-ups into the past, as if no worker had run for that long. Then enqueues its process in the
 * outbox, as its timer would wake it.
 */
export async function dueAgain(product: Product, subscription: number, by: { weeks: number }): Promise<void> {
  const ago = `interval '${by.weeks} weeks'`;
  await product.rows(
    `with moved as (
       update subscription set anchor_at = anchor_at - ${ago}, created_at = created_at - ${ago},
         period_start_at = period_start_at - ${ago}, period_end_at = period_end_at - ${ago} where id = ${subscription}
     ), billed as (
       update invoice set date = date - ${ago}, issued_at = issued_at - ${ago}, due_at = due_at - ${ago}
       where subscription_id = ${subscription}
     ), lines as (
       update line_item set period_start_at = period_start_at - ${ago}, period_end_at = period_end_at - ${ago}
       where invoice_id in (select id from invoice where subscription_id = ${subscription})
     ), rates as (
       update usage_rate set from_at = from_at - ${ago}, billed_until = billed_until - ${ago} where subscription_id = ${subscription}
     ), used as (
       update usage_record set used_at = used_at - ${ago} where subscription_id = ${subscription}
     ), waits as (
       update wakeup set at = at - ${ago} where process = 'subscription' and subject_id = ${subscription}
     )
     insert into outbox (account_id, topic, subject_id, due_at)
     values (${product.accountId}, 'subscription', ${subscription}, now())`,
  );
}

/** Ends the leases of outbox rows that a relay has claimed and not finished. */
export async function letLeasesEnd(product: Product): Promise<void> {
  await product.rows('update outbox set leased_until = now() where leased_until > now()');
}

/** Ages the attempts of a customer in this state by a minute and wakes their processes, so that they are looked up. */
export async function lookUpNow(product: Product, customer: number, state: 'open' | 'unknown'): Promise<void> {
  await product.rows(
    `with left_alone as (
         update attempt set started_at = started_at - interval '1 minute' where customer_id = ? and state = ? returning account_id, id
       ),
       due as (update wakeup set at = now() - interval '1 s' where process = 'charge' and subject_id in (select id from left_alone))
     insert into outbox (account_id, topic, subject_id, due_at) select account_id, 'charge', id, now() from left_alone`,
    [customer, state],
  );
}

/**
 * Moves an open invoice with its payment plan, its discount, its promise, and the wake-ups of it and of its customer's reminders that many days into the
 * past, as if no worker had run for that long. Then enqueues its process in the outbox, as its timer would wake it.
 */
export async function invoiceAgo(product: Product, invoice: number, days: number): Promise<void> {
  const ago = `interval '${days} days'`;
  await product.rows(
    `with moved as (
       update invoice set date = date - ${ago}, issued_at = issued_at - ${ago}, due_at = due_at - ${ago},
         next_payment_attempt_at = next_payment_attempt_at - ${ago}, expected_payment_at = expected_payment_at - ${ago},
         late_fee_at = late_fee_at - ${ago}, discounts = (
           select coalesce(jsonb_agg(case when jsonb_typeof(one -> 'expiresAt') = 'number'
             then one || jsonb_build_object('expiresAt', (one ->> 'expiresAt')::bigint - ${days * DAY_MILLISECONDS}) else one end order by place), '[]')
           from jsonb_array_elements(discounts) with ordinality as each (one, place))
       where id = ${invoice}
     ), planned as (
       update payment_plan set former_due_at = former_due_at - ${ago}, installments = (
         select jsonb_agg(one || jsonb_build_object('date', (one ->> 'date')::bigint - ${days * DAY_MILLISECONDS}) order by place)
         from jsonb_array_elements(installments) with ordinality as each (one, place))
       where invoice_id = ${invoice}
     ), waits as (
       update wakeup set at = at - ${ago} where (process = 'invoice' and subject_id = ${invoice})
         or (process = 'chasing' and subject_id = (select customer_id from invoice where id = ${invoice}))
       returning process, subject_id
     )
     insert into outbox (account_id, topic, subject_id, due_at)
     select distinct ${product.accountId}::int, process, subject_id, now() from waits`,
  );
}
