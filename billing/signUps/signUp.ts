import type { NextStep, Wait } from '../wait.ts';

/**
 * storing: the gateway stores the payment source; waiting: the visitor has to authenticate for that. Nothing else is kept yet. declined,
 * abandoned, refused: nothing was kept. charging: customer and subscription exist, and the first invoice is not paid. done: it is paid, or there
 * is nothing to pay. given_up: it was not paid in time, so the invoice was voided and the subscription canceled.
 */
export const signUpStates = [
  'storing',
  'waiting',
  'declined',
  'abandoned',
  'refused',
  'charging',
  'done',
  'given_up',
] as const;
export type SignUpState = (typeof signUpStates)[number];

const HOUR = 3_600_000;
const MOST_WAIT = 23 * HOUR;
const KEPT = 7 * 24 * HOUR;

export interface SignUpFacts {
  state: SignUpState;
  /** Times are epoch milliseconds. */
  startedAt: number;
  /** When customer and subscription were made, or the sign-up ended; null: neither. */
  endedAt: number | null;
  /** Whether a source is still stored at the gateway that no customer has. */
  isStored: boolean;
  /** Whether the charge of the first invoice was never made, because a process had stopped. */
  isUnmade: boolean;
  /** When the gateway is asked next, while it stores or deletes the source, or is to charge it after all. */
  lookAt: number;
  /** Until when an unpaid subscription is kept at least, because its first invoice is being paid; null: it is not. */
  keptUntil: number | null;
}

export type SignUpStep = { kind: 'look_up' | 'give_up' | 'forget' };

/**
 * What a sign-up does next: looks up its source, charges the first invoice after all, gives the unpaid subscription up after 23 hours, or forgets a
 * sign-up of which nothing was kept.
 */
export function nextSignUpStep(facts: SignUpFacts, now: number): NextStep<SignUpStep> {
  const wait = waitOf(facts);
  if (!wait) return { due: null, waits: [] };
  return { due: wait.at <= now ? { kind: wait.rule } : null, waits: [wait] };
}

function waitOf(facts: SignUpFacts): (Wait & { rule: SignUpStep['kind'] }) | null {
  const { state, startedAt, endedAt, isStored, isUnmade, lookAt, keptUntil } = facts;
  const since = endedAt ?? startedAt;
  switch (state) {
    case 'storing':
    case 'waiting':
      return { rule: 'look_up', at: lookAt, step: 'looks up the payment source' };
    case 'charging': {
      const end = Math.max(since + MOST_WAIT, keptUntil ?? 0);
      if (isUnmade && lookAt < end)
        return { rule: 'look_up', at: lookAt, step: 'charges the first invoice, because its charge was never made' };
      return {
        rule: 'give_up',
        at: end,
        step: 'voids the first invoice and cancels the subscription, unless it is paid',
      };
    }
    case 'declined':
    case 'abandoned':
    case 'refused':
      if (isStored) return { rule: 'look_up', at: lookAt, step: 'deletes the payment source at the gateway' };
      return { rule: 'forget', at: since + KEPT, step: 'forgets the sign-up' };
    case 'done':
    case 'given_up':
      return null;
  }
}

/** When a look-up that found nothing is repeated: with growing waits, at most six hours apart. */
export function nextLook(startedAt: number, now: number): number {
  return now + Math.min(Math.max(now - startedAt, 60_000), 6 * HOUR);
}
