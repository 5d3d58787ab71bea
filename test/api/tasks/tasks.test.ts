import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { missingFields } from '../../support/apiFields.ts';
import { addMember } from '../../support/oauth.ts';
import { colleague } from '../../support/people.ts';

const NOW = Date.UTC(2027, 2, 1) / 1000;
let now = NOW;
let api: TestApi;
let customer: number;
let member: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  customer = (await api.sandbox.make('/customers', { name: 'Busy' })).id;
  await addMember(api, api.live.account, 'ours@example.com');
  const [row] = await api.em.fork().execute<{ id: number }[]>('select id from member');
  member = row?.id ?? 0;
});
afterAll(() => api.close());

const make = (body: object = {}) => api.sandbox.make('/tasks', { customer, name: 'Call', action: 'phone', ...body });
const typesOf = async (id: number) =>
  (await api.sandbox.get(`/events?related_to=task,${id}`)).body.map(({ type }: { type: string }) => type);

test('a task can be created, read, changed, cleared, expanded and deleted', async () => {
  const { sandbox } = api;
  const made = await make({ user_id: member, due_date: NOW + 86_400 });
  expect(made).toMatchObject({
    object: 'task',
    name: 'Call',
    action: 'phone',
    customer,
    user_id: member,
    due_date: NOW + 86_400,
    complete: false,
    completed_date: null,
    completed_by_user_id: null,
    outcome: null,
    next_task: null,
    chase_step_id: null,
  });
  expect(missingFields('task', made)).toEqual([]);
  const one = `/tasks/${made.id}`;
  expect((await sandbox.get(one)).body).toEqual(made);
  expect((await sandbox.get(`${one}?expand=customer`)).body.customer).toMatchObject({ id: customer });
  const changed = { name: 'Write', action: 'letter', user_id: null, due_date: null };
  expect(await sandbox.patch(one, changed)).toMatchObject({ status: 200, body: changed });
  expect(await sandbox.delete(one)).toMatchObject({ status: 204 });
  expect((await sandbox.get(one)).status).toBe(404);
  expect(await typesOf(made.id)).toEqual(['task.deleted', 'task.updated', 'task.created']);
});

test('completing records time and user and writes task.completed; it can be undone', async () => {
  const { sandbox } = api;
  const { id } = await make();
  const one = `/tasks/${id}`;
  now = NOW + 60;
  const done = await sandbox.patch(one, { complete: true, completed_by_user_id: member });
  const completed = { complete: true, completed_date: NOW + 60, completed_by_user_id: member };
  expect(done.body).toMatchObject(completed);
  now = NOW + 120;
  expect((await sandbox.patch(one, { complete: true })).body).toEqual(done.body);
  expect((await sandbox.patch(one, { complete: false })).body).toMatchObject({
    complete: false,
    completed_date: null,
    completed_by_user_id: null,
  });
  const { body: events } = await sandbox.get(`/events?related_to=task,${id}`);
  expect(await typesOf(id)).toEqual(['task.updated', 'task.completed', 'task.created']);
  expect(events[1].data.object).toMatchObject({ ...completed, customer: { id: customer, name: 'Busy' } });
  expect(events[1].data.previous).toEqual({ complete: false, completed_date: null, completed_by_user_id: null });
});

test('the member who completes a task did it, unless the request says otherwise; a later change keeps that', async () => {
  const [anna, ben] = await Promise.all(
    ['account_manager', 'employee'].map((role) => colleague(api, api.sandbox, { role })),
  );
  if (!anna || !ben) throw new Error('nobody');
  const { id } = await make();
  const one = `/tasks/${id}`;
  expect((await anna.client.patch(one, { complete: true })).body).toMatchObject({ completed_by_user_id: anna.id });
  for (const change of [{ complete: true }, { outcome: 'Paid' }])
    expect((await ben.client.patch(one, change)).body).toMatchObject({ completed_by_user_id: anna.id });
  expect((await ben.client.patch(one, { complete: false })).body).toMatchObject({ completed_by_user_id: null });
  expect((await ben.client.patch(one, { complete: true })).body).toMatchObject({ completed_by_user_id: ben.id });
  const call = { customer, name: 'Call', action: 'phone', complete: true };
  expect(await ben.client.make('/tasks', call)).toMatchObject({ completed_by_user_id: ben.id });
  expect(await ben.client.make('/tasks', { ...call, completed_by_user_id: null })).toMatchObject({
    completed_by_user_id: null,
  });
});

test('a task can be created complete', async () => {
  const done = await make({ complete: true, completed_date: NOW - 5 });
  expect(done).toMatchObject({ complete: true, completed_date: NOW - 5, completed_by_user_id: member });
  expect(await typesOf(done.id)).toEqual(['task.completed', 'task.created']);
});

test('tasks are listed by customer, user, action and completion, and sorted by due date', async () => {
  const { sandbox } = api;
  const { id: other } = await sandbox.make('/customers', { name: 'Listed' });
  const of = async (body: object) => (await make({ customer: other, ...body })).id;
  const late = await of({ due_date: NOW + 9, user_id: member });
  const soon = await of({ due_date: NOW + 5, action: 'review', complete: true });
  const ids = async (query: string) =>
    (await sandbox.get(`/tasks?filter[customer]=${other}&${query}`)).body.map(({ id }: { id: number }) => id);
  expect(await ids('sort=due_date')).toEqual([soon, late]);
  expect(await ids('filter[complete]=0')).toEqual([late]);
  expect(await ids('filter[action]=review')).toEqual([soon]);
  expect(await ids(`filter[user_id]=${member}`)).toEqual([late]);
});

const sound = () => ({ customer, name: 'Call', action: 'phone' });

test.each([
  [{ customer: null }, 'customer', 'Customer missing'],
  [{ name: '' }, 'name', 'Name missing'],
  [{ name: 'x'.repeat(256) }, 'name', 'Name must have at most 255 characters'],
  [{ action: null }, 'action', 'Action missing'],
  [{ action: 'shout' }, 'action', 'Action must be one of phone, letter, email, review: shout'],
  [{ customer: 999_999 }, 'customer', 'Customer was not found: 999999'],
  [{ customer_id: 999_999 }, 'customer_id', 'customer and customer_id are aliases: send only one of them'],
  [{ user_id: 999_999 }, 'user_id', 'User was not found: 999999'],
  [{ complete: true, completed_by_user_id: 999_999 }, 'completed_by_user_id', 'User was not found: 999999'],
  [{ completed_date: 5 }, 'completed_date', 'Completion date and user need a complete task: also send complete: true'],
  [{ due_date: 'tomorrow' }, 'due_date', 'Due date must be a number'],
  [{ chase_step_id: 999_999 }, 'chase_step_id', 'Chase step was not found: 999999'],
])('%j is refused, naming %s', async (body, param, message) => {
  expect(await api.sandbox.post('/tasks', { ...sound(), ...body })).toMatchObject(refused({ param, message }));
});

test('tasks, notes and contacts use the time of their customer, and are deleted with its clock', async () => {
  const { sandbox } = api;
  const { id: test_clock } = await sandbox.make('/test_clocks', { frozen_time: NOW + 999 });
  const { id: own } = await sandbox.make('/customers', { name: 'Clocked', test_clock });
  const task = await make({ customer: own, complete: true });
  expect(task).toMatchObject({ created_at: NOW + 999, completed_date: NOW + 999 });
  const { body: note } = await sandbox.post('/notes', { customer: own, notes: 'n' });
  const { body: contact } = await sandbox.post(`/customers/${own}/contacts`, { name: 'c' });
  expect([note.created_at, contact.created_at]).toEqual([NOW + 999, NOW + 999]);
  const timeline = (await sandbox.get(`/customers/${own}/timeline`)).body.map(({ rule }: { rule: string }) => rule);
  expect(timeline.sort()).toEqual([
    'contact.created',
    'customer.created',
    'note.created',
    'task.completed',
    'task.created',
  ]);
  expect((await sandbox.delete(`/test_clocks/${test_clock}`)).status).toBe(204);
  for (const path of [`/tasks/${task.id}`, `/notes/${note.id}`]) expect((await sandbox.get(path)).status).toBe(404);
  expect((await sandbox.get(`/events?related_to=task,${task.id}`)).body).toEqual([]);
});
