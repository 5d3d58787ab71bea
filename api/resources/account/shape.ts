import { CURRENT_VERSION } from '../../../commands/kernel/version.ts';
import * as fields from '../../framework/shape.ts';
import { settingProperties } from './settings.ts';

const series = fields.one(
  fields.value('NumberSeries', 'How a series goes on', {
    prefix: fields.text('Before each number', 'INV-'),
    next: fields.integer('The next number; those that documents have already are skipped', 1),
  }),
  'How it goes on',
);

const numbering = fields.value('Numbering', 'The series of numbers', {
  invoice: series,
  credit_note: series,
  estimate: series,
  customer: series,
});

export const account = fields.shape('Account', 'The seller, in one environment, and its settings', {
  id: fields.id('Its id'),
  environment: fields.choice('Which environment it is in', 'sandbox', 'live'),
  name: fields.text('Name on documents', 'Acme'),
  email: fields.nullable(fields.text('Where mail about the account goes', 'billing@acme.example')),
  ...fields.address,
  tax_id: fields.unset(fields.text('Tax id on documents', 'US-98-7654321')),
  logo: fields.unset(fields.id('The file that the logo on documents was taken from: PNG or JPEG, at most 512 KiB', 7)),
  accent_color: fields.unset(fields.text('Colour of documents; darkened where it could not be read', '#1d4ed8')),
  language: fields.text('Two-letter ISO 639-1 code', 'en'),
  currency: fields.currency('Currency of what says nothing else'),
  time_zone: fields.text('IANA time zone in which days begin', 'America/Chicago'),
  api_version: fields.text('Version of requests that ask for none', CURRENT_VERSION),
  ...settingProperties,
  numbering: fields.one(numbering, 'Prefix and next number of each series'),
  created_at: fields.createdAt,
  updated_at: fields.updatedAt,
});
