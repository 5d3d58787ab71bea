import { createHash } from 'node:crypto';
import type { OpenDiscount } from '../../../billing/documents/document.ts';
import { proportion, zero } from '../../../billing/money/money.ts';
import {
  type ComponentId,
  discountsOfComponents,
  type PeriodPrice,
  type PeriodPrices,
  periodPriceOf,
} from '../../../billing/subscriptions/periodPrices.ts';
import type { ProratedPrice, TouchedPrice } from '../../../billing/subscriptions/proratedPrices.ts';
import { type ComponentPrice, checkProratedCount } from '../../../billing/subscriptions/proration.ts';
import { shareOfPeriod } from '../../../billing/time/periods.ts';
import type { Line } from '../../../db/queries/documents/lines.ts';
import { type LockedSubscription, stateOf } from '../../aggregates/subscription.ts';
import { openDiscount } from '../../catalog/adjustments.ts';
import { type DocumentLine, lineAsItIs } from '../../documents/lines.ts';
import { proratedLines } from '../changes/content.ts';
import type { Billed, BilledCharge, BilledPeriod } from './billedCharges.ts';

// What a billed period charges for each component in full: on its bill, and by prorated changes since.

/** Identifies product, quantity and price of a component. */
export function termsOf({ quantity, price }: ComponentPrice): string {
  return createHash('sha256')
    .update(JSON.stringify([quantity, price]))
    .digest('base64');
}

/** The prices that prorated changes have set in a billed period, as long as their lines are not on a voided invoice. */
export function proratedPricesIn(
  { subscription }: LockedSubscription,
  { changes }: Billed,
  { endAt }: BilledPeriod,
): ProratedPrice[] {
  const { proratedPrices, segment } = subscription;
  const live = new Set(changes.map(({ line }) => line.id));
  return (proratedPrices ?? [])
    .filter((one) => one.segment === segment && one.endAt === endAt)
    .map((one) => (one.lineId === null || live.has(one.lineId) ? one : { ...one, ...one.before }));
}

/** The prices that a billed period charges before all changes that count from a time. `since`: those that changes have set. */
export function chargedPrices(
  period: BilledPeriod,
  billed: Billed,
  { since, currency, from }: { since: readonly ProratedPrice[]; currency: string; from: number },
): PeriodPrices {
  const own = componentLinesOf(period);
  const changed = new Map(since.map((one) => [one.addonId, one.from === from ? one.before.price : one.price]));
  const charges = billed.charges.filter(({ line }) => line.periodEndAt?.getTime() === period.endAt);
  const charged = Map.groupBy(charges, ({ line }) => line.addonId ?? null);
  const priceOf = (id: ComponentId): PeriodPrice | null => {
    const known = changed.get(id);
    if (known !== undefined) return known;
    const all = charged.get(id) ?? [];
    if (all.some(({ change }) => !change)) return periodPriceOf((own.get(id) ?? []).map(lineAsItIs), currency);
    return earlierPrice(period, all, currency);
  };
  const ids = new Set([...own.keys(), ...changed.keys(), ...charged.keys()]);
  return new Map(
    [...ids].flatMap((id) => {
      const price = priceOf(id);
      return price ? [[id, price] as const] : [];
    }),
  );
}

/** The price of a component that a change of an earlier version charged: such changes kept no prices, and their discounts are in the charge. */
function earlierPrice(
  { startAt, endAt }: BilledPeriod,
  charges: readonly BilledCharge[],
  currency: string,
): PeriodPrice | null {
  const line = charges.at(-1)?.line;
  if (!line?.periodStartAt) return null;
  const whole = { numerator: endAt - startAt, denominator: endAt - line.periodStartAt.getTime() };
  return { discountable: zero(currency), other: proportion(line.amount, whole, currency) };
}

/** The prices of the present components for a period, by their lines. A line keeps the discounts of the bill's line in its place. */
export function presentPrices(
  locked: LockedSubscription,
  period: BilledPeriod,
  lines: readonly DocumentLine[],
): Map<ComponentId, PeriodPrice> {
  const { currency } = locked.plan;
  const own = componentLinesOf(period);
  const short = shareOfPeriod(stateOf(locked).schedule, period.n);
  return new Map(
    [...Map.groupBy(lines, ({ addonId }) => addonId)].map(([id, whole]) => {
      const billed = own.get(id) ?? [];
      const billable = proratedLines(locked, whole, short);
      const discounted = billable.map((line, index) => ({ ...line, discounts: billed[index]?.discounts ?? [] }));
      return [id, periodPriceOf(discounted, currency)];
    }),
  );
}

/** The discounts of a period's bill, as its other lines leave them; those of now, if it has none. */
export function discountsOf(period: BilledPeriod, ofNow: readonly OpenDiscount[]): readonly OpenDiscount[] {
  const { bill, lines } = period;
  if (!bill) return ofNow;
  const { currency } = bill;
  const ofBill = { lines: lines.map(lineAsItIs), discounts: bill.discounts.map(openDiscount), currency };
  return discountsOfComponents(ofBill, (index) => !lines[index] || !isOfComponent(period, lines[index]));
}

/** The lines of a period's bill that charge its components. */
function componentLinesOf(period: BilledPeriod): Map<ComponentId, Line[]> {
  return Map.groupBy(
    period.lines.filter((line) => isOfComponent(period, line)),
    ({ addonId = null }) => addonId,
  );
}

/** Whether a line of a period's bill charges a component for that period. Other lines were pending, were added, or bill usage. */
function isOfComponent({ endAt }: BilledPeriod, line: Line): boolean {
  const { addonId = null, planCode = null, sweptAt, periodEndAt } = line;
  return !sweptAt && periodEndAt?.getTime() === endAt && (planCode !== null || addonId !== null);
}

/** Keeps the prices that a change has set, until their periods have ended. `places`: its lines with their ids. */
export function keepPrices(
  { subscription, moment }: LockedSubscription,
  {
    rests,
    places,
    from,
  }: {
    rests: readonly { period: BilledPeriod; touched: readonly TouchedPrice[] }[];
    places: readonly { line: DocumentLine; id: number }[];
    from: number;
  },
): void {
  const { segment, proratedPrices } = subscription;
  const added = rests.flatMap(({ period: { endAt }, touched }) =>
    touched.map((one): ProratedPrice => {
      const isOwn = ({ line }: { line: DocumentLine }) =>
        line.addonId === one.addonId && line.periodEndAt?.getTime() === endAt;
      return { ...one, segment, endAt, from, lineId: places.findLast(isOwn)?.id ?? null };
    }),
  );
  const ofBills = new Map(rests.map(({ period }) => [period.endAt, componentLinesOf(period)]));
  const kept = (proratedPrices ?? []).filter((one) => {
    const isSame = (other: ProratedPrice) => other.addonId === one.addonId && other.endAt === one.endAt;
    if (one.segment !== segment || one.endAt <= moment.now.getTime() || added.some(isSame)) return false;
    return one.price !== null || one.from === from || ofBills.get(one.endAt)?.has(one.addonId) === true;
  });
  checkProratedCount(kept.length + added.length);
  subscription.proratedPrices = kept.length + added.length > 0 ? [...kept, ...added] : null;
}
