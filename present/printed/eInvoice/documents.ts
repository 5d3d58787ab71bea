import type { PrintableCreditNote } from '../creditNote.ts';
import { penFor } from '../head.ts';
import { isTransferred, type PrintableInvoice, termsInWords } from '../invoice.ts';
import { only } from '../only.ts';
import { type EInvoiceFile, eInvoiceOf } from './eInvoice.ts';

/** The e-invoice of an invoice, or the reason why it has none. */
export function eInvoiceOfInvoice({ invoice, mark, lines, ...between }: PrintableInvoice): EInvoiceFile {
  const { seller, buyer, isTest } = between;
  const { number = null, dueAt = null, currency, timeZone, paymentTerms } = invoice;
  const pen = penFor({ ...between, currency, timeZone });
  const facts = {
    ...only(invoice, ['date', 'timeZone', 'currency', 'notes', 'purchaseOrder', 'shipTo', 'discounts', 'taxes']),
    kind: 'invoice' as const,
    number,
    isDraft: mark === 'draft',
    isVoid: mark === 'void',
    isTest: isTest === true,
    dueAt,
    terms: paymentTerms ? termsInWords(paymentTerms, pen) : null,
    corrects: null,
    seller,
    buyer,
    lines,
    total: invoice.total,
    balance: invoice.balance,
    isTransferred: isTransferred({ invoice, mark }),
  };
  return eInvoiceOf(facts, pen);
}

/** The e-invoice of a credit note, or the reason why it has none. */
export function eInvoiceOfCreditNote({ creditNote, mark, lines, ...between }: PrintableCreditNote): EInvoiceFile {
  const { seller, buyer, isTest, forInvoice, used } = between;
  const { number = null, currency, timeZone, total } = creditNote;
  const pen = penFor({ ...between, currency, timeZone });
  const facts = {
    ...only(creditNote, ['date', 'timeZone', 'currency', 'notes', 'purchaseOrder', 'discounts', 'taxes']),
    kind: 'credit_note' as const,
    number,
    isDraft: mark === 'draft',
    isVoid: mark === 'void',
    isTest: isTest === true,
    dueAt: null,
    terms: pen.labels.creditNote,
    corrects: forInvoice,
    seller,
    buyer,
    shipTo: null,
    lines,
    total,
    balance: used?.left ?? total,
    isTransferred: false,
  };
  return eInvoiceOf(facts, pen);
}
