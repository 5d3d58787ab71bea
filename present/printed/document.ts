import type { PaperLayout } from '../../billing/look/pdfTemplate.ts';
import type { Palette, ThemeCorners, ThemeFont } from '../../billing/look/theme.ts';

export type PrintedKind = 'invoice' | 'estimate' | 'credit_note' | 'receipt' | 'statement';

/** A person or company as a document names it. */
export interface PrintedParty {
  name: string;
  /** Lines below the name: address, contact, tax id. */
  lines: string[];
}

/** A picture with its bytes in base64. */
export interface PrintedLogo {
  type: 'image/png' | 'image/jpeg';
  base64: string;
}

/** How a theme looks. */
export interface PrintedTheme {
  light: Palette;
  dark: Palette;
  font: ThemeFont;
  corners: ThemeCorners;
}

export interface PrintedFact {
  label: string;
  value: string;
}

export interface PrintedLine {
  name: string;
  /** Details below the name: description, period, taxes. */
  details: string[];
  /** Kind of each detail that a template can leave out; absent: none can be left out. */
  detailKinds?: ('description' | 'service_period' | 'tax')[];
  /** Discounts of the line, with their negative amounts. */
  discounts: PrintedFact[];
  /** Null if the document has no such column. */
  quantity: string | null;
  unitCost: string | null;
  amount: string;
  /** Running total up to and including this line and its discounts, for page breaks. */
  carried: string;
}

export interface PrintedTransfer {
  title: string;
  rows: PrintedFact[];
  /** Content of the QR code that banking apps read, and what to do with it; null: there is none. */
  code: { content: string; label: string } | null;
}

/** An installment of a payment plan. */
export interface PrintedInstallment {
  day: string;
  amount: string;
  /** Its state, and what is left of one that is partly paid. */
  notes: string[];
}

/** The installments of a payment plan, in the order in which payments fill them. */
export interface PrintedPlan {
  title: string;
  rows: PrintedInstallment[];
}

/** Invoices that are past due. */
export interface PrintedLate {
  title: string;
  columns: { invoice: string; due: string; days: string; amount: string };
  /** `href`: the page that pays it; null: it cannot be paid. */
  rows: { invoice: string; href: string | null; due: string; days: string; amount: string }[];
  /** Those that are not listed, and the sum of all. */
  sums: PrintedFact[];
}

export interface PrintedSum extends PrintedFact {
  weight: 'plain' | 'total' | 'balance';
}

/**
 * A document as its reader sees it. All texts are final, in the reader's language, with numbers and dates in the format of the reader's
 * country. It is plain JSON. PDF and page are rendered from it alone, and the same JSON always gives the same PDF.
 */
export interface PrintedDocument {
  kind: PrintedKind;
  /** ISO 639-1 code. Labels are in this language, or in English when it is not translated. */
  language: string;
  direction: 'ltr' | 'rtl';
  paper: 'a4' | 'us-letter';
  /** Absent: classic. */
  layout?: PaperLayout;
  /** The seller's colour, readable as text: #rrggbb. */
  accent: string;
  /** Null: the seller has no theme. */
  theme: PrintedTheme | null;
  /** Null until the document is printed: only then the picture is loaded. */
  logo: PrintedLogo | null;
  /** Kind of document in words: "Invoice". */
  title: string;
  number: string | null;
  /** Kind and number: "Invoice INV-00001". */
  heading: string;
  /** Date of the document, UNIX time in seconds. */
  date: number;
  /** Stamp: VOID, PAID, DRAFT, PAST DUE. `isAcross`: it is also printed large across the page. */
  mark: { text: string; tone: 'good' | 'bad' | 'quiet'; isAcross: boolean } | null;
  /** Says on each page that it is a document of the sandbox; null: it is not. */
  test: string | null;
  seller: PrintedParty;
  parties: (PrintedParty & { label: string })[];
  /** The most important amount, such as the amount due. */
  figure: PrintedFact & { note: string | null; isLate: boolean };
  facts: PrintedFact[];
  columns: { description: string; quantity: string | null; unitCost: string | null; amount: string };
  lines: PrintedLine[];
  sums: PrintedSum[];
  /** The installments of the payment plan that collects it. Absent: there is none. */
  installments?: PrintedPlan;
  /** Open invoices by days past due, on a statement. */
  ages?: PrintedFact[];
  /** Invoices that are past due, on a statement. Absent: there are none. */
  late?: PrintedLate;
  notes: PrintedFact[];
  /** How to pay by bank transfer; null: not at all. */
  transfer: PrintedTransfer | null;
  /** The XML of the e-invoice that the PDF carries. Absent: it carries none. */
  eInvoice?: string | undefined;
  /** Links to pages of the document. */
  links: { label: string; href: string }[];
  /** Text at the bottom of every page, of one or several lines. */
  footer: string;
  /** `page` contains the placeholders {page} and {pages}. `digits`: the digits 0 to 9 in the reader's script. */
  labels: { page: string; digits: string; carriedForward: string; broughtForward: string };
}
