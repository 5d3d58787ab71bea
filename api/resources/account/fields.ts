import { z } from 'zod';
import { taxIdKinds } from '../../../billing/documents/taxId.ts';
import { environments } from '../../../billing/environments.ts';
import { type BankDetails, parseBic, parseIban } from '../../../billing/payments/bankDetails.ts';
import { type MappedAccount, mappedAccounts } from '../../../billing/reports/glAccounts.ts';
import { type Settings, settingNames, settingsTable } from '../../../billing/settings.ts';
import { CURRENT_VERSION } from '../../../commands/kernel/caller.ts';
import { documented, type JsonSchema } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import { readPlain, unfit } from '../../body/readers.ts';
import { object } from '../../body/request.ts';
import { isSent } from '../../body/sent.ts';
import * as shown from '../../framework/shape.ts';
import { portalChanges, shownPortalChanges } from '../portalChanges.ts';

/** The settings of an account as fields of a response, with types from their defaults. */
const settingProperties: Readonly<Record<string, shown.Property>> = Object.fromEntries(
  settingNames.map((name) => [name, propertyOf(name)]),
);

function propertyOf(name: keyof Settings): shown.Property {
  const example = settingsTable[name].initial({ environment: 'live' });
  const { meaning, bounds, isProtected, isDecimal } = settingsTable[name];
  const who = isProtected
    ? '. Only the operator of the deployment can change it; requests may only repeat the current value'
    : '';
  const description = `${meaning}; ${bounds}${who}`;
  return { schema: { ...typeOf(example, isDecimal), description }, example };
}

function typeOf(value: unknown, isDecimal = false): JsonSchema {
  if (Array.isArray(value)) return { type: 'array', items: typeOf(value[0]) };
  if (typeof value === 'object' && value !== null) return { type: 'object', additionalProperties: { type: 'number' } };
  if (typeof value === 'number') return { type: isDecimal ? 'number' : 'integer' };
  return { type: typeof value === 'boolean' ? 'boolean' : 'string' };
}

const CLOSED_THROUGH =
  'Last day of the months that are closed, in the time zone of the account; null: none is. What is posted later for them counts on the day after it in journal and trial balance. An earlier day, or null, reopens months, which the audit log says';

const glMappingOf = (name: MappedAccount): string =>
  `Code of the general ledger account of \`${name}\`${notedMappings[name] ?? ''}`;
const notedMappings: Partial<Record<MappedAccount, string>> = {
  revenue: ' without a code of its own',
  tax_payable: ', unless the tax rate has one',
  cash: ', unless the payment method has one',
  clearing: ' of gateways, unless the payment method has one',
  bad_debt: ', unless `bad_debt_account` names one',
  customer_credits: ', also of credit notes and deposits without one of their own',
};

const shownSeries = shown.one(
  shown.value('NumberSeries', 'Prefix and next number of a series', {
    prefix: shown.text('Text before each number', 'INV-'),
    next: shown.integer('Next number to assign; numbers that documents already have are skipped', 1),
  }),
  'Prefix and next number of this series',
);

const shownNumbering = shown.value('Numbering', 'Number series of the account', {
  invoice: shownSeries,
  credit_note: shownSeries,
  estimate: shownSeries,
  customer: shownSeries,
  receipt: shownSeries,
});

const shownBankDetails = shown.value('BankDetails', 'A bank account of your business, for transfers in one currency', {
  currency: shown.currency('Currency of the transfers: three-letter ISO 4217 code'),
  account_holder: shown.nullable(shown.text('Holder of the account; null: your business', 'Acme GmbH')),
  bank_name: shown.nullable(shown.text('Name of the bank', 'Musterbank')),
  iban: shown.nullable(shown.text('IBAN, checked and stored without spaces', 'DE89370400440532013000')),
  bic: shown.nullable(shown.text('BIC of the bank', 'COBADEFFXXX')),
  account_number: shown.unset(shown.text('Account number, for accounts without IBAN', '12345678')),
  routing_number: shown.unset(shown.text('Routing number, sort code or BSB', '021000021')),
});

export const account = shown.shape('Account', 'Your business in one environment, with its settings', {
  id: shown.id('Id of the account'),
  environment: shown.oneOf('Environment of the account; no money moves in the sandbox', 'sandbox', environments),
  name: shown.text('Name of your business, as printed on documents', 'Acme'),
  portal_url: shown.nullable(
    shown.text(
      'URL of the portal of your customers; null: `portal_enabled` is false',
      'https://billing.example/portal/1',
    ),
  ),
  email: shown.nullable(
    shown.text(
      'Email address of your business, printed on documents; notices about the account are sent to it',
      'billing@acme.example',
    ),
  ),
  ...shown.address,
  tax_id: shown.unset(shown.text('Tax id of your business, as printed on documents', 'US-98-7654321')),
  tax_id_kind: shown.unset(
    shown.oneOf(
      'Kind of the tax id, which decides its name on documents; null: recognized by its form',
      'vat',
      taxIdKinds,
    ),
  ),
  tax_id_country: shown.unset({
    schema: {
      ...shown.country.schema,
      description: 'Country of the tax id: two-letter ISO 3166-1 code; null: the country of your business',
    },
    example: 'DE',
  }),
  reply_to: shown.unset(
    shown.text('Address to which customers answer and write for help; null: `email`', 'help@acme.example'),
  ),
  bank_details: shown.listOf(shownBankDetails, 'Bank accounts for transfers, at most one for each currency'),
  payment_reference: shown.unset(
    shown.text(
      'Reference that customers state with a transfer; {number} stands for the number of the invoice, {customer_number} for that of the customer; null: the number of the invoice',
      '{number} / {customer_number}',
    ),
  ),
  footer: shown.unset(
    shown.text('Text at the foot of each page of a document', 'Acme GmbH, HRB 12345, managing director: Jane Roe'),
  ),
  small_business_note: shown.unset(
    shown.text(
      'Note on documents without tax rates, for sellers that charge none as a small business',
      'No VAT is charged under the small business scheme',
    ),
  ),
  exemption_note: shown.unset(
    shown.text('Note on documents of customers that are not taxable', 'Exempt from VAT under article 44'),
  ),
  logo: shown.unset(shown.id('Id of the uploaded file with the logo for documents: PNG or JPEG, at most 512 KiB', 7)),
  accent_color: shown.unset(
    shown.text('Accent colour of documents, darkened if it would be unreadable on white', '#1d4ed8'),
  ),
  language: shown.text(
    'Language of documents and emails for customers without their own: two-letter ISO 639-1 code',
    'en',
  ),
  currency: shown.currency('Default currency of new objects: three-letter ISO 4217 code'),
  time_zone: shown.text('IANA time zone of calendar days, such as due dates', 'America/Chicago'),
  api_version: shown.text('API version of requests without an `Api-Version` header', CURRENT_VERSION),
  gl_mapping: shown.one(
    shown.value(
      'GlMapping',
      'General ledger accounts by ledger account. Reports use those of today',
      Object.fromEntries(mappedAccounts.map((name) => [name, shown.unset(shown.text(glMappingOf(name), '1200'))])),
    ),
    'General ledger accounts of the ledger accounts in reports',
  ),
  books_closed_through: shown.unset(shown.text(CLOSED_THROUGH, '2027-03-31')),
  portal_changes: shown.unset(
    shown.one(
      shownPortalChanges,
      'Changes of their subscriptions that customers make in the portal, unless the plan says otherwise; null: none',
    ),
  ),
  ...settingProperties,
  numbering: shown.one(shownNumbering, 'Prefix and next number of each number series'),
  created_at: shown.createdAt,
  updated_at: shown.updatedAt,
});

const iban = fields.field(
  (value) => {
    const text = readPlain(value, 64);
    return parseIban(text) ?? unfit(`must be an IBAN with correct check digits: ${text}`);
  },
  { type: 'string', maxLength: 64 },
);

const bic = fields.field(
  (value) => {
    const text = readPlain(value, 16);
    return parseBic(text) ?? unfit(`must be a BIC of 8 or 11 characters: ${text}`);
  },
  { type: 'string', maxLength: 16 },
);

const MOST_ACCOUNTS = 20;

const bankDetails = fields.described(
  fields.list(
    object({
      currency: fields.required(fields.currency),
      account_holder: fields.name,
      bank_name: fields.name,
      iban,
      bic,
      account_number: fields.reference,
      routing_number: fields.reference,
    }),
    MOST_ACCOUNTS,
  ),
  'Bank accounts for transfers, at most one for each currency; they replace the current ones. Each needs `iban` or `account_number`',
);

/** Converts the bank details of a request; undefined: they stay; null: there are none. */
export function bankDetailsOf(sent: z.output<typeof bankDetails>): BankDetails[] | null | undefined {
  if (!sent || sent.length === 0) return sent && null;
  return sent.map((one) => ({
    currency: one.currency,
    accountHolder: one.account_holder ?? null,
    bankName: one.bank_name ?? null,
    iban: one.iban ?? null,
    bic: one.bic ?? null,
    accountNumber: one.account_number ?? null,
    routingNumber: one.routing_number ?? null,
  }));
}

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

const LARGEST_NUMBER = 999_999_999;
/** Most characters of the footer and of notes about taxes. The footer is on each page. */
const MOST_OF_NOTE = 500;
const series = fields.nested(
  object({ prefix: fields.kept(fields.prefix), next: fields.kept(fields.wholeNumber(1, LARGEST_NUMBER)) }),
);
const numbering = object({
  invoice: series,
  credit_note: series,
  estimate: series,
  customer: series,
  receipt: series,
});

const glMapping = object(
  Object.fromEntries(mappedAccounts.map((name) => [name, fields.described(fields.reference, glMappingOf(name))])),
);

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
    gl_mapping: fields.described(
      fields.nested(glMapping),
      'General ledger accounts by ledger account; those that are absent stay, and empty ones are removed',
    ),
    books_closed_through: fields.described(
      fields.day,
      `${CLOSED_THROUGH}. The last day of a month that is over`,
      '2027-03-31',
    ),
    portal_changes: fields.described(
      portalChanges,
      'Changes of their subscriptions that customers make in the portal; they replace the current ones as a whole; null: none',
    ),
    ...settings,
    numbering: fields.described(
      fields.nested(numbering),
      'Prefix and next number of each number series; series that are absent stay unchanged',
    ),
  },
  { readOnly: ['id', 'object', 'environment', 'portal_url', 'api_version', 'created_at', 'updated_at'] },
);
