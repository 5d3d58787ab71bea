import * as fields from '../../shape.ts';
import { paymentSource } from '../paymentSources/shape.ts';

const address = {
  attention_to: fields.unset(fields.text('Person whom documents are addressed to', 'Accounts payable')),
  address1: fields.nullable(fields.text('First line of the address', '12 Analytical Way')),
  address2: fields.unset(fields.text('Second line of the address', 'Suite 4')),
  city: fields.nullable(fields.text('City', 'Austin')),
  state: fields.nullable(fields.text('State or province', 'TX')),
  postal_code: fields.nullable(fields.text('Postal code', '78701')),
  country: fields.nullable(fields.country),
};

/** What the product does not do yet. */
const later = {
  chase: fields.flag('Whether it is reminded of overdue invoices', true),
  chasing_cadence: fields.unset(fields.integer('Cadence of its reminders', 1)),
  next_chase_step: fields.unset(fields.integer('Next step of its cadence', 1)),
  credit_hold: fields.flag('Whether it may get no more invoices', false),
  credit_limit: fields.unset(fields.number('Most that it may owe', 5000)),
  owner: fields.unset(fields.integer('User who looks after it', 1)),
  taxable: fields.flag('False keeps taxes off its documents', true),
  taxes: fields.emptyList('Tax rates of its documents'),
  taxengine_entity_use_code: fields.unset(fields.text('Entity use code of the tax engine', 'G')),
  taxengine_exemption_number: fields.unset(fields.text('Tax-exempt number for the tax engine', '123456')),
  parent_customer: fields.unset(fields.integer('Customer that it belongs to', 1)),
  sign_up_page: fields.unset(fields.integer('Sign-up page', 1)),
  sign_up_url: fields.unset(fields.text('Where it can subscribe', 'https://billing.example/sign_up/1')),
  statement_pdf_url: fields.unset(fields.text('Its latest statement', 'https://billing.example/statement.pdf')),
  ach_gateway: fields.unset(fields.integer('Gateway configuration of its bank debits', 1)),
  cc_gateway: fields.unset(fields.integer('Gateway configuration of its card payments', 1)),
  bill_to_parent: fields.flag('Whether documents show its parent', false),
  consolidated: fields.flag('Whether its invoices are consolidated', false),
  disabled_payment_methods: fields.emptyList('Payment methods that it may not use'),
};

export const customer = fields.shape('Customer', 'Whoever is billed', {
  id: fields.id('Its id'),
  name: fields.text('Company or full name', 'Ada Lovelace Ltd'),
  number: fields.text('Ties it to other systems; the next of the series unless it is given', 'CUST-00001'),
  email: fields.nullable(fields.text('Where its mail goes', 'ada@example.com')),
  autopay: fields.flag('Whether its invoices are charged automatically', true),
  autopay_delay_days: fields.integer('Days from an invoice to its automatic charge; -1: the account’s setting', -1),
  payment_terms: fields.unset(fields.text('Terms of invoices that are not charged automatically', 'NET 30')),
  payment_source: fields.unset(fields.one(paymentSource, 'The one that AutoPay charges')),
  ...address,
  language: fields.nullable(fields.text('Two-letter ISO 639-1 code', 'en')),
  currency: fields.nullable(fields.currency('Its currency; null: that of the account')),
  phone: fields.unset(fields.text('Phone number', '+1 512 555 0100')),
  tax_id: fields.unset(fields.text('Tax id on documents', 'US-12-3456789')),
  type: fields.choice('What it is', 'company', 'person'),
  test_clock: fields.unset(fields.integer('The test clock that it lives on; sandbox alone', 1)),
  notes: fields.unset(fields.text('Seen by the seller alone', 'Prefers email')),
  ...later,
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});
