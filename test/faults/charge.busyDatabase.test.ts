import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Connection, connect } from '../../workers/connection.ts';
import { type Product, startProduct } from '../support/product.ts';
import { invoiceFor } from '../support/story.ts';
import { LOCK_WAITS, until } from '../support/wait.ts';
import { type Heard, send } from './money/client.ts';
import { capturesOf, untilPaid } from './money/recovery.ts';

/** A lock wait is canceled after 3 s, and a statement after 5 s. */
const LESS_THAN_LOCK_TIMEOUT = 2400;
/** Longer than this test waits. So only the request itself can know that its call was interrupted, and no age of the attempt tells it. */
const gatewayDeadlineMilliseconds = 600_000;

let product: Product;
/** Connections that hold locks. */
let holders: [Connection, Connection];

beforeAll(async () => {
  product = await startProduct({ worker: false, config: { gatewayDeadlineMilliseconds } });
  const { databaseUrl } = product.config;
  holders = [await connect(databaseUrl), await connect(databaseUrl)];
});
afterAll(async () => {
  for (const holder of holders) await holder.close();
  await product.close();
});

const ask = (method: string, path: string, body: unknown) => {
  const { url, key } = product;
  return send({ url, key, method, path, body });
};

async function lock(holder: Connection, customer: number): Promise<void> {
  await holder.query('begin');
  await holder.query('select 1 from customer where id = $1 for no key update', [customer]);
}

const waiting = () => product.rows<{ since: Date }>(LOCK_WAITS);

const untilWaiting = (count: number) =>
  until(async () => (await waiting()).length === count, { what: `${count} lock waits` });

/** Sends a change of a customer that waits for two locks, one after the other, each for less than the lock timeout. */
async function changeBehindTwo(customer: number): Promise<Heard> {
  const [first, second] = holders;
  await lock(first, customer);
  const queued = lock(second, customer);
  await untilWaiting(1);
  const asked = ask('PATCH', `/customers/${customer}`, { name: 'After' });
  await untilWaiting(2);
  await pause(LESS_THAN_LOCK_TIMEOUT);
  await first.query('commit');
  await queued;
  const heard = await asked;
  await second.query('commit');
  return heard;
}

test('a statement that exceeds its time limit is answered 429, and nothing is changed', async () => {
  const { id } = await product.call('POST', '/customers', { name: 'Before' });
  // On a busy machine the first wait may exceed the lock timeout, which has an answer of its own.
  const heard = await until(
    async () => {
      const { status, body } = await changeBehindTwo(id);
      expect(status).toBe(429);
      return body.message.includes('database') ? body : null;
    },
    { what: 'a statement to exceed its time limit' },
  );
  expect(heard.message).toBe('The database did not answer in time; try again');
  expect(await product.call('GET', `/customers/${id}`)).toMatchObject({ name: 'Before' });
});

test('a charge whose outcome cannot be recorded in time is looked up: the client gets the outcome and never "try again"', async () => {
  const { id: customer } = await product.call('POST', '/customers', { name: 'Charged' });
  const { id: invoice } = await invoiceFor(product, customer, 30);
  const charge = { customer, method: 'credit_card', amount: 30, gateway_token: 'tok_4000000000000119' };
  const applied_to = [{ type: 'invoice', invoice, amount: 30 }];
  const asked = ask('POST', '/charges', { ...charge, applied_to });
  await product.row(`select 1 from test_gateway.operation where status = 'succeeded'`);
  const [holder] = holders;
  await lock(holder, customer);
  product.deps.testGateway.hangUp();
  await untilWaiting(1);
  const [recording] = await waiting();
  // After 3 s the request gives up the first wait. Then it looks the outcome up, and waits again.
  let isAnswered = false;
  void asked.finally(() => (isAnswered = true));
  const hasLookedUp = async () => (await waiting()).some(({ since }) => since > (recording?.since ?? since));
  await until(async () => isAnswered || (await hasLookedUp()), { what: 'the look-up' });
  await holder.query('commit');
  expect(await asked).toMatchObject({ status: 201, body: { amount: 30, charge: { status: 'succeeded' } } });
  await untilPaid(product, invoice);
  expect(await capturesOf(product, invoice)).toBe(1);
  expect(await product.audit()).toEqual([]);
});
