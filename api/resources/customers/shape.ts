import * as fields from '../../framework/shape.ts';
import { paymentSource } from '../paymentSources/shape.ts';
import { taxRate } from '../taxRates/shape.ts';

const address = {
  attention_to: fields.unset(fields.text('Person whom documents are addressed to', 'Accounts payable')),
  ...fields.address,
};

/** Fields that only a later version supports. They have fixed values. */
const later = {
  chase: fields.flag('Whether it is reminded of overdue invoices', true),
  chasing_cadence: fields.unset(fields.id('Cadence of its reminders', 1)),
  next_chase_step: fields.unset(fields.id('Next step of its cadence', 1)),
  sign_up_page: fields.unset(fields.id('Sign-up page', 1)),
  sign_up_url: fields.unset(fields.text('Where it can subscribe', 'https://billing.example/sign_up/1')),
  statement_pdf_url: fields.unset(fields.text('Its latest statement', 'https://billing.example/statement.pdf')),
  ach_gateway: fields.unset(fields.id('Gateway configuration of its bank debits', 1)),
  cc_gateway: fields.unset(fields.id('Gateway configuration of its card payments', 1)),
};

const selling = {
  credit_hold: fields.flag('Whether nothing is issued to it by request; its renewals wait', false),
  credit_limit: fields.unset(fields.number('Most that it may owe in its currency; null: no limit', 5000)),
  owner: fields.unset(fields.id('The member who looks after it')),
  taxable: fields.flag('False keeps taxes off its documents', true),
  taxes: fields.listOf(taxRate, 'Tax rates of its documents, in place of those of the tax rules'),
  taxengine_entity_use_code: fields.unset(fields.text('Entity use code of the tax engine', 'G')),
  taxengine_exemption_number: fields.unset(fields.text('Tax-exempt number for the tax engine', '123456')),
  parent_customer: fields.unset(fields.id('The customer that it belongs to')),
  merged_into: fields.unset(fields.id('The customer that it was merged into, and that has all it had')),
  bill_to_parent: fields.flag('Whether its documents are addressed to its parent', false),
  consolidated: fields.flag('Whether its open invoices may be made one', false),
  disabled_payment_methods: fields.textList('Payment methods that its pages do not offer and AutoPay does not use'),
};

export const customer = fields.shape('Customer', 'Whoever is billed', {
  id: fields.id('Its id'),
  name: fields.text('Company or full name', 'Ada Lovelace Ltd'),
  number: fields.text('Ties it to other systems; the next of the series unless it is given', 'CUST-00001'),
  active: fields.flag('False: no new invoices or subscriptions by request; what runs goes on', true),
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
  test_clock: fields.unset(fields.id('The test clock that it lives on; sandbox alone', 1)),
  notes: fields.unset(fields.text('Seen by the seller alone', 'Prefers email')),
  ...selling,
  ...later,
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});

export const balance = fields.value(
  'Balance',
  'What a customer owes, and what it has been given credit for, in one currency',
  {
    currency: fields.currency(),
    total_outstanding: fields.number('Issued, and not paid or given up', 240),
    due_now: fields.number('Its part that is past due, or that AutoPay has yet to collect', 120),
    past_due: fields.flag('Whether something is past due', true),
    available_credits: fields.number('Credit balance and open credit notes', 0),
    history: fields.listOf(
      fields.value('BalanceChange', 'What the credit balance became', {
        balance: fields.number('The credit balance from then on', 50),
        currency: fields.currency(),
        timestamp: fields.timestamp('When'),
      }),
      'The last thousand changes of the credit balance, the last one first',
    ),
  },
);
