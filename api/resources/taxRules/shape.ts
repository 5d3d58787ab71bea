import * as fields from '../../framework/shape.ts';

export const taxRule = fields.shape(
  'TaxRule',
  'Tax rule: applies a tax rate automatically to documents shipped or billed to a place',
  {
    id: fields.id('Id of the tax rule'),
    tax_rate: fields.code('Id of the tax rate to apply', 'vat-19'),
    country: fields.nullable({
      schema: {
        ...fields.country.schema,
        description: 'Country of the place: two-letter ISO 3166-1 code; null: any country',
      },
      example: 'DE',
    }),
    state: fields.nullable(
      fields.text('State as in addresses, compared without regard to case; null: the whole country', 'BY'),
      null,
    ),
    reverse_charge: fields.flag(
      'True: companies outside your country, with a well-formed VAT number of theirs, owe the tax themselves',
      false,
    ),
    created_at: fields.createdAt,
    updated_at: fields.updatedAt,
  },
);
