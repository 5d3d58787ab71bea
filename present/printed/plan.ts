import type { InstallmentState, PlanAsk } from '../../billing/collection/planProgress.ts';
import type { Tier } from '../../billing/documents/pricing.ts';
import { isPositive, subtract } from '../../billing/money/money.ts';
import type { Labels } from '../../words/labels/wording.ts';
import { payingWordsOf } from '../../words/paying/words.ts';
import { fill } from '../../words/text.ts';
import type { PrintedDocument, PrintedPlan } from './document.ts';
import type { Pen } from './head.ts';
import { printInstallments } from './paying.ts';

/** An installment as it is printed. Date: epoch milliseconds. */
interface PrintableInstallment {
  date: number;
  amount: string;
  balance: string;
  state: InstallmentState;
}

/** What a payment plan asks for, as papers print it. */
export interface PrintablePlan {
  asked: string;
  /** Date of the first installment that is asked for, epoch milliseconds. */
  askedAt: number;
  installments: PrintableInstallment[];
}

/** Selects what is printed of a plan. Null: nothing of it is owed. */
export function printablePlan({ asked, askedAt, installments }: PlanAsk): PrintablePlan | null {
  if (askedAt === null) return null;
  const printed = installments.map(({ installment: { date, amount, balance }, state }) => {
    return { date, amount, balance, state };
  });
  return { asked, askedAt, installments: printed };
}

/** The installments of a plan with their states. */
export function printPlan({ installments }: PrintablePlan, pen: Pick<Pen, 'formats'>, language: string): PrintedPlan {
  const words = payingWordsOf(language);
  const rows = installments.map(({ state, ...installment }) => ({ installment, state }));
  return { title: words.installments, rows: printInstallments(rows, pen, words) };
}

/** The headline of an invoice on a plan: what is late and since when, what is due next and when, and of how much. */
export function planFigure(
  { asked, askedAt, installments }: PrintablePlan,
  { balance, isLate }: { balance: string; isLate: boolean },
  { labels, formats, accounting }: Pick<Pen, 'labels' | 'formats' | 'accounting'>,
): PrintedDocument['figure'] {
  const next = installments.find(({ state }) => state === 'next');
  const missed = next ? subtract(asked, next.balance) : asked;
  const both = isLate && next && isPositive(missed);
  const words = both ? accounting.pastDueAndNextOf : isLate ? accounting.pastDueOf : accounting.dueOf;
  const note = fill(words, {
    day: formats.day(new Date(askedAt)),
    balance: formats.money(balance),
    missed: formats.money(missed),
    next: next ? formats.money(next.balance) : '',
    nextDay: next ? formats.day(new Date(next.date)) : '',
  });
  return { label: labels.amountDue, value: formats.money(asked), note, isLate };
}

/** Text of a tier on its line: "From 11 to 20". `quantity` writes a number; without it, the decimal text is shown. */
export function tierWords(
  { minQuantity, maxQuantity }: Pick<Tier, 'minQuantity' | 'maxQuantity'>,
  labels: Labels,
  quantity: (value: string) => string = (value) => value,
): string {
  const min = minQuantity === null ? null : quantity(minQuantity);
  const max = maxQuantity === null ? null : quantity(maxQuantity);
  if (min === null) return max === null ? labels.anyQuantity : fill(labels.tierUpTo, { max });
  return max === null ? fill(labels.tierFrom, { min }) : fill(labels.tierBetween, { min, max });
}
