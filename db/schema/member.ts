import { defineEntity, p } from '@mikro-orm/core';
import type { Environment } from '../../billing/environments.ts';
import type { Permission } from '../../billing/people/permissions.ts';
import { twinPolicies } from '../tenant.ts';
import { oneOf, tenantKey, timestamps } from './columns.ts';
import { Person } from './person.ts';

export const memberStatuses = ['invited', 'active', 'deactivated'] as const;
export type MemberStatus = (typeof memberStatuses)[number];

const MemberSchema = defineEntity({
  name: 'Member',
  comment: 'A person in a business, in the live account and its sandbox twin; belongs to the live one',
  policies: twinPolicies,
  properties: {
    ...tenantKey,
    /** Null: the invitation is not accepted. */
    person: () => p.manyToOne(Person).nullable().deleteRule('restrict'),
    /** Address of the person, lower case. It is stored here as well, because an account cannot read persons. */
    email: p.string().length(255),
    name: p.string().length(255).nullable(),
    /** Password of members from before there were persons; nothing reads it. */
    passwordHash: p.string().length(255).nullable(),
    /** Code of a built-in role (`billing/people/permissions.ts`) or of a role of the account. */
    role: p.string().length(64).default('administrator'),
    /** True: the member sees only the customers that it owns. */
    isLimited: p.boolean().default(false),
    status: p.string().length(11).$type<MemberStatus>().default('active'),
    /** SHA-256 of the link of its invitation, hexadecimal. */
    invitationHash: p.string().length(64).nullable(),
    invitationEndsAt: p.datetime().nullable(),
    invitedById: p.integer().nullable(),
    /** Precise to five minutes: the last sign-in, or use of the account in a browser. */
    lastSeenAt: p.datetime().nullable(),
    ...timestamps,
  },
  uniques: [{ name: 'member_email', properties: ['email', 'accountId'] }],
  indexes: [
    { name: 'member_person', properties: ['person'] },
    { name: 'member_invitation', properties: ['invitationHash'] },
    { name: 'member_by_role', properties: ['accountId', 'role'] },
  ],
  checks: [oneOf('member', 'status', memberStatuses)],
});
export class Member extends MemberSchema.class {}
MemberSchema.setClass(Member);

const RoleSchema = defineEntity({
  name: 'Role',
  comment: 'A role that a business made besides the built-in ones; belongs to the live account',
  policies: twinPolicies,
  properties: {
    ...tenantKey,
    /** Id of the role in the API. */
    code: p.string().length(64),
    name: p.string().length(255),
    permissions: p.array().columnType('text[]').$type<Permission[]>(),
    ...timestamps,
  },
  uniques: [{ name: 'role_code', properties: ['accountId', 'code'] }],
});
export class Role extends RoleSchema.class {}
RoleSchema.setClass(Role);

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
