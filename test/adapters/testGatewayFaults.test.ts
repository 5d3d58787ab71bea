import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import type { TestGateway } from '../../adapters/gateways/test/gateway.ts';
import type { TestDatabase } from '../support/database.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { createGatewayDatabase, openTestGateway } from './openTestGateway.ts';

const at = Date.parse('2027-03-01T12:00:00Z');
const never = new AbortController().signal;
const calm = { seed: 7, lostAnswers: 0, repeatedEvents: 0, lateEvents: 0 };

let database: TestDatabase;
let gateway: TestGateway;
let receiver: Receiver;

beforeAll(async () => {
  database = await createGatewayDatabase();
  gateway = openTestGateway(database, { eventDelay: 0 });
  receiver = await startReceiver();
});
beforeEach(() => gateway.misbehave(null));
afterAll(async () => {
  await receiver.stop();
  await gateway.close();
  await database.drop();
});

async function prepared(token = 'tok_4242424242424242'): Promise<string> {
  const owner = { key: randomUUID(), accountId: 7, customerId: 70 };
  const what = { amount: '10.00', currency: 'usd', instrument: { token }, vault: false, description: 'INV-00001' };
  return (await gateway.prepare({ ...owner, kind: 'charge', ...what }, at, never)).reference;
}

test('an answer that is lost is an error of the caller, and the operation has happened', async () => {
  const reference = await prepared();
  gateway.misbehave({ ...calm, lostAnswers: 1 });
  await expect(gateway.confirm(reference, at, never)).rejects.toThrow('answer');
  await expect(gateway.look(reference, at, never)).rejects.toThrow('answer');
  gateway.misbehave(null);
  expect(await gateway.look(reference, at, never)).toMatchObject({ status: 'succeeded' });
});

test('the same seed loses the same answers, about as many as asked for', async () => {
  const reference = await prepared();
  const losses = async (): Promise<number[]> => {
    gateway.misbehave({ ...calm, lostAnswers: 0.05 });
    const lost: number[] = [];
    for (let n = 0; n < 400; n++) await gateway.look(reference, at, never).catch(() => lost.push(n));
    return lost;
  };
  const first = await losses();
  expect(await losses()).toEqual(first);
  expect(first.length).toBeGreaterThan(8); // 20 on average
  expect(first.length).toBeLessThan(40);
});

test('events come twice at once, again later, and late', async () => {
  for (let n = 0; n < 20; n++) await gateway.confirm(await prepared('tok_4000000000000259'), at, never);
  const times = () => {
    const ids = receiver.requests.map(({ body }) => JSON.parse(body).id as string);
    return [...new Set(ids)].map((id) => ids.filter((other) => other === id).length);
  };
  gateway.misbehave({ ...calm, repeatedEvents: 0.5, lateEvents: 0.5 });
  await gateway.sendEvents(receiver.url);
  expect(times().length).toBeGreaterThan(0);
  expect(times().length).toBeLessThan(20); // the others are late
  expect(times()).toEqual(expect.arrayContaining([1, 2]));
  gateway.misbehave(null);
  await letWaitsPass();
  await gateway.sendEvents(receiver.url);
  expect(times()).toHaveLength(20);
  expect(Math.max(...times())).toBe(3); // accepted twice, and sent again
  await letWaitsPass();
  expect(await gateway.sendEvents(receiver.url)).toBe(0);
});

async function letWaitsPass(): Promise<void> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('update test_gateway.event set due_at = now()');
  await client.end();
}
