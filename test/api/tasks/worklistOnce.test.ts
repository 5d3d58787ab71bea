import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, startApi, type TestApi } from '../../support/api.ts';

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
