import { Rational } from './rational.ts';
import type { Choices } from './subscriptionOracleChoices.ts';
import { type Line, minorOf } from './subscriptionOracleInvoice.ts';
import { type Period, shareOf } from './subscriptionOraclePeriods.ts';
import { type Charged, costs, type Instant, isAsBefore, netsOf, pricesNow } from './subscriptionOracleRests.ts';
import type { BilledPeriod, Cover, State } from './subscriptionOracleState.ts';
import {
  type Component,
  componentsOf,
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
  if (ids.length === 0) return;
  for (const period of state.billed.filter(({ end }) => end > change.from)) {
    const instant = instantOf(period, change, ids);
    const credits = ids.flatMap((id) => creditsOf(state, { id, from: change.from, period }));
    const skips = period.invoice.voided && !choices.chargeInVoidedPeriod;
    const charges = skips ? [] : chargesOf(state, { ids, after: change.after, period, instant });
    const lines = choices.creditFirst ? credits.concat(charges) : charges.concat(credits);
    state.pending.push(...lines);
  }
}

/** Components that bill differently after the change. Those of the terms before come first. */
function changedComponents(before: Terms, after: Terms, choices: Choices): string[] {
  const [was, is] = [before, after].map((terms) => new Map(componentsOf(terms).map((one) => [one.id, one])));
  const all = [...new Set([...(was?.keys() ?? []), ...(is?.keys() ?? [])])];
  const rateIds = ({ taxes }: Terms) => JSON.stringify(taxes.map(({ id }) => id));
  const taxesChange = choices.taxesProrate && rateIds(before) !== rateIds(after);
  return all.filter((id) => taxesChange || !sameComponent(was?.get(id), is?.get(id)));
}

/** The changes of a period that count from the time of this one, which is one of them. */
function instantOf(period: BilledPeriod, change: { before: Terms; from: number }, ids: readonly string[]): Instant {
  const { from } = change;
  const known = period.instant?.from === from ? period.instant : null;
  const none = { touched: new Map(), renewed: new Set<string>(), credited: new Map(), charged: new Map() };
  const instant = known ?? { from, prices: period.prices, ...none };
  period.instant = instant;
  const before = new Map(componentsOf(change.before).map((one) => [one.id, one]));
  for (const id of ids) {
    if (instant.touched.has(id) && !before.has(id)) instant.renewed.add(id);
    if (!instant.touched.has(id)) instant.touched.set(id, before.get(id));
  }
  return instant;
}

/** Credits the unused rest of what a component was billed, or has pending, in a period. */
function creditsOf(state: State, at: { id: string; from: number; period: BilledPeriod }): Line[] {
  const { start, end, instant } = at.period;
  const from = Math.max(at.from, start);
  const covers = liveCovers(state, { id: at.id, from, end }).filter(({ net }) => net.sign() !== 0);
  const [first] = covers;
  const amount = unusedOf(covers, from);
  for (const cover of covers) cover.to = from;
  if (!first || amount <= 0n) return [];
  if (instant?.from === at.from) {
    const earlier = amount - (instant.charged.get(at.id) ?? 0n);
    instant.charged.set(at.id, 0n);
    instant.credited.set(at.id, (instant.credited.get(at.id) ?? 0n) + earlier);
  }
  const rules = { discountable: false, discounts: [], taxable: false, taxes: first.taxes };
  const about = {
    component: at.id,
    product: first.product,
    kind: 'credit' as const,
    prorated: true,
    takesBack: covers,
  };
  return kept(state, { ...about, periodStart: from, periodEnd: end, ...costing(-amount, state), ...rules });
}

/** The billed or pending prices of a component in the period that ends then. */
function liveCovers({ covers }: State, of: { id: string; from: number; end: number }): Cover[] {
  return covers.filter(
    ({ component, end, to, invoice }) =>
      component === of.id && end === of.end && to > of.from && invoice?.voided !== true,
  );
}

function unusedOf(covers: readonly Cover[], from: number): bigint {
  return Rational.sum(
    covers.map(({ net, start, end }) => net.times(shareOf(end - Math.max(from, start), end - start))),
  ).nearest();
}

function kept({ choices }: State, line: Line): Line[] {
  return choices.zeroLines === 'omit' && Rational.of(line.unitCost).sign() === 0 ? [] : [line];
}

interface Rest {
  ids: readonly string[];
  after: Terms;
  period: BilledPeriod;
  instant: Instant;
}

/**
 * Charges the components that begin for the rest of a period, with the discounts of its bill and today's rates. The other components have a
 * line for what their part of these discounts becomes.
 */
function chargesOf(state: State, { ids, after, period, instant }: Rest): Line[] {
  const { currency } = state.sold;
  const bill = { coupons: period.coupons, currency };
  const present = new Map(componentsOf(after).map((component) => [component.id, component]));
  const priceOf = (component: Component) => chargedIn(period, component, state);
  const isUnbilled = period.invoice.voided;
  const was = isUnbilled ? new Map() : instant.prices;
  const now = isUnbilled
    ? new Map([...present].map(([id, component]) => [id, priceOf(component)]))
    : pricesNow(instant, after, priceOf);
  period.prices = now;
  const isOther = (id: string) => instant.touched.has(id) && !isAsBefore(instant, id, present.get(id));
  const from = Math.max(instant.from, period.start);
  const cost = costs({
    before: netsOf(was, bill),
    after: netsOf(now, bill),
    isOther,
    share: shareOf(period.end - from, period.end - period.start),
    moves: period.coupons.some(({ isPercent }) => !isPercent),
  });
  const begun = ids.filter((id) => present.has(id));
  return [...new Set([...now.keys(), ...begun])].flatMap((id) => {
    const isBegun = begun.includes(id);
    const written = (instant.charged.get(id) ?? 0n) - (isOther(id) ? 0n : (instant.credited.get(id) ?? 0n));
    const open = (cost.get(id) ?? 0n) - written;
    const covers = liveCovers(state, { id, from, end: period.end });
    const left = unusedOf(covers, from);
    const most = left > 0n ? -left : 0n;
    const amount = !isBegun && open < most ? most : open;
    instant.charged.set(id, (instant.charged.get(id) ?? 0n) + amount);
    const component = present.get(id);
    const corrected = isBegun ? undefined : covers.at(-1);
    const takesBack = corrected ? covers : [];
    const taxes = corrected?.taxes ?? (component ? ratesOn(component.rules, after.taxes) : []);
    const product = corrected?.product ?? component?.product;
    return product === undefined ? [] : chargeLine(state, { id, product, taxes, amount, from, period, takesBack });
  });
}

/** The price of a component in a period: of a short one, its share of a whole one, rounded. */
export function chargedIn(period: Period, component: Component, state: State): Charged {
  const { start, end, wholeStart } = period;
  const whole = priceOf(component, state);
  const minor = (wholeStart < start ? whole.times(shareOf(end - start, end - wholeStart)) : whole).nearest();
  return { minor, discountable: component.rules.discountable };
}

interface ChargedLine {
  id: string;
  product: string;
  taxes: Line['taxes'];
  amount: bigint;
  from: number;
  period: BilledPeriod;
  takesBack: readonly Cover[];
}

function chargeLine(state: State, { id, product, taxes, amount, from, period, takesBack }: ChargedLine): Line[] {
  const span = { periodStart: from, periodEnd: period.end };
  const rules = { discountable: false, discounts: [], taxable: false, taxes };
  const about = { component: id, product, kind: 'charge' as const, prorated: true, takesBack };
  const lines = kept(state, { ...about, ...span, ...costing(amount, state), ...rules });
  if (lines.length === 0) return [];
  const whole = { from, to: period.end, start: from, end: period.end };
  state.covers.push({ component: id, product, lines, invoice: null, ...whole, net: new Rational(amount), taxes });
  return lines;
}

/** Credits what is billed after an instant. */
export function creditAll(state: State, from: number): void {
  const ids = [...new Set(state.covers.map(({ component }) => component))];
  for (const period of state.billed.filter(({ end }) => end > from))
    for (const id of ids) state.pending.push(...creditsOf(state, { id, from, period }));
}
