import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { onClock, type Stage } from '../support/collectionStage.ts';
import { type Product, startProduct } from '../support/product.ts';
import { expectSound } from '../support/soundness.ts';
import { cardThatNeverPays, cardThatRecovers } from '../support/storiesOfCards.ts';
import { disputeAmidPlan, planOfSix } from '../support/storiesOfPlans.ts';
import { brokenPromise, groupInTwoCurrencies } from '../support/storiesOfPromises.ts';

/** Stories of collection on test clocks, each in a business of its own. `long/collectionStories.test.ts` tells them in real time. */

let product: Product;
beforeAll(async () => {
  product = await startProduct();
});
afterAll(async () => {
  await expectSound(product);
  await product.close();
});

const tell = async (play: (stage: Stage) => Promise<void>) =>
  expect(await play(await onClock(product))).toBeUndefined();

test('a card recovers on its third retry: charged, told and receipted, and nobody is asked', () =>
  tell(cardThatRecovers));

test('a card never pays: the subscription ends, the invoice is past due, chased, and gets a late fee', () =>
  tell(cardThatNeverPays));

test('a plan of six installments with a missed one, an edit and early payments', () => tell(planOfSix));

test('a dispute that is lost amid a plan: the installment is owed again, without AutoPay', () => tell(disputeAmidPlan));

test('a promise that is broken: nobody asks until its day has ended, then a task and the next steps', () =>
  tell(brokenPromise));

test('a group in two currencies: each child is asked for its own money, and the group pays for both', () =>
  tell(groupInTwoCurrencies));
