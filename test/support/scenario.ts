import type { Body, TestClock } from '../../client/index.ts';
import type { Product } from './product.ts';
import { changeStarts, sellStarts } from './scenarioStarts.ts';
import { CARD, changeTerms, sellTerms } from './scenarioTerms.ts';
import { invoiceFor, payingCustomer, seconds } from './story.ts';

/** Begin and end of the scenario, and the times of the requests in between. */
export const BEGIN = '2027-01-30T08:00:00Z';
const BETWEEN = '2027-02-10T09:00:00Z';
const LATER = '2027-02-10T09:30:00Z';
export const END = '2027-05-10T00:00:00Z';

/**
 * Creates customers of every kind whose work is due at different instants: a card that pays, one that declines and recovers, one that
 * declines for good, a bank debit that takes days, an unpaid invoice, a subscription with a last cycle, a coupon that runs out, a pending
 * line, credit that pays a part of an invoice, a credit note, estimates that expire or are accepted, subscriptions of all terms, prices and starts. Renewals and
 * ends of contracts are announced. `moveTo` advances the time.
 */
export async function playScenario(
  product: Product,
  clock: TestClock | null,
  moveTo: (at: string) => Promise<unknown>,
): Promise<void> {
  const { client } = product;
  const on = clock ? { test_clock: clock.id } : {};
  await makeCatalog(product);
  await client.patch('/account', { renewal_notices: 'all', contract_notice_days: 10 });
  const subscribe = async (name: string, token: string, how: Partial<Body<'post', '/subscriptions'>> = {}) => {
    const customer = await payingCustomer(product, token, { name, ...on });
    await client.post('/subscriptions', { plan: 'month', ...how, customer: customer.id, quantity: 3 });
    return customer.id;
  };
  const from = (day: string) => ({ start_date: seconds(day) });
  const priced = { discounts: ['fifth'], taxes: ['vat'] };
  const ada = await subscribe('Ada', CARD, { ...from('2027-01-31T10:00:00Z'), ...priced });
  const recovers = 'tok_script_succeed@2027-03-01.soft@2027-03-12.succeed';
  await subscribe('Bea', recovers, from('2027-02-03T11:00:00Z'));
  await subscribe('Cid', 'tok_script_succeed@2027-03-01.hard', from('2027-02-04T12:00:00Z'));
  await subscribe('Dan', 'tok_123123123_123123893', from('2027-02-05T13:00:00Z'));
  await subscribe('Eve', 'tok_script_soft', { ...from('2027-02-06T14:00:00Z'), cycles: 2 });
  const fay = await subscribe('Fay', CARD, { ...from('2027-02-07T15:00:00Z'), plan: 'week', cycles: 4 });
  await client.post('/credit_balance_adjustments', { customer: fay, amount: 5 });
  const { id: gus } = await client.post('/customers', { name: 'Gus', email: 'gus@example.com', ...on });
  const open = await invoiceFor(product, gus, 99.95, { payment_terms: 'NET 7' });
  const accepted = await makeEstimates(product, gus);
  const termed = await sellTerms(product, on);
  const started = await sellStarts(product, on);

  await moveTo(BETWEEN);
  await client.post('/customers/{customer_id}/line_items', { name: 'Setup', unit_cost: 10 }, { customer_id: ada });
  await client.post('/estimates/{id}/invoice', null, { id: accepted });
  await client.post('/credit_notes', {
    customer: gus,
    invoice: open.id,
    items: [{ name: 'Goodwill', unit_cost: 9.95 }],
  });
  await client.post('/tasks', { customer: gus, name: 'Ask for the rest', action: 'phone' });
  await changeTerms(product, termed);

  await moveTo(LATER);
  await changeStarts(product, started);
  await moveTo(END);
}

async function makeCatalog({ client }: Product): Promise<void> {
  const plans = { month: 12.5, week: 3 } as const;
  for (const interval of ['month', 'week'] as const)
    await client.post('/plans', { id: interval, name: `By the ${interval}`, amount: plans[interval], interval });
  await client.post('/coupons', { id: 'fifth', name: 'A fifth off', value: 20, is_percent: true, duration: 2 });
  await client.post('/tax_rates', { id: 'vat', name: 'VAT', value: 10, is_percent: true });
}

/** Creates an estimate that expires, and one that a deposit keeps open. Returns the id of the second one. */
async function makeEstimates({ client }: Product, customer: number): Promise<number> {
  const offer = { customer, items: [{ name: 'Consulting', unit_cost: 200 }] };
  const expiration_date = seconds('2027-02-08T12:00:00Z');
  await client.post('/estimates', { ...offer, expiration_date, sent: true });
  const { id: estimate } = await client.post('/estimates', { ...offer, expiration_date, deposit: 50 });
  const applied_to = [{ type: 'estimate' as const, estimate, amount: 50 }];
  await client.post('/payments', { customer, amount: 50, applied_to });
  return estimate;
}

/** All objects, events, entries and mails of the scenario, without values that differ between runs. */
export async function outcomeOf(product: Product) {
  const { client } = product;
  const documents = scrub({
    customers: await client.get('/customers'),
    subscriptions: await client.get('/subscriptions', { canceled: true, finished: true }),
    invoices: await client.get('/invoices'),
    payments: await client.get('/payments'),
    charges: await client.get('/charges'),
    estimates: await client.get('/estimates'),
    creditNotes: await client.get('/credit_notes'),
    adjustments: await client.get('/credit_balance_adjustments'),
    tasks: await client.get('/tasks'),
    problems: await client.get('/problems'),
  });
  const events = await product.rows(
    `select subject_type || ' ' || subject_id || ' ' || sequence as event, type, user_id, extract(epoch from occurred_at)::float8 as at, object, previous
     from event where subject_type not in ('plan', 'coupon', 'tax_rate', 'tax_rule') order by subject_type, subject_id::int, sequence`,
  );
  const entries = await product.rows(
    `select ledger_account, currency, amount::text, reason, customer_id, invoice_id, payment_id,
       extract(epoch from document_at)::float8 as document, extract(epoch from posted_at)::float8 as posted
     from ledger_entry order by posted_at, invoice_id, payment_id, reason, ledger_account, amount`,
  );
  const credits = await product.rows(
    `select c.customer_id, c.currency, c.amount::text, c.balance::text, extract(epoch from c.at)::float8 as at, c.adjustment_id,
       a.type, a.payment_id, a.invoice_id, a.estimate_id, a.credit_note_id
     from credit_balance_change c left join payment_application a on a.account_id = c.account_id and a.id = c.application_id
     order by c.customer_id, c.at, c.id`,
  );
  const mails = await product.rows(
    `select template, cause, customer_id, to_name, to_address, bcc, subject, html, text, extract(epoch from created_at)::float8 as at, state, document, files
     from email order by created_at, template, to_name, cause`,
  );
  return { documents, events: scrub(events), entries, credits, mails: [scrub(mails)].flat() };
}

/** Objects of the account, which have real times. */
const OF_ACCOUNT = ['plan', 'coupon', 'tax_rate'];

/** References of the gateway, and secrets in the URLs of documents and of pictures in mails. */
const RANDOM = /\btg[a-z]+_[0-9a-f]+|\b[0-9a-f]{32}\b|(?<=\/opened\/\d+\/)[\w-]+/g;

function scrub<Value>(value: Value): Value {
  const text = JSON.stringify(value)
    .replace(RANDOM, 'random')
    .replace(/"test_clock":\d+/g, '"test_clock":null');
  return JSON.parse(text, (_, value) => {
    if (!OF_ACCOUNT.includes(value?.object)) return value;
    const { created_at, updated_at, ...rest } = value;
    return rest;
  });
}
