import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  amountToCollect,
  fillInstallments,
  type Installment,
  installmentAfter,
  isRunning,
  nextInstallment,
  type PaymentPlanInput,
  paidInstallments,
  paymentPlanMoves,
  paymentPlanStatuses,
} from '../../billing/collection/paymentPlan.ts';

/** Rules of payment plans. The oracle counts whole cents, one by one in the order of the installments. */

const parameters = { seed: 20270201, numRuns: 500 };
const DAY = 86_400_000;
const START = Date.UTC(2027, 1, 1, 9);

const cents = fc.integer({ min: 1, max: 400 });
const amounts = fc.array(cents, { minLength: 2, maxLength: 12 });
const text = (units: number) => `${Math.floor(units / 100)}.${String(units % 100).padStart(2, '0')}`;
const inCents = (amount: string) => Math.round(Number(amount) * 100);
const total = (units: readonly number[]) => units.reduce((sum, one) => sum + one, 0);
const installmentsOf = (units: readonly number[]): Installment[] =>
  units.map((one, index) => ({ id: index + 1, date: START + index * DAY, amount: text(one), balance: text(one) }));

/** The rest of each installment after some cents are paid: each cent goes to the first installment with anything left. */
function leftOf(units: readonly number[], paid: number): number[] {
  const left = [...units];
  for (let cent = 0; cent < paid; cent++) {
    const index = left.findIndex((one) => one > 0);
    left[index] = (left[index] ?? 0) - 1;
  }
  return left;
}

test('payments fill installments in their order, also in part', () => {
  fc.assert(
    fc.property(amounts, fc.double({ min: 0, max: 1, noNaN: true }), (units, share) => {
      const whole = total(units);
      const paid = Math.floor(whole * share);
      const filled = fillInstallments(installmentsOf(units), text(whole - paid));
      expect(filled.map(({ balance }) => inCents(balance))).toEqual(leftOf(units, paid));
      expect(filled.map(({ amount }) => inCents(amount))).toEqual(units);
    }),
    parameters,
  );
});

test('the way to a balance does not matter: payments that are taken back leave the same installments', () => {
  const balances = fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(amounts, balances, (units, ways) => {
      const whole = total(units);
      let walked = installmentsOf(units);
      for (const way of ways) walked = fillInstallments(walked, text(Math.min(way, whole)));
      const last = Math.min(ways.at(-1) ?? 0, whole);
      expect(walked.map(({ balance }) => inCents(balance))).toEqual(leftOf(units, whole - last));
    }),
    parameters,
  );
});

test('a balance beyond the sum is added to the last installment', () => {
  fc.assert(
    fc.property(amounts, cents, (units, more) => {
      const filled = fillInstallments(installmentsOf(units), text(total(units) + more));
      const grown = [...units.slice(0, -1), (units.at(-1) ?? 0) + more];
      expect(filled.map(({ amount, balance }) => [inCents(amount), inCents(balance)])).toEqual(
        grown.map((one) => [one, one]),
      );
    }),
    parameters,
  );
});

test('paid and unpaid parts of installments add up to the whole', () => {
  fc.assert(
    fc.property(amounts, cents, (units, wanted) => {
      const whole = total(units);
      const paid = Math.min(wanted, whole);
      const filled = fillInstallments(installmentsOf(units), text(whole - paid));
      const kept = paidInstallments(filled, 'usd');
      expect(total(kept.map(({ amount }) => inCents(amount)))).toBe(paid);
      expect(kept.every(({ balance }) => inCents(balance) === 0)).toBe(true);
      const next = nextInstallment(filled);
      expect(next === null).toBe(paid === whole);
      expect(next?.id ?? null).toBe(paid === whole ? null : leftOf(units, paid).findIndex((one) => one > 0) + 1);
    }),
    parameters,
  );
});

test('AutoPay goes on with the first unpaid installment after a time', () => {
  const filled = fillInstallments(installmentsOf([30, 30, 30]), text(60));
  expect(installmentAfter(filled, START - DAY)?.id).toBe(2);
  expect(installmentAfter(filled, START + DAY)?.id).toBe(3);
  expect(installmentAfter(filled, START + 2 * DAY)).toBeNull();
});

test('a charge takes the next installment of an active plan, else the balance', () => {
  const plan = { id: 1, attemptsBefore: 0, installments: fillInstallments(installmentsOf([30, 60]), text(80)) };
  const taken = paymentPlanStatuses.map((status) => inCents(amountToCollect('0.80', { ...plan, status })));
  expect(Object.fromEntries(paymentPlanStatuses.map((status, index) => [status, taken[index]]))).toEqual({
    pending_signup: 80,
    active: 20,
    finished: 80,
    canceled: 80,
  });
  expect(amountToCollect('0.80', null)).toBe('0.80');
});

test('from each status every way ends, or waits for a payment, a source or a person', () => {
  const inputs: PaymentPlanInput[] = ['signed_up', 'replaced', 'paid', 'owed', 'canceled'];
  for (const status of paymentPlanStatuses) {
    const reached = inputs.flatMap((input) => paymentPlanMoves[status][input] ?? []);
    if (isRunning({ status })) expect(reached).toEqual(expect.arrayContaining(['finished', 'canceled']));
    expect(reached.every((next) => paymentPlanStatuses.includes(next))).toBe(true);
  }
  // A canceled plan stays as it is. A finished one is active again when its invoice is owed again.
  expect(paymentPlanMoves.canceled).toEqual({});
  expect(paymentPlanMoves.finished).toEqual({ paid: 'finished', owed: 'active' });
});
