import type { Product } from '../../support/product.ts';

/** Lets a minute pass for every attempt without an outcome: its look-up is due, and whoever started it is taken for dead. */
export async function letMinutePass(product: Product): Promise<void> {
  await product.rows(
    `with aged as (
       update attempt set started_at = started_at - interval '60 seconds' where state in ('open', 'unknown') returning id
     )
     update outbox set due_at = due_at - interval '60 seconds' where topic = 'charge' and subject_id in (select id from aged)`,
  );
}
