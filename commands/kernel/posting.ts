import { randomUUID } from 'node:crypto';
import { isZero, negate } from '../../billing/money/money.ts';
import type { MappedAccount } from '../../billing/reports/glAccounts.ts';
import type { EntityManager } from '../../db/orm.ts';
import { LedgerEntry } from '../../db/schema/ledgerEntry.ts';

/**
 * Ledger accounts, each named in `mappedAccounts`. Revenue has one per general ledger code, tax payable one per tax rate, clearing one per
 * gateway.
 */
export const ledger = {
  receivable: 'receivable',
  cash: 'cash',
  unapplied: 'unapplied',
  /** Credit balances that customers have not spent yet. */
  customerCredits: 'customer_credits',
  /** Credit notes that are not applied yet. */
  creditNotes: 'customer_credits:notes',
  /** Deposits of estimates that are not applied to invoices yet. */
  deposits: 'customer_credits:deposits',
  /** Remaining balances of credit notes that requests closed. */
  forfeitedCredits: 'forfeited_credits',
  /** Counter account of credit balance adjustments. */
  creditAdjustments: 'credit_adjustments',
  /** Bad debt, small differences included. One per general ledger code. */
  badDebt: (glAccount: string) => (glAccount ? `bad_debt:${glAccount}` : 'bad_debt'),
  /** Money that banks hold because of open disputes. */
  disputes: 'disputes',
  /** Fees of gateways for disputes and returns. */
  gatewayFees: 'gateway_fees',
  /** Convenience fees that customers paid. */
  feeIncome: 'fee_income',
  /** Refunded or lost money of payments that stays applied. */
  refunds: 'refunds',
  revenue: (glAccount: string | null | undefined) => (glAccount ? `revenue:${glAccount}` : 'revenue'),
  /** One per tax rate; taxes without a rate share one. */
  taxPayable: (rateId: string | null | undefined) => (rateId ? `tax_payable:${rateId}` : 'tax_payable'),
  clearing: (gateway: string) => `clearing:${gateway}`,
} satisfies Record<string, LedgerAccount | ((part: string) => LedgerAccount)>;

type LedgerAccount = MappedAccount | `${MappedAccount}:${string}`;

export interface Posting {
  accountId: number;
  currency: string;
  reason:
    | 'issue'
    | 'change'
    | 'late_fee'
    | 'early_discount'
    | 'void'
    | 'delete'
    | 'write_off'
    | 'reopen'
    | 'receipt'
    | 'application'
    | 'void_payment'
    | 'refund'
    | 'dispute'
    | 'return'
    | 'gateway_fee'
    | 'unapply'
    /** An application loses its money, which goes back to the payer. */
    | 'take_back'
    | 'adjustment'
    | 'merge';
  customerId: number | null;
  invoiceId: number | null;
  paymentId: number | null;
  creditNoteId?: number | null;
  refundId?: number | null;
  documentAt: Date;
  postedAt: Date;
}

export interface Move {
  debit: string;
  credit: string;
  amount: string;
}

/**
 * Posts moves between ledger accounts as one posting. A debit is a positive entry, a credit a negative one. The database refuses an
 * unbalanced posting.
 */
export function post(em: EntityManager, posting: Posting, moves: readonly Move[]): void {
  const id = randomUUID();
  for (const { debit, credit, amount } of moves) {
    if (isZero(amount)) continue;
    em.append(LedgerEntry, { ...posting, posting: id, ledgerAccount: debit, amount });
    em.append(LedgerEntry, { ...posting, posting: id, ledgerAccount: credit, amount: negate(amount) });
  }
}

/** Moves an amount that a ledger account credits to one customer (`from`) to another (`to`), as one posting. */
export function transfer(
  em: EntityManager,
  posting: Omit<Posting, 'customerId'>,
  move: { ledgerAccount: string; amount: string; from: number; to: number },
): void {
  const { ledgerAccount, amount, from, to } = move;
  if (isZero(amount)) return;
  const entry = { ...posting, posting: randomUUID(), ledgerAccount };
  em.append(LedgerEntry, { ...entry, customerId: from, amount });
  em.append(LedgerEntry, { ...entry, customerId: to, amount: negate(amount) });
}
