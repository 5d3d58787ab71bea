import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { refused, startApi, successBody, type TestApi } from '../../support/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

test('a report shows one moment: money that is applied meanwhile is never counted twice or not at all', async () => {
  const { sandbox: client } = api;
  const { id: customer } = await client.make('/customers', { name: 'Ada' });
  const { id: invoice } = await client.make('/invoices', { customer, items: [{ unit_cost: 100 }] });
  const { id: payment } = await client.make('/payments', { customer, amount: 100, method: 'check' });
  const applied = [{ type: 'invoice', invoice, amount: 100 }];
  let isOver = false;
  const writing = (async () => {
    for (let n = 0; !isOver; n++)
      await client.patch(`/payments/${payment}`, { applied_to: n % 2 === 0 ? applied : [] });
  })();
  const nets: number[] = [];
  for (let n = 0; n < 80; n++) {
    const { rows } = successBody(await client.get('/reports/aging'));
    // 100 is owed and 100 unapplied, or nothing is either.
    nets.push(...rows.map((row: { net: number }) => row.net));
  }
  isOver = true;
  await writing;
  expect(nets.filter((net) => net !== 0)).toEqual([]);
});

test('an answer takes no longer to read than one statement may take, and refers to a job', async () => {
  const { sandbox: client } = api;
  const { id: customer } = await client.make('/customers', { name: 'Bob' });
  await client.make('/invoices', { customer, items: [{ unit_cost: 100 }] });
  await client.make('/payments', { customer, amount: 50, method: 'check', applied_to: [] });
  const owner = new pg.Client({ connectionString: api.databaseUrl });
  await owner.connect();
  try {
    // Each of the two statements of aging reads this customer, and none takes five seconds.
    await owner.query(
      `create policy slow on customer as restrictive for select using (id <> ${customer} or pg_sleep(3) is not null)`,
    );
    const answer = await client.get(`/reports/aging?customer=${customer}`);
    expect(answer).toMatchObject(refused({ code: 'limit_exceeded' }));
  } finally {
    await owner.query('drop policy slow on customer');
    await owner.end();
  }
});
