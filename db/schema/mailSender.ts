import { defineEntity, p } from '@mikro-orm/core';
import { tenantPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';
import { partialIndex } from './indexes.ts';

const LIVE = 'deleted_at is null';

const MailSenderSchema = defineEntity({
  name: 'MailSender',
  policies: tenantPolicies,
  comment: 'The address that mails of an account come from, with the DKIM key that signs them',
  properties: {
    ...tenantKey,
    address: p.string().length(255),
    domain: p.string().length(253),
    selector: p.string().length(63),
    /** PKCS#8 as PEM, encrypted; null: it was deleted. */
    sealedPrivateKey: p.text().nullable(),
    /** Base64 of the public key, for the DNS record. */
    publicKey: p.text(),
    /** When the DNS last had the key; null: never. */
    foundAt: p.datetime().nullable(),
    /** When the DNS lost the key again; null: it did not. Mails come from the address while the key is found and not lost. */
    lostAt: p.datetime().nullable(),
    /** Checks in a row that did not find the key. */
    misses: p.integer().default(0),
    /** When the DNS was last checked; null: never. */
    lookedAt: p.datetime().nullable(),
    /** Result of that check, for people. */
    finding: p.text().nullable(),
    /** Real time. Senders of earlier versions are due at once. */
    nextLookAt: p.datetime().defaultRaw("'2000-01-01 00:00:00+00'"),
    deletedAt: p.datetime().nullable(),
    ...timestamps,
  },
  indexes: [
    partialIndex('mail_sender', 'mail_sender_live', ['account_id, id', LIVE]),
    partialIndex('mail_sender', 'mail_sender_by_created', ['account_id, created_at, id', LIVE]),
    partialIndex('mail_sender', 'mail_sender_by_updated', ['account_id, updated_at, id', LIVE]),
    // A list of an account cannot use this index, which has the senders of all accounts.
    partialIndex('mail_sender', 'mail_sender_looks', ['next_look_at', `${LIVE} and next_look_at is not null`]),
    {
      name: 'mail_sender_once',
      expression: `create unique index "mail_sender_once" on "mail_sender" ("account_id") where ${LIVE}`,
    },
  ],
  checks: [{ name: 'mail_sender_sealed', expression: '(sealed_private_key is null) = (deleted_at is not null)' }],
});
export class MailSender extends MailSenderSchema.class {}
MailSenderSchema.setClass(MailSender);
