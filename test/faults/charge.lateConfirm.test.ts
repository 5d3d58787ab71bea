import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readTestGatewayRecord } from '../../adapters/gateways/test/record.ts';
import { settleAttempt } from '../../commands/attempts.ts';
import type { Gateway } from '../../commands/ports.ts';
import { armFailpoints } from '../../db/failpoint.ts';
import { type Product, startProduct } from '../support/product.ts';
import { invoiceFor } from '../support/story.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});
afterAll(() => product.close());

test('a confirmation that arrives between the look and the abandoning is not lost: abandoned is final only when the gateway agrees', async () => {
  const customer = await product.call('POST', '/customers', { name: 'Late' });
  const { id } = await invoiceFor(product, customer.id, 30);
  armFailpoints('charge.referenced=throw');
  const charge = { customer: customer.id, method: 'credit_card', amount: 30, gateway_token: 'tok_4242424242424242' };
  const applied_to = [{ type: 'invoice', invoice: id, amount: 30 }];
  await expect(product.call('POST', '/charges', { ...charge, applied_to })).rejects.toThrow('500');
  armFailpoints('');
  const [attempt] = await product.rows<{ id: number }>('select id from attempt');
  const key = { accountId: product.accountId, id: attempt?.id ?? 0 };

  const real = product.deps.gateways.get('test');
  if (!real) throw new Error('no test gateway');
  const late: Gateway = {
    ...real,
    look: async (reference, at, signal) => {
      const seen = await real.look(reference, at, signal);
      await real.confirm(reference, at, signal); // the first caller was slow, not dead
      return seen;
    },
  };
  await settleAttempt({ ...product.deps, gateways: new Map([['test', late]]) }, key);
  expect(await product.rows('select state from attempt')).toEqual([{ state: 'open' }]);
  await settleAttempt(product.deps, key);
  expect(await product.call('GET', `/invoices/${id}`)).toMatchObject({ paid: true, balance: 0 });
  expect(await readTestGatewayRecord(product.config.databaseUrl)).toMatchObject([{ captured: 1 }]);
  expect(await product.audit()).toEqual([]);
});
