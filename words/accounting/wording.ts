/** Words of documents that accountants read: taxes, payments, transfers, links. Names in braces are placeholders. */
export interface AccountingWords {
  /** A tax and the amount that it is computed from. */
  taxOn: string;
  /** A tax that the prices contain. */
  ofWhich: string;
  net: string;
  untaxed: string;
  taxNote: string;
  reverseCharge: string;
  pastDue: string;
  pastDueSince: string;
  /** A part of the open balance is asked for: until when, and of how much. */
  dueOf: string;
  pastDueOf: string;
  /** What is late, and the installment that is due next. */
  pastDueAndNextOf: string;
  /** Headline of a paid document. */
  paidOn: string;
  paymentOf: string;
  refundOf: string;
  refunds: string;
  /** A part of an invoice that is not collected. */
  writtenOff: string;
  /** Totals of an invoice on a receipt, without and with tax. */
  invoiceTotal: string;
  invoiceTotalWithTax: string;
  furtherLines: string;
  availableCredit: string;
  transfer: string;
  accountHolder: string;
  bank: string;
  accountNumber: string;
  routingNumber: string;
  scan: string;
  payOnline: string;
  viewOnline: string;
  approveOnline: string;
}
