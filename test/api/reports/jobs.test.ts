import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Client, refused, startApi, type TestApi } from '../../support/api.ts';
import { colleague } from '../../support/people.ts';

/** What `/jobs` accepts, refuses and shows. Their work is in test/processes/jobs.test.ts. */

let api: TestApi;
let client: Client;
const NOW = '2028-02-29T18:00:00Z';
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(NOW) });
  client = api.sandbox;
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  await api.close();
});

const wanted = {
  type: 'report',
  report: 'aging',
  format: 'csv',
  parameters: { as_of: '2028-01-31', buckets: '30,60' },
};
const cancelAll = async () => {
  for (const { id } of (await client.get('/jobs?filter[status]=queued')).body) await client.post(`/jobs/${id}/cancel`);
};

test('a job fixes what was asked for, and a canceled one stays and has no file', async () => {
  const job = await client.make('/jobs', wanted);
  expect(job).toMatchObject({
    object: 'job',
    type: 'report',
    report: 'aging',
    format: 'csv',
    // What is posted until the end of the day counts if the day is not over yet; 31 January is over.
    parameters: {
      as_of: '2028-01-31',
      zone: 'UTC',
      known_at: Date.parse(NOW) / 1000,
      buckets: '30,60',
      customer: null,
    },
    status: 'queued',
    done: 0,
    total: null,
    refused: [],
    problem: null,
    file: null,
    member: expect.any(Number),
    finished_at: null,
    expires_at: null,
  });
  expect(await client.get(`/jobs/${job.id}/file`)).toMatchObject(
    refused({ code: 'state_conflict', message: `Job ${job.id} has no file: it is queued` }),
  );
  const canceled = await client.post(`/jobs/${job.id}/cancel`);
  const at = Date.parse(NOW) / 1000;
  expect(canceled).toMatchObject({
    status: 200,
    body: { status: 'canceled', file: null, finished_at: at, expires_at: at + 30 * 86_400 },
  });
  expect((await client.post(`/jobs/${job.id}/cancel`)).body.status).toBe('canceled');
  expect((await client.get(`/jobs/${job.id}`)).body).toEqual(canceled.body);
});

test('bad input is refused by name', async () => {
  const to = (change: object) => client.post('/jobs', { ...wanted, ...change });
  const refusals: [object, object][] = [
    [{ type: 'import' }, { param: 'type' }],
    [{ report: 'weather' }, { param: 'report' }],
    [{ report: undefined }, { code: 'parameter_missing', param: 'report' }],
    [{ format: 'pdf' }, { param: 'format' }],
    [{ parameters: { as_of: '2028-02-30' } }, { param: 'parameters[as_of]' }],
    [{ parameters: { zone: 'Mars' } }, { param: 'parameters[zone]' }],
    [{ parameters: { bucket: 'x' } }, { code: 'parameter_unknown', param: 'parameters[bucket]' }],
    [{ parameters: { asof: '2028-01-31' } }, { param: 'parameters[asof]', message: /did you mean as_of\?/ }],
    [{ parameters: [] }, { param: 'parameters' }],
    [{ parameters: { owner: {} } }, { param: 'parameters' }],
    [{ parameters: { buckets: '60,30' } }, { param: 'parameters[buckets]' }],
    [
      { report: 'journal', parameters: { start: '2028-02-01', end: '2028-01-31' } },
      { param: 'parameters[end]', message: 'The range ends on 2028-01-31, before it begins on 2028-02-01' },
    ],
    [{ report: 'trial_balance', parameters: { customer: 1 } }, { code: 'parameter_unknown' }],
  ];
  for (const [change, expected] of refusals) {
    const { message, ...rest } = expected as { message?: string | RegExp };
    const answer = await to(change);
    expect([change, answer]).toMatchObject([change, refused(rest)]);
    if (message) expect(answer.body.message).toMatch(message);
  }
  expect(await client.get('/jobs?filter[status]=queued')).toMatchObject({ body: [] });
});

test('ten jobs wait or run at a time, and a repeated request makes one', async () => {
  const key = { 'Idempotency-Key': 'one job' };
  const twins = await Promise.all([client.post('/jobs', wanted, key), client.post('/jobs', wanted, key)]);
  for (const { status } of twins) expect([201, 409]).toContain(status);
  expect((await client.post('/jobs', wanted, key)).body.id).toBe(twins.find(({ status }) => status === 201)?.body.id);
  const answers = await Promise.all(Array.from({ length: 11 }, () => client.post('/jobs', wanted)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(9); // and the one above
  expect(answers.find(({ status }) => status !== 201)).toMatchObject(
    refused({ code: 'limit_exceeded', message: 'At most 10 jobs wait or run at a time: wait for one, or cancel it' }),
  );
  await cancelAll();
  await client.make('/jobs', wanted);
  await cancelAll();
});

test('a member that sees only its own customers counts the jobs of the whole account', async () => {
  const limited = await colleague(api, client, { role: 'account_manager', isLimited: true });
  await Promise.all(Array.from({ length: 9 }, () => client.make('/jobs', wanted)));
  const { id } = await limited.client.make('/jobs', wanted);
  expect(await limited.client.post('/jobs', wanted)).toMatchObject(refused({ code: 'limit_exceeded' }));
  expect((await limited.client.get('/jobs')).body).toMatchObject([{ id }]);
  await cancelAll();
});

test('custom fields and columns are checked when it is asked for, and shown as they are given', async () => {
  await client.make('/custom_fields', { id: 'segment', name: 'Segment', object: 'customer' });
  const to = (parameters: object) => client.post('/jobs', { type: 'report', report: 'open_items', parameters });
  const refusals: [object, object][] = [
    [{ metadata: { sgment: 'Retail' } }, { param: 'parameters[metadata][sgment]', message: /did you mean segment\?/ }],
    [{ metadata: { segment: null } }, { param: 'parameters', message: /metadata\[segment\]/ }],
    [{ fields: 'segment,none' }, { param: 'parameters[fields]' }],
    [{ group_by: 'metadata.none' }, { param: 'parameters[group_by]' }],
    [{ group_by: 'open' }, { param: 'parameters[group_by]', message: /^group_by must be one of / }],
  ];
  for (const [parameters, { message = /./, ...expected }] of refusals as [object, { message?: RegExp }][]) {
    const answer = await to(parameters);
    expect([parameters, answer]).toMatchObject([parameters, refused({ code: 'parameter_invalid', ...expected })]);
    expect(answer.body.message).toMatch(message);
  }
  const given = { currency: 'usd', metadata: { segment: 'Retail' }, fields: 'segment', group_by: 'date:month' };
  const { body } = await to(given);
  expect(body.parameters).toMatchObject({ ...given, customer: null, owner: null });
  expect((await to(body.parameters)).body.parameters).toEqual(body.parameters);
  const { body: plain } = await to({ metadata: null });
  expect(plain.parameters).toMatchObject({ metadata: {}, fields: null, group_by: null });
  const query = 'currency=usd&metadata[segment]=Retail&fields=segment&group_by=date:month';
  expect((await client.get(`/reports/open_items?${query}`)).body.parameters).toEqual(given);
  expect((await client.get('/reports/aging?buckets=30,60')).body.parameters).toEqual({ buckets: '30,60' });
  expect((await client.get('/reports/aging')).body.parameters).toEqual({});
  await cancelAll();
});

test('who asked for a job cancels it, and who may change settings', async () => {
  const asker = await colleague(api, client, { role: 'read_only' });
  const other = await colleague(api, client, { role: 'read_only' });
  const [first, second] = [await asker.client.make('/jobs', wanted), await asker.client.make('/jobs', wanted)];
  expect(await other.client.post(`/jobs/${first.id}/cancel`)).toMatchObject(
    refused(
      {
        code: 'permission_missing',
        message: `Job ${first.id} is canceled by who asked for it, or with the permission settings.write`,
      },
      403,
    ),
  );
  expect((await other.client.get(`/jobs/${first.id}`)).body.status).toBe('queued');
  expect((await asker.client.post(`/jobs/${first.id}/cancel`)).body.status).toBe('canceled');
  expect((await client.post(`/jobs/${second.id}/cancel`)).body.status).toBe('canceled'); // an administrator
  const ofKey = await api.em
    .fork()
    .execute<{ id: number }[]>(`update job set member_id = null where id in (select max(id) from job) returning id`);
  expect(await other.client.post(`/jobs/${ofKey[0]?.id}/cancel`)).toMatchObject({ status: 403 });
});

test('a report by its name, as clients of other products ask for it', async () => {
  const made = await client.make('/reports', { type: 'dso', parameters: { end: '2028-01-31' } });
  expect(made).toMatchObject({ report: 'dso', parameters: { start: '2028-01-01', end: '2028-01-31' } });
  expect((await client.get(`/reports/${made.id}`)).body).toEqual((await client.get(`/jobs/${made.id}`)).body);
  expect((await client.get('/reports/dso')).body.name).toBe('dso');
  expect((await client.get('/reports/weather')).status).toBe(404);
  await cancelAll();
});

test('another account sees no job', async () => {
  const { id } = await client.make('/jobs', wanted);
  const { sandbox: other } = await api.open('Other');
  for (const { status } of [
    await other.get(`/jobs/${id}`),
    await other.get(`/jobs/${id}/file`),
    await other.post(`/jobs/${id}/cancel`),
    await api.live.get(`/jobs/${id}`),
  ])
    expect(status).toBe(404);
  expect((await other.get('/jobs')).body).toEqual([]);
  await cancelAll();
});

test('an answer of more rows than it may have says how to get them', async () => {
  const { id: customer } = await client.make('/customers', { name: 'Many' });
  const { id: invoice } = await client.make('/invoices', { customer, items: [{ unit_cost: 1 }] });
  await api.em.fork().execute(
    `insert into ledger_entry (account_id, posting, ledger_account, currency, amount, reason, posted_at, document_at, invoice_id)
     select account_id, md5(posting::text || n)::uuid, ledger_account, currency, amount, reason, posted_at, document_at, invoice_id
     from ledger_entry cross join generate_series(1, 5001) n where account_id = ? and invoice_id = ?`,
    [client.account.id, invoice],
  );
  expect(await client.get('/reports/journal')).toMatchObject(
    refused({
      code: 'limit_exceeded',
      message:
        'The report has more than 10000 rows: filter it, choose a shorter range, or let a job run it: POST /jobs',
    }),
  );
});
