import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { longTenantKey } from './columns.ts';

const SmsEventSchema = defineEntity({
  name: 'SmsEvent',
  policies: tenantPolicies,
  comment: 'An event that a provider of texts sent, stored once. It holds no number and no words of a person',
  properties: {
    ...longTenantKey,
    /** The configuration of the address that received it, such as `twilio_1_4`. */
    configuration: p.string().length(64),
    /** The provider's id of the message, with its status if it is about a text of ours. */
    reference: p.string().length(128),
    /** The new status of one of our texts, or the keyword in a person's message: `delivered`, `stop`, `other`. */
    type: p.string().length(32),
    receivedAt: p.datetime(),
  },
  uniques: [{ name: 'sms_event_id', properties: ['accountId', 'configuration', 'reference'] }],
});
export class SmsEvent extends SmsEventSchema.class {}
SmsEventSchema.setClass(SmsEvent);
