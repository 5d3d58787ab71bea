import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordOutcome } from '../../commands/charges/attemptOutcomes.ts';
import { runAttempt, settleAttempt } from '../../commands/charges/attempts.ts';
import { startRequestedCharge } from '../../commands/charges/charges.ts';
import type { Outcome } from '../../commands/charges/openAttempt.ts';
import { startVault } from '../../commands/charges/paymentSources.ts';
import { systemCaller } from '../../commands/kernel/caller.ts';
import type { Gateway } from '../../commands/ports/ports.ts';
import { inTransaction } from '../../db/transaction.ts';
import { createPlan } from '../support/business.ts';
import { onlyGateways } from '../support/gateways.ts';
import { type Product, startProduct } from '../support/product.ts';
import { invoiceFor } from '../support/story.ts';
import { newPayer, token } from './money/payers.ts';
import { allCaptures, capturesOf } from './money/recovery.ts';
import { prepareRound } from './money/round.ts';

let product: Product;

beforeAll(async () => {
  product = await startProduct({ worker: false, env: { DATABASE_POOL: '12' } });
  await createPlan(product, 'monthly');
});
afterAll(() => product.close());

/** Runs and settles an attempt ten times each, all at once. */
async function askTenTimes(id: number): Promise<void> {
  const key = { accountId: product.accountId, id };
  const asking = Array.from({ length: 10 }, () => [runAttempt(product.deps, key), settleAttempt(product.deps, key)]);
  await Promise.all(asking.flat());
}

test('an outcome that twenty report at once is recorded once', async () => {
  const { attemptId, customerId } = await prepareRound(product);
  const before = await countsOf(customerId);
  await askTenTimes(attemptId);
  const after = await countsOf(customerId);
  const { charges, payments, sources, receipts, attempts } = before;
  expect(after).toEqual({
    charges: charges + 1,
    payments: payments + 1,
    sources,
    receipts: receipts + 1,
    attempts: attempts + 1,
  });
  await expectLateOutcomesIgnored(attemptId, customerId);
  expect(await allCaptures(product)).toBe(charges + 1);
  expect(await product.audit()).toEqual([]);
});

const TEN = 10;

/** A barrier: the calls proceed once `count` of them have been made. */
function withBarrier<Asked extends unknown[], Answer>(count: number, call: (...asked: Asked) => Promise<Answer>) {
  const present = Promise.withResolvers<void>();
  let waiting = 0;
  return async (...asked: Asked): Promise<Answer> => {
    waiting += 1;
    if (waiting === count) present.resolve();
    await present.promise;
    return call(...asked);
  };
}

test('an attempt that ten run at once happens once', async () => {
  const { caller, customerId } = await prepareRound(product);
  const before = await countsOf(customerId);
  const { deps, accountId } = product;
  const source = { method: 'credit_card' as const, sealedToken: deps.cipher.encrypt(token.pays), isTestToken: true };
  const wanted = { ...source, caller, customerId, makeDefault: false, lookUpDelay: deps.lookUpDelay };
  const { id } = await inTransaction(deps.em, (em) => startVault(em, wanted, deps.systemNow()));
  let confirmed = 0;
  const real = testGateway();
  const confirm: Gateway['confirm'] = (...asked) => {
    confirmed += 1;
    return real.confirm(...asked);
  };
  // All ten read the attempt as new before one of them continues. A later reader would rightly look it up and abandon it.
  const prepare = withBarrier(TEN, real.prepare);
  const counting = { ...deps, gateways: onlyGateways(new Map([['test', { ...real, prepare, confirm }]])) };
  await Promise.all(Array.from({ length: TEN }, () => runAttempt(counting, { accountId, id })));
  expect(confirmed).toBe(1);
  expect(await countsOf(customerId)).toEqual({ ...before, sources: before.sources + 1 });
  expect(await product.audit()).toEqual([]);
});

test('a confirmation after its attempt was abandoned takes no money', async () => {
  const customer = await newPayer(product, { autopay: true, autopayDelayDays: 1 });
  const { id: invoice } = await invoiceFor(product, customer, 25);
  const { deps, accountId } = product;
  const caller = await systemCaller(deps.em.fork(), accountId);
  const pay = { caller, id: invoice, lookUpDelay: deps.lookUpDelay };
  const started = await inTransaction(deps.em, (em) => startRequestedCharge(em, pay, deps.systemNow()));
  const id = 'id' in started ? started.id : 0;
  const { gateway, isReached, letConfirm } = holdConfirm();
  const slow = runAttempt({ ...deps, gateways: onlyGateways(new Map([['test', gateway]])) }, { accountId, id });
  await isReached;
  await settleAttempt(deps, { accountId, id });
  letConfirm();
  await slow;
  expect(await product.rows(`select state from attempt where id = ${id}`)).toEqual([{ state: 'abandoned' }]);
  await expectLateOutcomesIgnored(id, customer);
  expect(await capturesOf(product, invoice)).toBe(0);
  expect(await product.call('POST', `/invoices/${invoice}/pay`, {})).toMatchObject({ paid: true });
  expect(await capturesOf(product, invoice)).toBe(1);
  expect(await product.audit()).toEqual([]);
});

/** A gateway whose confirmations wait until `letConfirm` is called. */
function holdConfirm() {
  const real = testGateway();
  const reached = Promise.withResolvers<void>();
  const told = Promise.withResolvers<void>();
  const confirm: Gateway['confirm'] = async (...asked) => {
    reached.resolve();
    await told.promise;
    return real.confirm(...asked);
  };
  return { gateway: { ...real, confirm }, isReached: reached.promise, letConfirm: told.resolve };
}

function testGateway(): Gateway {
  const gateway: Gateway = product.deps.testGateway;
  return gateway;
}

const lateOutcomes: Outcome[] = [
  { status: 'failed', kind: 'soft', code: 'card_declined', message: 'declined', source: null },
  { status: 'abandoned', why: 'not_made' },
  { status: 'pending', source: null },
  { status: 'unknown', source: null },
  { status: 'succeeded', source: null },
];

/** Expects that outcomes which are reported after the recorded one change nothing. */
async function expectLateOutcomesIgnored(id: number, customerId: number): Promise<void> {
  const { deps, accountId } = product;
  const state = () =>
    product.rows(
      `select a.state, a.ended_at, a.failure_message, i.status, i.balance, i.attempt_count, i.event_count from attempt a
       join attempt_invoice ai on ai.attempt_id = a.id join invoice i on i.id = ai.invoice_id where a.id = ${id}`,
    );
  const before = [await state(), await countsOf(customerId)];
  for (const outcome of lateOutcomes) {
    await inTransaction(deps.em, (em) => recordOutcome(em, { accountId, id, outcome }, deps.systemNow()));
  }
  expect([await state(), await countsOf(customerId)]).toEqual(before);
}

interface Counts {
  charges: number;
  payments: number;
  sources: number;
  receipts: number;
  attempts: number;
}

async function countsOf(customer: number): Promise<Counts> {
  const [counts] = await product.rows<Counts>(
    `select (select count(*)::int from charge where customer_id = c.id) as charges,
            (select count(*)::int from payment where customer_id = c.id) as payments,
            (select count(*)::int from payment_source where customer_id = c.id) as sources,
            (select count(*)::int from email where template = 'payment_receipt_email' and customer_id = c.id) as receipts,
            (select sum(attempt_count)::int from invoice where customer_id = c.id) as attempts
     from customer c where id = ${customer}`,
  );
  if (!counts) throw new Error(`no customer ${customer}`);
  return counts;
}
