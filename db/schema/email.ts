import { defineEntity, p } from '@mikro-orm/core';
import type { DocumentType } from '../../billing/documents/document.ts';
import type { StatementItems, StatementType } from '../../billing/documents/statement.ts';
import type { CustomTemplate } from '../../billing/mail/emailTemplates.ts';
import type { MailProgress } from '../../billing/mail/mailOutcome.ts';
import type { MailView } from '../../billing/mail/mailView.ts';
import { policiesThrough } from '../tenant.ts';
import { oneOf, tenantKey, timestamps } from './columns.ts';
import { Customer } from './customer.ts';

export const emailStates = ['queued', 'sent', 'bounced', 'failed'] as const;
export type EmailState = (typeof emailStates)[number];

/** A file attached to an email, as it was when the email was written. */
export interface MailedFile {
  name: string;
  type: string;
  size: number;
  storeKey: string;
}

/** A document whose PDF is attached to an email. */
export interface MailedDocument {
  type: DocumentType;
  id: number;
}

/** A statement whose PDF is attached. `id`: the customer. Times are ISO text; entries after `knownAt` are left out. */
export interface MailedStatement {
  type: 'statement';
  id: number;
  kind: StatementType;
  items: StatementItems;
  currency: string;
  from: string | null;
  until: string;
  lastDay: string;
  knownAt: string;
}

/** One opening of an email: a mail program fetched the tracking image. */
export interface Opening {
  /** Seconds since 1970. */
  timestamp: number;
  ip: string;
  user_agent: string | null;
}

const EmailSchema = defineEntity({
  name: 'Email',
  policies: policiesThrough('email', 'customer'),
  comment: 'An email: written with its cause, sent by the mail pump',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').nullable().deleteRule('restrict'),
    clockId: p.integer().nullable(),
    /** The template, or the code of a further one. */
    template: p.string().length(64),
    /** The built-in template of a further one; null: `template` is built in. */
    kind: p.string().length(64).$type<CustomTemplate>().nullable(),
    /** The cause of the email: `payment:77`, `attempt:12`. The database refuses a second email of one template and cause. */
    cause: p.string().length(128),
    toName: p.string().length(255),
    toAddress: p.string().length(255),
    /** Addresses for blind copies. */
    bcc: p.json().$type<string[]>(),
    /** The message without greeting, figures and footer. */
    message: p.text(),
    subject: p.string().length(500),
    html: p.text(),
    text: p.text(),
    /** Values for a customized template, which is rendered when the mail is sent. Null: there is none, or it is rendered. */
    view: p.json().$type<MailView>().nullable(),
    files: p.json().$type<MailedFile[]>(),
    /** The document or statement whose PDF is attached; the PDF is rendered when the mail is sent. */
    document: p.json().$type<MailedDocument | MailedStatement>().nullable(),
    messageId: p.string().length(255),
    /** Page on which the recipient stops such mails; null: they cannot be stopped. */
    unsubscribeUrl: p.text().nullable(),
    /** Token of the tracking image; null: there is none. */
    openToken: p.string().length(64).nullable(),
    opens: p.integer().default(0),
    /** The first openings only; `opens` counts all. */
    openings: p.json().$type<Opening[]>(),
    state: p.string().length(7).$type<EmailState>(),
    attempts: p.integer().default(0),
    /** Real time. */
    nextAttemptAt: p.datetime().nullable(),
    giveUpAt: p.datetime(),
    failureReason: p.text().nullable(),
    sentAt: p.datetime().nullable(),
    /** Set while the mail is queued after its recipients had different answers; null: it is sent to all of them. */
    progress: p.json().$type<MailProgress>().nullable(),
    ...timestamps,
  },
  uniques: [
    { name: 'email_cause', properties: ['accountId', 'template', 'cause'] },
    { name: 'email_open_token', properties: ['accountId', 'openToken'] },
  ],
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
    {
      name: 'email_retried',
      expression: `create index "email_retried" on "email" ("id") where state = 'queued' and attempts > 0`,
    },
    { name: 'email_by_message_id', properties: ['accountId', 'messageId'] },
    { name: 'email_by_customer', properties: ['accountId', 'customer', 'id'] },
    { name: 'email_by_address', properties: ['accountId', 'toAddress', 'id'] },
    { name: 'email_by_template', properties: ['accountId', 'template', 'id'] },
    { name: 'email_by_state', properties: ['accountId', 'state', 'id'] },
    {
      name: 'email_by_document',
      expression: `create index "email_by_document" on "email" ("account_id", ("document"->>'type'), ("document"->>'id')) where document is not null`,
    },
    { name: 'email_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'email_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
  checks: [oneOf('email', 'state', emailStates)],
});
export class Email extends EmailSchema.class {}
EmailSchema.setClass(Email);
