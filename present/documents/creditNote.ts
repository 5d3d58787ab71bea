import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { documentUrl, pdfUrl } from '../kernel/links.ts';
import { number, orNull, type Presented, unix } from '../kernel/values.ts';
import { presentDiscount, presentLineItem, presentTax } from './lineItem.ts';

/** A credit note with its lines. `customer` and `invoice` are ids; expanding replaces them. */
export function presentCreditNote(creditNote: Plain<CreditNote>, lines: readonly Plain<LineItem>[]): Presented {
  return {
    id: creditNote.id,
    object: 'credit_note',
    customer: creditNote.customer.id,
    invoice: creditNote.invoice?.id ?? null,
    name: creditNote.name,
    number: orNull(creditNote.number),
    purchase_order: orNull(creditNote.purchaseOrder),
    currency: creditNote.currency,
    draft: !creditNote.issuedAt,
    closed: creditNote.closed,
    paid: creditNote.paid,
    status: creditNote.status,
    date: unix(creditNote.date),
    items: lines.map(presentLineItem),
    notes: orNull(creditNote.notes),
    force: Boolean(creditNote.forceReason),
    reason: orNull(creditNote.forceReason),
    subtotal: number(creditNote.subtotal),
    discounts: creditNote.discounts.map(presentDiscount),
    taxes: creditNote.taxes.map(presentTax),
    total: number(creditNote.total),
    balance: number(creditNote.balance),
    url: creditNote.issuedAt ? documentUrl('credit_note', creditNote) : null,
    pdf_url: creditNote.issuedAt ? pdfUrl('credit_note', creditNote) : null,
    created_at: unix(creditNote.createdAt),
    updated_at: unix(creditNote.updatedAt),
    metadata: creditNote.metadata,
  };
}
