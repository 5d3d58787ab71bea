import { previewedTypes } from '../../../billing/emailTemplates.ts';
import { MOST_BYTES } from '../../../present/templates/source.ts';
import * as fields from '../../body/fields.ts';
import { readText, unfit } from '../../body/readers.ts';
import { object } from '../../body/request.ts';
import { previewedObject } from '../previewedObject.ts';

const MOST_OF_SUBJECT = 2000;

/** A source in Handlebars. */
const source = fields.field(
  (value) => {
    const text = readText(value, MOST_BYTES);
    return Buffer.byteLength(text) <= MOST_BYTES ? text : unfit(`must have at most ${MOST_BYTES / 1024} KiB`);
  },
  { type: 'string', maxLength: MOST_BYTES },
);

const sources = { subject: fields.text(MOST_OF_SUBJECT), html: source, text: source };

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

const real = previewedObject(previewedTypes);

export const previewing = object({ ...sources, object: real });

export const testing = object({
  to: fields.required(fields.described(fields.email, 'Address of the account or of one of its members')),
  object: real,
});
