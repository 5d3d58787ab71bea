import type { DiscountTerm, Priced, PricedLine, TaxTerm } from '../../billing/documents/totals.ts';
import { Rational } from './rational.ts';

// A second implementation of docs/calculation.md, with exact fractions of minor units. It uses nothing from billing/ except the types of its
// input.

const DECIMALS: readonly [number, string][] = [
  [0, 'bif clp djf gnf isk jpy kmf krw pyg rwf ugx uyi vnd vuv xaf xof xpf'],
  [3, 'bhd iqd jod kwd lyd omr tnd'],
  [4, 'clf uyw'],
];

export function decimalsOf(currency: string): number {
  return DECIMALS.find(([, codes]) => codes.split(' ').includes(currency))?.[0] ?? 2;
}

/** All amounts are whole minor units. */
export interface OracleTotals {
  lines: { amount: bigint; discounts: bigint[]; taxes: bigint[]; net: bigint }[];
  discounts: bigint[];
  taxes: bigint[];
  subtotal: bigint;
  discountTotal: bigint;
  taxTotal: bigint;
  total: bigint;
}

const ZERO = new Rational(0n);
const ONE = new Rational(1n);
const HUNDREDTH = new Rational(1n, 100n);

const whole = (value: bigint) => new Rational(value);
const total = (values: readonly bigint[]) => values.reduce((soFar, value) => soFar + value, 0n);

export function oracleTotals(document: Priced): OracleTotals {
  const unit = new Rational(10n ** BigInt(decimalsOf(document.currency)));
  const amounts = document.lines.map(({ quantity, unitCost }) =>
    Rational.of(quantity).times(Rational.of(unitCost)).times(unit).nearest(),
  );
  const left = [...amounts];
  const ownDiscounts = document.lines.map((line, at) =>
    line.discounts.map((discount) => takeOff(discount, { unit, left, from: [at] })),
  );
  const discountable = document.lines.flatMap((line, at) => (line.discountable ? [at] : []));
  const discounts = document.discounts.map((discount) => takeOff(discount, { unit, left, from: discountable }));
  const taxes = oracleTaxes(document, left, unit);
  const nets = left.map((price, at) => price - total(taxes.contained.map((tax) => tax[at] ?? 0n)));
  const discountTotal = total([...ownDiscounts.flat(), ...discounts]);
  const taxTotal = total([...taxes.ofLines.flat(), ...taxes.ofDocument]);
  return {
    lines: amounts.map((amount, at) => ({
      amount,
      discounts: ownDiscounts[at] ?? [],
      taxes: taxes.ofLines[at] ?? [],
      net: nets[at] ?? 0n,
    })),
    discounts,
    taxes: taxes.ofDocument,
    subtotal: total(nets) + discountTotal,
    discountTotal,
    taxTotal,
    total: total(nets) + taxTotal,
  };
}

/** Subtracts a discount from the lines `from`, in place. Returns the subtracted amount. */
function takeOff({ value, isPercent }: DiscountTerm, on: { unit: Rational; left: bigint[]; from: number[] }): bigint {
  const prices = on.from.map((at) => whole(on.left[at] ?? 0n));
  const all = Rational.sum(prices);
  let parts: bigint[];
  if (isPercent) {
    const asked = Rational.of(value).times(HUNDREDTH);
    const share = asked.compare(ONE) > 0 ? ONE : asked;
    parts = shareOut(prices.map((price) => price.times(share)));
  } else {
    const asked = whole(Rational.of(value).times(on.unit).nearest());
    const taken = all.sign() <= 0 ? ZERO : asked.compare(all) > 0 ? all : asked;
    parts = shareOutFixed(taken, prices);
  }
  for (const [index, at] of on.from.entries()) on.left[at] = (on.left[at] ?? 0n) - (parts[index] ?? 0n);
  return total(parts);
}

/** Rounds exact shares to whole units that add up to the rounded sum. */
function shareOut(shares: readonly Rational[]): bigint[] {
  const sum = Rational.sum(shares);
  const turned = sum.sign() < 0 ? shares.map((share) => ZERO.minus(share)) : shares;
  const [gains, losses] = [1, -1].map((sign) => turned.map((share) => (share.sign() === sign ? share : ZERO)));
  if (!gains || !losses) throw new Error('two sides');
  const gained = Rational.sum(gains).nearest();
  const lost = Rational.sum(turned).nearest() - gained;
  const up = hamilton(gained, gains);
  const down = hamilton(
    -lost,
    losses.map((share) => ZERO.minus(share)),
  );
  return up.map((part, index) => (part - (down[index] ?? 0n)) * (sum.sign() < 0 ? -1n : 1n));
}

function shareOutFixed(amount: Rational, over: readonly Rational[]): bigint[] {
  return hamilton(
    amount.nearest(),
    over.map((one) => (one.sign() > 0 ? one : ZERO)),
  );
}

/** Hamilton's method (largest remainder): each gets the whole part of its proportional share. The rest goes to the largest remainders, ties to the first. */
function hamilton(seats: bigint, weights: readonly Rational[]): bigint[] {
  const all = Rational.sum(weights);
  if (all.sign() === 0) {
    if (seats !== 0n) throw new Error('there are no weights to share by');
    return weights.map(() => 0n);
  }
  const quotas = weights.map((weight) => weight.times(whole(seats)).dividedBy(all));
  const parts = quotas.map((quota) => quota.floor());
  while (total(parts) < seats) {
    const lacks = quotas.map((quota, index) => quota.minus(whole(parts[index] ?? 0n)));
    const most = lacks.reduce((best, lack) => (lack.compare(best) > 0 ? lack : best));
    const winner = lacks.findIndex((lack) => lack.compare(most) === 0);
    parts[winner] = (parts[winner] ?? 0n) + 1n;
  }
  return parts;
}

interface OracleTaxes {
  ofLines: bigint[][];
  ofDocument: bigint[];
  /** For each inclusive rate: its part of each line. */
  contained: bigint[][];
}

const sameRate = (one: TaxTerm, other: TaxTerm) => JSON.stringify(identity(one)) === JSON.stringify(identity(other));
const identity = ({ key, value, isPercent, inclusive }: TaxTerm) => [key, value, isPercent, inclusive];

/** A rate that applies to a line, and its index among the taxes of the line (`own`) or of the document. */
type Shown = { term: TaxTerm; own: number } | { term: TaxTerm; ofDocument: number };

function taxesShownOn(line: PricedLine, document: Priced): Shown[] {
  const own = line.taxes.map((term, at) => ({ term, own: at }));
  const shared = line.taxable ? document.taxes.map((term, at) => ({ term, ofDocument: at })) : [];
  const all: Shown[] = [...own, ...shared];
  return all.filter(({ term }, at) => all.findIndex((other) => other.term.key === term.key) === at);
}

function oracleTaxes(document: Priced, left: readonly bigint[], unit: Rational): OracleTaxes {
  const shown = document.lines.map((line) => taxesShownOn(line, document));
  const rates: TaxTerm[] = [];
  for (const { term } of shown.flat()) if (!rates.some((rate) => sameRate(rate, term))) rates.push(term);
  const prices = left.map(whole);
  const amounts = new Map<TaxTerm, bigint[]>();
  const touches = (rate: TaxTerm, at: number) => (shown[at] ?? []).some(({ term }) => sameRate(term, rate));
  const flat = (rate: TaxTerm) => {
    const touched = prices.map((price, at) => (touches(rate, at) ? price : ZERO));
    const all = Rational.sum(touched);
    const asked = whole(Rational.of(rate.value).times(unit).nearest());
    const capped = rate.inclusive && asked.compare(all) > 0 ? all : asked;
    return shareOutFixed(all.sign() > 0 ? capped : ZERO, touched);
  };
  for (const rate of rates.filter((one) => !one.isPercent && one.inclusive)) {
    const parts = flat(rate);
    amounts.set(rate, parts);
    for (const [at, part] of parts.entries()) prices[at] = (prices[at] ?? ZERO).minus(whole(part));
  }
  const nets = prices.map((price, at) => {
    const contained = rates.filter((rate) => rate.isPercent && rate.inclusive && touches(rate, at));
    const percentages = contained.map((rate) => Rational.of(rate.value).times(HUNDREDTH));
    return price.dividedBy(ONE.plus(Rational.sum(percentages)));
  });
  for (const rate of rates.filter((one) => one.isPercent)) {
    const percentage = Rational.of(rate.value).times(HUNDREDTH);
    amounts.set(rate, shareOut(nets.map((net, at) => (touches(rate, at) ? net.times(percentage) : ZERO))));
  }
  for (const rate of rates.filter((one) => !one.isPercent && !one.inclusive)) amounts.set(rate, flat(rate));
  const partOf = (term: TaxTerm, at: number) => {
    const rate = rates.find((one) => sameRate(one, term));
    return (rate && amounts.get(rate)?.[at]) ?? 0n;
  };
  const ofDocument = document.taxes.map((_, entry) =>
    total(
      shown.flatMap((all, at) =>
        all.filter((one) => 'ofDocument' in one && one.ofDocument === entry).map(({ term }) => partOf(term, at)),
      ),
    ),
  );
  const ofLines = document.lines.map((line, at) =>
    line.taxes.map((term, entry) =>
      (shown[at] ?? []).some((one) => 'own' in one && one.own === entry) ? partOf(term, at) : 0n,
    ),
  );
  const contained = rates.filter((rate) => rate.inclusive).map((rate) => amounts.get(rate) ?? []);
  return { ofLines, ofDocument, contained };
}
