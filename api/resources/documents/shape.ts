import * as fields from '../../framework/shape.ts';
import { coupon } from '../coupons/shape.ts';
import { taxRate } from '../taxRates/shape.ts';

export const discount = fields.shape('Discount', 'Discount of a line or a document', {
  id: fields.id('Id of the discount', 31),
  amount: fields.money('Discounted amount', 24),
  coupon: fields.nullable(fields.one(coupon, 'Coupon that it is computed from, as it was when it was attached')),
  expires: fields.unset(fields.timestamp('When the coupon expires; null: never')),
});

export const tax = fields.shape('Tax', 'Tax on a line or a document, added to its prices or contained in them', {
  id: fields.id('Id of the tax', 41),
  amount: fields.money('Amount of tax', 41.04),
  tax_rate: fields.nullable(fields.one(taxRate, 'Tax rate that it is computed from, as it was when it was attached')),
  updated_at: fields.updatedAt,
});

export const discounts = fields.listOf(discount, 'Discounts, in the order in which they are applied');
export const taxes = fields.listOf(tax, 'Taxes, by tax rate or as amounts');

export const shipTo = fields.unset(
  fields.one(
    fields.value('ShipTo', 'Shipping address', {
      name: fields.nullable(fields.text('Name of the recipient', 'Ada Lovelace Ltd')),
      attention_to: fields.unset(fields.text('Person or department at the recipient', 'Goods inwards')),
      ...fields.address,
      updated_at: fields.updatedAt,
    }),
    'Shipping address; tax rules use it instead of the billing address',
  ),
);

export const lineItem = fields.sometimes(
  fields.shape('LineItem', 'Line of a document', {
    id: fields.id('Id of the line', 21),
    catalog_item: fields.unset(
      fields.code('Id of the catalog item from which omitted fields are filled', 'support-hour'),
    ),
    type: fields.unset(fields.text('Category of the line in reports; `plan` for lines of subscriptions', 'service')),
    name: fields.nullable(fields.text('Name of the line, as printed', 'Support hour')),
    description: fields.unset(fields.text('Description, printed below the name', 'Remote support by an engineer')),
    quantity: fields.number('Quantity, such as 2 or 1.5', 2),
    unit_cost: fields.money('Price per unit, rounded only in `amount`', 120),
    amount: fields.money('Quantity x unit cost, rounded to the currency', 240),
    discountable: fields.flag('False: discounts of the document do not apply to the line', true),
    discounts,
    taxable: fields.flag('False: taxes of the document do not apply to the line', true),
    taxes,
    plan: fields.unset(fields.code('Id of the billed plan', 'gold')),
    metadata: fields.metadata,
  }),
  {
    period_start: fields.timestamp('Start of the billed or served period; equal to `period_end`: a single date'),
    period_end: fields.nullable(fields.timestamp('End of the period (exclusive)', 1_798_761_600)),
    prorated: fields.flag('True: it bills a share of a whole period', true),
  },
);
