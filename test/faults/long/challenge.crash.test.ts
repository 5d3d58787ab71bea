import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { runAttempt } from '../../../commands/charges/attempts.ts';
import { armFailpoints } from '../../../db/failpoint.ts';
import {
  answerAtBank,
  beginPayment,
  left,
  lookedUp,
  type PayingPage,
  payOnPage,
  returned,
  statusOf,
} from '../../support/presentPayers.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { killRoles, startRole } from '../../support/roles.ts';
import { type Challenges, challengesOf } from '../money/challenges.ts';
import { letMinutePass } from '../money/meanwhile.ts';
import { expectRecovered } from '../money/recovery.ts';

/** Crashes of the page and of workers while a payer authenticates: no money without a payment, no release of an invoice that was paid. */

let product: Product;
let challenges: Challenges;
let page: PayingPage;
beforeAll(async () => {
  product = await startProduct({ worker: false });
  challenges = challengesOf(product);
  page = challenges.page;
});
afterEach(async () => {
  armFailpoints('');
  await killRoles();
});
afterAll(() => product.close());

test.each([
  ['started', 'open'],
  ['prepared', 'open'],
  ['referenced', 'open'],
  ['confirmed', 'open'],
  ['answered', 'open'],
  ['recorded', 'challenge'],
])('a page that crashes when its charge is %s has a payer who pays once, or not at all', async (point, then) => {
  const asked = await challenges.owed();
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
  expect(await challenges.expectOneOutcome(begun, asked)).toBe(isWaiting);
});

test.each(['answered', 'recorded'])(
  'a page that crashes when the return of its payer is %s has taken the money once',
  async (point) => {
    const { begun, asked } = await challenges.challenged();
    await answerAtBank(page, begun, true);
    armFailpoints(`charge.${point}=throw`);
    const crashing = returned(page, begun);
    await expect(crashing).rejects.toThrow(`failpoint: charge.${point}`);
    armFailpoints('');
    await Promise.all([returned(page, begun), lookedUp(page, begun), returned(page, begun)]);
    expect(await challenges.expectOneOutcome(begun, asked)).toBe(true);
  },
);

test.each(['answered', 'recorded'])(
  'after the API is killed when the return of a payer is %s, a reload shows what was paid, once',
  async (point) => {
    const { begun, asked } = await challenges.challenged();
    await answerAtBank(page, begun, true);
    const api = await startRole(product, 'api', { PERENNIAL_FAILPOINTS: `charge.${point}=kill` });
    const { url } = await product.call<{ url: string }>('GET', `/invoices/${asked.invoiceId}`);
    const path = `${new URL(url).pathname}/payments/${begun.key}?returned=1`;
    await expect(fetch(new URL(path, api.url))).rejects.toThrow();
    await api.untilKilledAt(`charge.${point}`);
    const shown = await fetch(new URL(path, product.url));
    expect(shown.status).toBe(200);
    expect(await challenges.expectOneOutcome(begun, asked)).toBe(true);
  },
);

test('when a payer authenticates, comes back, leaves and is too late all at once, one of them wins', async () => {
  const outcomes = new Set<boolean>();
  for (let round = 0; round < 16; round += 1) {
    const { begun, asked } = await challenges.challenged();
    await challenges.letHourPass();
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
    outcomes.add(await challenges.expectOneOutcome(begun, asked));
  }
  expect(outcomes).toEqual(new Set([true, false]));
  await product.startWorker();
  await expectRecovered(product);
});
