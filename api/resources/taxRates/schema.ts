import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const readOnly = ['object', 'created_at', 'updated_at'];

export const newTaxRate = object(
  {
    id: fields.newCode,
    name: fields.required(fields.name),
    value: fields.required(fields.unitPrice),
    is_percent: fields.withDefault(fields.boolean, true),
    inclusive: fields.withDefault(fields.boolean, false),
    currency: fields.currency,
    metadata: fields.withDefault(fields.metadata, {}),
  },
  { readOnly },
);

export const taxRateChange = object(
  { name: fields.kept(fields.name), metadata: fields.resettable(fields.metadata, {}) },
  { readOnly, fixed: ['id', 'value', 'is_percent', 'inclusive', 'currency'] },
);
