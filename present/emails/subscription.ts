import type { Pricing } from '../../billing/documents/pricing.ts';
import { isZero, roundMoney } from '../../billing/money/money.ts';
import type { RenewalMode } from '../../billing/subscriptions/subscription.ts';
import type { Interval } from '../../billing/time/calendar.ts';
import { tierWords } from '../printed/plan.ts';
import type { ViewOf } from '../variables/kinds.ts';
import type { subscriptionVariables } from '../variables/money.ts';
import { letter, type Words } from './letter.ts';
import type { EmailParts } from './parts.ts';
import { ownOf } from './variables.ts';
import { type Reader, type Seller, type Writing, writingFor } from './writing.ts';

/** The price of a subscription. */
export interface MailedPrice {
  /** Name of the plan. */
  plan: string;
  /** Cost of a regular period, with discounts and taxes. */
  price: string;
  interval: Interval;
  intervalCount: number;
  /** The quantity of the plan; null: it bills usage. */
  quantity: number | null;
  /** Prices of usage, which is billed after each period. */
  usage: readonly MailedUsage[];
}

/** A plan that bills usage. */
export interface MailedUsage {
  plan: string;
  pricing: Pricing;
}

/** A subscription as its mails show it. */
export interface MailedSubscription extends MailedPrice {
  /** Its page; null: it has none yet. */
  url: string | null;
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

/** A sentence about the first day that is billed after the trial. If only usage costs something, it says from which day usage counts. */
export function costsFrom(trialEndAt: Date, sold: MailedPrice, { say, formats }: Writing): string {
  const day = formats.day(trialEndAt);
  return say(costsUsageOnly(sold) ? 'countsFrom' : 'costsFrom', { day });
}

/** The price of a period. "by usage" if the plan bills usage and the price is zero. */
export function figureOf(sold: MailedPrice, { words, formats }: Writing): string {
  return costsUsageOnly(sold) ? words.byUsage : formats.money(sold.price);
}

/** A sentence about usage, if the subscription bills it. */
export function aboutUsage({ usage }: MailedPrice, { words }: Writing): string[] {
  return usage.length > 0 ? [words.usageAfter] : [];
}

const costsUsageOnly = ({ usage, price }: MailedPrice) => usage.length > 0 && isZero(price);

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

/** A mail about a subscription, with these words. `day`: the day that it is about, in words. */
export function subscriptionLetter(
  { seller, customer, to, subscription }: SubscriptionMailFacts,
  writing: Writing,
  { day = null, ...words }: Omit<Words, 'tone' | 'action' | 'own'> & { day?: string | null },
) {
  const { url } = subscription;
  const own = ownOf(writing, { ...variablesOf(subscription, writing), day });
  const facts = { seller, customer, to, subject: null, message: null, links: [] };
  const page = url === null ? {} : { action: { label: writing.words.viewSubscription, href: url } };
  return letter(facts, writing, { ...words, ...page, own, tone: 'plain' });
}

function variablesOf(
  subscription: MailedSubscription,
  writing: Writing,
): Omit<ViewOf<typeof subscriptionVariables>, 'day'> {
  const { plan, quantity, currency, price, interval, intervalCount, nextBillAt, url } = subscription;
  const { formats } = writing;
  return {
    subscription: {
      plan,
      quantity: quantity === null ? null : formats.quantity(String(quantity)),
      currency,
      price: figureOf(subscription, writing),
      price_number: roundMoney(price, currency),
      interval: formats.duration(intervalCount, interval),
      next_bill: nextBillAt ? formats.day(nextBillAt) : null,
      url,
    },
  };
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
export function rowsOf(subscription: MailedSubscription, writing: Writing): EmailParts['rows'] {
  const { plan, quantity, interval, intervalCount, trialEndAt, period, nextBillAt, contract, usage } = subscription;
  const { labels, words, formats } = writing;
  const span = ({ startAt, endAt }: Span) => formats.period(startAt, endAt);
  return [
    { label: words.plan, value: plan },
    ...(quantity === null ? [] : [{ label: labels.quantity, value: formats.quantity(String(quantity)) }]),
    { label: words.pricePerPeriod, value: figureOf(subscription, writing) },
    ...usage.map((used) => ({ label: words.usage, value: priceOfUsage(used, writing) })),
    { label: words.billingPeriod, value: formats.duration(intervalCount, interval) },
    ...(period ? [{ label: trialEndAt ? words.trial : words.currentPeriod, value: span(period) }] : []),
    ...(nextBillAt ? [{ label: words.nextBill, value: formats.day(nextBillAt) }] : []),
    ...(contract ? [{ label: words.contract, value: span(contract) }] : []),
  ];
}

/** Maximum number of tiers in the mail. */
const MOST_TIERS = 5;

/** The price of usage: "Calls: $0.25 per unit", or the prices of its tiers. */
function priceOfUsage({ plan, pricing: { amount, tiers } }: MailedUsage, { labels, say, formats }: Writing): string {
  const perUnit = (cost: string) => say('perUnit', { price: formats.price(cost) });
  if (!tiers) return `${plan}: ${perUnit(amount ?? '0')}`;
  const shown = tiers
    .slice(0, MOST_TIERS)
    .map((tier) => `${tierWords(tier, labels, formats.quantity)}: ${perUnit(tier.unitCost)}`);
  return [plan, ...shown, ...(tiers.length > MOST_TIERS ? ['…'] : [])].join(' · ');
}
