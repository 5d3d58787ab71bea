export type PrintedKind = 'invoice' | 'estimate' | 'credit_note' | 'receipt';

/** Somebody a document names, as it names them. */
export interface PrintedParty {
  name: string;
  /** Address, contact, tax id: one line each. */
  lines: string[];
}

/** A picture: its bytes in base64. */
export interface PrintedLogo {
  type: 'image/png' | 'image/jpeg';
  base64: string;
}

export interface PrintedFact {
  label: string;
  value: string;
}

export interface PrintedLine {
  name: string;
  /** Below the name: description, period, discounts. */
  details: string[];
  /** Null where the document has no such column. */
  quantity: string | null;
  unitCost: string | null;
  amount: string;
  /** What the lines up to this one come to, for where a page ends. */
  carried: string;
}

export interface PrintedSum extends PrintedFact {
  weight: 'plain' | 'total' | 'balance';
}

/**
 * A document as its reader sees it: every text final, in the reader's language, numbers and days as its country writes them. Plain
 * JSON: PDF and page are made of this and of nothing else, and the same JSON is the same PDF for ever.
 */
export interface PrintedDocument {
  kind: PrintedKind;
  /** Two letters; its labels are in it where there are labels of it, else in English. */
  language: string;
  direction: 'ltr' | 'rtl';
  paper: 'a4' | 'us-letter';
  /** Colour of the seller that can be read on white: #rrggbb. */
  accent: string;
  /** Put in last: it is read only for what is printed. */
  logo: PrintedLogo | null;
  /** "Invoice". */
  title: string;
  number: string | null;
  /** "Invoice INV-00001". */
  heading: string;
  /** Its date, seconds since 1970. */
  date: number;
  /** Over everything: VOID, PAID, DRAFT. */
  mark: { text: string; tone: 'good' | 'bad' | 'quiet' } | null;
  seller: PrintedParty;
  parties: (PrintedParty & { label: string })[];
  /** What it comes to, in one figure. */
  figure: PrintedFact & { note: string | null };
  facts: PrintedFact[];
  columns: { description: string; quantity: string | null; unitCost: string | null; amount: string };
  lines: PrintedLine[];
  sums: PrintedSum[];
  notes: PrintedFact[];
  /** At the end of every page. */
  footer: string;
  /** `page` has {page} and {pages} in it; `digits` are 0 to 9 as its numbers are written. */
  labels: { page: string; digits: string; carriedForward: string; broughtForward: string };
}
