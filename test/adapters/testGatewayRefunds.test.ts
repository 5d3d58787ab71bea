import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { TestGateway } from '../../adapters/gateways/test/gateway.ts';
import type { GatewayOperation } from '../../commands/ports/ports.ts';
import type { TestDatabase } from '../support/database.ts';
import { createGatewayDatabase, openTestGateway } from './openTestGateway.ts';

const at = Date.parse('2027-03-01T12:00:00Z');
const day = 24 * 60 * 60 * 1000;
const never = new AbortController().signal;

let database: TestDatabase;
let gateway: TestGateway;
/** A second gateway on the same database, as in another process. */
let elsewhere: TestGateway;

beforeAll(async () => {
  database = await createGatewayDatabase();
  gateway = openTestGateway(database);
  elsewhere = openTestGateway(database);
});
afterAll(async () => {
  await gateway.close();
  await elsewhere.close();
  await database.drop();
});

const owner = () => ({ key: randomUUID(), accountId: 7, customerId: 70 });
const charge = (amount = '12.50', token = 'tok_4242424242424242'): GatewayOperation => {
  const how = { instrument: { token }, vault: false, description: 'INV-00001' };
  return { ...owner(), kind: 'charge', amount, currency: 'usd', ...how };
};

async function prepared(operation: GatewayOperation): Promise<string> {
  return (await gateway.prepare(operation, at, never)).reference;
}

async function done(operation: GatewayOperation) {
  return gateway.confirm(await prepared(operation), at, never);
}

type Refund = Extract<GatewayOperation, { kind: 'refund' }>;
const refundOf = (reference: string, amount: string, more: Partial<Refund> = {}): Refund => {
  return { ...owner(), kind: 'refund', reference, amount, currency: 'usd', ...more };
};

test('a refund gives money back once, never above its charge, and only to the account of the charge', async () => {
  const reference = await prepared(charge());
  expect(await done(refundOf(reference, '1.00'))).toMatchObject({ status: 'failed', code: 'invalid_charge' }); // unconfirmed
  await gateway.confirm(reference, at, never);
  const operation = refundOf(reference, '10.00');
  const refund = await prepared(operation);
  expect(await prepared(operation)).toBe(refund);
  const twice = await Promise.all([gateway, elsewhere].map((one) => one.confirm(refund, at, never)));
  expect(twice.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  expect(await gateway.look(refund, at, never)).toEqual({ status: 'succeeded', source: null });
  const racing = await Promise.all(['2.50', '2.50'].map((amount) => done(refundOf(reference, amount))));
  expect(racing.map(({ status }) => status).toSorted()).toEqual(['failed', 'succeeded']); // 10.00 + 2.50 is the charge
  expect(racing).toContainEqual(expect.objectContaining({ code: 'refund_too_large' }));
  const foreign = await done(refundOf(reference, '1.00', { accountId: 8 }));
  expect(foreign).toMatchObject({ status: 'failed', code: 'invalid_charge' });
});

test('an abandoned refund is never made', async () => {
  const reference = await prepared(charge());
  await gateway.confirm(reference, at, never);
  const refund = await prepared(refundOf(reference, '5.00'));
  expect(await gateway.abandon(refund, never)).toBe(true);
  expect(await gateway.confirm(refund, at, never)).toEqual({ status: 'abandoned' });
  expect(await done(refundOf(reference, '12.50'))).toMatchObject({ status: 'succeeded' });
});

test.each([
  ['4000000000007726', 'succeeded'],
  ['4000000000005126', 'failed'],
])('a refund of the card %s is pending for two days, then %s', async (card, status) => {
  const reference = await prepared(charge('12.50', `tok_${card}`));
  await gateway.confirm(reference, at, never);
  const refund = await prepared(refundOf(reference, '5.00'));
  expect(await gateway.confirm(refund, at, never)).toMatchObject({ status: 'pending' });
  expect(await gateway.look(refund, at + day, never)).toMatchObject({ status: 'pending' });
  expect(await gateway.look(refund, at + 2 * day, never)).toMatchObject({ status });
});
