import type { SubscriptionTemplate } from '../../../billing/mail/emailTemplates.ts';
import { firstUncounted } from '../../../billing/subscriptions/billIn.ts';
import { appliesNext, nextContract, renewsByItself } from '../../../billing/subscriptions/subscription.ts';
import type { SubscriptionNotice } from '../../../billing/subscriptions/subscriptionNotices.ts';
import { nextSubscriptionStep, periodEndOf } from '../../../billing/subscriptions/subscriptionSteps.ts';
import { isInTrial } from '../../../billing/subscriptions/trial.ts';
import { periodAt, periodIndexAt } from '../../../billing/time/periods.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { Email } from '../../../db/schema/email.ts';
import type { RenderedEmail } from '../../../present/emails/layout.ts';
import type {
  MailedContract,
  MailedSubscription,
  SubscriptionMailFacts,
} from '../../../present/emails/subscription.ts';
import {
  type Cancellation,
  canceledEmail,
  confirmationEmail,
  contractEndingEmail,
  renewsSoonEmail,
} from '../../../present/emails/subscriptionNotices.ts';
import { subscriptionUrl } from '../../../present/kernel/links.ts';
import { contractOf, contractStartOf, type LockedSubscription, stateOf } from '../../aggregates/subscription.ts';
import { queueCopies } from '../../mail/emails.ts';
import { recipientsOf } from '../../mail/recipients.ts';
import { presentPrice, priceAfter } from '../prices/renewalPrice.ts';

/**
 * Queues the confirmation of a new subscription, whose first step is taken. There is none if its first period has ended: such a
 * subscription was agreed earlier and is entered only now.
 */
export async function mailConfirmation(em: EntityManager, locked: LockedSubscription): Promise<void> {
  const { now } = locked.moment;
  if (periodIndexAt(stateOf(locked).schedule, now.getTime()) > 0) return;
  await queue(em, locked, {
    template: 'subscription_confirmation_email',
    cause: `subscription:${locked.subscription.id}`,
    render: (facts) => confirmationEmail({ ...facts, confirmedAt: now }),
  });
}

/** Queues the mail about a cancellation that has taken effect. */
export async function mailCancellation(
  em: EntityManager,
  locked: LockedSubscription,
  cancellation: Cancellation,
): Promise<void> {
  await queue(em, locked, {
    template: 'subscription_canceled_email',
    cause: `subscription:${locked.subscription.id}`,
    render: (facts) => canceledEmail({ ...facts, cancellation }),
  });
}

/** Queues a notice and notes that it was sent. Returns why no mail was queued; null: one was. */
export async function sendNotice(
  em: EntityManager,
  locked: LockedSubscription,
  notice: SubscriptionNotice,
): Promise<string | null> {
  const { subscription } = locked;
  const { pendingChange: pending = null } = subscription;
  const eventAt = new Date(notice.eventAt);
  if (notice.kind === 'renews_soon') {
    subscription.renewalNoticedFor = eventAt;
    const renewsAt = renewalOf(locked, eventAt);
    const cause = `subscription:${subscription.id}:renewal:${notice.eventAt}:${subscription.anchoredAt?.getTime() ?? 0}`;
    // A renewal whose bill was moved to another day and back is announced already.
    const { accountId } = subscription;
    if ((await em.count(Email, { accountId, template: 'subscription_renews_soon_email', cause })) > 0)
      return 'it was announced before';
    const next = await priceAfter(em, locked, appliesNext(stateOf(locked)) ? pending : null);
    return notify(em, locked, {
      template: 'subscription_renews_soon_email',
      cause,
      render: (facts) => renewsSoonEmail({ ...facts, renewsAt, next }),
    });
  }
  const startAt = contractStartOf(subscription);
  const contract = mailedContract(locked);
  if (!contract) throw new Error(`subscription ${subscription.id} has no contract that ends`);
  const next = await priceAfter(em, locked, renewsByItself(contract.follows) ? pending : null);
  subscription.contractNoticedFor = startAt;
  return notify(em, locked, {
    template: 'contract_ending_email',
    cause: `subscription:${subscription.id}:contract:${startAt.getTime()}`,
    render: (facts) => contractEndingEmail({ ...facts, contract, next }),
  });
}

/** Start of the period that a notice announces. A bill ahead of that period is earlier. */
function renewalOf(locked: LockedSubscription, eventAt: Date): Date {
  const state = stateOf(locked);
  if (state.billIn === 'arrears') return eventAt;
  return new Date(periodAt(state.schedule, firstUncounted(state)).startAt);
}

interface Mail {
  template: SubscriptionTemplate;
  cause: string;
  render(facts: SubscriptionMailFacts): RenderedEmail;
}

/** Queues a notice. Returns why no mail was queued; null: one was. */
async function notify(em: EntityManager, locked: LockedSubscription, mail: Mail): Promise<string | null> {
  return (await queue(em, locked, mail)) === 0 ? 'the customer has no email address' : null;
}

/** Queues a mail to the customer and its primary contacts. Returns their number. */
async function queue(
  em: EntityManager,
  locked: LockedSubscription,
  { template, cause, render }: Mail,
): Promise<number> {
  const { customer, moment } = locked;
  const recipients = await recipientsOf(em, customer);
  const facts = { seller: moment.caller.account, customer, subscription: mailedSubscription(locked) };
  queueCopies(em, locked, { template, cause, recipients, render: (to) => render({ ...facts, to }) });
  return recipients.length;
}

/** A subscription as mails and its page show it. */
export function mailedSubscription(locked: LockedSubscription): MailedSubscription {
  const { subscription, plan, moment } = locked;
  const { periodStartAt, periodEndAt, paused } = subscription;
  const state = stateOf(locked);
  const [next] = nextSubscriptionStep(state, moment.now.getTime()).waits;
  const trialEndAt = state.trial && isInTrial(state) ? new Date(state.trial.endAt) : null;
  const isBilled = !paused && (next?.rule === 'bill' || next?.rule === 'renew');
  return {
    ...presentPrice(locked),
    url: subscriptionUrl(subscription),
    currency: plan.currency,
    timeZone: subscription.timeZone,
    startAt: subscription.startAt ?? subscription.anchorAt,
    isPaused: paused,
    endsWithPeriod: subscription.cancelAtPeriodEnd,
    pausesAt: subscription.pauseAtPeriodEnd ? new Date(periodEndOf(state)) : null,
    trialEndAt,
    period: periodStartAt && periodEndAt ? { startAt: periodStartAt, endAt: periodEndAt } : null,
    nextBillAt: isBilled && next ? new Date(next.at) : null,
    contract: trialEndAt && subscription.cancelAtPeriodEnd ? null : mailedContract(locked),
  };
}

/** The contract and what follows it; null: there is none. */
function mailedContract(locked: LockedSubscription): MailedContract | null {
  const { cycles, renewalCycles, renewalMode, cancelAtPeriodEnd, pendingChange } = locked.subscription;
  const contract = contractOf(locked);
  if (!contract || !cycles) return null;
  const agreed = pendingChange?.cycles ?? null;
  const renewed = nextContract({ cycles, renewalCycles: renewalCycles ?? null, renewalMode }, agreed);
  return {
    startAt: new Date(contract.startAt),
    endAt: new Date(contract.endAt),
    follows: cancelAtPeriodEnd ? 'none' : renewalMode,
    nextCycles: renewed.cycles,
  };
}
