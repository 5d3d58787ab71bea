import { ar } from './labels/ar.ts';
import { de } from './labels/de.ts';
import { en } from './labels/en.ts';
import { es } from './labels/es.ts';
import { fr } from './labels/fr.ts';
import { he } from './labels/he.ts';
import { ja } from './labels/ja.ts';
import { zh } from './labels/zh.ts';

/** What documents say by themselves, in one language. In braces: what is put in. */
export interface Labels {
  invoice: string;
  estimate: string;
  creditNote: string;
  receipt: string;
  billTo: string;
  shipTo: string;
  receivedFrom: string;
  attention: string;
  taxId: string;
  number: string;
  date: string;
  dueDate: string;
  dueOn: string;
  expirationDate: string;
  validUntil: string;
  terms: string;
  net: string;
  dueOnReceipt: string;
  automatically: string;
  purchaseOrder: string;
  forInvoice: string;
  customerNumber: string;
  description: string;
  quantity: string;
  unitPrice: string;
  amount: string;
  discount: string;
  tax: string;
  included: string;
  subtotal: string;
  total: string;
  applied: string;
  amountDue: string;
  amountPaid: string;
  amountReceived: string;
  balance: string;
  deposit: string;
  unapplied: string;
  appliedTo: string;
  /** Name of the line that makes nothing of a bill that is less. */
  credited: string;
  addedToCredit: string;
  paidWithCredit: string;
  paidWithCredits: string;
  convenienceFee: string;
  method: string;
  reference: string;
  methods: Readonly<Record<string, string>>;
  endingIn: string;
  notes: string;
  void: string;
  paid: string;
  draft: string;
  page: string;
  carriedForward: string;
  broughtForward: string;
  lines: string;
  download: string;
  testDocument: string;
  yourAnswer: string;
  initials: string;
  recorded: string;
  approve: string;
  decline: string;
  approved: string;
  approvedBy: string;
  declined: string;
  declinedBy: string;
  tooLate: string;
  changed: string;
  initialsMissing: string;
  answerMissing: string;
  notThere: string;
  notThereWhy: string;
  busy: string;
  busyWhy: string;
  noPdf: string;
  noPdfWhy: string;
  /** In place of the file of a mail. */
  noPdfMail: string;
}

const languages: Readonly<Record<string, Labels>> = { ar, de, en, es, fr, he, ja, zh };

/** Whether documents speak a language. */
export function isSpoken(language: string): boolean {
  return Object.hasOwn(languages, language);
}

/** The labels of a language; English where nobody has translated them. */
export function labelsOf(language: string): Labels {
  return Object.hasOwn(languages, language) ? (languages[language] ?? en) : en;
}

/** A label with what belongs into its braces. */
export function fill(label: string, values: Readonly<Record<string, string | number>>): string {
  return label.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
