import { condition } from '../../../db/queries/kernel/condition.ts';
import type { Plain } from '../../../db/queries/kernel/plain.ts';
import type { Reading } from '../../../db/queries/kernel/reading.ts';
import { LineItem } from '../../../db/schema/lineItem.ts';
import { UsageRecord } from '../../../db/schema/usageRecord.ts';
import { UsageTotal } from '../../../db/schema/usageTotal.ts';
import { type BillOfUsage, presentUsage } from '../../../present/subscriptions/usage.ts';
import * as fields from '../../body/fields.ts';
import { between, filtered, type Resource, sorted, where } from '../../framework/resource.ts';
import { subscriptions } from '../subscriptions/resource.ts';
import { usage } from './shape.ts';

/** SQL: account and id of the totals that an invoice bills, with its own lines or with pending lines that it took. Twice the invoice's id. */
export const TOTALS_OF_INVOICE = `select account_id, id from usage_total where invoice_id = ?
  union all select t.account_id, t.id from line_item l join usage_total t on t.account_id = l.account_id and t.line_id = l.id
  where l.invoice_id = ?`;

/** The usage of the subscription in the path. */
export const usages: Resource<UsageRecord, 'id'> = {
  name: 'Usage',
  shape: usage,
  row: UsageRecord,
  idColumn: 'id',
  hasLongIds: true,
  owner: { to: () => subscriptions, param: 'subscription_id', column: 'subscription_id' },
  columns: {
    id: filtered('id', fields.longId),
    timestamp: sorted('used_at'),
    addon: filtered('addon_id', fields.id),
    billed: {
      sort: null,
      filter: where(fields.boolean, (billed) => condition(`total_id is ${billed ? 'not null' : 'null'}`)),
    },
    invoice: {
      sort: null,
      filter: where(fields.id, (id) => condition(`(account_id, total_id) in (${TOTALS_OF_INVOICE})`, id, id)),
    },
    idempotency_key: filtered('key', fields.text()),
  },
  parameters: {
    ...between('used_at', fields.timestamp, ['start_date', 'end_date']),
    ...between('created_at', fields.timestamp, ['updated_after', 'updated_before']),
  },
  order: [
    { column: 'used_at', direction: 'desc' },
    { column: 'id', direction: 'desc' },
  ],
  present: async (reading, rows) => {
    const bills = await billsOf(reading, rows);
    return rows.map((row) => presentUsage(row, row.subscriptionId, bills.get(row.totalId ?? 0) ?? null));
  },
};

/** The bills that took usage, by id of the total. Two statements at most. */
export async function billsOf(
  reading: Reading,
  rows: readonly Pick<Plain<UsageRecord>, 'totalId'>[],
): Promise<Map<number, BillOfUsage>> {
  const totals = await reading.byId(
    UsageTotal,
    rows.flatMap(({ totalId }) => totalId ?? []),
  );
  const lines = await reading.byId(
    LineItem,
    [...totals.values()].flatMap(({ lineId }) => lineId ?? []),
  );
  return new Map(
    [...totals].map(([id, total]) => {
      const invoice = total.invoiceId ?? lines.get(total.lineId ?? 0)?.invoice?.id ?? null;
      return [id, { total, invoice }];
    }),
  );
}
