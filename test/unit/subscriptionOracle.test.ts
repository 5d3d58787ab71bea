import { expect, test } from '@jest/globals';
import { billingOf } from '../support/subscriptionOracle.ts';
import type { Choices } from '../support/subscriptionOracleChoices.ts';
import type { Change } from '../support/subscriptionOracleRequest.ts';
import type { Sold } from '../support/subscriptionOracleState.ts';
import type { Addon, Coupon, Plan, Pricing, TaxRate } from '../support/subscriptionOracleTerms.ts';
import { lineText, shownInvoice } from '../support/subscriptionShown.ts';

/** Worked examples of prorated changes, by hand. April 2027 has 30 days: on the 16th 15 are left, on the 11th 20. */

const at = (day: string) => Date.parse(`${day}T00:00:00Z`);
const monthly = (id: string, unitCost: string): Plan => priced(id, { mode: 'per_unit', unitCost });
const priced = (id: string, pricing: Pricing): Plan => ({ id, interval: 'month', intervalCount: 1, pricing });

const basic = monthly('basic', '30');
const support: Addon = { id: 'a', product: { item: { id: 'support', unitCost: '10' } }, quantity: '1' };
const percent = (value: string, duration = 0): Coupon => ({ id: `${value}%`, value, isPercent: true, duration });
const fixed = (value: string): Coupon => ({ id: `${value} off`, value, isPercent: false, duration: 0 });
const rate = (value: string, inclusive = false): TaxRate => ({ id: `vat${value}`, value, inclusive });

interface Example {
  sold?: Partial<Sold>;
  changes: Change[];
  until?: string;
  choices?: Partial<Choices>;
}

function outcome({ sold, changes, until = '2027-04-30', choices }: Example) {
  const whole: Sold = { currency: 'usd', zone: 'UTC', start: at('2027-04-01'), plan: basic, ...sold };
  return billingOf({ sold: whole, changes, until: at(until) }, choices);
}

/** The pending lines, and each invoice. */
function bills(example: Example) {
  const { invoices, pending } = outcome(example);
  const currency = example.sold?.currency;
  return { pending: pending.map(lineText), invoices: invoices.map((one) => shownInvoice(one, currency)) };
}

const pendingOf = (example: Example) => bills(example).pending;
const seats = (quantity: string, on = '2027-04-16', more: Partial<Change> = {}): Change => {
  return { at: at(on), quantity, ...more };
};

test('1. each month is billed in advance', () => {
  const { invoices } = bills({ changes: [], until: '2027-05-01' });
  expect(invoices).toEqual([
    { date: '2027-04-01', lines: ['plan 2027-04-01/2027-05-01 1 x 30 = 30.00'], ...plain('30.00') },
    { date: '2027-05-01', lines: ['plan 2027-05-01/2027-06-01 1 x 30 = 30.00'], ...plain('30.00') },
  ]);
});

const plain = (total: string) => ({ discounts: '0.00', taxes: '0.00', total });
const rest = 'plan 2027-04-16/2027-05-01 1 x';
const may = (quantity: string, amount: string) => `plan 2027-05-01/2027-06-01 ${quantity} x 30 = ${amount}`;

test('2. more seats: the next bill credits half of 30 and charges half of 60, once', () => {
  const { invoices, pending } = bills({ changes: [seats('2')], until: '2027-06-01' });
  const lines = [may('2', '60.00'), `${rest} -15.00 prorated = -15.00`, `${rest} 30.00 prorated = 30.00`];
  expect(invoices[1]).toEqual({ date: '2027-05-01', lines, ...plain('75.00') }); // 60 - 15 + 30
  expect(invoices[2]).toMatchObject({ date: '2027-06-01', total: '60.00' });
  expect(pending).toEqual([]);
});

test('3. fewer seats: half of 60 is credited and half of 30 charged', () => {
  const { invoices } = bills({ sold: { quantity: '2' }, changes: [seats('1')], until: '2027-05-01' });
  expect(invoices.map(({ total }) => total)).toEqual(['60.00', '15.00']); // 30 - 30 + 15
});

test('4. `now` bills the difference at once, and the next bill does not take it again', () => {
  const { invoices } = bills({ changes: [seats('2', '2027-04-16', { prorate: 'now' })], until: '2027-05-01' });
  const lines = [`${rest} -15.00 prorated = -15.00`, `${rest} 30.00 prorated = 30.00`];
  expect(invoices[1]).toEqual({ date: '2027-04-16', lines, ...plain('15.00') });
  expect(invoices[2]?.total).toBe('60.00');
});

test('5. a negative bill becomes credit, which pays what is open of the bill that it reverses, else the next one', () => {
  const changes = [seats('1', '2027-04-16', { prorate: 'now' })];
  const example = { sold: { quantity: '2' }, changes, until: '2027-05-01' };
  const { invoices } = bills(example);
  expect(invoices[0]).toMatchObject({ total: '60.00', creditApplied: '15.00' });
  expect(invoices[1]).toMatchObject({ total: '0.00', credited: '15.00' }); // -30 + 15
  expect(invoices[2]).not.toHaveProperty('creditApplied');
  const paid = { ...example, sold: { ...example.sold, invoicesArePaid: true } };
  expect(bills(paid).invoices[2]).toMatchObject({ total: '30.00', creditApplied: '15.00' });
  expect(outcome(paid).snapshots.map(({ creditBalance }) => creditBalance)).toEqual([0n, 1500n, 0n]);
});

test('5a. a credit pays the bill that it reverses before older ones, and what is left of it the older ones', () => {
  const changes = [seats('1', '2027-05-16', { prorate: 'now' })];
  const { invoices } = bills({ sold: { quantity: '11' }, changes, until: '2027-05-17' });
  // 330 in April and in May, of which 16 of 31 days are left: -170.32 + 15.48
  expect(invoices.map(({ creditApplied }) => creditApplied)).toEqual([undefined, '154.84', undefined]);
  const fewer: Change[] = [seats('10', '2027-04-16'), { at: at('2027-05-02'), cancel: { prorate: true } }];
  const ended = bills({ sold: { quantity: '11' }, changes: fewer, until: '2027-05-03' }).invoices;
  // April 330; May 300 - 165 + 150 = 285; of May 300 x 30/31 = 290.32 are left: 285 there, 5.32 of April
  expect(ended.map(({ creditApplied }) => creditApplied)).toEqual(['5.32', '285.00', undefined]);
});

test('6. without proration only the next bill changes', () => {
  const { invoices } = bills({ changes: [seats('2', '2027-04-16', { prorate: false })], until: '2027-05-01' });
  expect(invoices.map(({ total }) => total)).toEqual(['30.00', '60.00']);
});

test('7. another plan of the same interval: half of each price', () => {
  const changes = [{ at: at('2027-04-16'), plan: monthly('better', '45') }];
  expect(pendingOf({ changes })).toEqual([`${rest} -15.00 prorated`, `${rest} 22.50 prorated`]);
});

test('8. a change and its reversal at one instant cancel', () => {
  const example = { changes: [seats('2'), seats('1')], until: '2027-05-01' };
  const half = [`${rest} -15.00`, `${rest} 30.00`, `${rest} -30.00`, `${rest} 15.00`];
  expect(pendingOf({ ...example, until: '2027-04-30' })).toEqual(half.map((line) => `${line} prorated`));
  expect(bills(example).invoices[1]?.total).toBe('30.00');
});

const twoThirds = 'plan 2027-04-11/2027-05-01 1 x';

test('9. a share is rounded once per line, half away from zero', () => {
  const tens = { plan: monthly('tens', '10') };
  expect(pendingOf({ sold: tens, changes: [seats('3', '2027-04-11')] })).toEqual([
    `${twoThirds} -6.67 prorated`, // 10 x 20/30 = 6.666…
    `${twoThirds} 20.00 prorated`, // 30 x 20/30
  ]);
  const nickel = { plan: monthly('nickel', '0.05') };
  expect(pendingOf({ sold: nickel, changes: [seats('3')] })).toEqual([
    `${rest} -0.03 prorated`, // 0.05 / 2 = 0.025
    `${rest} 0.08 prorated`, // 0.15 / 2 = 0.075
  ]);
});

test('10. a change split in two at one instant bills the same', () => {
  const sold = { plan: monthly('tens', '10') };
  const split = pendingOf({ sold, changes: [seats('2', '2027-04-11'), seats('3', '2027-04-11')] });
  // -6.67 + 13.33 - 13.33 + 20.00 = 13.33 = -6.67 + 20.00
  expect(split.map((line) => line.split(' ')[4])).toEqual(['-6.67', '13.33', '-13.33', '20.00']);
});

test('11. the second change of a period credits the rest of what the first one charged', () => {
  const lines = pendingOf({ changes: [seats('2', '2027-04-11'), seats('1', '2027-04-21')] });
  expect(lines).toEqual([
    `${twoThirds} -20.00 prorated`, // 30 x 20/30
    `${twoThirds} 40.00 prorated`, // 60 x 20/30
    'plan 2027-04-21/2027-05-01 1 x -20.00 prorated', // 40 x 10/20
    'plan 2027-04-21/2027-05-01 1 x 10.00 prorated', // 30 x 10/30
  ]);
});

test('12. an add-on that comes is charged, one that goes is credited, and the plan has no line', () => {
  const on = (day: string, addons: Addon[]): Change => ({ at: at(day), addons });
  expect(pendingOf({ changes: [on('2027-04-16', [support])] })).toEqual(['a 2027-04-16/2027-05-01 1 x 5.00 prorated']);
  expect(pendingOf({ sold: { addons: [support] }, changes: [on('2027-04-16', [])] })).toEqual([
    'a 2027-04-16/2027-05-01 1 x -5.00 prorated', // 10 / 2
  ]);
  const three = { ...support, quantity: '3' };
  expect(pendingOf({ sold: { addons: [support] }, changes: [on('2027-04-11', [three])] })).toEqual([
    'a 2027-04-11/2027-05-01 1 x -6.67 prorated', // 10 x 20/30
    'a 2027-04-11/2027-05-01 1 x 20.00 prorated', // 30 x 20/30
  ]);
});

test('13. a credit is net of the discount, and a charge has it too', () => {
  const example = { sold: { discounts: [percent('10')] }, changes: [seats('2')], until: '2027-05-01' };
  const { invoices } = bills(example);
  expect(invoices[0]).toMatchObject({ discounts: '3.00', total: '27.00' });
  expect(invoices[1]).toMatchObject({
    lines: [
      `${may('2', '60.00')} less 6.00`,
      `${rest} -13.50 prorated = -13.50`, // 27 / 2
      `${rest} 27.00 prorated = 27.00`, // (60 - 10 %) / 2
    ],
    discounts: '6.00',
    total: '67.50', // 54 - 13.50 + 27
  });
});

test('14. a coupon whose last cycle is the period lowers the charge, too, and not the next bill', () => {
  const example = { sold: { discounts: [percent('50', 1)] }, changes: [seats('2')], until: '2027-05-01' };
  expect(bills(example).invoices.map(({ total }) => total)).toEqual(['15.00', '67.50']); // 60 - 15/2 + (60 - 50 %)/2
  const free = { sold: { plan: monthly('gold', '72'), quantity: '2', discounts: [percent('100', 1)] } };
  const fewer = { ...free, changes: [seats('1')], until: '2027-05-01' };
  expect(bills(fewer).invoices.map(({ total }) => total)).toEqual(['0.00', '72.00']); // nothing of nothing
  const third = { plan: monthly('sixty', '60'), quantity: '3', discounts: [percent('50', 3)] };
  const lines = pendingOf({ sold: third, changes: [seats('2', '2027-06-16')], until: '2027-06-30' });
  expect(lines.map(amountIn)).toEqual([-45, 30]); // 90 x 15/30, 60 x 15/30: 60 x 1 x 50 % x 15/30 = 15 less
});

const amountIn = (line: string): number => Number(/ 1 x (-?[\d.]+)/.exec(line)?.[1]);

test('15. a fixed coupon is spread over the components, and anew when one of them changes', () => {
  const sold = { addons: [support], discounts: [fixed('6')] };
  const { invoices } = bills({ sold, changes: [seats('2')], until: '2027-05-01' });
  expect(invoices[0]?.lines).toEqual([
    'plan 2027-04-01/2027-05-01 1 x 30 = 30.00 less 4.50', // 6 x 30/40
    'a 2027-04-01/2027-05-01 1 x 10 = 10.00 less 1.50', // 6 x 10/40
  ]);
  expect(invoices[1]?.lines.slice(2)).toEqual([
    `${rest} -12.75 prorated = -12.75`, // (30 - 4.50) / 2
    `${rest} 27.43 prorated = 27.43`, // 6 x 60/70 = 5.14; (60 - 5.14) / 2
    'a 2027-04-16/2027-05-01 1 x 0.32 prorated = 0.32', // 6 x 10/70 = 0.86; (1.50 - 0.86) / 2
  ]);
  expect(invoices[1]?.total).toBe('79.00'); // 60 + 10 - 6, and 30 / 2
});

const hundred = { plan: monthly('hundred', '100'), discounts: [fixed('50')] };
const extra: Addon = { id: 'a', product: { item: { id: 'extra', unitCost: '100' } }, quantity: '1' };

test('16. an add-on that goes leaves its part of a fixed coupon to the plan, and a cancellation credits what is left', () => {
  const sold = { ...hundred, addons: [extra] }; // 75 + 75
  const removed: Change = { at: at('2027-04-16'), addons: [] };
  expect(pendingOf({ sold, changes: [removed] }).map(amountIn)).toEqual([-37.5, -12.5]); // 75 / 2; (75 - 50) / 2
  const canceled = bills({ sold, changes: [removed, { at: at('2027-04-16'), cancel: { prorate: true } }] });
  expect(canceled.invoices[1]).toMatchObject({ credited: '75.00' }); // 50 for the change, and 50 / 2
  const two: Change = { at: at('2027-04-16'), addons: [{ ...extra, quantity: '2' }] };
  // 75 / 2; (200 - 33.33) / 2 = 83.335; the plan gets the rest of (250 - 150) / 2 = 50
  expect(pendingOf({ sold, changes: [two] }).map(amountIn)).toEqual([-37.5, 4.16, 83.34]);
});

test('16b. a change of discounts alone is not prorated', () => {
  const changes = [{ at: at('2027-04-16'), discounts: [percent('10')] }];
  expect(pendingOf({ sold: { addons: [support] }, changes })).toEqual([]);
});

test('17. a credit keeps the rate of the bill, a charge has the rate of the change', () => {
  const changes = [{ at: at('2027-04-10'), taxes: [rate('10')] }, seats('2')];
  const { invoices, pending } = outcome({ sold: { taxes: [rate('20')] }, changes, until: '2027-05-01' });
  expect(invoices[0]).toMatchObject({ taxes: { vat20: 600n }, total: 3600n }); // 30 x 20 %
  // -15 x 20 % = -3; 30 x 10 % + 60 x 10 % = 9; 60 - 15 + 30 + 6 = 81
  expect(invoices[1]).toMatchObject({ taxes: { vat20: -300n, vat10: 900n }, total: 8100n });
  expect(pending).toEqual([]);
});

test('18. inclusive tax is part of credit and charge', () => {
  const { invoices } = outcome({ sold: { taxes: [rate('20', true)] }, changes: [seats('2')], until: '2027-05-01' });
  expect(invoices[0]).toMatchObject({ subtotal: 2500n, taxes: { vat20: 500n }, total: 3000n }); // 30 / 1.2 = 25
  expect(invoices[1]).toMatchObject({ subtotal: 6250n, taxes: { vat20: 1250n }, total: 7500n }); // 60 - 15 + 30 = 75
});

test('19. a voided bill is not credited', () => {
  const changes: Change[] = [{ at: at('2027-04-05'), void: 0 }, seats('2')];
  expect(pendingOf({ changes })).toEqual([`${rest} 30.00 prorated`]);
  expect(pendingOf({ changes, choices: { chargeInVoidedPeriod: false } })).toEqual([]);
});

test('20. an add-on that was never billed is not credited', () => {
  const changes: Change[] = [
    { at: at('2027-04-10'), addons: [support], prorate: false },
    { at: at('2027-04-16'), addons: [] },
  ];
  expect(pendingOf({ changes })).toEqual([]);
});

test('21. a proration date counts from there, and not from before the last change', () => {
  const backdated = seats('2', '2027-04-20', { prorationDate: at('2027-04-16') });
  expect(pendingOf({ changes: [backdated] })).toEqual([`${rest} -15.00 prorated`, `${rest} 30.00 prorated`]);
  expect(() => outcome({ changes: [seats('3', '2027-04-18'), backdated] })).toThrow('proration_date');
  const early = seats('2', '2027-04-20', { prorationDate: at('2027-03-31') });
  expect(() => outcome({ changes: [early] })).toThrow('proration_date');
});

test('22. a change after a bill ahead is prorated until the end of the billed period', () => {
  const changes = [seats('2', '2027-04-26')];
  const { invoices } = bills({ sold: { billInAdvanceDays: 10 }, changes, until: '2027-05-22' });
  expect(invoices.map(({ date }) => date)).toEqual(['2027-04-01', '2027-04-21', '2027-05-22']);
  expect(invoices[2]?.lines).toEqual([
    'plan 2027-06-01/2027-07-01 2 x 30 = 60.00',
    'plan 2027-04-26/2027-05-01 1 x -5.00 prorated = -5.00', // 30 x 5/30
    'plan 2027-04-26/2027-05-01 1 x 10.00 prorated = 10.00', // 60 x 5/30
    'plan 2027-05-01/2027-06-01 1 x -30.00 prorated = -30.00',
    'plan 2027-05-01/2027-06-01 1 x 60.00 prorated = 60.00',
  ]);
  expect(invoices[2]?.total).toBe('95.00');
});

test('23. another interval bills at once: a whole new period less the rest of the old one', () => {
  const yearly: Plan = { ...monthly('yearly', '300'), interval: 'year' };
  const example = { changes: [{ at: at('2027-04-16'), plan: yearly }], until: '2028-04-16' };
  const { invoices } = bills(example);
  const lines = ['plan 2027-04-16/2028-04-16 1 x 300 = 300.00', `${rest} -15.00 prorated = -15.00`];
  expect(invoices[1]).toEqual({ date: '2027-04-16', lines, ...plain('285.00') });
  expect(invoices[2]).toMatchObject({ date: '2028-04-16', total: '300.00' });
  expect(outcome(example).invoices.map(({ segment, n }) => [segment, n])).toEqual([
    [0, 0],
    [1, 0],
    [1, 1],
  ]);
  const free = bills({ changes: [{ at: at('2027-04-16'), plan: yearly, prorate: false }] });
  expect(free.invoices[1]?.total).toBe('300.00');
});
