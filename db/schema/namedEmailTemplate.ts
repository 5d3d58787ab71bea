import { defineEntity, p } from '@mikro-orm/core';
import type { CustomTemplate } from '../../billing/emailTemplates.ts';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';

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
