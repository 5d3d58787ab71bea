import type { EntityManager } from '../../db/orm.ts';
import type { Customer } from '../../db/schema/customer.ts';
import { Payment } from '../../db/schema/payment.ts';
import type { Moment } from '../kernel/caller.ts';
import { ledger, post } from '../kernel/posting.ts';

/** A payment that was received outside the gateways. */
export interface NewReceipt {
  id: number;
  customer: Customer | null;
  /** Null: now. */
  date: Date | null;
  method: string;
  currency: string;
  amount: string;
  /** The part of the amount that is money. */
  cash: string;
  reference: string | null;
  achSenderId: string | null;
  source: string;
  notes: string | null;
  metadata: Record<string, string>;
  /** Hash of the row of the bank statement that the payment comes from. Absent: it comes from no bank statement. */
  statementKey?: string;
  /** Whether there is a suggestion for it. */
  matched?: boolean;
}

/** Creates a payment of which nothing is applied, and posts its ledger entries. The caller records the event. */
export function addReceipt(em: EntityManager, moment: Moment, receipt: NewReceipt): Payment {
  const accountId = moment.caller.account.id;
  const { id, customer, currency, amount, method, reference, achSenderId, source, notes, metadata } = receipt;
  const payment = em.create(Payment, {
    accountId,
    id,
    customer,
    currency,
    amount,
    method,
    reference,
    achSenderId,
    source,
    notes,
    metadata,
    date: receipt.date ?? moment.now,
    balance: amount,
    credit: '0',
    refundedOwn: '0',
    refundExpense: '0',
    refunds: [],
    voided: false,
    matched: receipt.matched ?? false,
    matchesRefused: false,
    statementKey: receipt.statementKey ?? null,
    createdAt: moment.now,
    updatedAt: moment.now,
  });
  const about = { customerId: customer?.id ?? null, invoiceId: null, paymentId: id };
  const dates = { documentAt: payment.date, postedAt: moment.now };
  post(em, { accountId, currency, reason: 'receipt', ...about, ...dates }, [
    { debit: ledger.cash, credit: ledger.unapplied, amount: receipt.cash },
  ]);
  return payment;
}
