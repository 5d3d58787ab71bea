import { AMOUNT_BELOW, checkAmount, TooLarge } from '../../billing/limits.ts';
import { add, compare, exactProduct, type Money, zero } from '../../billing/money.ts';
import { lateAmount, usageAmount } from '../../billing/usage.ts';
import type { EntityManager } from '../../db/orm.ts';
import { unbilledUsage } from '../../db/queries/usage/sums.ts';
import { markUsage, type TakenUsage } from '../../db/queries/usage/taking.ts';
import type { UsageRate } from '../../db/schema/usageRate.ts';
import { UsageTotal } from '../../db/schema/usageTotal.ts';
import type { LockedSubscription } from '../aggregates/subscription.ts';
import type { DocumentLine } from '../documents/lines.ts';
import { usageComponentsOf } from './components.ts';
import { taxesOfComponents } from './content.ts';
import { usageLines } from './usageLines.ts';
import { collectedOf, rangeOf, ratesOf, type Span, spansUntil, type UsageUntil, withIds } from './usageSpans.ts';
import { tellThresholds } from './usageThresholds.ts';

/** Usage that a bill takes. */
interface UsageAsked extends UsageUntil {
  /** Whether components without usage have a line of zero. */
  showsZero?: boolean;
}

/** Usage of a bill: the totals that it has taken, and the lines that bill them. The caller writes the totals with their invoice. */
export interface BillableUsage {
  totals: NewTotal[];
  lines: DocumentLine[];
}

type NewTotal = Pick<UsageTotal, 'id' | 'turn' | 'startAt' | 'endAt' | 'quantity' | 'records' | 'amount' | 'free'> & {
  rate: UsageRate;
};

/**
 * Takes the usage that is to be billed: marks its records, and prices it at the rates that counted when it was used. Late usage costs the
 * price of its span with it less the price without it. Usage in the trial is free. Refuses amounts that are too large.
 */
export async function takeUsage(em: EntityManager, at: LockedSubscription, asked: UsageAsked): Promise<BillableUsage> {
  const { subscription } = at;
  if (!subscription.hasUsage) return { totals: [], lines: [] };
  await tellThresholds(em, at); // a bill ends the usage that is compared with them
  const rates = await ratesOf(em, at);
  const { fresh, late } = await spansUntil(em, at, { ...asked, rates });
  const spans = await withIds(em, [...late, ...fresh]);
  const { accountId, id: subscriptionId } = subscription;
  const ranges = spans.map((span) => ({ ...rangeOf(span), totalId: span.totalId }));
  const taken = await markUsage(em, { accountId, subscriptionId }, ranges);
  for (const { rate, endAt } of fresh) rate.billedUntil = new Date(endAt);
  const priced = spans.map((span) => pricedSpan(at, span, withCollected(span, taken.get(span.totalId))));
  for (const { rate } of spans) rate.collected = null;
  const taxes = await taxesOfComponents(em, at, [...usageComponentsOf(at), ...rates.map(({ component }) => component)]);
  const lines = usageLines(
    at,
    priced.map((span) => ({ ...span, showsZero: isShown(span, asked) })),
    taxes,
  );
  return { totals: priced.map(totalOf), lines: lines.flat() };
}

/** The usage until now that a bill would take, with its price. Reads only. */
export async function upcomingTotals(
  em: EntityManager,
  at: LockedSubscription,
  asked: UsageUntil,
): Promise<Omit<NewTotal, 'id'>[]> {
  const rates = await ratesOf(em, at);
  const { fresh, late } = await spansUntil(em, at, { ...asked, rates });
  const spans = [...late, ...fresh].map((span) => ({ ...span, totalId: collectedOf(span)?.totalId ?? 0 }));
  const { accountId, id: subscriptionId } = at.subscription;
  const usage = await unbilledUsage(em, { accountId, subscriptionId }, spans.map(rangeOf));
  return spans.map((span, index) => totalOf(pricedSpan(at, span, withCollected(span, usage[index]))));
}

/** Writes the totals of taken usage. `invoice`: the one that bills it; null: it costs nothing. `lineId`: the pending line that bills it. */
export function writeTotals(
  em: EntityManager,
  at: LockedSubscription,
  {
    totals,
    invoice,
    lineId = null,
  }: { totals: readonly NewTotal[]; invoice: { id: number } | null; lineId?: number | null },
): void {
  const { accountId } = at.subscription;
  for (const total of totals)
    em.append(UsageTotal, { ...total, accountId, invoiceId: invoice?.id ?? null, lineId, createdAt: at.moment.now });
}

type TakenSpan = Span & { totalId: number };

type PricedSpan = TakenSpan & TakenUsage & { amount: Money; isLate: boolean };

/** Whether a component that goes on has a line for the period that has just ended, although nothing was used. */
function isShown({ rate, endAt, isLate }: PricedSpan, { showsZero = false, until }: UsageAsked): boolean {
  return showsZero && !isLate && !rate.untilAt && endAt === until.getTime();
}

function withCollected(span: TakenSpan, taken: TakenUsage | undefined): TakenUsage {
  const { quantity = '0', records = 0 } = taken ?? {};
  const collected = collectedOf(span);
  return { quantity: add(quantity, collected?.quantity ?? '0'), records: records + (collected?.records ?? 0) };
}

function pricedSpan({ plan }: LockedSubscription, span: TakenSpan, taken: TakenUsage): PricedSpan {
  const { currency } = plan;
  const { pricing } = span.rate.component;
  const quantity = exactProduct(taken.quantity, '1');
  const { records } = taken;
  const isLate = span.before !== null;
  if (span.free) return { ...span, quantity, records, isLate, amount: zero(currency) };
  if (compare(quantity, AMOUNT_BELOW) >= 0)
    throw new TooLarge(`Usage must be below ${AMOUNT_BELOW}: ${quantity}`, 'quantity');
  const amount =
    span.before === null
      ? usageAmount(pricing, quantity, currency)
      : lateAmount(pricing, { before: span.before, late: quantity }, currency);
  checkAmount(amount, 'quantity');
  return { ...span, quantity, records, isLate, amount };
}

function totalOf(span: PricedSpan): NewTotal {
  const { rate, totalId: id, turn, startAt, endAt, quantity, records, amount, free } = span;
  const time = { startAt: new Date(startAt), endAt: new Date(endAt) };
  return { rate, id, turn, ...time, quantity, records, amount, free };
}
