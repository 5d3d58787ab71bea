import { compare } from '../../../billing/money.ts';
import type { Installment } from '../../../billing/paymentPlan.ts';
import type { InstallmentState } from '../../../billing/planProgress.ts';
import type { PrintedInstallment } from '../document.ts';
import type { Pen } from '../head.ts';
import { fill } from '../labels.ts';
import type { PayingWords } from './wording.ts';

/** Prints the installments of a payment plan. */
export function printInstallments(
  installments: readonly { installment: Omit<Installment, 'id'>; state: InstallmentState }[],
  { formats }: Pick<Pen, 'formats'>,
  words: PayingWords,
): PrintedInstallment[] {
  const said = {
    paid: [words.installmentPaid],
    missed: [words.installmentMissed],
    next: [words.installmentNext],
    later: [],
  } as const satisfies Record<InstallmentState, string[]>;
  return installments.map(({ installment: { date, amount, balance }, state }) => {
    const isPart = state !== 'paid' && compare(balance, amount) < 0;
    const left = isPart ? [fill(words.installmentLeft, { amount: formats.money(balance) })] : [];
    return { day: formats.day(new Date(date)), amount: formats.money(amount), notes: [...said[state], ...left] };
  });
}
