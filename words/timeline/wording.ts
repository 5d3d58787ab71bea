import type { Plural } from '../text.ts';

type Texts<Names extends string> = Readonly<Record<Names, string>>;

/**
 * What timelines tell of events and mails, in one language. Names in braces are placeholders. In languages with small letters, sentences begin with
 * them where a name does not.
 */
export interface TimelineWords {
  joins: Texts<'comma' | 'semicolon' | 'listed' | 'more'>;
  /** Names of changed fields. Others are shown by their names in the API. */
  fields: Readonly<Record<string, string>>;
  methods: Readonly<Record<string, string>>;
  general: GeneralWords;
  /** Who did it, as the reason of an event. */
  by: Texts<'customer' | 'itself' | 'member' | 'api' | 'user'>;
  subscription: SubscriptionTexts;
  invoice: InvoiceTexts;
  documents: DocumentTexts;
  payment: PaymentTexts;
  source: Texts<'card' | 'bankAccount' | 'added' | 'deleted' | 'byDefault' | 'unchargeable'>;
  care: CareTexts;
  mail: MailTexts;
}

/** Events without an own text: an object, and what happened to it. */
export interface GeneralWords {
  verbs: Texts<'created' | 'updated' | 'deleted' | 'merged'>;
  objects: Texts<
    | 'charge'
    | 'contact'
    | 'credit_balance_adjustment'
    | 'credit_note'
    | 'customer'
    | 'estimate'
    | 'invoice'
    | 'line_item'
    | 'note'
    | 'payment'
    | 'payment_plan'
    | 'payment_source'
    | 'subscription'
    | 'task'
  >;
}

type SubscriptionTexts = Texts<
  | 'subscribed'
  | 'addons'
  | 'noAddons'
  | 'billed'
  | 'periodStarted'
  | 'trialEnded'
  | 'periodBegan'
  | 'billedAtEnd'
  | 'billedAlready'
  | 'trialEndedBilledAtEnd'
  | 'trialEndedBilledAlready'
  | 'billsInArrears'
  | 'trialBegan'
  | 'startsWithTrial'
  | 'finished'
  | 'cyclesBefore'
  | 'countedAnew'
  | 'changed'
  | 'changeKept'
  | 'paused'
  | 'pausedWhy'
  | 'resumed'
  | 'resumedWhy'
  | 'stoppedBills'
  | 'inactive'
  | 'canceled'
  | 'endedWithPeriod'
  | 'endedWithContract'
  | 'unpaid'
  | 'waitsForRenewal'
  | 'contractBilled'
  | 'thenChanged'
  | 'thenChangedWhy'
  | 'startMoved'
  | 'trialEndMoved'
  | 'setToPause'
  | 'notSetToPause'
  | 'endsWithPeriod'
  | 'endsWithContract'
  | 'notEndsWithPeriod'
  | 'notEndsWithContract'
  | 'keptDropped'
  | 'keptForContract'
  | 'keptForPeriod'
  | 'keptChanged'
  | 'changedPlan'
  | 'usageReached'
  | 'usageReachedWhy'
  | 'pastDue'
  | 'pastDueWhy'
  | 'activeAgain'
  | 'activeAgainWhy'
> & { cyclesBilled: Plural; renewed: Plural; renewedOnce: Plural };

type InvoiceTexts = Texts<
  | 'draftMade'
  | 'issued'
  | 'issuedDiscount'
  | 'issuedTerms'
  | 'billsPeriod'
  | 'paid'
  | 'paidWhy'
  | 'paidWhyDiscount'
  | 'badDebt'
  | 'takenUp'
  | 'pastDue'
  | 'pastDueWhy'
  | 'owes'
  | 'lateFee'
  | 'lateFeeWhy'
  | 'discountDropped'
  | 'discountDroppedWhy'
  | 'discountEarnedWhy'
  | 'promised'
  | 'promisedBy'
  | 'promisedWhy'
  | 'promiseBroken'
  | 'promiseBrokenOn'
  | 'promiseBrokenWhy'
  | 'lineDisputed'
  | 'lineDisputedWhy'
  | 'lineDisputedUntil'
  | 'pending'
  | 'pendingWhy'
  | 'attemptFailedNext'
  | 'attemptFailedLast'
  | 'creditPaidRest'
  | 'creditPaidPart'
  | 'matchedWhy'
  | 'byHand'
  | 'byHandWhy'
  | 'writeOffBack'
  | 'writeOffBackWhy'
  | 'writtenOff'
  | 'paidWrittenOff'
  | 'tolerated'
>;

type DocumentTexts = Texts<
  | 'viewed'
  | 'voided'
  | 'issued'
  | 'estimateDrafted'
  | 'estimateIssued'
  | 'approved'
  | 'becameInvoice'
  | 'declined'
  | 'closed'
  | 'expired'
  | 'expiredWhy'
  | 'depositHere'
  | 'depositGone'
  | 'noteDrafted'
  | 'noteIssued'
  | 'forfeited'
  | 'left'
  | 'adjusted'
  | 'adjustedByRefund'
  | 'linePending'
>;

type PaymentTexts = Texts<
  | 'fromCredit'
  | 'onItsWay'
  | 'received'
  | 'voided'
  | 'matched'
  | 'matchedWhy'
  | 'gatewayTells'
  | 'disputeOpened'
  | 'disputeOver'
  | 'refundOnItsWay'
  | 'refundFailed'
  | 'refundMade'
  | 'refundUndone'
  | 'refundRecorded'
  | 'returned'
  | 'returnedWhy'
  | 'withReference'
  | 'chargeFailed'
  | 'noReason'
  | 'chargeDisputed'
  | 'chargeDisputedWhy'
>;

/** Customers, contacts, tasks and notes. */
type CareTexts = Texts<
  | 'yes'
  | 'no'
  | 'user'
  | 'fieldSet'
  | 'fieldRemoved'
  | 'fieldChanged'
  | 'customerCreated'
  | 'customerUpdated'
  | 'contactAdded'
  | 'contactUpdated'
  | 'contactDeleted'
  | 'task'
  | 'taskById'
  | 'taskMade'
  | 'taskMadeFor'
  | 'taskMadeDue'
  | 'taskMadeForDue'
  | 'taskUpdated'
  | 'taskCompleted'
  | 'taskCompletedWith'
  | 'taskDeleted'
  | 'noteWritten'
  | 'noteChanged'
  | 'noteDeleted'
  | 'held'
  | 'heldFor'
  | 'holdEnded'
  | 'notChased'
  | 'chasedAgain'
  | 'owner'
  | 'ownerBefore'
  | 'noOwner'
  | 'noOwnerBefore'
  | 'cadenceMoved'
>;

type MailTexts = Texts<
  'addressed' | 'queued' | 'mailed' | 'mailedTo' | 'bounced' | 'failed' | 'sentBut' | 'told' | 'mail'
> & {
  /** What a mail is, by its built-in template. */
  names: Texts<
    | 'new_invoice_email'
    | 'unpaid_invoice_email'
    | 'paid_invoice_email'
    | 'estimate_email'
    | 'credit_note_email'
    | 'payment_receipt_email'
    | 'statement_email'
    | 'auto_payment_failed_email'
    | 'card_expiring_email'
    | 'payment_source_removed_email'
    | 'payment_plan_email'
    | 'late_payment_reminder_email'
    | 'refund_email'
    | 'subscription_confirmation_email'
    | 'subscription_renews_soon_email'
    | 'subscription_canceled_email'
    | 'contract_ending_email'
    | 'portal_sign_in_email'
    | 'portal_email_change_email'
    | 'portal_email_changed_email'
  >;
  /** Why a mail was written, by the first word of its cause. */
  causes: Texts<
    | 'send'
    | 'issue'
    | 'reminder'
    | 'statement'
    | 'payment'
    | 'attempt'
    | 'refund'
    | 'payment_plan'
    | 'payment_source'
    | 'portal_link'
  >;
};
