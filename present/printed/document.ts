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

export interface PrintedFact {
  label: string;
  value: string;
}

export interface PrintedLine {
  name: string;
  /** Details below the name: description, period, discounts. */
  details: string[];
  /** Null if the document has no such column. */
  quantity: string | null;
  unitCost: string | null;
  amount: string;
  /** Running total up to and including this line, for page breaks. */
  carried: string;
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
  /** The seller's colour, readable on white: #rrggbb. */
  accent: string;
  /** Null until the document is printed: only then the picture is loaded. */
  logo: PrintedLogo | null;
  /** Kind of document in words: "Invoice". */
  title: string;
  number: string | null;
  /** Kind and number: "Invoice INV-00001". */
  heading: string;
  /** Date of the document, UNIX time in seconds. */
  date: number;
  /** Stamp across the document: VOID, PAID, DRAFT. */
  mark: { text: string; tone: 'good' | 'bad' | 'quiet' } | null;
  seller: PrintedParty;
  parties: (PrintedParty & { label: string })[];
  /** The most important amount, such as the amount due. */
  figure: PrintedFact & { note: string | null };
  facts: PrintedFact[];
  columns: { description: string; quantity: string | null; unitCost: string | null; amount: string };
  lines: PrintedLine[];
  sums: PrintedSum[];
  /** Open invoices by days past due, on a statement. */
  ages?: PrintedFact[];
  notes: PrintedFact[];
  /** Text at the bottom of every page. */
  footer: string;
  /** `page` contains the placeholders {page} and {pages}. `digits`: the digits 0 to 9 in the reader's script. */
  labels: { page: string; digits: string; carriedForward: string; broughtForward: string };
}
