import { errorCodeNames } from '../../../billing/errorCodes.ts';
import * as fields from '../../framework/shape.ts';

export const usage = fields.shape('Usage', 'Usage: units of a metered plan that a subscription used', {
  id: fields.id('Id of the usage', 901),
  subscription: fields.id('Id of the subscription'),
  addon: fields.unset(fields.id('Id of the add-on; null: the plan of the subscription', 51)),
  quantity: fields.number('Quantity that was used, in units; negative: a correction', 12.5),
  timestamp: fields.timestamp('When they were used'),
  idempotency_key: fields.text('Key of the report: another report with it changes nothing', 'call-8c1f'),
  billed: fields.flag('True: a bill has taken it', false),
  invoice: fields.unset(fields.id('Id of the invoice that bills it; null: none, or it cost nothing', 77)),
  period_start: fields.unset(fields.timestamp('Start of the period with which it was billed; null: it is not billed')),
  period_end: fields.unset(
    fields.timestamp('End of the period with which it was billed (exclusive); null: it is not billed', 1_798_761_600),
  ),
  created_at: fields.createdAt,
});

const used = {
  addon: fields.unset(fields.id('Id of the add-on; null: the plan of the subscription', 51)),
  plan: fields.code('Id of the metered plan', 'calls'),
  period_start: fields.timestamp('Start of the usage'),
  period_end: fields.timestamp('End of the usage (exclusive)', 1_798_761_600),
  quantity: fields.number('Quantity that was used, in units', 1200),
  records: fields.integer('Number of reports', 40),
  amount: fields.money(
    'Price before discounts; for late usage the price of the period with it less the price without',
    24,
  ),
  late: fields.flag('True: it was reported after the bill of its period', false),
};

export const usageTotal = fields.shape('UsageTotal', 'Billed usage of a plan or add-on in a period, and its price', {
  id: fields.id('Id of the total', 301),
  ...used,
  invoice: fields.unset(fields.id('Id of the invoice that bills it; null: none yet, or it costs nothing', 77)),
  created_at: fields.createdAt,
});

const upcomingTotal = fields.value('UpcomingUsageTotal', 'Usage of a plan or add-on that no bill has taken', used);

export const upcomingUsage = fields.value('UpcomingUsage', 'Usage of a subscription that no bill has taken', {
  currency: fields.currency(),
  totals: fields.listOf(upcomingTotal, 'Usage until now by plan or add-on and period'),
});

/** The answer to one report of a batch. */
export const usageResult = fields.sometimes(
  fields.value('UsageResult', 'Answer to one report of a batch: its usage, or why it was refused', {
    status: fields.choice(
      '`created`: it is recorded; `repeated`: an earlier report with its key recorded it; `refused`: see `error`',
      'created',
      'repeated',
      'refused',
    ),
  }),
  {
    usage: fields.one(usage, 'The usage that is recorded with the key'),
    error: fields.one(
      fields.value('UsageError', 'Fault of a report that was refused', {
        code: fields.oneOf('Code of the error, as in `Error`', 'parameter_invalid', errorCodeNames),
        message: fields.text('Reason in words', 'Timestamp must not be more than a minute in the future'),
        param: fields.text('Field of the report that is at fault', 'timestamp'),
      }),
      'Fault of the report, if it was refused',
    ),
  },
);

export const usageBatch = fields.value('UsageBatch', 'Answer to a batch of reports', {
  results: fields.listOf(usageResult, 'One answer for each report, in their order'),
});
