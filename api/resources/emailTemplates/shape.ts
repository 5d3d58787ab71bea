import { customTemplates } from '../../../billing/emailTemplates.ts';
import { exampleOfMail, exampleOfTemplate } from '../../../present/emails/templateExamples.ts';
import { spokenLanguages } from '../../../present/printed/labels.ts';
import * as fields from '../../framework/shape.ts';

const subject = fields.nullable(
  fields.text('Subject in Handlebars; null: the default wording', 'Your invoice {{invoice.number}}'),
);
const html = fields.nullable(
  fields.text(
    'Content in HTML and Handlebars, which is put into the layout of all mails; null: the default wording',
    exampleOfTemplate,
  ),
);
const text = fields.nullable(
  fields.text(
    'Text version in Handlebars; null: derived from `html`, or the default wording',
    'Please pay {{figure}}.',
  ),
  null,
);
const updatedBy = fields.integer('User who changed it: `-2` for requests of the API', -2);

export const emailTemplate = fields.shape('EmailTemplate', 'Wording of a mail to customers in one language', {
  id: fields.text('Template and language', 'new_invoice_email-en'),
  template: fields.oneOf('Built-in template whose mails it words', 'new_invoice_email', customTemplates),
  name: fields.unset(fields.text('Name of a further template; null: it is built in, or has none', 'Friendly invoice')),
  language: fields.oneOf('Language: ISO 639-1 code', 'en', spokenLanguages),
  custom: fields.flag('Whether you have changed a part of the wording', true),
  subject,
  html,
  text,
  version: fields.integer('Number of the version in use; 0: you have never changed it', 3),
  updated_by: fields.nullable(updatedBy),
  updated_at: fields.nullable(fields.updatedAt),
});

export const emailTemplateVersion = fields.shape('EmailTemplateVersion', 'Version of an email template', {
  id: fields.text('Template, language and version', 'new_invoice_email-en-3'),
  version: fields.integer('Number of the version', 3),
  subject,
  html,
  text,
  updated_by: updatedBy,
  created_at: fields.createdAt,
});

export const emailTemplatePreview = fields.value('EmailTemplatePreview', 'Mail as a template writes it', {
  subject: fields.text('Subject of the mail', 'Your invoice INV-00042'),
  html: fields.text('HTML of the whole mail', exampleOfMail),
  text: fields.text('Text of the whole mail', 'Dear Ada Example, please pay $249.00.'),
});
