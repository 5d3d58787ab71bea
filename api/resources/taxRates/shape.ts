import * as fields from '../../framework/shape.ts';

const plain = fields.shape('TaxRate', 'Tax rate, added to prices or contained in them', {
  id: fields.code('Id of the tax rate: chosen at creation, otherwise generated', 'vat-19'),
  name: fields.text('Name of the tax, as printed on documents', 'VAT'),
  value: fields.number('Tax: a percentage (`19` is 19 %), or an amount per document in major currency units', 19),
  is_percent: fields.flag('True: `value` is a percentage; false: an amount', true),
  inclusive: fields.flag('True: prices contain the tax', false),
  currency: fields.nullable(fields.currency('Currency of documents that can have it; null: any'), null),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});

export const taxRate = fields.sometimes(plain, {
  reverse_charge: fields.flag('True: a tax rule made the buyer owe this tax, so `value` is 0. Only in documents', true),
});
