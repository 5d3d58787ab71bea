import { Rational } from './rational.ts';
import type { Choices } from './subscriptionOracleChoices.ts';
import { type Line, type LineDiscount, minorOf, netOf, totalsOf } from './subscriptionOracleInvoice.ts';
import { type Period, shareOf } from './subscriptionOraclePeriods.ts';
import type { BilledPeriod, Cover, State } from './subscriptionOracleState.ts';
import {
  type Attached,
  type Component,
  componentsOf,
  couponsOfToday,
  minorText,
  pricesOf,
  ratesOn,
  sameComponent,
  type Terms,
} from './subscriptionOracleTerms.ts';
import { decimalsOf } from './totalsOracle.ts';

// Lines of the oracle of subscriptions: those of a whole period, and prorated ones.

type Span = Pick<Period, 'start' | 'end'>;

/** The lines that bill a component for a whole period. */
export function wholeLines(component: Component, { start, end }: Span, choices: Choices): Line[] {
  return pricesOf(component, choices).map((price) => {
    return { ...lineOf(component, { start, end }), ...price, kind: 'period', prorated: false };
  });
}

/** The line that bills a component for a part of a period. Its price is rounded once. */
export function partLine(component: Component, span: Span, part: { share: Rational; state: State }): Line {
  const { share, state } = part;
  const price = priceOf(component, state).times(share).nearest();
  return { ...lineOf(component, span), ...costing(price, state), kind: 'period', prorated: true };
}

function lineOf({ id, product, rules }: Component, { start, end }: Span) {
  const { taxable, discountable, taxes } = rules;
  return { component: id, product, periodStart: start, periodEnd: end, taxable, discountable, taxes, discounts: [] };
}

function costing(minor: bigint, { sold }: State): Pick<Line, 'quantity' | 'unitCost'> {
  return { quantity: '1', unitCost: minorText(minor, decimalsOf(sold.currency)) };
}

/** The price of a component for a whole period before discounts, in minor units. */
export function priceOf(component: Component, { choices, sold }: State): Rational {
  const exact = pricesOf(component, choices).map(({ quantity, unitCost }) =>
    Rational.of(quantity).times(minorOf(unitCost, sold.currency)),
  );
  return Rational.sum(choices.proratedPrice === 'exact' ? exact : exact.map((one) => new Rational(one.nearest())));
}

/** Prorates a change of terms from an instant until the end of the last billed period. The lines become pending. */
export function prorate(state: State, change: { before: Terms; after: Terms; from: number }): void {
  const { choices } = state;
  const ids = changedComponents(change.before, change.after, choices);
  const after = byId(change.after);
  for (const period of state.billed.filter(({ end }) => end > change.from)) {
    const from = Math.max(change.from, period.start);
    for (const id of ids) {
      const component = after.get(id);
      const credits = creditsOf(state, { id, from, to: period.end });
      const skips = period.invoice.voided && !choices.chargeInVoidedPeriod;
      const charges = component && !skips ? chargeOf(state, { component, terms: change.after, period, from }) : [];
      const lines = choices.creditFirst ? credits.concat(charges) : charges.concat(credits);
      state.pending.push(...lines);
    }
  }
}

const byId = (terms: Terms) => new Map(componentsOf(terms).map((component) => [component.id, component]));

/** Components that bill differently after the change. Those of the terms before come first. */
function changedComponents(before: Terms, after: Terms, choices: Choices): string[] {
  const [was, is] = [byId(before), byId(after)];
  const all = [...new Set([...was.keys(), ...is.keys()])];
  const couponIds = ({ coupons }: Terms) => JSON.stringify(coupons.map(({ coupon }) => coupon.id));
  const rateIds = ({ taxes }: Terms) => JSON.stringify(taxes.map(({ id }) => id));
  const discountsChange = choices.discountsProrate && couponIds(before) !== couponIds(after);
  const taxesChange = choices.taxesProrate && rateIds(before) !== rateIds(after);
  return all.filter((id) => discountsChange || taxesChange || !sameComponent(was.get(id), is.get(id)));
}

/** Credits the unused rest of each billed or pending price of a component between two instants. One line each. */
export function creditsOf(state: State, at: { id: string; from: number; to: number }): Line[] {
  const unused = state.covers.filter(
    ({ component, start, to, invoice }) =>
      component === at.id && to > at.from && start < at.to && invoice?.voided !== true,
  );
  return unused.flatMap((cover) => creditOf(state, cover, Math.max(at.from, cover.from)));
}

function creditOf(state: State, cover: Cover, from: number): Line[] {
  const share = shareOf(cover.to - from, cover.end - cover.start);
  const base = (state.choices.creditOf === 'exact' && cover.exact) || cover.net;
  const amount = -base.times(share).nearest();
  const span = { periodStart: from, periodEnd: cover.to };
  cover.to = from;
  const rules = { discountable: false, discounts: [], taxable: false, taxes: cover.taxes };
  const about = { component: cover.component, product: cover.product, kind: 'credit' as const, prorated: true };
  return kept(state, { ...about, ...span, ...costing(amount, state), ...rules });
}

function kept({ choices }: State, line: Line): Line[] {
  return choices.zeroLines === 'omit' && Rational.of(line.unitCost).sign() === 0 ? [] : [line];
}

interface Charged {
  component: Component;
  terms: Terms;
  period: BilledPeriod;
  from: number;
}

/** Charges a component for the rest of a billed period, with today's discounts and rates. */
function chargeOf(state: State, { component, terms, period, from }: Charged): Line[] {
  const { choices, sold } = state;
  const share = shareOf(period.end - from, period.end - period.wholeStart);
  const today = couponsOfToday(terms, period.start, choices);
  const nets = netsInBill(state, { component, terms, today });
  const isNet = choices.chargeDiscounts === 'netOfBill';
  const price = ((isNet ? nets.at(-1) : nets[0]) ?? new Rational(0n)).times(share).nearest();
  const { rules } = component;
  const ofBill = isNet || choices.chargeDiscounts === 'shareOfBill';
  const parts = isNet ? [] : sharesOfDiscounts(state, { nets, today, share });
  const discounts = ofBill ? parts : onLine(state, { rules, today });
  const fixesTaxes = choices.chargeTaxes === 'atChange';
  const line: Line = {
    ...lineOf(component, { start: from, end: period.end }),
    ...costing(price, state),
    kind: 'charge',
    prorated: true,
    discounts,
    discountable: choices.chargeDiscounts === 'ofInvoice' && rules.discountable,
    taxable: fixesTaxes ? false : rules.taxable,
    taxes: fixesTaxes ? ratesOn(rules, terms.taxes) : rules.taxes,
  };
  const coupons = today.map(({ coupon }) => coupon);
  const alone = totalsOf({ lines: [line], coupons, taxes: [], currency: sold.currency });
  const lines = kept(state, line);
  if (lines.length === 0) return [];
  const whole = { from, to: period.end, start: from, end: period.end };
  const last = nets.at(-1) ?? new Rational(0n);
  const about = { component: component.id, product: component.product, lines, invoice: null };
  const net = new Rational(alone.lines.reduce((sum, one) => sum + netOf(one), 0n));
  const exact = ofBill ? last.times(share) : null;
  state.covers.push({ ...about, ...whole, net, exact, taxes: ratesOn(line, terms.taxes) });
  return lines;
}

/** The component's price in a whole period's bill: before discounts, after the first coupon, and so on. */
function netsInBill(state: State, of: { component: Component; terms: Terms; today: readonly Attached[] }): Rational[] {
  const { choices, sold } = state;
  const lines = componentsOf(of.terms).flatMap((one) => wholeLines(one, { start: 0, end: 0 }, choices));
  const after = of.today.map((_, index) => {
    const coupons = of.today.slice(0, index + 1).map(({ coupon }) => coupon);
    const totals = totalsOf({ lines, coupons, taxes: [], currency: sold.currency });
    const own = totals.lines.filter(({ component }) => component === of.component.id).map(netOf);
    return new Rational(own.reduce((sum, net) => sum + net, 0n));
  });
  return [priceOf(of.component, state)].concat(after);
}

/** Each coupon's discount of a charge, as amounts. The price after all of them is the rounded share of the bill's. */
function sharesOfDiscounts(
  { sold }: State,
  { nets, today, share }: { nets: readonly Rational[]; today: readonly Attached[]; share: Rational },
): LineDiscount[] {
  const parts = nets.map((net) => net.times(share).nearest());
  return today.flatMap(({ coupon }, index) => {
    const off = (parts[index] ?? 0n) - (parts[index + 1] ?? 0n);
    return off > 0n ? [{ coupon: coupon.id, value: minorText(off, decimalsOf(sold.currency)), isPercent: false }] : [];
  });
}

function onLine(
  { choices }: State,
  { rules, today }: { rules: { discountable: boolean }; today: readonly Attached[] },
): LineDiscount[] {
  if (choices.chargeDiscounts !== 'onLine' || !rules.discountable) return [];
  const percentages = today.filter(({ coupon }) => coupon.isPercent);
  return percentages.map(({ coupon }) => ({ coupon: coupon.id, value: coupon.value, isPercent: true }));
}

/** Credits what is billed after an instant. */
export function creditAll(state: State, from: number): void {
  const ids = [...new Set(state.covers.map(({ component }) => component))];
  for (const id of ids) state.pending.push(...creditsOf(state, { id, from, to: Number.POSITIVE_INFINITY }));
}
