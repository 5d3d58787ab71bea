import { add, allocate, isPositive, type Money, subtract } from './money.ts';

/** `part`: of an invoice, by hand; `difference`: a payment came up short; `whole`: all that is owed, which closes the invoice. */
export const writeOffKinds = ['part', 'difference', 'whole'] as const;
export type WriteOffKind = (typeof writeOffKinds)[number];

/** An amount by ledger account. */
export type AccountAmounts = Readonly<Record<string, Money>>;

/** What is written off of an invoice and was not taken back. */
export interface WrittenOff {
  amount: Money;
  /** The taxes that it takes back, by ledger account. */
  taxes: AccountAmounts;
}

/**
 * The taxes that a write-off takes back, by ledger account: the share of the written-off amounts in the total of the invoice, less what earlier
 * write-offs took back. Together all write-offs take back no more than the taxes.
 */
export function taxesBack(
  amount: Money,
  {
    total,
    taxes,
    earlier,
    currency,
  }: { total: Money; taxes: AccountAmounts; earlier: readonly WrittenOff[]; currency: string },
): Record<string, Money> {
  const positive = Object.entries(taxes).filter(([, tax]) => isPositive(tax));
  const all = add(amount, ...earlier.map((one) => one.amount));
  const net = subtract(total, add('0', ...positive.map(([, tax]) => tax)));
  if (!isPositive(net) || positive.length === 0) return {};
  const [, ...shares] = allocate(all, [net, ...positive.map(([, tax]) => tax)], currency);
  const back: Record<string, Money> = {};
  for (const [index, [account]] of positive.entries()) {
    const before = add('0', ...earlier.map((one) => one.taxes[account] ?? '0'));
    const part = subtract(shares[index] ?? '0', before);
    if (isPositive(part)) back[account] = part;
  }
  return back;
}

/** What of a balance a payment that came up short leaves to write off; null: too much is left. `paid`: what it paid of the invoice. */
export function smallDifference(balance: Money, { tolerance, paid }: { tolerance: Money; paid: Money }): Money | null {
  const isSmall = !isPositive(subtract(balance, tolerance)) && !isPositive(subtract(balance, paid));
  return isPositive(balance) && isSmall ? balance : null;
}
