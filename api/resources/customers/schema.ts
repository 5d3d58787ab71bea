import { z } from 'zod';
import { invoiceMailings } from '../../../billing/documents/invoice.ts';
import { readStatementDay, statementDays, statementDaysInWords } from '../../../billing/documents/statementSchedule.ts';
import { paperKinds } from '../../../billing/look/pdfTemplate.ts';
import { paymentMethods } from '../../../billing/payments/paymentMethods.ts';
import * as fields from '../../body/fields.ts';
import { unfit } from '../../body/readers.ts';
import { object, type WithoutEffect } from '../../body/request.ts';
import { isSent } from '../../body/sent.ts';
import { terms } from '../documents/fields.ts';

const MOST_TAXES = 20;

/** Days; -1: the account's setting applies. */
const delayDays = fields.wholeNumber(-1, 365);

const statementDay = fields.described(
  fields.field(
    (value) => readStatementDay(isSent(value) ? value.text : value) ?? unfit(`must be ${statementDaysInWords}`),
    {
      type: 'string',
      enum: [...statementDays],
    },
  ),
  'Day of the month on which it gets its account statement by mail: `1` to `28`, `last`, or `off` for none; null: the setting of the account',
);

const details = {
  email: fields.email,
  payment_terms: terms,
  attention_to: fields.text(),
  ...fields.address,
  language: fields.language,
  currency: fields.currency,
  phone: fields.text(),
  tax_id: fields.reference,
  notes: fields.longText,
  credit_limit: fields.amount,
  owner: fields.id,
  taxes: fields.list(fields.required(fields.code), MOST_TAXES),
  credit_hold_reason: fields.described(
    fields.text(255),
    'Reason of the credit hold, for the people of the account; a release removes it',
  ),
  taxengine_entity_use_code: fields.reference,
  taxengine_exemption_number: fields.reference,
  parent_customer: fields.id,
  ach_gateway: fields.id,
  cc_gateway: fields.id,
  chasing_cadence: fields.described(
    fields.id,
    'Id of the chasing cadence; null: the one whose conditions match, else the default one',
  ),
  next_chase_step: fields.described(fields.id, 'Id of the step of its cadence that comes next; null: the first one'),
  theme: fields.described(
    fields.id,
    'Id of the theme of its papers, pages and mails; null: the default theme of the account',
  ),
  sign_up_page: fields.described(fields.id, 'Id of the sign-up page on which it can subscribe'),
  pdf_templates: fields.described(
    fields.list(fields.required(fields.code), paperKinds.length),
    'Ids of the PDF templates of its papers, one of each kind at most; those of the account for other kinds',
  ),
  statement_day: statementDay,
  email_new_invoices: fields.described(
    fields.choice(...invoiceMailings),
    'Invoices that are mailed when they are issued: `none`, `subscriptions` or `all`; null: by the setting of the account',
  ),
  disabled_payment_methods: fields.list(fields.required(fields.choice(...paymentMethods)), paymentMethods.length),
};

/** Boolean fields with their defaults. */
export const initially = {
  active: true,
  credit_hold: false,
  taxable: true,
  bill_to_parent: false,
  consolidated: false,
  autopay_fallback: false,
  chase: true,
};

const detailsShape = z.object(details);
export type CustomerDetails = z.output<typeof detailsShape>;

const without = {
  readOnly: [
    'id',
    'object',
    'payment_source',
    'merged_into',
    'credit_hold_since',
    'credit_hold_by',
    'sign_up_url',
    'portal_url',
    'statement_pdf_url',
    'created_at',
    'updated_at',
  ],
} satisfies WithoutEffect;

const types = fields.choice('company', 'person');

export const newCustomer = object(
  {
    name: fields.required(fields.name),
    number: fields.number,
    autopay: fields.withDefault(fields.boolean, false),
    autopay_delay_days: fields.withDefault(delayDays, -1),
    type: fields.withDefault(types, 'company'),
    test_clock: fields.id,
    active: fields.withDefault(fields.boolean, initially.active),
    credit_hold: fields.withDefault(fields.boolean, initially.credit_hold),
    taxable: fields.withDefault(fields.boolean, initially.taxable),
    bill_to_parent: fields.withDefault(fields.boolean, initially.bill_to_parent),
    consolidated: fields.withDefault(fields.boolean, initially.consolidated),
    autopay_fallback: fields.withDefault(fields.boolean, initially.autopay_fallback),
    chase: fields.withDefault(fields.boolean, initially.chase),
    ...details,
    metadata: fields.withDefault(fields.metadata, {}),
  },
  without,
);

export const customerChange = object(
  {
    name: fields.kept(fields.name),
    number: fields.kept(fields.number),
    autopay: fields.resettable(fields.boolean, false),
    autopay_delay_days: fields.resettable(delayDays, -1),
    type: fields.resettable(types, 'company'),
    active: fields.resettable(fields.boolean, initially.active),
    credit_hold: fields.resettable(fields.boolean, initially.credit_hold),
    taxable: fields.resettable(fields.boolean, initially.taxable),
    bill_to_parent: fields.resettable(fields.boolean, initially.bill_to_parent),
    consolidated: fields.resettable(fields.boolean, initially.consolidated),
    autopay_fallback: fields.resettable(fields.boolean, initially.autopay_fallback),
    chase: fields.resettable(fields.boolean, initially.chase),
    test_clock: fields.described(fields.id, 'Cannot be changed; the current value is accepted'),
    ...details,
    metadata: fields.resettable(fields.metadata, {}),
  },
  without,
);

export const merge = object({
  customer: fields.required(
    fields.described(fields.id, 'Id of the customer to merge into this one; its objects move, and it becomes inactive'),
  ),
});

export const consolidation = object({
  cutoff_date: fields.described(
    fields.timestamp,
    'Latest date of the invoices to combine; default: now; UNIX time in seconds',
  ),
  currency: fields.described(
    fields.currency,
    'Currency of the invoices to combine: three-letter ISO 4217 code; default: the currency of the customer',
  ),
});
