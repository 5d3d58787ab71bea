import { defineEntity, p } from '@mikro-orm/core';
import { type MailEventKind, mailEventKinds } from '../../billing/mail/mailEvents.ts';
import { policiesThrough } from '../tenant.ts';
import { longTenantKey, oneOf } from './columns.ts';
import { partialIndex } from './indexes.ts';

const MailEventSchema = defineEntity({
  name: 'MailEvent',
  policies: policiesThrough('mail_event', 'email'),
  comment: 'An event about a mail, stored once. It holds no address and no words of a person',
  properties: {
    ...longTenantKey,
    /** The configuration of the address that received it, such as `ses_1_4`. */
    configuration: p.string().length(64),
    /** SHA-256 of the provider's id of the event, hexadecimal. */
    reference: p.string().length(64),
    kind: p.string().length(11).$type<MailEventKind>(),
    /** Whether it counts against the address; null: an earlier version stored it, and it is not counted. */
    counts: p.boolean().nullable(),
    /** The mail; null: the account has none with this Message-ID and recipient. */
    emailId: p.integer().nullable(),
    /** SHA-256 of the account and the address, hexadecimal. */
    addressHash: p.string().length(64).name('digest'),
    /** By the clock of the provider. */
    occurredAt: p.datetime(),
    receivedAt: p.datetime(),
  },
  uniques: [{ name: 'mail_event_id', properties: ['accountId', 'configuration', 'reference'] }],
  indexes: [
    { name: 'mail_event_by_digest', properties: ['accountId', 'addressHash', 'occurredAt'] },
    { name: 'mail_event_by_received', properties: ['receivedAt'] },
    partialIndex('mail_event', 'mail_event_by_email', ['account_id, email_id', 'email_id is not null']),
  ],
  checks: [oneOf('mail_event', 'kind', mailEventKinds)],
});
export class MailEvent extends MailEventSchema.class {}
MailEventSchema.setClass(MailEvent);
