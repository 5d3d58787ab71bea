import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { colleague } from '../../support/people.ts';

// What keeps an object in the worklist or out of it, if several things are true of it at once.

let api: TestApi;
let client: Client;
const now = Math.floor(Date.parse('2027-02-10T15:00:00Z') / 1000);
const DAY = 86_400;

interface Item {
  id: string;
  kind: string;
  why: string;
  task: number | null;
  customer_name: string | null;
  money_at_risk: number | null;
}

const sql = (text: string, values: unknown[] = []) => api.em.fork().execute(text, values);
const worklistOf = async (customer: number, as = client): Promise<Item[]> =>
  (await as.get(`/worklist?filter[customer]=${customer}`)).body;
const kindsOf = async (customer: number) => (await worklistOf(customer)).map(({ kind }) => kind);

/** A customer with an open invoice. */
async function owing(name: string, amount = 40): Promise<{ customer: number; invoice: number }> {
  const { id: customer } = await client.make('/customers', { name });
  const { id: invoice } = await client.make('/invoices', { customer, items: [{ name: 'Work', unit_cost: amount }] });
  return { customer, invoice };
}

/** An open task of a customer, about what `more` names in its row. */
async function taskOf(customer: number, { due, more = {} }: { due: number; more?: Record<string, unknown> }) {
  const { id } = await client.make('/tasks', { customer, name: 'Call', action: 'phone', due_date: due });
  for (const [column, value] of Object.entries(more))
    await sql(`update task set ${column} = ? where id = ?`, [value, id]);
  return id;
}

const fail = (invoice: number, failedAt: number) =>
  sql(
    `update invoice set payment_failure_code = 'expired', attempt_count = 4, payment_failed_at = to_timestamp(?) where id = ?`,
    [failedAt, invoice],
  );

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  client = api.sandbox;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

test('a task for a later day takes care of a failed charge only if it was planned since the failure', async () => {
  const { customer, invoice } = await owing('Payer');
  await taskOf(customer, { due: now + 9 * DAY });
  await fail(invoice, now + 60);
  expect(await kindsOf(customer)).toEqual(['failed_charge']);
  await fail(invoice, now - 60);
  expect(await kindsOf(customer)).toEqual([]);
});

test('an invoice of several kinds is one item of the first of them, and a closed one is none', async () => {
  const { customer, invoice } = await owing('Quarrel');
  await taskOf(customer, { due: now - DAY, more: { promised_invoice_id: invoice } });
  await sql(`update invoice set promise = 'broken', expected_payment_at = now() where id = ?`, [invoice]);
  expect(await kindsOf(customer)).toEqual(['broken_promise']);
  await taskOf(customer, { due: now + DAY, more: { disputed_invoice_id: invoice } });
  const last = await taskOf(customer, { due: now + DAY, more: { disputed_invoice_id: invoice } });
  await sql(`update invoice set disputed_lines = '[{"reason": "Never came"}]' where id = ?`, [invoice]);
  await fail(invoice, now);
  expect(await worklistOf(customer)).toMatchObject([{ kind: 'disputed_invoice', task: last, money_at_risk: 40 }]);
  await sql(
    `insert into problem (account_id, subject_type, subject_id, step, message, money_at_risk, currency, since, tries, updated_at)
     values (?, 'invoice', ?, 'issue', 'no', 40, 'usd', now(), 1, now())`,
    [client.account.id, invoice],
  );
  expect(await worklistOf(customer)).toMatchObject([{ kind: 'problem', task: last }]);
  await sql('update problem set closed_at = now()');
  await sql('update invoice set closed = true where id = ?', [invoice]);
  expect(await worklistOf(customer)).toEqual([]);
});

test('names of customers and what they owe are told to those who may read them', async () => {
  const { customer } = await owing('Debtor', 70);
  await sql('update customer_balance set overdue = balance where customer_id = ?', [customer]);
  await client.make('/payments', { customer, amount: 5 });
  await taskOf(customer, { due: now - DAY });
  const seen = async (...permissions: string[]) => {
    const id = permissions.join('_').replaceAll('.', '_');
    await client.make('/roles', { id, name: id, permissions });
    const found = await worklistOf(customer, (await colleague(api, client, { role: id })).client);
    return found.map(({ kind, customer_name: name, money_at_risk: amount, why }) => [
      kind,
      name,
      amount,
      /owes/.test(why),
    ]);
  };
  expect(await seen('payments.read')).toEqual([['unapplied_payment', null, 5, false]]);
  expect(await seen('payments.read', 'customers.read')).toEqual([['unapplied_payment', 'Debtor', 5, false]]);
  expect(await seen('payments.read', 'documents.read')).toEqual([['unapplied_payment', null, 5, true]]);
  expect(await seen('collections.read', 'customers.read')).toEqual([['task', 'Debtor', null, false]]);
  expect(await seen('collections.read', 'documents.read')).toEqual([['task', null, 70, true]]);
});

test('the preview of a reminder shows invoices, and needs the permission to read them', async () => {
  const { customer } = await owing('Asked');
  await client.patch(`/customers/${customer}`, { email: 'asked@example.com' });
  const preview = async (role: string, permissions: string[]) => {
    await client.make('/roles', { id: role, name: role, permissions });
    const { client: reader } = await colleague(api, client, { role });
    return reader.post(`/customers/${customer}/reminders/preview`, {});
  };
  const some = ['collections.read', 'customers.read'];
  expect(await preview('asker', some)).toMatchObject(
    refused({ code: 'permission_missing', message: 'The preview needs the permission documents.read' }, 403),
  );
  expect((await preview('reader', [...some, 'documents.read'])).status).toBe(200);
});
