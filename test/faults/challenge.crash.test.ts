import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { runAttempt } from '../../commands/charges/attempts.ts';
import { armFailpoints } from '../../db/failpoint.ts';
import {
  answerAtBank,
  type BegunByPage,
  beginPayment,
  left,
  lookedUp,
  type PayingPage,
  payOnPage,
  returned,
  statusOf,
} from '../support/presentPayers.ts';
import { type Product, startProduct } from '../support/product.ts';
import { killRoles, startRole } from '../support/roles.ts';
import { letMinutePass } from './money/meanwhile.ts';
import { newPayer } from './money/payers.ts';
import { capturesOf, expectRecovered } from './money/recovery.ts';

/** Crashes of the page and of workers while a payer authenticates: no money without a payment, no release of an invoice that was paid. */

let product: Product;
let page: PayingPage;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  const { deps, accountId } = product;
  page = { deps, gateway: deps.testGateway, accountId };
});
afterEach(async () => {
  armFailpoints('');
  await killRoles();
});
afterAll(() => product.close());

async function owed() {
  const customerId = await newPayer(product, { autopay: false });
  const items = [{ name: 'Work', quantity: 1, unit_cost: 12 }];
  const { id: invoiceId } = await product.call('POST', '/invoices', { customer: customerId, items });
  return { customerId, invoiceId, amount: '12.00' };
}

async function challenged() {
  const asked = await owed();
  return { ...asked, begun: await payOnPage(page, asked) };
}

/** Expects that the invoice is paid exactly if money was taken, once, and that otherwise it can be charged again. */
async function expectOneOutcome(begun: BegunByPage, asked: Awaited<ReturnType<typeof owed>>): Promise<boolean> {
  const isTaken = (await capturesOf(product, asked.invoiceId)) === 1;
  expect(await capturesOf(product, asked.invoiceId)).toBe(isTaken ? 1 : 0);
  expect(await statusOf(page, begun)).toMatchObject({ status: isTaken ? 'succeeded' : 'abandoned' });
  expect(await product.call('GET', `/invoices/${asked.invoiceId}`)).toMatchObject({ paid: isTaken });
  if (!isTaken) await left(page, await payOnPage(page, asked));
  return isTaken;
}

/** The hour of attempts that wait for their payer is over, and their look-ups are due. */
async function letHourPass(): Promise<void> {
  await product.rows(
    `with aged as (
       update attempt set started_at = started_at - interval '1 hour' where state = 'waiting' returning account_id, id
     ), woken as (
       update outbox o set due_at = now(), start_at = null from aged
       where o.account_id = aged.account_id and o.topic = 'charge' and o.subject_id = aged.id
     )
     update wakeup w set at = now() from aged where w.account_id = aged.account_id and w.process = 'charge' and w.subject_id = aged.id`,
  );
}

/** Starts a worker that a failpoint kills. Then another one does the rest. */
async function workersKilledAt(point: string): Promise<void> {
  const first = await startRole(product, 'worker', { PERENNIAL_FAILPOINTS: `${point}=kill`, SWEEP_INTERVAL: '500' });
  await first.untilKilledAt(point);
}

const ended = (begun: BegunByPage) =>
  product.row(`select 1 from attempt where id = ${begun.id} and ended_at is not null`);

test.each([
  ['started', 'open'],
  ['prepared', 'open'],
  ['referenced', 'open'],
  ['confirmed', 'open'],
  ['answered', 'open'],
  ['recorded', 'challenge'],
])('a page that crashes when its charge is %s has a payer who pays once, or not at all', async (point, then) => {
  const asked = await owed();
  const begun = await beginPayment(page, asked);
  armFailpoints(`charge.${point}=throw`);
  await expect(runAttempt(page.deps, begun)).rejects.toThrow(`failpoint: charge.${point}`);
  armFailpoints('');
  expect(await statusOf(page, begun)).toMatchObject({ status: then });
  await returned(page, begun); // a reload of the page neither abandons nor repeats what is open
  expect(await statusOf(page, begun)).toMatchObject({ status: then });
  await expect(payOnPage(page, asked)).rejects.toThrow('Another charge of this invoice is in progress');
  await letMinutePass(product);
  await lookedUp(page, begun);
  const isWaiting = (await statusOf(page, begun))?.status === 'challenge';
  expect(isWaiting).toBe(['confirmed', 'answered', 'recorded'].includes(point));
  if (isWaiting) {
    await answerAtBank(page, begun, true);
    await returned(page, begun);
  }
  expect(await expectOneOutcome(begun, asked)).toBe(isWaiting);
});

test.each(['answered', 'recorded'])(
  'a page that crashes when the return of its payer is %s has taken the money once',
  async (point) => {
    const { begun, ...asked } = await challenged();
    await answerAtBank(page, begun, true);
    armFailpoints(`charge.${point}=throw`);
    const crashing = returned(page, begun);
    if (point === 'started')
      await crashing; // a return passes no such point
    else await expect(crashing).rejects.toThrow(`failpoint: charge.${point}`);
    armFailpoints('');
    await Promise.all([returned(page, begun), lookedUp(page, begun), returned(page, begun)]);
    expect(await expectOneOutcome(begun, asked)).toBe(true);
  },
);

test.each(['charge.abandoned', 'charge.answered'])(
  'after a worker is killed at %s while it ends a challenge, the payer has not paid, and the invoice is released',
  async (point) => {
    const { begun, ...asked } = await challenged();
    await letHourPass();
    await workersKilledAt(point);
    expect(await statusOf(page, begun)).toMatchObject({ status: 'challenge' });
    expect(await answerAtBank(page, begun, true)).toBe(false); // the gateway has abandoned it
    await returned(page, begun);
    expect(await expectOneOutcome(begun, asked)).toBe(false);
  },
);

test('a worker that takes over from a killed one records what a payer paid at the last moment', async () => {
  const { begun, ...asked } = await challenged();
  await letHourPass();
  await answerAtBank(page, begun, true);
  await workersKilledAt('charge.answered');
  await startRole(product, 'worker', { SWEEP_INTERVAL: '500' });
  await ended(begun);
  expect(await expectOneOutcome(begun, asked)).toBe(true);
});

test('when a payer authenticates, comes back, leaves and is too late all at once, one of them wins', async () => {
  const outcomes = new Set<boolean>();
  for (let round = 0; round < 16; round += 1) {
    const { begun, ...asked } = await challenged();
    await letHourPass();
    // The first two rounds are decided before the race, so that both outcomes occur.
    if (round === 0) await answerAtBank(page, begun, true);
    if (round === 1) await lookedUp(page, begun);
    const later = () => new Promise((resolve) => setTimeout(resolve, round % 4));
    await Promise.all([
      answerAtBank(page, begun, true).then(() => returned(page, begun)),
      later().then(() => lookedUp(page, begun)),
      ...(round % 2 ? [left(page, begun)] : []),
      lookedUp(page, begun).catch(() => undefined),
    ]);
    await lookedUp(page, begun);
    outcomes.add(await expectOneOutcome(begun, asked));
  }
  expect(outcomes).toEqual(new Set([true, false]));
  await product.startWorker();
  await expectRecovered(product);
});
