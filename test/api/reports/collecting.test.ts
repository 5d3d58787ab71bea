import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { type Client, startApi, successBody, type TestApi } from '../../support/api.ts';
import { disputeAtGateway } from '../../support/disputes.ts';
import { hearGateway, workUntil } from '../../support/dueWork.ts';
import { colleague } from '../../support/people.ts';

/** What became of promises, of failed payments and of disputes. The test moves the time, and takes the steps that are due until then. */

let api: TestApi;
let client: Client;
let now = Date.parse('2027-01-04T12:00:00Z') / 1000;

beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  client = api.sandbox;
  const settings = { time_zone: 'UTC', autopay_minimum_delay: 0, autopay_retry_days: [2] };
  await client.patch('/account', { ...settings, email_new_invoices: 'none' });
});
afterAll(async () => {
  expect(api.faults).toEqual([]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  await api.close();
});

const seconds = (day: string) => Date.parse(`${day}T12:00:00Z`) / 1000;
const work = () => ({
  accountId: client.account.id,
  now: () => now,
  moveTo: (to: number) => {
    now = to;
  },
  choose: <Value>(due: readonly Value[]) => due[0],
  around: async (take: () => Promise<unknown>) => void (await take()),
});
/** Takes the steps that are due until noon of a day. */
const on = (day: string) => workUntil(api, work(), seconds(day));
const customer = async (name: string, more = {}): Promise<number> =>
  (await client.make('/customers', { name, ...more })).id;
const invoice = async (of: number, amount: number, more = {}): Promise<number> =>
  (await client.make('/invoices', { customer: of, items: [{ unit_cost: amount }], ...more })).id;
const pay = (of: number, to: number, amount: number, more = {}) =>
  client.make('/payments', {
    customer: of,
    amount,
    method: 'check',
    applied_to: [{ type: 'invoice', invoice: to, amount }],
    ...more,
  });
const report = async (path: string) => {
  const { status, body } = await client.get(`/reports/${path}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};
const rowsOf = async (path: string) => (await report(path)).rows;

/** Follows each path of a row, and sums a money column of what it leads to. */
async function sumsBehind(row: { hrefs: Record<string, string> }, column: (id: string) => string, ids: string[]) {
  const sums: Record<string, number> = {};
  for (const id of ids) {
    const { body } = await client.get(`${row.hrefs[id]}`);
    sums[id] = body.totals[0]?.[column(id)] ?? 0;
  }
  return sums;
}

test('a promise is kept, broken, moved or open, as it was known', async () => {
  await on('2027-01-05');
  const id = await customer('Promising');
  const promise = async (of: number, day: string | null) =>
    successBody(
      await client.patch(`/invoices/${of}`, { expected_payment_date: day && { date: seconds(day), method: 'check' } }),
    );
  const [kept, broken, moved, open, late] = [
    await invoice(id, 1),
    await invoice(id, 2),
    await invoice(id, 4),
    await invoice(id, 8),
    await invoice(id, 16),
  ];
  for (const one of [kept, broken, moved, open, late]) await promise(one, '2027-01-10');
  await promise(kept, '2027-01-10'); // the same promise
  await on('2027-01-08');
  await promise(moved, '2027-01-20');
  await promise(open, null); // withdrawn
  await promise(open, '2027-02-10');
  await on('2027-01-09');
  const early = now;
  await pay(id, kept, 1);
  await on('2027-01-13');
  await promise(broken, '2027-01-25'); // it broke on 10 January
  await pay(id, late, 16, { date: seconds('2027-01-10') }); // in time, though recorded later
  await pay(id, broken, 2);
  await on('2027-01-30');
  const january = 'promises?start=2027-01-01&end=2027-01-31';
  const [row] = await rowsOf(january);
  // Kept: 1 and 16 for the 10th, 2 for the 25th. Broken: 2 for the 10th, 4 for the 20th. Moved: 4, and 8 that was withdrawn.
  expect(row).toMatchObject({
    name: 'Promising',
    count: 7,
    promised: 37,
    kept_count: 3,
    kept: 19,
    broken_count: 2,
    broken: 6,
    replaced_count: 2,
    replaced: 12,
    open_count: 0,
    kept_rate: 0.76, // 19 of 25
  });
  const parts = ['promised', 'kept', 'broken', 'replaced', 'open'];
  const { promised, kept: ofKept, broken: ofBroken, replaced, open: ofOpen } = row;
  expect(await sumsBehind(row, () => 'amount', parts)).toEqual({
    promised,
    kept: ofKept,
    broken: ofBroken,
    replaced,
    open: ofOpen,
  });
  expect(await rowsOf('promises?start=2027-02-01&end=2027-02-28')).toMatchObject([{ count: 1, open: 8 }]);
  // On 9 January, before the payment was recorded: 1, 2 and 16 were open, 4 and 8 moved.
  expect(await rowsOf(`${january}&known_at=${early - 1}`)).toMatchObject([
    { count: 6, open_count: 4, open: 23, replaced: 12 }, // 1 + 2 + 16, and 4 for the 20th
  ]);
});

test('failed payments are recovered, lost or still tried, by the reason of the first decline', async () => {
  await on('2027-03-01');
  const autopay = async (name: string, token: string, amount: number) => {
    const id = await customer(name, { autopay: true });
    await client.make(`/customers/${id}/payment_sources`, {
      method: 'credit_card',
      gateway_token: token,
      make_default: true,
    });
    return { id, invoice: await invoice(id, amount) };
  };
  await autopay('Retried', 'tok_script_soft.succeed', 1);
  const other = await autopay('Another card', 'tok_script_hard', 2);
  const check = await autopay('Check', 'tok_script_soft.soft', 4);
  await autopay('Stopped', 'tok_script_soft.soft', 8);
  const part = await autopay('Part', 'tok_script_hard', 16);
  const voided = await autopay('Voided', 'tok_script_hard', 32);
  await autopay('Paid at once', 'tok_script_succeed', 64);
  await on('2027-03-02');
  const range = 'recovery?start=2027-03-01&end=2027-03-01';
  // The retries of 3 March are to come; the hard declines have stopped AutoPay.
  const [soft, hard] = ['insufficient_funds', 'source_blocked'];
  const byCode = async (more = '') => {
    const rows = await rowsOf(`${range}${more}`);
    return Object.fromEntries(rows.map((row: { decline_code: string }) => [row.decline_code, row]));
  };
  const first = await byCode();
  expect(first[`${soft}`]).toMatchObject({ count: 3, tried: 13, recovered: 0, lost: 0, open: 13, recovery_rate: 0 });
  expect(first[`${hard}`]).toMatchObject({ count: 3, tried: 50, recovered: 0, lost: 50, lost_count: 3 });
  const early = now;
  const source = { method: 'credit_card', gateway_token: 'tok_4242424242424242', make_default: true };
  await client.make(`/customers/${other.id}/payment_sources`, source); // is charged at once
  await on('2027-03-05');
  await pay(check.id, check.invoice, 4);
  await pay(part.id, part.invoice, 10);
  successBody(await client.post(`/invoices/${part.invoice}/write_off`, { amount: 6, reason: 'Small' }));
  successBody(await client.post(`/invoices/${voided.invoice}/void`));
  await on('2027-03-06');
  const rows = await byCode();
  // Retried 1 after 2 days with 2 charges, and by check 4 after 4 days with 2; 8 is lost.
  expect(rows[`${soft}`]).toMatchObject({
    count: 3,
    tried: 13,
    recovered_count: 2,
    recovered: 5,
    by_retry: 1,
    by_other_source: 0,
    by_otherwise: 4,
    lost_count: 1,
    lost: 8,
    open: 0,
    recovery_rate: 0.3846, // 5 of 13
    days: 3, // (2 + 4) / 2
    charges: 2,
  });
  expect(rows[`${hard}`]).toMatchObject({
    tried: 50,
    recovered_count: 1,
    recovered: 12, // 2, and 10 of 16
    by_other_source: 2,
    by_otherwise: 10,
    lost_count: 2,
    lost: 38, // 6 and 32
  });
  for (const row of Object.values<{ hrefs: Record<string, string> }>(rows)) {
    const { tried, recovered, lost, by_retry, by_other_source, by_otherwise } = row as never as Record<string, number>;
    const numbers = { tried, recovered, lost, by_retry, by_other_source, by_otherwise };
    expect(await sumsBehind(row, (id) => id, Object.keys(numbers))).toEqual(numbers);
    for (const id of ['by_retry', 'by_other_source', 'by_otherwise'] as const) {
      const rows: Record<string, number>[] = (await client.get(row.hrefs[id] ?? '')).body.rows;
      expect([id, rows.every((one) => one.recovered === one[id])]).toEqual([id, true]); // no other way
    }
  }
  const lost = await rowsOf(`${range}&by=invoice&outcome=lost&decline_code=${soft}`);
  expect(lost).toMatchObject([{ name: 'Stopped', failed_on: '2027-03-01', charges: 2, lost: 8, days: null }]);
  expect((await byCode(`&known_at=${early - 1}`))[`${hard}`]).toMatchObject({ recovered: 0 });
  expect(await rowsOf('recovery?start=2027-03-03&end=2027-03-06')).toEqual([]); // no first failures
});

test('a disputed payment is held by the bank until it decides; its invoice is disputed while the rest is open', async () => {
  await on('2027-05-01');
  const id = await customer('Disputing');
  const owed = await invoice(id, 100);
  const { charge } = await client.make('/charges', {
    customer: id,
    amount: 30,
    method: 'credit_card',
    gateway_token: 'tok_4242424242424242',
    applied_to: [{ type: 'invoice', invoice: owed, amount: 30 }],
  });
  const rows = (sql: string, values: unknown[] = []) => api.em.fork().execute<Record<string, unknown>[]>(sql, values);
  const disputed = async (...days: string[]) => {
    const found: number[] = [];
    for (const day of days) found.push((await rowsOf(`aging?customer=${id}&as_of=${day}`))[0].disputed);
    return found;
  };
  await on('2027-05-03');
  const before = now;
  now += 3600;
  await disputeAtGateway({ rows }, charge.gateway_id, { status: 'open', amount: 30 });
  await hearAll();
  await on('2027-05-10');
  expect(await disputed('2027-05-02', '2027-05-03')).toEqual([0, 70]);
  expect(await rowsOf(`aging?customer=${id}&as_of=2027-05-03&known_at=${before}`)).toMatchObject([{ disputed: 0 }]);
  const back = `refunds_and_disputes?customer=${id}&start=2027-05-01`;
  expect(await rowsOf(`${back}&end=2027-05-02`)).toEqual([]);
  const held = { kind: 'open_dispute', date: '2027-05-03', amount: 0, held: 30 };
  expect(await rowsOf(`${back}&end=2027-05-09`)).toMatchObject([held]);
  await rows(`update test_gateway.dispute set status = 'lost', amount_lost = amount where charge_reference = ?`, [
    charge.gateway_id,
  ]);
  await hearAll();
  expect(await disputed('2027-05-03', '2027-05-09', '2027-05-10')).toEqual([70, 70, 0]);
  expect(await rowsOf(`${back}&end=2027-05-09`)).toMatchObject([held]);
  expect(await rowsOf(`${back}&end=2027-05-10`)).toMatchObject([
    { kind: 'dispute', date: '2027-05-10', amount: 30, held: 0 },
  ]);
});

/** Looks at the disputes of all charges. */
const hearAll = () => hearGateway(api, work());

test('a member that sees only its own customers has their numbers in each report, and no others', async () => {
  await on('2027-10-01');
  const member = await colleague(api, client, { role: 'administrator', isLimited: true });
  await client.make('/plans', { id: 'monthly', name: 'Monthly', amount: 100, interval: 'month', currency: 'usd' });
  const [own, foreign] = [await customer('Own', { owner: member.id }), await customer('Foreign')];
  for (const id of [own, foreign]) {
    const trial = { plan: 'monthly', trial_days: 10 };
    await client.make('/subscriptions', { customer: id, ...trial });
    const owed = await invoice(id, 8);
    await pay(id, owed, 3);
    successBody(await client.patch(`/invoices/${owed}`, { expected_payment_date: { date: seconds('2027-10-20') } }));
  }
  const range = 'start=2027-10-01&end=2027-10-31';
  for (const [path, count] of [
    [`upcoming?by=subscription&${range}`, 1],
    [`scheduled_mrr?${range}`, 1],
    [`promises?by=invoice&${range}`, 1],
    [`recovery?by=invoice&start=2027-01-01&end=2027-10-31`, 0],
    [`roll_forward?${range}`, 1],
    [`cash_received?by=payment&${range}`, 1],
  ] as const) {
    const { status, body } = await member.client.get(`/reports/${path}`);
    expect([path, status, body.rows?.length]).toEqual([path, 200, count]);
    const asked = (await report(`${path}&customer=${own}`)).rows.map(
      ({ hrefs: _hrefs, ...cells }: { hrefs: object }) => cells,
    );
    expect(body.rows.map(({ hrefs: _hrefs, ...cells }: { hrefs: object }) => cells)).toEqual(asked);
  }
  const [day] = await rowsOf(`upcoming?${range}`); // both trials end on 11 October
  expect(day).toMatchObject({ date: '2027-10-11', count: 2, total: 200 });
  expect(await sumsBehind(day, (id) => id, ['total'])).toEqual({ total: 200 });
  const [forward] = (await member.client.get(`/reports/roll_forward?${range}`)).body.rows;
  expect(forward).toMatchObject({ invoiced: 8, paid: -3, closing: 5 });
  const entriesOf = async (movement: string) =>
    (await member.client.get(forward.hrefs[movement])).body.rows.map((row: { customer: number; amount: number }) => [
      row.customer,
      row.amount,
    ]);
  expect([await entriesOf('invoiced'), await entriesOf('paid')]).toEqual([[[own, 8]], [[own, -3]]]);
});
