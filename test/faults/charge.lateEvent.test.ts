import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordOutcome } from '../../commands/charges/attemptOutcomes.ts';
import { runAttempt, settleAttempt } from '../../commands/charges/attempts.ts';
import { startRequestedCharge } from '../../commands/charges/charges.ts';
import { systemCaller } from '../../commands/kernel/caller.ts';
import type { Gateway } from '../../commands/ports.ts';
import { inTransaction } from '../../db/transaction.ts';
import { onlyGateways } from '../support/gateways.ts';
import { type Product, startProduct } from '../support/product.ts';
import { invoiceFor, payingCustomer } from '../support/story.ts';
import { LOCK_WAITS, until } from '../support/wait.ts';

let product: Product;
beforeAll(async () => {
  product = await startProduct({ worker: false });
});
afterAll(() => product.close());

test('a dispute is recorded if its event arrives while an outcome commits and a look-up begins', async () => {
  const customer = await payingCustomer(product, 'tok_4000000000000259', { autopay_delay_days: 1 });
  const { id: invoice } = await invoiceFor(product, customer.id, 40);
  const { deps, accountId } = product;
  const caller = await systemCaller(deps.em.fork(), accountId);
  const pay = { caller, id: invoice, lookUpDelay: deps.lookUpDelay };
  const { id } = await inTransaction(deps.em, (em) => startRequestedCharge(em, pay, deps.systemNow()));
  const key = { accountId, id };
  await runAttempt({ ...deps, gateways: onlyGateways(new Map([['test', losingAnswers()]])) }, key);
  expect(await product.rows(`select state from attempt where id = ${id}`)).toEqual([{ state: 'unknown' }]);

  const recorded = Promise.withResolvers<void>();
  const mayCommit = Promise.withResolvers<void>();
  const first = inTransaction(deps.em, async (em) => {
    await recordOutcome(em, { ...key, outcome: { status: 'succeeded', source: null } }, deps.systemNow());
    await em.write();
    recorded.resolve();
    await mayCommit.promise;
  });
  await recorded.promise;
  const event = 'select type, state from gateway_event';
  await until(() => deps.testGateway.sendEvents(new URL(product.url).origin), { what: 'the event of the dispute' });
  expect(await product.rows(event)).toEqual([{ type: 'dispute.opened', state: 'received' }]);
  const second = settleAttempt(deps, key);
  await product.row(LOCK_WAITS);
  mayCommit.resolve();
  await Promise.all([first, second]);

  expect(await product.rows('select amount::float8 as amount, status from dispute')).toEqual([
    { amount: 40, status: 'open' },
  ]);
  expect(await product.rows(event)).toEqual([{ type: 'dispute.opened', state: 'processed' }]);
  expect(await product.audit()).toEqual([]);
});

/** A gateway that takes the money and loses its answer. */
function losingAnswers(): Gateway {
  const real: Gateway = product.deps.testGateway;
  const confirm: Gateway['confirm'] = async (...asked) => {
    await real.confirm(...asked);
    throw new Error('The answer is lost');
  };
  return { ...real, confirm };
}
