import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Product } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { send } from './money/client.ts';
import { startWeekly } from './money/renewals.ts';

/** An API that dies around the commit of a report, or of a void. The client repeats it with its key. */

let product: Product;

beforeAll(async () => {
  product = await startWeekly();
});
afterEach(killRoles);
afterAll(() => product.close());

test.each([
  ['after it recorded usage', 'usage.recorded', { quantity: 4 }],
  ['after it recorded a correction', 'write.committed', { quantity: -1 }],
])('an API killed %s: the repeated report records nothing more', async (_, point, usage) => {
  const customer = await product.call('POST', '/customers', { name: point });
  const { id } = await product.call('POST', '/subscriptions', { customer: customer.id, plan: 'calls' });
  await product.call('POST', `/subscriptions/${id}/usage`, { quantity: 9, idempotency_key: 'before' });
  const body = { ...usage, idempotency_key: point };
  const request = { path: `/subscriptions/${id}/usage`, body, key: product.key };
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: `${point}=kill` });
  await expect(send({ ...request, url: api.url })).rejects.toThrow();
  await api.untilKilledAt(point);
  expect(await send({ ...request, url: product.url })).toMatchObject({ status: 201, body: usage });
  const listed = await product.call('GET', `/subscriptions/${id}/usage?filter[idempotency_key]=${point}`);
  expect(listed).toHaveLength(1);
});

test('an API killed as it has voided an invoice: the repeated void frees its usage once', async () => {
  const customer = await product.call('POST', '/customers', { name: 'Voided' });
  const { id } = await product.call('POST', '/subscriptions', { customer: customer.id, plan: 'calls' });
  await product.call('POST', `/subscriptions/${id}/usage`, { quantity: 9, idempotency_key: 'freed' });
  await product.call('DELETE', `/subscriptions/${id}`);
  const [invoice] = await product.call('GET', `/invoices?filter[subscription]=${id}`);
  const request = { path: `/invoices/${invoice.id}/void`, body: {}, key: product.key };
  const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: 'write.committed=kill' });
  await expect(send({ ...request, url: api.url })).rejects.toThrow();
  await api.untilKilledAt('write.committed');
  expect(await send({ ...request, url: product.url })).toMatchObject({ status: 400 });
  const lines = await product.call('GET', `/customers/${customer.id}/line_items`);
  expect(lines).toMatchObject([{ amount: invoice.total, description: 'Quantity: 9' }]);
});
