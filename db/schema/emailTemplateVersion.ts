import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey } from './columns.ts';

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
