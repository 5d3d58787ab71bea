import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { discounts, taxes } from '../documents/adjustments.ts';
import { changedLines, newLines } from '../documents/lines.ts';
import { attachments, disabledPaymentMethods } from '../documents/lists.ts';
import { shipTo } from '../documents/shipTo.ts';
import { terms } from '../terms.ts';

const computed = [
  'id',
  'object',
  'approved',
  'status',
  'subtotal',
  'total',
  'url',
  'pdf_url',
  'created_at',
  'updated_at',
];

/** Fields that creating and changing share. */
const common = {
  currency: fields.currency,
  payment_terms: terms,
  purchase_order: fields.reference,
  date: fields.timestamp,
  expiration_date: fields.described(
    fields.timestamp,
    'It holds until the end of this day in the time zone of the account, unless it is approved or some of its deposit is paid',
  ),
  notes: fields.longText,
  discounts,
  taxes,
  ship_to: shipTo,
  disabled_payment_methods: disabledPaymentMethods,
};

const deposit = fields.described(fields.noLess, 'What is asked up front; at most the total');

export const newEstimate = object(
  {
    customer: fields.required(fields.id),
    invoice: fields.described(fields.id, 'The invoice of the same customer that it became elsewhere'),
    name: fields.name,
    number: fields.number,
    ...common,
    draft: fields.described(fields.otherwise(fields.boolean, false), 'True: it is not issued yet'),
    sent: fields.described(fields.otherwise(fields.boolean, false), 'True: the customer has it already'),
    closed: fields.described(fields.otherwise(fields.boolean, false), 'True: it was turned down'),
    deposit: fields.otherwise(deposit, '0'),
    deposit_paid: fields.described(fields.otherwise(fields.boolean, false), 'True: the deposit has arrived elsewhere'),
    items: newLines,
    calculate_taxes: fields.described(
      fields.otherwise(fields.boolean, true),
      'False: it has no tax rates, neither those of its items nor of customer or place',
    ),
    attachments,
    metadata: fields.otherwise(fields.metadata, {}),
  },
  { readOnly: computed },
);

export const estimateChange = object(
  {
    customer: fields.described(fields.kept(fields.id), 'Whose a draft is to be; what is issued keeps its own'),
    invoice: fields.described(fields.id, 'The one that it has'),
    name: fields.resettable(fields.name, 'Estimate'),
    number: fields.number,
    ...common,
    currency: fields.kept(fields.currency),
    date: fields.kept(fields.timestamp),
    draft: fields.described(fields.kept(fields.boolean), 'False issues a draft'),
    sent: fields.described(fields.kept(fields.boolean), 'Whether the customer has it; not in responses'),
    closed: fields.described(fields.kept(fields.boolean), 'True declines it, false takes that back'),
    deposit: fields.resettable(deposit, '0'),
    deposit_paid: fields.described(fields.kept(fields.boolean), 'True: the deposit has arrived elsewhere'),
    items: changedLines,
    calculate_taxes: fields.described(
      fields.otherwise(fields.boolean, false),
      'True finds the rates of customer or place anew; else amounts are computed by the rates that are there',
    ),
    attachments,
    metadata: fields.resettable(fields.metadata, {}),
  },
  { readOnly: computed },
);
