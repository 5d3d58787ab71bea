import { clockAt } from '../../support/clock.ts';
import type { Product } from '../../support/product.ts';
import type { Receiver } from '../../support/receiver.ts';
import { BEGIN, playScenario } from '../../support/scenario.ts';
import { type SteppedTime, stepTo } from '../../support/steppedTime.ts';
import { invoiceFor, payingCustomer, seconds } from '../../support/story.ts';

/** The time at which the scene stops: during the retries of Bea's card, Dan's pending debit, and a week of Fay's subscription. */
export const CUT = '2027-03-07T12:00:00Z';

const CARD = 'tok_4242424242424242';
const NEVER_ANSWERS = { method: 'credit_card', gateway_token: 'tok_4000000000000119' } as const;

interface Scene {
  product: Product;
  time: SteppedTime;
  receiver: Receiver;
  /** Stops the worker. Later work waits for the next one. */
  stopWorker(): Promise<void>;
  /** Called while all work is in flight. The scene ends when it has returned. */
  keep(): Promise<void>;
}

/**
 * Plays the scenario up to CUT. Then the mail server and the webhook endpoint fail, a test clock stops, one charge has an unknown outcome,
 * another one still waits for its answer, and a subscription starts while no worker runs.
 */
export async function playScene({ product, time, receiver, stopWorker, keep }: Scene): Promise<void> {
  await product.client.post('/webhooks', { url: receiver.url, events: '*' });
  await playScenario(product, null, (at) => stepTo(product, time, at < CUT ? at : CUT));
  const gus = await customerNamed(product, 'Gus');
  await addDocuments(product, gus);
  await stepTo(product, time, CUT);

  receiver.answerBy(() => ({ status: 500 }));
  await product.mailbox.stop();
  await stopClock(product);
  const unanswered = await invoiceFor(product, gus, 25);
  await charge(product, gus, unanswered.id);
  await product.row(`select 1 from attempt where state = 'unknown'`);
  const { id } = await invoiceFor(product, gus, 26);
  await product.client.post('/invoices/{id}/emails', null, { id });
  await product.row(`select 1 from email where state = 'queued' and document is not null and attempts > 0`);
  await product.row(`select 1 from webhook_delivery where state = 'waiting' and attempts > 0`);
  await stopWorker();
  const late = await payingCustomer(product, CARD, { name: 'Late' });
  await product.client.post('/subscriptions', { customer: late.id, plan: 'month' });
  const hanging = charge(product, gus, id);
  await product.row(`select 1 from attempt a join test_gateway.operation o on o.reference = a.reference
    where a.state = 'open' and o.captured > 0`);
  await keep();
  await hanging;
}

async function customerNamed({ client }: Product, name: string): Promise<number> {
  const customers = await client.get('/customers', { filter: { name } });
  const [customer] = customers;
  if (customer === undefined) throw new Error(`no customer ${name}`);
  return customer.id;
}

/** Adds documents and other objects that the scenario does not create. */
async function addDocuments(product: Product, customer: number): Promise<void> {
  const { client } = product;
  await invoiceFor(product, customer, 5, { draft: true });
  const { id } = await invoiceFor(product, customer, 6);
  await client.post('/invoices/{id}/void', null, { id });
  await client.post('/customers/{customer_id}/contacts', { name: 'Grace' }, { customer_id: customer });
  await client.post('/customers/{customer_id}/line_items', { name: 'Usage', unit_cost: 7 }, { customer_id: customer });
  await client.post('/notes', { customer, notes: 'Calls on Mondays' });
  await client.post('/files', { url: 'https://docs.example/terms.pdf', name: 'terms.pdf' });
  await client.post('/credit_notes', { customer, items: [{ name: 'Goodwill', unit_cost: 2 }], draft: true });
}

/** Creates a test clock that stops because the receipt of its customer cannot be sent. */
async function stopClock(product: Product): Promise<void> {
  const { client } = product;
  const clock = await clockAt(product, BEGIN);
  const customer = await payingCustomer(product, CARD, { name: 'Ivy', test_clock: clock.id });
  await client.post('/subscriptions', { customer: customer.id, plan: 'month' });
  await client.post('/test_clocks/{id}/advance', { frozen_time: seconds('2027-04-01T00:00:00Z') }, { id: clock.id });
  await product.row(`select 1 from test_clock where id = ${clock.id} and status = 'stopped'`);
}

function charge({ client }: Product, customer: number, invoice: number) {
  const applied_to = [{ type: 'invoice' as const, invoice, amount: 25 }];
  return client.post('/charges', { customer, amount: 25, applied_to, ...NEVER_ANSWERS });
}
