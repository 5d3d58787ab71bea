import { expect, test } from '@jest/globals';
import { refused } from '../../support/api.ts';
import {
  APRIL,
  AUGUST,
  dayOf2027 as day,
  goldSubscriptions,
  JULY,
  JUNE,
  MARCH,
  MAY,
} from '../../support/goldSubscriptions.ts';

/** Contracts of subscriptions and what follows their end. The test takes the steps as their processes would. */

const gold = goldSubscriptions();
const { cancel, change, expectCleanBooks } = gold;

const renew = (id: number, body: object = {}) => gold.api.sandbox.post(`/subscriptions/${id}/renew`, body);

test('auto: a contract is followed by another one, of as many cycles or of those agreed, without a gap', async () => {
  const id = await gold.begin({ cycles: 2, contract_renewal_mode: 'auto', contract_renewal_cycles: 1 });
  expect(await gold.read(id)).toMatchObject({ cycles: 2, contract_period_start: MARCH, contract_period_end: MAY });
  await gold.advanceTo(id, MAY);
  const second = { status: 'active', cycles: 1, contract_renewal_mode: 'auto', pending_renewal: false };
  expect(await gold.read(id)).toMatchObject({ ...second, contract_period_start: MAY, contract_period_end: JUNE });
  await gold.advanceTo(id, JUNE);
  expect(await gold.read(id)).toMatchObject({ ...second, contract_period_start: JUNE, contract_period_end: JULY });
  expect(await gold.billed(id)).toEqual([MARCH, APRIL, MAY, JUNE]);
  await expectCleanBooks();
});

test('renew_once: a second contract, then the end', async () => {
  const id = await gold.begin({ cycles: 1, contract_renewal_mode: 'renew_once' });
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ cycles: 1, contract_renewal_mode: 'none', contract_period_end: MAY });
  await gold.advanceTo(id, MAY);
  expect(await gold.read(id)).toMatchObject({ status: 'finished' });
  expect(await gold.billed(id)).toEqual([MARCH, APRIL]);
});

test('manual: it waits for its renewal without bills, and the new contract starts at the end of the old one', async () => {
  const id = await gold.begin({ cycles: 1, contract_renewal_mode: 'manual' });
  expect(await renew(id)).toMatchObject(
    refused({ message: 'Subscription has no contract that waits for its renewal' }),
  );
  await gold.advanceTo(id, JUNE);
  const waiting = { status: 'active', pending_renewal: true, period_start: null, period_end: null };
  expect(await gold.read(id)).toMatchObject({ ...waiting, contract_period_end: APRIL });
  expect(await gold.billed(id)).toEqual([MARCH]);
  expect(await renew(id, { cycles: 0 })).toMatchObject(refused({ param: 'cycles' }));
  expect(await renew(id, { cycles: 10_000 })).toMatchObject(refused({ message: '10000 cycles must end before 2200' }));
  const pausing = await change(id, { paused: true });
  expect(pausing).toMatchObject(refused({ param: 'paused' }));
  const { status, body } = await renew(id, { cycles: 3 });
  expect([status, body]).toMatchObject([200, { pending_renewal: false, cycles: 3, contract_period_start: APRIL }]);
  await gold.advanceTo(id, JUNE);
  expect(await gold.billed(id)).toEqual([MARCH, APRIL, MAY, JUNE]);
  expect(await gold.read(id)).toMatchObject({ contract_period_end: JULY, period_start: JUNE, period_end: JULY });
  await gold.advanceTo(id, JULY);
  expect(await gold.read(id)).toMatchObject({ pending_renewal: true });
  await expectCleanBooks();
});

test('a contract renewed with start: "now" counts its periods from now, and bills no period between', async () => {
  const id = await gold.begin({ cycles: 1, contract_renewal_mode: 'manual', contract_renewal_cycles: 2 });
  const midJune = day(6, 15);
  const midJuly = day(7, 15);
  await gold.advanceTo(id, midJune);
  const { body } = await renew(id, { start: 'now' });
  expect(body).toMatchObject({ cycles: 2, start_date: MARCH, contract_period_start: midJune });
  await gold.advanceTo(id, midJune);
  expect(await gold.read(id)).toMatchObject({ period_start: midJune, period_end: midJuly });
  await gold.advanceTo(id, midJuly);
  expect(await gold.billed(id)).toEqual([MARCH, midJune, midJuly]);
  expect(await gold.read(id)).toMatchObject({ contract_period_end: day(8, 15) });
  await expectCleanBooks();
});

test('a contract that waits for its renewal can be canceled, at once or with the date of its end', async () => {
  const atOnce = await gold.begin({ cycles: 1, contract_renewal_mode: 'manual' });
  const atEnd = await gold.begin({ cycles: 1, contract_renewal_mode: 'manual' });
  await gold.advanceTo(atOnce, MAY);
  await gold.advanceTo(atEnd, MAY);
  expect((await cancel(atOnce)).body).toMatchObject({ canceled_at: MAY });
  await change(atEnd, { cancel_at_period_end: true });
  await gold.advanceTo(atEnd, MAY);
  expect(await gold.read(atEnd)).toMatchObject({ status: 'canceled', canceled_at: APRIL, pending_renewal: false });
  for (const id of [atOnce, atEnd])
    expect(await renew(id)).toMatchObject(refused({ message: 'Subscription is already canceled' }));
});

test('a cancellation at the end of the contract comes before its renewal, and can be undone', async () => {
  const canceled = await gold.begin({ cycles: 1, contract_renewal_mode: 'auto', cancel_at_period_end: true });
  const kept = await gold.begin({ cycles: 1, contract_renewal_mode: 'auto', cancel_at_period_end: true });
  await change(kept, { cancel_at_period_end: false });
  await gold.advanceTo(canceled, APRIL);
  await gold.advanceTo(kept, APRIL);
  expect(await gold.read(canceled)).toMatchObject({ status: 'canceled', canceled_at: APRIL });
  expect(await gold.read(kept)).toMatchObject({ status: 'active', contract_period_start: APRIL });
});

test('the terms of the renewal can be changed until the contract ends', async () => {
  const id = await gold.begin({ cycles: 1 });
  const renewal = { contract_renewal_mode: 'auto', contract_renewal_cycles: 12 };
  for (const contract_renewal_mode of ['manual', 'renew_once', 'none', 'auto']) {
    const changed = { ...renewal, contract_renewal_mode };
    expect((await change(id, changed)).body).toMatchObject(changed);
  }
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ cycles: 12, contract_period_start: APRIL });
  const endless = await gold.begin({});
  const answer = await change(endless, renewal);
  expect(answer).toMatchObject(refused({ param: 'contract_renewal_mode' }));
});

test('a contract that waits for its renewal follows a change of its mode', async () => {
  const renewed = await gold.begin({ cycles: 1, contract_renewal_mode: 'manual' });
  const ended = await gold.begin({ cycles: 1, contract_renewal_mode: 'manual' });
  await gold.advanceTo(renewed, MAY);
  await gold.advanceTo(ended, MAY);
  await change(renewed, { contract_renewal_mode: 'auto' });
  await gold.advanceTo(renewed, MAY);
  expect(await gold.billed(renewed)).toEqual([MARCH, APRIL, MAY]);
  await change(ended, { contract_renewal_mode: 'none' });
  await gold.advanceTo(ended, MAY);
  expect(await gold.read(ended)).toMatchObject({ status: 'finished', pending_renewal: false });
});

test('a renewal by itself of more cycles than there are dates is shown to end with the last one', async () => {
  const id = await gold.begin({ cycles: 1, contract_renewal_mode: 'auto', contract_renewal_cycles: 10_000 });
  await gold.advanceTo(id, APRIL);
  expect(await gold.read(id)).toMatchObject({ cycles: 10_000, contract_period_end: 7_258_118_399 });
});

test('a pause lengthens the contract', async () => {
  const id = await gold.begin({ cycles: 2 });
  await change(id, { paused: true });
  gold.moveTo(day(5, 2));
  await change(id, { paused: false });
  await gold.advanceTo(id, JUNE);
  expect(await gold.billed(id)).toEqual([MARCH, JUNE]); // April and May were paused
  expect(await gold.read(id)).toMatchObject({ contract_period_start: MARCH, contract_period_end: JULY });
});

test('neither a short first period nor a paused one is a cycle', async () => {
  const start_date = day(3, 20);
  const id = await gold.begin({ start_date, snap_to_nth_day: 1, cycles: 2 });
  await gold.advanceTo(id, APRIL);
  await change(id, { paused: true });
  gold.moveTo(day(5, 2));
  await change(id, { paused: false });
  await gold.advanceTo(id, JUNE);
  expect(await gold.billed(id)).toEqual([start_date, APRIL, JUNE]);
  expect(await gold.read(id)).toMatchObject({ status: 'active', contract_period_end: JULY });
  await gold.advanceTo(id, JULY);
  expect(await gold.read(id)).toMatchObject({ status: 'finished' });
});

test('the example of docs/subscriptions.md', async () => {
  const start_date = day(3, 20);
  const contract = { cycles: 2, contract_renewal_mode: 'auto', contract_renewal_cycles: 1 };
  const id = await gold.begin({ start_date, snap_to_nth_day: 1, ...contract });
  const contracts: unknown[] = [];
  for (const date of [start_date, APRIL, MAY, JUNE, JULY]) {
    await gold.advanceTo(id, date);
    const { contract_period_start, contract_period_end } = await gold.read(id);
    contracts.push([contract_period_start, contract_period_end]);
  }
  const first = [start_date, JUNE];
  expect(contracts).toEqual([first, first, first, [JUNE, JULY], [JULY, AUGUST]]);
  const shown = (await gold.invoices(id)).map(({ date, total }) => [date, total]);
  expect(shown).toEqual([[start_date, 3.87], ...[APRIL, MAY, JUNE, JULY].map((date) => [date, 10])]); // 10 x 12 / 31 = 3.870…
});
