import { expect, test } from '@jest/globals';
import { advanceTo, clockAt } from '../support/clock.ts';
import { type Product, startProduct } from '../support/product.ts';
import { BEGIN, outcomeOf, playScenario } from '../support/scenario.ts';
import { expectSound } from '../support/soundness.ts';
import { fastSweepConfig, steppedTime, stepTo } from '../support/steppedTime.ts';

async function onClock(): Promise<Product> {
  const product = await startProduct();
  const clock = await clockAt(product, BEGIN);
  await playScenario(product, clock, async (at) => {
    expect(await advanceTo(product, clock, at)).toMatchObject({ status: 'ready' });
  });
  return product;
}

/** Plays the scenario without a test clock: the product's time moves from wake-up to wake-up, and the sweep enqueues due work. */
async function inRealTime(): Promise<Product> {
  const time = steppedTime(BEGIN);
  const product = await startProduct({ systemNow: time.systemNow, config: fastSweepConfig });
  await playScenario(product, null, (at) => stepTo(product, time, at));
  return product;
}

test('a test clock has the same effects as real time', async () => {
  const clocked = await onClock();
  const live = await inRealTime();
  try {
    const [actual, expected] = [await outcomeOf(clocked), await outcomeOf(live)];
    expect(actual).toEqual(expected);
    // 4 + 4 + 4 + 4 + 2 + 4 periods, one manual invoice and one of an estimate
    expect(actual.documents.invoices).toHaveLength(24);
    expect(actual.mails.length).toBeGreaterThan(20);
    const notices = actual.mails.filter(({ template }) => template === 'contract_ending_email');
    expect(notices.map(({ to_name }) => to_name)).toEqual(['Fay', 'Eve']); // by time: 25 February and 27 March
    expect(actual.entries.length).toBeGreaterThan(100);
    expect(actual.credits.map((change) => [change.amount, change.balance])).toEqual([
      ['5.0000', '5.0000'], // given
      ['-5.0000', '0.0000'], // spent by the bill after it
    ]);
    expectDone(actual);
    await expectSound(clocked);
    expect(await live.audit()).toEqual([]);
  } finally {
    await clocked.close();
    await live.close();
  }
});

/** Expects the main results of the scenario. Two empty runs would also be equal. */
function expectDone({ documents: { invoices, estimates, customers } }: Awaited<ReturnType<typeof outcomeOf>>): void {
  const of = (name: string) => {
    const customer = customers.find((one) => one.name === name)?.id;
    return invoices.filter((invoice) => invoice.customer === customer).toSorted((one, other) => one.date - other.date);
  };
  // 3 x 12.50, with a line of 10.00 on the second; 20 % off the first two; 10 % tax: 30 + 3; 38 + 3.80; 37.50 + 3.75 twice
  expect(of('Ada').map(({ total, status }) => [total, status])).toEqual([
    [33, 'paid'],
    [41.8, 'paid'],
    [41.25, 'paid'],
    [41.25, 'paid'],
  ]);
  // Declined on 3, 6 and 11 March; paid on the 18th, by the fourth attempt.
  expect(of('Bea').map(({ status, attempt_count }) => [status, attempt_count])).toEqual([
    ['paid', 1],
    ['paid', 4],
    ['paid', 1],
    ['paid', 1],
  ]);
  // Gus pays only 50.00, the deposit of his estimate of 200.00. His two invoices become past due.
  expect(of('Gus').map(({ balance, status }) => [balance, status])).toEqual([
    [90, 'past_due'], // 99.95, of which 9.95 are credited
    [150, 'past_due'],
  ]);
  expect(estimates.map(({ status, deposit_paid }) => [status, deposit_paid])).toEqual([
    ['declined', false],
    ['invoiced', true],
  ]);
}
