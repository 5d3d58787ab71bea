import type { OpenTax } from '../../billing/document.ts';
import { add, exactProduct, isZero, type Money, zero } from '../../billing/money.ts';
import type { Period } from '../../billing/periods.ts';
import { lateAmount, spansToBill, type UsageComponent, usageAmount } from '../../billing/usage.ts';
import { reserveSeveralIds } from '../../db/ids.ts';
import type { EntityManager } from '../../db/orm.ts';
import { markUsage, rangesWithUsage, type TakenUsage, type UsageRange } from '../../db/queries/usage/taking.ts';
import { type BilledSpan, billedSpans } from '../../db/queries/usage/totals.ts';
import { UsageRate } from '../../db/schema/usageRate.ts';
import { UsageTotal } from '../../db/schema/usageTotal.ts';
import { labelsOf } from '../../present/printed/labels.ts';
import { type LockedSubscription, stateOf } from '../aggregates/subscription.ts';
import { type DocumentLine, newLine } from '../documents/lines.ts';
import { type Component, componentLines, usageComponentsOf } from './components.ts';
import { taxesOfComponents } from './content.ts';
import { tellThresholds } from './usageThresholds.ts';

/** Late and final usage is marked at once, however much it is. */
const LONGEST_MILLISECONDS = 30_000;

/** Which usage a bill takes. */
interface UsageAsked {
  /** Usage before this instant, and late usage. */
  until: Date;
  /** Whether the subscription ends: all usage is taken then. */
  isFinal?: boolean;
  /** Whether components without usage have a line of zero. */
  showsZero?: boolean;
}

/** Taken usage of a span, and the lines that bill it. The caller writes the total when it has the invoice or the pending lines. */
export interface BillableUsage {
  total: NewTotal;
  lines: DocumentLine[];
}

type NewTotal = Pick<UsageTotal, 'id' | 'turn' | 'startAt' | 'endAt' | 'quantity' | 'records' | 'amount' | 'free'> & {
  rate: UsageRate;
};

/**
 * Takes the usage that is to be billed: marks its records, and prices it at the rates that counted when it was used. Late usage costs the
 * price of its span with it less the price without it. Usage in the trial is free.
 */
export async function takeUsage(
  em: EntityManager,
  at: LockedSubscription,
  asked: UsageAsked,
): Promise<BillableUsage[]> {
  const { subscription } = at;
  if (!subscription.hasUsage) return [];
  await tellThresholds(em, at); // a bill ends the usage that is compared with them
  const { accountId, id: subscriptionId } = subscription;
  const rates = await ratesOf(em, at);
  const fresh = rates.flatMap((rate) => freshSpans(at, rate, asked));
  const late = await lateSpans(em, at, { rates, fresh, asked });
  const spans = await withIds(em, [...late, ...openLast(fresh, rates, asked)]);
  if (asked.isFinal || late.length > 0) await em.execute(`set local statement_timeout = ${LONGEST_MILLISECONDS}`);
  const ranges = spans.map((span) => ({ ...rangeOf(span), totalId: span.totalId }));
  const taken = await markUsage(em, { accountId, subscriptionId }, ranges);
  for (const { rate, endAt, before } of spans) if (before === null) rate.billedUntil = new Date(endAt);
  const taxes = await taxesOfComponents(em, at, [...usageComponentsOf(at), ...rates.map(({ component }) => component)]);
  const billable = spans.map((span) => {
    const priced = { ...span, ...pricedSpan(at, span, withCollected(span, taken.get(span.totalId))) };
    return { total: totalOf(priced), lines: linesOf(at, priced, { taxes, asked }) };
  });
  for (const { rate } of fresh) rate.collected = null;
  return billable;
}

/** The usage of a span with what was collected before the bill. */
function withCollected({ rate, totalId }: TakenSpan, taken: TakenUsage | undefined): TakenUsage {
  const { quantity = '0', records = 0 } = taken ?? {};
  const before = rate.collected?.find((one) => one.totalId === totalId);
  return { quantity: add(quantity, before?.quantity ?? '0'), records: records + (before?.records ?? 0) };
}

/** All rates of a subscription, the oldest first. */
export async function ratesOf(em: EntityManager, { subscription }: LockedSubscription): Promise<UsageRate[]> {
  await em.write();
  const { accountId } = subscription;
  return em.find(UsageRate, { accountId, subscription }, { orderBy: { fromAt: 'asc', id: 'asc' } });
}

function totalOf({ rate, totalId: id, turn, startAt, endAt, quantity, records, amount, free }: PricedSpan): NewTotal {
  const time = { startAt: new Date(startAt), endAt: new Date(endAt) };
  return { rate, id, turn, ...time, quantity, records, amount, free };
}

/** The lines that bill taken usage. */
export function linesOfUsage(used: readonly BillableUsage[]): DocumentLine[] {
  return used.flatMap(({ lines }) => lines);
}

/** Writes the totals of taken usage. `invoice`: the one that bills it; null: it costs nothing. */
export function writeTotals(
  em: EntityManager,
  at: LockedSubscription,
  { used, invoice }: { used: readonly BillableUsage[]; invoice: { id: number } | null },
): void {
  for (const { total, lines } of used)
    writeTotal(em, at, { total, invoiceId: lines.length > 0 ? (invoice?.id ?? null) : null });
}

interface TotalOfBill {
  total: NewTotal;
  invoiceId?: number | null;
  lineId?: number | null;
}

/** Writes the total of taken usage, with the invoice or the pending line that bills it. */
export function writeTotal(
  em: EntityManager,
  at: LockedSubscription,
  { total, invoiceId = null, lineId = null }: TotalOfBill,
): void {
  const { accountId } = at.subscription;
  em.append(UsageTotal, { ...total, accountId, invoiceId, lineId, createdAt: at.moment.now });
}

/** A span of usage that a bill takes. Epoch milliseconds. */
export interface Span extends Period {
  rate: UsageRate;
  turn: number;
  free: boolean;
  /** Quantity that bills have taken before; null: none, this is the bill of the span. */
  before: string | null;
  /** Where the records to take begin and end; null: no end. */
  from: number;
  to: number | null;
}

type TakenSpan = Span & { totalId: number };

type PricedSpan = TakenSpan & TakenUsage & { amount: Money };

/** The spans of a rate that no bill has taken. */
export function freshSpans(at: LockedSubscription, rate: UsageRate, { until }: Pick<UsageAsked, 'until'>): Span[] {
  const { schedule, trial } = stateOf(at);
  const time = { fromAt: rate.fromAt.getTime(), untilAt: timeOf(rate.untilAt), billedUntil: timeOf(rate.billedUntil) };
  const trialEndAt = trial?.endAt ?? null;
  return spansToBill(time, { until: until.getTime(), schedule, trialEndAt }).map(({ startAt, endAt }) => {
    const free = trialEndAt !== null && startAt < trialEndAt;
    return { rate, turn: 0, startAt, endAt, free, before: null, from: startAt, to: endAt };
  });
}

/** Where the records of a span begin and end. */
export function rangeOf({ rate, from, to }: Span): UsageRange {
  return { addonId: addonOf(rate), startAt: from, endAt: to };
}

/** Lets the last span of each component that has ended take all later usage too: clocks of clients may be ahead. */
function openLast(fresh: readonly Span[], rates: readonly UsageRate[], { isFinal = false }: UsageAsked): Span[] {
  return fresh.map((span, index) => {
    const isLast = !fresh.slice(index + 1).some(({ rate }) => addonOf(rate) === addonOf(span.rate));
    return isLast && hasEnded(span.rate, rates, isFinal) ? { ...span, to: null } : span;
  });
}

/** Whether no later usage of the component of a rate is taken by another span. */
function hasEnded(rate: UsageRate, rates: readonly UsageRate[], isFinal: boolean): boolean {
  if (isFinal) return true;
  if (!rate.untilAt) return false;
  return !rates.some((other) => addonOf(other) === addonOf(rate) && other.fromAt > rate.fromAt);
}

/** The billed spans that have late usage. */
async function lateSpans(
  em: EntityManager,
  at: LockedSubscription,
  { rates, fresh, asked }: { rates: readonly UsageRate[]; fresh: readonly Span[]; asked: UsageAsked },
): Promise<Span[]> {
  const { accountId, id: subscriptionId } = at.subscription;
  const billed = [...Map.groupBy(rates, addonOf)].flatMap(([addonId, own]) => {
    const last = own.findLast(({ billedUntil }) => billedUntil);
    if (!last) return [];
    const next = fresh.find(({ rate }) => addonOf(rate) === addonId);
    const isOpen = !next && hasEnded(last, rates, asked.isFinal ?? false);
    return [{ addonId, startAt: 0, endAt: isOpen ? null : (next?.startAt ?? timeOf(last.billedUntil)), isOpen }];
  });
  const found = await rangesWithUsage(em, { accountId, subscriptionId }, billed);
  if (found.length === 0) return [];
  const known = await billedSpans(em, { accountId, subscriptionId });
  const spans = found.flatMap(({ addonId, isOpen }) => {
    const own = known.filter((span) => span.addonId === addonId);
    return own.map((span, index) => lateSpan(span, { rates, isOpen: isOpen && index === own.length - 1 }));
  });
  const ranges = spans.map(rangeOf);
  const late = await rangesWithUsage(em, { accountId, subscriptionId }, ranges);
  return spans.filter((_, index) => late.some((range) => range === ranges[index]));
}

function lateSpan(
  { rateId, startAt, endAt, free, turns, quantity }: BilledSpan,
  { rates, isOpen }: { rates: readonly UsageRate[]; isOpen: boolean },
): Span {
  const rate = rates.find(({ id }) => id === rateId);
  if (!rate) throw new Error(`usage rate ${rateId} is of another subscription`);
  const [from, end] = [startAt.getTime(), endAt.getTime()];
  const to = isOpen ? null : end;
  return { rate, turn: turns, startAt: from, endAt: end, free, before: quantity, from, to };
}

async function withIds(em: EntityManager, spans: readonly Span[]): Promise<TakenSpan[]> {
  const ids = (await reserveSeveralIds(em, 'usage_total', spans.length)).map(Number);
  return spans.map((span, index) => {
    const collected =
      span.before === null ? span.rate.collected?.find(({ startAt }) => startAt === span.startAt) : null;
    return { ...span, totalId: collected?.totalId ?? ids[index] ?? 0 };
  });
}

function pricedSpan({ plan }: LockedSubscription, span: TakenSpan, taken: TakenUsage) {
  const { currency } = plan;
  const { pricing } = span.rate.component;
  const quantity = exactProduct(taken.quantity, '1');
  const { records } = taken;
  if (span.free) return { quantity, records, amount: zero(currency) };
  const amount =
    span.before === null
      ? usageAmount(pricing, quantity, currency)
      : lateAmount(pricing, { before: span.before, late: quantity }, currency);
  return { quantity, records, amount };
}

function linesOf(
  at: LockedSubscription,
  span: PricedSpan,
  { taxes, asked }: { taxes: ReadonlyMap<number, OpenTax>; asked: UsageAsked },
): DocumentLine[] {
  const { rate, quantity, amount, free, before, startAt, endAt } = span;
  const isEmpty = isZero(quantity) && !(asked.showsZero && !rate.untilAt && endAt === asked.until.getTime());
  if (free || (before === null ? isEmpty : isZero(quantity))) return [];
  const dates = { periodStartAt: new Date(startAt), periodEndAt: new Date(endAt) };
  const component = currentComponent(at, rate) ?? asComponent(rate.component, quantity);
  if (before === null) return componentLines({ ...component, quantity }, taxes).map((line) => ({ ...line, ...dates }));
  const own = component.taxRateIds.flatMap((id) => taxes.get(id) ?? []);
  return [newLine({ ...component.line, ...lateLine(at, span), ...dates, taxes: own, unitCost: amount })];
}

/** The words of late usage on a line with its price. */
function lateLine(at: LockedSubscription, { quantity }: PricedSpan) {
  const labels = labelsOf(at.customer.language ?? at.moment.caller.account.language);
  return { quantity: '1', description: `${labels.lateUsage}, ${labels.quantity}: ${quantity}` };
}

/** The component of a rate that still counts, as the catalog has it now. */
function currentComponent(at: LockedSubscription, rate: UsageRate): Component | null {
  if (rate.untilAt) return null;
  return usageComponentsOf(at).find(({ addonId }) => addonId === addonOf(rate)) ?? null;
}

/** The component of a rate that has ended, as it was. */
function asComponent(kept: UsageComponent, quantity: string): Component {
  const { addonId, pricing, description, taxRateIds, ...sold } = kept;
  return {
    addonId,
    isUsage: true,
    pricing,
    quantity,
    description,
    taxRateIds,
    line: { ...sold, addonId, type: 'plan' },
  };
}

function addonOf(rate: UsageRate): number | null {
  return rate.addonId ?? null;
}

function timeOf(at: Date | null | undefined): number | null {
  return at ? at.getTime() : null;
}
