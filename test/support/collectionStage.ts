import { type Body, type ChasingCadence, type Client, createClient, type TestClock } from '../../client/index.ts';
import { advanceTo, clockAt } from './clock.ts';
import type { Product } from './product.ts';
import { type SteppedTime, stepTo } from './steppedTime.ts';
import { seconds } from './story.ts';
import { openUnlimited } from './unlimited.ts';
import { until } from './wait.ts';

/** A business of its own in which a story of collection is told: on a test clock, or in real time that moves from wake-up to wake-up. */
export interface Stage {
  /** Its `client` is that of the business. */
  product: Product;
  client: Client;
  accountId: number;
  /** Fields of a customer: its test clock, if the story is told on one. */
  on: { test_clock?: number };
  moveTo(at: string): Promise<void>;
}

/** When stories begin: Monday, 4 January 2027. */
export const BEGIN = '2027-01-04T08:00:00Z';

/** Opens a business with a test clock. */
export async function onClock(product: Product): Promise<Stage> {
  const stage = await openStage(product);
  const clock: TestClock = await clockAt(stage.product, BEGIN);
  const moveTo = async (at: string) => {
    const { status } = await advanceTo(stage.product, clock, at);
    if (status !== 'ready') throw new Error(`the clock is ${status}`);
  };
  return { ...stage, on: { test_clock: clock.id }, moveTo };
}

/** Opens a business in real time, which the test steps. */
export async function inSteppedTime(product: Product, time: SteppedTime): Promise<Stage> {
  const stage = await openStage(product);
  return { ...stage, on: {}, moveTo: (at) => stepTo(product, time, at) };
}

async function openStage(product: Product): Promise<Omit<Stage, 'on' | 'moveTo'>> {
  const { deps, url } = product;
  const { sandbox, sandboxKey } = await openUnlimited(deps.em, 'Acme', deps.systemNow());
  const client = createClient({ baseUrl: url, apiKey: sandboxKey, retries: 0 });
  const accountId = sandbox.id;
  return { product: { ...product, client, accountId, key: sandboxKey }, client, accountId };
}

/** Receives the events of the gateway until one of a type has been recorded. */
export async function hear({ product, accountId }: Stage, type: string): Promise<void> {
  const origin = new URL(product.url).origin;
  await until(
    async () => {
      await product.deps.testGateway.sendEvents(origin);
      const rows = await product.rows('select 1 from event where account_id = ? and type = ?', [accountId, type]);
      return rows.length > 0 || null;
    },
    { what: `the event ${type}`, every: 200 },
  );
}

/** A payment by check of invoices in a currency. */
export async function payByCheck(
  { client }: Stage,
  customer: number,
  paid: readonly { invoice: number; amount: number }[],
  currency = 'usd',
): Promise<void> {
  const amount = paid.reduce((sum, one) => sum + one.amount, 0);
  const applied_to = paid.map((one) => ({ type: 'invoice' as const, ...one }));
  await client.post('/payments', { customer, currency, amount, method: 'check', applied_to });
}

/** The usual cadence: by mail after 3 and 10 days past due, by phone after 20, a decision after 30; at 9:00 on working days. */
export function usualCadence(stage: Stage): Promise<ChasingCadence> {
  const steps = [
    { name: 'Reminder', action: 'email' as const, schedule: 'past_due_age:3' },
    { name: 'Second reminder', action: 'email' as const, schedule: 'past_due_age:10' },
    { name: 'Call', action: 'phone' as const, schedule: 'past_due_age:20' },
    { name: 'Decide', action: 'escalate' as const, schedule: 'past_due_age:30' },
  ];
  return cadenceOf(stage, steps);
}

/** Creates the default cadence of a business, at 9:00 on working days, and waits until its customers are planned. */
export async function cadenceOf(
  { client }: Stage,
  steps: Body<'post', '/chasing_cadences'>['steps'],
): Promise<ChasingCadence> {
  const cadence = { name: 'Usual', time_of_day: 9, assignment_mode: 'default' as const, steps };
  const { id } = await client.post('/chasing_cadences', cadence);
  return untilPlanned(client, id);
}

/** Waits until all customers were planned anew after a change of a cadence. Returns the cadence. */
export function untilPlanned(client: Client, id: number): Promise<ChasingCadence> {
  const planned = async () => {
    const cadence = await client.get('/chasing_cadences/{id}', { id });
    return cadence.planning === null ? cadence : null;
  };
  return until(planned, { what: `cadence ${id} to be planned` });
}

/** Installments of the same amount at 9:00 on these days. */
export function installmentsOn(days: readonly string[], amount: number): { date: number; amount: number }[] {
  return days.map((day) => ({ date: seconds(`${day}T09:00:00Z`), amount }));
}
