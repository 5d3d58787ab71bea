/**
 * Texts of mails in one language, in addition to those of documents. Braces hold placeholders. A greeting is followed by a sentence that
 * continues it, then by others.
 */
export interface MailWords {
  hello: string;
  helloAll: string;
  /** Separator between sentences. */
  space: string;
  sentBy: string;
  sentByAlone: string;
  transaction: string;
  invoiceSubject: string;
  invoiceHeading: string;
  invoiceHere: string;
  unpaidSubject: string;
  unpaidHeading: string;
  pastDueSubject: string;
  pastDueHeading: string;
  reminder: string;
  paidSubject: string;
  paidHeading: string;
  nothingToDo: string;
  isPaid: string;
  wasDue: string;
  willCharge: string;
  payBy: string;
  pay: string;
  paidSoFar: string;
  viewInvoice: string;
  estimateSubject: string;
  estimateHeading: string;
  estimateHere: string;
  invoiced: string;
  holdsNoMore: string;
  approved: string;
  holdsUntilDay: string;
  asksDeposit: string;
  holdsUntil: string;
  viewEstimate: string;
  creditNoteSubject: string;
  creditNoteHeading: string;
  creditNoteHere: string;
  allApplied: string;
  canPay: string;
  restCanPay: string;
  viewCreditNote: string;
  receiptSubject: string;
  receiptSubjectAlone: string;
  receiptHeading: string;
  receiptHere: string;
  paidWith: string;
  totalPaid: string;
  numbered: string;
  bankAccount: string;
  viewReceipt: string;
  failedSubject: string;
  failedHeading: string;
  declined: string;
  tryAgain: string;
  tryNoMore: string;
  payThenBy: string;
  invoiceDate: string;
}
