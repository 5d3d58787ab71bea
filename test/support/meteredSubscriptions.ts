import type { Answer, Client } from './api.ts';
import { type GoldSubscriptions, goldSubscriptions } from './goldSubscriptions.ts';

/** Subscriptions to metered plans, besides those of `goldSubscriptions`. */
export interface MeteredSubscriptions extends GoldSubscriptions {
  /** Creates a subscription of a new customer on 1 March and takes its first step. Returns its id. */
  begin(body?: object): Promise<number>;
  /** Reports usage of the plan of a subscription, or of `addon` in `more`. The key is new unless `more` has one. */
  report(id: number, quantity: number, timestamp: number, more?: object): Promise<Answer>;
  /** The usage of a subscription, latest first. */
  usageOf(id: number, query?: string): Promise<Answer['body'][]>;
  /** Lines of each invoice: `[plan, quantity, unit cost, amount, start of its period, description]`. */
  billedUsage(id: number): Promise<unknown[][][]>;
}

/**
 * Plans by the month that bill usage: `calls` at 0.25, `data` in tiers (100 units free, then 0.02), `storage` by volume (up to 10 at 2, then
 * 1.5), `support` at the price of the subscription.
 */
async function sellUsage(client: Client): Promise<void> {
  const month = { interval: 'month', quantity_type: 'usage' };
  const tiers = (...[[until, low], high]: [[number, number], number]) => [
    { max_qty: until, unit_cost: low },
    { unit_cost: high },
  ];
  await client.make('/plans', { id: 'calls', name: 'Calls', amount: 0.25, ...month });
  await client.make('/plans', {
    id: 'data',
    name: 'Data',
    pricing_mode: 'tiered',
    tiers: tiers([100, 0], 0.02),
    ...month,
  });
  await client.make('/plans', {
    id: 'storage',
    name: 'Storage',
    pricing_mode: 'volume',
    tiers: tiers([10, 2], 1.5),
    ...month,
  });
  await client.make('/plans', { id: 'support', name: 'Support', pricing_mode: 'custom', ...month });
}

/** Runs an API for the tests of a file. */
export function meteredSubscriptions(): MeteredSubscriptions {
  const gold = goldSubscriptions(sellUsage);
  const { begin } = gold;
  let keys = 0;
  return Object.assign(gold, {
    begin: async (body: object = {}) => begin({ customer: await gold.customerWith(), ...body }),
    report: (id: number, quantity: number, timestamp: number, more: object = {}) => {
      keys += 1;
      const body = { quantity, timestamp, idempotency_key: `report ${keys}`, ...more };
      return gold.api.sandbox.post(`/subscriptions/${id}/usage`, body);
    },
    usageOf: async (id: number, query = '') => (await gold.api.sandbox.get(`/subscriptions/${id}/usage${query}`)).body,
    billedUsage: async (id: number) =>
      (await gold.invoices(id)).map(({ items }) =>
        items.map(({ plan, quantity, unit_cost, amount, period_start, description }: Answer['body']) => [
          plan,
          quantity,
          unit_cost,
          amount,
          period_start,
          description,
        ]),
      ),
  });
}
