/**
 * Texts of mails in one language, in addition to the labels of documents. Names in braces are placeholders. In some languages the sentence
 * after the greeting begins in lower case, because it continues it.
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
  noLongerValid: string;
  approved: string;
  validUntilDay: string;
  asksDeposit: string;
  validUntil: string;
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
