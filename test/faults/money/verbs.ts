import { invoicePendingLines } from '../../../commands/bills/sweeping.ts';
import { recordOutcome } from '../../../commands/charges/attemptOutcomes.ts';
import { abandonUnconfirmed } from '../../../commands/charges/attempts.ts';
import { startCharge, startRequestedCharge } from '../../../commands/charges/charges.ts';
import type { Outcome } from '../../../commands/charges/lockedAttempt.ts';
import { deleteSource, startVault, updateSource } from '../../../commands/charges/paymentSources.ts';
import { startRefund } from '../../../commands/charges/refunds.ts';
import { advanceCharge } from '../../../commands/charges/steps.ts';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { createCreditBalanceAdjustment, deleteCreditBalanceAdjustment } from '../../../commands/credit/adjustments.ts';
import { createCreditNote } from '../../../commands/creditNotes/creditNotes.ts';
import { voidCreditNote } from '../../../commands/creditNotes/voiding.ts';
import { updateCustomer } from '../../../commands/customers/customers.ts';
import { invoiceEstimate } from '../../../commands/estimates/invoicing.ts';
import { voidEstimate } from '../../../commands/estimates/voiding.ts';
import { createInvoice } from '../../../commands/invoices/invoices.ts';
import { voidInvoice } from '../../../commands/invoices/voiding.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import { createLineItem, deleteLineItem } from '../../../commands/lineItems/lineItems.ts';
import { createPayment, voidPayment } from '../../../commands/payments/payments.ts';
import type { Gateway } from '../../../commands/ports.ts';
import { updateSubscription } from '../../../commands/subscriptions/changing.ts';
import { createSubscription } from '../../../commands/subscriptions/creating.ts';
import { cancelSubscription } from '../../../commands/subscriptions/ending.ts';
import { advanceSubscription } from '../../../commands/subscriptions/steps.ts';
import type { EntityManager } from '../../../db/orm.ts';

/** A customer with objects for every command in `verbs`. */
export interface Round {
  caller: Caller;
  accountId: number;
  customerId: number;
  /** Two stored cards. The first is the default. */
  sourceIds: number[];
  /** Six open invoices on AutoPay. `attemptId` reserves the fifth, `unconfirmedId` the sixth. */
  invoiceIds: number[];
  attemptId: number;
  /** An attempt that was never confirmed. */
  unconfirmedId: number;
  outcome: Outcome;
  /** A charge of 20.00 that was added to the credit balance, and an attempt to refund 5.00 of it. */
  chargeId: number;
  refundId: number;
  refundOutcome: Outcome;
  gateways: ReadonlyMap<string, Gateway>;
  subscriptionId: number;
  /** A payment that pays a part of the first invoice. */
  paymentId: number;
  /** Two open credit notes of 20.00. `applyCreditNote` applies the first, `voidCreditNote` voids the second. */
  creditNoteIds: number[];
  /** An estimate of 20.00 with a deposit of 5.00. */
  estimateId: number;
  /** A pending line of 20.00. */
  lineItemId: number;
  /** An adjustment that adds 50.00 to the credit balance. */
  adjustmentId: number;
  now: Date;
}

const LOOK_UP_DELAY = 60_000;

export const line = {
  type: null,
  name: 'Work',
  description: null,
  quantity: '1',
  unitCost: '20',
  metadata: {},
  itemCode: null,
};

export const charged = {
  method: 'credit_card' as const,
  currency: 'usd',
  amount: '20',
  vault: false,
  makeDefault: false,
  receiptEmail: null,
  lookUpDelay: LOOK_UP_DELAY,
};

export const paid = {
  date: null,
  method: 'check',
  currency: 'usd',
  amount: '10',
  reference: null,
  achSenderId: null,
  source: 'api',
  notes: null,
  metadata: {},
};

export const adjusted = { currency: 'usd', date: null, notes: null };

export const credited = { currency: null, invoiceId: null };

export const estimated = {
  invoiceId: null,
  currency: null,
  shipTo: null,
  fileIds: [],
  calculateTaxes: true,
  deposit: '5',
  expiresAt: new Date('2199-01-01'),
};

export const subscribed = {
  planCode: 'monthly',
  quantity: 1,
  cycles: null,
  paused: false,
  cancelAtPeriodEnd: false,
  metadata: {},
};

const vaulted = {
  method: 'credit_card' as const,
  sealedToken: 'sealed',
  gateway: 'test',
  makeDefault: false,
  lookUpDelay: LOOK_UP_DELAY,
};

export const onInvoice = (invoiceId: number, amount: string) => ({ type: 'invoice' as const, invoiceId, amount });

/** The n-th of a round's ids. Throws when the round does not have it. */
export function nth(ids: readonly number[], n: number): number {
  const id = ids[n];
  if (id === undefined) throw new Error(`the round has no id ${n}`);
  return id;
}

/** Every command that locks rows of a customer, called as API and processes call it. */
export const verbs: Readonly<Record<string, (em: EntityManager, round: Round) => Promise<unknown>>> = {
  createInvoice: (em, { caller, customerId, now }) =>
    createInvoice(em, { caller, customerId, currency: null, content: { lines: [line] } }, now),
  voidInvoice: (em, { caller, invoiceIds, now }) => voidInvoice(em, { caller, id: nth(invoiceIds, 1) }, now),
  createPayment: (em, { caller, customerId, invoiceIds, now }) => {
    const applications = [5, 2, 0].map((n) => onInvoice(nth(invoiceIds, n), '2'));
    return createPayment(em, { ...paid, caller, customerId, applications }, now);
  },
  createCredit: (em, { caller, customerId, now }) => {
    const applications = [{ type: 'credit' as const, invoiceId: null, amount: '3' }];
    return createPayment(em, { ...paid, caller, customerId, applications }, now);
  },
  spendCredit: (em, { caller, customerId, invoiceIds, now }) => {
    const applications = [{ type: 'applied_credit' as const, invoiceId: nth(invoiceIds, 2), amount: '1' }];
    return createPayment(em, { ...paid, amount: '1', caller, customerId, applications }, now);
  },
  createAdjustment: (em, { caller, customerId, now }) =>
    createCreditBalanceAdjustment(em, { ...adjusted, caller, customerId, amount: '2' }, now),
  deleteAdjustment: (em, { caller, adjustmentId: id, now }) => deleteCreditBalanceAdjustment(em, { caller, id }, now),
  createCreditNote: (em, { caller, customerId, invoiceIds, now }) => {
    const content = { lines: [{ ...line, unitCost: '3' }] };
    return createCreditNote(em, { ...credited, caller, customerId, invoiceId: nth(invoiceIds, 2), content }, now);
  },
  applyCreditNote: (em, { caller, customerId, invoiceIds, creditNoteIds, now }) => {
    const by = { type: 'credit_note' as const, creditNoteId: nth(creditNoteIds, 0), amount: '1' };
    const applications = [{ ...by, invoiceId: nth(invoiceIds, 2) }];
    return createPayment(em, { ...paid, amount: '1', caller, customerId, applications }, now);
  },
  voidCreditNote: (em, { caller, creditNoteIds, now }) =>
    voidCreditNote(em, { caller, id: nth(creditNoteIds, 1) }, now),
  payDeposit: (em, { caller, customerId, estimateId, now }) => {
    const applications = [{ type: 'estimate' as const, invoiceId: null, estimateId, amount: '5' }];
    return createPayment(em, { ...paid, caller, customerId, applications }, now);
  },
  invoiceEstimate: (em, { caller, estimateId: id, now }) => invoiceEstimate(em, { caller, id }, now),
  voidEstimate: (em, { caller, estimateId: id, now }) => voidEstimate(em, { caller, id }, now),
  createLineItem: (em, { caller, customerId, now }) => createLineItem(em, { caller, customerId, line }, now),
  deleteLineItem: (em, { caller, customerId, lineItemId: id, now }) =>
    deleteLineItem(em, { caller, customerId, id }, now),
  invoicePendingLines: (em, { caller, customerId, now }) => invoicePendingLines(em, { caller, customerId }, now),
  voidPayment: (em, { caller, paymentId, now }) => voidPayment(em, { caller, id: paymentId }, now),
  startCharge: (em, { caller, customerId, invoiceIds, sourceIds, now }) => {
    const applications = [nth(invoiceIds, 3), nth(invoiceIds, 2)].map((invoiceId) => onInvoice(invoiceId, '2'));
    const instrument = { sourceId: nth(sourceIds, 0), type: 'card' as const };
    return startCharge(em, { ...charged, caller, customerId, applications, instrument }, now);
  },
  startRequestedCharge: (em, { caller, invoiceIds, now }) =>
    startRequestedCharge(em, { caller, id: nth(invoiceIds, 1), lookUpDelay: LOOK_UP_DELAY }, now),
  recordOutcome: (em, { accountId, attemptId: id, outcome, now }) => recordOutcome(em, { accountId, id, outcome }, now),
  startRefund: (em, { caller, chargeId, gateways, now }) =>
    startRefund(em, { caller, chargeId, gateways, amount: '1', lookUpDelay: LOOK_UP_DELAY }, now),
  recordRefund: (em, { accountId, refundId: id, refundOutcome: outcome, now }) =>
    recordOutcome(em, { accountId, id, outcome }, now),
  abandonUnconfirmed: (em, { accountId, unconfirmedId: id, now }) => abandonUnconfirmed(em, { accountId, id }, now),
  recordUnreached: (em, { accountId, unconfirmedId: id, now }) =>
    recordOutcome(em, { accountId, id, outcome: { status: 'abandoned', why: 'unreachable' } }, now),
  advanceCharge: (em, { accountId, attemptId: id, now }) =>
    advanceCharge(em, { accountId, id, lookUpDelay: LOOK_UP_DELAY }, now),
  advanceInvoice: (em, { accountId, invoiceIds, now }) =>
    advanceInvoice(em, { accountId, id: nth(invoiceIds, 0), lookUpDelay: LOOK_UP_DELAY }, now),
  advanceSubscription: (em, { accountId, subscriptionId: id, now }) => advanceSubscription(em, { accountId, id }, now),
  createSubscription: (em, { caller, customerId, now }) =>
    createSubscription(em, { ...subscribed, caller, customerId, startAt: null }, now),
  updateSubscription: (em, { caller, subscriptionId: id, now }) =>
    updateSubscription(em, { caller, id, metadata: { color: 'red' } }, now),
  cancelSubscription: (em, { caller, subscriptionId: id, now }) => cancelSubscription(em, { caller, id }, now),
  updateCustomer: (em, { caller, customerId: id, now }) =>
    updateCustomer(em, { caller, id, fields: { autopay: false } }, now),
  chooseDefault: (em, { caller, customerId, sourceIds, now }) =>
    updateSource(em, { caller, customerId, id: nth(sourceIds, 1), type: 'card', makeDefault: true }, now),
  startVault: (em, { caller, customerId, now }) => startVault(em, { ...vaulted, caller, customerId }, now),
  deleteSource: (em, { caller, customerId, sourceIds, now }) =>
    deleteSource(em, { caller, customerId, id: nth(sourceIds, 1), type: 'card', lookUpDelay: LOOK_UP_DELAY }, now),
};
