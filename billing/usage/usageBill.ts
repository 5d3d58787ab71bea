import type { OpenDiscount, OpenDocument, OpenLine, OpenTax } from '../documents/document.ts';
import { type Pricing, planLines } from '../documents/pricing.ts';
import { add, compare, isZero, type Money, multiply, subtract, sum } from '../money/money.ts';
import type { Period } from '../time/periods.ts';
import { usageAmount } from './usage.ts';

/** A line of a bill that may bill usage. */
export interface BillLine extends OpenLine {
  addonId: number | null;
  planCode: string | null;
  /** Null: it bills no period. */
  period: Period | null;
  /** Whether it was pending before. */
  isSwept: boolean;
}

/** Usage of a plan or add-on in a span of time that a bill has taken. */
export interface BilledUsage extends Period {
  /** Null: the plan of the subscription. */
  addonId: number | null;
  planCode: string;
  pricing: Pricing;
  /** Quantity that the bill took, decimal text. */
  took: string;
  /** What a line of it has if the bill has none, because nothing was used. */
  line: Pick<OpenLine, 'discountable' | 'taxable' | 'taxes'>;
}

/** A bill that took usage. Without a bill, what it would have had: no lines. */
export interface UsageBill {
  currency: string;
  lines: readonly BillLine[];
  discounts: OpenDiscount[];
  taxes: OpenTax[];
  usage: readonly BilledUsage[];
}

/** Where a bill has usage: indexes of its lines, and of its `usage` that they bill. */
interface Place {
  lines: number[];
  usage: number[];
  /** Whether the lines are those of the quantity in the pricing of the plan. Otherwise they are summed up, or were changed. */
  isPriced: boolean;
}

/** The bill as it would be with other quantities of its usage, in the order of its `usage`. */
export function withQuantities(bill: UsageBill, quantities: readonly string[]): OpenDocument {
  const { currency, discounts, taxes } = bill;
  const places = placesOf(bill);
  const replaced = new Map(places.map((place) => [place.lines[0], linesOf(bill, place, quantities)]));
  const gone = new Set(places.flatMap(({ lines }) => lines));
  const lines = bill.lines.flatMap((line, index) => replaced.get(index) ?? (gone.has(index) ? [] : [line]));
  const added = places.filter(({ lines: found }) => found.length === 0);
  const end = bill.lines.findIndex(({ isSwept }) => isSwept);
  const own = end < 0 ? lines.length : lines.length - (bill.lines.length - end);
  lines.splice(own, 0, ...added.flatMap((place) => linesOf(bill, place, quantities)));
  return { currency, discounts, taxes, lines };
}

function placesOf({ lines, usage, currency }: UsageBill): Place[] {
  const found = usage.map((one) => linesWith(lines, one));
  const byFirst = Map.groupBy(usage.keys(), (index) => found[index]?.[0] ?? `none ${index}`);
  return [...byFirst.values()].map((together) => {
    const [first = 0] = together;
    const own = found[first] ?? [];
    const one = usage[first];
    const isPriced =
      together.length === 1 &&
      one !== undefined &&
      isPricedBy(
        one,
        own.map((at) => lines[at]),
        currency,
      );
    return { lines: own, usage: together, isPriced };
  });
}

/** The lines that bill usage: those of its span, or else the line that sums up several spans. */
function linesWith(lines: readonly BillLine[], { addonId, planCode, startAt, endAt }: BilledUsage): number[] {
  const own = [...lines.entries()].filter(
    ([, line]) => !line.isSwept && line.addonId === addonId && line.planCode === planCode,
  );
  const exact = own.filter(([, { period }]) => period?.startAt === startAt && period.endAt === endAt);
  const around = own.filter(([, { period }]) => period && period.startAt <= startAt && endAt <= period.endAt);
  return (exact.length > 0 ? exact : around.slice(0, 1)).map(([index]) => index);
}

/** Whether lines are those of a quantity of a plan, at its prices. No lines: whether nothing was used. */
function isPricedBy(
  { pricing, took }: BilledUsage,
  lines: readonly (BillLine | undefined)[],
  currency: string,
): boolean {
  if (lines.length === 0) return isZero(took);
  const quantity = add('0', ...lines.map((line) => line?.quantity ?? '0'));
  if (compare(quantity, '0') < 0) return false;
  const priced = planLines(pricing, quantity);
  const isSame = priced.every(({ quantity: part, unitCost }, index) => {
    const line = lines[index];
    return line && compare(line.quantity, part) === 0 && compare(line.unitCost, unitCost) === 0;
  });
  const amounts = priced.map((line) => multiply(line.quantity, line.unitCost, currency));
  return (
    isSame &&
    priced.length === lines.length &&
    compare(sum(amounts, currency), usageAmount(pricing, took, currency)) === 0
  );
}

function linesOf(bill: UsageBill, { lines, usage, isPriced }: Place, quantities: readonly string[]): OpenLine[] {
  const { currency } = bill;
  const [index = 0] = usage;
  const one = bill.usage[index];
  if (!one) throw new Error('no usage at its place');
  const first = bill.lines[lines[0] ?? -1];
  const like = first ?? { ...one.line, discounts: [] };
  const { discountable, taxable, discounts, taxes } = like;
  const attributes = { discountable, taxable, discounts, taxes };
  if (isPriced)
    return planLines(one.pricing, quantities[index] ?? '0').map(({ quantity, unitCost }) => ({
      quantity,
      unitCost,
      ...attributes,
    }));
  const billed = lines.map((at) => amountOf(bill.lines[at], currency));
  const more = usage.map((at) => moreOf(bill.usage[at], quantities[at] ?? '0', currency));
  return [{ quantity: '1', unitCost: sum([...billed, ...more], currency), ...attributes }];
}

function amountOf(line: BillLine | undefined, currency: string): Money {
  return multiply(line?.quantity ?? '0', line?.unitCost ?? '0', currency);
}

/** The price of a quantity less that of the quantity which the bill took. */
function moreOf(usage: BilledUsage | undefined, quantity: string, currency: string): Money {
  if (!usage) return '0';
  const { pricing, took } = usage;
  return subtract(usageAmount(pricing, quantity, currency), usageAmount(pricing, took, currency));
}
