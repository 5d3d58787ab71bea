import type { Money } from '../../../billing/money/money.ts';
import type { PrintableCreditNote } from '../creditNote.ts';
import { type Pen, penFor } from '../head.ts';
import { isTransferred, type PrintableInvoice, termsInWords } from '../invoice.ts';
import type { PrintableLine } from '../lines.ts';
import { only } from '../template.ts';
import { type EInvoiceFacts, type EInvoiceFile, eInvoiceOf } from './eInvoice.ts';

type Terms = Pick<PrintableInvoice['invoice'], 'paymentTerms' | 'autopay' | 'dueAt'>;

/** The e-invoice of an invoice, or the reason why it has none. `nets`: the net of each line. */
export function eInvoiceOfInvoice(
  { invoice, mark, lines, ...between }: PrintableInvoice,
  nets: readonly Money[],
): EInvoiceFile {
  const { seller, buyer, isTest } = between;
  const { number = null, dueAt = null, currency, timeZone, paymentTerms } = invoice;
  const pen = penFor({ ...between, currency, timeZone });
  const facts = {
    ...only(invoice, ['date', 'timeZone', 'currency', 'notes', 'purchaseOrder', 'shipTo', 'taxes']),
    kind: 'invoice' as const,
    number,
    isDraft: mark === 'draft',
    isVoid: mark === 'void',
    isTest: isTest === true,
    dueAt,
    terms: termsOf({ ...invoice, paymentTerms, dueAt }, pen),
    corrects: null,
    seller,
    buyer,
    lines: withNets(lines, nets),
    total: invoice.total,
    balance: invoice.balance,
    isTransferred: isTransferred({ invoice, mark }),
  };
  return eInvoiceOf(facts, pen);
}

/** Terms of payment in words. Without terms and without a due date, an invoice is due on receipt: the standard wants one of them. */
function termsOf({ paymentTerms, autopay, dueAt }: Terms, pen: Pen): string | null {
  if (paymentTerms) return termsInWords(paymentTerms, pen);
  if (autopay) return pen.labels.automatically;
  return dueAt ? null : pen.labels.dueOnReceipt;
}

/** The e-invoice of a credit note, or the reason why it has none. `nets`: the net of each line. */
export function eInvoiceOfCreditNote(
  { creditNote, mark, lines, ...between }: PrintableCreditNote,
  nets: readonly Money[],
): EInvoiceFile {
  const { seller, buyer, isTest, forInvoice, used } = between;
  const { number = null, currency, timeZone, total } = creditNote;
  const pen = penFor({ ...between, currency, timeZone });
  const facts = {
    ...only(creditNote, ['date', 'timeZone', 'currency', 'notes', 'purchaseOrder', 'taxes']),
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
    lines: withNets(lines, nets),
    total,
    balance: used?.left ?? total,
    isTransferred: false,
  };
  return eInvoiceOf(facts, pen);
}

function withNets(lines: readonly PrintableLine[], nets: readonly Money[]): EInvoiceFacts['lines'] {
  return lines.map((line, index) => {
    const net = nets[index];
    if (net === undefined) throw new Error(`no net of line ${index}`);
    return { ...line, net };
  });
}
