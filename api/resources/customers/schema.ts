import { z } from 'zod';
import * as fields from '../../fields.ts';
import { object, type WithoutEffect } from '../../request.ts';
import { terms } from '../terms.ts';

/** -1: the account's setting. */
const delayDays = fields.wholeNumber(-1, 365);

const details = {
  email: fields.email,
  payment_terms: terms,
  attention_to: fields.text(),
  address1: fields.text(),
  address2: fields.text(),
  city: fields.text(),
  state: fields.text(),
  postal_code: fields.text(),
  country: fields.country,
  language: fields.language,
  currency: fields.currency,
  phone: fields.text(),
  tax_id: fields.text(),
  notes: fields.longText,
};

const detailsShape = z.object(details);
export type CustomerDetails = z.output<typeof detailsShape>;

const without = {
  readOnly: ['id', 'object', 'payment_source', 'sign_up_url', 'statement_pdf_url', 'created_at', 'updated_at'],
  later: {
    active: true,
    chase: true,
    chasing_cadence: null,
    next_chase_step: null,
    credit_hold: false,
    credit_limit: null,
    owner: null,
    taxable: true,
    taxes: [],
    taxengine_entity_use_code: null,
    taxengine_exemption_number: null,
    parent_customer: null,
    sign_up_page: null,
    ach_gateway: null,
    cc_gateway: null,
    bill_to_parent: false,
    consolidated: false,
    disabled_payment_methods: [],
  },
} satisfies WithoutEffect;

const types = fields.choice('company', 'person');

export const newCustomer = object(
  {
    name: fields.required(fields.text()),
    number: fields.text(),
    autopay: fields.otherwise(fields.boolean, false),
    autopay_delay_days: fields.otherwise(delayDays, -1),
    type: fields.otherwise(types, 'company'),
    test_clock: fields.id,
    ...details,
    metadata: fields.otherwise(fields.metadata, {}),
  },
  without,
);

export const customerChange = object(
  {
    name: fields.kept(fields.text()),
    number: fields.kept(fields.text()),
    autopay: fields.resettable(fields.boolean, false),
    autopay_delay_days: fields.resettable(delayDays, -1),
    type: fields.resettable(types, 'company'),
    ...details,
    metadata: fields.resettable(fields.metadata, {}),
  },
  { ...without, readOnly: [...without.readOnly, 'test_clock'] },
);
