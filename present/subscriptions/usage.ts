import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { UsageRate, UsageRecord, UsageTotal } from '../../db/schema/usage.ts';
import { number, orNull, type Presented, sumNumber, unix } from '../kernel/values.ts';

/** The bill that took usage. `invoice`: null if it cost nothing, or if a pending line bills it. */
export interface BillOfUsage {
  total: Pick<Plain<UsageTotal>, 'startAt' | 'endAt'>;
  invoice: number | null;
}

type Shown = Pick<Plain<UsageRecord>, 'id' | 'addonId' | 'quantity' | 'usedAt' | 'key' | 'createdAt'>;

/** Reported usage of a subscription. `bill`: null if no bill has taken it. */
export function presentUsage(record: Shown, subscription: number, bill: BillOfUsage | null): Presented {
  return {
    id: record.id,
    object: 'usage',
    subscription,
    addon: orNull(record.addonId),
    quantity: number(record.quantity),
    timestamp: unix(record.usedAt),
    idempotency_key: record.key,
    billed: bill !== null,
    invoice: bill?.invoice ?? null,
    period_start: bill ? unix(bill.total.startAt) : null,
    period_end: bill ? unix(bill.total.endAt) : null,
    created_at: unix(record.createdAt),
  };
}

type UsedInPeriod = Pick<Plain<UsageTotal>, 'startAt' | 'endAt' | 'turn' | 'quantity' | 'records' | 'amount'>;

/** Usage of a plan or add-on in a period, with its price before discounts. */
export function presentUpcomingTotal(
  { startAt, endAt, turn, quantity, records, amount }: UsedInPeriod,
  rate: Pick<Plain<UsageRate>, 'addonId' | 'component'>,
): Presented {
  return {
    addon: orNull(rate.addonId),
    plan: rate.component.planCode,
    period_start: unix(startAt),
    period_end: unix(endAt),
    quantity: sumNumber(quantity),
    records,
    amount: number(amount),
    late: turn > 0,
  };
}

/** Billed usage. `invoice`: the one that bills it; null: none yet, or it costs nothing. */
export function presentUsageTotal(
  total: UsedInPeriod & Pick<Plain<UsageTotal>, 'id' | 'createdAt'>,
  { rate, invoice }: { rate: Pick<Plain<UsageRate>, 'addonId' | 'component'>; invoice: number | null },
): Presented {
  const used = presentUpcomingTotal(total, rate);
  return { id: total.id, object: 'usage_total', ...used, invoice, created_at: unix(total.createdAt) };
}
