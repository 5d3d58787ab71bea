import { mail } from './layout.ts';
import {
  aboutUsage,
  figureOf,
  namesOf,
  rowsOf,
  type SubscriptionMailFacts,
  subscriptionLetter,
  whatFollows,
  writingOf,
} from './subscription.ts';

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
