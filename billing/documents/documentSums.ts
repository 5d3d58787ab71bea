import { add, compare, type Money, subtract, sum } from '../money/money.ts';

/** The amounts of a line that its document shows. */
export interface SummedLine {
  amount: Money;
  discounts: readonly { amount: Money }[];
}

/** A line less its own discounts. Contains the taxes that its price contains. */
export function lineSum({ amount, discounts }: SummedLine): Money {
  return subtract(amount, add('0', ...discounts.map((discount) => discount.amount)));
}

/** The subtotal that a document shows: its lines less their own discounts. */
export function shownSubtotal(lines: readonly SummedLine[]): Money {
  return add('0', ...lines.map(lineSum));
}

/** The shown subtotal up to and including each line. */
export function runningSubtotals(lines: readonly SummedLine[], currency: string): Money[] {
  let so = sum([], currency);
  return lines.map((line) => {
    so = add(so, lineSum(line));
    return so;
  });
}

/** What is paid of a document and what of it is due. */
export interface Settlement {
  /** The payments and credits that are not listed one by one. */
  rest: Money;
  /** The unpaid part of the total. */
  balance: Money;
  /** The part of the balance that is asked for now. */
  due: Money;
  /** Whether less than the balance is asked for. */
  isPart: boolean;
}

/** What is left of a total. `listed`: the payments and credits that are listed; `asked` null: the whole balance is asked for. */
export function settlementOf({
  total,
  balance,
  listed,
  asked,
}: {
  total: Money;
  balance: Money;
  listed: readonly Money[];
  asked: Money | null;
}): Settlement {
  const rest = subtract(subtract(total, balance), add('0', ...listed));
  const isPart = asked !== null && compare(asked, balance) < 0;
  return { rest, balance, due: isPart ? asked : balance, isPart };
}
