import { type OpenDiscount, type OpenTax, taxesOn } from '../../../billing/documents/document.ts';
import { add, isZero, type Money, subtract, sum, zero } from '../../../billing/money/money.ts';
import {
  type ComponentId,
  costOfRest,
  creditingAtMost,
  isAmount,
  netPrices,
  type PeriodPrices,
} from '../../../billing/subscriptions/periodPrices.ts';
import {
  changedPrices,
  pricesAfter,
  type TouchedPrice,
  touchedPrices,
} from '../../../billing/subscriptions/proratedPrices.ts';
import { type ComponentPrice, shareLeft } from '../../../billing/subscriptions/proration.ts';
import type { Share } from '../../../billing/time/periods.ts';
import type { EntityManager } from '../../../db/orm.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import { type DocumentLine, lineAsItIs } from '../../documents/lines.ts';
import { automaticTaxes, contentOf } from '../changes/content.ts';
import type { Billed, BilledCharge, BilledPeriod } from '../prices/billedCharges.ts';
import { chargedPrices, discountsOf, presentPrices, proratedPricesIn, termsOf } from '../prices/chargedPrices.ts';
import { creditedParts, type Prorated, proratedLine, taxesOf, unusedOf } from '../prices/proratedLines.ts';

interface RestsAsked {
  billed: Billed;
  change: {
    ended: readonly ComponentPrice[];
    begun: readonly ComponentPrice[];
    /** Epoch milliseconds. */
    from: number;
  };
  /** The credits of the change. */
  credits: readonly Prorated[];
}

/** The rest of a billed period after a change. */
export interface PeriodRest {
  period: BilledPeriod;
  lines: DocumentLine[];
  touched: TouchedPrice[];
}

/** The present content of a subscription. */
interface Present {
  lines: readonly DocumentLine[];
  taxes: readonly OpenTax[];
  discounts: readonly OpenDiscount[];
}

/**
 * What the rest of each billed period costs after a change, besides the credits. Several changes may count from one time. Their lines for a
 * component add up to the line of the last change alone. They add up to zero if the component ends as it was.
 */
export async function restsOf(em: EntityManager, locked: LockedSubscription, asked: RestsAsked): Promise<PeriodRest[]> {
  const content = await contentOf(em, locked);
  const present = { ...content, taxes: content.taxes ?? (await automaticTaxes(em, locked)) };
  return asked.billed.periods.flatMap((period) => {
    const share = shareLeft(period, asked.change.from);
    return share ? [restOf(locked, asked, { period, share, present })] : [];
  });
}

interface PeriodAsked {
  period: BilledPeriod;
  share: Share;
  present: Present;
}

function restOf(locked: LockedSubscription, asked: RestsAsked, { period, share, present }: PeriodAsked): PeriodRest {
  const { change, credits } = asked;
  const { currency } = locked.plan;
  const { from } = change;
  const credited = new Set(credits.flatMap((credit) => credit.credited ?? []));
  const charges = asked.billed.charges.filter(
    ({ line }) => line.periodEndAt?.getTime() === period.endAt && !credited.has(line.id),
  );
  const { touched, costs, formerOf, changed } = costsOf(locked, asked, { period, share, present });
  const begun = new Map(change.begun.map((one) => [one.addonId, one]));
  const lines = [...new Set([...costs.keys(), ...begun.keys()])].flatMap((id) => {
    const own = charges.filter(({ line }) => (line.addonId ?? null) === id);
    const former = formerOf.get(id);
    const ids = former === undefined ? [id] : [id, former];
    const written = [
      ...own.flatMap(({ amount, change: earlier }) => (earlier?.from === from ? [amount] : [])),
      ...(changed.has(id) ? [] : ids.flatMap((one) => creditedSince(asked, { id: one, endAt: period.endAt }))),
    ];
    const open = subtract(costs.get(id) ?? zero(currency), sum(written, currency));
    const unitCost = begun.has(id) ? open : creditingAtMost(unusedOf(own, from, currency), open);
    if (isZero(unitCost)) return [];
    return restLine(locked, { id, unitCost, begun: begun.get(id) ?? null, own, present });
  });
  const span = { periodStartAt: new Date(Math.max(from, period.startAt)), periodEndAt: new Date(period.endAt) };
  return { period, lines: lines.map((line) => ({ ...line, ...span })), touched };
}

/** What each component costs for the rest of a period, by the prices before and after all changes from the same time. */
function costsOf(
  locked: LockedSubscription,
  { billed, change: { ended, begun, from } }: RestsAsked,
  { period, share, present }: PeriodAsked,
) {
  const { currency } = locked.plan;
  const isBilled = period.bill !== null && !period.isVoided;
  const since = proratedPricesIn(locked, billed, period);
  const before: PeriodPrices = isBilled ? chargedPrices(period, billed, { since, currency, from }) : new Map();
  const prices = presentPrices(locked, period, present.lines);
  const touched = touchedPrices({
    before,
    earlier: since.filter((one) => one.from === from),
    ended: new Map(ended.map((one) => [one.addonId, termsOf(one)])),
    begun: new Map(begun.map((one) => [one.addonId, { terms: termsOf(one), price: prices.get(one.addonId) ?? null }])),
  });
  const changed = changedPrices(touched);
  const formerOf = new Map(touched.flatMap(({ addonId, former }) => (former === undefined ? [] : [[addonId, former]])));
  const discounts = discountsOf(period, present.discounts);
  const after = isBilled ? pricesAfter(before, touched) : prices;
  const [netBefore, netAfter] = [netPrices(before, discounts, currency), netPrices(after, discounts, currency)];
  const costs = costOfRest({ before: netBefore, after: netAfter, changed, formerOf }, share, currency);
  // A percentage takes the same of each component whatever the others are, but for the rounding of its sum.
  const moves = discounts.some(isAmount);
  const counted = [...costs].filter(([id]) => changed.has(id) || moves);
  return { touched, changed, formerOf, costs: new Map(counted) };
}

/** What changes from the same time credit of the charges of a component from before that time: negative amounts. */
function creditedSince(
  { billed, change: { from }, credits }: RestsAsked,
  { id, endAt }: { id: ComponentId; endAt: number },
): Money[] {
  const earlier = billed.changes.flatMap(({ line, change: { credited, undone, ...change } }) =>
    credited && change.from === from ? [{ ...line, credit: line.amount, undone }] : [],
  );
  const now = credits.map(({ line, undone }) => ({ ...line, credit: line.unitCost, undone }));
  return [...earlier, ...now]
    .filter(({ addonId, periodEndAt }) => (addonId ?? null) === id && periodEndAt?.getTime() === endAt)
    .map(({ credit, undone }) => (undone ? add(credit, undone) : credit));
}

/** A charge of a component that begins, or a line that corrects another charge of the period. */
function restLine(
  locked: LockedSubscription,
  {
    id,
    unitCost,
    begun,
    own,
    present,
  }: { id: ComponentId; unitCost: Money; begun: ComponentPrice | null; own: readonly BilledCharge[]; present: Present },
): DocumentLine[] {
  const charge = own.at(-1);
  const sold = present.lines.find(({ addonId }) => addonId === id);
  if (!begun && charge) {
    const line = proratedLine(locked, lineAsItIs(charge.line), { unitCost, taxes: taxesOf(charge), label: 'discount' });
    return [{ ...line, credited: creditedParts(own) }];
  }
  if (!sold) return [];
  const taxes = taxesOn(sold, present.taxes);
  if (!begun) return [proratedLine(locked, sold, { unitCost, taxes, label: 'discount' })];
  return [proratedLine(locked, sold, { unitCost, taxes, label: 'remainingTime', quantity: begun.quantity })];
}
