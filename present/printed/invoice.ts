import type { PlanAsk } from '../../billing/collection/planProgress.ts';
import { type ShownDiscount, shownDiscount } from '../../billing/documents/earlyDiscount.ts';
import { isZero } from '../../billing/money/money.ts';
import { storedTerms } from '../../billing/time/terms.ts';
import type { InvoicePart } from '../../db/queries/documents/lines.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Invoice } from '../../db/schema/invoice.ts';
import type { LineItem } from '../../db/schema/lineItem.ts';
import { fill } from '../../words/text.ts';
import { type Addressed, documentUrl, payUrlOf } from '../kernel/links.ts';
import { unix } from '../kernel/values.ts';
import type { PrintedDocument, PrintedFact } from './document.ts';
import { type Between, fieldFacts, headOf, labelsOfPages, marks, type Pen, penFor } from './head.ts';
import { earlierLine, type PrintableLine, printableLine } from './lines.ts';
import { type PrintablePlan, planFigure, printablePlan, printPlan } from './plan.ts';
import { taxNotes } from './taxes.ts';
import { only } from './template.ts';
import { earlyDiscountInWords, type Paid, totalsOf } from './totals.ts';
import { transferOf } from './transfer.ts';

type Parties = Pick<Between, 'seller' | 'buyer' | 'language' | 'fields' | 'isTest'>;

/** The facts that the PDF of an invoice depends on, with seller and buyer as they were at issue. */
export interface PrintableInvoice extends Parties {
  invoice: Pick<Plain<Invoice>, (typeof printedOfInvoice)[number]>;
  mark: 'void' | 'draft' | 'paid' | 'late' | null;
  /** Its early-payment discount; absent: there is none. */
  early?: ShownDiscount;
  lines: readonly PrintableLine[];
  /** The payment plan that collects it. Absent: there is none. */
  plan?: PrintablePlan | undefined;
  /** The payments and credits that have paid it, oldest first. Unset: not known, its sum is printed. */
  parts?: readonly InvoicePart[] | undefined;
  /** Date of the latest part. Unset: it is the last of `parts`, or nothing is paid. */
  paidAt?: Date | undefined;
  /** Its public page. Unset: it has none. */
  address?: Addressed | undefined;
}

const printedOfInvoice = [
  'number',
  'currency',
  'date',
  'dueAt',
  'timeZone',
  'paymentTerms',
  'purchaseOrder',
  'notes',
  'shipTo',
  'discounts',
  'taxes',
  'subtotal',
  'total',
  'balance',
  'closed',
  'autopay',
] as const;

/** The content as the invoice and its lines have it: it changes only when they do. `early` follows from it. */
export function storedInvoice(
  invoice: Plain<Invoice>,
  lines: readonly Plain<LineItem>[],
): Pick<PrintableInvoice, 'invoice' | 'mark' | 'lines'> {
  return { invoice: only(invoice, printedOfInvoice), mark: markOf(invoice), lines: lines.map(printableLine) };
}

/** Selects the fields of the rows that are printed. Changes of other fields do not change the PDF. */
export function printableInvoice(
  invoice: Plain<Invoice>,
  lines: readonly Plain<LineItem>[],
  { ask, ...between }: Parties & Pick<PrintableInvoice, 'parts' | 'paidAt'> & { ask?: PlanAsk | null },
): PrintableInvoice {
  const { accountId, id, token, issuedAt } = invoice;
  const { mark, ...stored } = storedInvoice(invoice, lines);
  const plan = ask && canBePaid({ invoice, mark }) ? printablePlan(ask) : null;
  const early = mark === 'void' || mark === 'paid' ? null : shownDiscount(invoice, [...lines]);
  return {
    ...between,
    invoice: stored.invoice,
    mark,
    ...(early && { early }),
    ...(plan && { plan }),
    lines: stored.lines,
    address: issuedAt ? { accountId, id, token } : undefined,
  };
}

/** The facts by which earlier versions named the stored PDF of the same content: those before plans, and those before the accounting details. */
export function earlierInvoice({ plan: _, paidAt: __, ...printable }: PrintableInvoice): object[] {
  const { parts: ___, address: ____, isTest: _____, ...facts } = printable;
  const { closed: ______, autopay: _______, ...invoice } = facts.invoice;
  const mark = facts.mark === 'late' ? null : facts.mark;
  return [printable, { ...facts, invoice, mark, lines: facts.lines.map(earlierLine) }];
}

function markOf({ status, pastDue, closed }: Plain<Invoice>): PrintableInvoice['mark'] {
  if (status === 'voided') return 'void';
  if (status === 'draft' || status === 'paid') return status;
  return pastDue && !closed ? 'late' : null;
}

/** The printed form of an invoice. */
export function printInvoice({
  invoice,
  mark,
  early,
  lines,
  plan,
  parts,
  paidAt,
  address,
  ...between
}: PrintableInvoice): PrintedDocument {
  const about: Between = {
    ...between,
    shipTo: invoice.shipTo,
    currency: invoice.currency,
    timeZone: invoice.timeZone,
  };
  const pen = penFor(about);
  const { labels } = pen;
  const number = invoice.number ?? null;
  return {
    kind: 'invoice',
    ...headOf(about, pen),
    title: labels.invoice,
    number,
    heading: number ? `${labels.invoice} ${number}` : labels.invoice,
    date: unix(invoice.date),
    mark: mark && marks[mark](pen),
    figure: figureOf({ invoice, mark, plan, parts, paidAt }, pen),
    facts: [...factsOf(invoice, plan, pen), ...fieldFacts(between, pen)],
    ...totalsOf({ ...invoice, lines }, pen, { paid: isOwed(mark) ? paidOf(invoice, parts, plan) : null }),
    ...(plan && { installments: printPlan(plan, pen, pen.language) }),
    notes: [
      ...(early ? [{ label: labels.earlyDiscount, value: earlyDiscountInWords(early, invoice.balance, pen) }] : []),
      ...taxNotes({ ...between, ...invoice, lines }, pen),
      ...refundNotes(parts ?? [], pen),
      ...(invoice.notes ? [{ label: labels.notes, value: pen.own(invoice.notes) }] : []),
    ],
    ...payableBy({ invoice, mark, plan, address, ...between }, pen),
    labels: labelsOfPages(pen),
  };
}

type Printed = PrintableInvoice['invoice'];

interface Payability {
  invoice: Pick<Printed, 'closed' | 'balance'>;
  mark: PrintableInvoice['mark'];
}

/** Amount and headline: what is due, by when, or when it was paid. */
function figureOf(
  { invoice, mark, plan, parts = [], paidAt }: Omit<PrintableInvoice, keyof Parties | 'lines'>,
  pen: Pen,
): PrintedDocument['figure'] {
  const { labels, formats, accounting } = pen;
  const isLate = mark === 'late';
  if (plan) return planFigure(plan, { balance: invoice.balance, isLate }, pen);
  if (mark === 'paid') {
    // Without a total, it was paid when it was issued.
    const day = formats.day(paidAt ?? parts.at(-1)?.date ?? invoice.date);
    return { label: fill(accounting.paidOn, { day }), value: formats.money(invoice.total), note: null, isLate };
  }
  if (!isOwed(mark)) return { label: labels.total, value: formats.money(invoice.total), note: null, isLate };
  const { dueAt } = invoice;
  const isDue = dueAt && !isZero(invoice.balance);
  const words = isLate ? accounting.pastDueSince : labels.dueOn;
  const note = isDue ? fill(words, { day: formats.day(dueAt) }) : null;
  return { label: labels.amountDue, value: formats.money(invoice.balance), note, isLate };
}

/** How it is paid: links to its pages, and the bank account for a transfer unless it is charged automatically. */
function payableBy(
  {
    invoice,
    mark,
    plan,
    address,
    ...between
  }: Pick<PrintableInvoice, 'invoice' | 'mark' | 'plan' | 'address'> & Parties,
  pen: Pen,
): Pick<PrintedDocument, 'transfer' | 'links'> {
  const { number, currency, balance } = invoice;
  const { accounting } = pen;
  const isPayable = canBePaid({ invoice, mark });
  const view = address ? [{ label: accounting.viewOnline, href: documentUrl('invoice', address) }] : [];
  const pay = address && isPayable ? [{ label: accounting.payOnline, href: payUrlOf(address) }] : [];
  return {
    transfer:
      number && isTransferred({ invoice, mark })
        ? transferOf({ ...between, currency, amount: plan?.asked ?? balance, number }, pen)
        : null,
    links: [...pay, ...view],
  };
}

function canBePaid({ invoice, mark }: Payability): boolean {
  return isOwed(mark) && !invoice.closed && !isZero(invoice.balance);
}

/** Whether it is paid by bank transfer: it is open, and is not charged automatically. */
export function isTransferred({ invoice, mark }: Payability & { invoice: Pick<Printed, 'autopay'> }): boolean {
  return canBePaid({ invoice, mark }) && !invoice.autopay;
}

/** The refunds of payments of the invoice. They leave its balance as it is. */
function refundNotes(parts: readonly InvoicePart[], { accounting, formats }: Pen): PrintedFact[] {
  const given = parts.flatMap(({ refunds }) => refunds).filter(({ status }) => status === 'succeeded');
  const said = given.map(({ date, createdAt, amount }) => {
    return `${fill(accounting.refundOf, { day: formats.day(new Date((date ?? createdAt) * 1000)) })}: ${formats.money(amount)}`;
  });
  return said.length > 0 ? [{ label: accounting.refunds, value: said.join('\n') }] : [];
}

function factsOf(invoice: Printed, plan: PrintablePlan | undefined, pen: Pen): PrintedFact[] {
  const { labels, formats, own } = pen;
  const { paymentTerms, purchaseOrder } = invoice;
  const dueAt = plan ? new Date(plan.askedAt) : invoice.dueAt;
  return [
    { label: labels.date, value: formats.day(invoice.date) },
    ...(dueAt ? [{ label: labels.dueDate, value: formats.day(dueAt) }] : []),
    ...(paymentTerms ? [{ label: labels.terms, value: termsInWords(paymentTerms, pen) }] : []),
    ...(purchaseOrder ? [{ label: labels.purchaseOrder, value: own(purchaseOrder) }] : []),
  ];
}

function paidOf({ balance }: Printed, parts: readonly InvoicePart[] = [], plan?: PrintablePlan): Paid {
  return { balance, parts, asked: plan?.asked ?? null };
}

function isOwed(mark: PrintableInvoice['mark']): boolean {
  return mark !== 'void' && mark !== 'draft';
}

/** Payment terms in words. Unknown terms are printed unchanged. */
export function termsInWords(text: string, { labels, formats }: Pen): string {
  const terms = storedTerms(text);
  switch (terms?.kind) {
    case undefined:
      return text;
    case 'net': {
      const days = formats.duration(terms.days, 'day');
      if (!terms.discount) return fill(labels.net, { days });
      const percent = formats.percent(Number(terms.discount.percent));
      return fill(labels.netDiscount, { percent, within: formats.duration(terms.discount.days, 'day'), days });
    }
    case 'due_on_receipt':
      return labels.dueOnReceipt;
    case 'autopay':
      return labels.automatically;
    case 'payment_plan':
      return labels.byPlan;
  }
}
