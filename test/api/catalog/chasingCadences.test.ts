import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, successBody, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const path = '/chasing_cadences';
const email = { name: 'Reminder', action: 'email', schedule: 'past_due_age:3' };
const call = { name: 'Call', action: 'phone', schedule: 'past_due_age:14' };
const sound = { name: 'Standard', steps: [email, call] };

test('a cadence can be created, read, listed, changed and deleted, also as /customer_chasing_cadences', async () => {
  const created = await api.sandbox.post('/customer_chasing_cadences', sound);
  expect(created.status).toBe(201);
  expect(missingFields('chasing_cadence', created.body)).toEqual([]);
  const defaults = { time_of_day: 9, frequency: 'daily', run_days: [], paused: false, min_balance: 0 };
  expect(created.body).toMatchObject({ ...sound, ...defaults, assignment_mode: 'none', assignment_conditions: [] });
  const { id, steps } = created.body;
  expect(new Set([...steps.map((step: { id: number }) => step.id), id]).size).toBe(3);
  expect((await api.sandbox.get(`${path}/${id}`)).body).toEqual(
    (await api.sandbox.get(`/customer${path.replace('/', '_')}/${id}`)).body,
  );
  const changed = successBody(
    await api.sandbox.patch(`${path}/${id}`, {
      steps: [
        { ...call, id: steps[1].id },
        { ...call, name: 'Again' },
      ],
    }),
  );
  expect(changed.steps.map((step: { id: number }) => step.id === steps[1].id)).toEqual([true, false]);
  expect((await api.sandbox.get(path)).body).toMatchObject([{ id, updated_at: changed.updated_at }]);
  expect((await api.sandbox.delete(`${path}/${id}`)).status).toBe(204);
  expect((await api.sandbox.get(`${path}/${id}`)).status).toBe(404);
});

test.each([
  [{ name: null }, 'name', 'Name missing'],
  [{ steps: [] }, 'steps', 'A cadence needs at least one step'],
  [{ steps: null }, 'steps', 'Steps missing'],
  [{ steps: Array(51).fill(call) }, 'steps', 'Steps may have at most 50 elements'],
  [
    { steps: [{ ...call, action: 'shout' }] },
    'steps[0][action]',
    'Action must be one of email, sms, letter, phone, escalate: shout',
  ],
  [
    { steps: [{ ...call, schedule: 'someday' }] },
    'steps[0][schedule]',
    'Schedules are age:N or past_due_age:N, with 0 to 3650 days: someday',
  ],
  [
    { steps: [{ ...call, schedule: 'age:3651' }] },
    'steps[0][schedule]',
    'Schedules are age:N or past_due_age:N, with 0 to 3650 days: age:3651',
  ],
  [
    { steps: [call, email] },
    'steps[1][schedule]',
    'Steps come in the order of their days: past_due_age:3 is after past_due_age:14',
  ],
  [{ steps: [{ ...call, id: 999 }] }, 'steps[0][id]', 'Chase step was not found, or comes twice: 999'],
  [{ steps: [{ ...call, assigned_user_id: 99 }] }, 'steps[0][assigned_user_id]', 'User was not found: 99'],
  [{ steps: [{ ...call, loud: true }] }, 'steps[0][loud]', 'Unknown field loud; did you mean id?'],
  [{ time_of_day: 24 }, 'time_of_day', expect.stringContaining('from 0 to 23')],
  [{ frequency: 'hourly' }, 'frequency', 'Frequency must be one of daily, day_of_week, day_of_month: hourly'],
  [{ run_days: [1] }, 'run_days', 'A daily cadence has no run_days'],
  [{ frequency: 'day_of_week' }, 'run_days', 'A cadence with the frequency day_of_week needs run_days'],
  [{ frequency: 'day_of_week', run_days: [8] }, 'run_days', 'Days of day_of_week are 1 to 7: 8'],
  [{ frequency: 'day_of_month', run_days: [32] }, 'run_days[0]', expect.stringContaining('31')],
  [{ min_balance: -1 }, 'min_balance', 'Min balance must not be negative'],
  [{ assignment_mode: 'all' }, 'assignment_mode', 'Assignment mode must be one of none, default, conditions: all'],
  [
    { assignment_mode: 'conditions' },
    'assignment_conditions',
    'The assignment mode conditions needs at least one condition',
  ],
  [
    { assignment_conditions: [{ field: 'country', value: 'DE' }] },
    'assignment_conditions',
    'Conditions need the assignment mode conditions',
  ],
  [
    { assignment_mode: 'conditions', assignment_conditions: [{ field: 'mood', value: 'bad' }] },
    'assignment_conditions[0][field]',
    expect.stringContaining('and metadata.<key>: mood'),
  ],
])('%j is refused, naming %s', async (body, param, message) => {
  expect(await api.sandbox.post(path, { ...sound, ...body })).toMatchObject(refused({ param, message }));
});

test('an account has one default cadence', async () => {
  const first = await api.sandbox.make(path, { ...sound, assignment_mode: 'default' });
  const other = await api.sandbox.make(path, sound);
  const twice = refused({
    param: 'assignment_mode',
    message: `Chasing cadence ${first.id} is the default: change it first`,
  });
  expect(await api.sandbox.post(path, { ...sound, assignment_mode: 'default' })).toMatchObject(twice);
  expect(await api.sandbox.patch(`${path}/${other.id}`, { assignment_mode: 'default' })).toMatchObject(twice);
  successBody(await api.sandbox.patch(`${path}/${first.id}`, { assignment_mode: 'none' }));
  const together = await Promise.all(
    [first, other].map(({ id }) => api.sandbox.patch(`${path}/${id}`, { assignment_mode: 'default' })),
  );
  expect(together.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  for (const { id } of [first, other])
    successBody(await api.sandbox.patch(`${path}/${id}`, { assignment_mode: 'none' }));
});

test('a customer tells which cadence it follows: the one that it names, the one that matches, the default one, or none', async () => {
  const { sandbox } = api;
  const ids = await Promise.all(
    [{}, { country: 'DE' }].map(async (more) => (await sandbox.make('/customers', { name: 'Asked', ...more })).id),
  );
  const followed = () =>
    Promise.all(
      ids.map(async (id) => (await sandbox.get(`/customers/${id}?include=followed_cadence`)).body.followed_cadence),
    );
  expect(await followed()).toEqual([null, null]);
  const usual = await sandbox.make(path, { ...sound, name: 'Usual', assignment_mode: 'default' });
  const german = { assignment_mode: 'conditions', assignment_conditions: [{ field: 'country', value: 'DE' }] };
  const matching = await sandbox.make(path, { ...sound, name: 'German', ...german });
  const names = [usual, matching].map(({ id, name }) => ({ id, name }));
  expect(await followed()).toEqual(names);
  const named = await sandbox.make(path, { ...sound, name: 'Named' });
  for (const id of ids) await sandbox.patch(`/customers/${id}`, { chasing_cadence: named.id });
  expect(await followed()).toEqual([named, named].map(({ id, name }) => ({ id, name })));
  for (const id of ids) await sandbox.patch(`/customers/${id}`, { chasing_cadence: null });
  for (const { id } of [usual, matching, named]) successBody(await sandbox.delete(`${path}/${id}`));
});

test('a cadence that a customer names, or that has planned steps, cannot be deleted', async () => {
  const cadence = await api.sandbox.make(path, { ...sound, assignment_mode: 'default' });
  const customer = await api.sandbox.make('/customers', { name: 'Ann', chasing_cadence: cadence.id });
  expect(await api.sandbox.delete(`${path}/${cadence.id}`)).toMatchObject(
    refused({ message: `Customers name chasing cadence ${cadence.id}: 1. Assign another one first` }),
  );
  successBody(await api.sandbox.patch(`/customers/${customer.id}`, { chasing_cadence: null }));
  const other = await api.sandbox.make('/customers', { name: 'Bob' });
  await api.sandbox.make('/invoices', { customer: other.id, items: [{ unit_cost: 5 }] });
  const planned = await api.sandbox.delete(`${path}/${cadence.id}`);
  expect(planned).toMatchObject(refused({ message: expect.stringContaining('has planned steps of customers: 1') }));
});

test('a customer keeps its cadence, and the step that comes next', async () => {
  const cadence = await api.sandbox.make(path, sound);
  const [, second] = cadence.steps;
  const given = { chasing_cadence: cadence.id, next_chase_step: second.id, chase: false };
  const customer = await api.sandbox.make('/customers', { name: 'Ann', ...given });
  expect(customer).toMatchObject(given);
  const read = successBody(await api.sandbox.get(`/customers/${customer.id}?expand=chasing_cadence`));
  expect(read).toMatchObject({ ...given, chasing_cadence: { id: cadence.id, name: 'Standard' } });
  const patch = (body: object) => api.sandbox.patch(`/customers/${customer.id}`, body);
  expect(successBody(await patch({ next_chase_step: null }))).toMatchObject({ next_chase_step: cadence.steps[0].id });
  expect(await patch({ next_chase_step: 999 })).toMatchObject(refused({ param: 'next_chase_step' }));
  expect(await patch({ chase: 'maybe' })).toMatchObject(refused({ param: 'chase' }));
  expect(successBody(await patch({ chase: true, chasing_cadence: null }))).toMatchObject({
    chase: true,
    chasing_cadence: null,
  });
});

test('the preview shows who is asked for what and when, and who is not', async () => {
  const { sandbox } = api;
  const cadence = await sandbox.make(path, { ...sound, min_balance: 10 });
  const clock = await sandbox.make('/test_clocks', { name: 'c', frozen_time: Date.parse('2027-01-04T08:00Z') / 1000 });
  const customerWith = async (amounts: number[], over: object = {}) => {
    const fields = { name: 'Ann', chasing_cadence: cadence.id, test_clock: clock.id, ...over };
    const { id } = await sandbox.make('/customers', fields);
    const due_date = Date.parse('2027-01-08T08:00Z') / 1000;
    const invoices = [];
    for (const unit_cost of amounts)
      invoices.push((await sandbox.make('/invoices', { customer: id, due_date, items: [{ unit_cost }] })).id);
    return { id, invoices };
  };
  const asked = await customerWith([60, 40]);
  const small = await customerWith([9]);
  const held = await customerWith([50], { credit_hold: false });
  successBody(await sandbox.patch(`/customers/${held.id}`, { credit_hold: true }));
  await customerWith([70], { chasing_cadence: null }); // follows no cadence
  const preview = successBody(await sandbox.get(`${path}/${cadence.id}/preview?days=30`));
  const balances = [{ currency: 'usd', balance: 100, invoices: asked.invoices }];
  const stepAt = (day: string, step: { id: number; name: string; action: string }) => ({
    at: Date.parse(`${day}T09:00Z`) / 1000,
    chase_step: step.id,
    name: step.name,
    action: step.action,
    balances,
  });
  const fresh = { name: 'Ann', last_step: null };
  expect(preview).toEqual({
    chasing_cadence: cadence.id,
    customers: [
      // January 8 + 3 = 11, + 14 = 22
      {
        customer: asked.id,
        ...fresh,
        steps: [stepAt('2027-01-11', cadence.steps[0]), stepAt('2027-01-22', cadence.steps[1])],
        reason: 'finished',
      },
      { customer: small.id, ...fresh, steps: [], reason: 'below_minimum' },
      { customer: held.id, ...fresh, steps: [], reason: 'credit_hold' },
    ],
    next: null,
  });
  const short = successBody(await sandbox.get(`${path}/${cadence.id}/preview?customer=${asked.id}`));
  expect(short.customers).toMatchObject([{ customer: asked.id, steps: [{ name: 'Reminder' }], reason: null }]);
  for (const [query, param] of [
    ['days=0', 'days'],
    ['days=61', 'days'],
    ['customer=x', 'customer'],
    ['day=3', 'day'],
  ])
    expect(await sandbox.get(`${path}/${cadence.id}/preview?${query}`)).toMatchObject(refused({ param }));
  expect((await sandbox.get(`${path}/999999/preview`)).status).toBe(404);
});
