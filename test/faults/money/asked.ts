import type { Outcome } from '../../../commands/charges/openAttempt.ts';
import type { Caller } from '../../../commands/kernel/caller.ts';
import type { Cipher } from '../../../commands/ports/ports.ts';
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
  /** A charge of 20.00 that was added to the credit balance, its attempt with its reference, and an attempt to refund 5.00 of it. */
  chargeId: number;
  chargeAttemptId: number;
  chargeReference: string;
  refundId: number;
  refundOutcome: Outcome;
  /** The attempt of a bank debit of 10.00, of which 2.00 pay the third invoice and 8.00 are credit. */
  debitAttemptId: number;
  /** Two bank accounts. The first is not verified; the verification of the second has an outcome that is not recorded. */
  bankIds: number[];
  verificationId: number;
  verificationOutcome: Outcome;
  /** A payment of 20.00 without a customer, such as a bank statement has. */
  keyedId: number;
  /** An open invoice of a child of the customer. */
  childInvoiceId: number;
  cipher: Cipher;
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

export const LOOK_UP_DELAY = 60_000;

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

export const vaulted = {
  method: 'credit_card' as const,
  sealedToken: 'sealed',
  isTestToken: true,
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

/** A command, as API and processes call it. */
export type Verb = (em: EntityManager, round: Round) => Promise<unknown>;
