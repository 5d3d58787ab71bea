import { expect, test } from '@jest/globals';
import { advanceTo, clockAt } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { BEGIN, END, outcomeOf, playScenario } from '../support/scenario.ts';
import { expectSound } from '../support/soundness.ts';
import { steppedTime, stepTo, sweptConfig } from '../support/steppedTime.ts';

async function onClock(): Promise<Product> {
  const product = await startProduct();
  const clock = await clockAt(product, BEGIN);
  await playScenario(product, clock);
  expect(await advanceTo(product, clock, END)).toMatchObject({ status: 'ready' });
  return product;
}

/** Without a clock: the product's own time goes from wake-up to wake-up, and the sweep wakes what is due. */
async function inRealTime(): Promise<Product> {
  const time = steppedTime(BEGIN);
  const product = await startProduct({ systemNow: time.systemNow, config: sweptConfig });
  await playScenario(product, null);
  await stepTo(product, time, END);
  return product;
}

test('what happens on a test clock is what happens in real time', async () => {
  const clocked = await onClock();
  const live = await inRealTime();
  try {
    const [actual, expected] = [await outcomeOf(clocked), await outcomeOf(live)];
    expect(actual).toEqual(expected);
    // Enough to compare: 4 + 4 + 4 + 4 + 2 + 4 periods and an invoice by hand; Cid's hard decline leaves two unpaid, Eve pays nothing.
    expect(actual.documents.invoices).toHaveLength(23);
    expect(actual.mails.length).toBeGreaterThan(20);
    expect(actual.entries.length).toBeGreaterThan(80);
    await expectSound(clocked);
    expect(await live.audit()).toEqual([]);
  } finally {
    await clocked.close();
    await live.close();
  }
}, 900_000);
