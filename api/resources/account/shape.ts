import { environments } from '../../../billing/environments.ts';
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
