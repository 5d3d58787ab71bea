import type { ActWords } from '../editing/wording.ts';
import type { Plural } from '../text.ts';

/** Texts of the editor of invoices, estimates and credit notes. Names in braces are placeholders. */
export interface InvoicingWords {
  /** Headings of the parts of the form. */
  head: string;
  lines: string;
  adjustments: string;
  shipTo: string;
  further: string;
  /** Hint below the lines. */
  linesHint: string;
  lineName: string;
  /** Name of a field of a line for screen readers: `Quantity of line 3`. */
  ofLine: string;
  line: string;
  addLine: string;
  removeLine: string;
  /** Opens what few lines have; the longer text is for screen readers. */
  more: string;
  moreOfLine: string;
  fromCatalog: string;
  notFromCatalog: string;
  pasted: Plural;
  tooMany: string;
  unclear: string;
  discounts: string;
  taxes: string;
  addDiscount: string;
  addTax: string;
  ownAmount: string;
  choose: string;
  ofCustomer: string;
  ofTerms: string;
  forInvoice: string;
  noInvoice: string;
  title: string;
  number: string;
  numberHint: string;
  recipientName: string;
  depositHint: string;
  attachments: string;
  /** The totals beside the form. */
  totals: string;
  computing: string;
  noTotals: string;
  staysDraft: string;
  picture: string;
  pictureOf: string;
  showPicture: string;
  noPicture: string;
  issue: string;
  saveDraft: string;
  acts: DocumentActWords;
  /** The mail that will be sent. */
  mail: string;
  count: string;
  firstDay: string;
  every: string;
  intervals: { week: string; month: string };
  /** An installment of a plan: its number, its day and its amount. */
  installment: string;
  rebillUsage: string;
  /** Where the reason for a removed late fee stands. */
  reasonHint: string;
  /** Refuses to remove more than `{amount}`. */
  feesLeft: string;
  removedBefore: string;
  toCredit: string;
  balanceThen: string;
}

/** What is done to documents. `{name}` is the number of the document, `{amount}` what it comes to. */
export interface DocumentActWords {
  issue: ActWords;
  send: ActWords;
  credit: string;
  duplicate: string;
  promise: ActWords;
  plan: ActWords;
  removeLateFee: ActWords;
  writeOff: ActWords;
  void: ActWords;
  remove: ActWords;
  toInvoice: ActWords;
}
