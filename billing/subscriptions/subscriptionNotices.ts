import type { RenewalNotices } from '../settings.ts';
import { stepTexts } from '../stepTexts.ts';
import { addDays } from '../time/calendar.ts';
import { monthlyFactor, type Schedule } from '../time/periods.ts';
import type { NextStep, Wait } from '../wait.ts';
import { contractPeriod, cyclesBegun, hasCyclesToBegin, isEnded, type SubscriptionState } from './subscription.ts';
import { nextSubscriptionStep, type SubscriptionStep } from './subscriptionSteps.ts';
import { isInTrial } from './trial.ts';

/** Days from the notice of a renewal to the renewal. */
const RENEWAL_DAYS = 3;

/** The account's settings, and the notices that were sent. Times are epoch milliseconds. */
export interface NoticeState {
  renewals: RenewalNotices;
  /** Days from the notice of a contract's end to that end; 0: there is no notice. */
  contractDays: number;
  /** Start of the current period; null: there is none. */
  periodStartAt: number | null;
  contractStartAt: number;
  /** Time of the renewal that was announced last; null: none was. */
  renewalNoticedFor: number | null;
  /** Start of the contract whose end was announced last; null: none was. */
  contractNoticedFor: number | null;
}

/** A mail to the customer ahead of an event. */
export interface SubscriptionNotice {
  kind: 'renews_soon' | 'contract_ending';
  at: number;
  /** Time of the announced event. */
  eventAt: number;
}

/**
 * The step or notice due at `now`, if any, and all pending waits. The earlier of the two comes first; at the same time it is the step. A
 * notice never changes which steps are due. It is skipped once its event has passed.
 */
export function nextStepOrNotice(
  state: SubscriptionState,
  sent: NoticeState,
  now: number,
): NextStep<SubscriptionStep | SubscriptionNotice> {
  const { due, waits } = nextSubscriptionStep(state, now);
  const notices = noticesOf(state, sent, waits).filter(({ eventAt }) => eventAt > now);
  const before = due ? Math.min(...waits.map(({ at }) => at)) : Number.POSITIVE_INFINITY;
  const [first] = notices.filter(({ at }) => at <= now && at < before).toSorted((one, other) => one.at - other.at);
  return { due: first ?? due, waits: [...waits, ...notices.map(waitFor)] };
}

/** Whether a due step is a notice. */
export function isNotice(step: SubscriptionStep | SubscriptionNotice): step is SubscriptionNotice {
  return step.kind === 'renews_soon' || step.kind === 'contract_ending';
}

/** Describes the notice for operators, in a timeline or a workflow. */
export function noticeInWords({ kind }: SubscriptionNotice): string {
  return kind === 'renews_soon' ? stepTexts.renewal_notice : stepTexts.contract_notice;
}

function waitFor(notice: SubscriptionNotice): Wait {
  return { rule: notice.kind, at: notice.at, step: noticeInWords(notice) };
}

/** The notices that are planned and not sent yet. `waits`: those for the next step. */
function noticesOf(state: SubscriptionState, sent: NoticeState, waits: readonly Wait[]): SubscriptionNotice[] {
  if (isEnded(state.status)) return [];
  return [renewalNotice(state, sent, waits), contractNotice(state, sent)].filter((notice) => notice !== null);
}

/** The end of a trial is announced like a renewal. No notice for periods of up to three days. */
function renewalNotice(
  state: SubscriptionState,
  { renewals, periodStartAt, renewalNoticedFor }: NoticeState,
  waits: readonly Wait[],
): SubscriptionNotice | null {
  const { schedule } = state;
  const isToldBefore = state.billIn === 'advance' && state.periodOpen; // by the notice of its bill
  const isArrears = state.billIn === 'arrears';
  const coming = isArrears && state.periodOpen ? nextSubscriptionStep(afterPeriod(state), 0).waits : waits;
  const renewal = coming.find(({ rule }) => rule === 'renew' || (isArrears ? rule === 'begin' : rule === 'bill'));
  if (isToldBefore) return null;
  if (!renewal || state.paused || periodStartAt === null || renewal.at === renewalNoticedFor) return null;
  if (!isAnnounced(schedule, renewals) && !(isInTrial(state) && renewals !== 'none')) return null;
  const at = addDays(renewal.at, -RENEWAL_DAYS, schedule.zone);
  return at > periodStartAt ? { kind: 'renews_soon', at, eventAt: renewal.at } : null;
}

/** The state after the period in progress, which is billed in arrears at its end. */
function afterPeriod(state: SubscriptionState): SubscriptionState {
  return { ...state, nextPeriod: state.nextPeriod + 1, periodOpen: false, cyclesBilled: cyclesBegun(state) };
}

function isAnnounced({ interval, intervalCount }: Schedule, renewals: RenewalNotices): boolean {
  if (renewals !== 'yearly') return renewals === 'all';
  const { numerator, denominator } = monthlyFactor(interval, intervalCount);
  return 12 * numerator <= denominator;
}

/** None for a contract that is not longer than the notice, and none while a pause lengthens the contract. */
function contractNotice(state: SubscriptionState, sent: NoticeState): SubscriptionNotice | null {
  const { contractDays, contractStartAt, contractNoticedFor } = sent;
  const contract = contractPeriod({ ...state, contractStartAt });
  if (!contract || contractDays === 0 || state.pendingRenewal || contractNoticedFor === contractStartAt) return null;
  if ((state.paused || state.pauseAtPeriodEnd) && hasCyclesToBegin(state)) return null;
  const at = addDays(contract.endAt, -contractDays, state.schedule.zone);
  return at > contractStartAt ? { kind: 'contract_ending', at, eventAt: contract.endAt } : null;
}
