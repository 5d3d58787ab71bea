import type { RenderedEmail } from '../../emails/layout.ts';
import type { MailedPrice, MailedSubscription } from '../../emails/subscription.ts';
import {
  canceledEmail,
  confirmationEmail,
  contractEndingEmail,
  renewsSoonEmail,
} from '../../emails/subscriptionNotices.ts';
import { DAYS, NO_PAGE, PRICE, type SampleFacts } from './facts.ts';

/** The month of the samples, exclusive of its end. */
const month = { startAt: DAYS.start, endAt: DAYS.end };

const priceOf = ({ words }: SampleFacts): MailedPrice => ({
  plan: words.plan,
  price: PRICE,
  interval: 'month',
  intervalCount: 1,
  quantity: 1,
  usage: [],
});

function mailed(facts: SampleFacts): SampleFacts & { subscription: MailedSubscription } {
  const subscription = {
    ...priceOf(facts),
    url: NO_PAGE,
    currency: facts.currency,
    timeZone: 'UTC',
    startAt: month.startAt,
    isPaused: false,
    endsWithPeriod: false,
    pausesAt: null,
    trialEndAt: null,
    period: month,
    nextBillAt: month.endAt,
    contract: null,
  };
  return { ...facts, subscription };
}

export function sampleConfirmation(facts: SampleFacts): RenderedEmail {
  return confirmationEmail({ ...mailed(facts), confirmedAt: month.startAt });
}

export function sampleRenewal(facts: SampleFacts): RenderedEmail {
  return renewsSoonEmail({ ...mailed(facts), renewsAt: month.endAt, next: priceOf(facts) });
}

export function sampleCancellation(facts: SampleFacts): RenderedEmail {
  return canceledEmail({ ...mailed(facts), cancellation: { cause: 'request', endedAt: month.endAt } });
}

/** A contract of twelve months, which renews for as long. */
export function sampleContractEnd(facts: SampleFacts): RenderedEmail {
  const startAt = new Date('2026-01-01T00:00:00Z');
  const contract = { startAt, endAt: month.endAt, follows: 'auto' as const, nextCycles: 12 };
  return contractEndingEmail({ ...mailed(facts), contract, next: priceOf(facts) });
}
