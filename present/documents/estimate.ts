import { whyDepositUnpayable } from '../../billing/payments/payable.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { depositUrlOf, documentUrl, pdfUrl } from '../kernel/links.ts';
import { number, orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';
import { presentDiscount, presentLineItem, presentShipTo, presentTax } from './lineItem.ts';

/** An estimate with its lines. `customer` and `invoice` are ids; expanding replaces them. */
export function presentEstimate(estimate: Plain<Estimate>, lines: readonly Plain<LineItem>[]): Presented {
  return {
    id: estimate.id,
    object: 'estimate',
    customer: estimate.customer.id,
    invoice: estimate.invoice?.id ?? null,
    name: estimate.name,
    number: orNull(estimate.number),
    currency: estimate.currency,
    draft: !estimate.issuedAt,
    closed: estimate.closed,
    approved: estimate.approvedAt ? true : null,
    decline_reason: estimate.declinedAt ? orNull(estimate.answer?.reason) : null,
    status: estimate.status,
    date: unix(estimate.date),
    expiration_date: unixOrNull(estimate.expiresAt),
    payment_terms: orNull(estimate.paymentTerms),
    purchase_order: orNull(estimate.purchaseOrder),
    items: lines.map(presentLineItem),
    notes: orNull(estimate.notes),
    subtotal: number(estimate.subtotal),
    discounts: estimate.discounts.map(presentDiscount),
    taxes: estimate.taxes.map(presentTax),
    ship_to: presentShipTo(estimate.shipTo),
    total: number(estimate.total),
    deposit: number(estimate.deposit),
    deposit_paid: estimate.depositPaid,
    disabled_payment_methods: estimate.disabledPaymentMethods,
    url: estimate.issuedAt ? documentUrl('estimate', estimate) : null,
    payment_url: whyDepositUnpayable(estimate) ? null : depositUrlOf(estimate),
    pdf_url: estimate.issuedAt ? pdfUrl('estimate', estimate) : null,
    created_at: unix(estimate.createdAt),
    updated_at: unix(estimate.updatedAt),
    metadata: estimate.metadata,
  };
}
