import { ApiError, type Customer, type TestClock } from '../../client/index.ts';
import type { Product } from './product.ts';
import { payingCustomer, seconds } from './story.ts';
import { until } from './wait.ts';

/** Creates a test clock at this time. */
export function clockAt({ client }: Product, at: string): Promise<TestClock> {
  return client.post('/test_clocks', { name: at, frozen_time: seconds(at) });
}

/** Creates a customer on a clock with a source for AutoPay and subscribes it to a plan. Waits until the first period is billed and charged. */
export async function subscriberOn(
  product: Product,
  clock: TestClock,
  how: { token: string; plan: string; quantity?: number; isBilled?: boolean },
): Promise<Customer> {
  const customer = await payingCustomer(product, how.token, { test_clock: clock.id });
  const { plan, quantity = 1 } = how;
  await product.client.post('/subscriptions', { customer: customer.id, plan, quantity });
  if (how.isBilled !== false) await product.row(workLeft(clock.id), ({ left }: { left: number }) => left === 0);
  return customer;
}

/** Counts the work that is still due at the time of an idle clock. */
const workLeft = (id: number) => `
  select ((select count(*) from outbox where clock_id = ${id} and topic <> 'event')
    + (select count(*) from wakeup w join test_clock c on c.id = w.clock_id and w.at <= c.frozen_at where c.id = ${id})
    + (select count(*) from attempt where clock_id = ${id} and state = 'open'))::int as left`;

/** Advances a clock and waits until it has arrived or stopped. Returns the clock. */
export async function advanceTo(product: Product, clock: TestClock, at: string): Promise<TestClock> {
  await startAdvance(product, clock, at);
  return untilAdvanced(product, clock.id);
}

/** Sends the request again while it is answered 429: the steps of many customers can hold the clock's lock for longer than a request may wait. */
async function startAdvance({ client }: Product, { id }: TestClock, at: string): Promise<void> {
  const send = async () => {
    try {
      return await client.post('/test_clocks/{id}/advance', { frozen_time: seconds(at) }, { id });
    } catch (error) {
      if (error instanceof ApiError && error.status === 429) return null;
      return { refused: error };
    }
  };
  const sent = await until(send, { what: `test clock ${id} to take its advance`, every: 500 });
  if ('refused' in sent) throw sent.refused;
}

export function untilAdvanced({ client }: Product, id: number): Promise<TestClock> {
  const look = async () => {
    const clock = await client.get('/test_clocks/{id}', { id });
    if (clock.status === 'advancing') throw new Error(`at ${clock.frozen_time}, ${clock.happened.length} steps`);
    return clock;
  };
  return until(look, { what: `test clock ${id} to arrive or stop`, every: 50 });
}

/** The steps of a clock as lines: "2027-03-15 09:00 subscription 1: renewal 2: …". */
export function story({ happened }: TestClock): string[] {
  return happened.map(({ at, subject, did }) => {
    const day = new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ');
    return `${day} ${subject.object} ${subject.id}: ${did}`;
  });
}

/** UNIX seconds as "2027-03-15 09:00", or "never". */
export function dayOf(at: number | null): string {
  return at === null ? 'never' : new Date(at * 1000).toISOString().slice(0, 16).replace('T', ' ');
}
