import type { InstallmentState, PlanAsk } from '../../billing/planProgress.ts';
import type { PrintedDocument, PrintedPlan } from './document.ts';
import type { Pen } from './head.ts';
import { fill } from './labels.ts';
import { printInstallments } from './paying/installments.ts';
import { payingWordsOf } from './paying/words.ts';

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

/** The headline of an invoice on a plan: what is due and when, and of how much. */
export function planFigure(
  { asked, askedAt }: Pick<PrintablePlan, 'asked' | 'askedAt'>,
  { balance, isLate }: { balance: string; isLate: boolean },
  { labels, formats, accounting }: Pick<Pen, 'labels' | 'formats' | 'accounting'>,
): PrintedDocument['figure'] {
  const words = isLate ? accounting.pastDueOf : accounting.dueOf;
  const note = fill(words, { day: formats.day(new Date(askedAt)), balance: formats.money(balance) });
  return { label: labels.amountDue, value: formats.money(asked), note, isLate };
}
