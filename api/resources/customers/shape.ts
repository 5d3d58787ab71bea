import { invoiceMailings } from '../../../billing/documents/invoice.ts';
import * as shown from '../../framework/shape.ts';
import { paymentSource } from '../paymentSources.ts';
import { taxRate } from '../taxRates.ts';
import { balances } from './balances.ts';
import { followedCadence } from './cadence.ts';

const address = {
  attention_to: shown.unset(shown.text('Person or department to whom documents are addressed', 'Accounts payable')),
  ...shown.address,
};

const pages = {
  sign_up_page: shown.unset(shown.id('Id of the sign-up page on which it can subscribe', 2)),
  sign_up_url: shown.unset(
    shown.text(
      'URL at which it subscribes on its sign-up page, open to everyone who knows it, until `revoke_links` replaces it; null: it has no sign-up page',
      'https://billing.example/sign_up/1/customers/1/0c5f8a3e7d1b4f6a9e2d8b7c6a5f4e3d',
    ),
  ),
  ach_gateway: shown.unset(
    shown.id('Id of the merchant account that stores and debits its new bank accounts; null: one of the account', 1),
  ),
  cc_gateway: shown.unset(
    shown.id('Id of the merchant account that stores and charges its new cards; null: one of the account', 1),
  ),
};

const selling = {
  chase: shown.flag('Whether the customer is asked for what it owes', true),
  chasing_cadence: shown.unset(
    shown.id('Id of the chasing cadence; null: the one whose conditions match, else the default one', 3),
  ),
  next_chase_step: shown.unset(shown.id('Id of the step of its cadence that comes next', 12)),
  theme: shown.unset(
    shown.id('Id of the theme of its papers, pages and mails; null: the default theme of the account', 3),
  ),
  pdf_templates: shown.textList(
    'Ids of the PDF templates of its papers; those of the account for other kinds',
    'export_invoice',
  ),
  statement_day: shown.unset(
    shown.text(
      'Day of the month on which it gets its account statement by mail; null: the setting of the account',
      '5',
    ),
  ),
  email_new_invoices: shown.unset(
    shown.oneOf(
      'Invoices that are mailed to it when they are issued: `none`, `subscriptions` or `all`; null: by the setting of the account',
      'all',
      invoiceMailings,
    ),
  ),
  credit_hold: shown.flag(
    'True: requests cannot issue documents to the customer, and bills of subscriptions wait as drafts',
    false,
  ),
  credit_hold_since: shown.unset(
    shown.timestamp('When the credit hold began; null: there is none, or it is older than this field'),
  ),
  credit_hold_by: shown.unset(
    shown.id(
      'Id of the member who put it on credit hold, or who last changed the reason; null: a key of the account',
      3,
    ),
  ),
  credit_hold_reason: shown.unset(
    shown.text('Reason of the credit hold, for the people of the account', 'A check bounced'),
  ),
  credit_limit: shown.unset(
    shown.money('Credit limit: maximum sum of open invoices in the currency of the customer; null: no limit', 5000),
  ),
  owner: shown.unset(shown.id('Id of the member responsible for the customer')),
  taxable: shown.flag('False: its documents have no taxes', true),
  taxes: shown.listOf(taxRate, 'Tax rates of its documents, instead of those of the tax rules'),
  taxengine_entity_use_code: shown.unset(shown.text('Entity use code for the tax engine', 'G')),
  taxengine_exemption_number: shown.unset(shown.text('Tax exemption number for the tax engine', '123456')),
  parent_customer: shown.unset(shown.id('Id of its parent customer; null: none')),
  merged_into: shown.unset(shown.id('Id of the customer that it was merged into and that took over its objects')),
  bill_to_parent: shown.flag('True: its documents are addressed to its parent', false),
  consolidated: shown.flag('True: `consolidate_invoices` may combine its open invoices into one', false),
  disabled_payment_methods: shown.textList('Payment methods that its pages do not offer and AutoPay does not charge'),
};

const ownFields = shown.shape('Customer', 'Company or person that you bill', {
  id: shown.id('Id of the customer'),
  name: shown.text('Company name or full name', 'Ada Lovelace Ltd'),
  number: shown.text('Unique customer number, for reference in other systems', 'CUST-00001'),
  active: shown.flag(
    'False: requests cannot create invoices or subscriptions for the customer; existing ones continue',
    true,
  ),
  email: shown.nullable(shown.text('Email address of the customer', 'ada@example.com')),
  autopay: shown.flag('True: invoices are charged automatically (AutoPay)', true),
  autopay_delay_days: shown.integer(
    'Days from the date of an invoice to its first automatic charge; -1: the setting of the account',
    -1,
  ),
  autopay_fallback: shown.flag(
    'True: after a hard decline of the default payment source, AutoPay charges another one of the customer once',
    false,
  ),
  payment_terms: shown.unset(
    shown.text(
      'Payment terms of invoices that are not charged automatically, such as `NET 30`; null: the setting of the account',
      'NET 30',
    ),
  ),
  portal_url: shown.unset(
    shown.text(
      'URL of the portal, in which the customer sees its documents and pays after it signs in by mail; null: it was anonymized',
      'https://billing.example/portal/1',
    ),
  ),
  statement_pdf_url: shown.unset(
    shown.text(
      'URL of the PDF of its latest account statement, open to everyone who knows it, until `revoke_links` replaces it; null: it has no pages yet',
      'https://billing.example/statements/1/1/0c5f8a3e7d1b4f6a9e2d8b7c6a5f4e3d/pdf',
    ),
  ),
  payment_source: shown.unset(shown.one(paymentSource, 'Default payment source, which AutoPay charges')),
  ...address,
  language: shown.nullable(
    shown.text('Language of documents and emails: two-letter ISO 639-1 code; null: the language of the account', 'en'),
  ),
  currency: shown.nullable(
    shown.currency('Currency of the customer: three-letter ISO 4217 code; null: the currency of the account'),
  ),
  phone: shown.unset(shown.text('Phone number of the customer', '+1 512 555 0100')),
  tax_id: shown.unset(shown.text('Tax id, as printed on documents', 'US-12-3456789')),
  type: shown.choice('Kind of customer', 'company', 'person'),
  test_clock: shown.unset(shown.id('Id of the test clock that sets its time; only in the sandbox', 1)),
  notes: shown.unset(shown.text('Internal notes; not shown to the customer', 'Prefers email')),
  ...selling,
  ...pages,
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
  metadata: shown.metadata,
});

export const customer = shown.sometimes(ownFields, { balances, followed_cadence: followedCadence });

export const balance = shown.value('Balance', 'Open amounts and credit of a customer in one currency', {
  currency: shown.currency(),
  currencies: shown.textList(
    'All currencies in which the customer owes something or has credit or unapplied payments, by their codes; `?currency=` reads each',
    'eur',
    'usd',
  ),
  total_outstanding: shown.money('Sum of the balances of issued invoices', 240),
  due_now: shown.money('Part of `total_outstanding` that is past due or that AutoPay will collect', 120),
  past_due: shown.flag('True: at least one invoice is past due', true),
  available_credits: shown.money('Credit balance plus balances of open credit notes', 0),
  unapplied_payments: shown.money('Money of payments that is not applied', 0),
  history: shown.listOf(
    shown.value('BalanceChange', 'Change of the credit balance', {
      balance: shown.money('Credit balance after the change', 50),
      currency: shown.currency(),
      timestamp: shown.timestamp('Time of the change'),
    }),
    'Latest 1,000 changes of the credit balance, newest first',
  ),
});
