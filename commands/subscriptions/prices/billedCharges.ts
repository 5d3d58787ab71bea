import { totalsOf } from '../../../billing/documents/document.ts';
import type { Money } from '../../../billing/money/money.ts';
import type { ProratedLine } from '../../../billing/subscriptions/proration.ts';
import { type Period, periodAt, periodIndexAt } from '../../../billing/time/periods.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { type Line, linesOfEach } from '../../../db/queries/documents/lines.ts';
import { holdersOf } from '../../../db/queries/invoices/paidParts.ts';
import type { Plain } from '../../../db/queries/kernel/plain.ts';
import { readingOf } from '../../../db/queries/kernel/reading.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import { LineItem } from '../../../db/schema/lineItem.ts';
import { type LockedSubscription, stateOf } from '../../aggregates/subscription.ts';
import { openDiscount, openTax } from '../../catalog/adjustments.ts';
import { lineAsItIs } from '../../documents/lines.ts';
import { lessCreditNotes } from './netCharges.ts';

type Bill = Plain<Invoice>;

/** A line that bills a component of a subscription. */
export interface BilledCharge {
  line: Line;
  /** Its amount less all discounts and what credit notes credit of it, with inclusive taxes. */
  amount: Money;
  /** Taxes of its document, which also apply to a taxable line. */
  documentTaxes: Bill['taxes'];
  /** The prorated change that wrote it; null: it is on the bill of its period. */
  change: ProratedLine | null;
  /** The invoice that has its line now; null: the line is pending. */
  invoiceId: number | null;
}

/** A billed period. */
export interface BilledPeriod extends Period {
  n: number;
  /** Null: it has no bill, because there was only usage when it began. */
  bill: Bill | null;
  /** Whether its bill is voided. */
  isVoided: boolean;
  /** The lines of its bill. */
  lines: readonly Line[];
}

/** The bills of a subscription for the periods that end after an instant. */
export interface Billed {
  /** Also those whose invoice is voided. */
  periods: BilledPeriod[];
  /** The charges for them, billed or pending. Their unused rest is not credited yet. */
  charges: BilledCharge[];
  /** The lines of prorated changes that are on no voided invoice. */
  changes: { line: Line; change: ProratedLine }[];
}

/** Reads the bills of a subscription for the periods that end after an instant. Lines of voided invoices are no charges. */
export async function billedAfter(em: EntityManager, locked: LockedSubscription, from: number): Promise<Billed> {
  await em.write();
  const { subscription } = locked;
  const { accountId, segment } = subscription;
  const { schedule } = stateOf(locked);
  const first = Math.max(0, periodIndexAt(schedule, from));
  const bills = await em.find(
    Invoice,
    { accountId, subscription, segment, period: { $gte: first }, deletedAt: null },
    { orderBy: { period: 'asc' } },
  );
  const prorated = subscription.prorations.filter((one) => one.segment === segment && one.endAt > from);
  const lineIds = prorated.map(({ lineId }) => lineId);
  const lines = await readingOf(em, accountId).byId(LineItem, lineIds);
  const invoiceIds = [...bills, ...[...lines.values()].flatMap(({ invoice }) => invoice ?? [])].map(({ id }) => id);
  const holders = await holdersOf(em, { accountId, ids: invoiceIds });
  const changes = prorated.flatMap((change) => {
    const line = lines.get(change.lineId);
    return line && (!line.invoice || holders.has(line.invoice.id)) ? [{ line, change }] : [];
  });
  const credited = new Set(changes.flatMap(({ change }) => change.credited ?? []));
  const own = await linesOfEach(em, 'invoice', { accountId, ids: bills.map(({ id }) => id) });
  const billed = bills.flatMap((bill) => (holders.has(bill.id) ? chargesOn(bill, own.get(bill.id) ?? []) : []));
  const charged = changes.flatMap(({ line, change }) =>
    change.credited ? [] : [{ line, amount: line.amount, documentTaxes: [], change }],
  );
  const uncredited = [...billed, ...charged].filter(({ line }) => !credited.has(line.id));
  const placed = uncredited.map((charge) => ({
    ...charge,
    invoiceId: holders.get(charge.line.invoice?.id ?? 0) ?? null,
  }));
  const unbilled = await currentWithoutBill(em, locked, { bills, first });
  const ofBills = bills.flatMap((bill): Omit<BilledPeriod, keyof Period>[] => {
    const { period: n = null } = bill;
    return n === null ? [] : [{ n, bill, isVoided: !holders.has(bill.id), lines: own.get(bill.id) ?? [] }];
  });
  const all = unbilled === null ? ofBills : [{ n: unbilled, bill: null, isVoided: false, lines: [] }, ...ofBills];
  return {
    periods: all.map((one) => ({ ...one, ...periodAt(schedule, one.n) })),
    charges: await lessCreditNotes(em, accountId, placed),
    changes,
  };
}

/** The current period if it never had an invoice, because the subscription had only usage when it began. Null: it had one, or is not billed. */
async function currentWithoutBill(
  em: EntityManager,
  locked: LockedSubscription,
  { bills, first }: { bills: readonly Bill[]; first: number },
): Promise<number | null> {
  const { subscription } = locked;
  const { accountId, segment, hasUsage, billIn, nextPeriod, periodOpen, periodStartAt } = subscription;
  if (!hasUsage || billIn === 'arrears' || !periodStartAt) return null;
  const current = periodIndexAt(stateOf(locked).schedule, periodStartAt.getTime());
  const isBegun = current >= first && current < nextPeriod - (periodOpen ? 1 : 0);
  if (!isBegun || bills.some(({ period }) => period === current)) return null;
  const wasBilled = (await em.count(Invoice, { accountId, subscription, segment, period: current })) > 0;
  return wasBilled ? null : current;
}

/** The charges on the bill of a period: its own lines, without pending lines that it took. */
function chargesOn(bill: Invoice, lines: readonly Line[]): Omit<BilledCharge, 'invoiceId'>[] {
  const totals = totalsOf(
    {
      lines: lines.map(lineAsItIs),
      discounts: bill.discounts.map(openDiscount),
      taxes: bill.taxes.map(openTax),
      currency: bill.currency,
    },
    { mayBeNegative: true },
  );
  return lines.flatMap((line, index) => {
    const isOwn = line.periodStartAt && line.periodEndAt && !line.sweptAt;
    const amount = totals.lines[index]?.discounted;
    return isOwn && amount ? [{ line, amount, documentTaxes: bill.taxes, change: null }] : [];
  });
}
