import { add, allocate, compare, isCurrency, isPositive, type Money, roundMoney, subtract } from '../money/money.ts';

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

/** The settings of an account that decide about write-offs. */
export interface WriteOffSettings {
  bad_debt_account: string;
  bad_debt_tax: 'keep' | 'take_back';
  /** Amounts by currency. */
  write_off_tolerance: Record<string, number>;
}

/** The currencies of a tolerance, with their amounts. */
const tolerances = (value: unknown): [string, unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

function isTolerance(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return tolerances(value).every(([code, most]) => {
    const currency = code.toLowerCase();
    if (!isCurrency(currency) || typeof most !== 'number' || !(most > 0 && most <= 1000)) return false;
    return compare(String(most), roundMoney(String(most), currency)) === 0;
  });
}

/** Their defaults and accepted values, in the form of `settingsTable`. */
export const writeOffSettings = {
  bad_debt_account: {
    initial: (): WriteOffSettings['bad_debt_account'] => '',
    meaning:
      'General ledger account of bad debt and written-off differences; its name in the ledger is `bad_debt:<account>`; empty: `bad_debt`. Write-offs from before stay where they are',
    bounds: 'a text of at most 255 visible characters, or an empty one',
    accepts: (value: unknown) => typeof value === 'string' && value.length <= 255 && !/\p{C}/u.test(value),
  },
  bad_debt_tax: {
    initial: (): WriteOffSettings['bad_debt_tax'] => 'keep',
    meaning:
      'Tax of what is written off: `keep`: it stays payable, and the whole amount is bad debt; `take_back`: its share is taken back from tax payable, as where the law lets bad debt reduce the tax',
    bounds: 'keep or take_back',
    accepts: (value: unknown) => value === 'keep' || value === 'take_back',
  },
  write_off_tolerance: {
    initial: (): WriteOffSettings['write_off_tolerance'] => ({}),
    meaning:
      'Highest difference in each currency that is written off when a received payment comes up short, as `{"usd": 0.5}`; a currency that is absent has none',
    bounds: 'currencies with amounts above 0 and up to 1000, with no more decimals than the currency has',
    accepts: isTolerance,
    stored: (value: unknown) => Object.fromEntries(tolerances(value).map(([code, most]) => [code.toLowerCase(), most])),
  },
};
