import type { Interval } from '../../billing/calendar.ts';
import type { RenewalMode } from '../../billing/subscription.ts';
import { letter, type Words } from './letter.ts';
import type { EmailParts } from './parts.ts';
import { type Reader, type Seller, type Writing, writingFor } from './writing.ts';

/** The price of a subscription. */
export interface MailedPrice {
  /** Name of the plan. */
  plan: string;
  quantity: number;
  /** Cost of a regular period, with discounts and taxes. */
  price: string;
  interval: Interval;
  intervalCount: number;
}

/** A subscription as its mails show it. */
export interface MailedSubscription extends MailedPrice {
  currency: string;
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

/** Sentences about the end of the trial, a planned pause, and the end of the subscription or its contract. */
export function whatFollows(subscription: MailedSubscription, writing: Writing): string[] {
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
export function costsFrom(trialEndAt: Date, { price }: MailedPrice, { say, formats }: Writing): string {
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

/** The language and the formats of a mail about a subscription. */
export function writingOf({ seller, customer, subscription: { currency, timeZone } }: SubscriptionMailFacts): Writing {
  return writingFor(seller, customer, { currency, timeZone });
}

/** A mail about a subscription, with these words. */
export function subscriptionLetter(
  { seller, customer, to }: SubscriptionMailFacts,
  writing: Writing,
  words: Omit<Words, 'tone'>,
) {
  const facts = { seller, customer, to, subject: null, message: null, links: [] };
  return letter(facts, writing, { ...words, tone: 'plain' });
}

/** The names that sentences mention. */
export const namesOf = ({ seller, subscription }: SubscriptionMailFacts) => ({
  seller: seller.name,
  plan: subscription.plan,
});

/** The length of the next contract: "12 months". */
export function lengthOf(
  { interval, intervalCount }: MailedSubscription,
  { nextCycles }: MailedContract,
  { formats }: Writing,
): string {
  return formats.duration(nextCycles * intervalCount, interval);
}

/** The day of the last moment before `endAt`. */
export function lastDay(endAt: Date, { formats }: Writing): string {
  return formats.day(new Date(endAt.getTime() - 1));
}

/** Rows of the terms of a subscription. */
export function rowsOf(subscription: MailedSubscription, { labels, words, formats }: Writing): EmailParts['rows'] {
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
