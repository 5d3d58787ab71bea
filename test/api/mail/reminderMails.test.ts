import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Reminder } from '../../../commands/chasing/reminderMail.ts';
import { type Client, startApi, type TestApi } from '../../support/api.ts';
import { remind as remindOf } from '../../support/reminders.ts';

/** Reminders of open invoices, as a step of chasing queues them. */

let api: TestApi;
let client: Client;
let customer: number;
let invoiceId: number;

beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(() => api.close());
beforeEach(async () => {
  customer = (await client.make('/customers', { name: 'Ada', email: 'ada@example.com' })).id;
  invoiceId = await invoiceOf(100);
});

const invoiceOf = async (amount: number, more: object = {}): Promise<number> =>
  (await client.make('/invoices', { customer, payment_terms: 'NET 30', items: [{ unit_cost: amount }], ...more })).id;

const remind = (reminder: Partial<Reminder> = {}) => remindOf(api, client, { invoiceId, ...reminder });

interface Mail {
  email: string;
  subject: string;
  message: string;
  template: string;
}

const mails = async (): Promise<Mail[]> => (await client.get(`/emails?filter[customer]=${customer}&sort=id`)).body;

test('a reminder goes to the customer and its primary contacts, with the open balance and links to pay', async () => {
  await client.make(`/customers/${customer}/contacts`, { name: 'Bob', email: 'bob@example.com', primary: true });
  await client.make('/payments', {
    customer,
    amount: 30,
    applied_to: [{ type: 'invoice', invoice: invoiceId, amount: 30 }],
  });
  expect(await remind()).toBe('queued');
  const sent = await mails();
  expect(sent.map(({ email }) => email)).toEqual(['ada@example.com', 'bob@example.com']);
  for (const { subject, template } of sent) {
    expect(template).toBe('late_payment_reminder_email');
    expect(subject).toMatch(/^Friendly reminder: \$70\.00 is open at /);
  }
  expect(sent.map(({ message }) => message.split(',')[0])).toEqual(['Hello Ada', 'Hello Bob']);
  const [row] = await api.em.fork().execute('select text from email where customer_id = ?', [customer]);
  const { payment_url } = (await client.get(`/invoices/${invoiceId}`)).body;
  expect(row?.text).toContain(payment_url);
});

test('missed installments, a second currency and unapplied credit are in the amounts', async () => {
  const other = await invoiceOf(50, { currency: 'eur' });
  const missed = { amount: '40', dueAt: new Date(Date.now() - 9 * 86_400_000) };
  const items = [{ invoiceId: other }, { invoiceId, missed }];
  await remind({ items, credits: [{ currency: 'eur', amount: '12.5' }] });
  const [{ subject } = { subject: '' }] = await mails();
  expect(subject).toMatch(/^Payment past due: \$40\.00 \+ €37\.50 is open at /);
});

test('a cause has one reminder, refused by the database otherwise, with everything else in its transaction', async () => {
  await remind();
  await expect(remind()).rejects.toThrow('email_cause');
  expect(await mails()).toHaveLength(1);
  expect(await remind({ cause: 'reminder:again' })).toBe('queued');
});

test('a customer without an address gets no reminder, and the caller learns it', async () => {
  await client.patch(`/customers/${customer}`, { email: null });
  expect(await remind()).toBe('no_address');
  expect(await mails()).toEqual([]);
});

test('a reminder of nothing, and one of an invoice of somebody else, are bugs', async () => {
  await expect(remind({ items: [] })).rejects.toThrow(`asks customer ${customer} for nothing`);
  await expect(remind({ credits: [{ currency: 'usd', amount: '100' }] })).rejects.toThrow('for nothing');
  const other = (await client.make('/customers', { name: 'Eve' })).id;
  const foreign = await invoiceOf(5, { customer: other });
  await expect(remind({ items: [{ invoiceId: foreign }] })).rejects.toThrow(`invoice ${foreign} is not one of`);
  expect(await mails()).toEqual([]);
});

test('a reminder is in the language of the customer', async () => {
  await client.patch(`/customers/${customer}`, { language: 'de' });
  await remind();
  const [{ subject } = { subject: '' }] = await mails();
  expect(subject).toMatch(/^Freundliche Erinnerung: 100,00/);
});
