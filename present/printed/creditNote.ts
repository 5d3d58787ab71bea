import type { NoteStory } from '../../billing/documents/creditNoteStory.ts';
import { isPositive } from '../../billing/money/money.ts';
import type { CreditNoteUse } from '../../db/queries/documents/lines.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { storyWordsOf } from '../../words/noteStory.ts';
import { type Addressed, documentUrl } from '../kernel/links.ts';
import { unix } from '../kernel/values.ts';
import type { PrintedDocument, PrintedFact } from './document.ts';
import { type Between, fieldFacts, headOf, labelsOfPages, marks, type Pen, penFor } from './head.ts';
import { earlierLine, type PrintableLine, printableLine } from './lines.ts';
import { storySentences, storySums, type ToldStory } from './noteStory.ts';
import { taxNotes } from './taxes.ts';
import { only } from './template.ts';
import { totalsOf } from './totals.ts';

type Parties = Pick<Between, 'seller' | 'buyer' | 'language' | 'fields' | 'isTest'>;

/** The facts that the PDF of a credit note depends on, with seller and buyer as they were at issue. */
export interface PrintableCreditNote extends Parties {
  creditNote: Pick<Plain<CreditNote>, (typeof printedOfCreditNote)[number]>;
  /** Number of the corrected invoice. */
  forInvoice: string | null;
  mark: 'void' | 'draft' | null;
  lines: readonly PrintableLine[];
  /** Where it was applied, and the rest of it. Unset: it is a draft or voided. */
  used?: { for: readonly CreditNoteUse[]; left: string } | undefined;
  /** What became of it. Unset: it is a draft or voided. */
  told?: ToldStory | undefined;
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

/** What became of a credit note. */
interface Becoming {
  forInvoice: string | null;
  uses: readonly CreditNoteUse[];
  told: ToldStory | undefined;
}

/** Selects the fields of the rows that are printed. Changes of other fields do not change the PDF. */
export function printableCreditNote(
  creditNote: Plain<CreditNote>,
  lines: readonly Plain<LineItem>[],
  { uses, told, ...between }: Parties & Becoming,
): PrintableCreditNote {
  const { status, balance, accountId, id, token, issuedAt } = creditNote;
  const mark = status === 'voided' ? 'void' : status === 'draft' ? status : null;
  return {
    ...between,
    creditNote: only(creditNote, printedOfCreditNote),
    mark,
    lines: lines.map(printableLine),
    used: mark === null ? { for: uses, left: balance } : undefined,
    told,
    address: issuedAt ? { accountId, id, token } : undefined,
  };
}

/** The facts by which earlier versions named the stored PDF of the same content: before it told what became of credit, and before the accounting details. */
export function earlierCreditNote({ told, ...printable }: PrintableCreditNote): object[] {
  if (told && isMore(told.story)) return [];
  const { used: _, address: __, isTest: ___, ...facts } = printable;
  return [printable, { ...facts, lines: facts.lines.map(earlierLine) }];
}

/** Whether a story tells more than which invoices the credit note paid itself, and what it added to the credit balance. */
function isMore({ uses, further, excess }: NoteStory): boolean {
  return uses.some(({ isByCredit }) => isByCredit) || isPositive(further) || isPositive(excess);
}

/** The printed form of a credit note. */
export function printCreditNote(printable: PrintableCreditNote): PrintedDocument {
  const { creditNote, mark, lines, forInvoice: _, used: __, told, address, ...parties } = printable;
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
    facts: [...factsOf(printable, pen), ...fieldFacts(parties, pen)],
    ...totals,
    sums: told ? [...totals.sums, ...storySums(told, pen)] : totals.sums,
    notes: [
      ...storyNotes(told, pen),
      ...taxNotes({ ...parties, ...creditNote, lines }, pen),
      ...(creditNote.notes ? [{ label: labels.notes, value: pen.own(creditNote.notes) }] : []),
    ],
    transfer: null,
    links: address ? [{ label: pen.accounting.viewOnline, href: documentUrl('credit_note', address) }] : [],
    labels: labelsOfPages(pen),
  };
}

/** What became of it in sentences; empty: nothing is to be said. */
function storyNotes(told: ToldStory | undefined, pen: Pen & { language: string }): PrintedDocument['notes'] {
  const sentences = told ? storySentences(told, pen) : [];
  return sentences.length === 0 ? [] : [{ label: storyWordsOf(pen.language).title, value: sentences.join('\n') }];
}

function factsOf({ creditNote, forInvoice }: PrintableCreditNote, { labels, formats, own }: Pen): PrintedFact[] {
  const { date, purchaseOrder } = creditNote;
  return [
    { label: labels.date, value: formats.day(date) },
    ...(forInvoice ? [{ label: labels.forInvoice, value: forInvoice }] : []),
    ...(purchaseOrder ? [{ label: labels.purchaseOrder, value: own(purchaseOrder) }] : []),
  ];
}
