import { MOST_STEPS } from '../../../billing/cadence.ts';
import { INVOICE_SCHEDULES } from '../../../billing/invoiceCadence.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { hour, stepWith } from '../chasingCadences/schema.ts';

const readOnly = ['object', 'planning', 'created_at', 'updated_at'];

const step = stepWith(fields.described(fields.text(), `${INVOICE_SCHEDULES}; N is a number of days`, 'after_due:7'));
const steps = fields.list(step, MOST_STEPS);
const isDefault = fields.described(fields.boolean, 'True: invoices that name no cadence get it when they are issued');

export const newInvoiceCadence = object(
  {
    name: fields.required(fields.name),
    time_of_day: fields.withDefault(hour, 9),
    paused: fields.withDefault(fields.boolean, false),
    default: fields.withDefault(isDefault, false),
    steps: fields.required(steps),
  },
  { readOnly },
);

export const invoiceCadenceChange = object(
  {
    name: fields.kept(fields.name),
    time_of_day: fields.resettable(hour, 9),
    paused: fields.resettable(fields.boolean, false),
    default: fields.resettable(isDefault, false),
    steps: fields.kept(steps),
  },
  { readOnly: ['id', ...readOnly] },
);
