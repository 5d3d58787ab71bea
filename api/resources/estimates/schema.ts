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
  'payment_url',
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
    'Last day of validity: it expires at the end of this day in the time zone of the account, unless it was approved or a part of its deposit was paid; UNIX time in seconds',
  ),
  notes: fields.longText,
  discounts,
  taxes,
  ship_to: shipTo,
  disabled_payment_methods: disabledPaymentMethods,
};

const deposit = fields.described(
  fields.nonNegativeAmount,
  'Deposit that the customer is asked to pay in advance; at most the total; in major currency units',
);

export const newEstimate = object(
  {
    customer: fields.required(fields.id),
    invoice: fields.described(fields.id, 'Id of an existing invoice of the same customer that it became'),
    name: fields.name,
    number: fields.number,
    ...common,
    draft: fields.described(fields.withDefault(fields.boolean, false), 'True: create a draft instead of issuing it'),
    sent: fields.described(fields.withDefault(fields.boolean, false), 'True: mark it as sent to the customer'),
    closed: fields.described(fields.withDefault(fields.boolean, false), 'True: the estimate is declined'),
    deposit: fields.withDefault(deposit, '0'),
    deposit_paid: fields.described(
      fields.withDefault(fields.boolean, false),
      'True: the deposit was received outside Perennial',
    ),
    items: newLines,
    calculate_taxes: fields.described(
      fields.withDefault(fields.boolean, true),
      'False: apply no tax rates, not even those of items, customer or place',
    ),
    attachments,
    metadata: fields.withDefault(fields.metadata, {}),
  },
  { readOnly: computed },
);

export const estimateChange = object(
  {
    customer: fields.described(
      fields.kept(fields.id),
      'Id of the new customer of a draft; an issued estimate keeps its customer',
    ),
    invoice: fields.described(fields.id, 'Cannot be changed; the current value is accepted'),
    name: fields.resettable(fields.name, 'Estimate'),
    number: fields.number,
    ...common,
    currency: fields.kept(fields.currency),
    date: fields.kept(fields.timestamp),
    draft: fields.described(fields.kept(fields.boolean), 'False: issue the draft'),
    sent: fields.described(
      fields.kept(fields.boolean),
      'True: mark it as sent to the customer; false: as not sent. Not in responses',
    ),
    closed: fields.described(fields.kept(fields.boolean), 'True: decline the estimate; false: reopen it'),
    deposit: fields.resettable(deposit, '0'),
    deposit_paid: fields.described(fields.kept(fields.boolean), 'True: the deposit was received outside Perennial'),
    items: changedLines,
    calculate_taxes: fields.described(
      fields.withDefault(fields.boolean, false),
      'True: look up the tax rates of customer or place again; false: keep the current rates',
    ),
    attachments,
    metadata: fields.resettable(fields.metadata, {}),
  },
  { readOnly: computed },
);
