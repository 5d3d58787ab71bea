import { nextPeriodAfterPause, type SubscriptionState } from '../../billing/subscriptions/subscription.ts';
import { nextSubscriptionStep, type SubscriptionStep } from '../../billing/subscriptions/subscriptionSteps.ts';
import { startsShort } from '../../billing/time/periods.ts';

/** A monthly subscription from an anchor in UTC, billed at the start of its periods, without end. */
export function stateFrom(anchorAt: number, over: Partial<SubscriptionState> = {}): SubscriptionState {
  return {
    status: 'active',
    schedule: { anchorAt, zone: 'UTC', interval: 'month', intervalCount: 1, snapDay: null },
    billIn: 'advance',
    advanceDays: 0,
    anchoredAt: anchorAt,
    trial: null,
    nextPeriod: 0,
    periodOpen: false,
    cyclesBilled: 0,
    cycles: null,
    renewalMode: 'none',
    pendingRenewal: false,
    hasPendingChange: false,
    periodEndAt: null,
    cancelAtPeriodEnd: false,
    pauseAtPeriodEnd: false,
    paused: false,
    resumeAt: null,
    lateUsageAt: null,
    ...over,
  };
}

/** Takes all steps that are due until a time, without a database. Returns them and the last state. At most `most` steps. */
export function walk(
  from: SubscriptionState,
  until: number,
  most = Number.POSITIVE_INFINITY,
): { state: SubscriptionState; steps: SubscriptionStep[] } {
  const steps: SubscriptionStep[] = [];
  let state = from;
  while (steps.length < most) {
    const { due } = nextSubscriptionStep(state, until);
    if (!due) break;
    steps.push(due);
    state = { ...state, ...changedBy(due, state) };
  }
  return { state, steps };
}

/** The values that a step changes, by the description of docs/subscriptions.md. */
function changedBy(step: SubscriptionStep, state: SubscriptionState): Partial<SubscriptionState> {
  switch (step.kind) {
    case 'trial':
      return { periodEndAt: step.endAt, status: 'active' };
    case 'bill': {
      const billed = { nextPeriod: step.period + 1 };
      if (step.inArrears) return { ...billed, periodOpen: false, ...counted(state, step.period) };
      if (step.at < step.startAt) return { ...billed, periodOpen: true };
      return { ...billed, periodEndAt: step.endAt, status: 'active', ...counted(state, step.period) };
    }
    case 'begin': {
      const begun = { periodEndAt: step.endAt, status: 'active' as const };
      if (state.billIn === 'arrears') return { ...begun, periodOpen: true };
      return { ...begun, periodOpen: false, ...counted(state, step.period) };
    }
    case 'pause':
      return { paused: true, pauseAtPeriodEnd: false };
    case 'resume': {
      const nextPeriod = state.periodOpen ? state.nextPeriod : nextPeriodAfterPause(state, step.at);
      return { paused: false, resumeAt: null, nextPeriod };
    }
    case 'renew':
      return { cyclesBilled: 0, renewalMode: state.renewalMode === 'renew_once' ? 'none' : state.renewalMode };
    case 'await_renewal':
      return { pendingRenewal: true, pauseAtPeriodEnd: false, periodEndAt: null };
    case 'cancel':
      return { status: 'canceled' };
    case 'finish':
      return { status: 'finished' };
    case 'late_usage':
      return { lateUsageAt: null };
  }
}

function counted({ schedule, cyclesBilled }: SubscriptionState, period: number): Partial<SubscriptionState> {
  return { cyclesBilled: period === 0 && startsShort(schedule) ? cyclesBilled : cyclesBilled + 1 };
}
