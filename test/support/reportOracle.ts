import type { DiscountTerm, TaxTerm } from '../../billing/documents/totals.ts';
import { firstInstant, type OracleZone, wallClock } from './calendarOracle.ts';
import { Rational } from './rational.ts';
import { decimalsOf, type OracleTotals, oracleTotals } from './totalsOracle.ts';

// A second implementation of the reports, which reads nothing but events. All amounts are whole minor units.

/** An event. `at`: epoch milliseconds on the customer's clock. */
export interface SeenEvent {
  type: string;
  at: number;
  // biome-ignore lint/suspicious/noExplicitAny: objects of all types
  object: any;
}
// biome-ignore lint/suspicious/noExplicitAny: objects of all types
type Seen = any;

/** Sums by currency, or by currency and something else. Zeros are left out. */
export type Sums = Record<string, number>;

const DAY = 86_400_000;

export const units = (amount: number, currency: string): number => Math.round(amount * 10 ** decimalsOf(currency));

/** The first instant after a local day. */
export const endOf = (zone: OracleZone, day: string): number => firstInstant(zone, Date.parse(day) + DAY);

/** The local day of an instant. */
export const dayAt = (zone: OracleZone, at: number): string => new Date(wallClock(zone, at)).toISOString().slice(0, 10);

/** The last state of each object of a type before a time. */
function lastStates(events: readonly SeenEvent[], type: string, until: number): Seen[] {
  const own = events.filter((event) => event.type.startsWith(`${type}.`) && event.at < until);
  const last = new Map(own.map((event) => [event.object.id, event]));
  return [...last.values()].filter((event) => event.type !== `${type}.deleted`).map(({ object }) => object);
}

const isIssued = ({ draft, status }: Seen): boolean => !draft && status !== 'voided';

export function summed(parts: Iterable<readonly [string, number]>): Sums {
  const sums: Sums = {};
  for (const [key, amount] of parts) sums[key] = (sums[key] ?? 0) + amount;
  return Object.fromEntries(Object.entries(sums).filter(([, amount]) => amount !== 0));
}

/** What customers owe at a time, as it was known then: by customer, currency and bucket. Ages are local days since the due date. */
export function agingThen(events: readonly SeenEvent[], { zone, day }: { zone: OracleZone; day: string }): Sums {
  const open = lastStates(events, 'invoice', endOf(zone, day)).filter((one) => isIssued(one) && !one.closed);
  return summed(
    open.map(({ customer, currency, balance, due_date, date }) => {
      const due = dayAt(zone, (due_date ?? date) * 1000);
      const age = Math.round((Date.parse(day) - Date.parse(due)) / DAY);
      const bound = [30, 60, 90, 120].find((last) => age <= last);
      const bucket = age <= 0 ? 'not_due' : bound === undefined ? 'over_120' : `days_${bound - 29}_${bound}`;
      return [`${customer.id} ${currency} ${bucket}`, units(balance, currency)];
    }),
  );
}

/** What was invoiced in a range of local days, less what was voided until its end, by currency. */
export function invoicedIn(events: readonly SeenEvent[], { zone, days }: Ranged): Sums {
  const [first, last] = days;
  const issued = lastStates(events, 'invoice', endOf(zone, last)).filter(isIssued);
  const inRange = issued.filter(({ date }) => isBetween(dayAt(zone, date * 1000), first, last));
  return summed(inRange.map(({ currency, total }) => [currency, units(total, currency)]));
}

interface Ranged {
  zone: OracleZone;
  days: readonly [string, string];
}

const isBetween = (day: string, first: string, last: string): boolean => day >= first && day <= last;

/** Months of a plan's interval. */
const MONTHS: Readonly<Record<string, Rational>> = {
  day: new Rational(12n, 365n),
  week: new Rational(12n, 52n),
  month: new Rational(1n),
  year: new Rational(12n),
};

/** Recurring revenue of a subscription a month, after an event. */
function revenueOf({ at, object: { status, paused, trial_end, plan, quantity, discounts, taxes } }: SeenEvent): number {
  const isInTrial = trial_end !== null && at < trial_end * 1000;
  if (!['active', 'past_due'].includes(status) || paused || isInTrial) return 0;
  const { lines } = oracleTotals({
    currency: plan.currency,
    lines: [lineOf({ quantity, unit_cost: plan.amount, discounts: [], taxes: [] })],
    discounts: discounts.filter(({ duration }: Seen) => duration === 0).map(discountOf),
    taxes: taxes.map(taxOf),
  });
  const net = lines.reduce((sum, line) => sum + line.net, 0n);
  const months = (MONTHS[plan.interval] ?? new Rational(1n)).times(new Rational(BigInt(plan.interval_count)));
  return Number(new Rational(net).dividedBy(months).nearest());
}

export type Movement = 'new' | 'reactivation' | 'expansion' | 'contraction' | 'churn';

/**
 * Movements of recurring revenue by day or month, currency and kind: `2027-03 eur churn`, `2027-03-31 eur churn`. Net for each customer and
 * local day.
 */
export function revenueMovements(events: readonly SeenEvent[], zone: OracleZone, unit: 'day' | 'month'): Sums {
  const net = new Map<string, number>();
  const before = new Map<number, number>();
  for (const event of events.filter(({ type }) => type.startsWith('subscription.'))) {
    const { id, customer, plan } = event.object;
    const earns = revenueOf(event);
    const key = `${dayAt(zone, event.at)} ${customer.id} ${plan.currency}`;
    net.set(key, (net.get(key) ?? 0) + earns - (before.get(id) ?? 0));
    before.set(id, earns);
  }
  const earned = new Map<string, number>();
  const parts: [string, number][] = [];
  for (const [key, amount] of [...net].filter(([, sum]) => sum !== 0).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const [day = '', customer, currency] = key.split(' ');
    const holder = `${customer} ${currency}`;
    const [first, was] = [!earned.has(holder), earned.get(holder) ?? 0];
    earned.set(holder, was + amount);
    parts.push([`${unit === 'day' ? day : day.slice(0, 7)} ${currency} ${kindOf({ first, was, amount })}`, amount]);
  }
  return summed(parts);
}

/** Recurring revenue at the end of a day, by currency. */
export function revenueThen(events: readonly SeenEvent[], { zone, day }: { zone: OracleZone; day: string }): Sums {
  const earned = new Map<number, [string, number]>();
  for (const event of events)
    if (event.type.startsWith('subscription.') && dayAt(zone, event.at) <= day)
      earned.set(event.object.id, [event.object.plan.currency, revenueOf(event)]);
  return summed([...earned.values()]);
}

function kindOf({ first, was, amount }: { first: boolean; was: number; amount: number }): Movement {
  if (first) return 'new';
  if (was === 0) return 'reactivation';
  if (was + amount === 0) return 'churn';
  return amount > 0 ? 'expansion' : 'contraction';
}

const textOf = (value: number): string => value.toFixed(6);
const lineOf = ({ quantity, unit_cost, discounts, taxes, discountable = true, taxable = true }: Seen) => {
  const terms = { discounts: discounts.map(discountOf), taxes: taxes.map(taxOf) };
  return { quantity: textOf(quantity), unitCost: textOf(unit_cost), discountable, taxable, ...terms };
};
const discountOf = (discount: Seen): DiscountTerm => {
  const { value, is_percent } = discount.coupon ?? ('value' in discount ? discount : fixed(discount));
  return { value: textOf(value), isPercent: is_percent };
};
const taxOf = (tax: Seen): TaxTerm => {
  const { id, value, is_percent, inclusive = false } = tax.tax_rate ?? ('value' in tax ? tax : fixed(tax));
  return { key: String(id), value: textOf(value), isPercent: is_percent, inclusive };
};
const fixed = ({ id, amount }: Seen) => ({ id, value: amount, is_percent: false });

/** The amounts of an invoice or credit note, computed from its lines, discounts and rates. */
export function totalsOf({ currency, items, discounts, taxes }: Seen): OracleTotals {
  return oracleTotals({
    currency,
    lines: items.map(lineOf),
    discounts: discounts.map(discountOf),
    taxes: taxes.map(taxOf),
  });
}

/** Documents as they are known in the end, with their sign: invoices, and credit notes. */
export function documentsOf(events: readonly SeenEvent[]): { sign: 1 | -1; object: Seen }[] {
  const of = (type: string, sign: 1 | -1) =>
    lastStates(events, type, Number.POSITIVE_INFINITY)
      .filter(isIssued)
      .map((object) => ({ sign, object }));
  return [...of('invoice', 1), ...of('credit_note', -1)];
}

/** Taxes of documents in a range of local days, by rate and currency. */
export function taxesIn(events: readonly SeenEvent[], { zone, days: [first, last] }: Ranged): Sums {
  const inRange = documentsOf(events).filter(({ object }) => isBetween(dayAt(zone, object.date * 1000), first, last));
  return summed(
    inRange.flatMap(({ sign, object: { currency, items, taxes } }) =>
      [...taxes, ...items.flatMap((item: Seen) => item.taxes)].map((tax: Seen): [string, number] => [
        `${tax.tax_rate?.id ?? ''} ${currency}`,
        sign * units(tax.amount, currency),
      ]),
    ),
  );
}

/** Customers of whom, until the end of a local day, only invoices of one line were credited, by credit notes. */
export function plainlyCredited(events: readonly SeenEvent[], { zone, day }: OnDay): Set<number> {
  const all = documentsOf(events).filter(({ object }) => dayAt(zone, object.date * 1000) <= day);
  const single = new Set(all.filter(({ sign, object }) => sign > 0 && object.items.length === 1).map(idOf));
  const touched = all.filter(({ sign, object: { items, invoice } }) =>
    sign > 0 ? items.some(({ amount }: Seen) => amount < 0) : !single.has(invoice),
  );
  const others = new Set(touched.map(({ object }) => object.customer.id));
  return new Set(all.map(({ object }) => object.customer.id).filter((id) => !others.has(id)));
}
interface OnDay {
  zone: OracleZone;
  day: string;
}
const idOf = ({ object }: { object: Seen }): number => object.id;

/**
 * Revenue that is billed and not earned at the end of a local day, by customer and currency. The net of a line is earned evenly over the days
 * of its period, from the day of its invoice on; what is earned until a day is rounded. A credit note takes what is not earned yet, and what is left is
 * earned evenly over the days that are left. `credited`: keys of the sums with a line of which a credit note took a part.
 */
export function deferredAt(events: readonly SeenEvent[], { zone, day }: OnDay): { sums: Sums; credited: Set<string> } {
  const today = Date.parse(day) / DAY;
  const localDay = (seconds: number) => Date.parse(dayAt(zone, seconds * 1000)) / DAY;
  const until = documentsOf(events).filter(({ object }) => localDay(object.date) <= today);
  const notes = until.filter(({ sign }) => sign < 0).map(({ object }) => object);
  const netOf = (document: Seen) => totalsOf(document).lines.reduce((sum, { net }) => sum + net, 0n);
  const credited = new Set<string>();
  const sums = summed(
    until
      .filter(({ sign }) => sign > 0)
      .flatMap(({ object: invoice }) => {
        const { lines } = totalsOf(invoice);
        const cuts = notes
          .filter((note) => note.invoice === invoice.id)
          .map((note) => ({ day: localDay(note.date), amount: netOf(note) }));
        return invoice.items.map(({ period_start, period_end }: Seen, at: number): [string, number] => {
          const key = `${invoice.customer.id} ${invoice.currency}`;
          if (!period_start || !period_end) return [key, 0];
          const [from, end] = [localDay(period_start), Math.max(localDay(period_end), localDay(period_start) + 1)];
          const servedOn = (on: number) => Math.min(Math.max(on + 1 - from, 0), end - from);
          let [left, served] = [lines[at]?.net ?? 0n, 0];
          const earnUntil = (on: number) => {
            const rest = end - from - served;
            if (rest > 0) left -= new Rational(left * BigInt(servedOn(on) - served), BigInt(rest)).nearest();
            served = servedOn(on);
          };
          for (const cut of cuts.toSorted((one, other) => one.day - other.day)) {
            if (cut.day >= localDay(invoice.date)) earnUntil(cut.day);
            left = left > cut.amount ? left - cut.amount : 0n;
          }
          earnUntil(today);
          if (left > 0n && cuts.length > 0) credited.add(key);
          return [key, Number(left)];
        });
      }),
  );
  return { sums, credited };
}
