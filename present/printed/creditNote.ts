import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { unix } from '../kernel/values.ts';
import type { PrintedDocument, PrintedFact } from './document.ts';
import { type Between, headOf, labelsOfPages, type Pen, penFor } from './head.ts';
import { linesOf, type PrintableLine, printableLine } from './lines.ts';
import { marks } from './marks.ts';
import { only } from './only.ts';
import { sumsOf } from './sums.ts';

type Parties = Pick<Between, 'seller' | 'buyer' | 'language'>;

/** The facts that the PDF of a credit note depends on, with seller and buyer as they were at issue. The use of the credit is not printed. */
export interface PrintableCreditNote extends Parties {
  creditNote: Pick<Plain<CreditNote>, (typeof printedOfCreditNote)[number]>;
  /** Number of the corrected invoice. */
  forInvoice: string | null;
  mark: 'void' | 'draft' | null;
  lines: readonly PrintableLine[];
}

const printedOfCreditNote = [
  'number',
  'currency',
  'date',
  'timeZone',
  'purchaseOrder',
  'notes',
  'subtotal',
  'total',
  'discounts',
  'taxes',
] as const;

/** Selects the fields of the rows that are printed. Changes of other fields do not change the PDF. */
export function printableCreditNote(
  creditNote: Plain<CreditNote>,
  lines: readonly Plain<LineItem>[],
  between: Parties & { forInvoice: string | null },
): PrintableCreditNote {
  const { status } = creditNote;
  const mark = status === 'voided' ? 'void' : status === 'draft' ? status : null;
  return { ...between, creditNote: only(creditNote, printedOfCreditNote), mark, lines: lines.map(printableLine) };
}

/** The printed form of a credit note. */
export function printCreditNote(printable: PrintableCreditNote): PrintedDocument {
  const { creditNote, mark, lines, forInvoice, ...parties } = printable;
  const about: Between = { ...parties, currency: creditNote.currency, timeZone: creditNote.timeZone };
  const pen = penFor(about);
  const { labels, formats } = pen;
  const number = creditNote.number ?? null;
  return {
    kind: 'credit_note',
    ...headOf(about, pen),
    title: labels.creditNote,
    number,
    heading: number ? `${labels.creditNote} ${number}` : labels.creditNote,
    date: unix(creditNote.date),
    mark: mark && marks[mark](labels),
    figure: { label: labels.total, value: formats.money(creditNote.total), note: null },
    facts: factsOf(printable, pen),
    ...linesOf(lines, creditNote.currency, pen),
    sums: sumsOf({ ...creditNote, lines }, pen),
    notes: creditNote.notes ? [{ label: labels.notes, value: pen.own(creditNote.notes) }] : [],
    labels: labelsOfPages(pen),
  };
}

function factsOf({ creditNote, forInvoice }: PrintableCreditNote, { labels, formats, own }: Pen): PrintedFact[] {
  const { date, purchaseOrder } = creditNote;
  return [
    { label: labels.date, value: formats.day(date) },
    ...(forInvoice ? [{ label: labels.forInvoice, value: forInvoice }] : []),
    ...(purchaseOrder ? [{ label: labels.purchaseOrder, value: own(purchaseOrder) }] : []),
  ];
}
