import { invoicePendingLines } from '../../../commands/bills/sweeping.ts';
import { recordOutcome } from '../../../commands/charges/attemptOutcomes.ts';
import { abandonUnconfirmed } from '../../../commands/charges/attempts.ts';
import { startCharge, startRequestedCharge } from '../../../commands/charges/charges.ts';
import { deleteSource, startVault, updateSource } from '../../../commands/charges/paymentSources.ts';
import { startRefund } from '../../../commands/charges/refunds.ts';
import { advanceCharge } from '../../../commands/charges/steps.ts';
import { advanceInvoice } from '../../../commands/collection/invoiceSteps.ts';
import { createCreditNote } from '../../../commands/creditNotes/creditNotes.ts';
import { voidCreditNote } from '../../../commands/creditNotes/voiding.ts';
import { updateCustomer } from '../../../commands/customers/customers.ts';
import { invoiceEstimate } from '../../../commands/estimates/invoicing.ts';
import { voidEstimate } from '../../../commands/estimates/voiding.ts';
import { createInvoice } from '../../../commands/invoices/invoices.ts';
import { voidInvoice } from '../../../commands/invoices/voiding.ts';
import { createLineItem, deleteLineItem } from '../../../commands/lineItems/lineItems.ts';
import {
  createCreditBalanceAdjustment,
  deleteCreditBalanceAdjustment,
} from '../../../commands/payments/adjustments.ts';
import { createPayment, voidPayment } from '../../../commands/payments/payments.ts';
import { updateSubscription } from '../../../commands/subscriptions/changes/changing.ts';
import { createSubscription } from '../../../commands/subscriptions/changes/creating.ts';
import { cancelSubscription } from '../../../commands/subscriptions/steps/ending.ts';
import { advanceSubscription } from '../../../commands/subscriptions/steps/steps.ts';
import {
  adjusted,
  charged,
  credited,
  LOOK_UP_DELAY,
  line,
  nth,
  onInvoice,
  paid,
  subscribed,
  type Verb,
  vaulted,
} from './asked.ts';
import { movingVerbs } from './movingVerbs.ts';

/** Every command that locks rows of a customer, called as API and processes call it. */
export const verbs: Readonly<Record<string, Verb>> = {
  ...movingVerbs,
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
  startRefund: (em, { caller, chargeId, now }) =>
    startRefund(em, { caller, chargeId, amount: '1', lookUpDelay: LOOK_UP_DELAY }, now),
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
