import { Refusal } from '../../../billing/refusal.ts';
import {
  type ChoiceFacts,
  type CustomersChoice,
  choicesAfter,
  type GivenReason,
} from '../../../billing/subscriptions/selfService.ts';
import type { Subscription } from '../../../db/schema/subscription.ts';
import { presentPendingChange } from '../../../present/subscriptions/subscription.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import { differs } from '../../kernel/changes.ts';
import type { SubscriptionChange } from './requestedChange.ts';

/** What is planned for a subscription, by the choices that a customer can take back. */
export function choiceFactsOf(subscription: Subscription): ChoiceFacts {
  const { cancelAtPeriodEnd, pauseAtPeriodEnd, paused, pendingChange, resumeAt = null } = subscription;
  return {
    change: presentPendingChange(pendingChange),
    cancellation: cancelAtPeriodEnd,
    pause: paused || pauseAtPeriodEnd ? { resumeAt } : null,
  };
}

/** Remembers what the customer itself has chosen. `before`: what was planned before the change. */
export function noteChoices(locked: LockedSubscription, before: ChoiceFacts, isOfCustomer: boolean): void {
  const { subscription } = locked;
  const known = subscription.customersChoices ?? [];
  const after = choiceFactsOf(subscription);
  setChoices(subscription, choicesAfter(known, { before, after, isOfCustomer }));
}

/** Forgets that a pause was the choice of the customer: it is the product's now. */
export function forgetPause(subscription: Subscription): void {
  setChoices(
    subscription,
    (subscription.customersChoices ?? []).filter((choice) => choice !== 'pause'),
  );
}

function setChoices(subscription: Subscription, choices: CustomersChoice[]): void {
  const known = subscription.customersChoices ?? [];
  if (choices.length === known.length && choices.every((choice) => known.includes(choice))) return;
  subscription.customersChoices = choices.length > 0 ? choices : null;
}

/** Sets why the customer cancels a subscription. Null: it gave no reason, or does not cancel. */
export function giveReason(subscription: Subscription, given: GivenReason | null): void {
  Object.assign(subscription, {
    cancellationReason: given?.reason ?? null,
    cancellationComment: given?.comment ?? null,
  });
}

/**
 * Why the customer cancels, after a request. Undefined: it stays. Refuses another reason than before if the request neither plans the end nor
 * finds it planned.
 */
export function reasonAfter(
  subscription: Subscription,
  { cancelAtPeriodEnd, cancellation }: Pick<SubscriptionChange, 'cancelAtPeriodEnd' | 'cancellation'>,
): { cancellationReason?: GivenReason['reason']; cancellationComment?: GivenReason['comment'] } {
  const { reason = null, comment = null } = cancellation ?? {};
  const given = {
    ...(reason === null ? {} : { cancellationReason: reason }),
    ...(comment === null ? {} : { cancellationComment: comment }),
  };
  const ends = cancelAtPeriodEnd ?? subscription.cancelAtPeriodEnd;
  if (!ends && differs(subscription, given))
    throw new Refusal(
      'state_conflict',
      'No cancellation is planned that could have a reason: send cancel_at_period_end: true with it, or cancel the subscription',
      reason === null ? 'cancellation_comment' : 'cancellation_reason',
    );
  if (ends === subscription.cancelAtPeriodEnd) return ends ? given : {};
  return { cancellationReason: null, cancellationComment: null, ...(ends ? given : {}) };
}
