import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { send } from './money/client.ts';
import { newPayer } from './money/payers.ts';
import { allCaptures, expectRecovered, untilPaid } from './money/recovery.ts';

let product: Product;

beforeAll(async () => {
  // There is no sweep, so the relay has to find the outbox row on its own.
  product = await startProduct({ endpoint: true, env: { SWEEP_INTERVAL: '600000' } });
});
afterEach(killRoles);
afterAll(() => product.close());

test('an API killed between commit and relay loses nothing: the invoice is collected, and the replay answered', async () => {
  const customer = await newPayer(product, { autopay: true });
  await expectRecovered(product); // no other work is left that would wake the relay
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: 'write.committed=kill' });
  const body = { customer, items: [{ name: 'Work', quantity: 1, unit_cost: 25 }] };
  const invoice = { key: product.key, path: '/invoices', body, idempotencyKey: 'only once' };
  await expect(send({ ...invoice, url: api.url })).rejects.toThrow();
  await api.untilKilledAt('write.committed');
  const [committed] = await product.rows<{ id: number }>('select id from invoice');
  const id = committed?.id ?? 0;
  await untilPaid(product, id);
  expect(await send({ ...invoice, url: product.url })).toMatchObject({ status: 201, replayed: true, body: { id } });
  expect(await product.rows('select id from invoice')).toEqual([{ id }]);
  expect(await allCaptures(product)).toBe(1);
  await expectRecovered(product);
});
