import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { TestGateway } from '../../adapters/gateways/test/gateway.ts';
import type { TestDatabase } from '../support/database.ts';
import { createGatewayDatabase, openTestGateway } from './openTestGateway.ts';

const at = Date.parse('2027-03-01T12:00:00Z');
const never = new AbortController().signal;

let database: TestDatabase;
let gateway: TestGateway;

beforeAll(async () => {
  database = await createGatewayDatabase();
  gateway = openTestGateway(database);
});

afterAll(async () => {
  await gateway.close();
  await database.drop();
});

test('after a new column, prepared statements are prepared anew on all connections, and none fails', async () => {
  const instrument = { token: 'tok_4242424242424242' };
  const money = { amount: '12.50', currency: 'usd', description: 'INV-00001' };
  const operation = { key: randomUUID(), accountId: 7, customerId: 70, instrument, vault: false, ...money };
  const { reference } = await gateway.prepare({ kind: 'charge', ...operation }, at, never);
  const look = () => gateway.look(reference, at, never);
  const [answer] = await Promise.all(Array.from({ length: 4 }, look));
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('alter table test_gateway.operation add column added int').finally(() => client.end());
  expect(await Promise.all(Array.from({ length: 4 }, look))).toEqual(Array(4).fill(answer));
});
