import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const readOnly = ['object', 'currency', 'created_at', 'updated_at'];
const days = fields.wholeNumber(0, 365);
const gracePeriod = fields.described(days, 'Days from the end of the due date to the first fee');
const recurring = fields.described(days, 'Days from each fee to the next one; 0: one fee only');
const cap = fields.described(
  fields.positiveAmount,
  'Highest sum of the fees of one invoice; null: no limit; in major currency units',
);

export const newLateFeeSchedule = object(
  {
    name: fields.required(fields.name),
    grace_period_days: fields.withDefault(gracePeriod, 0),
    amount: fields.required(fields.unitPrice),
    is_percent: fields.withDefault(fields.boolean, true),
    recurring_days: fields.withDefault(recurring, 0),
    cap,
    default: fields.withDefault(fields.boolean, false),
  },
  { readOnly },
);

export const lateFeeScheduleChange = object(
  {
    name: fields.kept(fields.name),
    grace_period_days: fields.resettable(gracePeriod, 0),
    amount: fields.kept(fields.unitPrice),
    is_percent: fields.resettable(fields.boolean, true),
    recurring_days: fields.resettable(recurring, 0),
    cap,
    default: fields.resettable(fields.boolean, false),
  },
  { readOnly: ['id', ...readOnly] },
);
