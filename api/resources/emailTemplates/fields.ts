import { customTemplates, type PreviewedType, previewedTypes } from '../../../billing/mail/emailTemplates.ts';
import type { Permission } from '../../../billing/people/permissions.ts';
import { type Caller, requirePermission } from '../../../commands/kernel/caller.ts';
import { exampleOfMail, exampleOfTemplate } from '../../../present/emails/html.ts';
import { MOST_BYTES } from '../../../present/templates/source.ts';
import { spokenLanguages } from '../../../words/languages.ts';
import * as fields from '../../body/fields.ts';
import { readText, unfit } from '../../body/readers.ts';
import { object } from '../../body/request.ts';
import * as shown from '../../framework/shape.ts';

const subject = shown.nullable(
  shown.text('Subject in Handlebars; null: the default wording', 'Your invoice {{invoice.number}}'),
);
const html = shown.nullable(
  shown.text(
    'Content in HTML and Handlebars, which is put into the layout of all mails; null: the default wording',
    exampleOfTemplate,
  ),
);
const text = shown.nullable(
  shown.text('Text version in Handlebars; null: derived from `html`, or the default wording', 'Please pay {{figure}}.'),
  null,
);
const updatedBy = shown.integer('User who changed it: `-2` for requests of the API', -2);

export const emailTemplate = shown.shape('EmailTemplate', 'Wording of a mail to customers in one language', {
  id: shown.text('Template and language', 'new_invoice_email-en'),
  template: shown.oneOf('Built-in template whose mails it words', 'new_invoice_email', customTemplates),
  name: shown.unset(shown.text('Name of a further template; null: it is built in, or has none', 'Friendly invoice')),
  language: shown.oneOf('Language: ISO 639-1 code', 'en', spokenLanguages),
  custom: shown.flag('Whether you have changed a part of the wording', true),
  subject,
  html,
  text,
  version: shown.integer('Number of the version in use; 0: you have never changed it', 3),
  updated_by: shown.nullable(updatedBy),
  updated_at: shown.nullable(shown.updatedAt),
});

export const emailTemplateVersion = shown.shape('EmailTemplateVersion', 'Version of an email template', {
  id: shown.text('Template, language and version', 'new_invoice_email-en-3'),
  version: shown.integer('Number of the version', 3),
  subject,
  html,
  text,
  updated_by: updatedBy,
  created_at: shown.createdAt,
});

export const emailTemplatePreview = shown.value('EmailTemplatePreview', 'Mail as a template writes it', {
  subject: shown.text('Subject of the mail', 'Your invoice INV-00042'),
  html: shown.text(
    'HTML of the whole mail. Its Content-Security-Policy is in its head: it runs and sends nothing, and its links lead nowhere',
    exampleOfMail,
  ),
  text: shown.text('Text of the whole mail', 'Dear Ada Example, please pay $249.00.'),
});

/** The field of a preview that names an object of the account. Absent: sample values. */
export function previewedObject<Type extends PreviewedType>(types: readonly Type[]) {
  const words = types.some((type) => type === 'customer')
    ? 'Type of the object; `customer`: its latest account statement'
    : 'Type of the object; `payment`: its receipt';
  const previewed = object({
    type: fields.required(fields.described(fields.choice(...types), words)),
    id: fields.required(fields.described(fields.id, 'Id of the object')),
  });
  return fields.described(
    fields.nested(previewed),
    'Object whose values are shown, in the language of its customer; it needs the permission to read the object; absent: sample values',
  );
}

/** What reading each type of object needs, as at its own path. */
const readingOf: Readonly<Record<PreviewedType, Permission>> = {
  customer: 'customers.read',
  invoice: 'documents.read',
  estimate: 'documents.read',
  credit_note: 'corrections.read',
  payment: 'payments.read',
};

/** Refuses to show an object that the caller may not read. `what`: the request shows nothing else, and has this name. */
export function requireReading(caller: Caller, object: { type: PreviewedType } | null, what?: string): void {
  if (!object) return;
  if (what === undefined) requirePermission(caller, readingOf[object.type], `object[type]=${object.type}`);
  else requirePermission(caller, readingOf[object.type], what, null);
}

const MOST_OF_SUBJECT = 2000;

/** A source in Handlebars. */
const source = fields.field(
  (value) => {
    const text = readText(value, MOST_BYTES);
    return Buffer.byteLength(text) <= MOST_BYTES ? text : unfit(`must have at most ${MOST_BYTES / 1024} KiB`);
  },
  { type: 'string', maxLength: MOST_BYTES },
);

export const sources = { subject: fields.text(MOST_OF_SUBJECT), html: source, text: source };

const name = fields.described(fields.name, 'Name of a further template, for you');

export const newEmailTemplate = object(
  {
    id: fields.described(
      fields.newCode,
      'Id of the template in all of its languages; that of one language is `<id>-<language>`; default: generated',
      'friendly_invoice',
    ),
    template: fields.required(
      fields.described(fields.text(64), 'Built-in template whose mails it words', 'new_invoice_email'),
    ),
    language: fields.described(fields.language, 'Language: ISO 639-1 code; default: that of the account'),
    name,
    ...sources,
  },
  { readOnly: ['object', 'custom', 'version', 'updated_by', 'updated_at'] },
);

export const emailTemplateChange = object(
  { name, ...sources },
  {
    readOnly: ['id', 'object', 'template', 'language', 'custom', 'version', 'updated_by', 'updated_at'],
  },
);

export const restoring = object({
  version: fields.required(fields.described(fields.wholeNumber(1, 2_147_483_647), 'Number of an earlier version')),
});

export const namedObject = previewedObject(previewedTypes);

export const testing = object({
  to: fields.required(fields.described(fields.email, 'Address of the account or of one of its members')),
  object: namedObject,
});
