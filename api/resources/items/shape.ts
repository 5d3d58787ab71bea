import * as fields from '../../framework/shape.ts';
import { taxRate } from '../taxRates/shape.ts';

export const item = fields.shape('Item', 'What is sold, with its price: fills the lines of documents', {
  id: fields.code('Chosen at creation, else made up', 'support-hour'),
  name: fields.text('Title on documents', 'Support hour'),
  currency: fields.nullable(fields.currency()),
  unit_cost: fields.number('Price of one', 120),
  description: fields.nullable(fields.text('Second line on documents', 'Remote support by an engineer')),
  type: fields.nullable(fields.text('Groups lines in reports', 'service')),
  taxable: fields.flag('False keeps its amounts out of taxes', true),
  taxes: fields.listOf(taxRate, 'Tax rates that its lines have'),
  taxengine_tax_code: fields.nullable(fields.text('Code of the tax engine', 'SW050000'), null),
  taxengine_location_code: fields.nullable(fields.text('Location code of the tax engine', 'HQ'), null),
  gl_account: fields.nullable(fields.text('General ledger account', '4000')),
  discountable: fields.flag('False keeps its amounts out of discounts', true),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
