import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Product, startProduct } from '../support/product.ts';
import { gatewayWithout } from './money/outage.ts';
import { lookUpNow } from './money/past.ts';
import { newPayer } from './money/payers.ts';
import { expectRecovered } from './money/recovery.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ endpoint: true });
});
afterAll(() => product.close());

test.each([
  ['cannot be reached', 'operation', 'open'],
  ['fails to confirm', 'source', 'unknown'],
] as const)(
  'when the gateway %s, a deleted source is unusable at once and is deleted at the gateway later',
  async (_how, table, state) => {
    const customer = await newPayer(product, { autopay: true });
    const path = `/customers/${customer}/payment_sources`;
    const [card] = await product.call('GET', path);
    const restore = await gatewayWithout(product, table);
    await product.call('DELETE', `/customers/${customer}/cards/${card.id}`);
    expect(await product.call('GET', path)).toEqual([]);

    const of = `from attempt where kind = 'delete_source' and customer_id = ${customer}`;
    await product.row(`select 1 ${of} and state = '${state}' and ended_at is null`);
    for (let lookUp = 1; lookUp <= 2; lookUp++) {
      await lookUpNow(product, customer, state);
      const wakeup = await product.row<{ step: string }>(
        `select step from wakeup where process = 'charge' and subject_id = (select id ${of}) and at > now()`,
      );
      expect(wakeup.step).toBe('ask the payment gateway to delete the card');
    }
    await restore();
    await lookUpNow(product, customer, state);
    await product.row(`select 1 ${of} and state = 'succeeded' and ended_at is not null`);
    expect(await product.rows(deletedAtGateway, [card.id])).toEqual([{ deleted: true }]);
    await expectRecovered(product);
  },
);

const deletedAtGateway = `
  select g.deleted from test_gateway.source g join payment_source s on s.gateway_id = g.reference where s.id = ?`;
