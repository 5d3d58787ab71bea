import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { type Colleague, colleague } from '../../support/people.ts';

/** What `/report_schedules` accepts, refuses and shows. Their runs are in test/processes/reportSchedules.test.ts. */

let api: TestApi;
let client: Client;
let reader: Colleague;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date('2028-02-29T18:00:00Z') });
  client = api.sandbox;
  reader = await colleague(api, client, { role: 'read_only' });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const weekly = () => ({
  name: 'Aging',
  report: 'aging',
  parameters: { range: 'previous_week', buckets: '30,60' },
  every: 'week',
  weekday: 1,
  hour: 7,
  recipients: [reader.id],
});
const wakeupOf = async (id: number) => {
  const sql = `select at from wakeup where process = 'report_schedule' and subject_id = ?`;
  const rows = await api.em.fork().execute<{ at: Date }[]>(sql, [id]);
  return rows.map(({ at }) => new Date(at).toISOString());
};

test('it is created, planned, changed and deleted', async () => {
  const made = await client.make('/report_schedules', weekly());
  expect(made).toMatchObject({
    object: 'report_schedule',
    format: 'csv',
    parameters: { range: 'previous_week', buckets: '30,60', currency: null, customer: null, owner: null },
    weekday: 1,
    day: null,
    zone: 'UTC',
    last_run: null,
  });
  expect(await wakeupOf(made.id)).toEqual(['2028-03-06T07:00:00.000Z']); // Tuesday 29 February; the next Monday
  const { body: changed } = await client.patch(`/report_schedules/${made.id}`, { every: 'month', day: 31, hour: 0 });
  expect(changed).toMatchObject({ every: 'month', weekday: null, day: 31, hour: 0, name: 'Aging' });
  expect(await wakeupOf(made.id)).toEqual(['2028-03-31T00:00:00.000Z']); // the run of 29 February was before it was made
  expect((await client.patch(`/report_schedules/${made.id}`, changed)).body).toEqual(changed);
  expect((await client.delete(`/report_schedules/${made.id}`)).status).toBe(204);
  expect(await wakeupOf(made.id)).toEqual([]);
  expect((await client.get(`/report_schedules/${made.id}`)).status).toBe(404);
});

test('its parameters are changed by what it shows, and custom fields and columns are checked', async () => {
  await client.make('/custom_fields', { id: 'segment', name: 'Segment', object: 'customer' });
  const given = { range: 'previous_month', metadata: { segment: 'Retail' }, fields: 'segment', group_by: 'date:month' };
  const items = { ...weekly(), report: 'open_items' };
  const { id, parameters } = await client.make('/report_schedules', { ...items, parameters: given });
  const path = `/report_schedules/${id}`;
  expect(parameters).toEqual({ ...given, currency: null, customer: null, owner: null });
  const to = (change: object) => client.patch(path, { parameters: { ...parameters, ...change } });
  expect((await to({})).body.parameters).toEqual(parameters);
  for (const [change, param] of [
    [{ metadata: { none: 'x' } }, 'parameters[metadata][none]'],
    [{ metadata: { segment: null } }, 'parameters'],
    [{ fields: 'none' }, 'parameters[fields]'],
    [{ group_by: 'open' }, 'parameters[group_by]'],
  ] as const) {
    expect([change, await to(change)]).toMatchObject([change, refused({ param })]);
    const other = { ...items, parameters: { ...given, ...change } };
    expect([change, await client.post('/report_schedules', other)]).toMatchObject([change, refused({ param })]);
  }
  expect((await client.get(path)).body.parameters).toEqual(parameters);
  expect((await to({ metadata: null, fields: null, group_by: null })).body.parameters).toMatchObject({
    metadata: {},
    fields: null,
    group_by: null,
  });
  await client.delete(path);
});

test('bad input is refused by name', async () => {
  const nobody = await colleague(api, client, { role: 'nobody' });
  const gone = await colleague(api, client, { role: 'read_only', status: 'deactivated' });
  const limited = await colleague(api, client, { role: 'read_only', isLimited: true });
  const lacks = 'does not hold the permission reports.read';
  const refusals: [object, object][] = [
    [
      { recipients: [nobody.id] },
      { param: 'recipients', message: `Member ${nobody.id} cannot get the report: the member ${lacks}` },
    ],
    [{ recipients: [gone.id] }, { message: `Member ${gone.id} cannot get the report: the member is deactivated` }],
    [{ recipients: [reader.id, 99_999] }, { message: 'Member 99999 cannot get the report: it was not found' }],
    [
      { report: 'trial_balance', parameters: { range: 'previous_day' }, recipients: [limited.id] },
      {
        message: `Member ${limited.id} cannot get the report: the report concerns all customers, and the member sees only its own`,
      },
    ],
    [{ recipients: [] }, { param: 'recipients' }],
    [{ recipients: [reader.id, reader.id] }, { param: 'recipients' }],
    [{ report: 'weather' }, { param: 'report' }],
    [{ format: 'json' }, { param: 'format' }],
    [{ parameters: {} }, { param: 'parameters[range]' }],
    [{ parameters: { range: 'yesterday' } }, { param: 'parameters[range]' }],
    [{ parameters: { range: 'previous_day', as_of: '2028-01-01' } }, { param: 'parameters[as_of]' }],
    [{ parameters: { range: 'previous_day', currency: 'xx' } }, { param: 'parameters[currency]' }],
    [{ every: 'year' }, { param: 'every' }],
    [{ weekday: 8 }, { param: 'weekday' }],
    [{ weekday: null }, { param: 'day', message: 'Day must be 1 to 7 for a report of each week' }],
    [{ every: 'day' }, { param: 'weekday', message: 'A report of each day has no weekday' }],
    [{ hour: 24 }, { param: 'hour' }],
    [{ zone: 'Mars' }, { param: 'zone' }],
  ];
  for (const [change, expected] of refusals)
    expect([change, await client.post('/report_schedules', { ...weekly(), ...change })]).toMatchObject([
      change,
      refused(expected),
    ]);
  expect((await client.get('/report_schedules')).body).toEqual([]);
});

test('who made it or may change settings changes it; members that see only their own customers see none', async () => {
  const manager = await colleague(api, client, { role: 'account_manager' });
  const other = await colleague(api, client, { role: 'account_manager' });
  const limited = await colleague(api, client, { role: 'account_manager', isLimited: true });
  const { id } = await manager.client.make('/report_schedules', weekly());
  const path = `/report_schedules/${id}`;
  const denied = refused({ code: 'permission_missing' }, 403);
  expect(await reader.client.post('/report_schedules', weekly())).toMatchObject(denied);
  expect(await reader.client.get(path)).toMatchObject({ status: 200, body: { member: manager.id } });
  expect(await other.client.patch(path, { hour: 8 })).toMatchObject(denied);
  expect(await other.client.delete(path)).toMatchObject(denied);
  expect(await limited.client.get('/report_schedules')).toMatchObject(denied);
  expect((await manager.client.patch(path, { hour: 8 })).body.hour).toBe(8);
  const { sandbox: foreign } = await api.open('Other');
  expect((await foreign.get(path)).status).toBe(404);
  expect((await foreign.delete(path)).status).toBe(404);
  expect((await client.delete(path)).status).toBe(204); // an administrator
});
