import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';

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
