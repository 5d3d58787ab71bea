import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { takeSubscriptionSteps } from '../../support/subscriptionSteps.ts';

/** Pauses of subscriptions: by request and by time, and what is billed after them. The test takes the steps as their processes would. */

const day = (month: number, date: number) => Date.UTC(2027, month - 1, date) / 1000;
const [MARCH, APRIL, MAY, JUNE] = [day(3, 1), day(4, 1), day(5, 1), day(6, 1)];
let now = MARCH;
let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  customer = (await api.sandbox.make('/customers', { name: 'Resting', currency: 'usd' })).id;
  await api.sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
});
afterAll(() => api.close());

async function advanceTo(id: number, seconds: number): Promise<void> {
  now = seconds;
  await takeSubscriptionSteps(api.em, { accountId: api.sandbox.account.id, id }, new Date(now * 1000));
}

/** Starts in March and bills it. */
async function begin(body: object = {}): Promise<number> {
  now = MARCH;
  const { id } = await api.sandbox.make('/subscriptions', { customer, plan: 'gold', ...body });
  await advanceTo(id, MARCH);
  return id;
}

const read = async (id: number) => (await api.sandbox.get(`/subscriptions/${id}`)).body;
const change = (id: number, body: object) => api.sandbox.patch(`/subscriptions/${id}`, body);
const billed = async (id: number): Promise<number[]> =>
  (await api.sandbox.get(`/invoices?filter[subscription]=${id}`)).body.map(({ date }: { date: number }) => date);

test('a pause with resume_at ends by itself, and the next period that begins is billed', async () => {
  const id = await begin();
  expect((await change(id, { paused: true, resume_at: day(4, 20) })).body).toMatchObject({
    paused: true,
    resume_at: day(4, 20),
    resume_mode: 'continue',
  });
  await advanceTo(id, APRIL);
  expect(await billed(id)).toEqual([MARCH]);
  await advanceTo(id, day(4, 20));
  expect(await read(id)).toMatchObject({ paused: false, resume_at: null });
  await advanceTo(id, MAY);
  expect(await billed(id)).toEqual([MARCH, MAY]);
});

test('resume_mode new bills a period at once, from which the others are counted, and keeps the start date', async () => {
  const id = await begin();
  await change(id, { paused: true, resume_at: day(4, 20), resume_mode: 'new' });
  await advanceTo(id, JUNE);
  expect(await billed(id)).toEqual([MARCH, day(4, 20), day(5, 20)]);
  const period = { period_start: day(5, 20), period_end: day(6, 20) };
  expect(await read(id)).toMatchObject({ ...period, start_date: MARCH, resume_mode: 'continue' });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('a period that begins at resume_at is billed', async () => {
  const id = await begin();
  await change(id, { paused: true, resume_at: MAY });
  await advanceTo(id, MAY);
  expect(await billed(id)).toEqual([MARCH, MAY]);
});

test.each([
  ['continue', [MARCH, MAY, JUNE]],
  ['new', [MARCH, day(4, 20), day(5, 20)]],
])(
  'with mode %s it does not matter whether the process or a request comes first after resume_at',
  async (resume_mode, bills) => {
    const id = await begin();
    await change(id, { paused: true, resume_at: day(4, 20), resume_mode });
    now = JUNE;
    await change(id, { paused: false, resume_mode: 'continue' });
    await advanceTo(id, JUNE);
    expect(await billed(id)).toEqual(bills);
  },
);

test('a pause within the last period of a contract ends before its renewal', async () => {
  const contract = { cycles: 1, contract_renewal_mode: 'auto' };
  const id = await begin(contract);
  await change(id, { paused: true, resume_at: day(3, 20), resume_mode: 'new' });
  await advanceTo(id, APRIL);
  expect(await billed(id)).toEqual([MARCH, APRIL]);
  expect(await read(id)).toMatchObject({ paused: false, contract_period_start: APRIL, contract_period_end: MAY });
});

test('a contract that is to be renewed by request ends its pause', async () => {
  const id = await begin({ cycles: 1, contract_renewal_mode: 'manual' });
  await change(id, { paused: true, resume_at: day(4, 20) });
  await advanceTo(id, MAY);
  expect(await read(id)).toMatchObject({ paused: false, resume_at: null, pending_renewal: true });
});

test('a canceled subscription has no time to resume', async () => {
  const id = await begin();
  await change(id, { paused: true, resume_at: MAY });
  expect((await api.sandbox.delete(`/subscriptions/${id}`)).body).toMatchObject({
    status: 'canceled',
    resume_at: null,
  });
});

test('the same request twice changes nothing the second time, and a mode without a pause has no effect', async () => {
  const id = await begin();
  await change(id, { paused: true, resume_at: MAY, resume_mode: 'new' });
  const { updated_at } = await read(id);
  now += 60;
  expect((await change(id, { paused: true, resume_at: MAY, resume_mode: 'new' })).body).toMatchObject({ updated_at });
  now = day(6, 2); // the time to resume has passed, and the process is late
  const other = await change(id, { resume_at: MAY, metadata: { a: 'b' } });
  expect(other).toMatchObject({ status: 200, body: { metadata: { a: 'b' } } });
  await change(id, { paused: false });
  const running = await read(id);
  now += 60;
  await change(id, { paused: false, resume_mode: 'new' });
  expect(await read(id)).toEqual(running);
  expect(running).toMatchObject({ paused: false, resume_mode: 'continue' });
});

test('a request resumes with a mode of its own', async () => {
  const id = await begin();
  await change(id, { paused: true });
  now = day(4, 20);
  await change(id, { paused: false, resume_mode: 'new' });
  await advanceTo(id, day(4, 20));
  expect(await billed(id)).toEqual([MARCH, day(4, 20)]);
});

test('resuming anew keeps the cycles of the contract that are billed, and a short first period is none', async () => {
  const id = await begin({ cycles: 3 });
  await change(id, { paused: true, resume_at: day(4, 20), resume_mode: 'new' });
  await advanceTo(id, day(4, 20));
  expect(await read(id)).toMatchObject({ contract_period_start: MARCH, contract_period_end: day(6, 20) });
  await advanceTo(id, day(6, 20));
  expect(await read(id)).toMatchObject({ status: 'finished' });
  expect(await billed(id)).toEqual([MARCH, day(4, 20), day(5, 20)]);

  const snapped = await begin({ start_date: day(3, 20), snap_to_nth_day: 1, cycles: 2 });
  await advanceTo(snapped, day(3, 20));
  await change(snapped, { paused: true, resume_at: day(4, 20), resume_mode: 'new' });
  await advanceTo(snapped, day(7, 1));
  expect(await billed(snapped)).toEqual([day(3, 20), day(4, 20), MAY, JUNE]); // two short ones and two cycles
  expect(await read(snapped)).toMatchObject({ status: 'finished' });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test.each([
  ['whole, then short', MARCH, day(4, 20), [MARCH, day(4, 20), MAY]],
  ['short, then whole', day(3, 20), MAY, [day(3, 20), MAY, JUNE]],
])(
  'with a snap day a subscription that resumes anew has its first period %s',
  async (_, start_date, resume_at, bills) => {
    const id = await begin({ start_date, snap_to_nth_day: 1 });
    await advanceTo(id, start_date);
    await change(id, { paused: true, resume_at, resume_mode: 'new' });
    await advanceTo(id, bills.at(-1) ?? 0);
    expect(await billed(id)).toEqual(bills);
    expect(await auditDatabase(api.databaseUrl)).toEqual([]);
  },
);

test('an earlier resume by request ends the wait, and a pause can lose its end', async () => {
  const id = await begin();
  await change(id, { paused: true, resume_at: day(5, 20) });
  now = day(4, 2);
  expect((await change(id, { paused: false })).body).toMatchObject({ paused: false, resume_at: null });
  await change(id, { paused: true, resume_at: day(5, 20) });
  expect((await change(id, { resume_at: null })).body).toMatchObject({ paused: true, resume_at: null });
  await advanceTo(id, JUNE);
  expect(await billed(id)).toEqual([MARCH]);
});

test.each([
  [{ resume_at: day(5, 1) }, 'resume_at', 'Resume at needs paused: true'],
  [{ paused: false, resume_at: day(5, 1) }, 'resume_at', 'Resume at needs paused: true'],
  [{ paused: true, resume_at: MARCH }, 'resume_at', 'Resume at must be in the future'],
  [{ paused: true, resume_mode: 'later' }, 'resume_mode', 'Resume mode must be one of continue, new: later'],
])('%j is refused, naming %s', async (body, param, message) => {
  const id = await begin();
  expect(await change(id, body)).toMatchObject(refused({ param, message }));
  expect(await read(id)).toMatchObject({ paused: false, resume_at: null });
});
