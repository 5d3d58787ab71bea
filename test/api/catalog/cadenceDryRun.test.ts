import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, successBody, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const path = '/chasing_cadences';
const DAY = 86_400;
const mail = { name: 'First reminder', action: 'email', schedule: 'past_due_age:3' };
const call = { name: 'Call', action: 'phone', schedule: 'past_due_age:8' };

/** A customer that owes 50, due some days ago. */
async function owing(name: string, more: object = {}): Promise<{ id: number; invoice: number }> {
  const now = Math.floor(api.deps.systemNow().getTime() / 1000);
  const { id } = await api.sandbox.make('/customers', { name, email: `${name.toLowerCase()}@example.com`, ...more });
  const items = [{ name: 'Consulting', unit_cost: 50 }];
  const dates = { date: now - 20 * DAY, due_date: now - DAY };
  return { id, invoice: (await api.sandbox.make('/invoices', { customer: id, items, ...dates })).id };
}

/** Previews whose ids are replaced by the names of their steps, because a dry run gives ids that do not stay. */
const told = (preview: { customers: { steps: { chase_step: number }[] }[] }) =>
  preview.customers.map(({ steps, ...customer }) => ({
    ...customer,
    steps: steps.map(({ chase_step: _, ...step }) => step),
  }));

const wholeState = async () => {
  const [rows] = await api.em.fork().execute(
    `select (select count(*) from chasing_cadence) cadences, (select count(*) from wakeup) wakeups,
              (select count(*) from event) events, (select count(*) from email) emails, (select count(*) from outbox) outbox`,
  );
  return rows;
};

test('a dry run says what the stored preview says after the cadence is really saved, and stores nothing', async () => {
  const asked = await owing('Ann');
  const held = await owing('Bob', { credit_hold: false });
  await api.sandbox.patch(`/customers/${held.id}`, { credit_hold: true });
  const wanted = { name: 'Standard', assignment_mode: 'default', steps: [mail, call] };
  const before = await wholeState();
  const foreseen = successBody(await api.sandbox.post(`${path}?dry_run=true`, wanted));
  expect(await wholeState()).toEqual(before);
  expect(foreseen.chasing_cadence).toMatchObject({ object: 'chasing_cadence', ...wanted });
  expect(foreseen.preview.customers).toMatchObject([
    {
      customer: asked.id,
      name: 'Ann',
      last_step: null,
      steps: [
        {
          name: 'First reminder',
          action: 'email',
          balances: [{ currency: 'usd', balance: 50, invoices: [asked.invoice] }],
        },
        { name: 'Call', action: 'phone' },
      ],
      reason: 'finished',
    },
    { customer: held.id, name: 'Bob', steps: [], reason: 'credit_hold' },
  ]);
  const made = await api.sandbox.make(path, wanted);
  const stored = () => api.sandbox.get(`${path}/${made.id}/preview`);
  expect(told((await stored()).body)).toEqual(told(foreseen.preview));

  const change = { steps: [{ ...call, id: made.steps[1].id, schedule: 'past_due_age:4' }], min_balance: 10 };
  const changed = successBody(await api.sandbox.patch(`${path}/${made.id}?dry_run=true`, change));
  expect(told((await stored()).body)).toEqual(told(foreseen.preview)); // still the old one
  successBody(await api.sandbox.patch(`${path}/${made.id}`, change));
  expect((await stored()).body).toEqual(changed.preview); // steps that keep their ids are the same to the id
  expect(changed.preview.customers[0].steps).toMatchObject([{ chase_step: made.steps[1].id, name: 'Call' }]);

  const dear = successBody(await api.sandbox.patch(`${path}/${made.id}?dry_run=true`, { min_balance: 51 }));
  expect(dear.preview.customers[0]).toMatchObject({ steps: [], reason: 'below_minimum' });
  const paused = successBody(await api.sandbox.patch(`${path}/${made.id}?dry_run=true`, { paused: true }));
  expect(paused.preview.customers[0]).toMatchObject({ steps: [], reason: 'paused' });
  successBody(await api.sandbox.patch(`${path}/${made.id}`, { assignment_mode: 'none' }));
});

test('a dry run refuses what the change refuses, at the same field, and an older version of the cadence', async () => {
  const made = await api.sandbox.make(path, { name: 'Strict', steps: [mail, call] });
  const steps = [call, { ...mail, schedule: 'past_due_age:x' }];
  expect(await api.sandbox.post(`${path}?dry_run=true`, { name: 'Wrong', steps })).toMatchObject(
    refused({ param: 'steps[1][schedule]' }),
  );
  expect(await api.sandbox.patch(`${path}/${made.id}?dry_run=true`, { steps: [] })).toMatchObject(
    refused({ param: 'steps', message: 'A cadence needs at least one step' }),
  );
  expect(await api.sandbox.patch(`${path}/${made.id}?dry_run=7`, {})).toMatchObject(refused({ param: 'dry_run' }));
  expect((await api.sandbox.patch(`${path}/999999?dry_run=true`, {})).status).toBe(404);
});

test('the step that a customer was moved behind is told as its last one', async () => {
  const made = await api.sandbox.make(path, { name: 'Moved', steps: [mail, call] });
  const customer = await owing('Cleo', { chasing_cadence: made.id });
  successBody(await api.sandbox.patch(`/customers/${customer.id}`, { next_chase_step: made.steps[1].id }));
  const { body } = await api.sandbox.get(`${path}/${made.id}/preview`);
  expect(body.customers).toMatchObject([
    { name: 'Cleo', last_step: { chase_step: made.steps[0].id, at: null }, steps: [{ name: 'Call' }] },
  ]);
});

test('the mail of a step can be read before, in its template, for its invoices; nothing is queued', async () => {
  const customer = await owing('Dora');
  const other = await owing('Emil', { email: null });
  const template = { id: 'kind_reminder', template: 'late_payment_reminder_email', language: 'en' };
  await api.sandbox.make('/email_templates', { ...template, subject: 'Kindly pay {{figure}}' });
  const preview = (id: number, body: object) => api.sandbox.post(`/customers/${id}/reminders/preview`, body);
  const before = await wholeState();
  const usual = successBody(await preview(customer.id, { invoices: [customer.invoice] }));
  expect(usual.to).toEqual([{ name: 'Dora', email: 'dora@example.com' }]);
  expect(usual.text).toContain('50.00');
  const kind = successBody(await preview(customer.id, { email_template_id: 'kind_reminder' }));
  expect(kind.subject).toBe('Kindly pay $50.00');
  expect(await wholeState()).toEqual(before);
  expect(await preview(customer.id, { email_template_id: 'new_invoice_email' })).toMatchObject(
    refused({ param: 'email_template_id' }),
  );
  expect(await preview(customer.id, { invoices: [other.invoice] })).toMatchObject(
    refused({ param: 'invoices[0]', message: `Invoice was not found: ${other.invoice}` }),
  );
  expect(await preview(other.id, {})).toMatchObject(refused({ message: expect.stringContaining('has no address') }));
});

test('invoices are found by their promise, and customers by whether they are chased', async () => {
  const [one, other] = [await owing('Finn'), await owing('Gala', { chase: false })];
  const date = Math.floor(api.deps.systemNow().getTime() / 1000) + 5 * DAY;
  successBody(await api.sandbox.patch(`/invoices/${one.invoice}`, { expected_payment_date: { date } }));
  const idsAt = async (at: string) => (await api.sandbox.get(at)).body.map(({ id }: { id: number }) => id);
  expect(await idsAt('/invoices?filter[expected_payment_status]=promised')).toEqual([one.invoice]);
  expect(await idsAt('/invoices?filter[expected_payment_status][in]=broken,kept')).toEqual([]);
  expect(await idsAt('/customers?filter[chase]=false')).toEqual([other.id]);
});
