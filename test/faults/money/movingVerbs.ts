import { recordOutcome } from '../../../commands/charges/attemptOutcomes.ts';
import { receiveEvent } from '../../../commands/charges/gatewayEvents.ts';
import { startVerification } from '../../../commands/charges/paymentSources.ts';
import { recordReversals } from '../../../commands/charges/reversals.ts';
import { updateCreditNote } from '../../../commands/creditNotes/changes.ts';
import { updateInvoice } from '../../../commands/invoices/changes.ts';
import { updateCreditBalanceAdjustment } from '../../../commands/payments/adjustments.ts';
import { updatePayment } from '../../../commands/payments/changes.ts';
import { refuseMatches } from '../../../commands/payments/matches.ts';
import { createPayment } from '../../../commands/payments/payments.ts';
import { importStatement } from '../../../commands/payments/statementImport.ts';
import type { GatewayDispute, GatewayReversals } from '../../../commands/ports/ports.ts';
import { LOOK_UP_DELAY, nth, onInvoice, paid, type Verb } from './asked.ts';

/** Commands that verify bank accounts, take money back, and move it: disputes, returns, matches, statements and changed applications. */

/** The number of the look-up in which all reversals of a round are found. */
export const LOOK_UP = 1;

const dispute: Omit<GatewayDispute, 'reference'> = {
  status: 'open',
  amount: '20',
  amountLost: '0',
  reason: 'fraudulent',
  evidenceDueAt: new Date('2199-01-01'),
  fee: '15',
};

const RETURNED: GatewayReversals = {
  disputes: [],
  returned: { code: 'insufficient_funds', message: 'The account has insufficient funds.', kind: 'soft', fee: '4' },
};

const disputes =
  (told: Partial<GatewayDispute>): Verb =>
  (em, { accountId, chargeAttemptId: id, now }) => {
    const reversals = { disputes: [{ reference: `tgd_${id}`, ...dispute, ...told }], returned: null };
    return recordReversals(em, { accountId, id, number: LOOK_UP, events: [], isWhole: true, reversals }, now);
  };

const statement = {
  rows: [
    {
      row: 2,
      entry: { day: '2027-03-01', amount: '20.00', currency: 'usd', reference: null, sender: null, payer: null },
    },
  ],
};

export const movingVerbs: Readonly<Record<string, Verb>> = {
  openDispute: disputes({}),
  winDispute: disputes({ status: 'won', fee: '0' }),
  loseDispute: disputes({ status: 'lost', amountLost: '20' }),
  losePartOfDispute: disputes({ status: 'lost', amountLost: '10' }),
  recordReturn: (em, { accountId, debitAttemptId: id, now }) =>
    recordReversals(em, { accountId, id, number: LOOK_UP, events: [], isWhole: true, reversals: RETURNED }, now),
  receiveEvent: (em, { accountId, customerId, chargeReference: reference, now }) => {
    const event = { id: `evt_${customerId}`, type: 'dispute.opened', reference };
    const configuration = `test_${accountId}`;
    return receiveEvent(em, { accountId, gateway: 'test', configuration, event, body: '{}' }, now);
  },
  startVerification: (em, { caller, customerId, bankIds, cipher, now }) => {
    const amounts = ['0.35', '0.45'];
    const asked = { caller, customerId, id: nth(bankIds, 0), amounts, cipher, lookUpDelay: LOOK_UP_DELAY };
    return startVerification(em, asked, now);
  },
  recordVerification: (em, { accountId, verificationId: id, verificationOutcome: outcome, now }) =>
    recordOutcome(em, { accountId, id, outcome }, now),
  reapplyPayment: (em, { caller, paymentId: id, invoiceIds, now }) => {
    const applications = [onInvoice(nth(invoiceIds, 3), '1'), onInvoice(nth(invoiceIds, 2), '3')];
    return updatePayment(em, { caller, id, fields: {}, applications }, now);
  },
  acceptMatch: (em, { caller, keyedId: id, invoiceIds, now }) =>
    updatePayment(em, { caller, id, fields: {}, applications: [onInvoice(nth(invoiceIds, 2), '2')] }, now),
  refuseMatches: (em, { caller, keyedId: id, now }) => refuseMatches(em, { caller, id }, now),
  importStatement: (em, { caller, now }) => importStatement(em, { caller, ...statement, foresees: false }, now),
  payForChild: (em, { caller, customerId, childInvoiceId, invoiceIds, now }) => {
    const applications = [onInvoice(childInvoiceId, '2'), onInvoice(nth(invoiceIds, 2), '2')];
    return createPayment(em, { ...paid, caller, customerId, applications }, now);
  },
  reapplyToChild: (em, { caller, paymentId: id, childInvoiceId, now }) =>
    updatePayment(em, { caller, id, fields: {}, applications: [onInvoice(childInvoiceId, '2')] }, now),
  writeOffInvoice: (em, { caller, invoiceIds, now }) =>
    updateInvoice(em, { caller, id: nth(invoiceIds, 2), isClosed: true, content: {}, fields: {} }, now),
  forfeitCreditNote: (em, { caller, creditNoteIds, now }) =>
    updateCreditNote(em, { caller, id: nth(creditNoteIds, 0), isClosed: true, content: {}, fields: {} }, now),
  updateAdjustment: (em, { caller, adjustmentId: id, now }) =>
    updateCreditBalanceAdjustment(em, { caller, id, fields: { amount: '45' }, fixed: {} }, now),
};
