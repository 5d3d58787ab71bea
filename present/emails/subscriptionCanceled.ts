import { mail } from './layout.ts';
import { lastDay, namesOf, type SubscriptionMailFacts, subscriptionLetter, writingOf } from './subscription.ts';

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
