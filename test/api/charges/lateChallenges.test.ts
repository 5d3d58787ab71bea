import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { recordOutcome } from '../../../commands/charges/attemptOutcomes.ts';
import type { Gateway } from '../../../commands/ports/ports.ts';
import { withAccount } from '../../../db/tenant.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Credits, startCredits } from '../../support/credits.ts';
import { onlyGateways } from '../../support/gateways.ts';
import {
  answerAtBank,
  comeBack,
  lookedUp,
  type PayingPage,
  payOnPage,
  returned,
  statusOf,
} from '../../support/presentPayers.ts';
import { steppedTime } from '../../support/steppedTime.ts';

/** Charges whose payer authenticates late, or while the gateway does not answer. */

const START = '2027-03-01T09:00:00Z';
const time = steppedTime(START);
let books: Credits;
let page: PayingPage;
beforeAll(async () => {
  books = await startCredits(time.systemNow);
  const { api } = books;
  page = { deps: api.deps, gateway: api.gateway, accountId: api.sandbox.account.id };
});
afterAll(() => books.api.close());
beforeEach(() => {
  time.moveTo(START);
  return books.begin();
});

async function pay() {
  const invoiceId = await books.invoice(12);
  return { invoiceId, begun: await payOnPage(page, { customerId: books.customer, invoiceId, amount: '12.00' }) };
}

const events = () => books.rows('select type from event order by id');
const chargesOf = async () => (await books.api.sandbox.get(`/charges?filter[customer]=${books.customer}`)).body;

test('a charge that pays at the end of its hour is recorded, even if the process finds it first', async () => {
  const { invoiceId, begun } = await pay();
  time.moveTo('2027-03-01T10:00:01Z');
  await answerAtBank(page, begun, true);
  await lookedUp(page, begun);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'succeeded' });
  expect(await books.readInvoice(invoiceId)).toMatchObject({ paid: true });
});

/** The gateway, with some of its calls replaced. */
const gatewayWith = (calls: Partial<Gateway>) => ({
  ...page,
  deps: { ...page.deps, gateways: onlyGateways(new Map([['test', { ...books.api.gateway, ...calls }]])) },
});

test('a payer who authenticates just before the charge would be abandoned has paid', async () => {
  const { invoiceId, begun } = await pay();
  time.moveTo('2027-03-01T10:00:00Z');
  let looks = 0;
  const look: Gateway['look'] = async (...asked) => {
    const seen = await books.api.gateway.look(...asked);
    looks += 1;
    return seen;
  };
  const abandon: Gateway['abandon'] = async (...asked) => {
    await answerAtBank(page, begun, true);
    return books.api.gateway.abandon(...asked);
  };
  await lookedUp(gatewayWith({ look, abandon }), begun);
  expect(looks).toBe(2);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'succeeded' });
  expect(await books.readInvoice(invoiceId)).toMatchObject({ paid: true });
  await books.expectCleanBooks();
});

test('a look-up that is older than the authentication of a bank debit changes nothing', async () => {
  const { begun } = await pay();
  await answerAtBank(page, begun, true);
  const pending: Gateway['look'] = async () => ({ status: 'pending', source: null });
  await returned(gatewayWith({ look: pending, challenge: async () => null }), begun);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'pending' });
  const older = {
    accountId: begun.accountId,
    id: begun.id,
    outcome: { status: 'waiting', sealedChallenge: 'x' },
  } as const;
  await withAccount(begun.accountId, () =>
    inTransaction(page.deps.em, (em) => recordOutcome(em, older, time.systemNow())),
  );
  expect(await statusOf(page, begun)).toMatchObject({ status: 'pending' });
  await lookedUp(page, begun);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'succeeded' });
  await books.expectCleanBooks();
});

test('a charge stays open while the gateway does not say whether it waits, and its page tells nothing false', async () => {
  const deaf = gatewayWith({ challenge: () => Promise.reject(new Error('no answer')) });
  const invoiceId = await books.invoice(12);
  const begun = await payOnPage(deaf, { customerId: books.customer, invoiceId, amount: '12.00' });
  expect(await statusOf(page, begun)).toMatchObject({ status: 'open' });
  await lookedUp(deaf, begun);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'open' });
  await returned(page, begun); // the first request may still be at work
  expect(await statusOf(page, begun)).toMatchObject({ status: 'open' });
  await lookedUp(page, begun);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'challenge' });
  await comeBack(page, begun, true);
  expect(await statusOf(page, begun)).toMatchObject({ status: 'succeeded' });
});

test.each([
  [true, 'succeeded', 'payment.updated'],
  [false, 'failed', 'payment.deleted'],
] as const)(
  'after a lost answer a charge is pending, then waits for its payer (passed: %s)',
  async (isPassed, status, last) => {
    const confirm: Gateway['confirm'] = async (...asked) => {
      await books.api.gateway.confirm(...asked);
      throw new Error('connection lost');
    };
    const invoiceId = await books.invoice(12);
    const asked = { customerId: books.customer, invoiceId, amount: '12.00' };
    const begun = await payOnPage(gatewayWith({ confirm }), asked);
    expect(await statusOf(page, begun)).toMatchObject({ status: 'pending' });
    await returned(page, begun);
    expect(await statusOf(page, begun)).toMatchObject({ status: 'challenge' });
    expect(await chargesOf()).toMatchObject([{ status: 'pending' }]);
    await comeBack(page, begun, isPassed);
    expect(await statusOf(page, begun)).toMatchObject({ status });
    expect(await chargesOf()).toMatchObject([{ status }]);
    expect((await events()).map(({ type }) => type)).toContain(last);
    expect(await books.readInvoice(invoiceId)).toMatchObject({ paid: isPassed });
    await books.expectCleanBooks();
  },
);
