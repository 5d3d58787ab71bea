import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { colleague } from '../../support/people.ts';

/** What `/jobs` accepts of acts on many objects. Their work is in test/processes/bulkJobs.test.ts. */

let api: TestApi;
let client: Client;
beforeAll(async () => {
  api = await startApi();
  client = api.sandbox;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const voiding = { type: 'bulk', action: 'void', list: 'invoices', ids: [1] };
const csv = { type: 'bulk', action: 'csv', list: 'customers' };
const cancel = async ({ id }: { id: number }) => client.post(`/jobs/${id}/cancel`);

test('bad input is refused by name', async () => {
  const refusals: [object, object][] = [
    [{ action: undefined }, { code: 'parameter_missing', param: 'action' }],
    [{ action: 'delete' }, { param: 'action' }],
    [{ list: undefined }, { code: 'parameter_missing', param: 'list' }],
    [{ list: 'customers' }, { param: 'list', message: /for invoices, estimates, credit_notes, not for customers/ }],
    [{ ids: undefined }, { code: 'parameter_missing', param: 'ids' }],
    [{ ids: [] }, { param: 'ids', message: 'There is no object to act on' }],
    [{ ids: ['x'] }, { param: 'ids[0]' }],
    [{ ids: Array.from({ length: 10_001 }, (_, index) => index + 1) }, { param: 'ids' }],
    [{ query: {} }, { param: 'query', message: 'Send ids or query, not both' }],
    [
      { ids: null, query: {} },
      { param: 'query', message: 'There is no object to act on' },
    ],
    [
      { ids: null, query: { 'filter[color]': 'red' } },
      { code: 'parameter_unknown', param: 'query[filter[color]]' },
    ],
    [{ ids: null, query: { page: '2' } }, { param: 'query[page]' }],
    [{ ids: null, query: { sort: 'color' } }, { param: 'query[sort]' }],
    [{ parameters: { owner: 1 } }, { code: 'parameter_unknown', param: 'parameters[owner]' }],
    [{ parameters: { ownr: 1 } }, { code: 'parameter_unknown', param: 'parameters[ownr]' }],
    [{ parameters: { rebill_usage: 'x' } }, { param: 'parameters[rebill_usage]' }],
    [{ action: 'write_off' }, { code: 'parameter_missing', param: 'parameters[reason]' }],
    [
      { action: 'assign', list: 'customers' },
      { code: 'parameter_missing', param: 'parameters[owner]' },
    ],
    [
      { action: 'assign', list: 'customers', parameters: { owner: 999 } },
      { code: 'resource_missing', param: 'parameters[owner]' },
    ],
    [
      { ...csv, parameters: { columns: 'nme' } },
      { param: 'parameters[columns]', message: /did you mean name\?/ },
    ],
    [{ report: 'aging' }, { param: 'report' }],
    [{ format: 'xlsx' }, { param: 'format' }],
    [{ type: 'report', report: 'aging', action: undefined, list: undefined }, { param: 'ids' }],
  ];
  for (const [change, { message, ...expected }] of refusals as [object, { message?: string | RegExp }][]) {
    const answer = await client.post('/jobs', { ...voiding, ...change });
    expect([change, answer]).toMatchObject([change, refused(expected)]);
    if (message) expect(answer.body.message).toMatch(message);
  }
  expect((await client.get('/jobs')).body).toEqual([]);
});

test('objects are those that the list finds at the time of the request', async () => {
  for (const [name, region] of [
    ['Alpha One', 'north'],
    ['Alpha Two', 'south'],
    ['Beta', 'north'],
  ])
    await client.make('/customers', { name, metadata: { region } });
  const totals: [object, number][] = [
    [{}, 3],
    [{ search: 'alpha' }, 2],
    [{ 'metadata[region]': 'north' }, 2],
    [{ search: 'alpha', metadata: { region: 'north' } }, 1],
  ];
  for (const [query, total] of totals) {
    const job = await client.make('/jobs', { ...csv, query, parameters: { columns: 'id,name' } });
    expect([query, job]).toMatchObject([
      query,
      {
        type: 'bulk',
        action: 'csv',
        list: 'customers',
        report: null,
        format: 'csv',
        parameters: { columns: 'id,name' },
        status: 'queued',
        total,
        done: 0,
        refused_count: 0,
        refused: [],
      },
    ]);
    await cancel(job);
  }
  const twice = await client.make('/jobs', { ...voiding, ids: [7, 7, 8] });
  expect(twice.total).toBe(2);
  await cancel(twice);
});

test('an act needs the permission of the route that does it to one object, and nothing of reports', async () => {
  const employee = await colleague(api, client, { role: 'employee' });
  const refusal = { code: 'permission_missing', message: 'action=void needs the permission corrections.write' };
  expect(await employee.client.post('/jobs', voiding)).toMatchObject(refused(refusal, 403));
  const sending = await employee.client.post('/jobs', { ...voiding, action: 'send' });
  expect(sending).toMatchObject({ status: 201 });
  const { id: role } = await client.make('/roles', { id: 'sales', name: 'Sales', permissions: ['customers.write'] });
  const sales = await colleague(api, client, { role: String(role) });
  const other = await colleague(api, client, { role: String(role) });
  const own = await sales.client.make('/jobs', { ...csv, query: {} });
  // Who writes customers may read all jobs about these, and none about invoices.
  expect((await other.client.get(`/jobs/${own.id}`)).status).toBe(200);
  expect((await other.client.get(`/jobs/${sending.body.id}`)).status).toBe(404);
  expect((await other.client.get('/jobs?filter[status]=queued')).body).toMatchObject([{ id: own.id }]);
  expect(await sales.client.post('/jobs', { ...csv, list: 'invoices', query: {} })).toMatchObject(
    refused({ code: 'permission_missing' }, 403),
  );
  expect(await sales.client.post('/jobs', { type: 'report', report: 'aging' })).toMatchObject(
    refused({ code: 'permission_missing' }, 403),
  );
  expect(
    await sales.client.post('/jobs', { ...csv, query: {}, parameters: { expand: 'parent_customer,tax_rates' } }),
  ).toMatchObject({ status: 201 });
});

test('the file of a CSV is for who may read all of its columns', async () => {
  await client.make('/payments', { amount: 5 });
  const parameters = { columns: 'amount,customer.email', expand: 'customer' };
  const job = await client.make('/jobs', { type: 'bulk', action: 'csv', list: 'payments', query: {}, parameters });
  const { id: role } = await client.make('/roles', { id: 'till', name: 'Till', permissions: ['payments.read'] });
  const till = await colleague(api, client, { role: String(role) });
  const refusal = { code: 'permission_missing', message: 'expand=customer needs the permission customers.read' };
  expect(await till.client.get(`/jobs/${job.id}/file`)).toMatchObject(refused(refusal, 403));
  expect(await client.get(`/jobs/${job.id}/file`)).toMatchObject(refused({ code: 'state_conflict' }));
  await cancel(job);
});
