import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freePort } from '../../../bin/local/ports.ts';
import { createClient } from '../../../client/index.ts';
import { type Connection, connect } from '../../../workers/connection.ts';
import { createEndpoint, GOOD_CARD } from '../../support/business.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { killRoles, type Role, startRole } from '../../support/roles.ts';
import { scrape } from '../../support/scrape.ts';
import { expectSound } from '../../support/soundness.ts';
import { payingCustomer } from '../../support/story.ts';
import { until } from '../../support/wait.ts';

/** A migration adds a column to each table while API and worker are busy, and a later one drops it. */

let product: Product;
let receiver: Receiver;
let owner: Connection;
let api: Role;
let ports: { api: number; worker: number };

beforeAll(async () => {
  product = await startProduct({ worker: false });
  receiver = await startReceiver();
  ports = { api: await freePort(), worker: await freePort() };
  api = await startRole(product, 'api', { API_METRICS_PORT: String(ports.api) });
  await startRole(product, 'worker', { WORKER_METRICS_PORT: String(ports.worker) });
  await createEndpoint(product, receiver.url);
  await product.client.post('/plans', { id: 'daily', name: 'Daily', amount: 10, interval: 'day' });
  owner = await connect(product.config.databaseUrl);
});
afterAll(async () => {
  await owner.close();
  await killRoles();
  await product.close();
  await receiver.stop();
});

/** Changes each table, as a migration does: with a limit for the wait for its lock, and again if that passes. */
async function changeAll(change: string): Promise<void> {
  const tables = await owner.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
  );
  await owner.query("set lock_timeout = '200ms'");
  for (const { name } of tables)
    await until(() => owner.query(`alter table ${name} ${change}`).then(() => true), { what: `${name}: ${change}` });
}

/** A customer's story, from its card to its refund. */
async function story(): Promise<void> {
  const client = createClient({ baseUrl: api.url, apiKey: product.key, retries: 0 });
  const customer = await payingCustomer({ client }, GOOD_CARD, { name: 'Busy' });
  const start_date = Math.floor(Date.now() / 1000) - 86_400; // bills two days, and the process charges them
  await client.post('/subscriptions', { customer: customer.id, plan: 'daily', start_date });
  const items = [{ name: 'Consulting', quantity: 1, unit_cost: 20 }];
  const invoice = await client.post('/invoices', { customer: customer.id, items, autopay: false });
  const applied_to = [{ type: 'invoice' as const, invoice: invoice.id, amount: 20 }];
  const payment = await client.post('/payments', { customer: customer.id, amount: 20, applied_to });
  await client.patch('/payments/{id}', { notes: 'thanks' }, { id: payment.id });
  await client.post('/credit_notes', { customer: customer.id, items });
  await client.post('/invoices/{id}/emails', {}, { id: invoice.id });
  for (const path of ['/customers', '/invoices', '/payments', '/events', '/subscriptions', '/credit_notes'] as const)
    await client.get(path, {});
}

test('no request fails, and no step', async () => {
  let stories = 0;
  let isOver = false;
  const teller = async () => {
    for (; !isOver; stories += 1) await story();
  };
  const tellers = Promise.all([teller(), teller(), teller()]);
  tellers.catch(() => undefined);
  const told = async (count: number) => {
    const most = stories + count;
    await Promise.race([tellers, until(() => stories >= most, { what: `${count} stories` })]);
  };
  await told(6);
  await changeAll('add column added_later int');
  await told(6);
  await changeAll('drop column added_later');
  await told(3);
  isOver = true;
  await tellers;
  await expectSound(product);
  const served = [...(await scrape(ports.api))].filter(([name]) => /http_requests_total.*status="5/.test(name));
  expect(served).toEqual([]);
  const worked = [...(await scrape(ports.worker))].filter(([name]) => /result="(done|failed|unavailable)"/.test(name));
  expect(worked.filter(([name, count]) => !name.includes('"done"') && count > 0)).toEqual([]);
  expect(worked.length).toBeGreaterThan(0);
  expect(await product.rows('select * from problem')).toEqual([]);
});
