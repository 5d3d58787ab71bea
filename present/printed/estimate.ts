import { isZero } from '../../billing/money/money.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Estimate } from '../../db/schema/estimate.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { fill } from '../../words/text.ts';
import { type Addressed, documentUrl } from '../kernel/links.ts';
import { unix } from '../kernel/values.ts';
import type { PrintedDocument, PrintedFact, PrintedSum } from './document.ts';
import { type Between, fieldFacts, headOf, labelsOfPages, marks, type Pen, penFor } from './head.ts';
import { earlierLine, type PrintableLine, printableLine } from './lines.ts';
import { taxNotes } from './taxes.ts';
import { only } from './template.ts';
import { totalsOf } from './totals.ts';

type Parties = Pick<Between, 'seller' | 'buyer' | 'language' | 'fields' | 'isTest'>;

/** The facts that the PDF of an estimate depends on, with seller and buyer as they were at issue. */
export interface PrintableEstimate extends Parties {
  estimate: Pick<Plain<Estimate>, (typeof printedOfEstimate)[number]>;
  mark: 'void' | 'draft' | null;
  lines: readonly PrintableLine[];
  /** Its public page. Unset: it has none. */
  address?: Addressed | undefined;
}

const printedOfEstimate = [
  'number',
  'currency',
  'date',
  'expiresAt',
  'timeZone',
  'purchaseOrder',
  'notes',
  'shipTo',
  'subtotal',
  'total',
  'discounts',
  'taxes',
  'deposit',
] as const;

/** The content as the estimate and its lines have it: it changes only when they do. */
export function storedEstimate(
  estimate: Plain<Estimate>,
  lines: readonly Plain<LineItem>[],
): Pick<PrintableEstimate, 'estimate' | 'mark' | 'lines'> {
  const { status } = estimate;
  const mark = status === 'voided' ? 'void' : status === 'draft' ? status : null;
  return { estimate: only(estimate, printedOfEstimate), mark, lines: lines.map(printableLine) };
}

/** Selects the fields of the rows that are printed. Changes of other fields do not change the PDF. */
export function printableEstimate(
  estimate: Plain<Estimate>,
  lines: readonly Plain<LineItem>[],
  between: Parties,
): PrintableEstimate {
  const { accountId, id, token, issuedAt } = estimate;
  return { ...between, ...storedEstimate(estimate, lines), address: issuedAt ? { accountId, id, token } : undefined };
}

/** The facts by which versions before the accounting details named the stored PDF of the same content. */
export function earlierEstimate({ address: _, isTest: __, ...facts }: PrintableEstimate): object[] {
  return [{ ...facts, lines: facts.lines.map(earlierLine) }];
}

/** The printed form of an estimate. */
export function printEstimate({ estimate, mark, lines, address, ...between }: PrintableEstimate): PrintedDocument {
  const about: Between = {
    ...between,
    shipTo: estimate.shipTo,
    currency: estimate.currency,
    timeZone: estimate.timeZone,
  };
  const pen = penFor(about);
  const totals = totalsOf({ ...estimate, lines }, pen);
  const { labels, formats } = pen;
  const number = estimate.number ?? null;
  const { expiresAt } = estimate;
  const note = expiresAt ? fill(labels.validUntil, { day: formats.day(expiresAt) }) : null;
  return {
    kind: 'estimate',
    ...headOf(about, pen),
    title: labels.estimate,
    number,
    heading: number ? `${labels.estimate} ${number}` : labels.estimate,
    date: unix(estimate.date),
    mark: mark && marks[mark](pen),
    figure: { label: labels.total, value: formats.money(estimate.total), note, isLate: false },
    facts: [...factsOf(estimate, pen), ...fieldFacts(between, pen)],
    ...totals,
    sums: [...totals.sums, ...depositOf(estimate, pen)],
    notes: [
      ...taxNotes({ ...between, ...estimate, lines }, pen),
      ...(estimate.notes ? [{ label: labels.notes, value: pen.own(estimate.notes) }] : []),
    ],
    transfer: null,
    links: address ? [{ label: pen.accounting.approveOnline, href: documentUrl('estimate', address) }] : [],
    labels: labelsOfPages(pen),
  };
}

type Printed = PrintableEstimate['estimate'];

function factsOf(estimate: Printed, { labels, formats, own }: Pen): PrintedFact[] {
  const { expiresAt, purchaseOrder } = estimate;
  return [
    { label: labels.date, value: formats.day(estimate.date) },
    ...(expiresAt ? [{ label: labels.expirationDate, value: formats.day(expiresAt) }] : []),
    ...(purchaseOrder ? [{ label: labels.purchaseOrder, value: own(purchaseOrder) }] : []),
  ];
}

function depositOf({ deposit }: Printed, { labels, formats }: Pen): PrintedSum[] {
  return isZero(deposit) ? [] : [{ label: labels.deposit, value: formats.money(deposit), weight: 'plain' }];
}

/** The customer's answer to an estimate, or whether it can still be given. */
export interface PrintedAnswer {
  isOpen: boolean;
  said: { text: string; tone: 'good' | 'quiet' } | null;
}

export function printAnswer(
  estimate: Plain<Estimate>,
  parties: Pick<Between, 'seller' | 'buyer' | 'language'>,
): PrintedAnswer {
  const { status, answer, approvedAt, declinedAt, currency, timeZone } = estimate;
  const { labels, formats } = penFor({ ...parties, currency, timeZone });
  const words = (by: string, alone: string, at: Date) =>
    answer ? fill(by, { initials: answer.initials, day: formats.day(at) }) : alone;
  const isOpen = status === 'not_sent' || status === 'sent';
  if (approvedAt)
    return { isOpen, said: { text: words(labels.approvedBy, labels.approved, approvedAt), tone: 'good' } };
  if (!declinedAt) return { isOpen, said: null };
  return { isOpen, said: { text: words(labels.declinedBy, labels.declined, declinedAt), tone: 'quiet' } };
}
