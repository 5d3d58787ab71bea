import type { z } from 'zod';
import { MOST_RECORDS } from '../../../billing/usage.ts';
import type { ReportedUsage } from '../../../db/queries/usage/recording.ts';
import * as fields from '../../body/fields.ts';
import { readDecimal, unfit } from '../../body/readers.ts';
import { object } from '../../body/request.ts';

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
