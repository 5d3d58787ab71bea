import { renewsByItself } from '../../billing/subscriptions/subscription.ts';
import { mail } from './layout.ts';
import {
  aboutUsage,
  costsFrom,
  figureOf,
  lastDay,
  lengthOf,
  type MailedContract,
  type MailedPrice,
  namesOf,
  rowsOf,
  type SubscriptionMailFacts,
  subscriptionLetter,
  whatFollows,
  writingOf,
} from './subscription.ts';
import type { Writing } from './writing.ts';

/** `next`: the price of the next period. */
type RenewalFacts = SubscriptionMailFacts & { renewsAt: Date; next: MailedPrice };

/** Template subscription_renews_soon_email: when the next period begins, and its price. The first one begins after the trial. */
export const renewsSoonEmail = mail((facts: RenewalFacts) => {
  const { subscription, renewsAt, next } = facts;
  const writing = writingOf(facts);
  const { words, say, formats } = writing;
  const { trialEndAt } = subscription;
  const named = { ...namesOf(facts), day: trialEndAt ? lastDay(trialEndAt, writing) : formats.day(renewsAt) };
  return subscriptionLetter({ ...facts, subscription: { ...subscription, ...next } }, writing, {
    subject: say(trialEndAt ? 'trialSubject' : 'renewsSubject', named),
    heading: trialEndAt ? words.trialHeading : words.renewsHeading,
    figure: figureOf(next, writing),
    day: named.day,
    sentences: [
      ...(trialEndAt ? [say('trialHere', named), costsFrom(trialEndAt, next, writing)] : [say('renewsHere', named)]),
      ...aboutUsage(next, writing),
      words.contactBefore,
    ],
    rows: rowsOf({ ...subscription, ...next }, writing),
  });
});

/** `next`: the price of the next contract, or the current one if none follows. */
type ContractFacts = SubscriptionMailFacts & { contract: MailedContract; next: MailedPrice };

/** Template contract_ending_email: when the contract ends, and what follows. */
export const contractEndingEmail = mail((facts: ContractFacts) => {
  const { contract, next } = facts;
  const subscription = { ...facts.subscription, ...next };
  const writing = writingOf(facts);
  const { words, say, formats } = writing;
  const renews = renewsByItself(contract.follows);
  const day = renews ? formats.day(contract.endAt) : lastDay(contract.endAt, writing);
  const named = { ...namesOf(facts), day, length: lengthOf(subscription, contract, writing) };
  return subscriptionLetter({ ...facts, subscription }, writing, {
    subject: say(renews ? 'contractRenewsSubject' : 'contractEndsSubject', named),
    heading: renews ? words.contractRenewsHeading : words.contractEndsHeading,
    figure: day,
    day,
    sentences: contractSentences(contract, writing, named),
    rows: rowsOf(subscription, writing),
  });
});

function contractSentences({ follows }: MailedContract, { words, say }: Writing, named: Record<string, string>) {
  switch (follows) {
    case 'auto':
      return [say('contractRenews', named), words.contactBefore];
    case 'renew_once':
      return [say('contractRenewsOnce', named), words.contactBefore];
    case 'manual':
      return [say('contractEnds', named), words.contactToRenew];
    case 'none':
      return [say('contractEnds', named), words.endsWithContract];
  }
}

type ConfirmationFacts = SubscriptionMailFacts & { confirmedAt: Date };

/** Template subscription_confirmation_email: what was agreed, and when it bills. */
export const confirmationEmail = mail((facts: ConfirmationFacts) => {
  const { subscription, confirmedAt } = facts;
  const writing = writingOf(facts);
  const { words, say, formats } = writing;
  const isLater = subscription.startAt > confirmedAt;
  return subscriptionLetter(facts, writing, {
    subject: say('subscribedSubject', namesOf(facts)),
    heading: words.subscribedHeading,
    figure: figureOf(subscription, writing),
    sentences: [
      say('subscribedHere', namesOf(facts)),
      ...(isLater ? [say('startsOn', { day: formats.day(subscription.startAt) })] : []),
      ...(subscription.isPaused ? [words.isPaused] : []),
      ...aboutUsage(subscription, writing),
      ...whatFollows(subscription, writing),
    ],
    rows: rowsOf(subscription, writing),
  });
});

/** Cause of a cancellation: a request for now, one for the end of the period, or charges that failed. */
export type CancellationCause = 'request' | 'period_end' | 'failed_payment';

export interface Cancellation {
  cause: CancellationCause;
  /** Exclusive. */
  endedAt: Date;
}

/** Template subscription_canceled_email: since when it is canceled, and why. */
export const canceledEmail = mail((facts: SubscriptionMailFacts & { cancellation: Cancellation }) => {
  const { subscription, cancellation } = facts;
  const writing = writingOf(facts);
  const { labels, words, say, formats } = writing;
  const { quantity } = subscription;
  const day = lastDay(cancellation.endedAt, writing);
  return subscriptionLetter(facts, writing, {
    subject: say('canceledSubject', namesOf(facts)),
    heading: words.canceledHeading,
    figure: day,
    day,
    sentences: [say(canceledBecause[cancellation.cause], namesOf(facts)), words.openInvoices],
    rows: [
      { label: words.plan, value: subscription.plan },
      ...(quantity === null ? [] : [{ label: labels.quantity, value: formats.quantity(String(quantity)) }]),
      { label: words.endedOn, value: day },
    ],
  });
});

const canceledBecause = {
  request: 'canceledByRequest',
  period_end: 'canceledAtEnd',
  failed_payment: 'canceledUnpaid',
} as const;
