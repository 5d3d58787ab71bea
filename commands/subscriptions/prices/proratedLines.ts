import type { CreditedPart } from '../../../billing/documents/creditedLines.ts';
import { type AppliedTax, type OpenTax, taxesOn } from '../../../billing/documents/document.ts';
import { isPositive, isZero, type Money, negate, sum } from '../../../billing/money/money.ts';
import { type ComponentPrice, unusedRest } from '../../../billing/subscriptions/proration.ts';
import { labelsOf } from '../../../words/labels/words.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import { copiedTax } from '../../catalog/adjustments.ts';
import { type DocumentLine, lineAsItIs } from '../../documents/lines.ts';
import type { Billed, BilledCharge } from './billedCharges.ts';
import { netLine } from './netCharges.ts';

/** A prorated line of a component. */
export interface Prorated {
  line: DocumentLine;
  /** Ids of the charges that it credits; null: it is a charge. */
  credited: number[] | null;
  /** The part of a credit that takes back charges of changes that count from the same time. */
  undone?: Money;
}

/** A credit for each ended component and billed period. */
export function creditsOf(
  locked: LockedSubscription,
  { charges }: Billed,
  { ended, from }: { ended: readonly ComponentPrice[]; from: number },
): Prorated[] {
  const { currency } = locked.plan;
  const addons = new Set(ended.map(({ addonId }) => addonId));
  const places = Map.groupBy(
    // A charge of zero may be of another product, with other tax rates, than the one that replaced it at once.
    charges.filter(({ line, amount }) => addons.has(line.addonId ?? null) && !isZero(amount)),
    ({ line }) => `${line.addonId ?? ''} ${line.periodEndAt?.getTime()}`,
  );
  return [...places.values()].flatMap((all) => {
    const [first] = all;
    const { periodStartAt: startAt, periodEndAt: endAt } = first?.line ?? {};
    const amount = unusedOf(all, from, currency);
    if (!first || !startAt || !endAt || !isPositive(amount)) return [];
    const unitCost = negate(amount);
    const line = proratedLine(locked, lineAsItIs(first.line), { unitCost, taxes: taxesOf(first), label: 'unusedTime' });
    const span = { periodStartAt: new Date(Math.max(from, startAt.getTime())), periodEndAt: endAt };
    const undone = sum(
      all.flatMap(({ change, amount: charged }) => (change?.from === from ? [charged] : [])),
      currency,
    );
    return [
      {
        line: { ...line, ...span, credited: creditedParts(all) },
        credited: all.map((charge) => charge.line.id),
        undone,
      },
    ];
  });
}

/** The invoices to which a credit of charges falls. */
export function creditedParts(charges: readonly BilledCharge[]): CreditedPart[] {
  const positive = charges.filter(({ amount }) => isPositive(amount)); // the others are credits of them
  return positive.map(({ invoiceId, amount }) => ({ invoice: invoiceId, amount }));
}

/** The unused rest of charges at an instant. */
export function unusedOf(charges: readonly BilledCharge[], from: number, currency: string): Money {
  const billed = charges.flatMap(({ line: { periodStartAt, periodEndAt }, amount }) =>
    periodStartAt && periodEndAt ? [{ amount, startAt: periodStartAt.getTime(), endAt: periodEndAt.getTime() }] : [],
  );
  return unusedRest(billed, from, currency);
}

interface ProratedPart {
  unitCost: Money;
  taxes: OpenTax[];
  /** The rest of a discount that the change moves: `discount`. */
  label: 'unusedTime' | 'remainingTime' | 'discount';
  quantity?: string;
}

/** A line that credits or charges a part of what another line bills. */
export function proratedLine(
  locked: LockedSubscription,
  sold: DocumentLine,
  { label, quantity = '1', ...price }: ProratedPart,
): DocumentLine {
  const labels = labelsOf(locked.customer.language ?? locked.moment.caller.account.language);
  const words = label === 'discount' ? `${labels.remainingTime}, ${labels.discount}` : labels[label];
  const description = quantity === '1' ? words : `${words}, ${labels.quantity}: ${quantity}`;
  return netLine(sold, { ...price, description, prorated: true });
}

/** The tax rates of a charge, its own and those of its document. */
export function taxesOf({ line, documentTaxes }: BilledCharge): OpenTax[] {
  const rates = (taxes: readonly AppliedTax[]) => taxes.filter(({ taxRate }) => taxRate !== null).map(copiedTax);
  return taxesOn({ taxes: rates(line.taxes), taxable: line.taxable }, rates(documentTaxes));
}
