import type { Plural } from '../text.ts';

/** Texts of account statements in one language. Names in braces are placeholders. */
export interface StatementWords {
  title: string;
  period: string;
  asOf: string;
  openingBalance: string;
  /** Name of the line for entries that are too many to be listed. */
  earlier: Plural;
  closingBalance: string;
  pastDueTotal: string;
  /** Table of past-due invoices: its title, the heading of their days, and the row for those that are not listed. */
  lateInvoices: string;
  lateFor: string;
  furtherLate: string;
  openInvoices: string;
  credit: string;
  notApplied: string;
  deposits: string;
  notDue: string;
  /** Ages of open invoices. */
  daysPastDue: string;
  overDays: string;
  /** Names of lines. */
  payment: string;
  transfer: string;
  refund: string;
  dispute: string;
  bankReturn: string;
  adjustment: string;
  writeOff: string;
  forfeit: string;
  creditBalance: string;
  /** Label of a negative balance. */
  yourCredit: string;
  /** The mail with a statement. */
  mailSubject: string;
  mailHeading: string;
  mailHere: string;
  mailOwes: string;
  mailHas: string;
  mailNothing: string;
  view: string;
}
