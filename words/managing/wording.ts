/**
 * Texts of the pages on which a customer looks at a subscription, adds a payment source, approves a payment plan and stops reminders, in one
 * language. Names in braces are placeholders.
 */
export interface ManagingWords {
  /** Statuses of a subscription. */
  active: string;
  startsOn: string;
  trialUntil: string;
  endsOn: string;
  paused: string;
  pausedUntil: string;
  pastDue: string;
  waits: string;
  canceled: string;
  finished: string;
  /** The page of a subscription. */
  subscription: string;
  nextInvoice: string;
  onDay: string;
  nothingNext: string;
  canChange: string;
  addons: string;
  viewOnly: string;
  /** The page that adds a payment source. */
  sourceTitle: string;
  sourceWhy: string;
  kinds: string;
  save: string;
  noKind: string;
  /** After a payment source was added. */
  savedTitle: string;
  savedWhy: string;
  invoices: string;
  nothingLeft: string;
  notSavedTitle: string;
  notSavedWhy: string;
  declinedTitle: string;
  tryAnother: string;
  /** The outcome of a charge of an invoice. */
  wasPaid: string;
  isCharged: string;
  isPending: string;
  wasDeclined: string;
  payNow: string;
  /** The confirmation of a bank account by micro-deposits. */
  confirmTitle: string;
  confirmWhy: string;
  comeBack: string;
  amounts: string;
  firstAmount: string;
  secondAmount: string;
  confirm: string;
  confirmed: string;
  notConfirmedTitle: string;
  notConfirmedWhy: string;
  /** While the bank or the gateway has not answered. */
  bankTitle: string;
  bankWhy: string;
  toBank: string;
  workingWhy: string;
  workingTitle: string;
  lookAgain: string;
  /** The page on which a customer approves a payment plan. */
  planTitle: string;
  planOffer: string;
  planByHand: string;
  planAutomatic: string;
  planNewSource: string;
  planAgree: string;
  planAgreeAutomatic: string;
  planContact: string;
  planApproved: string;
  planLastStep: string;
  planAddSource: string;
  planCanceled: string;
  planCanceledWhy: string;
  planPaid: string;
  planPaidWhy: string;
  planActive: string;
  planChanged: string;
  planUnticked: string;
  /** The page that stops payment reminders. */
  remindersTitle: string;
  remindersOn: string;
  remindersOther: string;
  remindersStop: string;
  remindersStopped: string;
  remindersOff: string;
  remindersResume: string;
  /** Errors of a form. */
  errors: Readonly<Record<SourceError, string>>;
}

export const sourceErrors = ['outdated', 'token', 'consent', 'amounts', 'wrong', 'busy', 'tries'] as const;
export type SourceError = (typeof sourceErrors)[number];
