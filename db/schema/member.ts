import { defineEntity, p } from '@mikro-orm/core';
import type { Environment } from '../../billing/environments.ts';
import { twinPolicies } from '../tenant.ts';
import { tenantKey, timestamps } from './columns.ts';

const MemberSchema = defineEntity({
  name: 'Member',
  comment: 'A person who acts for a business, in the live account and its sandbox twin; belongs to the live one',
  policies: twinPolicies,
  properties: {
    ...tenantKey,
    /** Lower case. */
    email: p.string().length(255),
    /** Argon2id in PHC form: parameters, salt and hash. */
    passwordHash: p.string().length(255),
    ...timestamps,
  },
  uniques: [{ name: 'member_email', properties: ['email', 'accountId'] }],
});
export class Member extends MemberSchema.class {}
MemberSchema.setClass(Member);

const MemberSessionSchema = defineEntity({
  name: 'MemberSession',
  comment: 'A browser in which a member is signed in; without its row it is signed out',
  policies: twinPolicies,
  properties: {
    ...tenantKey,
    member: () => p.manyToOne(Member).joinColumns('account_id', 'member_id').deleteRule('cascade'),
    environment: p.string().length(7).$type<Environment>(),
    /** SHA-256 of the cookie, hexadecimal. */
    hash: p.string().length(64),
    /** Stays the same when the cookie changes. */
    uid: p.string().length(64),
    /** Data that oidc-provider stores, without the cookie. */
    payload: p.json().$type<object>(),
    /** Real time. */
    expiresAt: p.datetime(),
    createdAt: p.datetime(),
  },
  uniques: [{ name: 'member_session_hash', properties: ['hash'] }],
  indexes: [
    { name: 'member_session_uid', properties: ['uid'] },
    { name: 'member_session_member', properties: ['accountId', 'member'] },
    { name: 'member_session_expiry', properties: ['expiresAt'] },
  ],
});
export class MemberSession extends MemberSessionSchema.class {}
MemberSessionSchema.setClass(MemberSession);
