import { expect, test } from '@jest/globals';
import { advanceTo, clockAt, dayOf } from '../../support/clock.ts';
import { type Product, startProduct } from '../../support/product.ts';
import { BEGIN, outcomeOf, playScenario } from '../../support/scenario.ts';
import { billsOf, expectStarts, type Outcome } from '../../support/scenarioBills.ts';
import { expectSound } from '../../support/soundness.ts';
import { fastSweepConfig, steppedTime, stepTo } from '../../support/steppedTime.ts';

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
    // 4 + 4 + 4 + 4 + 2 + 4 periods, one manual invoice and one of an estimate; 5 + 3 + 4 + 3 + 2 of `expectTerms`; 2 + 3 + 2 + 2 + 3 of `expectLife`;
    // 2 + 1 + 4 + 3 + 3 + 4 + 14 of `expectStarts`
    expect(actual.documents.invoices).toHaveLength(24 + 17 + 12 + 31);
    expect(actual.mails.length).toBeGreaterThan(20);
    const notices = actual.mails.filter(({ template }) => template === 'contract_ending_email');
    // Sam on 30 January, late; 12, 14, 19 and 25 February; 1, 22 and 27 March; 1 May
    const warned = ['Sam', 'Oto', 'Xia', 'Una', 'Fay', 'Kim', 'Una', 'Eve', 'Kim'];
    expect(notices.map(({ to_name }) => to_name)).toEqual(warned);
    expect(actual.entries.length).toBeGreaterThan(100);
    expect(actual.credits.map((change) => [change.amount, change.balance])).toEqual([
      ['5.0000', '5.0000'], // given
      ['-5.0000', '0.0000'], // spent by the bill after it
      ['31.4200', '31.4200'], // Max: 37.50 x 563 of 672 hours
    ]);
    expectDone(actual);
    expectTerms(actual);
    expectLife(actual);
    expectStarts(actual);
    await expectSound(clocked);
    expect(await live.audit()).toEqual([]);
  } finally {
    await clocked.close();
    await live.close();
  }
});

/** Expects the main results of the scenario. Two empty runs would also be equal. */
function expectDone({ documents }: Outcome): void {
  const of = (name: string) => billsOf(documents, name);
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
  expect(documents.estimates.map(({ status, deposit_paid }) => [status, deposit_paid])).toEqual([
    ['declined', false],
    ['invoiced', true],
  ]);
}

/** Expects the bills of `scenarioTerms.ts`. Changes are on 10 February at 9:00; three units cost 37.50 a month. */
function expectTerms({ documents }: Outcome): void {
  const of = (name: string) => billsOf(documents, name).map(({ date, total }) => [dayOf(date), total]);
  // 2 seats of 3.00 and a line of 1.25. From the change to 1 March at 16:00: 463 of 672 hours: 12.00 x = 8.27, 6.00 x = 4.13
  expect(of('Hal')).toEqual([
    ['2027-02-01 16:00', 44.75], // 37.50 + 6.00 + 1.25
    ['2027-02-10 09:00', 4.14], // 8.27 - 4.13
    ['2027-03-01 16:00', 50.75], // 37.50 + 12.00 + 1.25
    ['2027-04-01 16:00', 50.75],
    ['2027-05-01 16:00', 50.75],
  ]);
  expect(of('Ida')).toEqual([
    ['2027-03-02 17:00', 64.73], // 37.50 x 184 / 672 = 10.27, 75.00 x 488 / 672 = 54.46
    ['2027-04-02 17:00', 75],
    ['2027-05-02 17:00', 75],
  ]);
  expect(of('Jon')).toEqual([
    ['2027-02-03 18:00', 37.5], // five days before 8 February
    ['2027-03-08 18:00', 12.5], // one unit from the next period on, which is billed when it starts
    ['2027-04-03 18:00', 12.5],
    ['2027-05-03 18:00', 12.5],
  ]);
  // A trial of seven days, a contract of one month, and one of two.
  expect(of('Kim')).toEqual([
    ['2027-02-11 19:00', 37.5],
    ['2027-03-11 19:00', 37.5],
    ['2027-04-11 19:00', 37.5],
  ]);
  expect(of('Max')).toEqual([
    ['2027-02-05 20:00', 37.5],
    ['2027-02-10 09:00', 0], // the credit of the rest becomes a credit note
  ]);
  const credited = documents.creditNotes.map(({ date, total }) => [dayOf(date), total]);
  expect(credited.toSorted()).toEqual([
    ['2027-02-10 09:00', 31.42], // Max: 37.50 x 563 of 672 hours
    ['2027-02-10 09:00', 9.95], // Gus
  ]);
}

/** Expects the bills of subscriptions that are paused, renewed, ended or moved to another interval on 10 February at 9:00. */
function expectLife({ documents }: Outcome): void {
  const of = (name: string) => billsOf(documents, name).map(({ date, total }) => [dayOf(date), total]);
  expect(of('Nia')).toEqual([
    ['2027-02-03 21:00', 14.52], // until the 15th: 37.50 x 12 / 31 days; paused from then until 20 March
    ['2027-04-15 21:00', 37.5],
  ]);
  expect(of('Oto')).toEqual([
    ['2027-02-01 22:00', 9], // 3 x 3.00 a week
    ['2027-02-08 22:00', 9], // the missed week of the renewed contract
    ['2027-02-15 22:00', 9],
  ]);
  expect(of('Pam')).toEqual([
    ['2027-02-04 23:00', 37.5],
    ['2027-02-10 09:00', 75], // two of three months were left
  ]);
  expect(of('Quin')).toEqual([
    ['2027-02-06 07:00', 37.5],
    ['2027-02-10 09:00', 267.97], // 300.00 - 37.50 x 574 of 672 hours = 32.03
  ]);
  // From 8 February on 5 instead of 3 units: 27 of 28 days: 62.50 x = 60.27, 37.50 x = 36.16. Paused until 25 March.
  expect(of('Roy')).toEqual([
    ['2027-02-07 06:00', 37.5],
    ['2027-03-25 06:00', 86.61], // 62.50 + 60.27 - 36.16
    ['2027-04-25 06:00', 62.5],
  ]);
}
