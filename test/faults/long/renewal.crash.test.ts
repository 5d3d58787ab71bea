import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Product } from '../../support/product.ts';
import { killRoles } from '../../support/roles.ts';
import { expectBilled, killAtEach, points, relayPoints, startWeekly, subscribeEach } from '../money/renewals.ts';

let product: Product;

beforeAll(async () => {
  product = await startWeekly();
});
afterEach(killRoles);
afterAll(() => product.close());

test('a renewal whose worker is killed at any point bills the period once, with the pending lines', async () => {
  const all = [...points, ...relayPoints];
  const ids = await subscribeEach(product, all, {});
  for (const id of ids) {
    const { customer } = await product.call('GET', `/subscriptions/${id}`);
    await product.call('POST', `/customers/${customer}/line_items`, { name: 'Outage', unit_cost: -25 });
  }
  await killAtEach(
    product,
    all,
    ids.map((id) => [id]),
  );
  await expectBilled(product, ids, [
    { period: 0, total: 10 },
    { period: 1, total: 0 }, // 10 - 25 + 15, which becomes a credit note
  ]);
  const credited = await product.rows<{ total: number }>('select total::float8 as total from credit_note');
  expect(credited.map(({ total }) => total)).toEqual(all.map(() => 15)); // 10 - 25
  expect(await product.rows('select 1 from line_item where customer_id is not null')).toEqual([]);
});

test('a renewal whose worker is killed at any point is mailed once, with the number of its invoice', async () => {
  const all = [...points, ...relayPoints];
  const ids = await subscribeEach(product, all, {});
  for (const id of ids) {
    const { customer } = await product.call('GET', `/subscriptions/${id}`); // its first bill had no address
    await product.call('PATCH', `/customers/${customer}`, { email: `renewed${id}@example.com` });
  }
  await killAtEach(
    product,
    all,
    ids.map((id) => [id]),
  );
  await expectBilled(product, ids, [
    { period: 0, total: 10 },
    { period: 1, total: 10 },
  ]);
  const numbers = await product.rows<{ number: string; id: number }>(
    `select number, subscription_id as id from invoice where period = 1 and subscription_id in (${ids.join()})`,
  );
  const arrived = product.mailbox
    .messages()
    .filter(({ to }) => String(to).startsWith('renewed'))
    .map(({ to, subject }) => `${subject} > ${to}`);
  expect(arrived.sort()).toEqual(
    numbers.map(({ number, id }) => `Invoice ${number} from Acme > renewed${id}@example.com`).sort(),
  );
});
