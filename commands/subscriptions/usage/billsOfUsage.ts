import type { OpenDiscount, OpenTax } from '../../../billing/documents/document.ts';
import { add } from '../../../billing/money/money.ts';
import type { CorrectedBill } from '../../../billing/usage/lateUsage.ts';
import type { BillLine, UsageBill } from '../../../billing/usage/usageBill.ts';
import type { EntityManager } from '../../../db/orm.ts';
import { type Line, linesOfEach } from '../../../db/queries/documents/lines.ts';
import type { Plain } from '../../../db/queries/kernel/plain.ts';
import { readingOf } from '../../../db/queries/kernel/reading.ts';
import { type FirstTotal, type SpanKey, type TakenTotal, totalsOfBills } from '../../../db/queries/usage/totals.ts';
import { Invoice } from '../../../db/schema/invoice.ts';
import type { UsageRate } from '../../../db/schema/usage.ts';
import type { LockedSubscription } from '../../aggregates/subscription.ts';
import { openDiscount, openTax } from '../../catalog/adjustments.ts';
import { lineAsItIs } from '../../documents/lines.ts';
import { addonOf } from './usageSpans.ts';

/** What bills of usage are computed with. */
export interface KnownTerms {
  rates: readonly UsageRate[];
  /** Tax rates of items, by id. */
  taxes: ReadonlyMap<number, OpenTax>;
  /** For bills that an earlier version did not write, because nothing was used. */
  current(): Promise<{ discounts: OpenDiscount[]; taxes: OpenTax[] }>;
}

/** A bill of usage, with a name for each span in its `usage`. */
export interface ReadUsageBill extends CorrectedBill {
  names: string[];
}

/** The name of a span. */
export function spanName({ rateId, startAt }: SpanKey): string {
  return `rate ${rateId} from ${startAt.getTime()}`;
}

/** The name of the bill that took a span first. */
export function nameOfBill({ invoiceId, terms, ...span }: FirstTotal): string {
  if (invoiceId !== null) return `invoice ${invoiceId}`;
  return terms?.unwritten ? `no invoice ${terms.unwritten.id}` : spanName(span);
}

/**
 * Reads the bills that took spans first, with all usage that they and later bills took of their spans, by name: three statements. An invoice
 * is read as it is now, also if it is voided or was consolidated.
 */
export async function readUsageBills(
  em: EntityManager,
  locked: LockedSubscription,
  { firsts, ...known }: KnownTerms & { firsts: readonly FirstTotal[] },
): Promise<Map<string, ReadUsageBill>> {
  const { accountId, id: subscriptionId } = locked.subscription;
  const { currency } = locked.plan;
  const invoiceIds = firsts.flatMap(({ invoiceId }) => invoiceId ?? []);
  const unwrittenIds = firsts.flatMap(({ terms }) => terms?.unwritten?.id ?? []);
  const alone = firsts.filter(({ invoiceId, terms }) => invoiceId === null && !terms?.unwritten);
  const totals = await totalsOfBills(em, { accountId, subscriptionId }, { invoiceIds, unwrittenIds, alone });
  const invoices = await readingOf(em, accountId).byId(Invoice, invoiceIds);
  const lines = await linesOfEach(em, 'invoice', { accountId, ids: invoiceIds });
  const bills = new Map<string, ReadUsageBill>();
  for (const [name, own] of Map.groupBy(totals, ({ first }) => nameOfBill(first))) {
    const { invoiceId = null, terms = null } = own[0]?.first ?? {};
    const invoice = invoiceId === null ? undefined : invoices.get(invoiceId);
    const bill = invoice
      ? adjusted(invoice, lines.get(invoice.id) ?? [])
      : { lines: [], ...(terms?.unwritten ?? (await known.current())) };
    bills.set(name, withUsage({ ...bill, currency }, own, known));
  }
  return bills;
}

function adjusted({ discounts, taxes }: Plain<Invoice>, lines: readonly Line[]) {
  return { lines: lines.map(asBillLine), discounts: discounts.map(openDiscount), taxes: taxes.map(openTax) };
}

function asBillLine(line: Line): BillLine {
  const { periodStartAt, periodEndAt, ...own } = lineAsItIs(line);
  const period =
    periodStartAt && periodEndAt ? { startAt: periodStartAt.getTime(), endAt: periodEndAt.getTime() } : null;
  return { ...own, period, isSwept: Boolean(line.sweptAt) };
}

function withUsage(bill: Omit<UsageBill, 'usage'>, totals: readonly TakenTotal[], known: KnownTerms): ReadUsageBill {
  const spans = [...Map.groupBy(totals, spanName)];
  const read = spans.map(([, own]) => usageOfSpan(own, known));
  return {
    currency: bill.currency,
    lines: bill.lines,
    discounts: bill.discounts,
    taxes: bill.taxes,
    names: spans.map(([name]) => name),
    usage: read.map(({ usage }) => usage),
    counted: read.map(({ counted }) => counted),
    later: read.map(({ later }) => later),
    differences: read.flatMap(({ differences }) => differences),
  };
}

/** What bills have taken of a span. Earlier versions did not keep what later bills had for it: that counts as if the first bill had it. */
function usageOfSpan([first, ...more]: readonly TakenTotal[], { rates, taxes }: KnownTerms) {
  const rate = rates.find(({ id }) => id === first?.rateId);
  if (!first || !rate) throw new Error('a total of another subscription');
  const { pricing, planCode, discountable, taxable, taxRateIds } = rate.component;
  const { terms } = first.first;
  const known = more.filter(({ billed }) => billed);
  const unknown = more.filter(({ billed }) => !billed);
  return {
    usage: {
      addonId: addonOf(rate),
      planCode,
      pricing,
      took: terms?.took ?? first.quantity,
      startAt: first.startAt.getTime(),
      endAt: first.endAt.getTime(),
      line: { discountable, taxable, taxes: terms?.lineTaxes ?? taxRateIds.flatMap((id) => taxes.get(id) ?? []) },
    },
    counted: add(first.quantity, ...unknown.map(({ quantity }) => quantity)),
    later: add('0', ...known.map(({ quantity }) => quantity)),
    differences: known.flatMap(({ billed }) => billed ?? []),
  };
}
