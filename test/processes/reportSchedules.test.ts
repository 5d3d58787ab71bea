import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { fastSweepConfig, steppedTime, stepTo } from '../support/steppedTime.ts';

/** Reports that are mailed to members, in real time that the test steps through. */

// A Saturday. In Berlin the clocks go from 2:00 to 3:00 on Sunday 28 March 2027.
const time = steppedTime('2027-03-27T12:00:00Z');
let product: Product;
beforeAll(async () => {
  product = await startProduct({ config: fastSweepConfig, systemNow: time.systemNow });
});
afterAll(() => product.close());

async function addMember(email: string, isLimited = false): Promise<number> {
  const [row] = await product.rows<{ id: number }>(
    `insert into member (account_id, email, name, role, is_limited, status, created_at, updated_at)
     select twin_id, ?, ?, 'read_only', ?, 'active', now(), now() from account where id = ? returning id`,
    [email, email.split('@')[0], isLimited, product.accountId],
  );
  return row?.id ?? 0;
}

test('each member gets what it may see, at its hour by the clock of the zone, until it may see nothing', async () => {
  const { client, mailbox } = product;
  const [ann, bob] = [await addMember('ann@example.com'), await addMember('bob@example.com', true)];
  const date = Date.parse('2027-03-26T12:00:00Z') / 1000;
  for (const [owner, unit_cost] of [
    [ann, 40],
    [bob, 2],
  ] as const) {
    const { id } = await client.post('/customers', { name: `Of ${owner}`, owner });
    await client.post('/invoices', { customer: id, date, items: [{ unit_cost }] });
  }
  const daily = await client.post('/report_schedules', {
    name: 'Owed',
    report: 'aging',
    parameters: { range: 'previous_day' },
    every: 'day',
    hour: 7,
    zone: 'Europe/Berlin',
    recipients: [ann, bob],
  });
  const weekly = await client.post('/report_schedules', {
    name: 'Week',
    report: 'roll_forward',
    format: 'xlsx',
    parameters: { range: 'previous_week' },
    every: 'week',
    weekday: 1,
    hour: 2,
    zone: 'Europe/Berlin',
    recipients: [ann],
  });
  await stepTo(product, time, '2027-03-29T12:00:00Z');
  const mails = await product.rows<{ to_address: string; subject: string; created_at: Date }>(
    `select e.to_address, e.subject, j.created_at from email e join job j on e.cause = 'job:' || j.id
     where e.template = 'report_email' order by j.created_at, e.to_address`,
  );
  const told = mails.map(({ to_address, subject, created_at }) => [
    to_address,
    subject,
    new Date(created_at).toISOString(),
  ]);
  // 7:00 in Berlin is 5:00 UTC from 28 March on. 2:00 on Monday 29 March is 0:00 UTC; its week is 22 to 28 March.
  expect(told).toEqual([
    ['ann@example.com', 'Owed: March 27, 2027', '2027-03-28T05:00:00.000Z'],
    ['bob@example.com', 'Owed: March 27, 2027', '2027-03-28T05:00:00.000Z'],
    ['ann@example.com', 'Week: March 22, 2027 – March 28, 2027', '2027-03-29T00:00:00.000Z'],
    ['ann@example.com', 'Owed: March 28, 2027', '2027-03-29T05:00:00.000Z'],
    ['bob@example.com', 'Owed: March 28, 2027', '2027-03-29T05:00:00.000Z'],
  ]);
  const exported = await product.rows(
    `select l.actor, l.actor_name, l.member_id from audit_log l join job j on l.object_id = j.id::text
     where l.kind = 'export' and l.operation = 'mailReport' and l.object_type = 'job' order by j.created_at, l.actor_name`,
  );
  const to = (member_id: number, actor_name: string) => ({ actor: 'system', actor_name, member_id });
  const [toAnn, toBob] = [to(ann, 'ann@example.com'), to(bob, 'bob@example.com')];
  expect(exported).toEqual([toAnn, toBob, toAnn, toAnn, toBob]);
  const csvOf = async (to: string) => {
    const { files } = await mailbox.waitFor((mail) => mail.to.includes(to), `the mail to ${to}`);
    return files.map(({ name, bytes }) => [name, bytes.toString().split('\r\n').slice(1, -1)] as const);
  };
  const totals = async (to: string) =>
    (await csvOf(to)).map(([name, lines]) => [name, lines.map((line) => line.split(',')[10])]);
  expect(await totals('ann@example.com')).toEqual([['aging_2027-03-27.csv', ['40', '2']]]);
  expect(await totals('bob@example.com')).toEqual([['aging_2027-03-27.csv', ['2']]]);
  expect((await client.get('/report_schedules/{id}', { id: weekly.id })).last_run).toMatchObject({
    day: '2027-03-29',
    skipped: [],
  });
  await product.rows(`update member set role = 'nothing' where id = ?`, [bob]);
  await stepTo(product, time, '2027-03-30T12:00:00Z');
  const { last_run } = await client.get('/report_schedules/{id}', { id: daily.id });
  expect(last_run).toMatchObject({
    day: '2027-03-30',
    jobs: [expect.any(Number)],
    skipped: [{ member: bob, reason: 'the member does not hold the permission reports.read' }],
  });
  const count = async () => (await product.rows(`select 1 from email where template = 'report_email'`)).length;
  expect(await count()).toBe(6); // one more, to Ann
  await client.delete('/report_schedules/{id}', { id: daily.id });
  await stepTo(product, time, '2027-04-01T12:00:00Z');
  expect(await count()).toBe(6);
  await expectSound(product);
});
