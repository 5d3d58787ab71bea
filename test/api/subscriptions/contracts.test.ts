import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { auditDatabase } from '../../../bin/audit.ts';
import { refused, startApi, type TestApi } from '../../support/api.ts';
import { takeSubscriptionSteps } from '../../support/subscriptionSteps.ts';

/** Contracts of subscriptions and what follows their end. The test takes the steps as their processes would. */

const month = (n: number) => Date.UTC(2027, n) / 1000;
const [MARCH, APRIL, MAY, JUNE, JULY] = [month(2), month(3), month(4), month(5), month(6)];
let now = MARCH;
let api: TestApi;
let customer: number;
beforeAll(async () => {
  api = await startApi({ systemNow: () => new Date(now * 1000) });
  customer = (await api.sandbox.make('/customers', { name: 'Bound', currency: 'usd' })).id;
  await api.sandbox.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
});
afterAll(() => api.close());

/** Takes all steps that are due at a time. */
async function advanceTo(id: number, seconds: number): Promise<void> {
  now = seconds;
  await takeSubscriptionSteps(api.em, { accountId: api.sandbox.account.id, id }, new Date(now * 1000));
}

/** Starts a contract in March and takes its first step. */
async function begin(body: object): Promise<number> {
  now = MARCH;
  const { id } = await api.sandbox.make('/subscriptions', { customer, plan: 'gold', ...body });
  await advanceTo(id, MARCH);
  return id;
}

const read = async (id: number) => (await api.sandbox.get(`/subscriptions/${id}`)).body;
const renew = (id: number, body: object = {}) => api.sandbox.post(`/subscriptions/${id}/renew`, body);
const billed = async (id: number): Promise<number[]> =>
  (await api.sandbox.get(`/invoices?filter[subscription]=${id}`)).body.map(({ date }: { date: number }) => date);

test('auto: a contract is followed by another one, of as many cycles or of those agreed, without a gap', async () => {
  const id = await begin({ cycles: 2, contract_renewal_mode: 'auto', contract_renewal_cycles: 1 });
  expect(await read(id)).toMatchObject({ cycles: 2, contract_period_start: MARCH, contract_period_end: MAY });
  await advanceTo(id, MAY);
  const second = { status: 'active', cycles: 1, contract_renewal_mode: 'auto', pending_renewal: false };
  expect(await read(id)).toMatchObject({ ...second, contract_period_start: MAY, contract_period_end: JUNE });
  await advanceTo(id, JUNE);
  expect(await read(id)).toMatchObject({ ...second, contract_period_start: JUNE, contract_period_end: JULY });
  expect(await billed(id)).toEqual([MARCH, APRIL, MAY, JUNE]);
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('renew_once: a second contract, then the end', async () => {
  const id = await begin({ cycles: 1, contract_renewal_mode: 'renew_once' });
  await advanceTo(id, APRIL);
  expect(await read(id)).toMatchObject({ cycles: 1, contract_renewal_mode: 'none', contract_period_end: MAY });
  await advanceTo(id, MAY);
  expect(await read(id)).toMatchObject({ status: 'finished' });
  expect(await billed(id)).toEqual([MARCH, APRIL]);
});

test('manual: it waits for its renewal without bills, and the new contract starts at the end of the old one', async () => {
  const id = await begin({ cycles: 1, contract_renewal_mode: 'manual' });
  expect(await renew(id)).toMatchObject(
    refused({ message: 'Subscription has no contract that waits for its renewal' }),
  );
  await advanceTo(id, JUNE);
  const waiting = { status: 'active', pending_renewal: true, period_start: null, period_end: null };
  expect(await read(id)).toMatchObject({ ...waiting, contract_period_end: APRIL });
  expect(await billed(id)).toEqual([MARCH]);
  expect(await renew(id, { cycles: 0 })).toMatchObject(refused({ param: 'cycles' }));
  expect(await renew(id, { cycles: 10_000 })).toMatchObject(refused({ message: '10000 cycles must end before 2200' }));
  const pausing = await api.sandbox.patch(`/subscriptions/${id}`, { paused: true });
  expect(pausing).toMatchObject(refused({ param: 'paused' }));
  const { status, body } = await renew(id, { cycles: 3 });
  expect([status, body]).toMatchObject([200, { pending_renewal: false, cycles: 3, contract_period_start: APRIL }]);
  await advanceTo(id, JUNE);
  expect(await billed(id)).toEqual([MARCH, APRIL, MAY, JUNE]);
  expect(await read(id)).toMatchObject({ contract_period_end: JULY, period_start: JUNE, period_end: JULY });
  await advanceTo(id, JULY);
  expect(await read(id)).toMatchObject({ pending_renewal: true });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('a contract renewed with start: "now" counts its periods from now, and bills no period between', async () => {
  const id = await begin({ cycles: 1, contract_renewal_mode: 'manual', contract_renewal_cycles: 2 });
  const midJune = JUNE + 14 * 86_400;
  const midJuly = Date.UTC(2027, 6, 15) / 1000;
  await advanceTo(id, midJune);
  const { body } = await renew(id, { start: 'now' });
  expect(body).toMatchObject({ cycles: 2, start_date: MARCH, contract_period_start: midJune });
  await advanceTo(id, midJune);
  expect(await read(id)).toMatchObject({ period_start: midJune, period_end: midJuly });
  await advanceTo(id, midJuly);
  expect(await billed(id)).toEqual([MARCH, midJune, midJuly]);
  expect(await read(id)).toMatchObject({ contract_period_end: Date.UTC(2027, 7, 15) / 1000 });
  expect(await auditDatabase(api.databaseUrl)).toEqual([]);
});

test('a contract that waits for its renewal can be canceled, at once or with the date of its end', async () => {
  const atOnce = await begin({ cycles: 1, contract_renewal_mode: 'manual' });
  const atEnd = await begin({ cycles: 1, contract_renewal_mode: 'manual' });
  await advanceTo(atOnce, MAY);
  await advanceTo(atEnd, MAY);
  expect((await api.sandbox.delete(`/subscriptions/${atOnce}`)).body).toMatchObject({ canceled_at: MAY });
  await api.sandbox.patch(`/subscriptions/${atEnd}`, { cancel_at_period_end: true });
  await advanceTo(atEnd, MAY);
  expect(await read(atEnd)).toMatchObject({ status: 'canceled', canceled_at: APRIL, pending_renewal: false });
  for (const id of [atOnce, atEnd])
    expect(await renew(id)).toMatchObject(refused({ message: 'Subscription is already canceled' }));
});

test('a cancellation at the end of the contract comes before its renewal, and can be undone', async () => {
  const canceled = await begin({ cycles: 1, contract_renewal_mode: 'auto', cancel_at_period_end: true });
  const kept = await begin({ cycles: 1, contract_renewal_mode: 'auto', cancel_at_period_end: true });
  await api.sandbox.patch(`/subscriptions/${kept}`, { cancel_at_period_end: false });
  await advanceTo(canceled, APRIL);
  await advanceTo(kept, APRIL);
  expect(await read(canceled)).toMatchObject({ status: 'canceled', canceled_at: APRIL });
  expect(await read(kept)).toMatchObject({ status: 'active', contract_period_start: APRIL });
});

test('the terms of the renewal can be changed until the contract ends', async () => {
  const id = await begin({ cycles: 1 });
  const change = { contract_renewal_mode: 'auto', contract_renewal_cycles: 12 };
  for (const contract_renewal_mode of ['manual', 'renew_once', 'none', 'auto']) {
    const changed = { ...change, contract_renewal_mode };
    expect((await api.sandbox.patch(`/subscriptions/${id}`, changed)).body).toMatchObject(changed);
  }
  await advanceTo(id, APRIL);
  expect(await read(id)).toMatchObject({ cycles: 12, contract_period_start: APRIL });
  const endless = await begin({});
  const answer = await api.sandbox.patch(`/subscriptions/${endless}`, change);
  expect(answer).toMatchObject(refused({ param: 'contract_renewal_mode' }));
});

test('a contract that waits for its renewal follows a change of its mode', async () => {
  const renewed = await begin({ cycles: 1, contract_renewal_mode: 'manual' });
  const ended = await begin({ cycles: 1, contract_renewal_mode: 'manual' });
  await advanceTo(renewed, MAY);
  await advanceTo(ended, MAY);
  await api.sandbox.patch(`/subscriptions/${renewed}`, { contract_renewal_mode: 'auto' });
  await advanceTo(renewed, MAY);
  expect(await billed(renewed)).toEqual([MARCH, APRIL, MAY]);
  await api.sandbox.patch(`/subscriptions/${ended}`, { contract_renewal_mode: 'none' });
  await advanceTo(ended, MAY);
  expect(await read(ended)).toMatchObject({ status: 'finished', pending_renewal: false });
});

test('a renewal by itself of more cycles than there are dates is shown to end with the last one', async () => {
  const id = await begin({ cycles: 1, contract_renewal_mode: 'auto', contract_renewal_cycles: 10_000 });
  await advanceTo(id, APRIL);
  expect(await read(id)).toMatchObject({ cycles: 10_000, contract_period_end: 7_258_118_399 });
});

test('a pause lengthens the contract', async () => {
  const id = await begin({ cycles: 2 });
  await api.sandbox.patch(`/subscriptions/${id}`, { paused: true });
  now = MAY + 86_400;
  await api.sandbox.patch(`/subscriptions/${id}`, { paused: false });
  await advanceTo(id, JUNE);
  expect(await billed(id)).toEqual([MARCH, JUNE]); // April and May were paused
  expect(await read(id)).toMatchObject({ contract_period_start: MARCH, contract_period_end: JULY });
});

test('neither a short first period nor a paused one is a cycle', async () => {
  const start_date = Date.UTC(2027, 2, 20) / 1000;
  const id = await begin({ start_date, snap_to_nth_day: 1, cycles: 2 });
  await advanceTo(id, APRIL);
  await api.sandbox.patch(`/subscriptions/${id}`, { paused: true });
  now = MAY + 86_400;
  await api.sandbox.patch(`/subscriptions/${id}`, { paused: false });
  await advanceTo(id, JUNE);
  expect(await billed(id)).toEqual([start_date, APRIL, JUNE]);
  expect(await read(id)).toMatchObject({ status: 'active', contract_period_end: JULY });
  await advanceTo(id, JULY);
  expect(await read(id)).toMatchObject({ status: 'finished' });
});

test('the example of docs/subscriptions.md', async () => {
  const start_date = Date.UTC(2027, 2, 20) / 1000;
  const contract = { cycles: 2, contract_renewal_mode: 'auto', contract_renewal_cycles: 1 };
  const id = await begin({ start_date, snap_to_nth_day: 1, ...contract });
  const contracts: unknown[] = [];
  for (const date of [start_date, APRIL, MAY, JUNE, JULY]) {
    await advanceTo(id, date);
    const { contract_period_start, contract_period_end } = await read(id);
    contracts.push([contract_period_start, contract_period_end]);
  }
  const first = [start_date, JUNE];
  expect(contracts).toEqual([first, first, first, [JUNE, JULY], [JULY, month(7)]]);
  const bills = (await api.sandbox.get(`/invoices?filter[subscription]=${id}`)).body;
  const shown = bills.map(({ date, total }: { date: number; total: number }) => [date, total]);
  expect(shown).toEqual([[start_date, 3.87], ...[APRIL, MAY, JUNE, JULY].map((date) => [date, 10])]); // 10 x 12 / 31 = 3.870…
});
