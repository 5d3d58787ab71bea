import type { Part, PresentedKind } from '../../framework/kind.ts';
import * as shown from '../../framework/shape.ts';
import { presentedRelation } from '../../reading/expand.ts';
import { coupon } from '../coupons.ts';
import { items } from '../items.ts';
import { plans } from '../plans.ts';
import { taxRate } from '../taxRates.ts';

export const discount = shown.shape('Discount', 'Discount of a line or a document', {
  id: shown.id('Id of the discount', 31),
  amount: shown.money('Discounted amount', 24),
  coupon: shown.nullable(shown.one(coupon, 'Coupon that it is computed from, as it was when it was attached')),
  expires: shown.unset(shown.timestamp('When the coupon expires; null: never')),
});

export const tax = shown.shape('Tax', 'Tax on a line or a document, added to its prices or contained in them', {
  id: shown.id('Id of the tax', 41),
  amount: shown.money('Amount of tax', 41.04),
  tax_rate: shown.nullable(shown.one(taxRate, 'Tax rate that it is computed from, as it was when it was attached')),
  updated_at: shown.updatedAt,
});

export const shownDiscounts = shown.listOf(discount, 'Discounts, in the order in which they are applied');
export const shownTaxes = shown.listOf(tax, 'Taxes, by tax rate or as amounts');

export const shownShipTo = shown.unset(
  shown.one(
    shown.value('ShipTo', 'Shipping address', {
      name: shown.nullable(shown.text('Name of the recipient', 'Ada Lovelace Ltd')),
      attention_to: shown.unset(shown.text('Person or department at the recipient', 'Goods inwards')),
      ...shown.address,
      updated_at: shown.updatedAt,
    }),
    'Shipping address; tax rules use it instead of the billing address',
  ),
);

export const lineItem = shown.sometimes(
  shown.shape('LineItem', 'Line of a document', {
    id: shown.id('Id of the line', 21),
    catalog_item: shown.unset(
      shown.code('Id of the catalog item from which omitted fields are filled', 'support-hour'),
    ),
    type: shown.unset(shown.text('Category of the line in reports; `plan` for lines of subscriptions', 'service')),
    name: shown.nullable(shown.text('Name of the line, as printed', 'Support hour')),
    description: shown.unset(shown.text('Description, printed below the name', 'Remote support by an engineer')),
    quantity: shown.number('Quantity, such as 2 or 1.5', 2),
    unit_cost: shown.money('Price per unit, rounded only in `amount`', 120),
    amount: shown.money('Quantity x unit cost, rounded to the currency', 240),
    discountable: shown.flag('False: discounts of the document do not apply to the line', true),
    discounts: shownDiscounts,
    taxable: shown.flag('False: taxes of the document do not apply to the line', true),
    taxes: shownTaxes,
    plan: shown.unset(shown.code('Id of the billed plan', 'gold')),
    metadata: shown.metadata,
  }),
  {
    period_start: shown.timestamp('Start of the billed or served period; equal to `period_end`: a single date'),
    period_end: shown.nullable(shown.timestamp('End of the period (exclusive)', 1_798_761_600)),
    prorated: shown.flag('True: it bills a share of a whole period', true),
  },
);

/** A line refers to its item and plan by the ids that they had when the line was created. */
const line: PresentedKind = {
  shape: lineItem,
  relations: {
    catalog_item: presentedRelation(() => items, 'catalog_item'),
    plan: presentedRelation(() => plans, 'plan'),
  },
};

/** The lines of a document. */
export const lines: Part = { to: () => line };
