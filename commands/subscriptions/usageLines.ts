import type { OpenTax } from '../../billing/document.ts';
import { add, isNegative, isZero, type Money, negate, sum } from '../../billing/money.ts';
import type { UsageComponent } from '../../billing/usage.ts';
import type { UsageRate } from '../../db/schema/usageRate.ts';
import { labelsOf } from '../../present/printed/labels.ts';
import type { LockedSubscription } from '../aggregates/subscription.ts';
import { type DocumentLine, newLine } from '../documents/lines.ts';
import { type Component, componentLines, usageComponentsOf } from './components.ts';

/** Taken usage of a span with its price. Epoch milliseconds. */
export interface PricedUsage {
  rate: UsageRate;
  startAt: number;
  endAt: number;
  quantity: string;
  amount: Money;
  free: boolean;
  isLate: boolean;
  /** Whether it has a line even if nothing was used. */
  showsZero: boolean;
}

/** Maximum number of lines of usage on one bill. Beyond it, each component has one line. */
const MOST_LINES = 300;

/**
 * The lines that bill usage, one list per span. If they are more than `MOST_LINES`, the spans of the plan and of each add-on are summed up
 * to one list each. `taxes`: the tax rates of items by id.
 */
export function usageLines(
  at: LockedSubscription,
  spans: readonly PricedUsage[],
  taxes: ReadonlyMap<number, OpenTax>,
): DocumentLine[][] {
  const lines = spans.map((span) => linesOf(at, span, { taxes, isSummed: false }));
  if (lines.flat().length <= MOST_LINES) return lines;
  const summed = [...Map.groupBy(spans, ({ rate }) => rate.addonId ?? null).values()].map((own) => summedUp(at, own));
  return summed.map((span) => linesOf(at, span, { taxes, isSummed: true }));
}

function summedUp({ plan }: LockedSubscription, spans: readonly PricedUsage[]): PricedUsage {
  const [first] = spans;
  if (!first) throw new Error('no usage to sum up');
  const billed = spans.filter(({ free }) => !free);
  return {
    ...first,
    rate: spans.at(-1)?.rate ?? first.rate,
    startAt: Math.min(...spans.map(({ startAt }) => startAt)),
    endAt: Math.max(...spans.map(({ endAt }) => endAt)),
    quantity: add('0', ...billed.map(({ quantity }) => quantity)),
    amount: sum(
      billed.map(({ amount }) => amount),
      plan.currency,
    ),
    free: false,
  };
}

function linesOf(
  at: LockedSubscription,
  span: PricedUsage,
  { taxes, isSummed }: { taxes: ReadonlyMap<number, OpenTax>; isSummed: boolean },
): DocumentLine[] {
  const { rate, quantity, amount, free, isLate, showsZero, startAt, endAt } = span;
  if (free || (isZero(quantity) && isZero(amount) && !showsZero)) return [];
  const dates = { periodStartAt: new Date(startAt), periodEndAt: new Date(endAt) };
  const component = currentComponent(at, rate) ?? asComponent(rate.component, quantity);
  const labels = labelsOf(at.customer.language ?? at.moment.caller.account.language);
  if (!isLate && !isSummed)
    return componentLines({ ...component, quantity }, { rates: taxes, labels }).map((line) => ({ ...line, ...dates }));
  const own = component.taxRateIds.flatMap((id) => taxes.get(id) ?? []);
  const [label, size] = isNegative(quantity)
    ? [labels.usageCorrection, negate(quantity)]
    : [labels.lateUsage, quantity];
  const description = isLate ? `${label}, ${labels.quantity}: ${size}` : `${labels.quantity}: ${quantity}`;
  return [newLine({ ...component.line, ...dates, description, quantity: '1', taxes: own, unitCost: amount })];
}

/** The component of a rate that still counts, as the catalog has it now. */
function currentComponent(at: LockedSubscription, rate: UsageRate): Component | null {
  if (rate.untilAt) return null;
  return usageComponentsOf(at).find(({ addonId }) => addonId === (rate.addonId ?? null)) ?? null;
}

/** The component of a rate that has ended, as it was. */
function asComponent(kept: UsageComponent, quantity: string): Component {
  const { addonId, pricing, description, taxRateIds, ...sold } = kept;
  const line = { ...sold, addonId, type: 'plan' };
  return { addonId, isUsage: true, pricing, quantity, description, taxRateIds, line };
}
