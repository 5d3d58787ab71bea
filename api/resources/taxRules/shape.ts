import * as fields from '../../framework/shape.ts';

export const taxRule = fields.shape(
  'TaxRule',
  'Where a tax rate applies by itself: the place that is shipped or billed to',
  {
    id: fields.id('Made at creation'),
    tax_rate: fields.code('Id of the rate', 'vat-19'),
    country: fields.nullable({ ...fields.country, example: 'DE' }),
    state: fields.nullable(fields.text('As in addresses, in any case; null: the whole country', 'BY'), null),
    created_at: fields.createdAt,
    updated_at: fields.updatedAt,
  },
);
