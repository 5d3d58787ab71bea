import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { TestGateway } from '../../adapters/gateways/test/gateway.ts';
import type { TestDatabase } from '../support/database.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { createGatewayDatabase, openTestGateway } from './openTestGateway.ts';

const at = Date.parse('2027-03-01T12:00:00Z');
const week = 7 * 24 * 60 * 60 * 1000;
const never = new AbortController().signal;

let database: TestDatabase;
let gateway: TestGateway;
/** A second gateway on the same database, as in another process. */
let elsewhere: TestGateway;
let receiver: Receiver;

beforeAll(async () => {
  database = await createGatewayDatabase();
  [gateway, elsewhere] = [openTestGateway(database, { eventDelay: 0 }), openTestGateway(database, { eventDelay: 0 })];
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.stop();
  await gateway.close();
  await elsewhere.close();
  await database.drop();
});

/** Charges 10 with a token. Returns the reference. */
async function charged(token: string): Promise<string> {
  const owner = { key: randomUUID(), accountId: 7, customerId: 70 };
  const what = { amount: '10.00', currency: 'usd', instrument: { token }, vault: false, description: 'INV-00001' };
  const { reference } = await gateway.prepare({ ...owner, kind: 'charge', ...what }, at, never);
  await gateway.confirm(reference, at, never);
  return reference;
}

test.each([
  ['4000000000000259', { status: 'lost', amountLost: '10.00', fee: '15' }],
  ['4000000000002685', { status: 'won', amountLost: '0', fee: '0' }],
  ['4000000000001976', { status: 'withdrawn', amountLost: '0', fee: '0' }],
  ['4000000000000275', { status: 'lost', amountLost: '5.00', fee: '15' }],
])('a dispute of the card %s is open for a week, then ends', async (card, ending) => {
  const reference = await charged(`tok_${card}`);
  const open = { status: 'open', amount: '10.00', amountLost: '0', fee: '15', reason: 'fraudulent' };
  const before = await gateway.reversals?.(reference, at + week - 1, never);
  expect(before?.disputes).toMatchObject([{ ...open, evidenceDueAt: new Date(at + week) }]);
  const after = await elsewhere.reversals?.(reference, at + week, never);
  expect(after?.disputes).toMatchObject([ending]);
});

test.each([
  ['110000000_000111111116', 'insufficient_funds', 'soft'],
  ['110000000_000111111113', 'account_closed', 'hard'],
  ['110000000_000111111119', 'debit_not_authorized', 'hard'],
])('a debit of the bank account %s is returned: %s, %s', async (account, code, kind) => {
  const reversals = await gateway.reversals?.(await charged(`tok_${account}`), at, never);
  expect(reversals).toEqual({ returned: { code, kind, fee: '4', message: expect.any(String) }, disputes: [] });
});

/** Lets the waits of events pass. */
async function letWaitsPass(): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('update test_gateway.event set due_at = now()');
  await client.end();
}

test('an event is sent by one process, again until it is accepted, with the same id', async () => {
  const sent = () => receiver.requests.map(({ body }) => JSON.parse(body));
  await Promise.all([gateway, elsewhere].map((one) => one.sendEvents(receiver.url)));
  const earlier = sent().length;
  const reference = await charged('tok_4000000000000259');
  receiver.answer({ status: 500 });
  expect(await gateway.sendEvents(receiver.url)).toBe(0);
  expect(await gateway.sendEvents(receiver.url)).toBe(0); // it waits a second
  await letWaitsPass();
  const accepted = await Promise.all([gateway, elsewhere].map((one) => one.sendEvents(receiver.url)));
  expect(accepted.toSorted()).toEqual([0, 1]);
  await letWaitsPass();
  expect(await gateway.sendEvents(receiver.url)).toBe(0);
  const [first, second, ...more] = sent().slice(earlier);
  expect(first).toEqual({ id: expect.stringMatching(/^evt_/), type: 'dispute.opened', data: { reference } });
  expect([second, more]).toEqual([first, []]);
  const { path, headers, body } = receiver.requests.at(-1) ?? { path: '', headers: {}, body: '' };
  expect(path).toMatch(/\/gateway_events\/test_7$/);
  expect(gateway.readEvent?.({ configuration: 'test_7', headers, body })).toMatchObject({ id: first.id, reference });
});
