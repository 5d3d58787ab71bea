import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readTestGatewayRecord } from '../../adapters/gateways/test/record.ts';
import { runAttempt, settleAttempt } from '../../commands/charges/attempts.ts';
import { startRequestedCharge } from '../../commands/charges/charges.ts';
import { systemCaller } from '../../commands/kernel/caller.ts';
import type { Gateway } from '../../commands/ports/ports.ts';
import { armFailpoints } from '../../db/failpoint.ts';
import { inTransaction } from '../../db/transaction.ts';
import { onlyGateways } from '../support/gateways.ts';
import { type Product, startProduct } from '../support/product.ts';
import { invoiceFor, payingCustomer } from '../support/story.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});
afterAll(() => product.close());

test('a confirmation between look-up and abandon counts: abandoned is final only when the gateway agrees', async () => {
  const customer = await product.call('POST', '/customers', { name: 'Late' });
  const { id } = await invoiceFor(product, customer.id, 30);
  armFailpoints('charge.referenced=throw');
  const charge = { customer: customer.id, method: 'credit_card', amount: 30, gateway_token: 'tok_4242424242424242' };
  const applied_to = [{ type: 'invoice', invoice: id, amount: 30 }];
  await expect(product.call('POST', '/charges', { ...charge, applied_to })).rejects.toThrow('500');
  armFailpoints('');
  const [attempt] = await product.rows<{ id: number }>("select id from attempt where kind = 'charge'");
  const key = { accountId: product.accountId, id: attempt?.id ?? 0 };

  const real = testGateway();
  const late: Gateway = {
    ...real,
    look: async (reference, at, signal) => {
      const seen = await real.look(reference, at, signal);
      await real.confirm(reference, at, signal); // the first caller was only slow
      return seen;
    },
  };
  await settleAttempt({ ...product.deps, gateways: onlyGateways(new Map([['test', late]])) }, key);
  expect(await product.rows(`select state from attempt where id = ${key.id}`)).toEqual([{ state: 'open' }]);
  await settleAttempt(product.deps, key);
  expect(await product.call('GET', `/invoices/${id}`)).toMatchObject({ paid: true, balance: 0 });
  expect(await readTestGatewayRecord(product.config.databaseUrl)).toMatchObject([{ captured: 1 }]);
  expect(await product.audit()).toEqual([]);
});

test('a confirmation answered "abandoned" before that is recorded is not a decline', async () => {
  const customer = await payingCustomer(product, 'tok_4242424242424242', { autopay_delay_days: 1 });
  const { id: invoice } = await invoiceFor(product, customer.id, 40);
  const { deps, accountId } = product;
  const caller = await systemCaller(deps.em.fork(), accountId);
  const pay = { caller, id: invoice, lookUpDelay: deps.lookUpDelay };
  const started = await inTransaction(deps.em, (em) => startRequestedCharge(em, pay, deps.systemNow()));
  const id = 'id' in started ? started.id : 0;
  const key = { accountId, id };

  const real = testGateway();
  const isReached = Promise.withResolvers<void>();
  const mayConfirm = Promise.withResolvers<void>();
  const confirm: Gateway['confirm'] = async (...asked) => {
    isReached.resolve();
    await mayConfirm.promise;
    return real.confirm(...asked);
  };
  const slow = runAttempt({ ...deps, gateways: onlyGateways(new Map([['test', { ...real, confirm }]])) }, key);
  const abandon: Gateway['abandon'] = async (...asked) => {
    const impossible = await real.abandon(...asked);
    mayConfirm.resolve();
    await slow; // it records its outcome before the caller of `abandon` can
    return impossible;
  };
  await isReached.promise;
  await settleAttempt({ ...deps, gateways: onlyGateways(new Map([['test', { ...real, abandon }]])) }, key);

  const [attempt] = await product.rows(`select state, sealed_token, decline_kind from attempt where id = ${id}`);
  expect(attempt).toEqual({ state: 'abandoned', sealed_token: null, decline_kind: null });
  const of = `where customer_id = ${customer.id}`;
  const [traces] = await product.rows(
    `select (select count(*)::int from charge ${of}) as charges, (select count(*)::int from email ${of}) as mails`,
  );
  expect(traces).toEqual({ charges: 0, mails: 0 });
  expect(await product.call('GET', `/invoices/${invoice}`)).toMatchObject({ balance: 40, attempt_count: 0 });
  expect(await product.call('POST', `/invoices/${invoice}/pay`)).toMatchObject({ paid: true, attempt_count: 1 });
  expect(await product.audit()).toEqual([]);
});

function testGateway(): Gateway {
  const gateway: Gateway = product.deps.testGateway;
  return gateway;
}
