import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { minorUnits } from '../../billing/money/money.ts';
import { findNamed, readInvoiceFacts } from '../../db/queries/events/explanation.ts';
import { explainInvoice } from '../../present/explanations/invoice.ts';
import { connect } from '../../workers/connection.ts';
import { advanceTo, clockAt, story } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { readPdf } from '../support/readPdf.ts';
import { textOf } from '../support/shownTotals.ts';
import { invoiceFor, payingCustomer, seconds } from '../support/story.ts';
import { TEST_PROVIDER } from '../support/texts.ts';

/** Every amount that leaves as text has the digits of its currency: papers, pages, mails, texts, tasks, timelines, explanations. */

/** Amounts of an invoice and of a part of it, for each number of digits. */
const SALES = {
  usd: { amount: 1234.5, part: 100.5, mark: '$' },
  jpy: { amount: 1235, part: 101, mark: '¥' },
  kwd: { amount: 1234.5, part: 100.25, mark: 'KWD' },
} as const;
type Currency = keyof typeof SALES;

const CARD = 'tok_4242424242424242';
const DISPUTED = 'tok_4000000000000259';

let product: Product;
beforeAll(async () => {
  product = await startProduct();
  const { client } = product;
  await client.patch('/account', { chasing_days: 'every' });
  await client.post('/message_providers', TEST_PROVIDER);
  await client.post('/late_fee_schedules', { name: 'Late', amount: 1, default: true, grace_period_days: 2 });
});
afterAll(() => product.close());

/** Documents of each kind of one customer in a currency, in part paid, and three weeks of work on them. Returns the steps of the clock. */
async function trade(currency: Currency): Promise<{ customers: number[]; steps: string[] }> {
  const { client } = product;
  const { amount, part } = SALES[currency];
  const steps = (['email', 'sms', 'phone', 'letter'] as const).map((action, index) => {
    return { name: `Step ${action}`, action, schedule: `past_due_age:${index + 1}` };
  });
  const cadence = await client.post('/chasing_cadences', { name: `Steps ${currency}`, time_of_day: 9, steps });
  const clock = await clockAt(product, '2027-03-01T10:00:00Z');
  const who = { currency, test_clock: clock.id, country: 'US', name: `Northwind ${currency}` };
  const { id: customer } = await client.post('/customers', {
    ...who,
    email: 'a@example.com',
    chasing_cadence: cadence.id,
  });
  const phone = { name: 'Bob', phone: '+1 212 555 0123', sms_enabled: true };
  await client.post('/customers/{customer_id}/contacts', phone, { customer_id: customer });
  const due_date = seconds('2027-03-05T10:00:00Z');
  const to = (invoice: number, of: number) => [{ type: 'invoice' as const, invoice, amount: of }];
  const sold = await invoiceFor(product, customer, amount, { currency, due_date });
  await client.post('/payments', { customer, currency, amount: part, method: 'check', applied_to: to(sold.id, part) });
  await client.post('/credit_notes', { customer, invoice: sold.id, items: [{ name: 'Goodwill', unit_cost: part }] });
  await client.post('/credit_notes', { customer, currency, items: [{ name: 'Later', unit_cost: part }] });
  const discounted = await invoiceFor(product, customer, amount, { currency, payment_terms: '2% 10 NET 30' });
  const early = { amount: part, applied_to: to(discounted.id, part) };
  const charged = { customer, currency, method: 'credit_card' as const };
  const payment = await client.post('/charges', { ...charged, gateway_token: CARD, ...early });
  await client.post(
    '/charges/{id}/refunds',
    { amount: part / (currency === 'jpy' ? 1 : 2) },
    { id: payment.charge?.id ?? 0 },
  );
  const planned = await invoiceFor(product, customer, amount, { currency, due_date });
  const installments = [
    { date: seconds('2027-03-03T10:00:00Z'), amount: part },
    { date: seconds('2027-04-10T10:00:00Z'), amount: amount - part },
  ];
  await client.post('/invoices/{id}/payment_plan', { installments }, { id: planned.id });
  const items = [{ name: 'Design', quantity: 1, unit_cost: amount }];
  const estimate = await client.post('/estimates', { customer, currency, items, deposit: part });
  await client.post('/estimates/{id}/emails', {}, { id: estimate.id });
  const deposit = [{ type: 'estimate' as const, estimate: estimate.id, amount: part }];
  await client.post('/payments', { customer, currency, amount: part, method: 'check', applied_to: deposit });
  await client.post('/invoices/{id}/emails', { template: 'new_invoice_email' }, { id: sold.id });
  await client.post('/payments/{id}/emails', {}, { id: payment.id });
  await client.post('/customers/{id}/emails', {}, { id: customer });
  const promised = await invoiceFor(product, customer, amount, { currency, due_date });
  await client.patch(
    '/invoices/{id}',
    { expected_payment_date: { date: seconds('2027-03-08T00:00:00Z') } },
    { id: promised.id },
  );
  const payer = await payingCustomer(product, DISPUTED, { ...who, email: 'b@example.com' });
  await invoiceFor(product, payer.id, amount, { currency });
  const declined = await payingCustomer(product, 'tok_script_soft.soft', { ...who, email: 'c@example.com' });
  await invoiceFor(product, declined.id, amount, { currency });
  await client.post('/plans', { id: `gold-${currency}`, name: 'Gold', amount: part, currency, interval: 'week' });
  await client.post('/subscriptions', { customer: payer.id, plan: `gold-${currency}` });
  const there = await advanceTo(product, clock, '2027-03-22T10:00:00Z');
  return { customers: [customer, payer.id, declined.id], steps: story(there) };
}

interface Shown {
  where: string;
  text: string;
}

/** The text of HTML, without what runs into another. */
function readable(html: string): string {
  return textOf(html.replace(/<style[\s\S]*?<\/style>/g, '').replaceAll('<', ' <'));
}

/** The text of a page, or of a paper with its attached files. */
async function fetched(url: string): Promise<Shown[]> {
  const answer = await fetch(url.replace('http://localhost', new URL(product.url).origin));
  expect([url, answer.status]).toEqual([url, 200]);
  if (!url.endsWith('pdf')) return [{ where: url, text: readable(await answer.text()) }];
  const { text, files } = await readPdf(new Uint8Array(await answer.arrayBuffer()));
  return [
    { where: url, text },
    ...[...files].map(([where, bytes]) => ({ where, text: Buffer.from(bytes).toString() })),
  ];
}

/** The addresses of pages and papers in an answer of the API. */
function urlsIn(answer: unknown): string[] {
  if (typeof answer === 'string') return /^http:\/\/localhost\/.*/.exec(answer) ?? [];
  return typeof answer === 'object' && answer !== null ? Object.values(answer).flatMap(urlsIn) : [];
}

/** The amounts in an answer of the API, by the names of their fields. */
function amountsIn(answer: unknown): number[] {
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.entries(answer).flatMap(([name, value]) =>
    typeof value === 'number' && /amount|balance|total|paid|fee|deposit/.test(name) ? [value] : amountsIn(value),
  );
}

/** A customer, and its documents, payments and tasks. */
function objectsOf(customer: number): Promise<unknown[]> {
  const { client } = product;
  const of = { filter: { customer }, per_page: 100 };
  return Promise.all([
    client.get('/invoices', of),
    client.get('/credit_notes', of),
    client.get('/estimates', of),
    client.get('/payments', of),
    client.get('/charges', of),
    client.get('/tasks', of),
    client.get('/customers/{id}', { id: customer }), // with the address of its statement
  ]);
}

/** All that people see of the customers in a currency, and the amounts that the API has of them. */
async function shownOf(customers: readonly number[]): Promise<{ shown: Shown[]; amounts: Set<number> }> {
  const answers: unknown[] = [];
  const shown: Shown[] = [];
  for (const customer of customers) {
    answers.push(...(await objectsOf(customer)));
    const timeline = await product.client.get('/customers/{id}/timeline', { id: customer, per_page: 100 });
    shown.push({ where: `timeline of ${customer}`, text: JSON.stringify(timeline) });
    shown.push(...(await explained(customer)));
  }
  for (const url of new Set(urlsIn(answers))) shown.push(...(await fetched(url)));
  const ids = customers.join(', ');
  const mails = await product.rows<{ where: string; text: string }>(
    `select 'mail ' || template || ' ' || id as "where", subject || ' ' || text || ' ' || html as text from email where customer_id in (${ids})
     union all select 'text ' || id, message from text_message where customer_id in (${ids})
     union all select 'task ' || id, name from task where customer_id in (${ids})
     union all select 'problem ' || id, message from problem where subject_id in (${ids})`,
  );
  shown.push(...mails.map(({ where, text }) => ({ where, text: readable(text) })));
  return { shown, amounts: new Set(amountsIn(answers)) };
}

/** What `perennial explain` says of a customer and its invoices. */
async function explained(customer: number): Promise<Shown[]> {
  const connection = await connect(product.config.databaseUrl);
  try {
    const invoices = await product.rows<{ id: number }>(`select id from invoice where customer_id = ${customer}`);
    const shown: Shown[] = [];
    for (const { id } of invoices) {
      const [named] = await findNamed(connection, 'invoice', { name: String(id), accountId: product.accountId });
      if (!named) throw new Error(`no invoice ${id}`);
      const lines = explainInvoice(await readInvoiceFacts(connection, named));
      shown.push({ where: `explained invoice ${id}`, text: lines.join('\n') });
    }
    return shown;
  } finally {
    await connection.close();
  }
}

/** Amounts in a text that have other digits than their currency: those beside its name or sign, and those that the API has. */
function faultsIn(text: string, { currency, amounts }: { currency: Currency; amounts: ReadonlySet<number> }): string[] {
  const digits = minorUnits(currency);
  return [...text.matchAll(/(?<![\d.,:/-])\d[\d,]*(?:\.\d+)?(?![\d:/-])/g)].flatMap(({ 0: found, index }) => {
    const number = found.replace(/,$/, '');
    const before = text.slice(0, index).trimEnd();
    const after = text.slice(index + number.length).trimStart();
    const isMarked = before.endsWith(SALES[currency].mark) || after.startsWith(currency);
    const isPrice = /\d x$/.test(before); // of an explanation
    const value = Number(number.replaceAll(',', ''));
    if (isPrice || !(isMarked || (value > 90 && amounts.has(value)))) return [];
    const { length } = number.split('.')[1] ?? '';
    return length === digits ? [] : [`${before.slice(-20)} ${number} ${after.slice(0, 20)}`];
  });
}

test('a text with other digits is found', () => {
  const faults = (currency: Currency, text: string) => faultsIn(text, { currency, amounts: new Set([1234.5]) }).length;
  expect(faults('usd', 'You owe $1,234.50, 12.00 usd, $1,234.50; 3 x 4.5 on 2027-03-01 at 10:00')).toBe(0);
  expect(faults('usd', 'You owe $12.5, 1.0000 usd and 1234.5')).toBe(3);
  expect(faults('jpy', '¥1,235.0 or ¥12, 12.00 jpy')).toBe(2);
});

test.each(Object.keys(SALES) as Currency[])(
  'every amount that leaves as text in %s has the digits of the currency',
  async (currency) => {
    const { customers, steps } = await trade(currency);
    const { shown, amounts } = await shownOf(customers);
    const all = [...shown, { where: 'steps of the clock', text: steps.join('\n') }];
    const faults = all.flatMap(({ where, text }) =>
      faultsIn(text, { currency, amounts }).map((fault) => `${where}: ${fault}`),
    );
    expect(faults).toEqual([]);
    const kinds = new Set(all.map(({ where }) => where.split(' ')[0]).filter((kind) => !kind?.startsWith('http')));
    expect(kinds).toEqual(new Set(['timeline', 'explained', 'mail', 'text', 'task', 'steps']));
  },
);
