import { paymentMethods } from '../../../billing/payments/paymentMethods.ts';
import { documentationOf, documented } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import {
  attachments,
  changedLines,
  disabledPaymentMethods,
  discounts,
  invoiceTerms,
  newLines,
  shipTo,
  taxes,
  terms,
} from '../documents/fields.ts';

const promise = object({
  date: fields.described(
    fields.required(fields.timestamp),
    'Time at which the payment is expected, UNIX time in seconds; its whole day counts',
  ),
  method: fields.choice(...paymentMethods),
  reference: fields.reference,
});

const readPromise = promise.transform(({ date, method = null, reference = null }) => ({ date, method, reference }));

/** Replaces the promised payment as a whole. Null: the promise is withdrawn. */
const expectedPayment = fields.described(
  fields.nested(documented(readPromise, documentationOf(promise))),
  'Payment that the customer has promised; null: the promise is withdrawn',
);

const computed = [
  'id',
  'object',
  'paid',
  'status',
  'attempt_count',
  'next_payment_attempt',
  'payment_failure',
  'subscription',
  'subtotal',
  'total',
  'balance',
  'written_off',
  'write_off_reason',
  'payment_plan',
  'expected_payment_status',
  'disputed_lines',
  'dispute_hold_until',
  'consolidated_into',
  'url',
  'payment_url',
  'pdf_url',
  'created_at',
  'updated_at',
];

/** Fields that creating and changing share. */
const common = {
  currency: fields.currency,
  autopay: fields.boolean,
  payment_terms: terms,
  purchase_order: fields.reference,
  date: fields.timestamp,
  due_date: fields.timestamp,
  notes: fields.longText,
  discounts,
  taxes,
  ship_to: shipTo,
  chasing_cadence: fields.described(
    fields.id,
    'Id of its invoice chasing cadence; null: none. An invoice that is issued without one gets the default one',
  ),
  disabled_payment_methods: disabledPaymentMethods,
};

export const newInvoice = object(
  {
    customer: fields.required(fields.id),
    name: fields.name,
    number: fields.number,
    ...common,
    draft: fields.described(fields.withDefault(fields.boolean, false), 'True: create a draft instead of issuing it'),
    sent: fields.described(fields.withDefault(fields.boolean, false), 'True: mark it as sent to the customer'),
    closed: fields.described(fields.withDefault(fields.boolean, false), 'True: write it off as bad debt'),
    items: newLines,
    attachments,
    calculate_taxes: fields.described(
      fields.withDefault(fields.boolean, true),
      'False: apply no tax rates, not even those of items, customer or place',
    ),
    metadata: fields.withDefault(fields.metadata, {}),
  },
  { readOnly: computed, later: { expected_payment_date: null } },
);

export const invoiceChange = object(
  {
    customer: fields.described(
      fields.kept(fields.id),
      'Id of the new customer of a draft; an issued invoice keeps its customer',
    ),
    name: fields.resettable(fields.name, 'Invoice'),
    number: fields.number,
    ...common,
    payment_terms: invoiceTerms,
    currency: fields.kept(fields.currency),
    date: fields.kept(fields.timestamp),
    draft: fields.described(fields.kept(fields.boolean), 'False: issue the draft'),
    sent: fields.described(
      fields.kept(fields.boolean),
      'True: mark it as sent to the customer; false: as not sent. Not in responses',
    ),
    closed: fields.described(fields.kept(fields.boolean), 'True: write it off as bad debt; false: reopen it'),
    expected_payment_date: expectedPayment,
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

export const voiding = object({
  rebill_usage: fields.described(
    fields.boolean,
    'False: usage that it billed counts as billed; true, absent or null: the next bill of its subscription has it, at the discounts and tax rates of this invoice',
  ),
});

export const customersPromise = object({
  date: fields.described(
    fields.required(fields.timestamp),
    'Time at which the payment will come, UNIX time in seconds; its whole day counts',
  ),
});

const MOST_WORDS = 1000;

export const lineDispute = object({
  line_item: fields.described(fields.required(fields.longId), 'Id of the disputed line'),
  reason: fields.described(fields.required(fields.text(MOST_WORDS)), 'Reason in the words of the customer'),
});
