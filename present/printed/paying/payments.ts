import { whyNoReceipt } from '../../../billing/receipt.ts';
import type { PaidPart } from '../../../db/queries/invoices/paidParts.ts';
import { documentUrl } from '../../kernel/links.ts';
import type { Pen } from '../head.ts';

/** A payment of an invoice or of a deposit, as the page of the document lists it. */
export interface PrintedPayment {
  day: string;
  amount: string;
  /** URL of its receipt; null: it has none, or the receipt names other documents, which the link of the document does not show. */
  receipt: string | null;
}

/** Prints the payments of a document. */
export function printPayments(accountId: number, parts: readonly PaidPart[], { formats }: Pen): PrintedPayment[] {
  return parts.map((part) => {
    const { date, amount, paid, voided, credit, chargeStatus, paysOthers, paymentId: id, token } = part;
    const isWithheld = whyNoReceipt({ voided, amount: paid, credit }, chargeStatus) !== null;
    const receipt = isWithheld || paysOthers ? null : documentUrl('payment', { accountId, id, token });
    return { day: formats.day(date), amount: formats.money(amount), receipt };
  });
}
