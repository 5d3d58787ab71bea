import type { Client, Customer, Plan, TestClock } from '../../client/index.ts';

/** Start of the demo, UNIX time in seconds. */
export const BEGIN = Date.UTC(2027, 0, 15, 9) / 1000;

/** The objects that the demo has created through the API. */
export interface Cast {
  clock: TestClock;
  plan: Plan;
  ada: Customer;
  ben: Customer;
  /** Ids of the customers' subscriptions. */
  subscriptions: number[];
}

/** A test card without funds from 1 to 29 June. The attempts on 15, 18 and 23 June fail. The third retry, on 30 June, succeeds. */
const BENS_CARD = 'tok_script_succeed@2027-06-01.soft@2027-06-30.succeed';
const ADAS_CARD = 'tok_4242424242424242';

/** Creates a test clock, a catalog, two customers with one card each, and their subscriptions. */
export async function gather(client: Client): Promise<Cast> {
  const clock = await client.post('/test_clocks', { name: 'A year of Gold', frozen_time: BEGIN });
  const item = await client.post('/items', { name: 'Seat', unit_cost: 24.5 });
  const plan = await client.post('/plans', { name: 'Gold', catalog_item: item.id, amount: 24.5, interval: 'month' });
  const subscriptions: number[] = [];
  const join = async (name: string, gateway_token: string) => {
    const email = `${name.toLowerCase()}.${clock.id}@example.com`;
    const customer = await client.post('/customers', { name, email, autopay: true, test_clock: clock.id });
    const card = { method: 'credit_card', gateway_token, make_default: true } as const;
    await client.post('/customers/{id}/payment_sources', card, { id: customer.id });
    const { id } = await client.post('/subscriptions', { customer: customer.id, plan: plan.id, quantity: 2 });
    subscriptions.push(id);
    return customer;
  };
  return { clock, plan, ada: await join('Ada', ADAS_CARD), ben: await join('Ben', BENS_CARD), subscriptions };
}
