import { expect, test } from '@jest/globals';
import { APRIL, dayOf2027 as day, goldSubscriptions, MARCH } from '../../support/goldSubscriptions.ts';

/** Changes of the interval during a pause. The test takes the steps as their processes would. */

const gold = goldSubscriptions(({ make }) =>
  make('/plans', { id: 'weekly', name: 'Weekly', amount: 7, interval: 'week' }),
);
const { change, customerWith, expectCleanBooks, totals } = gold;

const MID_MARCH = day(3, 15);

/** Paused on 10 March, changed on 15 March to weeks that are counted from then, and resumed on 20 March, if at all. */
async function changedInPause(terms: object, { isResumed }: { isResumed: boolean }): Promise<number> {
  const id = await gold.begin({ customer: await customerWith(), ...terms });
  await gold.advanceTo(id, day(3, 10));
  await change(id, { paused: true });
  await gold.advanceTo(id, MID_MARCH);
  const { body } = await change(id, { plan: 'weekly' });
  expect(body).toMatchObject({ paused: true, period_start: MARCH, period_end: MID_MARCH });
  await gold.advanceTo(id, day(3, 20));
  if (isResumed) await change(id, { paused: false });
  return id;
}

// 10.00 x 17 days of 31 = 5.483…, credited by a final invoice, whose total is 0
const ADVANCE = [{}, [10, 0]] as const;
// 10.00 x 9 days of 31 = 2.903…, used before the pause
const ARREARS = [{ bill_in: 'arrears' }, [2.9]] as const;

test.each([
  [...ADVANCE, true],
  [...ADVANCE, false],
  [...ARREARS, true],
  [...ARREARS, false],
])(
  '%j, %j: cancel_at_period_end ends it when the next period would start (resumed: %s)',
  async (terms, bills, isResumed) => {
    const id = await changedInPause(terms, { isResumed });
    expect((await change(id, { cancel_at_period_end: true })).body).toMatchObject({ status: 'active' });
    await gold.advanceTo(id, day(3, 22) - 1);
    expect(await gold.read(id)).toMatchObject({ status: 'active' });
    await gold.advanceTo(id, APRIL);
    expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: day(3, 22) }); // a week after 15 March
    expect(await totals(id)).toEqual(bills);
    await expectCleanBooks();
  },
);

test('pause_at_period_end pauses it when the next period would start', async () => {
  const id = await changedInPause({}, { isResumed: true });
  await change(id, { pause_at_period_end: true, resume_at: day(4, 4) });
  await gold.advanceTo(id, day(3, 22));
  expect(await gold.read(id)).toMatchObject({ paused: true, pause_at_period_end: false });
  expect(await totals(id)).toEqual([10]);
  await gold.advanceTo(id, day(4, 5));
  expect(await totals(id)).toEqual([10, 1.52]); // 7.00 - 5.48
  await expectCleanBooks();
});

test('resumed, it bills the next week, less the credit of the month', async () => {
  const id = await changedInPause({}, { isResumed: true });
  await gold.advanceTo(id, day(3, 22));
  expect(await gold.read(id)).toMatchObject({ period_start: day(3, 22), period_end: day(3, 29) });
  expect(await totals(id)).toEqual([10, 1.52]); // 7.00 - 5.48
  await expectCleanBooks();
});

test('no request failed with a server error', () => {
  expect(gold.api.faults).toEqual([]);
});
