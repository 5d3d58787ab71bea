import * as fields from '../../framework/shape.ts';
import { coupon } from '../coupons/shape.ts';
import { taxRate } from '../taxRates/shape.ts';

const discount = fields.shape('Discount', 'What is taken off a line or a document', {
  id: fields.id('Its id', 31),
  amount: fields.number('What it comes to', 24),
  coupon: fields.nullable(fields.one(coupon, 'The coupon that it is computed from, as it was when it was attached')),
  expires: fields.unset(fields.timestamp('Until when it holds')),
});

const tax = fields.shape('Tax', 'What is added to a line or a document for a tax office, or is in its prices', {
  id: fields.id('Its id', 41),
  amount: fields.number('What it comes to', 41.04),
  tax_rate: fields.nullable(fields.one(taxRate, 'The rate that it is computed from, as it was when it was chosen')),
  updated_at: fields.updatedAt,
});

export const discounts = fields.listOf(discount, 'Discounts, in the order in which they are taken off');
export const taxes = fields.listOf(tax, 'Taxes');

export const shipTo = fields.unset(
  fields.one(
    fields.value('ShipTo', 'Where it is shipped to', {
      name: fields.nullable(fields.text('Who receives it', 'Ada Lovelace Ltd')),
      attention_to: fields.unset(fields.text('Person whom it is addressed to', 'Goods inwards')),
      ...fields.address,
      updated_at: fields.updatedAt,
    }),
    'Where it is shipped to; taxes of a place are those of this one',
  ),
);

export const lineItem = fields.sometimes(
  fields.shape('LineItem', 'A line of a document', {
    id: fields.id('Its id', 21),
    catalog_item: fields.unset(fields.code('The item that it was filled from', 'support-hour')),
    type: fields.unset(fields.text('Groups lines in reports; `plan` on lines of plans', 'service')),
    name: fields.nullable(fields.text('Title', 'Support hour')),
    description: fields.unset(fields.text('Second line', 'Remote support by an engineer')),
    quantity: fields.number('How many', 2),
    unit_cost: fields.number('Price of one', 120),
    amount: fields.number('Quantity by unit cost, rounded once', 240),
    discountable: fields.flag('False keeps it out of discounts of the document', true),
    discounts,
    taxable: fields.flag('False keeps it out of taxes of the document', true),
    taxes,
    plan: fields.unset(fields.code('The plan that it bills', 'gold')),
    metadata: fields.metadata,
  }),
  {
    period_start: fields.timestamp('Start of the period that it bills'),
    period_end: fields.nullable(fields.timestamp('End of the period that it bills', 1_798_761_600)),
  },
);
