import * as fields from '../../framework/shape.ts';
import { taxRate } from '../taxRates/shape.ts';

export const item = fields.shape(
  'Item',
  'Catalog item: a product or service with its price, from which lines are filled',
  {
    id: fields.code('Id of the item: chosen at creation, otherwise generated', 'support-hour'),
    name: fields.text('Name of the item, as printed on documents', 'Support hour'),
    currency: fields.nullable(fields.currency('Currency of the price: three-letter ISO 4217 code; null: any')),
    unit_cost: fields.money('Price per unit', 120),
    description: fields.nullable(fields.text('Description, printed below the name', 'Remote support by an engineer')),
    type: fields.nullable(fields.text('Category of its lines in reports', 'service')),
    taxable: fields.flag('False: taxes of a document do not apply to its lines', true),
    taxes: fields.listOf(taxRate, 'Tax rates of its lines'),
    taxengine_tax_code: fields.nullable(fields.text('Tax code for the tax engine', 'SW050000'), null),
    taxengine_location_code: fields.nullable(fields.text('Location code for the tax engine', 'HQ'), null),
    gl_account: fields.nullable(fields.text('General ledger account of its revenue', '4000')),
    discountable: fields.flag('False: discounts of a document do not apply to its lines', true),
    created_at: fields.createdAt,
    updated_at: fields.updatedAt,
    metadata: fields.metadata,
  },
);
