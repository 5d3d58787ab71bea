/** A text for each decline code of the API. */
interface DeclineTexts {
  insufficient_funds: string;
  expired: string;
  incorrect_details: string;
  source_blocked: string;
  authentication_required: string;
  try_again_later: string;
  generic_decline: string;
}

/** Texts of the pages on which a customer pays, in one language. Names in braces are placeholders. */
export interface PayingWords {
  pay: string;
  payAmount: string;
  payNumber: string;
  /** The button that leads from an estimate to the payment of its deposit. */
  payDeposit: string;
  amountToPay: string;
  /** An invoice on a payment plan: the amounts to choose from, and the states of installments. */
  howMuch: string;
  payNext: string;
  payMissed: string;
  payBalance: string;
  /** A choice of the amount: the balance less the early-payment discount. */
  payEarly: string;
  payOther: string;
  installments: string;
  installmentPaid: string;
  installmentMissed: string;
  installmentNext: string;
  installmentLeft: string;
  /** Bounds of an amount. */
  fromTo: string;
  from: string;
  upTo: string;
  howToPay: string;
  card: string;
  bankAccount: string;
  receiptName: string;
  receiptNameHint: string;
  receiptEmail: string;
  receiptEmailHint: string;
  save: string;
  items: string;
  viewInvoice: string;
  noMethods: string;
  /** The browser runs no script. */
  needsScript: string;
  /** The step that shows the convenience fee before it is charged. */
  feeTitle: string;
  feeWhy: string;
  fee: string;
  totalToPay: string;
  /** Why an invoice cannot be paid. */
  paidTitle: string;
  paidOn: string;
  voidedTitle: string;
  voidedWhy: string;
  closedTitle: string;
  closedWhy: string;
  /** Why the deposit of an estimate cannot be paid. */
  unapprovedTitle: string;
  unapprovedWhy: string;
  invoicedTitle: string;
  lapsedTitle: string;
  noDepositTitle: string;
  busyTitle: string;
  busyWhy: string;
  /** After paying. */
  workingTitle: string;
  workingWhy: string;
  lookAgain: string;
  /** The payer has to authenticate at the bank. */
  confirmTitle: string;
  confirmWhy: string;
  toBank: string;
  receivedTitle: string;
  receivedWhy: string;
  viewReceipt: string;
  downloadReceipt: string;
  pendingTitle: string;
  pendingWhy: string;
  /** The bank took a debit back after it had succeeded. */
  returnedTitle: string;
  returnedWhy: string;
  refundedTitle: string;
  refundedWhy: string;
  declinedTitle: string;
  notMadeTitle: string;
  expiredWhy: string;
  unusableWhy: string;
  nothingCharged: string;
  another: string;
  paymentsSoFar: string;
  attachments: string;
  /** The step that shows an amount before it is charged that the button did not name. */
  checkTitle: string;
  checkWhy: string;
  /** The panel for a bank transfer. */
  transferWhy: string;
  transferNext: string;
  copy: string;
  copied: string;
  /** The page after paying. */
  receiptTo: string;
  usualAddress: string;
  noReceipt: string;
  receiptFailed: string;
  nextTitle: string;
  nextPaid: string;
  /** What comes next, at the top of the page of a document. */
  nextDue: string;
  nextLate: string;
  nextOpen: string;
  nextAutopay: string;
  nextLeft: string;
  payRest: string;
  nextInstallment: string;
  nextSaved: string;
  /** Below the reason of a decline: what was entered is kept. */
  kept: string;
  /** What helps after a decline. */
  helps: DeclineTexts;
  /** Why a charge was declined. */
  declines: DeclineTexts;
  /** Faults of a form. */
  errors: Readonly<Record<PayingError, string>>;
  /** What is said of the deposit of an estimate in place of an invoice. */
  deposit: DepositWords;
}

/** The texts that name what is paid. */
export interface DepositWords
  extends Pick<
    PayingWords,
    | 'payNumber'
    | 'viewInvoice'
    | 'noMethods'
    | 'paidTitle'
    | 'paidOn'
    | 'voidedTitle'
    | 'closedTitle'
    | 'closedWhy'
    | 'busyTitle'
    | 'returnedWhy'
    | 'transferNext'
    | 'nextPaid'
    | 'nextLeft'
  > {
  errors: Readonly<Record<'changed' | 'busy', string>>;
}

export const payingErrors = [
  'changed',
  'busy',
  'token',
  'method',
  'amount',
  'amount_form',
  'name',
  'email',
  'form',
  'tries',
] as const;
export type PayingError = (typeof payingErrors)[number];
