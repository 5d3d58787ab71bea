import { expect, test } from '@jest/globals';
import { BEGIN, inSteppedTime } from '../../support/collectionStage.ts';
import { startProduct } from '../../support/product.ts';
import { fastSweepConfig, steppedTime } from '../../support/steppedTime.ts';
import { cardThatNeverPays, cardThatRecovers } from '../../support/storiesOfCards.ts';
import { disputeAmidPlan, planOfSix } from '../../support/storiesOfPlans.ts';
import { brokenPromise, groupInTwoCurrencies } from '../../support/storiesOfPromises.ts';

/** The stories of collection again, in real time that moves from wake-up to wake-up. */
test.each([
  ['a card that recovers', cardThatRecovers],
  ['a card that never pays', cardThatNeverPays],
  ['a plan of six installments', planOfSix],
  ['a dispute that is lost amid a plan', disputeAmidPlan],
  ['a promise that is broken', brokenPromise],
  ['a group in two currencies', groupInTwoCurrencies],
])('%s is the same story in real time as on a test clock', async (_name, play) => {
  const time = steppedTime(BEGIN);
  const product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig });
  try {
    await play(await inSteppedTime(product, time));
    expect(await product.audit()).toEqual([]);
  } finally {
    await product.close();
  }
});
