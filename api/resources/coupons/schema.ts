import * as fields from '../../body/fields.ts';
import { LARGEST_ID } from '../../body/readers.ts';
import { object } from '../../body/request.ts';

const readOnly = ['object', 'created_at', 'updated_at'];
const MOST_CYCLES = 1200;

export const newCoupon = object(
  {
    id: fields.newCode,
    name: fields.required(fields.name),
    currency: fields.currency,
    value: fields.required(fields.unitPrice),
    is_percent: fields.withDefault(fields.boolean, true),
    exclusive: fields.withDefault(fields.boolean, false),
    expiration_date: fields.timestamp,
    max_redemptions: fields.withDefault(fields.wholeNumber(0, LARGEST_ID), 0),
    duration: fields.withDefault(fields.wholeNumber(0, MOST_CYCLES), 0),
    metadata: fields.withDefault(fields.metadata, {}),
  },
  { readOnly },
);

const fixed = ['id', 'value', 'is_percent', 'currency', 'exclusive', 'expiration_date', 'max_redemptions', 'duration'];

export const couponChange = object(
  { name: fields.kept(fields.name), metadata: fields.resettable(fields.metadata, {}) },
  { readOnly, fixed },
);
