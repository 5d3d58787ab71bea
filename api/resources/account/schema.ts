import { z } from 'zod';
import { settingNames } from '../../../billing/settings.ts';
import { taxIdKinds } from '../../../billing/taxId.ts';
import { documented } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { object } from '../../body/request.ts';
import { isSent } from '../../body/sent.ts';
import { bankDetails } from './bankDetails.ts';
import { settingProperties } from './settings.ts';

/** A setting's value as JSON; `billing/settings.ts` checks it. */
const setting = z.unknown().transform(plain).optional();

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (value === '') return null;
  if (!isSent(value))
    return isRecord(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
      : value;
  if (value.text === '') return null;
  if (value.kind === 'form' && /^(true|false)$/i.test(value.text)) return value.text.toLowerCase() === 'true';
  const number = Number(value.text);
  return value.kind === 'number' || Number.isFinite(number) ? number : value.text;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

const settings = Object.fromEntries(
  settingNames.map((name) => [name, documented(setting.clone(), { schema: settingProperties[name]?.schema ?? {} })]),
);

const MOST = 999_999_999;
/** Most characters of the footer and of notes about taxes. The footer is on each page. */
const MOST_OF_NOTE = 500;
const series = fields.nested(
  object({ prefix: fields.kept(fields.prefix), next: fields.kept(fields.wholeNumber(1, MOST)) }),
);
const numbering = object({
  invoice: series,
  credit_note: series,
  estimate: series,
  customer: series,
  receipt: series,
});

export const accountChange = object(
  {
    name: fields.kept(fields.name),
    email: fields.email,
    ...fields.address,
    tax_id: fields.reference,
    tax_id_kind: fields.choice(...taxIdKinds),
    tax_id_country: fields.country,
    reply_to: fields.email,
    bank_details: bankDetails,
    payment_reference: fields.text(140),
    footer: fields.text(MOST_OF_NOTE),
    small_business_note: fields.text(MOST_OF_NOTE),
    exemption_note: fields.text(MOST_OF_NOTE),
    logo: fields.id,
    accent_color: fields.colour,
    language: fields.resettable(fields.language, 'en'),
    currency: fields.kept(fields.currency),
    time_zone: fields.resettable(fields.text(64), 'UTC'),
    ...settings,
    numbering: fields.described(
      fields.nested(numbering),
      'Prefix and next number of each number series; series that are absent stay unchanged',
    ),
  },
  { readOnly: ['id', 'object', 'environment', 'api_version', 'created_at', 'updated_at'] },
);
