import { defineEntity, p } from '@mikro-orm/core';
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
