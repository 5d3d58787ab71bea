import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { refused, startApi, successBody, type TestApi } from '../../support/api.ts';
import { addMember } from '../../support/oauth.ts';

/** The outcome of a task, and its follow-up. */

const NOW = Date.UTC(2027, 2, 1) / 1000;
const DAY = 86_400;
let api: TestApi;
let customer: number;
let member: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(NOW * 1000) });
  customer = (await api.sandbox.make('/customers', { name: 'Busy' })).id;
  await addMember(api, api.live.account, 'ours@example.com');
  const [row] = await api.em.fork().execute<{ id: number }[]>('select id from member');
  member = row?.id ?? 0;
});
afterAll(() => api.close());

const make = (body: object = {}) => api.sandbox.make('/tasks', { customer, name: 'Call', action: 'phone', ...body });
const read = async (id: number, query = '') => successBody(await api.sandbox.get(`/tasks/${id}${query}`));
const patch = (id: number, body: object) => api.sandbox.patch(`/tasks/${id}`, body);
const eventsOf = async (id: number) => successBody(await api.sandbox.get(`/events?related_to=task,${id}`));
const typesOf = async (id: number) => (await eventsOf(id)).map(({ type }: { type: string }) => type);
const next = { name: 'Write', action: 'letter' };

test('a member says what happened, with the completion of a task or without it', async () => {
  const { id, outcome } = await make();
  expect(outcome).toBeNull();
  const said = 'Spoke to Ann: she pays on Friday';
  expect((await patch(id, { outcome: said })).body).toMatchObject({ outcome: said, complete: false });
  expect((await patch(id, { complete: true })).body).toMatchObject({ outcome: said, complete: true });
  expect(await read(id)).toMatchObject({ outcome: said });
  expect(await typesOf(id)).toEqual(['task.completed', 'task.updated', 'task.created']);
  expect((await eventsOf(id))[1].data).toMatchObject({ object: { outcome: said }, previous: { outcome: null } });
  expect((await patch(id, { outcome: null })).body).toMatchObject({ outcome: null, complete: true });
  expect(await make({ outcome: 'Nobody is there', complete: true })).toMatchObject({ outcome: 'Nobody is there' });
  const longest = 'x'.repeat(1000);
  expect(await make({ outcome: longest })).toMatchObject({ outcome: longest });
  const refusal = refused({ param: 'outcome', message: 'Outcome must have at most 1000 characters' });
  expect(await patch(id, { outcome: `${longest}x` })).toMatchObject(refusal);
});

test('the outcome is erased with the name of a task, also in its events, and not written again', async () => {
  const { id: own } = await api.sandbox.make('/customers', { name: 'Forgotten' });
  const { id } = await make({ customer: own, outcome: 'Met Ann Smith' });
  successBody(await api.sandbox.post(`/customers/${own}/anonymize`));
  expect(await read(id)).toMatchObject({ name: 'Anonymized', outcome: null });
  expect(JSON.stringify(await eventsOf(id))).not.toContain('Ann Smith');
  const message = `Customer ${own} was anonymized and can no longer be changed`;
  expect(await patch(id, { outcome: 'Met Ann Smith' })).toMatchObject(refused({ param: 'outcome', message }));
  expect(await patch(id, { next })).toMatchObject(refused({ param: 'next', message }));
});

test('a task follows its customer into a merger with what happened and what comes next', async () => {
  const { id: from } = await api.sandbox.make('/customers', { name: 'Twice' });
  const { id } = await make({ customer: from, outcome: 'Nobody is there' });
  const { next_task } = successBody(await patch(id, { next }));
  successBody(await api.sandbox.post(`/customers/${customer}/merge`, { customer: from }));
  expect(await read(id)).toMatchObject({ customer, outcome: 'Nobody is there', next_task });
  expect(await read(next_task)).toMatchObject({ customer, name: 'Write' });
});

test('next creates the follow-up of a task, which it neither changes otherwise nor completes', async () => {
  const task = await make();
  const more = { due_date: NOW + 3 * DAY, user_id: member };
  const { next_task, ...rest } = successBody(await patch(task.id, { next: { ...next, ...more } }));
  expect(rest).toEqual({ ...rest, ...task, next_task: undefined, updated_at: rest.updated_at });
  const follow = await read(next_task);
  expect(follow).toMatchObject({ customer, ...next, ...more, complete: false, outcome: null, next_task: null });
  expect(await typesOf(follow.id)).toEqual(['task.created']);
  expect((await eventsOf(task.id))[0]).toMatchObject({
    type: 'task.updated',
    data: { object: { next_task }, previous: { next_task: null } },
  });
  expect(await read(task.id, '?expand=next_task')).toMatchObject({ next_task: follow });
});

test('one request says what happened, completes the task and plans the next one', async () => {
  const { id } = await make();
  const done = successBody(await patch(id, { outcome: 'Left a message', complete: true, next }));
  expect(done).toMatchObject({ outcome: 'Left a message', complete: true, next_task: expect.any(Number) });
  expect(await typesOf(id)).toEqual(['task.completed', 'task.created']);
});

test('a call is logged by one request: the task that is done, what was said, and the next contact', async () => {
  const { id, next_task } = await make({ outcome: 'She pays on Friday', complete: true, next });
  expect(await read(id)).toMatchObject({ customer, complete: true, outcome: 'She pays on Friday', next_task });
  expect(await read(next_task)).toMatchObject({ customer, ...next, complete: false });
  expect(await typesOf(id)).toEqual(['task.completed', 'task.created']);
  const count = async () => (await api.sandbox.get(`/tasks?filter[customer]=${customer}`)).body.length;
  const before = await count();
  const wrong = { ...next, user_id: 999_999 };
  const call = { customer, name: 'Called', action: 'phone', complete: true, next: wrong };
  expect(await api.sandbox.post('/tasks', call)).toMatchObject(refused({ param: 'next[user_id]' }));
  expect(await count()).toBe(before);
});

test('a task has one follow-up, also under a race, until that is deleted', async () => {
  const { id } = await make();
  const count = async () => (await api.sandbox.get(`/tasks?filter[customer]=${customer}`)).body.length;
  const before = await count();
  const answers = await Promise.all([0, 1, 2].map(() => patch(id, { next })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
  expect(await count()).toBe(before + 1);
  const { next_task } = await read(id);
  const message = `Task ${id} has the follow-up ${next_task} already`;
  expect(await patch(id, { next })).toMatchObject(refused({ param: 'next', message }));
  const second = `insert into task (account_id, id, customer_id, name, action, complete, follows_task_id, event_count, created_at, updated_at)
    select account_id, id + 1000000, customer_id, name, action, complete, follows_task_id, 0, now(), now() from task where follows_task_id = ?`;
  await expect(api.em.fork().execute(second, [id])).rejects.toThrow('task_follow_up');
  expect(await api.sandbox.delete(`/tasks/${next_task}`)).toMatchObject({ status: 204 });
  expect(await read(id)).toMatchObject({ next_task: null });
  expect((await eventsOf(id))[0]).toMatchObject({ type: 'task.updated', data: { previous: { next_task } } });
  expect(await patch(id, { next })).toMatchObject({ status: 200, body: { next_task: expect.any(Number) } });
  expect(await api.sandbox.delete(`/tasks/${id}`)).toMatchObject({ status: 204 });
});

test.each([
  [{ action: 'letter' }, 'next[name]', 'Name missing'],
  [{ name: 'x'.repeat(256), action: 'letter' }, 'next[name]', 'Name must have at most 255 characters'],
  [{ name: 'Write' }, 'next[action]', 'Action missing'],
  [{ ...next, action: 'shout' }, 'next[action]', 'Action must be one of phone, letter, email, review: shout'],
  [{ ...next, due_date: 'tomorrow' }, 'next[due_date]', 'Due date must be a number'],
  [{ ...next, user_id: 999_999 }, 'next[user_id]', 'User was not found: 999999'],
  [{ ...next, customer: 5 }, 'next[customer]', 'Unknown field customer; did you mean name?'],
  ['soon', 'next', 'Next must be an object'],
])('the follow-up %j is refused, naming %s', async (sent, param, message) => {
  const { id } = await make();
  expect(await patch(id, { name: 'Changed', next: sent })).toMatchObject(refused({ param, message }));
  expect(await read(id)).toMatchObject({ name: 'Call', next_task: null });
});

test('an outcome that was read in another language and is written back is stored as it was', async () => {
  const { id } = await make({ outcome: 'the invoice was voided', complete: true });
  const { body } = await api.sandbox.request('GET', `/tasks/${id}`, undefined, { 'accept-language': 'de' });
  expect(body.outcome).toBe('Die Rechnung wurde storniert');
  successBody(await patch(id, { outcome: body.outcome, name: 'Called' }));
  expect(await read(id)).toMatchObject({ name: 'Called', outcome: 'the invoice was voided' });
  successBody(await patch(id, { outcome: 'die Rechnung wurde bezahlt' }));
  expect(await read(id)).toMatchObject({ outcome: 'die Rechnung wurde bezahlt' });
});

test('a dry run tells what follows from the completion of a task, and stores nothing', async () => {
  const { sandbox } = api;
  const { id: customer } = await sandbox.make('/customers', { name: 'Foreseen' });
  const { id } = await sandbox.make('/tasks', { customer, name: 'Call', action: 'phone' });
  const before = (await sandbox.get(`/tasks/${id}`)).body;
  const next = { name: 'Call again', action: 'phone', due_date: 1_830_000_000 };
  const change = { complete: true, outcome: 'She pays', next };
  const foreseen = await sandbox.patch(`/tasks/${id}?dry_run=true`, change);
  expect(foreseen).toMatchObject({
    status: 200,
    body: {
      task: { id, complete: true, outcome: 'She pays', next_task: null },
      follow_up: { id: null, ...next, complete: false },
      solved_problem: null,
      asked_again: null,
      next_reminder: null,
    },
  });
  expect((await sandbox.get(`/tasks/${id}`)).body).toEqual(before);
  expect((await sandbox.get(`/tasks?filter[customer]=${customer}`)).body).toHaveLength(1);
  const refusal = await sandbox.patch(`/tasks/${id}?dry_run=true`, { completed_date: 1 });
  expect(refusal).toMatchObject({ status: 400, body: { param: 'completed_date' } });
});
