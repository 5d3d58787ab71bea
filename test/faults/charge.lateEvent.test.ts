import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordOutcome } from '../../commands/charges/attemptOutcomes.ts';
import { runAttempt, settleAttempt } from '../../commands/charges/attempts.ts';
import { startRequestedCharge } from '../../commands/charges/charges.ts';
import { systemCaller } from '../../commands/kernel/caller.ts';
import type { Gateway } from '../../commands/ports/ports.ts';
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

test('the event of a dispute stays for a look-up of the outcome that commits meanwhile', async () => {
  const customer = await payingCustomer(product, 'tok_4000000000000259', { autopay_delay_days: 1 });
  const { id: invoice } = await invoiceFor(product, customer.id, 40);
  const { deps, accountId } = product;
  const caller = await systemCaller(deps.em.fork(), accountId);
  const pay = { caller, id: invoice, lookUpDelay: deps.lookUpDelay };
  const started = await inTransaction(deps.em, (em) => startRequestedCharge(em, pay, deps.systemNow()));
  const id = 'id' in started ? started.id : 0;
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
  expect(await product.rows(event)).toEqual([{ type: 'dispute.opened', state: 'received' }]);
  expect(await product.rows(`select 1 as wakes from outbox where topic = 'charge'`)).toEqual([{ wakes: 1 }]);

  await settleAttempt(deps, key);
  expect(await product.rows('select amount::float8 as amount, status from dispute')).toEqual([
    { amount: 40, status: 'open' },
  ]);
  expect(await product.rows(event)).toEqual([{ type: 'dispute.opened', state: 'processed' }]);
  expect(await product.audit()).toEqual([]);
});

test('the event of a pending debit waits until the gateway answers', async () => {
  const customer = await payingCustomer(product, 'tok_4242424242424242', { autopay_delay_days: 1 });
  const { id: invoice } = await invoiceFor(product, customer.id, 30);
  const { deps, accountId } = product;
  const applied_to = [{ type: 'invoice' as const, invoice, amount: 30 }];
  const debit = { method: 'ach' as const, gateway_token: 'tok_123123123_123123893' };
  await product.client.post('/charges', { customer: customer.id, amount: 30, applied_to, ...debit });
  const [attempt] = await product.rows<{ id: number; reference: string }>(
    `select id, reference from attempt where state = 'pending'`,
  );
  const key = { accountId, id: attempt?.id ?? 0 };
  await product.rows(
    `insert into gateway_event (account_id, configuration, event_id, type, reference, attempt_id, body, state, received_at)
     values (${accountId}, 'test', 'evt_ended', 'operation.ended', '${attempt?.reference}', ${key.id}, '{}', 'received', now())`,
  );
  const event = () => product.rows(`select state from gateway_event where event_id = 'evt_ended'`);

  const silent = { ...deps, gateways: onlyGateways(new Map([['test', losingAnswers()]])) };
  await expect(settleAttempt(silent, key)).rejects.toThrow('the gateway did not answer after its event');
  expect(await event()).toEqual([{ state: 'received' }]);

  await settleAttempt(deps, key);
  expect(await event()).toEqual([{ state: 'processed' }]);
});

/** A gateway that takes the money and loses its answers. */
function losingAnswers(): Gateway {
  const real: Gateway = product.deps.testGateway;
  const lost = () => {
    throw new Error('The answer is lost');
  };
  return {
    ...real,
    confirm: (...asked) => real.confirm(...asked).then(lost),
    look: (...asked) => real.look(...asked).then(lost),
  };
}
