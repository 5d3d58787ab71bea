import type { Body, Subscription } from '../../client/index.ts';
import type { Product } from './product.ts';
import { payingCustomer, seconds } from './story.ts';

// Subscriptions of `scenario.ts` with every term and every kind of change. Each has an hour of its own, so that the order of steps is certain.

export const CARD = 'tok_4242424242424242';

export type Termed = Record<'hal' | 'ida' | 'jon' | 'max' | 'nia' | 'oto' | 'pam' | 'quin' | 'roy', Subscription>;

/** Sells three units to each of ten customers, mostly of 12.50 a month. They start in the first days of February 2027. */
export async function sellTerms(product: Product, on: { test_clock?: number }): Promise<Termed> {
  const { client } = product;
  await client.post('/plans', { id: 'seats', name: 'Seats', amount: 3, interval: 'month' });
  await client.post('/items', { id: 'line', name: 'Line', unit_cost: 1.25 });
  await client.post('/plans', { id: 'year', name: 'By the year', amount: 100, interval: 'year' });
  const sellTo = (customer: number, start: string, terms: Terms) => {
    const start_date = seconds(start);
    return client.post('/subscriptions', { plan: 'month', quantity: 3, start_date, ...terms, customer });
  };
  const sell = async (name: string, start: string, terms: Terms) => {
    const { id } = await payingCustomer(product, CARD, { name, ...on });
    return sellTo(id, start, terms);
  };
  const addons = [{ plan: 'seats', quantity: 2 }, { catalog_item: 'line' }];
  const hal = await sell('Hal', '2027-02-01T16:00:00Z', { addons });
  const ida = await sell('Ida', '2027-02-02T17:00:00Z', { bill_in: 'arrears' });
  const jon = await sell('Jon', '2027-02-08T18:00:00Z', { bill_in_advance_days: 5 });
  const renewal = { cycles: 1, contract_renewal_mode: 'auto', contract_renewal_cycles: 2 } as const;
  await sell('Kim', '2027-02-04T19:00:00Z', { trial_days: 7, ...renewal });
  const max = await sell('Max', '2027-02-05T20:00:00Z', {});
  // Without AutoPay, so that changes on 10 February begin no charge whose number depends on the order of processes.
  const owe = async (name: string, start: string, terms: Terms = {}) => {
    const { id } = await client.post('/customers', { name, email: `${name}@example.com`, ...on });
    return sellTo(id, start, terms);
  };
  const nia = await owe('Nia', '2027-02-03T21:00:00Z', { snap_to_nth_day: 15 });
  const oto = await owe('Oto', '2027-02-01T22:00:00Z', { plan: 'week', cycles: 1, contract_renewal_mode: 'manual' });
  const pam = await owe('Pam', '2027-02-04T23:00:00Z', { cycles: 3 });
  const quin = await owe('Quin', '2027-02-06T07:00:00Z');
  const roy = await owe('Roy', '2027-02-07T06:00:00Z');
  return { hal, ida, jon, max, nia, oto, pam, quin, roy };
}

type Terms = Partial<Body<'post', '/subscriptions'>>;

/**
 * Changes them on 10 February: for the bill in arrears, for the next period, ends with a credit of the rest and with a bill of the remaining
 * periods, another interval, an earlier date with a pause at once, a pause at the end of the period, add-ons at once, and a renewal.
 */
export async function changeTerms({ client, call }: Product, termed: Termed): Promise<void> {
  const { hal, ida, jon, max, nia, oto, pam, quin, roy } = termed;
  const [seats, line] = hal.addons;
  const addons = [{ id: seats?.id ?? 0, quantity: 4 }, { id: line?.id ?? 0 }];
  await client.patch('/subscriptions/{id}', { quantity: 6 }, { id: ida.id });
  await client.patch('/subscriptions/{id}', { quantity: 1, when: 'renewal' }, { id: jon.id });
  await call('DELETE', `/subscriptions/${max.id}?prorate=true`);
  await call('DELETE', `/subscriptions/${pam.id}?bill_remaining=true`);
  await client.patch('/subscriptions/{id}', { plan: 'year' }, { id: quin.id });
  const late = { quantity: 5, proration_date: seconds('2027-02-08T06:00:00Z') };
  const pause = { paused: true, resume_at: seconds('2027-03-25T06:00:00Z'), resume_mode: 'new' as const };
  await client.patch('/subscriptions/{id}', { ...late, ...pause }, { id: roy.id });
  const later = { pause_at_period_end: true, resume_at: seconds('2027-03-20T21:00:00Z') };
  await client.patch('/subscriptions/{id}', later, { id: nia.id });
  // The last ones, because processes go on from them: a charge begins, and a missed period is billed.
  await client.patch('/subscriptions/{id}', { addons, prorate: 'now' }, { id: hal.id });
  await client.post('/subscriptions/{id}/renew', { cycles: 2 }, { id: oto.id });
}
