import { type AppliedTax, type OpenTax, taxesOn } from '../../billing/document.ts';
import { isZero, type Money, negate, proportion, sum } from '../../billing/money.ts';
import { periodAt } from '../../billing/periods.ts';
import {
  type ComponentPrice,
  checkProratedCount,
  type ProratedLine,
  shareLeft,
  shareOfWholeLeft,
} from '../../billing/proration.ts';
import type { EntityManager } from '../../db/orm.ts';
import { labelsOf } from '../../present/printed/labels.ts';
import { type LockedSubscription, stateOf } from '../aggregates/subscription.ts';
import { copiedTax } from '../catalog/adjustments.ts';
import { type DocumentLine, lineAsItIs } from '../documents/lines.ts';
import { addPendingLines } from '../lineItems/pendingLines.ts';
import { type BilledCharge, billedAfter } from './billedCharges.ts';
import { automaticTaxes, contentOf } from './content.ts';
import { netLine, netPrices } from './netLines.ts';

/** A change of components at an instant of a billed period. */
export interface ProrationAsked {
  /** Components whose billed rest is credited. */
  ended: readonly ComponentPrice[];
  /** Components whose price is charged for the rest. The subscription already has them. */
  begun: readonly ComponentPrice[];
  /** Instant from which on the change counts. */
  from: Date;
}

/**
 * Prorates a change up to the end of the last billed period, with pending lines: for each component and period a credit of the unused share
 * of its charges, net of all discounts and with their tax rates, and a charge of the same share of its new price, with the discounts and
 * rates of now. Returns whether it wrote a line.
 */
export async function writeProration(
  em: EntityManager,
  at: LockedSubscription,
  { ended, begun, from }: ProrationAsked,
): Promise<boolean> {
  const { subscription, moment } = at;
  const billed = await billedAfter(em, at, from.getTime());
  const credits = creditsOf(at, billed.charges, { ended, from: from.getTime() });
  const charges =
    begun.length === 0 ? [] : await chargesOf(em, at, { periods: billed.periods, begun, from: from.getTime() });
  const lines = [...credits, ...charges];
  const ids = await addPendingLines(em, at, { currency: at.plan.currency, lines: lines.map(({ line }) => line) });
  const added = lines.map(({ credited, line }, index): ProratedLine => {
    const endAt = line.periodEndAt?.getTime() ?? 0;
    return { lineId: ids[index] ?? 0, credited, segment: subscription.segment, endAt };
  });
  const kept = subscription.prorations.filter(({ endAt }) => endAt > moment.now.getTime());
  checkProratedCount(kept.length + added.length);
  if (added.length > 0) subscription.prorations = [...kept, ...added];
  return added.length > 0;
}

interface Prorated {
  line: DocumentLine;
  /** Ids of the charges that it credits; null: it is a charge. */
  credited: number[] | null;
}

/** A credit for each ended component and billed stretch. */
function creditsOf(
  at: LockedSubscription,
  charges: readonly BilledCharge[],
  { ended, from }: { ended: readonly ComponentPrice[]; from: number },
): Prorated[] {
  const { currency } = at.plan;
  const addons = new Set(ended.map(({ addonId }) => addonId));
  const stretches = Map.groupBy(
    // A charge of zero may be of another product, with other tax rates, than the one that replaced it at once.
    charges.filter(({ line, amount }) => addons.has(line.addonId ?? null) && !isZero(amount)),
    ({ line }) => `${line.addonId ?? ''} ${line.periodStartAt?.getTime()} ${line.periodEndAt?.getTime()}`,
  );
  return [...stretches.values()].flatMap((stretch) => {
    const [first] = stretch;
    const { periodStartAt: startAt, periodEndAt: endAt } = first?.line ?? {};
    if (!first || !startAt || !endAt) return [];
    const share = shareLeft({ startAt: startAt.getTime(), endAt: endAt.getTime() }, from);
    const amounts = stretch.map((charge) => charge.amount);
    const amount = share && proportion(sum(amounts, currency), share, currency);
    if (!amount || isZero(amount)) return [];
    const stretchLine = lineOf(at, lineAsItIs(first.line), {
      unitCost: negate(amount),
      taxes: taxesOf(first),
      label: 'unusedTime',
    });
    const line = { ...stretchLine, periodStartAt: new Date(Math.max(from, startAt.getTime())), periodEndAt: endAt };
    return [{ line, credited: stretch.map((charge) => charge.line.id) }];
  });
}

/** A charge for each begun component and billed period. */
async function chargesOf(
  em: EntityManager,
  at: LockedSubscription,
  { periods, begun, from }: { periods: readonly number[]; begun: readonly ComponentPrice[]; from: number },
): Promise<Prorated[]> {
  const { currency } = at.plan;
  const { schedule } = stateOf(at);
  const content = await contentOf(em, at);
  const taxes = content.taxes ?? (await automaticTaxes(em, at));
  const prices = netPrices(content, currency);
  return periods.flatMap((n) => {
    const share = shareOfWholeLeft(schedule, n, from);
    const { startAt, endAt } = periodAt(schedule, n);
    if (!share) return [];
    return begun.flatMap(({ addonId, quantity }): Prorated[] => {
      const sold = content.lines.find((line) => line.addonId === addonId);
      const unitCost = proportion(prices.get(addonId) ?? '0', share, currency);
      if (!sold || isZero(unitCost)) return [];
      const line = lineOf(at, sold, { unitCost, taxes: taxesOn(sold, taxes), label: 'remainingTime', quantity });
      const stretch = { periodStartAt: new Date(Math.max(from, startAt)), periodEndAt: new Date(endAt) };
      return [{ line: { ...line, ...stretch }, credited: null }];
    });
  });
}

/** A prorated line of a component. */
function lineOf(
  at: LockedSubscription,
  sold: DocumentLine,
  { label, quantity = '1', ...price }: { unitCost: Money; taxes: OpenTax[]; label: Label; quantity?: string },
): DocumentLine {
  const labels = labelsOf(at.customer.language ?? at.moment.caller.account.language);
  const description = quantity === '1' ? labels[label] : `${labels[label]}, ${labels.quantity}: ${quantity}`;
  return netLine(sold, { ...price, description, prorated: true });
}

type Label = 'unusedTime' | 'remainingTime';

/** The tax rates of a charge, its own and those of its document. */
function taxesOf({ line, documentTaxes }: BilledCharge): OpenTax[] {
  const rates = (taxes: readonly AppliedTax[]) => taxes.filter(({ taxRate }) => taxRate !== null).map(copiedTax);
  return taxesOn({ taxes: rates(line.taxes), taxable: line.taxable }, rates(documentTaxes));
}
