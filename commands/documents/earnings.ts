import type { AppliedTax } from '../../billing/documents/document.ts';
import { add, isNegative, type Money, negate, subtract } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import { ledger, type Posting, post } from '../kernel/posting.ts';

/** The content of a document that is posted: the net of each line, and all taxes. */
export interface PostedContent {
  lines: readonly { glAccount?: string | null | undefined; net: Money; taxes: readonly AppliedTax[] }[];
  taxes: readonly AppliedTax[];
}

/** Amounts by ledger account: revenue by general ledger code, tax payable by rate. Their sum is the document's total. */
export function earnings({ lines, taxes }: PostedContent): Map<string, Money> {
  const earned = new Map<string, Money>();
  const count = (account: string, amount: Money) => {
    const before = earned.get(account);
    earned.set(account, before === undefined ? amount : add(before, amount));
  };
  for (const line of lines) count(ledger.revenue(line.glAccount), line.net);
  for (const tax of [...taxes, ...lines.flatMap((line) => [...line.taxes])]) {
    count(ledger.taxPayable(tax.taxRate?.id), tax.amount);
  }
  return earned;
}

const NONE: ReadonlyMap<string, Money> = new Map();

/** Posts an invoice's earnings against receivable. */
export function postEarnings(em: EntityManager, posting: Posting, earned: ReadonlyMap<string, Money>): void {
  postDifference(em, posting, { before: NONE, after: earned });
}

/** Posts the reversal of an invoice's earnings. */
export function postReversal(em: EntityManager, posting: Posting, earned: ReadonlyMap<string, Money>): void {
  postDifference(em, posting, { before: earned, after: NONE });
}

/** Posts the difference between an invoice's former and current earnings. */
export function postDifference(
  em: EntityManager,
  posting: Posting,
  { before, after }: { before: ReadonlyMap<string, Money>; after: ReadonlyMap<string, Money> },
): void {
  const { receivable } = ledger;
  const moves = [...new Set([...before.keys(), ...after.keys()])].map((account) => {
    const amount = subtract(after.get(account) ?? '0', before.get(account) ?? '0');
    if (!isNegative(amount)) return { debit: receivable, credit: account, amount };
    return { debit: account, credit: receivable, amount: negate(amount) };
  });
  post(em, posting, moves);
}
