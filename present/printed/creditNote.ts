import type { CreditNoteUse } from '../../db/queries/documents/applied.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { type Addressed, documentUrl } from '../kernel/links.ts';
import { unix } from '../kernel/values.ts';
import type { PrintedDocument, PrintedFact, PrintedSum } from './document.ts';
import { type Between, headOf, labelsOfPages, type Pen, penFor } from './head.ts';
import { earlierLine, type PrintableLine, printableLine } from './lines.ts';
import { marks } from './marks.ts';
import { only } from './only.ts';
import { taxNotes } from './taxNotes.ts';
import { totalsOf } from './totals.ts';

type Parties = Pick<Between, 'seller' | 'buyer' | 'language' | 'isTest'>;

/** The facts that the PDF of a credit note depends on, with seller and buyer as they were at issue. */
export interface PrintableCreditNote extends Parties {
  creditNote: Pick<Plain<CreditNote>, (typeof printedOfCreditNote)[number]>;
  /** Number of the corrected invoice. */
  forInvoice: string | null;
  mark: 'void' | 'draft' | null;
  lines: readonly PrintableLine[];
  /** The uses of the credit, and the rest of it. Unset: it is a draft or voided. */
  used?: { for: readonly CreditNoteUse[]; left: string } | undefined;
  /** Its public page. Unset: it has none. */
  address?: Addressed | undefined;
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
  { uses, ...between }: Parties & { forInvoice: string | null; uses: readonly CreditNoteUse[] },
): PrintableCreditNote {
  const { status, balance, accountId, id, token, issuedAt } = creditNote;
  const mark = status === 'voided' ? 'void' : status === 'draft' ? status : null;
  return {
    ...between,
    creditNote: only(creditNote, printedOfCreditNote),
    mark,
    lines: lines.map(printableLine),
    used: mark === null ? { for: uses, left: balance } : undefined,
    address: issuedAt ? { accountId, id, token } : undefined,
  };
}

/** The facts by which versions before the accounting details named the stored PDF of the same content. */
export function earlierCreditNote({ used: _, address: __, isTest: ___, ...facts }: PrintableCreditNote): object[] {
  return [{ ...facts, lines: facts.lines.map(earlierLine) }];
}

/** The printed form of a credit note. */
export function printCreditNote(printable: PrintableCreditNote): PrintedDocument {
  const { creditNote, mark, lines, forInvoice: _, used, address, ...parties } = printable;
  const about: Between = { ...parties, currency: creditNote.currency, timeZone: creditNote.timeZone };
  const pen = penFor(about);
  const totals = totalsOf({ ...creditNote, lines, isCorrection: true }, pen);
  const { labels, formats } = pen;
  const number = creditNote.number ?? null;
  return {
    kind: 'credit_note',
    ...headOf(about, pen),
    title: labels.creditNote,
    number,
    heading: number ? `${labels.creditNote} ${number}` : labels.creditNote,
    date: unix(creditNote.date),
    mark: mark && marks[mark](pen),
    figure: { label: labels.total, value: formats.money(creditNote.total), note: null, isLate: false },
    facts: factsOf(printable, pen),
    ...totals,
    sums: [...totals.sums, ...usedSums(used, pen)],
    notes: [
      ...taxNotes({ ...parties, ...creditNote, lines }, pen),
      ...(creditNote.notes ? [{ label: labels.notes, value: pen.own(creditNote.notes) }] : []),
    ],
    transfer: null,
    links: address ? [{ label: pen.accounting.viewOnline, href: documentUrl('credit_note', address) }] : [],
    labels: labelsOfPages(pen),
  };
}

/** The uses of the credit, and the rest of it. Nothing is said while none of it was used. */
function usedSums(used: PrintableCreditNote['used'], { labels, formats, accounting, own }: Pen): PrintedSum[] {
  if (!used || used.for.length === 0) return [];
  const uses = used.for.map(({ type, number, amount }): PrintedSum => {
    const paid = `${labels.appliedTo}: ${number === null ? labels.invoice : `${labels.invoice} ${own(number)}`}`;
    return { label: type === 'credit' ? labels.addedToCredit : paid, value: formats.less(amount), weight: 'plain' };
  });
  return [...uses, { label: accounting.availableCredit, value: formats.money(used.left), weight: 'balance' }];
}

function factsOf({ creditNote, forInvoice }: PrintableCreditNote, { labels, formats, own }: Pen): PrintedFact[] {
  const { date, purchaseOrder } = creditNote;
  return [
    { label: labels.date, value: formats.day(date) },
    ...(forInvoice ? [{ label: labels.forInvoice, value: forInvoice }] : []),
    ...(purchaseOrder ? [{ label: labels.purchaseOrder, value: own(purchaseOrder) }] : []),
  ];
}
