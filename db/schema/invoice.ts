import { defineEntity, p } from '@mikro-orm/core';
import type { TakenStep } from '../../billing/collection/invoiceChasing.ts';
import type { DisputedLine } from '../../billing/collection/lineDispute.ts';
import type { CollectedPlan } from '../../billing/collection/paymentPlan.ts';
import { type PromiseState, promiseStates } from '../../billing/collection/promise.ts';
import type { WrittenOff } from '../../billing/collection/writeOff.ts';
import type { AppliedDiscount, AppliedTax } from '../../billing/documents/document.ts';
import { type InvoiceStatus, invoiceStatuses } from '../../billing/documents/invoice.ts';
import type { ShipTo } from '../../billing/documents/shipTo.ts';
import type { PaymentFailureCode } from '../../billing/payments/declines.ts';
import type { PaymentMethodId } from '../../billing/payments/paymentMethods.ts';
import { policiesThrough } from '../tenant.ts';
import { ChasingCadence } from './chasingCadence.ts';
import { amount, eventCount, metadata, oneOf, tenantKey, timestamps, token } from './columns.ts';
import { Customer } from './customer.ts';
import { keepsBalances, OWED } from './customerBalance.ts';
import { DOCUMENT_KEYS, metadataIndex, partialIndex, searchIndex } from './indexes.ts';
import { Snapshot } from './snapshot.ts';
import { Subscription } from './subscription.ts';

const LIVE = 'deleted_at is null';

const InvoiceSchema = defineEntity({
  name: 'Invoice',
  policies: policiesThrough('invoice', 'customer'),
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    subscription: () =>
      p.manyToOne(Subscription).joinColumns('account_id', 'subscription_id').nullable().deleteRule('restrict'),
    /**
     * Segment and period of the subscription that it bills. The database refuses a second invoice for the same period. Null with a
     * subscription: it bills only changes or the end of the subscription, or its bill of a period ahead was taken back.
     */
    segment: p.integer().nullable(),
    period: p.integer().nullable(),
    name: p.string().length(255),
    /** Null on a draft without a number, and until the end of the transaction that issues it. */
    number: p.string().length(255).nullable(),
    /** Comparison key: `numberKey` of the number. */
    numberKey: p.text().nullable(),
    currency: p.string().length(3),
    status: p.string().length(8).$type<InvoiceStatus>(),
    autopay: p.boolean(),
    attemptCount: p.integer().default(0),
    nextPaymentAttemptAt: p.datetime().nullable(),
    /** Automatic charges have ended: only a new source can help, or no retries are left. From here it is collected by hand. */
    autopayStopped: p.boolean().default(false),
    /** Why its last automatic payment failed; null: it did not fail, none was tried, or the invoice is closed. */
    paymentFailureCode: p.string().length(32).$type<PaymentFailureCode>().nullable(),
    paymentFailureMessage: p.string().length(255).nullable(),
    paymentFailedAt: p.datetime().nullable(),
    date: p.datetime(),
    /** Null: it is a draft. */
    issuedAt: p.datetime().nullable(),
    snapshot: () => p.manyToOne(Snapshot).joinColumns('account_id', 'snapshot_id').nullable().deleteRule('restrict'),
    dueAt: p.datetime().nullable(),
    timeZone: p.string().length(64),
    paymentTerms: p.string().length(64).nullable(),
    purchaseOrder: p.string().length(255).nullable(),
    notes: p.text().nullable(),
    shipTo: p.json().$type<ShipTo>().nullable(),
    /** Payment methods that the customer's pages do not offer for it and AutoPay does not use. */
    disabledPaymentMethods: p.array().columnType('text[]').defaultRaw(`'{}'`),
    discounts: p.json().$type<AppliedDiscount[]>().defaultRaw(`'[]'`),
    taxes: p.json().$type<AppliedTax[]>().defaultRaw(`'[]'`),
    subtotal: amount(),
    total: amount(),
    balance: amount(),
    /** The part of the total that is neither paid nor owed: a small difference, or a part that was given up. */
    writtenOff: amount().default('0'),
    /** Why the latest part of it was written off. */
    writeOffReason: p.string().length(255).nullable(),
    paid: p.boolean(),
    closed: p.boolean(),
    /** Time at which it was written off as bad debt, which closes it. */
    writtenOffAt: p.datetime().nullable(),
    voidedAt: p.datetime().nullable(),
    /** The consolidated invoice that replaced it and has its lines. */
    consolidatedInto: () =>
      p.manyToOne(Invoice).joinColumns('account_id', 'consolidated_into_id').nullable().deleteRule('no action'),
    /** Deleted for clients; kept for the ledger. */
    deletedAt: p.datetime().nullable(),
    sentAt: p.datetime().nullable(),
    /** When it was mailed because it was issued, at its issue or by such a step of its cadence; null: it was not. */
    issueMailedAt: p.datetime().nullable(),
    /** Id of the task that says that it could not be mailed at its issue; null: there was an address, or it was not to be mailed. */
    unmailedTaskId: p.integer().nullable(),
    viewedAt: p.datetime().nullable(),
    pastDue: p.boolean().default(false),
    /** When its next late fee is due; null: none is planned. */
    lateFeeAt: p.datetime().nullable(),
    /** When its last late fee accrued; null: it has none. */
    lastLateFeeAt: p.datetime().nullable(),
    /** A payment from before a late fee came: the fees are computed again then; null: none came. */
    lateFeeReviewAt: p.datetime().nullable(),
    /** Money has come or gone that may decide about its early-payment discount: it is decided again then; null: it is decided. */
    discountReviewAt: p.datetime().nullable(),
    /** Credit of its customer is left for further open invoices: it is applied then; null: there is none. */
    creditReviewAt: p.datetime().nullable(),
    /** Whether the late fees of this time of being past due were planned. A schedule that comes later does not apply. */
    lateFeesPlanned: p.boolean().default(false),
    /** Whether a promised payment came; null: none is promised. */
    promise: p.string().length(8).$type<PromiseState>().nullable(),
    /** When the promised payment is expected. The whole local day counts. Null: none is promised. */
    expectedPaymentAt: p.datetime().nullable(),
    expectedPaymentMethod: p.string().length(16).$type<PaymentMethodId>().nullable(),
    expectedPaymentReference: p.string().length(255).nullable(),
    /** The lines that the customer disputes; null: none. */
    disputedLines: p.json().$type<DisputedLine[]>().nullable(),
    /** Until when nobody asks for it because of them; null: any time. */
    disputeHoldUntil: p.datetime().nullable(),
    /** Id of its latest payment plan; null: it never had one. */
    paymentPlanId: p.integer().nullable(),
    /** Its invoice cadence; null: it is asked for by the cadence of its customer. */
    chasingCadence: () =>
      p.manyToOne(ChasingCadence).joinColumns('account_id', 'chasing_cadence_id').nullable().deleteRule('restrict'),
    /** The steps of invoice cadences that were taken; null: none was. */
    takenSteps: p.json().$type<TakenStep[]>().nullable(),
    /** Whether a payment of it is pending. */
    pending: p.boolean().default(false),
    metadata,
    token,
    eventCount,
    ...timestamps,
  },
  uniques: [
    { name: 'invoice_number', properties: ['accountId', 'numberKey'] },
    { name: 'invoice_period', properties: ['accountId', 'subscription', 'segment', 'period'] },
  ],
  indexes: [
    { name: 'invoice_by_customer', properties: ['accountId', 'customer', 'id'] },
    partialIndex('invoice', 'invoice_by_status', ['account_id, status, id', LIVE]),
    partialIndex('invoice', 'invoice_by_date', ['account_id, date, id', LIVE]),
    partialIndex('invoice', 'invoice_by_updated', ['account_id, updated_at, id', LIVE]),
    partialIndex('invoice', 'invoice_by_created', ['account_id, created_at, id', LIVE]),
    partialIndex('invoice', 'invoice_by_due', ['account_id, due_at, id', LIVE]),
    partialIndex('invoice', 'invoice_by_currency', ['account_id, currency, id', LIVE]),
    partialIndex('invoice', 'invoice_by_autopay', ['account_id, autopay, id', LIVE]),
    partialIndex('invoice', 'invoice_by_paid', ['account_id, paid, id', LIVE]),
    partialIndex('invoice', 'invoice_by_closed', ['account_id, closed, id', LIVE]),
    partialIndex('invoice', 'invoice_open', ['account_id, customer_id, id', 'not closed']),
    partialIndex('invoice', 'invoice_open_by_balance', [
      'account_id, currency, balance, id',
      'not closed and issued_at is not null',
    ]),
    partialIndex('invoice', 'invoice_by_cadence', [
      'account_id, chasing_cadence_id, customer_id, id',
      'chasing_cadence_id is not null',
    ]),
    partialIndex('invoice', 'invoice_by_payment_failure', [
      'account_id, payment_failure_code, id',
      'payment_failure_code is not null',
    ]),
    partialIndex('invoice', 'invoice_by_promise_state', ['account_id, promise, id', 'promise is not null']),
    partialIndex('invoice', 'invoice_by_promise', [
      'account_id, expected_payment_at',
      "promise = 'promised' and not closed",
    ]),
    partialIndex('invoice', 'invoice_open_by_due', ['account_id, customer_id, currency, due_at', OWED]),
    partialIndex('invoice', 'invoice_by_total', ['account_id, total, id', LIVE]),
    partialIndex('invoice', 'invoice_by_balance', ['account_id, balance, id', LIVE]),
    metadataIndex('invoice'),
    searchIndex('invoice', DOCUMENT_KEYS),
  ],
  triggers: [keepsBalances('insert'), keepsBalances('update'), keepsBalances('delete')],
  checks: [
    { name: 'invoice_number_key', expression: '(number is null) = (number_key is null)' },
    { name: 'invoice_total', expression: 'total >= 0' },
    { name: 'invoice_balance', expression: 'balance >= 0 and balance <= total' },
    { name: 'invoice_written_off', expression: 'written_off >= 0 and balance + written_off <= total' },
    { name: 'invoice_paid', expression: 'not paid or balance = 0' },
    oneOf('invoice', 'status', invoiceStatuses),
    oneOf('invoice', 'promise', promiseStates),
    { name: 'invoice_promised', expression: '(promise is null) = (expected_payment_at is null)' },
  ],
});
export class Invoice extends InvoiceSchema.class {
  /** Its latest payment plan, read when the invoice is locked. */
  plan?: CollectedPlan | null;
  /** What is written off of it, oldest first, read when the invoice is locked. Unset: nothing is. */
  writeOffs?: (WrittenOff & { id: number })[];
}
InvoiceSchema.setClass(Invoice);
