import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.ts';
import { storeWithConsent } from '../../support/consents.ts';
import { openPortal, portalLink } from '../../support/portal.ts';
import { remind } from '../../support/reminders.ts';
import { seedSales } from '../../support/soldPages.ts';
import { seedText } from '../../support/texts.ts';

/** Each row of a customer is deleted with it, or prevents the deletion with a message. The database never has to refuse. */

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
});
afterAll(() => api.close());

const CARD = { method: 'credit_card', gateway_token: 'tok_4242424242424242' };
const items = [{ name: 'x', unit_cost: 5 }];
const make = async (path: string, body: object): Promise<number> => (await api.sandbox.make(path, body)).id;
const draftOf = (path: string) => (customer: number) => make(path, { customer, draft: true, items });
const charge = (customer: number) => make('/charges', { customer, amount: 1, applied_to: [], ...CARD });
const adjustment = (customer: number) => make('/credit_balance_adjustments', { customer, amount: 1 });
const mailed = async (customer: number) => {
  const invoice = await make('/invoices', { customer, items });
  await api.sandbox.post(`/invoices/${invoice}/emails`, { to: [{ email: 'a@example.com' }] });
};
const child = (parent_customer: number) => make('/customers', { name: 'Child', parent_customer });
const merged = async (id: number) =>
  api.sandbox.post(`/customers/${id}/merge`, { customer: await make('/customers', { name: 'Merged' }) });

const reminded = async (customer: number) => {
  await api.sandbox.patch(`/customers/${customer}`, { email: 'a@example.com' });
  await remind(api, api.sandbox, { invoiceId: await make('/invoices', { customer, items }) });
};

const chased = async (customer: number) => {
  const steps = [{ name: 'Call', action: 'phone', schedule: 'age:9' }];
  const chasing_cadence = await make('/chasing_cadences', { name: 'c', steps });
  await api.sandbox.patch(`/customers/${customer}`, { chasing_cadence });
};
/** Only processes write reminders. */
const asked = (customer: number) =>
  api.em.fork().execute(
    `insert into reminder (account_id, customer_id, day, channel, cadence_id, step_id, task_id, created_at)
     select account_id, id, current_date, 'phone', 1, 1, 1, now() from customer where id = ?`,
    [customer],
  );

/** Only processes write scheduled statements. Without entries in the ledger, no other row keeps the customer. */
const stated = (customer: number) =>
  api.em.fork().execute(
    `insert into scheduled_statement (account_id, customer_id, currency, month, type, ends_at, closing_balance, task_id, created_at)
     select account_id, id, 'usd', '2027-03', 'balance_forward', now(), 7, 1, now() from customer where id = ?`,
    [customer],
  );

/** Only charges and new sources at Stripe write them. */
const knownThere = (customer: number) =>
  api.em.fork().execute(
    `insert into gateway_customer (account_id, customer_id, gateway, reference)
     select account_id, id, 'stripe_1', 'cus_1' from customer where id = ?`,
    [customer],
  );

const planned = async (customer: number) => {
  const invoice = await make('/invoices', { customer, items: [{ unit_cost: 9 }] });
  const installments = [4e9, 4.1e9].map((date) => ({ date, amount: 4.5 }));
  await api.sandbox.request('PUT', `/invoices/${invoice}/payment_plan`, { installments });
};

async function sold(customer: number) {
  await make('/subscriptions', { customer, plan: 'gold', start_date: 4e9 });
  const invoice = await make('/invoices', { customer, items });
  const { balance } = (await api.sandbox.get(`/invoices/${invoice}`)).body;
  const applied_to = [{ type: 'invoice', invoice, amount: balance }];
  await make('/charges', { customer, amount: balance, applied_to, ...CARD });
  await seedSales(api, api.sandbox, customer);
}

/** For each table that refers to customers: a function that creates a row, and the answer to a deletion of the customer. */
const givers: Record<string, [answer: 204 | 400, give: (customer: number) => Promise<unknown>]> = {
  attempt: [400, charge],
  charge: [400, charge],
  chase: [204, chased],
  contact: [204, (id) => make(`/customers/${id}/contacts`, { name: 'c' })],
  credit_balance_adjustment: [400, adjustment],
  credit_balance_change: [400, adjustment],
  credit_note: [204, draftOf('/credit_notes')],
  customer: [400, child],
  'customer merged': [400, merged],
  email: [400, mailed],
  estimate: [204, draftOf('/estimates')],
  'estimate issued': [400, (customer) => make('/estimates', { customer, items })],
  'credit_note issued': [400, (customer) => make('/credit_notes', { customer, items })],
  // Only issued invoices make it, and these keep the customer.
  customer_balance: [400, (customer) => make('/invoices', { customer, items })],
  gateway_customer: [204, knownThere],
  invoice: [204, draftOf('/invoices')],
  'invoice issued': [400, (customer) => make('/invoices', { customer, items })],
  line_item: [204, (id) => make(`/customers/${id}/line_items`, { unit_cost: 1 })],
  note: [204, (customer) => make('/notes', { customer, notes: 'n' })],
  payment: [400, (customer) => make('/payments', { customer, amount: 1 })],
  payment_consent: [400, (customer) => storeWithConsent(api, api.sandbox, customer)],
  payment_plan: [400, planned],
  sign_up: [400, sold],
  link_payment: [400, sold],
  payment_source: [400, (id) => make(`/customers/${id}/payment_sources`, CARD)],
  portal_link: [204, (customer) => portalLink(api.sandbox, customer)],
  portal_session: [204, (customer) => openPortal(api, api.sandbox, customer)],
  reminder: [204, asked],
  scheduled_statement: [204, stated],
  // Its reminder was about an invoice, which keeps the customer.
  reminder_address: [400, reminded],
  subscription: [400, (customer) => make('/subscriptions', { customer, plan: 'gold', start_date: 4e9 })],
  text_message: [204, (customer) => seedText(api, api.sandbox, customer)],
  task: [204, (customer) => make('/tasks', { customer, name: 't', action: 'phone' })],
};

test.each(Object.keys(givers))('%s', async (name) => {
  const [expected, give] = givers[name] ?? [0, async () => undefined];
  const id = await make('/customers', { name: 'C' });
  await give(id);
  const [table = ''] = name.split(' ');
  const column = ['customer merged', 'customer'].includes(name) ? 'coalesce(merged_into_id, parent_id)' : 'customer_id';
  const inTable = () => api.em.fork().execute(`select 1 from ${table} where ${column} = ?`, [id]);
  expect(await inTable()).not.toEqual([]);
  const { status, body } = await api.sandbox.delete(`/customers/${id}`);
  expect([status, body?.message ?? '']).toEqual([
    expected,
    expected === 204 ? '' : expect.stringMatching(/ has .+ and/),
  ]);
  if (status === 204) expect(await inTable()).toEqual([]);
  expect(api.faults).toEqual([]);
});

test('each table that refers to customers is listed', () => {
  const tables = [...api.em.getMetadata().getAll().values()].filter(({ props }) =>
    props.some(({ kind, targetMeta }) => kind === 'm:1' && targetMeta?.tableName === 'customer'),
  );
  expect(tables.map(({ tableName }) => tableName).filter((name) => !(name in givers))).toEqual([]);
});
