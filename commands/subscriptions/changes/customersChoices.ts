import {
  type ChoiceFacts,
  type CustomersChoice,
  choicesAfter,
  type GivenReason,
} from '../../../billing/subscriptions/selfService.ts';
import type { Subscription } from '../../../db/schema/subscription.ts';
import { presentPendingChange } from '../../../present/subscriptions/subscription.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';

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
