import { compare, isCurrency, roundMoney } from './money.ts';

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
