import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, successBody, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const path = '/invoice_chasing_cadences';
const email = { name: 'Reminder', action: 'email', schedule: 'before_due:3' };
const call = { name: 'Call', action: 'phone', schedule: 'every:14' };
const sound = { name: 'Large', steps: [email, call] };

test('an invoice cadence can be created, read, listed, changed and deleted', async () => {
  const created = await api.sandbox.post(path, sound);
  expect(created.status).toBe(201);
  expect(missingFields('invoice_chasing_cadence', created.body)).toEqual([]);
  expect(created.body).toMatchObject({ ...sound, time_of_day: 9, paused: false, default: false });
  const { id, steps } = created.body;
  expect((await api.sandbox.get(`${path}/${id}`)).body).toEqual(created.body);
  expect((await api.sandbox.get(path)).body).toMatchObject([{ id }]);
  expect((await api.sandbox.get('/chasing_cadences')).body).toEqual([]);
  expect((await api.sandbox.get(`/chasing_cadences/${id}`)).status).toBe(404);
  const kept = { steps: [{ ...call, id: steps[1].id }] };
  expect(successBody(await api.sandbox.patch(`${path}/${id}`, kept)).steps).toMatchObject(kept.steps);
  expect((await api.sandbox.patch(`/chasing_cadences/${id}`, { name: 'Other' })).status).toBe(404);
  expect((await api.sandbox.delete(`/chasing_cadences/${id}`)).status).toBe(404);
  expect((await api.sandbox.delete(`${path}/${id}`)).status).toBe(204);
  expect((await api.sandbox.get(`${path}/${id}`)).status).toBe(404);
});

const readable =
  'Schedules are issue, after_issue:N, before_due:N, after_due:N, on:YYYY-MM-DD or every:N, with 0 to 3650 days (every: 1 to 3650)';
const schedules = [
  'age:3',
  'every:0',
  'after_due:3651',
  'after_due:-1',
  'on:2027-02-30',
  'on:1999-12-31',
  'issue:2',
  'x',
];

test.each([
  [{ name: null }, 'name', 'Name missing'],
  [{ steps: [] }, 'steps', 'A cadence needs at least one step'],
  [{ steps: Array(51).fill(email) }, 'steps', 'Steps may have at most 50 elements'],
  [{ time_of_day: 24 }, 'time_of_day', 'Time of day must be a whole number from 0 to 23'],
  [{ steps: [{ ...call, id: 99_999 }] }, 'steps[0][id]', 'Chase step was not found, or comes twice: 99999'],
  [{ steps: [{ ...call, assigned_user_id: 999 }] }, 'steps[0][assigned_user_id]', expect.stringContaining('999')],
  [
    { steps: [email, call, { ...call, schedule: 'every:3' }] },
    'steps[2][schedule]',
    'The step before is repeated already, so no repetition can follow it: every:3',
  ],
  ...schedules.map((schedule): [object, string, unknown] => [
    { steps: [{ ...email, schedule }] },
    'steps[0][schedule]',
    `${readable}: ${schedule}`,
  ]),
])('%j is refused at creation and change', async (over, param, message) => {
  expect(await api.sandbox.post(path, { ...sound, ...over })).toMatchObject(refused({ param, message }));
  const { id } = await api.sandbox.make(path, sound);
  expect(await api.sandbox.patch(`${path}/${id}`, over)).toMatchObject(refused({ param, message }));
  expect((await api.sandbox.get(`${path}/${id}`)).body).toMatchObject(sound);
  await api.sandbox.delete(`${path}/${id}`);
});

test('an account has one default cadence of invoices', async () => {
  const { sandbox } = await api.open('Default');
  const { id } = await sandbox.make(path, { ...sound, default: true });
  const message = `Invoice chasing cadence ${id} is the default: change it first`;
  expect(await sandbox.post(path, { ...sound, default: true })).toMatchObject(refused({ param: 'default', message }));
  const other = await sandbox.make(path, sound);
  expect(await sandbox.patch(`${path}/${other.id}`, { default: true })).toMatchObject(
    refused({ param: 'default', message }),
  );
  successBody(await sandbox.patch(`${path}/${id}`, { default: false }));
  successBody(await sandbox.patch(`${path}/${other.id}`, { default: true }));
});

test('a cadence that an invoice names is not deleted; invoices take only cadences of invoices', async () => {
  const { sandbox } = await api.open('Named');
  const { id } = await sandbox.make(path, sound);
  const customer = (await sandbox.make('/customers', { name: 'Ann' })).id;
  const items = [{ name: 'Hour', unit_cost: 5 }];
  const invoice = await sandbox.make('/invoices', { customer, items, chasing_cadence: id });
  expect(invoice.chasing_cadence).toBe(id);
  const expanded = await sandbox.get(`/invoices/${invoice.id}?expand=chasing_cadence`);
  expect(expanded.body.chasing_cadence).toMatchObject({ id, object: 'invoice_chasing_cadence' });
  const named = `Invoices name chasing cadence ${id}: 1. It can be paused instead`;
  expect(await sandbox.delete(`${path}/${id}`)).toMatchObject(refused({ message: named }));
  const steps = [{ name: 'Call', action: 'phone', schedule: 'age:9' }];
  const ofCustomers = (await sandbox.make('/chasing_cadences', { name: 'C', steps })).id;
  const missing = refused({
    param: 'chasing_cadence',
    message: `Invoice chasing cadence was not found: ${ofCustomers}`,
  });
  expect(await sandbox.patch(`/invoices/${invoice.id}`, { chasing_cadence: ofCustomers })).toMatchObject(missing);
  expect(await sandbox.post('/invoices', { customer, items, chasing_cadence: ofCustomers })).toMatchObject(missing);
  const ofInvoices = refused({ param: 'chasing_cadence', message: `Chasing cadence was not found: ${id}` });
  expect(await sandbox.patch(`/customers/${customer}`, { chasing_cadence: id })).toMatchObject(ofInvoices);
  successBody(await sandbox.patch(`/invoices/${invoice.id}`, { chasing_cadence: null }));
  expect((await sandbox.delete(`${path}/${id}`)).status).toBe(204);
});
