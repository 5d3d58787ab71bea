import type { ComponentId, PeriodPrice, PeriodPrices } from './periodPrices.ts';

/** The price of a component in a billed period since a prorated change. A subscription keeps it until the period has ended. */
export interface ProratedPrice extends PriceState {
  addonId: ComponentId;
  /** Segment of the period. */
  segment: number;
  /** End of the period, epoch milliseconds. */
  endAt: number;
  /** Time from which on it counts, epoch milliseconds. */
  from: number;
  /** What it was before that time. */
  before: PriceState;
  /** The component with the same terms that ended at the same time, and that this one continues; absent: none. */
  former?: ComponentId;
  /** A line of the change; null: it has none. */
  lineId: number | null;
}

interface PriceState {
  /** Null: it has ended, or is not billed. */
  price: PeriodPrice | null;
  /** Identifies product, quantity and price; null: there is no such component. */
  terms: string | null;
}

/** A component that a change ends or begins, or that an earlier change from the same time did. */
export type TouchedPrice = Pick<ProratedPrice, 'addonId' | 'price' | 'terms' | 'before' | 'former'>;

/** A change of components of a billed period. */
interface ChangeOfPrices {
  /** The prices that the period charges before all changes that count from the same time. */
  before: PeriodPrices;
  /** The prices that earlier changes from the same time have set. */
  earlier: readonly TouchedPrice[];
  /** The terms of the components that the change ends. */
  ended: ReadonlyMap<ComponentId, string>;
  /** The terms of the components that the change begins, and their prices. */
  begun: ReadonlyMap<ComponentId, PriceState>;
}

/** The components that all changes from one time touch. One that begins again with the terms of before has its price of before. */
export function touchedPrices({ before, earlier, ended, begun }: ChangeOfPrices): TouchedPrice[] {
  const untouched = earlier.filter(({ addonId }) => !ended.has(addonId) && !begun.has(addonId));
  const touched = [...new Set([...ended.keys(), ...begun.keys()])].map((addonId): TouchedPrice => {
    const known = earlier.find((one) => one.addonId === addonId);
    const was = known?.before ?? { price: before.get(addonId) ?? null, terms: ended.get(addonId) ?? null };
    const now = begun.get(addonId) ?? { terms: null, price: null };
    const isRestored = now.terms !== null && now.terms === was.terms;
    return { addonId, terms: now.terms, price: isRestored ? was.price : now.price, before: was };
  });
  const all = [...untouched, ...touched];
  const used = new Set(untouched.flatMap(({ former }) => (former === undefined ? [] : [former])));
  return all.map((one) => {
    if (!begun.has(one.addonId) || one.before.terms !== null) return one;
    const former = all.find(
      ({ addonId, terms, before: was }) => terms === null && was.terms === one.terms && !used.has(addonId),
    );
    if (!former) return one;
    used.add(former.addonId);
    return { ...one, former: former.addonId, price: former.before.price };
  });
}

/** The components whose own price differs from before: not those that are as they were, nor those that others continue. */
export function changedPrices(touched: readonly TouchedPrice[]): Set<ComponentId> {
  const continued = new Set(touched.flatMap(({ former }) => (former === undefined ? [] : [former])));
  const isSame = ({ addonId, terms, before, former }: TouchedPrice) =>
    former !== undefined || continued.has(addonId) || (terms !== null && terms === before.terms);
  return new Set(touched.filter((one) => !isSame(one)).map(({ addonId }) => addonId));
}

/** The prices that a period charges after changes, in the order of before. */
export function pricesAfter(before: PeriodPrices, touched: readonly TouchedPrice[]): PeriodPrices {
  const changed = changedPrices(touched);
  const kept = [...before].flatMap(([id, price]) => {
    const own = touched.find(({ addonId }) => addonId === id);
    if (!own) return [[id, price] as const];
    const next = own.terms === null ? touched.find(({ former }) => former === id) : own;
    return next?.price ? [[next.addonId, next.price] as const] : [];
  });
  const known = new Set(kept.map(([id]) => id));
  const added = touched.flatMap(({ addonId, price }) =>
    price && changed.has(addonId) && !known.has(addonId) ? [[addonId, price] as const] : [],
  );
  return new Map([...kept, ...added]);
}
