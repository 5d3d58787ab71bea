import { type Row, textOf } from '../kinds/kind.ts';
import { exactSum, rowsIn } from '../objects/sums.ts';

/** The late fees on the lines of an invoice. */
export interface LateFees {
  fees: readonly { id: string; name: string; amount: number }[];
  /** What credit notes have taken back of them. */
  removed: number;
  /** What the invoice still charges; zero or more. */
  left: number;
}

/** Type of the lines that charge late fees or take them back. */
const LATE_FEE = 'late_fee';

const feesIn = (row: Row) =>
  rowsIn(row, 'items').flatMap((line) =>
    line.type === LATE_FEE && typeof line.amount === 'number'
      ? [{ id: textOf(line, 'id'), name: textOf(line, 'name'), amount: line.amount }]
      : [],
  );

const totalOf = (fees: LateFees['fees']): number => fees.reduce((sum, { amount }) => exactSum(sum, amount), 0);

export const hasLateFees = (invoice: Row): boolean => feesIn(invoice).length > 0;

/** The late fees of an invoice, less what its credit notes have taken back. */
export function lateFeesOf(invoice: Row, creditNotes: readonly Row[]): LateFees {
  const fees = feesIn(invoice);
  const issued = creditNotes.filter(({ draft, status }) => draft !== true && status !== 'voided');
  const removed = totalOf(issued.flatMap(feesIn));
  return { fees, removed, left: Math.max(0, exactSum(totalOf(fees), -removed)) };
}

/** The credit note that takes back an amount of an invoice's late fees, as the API takes it. */
export function removalOf(
  invoice: Row,
  { amount, notes, fees }: { amount: number | string; notes: string; fees: LateFees['fees'] },
) {
  const { customer } = invoice;
  const of = typeof customer === 'object' && customer !== null ? { ...customer } : { id: customer };
  return {
    customer: Number('id' in of ? of.id : ''),
    invoice: Number(invoice.id),
    items: [{ type: LATE_FEE, name: fees[0]?.name ?? '', unit_cost: Number(amount), taxable: false }],
    ...(notes.trim() === '' ? {} : { notes: notes.trim() }),
  };
}

/** What an invoice owes after a credit note, and what of the note goes to the credit balance. */
export function afterCredit(balance: number, credit: number): { balance: number; rest: number } {
  const left = exactSum(balance, -credit);
  return { balance: Math.max(0, left), rest: Math.max(0, -left) };
}
