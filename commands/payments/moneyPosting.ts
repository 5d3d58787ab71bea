import { roundMoney } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { ApplicationType } from '../../db/schema/paymentApplication.ts';
import type { Moment } from '../kernel/caller.ts';
import { ledger, type Move, type Posting, post } from '../kernel/posting.ts';

/** How money of a payment moves. `sent`: the refund that no gateway sent, and its date; absent: it moves now. */
export interface MoneyMove {
  payment: Payment;
  moment: Moment;
  reason: Posting['reason'];
  sent?: Sent | null | undefined;
}

/** A refund that no gateway sends. */
export interface Sent {
  refundId: number;
  date: Date;
}

/** Posts moves of a payment's money, such as a refund. */
export function postMoney(
  em: EntityManager,
  { payment, moment, reason, sent = null }: MoneyMove,
  moves: readonly Move[],
): void {
  const { accountId, currency, id: paymentId } = payment;
  const { now } = moment;
  const about = {
    customerId: payment.customer?.id ?? null,
    invoiceId: null,
    paymentId,
    refundId: sent?.refundId ?? null,
  };
  post(em, { accountId, currency, reason, ...about, documentAt: sent?.date ?? now, postedAt: now }, moves);
}

/** The ledger accounts that an application debits and credits. */
function accountsOf({ type, creditNote, estimate }: AppliedPart): { debit: string; credit: string } {
  const paid = estimate ? ledger.deposits : ledger.receivable;
  switch (type) {
    case 'invoice':
      return { debit: ledger.unapplied, credit: ledger.receivable };
    case 'credit':
      return { debit: creditNote ? ledger.creditNotes : ledger.unapplied, credit: ledger.customerCredits };
    case 'applied_credit':
      return { debit: ledger.customerCredits, credit: paid };
    case 'credit_note':
      return { debit: ledger.creditNotes, credit: paid };
    case 'estimate':
      return { debit: ledger.unapplied, credit: ledger.deposits };
    case 'convenience_fee':
      return { debit: ledger.unapplied, credit: ledger.feeIncome };
    case 'deposit':
      return { debit: ledger.deposits, credit: ledger.receivable };
  }
}

/** The fields of an application that decide its ledger entries. */
export interface AppliedPart {
  type: ApplicationType;
  amount: string;
  invoice?: { id: number } | null | undefined;
  creditNote?: { id: number } | null | undefined;
  estimate?: { id: number } | null | undefined;
}

/** Posts the ledger entries of an application, or of its reversal. `date`: when its money went back; by default the payment's current date. */
export function postApplication(
  em: EntityManager,
  entry: { payment: Payment; application: AppliedPart; how: 'post' | 'reverse'; postedAt: Date; date?: Date },
): void {
  const { payment, application, how, postedAt } = entry;
  const { accountId, currency, id: paymentId } = payment;
  const { date: documentAt = payment.date } = entry;
  const of = { invoiceId: application.invoice?.id ?? null, creditNoteId: application.creditNote?.id ?? null };
  const about = { customerId: payment.customer?.id ?? null, paymentId, ...of };
  const { debit, credit } = accountsOf(application);
  const amount = roundMoney(application.amount, currency);
  const reason = how === 'post' ? 'application' : entry.date ? 'take_back' : 'unapply';
  const move = how === 'post' ? { debit, credit, amount } : { debit: credit, credit: debit, amount };
  post(em, { accountId, currency, reason, ...about, documentAt, postedAt }, [move]);
}
