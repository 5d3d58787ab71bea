import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { heldUntil } from '../../billing/collection/lineDispute.ts';
import { checkCustomersPromise } from '../../billing/collection/promise.ts';
import {
  changeTimes,
  checkCustomersQuantity,
  checkPortalChanges,
  checkPreviewedAt,
  choicesAfter,
  customersChoices,
  PREVIEW_LASTS,
  portalChangesOf,
  type RegularPrice,
  timeOfChange,
} from '../../billing/subscriptions/selfService.ts';

const monthly = (amount: string): RegularPrice => ({ monthly: amount, interval: 'month', intervalCount: 1 });

describe('when a change takes effect', () => {
  const allowed = portalChangesOf(null);
  test.each<[RegularPrice, RegularPrice, 'now' | 'renewal']>([
    [monthly('10'), monthly('20'), 'now'],
    [monthly('20'), monthly('10'), 'renewal'],
    [monthly('10'), monthly('10.00'), 'now'],
    [monthly('10'), { monthly: '8', interval: 'year', intervalCount: 1 }, 'now'],
    [{ monthly: '8', interval: 'year', intervalCount: 1 }, monthly('10'), 'renewal'],
    [monthly('10'), { monthly: '9', interval: 'month', intervalCount: 12 }, 'now'],
    [
      { monthly: '10', interval: 'month', intervalCount: 12 },
      { monthly: '9', interval: 'year', intervalCount: 1 },
      'renewal',
    ],
  ])('%j to %j: %s', (before, after, time) => {
    expect(timeOfChange(allowed, { before, after, param: 'plan' })).toBe(time);
  });

  test('what the account does not allow is refused', () => {
    const none = portalChangesOf({ upgrade: 'none' }, { downgrade: 'none' });
    const refused = (before: string, after: string) => () =>
      timeOfChange(none, { before: monthly(before), after: monthly(after), param: 'plan' });
    expect(refused('1', '2')).toThrow('higher price');
    expect(refused('2', '1')).toThrow('lower price');
  });
});

const bounds = fc.record({
  minQuantity: fc.integer({ min: 0, max: 50 }),
  maxQuantity: fc.integer({ min: 0, max: 50 }),
  upgrade: fc.constantFrom(...changeTimes),
});
const isAccepted = (check: () => void) => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

test('a quantity that is accepted lies within the bounds, or stays as it is', () => {
  const quantity = fc.integer({ min: 0, max: 60 });
  fc.assert(
    fc.property(bounds, quantity, quantity, fc.boolean(), (own, before, after, isOtherPlan) => {
      const allowed = portalChangesOf(own);
      if (!isAccepted(() => checkCustomersQuantity(allowed, { before, after, isOtherPlan }))) return;
      const isWithin = own.maxQuantity > 0 && after >= own.minQuantity && after <= own.maxQuantity;
      expect(isWithin || (after === before && (own.maxQuantity === 0 || !isOtherPlan))).toBe(true);
    }),
  );
});

test('bounds that are accepted leave a quantity, whether the account or the plan has them', () => {
  fc.assert(
    fc.property(bounds, bounds, (account, plan) => {
      if (!isAccepted(() => checkPortalChanges(plan, account))) return;
      const { minQuantity, maxQuantity } = portalChangesOf(account, plan);
      expect(maxQuantity === 0 || minQuantity <= maxQuantity).toBe(true);
    }),
  );
});

test('a customer takes back only what nobody else has changed since', () => {
  const facts = fc.record({
    change: fc.constantFrom(null, { quantity: 1 }, { quantity: 2 }),
    cancellation: fc.boolean(),
    pause: fc.constantFrom(null, { resumeAt: null }),
  });
  const changes = fc.array(fc.record({ after: facts, isOfCustomer: fc.boolean() }), { minLength: 1 });
  fc.assert(
    fc.property(facts, changes, (start, history) => {
      let [known, before] = [choicesAfter([], { before: start, after: start, isOfCustomer: false }), start];
      const last = new Map<string, boolean>();
      for (const { after, isOfCustomer } of history) {
        known = choicesAfter(known, { before, after, isOfCustomer });
        for (const choice of customersChoices)
          if (JSON.stringify(before[choice]) !== JSON.stringify(after[choice])) last.set(choice, isOfCustomer);
        before = after;
      }
      for (const choice of customersChoices)
        expect(known.includes(choice)).toBe(Boolean(before[choice]) && last.get(choice) === true);
    }),
  );
});

test('a preview lasts an hour', () => {
  const at = Date.parse('2027-03-01T10:00:00Z');
  expect(() => checkPreviewedAt(at, at)).not.toThrow();
  expect(() => checkPreviewedAt(at, at + PREVIEW_LASTS - 1)).not.toThrow();
  expect(() => checkPreviewedAt(at, at + PREVIEW_LASTS)).toThrow('older than an hour');
  expect(() => checkPreviewedAt(at, at - 1)).toThrow();
});

test('a promise of a customer lies within the days of the account', () => {
  const fits = { day: '2027-03-11', today: '2027-03-01', days: 10, promise: null, hasBroken: false };
  expect(() => checkCustomersPromise(fits)).not.toThrow();
  for (const promise of ['kept', 'broken'] as const)
    expect(() => checkCustomersPromise({ ...fits, promise })).not.toThrow();
  const wrong = [
    { days: 0 },
    { days: 9 },
    { day: '2027-02-28' },
    { promise: 'promised' as const },
    { hasBroken: true },
  ];
  for (const one of wrong) expect(() => checkCustomersPromise({ ...fits, ...one })).toThrow();
});

test('a hold ends with the local day, and a later dispute does not lengthen it', () => {
  const now = Date.parse('2027-03-01T22:00:00Z');
  const zone = 'Asia/Tokyo'; // there it is 2 March
  const until = heldUntil({ held: null, days: 3, now, zone });
  expect(new Date(until).toISOString()).toBe('2027-03-05T15:00:00.000Z');
  expect(heldUntil({ held: until, days: 30, now: now + 86_400_000, zone })).toBe(until);
});
