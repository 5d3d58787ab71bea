import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { filesIn, jobAtEnd, limitedMember } from '../support/jobs.ts';
import { type Product, startProduct } from '../support/product.ts';
import { fastSweepConfig } from '../support/steppedTime.ts';

/** Jobs on real Temporal to which something happens while they run. */

let product: Product;
let now = Date.parse('2028-02-29T18:00:00Z');
beforeAll(async () => {
  product = await startProduct({ systemNow: () => new Date(now), config: fastSweepConfig });
  const { id: customer } = await product.client.post('/customers', { name: 'Ada' });
  await product.client.post('/invoices', { customer, items: [{ unit_cost: 2 }] });
});
afterAll(() => product.close());

const journal = () => product.client.post('/jobs', { type: 'report', report: 'journal' });

/** Does some work while a job reads, and lets it go on then. Returns the job at its end. */
async function amid(ask: () => Promise<{ id: number }>, work: (id: number) => Promise<unknown>) {
  await product.rows('create sequence gate');
  await product.rows(`create function is_open() returns boolean language plpgsql security definer as $$
    begin while (select last_value from gate) < 2 loop perform pg_sleep(0.05); end loop; return true; end $$`);
  await product.rows('create policy slow on ledger_entry as restrictive for select using (is_open())');
  const { id } = await ask();
  await product.row(
    `select 1 from pg_stat_activity where state = 'active' and wait_event = 'PgSleep' and datname = current_database()`,
  );
  await work(id);
  await product.rows(`select setval('gate', 2)`);
  const job = await jobAtEnd(product, id);
  await product.rows('drop policy slow on ledger_entry');
  await product.rows('drop function is_open()');
  await product.rows('drop sequence gate');
  return job;
}

test('who loses its rights while a job runs gets no file', async () => {
  const { memberId, client: limited } = await limitedMember(product, new Date(now));
  const ask = () => limited.post('/jobs', { type: 'report', report: 'aging' });
  const { id: customer } = await product.client.post('/customers', { name: 'Own', owner: memberId });
  await product.client.post('/invoices', { customer, items: [{ unit_cost: 5 }] });
  const files = filesIn(product);
  const losses: [string, string, string][] = [
    ["member set role = 'nothing'", "member set role = 'account_manager'", 'does not hold the permission reports.read'],
    ["member set status = 'deactivated'", "member set status = 'active'", 'the member is deactivated'],
    ['member set is_limited = false', 'member set is_limited = true', 'sees other customers than when the work began'],
    ['api_key set expires_at = created_at', 'api_key set expires_at = null', 'the API key has expired'],
    ['api_key set revoked_at = now()', 'api_key set revoked_at = null', 'the API key was revoked'],
  ];
  const where = (change: string) => `${change} where ${change.startsWith('member') ? 'id' : 'member_id'} = ?`;
  for (const [loss, remedy, reason] of losses) {
    const job = await amid(ask, () => product.rows(`update ${where(loss)}`, [memberId]));
    expect([loss, job]).toMatchObject([
      loss,
      { status: 'failed', file: null, problem: expect.stringContaining(reason) },
    ]);
    await product.rows(`update ${where(remedy)}`, [memberId]);
  }
  expect(filesIn(product)).toBe(files);
  let late = 0;
  await amid(journal, async () => {
    late = (await ask()).id; // an account runs one at a time
    await product.rows(`update ${where('api_key set expires_at = created_at')}`, [memberId]);
  });
  expect(await jobAtEnd(product, late)).toMatchObject({ status: 'failed', problem: 'the API key has expired' });
});

test('a run that is cut off begins anew, but not more than five times', async () => {
  const runs = async (id: number) =>
    (await product.rows<{ runs: number }>('select runs from job where id = ?', [id]))[0]?.runs;
  const cancelStatement = `select pg_cancel_backend(pid) from pg_stat_activity where state = 'active' and wait_event = 'PgSleep' and datname = current_database()`;
  const again = await amid(journal, async (id) => {
    await product.rows(cancelStatement);
    await product.row(`select runs from job where id = ${id}`, (job) => job.runs === 2);
  });
  expect(again).toMatchObject({ status: 'done', problem: null });
  const last = await amid(journal, async (id) => {
    await product.rows('update job set runs = 5 where id = ?', [id]); // as if it were the fifth
    await product.rows(cancelStatement);
    await product.row(`select status from job where id = ${id}`, ({ status }) => status !== 'running');
  });
  expect(last).toMatchObject({ status: 'failed', file: null, problem: expect.stringContaining('began 5 times') });
  expect(await runs(last.id)).toBe(5);
});

test('a job of a schedule that is canceled: the schedule says so', async () => {
  const { client } = product;
  const { memberId, client: limited } = await limitedMember(product, new Date(now));
  const schedule = await client.post('/report_schedules', {
    name: 'Aging',
    report: 'aging',
    parameters: { range: 'previous_day' },
    every: 'day',
    hour: new Date(now + 3_600_000).getUTCHours(),
    recipients: [memberId],
  });
  const lastRun = (holds: string) =>
    product.row<{ last_run: { jobs: number[]; skipped: object[] } }>(
      `select last_run from report_schedule where id = ${schedule.id} and ${holds}`,
    );
  await amid(journal, async () => {
    now += 3_600_000;
    const { jobs } = (await lastRun('last_run is not null')).last_run;
    await limited.post('/jobs/{id}/cancel', null, { id: jobs[0] ?? 0 });
    const { last_run } = await lastRun(`jsonb_array_length(last_run -> 'skipped') > 0`);
    expect(last_run.skipped).toEqual([{ member: memberId, reason: 'canceled' }]);
  });
  await client.delete('/report_schedules/{id}', { id: schedule.id });
  expect(await product.rows(`select 1 from email where template = 'report_email'`)).toEqual([]);
});
