import * as fields from '../../fields.ts';
import { object } from '../../request.ts';

const readOnly = ['object', 'created_at', 'updated_at'];

/** At most so many intervals between two bills. */
const MOST_INTERVALS = 365;

export const newPlan = object(
  {
    id: fields.newCode,
    name: fields.required(fields.text()),
    catalog_item: fields.code,
    currency: fields.currency,
    amount: fields.required(fields.unitPrice),
    interval: fields.required(fields.choice('day', 'week', 'month', 'year')),
    interval_count: fields.otherwise(fields.wholeNumber(1, MOST_INTERVALS), 1),
    metadata: fields.otherwise(fields.metadata, {}),
  },
  { readOnly, later: { pricing_mode: 'per_unit', quantity_type: 'constant', tiers: null } },
);

const fixed = [
  'catalog_item',
  'currency',
  'amount',
  'pricing_mode',
  'quantity_type',
  'interval',
  'interval_count',
  'tiers',
];

export const planChange = object(
  { name: fields.kept(fields.text()), metadata: fields.resettable(fields.metadata, {}) },
  { readOnly: ['id', ...readOnly, ...fixed] },
);
