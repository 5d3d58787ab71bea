import { totalsOf } from '../../billing/document.ts';
import type { Money } from '../../billing/money.ts';
import { periodIndexAt } from '../../billing/periods.ts';
import type { EntityManager } from '../../db/orm.ts';
import { type Line, linesOfEach } from '../../db/queries/documents/lines.ts';
import { holdersOf } from '../../db/queries/invoices/holders.ts';
import type { Plain } from '../../db/queries/kernel/plain.ts';
import { readingOf } from '../../db/queries/kernel/reading.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { LineItem } from '../../db/schema/lineItem.ts';
import { type LockedSubscription, stateOf } from '../aggregates/subscription.ts';
import { openDiscount, openTax } from '../catalog/adjustments.ts';
import { lineAsItIs } from '../documents/lines.ts';
import { lessCreditNotes } from './netCharges.ts';

type Bill = Plain<Invoice>;

/** A line that bills a component of a subscription. */
export interface BilledCharge {
  line: Line;
  /** Its amount less all discounts and what credit notes credit of it, with inclusive taxes. */
  amount: Money;
  /** Taxes of its document, which also apply to a taxable line. */
  documentTaxes: Bill['taxes'];
}

/** The bills of a subscription for the periods that end after an instant. */
export interface Billed {
  /** Indexes of the billed periods, also of those whose invoice is voided. */
  periods: number[];
  /** The charges for them, billed or pending. Their unused rest is not credited yet. */
  charges: BilledCharge[];
}

/** Reads the bills of a subscription for the periods that end after an instant. Lines of voided invoices are no charges. */
export async function billedAfter(em: EntityManager, at: LockedSubscription, from: number): Promise<Billed> {
  await em.write();
  const { subscription } = at;
  const { accountId } = subscription;
  const reading = readingOf(em, accountId);
  const first = Math.max(0, periodIndexAt(stateOf(at).schedule, from));
  const bills = await em.find(
    Invoice,
    { accountId, subscription, segment: subscription.segment, period: { $gte: first }, deletedAt: null },
    { orderBy: { period: 'asc' } },
  );
  const { segment } = subscription;
  const changes = subscription.prorations.filter((one) => one.segment === segment && one.endAt > from);
  const lines = await reading.byId(
    LineItem,
    changes.map(({ lineId }) => lineId),
  );
  const invoiceIds = [...bills, ...[...lines.values()].flatMap(({ invoice }) => invoice ?? [])].map(({ id }) => id);
  const holders = await holdersOf(em, { accountId, ids: invoiceIds });
  const isVoided = (line: Line | undefined) => Boolean(line?.invoice && !holders.has(line.invoice.id));
  const credited = new Set(
    changes.flatMap((change) => (change.credited && !isVoided(lines.get(change.lineId)) ? change.credited : [])),
  );
  const own = await linesOfEach(em, 'invoice', { accountId, ids: bills.map(({ id }) => id) });
  const billed = bills.flatMap((bill) => (holders.has(bill.id) ? chargesOn(bill, own.get(bill.id) ?? []) : []));
  const prorated = changes.flatMap((change) => {
    const line = change.credited ? undefined : lines.get(change.lineId);
    return line && !isVoided(line) ? [{ line, amount: line.amount, documentTaxes: [] }] : [];
  });
  const uncredited = [...billed, ...prorated].filter(({ line }) => !credited.has(line.id));
  const placed = uncredited.map((charge) => ({ charge, invoiceId: holders.get(charge.line.invoice?.id ?? 0) ?? null }));
  return {
    periods: await withCurrent(em, at, { periods: bills.flatMap(({ period }) => period ?? []), first }),
    charges: await lessCreditNotes(em, accountId, placed),
  };
}

/** Billed periods with the current one, which never had an invoice if the subscription had only usage when it began. */
async function withCurrent(
  em: EntityManager,
  at: LockedSubscription,
  { periods, first }: { periods: number[]; first: number },
): Promise<number[]> {
  const { subscription } = at;
  const { accountId, segment, hasUsage, billIn, nextPeriod, periodOpen, periodStartAt } = subscription;
  if (!hasUsage || billIn === 'arrears' || !periodStartAt) return periods;
  const period = periodIndexAt(stateOf(at).schedule, periodStartAt.getTime());
  const isBegun = period >= first && period < nextPeriod - (periodOpen ? 1 : 0);
  if (!isBegun || periods.includes(period)) return periods;
  const wasBilled = (await em.count(Invoice, { accountId, subscription, segment, period })) > 0;
  return wasBilled ? periods : [period, ...periods];
}

/** The charges on the bill of a period: its own lines, without pending lines that it took. */
function chargesOn(bill: Invoice, lines: readonly Line[]): BilledCharge[] {
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
    return isOwn && amount ? [{ line, amount, documentTaxes: bill.taxes }] : [];
  });
}
