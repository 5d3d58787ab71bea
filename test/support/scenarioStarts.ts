import type { Body, Subscription } from '../../client/index.ts';
import type { Product } from './product.ts';
import { CARD } from './scenarioTerms.ts';
import { payingCustomer, seconds } from './story.ts';

// Subscriptions of `scenario.ts` with every kind of price, starts that are moved or in the past, and ends that are planned or renewed.

export type Started = Record<'val' | 'wes' | 'xia' | 'yan' | 'zoe', Subscription>;

/** Sells to six customers without AutoPay, and last to one who missed fourteen weeks, whose charges are a day apart. */
export async function sellStarts(product: Product, on: { test_clock?: number }): Promise<Started> {
  const { client } = product;
  await priceAll(product);
  const sell = async (name: string, start: string, terms: Partial<Body<'post', '/subscriptions'>> = {}) => {
    const customer = await client.post('/customers', { name, email: `${name}@example.com`, ...on });
    const sold = { plan: 'month', ...terms, start_date: seconds(start), customer: customer.id };
    return client.post('/subscriptions', sold);
  };
  const addons = [
    { plan: 'bulk', quantity: 12 },
    { plan: 'agreed', amount: 7.77 },
  ];
  const ship_to = { name: 'Dock', city: 'Rome', country: 'IT' };
  const once = { cycles: 1, contract_renewal_mode: 'renew_once' } as const;
  await sell('Una', '2027-02-01T03:00:00Z', { plan: 'tiers', quantity: 3, addons, ship_to, ...once });
  const val = await sell('Val', '2027-02-02T04:00:00Z');
  const wes = await sell('Wes', '2027-02-03T05:00:00Z', { cancel_at_period_end: true });
  const manual = { cycles: 1, contract_renewal_mode: 'manual' } as const;
  const xia = await sell('Xia', '2027-02-01T05:00:00Z', { plan: 'week', ...manual });
  const yan = await sell('Yan', '2027-02-20T01:00:00Z', { trial_days: 14 });
  const zoe = await sell('Zoe', '2027-02-25T02:00:00Z');
  const late = { plan: 'week', cycles: 14, start_date: seconds('2026-10-29T08:00:00Z'), backfill: true };
  const sam = await payingCustomer(product, CARD, { name: 'Sam', ...on });
  await client.post('/subscriptions', { ...late, customer: sam.id });
  return { val, wes, xia, yan, zoe };
}

async function priceAll({ client }: Product): Promise<void> {
  const monthly = { interval: 'month' } as const;
  const tiers = [{ max_qty: 2, unit_cost: 5 }, { unit_cost: 4 }];
  await client.post('/plans', { ...monthly, id: 'tiers', name: 'Tiers', pricing_mode: 'tiered', tiers });
  const volumes = [{ max_qty: 10, unit_cost: 1 }, { unit_cost: 0.8 }];
  await client.post('/plans', { ...monthly, id: 'bulk', name: 'Bulk', pricing_mode: 'volume', tiers: volumes });
  await client.post('/plans', { ...monthly, id: 'agreed', name: 'As agreed', pricing_mode: 'custom' });
  await client.post('/tax_rates', { id: 'iva', name: 'IVA', value: 22, is_percent: true });
  await client.post('/tax_rules', { tax_rate: 'iva', country: 'IT' });
}

/**
 * Changes them on 10 February at 9:30: an end with the period, the undo of one, a start and the end of a trial that move, a start that moves
 * into the past, and a contract that is renewed from now on.
 */
export async function changeStarts({ client }: Product, { val, wes, xia, yan, zoe }: Started): Promise<void> {
  const change = (body: Body<'patch', '/subscriptions/{id}'>, { id }: Subscription) =>
    client.patch('/subscriptions/{id}', body, { id });
  await change({ cancel_at_period_end: true }, val);
  await change({ cancel_at_period_end: false }, wes);
  await change({ start_date: seconds('2027-02-15T01:00:00Z') }, yan);
  await change({ trial_end: seconds('2027-02-18T01:00:00Z') }, yan);
  await change({ start_date: seconds('2027-02-09T02:00:00Z') }, zoe);
  await client.post('/subscriptions/{id}/renew', { cycles: 2, start: 'now' }, { id: xia.id });
}
