import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';
import { Customer } from './customer.ts';

export type EmailState = 'queued' | 'sent' | 'bounced' | 'failed';

const EmailSchema = defineEntity({
  name: 'Email',
  policies: tenantPolicies,
  comment: 'The row is the record: written with its cause, sent by the mail pump',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').nullable().deleteRule('restrict'),
    clockId: p.integer().nullable(),
    template: p.string().length(64),
    /** What it is about, once: `payment:77`, `attempt:12`. The database refuses a second one. */
    cause: p.string().length(128),
    toName: p.string().length(255),
    toAddress: p.string().length(255),
    subject: p.string().length(500),
    html: p.text(),
    text: p.text(),
    messageId: p.string().length(255),
    state: p.string().length(7).$type<EmailState>(),
    attempts: p.integer().default(0),
    /** Real time. */
    nextAttemptAt: p.datetime().nullable(),
    giveUpAt: p.datetime(),
    failureReason: p.text().nullable(),
    sentAt: p.datetime().nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'email_cause', properties: ['accountId', 'template', 'cause'] }],
  indexes: [
    {
      name: 'email_queued',
      expression: 'create index "email_queued" on "email" ("account_id", "next_attempt_at") where state = \'queued\'',
    },
    {
      name: 'email_clock',
      expression:
        'create index "email_clock" on "email" ("account_id", "clock_id") where state = \'queued\' and clock_id is not null',
    },
    { name: 'email_by_customer', properties: ['accountId', 'customer', 'id'] },
  ],
  checks: [{ name: 'email_state', expression: "state in ('queued', 'sent', 'bounced', 'failed')" }],
});
export class Email extends EmailSchema.class {}
EmailSchema.setClass(Email);
