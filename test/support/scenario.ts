import type { TestClock } from '../../client/index.ts';
import type { Product } from './product.ts';
import { invoiceFor, payingCustomer, seconds } from './story.ts';

/** When the scenario begins and ends. */
export const BEGIN = '2027-01-30T08:00:00Z';
export const END = '2027-05-10T00:00:00Z';

/**
 * Customers of every kind with something to be done later, at instants of their own: a card that pays, one that declines and recovers,
 * one that fails for good, a bank debit that takes days, an invoice that nobody pays, a contract that ends.
 */
export async function playScenario(product: Product, clock: TestClock | null): Promise<void> {
  const { client } = product;
  const on = clock ? { test_clock: clock.id } : {};
  const plans = { month: 12.5, week: 3 } as const;
  for (const interval of ['month', 'week'] as const)
    await client.post('/plans', { id: interval, name: `By the ${interval}`, amount: plans[interval], interval });
  const subscribe = async (name: string, token: string, how: { start: string; plan?: string; cycles?: number }) => {
    const customer = await payingCustomer(product, token, { name, ...on });
    const { start, plan = 'month', cycles = null } = how;
    const asked = { customer: customer.id, plan, quantity: 3, start_date: seconds(start), cycles };
    await client.post('/subscriptions', asked);
  };
  await subscribe('Ada', 'tok_4242424242424242', { start: '2027-01-31T10:00:00Z' });
  const recovers = 'tok_script_succeed@2027-03-01.soft@2027-03-12.succeed';
  await subscribe('Bea', recovers, { start: '2027-02-03T11:00:00Z' });
  await subscribe('Cid', 'tok_script_succeed@2027-03-01.hard', { start: '2027-02-04T12:00:00Z' });
  await subscribe('Dan', 'tok_123123123_123123893', { start: '2027-02-05T13:00:00Z' });
  await subscribe('Eve', 'tok_script_soft', { start: '2027-02-06T14:00:00Z', cycles: 2 });
  await subscribe('Fay', 'tok_4242424242424242', { start: '2027-02-07T15:00:00Z', plan: 'week', cycles: 4 });
  const late = await client.post('/customers', { name: 'Gus', email: 'gus@example.com', ...on });
  await invoiceFor(product, late.id, 99.95, { payment_terms: 'NET 7' });
}

/** Everything that has come of it, with what no two runs share left out: random references, and how times are told of. */
export async function outcomeOf(product: Product) {
  const { client } = product;
  const documents = scrub({
    customers: await client.get('/customers'),
    subscriptions: await client.get('/subscriptions', { canceled: true, finished: true }),
    invoices: await client.get('/invoices'),
    payments: await client.get('/payments'),
    charges: await client.get('/charges'),
  });
  const events = await product.rows(
    `select subject_type || ' ' || subject_id || ' ' || sequence as event, type, user_id, extract(epoch from occurred_at)::float8 as at,
       ${withoutPlanTimes('object')} as object, ${withoutPlanTimes('previous')} as previous from event where subject_type <> 'plan' order by subject_type, subject_id::int, sequence`,
  );
  const entries = await product.rows(
    `select ledger_account, currency, amount::text, reason, customer_id, invoice_id, payment_id,
       extract(epoch from document_at)::float8 as document, extract(epoch from posted_at)::float8 as posted
     from ledger_entry order by posted_at, invoice_id, payment_id, reason, ledger_account`,
  );
  const mails = await product.rows(
    `select template, to_name, to_address, subject, text, extract(epoch from created_at)::float8 as at, state
     from email order by created_at, template, to_name`,
  );
  return { documents, events: scrub(events), entries, mails: [scrub(mails)].flat() };
}

/** Plans belong to the account: their times are real ones. */
const withoutPlanTimes = (column: string) => `${column}::jsonb #- '{plan,created_at}' #- '{plan,updated_at}'`;

/** References of the gateway, and secrets of documents' addresses. */
const RANDOM = /\btg[a-z]+_[0-9a-f]+|\b[0-9a-f]{32}\b/g;

function scrub<Value>(value: Value): Value {
  const text = JSON.stringify(value)
    .replace(RANDOM, 'random')
    .replace(/"test_clock":\d+/g, '"test_clock":null');
  return JSON.parse(text);
}
