import { type OpenTax, taxesOn } from '../../../billing/documents/document.ts';
import { isZero, proportion } from '../../../billing/money/money.ts';
import {
  discountsAfterBill,
  openDiscounts,
  type SubscriptionDiscount,
} from '../../../billing/subscriptions/recurring.ts';
import { lastContractPeriod } from '../../../billing/subscriptions/subscription.ts';
import { periodAt, type Share, shareOfPeriod } from '../../../billing/time/periods.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { type LockedSubscription, stateOf } from '../../aggregates/subscription.ts';
import type { DocumentLine } from '../../documents/lines.ts';
import { automaticTaxes, contentOf } from '../changes/content.ts';
import { discountsAfterAhead } from '../steps/beginning.ts';
import { netLine, netPrices } from './netCharges.ts';

/** Consecutive periods with the same discounts. */
interface Run {
  first: number;
  count: number;
  discounts: SubscriptionDiscount[];
  /** The share of a whole period that a short first one is; null: whole periods. */
  share: Share | null;
}

/**
 * Lines that bill a contract's remaining periods at once. A component has one line for all periods with the same discounts: the quantity is
 * their number, the unit cost the price of a period net of discounts. A short first period has lines of its own.
 */
export async function remainingLines(em: EntityManager, locked: LockedSubscription): Promise<DocumentLine[]> {
  const { cycles, ...state } = stateOf(locked);
  if (cycles === null) return [];
  const { nextPeriod: first, schedule } = state;
  const count = lastContractPeriod({ ...state, cycles }) - first + 1;
  const content = await contentOf(em, locked);
  const taxes = content.taxes ?? (await automaticTaxes(em, locked));
  const isAhead = state.billIn === 'advance' && state.periodOpen;
  const discounts = isAhead ? await discountsAfterAhead(em, locked, first - 1) : locked.subscription.discounts;
  const share = shareOfPeriod(schedule, first);
  const short = share ? [{ first, count: 1, discounts, share }] : [];
  const whole = share ? runsOf(discounts, { first: first + 1, count: count - 1 }) : runsOf(discounts, { first, count });
  return [...short, ...whole].flatMap((run) => linesOf(locked, { lines: content.lines, taxes }, run));
}

/** The runs of whole periods in which discounts do not end. */
function runsOf(discounts: SubscriptionDiscount[], { first, count }: { first: number; count: number }): Run[] {
  if (count <= 0) return [];
  const ends = discounts.flatMap(({ cyclesLeft }) => cyclesLeft ?? []);
  const length = Math.min(count, ...ends);
  const after = Array.from({ length }).reduce<SubscriptionDiscount[]>((left) => discountsAfterBill(left), discounts);
  const rest = runsOf(after, { first: first + length, count: count - length });
  return [{ first, count: length, discounts, share: null }, ...rest];
}

function linesOf(
  locked: LockedSubscription,
  { lines, taxes }: { lines: DocumentLine[]; taxes: readonly OpenTax[] },
  run: Run,
): DocumentLine[] {
  const { currency } = locked.plan;
  const { schedule } = stateOf(locked);
  const prices = netPrices({ lines, discounts: openDiscounts(run.discounts) }, currency);
  const periodStartAt = new Date(periodAt(schedule, run.first).startAt);
  const periodEndAt = new Date(periodAt(schedule, run.first + run.count - 1).endAt);
  return [...prices].flatMap(([addonId, price]) => {
    const unitCost = run.share ? proportion(price, run.share, currency) : price;
    const line = lines.find((one) => one.addonId === addonId);
    if (!line || isZero(unitCost)) return [];
    const billed = { quantity: String(run.count), unitCost, taxes: taxesOn(line, taxes), prorated: run.share !== null };
    return [netLine(line, { ...billed, periodStartAt, periodEndAt })];
  });
}
