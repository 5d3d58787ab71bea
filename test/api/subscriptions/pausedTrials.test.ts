import { expect, test } from '@jest/globals';
import { APRIL, dayOf2027 as day, goldSubscriptions, JULY } from '../../support/goldSubscriptions.ts';

/** `cancel_at_period_end` during a pause that has outlasted the trial. The test takes the steps as their processes would. */

const gold = goldSubscriptions();
const { change, expectCleanBooks } = gold;

const CANCEL = { cancel_at_period_end: true };

/** A trial until 15 March, paused on 10 March, and to be canceled on 20 March. */
async function canceledInPause(terms: object): Promise<number> {
  const id = await gold.begin({ trial_end: day(3, 15), ...terms });
  await gold.advanceTo(id, day(3, 10));
  await change(id, { paused: true });
  await gold.advanceTo(id, day(3, 20));
  expect((await change(id, CANCEL)).body).toMatchObject({ status: 'active', paused: true, ...CANCEL });
  await gold.advanceTo(id, day(3, 20));
  expect(await gold.read(id)).toMatchObject({ status: 'active', canceled_at: null });
  return id;
}

test('without a contract it ends when the next period would start, unbilled', async () => {
  const id = await canceledInPause({});
  await gold.advanceTo(id, day(4, 15) - 1);
  expect(await gold.read(id)).toMatchObject({ status: 'active' });
  await gold.advanceTo(id, day(4, 15));
  expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: day(4, 15) });
  expect(await gold.billed(id)).toEqual([]);
});

test.each([
  [{}, [day(4, 15), day(5, 15)]],
  [{ bill_in: 'arrears' }, [day(5, 15), day(6, 15)]],
])('in a contract it ends after its cycles, and not before the request: %j', async (terms, bills) => {
  const id = await canceledInPause({ ...terms, cycles: 2, contract_renewal_mode: 'auto' });
  await gold.advanceTo(id, APRIL);
  await change(id, { paused: false });
  await gold.advanceTo(id, JULY);
  expect(await gold.read(id)).toMatchObject({ status: 'canceled', canceled_at: day(6, 15) }); // two months from 15 April
  expect(await gold.billed(id)).toEqual(bills);
  await expectCleanBooks();
});

test('no request failed with a server error', () => {
  expect(gold.api.faults).toEqual([]);
});
