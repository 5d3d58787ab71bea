import { defineEntity, p } from '@mikro-orm/core';
import { type TextState, textStates, WAITING } from '../../billing/mail/textMessage.ts';
import { policiesThrough, tenantPolicies } from '../tenant.ts';
import { longTenantKey, oneOf, quoted, tenantKey, timestamps } from './columns.ts';
import { Customer } from './customer.ts';

/** SQL: condition of a text that waits for its provider. */
export const WAITS = `state in (${quoted(WAITING)})`;

const TextMessageSchema = defineEntity({
  name: 'TextMessage',
  policies: policiesThrough('text_message', 'customer'),
  comment: 'A text message: written with its cause, sent by the text pump',
  properties: {
    ...tenantKey,
    customer: () => p.manyToOne(Customer).joinColumns('account_id', 'customer_id').deleteRule('restrict'),
    /** Test clock of the customer; null: real time. It decides the clock of `nextAttemptAt`, `giveUpAt` and `sendingAt`. */
    clockId: p.integer().nullable(),
    /** Id of the reminder that it carries out. */
    reminderId: p.integer(),
    /** Id of the contact that it is sent to. */
    contactId: p.integer(),
    /** The cause of the text, `reminder:77:4` with the contact. The database refuses a second text of one cause. */
    cause: p.string().length(64),
    /** In E.164. */
    number: p.string().length(16),
    message: p.text(),
    /** The zones in which it must not be night when it is sent. */
    zones: p.array().columnType('text[]'),
    /** Ids of the invoices that it asks for. */
    invoiceIds: p.array((id) => Number(id)).columnType('int[]'),
    state: p.string().length(13).$type<TextState>(),
    attempts: p.integer().default(0),
    /** queued: time of the next try. sending: time of the look-up. */
    nextAttemptAt: p.datetime().nullable(),
    giveUpAt: p.datetime(),
    /** Time of the last request to the provider. */
    sendingAt: p.datetime().nullable(),
    /** Id of the message provider that was asked last. */
    providerId: p.integer().nullable(),
    /** The provider's id of it; null: the provider has not taken it, as far as is known. */
    reference: p.string().length(64).nullable(),
    failureReason: p.text().nullable(),
    sentAt: p.datetime().nullable(),
    ...timestamps,
  },
  uniques: [
    { name: 'text_message_cause', properties: ['accountId', 'cause'] },
    { name: 'text_message_reference', properties: ['accountId', 'reference'] },
  ],
  indexes: [
    {
      name: 'text_message_waiting',
      expression: `create index "text_message_waiting" on "text_message" ("account_id", "next_attempt_at") where ${WAITS} and clock_id is null`,
    },
    {
      name: 'text_message_clock',
      expression: `create index "text_message_clock" on "text_message" ("account_id", "clock_id", "next_attempt_at") where ${WAITS} and clock_id is not null`,
    },
    { name: 'text_message_by_customer', properties: ['accountId', 'customer', 'id'] },
    { name: 'text_message_by_reminder', properties: ['accountId', 'reminderId'] },
    { name: 'text_message_by_state', properties: ['accountId', 'state', 'id'] },
    { name: 'text_message_by_created', properties: ['accountId', 'createdAt', 'id'] },
    { name: 'text_message_by_updated', properties: ['accountId', 'updatedAt', 'id'] },
  ],
  checks: [
    oneOf('text_message', 'state', textStates),
    { name: 'text_message_next', expression: `(${WAITS}) = (next_attempt_at is not null)` },
  ],
});
export class TextMessage extends TextMessageSchema.class {}
TextMessageSchema.setClass(TextMessage);

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

const TextStopSchema = defineEntity({
  name: 'TextStop',
  policies: tenantPolicies,
  comment:
    'A number that wants no texts from the account. It stays when its customer is anonymized, so only its digest is kept',
  properties: {
    ...tenantKey,
    /** SHA-256 of the account and the number, hexadecimal. */
    digest: p.string().length(64),
    stoppedAt: p.datetime(),
    /** When it allowed texts again; null: they are stopped. */
    resumedAt: p.datetime().nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'text_stop_digest', properties: ['accountId', 'digest'] }],
});
export class TextStop extends TextStopSchema.class {}
TextStopSchema.setClass(TextStop);
