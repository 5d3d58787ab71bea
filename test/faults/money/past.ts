import type { Product } from '../../support/product.ts';

/**
 * Moves a subscription, what it has billed and its wake-ups into the past, as if nobody had looked for that long, and hands it to the
 * relay as its timer would.
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
     ), waits as (
       update wakeup set at = at - ${ago} where process = 'subscription' and subject_id = ${subscription}
     )
     insert into outbox (account_id, topic, subject_id, due_at)
     values (${product.accountId}, 'subscription', ${subscription}, now())`,
  );
}

/** Lets the leases run out of what a relay took and did not finish. */
export async function letLeasesEnd(product: Product): Promise<void> {
  await product.rows('update outbox set leased_until = now() where leased_until > now()');
}

/** The time has come to look up the attempts of a customer that are in this state, as when nobody has heard of them for a minute. */
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
