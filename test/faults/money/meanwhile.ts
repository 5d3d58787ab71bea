import type { Product } from '../../support/product.ts';

/** Ages every attempt without an outcome by a minute, so that it is looked up. */
export async function letMinutePass(product: Product): Promise<void> {
  await product.rows(
    `with aged as (
       update attempt set started_at = started_at - interval '60 seconds' where state in ('open', 'unknown') returning id
     )
     update outbox set due_at = due_at - interval '60 seconds' where topic = 'charge' and subject_id in (select id from aged)`,
  );
}
