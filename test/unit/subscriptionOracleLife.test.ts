import { describe, expect, test } from '@jest/globals';
import { billingOf } from '../support/subscriptionOracle.ts';
import type { Choices } from '../support/subscriptionOracleChoices.ts';
import type { Change } from '../support/subscriptionOracleRequest.ts';
import type { Sold } from '../support/subscriptionOracleState.ts';
import type { Addon, Coupon, Plan, Pricing } from '../support/subscriptionOracleTerms.ts';
import { dayText, lineText, shownInvoice } from '../support/subscriptionShown.ts';

/** Worked examples of periods, arrears, trials, contracts and ends, by hand. April 2027 has 30 days. */

const at = (day: string) => Date.parse(day.includes('T') ? day : `${day}T00:00:00Z`);
const planOf = (interval: Plan['interval'], unitCost: string, intervalCount = 1): Plan => {
  return { id: `${interval}-${unitCost}`, interval, intervalCount, pricing: { mode: 'per_unit', unitCost } };
};
const basic = planOf('month', '30');
const support: Addon = { id: 'a', product: { item: { id: 'support', unitCost: '10' } }, quantity: '1' };

interface Example {
  sold?: Partial<Sold>;
  changes?: Change[];
  until: string;
  choices?: Partial<Choices>;
}

function outcome({ sold, changes = [], until, choices }: Example) {
  const whole: Sold = { currency: 'usd', zone: 'UTC', start: at('2027-04-01'), plan: basic, ...sold };
  return billingOf({ sold: whole, changes, until: at(until) }, choices);
}

const bills = (example: Example) =>
  outcome(example).invoices.map((one) => shownInvoice(one, example.sold?.currency ?? 'usd'));
const totals = (example: Example) => bills(example).map(({ date, total }) => `${date} ${total}`);
const starts = (example: Example) => outcome(example).invoices.map(({ period }) => dayText(period?.start ?? 0));
const statuses = (example: Example) => outcome(example).snapshots.map(({ status }) => status);
const seats = (quantity: string, on: string, more: Partial<Change> = {}): Change => ({ at: at(on), quantity, ...more });

describe('periods', () => {
  test('24. the 31st is billed on the last day of a shorter month, and on the 31st again', () => {
    const days = starts({ sold: { start: at('2027-01-31') }, until: '2027-05-01' });
    expect(days).toEqual(['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30']);
  });

  test('25. the first period before a snap day is prorated, and a change in it takes shares of it', () => {
    const sold = { start: at('2027-04-16'), snapDay: 1 };
    const { invoices, pending } = outcome({ sold, changes: [seats('2', '2027-04-26')], until: '2027-04-30' });
    expect(invoices.map((one) => shownInvoice(one).lines)).toEqual([
      ['plan 2027-04-16/2027-05-01 1 x 15.00 prorated = 15.00'], // 30 x 15/30
    ]);
    expect(pending.map(lineText)).toEqual([
      'plan 2027-04-26/2027-05-01 1 x -5.00 prorated', // 15 x 5/15
      'plan 2027-04-26/2027-05-01 1 x 10.00 prorated', // 60 x 5/30
    ]);
    const weekly = { start: at('2027-03-03'), snapDay: 5, plan: planOf('week', '7', 2) };
    expect(starts({ sold: weekly, until: '2027-04-01' })).toEqual(['2027-03-03', '2027-03-05', '2027-03-19']);
  });

  test('26. bills are due days ahead at the same local time, the first one at the start', () => {
    // Berlin is at UTC+1 until 28 March 2027, then at UTC+2. It is 10:00 there.
    const sold = { zone: 'Europe/Berlin', start: at('2027-03-05T09:00:00Z'), billInAdvanceDays: 10 };
    const dates = outcome({ sold, until: '2027-05-01' }).invoices.map(({ date }) => dayText(date));
    expect(dates).toEqual(['2027-03-05T09:00:00Z', '2027-03-26T09:00:00Z', '2027-04-25T08:00:00Z']);
  });

  test('27. shares count the seconds that the clocks skip', () => {
    const sold = { zone: 'Europe/Berlin', start: at('2027-03-01T09:00:00Z'), plan: planOf('month', '743') };
    const { pending } = outcome({ sold, changes: [seats('2', '2027-03-31T08:00:00Z')], until: '2027-03-31' });
    expect(pending.map(({ unitCost }) => unitCost)).toEqual(['-24.00', '48.00']); // 743 x 24 h / 743 h
  });

  test('28. amounts have the minor units of their currency', () => {
    const sold = { currency: 'jpy', plan: planOf('month', '1000') };
    const { pending } = outcome({ sold, changes: [seats('2', '2027-04-21')], until: '2027-04-30' });
    expect(pending.map(({ unitCost }) => unitCost)).toEqual(['-333', '667']); // 1000 / 3, 2000 / 3
  });
});

describe('pricing', () => {
  const tiers = [
    { maxQty: '10', unitCost: '5' },
    { maxQty: null, unitCost: '4' },
  ];
  const sold = (pricing: Pricing) => ({ plan: { ...basic, pricing }, quantity: '13' });
  const span = 'plan 2027-04-01/2027-05-01 ';
  const first = (example: Example) => bills(example)[0]?.lines.map((line) => line.slice(span.length));

  test('29. a tiered plan has a line per tier, and one prorated line', () => {
    const example = { sold: sold({ mode: 'tiered', tiers }), changes: [seats('8', '2027-04-16')], until: '2027-04-30' };
    expect(first(example)).toEqual(['10 x 5 = 50.00', '3 x 4 = 12.00']);
    expect(outcome(example).pending.map(({ unitCost }) => unitCost)).toEqual(['-31.00', '20.00']); // 62 / 2, 8 x 5 / 2
  });

  test('30. a volume plan prices all units by one tier, and an edge belongs to the lower one', () => {
    expect(first({ sold: sold({ mode: 'volume', tiers }), until: '2027-04-01' })).toEqual(['13 x 4 = 52.00']);
    const ten = { ...sold({ mode: 'volume', tiers }), quantity: '10' };
    expect(first({ sold: ten, until: '2027-04-01' })).toEqual(['10 x 5 = 50.00']);
  });
});

describe('arrears', () => {
  const sold: Partial<Sold> = { billIn: 'arrears', addons: [support] };
  const changes = [seats('2', '2027-04-11'), seats('3', '2027-04-21')];

  test('31. two changes give three lines of the plan and one of the add-on', () => {
    expect(bills({ sold, changes, until: '2027-05-01' })).toMatchObject([
      {
        date: '2027-05-01',
        lines: [
          'plan 2027-04-01/2027-04-11 1 x 10.00 prorated = 10.00', // 30 x 10/30
          'plan 2027-04-11/2027-04-21 1 x 20.00 prorated = 20.00', // 60 x 10/30
          'plan 2027-04-21/2027-05-01 1 x 30.00 prorated = 30.00', // 90 x 10/30
          'a 2027-04-01/2027-05-01 1 x 10 = 10.00',
        ],
        total: '70.00',
      },
    ]);
    const split = outcome({ sold, changes, until: '2027-05-01', choices: { stretches: 'ofSubscription' } });
    expect(split.invoices[0]?.lines.map(({ amount }) => amount)).toEqual([1000n, 2000n, 3000n, 333n, 333n, 333n]);
  });

  test('32. a cancellation bills the time that was used', () => {
    const cancel: Change = { at: at('2027-04-16'), cancel: {} };
    expect(totals({ sold, changes: [cancel], until: '2027-06-01' })).toEqual(['2027-04-16 20.00']); // (30 + 10) / 2
  });

  test('33. another interval bills the old one up to the change', () => {
    const change: Change = { at: at('2027-04-16'), plan: planOf('year', '300') };
    expect(totals({ sold, changes: [change], until: '2028-04-16' })).toEqual([
      '2027-04-16 20.00', // (30 + 10) / 2
      '2028-04-16 310.00', // 300 and the add-on's 10
    ]);
  });

  test('34. a cancellation at the period end bills the whole period, once', () => {
    const cancel: Change = { at: at('2027-04-16'), cancelAtPeriodEnd: true };
    const example = { sold, changes: [cancel], until: '2027-08-01' };
    expect([totals(example), statuses(example)]).toEqual([['2027-05-01 40.00'], ['active', 'active', 'canceled']]);
  });
});

describe('trials', () => {
  const sold = { trialEnd: at('2027-04-15') };

  test('35. nothing is billed and nothing prorated; the first period begins at its end', () => {
    const example = { sold, changes: [seats('2', '2027-04-08')], until: '2027-05-15' };
    expect(totals(example)).toEqual(['2027-04-15 60.00', '2027-05-15 60.00']);
    expect(outcome(example).snapshots.map(({ mrr }) => mrr)).toEqual([0n, 0n, 6000n]);
    expect(outcome(example).snapshots[0]?.period).toEqual({ start: at('2027-04-01'), end: at('2027-04-15') });
  });

  test('36. a cancellation at the period end ends it unbilled', () => {
    const cancel: Change = { at: at('2027-04-08'), cancelAtPeriodEnd: true };
    for (const billIn of ['advance', 'arrears'] as const) {
      const example = { sold: { ...sold, billIn }, changes: [cancel], until: '2027-06-01' };
      expect([totals(example), statuses(example).at(-1)]).toEqual([[], 'canceled']);
    }
  });
});

describe('contracts', () => {
  const sold: Partial<Sold> = { cycles: 2 };
  const dates = (example: Example) => bills(example).map(({ date }) => date);

  test('37. a term of two cycles finishes; a short first period is none of them', () => {
    expect(dates({ sold, until: '2027-09-01' })).toEqual(['2027-04-01', '2027-05-01']);
    const snapped = { ...sold, start: at('2027-04-16'), snapDay: 1 };
    expect(dates({ sold: snapped, until: '2027-09-01' })).toEqual(['2027-04-16', '2027-05-01', '2027-06-01']);
    expect(outcome({ sold: snapped, until: '2027-04-30' }).snapshots[0]?.term?.end).toBe(at('2027-07-01'));
    expect(statuses({ sold, until: '2027-06-01' }).at(-1)).toBe('finished');
  });

  test('38. it renews once with another number of cycles, or always', () => {
    const once = { ...sold, renewalMode: 'renew_once' as const, renewalCycles: 1 };
    expect(dates({ sold: once, until: '2027-12-01' })).toEqual(['2027-04-01', '2027-05-01', '2027-06-01']);
    const auto = { ...sold, renewalMode: 'auto' as const };
    expect(dates({ sold: auto, until: '2027-12-01' })).toHaveLength(9);
  });

  test('39. a manual renewal waits; the new term starts at the old end, or now', () => {
    const manual = { ...sold, renewalMode: 'manual' as const };
    const renewed = (renew: NonNullable<Change['renew']>) =>
      dates({ sold: manual, changes: [{ at: at('2027-07-10'), renew }], until: '2027-12-01' }).slice(2);
    expect(dates({ sold: manual, until: '2027-12-01' })).toEqual(['2027-04-01', '2027-05-01']);
    expect(renewed({})).toEqual(['2027-06-01', '2027-07-01']);
    expect(renewed({ start: 'now' })).toEqual(['2027-07-10', '2027-08-10']);
  });

  test('40. a change at the renewal waits for the end of the term; an immediate one of the field replaces it', () => {
    const auto = { ...sold, renewalMode: 'auto' as const };
    const later = seats('3', '2027-04-10', { when: 'renewal' });
    const amounts = (changes: Change[], of: Partial<Sold>) =>
      bills({ sold: of, changes, until: '2027-06-01' }).map(({ total }) => total);
    expect(amounts([later], auto)).toEqual(['30.00', '30.00', '90.00']);
    expect(amounts([later], {})).toEqual(['30.00', '90.00', '90.00']);
    expect(amounts([later, seats('2', '2027-04-20', { prorate: false })], {})).toEqual(['30.00', '60.00', '60.00']);
    expect(amounts([later, { at: at('2027-04-20'), pendingChange: null }], {})).toEqual(['30.00', '30.00', '30.00']);
  });

  test('41. an interval change in a term needs the cycles of the new one', () => {
    const change: Change = { at: at('2027-04-16'), plan: planOf('year', '300') };
    expect(() => outcome({ sold, changes: [change], until: '2027-05-01' })).toThrow('cycles');
    const example = { sold, changes: [{ ...change, cycles: 1 }], until: '2029-01-01' };
    expect(totals(example)).toEqual(['2027-04-01 30.00', '2027-04-16 285.00']); // 300 - 30/2
    expect(outcome(example).snapshots[1]?.term).toEqual({ start: at('2027-04-16'), end: at('2028-04-16') });
  });
});

describe('pauses and ends', () => {
  const pauseIn = (resume: 'continue' | 'new'): Change[] => [
    { at: at('2027-04-16'), pause: { at: 'now' } },
    { at: at('2027-06-10'), resume },
  ];

  test('42. a pause credits nothing and lengthens the term; bills continue at the old days, or at once', () => {
    const days = (resume: 'continue' | 'new') =>
      bills({ sold: { cycles: 3 }, changes: pauseIn(resume), until: '2028-01-01' }).map(({ date }) => date);
    expect(days('continue')).toEqual(['2027-04-01', '2027-07-01', '2027-08-01']);
    expect(days('new')).toEqual(['2027-04-01', '2027-06-10', '2027-07-10']);
  });

  test('43. a cancellation credits nothing, or with proration the unused rest', () => {
    const cancel = (prorate: boolean): Change[] => [{ at: at('2027-04-16'), cancel: { prorate } }];
    expect(totals({ changes: cancel(false), until: '2027-06-01' })).toEqual(['2027-04-01 30.00']);
    const [, final] = bills({ changes: cancel(true), until: '2027-06-01' });
    expect(final).toMatchObject({ date: '2027-04-16', total: '0.00', credited: '15.00' });
  });

  test('44. a cancellation voids the bill of a period that has not begun, or credits it when it is paid', () => {
    const changes: Change[] = [{ at: at('2027-04-26'), cancel: {} }];
    const example = { sold: { billInAdvanceDays: 10 }, changes, until: '2027-06-01' };
    expect(outcome(example).invoices.map(({ voided }) => voided)).toEqual([false, true]);
    const paid = { ...example, sold: { ...example.sold, invoicesArePaid: true } };
    expect(outcome(paid).invoices.map(({ voided }) => voided)).toEqual([false, false, false]);
    expect(bills(paid)[2]).toMatchObject({ total: '0.00', credited: '30.00' });
  });

  test('45. a cancellation takes pending proration into the final bill', () => {
    const changes: Change[] = [seats('2', '2027-04-16'), { at: at('2027-04-21'), cancel: { prorate: true } }];
    const [, final] = bills({ changes, until: '2027-06-01' });
    // -15 + 30 - 30 x 10/15 = -5
    expect(final).toMatchObject({ date: '2027-04-21', total: '0.00', credited: '5.00' });
  });
});

describe('coupons and recurring amounts', () => {
  const coupon = (duration: number): Coupon => ({ id: 'c', value: '50', isPercent: true, duration });

  test('46. a coupon of two cycles lowers two whole periods', () => {
    const amounts = (sold: Partial<Sold>) => bills({ sold, until: '2027-07-01' }).map(({ total }) => total);
    expect(amounts({ discounts: [coupon(2)] })).toEqual(['15.00', '15.00', '30.00', '30.00']);
    const short = { start: at('2027-04-16'), snapDay: 1, discounts: [coupon(2)] };
    expect(amounts(short)).toEqual(['7.50', '15.00', '15.00', '30.00']); // half of 30 less 50 %, then as above
  });

  test('47. recurring amounts: with taxes, and per month without them', () => {
    const taxes = [{ id: 'vat', value: '20', inclusive: false }];
    const first = (sold: Partial<Sold>) => outcome({ sold: { taxes, ...sold }, until: '2027-04-01' }).snapshots[0];
    expect(first({})).toMatchObject({ mrr: 3000n, recurringTotal: 3600n });
    expect(first({ plan: planOf('year', '300') })).toMatchObject({ mrr: 2500n, recurringTotal: 36000n }); // 300 / 12
    expect(first({ plan: planOf('week', '7', 2) })?.mrr).toBe(1517n); // 7 x 52/12 / 2 = 15.166…
    expect(first({ discounts: [coupon(0)] })).toMatchObject({ mrr: 1500n, recurringTotal: 1800n });
    expect(first({ discounts: [coupon(3)] })).toMatchObject({ mrr: 3000n, recurringTotal: 1800n });
  });
});
