import type { Period } from '../../../billing/time/periods.ts';
import { type CollectedUsage, spansToBill, type TakenBefore } from '../../../billing/usage/usage.ts';
import { reserveSeveralIds } from '../../../db/ids.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { rangesWithUsage, type UsageRange } from '../../../db/queries/usage/taking.ts';
import { type BilledSpan, billedSpans } from '../../../db/queries/usage/totals.ts';
import { UsageRate } from '../../../db/schema/usage.ts';
import { type LockedSubscription, stateOf } from '../../aggregates/subscription.ts';

/** A span of usage that a bill takes. Epoch milliseconds. */
export interface Span extends Period {
  rate: UsageRate;
  turn: number;
  /** Whether it was used in a trial. */
  free: boolean;
  /** What bills have taken before; null: nothing, this is the bill of the span. */
  before: TakenBefore | null;
  /** Where the records to take begin and end; null: no end. */
  from: number;
  to: number | null;
}

/** Usage until an instant. `isFinal`: the subscription ends, and all usage is meant. */
export interface UsageUntil {
  until: Date;
  isFinal?: boolean;
}

/**
 * All rates of a subscription: first the plan's, then each add-on's in their order, then those of removed add-ons. Older ones come first
 * within each.
 */
export async function ratesOf(em: EntityManager, { subscription, addons }: LockedSubscription): Promise<UsageRate[]> {
  await em.write();
  const { accountId } = subscription;
  const rates = await em.find(UsageRate, { accountId, subscription }, { orderBy: { fromAt: 'asc', id: 'asc' } });
  const order = [null, ...addons.map(({ id }) => id)];
  const placeOf = (rate: UsageRate) => (order.includes(addonOf(rate)) ? order.indexOf(addonOf(rate)) : order.length);
  return rates.sort((one, other) => placeOf(one) - placeOf(other));
}

/** The spans of usage until an instant that no bill has taken, and the billed spans with late usage. */
export async function spansUntil(
  em: EntityManager,
  locked: LockedSubscription,
  { rates, ...asked }: UsageUntil & { rates: readonly UsageRate[] },
): Promise<{ fresh: Span[]; late: Span[] }> {
  const fresh = rates.flatMap((rate) => {
    const last = asked.isFinal ? Math.max(asked.until.getTime(), rate.fromAt.getTime()) : asked.until.getTime();
    return freshSpans(locked, rate, new Date(last));
  });
  return { fresh: withEnds(fresh, rates, asked), late: await lateSpans(em, locked, { rates, fresh, asked }) };
}

/** The spans of a rate that no bill has taken. */
function freshSpans(locked: LockedSubscription, rate: UsageRate, until: Date): Span[] {
  const trialEndAt = locked.subscription.trialEndAt?.getTime() ?? null;
  const limits = { until: until.getTime(), schedule: stateOf(locked).schedule, trialEndAt };
  return spansToBill(timesOf(rate), limits).map(({ startAt, endAt }) => {
    const free = trialEndAt !== null && startAt < trialEndAt;
    return { rate, turn: 0, startAt, endAt, free, before: null, from: startAt, to: endAt };
  });
}

/** The times of a rate, epoch milliseconds. */
export function timesOf({ fromAt, untilAt = null, billedUntil = null }: UsageRate) {
  return {
    fromAt: fromAt.getTime(),
    untilAt: untilAt?.getTime() ?? null,
    billedUntil: billedUntil?.getTime() ?? null,
  };
}

/** The usage of a span that was collected before its bill; null: none. */
export function collectedOf({ rate, startAt, turn }: Pick<Span, 'rate' | 'startAt' | 'turn'>): CollectedUsage | null {
  return rate.collected?.find((one) => one.startAt === startAt && one.turn === turn) ?? null;
}

/** Spans with the ids of their totals. */
export async function withIds(em: EntityManager, spans: readonly Span[]): Promise<(Span & { totalId: number })[]> {
  const ids = (await reserveSeveralIds(em, 'usage_total', spans.length)).map(Number);
  return spans.map((span, index) => ({ ...span, totalId: collectedOf(span)?.totalId ?? ids[index] ?? 0 }));
}

/** Where the records of a span begin and end. */
export function rangeOf({ rate, from, to }: Span): UsageRange {
  return { addonId: addonOf(rate), startAt: from, endAt: to };
}

export function addonOf(rate: UsageRate): number | null {
  return rate.addonId ?? null;
}

/**
 * Extends the last span of each rate that has ended to the next rate of its component. Without one, and on the final bill, it takes all later
 * records: reports may be up to a minute ahead of the time at which the rate ended.
 */
function withEnds(fresh: readonly Span[], rates: readonly UsageRate[], { isFinal = false }: UsageUntil): Span[] {
  return fresh.map((span, index) => {
    const own = (one: UsageRate) => addonOf(one) === addonOf(span.rate);
    const isLast = !fresh.slice(index + 1).some(({ rate }) => own(rate));
    if (isLast && isFinal) return { ...span, to: null };
    if (span.endAt !== timesOf(span.rate).untilAt) return span;
    return {
      ...span,
      to: rates.find((other) => own(other) && other.fromAt > span.rate.fromAt)?.fromAt.getTime() ?? null,
    };
  });
}

/** The billed spans that have late usage. */
async function lateSpans(
  em: EntityManager,
  locked: LockedSubscription,
  { rates, fresh, asked }: { rates: readonly UsageRate[]; fresh: readonly Span[]; asked: UsageUntil },
): Promise<Span[]> {
  const { accountId, id: subscriptionId } = locked.subscription;
  const key = { accountId, subscriptionId };
  const billed = [...Map.groupBy(rates, addonOf)].flatMap(([addonId, own]) => {
    const last = own.findLast(({ billedUntil }) => billedUntil);
    if (!last) return [];
    const next = fresh.find(({ rate }) => addonOf(rate) === addonId);
    const isOver = asked.isFinal || (last.untilAt && last === own.at(-1));
    const endAt = next?.startAt ?? (isOver ? null : timesOf(last).billedUntil);
    return [{ addonId, startAt: 0, endAt }];
  });
  const reported = await rangesWithUsage(em, key, billed);
  const found = billed.filter((one) => reported.includes(one) || rates.some((rate) => hasLate(rate, one.addonId)));
  if (found.length === 0) return [];
  const known = await billedSpans(em, key);
  const spans = found.flatMap(({ addonId, endAt }) => {
    const own = known.filter((span) => span.addonId === addonId);
    return own.map((span, index) => lateSpan(span, { rates, to: own[index + 1]?.startAt.getTime() ?? endAt }));
  });
  const late = new Set((await rangesWithUsage(em, key, spans.map(rangeWith))).map(({ span }) => span));
  return spans.filter((span) => late.has(span) || collectedOf(span));
}

/** Whether late usage of a rate of this component was collected. */
function hasLate(rate: UsageRate, addonId: number | null): boolean {
  return addonOf(rate) === addonId && (rate.collected ?? []).some(({ turn }) => turn > 0);
}

function rangeWith(span: Span): UsageRange & { span: Span } {
  return { ...rangeOf(span), span };
}

function lateSpan(
  { rateId, startAt, endAt, free, turns, quantity, amount }: BilledSpan,
  { rates, to }: { rates: readonly UsageRate[]; to: number | null },
): Span {
  const rate = rates.find(({ id }) => id === rateId);
  if (!rate) throw new Error(`usage rate ${rateId} is of another subscription`);
  const from = startAt.getTime();
  return { rate, turn: turns, startAt: from, endAt: endAt.getTime(), free, before: { quantity, amount }, from, to };
}
