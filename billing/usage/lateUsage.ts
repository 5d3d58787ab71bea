import { type OpenDiscount, type OpenTax, type RateGroup, rateGroupsOf } from '../documents/document.ts';
import { add, allocate, isNegative, isPositive, isZero, type Money, negate, subtract } from '../money/money.ts';
import { type UsageBill, withQuantities } from './usageBill.ts';

/** What the first total of a span of usage keeps for later corrections. */
export interface UsageTerms {
  /** Quantity that its bill took, also if the bill was voided since. Decimal text. */
  took: string;
  /** Tax rates of its item. */
  lineTaxes: OpenTax[];
  /** If no bill was written, because nothing was used: what it would have had. `id`: the first total of those that it would have taken. */
  unwritten: { id: number; discounts: OpenDiscount[]; taxes: OpenTax[] } | null;
}

/** What a bill has for late usage, after discounts, on lines with the same tax rates. */
export interface BilledDifference {
  /** Key of the tax rates. */
  rates: string;
  /** With inclusive taxes. Negative: a credit. */
  price: Money;
  /** The taxes, whose amounts are given. */
  taxes: OpenTax[];
}

/** Late usage in one span of a bill. `index`: the place of the span in the bill's `usage`. Quantities are decimal text. */
export interface LateUsage {
  index: number;
  quantity: string;
}

/** A bill that took usage, and what was billed of its spans since. */
export interface CorrectedBill extends UsageBill {
  /** The quantity of each span that is billed at the prices of the bill: what it took, unless it is voided, and what earlier versions billed later. */
  counted: readonly string[];
  /** Further quantity of each span that was billed later. */
  later: readonly string[];
  /** What was billed for it. */
  differences: readonly BilledDifference[];
}

/**
 * What late usage costs, one step after another. Each step computes the bill again with the usage so far, less what was billed before. All
 * differences together are those of the bill computed once. A step has at least one part, which comes first: the one with the tax rates of
 * its first usage.
 */
export function differencesOf(bill: CorrectedBill, steps: readonly (readonly LateUsage[])[]): BilledDifference[][] {
  const quantities = bill.counted.map((counted, index) => add(counted, bill.later[index] ?? '0'));
  let billed = plus(groupsOf(rateGroupsOf(withQuantities(bill, bill.counted))), bill.differences);
  return steps.map((late) => {
    for (const { index, quantity } of late) quantities[index] = add(quantities[index] ?? '0', quantity);
    // Usage of a voided bill that a later step bills again can be less than what was taken back of it.
    const due = groupsOf(rateGroupsOf(withQuantities(bill, quantities.map(orZero))));
    const rates = ratesOfUsage(bill, late[0]?.index ?? 0);
    const parts = partsOf(due, billed, rates);
    billed = due;
    return parts;
  });
}

const orZero = (quantity: string) => (isNegative(quantity) ? '0' : quantity);

interface Part extends BilledDifference {
  amounts: Money[];
}

type Parts = ReadonlyMap<string, Part>;

function groupsOf(groups: ReadonlyMap<string, RateGroup>): Parts {
  return new Map(
    [...groups].map(([rates, { price, taxes }]) => [
      rates,
      { rates, price, taxes: taxes.map(({ tax }) => tax), amounts: taxes.map(({ amount }) => amount) },
    ]),
  );
}

function plus(parts: Parts, differences: readonly BilledDifference[]): Parts {
  const all = new Map(parts);
  for (const { rates, price, taxes } of differences) {
    const amounts = taxes.map(({ given }) => given ?? '0');
    const known = all.get(rates);
    all.set(rates, {
      rates,
      taxes,
      price: add(known?.price ?? '0', price),
      amounts: amounts.map((amount, index) => add(known?.amounts[index] ?? '0', amount)),
    });
  }
  return all;
}

/** Identifies the rates that tax a span's usage, by computing its line alone. */
function ratesOfUsage(bill: UsageBill, index: number): string {
  const usage = bill.usage.slice(index, index + 1);
  const others = bill.lines.filter((line) =>
    usage.some((one) => line.addonId === one.addonId && line.planCode === one.planCode),
  );
  const alone = { ...bill, lines: others, usage };
  const [rates = '[]'] = rateGroupsOf(withQuantities(alone, ['0'])).keys();
  return rates;
}

/** What is due less what is billed: first for the usage itself, then for other lines whose share of a discount changes. */
function partsOf(due: Parts, billed: Parts, own: string): BilledDifference[] {
  const keys = [...new Set([own, ...due.keys(), ...billed.keys()])];
  return keys.flatMap((rates) => {
    const [now, before] = [due.get(rates), billed.get(rates)];
    const { taxes = [] } = now ?? before ?? {};
    const price = add(now?.price ?? '0', negate(before?.price ?? '0'));
    const amounts = taxes.map((_, index) => add(now?.amounts[index] ?? '0', negate(before?.amounts[index] ?? '0')));
    if (rates !== own && isZero(price) && amounts.every(isZero)) return [];
    return [{ rates, price, taxes: taxes.map((tax, index) => givenTax(tax, amounts[index] ?? '0')) }];
  });
}

/** A tax of a line whose amount another document determines. */
function givenTax({ fixed, taxRate, rateKey }: OpenTax, given: Money): OpenTax {
  return { id: null, fixed: taxRate ? fixed : '0', taxRate, rateKey, given };
}

/** What differences credit, with taxes. Negative: they charge. */
export function creditOf(differences: readonly BilledDifference[]): Money {
  const parts = differences.flatMap(({ price, taxes }) => {
    return [price, ...taxes.flatMap(({ taxRate, given = '0' }) => (taxRate?.inclusive ? [] : [given]))];
  });
  return negate(add('0', ...parts));
}

/** Differences that credit more than an amount, reduced to it in proportion. */
export function creditingAtMost(
  differences: readonly BilledDifference[],
  most: Money,
  currency: string,
): BilledDifference[] {
  const credit = creditOf(differences);
  const beyond = subtract(credit, most);
  if (!isPositive(beyond)) return [...differences];
  const part = (amount: Money) => allocate(amount, [most, beyond], currency)[0] ?? '0';
  const reduced = differences.map((one) => ({
    ...one,
    price: part(one.price),
    taxes: one.taxes.map(({ given = '0', ...tax }) => ({ ...tax, given: part(given) })),
  }));
  const rest = subtract(creditOf(reduced), most);
  return reduced.map((one, index) => (index === 0 ? { ...one, price: add(one.price, rest) } : one));
}
