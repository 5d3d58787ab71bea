import { defineEntity, p } from '@mikro-orm/core';
import type { Proof } from '../../billing/people/proofs.ts';
import { oneOf, timestamps } from './columns.ts';

const PersonSchema = defineEntity({
  name: 'Person',
  comment: 'Somebody who signs in; belongs to no account, and is a member of any number of them',
  properties: {
    id: p.integer().primary().autoincrement(),
    /** Lower case, ASCII. */
    email: p.string().length(255),
    name: p.string().length(255).nullable(),
    /** Argon2id in PHC form. Null: the person signs in by passkey, or has to set a password by mail. */
    passwordHash: p.string().length(255).nullable(),
    /** Null: it was set before this was kept, or there is no password. */
    passwordSetAt: p.datetime().nullable(),
    /** Secret of the authenticator app, encrypted. Null: there is none. */
    sealedTotpSecret: p.text().nullable(),
    /** Step of 30 seconds of the last code that was used; no code of it or before it is accepted again. */
    totpStep: p.integer().nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'person_email', properties: ['email'] }],
});
export class Person extends PersonSchema.class {}
PersonSchema.setClass(Person);

const RecoveryCodeSchema = defineEntity({
  name: 'RecoveryCode',
  comment: 'A code that replaces the second factor once',
  properties: {
    id: p.integer().primary().autoincrement(),
    person: () => p.manyToOne(Person).deleteRule('cascade'),
    /** SHA-256, hexadecimal. */
    hash: p.string().length(64),
    usedAt: p.datetime().nullable(),
  },
  uniques: [{ name: 'recovery_code_hash', properties: ['person', 'hash'] }],
});
export class RecoveryCode extends RecoveryCodeSchema.class {}
RecoveryCodeSchema.setClass(RecoveryCode);

const PasskeySchema = defineEntity({
  name: 'Passkey',
  comment: 'A WebAuthn credential of a person',
  properties: {
    id: p.integer().primary().autoincrement(),
    person: () => p.manyToOne(Person).deleteRule('cascade'),
    /** Base64url, as browsers send it. */
    credentialId: p.string().length(1400),
    /** Base64url of the COSE key. */
    publicKey: p.text(),
    /** Count of signatures. A smaller one than the last shows a copy. */
    counter: p.bigint('number'),
    transports: p.array().columnType('text[]'),
    name: p.string().length(255),
    lastUsedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'passkey_credential', properties: ['credentialId'] }],
  indexes: [{ name: 'passkey_person', properties: ['person'] }],
});
export class Passkey extends PasskeySchema.class {}
PasskeySchema.setClass(Passkey);

const PersonSessionSchema = defineEntity({
  name: 'PersonSession',
  comment: 'A browser in which a person is signed in; without its row it is signed out',
  properties: {
    id: p.integer().primary().autoincrement(),
    person: () => p.manyToOne(Person).deleteRule('cascade'),
    /** SHA-256 of the cookie, hexadecimal. */
    hash: p.string().length(64),
    proofs: p.array().columnType('text[]').$type<Proof[]>(),
    /** Real time of the last sign-in or of its repetition. */
    provenAt: p.datetime(),
    /** Precise to the minute. */
    lastSeenAt: p.datetime(),
    ip: p.string().length(45),
    userAgent: p.string().length(255).nullable(),
    createdAt: p.datetime(),
    /** Moves with each use. */
    expiresAt: p.datetime(),
  },
  uniques: [{ name: 'person_session_hash', properties: ['hash'] }],
  indexes: [
    { name: 'person_session_person', properties: ['person'] },
    { name: 'person_session_expiry', properties: ['expiresAt'] },
  ],
});
export class PersonSession extends PersonSessionSchema.class {}
PersonSessionSchema.setClass(PersonSession);

/** What a secret of a person is for. */
export const purposes = [
  'sign_up',
  'reset',
  'second_factor',
  'passkey',
  'email_code',
  'device',
  'console',
  'download',
] as const;
export type Purpose = (typeof purposes)[number];

const PersonSecretSchema = defineEntity({
  name: 'PersonSecret',
  comment: 'A secret that a mail or a browser holds for a short time, and that counts once',
  properties: {
    id: p.integer().primary().autoincrement(),
    /** Null: the person does not exist yet. */
    person: () => p.manyToOne(Person).nullable().deleteRule('cascade'),
    purpose: p.string().length(13).$type<Purpose>(),
    /** SHA-256, hexadecimal. */
    hash: p.string().length(64),
    /** What its use needs; no secret in plain text. */
    data: p.json().$type<object>(),
    tries: p.integer().default(0),
    usedAt: p.datetime().nullable(),
    /** Real time. */
    expiresAt: p.datetime(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'person_secret_hash', properties: ['hash'] }],
  indexes: [
    { name: 'person_secret_person', properties: ['person', 'purpose'] },
    { name: 'person_secret_expiry', properties: ['expiresAt'] },
  ],
  checks: [oneOf('person_secret', 'purpose', purposes)],
});
export class PersonSecret extends PersonSecretSchema.class {}
PersonSecretSchema.setClass(PersonSecret);
