import { allocate, isPositive, type Money, minimum, subtract, sum } from '../money/money.ts';

/** The part of a credit that falls to an invoice. */
export interface CreditedPart {
  /** Null: it falls to a pending line. */
  invoice: number | null;
  /** Decimal text, not negative. The parts say in which proportion the amount of the line, with its taxes, falls to invoices. */
  amount: Money;
}

/** The names by which a line of a credit note names a line of its invoice. */
export interface NamedLine {
  planCode?: string | null | undefined;
  itemCode?: string | null | undefined;
  name?: string | null | undefined;
  periodStartAt?: Date | null | undefined;
  periodEndAt?: Date | null | undefined;
}

/** A line of an invoice, or of a credit note that corrects it. */
export interface NetLine extends NamedLine {
  /** Its amount less discounts, without taxes. */
  net: Money;
}

/**
 * What credit notes leave of each line of an invoice. A credited line counts against the lines that it names, in proportion. What exceeds
 * them, and a credited line that names none, counts against all lines, in proportion to what the others leave. No line is credited for more
 * than its net. The order of the credit notes does not matter.
 */
export function leftOfLines(lines: readonly NetLine[], credits: readonly NetLine[], currency: string): Money[] {
  const left = lines.map(({ net }) => net);
  const all = [...lines.keys()];
  const unnamed = credits.map((credit) => {
    const named = all.filter((index) => lines[index] && isNamed(credit, lines[index]));
    return take(left, { from: named, amount: credit.net, currency });
  });
  take(left, { from: all, amount: sum(unnamed, currency), currency });
  return left;
}

/** Whether a line of a credit note names a line of its invoice: by its plan or item, or else by its name, and by its period, if any. */
export function isNamed(credit: NamedLine, line: NamedLine): boolean {
  const { planCode, itemCode, name, periodStartAt, periodEndAt } = credit;
  if (periodStartAt && periodEndAt && !isSamePeriod(credit, line)) return false;
  if (!planCode && !itemCode) return Boolean(name) && name === line.name;
  return (!planCode || planCode === line.planCode) && (!itemCode || itemCode === line.itemCode);
}

type Dated = Pick<NetLine, 'periodStartAt' | 'periodEndAt'>;

/** Whether two lines have the same dates, or none. */
export function isSamePeriod(one: Dated, other: Dated): boolean {
  return (
    one.periodStartAt?.getTime() === other.periodStartAt?.getTime() &&
    one.periodEndAt?.getTime() === other.periodEndAt?.getTime()
  );
}

/** Takes an amount from what is left of some lines, in proportion. Returns the amount that exceeds them. */
function take(
  left: Money[],
  { from, amount, currency }: { from: readonly number[]; amount: Money; currency: string },
): Money {
  const leftOf = (index: number): Money => left[index] ?? '0';
  const whole = sum(from.map(leftOf), currency);
  // Credits on the invoice count like less of its charges, unless they outweigh the charges.
  const lines = isPositive(whole) ? from : from.filter((index) => isPositive(leftOf(index)));
  const most = sum(lines.map(leftOf), currency);
  if (!isPositive(most) || !isPositive(amount)) return amount;
  const taken = minimum(amount, most);
  const parts = allocate(taken, lines.map(leftOf), currency);
  for (const [place, index] of lines.entries()) left[index] = subtract(leftOf(index), parts[place] ?? '0');
  return subtract(amount, taken);
}

/** Splits an amount of a line, which contains inclusive taxes, and returns the part for what is left of the line. */
export function leftOfAmount(amount: Money, { net, left }: { net: Money; left: Money }, currency: string): Money {
  if (!isPositive(net)) return amount;
  const [part] = allocate(amount, [left, subtract(net, left)], currency);
  return part ?? amount;
}
