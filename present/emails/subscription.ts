import type { Interval } from '../../billing/calendar.ts';
import type { RenewalMode } from '../../billing/subscription.ts';
import { mail } from './layout.ts';
import { letter, type Words } from './letter.ts';
import type { EmailParts } from './parts.ts';
import { type Reader, type Seller, type Writing, writingFor } from './writing.ts';

/** A subscription as its mails show it. */
export interface MailedSubscription {
  /** Name of the plan. */
  plan: string;
  quantity: number;
  /** Cost of a regular period, with discounts and taxes. */
  price: string;
  currency: string;
  interval: Interval;
  intervalCount: number;
  timeZone: string;
  startAt: Date;
  isPaused: boolean;
  /** Whether it is to be canceled at the end of its period or contract. */
  endsWithPeriod: boolean;
  /** Time of a planned pause; null: none is planned. */
  pausesAt: Date | null;
  /** End of its trial, exclusive; null: it has none, or it is over. */
  trialEndAt: Date | null;
  /** The current period; null: there is none. */
  period: Span | null;
  /** Null: no further bill is planned. */
  nextBillAt: Date | null;
  contract: MailedContract | null;
}

export interface MailedContract extends Span {
  /** Renewal at its end. */
  follows: RenewalMode;
  /** Number of periods of the next contract. */
  nextCycles: number;
}

/** `endAt` is exclusive. */
interface Span {
  startAt: Date;
  endAt: Date;
}

export interface SubscriptionMailFacts {
  seller: Seller;
  customer: Reader;
  to: { name: string };
  subscription: MailedSubscription;
}

/** Cause of a cancellation: a request for now, one for the end of the period, or charges that failed. */
export type CancellationCause = 'request' | 'period_end' | 'failed_payment';

export interface Cancellation {
  cause: CancellationCause;
  /** Exclusive. */
  endedAt: Date;
}

type ConfirmationFacts = SubscriptionMailFacts & { confirmedAt: Date };

/** Template subscription_confirmation_email: what was agreed, and when it bills. */
export const confirmationEmail = mail((facts: ConfirmationFacts) => {
  const { subscription, confirmedAt } = facts;
  const writing = writingOf(facts);
  const { words, say, formats } = writing;
  const isLater = subscription.startAt > confirmedAt;
  return written(facts, writing, {
    subject: say('subscribedSubject', namesOf(facts)),
    heading: words.subscribedHeading,
    figure: formats.money(subscription.price),
    sentences: [
      say('subscribedHere', namesOf(facts)),
      ...(isLater ? [say('startsOn', { day: formats.day(subscription.startAt) })] : []),
      ...(subscription.isPaused ? [words.isPaused] : []),
      ...whatFollows(subscription, writing),
    ],
    rows: rowsOf(subscription, writing),
  });
});

/** Template subscription_renews_soon_email: when the next period begins, and its price. The first one begins after the trial. */
export const renewsSoonEmail = mail((facts: SubscriptionMailFacts & { renewsAt: Date }) => {
  const { subscription, renewsAt } = facts;
  const writing = writingOf(facts);
  const { words, say, formats } = writing;
  const { trialEndAt } = subscription;
  const named = { ...namesOf(facts), day: trialEndAt ? lastDay(trialEndAt, writing) : formats.day(renewsAt) };
  return written(facts, writing, {
    subject: say(trialEndAt ? 'trialSubject' : 'renewsSubject', named),
    heading: trialEndAt ? words.trialHeading : words.renewsHeading,
    figure: formats.money(subscription.price),
    sentences: [
      ...(trialEndAt
        ? [say('trialHere', named), costsFrom(trialEndAt, subscription, writing)]
        : [say('renewsHere', named)]),
      words.contactBefore,
    ],
    rows: rowsOf(subscription, writing),
  });
});

/** Template subscription_canceled_email: since when it is canceled, and why. */
export const canceledEmail = mail((facts: SubscriptionMailFacts & { cancellation: Cancellation }) => {
  const { subscription, cancellation } = facts;
  const writing = writingOf(facts);
  const { labels, words, say, formats } = writing;
  const day = lastDay(cancellation.endedAt, writing);
  return written(facts, writing, {
    subject: say('canceledSubject', namesOf(facts)),
    heading: words.canceledHeading,
    figure: day,
    sentences: [
      say(canceledBecause[cancellation.cause], { ...namesOf(facts), day }),
      words.doesNotRenew,
      words.openInvoices,
    ],
    rows: [
      { label: words.plan, value: subscription.plan },
      { label: labels.quantity, value: formats.quantity(String(subscription.quantity)) },
      { label: words.endedOn, value: day },
    ],
  });
});

const canceledBecause = {
  request: 'canceledByRequest',
  period_end: 'canceledAtEnd',
  failed_payment: 'canceledUnpaid',
} as const;

/** Template contract_ending_email: when the contract ends, and what follows. */
export const contractEndingEmail = mail((facts: SubscriptionMailFacts & { contract: MailedContract }) => {
  const { subscription, contract } = facts;
  const writing = writingOf(facts);
  const { words, say, formats } = writing;
  const renews = contract.follows === 'auto' || contract.follows === 'renew_once';
  const day = renews ? formats.day(contract.endAt) : lastDay(contract.endAt, writing);
  const named = { ...namesOf(facts), day, length: lengthOf(subscription, contract, writing) };
  return written(facts, writing, {
    subject: say(renews ? 'contractRenewsSubject' : 'contractEndsSubject', named),
    heading: renews ? words.contractRenewsHeading : words.contractEndsHeading,
    figure: day,
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

/** Sentences about the end of the trial, a planned pause, and the end of the subscription or its contract. */
function whatFollows(subscription: MailedSubscription, writing: Writing): string[] {
  const { trialEndAt, endsWithPeriod, pausesAt } = subscription;
  const pauses = pausesAt ? [writing.say('pausesAfter', { day: lastDay(pausesAt, writing) })] : [];
  if (!trialEndAt) return [...pauses, howItEnds(subscription, writing)];
  const named = { day: lastDay(trialEndAt, writing) };
  if (endsWithPeriod) return [writing.say('endsWithTrial', named)];
  if (pausesAt) return [writing.say('trialEnds', named), ...pauses, howItEnds(subscription, writing)];
  return [
    writing.say('trialEnds', named),
    costsFrom(trialEndAt, subscription, writing),
    howItEnds(subscription, writing),
  ];
}

/** The price after a trial. */
function costsFrom(trialEndAt: Date, { price }: MailedSubscription, { say, formats }: Writing): string {
  return say('costsFrom', { day: formats.day(trialEndAt), price: formats.money(price) });
}

/** A sentence about the end of the subscription, or of its contract. */
function howItEnds(subscription: MailedSubscription, writing: Writing): string {
  const { contract, period, endsWithPeriod } = subscription;
  const { words, say } = writing;
  if (contract) {
    const length = lengthOf(subscription, contract, writing);
    return say(contractThen[contract.follows], { day: lastDay(contract.endAt, writing), length });
  }
  if (!endsWithPeriod) return words.renewsEachPeriod;
  return period ? say('endsOn', { day: lastDay(period.endAt, writing) }) : words.doesNotRenew;
}

const contractThen = {
  auto: 'contractThenRenews',
  renew_once: 'contractThenRenewsOnce',
  manual: 'contractThenWaits',
  none: 'contractThenEnds',
} as const;

function writingOf({ seller, customer, subscription: { currency, timeZone } }: SubscriptionMailFacts): Writing {
  return writingFor(seller, customer, { currency, timeZone });
}

function written({ seller, customer, to }: SubscriptionMailFacts, writing: Writing, words: Omit<Words, 'tone'>) {
  const facts = { seller, customer, to, subject: null, message: null, links: [] };
  return letter(facts, writing, { ...words, tone: 'plain' });
}

const namesOf = ({ seller, subscription }: SubscriptionMailFacts) => ({ seller: seller.name, plan: subscription.plan });

/** The length of the next contract: "12 months". */
function lengthOf(
  { interval, intervalCount }: MailedSubscription,
  { nextCycles }: MailedContract,
  { formats }: Writing,
): string {
  return formats.duration(nextCycles * intervalCount, interval);
}

/** The day of the last moment before `endAt`. */
function lastDay(endAt: Date, { formats }: Writing): string {
  return formats.day(new Date(endAt.getTime() - 1));
}

function rowsOf(subscription: MailedSubscription, { labels, words, formats }: Writing): EmailParts['rows'] {
  const { plan, quantity, price, interval, intervalCount, trialEndAt, period, nextBillAt, contract } = subscription;
  const span = ({ startAt, endAt }: Span) => formats.period(startAt, endAt);
  return [
    { label: words.plan, value: plan },
    { label: labels.quantity, value: formats.quantity(String(quantity)) },
    { label: words.pricePerPeriod, value: formats.money(price) },
    { label: words.billingPeriod, value: formats.duration(intervalCount, interval) },
    ...(period ? [{ label: trialEndAt ? words.trial : words.currentPeriod, value: span(period) }] : []),
    ...(nextBillAt ? [{ label: words.nextBill, value: formats.day(nextBillAt) }] : []),
    ...(contract ? [{ label: words.contract, value: span(contract) }] : []),
  ];
}
