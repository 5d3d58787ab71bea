import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createClient } from '../../../client/index.ts';
import { advanceTo, clockAt, subscriberOn } from '../../support/clock.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { payingCustomer } from '../../support/story.ts';
import { openUnlimited } from '../../support/unlimited.ts';
import { until } from '../../support/wait.ts';

const HANG_MILLISECONDS = 90_000;

let product: Product;
let receiver: Receiver;
beforeAll(async () => {
  product = await startProduct({ env: { WEBHOOK_TIMEOUT: String(HANG_MILLISECONDS) } });
  receiver = await startReceiver();
});
afterAll(async () => {
  await receiver.stop(); // also ends the hanging requests
  await product.close();
});

/** Opens another business. Returns a client of its sandbox. */
async function another(name: string) {
  const { sandboxKey } = await openUnlimited(product.deps.em.fork(), name, new Date());
  return createClient({ baseUrl: product.url, apiKey: sandboxKey, retries: 0 });
}

test("hanging endpoints of one account, more than a worker has places, do not delay another account's webhooks", async () => {
  const ours = await another('Ours');
  receiver.answerBy(({ path }) => (path.startsWith('/hang') ? 'hang' : { status: 200 }));
  await product.client.patch('/account', { webhook_shards: 16 });
  for (let n = 0; n < 10; n++) await product.client.post('/webhooks', { url: `${receiver.url}hang?n=${n}` });
  await ours.post('/webhooks', { url: `${receiver.url}ours` });
  for (let n = 0; n < 40; n++) await product.client.post('/customers', { name: `Told ${n}` });
  await until(() => receiver.requests.filter(({ path }) => path.startsWith('/hang')).length > 40, {
    what: 'deliveries that hang',
  });
  await ours.post('/customers', { name: 'Ours' });
  await receiver.waitFor(({ path }) => path === '/ours', 'the webhook of the other account');
  expect(await product.rows('select 1 from webhook_attempt where status_code is null')).toEqual([]); // all of them still hang
});

test('an account with more due endpoints and clocks than places has all of them served', async () => {
  const { client } = product;
  await client.post('/plans', { id: 'gold', name: 'Gold', amount: 10, interval: 'month' });
  const clocks = await Promise.all(Array.from({ length: 14 }, () => clockAt(product, '2027-01-01T00:00:00Z')));
  for (const clock of clocks) await subscriberOn(product, clock, { token: 'tok_4242424242424242', plan: 'gold' });
  const there = await Promise.all(clocks.map((clock) => advanceTo(product, clock, '2027-04-01T00:00:00Z')));
  expect(there.map(({ status }) => status)).toEqual(Array(14).fill('ready'));
});

test("a backlog of one account does not delay another account's work", async () => {
  const backlog = 3000;
  const { sandbox, sandboxKey } = await openUnlimited(product.deps.em.fork(), 'Many', new Date());
  const many = createClient({ baseUrl: product.url, apiKey: sandboxKey, retries: 0 });
  expect((await many.get('/account')).id).toBe(sandbox.id);
  await product.rows(
    `insert into outbox (account_id, topic, subject_id, due_at)
     select ${sandbox.id}, 'charge', id, now() - interval '1 minute' from generate_series(100001, ${100_000 + backlog}) id`,
  );
  const ours = await payingCustomer(product, 'tok_4242424242424242');
  const { id } = await product.client.post('/invoices', { customer: ours.id, items: [{ unit_cost: 5 }] });
  await product.row(`select paid from invoice where id = ${id}`, ({ paid }) => paid === true);
  const [left] = await product.rows<{ count: number }>(
    `select count(*)::int from outbox where account_id = ${sandbox.id}`,
  );
  expect(left?.count).toBeGreaterThan(backlog / 5);
});
