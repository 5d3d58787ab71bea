import { defineEntity, p } from '@mikro-orm/core';
import {
  type PaperBlock,
  type PaperColumn,
  type PaperKind,
  type PaperLayout,
  type PaperSize,
  paperKinds,
  paperLayouts,
  paperSizes,
} from '../../billing/look/pdfTemplate.ts';
import type { CustomTemplate } from '../../billing/mail/emailTemplates.ts';
import { tenantPolicies } from '../tenant.ts';
import { oneOf, tenantKey, timestamps } from './columns.ts';

const PdfTemplateSchema = defineEntity({
  name: 'PdfTemplate',
  policies: tenantPolicies,
  comment: 'Look of the PDFs of one kind of paper; without a row the default applies',
  properties: {
    ...tenantKey,
    kind: p.string().length(16).$type<PaperKind>(),
    layout: p.string().length(16).$type<PaperLayout>(),
    /** Null: by the country of the seller. */
    paper: p.string().length(8).$type<PaperSize>().nullable(),
    columns: p.array().columnType('text[]').$type<PaperColumn[]>(),
    blocks: p.array().columnType('text[]').$type<PaperBlock[]>(),
    ...timestamps,
  },
  uniques: [{ name: 'pdf_template_kind', properties: ['accountId', 'kind'] }],
  checks: [
    { name: 'pdf_template_known', expression: oneOf('pdf_template', 'kind', paperKinds).expression },
    oneOf('pdf_template', 'layout', paperLayouts),
    oneOf('pdf_template', 'paper', paperSizes),
  ],
});
export class PdfTemplate extends PdfTemplateSchema.class {}
PdfTemplateSchema.setClass(PdfTemplate);

const NamedPdfTemplateSchema = defineEntity({
  name: 'NamedPdfTemplate',
  policies: tenantPolicies,
  comment: 'A further look of the PDFs of one kind of paper, which customers name',
  properties: {
    ...tenantKey,
    /** The id that clients see. It is never a kind of paper. */
    code: p.string().length(64),
    name: p.string().length(255),
    kind: p.string().length(16).$type<PaperKind>(),
    layout: p.string().length(16).$type<PaperLayout>(),
    /** Null: by the country of the seller. */
    paper: p.string().length(8).$type<PaperSize>().nullable(),
    columns: p.array().columnType('text[]').$type<PaperColumn[]>(),
    blocks: p.array().columnType('text[]').$type<PaperBlock[]>(),
    ...timestamps,
  },
  uniques: [{ name: 'named_pdf_template_code', properties: ['accountId', 'code'] }],
  checks: [
    { name: 'named_pdf_template_known', expression: oneOf('named_pdf_template', 'kind', paperKinds).expression },
    oneOf('named_pdf_template', 'layout', paperLayouts),
    oneOf('named_pdf_template', 'paper', paperSizes),
  ],
});
export class NamedPdfTemplate extends NamedPdfTemplateSchema.class {}
NamedPdfTemplateSchema.setClass(NamedPdfTemplate);

const NamedEmailTemplateSchema = defineEntity({
  name: 'NamedEmailTemplate',
  policies: tenantPolicies,
  comment: 'A further email template of a kind, which sends and steps of cadences name; its wordings are versions',
  properties: {
    ...tenantKey,
    /** The id that clients see, without a language. It is never that of a built-in template. */
    code: p.string().length(64),
    /** The built-in template whose mails it words. */
    kind: p.string().length(64).$type<CustomTemplate>(),
    name: p.string().length(255).nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'named_email_template_code', properties: ['accountId', 'code'] }],
});
export class NamedEmailTemplate extends NamedEmailTemplateSchema.class {}
NamedEmailTemplateSchema.setClass(NamedEmailTemplate);

const EmailTemplateVersionSchema = defineEntity({
  name: 'EmailTemplateVersion',
  policies: tenantPolicies,
  comment: 'A version of the wording of an email template in one language; the highest one is in use',
  properties: {
    ...tenantKey,
    /** The name of a built-in template, or the code of a further one. */
    template: p.string().length(64),
    /** ISO 639-1 code. */
    language: p.string().length(2),
    version: p.integer(),
    /** Handlebars. Null: this part keeps the default wording. */
    subject: p.text().nullable(),
    html: p.text().nullable(),
    text: p.text().nullable(),
    /** User id of the caller. */
    updatedBy: p.integer(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'email_template_version_once', properties: ['accountId', 'template', 'language', 'version'] }],
});
export class EmailTemplateVersion extends EmailTemplateVersionSchema.class {}
EmailTemplateVersionSchema.setClass(EmailTemplateVersion);

const SmsTemplateSchema = defineEntity({
  name: 'SmsTemplate',
  policies: tenantPolicies,
  comment: 'Words of a text message, which steps of cadences name',
  properties: {
    ...tenantKey,
    name: p.string().length(255),
    /** With variables such as `{{amount}}`. */
    message: p.text(),
    /** Language of its amounts, ISO 639-1; null: that of the customer. */
    language: p.string().length(2).nullable(),
    ...timestamps,
  },
  indexes: [
    { name: 'sms_template_by_name', properties: ['accountId', 'name', 'id'] },
    { name: 'sms_template_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'sms_template_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
});
export class SmsTemplate extends SmsTemplateSchema.class {}
SmsTemplateSchema.setClass(SmsTemplate);
