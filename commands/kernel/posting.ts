import { randomUUID } from 'node:crypto';
import { isZero, negate } from '../../billing/money.ts';
import { append } from '../../db/appending.ts';
import type { EntityManager } from '../../db/orm.ts';
import { LedgerEntry } from '../../db/schema/ledgerEntry.ts';

/** Ledger accounts. Revenue, tax payable and clearing have one per general ledger code, tax rate and gateway. */
export const ledger = {
  receivable: 'receivable',
  cash: 'cash',
  unapplied: 'unapplied',
  /** Credit balances: what customers may still spend. */
  customerCredits: 'customer_credits',
  /** Credit notes that are not applied yet. */
  creditNotes: 'customer_credits:notes',
  /** Deposits of estimates that have not paid their invoices yet. */
  deposits: 'customer_credits:deposits',
  /** What was left of credit notes that were closed. */
  forfeitedCredits: 'forfeited_credits',
  /** Credit balances raised or lowered by hand. */
  creditAdjustments: 'credit_adjustments',
  badDebt: 'bad_debt',
  revenue: (glAccount: string | null | undefined) => (glAccount ? `revenue:${glAccount}` : 'revenue'),
  /** Per tax rate; taxes of no rate have one of their own. */
  taxPayable: (rateId: string | null | undefined) => (rateId ? `tax_payable:${rateId}` : 'tax_payable'),
  clearing: (gateway: string) => `clearing:${gateway}`,
};

export interface Posting {
  accountId: number;
  currency: string;
  reason:
    | 'issue'
    | 'change'
    | 'void'
    | 'delete'
    | 'write_off'
    | 'reopen'
    | 'receipt'
    | 'application'
    | 'void_payment'
    | 'unapply'
    | 'adjustment'
    | 'merge';
  customerId: number | null;
  invoiceId: number | null;
  paymentId: number | null;
  creditNoteId?: number | null;
  documentAt: Date;
  postedAt: Date;
}

export interface Move {
  debit: string;
  credit: string;
  amount: string;
}

/** Writes the entries of moves between ledger accounts as one posting; the database refuses it unless it sums to zero. */
export function post(em: EntityManager, posting: Posting, moves: readonly Move[]): void {
  const id = randomUUID();
  for (const { debit, credit, amount } of moves) {
    if (isZero(amount)) continue;
    append(em, LedgerEntry, { ...posting, posting: id, ledgerAccount: debit, amount });
    append(em, LedgerEntry, { ...posting, posting: id, ledgerAccount: credit, amount: negate(amount) });
  }
}

/** Moves what one customer has on a ledger account of ours to another, as one posting: what we owe is a credit. */
export function transfer(
  em: EntityManager,
  posting: Omit<Posting, 'customerId'>,
  move: { ledgerAccount: string; amount: string; from: number; to: number },
): void {
  const { ledgerAccount, amount, from, to } = move;
  if (isZero(amount)) return;
  const entry = { ...posting, posting: randomUUID(), ledgerAccount };
  append(em, LedgerEntry, { ...entry, customerId: from, amount });
  append(em, LedgerEntry, { ...entry, customerId: to, amount: negate(amount) });
}
