import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';

const readOnly = ['object', 'created_at', 'updated_at'];

const MOST_TAXES = 20;

export const newItem = object(
  {
    id: fields.newCode,
    name: fields.required(fields.name),
    currency: fields.currency,
    unit_cost: fields.withDefault(fields.decimal, '0'),
    description: fields.longText,
    type: fields.text(),
    taxable: fields.withDefault(fields.boolean, true),
    taxes: fields.list(fields.required(fields.code), MOST_TAXES),
    taxengine_tax_code: fields.reference,
    taxengine_location_code: fields.reference,
    discountable: fields.withDefault(fields.boolean, true),
    gl_account: fields.reference,
    metadata: fields.withDefault(fields.metadata, {}),
  },
  { readOnly },
);

/** Fields that are fixed at creation. To change a price, archive the item and create it again. */
const fixed = ['id', 'currency', 'unit_cost', 'gl_account', 'taxable', 'taxes', 'discountable'];
const fixedToo = ['taxengine_tax_code', 'taxengine_location_code'];

export const itemChange = object(
  {
    name: fields.kept(fields.name),
    description: fields.longText,
    type: fields.text(),
    metadata: fields.resettable(fields.metadata, {}),
  },
  { readOnly, fixed: [...fixed, ...fixedToo] },
);
