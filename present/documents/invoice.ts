import type { DisputedLine } from '../../billing/collection/lineDispute.ts';
import { add } from '../../billing/money/money.ts';
import { whyUnpayable } from '../../billing/payments/payable.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import type { WriteOff } from '../../db/schema/writeOff.ts';
import { documentUrl, payUrlOf, pdfUrl } from '../kernel/links.ts';
import { number, orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';
import { presentDiscount, presentLineItem, presentShipTo, presentTax } from './lineItem.ts';

/** An invoice with its lines. `customer` and `subscription` are ids; expanding replaces them. */
export function presentInvoice(invoice: Plain<Invoice>, lines: readonly Plain<LineItem>[]): Presented {
  return {
    id: invoice.id,
    object: 'invoice',
    customer: invoice.customer.id,
    name: invoice.name,
    number: orNull(invoice.number),
    autopay: invoice.autopay,
    currency: invoice.currency,
    draft: !invoice.issuedAt,
    closed: invoice.closed,
    paid: invoice.paid,
    status: invoice.status,
    attempt_count: invoice.attemptCount,
    next_payment_attempt: unixOrNull(invoice.nextPaymentAttemptAt),
    payment_failure: presentFailure(invoice),
    subscription: invoice.subscription?.id ?? null,
    date: unix(invoice.date),
    due_date: unixOrNull(invoice.dueAt),
    payment_terms: orNull(invoice.paymentTerms),
    purchase_order: orNull(invoice.purchaseOrder),
    items: lines.map(presentLineItem),
    notes: orNull(invoice.notes),
    subtotal: number(invoice.subtotal),
    total: number(invoice.total),
    balance: number(invoice.balance),
    written_off: number(invoice.writtenOff),
    write_off_reason: orNull(invoice.writeOffReason),
    discounts: invoice.discounts.map(presentDiscount),
    taxes: invoice.taxes.map(presentTax),
    ship_to: presentShipTo(invoice.shipTo),
    disabled_payment_methods: invoice.disabledPaymentMethods,
    chasing_cadence: invoice.chasingCadence?.id ?? null,
    expected_payment_date: presentPromise(invoice),
    expected_payment_status: orNull(invoice.promise),
    disputed_lines: (invoice.disputedLines ?? []).map(presentDisputedLine),
    dispute_hold_until: unixOrNull(invoice.disputeHoldUntil),
    payment_plan: orNull(invoice.paymentPlanId),
    consolidated_into: invoice.consolidatedInto?.id ?? null,
    url: invoice.issuedAt ? documentUrl('invoice', invoice) : null,
    payment_url: whyUnpayable(invoice) ? null : payUrlOf(invoice),
    pdf_url: invoice.issuedAt ? pdfUrl('invoice', invoice) : null,
    created_at: unix(invoice.createdAt),
    updated_at: unix(invoice.updatedAt),
    metadata: invoice.metadata,
  };
}

/** Why the last automatic payment failed. */
function presentFailure(invoice: Plain<Invoice>): Presented | null {
  const { paymentFailureCode: code, paymentFailureMessage: message, paymentFailedAt: at } = invoice;
  if (!code || !at) return null;
  return { code, message: orNull(message), at: unix(at), next_attempt: unixOrNull(invoice.nextPaymentAttemptAt) };
}

/** A line that the customer disputes. */
function presentDisputedLine({ line, reason, at }: DisputedLine): Presented {
  return { line_item: line, reason, created_at: unix(new Date(at)) };
}

/** The payment that the customer has promised. */
function presentPromise(invoice: Plain<Invoice>): Presented | null {
  const { expectedPaymentAt: at, expectedPaymentMethod: method, expectedPaymentReference: reference } = invoice;
  return at ? { date: unix(at), method: orNull(method), reference: orNull(reference) } : null;
}

export function presentWriteOff(row: Plain<WriteOff>): Presented {
  return {
    id: row.id,
    object: 'write_off',
    invoice: row.invoice.id,
    kind: row.kind,
    currency: row.currency,
    amount: number(row.amount),
    tax: number(add('0', ...Object.values(row.taxes))),
    account: row.ledgerAccount,
    payment: orNull(row.paymentId),
    reason: orNull(row.reason),
    reversed_at: unixOrNull(row.reversedAt),
    created_at: unix(row.createdAt),
    updated_at: unix(row.updatedAt),
  };
}
