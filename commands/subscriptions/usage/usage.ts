import type { OpenTax } from '../../../billing/documents/document.ts';
import { AMOUNT_BELOW, checkAmount, TooLarge } from '../../../billing/limits.ts';
import { add, compare, exactProduct, isZero, type Money, zero } from '../../../billing/money/money.ts';
import { isEnded } from '../../../billing/subscriptions/subscription.ts';
import type { BilledDifference, UsageTerms } from '../../../billing/usage/lateUsage.ts';
import { lateAmount, usageAmount } from '../../../billing/usage/usage.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { markUsage, type TakenUsage, unbilledUsage } from '../../../db/queries/usage/taking.ts';
import { type UsageRate, UsageTotal } from '../../../db/schema/usage.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import { lockSubscription } from '../../aggregates/subscription.ts';
import type { DocumentLine } from '../../documents/lines.ts';
import type { Caller } from '../../kernel/caller.ts';
import { usageComponentsOf } from '../changes/components.ts';
import { automaticTaxes, contentOf, type SubscriptionContent, taxesOfComponents } from '../changes/content.ts';
import { priceLate } from '../prices/lateDifferences.ts';
import { creditedBy, usageLines } from './usageLines.ts';
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
  /** The line that bills each total, by its id. */
  lineOf: ReadonlyMap<number, DocumentLine>;
  /** The lines of late usage. */
  late: ReadonlySet<Partial<DocumentLine>>;
}

type UsedTotal = Pick<UsageTotal, 'id' | 'turn' | 'startAt' | 'endAt' | 'quantity' | 'records' | 'amount' | 'free'> & {
  rate: UsageRate;
};

type NewTotal = UsedTotal & { terms: UsageTerms | null; billed: BilledDifference[] | null };

/** Discounts and taxes of bills. `taxes` null: the automatic tax rates. */
type BillTerms = Pick<SubscriptionContent, 'discounts' | 'taxes'>;

/**
 * Takes the usage that is to be billed: marks its records, and prices it at the rates that counted when it was used. Late usage is priced by
 * the bill that took its span (`priceLate`). Usage in the trial is free. Refuses amounts that are too large.
 */
export async function takeUsage(
  em: EntityManager,
  locked: LockedSubscription,
  asked: UsageAsked,
): Promise<BillableUsage> {
  const { subscription } = locked;
  if (!subscription.hasUsage) return { totals: [], lines: [], lineOf: new Map(), late: new Set() };
  await tellThresholds(em, locked); // a bill ends the usage that is compared with them
  const rates = await ratesOf(em, locked);
  const { fresh, late } = await spansUntil(em, locked, { ...asked, rates });
  const spans = await withIds(em, [...late, ...fresh]);
  const { accountId, id: subscriptionId } = subscription;
  const ranges = spans.map((span) => ({ ...rangeOf(span), totalId: span.totalId }));
  const taken = await markUsage(em, { accountId, subscriptionId }, ranges);
  for (const { rate, endAt } of fresh) rate.billedUntil = new Date(endAt);
  const priced = spans.map((span) => pricedSpan(locked, span, withCollected(span, taken.get(span.totalId))));
  for (const { rate } of spans) rate.collected = null;
  const taxes = await taxesOfComponents(em, locked, [
    ...usageComponentsOf(locked),
    ...rates.map(({ component }) => component),
  ]);
  const corrections = priced.filter(({ isLate, free, quantity }) => isLate && !free && !isZero(quantity));
  const current = async () => withTaxes(em, locked, await usageTerms(em, locked));
  const prices = await priceLate(em, locked, { late: corrections, rates, taxes, current });
  const billed = priced.map((span) => {
    const { differences = [], isAgain = false, invoiceId = null } = prices.get(span) ?? {};
    return {
      ...span,
      differences,
      isAgain,
      credited: creditedBy(differences, invoiceId),
      showsZero: isShown(span, asked),
    };
  });
  const groups = usageLines(locked, billed, taxes);
  const firstLines = groups.flatMap(({ spans: own, lines: [line] }) =>
    line ? own.map(({ totalId }) => [totalId, line] as const) : [],
  );
  return {
    totals: billed.map((span) => ({ ...totalOf(span), ...keptOf(span, taxes) })),
    lines: groups.flatMap(({ lines }) => lines),
    lineOf: new Map(firstLines),
    late: new Set(groups.flatMap((one) => (one.spans.some(({ isLate }) => isLate) ? one.lines : []))),
  };
}

/**
 * The discounts and taxes for invoices that have only usage: the subscription's taxes and its discounts in percent. Discounts by amount are
 * on the bill of the period.
 */
export async function usageTerms(em: EntityManager, locked: LockedSubscription): Promise<BillTerms> {
  const { discounts, taxes } = await contentOf(em, locked);
  return { taxes, discounts: discounts.filter(({ coupon }) => coupon?.is_percent) };
}

async function withTaxes(em: EntityManager, locked: LockedSubscription, { discounts, taxes }: BillTerms) {
  return { discounts, taxes: taxes ?? (await automaticTaxes(em, locked)) };
}

/** What a total keeps for later corrections of its span. */
function keptOf(
  { free, isLate, quantity, rate, differences }: PricedSpan & { differences: BilledDifference[] },
  taxes: ReadonlyMap<number, OpenTax>,
): Pick<NewTotal, 'terms' | 'billed'> {
  if (free) return { terms: null, billed: null };
  if (isLate) return { terms: null, billed: differences };
  const lineTaxes = rate.component.taxRateIds.flatMap((id) => taxes.get(id) ?? []);
  return { terms: { took: quantity, lineTaxes, unwritten: null }, billed: null };
}

/** Usage of a subscription until now that no bill has taken, with its price. Call it in a dry run. Throws Missing. */
export async function upcomingUsage(
  em: EntityManager,
  who: { caller: Caller; id: number },
  systemNow: Date,
): Promise<{ locked: LockedSubscription; totals: Awaited<ReturnType<typeof upcomingTotals>> }> {
  const locked = await lockSubscription(em, who, systemNow);
  const isFinal = isEnded(locked.subscription.status);
  return { locked, totals: await upcomingTotals(em, locked, { until: locked.moment.now, isFinal }) };
}

/** The usage until now that a bill would take, with its price. Reads only. */
async function upcomingTotals(
  em: EntityManager,
  locked: LockedSubscription,
  asked: UsageUntil,
): Promise<Omit<UsedTotal, 'id'>[]> {
  const rates = await ratesOf(em, locked);
  const { fresh, late } = await spansUntil(em, locked, { ...asked, rates });
  const spans = [...late, ...fresh].map((span) => ({ ...span, totalId: collectedOf(span)?.totalId ?? 0 }));
  const { accountId, id: subscriptionId } = locked.subscription;
  const usage = await unbilledUsage(em, { accountId, subscriptionId }, spans.map(rangeOf));
  return spans.map((span, index) => totalOf(pricedSpan(locked, span, withCollected(span, usage[index]))));
}

/** Where taken usage is billed. */
interface BillOfTotals {
  totals: readonly NewTotal[];
  /** Null: it costs nothing, or pending lines bill it. */
  invoice: { id: number } | null;
  /** The pending lines that bill totals, by the id of the total. */
  lineIds?: ReadonlyMap<number, number>;
  /** Without an invoice: the discounts and taxes that it would have had; absent: those of `usageTerms`. */
  terms?: BillTerms;
}

/** Writes the totals of taken usage. Those without a bill keep the discounts and taxes that later corrections have. */
export async function writeTotals(
  em: EntityManager,
  locked: LockedSubscription,
  { totals, invoice, lineIds, terms: asked }: BillOfTotals,
): Promise<void> {
  const { accountId } = locked.subscription;
  const [first] = invoice ? [] : totals.filter(({ terms }) => terms);
  const adjustments = first ? await withTaxes(em, locked, asked ?? (await usageTerms(em, locked))) : null;
  const unwritten = first && adjustments ? { id: first.id, ...adjustments } : null;
  for (const { terms, ...total } of totals)
    em.append(UsageTotal, {
      ...total,
      terms: terms && { ...terms, unwritten },
      accountId,
      invoiceId: invoice?.id ?? null,
      lineId: lineIds?.get(total.id) ?? null,
      createdAt: locked.moment.now,
    });
}

type TakenSpan = Span & { totalId: number };

type PricedSpan = TakenSpan & TakenUsage & { amount: Money; isLate: boolean };

/** Whether a component that goes on has a line for the period that has just ended, although nothing was used. */
function isShown({ rate, endAt, isLate }: PricedSpan, { showsZero = false, until }: UsageAsked): boolean {
  const goesOn = !rate.untilAt || rate.untilAt >= until;
  return showsZero && !isLate && goesOn && endAt === until.getTime();
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
    throw new TooLarge('amount_too_large', `Usage must be below ${AMOUNT_BELOW}: ${quantity}`, 'quantity');
  const amount =
    span.before === null
      ? usageAmount(pricing, quantity, currency)
      : lateAmount(pricing, { before: span.before, late: quantity }, currency);
  checkAmount(amount, 'quantity');
  return { ...span, quantity, records, isLate, amount };
}

function totalOf(span: PricedSpan): UsedTotal {
  const { rate, totalId: id, turn, startAt, endAt, quantity, records, amount, free } = span;
  const time = { startAt: new Date(startAt), endAt: new Date(endAt) };
  return { rate, id, turn, ...time, quantity, records, amount, free };
}
