import { refundedOf, whyNoReceipt } from '../../billing/documents/receipt.ts';
import { add } from '../../billing/money/money.ts';
import type { Suggestion } from '../../billing/payments/paymentMatching.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Charge } from '../../db/schema/charge.ts';
import type { Payment } from '../../db/schema/payment.ts';
import type { ApplicationType } from '../../db/schema/paymentApplication.ts';
import { pdfUrl } from '../kernel/links.ts';
import { number, orNull, type Presented, unix } from '../kernel/values.ts';
import { presentCharge } from './charge.ts';
import { presentRefundOf } from './refund.ts';

/** A payment. `charge`: null if it was not made by a charge. */
export function presentPayment(payment: Plain<Payment>, charge: Plain<Charge> | null): Presented {
  const customerId = payment.customer?.id ?? null;
  const { refunds } = charge ?? payment;
  return {
    id: payment.id,
    object: 'payment',
    customer: customerId,
    date: unix(payment.date),
    currency: payment.currency,
    amount: number(payment.amount),
    balance: number(payment.balance),
    credit: number(payment.credit),
    matched: payment.matched,
    voided: payment.voided,
    method: payment.method,
    ach_sender_id: orNull(payment.achSenderId),
    reference: orNull(payment.reference),
    source: payment.source,
    notes: orNull(payment.notes),
    charge: charge ? presentCharge(charge) : null,
    amount_refunded: number(charge?.amountRefunded ?? refundedOf(refunds, payment.currency)),
    refunds: refunds.map((refund) => presentRefundOf({ customerId, chargeId: charge?.id ?? null }, refund)),
    receipt_number: orNull(payment.receiptNumber),
    pdf_url: whyNoReceipt(payment, charge?.status ?? null) === null ? pdfUrl('payment', payment) : null,
    created_at: unix(payment.createdAt),
    updated_at: unix(payment.updatedAt),
    metadata: payment.metadata,
  };
}

/** The fields of an application that a response shows. */
interface Shown {
  id: number;
  type: ApplicationType;
  amount: string;
  invoice?: { id: number } | null | undefined;
  creditNote?: { id: number } | null | undefined;
  estimate?: { id: number } | null | undefined;
}

/** The field `applied_to`, which a payment has only if the request includes it. */
export function presentApplications(applications: readonly Shown[]): Presented[] {
  return applications.map((application) => ({
    id: application.id,
    object: 'payment_application',
    type: application.type === 'deposit' ? 'applied_credit' : application.type,
    amount: number(application.amount),
    invoice: application.invoice?.id ?? null,
    estimate: application.estimate?.id ?? null,
    credit_note: application.creditNote?.id ?? null,
    document_type: documentType(application),
  }));
}

/** The type of document that a credit pays. Null if money pays, or if the application pays no document. */
function documentType({ type, invoice }: Shown): 'invoice' | 'estimate' | null {
  if (type === 'invoice' || type === 'estimate' || type === 'credit' || type === 'convenience_fee') return null;
  return invoice ? 'invoice' : 'estimate';
}

type Applied = Parameters<typeof presentApplications>[0];

/**
 * A suggestion for a payment. `applied_to` has the present applications, too, so that a client can accept it by sending `customer` and
 * `applied_to` back. `rank`: 1 is the likeliest.
 */
export function presentMatch(suggestion: Suggestion, rank: number, applied: Applied): Presented {
  const { customerId, parts, reasons } = suggestion;
  const isAlsoPaid = ({ type, invoice }: Applied[number]) =>
    type === 'invoice' && parts.some(({ invoiceId }) => invoiceId === invoice?.id);
  const kept = presentApplications(applied.filter((one) => !isAlsoPaid(one))).map(
    ({ id: _id, object: _object, ...application }) => application,
  );
  const made = parts.map(({ invoiceId, amount }) => {
    const paid = applied.find(({ type, invoice }) => type === 'invoice' && invoice?.id === invoiceId)?.amount ?? '0';
    const whole = number(add(paid, amount));
    const others = { estimate: null, credit_note: null, document_type: null };
    return { type: 'invoice', amount: whole, invoice: invoiceId, ...others };
  });
  return { object: 'payment_match', rank, reasons: [...reasons], customer: customerId, applied_to: [...kept, ...made] };
}
