import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { UsageRecord } from '../../db/schema/usageRecord.ts';
import type { UsageTotal } from '../../db/schema/usageTotal.ts';
import { number, orNull, type Presented, unix } from '../kernel/values.ts';

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

export interface ShownTotal extends Pick<Plain<UsageTotal>, 'startAt' | 'endAt' | 'turn' | 'records' | 'amount'> {
  addonId: number | null;
  planCode: string;
  currency: string;
  quantity: string;
  invoice: number | null;
}

/** Usage of a plan or add-on in a period, with its price before discounts. */
export function presentUsageTotal(total: ShownTotal): Presented {
  return {
    object: 'usage_total',
    addon: total.addonId,
    plan: total.planCode,
    period_start: unix(total.startAt),
    period_end: unix(total.endAt),
    quantity: Number(total.quantity),
    records: total.records,
    currency: total.currency,
    amount: number(total.amount),
    late: total.turn > 0,
    invoice: total.invoice,
  };
}
