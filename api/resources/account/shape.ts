import { environments } from '../../../billing/environments.ts';
import { taxIdKinds } from '../../../billing/taxId.ts';
import { CURRENT_VERSION } from '../../../commands/kernel/version.ts';
import * as fields from '../../framework/shape.ts';
import { settingProperties } from './settings.ts';

const series = fields.one(
  fields.value('NumberSeries', 'Prefix and next number of a series', {
    prefix: fields.text('Text before each number', 'INV-'),
    next: fields.integer('Next number to assign; numbers that documents already have are skipped', 1),
  }),
  'Prefix and next number of this series',
);

const numbering = fields.value('Numbering', 'Number series of the account', {
  invoice: series,
  credit_note: series,
  estimate: series,
  customer: series,
  receipt: series,
});

const bankDetails = fields.value('BankDetails', 'A bank account of your business, for transfers in one currency', {
  currency: fields.currency('Currency of the transfers: three-letter ISO 4217 code'),
  account_holder: fields.nullable(fields.text('Holder of the account; null: your business', 'Acme GmbH')),
  bank_name: fields.nullable(fields.text('Name of the bank', 'Musterbank')),
  iban: fields.nullable(fields.text('IBAN, checked and stored without spaces', 'DE89370400440532013000')),
  bic: fields.nullable(fields.text('BIC of the bank', 'COBADEFFXXX')),
  account_number: fields.unset(fields.text('Account number, for accounts without IBAN', '12345678')),
  routing_number: fields.unset(fields.text('Routing number, sort code or BSB', '021000021')),
});

export const account = fields.shape('Account', 'Your business in one environment, with its settings', {
  id: fields.id('Id of the account'),
  environment: fields.oneOf('Environment of the account; no money moves in the sandbox', 'sandbox', environments),
  name: fields.text('Name of your business, as printed on documents', 'Acme'),
  email: fields.nullable(
    fields.text(
      'Email address of your business, printed on documents; notices about the account are sent to it',
      'billing@acme.example',
    ),
  ),
  ...fields.address,
  tax_id: fields.unset(fields.text('Tax id of your business, as printed on documents', 'US-98-7654321')),
  tax_id_kind: fields.unset(
    fields.oneOf(
      'Kind of the tax id, which decides its name on documents; null: recognized by its form',
      'vat',
      taxIdKinds,
    ),
  ),
  tax_id_country: fields.unset({
    schema: {
      ...fields.country.schema,
      description: 'Country of the tax id: two-letter ISO 3166-1 code; null: the country of your business',
    },
    example: 'DE',
  }),
  reply_to: fields.unset(
    fields.text('Address to which customers answer and write for help; null: `email`', 'help@acme.example'),
  ),
  bank_details: fields.listOf(bankDetails, 'Bank accounts for transfers, at most one for each currency'),
  payment_reference: fields.unset(
    fields.text(
      'Reference that customers state with a transfer; {number} stands for the number of the invoice, {customer_number} for that of the customer; null: the number of the invoice',
      '{number} / {customer_number}',
    ),
  ),
  footer: fields.unset(
    fields.text('Text at the foot of each page of a document', 'Acme GmbH, HRB 12345, managing director: Jane Roe'),
  ),
  small_business_note: fields.unset(
    fields.text(
      'Note on documents without tax rates, for sellers that charge none as a small business',
      'No VAT is charged under the small business scheme',
    ),
  ),
  exemption_note: fields.unset(
    fields.text('Note on documents of customers that are not taxable', 'Exempt from VAT under article 44'),
  ),
  logo: fields.unset(fields.id('Id of the uploaded file with the logo for documents: PNG or JPEG, at most 512 KiB', 7)),
  accent_color: fields.unset(
    fields.text('Accent colour of documents, darkened if it would be unreadable on white', '#1d4ed8'),
  ),
  language: fields.text(
    'Language of documents and emails for customers without their own: two-letter ISO 639-1 code',
    'en',
  ),
  currency: fields.currency('Default currency of new objects: three-letter ISO 4217 code'),
  time_zone: fields.text('IANA time zone of calendar days, such as due dates', 'America/Chicago'),
  api_version: fields.text('API version of requests without an `Api-Version` header', CURRENT_VERSION),
  ...settingProperties,
  numbering: fields.one(numbering, 'Prefix and next number of each number series'),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
