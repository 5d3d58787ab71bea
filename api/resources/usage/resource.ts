import type { z } from 'zod';
import { errorCodeNames } from '../../../billing/errorCodes.ts';
import { MOST_RECORDS } from '../../../billing/usage/usage.ts';
import type { Plain } from '../../../db/queries/kernel/plain.ts';
import type { Reading } from '../../../db/queries/kernel/reading.ts';
import { condition } from '../../../db/queries/kernel/sql.ts';
import type { ReportedUsage } from '../../../db/queries/usage/recording.ts';
import { LineItem } from '../../../db/schema/lineItem.ts';
import { UsageRecord, UsageTotal } from '../../../db/schema/usage.ts';
import { type BillOfUsage, presentUsage } from '../../../present/subscriptions/usage.ts';
import * as fields from '../../body/fields.ts';
import { readDecimal, unfit } from '../../body/readers.ts';
import { object } from '../../body/request.ts';
import { between, filtered, type Resource, sorted, where } from '../../framework/resource.ts';
import * as shown from '../../framework/shape.ts';
import { subscriptions } from '../subscriptions/resource.ts';

const usage = shown.shape('Usage', 'Usage: units of a metered plan that a subscription used', {
  id: shown.id('Id of the usage', 901),
  subscription: shown.id('Id of the subscription'),
  addon: shown.unset(shown.id('Id of the add-on; null: the plan of the subscription', 51)),
  quantity: shown.number('Quantity that was used, in units; negative: a correction', 12.5),
  timestamp: shown.timestamp('When they were used'),
  idempotency_key: shown.text('Key of the report: another report with it changes nothing', 'call-8c1f'),
  billed: shown.flag('True: a bill has taken it', false),
  invoice: shown.unset(shown.id('Id of the invoice that bills it; null: none, or it cost nothing', 77)),
  period_start: shown.unset(shown.timestamp('Start of the period with which it was billed; null: it is not billed')),
  period_end: shown.unset(
    shown.timestamp('End of the period with which it was billed (exclusive); null: it is not billed', 1_798_761_600),
  ),
  created_at: shown.createdAt,
});

const used = {
  addon: shown.unset(shown.id('Id of the add-on; null: the plan of the subscription', 51)),
  plan: shown.code('Id of the metered plan', 'calls'),
  period_start: shown.timestamp('Start of the usage'),
  period_end: shown.timestamp('End of the usage (exclusive)', 1_798_761_600),
  quantity: shown.number('Quantity that was used, in units', 1200),
  records: shown.integer('Number of reports', 40),
  amount: shown.money(
    'Price before discounts; for late usage the price of the period with it less the price without',
    24,
  ),
  late: shown.flag('True: it was reported after the bill of its period', false),
};

export const usageTotal = shown.shape('UsageTotal', 'Billed usage of a plan or add-on in a period, and its price', {
  id: shown.id('Id of the total', 301),
  ...used,
  invoice: shown.unset(shown.id('Id of the invoice that bills it; null: none yet, or it costs nothing', 77)),
  created_at: shown.createdAt,
});

const upcomingTotal = shown.value('UpcomingUsageTotal', 'Usage of a plan or add-on that no bill has taken', used);

export const upcomingUsage = shown.value('UpcomingUsage', 'Usage of a subscription that no bill has taken', {
  currency: shown.currency(),
  totals: shown.listOf(upcomingTotal, 'Usage until now by plan or add-on and period'),
});

/** The answer to one report of a batch. */
const usageResult = shown.sometimes(
  shown.value('UsageResult', 'Answer to one report of a batch: its usage, or why it was refused', {
    status: shown.choice(
      '`created`: it is recorded; `repeated`: an earlier report with its key recorded it; `refused`: see `error`',
      'created',
      'repeated',
      'refused',
    ),
  }),
  {
    usage: shown.one(usage, 'The usage that is recorded with the key'),
    error: shown.one(
      shown.value('UsageError', 'Fault of a report that was refused', {
        code: shown.oneOf('Code of the error, as in `Error`', 'parameter_invalid', errorCodeNames),
        message: shown.text('Reason in words', 'Timestamp must not be more than a minute in the future'),
        param: shown.text('Field of the report that is at fault', 'timestamp'),
      }),
      'Fault of the report, if it was refused',
    ),
  },
);

export const usageBatch = shown.value('UsageBatch', 'Answer to a batch of reports', {
  results: shown.listOf(usageResult, 'One answer for each report, in their order'),
});

const MOST_DECIMALS = 6;

/** Maximum number of units of a report. */
const MOST_UNITS = 1_000_000_000;

/** Units, at most six decimals; not zero. */
const quantity = fields.field(
  (value) => {
    const given = readDecimal(value, MOST_DECIMALS);
    const size = Math.abs(Number(given));
    if (size > MOST_UNITS) return unfit(`must be from -${MOST_UNITS} to ${MOST_UNITS}: ${given}`);
    return size === 0 ? unfit('must not be 0') : given;
  },
  { type: 'number', minimum: -MOST_UNITS, maximum: MOST_UNITS, 'x-decimals': MOST_DECIMALS, not: { const: 0 } },
);

export const newUsage = object(
  {
    quantity: fields.required(
      fields.described(quantity, 'Quantity that was used, in units; negative: a correction of the same period'),
    ),
    timestamp: fields.described(
      fields.timestamp,
      'When they were used; default: now; at most a minute in the future; UNIX time in seconds',
    ),
    idempotency_key: fields.required(
      fields.described(
        fields.reference,
        'Unique key of the report within the subscription, such as the id of the measured event. It counts for good: another report with it changes nothing',
      ),
    ),
    addon: fields.described(fields.id, 'Id of the add-on; absent: the plan of the subscription'),
  },
  {},
);

export const newUsageBatch = object({
  usage: fields.required(fields.described(fields.list(newUsage, MOST_RECORDS), 'Reports; each is judged alone')),
});

/** Converts a report to the input of commands. */
export function reportOf({
  quantity,
  timestamp,
  idempotency_key: key,
  addon,
}: z.output<typeof newUsage>): ReportedUsage {
  return { addonId: addon ?? null, quantity, usedAt: timestamp ?? null, key };
}

/** SQL: account and id of the totals that an invoice bills, with its own lines or with pending lines that it took. Twice the invoice's id. */
export const TOTALS_OF_INVOICE = `select account_id, id from usage_total where invoice_id = ?
  union all select t.account_id, t.id from line_item l join usage_total t on t.account_id = l.account_id and t.line_id = l.id
  where l.invoice_id = ?`;

/** The usage of the subscription in the path. */
export const usages: Resource<UsageRecord, 'id'> = {
  name: 'Usage',
  area: 'subscriptions',
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
