import * as fields from '../../framework/shape.ts';

export const taxRate = fields.shape('TaxRate', 'What is added to prices, or is in them, for a tax office', {
  id: fields.code('Chosen at creation, else made up', 'vat-19'),
  name: fields.text('Title on documents', 'VAT'),
  value: fields.number('The percentage, or an amount', 19),
  is_percent: fields.flag('The value is a percentage', true),
  inclusive: fields.flag('Prices have it in them already', false),
  currency: fields.nullable(fields.currency('The only currency of documents that can have it; null: any'), null),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
