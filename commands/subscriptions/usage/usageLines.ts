import type { CreditedPart } from '../../../billing/documents/creditedLines.ts';
import type { OpenTax } from '../../../billing/documents/document.ts';
import { add, isNegative, isZero, type Money, negate, sum } from '../../../billing/money/money.ts';
import type { BilledDifference } from '../../../billing/usage/lateUsage.ts';
import type { UsageComponent } from '../../../billing/usage/usage.ts';
import type { UsageRate } from '../../../db/schema/usage.ts';
import { labelsOf } from '../../../words/labels/words.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import { type DocumentLine, newLine } from '../../documents/lines.ts';
import { type Component, componentLines, usageComponentsOf } from '../changes/components.ts';

/** Taken usage of a span with its price. Epoch milliseconds. */
export interface PricedUsage {
  rate: UsageRate;
  startAt: number;
  endAt: number;
  quantity: string;
  amount: Money;
  free: boolean;
  isLate: boolean;
  /** What the bill has for late usage, after discounts; empty if it is not late. */
  differences: readonly BilledDifference[];
  /** The invoices that took late usage first. */
  credited: CreditedPart[];
  /** Whether it is late because the invoice that billed it was voided. */
  isAgain: boolean;
  /** Whether it has a line even if nothing was used. */
  showsZero: boolean;
}

/** Maximum number of lines of usage on one bill. Beyond it, each component has one line. */
const MOST_LINES = 300;
/** The same for taxes on the lines of late usage. */
const MOST_TAXES = 2000;

/** Spans and the lines that bill them. */
export interface LinesOfSpans<Span> {
  spans: readonly Span[];
  lines: DocumentLine[];
}

/**
 * The lines that bill usage of each span. If they are more than `MOST_LINES`, the spans of the plan and of each add-on are summed up, late
 * usage apart. `taxes`: the tax rates of items by id.
 */
export function usageLines<Span extends PricedUsage>(
  locked: LockedSubscription,
  spans: readonly Span[],
  taxes: ReadonlyMap<number, OpenTax>,
): LinesOfSpans<Span>[] {
  const alone = spans.map((span) => ({ spans: [span], lines: linesOf(locked, span, { taxes, isSummed: false }) }));
  const lines = alone.flatMap((one) => one.lines);
  const taxesOfLate = spans.flatMap(({ differences }) => differences.flatMap((one) => one.taxes));
  if (lines.length <= MOST_LINES && taxesOfLate.length <= MOST_TAXES) return alone;
  const together = Map.groupBy(spans, ({ rate, isLate }) => `${rate.addonId ?? null} ${isLate}`);
  return [...together.values()].map((own) => ({
    spans: own,
    lines: linesOf(locked, summedUp(locked, own), { taxes, isSummed: true }),
  }));
}

function summedUp({ plan }: LockedSubscription, spans: readonly PricedUsage[]): PricedUsage {
  const [first] = spans;
  if (!first) throw new Error('no usage to sum up');
  const billed = spans.filter(({ free }) => !free);
  const isCredit = isNegative(add('0', ...billed.map(priceOf)));
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
    differences: summedDifferences(billed.flatMap(({ differences }) => differences)),
    isAgain: billed.every(({ isAgain }) => isAgain),
    credited: billed.filter((one) => isNegative(priceOf(one)) === isCredit).flatMap(({ credited }) => credited),
  };
}

/** The invoice to which the credit for late usage falls that is less than before. More usage falls to none, but takes back credits. */
export function creditedBy(differences: readonly BilledDifference[], invoice: number | null): CreditedPart[] {
  const price = priceOf({ differences });
  return invoice === null || isZero(price) ? [] : [{ invoice, amount: isNegative(price) ? negate(price) : price }];
}

function priceOf({ differences }: Pick<PricedUsage, 'differences'>): Money {
  return add('0', ...differences.map(({ price }) => price));
}

/** Differences with the same rates as one. */
function summedDifferences(all: readonly BilledDifference[]): BilledDifference[] {
  return [...Map.groupBy(all, ({ rates }) => rates)].flatMap(([rates, [first, ...more]]) => {
    if (!first) return [];
    const given = (place: number) => add('0', ...[first, ...more].map(({ taxes }) => taxes[place]?.given ?? '0'));
    const taxes = first.taxes.map((tax, place) => ({ ...tax, given: given(place) }));
    return [{ rates, price: add(first.price, ...more.map(({ price }) => price)), taxes }];
  });
}

function linesOf(
  locked: LockedSubscription,
  span: PricedUsage,
  { taxes, isSummed }: { taxes: ReadonlyMap<number, OpenTax>; isSummed: boolean },
): DocumentLine[] {
  const { rate, quantity, amount, free, isLate, differences, credited, isAgain, showsZero, startAt, endAt } = span;
  if (free || (isZero(quantity) && isZero(amount) && !showsZero)) return [];
  const dates = { periodStartAt: new Date(startAt), periodEndAt: new Date(endAt) };
  const component = currentComponent(locked, rate) ?? asComponent(rate.component, quantity);
  const labels = labelsOf(locked.customer.language ?? locked.moment.caller.account.language);
  if (!isLate && !isSummed)
    return componentLines({ ...component, quantity }, { rates: taxes, labels }).map((line) => ({ ...line, ...dates }));
  const own = component.taxRateIds.flatMap((id) => taxes.get(id) ?? []);
  const counted = `${labels.quantity}: ${quantity}`;
  if (!isLate) return [newLine({ ...component.line, ...dates, description: counted, taxes: own, unitCost: amount })];
  const [label, size] = isNegative(quantity)
    ? [labels.usageCorrection, negate(quantity)]
    : [labels.lateUsage, quantity];
  const described = isAgain && !isNegative(quantity) ? counted : `${label}, ${labels.quantity}: ${size}`;
  // Discounts and taxes of the bill skip these lines: they have those of the bill that took the span.
  const late = { ...component.line, ...dates, discountable: false, taxable: false };
  const priced = credited.length > 0 ? { ...late, credited } : late;
  return differences.map((one, index) =>
    newLine({ ...priced, description: index === 0 ? described : label, unitCost: one.price, taxes: one.taxes }),
  );
}

/** The component of a rate that still counts, as the catalog has it now. */
function currentComponent(locked: LockedSubscription, rate: UsageRate): Component | null {
  if (rate.untilAt) return null;
  return usageComponentsOf(locked).find(({ addonId }) => addonId === (rate.addonId ?? null)) ?? null;
}

/** The component of a rate that has ended, as it was. */
function asComponent(kept: UsageComponent, quantity: string): Component {
  const { addonId, pricing, description, taxRateIds, ...sold } = kept;
  const line = { ...sold, addonId, type: 'plan' };
  return { addonId, isUsage: true, pricing, quantity, description, taxRateIds, line };
}
