import { invoiceMailings } from '../../../billing/issueMail.ts';
import * as fields from '../../framework/shape.ts';
import { paymentSource } from '../paymentSources/shape.ts';
import { taxRate } from '../taxRates/shape.ts';

const address = {
  attention_to: fields.unset(fields.text('Person or department to whom documents are addressed', 'Accounts payable')),
  ...fields.address,
};

/** Fields that only a later version supports. They have fixed values. */
const later = {
  sign_up_page: fields.unset(fields.id('Id of the sign-up page; not supported yet, always null', 1)),
  sign_up_url: fields.unset(
    fields.text(
      'URL at which the customer can subscribe; not supported yet, always null',
      'https://billing.example/sign_up/1',
    ),
  ),
  ach_gateway: fields.unset(
    fields.id('Id of the merchant account that stores and debits its new bank accounts; null: one of the account', 1),
  ),
  cc_gateway: fields.unset(
    fields.id('Id of the merchant account that stores and charges its new cards; null: one of the account', 1),
  ),
};

const selling = {
  chase: fields.flag('Whether the customer is asked for what it owes', true),
  chasing_cadence: fields.unset(
    fields.id('Id of the chasing cadence; null: the one whose conditions match, else the default one', 3),
  ),
  next_chase_step: fields.unset(fields.id('Id of the step of its cadence that comes next', 12)),
  theme: fields.unset(
    fields.id('Id of the theme of its papers, pages and mails; null: the default theme of the account', 3),
  ),
  pdf_templates: fields.textList(
    'Ids of the PDF templates of its papers; those of the account for other kinds',
    'export_invoice',
  ),
  statement_day: fields.unset(
    fields.text(
      'Day of the month on which it gets its account statement by mail; null: the setting of the account',
      '5',
    ),
  ),
  email_new_invoices: fields.unset(
    fields.oneOf(
      'Invoices that are mailed to it when they are issued: `none`, `subscriptions` or `all`; null: by the setting of the account',
      'all',
      invoiceMailings,
    ),
  ),
  credit_hold: fields.flag(
    'True: requests cannot issue documents to the customer, and bills of subscriptions wait as drafts',
    false,
  ),
  credit_limit: fields.unset(
    fields.money('Credit limit: maximum sum of open invoices in the currency of the customer; null: no limit', 5000),
  ),
  owner: fields.unset(fields.id('Id of the member responsible for the customer')),
  taxable: fields.flag('False: its documents have no taxes', true),
  taxes: fields.listOf(taxRate, 'Tax rates of its documents, instead of those of the tax rules'),
  taxengine_entity_use_code: fields.unset(fields.text('Entity use code for the tax engine', 'G')),
  taxengine_exemption_number: fields.unset(fields.text('Tax exemption number for the tax engine', '123456')),
  parent_customer: fields.unset(fields.id('Id of its parent customer; null: none')),
  merged_into: fields.unset(fields.id('Id of the customer that it was merged into and that took over its objects')),
  bill_to_parent: fields.flag('True: its documents are addressed to its parent', false),
  consolidated: fields.flag('True: `consolidate_invoices` may combine its open invoices into one', false),
  disabled_payment_methods: fields.textList('Payment methods that its pages do not offer and AutoPay does not charge'),
};

export const customer = fields.shape('Customer', 'Company or person that you bill', {
  id: fields.id('Id of the customer'),
  name: fields.text('Company name or full name', 'Ada Lovelace Ltd'),
  number: fields.text('Unique customer number, for reference in other systems', 'CUST-00001'),
  active: fields.flag(
    'False: requests cannot create invoices or subscriptions for the customer; existing ones continue',
    true,
  ),
  email: fields.nullable(fields.text('Email address of the customer', 'ada@example.com')),
  autopay: fields.flag('True: invoices are charged automatically (AutoPay)', true),
  autopay_delay_days: fields.integer(
    'Days from the date of an invoice to its first automatic charge; -1: the setting of the account',
    -1,
  ),
  autopay_fallback: fields.flag(
    'True: after a hard decline of the default payment source, AutoPay charges another one of the customer once',
    false,
  ),
  payment_terms: fields.unset(
    fields.text(
      'Payment terms of invoices that are not charged automatically, such as `NET 30`; null: the setting of the account',
      'NET 30',
    ),
  ),
  statement_pdf_url: fields.unset(
    fields.text(
      'URL of the PDF of its latest account statement, open to everyone who knows it, until `revoke_links` replaces it; null: it has no pages yet',
      'https://billing.example/statements/1/1/0c5f8a3e7d1b4f6a9e2d8b7c6a5f4e3d/pdf',
    ),
  ),
  payment_source: fields.unset(fields.one(paymentSource, 'Default payment source, which AutoPay charges')),
  ...address,
  language: fields.nullable(
    fields.text('Language of documents and emails: two-letter ISO 639-1 code; null: the language of the account', 'en'),
  ),
  currency: fields.nullable(
    fields.currency('Currency of the customer: three-letter ISO 4217 code; null: the currency of the account'),
  ),
  phone: fields.unset(fields.text('Phone number of the customer', '+1 512 555 0100')),
  tax_id: fields.unset(fields.text('Tax id, as printed on documents', 'US-12-3456789')),
  type: fields.choice('Kind of customer', 'company', 'person'),
  test_clock: fields.unset(fields.id('Id of the test clock that sets its time; only in the sandbox', 1)),
  notes: fields.unset(fields.text('Internal notes; not shown to the customer', 'Prefers email')),
  ...selling,
  ...later,
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
  metadata: fields.metadata,
});

export const balance = fields.value('Balance', 'Open amounts and credit of a customer in one currency', {
  currency: fields.currency(),
  total_outstanding: fields.money('Sum of the balances of issued invoices', 240),
  due_now: fields.money('Part of `total_outstanding` that is past due or that AutoPay will collect', 120),
  past_due: fields.flag('True: at least one invoice is past due', true),
  available_credits: fields.money('Credit balance plus balances of open credit notes', 0),
  history: fields.listOf(
    fields.value('BalanceChange', 'Change of the credit balance', {
      balance: fields.money('Credit balance after the change', 50),
      currency: fields.currency(),
      timestamp: fields.timestamp('Time of the change'),
    }),
    'Latest 1,000 changes of the credit balance, newest first',
  ),
});
