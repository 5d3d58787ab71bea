import type { Body, Subscription } from '../../client/index.ts';
import type { Product } from './product.ts';
import { payingCustomer, seconds } from './story.ts';

// Subscriptions of `scenario.ts` with every term and every kind of change. Each has an hour of its own, so that the order of steps is certain.

export const CARD = 'tok_4242424242424242';

export type Termed = Record<'hal' | 'ida' | 'jon' | 'max', Subscription>;

/** Sells three units of 12.50 a month to each of five customers. They start in the first days of February 2027. */
export async function sellTerms(product: Product, on: { test_clock?: number }): Promise<Termed> {
  const { client } = product;
  await client.post('/plans', { id: 'seats', name: 'Seats', amount: 3, interval: 'month' });
  await client.post('/items', { id: 'line', name: 'Line', unit_cost: 1.25 });
  const sell = async (name: string, start: string, terms: Partial<Body<'post', '/subscriptions'>>) => {
    const { id: customer } = await payingCustomer(product, CARD, { name, ...on });
    return client.post('/subscriptions', {
      plan: 'month',
      quantity: 3,
      start_date: seconds(start),
      ...terms,
      customer,
    });
  };
  const addons = [{ plan: 'seats', quantity: 2 }, { catalog_item: 'line' }];
  const hal = await sell('Hal', '2027-02-01T16:00:00Z', { addons });
  const ida = await sell('Ida', '2027-02-02T17:00:00Z', { bill_in: 'arrears' });
  const jon = await sell('Jon', '2027-02-08T18:00:00Z', { bill_in_advance_days: 5 });
  const renewal = { cycles: 1, contract_renewal_mode: 'auto', contract_renewal_cycles: 2 } as const;
  await sell('Kim', '2027-02-04T19:00:00Z', { trial_days: 7, ...renewal });
  const max = await sell('Max', '2027-02-05T20:00:00Z', {});
  return { hal, ida, jon, max };
}

/** Changes them on 10 February: for the bill in arrears, for the next period, an end with a credit of the rest, and add-ons at once. */
export async function changeTerms({ client, call }: Product, { hal, ida, jon, max }: Termed): Promise<void> {
  const [seats, line] = hal.addons;
  const addons = [{ id: seats?.id ?? 0, quantity: 4 }, { id: line?.id ?? 0 }];
  await client.patch('/subscriptions/{id}', { quantity: 6 }, { id: ida.id });
  await client.patch('/subscriptions/{id}', { quantity: 1, when: 'renewal' }, { id: jon.id });
  await call('DELETE', `/subscriptions/${max.id}?prorate=true`);
  await client.patch('/subscriptions/{id}', { addons, prorate: 'now' }, { id: hal.id }); // the last one: a charge begins
}
